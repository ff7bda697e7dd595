use super::holds;
use std::collections::{BTreeMap, BTreeSet};
use texwire::state::SurfaceState;
use texwire_harness::generators;
use texwire_harness::properties::observe::{ObservationCounts, footprint, observe};
use texwire_harness::trace_file::coverage::{codes, family, pairs, tiling_name};

/// Every operation that reads texels with every family of formats, and every tile mode. 100 % of the cases agree.
#[test]
fn observer_tells_what_lanes_do() {
    let mut counts = ObservationCounts::default();
    let (mut tilings, mut ops) = (BTreeMap::<String, u64>::new(), BTreeMap::<String, u64>::new());
    let mut missing: BTreeSet<String> = pairs().map(|(_, pair)| pair).collect();
    let wanted = missing.len();
    let mut seeds = BTreeMap::<String, Vec<u64>>::new();
    let mut failures = Vec::new();
    for seed in 0..10_000 {
        let job = generators::job::seeded(seed).unwrap();
        let before = counts;
        if let Err(why) = observe(&job, &mut counts) {
            failures.push(format!("seed {seed} ({} {}): {why}", job.op, job.surface[0] >> 18 & 511));
        }
        if counts.reads == before.reads {
            continue;
        }
        let surface = SurfaceState { dwords: job.surface };
        *tilings.entry(tiling_name(&surface)).or_default() += counts.lanes - before.lanes;
        seeds.entry(job.op.clone()).or_default().push(seed);
        *ops.entry(job.op.clone()).or_default() += counts.lanes - before.lanes;
        if let Some(family) = family(surface.format()) {
            missing.remove(&format!("{} {family}", job.op));
        }
    }
    // Other formats in the same jobs, for the pairs that did not come by chance.
    for pair in missing.clone() {
        let (op, wanted) = pair.split_once(' ').unwrap();
        let of_family: Vec<_> = codes().filter(|code| family(*code) == Some(wanted)).collect();
        let tries = seeds.get(op).into_iter().flatten().zip(of_family.iter().cycle()).take(400);
        for (seed, code) in tries {
            let mut job = generators::job::seeded(*seed).unwrap();
            let mut surface = SurfaceState { dwords: job.surface };
            surface.set_format(*code);
            if wanted == "planar YUV" {
                // They have no samples.
                surface.set_samples(1).unwrap().set_aux_mode(texwire::state::AuxMode::None);
            }
            job.surface = surface.dwords;
            job.palette.resize(256, 0x8040_c020);
            let before = counts;
            if let Err(why) = observe(&job, &mut counts) {
                failures.push(format!("seed {seed} as {code:?} ({}): {why}", job.op));
            }
            if counts.reads > before.reads {
                missing.remove(&pair);
                break;
            }
        }
    }
    assert!(failures.is_empty(), "{} jobs: {:#?}", failures.len(), &failures[..failures.len().min(8)]);
    assert!(
        missing.is_empty(),
        "{} of {wanted} pairs: {missing:?}; {counts:?}, tile modes {tilings:?}, operations {ops:?}",
        missing.len()
    );
    assert!(counts.lanes > 50_000, "{counts:?}");
    assert!(tilings.len() == 6 && tilings.values().all(|lanes| *lanes > 80), "{tilings:?}");
}

#[test]
fn bytes_as_jobs() {
    holds(footprint, 100);
}
