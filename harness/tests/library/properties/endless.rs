//! Jobs whose memory has no end: surfaces of any size, also those with more elements than indices count; numbers at the ends of their
//! ranges; states with flipped bits.

use texwire_harness::compare::{Counts, agree_on, words};
use texwire_harness::engine::Job;
use texwire_harness::generators::endless::{Change, Endless, seeded};
use texwire_harness::generators::{extreme, flipped, large};
use texwire_harness::properties::execute::with_every_level;
use texwire_harness::properties::observe::{Observed, observe_on};

/// Core and emulator read the same texels of surfaces of any size, with every level of vector instructions.
#[test]
fn surfaces_of_any_size_agree() {
    agree(large::change);
}

/// The observer tells what lanes of surfaces of any size do.
#[test]
fn surfaces_of_any_size_are_observed() {
    observe(large::change);
}

/// Core and emulator agree on numbers at the ends of their ranges.
#[test]
fn extreme_numbers_agree() {
    agree(extreme::change);
}

/// The observer tells what lanes with such numbers do.
#[test]
fn extreme_numbers_are_observed() {
    observe(extreme::change);
}

/// Core and emulator refuse the same states of those with flipped bits, and agree on the others.
#[test]
fn states_with_flipped_bits_agree() {
    agree(flipped::change);
}

/// The observer tells what lanes with such states do.
#[test]
fn states_with_flipped_bits_are_observed() {
    observe(flipped::change);
}

/// Checks the jobs of the first seeds.
fn check(change: Change, mut agree: impl FnMut(&Job, &Endless) -> Result<(), String>) {
    for (seed, (job, memory)) in (0..3_000).filter_map(|seed| Some((seed, seeded(seed, change)?))) {
        if let Err(why) = agree(&job, &memory) {
            panic!("seed {seed}: {why}\n{}", words(&job));
        }
    }
}

fn agree(change: Change) {
    let mut counts = Counts::default();
    check(change, |job, memory| {
        agree_on(job, memory, with_every_level(job, memory).map(Some), "core", &mut counts)
    });
    assert!(counts.lanes > 5_000 && counts.executed > 2 * counts.refused, "{counts:?}");
}

fn observe(change: Change) {
    let mut counts = Observed::default();
    check(change, |job, memory| observe_on(job, memory, memory, &mut counts));
    assert!(counts.lanes > 5_000 && counts.jobs > 2 * counts.refused, "{counts:?}");
}
