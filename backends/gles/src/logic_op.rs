//! Logic operations, which ES does not have: the fragment stage reads the framebuffer and combines bits (GL 4.6 §17.3.9). It decides
//! nothing about blending, which a logic operation takes the place of.

use crate::features::Features;
use pipe::formats::Component;
use pipe::render_state::RenderState;
use pipe::{CapBits, FramebufferState};
use std::fmt::Write;

/// What is compiled into a fragment stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogicOp {
    /// Low nibble of the GL value: GL_CLEAR is 0.
    pub op: u8,
    /// Bits of R, G, B, A of a normalised target.
    pub bits: [u8; 4],
}

const CLEAR: u16 = 0x1500;
const COPY: u16 = 0x1503;

/// Whether logic operations replace blending: the switch is on and the driver lets fragments read the framebuffer.
pub fn is_on(state: &RenderState, features: &Features) -> bool {
    features.framebuffer_fetch && state.caps().contains(CapBits::COLOR_LOGIC_OP)
}

impl LogicOp {
    /// The operation in force on a framebuffer, if it changes anything. All outputs combine as the first one's target does.
    pub fn of(state: &RenderState, fb: &FramebufferState, features: &Features) -> Option<Self> {
        if !is_on(state, features) || state.blend.logic_op == COPY {
            return None;
        }
        let targets = fb.draw_buffers.iter();
        let mut surfaces = targets.filter_map(|i| fb.color.get(usize::try_from(*i).ok()?));
        let info = surfaces.next()?.format.info();
        // GL 4.6 §17.3.9: no effect on floating-point targets, nor on sRGB ones while FRAMEBUFFER_SRGB is on.
        let combines = match info.component {
            Component::Unorm | Component::Int | Component::Uint => true,
            Component::Srgb => !state.caps().contains(CapBits::FRAMEBUFFER_SRGB),
            Component::None | Component::Snorm | Component::Float => false,
        };
        if !combines {
            return None;
        }
        Some(Self {
            op: state.blend.logic_op.wrapping_sub(CLEAR) as u8 & 15,
            bits: info.color_bits,
        })
    }

    /// The operation on `s` and `d` in GLSL (GL 4.6 table 17.3, in the order of the values).
    fn expression(self) -> &'static str {
        [
            "s ^ s", "s & d", "s & ~d", "s", "~s & d", "d", "s ^ d", "s | d", "~(s | d)",
            "~(s ^ d)", "~d", "s | ~d", "~s", "~s | d", "~(s & d)", "~(s ^ s)",
        ][usize::from(self.op)]
    }
}

/// An output of a translated fragment stage.
struct Output<'a> {
    location: u32,
    ty: &'a str,
    name: &'a str,
}

fn output(line: &str) -> Option<Output<'_>> {
    let (location, rest) = line
        .strip_prefix("layout(location = ")?
        .split_once(") out ")?;
    let mut words = rest.strip_suffix(';')?.rsplit(' ');
    let (name, ty) = (words.next()?, words.next()?);
    let scalar_or_vector = ["float", "int", "uint", "vec", "ivec", "uvec"]
        .contains(&ty.trim_end_matches(|c: char| c.is_ascii_digit()));
    // An array of outputs ends in brackets; it stays as it is.
    (scalar_or_vector && !name.contains('[')).then_some(Output {
        location: location.parse().ok()?,
        ty,
        name,
    })
}

/// A fragment stage that combines its outputs with what the framebuffer holds.
pub fn combine(text: &str, logic: LogicOp) -> String {
    let (version, body) = text.split_once('\n').unwrap_or((text, ""));
    let mut out = format!("{version}\n#extension GL_EXT_shader_framebuffer_fetch : require\n");
    let mut combined = String::new();
    for line in body.lines() {
        let Some(Output { location, ty, name }) = output(line) else {
            out.push_str(line);
            out.push('\n');
            continue;
        };
        let (vector, words) = match ty.as_bytes()[0] {
            b'i' => ("ivec4", "ivec4"),
            b'u' => ("uvec4", "uvec4"),
            _ => ("vec4", "uvec4"),
        };
        let width = match ty.as_bytes().last() {
            Some(n @ b'2'..=b'4') => n - b'0',
            _ => 1,
        };
        let frame = format!("mobilegl_frame{location}");
        // What an output does not write is undefined; zeros serve.
        let padding = ", 0".repeat(4 - usize::from(width));
        let _ = write!(
            out,
            "layout(location = {location}) inout highp {vector} {frame};\nhighp {ty} {name};\n"
        );
        let bits = |v: &str| match vector {
            "vec4" => format!("uvec4(clamp({v}, 0.0, 1.0) * vec4(mobilegl_bits) + 0.5)"),
            _ => v.to_owned(),
        };
        let result = match vector {
            "vec4" => "vec4((r) & mobilegl_bits) / vec4(max(mobilegl_bits, uvec4(1u)))",
            _ => "(r)",
        }
        .replace("(r)", &format!("({})", logic.expression()));
        let _ = write!(
            combined,
            "    {{\n        highp {words} s = {};\n        highp {words} d = {};\n        {frame} = {result};\n    }}\n",
            bits(&format!("{vector}({name}{padding})")),
            bits(&frame),
        );
    }
    let most = logic.bits.map(|bits| (1_u64 << bits.min(32)) - 1);
    let mut out = out.replacen("void main()", "void mobilegl_uncombined()", 1);
    let _ = write!(
        out,
        "const highp uvec4 mobilegl_bits = uvec4({}u, {}u, {}u, {}u);\nvoid main()\n{{\n    mobilegl_uncombined();\n{combined}}}\n",
        most[0], most[1], most[2], most[3]
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evaluates a table entry on one bit each.
    fn bit(expression: &str, s: bool, d: bool) -> bool {
        let text = expression.replace(' ', "");
        match text.as_str() {
            "s^s" => false,
            "~(s^s)" => true,
            "s" => s,
            "d" => d,
            "~s" => !s,
            "~d" => !d,
            "s&d" => s & d,
            "s&~d" => s & !d,
            "~s&d" => !s & d,
            "s^d" => s ^ d,
            "s|d" => s | d,
            "~(s|d)" => !(s | d),
            "~(s^d)" => s == d,
            "s|~d" => s | !d,
            "~s|d" => !s | d,
            "~(s&d)" => !(s & d),
            other => panic!("{other}"),
        }
    }

    #[test]
    fn sixteen_operations_are_the_truth_tables_of_the_specification() {
        // GL 4.6 table 17.3 by value: results for (s, d) = 00, 01, 10, 11.
        let tables = [
            "0000", "0001", "0010", "0011", "0100", "0101", "0110", "0111", "1000", "1001", "1010",
            "1011", "1100", "1101", "1110", "1111",
        ];
        for (op, table) in (0..).zip(tables) {
            let logic = LogicOp { op, bits: [8; 4] };
            let seen: String = [(false, false), (false, true), (true, false), (true, true)]
                .map(|(s, d)| {
                    if bit(logic.expression(), s, d) {
                        '1'
                    } else {
                        '0'
                    }
                })
                .iter()
                .collect();
            assert_eq!(seen, table, "operation {op}");
        }
    }

    #[test]
    fn outputs_of_all_widths_are_read_and_arrays_stay() {
        let text = "#version 320 es\nlayout(location = 0) out highp vec2 a;\nlayout(location = 3) out highp ivec4 b;\nlayout(location = 1) out highp vec4 c[2];\nvoid main()\n{\n}\n";
        let seen = combine(
            text,
            LogicOp {
                op: 6,
                bits: [8, 8, 0, 0],
            },
        );
        for part in [
            "layout(location = 0) inout highp vec4 mobilegl_frame0;\nhighp vec2 a;",
            "layout(location = 3) inout highp ivec4 mobilegl_frame3;\nhighp ivec4 b;",
            "layout(location = 1) out highp vec4 c[2];",
            "vec4(a, 0, 0)",
            "uvec4(255u, 255u, 0u, 0u)",
            "mobilegl_frame3 = (s ^ d);",
        ] {
            assert!(seen.contains(part), "{part} in\n{seen}");
        }
    }
}
