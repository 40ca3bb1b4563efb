//! State by its own calls: read where a version moved, told where the value differs. Texture units stand in `units`.

use crate::cso::Csos;
use crate::{Job, LegacyPull};
use pipe::render_state::{DYNAMIC_CHUNKS, PIPELINE_BYTES, PIPELINE_CHUNKS};
use pipe::*;
use pipe_inputs::inputs::{NO_RANGE, NO_VERTEX_BUFFER};
use pipe_inputs::{Group, GroupMask};
use rustc_hash::FxHashMap;
use verify::shadow;
use zerocopy::IntoBytes;

/// What was told last; versions 0: never.
#[derive(Debug)]
pub(crate) struct Told {
    render_states: Csos<PIPELINE_BYTES, RenderStateId>,
    pipeline_version: u64,
    version: u64,
    render_state: Option<Box<RenderState>>,
    pack: u64,
    patch: u64,
    attrib_defaults: u64,
    elements: Csos<{ size_of::<VertexElementsDesc>() }, VertexElementsId>,
    /// By lifetime of the vertex array: its version and its elements.
    arrays: FxHashMap<u64, (u64, VertexElementsId)>,
    elements_version: u64,
    bound_elements: VertexElementsId,
    buffers_version: u64,
    vertex_buffers: Option<[VertexBuffer; MAX_VERTEX_ATTRIBS]>,
    index_version: u64,
    index: Option<IndexBuffer>,
    indirect_version: u64,
    framebuffer_versions: [u64; 3],
    framebuffer: Option<u64>,
    images_version: u64,
    program_versions: [[u64; 2]; 2],
    programs: [Option<ShaderId>; 2],
    range_versions: [[u64; 2]; 4],
    ranges: [Option<Vec<BufferRange>>; 4],
    /// Another arm told these groups since: slots that it filled have to be emptied.
    flipped: bool,
}

impl Default for Told {
    fn default() -> Self {
        Self {
            render_states: Csos::new(64),
            pipeline_version: 0,
            version: 0,
            render_state: None,
            pack: 0,
            patch: 0,
            attrib_defaults: 0,
            elements: Csos::new(1024),
            arrays: FxHashMap::default(),
            elements_version: 0,
            bound_elements: VertexElementsId::NULL,
            buffers_version: 0,
            vertex_buffers: None,
            index_version: 0,
            index: None,
            indirect_version: 0,
            framebuffer_versions: [0; 3],
            framebuffer: None,
            images_version: 0,
            program_versions: [[0; 2]; 2],
            programs: [None; 2],
            range_versions: [[0; 2]; 4],
            ranges: Default::default(),
            flipped: false,
        }
    }
}

impl Told {
    pub(crate) fn forget(&mut self) {
        let fresh = Self::default();
        let before = std::mem::replace(self, fresh);
        self.render_states = before.render_states;
        self.elements = before.elements;
        self.arrays = before.arrays;
        self.flipped = true;
    }

    pub(crate) fn retire(&mut self, job: &mut Job<'_>) {
        let cso = &mut job.emission.cso;
        let states = self.render_states.take(|_| true, &mut cso.render_states);
        let elements = self.elements.take(|_| true, &mut cso.vertex_elements);
        self.arrays.clear();
        for id in states {
            job.out.at(0).delete_render_state(&RenderStateOnly { id });
        }
        for id in elements {
            let only = VertexElementsOnly { id };
            job.out.at(5).delete_vertex_elements(&only);
        }
    }
}

/// Whether a version moved; remembers it.
fn moved<T: PartialEq>(told: &mut T, now: T) -> bool {
    let moved = *told != now;
    *told = now;
    moved
}

impl LegacyPull {
    pub(crate) fn state(&mut self, mask: GroupMask, job: &mut Job<'_>) {
        for group in mask.iter() {
            *self.reads.of(group) += 1;
            match group {
                Group::render_state => self.render_state(job),
                Group::pixel_pack => {
                    if moved(&mut self.state.pack, job.view.ctx.generations.pixel_pack) {
                        let store = shadow::pixel_pack(job.view);
                        job.out.at(1).set_pixel_pack_state(&PixelPack { store });
                    }
                }
                Group::patch_state => {
                    if moved(&mut self.state.patch, job.view.ctx.generations.patch) {
                        let patch = shadow::patch_state(job.view);
                        job.out.at(2).set_patch_state(&patch);
                    }
                }
                Group::attrib_defaults => {
                    let now = job.view.ctx.generations.attrib_defaults;
                    if moved(&mut self.state.attrib_defaults, now) {
                        let head = AttribDefaults {
                            mask: (1 << MAX_VERTEX_ATTRIBS) - 1,
                        };
                        let values = shadow::attrib_defaults(job.view);
                        job.out.at(3).set_vertex_attrib_defaults(&head, &values);
                    }
                }
                // Storage and contents: told before.
                Group::buffers | Group::textures => {}
                Group::vertex_elements => self.vertex_elements(job),
                Group::vertex_buffers => self.vertex_buffers(job),
                Group::index_buffer => {
                    let now = job.view.ctx.generations.index_buffer;
                    if moved(&mut self.state.index_version, now) {
                        let index = shadow::index_buffer(job.view);
                        if self.state.index != Some(index) {
                            self.state.index = Some(index);
                            job.out.at(5).set_index_buffer(&index);
                        }
                    }
                }
                Group::indirect_buffers => {
                    let now = job.view.ctx.generations.indirect_bindings;
                    if moved(&mut self.state.indirect_version, now) {
                        let indirect = shadow::indirect_buffers(job.view);
                        job.out.at(5).set_indirect_buffers(&indirect);
                    }
                }
                Group::framebuffer => self.framebuffer(job),
                Group::sampler_views => self.sampler_views(job),
                Group::sampler_states => self.sampler_states(job),
                Group::shader_images => {
                    let now = job.view.ctx.generations.image_bindings;
                    if moved(&mut self.state.images_version, now) {
                        let images = shadow::shader_images(job.view);
                        let range = SlotRange {
                            start: 0,
                            count: images.len() as u32,
                        };
                        job.out.at(9).set_shader_images(&range, &images);
                    }
                }
                Group::draw_program => self.program(0, job),
                Group::dispatch_program => self.program(1, job),
                Group::uniform_buffers => self.ranges(BufferClass::Uniform, job),
                Group::storage_buffers => self.ranges(BufferClass::ShaderStorage, job),
                Group::atomic_buffers => self.ranges(BufferClass::AtomicCounter, job),
                Group::stream_output => self.stream_output(job),
            }
        }
    }

    fn render_state(&mut self, job: &mut Job<'_>) {
        let block = &job.view.ctx.render_state;
        let told = &mut self.state;
        if !moved(&mut told.version, block.version()) {
            return;
        }
        let now = shadow::render_state(job.view);
        if moved(&mut told.pipeline_version, block.pipeline_version()) {
            let bytes = now.pipeline_bytes();
            let slots = &mut job.emission.cso.render_states;
            let (id, fresh) = told.render_states.find(bytes, self.clock, slots);
            if let Some(fresh) = fresh {
                if let Some(id) = fresh.evicted {
                    job.out.at(0).delete_render_state(&RenderStateOnly { id });
                }
                let desc = RenderStateDesc {
                    id,
                    chunk_mask: PIPELINE_CHUNKS,
                    _pad: 0,
                    base: RenderStateId::NULL,
                };
                job.out.at(0).create_render_state(&desc, bytes);
            }
            job.out.at(0).bind_render_state(&BindRenderState {
                id,
                version: block.version() as u16,
                pipeline_version: block.pipeline_version() as u16,
            });
        }
        let changed = match &told.render_state {
            Some(before) => now.changed_chunks(before, DYNAMIC_CHUNKS),
            None => DYNAMIC_CHUNKS,
        };
        if changed != 0 {
            let mut blob = Vec::new();
            now.gather(changed, &mut blob);
            let head = DynamicState {
                chunk_mask: changed,
                version: block.version() as u16,
                _pad: 0,
            };
            job.out.at(0).set_dynamic_state(&head, &blob);
            match &mut told.render_state {
                Some(before) => **before = *now,
                None => told.render_state = Some(Box::new(*now)),
            }
        }
    }

    fn vertex_elements(&mut self, job: &mut Job<'_>) {
        let told = &mut self.state;
        let now = job.view.ctx.generations.any_vao_attribute;
        if !moved(&mut told.elements_version, now) {
            return;
        }
        let array = job.view.ctx.vertex_array();
        *self.reads.of(Group::vertex_elements) += 1;
        let known = told.arrays.get(&array.lifetime).copied();
        let id = match known {
            Some((version, id)) if version == array.elements_version => id,
            Some(_) | None => {
                let mut desc = shadow::vertex_elements(job.view);
                let slots = &mut job.emission.cso.vertex_elements;
                let (id, fresh) = told.elements.find(desc.as_bytes(), self.clock, slots);
                if let Some(fresh) = fresh {
                    if let Some(id) = fresh.evicted {
                        told.arrays.retain(|_, (_, known)| *known != id);
                        let only = VertexElementsOnly { id };
                        job.out.at(5).delete_vertex_elements(&only);
                    }
                    desc.id = id;
                    job.out.at(5).create_vertex_elements(&desc);
                }
                // Arrays that are gone are never asked for again; the memo starts anew before they pile up.
                if told.arrays.len() >= 4096 {
                    told.arrays.clear();
                }
                told.arrays
                    .insert(array.lifetime, (array.elements_version, id));
                id
            }
        };
        if told.bound_elements != id {
            told.bound_elements = id;
            let only = VertexElementsOnly { id };
            job.out.at(5).bind_vertex_elements(&only);
        }
    }

    fn vertex_buffers(&mut self, job: &mut Job<'_>) {
        let told = &mut self.state;
        let now = job.view.ctx.generations.any_vao_attribute;
        if !moved(&mut told.buffers_version, now) {
            return;
        }
        let buffers = shadow::vertex_buffers(job.view);
        if told.vertex_buffers == Some(buffers) {
            return;
        }
        let before = told.vertex_buffers.replace(buffers);
        let used = |set: &[VertexBuffer; MAX_VERTEX_ATTRIBS]| {
            set.iter()
                .rposition(|buffer| *buffer != NO_VERTEX_BUFFER)
                .map_or(0, |last| last + 1)
        };
        let end = before.map_or(MAX_VERTEX_ATTRIBS, |before| {
            used(&before).max(used(&buffers))
        });
        let range = SlotRange {
            start: 0,
            count: end as u32,
        };
        job.out.at(5).set_vertex_buffers(&range, &buffers[..end]);
    }

    fn framebuffer(&mut self, job: &mut Job<'_>) {
        let objects = &job.view.objects.generations;
        let now = [
            job.view.ctx.generations.any_framebuffer_attachment,
            objects.any_renderbuffer_change,
            objects.any_texture_content,
        ];
        *self.reads.of(Group::framebuffer) += 2;
        if moved(&mut self.state.framebuffer_versions, now) {
            let state = shadow::framebuffer(job.view);
            if moved(&mut self.state.framebuffer, Some(state.content_hash)) {
                job.out.at(6).set_framebuffer_state(&state);
            }
        }
    }

    /// `which`: 0 draws, 1 dispatches.
    fn program(&mut self, which: usize, job: &mut Job<'_>) {
        let now = [
            job.view.ctx.generations.program,
            job.view.objects.generations.any_program_change,
        ];
        *self
            .reads
            .of([Group::draw_program, Group::dispatch_program][which]) += 1;
        if !moved(&mut self.state.program_versions[which], now) {
            return;
        }
        for id in std::mem::take(&mut job.emission.dead_shaders) {
            job.out.at(10).delete_shader(&ShaderOnly { id });
        }
        let id = tell_executable(job);
        if moved(&mut self.state.programs[which], Some(id)) {
            let only = ShaderOnly { id };
            if which == 0 {
                job.out.at(10).set_draw_program(&only);
            } else {
                job.out.at(10).set_dispatch_program(&only);
            }
        }
    }

    fn ranges(&mut self, class: BufferClass, job: &mut Job<'_>) {
        let now = [
            job.view.ctx.generations.buffer_bindings,
            job.view.objects.generations.any_buffer_change,
        ];
        let group = match class {
            BufferClass::Uniform => Group::uniform_buffers,
            BufferClass::ShaderStorage => Group::storage_buffers,
            BufferClass::AtomicCounter => Group::atomic_buffers,
        };
        *self.reads.of(group) += 1;
        let told = &mut self.state;
        if !moved(&mut told.range_versions[class as usize], now) {
            return;
        }
        let mut ranges = shadow::ranges(job.view, class);
        let before = &mut told.ranges[class as usize];
        let longest = match before {
            Some(before) => before.len(),
            None if told.flipped => MAX_BUFFER_BINDINGS,
            None => 0,
        };
        if before.as_ref() == Some(&ranges) {
            return;
        }
        *before = Some(ranges.clone());
        if ranges.len() < longest {
            ranges.resize(longest, NO_RANGE);
        }
        let head = ShaderBuffers {
            class,
            _pad: [0; 3],
            start: 0,
            count: ranges.len() as u32,
            writable_mask: if class == BufferClass::Uniform { 0 } else { !0 },
        };
        job.out.at(11).set_shader_buffers(&head, &ranges);
    }

    fn stream_output(&mut self, job: &mut Job<'_>) {
        let now = [
            job.view.ctx.generations.stream_output,
            job.view.objects.generations.any_buffer_change,
        ];
        *self.reads.of(Group::stream_output) += 1;
        if !moved(&mut self.state.range_versions[3], now) {
            return;
        }
        let ranges = shadow::stream_output(job.view);
        if self.state.ranges[3].as_ref() == Some(&ranges) {
            return;
        }
        let head = StreamOutputTargets {
            id: StreamOutputId::NULL,
            count: ranges.len() as u32,
            _pad: 0,
            generation: now[0],
        };
        job.out.at(12).set_stream_output_targets(&head, &ranges);
        self.state.ranges[3] = Some(ranges);
    }
}

/// Tells the program in use by what the emission says was told of it; its handle.
fn tell_executable(job: &mut Job<'_>) -> ShaderId {
    let (Some(program), Some(exe)) = (shadow::program(job.view), shadow::executable(job.view))
    else {
        return ShaderId::NULL;
    };
    let told = *job.emission.shader(exe.shader);
    if !told.created {
        let desc = ShaderDesc {
            id: exe.shader,
            stages: u32::from(exe.artifact.stage_mask.0),
            global_constants_bytes: exe.artifact.default_block_size,
            flags: 0,
            name_for_diagnostics: program.name,
        };
        job.out
            .at(10)
            .create_shader(&desc, &exe.artifact.to_archive());
    }
    if told.bindings_version != exe.bindings_version {
        let head = ProgramBindings {
            shader: exe.shader,
            version: exe.bindings_version as u32,
            _pad: 0,
        };
        job.out.at(10).set_program_bindings(&head, &exe.bindings());
    }
    if told.constants_version != exe.constants_version && !exe.constants.is_empty() {
        let head = GlobalConstants {
            shader: exe.shader,
            version: exe.constants_version as u32,
            _pad: 0,
        };
        job.out.at(10).set_global_constants(&head, &exe.constants);
    }
    *job.emission.shader(exe.shader) = gl_state::emission::ShaderTold {
        created: true,
        constants_version: exe.constants_version,
        bindings_version: exe.bindings_version,
    };
    exe.shader
}
