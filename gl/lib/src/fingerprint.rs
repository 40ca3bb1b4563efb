//! What this library is: layout hash of the protocol, version, features. Tests refuse a stale or wrong one by it; it computes no hash
//! of its own.

use std::ffi::{CStr, CString};
use std::sync::LazyLock;

/// The JSON text.
pub fn text() -> &'static CStr {
    static TEXT: LazyLock<CString> = LazyLock::new(|| {
        let mut features = Vec::new();
        for (name, on) in [
            ("pull", cfg!(feature = "pull")),
            ("verify", cfg!(feature = "verify")),
            ("faults", cfg!(feature = "faults")),
        ] {
            if on {
                features.push(format!("\"{name}\""));
            }
        }
        let text = format!(
            "{{\"layout_hash\":\"{:016x}\",\"version\":\"{}\",\"features\":[{}]}}",
            wire::layout_hash(),
            env!("CARGO_PKG_VERSION"),
            features.join(",")
        );
        CString::new(text).expect("JSON without NUL")
    });
    &TEXT
}
