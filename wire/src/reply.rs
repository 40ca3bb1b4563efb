//! Answers: what comes back for the few calls that the client waits for. The client checks them too; a short answer is a lost peer,
//! never a wrong value.

use crate::encode::Sink;
use pipe::{
    Ability, Call, Caps, FenceStatus, FormatUse, Handle, Limits, RawHandle, Submit, TextureId,
    TexturePull,
};
use std::sync::Arc;

/// The executing side is gone or talks nonsense. Said once; every later call answers as on a lost device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the executing side is lost: {0}")]
pub struct Lost(pub String);

/// Where records go and answers come from.
pub trait ReplyPort: Sink {
    /// Everything written so far gets applied; the answer to the last record, `call`, is put into `into`.
    fn reply(&mut self, call: Call, into: &mut Vec<u8>) -> Result<(), Lost>;
}

/// Walks an answer.
#[derive(Debug)]
pub struct ReplyReader<'a> {
    rest: &'a [u8],
}

impl<'a> ReplyReader<'a> {
    /// Over a whole answer.
    pub fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// The next `n` bytes.
    pub fn take(&mut self, n: usize) -> Result<&'a [u8], Lost> {
        let (taken, rest) = self
            .rest
            .split_at_checked(n)
            .ok_or_else(|| Lost(format!("an answer ends {n} bytes early")))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Lost> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        Ok(bytes)
    }

    /// Nothing may follow.
    pub fn end(self) -> Result<(), Lost> {
        match self.rest.len() {
            0 => Ok(()),
            n => Err(Lost(format!("{n} bytes follow an answer"))),
        }
    }
}

/// A call's result.
pub trait Reply: Sized {
    /// Appends it.
    fn write(&self, out: &mut Vec<u8>);
    /// Reads what [`Self::write`] wrote.
    fn read(reader: &mut ReplyReader<'_>) -> Result<Self, Lost>;
    /// What `call` answers once the peer is lost.
    fn lost(call: Call) -> Self;
    /// The pull request that keeps the call from being done.
    fn parked(&self) -> Option<TexturePull>;
}

/// A result that is known when the call is sent: the client waits for nothing.
pub(crate) trait Sent {
    const SENT: Self;
}

impl Sent for () {
    const SENT: Self = ();
}

impl Sent for Submit {
    /// A verb that has to be parked says so as an event (`TexturePullRequest`).
    const SENT: Self = Self::Done;
}

impl Reply for () {
    fn write(&self, _: &mut Vec<u8>) {}

    fn read(_: &mut ReplyReader<'_>) -> Result<Self, Lost> {
        Ok(())
    }

    fn lost(_: Call) -> Self {}

    fn parked(&self) -> Option<TexturePull> {
        None
    }
}

impl Reply for bool {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn read(reader: &mut ReplyReader<'_>) -> Result<Self, Lost> {
        match reader.array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => Err(Lost(format!("{other} is no truth value"))),
        }
    }

    /// Availability alone becomes true, or a program that polls would never leave its loop
    /// (KHR_robustness: "QUERY_RESULT_AVAILABLE ... will return TRUE" after a reset; paraphrased).
    fn lost(call: Call) -> Self {
        call == Call::query_available
    }

    fn parked(&self) -> Option<TexturePull> {
        None
    }
}

impl Reply for u64 {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_ne_bytes());
    }

    fn read(reader: &mut ReplyReader<'_>) -> Result<Self, Lost> {
        reader.array().map(Self::from_ne_bytes)
    }

    fn lost(_: Call) -> Self {
        0
    }

    fn parked(&self) -> Option<TexturePull> {
        None
    }
}

impl Reply for FenceStatus {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(match self {
            Self::Unsignalled => 0,
            Self::Signalled => 1,
            Self::Failed => 2,
        });
    }

    fn read(reader: &mut ReplyReader<'_>) -> Result<Self, Lost> {
        match reader.array()? {
            [0] => Ok(Self::Unsignalled),
            [1] => Ok(Self::Signalled),
            [2] => Ok(Self::Failed),
            [other] => Err(Lost(format!("{other} is no fence status"))),
        }
    }

    /// KHR_robustness: a poll of SYNC_STATUS after a reset returns SIGNALED (paraphrased), so that loops end; a wait fails.
    fn lost(call: Call) -> Self {
        if call == Call::fence_status {
            Self::Signalled
        } else {
            Self::Failed
        }
    }

    fn parked(&self) -> Option<TexturePull> {
        None
    }
}

impl Reply for Submit {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Done => out.push(0),
            Self::Park(pull) => {
                let RawHandle { slot, generation } = pull.texture.raw();
                out.push(1);
                for word in [slot, generation, pull.levels, pull.pull] {
                    out.extend_from_slice(&word.to_ne_bytes());
                }
            }
        }
    }

    fn read(reader: &mut ReplyReader<'_>) -> Result<Self, Lost> {
        match reader.array()? {
            [0] => Ok(Self::Done),
            [1] => {
                let mut word = || reader.array().map(u32::from_ne_bytes);
                Ok(Self::Park(TexturePull {
                    texture: TextureId::new(word()?, word()?),
                    levels: word()?,
                    pull: word()?,
                }))
            }
            [other] => Err(Lost(format!("{other} is no outcome of a verb"))),
        }
    }

    fn lost(_: Call) -> Self {
        Self::Done
    }

    fn parked(&self) -> Option<TexturePull> {
        match self {
            Self::Done => None,
            Self::Park(pull) => Some(*pull),
        }
    }
}

/// [`Caps`] as a message: once per (re)initialisation, so its form is not a record's.
#[derive(serde::Serialize, serde::Deserialize)]
struct CapsMessage {
    backend: String,
    device: String,
    driver: String,
    limits: Limits,
    abilities: u32,
    calls: u128,
    formats: Vec<u16>,
    missing: Vec<(String, String)>,
}

/// Names that [`Caps::backend`] can have.
const BACKENDS: [&str; 3] = ["gles", "vulkan", "null"];

impl Reply for Arc<Caps> {
    fn write(&self, out: &mut Vec<u8>) {
        // Naming every member keeps the message whole.
        let Caps {
            backend,
            device,
            driver,
            limits,
            abilities,
            calls,
            formats,
            missing,
        } = &**self;
        let message = CapsMessage {
            backend: (*backend).into(),
            device: device.clone(),
            driver: driver.clone(),
            limits: limits.clone(),
            abilities: abilities.bits(),
            calls: *calls,
            formats: formats.iter().map(|uses| uses.bits()).collect(),
            missing: missing.clone(),
        };
        let bytes = postcard::to_stdvec(&message).expect("plain values serialise into memory");
        out.extend_from_slice(&(bytes.len() as u64).to_ne_bytes());
        out.extend_from_slice(&bytes);
    }

    fn read(reader: &mut ReplyReader<'_>) -> Result<Self, Lost> {
        let size = u64::from_ne_bytes(reader.array()?);
        let bytes = reader.take(usize::try_from(size).unwrap_or(usize::MAX))?;
        let message: CapsMessage =
            postcard::from_bytes(bytes).map_err(|error| Lost(format!("capabilities: {error}")))?;
        let backend = BACKENDS
            .into_iter()
            .find(|name| *name == message.backend)
            .ok_or_else(|| Lost(format!("no backend is called {:?}", message.backend)))?;
        Ok(Self::new(Caps {
            backend,
            device: message.device,
            driver: message.driver,
            limits: message.limits,
            abilities: Ability::from_bits_truncate(message.abilities),
            calls: message.calls,
            formats: message
                .formats
                .into_iter()
                .map(FormatUse::from_bits_truncate)
                .collect(),
            missing: message.missing,
        }))
    }

    /// Nothing can be done.
    fn lost(_: Call) -> Self {
        Self::default()
    }

    fn parked(&self) -> Option<TexturePull> {
        None
    }
}
