//! The library under test: found, loaded once per process, and asked who it is. It must not be used before it has proven
//! that it is the staged build of these sources.

use std::ffi::{CStr, CString, c_char, c_int};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use libloading::Library as Dynamic;
use serde::Deserialize;

use crate::lane::Lane;

pub type Egl = khronos_egl::DynamicInstance<khronos_egl::EGL1_5>;

/// Which of the two staged builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// With pull, verify and faults.
    Default,
    /// Without.
    Shipping,
}

impl Variant {
    pub fn folder(self) -> &'static str {
        match self {
            Variant::Default => "default",
            Variant::Shipping => "shipping",
        }
    }

    /// The features that the build must say it has.
    pub fn features(self) -> &'static [&'static str] {
        match self {
            Variant::Default => &["pull", "verify", "faults"],
            Variant::Shipping => &[],
        }
    }
}

/// What the library says of itself: `mobileglFingerprint`.
#[derive(Clone, Debug, Deserialize)]
pub struct Fingerprint {
    pub layout_hash: String,
    pub version: String,
    pub features: Vec<String>,
}

/// Which arm of a subsystem worked how often: a row of `mobileglArmCounters`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArmCount {
    pub bit: u64,
    pub push: u64,
    pub pull: u64,
}

/// A fault that the library can plant: an entry of `mobileglFaults`.
#[derive(Clone, Debug, Deserialize)]
pub struct Fault {
    pub name: String,
    /// The bit that separates it; `None`: it is in code that all arms share.
    pub bit: Option<String>,
    /// Which arm of that bit is wrong: `push` or `pull`.
    pub arm: Option<String>,
    /// Bits in one arm of which alone a fault of shared code may show.
    pub shows: Vec<String>,
    /// How the fields that verification may name begin.
    pub fields: Vec<String>,
    /// For a command: the version of OpenGL that it came with, as two digits.
    pub since: Option<u8>,
}

/// The functions that our library has beside GL and EGL.
pub struct Own {
    set_option: unsafe extern "C" fn(*const c_char, *const c_char) -> c_int,
    get_option: unsafe extern "C" fn(*const c_char, *mut c_char, usize) -> usize,
    arm_counters: unsafe extern "C" fn(*mut ArmCount, usize) -> usize,
    faults: unsafe extern "C" fn(*mut c_char, usize) -> usize,
    pub fingerprint: Fingerprint,
}

/// The loaded library.
pub struct Library {
    pub path: PathBuf,
    pub egl: Egl,
    /// `None`: the system's.
    pub own: Option<Own>,
    /// Kept open: drivers' threads run its code until the process ends.
    _dynamic: Dynamic,
}

/// The workspace's root folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("tests lies one folder below the root")
        .to_path_buf()
}

/// The folder that holds both staged builds.
pub fn stage() -> PathBuf {
    std::env::var_os("MOBILEGL_STAGE").map_or_else(|| root().join("target/stage"), PathBuf::from)
}

/// The staged library, refused when it is older than the sources.
///
/// nextest has just staged it and says so by its variable; in any other run the sources' hash is compared.
pub fn staged(variant: Variant) -> Result<PathBuf, String> {
    let folder = stage().join(variant.folder());
    let path = folder.join("libMobileGL.so");
    if !path.exists() {
        return Err(format!(
            "{} is missing: run `.config/stage.sh`, or the tests through `cargo nextest run`",
            path.display()
        ));
    }
    if std::env::var_os("MOBILEGL_STAGE").is_none() {
        let built = std::fs::read_to_string(folder.join("tree-hash")).unwrap_or_default();
        let output = Command::new(root().join(".config/tree-hash.sh"))
            .output()
            .map_err(|error| format!(".config/tree-hash.sh: {error}"))?;
        if built.trim() != String::from_utf8_lossy(&output.stdout).trim() {
            return Err(format!(
                "{} was built from other sources: run `.config/stage.sh`",
                path.display()
            ));
        }
    }
    Ok(path)
}

/// The library of a lane, loaded once. Panics with what to run when it cannot be used.
pub fn of(lane: Lane) -> &'static Library {
    loaded(lane, Variant::Default)
}

/// The library that ships, loaded once: in a process that has not loaded the other.
pub fn shipping(lane: Lane) -> &'static Library {
    loaded(lane, Variant::Shipping)
}

fn loaded(lane: Lane, variant: Variant) -> &'static Library {
    static LIBRARY: OnceLock<(Lane, Variant, Library)> = OnceLock::new();
    let (lane_of, variant_of, library) = LIBRARY.get_or_init(|| {
        for (name, value) in lane.variables() {
            // SAFETY: a test has its process for itself (`walk::run` sees to it) and has started no thread yet.
            unsafe { std::env::set_var(name, value) };
        }
        let library = match lane {
            Lane::native => native(),
            _ => staged(variant)
                .and_then(|path| load(path, Some(variant)))
                .unwrap_or_else(|why| panic!("{why}")),
        };
        (lane, variant, library)
    });
    assert_eq!(
        (*lane_of, *variant_of),
        (lane, variant),
        "a process runs one build on one lane"
    );
    library
}

/// The linker's map of a staged build: every object file and symbol that is in it.
pub fn link_map(variant: Variant) -> Result<String, String> {
    let path = staged(variant)?.with_extension("map");
    // Symbols of other languages need not be UTF-8.
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The system's EGL by its absolute path: by name alone a drop-in folder would give ours.
fn native() -> Library {
    const PATHS: [&str; 3] = [
        "/usr/lib/x86_64-linux-gnu/libEGL.so.1",
        "/usr/lib/aarch64-linux-gnu/libEGL.so.1",
        "/usr/lib64/libEGL.so.1",
    ];
    let path = PATHS
        .iter()
        .map(Path::new)
        .find(|path| path.exists())
        .expect("the system has no libEGL.so.1");
    load(path.to_path_buf(), None).unwrap_or_else(|why| panic!("{why}"))
}

fn load(path: PathBuf, variant: Option<Variant>) -> Result<Library, String> {
    // SAFETY: the initialisers of our library touch only its own statics; the system's EGL is opened as every program opens it.
    let dynamic = unsafe { Dynamic::new(&path) }
        .map_err(|error| format!("{} does not load: {error}", path.display()))?;
    let own = match variant {
        Some(variant) => Some(Own::of(&dynamic, variant)?),
        None => None,
    };
    // SAFETY: as above, and it is open already.
    let egl = unsafe { Egl::load_required_from_filename(&path) }
        .map_err(|error| format!("{} lacks EGL 1.5: {error}", path.display()))?;
    Ok(Library {
        path,
        egl,
        own,
        _dynamic: dynamic,
    })
}

impl Own {
    fn of(dynamic: &Dynamic, variant: Variant) -> Result<Own, String> {
        let lacks = |name: &str| format!("the library has no {name}: is it ours?");
        // SAFETY: the library declares `const char *mobileglFingerprint(void)`.
        let fingerprint = unsafe {
            dynamic.get::<unsafe extern "C" fn() -> *const c_char>(b"mobileglFingerprint\0")
        }
        .map_err(|_| lacks("mobileglFingerprint"))?;
        // SAFETY: it returns a string that lives as long as the library.
        let text = unsafe { CStr::from_ptr(fingerprint()) }.to_string_lossy();
        let fingerprint: Fingerprint =
            serde_json::from_str(&text).map_err(|error| format!("fingerprint {text}: {error}"))?;
        let mut features: Vec<&str> = fingerprint.features.iter().map(String::as_str).collect();
        let mut wanted = variant.features().to_vec();
        features.sort_unstable();
        wanted.sort_unstable();
        if features != wanted {
            return Err(format!(
                "the staged {} library has the features {features:?} instead of {wanted:?}: run `.config/stage.sh`",
                variant.folder()
            ));
        }
        // SAFETY: the library declares `int mobileglSetOption(const char *, const char *)`.
        let set_option = unsafe { dynamic.get(b"mobileglSetOption\0") };
        // SAFETY: the library declares `size_t mobileglGetOption(const char *, char *, size_t)`.
        let get_option = unsafe { dynamic.get(b"mobileglGetOption\0") };
        // SAFETY: the library declares `size_t mobileglArmCounters(struct { uint64_t bit, push, pull; } *, size_t)`.
        let arm_counters = unsafe { dynamic.get(b"mobileglArmCounters\0") };
        // SAFETY: the library declares `size_t mobileglFaults(char *, size_t)`.
        let faults = unsafe { dynamic.get(b"mobileglFaults\0") };
        Ok(Own {
            set_option: *set_option.map_err(|_| lacks("mobileglSetOption"))?,
            get_option: *get_option.map_err(|_| lacks("mobileglGetOption"))?,
            arm_counters: *arm_counters.map_err(|_| lacks("mobileglArmCounters"))?,
            faults: *faults.map_err(|_| lacks("mobileglFaults"))?,
            fingerprint,
        })
    }

    /// Sets an option for contexts that are created from now on. Panics when it is refused.
    pub fn set_option(&self, name: &str, value: &str) {
        let status = self.try_set_option(name, value);
        assert_eq!(status, 0, "the option {name}={value} was refused");
    }

    /// What an attempt to set an option answers.
    pub fn try_set_option(&self, name: &str, value: &str) -> c_int {
        let (key, text) = (
            CString::new(name).expect("no zero"),
            CString::new(value).expect("no zero"),
        );
        // SAFETY: both strings end in a zero and live through the call.
        unsafe { (self.set_option)(key.as_ptr(), text.as_ptr()) }
    }

    /// The value in force: of the current context where the option is latched.
    pub fn option(&self, name: &str) -> String {
        let key = CString::new(name).expect("no zero");
        let mut text = [0u8; 4096];
        // SAFETY: the name ends in a zero, and the function writes at most as many bytes as it is told.
        let length =
            unsafe { (self.get_option)(key.as_ptr(), text.as_mut_ptr().cast(), text.len()) };
        assert!(length <= text.len(), "{name} has a value of {length} bytes");
        String::from_utf8_lossy(&text[..length])
            .trim_end_matches('\0')
            .to_owned()
    }

    /// Every fault that the option `pipe_fault` can plant.
    pub fn faults(&self) -> Vec<Fault> {
        // SAFETY: a null buffer is only measured.
        let length = unsafe { (self.faults)(std::ptr::null_mut(), 0) };
        let mut text = vec![0u8; length];
        // SAFETY: the function writes at most as many bytes as it is told.
        unsafe { (self.faults)(text.as_mut_ptr().cast(), text.len()) };
        serde_json::from_slice(&text).expect("a list of faults")
    }

    /// How often each arm has worked in the current context.
    pub fn arm_counts(&self) -> Vec<ArmCount> {
        let mut rows = [ArmCount::default(); 64];
        // SAFETY: the function writes at most as many rows as it is told.
        let count = unsafe { (self.arm_counters)(rows.as_mut_ptr(), rows.len()) };
        rows[..count.min(rows.len())].to_vec()
    }
}
