//! One-dimensional images, which are two-dimensional here: offsets, gradients and sizes, where the translator leaves them as they
//! are. It must not touch images of other dimensions.

use pipe::program::spirv::instructions;
use rustc_hash::FxHashMap;

const OP_NAME: u32 = 5;
const OP_TYPE_IMAGE: u32 = 25;
const OP_TYPE_SAMPLED_IMAGE: u32 = 27;
const OP_TYPE_ARRAY: u32 = 28;
const OP_TYPE_POINTER: u32 = 32;
const OP_FUNCTION_PARAMETER: u32 = 55;
const OP_VARIABLE: u32 = 59;
const OP_TYPE_INT: u32 = 21;
const OP_TYPE_FLOAT: u32 = 22;
const OP_TYPE_VECTOR: u32 = 23;
const OP_CONSTANT: u32 = 43;
const OP_CONSTANT_COMPOSITE: u32 = 44;
const OP_FUNCTION: u32 = 54;
const OP_LOAD: u32 = 61;
const OP_COMPOSITE_CONSTRUCT: u32 = 80;
const OP_SAMPLED_IMAGE: u32 = 86;
const OP_IMAGE: u32 = 100;
const DIM_1D: u32 = 0;
/// Image operands, in the order of their bits: how many words each has, and whether it has a number per dimension.
const OPERANDS: [(u32, usize, bool); 5] = [
    (0x1, 1, false),
    (0x2, 1, false),
    (0x4, 2, true),
    (0x8, 1, true),
    (0x10, 1, true),
];
const CONST_OFFSET: u32 = 0x8;
const OFFSETS: u32 = CONST_OFFSET | 0x10;

/// Where the mask of image operands stands in an instruction that reads an image.
fn operands_at(code: u32) -> Option<usize> {
    match code {
        // Without and with a reference value, then a fetch.
        87 | 88 | 91 | 92 | 95 => Some(5),
        89 | 90 | 93 | 94 => Some(6),
        _ => None,
    }
}

/// Declarations that are added.
struct Added {
    bound: u32,
    words: Vec<u32>,
    /// The vector of two and the zero of a scalar type.
    pairs: FxHashMap<u32, (u32, u32)>,
}

impl Added {
    fn id(&mut self) -> u32 {
        self.bound += 1;
        self.bound - 1
    }

    /// For an `int` or a `float`; a zero of either has the same bits.
    fn pair(&mut self, scalar: u32, words: &[u32]) -> (u32, u32) {
        if let Some(pair) = self.pairs.get(&scalar) {
            return *pair;
        }
        let known = instructions(words)
            .find(|(code, w)| *code == OP_TYPE_VECTOR && w[2] == scalar && w[3] == 2)
            .map(|(_, w)| w[1]);
        let vector = known.unwrap_or_else(|| {
            let id = self.id();
            self.words.extend([4 << 16 | OP_TYPE_VECTOR, id, scalar, 2]);
            id
        });
        let zero = self.id();
        self.words.extend([4 << 16 | OP_CONSTANT, scalar, zero, 0]);
        self.pairs.insert(scalar, (vector, zero));
        (vector, zero)
    }
}

/// `words` in which offsets and gradients of one-dimensional images have a second number, 0.
pub fn widened(words: &[u32]) -> Vec<u32> {
    let types = image_types(words, |_| true);
    if types.is_empty() {
        return words.to_vec();
    }
    let find = |wanted: u32| {
        instructions(words)
            .find(|(code, w)| *code == wanted && w[2] == 32)
            .map(|(_, w)| w[1])
    };
    let (int, float) = (find(OP_TYPE_INT), find(OP_TYPE_FLOAT));
    let mut images = Vec::new();
    let mut added = Added {
        bound: words[3],
        words: Vec::new(),
        pairs: FxHashMap::default(),
    };
    let mut out = words[..5].to_vec();
    let mut functions = None;
    for (code, w) in instructions(words) {
        if code == OP_FUNCTION && functions.is_none() {
            functions = Some(out.len());
        }
        let loads = matches!(
            code,
            OP_LOAD | OP_SAMPLED_IMAGE | OP_IMAGE | OP_FUNCTION_PARAMETER
        );
        if loads && types.contains(&w[1]) {
            images.push(w[2]);
        }
        let at = operands_at(code).filter(|at| w.len() > *at && images.contains(&w[3]));
        let (Some(at), Some(int), Some(float)) = (at, int, float) else {
            out.extend_from_slice(w);
            continue;
        };
        let mut new = w.to_vec();
        let mut operand = at + 1;
        for (bit, count, per_dimension) in OPERANDS {
            if w[at] & bit == 0 {
                continue;
            }
            for i in operand..operand + count {
                if per_dimension {
                    let scalar = if bit & OFFSETS == 0 { float } else { int };
                    let (vector, zero) = added.pair(scalar, words);
                    let id = added.id();
                    let (code, to) = if bit == CONST_OFFSET {
                        (OP_CONSTANT_COMPOSITE, &mut added.words)
                    } else {
                        (OP_COMPOSITE_CONSTRUCT, &mut out)
                    };
                    to.extend([5 << 16 | code, vector, id, w[i], zero]);
                    new[i] = id;
                }
            }
            operand += count;
        }
        out.extend(new);
    }
    out[3] = added.bound;
    if let Some(at) = functions {
        out.splice(at..at, added.words);
    }
    out
}

/// Types of one-dimensional images, of arrays of them and of pointers to them.
fn image_types(words: &[u32], wanted: impl Fn(&[u32]) -> bool) -> Vec<u32> {
    let mut types = Vec::new();
    for (code, w) in instructions(words) {
        match code {
            OP_TYPE_IMAGE if w.len() > 5 && w[3] == DIM_1D && wanted(w) => types.push(w[1]),
            OP_TYPE_SAMPLED_IMAGE | OP_TYPE_ARRAY if types.contains(&w[2]) => types.push(w[1]),
            OP_TYPE_POINTER if types.contains(&w[3]) => types.push(w[1]),
            _ => {}
        }
    }
    types
}

/// Names of the variables and parameters whose images are arrays of one dimension.
fn names(words: &[u32]) -> Vec<String> {
    let types = image_types(words, |w| w[5] == 1);
    let ids: Vec<u32> = instructions(words)
        .filter(|(code, w)| {
            matches!(*code, OP_VARIABLE | OP_FUNCTION_PARAMETER) && types.contains(&w[1])
        })
        .map(|(_, w)| w[2])
        .collect();
    instructions(words)
        .filter(|(code, w)| *code == OP_NAME && w.len() > 2 && ids.contains(&w[1]))
        .map(|(_, w)| {
            let bytes = w[2..].iter().flat_map(|word| word.to_le_bytes());
            let bytes: Vec<u8> = bytes.take_while(|byte| *byte != 0).collect();
            String::from_utf8_lossy(&bytes).into_owned()
        })
        .collect()
}

/// `text` in which the size of such an image is its width and its layers (GLSL 4.60, Texture Query Functions).
pub fn sized(words: &[u32], mut text: String) -> String {
    let names = names(words);
    if names.is_empty() {
        return text;
    }
    for query in ["textureSize(", "imageSize("] {
        let mut from = 0;
        while let Some(at) = text[from..].find(query).map(|at| from + at) {
            from = at + query.len();
            let part = |c: char| !c.is_ascii_alphanumeric() && c != '_';
            let name = text[from..].split(part).next().unwrap_or("");
            if !names.iter().any(|n| n == name) {
                continue;
            }
            let mut level = 1usize;
            let end = text[from..].find(|c| {
                match c {
                    '(' => level += 1,
                    ')' => level -= 1,
                    _ => {}
                }
                level == 0
            });
            let Some(end) = end.map(|end| from + end + 1) else {
                break;
            };
            if text[end..].starts_with(".x") && !text[end + 2..].starts_with(|c| !part(c)) {
                text.replace_range(end..end + 2, ".xz");
            }
        }
    }
    text
}
