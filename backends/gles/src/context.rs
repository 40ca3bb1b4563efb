//! What one driver context has been told: the shadow that verbs compare with. It must never hold state that the driver may have changed by itself.

use crate::driver::{DriverContext, Gl};
use crate::framebuffers::FramebufferCache;
use crate::render_state::RenderShadow;
use crate::streams::Stream;
use crate::vertex::VertexShadow;
use glow::HasContext;
use pipe::SurfaceId;
use pipe_inputs::PipeInputs;
use pipe_inputs::fields::{GROUPS, Group};

/// A texture unit as the driver has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    pub target: u32,
    pub texture: Option<glow::NativeTexture>,
    pub sampler: Option<glow::NativeSampler>,
}

/// An indexed buffer binding as the driver has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexedBuffer {
    pub name: u32,
    pub offset: isize,
    pub size: isize,
}

/// An image unit as the driver has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImageUnit {
    pub texture: Option<glow::NativeTexture>,
    pub level: i32,
    pub layered: bool,
    pub layer: i32,
    pub access: u32,
    pub format: u32,
}

/// One of our contexts and its driver context.
#[derive(Debug)]
pub struct Context {
    /// `None`: the stand-in while nothing is current.
    pub driver: Option<DriverContext>,
    pub draw: SurfaceId,
    pub read: SurfaceId,
    /// Generations of [`PipeInputs`] that the driver has; 0 is always stale.
    seen: [u64; GROUPS.len()],
    /// Moves of objects that the driver has (see [`crate::backend::GlesBackend::object_epoch`]).
    pub seen_objects: u64,
    pub render: RenderShadow,
    pub framebuffers: FramebufferCache,
    pub vertex: VertexShadow,
    pub units: Vec<Unit>,
    active_unit: u32,
    pub uniform_buffers: Vec<IndexedBuffer>,
    pub storage_buffers: Vec<IndexedBuffer>,
    pub images: Vec<ImageUnit>,
    pub program: Option<glow::NativeProgram>,
    pub draw_framebuffer: Option<glow::NativeFramebuffer>,
    pub read_framebuffer: Option<glow::NativeFramebuffer>,
    pub draw_indirect: Option<glow::NativeBuffer>,
    /// Outputs of the bound draw framebuffer whose stand-in has an alpha that they lack.
    pub alpha_off: u8,
    /// Client arrays and indices.
    pub stream: Stream,
    /// Default uniform blocks.
    pub constants: Stream,
    /// Bindings that program-dependent state was last made for, with the versions it was made from.
    pub bound_program: Option<crate::programs::BoundProgram>,
    pub dispatch_bound: Option<crate::programs::BoundProgram>,
    initialised: bool,
}

impl Context {
    /// Nothing told yet.
    pub fn new(driver: Option<DriverContext>) -> Self {
        Self {
            driver,
            draw: SurfaceId::NULL,
            read: SurfaceId::NULL,
            seen: [0; GROUPS.len()],
            seen_objects: 0,
            render: RenderShadow::default(),
            framebuffers: FramebufferCache::default(),
            vertex: VertexShadow::default(),
            units: Vec::new(),
            active_unit: 0,
            uniform_buffers: Vec::new(),
            storage_buffers: Vec::new(),
            images: Vec::new(),
            program: None,
            draw_framebuffer: None,
            read_framebuffer: None,
            draw_indirect: None,
            alpha_off: 0,
            stream: Stream::new(),
            constants: Stream::new(),
            bound_program: None,
            dispatch_bound: None,
            initialised: false,
        }
    }

    /// State that is the same in every context of ours, told once.
    pub fn initialise(&mut self, gl: &Gl, units: usize) {
        if self.initialised {
            return;
        }
        self.initialised = true;
        self.units = vec![Unit::default(); units];
        // SAFETY: GL rule 1.
        unsafe {
            // Rows of canonical storage are tight; packing to client layouts is ours.
            gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
            gl.pixel_store_i32(glow::PACK_ALIGNMENT, 1);
        }
        self.vertex.initialise(gl);
    }

    /// Whether a group moved since the driver was told, and notes that it will be told now.
    #[inline]
    pub fn moved(&mut self, inputs: &PipeInputs, group: Group) -> bool {
        let now = inputs.generation(group);
        let seen = &mut self.seen[group as usize];
        let moved = *seen != now;
        *seen = now;
        moved
    }

    /// The next verb must look at the group again.
    pub fn forget(&mut self, group: Group) {
        self.seen[group as usize] = 0;
    }

    /// Binds a draw framebuffer.
    #[inline]
    pub fn bind_draw(&mut self, gl: &Gl, framebuffer: Option<glow::NativeFramebuffer>) {
        if self.draw_framebuffer != framebuffer {
            self.draw_framebuffer = framebuffer;
            // SAFETY: GL rules 1 and 2.
            unsafe { gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, framebuffer) };
        }
    }

    /// Binds a read framebuffer.
    pub fn bind_read(&mut self, gl: &Gl, framebuffer: Option<glow::NativeFramebuffer>) {
        if self.read_framebuffer != framebuffer {
            self.read_framebuffer = framebuffer;
            // SAFETY: GL rules 1 and 2.
            unsafe { gl.bind_framebuffer(glow::READ_FRAMEBUFFER, framebuffer) };
        }
    }

    /// Uses a program.
    #[inline]
    pub fn use_program(&mut self, gl: &Gl, program: Option<glow::NativeProgram>) {
        if self.program != program {
            self.program = program;
            // SAFETY: GL rules 1 and 2.
            unsafe { gl.use_program(program) };
        }
    }

    fn activate(&mut self, gl: &Gl, unit: u32) {
        if self.active_unit != unit {
            self.active_unit = unit;
            // SAFETY: GL rule 1.
            unsafe { gl.active_texture(glow::TEXTURE0 + unit) };
        }
    }

    /// Binds what a unit samples.
    pub fn bind_unit(&mut self, gl: &Gl, unit: usize, want: Unit) {
        let have = self.units[unit];
        if have.texture != want.texture || have.target != want.target {
            self.activate(gl, unit as u32);
            // SAFETY: GL rules 1 and 2.
            unsafe {
                if have.target != want.target && have.texture.is_some() {
                    gl.bind_texture(have.target, None);
                }
                if want.target != 0 {
                    gl.bind_texture(want.target, want.texture);
                }
            }
        }
        if have.sampler != want.sampler {
            // SAFETY: GL rules 1 and 2.
            unsafe { gl.bind_sampler(unit as u32, want.sampler) };
        }
        self.units[unit] = want;
    }

    /// Binds a texture where no program samples, to work on it.
    pub fn bind_scratch(&mut self, gl: &Gl, target: u32, texture: glow::NativeTexture) {
        let unit = self.units.len() as u32 - 1;
        self.activate(gl, unit);
        let have = &mut self.units[unit as usize];
        if have.texture.is_some() && have.target != target {
            // SAFETY: GL rule 1.
            unsafe { gl.bind_texture(have.target, None) };
        }
        have.target = target;
        have.texture = Some(texture);
        // SAFETY: GL rules 1 and 2.
        unsafe { gl.bind_texture(target, Some(texture)) };
    }

    /// Binds a range of an indexed target; `slots` is the target's shadow.
    pub fn bind_indexed(
        gl: &Gl,
        slots: &mut Vec<IndexedBuffer>,
        target: u32,
        index: usize,
        want: IndexedBuffer,
    ) {
        if index >= slots.len() {
            slots.resize(index + 1, IndexedBuffer::default());
        }
        if slots[index] != want {
            slots[index] = want;
            // SAFETY: GL rules 1 and 2.
            unsafe {
                if want.name == 0 || want.size <= 0 {
                    gl.bind_buffer_base(target, index as u32, None);
                } else {
                    gl.ext.bind_buffer_range(
                        target,
                        index as u32,
                        want.name,
                        want.offset,
                        want.size,
                    );
                }
            }
        }
    }

    /// A texture name is about to be deleted: the driver drops its bindings and may use the name again.
    pub fn texture_dies(&mut self, name: glow::NativeTexture) {
        for unit in self.units.iter_mut().filter(|u| u.texture == Some(name)) {
            unit.texture = None;
        }
        for image in self.images.iter_mut().filter(|i| i.texture == Some(name)) {
            *image = ImageUnit::default();
        }
        self.bound_program = None;
        self.dispatch_bound = None;
    }

    /// As for textures.
    pub fn buffer_dies(&mut self, name: glow::NativeBuffer) {
        for slots in [&mut self.uniform_buffers, &mut self.storage_buffers] {
            for slot in slots.iter_mut().filter(|s| s.name == name.0.get()) {
                *slot = IndexedBuffer::default();
            }
        }
        self.vertex.buffer_dies(name);
        if self.draw_indirect == Some(name) {
            self.draw_indirect = None;
        }
        self.forget(Group::vertex_buffers);
        self.bound_program = None;
        self.dispatch_bound = None;
    }

    /// As for textures.
    pub fn sampler_dies(&mut self, name: glow::NativeSampler) {
        for unit in self.units.iter_mut().filter(|u| u.sampler == Some(name)) {
            unit.sampler = None;
        }
        self.bound_program = None;
        self.dispatch_bound = None;
    }

    /// As for textures.
    pub fn program_dies(&mut self, name: glow::NativeProgram) {
        if self.program == Some(name) {
            self.program = None;
        }
        self.bound_program = None;
        self.dispatch_bound = None;
    }
}
