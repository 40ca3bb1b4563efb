//! The value of glClear for one attachment, in the kind of numbers that the attachment has. It knows no driver.

use pipe::Format;
use pipe::formats::Component;

/// What a clear value's bits are, as `pipe::Clear::color_kind` counts them.
pub fn kind_of(format: Format) -> u32 {
    match format.info().component {
        Component::Int => 1,
        Component::Uint => 2,
        Component::None
        | Component::Unorm
        | Component::Snorm
        | Component::Srgb
        | Component::Float => 0,
    }
}

/// The bits of a value of `kind` for an attachment of `target` kind.
/// Between integers and others the result is undefined (GL 4.6 §17.4.3); the same number is the kindest answer.
pub fn converted(bits: [u32; 4], kind: u32, target: u32) -> [u32; 4] {
    bits.map(|b| match (kind, target) {
        (0, 1) => (f32::from_bits(b) as i32).cast_unsigned(),
        (0, 2) => f32::from_bits(b) as u32,
        (1, 0) => (b.cast_signed() as f32).to_bits(),
        (2, 0) => (b as f32).to_bits(),
        _ => b,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_value_of_the_attachments_kind_keeps_all_its_bits() {
        let bits = [0x8000_0000, 0x7FC0_0001, u32::MAX, 16_777_217];
        for kind in 0..3 {
            assert_eq!(converted(bits, kind, kind), bits);
        }
        // EXT_texture_integer: signed and unsigned buffers take the bits of either command.
        assert_eq!(converted(bits, 1, 2), bits);
    }

    #[test]
    fn clear_value_of_another_kind_is_the_same_number() {
        let two = 2.0_f32.to_bits();
        assert_eq!(converted([two; 4], 0, 1), [2; 4]);
        assert_eq!(
            converted([(-3.0_f32).to_bits(); 4], 0, 1),
            [(-3_i32).cast_unsigned(); 4]
        );
        assert_eq!(converted([2; 4], 2, 0), [two; 4]);
        assert_eq!(
            converted([(-2_i32).cast_unsigned(); 4], 1, 0),
            [(-2.0_f32).to_bits(); 4]
        );
    }
}
