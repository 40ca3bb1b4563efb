//! Interfaces of a program: vertex attributes, varyings between stages, fragment outputs.
//! It must not move a location that the source or the application fixed.

use pipe::program::{Attribute, FragOutput, ProgramArtifact, Stage};
use rustc_hash::FxHashSet;

use crate::LinkOptions;
use crate::link::LinkedStage;
use crate::module::{Module, Type, Variable, decoration, storage};
use crate::scan::Storage;
use crate::types::gl_type;
use crate::words::original;

/// The output of `producer` that `input` of `consumer` takes its value from (GL 4.6 core §7.4.1).
fn matching(producer: &LinkedStage, consumer: &LinkedStage, input: Variable) -> Option<Variable> {
    let (p, m) = (&producer.module, &consumer.module);
    let name = interface_name(m, input.id, input.ty);
    let by_location = has_location(consumer, Storage::In, &name);
    producer.interface(storage::OUTPUT).find(|o| {
        if by_location {
            p.decoration(o.id, decoration::LOCATION) == m.decoration(input.id, decoration::LOCATION)
                && p.decoration(o.id, decoration::COMPONENT)
                    == m.decoration(input.id, decoration::COMPONENT)
        } else {
            interface_name(p, o.id, o.ty) == name
        }
    })
}

/// Whether the source gives the variable a location.
fn has_location(stage: &LinkedStage, class: Storage, name: &str) -> bool {
    stage
        .scans()
        .flat_map(|s| s.variables(class))
        .any(|v| v.name == name && v.location.is_some())
}

/// Outputs of `stage` that neither the next stage reads nor transform feedback captures.
pub fn ignored_outputs(
    stage: &LinkedStage,
    next: Option<&LinkedStage>,
    options: &LinkOptions,
) -> FxHashSet<u32> {
    let mut out = FxHashSet::default();
    // The invocations of a control stage read each other's outputs.
    if options.separable
        || !matches!(
            stage.stage,
            Stage::Vertex | Stage::TessEval | Stage::Geometry
        )
    {
        return out;
    }
    let read: FxHashSet<u32> = next
        .into_iter()
        .flat_map(|next| {
            let inputs = next
                .interface(storage::INPUT)
                .filter(|i| next.module.touched.contains_key(&i.id));
            inputs
                .filter_map(|i| matching(stage, next, i))
                .map(|o| o.id)
        })
        .collect();
    let m = &stage.module;
    for o in stage.interface(storage::OUTPUT) {
        let name = original(&interface_name(m, o.id, o.ty));
        let captured = options.xfb_varyings.iter().any(|v| {
            let root = v.split(['.', '[']).next();
            root == Some(&*name)
                || member_names(m, o.ty).any(|member| Some(&*original(member)) == root)
        });
        if !read.contains(&o.id) && !captured {
            out.insert(o.id);
        }
    }
    out
}

/// Names of the members of an output block; nothing for a plain variable.
fn member_names(m: &Module, ty: u32) -> impl Iterator<Item = &str> {
    let (inner, _) = m.strip_arrays(ty);
    let count = match m.types.get(&inner) {
        Some(Type::Struct { members }) => members.len() as u32,
        _ => 0,
    };
    (0..count).map(move |i| m.member_name(inner, i))
}

/// Every input that code reads must be written before it, with the same type.
pub fn check(stages: &[LinkedStage], options: &LinkOptions, errors: &mut Vec<String>) {
    for pair in stages.windows(2) {
        let [producer, consumer] = pair else { continue };
        for input in consumer.interface(storage::INPUT) {
            let m = &consumer.module;
            let patch = m.decoration(input.id, decoration::PATCH).is_some();
            let name = interface_name(m, input.id, input.ty);
            let ty = if arrayed(consumer.stage, storage::INPUT) && !patch {
                element(m, input.ty)
            } else {
                input.ty
            };
            match matching(producer, consumer, input) {
                None => {
                    if m.touched.contains_key(&input.id) && !options.separable {
                        errors.push(format!(
                            "{} shader input `{}' is not written by the {} shader",
                            consumer.stage.name(),
                            original(&name),
                            producer.stage.name()
                        ));
                    }
                }
                Some(o) => {
                    let p = &producer.module;
                    let patch = p.decoration(o.id, decoration::PATCH).is_some();
                    let out_ty = if arrayed(producer.stage, storage::OUTPUT) && !patch {
                        element(p, o.ty)
                    } else {
                        o.ty
                    };
                    if !has_location(consumer, Storage::In, &name) && !m.same_type(ty, p, out_ty) {
                        errors.push(format!(
                            "`{}' is declared with different types in the {} and {} shaders",
                            original(&name),
                            producer.stage.name(),
                            consumer.stage.name()
                        ));
                    }
                    let out_name = interface_name(p, o.id, o.ty);
                    if differ_in_invariance((producer, &out_name), (consumer, &name)) {
                        errors.push(format!(
                            "`{}' is invariant in one of the {} and {} shaders",
                            original(&name),
                            producer.stage.name(),
                            consumer.stage.name()
                        ));
                    }
                }
            }
        }
    }
}

/// GLSL 3.30, The Invariant Qualifier: what is declared in two stages is invariant in both or in neither; 4.30 asks no more.
fn differ_in_invariance(output: (&LinkedStage, &str), input: (&LinkedStage, &str)) -> bool {
    let invariant = |(stage, name): (&LinkedStage, &str)| {
        stage.scans().any(|scan| scan.invariants.contains(name))
    };
    let mut shaders = output.0.shaders.iter().chain(&input.0.shaders);
    shaders.all(|s| s.version() < 430) && invariant(output) != invariant(input)
}

/// Blocks match by block name, variables by their own.
fn interface_name(m: &Module, id: u32, ty: u32) -> String {
    let (inner, _) = m.strip_arrays(ty);
    let block = matches!(m.types.get(&inner), Some(Type::Struct { .. }))
        && m.decoration(inner, 2).is_some();
    m.name(if block { inner } else { id }).to_owned()
}

/// Interfaces with one more array level for the vertices of a primitive.
fn arrayed(stage: Stage, class: u32) -> bool {
    match stage {
        Stage::Geometry | Stage::TessEval => class == storage::INPUT,
        Stage::TessControl => true,
        Stage::Vertex | Stage::Fragment | Stage::Compute => false,
    }
}

fn element(m: &Module, ty: u32) -> u32 {
    match m.types.get(&ty) {
        Some(Type::Array { of, .. } | Type::RuntimeArray { of }) => *of,
        _ => ty,
    }
}

/// A list of taken places.
#[derive(Default)]
struct Places(Vec<bool>);

impl Places {
    fn free(&self, first: u32, n: u32) -> bool {
        (first..first + n).all(|l| !self.0.get(l as usize).copied().unwrap_or(false))
    }

    fn take(&mut self, first: u32, n: u32) {
        let end = (first + n) as usize;
        if self.0.len() < end {
            self.0.resize(end, false);
        }
        self.0[first as usize..end].fill(true);
    }
}

/// Locations of vertex attributes: the source's, then the application's, then the largest first into the first gap.
pub fn attributes(
    stages: &mut [LinkedStage],
    options: &LinkOptions,
    artifact: &mut ProgramArtifact,
    errors: &mut Vec<String>,
) {
    let Some(stage) = stages.iter_mut().find(|s| s.stage == Stage::Vertex) else {
        return;
    };
    let max = if options.max_vertex_attribs == 0 {
        16
    } else {
        options.max_vertex_attribs
    };
    let m = &stage.module;
    let mut places = Places::default();
    let mut pending = Vec::new();
    for declared in stage
        .scans()
        .flat_map(|s| s.variables(Storage::In))
        .cloned()
        .collect::<Vec<_>>()
    {
        let Some(v) = m
            .variables_in(storage::INPUT)
            .find(|v| m.name(v.id) == declared.name)
        else {
            continue;
        };
        if !m.touched.contains_key(&v.id) {
            stage.patch.remove.insert(v.id);
            continue;
        }
        let name = original(&declared.name);
        if artifact.attributes.iter().any(|a| a.name == name) {
            continue;
        }
        let (inner, lens) = m.strip_arrays(v.ty);
        let Some(gl_type) = gl_type(m, inner, false) else {
            errors.push(format!(
                "vertex shader input `{name}' has a type that attributes cannot have"
            ));
            continue;
        };
        if m.is_wide_double(inner) {
            errors.push(format!("attribute `{name}': 64-bit attributes of more than two components are not supported"));
            continue;
        }
        let bound = options
            .attrib_locations
            .iter()
            .rev()
            .find(|(n, _)| *n == name)
            .map(|(_, l)| *l);
        let fixed = declared.location.or(bound);
        let count = m.locations(v.ty);
        let index = artifact.attributes.len();
        artifact.attributes.push(Attribute {
            name: name.clone(),
            gl_type,
            array_size: lens.iter().product(),
            is_array: !lens.is_empty(),
            location: fixed.unwrap_or(0),
            location_count: count,
        });
        match fixed {
            Some(location) if location.saturating_add(count) <= max => {
                // GL 4.6 core §11.1.1: attribute aliasing of bound names is allowed in vertex shaders.
                places.take(location, count);
                stage
                    .patch
                    .set
                    .insert((v.id, decoration::LOCATION), location);
            }
            Some(location) => errors.push(format!(
                "location {location} of attribute `{name}' is not below {max}"
            )),
            None => pending.push((index, v.id, count)),
        }
    }
    pending.sort_by_key(|(_, _, count)| std::cmp::Reverse(*count));
    for (index, id, count) in pending {
        let Some(first) = (0..max.saturating_sub(count - 1)).find(|f| places.free(*f, count))
        else {
            errors.push(format!(
                "insufficient contiguous locations for attribute `{}'",
                artifact.attributes[index].name
            ));
            continue;
        };
        places.take(first, count);
        artifact.attributes[index].location = first;
        stage.patch.set.insert((id, decoration::LOCATION), first);
    }
}

/// Colour numbers of fragment outputs: the source's, then the application's, then the first free ones.
pub fn frag_outputs(
    stages: &mut [LinkedStage],
    options: &LinkOptions,
    artifact: &mut ProgramArtifact,
    errors: &mut Vec<String>,
) {
    let Some(stage) = stages.iter_mut().find(|s| s.stage == Stage::Fragment) else {
        return;
    };
    let max = if options.max_draw_buffers == 0 {
        8
    } else {
        options.max_draw_buffers
    };
    let m = &stage.module;
    let mut places = [Places::default(), Places::default()];
    let mut pending = Vec::new();
    let declared: Vec<_> = stage
        .scans()
        .flat_map(|s| s.variables(Storage::Out))
        .cloned()
        .collect();
    for v in stage.interface(storage::OUTPUT).collect::<Vec<_>>() {
        let spirv_name = m.name(v.id);
        let own = declared.iter().find(|d| d.name == spirv_name);
        let helper = match spirv_name {
            "mg_FragColor" => Some("gl_FragColor"),
            "mg_FragData" => Some("gl_FragData"),
            _ => None,
        };
        let name = helper.map_or_else(|| original(spirv_name), str::to_owned);
        let (inner, lens) = m.strip_arrays(v.ty);
        let Some(gl_type) = gl_type(m, inner, false) else {
            errors.push(format!(
                "fragment shader output `{name}' has a type that outputs cannot have"
            ));
            continue;
        };
        let bound = options
            .frag_data_locations
            .iter()
            .rev()
            .find(|(n, _, _)| *n == name || n.strip_suffix("[0]").is_some_and(|n| n == name));
        let location = if helper.is_some() {
            Some(0)
        } else {
            own.and_then(|d| d.location).or(bound.map(|b| b.1))
        };
        let index = match own {
            Some(d) if d.location.is_some() => d.index.unwrap_or(0),
            _ => bound.map_or(0, |b| b.2),
        }
        .min(1);
        let count = m.locations(v.ty);
        let place = artifact.frag_outputs.len();
        artifact.frag_outputs.push(FragOutput {
            name: name.clone(),
            gl_type,
            array_size: lens.iter().product(),
            is_array: !lens.is_empty(),
            location: location.unwrap_or(0),
            index,
        });
        if index == 1 {
            artifact.flags.dual_source = true;
            stage.patch.set.insert((v.id, decoration::INDEX), 1);
        }
        match location {
            Some(first) if first.saturating_add(count) <= max => {
                let component = m.decoration(v.id, decoration::COMPONENT).is_some();
                if !component && !places[index as usize].free(first, count) {
                    errors.push(format!(
                        "location {first} of fragment shader output `{name}' is taken by another"
                    ));
                }
                places[index as usize].take(first, count);
                stage.patch.set.insert((v.id, decoration::LOCATION), first);
            }
            Some(first) => errors.push(format!(
                "location {first} of fragment shader output `{name}' is not below {max}"
            )),
            None => pending.push((place, v.id, count, index)),
        }
    }
    for (place, id, count, index) in pending {
        let Some(first) =
            (0..max.saturating_sub(count - 1)).find(|f| places[index as usize].free(*f, count))
        else {
            errors.push(format!(
                "too many fragment shader outputs at `{}'",
                artifact.frag_outputs[place].name
            ));
            continue;
        };
        places[index as usize].take(first, count);
        artifact.frag_outputs[place].location = first;
        stage.patch.set.insert((id, decoration::LOCATION), first);
    }
    // Two sources at one location: Vulkan wants the Index of both said.
    if artifact.flags.dual_source {
        let zero: Vec<u32> = stage.interface(storage::OUTPUT).map(|v| v.id).collect();
        for id in zero {
            stage.patch.set.entry((id, decoration::INDEX)).or_insert(0);
        }
    }
}
