//! What the library's `mobileglDoctor` tells about the drivers of a machine, as JSON: the contract between the library
//! (writer) and the command line (reader). It must not say how something was found out.
//!
//! C form: `size_t mobileglDoctor(char *buffer, size_t length)`. It returns the length of the whole text without a
//! terminator and writes as much of it as fits, so a caller whose buffer was too short calls again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One report per backend that the library has, by the backend's name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DoctorReport(pub BTreeMap<String, BackendReport>);

/// Whether one backend can draw here, on what, and what its driver lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackendReport {
    pub available: bool,
    /// The device's name as its driver tells it; where none was found, why not.
    pub device: String,
    /// The driver's version string.
    pub version: String,
    #[serde(default)]
    pub missing: Vec<Lack>,
}

/// Something that the driver lacks, and what an application loses by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lack {
    pub what: String,
    pub lost: String,
}
