//! Campaigns of random jobs: what they find, how they judge, and what their reports say.

use std::sync::atomic::{AtomicBool, Ordering};
use texwire_harness::compare::{Counts, DisagreementKind, compare};
use texwire_harness::core_engine::CoreEngine;
use texwire_harness::emulator::Emulator;
use texwire_harness::emulator::state::{sampler, set_sampler, surface};
use texwire_harness::engine::{DeviceLimits, Engine, Job, Outcome, Precision, Region};
use texwire_harness::fuzz_diff::{
    AXES, Accepted, Baseline, Cell, Report, Settings, Shard, lane, minimal, run, run_with,
};
use texwire_harness::generators::job::seeded;

fn settings() -> Settings {
    Settings {
        plain: true,
        group: 1,
        known: Baseline::default(),
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
    let of =
        |settings: &Settings, threads| run(settings, threads, &AtomicBool::new(false), &mut |_| ()).unwrap();
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

/// What was compared before a campaign is stopped is in its report.
#[test]
fn a_stopped_campaign_reports_what_it_has() {
    let (stop, mut told) = (AtomicBool::new(false), 0);
    let endless = Settings { lanes: u64::MAX, ..settings() };
    let report = run(&endless, 2, &stop, &mut |lanes| {
        told = lanes;
        stop.store(lanes >= 100, Ordering::Relaxed);
    });
    let report = report.unwrap();
    assert_eq!(report.counts.lanes, told);
    assert!(
        (100..10_000).contains(&told) && report.jobs > 1 && report.sentence.contains(" lanes"),
        "{report}"
    );
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
                set_sampler(&mut job.sampler, name, 2);
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
        compare(job, &NoBorder, &mut Counts::default())
            .err()
            .filter(|why| why.kind == DisagreementKind::Values)
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
    let lane = texwire_harness::fuzz_diff::lane(&small, why.lane.as_ref().unwrap().lane, &NoBorder);
    assert!(lane.texels.iter().any(|texel| texel.place == "border"), "{lane:?}");
    let read = lane.engine_texels.as_deref().unwrap();
    assert!(!read.is_empty() && read.iter().all(|texel| texel.place.is_some()), "{lane:?}");

    // A region that ends with the address space changes nothing.
    let mut memory = small.memory.to_vec();
    memory.push(Region { address: u64::MAX - 3, bytes: vec![0; 4] });
    let more = Job { memory: memory.into(), ..small };
    let same = texwire_harness::fuzz_diff::lane(&more, why.lane.as_ref().unwrap().lane, &NoBorder);
    assert_eq!(same.engine_texels.map(|texels| texels.len()), Some(read.len()));
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
        let report = lane(&job, job.lanes.trailing_zeros() as usize, &CoreEngine);
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
    let width = surface(&job.surface, "Width") + 1;
    assert_eq!(lane.channels[0].emulator.value, width.to_string());
    assert_eq!(lane.channels[0].engine.as_ref().unwrap().value, (width ^ 1).to_string());
    assert!(lane.channels[1].equal && !lane.channels[0].equal);
}

/// A device with eight bits of fraction: the emulator's own fixed-point arithmetic. `wrong`: MIRROR is WRAP.
struct Device {
    wrong: bool,
}

impl Engine for Device {
    fn name(&self) -> &str {
        "device"
    }

    fn limits(&self) -> Option<DeviceLimits> {
        Some(DeviceLimits { texel_bits: 8, mip_bits: 8 })
    }

    fn execute(&self, job: &Job) -> Result<Option<Outcome>, String> {
        if job.null_mask || !job.null_pages.is_empty() {
            return Ok(None);
        }
        let mut job = Job { precision: Precision::Fixed8, ..job.clone() };
        if self.wrong {
            for axis in ["TCX", "TCY", "TCZ"] {
                let name = format!("{axis} Address Control Mode");
                if sampler(&job.sampler, &name) == 1 {
                    set_sampler(&mut job.sampler, &name, 0);
                }
            }
        }
        Emulator.execute(&job)
    }
}

fn campaign(settings: &Settings, wrong: bool) -> Report {
    let make = || Ok(Some(Box::new(Device { wrong }) as Box<dyn Engine>));
    run_with(settings, &make, 2, &AtomicBool::new(false), &mut |_| ()).unwrap()
}

/// A device that is as exact as its limits say has no disagreement; what it is allowed is counted by rule and cell.
#[test]
fn a_device_is_judged_by_its_limits() {
    let settings = Settings {
        plain: false,
        group: 8,
        against: Some("device".to_owned()),
        count: Some(2400),
        lanes: u64::MAX,
        ..settings()
    };
    let report = campaign(&settings, false);
    assert_eq!((report.jobs, report.disagreements), (2400, 0), "{report}");
    let rules = report.agreement.rules();
    assert!(rules["V02"] > 100 && rules["V03"] > 100, "{rules:?}");
    let (jobs, declined) = report.agreement.jobs();
    assert_eq!((jobs, declined), (2400, report.counts.declined));
    for axis in AXES {
        let cells = &report.agreement.axes[axis];
        assert_eq!(cells.values().map(Cell::lanes).sum::<u64>(), report.counts.lanes, "{axis}");
    }
    let worst = report.agreement.axes["filter"].values().filter_map(|cell| cell.worst.as_ref());
    assert!(worst.clone().count() > 3);
    for worst in worst {
        assert!(worst.distance <= 1.0 && worst.values.is_some() && worst.command.contains("--group 8"));
    }
}

/// A planted bug is found, its cell says so, a baseline accepts it and nothing else.
#[test]
fn a_devices_bug_is_found_and_accepted_by_a_baseline() {
    let settings = Settings {
        plain: false,
        group: 4,
        against: Some("device".to_owned()),
        count: Some(600),
        lanes: u64::MAX,
        stop: 1,
        ..settings()
    };
    let report = campaign(&settings, true);
    assert_eq!(report.disagreements, 1, "{report}");
    let findings = || report.groups.iter().flat_map(|group| &group.findings);
    for finding in findings() {
        assert!(finding.matters.iter().any(|one| one.ends_with("MIRROR")), "{:?}", finding.matters);
        assert!(
            finding.touches.iter().any(|part| part.contains("Wrapping Operation")),
            "{:?}",
            finding.touches
        );
    }
    let different =
        |label: &str| report.agreement.axes["address mode"].get(label).map_or(0, |cell| cell.different);
    let axes = report.agreement.axes["address mode"].values().map(|cell| cell.different).sum::<u64>();
    assert!(axes > 0 && different("no sampler") == 0);
    let page = texwire_harness::report::campaign::page(&report).html();
    assert!(page.contains("By address mode") && page.contains("Vulkan, Wrapping Operation"));

    let entry = |mode: &str| Accepted {
        address_mode: Some(mode.to_owned()),
        why: "MIRROR is WRAP".to_owned(),
        ..Accepted::default()
    };
    let known = Baseline { accepted: vec![entry("*")] };
    let accepted = campaign(&Settings { known: known.clone(), ..settings.clone() }, true);
    assert_eq!((accepted.disagreements, accepted.jobs), (0, 600), "{accepted}");
    assert!(accepted.accepted.values().sum::<u64>() > 5, "{:?}", accepted.accepted);
    let other = Baseline { accepted: vec![entry("WRAP")] };
    assert_eq!(campaign(&Settings { known: other, ..settings.clone() }, true).disagreements, 1);
    let state = |pattern: &str| Accepted {
        state: Some(pattern.to_owned()),
        why: "MIRROR is WRAP".to_owned(),
        ..Accepted::default()
    };
    // As the sampler is summed up: "U MIRROR, V WRAP, R CLAMP" or "address MIRROR".
    let said = Baseline { accepted: vec![state("* MIRROR,*")] };
    assert_eq!(campaign(&Settings { known: said, ..settings.clone() }, true).disagreements, 0);
    let unsaid = Baseline { accepted: vec![state("*never said*")] };
    assert_eq!(campaign(&Settings { known: unsaid, ..settings }, true).disagreements, 1);
    let made = report.baseline();
    assert!(made.accepted.len() == 1);
    let text = serde_json::to_string(&made).unwrap();
    assert_eq!(serde_json::from_str::<Baseline>(&text).unwrap(), made);
}

/// The first message of a group is the seed's own job, the others have its state.
#[test]
fn messages_of_a_group_share_their_state() {
    let settings = Settings { plain: false, group: 16, ..settings() };
    let jobs = settings.jobs(32..64).unwrap();
    assert_eq!(jobs[0].1, seeded(2).unwrap());
    let same =
        |from: usize| jobs[from..from + 16].iter().filter(|(_, job)| job.same_state(&jobs[from].1)).count();
    assert_eq!((same(0), same(16)), (16, 16));
    assert!(!jobs[0].1.same_state(&jobs[16].1));
    assert_eq!(settings.job(37).unwrap(), jobs[5].1);
    assert!(jobs[0].1.params.is_empty() || jobs[0].1.params != jobs[1].1.params);
}

/// Numbers that JSON does not have come back from a report: what an engine returns may be infinite, and the emulator's tolerance, too.
#[test]
fn reports_with_infinities_come_back() {
    let mut report = run(&settings(), 1, &AtomicBool::new(false), &mut |_| ()).unwrap();
    let cells = report.agreement.axes.values_mut().flat_map(|cells| cells.values_mut());
    let worsts: Vec<_> = cells.filter_map(|cell| cell.worst.as_mut()).collect();
    assert!(worsts.len() > 3, "{} worst lanes", worsts.len());
    for (worst, number) in
        worsts.into_iter().zip([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.25].iter().cycle())
    {
        worst.distance = *number;
        worst.values.as_mut().unwrap().tolerance = *number;
        let texels = &mut worst.report.as_mut().unwrap().texels;
        texels.iter_mut().for_each(|texel| texel.weight = *number);
    }
    let text = serde_json::to_string(&report).unwrap();
    assert!(text.contains(r#""tolerance":"inf""#) && text.contains(r#""distance":0.25"#), "{text}");
    let back: Report = serde_json::from_str(&text).unwrap();
    // As text, because NaN is not equal to NaN.
    assert_eq!(format!("{back:?}"), format!("{report:?}"));
    Report::merge(vec![back]).unwrap();
    let wrong = text.replacen(r#""tolerance":"inf""#, r#""tolerance":"much""#, 1);
    let why = serde_json::from_str::<Report>(&wrong).unwrap_err().to_string();
    assert!(why.contains("`much` is no number"), "{why}");
}
