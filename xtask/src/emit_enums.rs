//! Writes gl-enums: constants of GL, EGL and GLX, the names of GL enums, and bit sets. It types nothing but bits.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::codegen::{File, MARK};
use crate::registry::Constant;
use crate::rows::Tables;

const FOLDER: &str = "gl/enums/src/generated";

/// The registry's groups that become `bitflags` types.
const BIT_SETS: &[&str] = &[
    "ClearBufferMask",
    "MapBufferUsageMask",
    "MemoryBarrierMask",
    "UseProgramStageMask",
];

pub fn files(tables: &Tables, egl: &[Constant], glx: &[Constant]) -> Vec<File> {
    let file = |name: &str, text: String| (format!("{FOLDER}/{name}.rs").into(), text);
    let module = format!(
        "{MARK}\npub mod bitfields;\npub mod egl;\npub mod enum_names;\npub mod enums;\npub mod glx;\n"
    );
    vec![
        file("mod", module),
        file("enums", enums(tables)),
        file("enum_names", enum_names(tables)),
        file("bitfields", bitfields(tables)),
        file("egl", window_system(egl, "EGL", "EGLint")),
        file("glx", window_system(glx, "GLX", "c_int")),
    ]
}

fn enums(tables: &Tables) -> String {
    let mut out = format!(
        "{MARK}//! Every constant of the GL registry.\n\n#![allow(non_upper_case_globals)]\n\nuse crate::types::*;\n"
    );
    let mut group = None;
    for c in &tables.gl.constants {
        heading(&mut out, &mut group, c);
        let ty = match (c.name.as_str(), c.suffix.as_str()) {
            ("GL_TRUE" | "GL_FALSE", _) => "GLboolean",
            (_, "ull") => "GLuint64",
            _ if c.value.starts_with('-') => "GLint",
            _ if c.is_bit => "GLbitfield",
            _ => "GLenum",
        };
        let _ = writeln!(out, "pub const {}: {ty} = {};", c.name, c.value);
    }
    out
}

fn heading<'a>(out: &mut String, group: &mut Option<&'a str>, c: &'a Constant) {
    if *group != Some(c.group.as_str()) {
        *group = Some(&c.group);
        let name = if c.group.is_empty() {
            "enums"
        } else {
            &c.group
        };
        let _ = writeln!(out, "\n// {name}");
    }
}

/// Names by value: one text and a sorted table of places in it, so that the loader has nothing to relocate.
fn enum_names(tables: &Tables) -> String {
    // Where names share a value, the first version that has one of them decides, then the registry's order.
    let mut since: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, feature) in tables
        .gl
        .versions
        .iter()
        .chain(&tables.extensions)
        .enumerate()
    {
        for name in &feature.enums {
            since.entry(name).or_insert(i);
        }
    }
    let mut names: BTreeMap<u32, (usize, usize, &str)> = BTreeMap::new();
    for (order, c) in tables.gl.constants.iter().enumerate() {
        let Some(value) = value(c).and_then(|v| u32::try_from(v).ok()) else {
            continue;
        };
        if c.is_bit || value <= 1 || value == u32::MAX {
            continue;
        }
        let key = (
            since.get(c.name.as_str()).copied().unwrap_or(usize::MAX),
            order,
            c.name.as_str(),
        );
        names
            .entry(value)
            .and_modify(|old| *old = (*old).min(key))
            .or_insert(key);
    }
    let mut text = String::new();
    let mut table = String::new();
    for (value, (_, _, name)) in &names {
        let _ = writeln!(table, "    ({value:#06X}, {}, {}),", text.len(), name.len());
        text.push_str(name);
    }
    let mut out =
        format!("{MARK}//! Names of the GL enums by value: read by `enum_name` alone.\n\n");
    let _ = writeln!(
        out,
        "/// Value, start in [`TEXT`], length; sorted by value."
    );
    let _ = writeln!(
        out,
        "pub static NAMES: [(u32, u32, u8); {}] = [\n{table}];\n",
        names.len()
    );
    out.push_str("pub static TEXT: &str = \"");
    for line in text.as_bytes().chunks(100) {
        let _ = write!(out, "\\\n{}", String::from_utf8_lossy(line));
    }
    out.push_str("\";\n");
    out
}

/// Only core bits, and none of the `ALL` values: those are every bit, also bits that mean nothing.
fn bitfields(tables: &Tables) -> String {
    let core = |name: &str| {
        tables
            .gl
            .versions
            .iter()
            .any(|v| v.enums.iter().any(|e| e == name))
    };
    let mut out = format!(
        "{MARK}//! Bit sets of GL.\n\nuse crate::types::GLbitfield;\n\nbitflags::bitflags! {{\n"
    );
    for (i, set) in BIT_SETS.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        let _ = writeln!(out, "    /// The registry's group `{set}`.");
        let _ = writeln!(
            out,
            "    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]"
        );
        let _ = writeln!(out, "    pub struct {set}: GLbitfield {{");
        for name in &tables.gl.groups[*set] {
            let short = name.strip_prefix("GL_").unwrap_or(name);
            if core(name) && !short.starts_with("ALL_") {
                let _ = writeln!(out, "        const {short} = super::enums::{name};");
            }
        }
        out.push_str("    }\n");
    }
    out.push_str("}\n");
    out
}

/// EGL's and GLX's constants. Values that are neither numbers nor null handles are left out.
fn window_system(constants: &[Constant], api: &str, int: &str) -> String {
    let mut out = format!(
        "{MARK}//! Constants of the {api} registry.\n\n#![allow(non_upper_case_globals)]\n\n"
    );
    match int {
        "EGLint" => out.push_str("use core::ffi::c_void;\n\npub type EGLint = i32;\n"),
        _ => out.push_str("use core::ffi::c_int;\n"),
    }
    let mut group = None;
    for c in constants {
        let line = if let Some(v) = value(c) {
            match i32::try_from(v) {
                Ok(_) => format!("{int} = {}", c.value),
                // EGL_FOREVER is the only value of 64 bits; masks with the top bit set are ints in C.
                Err(_) if c.suffix == "ull" => format!("u64 = {}", c.value),
                Err(_) => format!("{int} = {}_u32 as {int}", c.value),
            }
        } else if let Some((ty, v)) = cast(&c.value) {
            match (ty, v) {
                ("EGLint", v) => format!("{int} = {v}"),
                ("EGLnsecsANDROID", v) => format!("i64 = {v}"),
                ("EGLNativeFileDescriptorKHR", v) => format!("i32 = {v}"),
                (_, "0") => "*mut c_void = core::ptr::null_mut()".to_string(),
                _ => panic!("{}: value {:?} is new to codegen", c.name, c.value),
            }
        } else {
            continue;
        };
        heading(&mut out, &mut group, c);
        let _ = writeln!(out, "pub const {}: {line};", c.name);
    }
    out
}

fn value(c: &Constant) -> Option<u64> {
    match c
        .value
        .strip_prefix("0x")
        .or_else(|| c.value.strip_prefix("0X"))
    {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => c.value.parse().ok(),
    }
}

/// `EGL_CAST(EGLint,-1)`
fn cast(value: &str) -> Option<(&str, &str)> {
    value
        .strip_prefix("EGL_CAST(")?
        .strip_suffix(')')?
        .split_once(',')
}
