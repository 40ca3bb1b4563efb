//! Transform feedback: which outputs are captured, and where their values go.
//! It must not decorate anything: a backend captures by name or by the artifact's table.

use pipe::program::{ProgramArtifact, Stage, XfbVarying};

use crate::link::LinkedStage;
use crate::module::{Type, storage};
use crate::types::gl_type;
use crate::words::original;
use crate::{LinkOptions, XfbMode};

/// Captured varyings of the last vertex-processing stage (GL 4.6 core §11.1.2.1).
pub fn transform_feedback(
    stages: &[LinkedStage],
    options: &LinkOptions,
    artifact: &mut ProgramArtifact,
    errors: &mut Vec<String>,
) {
    if options.xfb_varyings.is_empty() {
        return;
    }
    let Some(stage) = stages
        .iter()
        .rfind(|s| matches!(s.stage, Stage::Vertex | Stage::TessEval | Stage::Geometry))
    else {
        errors.push("varyings to capture, and no stage that writes any".into());
        return;
    };
    artifact.xfb.separate = options.xfb_mode == XfbMode::Separate;
    let (mut buffer, mut offset) = (0u32, 0u32);
    for (i, wanted) in options.xfb_varyings.iter().enumerate() {
        if !artifact.xfb.separate {
            if wanted == "gl_NextBuffer" {
                buffer += 1;
                offset = 0;
                continue;
            }
            if let Some(n) = wanted
                .strip_prefix("gl_SkipComponents")
                .and_then(|n| n.parse::<u32>().ok())
                .filter(|n| (1..=4).contains(n))
            {
                offset += 4 * n;
                if let Some(stride) = artifact.xfb.strides.get_mut(buffer as usize) {
                    *stride = offset;
                }
                continue;
            }
        }
        if artifact.xfb.separate {
            buffer = i as u32;
            offset = 0;
        }
        if buffer >= 4 {
            errors.push("more transform feedback buffers than 4".into());
            return;
        }
        if options.xfb_varyings[..i].contains(wanted) {
            errors.push(format!(
                "transform feedback varying `{wanted}' specified more than once"
            ));
            return;
        }
        let Some(found) = find_output(stage, wanted) else {
            errors.push(format!("transform feedback varying `{wanted}' undeclared"));
            continue;
        };
        let m = &stage.module;
        let (inner, lens) = m.strip_arrays(found.ty);
        let Some(gl_type) = gl_type(m, inner, false) else {
            errors.push(format!(
                "transform feedback varying `{wanted}' has a type that cannot be captured"
            ));
            continue;
        };
        let components = m.components(found.ty);
        artifact.xfb.varyings.push(XfbVarying {
            name: wanted.clone(),
            gl_type,
            array_size: lens.iter().product(),
            buffer,
            offset,
            components,
            variable: found.variable,
            member: found.member,
        });
        offset += 4 * components;
        artifact.xfb.strides[buffer as usize] = offset;
    }
}

struct Output {
    variable: String,
    member: Option<u32>,
    ty: u32,
}

/// The output called `wanted`: a variable, a built-in, or `Block.member`.
fn find_output(stage: &LinkedStage, wanted: &str) -> Option<Output> {
    let m = &stage.module;
    // A whole array may be asked for by its first element's name only if it has one element; `a[0]` of longer ones is not
    // captured yet.
    let base = wanted.strip_suffix("[0]").unwrap_or(wanted);
    for v in m.variables_in(storage::OUTPUT) {
        let (inner, _) = m.strip_arrays(v.ty);
        let is_block = matches!(m.types.get(&inner), Some(Type::Struct { .. }))
            && m.decoration(inner, 2).is_some();
        if !is_block {
            let len = m.strip_arrays(v.ty).1.iter().product::<u32>();
            if original(m.name(v.id)) == wanted
                || base != wanted && len == 1 && original(m.name(v.id)) == base
            {
                return Some(Output {
                    variable: m.name(v.id).to_owned(),
                    member: None,
                    ty: v.ty,
                });
            }
            continue;
        }
        let Some(Type::Struct { members }) = m.types.get(&inner) else {
            continue;
        };
        let instance = !m.name(v.id).is_empty();
        let block = m.name(inner);
        for (i, ty) in members.iter().enumerate() {
            let member = original(m.member_name(inner, i as u32));
            let full = if instance && block != "gl_PerVertex" {
                format!("{}.{member}", original(block))
            } else {
                member
            };
            if full == wanted {
                return Some(Output {
                    variable: block.to_owned(),
                    member: Some(i as u32),
                    ty: *ty,
                });
            }
        }
    }
    None
}
