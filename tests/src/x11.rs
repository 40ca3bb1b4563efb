//! An X server for one test, windows on it, and what is to be seen in them. It must not know what any test expects.

use std::ffi::{CString, c_char, c_void};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    ConfigureWindowAux, ConnectionExt, CreateWindowAux, ImageFormat, WindowClass,
};
use x11rb::rust_connection::RustConnection;

/// A server, ended with the value, and a connection to it that no library under test knows of.
pub struct Server {
    child: Child,
    /// As in `DISPLAY`.
    pub name: String,
    connection: RustConnection,
    root: u32,
}

impl Drop for Server {
    fn drop(&mut self) {
        // Our own child.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A colour, eight bits each: red, green, blue.
pub type Rgb = [u8; 3];

impl Server {
    /// Starts Xvfb on a free display and points this process at it. A test has its process for itself and calls this first.
    pub fn start() -> Server {
        let mut child = Command::new("Xvfb")
            .args("-displayfd 1 -screen 0 320x240x24 -nolisten tcp".split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts: `./x test` installs it");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped"))
            .read_line(&mut line)
            .expect("Xvfb says its display");
        let name = format!(":{}", line.trim());
        // SAFETY: a test has its process for itself and has started no thread yet.
        unsafe { std::env::set_var("DISPLAY", &name) };
        let (connection, screen) =
            RustConnection::connect(Some(&name)).expect("the server answers");
        let root = connection.setup().roots[screen].root;
        Server {
            child,
            name,
            connection,
            root,
        }
    }

    /// A mapped window with the root window's visual.
    pub fn window(&self, width: u16, height: u16) -> u32 {
        self.window_of(width, height, 0, 0)
    }

    /// A mapped window of a visual and its depth; 0: the root window's.
    pub fn window_of(&self, width: u16, height: u16, depth: u8, visual: u32) -> u32 {
        let id = self.connection.generate_id().expect("an id");
        let mut values = CreateWindowAux::new().background_pixel(0).border_pixel(0);
        if visual != 0 {
            use x11rb::protocol::xproto::ColormapAlloc;
            let colors = self.connection.generate_id().expect("an id");
            self.connection
                .create_colormap(ColormapAlloc::NONE, colors, self.root, visual)
                .expect("sent");
            values = values.colormap(colors);
        }
        self.connection
            .create_window(
                depth,
                id,
                self.root,
                0,
                0,
                width,
                height,
                0,
                WindowClass::INPUT_OUTPUT,
                visual,
                &values,
            )
            .expect("sent")
            .check()
            .expect("a window");
        self.connection
            .map_window(id)
            .expect("sent")
            .check()
            .expect("mapped");
        id
    }

    /// Gives a window another size.
    pub fn resize(&self, window: u32, width: u32, height: u32) {
        let values = ConfigureWindowAux::new().width(width).height(height);
        let sent = self
            .connection
            .configure_window(window, &values)
            .expect("sent");
        sent.check().expect("resized");
    }

    /// Ends a window.
    pub fn destroy(&self, window: u32) {
        let sent = self.connection.destroy_window(window).expect("sent");
        sent.check().expect("destroyed");
    }

    /// What a window shows, from its top left corner; width and height.
    pub fn picture(&self, window: u32) -> Picture {
        let geometry = self.connection.get_geometry(window).expect("sent");
        let geometry = geometry.reply().expect("a window");
        let (width, height) = (geometry.width, geometry.height);
        let image = self
            .connection
            .get_image(ImageFormat::Z_PIXMAP, window, 0, 0, width, height, !0)
            .expect("sent")
            .reply()
            .expect("the window is on the screen");
        Picture {
            width: usize::from(width),
            height: usize::from(height),
            bytes: image.data,
        }
    }

    /// The picture once a pixel of it has the colour; else what it is after five seconds. A driver may show a frame a little later.
    pub fn picture_with(&self, window: u32, at: (usize, usize), color: Rgb) -> Picture {
        let end = Instant::now() + Duration::from_secs(5);
        loop {
            let picture = self.picture(window);
            if picture.at(at.0, at.1) == color || Instant::now() > end {
                return picture;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Pixels as X has them: four bytes each, blue first.
#[derive(Clone, Debug)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    bytes: Vec<u8>,
}

impl Picture {
    /// A pixel; rows count from the top.
    pub fn at(&self, x: usize, y: usize) -> Rgb {
        match self.bytes.get(4 * (y * self.width + x)..) {
            Some([b, g, r, ..]) => [*r, *g, *b],
            _ => panic!("({x}, {y}) is not in {}x{}", self.width, self.height),
        }
    }
}

/// A connection of Xlib's, which GLX and most programs with EGL want. Never closed: its process ends.
pub struct Xlib {
    library: libloading::Library,
    pub display: *mut c_void,
}

impl Xlib {
    /// Connects to a server.
    pub fn open(server: &Server) -> Xlib {
        type Open = unsafe extern "C" fn(*const c_char) -> *mut c_void;
        // SAFETY: libX11's initialisers are those of every X client.
        let library = unsafe { libloading::Library::new("libX11.so.6") }.expect("libX11");
        // SAFETY: the prototype of Xlib.h.
        let open: Open = *unsafe { library.get(b"XOpenDisplay\0") }.expect("XOpenDisplay");
        let name = CString::new(server.name.as_str()).expect("no zero");
        // SAFETY: a C string.
        let display = unsafe { open(name.as_ptr()) };
        assert!(!display.is_null(), "XOpenDisplay({})", server.name);
        Xlib { library, display }
    }

    /// Errors go here from now on; the process ends otherwise.
    pub fn handle_errors(&self, handler: unsafe extern "C" fn(*mut c_void, *const XError) -> i32) {
        type Handler = unsafe extern "C" fn(*mut c_void, *const XError) -> i32;
        type Set = unsafe extern "C" fn(Handler) -> *const c_void;
        // SAFETY: the prototype of Xlib.h.
        let set: Set = *unsafe { self.library.get(b"XSetErrorHandler\0") }.expect("libX11 has it");
        // SAFETY: a function of the type that it wants.
        unsafe { set(handler) };
    }
}

/// Xlib's `XErrorEvent`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct XError {
    pub kind: i32,
    pub display: *mut c_void,
    pub resource: std::ffi::c_ulong,
    pub serial: std::ffi::c_ulong,
    pub error_code: u8,
    pub request_code: u8,
    pub minor_code: u8,
}
