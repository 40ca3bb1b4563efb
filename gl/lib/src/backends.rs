//! Which backend draws: opens one by name, or the first that works. It knows each backend's `open` and nothing else of it.

use backend_null::NullBackend;
use config::{Backend, Config};
use gl_entry::source::Stream;
use pipe_inputs::Executor;

/// What was found out about a backend's driver.
pub struct Found {
    pub device: String,
    pub version: String,
    pub missing: Vec<(String, String)>,
}

/// Opens the backend that the options ask for.
pub fn open(config: &Config) -> Result<Box<dyn Stream>, String> {
    match config.backend {
        Backend::Null => Ok(Box::new(Executor::new(NullBackend::default()))),
        Backend::Gles => open_gles(config),
        Backend::Vulkan => open_vulkan(config),
        Backend::Auto => open_gles(config).or_else(|gles| {
            open_vulkan(config).map_err(|vulkan| {
                format!("no backend works here.\n  gles: {gles}\n  vulkan: {vulkan}")
            })
        }),
    }
}

fn open_gles(_: &Config) -> Result<Box<dyn Stream>, String> {
    Err("this build has no gles backend yet".into())
}

fn open_vulkan(_: &Config) -> Result<Box<dyn Stream>, String> {
    Err("this build has no vulkan backend yet".into())
}

/// Every backend with a driver, tried.
pub fn probe_all() -> Vec<(&'static str, Result<Found, String>)> {
    Vec::new()
}
