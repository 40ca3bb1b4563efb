//! Random sequences of state changes and verbs, run through every way of telling: after each verb all that was told is equal to
//! the shadow, and the null backend found no contract broken. A generation that a mutator forgets to move shrinks to the
//! shortest list of calls that shows it.
//!
//! Two contexts share the objects of one session, and bitmaps change between verbs, as they may at a frame boundary.

use gl_state::buffer::Buffer;
use gl_state::buffer_bindings::{BufferTarget, IndexedBinding, IndexedTarget};
use gl_state::client_bytes::ClientBytes;
use gl_state::context::ContextAttribs;
use gl_state::executable::UniformData;
use gl_state::framebuffer::{AttachmentPoint, Drawable, FramebufferBinding, Image, Renderbuffer};
use gl_state::program::{LinkOutcome, ProgramId, ShaderOrProgram};
use gl_state::sampler::{Sampler, SamplerChange, SamplerObjectId};
use gl_state::texture::LevelImage;
use gl_state::texture_images::TextureChange;
use gl_state::uniform_type::Scalar;
use gl_state::{Context, Emission, Objects, Profile, ShareGroup, View};
use pipe::program::{
    ProgramArtifact, ResourceKind, SamplerSlot, Stage, StageMask, Uniform, UniformStorage,
};
use pipe::{
    AttribValue, BindContext, Box3, BufferClass, BufferId, ContextId, Format, HostSpan, PatchState,
    PipeContext, PipeEvent, PipeSession, RenderbufferId, SurfaceId, Target, TextureId,
    VertexBinding,
};
use pipe_inputs::{Executor, GROUPS, Group, GroupMask, Inspect, VerbClass};
use proptest::prelude::*;
use std::sync::Arc;
use tracker::Stage as TrackerStage;
use verify::Recorder;

const RESIDUAL: u64 = 1 << 62;
const NO_CSO_ADDRESSING: u64 = 1 << 63;
const ALL: u64 = 0x5fff;

/// One call of the application. Numbers choose among what exists.
#[derive(Clone, Debug)]
enum Op {
    Blend(u32),
    LineWidth(u8),
    Viewport(u8),
    Pack(u8),
    Patch(u8),
    CurrentValue(u8, u32),
    CreateArray,
    BindArray(u8),
    DeleteArray(u8),
    Enable(u8, bool),
    Attrib(u8, u8, u8),
    Layout(u8, u8),
    VertexBuffer(u8, u8, u8),
    IndexBuffer(u8),
    ClientSpan(u8, u16),
    CreateBuffer,
    Storage(u8, u8),
    Write(u8, u8),
    DeleteBuffer(u8),
    Bind(u8, u8),
    BindIndexed(u8, u8, u8, bool),
    CreateRenderbuffer,
    RenderbufferStorage(u8, u8),
    CreateFramebuffer,
    BindFramebuffer(u8, u8),
    Attach(u8, u8),
    DrawBuffers(u8),
    ReadBuffer(bool),
    ResizeDrawable(u8),
    Link(u8),
    Use(u8),
    Uniform(u8, u32),
    Units(u8, u8),
    CreateTexture,
    BindTexture(u8, u8),
    TexImage(u8, u8, u8),
    TexRegion(u8),
    TexParam(u8, u8),
    DeleteTexture(u8),
    CreateSampler,
    BindSampler(u8, u8),
    SamplerParam(u8, u8),
    AttachTexture(u8, u8),
    Frame,
    Switch(u8),
    Mask(u64),
    Verb(u8),
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        8 => (0..8u8).prop_map(Op::Verb),
        3 => (0..4u32).prop_map(Op::Blend),
        1 => (1..4u8).prop_map(Op::LineWidth),
        1 => (0..4u8).prop_map(Op::Viewport),
        1 => (0..3u8).prop_map(Op::Pack),
        1 => (1..4u8).prop_map(Op::Patch),
        1 => (0..4u8, 0..3u32).prop_map(|(i, v)| Op::CurrentValue(i, v)),
        2 => Just(Op::CreateArray),
        3 => (0..4u8).prop_map(Op::BindArray),
        1 => (0..4u8).prop_map(Op::DeleteArray),
        3 => (0..4u8, any::<bool>()).prop_map(|(i, on)| Op::Enable(i, on)),
        2 => (0..4u8, 1..5u8, 0..3u8).prop_map(|(i, n, b)| Op::Attrib(i, n, b)),
        1 => (0..3u8, 0..3u8).prop_map(|(b, s)| Op::Layout(b, s)),
        3 => (0..3u8, 0..5u8, 0..3u8).prop_map(|(p, b, o)| Op::VertexBuffer(p, b, o)),
        1 => (0..5u8).prop_map(Op::IndexBuffer),
        1 => (0..3u8, 0..3u16).prop_map(|(p, n)| Op::ClientSpan(p, n)),
        3 => Just(Op::CreateBuffer),
        3 => (0..5u8, 0..4u8).prop_map(|(b, n)| Op::Storage(b, n)),
        2 => (0..5u8, 0..8u8).prop_map(|(b, n)| Op::Write(b, n)),
        1 => (0..5u8).prop_map(Op::DeleteBuffer),
        1 => (0..4u8, 0..5u8).prop_map(|(t, b)| Op::Bind(t, b)),
        3 => (0..4u8, 0..3u8, 0..5u8, any::<bool>())
            .prop_map(|(c, i, b, whole)| Op::BindIndexed(c, i, b, whole)),
        1 => Just(Op::CreateRenderbuffer),
        2 => (0..3u8, 0..4u8).prop_map(|(r, n)| Op::RenderbufferStorage(r, n)),
        1 => Just(Op::CreateFramebuffer),
        2 => (0..3u8, 0..3u8).prop_map(|(f, b)| Op::BindFramebuffer(f, b)),
        2 => (0..3u8, 0..4u8).prop_map(|(p, r)| Op::Attach(p, r)),
        1 => (0..4u8).prop_map(Op::DrawBuffers),
        1 => any::<bool>().prop_map(Op::ReadBuffer),
        1 => (1..4u8).prop_map(Op::ResizeDrawable),
        2 => (0..3u8).prop_map(Op::Link),
        3 => (0..4u8).prop_map(Op::Use),
        2 => (0..3u8, 0..3u32).prop_map(|(p, v)| Op::Uniform(p, v)),
        1 => (0..3u8, 0..4u8).prop_map(|(p, u)| Op::Units(p, u)),
        3 => Just(Op::CreateTexture),
        3 => (0..3u8, 0..5u8).prop_map(|(u, t)| Op::BindTexture(u, t)),
        4 => (0..4u8, 0..3u8, 0..4u8).prop_map(|(t, l, n)| Op::TexImage(t, l, n)),
        2 => (0..4u8).prop_map(Op::TexRegion),
        3 => (0..4u8, 0..7u8).prop_map(|(t, p)| Op::TexParam(t, p)),
        1 => (0..4u8).prop_map(Op::DeleteTexture),
        1 => Just(Op::CreateSampler),
        1 => (0..3u8, 0..3u8).prop_map(|(u, s)| Op::BindSampler(u, s)),
        1 => (0..2u8, 0..4u8).prop_map(|(s, p)| Op::SamplerParam(s, p)),
        1 => (0..2u8, 0..4u8).prop_map(|(p, t)| Op::AttachTexture(p, t)),
        1 => Just(Op::Frame),
        1 => (0..2u8).prop_map(Op::Switch),
        1 => prop_oneof![
            Just(ALL),
            Just(0),
            Just(RESIDUAL),
            Just(ALL | NO_CSO_ADDRESSING),
            any::<u64>()
        ]
        .prop_map(Op::Mask),
    ]
}

/// The arms of one context, composed as the library does it.
#[derive(Default)]
struct Arms {
    mask: u64,
    tracker: tracker::Tracker,
    legacy: legacy_pull::LegacyPull,
    calls: [tracker::Calls; 2],
}

impl Arms {
    fn latch(&mut self, mask: u64) {
        self.mask = mask;
        self.tracker.forget(mask & NO_CSO_ADDRESSING != 0);
        self.legacy.forget();
    }

    fn prepare(
        &mut self,
        class: VerbClass,
        view: View<'_>,
        emission: &mut Emission,
        pipe: &mut dyn pipe::PipeStream,
    ) {
        let required = class.required();
        let push = required.and(GroupMask::of_bits(self.mask));
        let cleared = GroupMask(required.0 & !push.0);
        let values = GROUPS
            .iter()
            .filter(|row| row.carrier == pipe_inputs::Carrier::Value)
            .fold(0, |mask, row| mask | GroupMask::of(row.group).0);
        let residual = if self.mask & RESIDUAL != 0 {
            cleared.and(GroupMask(values))
        } else {
            GroupMask::NONE
        };
        let pull = GroupMask(cleared.0 & !residual.0);
        let push_moved = !self.tracker.is_current(class, view, emission);
        let pull_moved = !self.legacy.is_current(class, view, emission);
        self.tracker.begin(class, TextureId::NULL, view, emission);
        self.legacy.begin();
        let texture = TextureId::NULL;
        let [push_calls, pull_calls] = &mut self.calls;
        for stage in tracker::STAGES {
            if push_moved {
                let out = tracker::Out::new(pipe, push_calls);
                let mut job = tracker::Job {
                    class,
                    texture,
                    view,
                    emission,
                    out,
                };
                self.tracker.run(stage, push, &mut job);
            }
            if pull_moved {
                let out = legacy_pull::Out::new(pipe, pull_calls);
                let mut job = legacy_pull::Job {
                    class,
                    texture,
                    view,
                    emission,
                    out,
                };
                match stage {
                    TrackerStage::Resources => self.legacy.tell_resources(pull, &mut job),
                    TrackerStage::Csos => {}
                    TrackerStage::Sets => self.legacy.tell_state(pull, residual, &mut job),
                }
            }
        }
        self.tracker.finish(class, view, emission);
        self.legacy.finish(class, view, emission);
    }

    /// An operation that GL performs at call time.
    fn buffer_changed(
        &mut self,
        id: BufferId,
        view: View<'_>,
        emission: &mut Emission,
        pipe: &mut dyn pipe::PipeStream,
    ) {
        if self.mask & 1 << 4 != 0 {
            let mut job = tracker::Job {
                class: VerbClass::Flush,
                texture: TextureId::NULL,
                view,
                emission,
                out: tracker::Out::new(pipe, &mut self.calls[0]),
            };
            self.tracker.buffer_changed(id, &mut job);
        }
    }
}

/// One session under one bitmap.
struct World {
    contexts: Vec<(Context, Arms)>,
    current: usize,
    share: ShareGroup,
    objects: Objects,
    emission: Emission,
    executor: Recorder<Executor<backend_null::NullBackend>>,
    buffers: Vec<BufferId>,
    renderbuffers: Vec<RenderbufferId>,
    arrays: Vec<Vec<(u32, u32)>>,
    framebuffers: Vec<Vec<u32>>,
    programs: Vec<ProgramId>,
    textures: Vec<TextureId>,
    samplers: Vec<SamplerObjectId>,
    names: u32,
}

fn attribs() -> ContextAttribs {
    ContextAttribs {
        profile: Profile::Core,
        version: (4, 6),
        forward_compatible: false,
        debug: false,
        no_error: false,
        lose_context_on_reset: false,
    }
}

/// Two samplers and one array of two vectors.
fn artifact(variant: u8) -> ProgramArtifact {
    let sampler = |element: u32| SamplerSlot {
        binding: 1,
        element,
        gl_type: 0x8B5E, // GL_SAMPLER_2D
        initial_unit: element,
        uniform: 1,
        stages: Stage::Fragment.mask(),
    };
    let uniform = |name: &str, gl_type, storage, stride| Uniform {
        name: name.to_owned(),
        gl_type,
        array_size: 2,
        is_array: true,
        storage,
        offset: 0,
        array_stride: stride,
        matrix_stride: 0,
        row_major: false,
        location: None,
        stages: Stage::Fragment.mask(),
    };
    let mut mask = StageMask::EMPTY;
    mask.insert(Stage::Vertex.mask());
    mask.insert(Stage::Fragment.mask());
    let samplers = UniformStorage::Sampler { first_slot: 0 };
    ProgramArtifact {
        stage_mask: mask,
        default_block_size: 32,
        default_block_initial: vec![variant; 32],
        uniforms: vec![
            uniform("v[0]", 0x8B52, UniformStorage::Default, 16), // GL_FLOAT_VEC4
            uniform("s[0]", 0x8B5E, samplers, 0),
        ],
        samplers: vec![sampler(0), sampler(1)],
        resources: vec![pipe::program::Resource {
            name: "s".into(),
            kind: ResourceKind::Sampler,
            set: 0,
            binding: 1,
            count: 2,
            stages: Stage::Fragment.mask(),
            first: 0,
        }],
        ..ProgramArtifact::default()
    }
}

impl World {
    fn new(mask: u64) -> Self {
        let mut objects = Objects::default();
        let mut executor = Recorder::new(Box::new(Executor::new(
            backend_null::NullBackend::default(),
        )));
        let caps = Arc::new(backend_null::null_caps());
        let contexts = (0..2)
            .map(|_| {
                let id: ContextId = objects.contexts.alloc();
                executor.create_context(id).expect("null backend");
                let mut ctx = Context::new(id, attribs(), Arc::clone(&caps));
                let drawable = Drawable {
                    surface: SurfaceId::new(1, 1),
                    width: 8,
                    height: 8,
                    color: Format::Rgba8,
                    depth_stencil: Format::Depth24Stencil8,
                    samples: 1,
                    double_buffered: true,
                };
                ctx.framebuffers.draw_drawable = Some(drawable);
                ctx.framebuffers.read_drawable = Some(drawable);
                let arms = Arms {
                    mask,
                    tracker: tracker::Tracker::new(mask & NO_CSO_ADDRESSING != 0),
                    ..Arms::default()
                };
                (ctx, arms)
            })
            .collect();
        let mut world = Self {
            contexts,
            current: 0,
            share: ShareGroup::default(),
            objects,
            emission: Emission::default(),
            executor,
            buffers: Vec::new(),
            renderbuffers: Vec::new(),
            arrays: vec![Vec::new(); 2],
            framebuffers: vec![Vec::new(); 2],
            programs: Vec::new(),
            textures: Vec::new(),
            samplers: Vec::new(),
            names: 0,
        };
        world.switch(0);
        world
    }

    fn switch(&mut self, to: usize) {
        self.current = to;
        self.executor.bind_context(&BindContext {
            context: self.contexts[to].0.id,
            draw: SurfaceId::NULL,
            read: SurfaceId::NULL,
        });
    }

    fn buffer(&self, n: u8) -> BufferId {
        let at = usize::from(n) % (self.buffers.len() + 1);
        self.buffers.get(at).copied().unwrap_or(BufferId::NULL)
    }

    fn changed(&mut self, id: BufferId) {
        let (ctx, arms) = &mut self.contexts[self.current];
        let view = View {
            ctx,
            objects: &self.objects,
        };
        arms.buffer_changed(id, view, &mut self.emission, &mut self.executor);
    }

    fn name(&mut self) -> u32 {
        self.names += 1;
        self.names
    }

    fn apply(&mut self, op: &Op) {
        let Self {
            objects, emission, ..
        } = self;
        let (ctx, arms) = &mut self.contexts[self.current];
        match *op {
            Op::Blend(bits) => ctx
                .render_state
                .set_pipeline(|s| &mut s.blend.enabled, bits),
            Op::LineWidth(width) => ctx
                .render_state
                .set_dynamic(|s| &mut s.primitive.line_width, f32::from(width)),
            Op::Viewport(x) => ctx
                .render_state
                .set_dynamic(|s| &mut s.viewports.rects[0].x, f32::from(x)),
            Op::Pack(rows) => {
                let mut pack = ctx.pixel_store.pack;
                pack.skip_rows = u32::from(rows);
                ctx.set_pack(pack);
            }
            Op::Patch(vertices) => ctx.set_patch(PatchState {
                vertices: u32::from(vertices),
                ..ctx.patch
            }),
            Op::CurrentValue(index, value) => {
                let value = AttribValue {
                    bits: [value; 4],
                    kind: 1,
                };
                ctx.set_current_value(usize::from(index), value);
            }
            Op::CreateArray => {
                let name = self.name();
                let (ctx, _) = &mut self.contexts[self.current];
                let index = ctx.create_vertex_array(name);
                ctx.bind_vertex_array(index);
                self.arrays[self.current].push((name, index));
            }
            Op::BindArray(n) => {
                let arrays = &self.arrays[self.current];
                let index = arrays.get(usize::from(n)).map_or(0, |(_, index)| *index);
                ctx.bind_vertex_array(index);
            }
            Op::DeleteArray(n) => {
                let arrays = &mut self.arrays[self.current];
                if usize::from(n) < arrays.len() {
                    let (name, _) = arrays.remove(usize::from(n));
                    ctx.delete_vertex_array(name, objects, emission);
                }
            }
            Op::Enable(index, on) => {
                let mut attrib = ctx.vertex_array().attribs[usize::from(index)];
                attrib.enabled = u32::from(on);
                ctx.set_attrib(usize::from(index), attrib);
            }
            Op::Attrib(index, components, binding) => {
                let mut attrib = ctx.vertex_array().attribs[usize::from(index)];
                (attrib.components, attrib.binding) = (components, binding);
                ctx.set_attrib(usize::from(index), attrib);
            }
            Op::Layout(point, stride) => {
                let layout = VertexBinding {
                    stride_bytes: 4 * u32::from(stride),
                    divisor: 0,
                };
                ctx.set_binding_layout(usize::from(point), layout);
            }
            Op::VertexBuffer(point, n, offset) => {
                let id = self.buffer(n);
                let (ctx, _) = &mut self.contexts[self.current];
                ctx.set_binding_buffer(
                    usize::from(point),
                    id,
                    u64::from(offset),
                    &mut self.objects,
                    &mut self.emission,
                );
            }
            Op::IndexBuffer(n) => {
                let id = self.buffer(n);
                let (ctx, _) = &mut self.contexts[self.current];
                ctx.bind_index_buffer(id, &mut self.objects, &mut self.emission);
            }
            Op::ClientSpan(point, size) => {
                let mut spans = ctx.vertex.client_spans;
                spans[usize::from(point)] = HostSpan {
                    segment: pipe::host::SEGMENT_FRONTEND,
                    _pad: 0,
                    offset: 64,
                    size_bytes: u64::from(size),
                };
                ctx.set_client_spans(spans);
            }
            Op::CreateBuffer => {
                let lifetime = objects.next_lifetime();
                let id = objects.buffers.insert(|id| Buffer::new(id, 1, lifetime));
                emission.reset(id);
                self.buffers.push(id);
            }
            Op::Storage(n, quarter) => {
                let id = self.buffer(n);
                let Some(buffer) = self.objects.buffers.get_mut(id) else {
                    return;
                };
                let mut bytes = ClientBytes::zeroed(usize::from(quarter) * 4).expect("a few bytes");
                bytes.fill(quarter);
                let generations = &mut self.objects.generations;
                buffer.set_storage(bytes, true, 0x88E4, None, &mut self.emission, generations);
                self.changed(id);
            }
            Op::Write(n, at) => {
                let id = self.buffer(n);
                let generations = &mut self.objects.generations;
                let Some(buffer) = self.objects.buffers.get_mut(id) else {
                    return;
                };
                if u64::from(at) >= buffer.size_bytes() {
                    return;
                }
                let byte = [at];
                buffer.write(
                    u64::from(at),
                    Some(&byte),
                    1,
                    &mut self.emission,
                    generations,
                );
                self.changed(id);
            }
            Op::DeleteBuffer(n) => {
                let id = self.buffer(n);
                if id.is_null() {
                    return;
                }
                self.buffers.retain(|other| *other != id);
                let (ctx, _) = &mut self.contexts[self.current];
                ctx.unbind_buffer(id, &mut self.objects, &mut self.emission);
                self.objects.release_buffer(id, &mut self.emission);
            }
            Op::Bind(target, n) => {
                let id = self.buffer(n);
                let target = [
                    BufferTarget::DrawIndirect,
                    BufferTarget::DispatchIndirect,
                    BufferTarget::Parameter,
                    BufferTarget::PixelPack,
                ][usize::from(target)];
                let (ctx, _) = &mut self.contexts[self.current];
                ctx.bind_buffer(target, id, &mut self.objects, &mut self.emission);
            }
            Op::BindIndexed(class, index, n, whole) => {
                let buffer = self.buffer(n);
                let target = [
                    IndexedTarget::Class(BufferClass::Uniform),
                    IndexedTarget::Class(BufferClass::ShaderStorage),
                    IndexedTarget::Class(BufferClass::AtomicCounter),
                    IndexedTarget::TransformFeedback,
                ][usize::from(class)];
                let binding = IndexedBinding {
                    buffer,
                    offset_bytes: if whole { 0 } else { 4 },
                    size_bytes: if whole { pipe::WHOLE } else { 4 },
                };
                let (ctx, _) = &mut self.contexts[self.current];
                ctx.bind_indexed(
                    target,
                    usize::from(index),
                    binding,
                    &mut self.objects,
                    &mut self.emission,
                );
            }
            Op::CreateRenderbuffer => {
                let lifetime = objects.next_lifetime();
                let id = objects
                    .renderbuffers
                    .insert(|id| Renderbuffer::new(id, 1, lifetime));
                emission.reset(id);
                self.renderbuffers.push(id);
            }
            Op::RenderbufferStorage(n, size) => {
                let Some(id) = self.renderbuffers.get(usize::from(n)) else {
                    return;
                };
                let size = u32::from(size);
                objects.renderbuffers[*id].set_storage(
                    Format::Rgba8.gl(),
                    Format::Rgba8,
                    size,
                    size,
                    0,
                    emission,
                    &mut objects.generations,
                );
            }
            Op::CreateFramebuffer => {
                let name = self.name();
                let id = self.objects.framebuffers.alloc();
                let (ctx, _) = &mut self.contexts[self.current];
                let index = ctx.create_framebuffer(name, id);
                ctx.bind_framebuffer(FramebufferBinding::Both, index);
                self.framebuffers[self.current].push(index);
            }
            Op::BindFramebuffer(n, binding) => {
                let made = &self.framebuffers[self.current];
                let index = made.get(usize::from(n)).copied().unwrap_or(0);
                let binding = [
                    FramebufferBinding::Draw,
                    FramebufferBinding::Read,
                    FramebufferBinding::Both,
                ][usize::from(binding)];
                ctx.bind_framebuffer(binding, index);
            }
            Op::Attach(point, n) => {
                let index = ctx.framebuffers.draw;
                if index == 0 {
                    return;
                }
                let image = self
                    .renderbuffers
                    .get(usize::from(n))
                    .map_or(Image::None, |id| Image::Renderbuffer(*id));
                let point = [
                    AttachmentPoint::Color(0),
                    AttachmentPoint::Color(1),
                    AttachmentPoint::Depth,
                ][usize::from(point)];
                ctx.attach(index, point, image, objects, emission);
            }
            Op::DrawBuffers(n) => {
                let mut buffers = [None; 8];
                buffers[0] = (n & 1 != 0).then_some(0);
                buffers[1] = (n & 2 != 0).then_some(1);
                ctx.set_draw_buffers(ctx.framebuffers.draw, buffers, [0; 8]);
            }
            Op::ReadBuffer(on) => {
                ctx.set_read_buffer(ctx.framebuffers.read, on.then_some(0), 0);
            }
            Op::ResizeDrawable(size) => {
                if let Some(drawable) = &mut ctx.framebuffers.draw_drawable {
                    drawable.width = u32::from(size);
                    ctx.generations.any_framebuffer_attachment += 1;
                }
            }
            Op::Link(n) => {
                while self.programs.len() <= usize::from(n) {
                    let name = objects.create_program(&mut self.share);
                    match self.share.shaders_and_programs.get(name) {
                        Some(ShaderOrProgram::Program(id)) => self.programs.push(id),
                        Some(ShaderOrProgram::Shader(_)) | None => unreachable!("just made"),
                    }
                }
                let outcome = LinkOutcome {
                    log: String::new(),
                    artifact: Some(Arc::new(artifact(n))),
                };
                objects.link_program(emission, self.programs[usize::from(n)], outcome);
            }
            Op::Use(n) => {
                let id = self.programs.get(usize::from(n)).copied();
                let id = id.unwrap_or(ProgramId::NULL);
                objects.use_program(ctx, &mut self.share, emission, id);
            }
            Op::Uniform(n, value) => {
                let Some(id) = self.programs.get(usize::from(n)) else {
                    return;
                };
                let Objects {
                    programs,
                    generations,
                    ..
                } = objects;
                let Some(exe) = programs[*id].executable.as_mut() else {
                    return;
                };
                let data = UniformData {
                    scalar: Scalar::Float,
                    transpose: false,
                    words: &[value; 4],
                };
                exe.write_constants(0, 1, 1, data, generations);
            }
            Op::Units(n, unit) => {
                let Some(id) = self.programs.get(usize::from(n)) else {
                    return;
                };
                let Objects {
                    programs,
                    generations,
                    ..
                } = objects;
                let Some(exe) = programs[*id].executable.as_mut() else {
                    return;
                };
                exe.set_sampler_units(0, &[u32::from(unit)], generations);
            }
            Op::CreateTexture => {
                let id = objects.create_texture(1, Target::Texture2D, emission);
                self.textures.push(id);
            }
            Op::BindTexture(unit, n) => {
                let id = self.textures.get(usize::from(n)).copied();
                let id = id.unwrap_or(TextureId::NULL);
                ctx.bind_texture(usize::from(unit), Target::Texture2D, id, objects, emission);
            }
            Op::TexImage(n, level, size) => {
                let Some(id) = self.textures.get(usize::from(n)) else {
                    return;
                };
                let size = 1 << size;
                let image = LevelImage {
                    internal_format: Format::Rgba8.gl(),
                    format: Format::Rgba8,
                    width: size,
                    height: size,
                    depth: 1,
                    texels: vec![n; (size * size * 4) as usize],
                    encoded: Vec::new(),
                    gpu_written: false,
                };
                let Objects {
                    textures,
                    generations,
                    ..
                } = objects;
                textures[*id].set_image(u32::from(level), 0, image, emission, generations);
            }
            Op::TexRegion(n) => {
                let Some(id) = self.textures.get(usize::from(n)) else {
                    return;
                };
                let Objects {
                    textures,
                    generations,
                    ..
                } = objects;
                if textures[*id].level_image(0, 0).is_none() {
                    return;
                }
                let texel = Box3 {
                    x: 0,
                    y: 0,
                    z: 0,
                    width: 1,
                    height: 1,
                    depth: 1,
                };
                let written: Result<(), ()> =
                    textures[*id].write_region(0, 0, texel, emission, generations, |bytes, _| {
                        bytes[0] ^= 1;
                        Ok(())
                    });
                written.expect("it cannot fail");
            }
            Op::TexParam(n, what) => {
                let Some(id) = self.textures.get(usize::from(n)) else {
                    return;
                };
                let change = match what {
                    0 => TextureChange::Sampler(SamplerChange::MinFilter(0x2600)),
                    1 => TextureChange::Sampler(SamplerChange::MinFilter(0x2702)),
                    2 => TextureChange::Sampler(SamplerChange::Wrap(0, 0x812F)),
                    3 => TextureChange::BaseLevel(1),
                    4 => TextureChange::BaseLevel(0),
                    5 => TextureChange::MaxLevel(0),
                    _ => TextureChange::Swizzle(0, 0x1904),
                };
                let Objects {
                    textures,
                    generations,
                    ..
                } = objects;
                textures[*id].set_param(change, emission, generations);
            }
            Op::DeleteTexture(n) => {
                if usize::from(n) < self.textures.len() {
                    let id = self.textures.remove(usize::from(n));
                    ctx.unbind_texture(id, objects, emission);
                    objects.release_texture(id, emission);
                }
            }
            Op::CreateSampler => {
                let id = objects.samplers.insert(|id| Sampler::new(id, 1));
                self.samplers.push(id);
            }
            Op::BindSampler(unit, n) => {
                let id = self.samplers.get(usize::from(n)).copied();
                let id = id.unwrap_or(SamplerObjectId::NULL);
                ctx.bind_sampler(usize::from(unit), id, objects);
            }
            Op::SamplerParam(n, what) => {
                let Some(id) = self.samplers.get(usize::from(n)) else {
                    return;
                };
                let change = match what {
                    0 => SamplerChange::MinFilter(0x2600),
                    1 => SamplerChange::MinFilter(0x2702),
                    2 => SamplerChange::MinLod(1.0),
                    _ => SamplerChange::MagFilter(0x2600),
                };
                let Objects {
                    samplers,
                    generations,
                    ..
                } = objects;
                samplers[*id].set_param(change, generations);
            }
            Op::AttachTexture(point, n) => {
                let index = ctx.framebuffers.draw;
                let Some(texture) = self.textures.get(usize::from(n)).copied() else {
                    return;
                };
                if index != 0 {
                    let image = Image::Texture {
                        texture,
                        level: 0,
                        layer: 0,
                        layered: false,
                    };
                    let point = AttachmentPoint::Color(point);
                    ctx.attach(index, point, image, objects, emission);
                }
            }
            Op::Frame => {
                arms.tracker.frame_boundary();
                arms.legacy.frame_boundary();
            }
            Op::Switch(to) => self.switch(usize::from(to)),
            Op::Mask(mask) => arms.latch(mask),
            Op::Verb(_) => unreachable!("verbs are looked at"),
        }
    }

    /// Prepares a verb; what verification found, and what the backend complained of.
    fn verb(&mut self, n: u8) -> Result<(), String> {
        let class = [
            VerbClass::Draw,
            VerbClass::Draw,
            VerbClass::Draw,
            VerbClass::Dispatch,
            VerbClass::Clear,
            VerbClass::Blit,
            VerbClass::Readback,
            VerbClass::StreamOutput,
        ][usize::from(n)];
        let (ctx, arms) = &mut self.contexts[self.current];
        ctx.verbs += 1;
        let view = View {
            ctx,
            objects: &self.objects,
        };
        arms.prepare(class, view, &mut self.emission, &mut self.executor);
        let mut verifier = verify::Verifier::new(false);
        verifier.check(
            self.executor.told(),
            view,
            &self.emission,
            class,
            TextureId::NULL,
            class.required(),
            Some(self.executor.contents()),
        );
        if let Some(report) = verifier.first {
            return Err(format!("mask {:#x}: {report}", arms.mask));
        }
        let complaints: Vec<String> = self
            .executor
            .events()
            .drain()
            .filter_map(|event| match event {
                PipeEvent::Log { text, .. } => Some(text),
                _ => None,
            })
            .collect();
        if complaints.is_empty() {
            Ok(())
        } else {
            Err(format!("mask {:#x}: {complaints:?}", arms.mask))
        }
    }
}

/// Runs a sequence under one bitmap, without faults.
fn run(ops: &[Op], mask: u64) -> Result<(), String> {
    let mut world = World::new(mask);
    for op in ops {
        match op {
            Op::Verb(n) => world.verb(*n)?,
            other => world.apply(other),
        }
    }
    world.verb(0)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 512,
        max_shrink_iters: 4096,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_bitmap_told_what_the_shadow_holds(
        ops in proptest::collection::vec(op(), 1..160),
        random in any::<u64>(),
    ) {
        for mask in [ALL, 0, RESIDUAL, ALL | NO_CSO_ADDRESSING, random] {
            if let Err(found) = run(&ops, mask) {
                return Err(TestCaseError::fail(found));
            }
        }
    }
}

/// The control: a skipped atom is a difference that names its group's field.
#[test]
fn every_bitmap_told_what_the_shadow_holds_control() {
    let shown = |atom: &str, ops: &[Op]| {
        let mut world = World::new(ALL);
        let mut faults = tracker::Faults::default();
        assert!(faults.skip(atom), "{atom}");
        for (_, arms) in &mut world.contexts {
            arms.tracker.plant(faults);
        }
        for op in ops {
            world.apply(op);
        }
        world.verb(0).expect_err(atom)
    };
    let blend = [Op::Blend(1)];
    assert!(shown("render_state_cso", &blend).contains("\"state@draw\""));
    let array = [
        Op::CreateBuffer,
        Op::Storage(0, 2),
        Op::Enable(0, true),
        Op::VertexBuffer(0, 0, 1),
        Op::IndexBuffer(0),
        Op::BindIndexed(0, 0, 0, true),
    ];
    assert!(shown("vertex_buffers", &array).contains("\"vertex_buffers@draw\""));
    assert!(shown("index_buffer", &array).contains("\"index_buffer@draw\""));
    assert!(shown("uniform_buffers", &array).contains("\"uniform_buffers@draw\""));
    assert!(shown("buffers", &array).contains("\"buffer["));
    assert!(shown("vertex_elements", &array).contains("\"vertex_elements@draw\""));
    assert!(shown("framebuffer", &[]).contains("\"framebuffer@draw\""));
    let texture = [
        Op::Link(0),
        Op::Use(0),
        Op::CreateTexture,
        Op::BindTexture(0, 0),
        Op::TexImage(0, 0, 2),
        Op::TexParam(0, 0),
    ];
    assert!(shown("sampler_views", &texture).contains("\"sampler_views@draw\""));
    assert!(shown("sampler_states", &texture).contains("\"sampler_states@draw\""));
    assert!(shown("textures", &texture).contains("\"texture["));
    let program = [Op::Link(0), Op::Use(0), Op::Uniform(0, 7)];
    assert!(shown("draw_program", &program).contains("\"draw_program@draw\""));
}

/// An unchanged draw tells nothing, and the pull arm reads the context no more than ten times for it.
#[test]
fn unchanged_draw_tells_nothing_and_reads_at_most_ten_times() {
    for mask in [ALL, 0, RESIDUAL] {
        let mut world = World::new(mask);
        for op in [Op::Link(0), Op::Use(0), Op::CreateBuffer, Op::Storage(0, 2)] {
            world.apply(&op);
        }
        world.verb(0).expect("nothing is planted");
        let before = world.contexts[0].1.calls;
        let (reads, verbs) = world.contexts[0].1.legacy.accessor_reads();
        for _ in 0..8 {
            world.verb(0).expect("nothing is planted");
        }
        let arms = &world.contexts[0].1;
        assert_eq!(arms.calls, before, "mask {mask:#x}");
        let (reads, verbs) = (
            arms.legacy.accessor_reads().0 - reads,
            arms.legacy.accessor_reads().1 - verbs,
        );
        assert!(reads <= 10 * verbs, "{reads} reads in {verbs} verbs");
    }
}

/// The control: what is counted moves when a draw is not unchanged, so that no count stands still by itself.
#[test]
fn unchanged_draw_tells_nothing_and_reads_at_most_ten_times_control() {
    for mask in [ALL, 0, RESIDUAL] {
        let mut world = World::new(mask);
        for op in [Op::Link(0), Op::Use(0)] {
            world.apply(&op);
        }
        world.verb(0).expect("nothing is planted");
        let before = world.contexts[0].1.calls;
        world.apply(&Op::Blend(1));
        world.verb(0).expect("nothing is planted");
        assert_ne!(world.contexts[0].1.calls, before, "mask {mask:#x}");
    }
}

/// Handles and bits of the test agree with the table.
#[test]
fn bits_of_the_table_are_those_of_the_test() {
    assert_eq!(GROUPS[Group::buffers as usize].bit, 4);
    let bits = GROUPS.iter().fold(0u64, |bits, row| bits | 1 << row.bit);
    assert_eq!(bits & ALL, bits);
}

/// A bit that the test does not know is seen.
#[test]
fn bits_of_the_table_are_those_of_the_test_control() {
    let planted = ALL & !1;
    let bits = GROUPS.iter().fold(0u64, |bits, row| bits | 1 << row.bit);
    assert_ne!(bits & planted, bits);
}
