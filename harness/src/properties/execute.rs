//! Properties: execute. The core and the emulator agree on every job; what equal means is in [`crate::compare`].

use crate::compare::{Counts, agree, words};
use crate::core_engine::CoreEngine;
use crate::generators;

/// Fuzz target `diff_execute`: any bytes, as a job (see [`generators::job::of_bytes`]).
pub fn core_equals_emulator(data: &[u8]) {
    let Ok(job) = generators::job::of_bytes(data) else { return };
    if let Err(why) = agree(&job, &CoreEngine, &mut Counts::default()) {
        panic!("{why}\n{}", words(&job));
    }
}

/// The job of an input, in words and as JSON.
pub(super) fn input(data: &[u8]) -> String {
    let Ok(job) = generators::job::of_bytes(data) else { return String::new() };
    words(&job) + &serde_json::to_string(&job).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests;
