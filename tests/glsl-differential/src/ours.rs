//! What our compiler says of one stage: linked alone, as a separable program. It must not look into the SPIR-V.

use crate::interface::{Interface, Shape, type_name};
use gl_glsl::{CompileOptions, LinkOptions};
use pipe::program::{Stage, UniformStorage};

fn stage(suffix: &str) -> Stage {
    match suffix {
        "vert" => Stage::Vertex,
        "tesc" => Stage::TessControl,
        "tese" => Stage::TessEval,
        "geom" => Stage::Geometry,
        "frag" => Stage::Fragment,
        _ => Stage::Compute,
    }
}

/// The stage's interface, or the log that refuses it.
pub fn interface(source: &str, suffix: &str) -> Result<Interface, String> {
    let shader = gl_glsl::compile(stage(suffix), &[source], &CompileOptions::default());
    if !shader.ok() {
        return Err(shader.log().to_owned());
    }
    let options = LinkOptions {
        separable: true,
        ..LinkOptions::default()
    };
    let linked = gl_glsl::link(&[&shader], &options);
    let Some(artifact) = linked.artifact else {
        return Err(linked.log);
    };
    let mut interface = Interface::default();
    let mut add = |kind: &str, name: &str, gl_type: u32, elements: u32| {
        let shape = Shape {
            of: shape(gl_type),
            elements,
        };
        interface.variables.insert(format!("{kind} {name}"), shape);
    };
    for uniform in &artifact.uniforms {
        let name = uniform.name.strip_suffix("[0]").unwrap_or(&uniform.name);
        // Members of structures and of arrays of arrays have names of their own in GL alone.
        if name.contains(['.', '[']) {
            continue;
        }
        if matches!(
            uniform.storage,
            UniformStorage::Default | UniformStorage::Sampler { .. } | UniformStorage::Image { .. }
        ) {
            add("uniform", name, uniform.gl_type, uniform.array_size);
        }
    }
    for input in &artifact.attributes {
        if !input.name.starts_with("gl_") {
            add("in", &input.name, input.gl_type, input.array_size);
        }
    }
    for output in &artifact.frag_outputs {
        if !output.name.starts_with("gl_") {
            add("out", &output.name, output.gl_type, output.array_size);
        }
    }
    for uniform in &artifact.uniforms {
        let UniformStorage::Block { index } = uniform.storage else {
            continue;
        };
        let block = &artifact.uniform_blocks[index as usize].name;
        let block = block.split('[').next().unwrap_or(block);
        let name = uniform.name.strip_suffix("[0]").unwrap_or(&uniform.name);
        // With an instance name GL says `Block.member`, without one `member`.
        let member = name
            .strip_prefix(block)
            .and_then(|rest| rest.strip_prefix('.'))
            .unwrap_or(name);
        if !member.contains(['.', '[']) {
            interface
                .offsets
                .insert(format!("{block}.{member}"), uniform.offset);
        }
    }
    Ok(interface)
}

/// A GL type enum by the name that GLSL has for it.
fn shape(gl_type: u32) -> String {
    let vectors = [
        (0x8B50, "float"),
        (0x8B53, "int"),
        (0x8B57, "bool"),
        (0x8DC6, "uint"),
        (0x8FFC, "double"),
    ];
    let scalars = [
        (0x1406, "float"),
        (0x1404, "int"),
        (0x8B56, "bool"),
        (0x1405, "uint"),
        (0x140A, "double"),
    ];
    if let Some((_, name)) = scalars.iter().find(|(of, _)| *of == gl_type) {
        return type_name(name, 1, 1);
    }
    for (first, name) in vectors {
        if (first..first + 3).contains(&gl_type) {
            return type_name(name, 1, gl_type - first + 2);
        }
    }
    const SIZES: [(u32, u32); 9] = [
        (2, 2),
        (3, 3),
        (4, 4),
        (2, 3),
        (2, 4),
        (3, 2),
        (3, 4),
        (4, 2),
        (4, 3),
    ];
    let matrix = |scalar: &str, at: u32| {
        let (columns, rows) = SIZES[at as usize];
        type_name(scalar, columns, rows)
    };
    match gl_type {
        0x8B5A..=0x8B5C => matrix("float", gl_type - 0x8B5A),
        0x8B65..=0x8B6A => matrix("float", gl_type - 0x8B65 + 3),
        0x8F46..=0x8F4E => matrix("double", gl_type - 0x8F46),
        _ => "opaque".to_owned(),
    }
}
