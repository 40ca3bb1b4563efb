//! The catalogue: every call of the interface, once. All else that knows the calls is made from this list.
//!
//! A row: opcode, name, class, flags, wait class, payload, further arguments, result. Opcodes are explicit and
//! append-only: a row is never renumbered, reordered across classes or reused. A call's documentation says its effect, who guarantees
//! what, and the GL calls and gallium call it stems from.
//!
//! Ordering (all calls): everything that a verb needs precedes the verb; besides "create before use" there is no order
//! among `set_*`, `bind_*` and `create_*`. Calls return nothing unless their wait class says so.

/// Passes every row to `$consumer!`. A consumer's pattern is
/// `$( $(#[$doc:meta])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; )*`.
#[macro_export]
macro_rules! pipe_calls {
    ($consumer:ident) => { $crate::pipe_calls! { $consumer () } };
    ($consumer:ident ($($pass:tt)*)) => { $consumer! { $($pass)*
        /// Limits, formats, strings: one snapshot per (re)initialisation. GL: glGet of limits. gallium: `get_param`, `is_format_supported`.
        0 get_caps: Screen [REPLY_SLOT] Reply, Empty() -> std::sync::Arc<Caps>;
        /// Announces a resource. Storage may come later with `resource_respecify`. GL: glGen/glCreate of buffers, textures, renderbuffers. gallium: `resource_create`.
        1 resource_create: Screen [] None, ResourceDesc() -> ();
        /// Gives a resource new storage; its identity stays. Contents become undefined but for levels under KEEP_CONTENT. GL: glBufferData, glTexImage, glTexStorage, glRenderbufferStorage. Answers an ack only for glBufferStorage.
        2 resource_respecify: Screen [NEEDS_ACK] Ack, ResourceDesc() -> ();
        /// The client will not name it again. What still refers to it (views, attachments, a verb in flight) keeps it alive on the executing side. gallium: `resource_destroy`.
        3 resource_destroy: Screen [] None, ResourceOnly() -> ();
        /// Asks for a host pointer that stays coherent. Declined is an answer. Once per storage definition. GL: glMapBufferRange with GL_MAP_PERSISTENT_BIT.
        4 map_persistent: Screen [REPLY_SLOT OPTIONAL] Reply, MapPersistent() -> bool;
        /// Ends `map_persistent`.
        5 unmap_persistent: Screen [OPTIONAL] None, MapPersistent() -> ();
        /// A fence behind all commands so far. GL: glFenceSync. gallium: `flush` with a fence.
        6 fence_create: Screen [] None, FenceOnly() -> ();
        /// Polls. GL: glGetSynciv, glClientWaitSync with timeout 0.
        7 fence_status: Screen [REPLY_SLOT] Reply, FenceOnly() -> FenceStatus;
        /// Waits. GL: glClientWaitSync. gallium: `fence_finish`.
        8 fence_wait: Screen [REPLY_SLOT] Reply, FenceWait() -> FenceStatus;
        /// GL: glDeleteSync.
        9 fence_destroy: Screen [] None, FenceOnly() -> ();

        /// GL: glGenQueries at first use. gallium: `create_query`.
        10 query_create: CtxQuery [] None, QueryCreate() -> ();
        /// GL: glBeginQuery.
        11 query_begin: CtxQuery [] None, QueryOnly() -> ();
        /// GL: glEndQuery, glQueryCounter.
        12 query_end: CtxQuery [] None, QueryOnly() -> ();
        /// GL: GL_QUERY_RESULT_AVAILABLE.
        13 query_available: CtxQuery [REPLY_SLOT] Reply, QueryOnly() -> bool;
        /// Waits for the result. GL: GL_QUERY_RESULT.
        14 query_result: CtxQuery [REPLY_SLOT] Reply, QueryOnly() -> u64;
        /// GL: glDeleteQueries.
        15 query_destroy: CtxQuery [] None, QueryOnly() -> ();

        /// Pipeline chunks of the render state under a new handle. gallium: `create_blend_state`, `create_rasterizer_state`, `create_depth_stencil_alpha_state` in one.
        16 create_render_state: CtxCso [HAS_BLOB] None, RenderStateDesc(chunks: &[u8]) -> ();
        /// Makes its chunks part of the working render state; the dynamic ones stay.
        17 bind_render_state: CtxCso [] None, BindRenderState() -> ();
        /// Evicted by the client.
        18 delete_render_state: CtxCso [] None, RenderStateOnly() -> ();
        /// Attributes and binding points. GL: vertex array state. gallium: `create_vertex_elements_state`.
        19 create_vertex_elements: CtxCso [] None, VertexElementsDesc() -> ();
        /// gallium: `bind_vertex_elements_state`.
        20 bind_vertex_elements: CtxCso [] None, VertexElementsOnly() -> ();
        /// Evicted by the client.
        21 delete_vertex_elements: CtxCso [] None, VertexElementsOnly() -> ();
        /// GL: sampler objects, and textures' own sampler state. gallium: `create_sampler_state`.
        22 create_sampler: CtxCso [] None, SamplerDesc() -> ();
        /// Evicted by the client.
        23 delete_sampler: CtxCso [] None, SamplerOnly() -> ();
        /// View limits of a texture. gallium: `create_sampler_view`.
        24 create_sampler_view: CtxCso [] None, SamplerViewDesc() -> ();
        /// Evicted by the client.
        25 delete_sampler_view: CtxCso [] None, SamplerViewOnly() -> ();
        /// A linked program's archive. GL: glLinkProgram. gallium: `create_vs_state` and the others, all stages at once.
        26 create_shader: CtxCso [HAS_BLOB] None, ShaderDesc(archive: &[u8]) -> ();
        /// Will be drawn with soon: may be specialised ahead. Never required.
        27 bind_shader: CtxCso [OPTIONAL] None, ShaderOnly() -> ();
        /// The program was deleted or linked again.
        28 delete_shader: CtxCso [] None, ShaderOnly() -> ();

        /// Dynamic chunks that changed: viewports, scissors, references, clear values ... gallium: `set_viewport_states`, `set_scissor_states`, `set_blend_color`, `set_stencil_ref`.
        29 set_dynamic_state: CtxState [HAS_BLOB] None, DynamicState(chunks: &[u8]) -> ();
        /// Draw framebuffer and resolved read surfaces. GL: glBindFramebuffer, attachments, glDrawBuffers, glReadBuffer. gallium: `set_framebuffer_state`.
        30 set_framebuffer_state: CtxState [] None, FramebufferState() -> ();
        /// Buffers of a run of binding points. GL: glBindVertexBuffer, glVertexAttribPointer. gallium: `set_vertex_buffers`.
        31 set_vertex_buffers: CtxState [VAR_TAIL HOST_SPAN] None, SlotRange(buffers: &[VertexBuffer]) -> ();
        /// GL: GL_ELEMENT_ARRAY_BUFFER of the vertex array.
        32 set_index_buffer: CtxState [] None, IndexBuffer() -> ();
        /// GL: GL_DRAW_INDIRECT_BUFFER, GL_DISPATCH_INDIRECT_BUFFER, GL_PARAMETER_BUFFER.
        33 set_indirect_buffers: CtxState [] None, IndirectBuffers() -> ();
        /// What each unit's sampler reads; units are merged over stages. Replaces the run. gallium: `set_sampler_views`.
        34 set_sampler_views: CtxState [VAR_TAIL] None, SlotRange(views: &[BoundView]) -> ();
        /// Sampler CSO of each unit of a run. gallium: `bind_sampler_states`.
        35 bind_sampler_states: CtxState [VAR_TAIL] None, SlotRange(samplers: &[SamplerOnly]) -> ();
        /// GL: glBindImageTexture. gallium: `set_shader_images`.
        36 set_shader_images: CtxState [VAR_TAIL] None, SlotRange(images: &[ImageView]) -> ();
        /// GL: glBindBufferBase, glBindBufferRange of one class. gallium: `set_constant_buffer`, `set_shader_buffers`.
        37 set_shader_buffers: CtxState [VAR_TAIL HOST_SPAN] None, ShaderBuffers(ranges: &[BufferRange]) -> ();
        /// GL: GL_TRANSFORM_FEEDBACK_BUFFER ranges of the bound object. gallium: `set_stream_output_targets`.
        38 set_stream_output_targets: CtxState [VAR_TAIL] None, StreamOutputTargets(ranges: &[BufferRange]) -> ();
        /// The default uniform block of a program, whole. GL: glUniform.
        39 set_global_constants: CtxState [HAS_BLOB] None, GlobalConstants(bytes: &[u8]) -> ();
        /// Current attribute values of arrays that are off. GL: glVertexAttrib.
        40 set_vertex_attrib_defaults: CtxState [VAR_TAIL] None, AttribDefaults(values: &[AttribValue]) -> ();
        /// GL: glPixelStore(GL_PACK_*).
        41 set_pixel_pack_state: CtxState [] None, PixelPack() -> ();
        /// GL: glPatchParameter. gallium: `set_patch_vertices`, `set_tess_state`.
        42 set_patch_state: CtxState [] None, PatchState() -> ();
        /// Program of following draws; null: none. GL: glUseProgram, program pipelines (resolved).
        43 set_draw_program: CtxState [] None, ShaderOnly() -> ();
        /// Program of following dispatches.
        44 set_dispatch_program: CtxState [] None, ShaderOnly() -> ();
        /// Temporary third carrier of the value groups.
        45 set_residual_value_state: CtxState [HAS_BLOB] None, ResidualValueState(block: &[u8]) -> ();

        /// Levels, swizzle, depth-stencil mode of a texture. GL: glTexParameter.
        46 set_texture_params: CtxObject [] None, TextureParams() -> ();
        /// Contents: union box and regions, or a byte range. GL: glTexSubImage (at the next verb), glBufferSubData (at once). gallium: `texture_subdata`, `buffer_subdata`.
        47 resource_subdata: CtxObject [HAS_BLOB VAR_TAIL] None, SubData(regions: &[SubRegion], bytes: &[u8]) -> ();
        /// Contents of a buffer whose coherent mapping is live, in order with draws. Only with caps.resident_subdata.
        48 buffer_subdata_resident: CtxObject [HAS_BLOB OPTIONAL] None, SubData(bytes: &[u8]) -> ();
        /// GL: glFlushMappedBufferRange. gallium: `transfer_flush_region`.
        49 resource_flush_range: CtxObject [HAS_BLOB] None, FlushRange(bytes: &[u8]) -> ();
        /// Bytes of a buffer that the GPU may have written. GL: glGetBufferSubData, glMapBuffer for reading.
        50 resource_readback: CtxObject [REPLY_SLOT] Reply, Readback(out: ReplyBytes<'_>) -> bool;
        /// Copies between resources. GL: glCopyBufferSubData, glCopyImageSubData. gallium: `resource_copy_region`.
        51 resource_copy_region: CtxObject [] None, CopyRegion() -> ();
        /// GL: glGenerateMipmap. gallium: `generate_mipmap`.
        52 generate_mipmap: CtxObject [] None, GenerateMipmap() -> Submit;
        /// GL: glGetTexImage.
        53 get_texture_image: CtxObject [REPLY_SLOT] Reply, GetTextureImage(out: ReplyBytes<'_>) -> Submit;
        /// Ends the answer to a texture pull request; may follow no region at all.
        54 resource_subdata_complete: CtxObject [] None, SubDataComplete() -> ();

        /// A draw, or a run of draws that differ in their ranges only. GL: every glDraw*. gallium: `draw_vbo`.
        55 draw_vbo: CtxVerb [VAR_TAIL HOST_SPAN] None, DrawInfo(ranges: &[DrawRange], indirect: &[DrawIndirect], user_indices: &[HostSpan], host: Host<'_>) -> Submit;
        /// GL: glDispatchCompute. gallium: `launch_grid`.
        56 launch_grid: CtxVerb [] None, GridInfo() -> Submit;
        /// GL: glMemoryBarrier. gallium: `memory_barrier`.
        57 memory_barrier: CtxVerb [] None, MemoryBarrier() -> Submit;
        /// GL: glBlitFramebuffer. gallium: `blit`.
        58 blit: CtxVerb [] None, Blit() -> Submit;
        /// GL: glClear, glClearBuffer. gallium: `clear`, `clear_render_target`.
        59 clear: CtxVerb [] None, Clear() -> Submit;
        /// GL: glReadPixels.
        60 read_pixels: CtxVerb [REPLY_SLOT] Reply, ReadPixels(out: ReplyBytes<'_>) -> Submit;
        /// GL: glBeginTransformFeedback.
        61 begin_stream_output: CtxVerb [] None, BeginStreamOutput() -> Submit;
        /// GL: glEndTransformFeedback.
        62 end_stream_output: CtxVerb [] None, EndStreamOutput() -> Submit;
        /// GL: glPauseTransformFeedback.
        63 pause_stream_output: CtxVerb [] None, VerbOnly() -> Submit;
        /// GL: glResumeTransformFeedback.
        64 resume_stream_output: CtxVerb [] None, VerbOnly() -> Submit;
        /// GL: glFlush, glFinish. gallium: `flush`.
        65 flush: CtxVerb [] None, Flush() -> Submit;
        /// One per swap. EGL: eglSwapBuffers. gallium: `flush_frontbuffer`.
        66 present: CtxVerb [] None, Present() -> Submit;
        /// EGL: eglSwapInterval.
        67 set_swap_interval: CtxVerb [OPTIONAL] None, SwapInterval() -> ();

        /// Appended (one stream, several contexts): following context calls belong to this context.
        68 bind_context: CtxState [] None, BindContext() -> ();
        /// Appended (units and binding points move without a link): replaces the table of one program. GL: glUniform1i of samplers, glUniformBlockBinding, glShaderStorageBlockBinding.
        69 set_program_bindings: CtxState [VAR_TAIL] None, ProgramBindings(bindings: &[ProgramBinding]) -> ();
    } };
}

/// What a call addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    Screen,
    CtxQuery,
    CtxCso,
    CtxState,
    CtxObject,
    CtxVerb,
}

/// What the client waits for after sending a call. Under run-ahead: nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wait {
    /// Nothing.
    None,
    /// The reply.
    Reply,
    /// An acknowledgement (storage that may fail: glBufferStorage).
    Ack,
}

bitflags::bitflags! {
    /// Facts about a call's record.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct CallFlags: u8 {
        const NEEDS_ACK = 1 << 0;
        const HAS_BLOB = 1 << 1;
        const VAR_TAIL = 1 << 2;
        const HOST_SPAN = 1 << 3;
        const REPLY_SLOT = 1 << 4;
        /// A backend may lack it; caps say so, and it is not sent then.
        const OPTIONAL = 1 << 5;
    }
}

macro_rules! call_enum {
    ($($(#[doc = $doc:literal])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty;)*) => {
        /// A call's opcode.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Call {
            $($(#[doc = $doc])* $name = $op,)*
        }

        /// One row of the catalogue, for whoever walks it.
        #[derive(Clone, Copy, Debug)]
        pub struct CallRow {
            pub call: Call,
            pub opcode: u16,
            pub name: &'static str,
            pub class: Class,
            pub flags: CallFlags,
            pub wait: Wait,
            pub payload: &'static str,
            pub payload_bytes: usize,
            /// Further arguments as `(name, type)`.
            pub args: &'static [(&'static str, &'static str)],
            pub result: &'static str,
            pub doc: &'static str,
        }

        /// The rows, by opcode.
        pub const CALLS: &[CallRow] = &[$(CallRow {
            call: Call::$name,
            opcode: $op,
            name: stringify!($name),
            class: Class::$class,
            flags: CallFlags::from_bits_retain(0 $(| CallFlags::$flag.bits())*),
            wait: Wait::$wait,
            payload: stringify!($payload),
            payload_bytes: std::mem::size_of::<crate::payload::$payload>(),
            args: &[$((stringify!($arg), stringify!($ty))),*],
            result: stringify!($ret),
            doc: concat!($($doc),*),
        },)*];
    };
}
pipe_calls!(call_enum);

const _: () = {
    let mut i = 0;
    while i < CALLS.len() {
        assert!(
            CALLS[i].opcode as usize == i,
            "opcodes are dense and ascending"
        );
        i += 1;
    }
};

impl Call {
    /// The row of this call.
    pub fn row(self) -> &'static CallRow {
        &CALLS[self as usize]
    }

    /// The call with this opcode.
    pub fn from_opcode(opcode: u16) -> Option<Self> {
        CALLS.get(usize::from(opcode)).map(|row| row.call)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catalogue_has_the_sixty_eight_calls_of_the_plan_by_class_and_two_appended() {
        let count = |class| CALLS[..68].iter().filter(|row| row.class == class).count();
        let counts = [
            count(Class::Screen),
            count(Class::CtxQuery),
            count(Class::CtxCso),
            count(Class::CtxState),
            count(Class::CtxObject),
            count(Class::CtxVerb),
        ];
        assert_eq!(counts, [10, 6, 13, 17, 9, 13]);
        assert_eq!(CALLS.len(), 70);
    }

    #[test]
    fn only_buffer_storage_waits_for_an_acknowledgement() {
        let acks: Vec<_> = CALLS
            .iter()
            .filter(|row| row.wait == Wait::Ack)
            .map(|row| row.name)
            .collect();
        assert_eq!(acks, ["resource_respecify"]);
    }
}
