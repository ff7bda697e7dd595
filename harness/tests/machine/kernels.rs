//! Whole kernels: results of other implementations, and what happens to kernels that go wrong.

use std::path::{Path, PathBuf};
use texwire::Platform;
use texwire::enums::SurfaceFormat;
use texwire_harness::containers::device_binary::DeviceBinary;
use texwire_harness::generators::machine::end;
use texwire_harness::machine::case::{InitialContents, LaunchCase, contents};
use texwire_harness::machine::launch::{Argument, LaunchOptions, NdRange, launch};
use texwire_harness::machine::program::{Action, Program};
use texwire_harness::machine::registers::Registers;
use texwire_harness::machine::snippet;
use texwire_harness::machine::watch::WatchOptions;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/kernels")
}

/// An element of a result: its number, and for floats its place among the floats.
fn element(kind: &str, bytes: &[u8]) -> (f64, i64) {
    let bits = bytes.iter().rev().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
    let ordinal = |bits: i64, sign: i64| if bits < 0 { sign.wrapping_sub(bits) } else { bits };
    match kind {
        "f32" => {
            let value = f64::from(f32::from_bits(bits as u32));
            (value, ordinal(i64::from(bits as u32 as i32), i64::from(i32::MIN)))
        }
        "f16" => {
            let value = f64::from(texwire::format::half::to_f32(bits as u16));
            (value, ordinal(i64::from(bits as u16 as i16), i64::from(i16::MIN)))
        }
        "f64" => (f64::from_bits(bits), ordinal(bits as i64, i64::MIN)),
        _ => (0.0, bits as i64),
    }
}

/// The first element that is not as expected.
fn difference(rule: &serde_json::Value, got: &[u8], want: &[u8]) -> Option<String> {
    if got.len() != want.len() {
        return Some(format!("{} bytes, expected {}", got.len(), want.len()));
    }
    let kind = rule["as"].as_str().unwrap();
    let size = kind[1..].parse::<usize>().unwrap() / 8;
    let limit = |name: &str| rule[name].as_f64().unwrap_or(0.0);
    for (index, (g, w)) in got.chunks(size).zip(want.chunks(size)).enumerate() {
        let ((a, i), (b, j)) = (element(kind, g), element(kind, w));
        let steps = (i128::from(i) - i128::from(j)).unsigned_abs() as f64;
        let fine = if kind.starts_with('f') {
            a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= limit("abs") || steps <= limit("ulp")
        } else {
            steps <= limit("lsb")
        };
        if g != w && !fine {
            return Some(format!("element {index}: {g:02x?}, expected {w:02x?}"));
        }
    }
    None
}

/// Every case on both platforms.
#[test]
fn kernels_give_what_other_implementations_give() {
    let mut cases: Vec<_> =
        std::fs::read_dir(corpus().join("cases")).unwrap().map(|e| e.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() >= 25, "{} cases", cases.len());
    for path in cases {
        let text = std::fs::read(&path).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&text).unwrap();
        let case = LaunchCase::parse(&text).unwrap();
        for device in ["skl", "icllp"] {
            let file = std::fs::read(corpus().join(json["bin"][device].as_str().unwrap())).unwrap();
            let binary = DeviceBinary::parse(&file).unwrap();
            let kernel = binary.kernels.iter().find(|kernel| kernel.name == case.kernel).unwrap();
            let arguments = case.arguments().unwrap();
            let run = |sequential| {
                let options = LaunchOptions { sequential, ..LaunchOptions::default() };
                launch(&binary, kernel, &case.range(), &arguments, &options, &|_, _| {}).unwrap().outputs
            };
            let outputs = run(false);
            assert_eq!(outputs, run(true), "{} {device}: the number of cores matters", path.display());
            for (index, want) in json["expect"].as_object().unwrap() {
                let index: u32 = index.parse().unwrap();
                let (_, got) = outputs.iter().find(|(output, _)| *output == index).unwrap();
                let stored: InitialContents = serde_json::from_value(stored(want)).unwrap();
                let want_bytes = contents(Some(&stored), got.len()).unwrap();
                let found = difference(&want["compare"], got, &want_bytes);
                assert_eq!(found, None, "{} {device}, argument {index}", path.display());
            }
        }
    }
}

/// The contents among the other keys of an expectation.
fn stored(want: &serde_json::Value) -> serde_json::Value {
    let key = if want.get("hex").is_some() { "hex" } else { "gz" };
    serde_json::json!({ key: want[key] })
}

/// A launch of the first kernel of `name` with its code changed.
fn damaged(name: &str, change: impl Fn(&mut [u8]), arguments: Option<Vec<Argument>>) -> String {
    let case =
        LaunchCase::parse(&std::fs::read(corpus().join(format!("cases/{name}.json"))).unwrap()).unwrap();
    let mut file = std::fs::read(corpus().join(format!("bin/{name}.icllp.bin"))).unwrap();
    let heap = DeviceBinary::parse(&file).unwrap().kernels[0].heap.clone();
    change(&mut file[heap]);
    let binary = DeviceBinary::parse(&file).unwrap();
    let arguments = arguments.unwrap_or_else(|| case.arguments().unwrap());
    let options = LaunchOptions { max_instructions: 20_000, ..LaunchOptions::default() };
    let result = launch(&binary, &binary.kernels[0], &case.range(), &arguments, &options, &|_, _| {});
    result.map(|_| String::new()).unwrap_or_else(|error| error.to_string())
}

/// Each error says what, where and why.
#[test]
fn errors_have_a_location() {
    // An opcode that does not exist, as the first instruction.
    let text = damaged("aes_rounds", |code| code[0] = 0x35, None);
    assert!(
        text.starts_with(
            "undecodable instruction at kernel aes_rounds, offset 0x0, group (0, 0, 0), thread 0: "
        ),
        "{text}"
    );
    // A jump to itself.
    let text = damaged(
        "aes_rounds",
        |code| {
            code[..16].fill(0);
            code[0] = 0x27;
            code[2] = 0x80;
        },
        None,
    );
    assert!(text.starts_with("thread runs too long") && text.contains("20000 instructions"), "{text}");
    // A jump far outside.
    let text = damaged(
        "aes_rounds",
        |code| {
            code[..16].fill(0);
            (code[0], code[2], code[14]) = (0x27, 0x80, 0x40);
        },
        None,
    );
    assert!(text.starts_with("jump outside the program at kernel aes_rounds, offset 0x0, group"), "{text}");
    // Code of nothing but moves: the end is missing.
    let text = damaged("aes_rounds", |code| code.fill(0), None);
    assert!(text.contains("illegal instruction") || text.contains("end of the program"), "{text}");
    // Wrong arguments.
    let text = damaged("aes_rounds", |_| {}, Some(vec![Argument::Scalar(vec![0; 4])]));
    assert_eq!(text, "argument 0: a value (the kernel takes a buffer)");
    let text = damaged("aes_rounds", |_| {}, Some(Vec::new()));
    assert_eq!(text, "argument 0: missing (0 given)");
}

/// A pointer that no allocation holds: the lane is named.
#[test]
fn wild_pointers_name_the_lane() {
    let case = LaunchCase::parse(&std::fs::read(corpus().join("cases/mem_atomics.json")).unwrap()).unwrap();
    let file = std::fs::read(corpus().join("bin/mem_atomics.icllp.bin")).unwrap();
    let binary = DeviceBinary::parse(&file).unwrap();
    // Far more work items than the buffers hold.
    let range = NdRange { global: [1 << 20, 1, 1], local: Some([64, 1, 1]), ..case.range() };
    let arguments = case.arguments().unwrap();
    let error =
        launch(&binary, &binary.kernels[0], &range, &arguments, &LaunchOptions::default(), &|_, _| {})
            .unwrap_err();
    assert_eq!(error.what, "memory fault");
    let location = error.location;
    assert!(location.lane.is_some() && location.offset.is_some() && location.group.is_some(), "{error}");
}

/// Sizes whose product has more than 64 bits are refused as other sizes that are too large.
#[test]
fn sizes_that_are_too_large_are_refused() {
    let case = LaunchCase::parse(&std::fs::read(corpus().join("cases/mandelbrot.json")).unwrap()).unwrap();
    let file = std::fs::read(corpus().join("bin/mandelbrot.icllp.bin")).unwrap();
    let binary = DeviceBinary::parse(&file).unwrap();
    let arguments = case.arguments().unwrap();
    let most = [u32::MAX; 3];
    for (local, what) in [(Some(most), "local size"), (Some([1; 3]), "global size"), (None, "global size")] {
        let range = NdRange { global: most, local, ..case.range() };
        let options = LaunchOptions::default();
        let error =
            launch(&binary, &binary.kernels[0], &range, &arguments, &options, &|_, _| {}).unwrap_err();
        assert_eq!(error.what, what, "{error}");
    }
}

/// The profile has every instruction once, also those at which threads wait for others.
#[test]
fn profiles_count_what_was_executed() {
    for name in ["mem_local_bytes", "mem_scan"] {
        let case = LaunchCase::parse(&std::fs::read(corpus().join(format!("cases/{name}.json"))).unwrap());
        let case = case.unwrap();
        let file = std::fs::read(corpus().join(format!("bin/{name}.icllp.bin"))).unwrap();
        let binary = DeviceBinary::parse(&file).unwrap();
        let watch = WatchOptions { profile: true, ..WatchOptions::default() };
        let options = LaunchOptions { watch, ..LaunchOptions::default() };
        let arguments = case.arguments().unwrap();
        let outcome =
            launch(&binary, &binary.kernels[0], &case.range(), &arguments, &options, &|_, _| {}).unwrap();
        assert_eq!(outcome.profile.total(), outcome.instructions, "{name}");
        assert_eq!(outcome.profile.instructions["wait"], outcome.profile.messages["barrier"], "{name}");
    }
}

/// The output of an image that is only read is what was given: of one of blocks, its blocks.
#[test]
fn images_of_blocks_come_back() {
    let case = corpus().join("cases/img_sample2d.norm_clamp_linear.json");
    let case = LaunchCase::parse(&std::fs::read(case).unwrap()).unwrap();
    let file = std::fs::read(corpus().join("bin/img_sample2d.icllp.bin")).unwrap();
    let binary = DeviceBinary::parse(&file).unwrap();
    let mut arguments = case.arguments().unwrap();
    let Argument::Image(image) = &mut arguments[0] else { panic!("no image") };
    // Three by two blocks of 8 bytes.
    let blocks: Vec<u8> = (0..3 * 2 * 8).collect();
    (image.picture.width, image.picture.height) = (10, 8);
    (image.picture.format, image.picture.levels) = (SurfaceFormat::BC1_UNORM, vec![blocks.clone()]);
    let options = LaunchOptions::default();
    let outcome =
        launch(&binary, &binary.kernels[0], &case.range(), &arguments, &options, &|_, _| {}).unwrap();
    assert_eq!(outcome.outputs.iter().find(|(index, _)| *index == 0), Some(&(0, blocks)));
}

/// A snippet without its end is stopped at the end of the code.
#[test]
fn code_that_is_cut_stops() {
    let whole = end(Platform::Gen11);
    let run = |code| snippet::execute(&Program::new(Platform::Gen11, code), Registers::default(), 1, 100);
    for length in 0..16 {
        let error = run(&whole[..length]).unwrap_err();
        assert_eq!(error.what, "end of the program", "{length}");
    }
    assert!(run(&whole).is_ok());
}

/// Inverses of matrices whose rows have to be swapped: the compiler moves them by `smov`, lane by lane.
#[test]
fn private_arrays_in_registers_are_written_lane_by_lane() {
    let count = 16;
    // Row r of matrix m has its large element in column (r + m) % 4 or, in others, (m - r) % 4.
    let element = |m: usize, r: usize, c: usize| {
        let large = if m % 8 < 4 { (r + m) % 4 } else { (m + 4 - r) % 4 };
        if c == large { 4.0 + m as f32 } else { ((m * 7 + r * 3 + c * 5) % 4) as f32 * 0.25 }
    };
    let input: Vec<u8> =
        (0..count * 16).flat_map(|at| element(at / 16, at / 4 % 4, at % 4).to_le_bytes()).collect();
    for device in ["skl", "icllp"] {
        let file = std::fs::read(corpus().join(format!("bin/mat4_inverse.{device}.bin"))).unwrap();
        let binary = DeviceBinary::parse(&file).unwrap();
        let range =
            NdRange { dimensions: 1, global: [count as u32, 1, 1], local: Some([8, 1, 1]), offset: [0; 3] };
        let arguments = [Argument::Buffer(vec![0; count * 64]), Argument::Buffer(input.clone())];
        let options = LaunchOptions::default();
        let outcome = launch(&binary, &binary.kernels[0], &range, &arguments, &options, &|_, _| {}).unwrap();
        let (_, output) = outcome.outputs.iter().find(|(index, _)| *index == 0).unwrap();
        let inverse = |m: usize, r: usize, c: usize| {
            let at = (m * 16 + r * 4 + c) * 4;
            f32::from_le_bytes(output[at..at + 4].try_into().unwrap())
        };
        for (m, r, c) in (0..count * 16).map(|at| (at / 16, at / 4 % 4, at % 4)) {
            let product: f32 = (0..4).map(|k| element(m, r, k) * inverse(m, k, c)).sum();
            let want = if r == c { 1.0 } else { 0.0 };
            assert!((product - want).abs() < 1e-4, "{device}: matrix {m}, row {r}, column {c}: {product}");
        }
    }
}

/// The machine executes every instruction of every bundled kernel, also those that no launch here reaches. `TEXWIRE_KERNELS` is one
/// more folder of device binaries.
#[test]
fn every_instruction_of_compiled_kernels_is_executed() {
    let bundled = [corpus().join("bin"), corpus().join("../devicebin")];
    let more = std::env::var_os("TEXWIRE_KERNELS").map(PathBuf::from);
    let mut instructions = 0;
    for folder in bundled.into_iter().chain(more) {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.extension().is_none_or(|extension| extension != "bin") {
                continue;
            }
            let file = std::fs::read(&path).unwrap();
            let binary = DeviceBinary::parse(&file).unwrap();
            let platform = binary.platform().unwrap();
            if !matches!(platform, Platform::Gen9 | Platform::Gen11) {
                continue;
            }
            for kernel in &binary.kernels {
                let program = Program::new(platform, binary.heap(&kernel.heap));
                for instruction in &program.instructions {
                    if let Action::Broken(error) = &instruction.action {
                        panic!("{}, kernel {}: {error}", path.display(), kernel.name);
                    }
                }
                instructions += program.instructions.len();
            }
        }
    }
    assert!(instructions > 10_000, "{instructions}");
}
