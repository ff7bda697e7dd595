//! `texwire check`

use super::inputs::CommandResult;
use crate::check::{self, Tally};
use crate::console::{complain, say};
use std::path::PathBuf;

/// Compares with ground truth: every known file below the paths; notes the rules that instructions in them break.
///
/// Exit status 1: something differs; 2: a file is broken or cannot be read. The other files are checked all the same.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files or folders
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let mut tally = Tally::default();
    for path in &args.paths {
        check::check(path, &mut tally);
    }
    let width = tally.rows().map(|(name, _)| name.len()).max().unwrap_or(0).max("category".len());
    say!("{:width$}  {:>8}  {:>8}  {:>8}", "category", "passed", "failed", "skipped");
    for (name, row) in tally.rows() {
        say!("{name:width$}  {:>8}  {:>8}  {:>8}", row.passed, row.failed, row.skipped);
    }
    for (name, row) in tally.rows() {
        for why in &row.first {
            say!("FAILED {name}: {why}");
        }
    }
    for (rule, broken) in tally.broken_rules() {
        let plural = if broken.count == 1 { "instruction breaks" } else { "instructions break" };
        say!("NOTE {} {plural} {rule}, first {}: {}", broken.count, broken.first, broken.text);
    }
    say!("{} passed, {} failed", tally.passed(), tally.failed());
    if let Some((last, others)) = tally.broken_files().split_last() {
        others.iter().for_each(|file| complain!("cannot check {file}"));
        return Err(format!("cannot check {last}").into());
    }
    if tally.passed() + tally.failed() == 0 {
        return Err("nothing to check: no ground truth below the paths".into());
    }
    Ok(tally.failed() == 0)
}
