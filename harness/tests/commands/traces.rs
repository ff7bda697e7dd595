//! What `texwire trace` says of streams that are not whole, and what it costs.

use crate::command::{Said, cost, demo_trace, file, path_in, quiet, slack, texwire, texwire_reads};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::tempdir;
use texwire::Platform;
use texwire::trace::{Decoder, Event, MAX_FRAME, Record, StreamHeader, Writer, encoded_len};
use texwire_harness::core_engine::CoreEngine;
use texwire_harness::engine::{Engine, Job, Outcome};
use texwire_harness::generators::job::seeded;
use texwire_harness::generators::kinds::InputKind;
use texwire_harness::trace_file::TraceWriter;

/// A trace of some jobs, as the frames of its stream.
fn frames(jobs: usize) -> Vec<Vec<u8>> {
    let mut writer = TraceWriter::new(Vec::new());
    let mut seed = 0;
    while writer.messages() < jobs {
        seed += 1;
        let job = seeded(seed).unwrap();
        // A job with faults may start a new stream, where these tests want one.
        let clean = |outcome: &Outcome| outcome.faults == 0 && job.null_pages.is_empty();
        if let Some(outcome) = CoreEngine.execute(&job).ok().flatten().filter(clean) {
            let _ = writer.job(&job, &outcome);
        }
    }
    let stream = writer.finish().unwrap();
    stream.split_inclusive(|byte| *byte == 0).map(<[u8]>::to_vec).collect()
}

/// A tolerance by which everything or nothing would be equal is refused.
#[test]
fn a_tolerance_is_a_number() {
    let trace = demo_trace();
    let trace = trace.to_str().unwrap();
    for (tolerance, why) in [
        ("nan", "no finite number"),
        ("inf", "no finite number"),
        ("-1", "a tolerance is not negative"),
        ("much", "no number"),
    ] {
        let said = texwire(&["trace", "verify", "--tolerance", tolerance, trace]);
        assert!(said.status == Some(2) && said.err.contains(why), "{tolerance}: {said:?}");
    }
    assert_eq!(texwire(&["trace", "verify", "--tolerance", "1e-6", trace]).status, Some(0));
}

fn verify(trace: &str) -> (Said, Value) {
    let said = texwire(&["trace", "verify", "--json", trace]);
    let last = said.out.lines().last().map_or(Value::Null, |line| serde_json::from_str(line).unwrap());
    (said, last)
}

#[test]
fn whole_cut_repeated_swapped_and_lost_frames_are_told_apart() {
    let folder = tempdir().unwrap();
    let whole = frames(20);
    let check = |name: &str, frames: &[Vec<u8>], status: i32, counts: [u64; 3], says: &str| {
        let trace = file(&folder, name, frames.concat());
        let (said, total) = verify(&trace);
        assert_eq!(said.status, Some(status), "{name}: {said:?}");
        let found = ["lost", "repeated", "late"].map(|key| total["counts"][key].as_u64().unwrap());
        assert_eq!(found, counts, "{name}");
        assert!(said.out.contains(says), "{name}: {said:?}");
        // Replay and run say so as well.
        assert_eq!(texwire(&["trace", "replay", &trace]).status, Some(status), "{name}");
        assert_eq!(texwire(&["run", &trace]).status, Some(status), "{name}");
    };
    check("whole", &whole, 0, [0, 0, 0], "");
    let middle = whole.len() / 2;
    let edited = |edit: &dyn Fn(&mut Vec<Vec<u8>>)| {
        let mut frames = whole.clone();
        edit(&mut frames);
        frames
    };
    check("repeated", &edited(&|f| f.insert(middle, f[middle].clone())), 1, [0, 1, 0], "comes again");
    check("header repeated", &edited(&|f| f.insert(0, f[0].clone())), 1, [0, 1, 0], "comes again");
    check("swapped", &edited(&|f| f.swap(middle, middle + 1)), 1, [0, 0, 1], "comes late");
    check("lost", &edited(&|f| drop(f.remove(middle))), 1, [1, 0, 0], "1 frames lost");
    check("end missing", &edited(&|f| drop(f.pop())), 1, [0, 0, 0], "no end record");
    check("end and more missing", &edited(&|f| f.truncate(middle)), 1, [0, 0, 0], "no end record");
    check(
        "cut inside a frame",
        &edited(&|f| {
            f.pop();
            f.last_mut().unwrap().truncate(9);
        }),
        1,
        [0, 0, 0],
        "the stream ends inside a frame",
    );
}

/// 65536 frames less are no gap in numbers of 16 bits; the end record counts them.
#[test]
fn as_many_frames_as_there_are_numbers_are_missed() {
    let mut stream = Vec::new();
    let mut buffer = [0; 256];
    let header = StreamHeader::new(Platform::Gen11, false, false).with_end();
    for (number, record) in [
        (0, Record::Header(header)),
        (1, Record::Text("before")),
        (2, Record::Text("after")),
        (3, Record::End { frames: 65536 + 3 }),
    ] {
        let mut writer = Writer::resume(&mut buffer, number);
        writer.write(&record).unwrap();
        stream.extend_from_slice(writer.bytes());
    }
    let folder = tempdir().unwrap();
    let (said, _) = verify(&file(&folder, "t.twt", &stream));
    assert_eq!(said.status, Some(1));
    assert!(said.out.contains("3 frames before the end record, 65539 were sent"), "{said:?}");
}

/// Traces of older writers have no end record, and need none.
#[test]
fn an_older_trace_is_whole_without_an_end_record() {
    let trace = demo_trace();
    let stream = fs::read(&trace).unwrap();
    let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
    let mut rest = stream.as_slice();
    while let Some(event) = decoder.feed(&mut rest) {
        let Event::Frame { frame, .. } = event else { panic!() };
        assert!(!matches!(frame.record(), Ok(Some(Record::End { .. }))), "the demo has none");
    }
    let (said, _) = verify(trace.to_str().unwrap());
    assert_eq!((said.status, said.err.as_str()), (Some(0), ""));
}

#[test]
fn join_keeps_what_is_missing_visible() {
    let folder = tempdir().unwrap();
    let whole = frames(10);
    let out = path_in(&folder, "joined.twt");
    let good = file(&folder, "good.twt", whole.concat());
    let join = |inputs: &[&str]| {
        let mut args = vec!["trace", "join", "-o", out.as_str()];
        args.extend(inputs);
        texwire(&args)
    };
    let said = join(&[&good, &good]);
    assert_eq!((said.status, said.err.as_str()), (Some(0), ""));
    assert_eq!(fs::read(&out).unwrap(), whole.concat().repeat(2), "streams are joined as they are");
    assert_eq!(verify(&out).0.status, Some(0));
    let mut gap = whole.clone();
    gap.remove(5);
    let mut cut = whole.concat();
    cut.truncate(cut.len() - 3);
    // Without the frame that announces an end: nothing in the stream says that the last frame is missing.
    let older = fs::read(demo_trace()).unwrap();
    let older = &older[..older.len() - 3];
    for (name, bytes, says) in [
        ("gap.twt", gap.concat().as_slice(), "1 frames missing"),
        ("cut.twt", &cut, "the stream ends inside a frame"),
        ("older.twt", older, "the stream ends inside a frame"),
    ] {
        let bad = file(&folder, name, bytes);
        for inputs in [[bad.as_str(), &good], [&good, &bad]] {
            let said = join(&inputs);
            assert_eq!(said.status, Some(1), "{name} {said:?}");
            assert!(said.err.contains(says), "{name} {said:?}");
            assert_eq!(verify(&out).0.status, Some(1), "{name}: joined, it looks whole");
        }
    }
    // The halves of a stream make it whole again.
    let (first, second) = (file(&folder, "1", whole[..7].concat()), file(&folder, "2", whole[7..].concat()));
    assert_eq!(join(&[&first, &second]).status, Some(0));
    assert_eq!(fs::read(&out).unwrap(), whole.concat());
}

#[test]
fn nothing_verified_is_no_success() {
    let folder = tempdir().unwrap();
    let empty = file(&folder, "empty.twt", b"");
    let mut buffer = [0; 64];
    let mut writer = Writer::new(&mut buffer);
    writer.write(&Record::Text("no message")).unwrap();
    let text = file(&folder, "text.twt", writer.bytes());
    for trace in [&empty, &text] {
        for command in ["verify", "replay"] {
            let said = texwire(&["trace", command, trace]);
            assert_eq!(said.status, Some(2), "{said:?}");
            assert!(said.err.starts_with("error: nothing done at "), "{said:?}");
        }
    }
}

/// A trace: memory records (16 bytes each, at most), then a header and state of a message and its writeback, again and again.
fn with_memory(addresses: impl Iterator<Item = u64>, bytes: &[u8]) -> Vec<u8> {
    let mut stream = Vec::new();
    let mut buffer = vec![0; encoded_len(MAX_FRAME)];
    let mut sequence = 0;
    let mut put = |record: &Record<'_>| {
        let mut writer = Writer::resume(&mut buffer, sequence);
        writer.write(record).unwrap();
        sequence = writer.sequence();
        stream.extend_from_slice(writer.bytes());
    };
    put(&Record::Header(StreamHeader::new(Platform::Gen11, true, false)));
    for address in addresses {
        put(&Record::Memory { address, bytes });
    }
    let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
    let demo = fs::read(demo_trace()).unwrap();
    let mut rest = demo.as_slice();
    while let Some(event) = decoder.feed(&mut rest) {
        let Event::Frame { frame, .. } = event else { panic!() };
        if let Ok(Some(record)) = frame.record()
            && !matches!(record, Record::Header(_))
        {
            put(&record);
        }
    }
    stream
}

/// 100,000 records in any order, each on its own or side by side: far more regions than the core's fixed tables hold.
#[test]
fn many_memory_records_are_quick() {
    const COUNT: u64 = 100_000;
    let folder = tempdir().unwrap();
    let place = |n: u64| 0x100_0000_0000 + n * 16;
    type Order = fn(u64) -> u64;
    let orders: [(&str, Order); 4] =
        [("up", |n| n), ("down", |n| COUNT - 1 - n), ("mixed", |n| n * 60_013 % COUNT), ("apart", |n| n * 3)];
    for (name, order) in orders {
        let trace = file(&folder, name, with_memory((0..COUNT).map(|n| place(order(n))), &[7; 16]));
        let (said, total) = verify(&trace);
        assert_eq!(said.status, Some(0), "{name}: {said:?}");
        assert_eq!(total["tally"]["failed"], 0);
        // 0.1 s of an optimised program.
        let seconds = cost("trace verify {}", Path::new(&trace), Path::new(""));
        assert!(seconds < if quiet() { 2.0 } else { 6.0 }, "{name}: {seconds} s");
    }
}

/// `run` reads a trace for each engine, which a pipe does not allow: its bytes are gone after the first time.
#[cfg(unix)]
#[test]
fn run_refuses_a_trace_from_a_pipe() {
    let demo = fs::read(demo_trace()).unwrap();
    let said = texwire_reads(&["run", "/dev/stdin"], &demo);
    assert_eq!((said.status, said.out.as_str()), (Some(2), ""), "{said:?}");
    assert!(said.err.starts_with("error: cannot replay /dev/stdin: it is read several times"), "{said:?}");
}

/// What cannot be followed is told, and all else is counted.
#[test]
fn the_coverage_of_a_damaged_trace_says_so() {
    let folder = tempdir().unwrap();
    let demo = fs::read(demo_trace()).unwrap();
    let whole = texwire(&["trace", "coverage", &file(&folder, "whole.twt", &demo)]);
    assert!(!whole.err.contains("cannot follow"), "{whole:?}");
    let mut damaged = demo.clone();
    let middle = demo.len() / 2;
    damaged[middle] ^= 0x55;
    for (name, bytes, why) in [
        ("damaged.twt", &damaged[..], " bytes dropped: "),
        ("cut.twt", &demo[..middle], "the stream ends inside a frame"),
    ] {
        let trace = file(&folder, name, bytes);
        let said = texwire(&["trace", "coverage", &trace]);
        let start = format!("error: cannot follow {trace} at 0x");
        assert!(said.err.lines().any(|line| line.starts_with(&start) && line.contains(why)), "{said:?}");
        assert_eq!(said.status, Some(1), "{said:?}");
        assert!(said.out.contains("gen op ("), "{said:?}");
    }
}

/// A message after each memory record: what one costs does not grow with the memory.
#[test]
fn messages_do_not_copy_the_memory() {
    let mut writer = TraceWriter::new(Vec::new());
    let mut job = (1..).map(|seed| seeded(seed).unwrap());
    let can_be_recorded = |job: &Job| {
        let outcome = CoreEngine.execute(job).ok().flatten();
        outcome.is_some_and(|outcome| TraceWriter::new(Vec::new()).job(job, &outcome).is_ok())
    };
    let mut job = job.find(|job| job.memory.len() == 1 && can_be_recorded(job));
    let job = job.as_mut().unwrap();
    let outcome = CoreEngine.execute(job).unwrap().unwrap();
    for number in 0..2000 {
        let address = 0x700_0000_0000 - number * 8192;
        writer.memory(address, &[number as u8; 8192]).unwrap();
        writer.job(job, &outcome).unwrap();
    }
    let folder = tempdir().unwrap();
    let trace = file(&folder, "t.twt", writer.finish().unwrap());
    for args in [["trace", "verify", &trace].as_slice(), &["trace", "coverage", &trace]] {
        let start = Instant::now();
        let said = texwire(args);
        assert!(said.status.is_some_and(|status| status < 2), "{said:?}");
        assert!(start.elapsed() < Duration::from_secs(30), "{args:?}: {:?}", start.elapsed());
    }
}

/// Twice the trace takes twice the time, on a quiet machine at 30 MB/s of a processor or more, on all of them, in the same memory.
#[test]
#[cfg(target_os = "linux")]
fn verification_is_linear_on_all_processors_in_flat_memory() {
    const MB: usize = 1 << 20;
    let folder = tempdir().unwrap();
    let demo = fs::read(demo_trace()).unwrap();
    let [small, large] =
        [16, 64].map(|size| file(&folder, &size.to_string(), demo.repeat(size * MB / demo.len())));
    let mut best = [f64::INFINITY; 2];
    let well = (0..6).any(|_| {
        for (best, trace) in best.iter_mut().zip([&small, &large]) {
            *best = best.min(cost("trace verify {}", Path::new(trace), Path::new("")));
        }
        best[1] <= best[0] * 4.0 * slack(4.0) && best[1] <= 64.0 / if quiet() { 30.0 } else { 10.0 }
    });
    assert!(well, "{best:?} s of a processor for 16 and 64 MB");

    let mut child = crate::command::command()
        .args(["trace", "verify", &large])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let (mut threads, mut memory) = (0, 0);
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let number = |key: &str| -> Option<u64> {
            status.lines().find_map(|line| line.strip_prefix(key))?.split_whitespace().next()?.parse().ok()
        };
        threads = threads.max(number("Threads:").unwrap_or(0));
        memory = memory.max(number("VmHWM:").unwrap_or(0));
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(child.wait().unwrap().success());
    let processors = std::thread::available_parallelism().unwrap().get() as u64;
    assert!(threads > processors, "{threads} threads");
    assert!((1..32 << 10).contains(&memory), "{memory} KB for 64 MB of trace");
}

/// Ties of filters are no disagreement with the emulator: they are counted.
#[test]
fn lanes_at_a_decision_boundary_are_told_from_disagreements() {
    let trace = demo_trace().with_file_name("trace.twt").display().to_string();
    let said = texwire(&["trace", "verify", "--engine", "emulator", "--json", &trace]);
    assert_eq!(said.status, Some(0), "{said:?}");
    let total: Value = serde_json::from_str(said.out.lines().last().unwrap()).unwrap();
    let tally = &total["tally"];
    assert_eq!((&tally["different"], &tally["equal"]), (&0.into(), &tally["executed"]));
    assert!(tally["boundary_lanes"].as_u64().unwrap() > 0, "{tally}");
    let said = texwire(&["run", &trace]);
    assert_eq!(said.status, Some(0), "{said:?}");
    assert!(said.out.contains("lanes equal at a decision boundary"), "{said:?}");
}

/// The memory of a trace is held once, however often it is written.
#[test]
#[cfg(target_os = "linux")]
fn memory_is_held_once() {
    let folder = tempdir().unwrap();
    let place = |n: u64| 0x100_0000_0000 + n % 16_384 * 1024;
    // 16 MB, three times, the second and third time from the end.
    let order = (0..16_384).chain((0..32_768).rev()).map(place);
    let trace = file(&folder, "t.twt", with_memory(order, &[7; 1024]));
    let limits = "ulimit -d 100000; exec \"$0\" trace verify --json \"$1\"";
    let said = crate::command::said(std::process::Command::new("bash").args([
        "-c",
        limits,
        env!("CARGO_BIN_EXE_texwire"),
        &trace,
    ]));
    assert_eq!(said.status, Some(0), "{said:?}");
    let mut child = crate::command::command()
        .args(["trace", "verify", &trace])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut memory = 0;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok());
        memory = memory.max(peak.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(1));
    }
    // Twice the live bytes, and the program itself.
    assert!((1..(2 * 16 + 24) << 10).contains(&memory), "{memory} KB");
}

#[test]
fn the_threads_of_a_verification_find_the_same() {
    let folder = tempdir().unwrap();
    let mut stream = frames(300).concat();
    // Some damage here and there.
    for at in (3000..stream.len()).step_by(17_000) {
        stream[at] ^= 0x40;
    }
    let trace = file(&folder, "t.twt", &stream);
    let (said, total) = verify(&trace);
    assert_eq!(said.status, Some(1));
    // One message after the other, in this process.
    let mut memory = vec![0; 64 << 20];
    let mut replay = Box::new(texwire::trace::replay::Replay::<512, 1024>::new(&mut memory));
    let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
    let mut rest = stream.as_slice();
    let (mut executed, mut equal) = (0, 0);
    while let Some(event) = decoder.feed(&mut rest) {
        match replay.event(&event) {
            Ok(texwire::trace::replay::Step::Executed(_)) => executed += 1,
            Ok(texwire::trace::replay::Step::Compared(comparison)) => {
                equal += u64::from(comparison.is_equal())
            }
            _ => {}
        }
    }
    assert_eq!((&total["tally"]["executed"], &total["tally"]["equal"]), (&executed.into(), &equal.into()));
    assert!(executed > 100);
}

/// Each job replays with its own memory, also where lanes leave it: what earlier ones had is gone. Among the jobs are kill masks with few
/// channels, and (the last one) a palette format without entries.
#[test]
fn recorded_jobs_verify_whatever_was_before() {
    let folder = tempdir().unwrap();
    for (kind, seed, numbers) in [("job-plain", 9, 0..600), ("job", 1, 0..60), ("job", 4, 251..252)] {
        let jobs: Vec<u8> =
            numbers.flat_map(|number| InputKind::find(kind).unwrap().make(seed, number)).collect();
        let (jobs, trace) = (file(&folder, "jobs", &jobs), file(&folder, "t.twt", b""));
        // Some jobs are refused, and say so; the others are in the trace.
        let recorded = texwire(&["trace", "record", &jobs, "-o", &trace]);
        assert!(recorded.out.contains(" messages in "), "{recorded:?}");
        let said = texwire(&["trace", "verify", &trace]);
        assert_eq!(said.status, Some(0), "{kind}: {said:?}");
        assert!(said.out.contains(" equal, 0 different, 0 without a message"), "{kind}: {said:?}");
    }
}

/// Jobs without faults share a stream: only what a replay could mistake starts a new one.
#[test]
fn jobs_without_faults_share_a_stream() {
    let stream = frames(20).concat();
    let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
    let (mut rest, mut starts) = (&stream[..], 0);
    while let Some(event) = decoder.feed(&mut rest) {
        let Event::Frame { frame, .. } = event else { continue };
        starts += usize::from(frame.sequence == 0 && matches!(frame.record(), Ok(Some(Record::Header(_)))));
    }
    assert_eq!(starts, 1);
}
