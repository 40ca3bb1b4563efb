//! Objects through the executor onto the driver, a file per kind. Expected values are the specification's, never our own output.

mod framebuffers;
mod programs;
#[path = "../rig/mod.rs"]
mod rig;
mod session;
mod textures;
mod vertex_input;

use pipe::pixels::{PixelFormat, PixelType};
use pipe::program::Stage;
use pipe::*;
use rig::*;

const FULL: &str = "#version 330 core
void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
}
";

/// Draws the whole viewport with a fragment shader.
fn cover(rig: &mut Rig, fragment: &str) -> ShaderId {
    let program = rig.program(&[(Stage::Vertex, FULL), (Stage::Fragment, fragment)]);
    rig.use_program(program);
    rig.draw_arrays(Primitive::Triangles, 0, 3);
    program
}

fn image(
    rig: &mut Rig,
    texture: TextureId,
    level: u16,
    src: Box3,
    format: PixelFormat,
    ty: PixelType,
) -> Vec<u8> {
    let group = usize::from(pipe::pixels::group_bytes(format, ty));
    let mut out = vec![0; (src.width * src.height * src.depth) as usize * group];
    rig.gl.set_pixel_pack_state(&PixelPack {
        store: pipe::pixels::PixelStore {
            alignment: 1,
            ..Default::default()
        },
    });
    let _ = rig.gl.get_texture_image(
        &GetTextureImage {
            groups: ALL,
            texture,
            level,
            format,
            ty,
            _pad0: 0,
            src,
            _pad1: 0,
            pack_buffer: BufferId::NULL,
            pack_offset_bytes: 0,
        },
        ReplyBytes(Some(&mut out)),
    );
    rig.check();
    out
}
