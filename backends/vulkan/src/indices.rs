//! Index lists that Vulkan cannot draw as they are: line loops, bytes, restart indices of any value, restart in lists. They are
//! rewritten to 32-bit indices with all ones as restart. It reads index bytes and draws nothing.

use crate::backend::VulkanBackend;
use crate::features::Features;
use pipe::{BufferId, DrawFlags, DrawInfo, DrawRange, Primitive};

/// Restart in rewritten lists, and Vulkan's own for 32-bit indices.
pub const RESTART: u32 = !0;

/// What a rewritten list was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RewriteKey {
    buffer: BufferId,
    content: u64,
    start: u64,
    count: u32,
    mode: Primitive,
    restart: Option<u32>,
    index_size: u8,
}

/// The restart index of a draw, if it has one.
pub fn restart_of(info: &DrawInfo) -> Option<u32> {
    (info.index_size != 0
        && DrawFlags::from_bits_truncate(info.flags).contains(DrawFlags::PRIMITIVE_RESTART))
    .then_some(info.restart_index)
}

fn native_restart(index_size: u8) -> u32 {
    match index_size {
        1 => 0xFF,
        2 => 0xFFFF,
        _ => RESTART,
    }
}

/// Vertices per primitive of a list; 0: strips, loops and fans.
fn list_size(mode: Primitive, patch_vertices: u32) -> usize {
    match mode {
        Primitive::Points => 1,
        Primitive::Lines => 2,
        Primitive::Triangles => 3,
        Primitive::LinesAdjacency => 4,
        Primitive::TrianglesAdjacency => 6,
        Primitive::Patches => patch_vertices as usize,
        Primitive::LineLoop
        | Primitive::LineStrip
        | Primitive::TriangleStrip
        | Primitive::TriangleFan
        | Primitive::LineStripAdjacency
        | Primitive::TriangleStripAdjacency => 0,
    }
}

/// Whether a pipeline for this draw needs restart enabled.
pub fn pipeline_restart(features: &Features, info: &DrawInfo) -> bool {
    if info.mode == Primitive::LineLoop {
        return true;
    }
    let strip = list_size(info.mode, 1) == 0;
    let list_ok = if info.mode == Primitive::Patches {
        features.patch_restart
    } else {
        features.ext.list_restart
    };
    restart_of(info).is_some() && (strip || list_ok)
}

/// Whether the indices must be rewritten.
pub fn needs_rewrite(features: &Features, info: &DrawInfo) -> bool {
    if info.mode == Primitive::LineLoop {
        return true;
    }
    if info.index_size == 0 {
        return false;
    }
    (info.index_size == 1 && !features.ext.index_type_uint8)
        || restart_of(info).is_some_and(|restart| {
            restart != native_restart(info.index_size) || !pipeline_restart(features, info)
        })
}

fn decode(bytes: &[u8], index_size: u8) -> Vec<u32> {
    match index_size {
        1 => bytes.iter().map(|b| u32::from(*b)).collect(),
        2 => bytes
            .chunks_exact(2)
            .map(|b| u32::from(u16::from_ne_bytes([b[0], b[1]])))
            .collect(),
        _ => bytes
            .chunks_exact(4)
            .map(|b| u32::from_ne_bytes([b[0], b[1], b[2], b[3]]))
            .collect(),
    }
}

/// Rewrites one list. `keep_restarts`: the pipeline understands all ones; else a list is cut to whole primitives.
pub fn rewrite(
    indices: &[u32],
    mode: Primitive,
    restart: Option<u32>,
    keep_restarts: bool,
    patch_vertices: u32,
) -> Vec<u32> {
    let mut out = Vec::with_capacity(indices.len() + 1);
    let segments = indices.split(|index| Some(*index) == restart);
    for segment in segments {
        // A single vertex makes no line, also in a loop.
        if segment.is_empty() || mode == Primitive::LineLoop && segment.len() == 1 {
            continue;
        }
        if mode == Primitive::LineLoop {
            out.extend_from_slice(segment);
            out.push(segment[0]);
            out.push(RESTART);
        } else if keep_restarts {
            out.extend_from_slice(segment);
            out.push(RESTART);
        } else {
            let size = list_size(mode, patch_vertices).max(1);
            out.extend_from_slice(&segment[..segment.len() - segment.len() % size]);
        }
    }
    if out.last() == Some(&RESTART) {
        out.pop();
    }
    out
}

impl VulkanBackend {
    /// The rewritten indices of one range of a draw; `user` are client indices from `range.start` on.
    pub(crate) fn rewritten(
        &mut self,
        info: &DrawInfo,
        range: &DrawRange,
        index_buffer: BufferId,
        user: Option<&[u8]>,
        patch_vertices: u32,
    ) -> Vec<u32> {
        let restart = restart_of(info);
        let keep = pipeline_restart(&self.gpu.features, info);
        if info.index_size == 0 {
            let first = range.start as u32;
            let all: Vec<u32> = (first..first.saturating_add(range.count)).collect();
            return rewrite(&all, info.mode, None, keep, patch_vertices);
        }
        let size = usize::from(info.index_size);
        let len = range.count as usize * size;
        if let Some(bytes) = user {
            let bytes = &bytes[..len.min(bytes.len())];
            let all = decode(bytes, info.index_size);
            return rewrite(&all, info.mode, restart, keep, patch_vertices);
        }
        let Some(content) = self.buffers.get(index_buffer).map(|b| b.content_version) else {
            return Vec::new();
        };
        let key = RewriteKey {
            buffer: index_buffer,
            content,
            start: range.start,
            count: range.count,
            mode: info.mode,
            restart,
            index_size: info.index_size,
        };
        if let Some(done) = self.rewrites.get(&key) {
            return done.clone();
        }
        let mut bytes = vec![0; len];
        self.read_buffer(index_buffer, range.start, &mut bytes);
        let all = decode(&bytes, info.index_size);
        let done = rewrite(&all, info.mode, restart, keep, patch_vertices);
        // A program that streams new ranges all the time must not make this grow: forget all at once.
        if self.rewrites.len() >= 64 {
            self.rewrites.clear();
        }
        self.rewrites.insert(key, done.clone());
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_loop_is_a_strip_that_ends_at_its_first_vertex() {
        let loops = rewrite(&[1, 2, 3, 9, 4, 5], Primitive::LineLoop, Some(9), true, 0);
        assert_eq!(loops, [1, 2, 3, 1, RESTART, 4, 5, 4]);
        let single = rewrite(
            &[1, 2, 9, 3, 9, 4, 5],
            Primitive::LineLoop,
            Some(9),
            true,
            0,
        );
        assert_eq!(single, [1, 2, 1, RESTART, 4, 5, 4]);
        assert!(rewrite(&[6], Primitive::LineLoop, None, true, 0).is_empty());
    }

    #[test]
    fn list_without_native_restart_loses_its_incomplete_primitives() {
        let list = rewrite(
            &[0, 1, 2, 3, 7, 4, 5, 6],
            Primitive::Triangles,
            Some(7),
            false,
            0,
        );
        assert_eq!(list, [0, 1, 2, 4, 5, 6]);
    }
}
