//! The render target: attachments resolved to views, and the pass over them. Passes are begun by what draws and ended by what cannot
//! stand in one; nobody else begins or ends them.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::blank::Reach;
use crate::commands::Access;
use crate::images::ImageKey;
use crate::views::{IDENTITY, ViewKey};
use ash::vk;
use pipe::{
    CapBits, Format, FramebufferState, MAX_COLOR_ATTACHMENTS, RenderbufferId, Resource, Surface,
    SurfaceKind, Target as TextureTarget,
};
use pipe_inputs::{Group, Told};

/// What pipelines must know of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Formats {
    /// By fragment output.
    pub colors: [vk::Format; MAX_COLOR_ATTACHMENTS],
    pub count: u8,
    /// Bit n: output n's format can be blended.
    pub blendable: u8,
    /// Bit n: output n has no alpha in GL's eyes.
    pub opaque: u8,
    pub depth: vk::Format,
    pub stencil: vk::Format,
    pub samples: vk::SampleCountFlags,
}

/// One attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attachment {
    pub image: ImageKey,
    pub view: vk::ImageView,
    pub format: Format,
    pub level: u32,
    pub layer: u32,
    pub layers: u32,
}

/// A resolved draw framebuffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub colors: [Option<Attachment>; MAX_COLOR_ATTACHMENTS],
    pub depth: Option<Attachment>,
    pub stencil: Option<Attachment>,
    pub formats: Formats,
    pub width: u32,
    pub height: u32,
    pub layers: u32,
}

impl Default for Target {
    fn default() -> Self {
        Self {
            colors: [None; MAX_COLOR_ATTACHMENTS],
            depth: None,
            stencil: None,
            formats: Formats {
                colors: [vk::Format::UNDEFINED; MAX_COLOR_ATTACHMENTS],
                count: 0,
                blendable: 0,
                opaque: 0,
                depth: vk::Format::UNDEFINED,
                stencil: vk::Format::UNDEFINED,
                samples: vk::SampleCountFlags::TYPE_1,
            },
            width: 0,
            height: 0,
            layers: 1,
        }
    }
}

/// Clears that a pass begins with.
#[derive(Clone, Copy, Default)]
pub struct LoadClears {
    pub colors: [Option<vk::ClearColorValue>; MAX_COLOR_ATTACHMENTS],
    pub depth: Option<f32>,
    pub stencil: Option<u32>,
}

/// The target in force and what it was resolved from.
#[derive(Debug, Default)]
pub struct TargetMemo {
    pub target: Target,
    /// Moves whenever `target` does.
    pub number: u64,
    /// Context, generation of the group, object world, sRGB encoding.
    from: (usize, u64, u64, bool),
    /// Target of the open pass.
    pub open: u64,
}

/// Where a surface's pixels are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub image: ImageKey,
    pub format: Format,
    pub level: u32,
    pub layer: u32,
    pub layers: u32,
}

impl VulkanBackend {
    /// Where a surface's pixels are; `reads` chooses between the current read and draw drawable.
    pub(crate) fn place(&self, surface: &Surface, reads: bool, is_color: bool) -> Option<Place> {
        match surface.kind {
            SurfaceKind::None => None,
            SurfaceKind::Default => {
                let drawable = if reads {
                    self.current_read
                } else {
                    self.current_draw
                };
                let drawable = self.surfaces.get(drawable)?;
                let (image, format) = if is_color {
                    (drawable.color?, drawable.desc.color)
                } else {
                    (drawable.depth_stencil?, drawable.desc.depth_stencil)
                };
                Some(Place {
                    image,
                    format,
                    level: 0,
                    layer: 0,
                    layers: 1,
                })
            }
            SurfaceKind::Renderbuffer => {
                let image = *self
                    .renderbuffers
                    .get(RenderbufferId(surface.resource.handle))?;
                let format = self.images.get(image)?.spec.format;
                Some(Place {
                    image,
                    format,
                    level: 0,
                    layer: 0,
                    layers: 1,
                })
            }
            SurfaceKind::Texture => {
                let Resource::Texture(id) = surface.resource.get() else {
                    return None;
                };
                let texture = self.textures.get(id)?;
                let image = texture.image?;
                let storage = self.images.get(image)?;
                let slices = if storage.z_is_layer() {
                    storage.spec.layers
                } else {
                    storage.level_extent(u32::from(surface.level))[2]
                };
                let layer = surface.layer + texture.min_layer;
                let layers = if surface.layered != 0 {
                    u32::from(surface.layers.max(1))
                } else {
                    1
                };
                Some(Place {
                    image,
                    format: texture.desc.format,
                    level: u32::from(surface.level) + texture.min_level,
                    layer,
                    layers: layers.min(slices.saturating_sub(layer)).max(1),
                })
            }
        }
    }

    /// A view for attaching a place. `encodes`: sRGB formats encode what is written.
    pub(crate) fn attachment(&mut self, place: &Place, encodes: bool) -> Option<Attachment> {
        let format = *self.gpu.format(place.format);
        let image = self.images.get(place.image)?;
        let one_dimensional = matches!(
            image.spec.target,
            TextureTarget::Texture1D | TextureTarget::Texture1DArray
        );
        let ty = match (one_dimensional, place.layers > 1) {
            (true, false) => vk::ImageViewType::TYPE_1D,
            (true, true) => vk::ImageViewType::TYPE_1D_ARRAY,
            (false, false) => vk::ImageViewType::TYPE_2D,
            (false, true) => vk::ImageViewType::TYPE_2D_ARRAY,
        };
        let key = ViewKey {
            ty,
            format: if encodes { format.vk } else { format.linear },
            swizzle: IDENTITY,
            aspects: format.all_aspects(),
            level: place.level,
            levels: 1,
            layer: place.layer,
            layers: place.layers,
        };
        let view = self.view(place.image, key)?;
        Some(Attachment {
            image: place.image,
            view,
            format: place.format,
            level: place.level,
            layer: place.layer,
            layers: place.layers,
        })
    }

    /// Resolves the draw framebuffer where anything that it depends on moved.
    pub(crate) fn ensure_target(&mut self, told: Told<'_>) {
        let encodes = told
            .inputs
            .render_state()
            .caps()
            .contains(CapBits::FRAMEBUFFER_SRGB);
        let from = (
            std::ptr::from_ref(told.inputs) as usize,
            told.inputs.generation(Group::framebuffer),
            self.world,
            encodes,
        );
        if self.target.from == from {
            return;
        }
        let target = self.resolve_target(told.inputs.framebuffer(), encodes);
        if target != self.target.target || self.target.number == 0 {
            self.target.target = target;
            self.target.number = self.next_version();
        }
        // Making views moves nothing that this depends on.
        self.target.from = from;
    }

    fn resolve_target(&mut self, state: &FramebufferState, encodes: bool) -> Target {
        let mut target = Target {
            width: state.width,
            height: state.height,
            layers: 1,
            ..Target::default()
        };
        let mut samples = None;
        let mut layers = None;
        for (output, index) in state.draw_buffers.iter().enumerate() {
            let Some(surface) = usize::try_from(*index)
                .ok()
                .and_then(|i| state.color.get(i))
            else {
                continue;
            };
            let Some(place) = self.place(surface, false, true) else {
                continue;
            };
            let Some(attachment) = self.attachment(&place, encodes) else {
                continue;
            };
            let format = *self.gpu.format(place.format);
            let features = if encodes {
                format.features
            } else {
                format.linear_features
            };
            let f = &mut target.formats;
            f.colors[output] = if encodes { format.vk } else { format.linear };
            f.count = f.count.max(output as u8 + 1);
            if features.contains(vk::FormatFeatureFlags::COLOR_ATTACHMENT_BLEND)
                && !place.format.info().is_integer()
            {
                f.blendable |= 1 << output;
            }
            if format.hides_alpha {
                f.opaque |= 1 << output;
            }
            target.colors[output] = Some(attachment);
        }
        let depth = self.place(&state.depth, false, false);
        let stencil = self.place(&state.stencil, false, false);
        if let Some(place) = depth
            && let Some(attachment) = self.attachment(&place, false)
        {
            let format = self.gpu.format(place.format);
            if format.aspects.contains(vk::ImageAspectFlags::DEPTH) {
                target.formats.depth = format.vk;
                target.depth = Some(attachment);
            }
        }
        if let Some(place) = stencil
            && let Some(attachment) = self.attachment(&place, false)
        {
            let format = self.gpu.format(place.format);
            if format.aspects.contains(vk::ImageAspectFlags::STENCIL) {
                target.formats.stencil = format.vk;
                target.stencil = Some(attachment);
            }
        }
        let all = target.colors.iter().chain([&target.depth, &target.stencil]);
        for attachment in all.flatten() {
            let Some(image) = self.images.get(attachment.image) else {
                continue;
            };
            let extent = image.level_extent(attachment.level);
            target.width = target.width.min(extent[0]);
            target.height = target.height.min(extent[1]);
            layers = Some(layers.map_or(attachment.layers, |l: u32| l.min(attachment.layers)));
            let is_color =
                self.gpu.format(attachment.format).aspects == vk::ImageAspectFlags::COLOR;
            samples = Some(crate::images::sample_count(
                self.gpu.limits(),
                image.spec.samples,
                !is_color,
            ));
        }
        target.layers = layers.unwrap_or(u32::from(state.layers.max(1)));
        target.formats.samples = samples.unwrap_or_else(|| {
            crate::images::sample_count(self.gpu.limits(), u32::from(state.samples), false)
        });
        target
    }

    /// Layout that an attachment is used in.
    fn attachment_layout(is_color: bool) -> vk::ImageLayout {
        if is_color {
            vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL
        } else {
            vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL
        }
    }

    /// A pass over the target in force, begun if it is not open. `None`: the device is lost.
    pub(crate) fn ensure_pass(&mut self, clears: Option<&LoadClears>) -> Option<vk::CommandBuffer> {
        if self.commands.in_pass() && self.target.open == self.target.number && clears.is_none() {
            return self.recording();
        }
        self.outside()?;
        let number = self.target.number;
        let target = self.target.target.clone();
        let mut colors = [vk::RenderingAttachmentInfo::default(); MAX_COLOR_ATTACHMENTS];
        let attach = |backend: &mut Self, attachment: &Attachment, aspects| {
            let blank = backend.loads_zeros(attachment, aspects, &target)?;
            let layout = backend.use_image(
                attachment.image,
                Self::attachment_layout(aspects == vk::ImageAspectFlags::COLOR),
                Access::Write,
                Reach::Settled,
            )?;
            backend.images.get_mut(attachment.image)?.attached_in = number;
            Some(
                vk::RenderingAttachmentInfo::default()
                    .image_view(attachment.view)
                    .image_layout(layout)
                    .load_op(if blank {
                        vk::AttachmentLoadOp::CLEAR
                    } else {
                        vk::AttachmentLoadOp::LOAD
                    })
                    .store_op(vk::AttachmentStoreOp::STORE),
            )
        };
        use vk::ImageAspectFlags as Aspects;
        let both = target
            .depth
            .zip(target.stencil)
            .is_some_and(|(d, s)| d.image == s.image);
        for (i, attachment) in target.colors.iter().enumerate() {
            if let Some(attachment) = attachment {
                colors[i] = attach(self, attachment, Aspects::COLOR)?;
                if let Some(color) = clears.and_then(|c| c.colors[i]) {
                    colors[i].load_op = vk::AttachmentLoadOp::CLEAR;
                    colors[i].clear_value = vk::ClearValue { color };
                }
            }
        }
        let clear_value = vk::ClearValue {
            depth_stencil: vk::ClearDepthStencilValue {
                depth: clears.and_then(|c| c.depth).unwrap_or(0.0),
                stencil: clears.and_then(|c| c.stencil).unwrap_or(0),
            },
        };
        let mut depth = None;
        let mut shared_load = vk::AttachmentLoadOp::LOAD;
        if let Some(attachment) = &target.depth {
            let aspects = if both {
                Aspects::DEPTH | Aspects::STENCIL
            } else {
                Aspects::DEPTH
            };
            let mut info = attach(self, attachment, aspects)?;
            shared_load = info.load_op;
            if clears.is_some_and(|c| c.depth.is_some()) {
                info.load_op = vk::AttachmentLoadOp::CLEAR;
                info.clear_value = clear_value;
            }
            depth = Some(info);
        }
        let mut stencil = None;
        if let Some(attachment) = &target.stencil {
            let mut info = match depth.filter(|_| both) {
                Some(depth) => vk::RenderingAttachmentInfo {
                    load_op: shared_load,
                    ..depth
                },
                None => attach(self, attachment, Aspects::STENCIL)?,
            };
            if clears.is_some_and(|c| c.stencil.is_some()) {
                info.load_op = vk::AttachmentLoadOp::CLEAR;
                info.clear_value = clear_value;
            }
            stencil = Some(info);
        }
        self.prepare_queries()?;
        if std::mem::take(&mut self.stream_output.unordered) {
            self.commands.full_barrier(&mut self.gpu);
        }
        let cb = self.recording()?;
        let mut info = vk::RenderingInfo::default()
            .render_area(vk::Rect2D {
                offset: vk::Offset2D::default(),
                extent: vk::Extent2D {
                    width: target.width,
                    height: target.height,
                },
            })
            .layer_count(target.layers)
            .color_attachments(&colors[..target.formats.count as usize]);
        if let Some(depth) = &depth {
            info = info.depth_attachment(depth);
        }
        if let Some(stencil) = &stencil {
            info = info.stencil_attachment(stencil);
        }
        // SAFETY: rules 1, 2, 4 and 5.
        unsafe { self.gpu.fns.rendering.cmd_begin_rendering(cb, &info) };
        self.commands.set_in_pass(true);
        self.target.open = number;
        self.begin_queries(cb);
        Some(cb)
    }

    /// The command buffer, begun if need be; a fresh one has nothing bound.
    pub(crate) fn recording(&mut self) -> Option<vk::CommandBuffer> {
        let (cb, fresh) = self.commands.begin(&mut self.gpu)?;
        if fresh {
            self.bound = Default::default();
            self.motion += 1;
        }
        Some(cb)
    }

    /// The command buffer outside of any pass.
    pub(crate) fn outside(&mut self) -> Option<vk::CommandBuffer> {
        let cb = self.recording()?;
        if self.commands.in_pass() {
            self.end_capture(cb);
            self.end_queries(cb);
            // SAFETY: rules 2 and 5 – `in_pass` says that one is open.
            unsafe { self.gpu.fns.rendering.cmd_end_rendering(cb) };
            self.commands.set_in_pass(false);
            self.target.open = 0;
        }
        self.motion += 1;
        Some(cb)
    }
}
