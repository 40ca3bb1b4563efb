//! EGL's C types (EGL 1.5, eglplatform.h).

/// `unsigned int`.
pub type EGLBoolean = u32;
/// `unsigned int`.
pub type EGLenum = u32;
/// EGL_EXT_platform_xcb is younger than the registry that the other constants come from.
pub const EGL_PLATFORM_XCB_EXT: i32 = 0x31DC;
/// As above.
pub const EGL_PLATFORM_XCB_SCREEN_EXT: i32 = 0x31DE;

/// `intptr_t`.
pub type EGLAttrib = isize;
/// `khronos_utime_nanoseconds_t`.
pub type EGLTime = u64;
