//! `texwire kernel`: its options, on bundled kernels.

mod command;

use command::{corpus, texwire};
use std::path::Path;

/// A prefix sum of dwords: output, input, total; buffers of 128 bytes, `input` for the second one.
fn scan(input: &str, out: &Path, more: &[&str]) -> command::Said {
    let file = corpus("kernels/bin/mem_scan.skl.bin");
    let out = out.display().to_string();
    let launch = ["kernel", &file, "--global", "32", "--local", "32", "-o", &out, "--arg", "buffer:128"];
    texwire(&[&launch[..], &["--arg", input, "--arg", "buffer:16"], more].concat())
}

/// The first draws of a seed: xorshift32.
fn draws(seed: u32) -> Vec<u8> {
    let mut x = seed;
    let mut draw = || {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        x
    };
    (0..32).flat_map(|_| draw().to_le_bytes()).collect()
}

/// `buffer:BYTES,seed=N` has the draws of the seed, and the kernel works on them.
#[test]
fn seeded_buffers() {
    let folder = tempfile::tempdir().unwrap();
    for seed in [1, 7, u32::MAX] {
        let said = scan(&format!("buffer:128,seed={seed}"), folder.path(), &[]);
        assert_eq!((said.status, said.err.as_str()), (Some(0), ""));
        let input = std::fs::read(folder.path().join("arg1.bin")).unwrap();
        assert_eq!(input, draws(seed), "seed {seed}");
        let output = std::fs::read(folder.path().join("arg0.bin")).unwrap();
        let words = |bytes: &[u8]| -> Vec<u32> {
            bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
        };
        let mut sum = 0_u32;
        let sums: Vec<u32> = words(&input)
            .iter()
            .map(|word| {
                sum = sum.wrapping_add(*word);
                sum
            })
            .collect();
        assert_eq!(words(&output), sums, "seed {seed}");
    }
    // Bytes that are no whole dwords are the first ones.
    let said = scan("buffer:126,seed=7", folder.path(), &[]);
    assert_eq!(said.status, Some(0), "{}", said.err);
    assert_eq!(std::fs::read(folder.path().join("arg1.bin")).unwrap(), draws(7)[..126]);
    for (value, why) in [
        ("buffer:128,seed=0", "seed 0 (expected 1 or more)"),
        ("buffer:128,seed=x", "invalid digit found in string"),
    ] {
        let said = scan(value, folder.path(), &[]);
        let expected = format!("error: argument 1 at --arg {value}: {why}\n");
        assert_eq!((said.status, said.err), (Some(2), expected));
    }
}

/// `--break OFFSET` prints the registers that are not 0 each time that a thread gets there: local ids in r1 and r2.
#[test]
fn registers_at_an_offset() {
    let folder = tempfile::tempdir().unwrap();
    let said = scan("buffer:128", folder.path(), &["--break", "0x10"]);
    assert_eq!((said.status, said.err.as_str()), (Some(0), ""));
    let lines: Vec<&str> = said.out.lines().collect();
    assert!(
        lines.iter().any(|line| line.starts_with("thread 0 at 0x10 or: channels 0xffffffff, ")),
        "{}",
        said.out
    );
    let ids = |register: usize| {
        let at = |dword: usize| (register - 1) * 16 + dword * 2;
        let dwords = (0..8).map(|dword| format!("{:04x}{:04x}", at(dword) + 1, at(dword)));
        format!("  r{register:<3} {}", dwords.collect::<Vec<_>>().join(" "))
    };
    assert!(lines.contains(&ids(1).as_str()) && lines.contains(&ids(2).as_str()), "{}", said.out);
    // In decimal too. The first line names the folder, the last has a time.
    let decimal = scan("buffer:128", folder.path(), &["--break", "16"]);
    let decimal: Vec<&str> = decimal.out.lines().collect();
    let registers = 1..lines.len() - 1;
    assert_eq!(decimal.get(registers.clone()), lines.get(registers));
    let said = scan("buffer:128", folder.path(), &["--break", "0x12"]);
    assert_eq!(said.status, Some(2));
    assert!(
        said.err.starts_with("error: offset 0x12 to stop at: no instruction begins there"),
        "{}",
        said.err
    );
}

/// `--no-trace` leaves the trace out and changes no picture; the trace replays without a difference.
#[test]
fn trace_or_none() {
    let [with, without] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (file, picture) =
        (corpus("devicebin/bilinear.icllp.bin"), format!("image:{}", corpus("images/brick.png")));
    let run = |out: &Path, more: &[&str]| {
        let out = out.display().to_string();
        let launch =
            ["kernel", &file, "--global", "16,8", "-o", &out, "--arg", &picture, "--arg", "image:16x8"];
        let said = texwire(&[&launch[..], &["--arg", "float:0.0625", "--arg", "float:0.125"], more].concat());
        assert_eq!((said.status, said.err.as_str()), (Some(0), ""));
        said.out
    };
    assert!(run(with.path(), &[]).contains("8 sampler messages"));
    assert!(!run(without.path(), &["--no-trace"]).contains("messages"));
    let read = |folder: &Path| std::fs::read(folder.join("arg1.png")).unwrap();
    assert_eq!(read(with.path()), read(without.path()));
    assert!(!without.path().join("trace.twt").exists());
    let trace = with.path().join("trace.twt").display().to_string();
    let said = texwire(&["trace", "verify", &trace]);
    assert_eq!(said.status, Some(0), "{}{}", said.out, said.err);
}
