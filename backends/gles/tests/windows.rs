//! Presenting to a window of an X server that the test starts (Xvfb, which ./x installs).

use backend_gles::OpenOptions;
use libloading::Library;
use pipe::*;
use pipe_inputs::{Executor, GroupMask};
use std::ffi::{c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server on a free display and points this process at it.
fn server() -> Server {
    let mut child = Command::new("Xvfb")
        .args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            "64x64x24",
            "-nolisten",
            "tcp",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("Xvfb is installed");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped"))
        .read_line(&mut line)
        .expect("Xvfb says its display");
    // SAFETY: the runner gives every test a process of its own, and no other thread has started.
    unsafe { std::env::set_var("DISPLAY", format!(":{}", line.trim())) };
    Server(child)
}

type Display = *mut c_void;

#[test]
fn present_copies_the_frame_to_the_window_the_right_way_up() {
    let _server = server();
    // SAFETY: libX11's initialisers are those of every X client.
    let x = unsafe { Library::new("libX11.so.6") }.expect("libX11 is installed");
    // SAFETY: signatures are Xlib's (here and below).
    let open =
        unsafe { x.get::<unsafe extern "C" fn(*const c_char) -> Display>(b"XOpenDisplay\0") }
            .expect("XOpenDisplay");
    type Create = unsafe extern "C" fn(
        Display,
        c_ulong,
        c_int,
        c_int,
        c_uint,
        c_uint,
        c_uint,
        c_ulong,
        c_ulong,
    ) -> c_ulong;
    // SAFETY: as above.
    let create = unsafe { x.get::<Create>(b"XCreateSimpleWindow\0") }.expect("XCreateSimpleWindow");
    // SAFETY: as above.
    let root =
        unsafe { x.get::<unsafe extern "C" fn(Display) -> c_ulong>(b"XDefaultRootWindow\0") }
            .expect("XDefaultRootWindow");
    // SAFETY: as above.
    let root_visual = unsafe {
        x.get::<unsafe extern "C" fn(Display, c_int) -> *mut c_void>(b"XDefaultVisual\0")
    }
    .expect("XDefaultVisual");
    // SAFETY: as above.
    let visual_id =
        unsafe { x.get::<unsafe extern "C" fn(*mut c_void) -> c_ulong>(b"XVisualIDFromVisual\0") }
            .expect("XVisualIDFromVisual");
    // SAFETY: as above.
    let map = unsafe { x.get::<unsafe extern "C" fn(Display, c_ulong) -> c_int>(b"XMapWindow\0") }
        .expect("XMapWindow");
    // SAFETY: as above.
    let sync = unsafe { x.get::<unsafe extern "C" fn(Display, c_int) -> c_int>(b"XSync\0") }
        .expect("XSync");
    type GetImage = unsafe extern "C" fn(
        Display,
        c_ulong,
        c_int,
        c_int,
        c_uint,
        c_uint,
        c_ulong,
        c_int,
    ) -> *mut c_void;
    // SAFETY: as above.
    let get_image = unsafe { x.get::<GetImage>(b"XGetImage\0") }.expect("XGetImage");
    type GetPixel = unsafe extern "C" fn(*mut c_void, c_int, c_int) -> c_ulong;
    // SAFETY: as above.
    let get_pixel = unsafe { x.get::<GetPixel>(b"XGetPixel\0") }.expect("XGetPixel");

    // SAFETY: null asks for the display of the environment.
    let display = unsafe { open(std::ptr::null()) };
    assert!(!display.is_null());
    // SAFETY: the display is open.
    let window = unsafe { create(display, root(display), 0, 0, 16, 16, 0, 0, 0) };
    // SAFETY: as above; the window has its parent's visual.
    let visual = unsafe { visual_id(root_visual(display, 0)) } as u32;
    // SAFETY: as above.
    unsafe {
        map(display, window);
        sync(display, 0);
    }

    let backend = backend_gles::open(&OpenOptions {
        x11: std::env::var("DISPLAY").ok(),
        check_errors: true,
        ..OpenOptions::default()
    })
    .expect("a driver with ES 3.2 is installed");
    let mut gl = Executor::new(backend);
    let (context, surface) = (ContextId::new(1, 1), SurfaceId::new(1, 1));
    gl.create_context(context).expect("a context");
    gl.create_surface(
        surface,
        &SurfaceDesc {
            source: SurfaceSource::X11Window {
                window: window as u32,
                visual,
                depth: 24,
            },
            width: 16,
            height: 16,
            color: Format::Rgba8,
            depth_stencil: Format::None,
            samples: 0,
        },
    )
    .expect("a drawable");
    gl.make_current(context, surface, surface).expect("current");

    let color = Surface {
        kind: SurfaceKind::Default,
        format: Format::Rgba8,
        ..Surface::NONE
    };
    let mut fb = FramebufferState::NONE;
    fb.id = FramebufferId::DEFAULT;
    fb.color[0] = color;
    fb.draw_buffers[0] = 0;
    (fb.width, fb.height, fb.complete, fb.is_default) = (16, 16, 1, 1);
    gl.set_framebuffer_state(&fb.hashed());
    // Red everywhere, then green in the lower half (GL's rows count from below).
    for (rect, rgba) in [
        (None, [1.0, 0.0, 0.0, 1.0]),
        (Some((0, 0, 16, 8)), [0.0, 1.0, 0.0, 1.0_f32]),
    ] {
        let mut state = RenderState::default();
        state.clear_values.color = rgba.map(f32::to_bits);
        if let Some((x, y, width, height)) = rect {
            state.scissors.enabled = 1;
            state.scissors.rects[0] = render_state::WindowRect {
                x,
                y,
                width,
                height,
            };
        }
        let mut chunks = Vec::new();
        state.gather(render_state::DYNAMIC_CHUNKS, &mut chunks);
        gl.set_dynamic_state(
            &DynamicState {
                chunk_mask: render_state::DYNAMIC_CHUNKS,
                version: 0,
                _pad: 0,
            },
            &chunks,
        );
        let _ = gl.clear(&Clear {
            groups: GroupMask::ALL.0,
            mask: ClearMask::COLOR.bits(),
            draw_buffer: -1,
            color_kind: 0,
            color: rgba.map(f32::to_bits),
            depth: 1.0,
            stencil: 0,
        });
    }
    let _ = gl.present(&Present {
        groups: GroupMask::ALL.0,
        _pad: 0,
        frame: 0,
    });
    let _ = gl.flush(&Flush {
        groups: GroupMask::ALL.0,
        wait: 1,
    });
    let said: Vec<_> = gl.events().drain().collect();
    assert!(said.is_empty(), "{said:?}");

    const Z_PIXMAP: c_int = 2;
    // SAFETY: the window is mapped and 16 pixels square.
    let image = unsafe {
        sync(display, 0);
        get_image(display, window, 0, 0, 16, 16, c_ulong::MAX, Z_PIXMAP)
    };
    assert!(!image.is_null());
    // X counts rows from above.
    // SAFETY: both pixels are in the image.
    let (top, bottom) = unsafe { (get_pixel(image, 8, 1), get_pixel(image, 8, 14)) };
    let rgb = |pixel: c_ulong| pixel as c_long & 0xFF_FFFF;
    assert_eq!((rgb(top), rgb(bottom)), (0xFF_0000, 0x00_FF00));
}
