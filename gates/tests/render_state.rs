//! A field of the render state changes the pipeline's hash exactly when it moves the pipeline's version.

use gl_state::render_state::RenderStateBlock;
use pipe::RenderState;
use pipe::render_state::{CHUNKS, ChunkKind, FIELDS, pipeline_subset_hash};

/// Fields whose change moves one of hash and version and not the other. `hash` is a parameter, so that a control can leave
/// a field out.
fn disagreements(hash: impl Fn(&RenderState) -> u64) -> Vec<String> {
    let mut found = Vec::new();
    for (chunk, field, offset, size) in FIELDS {
        let kind = CHUNKS
            .iter()
            .find(|row| row.name == *chunk)
            .map(|row| row.kind)
            .expect("a field's chunk is in the table");
        let mut block = RenderStateBlock::default();
        let before = (
            hash(block.values()),
            block.pipeline_version(),
            block.version(),
        );
        set(&mut block, kind, *offset, *size);
        let after = (
            hash(block.values()),
            block.pipeline_version(),
            block.version(),
        );
        let name = format!("{chunk}.{field}");
        let is_pipeline = matches!(kind, ChunkKind::Pipeline);
        if (before.0 != after.0) != is_pipeline {
            found.push(format!(
                "{name}: the hash {}",
                if is_pipeline { "stays" } else { "changes" }
            ));
        }
        if (before.1 != after.1) != is_pipeline {
            found.push(format!(
                "{name}: the pipeline version {}",
                if is_pipeline { "stays" } else { "moves" }
            ));
        }
        if before.2 == after.2 {
            found.push(format!("{name}: the version stays"));
        }
    }
    found
}

/// Sets a chunk through the one setter of its kind, one bit of the field flipped.
fn set(block: &mut RenderStateBlock, kind: ChunkKind, offset: usize, size: usize) {
    let mut bytes = Vec::new();
    let all = (1u32 << CHUNKS.len()) - 1;
    block.values().gather(all, &mut bytes);
    bytes[offset + size - 1] ^= 1;
    let mut wanted = RenderState::default();
    assert!(wanted.scatter(all, &bytes), "all chunks");
    macro_rules! chunk {
        ($set:ident: $($chunk:ident)*) => {{ $(
            if wanted.$chunk != block.values().$chunk {
                block.$set(|state| &mut state.$chunk, wanted.$chunk);
            }
        )* }};
    }
    match kind {
        ChunkKind::Pipeline => chunk!(set_pipeline: caps blend depth_stencil raster samples),
        ChunkKind::Dynamic => {
            chunk!(set_dynamic: viewports depth_ranges scissors blend_color stencil_ref primitive coverage clear_values hints)
        }
    }
}

#[test]
fn pipeline_hash_changes_with_pipeline_version() {
    let found = disagreements(pipeline_subset_hash);
    assert!(
        found.is_empty(),
        "pipe/src/render_state.rs says which field is which; gl/state/src/render_state.rs must agree:\n{}",
        found.join("\n")
    );
}

#[test]
fn pipeline_hash_changes_with_pipeline_version_control() {
    // A hash that forgets the logic operation and takes the line width in.
    let planted = |state: &RenderState| {
        let mut state = *state;
        state.blend.logic_op = 0;
        pipeline_subset_hash(&state) ^ u64::from(state.primitive.line_width.to_bits())
    };
    let found = disagreements(planted);
    assert_eq!(
        found,
        [
            "blend.logic_op: the hash stays",
            "primitive.line_width: the hash changes"
        ]
    );
}
