//! Readback: pixels and texture images to client layouts. It must never answer with texels that were not read.

use crate::backend::GlesBackend;
use crate::conv::{self, How, Source};
use crate::framebuffers::{Attachment, Names, attach_texture};
use crate::internal::Copy;
use crate::texels::{self, PackLayout, Texel};
use glow::HasContext;
use pipe::formats::{BaseFormat, FormatClass};
use pipe::pixels::{PixelFormat, PixelStore, PixelType, group_bytes};
use pipe::{BufferId, Format, FormatUse, GetTextureImage, ReadPixels};
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
        let pack = *told.inputs.pack();
        if color
            && self.read_directly(
                told,
                image.format,
                rect,
                (p.format, p.ty),
                &pack,
                &destination,
            )
        {
            // Read below, with the destination moved in.
            self.finish_direct(rect, (p.format, p.ty), destination);
            return;
        }
        let tight = if color {
            if !self.bind_read_framebuffer(told) {
                return;
            }
            let layout = conv::read_layout(image.format, &self.gl.features);
            Some((self.read_bound(rect, layout), layout))
        } else {
            self.read_depth_stencil(image, rect, p.format)
        };
        let Some((mut bytes, layout)) = tight else {
            return;
        };
        if color {
            fix_components(&mut bytes, layout, image.format, false, &self.gl.features);
        }
        let size = (p.width, p.height, 1);
        self.deliver(&bytes, layout, size, (p.format, p.ty), &pack, destination);
    }

    /// Whether the driver can pack these pixels itself; binds what it reads from.
    fn read_directly(
        &mut self,
        told: Told<'_>,
        format: Format,
        (_, _, w, h): Rect,
        want: Layout,
        pack: &PixelStore,
        destination: &Destination<'_>,
    ) -> bool {
        let features = &self.gl.features;
        let conv = conv::conv(format, features);
        let layout = PackLayout::new(pack, want.0, want.1, w, h);
        let tight = layout.start == 0 && layout.row_stride == w as usize * layout.group;
        let bytes = layout.end(w, h, 1);
        tight
            && conv.how == How::Direct
            && conv.swizzle == [Source::R, Source::G, Source::B, Source::A]
            && conv::read_layout(format, features) == want
            && (pack.swap_bytes == 0 || want.1.swap_bytes_unit() == 1)
            && destination
                .out
                .as_ref()
                .is_none_or(|out| out.len() >= bytes)
            && self.bind_read_framebuffer(told)
    }

    fn finish_direct(&mut self, rect: Rect, layout: Layout, destination: Destination<'_>) {
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
        from: Layout,
        (w, h, d): (u32, u32, u32),
        to: Layout,
        pack: &PixelStore,
        destination: Destination<'_>,
    ) {
        if let Some(out) = destination.out {
            texels::pack(bytes, from, (w, h, d), to, pack, out);
            return;
        }
        let end = PackLayout::new(pack, to.0, to.1, w, h).end(w, h, d);
        let mut packed = vec![0; end];
        // Bytes between rows keep their values.
        self.buffers
            .read(self.gl, destination.buffer, destination.offset, &mut packed);
        texels::pack(bytes, from, (w, h, d), to, pack, &mut packed);
        self.buffers
            .write(self.gl, destination.buffer, destination.offset, &packed);
    }

    /// Depth or stencil of a rectangle. ES reads neither: they are copied to a texture and go through a shader.
    fn read_depth_stencil(
        &mut self,
        image: Image,
        rect: Rect,
        format: PixelFormat,
    ) -> Option<(Vec<u8>, Layout)> {
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
                if d && format != PixelFormat::StencilIndex {
                    depths = self.read_copied(Copy::Depth, copy, w, h, rect);
                }
                if s && format != PixelFormat::DepthComponent {
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
        if depths.len() != n && stencils.len() != n {
            return None;
        }
        let mut bytes = Vec::with_capacity(n * 8);
        Some(match format {
            PixelFormat::StencilIndex => {
                bytes.extend(stencils.iter().map(|s| *s as u8));
                (bytes, (PixelFormat::StencilIndex, PixelType::UnsignedByte))
            }
            PixelFormat::DepthStencil => {
                for i in 0..n {
                    let stencil = stencils.get(i).copied().unwrap_or(0);
                    bytes.extend_from_slice(&depths.get(i).copied().unwrap_or(0).to_ne_bytes());
                    bytes.extend_from_slice(&stencil.to_ne_bytes());
                }
                (
                    bytes,
                    (
                        PixelFormat::DepthStencil,
                        PixelType::Float32UnsignedInt248Rev,
                    ),
                )
            }
            _ => {
                for d in depths {
                    bytes.extend_from_slice(&d.to_ne_bytes());
                }
                (bytes, (PixelFormat::DepthComponent, PixelType::Float))
            }
        })
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
        let format = texture.desc.format;
        let info = format.info();
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
        if info.class == FormatClass::Color || info.class == FormatClass::Compressed {
            fix_components(&mut all, layout, format, true, &self.gl.features);
        }
        let pack = *told.inputs.pack();
        let destination = Destination {
            out,
            buffer: p.pack_buffer,
            offset: p.pack_offset_bytes,
        };
        let size = (b.width, b.height, b.depth);
        self.deliver(&all, layout, size, (p.format, p.ty), &pack, destination);
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
            return self.read_depth_stencil(image, rect, p.format);
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

/// Puts components where the format's base says (GL 4.6 §18.2.6 and table 8.23): alpha 1 without alpha, luminance as red.
fn fix_components(
    bytes: &mut [u8],
    layout: Layout,
    format: Format,
    texture: bool,
    features: &crate::features::Features,
) {
    use Source::{A, B, G, One, R, Zero};
    let conv = conv::conv(format, features);
    let want = match format.info().base {
        BaseFormat::Alpha => [Zero, Zero, Zero, R],
        BaseFormat::Luminance | BaseFormat::Intensity if texture => [R, Zero, Zero, One],
        BaseFormat::LuminanceAlpha if texture => [R, Zero, Zero, G],
        _ if conv.swizzle[3] == One => [R, G, B, One],
        _ => return,
    };
    let group = usize::from(group_bytes(layout.0, layout.1));
    for texel in bytes.chunks_exact_mut(group) {
        let fixed = match texels::decode(layout.0, layout.1, texel) {
            Texel::Float(v) => Texel::Float(want.map(|s| pick(s, v, 0.0, 1.0))),
            Texel::Int(v) => Texel::Int(want.map(|s| pick(s, v, 0, 1))),
            Texel::Uint(v) => Texel::Uint(want.map(|s| pick(s, v, 0, 1))),
        };
        texels::encode(fixed, layout.0, layout.1, texel);
    }
    fn pick<T: std::marker::Copy>(source: Source, v: [T; 4], zero: T, one: T) -> T {
        match source {
            R => v[0],
            G => v[1],
            B => v[2],
            A => v[3],
            Zero => zero,
            One => one,
        }
    }
}
