//! Draws and clears through the executor onto the driver. Expected values are the specification's.

mod rig;

use pipe::pixels::{PixelFormat, PixelType};
use pipe::program::Stage;
use pipe::*;
use rig::*;

const POSITION: &str = "#version 330 core
layout(location = 0) in vec4 position;
void main() { gl_Position = position; }
";
const CONSTANT: &str = "#version 330 core
uniform vec4 color;
layout(location = 0) out vec4 result;
void main() { result = color; }
";
/// The lower left half of the viewport.
const LOWER_LEFT: [f32; 12] = [
    -1.0, -1.0, 0.0, 1.0, 1.0, -1.0, 0.0, 1.0, -1.0, 1.0, 0.0, 1.0,
];

fn set_color(rig: &mut Rig, shader: ShaderId, rgba: [f32; 4]) {
    rig.gl.set_global_constants(
        &GlobalConstants {
            shader,
            version: 1,
            _pad: 0,
        },
        &floats(&rgba),
    );
}

#[test]
fn clear_then_read_gives_the_clear_color() {
    let mut rig = Rig::new();
    rig.clear([1.0, 0.5, 0.0, 0.25]);
    assert_eq!(rig.pixel(3, 5), [255, 128, 0, 64]);
}

#[test]
fn clear_under_scissor_leaves_the_rest() {
    let mut rig = Rig::new();
    rig.clear([0.0; 4]);
    rig.state.scissors.enabled = 1;
    rig.state.scissors.rects[0] = render_state::WindowRect {
        x: 4,
        y: 4,
        width: 4,
        height: 4,
    };
    rig.clear([1.0; 4]);
    assert_eq!(rig.pixel(4, 4), [255; 4]);
    assert_eq!(rig.pixel(3, 4), [0; 4]);
}

#[test]
fn read_in_bgra_swaps_and_depth_and_stencil_read_back() {
    let mut rig = Rig::new();
    rig.state.clear_values.depth = 0.5;
    rig.state.clear_values.stencil = 7;
    rig.clear([1.0, 0.0, 0.0, 1.0]);
    let bgra = rig.read(PixelFormat::Bgra, PixelType::UnsignedByte);
    assert_eq!(bgra[..4], [0, 0, 255, 255]);
    let depth = rig.read(PixelFormat::DepthComponent, PixelType::Float);
    let depth = f32::from_ne_bytes(depth[..4].try_into().expect("four bytes"));
    assert!((depth - 0.5).abs() < 1e-6, "{depth}");
    let stencil = rig.read(PixelFormat::StencilIndex, PixelType::UnsignedByte);
    assert!(stencil.iter().all(|s| *s == 7), "{:?}", &stencil[..8]);
    // The application's state is untouched by how that was done.
    assert_eq!(rig.pixel(0, 0), [255, 0, 0, 255]);
}

#[test]
fn triangle_with_uniform_color_covers_its_half() {
    for hide in ["", backend_gles::features::PROFILE_BARE_ES32] {
        let mut rig = Rig::hiding(hide);
        rig.clear([0.0, 0.0, 0.0, 1.0]);
        let program = rig.program(&[(Stage::Vertex, POSITION), (Stage::Fragment, CONSTANT)]);
        set_color(&mut rig, program, [0.0, 1.0, 0.0, 1.0]);
        rig.use_program(program);
        let buffer = rig.buffer(&floats(&LOWER_LEFT));
        rig.attribs(&[(4, 0, 0)], &[(buffer, 16, 0)]);
        rig.draw_arrays(Primitive::Triangles, 0, 3);
        assert_eq!(rig.pixel(1, 1), [0, 255, 0, 255]);
        assert_eq!(rig.pixel(14, 14), [0, 0, 0, 255]);
        // Constants move without anything else.
        set_color(&mut rig, program, [0.0, 0.0, 1.0, 1.0]);
        rig.draw_arrays(Primitive::Triangles, 0, 3);
        assert_eq!(rig.pixel(1, 1), [0, 0, 255, 255]);
    }
}

#[test]
fn program_that_the_driver_refuses_is_named_once_and_skipped() {
    let mut rig = Rig::new();
    rig.clear([0.0; 4]);
    let id = ShaderId::new(9, 1);
    rig.gl.create_shader(
        &ShaderDesc {
            id,
            stages: 1,
            global_constants_bytes: 0,
            flags: 0,
            name_for_diagnostics: 9,
        },
        &pipe::program::ProgramArtifact {
            stages: vec![pipe::program::StageCode {
                stage: Stage::Vertex,
                spirv: vec![0x0723_0203, 0x0001_0300, 0, 1, 0],
            }],
            stage_mask: Stage::Vertex.mask(),
            ..Default::default()
        }
        .to_archive(),
    );
    rig.use_program(id);
    let info = draw_info(Primitive::Points, 0, 1);
    let mut errors = 0;
    for _ in 0..3 {
        let _ = rig.gl.draw_vbo(&info, &[], &[], &[], Host::NONE);
        errors += rig
            .log()
            .iter()
            .filter(|e| matches!(e, PipeEvent::Log { level: LogLevel::Error, text } if text.contains("program 9")))
            .count();
    }
    assert_eq!(errors, 1);
    assert_eq!(rig.pixel(0, 0), [0; 4]);
}

fn indexed(indices: &[u16], restart: Option<u32>) -> [u8; 4] {
    let mut rig = Rig::new();
    rig.clear([0.0, 0.0, 0.0, 1.0]);
    let program = rig.program(&[(Stage::Vertex, POSITION), (Stage::Fragment, CONSTANT)]);
    set_color(&mut rig, program, [1.0; 4]);
    rig.use_program(program);
    // Two far corners and the lower left triangle.
    let mut vertices = LOWER_LEFT.to_vec();
    vertices.extend_from_slice(&[1.0, 1.0, 0.0, 1.0]);
    let vertices = rig.buffer(&floats(&vertices));
    rig.attribs(&[(4, 0, 0)], &[(vertices, 16, 0)]);
    let bytes: Vec<u8> = indices.iter().flat_map(|i| i.to_ne_bytes()).collect();
    let buffer = rig.buffer(&bytes);
    rig.gl.set_index_buffer(&IndexBuffer { buffer });
    let mut info = draw_info(Primitive::TriangleStrip, 0, indices.len() as u32);
    info.index_size = 2;
    if let Some(index) = restart {
        info.flags = DrawFlags::PRIMITIVE_RESTART.bits();
        info.restart_index = index;
    }
    rig.draw(info);
    rig.pixel(14, 14)
}

// GL 4.6 §10.3.6: the restart index cuts the strip: the upper right triangle (1, 2, 3) is not drawn.
#[test]
fn restart_index_of_any_value_cuts_the_strip() {
    assert_eq!(indexed(&[0, 1, 2, 3], None), [255; 4]);
    for cut in [0xFFFF_u16, 77] {
        assert_eq!(
            indexed(&[0, 1, 2, cut, 3], Some(cut.into())),
            [0, 0, 0, 255],
            "{cut}"
        );
    }
}

#[test]
fn instanced_attribute_starts_at_base_instance_with_and_without_the_extension() {
    for hide in ["", "GL_EXT_base_instance"] {
        let mut rig = Rig::hiding(hide);
        rig.clear([0.0, 0.0, 0.0, 1.0]);
        let program = rig.program(&[
            (
                Stage::Vertex,
                "#version 330 core
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 tint;
out vec4 color;
void main() { gl_Position = position; color = tint; }
",
            ),
            (
                Stage::Fragment,
                "#version 330 core
in vec4 color;
out vec4 result;
void main() { result = color; }
",
            ),
        ]);
        rig.use_program(program);
        let positions = rig.buffer(&floats(&LOWER_LEFT));
        let tints = rig.buffer(&floats(&[
            1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0,
        ]));
        rig.attribs(
            &[(4, 0, 0), (4, 1, 0)],
            &[(positions, 16, 0), (tints, 16, 1)],
        );
        let mut info = draw_info(Primitive::Triangles, 0, 3);
        info.start_instance = 2;
        rig.draw(info);
        assert_eq!(rig.pixel(1, 1), [0, 0, 255, 255], "hiding {hide:?}");
    }
}

#[test]
fn texture_sampled_at_its_unit_gives_its_texel_in_every_kind_of_format() {
    for (format, bytes, expected) in [
        (Format::Rgba8, vec![10, 20, 30, 40], [10, 20, 30, 40]),
        (Format::Rgb8, vec![10, 20, 30], [10, 20, 30, 255]),
        (Format::Luminance8, vec![99], [99, 99, 99, 255]),
        (Format::Alpha8, vec![99], [0, 0, 0, 99]),
        (Format::Rgb32f, floats(&[1.0, 0.0, 1.0]), [255, 0, 255, 255]),
        (
            Format::Rgba16,
            [65535_u16, 0, 65535, 65535]
                .iter()
                .flat_map(|v| v.to_ne_bytes())
                .collect(),
            [255, 0, 255, 255],
        ),
    ] {
        let mut rig = Rig::hiding("GL_EXT_texture_norm16");
        rig.clear([0.0; 4]);
        let program = rig.program(&[
            (Stage::Vertex, POSITION),
            (
                Stage::Fragment,
                "#version 330 core
uniform sampler2D image;
out vec4 result;
void main() { result = texture(image, vec2(0.5)); }
",
            ),
        ]);
        rig.gl.set_program_bindings(
            &ProgramBindings {
                shader: program,
                version: 1,
                _pad: 0,
            },
            &[ProgramBinding {
                binding: 1,
                element: 0,
                slot: 5,
            }],
        );
        rig.use_program(program);
        let texture = rig.texture(texture_desc(Target::Texture2D, format, 1, 1));
        rig.upload(texture, 0, box2(1, 1), &bytes);
        rig.bind_texture(5, texture, Target::Texture2D, format);
        let buffer = rig.buffer(&floats(&LOWER_LEFT));
        rig.attribs(&[(4, 0, 0)], &[(buffer, 16, 0)]);
        rig.draw_arrays(Primitive::Triangles, 0, 3);
        assert_eq!(rig.pixel(1, 1), expected, "{}", format.info().name);
    }
}
