//! Programs that end while the device still compiles and draws: the process ends as it says, whichever thread ends it. No picture is
//! looked at.

use glow::HasContext;
use scenarios::child;
use scenarios::gl::{Display, Gl};
use scenarios::lane::Lane;

const VERTEX: &str = "#version 330 core
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }";
const FRAGMENT: &str = "#version 330 core
uniform sampler2D s; out vec4 color;
void main() { color = texture(s, gl_FragCoord.xy * 0.25) + vec4(0.25); }";

/// Draws with so many states that a software device compiles for a while, and submits them.
///
/// # Safety
/// A context is current.
unsafe fn storm(gl: &Gl) {
    // SAFETY: the context is current; plain GL calls.
    unsafe {
        gl.target(16, 16);
        gl.texture_rgba8(4, 4, None);
        let program = gl.program(VERTEX, FRAGMENT);
        gl.use_program(Some(program));
        gl.vertex_array();
        gl.enable(glow::BLEND);
        let equations = [
            glow::FUNC_ADD,
            glow::FUNC_SUBTRACT,
            glow::FUNC_REVERSE_SUBTRACT,
            glow::MIN,
            glow::MAX,
        ];
        let factors = [
            glow::ONE,
            glow::ZERO,
            glow::SRC_ALPHA,
            glow::DST_ALPHA,
            glow::DST_COLOR,
            glow::SRC_COLOR,
        ];
        for source in factors {
            for destination in factors {
                for equation in equations {
                    gl.blend_equation(equation);
                    gl.blend_func(source, destination);
                    gl.draw_arrays(glow::TRIANGLES, 0, 3);
                }
            }
        }
        gl.flush();
    }
}

/// Who calls `exit`.
#[derive(Clone, Copy)]
enum Ender {
    WhoDrew,
    Another,
    /// Other threads go on compiling meanwhile.
    WhileOthersCompile,
}

/// Compiles until the process ends, on a context of its own.
fn compile_for_ever(lane: Lane) {
    let display = Display::open(lane);
    // SAFETY: the context is made current here, on this thread.
    let gl = unsafe { Gl::new(display) };
    for n in 0.. {
        let text = FRAGMENT.replace("0.25)", &format!("0.25 + {n}.0)"));
        // SAFETY: the context is current. Whether it compiles is not said: the process may be ending.
        unsafe {
            let shader = gl.create_shader(glow::FRAGMENT_SHADER).expect("a name");
            gl.shader_source(shader, &text);
            gl.compile_shader(shader);
            gl.delete_shader(shader);
        }
    }
}

/// Ends a child in the middle of its device's work.
fn check(test: &str, lane: Lane, ender: Ender) {
    if !child::is_child() {
        let ended = child::run(test, &[]);
        assert!(ended.success, "{}:\n{}", ended.how, ended.text);
        return;
    }
    let display = Display::open(lane);
    // SAFETY: the context is made current here.
    unsafe { storm(&Gl::new(display)) };
    // The device is in the middle of it.
    std::thread::sleep(std::time::Duration::from_millis(60));
    match ender {
        Ender::WhoDrew => std::process::exit(0),
        Ender::Another => {
            let other = std::thread::spawn(|| std::process::exit(0));
            let _ = other.join();
            unreachable!("the process has ended");
        }
        Ender::WhileOthersCompile => {
            for _ in 0..2 {
                std::thread::spawn(move || compile_for_ever(lane));
            }
            std::thread::sleep(std::time::Duration::from_millis(150));
            std::process::exit(0);
        }
    }
}

#[test]
fn a_thread_that_drew_ends_the_process_on_vulkan() {
    let test = "a_thread_that_drew_ends_the_process_on_vulkan";
    check(test, Lane::vulkan, Ender::WhoDrew);
}

#[test]
fn another_thread_ends_the_process_on_vulkan() {
    let test = "another_thread_ends_the_process_on_vulkan";
    check(test, Lane::vulkan, Ender::Another);
}

#[test]
fn a_thread_that_drew_ends_the_process_on_gles() {
    let test = "a_thread_that_drew_ends_the_process_on_gles";
    check(test, Lane::gles, Ender::WhoDrew);
}

#[test]
fn another_thread_ends_the_process_on_gles() {
    let test = "another_thread_ends_the_process_on_gles";
    check(test, Lane::gles, Ender::Another);
}

/// It is a race: several times. (Threads that draw meanwhile may meet a software driver, or a validation layer, whose own static objects
/// are gone; native drivers fall to that as well.)
fn check_while_others_compile(test: &str, lane: Lane) {
    for _ in 0..if child::is_child() { 1 } else { 6 } {
        check(test, lane, Ender::WhileOthersCompile);
    }
}

#[test]
fn process_ends_while_others_compile_on_vulkan() {
    let test = "process_ends_while_others_compile_on_vulkan";
    check_while_others_compile(test, Lane::vulkan);
}

#[test]
fn process_ends_while_others_compile_on_gles() {
    let test = "process_ends_while_others_compile_on_gles";
    check_while_others_compile(test, Lane::gles);
}
