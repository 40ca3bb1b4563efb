//! The capability snapshot: the device's limits under GL's names. It promises only what the verbs do.

use crate::device::Gpu;
use pipe::{Ability, Caps, Format, Limits};

/// Calls that this backend does not take: none of the catalogue but `map_persistent`, whose pointer it cannot give.
fn calls() -> u128 {
    use pipe::Call;
    let all = (1u128 << pipe::CALLS.len()) - 1;
    all & !(1 << Call::map_persistent as u32) & !(1 << Call::unmap_persistent as u32)
}

/// The snapshot of an opened device.
pub fn caps(gpu: &Gpu) -> Caps {
    let l = gpu.limits();
    let samples = l.framebuffer_color_sample_counts & l.framebuffer_depth_sample_counts;
    let max_samples = [64u32, 32, 16, 8, 4, 2]
        .into_iter()
        .find(|n| samples.as_raw() & n != 0)
        .unwrap_or(1);
    let features = &gpu.features;
    let mut abilities =
        Ability::OCCLUSION_QUERY | Ability::RESIDENT_SUBDATA | Ability::TEXTURE_VIEW;
    abilities.set(
        Ability::VIEWPORT_ARRAY,
        features.core.multi_viewport && features.core.geometry_shader,
    );
    abilities.set(Ability::FLOAT64_VERTEX_ATTRIB, features.core.shader_float64);
    abilities.set(
        Ability::OCCLUSION_COUNT,
        features.core.occlusion_query_precise,
    );
    if features.ext.transform_feedback {
        abilities |= Ability::XFB_PRIMITIVES_QUERY | Ability::DRIVER_ORDERED_XFB_CAPTURE;
    }
    abilities.set(Ability::ROBUST_ACCESS, features.core.robust_buffer_access);
    abilities.set(Ability::TIMER_QUERY, gpu.timestamp_bits != 0);
    let mut missing = features.missing();
    missing.push((
        "non-seamless cube maps".to_owned(),
        "cube maps are always filtered across their edges".to_owned(),
    ));
    let formats = std::iter::once(Format::None)
        .chain(Format::ALL.iter().copied())
        .map(|format| gpu.format(format).usage)
        .collect();
    Caps {
        backend: "vulkan",
        device: gpu.name(),
        driver: gpu.driver(),
        limits: Limits {
            max_texture_size: l.max_image_dimension2_d,
            max_3d_texture_size: l.max_image_dimension3_d,
            max_cube_map_texture_size: l.max_image_dimension_cube,
            max_array_texture_layers: l.max_image_array_layers,
            max_texture_buffer_size: l.max_texel_buffer_elements,
            max_renderbuffer_size: l.max_framebuffer_width.min(l.max_framebuffer_height),
            max_viewport_dims: l.max_viewport_dimensions,
            max_color_attachments: l.max_color_attachments.min(8),
            max_draw_buffers: l
                .max_fragment_output_attachments
                .min(l.max_color_attachments)
                .min(8),
            max_dual_source_draw_buffers: if features.core.dual_src_blend {
                l.max_fragment_dual_src_attachments
            } else {
                0
            },
            max_samples,
            sample_counts: samples.as_raw(),
            // One binding of each stage's uniform buffers is the default block.
            max_vertex_uniform_blocks: (l.max_per_stage_descriptor_uniform_buffers - 1).min(15),
            max_fragment_uniform_blocks: (l.max_per_stage_descriptor_uniform_buffers - 1).min(15),
            max_combined_uniform_blocks: (l.max_descriptor_set_uniform_buffers - 1).min(75),
            max_uniform_buffer_bindings: pipe::MAX_BUFFER_BINDINGS as u32,
            max_uniform_block_size: l.max_uniform_buffer_range,
            uniform_buffer_offset_alignment: l.min_uniform_buffer_offset_alignment as u32,
            shader_storage_buffer_offset_alignment: l.min_storage_buffer_offset_alignment as u32,
            texture_buffer_offset_alignment: l.min_texel_buffer_offset_alignment as u32,
            max_vertex_texture_image_units: l.max_per_stage_descriptor_samplers.min(32),
            max_texture_image_units: l.max_per_stage_descriptor_samplers.min(32),
            max_combined_texture_image_units: l
                .max_descriptor_set_samplers
                .min(pipe::MAX_TEXTURE_UNITS as u32),
            // Locations of user-defined outputs; built-in ones take none.
            max_varying_vectors: l.max_vertex_output_components / 4,
            max_texture_lod_bias: l.max_sampler_lod_bias,
            max_texture_max_anisotropy: if features.core.sampler_anisotropy {
                l.max_sampler_anisotropy
            } else {
                1.0
            },
            aliased_line_width_range: if features.core.wide_lines {
                l.line_width_range
            } else {
                [1.0, 1.0]
            },
            point_size_range: l.point_size_range,
            point_size_granularity: l.point_size_granularity,
            subpixel_bits: l.sub_pixel_precision_bits,
            max_elements_vertices: 1 << 20,
            max_elements_indices: 1 << 20,
            max_clip_distances: if features.core.shader_clip_distance {
                l.max_clip_distances.min(8)
            } else {
                0
            },
            timestamp_bits: gpu.timestamp_bits,
        },
        abilities,
        calls: calls(),
        formats,
        missing,
    }
}
