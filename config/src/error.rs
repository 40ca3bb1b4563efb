//! What is wrong with a configuration, in words that name the option, the value, what is allowed and where it came from.

use thiserror::Error;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    #[error("{option}=`{value}` from {origin}: {why}; allowed: {allowed}")]
    BadValue {
        option: &'static str,
        value: String,
        origin: String,
        why: String,
        allowed: String,
    },
    #[error(
        "{option}=`{value}` from {origin}: not in this build ({what}); the default `{default}` is"
    )]
    NotInThisBuild {
        option: &'static str,
        value: String,
        origin: String,
        what: String,
        default: &'static str,
    },
    #[error(
        "{name} from {origin}: there is no such option{hint}; `mobilegl help options` lists them"
    )]
    UnknownOption {
        name: String,
        origin: String,
        hint: String,
    },
    #[error("configuration file {path}: {why}")]
    File { path: String, why: String },
}

/// Everything that makes a start fail, one line each.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct ConfigErrors(pub Vec<ConfigError>);
