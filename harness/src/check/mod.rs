//! Compares with ground truth: every file below a path, by the checkers that know its kind. [`cases`] runs its executable cases.

mod beside;
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

use std::collections::BTreeSet;
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

/// Checks every file below `path`, or `path` itself, that a checker claims. What cannot be read, or does not have the form that its path
/// promises, is noted in the tally and does not keep the other files from being checked.
pub fn check(path: &Path, tally: &mut Tally) {
    match path.metadata() {
        Err(why) => tally.note_broken_file(path, &why),
        Ok(meta) if !meta.is_file() && !meta.is_dir() => {
            tally.note_broken_file(path, &"neither a file nor a folder");
        }
        Ok(_) => {}
    }
    for file in files(path, tally) {
        if let Some(checker) = CHECKERS.into_iter().find(|checker| (checker.claims)(&file))
            && let Err(why) = (checker.check)(&file, tally)
        {
            tally.note_broken_file(&file, &why);
        }
    }
}

/// Returns every file below `path` (or `path` itself), sorted; folders that cannot be read are noted in the tally.
fn files(path: &Path, tally: &mut Tally) -> Vec<PathBuf> {
    let mut found = Vec::new();
    // Symbolic links may lead to a folder again and again: it is read once.
    let mut folders = BTreeSet::new();
    let mut pending = vec![path.to_path_buf()];
    while let Some(path) = pending.pop() {
        match path.metadata() {
            Ok(meta) if meta.is_dir() => {
                let entries = path.canonicalize().and_then(|folder| match folders.insert(folder) {
                    true => std::fs::read_dir(&path)?.map(|entry| Ok(entry?.path())).collect(),
                    false => Ok(Vec::new()),
                });
                match entries {
                    Ok(entries) => pending.extend(entries),
                    Err(why) => tally.note_broken_file(&path, &why),
                }
            }
            // Nobody may ever write to a pipe.
            Ok(meta) if !meta.is_file() => {}
            // A link that leads nowhere counts if its name is one of ground truth.
            Ok(_) | Err(_) => found.push(path),
        }
    }
    found.sort();
    found
}
