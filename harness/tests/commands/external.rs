//! Another process as an engine: this crate's own `serve`, the example model, and processes that misbehave.

use std::path::Path;
use std::time::{Duration, Instant};
use texwire_harness::compare::{Counts, agree};
use texwire_harness::core_engine::CoreEngine;
use texwire_harness::emulator::Emulator;
use texwire_harness::emulator::state::{set_sampler, set_surface};
use texwire_harness::engine::{Engine, Job, Region};
use texwire_harness::external::External;
use texwire_harness::generators::kinds::InputKind;

const BASE: u64 = 0x1_2340_0000;

/// Nearest sampling of a 5 x 3 picture, eight lanes, two of them off.
fn nearest() -> Job {
    let mut job = Job::new("sample_lz");
    for (name, value) in [
        ("Surface Type", 1),
        ("Surface Format", 0xc7),
        ("Width", 4),
        ("Height", 2),
        ("Surface Pitch", 31),
        ("Surface Horizontal Alignment", 1),
        ("Surface Vertical Alignment", 1),
        ("Surface Base Address", BASE),
        ("Shader Channel Select Red", 4),
        ("Shader Channel Select Green", 5),
        ("Shader Channel Select Blue", 6),
        ("Shader Channel Select Alpha", 7),
    ] {
        set_surface(&mut job.surface, name, value);
    }
    set_sampler(&mut job.sampler, "TCY Address Control Mode", 2);
    set_sampler(&mut job.sampler, "Max LOD", 0xe00);
    let u = [-0.3f32, 0.1, 0.3, 0.5, 0.7, 0.9, 1.1, f32::NAN];
    let v = [0.5f32, -2.0, 0.1, 0.5, 0.9, 7.0, 0.5, f32::INFINITY];
    job.params = [u, v].map(|lanes| lanes.map(f32::to_bits).to_vec()).to_vec();
    job.lanes = 0b1101_1011;
    job.channels = 0b1011;
    job.memory =
        vec![Region { address: BASE, bytes: (0..96u8).map(|i| i.wrapping_mul(37)).collect() }].into();
    job
}

fn served() -> External {
    External::new(&format!("'{}' serve --engine emulator", env!("CARGO_BIN_EXE_texwire"))).unwrap()
}

/// What `gen job` writes is what `serve` reads; through the pipe nothing changes.
#[test]
fn generated_jobs_are_served() {
    let there = served();
    let (mut executed, mut refused) = (0, 0);
    for number in 0..30 {
        let line = InputKind::find("job").unwrap().make(5, number);
        let job: Job = serde_json::from_slice(&line).unwrap();
        let here = Emulator.execute(&job);
        executed += u32::from(here.is_ok());
        refused += u32::from(here.is_err());
        assert_eq!(there.execute(&job), here);
        assert_eq!(agree(&job, &there, &mut Counts::default()), Ok(()));
    }
    assert!(executed > 10 && refused > 0, "{executed} executed, {refused} refused");
}

/// The example model, when there is a Python to run it.
fn example() -> Option<External> {
    std::process::Command::new("python3").arg("--version").output().ok()?;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/external_model.py");
    Some(External::new(&format!("python3 '{}'", path.display())).unwrap())
}

#[test]
fn a_served_engine_answers_as_it_does_here() {
    let (there, job) = (served(), nearest());
    let here = CoreEngine.execute(&job).unwrap().unwrap();
    assert!(here.writeback.iter().any(|byte| *byte != 0));
    assert_eq!(there.execute(&job), Ok(Some(here)));
    let nonsense = Job { op: "guess".into(), ..nearest() };
    assert!(there.execute(&nonsense).is_err());
    assert_eq!(there.failure(), None, "to refuse a job is not to break");
}

#[test]
fn the_example_model_agrees_and_declines() {
    let Some(model) = example() else { return eprintln!("skipped: no python3") };
    for lanes in [0xff, 0x5a, 0] {
        let job = Job { lanes, ..nearest() };
        assert_eq!(model.execute(&job), Ok(CoreEngine.execute(&job).unwrap()));
        assert_eq!(agree(&job, &model, &mut Counts::default()), Ok(()));
    }
    let mut faulting = nearest();
    faulting.memory[0].bytes.truncate(40);
    let here = CoreEngine.execute(&faulting).unwrap().unwrap();
    assert!(here.faults != 0);
    assert_eq!(model.execute(&faulting), Ok(Some(here)));
    for declined in [Job { op: "resinfo".into(), ..nearest() }, Job { half_return: true, ..nearest() }] {
        assert_eq!(model.execute(&declined), Ok(None));
    }
    let mut linear = nearest();
    set_sampler(&mut linear.sampler, "Mag Mode Filter", 1);
    assert_eq!(model.execute(&linear), Ok(None));
}

/// On the jobs that it is for, the example model is as good as the emulator.
#[test]
fn the_example_model_agrees_on_plain_jobs() {
    let Some(model) = example() else { return eprintln!("skipped: no python3") };
    let mut counts = Counts::default();
    for number in 0..150 {
        let line = InputKind::find("job-plain").unwrap().make(9, number);
        let job: Job = serde_json::from_slice(&line).unwrap();
        agree(&job, &CoreEngine, &mut Counts::default()).unwrap();
        agree(&job, &model, &mut counts).unwrap_or_else(|why| panic!("job {number}: {why}"));
    }
    assert!(counts.executed > 40 && counts.declined > 10, "{counts:?}");
}

/// A model that is not there, ends, talks nonsense or says nothing is broken; it is started again.
#[test]
fn broken_models_say_so() {
    let broken = |command: &str, expected: &str| {
        let model = External::new(command).unwrap().with_timeout(Duration::from_millis(300));
        let started = Instant::now();
        for _ in 0..2 {
            let why = model.execute(&nearest()).unwrap_err();
            assert!(why.contains(expected), "{command}: {why}");
            assert_eq!(model.failure(), Some(why));
            assert!(agree(&nearest(), &model, &mut Counts::default()).is_err(), "broken is no agreement");
        }
        assert!(started.elapsed() < Duration::from_secs(30), "{command} blocks");
    };
    broken("/nonexistent/model", "cannot start");
    if cfg!(unix) {
        broken("false", "exit status: 1");
        broken("sleep 60", "no answer in 300ms");
        broken("sh -c 'read job; echo hello; cat'", "`hello` is no JSON");
        broken("sh -c 'read job; echo {}; cat'", "is no outcome");
        broken("sh -c 'read job; printf nul'", "ends inside the line");
    }
}

#[test]
fn a_model_that_died_is_started_again() {
    if cfg!(unix) {
        let model = External::new("sh -c 'read job; echo null'").unwrap();
        assert_eq!(model.execute(&nearest()), Ok(None));
        assert!(model.execute(&nearest()).is_err() && model.failure().is_some());
        assert_eq!((model.execute(&nearest()), model.failure()), (Ok(None), None));
    }
}
