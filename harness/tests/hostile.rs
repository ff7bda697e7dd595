//! Bundled files with random damage through every command that reads files: exit status 0, 1 or 2, no more than 512 MB of memory, no
//! more than 5 s; and twice the input takes twice the time.
//!
//! `TEXWIRE_HOSTILE_ROUNDS=1000 cargo test --release --test hostile` makes a campaign of it.
#![cfg(target_os = "linux")]

mod command;

use command::{corpus, demo_trace};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tempfile::{TempDir, tempdir};

/// Damaged copies of each file for each command.
const ROUNDS: u64 = 3;
/// Seconds of processor time that a command may take: how busy the machine is does not matter.
const SECONDS: u32 = 5;
/// Kilobytes of memory that a command may take.
const MEMORY: u32 = 512 << 10;

/// Random numbers, the same on every machine (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

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

/// A file and the commands that read it; `{}` stands for its path, `@` for a folder that may be written.
struct Case {
    name: &'static str,
    bytes: Vec<u8>,
    commands: Vec<&'static str>,
}

fn read(name: &'static str) -> Vec<u8> {
    fs::read(corpus(name)).unwrap()
}

/// The first bytes of a file of lines, whole lines.
fn lines(name: &'static str, most: usize) -> Vec<u8> {
    let mut bytes = read(name);
    let end = bytes.iter().take(most).rposition(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
    bytes.truncate(end);
    bytes
}

fn dds() -> Vec<u8> {
    let mut file = b"DDS ".to_vec();
    let mut header = [0u32; 31];
    (header[0], header[1], header[2], header[3], header[6]) = (124, 0x2_1007, 8, 8, 1);
    (header[18], header[19], header[20], header[26]) = (32, 4, u32::from_le_bytes(*b"DX10"), 0x1000);
    file.extend(header.iter().chain(&[28u32, 3, 0, 1, 0]).flat_map(|dword| dword.to_le_bytes()));
    file.resize(file.len() + 256, 7);
    file
}

fn jobs() -> Vec<u8> {
    let job = |seed: &str| command::texwire(&["fuzz-diff", "--plain", "--job", seed]).out;
    let jobs: String = ["1", "2", "3"].map(job).concat();
    jobs.lines()
        .filter(|line| line.starts_with("{\"op\""))
        .flat_map(|line| [line, "\n"])
        .collect::<String>()
        .into_bytes()
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
        case("jobs", jobs(), &["trace record {} -o @/t", "serve < {}", "serve --engine emulator < {}"]),
        case(
            "png",
            read("images/brick.png"),
            &["render --size 16 16 --image {} -o @/x.png", "run --shrink 5 --image {} -o @"],
        ),
        case("dds", dds(), &["run --shrink 6 --image {} -o @"]),
        case(
            "hex",
            surface.into(),
            &["explain --state surface {}", "explain {}", "explain --json --wire gen12 {}"],
        ),
        case(
            "text",
            b"3d_sample_lz (M1_NM, 16) 0x0:uw S0 T6 V40.0 %null.0 V41.0 V42.0\n".to_vec(),
            &["asm {}", "asm --wire maxwell {}"],
        ),
        case(
            "input",
            read("demo/demo.icllp.bin"),
            &["fuzz-input diff_execute {}", "fuzz-input trace_stream {}"],
        ),
    ]
}

/// Runs a command within its limits; what is wrong with how it ended.
fn limited(line: &str, folder: &Path, file: &Path) -> Result<(), String> {
    let out = folder.join("out");
    let mut words = line
        .split_whitespace()
        .map(|word| word.replace("{}", &file.display().to_string()).replace('@', &out.display().to_string()));
    let mut arguments: Vec<String> = Vec::new();
    let mut stdin = Stdio::null();
    while let Some(word) = words.next() {
        if word == "<" {
            stdin = Stdio::from(File::open(words.next().unwrap()).unwrap());
        } else {
            arguments.push(word);
        }
    }
    let limits = format!("ulimit -d {MEMORY} -t {SECONDS}; exec \"$0\" \"$@\"");
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

/// Seconds of processor time of a command, user and system.
fn cost(arguments: &str, file: &Path, out: &Path) -> f64 {
    let texwire = env!("CARGO_BIN_EXE_texwire");
    let arguments =
        arguments.replace("{}", &file.display().to_string()).replace('@', &out.display().to_string());
    let script = format!("\"{texwire}\" {arguments} > /dev/null 2>&1; times");
    let times = Command::new("bash").args(["-c", &script]).output().unwrap().stdout;
    let times = String::from_utf8(times).unwrap();
    // The second line: what the shell's children took, as `0m1.234s 0m0.010s`.
    let seconds = |text: &str| {
        let (minutes, seconds) = text.trim_end_matches('s').split_once('m').unwrap();
        minutes.parse::<f64>().unwrap() * 60.0 + seconds.parse::<f64>().unwrap()
    };
    times.lines().nth(1).unwrap().split_whitespace().map(seconds).sum()
}

/// `bytes` again and again, up to a size.
fn repeated(bytes: &[u8], size: usize) -> Vec<u8> {
    bytes.repeat(size.div_ceil(bytes.len()))
}

/// 1, 2 and 4 MB: time grows no faster than the input, within 20 % of what is above the start of the program.
#[test]
fn twice_the_input_takes_twice_the_time() {
    const MB: usize = 1 << 20;
    let binary =
        texwire_harness::containers::device_binary::DeviceBinary::parse(&read("demo/demo.icllp.bin"))
            .map(|binary| binary.heap(&binary.kernels[0].heap).to_vec())
            .unwrap();
    let binary = &binary[..binary.len() / 16 * 16];
    let maxwell = [0u8; 32].as_slice();
    let trace = fs::read(demo_trace()).unwrap();
    let texels = lines("formats/texels.jsonl", 60_000);
    let jobs = jobs();
    let inputs: [(&str, &[u8], &[&str]); 5] = [
        ("gen11", binary, &["decode --wire gen11 --all {}", "decode --wire gen11 --all --json {}"]),
        ("maxwell", maxwell, &["decode --wire maxwell --all {}"]),
        (
            "trace",
            &trace,
            &[
                "decode {}",
                "trace dump --json {}",
                "trace verify {}",
                "trace coverage {}",
                "trace join {} -o @",
            ],
        ),
        ("texels", &texels, &["exec {}"]),
        ("jobs", &jobs, &["serve < {}", "trace record {} -o @"]),
    ];
    let folder = tempdir().unwrap();
    let out = folder.path().join("out");
    let mut slow = Vec::new();
    for (name, bytes, commands) in inputs {
        let files = [1, 2, 4].map(|size| {
            let path = folder.path().join(format!("{name}-{size}"));
            fs::write(&path, repeated(bytes, size * MB)).unwrap();
            path
        });
        for line in commands {
            let start = cost("--version", &files[0], &out);
            let mut best = [f64::INFINITY; 3];
            // Noise only adds: more attempts come closer to the true cost.
            let linear = (0..6).any(|_| {
                for (best, file) in best.iter_mut().zip(&files) {
                    *best = best.min((cost(line, file, &out) - start).max(0.01));
                }
                best[1] <= best[0] * 2.0 * 1.2 + 0.02 && best[2] <= best[1] * 2.0 * 1.2 + 0.02
            });
            if !linear {
                slow.push(format!("{line}: {best:?} seconds for 1, 2 and 4 MB of {name}"));
            }
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}
