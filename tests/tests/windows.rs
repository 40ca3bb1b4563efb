//! Windows: EGL and GLX programs on an X server of their own, judged by what the server shows. A picture is what the specification
//! says it is; `MOBILEGL_TEST_NATIVE=1` runs the same on the system's own OpenGL.

use std::ffi::{c_int, c_uint, c_ulong, c_void};
use std::sync::atomic::{AtomicU32, Ordering};

use config::PushMask;
use glow::HasContext;
use khronos_egl as egl;
use scenarios::lane::Lane;
use scenarios::library::{self, Library};
use scenarios::x11::{Rgb, Server, XError, Xlib};

const RED: Rgb = [255, 0, 0];
const GREEN: Rgb = [0, 255, 0];
const BLUE: Rgb = [0, 0, 255];
const WHITE: Rgb = [255, 255, 255];

/// Colours of one frame: everywhere, and in the lower left quarter as GL counts.
type Frame = (Rgb, Rgb);

fn load(lane: Lane) -> &'static Library {
    library::of(lane.asked())
}

/// Everything pulled, everything pushed, and every verb compared.
fn each_mask(library: &Library, mut pass: impl FnMut(&str)) {
    let Some(own) = &library.own else {
        return pass("native");
    };
    for (mask, verify) in [("none", "0"), ("all", "0"), ("all", "1")] {
        own.set_option("pipe_push", mask);
        own.set_option("pipe_verify", verify);
        pass(&format!("mask {mask}, verify {verify}"));
    }
    assert_ne!(PushMask::NONE, PushMask::ALL);
}

/// Draws a frame by clears, as wide as the drawable.
unsafe fn draw(gl: &glow::Context, (all, quarter): Frame, (width, height): (i32, i32)) {
    let clear = |color: Rgb| {
        let [r, g, b] = color.map(|c| f32::from(c) / 255.0);
        // SAFETY: the context is current on this thread.
        unsafe { gl.clear_color(r, g, b, 1.0) };
        // SAFETY: as above.
        unsafe { gl.clear(glow::COLOR_BUFFER_BIT) };
    };
    clear(all);
    // SAFETY: as above.
    unsafe { gl.enable(glow::SCISSOR_TEST) };
    // SAFETY: as above.
    unsafe { gl.scissor(0, 0, width / 2, height / 2) };
    clear(quarter);
    // SAFETY: as above.
    unsafe { gl.disable(glow::SCISSOR_TEST) };
}

/// The frame as X shows it: rows count from the top.
fn check(server: &Server, window: u32, (all, quarter): Frame, size: (i32, i32), what: &str) {
    let picture = server.picture_with(window, (1, size.1 as usize - 2), quarter);
    assert_eq!(
        (picture.width as i32, picture.height as i32),
        size,
        "{what}"
    );
    let (right, bottom) = (picture.width - 2, picture.height - 2);
    let corners = [
        ((1, 1), all, "upper left"),
        ((right, 1), all, "upper right"),
        ((1, bottom), quarter, "lower left"),
        ((right, bottom), all, "lower right"),
        (
            (picture.width / 2 - 1, picture.height / 2 + 1),
            quarter,
            "left of the middle",
        ),
        (
            (picture.width / 2 + 1, picture.height / 2 - 2),
            all,
            "right of the middle",
        ),
    ];
    for ((x, y), color, place) in corners {
        assert_eq!(picture.at(x, y), color, "{what}: {place} ({x}, {y})");
    }
}

/// No GL error, and not a word of the validation layer.
unsafe fn check_log(gl: &glow::Context, what: &str) {
    // SAFETY: the context is current on this thread.
    assert_eq!(unsafe { gl.get_error() }, glow::NO_ERROR, "{what}");
    // SAFETY: as above.
    let entries = unsafe { gl.get_debug_message_log(64) };
    for entry in entries {
        let text = format!("{entry:?}");
        assert!(!text.contains("Vulkan"), "{what}: {text}");
    }
}

const FRAMES: [Frame; 3] = [(RED, GREEN), (BLUE, RED), (GREEN, WHITE)];

const WINDOW_CONFIG: [egl::Int; 13] = [
    egl::SURFACE_TYPE,
    egl::WINDOW_BIT,
    egl::RENDERABLE_TYPE,
    egl::OPENGL_BIT,
    egl::RED_SIZE,
    8,
    egl::GREEN_SIZE,
    8,
    egl::BLUE_SIZE,
    8,
    egl::DEPTH_SIZE,
    16,
    egl::NONE,
];

const DEBUG_CONTEXT: [egl::Int; 7] = [
    egl::CONTEXT_MAJOR_VERSION,
    3,
    egl::CONTEXT_MINOR_VERSION,
    3,
    egl::CONTEXT_OPENGL_DEBUG,
    1,
    egl::NONE,
];

fn egl_window(lane: Lane) {
    let server = Server::start();
    let library = load(lane);
    let (egl, xlib) = (&library.egl, Xlib::open(&server));
    // SAFETY: Xlib's display stays open.
    let display = unsafe { egl.get_display(xlib.display) }.expect("eglGetDisplay");
    egl.initialize(display).expect("eglInitialize");
    egl.bind_api(egl::OPENGL_API).expect("eglBindAPI");
    let config = egl
        .choose_first_config(display, &WINDOW_CONFIG)
        .expect("eglChooseConfig")
        .expect("a configuration for windows");
    let visual = egl.get_config_attrib(display, config, egl::NATIVE_VISUAL_ID);
    assert_ne!(visual.expect("EGL_NATIVE_VISUAL_ID"), 0);
    each_mask(library, |what| {
        let size = (48, 32);
        let window = server.window(size.0 as u16, size.1 as u16);
        // SAFETY: the window exists.
        let create = |window: u32| unsafe {
            egl.create_window_surface(display, config, window as usize as *mut c_void, None)
        };
        let surface = create(window).expect("eglCreateWindowSurface");
        let context = egl
            .create_context(display, config, None, &DEBUG_CONTEXT)
            .expect("eglCreateContext");
        let current = |surface: egl::Surface| {
            egl.make_current(display, Some(surface), Some(surface), Some(context))
        };
        current(surface).expect("eglMakeCurrent");
        // SAFETY: the context is current, and the functions are its library's.
        let gl = unsafe {
            glow::Context::from_loader_function(|name| {
                egl.get_proc_address(name)
                    .map_or(std::ptr::null(), |f| f as *const c_void)
            })
        };
        egl.swap_interval(display, 0).expect("eglSwapInterval");
        for frame in FRAMES {
            // SAFETY: as above.
            unsafe { draw(&gl, frame, size) };
            egl.swap_buffers(display, surface).expect("eglSwapBuffers");
            check(&server, window, frame, size, what);
        }
        // The window's size is the drawable's from the next frame on (EGL 1.5 §3.10.1.1).
        for size in [(80, 60), (33, 21)] {
            server.resize(window, size.0 as u32, size.1 as u32);
            let now = |name| egl.query_surface(display, surface, name).expect("a size");
            assert_eq!((now(egl::WIDTH), now(egl::HEIGHT)), size, "{what}");
            // The first frame is right with us; the system's drivers may learn of the size by the swap alone.
            let frames = if library.own.is_some() { 1 } else { 2 };
            for _ in 0..frames {
                // SAFETY: as above.
                unsafe { draw(&gl, FRAMES[1], size) };
                egl.swap_buffers(display, surface).expect("eglSwapBuffers");
            }
            check(
                &server,
                window,
                FRAMES[1],
                size,
                &format!("{what}, {size:?}"),
            );
        }
        if library.own.is_some() {
            // It grows behind a frame: the frame keeps its upper left corner, and what nobody drew is black.
            // SAFETY: as above.
            unsafe { draw(&gl, FRAMES[0], (33, 21)) };
            server.resize(window, 60, 50);
            egl.swap_buffers(display, surface).expect("eglSwapBuffers");
            let picture = server.picture_with(window, (1, 1), RED);
            let seen = [(1, 1), (1, 19), (50, 1), (50, 45)].map(|(x, y)| picture.at(x, y));
            assert_eq!(seen, [RED, GREEN, [0; 3], [0; 3]], "{what}");
            server.resize(window, 33, 21);
        }
        // Pixels are GL's own, bottom row first.
        let mut pixel = [0; 4];
        // SAFETY: as above; the buffer holds one pixel.
        unsafe {
            draw(&gl, FRAMES[0], (33, 21));
            let into = glow::PixelPackData::Slice(Some(&mut pixel));
            gl.read_pixels(1, 1, 1, 1, glow::RGBA, glow::UNSIGNED_BYTE, into);
        }
        assert_eq!(pixel, [0, 255, 0, 255], "{what}");
        // SAFETY: as above.
        unsafe { check_log(&gl, what) };
        if library.own.is_some() {
            // §3.5.1: one surface per window, and of windows that exist.
            assert_eq!(create(window).err(), Some(egl::Error::BadAlloc), "{what}");
            assert_eq!(
                create(0x1234).err(),
                Some(egl::Error::BadNativeWindow),
                "{what}"
            );
            // §3.10.1.1, once a frame has met the window that is gone.
            server.destroy(window);
            let _ = egl.swap_buffers(display, surface);
            let swapped = egl.swap_buffers(display, surface);
            assert_eq!(swapped.err(), Some(egl::Error::BadNativeWindow), "{what}");
        }
        egl.make_current(display, None, None, None)
            .expect("released");
        egl.destroy_surface(display, surface)
            .expect("eglDestroySurface");
        egl.destroy_context(display, context)
            .expect("eglDestroyContext");
    });
}

#[test]
fn egl_window_shows_each_frame_and_follows_its_size_on_gles() {
    egl_window(Lane::gles);
}

#[test]
fn egl_window_shows_each_frame_and_follows_its_size_on_vulkan() {
    egl_window(Lane::vulkan);
}

const PLATFORM_X11: egl::Enum = 0x31D5;
const PLATFORM_XCB: egl::Enum = 0x31DC;

/// Both platforms of X11, with a connection of the application's and with none, name windows by pointers.
fn egl_platforms(lane: Lane) {
    let server = Server::start();
    let library = load(lane);
    let (egl, xlib) = (&library.egl, Xlib::open(&server));
    // SAFETY: the prototypes of xcb.h.
    let xcb = unsafe { libloading::Library::new("libxcb.so.1") }.expect("libxcb");
    type Connect = unsafe extern "C" fn(*const i8, *mut c_int) -> *mut c_void;
    // SAFETY: as above.
    let connect: Connect = *unsafe { xcb.get(b"xcb_connect\0") }.expect("xcb_connect");
    let name = std::ffi::CString::new(server.name.as_str()).expect("no zero");
    // SAFETY: a C string.
    let connection = unsafe { connect(name.as_ptr().cast(), std::ptr::null_mut()) };
    let none = std::ptr::null_mut();
    let natives = [
        (PLATFORM_X11, xlib.display),
        (PLATFORM_X11, none),
        (PLATFORM_XCB, connection),
        (PLATFORM_XCB, none),
    ];
    for (platform, native) in natives {
        let what = format!("platform {platform:#x}, {native:?}");
        // SAFETY: a display, a connection, or the default.
        let display = unsafe { egl.get_platform_display(platform, native, &[egl::ATTRIB_NONE]) };
        let display = display.expect(&what);
        egl.initialize(display).expect(&what);
        egl.bind_api(egl::OPENGL_API).expect("eglBindAPI");
        let config = egl.choose_first_config(display, &WINDOW_CONFIG);
        let config = config.expect(&what).expect(&what);
        let window = server.window(16, 16);
        let (mut long, mut short) = (c_ulong::from(window), window);
        let at: *mut c_void = match platform {
            PLATFORM_X11 => (&raw mut long).cast(),
            _ => (&raw mut short).cast(),
        };
        // SAFETY: a pointer to the window's id, as the platform has it.
        let surface =
            unsafe { egl.create_platform_window_surface(display, config, at, &[egl::ATTRIB_NONE]) };
        let surface = surface.expect(&what);
        let context = egl.create_context(display, config, None, &DEBUG_CONTEXT);
        let context = context.expect(&what);
        let (drawn, read) = (Some(surface), Some(surface));
        egl.make_current(display, drawn, read, Some(context))
            .expect(&what);
        // SAFETY: the context is current, and the functions are its library's.
        let gl = unsafe {
            glow::Context::from_loader_function(|name| {
                egl.get_proc_address(name)
                    .map_or(std::ptr::null(), |f| f as *const c_void)
            })
        };
        // SAFETY: as above.
        unsafe { draw(&gl, FRAMES[0], (16, 16)) };
        egl.swap_buffers(display, surface).expect(&what);
        check(&server, window, FRAMES[0], (16, 16), &what);
        egl.make_current(display, None, None, None).expect(&what);
        egl.terminate(display).expect(&what);
    }
}

#[test]
fn window_of_every_platform_of_x11_shows_its_frame_on_gles() {
    egl_platforms(Lane::gles);
}

#[test]
fn window_of_every_platform_of_x11_shows_its_frame_on_vulkan() {
    egl_platforms(Lane::vulkan);
}

/// GLX's functions, from the library under test.
struct Glx {
    get: unsafe extern "C" fn(*const u8) -> *const c_void,
    /// Keeps the functions.
    _library: libloading::Library,
}

macro_rules! call {
    ($glx:expr, $name:literal, fn($($ty:ty),*) $(-> $ret:ty)?, $($arg:expr),*) => {{
        type Function = unsafe extern "C" fn($($ty),*) $(-> $ret)?;
        // SAFETY: the prototype of glx.h.
        let function = unsafe { std::mem::transmute::<*const c_void, Function>($glx.address(concat!($name, "\0"))) };
        // SAFETY: displays, ids and lists that live for the call.
        unsafe { function($($arg),*) }
    }};
}

impl Glx {
    fn load(library: &Library) -> Glx {
        let path = match library.own {
            Some(_) => library.path.clone(),
            None => "libGL.so.1".into(),
        };
        // SAFETY: it is open already, or is the system's.
        let library = unsafe { libloading::Library::new(path) }.expect("the library");
        // SAFETY: the prototype of glx.h.
        let get = *unsafe { library.get(b"glXGetProcAddressARB\0") }.expect("GLX is exported");
        Glx {
            get,
            _library: library,
        }
    }

    fn address(&self, name: &str) -> *const c_void {
        // SAFETY: a C string.
        let address = unsafe { (self.get)(name.as_ptr()) };
        assert!(!address.is_null(), "{name}");
        address
    }
}

const GLX_RGBA: c_int = 4;
const GLX_DOUBLEBUFFER: c_int = 5;
const GLX_DEPTH_SIZE: c_int = 12;
const GLX_RED_SIZE: c_int = 8;
const GLX_DRAWABLE_TYPE: c_int = 0x8010;
const GLX_WIDTH: c_int = 0x801D;
const GLX_HEIGHT: c_int = 0x801E;
const GLX_PBUFFER_WIDTH: c_int = 0x8041;
const GLX_PBUFFER_HEIGHT: c_int = 0x8040;

static LAST_ERROR: AtomicU32 = AtomicU32::new(0);

/// Keeps an X error's code and request.
unsafe extern "C" fn keep_error(_: *mut c_void, error: *const XError) -> i32 {
    // SAFETY: Xlib gives an event.
    let error = unsafe { &*error };
    LAST_ERROR.store(
        u32::from(error.error_code) << 8 | u32::from(error.minor_code),
        Ordering::SeqCst,
    );
    0
}

/// First fields of Xlib's `XVisualInfo`.
#[repr(C)]
struct VisualInfo {
    visual: *mut c_void,
    id: c_ulong,
    screen: c_int,
    depth: c_int,
}

fn glx_window(lane: Lane) {
    let server = Server::start();
    let library = load(lane);
    let (glx, xlib) = (Glx::load(library), Xlib::open(&server));
    let display = xlib.display;
    xlib.handle_errors(keep_error);
    type P = *mut c_void;
    let list = [GLX_RGBA, GLX_DOUBLEBUFFER, GLX_DEPTH_SIZE, 16, 0];
    let visual = call!(
        glx,
        "glXChooseVisual",
        fn(P, c_int, *const c_int) -> *const VisualInfo,
        display,
        0,
        list.as_ptr()
    );
    assert!(!visual.is_null(), "glXChooseVisual");
    // SAFETY: not null, and kept until the process ends.
    let (id, depth) = unsafe { ((*visual).id as u32, (*visual).depth as u8) };
    each_mask(library, |what| {
        let size = (48, 32);
        let window = server.window_of(size.0 as u16, size.1 as u16, depth, id);
        let xid = c_ulong::from(window);
        let context = call!(
            glx,
            "glXCreateContext",
            fn(P, *const VisualInfo, P, c_int) -> P,
            display,
            visual,
            std::ptr::null_mut(),
            1
        );
        assert!(!context.is_null(), "{what}");
        let current = |xid: c_ulong, context: P| {
            call!(
                glx,
                "glXMakeCurrent",
                fn(P, c_ulong, P) -> c_int,
                display,
                xid,
                context
            )
        };
        assert_eq!(current(xid, context), 1, "{what}");
        assert_eq!(
            call!(glx, "glXGetCurrentDrawable", fn() -> c_ulong,),
            xid,
            "{what}"
        );
        assert_eq!(
            call!(glx, "glXGetCurrentContext", fn() -> P,),
            context,
            "{what}"
        );
        // SAFETY: the context is current, and the functions are its library's.
        let gl = unsafe {
            glow::Context::from_loader_function(|name| (glx.get)(format!("{name}\0").as_ptr()))
        };
        let swap = || call!(glx, "glXSwapBuffers", fn(P, c_ulong), display, xid);
        for frame in FRAMES {
            // SAFETY: as above.
            unsafe { draw(&gl, frame, size) };
            swap();
            check(&server, window, frame, size, what);
        }
        let size = (80, 60);
        server.resize(window, 80, 60);
        for (name, wanted) in [(GLX_WIDTH, 80), (GLX_HEIGHT, 60)] {
            let mut value: c_uint = 0;
            call!(
                glx,
                "glXQueryDrawable",
                fn(P, c_ulong, c_int, *mut c_uint),
                display,
                xid,
                name,
                &raw mut value
            );
            assert_eq!(value, wanted, "{what}");
        }
        let frames = if library.own.is_some() { 1 } else { 2 };
        for _ in 0..frames {
            // SAFETY: as above.
            unsafe { draw(&gl, FRAMES[1], size) };
            swap();
        }
        check(&server, window, FRAMES[1], size, what);
        // SAFETY: as above.
        unsafe { check_log(&gl, what) };
        assert_eq!(current(0, std::ptr::null_mut()), 1, "{what}");
        call!(glx, "glXDestroyContext", fn(P, P), display, context);
        server.destroy(window);
        assert_eq!(LAST_ERROR.load(Ordering::SeqCst), 0, "{what}: no X error");
    });
    glx_single_buffer(&server, &glx, display);
    glx_thirteen(&server, library, &glx, display);
}

/// A visual with one buffer: what was drawn shows at glFlush, without a swap (GLX 1.4 "Double Buffering").
fn glx_single_buffer(server: &Server, glx: &Glx, display: *mut c_void) {
    type P = *mut c_void;
    let list = [GLX_RGBA, GLX_RED_SIZE, 8, 0];
    let visual = call!(
        *glx,
        "glXChooseVisual",
        fn(P, c_int, *const c_int) -> *const VisualInfo,
        display,
        0,
        list.as_ptr()
    );
    assert!(!visual.is_null(), "a visual with one buffer");
    // SAFETY: not null, and kept until the process ends.
    let (id, depth) = unsafe { ((*visual).id as u32, (*visual).depth as u8) };
    let window = server.window_of(20, 20, depth, id);
    let context = call!(
        *glx,
        "glXCreateContext",
        fn(P, *const VisualInfo, P, c_int) -> P,
        display,
        visual,
        std::ptr::null_mut(),
        1
    );
    let current = |xid: c_ulong, context: P| {
        call!(
            *glx,
            "glXMakeCurrent",
            fn(P, c_ulong, P) -> c_int,
            display,
            xid,
            context
        )
    };
    assert_eq!(current(c_ulong::from(window), context), 1);
    // SAFETY: the context is current, and the functions are its library's.
    let gl = unsafe {
        glow::Context::from_loader_function(|name| (glx.get)(format!("{name}\0").as_ptr()))
    };
    // SAFETY: as above.
    assert!(!unsafe { gl.get_parameter_bool(glow::DOUBLEBUFFER) });
    // SAFETY: as above.
    unsafe { draw(&gl, FRAMES[0], (20, 20)) };
    // SAFETY: as above.
    unsafe { gl.flush() };
    check(server, window, FRAMES[0], (20, 20), "one buffer");
    assert_eq!(current(0, std::ptr::null_mut()), 1);
    call!(*glx, "glXDestroyContext", fn(P, P), display, context);
}

/// Configurations, contexts by attributes, GLX windows, pbuffers and errors (GLX 1.3 and later).
fn glx_thirteen(server: &Server, library: &Library, glx: &Glx, display: *mut c_void) {
    type P = *mut c_void;
    let none = std::ptr::null_mut::<c_void>();
    let list = [
        GLX_DOUBLEBUFFER,
        1,
        GLX_RED_SIZE,
        8,
        GLX_DRAWABLE_TYPE,
        1 | 4,
        0,
    ];
    let mut count = 0;
    let configs = call!(
        *glx,
        "glXChooseFBConfig",
        fn(P, c_int, *const c_int, *mut c_int) -> *const P,
        display,
        0,
        list.as_ptr(),
        &raw mut count
    );
    assert!(count > 0 && !configs.is_null(), "glXChooseFBConfig");
    // SAFETY: at least one.
    let config = unsafe { *configs };
    let visual = call!(
        *glx,
        "glXGetVisualFromFBConfig",
        fn(P, P) -> *const VisualInfo,
        display,
        config
    );
    assert!(!visual.is_null(), "glXGetVisualFromFBConfig");
    // SAFETY: not null.
    let (id, depth) = unsafe { ((*visual).id as u32, (*visual).depth as u8) };
    let create = |list: &[c_int]| {
        call!(
            *glx,
            "glXCreateContextAttribsARB",
            fn(P, P, P, c_int, *const c_int) -> P,
            display,
            config,
            none,
            1,
            list.as_ptr()
        )
    };
    const CORE: [c_int; 6] = [0x2091, 3, 0x2092, 3, 0x9126, 1];
    let context = create(&[CORE.as_slice(), &[0x2094, 1, 0]].concat());
    assert!(!context.is_null(), "OpenGL 3.3 core, debug");
    // What a GLX window shows.
    let window = server.window_of(40, 30, depth, id);
    let drawable = call!(
        *glx,
        "glXCreateWindow",
        fn(P, P, c_ulong, *const c_int) -> c_ulong,
        display,
        config,
        c_ulong::from(window),
        std::ptr::null()
    );
    assert_ne!(drawable, 0, "glXCreateWindow");
    let current = |draw: c_ulong, read: c_ulong, context: P| {
        call!(
            *glx,
            "glXMakeContextCurrent",
            fn(P, c_ulong, c_ulong, P) -> c_int,
            display,
            draw,
            read,
            context
        )
    };
    assert_eq!(current(drawable, drawable, context), 1);
    // SAFETY: the context is current, and the functions are its library's.
    let gl = unsafe {
        glow::Context::from_loader_function(|name| (glx.get)(format!("{name}\0").as_ptr()))
    };
    // SAFETY: as above.
    unsafe { draw(&gl, FRAMES[2], (40, 30)) };
    call!(*glx, "glXSwapBuffers", fn(P, c_ulong), display, drawable);
    check(server, window, FRAMES[2], (40, 30), "a GLX window");
    // A pbuffer of the same context.
    let list = [GLX_PBUFFER_WIDTH, 8, GLX_PBUFFER_HEIGHT, 4, 0];
    let pbuffer = call!(
        *glx,
        "glXCreatePbuffer",
        fn(P, P, *const c_int) -> c_ulong,
        display,
        config,
        list.as_ptr()
    );
    assert_ne!(pbuffer, 0, "glXCreatePbuffer");
    assert_eq!(current(pbuffer, pbuffer, context), 1);
    let mut pixels = [0; 4];
    // SAFETY: as above; the buffer holds a pixel.
    unsafe {
        draw(&gl, FRAMES[1], (8, 4));
        let into = glow::PixelPackData::Slice(Some(&mut pixels));
        gl.read_pixels(1, 1, 1, 1, glow::RGBA, glow::UNSIGNED_BYTE, into);
        check_log(&gl, "GLX 1.3");
    }
    assert_eq!(pixels[..3], RED, "a pbuffer");
    assert_eq!(current(0, 0, none), 1);
    assert_eq!(LAST_ERROR.load(Ordering::SeqCst), 0, "no X error");
    // Errors: code of X11 or behind the extension's first, and the request's minor number (glxproto.h).
    let mut first = 0;
    call!(
        *glx,
        "glXQueryExtension",
        fn(P, *mut c_int, *mut c_int) -> c_int,
        display,
        &raw mut first,
        std::ptr::null_mut()
    );
    let first = first as u32;
    let raised = |what: &str, code: u32| {
        let error = LAST_ERROR.swap(0, Ordering::SeqCst);
        assert_eq!(error >> 8, code, "{what}");
    };
    // GLX_ARB_create_context: "BadMatch ... if the version is not supported"; GLXBadProfileARB is the 14th error.
    assert!(create(&[0x2091, 3, 0x2092, 7, 0]).is_null());
    raised("a version that does not exist", 8);
    assert!(create(&[0x2091, 3, 0x2092, 3, 0x9126, 3, 0]).is_null());
    raised("two profiles", first + 13);
    assert!(create(&[0x1234, 1, 0]).is_null());
    raised("an unknown attribute", 2);
    // The system's drivers leave what follows to the server, which answers later or not at all.
    if library.own.is_some() {
        assert_eq!(current(0x1234, 0x1234, context), 0);
        raised("no drawable", first + 2);
        call!(*glx, "glXDestroyContext", fn(P, P), display, context);
        assert_eq!(current(drawable, drawable, context), 0);
        raised("a context that ended", first);
        let pixmap = call!(
            *glx,
            "glXCreatePixmap",
            fn(P, P, c_ulong, *const c_int) -> c_ulong,
            display,
            config,
            1,
            std::ptr::null()
        );
        assert_eq!(pixmap, 0);
        raised("pixmaps are refused", 8);
    }
}

#[test]
fn glx_window_shows_each_frame_and_follows_its_size_on_gles() {
    glx_window(Lane::gles);
}

#[test]
fn glx_window_shows_each_frame_and_follows_its_size_on_vulkan() {
    glx_window(Lane::vulkan);
}

/// Also what is refused: a program that is linked against it must start.
#[test]
fn every_glx_command_is_exported_by_both_builds() {
    let page = library::root().join("docs/generated/coverage.md");
    let page = std::fs::read_to_string(page).expect("the coverage page");
    let names: Vec<&str> = page
        .split('`')
        .filter(|name| name.starts_with("glX"))
        .collect();
    assert!(
        names.len() >= 39,
        "GLX 1.0 to 1.4 have 39 commands: {names:?}"
    );
    for variant in [library::Variant::Default, library::Variant::Shipping] {
        let path = library::staged(variant).unwrap_or_else(|why| panic!("{why}"));
        // SAFETY: the library's initialisers touch only its own statics.
        let dynamic = unsafe { libloading::Library::new(path) }.expect("it loads");
        for name in &names {
            // SAFETY: only its presence is asked.
            let found = unsafe { dynamic.get::<*const c_void>(name.as_bytes()) };
            assert!(found.is_ok(), "{name}, {variant:?}");
        }
    }
}
