//! What a record's fields know of themselves: the handles that they hold, so that the executing side of a byte stream checks each of
//! them from the record's own definition, and their layout, for the snapshot that pins it. It never knows which objects live.

use crate::handle::{Handle, HandleKind, RawHandle, ResourceRef};
use std::collections::BTreeMap;
use zerocopy::TryFromBytes;

/// A handle found in a record: its kind, or `None` for a [`ResourceRef`] whose kind is none of the three classes.
pub type Found = (Option<HandleKind>, RawHandle);

/// Descriptions of types, by name.
pub type Layouts = BTreeMap<&'static str, String>;

/// What may be a field of a record.
pub trait Field {
    /// Whether a value of this type can hold a handle at all.
    const HAS_HANDLE: bool;
    /// Calls `f` with every handle, in the order of the fields; null ones too.
    fn each_handle(&self, f: &mut impl FnMut(Found));
    /// Adds the layout of this type and of all that it is made of, by type name.
    fn layouts(out: &mut Layouts);
}

macro_rules! plain {
    ($($ty:ty),* $(,)?) => {$(
        impl Field for $ty {
            const HAS_HANDLE: bool = false;
            fn each_handle(&self, _: &mut impl FnMut(Found)) {}
            fn layouts(_: &mut Layouts) {}
        }
    )*};
}
plain!(i8, u8, u16, u32, i32, u64, f32);

macro_rules! enums {
    ($($ty:ident: $bytes:ident in $($path:ident)::+;)*) => {$(
        impl Field for $($path)::+::$ty {
            const HAS_HANDLE: bool = false;
            fn each_handle(&self, _: &mut impl FnMut(Found)) {}
            fn layouts(out: &mut Layouts) {
                out.entry(stringify!($ty)).or_insert_with(|| {
                    let mut text = format!("{} {} B\n", stringify!($ty), std::mem::size_of::<Self>());
                    for value in 0..=$bytes::MAX {
                        if let Ok(name) = Self::try_read_from_bytes(&value.to_ne_bytes()) {
                            text.push_str(&format!("  {value:>#6x} {name:?}\n"));
                        }
                    }
                    text
                });
            }
        }
    )*};
}
enums! {
    Format: u16 in crate::formats;
    BufferClass: u8 in crate::payload;
    Primitive: u8 in crate::payload;
    SurfaceKind: u8 in crate::payload;
    Target: u8 in crate::payload;
    PixelFormat: u16 in crate::pixels;
    PixelType: u16 in crate::pixels;
}

/// A plain struct that is no record of its own: its fields' names and offsets.
macro_rules! structs {
    ($($ty:path { $($field:ident),* })*) => {$(
        impl Field for $ty {
            const HAS_HANDLE: bool = false;
            fn each_handle(&self, _: &mut impl FnMut(Found)) {}
            fn layouts(out: &mut Layouts) {
                // Naming every field keeps this list whole.
                let _ = |$ty { $($field: _),* }: $ty| ();
                let name = stringify!($ty).rsplit("::").next().unwrap_or_default().trim();
                let mut text = format!("{name} {} B\n", std::mem::size_of::<Self>());
                $(text.push_str(&format!("  {:>4}      {}\n", std::mem::offset_of!($ty, $field), stringify!($field)));)*
                out.insert(name, text);
            }
        }
    )*};
}
structs! {
    crate::host::HostSpan { segment, _pad, offset, size_bytes }
    crate::pixels::PixelStore { swap_bytes, lsb_first, _pad, alignment, row_length, image_height, skip_pixels, skip_rows, skip_images }
}

impl<H: Handle> Field for H {
    const HAS_HANDLE: bool = true;
    fn each_handle(&self, f: &mut impl FnMut(Found)) {
        f((Some(H::KIND), self.raw()));
    }
    fn layouts(_: &mut Layouts) {}
}

impl Field for ResourceRef {
    const HAS_HANDLE: bool = true;
    fn each_handle(&self, f: &mut impl FnMut(Found)) {
        let kind = match self.kind {
            1 => Some(HandleKind::Buffer),
            2 => Some(HandleKind::Texture),
            3 => Some(HandleKind::Renderbuffer),
            // Null is null only as a whole; then any kind does.
            0 if self.handle.is_null() => Some(HandleKind::Buffer),
            _ => None,
        };
        f((kind, self.handle));
    }
    fn layouts(_: &mut Layouts) {}
}

impl<T: Field, const N: usize> Field for [T; N] {
    const HAS_HANDLE: bool = T::HAS_HANDLE;
    fn each_handle(&self, f: &mut impl FnMut(Found)) {
        if T::HAS_HANDLE {
            for item in self {
                item.each_handle(f);
            }
        }
    }
    fn layouts(out: &mut Layouts) {
        T::layouts(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BufferId, CopyRegion, DrawInfo, FramebufferState, IndirectBuffers};

    #[test]
    fn record_with_handles_yields_each_of_them_in_order() {
        let record = IndirectBuffers {
            draw: BufferId::new(3, 1),
            dispatch: BufferId::NULL,
            parameter: BufferId::new(5, 2),
        };
        let mut slots = Vec::new();
        record.each_handle(&mut |(kind, raw)| slots.push((kind, raw.slot)));
        let buffer = Some(HandleKind::Buffer);
        assert_eq!(slots, [(buffer, 3), (buffer, 0), (buffer, 5)]);
    }

    const _: () =
        assert!(CopyRegion::HAS_HANDLE && FramebufferState::HAS_HANDLE && !DrawInfo::HAS_HANDLE);
}
