//! Textures and renderbuffers: immutable driver storage per description, uploads, parameters. It must never be sampled-state: samplers are objects of their own.

use crate::context::Context;
use crate::conv::{self, Conv, How};
use crate::driver::Gl;
use crate::surfaces::SurfaceImage;
use backend_common::{TwinKey, TwinTable};
use glow::HasContext;
use pipe::pixels::{ClientImage, Pitch, group_bytes, pack};
use pipe::{
    Box3, BufferId, RenderbufferId, ResourceDesc, SamplerViewDesc, SamplerViewId, SubData,
    SubRegion, Target, TextureId, TextureParams,
};
use pipe_inputs::objects::Table;
use smallvec::SmallVec;

/// A driver texture.
#[derive(Debug)]
pub struct Texture {
    pub name: glow::NativeTexture,
    /// The driver's target: 1D is 2D of height 1, rectangle is 2D.
    pub target: u32,
    pub desc: ResourceDesc,
    pub conv: Conv,
    pub params: Option<TextureParams>,
    /// Parameters that the driver has.
    applied: Applied,
}

/// Texture parameters as the driver has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Applied {
    base: i32,
    max: i32,
    swizzle: [i32; 4],
    depth_stencil_mode: i32,
}

impl Applied {
    /// ES 3.2 table 21.10: initial values.
    const INITIAL: Self = Self {
        base: 0,
        max: 1000,
        swizzle: [
            glow::RED as i32,
            glow::GREEN as i32,
            glow::BLUE as i32,
            glow::ALPHA as i32,
        ],
        depth_stencil_mode: glow::DEPTH_COMPONENT as i32,
    };
}

/// A driver renderbuffer.
#[derive(Debug)]
pub struct Renderbuffer {
    pub name: glow::NativeRenderbuffer,
}

/// Textures and renderbuffers of the session.
#[derive(Debug)]
pub struct Textures {
    pub table: TwinTable<TextureId, Texture>,
    /// Parameters live from the first telling on, also while there is no storage.
    params: Table<TextureId, TextureParams>,
    /// Driver views by sampler view, for those that show a texture in another way than it is.
    views: Table<SamplerViewId, Texture>,
    view_list: Vec<SamplerViewId>,
    /// Textures that show a buffer.
    buffer_textures: Vec<TextureId>,
    pub renderbuffers: TwinTable<RenderbufferId, Renderbuffer>,
    /// Moves when a driver name changes or dies: caches of framebuffers check their names again.
    pub epoch: u64,
    scratch: Vec<u8>,
}

/// The driver's texture target for ours.
pub const fn driver_target(target: Target) -> u32 {
    match target {
        Target::Texture1D | Target::Texture2D | Target::TextureRectangle => glow::TEXTURE_2D,
        Target::Texture1DArray | Target::Texture2DArray => glow::TEXTURE_2D_ARRAY,
        Target::Texture3D => glow::TEXTURE_3D,
        Target::TextureCube => glow::TEXTURE_CUBE_MAP,
        Target::TextureCubeArray => glow::TEXTURE_CUBE_MAP_ARRAY,
        Target::TextureBuffer => glow::TEXTURE_BUFFER,
        Target::Texture2DMultisample => glow::TEXTURE_2D_MULTISAMPLE,
        Target::Texture2DMultisampleArray => glow::TEXTURE_2D_MULTISAMPLE_ARRAY,
        // Neither is a texture; the client never sends them as one.
        Target::Buffer | Target::Renderbuffer => 0,
    }
}

/// Why storage could not be made.
#[derive(Debug)]
pub enum StorageError {
    OutOfMemory,
    Unsupported(String),
}

impl Textures {
    /// Empty tables of the given keying.
    pub fn new(key: TwinKey) -> Self {
        Self {
            table: TwinTable::new(key),
            params: Table::default(),
            views: Table::default(),
            view_list: Vec::new(),
            buffer_textures: Vec::new(),
            renderbuffers: TwinTable::new(key),
            epoch: 0,
            scratch: Vec::new(),
        }
    }

    /// Driver images whose handles ended earlier, for the keying that finds out late.
    pub fn collect(&mut self) -> Vec<SurfaceImage> {
        let (mut textures, mut renderbuffers) = (Vec::new(), Vec::new());
        self.table.collect(&mut textures);
        self.renderbuffers.collect(&mut renderbuffers);
        let textures = textures.iter().map(|t| SurfaceImage::Texture(t.name));
        let renderbuffers = renderbuffers
            .iter()
            .map(|r| SurfaceImage::Renderbuffer(r.name));
        textures.chain(renderbuffers).collect()
    }

    /// Gives a texture the described storage under a fresh driver name; also answers the textures to delete.
    pub fn specify(
        &mut self,
        gl: &Gl,
        cx: &mut Context,
        id: TextureId,
        desc: &ResourceDesc,
    ) -> (SmallVec<[Texture; 2]>, Result<(), StorageError>) {
        let mut unwanted: SmallVec<[Texture; 2]> = self.table.take(id).into_iter().collect();
        self.epoch += 1;
        match self.make(gl, cx, id, desc, unwanted.first()) {
            Ok(Some(texture)) => {
                unwanted.extend(self.table.insert_with_lifetime(id, desc.lifetime, texture));
                (unwanted, Ok(()))
            }
            Ok(None) => (unwanted, Ok(())),
            Err(error) => (unwanted, Err(error)),
        }
    }

    /// A driver texture for a description, with what `old` holds where that is to be kept; `None`: nothing to store.
    fn make(
        &self,
        gl: &Gl,
        cx: &mut Context,
        id: TextureId,
        desc: &ResourceDesc,
        old: Option<&Texture>,
    ) -> Result<Option<Texture>, StorageError> {
        let params = self.params.get(id).copied();
        if desc.format == pipe::Format::None || driver_target(desc.target) == 0 {
            return Ok(None);
        }
        let conv = conv::conv(desc.format, &gl.features);
        if conv.how == How::Unsupported {
            return Err(StorageError::Unsupported(format!(
                "texture format {}",
                desc.format.info().name
            )));
        }
        if desc.target != Target::TextureBuffer && (desc.width == 0 || desc.height == 0) {
            return Ok(None);
        }
        // SAFETY: GL rule 1.
        let name = unsafe { gl.create_texture() }.map_err(|_| StorageError::OutOfMemory)?;
        let texture = Texture {
            name,
            target: driver_target(desc.target),
            desc: *desc,
            conv,
            params,
            applied: Applied::INITIAL,
        };
        let viewed = self.table.get(desc.view_of).map(|owner| owner.name);
        match viewed {
            Some(owner) if gl.features.texture_view => {
                // SAFETY: GL rules 1 and 2; the name is fresh, as the call asks.
                unsafe {
                    gl.ext.texture_view(
                        name.0.get(),
                        texture.target,
                        owner.0.get(),
                        conv.internal,
                        u32::from(desc.view_min_level),
                        u32::from(desc.levels.max(1)),
                        u32::from(desc.view_min_layer),
                        u32::from(desc.layers.max(1)),
                    );
                }
            }
            _ => {
                cx.bind_scratch(gl, texture.target, name);
                texture.allocate(gl);
            }
        }
        // SAFETY: GL rule 1.
        let error = unsafe { gl.get_error() };
        if error != glow::NO_ERROR {
            // SAFETY: GL rules 1 and 2.
            unsafe { gl.delete_texture(name) };
            cx.texture_dies(name);
            return Err(if error == glow::OUT_OF_MEMORY {
                StorageError::OutOfMemory
            } else {
                StorageError::Unsupported(format!(
                    "texture storage {:?} {} {}x{}x{} levels {} samples {}: driver error {error:#x}",
                    desc.target,
                    desc.format.info().name,
                    desc.width,
                    desc.height,
                    desc.depth.max(u32::from(desc.layers)),
                    desc.levels,
                    desc.samples
                ))
            });
        }
        if let Some(old) = old
            && desc.flags & pipe::ResourceFlags::KEEP_CONTENT.bits() != 0
        {
            old.copy_levels_to(gl, &texture);
        }
        Ok(Some(texture))
    }

    /// Notes a texture's parameters.
    pub fn set_params(&mut self, params: &TextureParams) {
        self.params.insert(params.texture, *params);
        if let Some(texture) = self.table.get_mut(params.texture) {
            texture.params = Some(*params);
        }
    }

    /// Forgets a texture; the caller deletes its driver name and those of its views.
    pub fn remove(&mut self, id: TextureId) -> Option<Texture> {
        self.params.remove(id);
        self.buffer_textures.retain(|other| *other != id);
        self.table.remove(id)
    }

    /// Buffer textures that show a buffer.
    pub fn showing(&self, buffer: BufferId) -> Vec<TextureId> {
        self.buffer_textures
            .iter()
            .copied()
            .filter(|id| {
                self.table
                    .get(*id)
                    .is_some_and(|texture| texture.desc.texture_buffer == buffer)
            })
            .collect()
    }

    /// Makes the driver's view for a sampler view that needs one: another format, another target, fewer layers.
    /// `None`: the texture itself serves, or the driver has no views.
    pub fn view_for(&mut self, gl: &Gl, desc: &SamplerViewDesc) -> Option<&mut Texture> {
        let owner = self.table.get(desc.texture)?;
        let conv = conv::conv(desc.format, &gl.features);
        let all_layers = desc.layers == 0 || desc.layers >= owner.desc.layers;
        let itself = (desc.format == pipe::Format::None || conv.internal == owner.conv.internal)
            && driver_target(desc.target) == owner.target
            && desc.min_layer == 0
            && (all_layers || owner.target == glow::TEXTURE_3D);
        if itself || !gl.features.texture_view || owner.target == glow::TEXTURE_BUFFER {
            return None;
        }
        if self.views.get(desc.id).is_none() {
            let levels = match desc.levels {
                0 => owner.desc.levels.max(1),
                n => n,
            };
            let layers = match desc.layers {
                0 => owner.desc.layers.max(1),
                n => n,
            };
            let target = driver_target(desc.target);
            // SAFETY: GL rule 1.
            let name = unsafe { gl.create_texture() }.ok()?;
            // SAFETY: GL rules 1 and 2; the name is fresh, as the call asks.
            unsafe {
                gl.ext.texture_view(
                    name.0.get(),
                    target,
                    owner.name.0.get(),
                    conv.internal,
                    u32::from(desc.min_level),
                    u32::from(levels),
                    u32::from(desc.min_layer),
                    u32::from(layers),
                );
            }
            let view = Texture {
                name,
                target,
                desc: ResourceDesc {
                    target: desc.target,
                    format: desc.format,
                    levels,
                    layers,
                    view_of: desc.texture,
                    ..owner.desc
                },
                conv,
                params: owner.params,
                applied: Applied::INITIAL,
            };
            self.views.insert(desc.id, view);
            self.view_list.push(desc.id);
        }
        let params = self.params.get(desc.texture).copied();
        let view = self.views.get_mut(desc.id)?;
        view.params = params;
        Some(view)
    }

    /// Forgets driver views of a texture (or of one sampler view); the caller deletes their names.
    pub fn take_views(
        &mut self,
        of: impl Fn(SamplerViewId, &Texture) -> bool,
    ) -> Vec<glow::NativeTexture> {
        let mut names = Vec::new();
        let views = &mut self.views;
        self.view_list.retain(|id| {
            let dies = views.get(*id).is_some_and(|view| of(*id, view));
            if dies && let Some(view) = views.remove(*id) {
                names.push(view.name);
            }
            !dies
        });
        names
    }

    /// Points a buffer texture at its buffer.
    pub fn attach_buffer(
        &mut self,
        gl: &Gl,
        cx: &mut Context,
        id: TextureId,
        buffer: Option<&crate::buffers::Buffer>,
    ) {
        let Some(texture) = self.table.get(id) else {
            return;
        };
        if !self.buffer_textures.contains(&id) {
            self.buffer_textures.push(id);
        }
        cx.bind_scratch(gl, texture.target, texture.name);
        let desc = &texture.desc;
        let (name, offset, size) = buffer.map_or((0, 0, 0), |buffer| {
            let (offset, size) = buffer.clip(
                desc.texture_buffer_offset_bytes,
                desc.texture_buffer_size_bytes,
            );
            (crate::buffers::raw(buffer.name), offset, size)
        });
        // SAFETY: GL rules 1 and 2.
        unsafe {
            if name == 0 || size == 0 {
                gl.tex_buffer(texture.target, texture.conv.internal, None);
            } else {
                gl.ext
                    .tex_buffer_range(texture.target, texture.conv.internal, name, offset, size);
            }
        }
    }

    /// Gives a renderbuffer storage; `false`: out of memory.
    pub fn specify_renderbuffer(
        &mut self,
        gl: &Gl,
        id: RenderbufferId,
        desc: &ResourceDesc,
    ) -> bool {
        self.epoch += 1;
        let name = match self.renderbuffers.take(id) {
            Some(renderbuffer) => renderbuffer.name,
            None => {
                // SAFETY: GL rule 1.
                match unsafe { gl.create_renderbuffer() } {
                    Ok(name) => name,
                    Err(_) => return false,
                }
            }
        };
        let conv = conv::conv(desc.format, &gl.features);
        let mut error = glow::NO_ERROR;
        if desc.format != pipe::Format::None && desc.width > 0 && desc.height > 0 {
            // SAFETY: GL rules 1 and 2.
            error = unsafe {
                gl.bind_renderbuffer(glow::RENDERBUFFER, Some(name));
                gl.renderbuffer_storage_multisample(
                    glow::RENDERBUFFER,
                    i32::from(desc.samples),
                    conv.internal,
                    desc.width as i32,
                    desc.height as i32,
                );
                gl.get_error()
            };
        }
        let twin = Renderbuffer { name };
        if let Some(unwanted) = self
            .renderbuffers
            .insert_with_lifetime(id, desc.lifetime, twin)
        {
            // SAFETY: GL rules 1 and 2; it was never attached to anything.
            unsafe { gl.delete_renderbuffer(unwanted.name) };
        }
        error != glow::OUT_OF_MEMORY
    }

    /// Uploads one level's regions from canonical storage.
    pub fn upload(
        &mut self,
        gl: &Gl,
        cx: &mut Context,
        id: TextureId,
        p: &SubData,
        regions: &[SubRegion],
        bytes: &[u8],
    ) {
        let Some(texture) = self.table.get(id) else {
            return;
        };
        cx.bind_scratch(gl, texture.target, texture.name);
        let level = i32::from(p.level);
        // Many small regions of a copy of the whole level: one upload of their union moves more bytes and costs less.
        const UNION_FROM: usize = 8;
        if p.source_is_verbatim_level_shadow != 0 && regions.len() >= UNION_FROM {
            let row = texture.level_row_bytes(p.level);
            let slice = row * texture.level_rows(p.level);
            let bpp = usize::from(texture.desc.format.info().storage.bytes);
            let b = p.union_box;
            let region = SubRegion {
                dst: b,
                src_offset_bytes: (b.z as usize * slice + b.y as usize * row + b.x as usize * bpp)
                    as u64,
                src_row_stride_bytes: row as u32,
                src_slice_stride_bytes: slice as u32,
            };
            texture.upload_region(gl, level, &region, bytes, &mut self.scratch);
            return;
        }
        for region in regions {
            texture.upload_region(gl, level, region, bytes, &mut self.scratch);
        }
    }
}

impl Texture {
    fn allocate(&self, gl: &Gl) {
        let d = &self.desc;
        let (w, h) = (d.width as i32, d.height.max(1) as i32);
        let levels = i32::from(d.levels.max(1));
        let layers = i32::from(d.layers.max(1));
        let samples = i32::from(d.samples.max(1));
        let fixed = d.flags & pipe::ResourceFlags::FIXED_SAMPLE_LOCATIONS.bits() != 0;
        let internal = self.conv.internal;
        // SAFETY: GL rules 1 and 2; this texture is bound to its target on the scratch unit.
        unsafe {
            match d.target {
                Target::Texture1D
                | Target::Texture2D
                | Target::TextureRectangle
                | Target::TextureCube => {
                    gl.tex_storage_2d(self.target, levels, internal, w, h);
                }
                Target::Texture3D => {
                    gl.tex_storage_3d(self.target, levels, internal, w, h, d.depth.max(1) as i32);
                }
                Target::Texture1DArray => {
                    gl.tex_storage_3d(self.target, levels, internal, w, 1, layers);
                }
                Target::Texture2DArray | Target::TextureCubeArray => {
                    gl.tex_storage_3d(self.target, levels, internal, w, h, layers);
                }
                Target::Texture2DMultisample => {
                    gl.tex_storage_2d_multisample(self.target, samples, internal, w, h, fixed);
                }
                Target::Texture2DMultisampleArray => {
                    gl.ext.tex_storage_3d_multisample(
                        self.target,
                        samples,
                        internal,
                        w,
                        h,
                        layers,
                        u8::from(fixed),
                    );
                }
                Target::Buffer | Target::TextureBuffer | Target::Renderbuffer => {}
            }
        }
    }

    /// Width, height and depth (or layers) of a level.
    pub fn level_size(&self, level: u16) -> (u32, u32, u32) {
        let d = &self.desc;
        let mip = |n: u32| (n >> level).max(1);
        match d.target {
            Target::Texture3D => (mip(d.width), mip(d.height), mip(d.depth)),
            Target::Texture1DArray => (mip(d.width), 1, u32::from(d.layers.max(1))),
            _ => (mip(d.width), mip(d.height), u32::from(d.layers.max(1))),
        }
    }

    fn level_row_bytes(&self, level: u16) -> usize {
        self.level_size(level).0 as usize * usize::from(self.desc.format.info().storage.bytes)
    }

    fn level_rows(&self, level: u16) -> usize {
        self.level_size(level).1 as usize
    }

    fn upload_region(
        &self,
        gl: &Gl,
        level: i32,
        region: &SubRegion,
        bytes: &[u8],
        scratch: &mut Vec<u8>,
    ) {
        let b = region.dst;
        if b.width == 0 || b.height == 0 || b.depth == 0 {
            return;
        }
        let storage = self.desc.format.info().storage;
        let bpp = usize::from(storage.bytes);
        let tight_row = b.width as usize * bpp;
        let row = match region.src_row_stride_bytes {
            0 => tight_row,
            n => n as usize,
        };
        let slice = match region.src_slice_stride_bytes {
            0 => row * b.height as usize,
            n => n as usize,
        };
        let start = region.src_offset_bytes as usize;
        let last =
            start + (b.depth as usize - 1) * slice + (b.height as usize - 1) * row + tight_row;
        let Some(source) = bytes.get(start..last) else {
            return;
        };
        let tight = row == tight_row && slice == row * b.height as usize;
        if self.conv.how == How::Direct && (tight || row % bpp == 0 && slice % row == 0) {
            if !tight {
                // SAFETY: GL rule 1.
                unsafe {
                    gl.pixel_store_i32(glow::UNPACK_ROW_LENGTH, (row / bpp) as i32);
                    gl.pixel_store_i32(glow::UNPACK_IMAGE_HEIGHT, (slice / row) as i32);
                }
            }
            self.tex_sub_image(gl, level, &b, source, slice);
            if !tight {
                // SAFETY: GL rule 1.
                unsafe {
                    gl.pixel_store_i32(glow::UNPACK_ROW_LENGTH, 0);
                    gl.pixel_store_i32(glow::UNPACK_IMAGE_HEIGHT, 0);
                }
            }
            return;
        }
        let image = ClientImage::tight(self.conv.format, self.conv.ty, b.width, b.height, b.depth);
        let group = usize::from(group_bytes(self.conv.format, self.conv.ty));
        let tight_slice = b.width as usize * b.height as usize * group;
        scratch.clear();
        scratch.resize(tight_slice * b.depth as usize, 0);
        let pitch = Pitch {
            row: row as u64,
            image: slice as u64,
        };
        // The driver's layout is one that an application could read this format in.
        match pack(source, self.desc.format, pitch, &image, scratch) {
            Ok(()) => self.tex_sub_image(gl, level, &b, scratch, tight_slice),
            Err(why) => tracing::error!(%why, format = self.desc.format.info().name, "upload"),
        }
    }

    /// The upload itself; the unpack parameters describe `bytes`, slices are `slice` bytes apart.
    fn tex_sub_image(&self, gl: &Gl, level: i32, b: &Box3, bytes: &[u8], slice: usize) {
        let (format, ty) = (self.conv.format.gl(), self.conv.ty.gl());
        let (w, h, d) = (b.width as i32, b.height as i32, b.depth as i32);
        // SAFETY (all calls): GL rules 1 and 2; `bytes` covers the box under the unpack parameters (computed by the caller).
        match self.desc.target {
            Target::TextureCube => {
                for i in 0..b.depth as usize {
                    let face = glow::TEXTURE_CUBE_MAP_POSITIVE_X + b.z as u32 + i as u32;
                    let data = glow::PixelUnpackData::Slice(Some(&bytes[i * slice..]));
                    // SAFETY: GL rules 1, 2 and 3: one face's box.
                    unsafe { gl.tex_sub_image_2d(face, level, b.x, b.y, w, h, format, ty, data) };
                }
            }
            Target::Texture1D | Target::Texture2D | Target::TextureRectangle => {
                let data = glow::PixelUnpackData::Slice(Some(bytes));
                // SAFETY: GL rules 1, 2 and 3.
                unsafe {
                    gl.tex_sub_image_2d(self.target, level, b.x, b.y, w, h, format, ty, data);
                }
            }
            Target::Texture3D
            | Target::Texture1DArray
            | Target::Texture2DArray
            | Target::TextureCubeArray => {
                let data = glow::PixelUnpackData::Slice(Some(bytes));
                // SAFETY: GL rules 1, 2 and 3.
                unsafe {
                    gl.tex_sub_image_3d(
                        self.target,
                        level,
                        b.x,
                        b.y,
                        b.z,
                        w,
                        h,
                        d,
                        format,
                        ty,
                        data,
                    );
                }
            }
            Target::Buffer
            | Target::TextureBuffer
            | Target::Texture2DMultisample
            | Target::Texture2DMultisampleArray
            | Target::Renderbuffer => {}
        }
    }

    /// Copies the levels that both have with the same extent.
    fn copy_levels_to(&self, gl: &Gl, to: &Self) {
        if self.conv.internal != to.conv.internal
            || self.target != to.target
            || self.target == glow::TEXTURE_BUFFER
            || self.desc.samples != to.desc.samples
        {
            return;
        }
        for level in 0..self.desc.levels.min(to.desc.levels) {
            if self.level_size(level) != to.level_size(level) {
                continue;
            }
            let (w, h, d) = self.level_size(level);
            let level = i32::from(level);
            // SAFETY: GL rules 1 and 2: both have this level with this extent and one format.
            unsafe {
                gl.copy_image_sub_data(
                    self.name,
                    self.target,
                    level,
                    0,
                    0,
                    0,
                    to.name,
                    to.target,
                    level,
                    0,
                    0,
                    0,
                    w as i32,
                    h as i32,
                    d as i32,
                );
            }
        }
    }

    /// Tells the driver this texture's parameters as seen through a view's limits. The texture is bound by `bind` if anything differs.
    pub fn apply_params(
        &mut self,
        gl: &Gl,
        limits: Option<(u16, u16)>,
        bind: impl FnOnce(u32, glow::NativeTexture),
    ) {
        if matches!(self.target, glow::TEXTURE_BUFFER) {
            return;
        }
        let want = self.wanted(limits);
        if want == self.applied {
            return;
        }
        bind(self.target, self.name);
        let multisample = matches!(
            self.target,
            glow::TEXTURE_2D_MULTISAMPLE | glow::TEXTURE_2D_MULTISAMPLE_ARRAY
        );
        let target = self.target;
        // SAFETY: GL rules 1 and 2; bound just above.
        let set = |name: u32, value: i32| unsafe { gl.tex_parameter_i32(target, name, value) };
        if want.base != self.applied.base && !multisample {
            set(glow::TEXTURE_BASE_LEVEL, want.base);
        }
        if want.max != self.applied.max && !multisample {
            set(glow::TEXTURE_MAX_LEVEL, want.max);
        }
        let names = [
            glow::TEXTURE_SWIZZLE_R,
            glow::TEXTURE_SWIZZLE_G,
            glow::TEXTURE_SWIZZLE_B,
            glow::TEXTURE_SWIZZLE_A,
        ];
        for (i, name) in names.into_iter().enumerate() {
            if want.swizzle[i] != self.applied.swizzle[i] {
                set(name, want.swizzle[i]);
            }
        }
        if want.depth_stencil_mode != self.applied.depth_stencil_mode {
            set(glow::DEPTH_STENCIL_TEXTURE_MODE, want.depth_stencil_mode);
        }
        self.applied = want;
    }

    /// Notes parameters that internal work set on the bound texture.
    pub fn note_levels(&mut self, base: i32, max: i32) {
        self.applied.base = base;
        self.applied.max = max;
    }

    fn wanted(&self, limits: Option<(u16, u16)>) -> Applied {
        let last = i32::from(self.desc.levels.max(1)) - 1;
        let mut want = Applied {
            base: 0,
            max: last,
            swizzle: self.conv.swizzle.map(conv::Source::gl),
            depth_stencil_mode: glow::DEPTH_COMPONENT as i32,
        };
        if let Some(params) = &self.params {
            want.base = i32::from(params.base_level).min(last);
            want.max = i32::from(params.max_level).clamp(want.base, last);
            want.swizzle = params
                .swizzle
                .map(|s| conv::compose(s, self.conv.swizzle).gl());
            if u32::from(params.depth_stencil_mode) == glow::STENCIL_INDEX {
                want.depth_stencil_mode = glow::STENCIL_INDEX as i32;
            }
        }
        if let Some((min_level, levels)) = limits
            && levels != 0
        {
            let end = (i32::from(min_level) + i32::from(levels) - 1).min(last);
            want.base = (want.base + i32::from(min_level)).min(end);
            want.max = want.max.clamp(want.base, end);
        }
        if self.desc.format == pipe::Format::StencilIndex8 {
            want.depth_stencil_mode = glow::STENCIL_INDEX as i32;
        }
        want
    }
}
