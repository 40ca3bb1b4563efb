//! The C types of GL as the registry declares them for 64-bit and 32-bit Linux. Nothing here may change width by platform
//! other than what C changes.

use core::ffi::{c_char, c_void};

pub type GLenum = u32;
pub type GLboolean = u8;
pub type GLbitfield = u32;
pub type GLbyte = i8;
pub type GLubyte = u8;
pub type GLchar = c_char;
pub type GLshort = i16;
pub type GLushort = u16;
pub type GLhalf = u16;
pub type GLint = i32;
pub type GLuint = u32;
pub type GLsizei = i32;
pub type GLfixed = i32;
pub type GLint64 = i64;
pub type GLuint64 = u64;
pub type GLfloat = f32;
pub type GLclampf = f32;
pub type GLdouble = f64;
pub type GLclampd = f64;
pub type GLintptr = isize;
pub type GLsizeiptr = isize;
/// A pointer in C; never dereferenced, the frontend keeps an id in it.
pub type GLsync = *mut c_void;
/// KHR_debug's callback: source, type, id, severity, length, message, user parameter.
pub type GLDEBUGPROC = Option<
    unsafe extern "C" fn(GLenum, GLenum, GLuint, GLenum, GLsizei, *const GLchar, *const c_void),
>;
