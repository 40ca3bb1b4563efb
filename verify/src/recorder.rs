//! What verification and golden recordings know of the stream: a mirror of contents, the uploads of the verb in progress, and, where
//! asked for, the text of a recording. It listens; it changes nothing.

use crate::contents::Contents;
use crate::golden::Golden;
use pipe::{Call, Class, FlushRange, Resource, ResourceDesc, ResourceRef, SubData, SubRegion};
use pipe_inputs::tee::{self, Arg, Payload, Tee, Witness};

/// A stream with a recording before it.
pub type Recorder<S> = Tee<Recording, S>;

/// One `resource_subdata` since the verb's uploads began.
#[derive(Clone, Debug, PartialEq)]
pub struct Upload {
    pub head: SubData,
    pub regions: Vec<SubRegion>,
    pub bytes: usize,
}

/// Planted faults of the ear: what was told is heard otherwise, as if an arm had told it so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Deafness {
    #[default]
    None,
    /// The last region of every upload of several is missing; of an upload of one that is not a whole level, its last row.
    Region,
    /// The union box of every upload that is not a whole level is too wide.
    Union,
    /// Every upload of texels is heard twice.
    Twice,
    /// A buffer's bytes are heard twice and then never again.
    Upload,
    /// The mirror changes on its own, after some verbs.
    Rot,
}

/// The verb at which [`Deafness::Rot`] strikes: glmark2's second frame.
const ROTS_AT: u64 = 7;

impl Deafness {
    /// A fault by its name in the option.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "region" => Some(Self::Region),
            "union" => Some(Self::Union),
            "twice" => Some(Self::Twice),
            "upload" => Some(Self::Upload),
            "rot" => Some(Self::Rot),
            _ => None,
        }
    }
}

/// The witness.
#[derive(Debug, Default)]
pub struct Recording {
    contents: Contents,
    uploads: Vec<Upload>,
    /// Uploads are kept only for a verifier that takes them.
    keeps_uploads: bool,
    /// `None`: nothing is written down.
    golden: Option<Golden>,
    deafness: Deafness,
    /// Verbs so far.
    verbs: u64,
}

impl Recording {
    /// Mirrors contents and keeps uploads.
    pub fn for_verification(deafness: Deafness) -> Self {
        Self {
            keeps_uploads: true,
            deafness,
            ..Self::default()
        }
    }

    /// Writes down as well.
    pub fn write_down(&mut self) {
        self.golden = Some(Golden::default());
    }

    /// What resources contain, by what was told.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Uploads since the last call.
    pub fn take_uploads(&mut self) -> Vec<Upload> {
        std::mem::take(&mut self.uploads)
    }

    /// The recording so far.
    pub fn golden(&self) -> Option<&Golden> {
        self.golden.as_ref()
    }

    fn upload(&mut self, head: &SubData, regions: &[SubRegion], bytes: &[u8]) {
        let mut regions = regions.to_vec();
        let mut head = *head;
        match self.deafness {
            Deafness::None => {}
            Deafness::Region | Deafness::Union if head.source_is_verbatim_level_shadow == 1 => {}
            Deafness::Region => match regions.as_mut_slice() {
                [only] => only.dst.height = only.dst.height.saturating_sub(1),
                _ => drop(regions.pop()),
            },
            Deafness::Union => head.union_box.width += 1,
            Deafness::Twice if !regions.is_empty() && self.keeps_uploads => {
                self.uploads.push(Upload {
                    head,
                    regions: regions.clone(),
                    bytes: bytes.len(),
                });
            }
            Deafness::Twice => {}
            Deafness::Upload => {
                // Storage, the first bytes, and bytes once more are three calls.
                if let Resource::Buffer(id) = head.resource.get()
                    && self.contents.calls(id) >= 3
                {
                    return;
                }
            }
            // Happens later: see below.
            Deafness::Rot => {}
        }
        if self.keeps_uploads {
            self.uploads.push(Upload {
                head,
                regions: regions.clone(),
                bytes: bytes.len(),
            });
        }
        match head.resource.get() {
            Resource::Buffer(id) => self.contents.write(id, head.buffer_offset_bytes, bytes),
            Resource::Texture(id) => self.contents.upload(id, &head, &regions, bytes),
            Resource::Renderbuffer(_) | Resource::None => {}
        }
    }
}

impl Witness for Recording {
    fn see(&mut self, call: Call, payload: &dyn Payload, args: &[Arg<'_>]) {
        if call.row().class == Class::CtxVerb {
            self.verbs += 1;
            // What stood when earlier verbs were compared changes behind everybody's back.
            if self.deafness == Deafness::Rot && self.verbs == ROTS_AT {
                self.contents.rot();
            }
        }
        if let Some(golden) = &mut self.golden {
            golden.call(call, payload, args);
        }
        let bytes = args.iter().find_map(|arg| match arg {
            Arg::Bytes(bytes) => Some(*bytes),
            Arg::Regions(_) | Arg::Tail(_) | Arg::Host(_) | Arg::Reply(_) => None,
        });
        let regions = args.iter().find_map(|arg| match arg {
            Arg::Regions(regions) => Some(*regions),
            Arg::Bytes(_) | Arg::Tail(_) | Arg::Host(_) | Arg::Reply(_) => None,
        });
        if let Some(desc) = tee::payload::<ResourceDesc>(payload) {
            if call == Call::resource_respecify {
                self.contents.respecify(desc);
            }
        } else if let Some(only) = tee::payload::<pipe::ResourceOnly>(payload) {
            self.contents.forget(only.resource);
        } else if let (Some(head), Some(bytes)) = (tee::payload::<SubData>(payload), bytes) {
            self.upload(head, regions.unwrap_or_default(), bytes);
        } else if let (Some(p), Some(bytes)) = (tee::payload::<FlushRange>(payload), bytes) {
            self.contents.write(p.buffer, p.offset_bytes, bytes);
        } else if let Some(p) = tee::payload::<pipe::CopyRegion>(payload) {
            self.contents.copy(p);
        } else if let Some(p) = tee::payload::<pipe::Readback>(payload) {
            self.contents.read_back(p.buffer);
        }
    }

    fn parked(&mut self) {}
}

/// What an upload is of, for messages.
pub fn name_of(resource: ResourceRef) -> String {
    let kind = match resource.get() {
        Resource::Buffer(_) => "buffer",
        Resource::Texture(_) => "texture",
        Resource::Renderbuffer(_) => "renderbuffer",
        Resource::None => "nothing",
    };
    format!("{kind}[{}]", resource.handle.slot)
}
