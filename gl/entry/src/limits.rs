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

/// Samples that an image gets. GL 4.6 §9.2.4: at least as many as asked for, the fewest that the device has, and zero only for zero.
pub fn granted_samples(caps: &Caps, asked: u32) -> u32 {
    let counts = (1..u32::BITS - 1).filter(|power| caps.limits.sample_counts & 1 << power != 0);
    match asked {
        0 => 0,
        asked => counts
            .map(|power| 1 << power)
            .find(|count| *count >= asked)
            .unwrap_or(asked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // GL 4.6 §9.2.4.
    #[test]
    fn granted_samples_are_at_least_those_asked_for_and_zero_for_zero() {
        let mut caps = Caps::default();
        caps.limits.sample_counts = 0b1100;
        let granted = [0, 1, 3, 5, 8].map(|asked| granted_samples(&caps, asked));
        assert_eq!(granted, [0, 4, 4, 8, 8]);
    }
}
