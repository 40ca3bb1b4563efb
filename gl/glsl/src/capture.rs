//! Transform feedback: which outputs are captured, and where their values go.
//! It must not decorate anything: a backend captures by name or by the artifact's table.

use pipe::program::{ProgramArtifact, Stage, XfbVarying};

use crate::link::LinkedStage;
use crate::module::{Module, Type, storage};
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
            part: found.part,
        });
        offset += 4 * components;
        artifact.xfb.strides[buffer as usize] = offset;
    }
}

struct Output {
    variable: String,
    member: Option<u32>,
    part: Vec<u32>,
    ty: u32,
}

/// One step from an object into it.
enum Step<'a> {
    Element(u32),
    Member(&'a str),
}

/// `a[1].b` as its root and the steps from there; nothing for what is no such name.
fn steps(wanted: &str) -> Option<(&str, Vec<Step<'_>>)> {
    let end = wanted.find(['.', '[']).unwrap_or(wanted.len());
    let (root, mut rest) = wanted.split_at(end);
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(member) = rest.strip_prefix('.') {
            let end = member.find(['.', '[']).unwrap_or(member.len());
            steps.push(Step::Member(&member[..end]));
            rest = &member[end..];
        } else {
            let (index, after) = rest.strip_prefix('[')?.split_once(']')?;
            // No sign, no blank, no leading zero (GL 4.6 §7.3.1).
            let plain = index.bytes().all(|b| b.is_ascii_digit())
                && (index == "0" || !index.starts_with('0'));
            steps.push(Step::Element(plain.then(|| index.parse().ok())??));
            rest = after;
        }
    }
    Some((root, steps))
}

/// The output called `wanted`: a variable, a built-in, a member of a block, or a part of one.
fn find_output(stage: &LinkedStage, wanted: &str) -> Option<Output> {
    let m = &stage.module;
    let (root, steps) = steps(wanted)?;
    for v in m.variables_in(storage::OUTPUT) {
        let (inner, _) = m.strip_arrays(v.ty);
        let is_block = matches!(m.types.get(&inner), Some(Type::Struct { .. }))
            && m.decoration(inner, 2).is_some();
        let block = m.name(inner);
        let mut path = Vec::new();
        let mut ty = v.ty;
        if !is_block {
            if original(m.name(v.id)) != root {
                continue;
            }
        } else if !m.name(v.id).is_empty() && block != "gl_PerVertex" {
            if original(block) != root {
                continue;
            }
        } else {
            let Some((index, member)) = member_called(m, inner, root) else {
                continue;
            };
            path.push(index);
            ty = member;
        }
        for step in &steps {
            let (index, part) = match (step, m.types.get(&ty)?) {
                (Step::Element(index), Type::Array { of, len }) if index < len => (*index, *of),
                (Step::Member(name), Type::Struct { .. }) => member_called(m, ty, name)?,
                _ => return None,
            };
            path.push(index);
            ty = part;
        }
        let name = if is_block { block } else { m.name(v.id) };
        let arrayed = ty_is_array(m, v.ty);
        let (member, part) = match path[..] {
            [] => (None, path),
            [member] if is_block && !arrayed => (Some(member), Vec::new()),
            _ => (None, path),
        };
        return Some(Output {
            variable: name.to_owned(),
            member,
            part,
            ty,
        });
    }
    None
}

fn ty_is_array(m: &Module, ty: u32) -> bool {
    matches!(m.types.get(&ty), Some(Type::Array { .. }))
}

/// The member of a structure by the shader's name for it, and its type.
fn member_called(m: &Module, ty: u32, name: &str) -> Option<(u32, u32)> {
    let Some(Type::Struct { members }) = m.types.get(&ty) else {
        return None;
    };
    let mut members = (0u32..).zip(members);
    let found = members.find(|(i, _)| original(m.member_name(ty, *i)) == name);
    found.map(|(i, ty)| (i, *ty))
}
