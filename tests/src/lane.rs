//! Lanes: where a scenario runs. A lane is fixed for a process, by environment variables that are set before the library is loaded.

use std::path::PathBuf;

/// One backend, or one backend with less of a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub enum Lane {
    /// OpenGL ES below.
    gles,
    /// Vulkan below.
    vulkan,
    /// OpenGL ES without extensions: what a phone may lack is emulated.
    gles_bare,
    /// Checks the contract, draws nothing: no expectation of a pixel holds.
    null,
    /// The system's own OpenGL: proves the expectations.
    native,
}

impl Lane {
    /// The lane that a test of `self` runs on: the native one when that is asked for.
    pub fn asked(self) -> Lane {
        match std::env::var_os("MOBILEGL_TEST_NATIVE") {
            Some(value) if value == "1" => Lane::native,
            _ => self,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Lane::gles => "gles",
            Lane::vulkan => "vulkan",
            Lane::gles_bare => "gles_bare",
            Lane::null => "null",
            Lane::native => "native",
        }
    }

    /// Whether pixels mean anything.
    pub fn draws(self) -> bool {
        self != Lane::null
    }

    /// The environment of the lane.
    pub fn variables(self) -> Vec<(&'static str, String)> {
        // Software drivers by name: a test must not depend on what hardware is there.
        let gles = || ("GALLIUM_DRIVER", "llvmpipe".to_owned());
        let software = || ("LIBGL_ALWAYS_SOFTWARE", "1".to_owned());
        let backend = |name: &str| ("MOBILEGL_BACKEND", name.to_owned());
        match self {
            Lane::gles => vec![backend("gles"), gles(), software()],
            Lane::gles_bare => {
                let hide = ("MOBILEGL_GLES_HIDE", "bare-es32".to_owned());
                vec![backend("gles"), gles(), software(), hide]
            }
            Lane::vulkan => {
                let mut variables = vec![
                    backend("vulkan"),
                    ("MOBILEGL_VULKAN_VALIDATION", "1".to_owned()),
                ];
                let lavapipe = PathBuf::from("/usr/share/vulkan/icd.d/lvp_icd.x86_64.json");
                if std::env::var_os("VK_ICD_FILENAMES").is_none() && lavapipe.exists() {
                    variables.push(("VK_ICD_FILENAMES", lavapipe.display().to_string()));
                }
                variables
            }
            Lane::null => vec![backend("null")],
            Lane::native => vec![gles(), software()],
        }
    }
}
