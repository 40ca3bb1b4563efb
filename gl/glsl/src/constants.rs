//! Constants that the compiler does not fold: determinants, inverses and transposes of matrices, and whether vectors or matrices
//! are equal. GLSL 4.60 §4.3.3 makes a built-in function of constants a constant expression, which may be an array's size.
//! It must not fold what it does not understand whole: that stays for the compiler to judge.

use crate::lex::{Kind, Token};

/// Constructors in constructors; each level is a stack frame.
const MAX_DEPTH: u32 = 64;

const FUNCTIONS: [&str; 3] = ["determinant", "inverse", "transpose"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Float,
    Int,
    Uint,
    Bool,
}

/// A constant scalar, vector (one column) or matrix, column by column. Every base is exact in `f64`; floats are rounded to 32 bits.
#[derive(Clone, Debug, PartialEq)]
struct Constant {
    base: Base,
    columns: usize,
    rows: usize,
    values: Vec<f64>,
}

/// Replaces the calls and comparisons whose operands are constants by what they yield. `defined`: functions of the shader's own.
pub fn fold(tokens: &mut Vec<Token>, is_own: impl Fn(&str) -> bool) {
    let function = |t: &Token| FUNCTIONS.contains(&&*t.text);
    let comparison = |t: &Token| t.is("==") || t.is("!=");
    if !tokens.iter().any(|t| function(t) || comparison(t)) {
        return;
    }
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut i = 0;
    while i < tokens.len() {
        let t = &tokens[i];
        let free = i == 0 || !tokens[i - 1].is(".");
        let starts = tokens.get(i + 1).is_some_and(|n| n.is("(")) && t.kind == Kind::Ident && free;
        if starts && !is_own(&t.text) && (function(t) || shape(&t.text).is_some()) {
            let mut reader = Reader {
                tokens,
                at: i,
                is_own: &is_own,
            };
            if let Some(left) = reader.primary(0) {
                if let Some(equal) = compared(tokens, i, &mut reader, &left) {
                    let text = if equal { "true" } else { "false" };
                    out.push(Token::made(Kind::Ident, text, t));
                    i = reader.at;
                    continue;
                }
                if function(t) && left.write(t, &mut out) {
                    i = reader.at;
                    continue;
                }
            }
        }
        out.push(t.clone());
        i += 1;
    }
    *tokens = out;
}

/// Whether the constant from `start` to where `reader` stands is the whole left side of a comparison with another, and its value.
/// The reader then stands behind it.
fn compared(
    tokens: &[Token],
    start: usize,
    reader: &mut Reader<'_, impl Fn(&str) -> bool>,
    left: &Constant,
) -> Option<bool> {
    let operator = tokens.get(reader.at)?;
    let wants_equal = match &*operator.text {
        "==" => true,
        "!=" => false,
        _ => return None,
    };
    // Scalars are the compiler's.
    if left.values.len() < 2 {
        return None;
    }
    let before = start.checked_sub(1).map(|b| &*tokens[b].text);
    let opens = matches!(
        before,
        Some("(" | "[" | "{" | "," | ";" | "=" | "?" | ":" | "&&" | "||" | "^^" | "return")
    );
    if !opens {
        return None;
    }
    let end = reader.at;
    reader.at += 1;
    let right = reader.primary(0);
    let closes = tokens.get(reader.at).is_some_and(|t| {
        matches!(
            &*t.text,
            ")" | "]" | "}" | "," | ";" | "?" | ":" | "&&" | "||" | "^^" | "==" | "!="
        )
    });
    match right {
        Some(right)
            if closes
                && (right.base, right.columns, right.rows)
                    == (left.base, left.columns, left.rows) =>
        {
            Some((right.values == left.values) == wants_equal)
        }
        _ => {
            reader.at = end;
            None
        }
    }
}

/// Base, columns and rows of a vector's or matrix's constructor.
fn shape(word: &str) -> Option<(Base, usize, usize)> {
    let number = |b: u8| (b'2'..=b'4').contains(&b).then(|| usize::from(b - b'0'));
    for (prefix, base) in [
        ("vec", Base::Float),
        ("ivec", Base::Int),
        ("uvec", Base::Uint),
        ("bvec", Base::Bool),
    ] {
        if let Some([n]) = word.strip_prefix(prefix).map(str::as_bytes) {
            return Some((base, 1, number(*n)?));
        }
    }
    match word.strip_prefix("mat")?.as_bytes() {
        [n] => Some((Base::Float, number(*n)?, number(*n)?)),
        [columns, b'x', rows] => Some((Base::Float, number(*columns)?, number(*rows)?)),
        _ => None,
    }
}

struct Reader<'a, F> {
    tokens: &'a [Token],
    at: usize,
    is_own: &'a F,
}

impl<F: Fn(&str) -> bool> Reader<'_, F> {
    fn take(&mut self, text: &str) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|t| t.is(text));
        self.at += usize::from(found);
        found
    }

    /// A literal, a constructor or one of [`FUNCTIONS`], with its sign.
    fn primary(&mut self, depth: u32) -> Option<Constant> {
        if depth > MAX_DEPTH {
            return None;
        }
        let t = self.tokens.get(self.at)?;
        self.at += 1;
        match (&*t.text, t.kind) {
            ("-", _) => {
                let mut value = self.primary(depth + 1)?;
                // Negative unsigned numbers wrap: left to the compiler.
                if !matches!(value.base, Base::Float | Base::Int) {
                    return None;
                }
                value.values.iter_mut().for_each(|v| *v = -*v);
                Some(value)
            }
            ("+", _) => self.primary(depth + 1),
            ("(", _) => {
                let value = self.primary(depth + 1)?;
                self.take(")").then_some(value)
            }
            ("true" | "false", _) => Some(Constant::scalar(Base::Bool, f64::from(t.is("true")))),
            (text, Kind::Number) => literal(text),
            (text, Kind::Ident) if !(self.is_own)(text) && self.take("(") => {
                let mut arguments = Vec::new();
                loop {
                    arguments.push(self.primary(depth + 1)?);
                    if self.take(")") {
                        break;
                    }
                    if !self.take(",") {
                        return None;
                    }
                }
                match (text, &*arguments) {
                    ("determinant", [m]) if m.is_square() => {
                        Some(Constant::scalar(Base::Float, rounded(m.determinant())))
                    }
                    ("inverse", [m]) if m.is_square() => m.inverse(),
                    ("transpose", [m]) if m.columns > 1 => Some(m.transpose()),
                    _ => Constant::construct(shape(text)?, &arguments),
                }
            }
            _ => None,
        }
    }
}

fn rounded(value: f64) -> f64 {
    f64::from(value as f32)
}

fn literal(text: &str) -> Option<Constant> {
    let lower = text.to_ascii_lowercase();
    if let Some(unsigned) = lower.strip_suffix('u') {
        let value = crate::expression::integer(unsigned)?;
        return Some(Constant::scalar(
            Base::Uint,
            u32::try_from(value).ok()?.into(),
        ));
    }
    if let Some(value) = crate::expression::integer(&lower) {
        return Some(Constant::scalar(
            Base::Int,
            i32::try_from(value).ok()?.into(),
        ));
    }
    // `lf` is a double, which is not ours.
    let float = lower.strip_suffix('f').unwrap_or(&lower);
    if !float.contains(['.', 'e']) {
        return None;
    }
    let value: f32 = float.parse().ok()?;
    value
        .is_finite()
        .then(|| Constant::scalar(Base::Float, value.into()))
}

impl Constant {
    fn scalar(base: Base, value: f64) -> Self {
        Self {
            base,
            columns: 1,
            rows: 1,
            values: vec![value],
        }
    }

    fn is_square(&self) -> bool {
        self.columns > 1 && self.columns == self.rows
    }

    fn at(&self, column: usize, row: usize) -> f64 {
        self.values[column * self.rows + row]
    }

    /// GLSL 4.60 §5.4.2, as far as the arguments are scalars and vectors of the constructor's own base or of numbers that convert
    /// exactly, and fill it exactly.
    fn construct((base, columns, rows): (Base, usize, usize), from: &[Self]) -> Option<Self> {
        // A matrix made of a matrix is the compiler's.
        if from.iter().any(|c| c.columns > 1) {
            return None;
        }
        let converts = |c: &Self| c.base == base || (base == Base::Float && c.base != Base::Bool);
        if !from.iter().all(converts) {
            return None;
        }
        let mut values: Vec<f64> = from.iter().flat_map(|c| c.values.clone()).collect();
        if base == Base::Float {
            values.iter_mut().for_each(|v| *v = rounded(*v));
        }
        if let [one] = *values {
            values = (0..columns * rows)
                .map(|i| {
                    if columns == 1 || i / rows == i % rows {
                        one
                    } else {
                        0.0
                    }
                })
                .collect();
        }
        (values.len() == columns * rows).then_some(Self {
            base,
            columns,
            rows,
            values,
        })
    }

    fn transpose(&self) -> Self {
        let values = (0..self.rows)
            .flat_map(|row| (0..self.columns).map(move |column| self.at(column, row)))
            .collect();
        Self {
            base: self.base,
            columns: self.rows,
            rows: self.columns,
            values,
        }
    }

    /// Without one column and one row.
    fn minor(&self, column: usize, row: usize) -> Self {
        let kept = |except: usize| (0..self.columns).filter(move |i| *i != except);
        let values = kept(column)
            .flat_map(|c| kept(row).map(move |r| self.at(c, r)))
            .collect();
        Self {
            base: self.base,
            columns: self.columns - 1,
            rows: self.rows - 1,
            values,
        }
    }

    fn cofactor(&self, column: usize, row: usize) -> f64 {
        let sign = if (column + row).is_multiple_of(2) {
            1.0
        } else {
            -1.0
        };
        sign * self.minor(column, row).determinant()
    }

    fn determinant(&self) -> f64 {
        if self.columns == 1 {
            return self.values[0];
        }
        (0..self.columns)
            .map(|column| self.at(column, 0) * self.cofactor(column, 0))
            .sum()
    }

    /// `None` for a singular matrix, of which GLSL says nothing.
    fn inverse(&self) -> Option<Self> {
        let determinant = self.determinant();
        if determinant == 0.0 {
            return None;
        }
        let n = self.columns;
        let values = (0..n * n)
            .map(|i| rounded(self.cofactor(i % n, i / n) / determinant))
            .collect();
        Some(Self {
            values,
            ..self.clone()
        })
    }

    /// Appends the constant's text. Not for numbers that have none.
    fn write(&self, at: &Token, out: &mut Vec<Token>) -> bool {
        if self.base != Base::Float || !self.values.iter().all(|v| v.is_finite()) {
            return false;
        }
        let mut push = |kind, text: &str| out.push(Token::made(kind, text, at));
        if self.columns > 1 {
            push(Kind::Ident, &format!("mat{}x{}", self.columns, self.rows));
        }
        push(Kind::Punct, "(");
        for (i, value) in self.values.iter().enumerate() {
            if i > 0 {
                push(Kind::Punct, ",");
            }
            if value.is_sign_negative() {
                push(Kind::Punct, "-");
            }
            push(Kind::Number, &format!("{:?}", value.abs() as f32));
        }
        push(Kind::Punct, ")");
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(source: &str) -> String {
        let mut tokens = crate::lex::lex(source);
        tokens.retain(|t| t.kind != Kind::Newline);
        fold(&mut tokens, |name| name == "own");
        let texts: Vec<&str> = tokens.iter().map(|t| &*t.text).collect();
        texts.concat()
    }

    #[test]
    fn functions_of_constant_matrices_are_their_values() {
        for (source, value) in [
            ("x = determinant(mat2(1.0, 2.0, 3.0, 4.0));", "x=(-2.0);"),
            ("x = determinant(mat3(2));", "x=(8.0);"),
            (
                "x = transpose(mat2x3(1, 2, 3, 4, 5, 6));",
                "x=mat3x2(1.0,4.0,2.0,5.0,3.0,6.0);",
            ),
            (
                "x = inverse(mat2(vec2(4.0, 2.0), vec2(7.0, 6.0)));",
                "x=mat2x2(0.6,-0.2,-0.7,0.4);",
            ),
            (
                "x = inverse(transpose(mat2(2.0, 0.0, 1.0, 1.0)))[1];",
                "x=mat2x2(0.5,-0.5,-0.0,1.0)[1];",
            ),
        ] {
            assert_eq!(folded(source), value, "{source}");
        }
    }

    #[test]
    fn comparisons_of_constants_are_one_bool() {
        for (source, value) in [
            ("(bvec2(true, false) == bvec2(true, false))", "(true)"),
            ("(ivec3(1, 2, 3) != ivec3(1, 2, -3))", "(true)"),
            ("(uvec2(1u) == uvec2(1u, 1u)) == true", "(true)==true"),
            ("(mat2(1.0) == mat2(1.0, 0.0, 0.0, 1.0))", "(true)"),
            ("(vec2(0.0) == vec2(-0.0))", "(true)"),
        ] {
            assert_eq!(folded(source), value, "{source}");
        }
    }

    #[test]
    fn what_is_not_a_whole_operand_or_not_constant_stays() {
        for source in [
            "(a+vec2(1.0)==vec2(1.0))",
            "(vec2(1.0)==vec2(1.0)*b)",
            "(vec2(1.0)==vec2(1.0).yx)",
            "(vec2(1.0)==ivec2(1))",
            "(vec2(a)==vec2(1.0))",
            "own(vec2(1.0))==x",
            "determinant(m)",
            "inverse(mat2(0.0))",
            "s.transpose(mat2(1.0))",
        ] {
            assert_eq!(folded(source), source);
        }
    }
}
