//! GLSL 1.10 to 4.60 to SPIR-V: preprocess, scan, rewrite, compile, link, reflect. Pure functions of their arguments.
//! It must never see a GL context, an object name or a backend.
//!
//! * [`compile`] is `glCompileShader`: source strings in, a [`Shader`] with a log out.
//! * [`link`] is `glLinkProgram`: shaders and the bindings made before the link in, a [`pipe::program::ProgramArtifact`] out.
//! * [`warm_up`] builds the compiler's built-in tables; call it from a background thread at start.
//!
//! * A [`Verdict`] is what a compilation said. Who kept it makes a shader of it with [`known`], which is compiled when a link needs
//!   its code, and not at all where the link's result was kept as well; [`CODE_HASH`] says which compiler both are of.
//!
//! Everything is thread-safe and nothing keeps state between calls but the compiler's process-wide tables.

#![deny(unsafe_code)]

mod bounds;
mod capture;
mod compiler;
mod constants;
mod dce;
mod descriptors;
mod emit;
pub mod ending;
mod expression;
mod extensions;
mod interface;
mod leaves;
mod lex;
mod link;
mod locations;
mod log;
mod macros;
mod module;
mod overrides;
mod prelude;
mod preprocess;
mod rectangle;
mod reflect;
mod rewrite;
mod scan;
mod types;
mod values;
mod words;

use std::ffi::CStr;
use std::sync::{Arc, OnceLock};

use pipe::program::{ProgramArtifact, ProgramFlags, Stage};
use serde::{Deserialize, Serialize};

use crate::log::Log;
use crate::rewrite::Rewritten;
use crate::scan::Scan;
use crate::values::Value;

/// The name of the default uniform block in SPIR-V (glslang dislikes `gl_` here).
pub(crate) const DEFAULT_BLOCK: &CStr = c"mg_GlobalConstants";

/// The hash of this crate's and the artifact's source text, with the version of the compiler behind it: results of two libraries
/// with the same hash are the same.
pub const CODE_HASH: &str = env!("MOBILEGL_GLSL_CODE_HASH");

/// What the context offers to shaders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CompileOptions {
    /// Highest `#version` accepted, as in `GL_SHADING_LANGUAGE_VERSION` (`330`, `460`).
    pub max_version: u32,
    /// Defines `GL_core_profile` (else `GL_compatibility_profile`) where the source does not say.
    pub core_profile: bool,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self {
            max_version: 460,
            core_profile: true,
        }
    }
}

/// What a compilation said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// `GL_COMPILE_STATUS`.
    pub ok: bool,
    /// `GL_INFO_LOG`: empty, or lines of the form `0:12(5): error: ...` in the source's own numbering.
    pub log: String,
}

/// The state of a shader object after `glCompileShader`. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Shader(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    stage: Stage,
    source: String,
    options: CompileOptions,
    verdict: Verdict,
    /// Made with the verdict, or when a link first asks.
    compiled: OnceLock<Compiled>,
}

/// What a link reads of a shader.
#[derive(Debug)]
struct Compiled {
    rewritten: Rewritten,
    /// Values of initialised uniforms, by their names in the rewritten text.
    initial: Vec<(String, Value)>,
}

impl Shader {
    /// The stage it was compiled for.
    pub fn stage(&self) -> Stage {
        self.0.stage
    }

    /// The text of `glShaderSource`, joined.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// What it was compiled for.
    pub fn options(&self) -> &CompileOptions {
        &self.0.options
    }

    /// What the compilation said.
    pub fn verdict(&self) -> &Verdict {
        &self.0.verdict
    }

    /// `GL_COMPILE_STATUS`.
    pub fn ok(&self) -> bool {
        self.0.verdict.ok
    }

    /// `GL_INFO_LOG`.
    pub fn log(&self) -> &str {
        &self.0.verdict.log
    }

    /// Whether its code was made, by the compilation or by a link.
    pub fn is_compiled(&self) -> bool {
        self.0.compiled.get().is_some()
    }

    /// The `#version` of the source (110 without one).
    pub fn version(&self) -> u32 {
        self.compiled().rewritten.version
    }

    fn compiled(&self) -> &Compiled {
        let inner = &*self.0;
        inner
            .compiled
            .get_or_init(|| compile_source(inner.stage, &inner.source, &inner.options).1)
    }

    pub(crate) fn text(&self) -> &str {
        &self.compiled().rewritten.text
    }

    pub(crate) fn scan(&self) -> &Scan {
        &self.compiled().rewritten.scan
    }

    pub(crate) fn flags(&self) -> &ProgramFlags {
        &self.compiled().rewritten.flags
    }

    pub(crate) fn initial(&self) -> &[(String, Value)] {
        &self.compiled().initial
    }
}

/// How captured varyings are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum XfbMode {
    #[default]
    Interleaved,
    Separate,
}

/// What the application set on the program object before the link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LinkOptions {
    /// `glBindAttribLocation`: name, location. Names of no active attribute are ignored.
    pub attrib_locations: Vec<(String, u32)>,
    /// `glBindFragDataLocationIndexed`: name, colour number, index.
    pub frag_data_locations: Vec<(String, u32, u32)>,
    /// `glTransformFeedbackVaryings`, including `gl_NextBuffer` and `gl_SkipComponentsN`.
    pub xfb_varyings: Vec<String>,
    pub xfb_mode: XfbMode,
    /// `GL_PROGRAM_SEPARABLE`: stages may be missing and interfaces stay open at the ends.
    pub separable: bool,
    /// `GL_MAX_VERTEX_ATTRIBS`; 0 means 16.
    pub max_vertex_attribs: u32,
    /// `GL_MAX_DRAW_BUFFERS`; 0 means 8.
    pub max_draw_buffers: u32,
    /// `GL_MAX_UNIFORM_BLOCK_SIZE`, which also holds the default block; 0 means 65536.
    pub max_uniform_block_bytes: u32,
}

/// The state of a program object after `glLinkProgram`.
#[derive(Clone, Debug)]
pub struct LinkResult {
    /// `GL_INFO_LOG`.
    pub log: String,
    /// Present exactly when `GL_LINK_STATUS` is true.
    pub artifact: Option<Arc<ProgramArtifact>>,
}

impl LinkResult {
    /// `GL_LINK_STATUS`.
    pub fn ok(&self) -> bool {
        self.artifact.is_some()
    }
}

/// `glCompileShader`. `sources` are the strings of `glShaderSource`, in order; they are joined without separators.
pub fn compile(stage: Stage, sources: &[&str], options: &CompileOptions) -> Shader {
    let source = sources.concat();
    let (verdict, compiled) = compile_source(stage, &source, options);
    Shader(Arc::new(Inner {
        stage,
        source,
        options: options.clone(),
        verdict,
        compiled: OnceLock::from(compiled),
    }))
}

/// A shader of which it is known what [`compile`] says. Its code is made when a link needs it.
pub fn known(stage: Stage, source: &str, options: &CompileOptions, verdict: Verdict) -> Shader {
    Shader(Arc::new(Inner {
        stage,
        source: source.to_owned(),
        options: options.clone(),
        verdict,
        compiled: OnceLock::new(),
    }))
}

fn compile_source(stage: Stage, source: &str, options: &CompileOptions) -> (Verdict, Compiled) {
    let mut log = Log::default();
    let mut preprocessed = preprocess::preprocess(source, options, &mut log);
    bounds::check(&preprocessed.tokens, &mut log);
    if log.failed() {
        preprocessed.tokens.clear();
    }
    let rewritten = rewrite::rewrite(stage, preprocessed, &mut log);
    let done = |ok, log, rewritten, initial| (Verdict { ok, log }, Compiled { rewritten, initial });
    if log.failed() {
        return done(false, log.into_text(), rewritten, Vec::new());
    }
    let warnings = log.into_text();
    if let Err(errors) = compiler::check(&compiler::Unit {
        stage,
        text: &rewritten.text,
    }) {
        return done(
            false,
            warnings + &link::tidy(&errors),
            rewritten,
            Vec::new(),
        );
    }
    let names: Vec<&str> = rewritten
        .scan
        .variables(scan::Storage::Uniform)
        .filter(|v| v.has_initialiser)
        .map(|v| &*v.name)
        .collect();
    match values::fold(&rewritten.initialisers, &names) {
        Ok(initial) => done(true, warnings, rewritten, initial),
        Err(error) => {
            let text = if error.starts_with("ERROR") {
                link::tidy(&error)
            } else {
                format!("0:1(1): error: {error}\n")
            };
            done(false, warnings + &text, rewritten, Vec::new())
        }
    }
}

/// `glLinkProgram`. A shader that is not [`Shader::ok`] makes the link fail, as the specification asks.
pub fn link(shaders: &[&Shader], options: &LinkOptions) -> LinkResult {
    link::link(shaders, options)
}

/// Builds the compiler's built-in tables (tens to hundreds of milliseconds, once in a process). Blocks; idempotent.
pub fn warm_up() {
    for stage in [Stage::Vertex, Stage::Fragment] {
        for source in [
            "#version 330\nvoid main() {}",
            "#version 460\nvoid main() {}",
        ] {
            compile(stage, &[source], &CompileOptions::default());
        }
    }
}
