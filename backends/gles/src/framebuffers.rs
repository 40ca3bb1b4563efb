//! Framebuffers: private driver framebuffers, ordered by fragment output, found again by content hash. They are never the application's objects.

use crate::context::Context;
use crate::driver::Gl;
use crate::surfaces::{SurfaceImage, Surfaces};
use crate::textures::Textures;
use glow::HasContext;
use pipe::{
    FramebufferState, MAX_COLOR_ATTACHMENTS, Resource, Surface, SurfaceId, SurfaceKind, Target,
};
use rustc_hash::FxHashMap;

/// An attachment, resolved to driver names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attachment {
    None,
    /// One image of a 2D texture or cube face.
    Texture2D {
        name: glow::NativeTexture,
        target: u32,
        level: i32,
    },
    /// One layer of an array or slice of a 3D texture.
    Layer {
        name: glow::NativeTexture,
        level: i32,
        layer: i32,
    },
    /// All layers.
    Layered {
        name: glow::NativeTexture,
        level: i32,
    },
    Renderbuffer(glow::NativeRenderbuffer),
}

impl Attachment {
    fn is(&self, image: SurfaceImage) -> bool {
        match (*self, image) {
            (Self::None, _) | (_, SurfaceImage::None) => false,
            (Self::Renderbuffer(a), SurfaceImage::Renderbuffer(b)) => a == b,
            (
                Self::Texture2D { name, .. }
                | Self::Layer { name, .. }
                | Self::Layered { name, .. },
                SurfaceImage::Texture(b),
            ) => name == b,
            (Self::Renderbuffer(_), SurfaceImage::Texture(_))
            | (
                Self::Texture2D { .. } | Self::Layer { .. } | Self::Layered { .. },
                SurfaceImage::Renderbuffer(_),
            ) => false,
        }
    }
}

/// Attachments of one driver framebuffer, by output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Attachments {
    color: [Attachment; MAX_COLOR_ATTACHMENTS],
    depth: Attachment,
    stencil: Attachment,
    /// Without attachments: width, height, layers, samples, fixed sample locations.
    default: [u32; 5],
}

impl Attachments {
    const NONE: Self = Self {
        color: [Attachment::None; MAX_COLOR_ATTACHMENTS],
        depth: Attachment::None,
        stencil: Attachment::None,
        default: [0; 5],
    };
}

#[derive(Debug)]
struct Entry {
    draw: glow::NativeFramebuffer,
    draw_attachments: Attachments,
    read: Option<glow::NativeFramebuffer>,
    read_attachments: Attachments,
    /// Epoch of driver names at which both were found right.
    epoch: u64,
    used: u64,
    /// An attached image died: its name may already be another's.
    dead: bool,
}

/// Framebuffers of one driver context (they are not shared).
#[derive(Debug, Default)]
pub struct FramebufferCache {
    entries: FxHashMap<u64, Entry>,
    clock: u64,
    /// Epoch at which the bound ones were found right.
    bound_epoch: u64,
    bound_hash: u64,
    /// For work of our own.
    scratch: [Option<glow::NativeFramebuffer>; 2],
}

/// More framebuffers than any frame of a known program binds; past it the older half goes.
const CACHE_LIMIT: usize = 512;

/// What resolves a surface to driver names.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    pub textures: &'a Textures,
    pub surfaces: &'a Surfaces,
}

impl Names<'_> {
    /// The attachment for a surface; `drawable` stands for surfaces of kind default.
    pub fn resolve(&self, surface: &Surface, drawable: SurfaceId, depth: bool) -> Attachment {
        match surface.kind {
            SurfaceKind::None => Attachment::None,
            SurfaceKind::Default => {
                let Some(d) = self.surfaces.table.get(drawable) else {
                    return Attachment::None;
                };
                match if depth { d.depth_stencil } else { d.color } {
                    SurfaceImage::None => Attachment::None,
                    SurfaceImage::Texture(name) => Attachment::Texture2D {
                        name,
                        target: glow::TEXTURE_2D,
                        level: 0,
                    },
                    SurfaceImage::Renderbuffer(name) => Attachment::Renderbuffer(name),
                }
            }
            SurfaceKind::Renderbuffer | SurfaceKind::Texture => match surface.resource.get() {
                Resource::Renderbuffer(id) => self
                    .textures
                    .renderbuffers
                    .get(id)
                    .map_or(Attachment::None, |r| Attachment::Renderbuffer(r.name)),
                Resource::Texture(id) => {
                    self.textures
                        .table
                        .get(id)
                        .map_or(Attachment::None, |texture| {
                            attach_texture(
                                texture,
                                i32::from(surface.level),
                                surface.layer as i32,
                                surface.layered != 0,
                            )
                        })
                }
                Resource::None | Resource::Buffer(_) => Attachment::None,
            },
        }
    }
}

/// The attachment for a level and layer of a texture.
pub fn attach_texture(
    texture: &crate::textures::Texture,
    level: i32,
    layer: i32,
    layered: bool,
) -> Attachment {
    let name = texture.name;
    match texture.desc.target {
        Target::Texture1D
        | Target::Texture2D
        | Target::TextureRectangle
        | Target::Texture2DMultisample => Attachment::Texture2D {
            name,
            target: texture.target,
            level,
        },
        Target::TextureCube if !layered => Attachment::Texture2D {
            name,
            target: glow::TEXTURE_CUBE_MAP_POSITIVE_X + layer as u32,
            level,
        },
        Target::Texture3D
        | Target::TextureCube
        | Target::Texture1DArray
        | Target::Texture2DArray
        | Target::TextureCubeArray
        | Target::Texture2DMultisampleArray => {
            if layered {
                Attachment::Layered { name, level }
            } else {
                Attachment::Layer { name, level, layer }
            }
        }
        Target::Buffer | Target::TextureBuffer | Target::Renderbuffer => Attachment::None,
    }
}

fn attach(gl: &Gl, target: u32, point: u32, attachment: Attachment) {
    // SAFETY: GL rules 1 and 2; the framebuffer is bound to `target`.
    unsafe {
        match attachment {
            Attachment::None => {
                gl.framebuffer_renderbuffer(target, point, glow::RENDERBUFFER, None);
            }
            Attachment::Texture2D {
                name,
                target: image,
                level,
            } => gl.framebuffer_texture_2d(target, point, image, Some(name), level),
            Attachment::Layer { name, level, layer } => {
                gl.framebuffer_texture_layer(target, point, Some(name), level, layer);
            }
            Attachment::Layered { name, level } => {
                gl.framebuffer_texture(target, point, Some(name), level);
            }
            Attachment::Renderbuffer(name) => {
                gl.framebuffer_renderbuffer(target, point, glow::RENDERBUFFER, Some(name));
            }
        }
    }
}

fn draw_attachments(names: Names<'_>, fb: &FramebufferState, drawable: SurfaceId) -> Attachments {
    let mut a = Attachments::NONE;
    for (output, index) in fb.draw_buffers.iter().enumerate() {
        if let Ok(index) = usize::try_from(*index)
            && let Some(surface) = fb.color.get(index)
        {
            a.color[output] = names.resolve(surface, drawable, false);
        }
    }
    a.depth = names.resolve(&fb.depth, drawable, true);
    a.stencil = names.resolve(&fb.stencil, drawable, true);
    a.default = [
        fb.width,
        fb.height,
        u32::from(fb.layers),
        u32::from(fb.samples),
        u32::from(fb.fixed_sample_locations),
    ];
    a
}

fn read_attachments(names: Names<'_>, fb: &FramebufferState, drawable: SurfaceId) -> Attachments {
    let mut a = Attachments::NONE;
    a.color[0] = names.resolve(&fb.read.color, drawable, false);
    a.depth = names.resolve(&fb.read.depth, drawable, true);
    a.stencil = names.resolve(&fb.read.stencil, drawable, true);
    a.default = [fb.read.width, fb.read.height, 0, 0, 0];
    a
}

/// Fills the framebuffer bound to `target`. The driver's word on its completeness.
fn fill(gl: &Gl, target: u32, a: &Attachments) -> u32 {
    let mut buffers = [glow::NONE; MAX_COLOR_ATTACHMENTS];
    let mut used = 0;
    for (i, attachment) in a.color.iter().enumerate() {
        if *attachment != Attachment::None {
            let point = glow::COLOR_ATTACHMENT0 + i as u32;
            attach(gl, target, point, *attachment);
            buffers[i] = point;
            used = i + 1;
        }
    }
    if a.depth != Attachment::None {
        attach(gl, target, glow::DEPTH_ATTACHMENT, a.depth);
    }
    if a.stencil != Attachment::None {
        attach(gl, target, glow::STENCIL_ATTACHMENT, a.stencil);
    }
    // SAFETY: GL rule 1; the framebuffer is bound to `target`.
    unsafe {
        if target == glow::DRAW_FRAMEBUFFER {
            gl.draw_buffers(&buffers[..used.max(1)]);
        } else {
            gl.read_buffer(buffers[0]);
        }
        let empty = used == 0 && a.depth == Attachment::None && a.stencil == Attachment::None;
        if empty {
            let parameters = [
                glow::FRAMEBUFFER_DEFAULT_WIDTH,
                glow::FRAMEBUFFER_DEFAULT_HEIGHT,
                glow::FRAMEBUFFER_DEFAULT_LAYERS,
                glow::FRAMEBUFFER_DEFAULT_SAMPLES,
                glow::FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS,
            ];
            for (name, value) in parameters.into_iter().zip(a.default) {
                gl.ext.framebuffer_parameter_i(target, name, value as i32);
            }
        }
        gl.check_framebuffer_status(target)
    }
}

fn make(
    gl: &Gl,
    cx_bind: impl FnOnce(glow::NativeFramebuffer),
    target: u32,
    a: &Attachments,
) -> Result<glow::NativeFramebuffer, String> {
    // SAFETY: GL rule 1.
    let name = unsafe { gl.create_framebuffer() }?;
    cx_bind(name);
    match fill(gl, target, a) {
        glow::FRAMEBUFFER_COMPLETE => Ok(name),
        status => Err(format!("framebuffer incomplete: {status:#x} for {a:?}")),
    }
}

impl Context {
    /// Binds the driver framebuffer that draws of this state go to. `Err`: the driver does not take it.
    pub fn bind_draw_state(
        &mut self,
        gl: &Gl,
        names: Names<'_>,
        fb: &FramebufferState,
    ) -> Result<(), String> {
        let epoch = names.textures.epoch;
        let hash = fb.content_hash;
        self.framebuffers.clock += 1;
        let clock = self.framebuffers.clock;
        if let Some(entry) = self.framebuffers.entries.get_mut(&hash) {
            entry.used = clock;
            let right = !entry.dead
                && (entry.epoch == epoch
                    || entry.draw_attachments == draw_attachments(names, fb, self.draw)
                        && entry.read_attachments == read_attachments(names, fb, self.read));
            if right {
                entry.epoch = epoch;
                let name = entry.draw;
                self.framebuffers.bound_epoch = epoch;
                self.framebuffers.bound_hash = hash;
                self.bind_draw(gl, Some(name));
                return Ok(());
            }
            self.drop_entry(gl, hash);
        }
        if self.framebuffers.entries.len() >= CACHE_LIMIT {
            self.trim(gl);
        }
        let a = draw_attachments(names, fb, self.draw);
        let draw = make(
            gl,
            |name| self.bind_draw(gl, Some(name)),
            glow::DRAW_FRAMEBUFFER,
            &a,
        )?;
        self.framebuffers.entries.insert(
            hash,
            Entry {
                draw,
                draw_attachments: a,
                read: None,
                read_attachments: read_attachments(names, fb, self.read),
                epoch,
                used: clock,
                dead: false,
            },
        );
        self.framebuffers.bound_epoch = epoch;
        self.framebuffers.bound_hash = hash;
        Ok(())
    }

    /// Whether the bound draw framebuffer is still the one of the state last bound, as far as driver names go.
    #[inline]
    pub fn draw_state_is_current(&self, epoch: u64) -> bool {
        self.framebuffers.bound_epoch == epoch
    }

    /// Binds the driver framebuffer that reads of this state come from.
    pub fn bind_read_state(
        &mut self,
        gl: &Gl,
        names: Names<'_>,
        fb: &FramebufferState,
    ) -> Result<(), String> {
        let epoch = names.textures.epoch;
        let hash = fb.content_hash;
        let a = read_attachments(names, fb, self.read);
        if let Some(entry) = self.framebuffers.entries.get(&hash)
            && let Some(read) = entry.read
            && entry.epoch == epoch
            && !entry.dead
            && entry.read_attachments == a
        {
            self.bind_read(gl, Some(read));
            return Ok(());
        }
        // The draw half makes (or checks) the entry; a state that cannot be drawn to may still be read from.
        let drawable = self.bind_draw_state(gl, names, fb);
        if let Some(entry) = self.framebuffers.entries.get(&hash)
            && let Some(read) = entry.read
        {
            self.bind_read(gl, Some(read));
            return Ok(());
        }
        let read = make(
            gl,
            |name| self.bind_read(gl, Some(name)),
            glow::READ_FRAMEBUFFER,
            &a,
        )?;
        if drawable.is_ok()
            && let Some(entry) = self.framebuffers.entries.get_mut(&hash)
        {
            entry.read = Some(read);
        }
        Ok(())
    }

    /// Binds a framebuffer of our own with one colour attachment (or one depth and stencil) for draws or reads.
    pub fn bind_scratch_framebuffer(
        &mut self,
        gl: &Gl,
        target: u32,
        color: Attachment,
        depth: Attachment,
        stencil: Attachment,
    ) -> Result<(), String> {
        let which = usize::from(target == glow::READ_FRAMEBUFFER);
        let name = match self.framebuffers.scratch[which] {
            Some(name) => name,
            None => {
                // SAFETY: GL rule 1.
                let name = unsafe { gl.create_framebuffer() }?;
                self.framebuffers.scratch[which] = Some(name);
                name
            }
        };
        if target == glow::READ_FRAMEBUFFER {
            self.bind_read(gl, Some(name));
        } else {
            self.bind_draw(gl, Some(name));
            self.framebuffers.bound_epoch = 0;
        }
        for point in [glow::DEPTH_ATTACHMENT, glow::STENCIL_ATTACHMENT] {
            attach(gl, target, point, Attachment::None);
        }
        attach(gl, target, glow::COLOR_ATTACHMENT0, Attachment::None);
        let mut a = Attachments::NONE;
        a.color[0] = color;
        a.depth = depth;
        a.stencil = stencil;
        match fill(gl, target, &a) {
            glow::FRAMEBUFFER_COMPLETE => Ok(()),
            status => Err(format!("framebuffer of our own incomplete: {status:#x}")),
        }
    }

    /// An image's driver name is about to be deleted.
    pub fn image_dies(&mut self, image: SurfaceImage) {
        self.framebuffers.bound_epoch = 0;
        for entry in self.framebuffers.entries.values_mut() {
            let has = |a: &Attachments| {
                a.color
                    .iter()
                    .chain([&a.depth, &a.stencil])
                    .any(|x| x.is(image))
            };
            entry.dead |= has(&entry.draw_attachments) || has(&entry.read_attachments);
        }
    }

    fn drop_entry(&mut self, gl: &Gl, hash: u64) {
        if let Some(entry) = self.framebuffers.entries.remove(&hash) {
            for name in [Some(entry.draw), entry.read].into_iter().flatten() {
                self.delete_framebuffer(gl, name);
            }
        }
    }

    fn trim(&mut self, gl: &Gl) {
        let mut ages: Vec<(u64, u64)> = self
            .framebuffers
            .entries
            .iter()
            .map(|(hash, entry)| (entry.used, *hash))
            .collect();
        ages.sort_unstable();
        for (_, hash) in &ages[..ages.len() / 2] {
            self.drop_entry(gl, *hash);
        }
    }

    fn delete_framebuffer(&mut self, gl: &Gl, name: glow::NativeFramebuffer) {
        if self.draw_framebuffer == Some(name) {
            self.bind_draw(gl, None);
        }
        if self.read_framebuffer == Some(name) {
            self.bind_read(gl, None);
        }
        // SAFETY: GL rules 1 and 2; not bound any more.
        unsafe { gl.delete_framebuffer(name) };
    }
}
