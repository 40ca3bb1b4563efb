//! The comparison at a verb: what was told against the shadow, field by field, and the descriptions of everything the verb can
//! reach. It reports; the first difference ends the process where that is asked for.

use crate::contents::Contents;
use crate::shadow;
use gl_state::{Emission, View};
use pipe::{ResourceDesc, ResourceFlags, ResourceRef, TextureId};
use pipe_inputs::{Group, GroupMask, Told, VerbClass};
use std::collections::HashMap;
use std::fmt::{self, Debug};

/// The first difference, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub field: String,
    pub verb: &'static str,
    /// Verbs of the context so far, this one included.
    pub verb_ordinal: u64,
    /// Frames of the context so far.
    pub frame: u64,
    /// GL calls of the process so far, the verb's own included.
    pub call: u64,
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
            self.call,
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
    pub first: Option<Report>,
    /// The first difference ends the process.
    fatal: bool,
    /// Content serials at which contents were compared last: comparing costs a pass over the bytes.
    compared: HashMap<ResourceRef, u64>,
}

/// A difference before it is a report.
struct Found {
    field: String,
    told: String,
    expected: String,
}

impl Verifier {
    pub fn new(fatal: bool) -> Self {
        Self {
            fatal,
            ..Self::default()
        }
    }

    /// Compares before a verb, when all arms have told what they had to. `mask`: groups that the source vouches for; `call`: GL calls
    /// so far, asked where something differs.
    pub fn check(
        &mut self,
        told: Told<'_>,
        view: View<'_>,
        emission: &Emission,
        class: VerbClass,
        texture: TextureId,
        mask: GroupMask,
        contents: Option<&Contents>,
        call: impl FnOnce() -> u64,
    ) {
        self.verbs += 1;
        let found = first_difference(told, view, emission, class, texture, mask)
            .or_else(|| self.contents(contents?, view, class, texture, mask));
        let Some(found) = found else {
            return;
        };
        self.differences += 1;
        if self.first.is_some() {
            return;
        }
        let report = Report {
            field: found.field,
            verb: class.name(),
            verb_ordinal: view.ctx.verbs,
            frame: view.ctx.frames,
            call: call(),
            told: found.told,
            expected: found.expected,
        };
        // Said at once: whoever runs the program elsewhere has its output and no file of statistics.
        eprintln!("MobileGL: {report}");
        if self.fatal {
            std::process::abort();
        }
        self.first = Some(report);
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
                let serial = view.objects.buffers[id].serial;
                if self.compared.insert(id.into(), serial) == Some(serial) {
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
                if self.compared.insert(id.into(), serial) == Some(serial) {
                    continue;
                }
                if let Some((level, face, at)) = contents.texture_difference(view, id) {
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
