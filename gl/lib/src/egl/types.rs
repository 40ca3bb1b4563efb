//! EGL's C types (EGL 1.5, eglplatform.h).

/// `unsigned int`.
pub type EGLBoolean = u32;
/// `unsigned int`.
pub type EGLenum = u32;
/// `intptr_t`.
pub type EGLAttrib = isize;
/// `khronos_utime_nanoseconds_t`.
pub type EGLTime = u64;
