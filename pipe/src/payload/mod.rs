//! Payloads of the calls: plain records without pointers, every byte of padding named. A record must never
//! carry a GL name that means anything, nor an address.
//!
//! Fields hold GL's own enumeration values where the value is only passed through (`u16`/`u32`), and our
//! enums where this side must act on it; the latter are range-checked when a record is decoded.

mod cso;
mod queries;
mod resource;
mod state;
mod verbs;

pub use cso::*;
pub use queries::*;
pub use resource::*;
pub use state::*;
pub use verbs::*;

/// Derives what a record needs: no padding (compile error otherwise), checked decoding.
macro_rules! record {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$fmeta:meta])* pub $field:ident: $ty:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[derive(zerocopy::TryFromBytes, zerocopy::IntoBytes, zerocopy::Immutable, zerocopy::KnownLayout)]
        #[repr(C)]
        pub struct $name {
            $($(#[$fmeta])* pub $field: $ty,)*
        }

        impl crate::layout::Layout for $name {
            const NAME: &'static str = stringify!($name);
            const FIELDS: &'static [(&'static str, usize, usize)] = &[
                $((stringify!($field), std::mem::offset_of!($name, $field), std::mem::size_of::<$ty>()),)*
            ];
        }

        impl crate::field::Field for $name {
            const HAS_HANDLE: bool = false $(|| <$ty as crate::field::Field>::HAS_HANDLE)*;
            fn each_handle(&self, f: &mut impl FnMut(crate::field::Found)) {
                $(crate::field::Field::each_handle(&self.$field, f);)*
            }
            fn layouts(out: &mut crate::field::Layouts) {
                $(<$ty as crate::field::Field>::layouts(out);)*
                out.insert(stringify!($name), <Self as crate::layout::Layout>::describe());
            }
        }
    )*};
}
pub(crate) use record;
