//! Pixels back to the client or into a pack buffer: glReadPixels, glGetTexImage. It waits; nothing else here does.

use crate::backend::VulkanBackend;
use crate::framebuffer::Place;
use crate::images::ImageKey;
use pipe::pixels::{ClientImage, Dims, Pitch, PixelFormat, PixelStore, PixelType, pack};
use pipe::{Box3, BufferId, Format, GetTextureImage, ReadPixels, Target};
use pipe_inputs::Told;

impl VulkanBackend {
    pub(crate) fn read_framebuffer(
        &mut self,
        told: Told<'_>,
        p: &ReadPixels,
        out: Option<&mut [u8]>,
    ) -> Option<()> {
        let read = told.inputs.framebuffer().read;
        let place = match p.format {
            PixelFormat::DepthComponent | PixelFormat::DepthStencil => {
                self.place(&read.depth, true, false)
            }
            PixelFormat::StencilIndex => self.place(&read.stencil, true, false),
            _ => self.place(&read.color, true, true),
        }?;
        let place = self.single_sampled(place)?;
        let extent = self.images.get(place.image)?.level_extent(place.level);
        // GL 4.6 core §18.2.1: pixels outside of the framebuffer are undefined; ours are zeros.
        let (x0, y0) = (i64::from(p.x).max(0), i64::from(p.y).max(0));
        let x1 = (i64::from(p.x) + i64::from(p.width)).min(i64::from(extent[0]));
        let y1 = (i64::from(p.y) + i64::from(p.height)).min(i64::from(extent[1]));
        let texel = usize::from(place.format.info().storage.bytes);
        let row = p.width as usize * texel;
        let mut texels = vec![0; row * p.height as usize];
        if x0 < x1 && y0 < y1 {
            let (w, h) = ((x1 - x0) as usize, (y1 - y0) as usize);
            let is_3d = !self.images.get(place.image)?.z_is_layer();
            let inside = Box3 {
                x: x0 as i32,
                y: y0 as i32,
                z: if is_3d { place.layer as i32 } else { 0 },
                width: w as u32,
                height: h as u32,
                depth: 1,
            };
            let base = if is_3d { 0 } else { place.layer };
            let got = self.download_texels(place.image, place.level, base, place.format, inside)?;
            let skip =
                (y0 - i64::from(p.y)) as usize * row + (x0 - i64::from(p.x)) as usize * texel;
            for (y, line) in got.chunks_exact(w * texel).enumerate() {
                let at = skip + y * row;
                texels[at..at + w * texel].copy_from_slice(line);
            }
        }
        let image = client_image(
            told.inputs.pack(),
            (p.format, p.ty),
            [p.width, p.height, 1],
            Dims::Two,
        );
        self.deliver(
            &texels,
            place.format,
            &image,
            (p.pack_buffer, p.pack_offset_bytes),
            out,
        )
    }

    pub(crate) fn read_texture(
        &mut self,
        told: Told<'_>,
        p: &GetTextureImage,
        out: Option<&mut [u8]>,
    ) -> Option<()> {
        let texture = self.textures.get(p.texture)?;
        let (image, format, target) = (texture.image?, texture.desc.format, texture.desc.target);
        let (level, layer) = (u32::from(p.level) + texture.min_level, texture.min_layer);
        let texels = self.download_texels(image, level, layer, format, p.src)?;
        let dims = match target {
            Target::Texture3D
            | Target::Texture2DArray
            | Target::TextureCube
            | Target::TextureCubeArray => Dims::Three,
            Target::Texture1DArray
            | Target::Texture1D
            | Target::Texture2D
            | Target::TextureRectangle
            | Target::Buffer
            | Target::TextureBuffer
            | Target::Texture2DMultisample
            | Target::Texture2DMultisampleArray
            | Target::Renderbuffer => Dims::Two,
        };
        // A 1D array's layers are the rows of its client image.
        let extent = if target == Target::Texture1DArray {
            [p.src.width, p.src.depth.max(p.src.height), 1]
        } else {
            [p.src.width, p.src.height, p.src.depth]
        };
        let image = client_image(told.inputs.pack(), (p.format, p.ty), extent, dims);
        self.deliver(
            &texels,
            format,
            &image,
            (p.pack_buffer, p.pack_offset_bytes),
            out,
        )
    }

    fn deliver(
        &mut self,
        texels: &[u8],
        format: Format,
        image: &ClientImage,
        (buffer, offset): (BufferId, u64),
        out: Option<&mut [u8]>,
    ) -> Option<()> {
        let pitch = Pitch::tight(format, image.width, image.height);
        let packed = if buffer.is_null() {
            out.map_or(Ok(()), |out| pack(texels, format, pitch, image, out))
        } else {
            // Bytes between rows stay as they are: read, pack over, write.
            let len = image.layout().map_or(0, |layout| layout.total_bytes);
            let mut bytes = vec![0; len as usize];
            self.read_buffer(buffer, offset, &mut bytes);
            let packed = pack(texels, format, pitch, image, &mut bytes);
            if packed.is_ok() {
                self.write_buffer(buffer, offset, &bytes);
            }
            packed
        };
        if let Err(error) = packed {
            self.fail(&format!("packing pixels: {error}"));
        }
        Some(())
    }

    /// A multisampled drawable is resolved before it is read (GL 4.6 core §18.2.1).
    fn single_sampled(&mut self, place: Place) -> Option<Place> {
        let spec = self.images.get(place.image)?.spec;
        if spec.samples <= 1 {
            return Some(place);
        }
        let aspects = self.gpu.format(place.format).aspects;
        let resolved = self.resolved_copy(&place, aspects)?;
        // Its user ends here; the storage lives until the copy out of it has retired.
        self.scratch_images.push(resolved.image);
        Some(resolved)
    }

    /// Ends images that only one readback needed.
    pub(crate) fn end_scratch(&mut self) {
        let scratch: Vec<ImageKey> = std::mem::take(&mut self.scratch_images);
        for image in scratch {
            self.release_image(image);
        }
    }
}

fn client_image(
    store: &PixelStore,
    (format, ty): (PixelFormat, PixelType),
    [width, height, depth]: [u32; 3],
    dims: Dims,
) -> ClientImage {
    ClientImage {
        format,
        ty,
        store: *store,
        width,
        height,
        depth,
        dims,
    }
}
