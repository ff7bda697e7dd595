//! Properties of execution: the core and the emulator agree on every job. [`crate::compare`] says what counts as equal.

use crate::compare::{Counts, agree, agree_on, words};
use crate::core_engine::{CoreEngine, execute_with, log2_page};
use crate::engine::{ByteMemory, Job, Outcome};
use crate::generators;
use crate::job_memory::{JobMemory, Paged};
use crate::simd::{available, stages};
use texwire::memory::Memory;

/// Fuzz target `diff_execute`: any bytes are made into a job (see [`generators::job::of_bytes`]) and compared.
pub fn core_equals_emulator(data: &[u8]) {
    let Ok(job) = generators::job::of_bytes(data) else { return };
    if let Err(why) = agree(&job, &CoreEngine, &mut Counts::default()) {
        panic!("{why}\n{}", words(&job));
    }
    levels_alike(&job);
}

/// Fuzz target `diff_endless`: any bytes are made into a job with endless memory (see [`generators::endless::of_bytes`]) and compared.
pub fn core_equals_emulator_on_endless_memory(data: &[u8]) {
    let Some((job, memory)) = generators::endless::of_bytes(data) else { return };
    if let Err(why) = every_level_agrees(&job, &memory, &mut Counts::default()) {
        panic!("{why}\n{}", words(&job));
    }
}

/// Compares a job's results on `memory` with the emulator's. They must be the same with every level of vector instructions.
///
/// # Errors
/// The disagreement, in words.
pub fn every_level_agrees(
    job: &Job,
    memory: &(impl Memory + ByteMemory),
    counts: &mut Counts,
) -> Result<(), String> {
    agree_on(job, memory, with_every_level(job, memory).map(Some), "core", counts)
}

/// Checks that every level of vector instructions of this processor gives the same bits, from contiguous memory and from pages.
pub fn levels_alike(job: &Job) {
    let memory = JobMemory::of(job);
    let whole = with_every_level(job, &memory);
    let pages = Paged::new(memory, log2_page(job));
    assert_eq!(with_every_level(job, &pages), whole, "pages and whole memory differ\n{}", words(job));
}

/// Executes a job on `memory` with every level of vector instructions of this processor, and checks that the results have the same bits.
///
/// # Errors
/// As [`execute_with`].
pub fn with_every_level(job: &Job, memory: &impl Memory) -> Result<Outcome, String> {
    let mut levels = available().filter_map(|level| Some((level, execute_with(job, memory, stages(level)?))));
    let (_, first) = levels.next().expect("the baseline is always there");
    for (level, outcome) in levels {
        assert_eq!(outcome, first, "{level:?} and the baseline differ\n{}", words(job));
    }
    first
}

/// Returns the job of an input, in words and as JSON.
pub(super) fn input(data: &[u8]) -> String {
    generators::job::of_bytes(data).map_or_else(|_| String::new(), |job| told(&job))
}

/// As [`input`], for `diff_endless`.
pub(super) fn endless_input(data: &[u8]) -> String {
    generators::endless::of_bytes(data).map_or_else(String::new, |(job, _)| told(&job))
}

fn told(job: &Job) -> String {
    words(job) + &serde_json::to_string(job).unwrap_or_default() + "\n"
}
