//! Seed corpora and dictionaries of the fuzz targets.
//!
//! A target that reads its input directly gets the bundled files, generated ones and every regression. A target that builds structured
//! values from its input gets random bytes, enough for large ones.

use crate::generators::gen_native::{self, Reading};
use crate::generators::kinds::InputKind;
use crate::generators::placed;
use crate::generators::random::random;
use crate::output;
use crate::properties::{FuzzTarget, TARGETS};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use texwire::enums::SurfaceFormat;
use texwire::eu::{self, Form, SendInstruction};
use texwire::txq::Query;
use texwire::visa::{Operation, PREDEFINED_SURFACES, PREDEFINED_VARIABLES};
use texwire::{Platform, trace};

/// How many inputs of each kind, and how many of random bytes, a target gets.
const COUNT: u64 = 24;
/// The size limit of a seed in bytes: larger inputs slow a campaign down more than they add to its coverage.
const LONGEST: usize = 16 << 10;

/// The seeds of a target that reads its input directly: the bundled folder with the extension of its files, and the generated kinds.
struct Direct {
    target: &'static str,
    folder: &'static str,
    extension: &'static str,
    kinds: &'static [&'static str],
}

const DIRECT: &[Direct] = &[
    Direct { target: "decode_txq", folder: "txq/text", extension: "bin", kinds: &["maxwell"] },
    Direct { target: "decode_visa", folder: "", extension: "", kinds: &["visa"] },
    Direct { target: "roundtrip_visa", folder: "", extension: "", kinds: &["visa"] },
    Direct { target: "device_binary", folder: "devicebin", extension: "bin", kinds: &["device-binary"] },
    Direct { target: "machine_launch", folder: "devicebin", extension: "bin", kinds: &["device-binary"] },
    Direct { target: "parse_state", folder: "", extension: "", kinds: &["surface"] },
    Direct { target: "trace_stream", folder: "", extension: "", kinds: &["trace", "trace-damaged"] },
    Direct { target: "walk_cisa", folder: "visa", extension: "isa", kinds: &["cisa"] },
];

/// The platforms of `decode_gen`, with the folder of bundled instructions and the generated kind of each.
const NATIVE: [(Platform, &str, &str); 4] = [
    (Platform::Gen9, "gen/bin/gen9", "gen9"),
    (Platform::Gen11, "gen/bin/gen11", "gen11"),
    (Platform::XeLp, "", "gen12"),
    (Platform::XeHpg, "", "gen12"),
];

/// The file name of a seed, and its bytes.
pub type Seed = (String, Vec<u8>);

/// Returns the folder of the bundled files.
pub fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// Returns the regressions of a target: every input that ever broke its property.
///
/// # Errors
/// A file cannot be read.
pub fn regressions(corpus: &Path, target: &FuzzTarget) -> io::Result<Vec<Seed>> {
    files(&corpus.join("regressions").join(target.name), "")
}

/// Returns the files in `folder` in the order of their names; an empty list if there is no folder.
fn files(folder: &Path, extension: &str) -> io::Result<Vec<Seed>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let ending = path.extension().unwrap_or_default();
        if path.is_file() && (extension.is_empty() || ending == extension) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            found.push((name, fs::read(&path)?));
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the seeds of a target.
///
/// # Errors
/// A bundled file cannot be read.
pub fn seeds(corpus: &Path, target: &FuzzTarget) -> io::Result<Vec<Seed>> {
    let mut seeds = regressions(corpus, target)?;
    for direct in DIRECT.iter().filter(|direct| direct.target == target.name) {
        if !direct.folder.is_empty() {
            let folder = direct.folder.replace('/', "-");
            let found = files(&corpus.join(direct.folder), direct.extension)?;
            seeds.extend(found.into_iter().map(|(name, bytes)| (format!("{folder}-{name}"), bytes)));
        }
        for kind in direct.kinds.iter().filter_map(|name| InputKind::find(name)) {
            seeds.extend((0..COUNT).map(|n| (format!("{}-{n}", kind.name), kind.make(1, n))));
        }
    }
    if target.name == "decode_gen" {
        seeds.extend(native(corpus)?);
    }
    if target.name == "walk_cisa"
        && let Some(kind) = InputKind::find("visa")
    {
        // A first byte of 0 makes the target read the rest as instructions, not as a file.
        seeds.extend((0..COUNT).map(|n| (format!("visa-{n}"), [&[0], &kind.make(1, n)[..]].concat())));
    }
    if target.name == "asm_text" {
        seeds.extend(texts().into_iter().enumerate().map(|(n, text)| (format!("text-{n}"), text)));
    }
    // 64 bytes up to 8 KiB, for small and for large structures.
    seeds.extend((0..COUNT).map(|n| (format!("random-{n}"), random(n, 64 << (n % 8)))));
    seeds.retain(|(_, bytes)| bytes.len() <= LONGEST);
    Ok(seeds)
}

/// Returns instructions and text for `decode_gen`; the first byte of each seed says how the rest is read.
fn native(corpus: &Path) -> io::Result<Vec<Seed>> {
    let mut seeds = Vec::new();
    for (platform, folder, kind) in NATIVE {
        let seed = |reading, name: String, bytes: &[u8]| {
            let first = gen_native::first(platform, reading)?;
            Some((format!("{}-{name}", platform.name()), [&[first], bytes].concat()))
        };
        if !folder.is_empty() {
            let found = files(&corpus.join(folder), "bin")?;
            seeds.extend(found.iter().filter_map(|(name, bytes)| seed(Reading::Stream, name.clone(), bytes)));
        }
        let Some(kind) = InputKind::find(kind) else { continue };
        for n in 0..COUNT {
            let bytes = kind.make(1, n);
            seeds.extend(seed(Reading::Stream, format!("generated-{n}"), &bytes));
            seeds.extend(seed(Reading::Drawn, format!("drawn-{n}"), &random(n, 64 << (n % 4))));
            if let Some(text) = native_text(platform, &bytes) {
                seeds.extend(seed(Reading::Text, format!("text-{n}"), text.as_bytes()));
            }
        }
    }
    Ok(seeds)
}

/// Returns the text of the first send in a stream.
fn native_text(platform: Platform, bytes: &[u8]) -> Option<String> {
    let mut stream = eu::Stream::new(platform, bytes);
    while let Ok(Some(instruction)) = stream.next() {
        if let Ok(Some(send)) = instruction.send() {
            let mut text = String::new();
            return send.write_text(&mut text).is_ok().then_some(text);
        }
    }
    None
}

/// Returns the assembler text of generated instructions.
fn texts() -> Vec<Vec<u8>> {
    use texwire::visa::{Anonymous, Version, VisaInstruction};
    let Some(kind) = InputKind::find("visa") else { return Vec::new() };
    let text = |n| {
        let bytes = kind.make(1, n);
        let sampler = VisaInstruction::first(&bytes, Version::V4_1).ok()?.sampler().ok()??;
        Some(sampler.display(&Anonymous).to_string().into_bytes())
    };
    (0..COUNT * 2).filter_map(text).collect()
}

/// Writes the seeds of every target to `out/TARGET`; returns the number of seeds of each.
///
/// # Errors
/// A file cannot be read or written.
pub fn write(corpus: &Path, out: &Path, targets: &[&FuzzTarget]) -> io::Result<Vec<usize>> {
    let mut counts = Vec::new();
    for target in targets {
        let folder = out.join(target.name);
        fs::create_dir_all(&folder)?;
        let seeds = seeds(corpus, target)?;
        for (name, bytes) in &seeds {
            output::write(&folder.join(name), &[], bytes)?;
        }
        counts.push(seeds.len());
    }
    Ok(counts)
}

/// Writes the dictionaries of the targets that have one to `out/TARGET.dict`.
///
/// # Errors
/// A file cannot be written.
pub fn write_dictionaries(out: &Path, targets: &[&FuzzTarget]) -> io::Result<()> {
    fs::create_dir_all(out)?;
    for target in targets {
        if let Some(text) = dictionary(target) {
            output::write(&out.join(format!("{}.dict", target.name)), &[], text.as_bytes())?;
        }
    }
    Ok(())
}

/// Returns the targets with these names; all targets if there are no names.
///
/// # Errors
/// A name is unknown.
pub fn named<N: AsRef<str>>(names: &[N]) -> Result<Vec<&'static FuzzTarget>, String> {
    if names.is_empty() {
        return Ok(TARGETS.iter().collect());
    }
    names.iter().map(|name| find(name.as_ref())).collect()
}

/// Returns the target with this name.
///
/// # Errors
/// The name is unknown.
pub fn find(name: &str) -> Result<&'static FuzzTarget, String> {
    FuzzTarget::find(name).ok_or_else(|| {
        let all: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
        format!("unknown target at TARGET: {name} (expected one of {})", all.join(", "))
    })
}

/// Returns the dictionary of a target in libFuzzer's syntax; `None` for a target without one.
pub fn dictionary(target: &FuzzTarget) -> Option<String> {
    let tokens = match target.name {
        "asm_text" => visa_text(),
        "decode_gen" => [gen_words(), gen_text()].concat(),
        "decode_txq" => [txq_words(), txq_text()].concat(),
        "decode_visa" | "roundtrip_visa" => visa_opcodes(),
        "device_binary" => container_words(),
        "parse_state" => surface_words(),
        "trace_stream" => trace_words(),
        "walk_cisa" => [vec![b"CISA\x04\x01".to_vec(), b"CISA\x03\x06".to_vec()], visa_opcodes()].concat(),
        _ => return None,
    };
    let mut text = String::from("# Made from the tables: texwire seeds --dictionaries fuzz/dictionaries\n");
    for token in tokens {
        text.push('"');
        for byte in token {
            match byte {
                b'"' | b'\\' => {
                    let _ = write!(text, "\\{}", char::from(byte));
                }
                b' '..=b'~' => text.push(char::from(byte)),
                _ => {
                    let _ = write!(text, "\\x{byte:02x}");
                }
            }
        }
        text.push_str("\"\n");
    }
    Some(text)
}

fn all(words: &[&str]) -> Vec<Vec<u8>> {
    words.iter().map(|word| word.as_bytes().to_vec()).collect()
}

fn visa_text() -> Vec<Vec<u8>> {
    let operations = Operation::all().iter().map(|operation| operation.name.as_bytes().to_vec());
    let rest = [
        "M1",
        "M5",
        "M1_NM",
        "(1)",
        "(8)",
        "(16)",
        "(32)",
        "(!P1)",
        "(P2.any)",
        "RGBA",
        "R",
        "<0;1,0>",
        "V0032.0",
        "T6",
        "S0",
        "0x0:uw",
        ":ud",
        ":f",
        ".pixel_null_mask",
        ".cps",
        ".non_uniform",
    ];
    let names = PREDEFINED_VARIABLES.iter().chain(&PREDEFINED_SURFACES).map(|name| name.as_bytes().to_vec());
    operations.chain(all(&rest)).chain(names).collect()
}

/// The opcodes of sampler and media instructions, alone and with every operation.
fn visa_opcodes() -> Vec<Vec<u8>> {
    let mut tokens: Vec<Vec<u8>> =
        [0x4b, 0x4c, 0x4d, 0x4e, 0x5d, 0x69, 0x7a, 0x89, 0x8a].iter().map(|opcode| vec![*opcode]).collect();
    for operation in Operation::all() {
        tokens.push(vec![operation.opcode, operation.number]);
        tokens.push(vec![operation.opcode, operation.number, 0, 0, 0, 0x03]);
    }
    tokens
}

/// An encoded send of every form and platform.
fn gen_words() -> Vec<Vec<u8>> {
    let mut tokens = Vec::new();
    for (platform, forms) in [
        (Platform::Gen9, &[Form::Plain, Form::Split][..]),
        (Platform::Gen11, &[Form::Plain, Form::Split]),
        (Platform::XeLp, &[Form::Unified]),
        (Platform::XeHpg, &[Form::Unified]),
    ] {
        for form in forms {
            tokens
                .extend(SendInstruction::new(platform, *form).encode().map(|word| word.to_bytes().to_vec()));
        }
    }
    tokens.sort();
    tokens.dedup();
    tokens
}

fn gen_text() -> Vec<Vec<u8>> {
    let mut tokens = all(&[
        "send",
        "sendc",
        "sends",
        "sendsc",
        "(8|M0)",
        "(16|M0)",
        "(W)",
        "(f0.0)",
        "null",
        "r10",
        "a0.0",
        "0x2",
        "{EOT}",
        "{Breakpoint}",
        "{NoSrcDepSet}",
        "{Atomic}",
        "{Serialize}",
        "//",
    ]);
    for platform in [Platform::Gen11, Platform::XeLp, Platform::XeHpg] {
        tokens
            .extend((0..16).map(|sfid| format!(".{}", eu::text::function_name(platform, sfid)).into_bytes()));
    }
    tokens.sort();
    tokens.dedup();
    tokens
}

fn txq_words() -> Vec<Vec<u8>> {
    [0x1be9_u64, 0x1bea].iter().map(|opcode| (opcode << 51).to_le_bytes().to_vec()).collect()
}

fn txq_text() -> Vec<Vec<u8>> {
    let queries =
        (0..64).filter_map(Query::from_raw).filter_map(Query::name).map(|name| name.as_bytes().to_vec());
    let words =
        all(&["TXQ", "TXQ.B", ".NODEP", "@P0", "@!PT", "RZ", "R0", "R254", "0x1fff", "0xf", ", ", ";"]);
    let mut tokens: Vec<_> = words.into_iter().chain(queries).collect();
    tokens.sort();
    tokens.dedup();
    tokens
}

fn container_words() -> Vec<Vec<u8>> {
    let mut tokens = all(&["CTNI", "\x7fELF", ".text.", "image2d_t;8"]);
    // The section type of the program, the machine code of cubins, and the tokens of the patch items that are parsed.
    tokens.push(0xFF00_0005_u32.to_le_bytes().to_vec());
    tokens.push(190_u16.to_le_bytes().to_vec());
    tokens.extend([5_u32, 8, 12, 16, 23, 26].iter().map(|token| token.to_le_bytes().to_vec()));
    tokens
}

/// The first dword of a 2D surface of every format with elements.
fn surface_words() -> Vec<Vec<u8>> {
    let word = |format: &SurfaceFormat| 1_u32 << 29 | u32::from(format.0) << 18 | 0x1_4000;
    placed::formats().iter().map(|format| word(format).to_le_bytes().to_vec()).collect()
}

/// The magic of the header, and an empty frame of every kind.
fn trace_words() -> Vec<Vec<u8>> {
    let mut tokens = all(&["TXWR"]);
    let mut out = [0; 64];
    for kind in trace::KINDS {
        let frame = trace::Frame { kind: *kind, flags: 0, sequence: 0, payload: &[] };
        if let Ok(len) = frame.encode(&mut out) {
            tokens.push(out[..len].to_vec());
        }
    }
    tokens
}
