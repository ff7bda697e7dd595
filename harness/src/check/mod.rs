//! Comparison with ground truth: every file below a path, by the checkers that know its kind; its executable [`cases`].

pub mod cases;
pub mod devicebin;
pub mod enums;
pub mod formats;
pub mod gen_native;
pub mod sampling;
pub mod state;
pub mod txq;
pub mod visa;
pub mod visa_validity;

use crate::wires::WIRES;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use texwire::rules::{Rule, Violations};

/// Counts by category, and the first failures in words.
#[derive(Debug, Default)]
pub struct Tally {
    rows: BTreeMap<String, Row>,
    broken: BTreeMap<&'static str, Broken>,
}

/// Instructions that break a rule although they decode: no failure of a comparison.
#[derive(Debug)]
pub struct Broken {
    /// How many.
    pub count: usize,
    /// Where the first one is.
    pub first: String,
    /// What the rule says.
    pub text: &'static str,
}

/// One category's counts.
#[derive(Debug, Default)]
pub struct Row {
    /// Comparisons that were equal.
    pub passed: usize,
    /// Comparisons that differed.
    pub failed: usize,
    /// Comparisons left out, as the ground truth says.
    pub skipped: usize,
    /// The first failures.
    pub first: Vec<String>,
}

const SHOWN_FAILURES: usize = 5;

impl Tally {
    /// Counts a comparison: `Err` says what differs and where.
    pub fn note(&mut self, category: &str, result: Result<(), String>) {
        let row = self.rows.entry(category.to_owned()).or_default();
        match result {
            Ok(()) => row.passed += 1,
            Err(why) => {
                row.failed += 1;
                if row.first.len() < SHOWN_FAILURES {
                    row.first.push(why);
                }
            }
        }
    }

    /// Counts a comparison that the ground truth says to leave out.
    pub fn skip(&mut self, category: &str) {
        self.rows.entry(category.to_owned()).or_default().skipped += 1;
    }

    /// Counts the rules that an instruction breaks; `place` says where it is.
    pub fn broken<R: Rule>(&mut self, rules: Violations<R>, place: impl Fn() -> String) {
        for rule in rules {
            let new = || Broken { count: 0, first: place(), text: rule.text() };
            self.broken.entry(rule.name()).or_insert_with(new).count += 1;
        }
    }

    /// The rules that instructions break, by name.
    pub fn broken_rules(&self) -> impl Iterator<Item = (&str, &Broken)> {
        self.broken.iter().map(|(name, broken)| (*name, broken))
    }

    /// The categories with their counts.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &Row)> {
        self.rows.iter().map(|(name, row)| (name.as_str(), row))
    }

    /// Comparisons that differed.
    pub fn failed(&self) -> usize {
        self.rows.values().map(|row| row.failed).sum()
    }

    /// Comparisons that were equal.
    pub fn passed(&self) -> usize {
        self.rows.values().map(|row| row.passed).sum()
    }
}

/// A checker: whether it knows a file, and the comparison.
pub struct Checker {
    /// Its name.
    pub name: &'static str,
    /// Knows the file (by place, name or first bytes).
    pub claims: fn(&Path) -> bool,
    /// Compares the file with what this program makes of it.
    pub check: fn(&Path, &mut Tally) -> Result<(), Box<dyn std::error::Error>>,
}

impl std::fmt::Debug for Checker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// The checkers that are of no wire.
const OTHERS: [&Checker; 5] =
    [&state::CHECKER, &enums::CHECKER, &devicebin::CHECKER, &sampling::CHECKER, &formats::CHECKER];

/// Every checker: those of the wires, then the others.
pub fn checkers() -> impl Iterator<Item = &'static Checker> {
    WIRES.into_iter().filter_map(|wire| wire.checker()).chain(OTHERS)
}

/// Every file below `path` (or `path` itself), sorted.
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
/// A file cannot be read, or is not what its place says.
pub fn check(path: &Path, tally: &mut Tally) -> Result<(), Box<dyn std::error::Error>> {
    for file in files(path)? {
        if let Some(checker) = checkers().find(|checker| (checker.claims)(&file)) {
            (checker.check)(&file, tally).map_err(|why| format!("{}: {why}", file.display()))?;
        }
    }
    Ok(())
}
