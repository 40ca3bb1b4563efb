//! Programs through the executor onto the driver. It repeats no check of the client.

use crate::rig::*;
use crate::{FULL, image};
use pipe::pixels::{PixelFormat, PixelType};
use pipe::program::Stage;
use pipe::*;

#[test]
fn uniform_block_reads_the_range_at_its_binding_point() {
    let mut rig = Rig::new();
    let program = rig.program(&[
        (Stage::Vertex, FULL),
        (
            Stage::Fragment,
            "#version 330 core
layout(std140) uniform First { vec4 a; };
layout(std140) uniform Second { vec4 b; };
uniform float scale;
out vec4 result;
void main() { result = a + b * scale; }
",
        ),
    ]);
    let artifact = compile(&[
        (Stage::Vertex, FULL),
        (
            Stage::Fragment,
            "#version 330 core
layout(std140) uniform First { vec4 a; };
layout(std140) uniform Second { vec4 b; };
uniform float scale;
out vec4 result;
void main() { result = a + b * scale; }
",
        ),
    ]);
    let bindings: Vec<_> = artifact
        .uniform_blocks
        .iter()
        .map(|block| ProgramBinding {
            binding: block.binding as u16,
            element: block.element as u16,
            slot: if block.name == "First" { 3 } else { 7 },
        })
        .collect();
    rig.gl.set_program_bindings(
        &ProgramBindings {
            shader: program,
            version: 1,
            _pad: 0,
        },
        &bindings,
    );
    let red = rig.buffer(&floats(&[1.0, 0.0, 0.0, 0.0]));
    let blue = rig.buffer(&floats(&[0.0, 0.0, 2.0, 2.0]));
    let mut head = shader_buffers(BufferClass::Uniform, 1);
    head.start = 3;
    rig.gl.set_shader_buffers(&head, &[whole(red)]);
    head.start = 7;
    rig.gl.set_shader_buffers(&head, &[whole(blue)]);
    rig.gl.set_global_constants(
        &GlobalConstants {
            shader: program,
            version: 1,
            _pad: 0,
        },
        &floats(&[0.5, 0.0, 0.0, 0.0])[..artifact.default_block_size as usize],
    );
    rig.use_program(program);
    rig.draw_arrays(Primitive::Triangles, 0, 3);
    assert_eq!(rig.pixel(8, 8), [255, 0, 255, 255]);
}

#[test]
fn compute_writes_a_storage_buffer_and_an_image() {
    let mut rig = Rig::new();
    let program = rig.program(&[(
        Stage::Compute,
        "#version 430 core
layout(local_size_x = 4) in;
layout(std430, binding = 2) buffer Values { uint value[]; };
layout(rgba8, binding = 1) writeonly uniform image2D target;
void main() {
    value[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x * 3u;
    imageStore(target, ivec2(0, 0), vec4(0.0, 1.0, 0.0, 1.0));
}
",
    )]);
    rig.gl.set_dispatch_program(&ShaderOnly { id: program });
    let buffer = rig.buffer(&[0; 16]);
    let texture = rig.texture(texture_desc(Target::Texture2D, Format::Rgba8, 1, 1));
    let mut head = shader_buffers(BufferClass::ShaderStorage, 1);
    head.start = 2;
    head.writable_mask = 1;
    rig.gl.set_shader_buffers(&head, &[whole(buffer)]);
    rig.gl.set_shader_images(
        &SlotRange { start: 1, count: 1 },
        &[ImageView {
            texture,
            format: Format::Rgba8,
            level: 0,
            layer: 0,
            access: 0x88B9,
            layered: 0,
            _pad: 0,
        }],
    );
    let _ = rig.gl.launch_grid(&GridInfo {
        groups: ALL,
        x: 1,
        y: 1,
        z: 1,
        indirect_offset_bytes: WHOLE,
    });
    let _ = rig.gl.memory_barrier(&MemoryBarrier {
        groups: ALL,
        bits: !0,
        by_region: 0,
    });
    rig.check();
    let bytes = rig.buffer_bytes(buffer, 16);
    let words: Vec<u32> = bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|b| u32::from_ne_bytes(*b))
        .collect();
    assert_eq!(words, [0, 3, 6, 9]);
    let texel = image(
        &mut rig,
        texture,
        0,
        box2(1, 1),
        PixelFormat::Rgba,
        PixelType::UnsignedByte,
    );
    assert_eq!(texel, [0, 255, 0, 255]);
}

#[test]
fn point_size_of_the_state_is_used_where_the_program_writes_none() {
    let mut rig = Rig::new();
    rig.clear([0.0; 4]);
    let program = rig.program(&[
        (
            Stage::Vertex,
            "#version 330 core
void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }
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
    rig.state.primitive.point_size = 8.0;
    rig.tell_state();
    rig.draw_arrays(Primitive::Points, 0, 1);
    let covered = rig
        .read(PixelFormat::Red, PixelType::UnsignedByte)
        .iter()
        .filter(|v| **v == 255)
        .count();
    assert_eq!(covered, 64);
    rig.clear([0.0; 4]);
    rig.state.primitive.point_size = 2.0;
    rig.tell_state();
    rig.draw_arrays(Primitive::Points, 0, 1);
    let covered = rig.read(PixelFormat::Red, PixelType::UnsignedByte);
    assert_eq!(covered.iter().filter(|v| **v == 255).count(), 4);
}
