//! Vertex input through the executor onto the driver. It repeats no check of the client.

use crate::FULL;
use crate::rig::*;
use pipe::program::Stage;
use pipe::*;

#[test]
fn client_arrays_and_client_indices_are_fetched() {
    struct Memory(Vec<u8>, Vec<u8>);
    impl HostBytes for Memory {
        fn bytes(&self, span: &HostSpan) -> Option<&[u8]> {
            match span.offset {
                1 => Some(&self.0),
                2 => Some(&self.1),
                _ => None,
            }
        }
    }
    let span = |offset, size_bytes| HostSpan {
        segment: pipe::host::SEGMENT_FRONTEND,
        _pad: 0,
        offset,
        size_bytes,
    };
    let mut rig = Rig::new();
    rig.clear([0.0; 4]);
    let memory = Memory(
        floats(&[-1.0, -1.0, 3.0, -1.0, -1.0, 3.0]),
        [0_u16, 1, 2].iter().flat_map(|i| i.to_ne_bytes()).collect(),
    );
    let program = rig.program(&[
        (
            Stage::Vertex,
            "#version 330 core
layout(location = 0) in vec2 position;
void main() { gl_Position = vec4(position, 0.0, 1.0); }
",
        ),
        (
            Stage::Fragment,
            "#version 330 core
out vec4 result;
void main() { result = vec4(1.0); }
",
        ),
    ]);
    rig.use_program(program);
    let mut desc = vertex_elements(VertexElementsId::new(7, 1));
    desc.attribs[0].components = 2;
    desc.attribs[0].enabled = 1;
    desc.bindings[0].stride_bytes = 8;
    let buffer = VertexBuffer {
        buffer: BufferId::NULL,
        offset_bytes: 0,
        user: span(1, 24),
    };
    rig.elements(&desc, &[buffer]);
    let mut info = draw_info(Primitive::Triangles, 0, 3);
    info.index_size = 2;
    info.flags = (DrawFlags::USER_INDICES | DrawFlags::USER_VERTICES).bits();
    let _ = rig
        .gl
        .draw_vbo(&info, &[], &[], &[span(2, 6)], Host(&memory));
    rig.check();
    assert_eq!(rig.pixel(8, 8), [255; 4]);
}

// GL 4.6 §10.3.1: GL_BGRA; doubles are converted to single precision for plain attributes.
#[test]
fn attributes_that_es_cannot_fetch_are_converted() {
    for (ty, components, bgra, bytes) in [
        (0x1401_u16, 4, 1, vec![255_u8, 128, 0, 255]),
        (
            0x140A,
            4,
            0,
            [0.0_f64, 0.5, 1.0, 1.0]
                .iter()
                .flat_map(|v| v.to_ne_bytes())
                .collect(),
        ),
        // 10F_11F_11F: 0, 0.5, 1 (exponent bias 15).
        (
            0x8C3B,
            3,
            0,
            ((14 << 6) << 11 | (15_u32 << 5) << 22)
                .to_ne_bytes()
                .to_vec(),
        ),
    ] {
        let mut rig = Rig::new();
        let program = rig.program(&[
            (
                Stage::Vertex,
                "#version 330 core
layout(location = 3) in vec4 tint;
out vec4 color;
void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
    color = tint;
}
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
        let buffer = rig.buffer(&bytes);
        let mut desc = vertex_elements(VertexElementsId::new(7, 1));
        desc.attribs[3] = VertexAttrib {
            ty,
            components,
            bgra,
            normalized: 1,
            enabled: 1,
            ..desc.attribs[3]
        };
        // Stride 0: every vertex reads the same element.
        rig.elements(
            &desc,
            &[VertexBuffer {
                buffer,
                offset_bytes: 0,
                user: HostSpan::NONE,
            }],
        );
        rig.draw_arrays(Primitive::Triangles, 0, 3);
        let [r, g, b, a] = rig.pixel(8, 8);
        assert_eq!([r, b, a], [0, 255, 255], "{ty:#x}");
        assert!((127..=128).contains(&g), "{ty:#x}: {g}");
    }
}

#[test]
fn current_value_feeds_an_attribute_without_array() {
    let mut rig = Rig::new();
    let value = AttribValue {
        bits: [0.0_f32, 1.0, 0.0, 1.0].map(f32::to_bits),
        kind: 0,
    };
    rig.gl
        .set_vertex_attrib_defaults(&AttribDefaults { mask: 1 << 2 }, &[value]);
    let program = rig.program(&[
        (
            Stage::Vertex,
            "#version 330 core
layout(location = 2) in vec4 tint;
flat out vec4 color;
void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
    color = tint;
}
",
        ),
        (
            Stage::Fragment,
            "#version 330 core
flat in vec4 color;
out vec4 result;
void main() { result = color; }
",
        ),
    ]);
    rig.use_program(program);
    rig.draw_arrays(Primitive::Triangles, 0, 3);
    assert_eq!(rig.pixel(8, 8), [0, 255, 0, 255]);
}

#[test]
fn indirect_draw_takes_its_command_from_the_buffer() {
    let mut rig = Rig::new();
    rig.clear([0.0; 4]);
    let program = rig.program(&[
        (Stage::Vertex, FULL),
        (
            Stage::Fragment,
            "#version 330 core
out vec4 result;
void main() { result = vec4(1.0); }
",
        ),
    ]);
    rig.use_program(program);
    let command: Vec<u8> = [0_u32, 0, 0, 0, 3, 1, 0, 0]
        .iter()
        .flat_map(|v| v.to_ne_bytes())
        .collect();
    let draw = rig.buffer(&command);
    rig.gl.set_indirect_buffers(&IndirectBuffers {
        draw,
        dispatch: BufferId::NULL,
        parameter: BufferId::NULL,
    });
    let mut info = draw_info(Primitive::Triangles, 0, 0);
    info.flags = DrawFlags::INDIRECT.bits();
    let commands = DrawIndirect {
        offset_bytes: 16,
        stride_bytes: 0,
        draw_count: 1,
        count_offset_bytes: 0,
    };
    let _ = rig.gl.draw_vbo(&info, &[], &[commands], &[], Host::NONE);
    rig.check();
    assert_eq!(rig.pixel(8, 8), [255; 4]);
}
