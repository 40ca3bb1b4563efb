//! The GLSL extensions a shader may name. It must list only what the translation really accepts.

/// One extension: its name, the version whose core includes it, and whether it needs nothing of the device beyond what
/// GL 3.3 has (then it is offered in every context).
pub struct Extension {
    pub name: &'static str,
    pub core_since: u32,
    pub free: bool,
}

const fn e(name: &'static str, core_since: u32, free: bool) -> Extension {
    Extension {
        name,
        core_since,
        free,
    }
}

pub const EXTENSIONS: &[Extension] = &[
    e("GL_3DL_array_objects", 120, true),
    e("GL_AMD_conservative_depth", 420, true),
    e("GL_ARB_ES2_compatibility", 410, true),
    e("GL_ARB_arrays_of_arrays", 430, true),
    e("GL_ARB_blend_func_extended", 330, true),
    e("GL_ARB_compute_shader", 430, false),
    e("GL_ARB_conservative_depth", 420, true),
    e("GL_ARB_cull_distance", 450, false),
    e("GL_ARB_derivative_control", 450, true),
    e("GL_ARB_draw_buffers", 110, true),
    e("GL_ARB_draw_instanced", 140, true),
    e("GL_ARB_enhanced_layouts", 440, true),
    e("GL_ARB_explicit_attrib_location", 330, true),
    e("GL_ARB_explicit_uniform_location", 430, true),
    e("GL_ARB_fragment_coord_conventions", 150, true),
    e("GL_ARB_fragment_layer_viewport", 430, false),
    e("GL_ARB_gpu_shader5", 400, false),
    e("GL_ARB_gpu_shader_fp64", 400, false),
    e("GL_ARB_sample_shading", 400, false),
    e("GL_ARB_separate_shader_objects", 410, true),
    e("GL_ARB_shader_atomic_counters", 420, false),
    e("GL_ARB_shader_bit_encoding", 330, true),
    e("GL_ARB_shader_draw_parameters", 460, false),
    e("GL_ARB_shader_image_load_store", 420, false),
    e("GL_ARB_shader_image_size", 430, false),
    e("GL_ARB_shader_precision", 410, true),
    e("GL_ARB_shader_storage_buffer_object", 430, false),
    e("GL_ARB_shader_texture_image_samples", 450, false),
    e("GL_ARB_shader_texture_lod", 130, true),
    e("GL_ARB_shading_language_420pack", 420, true),
    e("GL_ARB_shading_language_packing", 420, true),
    e("GL_ARB_tessellation_shader", 400, false),
    e("GL_ARB_texture_cube_map_array", 400, false),
    e("GL_ARB_texture_gather", 400, true),
    e("GL_ARB_texture_multisample", 150, true),
    e("GL_ARB_texture_query_levels", 430, true),
    e("GL_ARB_texture_query_lod", 400, true),
    e("GL_ARB_texture_rectangle", 140, true),
    e("GL_ARB_uniform_buffer_object", 140, true),
    e("GL_ARB_vertex_attrib_64bit", 410, false),
    e("GL_ARB_viewport_array", 410, false),
    e("GL_EXT_separate_shader_objects", 410, true),
    e("GL_EXT_shader_integer_mix", 450, true),
    e("GL_EXT_texture_array", 130, true),
];

/// The extension called `name`, if shaders of a context with `max_version` may use it.
pub fn find(name: &str, max_version: u32) -> Option<&'static Extension> {
    EXTENSIONS
        .iter()
        .find(|e| e.name == name && (e.free || e.core_since <= max_version))
}

/// Whether a keyword that came with version `since` is one in this shader: by its version, or by an extension that brings it.
pub fn brings(extensions: &[&'static Extension], word: &str) -> bool {
    let by: &[&str] = match word {
        "layout" => &[
            "GL_ARB_explicit_attrib_location",
            "GL_ARB_uniform_buffer_object",
            "GL_ARB_shading_language_420pack",
            "GL_ARB_fragment_coord_conventions",
            "GL_ARB_separate_shader_objects",
        ],
        "sample" => &["GL_ARB_gpu_shader5", "GL_ARB_sample_shading"],
        "precise" => &["GL_ARB_gpu_shader5"],
        "patch" => &["GL_ARB_tessellation_shader"],
        "buffer" => &["GL_ARB_shader_storage_buffer_object"],
        "shared" => &["GL_ARB_compute_shader"],
        "double" => &["GL_ARB_gpu_shader_fp64", "GL_ARB_vertex_attrib_64bit"],
        "atomic_uint" => &["GL_ARB_shader_atomic_counters"],
        "coherent" | "volatile" | "restrict" | "readonly" | "writeonly" => &[
            "GL_ARB_shader_image_load_store",
            "GL_ARB_shader_storage_buffer_object",
        ],
        _ if word.starts_with("dvec") || word.starts_with("dmat") => {
            &["GL_ARB_gpu_shader_fp64", "GL_ARB_vertex_attrib_64bit"]
        }
        _ if word.contains("CubeArray") => &[
            "GL_ARB_texture_cube_map_array",
            "GL_ARB_shader_image_load_store",
        ],
        _ if word.contains("image") => &["GL_ARB_shader_image_load_store"],
        _ if word.contains("2DMS") => &["GL_ARB_texture_multisample"],
        _ if word.contains("1DArray") || word.contains("2DArray") => &["GL_EXT_texture_array"],
        _ => &[],
    };
    extensions.iter().any(|e| by.contains(&e.name))
}

/// Whether the word is a built-in of an extension that the shader has not enabled: then it is undeclared.
pub fn lacks(extensions: &[&'static Extension], word: &str) -> bool {
    let by = match word {
        "gl_InstanceIDARB" => "GL_ARB_draw_instanced",
        "gl_BaseVertexARB" | "gl_BaseInstanceARB" | "gl_DrawIDARB" => {
            "GL_ARB_shader_draw_parameters"
        }
        _ => return false,
    };
    !extensions.iter().any(|e| e.name == by)
}
