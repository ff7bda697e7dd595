//! Bundled files with random damage through every command that reads files: exit status 0, 1 or 2, no more than 512 MB of memory, no
//! more than 5 s.
//!
//! `TEXWIRE_HOSTILE_ROUNDS=1000 cargo test --release --test hostile` makes a campaign of it.
#![cfg(target_os = "linux")]

mod command;

use command::files::{Random, TXQ, cubin, dds, jobs, jpeg, ktx2, lines, printed, read};
use command::{corpus, demo_trace, quiet};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tempfile::{TempDir, tempdir};

/// Damaged copies of each file for each command.
const ROUNDS: u64 = 3;
/// Seconds of processor time that a command may take on a quiet machine; three times as many where neighbours slow it down.
const SECONDS: u32 = 5;
/// Kilobytes of memory that a command may take.
const MEMORY: u32 = 512 << 10;

const NUMBERS: [u32; 8] = [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX, 0xffff, 0x10000, 0x0fff_ffff];
const WORDS: [&str; 8] =
    ["-1", "99999999999999999999", "1e308", "null", "\"\"", "[[[[[[[[[[[[", "0xffffffff", "\u{1b}[2J"];

/// One to eight changes: bits, numbers, cuts, copies.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(8) {
        let at = random.below(bytes.len());
        let length = 1 + random.below(bytes.len().min(300));
        let end = (at + length).min(bytes.len());
        match random.below(8) {
            0 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
            1 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = [0, 0x7f, 0x80, 0xff][random.below(4)];
                }
            }
            2 | 3 => {
                let number = NUMBERS[random.below(8)].to_le_bytes();
                for (byte, value) in bytes[at..].iter_mut().zip(number) {
                    *byte = value;
                }
            }
            4 => bytes.truncate(at),
            5 => drop(bytes.drain(at..end)),
            6 => {
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            _ => drop(bytes.splice(at..at, WORDS[random.below(8)].bytes())),
        }
    }
}

/// A file and the commands that read it; `{}` stands for its path, `@` for a folder that may be written, `%` for the corpus.
struct Case {
    name: &'static str,
    bytes: Vec<u8>,
    commands: Vec<&'static str>,
}

fn cases() -> Vec<Case> {
    let case = |name, bytes, commands: &[&'static str]| Case { name, bytes, commands: commands.to_vec() };
    let surface = "dw0: 0x20c40000 0 1ffff\n0x3ff, 0 0 0 0x09770000 00001000 0 0 0 0 0 0 0\n";
    vec![
        case("visa", read("visa/legacy.icllp.isa"), &["decode {}", "decode --json --all {}", "run {} -o @"]),
        case("visa 4", read("visa/raymarch.dg2.simd16.isa"), &["decode --all {}"]),
        case("raw visa", read("visa/legacy.icllp.isa").split_off(2000), &["decode --wire visa --all {}"]),
        case(
            "binary",
            read("devicebin/samplers20.icllp.bin"),
            &["decode {}", "decode --json --all {}", "run --shrink 6 {} -o @"],
        ),
        case("demo", read("demo/demo.icllp.bin"), &["run --shrink 7 {} -o @"]),
        case(
            "native",
            read("devicebin/bilinear.icllp.bin"),
            &[
                "decode --wire gen11 {}",
                "decode --wire gen9 --json {}",
                "decode --wire gen12 --all {}",
                "decode --wire xe-hpg {}",
                "decode --wire maxwell {}",
                "decode --wire maxwell --json --all {}",
            ],
        ),
        case(
            "trace",
            fs::read(demo_trace()).unwrap(),
            &[
                "decode {}",
                "trace dump {}",
                "trace dump --json {}",
                "trace dump --explain {}",
                "trace replay {}",
                "trace verify {}",
                "trace verify --engine emulator {}",
                "trace coverage {}",
                "trace join {} {} -o @/joined",
                "run {} -o @",
            ],
        ),
        case(
            "cases",
            lines("sampling/cases.jsonl", 60_000),
            &["exec {}", "exec --engine emulator {}", "trace record {} -o @/t"],
        ),
        case("texels", lines("formats/texels.jsonl", 60_000), &["exec {}", "exec --engine emulator {}"]),
        case("blocks", lines("formats/blocks.jsonl", 60_000), &["exec {}"]),
        case("headers", read("txq/headers.json"), &["exec {}", "check {}"]),
        case("layout", read("state/surface-layout.gen11.json"), &["layout {}", "check {}"]),
        case("enums", read("enums/prm-enums.json"), &["check {}"]),
        case(
            "jobs",
            jobs(),
            &[
                "trace record {} -o @/t",
                "serve < {}",
                "serve --engine emulator < {}",
                "exec {}",
                "fuzz-diff {}",
                "fuzz-diff --json -j 1 {}",
            ],
        ),
        case("report", printed("fuzz-diff --plain --count 5 --json"), &["fuzz-diff --merge {}"]),
        case(
            "kernel",
            read("kernels/bin/aes_rounds.icllp.bin"),
            &["kernel {} --case %/kernels/cases/aes_rounds.json --max-instructions 100000 -o @.json"],
        ),
        case(
            "launch",
            read("kernels/cases/img_sample2d.norm_clamp_linear.json"),
            &["kernel %/kernels/bin/img_sample2d.skl.bin --case {} --max-instructions 100000 -o @.json"],
        ),
        case("cubin", cubin(&TXQ), &["decode {}", "decode --all --json {}", "run {} -o @"]),
        case("ktx2", ktx2(), &["run --shrink 6 --image {} -o @", "render --size 16 16 --image {} -o @.png"]),
        case("jpeg", jpeg(), &["render --size 16 16 --image {} -o @.png"]),
        case(
            "png",
            read("images/brick.png"),
            &[
                "render --size 16 16 --image {} -o @/x.png",
                "run --shrink 5 --image {} -o @",
                "footprint --image {} --lane u=0.5,v=0.5 -o @.png",
            ],
        ),
        case("dds", dds(), &["run --shrink 6 --image {} -o @"]),
        case(
            "hex",
            surface.into(),
            &[
                "explain --state surface {}",
                "explain --state sampler {}",
                "explain --state border {}",
                "explain --state binding-table {}",
                "explain --state interface-descriptor {}",
                "explain --state nv-header {}",
                "explain --state nv-sampler {}",
                "explain {}",
                "explain --json --wire gen12 {}",
                "explain --json --wire visa --bytes {}",
                "explain --wire trace {}",
            ],
        ),
        case(
            "text",
            b"3d_sample_lz (M1_NM, 16) 0x0:uw S0 T6 V40.0 %null.0 V41.0 V42.0\n".to_vec(),
            &["asm {}", "asm --wire maxwell {}", "asm --wire gen11 {}"],
        ),
        case(
            "input",
            read("demo/demo.icllp.bin"),
            &[
                "fuzz-input diff_execute {}",
                "fuzz-input trace_stream {}",
                "fuzz-replay decode_visa {}",
                "fuzz-replay trace_stream {}",
            ],
        ),
    ]
}

/// Runs a command within its limits; what is wrong with how it ended.
fn limited(line: &str, folder: &Path, file: &Path) -> Result<(), String> {
    let out = folder.join("out");
    let paths = [("{}", file.display().to_string()), ("@", out.display().to_string()), ("%", corpus(""))];
    let mut words = line
        .split_whitespace()
        .map(|word| paths.iter().fold(word.to_owned(), |word, (mark, path)| word.replace(mark, path)));
    let mut arguments: Vec<String> = Vec::new();
    let mut stdin = Stdio::null();
    while let Some(word) = words.next() {
        if word == "<" {
            stdin = Stdio::from(File::open(words.next().unwrap()).unwrap());
        } else {
            arguments.push(word);
        }
    }
    let seconds = if quiet() { SECONDS } else { 3 * SECONDS };
    let limits = format!("ulimit -d {MEMORY} -t {seconds}; exec \"$0\" \"$@\"");
    let texts = ["stdout", "stderr"].map(|name| folder.join(name));
    let [stdout, stderr] = texts.each_ref().map(|path| File::create(path).unwrap());
    let mut child = Command::new("bash")
        .args(["-c", &limits, env!("CARGO_BIN_EXE_texwire")])
        .args(&arguments)
        .stdin(stdin)
        .stdout(stdout)
        .stderr(stderr)
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
            child.wait().unwrap();
            return Err("it does not end".to_owned());
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let said = fs::read_to_string(&texts[1]).unwrap_or_default();
    match status.code() {
        Some(0..=2) if !said.contains("panicked") => Ok(()),
        _ => Err(format!("{status}: {}", said.chars().take(1500).collect::<String>())),
    }
}

#[test]
fn no_damage_does_harm() {
    let rounds =
        std::env::var("TEXWIRE_HOSTILE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(ROUNDS);
    let cases = cases();
    let work: Vec<(&Case, &str, u64)> = cases
        .iter()
        .flat_map(|case| case.commands.iter().map(move |line| (case, *line)))
        .flat_map(|(case, line)| (0..rounds).map(move |round| (case, line, round)))
        .collect();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let worker = || {
        let folder: TempDir = tempdir().unwrap();
        let mut failures = Vec::new();
        while let Some((case, line, round)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut bytes = case.bytes.clone();
            // Round 0 is the file as it is.
            let seed = line.bytes().fold(*round, |seed, byte| seed.wrapping_mul(31) + u64::from(byte));
            if *round > 0 {
                damage(&mut bytes, &mut Random(seed | 1));
            }
            let file = folder.path().join("file");
            fs::write(&file, &bytes).unwrap();
            if let Err(why) = limited(line, folder.path(), &file) {
                let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile-{seed:x}"));
                fs::write(&kept, &bytes).unwrap();
                failures.push(format!("{} ({}): {line}: {why}", case.name, kept.display()));
            }
        }
        failures
    };
    let failures: Vec<String> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        started.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
