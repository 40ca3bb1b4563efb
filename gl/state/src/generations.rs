//! Aggregate generations: one compare says whether any object of a family moved. They only ever grow.

/// About objects that contexts share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectGenerations {
    /// Any texture's storage or texels.
    pub any_texture_content: u64,
    /// Any texture's parameters or any sampler object's.
    pub any_texture_params: u64,
    /// Any buffer's storage or bytes.
    pub any_buffer_change: u64,
    /// Any renderbuffer's storage.
    pub any_renderbuffer_change: u64,
    /// Which buffers are mapped, and how.
    pub mappings: u64,
    /// Any program's link, units, binding points or default uniforms.
    pub any_program_change: u64,
}

impl Default for ObjectGenerations {
    fn default() -> Self {
        Self {
            any_texture_content: 1,
            any_texture_params: 1,
            any_buffer_change: 1,
            any_renderbuffer_change: 1,
            mappings: 1,
            any_program_change: 1,
        }
    }
}

/// About objects and bindings of one context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextGenerations {
    /// Any vertex array's attributes or binding points, or which array is bound.
    pub any_vao_attribute: u64,
    /// The bound vertex array's element array buffer, or which array is bound.
    pub index_buffer: u64,
    /// Any framebuffer's attachments, draw or read buffers, or which are bound.
    pub any_framebuffer_attachment: u64,
    /// Which texture or sampler any unit has.
    pub texture_bindings: u64,
    /// Which image any image unit has.
    pub image_bindings: u64,
    /// Which range any indexed buffer binding has.
    pub buffer_bindings: u64,
    /// Indirect, dispatch and parameter buffers.
    pub indirect_bindings: u64,
    /// Transform feedback object and its ranges.
    pub stream_output: u64,
    /// Which program is in use.
    pub program: u64,
    /// Any current attribute value.
    pub attrib_defaults: u64,
    /// Pack parameters.
    pub pixel_pack: u64,
    /// Patch parameters.
    pub patch: u64,
}

impl Default for ContextGenerations {
    fn default() -> Self {
        Self {
            any_vao_attribute: 1,
            index_buffer: 1,
            any_framebuffer_attachment: 1,
            texture_bindings: 1,
            image_bindings: 1,
            buffer_bindings: 1,
            indirect_bindings: 1,
            stream_output: 1,
            program: 1,
            attrib_defaults: 1,
            pixel_pack: 1,
            patch: 1,
        }
    }
}
