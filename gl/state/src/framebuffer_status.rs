//! Completeness of framebuffers (GL 4.6 §9.4) and the facts that commands and sources need of their images. All of it is derived and
//! remembered by versions; nothing here is state.

use crate::context::{Context, LocalIndex, Objects};
use crate::framebuffer::{AttachmentPoint, Framebuffer, FramebufferBinding, Image};
use pipe::formats::FormatFlags;
use pipe::{Caps, Format, FormatUse, Target, TextureId};

/// GL's values of glCheckFramebufferStatus.
pub mod status {
    pub const COMPLETE: u32 = 0x8CD5;
    pub const INCOMPLETE_ATTACHMENT: u32 = 0x8CD6;
    pub const MISSING_ATTACHMENT: u32 = 0x8CD7;
    pub const UNSUPPORTED: u32 = 0x8CDD;
    pub const INCOMPLETE_MULTISAMPLE: u32 = 0x8D56;
    pub const INCOMPLETE_LAYER_TARGETS: u32 = 0x8DA8;
    pub const UNDEFINED: u32 = 0x8219;
}

/// What a framebuffer is as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FramebufferFacts {
    /// A value of [`status`].
    pub status: u32,
    /// Smallest extent of all attachments (GL 4.6 §9.4.1).
    pub width: u32,
    pub height: u32,
    /// Layers when layered, else 0 (GL_FRAMEBUFFER_DEFAULT_LAYERS has the same reading).
    pub layers: u32,
    /// 0: single sampled.
    pub samples: u32,
    pub fixed_sample_locations: bool,
}

/// What an attached image is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageFacts {
    pub format: Format,
    pub width: u32,
    pub height: u32,
    /// Layers attached: 1 unless layered.
    pub layers: u32,
    pub samples: u32,
    pub fixed_sample_locations: bool,
    /// Of textures.
    pub target: Option<Target>,
    pub layered: bool,
}

impl Image {
    /// Facts of the image; `None` where there is none of that level or layer.
    pub fn facts(self, objects: &Objects) -> Option<ImageFacts> {
        match self {
            Self::None => None,
            Self::Texture {
                texture,
                level,
                layer,
                layered,
            } => texture_image(objects, texture, level, layer, layered),
            Self::Renderbuffer(id) => {
                let buffer = objects.renderbuffers.get(id)?;
                (buffer.format != Format::None).then_some(ImageFacts {
                    format: buffer.format,
                    width: buffer.width,
                    height: buffer.height,
                    layers: 1,
                    samples: buffer.samples,
                    fixed_sample_locations: true,
                    target: None,
                    layered: false,
                })
            }
        }
    }
}

fn texture_image(
    objects: &Objects,
    id: TextureId,
    level: u32,
    layer: u32,
    layered: bool,
) -> Option<ImageFacts> {
    let texture = objects.textures.get(id)?;
    let faces = texture.levels.get(level as usize)?;
    let cube = texture.target == Target::TextureCube;
    let image = faces.get(if cube && !layered { layer as usize } else { 0 })?;
    if image.format == Format::None {
        return None;
    }
    let layers = if cube { 6 } else { image.depth.max(1) };
    // GL 4.6 §9.4.1: a cube map attached as a whole must be cube complete.
    let whole = !(cube && layered)
        || faces.len() == 6
            && faces.iter().all(|face| {
                (face.format, face.width, face.height) == (image.format, image.width, image.height)
                    && face.width == face.height
            });
    (whole && layer < layers).then_some(ImageFacts {
        format: image.format,
        width: image.width,
        height: image.height,
        layers: if layered { layers } else { 1 },
        samples: texture.samples,
        fixed_sample_locations: texture.samples == 0 || texture.fixed_sample_locations,
        target: Some(texture.target),
        layered,
    })
}

impl Context {
    /// Facts of a framebuffer of this context; remembered while neither it nor any attachable object moves.
    pub fn framebuffer_facts(&self, index: LocalIndex, objects: &Objects) -> FramebufferFacts {
        if index == 0 {
            return self.default_facts();
        }
        let framebuffer = self.framebuffer(index);
        let key = [
            framebuffer.version,
            objects.generations.any_texture_content,
            objects.generations.any_renderbuffer_change,
        ];
        let (remembered, facts) = framebuffer.facts.get();
        if remembered == key {
            return facts;
        }
        let facts = complete(framebuffer, objects, &self.caps);
        framebuffer.facts.set((key, facts));
        facts
    }

    /// [`Context::framebuffer_facts`] as they are, whatever is remembered: for a reference that must see what the memo misses.
    pub fn derive_framebuffer_facts(
        &self,
        index: LocalIndex,
        objects: &Objects,
    ) -> FramebufferFacts {
        match index {
            0 => self.default_facts(),
            _ => complete(self.framebuffer(index), objects, &self.caps),
        }
    }

    /// Facts of the framebuffer of a binding.
    pub fn bound_facts(&self, binding: FramebufferBinding, objects: &Objects) -> FramebufferFacts {
        self.framebuffer_facts(self.framebuffer_index(binding), objects)
    }

    /// The image at a point of a bound framebuffer; the default one's colour 0, depth and stencil are its drawable's.
    pub fn attachment_facts(
        &self,
        binding: FramebufferBinding,
        point: AttachmentPoint,
        objects: &Objects,
    ) -> Option<ImageFacts> {
        let index = self.framebuffer_index(binding);
        if index != 0 {
            return self.framebuffer(index).attachment(point).facts(objects);
        }
        let drawable = match binding {
            FramebufferBinding::Draw | FramebufferBinding::Both => self.framebuffers.draw_drawable,
            FramebufferBinding::Read => self.framebuffers.read_drawable,
        }?;
        let format = match point {
            AttachmentPoint::Color(0) => drawable.color,
            AttachmentPoint::Color(_) => Format::None,
            AttachmentPoint::Depth | AttachmentPoint::Stencil | AttachmentPoint::DepthStencil => {
                drawable.depth_stencil
            }
        };
        let info = format.info();
        let has = match point {
            AttachmentPoint::Color(_) => format != Format::None,
            AttachmentPoint::Depth => info.has_depth(),
            AttachmentPoint::Stencil => info.has_stencil(),
            AttachmentPoint::DepthStencil => info.has_depth() && info.has_stencil(),
        };
        has.then_some(ImageFacts {
            format,
            width: drawable.width,
            height: drawable.height,
            layers: 1,
            samples: if drawable.samples > 1 {
                drawable.samples
            } else {
                0
            },
            fixed_sample_locations: true,
            target: None,
            layered: false,
        })
    }

    /// The image that reads of colour take from; `None`: there is none.
    pub fn read_color_facts(&self, objects: &Objects) -> Option<ImageFacts> {
        let buffer = self.read_framebuffer().read_buffer?;
        self.attachment_facts(
            FramebufferBinding::Read,
            AttachmentPoint::Color(buffer),
            objects,
        )
    }

    /// The default framebuffer's: of the draw drawable, or the read one where only that is bound to it.
    fn default_facts(&self) -> FramebufferFacts {
        let bound = &self.framebuffers;
        // GL 4.6 §9.4.2: FRAMEBUFFER_UNDEFINED if the default framebuffer does not exist.
        let Some(drawable) = bound.draw_drawable.or(bound.read_drawable) else {
            return FramebufferFacts {
                status: status::UNDEFINED,
                ..FramebufferFacts::default()
            };
        };
        FramebufferFacts {
            status: status::COMPLETE,
            width: drawable.width,
            height: drawable.height,
            layers: 0,
            samples: if drawable.samples > 1 {
                drawable.samples
            } else {
                0
            },
            fixed_sample_locations: true,
        }
    }
}

/// Whether an image of this format may stand at this point, by the specification (GL 4.6 §9.4.1).
fn fits(point: AttachmentPoint, format: Format) -> bool {
    let flags = format.info().flags;
    match point {
        AttachmentPoint::Color(_) => flags.contains(FormatFlags::COLOR_RENDERABLE),
        AttachmentPoint::Depth => flags.contains(FormatFlags::DEPTH_RENDERABLE),
        AttachmentPoint::Stencil => flags.contains(FormatFlags::STENCIL_RENDERABLE),
        AttachmentPoint::DepthStencil => {
            flags.contains(FormatFlags::DEPTH_RENDERABLE | FormatFlags::STENCIL_RENDERABLE)
        }
    }
}

fn complete(fb: &Framebuffer, objects: &Objects, caps: &Caps) -> FramebufferFacts {
    let with = |status| FramebufferFacts {
        status,
        ..FramebufferFacts::default()
    };
    let mut all: Option<(ImageFacts, FramebufferFacts)> = None;
    let mut color_target = None;
    for (point, image) in fb.images() {
        // GL 4.6 §9.4.1: the image exists, has an extent, its layer exists, its format fits the point.
        let Some(facts) = image.facts(objects) else {
            return with(status::INCOMPLETE_ATTACHMENT);
        };
        if facts.width == 0 || facts.height == 0 || !fits(point, facts.format) {
            return with(status::INCOMPLETE_ATTACHMENT);
        }
        if !caps.formats.is_empty() && !caps.format(facts.format).contains(FormatUse::RENDER) {
            return with(status::UNSUPPORTED);
        }
        if let AttachmentPoint::Color(_) = point {
            // GL 4.6 §9.4.2: layered colour attachments are textures of one target.
            let first = *color_target.get_or_insert(facts.target);
            if facts.layered && first != facts.target {
                return with(status::INCOMPLETE_LAYER_TARGETS);
            }
        }
        match &mut all {
            None => {
                let whole = FramebufferFacts {
                    status: status::COMPLETE,
                    width: facts.width,
                    height: facts.height,
                    layers: if facts.layered { facts.layers } else { 0 },
                    samples: facts.samples,
                    fixed_sample_locations: facts.fixed_sample_locations,
                };
                all = Some((facts, whole));
            }
            Some((first, whole)) => {
                // GL 4.6 §9.4.2: samples agree, and fixed sample locations agree (renderbuffers count as fixed).
                if facts.samples != first.samples
                    || facts.fixed_sample_locations != first.fixed_sample_locations
                {
                    return with(status::INCOMPLETE_MULTISAMPLE);
                }
                // GL 4.6 §9.4.2: if one is layered, all are.
                if facts.layered != first.layered {
                    return with(status::INCOMPLETE_LAYER_TARGETS);
                }
                whole.width = whole.width.min(facts.width);
                whole.height = whole.height.min(facts.height);
                if facts.layered {
                    whole.layers = whole.layers.min(facts.layers);
                }
            }
        }
    }
    // No device keeps depth and stencil in two images (GL ES 3.2 §9.4.2 makes it a rule), and GL lets an implementation refuse.
    if fb.depth != Image::None && fb.stencil != Image::None && fb.depth != fb.stencil {
        return with(status::UNSUPPORTED);
    }
    match all {
        Some((_, whole)) => whole,
        // GL 4.6 §9.4.2: no images, and a default extent of zero.
        None if fb.default_width == 0 || fb.default_height == 0 => with(status::MISSING_ATTACHMENT),
        None => FramebufferFacts {
            status: status::COMPLETE,
            width: fb.default_width,
            height: fb.default_height,
            layers: fb.default_layers,
            samples: fb.default_samples,
            fixed_sample_locations: fb.default_fixed_sample_locations,
        },
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::emission::Emission;
    use crate::framebuffer::Renderbuffer;
    use pipe::{FramebufferId, RenderbufferId};

    pub(crate) fn caps() -> Caps {
        Caps {
            backend: "null",
            device: String::new(),
            driver: String::new(),
            limits: limits(),
            abilities: pipe::Ability::empty(),
            calls: 0,
            formats: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// No completeness rule asks a limit.
    fn limits() -> pipe::Limits {
        pipe::Limits {
            max_texture_size: 0,
            max_3d_texture_size: 0,
            max_cube_map_texture_size: 0,
            max_array_texture_layers: 0,
            max_texture_buffer_size: 0,
            max_renderbuffer_size: 0,
            max_viewport_dims: [0; 2],
            max_color_attachments: 0,
            max_draw_buffers: 0,
            max_dual_source_draw_buffers: 0,
            max_samples: 0,
            sample_counts: 0,
            max_vertex_uniform_blocks: 0,
            max_fragment_uniform_blocks: 0,
            max_combined_uniform_blocks: 0,
            max_uniform_buffer_bindings: 0,
            max_uniform_block_size: 0,
            uniform_buffer_offset_alignment: 0,
            shader_storage_buffer_offset_alignment: 0,
            texture_buffer_offset_alignment: 0,
            max_vertex_texture_image_units: 0,
            max_texture_image_units: 0,
            max_combined_texture_image_units: 0,
            max_varying_vectors: 0,
            max_texture_lod_bias: 0.0,
            max_texture_max_anisotropy: 0.0,
            aliased_line_width_range: [0.0; 2],
            point_size_range: [0.0; 2],
            point_size_granularity: 0.0,
            subpixel_bits: 0,
            max_elements_vertices: 0,
            max_elements_indices: 0,
            max_clip_distances: 0,
            timestamp_bits: 0,
        }
    }

    fn renderbuffer(objects: &mut Objects, format: Format, size: u32, samples: u32) -> Image {
        let mut emission = Emission::default();
        let id: RenderbufferId = objects
            .renderbuffers
            .insert(|id| Renderbuffer::new(id, 1, 1));
        objects.renderbuffers[id].set_storage(
            format.gl(),
            format,
            size,
            size,
            samples,
            &mut emission,
            &mut objects.generations,
        );
        Image::Renderbuffer(id)
    }

    #[test]
    fn framebuffer_without_images_is_missing_an_attachment_unless_it_has_a_default_extent() {
        let (objects, mut fb) = (
            Objects::default(),
            Framebuffer::new(FramebufferId::new(1, 1), 1),
        );
        let status = |fb: &Framebuffer| complete(fb, &objects, &caps()).status;
        assert_eq!(status(&fb), status::MISSING_ATTACHMENT);
        (fb.default_width, fb.default_height) = (4, 4);
        assert_eq!(status(&fb), status::COMPLETE);
    }

    #[test]
    fn colour_format_at_depth_point_is_incomplete_and_extents_are_the_smallest() {
        let mut objects = Objects::default();
        let mut fb = Framebuffer::new(FramebufferId::new(1, 1), 1);
        fb.color[0] = renderbuffer(&mut objects, Format::Rgba8, 8, 0);
        fb.depth = renderbuffer(&mut objects, Format::Rgba8, 4, 0);
        assert_eq!(
            complete(&fb, &objects, &caps()).status,
            status::INCOMPLETE_ATTACHMENT
        );
        fb.depth = renderbuffer(&mut objects, Format::Depth24, 4, 0);
        let facts = complete(&fb, &objects, &caps());
        assert_eq!(
            (facts.status, facts.width, facts.height),
            (status::COMPLETE, 4, 4)
        );
        fb.color[1] = renderbuffer(&mut objects, Format::Rgba8, 8, 4);
        assert_eq!(
            complete(&fb, &objects, &caps()).status,
            status::INCOMPLETE_MULTISAMPLE
        );
    }
}
