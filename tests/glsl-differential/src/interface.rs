//! What two compilers can be asked to agree on: names and shapes. It must hold nothing that GL leaves to the implementation.

use std::collections::BTreeMap;

/// A type without its qualifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// `float`, `ivec3`, `mat2x4` ...; `opaque` for samplers and images; `struct`.
    pub of: String,
    /// Elements; 1 for what is no array. Several dimensions are multiplied.
    pub elements: u32,
}

/// The interface of one stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// Uniforms of the default block, a vertex shader's inputs, a fragment shader's outputs: `uniform x`, `in x`, `out x`.
    pub variables: BTreeMap<String, Shape>,
    /// Byte offsets of members of uniform blocks, as `Block.member`.
    pub offsets: BTreeMap<String, u32>,
}

/// Structures are named member by member in GL and as a whole in SPIR-V.
pub fn is_left_out(shape: &Shape) -> bool {
    shape.of == "struct"
}

/// The name of a scalar, vector or matrix: `prefix` is that of vectors.
pub fn type_name(scalar: &str, columns: u32, rows: u32) -> String {
    let prefix = match scalar {
        "float" => "",
        "double" => "d",
        "int" => "i",
        "uint" => "u",
        _ => "b",
    };
    match (columns, rows) {
        (1, 1) => scalar.to_owned(),
        (1, n) => format!("{prefix}vec{n}"),
        (c, r) => format!("{prefix}mat{c}x{r}"),
    }
}
