//! Constant state objects: created once, bound by handle, addressed by content on the client. None is ever changed.

use super::record;
use crate::formats::Format;
use crate::handle::{
    RenderStateId, SamplerId, SamplerViewId, ShaderId, TextureId, VertexElementsId,
};

/// Generic vertex attributes and vertex buffer binding points (GL_MAX_VERTEX_ATTRIBS as advertised).
pub const MAX_VERTEX_ATTRIBS: usize = 16;

record! {
    /// A render state CSO: chunks of the pipeline subset, gathered in the blob.
    pub struct RenderStateDesc {
        pub id: RenderStateId,
        /// Chunks in the blob; all pipeline chunks unless `base` is given.
        pub chunk_mask: u32,
        pub _pad: u32,
        /// Where the other chunks come from; null if `chunk_mask` is whole.
        pub base: RenderStateId,
    }

    /// Binds a render state CSO; versions are the client's, widened.
    pub struct BindRenderState {
        pub id: RenderStateId,
        pub version: u16,
        pub pipeline_version: u16,
    }

    /// A call that only names a render state CSO.
    pub struct RenderStateOnly {
        pub id: RenderStateId,
    }

    /// One attribute's format (GL 4.6 §10.3): resolved, whichever model set it.
    pub struct VertexAttrib {
        /// GL_FLOAT and the like.
        pub ty: u16,
        /// Components, 1 to 4.
        pub components: u8,
        /// 1: components arrive in BGRA order (glVertexAttribPointer with size GL_BGRA).
        pub bgra: u8,
        pub normalized: u8,
        /// 1: glVertexAttribIFormat, read as integers.
        pub integer: u8,
        /// 1: glVertexAttribLFormat, read as doubles. Not implied by `ty`.
        pub long: u8,
        /// Index of the vertex buffer binding point.
        pub binding: u8,
        pub relative_offset_bytes: u32,
        /// 1: the array is enabled; else the current attribute value is read.
        pub enabled: u32,
    }

    /// One binding point. Stride 0 here means that every vertex reads the same element: a pointer call's 0 was resolved
    /// to the element size before (GL 4.6 §10.3.2).
    pub struct VertexBinding {
        pub stride_bytes: u32,
        pub divisor: u32,
    }

    /// A vertex elements CSO: attributes and binding points, both views.
    pub struct VertexElementsDesc {
        pub id: VertexElementsId,
        pub attribs: [VertexAttrib; MAX_VERTEX_ATTRIBS],
        pub bindings: [VertexBinding; MAX_VERTEX_ATTRIBS],
    }

    /// A call that only names a vertex elements CSO.
    pub struct VertexElementsOnly {
        pub id: VertexElementsId,
    }

    /// Sampler parameters (GL 4.6 §8.2, table 23.18), GL's own values.
    pub struct SamplerDesc {
        pub id: SamplerId,
        pub wrap_s: u16,
        pub wrap_t: u16,
        pub wrap_r: u16,
        pub min_filter: u16,
        pub mag_filter: u16,
        pub compare_mode: u16,
        pub compare_func: u16,
        /// 1: cube map seams are filtered across (ARB_seamless_cubemap_per_texture).
        pub seamless: u16,
        pub min_lod: f32,
        pub max_lod: f32,
        pub lod_bias: f32,
        pub max_anisotropy: f32,
        /// Bits of float, i32 or u32 as `border_form` says.
        pub border_color: [u32; 4],
        /// Which call set the border colour: 0 float (normalised), 1 signed integer, 2 unsigned integer.
        pub border_form: u32,
        pub _pad: u32,
    }

    /// A call that only names a sampler CSO.
    pub struct SamplerOnly {
        pub id: SamplerId,
    }

    /// A sampler view: view limits only; swizzle and levels belong to the texture ([`super::TextureParams`]).
    pub struct SamplerViewDesc {
        pub id: SamplerViewId,
        pub texture: TextureId,
        /// Aliased format of a texture view; the texture's own otherwise.
        pub format: Format,
        pub target: super::Target,
        pub _pad0: u8,
        pub min_level: u16,
        pub levels: u16,
        pub min_layer: u16,
        pub layers: u16,
        pub _pad1: u32,
    }

    /// A call that only names a sampler view CSO.
    pub struct SamplerViewOnly {
        pub id: SamplerViewId,
    }

    /// A linked program: the blob is its archive ([`crate::program`]), SPIR-V of every stage and the reflection. Never source.
    /// Drivers' objects are made at the verb that first uses it, from the state told by then.
    pub struct ShaderDesc {
        pub id: ShaderId,
        /// [`crate::program`] stage bits.
        pub stages: u32,
        /// Size of the default uniform block in bytes.
        pub global_constants_bytes: u32,
        /// [`ShaderFlags`] bits.
        pub flags: u32,
        pub name_for_diagnostics: u32,
    }

    /// A call that only names a program.
    pub struct ShaderOnly {
        pub id: ShaderId,
    }
}

bitflags::bitflags! {
    /// Facts about a program that its archive does not hold.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ShaderFlags: u32 {
        /// Made of a program pipeline's stages: its handle comes from the reserved range.
        const COMPOSITE = 1 << 0;
    }
}
