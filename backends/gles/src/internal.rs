//! Draws of our own: what ES cannot read or convert directly goes through a shader onto a readable image. They leave no trace in the application's state.

use crate::backend::GlesBackend;
use crate::framebuffers::Attachment;
use glow::HasContext;
use pipe_inputs::fields::Group;

/// What an internal program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copy {
    /// Bits of the depth, as an unsigned integer.
    Depth,
    Stencil,
    /// Any filterable or unfilterable float texture, as floats.
    Color,
}

/// Internal programs, made at first use.
#[derive(Debug, Default)]
pub struct Internal {
    programs: [Option<glow::NativeProgram>; 3],
}

const VERTEX: &str = "#version 320 es
void main() {
    // One triangle that covers the viewport.
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
}
";

impl Copy {
    const fn fragment(self) -> &'static str {
        match self {
            Self::Depth => {
                "#version 320 es
layout(binding = 0) uniform highp sampler2D source;
layout(location = 0) out highp uvec4 texel;
void main() {
    texel = uvec4(floatBitsToUint(texelFetch(source, ivec2(gl_FragCoord.xy), 0).r));
}
"
            }
            Self::Stencil => {
                "#version 320 es
layout(binding = 0) uniform highp usampler2D source;
layout(location = 0) out highp uvec4 texel;
void main() {
    texel = uvec4(texelFetch(source, ivec2(gl_FragCoord.xy), 0).r);
}
"
            }
            Self::Color => {
                "#version 320 es
layout(binding = 0) uniform highp sampler2D source;
layout(location = 0) out highp vec4 texel;
void main() {
    texel = texelFetch(source, ivec2(gl_FragCoord.xy), 0);
}
"
            }
        }
    }

    /// The readable image's format.
    const fn target(self) -> u32 {
        match self {
            Self::Depth | Self::Stencil => glow::RGBA32UI,
            Self::Color => glow::RGBA32F,
        }
    }
}

impl GlesBackend {
    /// Copies a 2D texture of our own (level 0) to a readable image and binds that for reading. The image is to be deleted by the caller.
    pub(crate) fn copy_to_readable(
        &mut self,
        what: Copy,
        source: glow::NativeTexture,
        width: i32,
        height: i32,
    ) -> Option<glow::NativeTexture> {
        let gl = self.gl;
        let program = self.internal_program(what)?;
        // SAFETY: GL rules 1 and 2.
        let target = unsafe { gl.create_texture() }.ok()?;
        self.cx.bind_scratch(gl, glow::TEXTURE_2D, target);
        // SAFETY: GL rules 1 and 2.
        unsafe { gl.tex_storage_2d(glow::TEXTURE_2D, 1, what.target(), width, height) };
        let attachment = Attachment::Texture2D {
            name: target,
            target: glow::TEXTURE_2D,
            level: 0,
        };
        let bound = self.cx.bind_scratch_framebuffer(
            gl,
            glow::DRAW_FRAMEBUFFER,
            attachment,
            Attachment::None,
            Attachment::None,
        );
        if let Err(why) = bound {
            self.say_once("internal copy", &why);
            // SAFETY: GL rules 1 and 2.
            unsafe { gl.delete_texture(target) };
            return None;
        }
        self.cx.bind_unit(
            gl,
            0,
            crate::context::Unit {
                target: glow::TEXTURE_2D,
                texture: Some(source),
                sampler: None,
            },
        );
        let before = self.cx.program;
        self.uncaptured(|this| {
            this.cx.use_program(gl, Some(program));
            this.cx.render.set_for_copy(gl, width, height);
            // SAFETY: GL rule 1.
            this.cx
                .vertex
                .without_arrays(gl, || unsafe { gl.draw_arrays(glow::TRIANGLES, 0, 3) });
            this.cx.use_program(gl, before);
        });
        self.cx.bind_unit(gl, 0, crate::context::Unit::default());
        let read = self.cx.bind_scratch_framebuffer(
            gl,
            glow::READ_FRAMEBUFFER,
            attachment,
            Attachment::None,
            Attachment::None,
        );
        // The application's state is told again at the next verb.
        for group in [Group::render_state, Group::framebuffer] {
            self.cx.forget(group);
        }
        self.cx.bound_program = None;
        self.cx.dispatch_bound = None;
        read.ok().map(|()| target)
    }

    fn internal_program(&mut self, what: Copy) -> Option<glow::NativeProgram> {
        if let Some(program) = self.internal.programs[what as usize] {
            return Some(program);
        }
        let gl = self.gl;
        // SAFETY: GL rules 1 and 2.
        let program = unsafe {
            let program = gl.create_program().ok()?;
            for (kind, text) in [
                (glow::VERTEX_SHADER, VERTEX),
                (glow::FRAGMENT_SHADER, what.fragment()),
            ] {
                let shader = gl.create_shader(kind).ok()?;
                gl.shader_source(shader, text);
                gl.compile_shader(shader);
                gl.attach_shader(program, shader);
                gl.delete_shader(shader);
            }
            gl.link_program(program);
            program
        };
        // SAFETY: GL rules 1 and 2.
        if !unsafe { gl.get_program_link_status(program) } {
            // SAFETY: GL rules 1 and 2.
            let log = unsafe { gl.get_program_info_log(program) };
            self.say_once("internal program", &log);
            return None;
        }
        self.internal.programs[what as usize] = Some(program);
        Some(program)
    }
}
