//! Readback: pixels and texture images to client layouts. It must never answer with texels that were not read.

use crate::backend::GlesBackend;
use crate::conv::{self, How, Source};
use crate::framebuffers::{Attachment, Names, attach_texture};
use crate::internal::Copy;
use backend_common::readback::{Readback, RowOrder};
use glow::HasContext;
use pipe::formats::BaseFormat;
use pipe::pixels::{ClientImage, Dims, PixelFormat, PixelType, group_bytes};
use pipe::{BufferId, Format, FormatUse, GetTextureImage, ReadPixels, Target};
use pipe_inputs::Told;

type Layout = (PixelFormat, PixelType);

/// A rectangle to read, x, y, width, height.
type Rect = (i32, i32, u32, u32);

/// Where packed bytes go.
struct Destination<'a> {
    out: Option<&'a mut [u8]>,
    buffer: BufferId,
    offset: u64,
}

/// What is read from.
#[derive(Clone, Copy)]
struct Image {
    depth: Attachment,
    stencil: Attachment,
    format: Format,
    width: u32,
    height: u32,
}

impl GlesBackend {
    /// The pixel readback verb.
    pub(crate) fn read_pixels_verb(
        &mut self,
        told: Told<'_>,
        p: &ReadPixels,
        out: Option<&mut [u8]>,
    ) {
        let fb = told.inputs.framebuffer();
        let names = Names {
            textures: &self.textures,
            surfaces: &self.surfaces,
        };
        let color = p.format.is_color();
        let read = &fb.read;
        let image = Image {
            depth: names.resolve(&read.depth, self.cx.read, true),
            stencil: names.resolve(&read.stencil, self.cx.read, true),
            format: if color {
                read.color.format
            } else if p.format == PixelFormat::StencilIndex {
                read.stencil.format
            } else {
                read.depth.format
            },
            width: read.width,
            height: read.height,
        };
        let rect = (p.x, p.y, p.width, p.height);
        let destination = Destination {
            out,
            buffer: p.pack_buffer,
            offset: p.pack_offset_bytes,
        };
        let client = ClientImage {
            format: p.format,
            ty: p.ty,
            store: *told.inputs.pack(),
            width: p.width,
            height: p.height,
            depth: 1,
            dims: Dims::Two,
        };
        if color && self.can_read_directly(image.format, &client, &destination) {
            if self.bind_read_framebuffer(told) {
                self.read_directly(rect, (p.format, p.ty), destination);
            }
            return;
        }
        let tight = if color {
            if !self.bind_read_framebuffer(told) {
                return;
            }
            let layout = conv::read_layout(image.format, &self.gl.features);
            Some((self.read_bound(rect, layout), layout))
        } else {
            self.read_depth_stencil(image, rect)
        };
        if let Some((bytes, layout)) = tight {
            self.deliver(&bytes, layout, image.format, &client, destination);
        }
    }

    /// Whether the driver packs these pixels as the application wants them.
    fn can_read_directly(
        &self,
        format: Format,
        client: &ClientImage,
        destination: &Destination<'_>,
    ) -> bool {
        let features = &self.gl.features;
        let conv = conv::conv(format, features);
        let want = (client.format, client.ty);
        let Ok(layout) = client.layout() else {
            return false;
        };
        layout.first_byte == 0
            && (layout.row_stride == layout.row_bytes || client.height == 1)
            && conv.how == How::Direct
            && conv.swizzle == [Source::R, Source::G, Source::B, Source::A]
            && conv::read_layout(format, features) == want
            && (client.store.swap_bytes == 0 || want.1.swap_bytes_unit() == 1)
            && destination
                .out
                .as_ref()
                .is_none_or(|out| out.len() as u64 >= layout.total_bytes)
    }

    fn read_directly(&mut self, rect: Rect, layout: Layout, destination: Destination<'_>) {
        let gl = self.gl;
        let (x, y, w, h) = rect;
        let bytes = w as usize * h as usize * usize::from(group_bytes(layout.0, layout.1));
        if let Some(out) = destination.out {
            let data = glow::PixelPackData::Slice(Some(&mut out[..bytes]));
            // SAFETY: GL rules 1 and 3: rows are tight and `out` covers them.
            unsafe {
                gl.read_pixels(x, y, w as i32, h as i32, layout.0.gl(), layout.1.gl(), data);
            }
        } else if let Some(buffer) = self.buffers.get(destination.buffer) {
            // SAFETY: GL rules 1 and 2; the range lies in the buffer (the client checked).
            unsafe {
                gl.bind_buffer(glow::PIXEL_PACK_BUFFER, Some(buffer.name));
                gl.read_pixels(
                    x,
                    y,
                    w as i32,
                    h as i32,
                    layout.0.gl(),
                    layout.1.gl(),
                    glow::PixelPackData::BufferOffset(destination.offset as u32),
                );
                gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
            }
        }
    }

    /// Tight pixels of the bound read framebuffer.
    fn read_bound(&self, (x, y, w, h): Rect, layout: Layout) -> Vec<u8> {
        let group = usize::from(group_bytes(layout.0, layout.1));
        let mut bytes = vec![0; w as usize * h as usize * group];
        let data = glow::PixelPackData::Slice(Some(&mut bytes));
        // SAFETY: GL rules 1 and 3: the pack alignment is 1 and `bytes` covers the rectangle.
        unsafe {
            self.gl
                .read_pixels(x, y, w as i32, h as i32, layout.0.gl(), layout.1.gl(), data);
        }
        bytes
    }

    /// Packs tight texels to where they go.
    fn deliver(
        &mut self,
        bytes: &[u8],
        (format, ty): Layout,
        logical: Format,
        client: &ClientImage,
        destination: Destination<'_>,
    ) {
        let canonical = legacy_texels(bytes, (format, ty), logical);
        let (format, ty) = match &canonical {
            Some(_) => (logical.info().storage.format, logical.info().storage.ty),
            None => (format, ty),
        };
        let readback = Readback {
            bytes: canonical.as_deref().unwrap_or(bytes),
            format,
            ty,
            logical,
            order: RowOrder::BottomUp,
        };
        let result = if let Some(out) = destination.out {
            readback.pack_into(client, out)
        } else {
            let end = client.layout().map_or(0, |layout| layout.total_bytes);
            let mut packed = vec![0; end as usize];
            // Bytes between rows keep their values.
            self.buffers
                .read(self.gl, destination.buffer, destination.offset, &mut packed);
            let result = readback.pack_into(client, &mut packed);
            self.buffers
                .write(self.gl, destination.buffer, destination.offset, &packed);
            result
        };
        if let Err(why) = result {
            self.say(&format!("gles: readback: {why}"));
        }
    }

    /// Depth or stencil of a rectangle. ES reads neither: they are copied to a texture and go through a shader.
    fn read_depth_stencil(&mut self, image: Image, rect: Rect) -> Option<(Vec<u8>, Layout)> {
        let gl = self.gl;
        let info = image.format.info();
        let internal = conv::conv(image.format, &gl.features).internal;
        let (w, h) = (image.width as i32, image.height as i32);
        // SAFETY: GL rules 1 and 2.
        let copy = unsafe { gl.create_texture() }.ok()?;
        self.cx.bind_scratch(gl, glow::TEXTURE_2D, copy);
        // SAFETY: GL rules 1 and 2.
        unsafe {
            gl.tex_storage_2d(glow::TEXTURE_2D, 1, internal, w, h);
            gl.tex_parameter_i32(
                glow::TEXTURE_2D,
                glow::TEXTURE_MIN_FILTER,
                glow::NEAREST as i32,
            );
            gl.tex_parameter_i32(
                glow::TEXTURE_2D,
                glow::TEXTURE_MAG_FILTER,
                glow::NEAREST as i32,
            );
        }
        let attachment = Attachment::Texture2D {
            name: copy,
            target: glow::TEXTURE_2D,
            level: 0,
        };
        let only = |there: bool, a: Attachment| if there { a } else { Attachment::None };
        let (d, s) = (info.has_depth(), info.has_stencil());
        let result = self
            .cx
            .bind_scratch_framebuffer(
                gl,
                glow::READ_FRAMEBUFFER,
                Attachment::None,
                only(d, image.depth),
                only(s, image.stencil),
            )
            .and_then(|()| {
                self.cx.bind_scratch_framebuffer(
                    gl,
                    glow::DRAW_FRAMEBUFFER,
                    Attachment::None,
                    only(d, attachment),
                    only(s, attachment),
                )
            });
        let mut depths = Vec::new();
        let mut stencils = Vec::new();
        match result {
            Ok(()) => {
                let mask = if d { glow::DEPTH_BUFFER_BIT } else { 0 }
                    | if s { glow::STENCIL_BUFFER_BIT } else { 0 };
                self.cx.render.set_for_copy(gl, w, h);
                // SAFETY: GL rule 1; both framebuffers are bound and of one format.
                unsafe { gl.blit_framebuffer(0, 0, w, h, 0, 0, w, h, mask, glow::NEAREST) };
                if d {
                    depths = self.read_copied(Copy::Depth, copy, w, h, rect);
                }
                if s {
                    if d {
                        self.cx.bind_scratch(gl, glow::TEXTURE_2D, copy);
                        // SAFETY: GL rules 1 and 2.
                        unsafe {
                            gl.tex_parameter_i32(
                                glow::TEXTURE_2D,
                                glow::DEPTH_STENCIL_TEXTURE_MODE,
                                glow::STENCIL_INDEX as i32,
                            );
                        }
                    }
                    stencils = self.read_copied(Copy::Stencil, copy, w, h, rect);
                }
            }
            Err(why) => self.say_once("depth readback", &why),
        }
        self.cx.forget(pipe_inputs::fields::Group::framebuffer);
        self.cx.forget(pipe_inputs::fields::Group::render_state);
        self.cx.texture_dies(copy);
        // SAFETY: GL rules 1 and 2.
        unsafe { gl.delete_texture(copy) };
        let n = rect.2 as usize * rect.3 as usize;
        if d && depths.len() != n || s && stencils.len() != n {
            return None;
        }
        let mut bytes = Vec::with_capacity(n * 8);
        let layout = match (d, s) {
            (false, _) => {
                bytes.extend(stencils.iter().map(|s| *s as u8));
                (PixelFormat::StencilIndex, PixelType::UnsignedByte)
            }
            (true, true) => {
                for (depth, stencil) in depths.iter().zip(&stencils) {
                    bytes.extend_from_slice(&depth.to_ne_bytes());
                    bytes.extend_from_slice(&stencil.to_ne_bytes());
                }
                (
                    PixelFormat::DepthStencil,
                    PixelType::Float32UnsignedInt248Rev,
                )
            }
            (true, false) => {
                bytes.extend(depths.iter().flat_map(|depth| depth.to_ne_bytes()));
                (PixelFormat::DepthComponent, PixelType::Float)
            }
        };
        Some((bytes, layout))
    }

    fn read_copied(
        &mut self,
        what: Copy,
        source: glow::NativeTexture,
        w: i32,
        h: i32,
        rect: Rect,
    ) -> Vec<u32> {
        let Some(image) = self.copy_to_readable(what, source, w, h) else {
            return Vec::new();
        };
        let bytes = self.read_bound(rect, (PixelFormat::RgbaInteger, PixelType::UnsignedInt));
        // SAFETY: GL rules 1 and 2.
        unsafe { self.gl.delete_texture(image) };
        bytes
            .as_chunks::<16>()
            .0
            .iter()
            .map(|t| u32::from_ne_bytes([t[0], t[1], t[2], t[3]]))
            .collect()
    }

    /// The texture image verb.
    pub(crate) fn get_texture_image_verb(
        &mut self,
        told: Told<'_>,
        p: &GetTextureImage,
        out: Option<&mut [u8]>,
    ) {
        let Some(texture) = self.textures.table.get(p.texture) else {
            return;
        };
        // A compressed image is kept decoded.
        let format = texture.desc.format.info().decoded;
        let target = texture.desc.target;
        let (width, height, _) = texture.level_size(p.level);
        let b = p.src;
        let rect = (b.x, b.y, b.width, b.height);
        let mut all = Vec::new();
        let mut layout = None;
        for z in b.z..b.z + b.depth as i32 {
            let Some((bytes, l)) = self.read_slice(p, z, (width, height), rect) else {
                return;
            };
            all.extend_from_slice(&bytes);
            layout = Some(l);
        }
        let Some(layout) = layout else { return };
        // To the application an array of 1D textures is an image whose rows are the layers (GL 4.6 §8.11.4).
        let (height, depth) = if target == Target::Texture1DArray {
            (b.depth, 1)
        } else {
            (b.height, b.depth)
        };
        let flat = matches!(
            target,
            Target::Texture1D
                | Target::Texture2D
                | Target::TextureRectangle
                | Target::Texture1DArray
        );
        let client = ClientImage {
            format: p.format,
            ty: p.ty,
            store: *told.inputs.pack(),
            width: b.width,
            height,
            depth,
            dims: if flat { Dims::Two } else { Dims::Three },
        };
        let destination = Destination {
            out,
            buffer: p.pack_buffer,
            offset: p.pack_offset_bytes,
        };
        self.deliver(&all, layout, format, &client, destination);
    }

    /// One slice of a level, tight.
    fn read_slice(
        &mut self,
        p: &GetTextureImage,
        z: i32,
        (width, height): (u32, u32),
        rect: Rect,
    ) -> Option<(Vec<u8>, Layout)> {
        let gl = self.gl;
        let texture = self.textures.table.get(p.texture)?;
        let format = texture.desc.format;
        let info = format.info();
        let attachment = attach_texture(texture, i32::from(p.level), z, false);
        if info.has_depth() || info.has_stencil() {
            let image = Image {
                depth: attachment,
                stencil: attachment,
                format,
                width,
                height,
            };
            return self.read_depth_stencil(image, rect);
        }
        let decoded = info.decoded;
        let layout = conv::read_layout(decoded, &gl.features);
        if conv::usage(decoded, &gl.features).contains(FormatUse::RENDER) {
            let bound = self.cx.bind_scratch_framebuffer(
                gl,
                glow::READ_FRAMEBUFFER,
                attachment,
                Attachment::None,
                Attachment::None,
            );
            match bound {
                Ok(()) => return Some((self.read_bound(rect, layout), layout)),
                Err(why) => {
                    self.say_once("texture readback", &why);
                    return None;
                }
            }
        }
        // Not renderable: one slice is copied to a 2D texture and goes through a shader.
        let (name, target, internal) = (texture.name, texture.target, texture.conv.internal);
        let (w, h) = (width as i32, height as i32);
        // SAFETY: GL rules 1 and 2.
        let copy = unsafe { gl.create_texture() }.ok()?;
        self.cx.bind_scratch(gl, glow::TEXTURE_2D, copy);
        // SAFETY: GL rules 1 and 2; both have the level's extent and one format.
        unsafe {
            gl.tex_storage_2d(glow::TEXTURE_2D, 1, internal, w, h);
            let nearest = glow::NEAREST as i32;
            gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MIN_FILTER, nearest);
            gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MAG_FILTER, nearest);
            gl.copy_image_sub_data(
                name,
                target,
                p.level.into(),
                0,
                0,
                z,
                copy,
                glow::TEXTURE_2D,
                0,
                0,
                0,
                0,
                w,
                h,
                1,
            );
        }
        let image = self.copy_to_readable(Copy::Color, copy, w, h);
        self.cx.texture_dies(copy);
        // SAFETY: GL rules 1 and 2.
        unsafe { gl.delete_texture(copy) };
        let image = image?;
        let layout = (PixelFormat::Rgba, PixelType::Float);
        let bytes = self.read_bound(rect, layout);
        // SAFETY: GL rules 1 and 2.
        unsafe { gl.delete_texture(image) };
        Some((bytes, layout))
    }
}

/// Canonical texels of a legacy format, whose components the driver keeps as red and green; `None` for other formats.
fn legacy_texels(bytes: &[u8], layout: Layout, format: Format) -> Option<Vec<u8>> {
    let kept = match format.info().base {
        BaseFormat::Alpha | BaseFormat::Luminance | BaseFormat::Intensity => 1,
        BaseFormat::LuminanceAlpha => 2,
        BaseFormat::None
        | BaseFormat::Red
        | BaseFormat::Rg
        | BaseFormat::Rgb
        | BaseFormat::Rgba
        | BaseFormat::Depth
        | BaseFormat::DepthStencil
        | BaseFormat::Stencil => return None,
    };
    let group = usize::from(group_bytes(layout.0, layout.1));
    Some(
        bytes
            .chunks_exact(group)
            .flat_map(|texel| texel[..kept].iter().copied())
            .collect(),
    )
}
