//! Checks of framebuffer objects: binding, attachments, draw and read buffers, queries (GL 4.6 chapter 9 and §17.4.1). It must change nothing.

use crate::c_memory;
use crate::cx::Cx;
use crate::limits;
use crate::validate::names::{self, Named, NamesOut};
use gl_enums::*;
use gl_state::GlError;
use gl_state::context::LocalIndex;
use gl_state::framebuffer::{AttachmentPoint, FramebufferBinding, FramebufferDefault, Image};
use gl_state::framebuffer_status::ImageFacts;
use pipe::formats::Component;
use pipe::{MAX_COLOR_ATTACHMENTS, Target};

/// GL 4.6 §9.2: DRAW_FRAMEBUFFER, READ_FRAMEBUFFER or FRAMEBUFFER.
pub fn binding(target: GLenum) -> Result<FramebufferBinding, GlError> {
    match target {
        GL_FRAMEBUFFER => Ok(FramebufferBinding::Both),
        GL_DRAW_FRAMEBUFFER => Ok(FramebufferBinding::Draw),
        GL_READ_FRAMEBUFFER => Ok(FramebufferBinding::Read),
        _ => Err(GlError::invalid_enum("target is no framebuffer target")),
    }
}

/// The application's framebuffer that is bound to a target.
fn object(cx: &Cx<'_>, target: GLenum) -> Result<LocalIndex, GlError> {
    let index = cx.ctx.framebuffer_index(binding(target)?);
    // GL 4.6 §9.2.8: INVALID_OPERATION if zero is bound to target.
    if index == 0 {
        return Err(GlError::invalid_operation(
            "the default framebuffer is bound to target",
        ));
    }
    Ok(index)
}

fn attachment(cx: &Cx<'_>, value: GLenum) -> Result<AttachmentPoint, GlError> {
    match value {
        GL_DEPTH_ATTACHMENT => Ok(AttachmentPoint::Depth),
        GL_STENCIL_ATTACHMENT => Ok(AttachmentPoint::Stencil),
        GL_DEPTH_STENCIL_ATTACHMENT => Ok(AttachmentPoint::DepthStencil),
        // GL 4.6 §9.2.8: INVALID_OPERATION if attachment is COLOR_ATTACHMENTm with m not less than MAX_COLOR_ATTACHMENTS.
        GL_COLOR_ATTACHMENT0..=GL_COLOR_ATTACHMENT31 => {
            let index = value - GL_COLOR_ATTACHMENT0;
            if index >= limits::color_attachments(&cx.ctx.caps) {
                return Err(GlError::invalid_operation(
                    "attachment >= GL_MAX_COLOR_ATTACHMENTS",
                ));
            }
            Ok(AttachmentPoint::Color(index as u8))
        }
        _ => Err(GlError::invalid_enum("attachment")),
    }
}

pub fn gen_framebuffers(_: &Cx<'_>, n: GLsizei, ids: *mut GLuint) -> Result<NamesOut, GlError> {
    names::generate(n, ids)
}

pub fn create_framebuffers(_: &Cx<'_>, n: GLsizei, ids: *mut GLuint) -> Result<NamesOut, GlError> {
    names::generate(n, ids)
}

pub fn delete_framebuffers(
    _: &Cx<'_>,
    n: GLsizei,
    ids: *const GLuint,
) -> Result<&'static [GLuint], GlError> {
    names::delete(n, ids)
}

pub fn bind_framebuffer(
    cx: &Cx<'_>,
    target: GLenum,
    framebuffer: GLuint,
) -> Result<(FramebufferBinding, Named<LocalIndex>), GlError> {
    let binding = binding(target)?;
    // GL 4.6 §9.2: INVALID_OPERATION if framebuffer is not zero or a name returned from GenFramebuffers.
    let name = names::lookup(
        cx,
        &cx.ctx.framebuffers.names,
        framebuffer,
        "framebuffer was not returned by glGenFramebuffers",
    )?;
    Ok((binding, name))
}

/// A checked attachment.
#[derive(Clone, Copy, Debug)]
pub struct Attach {
    pub framebuffer: LocalIndex,
    pub point: AttachmentPoint,
    pub image: Image,
}

/// Highest level a texture of this target can have. GL 4.6 §9.2.8: rectangle and multisample textures have level 0 alone.
fn max_level(cx: &Cx<'_>, target: Target) -> i32 {
    let limits = &cx.ctx.caps.limits;
    let size = match target {
        Target::Texture3D => limits.max_3d_texture_size,
        Target::TextureCube | Target::TextureCubeArray => limits.max_cube_map_texture_size,
        Target::TextureRectangle
        | Target::Texture2DMultisample
        | Target::Texture2DMultisampleArray => 1,
        Target::Texture1D | Target::Texture2D | Target::Texture1DArray | Target::Texture2DArray => {
            limits.max_texture_size
        }
        Target::Buffer | Target::TextureBuffer | Target::Renderbuffer => 1,
    };
    size.max(1).ilog2() as i32
}

/// Which layers a command attaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layers {
    /// The one image, or every layer (glFramebufferTexture).
    All,
    One(GLint),
}

fn texture(
    cx: &Cx<'_>,
    target: GLenum,
    at: GLenum,
    texture: GLuint,
    level: GLint,
    layers: Layers,
    fits: impl FnOnce(Target) -> Result<(), GlError>,
    missing: GlError,
) -> Result<Attach, GlError> {
    let framebuffer = object(cx, target)?;
    let point = attachment(cx, at)?;
    let detach = Attach {
        framebuffer,
        point,
        image: Image::None,
    };
    if texture == 0 {
        return Ok(detach);
    }
    let id = cx.share.textures.get(texture);
    let object = id
        .and_then(|id| cx.objects.textures.get(id))
        .ok_or(missing)?;
    // GL 4.6 §9.2.8: INVALID_OPERATION if texture is a buffer texture.
    if object.target == Target::TextureBuffer {
        return Err(GlError::invalid_operation("texture is a buffer texture"));
    }
    fits(object.target)?;
    // GL 4.6 §9.2.8: INVALID_VALUE if level is not a level that the texture can have.
    if !(0..=max_level(cx, object.target)).contains(&level) {
        return Err(GlError::invalid_value("level"));
    }
    let layered = layers == Layers::All
        && matches!(
            object.target,
            Target::Texture3D
                | Target::TextureCube
                | Target::Texture1DArray
                | Target::Texture2DArray
                | Target::TextureCubeArray
                | Target::Texture2DMultisampleArray
        );
    let layer = match layers {
        Layers::All => 0,
        Layers::One(layer) => {
            let limit = match object.target {
                Target::Texture3D => cx.ctx.caps.limits.max_3d_texture_size,
                Target::TextureCube => 6,
                _ => cx.ctx.caps.limits.max_array_texture_layers,
            };
            // GL 4.6 §9.2.8: INVALID_VALUE if layer is negative or too great for the texture's target.
            u32::try_from(layer)
                .ok()
                .filter(|layer| *layer < limit)
                .ok_or(GlError::invalid_value("layer"))?
        }
    };
    Ok(Attach {
        image: Image::Texture {
            texture: object.id,
            level: level as u32,
            layer,
            layered,
        },
        ..detach
    })
}

pub fn framebuffer_texture(
    cx: &Cx<'_>,
    target: GLenum,
    at: GLenum,
    name: GLuint,
    level: GLint,
) -> Result<Attach, GlError> {
    // GL 4.6 §9.2.8: INVALID_VALUE if texture is not zero and not the name of an existing texture object.
    let missing = GlError::invalid_value("texture does not exist");
    texture(
        cx,
        target,
        at,
        name,
        level,
        Layers::All,
        |_| Ok(()),
        missing,
    )
}

/// GL 4.6 §9.2.8: INVALID_OPERATION if texture is not zero and not the name of an existing texture of a fitting target.
const MISSING: GlError = GlError::invalid_operation("texture does not exist");

fn flat(
    cx: &Cx<'_>,
    target: GLenum,
    at: GLenum,
    name: GLuint,
    level: GLint,
    expected: Target,
    layer: GLint,
) -> Result<Attach, GlError> {
    let fits = |actual: Target| {
        if actual == expected {
            Ok(())
        } else {
            Err(GlError::invalid_operation(
                "texture's target is not textarget",
            ))
        }
    };
    texture(
        cx,
        target,
        at,
        name,
        level,
        Layers::One(layer),
        fits,
        MISSING,
    )
}

pub fn framebuffer_texture_1d(
    cx: &Cx<'_>,
    target: GLenum,
    at: GLenum,
    textarget: GLenum,
    name: GLuint,
    level: GLint,
) -> Result<Attach, GlError> {
    if textarget != GL_TEXTURE_1D && name != 0 {
        return Err(wrong_textarget(textarget));
    }
    flat(cx, target, at, name, level, Target::Texture1D, 0)
}

/// GL 4.6 §9.2.8: INVALID_ENUM if textarget is no texture target, INVALID_OPERATION if it is one that the command does not take.
#[cold]
fn wrong_textarget(textarget: GLenum) -> GlError {
    match textarget {
        GL_TEXTURE_1D
        | GL_TEXTURE_2D
        | GL_TEXTURE_3D
        | GL_TEXTURE_RECTANGLE
        | GL_TEXTURE_2D_MULTISAMPLE
        | GL_TEXTURE_CUBE_MAP_POSITIVE_X..=GL_TEXTURE_CUBE_MAP_NEGATIVE_Z => {
            GlError::invalid_operation("textarget has another dimension")
        }
        _ => GlError::invalid_enum("textarget"),
    }
}

pub fn framebuffer_texture_2d(
    cx: &Cx<'_>,
    target: GLenum,
    at: GLenum,
    textarget: GLenum,
    name: GLuint,
    level: GLint,
) -> Result<Attach, GlError> {
    let (expected, face) = match textarget {
        GL_TEXTURE_2D => (Target::Texture2D, 0),
        GL_TEXTURE_RECTANGLE => (Target::TextureRectangle, 0),
        GL_TEXTURE_2D_MULTISAMPLE => (Target::Texture2DMultisample, 0),
        GL_TEXTURE_CUBE_MAP_POSITIVE_X..=GL_TEXTURE_CUBE_MAP_NEGATIVE_Z => (
            Target::TextureCube,
            textarget - GL_TEXTURE_CUBE_MAP_POSITIVE_X,
        ),
        _ if name == 0 => (Target::Texture2D, 0),
        _ => return Err(wrong_textarget(textarget)),
    };
    flat(cx, target, at, name, level, expected, face as GLint)
}

pub fn framebuffer_texture_3d(
    cx: &Cx<'_>,
    target: GLenum,
    at: GLenum,
    textarget: GLenum,
    name: GLuint,
    level: GLint,
    layer: GLint,
) -> Result<Attach, GlError> {
    if textarget != GL_TEXTURE_3D && name != 0 {
        return Err(wrong_textarget(textarget));
    }
    flat(cx, target, at, name, level, Target::Texture3D, layer)
}

pub fn framebuffer_texture_layer(
    cx: &Cx<'_>,
    target: GLenum,
    at: GLenum,
    name: GLuint,
    level: GLint,
    layer: GLint,
) -> Result<Attach, GlError> {
    let fits = |actual: Target| match actual {
        Target::Texture3D
        | Target::TextureCube
        | Target::Texture1DArray
        | Target::Texture2DArray
        | Target::TextureCubeArray
        | Target::Texture2DMultisampleArray => Ok(()),
        Target::Buffer
        | Target::Texture1D
        | Target::Texture2D
        | Target::TextureRectangle
        | Target::TextureBuffer
        | Target::Texture2DMultisample
        | Target::Renderbuffer => Err(GlError::invalid_operation("texture has no layers")),
    };
    texture(
        cx,
        target,
        at,
        name,
        level,
        Layers::One(layer),
        fits,
        MISSING,
    )
}

pub fn framebuffer_renderbuffer(
    cx: &Cx<'_>,
    target: GLenum,
    at: GLenum,
    renderbuffer_target: GLenum,
    renderbuffer: GLuint,
) -> Result<Attach, GlError> {
    let framebuffer = object(cx, target)?;
    let point = attachment(cx, at)?;
    // GL 4.6 §9.2.7: INVALID_ENUM if renderbuffertarget is not RENDERBUFFER.
    if renderbuffer_target != GL_RENDERBUFFER {
        return Err(GlError::invalid_enum("renderbuffertarget"));
    }
    let image = match (renderbuffer, cx.share.renderbuffers.get(renderbuffer)) {
        (0, _) => Image::None,
        (_, Some(id)) => Image::Renderbuffer(id),
        // GL 4.6 §9.2.7: INVALID_OPERATION if renderbuffer is not zero and not the name of an existing renderbuffer object.
        (_, None) => {
            return Err(GlError::invalid_operation("renderbuffer does not exist"));
        }
    };
    Ok(Attach {
        framebuffer,
        point,
        image,
    })
}

pub fn check_framebuffer_status(_: &Cx<'_>, target: GLenum) -> Result<FramebufferBinding, GlError> {
    binding(target)
}

/// Checked draw buffers.
#[derive(Clone, Copy, Debug)]
pub struct DrawBuffers {
    pub framebuffer: LocalIndex,
    pub buffers: [Option<u8>; MAX_COLOR_ATTACHMENTS],
    pub enums: [u32; MAX_COLOR_ATTACHMENTS],
}

/// What a buffer's name means for a framebuffer: an attachment, or none.
fn buffer(cx: &Cx<'_>, framebuffer: LocalIndex, value: GLenum) -> Result<Option<u8>, GlError> {
    match value {
        GL_NONE => Ok(None),
        GL_COLOR_ATTACHMENT0..=GL_COLOR_ATTACHMENT31 => {
            let index = value - GL_COLOR_ATTACHMENT0;
            // GL 4.6 §17.4.1: INVALID_OPERATION if the default framebuffer is bound, or if the attachment does not exist.
            if framebuffer == 0 || index >= limits::color_attachments(&cx.ctx.caps) {
                return Err(GlError::invalid_operation("buffer does not exist"));
            }
            Ok(Some(index as u8))
        }
        GL_FRONT_LEFT | GL_BACK_LEFT | GL_FRONT | GL_BACK | GL_LEFT | GL_FRONT_AND_BACK
            if framebuffer == 0 =>
        {
            // One colour buffer stands for all: windows present it, pbuffers have no other (GL 4.6 §17.4.1).
            Ok(Some(0))
        }
        GL_FRONT_LEFT | GL_BACK_LEFT | GL_FRONT | GL_BACK | GL_LEFT | GL_FRONT_AND_BACK
        | GL_FRONT_RIGHT | GL_BACK_RIGHT | GL_RIGHT => {
            Err(GlError::invalid_operation("buffer does not exist"))
        }
        _ => Err(GlError::invalid_enum("buffer")),
    }
}

pub fn draw_buffer(cx: &Cx<'_>, value: GLenum) -> Result<DrawBuffers, GlError> {
    let framebuffer = cx.ctx.framebuffers.draw;
    let mut args = DrawBuffers {
        framebuffer,
        buffers: [None; MAX_COLOR_ATTACHMENTS],
        enums: [GL_NONE; MAX_COLOR_ATTACHMENTS],
    };
    args.buffers[0] = buffer(cx, framebuffer, value)?;
    args.enums[0] = value;
    Ok(args)
}

pub fn draw_buffers(
    cx: &Cx<'_>,
    n: GLsizei,
    values: *const GLenum,
) -> Result<DrawBuffers, GlError> {
    // GL 4.6 §17.4.1: INVALID_VALUE if n is negative or greater than MAX_DRAW_BUFFERS.
    let n = u32::try_from(n)
        .ok()
        .filter(|n| *n <= limits::draw_buffers(&cx.ctx.caps))
        .ok_or(GlError::invalid_value("n"))?;
    // SAFETY: c_memory's rule: glDrawBuffers reads n values.
    let values = unsafe { c_memory::slice(values, n as usize) };
    let framebuffer = cx.ctx.framebuffers.draw;
    let mut args = DrawBuffers {
        framebuffer,
        buffers: [None; MAX_COLOR_ATTACHMENTS],
        enums: [GL_NONE; MAX_COLOR_ATTACHMENTS],
    };
    for (i, value) in values.iter().enumerate() {
        // GL 4.6 §17.4.1: INVALID_ENUM if a value names several buffers, but for BACK alone.
        let several = matches!(*value, GL_FRONT | GL_LEFT | GL_RIGHT | GL_FRONT_AND_BACK)
            || (*value == GL_BACK && values.len() != 1);
        if several {
            return Err(GlError::invalid_enum("a value names several buffers"));
        }
        let found = buffer(cx, framebuffer, *value)?;
        // GL 4.6 §17.4.1: INVALID_OPERATION if a buffer other than NONE is named twice.
        if *value != GL_NONE && values[..i].contains(value) {
            return Err(GlError::invalid_operation("a buffer is named twice"));
        }
        (args.buffers[i], args.enums[i]) = (found, *value);
    }
    Ok(args)
}

pub fn read_buffer(
    cx: &Cx<'_>,
    value: GLenum,
) -> Result<(LocalIndex, Option<u8>, GLenum), GlError> {
    let framebuffer = cx.ctx.framebuffers.read;
    // GL 4.6 §18.2.1: FRONT_AND_BACK is not accepted.
    if value == GL_FRONT_AND_BACK {
        return Err(GlError::invalid_enum("buffer"));
    }
    Ok((framebuffer, buffer(cx, framebuffer, value)?, value))
}

pub fn framebuffer_parameteri(
    cx: &Cx<'_>,
    target: GLenum,
    pname: GLenum,
    param: GLint,
) -> Result<(LocalIndex, FramebufferDefault), GlError> {
    let framebuffer = object(cx, target)?;
    let limits = &cx.ctx.caps.limits;
    // GL 4.6 §9.2.1: INVALID_VALUE if param is negative or greater than the limit of its kind.
    let within = |limit: u32| {
        u32::try_from(param)
            .ok()
            .filter(|value| *value <= limit)
            .ok_or(GlError::invalid_value("param"))
    };
    let value = match pname {
        GL_FRAMEBUFFER_DEFAULT_WIDTH => {
            FramebufferDefault::Width(within(limits.max_viewport_dims[0])?)
        }
        GL_FRAMEBUFFER_DEFAULT_HEIGHT => {
            FramebufferDefault::Height(within(limits.max_viewport_dims[1])?)
        }
        GL_FRAMEBUFFER_DEFAULT_LAYERS => {
            FramebufferDefault::Layers(within(limits.max_array_texture_layers)?)
        }
        GL_FRAMEBUFFER_DEFAULT_SAMPLES => FramebufferDefault::Samples(within(limits.max_samples)?),
        GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS => {
            FramebufferDefault::FixedSampleLocations(param != 0)
        }
        _ => return Err(GlError::invalid_enum("pname")),
    };
    Ok((framebuffer, value))
}

pub fn get_framebuffer_parameteriv(
    cx: &Cx<'_>,
    target: GLenum,
    pname: GLenum,
    params: *mut GLint,
) -> Result<(GLint, *mut GLint), GlError> {
    let framebuffer = cx.ctx.framebuffer(object(cx, target)?);
    let value = match pname {
        GL_FRAMEBUFFER_DEFAULT_WIDTH => framebuffer.default_width as GLint,
        GL_FRAMEBUFFER_DEFAULT_HEIGHT => framebuffer.default_height as GLint,
        GL_FRAMEBUFFER_DEFAULT_LAYERS => framebuffer.default_layers as GLint,
        GL_FRAMEBUFFER_DEFAULT_SAMPLES => framebuffer.default_samples as GLint,
        GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS => {
            framebuffer.default_fixed_sample_locations.into()
        }
        _ => return Err(GlError::invalid_enum("pname")),
    };
    Ok((value, params))
}

fn invalidated(target: GLenum, n: GLsizei) -> Result<(), GlError> {
    binding(target)?;
    names::count(n).map(|_| ())
}

/// The attachments are not looked at: contents may stay (GL 4.6 §17.4.4).
pub fn invalidate_framebuffer(
    _: &Cx<'_>,
    target: GLenum,
    n: GLsizei,
    _: *const GLenum,
) -> Result<(), GlError> {
    invalidated(target, n)
}

pub fn invalidate_sub_framebuffer(
    _: &Cx<'_>,
    target: GLenum,
    n: GLsizei,
    _: *const GLenum,
    _: GLint,
    _: GLint,
    width: GLsizei,
    height: GLsizei,
) -> Result<(), GlError> {
    if width < 0 || height < 0 {
        return Err(GlError::invalid_value("width or height < 0"));
    }
    invalidated(target, n)
}

/// The point that a query's attachment names, on the default framebuffer too.
fn queried_point(
    cx: &Cx<'_>,
    framebuffer: LocalIndex,
    value: GLenum,
) -> Result<AttachmentPoint, GlError> {
    if framebuffer != 0 {
        return attachment(cx, value);
    }
    // GL 4.6 §9.2.3: the default framebuffer's attachments.
    match value {
        GL_FRONT | GL_FRONT_LEFT | GL_BACK | GL_BACK_LEFT => Ok(AttachmentPoint::Color(0)),
        GL_FRONT_RIGHT | GL_BACK_RIGHT => Ok(AttachmentPoint::Color(1)),
        GL_DEPTH => Ok(AttachmentPoint::Depth),
        GL_STENCIL => Ok(AttachmentPoint::Stencil),
        _ => Err(GlError::invalid_enum("attachment")),
    }
}

pub fn get_framebuffer_attachment_parameteriv(
    cx: &Cx<'_>,
    target: GLenum,
    at: GLenum,
    pname: GLenum,
    params: *mut GLint,
) -> Result<(GLint, *mut GLint), GlError> {
    let binding = binding(target)?;
    let index = cx.ctx.framebuffer_index(binding);
    let point = queried_point(cx, index, at)?;
    let framebuffer = cx.ctx.framebuffer(index);
    // GL 4.6 §9.2.3: INVALID_OPERATION if attachment is DEPTH_STENCIL_ATTACHMENT and both points have different images.
    if point == AttachmentPoint::DepthStencil && framebuffer.depth != framebuffer.stencil {
        return Err(GlError::invalid_operation(
            "depth and stencil have different images",
        ));
    }
    let image = framebuffer.attachment(point);
    let facts = cx.ctx.attachment_facts(binding, point, cx.objects);
    let kind = match image {
        Image::Texture { .. } => GL_TEXTURE,
        Image::Renderbuffer(_) => GL_RENDERBUFFER,
        Image::None if index == 0 && facts.is_some() => GL_FRAMEBUFFER_DEFAULT,
        Image::None => GL_NONE,
    };
    if pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE {
        return Ok((kind as GLint, params));
    }
    if kind == GL_NONE {
        // GL 4.6 §9.2.3: without an object only its type and its name (zero) can be asked; others are INVALID_OPERATION.
        return if pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME {
            Ok((0, params))
        } else {
            Err(GlError::invalid_operation("nothing is attached"))
        };
    }
    if let Some(value) = format_answer(pname, point, facts)? {
        return Ok((value, params));
    }
    let value = match (pname, image) {
        (GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, Image::Texture { texture, .. }) => {
            cx.objects.textures[texture].name as GLint
        }
        (GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, Image::Renderbuffer(id)) => {
            cx.objects.renderbuffers[id].name as GLint
        }
        (GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL, Image::Texture { level, .. }) => level as GLint,
        (GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER, Image::Texture { texture, layer, .. }) => {
            if cx.objects.textures[texture].target == Target::TextureCube {
                0
            } else {
                layer as GLint
            }
        }
        (
            GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE,
            Image::Texture {
                texture,
                layer,
                layered,
                ..
            },
        ) => {
            if cx.objects.textures[texture].target == Target::TextureCube && !layered {
                (GL_TEXTURE_CUBE_MAP_POSITIVE_X + layer) as GLint
            } else {
                0
            }
        }
        (GL_FRAMEBUFFER_ATTACHMENT_LAYERED, Image::Texture { layered, .. }) => layered.into(),
        _ => return Err(GlError::invalid_enum("pname")),
    };
    Ok((value, params))
}

/// Questions about the image's format; `None`: pname is not about it.
fn format_answer(
    pname: GLenum,
    point: AttachmentPoint,
    facts: Option<ImageFacts>,
) -> Result<Option<GLint>, GlError> {
    let info = facts
        .map_or(pipe::Format::None, |facts| facts.format)
        .info();
    let [red, green, blue, alpha] = info.color_bits;
    let bits = match pname {
        GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE => red,
        GL_FRAMEBUFFER_ATTACHMENT_GREEN_SIZE => green,
        GL_FRAMEBUFFER_ATTACHMENT_BLUE_SIZE => blue,
        GL_FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE => alpha,
        GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE => info.depth_bits,
        GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE => info.stencil_bits,
        GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING => {
            let encoding = if info.is_srgb() { GL_SRGB } else { GL_LINEAR };
            return Ok(Some(encoding as GLint));
        }
        GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE => {
            // GL 4.6 §9.2.3: INVALID_OPERATION for DEPTH_STENCIL_ATTACHMENT, which has two types.
            if point == AttachmentPoint::DepthStencil {
                return Err(GlError::invalid_operation(
                    "depth and stencil have two component types",
                ));
            }
            let kind = match info.component {
                _ if point == AttachmentPoint::Stencil => GL_UNSIGNED_INT,
                Component::None => GL_NONE,
                Component::Unorm | Component::Srgb => GL_UNSIGNED_NORMALIZED,
                Component::Snorm => GL_SIGNED_NORMALIZED,
                Component::Float => GL_FLOAT,
                Component::Int => GL_INT,
                Component::Uint => GL_UNSIGNED_INT,
            };
            return Ok(Some(kind as GLint));
        }
        _ => return Ok(None),
    };
    Ok(Some(bits.into()))
}
