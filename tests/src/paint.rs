//! A program that fills rectangles: what scenarios draw with when the subject is not the program. It must not touch any
//! state but the program, its vertex array and its uniforms.

use glow::HasContext;

use crate::gl::Gl;

/// One triangle that covers the viewport, without attributes.
pub const TRI: &str = "#version 330 core
void main() {
    vec2 c = vec2(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0);
    gl_Position = vec4(c, 0.0, 1.0);
}";

const RECT: &str = "#version 330 core
uniform vec4 rect; uniform float depth;
void main() {
    vec2 c = vec2((gl_VertexID & 1) == 0 ? rect.x : rect.z, (gl_VertexID & 2) == 0 ? rect.y : rect.w);
    gl_Position = vec4(c, depth, 1.0);
}";

const FILL: &str = "#version 330 core
uniform vec4 color; out vec4 o;
void main() { o = color; }";

pub const WHOLE: [f32; 4] = [-1.0, -1.0, 1.0, 1.0];
pub const LEFT: [f32; 4] = [-1.0, -1.0, 0.0, 1.0];
pub const RIGHT: [f32; 4] = [0.0, -1.0, 1.0, 1.0];

pub const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
pub const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];
pub const BLUE: [f32; 4] = [0.0, 0.0, 1.0, 1.0];
pub const WHITE: [f32; 4] = [1.0; 4];

pub const RED8: [u8; 4] = [255, 0, 0, 255];
pub const GREEN8: [u8; 4] = [0, 255, 0, 255];
pub const BLUE8: [u8; 4] = [0, 0, 255, 255];
pub const WHITE8: [u8; 4] = [255; 4];
pub const NOTHING8: [u8; 4] = [0; 4];

/// The program and its vertex array, both bound.
pub struct Painter {
    pub program: glow::NativeProgram,
    pub array: glow::NativeVertexArray,
    rect: Option<glow::NativeUniformLocation>,
    depth: Option<glow::NativeUniformLocation>,
    color: Option<glow::NativeUniformLocation>,
}

impl Painter {
    pub unsafe fn new(gl: &Gl) -> Painter {
        let program = gl.program(RECT, FILL);
        let array = gl.vertex_array();
        gl.use_program(Some(program));
        Painter {
            program,
            array,
            rect: gl.get_uniform_location(program, "rect"),
            depth: gl.get_uniform_location(program, "depth"),
            color: gl.get_uniform_location(program, "color"),
        }
    }

    /// Fills `rect` (left, bottom, right, top in clip space), counter-clockwise, at depth 0.
    pub unsafe fn fill(&self, gl: &Gl, rect: [f32; 4], color: [f32; 4]) {
        self.fill_at(gl, rect, color, 0.0);
    }

    /// Fills `rect` at a depth in clip space.
    pub unsafe fn fill_at(&self, gl: &Gl, rect: [f32; 4], color: [f32; 4], depth: f32) {
        gl.uniform_4_f32_slice(self.rect.as_ref(), &rect);
        gl.uniform_1_f32(self.depth.as_ref(), depth);
        gl.uniform_4_f32_slice(self.color.as_ref(), &color);
        gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
    }
}
