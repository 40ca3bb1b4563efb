//! Compares two pictures and says how far they are apart. It must not read files, and SSIM must not decide anything: at
//! 0.99 it passes a picture that is darker by a tenth or has red and blue swapped.

use std::fmt;

/// A picture of 8-bit RGBA pixels, row by row from the top.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

/// How far two pictures may be apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// No channel of any pixel may differ by more.
    pub max_channel: u8,
    /// A pixel is near when no channel differs by more than this.
    pub near_channel: u8,
    /// At least this part of all pixels must be near.
    pub min_near: f64,
    /// Why the pictures may differ at all.
    pub reason: &'static str,
}

impl Tolerance {
    /// A recorded program against the picture of another conformant driver.
    pub const RECORDED_PROGRAM: Tolerance = Tolerance {
        max_channel: 16,
        near_channel: 2,
        min_near: 0.999,
        reason: "rasterisation at edges and rounding of blending differ between conformant drivers",
    };
    /// Two lanes of one backend on one device: they give it the same commands.
    pub const EQUAL: Tolerance = Tolerance {
        max_channel: 0,
        near_channel: 0,
        min_near: 1.0,
        reason: "one backend was told the same state",
    };
}

/// What two pictures of one size have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    pub pixels: u64,
    /// Pixels with any difference.
    pub differing_pixels: u64,
    /// `histogram[d]` pixels have their largest channel difference equal to `d`.
    histogram: [u64; 256],
    /// Structural similarity of the luminance, 1 for equal pictures. A figure to print.
    pub ssim: f64,
}

/// The pictures have different sizes and cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeMismatch {
    pub ours: (u32, u32),
    pub expected: (u32, u32),
}

impl Picture {
    /// `None` where `rgba` does not hold `width * height` pixels, or the picture is empty.
    pub fn new(width: u32, height: u32, rgba: Vec<u8>) -> Option<Picture> {
        let bytes = u64::from(width) * u64::from(height) * 4;
        (bytes != 0 && rgba.len() as u64 == bytes).then_some(Picture {
            width,
            height,
            rgba,
        })
    }

    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    fn pixels(&self) -> impl Iterator<Item = &[u8; 4]> {
        self.rgba.as_chunks().0.iter()
    }
}

impl Comparison {
    /// The largest difference of any channel.
    pub fn worst_channel(&self) -> u8 {
        self.histogram
            .iter()
            .rposition(|&pixels| pixels != 0)
            .unwrap_or(0) as u8
    }

    /// The part of all pixels with no channel further off than `channel`.
    pub fn part_within(&self, channel: u8) -> f64 {
        let near: u64 = self.histogram[..=usize::from(channel)].iter().sum();
        near as f64 / self.pixels as f64
    }

    pub fn is_within(&self, tolerance: &Tolerance) -> bool {
        self.worst_channel() <= tolerance.max_channel
            && self.part_within(tolerance.near_channel) >= tolerance.min_near
    }

    pub fn is_identical(&self) -> bool {
        self.differing_pixels == 0
    }
}

/// Compares pixel by pixel.
pub fn compare(ours: &Picture, expected: &Picture) -> Result<Comparison, SizeMismatch> {
    check_sizes(ours, expected)?;
    let mut histogram = [0u64; 256];
    for (a, b) in ours.pixels().zip(expected.pixels()) {
        histogram[usize::from(farthest_channel(a, b))] += 1;
    }
    let pixels = u64::from(ours.width) * u64::from(ours.height);
    Ok(Comparison {
        pixels,
        differing_pixels: pixels - histogram[0],
        histogram,
        ssim: ssim(ours, expected),
    })
}

/// Where the pictures differ: black where they agree, brighter the further they are apart; small differences are lifted so
/// that an eye finds them.
pub fn difference(ours: &Picture, expected: &Picture) -> Result<Picture, SizeMismatch> {
    check_sizes(ours, expected)?;
    let lift = |a: u8, b: u8| match a.abs_diff(b) {
        0 => 0,
        difference => 64u8.saturating_add(difference.saturating_mul(4)),
    };
    let rgba = ours
        .pixels()
        .zip(expected.pixels())
        .flat_map(|(a, b)| {
            [
                lift(a[0], b[0]),
                lift(a[1], b[1]),
                lift(a[2], b[2]).max(lift(a[3], b[3])),
                255,
            ]
        })
        .collect();
    Ok(Picture {
        width: ours.width,
        height: ours.height,
        rgba,
    })
}

fn check_sizes(ours: &Picture, expected: &Picture) -> Result<(), SizeMismatch> {
    if ours.size() == expected.size() {
        Ok(())
    } else {
        Err(SizeMismatch {
            ours: ours.size(),
            expected: expected.size(),
        })
    }
}

fn farthest_channel(a: &[u8; 4], b: &[u8; 4]) -> u8 {
    a.iter()
        .zip(b)
        .map(|(a, b)| a.abs_diff(*b))
        .max()
        .unwrap_or(0)
}

/// Mean structural similarity over windows of 8x8 pixels that overlap by half (Wang et al. 2004, with a flat window).
fn ssim(a: &Picture, b: &Picture) -> f64 {
    const WINDOW: usize = 8;
    const STEP: usize = 4;
    let (width, height) = (a.width as usize, a.height as usize);
    let (luma_a, luma_b) = (luma(a), luma(b));
    let starts = |length: usize| (0..=length.saturating_sub(WINDOW)).step_by(STEP);
    let (mut sum, mut windows) = (0.0, 0u64);
    for y in starts(height) {
        for x in starts(width) {
            let rows = y..(y + WINDOW).min(height);
            let values = rows.flat_map(|row| {
                (x..(x + WINDOW).min(width)).map(move |column| row * width + column)
            });
            sum += ssim_of_window(values.map(|i| (luma_a[i], luma_b[i])));
            windows += 1;
        }
    }
    sum / windows as f64
}

fn ssim_of_window(values: impl Iterator<Item = (f64, f64)>) -> f64 {
    // The constants of the paper for a range of 255.
    const C1: f64 = (0.01 * 255.0) * (0.01 * 255.0);
    const C2: f64 = (0.03 * 255.0) * (0.03 * 255.0);
    let (mut n, mut a, mut b, mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (x, y) in values {
        n += 1.0;
        a += x;
        b += y;
        aa += x * x;
        bb += y * y;
        ab += x * y;
    }
    let (mean_a, mean_b) = (a / n, b / n);
    let (var_a, var_b, covar) = (
        aa / n - mean_a * mean_a,
        bb / n - mean_b * mean_b,
        ab / n - mean_a * mean_b,
    );
    ((2.0 * mean_a * mean_b + C1) * (2.0 * covar + C2))
        / ((mean_a * mean_a + mean_b * mean_b + C1) * (var_a + var_b + C2))
}

fn luma(picture: &Picture) -> Vec<f64> {
    picture
        .pixels()
        .map(|[r, g, b, _]| 0.299 * f64::from(*r) + 0.587 * f64::from(*g) + 0.114 * f64::from(*b))
        .collect()
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({}x{})", self.width, self.height)
    }
}

impl fmt::Display for SizeMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((w, h), (ew, eh)) = (self.ours, self.expected);
        write!(f, "the picture is {w}x{h}, {ew}x{eh} is expected")
    }
}

impl std::error::Error for SizeMismatch {}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: u32 = 64;

    fn picture(pixel: impl Fn(u32, u32) -> [u8; 4]) -> Picture {
        let rgba = (0..SIZE)
            .flat_map(|y| (0..SIZE).map(move |x| (x, y)))
            .flat_map(|(x, y)| pixel(x, y))
            .collect();
        Picture::new(SIZE, SIZE, rgba).expect("its size fits")
    }

    /// A lit shape on a dark ground, with no symmetry.
    fn scene(x: u32, y: u32) -> [u8; 4] {
        if x > 10 && y > 20 && x + y < 90 {
            [200 - x as u8, 60 + y as u8, 30, 255]
        } else {
            [20, 20, 40, 255]
        }
    }

    fn passes(ours: &Picture) -> bool {
        compare(ours, &picture(scene))
            .expect("same size")
            .is_within(&Tolerance::RECORDED_PROGRAM)
    }

    #[test]
    fn compare_same_picture_is_identical() {
        let comparison = compare(&picture(scene), &picture(scene)).expect("same size");
        assert!(comparison.is_identical() && comparison.is_within(&Tolerance::EQUAL));
        assert_eq!(comparison.worst_channel(), 0);
        assert!((comparison.ssim - 1.0).abs() < 1e-9);
    }

    #[test]
    fn compare_flipped_picture_fails() {
        assert!(!passes(&picture(|x, y| scene(x, SIZE - 1 - y))));
        assert!(!passes(&picture(|x, y| scene(SIZE - 1 - x, y))));
    }

    #[test]
    fn compare_brightness_of_nine_tenths_fails() {
        let darker = |v: u8| (f64::from(v) * 0.9) as u8;
        assert!(!passes(&picture(|x, y| {
            let [r, g, b, a] = scene(x, y);
            [darker(r), darker(g), darker(b), a]
        })));
    }

    #[test]
    fn compare_swapped_channels_fails() {
        assert!(!passes(&picture(|x, y| {
            let [r, g, b, a] = scene(x, y);
            [b, g, r, a]
        })));
    }

    #[test]
    fn compare_alpha_counts() {
        assert!(!passes(&picture(|x, y| {
            let [r, g, b, _] = scene(x, y);
            [r, g, b, 0]
        })));
    }

    #[test]
    fn compare_one_pixel_by_17_fails_and_by_16_passes() {
        let spoiled = |by: u8| {
            picture(move |x, y| {
                let [r, g, b, a] = scene(x, y);
                if (x, y) == (0, 0) {
                    [r + by, g, b, a]
                } else {
                    [r, g, b, a]
                }
            })
        };
        assert!(passes(&spoiled(16)));
        assert!(!passes(&spoiled(17)));
    }

    #[test]
    fn compare_more_than_a_thousandth_of_the_pixels_beyond_2_fails() {
        // 64 x 64 pixels: 4 may be further off than 2, 5 may not.
        let spoiled = |count: u32| {
            picture(move |x, y| {
                let [r, g, b, a] = scene(x, y);
                if y == 0 && x < count {
                    [r + 3, g, b, a]
                } else {
                    [r, g, b, a]
                }
            })
        };
        assert!(passes(&spoiled(4)));
        assert!(!passes(&spoiled(5)));
    }

    #[test]
    fn compare_every_pixel_by_2_passes_but_is_not_equal() {
        let lifted = picture(|x, y| scene(x, y).map(|v| v.saturating_sub(2).max(v.min(2))));
        assert!(passes(&lifted));
        let comparison = compare(&lifted, &picture(scene)).expect("same size");
        assert!(!comparison.is_within(&Tolerance::EQUAL));
        assert_eq!(comparison.worst_channel(), 2);
    }

    #[test]
    fn compare_sizes_that_differ_is_an_error() {
        let small = Picture::new(1, 1, vec![0; 4]).expect("one pixel");
        let error = compare(&small, &picture(scene)).expect_err("sizes differ");
        assert_eq!(error.to_string(), "the picture is 1x1, 64x64 is expected");
        assert!(difference(&small, &picture(scene)).is_err());
    }

    #[test]
    fn picture_with_the_wrong_number_of_bytes_is_refused() {
        assert!(Picture::new(2, 2, vec![0; 15]).is_none());
        assert!(Picture::new(0, 2, vec![]).is_none());
    }

    #[test]
    fn difference_is_black_exactly_where_pictures_agree() {
        let mut other = picture(scene);
        other.rgba[0] += 1;
        let shown = difference(&other, &picture(scene)).expect("same size");
        assert!(shown.rgba()[0] > 60, "one step is visible");
        assert!(
            shown.rgba()[4..]
                .as_chunks::<4>()
                .0
                .iter()
                .all(|pixel| pixel == &[0, 0, 0, 255])
        );
    }
}
