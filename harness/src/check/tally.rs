//! The type of checkers, and the counts of their comparisons.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use texwire::rules::{Rule, Violations};

/// Counts of comparisons by category, with the first failures in words.
#[derive(Debug, Default)]
pub struct Tally {
    rows: BTreeMap<String, CategoryCounts>,
    broken: BTreeMap<&'static str, RuleCount>,
    broken_files: Vec<String>,
}

/// Instructions that decode but break a rule: this is not a failure of a comparison.
#[derive(Debug)]
pub struct RuleCount {
    /// The number of these instructions.
    pub count: usize,
    /// Where the first one is.
    pub first: String,
    /// What the rule says.
    pub text: &'static str,
}

/// One category's counts.
#[derive(Debug, Default)]
pub struct CategoryCounts {
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
            let new = || RuleCount { count: 0, first: place(), text: rule.text() };
            self.broken.entry(rule.name()).or_insert_with(new).count += 1;
        }
    }

    /// Notes that a file or folder cannot be checked to its end, and why.
    pub(super) fn note_broken_file(&mut self, path: &Path, why: &dyn Display) {
        self.broken_files.push(format!("{}: {why}", path.display()));
    }

    /// Returns the files and folders that could not be checked to their end, each with the reason.
    pub fn broken_files(&self) -> &[String] {
        &self.broken_files
    }

    /// Returns the rules that instructions break, by name.
    pub fn broken_rules(&self) -> impl Iterator<Item = (&str, &RuleCount)> {
        self.broken.iter().map(|(name, broken)| (*name, broken))
    }

    /// Returns the categories with their counts.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &CategoryCounts)> {
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

/// Compares two values; the error says the place, what is there and what is wanted.
pub(super) fn equal(place: &str, got: &Value, want: &Value) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("{place}: {got}, want {want}")) }
}

/// A checker of ground truth: a test whether it knows a file, and the comparison.
pub struct Checker {
    /// Its name.
    pub name: &'static str,
    /// Returns whether it knows the file (by path, name or first bytes).
    pub claims: fn(&Path) -> bool,
    /// Compares the file with the results of this program, and counts in the tally.
    pub check: fn(&Path, &mut Tally) -> Result<(), Box<dyn std::error::Error>>,
}

impl std::fmt::Debug for Checker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}
