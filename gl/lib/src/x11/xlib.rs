//! The system's X client libraries, opened at run time: a machine without them has no application that could give us a `Display`.
//! Only what needs the application's own connection goes through here.
//!
//! Rule for the unsafe blocks: (1) a function's type is that of its header; a `Display` or connection is the application's, alive for
//! the call, as the prototypes of EGL and GLX ask.

use libloading::Library;
use std::ffi::{c_char, c_int, c_long, c_uchar, c_uint, c_ulong, c_void};
use std::sync::OnceLock;

/// Xlib's `XVisualInfo`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct XVisualInfo {
    pub visual: *mut c_void,
    pub visualid: c_ulong,
    pub screen: c_int,
    pub depth: c_int,
    pub class: c_int,
    pub red_mask: c_ulong,
    pub green_mask: c_ulong,
    pub blue_mask: c_ulong,
    pub colormap_size: c_int,
    pub bits_per_rgb: c_int,
}

/// Xlib's `XErrorEvent`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct XErrorEvent {
    pub kind: c_int,
    pub display: *mut c_void,
    pub resource: c_ulong,
    pub serial: c_ulong,
    pub error_code: c_uchar,
    pub request_code: c_uchar,
    pub minor_code: c_uchar,
}

/// Xlib's `XErrorHandler`.
pub type ErrorHandler = Option<unsafe extern "C" fn(*mut c_void, *mut XErrorEvent) -> c_int>;

/// Xlib's mask for [`Xlib::get_visual_info`].
pub const VISUAL_ID_MASK: c_long = 1;
/// As above.
pub const VISUAL_SCREEN_MASK: c_long = 2;

macro_rules! functions {
    ($(#[$doc:meta])* $table:ident { $($field:ident = $symbol:literal: fn($($arg:ty),*) $(-> $ret:ty)?;)* }) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $table {
            $(pub $field: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)*
        }

        impl $table {
            fn load(library: &Library) -> Option<Self> {
                Some(Self { $(
                    // SAFETY: rule 1.
                    $field: *unsafe { library.get(concat!($symbol, "\0").as_bytes()) }.ok()?,
                )* })
            }
        }
    };
}

functions! {
    /// libX11.
    Xlib {
        display_string = "XDisplayString": fn(*mut c_void) -> *const c_char;
        get_visual_info = "XGetVisualInfo": fn(*mut c_void, c_long, *const XVisualInfo, *mut c_int) -> *mut XVisualInfo;
        next_request = "XNextRequest": fn(*mut c_void) -> c_ulong;
        sync = "XSync": fn(*mut c_void, c_int) -> c_int;
        set_error_handler = "XSetErrorHandler": fn(ErrorHandler) -> ErrorHandler;
    }
}

functions! {
    /// libX11-xcb.
    XlibXcb {
        connection = "XGetXCBConnection": fn(*mut c_void) -> *mut c_void;
    }
}

functions! {
    /// libxcb.
    Xcb {
        get_input_focus = "xcb_get_input_focus": fn(*mut c_void) -> c_uint;
        get_input_focus_reply = "xcb_get_input_focus_reply": fn(*mut c_void, c_uint, *mut *mut c_void) -> *mut c_uchar;
        file_descriptor = "xcb_get_file_descriptor": fn(*mut c_void) -> c_int;
    }
}

/// The first library of these names. The process has it loaded already where it has a connection of its kind.
fn open(name: &str) -> Option<Library> {
    // SAFETY: the initialisers of the X client libraries are those that every X client runs.
    unsafe { Library::new(name) }.ok()
}

/// libX11; `None` where there is none.
pub fn xlib() -> Option<&'static Xlib> {
    static TABLE: OnceLock<Option<Xlib>> = OnceLock::new();
    let load = || {
        let library = open("libX11.so.6")?;
        let table = Xlib::load(&library);
        // Its functions are called until the process ends.
        std::mem::forget(library);
        table
    };
    TABLE.get_or_init(load).as_ref()
}

/// libX11-xcb; `None` where there is none.
pub fn xlib_xcb() -> Option<&'static XlibXcb> {
    static TABLE: OnceLock<Option<XlibXcb>> = OnceLock::new();
    let load = || {
        let library = open("libX11-xcb.so.1")?;
        let table = XlibXcb::load(&library);
        std::mem::forget(library);
        table
    };
    TABLE.get_or_init(load).as_ref()
}

/// libxcb; `None` where there is none.
pub fn xcb() -> Option<&'static Xcb> {
    static TABLE: OnceLock<Option<Xcb>> = OnceLock::new();
    let load = || {
        let library = open("libxcb.so.1")?;
        let table = Xcb::load(&library);
        std::mem::forget(library);
        table
    };
    TABLE.get_or_init(load).as_ref()
}
