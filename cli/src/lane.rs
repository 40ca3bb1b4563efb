//! A lane: one backend with one bitmap, or with verify. It must not know how a lane is run.

use std::fmt;

use anyhow::{Result, bail};
use config::{Alternation, Build, PushMask};

/// The backends by the names that options and lanes use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    Gles,
    Vulkan,
    Null,
}

impl Backend {
    pub const ALL: [Backend; 3] = [Backend::Gles, Backend::Vulkan, Backend::Null];
    /// Those that draw pictures.
    pub const DRAWING: [Backend; 2] = [Backend::Gles, Backend::Vulkan];

    pub fn name(self) -> &'static str {
        match self {
            Backend::Gles => "gles",
            Backend::Vulkan => "vulkan",
            Backend::Null => "null",
        }
    }

    fn by_name(name: &str) -> Option<Backend> {
        Self::ALL.into_iter().find(|backend| backend.name() == name)
    }
}

/// What differs between the lanes of one backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    Mask(PushMask),
    /// Everything pushed and compared with a pull at every verb.
    Verify,
    /// Two bitmaps by turns.
    Alternate(Alternation),
    /// A bitmap, compared likewise.
    VerifyUnder(PushMask),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    pub backend: Backend,
    pub arm: Arm,
}

impl Lane {
    /// None, all, every single bit, and verify: what proves that each bit changes nothing.
    pub fn defaults(backend: Backend) -> Vec<Lane> {
        let implemented = build().implemented;
        let single = implemented.bits().map(|bit| PushMask(1 << bit.bit));
        let masks = [PushMask::NONE, implemented]
            .into_iter()
            .chain(single)
            .map(Arm::Mask);
        masks
            .chain([Arm::Verify])
            .map(|arm| Lane { backend, arm })
            .collect()
    }

    /// Reads `gles/none,vulkan/render_state,buffers,gles/verify`: a word without a slash continues the bitmap before it.
    pub fn parse_list(text: &str) -> Result<Vec<Lane>> {
        let mut texts: Vec<String> = Vec::new();
        for word in text.split(',').map(str::trim) {
            match texts.last_mut() {
                Some(last) if !word.contains('/') => {
                    last.push(',');
                    last.push_str(word);
                }
                _ => texts.push(word.to_owned()),
            }
        }
        let lanes = texts
            .iter()
            .map(|text| Lane::parse(text))
            .collect::<Result<Vec<_>>>()?;
        for (i, lane) in lanes.iter().enumerate() {
            if lanes[..i].contains(lane) {
                bail!("the lane {lane} stands twice");
            }
        }
        Ok(lanes)
    }

    fn parse(text: &str) -> Result<Lane> {
        let Some((backend, arm)) = text.split_once('/') else {
            bail!(
                "`{text}` is no lane: it is written BACKEND/MASK, BACKEND/verify or BACKEND/MASK:MASK[:FRAMES]"
            );
        };
        let Some(backend) = Backend::by_name(backend) else {
            bail!(
                "`{text}` is no lane: there is no backend `{backend}`; there are gles, vulkan, null"
            );
        };
        let arm = match arm {
            "verify" => Arm::Verify,
            plan if plan.contains(':') => match Alternation::parse(plan, &build()) {
                Ok(plan) => Arm::Alternate(plan),
                Err(why) => bail!("`{text}` is no lane: {why}"),
            },
            mask => match PushMask::parse(mask, build().implemented) {
                Ok(mask) => Arm::Mask(mask),
                Err(why) => bail!("`{text}` is no lane: {why}"),
            },
        };
        Ok(Lane { backend, arm })
    }

    /// The bitmap that must be in force, where it is one.
    pub fn mask(self) -> Option<PushMask> {
        match self.arm {
            Arm::Mask(mask) | Arm::VerifyUnder(mask) => Some(mask),
            Arm::Verify => Some(build().implemented),
            Arm::Alternate(_) => None,
        }
    }

    /// The library's variables that make this lane.
    pub fn variables(self) -> Vec<(&'static str, String)> {
        let verify = u8::from(matches!(self.arm, Arm::Verify | Arm::VerifyUnder(_)));
        let mask = self.mask().unwrap_or(PushMask::NONE);
        let plan = match self.arm {
            Arm::Alternate(plan) => plan.to_string(),
            Arm::Mask(_) | Arm::Verify | Arm::VerifyUnder(_) => String::new(),
        };
        vec![
            ("MOBILEGL_BACKEND", self.backend.name().to_owned()),
            ("MOBILEGL_PIPE_PUSH", format!("{:#x}", mask.0)),
            ("MOBILEGL_PIPE_AB", plan),
            ("MOBILEGL_PIPE_VERIFY", verify.to_string()),
            // All differences are counted instead of ending at the first.
            ("MOBILEGL_PIPE_VERIFY_FATAL", "0".to_owned()),
        ]
    }

    /// What the lane is called within its backend.
    pub fn arm_name(self) -> String {
        match self.arm {
            Arm::Verify => "verify".to_owned(),
            Arm::VerifyUnder(mask) => format!("{mask}, verify"),
            Arm::Mask(mask) if mask == build().implemented => "all".to_owned(),
            Arm::Mask(mask) => mask.to_string(),
            Arm::Alternate(plan) => plan.to_string(),
        }
    }
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.backend.name(), self.arm_name())
    }
}

/// The default build of the library, as the ledger describes it.
pub fn build() -> Build {
    let ledger = phases::ledger();
    Build {
        pull: true,
        verify: true,
        faults: true,
        implemented: PushMask(ledger.implemented_mask()),
        ledger_mask: PushMask(ledger.default_mask()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        Lane::parse_list(text)
            .expect("lanes")
            .iter()
            .map(Lane::to_string)
            .collect()
    }

    #[test]
    fn lanes_are_split_at_commas_but_bitmaps_keep_theirs() {
        assert_eq!(
            shown("gles/none,vulkan/render_state,buffers,gles/verify"),
            ["gles/none", "vulkan/render_state,buffers", "gles/verify"]
        );
        assert_eq!(
            shown("gles/none:render_state,buffers:1,vulkan/all"),
            ["gles/none:render_state,buffers:1", "vulkan/all"]
        );
        assert_eq!(
            shown("vulkan/0x1,null/all"),
            ["vulkan/render_state", "null/all"]
        );
    }

    #[test]
    fn lanes_that_do_not_exist_are_refused_by_name() {
        for (text, part) in [
            ("metal/all", "`metal`"),
            ("all", "BACKEND/MASK"),
            ("gles/fences", "`fences`"),
            ("gles/0x2000", "retired"),
            ("gles/none:", "it is empty"),
            ("gles/all,gles/all", "twice"),
            ("", "BACKEND/MASK"),
        ] {
            let error = Lane::parse_list(text).expect_err(text).to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn lanes_by_default_hold_none_all_each_bit_and_verify() {
        let lanes = Lane::defaults(Backend::Gles);
        assert_eq!(lanes.len(), build().implemented.bits().count() + 3);
        assert_eq!(lanes[0].to_string(), "gles/none");
        assert_eq!(lanes[1].to_string(), "gles/all");
        assert_eq!(
            lanes.last().map(Lane::to_string).as_deref(),
            Some("gles/verify")
        );
    }

    #[test]
    fn ledger_names_every_bit_as_the_bitmap_does() {
        for row in &phases::ledger().bits {
            assert_eq!(
                PushMask::by_name(&row.name),
                Some(PushMask(1 << row.bit)),
                "{}",
                row.name
            );
        }
    }
}
