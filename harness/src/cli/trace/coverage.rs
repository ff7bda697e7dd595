//! `texwire trace coverage`: what the messages of a trace touch.

use crate::cli::inputs::{self, Done};
use crate::console::{complain, say};
use crate::trace_file::coverage::Coverage;
use std::path::Path;

/// Prints what a trace touches, and what is missing.
pub(super) fn coverage(trace: &Path) -> Done {
    let coverage = Coverage::of(&inputs::read(trace)?)
        .map_err(|why| format!("cannot follow {}: {why}", trace.display()))?;
    coverage.lines().iter().for_each(|line| say!("{line}"));
    Ok(complete(&coverage, trace))
}

/// Says what is missing; nothing is.
pub(super) fn complete(coverage: &Coverage, trace: &Path) -> bool {
    let missing = coverage.missing();
    for (axis, value) in &missing {
        complain!("missing {axis} at {}: {value}", trace.display());
    }
    missing.is_empty()
}
