//! Capabilities of the null backend: everything that the frontend can keep.

use pipe::{Ability, CALLS, Caps, FormatUse, Limits};

/// The snapshot. Limits are the frontend's own maxima, so that no path is cut short by a device.
pub fn null_caps() -> Caps {
    Caps {
        backend: "null",
        device: "no device".into(),
        driver: env!("CARGO_PKG_VERSION").into(),
        limits: Limits {
            max_texture_size: 16384,
            max_3d_texture_size: 2048,
            max_cube_map_texture_size: 16384,
            max_array_texture_layers: 2048,
            max_texture_buffer_size: 1 << 27,
            max_renderbuffer_size: 16384,
            max_viewport_dims: [16384; 2],
            max_color_attachments: 8,
            max_draw_buffers: 8,
            max_dual_source_draw_buffers: 1,
            max_samples: 4,
            sample_counts: 0b110,
            max_vertex_uniform_blocks: 14,
            max_fragment_uniform_blocks: 14,
            max_combined_uniform_blocks: 70,
            max_uniform_buffer_bindings: 84,
            max_uniform_block_size: 65536,
            uniform_buffer_offset_alignment: 16,
            shader_storage_buffer_offset_alignment: 16,
            texture_buffer_offset_alignment: 16,
            max_vertex_texture_image_units: 32,
            max_texture_image_units: 32,
            max_combined_texture_image_units: 192,
            max_varying_vectors: 16,
            max_texture_lod_bias: 16.0,
            max_texture_max_anisotropy: 16.0,
            aliased_line_width_range: [1.0, 8.0],
            point_size_range: [1.0, 255.0],
            point_size_granularity: 0.125,
            subpixel_bits: 8,
            max_elements_vertices: 1 << 20,
            max_elements_indices: 1 << 20,
            max_clip_distances: 8,
            timestamp_bits: 64,
        },
        abilities: Ability::VIEWPORT_ARRAY
            | Ability::FLOAT64_VERTEX_ATTRIB
            | Ability::TIMER_QUERY
            | Ability::OCCLUSION_QUERY
            | Ability::OCCLUSION_COUNT
            | Ability::TEXTURE_VIEW,
        calls: (1 << CALLS.len()) - 1,
        formats: vec![FormatUse::all() - FormatUse::EMULATED; usize::from(u8::MAX) + 1],
        missing: vec![("a device".into(), "nothing is drawn".into())],
    }
}
