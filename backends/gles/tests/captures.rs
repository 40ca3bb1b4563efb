//! Transform feedback, and work of our own in its midst. Expected values are the specification's.

mod rig;

use pipe::pixels::{PixelFormat, PixelType};
use pipe::program::Stage;
use pipe::*;
use rig::*;

#[test]
fn captured_varying_lands_in_the_buffer_also_around_a_readback() {
    let mut rig = Rig::new();
    rig.clear([0.0; 4]);
    let shader = gl_glsl::compile(
        Stage::Vertex,
        &["#version 330 core
out vec2 captured;
void main() { captured = vec2(float(gl_VertexID), 7.0); gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }
"],
        &gl_glsl::CompileOptions::default(),
    );
    let link = gl_glsl::link(
        &[&shader],
        &gl_glsl::LinkOptions {
            xfb_varyings: vec!["captured".into()],
            ..Default::default()
        },
    );
    let artifact = link.artifact.expect("links");
    let id = ShaderId::new(40, 1);
    rig.gl.create_shader(
        &ShaderDesc {
            id,
            stages: 1,
            global_constants_bytes: artifact.default_block_size,
            flags: 0,
            name_for_diagnostics: 40,
        },
        &artifact.to_archive(),
    );
    rig.use_program(id);
    let buffer = rig.buffer(&[0; 32]);
    rig.gl.set_stream_output_targets(
        &StreamOutputTargets {
            id: StreamOutputId::new(1, 1),
            count: 1,
            _pad: 0,
            generation: 1,
        },
        &[whole(buffer)],
    );
    let _ = rig.gl.begin_stream_output(&BeginStreamOutput {
        groups: ALL,
        mode: Primitive::Points,
        _pad: [0; 3],
    });
    rig.draw_arrays(Primitive::Points, 0, 2);
    // A depth readback draws by itself: nothing of it may be captured.
    let depth = rig.read(PixelFormat::DepthComponent, PixelType::Float);
    assert_eq!(depth[..4], 1.0_f32.to_ne_bytes());
    rig.draw_arrays(Primitive::Points, 2, 2);
    let _ = rig.gl.end_stream_output(&EndStreamOutput {
        groups: ALL,
        _pad: 0,
        vertices: 4,
    });
    rig.check();
    let expected = floats(&[0.0, 7.0, 1.0, 7.0, 2.0, 7.0, 3.0, 7.0]);
    assert_eq!(rig.buffer_bytes(buffer, 32), expected);
}
