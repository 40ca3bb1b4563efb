//! Vertex attributes that the device cannot fetch as they lie in memory: 32-bit integers and fixed point read as floats, doubles read
//! as floats, scaled and three-component formats where absent. They are converted on the host to four words. It fetches no other.

use crate::backend::VulkanBackend;
use crate::memory::RawBuffer;
use crate::trash::Garbage;
use crate::uploads::Slice;
use gpu_allocator::MemoryLocation;
use pipe::{BufferId, Host, MAX_VERTEX_ATTRIBS, VertexAttrib};
use pipe_inputs::Told;

/// Converted arrays that are kept; a program has few such attributes.
const KEPT: usize = 32;

/// What a converted array was made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvertKey {
    buffer: BufferId,
    content: u64,
    offset: u64,
    stride: u32,
    attrib: VertexAttrib,
}

const BYTE: u16 = 0x1400;
const UNSIGNED_BYTE: u16 = 0x1401;
const SHORT: u16 = 0x1402;
const UNSIGNED_SHORT: u16 = 0x1403;
const INT: u16 = 0x1404;
const UNSIGNED_INT: u16 = 0x1405;
const FLOAT: u16 = 0x1406;
const DOUBLE: u16 = 0x140A;
const HALF_FLOAT: u16 = 0x140B;
const FIXED: u16 = 0x140C;

/// Bytes of a component; `None`: packed types are not converted.
fn component_bytes(ty: u16) -> Option<usize> {
    match ty {
        BYTE | UNSIGNED_BYTE => Some(1),
        SHORT | UNSIGNED_SHORT | HALF_FLOAT => Some(2),
        INT | UNSIGNED_INT | FLOAT | FIXED => Some(4),
        DOUBLE => Some(8),
        _ => None,
    }
}

/// Whether [`convert`] knows the attribute.
pub fn convertible(a: &VertexAttrib) -> bool {
    component_bytes(a.ty).is_some() && a.bgra == 0 && a.long == 0
}

/// A component as the bits of a float, or of an integer for integer attributes.
fn component(a: &VertexAttrib, bytes: &[u8]) -> u32 {
    let mut raw = [0; 8];
    raw[..bytes.len()].copy_from_slice(bytes);
    let word = u64::from_ne_bytes(raw);
    let bits = 8 * bytes.len() as u32;
    let signed = matches!(a.ty, BYTE | SHORT | INT);
    let integer = if signed {
        // Sign extension from the component's own width.
        (word << (64 - bits)) as i64 >> (64 - bits)
    } else {
        word as i64
    };
    if a.integer != 0 {
        return integer as u32;
    }
    let value = match a.ty {
        FLOAT => return word as u32,
        DOUBLE => f64::from_bits(word) as f32,
        HALF_FLOAT => pipe::pixels::f16_to_real(word as u16) as f32,
        FIXED => (f64::from(word as u32 as i32) / 65536.0) as f32,
        // GL 4.6 core §2.3.5, "Fixed-Point Data Conversions".
        _ if a.normalized != 0 && signed => {
            let max = ((1u64 << (bits - 1)) - 1) as f64;
            (integer as f64 / max).max(-1.0) as f32
        }
        _ if a.normalized != 0 => (integer as f64 / ((1u64 << bits) - 1) as f64) as f32,
        _ => integer as f32,
    };
    value.to_bits()
}

/// Every whole element of `bytes`, which starts at element 0: sixteen bytes each, absent components as (0, 0, 0, 1).
pub fn convert(a: &VertexAttrib, stride: usize, bytes: &[u8]) -> Vec<u8> {
    let Some(size) = component_bytes(a.ty) else {
        return Vec::new();
    };
    let n = usize::from(a.components.clamp(1, 4));
    let one = if a.integer != 0 { 1 } else { 1.0_f32.to_bits() };
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(element) = bytes.get(at..at + n * size) {
        let mut words = [0, 0, 0, one];
        for (word, bytes) in words.iter_mut().zip(element.chunks_exact(size)) {
            *word = component(a, bytes);
        }
        for word in words {
            out.extend_from_slice(&word.to_ne_bytes());
        }
        if stride == 0 {
            break;
        }
        at += stride;
    }
    out
}

impl VulkanBackend {
    /// The converted array of an attribute.
    pub(crate) fn converted(
        &mut self,
        told: Told<'_>,
        host: Host<'_>,
        location: u8,
    ) -> Option<Slice> {
        let elements = told
            .objects
            .vertex_elements
            .get(told.inputs.vertex_elements())?;
        let a = elements.attribs[usize::from(location)];
        let binding = usize::from(a.binding) % MAX_VERTEX_ATTRIBS;
        let stride = elements.bindings[binding].stride_bytes;
        let bound = told.inputs.vertex_buffers()[binding];
        let relative = u64::from(a.relative_offset_bytes);
        let Some(buffer) = self.buffers.get(bound.buffer) else {
            let bytes = host.0.bytes(&bound.user)?;
            let bytes = bytes.get(relative as usize..)?;
            let converted = convert(&a, stride as usize, bytes);
            return self.stage(&converted, 16);
        };
        let key = ConvertKey {
            buffer: bound.buffer,
            content: buffer.content_version,
            offset: bound.offset_bytes,
            stride,
            attrib: a,
        };
        let kept = self.converted.iter().find(|(k, _)| *k == key);
        if let Some((_, raw)) = kept {
            return Some(Slice {
                buffer: raw.buffer,
                offset_bytes: 0,
            });
        }
        let start = bound.offset_bytes + relative;
        let len = buffer.raw.size_bytes.saturating_sub(start);
        let mut bytes = vec![0; len as usize];
        self.read_buffer(bound.buffer, start, &mut bytes);
        let converted = convert(&a, stride as usize, &bytes);
        let size = (converted.len() as u64).max(16);
        let mut raw = RawBuffer::new(&mut self.gpu, size, MemoryLocation::CpuToGpu, "converted")?;
        if let Some(mapped) = raw.mapped_mut() {
            mapped[..converted.len()].copy_from_slice(&converted);
            mapped[converted.len()..].fill(0);
        }
        let slice = Slice {
            buffer: raw.buffer,
            offset_bytes: 0,
        };
        if self.converted.len() == KEPT {
            let (_, oldest) = self.converted.remove(0);
            self.trash
                .push(self.commands.serial(), Garbage::Buffer(oldest));
        }
        self.converted.push((key, raw));
        Some(slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attrib(ty: u16, components: u8, normalized: u8) -> VertexAttrib {
        VertexAttrib {
            ty,
            components,
            bgra: 0,
            normalized,
            integer: 0,
            long: 0,
            binding: 0,
            relative_offset_bytes: 0,
            enabled: 1,
        }
    }

    fn floats(bytes: &[u8]) -> Vec<f32> {
        bytes
            .chunks_exact(4)
            .map(|b| f32::from_ne_bytes(b.try_into().unwrap()))
            .collect()
    }

    #[test]
    fn convert_of_integers_scales_only_when_normalized() {
        let bytes: Vec<u8> = [i32::MIN, i32::MAX]
            .iter()
            .flat_map(|v| v.to_ne_bytes())
            .collect();
        let scaled = convert(&attrib(INT, 2, 0), 8, &bytes);
        assert_eq!(floats(&scaled), [-2147483648.0, 2147483647.0, 0.0, 1.0]);
        let normalized = convert(&attrib(INT, 2, 1), 8, &bytes);
        assert_eq!(floats(&normalized), [-1.0, 1.0, 0.0, 1.0]);
    }

    #[test]
    fn convert_of_fixed_point_and_doubles_gives_floats_by_stride() {
        let fixed: Vec<u8> = [0x0001_8000i32, 7, -0x0000_8000]
            .iter()
            .flat_map(|v| v.to_ne_bytes())
            .collect();
        let out = convert(&attrib(FIXED, 1, 0), 8, &fixed);
        assert_eq!(floats(&out), [1.5, 0.0, 0.0, 1.0, -0.5, 0.0, 0.0, 1.0]);
        let doubles: Vec<u8> = [0.25f64, 2.0]
            .iter()
            .flat_map(|v| v.to_ne_bytes())
            .collect();
        let out = convert(&attrib(DOUBLE, 2, 0), 16, &doubles);
        assert_eq!(floats(&out), [0.25, 2.0, 0.0, 1.0]);
    }
}
