//! The C functions that the rows call, loaded from whatever libEGL the loader finds: ours in a drop-in folder, else the system's.
//! It is a client like any other and knows nothing of MobileGL but the names of its counters.
//!
//! Rule for the unsafe blocks: (1) every call has the prototype of the EGL or OpenGL specification, on the thread that made the context
//! current, with pointers to living Rust memory of the size that the command reads or writes.

use anyhow::{Context as _, Result, bail};
use libloading::Library;
use std::ffi::{CString, c_char, c_int, c_uint, c_void};

macro_rules! functions {
    ($($name:ident: fn($($arg:ty),*) $(-> $ret:ty)?;)*) => {
        /// GL functions, by pointer: what a loader library would hold.
        #[allow(non_snake_case)]
        pub struct Gl { $(pub $name: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)* }

        impl Gl {
            fn load(address: impl Fn(&str) -> *const c_void) -> Result<Self> {
                Ok(Self { $($name: {
                    let address = address(stringify!($name));
                    if address.is_null() {
                        bail!("the library has no {}", stringify!($name));
                    }
                    // SAFETY: rule 1: the address of the command with this prototype.
                    unsafe { std::mem::transmute::<*const c_void, unsafe extern "C" fn($($arg),*) $(-> $ret)?>(address) }
                },)* })
            }
        }
    };
}

functions! {
    glGenBuffers: fn(c_int, *mut c_uint);
    glBindBuffer: fn(c_uint, c_uint);
    glBufferData: fn(c_uint, isize, *const c_void, c_uint);
    glGenVertexArrays: fn(c_int, *mut c_uint);
    glBindVertexArray: fn(c_uint);
    glEnableVertexAttribArray: fn(c_uint);
    glVertexAttribPointer: fn(c_uint, c_int, c_uint, u8, c_int, *const c_void);
    glCreateShader: fn(c_uint) -> c_uint;
    glShaderSource: fn(c_uint, c_int, *const *const c_char, *const c_int);
    glCompileShader: fn(c_uint);
    glGetShaderiv: fn(c_uint, c_uint, *mut c_int);
    glGetShaderInfoLog: fn(c_uint, c_int, *mut c_int, *mut c_char);
    glCreateProgram: fn() -> c_uint;
    glAttachShader: fn(c_uint, c_uint);
    glLinkProgram: fn(c_uint);
    glGetProgramiv: fn(c_uint, c_uint, *mut c_int);
    glUseProgram: fn(c_uint);
    glGetUniformLocation: fn(c_uint, *const c_char) -> c_int;
    glUniform1i: fn(c_int, c_int);
    glUniformMatrix4fv: fn(c_int, c_int, u8, *const f32);
    glGenTextures: fn(c_int, *mut c_uint);
    glActiveTexture: fn(c_uint);
    glBindTexture: fn(c_uint, c_uint);
    glTexImage2D: fn(c_uint, c_int, c_int, c_int, c_int, c_int, c_uint, c_uint, *const c_void);
    glTexParameteri: fn(c_uint, c_uint, c_int);
    glGenFramebuffers: fn(c_int, *mut c_uint);
    glBindFramebuffer: fn(c_uint, c_uint);
    glFramebufferTexture2D: fn(c_uint, c_uint, c_uint, c_uint, c_int);
    glCheckFramebufferStatus: fn(c_uint) -> c_uint;
    glViewport: fn(c_int, c_int, c_int, c_int);
    glEnable: fn(c_uint);
    glDisable: fn(c_uint);
    glBlendFunc: fn(c_uint, c_uint);
    glDrawArrays: fn(c_uint, c_int, c_int);
    glDrawElements: fn(c_uint, c_int, c_uint, *const c_void);
    glReadPixels: fn(c_int, c_int, c_int, c_int, c_uint, c_uint, *mut c_void);
    glFinish: fn();
    glGetError: fn() -> c_uint;
    glGetString: fn(c_uint) -> *const c_char;
}

type GetProcAddress = unsafe extern "C" fn(*const c_char) -> *const c_void;

/// A surfaceless OpenGL 3.3 core context on this thread, with its functions.
pub struct Client {
    pub gl: Gl,
    /// Allocations that the library made so far, where it counts them.
    allocations: Option<unsafe extern "C" fn() -> u64>,
    context: Handles,
    /// Never unloaded: drivers do not take it well.
    _egl: std::mem::ManuallyDrop<Library>,
}

/// The context, and what ends it.
struct Handles {
    make_current:
        unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void) -> c_uint,
    destroy_context: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_uint,
    display: *mut c_void,
    context: *mut c_void,
}

unsafe extern "C" {
    fn sched_getcpu() -> c_int;
    fn sched_setaffinity(pid: c_int, size: usize, mask: *const u64) -> c_int;
}

/// Keeps this thread on the core it is on: another core has other caches and another clock. Where that is not allowed it stays free.
pub fn pin() {
    // SAFETY: a function of the C library without arguments.
    let cpu = unsafe { sched_getcpu() };
    let mut mask = [0u64; 16];
    if let Some(word) = usize::try_from(cpu)
        .ok()
        .and_then(|cpu| mask.get_mut(cpu / 64))
    {
        *word = 1 << (cpu % 64);
        // SAFETY: a set of cores of the size that is told; 0 is this thread.
        unsafe { sched_setaffinity(0, size_of_val(&mask), mask.as_ptr()) };
    }
}

const EGL_OPENGL_API: c_uint = 0x30A2;
const EGL_PLATFORM_SURFACELESS_MESA: c_uint = 0x31DD;
const EGL_PLATFORM_DEVICE_EXT: c_uint = 0x313F;
const EGL_NONE: c_int = 0x3038;

impl Client {
    /// Opens `libEGL.so.1` by name, as programs do.
    pub fn open() -> Result<Self> {
        // SAFETY: EGL libraries have initialisers without preconditions.
        let egl = unsafe { Library::new("libEGL.so.1") }.context("libEGL.so.1")?;
        // SAFETY: rule 1.
        let get: GetProcAddress = unsafe { *egl.get::<GetProcAddress>(b"eglGetProcAddress\0")? };
        let address = |name: &str| {
            let name = CString::new(name).expect("names have no NUL");
            // SAFETY: rule 1.
            unsafe { get(name.as_ptr()) }
        };
        let of_library = |name: &str| -> Result<*const c_void> {
            // SAFETY: only the address is taken.
            let symbol = unsafe { egl.get::<*const c_void>(format!("{name}\0").as_bytes()) };
            match symbol {
                // SAFETY: the symbol is the function itself.
                Ok(symbol) => Ok(unsafe { symbol.into_raw() }.as_raw_ptr().cast_const()),
                Err(_) => Ok(address(name)),
            }
        };
        macro_rules! egl {
            ($name:literal as fn($($arg:ty),*) -> $ret:ty) => {{
                let address = of_library($name)?;
                if address.is_null() { bail!("libEGL.so.1 has no {}", $name) }
                // SAFETY: rule 1: the address of the function with this prototype.
                unsafe { std::mem::transmute::<*const c_void, unsafe extern "C" fn($($arg),*) -> $ret>(address) }
            }};
        }
        let platform_display = egl!(
            "eglGetPlatformDisplayEXT" as fn(c_uint, *mut c_void, *const c_int) -> *mut c_void
        );
        let query_devices =
            egl!("eglQueryDevicesEXT" as fn(c_int, *mut *mut c_void, *mut c_int) -> c_uint);
        let initialize = egl!("eglInitialize" as fn(*mut c_void, *mut c_int, *mut c_int) -> c_uint);
        let bind_api = egl!("eglBindAPI" as fn(c_uint) -> c_uint);
        let create_context = egl!(
            "eglCreateContext"
                as fn(*mut c_void, *mut c_void, *mut c_void, *const c_int) -> *mut c_void
        );
        let make_current = egl!(
            "eglMakeCurrent" as fn(*mut c_void, *mut c_void, *mut c_void, *mut c_void) -> c_uint
        );
        let destroy_context = egl!("eglDestroyContext" as fn(*mut c_void, *mut c_void) -> c_uint);
        // Devices first: that is how a GPU's driver is reached without a window system.
        let mut displays = Vec::new();
        let (mut devices, mut n) = ([std::ptr::null_mut(); 8], 0);
        // SAFETY: rule 1.
        if unsafe { query_devices(8, devices.as_mut_ptr(), &mut n) } != 0 {
            displays.extend(
                devices[..n as usize]
                    .iter()
                    .map(|device| (EGL_PLATFORM_DEVICE_EXT, *device)),
            );
        }
        displays.push((EGL_PLATFORM_SURFACELESS_MESA, std::ptr::null_mut()));
        let attributes = [0x3098, 3, 0x30FB, 3, 0x30FD, 1, EGL_NONE]; // major 3, minor 3, core
        for (platform, native) in displays {
            // SAFETY: rule 1.
            let display = unsafe { platform_display(platform, native, std::ptr::null()) };
            // SAFETY: rule 1; a null display is refused by EGL.
            let initialized =
                unsafe { initialize(display, std::ptr::null_mut(), std::ptr::null_mut()) };
            if display.is_null() || initialized == 0 {
                continue;
            }
            // SAFETY: rule 1.
            unsafe { bind_api(EGL_OPENGL_API) };
            let none = std::ptr::null_mut();
            // SAFETY: rule 1.
            let context = unsafe { create_context(display, none, none, attributes.as_ptr()) };
            // SAFETY: rule 1; a null context only releases.
            let current = unsafe { make_current(display, none, none, context) };
            if context.is_null() || current == 0 {
                continue;
            }
            let gl = Gl::load(address)?;
            let counter = address("mobileglAllocations");
            let ours = !counter.is_null() && {
                // eglGetProcAddress of a dispatch library may answer any name: only ours says who it is.
                // SAFETY: rule 1.
                let renderer = unsafe { (gl.glGetString)(0x1F01) };
                // SAFETY: rule 1: a C string.
                !renderer.is_null()
                    && unsafe { std::ffi::CStr::from_ptr(renderer) }
                        .to_bytes()
                        .starts_with(b"MobileGL")
            };
            // SAFETY: our library exports it with this prototype.
            let allocations = ours.then(|| unsafe {
                std::mem::transmute::<*const c_void, unsafe extern "C" fn() -> u64>(counter)
            });
            return Ok(Self {
                gl,
                allocations,
                context: Handles {
                    make_current,
                    destroy_context,
                    display,
                    context,
                },
                _egl: std::mem::ManuallyDrop::new(egl),
            });
        }
        bail!("no display gives an OpenGL 3.3 core context without a surface")
    }

    /// Ends the context, as a program does that does not just stop.
    pub fn close(self) {
        let none = std::ptr::null_mut();
        let of = &self.context;
        // SAFETY: rule 1: the context is this thread's.
        unsafe {
            (of.make_current)(of.display, none, none, none);
            (of.destroy_context)(of.display, of.context);
        }
    }

    /// Allocations that the library made so far; 0 where it does not count.
    pub fn allocations(&self) -> u64 {
        // SAFETY: rule 1.
        self.allocations.map_or(0, |count| unsafe { count() })
    }
}
