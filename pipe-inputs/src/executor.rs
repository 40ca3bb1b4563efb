//! The executor: the only writer of [`PipeInputs`]. It folds state calls, checks a verb's mask, then hands the verb to the backend.
//! It knows no driver and no frontend.

use crate::fields::{Group, GroupMask, VerbClass};
use crate::inputs::PipeInputs;
use crate::objects::{Objects, ShaderInputs};
use crate::verbs::{Told, Verbs};
use pipe::*;
use std::borrow::Cow;
use std::sync::Arc;

/// Calls in, a backend out: [`PipeScreen`], [`PipeContext`] and [`PipeSession`] over a [`Verbs`].
#[derive(Debug)]
pub struct Executor<B> {
    backend: B,
    objects: Objects,
    /// By context slot. Index 0 is the state told while no context is bound: never read by a verb that the mask check lets through.
    contexts: Vec<Option<Box<PipeInputs>>>,
    current: usize,
    /// What the backend has current, so that a stream that goes on in the same context costs it nothing.
    bound: (ContextId, SurfaceId, SurfaceId),
    poison: bool,
}

/// No context is current.
const NOT_BOUND: (ContextId, SurfaceId, SurfaceId) =
    (ContextId::NULL, SurfaceId::NULL, SurfaceId::NULL);

/// Looking at what was told, for verification and tests.
pub trait Inspect {
    /// What the current context's executing side has been told.
    fn told(&self) -> Told<'_>;
    /// Turns the check of every read on or off, in every context.
    fn set_poison(&mut self, on: bool);
    /// A negative control: changes one field of a group behind the source's back. `false` if the group has no field to corrupt.
    fn corrupt(&mut self, group: Group) -> bool;
}

impl<B: Verbs> Executor<B> {
    /// Takes over an opened backend.
    pub fn new(backend: B) -> Self {
        Self {
            backend,
            objects: Objects::default(),
            contexts: vec![Some(Box::default())],
            current: 0,
            bound: NOT_BOUND,
            poison: cfg!(debug_assertions),
        }
    }

    /// The backend, for its own tests.
    pub fn backend(&mut self) -> &mut B {
        &mut self.backend
    }

    fn inputs(&mut self) -> &mut PipeInputs {
        self.contexts[self.current]
            .as_deref_mut()
            .expect("bind_context names a created context")
    }

    /// A draw whose arrays in client memory have no end yet: it gets one for this verb, and is drawn.
    #[cold]
    fn draw_open(
        &mut self,
        p: &DrawInfo,
        ranges: &[DrawRange],
        indirect: &[DrawIndirect],
        spans: &[HostSpan],
        host: Host<'_>,
    ) -> Submit {
        let inputs = self.contexts[self.current]
            .as_deref_mut()
            .expect("bind_context names a created context");
        let told = inputs.vertex_buffers;
        let elements = self.objects.vertex_elements.get(inputs.vertex_elements);
        if let Some(elements) = elements {
            let bytes = |n: usize, _: &DrawRange| host.0.bytes(spans.get(n)?).map(Cow::Borrowed);
            let last = client_arrays::last_vertex(p, ranges, bytes);
            for (point, buffer) in inputs.vertex_buffers.iter_mut().enumerate() {
                if buffer.user.size_bytes != HostSpan::OPEN {
                    continue;
                }
                let (attribs, layout) = (&elements.attribs, elements.bindings[point]);
                buffer.user = match client_arrays::bytes_read(attribs, point, layout, p, last) {
                    Some(size_bytes) => HostSpan {
                        size_bytes,
                        ..buffer.user
                    },
                    None => HostSpan::NONE,
                };
            }
            inputs.touch(Group::vertex_buffers);
        }
        let mut draw = *p;
        draw.flags &= !DrawFlags::OPEN_VERTICES.bits();
        let user_indices = match draw.flags & DrawFlags::USER_INDICES.bits() {
            0 => &[],
            _ => spans,
        };
        let outcome = self.draw_vbo(&draw, ranges, indirect, user_indices, host);
        // What was told is still open: the next draw reads as far as it needs.
        let inputs = self.inputs();
        inputs.vertex_buffers = told;
        inputs.touch(Group::vertex_buffers);
        outcome
    }

    /// Checks the mask, opens the verb, runs it.
    #[inline]
    fn verb(
        &mut self,
        call: Call,
        class: VerbClass,
        groups: u32,
        run: impl FnOnce(&mut B, Told<'_>) -> Submit,
    ) -> Submit {
        let inputs = self.contexts[self.current]
            .as_deref_mut()
            .expect("bind_context names a created context");
        let groups = GroupMask(groups);
        inputs.ordinal += 1;
        if !groups.covers(class.required()) {
            let ordinal = inputs.ordinal;
            return refuse(self.backend.events(), call, class, groups, ordinal);
        }
        inputs.validated = groups;
        inputs.verb = call.row().name;
        run(
            &mut self.backend,
            Told {
                inputs,
                objects: &self.objects,
            },
        )
    }
}

#[cold]
fn refuse(
    events: &mut EventQueue,
    call: Call,
    class: VerbClass,
    groups: GroupMask,
    ordinal: u64,
) -> Submit {
    let missing = GroupMask(class.required().0 & !groups.0);
    let group = missing
        .iter()
        .next()
        .map_or("?", |group| crate::fields::GROUPS[group as usize].name);
    let text = crate::fault::missing_group(group, call.row().name, ordinal);
    if crate::fault::is_fatal() {
        eprintln!("MobileGL: {text}");
        std::process::abort();
    }
    // GL_CONTEXT_LOST: in release the context is lost by that name.
    events.push(PipeEvent::GlError {
        code: 0x0507,
        what: text,
    });
    Submit::Done
}

impl<B: Verbs> PipeScreen for Executor<B> {
    fn get_caps(&mut self, _: &Empty) -> Arc<Caps> {
        self.backend.get_caps()
    }

    fn resource_create(&mut self, p: &ResourceDesc) {
        self.objects.describe(p);
        self.backend.resource_create(p);
    }

    fn resource_respecify(&mut self, p: &ResourceDesc) {
        let before = self.objects.resource(p.resource).copied();
        self.objects.describe(p);
        self.backend.resource_respecify(p, before.as_ref());
    }

    fn resource_destroy(&mut self, p: &ResourceOnly) {
        self.objects.forget(p.resource);
        self.backend.resource_destroy(p.resource);
    }

    fn map_persistent(&mut self, p: &MapPersistent) -> bool {
        self.backend.map_persistent(p.buffer)
    }

    fn unmap_persistent(&mut self, p: &MapPersistent) {
        self.backend.unmap_persistent(p.buffer);
    }

    fn fence_create(&mut self, p: &FenceOnly) {
        self.backend.fence_create(p.fence);
    }

    fn fence_status(&mut self, p: &FenceOnly) -> FenceStatus {
        self.backend.fence_status(p.fence)
    }

    fn fence_wait(&mut self, p: &FenceWait) -> FenceStatus {
        self.backend.fence_wait(p.fence, p.timeout_ns)
    }

    fn fence_destroy(&mut self, p: &FenceOnly) {
        self.backend.fence_destroy(p.fence);
    }
}

impl<B: Verbs> PipeContext for Executor<B> {
    fn query_create(&mut self, p: &QueryCreate) {
        self.backend.query_create(p.query, p.target, p.index);
    }

    fn query_begin(&mut self, p: &QueryOnly) {
        let inputs = self.contexts[self.current]
            .as_deref()
            .expect("bind_context names a created context");
        self.backend.query_begin(
            Told {
                inputs,
                objects: &self.objects,
            },
            p.query,
        );
    }

    fn query_end(&mut self, p: &QueryOnly) {
        let inputs = self.contexts[self.current]
            .as_deref()
            .expect("bind_context names a created context");
        self.backend.query_end(
            Told {
                inputs,
                objects: &self.objects,
            },
            p.query,
        );
    }

    fn query_available(&mut self, p: &QueryOnly) -> bool {
        self.backend.query_available(p.query)
    }

    fn query_result(&mut self, p: &QueryOnly) -> u64 {
        self.backend.query_result(p.query)
    }

    fn query_destroy(&mut self, p: &QueryOnly) {
        self.backend.query_destroy(p.query);
    }

    fn create_render_state(&mut self, p: &RenderStateDesc, chunks: &[u8]) {
        let mut state = self
            .objects
            .render_states
            .get(p.base)
            .copied()
            .unwrap_or_default();
        if state.scatter(p.chunk_mask & render_state::PIPELINE_CHUNKS, chunks) {
            self.objects.render_states.insert(p.id, state);
            self.backend.create_render_state(p.id);
        }
    }

    fn bind_render_state(&mut self, p: &BindRenderState) {
        let Some(state) = self.objects.render_states.get(p.id) else {
            return;
        };
        let inputs = self.contexts[self.current]
            .as_deref_mut()
            .expect("bind_context names a created context");
        inputs.render_state.copy_pipeline_from(state);
        inputs.render_state_id = p.id;
        inputs.touch(Group::render_state);
    }

    fn delete_render_state(&mut self, p: &RenderStateOnly) {
        self.objects.render_states.remove(p.id);
        self.backend.delete_render_state(p.id);
    }

    fn create_vertex_elements(&mut self, p: &VertexElementsDesc) {
        self.objects.vertex_elements.insert(p.id, *p);
        self.backend.create_vertex_elements(p);
    }

    fn bind_vertex_elements(&mut self, p: &VertexElementsOnly) {
        let inputs = self.inputs();
        inputs.vertex_elements = p.id;
        inputs.touch(Group::vertex_elements);
    }

    fn delete_vertex_elements(&mut self, p: &VertexElementsOnly) {
        self.objects.vertex_elements.remove(p.id);
        self.backend.delete_vertex_elements(p.id);
    }

    fn create_sampler(&mut self, p: &SamplerDesc) {
        self.objects.samplers.insert(p.id, *p);
        self.backend.create_sampler(p);
    }

    fn delete_sampler(&mut self, p: &SamplerOnly) {
        self.objects.samplers.remove(p.id);
        self.backend.delete_sampler(p.id);
    }

    fn create_sampler_view(&mut self, p: &SamplerViewDesc) {
        self.objects.sampler_views.insert(p.id, *p);
        self.backend.create_sampler_view(p);
    }

    fn delete_sampler_view(&mut self, p: &SamplerViewOnly) {
        self.objects.sampler_views.remove(p.id);
        self.backend.delete_sampler_view(p.id);
    }

    fn create_shader(&mut self, p: &ShaderDesc, archive: &[u8]) {
        self.objects.shaders.insert(
            p.id,
            ShaderInputs {
                desc: *p,
                constants: vec![0; p.global_constants_bytes as usize],
                constants_version: 1,
                bindings: Vec::new(),
                bindings_version: 1,
            },
        );
        self.backend.create_shader(p, archive);
    }

    fn bind_shader(&mut self, _: &ShaderOnly) {
        // A hint: backends specialise at the verb.
    }

    fn delete_shader(&mut self, p: &ShaderOnly) {
        self.objects.shaders.remove(p.id);
        self.backend.delete_shader(p.id);
    }

    fn set_dynamic_state(&mut self, p: &DynamicState, chunks: &[u8]) {
        let inputs = self.inputs();
        if inputs
            .render_state
            .scatter(p.chunk_mask & render_state::DYNAMIC_CHUNKS, chunks)
        {
            inputs.touch(Group::render_state);
        }
    }

    fn set_framebuffer_state(&mut self, p: &FramebufferState) {
        let inputs = self.inputs();
        inputs.framebuffer = *p;
        inputs.touch(Group::framebuffer);
    }

    fn set_vertex_buffers(&mut self, p: &SlotRange, buffers: &[VertexBuffer]) {
        let inputs = self.inputs();
        for (slot, buffer) in (p.start as usize..MAX_VERTEX_ATTRIBS).zip(buffers) {
            inputs.vertex_buffers[slot] = *buffer;
        }
        inputs.touch(Group::vertex_buffers);
    }

    fn set_index_buffer(&mut self, p: &IndexBuffer) {
        let inputs = self.inputs();
        inputs.index_buffer = *p;
        inputs.touch(Group::index_buffer);
    }

    fn set_indirect_buffers(&mut self, p: &IndirectBuffers) {
        let inputs = self.inputs();
        inputs.indirect_buffers = *p;
        inputs.touch(Group::indirect_buffers);
    }

    fn set_sampler_views(&mut self, p: &SlotRange, views: &[BoundView]) {
        let inputs = self.inputs();
        inputs.sampler_views.replace(p.start, views);
        inputs.touch(Group::sampler_views);
    }

    fn bind_sampler_states(&mut self, p: &SlotRange, samplers: &[SamplerOnly]) {
        let inputs = self.inputs();
        for (slot, sampler) in (p.start..).zip(samplers) {
            inputs.sampler_states.replace(slot, &[sampler.id]);
        }
        inputs.touch(Group::sampler_states);
    }

    fn set_shader_images(&mut self, p: &SlotRange, images: &[ImageView]) {
        let inputs = self.inputs();
        inputs.shader_images.replace(p.start, images);
        inputs.touch(Group::shader_images);
    }

    fn set_shader_buffers(&mut self, p: &ShaderBuffers, ranges: &[BufferRange]) {
        let inputs = self.inputs();
        inputs.buffers[p.class as usize].replace(p.start, ranges);
        inputs.touch(match p.class {
            BufferClass::Uniform => Group::uniform_buffers,
            BufferClass::ShaderStorage => Group::storage_buffers,
            BufferClass::AtomicCounter => Group::atomic_buffers,
        });
    }

    fn set_stream_output_targets(&mut self, p: &StreamOutputTargets, ranges: &[BufferRange]) {
        let inputs = self.inputs();
        inputs.stream_output_id = p.id;
        inputs
            .stream_output
            .replace(0, &[crate::inputs::NO_RANGE; MAX_STREAM_OUTPUTS]);
        inputs.stream_output.replace(0, ranges);
        inputs.touch(Group::stream_output);
    }

    fn set_global_constants(&mut self, p: &GlobalConstants, bytes: &[u8]) {
        if let Some(shader) = self.objects.shaders.get_mut(p.shader) {
            let n = bytes.len().min(shader.constants.len());
            shader.constants[..n].copy_from_slice(&bytes[..n]);
            shader.constants_version += 1;
        }
    }

    fn set_vertex_attrib_defaults(&mut self, p: &AttribDefaults, values: &[AttribValue]) {
        let inputs = self.inputs();
        let slots = (0..MAX_VERTEX_ATTRIBS).filter(|slot| p.mask & (1 << slot) != 0);
        for (slot, value) in slots.zip(values) {
            inputs.attrib_defaults[slot] = *value;
        }
        inputs.touch(Group::attrib_defaults);
    }

    fn set_pixel_pack_state(&mut self, p: &PixelPack) {
        let inputs = self.inputs();
        inputs.pack = p.store;
        inputs.touch(Group::pixel_pack);
    }

    fn set_patch_state(&mut self, p: &PatchState) {
        let inputs = self.inputs();
        inputs.patch = *p;
        inputs.touch(Group::patch_state);
    }

    fn set_draw_program(&mut self, p: &ShaderOnly) {
        let inputs = self.inputs();
        inputs.draw_program = p.id;
        inputs.touch(Group::draw_program);
    }

    fn set_dispatch_program(&mut self, p: &ShaderOnly) {
        let inputs = self.inputs();
        inputs.dispatch_program = p.id;
        inputs.touch(Group::dispatch_program);
    }

    fn set_residual_value_state(&mut self, p: &ResidualValueState, block: &[u8]) {
        #[cfg(feature = "residual")]
        crate::residual::fold(self.inputs(), p.rows, block);
        #[cfg(not(feature = "residual"))]
        {
            let _ = block;
            let text = format!(
                "Fatal{{ProtocolCorruption, \"set_residual_value_state\"}}: rows {:#x} in a build without the block",
                p.rows
            );
            self.backend.events().push(PipeEvent::Log {
                level: LogLevel::Error,
                text,
            });
        }
    }

    fn set_texture_params(&mut self, p: &TextureParams) {
        self.objects.texture_params.insert(p.texture, *p);
        self.backend.set_texture_params(p);
    }

    fn resource_subdata(&mut self, p: &SubData, regions: &[SubRegion], bytes: &[u8]) {
        self.backend
            .resource_subdata(&self.objects, p, regions, bytes);
    }

    fn buffer_subdata_resident(&mut self, p: &SubData, bytes: &[u8]) {
        self.backend.buffer_subdata_resident(p, bytes);
    }

    fn resource_flush_range(&mut self, p: &FlushRange, bytes: &[u8]) {
        self.backend.resource_flush_range(p, bytes);
    }

    fn resource_readback(&mut self, p: &Readback, out: ReplyBytes<'_>) -> bool {
        out.0
            .is_some_and(|out| self.backend.resource_readback(p, out))
    }

    fn resource_copy_region(&mut self, p: &CopyRegion) {
        self.backend.resource_copy_region(&self.objects, p);
    }

    fn generate_mipmap(&mut self, p: &GenerateMipmap) -> Submit {
        self.verb(
            Call::generate_mipmap,
            VerbClass::TextureOp,
            p.groups,
            |b, told| b.generate_mipmap(told, p),
        )
    }

    fn get_texture_image(&mut self, p: &GetTextureImage, out: ReplyBytes<'_>) -> Submit {
        self.verb(
            Call::get_texture_image,
            VerbClass::Readback,
            p.groups,
            |b, told| b.get_texture_image(told, p, out.0),
        )
    }

    fn resource_subdata_complete(&mut self, p: &SubDataComplete) {
        self.backend.resource_subdata_complete(p);
    }

    #[inline]
    fn draw_vbo(
        &mut self,
        p: &DrawInfo,
        ranges: &[DrawRange],
        indirect: &[DrawIndirect],
        user_indices: &[HostSpan],
        host: Host<'_>,
    ) -> Submit {
        if p.flags & DrawFlags::OPEN_VERTICES.bits() != 0 {
            return self.draw_open(p, ranges, indirect, user_indices, host);
        }
        self.verb(Call::draw_vbo, VerbClass::Draw, p.groups, |b, told| {
            b.draw_vbo(told, p, ranges, indirect, user_indices, host)
        })
    }

    fn launch_grid(&mut self, p: &GridInfo) -> Submit {
        self.verb(
            Call::launch_grid,
            VerbClass::Dispatch,
            p.groups,
            |b, told| b.launch_grid(told, p),
        )
    }

    fn memory_barrier(&mut self, p: &MemoryBarrier) -> Submit {
        self.verb(
            Call::memory_barrier,
            VerbClass::Flush,
            p.groups,
            |b, told| b.memory_barrier(told, p),
        )
    }

    fn blit(&mut self, p: &Blit) -> Submit {
        self.verb(Call::blit, VerbClass::Blit, p.groups, |b, told| {
            b.blit(told, p)
        })
    }

    fn clear(&mut self, p: &Clear) -> Submit {
        self.verb(Call::clear, VerbClass::Clear, p.groups, |b, told| {
            b.clear(told, p)
        })
    }

    fn read_pixels(&mut self, p: &ReadPixels, out: ReplyBytes<'_>) -> Submit {
        self.verb(
            Call::read_pixels,
            VerbClass::Readback,
            p.groups,
            |b, told| b.read_pixels(told, p, out.0),
        )
    }

    fn begin_stream_output(&mut self, p: &BeginStreamOutput) -> Submit {
        self.verb(
            Call::begin_stream_output,
            VerbClass::StreamOutput,
            p.groups,
            |b, told| b.begin_stream_output(told, p),
        )
    }

    fn end_stream_output(&mut self, p: &EndStreamOutput) -> Submit {
        self.verb(
            Call::end_stream_output,
            VerbClass::StreamOutput,
            p.groups,
            |b, told| b.end_stream_output(told, p),
        )
    }

    fn pause_stream_output(&mut self, p: &VerbOnly) -> Submit {
        self.verb(
            Call::pause_stream_output,
            VerbClass::StreamOutput,
            p.groups,
            |b, told| b.pause_stream_output(told),
        )
    }

    fn resume_stream_output(&mut self, p: &VerbOnly) -> Submit {
        self.verb(
            Call::resume_stream_output,
            VerbClass::StreamOutput,
            p.groups,
            |b, told| b.resume_stream_output(told),
        )
    }

    fn flush(&mut self, p: &Flush) -> Submit {
        self.verb(Call::flush, VerbClass::Flush, p.groups, |b, told| {
            b.flush(told, p)
        })
    }

    fn present(&mut self, p: &Present) -> Submit {
        self.verb(Call::present, VerbClass::Flush, p.groups, |b, told| {
            b.present(told, p)
        })
    }

    fn set_swap_interval(&mut self, p: &SwapInterval) {
        self.backend.set_swap_interval(p.interval);
    }

    fn bind_context(&mut self, p: &BindContext) {
        let want = (p.context, p.draw, p.read);
        if self.bound != want {
            self.bound = want;
            if let Err(error) = self.backend.make_current(p.context, p.draw, p.read) {
                self.bound = NOT_BOUND;
                self.backend.events().push(PipeEvent::GlError {
                    // GL_CONTEXT_LOST.
                    code: 0x0507,
                    what: error.to_string(),
                });
            }
        }
        let slot = p.context.slot() as usize;
        self.current = if self.contexts.get(slot).is_some_and(Option::is_some) {
            slot
        } else {
            0
        };
    }

    fn set_program_bindings(&mut self, p: &ProgramBindings, bindings: &[ProgramBinding]) {
        if let Some(shader) = self.objects.shaders.get_mut(p.shader) {
            shader.bindings.clear();
            shader.bindings.extend_from_slice(bindings);
            shader.bindings_version += 1;
        }
    }
}

impl<B: Verbs> PipeSession for Executor<B> {
    fn create_context(&mut self, context: ContextId) -> Result<(), PipeError> {
        self.backend.create_context(context)?;
        let slot = context.slot() as usize;
        if slot >= self.contexts.len() {
            self.contexts.resize_with(slot + 1, || None);
        }
        let mut inputs = Box::<PipeInputs>::default();
        inputs.poison = self.poison;
        self.contexts[slot] = Some(inputs);
        Ok(())
    }

    fn destroy_context(&mut self, context: ContextId) {
        let slot = context.slot() as usize;
        if self.current == slot {
            self.current = 0;
        }
        if slot != 0 && slot < self.contexts.len() {
            self.contexts[slot] = None;
        }
        if self.bound.0 == context {
            self.bound = NOT_BOUND;
        }
        self.backend.destroy_context(context);
    }

    fn create_surface(&mut self, surface: SurfaceId, desc: &SurfaceDesc) -> Result<(), PipeError> {
        self.backend.create_surface(surface, desc)
    }

    fn resize_surface(
        &mut self,
        surface: SurfaceId,
        width: u32,
        height: u32,
    ) -> Result<(), PipeError> {
        self.backend.resize_surface(surface, width, height)
    }

    fn destroy_surface(&mut self, surface: SurfaceId) {
        self.backend.destroy_surface(surface);
    }

    fn make_current(
        &mut self,
        context: ContextId,
        draw: SurfaceId,
        read: SurfaceId,
    ) -> Result<(), PipeError> {
        // Always: the same context may be current on another thread now.
        self.bound = NOT_BOUND;
        self.backend.make_current(context, draw, read)?;
        self.bound = (context, draw, read);
        self.bind_context(&BindContext {
            context,
            draw,
            read,
        });
        Ok(())
    }

    fn events(&mut self) -> &mut EventQueue {
        self.backend.events()
    }
}

impl<B: Verbs> Inspect for Executor<B> {
    fn told(&self) -> Told<'_> {
        let inputs = self.contexts[self.current]
            .as_deref()
            .expect("bind_context names a created context");
        Told {
            inputs,
            objects: &self.objects,
        }
    }

    fn set_poison(&mut self, on: bool) {
        self.poison = on;
        for inputs in self.contexts.iter_mut().flatten() {
            inputs.poison = on;
        }
    }

    fn corrupt(&mut self, group: Group) -> bool {
        let inputs = self.inputs();
        match group {
            Group::render_state => inputs.render_state.blend.enabled ^= 1,
            Group::pixel_pack => inputs.pack.alignment ^= 8,
            Group::patch_state => inputs.patch.vertices ^= 1,
            Group::attrib_defaults => inputs.attrib_defaults[0].bits[0] ^= 1,
            Group::vertex_elements => inputs.vertex_elements = VertexElementsId::NULL,
            Group::vertex_buffers => inputs.vertex_buffers[0].offset_bytes ^= 4,
            Group::index_buffer => inputs.index_buffer.buffer.0.generation ^= 1,
            Group::indirect_buffers => inputs.indirect_buffers.draw.0.generation ^= 1,
            Group::framebuffer => inputs.framebuffer.width ^= 1,
            Group::sampler_views => inputs.sampler_views.replace(
                0,
                &[BoundView {
                    view: SamplerViewId::NULL,
                    texture: TextureId::new(u32::MAX, 1),
                }],
            ),
            Group::sampler_states => {
                inputs
                    .sampler_states
                    .replace(0, &[SamplerId::new(u32::MAX, 1)]);
            }
            Group::shader_images => {
                let image = ImageView {
                    texture: TextureId::new(u32::MAX, 1),
                    ..crate::inputs::NO_IMAGE
                };
                inputs.shader_images.replace(0, &[image]);
            }
            Group::draw_program => inputs.draw_program = ShaderId::NULL,
            Group::dispatch_program => inputs.dispatch_program = ShaderId::new(u32::MAX, 1),
            Group::uniform_buffers | Group::storage_buffers | Group::atomic_buffers => {
                let range = BufferRange {
                    buffer: BufferId::new(u32::MAX, 1),
                    ..crate::inputs::NO_RANGE
                };
                inputs.buffers[group as usize - Group::uniform_buffers as usize]
                    .replace(0, &[range]);
            }
            Group::stream_output => {
                let range = BufferRange {
                    buffer: BufferId::new(u32::MAX, 1),
                    ..crate::inputs::NO_RANGE
                };
                inputs.stream_output.replace(0, &[range]);
            }
            Group::buffers | Group::textures => return false,
        }
        true
    }
}
