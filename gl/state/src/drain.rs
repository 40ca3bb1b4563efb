//! Turns what is pending for one object into the steps that tell it, and forgets it. It builds payloads; it never calls the pipe.

use crate::buffer::Buffer;
use crate::emission::Emission;
use crate::framebuffer::Renderbuffer;
use pipe::{Box3, ResourceDesc, ResourceFlags, SubData, SubRegion, Target, TextureParams};

/// One call to make, in order.
#[derive(Debug)]
pub enum Step<'a> {
    /// `resource_create`.
    Create(ResourceDesc),
    /// `resource_respecify`.
    Respecify(ResourceDesc),
    /// `resource_subdata`.
    SubData(SubData, &'a [SubRegion], &'a [u8]),
    /// `set_texture_params`.
    Params(TextureParams),
}

/// No texels.
const NO_BOX: Box3 = Box3 {
    x: 0,
    y: 0,
    z: 0,
    width: 0,
    height: 0,
    depth: 0,
};

/// Brings a buffer up to date: creation, storage, bytes.
pub fn buffer(emission: &mut Emission, buffer: &Buffer, mut emit: impl FnMut(Step<'_>)) {
    let row = emission.buffer(buffer.id);
    if row.pending.is_clean() && row.dirty.is_empty() {
        return;
    }
    if !row.pending.created {
        row.pending.created = true;
        emit(Step::Create(buffer.desc()));
    }
    if row.pending.storage {
        row.pending.storage = false;
        emit(Step::Respecify(buffer.desc()));
    }
    let size = buffer.size_bytes();
    for range in row.dirty.iter() {
        // A mark past the end would be a mutator's mistake; storage that shrank has cleared what was beyond it.
        let end = range.end.min(size);
        if range.start >= end {
            continue;
        }
        let head = SubData {
            resource: buffer.id.into(),
            level: 0,
            source_is_verbatim_level_shadow: 0,
            _pad: 0,
            union_box: NO_BOX,
            buffer_offset_bytes: range.start,
            buffer_size_bytes: end - range.start,
        };
        let bytes = &buffer.bytes[range.start as usize..end as usize];
        emit(Step::SubData(head, &[], bytes));
    }
    row.dirty.clear();
    emission.settled_buffer(buffer.id);
}

/// Brings a renderbuffer up to date: creation, storage.
pub fn renderbuffer(
    emission: &mut Emission,
    renderbuffer: &Renderbuffer,
    mut emit: impl FnMut(Step<'_>),
) {
    let row = emission.renderbuffer(renderbuffer.id);
    if row.is_clean() {
        return;
    }
    if !row.created {
        row.created = true;
        emit(Step::Create(renderbuffer_desc(renderbuffer)));
    }
    if row.storage {
        row.storage = false;
        emit(Step::Respecify(renderbuffer_desc(renderbuffer)));
    }
    row.params = false;
}

/// Description of a renderbuffer's storage.
pub fn renderbuffer_desc(renderbuffer: &Renderbuffer) -> ResourceDesc {
    ResourceDesc {
        resource: renderbuffer.id.into(),
        target: Target::Renderbuffer,
        _pad0: 0,
        format: renderbuffer.format,
        width: renderbuffer.width,
        height: renderbuffer.height,
        depth: 1,
        layers: 1,
        levels: 1,
        samples: renderbuffer.samples as u16,
        _pad1: 0,
        bind: pipe::Bind::RENDER_TARGET.bits(),
        flags: ResourceFlags::empty().bits(),
        usage: 0,
        storage_flags: 0,
        name_for_diagnostics: renderbuffer.name,
        size_bytes: 0,
        view_of: pipe::TextureId::NULL,
        view_min_level: 0,
        view_min_layer: 0,
        _pad2: 0,
        texture_buffer: pipe::BufferId::NULL,
        texture_buffer_offset_bytes: 0,
        texture_buffer_size_bytes: 0,
        lifetime: renderbuffer.lifetime,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generations::ObjectGenerations;
    use pipe::BufferId;

    fn names(emission: &mut Emission, of: &Buffer) -> Vec<String> {
        let mut names = Vec::new();
        buffer(emission, of, |step| {
            names.push(match step {
                Step::Create(_) => "create".into(),
                Step::Respecify(desc) => format!("respecify {}", desc.size_bytes),
                Step::SubData(p, _, bytes) => {
                    format!("subdata {} {}", p.buffer_offset_bytes, bytes.len())
                }
                Step::Params(_) => "params".into(),
            });
        });
        names
    }

    #[test]
    fn buffer_written_twice_after_storage_is_created_respecified_and_written_once() {
        let (mut emission, mut generations) = (Emission::default(), ObjectGenerations::default());
        let mut object = Buffer::new(BufferId::new(1, 1), 7, 1);
        let bytes = crate::ClientBytes::zeroed(16).unwrap();
        object.set_storage(bytes, true, 0x88E4, None, &mut emission, &mut generations);
        object.write(4, Some(&[2; 4]), 4, &mut emission, &mut generations);
        assert!(emission.has_due_buffers());
        assert_eq!(
            names(&mut emission, &object),
            ["create", "respecify 16", "subdata 0 16"]
        );
        assert!(!emission.has_due_buffers());
        object.write(8, Some(&[3; 2]), 2, &mut emission, &mut generations);
        assert_eq!(names(&mut emission, &object), ["subdata 8 2"]);
        assert_eq!(names(&mut emission, &object), [""; 0]);
    }
}
