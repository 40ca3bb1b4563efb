//! Writes gl-entry's C ABI: the list of entry points, a thunk for each, and their addresses. Every thunk has one of two
//! shapes, implemented or missing; a command that needs a third is a fault of the command.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::codegen::{File, MARK};
use crate::names;
use crate::registry::{Command, Feature};
use crate::rows::{Row, Tables};

const FOLDER: &str = "gl/entry/src/generated";

pub fn files(tables: &Tables) -> Vec<File> {
    let file = |name: &str, text: String| (format!("{FOLDER}/{name}.rs").into(), text);
    let mut modules = vec!["entry_point".to_string(), "procs".to_string()];
    let mut out = Vec::new();
    let mut done = BTreeSet::new();
    let mut fresh = |feature: &Feature| -> Vec<String> {
        feature
            .commands
            .iter()
            .filter(|c| done.insert((*c).clone()))
            .cloned()
            .collect()
    };
    for version in &tables.gl.versions {
        let number = version.name.trim_start_matches("GL_VERSION_");
        let module = format!("thunks_gl_{number}");
        let doc = format!("OpenGL {}", number.replace('_', "."));
        out.push(file(&module, thunks(tables, &[(doc, fresh(version))])));
        modules.push(module);
    }
    let extensions: Vec<_> = tables
        .extensions
        .iter()
        .map(|e| (e.name.clone(), fresh(e)))
        .collect();
    out.push(file("thunks_extensions", thunks(tables, &extensions)));
    modules.push("thunks_extensions".into());

    out.push(file("entry_point", entry_point(tables)));
    out.push(file("procs", procs(tables, &modules)));
    let mut module = MARK.to_string();
    module.push_str("//! The C ABI of GL: names, thunks, addresses.\n\n");
    for m in &modules {
        let _ = writeln!(module, "pub mod {m};");
    }
    out.push(file("mod", module));
    out
}

/// A command's name in `EntryPoint`.
pub fn variant(name: &str) -> &str {
    name.strip_prefix("gl").unwrap_or(name)
}

fn thunks(tables: &Tables, sections: &[(String, Vec<String>)]) -> String {
    let mut body = String::new();
    let mut implemented = false;
    for (section, commands) in sections {
        if !commands.is_empty() {
            let _ = writeln!(body, "\n// Since {section}.");
        }
        for name in commands {
            implemented |= tables.row(name).is_some();
            body.push('\n');
            body.push_str(&thunk(name, tables.canonical(name), tables.row(name)));
        }
    }
    let mut out = format!("{MARK}//! C entry points. They hold no logic.\n\n");
    out.push_str("#![allow(non_snake_case, unused_imports, unused_variables, clippy::missing_safety_doc)]\n\n");
    out.push_str("use core::ffi::c_void;\n\nuse gl_enums::*;\n\nuse crate::EntryPoint;\n");
    out.push_str(if implemented {
        "use crate::{commands, thunk, validate};\n"
    } else {
        "use crate::thunk;\n"
    });
    out + &body
}

/// One thunk. An alias has its own entry point and the parameters and functions of its target.
fn thunk(name: &str, target: &Command, row: Option<&Row>) -> String {
    let params: Vec<(String, &str)> = target
        .params
        .iter()
        .map(|p| (names::param(&p.name), p.ty.rust.as_str()))
        .collect();
    let declared = params
        .iter()
        .map(|(n, t)| format!("{n}: {t}"))
        .collect::<Vec<_>>()
        .join(", ");
    let passed: String = params.iter().map(|(n, _)| format!(", {n}")).collect();
    let ret = if target.ret.is_void() {
        String::new()
    } else {
        format!(" -> {}", target.ret.rust)
    };
    let variant = variant(name);

    let mut out =
        format!("#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn {name}({declared}){ret} {{\n");
    match row {
        None => {
            let _ = writeln!(out, "    thunk::missing(EntryPoint::{variant})");
        }
        Some(row) => {
            let (chapter, stem) = (&row.chapter, names::snake(&target.name));
            let run = match &row.on_error {
                None => format!("thunk::run(EntryPoint::{variant}, |cx| "),
                Some(value) => format!("thunk::run_or(EntryPoint::{variant}, {value}, |cx| "),
            };
            if row.validate {
                let _ = writeln!(out, "    {run}{{");
                let _ = writeln!(
                    out,
                    "        let args = validate::{chapter}::{stem}(cx{passed})?;"
                );
                let _ = writeln!(out, "        commands::{chapter}::{stem}(cx, args)");
                out.push_str("    })\n");
            } else {
                let _ = writeln!(out, "    {run}commands::{chapter}::{stem}(cx{passed}))");
            }
        }
    }
    out.push_str("}\n");
    out
}

fn exported(tables: &Tables) -> BTreeSet<&str> {
    tables
        .gl
        .versions
        .iter()
        .chain(&tables.extensions)
        .flat_map(|f| f.commands.iter().map(String::as_str))
        .collect()
}

fn entry_point(tables: &Tables) -> String {
    let names = exported(tables);
    let mut out = format!(
        "{MARK}//! The list of GL commands, sorted by name. Numbers change with the list: never store them.\n\n"
    );
    out.push_str(
        "/// A GL command as the application called it; an alias is an entry point of its own.\n",
    );
    out.push_str("#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]\n#[repr(u16)]\n#[allow(non_camel_case_types)]\n");
    out.push_str("pub enum EntryPoint {\n");
    for name in &names {
        let _ = writeln!(out, "    {},", variant(name));
    }
    out.push_str("}\n\nimpl EntryPoint {\n");
    let _ = writeln!(out, "    pub const COUNT: usize = {};\n}}\n", names.len());
    let _ = writeln!(
        out,
        "/// Names by number, sorted.\npub static NAMES: [&str; EntryPoint::COUNT] = ["
    );
    for name in &names {
        let _ = writeln!(out, "    \"{name}\",");
    }
    out.push_str(
        "];\n\n/// Entry points by number.\npub static ALL: [EntryPoint; EntryPoint::COUNT] = [\n",
    );
    for name in &names {
        let _ = writeln!(out, "    EntryPoint::{},", variant(name));
    }
    out.push_str("];\n\n");
    out.push_str("/// Commands with a body, and the version of OpenGL that they came with: 33 is 3.3, 0 an extension.\n");
    out.push_str("pub static IMPLEMENTED: &[(EntryPoint, u8)] = &[\n");
    for name in names.iter().filter(|name| tables.row(name).is_some()) {
        let _ = writeln!(
            out,
            "    (EntryPoint::{}, {}),",
            variant(name),
            since(tables, name)
        );
    }
    out.push_str("];\n");
    out
}

/// The first version that has a command, as its two digits; 0: none has it.
fn since(tables: &Tables, name: &str) -> String {
    let mut versions = tables.gl.versions.iter();
    let first = versions.find(|version| version.commands.iter().any(|command| command == name));
    first.map_or_else(
        || "0".to_owned(),
        |version| {
            version
                .name
                .trim_start_matches("GL_VERSION_")
                .replace('_', "")
        },
    )
}

fn procs(tables: &Tables, modules: &[String]) -> String {
    let names = exported(tables);
    let mut out = format!("{MARK}//! Addresses of the thunks, by number of the entry point.\n\n");
    for m in modules.iter().filter(|m| m.starts_with("thunks_")) {
        let _ = writeln!(out, "use super::{m}::*;");
    }
    out.push_str("use crate::procs::Proc;\nuse crate::EntryPoint;\n\n");
    out.push_str("pub static PROCS: [Proc; EntryPoint::COUNT] = [\n");
    for name in &names {
        let _ = writeln!(out, "    Proc({name} as *const ()),");
    }
    out.push_str("];\n");
    out
}

#[cfg(test)]
mod tests {
    use super::thunk;
    use crate::ctype::CType;
    use crate::registry::{Command, Param};
    use crate::rows::Row;

    fn is_buffer() -> Command {
        Command {
            name: "glIsBuffer".into(),
            ret: CType::parse("GLboolean"),
            params: vec![Param {
                name: "ref".into(),
                ty: CType::parse("GLuint"),
            }],
            alias: None,
        }
    }

    #[test]
    fn missing_command_has_the_missing_shape() {
        assert_eq!(
            thunk("glIsBuffer", &is_buffer(), None),
            "#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn glIsBuffer(ref_: GLuint) -> GLboolean {\n    \
             thunk::missing(EntryPoint::IsBuffer)\n}\n"
        );
    }

    #[test]
    fn implemented_alias_calls_its_target_under_its_own_entry_point() {
        let row = Row {
            chapter: "buffer".into(),
            validate: true,
            on_error: None,
        };
        let text = thunk("glIsBufferARB", &is_buffer(), Some(&row));
        assert!(
            text.contains("fn glIsBufferARB(ref_: GLuint) -> GLboolean"),
            "{text}"
        );
        assert!(
            text.contains("thunk::run(EntryPoint::IsBufferARB, |cx| {"),
            "{text}"
        );
        assert!(
            text.contains("let args = validate::buffer::is_buffer(cx, ref_)?;"),
            "{text}"
        );
        assert!(
            text.contains("commands::buffer::is_buffer(cx, args)"),
            "{text}"
        );
    }

    #[test]
    fn command_without_validation_gets_its_arguments_and_error_value() {
        let row = Row {
            chapter: "sync".into(),
            validate: false,
            on_error: Some("GL_WAIT_FAILED".into()),
        };
        let text = thunk("glIsBuffer", &is_buffer(), Some(&row));
        assert!(
            text.contains("thunk::run_or(EntryPoint::IsBuffer, GL_WAIT_FAILED, |cx| commands::sync::is_buffer(cx, ref_))"),
            "{text}"
        );
    }
}
