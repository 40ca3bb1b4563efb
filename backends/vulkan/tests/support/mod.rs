//! A small client of the interface for the backend's tests: it does what a tracker does, by hand, and checks nothing of GL.
#![allow(dead_code)]

use backend_vulkan::{HideList, OpenOptions, VulkanBackend, open};
use gl_glsl::{CompileOptions, LinkOptions, compile, link};
use pipe::pixels::{PixelFormat, PixelType};
use pipe::program::Stage;
use pipe::*;
use pipe_inputs::{Executor, GroupMask};

pub const SIZE: u32 = 16;
const ALL: u32 = GroupMask::ALL.0;

/// The client.
pub struct Client {
    pub pipe: Executor<VulkanBackend>,
    pub state: RenderState,
    pub fb: FramebufferState,
    next: u32,
    render_states: u32,
}

impl Client {
    /// A current context on an offscreen drawable of 16 x 16 RGBA8 with depth and stencil.
    pub fn new() -> Self {
        Self::hiding("")
    }

    /// As [`Self::new`] on a device that lacks what `hide` names.
    pub fn hiding(hide: &str) -> Self {
        // The only device that the tests' expectations were made for.
        let backend = open(&OpenOptions {
            hide: HideList::parse(hide),
            validation: true,
            ..OpenOptions::default()
        })
        .expect("a Vulkan device");
        let mut pipe = Executor::new(backend);
        let context = ContextId::new(1, 1);
        let surface = SurfaceId::new(1, 1);
        pipe.create_context(context).unwrap();
        pipe.create_surface(
            surface,
            &SurfaceDesc {
                source: SurfaceSource::Offscreen,
                width: SIZE,
                height: SIZE,
                color: Format::Rgba8,
                depth_stencil: Format::Depth24Stencil8,
                samples: 0,
            },
        )
        .unwrap();
        pipe.make_current(context, surface, surface).unwrap();
        let color = Surface {
            kind: SurfaceKind::Default,
            format: Format::Rgba8,
            ..Surface::NONE
        };
        let ds = Surface {
            kind: SurfaceKind::Default,
            format: Format::Depth24Stencil8,
            ..Surface::NONE
        };
        let mut fb = FramebufferState::NONE;
        fb.id = FramebufferId::DEFAULT;
        fb.color[0] = color;
        fb.depth = ds;
        fb.stencil = ds;
        fb.draw_buffers[0] = 0;
        (fb.width, fb.height, fb.layers, fb.is_default, fb.complete) = (SIZE, SIZE, 1, 1, 1);
        fb.read = ReadSurfaces {
            color,
            depth: ds,
            stencil: ds,
            width: SIZE,
            height: SIZE,
            samples: 0,
            is_default: 1,
            complete: 1,
        };
        let mut state = RenderState::default();
        for rect in &mut state.viewports.rects {
            rect.width = SIZE as f32;
            rect.height = SIZE as f32;
        }
        let mut client = Self {
            pipe,
            state,
            fb,
            next: 10,
            render_states: 1,
        };
        client.tell_everything();
        client
    }

    /// A fresh slot.
    pub fn id(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// Every group told once, so that no read is poisoned.
    fn tell_everything(&mut self) {
        self.set_state();
        self.set_framebuffer();
        let none = SlotRange { start: 0, count: 0 };
        let p = &mut self.pipe;
        p.set_vertex_buffers(&none, &[]);
        p.set_index_buffer(&IndexBuffer {
            buffer: BufferId::NULL,
        });
        p.set_indirect_buffers(&IndirectBuffers {
            draw: BufferId::NULL,
            dispatch: BufferId::NULL,
            parameter: BufferId::NULL,
        });
        p.set_sampler_views(&none, &[]);
        p.bind_sampler_states(
            &SlotRange { start: 0, count: 1 },
            &[SamplerOnly {
                id: SamplerId::NULL,
            }],
        );
        p.set_shader_images(&none, &[]);
        for class in [
            BufferClass::Uniform,
            BufferClass::ShaderStorage,
            BufferClass::AtomicCounter,
        ] {
            p.set_shader_buffers(
                &ShaderBuffers {
                    class,
                    _pad: [0; 3],
                    start: 0,
                    count: 0,
                    writable_mask: 0,
                },
                &[],
            );
        }
        p.set_stream_output_targets(
            &StreamOutputTargets {
                id: StreamOutputId::NULL,
                count: 0,
                _pad: 0,
                generation: 0,
            },
            &[],
        );
        p.set_vertex_attrib_defaults(&AttribDefaults { mask: 0 }, &[]);
        p.set_pixel_pack_state(&PixelPack {
            store: pipe::pixels::PixelStore::default(),
        });
        p.set_patch_state(&PatchState {
            vertices: 3,
            outer: [1.0; 4],
            inner: [1.0; 2],
        });
        p.set_draw_program(&ShaderOnly { id: ShaderId::NULL });
        p.set_dispatch_program(&ShaderOnly { id: ShaderId::NULL });
        p.bind_vertex_elements(&VertexElementsOnly {
            id: VertexElementsId::NULL,
        });
    }

    /// Tells `self.state`.
    pub fn set_state(&mut self) {
        let id = RenderStateId::new(self.render_states, 1);
        self.render_states += 1;
        let mut blob = Vec::new();
        self.state.gather(render_state::PIPELINE_CHUNKS, &mut blob);
        self.pipe.create_render_state(
            &RenderStateDesc {
                id,
                chunk_mask: render_state::PIPELINE_CHUNKS,
                _pad: 0,
                base: RenderStateId::NULL,
            },
            &blob,
        );
        self.pipe.bind_render_state(&BindRenderState {
            id,
            version: 0,
            pipeline_version: 0,
        });
        blob.clear();
        self.state.gather(render_state::DYNAMIC_CHUNKS, &mut blob);
        self.pipe.set_dynamic_state(
            &DynamicState {
                chunk_mask: render_state::DYNAMIC_CHUNKS,
                version: 0,
                _pad: 0,
            },
            &blob,
        );
    }

    /// Tells `self.fb`.
    pub fn set_framebuffer(&mut self) {
        let fb = self.fb.hashed();
        self.pipe.set_framebuffer_state(&fb);
    }

    /// Links and uses a program.
    pub fn program(&mut self, vertex: &str, fragment: &str) -> ShaderId {
        let options = CompileOptions::default();
        let vs = compile(Stage::Vertex, &[vertex], &options);
        assert!(vs.ok(), "{}", vs.log());
        let fs = compile(Stage::Fragment, &[fragment], &options);
        assert!(fs.ok(), "{}", fs.log());
        let linked = link(&[&vs, &fs], &LinkOptions::default());
        let artifact = linked.artifact.expect(&linked.log);
        let id = ShaderId::new(self.id(), 1);
        self.pipe.create_shader(
            &ShaderDesc {
                id,
                stages: u32::from(artifact.stage_mask.0),
                global_constants_bytes: artifact.default_block_size,
                flags: 0,
                name_for_diagnostics: 1,
            },
            &artifact.to_archive(),
        );
        self.pipe.set_draw_program(&ShaderOnly { id });
        id
    }

    pub fn constants(&mut self, shader: ShaderId, bytes: &[u8]) {
        self.pipe.set_global_constants(
            &GlobalConstants {
                shader,
                version: 1,
                _pad: 0,
            },
            bytes,
        );
    }

    /// A buffer with contents.
    pub fn buffer(&mut self, bytes: &[u8]) -> BufferId {
        let id = BufferId::new(self.id(), 1);
        let mut desc = empty_desc(id.into(), Target::Buffer);
        desc.size_bytes = bytes.len() as u64;
        self.pipe.resource_create(&desc);
        self.write(id, 0, bytes);
        id
    }

    pub fn write(&mut self, id: BufferId, offset: u64, bytes: &[u8]) {
        self.pipe.resource_subdata(
            &SubData {
                resource: id.into(),
                level: 0,
                source_is_verbatim_level_shadow: 0,
                _pad: 0,
                union_box: NO_BOX,
                buffer_offset_bytes: offset,
                buffer_size_bytes: bytes.len() as u64,
            },
            &[],
            bytes,
        );
    }

    /// One attribute array of floats at location 0.
    pub fn floats(&mut self, components: u8, values: &[f32]) -> BufferId {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_ne_bytes()).collect();
        let buffer = self.buffer(&bytes);
        let mut desc = elements(VertexElementsId::new(self.id(), 1));
        desc.attribs[0].components = components;
        desc.attribs[0].enabled = 1;
        desc.bindings[0].stride_bytes = u32::from(components) * 4;
        self.pipe.create_vertex_elements(&desc);
        self.pipe
            .bind_vertex_elements(&VertexElementsOnly { id: desc.id });
        self.pipe.set_vertex_buffers(
            &SlotRange { start: 0, count: 1 },
            &[VertexBuffer {
                buffer,
                offset_bytes: 0,
                user: HostSpan::NONE,
            }],
        );
        buffer
    }

    /// A texture without contents.
    pub fn texture(
        &mut self,
        target: Target,
        format: Format,
        [width, height]: [u32; 2],
        levels: u16,
    ) -> TextureId {
        let id = TextureId::new(self.id(), 1);
        let mut desc = empty_desc(id.into(), target);
        desc.format = format;
        (desc.width, desc.height) = (width, height);
        desc.levels = levels;
        self.pipe.resource_create(&desc);
        id
    }

    /// All texels of one level in canonical storage.
    pub fn upload(&mut self, id: TextureId, level: u16, [width, height]: [u32; 2], bytes: &[u8]) {
        let dst = Box3 {
            width,
            height,
            depth: 1,
            ..NO_BOX
        };
        self.pipe.resource_subdata(
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
    }

    /// Binds a texture to a unit with nearest filters.
    pub fn sample(&mut self, unit: u32, texture: TextureId, target: Target, levels: u16) {
        let view = SamplerViewId::new(self.id(), 1);
        self.pipe.create_sampler_view(&SamplerViewDesc {
            id: view,
            texture,
            format: Format::None,
            target,
            _pad0: 0,
            min_level: 0,
            levels,
            min_layer: 0,
            layers: 1,
            _pad1: 0,
        });
        let sampler = SamplerId::new(self.id(), 1);
        self.pipe.create_sampler(&SamplerDesc {
            id: sampler,
            wrap_s: 0x812F,
            wrap_t: 0x812F,
            wrap_r: 0x812F,
            min_filter: if levels > 1 { 0x2700 } else { 0x2600 },
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
        let at = SlotRange {
            start: unit,
            count: 1,
        };
        self.pipe
            .set_sampler_views(&at, &[BoundView { view, texture }]);
        self.pipe
            .bind_sampler_states(&at, &[SamplerOnly { id: sampler }]);
    }

    pub fn uniform_buffer(&mut self, slot: u32, buffer: BufferId, offset: u64, size: u64) {
        self.pipe.set_shader_buffers(
            &ShaderBuffers {
                class: BufferClass::Uniform,
                _pad: [0; 3],
                start: slot,
                count: 1,
                writable_mask: 0,
            },
            &[BufferRange {
                buffer,
                offset_bytes: offset,
                size_bytes: size,
                host: HostSpan::NONE,
            }],
        );
    }

    /// A plain draw of arrays.
    pub fn draw(&mut self, mode: Primitive, first: u32, count: u32) {
        let info = draw_info(mode, first, count);
        self.draw_with(&info);
    }

    pub fn draw_with(&mut self, info: &DrawInfo) {
        let _ = self.pipe.draw_vbo(info, &[], &[], &[], Host::NONE);
    }

    /// glClear of all buffers in `mask`.
    pub fn clear(&mut self, mask: ClearMask, color: [f32; 4], depth: f32, stencil: i32) {
        let _ = self.pipe.clear(&Clear {
            groups: ALL,
            mask: mask.bits(),
            draw_buffer: -1,
            color_kind: 0,
            color: color.map(f32::to_bits),
            depth,
            stencil,
        });
    }

    /// glReadPixels of the whole drawable.
    pub fn read(&mut self, format: PixelFormat, ty: PixelType, bytes: usize) -> Vec<u8> {
        let mut out = vec![0; (SIZE * SIZE) as usize * bytes];
        let _ = self.pipe.read_pixels(
            &ReadPixels {
                groups: ALL,
                x: 0,
                y: 0,
                width: SIZE,
                height: SIZE,
                format,
                ty,
                pack_buffer: BufferId::NULL,
                pack_offset_bytes: 0,
            },
            ReplyBytes(Some(&mut out)),
        );
        out
    }

    pub fn pixels(&mut self) -> Pixels {
        Pixels(self.read(PixelFormat::Rgba, PixelType::UnsignedByte, 4))
    }

    pub fn blit(&mut self, src: [i32; 4], dst: [i32; 4], mask: ClearMask, linear: bool) {
        let _ = self.pipe.blit(&Blit {
            groups: ALL,
            src,
            dst,
            mask: mask.bits(),
            linear: u32::from(linear),
        });
    }

    /// Everything that the backend said; a test ends with this being empty.
    pub fn complaints(&mut self) -> Vec<PipeEvent> {
        self.pipe.events().drain().collect()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if std::thread::panicking() {
            for event in self.complaints() {
                eprintln!("{event:?}");
            }
            return;
        }
        let messages = self.pipe.backend().validation_messages();
        let events = self.complaints();
        assert!(events.is_empty(), "the backend said: {events:#?}");
        assert_eq!(messages, 0, "messages of the validation layer");
    }
}

/// An image of 16 x 16 RGBA8, GL's rows.
#[derive(PartialEq, Eq)]
pub struct Pixels(pub Vec<u8>);

impl Pixels {
    /// The pixel at GL window coordinates.
    pub fn at(&self, x: u32, y: u32) -> [u8; 4] {
        let at = ((y * SIZE + x) * 4) as usize;
        [self.0[at], self.0[at + 1], self.0[at + 2], self.0[at + 3]]
    }

    /// How many pixels have this value.
    pub fn count(&self, value: [u8; 4]) -> usize {
        self.0.chunks_exact(4).filter(|p| *p == value).count()
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

pub fn empty_desc(resource: ResourceRef, target: Target) -> ResourceDesc {
    ResourceDesc {
        resource,
        target,
        _pad0: 0,
        format: Format::None,
        width: 0,
        height: 1,
        depth: 1,
        layers: 1,
        levels: 1,
        samples: 0,
        _pad1: 0,
        bind: 0,
        flags: 0,
        usage: 0x88E4,
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

pub fn elements(id: VertexElementsId) -> VertexElementsDesc {
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
            stride_bytes: 16,
            divisor: 0,
        }; MAX_VERTEX_ATTRIBS],
    }
}

pub fn draw_info(mode: Primitive, first: u32, count: u32) -> DrawInfo {
    DrawInfo {
        groups: ALL,
        mode,
        index_size: 0,
        flags: 0,
        _pad: 0,
        instance_count: 1,
        start_instance: 0,
        first: DrawRange {
            start: u64::from(first),
            count,
            index_bias: 0,
        },
        restart_index: 0,
        min_index: 0,
        max_index: 0,
        draw_id: 0,
    }
}
