//! Properties: execute. The core and the emulator agree on every job; what equal means is in [`crate::compare`].

use crate::compare::{Counts, agree, words};
use crate::core_engine::{CoreEngine, execute_with, log2_page};
use crate::engine::Job;
use crate::generators;
use crate::job_memory::{JobMemory, Paged};
use crate::simd::{available, stages};

/// Fuzz target `diff_execute`: any bytes, as a job (see [`generators::job::of_bytes`]).
pub fn core_equals_emulator(data: &[u8]) {
    let Ok(job) = generators::job::of_bytes(data) else { return };
    if let Err(why) = agree(&job, &CoreEngine, &mut Counts::default()) {
        panic!("{why}\n{}", words(&job));
    }
    levels_alike(&job);
}

/// Every level of vector instructions that this processor has gives the same bits, from whole memory and from pages.
pub fn levels_alike(job: &Job) {
    let memory = JobMemory::of(job);
    let pages = Paged::new(memory, log2_page(job));
    let mut levels = available().filter_map(|level| {
        let stages = stages(level)?;
        Some((level, [execute_with(job, &memory, stages), execute_with(job, &pages, stages)]))
    });
    let (_, [first, in_pages]) = levels.next().expect("the baseline is always there");
    assert_eq!(in_pages, first, "pages and whole memory differ\n{}", words(job));
    for (level, outcomes) in levels {
        for (outcome, memory) in outcomes.iter().zip(["whole memory", "pages"]) {
            assert_eq!(outcome, &first, "{level:?} and the baseline differ, from {memory}\n{}", words(job));
        }
    }
}

/// The job of an input, in words and as JSON.
pub(super) fn input(data: &[u8]) -> String {
    let Ok(job) = generators::job::of_bytes(data) else { return String::new() };
    words(&job) + &serde_json::to_string(&job).unwrap_or_default() + "\n"
}
