//! Helpers of the compiler's tests: compile, link, validate. It must not judge by our own output.

#![allow(dead_code)] // each test takes what it needs
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

use gl_glsl::{CompileOptions, LinkOptions, LinkResult, Shader, compile, link};
use pipe::program::{ProgramArtifact, Stage, Uniform};

/// A vertex shader that covers the viewport without attributes.
pub const TRI: &str = "#version 330 core
void main() {
    vec2 c = vec2(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0);
    gl_Position = vec4(c, 0.0, 1.0);
}
";

/// Compiles without judging.
pub fn try_compile(stage: Stage, source: &str) -> Shader {
    compile(stage, &[source], &CompileOptions::default())
}

/// Compiles what must compile.
pub fn shader(stage: Stage, source: &str) -> Shader {
    let s = try_compile(stage, source);
    assert!(s.ok(), "{stage:?}: {}\n{source}", s.log());
    s
}

/// Links compiled stages without judging.
pub fn try_link(stages: &[(Stage, &str)], options: &LinkOptions) -> LinkResult {
    let shaders: Vec<Shader> = stages
        .iter()
        .map(|(stage, source)| shader(*stage, source))
        .collect();
    link(&shaders.iter().collect::<Vec<_>>(), options)
}

/// Links what must link, and validates every stage.
pub fn program_with(stages: &[(Stage, &str)], options: &LinkOptions) -> Arc<ProgramArtifact> {
    let result = try_link(stages, options);
    let Some(artifact) = result.artifact else {
        panic!("{}", result.log);
    };
    for stage in &artifact.stages {
        validate(&stage.spirv, &format!("{:?}", stage.stage));
        let es = pipe::program::spirv::without_base_instance(&stage.spirv);
        validate(&es, &format!("{:?} without base instance", stage.stage));
        let captured = pipe::program::spirv::with_transform_feedback(&stage.spirv, &artifact.xfb);
        if Some(stage.stage) == artifact.last_vertex_stage() {
            validate(
                &captured,
                &format!("{:?} with transform feedback", stage.stage),
            );
        }
    }
    let back = ProgramArtifact::from_archive(&artifact.to_archive()).expect("our own archive");
    assert_eq!(back, *artifact);
    artifact
}

pub fn program(vertex: &str, fragment: &str) -> Arc<ProgramArtifact> {
    program_with(
        &[(Stage::Vertex, vertex), (Stage::Fragment, fragment)],
        &LinkOptions::default(),
    )
}

/// Asks the Khronos validator.
pub fn validate(words: &[u32], what: &str) {
    let mut child = Command::new("spirv-val")
        .args(["--target-env", "vulkan1.1", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("spirv-val is needed: package spirv-tools, which `./x test` installs");
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    child
        .stdin
        .take()
        .expect("piped")
        .write_all(&bytes)
        .expect("spirv-val reads its input");
    let out = child.wait_with_output().expect("spirv-val runs");
    let said =
        String::from_utf8_lossy(&out.stderr).into_owned() + &String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{what}: {said}");
}

/// The active uniform called `name`.
pub fn uniform<'a>(a: &'a ProgramArtifact, name: &str) -> &'a Uniform {
    a.uniforms
        .iter()
        .find(|u| u.name == name)
        .unwrap_or_else(|| panic!("no active uniform {name}"))
}

pub fn uniform_names(a: &ProgramArtifact) -> Vec<&str> {
    a.uniforms.iter().map(|u| &*u.name).collect()
}
