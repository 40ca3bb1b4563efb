//! Initial values of uniforms: constants that the compiler folded, laid out in the default block.
//! It must not evaluate anything: an initialiser that the compiler does not fold is an error of the shader.

use pipe::program::Stage;

use crate::compiler::{self, Failure, Unit};
use crate::module::{Constant, MatrixLayout, Module, Type, decoration};

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Scalar(Vec<u32>),
    List(Vec<Value>),
    Zero,
}

/// Compiles the text of [`crate::scan::Scan::initialisers`] and reads what each variable is given.
pub fn fold(text: &str, names: &[&str]) -> Result<Vec<(String, Value)>, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let stages = compiler::compile_and_link(&[Unit {
        stage: Stage::Vertex,
        text,
    }])
    .map_err(|failure| match failure {
        Failure::Parse { log } | Failure::Link { log } => log,
    })?;
    let Some((_, words)) = stages.first() else {
        return Err("no code".into());
    };
    let m = Module::read(words);
    let mut out = Vec::new();
    for name in names {
        let variable = m.variables.iter().find(|v| m.name(v.id) == *name);
        let value = variable
            .and_then(|v| m.stores.get(&v.id))
            .and_then(|id| read(&m, *id, 0));
        match value {
            Some(value) => out.push(((*name).to_owned(), value)),
            None => {
                return Err(format!(
                    "initializer of uniform `{name}' must be a constant expression"
                ));
            }
        }
    }
    Ok(out)
}

fn read(m: &Module, id: u32, depth: u32) -> Option<Value> {
    Some(match m.constants.get(&id)? {
        Constant::Scalar(w) => Value::Scalar(w.clone()),
        Constant::Bool(b) => Value::Scalar(vec![u32::from(*b)]),
        Constant::Composite(_) if depth > 16 => return None,
        Constant::Composite(parts) => Value::List(
            parts
                .iter()
                .map(|p| read(m, *p, depth + 1))
                .collect::<Option<_>>()?,
        ),
        Constant::Null => Value::Zero,
    })
}

impl Value {
    /// Writes the value of type `ty` (of the linked module) at `offset`.
    pub fn write(&self, m: &Module, ty: u32, offset: u32, matrix: MatrixLayout, out: &mut [u8]) {
        match self {
            Self::Zero => {}
            Self::Scalar(words) => {
                for (i, w) in words.iter().enumerate() {
                    let at = offset as usize + i * 4;
                    if let Some(bytes) = out.get_mut(at..at + 4) {
                        bytes.copy_from_slice(&w.to_le_bytes());
                    }
                }
            }
            Self::List(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    let i = i as u32;
                    let (of, at, matrix) = match m.types.get(&ty) {
                        Some(Type::Vector { of, .. }) => (*of, i * m.size_of(*of, matrix), matrix),
                        // Rows of a row-major matrix are strided; the default block has none.
                        Some(Type::Matrix { of, .. }) => (*of, i * matrix.stride, matrix),
                        Some(Type::Array { of, .. }) => (
                            *of,
                            i * m.decoration(ty, decoration::ARRAY_STRIDE).unwrap_or(0),
                            matrix,
                        ),
                        Some(Type::Struct { members }) => match members.get(i as usize) {
                            Some(of) => (
                                *of,
                                m.member_decoration(ty, i, decoration::OFFSET).unwrap_or(0),
                                m.matrix_layout(ty, i),
                            ),
                            None => return,
                        },
                        _ => return,
                    };
                    part.write(m, of, offset + at, matrix, out);
                }
            }
        }
    }
}
