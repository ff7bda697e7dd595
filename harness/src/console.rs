//! Standard output and standard error. A full disk is an error; a reader that closes the pipe early is not.

use crate::interrupt::without_temporaries;
use std::io::{self, Write};
use std::path::Path;

/// Prints `error: ...` on standard error. A failure to print it is ignored.
macro_rules! complain {
    ($($what:tt)*) => {{
        use ::std::io::Write as _;
        let _ = writeln!(::std::io::stderr(), "error: {}", format_args!($($what)*));
    }};
}

/// Prints `warning: ...` on standard error.
macro_rules! caution {
    ($($what:tt)*) => {{
        use ::std::io::Write as _;
        let _ = writeln!(::std::io::stderr(), "warning: {}", format_args!($($what)*));
    }};
}

/// Prints a line on standard output.
macro_rules! say {
    ($($what:tt)*) => {{
        use ::std::io::Write as _;
        let _ = writeln!($crate::console::Stdout, $($what)*);
    }};
}
pub(crate) use {caution, complain, say};

/// Standard output. A failure to write ends the command, since results would be missing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(io::stdout().write(bytes).unwrap_or_else(|why| fail(&why)))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush().unwrap_or_else(|why| fail(&why));
        Ok(())
    }
}

/// Ends the command: quietly if the reader closed the pipe, as SIGPIPE ends other tools; otherwise with an error message and status 2.
pub(crate) fn fail(why: &io::Error) -> ! {
    match without_temporaries(|| -> std::convert::Infallible {
        if why.kind() == io::ErrorKind::BrokenPipe {
            // SIGPIPE is ignored because of external models behind pipes. Here its default action is restored and triggered by a write.
            sigpipe::reset();
            let _ = io::stdout().write_all(b"\n").and_then(|()| io::stdout().flush());
        } else {
            complain!("cannot write standard output: {why}");
        }
        std::process::exit(2)
    }) {}
}

/// Prints a line about an output file: on standard output, or on standard error if the output is a pipe or a device, which may be standard
/// output itself.
pub(crate) fn say_of(output: &Path, line: &str) {
    match output.is_file() {
        true => say!("{line}"),
        false => drop(writeln!(io::stderr(), "{line}")),
    }
}

/// Prints styled text on standard output: with colours if it is a terminal that supports them, otherwise without.
pub(crate) fn say_styled(text: &str) {
    let choice = anstream::AutoStream::choice(&io::stdout());
    let mut styled = anstream::AutoStream::new(Vec::new(), choice);
    let _ = styled.write_all(text.as_bytes());
    let _ = Stdout.write_all(&styled.into_inner());
}
