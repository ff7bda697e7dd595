//! The firmware example in QEMU gives the host's results, bit for bit.
//!
//! Ignored by default: needs QEMU, defmt-print and a toolchain for the targets; see
//! `firmware-example/README.md`. Not so [`the_trace_covers_everything`] and [`messages_of_kernels_replay`].

use std::path::{Path, PathBuf};
use std::process::Command;
use texwire::trace::replay::{Replay, Step};
use texwire::trace::{Counts, Decoder, Event, MAX_FRAME, Record, Writer};
use texwire_harness::containers::device_binary::DeviceBinary;
use texwire_harness::engine::Precision;
use texwire_harness::image_argument;
use texwire_harness::machine::case::LaunchCase;
use texwire_harness::machine::launch::{LaunchOptions, launch};
use texwire_harness::run::kernel_run;
use texwire_harness::trace_file::TraceWriter;
use texwire_harness::trace_file::coverage::Coverage;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../firmware-example")
}

fn trace() -> Vec<u8> {
    std::fs::read(example().join("trace.twt")).unwrap()
}

/// Most stack of one message, bytes: decoding, binding, execution and the trace's frame.
const STACK_BUDGET: usize = 3072;

/// The number after `stack: ` in the log.
fn stack(log: &[String]) -> usize {
    let line = log.iter().find_map(|line| line.split_once("stack: ")).expect("a line about the stack").1;
    line.split(' ').next().and_then(|bytes| bytes.parse().ok()).expect("bytes of stack")
}

/// Runs a program: its log, line by line, and whether it ended well.
fn firmware(args: &[&str]) -> (Vec<String>, bool) {
    let output = Command::new(example().join("run-qemu.sh"))
        .args(args)
        // Names of inputs are relative to the caller's folder, not to the script's.
        .current_dir(std::env::temp_dir())
        // What cargo sets for this test is not meant for another toolchain.
        .env_remove("LD_LIBRARY_PATH")
        .env_remove("CARGO")
        .output()
        .unwrap();
    let log: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    eprintln!("{}", String::from_utf8_lossy(&output.stderr));
    let told = ["stream: ", "cost: ", "stack: ", "summary: "];
    for line in log.iter().filter(|line| told.iter().any(|word| line.contains(word))) {
        eprintln!("{}: {line}", args[0]);
    }
    (log, output.status.success())
}

/// The host's results as the firmware logs them, the counts, and how many writebacks were equal.
fn host(stream: &[u8]) -> (Vec<String>, Counts, usize) {
    let mut memory = vec![0; 4 << 20];
    let mut replay = Box::new(Replay::<32, 256>::new(&mut memory));
    let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
    let mut results = Vec::new();
    let mut equal = 0;
    let mut rest = stream;
    while let Some(event) = decoder.feed(&mut rest) {
        let at = match event {
            Event::Frame { at, .. } => at,
            Event::Dropped { .. } => 0,
        };
        match replay.event(&event) {
            Ok(Step::Executed(executed)) => {
                let bytes: Vec<_> = executed.writeback.iter().map(|byte| format!("{byte:02x}")).collect();
                results.push(format!("result {at} faults {:x} out [{}]", executed.faults, bytes.join(", ")));
            }
            Ok(Step::Compared(comparison)) => equal += usize::from(comparison.is_equal()),
            _ => {}
        }
    }
    decoder.finish();
    (results, decoder.counts(), equal)
}

fn results(log: &[String]) -> Vec<String> {
    log.iter().filter_map(|line| line.find("result ").map(|at| line[at..].trim_end().to_owned())).collect()
}

fn stream_line(counts: &Counts) -> String {
    format!(
        "stream: {} bytes, {} frames, {} damaged, {} oversized, {} lost, {} unknown, {} bytes dropped",
        counts.bytes,
        counts.frames,
        counts.damaged,
        counts.oversized,
        counts.lost,
        counts.unknown,
        counts.dropped_bytes
    )
}

fn contains(log: &[String], text: &str) -> bool {
    log.iter().any(|line| line.contains(text))
}

/// What runs on bare metal touches every operation of every wire, every format, and every family of formats with
/// every operation; its recorded results are those of the host.
#[test]
fn the_trace_covers_everything() {
    let coverage = Coverage::of(&trace(), |at, why| panic!("{at:#x}: {why}"));
    coverage.lines().iter().for_each(|line| println!("{line}"));
    assert_eq!(coverage.missing(), []);
    let (results, counts, equal) = host(&trace());
    assert_eq!((counts.lost, counts.dropped_bytes, counts.unknown), (0, 0, 0));
    assert_eq!(equal, results.len());
}

/// Messages of each launch in a trace of kernels at most.
const MESSAGES: usize = 20;

/// Runs every kernel of a binary of the corpus on small pictures: a trace of the sampler messages that it sent.
fn kernel_trace(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let file = std::fs::read(path).unwrap();
    let binary = DeviceBinary::parse(&file).unwrap();
    let picture =
        image::RgbaImage::from_fn(16, 6, |x, y| image::Rgba([(x * 16) as u8, (y * 40) as u8, 90, 200]));
    let mut trace = TraceWriter::new(Vec::new());
    trace.header(binary.platform().unwrap(), Precision::Float).unwrap();
    for kernel in &binary.kernels {
        let contents = |kind| {
            image_argument::contents(kind, std::slice::from_ref(&picture))
                .ok_or_else(|| "no picture".to_owned())
        };
        let done = kernel_run::run(&binary, kernel, picture.dimensions(), &contents).unwrap();
        for outcome in &done.outcomes {
            let step = outcome.records.len().div_ceil(MESSAGES);
            kernel_run::write_trace(&mut trace, outcome, step).unwrap();
        }
    }
    trace.finish().unwrap()
}

/// The sampler messages of every bundled case of whole kernels, on both platforms: a trace of each.
fn case_traces() -> Vec<(String, Vec<u8>)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/kernels");
    let mut traces = Vec::new();
    let mut cases: Vec<_> =
        std::fs::read_dir(corpus.join("cases")).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    for path in cases {
        let text = std::fs::read(&path).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&text).unwrap();
        let case = LaunchCase::parse(&text).unwrap();
        for device in ["skl", "icllp"] {
            let file = std::fs::read(corpus.join(json["bin"][device].as_str().unwrap())).unwrap();
            let binary = DeviceBinary::parse(&file).unwrap();
            let kernel = binary.kernels.iter().find(|kernel| kernel.name == case.kernel).unwrap();
            let options = LaunchOptions { record: true, ..LaunchOptions::default() };
            let arguments = case.arguments().unwrap();
            let outcome = launch(&binary, kernel, &case.range(), &arguments, &options, &|_, _| {}).unwrap();
            if !outcome.records.is_empty() {
                let mut trace = TraceWriter::new(Vec::new());
                trace.header(binary.platform().unwrap(), Precision::Float).unwrap();
                kernel_run::write_trace(&mut trace, &outcome, 1).unwrap();
                traces.push((format!("{} {device}", case.kernel), trace.finish().unwrap()));
            }
        }
    }
    traces
}

/// Every sampler message of every case replays with the result that it had in the kernel.
#[test]
fn messages_of_all_cases_replay() {
    let mut messages = 0;
    for (name, stream) in case_traces() {
        let (results, counts, equal) = host(&stream);
        assert_eq!(equal, results.len(), "{name}");
        assert_eq!((counts.lost, counts.damaged, counts.dropped_bytes), (0, 0, 0), "{name}");
        messages += equal;
    }
    assert!(messages >= 900, "only {messages} messages");
}

/// What kernels sent, with the headers, registers and results that they had, replays with the same results.
#[test]
fn messages_of_kernels_replay() {
    for name in [
        "demo/demo.icllp.bin",
        "devicebin/bilinear.icllp.bin",
        "devicebin/conv3x3.icllp.bin",
        "devicebin/depth.icllp.bin",
        "devicebin/int_images.skl.bin",
        "devicebin/many_images.icllp.bin",
        "devicebin/mip_array.icllp.bin",
        "devicebin/mip_grad.skl.bin",
        "devicebin/mip_lod.skl.bin",
        "devicebin/msaa.icllp.bin",
        "devicebin/raymarch.icllp.bin",
        "devicebin/samplers20.icllp.bin",
        "devicebin/stackcall.icllp.bin",
    ] {
        let (results, counts, equal) = host(&kernel_trace(name));
        assert!(!results.is_empty(), "{name}: no message");
        assert_eq!(equal, results.len(), "{name}");
        assert_eq!((counts.lost, counts.damaged, counts.dropped_bytes), (0, 0, 0), "{name}");
    }
}

/// The same on a Cortex-M4F: sampler indices above 15, and multisampled images.
#[test]
#[ignore = "needs QEMU and a bare-metal toolchain"]
fn messages_of_kernels_on_the_m4() {
    for name in ["devicebin/samplers20.icllp.bin", "devicebin/msaa.icllp.bin", "devicebin/mip_grad.skl.bin"] {
        let stream = kernel_trace(name);
        let input = format!("texwire-kernels-{}", std::process::id());
        let path = std::env::temp_dir().join(&input);
        std::fs::write(&path, &stream).unwrap();
        let (log, _) = firmware(&["uart", &input]);
        std::fs::remove_file(&path).unwrap();
        let (expected, _, equal) = host(&stream);
        assert!(!expected.is_empty() && equal == expected.len(), "{name}");
        assert_eq!(results(&log), expected, "{name}");
    }
}

/// Bad usage is known before anything is built.
#[test]
#[cfg(unix)]
fn bad_usage_is_an_error() {
    for args in [&["uart"][..], &["uart", "nothing-of-this-name"], &["uart", "/"], &["replays"]] {
        let output = Command::new(example().join("run-qemu.sh")).args(args).output().unwrap();
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), why.starts_with("error: ")), (Some(2), true), "{args:?}: {why}");
    }
}

/// Replays the trace in the program: every result, count and byte as on the host.
fn replays(program: &str) {
    let (log, good) = firmware(&[program]);
    let (expected, counts, equal) = host(&trace());
    assert!(good && equal > 0 && equal == expected.len());
    assert_eq!(results(&log), expected);
    assert!(stack(&log) <= STACK_BUDGET, "{} bytes of stack, budget {STACK_BUDGET}", stack(&log));
    assert!(contains(&log, &stream_line(&counts)));
    assert!(contains(
        &log,
        &format!("summary: {equal} messages, {equal} equal, 0 different, 0 missing, 0 failed")
    ));
    assert!(contains(&log, " instructions, median "));
}

#[test]
#[ignore = "needs QEMU and a bare-metal toolchain"]
fn replay_equals_the_host() {
    replays("replay");
}

/// Integers only: every float operation is software.
#[test]
#[ignore = "needs QEMU and a bare-metal toolchain"]
fn riscv_equals_the_host() {
    replays("riscv");
}

/// The number of the frame after the last one of a stream.
fn next_number(stream: &[u8]) -> u16 {
    let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
    let (mut rest, mut next) = (stream, 0);
    while let Some(event) = decoder.feed(&mut rest) {
        if let Event::Frame { frame, .. } = event {
            next = frame.sequence.wrapping_add(1);
        }
    }
    next
}

#[test]
#[ignore = "needs QEMU and a bare-metal toolchain"]
fn uart_with_damage_equals_the_host() {
    // A flipped bit every 9000 bytes, a run taken out, a run of noise put in; then the end. QEMU's port is slow: the
    // front of the trace will do, cut between frames.
    let mut stream = trace();
    let cut = stream.iter().skip(150_000).position(|&byte| byte == 0).map_or(stream.len(), |at| 150_001 + at);
    stream.truncate(cut);
    let next = next_number(&stream);
    for at in (4500..stream.len()).step_by(9000) {
        stream[at] ^= 0x10;
    }
    drop(stream.drain(20_000..20_700));
    stream.splice(40_000..40_000, (0..900u16).map(|i| (i * 7) as u8));
    let mut frame = [0; 64];
    let mut writer = Writer::resume(&mut frame, next);
    writer.write(&Record::Text("end")).unwrap();
    // Ends what the damage may have left open.
    stream.push(0);
    stream.extend(writer.bytes());
    let path = std::env::temp_dir().join(format!("texwire-uart-{}", std::process::id()));
    std::fs::write(&path, &stream).unwrap();
    let (log, _) = firmware(&["uart", path.to_str().unwrap()]);
    std::fs::remove_file(&path).unwrap();
    let (expected, counts, _) = host(&stream);
    assert!(counts.damaged > 5 && (5..100).contains(&counts.lost) && !expected.is_empty());
    assert!(contains(&log, &stream_line(&counts)), "{}", stream_line(&counts));
    // What an error does not know is left out.
    assert!(!contains(&log, &u32::MAX.to_string()) && !contains(&log, "bit 255"));
    assert_eq!(results(&log), expected);
}

#[test]
#[ignore = "needs QEMU and a bare-metal toolchain"]
fn m0_decodes_every_message() {
    let (log, good) = firmware(&["decode"]);
    let (expected, ..) = host(&std::fs::read(example().join("demo.twt")).unwrap());
    assert!(good);
    assert!(contains(&log, &format!("summary: {} messages, 0 failed", expected.len())));
}
