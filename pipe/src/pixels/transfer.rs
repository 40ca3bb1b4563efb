//! Client pixels to canonical storage (unpack) and back (pack); decides no GL error: callers validate first
//! (`compatible`, `readable`), and a combination that they let through comes back as [`TransferError::Mismatch`].

use super::compat::{CompatError, compatible, readable};
use super::image::{ClientImage, ImageLayout, LayoutError};
use super::kinds::{PixelFormat, PixelType, group_bytes};

use super::texel::{Texel, channels, decode_row, encode_row};
use crate::formats::Format;

/// Distances in canonical storage: from a row to the next and from an image to the next, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pitch {
    pub row: u64,
    pub image: u64,
}

impl Pitch {
    /// Rows and images of the given extent without padding.
    pub fn tight(format: Format, width: u32, height: u32) -> Self {
        let row = u64::from(width) * u64::from(format.info().storage.bytes);
        // Saturating: such an image fails the length check of the transfer.
        Self {
            row,
            image: row.saturating_mul(u64::from(height)),
        }
    }
}

/// Why nothing was transferred. Every check precedes the first write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransferError {
    #[error(transparent)]
    Layout(#[from] LayoutError),
    #[error("format, type and internal format do not go together: {0}")]
    Mismatch(#[from] CompatError),
    #[error("source has {has} bytes, the image needs {needs}")]
    ShortSource { has: u64, needs: u64 },
    #[error("destination has {has} bytes, the image needs {needs}")]
    ShortDestination { has: u64, needs: u64 },
}

/// Unpacks a client image into fresh, tight canonical storage of `format`.
///
/// `src` starts at the command's pointer (or buffer offset): SKIP_* are applied here.
pub fn unpack(src: &[u8], image: &ClientImage, format: Format) -> Result<Vec<u8>, TransferError> {
    let layout = prepare_unpack(src, image, format)?;
    let needs = format
        .info()
        .storage_bytes(image.width, image.height, image.depth);
    let needs = needs
        .and_then(|n| usize::try_from(n).ok())
        .ok_or(LayoutError::Overflow)?;
    let mut dst = vec![0; needs];
    let pitch = Pitch::tight(format, image.width, image.height);
    unpack_prepared(src, image, &layout, format, &mut dst, pitch)?;
    Ok(dst)
}

/// Unpacks a client image into a box of existing canonical storage; `dst` starts at the box's first texel.
///
/// DEPTH_COMPONENT pixels for a depth-stencil format leave the stencil bytes as they are.
pub fn unpack_into(
    src: &[u8],
    image: &ClientImage,
    format: Format,
    dst: &mut [u8],
    pitch: Pitch,
) -> Result<(), TransferError> {
    let layout = prepare_unpack(src, image, format)?;
    unpack_prepared(src, image, &layout, format, dst, pitch)
}

/// Packs a box of canonical storage into a client image; `src` starts at the box's first texel, `dst` at the command's
/// pointer. Bytes of `dst` between rows and before the first group stay as they are.
pub fn pack(
    src: &[u8],
    format: Format,
    pitch: Pitch,
    image: &ClientImage,
    dst: &mut [u8],
) -> Result<(), TransferError> {
    readable(format, image.format, image.ty)?;
    let layout = image.layout()?;
    check_length(dst.len(), layout.total_bytes)
        .map_err(|(has, needs)| TransferError::ShortDestination { has, needs })?;
    let extent = [image.width, image.height, image.depth];
    check_storage(src.len(), format, pitch, extent)
        .map_err(|(has, needs)| TransferError::ShortSource { has, needs })?;
    if layout.total_bytes == 0 {
        return Ok(());
    }
    let conversion = Conversion::new(Side::storage(format), Side::client(image), Direction::Pack);
    let dst = &mut dst[layout.first_byte as usize..];
    conversion.run(
        src,
        pitch,
        dst,
        Pitch {
            row: layout.row_stride,
            image: layout.image_stride,
        },
        extent,
    );
    Ok(())
}

fn prepare_unpack(
    src: &[u8],
    image: &ClientImage,
    format: Format,
) -> Result<ImageLayout, TransferError> {
    compatible(image.format, image.ty, format)?;
    let layout = image.layout()?;
    check_length(src.len(), layout.total_bytes)
        .map_err(|(has, needs)| TransferError::ShortSource { has, needs })?;
    Ok(layout)
}

fn unpack_prepared(
    src: &[u8],
    image: &ClientImage,
    layout: &ImageLayout,
    format: Format,
    dst: &mut [u8],
    pitch: Pitch,
) -> Result<(), TransferError> {
    let extent = [image.width, image.height, image.depth];
    check_storage(dst.len(), format, pitch, extent)
        .map_err(|(has, needs)| TransferError::ShortDestination { has, needs })?;
    if layout.total_bytes == 0 {
        return Ok(());
    }
    let conversion = Conversion::new(
        Side::client(image),
        Side::storage(format),
        Direction::Unpack,
    );
    let src = &src[layout.first_byte as usize..];
    conversion.run(
        src,
        Pitch {
            row: layout.row_stride,
            image: layout.image_stride,
        },
        dst,
        pitch,
        extent,
    );
    Ok(())
}

fn check_length(has: usize, needs: u64) -> Result<(), (u64, u64)> {
    let has = has as u64;
    if needs <= has {
        Ok(())
    } else {
        Err((has, needs))
    }
}

fn check_storage(
    has: usize,
    format: Format,
    pitch: Pitch,
    extent: [u32; 3],
) -> Result<(), (u64, u64)> {
    let [width, height, depth] = extent.map(u64::from);
    if width == 0 || height == 0 || depth == 0 {
        return Ok(());
    }
    let last_image = pitch.image.saturating_mul(depth - 1);
    let last_row = pitch.row.saturating_mul(height - 1);
    let row = width * u64::from(format.info().storage.bytes);
    check_length(has, last_image.saturating_add(last_row).saturating_add(row))
}

/// One end of a transfer.
#[derive(Clone, Copy, Debug)]
struct Side {
    format: PixelFormat,
    ty: PixelType,
    swap: bool,
}

impl Side {
    fn client(image: &ClientImage) -> Self {
        let swap = image.store.swap_bytes != 0 && image.ty.swap_bytes_unit() > 1;
        Self {
            format: image.format,
            ty: image.ty,
            swap,
        }
    }

    fn storage(format: Format) -> Self {
        let storage = format.info().storage;
        Self {
            format: storage.format,
            ty: storage.ty,
            swap: false,
        }
    }

    fn group_bytes(self) -> usize {
        usize::from(group_bytes(self.format, self.ty))
    }

    /// The side as an array of plain elements, if it is one: (element type, places, swapped).
    fn elements(self) -> Option<(PixelType, Vec4, bool)> {
        let places = Vec4::from_slice(channels(self.format));
        let memory_order_is_reversed = match self.ty {
            // A 32-bit word of four bytes: in memory the components stand in order or reversed.
            PixelType::UnsignedInt8888 => cfg!(target_endian = "little") != self.swap,
            PixelType::UnsignedInt8888Rev => cfg!(target_endian = "big") != self.swap,
            ty if ty.is_packed() => return None,
            ty => return Some((ty, places, self.swap)),
        };
        let places = if memory_order_is_reversed {
            places.reversed()
        } else {
            places
        };
        Some((PixelType::UnsignedByte, places, false))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Unpack,
    Pack,
}

/// Up to four small numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Vec4 {
    items: [u8; 4],
    len: u8,
}

impl Vec4 {
    fn from_slice(slice: &[u8]) -> Self {
        let mut items = [0; 4];
        items[..slice.len()].copy_from_slice(slice);
        Self {
            items,
            len: slice.len() as u8,
        }
    }

    fn as_slice(&self) -> &[u8] {
        &self.items[..usize::from(self.len)]
    }

    fn reversed(mut self) -> Self {
        self.items[..usize::from(self.len)].reverse();
        self
    }
}

/// How the rows of one transfer are converted, cheapest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    /// Both sides have the same bytes.
    Copy,
    /// Both sides have the same words, in opposite byte orders.
    SwapWords { unit: u8 },
    /// Both sides are arrays of the same element type: component i of the destination is component `picks[i]` of the source,
    /// or a constant ([`ZERO`], [`ONE`]).
    Shuffle {
        element: PixelType,
        components: u8,
        picks: Vec4,
        swap: bool,
    },
    /// Through numbers.
    General,
}

/// Picks beyond the four components of the source group.
const ZERO: u8 = 4;
const ONE: u8 = 5;

struct Conversion {
    from: Side,
    to: Side,
    plan: Plan,
    /// Unpack: L becomes R, G and B (GL 4.6 compatibility §8.4.4, "Conversion to RGB").
    spread_luminance: bool,
    /// Pack: L is R + G + B (GL 4.6 compatibility §18.2, "Conversion to L").
    sum_luminance: bool,
    /// The destination has a stencil that the source does not give.
    keep_stencil: bool,
}

impl Conversion {
    fn new(from: Side, to: Side, direction: Direction) -> Self {
        let luminance = |f| matches!(f, PixelFormat::Luminance | PixelFormat::LuminanceAlpha);
        let mut conversion = Self {
            from,
            to,
            plan: Plan::General,
            spread_luminance: direction == Direction::Unpack && luminance(from.format),
            sum_luminance: direction == Direction::Pack
                && luminance(to.format)
                && !luminance(from.format),
            keep_stencil: from.format == PixelFormat::DepthComponent
                && to.format == PixelFormat::DepthStencil,
        };
        conversion.plan = conversion.choose_plan();
        conversion
    }

    fn choose_plan(&self) -> Plan {
        let Self { from, to, .. } = *self;
        if from.format == to.format && from.ty == to.ty {
            let unit = from.ty.swap_bytes_unit();
            return if from.swap == to.swap {
                Plan::Copy
            } else {
                Plan::SwapWords { unit }
            };
        }
        if self.sum_luminance {
            return Plan::General;
        }
        let (Some((element, source, from_swap)), Some((to_element, target, to_swap))) =
            (from.elements(), to.elements())
        else {
            return Plan::General;
        };
        if element != to_element {
            return Plan::General;
        }
        let mut picks = target;
        for pick in &mut picks.items[..usize::from(target.len)] {
            let wanted = if self.spread_luminance && *pick < 3 {
                0
            } else {
                *pick
            };
            *pick = match source.as_slice().iter().position(|&place| place == wanted) {
                Some(index) => index as u8,
                None if wanted == 3 => ONE,
                None => ZERO,
            };
        }
        let swap = from_swap != to_swap;
        if !swap
            && source.len == target.len
            && picks
                .as_slice()
                .iter()
                .enumerate()
                .all(|(i, &p)| i == usize::from(p))
        {
            return Plan::Copy;
        }
        Plan::Shuffle {
            element,
            components: source.len,
            picks,
            swap,
        }
    }

    /// Both slices start at the first group and hold what the pitches and the extent need; the extent is not empty.
    fn run(
        &self,
        src: &[u8],
        src_pitch: Pitch,
        dst: &mut [u8],
        dst_pitch: Pitch,
        extent: [u32; 3],
    ) {
        let [width, height, depth] = extent.map(|n| n as usize);
        let (src_row, src_image) = (src_pitch.row as usize, src_pitch.image as usize);
        let (dst_row, dst_image) = (dst_pitch.row as usize, dst_pitch.image as usize);
        let src_bytes = width * self.from.group_bytes();
        let dst_bytes = width * self.to.group_bytes();

        let rows_touch = src_row == src_bytes && dst_row == dst_bytes;
        let images_touch =
            depth == 1 || (src_image == height * src_row && dst_image == height * dst_row);
        if self.plan == Plan::Copy && rows_touch && images_touch {
            let all = height * depth * src_bytes;
            dst[..all].copy_from_slice(&src[..all]);
            return;
        }
        for z in 0..depth {
            for y in 0..height {
                let (from, to) = (z * src_image + y * src_row, z * dst_image + y * dst_row);
                self.convert_row(&src[from..from + src_bytes], &mut dst[to..to + dst_bytes]);
            }
        }
    }

    fn convert_row(&self, src: &[u8], dst: &mut [u8]) {
        match self.plan {
            Plan::Copy => dst.copy_from_slice(src),
            Plan::SwapWords { unit } => {
                dst.copy_from_slice(src);
                dst.chunks_exact_mut(usize::from(unit))
                    .for_each(<[u8]>::reverse);
            }
            Plan::Shuffle {
                element,
                components,
                picks,
                swap,
            } => {
                let (components, picks) = (usize::from(components), picks.as_slice());
                let one = one_bits(element, self.to.format.is_integer());
                match element.element_bytes() {
                    1 => shuffle_bytes(src, components, dst, picks, one as u8),
                    2 => shuffle(
                        src,
                        components,
                        dst,
                        picks,
                        swap,
                        self.in_source_order((one as u16).to_ne_bytes()),
                    ),
                    _ => shuffle(
                        src,
                        components,
                        dst,
                        picks,
                        swap,
                        self.in_source_order(one.to_ne_bytes()),
                    ),
                }
            }
            Plan::General => self.convert_row_through_numbers(src, dst),
        }
    }

    fn in_source_order<const N: usize>(&self, mut native: [u8; N]) -> [u8; N] {
        if self.from.swap {
            native.reverse();
        }
        native
    }

    fn convert_row_through_numbers(&self, src: &[u8], dst: &mut [u8]) {
        /// 2 KiB of texels on the stack: well inside the first-level cache beside both rows.
        const CHUNK: usize = 64;
        let mut texels: [Texel; CHUNK] = [[0.0; 4]; CHUNK];
        let mut old: [Texel; CHUNK] = [[0.0; 4]; CHUNK];
        let src_chunks = src.chunks(CHUNK * self.from.group_bytes());
        let dst_chunks = dst.chunks_mut(CHUNK * self.to.group_bytes());
        for (src, dst) in src_chunks.zip(dst_chunks) {
            let n = src.len() / self.from.group_bytes();
            let texels = &mut texels[..n];
            decode_row(src, self.from.format, self.from.ty, self.from.swap, texels);
            if self.spread_luminance {
                for t in &mut *texels {
                    *t = [t[0], t[0], t[0], t[3]];
                }
            }
            if self.sum_luminance {
                for t in &mut *texels {
                    t[0] += t[1] + t[2];
                }
            }
            if self.keep_stencil {
                decode_row(dst, self.to.format, self.to.ty, self.to.swap, &mut old[..n]);
                for (t, old) in texels.iter_mut().zip(&old) {
                    t[1] = old[1];
                }
            }
            encode_row(texels, self.to.format, self.to.ty, self.to.swap, dst);
        }
    }
}

/// The bits of 1 in an element type.
fn one_bits(element: PixelType, integer: bool) -> u32 {
    let normalized = |largest: u32| if integer { 1 } else { largest };
    match element {
        PixelType::Float => 1.0f32.to_bits(),
        PixelType::HalfFloat => 0x3C00,
        PixelType::Byte => normalized(0x7F),
        PixelType::UnsignedByte => normalized(0xFF),
        PixelType::Short => normalized(0x7FFF),
        PixelType::UnsignedShort => normalized(0xFFFF),
        PixelType::Int => normalized(0x7FFF_FFFF),
        PixelType::UnsignedInt => normalized(0xFFFF_FFFF),
        PixelType::UnsignedByte332
        | PixelType::UnsignedByte233Rev
        | PixelType::UnsignedShort565
        | PixelType::UnsignedShort565Rev
        | PixelType::UnsignedShort4444
        | PixelType::UnsignedShort4444Rev
        | PixelType::UnsignedShort5551
        | PixelType::UnsignedShort1555Rev
        | PixelType::UnsignedInt8888
        | PixelType::UnsignedInt8888Rev
        | PixelType::UnsignedInt1010102
        | PixelType::UnsignedInt2101010Rev
        | PixelType::UnsignedInt248
        | PixelType::UnsignedInt10f11f11fRev
        | PixelType::UnsignedInt5999Rev
        | PixelType::Float32UnsignedInt248Rev => unreachable!("packed types are no plain elements"),
    }
}

/// The byte shuffles that programs really use, with constant picks so that they vectorize; the others are generic.
fn shuffle_bytes(src: &[u8], components: usize, dst: &mut [u8], picks: &[u8], one: u8) {
    fn each<const S: usize, const D: usize>(
        src: &[u8],
        dst: &mut [u8],
        map: impl Fn([u8; S]) -> [u8; D],
    ) {
        for (to, from) in dst
            .as_chunks_mut::<D>()
            .0
            .iter_mut()
            .zip(src.as_chunks::<S>().0)
        {
            *to = map(*from);
        }
    }
    match (components, picks) {
        (4, [2, 1, 0, 3]) => each(src, dst, |[b, g, r, a]| [r, g, b, a]),
        (3, [0, 1, 2, ONE]) => each(src, dst, |[r, g, b]| [r, g, b, one]),
        (3, [2, 1, 0, ONE]) => each(src, dst, |[b, g, r]| [r, g, b, one]),
        (4, [0, 1, 2]) => each(src, dst, |[r, g, b, _]| [r, g, b]),
        (4, [2, 1, 0]) => each(src, dst, |[b, g, r, _]| [r, g, b]),
        (3, [2, 1, 0]) => each(src, dst, |[b, g, r]| [r, g, b]),
        _ => shuffle(src, components, dst, picks, false, [one]),
    }
}

fn shuffle<const N: usize>(
    src: &[u8],
    components: usize,
    dst: &mut [u8],
    picks: &[u8],
    swap: bool,
    one: [u8; N],
) {
    let groups = src.as_chunks::<N>().0.chunks_exact(components);
    let targets = dst.as_chunks_mut::<N>().0.chunks_exact_mut(picks.len());
    // Everything here is in the source's byte order.
    let mut available = [[0; N]; 6];
    available[usize::from(ONE)] = one;
    for (group, target) in groups.zip(targets) {
        available[..components].copy_from_slice(group);
        for (to, &pick) in target.iter_mut().zip(picks) {
            *to = available[usize::from(pick)];
            if swap {
                to.reverse();
            }
        }
    }
}

#[cfg(test)]
#[path = "transfer_tests.rs"]
mod tests;
