//! `Gl`: one context of one display, with glow's functions, and what every scenario does with it: targets, programs, pixels,
//! errors. It must not know what any scenario expects.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::ops::Deref;

use glow::HasContext;
use khronos_egl as egl;

use crate::lane::Lane;
use crate::library::{self, Library};
use crate::raw::Raw;

/// EGL_MESA_platform_surfaceless.
const PLATFORM_SURFACELESS: egl::Enum = 0x31DD;
/// Width and height of the pbuffer that is the default framebuffer.
pub const SURFACE_SIZE: i32 = 64;

/// Parts of a message of the validation layer that is wrong: an output without an attachment is discarded, whatever its type
/// (Vulkan 1.3, "Fragment Output Interface"); GL_NONE among draw buffers is just that.
const LAYER_ERRORS: [&str; 2] = ["Shader-InterfaceTypeMismatch", "VK_FORMAT_UNDEFINED"];

/// A display that is initialised, with the configuration of all contexts.
#[derive(Clone, Copy)]
pub struct Display {
    pub library: &'static Library,
    pub lane: Lane,
    pub display: egl::Display,
    pub config: egl::Config,
}

impl Display {
    /// The display of a lane. `eglInitialize` on an initialised display is legal and does nothing (EGL 1.5 §3.2).
    pub fn open(lane: Lane) -> Display {
        Display::of(lane, library::of(lane))
    }

    /// As [`Display::open`], of the build that ships.
    pub fn shipping(lane: Lane) -> Display {
        Display::of(lane, library::shipping(lane))
    }

    fn of(lane: Lane, library: &'static Library) -> Display {
        let egl = &library.egl;
        // SAFETY: the default native display of the surfaceless platform is a null pointer.
        let surfaceless = unsafe {
            egl.get_platform_display(
                PLATFORM_SURFACELESS,
                egl::DEFAULT_DISPLAY,
                &[egl::ATTRIB_NONE],
            )
        };
        let display = surfaceless.expect("EGL_MESA_platform_surfaceless");
        egl.initialize(display).expect("eglInitialize");
        let attributes = [
            egl::SURFACE_TYPE,
            egl::PBUFFER_BIT,
            egl::RENDERABLE_TYPE,
            egl::OPENGL_BIT,
            egl::RED_SIZE,
            8,
            egl::GREEN_SIZE,
            8,
            egl::BLUE_SIZE,
            8,
            egl::ALPHA_SIZE,
            8,
            egl::DEPTH_SIZE,
            24,
            egl::STENCIL_SIZE,
            8,
            egl::NONE,
        ];
        let config = egl
            .choose_first_config(display, &attributes)
            .expect("eglChooseConfig")
            .expect("a configuration with RGBA8, depth 24, stencil 8 and pbuffers");
        Display {
            library,
            lane,
            display,
            config,
        }
    }

    /// Attributes of a context: `version` or newer, core or compatibility, with debug output.
    pub fn context_attributes(version: (i32, i32), compatibility: bool) -> Vec<egl::Int> {
        let profile = match compatibility {
            true => egl::CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
            false => egl::CONTEXT_OPENGL_CORE_PROFILE_BIT,
        };
        vec![
            egl::CONTEXT_MAJOR_VERSION,
            version.0,
            egl::CONTEXT_MINOR_VERSION,
            version.1,
            egl::CONTEXT_OPENGL_PROFILE_MASK,
            profile,
            egl::CONTEXT_OPENGL_DEBUG,
            1,
            egl::NONE,
        ]
    }

    /// A context that is not current yet.
    pub fn create_context(&self, share: Option<egl::Context>) -> egl::Context {
        let egl = &self.library.egl;
        egl.bind_api(egl::OPENGL_API).expect("eglBindAPI");
        egl.create_context(
            self.display,
            self.config,
            share,
            &Self::context_attributes((3, 3), false),
        )
        .expect("eglCreateContext: OpenGL 3.3 core")
    }

    pub fn create_pbuffer(&self, width: i32, height: i32) -> egl::Surface {
        let attributes = [egl::WIDTH, width, egl::HEIGHT, height, egl::NONE];
        self.library
            .egl
            .create_pbuffer_surface(self.display, self.config, &attributes)
            .expect("eglCreatePbufferSurface")
    }
}

/// A context of a scenario, current on the thread that made it.
pub struct Gl {
    gl: glow::Context,
    pub raw: Raw,
    pub display: Display,
    pub context: egl::Context,
    pub surface: egl::Surface,
    /// Everything that was read back, in order: what masks are compared by.
    seen: RefCell<Vec<(String, Vec<u8>)>>,
    /// Errors that the scenario asked for and got.
    provoked: Cell<usize>,
}

impl Deref for Gl {
    type Target = glow::Context;
    fn deref(&self) -> &glow::Context {
        &self.gl
    }
}

/// A framebuffer object with one RGBA8 texture.
#[derive(Clone, Copy)]
pub struct Target {
    pub framebuffer: glow::NativeFramebuffer,
    pub texture: glow::NativeTexture,
    pub width: i32,
    pub height: i32,
}

impl Gl {
    /// A fresh core context, current, with a pbuffer as its default framebuffer.
    pub unsafe fn new(display: Display) -> Gl {
        Gl::sharing(display, None)
    }

    /// A fresh context that shares objects with another.
    pub unsafe fn sharing(display: Display, share: Option<egl::Context>) -> Gl {
        Gl::on(display, display.create_context(share))
    }

    /// A fresh compatibility context.
    pub unsafe fn compatibility(display: Display) -> Gl {
        let egl = &display.library.egl;
        egl.bind_api(egl::OPENGL_API).expect("eglBindAPI");
        let attributes = Display::context_attributes((3, 0), true);
        let context = egl
            .create_context(display.display, display.config, None, &attributes)
            .expect("eglCreateContext: OpenGL 3.0 compatibility");
        Gl::on(display, context)
    }

    unsafe fn on(display: Display, context: egl::Context) -> Gl {
        let egl = &display.library.egl;
        let surface = display.create_pbuffer(SURFACE_SIZE, SURFACE_SIZE);
        egl.make_current(display.display, Some(surface), Some(surface), Some(context))
            .expect("eglMakeCurrent");
        let gl = glow::Context::from_loader_function(|name| {
            egl.get_proc_address(name)
                .map_or(std::ptr::null(), |pointer| pointer as *const c_void)
        });
        let gl = Gl {
            gl,
            raw: Raw::load(|name| egl.get_proc_address(name)),
            display,
            context,
            surface,
            seen: RefCell::default(),
            provoked: Cell::new(0),
        };
        gl.enable(glow::DEBUG_OUTPUT);
        gl.error_messages();
        gl
    }

    pub fn lane(&self) -> Lane {
        self.display.lane
    }

    pub fn egl(&self) -> &'static library::Egl {
        &self.display.library.egl
    }

    /// Makes it current on this thread (again).
    pub fn make_current(&self) {
        self.egl()
            .make_current(
                self.display.display,
                Some(self.surface),
                Some(self.surface),
                Some(self.context),
            )
            .expect("eglMakeCurrent");
    }

    /// Ends the context and gives what it has read.
    pub fn end(self) -> Vec<(String, Vec<u8>)> {
        let (egl, display) = (self.egl(), self.display.display);
        egl.make_current(display, None, None, None)
            .expect("eglMakeCurrent");
        egl.destroy_surface(display, self.surface)
            .expect("eglDestroySurface");
        egl.destroy_context(display, self.context)
            .expect("eglDestroyContext");
        self.seen.into_inner()
    }

    // ---- what was seen ----

    /// Adds to what masks are compared by.
    pub fn keep(&self, label: &str, bytes: &[u8]) {
        self.seen
            .borrow_mut()
            .push((label.to_owned(), bytes.to_vec()));
    }

    // ---- errors ----

    /// Fails when an error is pending.
    #[track_caller]
    pub unsafe fn no_error(&self, what: &str) {
        let error = self.get_error();
        assert_eq!(
            error,
            glow::NO_ERROR,
            "{what}: {} ({error:#06x})",
            error_name(error)
        );
    }

    /// Fails unless exactly this error is pending.
    #[track_caller]
    pub unsafe fn error(&self, wanted: u32, what: &str) {
        let error = self.get_error();
        assert_eq!(
            error_name(error),
            error_name(wanted),
            "{what}: the error ({error:#06x}) is another one"
        );
        let second = self.get_error();
        assert_eq!(second, glow::NO_ERROR, "{what}: one call left two errors");
        self.provoked.set(self.provoked.get() + 1);
        self.keep(what, &error.to_le_bytes());
    }

    /// Takes the error messages of the debug log.
    pub unsafe fn error_messages(&self) -> Vec<String> {
        let mut errors = Vec::new();
        loop {
            let (mut text, mut ty, mut length) = ([0u8; 8192], 0, 0);
            let count = self.raw.glGetDebugMessageLog(
                1,
                text.len() as i32,
                std::ptr::null_mut(),
                &mut ty,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                &mut length,
                text.as_mut_ptr().cast(),
            );
            if count == 0 {
                return errors;
            }
            if ty == glow::DEBUG_TYPE_ERROR {
                let length = usize::try_from(length).unwrap_or(0).min(text.len());
                errors.push(
                    String::from_utf8_lossy(&text[..length])
                        .trim_end_matches('\0')
                        .to_owned(),
                );
            }
        }
    }

    /// At a scenario's end: no error is pending, and there were no more error messages than errors asked for.
    pub unsafe fn check_end(&self) {
        self.no_error("after the scenario");
        let mut messages = self.error_messages();
        messages.retain(|message| !LAYER_ERRORS.iter().all(|part| message.contains(part)));
        // A driver may merge equal messages, so fewer are fine.
        assert!(
            messages.len() <= self.provoked.get() || self.lane() == Lane::native,
            "error messages that the scenario did not provoke: {messages:#?}"
        );
    }

    // ---- framebuffers ----

    /// A framebuffer with one RGBA8 texture, bound, viewport over it, cleared to zero.
    pub unsafe fn target(&self, width: i32, height: i32) -> Target {
        let texture = self.texture_rgba8(width, height, None);
        let framebuffer = self.create_framebuffer().expect("glGenFramebuffers");
        self.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        self.framebuffer_texture_2d(
            glow::FRAMEBUFFER,
            glow::COLOR_ATTACHMENT0,
            glow::TEXTURE_2D,
            Some(texture),
            0,
        );
        assert_eq!(
            self.check_framebuffer_status(glow::FRAMEBUFFER),
            glow::FRAMEBUFFER_COMPLETE
        );
        self.viewport(0, 0, width, height);
        self.clear_color(0.0, 0.0, 0.0, 0.0);
        self.clear(glow::COLOR_BUFFER_BIT);
        self.no_error("a render target");
        Target {
            framebuffer,
            texture,
            width,
            height,
        }
    }

    /// Adds a depth and stencil renderbuffer to the bound framebuffer.
    pub unsafe fn add_depth_stencil(&self, width: i32, height: i32) -> glow::NativeRenderbuffer {
        let renderbuffer = self.create_renderbuffer().expect("glGenRenderbuffers");
        self.bind_renderbuffer(glow::RENDERBUFFER, Some(renderbuffer));
        self.renderbuffer_storage(glow::RENDERBUFFER, glow::DEPTH24_STENCIL8, width, height);
        self.framebuffer_renderbuffer(
            glow::FRAMEBUFFER,
            glow::DEPTH_STENCIL_ATTACHMENT,
            glow::RENDERBUFFER,
            Some(renderbuffer),
        );
        assert_eq!(
            self.check_framebuffer_status(glow::FRAMEBUFFER),
            glow::FRAMEBUFFER_COMPLETE
        );
        renderbuffer
    }

    /// A 2D texture of one level, NEAREST, bound to the active unit.
    pub unsafe fn texture_rgba8(
        &self,
        width: i32,
        height: i32,
        texels: Option<&[u8]>,
    ) -> glow::NativeTexture {
        let texture = self.create_texture().expect("glGenTextures");
        self.bind_texture(glow::TEXTURE_2D, Some(texture));
        self.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            glow::RGBA8 as i32,
            width,
            height,
            0,
            glow::RGBA,
            glow::UNSIGNED_BYTE,
            glow::PixelUnpackData::Slice(texels),
        );
        self.nearest();
        texture
    }

    /// NEAREST and one level for the bound 2D texture.
    pub unsafe fn nearest(&self) {
        for filter in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
            self.tex_parameter_i32(glow::TEXTURE_2D, filter, glow::NEAREST as i32);
        }
    }

    // ---- programs ----

    /// Compiles and links; the error is the log that failed first.
    pub unsafe fn try_program(
        &self,
        vertex: &str,
        fragment: &str,
    ) -> Result<glow::NativeProgram, String> {
        let program = self.create_program().expect("glCreateProgram");
        for (stage, source) in [
            (glow::VERTEX_SHADER, vertex),
            (glow::FRAGMENT_SHADER, fragment),
        ] {
            let shader = self.create_shader(stage).expect("glCreateShader");
            self.shader_source(shader, source);
            self.compile_shader(shader);
            if !self.get_shader_compile_status(shader) {
                return Err(format!(
                    "compile: {}\n{source}",
                    self.get_shader_info_log(shader)
                ));
            }
            self.attach_shader(program, shader);
            self.delete_shader(shader);
        }
        self.link_program(program);
        match self.get_program_link_status(program) {
            true => Ok(program),
            false => Err(format!("link: {}", self.get_program_info_log(program))),
        }
    }

    /// A linked program; a log is a failure.
    #[track_caller]
    pub unsafe fn program(&self, vertex: &str, fragment: &str) -> glow::NativeProgram {
        let program = self
            .try_program(vertex, fragment)
            .unwrap_or_else(|log| panic!("{log}"));
        self.no_error("a program");
        program
    }

    /// A vertex array, bound: core contexts draw nothing without one.
    pub unsafe fn vertex_array(&self) -> glow::NativeVertexArray {
        let array = self.create_vertex_array().expect("glGenVertexArrays");
        self.bind_vertex_array(Some(array));
        array
    }

    /// A buffer with contents, bound to `target`.
    pub unsafe fn buffer(&self, target: u32, bytes: &[u8]) -> glow::NativeBuffer {
        let buffer = self.create_buffer().expect("glGenBuffers");
        self.bind_buffer(target, Some(buffer));
        self.buffer_data_u8_slice(target, bytes, glow::STATIC_DRAW);
        buffer
    }

    /// Floats as an attribute of `size` components from a new buffer, tightly packed.
    pub unsafe fn attribute(&self, index: u32, size: i32, values: &[f32]) -> glow::NativeBuffer {
        let buffer = self.buffer(glow::ARRAY_BUFFER, &bytes_of(values));
        self.vertex_attrib_pointer_f32(index, size, glow::FLOAT, false, 0, 0);
        self.enable_vertex_attrib_array(index);
        buffer
    }

    // ---- pixels ----

    /// One pixel of the read framebuffer as RGBA bytes.
    pub unsafe fn pixel(&self, x: i32, y: i32) -> [u8; 4] {
        let mut rgba = [0x5a; 4];
        self.read(x, y, 1, 1, glow::RGBA, glow::UNSIGNED_BYTE, &mut rgba);
        rgba
    }

    /// A rectangle of the read framebuffer as RGBA bytes, bottom row first.
    pub unsafe fn picture(&self, width: i32, height: i32) -> Vec<u8> {
        let mut rgba = vec![0x5a; (width * height * 4) as usize];
        self.read(
            0,
            0,
            width,
            height,
            glow::RGBA,
            glow::UNSIGNED_BYTE,
            &mut rgba,
        );
        rgba
    }

    /// `glReadPixels` into `out`; what it gave is kept.
    pub unsafe fn read(
        &self,
        x: i32,
        y: i32,
        width: i32,
        height: i32,
        format: u32,
        ty: u32,
        out: &mut [u8],
    ) {
        let data = glow::PixelPackData::Slice(Some(&mut *out));
        self.read_pixels(x, y, width, height, format, ty, data);
        self.keep(
            &format!("pixels {x},{y} {width}x{height} {format:#x} {ty:#x}"),
            out,
        );
    }

    /// Fails unless the pixel is `wanted`. 0 and 255 are exact; between them the conversion of a float may round either way
    /// (GL 4.6 core §2.3.5), so a step of one is allowed.
    #[track_caller]
    pub unsafe fn expect(&self, x: i32, y: i32, wanted: [u8; 4], what: &str) {
        let seen = self.pixel(x, y);
        if self.lane().draws() {
            assert!(
                is_near(seen, wanted),
                "{what}: ({x}, {y}) is {seen:?} instead of {wanted:?}"
            );
        }
    }
}

/// Whether a colour is the wanted one: see [`Gl::expect`].
pub fn is_near(seen: [u8; 4], wanted: [u8; 4]) -> bool {
    seen.iter().zip(wanted).all(|(&seen, wanted)| match wanted {
        0 | 255 => seen == wanted,
        _ => seen.abs_diff(wanted) <= 1,
    })
}

/// Numbers as the bytes that GL reads.
pub fn bytes_of<T: Number>(values: &[T]) -> Vec<u8> {
    values.iter().flat_map(|value| value.bytes()).collect()
}

/// Numbers that [`bytes_of`] takes.
pub trait Number: Copy {
    fn bytes(self) -> Vec<u8>;
}

macro_rules! numbers {
    ($($ty:ty)*) => { $(impl Number for $ty {
        fn bytes(self) -> Vec<u8> { self.to_ne_bytes().to_vec() }
    })* };
}
numbers!(u8 u16 u32 i32 f32);

/// The name of an error.
pub fn error_name(error: u32) -> &'static str {
    match error {
        glow::NO_ERROR => "GL_NO_ERROR",
        glow::INVALID_ENUM => "GL_INVALID_ENUM",
        glow::INVALID_VALUE => "GL_INVALID_VALUE",
        glow::INVALID_OPERATION => "GL_INVALID_OPERATION",
        glow::INVALID_FRAMEBUFFER_OPERATION => "GL_INVALID_FRAMEBUFFER_OPERATION",
        glow::OUT_OF_MEMORY => "GL_OUT_OF_MEMORY",
        glow::CONTEXT_LOST => "GL_CONTEXT_LOST",
        _ => "no error code of GL",
    }
}
