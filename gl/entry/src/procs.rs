//! Addresses of GL commands by name, for `eglGetProcAddress` and `glXGetProcAddress`. It knows no EGL or GLX command.

use core::ffi::c_void;

use crate::EntryPoint;
use crate::generated::{entry_point, procs::PROCS};

/// The address of a thunk. Thunks differ in type; whoever calls one casts it back to its C prototype.
#[repr(transparent)]
pub struct Proc(pub(crate) *const ());

// SAFETY: it is the address of a function, which nobody writes to.
unsafe impl Sync for Proc {}

/// The address of the GL command `name` (`glBufferData`), aliases included.
///
/// Every exported command has one, implemented or not: GL lets an address say nothing about support.
pub fn address(name: &str) -> Option<*const c_void> {
    EntryPoint::from_name(name).map(|entry| PROCS[entry as usize].0.cast())
}

impl EntryPoint {
    /// With its prefix: `glBufferData`.
    pub fn name(self) -> &'static str {
        entry_point::NAMES[self as usize]
    }

    pub fn from_name(name: &str) -> Option<EntryPoint> {
        entry_point::NAMES
            .binary_search(&name)
            .ok()
            .map(|i| entry_point::ALL[i])
    }

    pub fn all() -> &'static [EntryPoint] {
        &entry_point::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::address;
    use crate::EntryPoint;

    #[test]
    fn every_entry_point_is_found_by_its_name() {
        for &entry in EntryPoint::all() {
            assert_eq!(EntryPoint::from_name(entry.name()), Some(entry));
            assert!(address(entry.name()).is_some_and(|a| !a.is_null()));
        }
    }

    #[test]
    fn address_of_an_unknown_name_is_none() {
        assert_eq!(address("glNoSuchCommand"), None);
        assert_eq!(address(""), None);
    }

    #[test]
    fn address_is_the_exported_function() {
        let exported = crate::generated::thunks_gl_1_5::glBufferData as *const core::ffi::c_void;
        assert_eq!(address("glBufferData"), Some(exported));
    }
}
