//! A client of the backend for tests: tells state as a tracker would, and fails when the driver complains. It holds no expectations.
#![allow(dead_code)]

use backend_gles::{GlesBackend, HideList, OpenOptions};
use pipe::pixels::{PixelFormat, PixelType};
use pipe::program::Stage;
use pipe::*;
use pipe_inputs::{Executor, GroupMask};

pub const ALL: u32 = GroupMask::ALL.0;
pub const WIDTH: u32 = 16;
pub const HEIGHT: u32 = 16;

/// A session with one context and one drawable of 16x16 RGBA8 with depth and stencil.
pub struct Rig {
    pub gl: Executor<GlesBackend>,
    pub state: RenderState,
    next: u32,
}

impl Rig {
    pub fn new() -> Self {
        Self::hiding("")
    }

    pub fn hiding(hide: &str) -> Self {
        let backend = backend_gles::open(&OpenOptions {
            hide: HideList::parse(hide),
            check_errors: true,
            ..OpenOptions::default()
        })
        .expect("a driver with ES 3.2 is installed");
        let mut gl = Executor::new(backend);
        let (context, surface) = (ContextId::new(1, 1), SurfaceId::new(1, 1));
        gl.create_context(context).expect("a context");
        gl.create_surface(
            surface,
            &SurfaceDesc {
                source: SurfaceSource::Offscreen,
                width: WIDTH,
                height: HEIGHT,
                color: Format::Rgba8,
                depth_stencil: Format::Depth24Stencil8,
                samples: 0,
            },
        )
        .expect("a drawable");
        gl.make_current(context, surface, surface).expect("current");
        let mut rig = Self {
            gl,
            state: RenderState::default(),
            next: 1,
        };
        rig.state.viewports.rects[0] = render_state::Viewport {
            x: 0.0,
            y: 0.0,
            width: WIDTH as f32,
            height: HEIGHT as f32,
        };
        rig.tell_defaults();
        rig
    }

    pub fn slot(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// Every group once, with GL's initial values and the default framebuffer.
    fn tell_defaults(&mut self) {
        self.tell_state();
        self.gl.set_pixel_pack_state(&PixelPack {
            store: Default::default(),
        });
        self.gl.set_patch_state(&PatchState {
            vertices: 3,
            outer: [1.0; 4],
            inner: [1.0; 2],
        });
        let initial = AttribValue {
            bits: [0, 0, 0, 1.0_f32.to_bits()],
            kind: 0,
        };
        self.gl
            .set_vertex_attrib_defaults(&AttribDefaults { mask: 0xFFFF }, &[initial; 16]);
        self.attribs(&[], &[]);
        self.gl.set_index_buffer(&IndexBuffer {
            buffer: BufferId::NULL,
        });
        self.gl.set_indirect_buffers(&IndirectBuffers {
            draw: BufferId::NULL,
            dispatch: BufferId::NULL,
            parameter: BufferId::NULL,
        });
        let fb = self.default_framebuffer();
        self.gl.set_framebuffer_state(&fb);
        self.gl
            .set_sampler_views(&SlotRange { start: 0, count: 0 }, &[]);
        self.gl
            .bind_sampler_states(&SlotRange { start: 0, count: 0 }, &[]);
        self.gl
            .set_shader_images(&SlotRange { start: 0, count: 0 }, &[]);
        self.gl.set_draw_program(&ShaderOnly { id: ShaderId::NULL });
        self.gl
            .set_dispatch_program(&ShaderOnly { id: ShaderId::NULL });
        for class in [
            BufferClass::Uniform,
            BufferClass::ShaderStorage,
            BufferClass::AtomicCounter,
        ] {
            self.gl.set_shader_buffers(&shader_buffers(class, 0), &[]);
        }
        self.gl.set_stream_output_targets(
            &StreamOutputTargets {
                id: StreamOutputId::NULL,
                count: 0,
                _pad: 0,
                generation: 0,
            },
            &[],
        );
        let told = pipe_inputs::Inspect::told(&self.gl);
        assert!(told.inputs.validated().covers(GroupMask::NONE));
    }

    /// Tells `self.state`, whole.
    pub fn tell_state(&mut self) {
        let mut chunks = Vec::new();
        self.state
            .gather(render_state::PIPELINE_CHUNKS, &mut chunks);
        let id = RenderStateId::new(1, self.slot());
        self.gl.create_render_state(
            &RenderStateDesc {
                id,
                chunk_mask: render_state::PIPELINE_CHUNKS,
                _pad: 0,
                base: RenderStateId::NULL,
            },
            &chunks,
        );
        self.gl.bind_render_state(&BindRenderState {
            id,
            version: 0,
            pipeline_version: 0,
        });
        chunks.clear();
        self.state.gather(render_state::DYNAMIC_CHUNKS, &mut chunks);
        self.gl.set_dynamic_state(
            &DynamicState {
                chunk_mask: render_state::DYNAMIC_CHUNKS,
                version: 0,
                _pad: 0,
            },
            &chunks,
        );
    }

    pub fn default_framebuffer(&self) -> FramebufferState {
        let surface = |format| Surface {
            kind: SurfaceKind::Default,
            format,
            ..Surface::NONE
        };
        let mut fb = FramebufferState::NONE;
        fb.id = FramebufferId::DEFAULT;
        fb.color[0] = surface(Format::Rgba8);
        fb.depth = surface(Format::Depth24Stencil8);
        fb.stencil = surface(Format::Depth24Stencil8);
        fb.draw_buffers[0] = 0;
        (fb.width, fb.height) = (WIDTH, HEIGHT);
        fb.is_default = 1;
        fb.complete = 1;
        fb.read.color = fb.color[0];
        fb.read.depth = fb.depth;
        fb.read.stencil = fb.stencil;
        (fb.read.width, fb.read.height) = (WIDTH, HEIGHT);
        fb.read.is_default = 1;
        fb.read.complete = 1;
        fb.hashed()
    }

    /// A framebuffer of one texture's level and layer.
    pub fn texture_framebuffer(
        &mut self,
        texture: TextureId,
        format: Format,
        size: u32,
        layer: u32,
    ) {
        let mut fb = FramebufferState::NONE;
        fb.id = FramebufferId::new(3, 1);
        fb.color[0] = Surface {
            resource: texture.into(),
            kind: SurfaceKind::Texture,
            format,
            layer,
            ..Surface::NONE
        };
        fb.draw_buffers[0] = 0;
        (fb.width, fb.height) = (size, size);
        fb.complete = 1;
        fb.read.color = fb.color[0];
        (fb.read.width, fb.read.height) = (size, size);
        fb.read.complete = 1;
        self.gl.set_framebuffer_state(&fb.hashed());
    }

    pub fn clear(&mut self, rgba: [f32; 4]) {
        self.state.clear_values.color = rgba.map(f32::to_bits);
        self.tell_state();
        let _ = self.gl.clear(&Clear {
            groups: ALL,
            mask: (ClearMask::COLOR | ClearMask::DEPTH | ClearMask::STENCIL).bits(),
            draw_buffer: -1,
            color_kind: 0,
            color: rgba.map(f32::to_bits),
            depth: self.state.clear_values.depth as f32,
            stencil: self.state.clear_values.stencil,
        });
        self.check();
    }

    pub fn read(&mut self, format: PixelFormat, ty: PixelType) -> Vec<u8> {
        let n = (WIDTH * HEIGHT) as usize * usize::from(pipe::pixels::group_bytes(format, ty));
        let mut out = vec![0xCC; n];
        let _ = self.gl.read_pixels(
            &ReadPixels {
                groups: ALL,
                x: 0,
                y: 0,
                width: WIDTH,
                height: HEIGHT,
                format,
                ty,
                pack_buffer: BufferId::NULL,
                pack_offset_bytes: 0,
            },
            ReplyBytes(Some(&mut out)),
        );
        self.check();
        out
    }

    /// The RGBA8 pixel at a place.
    pub fn pixel(&mut self, x: u32, y: u32) -> [u8; 4] {
        let pixels = self.read(PixelFormat::Rgba, PixelType::UnsignedByte);
        let at = ((y * WIDTH + x) * 4) as usize;
        pixels[at..at + 4].try_into().expect("four bytes")
    }

    pub fn program(&mut self, sources: &[(Stage, &str)]) -> ShaderId {
        let artifact = compile(sources);
        let id = ShaderId::new(self.slot(), 1);
        self.gl.create_shader(
            &ShaderDesc {
                id,
                stages: u32::from(artifact.stage_mask.0),
                global_constants_bytes: artifact.default_block_size,
                flags: 0,
                name_for_diagnostics: id.slot(),
            },
            &artifact.to_archive(),
        );
        id
    }

    pub fn use_program(&mut self, id: ShaderId) {
        self.gl.set_draw_program(&ShaderOnly { id });
    }

    pub fn buffer(&mut self, bytes: &[u8]) -> BufferId {
        let id = BufferId::new(self.slot(), 1);
        let desc = buffer_desc(id, bytes.len() as u64);
        self.gl.resource_create(&desc);
        self.gl.resource_respecify(&desc);
        self.gl.resource_subdata(
            &SubData {
                resource: id.into(),
                level: 0,
                source_is_verbatim_level_shadow: 0,
                _pad: 0,
                union_box: NO_BOX,
                buffer_offset_bytes: 0,
                buffer_size_bytes: bytes.len() as u64,
            },
            &[],
            bytes,
        );
        self.check();
        id
    }

    pub fn buffer_bytes(&mut self, id: BufferId, n: usize) -> Vec<u8> {
        let mut out = vec![0; n];
        let done = self.gl.resource_readback(
            &Readback {
                buffer: id,
                offset_bytes: 0,
                size_bytes: n as u64,
            },
            ReplyBytes(Some(&mut out)),
        );
        assert!(done, "the buffer has no storage");
        out
    }

    pub fn texture(&mut self, desc: ResourceDesc) -> TextureId {
        let id = TextureId::new(self.slot(), 1);
        let desc = ResourceDesc {
            resource: id.into(),
            ..desc
        };
        self.gl.resource_create(&desc);
        self.gl.resource_respecify(&desc);
        self.check();
        id
    }

    pub fn upload(&mut self, id: TextureId, level: u16, dst: Box3, bytes: &[u8]) {
        self.gl.resource_subdata(
            &SubData {
                resource: id.into(),
                level,
                source_is_verbatim_level_shadow: 0,
                _pad: 0,
                union_box: dst,
                buffer_offset_bytes: 0,
                buffer_size_bytes: 0,
            },
            &[SubRegion {
                dst,
                src_offset_bytes: 0,
                src_row_stride_bytes: 0,
                src_slice_stride_bytes: 0,
            }],
            bytes,
        );
        self.check();
    }

    /// Binds a texture to a unit with a view of everything and a nearest sampler.
    pub fn bind_texture(&mut self, unit: u32, id: TextureId, target: Target, format: Format) {
        let view = SamplerViewId::new(self.slot(), 1);
        self.gl.create_sampler_view(&SamplerViewDesc {
            id: view,
            texture: id,
            format,
            target,
            _pad0: 0,
            min_level: 0,
            levels: 0,
            min_layer: 0,
            layers: 0,
            _pad1: 0,
        });
        self.gl.set_sampler_views(
            &SlotRange {
                start: unit,
                count: 1,
            },
            &[BoundView { view, texture: id }],
        );
        let sampler = SamplerId::new(self.slot(), 1);
        self.gl.create_sampler(&SamplerDesc {
            id: sampler,
            wrap_s: 0x2901,
            wrap_t: 0x2901,
            wrap_r: 0x2901,
            min_filter: 0x2600,
            mag_filter: 0x2600,
            compare_mode: 0,
            compare_func: 0x0203,
            seamless: 0,
            min_lod: -1000.0,
            max_lod: 1000.0,
            lod_bias: 0.0,
            max_anisotropy: 1.0,
            border_color: [0; 4],
            border_form: 0,
            _pad: 0,
        });
        self.gl.bind_sampler_states(
            &SlotRange {
                start: unit,
                count: 1,
            },
            &[SamplerOnly { id: sampler }],
        );
        self.check();
    }

    /// Attributes of four-byte float vectors: (components, binding, relative offset), and bindings: (buffer, stride, divisor).
    pub fn attribs(&mut self, attribs: &[(u8, u8, u32)], bindings: &[(BufferId, u32, u32)]) {
        let mut desc = vertex_elements(VertexElementsId::new(1, self.slot()));
        for (i, (components, binding, offset)) in attribs.iter().enumerate() {
            desc.attribs[i].components = *components;
            desc.attribs[i].binding = *binding;
            desc.attribs[i].relative_offset_bytes = *offset;
            desc.attribs[i].enabled = 1;
        }
        let mut buffers = [VertexBuffer {
            buffer: BufferId::NULL,
            offset_bytes: 0,
            user: HostSpan::NONE,
        }; MAX_VERTEX_ATTRIBS];
        for (i, (buffer, stride, divisor)) in bindings.iter().enumerate() {
            desc.bindings[i] = VertexBinding {
                stride_bytes: *stride,
                divisor: *divisor,
            };
            buffers[i].buffer = *buffer;
        }
        self.elements(&desc, &buffers);
    }

    pub fn elements(&mut self, desc: &VertexElementsDesc, buffers: &[VertexBuffer]) {
        self.gl.create_vertex_elements(desc);
        self.gl
            .bind_vertex_elements(&VertexElementsOnly { id: desc.id });
        self.gl.set_vertex_buffers(
            &SlotRange {
                start: 0,
                count: buffers.len() as u32,
            },
            buffers,
        );
    }

    pub fn draw(&mut self, info: DrawInfo) {
        let _ = self.gl.draw_vbo(&info, &[], &[], &[], Host::NONE);
        self.check();
    }

    pub fn draw_arrays(&mut self, mode: Primitive, first: u32, count: u32) {
        self.draw(draw_info(mode, first.into(), count));
    }

    /// Everything said so far.
    pub fn log(&mut self) -> Vec<PipeEvent> {
        self.gl.events().drain().collect()
    }

    /// Fails on any error that the driver or the backend named.
    pub fn check(&mut self) {
        for event in self.log() {
            match event {
                PipeEvent::Log {
                    level: LogLevel::Error,
                    text,
                } => panic!("{text}"),
                PipeEvent::GlError { code, what } => panic!("{code:#x}: {what}"),
                other => println!("{other:?}"),
            }
        }
    }
}

pub const NO_BOX: Box3 = Box3 {
    x: 0,
    y: 0,
    z: 0,
    width: 0,
    height: 0,
    depth: 0,
};

pub fn box2(width: u32, height: u32) -> Box3 {
    box3(0, 0, 0, width, height, 1)
}

pub fn box3(x: i32, y: i32, z: i32, width: u32, height: u32, depth: u32) -> Box3 {
    Box3 {
        x,
        y,
        z,
        width,
        height,
        depth,
    }
}

pub fn draw_info(mode: Primitive, start: u64, count: u32) -> DrawInfo {
    DrawInfo {
        groups: ALL,
        mode,
        index_size: 0,
        flags: 0,
        _pad: 0,
        instance_count: 1,
        start_instance: 0,
        first: DrawRange {
            start,
            count,
            index_bias: 0,
        },
        restart_index: 0,
        min_index: 0,
        max_index: 0,
        draw_id: 0,
    }
}

pub fn shader_buffers(class: BufferClass, count: u32) -> ShaderBuffers {
    ShaderBuffers {
        class,
        _pad: [0; 3],
        start: 0,
        count,
        writable_mask: 0,
    }
}

pub fn whole(buffer: BufferId) -> BufferRange {
    BufferRange {
        buffer,
        offset_bytes: 0,
        size_bytes: WHOLE,
        host: HostSpan::NONE,
    }
}

pub fn vertex_elements(id: VertexElementsId) -> VertexElementsDesc {
    VertexElementsDesc {
        id,
        attribs: [VertexAttrib {
            ty: 0x1406,
            components: 4,
            bgra: 0,
            normalized: 0,
            integer: 0,
            long: 0,
            binding: 0,
            relative_offset_bytes: 0,
            enabled: 0,
        }; MAX_VERTEX_ATTRIBS],
        bindings: [VertexBinding {
            stride_bytes: 0,
            divisor: 0,
        }; MAX_VERTEX_ATTRIBS],
    }
}

pub fn texture_desc(target: Target, format: Format, width: u32, height: u32) -> ResourceDesc {
    ResourceDesc {
        resource: ResourceRef::NULL,
        target,
        _pad0: 0,
        format,
        width,
        height,
        depth: 1,
        layers: if target == Target::TextureCube { 6 } else { 1 },
        levels: 1,
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

pub fn buffer_desc(id: BufferId, size_bytes: u64) -> ResourceDesc {
    ResourceDesc {
        resource: id.into(),
        size_bytes,
        ..texture_desc(Target::Buffer, Format::None, 0, 0)
    }
}

pub fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_ne_bytes()).collect()
}

/// GLSL to an artifact, by our own compiler.
pub fn compile(sources: &[(Stage, &str)]) -> pipe::program::ProgramArtifact {
    let shaders: Vec<_> = sources
        .iter()
        .map(|(stage, text)| {
            let shader = gl_glsl::compile(*stage, &[text], &gl_glsl::CompileOptions::default());
            assert!(shader.ok(), "{}", shader.log());
            shader
        })
        .collect();
    let shaders: Vec<_> = shaders.iter().collect();
    let result = gl_glsl::link(&shaders, &gl_glsl::LinkOptions::default());
    let artifact = result.artifact.unwrap_or_else(|| panic!("{}", result.log));
    (*artifact).clone()
}
