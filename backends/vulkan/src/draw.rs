//! Draws. The steady path compares one key and records; what moved is made anew piece by piece. State is read from what was told and
//! from nowhere else.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::blank::Reach;
use crate::commands::Access;
use crate::indices;
use crate::pipelines::{self, PipelineKey};
use crate::uploads::Slice;
use crate::vertex::{self, Source, VertexLayout};
use ash::vk;
use pipe::render_state::pipeline_subset_hash;
use pipe::{
    BufferId, DrawFlags, DrawIndirect, DrawInfo, DrawRange, Host, HostSpan, MAX_VERTEX_ATTRIBS,
    Primitive, RenderStateId, ShaderId, Submit,
};
use pipe_inputs::{GROUPS, Group, Told};
use smallvec::SmallVec;

/// All that a draw depends on but its ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DrawKey {
    context: usize,
    generations: [u64; GROUPS.len()],
    world: u64,
    motion: u64,
    shader: ShaderId,
    bindings: u64,
    constants: u64,
    mode: Primitive,
    restart: bool,
}

/// What is bound in the command buffer being recorded.
#[derive(Debug, Default)]
pub struct Bound {
    pub pipeline: vk::Pipeline,
    /// Set and dynamic offset, with the layout they were bound for.
    pub(crate) set: Option<(vk::PipelineLayout, vk::DescriptorSet, u32)>,
    /// What the dynamic state was recorded from.
    dynamic: Option<(usize, u64, u64, u32)>,
    vertex: SmallVec<[(vk::Buffer, u64); 8]>,
    index: Option<(vk::Buffer, u64, vk::IndexType)>,
    constants: Option<(ShaderId, u64, Slice)>,
    defaults: Option<(usize, u64, Slice)>,
    /// What the set was written from.
    pub(crate) set_from: Option<SetKey>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SetKey {
    context: usize,
    groups: [u64; 6],
    world: u64,
    shader: ShaderId,
    bindings: u64,
    constants: vk::Buffer,
}

/// Groups that a draw's descriptor set depends on.
const SET_GROUPS: [Group; 6] = [
    Group::sampler_views,
    Group::sampler_states,
    Group::shader_images,
    Group::uniform_buffers,
    Group::storage_buffers,
    Group::atomic_buffers,
];

/// Memory of the last draw.
#[derive(Debug, Default)]
pub struct DrawMemo {
    pub(crate) key: Option<DrawKey>,
    /// What the pipeline was found by.
    pipeline_from: Option<PipelineFrom>,
    pipeline: vk::Pipeline,
    layout: vk::PipelineLayout,
    viewports: u32,
    vertex: VertexLayout,
    /// Buffers of the vertex and index input.
    pub(crate) inputs: Vec<(BufferId, Access)>,
    state_hash: Option<(RenderStateId, u64)>,
    vertex_from: Option<(pipe::VertexElementsId, ShaderId, u64)>,
}

/// What a draw's buffers were resolved to, for the command buffer that is being recorded.
struct Prepared {
    constants: Option<Slice>,
    vertex: SmallVec<[(vk::Buffer, u64); 8]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PipelineFrom {
    context: usize,
    render_state: u64,
    vertex_elements: u64,
    patch: u64,
    shader: ShaderId,
    world: u64,
    target: u64,
    mode: Primitive,
    restart: bool,
}

impl VulkanBackend {
    pub(crate) fn draw(
        &mut self,
        told: Told<'_>,
        p: &DrawInfo,
        ranges: &[DrawRange],
        indirect: &[DrawIndirect],
        user_indices: &[HostSpan],
        host: Host<'_>,
    ) -> Submit {
        let shader = told.inputs.draw_program();
        let Some(program) = told.objects.shaders.get(shader) else {
            // Without a program the results are undefined (GL 4.6 core §7.3): nothing is drawn.
            return Submit::Done;
        };
        let restart = indices::pipeline_restart(&self.gpu.features, p);
        let mut key = DrawKey {
            context: std::ptr::from_ref(told.inputs) as usize,
            generations: *told.inputs.generations(),
            world: self.world,
            motion: self.motion,
            shader,
            bindings: program.bindings_version,
            constants: program.constants_version,
            mode: p.mode,
            restart,
        };
        let flags = DrawFlags::from_bits_truncate(p.flags);
        let cb = if self.draw.key == Some(key)
            && self.commands.in_pass()
            && self.target.open == self.target.number
            && !flags.contains(DrawFlags::USER_VERTICES)
        {
            self.recording()
        } else {
            let prepared = self.prepare(told, p, restart, host);
            key.world = self.world;
            key.motion = self.motion;
            self.draw.key = prepared.is_some().then_some(key);
            prepared
        };
        let Some(cb) = cb else {
            self.report_lost("a draw");
            return Submit::Done;
        };
        if flags.contains(DrawFlags::INDIRECT) {
            self.draw_indirect(told, cb, p, indirect);
        } else if indices::needs_rewrite(&self.gpu.features, p) {
            self.draw_rewritten(told, p, ranges, user_indices, host);
        } else {
            self.draw_direct(told, cb, p, ranges, user_indices, host);
        }
        Submit::Done
    }

    /// Everything before the draw command: target, constants, set, pipeline, buffers, order, pass.
    fn prepare(
        &mut self,
        told: Told<'_>,
        p: &DrawInfo,
        restart: bool,
        host: Host<'_>,
    ) -> Option<vk::CommandBuffer> {
        // Converting an array may read it back, which submits: what was staged and bound before that is gone, so all is done once more.
        // What was converted is kept, so each turn needs one array less.
        for _ in 0..=MAX_VERTEX_ATTRIBS {
            // A fresh command buffer forgets what was bound: begin it before deciding what still is.
            self.recording()?;
            let serial = self.commands.serial();
            let prepared = self.resolve_draw(told, p, restart, host)?;
            if self.commands.serial() == serial {
                return self.enter_pass(told, prepared);
            }
        }
        None
    }

    /// What the draw reads and is drawn with.
    fn resolve_draw(
        &mut self,
        told: Told<'_>,
        p: &DrawInfo,
        restart: bool,
        host: Host<'_>,
    ) -> Option<Prepared> {
        let shader = told.inputs.draw_program();
        self.ensure_target(told);
        let constants = self.ensure_constants(told, shader)?;
        self.ensure_set(told, shader, constants)?;
        // Making a set may have moved an image to GENERAL: attachments are resolved by layout at the pass only.
        self.ensure_target(told);
        self.ensure_pipeline(told, p, restart)?;
        let vertex = self.vertex_buffers(told, host)?;
        Some(Prepared { constants, vertex })
    }

    /// Order, pass and state of a draw.
    fn enter_pass(&mut self, told: Told<'_>, prepared: Prepared) -> Option<vk::CommandBuffer> {
        let Prepared { constants, vertex } = prepared;
        let changes_pipeline = self.bound.pipeline != self.draw.pipeline;
        let mut inputs = std::mem::take(&mut self.draw.inputs);
        self.prepare_capture(told, changes_pipeline, &mut inputs)?;
        self.draw.inputs = inputs;
        self.order_uses()?;
        let cb = self.ensure_pass(None)?;
        self.record_state(told, cb, constants, &vertex);
        self.begin_capture(told, cb);
        Some(cb)
    }

    /// The default block's bytes in the stream ring.
    pub(crate) fn ensure_constants(
        &mut self,
        told: Told<'_>,
        shader: ShaderId,
    ) -> Option<Option<Slice>> {
        let program = self.programs.get(shader)?;
        if !program.has_constants {
            return Some(None);
        }
        let size = program.artifact.default_block_size.max(1) as usize;
        let inputs = told.objects.shaders.get(shader)?;
        if let Some((of, version, slice)) = self.bound.constants
            && of == shader
            && version == inputs.constants_version
        {
            return Some(Some(slice));
        }
        let align = self
            .gpu
            .limits()
            .min_uniform_buffer_offset_alignment
            .max(16);
        let slice = self.stage_with(size as u64, align, |out| {
            let n = out.len().min(inputs.constants.len());
            out[..n].copy_from_slice(&inputs.constants[..n]);
            out[n..].fill(0);
        })?;
        self.bound.constants = Some((shader, inputs.constants_version, slice));
        Some(Some(slice))
    }

    /// The descriptor set, written where something behind it moved.
    pub(crate) fn ensure_set(
        &mut self,
        told: Told<'_>,
        shader: ShaderId,
        constants: Option<Slice>,
    ) -> Option<()> {
        let inputs = told.objects.shaders.get(shader)?;
        let program = self.programs.get_mut(shader)?;
        program.resolve_slots(&inputs.bindings, inputs.bindings_version);
        let layout = program.layout;
        let key = |world| SetKey {
            context: std::ptr::from_ref(told.inputs) as usize,
            groups: SET_GROUPS.map(|g| told.inputs.generation(g)),
            world,
            shader,
            bindings: inputs.bindings_version,
            constants: constants.map_or(vk::Buffer::null(), |c| c.buffer),
        };
        if self.bound.set_from == Some(key(self.world)) {
            return Some(());
        }
        // A second round where the first found an image that is used in two ways at once.
        for _ in 0..3 {
            let world = self.world;
            let set = self.write_set(told, shader, constants)?;
            self.bound.set = Some((layout, set, !0));
            self.mark_feedback();
            if self.world == world {
                break;
            }
        }
        self.bound.set_from = Some(key(self.world));
        Some(())
    }

    /// Images that are sampled while attached go to layout GENERAL.
    fn mark_feedback(&mut self) {
        let t = &self.target.target;
        let attached: SmallVec<[_; 10]> = t
            .colors
            .iter()
            .chain([&t.depth, &t.stencil])
            .flatten()
            .map(|a| a.image)
            .collect();
        for (key, _, _) in &self.uses.images {
            if attached.contains(key)
                && let Some(image) = self.images.get_mut(*key)
                && !image.general
            {
                image.general = true;
                self.world += 1;
            }
        }
    }

    fn ensure_pipeline(&mut self, told: Told<'_>, p: &DrawInfo, restart: bool) -> Option<()> {
        let inputs = told.inputs;
        let shader = inputs.draw_program();
        let from = PipelineFrom {
            context: std::ptr::from_ref(inputs) as usize,
            render_state: inputs.generation(Group::render_state),
            vertex_elements: inputs.generation(Group::vertex_elements),
            patch: inputs.generation(Group::patch_state),
            shader,
            world: self.world,
            target: self.target.number,
            mode: p.mode,
            restart,
        };
        if self.draw.pipeline_from == Some(from) {
            return Some(());
        }
        let state = inputs.render_state();
        let id = inputs.render_state_id();
        let hash = match self.draw.state_hash {
            Some((of, hash)) if of == id && !id.is_null() => hash,
            _ => pipeline_subset_hash(state),
        };
        self.draw.state_hash = Some((id, hash));
        let program = self.programs.get(shader)?;
        let vertex_from = (inputs.vertex_elements(), shader, program.number);
        if self.draw.vertex_from != Some(vertex_from) {
            let elements = told.objects.vertex_elements.get(inputs.vertex_elements());
            self.draw.vertex = vertex::layout(&self.gpu, &program.artifact, elements);
            self.draw.vertex_from = Some(vertex_from);
            let unsupported = self.draw.vertex.unsupported;
            if unsupported != 0 {
                self.fail(&format!(
                    "vertex attribute formats of locations {unsupported:#x} on this device"
                ));
            }
        }
        let program = self.programs.get(shader)?;
        // Polygons whose vertices are drawn as points have their size (GL 4.6 core §14.6.4).
        const GL_POINTS: u32 = 0;
        let emitted = program.artifact.geometry.map(|geometry| geometry.output);
        let points = p.mode == Primitive::Points
            || emitted == Some(GL_POINTS)
            || state.raster.polygon_mode_front == pipelines::POLYGON_POINTS;
        let sizes = self.gpu.limits().point_size_range;
        let point_size = state.primitive.point_size.clamp(sizes[0], sizes[1]);
        let key = PipelineKey {
            program: program.number,
            state: hash,
            vertex: self.draw.vertex.clone(),
            formats: self.target.target.formats,
            topology: p.mode,
            restart,
            sample_mask: pipelines::sample_mask(state, self.target.target.formats.samples.as_raw()),
            patch_vertices: if p.mode == Primitive::Patches {
                inputs.patch().vertices
            } else {
                0
            },
            point_size: if points {
                point_size.to_bits()
            } else {
                1.0_f32.to_bits()
            },
        };
        self.draw.layout = program.layout;
        let indexed = program.artifact.flags.writes_viewport_index;
        self.draw.viewports = self.viewport_count(indexed);
        self.draw.pipeline = self.pipeline(key, shader, state)?;
        self.draw.pipeline_from = Some(from);
        Some(())
    }

    /// Buffers of the pipeline's bindings, in order. Client arrays and current values are uploaded here.
    fn vertex_buffers(
        &mut self,
        told: Told<'_>,
        host: Host<'_>,
    ) -> Option<SmallVec<[(vk::Buffer, u64); 8]>> {
        let mut out = SmallVec::new();
        let mut uses = std::mem::take(&mut self.draw.inputs);
        uses.clear();
        let layout = std::mem::take(&mut self.draw.vertex);
        for binding in &layout.bindings {
            let found = match binding.source {
                Source::Defaults => self.attrib_defaults(told),
                Source::Converted(location) => self.converted(told, host, location),
                Source::Binding(slot) => {
                    let bound = &told.inputs.vertex_buffers()[usize::from(slot)];
                    if let Some(buffer) = self.buffers.get(bound.buffer) {
                        uses.push((bound.buffer, Access::Read));
                        Some(Slice {
                            buffer: buffer.raw.buffer,
                            offset_bytes: bound
                                .offset_bytes
                                .min(buffer.raw.size_bytes.saturating_sub(1)),
                        })
                    } else if let Some(bytes) = host.0.bytes(&bound.user) {
                        self.stage(bytes, 16)
                    } else {
                        self.dummy_buffer().map(|buffer| Slice {
                            buffer,
                            offset_bytes: 0,
                        })
                    }
                }
            };
            if let Some(slice) = found {
                out.push((slice.buffer, slice.offset_bytes));
            }
        }
        let complete = out.len() == layout.bindings.len();
        self.draw.vertex = layout;
        let index = told.inputs.index_buffer();
        if !index.is_null() {
            uses.push((index, Access::Read));
        }
        let indirect = told.inputs.indirect_buffers();
        for id in [indirect.draw, indirect.parameter] {
            if !id.is_null() {
                uses.push((id, Access::Read));
            }
        }
        self.draw.inputs = uses;
        complete.then_some(out)
    }

    /// The current attribute values, sixteen bytes per location.
    fn attrib_defaults(&mut self, told: Told<'_>) -> Option<Slice> {
        let context = std::ptr::from_ref(told.inputs) as usize;
        let generation = told.inputs.generation(Group::attrib_defaults);
        if let Some((of, at, slice)) = self.bound.defaults
            && (of, at) == (context, generation)
        {
            return Some(slice);
        }
        let values = told.inputs.attrib_defaults();
        let slice = self.stage_with(16 * values.len() as u64, 16, |out| {
            for (out, value) in out.chunks_exact_mut(16).zip(values) {
                for (out, bits) in out.chunks_exact_mut(4).zip(value.bits) {
                    out.copy_from_slice(&bits.to_ne_bytes());
                }
            }
        })?;
        self.bound.defaults = Some((context, generation, slice));
        Some(slice)
    }

    /// Orders the draw after conflicting work: ends the pass where a barrier or another layout is needed.
    pub(crate) fn order_uses(&mut self) -> Option<()> {
        let version = self.next_version();
        let number = self.target.number;
        let serial = self.commands.serial();
        let images = std::mem::take(&mut self.uses.images);
        let set_buffers = std::mem::take(&mut self.uses.buffers);
        let inputs = std::mem::take(&mut self.draw.inputs);
        for (id, _) in set_buffers.iter().chain(&inputs) {
            self.make_zero_bytes(*id);
        }
        let open = self.commands.in_pass() && self.target.open == number;
        let image_conflicts = images.iter().any(|(key, layout, access)| {
            self.images.get(*key).is_some_and(|i| {
                let attached = open && i.attached_in == number && i.general;
                i.layout != *layout || (!attached && self.commands.conflicts(&i.hazard, *access))
            })
        });
        let buffers = || set_buffers.iter().chain(&inputs);
        let buffer_conflicts = buffers().any(|(id, access)| {
            self.buffers
                .get(*id)
                .is_some_and(|b| self.commands.conflicts(&b.hazard, *access))
        });
        let mut done = Some(());
        if image_conflicts || buffer_conflicts {
            done = self.outside().map(|_| ());
            if buffer_conflicts {
                self.commands.full_barrier(&mut self.gpu);
            }
            for (key, layout, access) in &images {
                // Views made their zeros when the set was written.
                self.use_image(*key, *layout, *access, Reach::Settled);
            }
        }
        for (key, _, access) in &images {
            if let Some(image) = self.images.get_mut(*key) {
                image.last_use = serial;
                self.commands.note(&mut image.hazard, *access);
            }
        }
        for (id, access) in buffers() {
            if let Some(buffer) = self.buffers.get_mut(*id) {
                buffer.last_use = serial;
                self.commands.note(&mut buffer.hazard, *access);
                if *access != Access::Read {
                    buffer.last_write = serial;
                    buffer.content_version = version;
                }
            }
        }
        self.uses.images = images;
        self.uses.buffers = set_buffers;
        self.draw.inputs = inputs;
        done
    }

    /// Records what is not yet bound.
    fn record_state(
        &mut self,
        told: Told<'_>,
        cb: vk::CommandBuffer,
        constants: Option<Slice>,
        vertex: &SmallVec<[(vk::Buffer, u64); 8]>,
    ) {
        if self.bound.pipeline != self.draw.pipeline {
            self.bound.pipeline = self.draw.pipeline;
            // SAFETY: rules 1 and 2.
            unsafe {
                self.gpu.device.cmd_bind_pipeline(
                    cb,
                    vk::PipelineBindPoint::GRAPHICS,
                    self.draw.pipeline,
                );
            }
        }
        let dynamic = (
            std::ptr::from_ref(told.inputs) as usize,
            told.inputs.generation(Group::render_state),
            self.target.number,
            self.draw.viewports,
        );
        if self.bound.dynamic != Some(dynamic) {
            self.bound.dynamic = Some(dynamic);
            self.record_dynamic(cb, told.inputs.render_state(), self.draw.viewports);
        }
        let offset = constants.map_or(0, |c| c.offset_bytes as u32);
        if let Some((layout, set, bound_offset)) = &mut self.bound.set
            && (*bound_offset != offset || *layout != self.draw.layout)
        {
            *bound_offset = offset;
            *layout = self.draw.layout;
            let offsets = [offset];
            let offsets = if constants.is_some() {
                &offsets[..]
            } else {
                &[]
            };
            // SAFETY: rules 1 and 2; the set was allocated with the layout's own set layout.
            unsafe {
                self.gpu.device.cmd_bind_descriptor_sets(
                    cb,
                    vk::PipelineBindPoint::GRAPHICS,
                    self.draw.layout,
                    0,
                    &[*set],
                    offsets,
                );
            }
        }
        if self.bound.vertex != *vertex && !vertex.is_empty() {
            self.bound.vertex.clone_from(vertex);
            let buffers: SmallVec<[vk::Buffer; 8]> = vertex.iter().map(|(b, _)| *b).collect();
            let offsets: SmallVec<[u64; 8]> = vertex.iter().map(|(_, o)| *o).collect();
            // SAFETY: rules 1 and 2.
            unsafe {
                self.gpu
                    .device
                    .cmd_bind_vertex_buffers(cb, 0, &buffers, &offsets);
            }
        }
    }

    pub(crate) fn bind_index(
        &mut self,
        cb: vk::CommandBuffer,
        buffer: vk::Buffer,
        offset: u64,
        ty: vk::IndexType,
    ) {
        if self.bound.index == Some((buffer, offset, ty)) {
            return;
        }
        self.bound.index = Some((buffer, offset, ty));
        // SAFETY: rules 1 and 2.
        unsafe {
            self.gpu
                .device
                .cmd_bind_index_buffer(cb, buffer, offset, ty);
        }
    }

    fn draw_direct(
        &mut self,
        told: Told<'_>,
        cb: vk::CommandBuffer,
        p: &DrawInfo,
        ranges: &[DrawRange],
        user_indices: &[HostSpan],
        host: Host<'_>,
    ) {
        let all = std::iter::once(&p.first).chain(ranges);
        if p.index_size == 0 {
            for range in all {
                // SAFETY: rules 1 and 2; pipeline, set and vertex buffers are bound.
                unsafe {
                    self.gpu.device.cmd_draw(
                        cb,
                        range.count,
                        p.instance_count,
                        range.start as u32,
                        p.start_instance,
                    );
                }
            }
            return;
        }
        let size = u64::from(p.index_size);
        let ty = index_type(p.index_size);
        let user = DrawFlags::from_bits_truncate(p.flags).contains(DrawFlags::USER_INDICES);
        for (i, range) in all.enumerate() {
            let first_index = if user {
                let span = user_indices.get(i).or(user_indices.first());
                let Some(bytes) = span.and_then(|span| host.0.bytes(span)) else {
                    continue;
                };
                // One span for each range, or one for all with `start` counted in it.
                let skip = if user_indices.len() > i || range.start as usize > bytes.len() {
                    0
                } else {
                    range.start as usize
                };
                let Some(slice) = self.stage(&bytes[skip..], 4) else {
                    continue;
                };
                self.bind_index(cb, slice.buffer, slice.offset_bytes, ty);
                0
            } else {
                let Some(buffer) = self.buffers.get(told.inputs.index_buffer()) else {
                    continue;
                };
                let buffer = buffer.raw.buffer;
                self.bind_index(cb, buffer, range.start % size, ty);
                range.start / size
            };
            // SAFETY: rules 1 and 2; robustBufferAccess bounds what the index buffer lacks.
            unsafe {
                self.gpu.device.cmd_draw_indexed(
                    cb,
                    range.count,
                    p.instance_count,
                    first_index as u32,
                    range.index_bias,
                    p.start_instance,
                );
            }
        }
    }

    fn draw_rewritten(
        &mut self,
        told: Told<'_>,
        p: &DrawInfo,
        ranges: &[DrawRange],
        user_indices: &[HostSpan],
        host: Host<'_>,
    ) {
        let patch = if p.mode == Primitive::Patches {
            told.inputs.patch().vertices
        } else {
            0
        };
        let user = DrawFlags::from_bits_truncate(p.flags).contains(DrawFlags::USER_INDICES);
        let restart = indices::pipeline_restart(&self.gpu.features, p);
        for (i, range) in std::iter::once(&p.first).chain(ranges).enumerate() {
            let span = user_indices.get(i).or(user_indices.first());
            let bytes = if user {
                span.and_then(|span| host.0.bytes(span))
            } else {
                None
            };
            let list = self.rewritten(p, range, told.inputs.index_buffer(), bytes, patch);
            if list.is_empty() {
                continue;
            }
            // Reading index bytes back may have ended pass and command buffer.
            let cb = if self.commands.in_pass() && self.target.open == self.target.number {
                self.recording()
            } else {
                self.prepare(told, p, restart, host)
            };
            let Some(cb) = cb else { return };
            let slice = self.stage_with(list.len() as u64 * 4, 4, |out| {
                for (out, index) in out.chunks_exact_mut(4).zip(&list) {
                    out.copy_from_slice(&index.to_ne_bytes());
                }
            });
            let Some(slice) = slice else { return };
            self.bind_index(cb, slice.buffer, slice.offset_bytes, vk::IndexType::UINT32);
            // SAFETY: rules 1 and 2.
            unsafe {
                self.gpu.device.cmd_draw_indexed(
                    cb,
                    list.len() as u32,
                    p.instance_count,
                    0,
                    range.index_bias,
                    p.start_instance,
                );
            }
        }
    }
}

/// The Vulkan type of indices of this many bytes.
pub fn index_type(size: u8) -> vk::IndexType {
    match size {
        1 => vk::IndexType::UINT8_EXT,
        2 => vk::IndexType::UINT16,
        _ => vk::IndexType::UINT32,
    }
}
