//! Limits as GL answers them: the device's, clamped to what this side can keep. It asks no device.

use pipe::Caps;

/// GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS.
pub fn combined_texture_units(caps: &Caps) -> u32 {
    caps.limits
        .max_combined_texture_image_units
        .min(pipe::MAX_TEXTURE_UNITS as u32)
}

/// GL_MAX_DRAW_BUFFERS.
pub fn draw_buffers(caps: &Caps) -> u32 {
    caps.limits
        .max_draw_buffers
        .min(pipe::MAX_COLOR_ATTACHMENTS as u32)
}

/// GL_MAX_COLOR_ATTACHMENTS.
pub fn color_attachments(caps: &Caps) -> u32 {
    caps.limits
        .max_color_attachments
        .min(pipe::MAX_COLOR_ATTACHMENTS as u32)
}

/// GL_MAX_UNIFORM_BUFFER_BINDINGS.
pub fn uniform_buffer_bindings(caps: &Caps) -> u32 {
    caps.limits
        .max_uniform_buffer_bindings
        .min(pipe::MAX_BUFFER_BINDINGS as u32)
}

/// GL_MAX_TEXTURE_SIZE: no more levels than this side keeps.
pub fn texture_size(caps: &Caps) -> u32 {
    caps.limits
        .max_texture_size
        .min(1 << (gl_state::texture::MAX_LEVELS - 1))
}
