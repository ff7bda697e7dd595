//! Jobs whose memory has no end: surfaces of any size, also those with more elements than indices count; numbers at the ends of their
//! ranges; states with flipped bits.

use texwire_harness::compare::{Counts, words};
use texwire_harness::engine::Job;
use texwire_harness::generators::endless::{Change, Endless, seeded};
use texwire_harness::generators::{extreme, flipped, large};
use texwire_harness::properties::execute::every_level_agrees;
use texwire_harness::properties::observe::{ObservationCounts, observe_on};

/// Core and emulator read the same texels of surfaces of any size, with every level of vector instructions.
#[test]
fn surfaces_of_any_size_agree() {
    agree(large::change, 4);
}

/// The observer tells what lanes of surfaces of any size do.
#[test]
fn surfaces_of_any_size_are_observed() {
    observe(large::change, 4);
}

/// Core and emulator agree on numbers at the ends of their ranges.
#[test]
fn extreme_numbers_agree() {
    agree(extreme::change, 4);
}

/// The observer tells what lanes with such numbers do.
#[test]
fn extreme_numbers_are_observed() {
    observe(extreme::change, 4);
}

/// Core and emulator refuse the same states of those with flipped bits, and agree on the others.
#[test]
fn states_with_flipped_bits_agree() {
    agree(flipped::change, 2);
}

/// The observer tells what lanes with such states do.
#[test]
fn states_with_flipped_bits_are_observed() {
    observe(flipped::change, 2);
}

/// Checks the jobs of the first seeds.
fn check(change: Change, mut agree: impl FnMut(&Job, &Endless) -> Result<(), String>) {
    for (seed, (job, memory)) in (0..3_000).filter_map(|seed| Some((seed, seeded(seed, change)?))) {
        if let Err(why) = agree(&job, &memory) {
            panic!("seed {seed}: {why}\n{}", words(&job));
        }
    }
}

/// More than `executed` times as many jobs are executed as are refused.
fn agree(change: Change, executed: u64) {
    let mut counts = Counts::default();
    check(change, |job, memory| every_level_agrees(job, memory, &mut counts));
    assert!(counts.lanes > 5_000 && counts.executed > executed * counts.refused, "{counts:?}");
}

fn observe(change: Change, executed: u64) {
    let mut counts = ObservationCounts::default();
    check(change, |job, memory| observe_on(job, memory, memory, &mut counts));
    assert!(counts.lanes > 5_000 && counts.jobs > executed * counts.refused, "{counts:?}");
}
