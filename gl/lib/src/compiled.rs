//! Where compiled programs are kept: the folder that the options name, one cache for the frontend and the backend. It must never
//! trust a folder that the environment of a program with raised rights names.

use config::Config;
use shader_cache::Cache;
use std::path::PathBuf;
use std::sync::Arc;

/// Has shaders written where the options say.
pub fn dump(config: &Config) {
    if !config.shader_dump.is_empty() && !has_raised_rights() {
        gl_entry::shader_dump::dump_to(PathBuf::from(&config.shader_dump));
    }
}

/// The cache, told to the frontend as well; `None` where the options or the surroundings have none.
pub fn cache(config: &Config) -> Option<Arc<Cache>> {
    if config.shader_cache_mb == 0 || has_raised_rights() {
        return None;
    }
    let folder = match config.shader_cache_dir.as_str() {
        "auto" => users_folder()?,
        path => PathBuf::from(path),
    };
    let limit_bytes = u64::from(config.shader_cache_mb) << 20;
    let cache = Arc::new(Cache::new(&folder, limit_bytes));
    gl_entry::kept_programs::keep_in(cache.clone());
    Some(cache)
}

/// `mobilegl` in the user's cache folder (XDG Base Directory Specification: relative paths are invalid).
fn users_folder() -> Option<PathBuf> {
    let absolute = |variable: &str| {
        let path = PathBuf::from(std::env::var_os(variable)?);
        path.is_absolute().then_some(path)
    };
    absolute("XDG_CACHE_HOME")
        .or_else(|| Some(absolute("HOME")?.join(".cache")))
        .map(|folder| folder.join("mobilegl"))
}

/// Whether the program runs with more rights than who started it.
fn has_raised_rights() -> bool {
    // SAFETY: it takes a number and reads what the kernel gave the process.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}
