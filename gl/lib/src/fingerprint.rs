//! What this library is: layout hash of the catalogue, version, features. Tests refuse a stale or wrong one by it.

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
            layout_hash(),
            env!("CARGO_PKG_VERSION"),
            features.join(",")
        );
        CString::new(text).expect("JSON without NUL")
    });
    &TEXT
}

/// xxh3 over every row of the catalogue: opcode, name, payload and its size, arguments.
fn layout_hash() -> u64 {
    let mut text = String::new();
    for row in pipe::CALLS {
        text += &format!(
            "{} {} {} {} {:?} {}\n",
            row.opcode, row.name, row.payload, row.payload_bytes, row.args, row.result
        );
    }
    xxhash_rust::xxh3::xxh3_64(text.as_bytes())
}
