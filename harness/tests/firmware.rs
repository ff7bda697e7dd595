//! The firmware example in QEMU gives the host's results, bit for bit.
//!
//! Ignored by default: needs QEMU, defmt-print and a toolchain for the target; see
//! `firmware-example/README.md`.

use std::path::{Path, PathBuf};
use std::process::Command;
use texwire::trace::replay::{Replay, Step};
use texwire::trace::{Counts, Decoder, MAX_FRAME};

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
        // What cargo sets for this test is not meant for another toolchain.
        .env_remove("LD_LIBRARY_PATH")
        .env_remove("CARGO")
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stdout);
    eprintln!("{}", String::from_utf8_lossy(&output.stderr));
    for line in log.lines().rev().take(3).collect::<Vec<_>>().into_iter().rev() {
        eprintln!("{line}");
    }
    (log.lines().map(str::to_owned).collect(), output.status.success())
}

/// The host's results as the firmware logs them, the counts, and how many writebacks were equal.
fn host(stream: &[u8]) -> (Vec<String>, Counts, usize) {
    let mut memory = vec![0; 4 << 20];
    let mut replay = Box::new(Replay::<32, 64>::new(&mut memory));
    let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
    let mut results = Vec::new();
    let mut equal = 0;
    let mut rest = stream;
    while let Some(event) = decoder.feed(&mut rest) {
        let at = match event {
            texwire::trace::Event::Frame { at, .. } => at,
            texwire::trace::Event::Dropped { .. } => 0,
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

#[test]
#[ignore = "needs QEMU and a bare-metal toolchain"]
fn replay_equals_the_host() {
    let (log, good) = firmware(&["replay"]);
    let (expected, counts, equal) = host(&trace());
    assert!(good && equal > 0 && equal == expected.len());
    assert_eq!(results(&log), expected);
    assert!(stack(&log) <= STACK_BUDGET, "{} bytes of stack, budget {STACK_BUDGET}", stack(&log));
    assert!(contains(&log, &stream_line(&counts)));
    assert!(contains(
        &log,
        &format!("summary: {equal} messages, {equal} equal, 0 different, 0 missing, 0 failed")
    ));
}

#[test]
#[ignore = "needs QEMU and a bare-metal toolchain"]
fn uart_with_damage_equals_the_host() {
    // A flipped bit every 9000 bytes, a run taken out, a run of noise put in.
    let mut stream = trace();
    for at in (4500..stream.len()).step_by(9000) {
        stream[at] ^= 0x10;
    }
    drop(stream.drain(20_000..20_700));
    stream.splice(40_000..40_000, (0..900u16).map(|i| (i * 7) as u8));
    let path = std::env::temp_dir().join(format!("texwire-uart-{}", std::process::id()));
    std::fs::write(&path, &stream).unwrap();
    let (log, _) = firmware(&["uart", path.to_str().unwrap()]);
    std::fs::remove_file(&path).unwrap();
    let (expected, counts, _) = host(&stream);
    assert!(counts.damaged > 5 && counts.lost > 5 && !expected.is_empty());
    assert!(contains(&log, &stream_line(&counts)), "{}", stream_line(&counts));
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
