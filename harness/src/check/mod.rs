//! Compares with ground truth: every file below a path, by the checkers that know its kind. [`cases`] runs its executable cases.

mod both_engines;
pub mod cases;
pub mod devicebin;
pub mod enums;
pub mod formats;
pub mod gen_native;
pub mod sampling;
pub mod state;
mod tally;
pub mod txq;
pub mod visa;
pub mod visa_validity;

pub use tally::{CategoryCounts, Checker, RuleCount, Tally};

use std::path::{Path, PathBuf};

/// Every checker. The first one that claims a file checks it.
pub const CHECKERS: [&Checker; 8] = [
    &visa::CHECKER,
    &gen_native::CHECKER,
    &txq::CHECKER,
    &state::CHECKER,
    &enums::CHECKER,
    &devicebin::CHECKER,
    &sampling::CHECKER,
    &formats::CHECKER,
];

/// Returns every file below `path` (or `path` itself), sorted.
pub fn files(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut pending = vec![path.to_path_buf()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            for entry in std::fs::read_dir(&path)? {
                pending.push(entry?.path());
            }
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Checks every file below `path` that a checker claims.
///
/// # Errors
/// A file cannot be read, or does not have the form that its path promises.
pub fn check(path: &Path, tally: &mut Tally) -> Result<(), Box<dyn std::error::Error>> {
    for file in files(path)? {
        if let Some(checker) = CHECKERS.into_iter().find(|checker| (checker.claims)(&file)) {
            (checker.check)(&file, tally).map_err(|why| format!("{}: {why}", file.display()))?;
        }
    }
    Ok(())
}
