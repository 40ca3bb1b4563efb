//! What a draw reads of vertex arrays in client memory: how far, by its vertices and instances. It reads no memory itself but the
//! indices that it is given.

use crate::payload::{DrawFlags, DrawInfo, DrawRange, VertexAttrib, VertexBinding};

/// Bytes of one element of an attribute in memory (GL 4.6 table 10.3).
pub fn element_bytes(attrib: &VertexAttrib) -> u32 {
    let components = u32::from(attrib.components);
    match attrib.ty {
        // GL_BYTE, GL_UNSIGNED_BYTE.
        0x1400 | 0x1401 => components,
        // GL_SHORT, GL_UNSIGNED_SHORT, GL_HALF_FLOAT.
        0x1402 | 0x1403 | 0x140B => 2 * components,
        // GL_DOUBLE.
        0x140A => 8 * components,
        // Packed, one word holds all: GL_INT_2_10_10_10_REV, GL_UNSIGNED_INT_2_10_10_10_REV, GL_UNSIGNED_INT_10F_11F_11F_REV.
        0x8D9F | 0x8368 | 0x8C3B => 4,
        // GL_INT, GL_UNSIGNED_INT, GL_FLOAT, GL_FIXED.
        _ => 4 * components,
    }
}

/// Smallest and largest index of native-endian indices, restarts left out.
pub fn index_range(bytes: &[u8], index_size: u8, restart: Option<u32>) -> Option<(u32, u32)> {
    let mut found: Option<(u32, u32)> = None;
    let mut see = |index: u32| {
        if restart != Some(index) {
            let (low, high) = found.unwrap_or((index, index));
            found = Some((low.min(index), high.max(index)));
        }
    };
    match index_size {
        1 => bytes.iter().for_each(|b| see(u32::from(*b))),
        2 => bytes
            .chunks_exact(2)
            .for_each(|b| see(u32::from(u16::from_ne_bytes([b[0], b[1]])))),
        _ => bytes
            .chunks_exact(4)
            .for_each(|b| see(u32::from_ne_bytes([b[0], b[1], b[2], b[3]]))),
    }
    found
}

/// The last vertex that a draw reads; `None`: it reads none. `indices` are the bytes of the n-th range's indices.
pub fn last_vertex<'a>(
    draw: &DrawInfo,
    ranges: &[DrawRange],
    mut indices: impl FnMut(usize, &DrawRange) -> Option<std::borrow::Cow<'a, [u8]>>,
) -> Option<u32> {
    let flags = DrawFlags::from_bits_truncate(draw.flags);
    let restart = flags
        .contains(DrawFlags::PRIMITIVE_RESTART)
        .then_some(draw.restart_index);
    let mut last: Option<i64> = None;
    for (n, range) in std::iter::once(&draw.first).chain(ranges).enumerate() {
        let of_range = if draw.index_size == 0 {
            let end = i64::try_from(range.start).unwrap_or(i64::MAX) + i64::from(range.count);
            (range.count != 0).then(|| end - 1)
        } else {
            indices(n, range)
                .and_then(|bytes| index_range(&bytes, draw.index_size, restart))
                .map(|(_, high)| i64::from(high) + i64::from(range.index_bias))
        };
        last = last.max(of_range);
    }
    // Below zero there is no vertex; above the type's end there is none that a program could have in memory.
    last.and_then(|last| u32::try_from(last).ok())
}

/// Bytes that a draw reads from the start of the array at a binding point; `None`: none. `last`: of [`last_vertex`].
pub fn bytes_read(
    attribs: &[VertexAttrib],
    point: usize,
    layout: VertexBinding,
    draw: &DrawInfo,
    last: Option<u32>,
) -> Option<u64> {
    let element_end = attribs
        .iter()
        .filter(|a| a.enabled != 0 && usize::from(a.binding) == point)
        .map(|a| u64::from(a.relative_offset_bytes) + u64::from(element_bytes(a)))
        .max()
        .unwrap_or(0);
    let last = match layout.divisor {
        0 => last.map(u64::from),
        divisor => draw
            .instance_count
            .checked_sub(1)
            .map(|n| u64::from(draw.start_instance) + u64::from(n / divisor)),
    };
    last.map(|last| last * u64::from(layout.stride_bytes) + element_end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::Primitive;
    use std::borrow::Cow;

    #[test]
    fn index_range_leaves_restarts_out_and_reads_each_index_size() {
        assert_eq!(index_range(&[3, 255, 1, 7], 1, Some(255)), Some((1, 7)));
        assert_eq!(index_range(&[255, 255], 1, Some(255)), None);
        let shorts: Vec<u8> = [5u16, 300].iter().flat_map(|i| i.to_ne_bytes()).collect();
        assert_eq!(index_range(&shorts, 2, None), Some((5, 300)));
        let words: Vec<u8> = [70_000u32, 9]
            .iter()
            .flat_map(|i| i.to_ne_bytes())
            .collect();
        assert_eq!(index_range(&words, 4, None), Some((9, 70_000)));
    }

    fn draw(index_size: u8, ranges: &[(u64, u32, i32)]) -> (DrawInfo, Vec<DrawRange>) {
        let mut ranges = ranges.iter().map(|(start, count, index_bias)| DrawRange {
            start: *start,
            count: *count,
            index_bias: *index_bias,
        });
        let draw = DrawInfo {
            groups: 0,
            mode: Primitive::Triangles,
            index_size,
            flags: 0,
            _pad: 0,
            instance_count: 1,
            start_instance: 0,
            first: ranges.next().expect("a range"),
            restart_index: 0,
            min_index: 0,
            max_index: 0,
            draw_id: 0,
        };
        (draw, ranges.collect())
    }

    #[test]
    fn last_vertex_of_arrays_is_of_the_farthest_range_that_draws() {
        let (info, rest) = draw(0, &[(2, 3, 0), (90, 0, 0), (4, 2, 0)]);
        assert_eq!(last_vertex(&info, &rest, |_, _| None), Some(5));
        let (info, rest) = draw(0, &[(2, 0, 0)]);
        assert_eq!(last_vertex(&info, &rest, |_, _| None), None);
    }

    #[test]
    fn last_vertex_of_elements_has_the_bias_of_its_range() {
        let (info, rest) = draw(1, &[(0, 2, 0), (0, 2, 10)]);
        let bytes = |n: usize, _: &DrawRange| Some(Cow::Borrowed([&[9u8, 1][..], &[2, 3]][n]));
        assert_eq!(last_vertex(&info, &rest, bytes), Some(13));
        let (info, rest) = draw(1, &[(0, 2, -20)]);
        assert_eq!(last_vertex(&info, &rest, bytes), None);
    }

    #[test]
    fn bytes_read_end_with_the_last_element_and_count_instances_where_there_is_a_divisor() {
        let attrib = VertexAttrib {
            ty: 0x1406, // GL_FLOAT
            components: 3,
            binding: 1,
            relative_offset_bytes: 4,
            enabled: 1,
            bgra: 0,
            normalized: 0,
            integer: 0,
            long: 0,
        };
        let mut layout = VertexBinding {
            stride_bytes: 20,
            divisor: 0,
        };
        let (mut info, _) = draw(0, &[(0, 3, 0)]);
        let read = |layout, info: &DrawInfo, last| bytes_read(&[attrib], 1, layout, info, last);
        assert_eq!(read(layout, &info, Some(2)), Some(2 * 20 + 16));
        assert_eq!(read(layout, &info, None), None);
        layout.divisor = 2;
        (info.start_instance, info.instance_count) = (1, 4);
        assert_eq!(read(layout, &info, None), Some(2 * 20 + 16));
    }
}
