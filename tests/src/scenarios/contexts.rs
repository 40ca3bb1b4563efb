//! Contexts: threads, sharing, switching, none. Drawing serves only to tell them apart.

use glow::HasContext;
use khronos_egl as egl;

use crate::gl::{Display, Gl};
use crate::paint::*;

/// Moved to another thread: EGL's handles are pointers that any thread may use.
struct Shared<T>(T);
// SAFETY: EGL's functions may be called from any thread (EGL 1.5 §3.7), and the thread is joined before its maker goes on.
unsafe impl<T> Send for Shared<T> {}

impl<T> Shared<T> {
    /// A method, so that a closure takes the whole and not the field.
    fn get(&self) -> &T {
        &self.0
    }
}

/// Runs `work` on another thread and waits.
fn elsewhere<T>(value: T, work: impl FnOnce(&T) + Send) {
    let value = Shared(value);
    std::thread::scope(|scope| {
        let thread = scope.spawn(move || work(value.get()));
        if let Err(panic) = thread.join() {
            std::panic::resume_unwind(panic);
        }
    });
}

/// Releases and destroys a context while its thread ends.
struct Late {
    display: Display,
    context: egl::Context,
}

impl Drop for Late {
    fn drop(&mut self) {
        let (egl, display) = (&self.display.library.egl, self.display.display);
        egl.make_current(display, None, None, None)
            .expect("nothing stands against no context");
        egl.destroy_context(display, self.context)
            .expect("eglDestroyContext");
    }
}

thread_local! {
    static LATE: std::cell::RefCell<Option<Late>> = const { std::cell::RefCell::new(None) };
}

/// Rule: eglMakeCurrent may be called wherever a thread runs, also from destructors and exit handlers (EGL 1.5 §3.7.3).
/// Broken: the library's own state of the thread was gone by then, and the process ended with it.
pub unsafe fn release_while_the_thread_ends(gl: &Gl) {
    gl.target(4, 4);
    elsewhere((gl.display, gl.context), |(display, context)| {
        // Before the library learns of this thread, so that this is destroyed behind its state.
        LATE.set(None);
        let egl = &display.library.egl;
        egl.bind_api(egl::OPENGL_API).expect("eglBindAPI");
        // SAFETY: the context is current on this thread until it ends.
        let other = unsafe { Gl::sharing(*display, Some(*context)) };
        LATE.set(Some(Late {
            display: *display,
            context: other.context,
        }));
        std::mem::forget(other);
    });
    gl.clear_color(0.0, 1.0, 0.0, 1.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.expect(1, 1, GREEN8, "this thread goes on");
}

/// The API that a thread starts with: OPENGL_ES, "unless OpenGL ES is not supported", then NONE (EGL 1.5 §3.7).
fn initial_api(display: &Display) -> egl::Enum {
    let apis = display
        .library
        .egl
        .query_string(Some(display.display), egl::CLIENT_APIS)
        .expect("EGL_CLIENT_APIS")
        .to_string_lossy();
    match apis.split(' ').any(|api| api == "OpenGL_ES") {
        true => egl::OPENGL_ES_API,
        false => egl::NONE as egl::Enum,
    }
}

/// Rule: API and context are per thread, a context is current on one thread at most; textures are shared, vertex arrays are not
/// (EGL 1.5 §3.7, GL 4.6 core §5).
/// Broken: a loader thread could not create its context, or its calls went to the context of another thread.
/// Public report: <https://github.com/google/filament/issues/10397>
pub unsafe fn per_thread_current(gl: &Gl) {
    let texture = gl.texture_rgba8(1, 1, Some(&[51, 102, 153, 204]));
    let array = gl.vertex_array();
    gl.finish();
    elsewhere(
        (gl.display, gl.context, texture, array),
        |(display, context, texture, array)| {
            let egl = &display.library.egl;
            let initial = initial_api(display);
            assert_eq!(egl.query_api(), initial);
            assert_eq!(egl.get_current_context(), None);
            let attributes = Display::context_attributes((3, 3), false);
            let refused = egl.create_context(display.display, display.config, None, &attributes);
            assert!(
                matches!(
                    refused,
                    Err(egl::Error::BadAttribute | egl::Error::BadMatch)
                ),
                "a desktop context before its API is bound: {refused:?}"
            );
            egl.bind_api(egl::OPENGL_API).expect("eglBindAPI");
            let refused = egl.make_current(display.display, None, None, Some(*context));
            assert_eq!(
                refused,
                Err(egl::Error::BadAccess),
                "current on another thread"
            );
            // SAFETY: the context is current on this thread until `end`.
            let other = unsafe { Gl::sharing(*display, Some(*context)) };
            // SAFETY: as above.
            unsafe {
                let mut texel = [0; 4];
                other.bind_texture(glow::TEXTURE_2D, Some(*texture));
                other.get_tex_image(
                    glow::TEXTURE_2D,
                    0,
                    glow::RGBA,
                    glow::UNSIGNED_BYTE,
                    glow::PixelPackData::Slice(Some(&mut texel)),
                );
                if other.lane().draws() {
                    assert_eq!(texel, [51, 102, 153, 204]);
                }
                assert_eq!(
                    other.raw.glIsVertexArray(array.0.get()),
                    0,
                    "vertex arrays are not shared"
                );
                other.no_error("in the other thread");
            }
            for api in [0x1234, egl::NONE as egl::Enum] {
                assert_eq!(egl.bind_api(api), Err(egl::Error::BadParameter));
            }
            let refused = (initial == egl::NONE as egl::Enum).then_some(egl::Error::BadParameter);
            assert_eq!(egl.bind_api(egl::OPENGL_ES_API).err(), refused);
            egl.bind_api(egl::OPENGL_API).expect("eglBindAPI");
            assert_eq!(egl.get_current_context(), Some(other.context));
            egl.release_thread().expect("eglReleaseThread");
            assert_eq!(egl.query_api(), initial, "as a new thread");
            egl.make_current(display.display, None, None, Some(other.context))
                .expect("it was released");
            other.end();
        },
    );
    assert_eq!(gl.egl().query_api(), egl::OPENGL_API);
    assert_eq!(gl.egl().get_current_context(), Some(gl.context));
}

/// Rule: with EGL_KHR_surfaceless_context a context may be current without a surface; its default framebuffer is then
/// incomplete (GL 4.6 core §9.4.1), framebuffer objects work.
/// Broken: making it current failed, or the first draw needed a surface.
pub unsafe fn surfaceless_current(gl: &Gl) {
    let (egl, display) = (gl.egl(), gl.display);
    let context = display.create_context(None);
    egl.make_current(display.display, None, None, Some(context))
        .expect("without a surface");
    // glow's table belongs to no context; the functions act on the current one.
    assert_eq!(
        gl.check_framebuffer_status(glow::FRAMEBUFFER),
        glow::FRAMEBUFFER_UNDEFINED
    );
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.error(
        glow::INVALID_FRAMEBUFFER_OPERATION,
        "a clear without a framebuffer",
    );
    gl.target(8, 8);
    let painter = Painter::new(gl);
    painter.fill(gl, LEFT, RED);
    painter.fill(gl, RIGHT, BLUE);
    gl.expect(1, 1, RED8, "left");
    gl.expect(6, 6, BLUE8, "right");
    // A surface later: the default framebuffer is there.
    egl.make_current(
        display.display,
        Some(gl.surface),
        Some(gl.surface),
        Some(context),
    )
    .expect("with a surface");
    gl.bind_framebuffer(glow::FRAMEBUFFER, None);
    assert_eq!(
        gl.check_framebuffer_status(glow::FRAMEBUFFER),
        glow::FRAMEBUFFER_COMPLETE
    );
    gl.clear_color(0.0, 1.0, 0.0, 1.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.expect(1, 1, GREEN8, "the default framebuffer");
    gl.make_current();
    egl.destroy_context(display.display, context)
        .expect("eglDestroyContext");
}

/// Rule: state belongs to the context that is current (GL 4.6 core §2.1); switching changes none of it.
/// Broken: after a switch the backend still had the other context's state, because only changes were told.
pub unsafe fn two_contexts_interleaved(gl: &Gl) {
    gl.target(8, 8);
    let first = Painter::new(gl);
    gl.enable(glow::SCISSOR_TEST);
    gl.scissor(0, 0, 4, 8);
    let other = Gl::new(gl.display);
    other.target(8, 8);
    let second = Painter::new(&other);
    other.enable(glow::BLEND);
    other.blend_func(glow::ONE, glow::ONE);
    for turn in 0..3 {
        gl.make_current();
        assert!(!gl.is_enabled(glow::BLEND) && gl.is_enabled(glow::SCISSOR_TEST));
        first.fill(gl, WHOLE, [RED, BLUE, RED][turn]);
        gl.expect(
            1,
            4,
            [RED8, BLUE8, RED8][turn],
            &format!("first context, turn {turn}"),
        );
        gl.expect(6, 4, NOTHING8, &format!("outside its scissor, turn {turn}"));
        other.make_current();
        assert!(other.is_enabled(glow::BLEND) && !other.is_enabled(glow::SCISSOR_TEST));
        second.fill(
            &other,
            WHOLE,
            [
                [1.0, 0.0, 0.0, 0.0],
                [0.0, 1.0, 0.0, 0.0],
                [0.0, 0.0, 1.0, 1.0],
            ][turn],
        );
        let wanted = [[255, 0, 0, 0], [255, 255, 0, 0], WHITE8][turn];
        other.expect(
            6,
            4,
            wanted,
            &format!("second context adds up, turn {turn}"),
        );
    }
    other.check_end();
    other.end();
    gl.make_current();
    first.fill(gl, WHOLE, GREEN);
    gl.expect(1, 4, GREEN8, "the first goes on when the second is gone");
}

/// Rule: a change of a shared object is seen by another context after it is finished and bound there again (GL 4.6 core §5.3).
/// Broken: the second context kept the contents or the storage that it had seen first.
pub unsafe fn shared_context_change(gl: &Gl) {
    let texture = gl.texture_rgba8(2, 2, Some(&RED8.repeat(4)));
    let buffer = gl.buffer(glow::ARRAY_BUFFER, &[1; 16]);
    gl.finish();
    let other = Gl::sharing(gl.display, Some(gl.context));
    other.target(4, 4);
    let program = other.program(
        TRI,
        "#version 330 core
        uniform sampler2D t; out vec4 o; void main() { o = texture(t, vec2(0.5)); }",
    );
    other.use_program(Some(program));
    other.vertex_array();
    other.bind_texture(glow::TEXTURE_2D, Some(texture));
    other.draw_arrays(glow::TRIANGLES, 0, 3);
    other.expect(2, 2, RED8, "as it was made");
    for (size, color) in [(2, GREEN8), (4, BLUE8), (1, WHITE8)] {
        gl.make_current();
        let texels = color.repeat((size * size) as usize);
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            glow::RGBA8 as i32,
            size,
            size,
            0,
            glow::RGBA,
            glow::UNSIGNED_BYTE,
            glow::PixelUnpackData::Slice(Some(&texels)),
        );
        gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
        gl.buffer_sub_data_u8_slice(glow::ARRAY_BUFFER, 4, &[color[2]; 4]);
        gl.finish();
        other.make_current();
        other.bind_texture(glow::TEXTURE_2D, Some(texture));
        other.draw_arrays(glow::TRIANGLES, 0, 3);
        other.expect(2, 2, color, "changed in the first context");
        let mut bytes = [0; 16];
        other.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
        other.get_buffer_sub_data(glow::ARRAY_BUFFER, 0, &mut bytes);
        assert_eq!(bytes[..8], [[1; 4], [color[2]; 4]].concat());
    }
    // Deleted in one, still bound in the other.
    gl.make_current();
    gl.delete_texture(texture);
    gl.finish();
    other.make_current();
    other.draw_arrays(glow::TRIANGLES, 0, 3);
    other.expect(2, 2, WHITE8, "deleted elsewhere, bound here");
    other.check_end();
    other.end();
    gl.make_current();
}

/// Rule: without a current context GL calls have no effect and must not crash; the context keeps its state (EGL 1.5 §3.7.3).
/// Broken: a crash at the first call after eglMakeCurrent with no context.
pub unsafe fn make_current_none(gl: &Gl) {
    gl.target(8, 8);
    let painter = Painter::new(gl);
    painter.fill(gl, LEFT, GREEN);
    gl.egl()
        .make_current(gl.display.display, None, None, None)
        .expect("no context");
    assert_eq!(gl.egl().get_current_context(), None);
    gl.clear_color(1.0, 0.0, 0.0, 1.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.get_error();
    gl.make_current();
    gl.expect(1, 4, GREEN8, "as before");
    painter.fill(gl, RIGHT, BLUE);
    gl.expect(6, 4, BLUE8, "drawing goes on");
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.expect(
        1,
        4,
        NOTHING8,
        "the clear colour of the call without a context was not taken",
    );
}
