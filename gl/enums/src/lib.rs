//! GL, EGL and GLX constants and the C types of GL. It decides nothing: typed enums belong to those who use them.

#![no_std]
#![forbid(unsafe_code)]

#[rustfmt::skip]
mod generated;
mod types;

pub use generated::bitfields::*;
pub use generated::enums::*;
pub use generated::{egl, glx};
pub use types::*;

/// The registry's name of a GL enum, for error texts: `GL_TEXTURE_2D`.
///
/// Where names share a value the core one wins. 0 and 1 mean too many things (`GL_NONE`, `GL_POINTS`, `GL_TRUE` ...)
/// and bits are no enums: both have no name here.
pub fn enum_name(value: GLenum) -> Option<&'static str> {
    use generated::enum_names::{NAMES, TEXT};
    let i = NAMES.binary_search_by_key(&value, |row| row.0).ok()?;
    let (_, start, len) = NAMES[i];
    TEXT.get(start as usize..start as usize + len as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enum_name_prefers_the_core_name() {
        assert_eq!(enum_name(GL_TEXTURE_2D), Some("GL_TEXTURE_2D"));
        assert_eq!(enum_name(0x8D40), Some("GL_FRAMEBUFFER"));
        assert_eq!(enum_name(0x88E4), Some("GL_STATIC_DRAW"));
        assert_eq!(enum_name(0x0505), Some("GL_OUT_OF_MEMORY"));
        assert_eq!(enum_name(0), None);
        assert_eq!(enum_name(0xDEAD_BEEF), None);
    }

    #[test]
    fn constants_have_the_values_of_the_specification() {
        assert_eq!(GL_BLEND, 0x0BE2);
        assert_eq!(GL_INVALID_INDEX, u32::MAX);
        assert_eq!(GL_TIMEOUT_IGNORED, u64::MAX);
        assert_eq!(MapBufferUsageMask::MAP_READ_BIT.bits(), 0x0001);
        assert_eq!(egl::EGL_OPENGL_API, 0x30A2);
    }
}
