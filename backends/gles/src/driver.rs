//! The real driver: finds its libraries, opens a display, makes contexts that share objects. It must never open our own library.

use crate::ext::Ext;
use crate::features::{Features, HideList};
use crate::window;
use glow::HasContext;
use khronos_egl as egl;
use std::ffi::{CString, c_void};
use std::path::{Path, PathBuf};

/// Which driver to open and what of it to use.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// The driver's libEGL, by absolute path; else the system's folders are searched.
    pub egl_lib: Option<PathBuf>,
    /// The driver's libGLESv2; needed only where `eglGetProcAddress` does not return core functions.
    pub gles_lib: Option<PathBuf>,
    pub hide: HideList,
    /// The X server whose windows are to be drawn to: its display is tried first.
    pub x11: Option<String>,
    /// Ask for the driver's error after each verb and say it as an error event: for tests.
    pub check_errors: bool,
    /// How buffers' driver objects are found.
    pub twins: backend_common::TwinKey,
    /// Where linked programs are kept.
    pub cache: Option<std::sync::Arc<shader_cache::Cache>>,
}

/// Why no driver was opened.
#[derive(Debug)]
pub enum OpenError {
    /// No library could be opened; each path that was tried, with the reason.
    NoLibrary(Vec<(PathBuf, String)>),
    /// A library was opened but gives no ES 3.2 context; each platform that was tried, with the reason.
    NoContext(Vec<(&'static str, String)>),
}

impl std::fmt::Display for OpenError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoLibrary(tried) => {
                write!(f, "no EGL library of a driver was found")?;
                for (path, why) in tried {
                    write!(f, "\n  {}: {why}", path.display())?;
                }
            }
            Self::NoContext(tried) => {
                write!(f, "no display gives an OpenGL ES 3.2 context")?;
                for (platform, why) in tried {
                    write!(f, "\n  {platform}: {why}")?;
                }
            }
        }
        Ok(())
    }
}

impl std::error::Error for OpenError {}

type Egl = egl::DynamicInstance<egl::EGL1_5>;

const PLATFORM_X11: egl::Enum = 0x31D5;
const PLATFORM_DEVICE: egl::Enum = 0x313F;
const PLATFORM_SURFACELESS: egl::Enum = 0x31DD;
const EXTENSIONS: egl::Int = 0x3055;
/// EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT.
const ROBUST_ACCESS: egl::Int = 0x30BF;

/// An initialised display with the root context: what all contexts share objects with.
/// Never closed: drivers keep threads and thread-local destructors that outlive an unload.
pub struct Driver {
    pub(crate) egl: Egl,
    pub(crate) display: egl::Display,
    pub platform: &'static str,
    root: egl::Context,
    /// Contexts are made with robust buffer access.
    pub(crate) robust: bool,
}

impl std::fmt::Debug for Driver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Driver")
            .field("platform", &self.platform)
            .finish_non_exhaustive()
    }
}

/// The function tables and what may be asked of them.
#[derive(Debug)]
pub struct Gl {
    pub glow: glow::Context,
    pub ext: Ext,
    pub features: Features,
}

impl std::ops::Deref for Gl {
    type Target = glow::Context;

    #[inline]
    fn deref(&self) -> &glow::Context {
        &self.glow
    }
}

/// A driver context that belongs to one of ours.
#[derive(Clone, Copy, Debug)]
pub struct DriverContext(egl::Context);

/// A window's surface.
#[derive(Clone, Copy, Debug)]
pub struct DriverWindow(pub(crate) egl::Surface);

// SAFETY: EGL handles are names of the driver's own, valid in every thread of the process (EGL 1.5 §2.1).
unsafe impl Send for DriverContext {}
// SAFETY: as for contexts.
unsafe impl Send for DriverWindow {}
// SAFETY: EGL entry points may be called from any thread; which context is current where is the backend's care.
unsafe impl Send for Driver {}
// SAFETY: as for Send.
unsafe impl Sync for Driver {}

impl Driver {
    /// Opens the first driver that gives an ES 3.2 context and leaves its root context current on this thread.
    pub fn open(options: &OpenOptions) -> Result<(Self, Gl), OpenError> {
        let egl = open_egl(options)?;
        let driver = Self::connect(egl, options.x11.as_deref())?;
        let gles = options
            .gles_lib
            .as_deref()
            .and_then(|path| open_library(path).ok());
        let load = |name: &str| -> *const c_void {
            if let Some(f) = driver.egl.get_proc_address(name) {
                return f as *const c_void;
            }
            let Some(library) = &gles else {
                return std::ptr::null();
            };
            let name = CString::new(name).expect("entry point names hold no zero");
            // SAFETY: the symbol is only used as a pointer; its type is given by whoever asked.
            unsafe { library.get::<*const c_void>(name.as_bytes_with_nul()) }
                .map_or(std::ptr::null(), |symbol| *symbol)
        };
        // SAFETY: the root context is current on this thread, and the loader returns that driver's functions.
        let glow = unsafe { glow::Context::from_loader_function(load) };
        // SAFETY: as above.
        let ext = unsafe { Ext::load(load) };
        let version = (glow.version().major, glow.version().minor);
        let features = Features::new(
            version,
            glow.supported_extensions().iter().map(String::as_str),
            &options.hide,
        );
        // The library must stay for as long as its functions are called: always.
        std::mem::forget(gles);
        Ok((
            driver,
            Gl {
                glow,
                ext,
                features,
            },
        ))
    }

    /// Tries the displays of a library until one gives a context.
    fn connect(egl: Egl, x11: Option<&str>) -> Result<Self, OpenError> {
        let mut tried = Vec::new();
        let client = client_extensions(&egl);
        let has = |name: &str| client.split(' ').any(|e| e == name);
        let mut displays: Vec<(&'static str, Option<egl::Display>)> = Vec::new();
        if let Some(server) = x11
            && (has("EGL_KHR_platform_x11") || has("EGL_EXT_platform_x11"))
        {
            let display = window::native_display(server)
                .and_then(|native| platform_display(&egl, PLATFORM_X11, native));
            displays.push((window::PLATFORM, display));
        }
        let devices = if has("EGL_EXT_platform_device") {
            devices(&egl)
        } else {
            Vec::new()
        };
        // A hardware device first: the surfaceless platform of a machine with several vendors may be the software one.
        for device in devices.iter().filter(|device| !device.software) {
            displays.push((
                "device",
                platform_display(&egl, PLATFORM_DEVICE, device.handle),
            ));
        }
        if has("EGL_MESA_platform_surfaceless") {
            displays.push((
                "surfaceless",
                platform_display(&egl, PLATFORM_SURFACELESS, std::ptr::null_mut()),
            ));
        }
        for device in devices.iter().filter(|device| device.software) {
            displays.push((
                "software device",
                platform_display(&egl, PLATFORM_DEVICE, device.handle),
            ));
        }
        // SAFETY: EGL_DEFAULT_DISPLAY is always a valid argument.
        displays.push(("default", unsafe { egl.get_display(egl::DEFAULT_DISPLAY) }));
        for (platform, display) in displays {
            let Some(display) = display else {
                tried.push((platform, "no display".to_owned()));
                continue;
            };
            match first_context(&egl, display) {
                Ok(root) => {
                    tracing::debug!(platform, "opened the driver's display");
                    return Ok(Self {
                        egl,
                        display,
                        platform,
                        root: root.context,
                        robust: root.robust,
                    });
                }
                Err(why) => tried.push((platform, why)),
            }
        }
        Err(OpenError::NoContext(tried))
    }

    /// A further context that shares objects with all others.
    pub fn create_context(&self) -> Result<DriverContext, String> {
        self.egl
            .bind_api(egl::OPENGL_ES_API)
            .map_err(|e| e.to_string())?;
        new_context(&self.egl, self.display, Some(self.root), self.robust).map(DriverContext)
    }

    /// Ends a context; the driver keeps it until no thread has it current.
    pub fn destroy_context(&self, context: DriverContext) {
        let _ = self.egl.destroy_context(self.display, context.0);
    }

    /// Makes a context current on this thread, with a window or without.
    pub fn make_current(
        &self,
        context: DriverContext,
        window: Option<DriverWindow>,
    ) -> Result<(), String> {
        let surface = window.map(|w| w.0);
        // EGL_BIND_API is per thread (EGL 1.5 §3.7), and this may be a thread's first call.
        self.egl
            .bind_api(egl::OPENGL_ES_API)
            .and_then(|()| {
                self.egl
                    .make_current(self.display, surface, surface, Some(context.0))
            })
            .map_err(|e| e.to_string())
    }

    /// Makes the root context current on this thread.
    pub fn make_root_current(&self) -> Result<(), String> {
        self.make_current(DriverContext(self.root), None)
    }

    /// Leaves this thread without a context.
    pub fn release(&self) {
        if self.egl.bind_api(egl::OPENGL_ES_API).is_ok() {
            let _ = self.egl.make_current(self.display, None, None, None);
        }
    }
}

/// The context whose objects all others share.
struct Root {
    context: egl::Context,
    robust: bool,
}

/// A display's first context, current on this thread.
fn first_context(egl: &Egl, display: egl::Display) -> Result<Root, String> {
    egl.initialize(display).map_err(|e| e.to_string())?;
    let extensions = egl
        .query_string(Some(display), EXTENSIONS)
        .map_err(|e| e.to_string())?
        .to_string_lossy()
        .into_owned();
    for needed in ["EGL_KHR_surfaceless_context", "EGL_KHR_no_config_context"] {
        if !extensions.split(' ').any(|e| e == needed) {
            return Err(format!("lacks {needed}"));
        }
    }
    egl.bind_api(egl::OPENGL_ES_API)
        .map_err(|e| e.to_string())?;
    let robust = extensions
        .split(' ')
        .any(|e| e == "EGL_EXT_create_context_robustness");
    let made = new_context(egl, display, None, robust).map(|context| (context, robust));
    let (context, robust) = match made {
        // A driver may know the attribute and refuse it.
        Err(_) if robust => (new_context(egl, display, None, false)?, false),
        made => made?,
    };
    egl.make_current(display, None, None, Some(context))
        .map_err(|e| e.to_string())?;
    Ok(Root { context, robust })
}

fn new_context(
    egl: &Egl,
    display: egl::Display,
    share: Option<egl::Context>,
    robust: bool,
) -> Result<egl::Context, String> {
    // SAFETY: EGL_NO_CONFIG_KHR is the null config, which EGL_KHR_no_config_context allows here.
    let no_config = unsafe { egl::Config::from_ptr(std::ptr::null_mut()) };
    let mut attributes = vec![egl::CONTEXT_MAJOR_VERSION, 3, egl::CONTEXT_MINOR_VERSION, 2];
    if robust {
        attributes.extend([ROBUST_ACCESS, egl::TRUE as egl::Int]);
    }
    attributes.push(egl::NONE);
    egl.create_context(display, no_config, share, &attributes)
        .map_err(|e| e.to_string())
}

fn client_extensions(egl: &Egl) -> String {
    egl.query_string(None, EXTENSIONS)
        .map(|text| text.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn platform_display(egl: &Egl, platform: egl::Enum, native: *mut c_void) -> Option<egl::Display> {
    // SAFETY: null or a device of this library, as the platform asks.
    unsafe { egl.get_platform_display(platform, native, &[egl::ATTRIB_NONE]) }.ok()
}

struct Device {
    handle: *mut c_void,
    software: bool,
}

/// Devices of EGL_EXT_device_enumeration.
fn devices(egl: &Egl) -> Vec<Device> {
    type QueryDevices = unsafe extern "system" fn(i32, *mut *mut c_void, *mut i32) -> u32;
    type QueryDeviceString = unsafe extern "system" fn(*mut c_void, i32) -> *const std::ffi::c_char;
    let (Some(query), Some(string)) = (
        egl.get_proc_address("eglQueryDevicesEXT"),
        egl.get_proc_address("eglQueryDeviceStringEXT"),
    ) else {
        return Vec::new();
    };
    // SAFETY: the signature is EGL_EXT_device_enumeration's, which the caller found in the client extensions.
    let query = unsafe { std::mem::transmute::<extern "system" fn(), QueryDevices>(query) };
    // SAFETY: the signature is EGL_EXT_device_query's, which goes with EGL_EXT_platform_device.
    let string = unsafe { std::mem::transmute::<extern "system" fn(), QueryDeviceString>(string) };
    let mut handles = [std::ptr::null_mut(); 16];
    let mut n = 0;
    // SAFETY: 16 handles of room are announced and given.
    if unsafe { query(16, handles.as_mut_ptr(), &raw mut n) } == 0 {
        return Vec::new();
    }
    handles[..usize::try_from(n).unwrap_or(0).min(16)]
        .iter()
        .map(|handle| {
            // SAFETY: a device that was just enumerated.
            let text = unsafe { string(*handle, EXTENSIONS) };
            let software = !text.is_null() && {
                // SAFETY: EGL's strings are static and end with a zero.
                let text = unsafe { std::ffi::CStr::from_ptr(text) };
                text.to_string_lossy().contains("EGL_MESA_device_software")
            };
            Device {
                handle: *handle,
                software,
            }
        })
        .collect()
}

/// Opens the first libEGL that is a driver's.
fn open_egl(options: &OpenOptions) -> Result<Egl, OpenError> {
    let candidates = match &options.egl_lib {
        Some(path) => vec![path.clone()],
        None => library_folders()
            .iter()
            .flat_map(|folder| [folder.join("libEGL.so.1"), folder.join("libEGL.so")])
            .filter(|path| path.exists())
            .collect(),
    };
    let mut tried = Vec::new();
    for path in candidates {
        let opened = open_library(&path).and_then(|library| {
            // SAFETY: the library is an EGL implementation or lacks the symbols, which is an error.
            unsafe { Egl::load_required_from(library) }.map_err(|e| format!("{e:?}"))
        });
        match opened {
            Ok(egl) => return Ok(egl),
            Err(why) => tried.push((path, why)),
        }
    }
    Err(OpenError::NoLibrary(tried))
}

/// The system's libEGL, whichever driver it leads to: for drivers that look for it by name and would find us.
#[derive(Debug)]
pub struct SystemEgl(libloading::Library);

impl SystemEgl {
    /// The first in the system's folders; `None` where there is none but ours.
    pub fn open() -> Option<Self> {
        let mut paths = library_folders()
            .into_iter()
            .map(|folder| folder.join("libEGL.so.1"))
            .filter(|path| path.exists());
        paths.find_map(|path| Some(Self(open_library(&path).ok()?)))
    }

    /// Address of one of its functions.
    pub fn address(&self, name: &str) -> Option<*const c_void> {
        // SAFETY: only the address is taken.
        let symbol = unsafe { self.0.get::<*const c_void>(name.as_bytes()) }.ok()?;
        // SAFETY: as above; it stays loaded while `self` lives.
        Some(unsafe { symbol.into_raw() }.as_raw_ptr().cast_const())
    }
}

/// Opens a library by absolute path and refuses our own under any name.
fn open_library(path: &Path) -> Result<libloading::Library, String> {
    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
    if !path.is_absolute() {
        return Err("not an absolute path: the loader might answer with our own library".into());
    }
    let real = path.canonicalize().map_err(|e| e.to_string())?;
    let is_ours = "this is MobileGL itself, not a driver";
    if real
        .file_name()
        .is_some_and(|name| name.to_string_lossy().contains("libMobileGL"))
    {
        return Err(is_ours.into());
    }
    // Deep binding: in a program that was started on our library under the name libEGL.so.1, the driver's own references
    // to egl* and gl* would otherwise be resolved to us.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    const DEEPBIND: i32 = 0x8;
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    const DEEPBIND: i32 = 0;
    // SAFETY: a driver's library; its initialisers are those that every GL program runs.
    let library = unsafe { Library::open(Some(&real), RTLD_NOW | RTLD_LOCAL | DEEPBIND) }
        .map_err(|e| e.to_string())?;
    // SAFETY: only the symbol's presence is asked.
    if unsafe { library.get::<*const c_void>(b"mobileglFingerprint\0") }.is_ok() {
        return Err(is_ours.into());
    }
    Ok(library.into())
}

/// Folders of system libraries: the loader's configuration, then the usual places. Never LD_LIBRARY_PATH: we are in it.
fn library_folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let mut confs: Vec<PathBuf> = std::fs::read_dir("/etc/ld.so.conf.d")
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    confs.sort();
    for conf in confs {
        let text = std::fs::read_to_string(conf).unwrap_or_default();
        folders.extend(
            text.lines()
                .map(str::trim)
                .filter(|line| line.starts_with('/'))
                .map(PathBuf::from),
        );
    }
    folders.push(format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH).into());
    let usual = [
        "/usr/lib64",
        "/usr/lib",
        "/lib64",
        "/lib",
        "/system/lib64",
        "/vendor/lib64",
    ];
    folders.extend(usual.iter().map(PathBuf::from));
    folders
}
