//! `texwire kernel`: its options, on bundled kernels.

use crate::command::{corpus, texwire};
use std::path::Path;

/// A prefix sum of dwords: output, input, total; buffers of 128 bytes, `input` for the second one.
fn scan(input: &str, out: &Path, more: &[&str]) -> crate::command::Said {
    let file = corpus("kernels/bin/mem_scan.skl.bin");
    let out = out.display().to_string();
    let launch = ["kernel", &file, "--global", "32", "--local", "32", "-o", &out, "--arg", "buffer:128"];
    texwire(&[&launch[..], &["--arg", input, "--arg", "buffer:16"], more].concat())
}

/// Arguments that the kernel does not take are ignored with a warning.
#[test]
fn surplus_arguments_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let said = scan("buffer:128", folder.path(), &["--arg", "int:5", "--arg", "int:6"]);
    let warning = "warning: --arg int:5 is ignored: mem_scan takes 3 arguments\n";
    assert_eq!((said.status, said.err.as_str()), (Some(0), warning));
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

/// A launch of a bundled case whose device binary was changed: its code, or the whole file.
fn changed(
    name: &str,
    change: impl Fn(&mut Vec<u8>, std::ops::Range<usize>),
    more: &[&str],
) -> crate::command::Said {
    let folder = tempfile::tempdir().unwrap();
    let mut file = std::fs::read(corpus(&format!("kernels/bin/{name}.icllp.bin"))).unwrap();
    let binary = texwire_harness::containers::device_binary::DeviceBinary::parse(&file).unwrap();
    let code = binary.kernels[0].heap.clone();
    change(&mut file, code);
    let path = folder.path().join("changed.bin");
    std::fs::write(&path, &file).unwrap();
    let (path, out) = (path.display().to_string(), folder.path().join("out.json").display().to_string());
    let case = corpus(&format!("kernels/cases/{name}.json"));
    texwire(&[&["kernel", &path, "--case", &case, "-o", &out], more].concat())
}

/// Replaces the instruction at the start of the code by words of 32 bits.
fn first_instruction(words: [u32; 4]) -> impl Fn(&mut Vec<u8>, std::ops::Range<usize>) {
    move |file, code| {
        for (at, word) in words.iter().enumerate() {
            file[code.start + at * 4..][..4].copy_from_slice(&word.to_le_bytes());
        }
    }
}

/// Whatever is wrong with a kernel: exit status 2 and one line that says what, where and why.
#[test]
fn every_fault_has_its_line() {
    let start = "at kernel aes_rounds, offset 0x0, group (0, 0, 0), thread 0";
    let cases: [(&str, [u32; 4], String); 5] = [
        (
            "an opcode that does not exist",
            [0x35, 0, 0, 0],
            format!("error: undecodable instruction {start}: unknown opcode 0x35"),
        ),
        (
            "an instruction that stops the thread",
            [0, 0, 0, 0],
            format!("error: illegal instruction {start}: the opcode stops the thread"),
        ),
        // while (1) with a distance of 0: for ever.
        (
            "an endless loop",
            [0x27 | 4 << 21, 0, 0, 0],
            format!("error: thread runs too long {start}: 5000 instructions (--max-instructions)"),
        ),
        (
            "a jump outside",
            [0x27 | 4 << 21, 0, 0, 0x4000_0000],
            format!(
                "error: jump outside the program {start}: no instruction begins at the target of the jump from 0x0"
            ),
        ),
        (
            "a message of no known function",
            [0x31 | 3 << 21 | 0xf << 24, 1 << 9, 0, 0x0210_0000],
            format!("error: unsupported message {start}: "),
        ),
    ];
    for (what, words, line) in cases {
        let said = changed("aes_rounds", first_instruction(words), &["--max-instructions", "5000"]);
        assert_eq!(said.status, Some(2), "{what}: {}", said.err);
        assert!(said.err.starts_with(&line) && said.err.lines().count() == 1, "{what}: {}", said.err);
    }
    // The code ends in the middle of an instruction.
    let said = changed(
        "aes_rounds",
        |file, code| {
            // A jump to the last instruction, which is cut by an opcode of 16 bytes at the last 8.
            for at in (code.start..code.end).step_by(8) {
                file[at..at + 8].copy_from_slice(&(0x7e_u64 | 1 << 29).to_le_bytes());
            }
            file[code.end - 8..code.end].copy_from_slice(&0x7e_u64.to_le_bytes());
        },
        &[],
    );
    assert_eq!(said.status, Some(2));
    assert!(said.err.contains("the code is cut off at 0x"), "{}", said.err);
}

/// Arguments that the kernel does not take: which one, what it is, what the kernel wants.
#[test]
fn wrong_arguments_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let file = corpus("kernels/bin/mem_scan.skl.bin");
    let run = |more: &[&str]| {
        let said = texwire(&[&["kernel", &file, "-o", &out], more].concat());
        assert_eq!(said.status, Some(2), "{more:?}: {}", said.out);
        said.err
    };
    let three = ["--arg", "buffer:128", "--arg", "buffer:128", "--arg"];
    for (more, line) in [
        (vec![], "error: bad usage at --global: missing (or --case)\n"),
        (vec!["--global", "32"], "error: argument 0: missing (0 given)\n"),
        (vec!["--global", "0"], "error: argument 0: missing (0 given)\n"),
        (
            [&["--global", "32"][..], &three, &["int:5"]].concat(),
            "error: argument 2: a value (the kernel takes a buffer)\n",
        ),
        (
            [&["--global", "32"][..], &three, &["local:5"]].concat(),
            "error: argument 2: local memory (the kernel takes a buffer)\n",
        ),
        (
            [&["--global", "32"][..], &three, &["image:4x4"]].concat(),
            "error: argument 2: an image (the kernel takes a buffer)\n",
        ),
        (
            [&["--global", "32"][..], &three, &["buffer:x"]].concat(),
            "error: argument 2 at --arg buffer:x: invalid digit found in string\n",
        ),
        (
            [&["--global", "32"][..], &three, &["thing:1"]].concat(),
            "error: argument 2 at --arg thing:1: unknown kind thing\n",
        ),
        (
            [&["--global", "32"][..], &three, &["uchar:256"]].concat(),
            "error: argument 2 at --arg uchar:256: 256 has more than 8 bits\n",
        ),
        (
            [&["--global", "32"][..], &three, &["long:1,-9223372036854775809"]].concat(),
            "error: argument 2 at --arg long:1,-9223372036854775809: -9223372036854775809 has more than 64 bits\n",
        ),
        (
            [&["--global", "32"][..], &three, &["sampler:clamp,linear,texels,more"]].concat(),
            "error: argument 2 at --arg sampler:clamp,linear,texels,more: unknown option more (expected texels)\n",
        ),
        (
            [&["--global", "32", "--local", "5000"][..], &three, &["buffer:16"]].concat(),
            "error: local size: 5000 work items (expected 1 to 4096)\n",
        ),
        (
            [&["--global", "32", "--name", "other"][..], &three, &["buffer:16"]].concat(),
            "error: unknown kernel at --name: other (the binary has mem_scan)\n",
        ),
    ] {
        if more == ["--global", "0"] {
            assert!(run(&more).starts_with("error: global size: "));
        } else {
            assert_eq!(run(&more), line, "{more:?}");
        }
    }
}

/// A value that is shorter than the argument: its last bytes would be 0.
#[test]
fn short_values_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let file = corpus("demo/demo.icllp.bin");
    let args = ["kernel", &file, "-o", &out, "--name", "nearest", "--global", "4,4", "--no-trace"];
    for (value, status, said) in [
        ("float:0.5", 2, "error: argument 2: 4 of the 8 bytes that the kernel reads\n"),
        ("hex:", 2, "error: argument 2: 0 of the 8 bytes that the kernel reads\n"),
        ("float:0.5,0.5", 0, ""),
    ] {
        let images = ["--arg", "image:4x4", "--arg", "image:4x4", "--arg", value];
        let found = texwire(&[&args[..], &images].concat());
        assert_eq!((found.status, found.err.as_str()), (Some(status), said), "{value}");
    }
}

/// A file that is cut before the kernel says so, with the offset of the cut.
#[test]
fn cut_files_say_where() {
    let whole = std::fs::read(corpus("kernels/bin/aes_rounds.icllp.bin")).unwrap();
    let program = whole.windows(4).position(|bytes| bytes == b"CTNI").unwrap();
    for (length, place) in [(program + 28 + 20, program + 28 + 20 - 8), (program + 28 + 200, 0)] {
        let said = changed("aes_rounds", |file, _| file.truncate(length), &[]);
        assert_eq!(said.status, Some(2), "{}", said.err);
        assert!(
            said.err.contains("changed.bin: device binary at 0x") && said.err.contains("truncated"),
            "{}",
            said.err
        );
        assert!(!said.err.contains("unknown kernel"), "{}", said.err);
        if place != 0 {
            assert!(
                said.err.contains(&format!("at {place:#x}: ")) || said.err.contains("needed"),
                "{}",
                said.err
            );
        }
    }
}

/// What was traced, printed and counted before a fault comes out before its line.
#[test]
fn a_fault_loses_nothing_before_it() {
    // The sixth instruction and all that follow are replaced.
    let break_later = |file: &mut Vec<u8>, code: std::ops::Range<usize>| {
        let mut at = code.start;
        for _ in 0..5 {
            let compact = file[at + 3] >> 5 & 1 == 1;
            at += if compact { 8 } else { 16 };
        }
        file[at..at + 4].copy_from_slice(&0x35_u32.to_le_bytes());
    };
    let more = ["--trace-instructions", "100", "--break", "0", "--profile"];
    let said = changed("aes_rounds", break_later, &more);
    assert_eq!(said.status, Some(2));
    assert!(
        said.err.starts_with("error: undecodable instruction at kernel aes_rounds, offset 0x"),
        "{}",
        said.err
    );
    assert_eq!(said.out.lines().filter(|line| line.contains(" | lanes 0x")).count(), 5, "{}", said.out);
    assert!(said.out.starts_with("thread 0 at 0x0 "), "{}", said.out);
    assert!(
        said.out
            .lines()
            .any(|line| line.trim_start().starts_with("6 instructions") || line.contains(" instructions, ")),
        "{}",
        said.out
    );
}

/// Accesses outside a buffer read 0 and write nothing, as the hardware does; they are counted, and an error when asked for.
#[test]
fn accesses_outside_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let file = corpus("kernels/bin/mem_uniform.skl.bin");
    // 20 dwords are there, 56 are written.
    let launch = [
        "kernel",
        &file,
        "--global",
        "40",
        "--local",
        "20",
        "-o",
        &out,
        "--arg",
        "buffer:80",
        "--arg",
        "int:5",
    ];
    let run =
        |more: &[&str]| texwire(&[&launch[..], &["--arg", "int:-3", "--arg", "buffer:16"], more].concat());
    let said = run(&[]);
    assert_eq!(said.status, Some(0), "{}", said.err);
    assert!(
        said.err.starts_with("warning: 0 reads gave 0 and 36 writes were dropped outside surfaces or local memory; the first: access outside a surface at offset 0x"),
        "{}",
        said.err
    );
    assert!(
        said.err
            .trim_end()
            .ends_with("lane 4: write of 4 bytes at offset 0x50 of binding table entry 0, 0x50 bytes"),
        "{}",
        said.err
    );
    let written = std::fs::read(folder.path().join("arg0.bin")).unwrap();
    let dwords: Vec<i32> =
        written.chunks(4).map(|dword| i32::from_le_bytes(dword.try_into().unwrap())).collect();
    assert_eq!(dwords.len(), 20);
    assert_eq!(dwords[16..], [-3, -2, -1, 0]);
    let said = run(&["--strict"]);
    assert_eq!(said.status, Some(2));
    assert!(
        said.err.starts_with("error: access outside a surface at kernel mem_uniform, offset 0x"),
        "{}",
        said.err
    );
    assert!(said.err.contains("group (0, 0, 0), thread 0, lane 4: write of 4 bytes"), "{}", said.err);
}

/// Every sampler message that any bundled case sends, on both platforms and in both precisions, is in its trace with the registers and the
/// writeback that it had: `trace verify` finds no difference. `TEXWIRE_KERNEL_CASES` is one more tree of cases.
#[test]
fn every_message_of_every_case_verifies() {
    let folder = tempfile::tempdir().unwrap();
    let trees = [Some(corpus("kernels")), std::env::var("TEXWIRE_KERNEL_CASES").ok()];
    let mut messages = 0;
    for (device, precision) in [("skl", "float"), ("icllp", "float"), ("skl", "fixed8"), ("icllp", "fixed8")]
    {
        let mut traces = Vec::new();
        for tree in trees.iter().flatten() {
            let cases = std::fs::read_dir(Path::new(tree).join("cases")).unwrap();
            for case in cases.map(|entry| entry.unwrap().path()) {
                let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&case).unwrap()).unwrap();
                if json["category"] != "image" {
                    continue;
                }
                let file = Path::new(tree).join(json["bin"][device].as_str().unwrap()).display().to_string();
                let trace = folder.path().join(format!("{}.twt", traces.len())).display().to_string();
                let out = folder.path().join("out.json").display().to_string();
                let case = case.display().to_string();
                let launch = ["kernel", &file, "--case", &case, "-o", &out, "--trace", &trace];
                let said = texwire(&[&launch[..], &["--precision", precision]].concat());
                assert_eq!((said.status, said.err.as_str()), (Some(0), ""), "{case}");
                // A case without sampler messages has no trace.
                if Path::new(&trace).exists() {
                    traces.push(trace);
                }
            }
        }
        let all = folder.path().join(format!("{device}-{precision}.twt")).display().to_string();
        let mut join = vec!["trace", "join", "-o", &all];
        join.extend(traces.iter().map(String::as_str));
        let said = texwire(&join);
        assert_eq!(said.status, Some(0), "{}", said.err);
        let said = texwire(&["trace", "verify", &all]);
        assert_eq!(said.status, Some(0), "{device} {precision}: {}{}", said.out, said.err);
        let line = said.out.lines().last().unwrap_or_default();
        let count: u64 = line.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or(0);
        let expected = format!(
            "{count} messages executed, 0 skipped for missing state, 0 failed; writebacks: {count} equal, 0 different, 0 without a message"
        );
        assert_eq!(line, expected, "{device} {precision}");
        println!("{device} {precision}: {} traces, {line}", traces.len());
        messages += count;
        for trace in traces {
            std::fs::remove_file(trace).unwrap();
        }
    }
    assert!(messages > 1000, "{messages} messages");
}
