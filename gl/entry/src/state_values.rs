//! The values that glGet answers: one row per parameter (GL 4.6 chapter 23). It changes nothing and converts nothing.

use crate::cx::Cx;
use crate::extensions::advertised;
use crate::limits;
use gl_enums::*;
use gl_state::buffer_bindings::{BufferTarget, IndexedTarget};
use gl_state::texture::{LevelImage, SamplerParams, Texture};
use gl_state::texture_units::target_index;
use gl_state::texture_views::layers_of;
use gl_state::{Profile, debug};
use pipe::formats::{BaseFormat, Component};
use pipe::pixels::PixelStore;
use pipe::{BufferClass, BufferId, Target};
use smallvec::{SmallVec, smallvec};

/// A value with the type that conversions start from (GL 4.6 §2.2.2).
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Bool(SmallVec<[bool; 4]>),
    Int(SmallVec<[i64; 4]>),
    Float(SmallVec<[f64; 4]>),
    /// Floating-point values that become integers as if 1.0 were the largest one: colours, depths.
    Normalized(SmallVec<[f64; 4]>),
    /// The GL's time, which only the executing side knows: GL_TIMESTAMP.
    Now,
}

impl Value {
    fn int(value: impl Into<i64>) -> Self {
        Self::Int(smallvec![value.into()])
    }

    fn bool(value: bool) -> Self {
        Self::Bool(smallvec![value])
    }

    fn float(value: impl Into<f64>) -> Self {
        Self::Float(smallvec![value.into()])
    }

    fn ints<T: Into<i64>>(values: impl IntoIterator<Item = T>) -> Self {
        Self::Int(values.into_iter().map(Into::into).collect())
    }

    fn floats<T: Into<f64>>(values: impl IntoIterator<Item = T>) -> Self {
        Self::Float(values.into_iter().map(Into::into).collect())
    }

    fn colors<T: Into<f64>>(values: impl IntoIterator<Item = T>) -> Self {
        Self::Normalized(values.into_iter().map(Into::into).collect())
    }
}

/// Name of a buffer; 0 for none.
fn buffer_name(cx: &Cx<'_>, id: BufferId) -> Value {
    Value::int(cx.objects.buffers.get(id).map_or(0, |buffer| buffer.name))
}

fn buffer(cx: &Cx<'_>, target: BufferTarget) -> Value {
    buffer_name(cx, cx.ctx.buffers.get(target))
}

fn texture(cx: &Cx<'_>, unit: usize, target: Target) -> Value {
    let id = cx.ctx.textures.units[unit].textures[target_index(target)];
    Value::int(
        cx.objects
            .textures
            .get(id)
            .map_or(0, |texture| texture.name),
    )
}

fn sampler(cx: &Cx<'_>, unit: usize) -> Value {
    let id = cx.ctx.textures.units[unit].sampler;
    Value::int(
        cx.objects
            .samplers
            .get(id)
            .map_or(0, |sampler| sampler.name),
    )
}

/// Names of a texture binding's query and its target.
fn binding_target(pname: GLenum) -> Option<Target> {
    Some(match pname {
        GL_TEXTURE_BINDING_1D => Target::Texture1D,
        GL_TEXTURE_BINDING_2D => Target::Texture2D,
        GL_TEXTURE_BINDING_3D => Target::Texture3D,
        GL_TEXTURE_BINDING_CUBE_MAP => Target::TextureCube,
        GL_TEXTURE_BINDING_RECTANGLE => Target::TextureRectangle,
        GL_TEXTURE_BINDING_1D_ARRAY => Target::Texture1DArray,
        GL_TEXTURE_BINDING_2D_ARRAY => Target::Texture2DArray,
        GL_TEXTURE_BINDING_BUFFER => Target::TextureBuffer,
        GL_TEXTURE_BINDING_2D_MULTISAMPLE => Target::Texture2DMultisample,
        GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY => Target::Texture2DMultisampleArray,
        _ => return None,
    })
}

fn pixel_store(cx: &Cx<'_>, pname: GLenum) -> Option<Value> {
    let (pack, unpack) = (&cx.ctx.pixel_store.pack, &cx.ctx.pixel_store.unpack);
    let flag = |value: u8| Some(Value::bool(value != 0));
    let int = |value: u32| Some(Value::int(value));
    let _: &PixelStore = pack;
    match pname {
        GL_PACK_SWAP_BYTES => flag(pack.swap_bytes),
        GL_PACK_LSB_FIRST => flag(pack.lsb_first),
        GL_PACK_ROW_LENGTH => int(pack.row_length),
        GL_PACK_IMAGE_HEIGHT => int(pack.image_height),
        GL_PACK_SKIP_ROWS => int(pack.skip_rows),
        GL_PACK_SKIP_PIXELS => int(pack.skip_pixels),
        GL_PACK_SKIP_IMAGES => int(pack.skip_images),
        GL_PACK_ALIGNMENT => int(pack.alignment),
        GL_UNPACK_SWAP_BYTES => flag(unpack.swap_bytes),
        GL_UNPACK_LSB_FIRST => flag(unpack.lsb_first),
        GL_UNPACK_ROW_LENGTH => int(unpack.row_length),
        GL_UNPACK_IMAGE_HEIGHT => int(unpack.image_height),
        GL_UNPACK_SKIP_ROWS => int(unpack.skip_rows),
        GL_UNPACK_SKIP_PIXELS => int(unpack.skip_pixels),
        GL_UNPACK_SKIP_IMAGES => int(unpack.skip_images),
        GL_UNPACK_ALIGNMENT => int(unpack.alignment),
        _ => None,
    }
}

fn bindings(cx: &Cx<'_>, pname: GLenum) -> Option<Value> {
    use BufferTarget as T;
    let ctx = &*cx.ctx;
    Some(match pname {
        GL_ARRAY_BUFFER_BINDING => buffer(cx, T::Array),
        GL_ELEMENT_ARRAY_BUFFER_BINDING => buffer_name(cx, ctx.vertex_array().index_buffer),
        GL_PIXEL_PACK_BUFFER_BINDING => buffer(cx, T::PixelPack),
        GL_PIXEL_UNPACK_BUFFER_BINDING => buffer(cx, T::PixelUnpack),
        GL_COPY_READ_BUFFER_BINDING => buffer(cx, T::CopyRead),
        GL_COPY_WRITE_BUFFER_BINDING => buffer(cx, T::CopyWrite),
        GL_UNIFORM_BUFFER_BINDING => buffer(cx, T::Uniform),
        GL_TRANSFORM_FEEDBACK_BUFFER_BINDING => buffer(cx, T::TransformFeedback),
        // GL 4.6 §8.9: TEXTURE_BUFFER and TEXTURE_BUFFER_BINDING are one value.
        GL_TEXTURE_BUFFER_BINDING => buffer(cx, T::Texture),
        // ARB_texture_buffer_object, "New State": of the texture that is bound to the active unit.
        GL_TEXTURE_BUFFER_FORMAT_ARB => {
            let units = &ctx.textures;
            let id =
                units.units[units.active as usize].textures[target_index(Target::TextureBuffer)];
            let bound = cx.objects.textures.get(id);
            let image = bound.and_then(|texture| texture.level_image(0, 0));
            let initial = match ctx.profile {
                Profile::Core => GL_R8,
                Profile::Compatibility => GL_LUMINANCE8,
            };
            Value::int(image.map_or(initial, |image| image.internal_format))
        }
        GL_VERTEX_ARRAY_BINDING => Value::int(ctx.vertex_array().name),
        GL_DRAW_FRAMEBUFFER_BINDING => Value::int(ctx.draw_framebuffer().name),
        GL_READ_FRAMEBUFFER_BINDING => Value::int(ctx.read_framebuffer().name),
        GL_RENDERBUFFER_BINDING => {
            let bound = cx.objects.renderbuffers.get(ctx.framebuffers.renderbuffer);
            Value::int(bound.map_or(0, |renderbuffer| renderbuffer.name))
        }
        GL_CURRENT_PROGRAM => {
            let program = cx.objects.programs.get(ctx.program);
            Value::int(program.map_or(0, |program| program.name))
        }
        GL_ACTIVE_TEXTURE => Value::int(GL_TEXTURE0 + ctx.textures.active),
        GL_SAMPLER_BINDING => sampler(cx, ctx.textures.active as usize),
        GL_TRANSFORM_FEEDBACK_BINDING if ctx.version >= (4, 0) => Value::int(0),
        GL_PROGRAM_PIPELINE_BINDING if ctx.version >= (4, 1) => Value::int(0),
        _ => texture(cx, ctx.textures.active as usize, binding_target(pname)?),
    })
}

fn render_state(cx: &Cx<'_>, pname: GLenum) -> Option<Value> {
    let ctx = &*cx.ctx;
    let s = ctx.render_state.values();
    let blend = &s.blend.targets[0];
    let (ds, raster) = (&s.depth_stencil, &s.raster);
    let mask = |mask: u8| Value::Bool((0..4).map(|i| mask & (1 << i) != 0).collect());
    Some(match pname {
        GL_BLEND_SRC | GL_BLEND_SRC_RGB => Value::int(blend.src_rgb),
        GL_BLEND_DST | GL_BLEND_DST_RGB => Value::int(blend.dst_rgb),
        GL_BLEND_SRC_ALPHA => Value::int(blend.src_alpha),
        GL_BLEND_DST_ALPHA => Value::int(blend.dst_alpha),
        GL_BLEND_EQUATION_RGB => Value::int(blend.equation_rgb),
        GL_BLEND_EQUATION_ALPHA => Value::int(blend.equation_alpha),
        GL_BLEND_COLOR => Value::colors(s.blend_color.rgba),
        GL_COLOR_WRITEMASK => mask(s.blend.color_masks[0]),
        GL_LOGIC_OP_MODE => Value::int(s.blend.logic_op),
        GL_DEPTH_FUNC => Value::int(ds.depth_func),
        GL_DEPTH_WRITEMASK => Value::bool(ds.depth_write != 0),
        GL_DEPTH_CLEAR_VALUE => Value::colors([s.clear_values.depth]),
        GL_DEPTH_RANGE => {
            let range = s.depth_ranges.ranges[0];
            Value::colors([range.near, range.far])
        }
        GL_STENCIL_FUNC => Value::int(ds.front.func),
        GL_STENCIL_FAIL => Value::int(ds.front.fail),
        GL_STENCIL_PASS_DEPTH_FAIL => Value::int(ds.front.depth_fail),
        GL_STENCIL_PASS_DEPTH_PASS => Value::int(ds.front.depth_pass),
        GL_STENCIL_BACK_FUNC => Value::int(ds.back.func),
        GL_STENCIL_BACK_FAIL => Value::int(ds.back.fail),
        GL_STENCIL_BACK_PASS_DEPTH_FAIL => Value::int(ds.back.depth_fail),
        GL_STENCIL_BACK_PASS_DEPTH_PASS => Value::int(ds.back.depth_pass),
        GL_STENCIL_REF => Value::int(s.stencil_ref.front_ref),
        GL_STENCIL_BACK_REF => Value::int(s.stencil_ref.back_ref),
        GL_STENCIL_VALUE_MASK => Value::int(s.stencil_ref.front_value_mask),
        GL_STENCIL_BACK_VALUE_MASK => Value::int(s.stencil_ref.back_value_mask),
        GL_STENCIL_WRITEMASK => Value::int(s.stencil_ref.front_write_mask),
        GL_STENCIL_BACK_WRITEMASK => Value::int(s.stencil_ref.back_write_mask),
        GL_STENCIL_CLEAR_VALUE => Value::int(s.clear_values.stencil),
        GL_COLOR_CLEAR_VALUE => match s.clear_values.color_kind {
            0 => Value::colors(s.clear_values.color.map(f32::from_bits)),
            1 => Value::ints(s.clear_values.color.map(u32::cast_signed)),
            _ => Value::ints(s.clear_values.color),
        },
        GL_CLAMP_READ_COLOR => Value::int(match s.clear_values.clamp_read_color {
            0 => 0,
            1 => 1,
            _ => GL_FIXED_ONLY,
        }),
        GL_CULL_FACE_MODE => Value::int(raster.cull_face),
        GL_FRONT_FACE => Value::int(raster.front_face),
        GL_POLYGON_MODE => Value::ints([raster.polygon_mode_front, raster.polygon_mode_back]),
        GL_PROVOKING_VERTEX => Value::int(raster.provoking_vertex),
        GL_POINT_SPRITE_COORD_ORIGIN => Value::int(raster.point_sprite_origin),
        GL_LINE_WIDTH => Value::float(s.primitive.line_width),
        GL_POINT_SIZE => Value::float(s.primitive.point_size),
        GL_POINT_FADE_THRESHOLD_SIZE => Value::float(s.primitive.point_fade_threshold),
        GL_POLYGON_OFFSET_FACTOR => Value::float(s.primitive.polygon_offset_factor),
        GL_POLYGON_OFFSET_UNITS => Value::float(s.primitive.polygon_offset_units),
        GL_PRIMITIVE_RESTART_INDEX => Value::int(s.primitive.restart_index),
        GL_SAMPLE_COVERAGE_VALUE => Value::float(s.coverage.value),
        GL_SAMPLE_COVERAGE_INVERT => Value::bool(s.coverage.invert != 0),
        GL_VIEWPORT => {
            let v = s.viewports.rects[0];
            Value::floats([v.x, v.y, v.width, v.height])
        }
        GL_SCISSOR_BOX => {
            let r = s.scissors.rects[0];
            Value::ints([r.x, r.y, r.width, r.height])
        }
        GL_LINE_SMOOTH_HINT => Value::int(s.hints.line_smooth),
        GL_POLYGON_SMOOTH_HINT => Value::int(s.hints.polygon_smooth),
        GL_TEXTURE_COMPRESSION_HINT => Value::int(s.hints.texture_compression),
        GL_FRAGMENT_SHADER_DERIVATIVE_HINT => Value::int(s.hints.fragment_derivative),
        GL_PATCH_VERTICES if ctx.version >= (4, 0) => Value::int(ctx.patch.vertices),
        GL_PATCH_DEFAULT_OUTER_LEVEL if ctx.version >= (4, 0) => Value::floats(ctx.patch.outer),
        GL_PATCH_DEFAULT_INNER_LEVEL if ctx.version >= (4, 0) => Value::floats(ctx.patch.inner),
        _ => return None,
    })
}

/// Compressed formats for general use: EXT_texture_compression_s3tc lists these three (RGTC and BPTC are special-purpose and stay out:
/// ARB_texture_compression_rgtc, "New State"; so does DXT1 with alpha).
const COMPRESSED_FORMATS: [GLenum; 3] = [
    GL_COMPRESSED_RGB_S3TC_DXT1_EXT,
    GL_COMPRESSED_RGBA_S3TC_DXT3_EXT,
    GL_COMPRESSED_RGBA_S3TC_DXT5_EXT,
];

fn framebuffer(cx: &Cx<'_>, pname: GLenum) -> Option<Value> {
    let ctx = &*cx.ctx;
    let (draw, read) = (ctx.draw_framebuffer(), ctx.read_framebuffer());
    let drawable = ctx.framebuffers.draw_drawable;
    Some(match pname {
        GL_DRAW_BUFFER => Value::int(draw.draw_buffer_enums[0]),
        GL_DRAW_BUFFER0..=GL_DRAW_BUFFER7 => {
            Value::int(draw.draw_buffer_enums[(pname - GL_DRAW_BUFFER0) as usize])
        }
        GL_READ_BUFFER => Value::int(read.read_buffer_enum),
        GL_SAMPLES | GL_SAMPLE_BUFFERS => {
            let facts = ctx.framebuffer_facts(ctx.framebuffers.draw, cx.objects);
            let samples = facts.samples;
            if pname == GL_SAMPLES {
                Value::int(samples)
            } else {
                Value::int(u32::from(samples > 0))
            }
        }
        // EXT_texture_integer, "New State": whether the buffers that colours go to hold integers.
        GL_RGBA_INTEGER_MODE_EXT => {
            let formats = draw
                .draw_buffers
                .iter()
                .flatten()
                .filter_map(|at| match draw.name {
                    0 => drawable.map(|d| d.color),
                    _ => Some(draw.color[usize::from(*at)].facts(cx.objects)?.format),
                });
            Value::bool(formats.into_iter().any(|format| format.info().is_integer()))
        }
        GL_DOUBLEBUFFER => Value::bool(drawable.is_some_and(|d| d.double_buffered)),
        GL_STEREO => Value::bool(false),
        // GL 4.6 §18.2.2: what glReadPixels of the read buffer does best.
        GL_IMPLEMENTATION_COLOR_READ_FORMAT | GL_IMPLEMENTATION_COLOR_READ_TYPE => {
            let format = match read.name {
                0 => ctx.framebuffers.read_drawable.map(|d| d.color),
                _ => read
                    .read_buffer
                    .and_then(|at| read.color[usize::from(at)].facts(cx.objects))
                    .map(|facts| facts.format),
            };
            let storage = format.unwrap_or(pipe::Format::Rgba8).info().storage;
            Value::int(if pname == GL_IMPLEMENTATION_COLOR_READ_FORMAT {
                storage.format.gl()
            } else {
                storage.ty.gl()
            })
        }
        GL_RED_BITS | GL_GREEN_BITS | GL_BLUE_BITS | GL_ALPHA_BITS | GL_DEPTH_BITS
        | GL_STENCIL_BITS
            if ctx.profile == Profile::Compatibility =>
        {
            let (color, depth) =
                drawable.map_or_else(Default::default, |d| (d.color, d.depth_stencil));
            let bits = color.info().color_bits;
            Value::int(match pname {
                GL_RED_BITS => bits[0],
                GL_GREEN_BITS => bits[1],
                GL_BLUE_BITS => bits[2],
                GL_ALPHA_BITS => bits[3],
                GL_DEPTH_BITS => depth.info().depth_bits,
                _ => depth.info().stencil_bits,
            })
        }
        _ => return None,
    })
}

fn context(cx: &Cx<'_>, pname: GLenum) -> Option<Value> {
    let ctx = &*cx.ctx;
    let d = &ctx.debug;
    Some(match pname {
        GL_MAJOR_VERSION => Value::int(ctx.version.0),
        GL_MINOR_VERSION => Value::int(ctx.version.1),
        GL_CONTEXT_FLAGS => {
            let flag = |on: bool, bit: GLbitfield| if on { bit } else { 0 };
            Value::int(
                flag(
                    ctx.forward_compatible,
                    GL_CONTEXT_FLAG_FORWARD_COMPATIBLE_BIT,
                ) | flag(ctx.debug_context, GL_CONTEXT_FLAG_DEBUG_BIT)
                    | flag(ctx.robust_access, GL_CONTEXT_FLAG_ROBUST_ACCESS_BIT)
                    | flag(ctx.no_error, GL_CONTEXT_FLAG_NO_ERROR_BIT),
            )
        }
        GL_CONTEXT_PROFILE_MASK if ctx.version >= (3, 2) => Value::int(match ctx.profile {
            Profile::Core => GL_CONTEXT_CORE_PROFILE_BIT,
            Profile::Compatibility => GL_CONTEXT_COMPATIBILITY_PROFILE_BIT,
        }),
        GL_CONTEXT_ROBUST_ACCESS => Value::bool(ctx.robust_access),
        GL_RESET_NOTIFICATION_STRATEGY => Value::int(if ctx.lose_context_on_reset {
            GL_LOSE_CONTEXT_ON_RESET
        } else {
            GL_NO_RESET_NOTIFICATION
        }),
        GL_NUM_EXTENSIONS => Value::int(advertised(cx.ctx).count() as u32),
        GL_NUM_SHADING_LANGUAGE_VERSIONS if ctx.version >= (4, 3) => Value::int(0),
        GL_NUM_COMPRESSED_TEXTURE_FORMATS => Value::int(COMPRESSED_FORMATS.len() as u32),
        GL_COMPRESSED_TEXTURE_FORMATS => Value::ints(COMPRESSED_FORMATS),
        GL_NUM_PROGRAM_BINARY_FORMATS => Value::int(1),
        GL_PROGRAM_BINARY_FORMATS => Value::ints([crate::program_binary::FORMAT]),
        GL_NUM_SHADER_BINARY_FORMATS => Value::int(0),
        GL_SHADER_BINARY_FORMATS => Value::ints([0u32; 0]),
        GL_SHADER_COMPILER => Value::bool(true),
        GL_DEBUG_OUTPUT => Value::bool(d.output),
        GL_DEBUG_OUTPUT_SYNCHRONOUS => Value::bool(d.synchronous),
        GL_DEBUG_LOGGED_MESSAGES => Value::int(d.log.len() as u32),
        GL_DEBUG_NEXT_LOGGED_MESSAGE_LENGTH => {
            Value::int(d.log.front().map_or(0, |m| m.text.len() as u32 + 1))
        }
        GL_DEBUG_GROUP_STACK_DEPTH => Value::int(d.groups.len() as u32),
        GL_MAX_DEBUG_LOGGED_MESSAGES => Value::int(debug::MAX_LOGGED as u32),
        GL_MAX_DEBUG_MESSAGE_LENGTH => Value::int(debug::MAX_MESSAGE as u32),
        GL_MAX_DEBUG_GROUP_STACK_DEPTH => Value::int(debug::MAX_GROUPS as u32),
        GL_MAX_LABEL_LENGTH => Value::int(debug::MAX_LABEL as u32),
        _ => return None,
    })
}

/// Limits (GL 4.6 tables 23.53 to 23.72; 3.3 core tables 6.46 to 6.58).
fn limit(cx: &Cx<'_>, pname: GLenum) -> Option<Value> {
    let caps = &*cx.ctx.caps;
    let l = &caps.limits;
    let units = limits::combined_texture_units(caps);
    // Components of the default uniform block: no device says; its block is a uniform buffer.
    let components = (l.max_uniform_block_size / 4).min(4096);
    let combined = |blocks: u32| {
        i64::from(blocks) * i64::from(l.max_uniform_block_size / 4) + i64::from(components)
    };
    Some(match pname {
        GL_MAX_TEXTURE_SIZE => Value::int(limits::texture_size(caps)),
        GL_MAX_RECTANGLE_TEXTURE_SIZE => Value::int(limits::texture_size(caps)),
        GL_MAX_3D_TEXTURE_SIZE => Value::int(l.max_3d_texture_size),
        GL_MAX_CUBE_MAP_TEXTURE_SIZE => Value::int(l.max_cube_map_texture_size),
        GL_MAX_ARRAY_TEXTURE_LAYERS => Value::int(l.max_array_texture_layers),
        GL_MAX_TEXTURE_BUFFER_SIZE => Value::int(l.max_texture_buffer_size),
        GL_MAX_RENDERBUFFER_SIZE => Value::int(l.max_renderbuffer_size),
        GL_MAX_VIEWPORT_DIMS => Value::ints(l.max_viewport_dims),
        GL_MAX_TEXTURE_LOD_BIAS => Value::float(l.max_texture_lod_bias),
        GL_MAX_TEXTURE_MAX_ANISOTROPY if l.max_texture_max_anisotropy > 1.0 => {
            Value::float(l.max_texture_max_anisotropy)
        }
        GL_MAX_COLOR_ATTACHMENTS => Value::int(limits::color_attachments(caps)),
        GL_MAX_DRAW_BUFFERS => Value::int(limits::draw_buffers(caps)),
        GL_MAX_DUAL_SOURCE_DRAW_BUFFERS => Value::int(l.max_dual_source_draw_buffers),
        GL_MAX_SAMPLES | GL_MAX_COLOR_TEXTURE_SAMPLES | GL_MAX_DEPTH_TEXTURE_SAMPLES => {
            Value::int(l.max_samples)
        }
        // GL 4.6 table 23.66: at least one; integer formats are rarely multisampled.
        GL_MAX_INTEGER_SAMPLES => Value::int(1),
        GL_MAX_SAMPLE_MASK_WORDS => Value::int(1),
        GL_MAX_SERVER_WAIT_TIMEOUT => Value::int(i64::MAX),
        GL_MAX_ELEMENTS_VERTICES => Value::int(l.max_elements_vertices),
        GL_MAX_ELEMENTS_INDICES => Value::int(l.max_elements_indices),
        GL_MAX_ELEMENT_INDEX if cx.ctx.version >= (4, 3) => Value::int(u32::MAX),
        GL_SUBPIXEL_BITS => Value::int(l.subpixel_bits),
        GL_MAX_CLIP_DISTANCES => Value::int(l.max_clip_distances),
        GL_POINT_SIZE_RANGE => Value::floats(l.point_size_range),
        GL_POINT_SIZE_GRANULARITY => Value::float(l.point_size_granularity),
        GL_ALIASED_LINE_WIDTH_RANGE | GL_SMOOTH_LINE_WIDTH_RANGE => {
            Value::floats(l.aliased_line_width_range)
        }
        GL_ALIASED_POINT_SIZE_RANGE if cx.ctx.profile == Profile::Compatibility => {
            Value::floats(l.point_size_range)
        }
        GL_SMOOTH_LINE_WIDTH_GRANULARITY => Value::float(0.125),
        GL_MAX_VERTEX_ATTRIBS => Value::int(pipe::MAX_VERTEX_ATTRIBS as u32),
        GL_MAX_VERTEX_ATTRIB_BINDINGS => Value::int(pipe::MAX_VERTEX_ATTRIBS as u32),
        GL_MAX_VERTEX_ATTRIB_RELATIVE_OFFSET => Value::int(2047),
        GL_MAX_VERTEX_ATTRIB_STRIDE if cx.ctx.version >= (4, 4) => Value::int(2048),
        GL_MAX_VERTEX_UNIFORM_COMPONENTS
        | GL_MAX_GEOMETRY_UNIFORM_COMPONENTS
        | GL_MAX_FRAGMENT_UNIFORM_COMPONENTS => Value::int(components),
        GL_MAX_VERTEX_UNIFORM_VECTORS | GL_MAX_FRAGMENT_UNIFORM_VECTORS => {
            Value::int(components / 4)
        }
        GL_MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS => {
            Value::int(combined(l.max_vertex_uniform_blocks))
        }
        GL_MAX_COMBINED_GEOMETRY_UNIFORM_COMPONENTS => {
            Value::int(combined(l.max_vertex_uniform_blocks))
        }
        GL_MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS => {
            Value::int(combined(l.max_fragment_uniform_blocks))
        }
        GL_MAX_VERTEX_UNIFORM_BLOCKS | GL_MAX_GEOMETRY_UNIFORM_BLOCKS => {
            Value::int(l.max_vertex_uniform_blocks)
        }
        GL_MAX_FRAGMENT_UNIFORM_BLOCKS => Value::int(l.max_fragment_uniform_blocks),
        GL_MAX_COMBINED_UNIFORM_BLOCKS => Value::int(l.max_combined_uniform_blocks),
        GL_MAX_UNIFORM_BUFFER_BINDINGS => Value::int(limits::uniform_buffer_bindings(caps)),
        GL_MAX_UNIFORM_BLOCK_SIZE => Value::int(l.max_uniform_block_size),
        GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT => Value::int(l.uniform_buffer_offset_alignment),
        GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT => Value::int(l.texture_buffer_offset_alignment),
        GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS | GL_MAX_GEOMETRY_TEXTURE_IMAGE_UNITS => {
            Value::int(l.max_vertex_texture_image_units.min(units))
        }
        GL_MAX_TEXTURE_IMAGE_UNITS => Value::int(l.max_texture_image_units.min(units)),
        GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS => Value::int(units),
        GL_MAX_VARYING_VECTORS => Value::int(l.max_varying_vectors),
        // One enum with MAX_VARYING_FLOATS.
        GL_MAX_VARYING_COMPONENTS => Value::int(l.max_varying_vectors * 4),
        GL_MAX_VERTEX_OUTPUT_COMPONENTS
        | GL_MAX_GEOMETRY_INPUT_COMPONENTS
        | GL_MAX_GEOMETRY_OUTPUT_COMPONENTS => Value::int((l.max_varying_vectors * 4).max(64)),
        GL_MAX_FRAGMENT_INPUT_COMPONENTS => Value::int((l.max_varying_vectors * 4).max(128)),
        GL_MAX_GEOMETRY_OUTPUT_VERTICES => Value::int(256),
        GL_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS => Value::int(1024),
        GL_MIN_PROGRAM_TEXEL_OFFSET => Value::int(-8),
        GL_MAX_PROGRAM_TEXEL_OFFSET => Value::int(7),
        GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS => Value::int(64),
        GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS => Value::int(pipe::MAX_STREAM_OUTPUTS as u32),
        GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS => Value::int(4),
        GL_MAX_TRANSFORM_FEEDBACK_BUFFERS => Value::int(pipe::MAX_STREAM_OUTPUTS as u32),
        GL_MIN_MAP_BUFFER_ALIGNMENT => Value::int(gl_state::client_bytes::MAP_ALIGNMENT as u32),
        GL_MAX_UNIFORM_LOCATIONS => Value::int(65536),
        GL_MAX_TEXTURE_UNITS if cx.ctx.profile == Profile::Compatibility => {
            Value::int(units.min(8))
        }
        GL_MAX_TEXTURE_COORDS if cx.ctx.profile == Profile::Compatibility => Value::int(8),
        GL_TIMESTAMP => Value::Now,
        _ => return None,
    })
}

/// What glIsEnabled answers (GL 4.6 §2.2.2: glGetBooleanv and its kin answer it as well).
fn capability(cx: &Cx<'_>, pname: GLenum) -> Option<Value> {
    use pipe::CapBits as C;
    let s = cx.ctx.render_state.values();
    let bit = |bit: C| Value::bool(s.caps.bits & bit.bits() != 0);
    Some(match pname {
        GL_BLEND => Value::bool(s.blend.enabled & 1 != 0),
        GL_SCISSOR_TEST => Value::bool(s.scissors.enabled & 1 != 0),
        GL_DEPTH_TEST => bit(C::DEPTH_TEST),
        GL_STENCIL_TEST => bit(C::STENCIL_TEST),
        GL_CULL_FACE => bit(C::CULL_FACE),
        GL_DITHER => bit(C::DITHER),
        GL_POLYGON_OFFSET_FILL => bit(C::POLYGON_OFFSET_FILL),
        GL_POLYGON_OFFSET_LINE => bit(C::POLYGON_OFFSET_LINE),
        GL_POLYGON_OFFSET_POINT => bit(C::POLYGON_OFFSET_POINT),
        GL_MULTISAMPLE => bit(C::MULTISAMPLE),
        GL_SAMPLE_ALPHA_TO_COVERAGE => bit(C::SAMPLE_ALPHA_TO_COVERAGE),
        GL_SAMPLE_ALPHA_TO_ONE => bit(C::SAMPLE_ALPHA_TO_ONE),
        GL_SAMPLE_COVERAGE => bit(C::SAMPLE_COVERAGE),
        GL_SAMPLE_MASK => bit(C::SAMPLE_MASK),
        GL_RASTERIZER_DISCARD => bit(C::RASTERIZER_DISCARD),
        GL_PRIMITIVE_RESTART => bit(C::PRIMITIVE_RESTART),
        GL_PROGRAM_POINT_SIZE => bit(C::PROGRAM_POINT_SIZE),
        GL_LINE_SMOOTH => bit(C::LINE_SMOOTH),
        GL_POLYGON_SMOOTH => bit(C::POLYGON_SMOOTH),
        GL_FRAMEBUFFER_SRGB => bit(C::FRAMEBUFFER_SRGB),
        GL_DEPTH_CLAMP => bit(C::DEPTH_CLAMP),
        GL_COLOR_LOGIC_OP => bit(C::COLOR_LOGIC_OP),
        GL_TEXTURE_CUBE_MAP_SEAMLESS => bit(C::TEXTURE_CUBE_MAP_SEAMLESS),
        GL_CLIP_DISTANCE0..=GL_CLIP_DISTANCE7 => {
            Value::bool(s.caps.clip_distances & (1 << (pname - GL_CLIP_DISTANCE0)) != 0)
        }
        _ => return None,
    })
}

/// The value of a parameter; `None`: there is no such parameter in this context.
pub fn value(cx: &Cx<'_>, pname: GLenum) -> Option<Value> {
    bindings(cx, pname)
        .or_else(|| limit(cx, pname))
        .or_else(|| render_state(cx, pname))
        .or_else(|| framebuffer(cx, pname))
        .or_else(|| context(cx, pname))
        .or_else(|| pixel_store(cx, pname))
        .or_else(|| capability(cx, pname))
}

/// Why there is no indexed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// No such parameter.
    Parameter,
    /// The index is too large.
    Index,
}

/// The value of an indexed parameter (GL 4.6 §22.1).
pub fn indexed(cx: &Cx<'_>, pname: GLenum, index: GLuint) -> Result<Value, NoValue> {
    let at = index as usize;
    let below = |limit: usize| {
        if at < limit {
            Ok(at)
        } else {
            Err(NoValue::Index)
        }
    };
    let s = cx.ctx.render_state.values();
    let draw_buffer = || below(limits::draw_buffers(&cx.ctx.caps) as usize);
    let point = |target: IndexedTarget, limit: usize| {
        below(limit).map(|at| {
            let points = cx.ctx.buffers.points(target);
            points.get(at).copied().unwrap_or_default()
        })
    };
    let uniform = || {
        let limit = limits::uniform_buffer_bindings(&cx.ctx.caps) as usize;
        point(IndexedTarget::Class(BufferClass::Uniform), limit)
    };
    let feedback = || point(IndexedTarget::TransformFeedback, pipe::MAX_STREAM_OUTPUTS);
    // GL 4.6 §6.7.1: sizes are 0 for whole buffers.
    let size = |bytes: u64| {
        Value::int(if bytes == pipe::WHOLE {
            0
        } else {
            bytes as i64
        })
    };
    Ok(match pname {
        GL_UNIFORM_BUFFER_BINDING => buffer_name(cx, uniform()?.buffer),
        GL_UNIFORM_BUFFER_START => Value::int(uniform()?.offset_bytes as i64),
        GL_UNIFORM_BUFFER_SIZE => size(uniform()?.size_bytes),
        GL_TRANSFORM_FEEDBACK_BUFFER_BINDING => buffer_name(cx, feedback()?.buffer),
        GL_TRANSFORM_FEEDBACK_BUFFER_START => Value::int(feedback()?.offset_bytes as i64),
        GL_TRANSFORM_FEEDBACK_BUFFER_SIZE => size(feedback()?.size_bytes),
        GL_SAMPLE_MASK_VALUE => {
            below(1)?;
            Value::int(s.samples.mask)
        }
        GL_COLOR_WRITEMASK => {
            let mask = s.blend.color_masks[draw_buffer()?];
            Value::Bool((0..4).map(|i| mask & (1 << i) != 0).collect())
        }
        GL_BLEND => Value::bool(s.blend.enabled & (1 << draw_buffer()?) != 0),
        GL_BLEND_SRC_RGB => Value::int(s.blend.targets[draw_buffer()?].src_rgb),
        GL_BLEND_SRC_ALPHA => Value::int(s.blend.targets[draw_buffer()?].src_alpha),
        GL_BLEND_DST_RGB => Value::int(s.blend.targets[draw_buffer()?].dst_rgb),
        GL_BLEND_DST_ALPHA => Value::int(s.blend.targets[draw_buffer()?].dst_alpha),
        GL_BLEND_EQUATION_RGB => Value::int(s.blend.targets[draw_buffer()?].equation_rgb),
        GL_BLEND_EQUATION_ALPHA => Value::int(s.blend.targets[draw_buffer()?].equation_alpha),
        GL_VERTEX_BINDING_OFFSET => {
            let at = below(pipe::MAX_VERTEX_ATTRIBS)?;
            Value::int(cx.ctx.vertex_array().bindings[at].offset_bytes as i64)
        }
        GL_VERTEX_BINDING_STRIDE => {
            let at = below(pipe::MAX_VERTEX_ATTRIBS)?;
            Value::int(cx.ctx.vertex_array().bindings[at].layout.stride_bytes)
        }
        GL_VERTEX_BINDING_DIVISOR => {
            let at = below(pipe::MAX_VERTEX_ATTRIBS)?;
            Value::int(cx.ctx.vertex_array().bindings[at].layout.divisor)
        }
        GL_VERTEX_BINDING_BUFFER => {
            let at = below(pipe::MAX_VERTEX_ATTRIBS)?;
            buffer_name(cx, cx.ctx.vertex_array().bindings[at].buffer)
        }
        GL_SAMPLER_BINDING => {
            let at = below(limits::combined_texture_units(&cx.ctx.caps) as usize)?;
            sampler(cx, at)
        }
        _ => {
            let target = binding_target(pname).ok_or(NoValue::Parameter)?;
            let at = below(limits::combined_texture_units(&cx.ctx.caps) as usize)?;
            texture(cx, at, target)
        }
    })
}

/// A parameter of a sampler, of an object's or of a texture's own.
pub fn sampler_param(params: &SamplerParams, pname: GLenum) -> Option<Value> {
    Some(match pname {
        GL_TEXTURE_WRAP_S => Value::int(params.wrap[0]),
        GL_TEXTURE_WRAP_T => Value::int(params.wrap[1]),
        GL_TEXTURE_WRAP_R => Value::int(params.wrap[2]),
        GL_TEXTURE_MIN_FILTER => Value::int(params.min_filter),
        GL_TEXTURE_MAG_FILTER => Value::int(params.mag_filter),
        GL_TEXTURE_MIN_LOD => Value::float(params.min_lod),
        GL_TEXTURE_MAX_LOD => Value::float(params.max_lod),
        GL_TEXTURE_LOD_BIAS => Value::float(params.lod_bias),
        GL_TEXTURE_COMPARE_MODE => Value::int(params.compare_mode),
        GL_TEXTURE_COMPARE_FUNC => Value::int(params.compare_func),
        GL_TEXTURE_MAX_ANISOTROPY => Value::float(params.max_anisotropy),
        GL_TEXTURE_BORDER_COLOR => match params.border_form {
            0 => Value::colors(params.border_color.map(f32::from_bits)),
            1 => Value::ints(params.border_color.map(|bits| bits as i32)),
            _ => Value::ints(params.border_color),
        },
        _ => return None,
    })
}

/// A parameter of a texture (GL 4.6 table 8.17 and §8.11.3).
pub fn texture_param(texture: &Texture, pname: GLenum) -> Option<Value> {
    Some(match pname {
        GL_TEXTURE_BASE_LEVEL => Value::int(texture.base_level),
        GL_TEXTURE_MAX_LEVEL => Value::int(texture.max_level),
        GL_TEXTURE_SWIZZLE_R..=GL_TEXTURE_SWIZZLE_A => {
            Value::int(texture.swizzle[(pname - GL_TEXTURE_SWIZZLE_R) as usize])
        }
        GL_TEXTURE_SWIZZLE_RGBA => Value::ints(texture.swizzle),
        GL_DEPTH_STENCIL_TEXTURE_MODE => Value::int(texture.depth_stencil_mode),
        GL_TEXTURE_IMMUTABLE_FORMAT => Value::bool(texture.immutable_levels != 0),
        GL_TEXTURE_IMMUTABLE_LEVELS => Value::int(texture.storage_levels),
        // GL 4.6 §8.18 and §8.19: of textures without immutable storage all four are zero.
        GL_TEXTURE_VIEW_MIN_LEVEL => Value::int(texture.view_min_level),
        GL_TEXTURE_VIEW_NUM_LEVELS => Value::int(texture.immutable_levels),
        GL_TEXTURE_VIEW_MIN_LAYER => Value::int(texture.view_min_layer),
        GL_TEXTURE_VIEW_NUM_LAYERS => Value::int(match texture.immutable_levels {
            0 => 0,
            _ => layers_of(texture),
        }),
        _ => return sampler_param(&texture.sampler, pname),
    })
}

/// A parameter of one image of a texture (GL 4.6 §8.11.3). An image that does not exist is all zeros.
pub fn image_param(
    image: &LevelImage,
    samples: u32,
    fixed_sample_locations: bool,
    pname: GLenum,
) -> Option<Value> {
    let info = image.format.info();
    let component = |bits: u8| {
        // GL 4.6 §8.11.3: NONE where the component is absent.
        Value::int(match info.component {
            _ if bits == 0 => GL_NONE,
            Component::None => GL_NONE,
            Component::Unorm | Component::Srgb => GL_UNSIGNED_NORMALIZED,
            Component::Snorm => GL_SIGNED_NORMALIZED,
            Component::Float => GL_FLOAT,
            Component::Int => GL_INT,
            Component::Uint => GL_UNSIGNED_INT,
        })
    };
    // Luminance and intensity stand in the place of red.
    let of_base =
        |bases: &[BaseFormat], bits: u8| if bases.contains(&info.base) { bits } else { 0 };
    let red = match info.base {
        BaseFormat::Luminance | BaseFormat::LuminanceAlpha | BaseFormat::Intensity => 0,
        _ => info.color_bits[0],
    };
    let luminance = of_base(
        &[BaseFormat::Luminance, BaseFormat::LuminanceAlpha],
        info.color_bits[0],
    );
    let intensity = of_base(&[BaseFormat::Intensity], info.color_bits[0]);
    let [_, green, blue, alpha] = info.color_bits;
    let encoded = || {
        info.encoded_bytes(image.width, image.height, image.depth)
            .unwrap_or(0)
    };
    Some(match pname {
        GL_TEXTURE_WIDTH => Value::int(image.width),
        GL_TEXTURE_HEIGHT => Value::int(image.height),
        GL_TEXTURE_DEPTH => Value::int(image.depth),
        GL_TEXTURE_INTERNAL_FORMAT => Value::int(if image.is_defined() {
            image.internal_format
        } else {
            GL_RGBA
        }),
        GL_TEXTURE_RED_SIZE => Value::int(red),
        GL_TEXTURE_GREEN_SIZE => Value::int(green),
        GL_TEXTURE_BLUE_SIZE => Value::int(blue),
        GL_TEXTURE_ALPHA_SIZE => Value::int(alpha),
        GL_TEXTURE_LUMINANCE_SIZE => Value::int(luminance),
        GL_TEXTURE_INTENSITY_SIZE => Value::int(intensity),
        GL_TEXTURE_DEPTH_SIZE => Value::int(info.depth_bits),
        GL_TEXTURE_STENCIL_SIZE => Value::int(info.stencil_bits),
        GL_TEXTURE_SHARED_SIZE => Value::int(info.shared_bits()),
        GL_TEXTURE_RED_TYPE => component(red),
        GL_TEXTURE_GREEN_TYPE => component(green),
        GL_TEXTURE_BLUE_TYPE => component(blue),
        GL_TEXTURE_ALPHA_TYPE => component(alpha),
        GL_TEXTURE_DEPTH_TYPE => component(info.depth_bits),
        GL_TEXTURE_COMPRESSED => Value::bool(info.is_compressed()),
        GL_TEXTURE_COMPRESSED_IMAGE_SIZE if info.is_compressed() => Value::int(encoded() as i64),
        GL_TEXTURE_SAMPLES => Value::int(samples),
        GL_TEXTURE_FIXED_SAMPLE_LOCATIONS => Value::bool(fixed_sample_locations),
        GL_TEXTURE_BORDER => Value::int(0),
        _ => return None,
    })
}
