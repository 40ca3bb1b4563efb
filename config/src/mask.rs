//! `PushMask`: which subsystems are pushed. It names and parses bits; it must not know which of them are built.

use std::fmt;

/// One row per subsystem bit. Bits are never reused: 13 is retired (fences and queries have no state to pull).
macro_rules! bits {
    ($($bit:literal $name:ident $const:ident $what:literal;)*) => {
        /// Every bit that has a name, in order of the bit.
        pub const BITS: &[Bit] = &[$(Bit { bit: $bit, name: stringify!($name), what: $what }),*];

        impl PushMask {
            $(#[doc = $what] pub const $const: PushMask = PushMask(1 << $bit);)*
        }
    };
}

/// A subsystem bit as the table has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bit {
    pub bit: u8,
    pub name: &'static str,
    pub what: &'static str,
}

/// The bitmap of `MOBILEGL_PIPE_PUSH`: a set bit means that the subsystem is pushed, a cleared one that it is pulled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PushMask(pub u64);

bits! {
    0  render_state      RENDER_STATE      "render state chunks, both versions";
    1  pixel_pack        PIXEL_PACK        "pack parameters";
    2  patch_state       PATCH_STATE       "patch vertices, default tessellation levels";
    3  attrib_defaults   ATTRIB_DEFAULTS   "current attribute values";
    4  buffers           BUFFERS           "buffer resources and the buffer operations";
    5  vertex_input      VERTEX_INPUT      "vertex elements, vertex buffers, index buffer, indirect buffers";
    6  framebuffer       FRAMEBUFFER       "framebuffer state, renderbuffers";
    7  textures          TEXTURES          "texture resources, subdata, parameters, mip generation";
    8  samplers          SAMPLERS          "sampler CSOs, sampler views, bindings";
    9  images            IMAGES            "shader images";
    10 programs          PROGRAMS          "shader CSOs, draw and dispatch program, global constants";
    11 shader_buffers    SHADER_BUFFERS    "uniform, storage and atomic counter ranges";
    12 stream_output     STREAM_OUTPUT     "transform feedback targets, spans, accounting";
    14 host_resolve      HOST_RESOLVE      "client arrays, index ranges, indirect counts";
    62 residual          RESIDUAL          "value groups 0-3 whose own bit is off travel in the residual block";
    63 no_cso_addressing NO_CSO_ADDRESSING "content addressing of CSOs off: a negative control";
}

impl PushMask {
    /// Everything is pulled.
    pub const NONE: PushMask = PushMask(0);
    /// The subsystem bits 0-12 and 14: what `all` means where every subsystem is built.
    pub const ALL: PushMask = PushMask(0x5fff);

    pub const fn contains(self, other: PushMask) -> bool {
        self.0 & other.0 == other.0
    }

    pub const fn union(self, other: PushMask) -> PushMask {
        PushMask(self.0 | other.0)
    }

    pub const fn intersection(self, other: PushMask) -> PushMask {
        PushMask(self.0 & other.0)
    }

    pub const fn without(self, other: PushMask) -> PushMask {
        PushMask(self.0 & !other.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The mask of one bit by its name in the table.
    pub fn by_name(name: &str) -> Option<PushMask> {
        BITS.iter()
            .find(|bit| bit.name == name)
            .map(|bit| PushMask(1 << bit.bit))
    }

    /// `count` subsets for tests, residual block and content addressing among them, the same for the same seed.
    pub fn samples(self, seed: u64, count: usize) -> Vec<PushMask> {
        let switches = Self::RESIDUAL.union(Self::NO_CSO_ADDRESSING);
        let mut state = seed;
        let mut next = || {
            // SplitMix64.
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            PushMask(mixed ^ (mixed >> 31)).intersection(self.union(switches))
        };
        (0..count).map(|_| next()).collect()
    }

    /// The rows of the bits that are set, in order.
    pub fn bits(self) -> impl Iterator<Item = &'static Bit> {
        BITS.iter().filter(move |bit| self.0 >> bit.bit & 1 == 1)
    }

    /// Reads `0x1f`, `none`, `all`, `all-textures-samplers` or `render_state,buffers`.
    ///
    /// `all` stands for the subsystem bits in `implemented`; a bit outside it must be refused, not dropped, so it is an
    /// error here when it is named or written in hex. Bits 62 and 63 are switches of the source and always known.
    pub fn parse(text: &str, implemented: PushMask) -> Result<PushMask, String> {
        let text = text.trim();
        let mask = if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))
        {
            PushMask(
                u64::from_str_radix(digits, 16)
                    .map_err(|_| format!("`{text}` is not a 64-bit hexadecimal number"))?,
            )
        } else if text == "0" || text == "none" {
            PushMask::NONE
        } else if text.is_empty() {
            return Err("it is empty: write `none` for no bit".to_owned());
        } else if text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!(
                "`{text}` has no 0x before it, so it could be read in two ways"
            ));
        } else {
            Self::parse_words(text, implemented)?
        };
        mask.check(implemented)
    }

    fn parse_words(text: &str, implemented: PushMask) -> Result<PushMask, String> {
        let mut mask = PushMask::NONE;
        for word in text.split(',').map(str::trim) {
            // Names have no dash, so a dash always takes bits away.
            let mut parts = word.split('-');
            let first = parts.next().unwrap_or_default().trim();
            mask = mask.union(match first {
                "all" => PushMask::ALL.intersection(implemented),
                "none" => return Err("`none` cannot stand among other words".to_owned()),
                name => Self::named(name)?,
            });
            for taken in parts {
                mask = mask.without(Self::named(taken.trim())?);
            }
        }
        Ok(mask)
    }

    fn named(name: &str) -> Result<PushMask, String> {
        Self::by_name(name).ok_or_else(|| match BITS.iter().find(|bit| is_near(bit.name, name)) {
            Some(bit) => format!(
                "there is no subsystem `{name}`; did you mean `{}`?",
                bit.name
            ),
            None => format!("there is no subsystem `{name}`"),
        })
    }

    fn check(self, implemented: PushMask) -> Result<PushMask, String> {
        let known = BITS.iter().fold(0, |mask, bit| mask | 1u64 << bit.bit);
        if self.0 >> 13 & 1 == 1 {
            return Err("bit 13 is retired: fences and queries have no state to pull".to_owned());
        }
        if self.0 & !known != 0 {
            return Err(format!("{:#x} has no subsystem", self.0 & !known));
        }
        let switches = PushMask::RESIDUAL.union(PushMask::NO_CSO_ADDRESSING);
        let foreign = self.without(implemented.union(switches));
        if !foreign.is_empty() {
            return Err(format!("`{foreign}` is not in this build"));
        }
        Ok(self)
    }
}

/// The names, or `none`, or `all` for exactly the subsystem bits.
impl fmt::Display for PushMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let rest = if self.contains(Self::ALL) {
            f.write_str("all")?;
            separator = ",";
            self.without(Self::ALL)
        } else {
            *self
        };
        if self.is_empty() {
            return f.write_str("none");
        }
        for bit in rest.bits() {
            write!(f, "{separator}{}", bit.name)?;
            separator = ",";
        }
        let unnamed = BITS
            .iter()
            .fold(rest.0, |left, bit| left & !(1u64 << bit.bit));
        if unnamed != 0 {
            write!(f, "{separator}{unnamed:#x}")?;
        }
        Ok(())
    }
}

/// True when two words differ by little: same letters but for at most two edits. For suggestions only.
pub(crate) fn is_near(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 2 {
        return false;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut diagonal = row[0];
        row[0] = i;
        for j in 1..=b.len() {
            let substituted = diagonal + usize::from(a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = substituted.min(row[j] + 1).min(row[j - 1] + 1);
        }
    }
    row[b.len()] <= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<PushMask, String> {
        PushMask::parse(text, PushMask::ALL)
    }

    #[test]
    fn mask_all_is_the_bits_0_to_12_and_14() {
        assert_eq!(parse("all"), Ok(PushMask(((1 << 13) - 1) | (1 << 14))));
    }

    #[test]
    fn mask_samples_are_subsets_and_repeat() {
        let of = PushMask::TEXTURES.union(PushMask::SAMPLERS);
        let samples = of.samples(7, 20);
        assert_eq!(samples, of.samples(7, 20));
        assert_ne!(samples, of.samples(8, 20));
        let allowed = of
            .union(PushMask::RESIDUAL)
            .union(PushMask::NO_CSO_ADDRESSING);
        assert!(samples.iter().all(|mask| allowed.contains(*mask)));
    }

    #[test]
    fn mask_hex_is_read_as_written() {
        assert_eq!(parse("0x1f"), Ok(PushMask(0x1f)));
        assert_eq!(parse("0X10"), Ok(PushMask::BUFFERS));
        assert_eq!(parse("0x0"), Ok(PushMask::NONE));
    }

    #[test]
    fn mask_names_are_joined() {
        assert_eq!(parse("render_state, buffers"), Ok(PushMask(0x11)));
        assert_eq!(parse("residual"), Ok(PushMask(1 << 62)));
        assert_eq!(
            parse("all,no_cso_addressing"),
            Ok(PushMask(0x5fff | 1 << 63))
        );
    }

    #[test]
    fn mask_minus_takes_bits_away() {
        assert_eq!(parse("all-textures"), Ok(PushMask(0x5fff & !0x80)));
        assert_eq!(
            parse("all-textures-samplers"),
            Ok(PushMask(0x5fff & !0x180))
        );
    }

    #[test]
    fn mask_retired_bit_13_is_refused() {
        assert!(parse("0x2000").unwrap_err().contains("13 is retired"));
    }

    #[test]
    fn mask_unnamed_bit_is_refused() {
        assert!(parse("0x8000").unwrap_err().contains("0x8000"));
        assert!(parse("0x2000000000000000").is_err());
    }

    #[test]
    fn mask_bare_digits_are_refused_because_ambiguous() {
        assert!(parse("31").unwrap_err().contains("0x"));
        assert_eq!(parse("0"), Ok(PushMask::NONE));
    }

    #[test]
    fn mask_broken_words_are_refused_by_name() {
        assert!(
            parse("texture")
                .unwrap_err()
                .contains("did you mean `textures`")
        );
        assert!(parse("fences").unwrap_err().contains("`fences`"));
        assert!(parse("none,buffers").is_err());
        assert!(parse("").is_err());
        assert!(parse("buffers,").is_err());
        assert!(parse("0xzz").is_err());
        assert!(parse("0x1ffffffffffffffff").is_err());
    }

    #[test]
    fn mask_bit_that_is_not_built_is_refused_but_all_leaves_it_out() {
        let built = PushMask::ALL.without(PushMask::STREAM_OUTPUT);
        assert_eq!(PushMask::parse("all", built), Ok(built));
        assert!(
            PushMask::parse("stream_output", built)
                .unwrap_err()
                .contains("`stream_output` is not in this build")
        );
        assert!(
            PushMask::parse("0x1000", built)
                .unwrap_err()
                .contains("stream_output")
        );
    }

    #[test]
    fn mask_display_reads_back_as_itself() {
        for mask in [
            0,
            1,
            0x11,
            0x5fff,
            0x5fff & !0x80,
            0x5fff | 1 << 63,
            1 << 62,
            0x4000,
        ] {
            assert_eq!(
                parse(&PushMask(mask).to_string()),
                Ok(PushMask(mask)),
                "{}",
                PushMask(mask)
            );
        }
        assert_eq!(PushMask(0x8011).to_string(), "render_state,buffers,0x8000");
    }
}
