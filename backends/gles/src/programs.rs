//! Programs: archive to ESSL 3.20 per stage, linked lazily per variant; what a program reads is bound at dense driver points. It must never see source.

use crate::block_arrays;
use crate::driver::Gl;
use crate::kept_programs::KeptPrograms;
use crate::logic_op::{self, LogicOp};
use crate::noperspective::{self, Place};
use crate::one_dimension;
use crate::point_size;
use crate::vertex_inputs::split_arrays;
use backend_common::{TwinKey, TwinTable};
use glow::HasContext;
use pipe::program::{
    ProgramArtifact, ResourceKind, SPEC_POINT_COORD_FLIP, SPEC_POINT_SIZE, SPEC_POINT_SIZE_FIXED,
    Stage, spirv,
};
use pipe::{ProgramBinding, ShaderId};
use shader_cache::Key;
use smallvec::SmallVec;
use spirv_cross2::compile::CompilableTarget;
use spirv_cross2::compile::glsl::GlslVersion;
use spirv_cross2::targets::Glsl;
use spirv_cross2::{Compiler, Module};

/// Render state that is compiled in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// GL_POINT_SPRITE_COORD_ORIGIN is GL_LOWER_LEFT.
    pub point_coord_flip: bool,
    /// GL_PROGRAM_POINT_SIZE is off.
    pub point_size_fixed: bool,
    /// Draw buffers that `gl_FragColor` goes to.
    pub outputs: u8,
    /// How outputs and the framebuffer are combined.
    pub logic: Option<LogicOp>,
}

/// A driver program.
#[derive(Clone, Copy, Debug)]
pub struct Linked {
    pub name: glow::NativeProgram,
    /// Uniform that stands for the point size of the state.
    pub point_size: Option<glow::NativeUniformLocation>,
}

impl Linked {
    fn of(gl: &Gl, name: glow::NativeProgram) -> Self {
        // SAFETY: GL rules 1 and 2; the program is linked.
        let point_size = unsafe { gl.get_uniform_location(name, POINT_SIZE) };
        Self { name, point_size }
    }
}

/// One of our programs.
#[derive(Debug)]
pub struct Program {
    pub artifact: ProgramArtifact,
    /// The archive's hash.
    archive: Key,
    variants: SmallVec<[(Variant, Option<Linked>); 1]>,
    /// Units and binding points by slot, as of `slots_version`.
    pub slots: Slots,
    slots_version: u64,
    /// Where the default block was last put.
    pub constants: Option<ConstantsAt>,
    /// Point size that the driver has, and in which variant.
    pub point_size: Option<(glow::NativeProgram, f32)>,
}

/// GL binding points of what a program reads, by slot.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    pub samplers: Vec<u32>,
    pub images: Vec<u32>,
    pub uniform_blocks: Vec<u32>,
    pub storage_blocks: Vec<u32>,
}

/// What a context last bound a program's resources for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundProgram {
    pub shader: ShaderId,
    pub linked: glow::NativeProgram,
    pub bindings_version: u64,
}

/// Where a version of a default block lies: in which context's stream, as of which of its wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstantsAt {
    pub context: pipe::ContextId,
    pub version: u64,
    pub wraps: u64,
    pub name: glow::NativeBuffer,
    pub offset: usize,
}

/// All programs of the session.
#[derive(Debug)]
pub struct Programs {
    pub table: TwinTable<ShaderId, Program>,
    /// Where the driver's binaries are kept, if they are.
    pub kept: Option<KeptPrograms>,
}

impl Programs {
    /// An empty table of the given keying.
    pub fn new(key: TwinKey, kept: Option<KeptPrograms>) -> Self {
        Self {
            table: TwinTable::new(key),
            kept,
        }
    }
}

/// The driver's uniform buffer index of the default block; named blocks follow.
pub const CONSTANTS_INDEX: usize = 0;

impl Program {
    /// From an archive; nothing is compiled yet.
    pub fn new(archive: &[u8]) -> Result<Self, String> {
        let artifact = ProgramArtifact::from_archive(archive).map_err(|e| e.to_string())?;
        Ok(Self {
            artifact,
            archive: Key::of("archive", &[archive]),
            variants: SmallVec::new(),
            slots: Slots::default(),
            slots_version: 0,
            constants: None,
            point_size: None,
        })
    }

    /// The driver's program for a variant. `Err` once, when it fails to link; `Ok(None)` from then on.
    pub fn linked(
        &mut self,
        gl: &Gl,
        kept: Option<&KeptPrograms>,
        variant: Variant,
    ) -> Result<Option<Linked>, String> {
        let variant = self.reduced(variant);
        if let Some((_, linked)) = self.variants.iter().find(|(v, _)| *v == variant) {
            return Ok(*linked);
        }
        let linked = self.made(gl, kept, variant);
        self.variants.push((variant, linked.as_ref().ok().copied()));
        linked.map(Some)
    }

    fn made(
        &self,
        gl: &Gl,
        kept: Option<&KeptPrograms>,
        variant: Variant,
    ) -> Result<Linked, String> {
        let Some(kept) = kept else {
            return link(gl, &self.artifact, variant, false).map(|name| Linked::of(gl, name));
        };
        let key = kept.key(&self.archive, variant);
        if let Some(name) = kept.load(gl, &key) {
            return Ok(Linked::of(gl, name));
        }
        let name = link(gl, &self.artifact, variant, true)?;
        kept.store(gl, &key, name);
        Ok(Linked::of(gl, name))
    }

    /// Only what the code reads makes a variant.
    fn reduced(&self, variant: Variant) -> Variant {
        let flags = &self.artifact.flags;
        Variant {
            point_coord_flip: variant.point_coord_flip && flags.point_coord,
            point_size_fixed: variant.point_size_fixed && flags.point_size_written,
            outputs: if flags.frag_color_broadcast {
                variant.outputs.max(1)
            } else {
                1
            },
            logic: variant.logic,
        }
    }

    /// Driver names to delete.
    pub fn names(&self) -> impl Iterator<Item = glow::NativeProgram> {
        self.variants.iter().filter_map(|(_, l)| l.map(|l| l.name))
    }

    /// Follows the application's units and binding points.
    pub fn update_slots(&mut self, bindings: &[ProgramBinding], version: u64) {
        if self.slots_version == version {
            return;
        }
        self.slots_version = version;
        let find = |binding: u32, element: u32, initial: u32| {
            bindings
                .iter()
                .find(|b| u32::from(b.binding) == binding && u32::from(b.element) == element)
                .map_or(initial, |b| b.slot)
        };
        let a = &self.artifact;
        let samplers = a.samplers.iter();
        let images = a.images.iter();
        let blocks = |list: &[pipe::program::Block]| {
            list.iter()
                .map(|b| find(b.binding, b.element, b.initial_binding))
                .collect()
        };
        self.slots = Slots {
            samplers: samplers
                .map(|s| find(s.binding, s.element, s.initial_unit))
                .collect(),
            images: images
                .map(|s| find(s.binding, s.element, s.initial_unit))
                .collect(),
            uniform_blocks: blocks(&a.uniform_blocks),
            storage_blocks: blocks(&a.storage_blocks),
        };
    }
}

/// The driver point that a descriptor binding becomes: dense per class, so that limits bind as late as they can.
fn driver_point(artifact: &ProgramArtifact, binding: u32) -> Option<u32> {
    let resource = artifact.resources.iter().find(|r| r.binding == binding)?;
    Some(match resource.kind {
        ResourceKind::GlobalConstants => CONSTANTS_INDEX as u32,
        ResourceKind::UniformBlock => 1 + resource.first,
        ResourceKind::StorageBlock => resource.first,
        // ES has atomic counters, but the code counts in a storage block by then.
        ResourceKind::AtomicBuffer => artifact.storage_blocks.len() as u32 + resource.first,
        ResourceKind::Sampler | ResourceKind::TexelBuffer => resource.first,
        ResourceKind::Image | ResourceKind::ImageBuffer => resource.first,
    })
}

const OP_DECORATE: u32 = 71;
const DECORATION_BINDING: u32 = 33;

/// Replaces descriptor bindings by driver points.
fn rebind(words: &[u32], artifact: &ProgramArtifact) -> Vec<u32> {
    let mut out = words.get(..5).unwrap_or(words).to_vec();
    for (op, w) in spirv::instructions(words) {
        let at = out.len();
        out.extend_from_slice(w);
        if op == OP_DECORATE
            && w.len() == 4
            && w[2] == DECORATION_BINDING
            && let Some(point) = driver_point(artifact, w[3])
        {
            out[at + 3] = point;
        }
    }
    out
}

/// One stage's ESSL.
pub fn translate(
    gl: &Gl,
    artifact: &ProgramArtifact,
    stage: Stage,
    words: &[u32],
    variant: Variant,
) -> Result<String, String> {
    let mut words = rebind(&spirv::without_base_instance(words), artifact);
    if stage == Stage::Vertex {
        words = split_arrays(&words);
    }
    words = one_dimension::widened(&words);
    let compiler = Compiler::<Glsl>::new(Module::from_words(&words)).map_err(|e| e.to_string())?;
    let mut options = Glsl::options();
    options.version = GlslVersion::Glsl320Es;
    options.es_default_float_precision_highp = true;
    options.es_default_int_precision_highp = true;
    options.support_nonzero_base_instance = false;
    options.vulkan_semantics = false;
    let text = compiler
        .compile(&options)
        .map_err(|e| format!("{} stage: {e}", stage.name()))?
        .to_string();
    let text = crate::clip_inputs::sized(&words, text);
    let text = interpolated(gl, artifact, stage, text)?;
    let text = one_dimension::sized(&words, text);
    let text = block_arrays::without_locations(stage, &text);
    let text = point_size::available(&gl.features, stage, text);
    let text = finish(gl, artifact, stage, &text, variant);
    if stage != Stage::Fragment {
        return Ok(text);
    }
    let text = match variant.outputs {
        0 | 1 => text,
        outputs => broadcast(&text, outputs),
    };
    Ok(match variant.logic {
        Some(logic) => logic_op::combine(&text, logic),
        None => text,
    })
}

/// Interpolation without perspective, where the driver has no word for it.
fn interpolated(
    gl: &Gl,
    artifact: &ProgramArtifact,
    stage: Stage,
    text: String,
) -> Result<String, String> {
    if gl.features.noperspective {
        return Ok(text);
    }
    let captured: Vec<&str> = artifact.xfb.varyings.iter().map(|v| &*v.name).collect();
    let place = Place::of(stage, artifact.last_vertex_stage());
    noperspective::emulate(&text, place, stage == Stage::Geometry, &captured)
        .map_err(|e| format!("{} stage: {e}", stage.name()))
}

/// Output 0 to the further outputs: what `gl_FragColor` means (GL 4.6 compatibility §15.2.3).
fn broadcast(text: &str, outputs: u8) -> String {
    const OUTPUT: &str = "layout(location = 0) out ";
    let Some(name) = text.lines().find_map(|line| {
        line.strip_prefix(OUTPUT)?
            .strip_suffix(';')?
            .split(' ')
            .next_back()
    }) else {
        return text.to_owned();
    };
    let mut out = text.replacen("void main()", "void mobilegl_main()", 1);
    let mut copies = String::new();
    for i in 1..outputs {
        out.push_str(&format!(
            "layout(location = {i}) out highp vec4 mobilegl_output{i};\n"
        ));
        copies.push_str(&format!("    mobilegl_output{i} = {name};\n"));
    }
    out.push_str("void main()\n{\n    mobilegl_main();\n");
    out.push_str(&copies);
    out.push_str("}\n");
    out
}

/// Extension lines, specialisation and the point size uniform.
fn finish(
    gl: &Gl,
    artifact: &ProgramArtifact,
    stage: Stage,
    text: &str,
    variant: Variant,
) -> String {
    let (version, body) = text.split_once('\n').unwrap_or((text, ""));
    let mut out = String::with_capacity(text.len() + 512);
    out.push_str(version);
    out.push('\n');
    let flags = &artifact.flags;
    let f = &gl.features;
    let extensions = [
        (
            flags.dual_source && f.dual_source,
            "GL_EXT_blend_func_extended",
        ),
        (
            (flags.clip_distances > 0 || flags.cull_distances > 0) && f.clip_distance,
            "GL_EXT_clip_cull_distance",
        ),
        (
            flags.writes_viewport_index && f.viewport_array,
            "GL_OES_viewport_array",
        ),
        (
            !artifact.images.is_empty() && f.image_formats,
            "GL_NV_image_formats",
        ),
    ];
    for (wanted, name) in extensions {
        if wanted {
            out.push_str("#extension ");
            out.push_str(name);
            out.push_str(" : enable\n");
        }
    }
    for (id, value) in [
        (SPEC_POINT_COORD_FLIP, variant.point_coord_flip),
        // A geometry stage reads what was written, whatever the state says.
        (
            SPEC_POINT_SIZE_FIXED,
            variant.point_size_fixed && artifact.last_vertex_stage() == Some(stage),
        ),
    ] {
        out.push_str(&format!("#define SPIRV_CROSS_CONSTANT_ID_{id} {value}\n"));
    }
    // The point size of the state moves with draws: a uniform takes the constant's place.
    let constant = format!(" = SPIRV_CROSS_CONSTANT_ID_{SPEC_POINT_SIZE};");
    for line in body.lines() {
        if let Some(start) = line.strip_suffix(constant.as_str())
            && let Some(name) = start.split(' ').next_back()
        {
            out.push_str("#define ");
            out.push_str(name);
            out.push(' ');
            out.push_str(POINT_SIZE);
            out.push_str("\nuniform highp float ");
            out.push_str(POINT_SIZE);
            out.push_str(";\n");
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Name of the uniform that holds the point size.
const POINT_SIZE: &str = "mobilegl_point_size";

/// ES wants a fragment shader (ES 3.2 §7.3); GL does not.
const EMPTY_FRAGMENT: &str = "#version 320 es\nvoid main() {}\n";

fn link(
    gl: &Gl,
    artifact: &ProgramArtifact,
    variant: Variant,
    retrievable: bool,
) -> Result<glow::NativeProgram, String> {
    let _zone = tracing::debug_span!("compile: driver's program").entered();
    let mut shaders: SmallVec<[glow::NativeShader; 6]> = SmallVec::new();
    let result = compile_all(gl, artifact, variant, &mut shaders)
        .and_then(|()| link_shaders(gl, artifact, &shaders, retrievable));
    for shader in shaders {
        // SAFETY: GL rules 1 and 2; a linked program keeps what it needs.
        unsafe { gl.delete_shader(shader) };
    }
    result
}

fn compile_all(
    gl: &Gl,
    artifact: &ProgramArtifact,
    variant: Variant,
    shaders: &mut SmallVec<[glow::NativeShader; 6]>,
) -> Result<(), String> {
    for code in &artifact.stages {
        let text = translate(gl, artifact, code.stage, &code.spirv, variant)?;
        shaders.push(compile(gl, code.stage, &text)?);
    }
    let mask = artifact.stage_mask;
    if !mask.contains(Stage::Compute) && !mask.contains(Stage::Fragment) {
        shaders.push(compile(gl, Stage::Fragment, EMPTY_FRAGMENT)?);
    }
    Ok(())
}

fn compile(gl: &Gl, stage: Stage, text: &str) -> Result<glow::NativeShader, String> {
    let kind = match stage {
        Stage::Vertex => glow::VERTEX_SHADER,
        Stage::TessControl => glow::TESS_CONTROL_SHADER,
        Stage::TessEval => glow::TESS_EVALUATION_SHADER,
        Stage::Geometry => glow::GEOMETRY_SHADER,
        Stage::Fragment => glow::FRAGMENT_SHADER,
        Stage::Compute => glow::COMPUTE_SHADER,
    };
    tracing::trace!(stage = stage.name(), text, "translated stage");
    // SAFETY: GL rules 1 and 2.
    unsafe {
        let shader = gl.create_shader(kind)?;
        gl.shader_source(shader, text);
        gl.compile_shader(shader);
        if gl.get_shader_compile_status(shader) {
            return Ok(shader);
        }
        let log = gl.get_shader_info_log(shader);
        gl.delete_shader(shader);
        Err(format!(
            "{} stage: the driver refused the translation: {log}\n{text}",
            stage.name()
        ))
    }
}

fn link_shaders(
    gl: &Gl,
    artifact: &ProgramArtifact,
    shaders: &[glow::NativeShader],
    retrievable: bool,
) -> Result<glow::NativeProgram, String> {
    // SAFETY: GL rules 1 and 2.
    unsafe {
        let name = gl.create_program()?;
        for shader in shaders {
            gl.attach_shader(name, *shader);
        }
        let xfb = &artifact.xfb;
        if !xfb.varyings.is_empty() {
            let names: Vec<&str> = xfb.varyings.iter().map(|v| v.name.as_str()).collect();
            let mode = if xfb.separate {
                glow::SEPARATE_ATTRIBS
            } else {
                glow::INTERLEAVED_ATTRIBS
            };
            gl.transform_feedback_varyings(name, &names, mode);
        }
        if retrievable {
            gl.program_binary_retrievable_hint(name, true);
        }
        gl.link_program(name);
        for shader in shaders {
            gl.detach_shader(name, *shader);
        }
        if !gl.get_program_link_status(name) {
            let log = gl.get_program_info_log(name);
            gl.delete_program(name);
            return Err(format!("the driver refused to link: {log}"));
        }
        Ok(name)
    }
}
