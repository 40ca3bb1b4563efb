//! Functions of a shader that have the signature of a built-in: the compiler takes them for faulty redeclarations.
//! They get another name, and so do the calls behind them. It must not rename a function that merely overloads a built-in.

use rustc_hash::FxHashMap;

use crate::lex::{Kind, Token};

/// Built-in functions by the shape of their signatures.
#[derive(Clone, Copy)]
enum Shape {
    /// `T f(T)`; `T f(T, T)`; `T f(T, T, T)`.
    Generic(usize),
    /// `float f(T)`; `float f(T, T)`.
    ToFloat(usize),
    /// Square matrices to themselves, to their transposes, to a float.
    Square,
    Transpose,
    SquareToFloat,
    /// `mat f(mat, mat)` of equal types.
    Matrices,
}

const BUILT_INS: &[(Shape, &[&str])] = &[
    (
        Shape::Generic(1),
        &[
            "radians",
            "degrees",
            "sin",
            "cos",
            "tan",
            "asin",
            "acos",
            "atan",
            "sinh",
            "cosh",
            "tanh",
            "asinh",
            "acosh",
            "atanh",
            "exp",
            "log",
            "exp2",
            "log2",
            "sqrt",
            "inversesqrt",
            "abs",
            "sign",
            "floor",
            "trunc",
            "round",
            "roundEven",
            "ceil",
            "fract",
            "normalize",
        ],
    ),
    (
        Shape::Generic(2),
        &["atan", "pow", "mod", "min", "max", "step", "reflect"],
    ),
    (
        Shape::Generic(3),
        &["clamp", "mix", "smoothstep", "faceforward", "fma"],
    ),
    (Shape::ToFloat(1), &["length"]),
    (Shape::ToFloat(2), &["distance", "dot"]),
    (Shape::Square, &["inverse"]),
    (Shape::Transpose, &["transpose"]),
    (Shape::SquareToFloat, &["determinant"]),
    (Shape::Matrices, &["matrixCompMult"]),
];

const VALUES: [&str; 4] = ["float", "vec2", "vec3", "vec4"];
const INTEGERS: [&str; 4] = ["int", "ivec2", "ivec3", "ivec4"];
const WITH_INTEGERS: [&str; 5] = ["abs", "sign", "min", "max", "clamp"];

/// A signature: result, parameters.
type Signature = (String, Vec<String>);

fn signatures(name: &str) -> Vec<Signature> {
    let mut out = Vec::new();
    let mut types: Vec<&str> = VALUES.to_vec();
    if WITH_INTEGERS.contains(&name) {
        types.extend(INTEGERS);
    }
    let matrix = |c: usize, r: usize| {
        if c == r {
            format!("mat{c}")
        } else {
            format!("mat{c}x{r}")
        }
    };
    for (shape, _) in BUILT_INS.iter().filter(|(_, names)| names.contains(&name)) {
        match *shape {
            Shape::Generic(n) => {
                out.extend(
                    types
                        .iter()
                        .map(|t| (t.to_string(), vec![t.to_string(); n])),
                );
            }
            Shape::ToFloat(n) => {
                out.extend(
                    types
                        .iter()
                        .map(|t| ("float".to_owned(), vec![t.to_string(); n])),
                );
            }
            Shape::Square => out.extend((2..=4).map(|n| (matrix(n, n), vec![matrix(n, n)]))),
            Shape::SquareToFloat => {
                out.extend((2..=4).map(|n| ("float".to_owned(), vec![matrix(n, n)])));
            }
            Shape::Transpose => {
                for (c, r) in (2..=4).flat_map(|c| (2..=4).map(move |r| (c, r))) {
                    out.push((matrix(r, c), vec![matrix(c, r)]));
                }
            }
            Shape::Matrices => out.extend((2..=4).map(|n| (matrix(n, n), vec![matrix(n, n); 2]))),
        }
    }
    // Not in every shape's set: the second forms that take a float.
    if matches!(name, "mod" | "min" | "max") {
        let forms = VALUES[1..].iter();
        out.extend(forms.map(|t| (t.to_string(), vec![t.to_string(), "float".to_owned()])));
    }
    if name == "mix" {
        let forms = VALUES[1..].iter();
        out.extend(forms.map(|t| {
            (
                t.to_string(),
                vec![t.to_string(), t.to_string(), "float".to_owned()],
            )
        }));
    }
    if name == "clamp" {
        let forms = VALUES[1..].iter();
        out.extend(forms.map(|t| {
            let scalar = "float".to_owned();
            (t.to_string(), vec![t.to_string(), scalar.clone(), scalar])
        }));
    }
    out
}

/// The functions that override a built-in.
#[derive(Default)]
pub struct Overrides {
    /// Name, and the index of the token from which on it means the shader's own.
    from: FxHashMap<String, usize>,
    /// What the shader itself defines of each name.
    own: FxHashMap<String, Vec<Vec<String>>>,
}

impl Overrides {
    /// Looks for declarations of functions at global scope.
    pub fn find(tokens: &[Token]) -> Self {
        let mut out = Self::default();
        let mut level = 0i32;
        for (i, t) in tokens.iter().enumerate() {
            match &*t.text {
                "{" => level += 1,
                "}" => level -= 1,
                "(" if level == 0 && i >= 2 && tokens[i - 2].kind == Kind::Ident => {
                    let Some(name) = tokens[i - 1].ident() else {
                        continue;
                    };
                    let built_in = signatures(name);
                    if built_in.is_empty() {
                        continue;
                    }
                    let types = parameters(&tokens[i + 1..]);
                    if built_in.iter().any(|(_, p)| *p == types) {
                        out.from.entry(name.to_owned()).or_insert(i - 1);
                    }
                    out.own.entry(name.to_owned()).or_default().push(types);
                }
                _ => {}
            }
        }
        out
    }

    /// Whether the word at token `i` is the shader's own function.
    pub fn applies(&self, word: &str, i: usize) -> bool {
        self.from.get(word).is_some_and(|from| i >= *from)
    }

    /// Functions under the new names that pass on to the built-ins which the shader leaves alone: drivers let it call both.
    pub fn forwards(&self, renamed: &str, out: &mut String) {
        let mut names: Vec<&String> = self.from.keys().collect();
        names.sort();
        for name in names {
            for (result, types) in signatures(name) {
                if self.own[name].contains(&types) {
                    continue;
                }
                let list = |with_types: bool| {
                    let parts = types.iter().zip(["a", "b", "c"]).map(|(t, n)| {
                        if with_types {
                            format!("{t} {n}")
                        } else {
                            n.to_owned()
                        }
                    });
                    parts.collect::<Vec<_>>().join(", ")
                };
                out.push_str(&format!(
                    "{result} {renamed}{name}({}) {{ return {name}({}); }}\n",
                    list(true),
                    list(false)
                ));
            }
        }
    }
}

/// The types of a parameter list; what stands before it is gone.
fn parameters(tokens: &[Token]) -> Vec<String> {
    let mut out = Vec::new();
    let mut expect = true;
    for t in tokens {
        match &*t.text {
            ")" => break,
            "," => expect = true,
            "in" | "out" | "inout" | "const" | "highp" | "mediump" | "lowp" | "precise" => {}
            "[" => {
                if let Some(last) = out.last_mut() {
                    *last = String::from("array");
                }
            }
            text if expect => {
                out.push(text.to_owned());
                expect = false;
            }
            _ => {}
        }
    }
    out
}
