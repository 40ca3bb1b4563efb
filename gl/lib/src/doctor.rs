//! What `mobilegl doctor` shows: every backend tried, with what its driver lacks. It changes nothing.

use config::{BackendReport, DoctorReport, Lack};

/// The report as JSON.
pub fn report() -> String {
    let mut report = DoctorReport::default();
    let _drivers = crate::egl::calling_down();
    for (name, probe) in crate::backends::probe_all(&crate::composition::config()) {
        let row = match probe {
            Ok(found) => BackendReport {
                available: true,
                device: found.device,
                version: found.version,
                missing: found
                    .missing
                    .into_iter()
                    .map(|(what, lost)| Lack { what, lost })
                    .collect(),
            },
            Err(why) => BackendReport {
                available: false,
                device: why,
                ..BackendReport::default()
            },
        };
        report.0.insert(name.to_owned(), row);
    }
    serde_json::to_string(&report).expect("plain data")
}
