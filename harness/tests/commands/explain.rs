//! `texwire explain`: every state structure and descriptor of the corpus, against what the ground truth says of them.

use crate::command::{refused, stdout, texwire};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use texwire::Platform;
use texwire::state::nv::Class;
use texwire_harness::explain::{Explained, StateKind, descriptor, dwords, record, state, texture_header};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

fn json(path: &str) -> Value {
    serde_json::from_slice(&std::fs::read(corpus().join(path)).unwrap()).unwrap()
}

fn words(list: &Value) -> Vec<u32> {
    let list: Vec<&str> = list.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    dwords::parse(&list.join(" ")).unwrap()
}

fn raw(explained: &Explained, name: &str) -> u64 {
    explained.fields.iter().find(|line| line.name == name).unwrap_or_else(|| panic!("no {name}")).raw
}

fn value<'a>(explained: &'a Explained, name: &str) -> &'a str {
    &explained.fields.iter().find(|line| line.name == name).unwrap_or_else(|| panic!("no {name}")).value
}

/// Every field has a name, a place, a value and, in structures, a meaning; the text has a line for each.
fn complete(explained: &Explained) {
    for line in &explained.fields {
        assert!(!line.name.is_empty() && !line.bits.is_empty() && !line.value.is_empty(), "{line:?}");
        assert!(!line.meaning.is_empty(), "{line:?}");
    }
    let text = explained.to_string();
    assert_eq!(
        text.lines().count(),
        1 + explained.fields.len() + explained.broken.len() + explained.notes.len()
    );
}

#[test]
fn surfaces_say_what_the_ground_truth_says() {
    let mut count = 0;
    for (file, platform) in [("gen9", Platform::Gen9), ("gen11", Platform::Gen11)] {
        for case in json(&format!("state/surface-layout.{file}.json"))["cases"].as_array().unwrap() {
            let explained = state(StateKind::Surface, &words(&case["state"]), platform);
            complete(&explained);
            assert_eq!(explained.broken, [], "{explained}");
            assert_eq!(value(&explained, "Surface Format"), case["format"], "{explained}");
            assert_eq!(value(&explained, "Surface Base Address"), case["view"]["address"]);
            let samples = case["samples"].as_u64().unwrap();
            let plural = if samples == 1 { "sample" } else { "samples" };
            assert_eq!(value(&explained, "Number of Multisamples"), format!("{samples} {plural}"));
            let width = case["w"].as_u64().unwrap();
            let plural = if width == 1 { "texel" } else { "texels" };
            assert_eq!(value(&explained, "Width"), format!("{width} {plural}"));
            for (name, select) in
                ["Red", "Green", "Blue", "Alpha"].iter().zip(case["view"]["swizzle"].as_array().unwrap())
            {
                assert_eq!(
                    raw(&explained, &format!("Shader Channel Select {name}")),
                    select.as_u64().unwrap()
                );
            }
            count += 1;
        }
    }
    assert!(count > 60, "{count} surfaces");
}

#[test]
fn compiled_samplers_say_what_the_ground_truth_says() {
    let samplers = json("state/sampler-compiled.json");
    let samplers = samplers["samplers"].as_array().unwrap();
    assert!(samplers.len() > 5);
    for case in samplers {
        let explained = state(StateKind::Sampler, &words(&case["dwords"]), Platform::Gen11);
        complete(&explained);
        for (name, want) in case["decoded"].as_object().unwrap() {
            let want = want.as_i64().unwrap();
            let width = if name == "Texture LOD Bias" { 0x1fff } else { u64::MAX };
            assert_eq!(raw(&explained, name), want as u64 & width, "{name} of {explained}");
        }
        assert_eq!(value(&explained, "Mag Mode Filter"), case["filter"]);
    }
}

#[test]
fn texture_headers_say_what_the_ground_truth_says() {
    let headers = json("txq/headers.json");
    let headers = headers["headers"].as_array().unwrap();
    assert!(headers.len() > 20);
    for case in headers {
        let class =
            Class::from_code(u16::from_str_radix(case["class"].as_str().unwrap(), 16).unwrap()).unwrap();
        let explained = texture_header(class, &words(&case["header"]));
        complete(&explained);
        if let Some(kind) = case["fields"]["texture_type"].as_str() {
            assert_eq!(value(&explained, "TEXTURE_TYPE"), kind, "{explained}");
            let size =
                ["width", "height", "depth"].map(|key| case["fields"][key].as_u64().unwrap().to_string());
            assert!(explained.summary.ends_with(&size.join(" x ")), "{} {size:?}", explained.summary);
        }
    }
}

/// Every sampler descriptor of the native streams: the same operation, lengths and rules as the instruction's.
#[test]
fn descriptors_of_the_streams_say_what_their_instructions_say() {
    use texwire::eu::Stream;
    let mut count = 0;
    for (folder, platform) in [("gen9", Platform::Gen9), ("gen11", Platform::Gen11)] {
        for entry in std::fs::read_dir(corpus().join("gen/bin").join(folder)).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            let mut stream = Stream::new(platform, &bytes);
            while let Ok(Some(instruction)) = stream.next() {
                let Ok(Some(send)) = instruction.send() else { continue };
                let (Some(d), Some(true)) = (send.sampler_descriptor(), send.is_sampler()) else { continue };
                let explained = descriptor::descriptor(d.0, send.extended_descriptor(), platform);
                complete(&explained);
                assert_eq!(value(&explained, "message type"), d.type_symbol().unwrap_or("reserved"));
                assert_eq!(raw(&explained, "response length"), u64::from(d.rlen()));
                for rule in &explained.broken {
                    let known = send.validate().any(|broken| texwire::rules::Rule::name(broken) == rule.rule);
                    assert!(known, "{explained}{send:x?}");
                }
                count += 1;
            }
        }
    }
    assert!(count > 150, "{count} descriptors");
}

/// Every state record of the bundled traces.
#[test]
fn states_of_traces() {
    use texwire::trace::{Decoder, Event, MAX_FRAME};
    let mut seen = std::collections::BTreeMap::new();
    for name in ["trace.twt", "demo.twt"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../firmware-example").join(name);
        let bytes = std::fs::read(path).unwrap();
        let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
        let mut rest = &bytes[..];
        while let Some(event) = decoder.feed(&mut rest) {
            let Event::Frame { frame, .. } = event else { continue };
            let Some(one) = frame.record().unwrap() else { continue };
            if let Some(explained) = record::record(&one, Platform::Gen11) {
                complete(&explained);
                *seen.entry(explained.what.split(" (").next().unwrap().to_owned()).or_insert(0) += 1;
            }
        }
    }
    let kinds: Vec<&str> = seen.keys().map(String::as_str).collect();
    let all = ["RENDER_SURFACE_STATE", "SAMPLER_BORDER_COLOR_STATE", "SAMPLER_STATE", "texture header"];
    assert!(all.iter().all(|kind| kinds.contains(kind)), "{seen:?}");
}

/// A descriptor, as a log has it; states from the line, a file and standard input; JSON; no colour in a pipe.
#[test]
fn the_command_takes_what_people_have() {
    let want = stdout(&["explain", "--desc", "0x02420001"], b"");
    assert!(want.starts_with("sampler message descriptor: sample simd8, surface 1, sampler 0"), "{want}");
    assert_eq!(stdout(&["explain", "0x02420001"], b""), want);
    assert_eq!(stdout(&["explain", "-"], b"0x02420001\n"), want);
    assert!(!want.contains('\x1b'));

    let sampler = "dw0: 0x00100000\ndw1: 0x000e0003\ndw2: 0\ndw3: 0x00001892\n";
    let want = stdout(&["explain", "--state", "sampler", "00100000,000e0003,00000000,00001892"], b"");
    assert!(want.contains("TCX Address Control Mode"), "{want}");
    assert_eq!(stdout(&["explain", "--state", "sampler", "-"], sampler.as_bytes()), want);
    let bytes = [0, 0, 0x10, 0, 3, 0, 0xe, 0, 0, 0, 0, 0, 0x92, 0x18, 0, 0];
    let path = std::env::temp_dir().join(format!("texwire-explain-{}.bin", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(stdout(&["explain", "--state", "sampler", path.to_str().unwrap()], b""), want);
    std::fs::remove_file(path).unwrap();
    let line: Value =
        serde_json::from_str(&stdout(&["explain", "--json", "--state", "sampler", "-"], &bytes)).unwrap();
    assert_eq!(line["what"], "SAMPLER_STATE");
    assert_eq!(line["fields"].as_array().unwrap().len(), 38);
    let two = stdout(&["explain", "--state", "binding-table", "0x40 0x83"], b"");
    assert!(two.contains("BINDING_TABLE_STATE 1: surface state at 0x80"), "{two}");
    assert!(two.contains("violates reserved-bits"), "{two}");

    for (arguments, why) in [
        (&["explain", ""][..], "nothing to explain at the input: it is empty"),
        (&["explain", "--state", "surface", "0x1"], "1 dword at the input: a RENDER_SURFACE_STATE has 16"),
        (&["explain", "--state", "sampler", "no/such.file"], "cannot read no/such.file: no such file"),
        (&["explain", "0x1", "0x2", "0x3", "0x4"], "4 dwords may be a --state sampler or border"),
        (&["explain", "--desc", "0x123456789"], "2 dwords, expected one"),
    ] {
        let said = refused(arguments);
        assert!(said.starts_with("error: ") && said.contains(why), "{arguments:?}: {said}");
    }
}

/// Structures are explained one after the other: what is printed of all these would take 70 MB of memory.
#[test]
#[cfg(target_os = "linux")]
fn many_structures_take_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let send = [0x33, 0, 0x80, 2, 0x78, 0x20, 0x81, 2, 2, 2, 0, 0, 0, 0x80, 0x85, 4];
    for (options, bytes) in [("--state sampler", vec![1; 1 << 16]), ("--wire gen11", send.repeat(1 << 13))] {
        let file = folder.path().join("structures.bin");
        std::fs::write(&file, bytes).unwrap();
        let limited = format!(r#"ulimit -d 40000; exec "$0" explain {options} "$1""#);
        let mut command = Command::new("bash");
        command.args(["-c", &limited, env!("CARGO_BIN_EXE_texwire")]).arg(&file);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{options}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// What precedes the first instruction that does not decode is printed.
#[test]
fn instructions_before_an_error_are_explained() {
    let good = "33008002782081020202000000808504";
    let alone = stdout(&["explain", "--wire", "gen11", good], b"");
    let said = texwire(&["explain", "--wire", "gen11", &format!("{good}3300")]);
    assert_eq!((said.status, said.out), (Some(2), alone), "{}", said.err);
}

/// What `gen` makes of a state, `explain` reads.
#[test]
fn generated_states_are_explained() {
    let folder = std::env::temp_dir().join(format!("texwire-gen-{}", std::process::id()));
    for kind in ["surface", "sampler", "nv-header"] {
        stdout(&["gen", kind, "--count", "3", "-o", folder.to_str().unwrap()], b"");
        for number in 0..3 {
            let path = folder.join(format!("{kind}-1-{number}.bin"));
            let text = stdout(&["explain", "--state", kind, path.to_str().unwrap()], b"");
            assert!(text.lines().count() > 3, "{text}");
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// The screenshots of the README and of EXPLAIN.md are what the shell prints: of a descriptor and of every state structure.
#[test]
#[cfg(unix)]
fn readme_shows_what_is_printed() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    let section = readme.split("## Read a hang dump").nth(1).unwrap().split("\n## ").next().unwrap();
    let manual = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("EXPLAIN.md")).unwrap();
    let console =
        |text: &str| text.split("```console\n").nth(1).unwrap().split("```").next().unwrap().to_owned();
    let block = console(section) + &console(&manual);
    let folder = tempfile::tempdir().unwrap();
    let texwire = Path::new(env!("CARGO_BIN_EXE_texwire")).parent().unwrap();
    let path = format!("{}:{}", texwire.display(), std::env::var("PATH").unwrap_or_default());
    let mut structures = Vec::new();
    for shown in block.split("$ ").skip(1) {
        let (line, said) = shown.split_once('\n').unwrap();
        let said = said.trim_end().to_owned() + "\n";
        if line == "cat dump.txt" {
            std::fs::write(folder.path().join("dump.txt"), said).unwrap();
            continue;
        }
        let output =
            Command::new("bash").args(["-c", line]).current_dir(&folder).env("PATH", &path).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), said, "{line}");
        structures
            .extend(line.split_once("--state ").map(|(_, rest)| rest.split(' ').next().unwrap().to_owned()));
    }
    let help = stdout(&["explain", "-h"], b"");
    let states = help.split("--state").nth(1).unwrap().split("possible values: ").nth(1).unwrap();
    for state in states.split(']').next().unwrap().split(", ") {
        assert!(structures.iter().any(|shown| shown == state), "no screenshot of {state}");
    }
}

/// Of Xe2 there are message descriptors, in any spelling, and nothing else; of Xe-HPC no native instructions.
#[test]
fn descriptors_of_xe2_are_explained() {
    let want = stdout(&["explain", "--platform", "xe2", "--desc", "0x82420001"], b"");
    let title = "sampler message descriptor of Xe2: ";
    assert!(want.starts_with(title), "{want}");
    // Bit 31 is the sixth bit of the message type; mode 1 is 16 lanes where Gen11 has 8.
    assert!(want.contains("31+16:12  message type         0x20  "), "{want}");
    assert!(want.contains("29+18:17  SIMD mode            0x1   simd16"), "{want}");
    assert_eq!(stdout(&["explain", "--platform", "xe2", "0x82420001"], b""), want);
    assert_eq!(stdout(&["explain", "--platform", "xe2", "-"], b"desc: 0x82420001\n"), want);
    let reserved = stdout(&["explain", "--platform", "xe2", "0x80008000"], b"");
    assert!(reserved.starts_with(&format!("{title}gather4_po reserved mode, ")), "{reserved}");
    assert!(reserved.contains("violates simd-mode: "), "{reserved}");

    let send = "33008002782081020202000000808504";
    for (arguments, why) in [
        (&["--platform", "xe2", send][..], "of xe2 only message descriptors are explained"),
        (
            &["--platform", "xe2", "--state", "border", "0 0 0 0"],
            "of xe2 only message descriptors are explained",
        ),
        (&["--platform", "xe-hpc", send], "xe-hpc has no native dialect here"),
        (
            &["--platform", "volta", "0x1"],
            "volta (expected gen9, gen11, xe-lp, xe-hpg, xe-hpc, xe2, maxwell, pascal)",
        ),
    ] {
        let said = refused(&[&["explain"], arguments].concat());
        assert!(said.contains(" platform at --platform: ") && said.contains(why), "{arguments:?}: {said}");
    }
}

/// Formats that the PRM's table lacks have the names that `enum` has.
#[test]
fn astc_formats_have_names() {
    let surface = "0x29240000 0 0x003b0063 0x1ff 0 0 0 0x09770000 0 0 0 0 0 0 0 0";
    let text = stdout(&["explain", "--state", "surface", surface], b"");
    assert!(text.starts_with("RENDER_SURFACE_STATE: 2D ASTC_LDR_2D_5X5_FLT16, 100 x 60, "), "{text}");
    let line = text.lines().find(|line| line.contains(" Surface Format ")).unwrap();
    assert!(line.contains(" 0x249  ") && line.contains(" ASTC_LDR_2D_5X5_FLT16 "), "{line}");
    assert!(stdout(&["enum", "SURFACE_FORMAT", "0x249"], b"").contains(" ASTC_LDR_2D_5X5_FLT16 "));
}
