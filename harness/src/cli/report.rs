//! `texwire report`, and `--report` of other commands.

use super::inputs::{self, CommandResult};
use crate::console::say_of;
use crate::output;
use crate::report::{Page, trace};
use std::path::{Path, PathBuf};

/// Writes a page with the messages of a trace: surfaces as pictures, samplers in words, lanes, results, footprints.
///
/// The page is one file that needs no network. Messages that differ from their record come with both results. It is bounded:
/// of large traces the first messages of each sort are shown, and the page says how many are not.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The trace
    trace: PathBuf,
    /// The page
    #[arg(short, long, value_name = "HTML")]
    out: PathBuf,
}

pub(super) fn run(args: &Args) -> CommandResult {
    of_trace(&args.out, &[&args.trace], &args.trace)?;
    Ok(true)
}

/// Writes the page of a trace.
pub(super) fn of_trace(out: &Path, inputs: &[&Path], path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let mut inputs = inputs.to_vec();
    inputs.push(path);
    let page = trace::page(&name, &inputs::read(path)?);
    write(out, &inputs, &page.map_err(|why| format!("nothing to show at {}: {why}", path.display()))?)
}

/// Writes a page.
pub(super) fn write(out: &Path, inputs: &[&Path], page: &Page) -> Result<(), Box<dyn std::error::Error>> {
    output::write(out, inputs, page.html().as_bytes())?;
    say_of(out, &format!("page with {} messages in {}", page.messages(), out.display()));
    Ok(())
}

/// Checks before long work that the folder of a page exists, and that its trace, an output as well, can be read back.
pub(super) fn check_of_trace(out: &Path, trace: &Path) -> Result<(), String> {
    check(out)?;
    if trace.metadata().is_ok_and(|known| !known.is_file()) {
        return Err(format!(
            "cannot read {} for --report: a page needs its trace in a file",
            trace.display()
        ));
    }
    Ok(())
}

/// Checks before long work that an output can be made: its folder exists, and no folder has its name.
pub(super) fn check(out: &Path) -> Result<(), String> {
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.is_dir(), out.is_dir()) {
        (true, false) => Ok(()),
        (_, true) => Err(format!("cannot write {}: it is a folder", out.display())),
        (false, false) => Err(format!("cannot write {}: no such folder", out.display())),
    }
}
