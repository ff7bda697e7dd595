//! Counts of accesses outside bound surfaces and local memory. The hardware checks these: reads give 0, writes are dropped.

use super::error::Error;
use std::fmt;

/// The number of out-of-bounds accesses, and the first one.
#[derive(Clone, Debug, Default)]
pub struct OutOfBoundsCounts {
    /// Elements that were read as 0.
    pub reads: u64,
    /// Elements whose write or atomic was dropped.
    pub writes: u64,
    /// The first access, with its position.
    pub first: Option<Box<Error>>,
}

impl OutOfBoundsCounts {
    /// Adds the counts of accesses that happened later.
    pub fn add(&mut self, later: Self) {
        self.reads += later.reads;
        self.writes += later.writes;
        if self.first.is_none() {
            self.first = later.first;
        }
    }

    /// Returns true if no access was outside.
    pub const fn is_empty(&self) -> bool {
        self.reads == 0 && self.writes == 0
    }
}

impl fmt::Display for OutOfBoundsCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reads, writes, first } = self;
        write!(f, "{reads} reads gave 0 and {writes} writes were dropped outside surfaces or local memory")?;
        match first {
            Some(first) => write!(f, "; the first: {first}"),
            None => Ok(()),
        }
    }
}
