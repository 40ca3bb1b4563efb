//! A recording on disk, and the picture that lies beside it. It must not replay anything.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use verify::images::Picture;

use crate::pictures;

/// When pictures are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shots {
    AfterCall(u64),
    EveryFrame,
}

/// A recording that exists and looks like one.
pub struct Trace {
    pub path: PathBuf,
    /// The file's name without its ending.
    pub name: String,
    pub shots: Shots,
    pub reference: Option<Picture>,
}

/// What a person asked for; what is left out is looked for beside the recording.
#[derive(Default)]
pub struct Asked<'a> {
    pub call: Option<u64>,
    pub frames: bool,
    pub reference: Option<&'a Path>,
}

impl Trace {
    pub fn open(path: &Path, asked: &Asked<'_>) -> Result<Trace> {
        check_magic(path)?;
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let beside = || {
            if asked.frames {
                Ok(None)
            } else {
                picture_beside(path, &name)
            }
        };
        let found = match asked.reference {
            Some(reference) => Some((call_of(reference, None), reference.to_owned())),
            None => beside()?.map(|(call, path)| (Some(call), path)),
        };
        let shots = match (asked.call, found.as_ref().and_then(|(call, _)| *call)) {
            (Some(call), _) | (None, Some(call)) => Shots::AfterCall(call),
            (None, None) => match asked.reference {
                Some(picture) => bail!(
                    "{}: after which call was it taken? Use --call N",
                    picture.display()
                ),
                None => Shots::EveryFrame,
            },
        };
        // A picture found beside the recording is of one call; asked for another, there is nothing to compare with.
        let reference = match found {
            Some((call, path))
                if asked.reference.is_some()
                    || asked.call.is_none_or(|asked| call == Some(asked)) =>
            {
                Some(pictures::load(&path)?)
            }
            _ => None,
        };
        Ok(Trace {
            path: path.to_owned(),
            name,
            shots,
            reference,
        })
    }
}

/// apitrace files are snappy chunks behind `at`, gzip, or a bare brotli stream, which has no mark of its own.
fn check_magic(path: &Path) -> Result<()> {
    let mut magic = [0; 2];
    match File::open(path).and_then(|mut file| file.read_exact(&mut magic)) {
        Ok(()) if &magic == b"at" || magic == [0x1f, 0x8b] || has_calls(path) => Ok(()),
        Ok(()) => bail!("{}: this is no recording of apitrace", path.display()),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
            bail!("{}: the recording is empty", path.display())
        }
        Err(error) => Err(error).with_context(|| format!("the recording {}", path.display())),
    }
}

/// Whether apitrace itself finds calls in it. Where only the replaying program was brought along, that will tell.
fn has_calls(path: &Path) -> bool {
    let dump = Command::new("apitrace")
        .args(["dump", "--color=never", "--calls=0-9"])
        .arg(path)
        .stderr(Stdio::null())
        .output();
    dump.map_or(true, |dump| {
        dump.status.success() && !dump.stdout.is_empty()
    })
}

/// `NAME-0000003984.png` in the recording's folder, and its call.
fn picture_beside(trace: &Path, name: &str) -> Result<Option<(u64, PathBuf)>> {
    let folder = match trace.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut found: Vec<(u64, PathBuf)> = std::fs::read_dir(folder)?
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            Some((call_of(&path, Some(name))?, path))
        })
        .collect();
    found.sort();
    Ok(found.pop())
}

/// The ten digits before `.png`; with a name, only where exactly that name and a dash stand before them.
fn call_of(picture: &Path, name: Option<&str>) -> Option<u64> {
    let stem = picture.file_name()?.to_str()?.strip_suffix(".png")?;
    let (before, digits) = stem.rsplit_once('-')?;
    let right_name = name.is_none_or(|name| name == before);
    (right_name && digits.len() == 10)
        .then(|| digits.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn call_is_read_from_ten_digits_behind_exactly_the_name() {
        let call = |picture: &str, name| call_of(Path::new(picture), name);
        assert_eq!(
            call("a/glmark2-build-0000003984.png", Some("glmark2-build")),
            Some(3984)
        );
        assert_eq!(call("glmark2-build-0000003984.png", Some("glmark2")), None);
        assert_eq!(call("glmark2-build-3984.png", Some("glmark2-build")), None);
        assert_eq!(call("any-0000000001.png", None), Some(1));
        assert_eq!(call("any.png", None), None);
    }
}
