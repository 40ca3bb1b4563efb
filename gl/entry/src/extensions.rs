//! The extensions that contexts advertise, one row each. A row stands here only if every command and token of it works.

use gl_state::{Context, Profile};
use pipe::{Ability, Caps, FormatUse};

fn always(_: &Caps, _: Profile) -> bool {
    true
}

fn anisotropy(caps: &Caps, _: Profile) -> bool {
    caps.limits.max_texture_max_anisotropy > 1.0
}

fn dual_source(caps: &Caps, _: Profile) -> bool {
    caps.limits.max_dual_source_draw_buffers > 0
}

fn timer(caps: &Caps, _: Profile) -> bool {
    caps.abilities.contains(Ability::TIMER_QUERY)
}

/// Where names may be made up, and what core took over is still said.
fn in_compatibility(_: &Caps, profile: Profile) -> bool {
    profile == Profile::Compatibility
}

fn texture_view(caps: &Caps, _: Profile) -> bool {
    caps.abilities.contains(Ability::TEXTURE_VIEW)
}

fn float_textures(caps: &Caps, _: Profile) -> bool {
    caps.formats.is_empty()
        || caps
            .format(pipe::Format::Rgba32f)
            .contains(FormatUse::SAMPLE)
}

type Row = (&'static str, fn(&Caps, Profile) -> bool);

/// Sorted by name.
const ROWS: &[Row] = &[
    ("GL_ARB_ES2_compatibility", always),
    ("GL_ARB_base_instance", always),
    ("GL_ARB_blend_func_extended", dual_source),
    ("GL_ARB_buffer_storage", always),
    ("GL_ARB_clear_texture", always),
    ("GL_ARB_copy_buffer", always),
    ("GL_ARB_copy_image", always),
    ("GL_ARB_depth_buffer_float", always),
    ("GL_ARB_depth_clamp", always),
    ("GL_ARB_draw_buffers", always),
    ("GL_ARB_draw_elements_base_vertex", always),
    ("GL_ARB_draw_indirect", always),
    ("GL_ARB_draw_instanced", always),
    ("GL_ARB_explicit_attrib_location", always),
    ("GL_ARB_explicit_uniform_location", always),
    ("GL_ARB_fragment_coord_conventions", always),
    ("GL_ARB_framebuffer_object", always),
    ("GL_ARB_framebuffer_sRGB", always),
    ("GL_ARB_get_program_binary", always),
    ("GL_ARB_half_float_pixel", always),
    ("GL_ARB_half_float_vertex", always),
    ("GL_ARB_instanced_arrays", always),
    ("GL_ARB_internalformat_query", always),
    ("GL_ARB_invalidate_subdata", always),
    ("GL_ARB_map_buffer_range", always),
    ("GL_ARB_multi_bind", always),
    ("GL_ARB_multi_draw_indirect", always),
    ("GL_ARB_occlusion_query2", always),
    ("GL_ARB_pixel_buffer_object", always),
    ("GL_ARB_program_interface_query", always),
    ("GL_ARB_provoking_vertex", always),
    ("GL_ARB_sampler_objects", always),
    ("GL_ARB_seamless_cube_map", always),
    ("GL_ARB_shader_bit_encoding", always),
    ("GL_ARB_shading_language_420pack", always),
    ("GL_ARB_sync", always),
    ("GL_ARB_texture_buffer_object", always),
    ("GL_ARB_texture_buffer_range", always),
    ("GL_ARB_texture_compression", always),
    ("GL_ARB_texture_compression_bptc", always),
    ("GL_ARB_texture_compression_rgtc", always),
    ("GL_ARB_texture_filter_anisotropic", anisotropy),
    ("GL_ARB_texture_float", float_textures),
    ("GL_ARB_texture_non_power_of_two", always),
    ("GL_ARB_texture_rectangle", always),
    ("GL_ARB_texture_rg", always),
    ("GL_ARB_texture_rgb10_a2ui", always),
    ("GL_ARB_texture_storage", always),
    ("GL_ARB_texture_storage_multisample", always),
    ("GL_ARB_texture_swizzle", always),
    ("GL_ARB_texture_view", texture_view),
    ("GL_ARB_timer_query", timer),
    ("GL_ARB_uniform_buffer_object", always),
    ("GL_ARB_vertex_array_bgra", always),
    ("GL_ARB_vertex_array_object", always),
    ("GL_ARB_vertex_attrib_binding", always),
    ("GL_ARB_vertex_type_2_10_10_10_rev", always),
    ("GL_EXT_framebuffer_blit", in_compatibility),
    ("GL_EXT_framebuffer_multisample", in_compatibility),
    ("GL_EXT_framebuffer_object", in_compatibility),
    ("GL_EXT_packed_depth_stencil", always),
    ("GL_EXT_provoking_vertex", always),
    ("GL_EXT_texture_array", always),
    ("GL_EXT_texture_compression_rgtc", always),
    ("GL_EXT_texture_compression_s3tc", always),
    ("GL_EXT_texture_filter_anisotropic", anisotropy),
    ("GL_EXT_texture_integer", always),
    ("GL_EXT_texture_sRGB", always),
    ("GL_EXT_texture_shared_exponent", always),
    ("GL_EXT_texture_swizzle", always),
    ("GL_KHR_debug", always),
    ("GL_KHR_no_error", always),
    ("GL_KHR_robustness", always),
];

/// The names that a context advertises.
pub fn advertised(context: &Context) -> impl Iterator<Item = &'static str> {
    let rows = ROWS
        .iter()
        .filter(|(_, works)| works(&context.caps, context.profile));
    rows.map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::ROWS;

    #[test]
    fn rows_are_sorted_and_unique() {
        assert!(ROWS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
