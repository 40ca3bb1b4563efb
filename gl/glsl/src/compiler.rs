//! The only door to glslang: texts of linked stages in, SPIR-V words or a log out.
//! It must not let a glslang object outlive a call, so that nothing here depends on which thread runs what.
//!
//! Rules that the blocks below name:
//! 1. Handles come from glslang's `create` functions, are checked for null, and are deleted once, by their guard.
//! 2. Strings handed in are `CString`s that live until the call that takes them returns; glslang copies what it keeps.
//! 3. Strings handed out belong to the object they come from and are copied while its guard is alive.
//! 4. A program is deleted before the shaders it refers to (declaration order of the guards).
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char};
use std::ptr::NonNull;
use std::sync::Once;

use glslang_sys as sys;
use pipe::program::Stage;

/// One unit to compile: complete text with a version line that glslang accepts.
#[derive(Clone, Debug)]
pub struct Unit<'a> {
    pub stage: Stage,
    pub text: &'a str,
}

/// Why nothing came out: glslang's own text.
#[derive(Clone, Debug)]
pub enum Failure {
    /// A unit does not parse.
    Parse {
        log: String,
    },
    Link {
        log: String,
    },
}

/// The compiler walks trees recursively, as deep as [`crate::bounds`] lets a source be: the application's own thread may have
/// little stack left. Only pages in use are backed by memory.
const STACK_BYTES: usize = 64 << 20;

/// Runs `work` on a thread with enough stack, or says why not.
fn on_a_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, &'static str> {
    let _running = crate::ending::Running::begin().ok_or("the process is ending")?;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("mobilegl-glsl".into())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work);
        match thread.map_err(|_| "out of memory")?.join() {
            Ok(value) => Ok(value),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Parses `units`, links them as one program and generates each stage's SPIR-V, in pipeline order.
pub fn compile_and_link(units: &[Unit]) -> Result<Vec<(Stage, Vec<u32>)>, Failure> {
    on_a_deep_stack(|| compile_and_link_here(units))
        .unwrap_or_else(|why| Err(Failure::Link { log: why.into() }))
}

/// Parses one unit for its diagnostics.
pub fn check(unit: &Unit) -> Result<(), String> {
    on_a_deep_stack(|| {
        initialise();
        ShaderGuard::parse(unit).map(drop)
    })
    .unwrap_or_else(|why| Err(format!("ERROR: 0:1:1: {why}")))
}

fn compile_and_link_here(units: &[Unit]) -> Result<Vec<(Stage, Vec<u32>)>, Failure> {
    initialise();
    let mut shaders = Vec::with_capacity(units.len());
    for unit in units {
        shaders.push(ShaderGuard::parse(unit).map_err(|log| Failure::Parse { log })?);
    }
    let Some(program) = ProgramGuard::new() else {
        return Err(Failure::Link {
            log: "out of memory".into(),
        });
    };
    for shader in &shaders {
        program.add(shader);
    }
    let Some(first) = units.iter().map(|u| u.stage).min() else {
        return Err(Failure::Link {
            log: "no shaders".into(),
        });
    };
    program.link(first).map_err(|log| Failure::Link { log })?;
    let mut out: Vec<(Stage, Vec<u32>)> = Vec::new();
    for stage in Stage::ALL {
        if units.iter().any(|u| u.stage == stage) {
            out.push((stage, program.spirv(stage)));
        }
    }
    Ok(out)
}

fn initialise() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: takes no arguments; `Once` keeps it to one call, before any other call of glslang.
        unsafe { sys::glslang_initialize_process() };
    });
}

fn stage(stage: Stage) -> sys::glslang_stage_t {
    match stage {
        Stage::Vertex => sys::glslang_stage_t::Vertex,
        Stage::TessControl => sys::glslang_stage_t::TesselationControl,
        Stage::TessEval => sys::glslang_stage_t::TesselationEvaluation,
        Stage::Geometry => sys::glslang_stage_t::Geometry,
        Stage::Fragment => sys::glslang_stage_t::Fragment,
        Stage::Compute => sys::glslang_stage_t::Compute,
    }
}

fn messages() -> sys::glslang_messages_t {
    use sys::glslang_messages_t as m;
    m::SPV_RULES | m::VULKAN_RULES | m::SUPPRESS_WARNINGS | m::DISPLAY_ERROR_COLUMN
}

/// Copies a string of glslang's; rule 3 is the caller's.
fn text(s: *const c_char) -> String {
    if s.is_null() {
        return String::new();
    }
    // SAFETY: rule 3 – a NUL-terminated string whose owner the caller holds alive.
    unsafe { CStr::from_ptr(s) }.to_string_lossy().into_owned()
}

struct ShaderGuard(NonNull<sys::glslang_shader_t>);

impl ShaderGuard {
    fn parse(unit: &Unit) -> Result<Self, String> {
        let code = CString::new(unit.text)
            .map_err(|_| String::from("ERROR: 0:1:1: NUL character in the source"))?;
        let input = sys::glslang_input_t {
            language: sys::glslang_source_t::GLSL,
            stage: stage(unit.stage),
            client: sys::glslang_client_t::Vulkan,
            client_version: sys::glslang_target_client_version_t::Vulkan1_1,
            target_language: sys::glslang_target_language_t::SPIRV,
            target_language_version: sys::glslang_target_language_version_t::SPIRV1_3,
            code: code.as_ptr(),
            default_version: 100,
            default_profile: sys::glslang_profile_t::None,
            force_default_version_and_profile: 0,
            forward_compatible: 0,
            messages: messages(),
            resource: &LIMITS,
            callbacks: sys::glsl_include_callbacks_t {
                include_system: None,
                include_local: None,
                free_include_result: None,
            },
            callbacks_ctx: std::ptr::null_mut(),
        };
        // SAFETY: `input` is complete (no field is zero where zero is no value) and outlives the call.
        let raw = unsafe { sys::glslang_shader_create(&input) };
        let shader = Self(NonNull::new(raw).ok_or("ERROR: 0:1:1: out of memory")?);
        let options = sys::glslang_shader_options_t::AUTO_MAP_BINDINGS
            | sys::glslang_shader_options_t::AUTO_MAP_LOCATIONS
            | sys::glslang_shader_options_t::VULKAN_RULES_RELAXED;
        // SAFETY: rule 1.
        unsafe { sys::glslang_shader_set_options(shader.0.as_ptr(), options.0) };
        // SAFETY: rules 1 and 2.
        unsafe {
            sys::glslang_shader_set_default_uniform_block_name(
                shader.0.as_ptr(),
                crate::DEFAULT_BLOCK.as_ptr(),
            )
        };
        // SAFETY: rule 1.
        unsafe {
            sys::glslang_shader_set_default_uniform_block_set_and_binding(shader.0.as_ptr(), 0, 0)
        };
        // The text has no directives left but #version, #extension and #line: glslang's separate preprocessing run is skipped.
        // SAFETY: rules 1 and 2.
        unsafe { sys::glslang_shader_set_preprocessed_code(shader.0.as_ptr(), code.as_ptr()) };
        // SAFETY: rule 1; `input` outlives the call, `LIMITS` is static.
        if unsafe { sys::glslang_shader_parse(shader.0.as_ptr(), &input) } == 0 {
            // SAFETY: rule 1.
            return Err(text(unsafe {
                sys::glslang_shader_get_info_log(shader.0.as_ptr())
            }));
        }
        Ok(shader)
    }
}

impl Drop for ShaderGuard {
    fn drop(&mut self) {
        // SAFETY: rules 1 and 4.
        unsafe { sys::glslang_shader_delete(self.0.as_ptr()) }
    }
}

struct ProgramGuard(NonNull<sys::glslang_program_t>);

impl ProgramGuard {
    fn new() -> Option<Self> {
        // SAFETY: takes no arguments.
        NonNull::new(unsafe { sys::glslang_program_create() }).map(Self)
    }

    fn add(&self, shader: &ShaderGuard) {
        // SAFETY: rules 1 and 4.
        unsafe { sys::glslang_program_add_shader(self.0.as_ptr(), shader.0.as_ptr()) }
    }

    fn log(&self) -> String {
        // SAFETY: rule 1.
        text(unsafe { sys::glslang_program_get_info_log(self.0.as_ptr()) })
    }

    /// Links, then gives interface variables of all stages their locations together: mapping per stage is wrong for varyings.
    fn link(&self, first: Stage) -> Result<(), String> {
        // SAFETY: rule 1; every added shader has been parsed.
        if unsafe { sys::glslang_program_link(self.0.as_ptr(), messages().0) } == 0 {
            return Err(self.log());
        }
        // SAFETY: rule 1; `first` is the stage of a shader that was added, so it has an intermediate.
        let resolver = unsafe { sys::glslang_glsl_resolver_create(self.0.as_ptr(), stage(first)) };
        // SAFETY: takes no arguments.
        let mapper = unsafe { sys::glslang_glsl_mapper_create() };
        // SAFETY: rule 1; resolver and mapper are fresh and not null (C++ `new` does not return null).
        let ok = unsafe {
            sys::glslang_program_map_io_with_resolver_and_mapper(self.0.as_ptr(), resolver, mapper)
        };
        // SAFETY: rule 1; the program keeps no reference to either.
        unsafe { sys::glslang_glsl_mapper_delete(mapper) };
        // SAFETY: as above.
        unsafe { sys::glslang_glsl_resolver_delete(resolver) };
        if ok == 0 { Err(self.log()) } else { Ok(()) }
    }

    fn spirv(&self, which: Stage) -> Vec<u32> {
        let mut options = sys::glslang_spv_options_t {
            generate_debug_info: false,
            strip_debug_info: false,
            disable_optimizer: true,
            optimize_size: false,
            optimize_performance: false,
            disassemble: false,
            validate: false,
            emit_nonsemantic_shader_debug_info: false,
            emit_nonsemantic_shader_debug_source: false,
            compile_only: false,
            optimize_allow_expanded_id_bound: false,
            compiler_signature: std::ptr::null(),
            command_line_arguments: std::ptr::null(),
            current_working_directory: std::ptr::null(),
        };
        // SAFETY: rule 1; the stage is linked.
        unsafe {
            sys::glslang_program_SPIRV_generate_with_options(
                self.0.as_ptr(),
                stage(which),
                &mut options,
            )
        };
        // SAFETY: rule 1.
        let len = unsafe { sys::glslang_program_SPIRV_get_size(self.0.as_ptr()) };
        let mut words = vec![0u32; len];
        if len > 0 {
            // SAFETY: rule 1; `words` has room for exactly `len` words.
            unsafe { sys::glslang_program_SPIRV_get(self.0.as_ptr(), words.as_mut_ptr()) };
        }
        words
    }
}

impl Drop for ProgramGuard {
    fn drop(&mut self) {
        // SAFETY: rules 1 and 4.
        unsafe { sys::glslang_program_delete(self.0.as_ptr()) }
    }
}

/// What `gl_Max*` say and glslang checks against. Generous: the limits of the device are the GL layer's to enforce.
static LIMITS: sys::glslang_resource_t = sys::glslang_resource_t {
    max_lights: 8,
    max_clip_planes: 8,
    max_texture_units: 8,
    max_texture_coords: 8,
    max_vertex_attribs: 16,
    max_vertex_uniform_components: 4096,
    max_varying_floats: 128,
    max_vertex_texture_image_units: 32,
    max_combined_texture_image_units: 192,
    max_texture_image_units: 32,
    max_fragment_uniform_components: 4096,
    max_draw_buffers: 8,
    max_vertex_uniform_vectors: 1024,
    max_varying_vectors: 32,
    max_fragment_uniform_vectors: 1024,
    max_vertex_output_vectors: 32,
    max_fragment_input_vectors: 32,
    min_program_texel_offset: -8,
    max_program_texel_offset: 7,
    max_clip_distances: 8,
    max_compute_work_group_count_x: 65535,
    max_compute_work_group_count_y: 65535,
    max_compute_work_group_count_z: 65535,
    max_compute_work_group_size_x: 1024,
    max_compute_work_group_size_y: 1024,
    max_compute_work_group_size_z: 64,
    max_compute_uniform_components: 4096,
    max_compute_texture_image_units: 32,
    max_compute_image_uniforms: 8,
    max_compute_atomic_counters: 4096,
    max_compute_atomic_counter_buffers: 8,
    max_varying_components: 128,
    max_vertex_output_components: 128,
    max_geometry_input_components: 128,
    max_geometry_output_components: 128,
    max_fragment_input_components: 128,
    max_image_units: 8,
    max_combined_image_units_and_fragment_outputs: 16,
    max_combined_shader_output_resources: 16,
    max_image_samples: 0,
    max_vertex_image_uniforms: 8,
    max_tess_control_image_uniforms: 8,
    max_tess_evaluation_image_uniforms: 8,
    max_geometry_image_uniforms: 8,
    max_fragment_image_uniforms: 8,
    max_combined_image_uniforms: 48,
    max_geometry_texture_image_units: 32,
    max_geometry_output_vertices: 1024,
    max_geometry_total_output_components: 4096,
    max_geometry_uniform_components: 4096,
    max_geometry_varying_components: 128,
    max_tess_control_input_components: 128,
    max_tess_control_output_components: 128,
    max_tess_control_texture_image_units: 32,
    max_tess_control_uniform_components: 4096,
    max_tess_control_total_output_components: 4096,
    max_tess_evaluation_input_components: 128,
    max_tess_evaluation_output_components: 128,
    max_tess_evaluation_texture_image_units: 32,
    max_tess_evaluation_uniform_components: 4096,
    max_tess_patch_components: 120,
    max_patch_vertices: 32,
    max_tess_gen_level: 64,
    max_viewports: 16,
    max_vertex_atomic_counters: 4096,
    max_tess_control_atomic_counters: 4096,
    max_tess_evaluation_atomic_counters: 4096,
    max_geometry_atomic_counters: 4096,
    max_fragment_atomic_counters: 4096,
    max_combined_atomic_counters: 4096,
    max_atomic_counter_bindings: 8,
    max_vertex_atomic_counter_buffers: 8,
    max_tess_control_atomic_counter_buffers: 8,
    max_tess_evaluation_atomic_counter_buffers: 8,
    max_geometry_atomic_counter_buffers: 8,
    max_fragment_atomic_counter_buffers: 8,
    max_combined_atomic_counter_buffers: 8,
    max_atomic_counter_buffer_size: 16384,
    max_transform_feedback_buffers: 4,
    max_transform_feedback_interleaved_components: 128,
    max_cull_distances: 8,
    max_combined_clip_and_cull_distances: 8,
    max_samples: 4,
    max_mesh_output_vertices_nv: 256,
    max_mesh_output_primitives_nv: 512,
    max_mesh_work_group_size_x_nv: 32,
    max_mesh_work_group_size_y_nv: 1,
    max_mesh_work_group_size_z_nv: 1,
    max_task_work_group_size_x_nv: 32,
    max_task_work_group_size_y_nv: 1,
    max_task_work_group_size_z_nv: 1,
    max_mesh_view_count_nv: 4,
    max_mesh_output_vertices_ext: 256,
    max_mesh_output_primitives_ext: 256,
    max_mesh_work_group_size_x_ext: 128,
    max_mesh_work_group_size_y_ext: 128,
    max_mesh_work_group_size_z_ext: 128,
    max_task_work_group_size_x_ext: 128,
    max_task_work_group_size_y_ext: 128,
    max_task_work_group_size_z_ext: 128,
    max_mesh_view_count_ext: 4,
    __bindgen_anon_1: sys::glslang_resource_s__bindgen_ty_1 {
        max_dual_source_draw_buffers_ext: 1,
    },
    limits: sys::glslang_limits_t::default(),
};
