//! Which backend draws: opens one by name, or the first that works. It knows each backend's `open` and nothing else of it.

use backend_null::NullBackend;
use config::{Backend, Config};
use gl_entry::source::Stream;
use pipe_inputs::Executor;
use shader_cache::Cache;
use std::path::PathBuf;
use std::sync::Arc;

/// What was found out about a backend's driver.
pub struct Found {
    pub device: String,
    pub version: String,
    pub missing: Vec<(String, String)>,
}

/// Opens the backend that the options ask for.
pub fn open(config: &Config) -> Result<Box<dyn Stream>, String> {
    crate::compiled::dump(config);
    let cache = crate::compiled::cache(config);
    match config.backend {
        Backend::Null => Ok(Box::new(Executor::new(NullBackend::default()))),
        Backend::Gles => open_gles(config, cache),
        Backend::Vulkan => open_vulkan(config, cache),
        Backend::Auto => open_gles(config, cache.clone()).or_else(|gles| {
            open_vulkan(config, cache).map_err(|vulkan| {
                format!("no backend works here.\n  gles: {gles}\n  vulkan: {vulkan}")
            })
        }),
    }
}

fn open_gles(config: &Config, cache: Option<Arc<Cache>>) -> Result<Box<dyn Stream>, String> {
    let options = backend_gles::OpenOptions {
        cache,
        ..gles_options(config)
    };
    let backend = backend_gles::open(&options).map_err(|e| e.to_string())?;
    Ok(Box::new(Executor::new(backend)))
}

fn gles_options(config: &Config) -> backend_gles::OpenOptions {
    let mut libs = config.gles_libs.iter().filter(|path| *path != "auto");
    backend_gles::OpenOptions {
        egl_lib: libs.next().map(PathBuf::from),
        gles_lib: libs.next().map(PathBuf::from),
        hide: backend_gles::HideList::parse(&config.gles_hide.join(",")),
        x11: x_server(),
        check_errors: false,
        twins: twin_key(config),
        cache: None,
    }
}

/// The X server whose windows a backend must be able to draw to: the one that the application showed first, else that of `DISPLAY`.
fn x_server() -> Option<String> {
    crate::x11::session_server().or_else(|| std::env::var("DISPLAY").ok())
}

/// The older keying of driver objects exists where the older model does.
fn twin_key(config: &Config) -> backend_common::TwinKey {
    #[cfg(all(feature = "pull", feature = "faults"))]
    if let Some(kind) = crate::faults::Plan::parse(&config.pipe_fault)
        .ok()
        .and_then(|plan| plan.forgotten())
    {
        return backend_common::TwinKey::Address(kind);
    }
    #[cfg(feature = "pull")]
    if config.pipe_legacy_memos {
        return backend_common::TwinKey::Identity;
    }
    let _ = config;
    backend_common::TwinKey::Slots
}

fn open_vulkan(config: &Config, cache: Option<Arc<Cache>>) -> Result<Box<dyn Stream>, String> {
    let options = backend_vulkan::OpenOptions {
        cache,
        ..vulkan_options(config)
    };
    let backend = backend_vulkan::open(&options).map_err(|e| e.to_string())?;
    Ok(Box::new(Executor::new(backend)))
}

fn vulkan_options(config: &Config) -> backend_vulkan::OpenOptions {
    backend_vulkan::OpenOptions {
        loader: Some(config.vulkan_lib.as_str())
            .filter(|path| *path != "auto")
            .map(PathBuf::from),
        twins: twin_key(config),
        hide: backend_vulkan::HideList::parse(&config.vulkan_hide.join(",")),
        validation: config.vulkan_validation,
        x11: x_server(),
        cache: None,
    }
}

/// Every backend with a driver, tried with these options: what is hidden or chosen by them is so here as well.
pub fn probe_all(config: &Config) -> Vec<(&'static str, Result<Found, String>)> {
    let gles = backend_gles::probe(&gles_options(config))
        .map(|probe| Found {
            device: probe.device,
            version: probe.version,
            missing: probe.missing,
        })
        .map_err(|e| e.to_string());
    let vulkan = backend_vulkan::probe(&vulkan_options(config))
        .map(|probe| Found {
            device: probe.device,
            version: probe.version,
            missing: probe.missing,
        })
        .map_err(|e| e.to_string());
    vec![("gles", gles), ("vulkan", vulkan)]
}
