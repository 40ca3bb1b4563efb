//! Shader and program objects: sources, logs, what a link made, uniform values, units and binding points. Nothing is compiled here.

use pipe::program::{ProgramArtifact, Stage};
use pipe::{Handle, HandleKind, ProgramBinding, RawHandle, ShaderId};
use std::any::Any;
use std::sync::Arc;

macro_rules! local_ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(pub RawHandle);

        impl Handle for $name {
            const KIND: HandleKind = HandleKind::Shader;

            fn from_raw(raw: RawHandle) -> Self {
                Self(raw)
            }

            fn raw(self) -> RawHandle {
                self.0
            }
        }

        impl $name {
            /// Names nothing.
            pub const NULL: Self = Self(RawHandle::NULL);
        }
    )*};
}
local_ids! {
    /// Names a shader object on this side only.
    ShaderObjectId;
    /// Names a program object on this side only.
    ProgramId;
}

/// What a shader or program name names: both share one namespace (GL 4.6 §7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShaderOrProgram {
    Shader(ShaderObjectId),
    Program(ProgramId),
}

/// A shader object.
pub struct Shader {
    pub id: ShaderObjectId,
    pub name: u32,
    pub stage: Stage,
    pub source: String,
    pub compile_ok: bool,
    pub log: String,
    /// The compiler's own object; opaque here.
    pub compiled: Option<Arc<dyn Any + Send + Sync>>,
    pub delete_pending: bool,
    /// Programs it is attached to.
    pub attachments: u32,
    pub label: Option<String>,
}

/// What a successful link made.
#[derive(Debug)]
pub struct Executable {
    /// The handle under which the executing side knows it; a new one per link.
    pub shader: ShaderId,
    pub artifact: Arc<ProgramArtifact>,
    /// Contents of the default uniform block.
    pub constants: Vec<u8>,
    /// Moves with every byte of `constants` that changes.
    pub constants_version: u64,
    /// Texture unit by sampler slot.
    pub sampler_units: Vec<u32>,
    /// Image unit by image slot.
    pub image_units: Vec<u32>,
    /// Binding point by uniform block index.
    pub uniform_block_bindings: Vec<u32>,
    /// Binding point by storage block index.
    pub storage_block_bindings: Vec<u32>,
    /// Moves with units and binding points.
    pub bindings_version: u64,
    /// By location: index into the artifact's uniforms and element, or `None` for a hole.
    pub locations: Vec<Option<(u32, u32)>>,
}

impl Executable {
    /// The tail of `set_program_bindings`: where each descriptor finds its unit or binding point, ordered by binding and element.
    pub fn bindings(&self) -> Vec<ProgramBinding> {
        let a = &self.artifact;
        let mut table = Vec::new();
        let mut add = |binding: u32, element: u32, slot: u32| {
            table.push(ProgramBinding {
                binding: binding as u16,
                element: element as u16,
                slot,
            });
        };
        for (slot, sampler) in a.samplers.iter().enumerate() {
            add(sampler.binding, sampler.element, self.sampler_units[slot]);
        }
        for (slot, image) in a.images.iter().enumerate() {
            add(image.binding, image.element, self.image_units[slot]);
        }
        for (index, block) in a.uniform_blocks.iter().enumerate() {
            add(
                block.binding,
                block.element,
                self.uniform_block_bindings[index],
            );
        }
        for (index, block) in a.storage_blocks.iter().enumerate() {
            add(
                block.binding,
                block.element,
                self.storage_block_bindings[index],
            );
        }
        for buffer in &a.atomic_buffers {
            add(buffer.binding, 0, buffer.gl_binding);
        }
        table.sort_by_key(|b| (b.binding, b.element));
        table
    }
}

/// A program object.
#[derive(Debug)]
pub struct Program {
    pub id: ProgramId,
    pub name: u32,
    pub attached: Vec<ShaderObjectId>,
    pub link_ok: bool,
    pub validate_ok: bool,
    pub log: String,
    /// Survives a failed relink while in use (GL 4.6 §7.3).
    pub executable: Option<Executable>,
    pub attrib_bindings: Vec<(String, u32)>,
    /// Name, colour number, index.
    pub frag_data_bindings: Vec<(String, u32, u32)>,
    pub xfb_varyings: Vec<String>,
    pub xfb_separate: bool,
    pub separable: bool,
    pub retrievable: bool,
    pub delete_pending: bool,
    /// Contexts it is in use by.
    pub in_use: u32,
    /// Moves with every link.
    pub link_version: u64,
    pub label: Option<String>,
}
