//! `texwire trace coverage`: the operations, formats and states that the messages of a trace use.

use crate::cli::inputs::{self, CommandResult};
use crate::console::{complain, say};
use crate::trace_file::coverage::Coverage;
use std::path::Path;

/// Prints the features that the messages of a trace use, and reports the required ones that no message uses.
pub(super) fn coverage(trace: &Path) -> CommandResult {
    let (coverage, whole) = follow(&inputs::read(trace)?, trace);
    coverage.lines().iter().for_each(|line| say!("{line}"));
    Ok(complete(&coverage, trace) && whole)
}

/// Returns the coverage of the trace at `path`, and whether all of it can be followed: what cannot is reported on standard error.
pub(super) fn follow(trace: &[u8], path: &Path) -> (Coverage, bool) {
    let mut whole = true;
    let coverage = Coverage::of(trace, |at, why| {
        whole = false;
        complain!("cannot follow {} at {at:#x}: {why}", path.display());
    });
    (coverage, whole)
}

/// Reports each required feature that is missing on standard error. Returns whether none is.
pub(super) fn complete(coverage: &Coverage, trace: &Path) -> bool {
    let missing = coverage.missing();
    for (axis, value) in &missing {
        complain!("missing {axis} at {}: {value}", trace.display());
    }
    missing.is_empty()
}
