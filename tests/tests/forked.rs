//! Children of `fork` that end by `exit`, as Python's `os.fork` and daemons do: they have one thread, and of every lock of the
//! parent the state it had in that moment. The child's finalisers still call OpenGL and EGL: nothing is current there, and nothing of
//! the parent's is touched. The child ends as it says, at once, and the parent goes on. No picture is looked at.

use glow::HasContext;
use scenarios::child;
use scenarios::gl::{Display, Gl};
use scenarios::lane::Lane;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const VERTEX: &str = "#version 330 core
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }";
const FRAGMENT: &str = "#version 330 core
out vec4 color;
void main() { color = vec4(0.25); }";

/// What the child answers; no library of ours ends a process so.
const STATUS: i32 = 46;
/// A child that has nothing to wait for ends in milliseconds.
const LIMIT: Duration = Duration::from_secs(10);

/// Forks; the child runs `finalise` and exits with its handlers. How it ended, as `waitpid` tells; `None` where it hangs.
fn forked_exit(finalise: impl FnOnce()) -> Option<i32> {
    // SAFETY: what the child calls is what is tested.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork: {}", std::io::Error::last_os_error());
    if child == 0 {
        finalise();
        // SAFETY: it does not return; its handlers are what is tested.
        unsafe { libc::exit(STATUS) }
    }
    let end = Instant::now() + LIMIT;
    let mut status = 0;
    loop {
        // SAFETY: it is our own child, and `status` is ours.
        if unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) } != 0 {
            break;
        }
        if Instant::now() > end {
            // SAFETY: it is our own child, and `status` is ours.
            unsafe {
                libc::kill(child, libc::SIGKILL);
                libc::waitpid(child, &raw mut status, 0);
            }
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Some(status)
}

fn draw(gl: &Gl, draws: u32) {
    // SAFETY: the context is current; plain GL calls.
    unsafe {
        for n in 0..draws {
            gl.clear_color(f32::from(u8::try_from(n % 2).unwrap_or(0)), 0.0, 0.0, 1.0);
            gl.clear(glow::COLOR_BUFFER_BIT);
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
        }
        gl.finish();
    }
}

/// A context, current on this thread, with all that a draw needs.
fn ready(display: Display) -> Gl {
    // SAFETY: the context is made current here and stays so on this thread; plain GL calls.
    unsafe {
        let gl = Gl::new(display);
        gl.target(16, 16);
        let program = gl.program(VERTEX, FRAGMENT);
        gl.use_program(Some(program));
        gl.vertex_array();
        gl
    }
}

/// What an interpreter's objects do when it ends.
fn finalise(display: Display, gl: Option<&Gl>) {
    let egl = &display.library.egl;
    if let Some(gl) = gl {
        // SAFETY: plain GL calls; without a current context they do nothing.
        unsafe {
            gl.delete_texture(
                gl.create_texture()
                    .unwrap_or(glow::NativeTexture(std::num::NonZeroU32::MIN)),
            );
            gl.use_program(None);
            gl.flush();
            gl.finish();
        }
    }
    assert!(egl.get_current_context().is_none());
    // Whether they succeed is not said.
    let _ = egl.make_current(display.display, None, None, None);
    let _ = egl.release_thread();
    let _ = egl.terminate(display.display);
    // A context of its own it must not get: the driver's threads are not there.
    assert!(egl.initialize(display.display).is_err());
}

fn ends(what: &str, display: Display, gl: Option<&Gl>) {
    match forked_exit(|| finalise(display, gl)) {
        Some(status) => assert!(
            libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == STATUS,
            "{what}: {status:#x}"
        ),
        None => panic!("{what}: the child hangs in exit()"),
    }
}

fn stats_file(test: &str) -> String {
    let file = std::env::temp_dir().join(format!("mobilegl-{test}.json"));
    file.to_str().expect("UTF-8").to_owned()
}

/// Forks before anything is drawn, between draws, and while another thread draws; then the parent draws on.
fn check(test: &str, lane: Lane) {
    if !child::is_child() {
        let file = stats_file(test);
        let _ = std::fs::remove_file(&file);
        let variables = [("MOBILEGL_PIPE_STATS_FILE", file.as_str())];
        let ended = child::run(test, &variables);
        assert!(ended.success, "{}:\n{}", ended.how, ended.text);
        // The parent's own counters are written when it ends.
        std::fs::remove_file(file).expect("the parent's counters");
        return;
    }
    let display = Display::open(lane);
    ends("after eglInitialize", display, None);
    let gl = ready(display);
    ends("before the first draw", display, Some(&gl));
    draw(&gl, 8);
    ends("between draws", display, Some(&gl));
    assert!(
        !std::path::Path::new(&stats_file(test)).exists(),
        "a child wrote the parent's counters"
    );
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let drawing = scope.spawn(|| {
            let other = ready(Display::open(lane));
            while !stop.load(Ordering::Relaxed) {
                draw(&other, 32);
            }
        });
        for _ in 0..20 {
            std::thread::sleep(Duration::from_millis(7));
            ends("while another thread draws", display, Some(&gl));
        }
        stop.store(true, Ordering::Relaxed);
        drawing.join().expect("the other thread draws to its end");
    });
    draw(&gl, 8);
}

#[test]
fn forked_child_ends_by_exit_on_gles() {
    check("forked_child_ends_by_exit_on_gles", Lane::gles);
}

#[test]
fn forked_child_ends_by_exit_on_vulkan() {
    check("forked_child_ends_by_exit_on_vulkan", Lane::vulkan);
}
