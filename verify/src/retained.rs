//! What was due for everything a verb can reach, kept until the verb has been told: the marks are consumed when they are emitted, so
//! the shape of what was emitted can only be compared with a copy of them. It marks and consumes nothing.

use crate::recorder::{Upload, name_of};
use crate::shadow;
use gl_state::{Emission, View};
use pipe::{Box3, BufferId, Resource, ResourceRef, TextureId};
use pipe_inputs::{Group, GroupMask, VerbClass};
use std::ops::Range;

/// Contents that one resource had due.
#[derive(Clone, Debug)]
struct Due {
    resource: ResourceRef,
    ranges: Vec<Range<u64>>,
    /// By level.
    boxes: Vec<Vec<Box3>>,
    /// Storage is due too: levels that are new are told whole, whatever is marked.
    storage: bool,
}

/// The copy.
#[derive(Clone, Debug, Default)]
pub struct Retained {
    due: Vec<Due>,
}

/// A shape that is not the one due.
pub struct Misshapen {
    pub field: String,
    pub told: String,
    pub expected: String,
}

impl Retained {
    /// Copies what is due now of the groups in `mask`.
    pub fn before(
        view: View<'_>,
        emission: &mut Emission,
        class: VerbClass,
        texture: TextureId,
        mask: GroupMask,
    ) -> Self {
        let mut due: Vec<Due> = Vec::new();
        let mut buffers: Vec<BufferId> = match mask.contains(Group::buffers) {
            true => shadow::buffers(view, class),
            false => Vec::new(),
        };
        buffers.sort_unstable();
        buffers.dedup();
        for id in buffers {
            let size = view.objects.buffers[id].size_bytes();
            let row = emission.buffer(id);
            let ranges: Vec<Range<u64>> = row
                .dirty
                .iter()
                .map(|range| range.start..range.end.min(size))
                .filter(|range| !range.is_empty())
                .collect();
            if !ranges.is_empty() {
                due.push(Due {
                    resource: id.into(),
                    ranges,
                    boxes: Vec::new(),
                    storage: row.pending.storage,
                });
            }
        }
        let mut textures = match mask.contains(Group::textures) {
            true => shadow::textures(view, class, texture),
            false => Vec::new(),
        };
        textures.sort_unstable();
        textures.dedup();
        for id in textures {
            let row = emission.texture(id);
            if row.content {
                due.push(Due {
                    resource: id.into(),
                    ranges: Vec::new(),
                    boxes: row.levels.iter().map(|level| level.boxes.clone()).collect(),
                    // A parameter may make other levels the chain.
                    storage: row.pending.storage || row.pending.params,
                });
            }
        }
        Self { due }
    }

    /// The first resource whose uploads are not the marks that it had.
    pub fn misshapen(&self, view: View<'_>, uploads: &[Upload]) -> Option<Misshapen> {
        self.due.iter().find_map(|due| {
            let mine: Vec<&Upload> = uploads
                .iter()
                .filter(|upload| upload.head.resource == due.resource)
                .collect();
            match due.resource.get() {
                Resource::Buffer(_) => of_buffer(due, &mine),
                Resource::Texture(id) => of_texture(due, view, id, &mine),
                Resource::Renderbuffer(_) | Resource::None => None,
            }
        })
    }
}

/// Each range that was marked, once, and nothing else.
fn of_buffer(due: &Due, uploads: &[&Upload]) -> Option<Misshapen> {
    let told: Vec<Range<u64>> = uploads
        .iter()
        .map(|upload| {
            let start = upload.head.buffer_offset_bytes;
            start..start + upload.head.buffer_size_bytes
        })
        .collect();
    let short = uploads
        .iter()
        .find(|upload| upload.bytes as u64 != upload.head.buffer_size_bytes);
    let field = format!("{}.ranges", name_of(due.resource));
    if let Some(short) = short {
        return Some(Misshapen {
            field,
            told: format!("{} bytes", short.bytes),
            expected: format!("{} bytes", short.head.buffer_size_bytes),
        });
    }
    (told != due.ranges).then(|| Misshapen {
        field,
        told: format!("{told:?}"),
        expected: format!("{:?}", due.ranges),
    })
}

/// Per level: the regions cover the texels that were marked and for which the client has bytes, each once; the union box is theirs.
fn of_texture(due: &Due, view: View<'_>, id: TextureId, uploads: &[&Upload]) -> Option<Misshapen> {
    let texture = view.objects.textures.get(id)?;
    let chain = texture.chain()?;
    for (level, marked) in due.boxes.iter().enumerate().take(chain.levels as usize) {
        if marked.is_empty() {
            continue;
        }
        // Levels that join the chain are told whole; faces without an image are not told at all.
        let has_bytes = (0..texture.faces()).all(|face| {
            let (width, height, _) = chain.extent(level as u32);
            let image = texture.level_image(level as u32, face);
            image.is_some_and(|image| {
                !image.texels.is_empty() && (image.width, image.height) == (width, height)
            })
        });
        if due.storage || !has_bytes {
            continue;
        }
        let field = |what: &str| format!("{}.level[{level}].{what}", name_of(due.resource));
        let mine: Vec<&&Upload> = uploads
            .iter()
            .filter(|upload| usize::from(upload.head.level) == level)
            .collect();
        let [upload] = mine.as_slice() else {
            return Some(Misshapen {
                field: field("uploads"),
                told: mine.len().to_string(),
                expected: "1".to_owned(),
            });
        };
        let told: Vec<Box3> = upload.regions.iter().map(|region| region.dst).collect();
        if texels(&told) != texels(marked) || !told.iter().all(|dst| within(dst, marked)) {
            return Some(Misshapen {
                field: field("regions"),
                told: in_words(&told),
                expected: in_words(marked),
            });
        }
        let union = told.iter().skip(1).fold(told[0], |union, dst| {
            gl_state::emission::union_box(&union, dst)
        });
        if union != upload.head.union_box {
            return Some(Misshapen {
                field: field("union_box"),
                told: in_words(&[upload.head.union_box]),
                expected: in_words(&[union]),
            });
        }
    }
    None
}

fn texels(boxes: &[Box3]) -> u64 {
    let volume = |b: &Box3| u64::from(b.width) * u64::from(b.height) * u64::from(b.depth);
    boxes.iter().map(volume).sum()
}

/// Whether one of the boxes holds it.
fn within(inner: &Box3, boxes: &[Box3]) -> bool {
    let inside = |a: i32, a_size: u32, b: i32, b_size: u32| {
        a >= b && i64::from(a) + i64::from(a_size) <= i64::from(b) + i64::from(b_size)
    };
    boxes.iter().any(|outer| {
        inside(inner.x, inner.width, outer.x, outer.width)
            && inside(inner.y, inner.height, outer.y, outer.height)
            && inside(inner.z, inner.depth, outer.z, outer.depth)
    })
}

fn in_words(boxes: &[Box3]) -> String {
    let words: Vec<String> = boxes
        .iter()
        .map(|b| {
            format!(
                "{}x{}x{} at {},{},{}",
                b.width, b.height, b.depth, b.x, b.y, b.z
            )
        })
        .collect();
    format!("[{}]", words.join(", "))
}
