//! Bundled files with random damage through every command that reads files: exit status 0, 1 or 2, no more than 512 MB of memory, no
//! more than 5 s; and twice the input takes twice the time.
//!
//! `TEXWIRE_HOSTILE_ROUNDS=1000 cargo test --release --test hostile` makes a campaign of it; `TEXWIRE_QUIET_MACHINE=1` lets the
//! time of twice the input differ from twice the time by no more than 20 %.
#![cfg(target_os = "linux")]

mod command;

use command::{corpus, cost, demo_trace, quiet, slack};
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

/// A file and the commands that read it; `{}` stands for its path, `@` for a folder that may be written, `%` for the corpus.
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

/// A picture of one level, R8G8B8A8_UNORM.
fn ktx2() -> Vec<u8> {
    let mut file = vec![0xab, b'K', b'T', b'X', b' ', b'2', b'0', 0xbb, b'\r', b'\n', 0x1a, b'\n'];
    // Format, type size, width, height, depth, layers, faces, levels, supercompression; descriptors at 104; texels at 112.
    for dword in [37, 1, 8, 8, 0, 0, 1, 1, 0, 104, 4, 0, 0] {
        file.extend_from_slice(&u32::to_le_bytes(dword));
    }
    file.resize(80, 0);
    for number in [112u64, 256, 256] {
        file.extend_from_slice(&number.to_le_bytes());
    }
    file.resize(112 + 256, 9);
    file
}

fn jpeg() -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_fn(24, 16, |x, y| image::Rgb([x as u8 * 10, y as u8 * 15, 90]));
    picture.write_to(&mut file, image::ImageFormat::Jpeg).unwrap();
    file.into_inner()
}

/// What a command prints.
fn printed(line: &str) -> Vec<u8> {
    command::texwire(&line.split(' ').collect::<Vec<_>>()).out.into_bytes()
}

/// An ELF file of one code section, as NVIDIA's assembler writes it.
fn cubin() -> Vec<u8> {
    let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0x33, 7];
    file.resize(16, 0);
    let code = [0x001f_8000_fc00_07e0_u64, 0xdf48_0078_0047_8004, 0, 0];
    let names = b"\0.shstrtab\0.text.kernel\0";
    let (code_at, names_at) = (64, 64 + 32);
    let sections = names_at + names.len().next_multiple_of(8);
    for half in [2u16, 190] {
        file.extend_from_slice(&half.to_le_bytes());
    }
    file.extend_from_slice(&1u32.to_le_bytes());
    for offset in [0, 0, sections as u64] {
        file.extend_from_slice(&offset.to_le_bytes());
    }
    file.extend_from_slice(&0x0032_0532_u32.to_le_bytes());
    for half in [64u16, 0, 0, 64, 3, 1] {
        file.extend_from_slice(&half.to_le_bytes());
    }
    file.extend(code.iter().flat_map(|word| word.to_le_bytes()));
    file.extend_from_slice(names);
    file.resize(sections, 0);
    for [name, kind, at, size] in [[0, 0, 0, 0], [1, 3, names_at, names.len()], [11, 1, code_at, 32]]
        .map(|section| section.map(|n| n as u64))
    {
        file.extend_from_slice(&(name as u32).to_le_bytes());
        file.extend_from_slice(&(kind as u32).to_le_bytes());
        for field in [6, 0, at, size, 0, 32, 0] {
            file.extend_from_slice(&u64::to_le_bytes(field));
        }
    }
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
        case("cubin", cubin(), &["decode {}", "decode --all --json {}", "run {} -o @"]),
        case("ktx2", ktx2(), &["run --shrink 6 --image {} -o @", "render --size 16 16 --image {} -o @.png"]),
        case("jpeg", jpeg(), &["render --size 16 16 --image {} -o @.png"]),
        case(
            "png",
            read("images/brick.png"),
            &["render --size 16 16 --image {} -o @/x.png", "run --shrink 5 --image {} -o @"],
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
            &["asm {}", "asm --wire maxwell {}"],
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

/// `bytes` again and again, up to a size.
fn repeated(bytes: &[u8], size: usize) -> Vec<u8> {
    bytes.repeat(size.div_ceil(bytes.len()))
}

/// A CISA 4.1 file of one kernel: half of it declares variables, half is code.
fn cisa(size: usize) -> Vec<u8> {
    let name = b"k";
    let head = 4 + 2 + 2 + 2 + name.len() + 4 + 4 + 4 + 4 + 1 + 4;
    let mut body = Vec::new();
    let count = (size / 2 / 24) as u32;
    body.extend_from_slice(&count.to_le_bytes());
    (0..count).for_each(|number| body.extend_from_slice(format!("v{number:06}\0").as_bytes()));
    body.extend_from_slice(&[0; 4]);
    body.extend_from_slice(&count.to_le_bytes());
    for number in 0..count {
        body.extend_from_slice(&number.to_le_bytes());
        // Type f, no alias, 16 elements.
        body.extend_from_slice(&[7, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
    // No addresses, predicates, labels (16 bits each), samplers, surfaces and others; no inputs.
    body.extend_from_slice(&[0; 9 + 4]);
    let code = LOD.repeat(size / 2 / LOD.len());
    body.extend_from_slice(&(code.len() as u32).to_le_bytes());
    body.extend_from_slice(&(body.len() as u32 + 4 + 2).to_le_bytes());
    body.extend_from_slice(&[0; 2]);
    let inputs = body.len() - 4 - 4 - 2 - 4;
    body.extend_from_slice(&code);
    let mut file = b"CISA\x04\x01\x01\x00".to_vec();
    file.extend_from_slice(&(name.len() as u16).to_le_bytes());
    file.extend_from_slice(name);
    for number in [head, body.len(), head + inputs, 0] {
        file.extend_from_slice(&(number as u32).to_le_bytes());
    }
    file.extend_from_slice(&[0; 5]);
    file.extend_from_slice(&body);
    file
}

/// `lod.RG (M1, 8)  0x0:uw S0 T6 V42.0 V40.0` of vISA 4.1.
const LOD: [u8; 28] =
    [0x6d, 9, 0, 3, 0, 0, 3, 5, 2, 0, 0, 0, 0, 0, 6, 42, 0, 0, 0, 0, 0, 1, 40, 0, 0, 0, 0, 0];

/// The cases of a file of ground truth again and again.
fn more_cases(name: &'static str, size: usize) -> Vec<u8> {
    let mut file: serde_json::Value = serde_json::from_slice(&read(name)).unwrap();
    let once = file["cases"].to_string().len();
    let cases = file["cases"].as_array().unwrap().clone();
    file["cases"] = cases.iter().cycle().take(cases.len() * size.div_ceil(once)).cloned().collect();
    file.to_string().into_bytes()
}

/// A DDS picture of about a size, its texels all different.
fn large_dds(size: usize) -> Vec<u8> {
    let mut file = dds();
    let rows = (size / 4096) as u32;
    file[12..20].copy_from_slice(&[rows.to_le_bytes(), 1024u32.to_le_bytes()].concat());
    file.truncate(148);
    file.extend((0..rows * 1024).flat_map(|n| n.wrapping_mul(0x9e37_79b9).to_le_bytes()));
    file
}

/// A PNG picture of about a size: noise is not compressed.
fn large_png(size: usize) -> Vec<u8> {
    let mut random = Random(7);
    let picture =
        image::GrayImage::from_fn(1024, (size / 1024) as u32, |_, _| image::Luma([random.next() as u8]));
    let mut file = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut file, image::ImageFormat::Png).unwrap();
    file.into_inner()
}

/// The command on a file: what is measured is no refusal.
fn worked(line: &str, file: &Path, out: &Path) -> command::Said {
    let line = line.replace("{}", &file.display().to_string()).replace('@', &out.display().to_string());
    let (arguments, stdin) =
        line.split_once(" < ").map_or((line.as_str(), None), |(line, file)| (line, Some(file)));
    let mut command = command::command();
    command.args(arguments.split(' '));
    if let Some(file) = stdin {
        command.stdin(File::open(file).unwrap());
    }
    let mut said = command::said(&mut command);
    said.out = said.out.chars().take(300).collect();
    said.err = said.err.chars().take(300).collect();
    said
}

/// What makes an input of a size, and the commands that read it.
struct Growing {
    name: &'static str,
    make: Box<dyn Fn(usize) -> Vec<u8>>,
    commands: &'static [&'static str],
}

fn growing() -> Vec<Growing> {
    let binary =
        texwire_harness::containers::device_binary::DeviceBinary::parse(&read("demo/demo.icllp.bin"))
            .map(|binary| binary.heap(&binary.kernels[0].heap).to_vec())
            .unwrap();
    let binary = binary[..binary.len() / 16 * 16].to_vec();
    let again = |name, bytes: Vec<u8>, commands: &'static [&'static str]| Growing {
        name,
        make: Box::new(move |size| repeated(&bytes, size)),
        commands,
    };
    let made = |name, make: fn(usize) -> Vec<u8>, commands: &'static [&'static str]| Growing {
        name,
        make: Box::new(make),
        commands,
    };
    let text = "lod.RG (M1, 8)  0x0:uw S0 T6 V42.0 V40.0\n".as_bytes().to_vec();
    let send = printed(&format!("decode {}", corpus("devicebin/bilinear.icllp.bin")));
    let trace = fs::read(demo_trace()).unwrap();
    vec![
        again(
            "gen11",
            binary,
            &["decode --wire gen11 --all {}", "decode --wire gen11 --all --json {}", "decode --wire gen9 {}"],
        ),
        again("raw vISA", LOD.to_vec(), &["decode --wire visa --all {}", "decode --wire visa --json {}"]),
        made("CISA", cisa, &["decode {}", "decode --json --all {}"]),
        again("maxwell", vec![0; 32], &["decode --wire maxwell --all {}"]),
        again(
            "trace",
            trace,
            &[
                "decode {}",
                "trace dump --json {}",
                "trace dump --explain {}",
                "trace verify {}",
                "trace replay {}",
                "trace coverage {}",
                "trace join {} -o @",
                "run {}",
            ],
        ),
        again("texels", lines("formats/texels.jsonl", 60_000), &["exec {}"]),
        again("jobs", jobs(), &["serve < {}", "trace record {} -o @", "exec {}", "fuzz-diff {}"]),
        again("vISA text", text, &["asm --wire visa --platform gen11 {}"]),
        again("Gen text", send, &["asm --wire gen11 {}"]),
        again("dwords", b"0x3f800000 0, 3f000000 0x1\n".to_vec(), &["explain --state border {}"]),
        made("layout", |size| more_cases("state/surface-layout.gen11.json", size), &["layout {}"]),
        made("DDS", large_dds, &["run --shrink 6 --image {} -o @.run"]),
        made("PNG", large_png, &["render --size 8 8 --image {} -o @.png"]),
    ]
}

/// 1, 2 and 4 MB: time above the start of the program grows no faster than the input, within [`slack`].
#[test]
fn twice_the_input_takes_twice_the_time() {
    const MB: usize = 1 << 20;
    let folder = tempdir().unwrap();
    let out = folder.path().join("out");
    let mut slow = Vec::new();
    for Growing { name, make, commands } in growing() {
        let files = [1, 2, 4].map(|size| {
            let path = folder.path().join(format!("{name}-{size}").replace(' ', "-"));
            fs::write(&path, make(size * MB)).unwrap();
            path
        });
        for line in commands {
            let said = worked(line, &files[0], &out);
            assert!(matches!(said.status, Some(0 | 1)), "{line}: {said:?}");
            let [start, mut best] = [[cost("--version", &files[0], &out); 3], [f64::INFINITY; 3]];
            // Noise only adds: more attempts come closer to the true cost.
            let linear = (0..6).any(|_| {
                for ((best, start), file) in best.iter_mut().zip(start).zip(&files) {
                    *best = best.min((cost(line, file, &out) - start).max(0.01));
                }
                if quiet() {
                    best.windows(2).all(|pair| pair[1] <= pair[0] * 2.0 * slack(2.0) + 0.02)
                } else {
                    best[2] <= best[0] * 4.0 * slack(4.0) + 0.05
                }
            });
            println!("{name}: {line}: {best:.2?} s");
            if !linear {
                slow.push(format!("{line}: {best:?} seconds for 1, 2 and 4 MB of {name}"));
            }
        }
        files.iter().for_each(|file| fs::remove_file(file).unwrap());
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}
