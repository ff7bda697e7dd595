//! Twice the input takes twice the time, in every command that reads inputs of any size.
//!
//! `TEXWIRE_QUIET_MACHINE=1` lets the time of twice the input differ from twice the time by no more than 20 %, and takes
//! inputs of four times the size.
#![cfg(target_os = "linux")]

mod command;

use command::files::{Random, TXQ, cubin, dds, device_binary, jobs, ktx2, lines, printed, read};
use command::{corpus, cost, demo_trace, quiet, slack};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::tempdir;
use texwire::Platform;
use texwire_harness::generators::machine;

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

/// A list in a file of ground truth again and again.
fn more_cases(name: &'static str, list: &str, size: usize) -> Vec<u8> {
    let mut file: serde_json::Value = serde_json::from_slice(&read(name)).unwrap();
    let once = file[list].to_string().len();
    let cases = file[list].as_array().unwrap().clone();
    file[list] = cases.iter().cycle().take(cases.len() * size.div_ceil(once)).cloned().collect();
    file.to_string().into_bytes()
}

/// Rows of 1024 texels of 4 bytes, all different.
fn texels(rows: u32) -> impl Iterator<Item = u8> {
    (0..rows * 1024).flat_map(|n| n.wrapping_mul(0x9e37_79b9).to_le_bytes())
}

/// A DDS picture of about a size, its texels all different.
fn large_dds(size: usize) -> Vec<u8> {
    let mut file = dds();
    let rows = (size / 4096) as u32;
    file[12..20].copy_from_slice(&[rows.to_le_bytes(), 1024u32.to_le_bytes()].concat());
    file.truncate(148);
    file.extend(texels(rows));
    file
}

/// A grey picture of noise, a byte a texel before it is compressed, which noise hardly is.
fn noise(size: usize, format: image::ImageFormat) -> Vec<u8> {
    let mut random = Random(7);
    let picture =
        image::GrayImage::from_fn(1024, (size / 1024) as u32, |_, _| image::Luma([random.next() as u8]));
    let mut file = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut file, format).unwrap();
    file.into_inner()
}

/// A PNG picture of about a size.
fn large_png(size: usize) -> Vec<u8> {
    noise(size, image::ImageFormat::Png)
}

/// A JPEG picture of about a size.
fn large_jpeg(size: usize) -> Vec<u8> {
    noise(size, image::ImageFormat::Jpeg)
}

/// A KTX2 picture of about a size.
fn large_ktx2(size: usize) -> Vec<u8> {
    let mut file = ktx2();
    let rows = (size / 4096) as u32;
    file[20..28].copy_from_slice(&[1024u32.to_le_bytes(), rows.to_le_bytes()].concat());
    let bytes = u64::from(rows) * 4096;
    file[88..104].copy_from_slice(&[bytes.to_le_bytes(), bytes.to_le_bytes()].concat());
    file.truncate(112);
    file.extend(texels(rows));
    file
}

/// A device binary of one kernel: `nop` up to a size, and the end of the thread.
fn long_kernel(size: usize) -> Vec<u8> {
    let mut nop = [0; 16];
    nop[0] = 0x7e;
    device_binary(1, &[nop.repeat(size / 16), machine::end(Platform::Gen11).to_vec()].concat())
}

/// A device binary of kernels that end at once.
fn many_kernels(size: usize) -> Vec<u8> {
    let end = machine::end(Platform::Gen11);
    device_binary(size / device_binary(1, &end).len(), &end)
}

/// A launch whose buffer begins with bytes in hex.
fn launch(size: usize) -> Vec<u8> {
    let mut file: serde_json::Value = serde_json::from_slice(&read("kernels/cases/aes_rounds.json")).unwrap();
    file["args"][1]["size"] = (size / 2).into();
    file["args"][1]["init"] = serde_json::json!({ "hex": "5a".repeat(size / 2) });
    file["expect"] = serde_json::json!({});
    file.to_string().into_bytes()
}

fn random(size: usize) -> Vec<u8> {
    let mut random = Random(11);
    (0..size).map(|_| random.next() as u8).collect()
}

/// A report of a campaign with a group of disagreements again and again.
fn report(size: usize) -> Vec<u8> {
    let wrong = "sh -c 'while read job; do echo {\\\"writeback\\\":[]}; done'";
    let args = ["fuzz-diff", "--plain", "--count", "1", "--json", "--against", wrong];
    let mut report: serde_json::Value = serde_json::from_str(&command::texwire(&args).out).unwrap();
    let groups = report["groups"].as_array().unwrap().clone();
    assert!(!groups.is_empty());
    let once = report["groups"].to_string().len();
    report["groups"] = groups.iter().cycle().take(groups.len() * size.div_ceil(once)).cloned().collect();
    report.to_string().into_bytes()
}

/// `%` stands for the kernel that launches are for.
fn named(line: &str) -> String {
    line.replace('%', &corpus("kernels/bin/aes_rounds.icllp.bin"))
}

/// The command on a file: what is measured is no refusal.
fn worked(line: &str, file: &Path, out: &Path) -> command::Said {
    let line =
        named(line).replace("{}", &file.display().to_string()).replace('@', &out.display().to_string());
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
    make: Box<dyn Fn(usize) -> Vec<u8> + Sync>,
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
            &["decode --wire gen11 --all {}", "decode --wire gen11 --json {}", "decode --wire gen9 {}"],
        ),
        again("raw vISA", LOD.to_vec(), &["decode --wire visa --all {}"]),
        made("CISA", cisa, &["decode --json --all {}"]),
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
        again("texels.jsonl", lines("formats/texels.jsonl", 60_000), &["exec {}", "check {}"]),
        again("sampling.jsonl", lines("sampling/cases.jsonl", 60_000), &["exec {}", "check {}"]),
        again("jobs", jobs(), &["serve < {}", "trace record {} -o @", "exec {}", "fuzz-diff {}"]),
        made("report", report, &["fuzz-diff --merge {}", "fuzz-diff --json --merge {}"]),
        again("vISA text", text, &["asm --wire visa --platform gen11 {}"]),
        again("Gen text", send, &["asm --wire gen11 {}"]),
        again(
            "SASS text",
            b"TXQ R4, R6, TEX_HEADER_DIMENSION, 0x0, 0xf;\n".to_vec(),
            &["asm --wire maxwell {}"],
        ),
        again("dwords", b"0x3f800000 0, 3f000000 0x1\n".to_vec(), &["explain --state border {}"]),
        made(
            "surface-layout.gen11.json",
            |size| more_cases("state/surface-layout.gen11.json", "cases", size),
            &["layout {}", "check {}"],
        ),
        made(
            "headers.json",
            |size| more_cases("txq/headers.json", "headers", size),
            &["exec {}", "check {}"],
        ),
        made("DDS", large_dds, &["run --shrink 6 --image {} -o @.run"]),
        made("KTX2", large_ktx2, &["run --shrink 6 --image {} -o @.run"]),
        made(
            "PNG",
            large_png,
            &["render --size 8 8 --image {} -o @.png", "footprint --image {} --lane u=0.5,v=0.5"],
        ),
        made("JPEG", large_jpeg, &["render --size 8 8 --image {} -o @.png"]),
        made(
            "long kernel",
            long_kernel,
            &["decode --all {}", "kernel {} --global 1 --no-trace -o @.kernel", "run {} -o @.run"],
        ),
        made(
            "many kernels",
            many_kernels,
            &["decode --all {}", "kernel {} --global 1 --no-trace -o @.kernel"],
        ),
        made("launch", launch, &["kernel % --case {} -o @.json"]),
        made("cubin", |size| cubin(&TXQ.repeat(size / 32)), &["decode --all --json {}"]),
        made(
            "input",
            random,
            &["fuzz-replay decode_visa {}", "fuzz-replay trace_stream {}", "fuzz-input decode_visa {}"],
        ),
    ]
}

/// What takes more than twice the time for twice the input.
fn measure(Growing { name, make, commands }: &Growing, folder: &Path) -> Vec<String> {
    // Wide limits need no long times: what grows with the square of the input is far outside of them at 1 MB, too.
    let (unit, sizes): (usize, &[usize]) = if quiet() { (1 << 20, &[1, 2, 4]) } else { (1 << 18, &[1, 4]) };
    let out = folder.join("out");
    let file = |size: &usize| {
        // Checkers know files by their names.
        let path = folder.join(size.to_string()).join(name.replace(' ', "-"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, make(size * unit)).unwrap();
        path
    };
    let files: Vec<PathBuf> = sizes.iter().map(file).collect();
    let mut slow = Vec::new();
    for line in *commands {
        let said = worked(line, &files[0], &out);
        assert!(matches!(said.status, Some(0 | 1)), "{line}: {said:?}");
        let start = cost("--version", &files[0], &out);
        let mut best = vec![f64::INFINITY; files.len()];
        // Noise only adds: more attempts come closer to the true cost.
        let linear = (0..6).any(|_| {
            for (best, file) in best.iter_mut().zip(&files) {
                *best = best.min((cost(&named(line), file, &out) - start).max(0.01));
            }
            let mut pairs = sizes.windows(2).zip(best.windows(2));
            pairs.all(|(size, best)| {
                let times = (size[1] / size[0]) as f64;
                best[1] <= best[0] * times * slack(times) + if quiet() { 0.02 } else { 0.05 }
            })
        });
        println!("{name}: {line}: {best:.2?} s");
        if !linear {
            slow.push(format!("{line}: {best:?} seconds for {sizes:?} times {unit} bytes of {name}"));
        }
    }
    slow
}

/// 1, 2 and 4 MB (256 KB and 1 MB where other things run): time above the start of the program grows no faster than the input, within [`slack`].
#[test]
fn twice_the_input_takes_twice_the_time() {
    let growing = growing();
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut slow = Vec::new();
        while let Some(growing) = growing.get(next.fetch_add(1, Ordering::Relaxed)) {
            slow.extend(measure(growing, tempdir().unwrap().path()));
        }
        slow
    };
    // Neighbours would spoil what a quiet machine measures.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if quiet() { 1 } else { cores };
    let slow: Vec<String> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        started.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}
