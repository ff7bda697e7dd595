use super::*;
use crate::compare::{Counts, Kind, compare};
use crate::core_engine::CoreEngine;
use crate::emulator::state::sampler;
use crate::engine::{Engine, Job, Outcome};

fn settings() -> Settings {
    Settings {
        plain: true,
        against: None,
        seed: 1,
        shard: Shard::default(),
        lanes: 2000,
        count: None,
        stop: 10,
    }
}

/// A report does not depend on the number of threads, and shards of a campaign merge to the same counts.
#[test]
fn threads_and_shards_change_nothing() {
    let of = |settings: &Settings, threads| run(settings, threads, &mut |_| ()).unwrap();
    let limited = Settings { count: Some(90), lanes: u64::MAX, ..settings() };
    let whole = of(&limited, 1);
    assert_eq!(of(&limited, 3), whole);
    assert_eq!((whole.jobs, whole.disagreements), (90, 0));
    let part = |index| of(&Settings { shard: Shard { index, of: 3 }, ..limited.clone() }, 2);
    let merged = Report::merge(vec![part(2), part(1), part(3)]).unwrap();
    assert_eq!((merged.jobs, merged.counts), (whole.jobs, whole.counts));
    assert_eq!(merged.lanes_by_operation, whole.lanes_by_operation);
    assert_eq!(merged.sentence, whole.sentence);
    assert!(Report::merge(vec![part(1), part(1)]).unwrap_err().contains("twice"));
    let other = of(&Settings { seed: 5, ..limited }, 1);
    assert!(Report::merge(vec![whole.clone(), other]).unwrap_err().contains("another campaign"));
    let text = serde_json::to_string(&whole).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), whole);
}

#[test]
fn shards_are_from_one() {
    assert_eq!("3/8".parse(), Ok(Shard { index: 3, of: 8 }));
    for bad in ["0/8", "9/8", "1", "1/0", "a/b", "-1/2"] {
        assert!(bad.parse::<Shard>().is_err(), "{bad}");
    }
}

/// A core whose address mode CLAMP_BORDER is CLAMP.
struct NoBorder;

impl Engine for NoBorder {
    fn name(&self) -> &str {
        "no-border"
    }

    fn execute(&self, job: &Job) -> Result<Option<Outcome>, String> {
        let mut job = job.clone();
        for name in ["TCX Address Control Mode", "TCY Address Control Mode"] {
            if sampler(&job.sampler, name) == 4 {
                crate::emulator::state::set_sampler(&mut job.sampler, name, 2);
            }
        }
        CoreEngine.execute(&job)
    }
}

/// A planted bug: what is left of the minimal job is the address mode, and the texels of both sides are named.
#[test]
fn a_planted_bug_is_found_made_small_and_explained() {
    let settings = settings();
    let wrong = |job: &Job| {
        compare(job, &NoBorder, &mut Counts::default()).err().filter(|why| why.kind == Kind::Values)
    };
    let (seed, job, why) = (1..500)
        .find_map(|seed| {
            let job = settings.job(seed).unwrap();
            let why = wrong(&job)?;
            Some((seed, job, why))
        })
        .expect("a job with a border");
    let lane = why.lane.as_ref().unwrap().lane;
    let small = minimal(&job, Some(lane), &mut |job| wrong(job).is_some());
    assert_eq!((small.lanes.count_ones(), small.simd, small.channels.count_ones()), (1, 8, 1), "{small:?}");
    let modes =
        ["TCX Address Control Mode", "TCY Address Control Mode"].map(|name| sampler(&small.sampler, name));
    assert!(modes.contains(&4), "seed {seed}: {small:?}");
    let bytes = |job: &Job| job.memory.iter().map(|region| region.bytes.len()).sum::<usize>();
    assert!(bytes(&small) * 4 <= bytes(&job).max(64), "{} of {} bytes", bytes(&small), bytes(&job));

    let why = wrong(&small).unwrap();
    let lane = lane::lane(&small, why.lane.as_ref().unwrap().lane, &NoBorder);
    assert!(lane.texels.iter().any(|texel| texel.place == "border"), "{lane:?}");
    let read = lane.engine_texels.as_deref().unwrap();
    assert!(!read.is_empty() && read.iter().all(|texel| texel.place.is_some()), "{lane:?}");
}

/// The weights that are found from outside are the emulator's, for an engine that is right.
#[test]
fn weights_from_outside_are_those_inside() {
    let settings = settings();
    let mut seen = 0;
    for seed in 1..60 {
        let job = settings.job(seed).unwrap();
        let mut counts = Counts::default();
        if compare(&job, &CoreEngine, &mut counts).is_err()
            || counts.lanes == 0
            || sampler(&job.sampler, "Mag Mode Filter") != 1
        {
            continue;
        }
        let report = lane::lane(&job, job.lanes.trailing_zeros() as usize, &CoreEngine);
        for texel in report.engine_texels.unwrap_or_default() {
            let sum: f64 = report
                .texels
                .iter()
                .filter(|ours| ours.address == Some(texel.address))
                .map(|ours| ours.weight)
                .sum();
            if let Some(weight) = texel.weight {
                assert!((weight - sum).abs() < 1e-3, "seed {seed}: {weight} {sum}");
                seen += u32::from(sum > 0.0);
            }
        }
    }
    assert!(seen > 10, "{seen} weights");
}

/// Integers are integers in a disagreement.
#[test]
fn integers_are_shown_as_integers() {
    struct Off;
    impl Engine for Off {
        fn name(&self) -> &str {
            "off"
        }
        fn execute(&self, job: &Job) -> Result<Option<Outcome>, String> {
            let outcome = CoreEngine.execute(job)?;
            Ok(outcome.map(|mut outcome| {
                outcome.writeback.iter_mut().take(1).for_each(|byte| *byte ^= 1);
                outcome
            }))
        }
    }
    let mut job = settings().job(1).unwrap();
    job.op = "resinfo".to_owned();
    job.params = vec![vec![0; usize::from(job.simd)]];
    job.lanes = 1;
    job.channels = 15;
    let why = compare(&job, &Off, &mut Counts::default()).unwrap_err();
    let lane = why.lane.unwrap();
    let width = crate::emulator::state::surface(&job.surface, "Width") + 1;
    assert_eq!(lane.channels[0].emulator.value, width.to_string());
    assert_eq!(lane.channels[0].engine.as_ref().unwrap().value, (width ^ 1).to_string());
    assert!(lane.channels[1].equal && !lane.channels[0].equal);
}
