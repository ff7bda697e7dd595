//! Surfaces of any size, also those with more elements than indices count, and numbers at the ends of their ranges.

use texwire_harness::compare::{Counts, agree_on, words};
use texwire_harness::engine::Job;
use texwire_harness::generators::endless::Endless;
use texwire_harness::generators::{extreme, large};
use texwire_harness::properties::execute::with_every_level;
use texwire_harness::properties::observe::{Observed, observe_on};

/// How jobs of seeds are made.
type Generate = fn(u64) -> Option<(Job, Endless)>;

/// Core and emulator read the same texels of surfaces of any size, with every level of vector instructions.
#[test]
fn surfaces_of_any_size_agree() {
    agree(large::job);
}

/// The observer tells what lanes of surfaces of any size do.
#[test]
fn surfaces_of_any_size_are_observed() {
    observe(large::job);
}

/// Core and emulator agree on numbers at the ends of their ranges.
#[test]
fn extreme_numbers_agree() {
    agree(extreme::job);
}

/// The observer tells what lanes with such numbers do.
#[test]
fn extreme_numbers_are_observed() {
    observe(extreme::job);
}

/// Checks the jobs of the first seeds.
fn check(generate: Generate, mut agree: impl FnMut(&Job, &Endless) -> Result<(), String>) {
    for (seed, (job, memory)) in (0..3_000).filter_map(|seed| Some((seed, generate(seed)?))) {
        if let Err(why) = agree(&job, &memory) {
            panic!("seed {seed}: {why}\n{}", words(&job));
        }
    }
}

fn agree(generate: Generate) {
    let mut counts = Counts::default();
    check(generate, |job, memory| {
        agree_on(job, memory, with_every_level(job, memory).map(Some), "core", &mut counts)
    });
    assert!(counts.lanes > 5_000 && counts.executed > 4 * counts.refused, "{counts:?}");
}

fn observe(generate: Generate) {
    let mut counts = Observed::default();
    check(generate, |job, memory| observe_on(job, memory, memory, &mut counts));
    assert!(counts.lanes > 5_000 && counts.jobs > 4 * counts.refused, "{counts:?}");
}
