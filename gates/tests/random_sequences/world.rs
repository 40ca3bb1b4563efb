//! One session under one bitmap: performs calls and compares after each verb. It chooses nothing.

use crate::NO_CSO_ADDRESSING;
use crate::arms::Arms;
use crate::artifact::artifact;
use crate::op::Op;
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
use pipe::{
    AttribValue, BindContext, Box3, BufferClass, BufferId, ContextId, Format, HostSpan, PatchState,
    PipeContext, PipeEvent, PipeSession, RenderbufferId, SurfaceId, Target, TextureId,
    VertexBinding,
};
use pipe_inputs::{Executor, Inspect, VerbClass};
use std::sync::Arc;
use verify::Recorder;

/// One session under one bitmap.
pub struct World {
    pub contexts: Vec<(Context, Arms)>,
    pub current: usize,
    pub share: ShareGroup,
    pub objects: Objects,
    pub emission: Emission,
    pub executor: Recorder<Executor<backend_null::NullBackend>>,
    pub buffers: Vec<BufferId>,
    pub renderbuffers: Vec<RenderbufferId>,
    pub arrays: Vec<Vec<(u32, u32)>>,
    pub framebuffers: Vec<Vec<u32>>,
    pub programs: Vec<ProgramId>,
    pub textures: Vec<TextureId>,
    pub samplers: Vec<SamplerObjectId>,
    pub names: u32,
}

pub fn attribs() -> ContextAttribs {
    ContextAttribs {
        profile: Profile::Core,
        version: (4, 6),
        forward_compatible: false,
        debug: false,
        no_error: false,
        robust_access: false,
        lose_context_on_reset: false,
    }
}

impl World {
    pub fn new(mask: u64) -> Self {
        let mut objects = Objects::default();
        let mut executor = Recorder::new(
            verify::Recording::for_verification(verify::Deafness::None),
            Box::new(Executor::new(backend_null::NullBackend::default())),
        );
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

    pub fn switch(&mut self, to: usize) {
        self.current = to;
        self.executor.bind_context(&BindContext {
            context: self.contexts[to].0.id,
            draw: SurfaceId::NULL,
            read: SurfaceId::NULL,
        });
    }

    pub fn buffer(&self, n: u8) -> BufferId {
        let at = usize::from(n) % (self.buffers.len() + 1);
        self.buffers.get(at).copied().unwrap_or(BufferId::NULL)
    }

    pub fn changed(&mut self, id: BufferId) {
        let (ctx, arms) = &mut self.contexts[self.current];
        let view = View {
            ctx,
            objects: &self.objects,
        };
        arms.buffer_changed(id, view, &mut self.emission, &mut self.executor);
    }

    pub fn name(&mut self) -> u32 {
        self.names += 1;
        self.names
    }

    pub fn apply(&mut self, op: &Op) {
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
    pub fn verb(&mut self, n: u8) -> Result<(), String> {
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
        // What was uploaded at call time was due then.
        self.executor.witness_mut().take_uploads();
        let (emission, mask) = (&mut self.emission, class.required());
        let retained = verify::Retained::before(view, emission, class, TextureId::NULL, mask);
        arms.prepare(class, view, &mut self.emission, &mut self.executor);
        let uploads = self.executor.witness_mut().take_uploads();
        let mut verifier = verify::Verifier::new(false, 1);
        verifier.check(
            self.executor.told(),
            view,
            &self.emission,
            class,
            TextureId::NULL,
            class.required(),
            Some(verify::Heard {
                contents: self.executor.witness().contents(),
                retained: &retained,
                uploads: &uploads,
            }),
            || 0,
        );
        if let Some(report) = verifier.reports.first() {
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
