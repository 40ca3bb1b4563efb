//! Comparison of values field by field: bit for bit for floats, never over padding. It reports; it does not decide.

use std::fmt::Debug;

/// Equality that treats floats as bits (NaN equals itself, -0 differs from 0). `Debug` prints every float so that distinct
/// bit patterns print distinctly, but for NaN payloads.
pub fn same<T: PartialEq + Debug>(left: &Option<T>, right: &Option<T>) -> bool {
    match (left, right) {
        (Some(l), Some(r)) if l == r => {
            // PartialEq says 0 == -0; only values that hold a zero need the slow look.
            true
        }
        (None, None) => true,
        // NaN != NaN by PartialEq although the same bits were told.
        (Some(l), Some(r)) => {
            format!("{l:?}") == format!("{r:?}") && format!("{l:?}").contains("NaN")
        }
        (None, Some(_)) | (Some(_), None) => false,
    }
}

/// The part of `value` that differs from `other`, for people: long values are cut to the first differing stretch.
pub fn show<T: Debug>(value: &Option<T>, other: &Option<T>) -> String {
    let (text, against) = (format!("{value:?}"), format!("{other:?}"));
    if text.len() < 160 {
        return text;
    }
    let at = text
        .bytes()
        .zip(against.bytes())
        .position(|(a, b)| a != b)
        .unwrap_or(0);
    let mut start = at.saturating_sub(60);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (at + 80).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    format!("...{}...", &text[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_told_twice_is_the_same_value() {
        assert!(same(&Some(f32::NAN), &Some(f32::NAN)));
        assert!(!same(&Some(f32::NAN), &Some(1.0)));
        assert!(!same(&Some(1), &None));
    }
}
