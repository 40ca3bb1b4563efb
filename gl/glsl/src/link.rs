//! `glLinkProgram`: one program of all stages, its interfaces checked, its locations and bindings fixed, its reflection made.
//! It must not succeed with an artifact that a backend could not take as it is.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use pipe::program::{
    GeometryInfo, ProgramFlags, Stage, StageCode, StageMask, StateMembers, TessInfo,
};

use crate::capture;
use crate::compiler::{self, Failure, Unit};
use crate::dce;
use crate::interface;
use crate::module::{Module, Patch, Type, Variable, decoration, storage};
use crate::prelude::{STATE_DEPTH_RANGE, STATE_FRAG_COORD_HEIGHT};
use crate::rectangle;
use crate::reflect::Reflection;
use crate::scan::{Declared, FragCoord, Scan, Storage};
use crate::words::original;
use crate::{LinkOptions, LinkResult, Shader};

/// One stage after the link, before its words are final.
pub struct LinkedStage<'a> {
    pub stage: Stage,
    pub words: Vec<u32>,
    pub module: Module,
    pub shaders: Vec<&'a Shader>,
    pub patch: Patch,
}

impl LinkedStage<'_> {
    /// What all the stage's shaders declare, in order.
    pub fn declared(&self) -> impl Iterator<Item = &Declared> {
        self.scans().flat_map(|s| &s.declared)
    }

    pub fn scans(&self) -> impl Iterator<Item = &Scan> {
        self.shaders.iter().map(|s| s.scan())
    }

    /// The variable of the default uniform block, if the stage has one.
    pub fn default_block(&self) -> Option<Variable> {
        let name = crate::DEFAULT_BLOCK.to_str().expect("ASCII");
        self.module
            .variables_in(storage::UNIFORM)
            .find(|v| self.module.name(v.ty) == name)
    }

    /// Interface variables of a storage class that are the shader's own.
    pub fn interface(&self, class: u32) -> impl Iterator<Item = Variable> {
        self.module
            .variables_in(class)
            .filter(|v| !self.module.is_built_in(*v))
    }
}

fn failed(log: String) -> LinkResult {
    LinkResult {
        log,
        artifact: None,
    }
}

pub fn link(shaders: &[&Shader], options: &LinkOptions) -> LinkResult {
    if let Err(log) = check_stages(shaders, options) {
        return failed(log);
    }
    let mut ordered = shaders.to_vec();
    ordered.sort_by_key(|s| s.stage());
    // The built-in blocks of 4.10 and 4.60 differ: one version for the whole program.
    const OLD: &str = "#version 410 core";
    const NEW: &str = "#version 460 core";
    let mixed = ordered.iter().any(|s| s.text().starts_with(NEW));
    let texts: Vec<Cow<str>> = ordered
        .iter()
        .map(|s| match s.text().strip_prefix(OLD) {
            Some(rest) if mixed => Cow::Owned(format!("{NEW}{rest}")),
            _ => Cow::Borrowed(s.text()),
        })
        .collect();
    let units: Vec<Unit> = ordered
        .iter()
        .zip(&texts)
        .map(|(s, text)| Unit {
            stage: s.stage(),
            text,
        })
        .collect();
    let code = match compiler::compile_and_link(&units) {
        Ok(code) => code,
        Err(Failure::Parse { log } | Failure::Link { log }) => return failed(tidy(&log)),
    };
    if let Some((stage, _)) = code.iter().find(|(_, words)| words.len() < 5) {
        return failed(format!("error: no code for the {} stage\n", stage.name()));
    }
    let mut stages: Vec<LinkedStage> = code
        .into_iter()
        .map(|(stage, words)| LinkedStage {
            stage,
            module: Module::read(&words),
            words,
            shaders: ordered
                .iter()
                .copied()
                .filter(|s| s.stage() == stage)
                .collect(),
            patch: Patch::default(),
        })
        .collect();
    // From the last stage to the first: what a stage reads decides what the one before it needs to compute.
    for i in (0..stages.len()).rev() {
        let ignored = interface::ignored_outputs(&stages[i], stages.get(i + 1), options);
        let words = dce::eliminate(&stages[i].words, &ignored);
        let s = &mut stages[i];
        s.module = Module::read(&words);
        s.words = words;
        s.patch.remove.extend(
            ignored
                .into_iter()
                .filter(|id| !s.module.touched.contains_key(id)),
        );
        if !options.separable && i > 0 {
            let unread = s
                .interface(storage::INPUT)
                .filter(|v| !s.module.touched.contains_key(&v.id))
                .map(|v| v.id);
            let unread: Vec<u32> = unread.collect();
            s.patch.remove.extend(unread);
        }
    }
    let initial: Vec<_> = ordered
        .iter()
        .flat_map(|s| s.initial().iter().cloned())
        .collect();
    // GLSL 4.60 §4.3.5: initialisers of one uniform in several shaders must have the same value.
    for (i, (name, value)) in initial.iter().enumerate() {
        if initial[..i].iter().any(|(n, v)| n == name && v != value) {
            return failed(format!(
                "error: initializers of uniform `{}' have differing values\n",
                original(name)
            ));
        }
    }
    let max_block_bytes = match options.max_uniform_block_bytes {
        0 => 65_536,
        n => n,
    };
    let mut reflection = Reflection::new(&initial, max_block_bytes);
    reflection.run(&stages);
    let mut errors = std::mem::take(&mut reflection.errors);
    check_blocks(&stages, &mut errors);
    interface::check(&stages, options, &mut errors);
    let mut artifact = std::mem::take(&mut reflection.artifact);
    interface::attributes(&mut stages, options, &mut artifact, &mut errors);
    interface::frag_outputs(&mut stages, options, &mut artifact, &mut errors);
    capture::transform_feedback(&stages, options, &mut artifact, &mut errors);
    if !errors.is_empty() {
        return failed(errors.iter().map(|e| format!("error: {e}\n")).collect());
    }
    for s in &mut stages {
        bind(s, &reflection);
    }
    if let Some((stage, name)) = stages.iter().find_map(|s| unbound(s, &reflection)) {
        return failed(format!(
            "error: {} shader: sampler `{name}' is used in a way that is not supported\n",
            stage.name()
        ));
    }
    artifact.state_members = state_members(&stages);
    artifact.separable = options.separable;
    artifact.flags = flags(&stages, artifact.flags);
    shape(&stages, &mut artifact);
    for s in stages {
        artifact.stage_mask.insert(s.stage.mask());
        artifact.stages.push(StageCode {
            stage: s.stage,
            spirv: rectangle::to_2d(s.patch.apply(&s.words)),
        });
    }
    LinkResult {
        log: String::new(),
        artifact: Some(Arc::new(artifact)),
    }
}

/// What can be said before anything is compiled (GL 4.6 core §7.3).
fn check_stages(shaders: &[&Shader], options: &LinkOptions) -> Result<(), String> {
    if shaders.is_empty() {
        return Err("error: no shaders attached to the program\n".into());
    }
    let mut by_stage: BTreeMap<Stage, Vec<&Shader>> = BTreeMap::new();
    for s in shaders {
        if !s.ok() {
            return Err("error: linking with uncompiled/unspecialized shader\n".into());
        }
        by_stage.entry(s.stage()).or_default().push(s);
    }
    for (stage, list) in &by_stage {
        if !list.iter().any(|s| s.scan().has_main) {
            return Err(format!("error: {} shader lacks `main'\n", stage.name()));
        }
    }
    let mask = by_stage.keys().fold(StageMask::EMPTY, |mut m, s| {
        m.insert(s.mask());
        m
    });
    if mask.contains(Stage::Compute) && mask != Stage::Compute.mask() {
        return Err(
            "error: compute shaders may not be linked with any other type of shader\n".into(),
        );
    }
    check_frag_coord(shaders)?;
    if options.separable {
        return Ok(());
    }
    for stage in [Stage::Geometry, Stage::TessEval, Stage::TessControl] {
        if mask.contains(stage) && !mask.contains(Stage::Vertex) {
            return Err(format!(
                "error: {} shader must be linked with a vertex shader\n",
                stage.name()
            ));
        }
    }
    if mask.contains(Stage::TessControl) && !mask.contains(Stage::TessEval) {
        return Err("error: tessellation control shader must be linked with a tessellation evaluation shader\n".into());
    }
    Ok(())
}

/// GLSL 4.60 §4.3.9: matched blocks "must have the same number of members, names, types ... " and all or none an instance name.
fn check_blocks(stages: &[LinkedStage], errors: &mut Vec<String>) {
    for (i, a) in stages.iter().enumerate() {
        for b in &stages[i + 1..] {
            for wanted in [Storage::Uniform, Storage::Buffer] {
                for x in a.scans().flat_map(|s| s.blocks(wanted)) {
                    for y in b
                        .scans()
                        .flat_map(|s| s.blocks(wanted))
                        .filter(|y| y.name == x.name)
                    {
                        let name = original(&x.name);
                        if x.has_instance != y.has_instance {
                            errors.push(format!(
                                "block `{name}' has an instance name in one stage and none in another"
                            ));
                        }
                        let find = |s: &LinkedStage| {
                            s.module
                                .variables
                                .iter()
                                .find(|v| {
                                    matches!(v.storage, storage::UNIFORM | storage::STORAGE_BUFFER)
                                        && s.module.name(s.module.strip_arrays(v.ty).0) == x.name
                                })
                                .map(|v| v.ty)
                        };
                        if let (Some(p), Some(q)) = (find(a), find(b))
                            && !a.module.same_type(p, &b.module, q)
                        {
                            errors.push(format!("definitions of block `{name}' do not match"));
                        }
                    }
                }
            }
        }
    }
}

/// Where the code reads GL state in the default block, which is the same in every stage.
fn state_members(stages: &[LinkedStage]) -> StateMembers {
    let find = |name: &str| {
        stages.iter().find_map(|s| {
            let (m, block) = (&s.module, s.default_block()?);
            let Some(Type::Struct { members }) = m.types.get(&block.ty) else {
                return None;
            };
            let member = (0..members.len() as u32).find(|i| m.member_name(block.ty, *i) == name)?;
            m.member_decoration(block.ty, member, decoration::OFFSET)
        })
    };
    StateMembers {
        frag_coord_height: find(STATE_FRAG_COORD_HEIGHT),
        depth_range: find(STATE_DEPTH_RANGE),
    }
}

/// GLSL 4.60 §4.4.1.3: "If gl_FragCoord is redeclared in any fragment shader in a program, it must be redeclared in all the
/// fragment shaders in that program that have a static use of gl_FragCoord", and all with the same qualifiers.
fn check_frag_coord(shaders: &[&Shader]) -> Result<(), String> {
    let mut seen: Option<Option<FragCoord>> = None;
    for s in shaders.iter().filter(|s| s.stage() == Stage::Fragment) {
        let own = s.scan().frag_coord;
        if own.is_none() && !s.flags().frag_coord {
            continue;
        }
        if seen.is_some_and(|other| other != own) {
            return Err(
                "error: fragment shaders redeclare `gl_FragCoord' with different layout qualifiers\n"
                    .into(),
            );
        }
        seen = Some(own);
    }
    Ok(())
}

/// Bindings as the artifact says; descriptors that no code refers to go away.
fn bind(s: &mut LinkedStage, reflection: &Reflection) {
    let m = &s.module;
    for v in &m.variables {
        let name = match v.storage {
            storage::UNIFORM_CONSTANT => m.name(v.id),
            storage::UNIFORM | storage::STORAGE_BUFFER => m.name(m.strip_arrays(v.ty).0),
            storage::INPUT => {
                let own = m.decoration(v.id, decoration::BUILT_IN).is_some();
                if own && !m.touched.contains_key(&v.id) {
                    s.patch.remove.insert(v.id);
                }
                continue;
            }
            _ => continue,
        };
        let default_block = name == crate::DEFAULT_BLOCK.to_str().expect("ASCII");
        match reflection.bindings.get(name) {
            Some(binding) => {
                if let Some(new) = reflection.renamed.get(name) {
                    s.patch.rename.insert(v.id, new.clone());
                }
                s.patch.set.insert((v.id, decoration::BINDING), *binding);
                s.patch.set.insert((v.id, decoration::DESCRIPTOR_SET), 0);
            }
            None if default_block => {
                s.patch.set.insert((v.id, decoration::BINDING), 0);
                s.patch.set.insert((v.id, decoration::DESCRIPTOR_SET), 0);
            }
            None if !m.touched.contains_key(&v.id) => {
                s.patch.remove.insert(v.id);
            }
            None => {}
        }
    }
}

/// A descriptor that code uses and reflection did not find: a sampler in a struct, indexed dynamically.
fn unbound(s: &LinkedStage, reflection: &Reflection) -> Option<(Stage, String)> {
    let m = &s.module;
    m.variables_in(storage::UNIFORM_CONSTANT)
        .find(|v| m.touched.contains_key(&v.id) && !reflection.bindings.contains_key(m.name(v.id)))
        .map(|v| (s.stage, original(m.name(v.id))))
}

fn flags(stages: &[LinkedStage], reflected: ProgramFlags) -> ProgramFlags {
    let mut out = reflected;
    for s in stages {
        for f in s.shaders.iter().map(|s| s.flags()) {
            out.frag_coord |= f.frag_coord;
            out.point_coord |= f.point_coord;
            out.front_facing |= f.front_facing;
            out.point_size_written |= f.point_size_written;
            out.vertex_id |= f.vertex_id;
            out.instance_id |= f.instance_id;
            out.base_vertex |= f.base_vertex;
            out.base_instance |= f.base_instance;
            out.draw_id |= f.draw_id;
            out.sample_shading |= f.sample_shading;
            out.frag_depth_written |= f.frag_depth_written;
            out.discards |= f.discards;
            out.early_fragment_tests |= f.early_fragment_tests;
            out.frag_color_broadcast |= f.frag_color_broadcast;
            out.writes_layer |= f.writes_layer;
            out.writes_viewport_index |= f.writes_viewport_index;
        }
    }
    if let Some(s) = stages
        .iter()
        .rfind(|s| matches!(s.stage, Stage::Vertex | Stage::TessEval | Stage::Geometry))
    {
        const CLIP_DISTANCE: u32 = 3;
        const CULL_DISTANCE: u32 = 4;
        let m = &s.module;
        for &(id, member) in m.touched_members.keys() {
            let Some(v) = m.variables_in(storage::OUTPUT).find(|v| v.id == id) else {
                continue;
            };
            let len = |ty: u32| m.components(ty).min(8) as u8;
            let (block, _) = m.strip_arrays(v.ty);
            let ty = match m.types.get(&block) {
                Some(Type::Struct { members }) => members.get(member as usize).copied(),
                _ => None,
            };
            match (m.member_decoration(block, member, decoration::BUILT_IN), ty) {
                (Some(CLIP_DISTANCE), Some(ty)) => out.clip_distances = len(ty),
                (Some(CULL_DISTANCE), Some(ty)) => out.cull_distances = len(ty),
                _ => {}
            }
        }
    }
    out
}

/// Geometry, tessellation and compute layouts, from execution modes.
fn shape(stages: &[LinkedStage], artifact: &mut pipe::program::ProgramArtifact) {
    let mut tess = TessInfo {
        control_vertices: 0,
        mode: 0x0004,
        spacing: 0x0202,
        clockwise: false,
        point_mode: false,
    };
    for s in stages {
        let mut geometry = GeometryInfo {
            input: 0x0004,
            output: 0x0005,
            max_vertices: 0,
            invocations: 1,
        };
        for (mode, operands) in &s.module.execution_modes {
            let first = operands.first().copied().unwrap_or(0);
            match (s.stage, mode) {
                (Stage::Geometry, 0) => geometry.invocations = first,
                (Stage::Geometry, 19) => geometry.input = 0x0000,
                (Stage::Geometry, 20) => geometry.input = 0x0001,
                (Stage::Geometry, 21) => geometry.input = 0x000A,
                (Stage::Geometry, 22) => geometry.input = 0x0004,
                (Stage::Geometry, 23) => geometry.input = 0x000C,
                (Stage::Geometry, 26) => geometry.max_vertices = first,
                (Stage::Geometry, 27) => geometry.output = 0x0000,
                (Stage::Geometry, 28) => geometry.output = 0x0003,
                (Stage::Geometry, 29) => geometry.output = 0x0005,
                (Stage::TessControl, 26) => tess.control_vertices = first,
                (Stage::TessEval, 1) => tess.spacing = 0x0202,
                (Stage::TessEval, 2) => tess.spacing = 0x8E7C,
                (Stage::TessEval, 3) => tess.spacing = 0x8E7B,
                (Stage::TessEval, 4) => tess.clockwise = true,
                (Stage::TessEval, 10) => tess.point_mode = true,
                (Stage::TessEval, 22) => tess.mode = 0x0004,
                (Stage::TessEval, 24) => tess.mode = 0x0007,
                (Stage::TessEval, 25) => tess.mode = 0x8E7A,
                (Stage::Compute, 17) => {
                    artifact.local_size = Some([
                        first,
                        operands.get(1).copied().unwrap_or(1),
                        operands.get(2).copied().unwrap_or(1),
                    ]);
                }
                _ => {}
            }
        }
        match s.stage {
            Stage::Geometry => artifact.geometry = Some(geometry),
            Stage::TessEval => artifact.tess = Some(tess),
            Stage::Vertex | Stage::TessControl | Stage::Fragment | Stage::Compute => {}
        }
    }
}

/// glslang's log as a driver would word it.
pub fn tidy(log: &str) -> String {
    let mut out = String::new();
    for line in log.lines() {
        let line = line.trim();
        let Some(rest) = line.strip_prefix("ERROR: ") else {
            // Continuation lines name the declarations that do not match.
            if !line.is_empty()
                && !line.starts_with("WARNING")
                && !line.starts_with("Warning")
                && !out.is_empty()
            {
                out.push_str(&format!("    {}\n", unprefixed(line)));
            }
            continue;
        };
        if rest.contains("compilation terminated")
            || rest.contains("compilation errors")
            || rest.contains("No code generated")
        {
            continue;
        }
        let mut parts = rest.splitn(4, ':');
        let numbers = (
            parts.next().map(str::parse::<u32>),
            parts.next().map(str::parse::<u32>),
            parts.next().map(str::parse::<u32>),
        );
        match (numbers, parts.next()) {
            ((Some(Ok(src)), Some(Ok(line)), Some(Ok(col))), Some(text)) => {
                out.push_str(&format!(
                    "{src}:{line}({col}): error: {}\n",
                    unprefixed(text.trim())
                ));
            }
            _ => out.push_str(&format!("error: {}\n", unprefixed(rest))),
        }
    }
    if out.is_empty() {
        out.push_str("error: the shader does not compile\n");
    }
    out
}

/// Names as the source has them.
fn unprefixed(text: &str) -> String {
    text.replace(crate::words::RENAMED, "")
        .replace("mg_main", "main")
}
