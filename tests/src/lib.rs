//! Scenarios: small programs against the built library through EGL, as any program is. It must not link a crate of the
//! library: what it knows of it, it learns through exported functions.
//!
//! [`each_scenario!`] is the list. A test is one scenario on one lane; [`walk`] runs it under every mask, each in a fresh context.
//! With `MOBILEGL_TEST_NATIVE=1` the same programs run on the system's own OpenGL: that is how an expectation is proven.
//!
//! Safety of all `unsafe fn`s of this crate: the context of the [`gl::Gl`] that they get is current on the calling thread.
//! A scenario is a C program: its body is GL calls and nothing else, so that a block per call would say nothing.
#![allow(unsafe_op_in_unsafe_fn, clippy::missing_safety_doc)]

pub mod child;
pub mod expectations;
pub mod gl;
pub mod lane;
pub mod library;
pub mod paint;
pub mod raw;
pub mod scenarios;
pub mod walk;
pub mod x11;
