//! libMobileGL.so: puts the parts together and exports GL, EGL and its own functions. It has no logic of GL's or of a backend's.
//!
//! GL's entry points are `no_mangle` functions of gl-entry: a dependency that a path names is linked, and exports them.
#![allow(non_snake_case)]

#[cfg(feature = "faults")]
mod allocations;
mod alternation;
mod arms;
mod backends;
mod compiled;
mod composition;
mod context_request;
mod counting;
mod doctor;
mod egl;
mod exports;
#[cfg(feature = "faults")]
mod faults;
mod fingerprint;
mod glx;
mod logging;
mod statistics;
#[cfg(feature = "faults")]
mod targets;
#[cfg(feature = "tracy")]
mod tracy;
mod warm_up;
mod x11;
