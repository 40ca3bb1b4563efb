//! Vertex input: one vertex array per driver context, told by difference; attribute n fetches through driver binding n. It must never fetch client memory at a draw.

use crate::buffers::{Buffers, raw};
use crate::driver::Gl;
use crate::streams::Stream;
use glow::HasContext;
use pipe::pixels::codec::{f10_to_real, f11_to_real};
use pipe::{AttribValue, Host, MAX_VERTEX_ATTRIBS, VertexAttrib, VertexBuffer, VertexElementsDesc};

/// One attribute's format as the driver has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Format {
    ty: u32,
    components: u8,
    normalized: bool,
    integer: bool,
}

/// Where one attribute's array lies as the driver has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Source {
    buffer: u32,
    offset: isize,
    stride: i32,
    divisor: u32,
}

/// Vertex input as the driver has it.
#[derive(Debug)]
pub struct VertexShadow {
    array: Option<glow::NativeVertexArray>,
    empty: Option<glow::NativeVertexArray>,
    enabled: u32,
    formats: [Format; MAX_VERTEX_ATTRIBS],
    sources: [Source; MAX_VERTEX_ATTRIBS],
    defaults: [Option<AttribValue>; MAX_VERTEX_ATTRIBS],
    index: Option<glow::NativeBuffer>,
    /// The last call fetched bytes that live for one draw: look again at the next.
    volatile: bool,
}

impl Default for VertexShadow {
    fn default() -> Self {
        Self {
            array: None,
            empty: None,
            enabled: 0,
            formats: [Format::default(); MAX_VERTEX_ATTRIBS],
            sources: [Source::default(); MAX_VERTEX_ATTRIBS],
            defaults: [None; MAX_VERTEX_ATTRIBS],
            index: None,
            volatile: false,
        }
    }
}

const DOUBLE: u32 = 0x140A;
const UNSIGNED_INT_10F_11F_11F_REV: u32 = 0x8C3B;

/// What a draw's vertex input is made from.
#[derive(Clone, Copy)]
pub struct VertexInput<'a> {
    pub elements: &'a VertexElementsDesc,
    pub buffers: &'a [VertexBuffer; MAX_VERTEX_ATTRIBS],
    pub host: Host<'a>,
    /// Instanced arrays start here, where the driver has no base instance.
    pub base_instance: u32,
}

impl VertexShadow {
    /// Makes and binds the vertex array of this driver context.
    pub fn initialise(&mut self, gl: &Gl) {
        // SAFETY: GL rule 1.
        unsafe {
            self.array = gl.create_vertex_array().ok();
            self.empty = gl.create_vertex_array().ok();
            gl.bind_vertex_array(self.array);
            for i in 0..MAX_VERTEX_ATTRIBS as u32 {
                gl.vertex_attrib_binding(i, i);
            }
        }
    }

    /// Runs a draw of our own without any array.
    pub fn without_arrays(&self, gl: &Gl, draw: impl FnOnce()) {
        // SAFETY: GL rules 1 and 2.
        unsafe { gl.bind_vertex_array(self.empty) };
        draw();
        // SAFETY: GL rules 1 and 2.
        unsafe { gl.bind_vertex_array(self.array) };
    }

    /// Whether the sources must be made again at every draw.
    pub fn is_volatile(&self) -> bool {
        self.volatile
    }

    /// Makes the driver have this input. An array without bytes is off: it reads as the current value.
    pub fn apply(
        &mut self,
        gl: &Gl,
        stores: &Buffers,
        stream: &mut Stream,
        input: VertexInput<'_>,
    ) {
        let mut enabled = 0_u32;
        self.volatile = input.base_instance != 0;
        let mut pushed: [Option<(u32, isize)>; MAX_VERTEX_ATTRIBS] = [None; MAX_VERTEX_ATTRIBS];
        for (i, attrib) in input.elements.attribs.iter().enumerate() {
            if attrib.enabled == 0 {
                continue;
            }
            let at = usize::from(attrib.binding);
            let (Some(binding), Some(buffer)) =
                (input.elements.bindings.get(at), input.buffers.get(at))
            else {
                continue;
            };
            let mut source = Source {
                buffer: 0,
                offset: attrib.relative_offset_bytes as isize,
                stride: binding.stride_bytes as i32,
                divisor: binding.divisor,
            };
            let mut format = Format {
                ty: attrib.ty.into(),
                components: attrib.components,
                normalized: attrib.normalized != 0,
                integer: attrib.integer != 0,
            };
            let shift = if binding.divisor != 0 {
                input.base_instance as isize * binding.stride_bytes as isize
            } else {
                0
            };
            if needs_conversion(attrib) {
                let bytes = array_bytes(gl, stores, buffer, input.host);
                let Some(bytes) = bytes else { continue };
                let mut floats = Vec::new();
                convert(attrib, binding.stride_bytes, &bytes, &mut floats);
                let Some((name, offset)) = stream.push(gl, &floats, 16) else {
                    continue;
                };
                source.buffer = raw(name);
                source.stride = if binding.stride_bytes == 0 { 0 } else { 16 };
                source.offset = offset as isize
                    + if binding.divisor != 0 {
                        input.base_instance as isize * source.stride as isize
                    } else {
                        0
                    };
                format = Format {
                    ty: glow::FLOAT,
                    components: 4,
                    normalized: false,
                    integer: false,
                };
                self.volatile = true;
            } else if buffer.buffer.is_null() {
                self.volatile = true;
                let (name, offset) = match pushed[at] {
                    Some(pushed) => pushed,
                    None => {
                        let Some(bytes) = input.host.0.bytes(&buffer.user) else {
                            continue;
                        };
                        let Some((name, offset)) = stream.push(gl, bytes, 16) else {
                            continue;
                        };
                        pushed[at] = Some((raw(name), offset as isize));
                        (raw(name), offset as isize)
                    }
                };
                source.buffer = name;
                source.offset += offset + shift;
            } else {
                let Some(store) = stores.get(buffer.buffer) else {
                    continue;
                };
                source.buffer = raw(store.name);
                source.offset += buffer.offset_bytes as isize + shift;
            }
            enabled |= 1 << i;
            self.set(gl, i, format, source);
        }
        let differ = enabled ^ self.enabled;
        for i in (0..MAX_VERTEX_ATTRIBS as u32).filter(|i| differ & (1 << i) != 0) {
            // SAFETY: GL rule 1.
            unsafe {
                if enabled & (1 << i) != 0 {
                    gl.enable_vertex_attrib_array(i);
                } else {
                    gl.disable_vertex_attrib_array(i);
                }
            }
        }
        self.enabled = enabled;
    }

    fn set(&mut self, gl: &Gl, i: usize, format: Format, source: Source) {
        let index = i as u32;
        // SAFETY: GL rules 1 and 2.
        unsafe {
            if self.formats[i] != format {
                self.formats[i] = format;
                if format.integer {
                    gl.vertex_attrib_format_i32(index, format.components.into(), format.ty, 0);
                } else {
                    gl.vertex_attrib_format_f32(
                        index,
                        format.components.into(),
                        format.ty,
                        format.normalized,
                        0,
                    );
                }
            }
            let have = self.sources[i];
            if (have.buffer, have.offset, have.stride)
                != (source.buffer, source.offset, source.stride)
            {
                gl.ext
                    .bind_vertex_buffer(index, source.buffer, source.offset, source.stride);
            }
            if have.divisor != source.divisor {
                gl.vertex_binding_divisor(index, source.divisor);
            }
        }
        self.sources[i] = source;
    }

    /// Tells current attribute values of arrays that are off.
    pub fn apply_defaults(&mut self, gl: &Gl, values: &[AttribValue; MAX_VERTEX_ATTRIBS]) {
        for (i, value) in values.iter().enumerate() {
            if self.defaults[i].as_ref() == Some(value) {
                continue;
            }
            self.defaults[i] = Some(*value);
            let [x, y, z, w] = value.bits;
            let index = i as u32;
            // SAFETY: GL rule 1.
            unsafe {
                match value.kind {
                    1 => gl.vertex_attrib_4_i32(index, x as i32, y as i32, z as i32, w as i32),
                    2 => gl.vertex_attrib_4_u32(index, x, y, z, w),
                    _ => gl.vertex_attrib_4_f32(
                        index,
                        f32::from_bits(x),
                        f32::from_bits(y),
                        f32::from_bits(z),
                        f32::from_bits(w),
                    ),
                }
            }
        }
    }

    /// Binds the element array buffer.
    pub fn bind_index(&mut self, gl: &Gl, buffer: Option<glow::NativeBuffer>) {
        if self.index != buffer {
            self.index = buffer;
            // SAFETY: GL rules 1 and 2.
            unsafe { gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, buffer) };
        }
    }

    /// A buffer's driver name is about to be deleted.
    pub fn buffer_dies(&mut self, name: glow::NativeBuffer) {
        for source in self.sources.iter_mut().filter(|s| s.buffer == raw(name)) {
            // An impossible offset: whatever comes next differs.
            source.offset = -1;
            source.buffer = 0;
        }
        if self.index == Some(name) {
            self.index = None;
        }
    }
}

/// What ES cannot fetch: doubles, BGRA order, packed floats.
fn needs_conversion(attrib: &VertexAttrib) -> bool {
    attrib.long != 0
        || attrib.bgra != 0
        || matches!(u32::from(attrib.ty), DOUBLE | UNSIGNED_INT_10F_11F_11F_REV)
}

fn array_bytes(
    gl: &Gl,
    stores: &Buffers,
    buffer: &VertexBuffer,
    host: Host<'_>,
) -> Option<Vec<u8>> {
    if buffer.buffer.is_null() {
        return host.0.bytes(&buffer.user).map(<[u8]>::to_vec);
    }
    let store = stores.get(buffer.buffer)?;
    let size = store.size_bytes.checked_sub(buffer.offset_bytes)?;
    let mut bytes = vec![0; usize::try_from(size).ok()?];
    stores
        .read(gl, buffer.buffer, buffer.offset_bytes, &mut bytes)
        .then_some(bytes)
}

/// Every element of an array as four floats. Integer attributes of doubles do not exist (GL 4.6 §10.3.1).
fn convert(attrib: &VertexAttrib, stride: u32, bytes: &[u8], out: &mut Vec<u8>) {
    let ty = u32::from(attrib.ty);
    let size = element_bytes(ty, attrib.components);
    let first = attrib.relative_offset_bytes as usize;
    let step = if stride == 0 {
        bytes.len().max(1)
    } else {
        stride as usize
    };
    let mut at = first;
    while let Some(element) = bytes.get(at..at + size) {
        let mut v = [0.0_f32, 0.0, 0.0, 1.0];
        match ty {
            DOUBLE => {
                for (c, chunk) in v.iter_mut().zip(element.as_chunks::<8>().0) {
                    *c = f64::from_ne_bytes(*chunk) as f32;
                }
            }
            UNSIGNED_INT_10F_11F_11F_REV => {
                let w = u32::from_ne_bytes([element[0], element[1], element[2], element[3]]);
                v[0] = f11_to_real(w & 0x7FF) as f32;
                v[1] = f11_to_real(w >> 11 & 0x7FF) as f32;
                v[2] = f10_to_real(w >> 22) as f32;
            }
            glow::UNSIGNED_INT_2_10_10_10_REV | glow::INT_2_10_10_10_REV => {
                let w = u32::from_ne_bytes([element[0], element[1], element[2], element[3]]);
                let signed = ty == glow::INT_2_10_10_10_REV;
                for (i, c) in v.iter_mut().enumerate() {
                    let bits = if i == 3 { 2 } else { 10 };
                    let raw = w >> (10 * i) & ((1 << bits) - 1);
                    *c = if signed {
                        let value = ((raw << (32 - bits)) as i32 >> (32 - bits)) as f32;
                        if attrib.normalized != 0 {
                            (value / ((1 << (bits - 1)) - 1) as f32).max(-1.0)
                        } else {
                            value
                        }
                    } else if attrib.normalized != 0 {
                        raw as f32 / ((1 << bits) - 1) as f32
                    } else {
                        raw as f32
                    };
                }
            }
            // GL_BGRA is for unsigned bytes and the packed types only (GL 4.6 §10.3.1).
            _ => {
                for (c, byte) in v.iter_mut().zip(element) {
                    *c = if attrib.normalized != 0 {
                        f32::from(*byte) / 255.0
                    } else {
                        f32::from(*byte)
                    };
                }
            }
        }
        if attrib.bgra != 0 {
            v.swap(0, 2);
        }
        for c in v {
            out.extend_from_slice(&c.to_ne_bytes());
        }
        at += step;
    }
}

fn element_bytes(ty: u32, components: u8) -> usize {
    match ty {
        DOUBLE => 8 * usize::from(components),
        _ => 4,
    }
}
