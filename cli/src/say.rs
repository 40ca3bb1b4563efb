//! Lines on standard output. A reader that went away (`mobilegl phases | head`) ends the program quietly, as it ends any tool.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

/// As the shell counts the end by SIGPIPE.
const READER_WENT_AWAY: i32 = 141;

/// Writes; ends the program where nobody reads any more.
pub fn text(text: Arguments<'_>) {
    let Err(error) = std::io::stdout().lock().write_fmt(text) else {
        return;
    };
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(READER_WENT_AWAY);
    }
    eprintln!("mobilegl: cannot write to standard output: {error}");
    std::process::exit(2);
}

/// `println!` for this program.
macro_rules! say {
    () => { $crate::say::text(format_args!("\n")) };
    ($($text:tt)*) => { $crate::say::text(format_args!("{}\n", format_args!($($text)*))) };
}
pub(crate) use say;
