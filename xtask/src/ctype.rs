//! C types of the registry as Rust types. An unknown type stops code generation: a wrong ABI must not be guessed.

/// How a value is passed: commands that are aliases must agree in this for each parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Void,
    Int { bytes: u8 },
    Float { bytes: u8 },
    Word,
}

/// A parsed C type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CType {
    /// As written in Rust over `gl_enums::types`: `*const GLuint`.
    pub rust: String,
    pub class: Class,
}

impl CType {
    /// Parses a C type without its variable: `const GLchar *const*`.
    ///
    /// # Panics
    /// On a type that this file does not list.
    pub fn parse(c: &str) -> CType {
        let spaced = c.replace('*', " * ");
        let mut base: Option<(&str, Class)> = None;
        let mut is_const = false;
        let mut rust = String::new();
        let mut pointers = 0;
        for token in spaced.split_whitespace() {
            match token {
                "const" => is_const = true,
                "*" => {
                    let (name, _) = base.unwrap_or_else(|| panic!("C type without a base: {c:?}"));
                    let pointee = if pointers == 0 {
                        name.to_string()
                    } else {
                        rust
                    };
                    rust = format!("{} {pointee}", if is_const { "*const" } else { "*mut" });
                    is_const = false;
                    pointers += 1;
                }
                name => {
                    assert!(base.is_none(), "C type with two bases: {c:?}");
                    base = Some(
                        base_type(name)
                            .unwrap_or_else(|| panic!("unknown C type {name:?} in {c:?}")),
                    );
                }
            }
        }
        let (name, class) = base.unwrap_or_else(|| panic!("C type without a base: {c:?}"));
        if pointers > 0 {
            CType {
                rust,
                class: Class::Word,
            }
        } else {
            let rust = if class == Class::Void {
                "()".to_string()
            } else {
                name.to_string()
            };
            CType { rust, class }
        }
    }

    pub fn is_void(&self) -> bool {
        self.class == Class::Void
    }
}

/// The Rust name and class of a C base type. Spellings that name the same type end as the core one.
fn base_type(c: &str) -> Option<(&'static str, Class)> {
    const I1: Class = Class::Int { bytes: 1 };
    const I2: Class = Class::Int { bytes: 2 };
    const I4: Class = Class::Int { bytes: 4 };
    const I8: Class = Class::Int { bytes: 8 };
    Some(match c {
        "void" | "GLvoid" => ("c_void", Class::Void),
        "GLenum" => ("GLenum", I4),
        "GLboolean" => ("GLboolean", I1),
        "GLbitfield" => ("GLbitfield", I4),
        "GLbyte" => ("GLbyte", I1),
        "GLubyte" => ("GLubyte", I1),
        "GLchar" | "GLcharARB" => ("GLchar", I1),
        "GLshort" => ("GLshort", I2),
        "GLushort" => ("GLushort", I2),
        "GLhalfNV" => ("GLhalf", I2),
        "GLint" => ("GLint", I4),
        "GLuint" | "GLhandleARB" => ("GLuint", I4),
        "GLsizei" => ("GLsizei", I4),
        "GLfixed" => ("GLfixed", I4),
        "GLint64" | "GLint64EXT" => ("GLint64", I8),
        "GLuint64" | "GLuint64EXT" => ("GLuint64", I8),
        "GLfloat" | "GLclampf" => ("GLfloat", Class::Float { bytes: 4 }),
        "GLdouble" | "GLclampd" => ("GLdouble", Class::Float { bytes: 8 }),
        "GLintptr" | "GLintptrARB" => ("GLintptr", Class::Word),
        "GLsizeiptr" | "GLsizeiptrARB" => ("GLsizeiptr", Class::Word),
        "GLsync" => ("GLsync", Class::Word),
        "GLDEBUGPROC" | "GLDEBUGPROCARB" | "GLDEBUGPROCKHR" => ("GLDEBUGPROC", Class::Word),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{CType, Class};

    #[test]
    fn pointer_types_keep_const_at_each_level() {
        for (c, rust) in [
            ("const GLchar *const*", "*const *const GLchar"),
            ("const GLcharARB **", "*mut *const GLchar"),
            ("const void *", "*const c_void"),
            ("void **", "*mut *mut c_void"),
            ("GLenum", "GLenum"),
            ("void", "()"),
        ] {
            assert_eq!(CType::parse(c).rust, rust, "{c}");
        }
        assert_eq!(CType::parse("GLclampf").class, Class::Float { bytes: 4 });
    }

    #[test]
    #[should_panic(expected = "unknown C type \"GLmystery\"")]
    fn unknown_type_panics() {
        CType::parse("const GLmystery *");
    }
}
