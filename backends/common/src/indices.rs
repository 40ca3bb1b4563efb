//! Index streams as pure functions: widening, ranges, primitive restart, and primitives that a device lacks.
//! Nothing here knows where indices come from or which device draws them.

use zerocopy::{FromBytes, Immutable, IntoBytes};

/// An index type of GL: 8, 16 or 32 bits.
pub trait Index: Copy + Ord + FromBytes + IntoBytes + Immutable {
    /// All bits set: the fixed restart index (GL 4.6 core §10.3.6) of OpenGL ES and Vulkan.
    const FIXED_RESTART: Self;
    const BYTES: usize;

    fn to_u32(self) -> u32;
    /// The index with this value, if the type has it.
    fn from_u32(value: u32) -> Option<Self>;
}

macro_rules! index_types {
    ($($ty:ident)*) => {$(
        impl Index for $ty {
            const FIXED_RESTART: Self = $ty::MAX;
            const BYTES: usize = size_of::<$ty>();

            fn to_u32(self) -> u32 {
                self.into()
            }

            fn from_u32(value: u32) -> Option<Self> {
                value.try_into().ok()
            }
        }
    )*};
}

index_types! { u8 u16 u32 }

/// Copies indices out of buffer bytes, whose offset need not be aligned. A partial index at the end is ignored.
pub fn load<T: Index>(bytes: &[u8]) -> Vec<T> {
    bytes
        .chunks_exact(T::BYTES)
        .map(|chunk| T::read_from_bytes(chunk).expect("the chunk has the size of an index"))
        .collect()
}

/// Indices in the narrowest type that every device draws: 8-bit ones are widened, a restart index becomes the fixed one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexStream {
    U16(Vec<u16>),
    U32(Vec<u32>),
}

impl IndexStream {
    /// Bytes for the device's buffer.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::U16(indices) => indices.as_bytes(),
            Self::U32(indices) => indices.as_bytes(),
        }
    }

    /// Bytes per index.
    pub fn index_bytes(&self) -> u8 {
        match self {
            Self::U16(_) => 2,
            Self::U32(_) => 4,
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Self::U16(indices) => indices.len(),
            Self::U32(indices) => indices.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// 8-bit indices as 16-bit ones. `restart` (of 8 bits) becomes the fixed 16-bit restart index; every other value, 255
/// included, stays itself.
pub fn widen(indices: &[u8], restart: Option<u8>) -> Vec<u16> {
    let widened = indices.iter().map(|&i| {
        if Some(i) == restart {
            u16::FIXED_RESTART
        } else {
            u16::from(i)
        }
    });
    widened.collect()
}

/// The restart index as an index of type `T`. GL 4.6 core §10.3.6 compares the index with the whole 32-bit parameter: one
/// that the type cannot hold never matches.
pub fn restart_of_type<T: Index>(restart_index: u32) -> Option<T> {
    T::from_u32(restart_index)
}

/// Smallest and largest index, restart indices left out; `None` if there is no index.
pub fn min_max<T: Index>(indices: &[T], restart: Option<T>) -> Option<(u32, u32)> {
    let fold = |range: Option<(T, T)>, &index: &T| match range {
        None => Some((index, index)),
        Some((min, max)) => Some((min.min(index), max.max(index))),
    };
    let range = match restart {
        None => {
            // Without a condition in the loop it vectorizes.
            let (&first, rest) = indices.split_first()?;
            Some(
                rest.iter()
                    .fold((first, first), |(min, max), &i| (min.min(i), max.max(i))),
            )
        }
        Some(restart) => indices.iter().filter(|&&i| i != restart).fold(None, fold),
    };
    range.map(|(min, max)| (min.to_u32(), max.to_u32()))
}

/// Whether a device with the fixed restart index draws the indices as they are.
pub fn needs_restart_rewrite<T: Index>(restart: Option<T>) -> bool {
    restart != Some(T::FIXED_RESTART)
}

/// Rewrites an arbitrary restart index to the fixed one.
///
/// An ordinary index that happens to have the fixed value would become a restart: 16-bit streams with such an index are
/// widened to 32 bits. With 32-bit indices 0xFFFF_FFFF cannot be an ordinary index: no buffer has such a vertex.
pub fn rewrite_restart<T: Index>(indices: &[T], restart: Option<T>) -> IndexStream {
    let collides = restart != Some(T::FIXED_RESTART) && indices.contains(&T::FIXED_RESTART);
    let fits_u16 = T::BYTES == 1 || (T::BYTES == 2 && !collides);
    if fits_u16 {
        let narrow = |i: T| {
            if Some(i) == restart {
                u16::FIXED_RESTART
            } else {
                i.to_u32() as u16
            }
        };
        IndexStream::U16(indices.iter().map(|&i| narrow(i)).collect())
    } else {
        let wide = |i: T| {
            if Some(i) == restart {
                u32::FIXED_RESTART
            } else {
                i.to_u32()
            }
        };
        IndexStream::U32(indices.iter().map(|&i| wide(i)).collect())
    }
}

/// Which vertex of a primitive gives flat attributes: GL 4.6 core §13.6, "Flatshading".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provoking {
    First,
    Last,
}

/// The vertices of a non-indexed draw, for the functions below.
pub fn sequence(first: u32, count: u32) -> Vec<u32> {
    (first..first.saturating_add(count)).collect()
}

/// A triangle fan as a triangle list; winding and provoking vertex stay those of the fan.
///
/// GL 4.6 core §10.1, "Triangle Fans": triangle i of a fan has the vertices 1, i + 1 and i + 2 (counted from 1); §13.6, "Flatshading": its provoking
/// vertex is i + 1 under the first-vertex convention and i + 2 under the last-vertex convention.
pub fn fan_to_triangles<T: Index>(
    indices: &[T],
    restart: Option<T>,
    provoking: Provoking,
    out: &mut Vec<T>,
) {
    for fan in segments(indices, restart) {
        let Some((&hub, rim)) = fan.split_first() else {
            continue;
        };
        out.extend(rim.array_windows().flat_map(|&[a, b]| match provoking {
            Provoking::First => [a, b, hub],
            Provoking::Last => [hub, a, b],
        }));
    }
}

/// A line loop as a line list: GL 4.6 core §10.1, "Line Loops": a strip with one more segment from the last vertex to the first.
pub fn loop_to_lines<T: Index>(indices: &[T], restart: Option<T>, out: &mut Vec<T>) {
    for segment in segments(indices, restart) {
        let (Some(&first), Some(&last), true) =
            (segment.first(), segment.last(), segment.len() >= 2)
        else {
            continue;
        };
        out.extend(segment.array_windows::<2>().flatten());
        out.extend([last, first]);
    }
}

/// The runs between restart indices; empty runs are left to the caller.
pub fn segments<T: Index>(indices: &[T], restart: Option<T>) -> impl Iterator<Item = &[T]> {
    indices.split(move |&index| Some(index) == restart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn load_at_odd_offsets_reads_whole_indices() {
        let bytes = [0xFF, 1, 0, 2, 0, 9];
        assert_eq!(
            load::<u16>(&bytes[1..]),
            [u16::from_ne_bytes([1, 0]), u16::from_ne_bytes([2, 0])]
        );
        assert_eq!(load::<u32>(&bytes[..3]), []);
    }

    #[test]
    fn widen_keeps_255_unless_it_restarts() {
        assert_eq!(widen(&[0, 255, 7], None), [0, 255, 7]);
        assert_eq!(widen(&[0, 255, 7], Some(255)), [0, 0xFFFF, 7]);
        assert_eq!(widen(&[0, 255, 7], Some(7)), [0, 255, 0xFFFF]);
    }

    #[test]
    fn min_max_leaves_restarts_out() {
        assert_eq!(min_max(&[5u16, 0xFFFF, 2], Some(0xFFFF)), Some((2, 5)));
        assert_eq!(min_max(&[5u16, 0xFFFF, 2], None), Some((2, 0xFFFF)));
        assert_eq!(min_max(&[9u8, 9], Some(9)), None);
        assert_eq!(min_max::<u32>(&[], None), None);
    }

    #[test]
    fn restart_index_wider_than_the_type_never_matches() {
        assert_eq!(restart_of_type::<u16>(0xFFFF_FFFF), None);
        assert_eq!(restart_of_type::<u16>(0xFFFF), Some(0xFFFF));
        assert_eq!(restart_of_type::<u8>(256), None);
    }

    #[test]
    fn rewrite_restart_of_colliding_index_widens() {
        assert_eq!(
            rewrite_restart(&[1u16, 7, 3], Some(7)),
            IndexStream::U16(vec![1, 0xFFFF, 3])
        );
        assert_eq!(
            rewrite_restart(&[1u16, 7, 0xFFFF], Some(7)),
            IndexStream::U32(vec![1, u32::MAX, 0xFFFF])
        );
        assert_eq!(
            rewrite_restart(&[1u16, 0xFFFF], Some(0xFFFF)),
            IndexStream::U16(vec![1, 0xFFFF])
        );
        assert_eq!(
            rewrite_restart(&[255u8, 7], Some(7)),
            IndexStream::U16(vec![255, 0xFFFF])
        );
        assert_eq!(
            rewrite_restart(&[1u32, 7], Some(7)),
            IndexStream::U32(vec![1, u32::MAX])
        );
        assert!(!needs_restart_rewrite(Some(0xFFFFu16)));
        assert!(needs_restart_rewrite(Some(7u16)));
    }

    #[test]
    fn fan_to_triangles_keeps_winding_and_provoking_vertex() {
        let fan = sequence(10, 4);
        let mut last = Vec::new();
        fan_to_triangles(&fan, None, Provoking::Last, &mut last);
        assert_eq!(last, [10, 11, 12, 10, 12, 13]);
        let mut first = Vec::new();
        fan_to_triangles(&fan, None, Provoking::First, &mut first);
        assert_eq!(first, [11, 12, 10, 12, 13, 10]);
    }

    #[test]
    fn fan_to_triangles_of_short_runs_draws_nothing() {
        let mut out = Vec::new();
        fan_to_triangles(
            &[1u16, 2, 9, 3, 9, 9, 4, 5, 6],
            Some(9),
            Provoking::Last,
            &mut out,
        );
        assert_eq!(out, [4, 5, 6]);
    }

    #[test]
    fn loop_to_lines_closes_every_run() {
        let mut out = Vec::new();
        loop_to_lines(&[1u16, 2, 3, 9, 4, 9, 5, 6], Some(9), &mut out);
        assert_eq!(out, [1, 2, 2, 3, 3, 1, 5, 6, 6, 5]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        /// After the rewrite, cutting at the fixed index gives the runs that cutting at the arbitrary one gave before.
        #[test]
        fn rewrite_restart_keeps_the_runs(indices in prop::collection::vec(prop::sample::select(vec![0u16, 1, 7, 0xFFFE, 0xFFFF]), 0..40), restart in prop::sample::select(vec![0u16, 7, 9, 0xFFFF])) {
            let before: Vec<Vec<u32>> = segments(&indices, Some(restart)).map(|run| run.iter().map(|i| i.to_u32()).collect()).collect();
            let after: Vec<Vec<u32>> = match rewrite_restart(&indices, Some(restart)) {
                IndexStream::U16(s) => segments(&s, Some(u16::FIXED_RESTART)).map(|run| run.iter().map(|i| i.to_u32()).collect()).collect(),
                IndexStream::U32(s) => segments(&s, Some(u32::FIXED_RESTART)).map(<[u32]>::to_vec).collect(),
            };
            prop_assert_eq!(before, after);
        }
    }
}
