//! Transform feedback of a context: whether a capture runs, of which primitives, and what it captured as far as this side can count
//! (GL 4.6 §13.3). Binding points are [`crate::buffer_bindings`]'.

use crate::context::{Context, Objects};
use pipe::Primitive;

/// A capture between glBeginTransformFeedback and glEndTransformFeedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Points, lines or triangles.
    pub mode: Primitive,
    pub paused: bool,
    /// Vertices captured by draws that go through no geometry or tessellation stage, room in the buffers not considered.
    pub vertices: u64,
}

impl Capture {
    /// Modes that may be drawn while it runs, without a geometry or tessellation stage (GL 4.6 §13.3.3, table 13.1). Bit n: mode n.
    pub fn accepted_modes(&self) -> u32 {
        match self.mode {
            Primitive::Points => 1,
            Primitive::Lines => 0b1110 | 0b11 << 0xA,
            _ => 0b111_0000 | 0b11 << 0xC,
        }
    }

    /// Vertices that a draw of `count` vertices adds, strips, loops and fans taken apart.
    pub fn captured(mode: Primitive, count: u32) -> u64 {
        let n = u64::from(count);
        match mode {
            Primitive::Points => n,
            Primitive::Lines => n / 2 * 2,
            Primitive::LineLoop if n >= 2 => n * 2,
            Primitive::LineLoop => 0,
            Primitive::LineStrip => n.saturating_sub(1) * 2,
            Primitive::Triangles => n / 3 * 3,
            Primitive::TriangleStrip | Primitive::TriangleFan => n.saturating_sub(2) * 3,
            Primitive::LinesAdjacency => n / 4 * 2,
            Primitive::LineStripAdjacency => n.saturating_sub(3) * 2,
            Primitive::TrianglesAdjacency => n / 6 * 3,
            Primitive::TriangleStripAdjacency => (n.saturating_sub(4) / 2) * 3,
            Primitive::Patches => 0,
        }
    }
}

impl Context {
    /// Starts, pauses, resumes or ends a capture. Draws look at it by value: no generation moves.
    pub fn set_capture(&mut self, capture: Option<Capture>) {
        self.capture = capture;
    }

    /// A draw went by.
    #[inline]
    pub fn count_captured(&mut self, mode: Primitive, count: u32, instances: u32) {
        if let Some(capture) = self.capture.as_mut().filter(|capture| !capture.paused) {
            capture.vertices += Capture::captured(mode, count) * u64::from(instances);
        }
    }

    /// The executing side writes what is bound for a capture.
    pub fn mark_captured(&self, objects: &mut Objects) {
        for binding in self.buffers.stream_output() {
            if let Some(buffer) = objects.buffers.get_mut(binding.buffer) {
                buffer.mark_gpu_written(&mut objects.generations);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Capture;
    use pipe::Primitive;

    #[test]
    fn strips_and_loops_are_captured_as_separate_primitives() {
        let captured = |mode, count| Capture::captured(mode, count);
        assert_eq!(captured(Primitive::TriangleStrip, 4), 6);
        assert_eq!(captured(Primitive::TriangleFan, 2), 0);
        assert_eq!(captured(Primitive::Triangles, 7), 6);
        assert_eq!(captured(Primitive::LineLoop, 3), 6);
        assert_eq!(captured(Primitive::LineStrip, 3), 4);
        assert_eq!(captured(Primitive::TriangleStripAdjacency, 8), 6);
    }
}
