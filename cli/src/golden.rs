//! `mobilegl verify --golden FILE`: what a recording tells the null backend, verb by verb, against a file that is kept. It must not
//! look at pictures.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use verify::golden;

use crate::Outcome;
use crate::args::VerifyArgs;
use crate::dropin::DropIn;
use crate::retrace::{Ending, Retracer};
use crate::say::say;
use crate::trace::{Asked, Trace};

pub fn verify(args: &VerifyArgs, file: &Path) -> Result<Outcome> {
    let [trace] = args.traces.as_slice() else {
        bail!(
            "{}: one golden recording is that of one program, not of {}",
            file.display(),
            args.traces.len()
        );
    };
    let trace = Trace::open(trace, &Asked::default())?;
    let dropin = DropIn::find(&args.common.library)?;
    let limit = Duration::from_secs(args.common.timeout);
    let retracer = Retracer::new(&args.common.eglretrace, dropin, limit)?;
    let mask = args.push.as_deref().unwrap_or("all");
    let (ending, said, found) = retracer.record(&trace, mask)?;
    if ending != Ending::Exit(0) {
        bail!("{}: {ending:?}: {}", trace.path.display(), said.trim());
    }
    let Some(found) = found else {
        bail!(
            "{}: the library wrote no recording: {}",
            trace.path.display(),
            said.trim()
        );
    };
    if args.update {
        std::fs::write(file, &found).with_context(|| format!("{}", file.display()))?;
        say!("{}: {} blocks written", file.display(), blocks(&found));
        return Ok(Outcome::Good);
    }
    let expected = std::fs::read_to_string(file).with_context(|| {
        format!(
            "{}: there is no golden recording; --update writes it",
            file.display()
        )
    })?;
    let differences = golden::difference(&expected, &found);
    if differences.is_empty() {
        say!(
            "{}: as {}, {} blocks",
            trace.name,
            file.display(),
            blocks(&found)
        );
        return Ok(Outcome::Good);
    }
    say!(
        "{}: not as {} (- is the file, + is this build; --update takes this build's over):",
        trace.name,
        file.display()
    );
    for difference in differences {
        say!("{difference}");
    }
    Ok(Outcome::Failed)
}

fn blocks(text: &str) -> usize {
    text.lines().filter(|line| line.ends_with(':')).count()
}
