//! Surfaces of any size, also those with more elements than indices count.

use texwire_harness::compare::{Counts, agree_on, words};
use texwire_harness::generators::large;
use texwire_harness::properties::execute::with_every_level;
use texwire_harness::properties::observe::{Observed, observe_on};

/// Core and emulator read the same texels of surfaces of any size, with every level of vector instructions.
#[test]
fn surfaces_of_any_size_agree() {
    let mut counts = Counts::default();
    for (seed, (job, memory)) in (0..3_000).filter_map(|seed| Some((seed, large::job(seed)?))) {
        let found = with_every_level(&job, &memory);
        if let Err(why) = agree_on(&job, &memory, found.map(Some), "core", &mut counts) {
            panic!("seed {seed}: {why}\n{}", words(&job));
        }
    }
    assert!(counts.lanes > 5_000 && counts.executed > 4 * counts.refused, "{counts:?}");
}

/// What the observer of a lane tells is what the lane does there.
#[test]
fn observer_tells_what_lanes_of_large_surfaces_do() {
    let mut counts = Observed::default();
    for (seed, (job, memory)) in (0..3_000).filter_map(|seed| Some((seed, large::job(seed)?))) {
        if let Err(why) = observe_on(&job, &memory, &memory, &mut counts) {
            panic!("seed {seed}: {why}\n{}", words(&job));
        }
    }
    assert!(counts.lanes > 5_000 && counts.jobs > 4 * counts.refused, "{counts:?}");
}
