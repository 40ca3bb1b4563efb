//! Buffer binding points of a context: the plain ones and the indexed ones. They hold handles, counted on the object.

use pipe::{BufferClass, BufferId, MAX_BUFFER_BINDINGS};

/// A plain binding point. GL_ELEMENT_ARRAY_BUFFER belongs to the vertex array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum BufferTarget {
    Array = 0,
    PixelPack,
    PixelUnpack,
    CopyRead,
    CopyWrite,
    Uniform,
    ShaderStorage,
    AtomicCounter,
    TransformFeedback,
    Texture,
    DrawIndirect,
    DispatchIndirect,
    Parameter,
    Query,
}

/// How many plain binding points there are.
pub const BUFFER_TARGETS: usize = 14;

/// A range bound to an indexed point. `size_bytes` [`pipe::WHOLE`]: glBindBufferBase, follows the buffer's size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexedBinding {
    pub buffer: BufferId,
    pub offset_bytes: u64,
    pub size_bytes: u64,
}

/// Indexed points of one class, with the highest ever touched.
#[derive(Debug)]
pub struct IndexedBindings {
    pub points: Box<[IndexedBinding; MAX_BUFFER_BINDINGS]>,
    pub touched: usize,
}

impl Default for IndexedBindings {
    fn default() -> Self {
        Self {
            points: Box::new([IndexedBinding::default(); MAX_BUFFER_BINDINGS]),
            touched: 0,
        }
    }
}

/// All binding points of a context. Set through [`crate::Context`], which bumps the generation.
#[derive(Debug, Default)]
pub struct BufferBindings {
    pub(crate) plain: [BufferId; BUFFER_TARGETS],
    pub(crate) indexed: [IndexedBindings; 3],
    /// Transform feedback points of the bound transform feedback object (the default one for now).
    pub(crate) stream_output: [IndexedBinding; pipe::MAX_STREAM_OUTPUTS],
}

impl BufferBindings {
    /// What is bound to a plain point.
    pub fn get(&self, target: BufferTarget) -> BufferId {
        self.plain[target as usize]
    }

    /// Indexed points of a class, up to the highest ever touched.
    pub fn indexed(&self, class: BufferClass) -> &[IndexedBinding] {
        let row = &self.indexed[class as usize];
        &row.points[..row.touched]
    }

    /// Transform feedback points.
    pub fn stream_output(&self) -> &[IndexedBinding] {
        &self.stream_output
    }
}
