//! Layers the sources over each other (defaults < file < environment < flags) and makes the snapshot. It must not print:
//! errors and warnings go to the caller.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use figment::value::{Dict, Map, Tag, Value};
use figment::{Figment, Metadata, Profile, Provider};

use crate::mask::is_near;
use crate::{Build, Class, Config, ConfigError, ConfigErrors, Needs, OPTIONS, OptionRow, row};

/// Variables with our prefix that are no options: read before them, or by the test bed alone.
const NOT_OPTIONS: &[&str] = &[
    "MOBILEGL_CONFIG",
    "MOBILEGL_DROPIN",
    "MOBILEGL_STAGE",
    "MOBILEGL_PYTHON",
];
const PREFIX: &str = "MOBILEGL_";

/// Where values come from; the later ones win.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// A TOML file. `required` when a person named it, so that its absence is an error.
    pub file: Option<PathBuf>,
    pub file_is_required: bool,
    /// Environment variables; those without our prefix are ignored.
    pub variables: Vec<(String, String)>,
    /// Key or variable, and value, as the command line or a test gave them.
    pub flags: Vec<(String, String)>,
}

/// A snapshot, and what a person should be told once.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    pub config: Config,
    pub warnings: Vec<String>,
}

impl Sources {
    /// The file named by `MOBILEGL_CONFIG`, or `mobilegl/mobilegl.toml` in the user's configuration folder; and the environment.
    pub fn from_process() -> Sources {
        let variables: Vec<(String, String)> = std::env::vars_os()
            .filter_map(|(name, value)| {
                Some((
                    name.into_string().ok()?,
                    value.to_string_lossy().into_owned(),
                ))
            })
            .filter(|(name, _)| name.starts_with(PREFIX))
            .collect();
        let named = variables
            .iter()
            .find(|(name, _)| name == "MOBILEGL_CONFIG")
            .map(|(_, path)| PathBuf::from(path));
        let folder = || {
            let folder = |name: &str| {
                std::env::var_os(name)
                    .filter(|value| !value.is_empty())
                    .map(PathBuf::from)
            };
            folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")))
        };
        Sources {
            file_is_required: named.is_some(),
            file: named.or_else(|| Some(folder()?.join("mobilegl/mobilegl.toml"))),
            variables,
            flags: Vec::new(),
        }
    }

    /// The snapshot for this build, or everything that makes a start impossible.
    pub fn load(&self, build: &Build) -> Result<Loaded, ConfigErrors> {
        let mut errors = Vec::new();
        let mut warnings = Vec::new();
        let mut figment = Figment::new();
        match self.read_file() {
            Ok(Some(layer)) => figment = figment.merge(layer),
            Ok(None) => {}
            Err(error) => errors.push(error),
        }
        figment = figment
            .merge(Layer::of_variables(&self.variables))
            .merge(Layer::of_flags(&self.flags));

        let mut config = Config::defaults(build);
        let values = figment
            .data()
            .unwrap_or_default()
            .remove(&Profile::Default)
            .unwrap_or_default();
        for (key, value) in &values {
            let origin = origin(&figment, value.tag(), key);
            match row(key) {
                None => match unknown(key, origin) {
                    Ok(warning) => warnings.push(warning),
                    Err(error) => errors.push(error),
                },
                Some(row) => match apply(&mut config, row, value, origin, build) {
                    Ok(()) => {}
                    Err(error @ ConfigError::BadValue { .. }) if row.class == Class::Tuning => {
                        warnings.push(format!("{error}; `{}` is used instead", row.default));
                    }
                    Err(error) => errors.push(error),
                },
            }
        }
        if errors.is_empty() {
            Ok(Loaded { config, warnings })
        } else {
            Err(ConfigErrors(errors))
        }
    }

    fn read_file(&self) -> Result<Option<Layer>, ConfigError> {
        let Some(path) = &self.file else {
            return Ok(None);
        };
        let failed = |why: String| ConfigError::File {
            path: path.display().to_string(),
            why,
        };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error)
                if error.kind() == std::io::ErrorKind::NotFound && !self.file_is_required =>
            {
                return Ok(None);
            }
            Err(error) => return Err(failed(error.to_string())),
        };
        let table: toml::Table =
            toml::from_str(&text).map_err(|error| failed(error.to_string().trim().to_owned()))?;
        Layer::of_file(path, table).map(Some).map_err(failed)
    }
}

impl Config {
    /// Changes one option of a running library; `name` is a key or a variable. The caller has checked that its scope allows it.
    pub fn change(&mut self, name: &str, text: &str, build: &Build) -> Result<(), ConfigError> {
        let origin = "a call".to_owned();
        let Some(row) = row(name) else {
            return Err(ConfigError::UnknownOption {
                name: name.to_owned(),
                origin,
                hint: hint(name),
            });
        };
        apply(self, row, &Value::from(text), origin, build)
    }
}

fn apply(
    config: &mut Config,
    row: &'static OptionRow,
    value: &Value,
    origin: String,
    build: &Build,
) -> Result<(), ConfigError> {
    let bad = |text: String, origin, why| ConfigError::BadValue {
        option: row.variable,
        value: text,
        origin,
        why,
        allowed: row.allowed.clone(),
    };
    let Some(text) = text_of(row, value) else {
        return Err(bad(
            "a table".to_owned(),
            origin,
            "one value is expected".to_owned(),
        ));
    };
    let default = config.text(row.key);
    let mut changed = config.clone();
    if let Err(why) = changed.set(row.key, &text, build) {
        return Err(bad(text, origin, why));
    }
    let lacks = match row.needs {
        Needs::Nothing => None,
        Needs::Verify => {
            (!build.verify).then(|| "the library's feature `verify` is off".to_owned())
        }
        Needs::Faults => {
            (!build.faults).then(|| "the library's feature `faults` is off".to_owned())
        }
        Needs::Pull => (!build.pull).then(|| "the library's feature `pull` is off".to_owned()),
        Needs::Phase(phase) => Some(format!("it comes with {phase}")),
    };
    if let Some(what) = lacks
        && changed.text(row.key) != default
    {
        return Err(ConfigError::NotInThisBuild {
            option: row.variable,
            value: text,
            origin,
            what,
            default: row.default,
        });
    }
    *config = changed;
    Ok(())
}

/// The text of a value as the environment would give it. A whole number in a TOML file is unambiguous for a bitmap.
fn text_of(row: &OptionRow, value: &Value) -> Option<String> {
    Some(match value {
        Value::String(_, text) => text.trim().to_owned(),
        Value::Bool(_, flag) => u8::from(*flag).to_string(),
        Value::Num(_, number) => {
            let signed = number.to_i128();
            let whole = number.to_u128().or_else(|| u128::try_from(signed?).ok());
            match whole {
                Some(whole) if row.key == "pipe_push" => format!("{whole:#x}"),
                Some(whole) => whole.to_string(),
                None => signed.map_or_else(
                    || number.to_f64().map(|n| n.to_string()),
                    |n| Some(n.to_string()),
                )?,
            }
        }
        Value::Array(_, items) => items
            .iter()
            .map(|item| text_of(row, item))
            .collect::<Option<Vec<_>>>()?
            .join(","),
        Value::Char(..) | Value::Empty(..) | Value::Dict(..) => return None,
    })
}

fn origin(figment: &Figment, tag: Tag, key: &str) -> String {
    match figment.get_metadata(tag) {
        Some(metadata) if metadata.name == VARIABLE => {
            format!("{VARIABLE} {PREFIX}{}", key.to_uppercase())
        }
        Some(metadata) => metadata.name.to_string(),
        None => "an unknown place".to_owned(),
    }
}

/// A misspelt `MOBILEGL_PIPE_*` must not pass as a run with that option; any other unknown name is only told.
fn unknown(key: &str, origin: String) -> Result<String, ConfigError> {
    let name = format!("{PREFIX}{}", key.to_uppercase());
    let error = ConfigError::UnknownOption {
        hint: hint(&name),
        origin,
        name,
    };
    if key.starts_with("pipe_") || key.starts_with("transport") {
        Err(error)
    } else {
        Ok(error.to_string())
    }
}

fn hint(name: &str) -> String {
    OPTIONS
        .iter()
        .find(|row| is_near(row.variable, name) || is_near(row.key, name))
        .map_or_else(String::new, |row| {
            format!(" (did you mean {}?)", row.variable)
        })
}

const VARIABLE: &str = "environment variable";

/// One source, as figment wants it.
struct Layer {
    name: String,
    values: BTreeMap<String, Value>,
}

impl Layer {
    fn of_variables(variables: &[(String, String)]) -> Layer {
        let ours = variables
            .iter()
            .filter(|(name, _)| !NOT_OPTIONS.contains(&name.as_str()));
        let values = ours.filter_map(|(name, value)| {
            Some((
                name.strip_prefix(PREFIX)?.to_lowercase(),
                Value::from(value.as_str()),
            ))
        });
        Layer {
            name: VARIABLE.to_owned(),
            values: values.collect(),
        }
    }

    fn of_flags(flags: &[(String, String)]) -> Layer {
        let key = |name: &str| name.strip_prefix(PREFIX).unwrap_or(name).to_lowercase();
        let values = flags
            .iter()
            .map(|(name, value)| (key(name), Value::from(value.as_str())));
        Layer {
            name: "the command line".to_owned(),
            values: values.collect(),
        }
    }

    fn of_file(path: &Path, table: toml::Table) -> Result<Layer, String> {
        let values = table
            .into_iter()
            .map(|(key, value)| {
                Ok((
                    key,
                    Value::serialize(value).map_err(|error| error.to_string())?,
                ))
            })
            .collect::<Result<_, String>>()?;
        Ok(Layer {
            name: format!("file {}", path.display()),
            values,
        })
    }
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.name.clone())
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        Ok(Map::from([(Profile::Default, self.values.clone())]))
    }
}
