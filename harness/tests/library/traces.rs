//! Traces that the harness writes read back.

use texwire::enums::SurfaceFormat;
use texwire::trace::replay::{Replay, Step};
use texwire::trace::{Decoder, Event, MAX_FRAME};
use texwire_harness::core_engine::{CoreEngine, execute_on};
use texwire_harness::engine::{Engine, Job, Precision, Region};
use texwire_harness::generators::covering_trace::{MOST_RUNS, replays, write};
use texwire_harness::trace_file::coverage::Coverage;
use texwire_harness::trace_file::{TraceState, TraceWriter};

fn surface(format: SurfaceFormat, base: u64) -> [u32; 16] {
    use texwire::state::{ChannelSelect, SurfaceState, SurfaceType};
    let mut state = SurfaceState::default();
    state.set_surface_type(SurfaceType::D2).set_format(format);
    state.set_width(8).unwrap().set_height(4).unwrap().set_depth(1).unwrap().set_pitch(32).unwrap();
    state.set_halign(4).set_valign(4).set_base_address(base);
    state.set_channel_select([
        ChannelSelect::Red,
        ChannelSelect::Green,
        ChannelSelect::Blue,
        ChannelSelect::Alpha,
    ]);
    state.dwords
}

fn jobs() -> Vec<Job> {
    let texels = |seed: u8| (0..128u8).map(|i| i.wrapping_mul(37).wrapping_add(seed)).collect();
    let job = |op: &str, simd: u8, params: usize, seed: u8| Job {
        op: op.into(),
        simd,
        lanes: 0xa5ff,
        params: (0..params)
            .map(|p| (0..simd).map(|lane| (f32::from(lane) / 11.0 - 0.2 * p as f32).to_bits()).collect())
            .collect(),
        half_params: false,
        half_return: simd == 16,
        channels: 0b1011,
        gather: 2,
        offsets: [1, -2, 0],
        null_mask: seed == 9,
        kill_mask: false,
        platform: 11,
        surface: surface(SurfaceFormat::R8G8B8A8_UNORM, 0x1_0000 * u64::from(seed)),
        sampler: [0; 4],
        border: [0x3f80_0000, 0, 0, 0x3f80_0000],
        palette: vec![],
        memory: vec![Region { address: 0x1_0000 * u64::from(seed), bytes: texels(seed) }].into(),
        null_pages: if seed == 9 { vec![(0x9_0000, 16)] } else { vec![] },
        precision: if seed == 5 { Precision::Fixed8 } else { Precision::Float },
        cps: None,
    };
    let entries = |seed: u32| (0..256).map(|i: u32| (i ^ seed).wrapping_mul(0x0103_0709)).collect();
    let indexed = |format, seed: u8| Job {
        surface: surface(format, 0x1_0000 * u64::from(seed)),
        palette: entries(seed.into()),
        ..job("sample_lz", 8, 2, seed)
    };
    vec![
        job("sample_lz", 8, 2, 1),
        indexed(SurfaceFormat::P8_UNORM_PALETTE1, 3),
        indexed(SurfaceFormat::A8P8_UNORM_PALETTE0, 4),
        indexed(SurfaceFormat::P8_UNORM_PALETTE1, 4),
        job("sample", 16, 2, 2),
        Job { cps: Some(1.25_f32.to_bits()), ..job("sample", 8, 2, 2) },
        Job { cps: Some((-0.5_f32).to_bits()), ..job("LOD", 8, 2, 2) },
        job("sample", 16, 2, 1),
        job("gather4", 8, 2, 1),
        job("sample_l", 16, 3, 5),
        job("sample_lz", 8, 2, 9),
        job("resinfo", 8, 1, 2),
        job("sampleinfo", 8, 0, 2),
    ]
}

/// What is recorded replays equal, and the state of the trace gives the same jobs.
#[test]
fn jobs_replay() {
    let jobs = jobs();
    let mut trace = TraceWriter::new(Vec::new());
    for job in &jobs {
        let outcome = CoreEngine.execute(job).unwrap().unwrap();
        trace.job(job, &outcome).unwrap();
    }
    let stream = trace.finish().unwrap();
    let mut memory = [0; 4096];
    let mut replay = Replay::<16, 16>::new(&mut memory);
    let mut state = TraceState::default();
    let mut decoder = Decoder::<MAX_FRAME>::new();
    let (mut compared, mut seen) = (0, 0);
    for mut chunk in stream.chunks(13) {
        while let Some(event) = decoder.feed(&mut chunk) {
            let Event::Frame { frame, .. } = event else { panic!("{event:?}") };
            let record = frame.record().unwrap().unwrap();
            state.record(&record);
            if record.kind().is_message() {
                let job = state.job(&record).unwrap().unwrap();
                let mut original = jobs[seen].clone();
                // A message carries a gather channel only when it gathers; a query has no sampler.
                original.gather = if original.op == "gather4" { original.gather } else { 0 };
                original.channels = if original.op == "gather4" { 15 } else { original.channels };
                original.lanes &= (1u32 << original.simd) - 1;
                let fields = |job: &Job| {
                    (
                        job.op.clone(),
                        job.params.clone(),
                        job.offsets,
                        job.gather,
                        job.channels,
                        job.lanes,
                        job.surface,
                        job.cps,
                    )
                };
                assert_eq!(fields(&job), fields(&original));
                let executed = execute_on(&job, state.memory()).unwrap();
                assert_eq!(executed, CoreEngine.execute(&jobs[seen]).unwrap().unwrap());
                seen += 1;
            }
            match replay.record(&record).unwrap() {
                Step::Compared(comparison) => {
                    assert_eq!(comparison.difference(), None, "{}", jobs[seen - 1].op);
                    compared += 1;
                }
                Step::Missing { table, slot } => panic!("{table:?} {slot}"),
                _ => {}
            }
        }
    }
    assert_eq!((seen, compared), (jobs.len(), jobs.len()));
}

/// Parameters of a job that have more or fewer lanes than its message are recorded as the message has them.
#[test]
fn parameters_are_recorded_for_the_lanes_of_the_message() {
    let stream = |lanes: &[usize], visa: bool| {
        let mut job = jobs().swap_remove(0);
        for (count, param) in lanes.iter().flat_map(|count| [(*count, 0), (*count, 1)]) {
            job.params[param].resize(count, 0);
        }
        let outcome = CoreEngine.execute(&job).unwrap().unwrap();
        let mut trace = TraceWriter::new(Vec::new());
        let written = if visa { trace.visa_job(&job, &outcome) } else { trace.job(&job, &outcome) };
        written.map(|()| trace.finish().unwrap()).unwrap()
    };
    for visa in [false, true] {
        assert!(stream(&[9], visa) == stream(&[8], visa));
        assert!(stream(&[5], visa) == stream(&[5, 8], visa));
    }
}

/// A job without parameters has coordinates of 0. A vISA instruction says them: with no parameter it is illegal.
#[test]
fn a_job_without_parameters_replays() {
    let mut job = jobs().swap_remove(0);
    job.params.clear();
    let outcome = CoreEngine.execute(&job).unwrap().unwrap();
    for visa in [false, true] {
        let mut trace = TraceWriter::new(Vec::new());
        let written = if visa { trace.visa_job(&job, &outcome) } else { trace.job(&job, &outcome) };
        written.unwrap();
        assert!(replays(&trace.finish().unwrap()), "visa {visa}");
    }
}

/// The state of a stream is followed as a replay does.
#[test]
fn what_is_written_replays_and_covers() {
    let mut writer = TraceWriter::new(Vec::new());
    write(&mut writer, 3, 400).unwrap();
    let stream = writer.finish().unwrap();
    assert!(replays(&stream));
    let coverage = Coverage::of(&stream, |at, why| panic!("{at:#x}: {why}"));
    assert!(coverage.0["gen op"].len() > 15 && coverage.0["visa op"].len() > 15, "{coverage:?}");
    assert_eq!(coverage.0["txq op"].len(), 3);
    // Streams one after the other: state does not leak from one into the next.
    let mut state = TraceState::default();
    let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
    let mut rest = stream.as_slice();
    while let Some(event) = decoder.feed(&mut rest) {
        let Some(record) = state.event(&event) else { panic!("{event:?}") };
        if let Some(job) = record.kind().is_message().then(|| state.job(&record).unwrap()).flatten() {
            let pieces = state.memory().pieces();
            assert!(!job.op.is_empty() && pieces <= MOST_RUNS, "{pieces} pieces");
        }
        assert!(matches!(event, Event::Frame { lost: 0, .. }));
    }
}
