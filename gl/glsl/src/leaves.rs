//! The leaves of a uniform's or block member's type: what has a GL type, a name and an offset of its own.
//! It must not know what is active.

use crate::module::{MatrixLayout, Module, Type, decoration};

/// A leaf of a uniform's type tree: something with a GL type of its own.
pub struct Leaf {
    /// Path below the variable, GL style: `.pos`, `[1].m`, with no trailing `[0]`.
    pub path: String,
    pub ty: u32,
    pub array: Option<u32>,
    pub offset: u32,
    pub stride: u32,
    pub matrix: MatrixLayout,
    /// The place holder of a sampler inside a struct.
    pub opaque: bool,
    pub top_size: u32,
    pub top_stride: u32,
}

/// How far arrays at the first level are walked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Walk {
    /// Up to this many elements.
    Limit(u32),
    All,
    /// Storage blocks: only element 0 of an array of aggregates.
    TopLevelOnly,
}

pub struct Place {
    pub offset: u32,
    pub matrix: MatrixLayout,
    pub top_size: u32,
    pub top_stride: u32,
}

pub fn walk(m: &Module, path: String, ty: u32, place: &Place, how: Walk, out: &mut Vec<Leaf>) {
    match m.types.get(&ty) {
        Some(Type::Struct { members }) => {
            for (i, member) in members.iter().enumerate() {
                let i = i as u32;
                let raw = m.member_name(ty, i);
                let opaque = raw.starts_with("/*");
                let name = raw.trim_start_matches("/*").trim_end_matches("*/");
                let inner = Place {
                    offset: place.offset
                        + m.member_decoration(ty, i, decoration::OFFSET).unwrap_or(0),
                    matrix: m.matrix_layout(ty, i),
                    ..*place
                };
                let path = format!("{path}.{name}");
                if opaque {
                    out.push(leaf(path, *member, None, &inner, 0, true));
                } else {
                    walk(m, path, *member, &inner, Walk::All, out);
                }
            }
        }
        Some(&Type::Array { of, len }) => array(m, path, ty, of, len, place, how, out),
        Some(&Type::RuntimeArray { of }) => array(m, path, ty, of, 0, place, how, out),
        Some(_) => out.push(leaf(path, ty, None, place, 0, false)),
        None => {}
    }
}

fn array(
    m: &Module,
    path: String,
    ty: u32,
    of: u32,
    len: u32,
    place: &Place,
    how: Walk,
    out: &mut Vec<Leaf>,
) {
    let stride = m.decoration(ty, decoration::ARRAY_STRIDE).unwrap_or(0);
    let shown = match how {
        Walk::Limit(n) => n.min(len),
        Walk::All | Walk::TopLevelOnly => len,
    };
    if !matches!(
        m.types.get(&of),
        Some(Type::Struct { .. } | Type::Array { .. } | Type::RuntimeArray { .. })
    ) {
        out.push(leaf(path, of, Some(shown), place, stride, false));
        return;
    }
    let (count, top_size, top_stride) = if how == Walk::TopLevelOnly {
        (1, len, stride)
    } else {
        (shown, place.top_size, place.top_stride)
    };
    for i in 0..count {
        let inner = Place {
            offset: place.offset + i * stride,
            matrix: place.matrix,
            top_size,
            top_stride,
        };
        walk(m, format!("{path}[{i}]"), of, &inner, Walk::All, out);
    }
}

fn leaf(
    path: String,
    ty: u32,
    array: Option<u32>,
    place: &Place,
    stride: u32,
    opaque: bool,
) -> Leaf {
    let Place {
        offset,
        matrix,
        top_size,
        top_stride,
    } = *place;
    Leaf {
        path,
        ty,
        array,
        offset,
        stride,
        matrix,
        opaque,
        top_size,
        top_stride,
    }
}
