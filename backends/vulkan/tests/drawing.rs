//! What a draw shows: orientation, depth, tests, blending, input. Expected values come from the GL specification.

mod support;

use pipe::pixels::{PixelFormat, PixelType};
use pipe::*;
use support::*;

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLACK: [u8; 4] = [0, 0, 0, 255];

const PLAIN: &str =
    "#version 330 core\nlayout(location=0) in vec3 p; void main() { gl_Position = vec4(p, 1); }";
const UNIFORM: &str = "#version 330 core\nuniform vec4 c; out vec4 o; void main() { o = c; }";

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_ne_bytes()).collect()
}

/// A quad as a strip, at a depth.
fn quad(x0: f32, y0: f32, x1: f32, y1: f32, z: f32) -> [f32; 12] {
    [x0, y0, z, x1, y0, z, x0, y1, z, x1, y1, z]
}

#[test]
fn clear_with_scissor_fills_only_the_rectangle_counted_from_the_bottom() {
    let mut c = Client::new();
    c.clear(ClearMask::COLOR, [0.0, 0.0, 0.0, 1.0], 1.0, 0);
    c.state.scissors.enabled = 1;
    c.state.scissors.rects[0] = render_state::WindowRect {
        x: 2,
        y: 1,
        width: 3,
        height: 4,
    };
    c.set_state();
    c.clear(ClearMask::COLOR, [1.0, 0.0, 0.0, 1.0], 1.0, 0);
    let image = c.pixels();
    assert_eq!(image.count(RED), 12);
    assert_eq!(image.at(2, 1), RED);
    assert_eq!(image.at(4, 4), RED);
    assert_eq!(image.at(4, 5), BLACK);
}

#[test]
fn clear_under_a_color_mask_keeps_the_other_components() {
    let mut c = Client::new();
    c.clear(ClearMask::COLOR, [1.0, 0.0, 0.0, 1.0], 1.0, 0);
    c.state.blend.color_masks[0] = 0b0010;
    c.set_state();
    c.clear(ClearMask::COLOR, [0.0, 1.0, 1.0, 0.0], 1.0, 0);
    assert_eq!(c.pixels().count([255, 255, 0, 255]), 256);
}

#[test]
fn clear_of_stencil_under_a_mask_keeps_the_other_bits() {
    let mut c = Client::new();
    c.clear(ClearMask::STENCIL, [0.0; 4], 1.0, 0x0F);
    c.state.stencil_ref.front_write_mask = 0xF1;
    c.set_state();
    c.clear(ClearMask::STENCIL, [0.0; 4], 1.0, 0xA0);
    let stencil = c.read(PixelFormat::StencilIndex, PixelType::UnsignedByte, 1);
    assert!(stencil.iter().all(|s| *s == 0xAE), "{:#x}", stencil[0]);
}

#[test]
fn triangle_in_the_lower_left_covers_low_window_rows() {
    let mut c = Client::new();
    c.clear(ClearMask::COLOR, [0.0, 0.0, 0.0, 1.0], 1.0, 0);
    c.program(
        PLAIN,
        "#version 330 core\nout vec4 o; void main() { o = vec4(1, 0, 0, 1); }",
    );
    c.floats(3, &[-1.0, -1.0, 0.0, 0.0, -1.0, 0.0, -1.0, 1.0, 0.0]);
    c.draw(Primitive::Triangles, 0, 3);
    let image = c.pixels();
    assert_eq!(image.at(0, 0), RED);
    assert_eq!(image.at(6, 1), RED);
    assert_eq!(image.at(0, 13), RED);
    assert_eq!(image.at(6, 14), BLACK);
    assert_eq!(image.at(15, 0), BLACK);
}

#[test]
fn culling_of_back_faces_keeps_counter_clockwise_triangles() {
    let mut c = Client::new();
    c.state.caps.bits |= CapBits::CULL_FACE.bits();
    c.set_state();
    c.clear(ClearMask::COLOR, [0.0, 0.0, 0.0, 1.0], 1.0, 0);
    c.program(
        PLAIN,
        "#version 330 core\nout vec4 o; void main() { o = gl_FrontFacing ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }",
    );
    // Left half counter-clockwise, right half clockwise.
    c.floats(
        3,
        &[
            -1.0, -1.0, 0.0, 0.0, -1.0, 0.0, -1.0, 1.0, 0.0, //
            0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 1.0, -1.0, 0.0,
        ],
    );
    c.draw(Primitive::Triangles, 0, 6);
    let image = c.pixels();
    assert_eq!(image.at(1, 1), GREEN);
    assert_eq!(image.at(9, 1), BLACK);
    assert_eq!(image.count(RED), 0);
}

#[test]
fn clip_control_upper_left_turns_the_image_but_keeps_the_winding() {
    let mut c = Client::new();
    c.state.caps.bits |= CapBits::CULL_FACE.bits();
    c.state.raster.clip_origin = 0x8CA2;
    c.set_state();
    c.clear(ClearMask::COLOR, [0.0, 0.0, 0.0, 1.0], 1.0, 0);
    c.program(
        PLAIN,
        "#version 330 core\nout vec4 o; void main() { o = vec4(0, 1, 0, 1); }",
    );
    c.floats(3, &[-1.0, -1.0, 0.0, 0.0, -1.0, 0.0, -1.0, 1.0, 0.0]);
    c.draw(Primitive::Triangles, 0, 3);
    let image = c.pixels();
    assert_eq!(image.at(1, 14), GREEN);
    assert_eq!(image.at(0, 2), GREEN);
    assert_eq!(image.at(6, 14), GREEN);
    assert_eq!(image.at(6, 1), BLACK);
}

#[test]
fn frag_coord_counts_from_the_lower_left_corner() {
    let mut c = Client::new();
    c.program(
        PLAIN,
        "#version 330 core\nout vec4 o; void main() { o = vec4(gl_FragCoord.xy / 255.0, 0, 1); }",
    );
    c.floats(3, &quad(-1.0, -1.0, 1.0, 1.0, 0.0));
    c.draw(Primitive::TriangleStrip, 0, 4);
    let image = c.pixels();
    // 3.5 and 9.5 of 255, rounded to the nearest of two equally near values.
    let [x, y, _, _] = image.at(3, 9);
    assert!(x == 3 || x == 4, "{x}");
    assert!(y == 9 || y == 10, "{y}");
}

fn point_coord_rows(origin: u16) -> (u8, u8) {
    let mut c = Client::new();
    c.state.raster.point_sprite_origin = origin;
    c.state.primitive.point_size = 16.0;
    c.set_state();
    c.program(
        PLAIN,
        "#version 330 core\nout vec4 o; void main() { o = vec4(gl_PointCoord, 0, 1); }",
    );
    c.floats(3, &[0.0, 0.0, 0.0]);
    c.draw(Primitive::Points, 0, 1);
    let image = c.pixels();
    (image.at(8, 0)[1], image.at(8, 15)[1])
}

#[test]
fn point_coord_with_upper_left_origin_grows_downwards() {
    let (bottom, top) = point_coord_rows(0x8CA2);
    assert!(bottom > 240 && top < 16, "{bottom} {top}");
}

#[test]
fn point_coord_with_lower_left_origin_grows_upwards() {
    let (bottom, top) = point_coord_rows(0x8CA1);
    assert!(bottom < 16 && top > 240, "{bottom} {top}");
}

fn depth_is_gls(hide: &str) {
    let mut c = Client::hiding(hide);
    c.state.caps.bits |= CapBits::DEPTH_TEST.bits();
    c.set_state();
    c.clear(
        ClearMask::COLOR | ClearMask::DEPTH,
        [0.0, 0.0, 0.0, 1.0],
        1.0,
        0,
    );
    let shader = c.program(PLAIN, UNIFORM);
    c.constants(shader, &floats(&[0.0, 1.0, 0.0, 1.0]));
    // Clip-space z of -0.5 is in front of everything at 0.5, and inside the clip volume.
    c.floats(3, &quad(-1.0, -1.0, 0.0, 1.0, -0.5));
    c.draw(Primitive::TriangleStrip, 0, 4);
    c.constants(shader, &floats(&[1.0, 0.0, 0.0, 1.0]));
    c.floats(3, &quad(-1.0, -1.0, 1.0, 1.0, 0.5));
    c.draw(Primitive::TriangleStrip, 0, 4);
    let image = c.pixels();
    assert_eq!(image.count(GREEN), 128);
    assert_eq!(image.count(RED), 128);
    let depth = c.read(PixelFormat::DepthComponent, PixelType::Float, 4);
    let at = |i: usize| f32::from_ne_bytes(depth[4 * i..4 * i + 4].try_into().unwrap());
    // GL 4.6 core §13.8.1: window z = (f - n) / 2 * z + (n + f) / 2.
    assert!((at(0) - 0.25).abs() < 1e-6, "{}", at(0));
    assert!((at(15) - 0.75).abs() < 1e-6, "{}", at(15));
}

#[test]
fn depth_with_clip_control_has_gls_range() {
    depth_is_gls("");
}

#[test]
fn depth_by_shader_constant_has_gls_range() {
    depth_is_gls("VK_EXT_depth_clip_control");
}

#[test]
fn constants_changed_between_draws_reach_each_draw() {
    let mut c = Client::new();
    let shader = c.program(PLAIN, UNIFORM);
    for (i, color) in [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]]
        .iter()
        .enumerate()
    {
        c.constants(shader, &floats(color));
        let x = i as f32 - 1.0;
        c.floats(3, &quad(x, -1.0, x + 1.0, 1.0, 0.0));
        c.draw(Primitive::TriangleStrip, 0, 4);
    }
    let image = c.pixels();
    assert_eq!((image.count(RED), image.count(GREEN)), (128, 128));
}

#[test]
fn buffer_rewritten_between_draws_shows_both_contents() {
    let mut c = Client::new();
    let shader = c.program(PLAIN, UNIFORM);
    c.constants(shader, &floats(&[1.0, 0.0, 0.0, 1.0]));
    let buffer = c.floats(3, &quad(-1.0, -1.0, 0.0, 1.0, 0.0));
    c.draw(Primitive::TriangleStrip, 0, 4);
    c.constants(shader, &floats(&[0.0, 1.0, 0.0, 1.0]));
    // Whole, then one part alone: renaming and copying in order.
    c.write(buffer, 0, &floats(&quad(0.0, -1.0, 1.0, 1.0, 0.0)));
    c.draw(Primitive::TriangleStrip, 0, 4);
    c.write(buffer, 12, &floats(&[0.5]));
    let image = c.pixels();
    assert_eq!((image.count(RED), image.count(GREEN)), (128, 128));
}

#[test]
fn uniform_block_range_is_read_from_its_offset() {
    let mut c = Client::new();
    c.program(
        PLAIN,
        "#version 330 core\nlayout(std140) uniform B { vec4 c; }; out vec4 o; void main() { o = c; }",
    );
    let align = 256;
    let mut bytes = vec![0; align];
    bytes.extend(floats(&[0.0, 1.0, 0.0, 1.0]));
    let buffer = c.buffer(&bytes);
    c.uniform_buffer(0, buffer, align as u64, 16);
    c.floats(3, &quad(-1.0, -1.0, 1.0, 1.0, 0.0));
    c.draw(Primitive::TriangleStrip, 0, 4);
    assert_eq!(c.pixels().count(GREEN), 256);
}

#[test]
fn blending_adds_weighted_source_and_destination() {
    let mut c = Client::new();
    c.clear(ClearMask::COLOR, [1.0, 0.0, 0.0, 1.0], 1.0, 0);
    c.state.blend.enabled = 1;
    c.state.blend.targets[0].src_rgb = 0x0302;
    c.state.blend.targets[0].dst_rgb = 0x0303;
    c.set_state();
    let shader = c.program(PLAIN, UNIFORM);
    c.constants(shader, &floats(&[0.0, 1.0, 0.0, 0.2]));
    c.floats(3, &quad(-1.0, -1.0, 1.0, 1.0, 0.0));
    c.draw(Primitive::TriangleStrip, 0, 4);
    let [r, g, b, a] = c.pixels().at(5, 5);
    assert_eq!((r, g, b), (204, 51, 0));
    assert_eq!(a, 51, "alpha is replaced: ONE, ZERO");
}

#[test]
fn stencil_test_draws_only_where_the_reference_matches() {
    let mut c = Client::new();
    c.clear(
        ClearMask::COLOR | ClearMask::STENCIL,
        [0.0, 0.0, 0.0, 1.0],
        1.0,
        3,
    );
    c.state.caps.bits |= CapBits::STENCIL_TEST.bits();
    c.state.depth_stencil.front.func = 0x0202;
    c.state.depth_stencil.front.depth_pass = 0x1E02;
    c.state.depth_stencil.back = c.state.depth_stencil.front;
    c.state.stencil_ref.front_ref = 3;
    c.state.stencil_ref.back_ref = 3;
    c.set_state();
    let shader = c.program(PLAIN, UNIFORM);
    c.constants(shader, &floats(&[0.0, 1.0, 0.0, 1.0]));
    c.floats(3, &quad(-1.0, -1.0, 0.0, 1.0, 0.0));
    c.draw(Primitive::TriangleStrip, 0, 4);
    c.constants(shader, &floats(&[1.0, 0.0, 0.0, 1.0]));
    c.floats(3, &quad(-1.0, -1.0, 1.0, 1.0, 0.0));
    c.draw(Primitive::TriangleStrip, 0, 4);
    let image = c.pixels();
    assert_eq!((image.count(GREEN), image.count(RED)), (128, 128));
    let stencil = c.read(PixelFormat::StencilIndex, PixelType::UnsignedByte, 1);
    assert!(stencil.iter().all(|s| *s == 4));
}

#[test]
fn array_that_is_off_reads_the_current_value() {
    let mut c = Client::new();
    c.program(
        "#version 330 core\nlayout(location=0) in vec3 p; layout(location=3) in vec4 c; out vec4 v; void main() { v = c; gl_Position = vec4(p, 1); }",
        "#version 330 core\nin vec4 v; out vec4 o; void main() { o = v; }",
    );
    c.floats(3, &quad(-1.0, -1.0, 1.0, 1.0, 0.0));
    c.pipe.set_vertex_attrib_defaults(
        &AttribDefaults { mask: 1 << 3 },
        &[AttribValue {
            bits: [0.0f32, 1.0, 0.0, 1.0].map(f32::to_bits),
            kind: 0,
        }],
    );
    c.draw(Primitive::TriangleStrip, 0, 4);
    assert_eq!(c.pixels().count(GREEN), 256);
}

fn indexed(hide: &str, index_size: u8, indices: &[u8], count: u32, restart: Option<u32>) -> Pixels {
    let mut c = Client::hiding(hide);
    c.clear(ClearMask::COLOR, [0.0, 0.0, 0.0, 1.0], 1.0, 0);
    let shader = c.program(PLAIN, UNIFORM);
    c.constants(shader, &floats(&[0.0, 1.0, 0.0, 1.0]));
    let mut vertices = quad(-1.0, -1.0, 0.0, 1.0, 0.0).to_vec();
    vertices.extend(quad(0.5, -1.0, 1.0, 1.0, 0.0));
    c.floats(3, &vertices);
    let buffer = c.buffer(indices);
    c.pipe.set_index_buffer(&IndexBuffer { buffer });
    let mut info = draw_info(Primitive::TriangleStrip, 0, count);
    info.index_size = index_size;
    if let Some(restart) = restart {
        info.flags = DrawFlags::PRIMITIVE_RESTART.bits();
        info.restart_index = restart;
    }
    c.draw_with(&info);
    c.pixels()
}

#[test]
fn restart_index_of_any_value_cuts_the_strip() {
    let indices = [0, 1, 2, 3, 100, 4, 5, 6, 7];
    let words: Vec<u8> = indices.iter().flat_map(|i: &u16| i.to_ne_bytes()).collect();
    let image = indexed("", 2, &words, 9, Some(100));
    assert_eq!(image.count(GREEN), 16 * (8 + 4));
}

#[test]
fn byte_indices_draw_with_and_without_the_extension() {
    let indices = [0, 1, 2, 3, 255, 4, 5, 6, 7];
    for hide in ["", "VK_EXT_index_type_uint8"] {
        let image = indexed(hide, 1, &indices, 9, Some(255));
        assert_eq!(image.count(GREEN), 16 * (8 + 4), "{hide}");
    }
}

#[test]
fn line_loop_closes_at_its_first_vertex() {
    let mut c = Client::new();
    c.clear(ClearMask::COLOR, [0.0, 0.0, 0.0, 1.0], 1.0, 0);
    let shader = c.program(PLAIN, UNIFORM);
    c.constants(shader, &floats(&[0.0, 1.0, 0.0, 1.0]));
    // A square through the centres of pixels 2 and 13.
    let (a, b) = (2.5 / 8.0 - 1.0, 13.5 / 8.0 - 1.0);
    c.floats(3, &[a, a, 0.0, b, a, 0.0, b, b, 0.0, a, b, 0.0]);
    c.draw(Primitive::LineLoop, 0, 4);
    let image = c.pixels();
    assert_eq!(image.at(2, 7), GREEN, "the closing edge");
    assert_eq!(image.at(13, 7), GREEN);
    assert_eq!(image.at(7, 2), GREEN);
    assert_eq!(image.at(7, 7), BLACK);
}

#[test]
fn occlusion_query_over_two_passes_counts_all_samples() {
    let mut c = Client::new();
    let shader = c.program(PLAIN, UNIFORM);
    c.constants(shader, &floats(&[0.0, 1.0, 0.0, 1.0]));
    let query = QueryId::new(1, 1);
    c.pipe.query_create(&QueryCreate {
        query,
        target: 0x8914,
        index: 0,
    });
    c.pipe.query_begin(&QueryOnly { query });
    c.floats(3, &quad(-1.0, -1.0, 0.0, 1.0, 0.0));
    c.draw(Primitive::TriangleStrip, 0, 4);
    // A texture upload ends the pass.
    let texture = c.texture(Target::Texture2D, Format::Rgba8, [1, 1], 1);
    c.upload(texture, 0, [1, 1], &[0; 4]);
    c.draw(Primitive::TriangleStrip, 0, 4);
    c.pipe.query_end(&QueryOnly { query });
    assert_eq!(c.pipe.query_result(&QueryOnly { query }), 256);
    assert!(c.pipe.query_available(&QueryOnly { query }));
    c.pipe.query_destroy(&QueryOnly { query });
}

#[test]
fn fence_polled_without_a_flush_becomes_signalled() {
    let mut c = Client::new();
    c.clear(ClearMask::COLOR, [0.0; 4], 1.0, 0);
    let fence = FenceId::new(1, 1);
    c.pipe.fence_create(&FenceOnly { fence });
    let end = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while c.pipe.fence_status(&FenceOnly { fence }) != FenceStatus::Signalled {
        assert!(std::time::Instant::now() < end, "polling makes progress");
        std::thread::yield_now();
    }
    c.pipe.fence_destroy(&FenceOnly { fence });
}

#[test]
fn mobile_profile_draws_the_same_triangle() {
    let mut c = Client::hiding("mobile-vk11");
    c.clear(ClearMask::COLOR, [0.0, 0.0, 0.0, 1.0], 1.0, 0);
    let shader = c.program(PLAIN, UNIFORM);
    c.constants(shader, &floats(&[1.0, 0.0, 0.0, 1.0]));
    c.floats(3, &[-1.0, -1.0, -0.9, 0.0, -1.0, -0.9, -1.0, 1.0, -0.9]);
    c.draw(Primitive::Triangles, 0, 3);
    assert_eq!(c.pixels().at(1, 1), RED);
}

#[test]
fn captured_vertices_over_two_passes_follow_each_other() {
    use gl_glsl::{CompileOptions, LinkOptions, compile, link};
    let mut c = Client::new();
    let options = CompileOptions::default();
    let vertex = "#version 330 core\nlayout(location=0) in vec3 p; out float v; void main() { v = p.x * 10.0; gl_Position = vec4(p, 1); }";
    let fragment = "#version 330 core\nin float v; out vec4 o; void main() { o = vec4(v); }";
    let vs = compile(pipe::program::Stage::Vertex, &[vertex], &options);
    let fs = compile(pipe::program::Stage::Fragment, &[fragment], &options);
    let linked = link(
        &[&vs, &fs],
        &LinkOptions {
            xfb_varyings: vec!["v".to_owned()],
            ..LinkOptions::default()
        },
    );
    let artifact = linked.artifact.expect(&linked.log);
    let id = ShaderId::new(c.id(), 1);
    c.pipe.create_shader(
        &ShaderDesc {
            id,
            stages: u32::from(artifact.stage_mask.0),
            global_constants_bytes: artifact.default_block_size,
            flags: 0,
            name_for_diagnostics: 1,
        },
        &artifact.to_archive(),
    );
    c.pipe.set_draw_program(&ShaderOnly { id });
    let captured = c.buffer(&[0; 32]);
    c.pipe.set_stream_output_targets(
        &StreamOutputTargets {
            id: StreamOutputId::new(1, 1),
            count: 1,
            _pad: 0,
            generation: 1,
        },
        &[BufferRange {
            buffer: captured,
            offset_bytes: 4,
            size_bytes: WHOLE,
            host: HostSpan::NONE,
        }],
    );
    let groups = pipe_inputs::GroupMask::ALL.0;
    let query = |n| QueryOnly {
        query: QueryId::new(n, 1),
    };
    for (n, target) in [(1, 0x8C88), (2, 0x8C87)] {
        c.pipe.query_create(&QueryCreate {
            query: query(n).query,
            target,
            index: 0,
        });
        c.pipe.query_begin(&query(n));
    }
    let _ = c.pipe.begin_stream_output(&BeginStreamOutput {
        groups,
        mode: Primitive::Points,
        _pad: [0; 3],
    });
    c.floats(3, &[0.1, 0.0, 0.0, 0.2, 0.0, 0.0, 0.3, 0.0, 0.0]);
    c.draw(Primitive::Points, 0, 2);
    let _ = c.pipe.pause_stream_output(&VerbOnly { groups });
    c.draw(Primitive::Points, 0, 1);
    let _ = c.pipe.resume_stream_output(&VerbOnly { groups });
    c.draw(Primitive::Points, 2, 1);
    let _ = c.pipe.end_stream_output(&EndStreamOutput {
        groups,
        _pad: 0,
        vertices: 0,
    });
    for n in [1, 2] {
        c.pipe.query_end(&query(n));
    }
    let mut back = [0; 32];
    c.pipe.resource_readback(
        &Readback {
            buffer: captured,
            offset_bytes: 0,
            size_bytes: 32,
        },
        ReplyBytes(Some(&mut back)),
    );
    let got: Vec<f32> = back
        .chunks_exact(4)
        .map(|b| f32::from_ne_bytes(b.try_into().unwrap()))
        .collect();
    assert_eq!(got, [0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(c.pipe.query_result(&query(1)), 3, "written");
    assert_eq!(c.pipe.query_result(&query(2)), 4, "generated");
}

#[test]
fn attribute_of_plain_32_bit_integers_reads_as_floats() {
    let mut c = Client::new();
    c.clear(ClearMask::COLOR, [0.0, 0.0, 0.0, 1.0], 1.0, 0);
    let shader = c.program(PLAIN, UNIFORM);
    c.constants(shader, &floats(&[0.0, 1.0, 0.0, 1.0]));
    let bytes: Vec<u8> = [-1i32, -1, 0, -1, -1, 1, 0, 1]
        .iter()
        .flat_map(|v| v.to_ne_bytes())
        .collect();
    let buffer = c.buffer(&bytes);
    let mut desc = elements(VertexElementsId::new(c.id(), 1));
    desc.attribs[0].ty = 0x1404;
    desc.attribs[0].components = 2;
    desc.attribs[0].enabled = 1;
    desc.bindings[0].stride_bytes = 8;
    c.pipe.create_vertex_elements(&desc);
    c.pipe
        .bind_vertex_elements(&VertexElementsOnly { id: desc.id });
    c.pipe.set_vertex_buffers(
        &SlotRange { start: 0, count: 1 },
        &[VertexBuffer {
            buffer,
            offset_bytes: 0,
            user: HostSpan::NONE,
        }],
    );
    c.draw(Primitive::TriangleStrip, 0, 4);
    assert_eq!(c.pixels().count(GREEN), 128);
}
