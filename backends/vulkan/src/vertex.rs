//! Vertex input: GL's attributes and binding points as a pipeline's vertex input. It reads no vertex.
//!
//! GL's binding points are packed: Vulkan binding `i` is the `i`-th binding point that the program reaches. Attributes whose array
//! is off read the current value from one more binding of stride 0 ("defaults"), sixteen bytes per location.

use crate::convert::convertible;
use crate::device::Gpu;
use ash::vk;
use pipe::program::ProgramArtifact;
use pipe::{MAX_VERTEX_ATTRIBS, VertexAttrib, VertexElementsDesc};
use smallvec::SmallVec;

/// Where a Vulkan binding's bytes come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A GL binding point.
    Binding(u8),
    /// The current values.
    Defaults,
    /// The array of this location, converted on the host.
    Converted(u8),
}

/// One Vulkan binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InputBinding {
    pub source: Source,
    pub stride: u32,
    /// 0: per vertex.
    pub divisor: u32,
}

/// One attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InputAttribute {
    pub location: u32,
    pub binding: u32,
    pub format: vk::Format,
    pub offset: u32,
}

/// The vertex input of a pipeline: also its memo key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct VertexLayout {
    pub bindings: SmallVec<[InputBinding; 4]>,
    pub attributes: SmallVec<[InputAttribute; 8]>,
    /// Formats that the device has no vertex format for, by GL location.
    pub unsupported: u32,
}

/// The Vulkan format of an attribute as it lies in memory; `None`: there is none.
pub fn attrib_format(a: &VertexAttrib) -> Option<vk::Format> {
    use vk::Format as F;
    const BYTE: u16 = 0x1400;
    const UNSIGNED_BYTE: u16 = 0x1401;
    const SHORT: u16 = 0x1402;
    const UNSIGNED_SHORT: u16 = 0x1403;
    const INT: u16 = 0x1404;
    const UNSIGNED_INT: u16 = 0x1405;
    const FLOAT: u16 = 0x1406;
    const DOUBLE: u16 = 0x140A;
    const HALF_FLOAT: u16 = 0x140B;
    const INT_2_10_10_10_REV: u16 = 0x8D9F;
    const UNSIGNED_INT_2_10_10_10_REV: u16 = 0x8368;
    const UNSIGNED_INT_10F_11F_11F_REV: u16 = 0x8C3B;
    let n = usize::from(a.components.clamp(1, 4)) - 1;
    let (norm, int) = (a.normalized != 0, a.integer != 0);
    // By kind: integer, normalized, scaled.
    let pick = |ints: [F; 4], norms: [F; 4], scaled: [F; 4]| {
        Some(if int {
            ints[n]
        } else if norm {
            norms[n]
        } else {
            scaled[n]
        })
    };
    match a.ty {
        BYTE => pick(
            [F::R8_SINT, F::R8G8_SINT, F::R8G8B8_SINT, F::R8G8B8A8_SINT],
            [
                F::R8_SNORM,
                F::R8G8_SNORM,
                F::R8G8B8_SNORM,
                F::R8G8B8A8_SNORM,
            ],
            [
                F::R8_SSCALED,
                F::R8G8_SSCALED,
                F::R8G8B8_SSCALED,
                F::R8G8B8A8_SSCALED,
            ],
        ),
        UNSIGNED_BYTE if a.bgra != 0 => Some(F::B8G8R8A8_UNORM),
        UNSIGNED_BYTE => pick(
            [F::R8_UINT, F::R8G8_UINT, F::R8G8B8_UINT, F::R8G8B8A8_UINT],
            [
                F::R8_UNORM,
                F::R8G8_UNORM,
                F::R8G8B8_UNORM,
                F::R8G8B8A8_UNORM,
            ],
            [
                F::R8_USCALED,
                F::R8G8_USCALED,
                F::R8G8B8_USCALED,
                F::R8G8B8A8_USCALED,
            ],
        ),
        SHORT => pick(
            [
                F::R16_SINT,
                F::R16G16_SINT,
                F::R16G16B16_SINT,
                F::R16G16B16A16_SINT,
            ],
            [
                F::R16_SNORM,
                F::R16G16_SNORM,
                F::R16G16B16_SNORM,
                F::R16G16B16A16_SNORM,
            ],
            [
                F::R16_SSCALED,
                F::R16G16_SSCALED,
                F::R16G16B16_SSCALED,
                F::R16G16B16A16_SSCALED,
            ],
        ),
        UNSIGNED_SHORT => pick(
            [
                F::R16_UINT,
                F::R16G16_UINT,
                F::R16G16B16_UINT,
                F::R16G16B16A16_UINT,
            ],
            [
                F::R16_UNORM,
                F::R16G16_UNORM,
                F::R16G16B16_UNORM,
                F::R16G16B16A16_UNORM,
            ],
            [
                F::R16_USCALED,
                F::R16G16_USCALED,
                F::R16G16B16_USCALED,
                F::R16G16B16A16_USCALED,
            ],
        ),
        INT if int => Some(
            [
                F::R32_SINT,
                F::R32G32_SINT,
                F::R32G32B32_SINT,
                F::R32G32B32A32_SINT,
            ][n],
        ),
        UNSIGNED_INT if int => Some(
            [
                F::R32_UINT,
                F::R32G32_UINT,
                F::R32G32B32_UINT,
                F::R32G32B32A32_UINT,
            ][n],
        ),
        HALF_FLOAT => Some(
            [
                F::R16_SFLOAT,
                F::R16G16_SFLOAT,
                F::R16G16B16_SFLOAT,
                F::R16G16B16A16_SFLOAT,
            ][n],
        ),
        FLOAT => Some(
            [
                F::R32_SFLOAT,
                F::R32G32_SFLOAT,
                F::R32G32B32_SFLOAT,
                F::R32G32B32A32_SFLOAT,
            ][n],
        ),
        DOUBLE if a.long != 0 => Some(
            [
                F::R64_SFLOAT,
                F::R64G64_SFLOAT,
                F::R64G64B64_SFLOAT,
                F::R64G64B64A64_SFLOAT,
            ][n],
        ),
        INT_2_10_10_10_REV => Some(match (a.bgra != 0, norm) {
            (false, true) => F::A2B10G10R10_SNORM_PACK32,
            (false, false) => F::A2B10G10R10_SSCALED_PACK32,
            (true, true) => F::A2R10G10B10_SNORM_PACK32,
            (true, false) => F::A2R10G10B10_SSCALED_PACK32,
        }),
        UNSIGNED_INT_2_10_10_10_REV => Some(match (a.bgra != 0, norm) {
            (false, true) => F::A2B10G10R10_UNORM_PACK32,
            (false, false) => F::A2B10G10R10_USCALED_PACK32,
            (true, true) => F::A2R10G10B10_UNORM_PACK32,
            (true, false) => F::A2R10G10B10_USCALED_PACK32,
        }),
        UNSIGNED_INT_10F_11F_11F_REV => Some(F::B10G11R11_UFLOAT_PACK32),
        // 32-bit integers read as floats, fixed point, doubles read as floats: no Vulkan format (convert.rs).
        _ => None,
    }
}

/// Whether a GL type of an attribute is signed or unsigned integer; floats otherwise.
pub fn default_format(gl_type: u32) -> vk::Format {
    match gl_type {
        // GL_INT, GL_INT_VEC2..4
        0x1404 | 0x8B53..=0x8B55 => vk::Format::R32G32B32A32_SINT,
        // GL_UNSIGNED_INT, GL_UNSIGNED_INT_VEC2..4
        0x1405 | 0x8DC6..=0x8DC8 => vk::Format::R32G32B32A32_UINT,
        _ => vk::Format::R32G32B32A32_SFLOAT,
    }
}

/// The vertex input of a program over vertex elements; a null elements object has every array off.
pub fn layout(
    gpu: &Gpu,
    artifact: &ProgramArtifact,
    elements: Option<&VertexElementsDesc>,
) -> VertexLayout {
    let mut out = VertexLayout::default();
    for attribute in &artifact.attributes {
        for location in attribute.location..attribute.location + attribute.location_count {
            if location as usize >= MAX_VERTEX_ATTRIBS {
                continue;
            }
            let enabled = elements
                .map(|e| &e.attribs[location as usize])
                .filter(|a| a.enabled != 0);
            let format = enabled.and_then(attrib_format);
            let usable = format.filter(|f| gpu.reads_vertices_as(*f));
            let (source, stride, divisor, format, offset) = match (enabled, usable, elements) {
                (Some(a), Some(format), Some(e)) => {
                    let binding = &e.bindings[usize::from(a.binding) % MAX_VERTEX_ATTRIBS];
                    (
                        Source::Binding(a.binding),
                        binding.stride_bytes,
                        binding.divisor,
                        format,
                        a.relative_offset_bytes,
                    )
                }
                (Some(a), None, Some(e)) if convertible(a) => {
                    let binding = &e.bindings[usize::from(a.binding) % MAX_VERTEX_ATTRIBS];
                    let format = match (a.integer != 0, default_format(attribute.gl_type)) {
                        (true, format) => format,
                        (false, _) => vk::Format::R32G32B32A32_SFLOAT,
                    };
                    let stride = if binding.stride_bytes == 0 { 0 } else { 16 };
                    let source = Source::Converted(location as u8);
                    (source, stride, binding.divisor, format, 0)
                }
                _ => {
                    if enabled.is_some() {
                        out.unsupported |= 1 << location;
                    }
                    let format = default_format(attribute.gl_type);
                    (Source::Defaults, 0, 0, format, location * 16)
                }
            };
            let wanted = InputBinding {
                source,
                stride,
                divisor,
            };
            let binding = match out.bindings.iter().position(|b| *b == wanted) {
                Some(binding) => binding,
                None => {
                    out.bindings.push(wanted);
                    out.bindings.len() - 1
                }
            };
            out.attributes.push(InputAttribute {
                location,
                binding: binding as u32,
                format,
                offset,
            });
        }
    }
    out
}
