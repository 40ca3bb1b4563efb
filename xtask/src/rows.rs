//! Reads `gl/registry/*.toml`: what the Khronos registry does not say. Every row is checked against the registry.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use crate::ctype::CType;
use crate::registry::{Command, Constant, Feature, Gl, Param, gl};

/// A row of entry_points.toml: one implemented command.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The module in `validate/` and `commands/`.
    pub chapter: String,
    /// Whether `validate::<chapter>` has a function for it.
    #[serde(default = "yes")]
    pub validate: bool,
    /// What the command returns when it fails, where that is not zero.
    pub on_error: Option<String>,
}

fn yes() -> bool {
    true
}

/// extra.toml.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Extra {
    extensions: Vec<String>,
    aliases: BTreeMap<String, String>,
    enums: BTreeMap<String, u64>,
    commands: BTreeMap<String, ExtraCommand>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExtraCommand {
    proto: String,
    extension: String,
}

/// Everything codegen works from.
#[derive(Debug)]
pub struct Tables {
    pub gl: Gl,
    /// The extensions whose commands are exported, in the order of extra.toml.
    pub extensions: Vec<Feature>,
    /// Implemented commands by full name.
    pub rows: BTreeMap<String, Row>,
}

impl Tables {
    /// Follows aliases to the command that is implemented in this one's place.
    pub fn canonical<'a>(&'a self, name: &'a str) -> &'a Command {
        let mut command = &self.gl.commands[name];
        // The registry has no cycles; the bound only turns a bad row in extra.toml into a message.
        for _ in 0..8 {
            match command
                .alias
                .as_deref()
                .and_then(|a| self.gl.commands.get(a))
            {
                Some(next) => command = next,
                None => return command,
            }
        }
        panic!("{name}: chain of aliases without an end");
    }

    pub fn row(&self, name: &str) -> Option<&Row> {
        self.rows.get(&self.canonical(name).name)
    }
}

pub fn load(root: &Path) -> Result<Tables> {
    let dir = root.join("gl/registry");
    let extra: Extra = read(&dir.join("extra.toml"))?;
    let short: BTreeMap<String, Row> = read(&dir.join("entry_points.toml"))?;

    let mut gl = gl(|f| extra.extensions.contains(&f.name))?;
    for (name, value) in &extra.enums {
        ensure!(
            !gl.constants.iter().any(|c| c.name == *name),
            "extra.toml: the registry has {name}"
        );
        gl.constants.push(Constant {
            name: name.clone(),
            value: format!("{value:#06X}"),
            suffix: String::new(),
            group: "extra.toml".into(),
            is_bit: false,
        });
    }
    for (name, extra) in &extra.commands {
        ensure!(
            !gl.commands.contains_key(name),
            "extra.toml: the registry has {name}"
        );
        gl.commands
            .insert(name.clone(), prototype(name, &extra.proto)?);
        gl.extensions
            .entry(extra.extension.clone())
            .or_insert_with(|| Feature {
                name: extra.extension.clone(),
                commands: vec![],
                enums: vec![],
            })
            .commands
            .push(name.clone());
    }
    for (name, target) in &extra.aliases {
        ensure!(
            gl.commands.contains_key(target),
            "extra.toml: alias of an unknown command {target}"
        );
        let Some(command) = gl.commands.get_mut(name) else {
            bail!("extra.toml: unknown alias {name}")
        };
        ensure!(
            command.alias.is_none(),
            "extra.toml: the registry knows that {name} is an alias"
        );
        command.alias = Some(target.clone());
    }
    let extensions = extra
        .extensions
        .iter()
        .map(|e| {
            gl.extensions
                .get(e)
                .cloned()
                .with_context(|| format!("extra.toml: unknown extension {e}"))
        })
        .collect::<Result<Vec<_>>>()?;

    let rows = short
        .into_iter()
        .map(|(name, row)| (format!("gl{name}"), row))
        .collect();
    let tables = Tables {
        gl,
        extensions,
        rows,
    };
    for name in tables.rows.keys() {
        ensure!(
            tables.gl.commands.contains_key(name),
            "entry_points.toml: {name} is no command that we export"
        );
        let canonical = &tables.canonical(name).name;
        ensure!(
            canonical == name,
            "entry_points.toml: {name} is another name of {canonical}; write the row for that"
        );
    }
    check_aliases(&tables)?;
    Ok(tables)
}

/// An alias's thunk has the parameters of its target: each must be passed in the same way.
fn check_aliases(tables: &Tables) -> Result<()> {
    for (name, command) in &tables.gl.commands {
        let target = tables.canonical(name);
        let classes = |c: &Command| -> Vec<_> {
            std::iter::once(c.ret.class)
                .chain(c.params.iter().map(|p| p.ty.class))
                .collect()
        };
        ensure!(
            classes(command) == classes(target),
            "{name} and {} pass their parameters differently",
            target.name
        );
    }
    Ok(())
}

/// `void glFoo(GLenum target, const GLuint *ids)`
fn prototype(name: &str, c: &str) -> Result<Command> {
    let malformed = || format!("extra.toml: malformed prototype of {name}: {c:?}");
    let (head, params) = c
        .trim()
        .strip_suffix(')')
        .and_then(|c| c.split_once('('))
        .with_context(malformed)?;
    let declaration = |c: &str| -> Result<(String, CType)> {
        let start = c
            .trim_end()
            .rfind(|ch: char| !ch.is_alphanumeric() && ch != '_')
            .with_context(malformed)?
            + 1;
        Ok((c[start..].trim().to_string(), CType::parse(&c[..start])))
    };
    let (found, ret) = declaration(head)?;
    ensure!(found == name, malformed());
    let params = params
        .split(',')
        .filter(|p| !matches!(p.trim(), "" | "void"))
        .map(|p| declaration(p).map(|(name, ty)| Param { name, ty }))
        .collect::<Result<_>>()?;
    Ok(Command {
        name: name.to_string(),
        ret,
        params,
        alias: None,
    })
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::prototype;

    #[test]
    fn prototype_in_c_is_parsed() {
        let c = prototype("glFoo", "void glFoo(GLenum target, const GLuint *ids)")
            .expect("well formed");
        assert!(c.ret.is_void());
        assert_eq!(c.params[1].name, "ids");
        assert_eq!(c.params[1].ty.rust, "*const GLuint");
        assert!(prototype("glFoo", "void glBar(void)").is_err());
    }
}
