//! Reads the Khronos registry (crate `khronos_api`) into plain tables. It adds no knowledge: that lies in `gl/registry`.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use roxmltree::{Document, Node};

use crate::ctype::CType;

/// One command of gl.xml.
#[derive(Clone, Debug)]
pub struct Command {
    /// With its prefix: `glBufferData`.
    pub name: String,
    pub ret: CType,
    pub params: Vec<Param>,
    /// The command that this one is another name of.
    pub alias: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Param {
    /// As in C: `type`.
    pub name: String,
    pub ty: CType,
}

/// One constant, value as written.
#[derive(Clone, Debug)]
pub struct Constant {
    pub name: String,
    pub value: String,
    /// The registry's C suffix: `u` or `ull`.
    pub suffix: String,
    /// The heading it stands under, if the registry names one.
    pub group: String,
    pub is_bit: bool,
}

/// A GL version or an extension with the commands and constants it brings.
#[derive(Clone, Debug)]
pub struct Feature {
    pub name: String,
    pub commands: Vec<String>,
    pub enums: Vec<String>,
}

#[derive(Debug)]
pub struct Gl {
    /// The commands whose types we know; others are parsed only when asked for.
    pub commands: BTreeMap<String, Command>,
    pub constants: Vec<Constant>,
    /// OpenGL 1.0 to 4.6 in order, core and compatibility together.
    pub versions: Vec<Feature>,
    pub extensions: BTreeMap<String, Feature>,
    /// Group name to its constants.
    pub groups: BTreeMap<String, Vec<String>>,
}

/// Reads gl.xml. Only commands for which `wanted` holds are parsed (others may use types that we do not know).
pub fn gl(wanted: impl Fn(&Feature) -> bool) -> Result<Gl> {
    let text = std::str::from_utf8(khronos_api::GL_XML).context("gl.xml is not UTF-8")?;
    let doc = Document::parse(text).context("gl.xml")?;
    let registry = doc.root_element();

    let versions: Vec<Feature> = children(registry, "feature")
        .filter(|f| f.attribute("api") == Some("gl"))
        .map(feature)
        .collect();
    let extensions: BTreeMap<String, Feature> = children(registry, "extensions")
        .flat_map(|e| children(e, "extension"))
        .filter(|e| supports_gl(e))
        .map(|e| (attr(e, "name"), feature(e)))
        .collect();

    let names: BTreeSet<&str> = versions
        .iter()
        .chain(extensions.values().filter(|e| wanted(e)))
        .flat_map(|f| f.commands.iter().map(String::as_str))
        .collect();
    let mut commands = BTreeMap::new();
    for node in children(registry, "commands").flat_map(|c| children(c, "command")) {
        let proto = child(node, "proto");
        if names.contains(text_of(child(proto, "name")).as_str()) {
            let command = command(node);
            commands.insert(command.name.clone(), command);
        }
    }

    let groups = children(registry, "groups")
        .flat_map(|g| children(g, "group"))
        .map(|g| {
            (
                attr(g, "name"),
                children(g, "enum").map(|e| attr(e, "name")).collect(),
            )
        })
        .collect();

    Ok(Gl {
        commands,
        constants: constants(registry),
        versions,
        extensions,
        groups,
    })
}

/// The constants of egl.xml, and the commands of EGL 1.0 to 1.5 by version.
pub fn egl() -> Result<(Vec<Constant>, Vec<Feature>)> {
    other(khronos_api::EGL_XML, "egl").context("egl.xml")
}

/// The constants of glx.xml, and the commands of GLX 1.0 to 1.4 by version.
pub fn glx() -> Result<(Vec<Constant>, Vec<Feature>)> {
    other(khronos_api::GLX_XML, "glx").context("glx.xml")
}

fn other(xml: &[u8], api: &str) -> Result<(Vec<Constant>, Vec<Feature>)> {
    let doc = Document::parse(std::str::from_utf8(xml)?)?;
    let registry = doc.root_element();
    let versions = children(registry, "feature")
        .filter(|f| f.attribute("api") == Some(api))
        .map(feature)
        .collect();
    Ok((constants(registry), versions))
}

fn supports_gl(extension: &Node<'_, '_>) -> bool {
    attr(*extension, "supported")
        .split('|')
        .any(|api| api == "gl" || api == "glcore")
}

fn feature(node: Node<'_, '_>) -> Feature {
    // A <remove> takes a command out of the core profile alone; the compatibility profile keeps it, and so do we.
    let names = |what: &str| {
        children(node, "require")
            .filter(|r| {
                r.attribute("api")
                    .is_none_or(|api| api.starts_with("gl") && !api.starts_with("gles"))
            })
            .flat_map(|r| children(r, what))
            .map(|n| attr(n, "name"))
            .collect()
    };
    Feature {
        name: attr(node, "name"),
        commands: names("command"),
        enums: names("enum"),
    }
}

fn command(node: Node<'_, '_>) -> Command {
    let (name, ret) = declaration(child(node, "proto"));
    let params = children(node, "param")
        .map(|p| {
            let (name, ty) = declaration(p);
            Param { name, ty }
        })
        .collect();
    let alias = children(node, "alias").next().map(|a| attr(a, "name"));
    Command {
        name,
        ret,
        params,
        alias,
    }
}

/// `<param>const <ptype>GLuint</ptype> *<name>ids</name></param>` as name and type.
fn declaration(node: Node<'_, '_>) -> (String, CType) {
    let name = text_of(child(node, "name"));
    let all = text_of(node);
    let c = all
        .trim()
        .strip_suffix(name.as_str())
        .unwrap_or_else(|| panic!("declaration does not end in its name: {all:?}"));
    (name, CType::parse(c))
}

fn constants(registry: Node<'_, '_>) -> Vec<Constant> {
    let mut out: Vec<Constant> = Vec::new();
    let mut seen = BTreeSet::new();
    for enums in children(registry, "enums") {
        let is_bit = enums.attribute("type") == Some("bitmask");
        let group = enums
            .attribute("group")
            .unwrap_or(if is_bit { "bits" } else { "" });
        for e in children(enums, "enum") {
            let foreign = e
                .attribute("api")
                .is_some_and(|api| api != "gl" && api != "glcore");
            let name = attr(e, "name");
            if foreign || !seen.insert(name.clone()) {
                continue;
            }
            out.push(Constant {
                name,
                value: attr(e, "value"),
                suffix: e.attribute("type").unwrap_or("").to_string(),
                group: group.to_string(),
                is_bit,
            });
        }
    }
    out
}

fn children<'a, 'i>(
    node: Node<'a, 'i>,
    tag: &str,
) -> impl Iterator<Item = Node<'a, 'i>> + use<'a, 'i> {
    let tag = tag.to_string();
    node.children()
        .filter(move |n| n.has_tag_name(tag.as_str()))
}

fn child<'a, 'i>(node: Node<'a, 'i>, tag: &str) -> Node<'a, 'i> {
    children(node, tag)
        .next()
        .unwrap_or_else(|| panic!("<{}> without <{tag}>", node.tag_name().name()))
}

fn attr(node: Node<'_, '_>, name: &str) -> String {
    node.attribute(name)
        .unwrap_or_else(|| panic!("<{}> without {name}=", node.tag_name().name()))
        .to_string()
}

fn text_of(node: Node<'_, '_>) -> String {
    node.descendants()
        .filter(Node::is_text)
        .filter_map(|n| n.text())
        .collect()
}
