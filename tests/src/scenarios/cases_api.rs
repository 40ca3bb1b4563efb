//! Failures that users of such libraries reported, as they are told in public: buffers, textures, framebuffers, queries, captures,
//! contexts, read-back. Each runs the steps of its case and nothing else; what is expected comes from the specification and from two
//! conformant drivers.

use std::ffi::CString;

use glow::HasContext;

use crate::gl::{Gl, bytes_of};
use crate::paint::*;

/// FBO16: a target of 16x16 texels.
unsafe fn fbo16(gl: &Gl) -> crate::gl::Target {
    gl.target(16, 16)
}

/// One triangle over the viewport.
unsafe fn tri(gl: &Gl, fragment: &str) -> glow::NativeProgram {
    let program = gl.program(TRI, fragment);
    gl.use_program(Some(program));
    gl.vertex_array();
    program
}

unsafe fn contents(gl: &Gl, target: u32, length: usize) -> Vec<u8> {
    let mut bytes = vec![0x5a; length];
    gl.get_buffer_sub_data(target, 0, &mut bytes);
    gl.keep("buffer contents", &bytes);
    bytes
}

/// Rule: the offset of `glFlushMappedBufferRange` counts from the mapping, INVALID_VALUE past its end (GL 4.6 core §6.3).
/// Public report: <https://github.com/baldurk/renderdoc/pull/833>
pub unsafe fn h09_explicit_flush_offset(gl: &Gl) {
    gl.buffer(glow::ARRAY_BUFFER, &[0x11; 16]);
    let map = |offset, length, access| {
        let at = gl.map_buffer_range(glow::ARRAY_BUFFER, offset, length, access);
        assert!(!at.is_null(), "a mapping at {offset}");
        at
    };
    map(8, 8, glow::MAP_WRITE_BIT | glow::MAP_FLUSH_EXPLICIT_BIT).write_bytes(0x77, 4);
    gl.flush_mapped_buffer_range(glow::ARRAY_BUFFER, 0, 4);
    gl.no_error("flush(0, 4)");
    gl.flush_mapped_buffer_range(glow::ARRAY_BUFFER, 4, 8);
    gl.error(glow::INVALID_VALUE, "flush(4, 8)");
    assert_eq!(gl.raw.glUnmapBuffer(glow::ARRAY_BUFFER), 1);
    let seen = contents(gl, glow::ARRAY_BUFFER, 16);
    assert_eq!(seen[..8], [0x11; 8]);
    assert_eq!(seen[8..12], [0x77; 4]);
    map(0, 8, glow::MAP_WRITE_BIT);
    gl.flush_mapped_buffer_range(glow::ARRAY_BUFFER, 0, 4);
    gl.error(
        glow::INVALID_OPERATION,
        "a flush of a mapping without that bit",
    );
    gl.unmap_buffer(glow::ARRAY_BUFFER);
    map(4, 4, glow::MAP_WRITE_BIT | glow::MAP_INVALIDATE_RANGE_BIT).write_bytes(0x55, 4);
    gl.unmap_buffer(glow::ARRAY_BUFFER);
    let seen = contents(gl, glow::ARRAY_BUFFER, 16);
    assert_eq!(seen[..12], [[0x11; 4], [0x55; 4], [0x77; 4]].concat());
}

/// Rule: mapping is by object and not by target; a persistently mapped buffer may be used (GL 4.6 core §6.2, §6.3).
/// Public report: <https://github.com/MobileGL-Dev/MobileGlues-release/issues/431>
pub unsafe fn h10_persistent_mapping_of_every_target(gl: &Gl) {
    gl.vertex_array();
    let persistent = glow::MAP_WRITE_BIT | glow::MAP_PERSISTENT_BIT;
    for target in [
        glow::ARRAY_BUFFER,
        glow::ELEMENT_ARRAY_BUFFER,
        glow::UNIFORM_BUFFER,
        glow::COPY_READ_BUFFER,
        glow::COPY_WRITE_BUFFER,
        glow::PIXEL_UNPACK_BUFFER,
        glow::TEXTURE_BUFFER,
        glow::DRAW_INDIRECT_BUFFER,
        glow::SHADER_STORAGE_BUFFER,
    ] {
        let what = format!("target {target:#06x}");
        let buffer = gl.create_buffer().expect("glGenBuffers");
        gl.bind_buffer(target, Some(buffer));
        let flags = persistent | glow::DYNAMIC_STORAGE_BIT;
        gl.buffer_storage(target, 4096, None, flags);
        let access = persistent | glow::MAP_UNSYNCHRONIZED_BIT | glow::MAP_FLUSH_EXPLICIT_BIT;
        let at = gl.map_buffer_range(target, 1024, 2048, access);
        gl.no_error(&what);
        assert!(!at.is_null(), "{what}");
        assert!(gl.map_buffer_range(target, 1024, 2048, access).is_null());
        gl.error(glow::INVALID_OPERATION, "a second mapping");
        let get = |name| gl.get_buffer_parameter_i32(target, name);
        assert_eq!(get(glow::BUFFER_MAPPED), 1, "{what}");
        assert_eq!(get(BUFFER_MAP_OFFSET), 1024, "{what}");
        gl.buffer_sub_data_u8_slice(target, 0, &[1, 2, 3, 4]);
        gl.no_error("glBufferSubData of a persistently mapped buffer");
        gl.unmap_buffer(target);
        gl.bind_buffer(target, None);
    }
    let buffer = gl.create_buffer().expect("glGenBuffers");
    gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
    gl.buffer_storage(glow::ARRAY_BUFFER, 4096, None, glow::MAP_WRITE_BIT);
    assert!(
        gl.map_buffer_range(glow::ARRAY_BUFFER, 0, 4096, persistent)
            .is_null()
    );
    gl.error(glow::INVALID_OPERATION, "storage that is not persistent");
    gl.buffer_data_size(glow::ARRAY_BUFFER, 16, glow::STATIC_DRAW);
    gl.error(glow::INVALID_OPERATION, "glBufferData of immutable storage");
    gl.buffer_sub_data_u8_slice(glow::ARRAY_BUFFER, 0, &[1, 2, 3, 4]);
    gl.error(glow::INVALID_OPERATION, "storage that is not dynamic");
    assert!(!gl.raw.glMapBuffer(glow::ARRAY_BUFFER, WRITE_ONLY).is_null());
    gl.unmap_buffer(glow::ARRAY_BUFFER);
}

const BUFFER_MAP_OFFSET: u32 = 0x9121;
const WRITE_ONLY: u32 = 0x88B9;

/// Rule: the internal format alone decides the storage (GL 4.6 core §8.5).
/// Public report: <https://github.com/ptitSeb/gl4es/issues/469>
pub unsafe fn h11_no_data_does_not_choose_the_storage(gl: &Gl) {
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    gl.raw.glTexImage2D(
        glow::TEXTURE_2D,
        0,
        glow::R16F as i32,
        16,
        16,
        0,
        glow::RED,
        glow::UNSIGNED_BYTE,
        std::ptr::null(),
    );
    gl.nearest();
    gl.no_error("a half-float image of bytes without data");
    let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::COLOR_ATTACHMENT0,
        glow::TEXTURE_2D,
        Some(texture),
        0,
    );
    assert_eq!(
        gl.check_framebuffer_status(glow::FRAMEBUFFER),
        glow::FRAMEBUFFER_COMPLETE
    );
    let get = |name| gl.get_tex_level_parameter_i32(glow::TEXTURE_2D, 0, name);
    assert_eq!(get(glow::TEXTURE_INTERNAL_FORMAT), 0x822D);
    assert_eq!(get(0x805C), 16, "TEXTURE_RED_SIZE");
    assert_eq!(get(0x8C10), glow::FLOAT as i32, "TEXTURE_RED_TYPE");
    assert_eq!(get(0x805D), 0, "TEXTURE_GREEN_SIZE");
    gl.viewport(0, 0, 16, 16);
    tri(
        gl,
        "#version 330 core
out vec4 o; void main() { o = vec4(-3.5, 1.0, 1.0, 1.0); }",
    );
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    let mut seen = [0; 16];
    gl.read(4, 4, 1, 1, glow::RGBA, glow::FLOAT, &mut seen);
    assert_eq!(seen[..], bytes_of(&[-3.5f32, 0.0, 0.0, 1.0]));
}

/// Rule: unpack parameters say what is read, and nothing behind the last byte needed is (GL 4.6 core §8.4.1, §8.4.4.1).
/// Public report: <https://github.com/xCollateral/VulkanMod/pull/872>
pub unsafe fn h12_unpack_state(gl: &Gl) {
    let source: Vec<u8> = (0..20u8).flat_map(|i| [i, 100 + i, 200, 255]).collect();
    fbo16(gl);
    tri(
        gl,
        "#version 330 core
uniform sampler2D t; out vec4 o; void main() { o = texelFetch(t, ivec2(gl_FragCoord.xy), 0); }",
    );
    gl.viewport(0, 0, 4, 4);
    gl.texture_rgba8(4, 4, Some(&[0; 64]));
    let store = |row_length, skip_pixels, skip_rows| {
        gl.pixel_store_i32(glow::UNPACK_ROW_LENGTH, row_length);
        gl.pixel_store_i32(glow::UNPACK_SKIP_PIXELS, skip_pixels);
        gl.pixel_store_i32(glow::UNPACK_SKIP_ROWS, skip_rows);
    };
    let part = |at: [i32; 2], size: [i32; 2], data: glow::PixelUnpackData<'_>| {
        gl.tex_sub_image_2d(
            glow::TEXTURE_2D,
            0,
            at[0],
            at[1],
            size[0],
            size[1],
            glow::RGBA,
            glow::UNSIGNED_BYTE,
            data,
        );
    };
    let seen = |wanted: &[(i32, i32, u8)], what: &str| {
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        for (x, y, i) in wanted {
            gl.expect(*x, *y, [*i, 100 + i, 200, 255], what);
        }
    };
    let window = [(1, 1, 7), (2, 1, 8), (1, 2, 12), (2, 2, 13)];
    store(5, 2, 1);
    part([1, 1], [2, 2], glow::PixelUnpackData::Slice(Some(&source)));
    seen(&window, "a window of the source");
    store(0, 0, 0);
    part([0, 3], [4, 1], glow::PixelUnpackData::Slice(Some(&source)));
    seen(&[(0, 3, 0), (3, 3, 3)], "a row from the start");
    part([0, 0], [4, 4], glow::PixelUnpackData::Slice(Some(&[0; 64])));
    store(5, 2, 1);
    gl.buffer(glow::PIXEL_UNPACK_BUFFER, &source[..56]);
    part([1, 1], [2, 2], glow::PixelUnpackData::BufferOffset(0));
    gl.no_error("56 bytes");
    seen(&window, "from a buffer of just what is needed");
    gl.buffer(glow::PIXEL_UNPACK_BUFFER, &source[..55]);
    part([1, 1], [2, 2], glow::PixelUnpackData::BufferOffset(0));
    gl.error(glow::INVALID_OPERATION, "55 bytes");
    gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None);
    store(0, 0, 0);
    let bytes: Vec<u8> = (0..24).collect();
    gl.tex_image_2d(
        glow::TEXTURE_2D,
        0,
        glow::RGB8 as i32,
        3,
        2,
        0,
        glow::RGB,
        glow::UNSIGNED_BYTE,
        glow::PixelUnpackData::Slice(Some(&bytes)),
    );
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(0, 1, [12, 13, 14, 255], "rows of three components");
}

/// Rule: a draw buffer may be any attachment or none; a name twice is INVALID_OPERATION; they belong to the framebuffer
/// (GL 4.6 core §17.4.1).
/// Public report: <https://github.com/KhronosGroup/OpenGL-API/issues/98>
pub unsafe fn h13_draw_buffers_in_any_order(gl: &Gl) {
    const CA0: u32 = glow::COLOR_ATTACHMENT0;
    const CA1: u32 = glow::COLOR_ATTACHMENT1;
    let other = fbo16(gl);
    let fb = fbo16(gl);
    let second = gl.texture_rgba8(16, 16, None);
    gl.framebuffer_texture_2d(glow::FRAMEBUFFER, CA1, glow::TEXTURE_2D, Some(second), 0);
    tri(
        gl,
        "#version 330 core
layout(location = 0) out vec4 a; layout(location = 1) out vec4 b;
void main() { a = vec4(0.2, 0.0, 0.0, 1.0); b = vec4(0.0, 0.4, 0.0, 1.0); }",
    );
    let (red, green) = ([51, 0, 0, 255], [0, 102, 0, 255]);
    for (buffers, first, last) in [
        ([CA1, glow::NONE], NOTHING8, red),
        ([CA1, CA0], green, red),
        ([glow::NONE, CA0], green, NOTHING8),
    ] {
        gl.draw_buffers(&[CA0, CA1]);
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.draw_buffers(&buffers);
        assert_eq!(
            gl.check_framebuffer_status(glow::FRAMEBUFFER),
            glow::FRAMEBUFFER_COMPLETE
        );
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.no_error("draw buffers in any order");
        gl.read_buffer(CA0);
        gl.expect(8, 8, first, "attachment 0");
        gl.read_buffer(CA1);
        gl.expect(8, 8, last, "attachment 1");
    }
    gl.draw_buffers(&[CA1]);
    assert_eq!(gl.get_parameter_i32(glow::DRAW_BUFFER0), CA1 as i32);
    gl.draw_buffers(&[CA0, CA0]);
    gl.error(glow::INVALID_OPERATION, "an attachment twice");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(other.framebuffer));
    assert_eq!(gl.get_parameter_i32(glow::DRAW_BUFFER0), CA0 as i32);
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(fb.framebuffer));
}

/// Rule: a framebuffer without colour may draw to NONE and read from NONE; reading colour is then INVALID_OPERATION, depth is not
/// (GL 4.6 core §9.4.2, §17.4.1, §18.2.1).
/// Public report: <https://github.com/openscenegraph/OpenSceneGraph/pull/1094>
pub unsafe fn h14_depth_only_framebuffer(gl: &Gl) {
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    gl.tex_image_2d(
        glow::TEXTURE_2D,
        0,
        glow::DEPTH_COMPONENT24 as i32,
        16,
        16,
        0,
        glow::DEPTH_COMPONENT,
        glow::UNSIGNED_INT,
        glow::PixelUnpackData::Slice(None),
    );
    gl.nearest();
    let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::DEPTH_ATTACHMENT,
        glow::TEXTURE_2D,
        Some(texture),
        0,
    );
    gl.draw_buffer(glow::NONE);
    gl.read_buffer(glow::NONE);
    assert_eq!(
        gl.check_framebuffer_status(glow::FRAMEBUFFER),
        glow::FRAMEBUFFER_COMPLETE
    );
    gl.viewport(0, 0, 16, 16);
    gl.clear_depth_f32(1.0);
    gl.clear(glow::DEPTH_BUFFER_BIT);
    gl.enable(glow::DEPTH_TEST);
    gl.depth_func(glow::ALWAYS);
    let at_half = TRI.replace("vec4(c, 0.0, 1.0)", "vec4(c, -0.5, 1.0)");
    gl.use_program(Some(
        gl.program(&at_half, "#version 330 core\nvoid main() {}"),
    ));
    gl.vertex_array();
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    let mut depth = [0; 4];
    gl.read(2, 2, 1, 1, glow::DEPTH_COMPONENT, glow::FLOAT, &mut depth);
    gl.no_error("up to the read of depth");
    let seen = f32::from_ne_bytes(depth);
    assert!((seen - 0.25).abs() < 1e-6, "depth {seen}");
    let mut color = [9; 4];
    gl.read(2, 2, 1, 1, glow::RGBA, glow::UNSIGNED_BYTE, &mut color);
    gl.error(glow::INVALID_OPERATION, "a read of colour from NONE");
    assert_eq!(color, [9; 4]);
    assert_eq!(gl.get_parameter_i32(glow::READ_BUFFER), glow::NONE as i32);
}

const H15_VERTEX: &str = "#version 330 core
layout(std140, row_major) uniform Tile { float gain; mat4x3 xf; vec3 dir; float bias; vec2 pts[2]; } tile;
layout(std140) uniform Grid { mat2x3 m; float k; vec3 q; float z; };
out vec4 v;
void main() {
    vec2 c = vec2(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0);
    v = vec4(tile.xf[3][2], tile.bias, tile.pts[1].y, k) + (tile.gain + tile.dir.x + m[0][0] + q.x + z) * 0.0;
    gl_Position = vec4(c, 0.0, 1.0);
}";

/// Rule: members of a block have the block's name only where it has an instance name; offsets belong to the index; maximum lengths
/// include the terminator (GL 4.6 core §7.3.1.1, §7.6, §7.6.2.2).
/// Public report: <https://github.com/pyglet/pyglet/pull/473>
pub unsafe fn h15_uniform_block_introspection(gl: &Gl) {
    fbo16(gl);
    let program = gl.program(
        H15_VERTEX,
        "#version 330 core
in vec4 v; out vec4 o; void main() { o = v; }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    let names = [
        "Tile.gain",
        "Tile.xf",
        "Tile.dir",
        "Tile.bias",
        "Tile.pts[0]",
        "m",
        "k",
        "q",
        "z",
    ];
    let strings: Vec<CString> = names
        .iter()
        .map(|name| CString::new(*name).expect("no zero in a name"))
        .collect();
    let pointers: Vec<_> = strings.iter().map(|name| name.as_ptr()).collect();
    let mut indices = [0u32; 9];
    let raw = program.0.get();
    gl.raw
        .glGetUniformIndices(raw, 9, pointers.as_ptr(), indices.as_mut_ptr());
    let get = |pname: u32| {
        let mut values = [-7i32; 9];
        gl.raw
            .glGetActiveUniformsiv(raw, 9, indices.as_ptr(), pname, values.as_mut_ptr());
        values
    };
    assert_eq!(
        get(glow::UNIFORM_OFFSET),
        [0, 16, 64, 76, 80, 0, 32, 48, 60]
    );
    assert_eq!(get(glow::UNIFORM_MATRIX_STRIDE)[1], 16);
    assert_eq!(get(glow::UNIFORM_MATRIX_STRIDE)[5], 16);
    assert_eq!(get(glow::UNIFORM_IS_ROW_MAJOR), [0, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(get(glow::UNIFORM_ARRAY_STRIDE)[4], 16);
    for (name, index) in names.iter().zip(indices) {
        let active = gl.get_active_uniform(program, index);
        assert_eq!(active.expect("an active uniform").name, *name);
        assert!(gl.get_uniform_location(program, name).is_none(), "{name}");
    }
    let block = |name| gl.get_uniform_block_index(program, name);
    let (tile, grid) = (block("Tile").expect("Tile"), block("Grid").expect("Grid"));
    let size = |index| {
        gl.get_active_uniform_block_parameter_i32(program, index, glow::UNIFORM_BLOCK_DATA_SIZE)
    };
    assert!(size(tile) >= 112 && size(grid) >= 64);
    assert_eq!(block("tile"), None);
    let of_program = |name| gl.get_program_parameter_i32(program, name);
    assert_eq!(of_program(glow::ACTIVE_UNIFORM_BLOCKS), 2);
    assert_eq!(of_program(glow::ACTIVE_UNIFORM_MAX_LENGTH), 12);
    gl.uniform_block_binding(program, tile, 6);
    gl.uniform_block_binding(program, grid, 2);
    let fill = |length: i32, floats: &[(usize, f32)], point| {
        let mut bytes = vec![0; length as usize];
        for (at, value) in floats {
            bytes[*at..at + 4].copy_from_slice(&value.to_ne_bytes());
        }
        let buffer = gl.buffer(glow::UNIFORM_BUFFER, &bytes);
        gl.bind_buffer_base(glow::UNIFORM_BUFFER, point, Some(buffer));
    };
    fill(size(tile), &[(60, 0.2), (76, 0.4), (100, 0.6)], 6);
    fill(size(grid), &[(32, 0.8)], 2);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(8, 8, [51, 102, 153, 204], "members at their offsets");
}

/// Rule: gl_InstanceID starts at 0 whatever the base instance is; the base instance moves attributes with a divisor alone
/// (GL 4.6 core §10.4, §11.1.3.9).
/// Public report: <https://github.com/gfx-rs/wgpu/issues/4276>
pub unsafe fn h16_instance_id_and_base_instance(gl: &Gl) {
    fbo16(gl);
    let program = gl.program(
        "#version 330 core
layout(location = 0) in float a; flat out float red;
void main() {
    vec2 c = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
    float x = -1.0 + 0.5 * float(gl_InstanceID);
    red = a / 255.0;
    gl_Position = vec4(x + 0.5 * c.x, c.y * 2.0 - 1.0, 0.0, 1.0);
}",
        "#version 330 core
flat in float red; out vec4 o; void main() { o = vec4(red, 0.0, 0.0, 1.0); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    let values: Vec<f32> = (1..=8).map(|i| i as f32 * 10.0).collect();
    gl.attribute(0, 1, &values);
    gl.vertex_attrib_divisor(0, 1);
    gl.draw_arrays_instanced_base_instance(glow::TRIANGLE_STRIP, 0, 4, 2, 5);
    gl.no_error("a base instance");
    gl.expect(2, 8, [60, 0, 0, 255], "instance 0");
    gl.expect(6, 8, [70, 0, 0, 255], "instance 1");
    gl.expect(10, 8, NOTHING8, "no instance 2");
    gl.expect(14, 8, NOTHING8, "no instance 3");
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.buffer(glow::DRAW_INDIRECT_BUFFER, &bytes_of(&[4u32, 2, 0, 3]));
    gl.draw_arrays_indirect_offset(glow::TRIANGLE_STRIP, 0);
    gl.no_error("an indirect draw");
    gl.expect(2, 8, [40, 0, 0, 255], "indirect, instance 0");
    gl.expect(6, 8, [50, 0, 0, 255], "indirect, instance 1");
    gl.expect(10, 8, NOTHING8, "indirect, no instance 2");
}

/// Rule: any index may restart primitives, and it is compared before the base vertex is added (GL 4.6 core §10.3.6).
/// Public report: <https://github.com/OGRECave/ogre/issues/649>
pub unsafe fn h17_restart_index_and_base_vertex(gl: &Gl) {
    const PRIMITIVE_RESTART: u32 = 0x8F9D;
    const PRIMITIVE_RESTART_INDEX: u32 = 0x8F9E;
    fbo16(gl);
    let program = gl.program(
        "#version 330 core
layout(location = 0) in vec2 at; layout(location = 1) in vec3 color; flat out vec3 c;
void main() { c = color; gl_Position = vec4(at, 0.0, 1.0); }",
        "#version 330 core
flat in vec3 c; out vec4 o; void main() { o = vec4(c, 1.0); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    let (mut places, mut colors) = (Vec::new(), Vec::new());
    for (x, color) in [
        (-0.75f32, [0.2f32, 0.0, 0.0]),
        (0.0, [0.0, 0.4, 0.0]),
        (0.75, [0.0, 0.0, 0.6]),
    ] {
        for (dx, y) in [(-0.2, -0.5), (0.2, -0.5), (-0.2, 0.5), (0.2, 0.5)] {
            places.extend([x + dx, y]);
            colors.extend(color);
        }
    }
    gl.attribute(0, 2, &places);
    gl.attribute(1, 3, &colors);
    let indices = [0u16, 1, 2, 3, 7, 4, 5, 6];
    gl.buffer(glow::ELEMENT_ARRAY_BUFFER, &bytes_of(&indices));
    gl.enable(PRIMITIVE_RESTART);
    gl.raw.glPrimitiveRestartIndex(7);
    gl.draw_elements_base_vertex(glow::TRIANGLE_STRIP, 8, glow::UNSIGNED_SHORT, 0, 4);
    gl.expect(8, 8, [0, 102, 0, 255], "the first quad");
    gl.expect(11, 8, NOTHING8, "the gap");
    gl.expect(13, 5, [0, 0, 153, 255], "the triangle behind the restart");
    gl.expect(14, 11, NOTHING8, "beside the triangle");
    assert_eq!(gl.get_parameter_i32(PRIMITIVE_RESTART_INDEX), 7);
    assert!(gl.is_enabled(PRIMITIVE_RESTART));
    gl.disable(PRIMITIVE_RESTART);
}

/// Rule: a capture begins with POINTS, LINES or TRIANGLES; with TRIANGLES strips and fans are captured as separate triangles, and other
/// modes are INVALID_OPERATION (GL 4.6 core §13.3.2, §13.3.3).
/// Public report: <https://github.com/moderngl/moderngl/issues/441>
pub unsafe fn h18_capture_of_fans_and_strips(gl: &Gl) {
    fbo16(gl);
    let program = gl.create_program().expect("glCreateProgram");
    for (stage, source) in [
        (
            glow::VERTEX_SHADER,
            "#version 330 core
layout(location = 0) in float a; out float w;
void main() { w = a; gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }",
        ),
        (
            glow::FRAGMENT_SHADER,
            "#version 330 core
in float w; out vec4 o; void main() { o = vec4(w); }",
        ),
    ] {
        let shader = gl.create_shader(stage).expect("glCreateShader");
        gl.shader_source(shader, source);
        gl.compile_shader(shader);
        gl.attach_shader(program, shader);
    }
    gl.transform_feedback_varyings(program, &["w"], glow::INTERLEAVED_ATTRIBS);
    gl.link_program(program);
    assert!(gl.get_program_link_status(program));
    gl.use_program(Some(program));
    gl.vertex_array();
    gl.attribute(0, 1, &[1.0, 2.0, 3.0, 4.0, 5.0]);
    let buffer = gl.buffer(glow::TRANSFORM_FEEDBACK_BUFFER, &bytes_of(&[-1.0f32; 16]));
    gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, Some(buffer));
    gl.enable(glow::RASTERIZER_DISCARD);
    gl.begin_transform_feedback(glow::TRIANGLE_FAN);
    gl.error(glow::INVALID_ENUM, "a capture of fans");
    let query = gl.create_query().expect("glGenQueries");
    gl.begin_query(glow::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
    gl.begin_transform_feedback(glow::TRIANGLES);
    gl.draw_arrays(glow::TRIANGLE_FAN, 0, 5);
    gl.no_error("a fan while triangles are captured");
    gl.draw_arrays(glow::POINTS, 0, 1);
    gl.error(
        glow::INVALID_OPERATION,
        "points while triangles are captured",
    );
    gl.end_transform_feedback();
    gl.end_query(glow::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    gl.disable(glow::RASTERIZER_DISCARD);
    assert_eq!(gl.get_query_parameter_u32(query, glow::QUERY_RESULT), 3);
    let seen = contents(gl, glow::TRANSFORM_FEEDBACK_BUFFER, 64);
    let triangles = [1.0f32, 2.0, 3.0, 1.0, 3.0, 4.0, 1.0, 4.0, 5.0];
    assert_eq!(seen[..36], bytes_of(&triangles));
    assert_eq!(seen[36..], bytes_of(&[-1.0f32; 7]));
}

/// Rule: pixels are converted to any legal format and type; pack parameters say where they go, and gaps stay as they are
/// (GL 4.6 core §8.11, §18.2, §18.2.9).
/// Public report: <https://github.com/OpenRA/OpenRA/issues/17087>
pub unsafe fn h20_bgra_and_pack_parameters(gl: &Gl) {
    fbo16(gl);
    gl.clear_color(0.2, 0.4, 0.6, 0.8);
    gl.clear(glow::COLOR_BUFFER_BIT);
    let near = |seen: &[u8], wanted: &[u8], what: &str| {
        let off = |(a, b): (&u8, &u8)| a.abs_diff(*b) > 1;
        assert!(
            seen.len() == wanted.len() && !seen.iter().zip(wanted).any(off),
            "{what}: {seen:?}"
        );
    };
    let read = |format, ty, size| {
        let mut out = vec![0; size];
        gl.read(3, 3, 1, 1, format, ty, &mut out);
        out
    };
    let bytes = glow::UNSIGNED_BYTE;
    near(&read(glow::BGRA, bytes, 4), &[153, 102, 51, 204], "BGRA");
    near(&read(glow::BGR, bytes, 3), &[153, 102, 51], "BGR");
    near(&read(glow::RED, bytes, 1), &[51], "RED");
    let floats = read(glow::RGBA, glow::FLOAT, 16);
    for (seen, wanted) in floats.as_chunks::<4>().0.iter().zip([0.2, 0.4, 0.6, 0.8]) {
        let seen = f32::from_ne_bytes(*seen);
        assert!((seen - wanted).abs() < 0.005, "float {seen}");
    }
    let packed = read(glow::RGB, glow::UNSIGNED_SHORT_5_6_5, 2);
    assert_eq!(u16::from_ne_bytes([packed[0], packed[1]]), 0x3333);
    let mut image = vec![0; 16 * 16 * 4];
    let out = glow::PixelPackData::Slice(Some(&mut image));
    gl.get_tex_image(glow::TEXTURE_2D, 0, glow::BGRA, bytes, out);
    near(&image[..4], &[153, 102, 51, 204], "glGetTexImage");
    let mut out = [0xEE; 160];
    gl.pixel_store_i32(glow::PACK_ROW_LENGTH, 8);
    gl.pixel_store_i32(glow::PACK_SKIP_PIXELS, 2);
    gl.pixel_store_i32(glow::PACK_SKIP_ROWS, 1);
    gl.read(0, 0, 3, 2, glow::RGBA, bytes, &mut out);
    let written = (40..52).chain(72..84);
    for (at, byte) in out.iter().enumerate() {
        let inside = written.clone().any(|i| i == at);
        assert_eq!(inside, *byte != 0xEE, "byte {at} is {byte:#x}");
    }
    gl.pixel_store_i32(glow::PACK_ROW_LENGTH, 0);
    gl.pixel_store_i32(glow::PACK_SKIP_PIXELS, 0);
    gl.pixel_store_i32(glow::PACK_SKIP_ROWS, 0);
    let mut out = [0xEE; 24];
    gl.read(0, 0, 3, 2, glow::RGB, bytes, &mut out);
    near(&out[..3], &[51, 102, 153], "the first row");
    near(&out[12..15], &[51, 102, 153], "the second row");
    assert_eq!((&out[9..12], &out[21..]), (&[0xEE; 3][..], &[0xEE; 3][..]));
}

/// Rule: the API that is bound and the context that is current are the thread's; a context is current on one thread at most
/// (EGL 1.5 §3.7, GL 4.6 core §5). An EGL without OpenGL ES starts with no API.
/// Public report: <https://github.com/google/filament/issues/10397>
pub unsafe fn h19_api_and_context_are_per_thread(gl: &Gl) {
    super::contexts::per_thread_current(gl);
}
