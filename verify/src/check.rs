//! The comparison at a verb: what was told against the shadow, field by field, and the descriptions of everything the verb can
//! reach. It reports; the first difference ends the process where that is asked for.

use crate::contents::Contents;
use crate::recorder::Upload;
use crate::retained::Retained;
use crate::shadow;
use gl_state::{Emission, View};
use pipe::{BufferId, ResourceDesc, ResourceFlags, ResourceRef, TextureId};
use pipe_inputs::{Group, GroupMask, Told, VerbClass};
use std::collections::HashMap;
use std::fmt::{self, Debug};

/// The first difference, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// `group.field`, or a resource by kind and slot with what of it.
    pub field: String,
    pub verb: &'static str,
    /// Verbs of the context so far, this one included.
    pub verb_ordinal: u64,
    /// Frames of the context so far.
    pub frame: u64,
    /// GL calls of the process so far, this one included: the number by which recordings name it, where a program makes no
    /// window-system calls in between.
    pub gl_call: u64,
    pub told: String,
    pub expected: String,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Fatal{{VerifyMismatch, \"{}@{}\"}} at verb {} of frame {}, GL call {}: told {}, expected {}",
            self.field,
            self.verb,
            self.verb_ordinal,
            self.frame,
            self.gl_call,
            self.told,
            self.expected
        )
    }
}

/// Compares and counts.
#[derive(Clone, Debug, Default)]
pub struct Verifier {
    pub verbs: u64,
    pub differences: u64,
    /// The first few differences.
    pub reports: Vec<Report>,
    /// The first difference ends the process.
    fatal: bool,
    /// Verbs of every so many frames are compared; 0 as 1.
    every: u64,
    /// Content serials at which contents were compared last: comparing costs a pass over the bytes.
    compared: HashMap<ResourceRef, u64>,
    /// Per buffer: the client's serial and the calls that had named it, when they were compared last.
    serials: HashMap<BufferId, (u64, u64)>,
}

/// Differences that are kept in words.
const MOST_REPORTS: usize = 32;

/// What a recording heard of one verb.
#[derive(Clone, Copy)]
pub struct Heard<'a> {
    pub contents: &'a Contents,
    /// What was due before the arms worked.
    pub retained: &'a Retained,
    /// What they uploaded.
    pub uploads: &'a [Upload],
}

/// A difference before it is a report.
struct Found {
    field: String,
    told: String,
    expected: String,
}

impl Verifier {
    /// Compares the verbs of every `every`th frame.
    pub fn new(fatal: bool, every: u32) -> Self {
        Self {
            fatal,
            every: every.into(),
            ..Self::default()
        }
    }

    /// Whether the verbs of the frame in progress are compared.
    pub fn looks_at(&self, view: View<'_>) -> bool {
        view.ctx.frames.is_multiple_of(self.every.max(1))
    }

    /// Compares before a verb, when all arms have told what they had to. `mask`: groups that the source vouches for; `heard`: the
    /// mirror, and what was due with what became of it, where there is one; `gl_calls` is asked only for a report.
    pub fn check(
        &mut self,
        told: Told<'_>,
        view: View<'_>,
        emission: &Emission,
        class: VerbClass,
        texture: TextureId,
        mask: GroupMask,
        heard: Option<Heard<'_>>,
        gl_calls: impl FnOnce() -> u64,
    ) {
        self.verbs += 1;
        let found = first_difference(told, view, emission, class, texture, mask)
            .or_else(|| {
                let heard = heard.as_ref()?;
                let shape = heard.retained.misshapen(view, heard.uploads)?;
                Some(Found {
                    field: shape.field,
                    told: shape.told,
                    expected: shape.expected,
                })
            })
            .or_else(|| self.contents(heard.as_ref()?.contents, view, class, texture, mask));
        let Some(found) = found else {
            return;
        };
        self.differences += 1;
        if self.reports.len() == MOST_REPORTS {
            return;
        }
        let report = Report {
            field: found.field,
            verb: class.name(),
            verb_ordinal: view.ctx.verbs,
            frame: view.ctx.frames,
            gl_call: gl_calls(),
            told: found.told,
            expected: found.expected,
        };
        // Said at once: whoever runs the program elsewhere has its output and no file of statistics.
        if self.reports.is_empty() {
            eprintln!("MobileGL: {report}");
        }
        if self.fatal {
            std::process::abort();
        }
        self.reports.push(report);
    }
}

impl Verifier {
    /// Contents of what the verb reaches, where they moved since the last look.
    fn contents(
        &mut self,
        contents: &Contents,
        view: View<'_>,
        class: VerbClass,
        texture: TextureId,
        mask: GroupMask,
    ) -> Option<Found> {
        let found = |kind: &str, slot: u32, place: String| Found {
            field: format!("{kind}[{slot}].contents"),
            told: format!("other bytes at {place}"),
            expected: "the client's copy".to_owned(),
        };
        if mask.contains(Group::buffers) {
            for id in shadow::buffers(view, class) {
                let buffer = &view.objects.buffers[id];
                let serial = buffer.serial;
                let moved = self.compared.insert(id.into(), serial) != Some(serial);
                let now = (serial, contents.calls(id));
                let before = self.serials.insert(id, now);
                // Whatever moves the client's serial is told by a call, but for what the GPU and a mapping write.
                if let Some(before) = before
                    && (before.0 != now.0 && before.1 == now.1)
                    && !buffer.gpu_written
                    && buffer.mapping.is_none()
                {
                    return Some(Found {
                        field: format!("buffer[{}].serial", id.slot()),
                        told: format!("nothing since serial {}", before.0),
                        expected: format!("serial {}", now.0),
                    });
                }
                if !moved {
                    if let Some(at) = contents.buffer_sample_differs(view.objects, id, self.verbs) {
                        return Some(found("buffer", id.slot(), format!("byte {at}")));
                    }
                    continue;
                }
                if let Some(at) = contents.buffer_difference(view.objects, id) {
                    return Some(found("buffer", id.slot(), format!("byte {at}")));
                }
            }
        }
        if mask.contains(Group::textures) {
            for id in shadow::textures(view, class, texture) {
                let object = &view.objects.textures[id];
                let serial = object.content_serial + object.shape_serial;
                let difference = match self.compared.insert(id.into(), serial) == Some(serial) {
                    true => contents.texture_sample_differs(view, id, self.verbs),
                    false => contents.texture_difference(view, id),
                };
                if let Some((level, face, at)) = difference {
                    let place = format!("level {level} face {face} byte {at}");
                    return Some(found("texture", id.slot(), place));
                }
            }
        }
        None
    }
}

fn first_difference(
    told: Told<'_>,
    view: View<'_>,
    emission: &Emission,
    class: VerbClass,
    texture: TextureId,
    mask: GroupMask,
) -> Option<Found> {
    let (left, right) = (told.values(mask), shadow::values(view, mask));
    if let Some(difference) = left.first_difference(&right, mask) {
        return Some(Found {
            field: difference.field.to_owned(),
            told: difference.left,
            expected: difference.right,
        });
    }
    if mask.contains(Group::buffers) {
        for id in shadow::buffers(view, class) {
            let expected = view.objects.buffers[id].desc();
            let found = description(told, emission, "buffer", id.into(), expected);
            if found.is_some() {
                return found;
            }
        }
    }
    if mask.contains(Group::framebuffer) {
        for id in shadow::renderbuffers(view, class) {
            let expected = gl_state::drain::renderbuffer_desc(&view.objects.renderbuffers[id]);
            let found = description(told, emission, "renderbuffer", id.into(), expected);
            if found.is_some() {
                return found;
            }
        }
    }
    if mask.contains(Group::textures) {
        for id in shadow::textures(view, class, texture) {
            let object = &view.objects.textures[id];
            let found =
                description(told, emission, "texture", id.into(), object.desc()).or_else(|| {
                    let params = told.objects.texture_params.get(id).copied();
                    different("texture_params", &params, &Some(object.params()))
                });
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// One resource: its description, and that nothing of it is still to be told.
fn description(
    told: Told<'_>,
    emission: &Emission,
    kind: &str,
    resource: ResourceRef,
    expected: ResourceDesc,
) -> Option<Found> {
    let known = told.objects.resource(resource).copied();
    let slot = resource.handle.slot;
    different(
        &format!("{kind}[{slot}].desc"),
        &known.map(storage_only),
        &Some(storage_only(expected)),
    )
    .or_else(|| {
        different(
            &format!("{kind}[{slot}].settled"),
            &emission.is_settled(resource),
            &true,
        )
    })
}

/// What of a description is storage: uses, names and hints may be told late.
fn storage_only(desc: ResourceDesc) -> ResourceDesc {
    let kept = ResourceFlags::IMMUTABLE | ResourceFlags::FIXED_SAMPLE_LOCATIONS;
    ResourceDesc {
        bind: 0,
        flags: desc.flags & kept.bits(),
        name_for_diagnostics: 0,
        ..desc
    }
}

fn different<T: PartialEq + Debug>(field: &str, told: &T, expected: &T) -> Option<Found> {
    (told != expected).then(|| Found {
        field: field.to_owned(),
        told: pipe_inputs::compare::show(&Some(told), &Some(expected)),
        expected: pipe_inputs::compare::show(&Some(expected), &Some(told)),
    })
}
