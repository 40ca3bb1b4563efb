//! Capabilities: the driver's limits and formats, asked once. It must never promise what no file here does.

use crate::conv;
use crate::driver::Gl;
use glow::HasContext;
use pipe::{Ability, CALLS, Call, Caps, Format, FormatUse, Limits};

const MAX_TEXTURE_MAX_ANISOTROPY: u32 = 0x84FF;
const MAX_CLIP_DISTANCES: u32 = 0x0D32;
const MAX_DUAL_SOURCE_DRAW_BUFFERS: u32 = 0x88FC;

/// Asks the driver.
pub fn caps(gl: &Gl, robust: bool) -> Caps {
    let f = &gl.features;
    let mut abilities = Ability::OCCLUSION_QUERY
        | Ability::XFB_PRIMITIVES_QUERY
        | Ability::DRIVER_ORDERED_XFB_CAPTURE
        | Ability::RESIDENT_SUBDATA;
    abilities.set(Ability::VIEWPORT_ARRAY, f.viewport_array);
    abilities.set(Ability::ROBUST_ACCESS, robust);
    abilities.set(Ability::TIMER_QUERY, f.timer_query);
    abilities.set(Ability::TEXTURE_VIEW, f.texture_view);
    let mut calls = CALLS
        .iter()
        .fold(0_u128, |mask, row| mask | 1 << row.opcode);
    for call in [Call::map_persistent, Call::unmap_persistent] {
        calls &= !(1 << call as u16);
    }
    let mut formats = vec![FormatUse::empty(); Format::COUNT];
    for format in Format::ALL {
        formats[*format as usize] = conv::usage(*format, f);
    }
    // SAFETY: GL rule 1.
    let string = |name| unsafe { gl.get_parameter_string(name) };
    Caps {
        backend: "gles",
        device: string(glow::RENDERER),
        driver: string(glow::VERSION),
        limits: limits(gl),
        abilities,
        calls,
        formats,
        missing: f.missing(),
    }
}

fn limits(gl: &Gl) -> Limits {
    let get = |name: u32| {
        // SAFETY: GL rule 1; every name is a single integer of ES 3.2 or of a feature that was tested.
        unsafe { gl.get_parameter_i32(name) }.max(0) as u32
    };
    let pair = |name: u32| {
        let mut v = [0.0; 2];
        // SAFETY: GL rule 1; these are pairs.
        unsafe { gl.get_parameter_f32_slice(name, &mut v) };
        v
    };
    let mut viewport = [0; 2];
    // SAFETY: GL rule 1; a pair.
    unsafe { gl.get_parameter_i32_slice(glow::MAX_VIEWPORT_DIMS, &mut viewport) };
    let f = &gl.features;
    Limits {
        max_texture_size: get(glow::MAX_TEXTURE_SIZE),
        max_3d_texture_size: get(glow::MAX_3D_TEXTURE_SIZE),
        max_cube_map_texture_size: get(glow::MAX_CUBE_MAP_TEXTURE_SIZE),
        max_array_texture_layers: get(glow::MAX_ARRAY_TEXTURE_LAYERS),
        max_texture_buffer_size: get(glow::MAX_TEXTURE_BUFFER_SIZE),
        max_renderbuffer_size: get(glow::MAX_RENDERBUFFER_SIZE),
        max_viewport_dims: viewport.map(|v| v.max(0) as u32),
        max_color_attachments: get(glow::MAX_COLOR_ATTACHMENTS).min(8),
        max_draw_buffers: get(glow::MAX_DRAW_BUFFERS).min(8),
        max_dual_source_draw_buffers: if f.dual_source {
            get(MAX_DUAL_SOURCE_DRAW_BUFFERS)
        } else {
            0
        },
        max_samples: get(glow::MAX_SAMPLES),
        sample_counts: sample_counts(gl),
        // One block of each stage is the default block.
        max_vertex_uniform_blocks: get(glow::MAX_VERTEX_UNIFORM_BLOCKS).saturating_sub(1),
        max_fragment_uniform_blocks: get(glow::MAX_FRAGMENT_UNIFORM_BLOCKS).saturating_sub(1),
        max_combined_uniform_blocks: get(glow::MAX_COMBINED_UNIFORM_BLOCKS).saturating_sub(1),
        max_uniform_buffer_bindings: get(glow::MAX_UNIFORM_BUFFER_BINDINGS),
        max_uniform_block_size: get(glow::MAX_UNIFORM_BLOCK_SIZE),
        uniform_buffer_offset_alignment: get(glow::UNIFORM_BUFFER_OFFSET_ALIGNMENT),
        shader_storage_buffer_offset_alignment: get(glow::SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT),
        texture_buffer_offset_alignment: get(glow::TEXTURE_BUFFER_OFFSET_ALIGNMENT),
        max_vertex_texture_image_units: get(glow::MAX_VERTEX_TEXTURE_IMAGE_UNITS),
        max_texture_image_units: get(glow::MAX_TEXTURE_IMAGE_UNITS),
        // One unit is for uploads.
        max_combined_texture_image_units: get(glow::MAX_COMBINED_TEXTURE_IMAGE_UNITS) - 1,
        max_varying_vectors: get(glow::MAX_VARYING_VECTORS),
        max_texture_lod_bias: 0.0,
        max_texture_max_anisotropy: if f.anisotropy {
            // SAFETY: GL rule 1; the feature was tested.
            unsafe { gl.get_parameter_f32(MAX_TEXTURE_MAX_ANISOTROPY) }
        } else {
            1.0
        },
        aliased_line_width_range: pair(glow::ALIASED_LINE_WIDTH_RANGE),
        point_size_range: pair(glow::ALIASED_POINT_SIZE_RANGE),
        point_size_granularity: 1.0,
        subpixel_bits: get(glow::SUBPIXEL_BITS),
        max_elements_vertices: get(glow::MAX_ELEMENTS_VERTICES),
        max_elements_indices: get(glow::MAX_ELEMENTS_INDICES),
        max_clip_distances: if f.clip_distance {
            get(MAX_CLIP_DISTANCES)
        } else {
            0
        },
        timestamp_bits: if f.timer_query { 64 } else { 0 },
    }
}

/// As [`Limits::sample_counts`], of RGBA8 renderbuffers: ES has one answer per format, GL's limits have one for all.
fn sample_counts(gl: &Gl) -> u32 {
    let mut counts = [0; 8];
    // SAFETY: GL rule 1; the driver writes at most as many numbers as the slice has.
    unsafe {
        gl.get_internal_format_i32_slice(
            glow::RENDERBUFFER,
            glow::RGBA8,
            glow::SAMPLES,
            &mut counts,
        );
    }
    let powers = counts
        .into_iter()
        .filter_map(|count| u32::try_from(count).ok())
        .filter(|count| count.is_power_of_two());
    powers.fold(0, |mask, count| mask | 1 << count.ilog2())
}
