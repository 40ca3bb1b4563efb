//! Buffer binding points of a context: the plain ones and the indexed ones. They hold handles, counted on the object.

use crate::bump::bump;
use crate::context::{Context, Objects};
use crate::emission::Emission;
use pipe::{Bind, BufferClass, BufferId, MAX_BUFFER_BINDINGS};

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

    /// Points of a family, up to the highest ever touched.
    pub fn points(&self, target: IndexedTarget) -> &[IndexedBinding] {
        match target {
            IndexedTarget::Class(class) => self.indexed(class),
            IndexedTarget::TransformFeedback => &self.stream_output,
        }
    }

    /// Transform feedback points.
    pub fn stream_output(&self) -> &[IndexedBinding] {
        &self.stream_output
    }
}

/// An indexed family: the classes that shaders read, and transform feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexedTarget {
    Class(BufferClass),
    TransformFeedback,
}

impl BufferTarget {
    /// What a buffer is used as when it is bound here.
    pub fn use_(self) -> Bind {
        match self {
            Self::Array => Bind::VERTEX,
            Self::PixelPack => Bind::PIXEL_PACK,
            Self::PixelUnpack => Bind::PIXEL_UNPACK,
            Self::CopyRead | Self::CopyWrite => Bind::COPY,
            Self::Uniform => Bind::UNIFORM,
            Self::ShaderStorage => Bind::SHADER_STORAGE,
            Self::AtomicCounter => Bind::ATOMIC,
            Self::TransformFeedback => Bind::STREAM_OUTPUT,
            Self::Texture => Bind::TEXTURE_BUFFER,
            Self::DrawIndirect | Self::DispatchIndirect | Self::Parameter => Bind::INDIRECT,
            Self::Query => Bind::QUERY,
        }
    }
}

impl IndexedTarget {
    /// The plain point that glBindBufferBase and glBindBufferRange set as well.
    pub fn plain(self) -> BufferTarget {
        match self {
            Self::Class(BufferClass::Uniform) => BufferTarget::Uniform,
            Self::Class(BufferClass::ShaderStorage) => BufferTarget::ShaderStorage,
            Self::Class(BufferClass::AtomicCounter) => BufferTarget::AtomicCounter,
            Self::TransformFeedback => BufferTarget::TransformFeedback,
        }
    }
}

impl Context {
    /// Binds a buffer to a plain point.
    pub fn bind_buffer(
        &mut self,
        target: BufferTarget,
        id: BufferId,
        objects: &mut Objects,
        emission: &mut Emission,
    ) {
        let slot = &mut self.buffers.plain[target as usize];
        if *slot == id {
            return;
        }
        objects.replace_buffer(slot, id, emission);
        if let Some(buffer) = objects.buffers.get_mut(id) {
            buffer.note_bind(target.use_());
        }
        if matches!(
            target,
            BufferTarget::DrawIndirect | BufferTarget::DispatchIndirect | BufferTarget::Parameter
        ) {
            bump!(
                "buffer_bindings::bind_buffer",
                self.generations.indirect_bindings
            );
        }
    }

    /// Binds the element array buffer of the bound vertex array.
    pub fn bind_index_buffer(
        &mut self,
        id: BufferId,
        objects: &mut Objects,
        emission: &mut Emission,
    ) {
        let slot = &mut self.vertex_array_mut().index_buffer;
        if *slot == id {
            return;
        }
        objects.replace_buffer(slot, id, emission);
        if let Some(buffer) = objects.buffers.get_mut(id) {
            buffer.note_bind(Bind::ELEMENT_ARRAY);
        }
        bump!(
            "buffer_bindings::bind_index_buffer",
            self.generations.index_buffer
        );
    }

    /// Binds a range to an indexed point. The plain point is the caller's to bind.
    pub fn bind_indexed(
        &mut self,
        target: IndexedTarget,
        index: usize,
        binding: IndexedBinding,
        objects: &mut Objects,
        emission: &mut Emission,
    ) {
        let point = match target {
            IndexedTarget::Class(class) => {
                let row = &mut self.buffers.indexed[class as usize];
                row.touched = row.touched.max(index + 1);
                &mut row.points[index]
            }
            IndexedTarget::TransformFeedback => &mut self.buffers.stream_output[index],
        };
        if *point == binding {
            return;
        }
        objects.replace_buffer(&mut point.buffer, binding.buffer, emission);
        *point = binding;
        if let Some(buffer) = objects.buffers.get_mut(binding.buffer) {
            buffer.note_bind(target.plain().use_());
        }
        match target {
            IndexedTarget::Class(_) => bump!(
                "buffer_bindings::bind_indexed",
                self.generations.buffer_bindings
            ),
            IndexedTarget::TransformFeedback => bump!(
                "buffer_bindings::bind_indexed",
                self.generations.stream_output
            ),
        }
    }

    /// A buffer is deleted: this context lets go of it, the bound vertex array included; other vertex arrays keep it
    /// (GL 4.6 §5.1.2, §5.1.3).
    pub fn unbind_buffer(&mut self, id: BufferId, objects: &mut Objects, emission: &mut Emission) {
        for target in ALL_TARGETS {
            if self.buffers.get(target) == id {
                self.bind_buffer(target, BufferId::NULL, objects, emission);
            }
        }
        for target in INDEXED_TARGETS {
            for index in 0..self.buffers.points(target).len() {
                if self.buffers.points(target)[index].buffer == id {
                    self.bind_indexed(target, index, IndexedBinding::default(), objects, emission);
                }
            }
        }
        if self.vertex_array().index_buffer == id {
            self.bind_index_buffer(BufferId::NULL, objects, emission);
        }
        for point in 0..pipe::MAX_VERTEX_ATTRIBS {
            let binding = self.vertex_array().bindings[point];
            if binding.buffer == id {
                let offset = binding.offset_bytes;
                self.set_binding_buffer(point, BufferId::NULL, offset, objects, emission);
            }
        }
    }
}

const ALL_TARGETS: [BufferTarget; BUFFER_TARGETS] = [
    BufferTarget::Array,
    BufferTarget::PixelPack,
    BufferTarget::PixelUnpack,
    BufferTarget::CopyRead,
    BufferTarget::CopyWrite,
    BufferTarget::Uniform,
    BufferTarget::ShaderStorage,
    BufferTarget::AtomicCounter,
    BufferTarget::TransformFeedback,
    BufferTarget::Texture,
    BufferTarget::DrawIndirect,
    BufferTarget::DispatchIndirect,
    BufferTarget::Parameter,
    BufferTarget::Query,
];

const INDEXED_TARGETS: [IndexedTarget; 4] = [
    IndexedTarget::Class(BufferClass::Uniform),
    IndexedTarget::Class(BufferClass::ShaderStorage),
    IndexedTarget::Class(BufferClass::AtomicCounter),
    IndexedTarget::TransformFeedback,
];
