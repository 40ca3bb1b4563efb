//! The interface of one stage, read from SPIR-V. It must share nothing with the reader of the library: an error of one would hide in the
//! other.

use crate::interface::{Interface, Shape, type_name};
use std::collections::HashMap;

/// What of a module is needed, by id.
#[derive(Default)]
struct Module {
    names: HashMap<u32, String>,
    member_names: HashMap<(u32, u32), String>,
    offsets: HashMap<(u32, u32), u32>,
    built_in: Vec<u32>,
    blocks: Vec<u32>,
    types: HashMap<u32, Type>,
    constants: HashMap<u32, u32>,
    pointers: HashMap<u32, u32>,
    /// Id, type, storage class.
    variables: Vec<(u32, u32, u32)>,
    vertex: bool,
    fragment: bool,
}

enum Type {
    Scalar(&'static str),
    Vector(u32, u32),
    Matrix(u32, u32),
    Array(u32, u32),
    Struct(Vec<u32>),
    Opaque,
}

fn text(words: &[u32]) -> String {
    let bytes = words.iter().flat_map(|w| w.to_le_bytes());
    let bytes: Vec<u8> = bytes.take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Module {
    fn read(words: &[u32]) -> Self {
        let mut module = Self::default();
        let mut at = 5;
        while at < words.len() {
            let (length, op) = ((words[at] >> 16) as usize, words[at] & 0xFFFF);
            let w = &words[at + 1..at + length.max(1)];
            at += length.max(1);
            match op {
                15 => {
                    module.vertex = w[0] == 0;
                    module.fragment = w[0] == 4;
                }
                5 => {
                    module.names.insert(w[0], text(&w[1..]));
                }
                6 => {
                    module.member_names.insert((w[0], w[1]), text(&w[2..]));
                }
                71 if w[1] == 11 => module.built_in.push(w[0]),
                71 if w[1] == 2 => module.blocks.push(w[0]),
                72 if w[2] == 35 => {
                    module.offsets.insert((w[0], w[1]), w[3]);
                }
                20 => module.add(w[0], Type::Scalar("bool")),
                21 => module.add(w[0], Type::Scalar(if w[2] == 1 { "int" } else { "uint" })),
                22 => module.add(
                    w[0],
                    Type::Scalar(if w[1] == 64 { "double" } else { "float" }),
                ),
                23 => module.add(w[0], Type::Vector(w[1], w[2])),
                24 => module.add(w[0], Type::Matrix(w[1], w[2])),
                25 | 27 => module.add(w[0], Type::Opaque),
                28 => module.add(w[0], Type::Array(w[1], w[2])),
                30 => module.add(w[0], Type::Struct(w[1..].to_vec())),
                32 => {
                    module.pointers.insert(w[0], w[2]);
                }
                43 => {
                    module.constants.insert(w[1], w[2]);
                }
                59 => module.variables.push((w[1], w[0], w[2])),
                _ => {}
            }
        }
        module
    }

    fn add(&mut self, id: u32, ty: Type) {
        self.types.insert(id, ty);
    }

    fn scalar(&self, ty: u32) -> &'static str {
        match self.types.get(&ty) {
            Some(Type::Scalar(name)) => name,
            _ => "?",
        }
    }

    fn shape(&self, ty: u32) -> Shape {
        let one = |of: String| Shape { of, elements: 1 };
        match self.types.get(&ty) {
            Some(Type::Scalar(name)) => one((*name).to_owned()),
            Some(Type::Vector(of, n)) => one(type_name(self.scalar(*of), 1, *n)),
            Some(Type::Matrix(column, n)) => match self.types.get(column) {
                Some(Type::Vector(of, rows)) => one(type_name(self.scalar(*of), *n, *rows)),
                _ => one("?".to_owned()),
            },
            Some(Type::Array(of, length)) => {
                let mut shape = self.shape(*of);
                shape.elements *= self.constants.get(length).copied().unwrap_or(0);
                shape
            }
            Some(Type::Struct(_)) => one("struct".to_owned()),
            Some(Type::Opaque) | None => one("opaque".to_owned()),
        }
    }
}

const UNIFORM_CONSTANT: u32 = 0;
const INPUT: u32 = 1;
const UNIFORM: u32 = 2;
const OUTPUT: u32 = 3;

/// The interface of a module with one entry point.
pub fn interface(words: &[u32]) -> Interface {
    let module = Module::read(words);
    let mut interface = Interface::default();
    for (id, pointer, class) in &module.variables {
        let Some(ty) = module.pointers.get(pointer) else {
            continue;
        };
        let kind = match *class {
            UNIFORM_CONSTANT => "uniform",
            INPUT if module.vertex => "in",
            OUTPUT if module.fragment => "out",
            UNIFORM => {
                block(&module, *ty, &mut interface);
                continue;
            }
            _ => continue,
        };
        let name = module.names.get(id).cloned().unwrap_or_default();
        if !module.built_in.contains(id) && !name.starts_with("gl_") {
            let shape = module.shape(*ty);
            interface.variables.insert(format!("{kind} {name}"), shape);
        }
    }
    interface
}

fn block(module: &Module, ty: u32, interface: &mut Interface) {
    let ty = match module.types.get(&ty) {
        Some(Type::Array(of, _)) => *of,
        _ => ty,
    };
    let Some(Type::Struct(members)) = module.types.get(&ty) else {
        return;
    };
    if !module.blocks.contains(&ty) {
        return;
    }
    let block = module.names.get(&ty).cloned().unwrap_or_default();
    for at in 0..members.len() as u32 {
        if let (Some(member), Some(offset)) = (
            module.member_names.get(&(ty, at)),
            module.offsets.get(&(ty, at)),
        ) {
            interface
                .offsets
                .insert(format!("{block}.{member}"), *offset);
        }
    }
}
