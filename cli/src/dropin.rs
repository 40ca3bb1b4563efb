//! Finds the drop-in folder and makes the environment in which a program loads our library instead of the system's. It
//! must not start anything.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use config::Sources;

use crate::args::LibraryArgs;
use crate::lane::build;

/// The names under which programs ask for GL; one missing name would let the system's library in.
const NAMES: &[&str] = &[
    "libEGL.so.1",
    "libGL.so.1",
    "libOpenGL.so.0",
    "libGLX.so.0",
    "libGLESv2.so.2",
];

/// A folder that holds the library under all its names.
pub struct DropIn {
    folder: PathBuf,
    /// Variables of `--set`.
    set: Vec<(String, String)>,
}

impl DropIn {
    pub fn find(args: &LibraryArgs) -> Result<DropIn> {
        let named = || std::env::var_os("MOBILEGL_DROPIN").map(PathBuf::from);
        let folder = match args.dropin.clone().or_else(named) {
            Some(folder) => folder,
            None => {
                let program = std::env::current_exe().context("this program's own path")?;
                program.parent().unwrap_or(Path::new(".")).join("../dropin")
            }
        };
        let Ok(folder) = folder.canonicalize() else {
            bail!(
                "{}: there is no such drop-in folder; `./x build` makes it, --dropin names another",
                folder.display()
            );
        };
        for name in NAMES {
            if !folder.join(name).exists() {
                bail!(
                    "{}: {name} is missing; `./x build` makes the drop-in folder",
                    folder.display()
                );
            }
        }
        let set = args
            .set
            .iter()
            .map(|pair| assignment(pair))
            .collect::<Result<Vec<_>>>()?;
        check(&set)?;
        Ok(DropIn { folder, set })
    }

    /// The library itself, whatever the name.
    pub fn library(&self) -> PathBuf {
        self.folder.join("libEGL.so.1")
    }

    /// The variables that put the library before the system's.
    pub fn variables(&self) -> Vec<(String, OsString)> {
        let mut path = self.folder.clone().into_os_string();
        if let Some(old) = std::env::var_os("LD_LIBRARY_PATH").filter(|old| !old.is_empty()) {
            path.push(":");
            path.push(old);
        }
        let set = self
            .set
            .iter()
            .map(|(name, value)| (name.clone(), value.into()));
        set.chain([("LD_LIBRARY_PATH".to_owned(), path)]).collect()
    }
}

/// Refuses what the library would refuse, before a program is started.
pub fn check(flags: &[(String, String)]) -> Result<()> {
    let sources = Sources {
        flags: flags.to_vec(),
        ..Sources::from_process()
    };
    for warning in sources.load(&build())?.warnings {
        eprintln!("mobilegl: {warning}");
    }
    Ok(())
}

fn assignment(pair: &str) -> Result<(String, String)> {
    let Some((name, value)) = pair.split_once('=') else {
        bail!("--set {pair}: it is written NAME=VALUE");
    };
    let name = name.trim().to_uppercase();
    let name = if name.starts_with("MOBILEGL_") {
        name
    } else {
        format!("MOBILEGL_{name}")
    };
    if config::row(&name).is_none() {
        bail!("--set {pair}: there is no option {name}; `mobilegl help options` lists them");
    }
    Ok((name, value.to_owned()))
}
