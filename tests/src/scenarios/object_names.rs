//! Names of objects: made, used, deleted, and what the context says of each. Reuse of names is `identity`'s subject.

use std::time::{Duration, Instant};

use crate::gl::Gl;
use crate::paint::*;

/// Rule: a generated name is none of an object before it is first bound, is one then, and is none once it is deleted (GL 4.6 core §2.6.1,
/// §4.2.2, §6.1, §8.1, §9.2.1, §10.3.1).
/// Broken: names that were deleted stayed objects.
pub unsafe fn names_become_objects(gl: &Gl) {
    let raw = &gl.raw;
    macro_rules! life {
        ($($generate:ident $is:ident $delete:ident |$name:ident| $bind:expr;)*) => { $({
            let mut $name = 0;
            raw.$generate(1, &raw mut $name);
            assert_ne!($name, 0, stringify!($generate));
            assert_eq!(raw.$is($name), 0, "{} of a name alone", stringify!($is));
            $bind;
            assert_eq!(raw.$is($name), 1, "{} of an object", stringify!($is));
            raw.$delete(1, &raw const $name);
            assert_eq!(raw.$is($name), 0, "{} behind {}", stringify!($is), stringify!($delete));
            gl.no_error(stringify!($is));
        })* };
    }
    life! {
        glGenBuffers glIsBuffer glDeleteBuffers |name| raw.glBindBuffer(glow::ARRAY_BUFFER, name);
        glGenTextures glIsTexture glDeleteTextures |name| raw.glBindTexture(glow::TEXTURE_3D, name);
        glGenFramebuffers glIsFramebuffer glDeleteFramebuffers |name| raw.glBindFramebuffer(glow::FRAMEBUFFER, name);
        glGenRenderbuffers glIsRenderbuffer glDeleteRenderbuffers |name| raw.glBindRenderbuffer(glow::RENDERBUFFER, name);
        glGenVertexArrays glIsVertexArray glDeleteVertexArrays |name| raw.glBindVertexArray(name);
        glGenQueries glIsQuery glDeleteQueries |name| {
            raw.glBeginQuery(glow::SAMPLES_PASSED, name);
            raw.glEndQuery(glow::SAMPLES_PASSED);
        };
    }
    // Samplers are objects from the start (§8.2).
    let mut sampler = 0;
    raw.glGenSamplers(1, &raw mut sampler);
    assert_eq!(raw.glIsSampler(sampler), 1);
    raw.glDeleteSamplers(1, &raw const sampler);
    assert_eq!(raw.glIsSampler(sampler), 0);
    let shader = raw.glCreateShader(glow::VERTEX_SHADER);
    assert_eq!((raw.glIsShader(shader), raw.glIsProgram(shader)), (1, 0));
    raw.glDeleteShader(shader);
    assert_eq!(raw.glIsShader(shader), 0, "a deleted shader");
    let program = raw.glCreateProgram();
    assert_eq!((raw.glIsShader(program), raw.glIsProgram(program)), (0, 1));
    raw.glDeleteProgram(program);
    assert_eq!(raw.glIsProgram(program), 0, "a deleted program");
    gl.no_error("names");
}

/// Rule: a fence is signalled once the commands before it are done, which a flush brings about in finite time (GL 4.6 core §4.1); a wait of the
/// server returns at once.
/// Broken: a fence that was never signalled; a deleted one that still was an object.
pub unsafe fn fences(gl: &Gl) {
    let raw = &gl.raw;
    gl.target(8, 8);
    let painter = Painter::new(gl);
    painter.fill(gl, WHOLE, RED);
    let fence = raw.glFenceSync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0);
    assert!(!fence.is_null());
    assert_eq!(raw.glIsSync(fence), 1);
    for (name, wanted) in [
        (glow::OBJECT_TYPE, glow::SYNC_FENCE),
        (glow::SYNC_CONDITION, glow::SYNC_GPU_COMMANDS_COMPLETE),
        (glow::SYNC_FLAGS, 0),
    ] {
        let (mut length, mut value) = (-9, -9);
        raw.glGetSynciv(fence, name, 1, &raw mut length, &raw mut value);
        assert_eq!((length, value), (1, wanted as i32), "{name:#x}");
    }
    raw.glWaitSync(fence, 0, glow::TIMEOUT_IGNORED);
    gl.no_error("a wait of the server");
    // It takes no other timeout, and no flag.
    raw.glWaitSync(fence, 0, 5);
    gl.error(glow::INVALID_VALUE, "a timeout of glWaitSync");
    let flag = glow::SYNC_FLUSH_COMMANDS_BIT;
    let waited = raw.glClientWaitSync(fence, flag, 10_000_000_000);
    assert!(
        [glow::ALREADY_SIGNALED, glow::CONDITION_SATISFIED].contains(&waited),
        "{waited:#x}"
    );
    let (mut length, mut value) = (-9, -9);
    raw.glGetSynciv(fence, glow::SYNC_STATUS, 1, &raw mut length, &raw mut value);
    assert_eq!(value, glow::SIGNALED as i32);
    assert_eq!(raw.glClientWaitSync(fence, 0, 0), glow::ALREADY_SIGNALED);
    raw.glDeleteSync(fence);
    assert_eq!(raw.glIsSync(fence), 0, "a deleted fence");
    gl.no_error("fences");
}

/// Rule: a query object answers whether its result is there, and the result in each type (GL 4.6 core §4.2.3); a primitive query counts what
/// reaches the rasterizer's input, also where all is discarded (§13.4).
/// Broken: a type of which nothing was written; a current query that was another.
pub unsafe fn query_results_in_every_type(gl: &Gl) {
    let raw = &gl.raw;
    gl.target(8, 8);
    let painter = Painter::new(gl);
    let mut name = 0;
    raw.glGenQueries(1, &raw mut name);
    let mut current = -9;
    raw.glBeginQuery(glow::ANY_SAMPLES_PASSED, name);
    raw.glGetQueryiv(glow::ANY_SAMPLES_PASSED, 0x8865, &raw mut current);
    assert_eq!(current, name as i32, "GL_CURRENT_QUERY");
    painter.fill(gl, WHOLE, RED);
    raw.glEndQuery(glow::ANY_SAMPLES_PASSED);
    raw.glGetQueryiv(glow::ANY_SAMPLES_PASSED, 0x8865, &raw mut current);
    assert_eq!(current, 0, "GL_CURRENT_QUERY behind its end");
    let (mut int, mut uint, mut long, mut ulong) = (-9, 99, -9, 99);
    raw.glGetQueryObjectiv(name, glow::QUERY_RESULT, &raw mut int);
    raw.glGetQueryObjectuiv(name, glow::QUERY_RESULT, &raw mut uint);
    raw.glGetQueryObjecti64v(name, glow::QUERY_RESULT, &raw mut long);
    raw.glGetQueryObjectui64v(name, glow::QUERY_RESULT, &raw mut ulong);
    assert_eq!((int, uint, long, ulong), (1, 1, 1, 1));
    raw.glGetQueryObjectiv(name, glow::QUERY_RESULT_AVAILABLE, &raw mut int);
    assert_eq!(int, 1, "a result that was read is there");
    // Of another kind a name is used no more.
    raw.glBeginQuery(glow::SAMPLES_PASSED, name);
    gl.error(glow::INVALID_OPERATION, "a query of another kind");
    raw.glDeleteQueries(1, &raw const name);
    gl.no_error("queries");
}

/// Rule: glFinish returns once all commands before it are done; glFlush has them done in finite time (GL 4.6 core §2.3.2). A fence
/// shows both.
/// Broken: a program that polls a fence behind its flush waited for ever.
pub unsafe fn flush_and_finish_complete_a_fence(gl: &Gl) {
    let raw = &gl.raw;
    gl.target(8, 8);
    let painter = Painter::new(gl);
    let status = |fence| {
        let (mut length, mut value) = (-9, -9);
        raw.glGetSynciv(fence, glow::SYNC_STATUS, 1, &raw mut length, &raw mut value);
        value as u32
    };
    painter.fill(gl, WHOLE, RED);
    let fence = raw.glFenceSync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0);
    raw.glFinish();
    assert_eq!(status(fence), glow::SIGNALED, "behind glFinish");
    raw.glDeleteSync(fence);
    painter.fill(gl, WHOLE, GREEN);
    let fence = raw.glFenceSync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0);
    raw.glFlush();
    let end = Instant::now() + Duration::from_secs(5);
    while status(fence) != glow::SIGNALED {
        assert!(Instant::now() < end, "five seconds behind glFlush");
        std::thread::sleep(Duration::from_millis(1));
    }
    raw.glDeleteSync(fence);
    gl.no_error("flush and finish");
}
