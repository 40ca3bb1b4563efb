//! One session's calls, for whoever applies them: all kinds of objects, all groups of state, most verbs. It draws nothing.
#![allow(dead_code, reason = "each test binary uses its part")]

use backend_null::NullBackend;
use pipe::host::SEGMENT_FRONTEND;
use pipe::pixels::{PixelFormat, PixelStore, PixelType};
use pipe::program::ProgramArtifact;
use pipe::render_state::{DYNAMIC_CHUNKS, PIPELINE_CHUNKS};
use pipe::*;
use pipe_inputs::{Executor, GroupMask};
use server::{Applier, Budget, Fatal};
use wire::{Emitter, Lost, ReplyPort, Sink};

pub const CONTEXT: ContextId = ContextId::new(1, 1);
pub const BUFFER: BufferId = BufferId::new(1, 1);
pub const INDIRECT: BufferId = BufferId::new(2, 1);
pub const TEXTURE: TextureId = TextureId::new(1, 3);
pub const SHADER: ShaderId = ShaderId::new(1, 1);
pub const SAMPLER: SamplerId = SamplerId::new(1, 1);
pub const VIEW: SamplerViewId = SamplerViewId::new(1, 1);
pub const STATE: RenderStateId = RenderStateId::new(1, 1);
pub const ELEMENTS: VertexElementsId = VertexElementsId::new(1, 1);
pub const QUERY: QueryId = QueryId::new(1, 1);
pub const FENCE: FenceId = FenceId::new(1, 1);
pub const ALL: u32 = GroupMask::ALL.0;
pub const BUFFER_BYTES: u64 = 256;

/// The codec and the applier in one thread: what is pending is applied when an answer is needed.
pub struct Local<S> {
    pub pending: Vec<u8>,
    pub applier: Applier<S>,
    pub applied: usize,
    pub result: Result<(), Fatal>,
    pub parked: Option<TexturePull>,
}

pub type Null = Executor<NullBackend>;

impl<S: PipeScreen + PipeContext + PipeSession + pipe_inputs::Inspect> Local<S> {
    pub fn new(stream: S, budget: Budget) -> Self {
        let mut applier = Applier::new(stream, budget);
        applier
            .create_context(CONTEXT)
            .expect("a fresh session")
            .expect("null contexts");
        Self {
            pending: Vec::new(),
            applier,
            applied: 0,
            result: Ok(()),
            parked: None,
        }
    }

    /// Applies what is pending.
    pub fn apply(&mut self, reply: &mut dyn FnMut(Call, &[u8])) {
        match self.applier.apply(self.pending.as_slice(), reply) {
            Ok(applied) => {
                self.applied += applied.bytes;
                self.parked = applied.parked;
                self.pending.drain(..applied.bytes);
            }
            Err(fatal) => self.result = Err(fatal),
        }
    }
}

impl<S> Sink for Local<S> {
    fn begin(&mut self, size_bytes: usize) {
        self.pending.begin(size_bytes);
    }

    fn write(&mut self, bytes: &[u8]) {
        self.pending.write(bytes);
    }
}

impl<S: PipeScreen + PipeContext + PipeSession + pipe_inputs::Inspect> ReplyPort for Local<S> {
    fn reply(&mut self, call: Call, into: &mut Vec<u8>) -> Result<(), Lost> {
        let mut answered = false;
        self.apply(&mut |answering, bytes| {
            assert_eq!(answering, call);
            into.extend_from_slice(bytes);
            answered = true;
        });
        match &self.result {
            Err(fatal) => Err(Lost(fatal.to_string())),
            Ok(()) if answered => Ok(()),
            Ok(()) => Err(Lost("no answer".into())),
        }
    }
}

pub fn null() -> Null {
    Executor::new(NullBackend::default())
}

pub fn local() -> Emitter<Local<Null>> {
    Emitter::new(Local::new(null(), Budget::default()))
}

/// Application memory: bytes by address.
pub struct Memory;

pub const ADDRESS: u64 = 0x5555_0000_1000;

impl HostBytes for Memory {
    fn bytes(&self, span: &HostSpan) -> Option<&[u8]> {
        static BYTES: [u8; 128] = [0x3F; 128];
        BYTES
            .get((span.offset.checked_sub(ADDRESS)?) as usize..)?
            .get(..span.size_bytes as usize)
    }
}

pub fn span(offset: u64, size_bytes: u64) -> HostSpan {
    HostSpan {
        segment: SEGMENT_FRONTEND,
        _pad: 0,
        offset: ADDRESS + offset,
        size_bytes,
    }
}

pub fn desc(resource: impl Into<ResourceRef>, target: Target) -> ResourceDesc {
    ResourceDesc {
        resource: resource.into(),
        target,
        _pad0: 0,
        format: Format::None,
        width: 0,
        height: 0,
        depth: 0,
        layers: 0,
        levels: 0,
        samples: 0,
        _pad1: 0,
        bind: 0,
        flags: 0,
        usage: 0,
        storage_flags: 0,
        name_for_diagnostics: 0,
        size_bytes: 0,
        view_of: TextureId::NULL,
        view_min_level: 0,
        view_min_layer: 0,
        _pad2: 0,
        texture_buffer: BufferId::NULL,
        texture_buffer_offset_bytes: 0,
        texture_buffer_size_bytes: 0,
        lifetime: 0,
    }
}

pub fn buffer(id: BufferId) -> ResourceDesc {
    ResourceDesc {
        size_bytes: BUFFER_BYTES,
        ..desc(id, Target::Buffer)
    }
}

/// 16 x 8 texels of 4 bytes, two levels.
pub fn texture(id: TextureId) -> ResourceDesc {
    ResourceDesc {
        format: Format::Rgba8,
        width: 16,
        height: 8,
        depth: 1,
        layers: 1,
        levels: 2,
        ..desc(id, Target::Texture2D)
    }
}

pub fn elements(id: VertexElementsId) -> VertexElementsDesc {
    let attrib = VertexAttrib {
        ty: 0x1406,
        components: 3,
        bgra: 0,
        normalized: 0,
        integer: 0,
        long: 0,
        binding: 0,
        relative_offset_bytes: 0,
        enabled: 0,
    };
    let binding = VertexBinding {
        stride_bytes: 12,
        divisor: 0,
    };
    let mut desc = VertexElementsDesc {
        id,
        attribs: [attrib; MAX_VERTEX_ATTRIBS],
        bindings: [binding; MAX_VERTEX_ATTRIBS],
    };
    desc.attribs[0].enabled = 1;
    desc
}

pub fn framebuffer() -> FramebufferState {
    let color = Surface {
        resource: TEXTURE.into(),
        format: Format::Rgba8,
        kind: SurfaceKind::Texture,
        ..Surface::NONE
    };
    let mut state = FramebufferState {
        id: FramebufferId::new(1, 1),
        width: 16,
        height: 8,
        layers: 1,
        complete: 1,
        ..FramebufferState::NONE
    };
    state.color[0] = color;
    state.draw_buffers[0] = 0;
    state.read = ReadSurfaces {
        color,
        width: 16,
        height: 8,
        complete: 1,
        ..ReadSurfaces::NONE
    };
    state.hashed()
}

pub fn draw() -> DrawInfo {
    DrawInfo {
        groups: ALL,
        mode: Primitive::Triangles,
        index_size: 0,
        flags: DrawFlags::USER_VERTICES.bits(),
        _pad: 0,
        instance_count: 1,
        start_instance: 0,
        first: DrawRange {
            start: 0,
            count: 3,
            index_bias: 0,
        },
        restart_index: 0,
        min_index: 0,
        max_index: 0,
        draw_id: 0,
    }
}

pub fn read_pixels() -> ReadPixels {
    ReadPixels {
        groups: ALL,
        x: 0,
        y: 0,
        width: 4,
        height: 2,
        format: PixelFormat::Rgba,
        ty: PixelType::UnsignedByte,
        pack_buffer: BufferId::NULL,
        pack_offset_bytes: 0,
    }
}

pub fn texels() -> SubData {
    SubData {
        resource: TEXTURE.into(),
        level: 0,
        source_is_verbatim_level_shadow: 0,
        _pad: 0,
        union_box: region(2, 2, 4, 3).dst,
        buffer_offset_bytes: 0,
        buffer_size_bytes: 0,
    }
}

pub fn region(x: i32, y: i32, width: u32, height: u32) -> SubRegion {
    SubRegion {
        dst: Box3 {
            x,
            y,
            z: 0,
            width,
            height,
            depth: 1,
        },
        src_offset_bytes: 0,
        src_row_stride_bytes: 0,
        src_slice_stride_bytes: 0,
    }
}

pub fn range(buffer: BufferId) -> BufferRange {
    BufferRange {
        buffer,
        offset_bytes: 16,
        size_bytes: 64,
        host: HostSpan::NONE,
    }
}

pub fn run(start: u32, count: u32) -> SlotRange {
    SlotRange { start, count }
}

/// Creates one object of each kind and tells all groups of state.
pub fn tell(p: &mut (impl PipeScreen + PipeContext)) {
    p.bind_context(&BindContext {
        context: CONTEXT,
        draw: SurfaceId::NULL,
        read: SurfaceId::NULL,
    });
    p.resource_create(&buffer(BUFFER));
    p.resource_create(&ResourceDesc {
        size_bytes: 0,
        ..buffer(INDIRECT)
    });
    p.resource_respecify(&ResourceDesc {
        flags: ResourceFlags::IMMUTABLE.bits(),
        ..buffer(INDIRECT)
    });
    p.resource_create(&texture(TEXTURE));
    p.set_texture_params(&TextureParams {
        texture: TEXTURE,
        base_level: 0,
        max_level: 1000,
        swizzle: [0x1903, 0x1904, 0x1905, 0x1906],
        depth_stencil_mode: 0x1902,
        force_resync: 0,
        min_lod: -1000.0,
        max_lod: 1000.0,
        lod_bias: 0.0,
    });
    p.fence_create(&FenceOnly { fence: FENCE });
    p.query_create(&QueryCreate {
        query: QUERY,
        target: 0x8914,
        index: 0,
    });

    let mut state = RenderState::default();
    state.blend.enabled = 5;
    let mut chunks = Vec::new();
    state.gather(PIPELINE_CHUNKS, &mut chunks);
    p.create_render_state(
        &RenderStateDesc {
            id: STATE,
            chunk_mask: PIPELINE_CHUNKS,
            _pad: 0,
            base: RenderStateId::NULL,
        },
        &chunks,
    );
    p.bind_render_state(&BindRenderState {
        id: STATE,
        version: 1,
        pipeline_version: 1,
    });
    chunks.clear();
    state.gather(DYNAMIC_CHUNKS, &mut chunks);
    let dynamic = DynamicState {
        chunk_mask: DYNAMIC_CHUNKS,
        version: 2,
        _pad: 0,
    };
    p.set_dynamic_state(&dynamic, &chunks);
    p.create_vertex_elements(&elements(ELEMENTS));
    p.bind_vertex_elements(&VertexElementsOnly { id: ELEMENTS });
    p.create_sampler(&SamplerDesc {
        id: SAMPLER,
        wrap_s: 0x2901,
        wrap_t: 0x2901,
        wrap_r: 0x2901,
        min_filter: 0x2600,
        mag_filter: 0x2601,
        compare_mode: 0,
        compare_func: 0x0203,
        seamless: 0,
        min_lod: -1000.0,
        max_lod: 1000.0,
        lod_bias: 0.5,
        max_anisotropy: 1.0,
        border_color: [0, 0, 0, 0x3F80_0000],
        border_form: 0,
        _pad: 0,
    });
    p.create_sampler_view(&SamplerViewDesc {
        id: VIEW,
        texture: TEXTURE,
        format: Format::Rgba8,
        target: Target::Texture2D,
        _pad0: 0,
        min_level: 0,
        levels: 2,
        min_layer: 0,
        layers: 1,
        _pad1: 0,
    });
    let shader = ShaderDesc {
        id: SHADER,
        stages: 0x11,
        global_constants_bytes: 32,
        flags: 0,
        name_for_diagnostics: 0,
    };
    p.create_shader(&shader, &ProgramArtifact::default().to_archive());
    p.bind_shader(&ShaderOnly { id: SHADER });
    p.set_global_constants(
        &GlobalConstants {
            shader: SHADER,
            version: 1,
            _pad: 0,
        },
        &[9; 32],
    );
    p.set_program_bindings(
        &ProgramBindings {
            shader: SHADER,
            version: 1,
            _pad: 0,
        },
        &[ProgramBinding {
            binding: 1,
            element: 0,
            slot: 3,
        }],
    );
    p.set_draw_program(&ShaderOnly { id: SHADER });
    p.set_dispatch_program(&ShaderOnly { id: SHADER });

    p.set_framebuffer_state(&framebuffer());
    let arrays = [
        VertexBuffer {
            buffer: BufferId::NULL,
            offset_bytes: 0,
            user: span(8, 36),
        },
        VertexBuffer {
            buffer: BUFFER,
            offset_bytes: 4,
            user: HostSpan::NONE,
        },
    ];
    p.set_vertex_buffers(&run(0, 2), &arrays);
    p.set_index_buffer(&IndexBuffer { buffer: BUFFER });
    p.set_indirect_buffers(&IndirectBuffers {
        draw: INDIRECT,
        dispatch: INDIRECT,
        parameter: BUFFER,
    });
    let view = BoundView {
        view: VIEW,
        texture: TEXTURE,
    };
    p.set_sampler_views(&run(2, 1), &[view]);
    p.bind_sampler_states(&run(2, 1), &[SamplerOnly { id: SAMPLER }]);
    p.set_shader_images(
        &run(1, 1),
        &[ImageView {
            texture: TEXTURE,
            format: Format::Rgba8,
            level: 0,
            layer: 0,
            access: 0x88BA,
            layered: 0,
            _pad: 0,
        }],
    );
    for class in [
        BufferClass::Uniform,
        BufferClass::ShaderStorage,
        BufferClass::AtomicCounter,
    ] {
        let head = ShaderBuffers {
            class,
            _pad: [0; 3],
            start: 4,
            count: 1,
            writable_mask: 0,
        };
        let host = if class == BufferClass::Uniform {
            span(64, 64)
        } else {
            HostSpan::NONE
        };
        p.set_shader_buffers(
            &head,
            &[BufferRange {
                host,
                ..range(BUFFER)
            }],
        );
    }
    p.set_stream_output_targets(
        &StreamOutputTargets {
            id: StreamOutputId::new(1, 1),
            count: 1,
            _pad: 0,
            generation: 1,
        },
        &[range(BUFFER)],
    );
    p.set_vertex_attrib_defaults(
        &AttribDefaults { mask: 0b10_0001 },
        &[1, 2].map(|bits| AttribValue {
            bits: [bits; 4],
            kind: 1,
        }),
    );
    let store = PixelStore {
        row_length: 6,
        ..PixelStore::default()
    };
    p.set_pixel_pack_state(&PixelPack { store });
    p.set_patch_state(&PatchState {
        vertices: 4,
        outer: [2.0; 4],
        inner: [f32::NAN; 2],
    });
}

/// Verbs, uploads, answers, and the end of every object.
pub fn act(p: &mut (impl PipeScreen + PipeContext)) {
    let host = Host(&Memory);
    let nothing = ([].as_slice(), [].as_slice(), [].as_slice());
    let contents = SubData {
        resource: BUFFER.into(),
        buffer_offset_bytes: 3,
        buffer_size_bytes: 5,
        ..texels()
    };
    p.resource_subdata(&contents, &[], &[1, 2, 3, 4, 5]);
    p.resource_subdata(&texels(), &[region(2, 2, 4, 3)], &[7; 48]);
    let _ = p.draw_vbo(&draw(), nothing.0, nothing.1, nothing.2, host);
    let indexed = DrawInfo {
        index_size: 2,
        flags: (DrawFlags::USER_VERTICES | DrawFlags::USER_INDICES).bits(),
        ..draw()
    };
    let further = [DrawRange {
        start: 6,
        count: 3,
        index_bias: 1,
    }];
    let _ = p.draw_vbo(&indexed, &further, &[], &[span(0, 6)], host);
    let commands = DrawInfo {
        flags: DrawFlags::INDIRECT.bits(),
        ..draw()
    };
    let source = DrawIndirect {
        offset_bytes: 16,
        stride_bytes: 0,
        draw_count: 15,
        count_offset_bytes: 0,
    };
    let _ = p.draw_vbo(&commands, &[], &[source], &[], host);
    let _ = p.launch_grid(&GridInfo {
        groups: ALL,
        x: 1,
        y: 2,
        z: 3,
        indirect_offset_bytes: WHOLE,
    });
    p.query_begin(&QueryOnly { query: QUERY });
    let _ = p.clear(&Clear {
        groups: ALL,
        mask: 1,
        draw_buffer: -1,
        color_kind: 0,
        color: [0; 4],
        depth: 1.0,
        stencil: 0,
    });
    p.query_end(&QueryOnly { query: QUERY });
    let _ = p.query_available(&QueryOnly { query: QUERY });
    let mut out = [1; 64];
    assert_eq!(
        p.read_pixels(&read_pixels(), ReplyBytes(Some(&mut out))),
        Submit::Done
    );
    let _ = p.flush(&Flush {
        groups: ALL,
        wait: 0,
    });
    p.fence_destroy(&FenceOnly { fence: FENCE });
    p.query_destroy(&QueryOnly { query: QUERY });
}

/// Ends what state no longer needs by name.
pub fn end(p: &mut (impl PipeScreen + PipeContext)) {
    p.delete_sampler_view(&SamplerViewOnly { id: VIEW });
    p.delete_sampler(&SamplerOnly { id: SAMPLER });
    p.delete_render_state(&RenderStateOnly { id: STATE });
    p.delete_vertex_elements(&VertexElementsOnly { id: ELEMENTS });
    p.delete_shader(&ShaderOnly { id: SHADER });
    for resource in [BUFFER.into(), INDIRECT.into(), TEXTURE.into()] {
        p.resource_destroy(&ResourceOnly { resource });
    }
}
