//! `cargo xtask where glTexSubImage2D`: follows a command through the sources by its stem. It reads, never guesses:
//! what is not found is said to be missing.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::{names, rows};

pub fn print(root: &Path, command: &str) -> Result<()> {
    let tables = rows::load(root)?;
    let name = if command.starts_with("gl") {
        command.to_string()
    } else {
        format!("gl{command}")
    };
    if !tables.gl.commands.contains_key(&name) {
        bail!(
            "{name} is no command that MobileGL exports (gl/registry/extra.toml lists the extensions)"
        );
    }
    let target = tables.canonical(&name).name.clone();
    if target != name {
        println!("alias     {name} is another name of {target}");
    }
    let short = target.strip_prefix("gl").unwrap_or(&target);
    let stem = names::snake(&target);

    let thunk = find(root, "gl/entry/src/generated", &format!("fn {name}("))?;
    let Some(row) = tables.row(&name) else {
        println!("row       missing: gl/registry/entry_points.toml has no {short}");
        println!(
            "thunk     {}",
            thunk.unwrap_or_else(|| "missing: run `cargo xtask codegen`".into())
        );
        println!("would be  validate::<chapter>::{stem}, commands::<chapter>::{stem}");
        return Ok(());
    };
    let at = find(root, "gl/registry/entry_points.toml", &format!("{short} ="))?;
    println!(
        "row       {}",
        at.unwrap_or_else(|| "gl/registry/entry_points.toml".into())
    );
    println!(
        "thunk     {}",
        thunk.unwrap_or_else(|| "missing: run `cargo xtask codegen`".into())
    );
    let layers: &[&str] = if row.validate {
        &["validate", "commands"]
    } else {
        &["commands"]
    };
    for layer in layers {
        let module = format!("gl/entry/src/{layer}/{}", row.chapter);
        let mut found = None;
        for needle in [format!("fn {stem}("), format!("fn {stem}<")] {
            for place in [format!("{module}.rs"), module.clone()] {
                found = found.or(find(root, &place, &needle)?);
            }
        }
        println!(
            "{layer:<9} {}",
            found.unwrap_or_else(|| format!("missing: no `fn {stem}` in {module}.rs or {module}/"))
        );
    }
    if !row.validate {
        println!("validate  none: the row says `validate = false`");
    }
    Ok(())
}

/// The first line below `place` (a file or a folder; it need not be there) with `needle` at the start of a word.
fn find(root: &Path, place: &str, needle: &str) -> Result<Option<String>> {
    let full = root.join(place);
    if full.is_dir() {
        let mut entries: Vec<_> = std::fs::read_dir(&full)?.collect::<std::io::Result<_>>()?;
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let below = format!("{place}/{}", entry.file_name().to_string_lossy());
            if let Some(found) = find(root, &below, needle)? {
                return Ok(Some(found));
            }
        }
        return Ok(None);
    }
    if !full.is_file() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(&full).with_context(|| place.to_string())?;
    let starts_word = |line: &str| {
        line.find(needle)
            .is_some_and(|i| !line[..i].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    Ok(text
        .lines()
        .position(starts_word)
        .map(|i| format!("{place}:{}", i + 1)))
}
