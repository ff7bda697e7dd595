//! Rules that decoded instructions and states break: shown by `decode`, `check`, `explain` and `trace dump`, with the fields that they are about.

use crate::command::{Said, corpus, file, texwire};
use serde_json::Value;
use std::fs;
use tempfile::{TempDir, tempdir};
use texwire::Platform;
use texwire::state::SurfaceState;
use texwire::trace::{Record, StreamHeader, Writer};

/// The notes on standard error beside text, and the names in JSON records: one instruction breaks the rule, decoding goes on.
fn decode_says(args: &[&str], rule: &str) {
    let text = texwire(&[&["decode"], args].concat());
    let lines: Vec<&str> = text.err.lines().filter(|line| line.contains(rule)).collect();
    assert_eq!((text.status, lines.len()), (Some(0), 1), "{args:?}: {text:?}");
    assert!(
        lines[0].starts_with("note: ") && lines[0].contains(&format!(": violates {rule}: ")),
        "{lines:?}"
    );
    let json = texwire(&[&["decode", "--json"], args].concat());
    let records: Vec<Value> = json.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let broken = |record: &&Value| {
        record["violations"].as_array().is_some_and(|rules| rules.contains(&Value::from(rule)))
    };
    assert_eq!(records.iter().filter(broken).count(), 1, "{args:?}");
}

/// The first `sample` of a kernel with a sampler that is not declared; the same file beside its ground truth.
fn undeclared_sampler(folder: &TempDir) -> String {
    let name = "visa/raymarch.dg2.simd16.isa";
    let first = texwire(&["decode", "--json", &corpus(name)]);
    let record: Value = serde_json::from_str(first.out.lines().next().unwrap()).unwrap();
    let mut bytes = fs::read(corpus(name)).unwrap();
    let offset = record["offset"].as_u64().unwrap() as usize;
    // Opcode, operation, exec, predicate, channels, texel offsets: an immediate of 6 bytes.
    let at = offset + 1 + 2 + 1 + 2 + 1 + 6;
    assert_eq!(
        (&record["instruction"], u64::from(bytes[at])),
        (&"3d_sample".into(), record["sampler"].as_u64().unwrap())
    );
    bytes[at] = 0xee;
    let truth = corpus(name).replace(".isa", ".json");
    fs::copy(truth, folder.path().join("kernel.json")).unwrap();
    file(folder, "kernel.isa", &bytes)
}

#[test]
fn decode_shows_the_rules_of_every_dialect() {
    let folder = tempdir().unwrap();
    let visa = undeclared_sampler(&folder);
    decode_says(&[&visa], "undeclared-sampler");
    // A `sends` of Gen11 whose descriptor asks for no payload.
    let mut send = [0x33, 0, 0x80, 2, 0x78, 0x20, 0x81, 2, 2, 2, 0, 0, 0, 0x80, 0x85, 4];
    assert_eq!(texwire(&["decode", "--wire", "gen11", &file(&folder, "good", send)]).err, "");
    send[15] = 0;
    decode_says(&["--wire", "gen11", &file(&folder, "send", send)], "message-length");
    // Two components into an odd register.
    let section = section(0xdf48_0007_8047_0605);
    decode_says(&["--wire", "maxwell", &file(&folder, "txq", &section)], "rd-alignment");
}

/// A group with one TXQ of the word; the other slots are no TXQ.
fn section(word: u64) -> Vec<u8> {
    let nop = 0x50b0_0000_0007_0f00;
    [0x001f_8000_fc00_07e0, word, nop, nop].iter().flat_map(|word: &u64| word.to_le_bytes()).collect()
}

#[test]
fn check_notes_the_rules() {
    let folder = tempdir().unwrap();
    let visa = undeclared_sampler(&folder);
    let said = texwire(&["check", &visa]);
    let note = said.out.lines().find(|line| line.starts_with("NOTE")).unwrap_or_else(|| panic!("{said:?}"));
    assert!(
        note.starts_with("NOTE 1 instruction breaks undeclared-sampler, first kernel.isa at 0x"),
        "{note}"
    );
    assert!(note.contains("Samplers are declared, or 31."), "{note}");
    // What compilers make breaks none of the rules of declarations.
    let said = texwire(&["check", &corpus("visa")]);
    assert_eq!(said.status, Some(0), "{said:?}");
    assert!(!said.out.contains("undeclared"), "{said:?}");
}

/// A broken rule names its fields, with their values, and marks their lines.
#[test]
fn explain_names_the_fields_of_instructions() {
    let marked = |said: &Said| -> Vec<String> {
        let lines = said.out.lines().filter(|line| line.starts_with('!'));
        lines.map(|line| line.split_once("  ").map_or(line, |(place, _)| place).to_owned()).collect()
    };
    let said = texwire(&["explain", "--wire", "gen11", "3300800278208102020200000080850000"]);
    assert_eq!(said.status, Some(2), "an odd number of bytes: {said:?}");
    let said = texwire(&["explain", "--wire", "gen11", "33008002782081020202000000808500"]);
    assert!(said.out.contains("violates message-length: "), "{said:?}");
    assert!(said.out.contains("Here: descriptor 0x"), "{said:?}");
    assert!(marked(&said).iter().any(|place| place == "! 28:25"), "{:?} {said:?}", marked(&said));
    let said = texwire(&["explain", "--wire", "maxwell", "05064780070048df"]);
    assert_eq!(said.status, Some(0), "{said:?}");
    assert!(
        said.out.contains("violates rd-alignment: ") && said.out.contains("Here: Rd R5, wmsk "),
        "{said:?}"
    );
    assert_eq!(marked(&said).len(), 2, "{said:?}");
    // CPS on a load: two fields, bits of the operation among them.
    let hex = texwire(&[
        "asm",
        "--wire",
        "visa",
        "--platform",
        "gen11",
        "lod.RG (M1, 8)  0x0:uw S0 T6 %null.0 V41.0",
    ]);
    assert_eq!(hex.status, Some(0), "{hex:?}");
    let mut hex = hex.out.trim().to_owned();
    let operation = u8::from_str_radix(&hex[4..6], 16).unwrap() | 2;
    hex.replace_range(4..6, &format!("{operation:02x}"));
    let said = texwire(&["explain", "--wire", "visa", &hex]);
    assert!(said.out.contains("violates cps-destination: "), "{said:?}");
    assert!(said.out.contains("Here: cps true, dst %null"), "{said:?}");
    // Texel offsets are the operand's value, not its class and type.
    let hex = texwire(&[
        "asm",
        "--wire",
        "visa",
        "--platform",
        "gen11",
        "lod.RG (M1, 8)  0x123:uw S0 T6 V40.0 V41.0",
    ]);
    let said = texwire(&["explain", "--wire", "visa", hex.out.trim()]);
    let offsets = said.out.lines().find(|line| line.contains("11:0 ")).unwrap();
    assert!(offsets.contains(" 0x123 ") && offsets.contains("u 1, v 2, r 3"), "{said:?}");
}

/// A trace's states are judged by its own platform, or by the one that is asked for.
#[test]
fn dumps_judge_by_the_traces_platform() {
    let folder = tempdir().unwrap();
    let mut state = SurfaceState::default();
    // A field of Gen11.
    state.set_unorm_path(true);
    let state = state.to_bytes();
    let trace = |name: &str, platform: Option<Platform>| {
        let mut buffer = [0; 512];
        let mut writer = Writer::new(&mut buffer);
        if let Some(platform) = platform {
            writer.write(&Record::Header(StreamHeader::new(platform, false, false))).unwrap();
        }
        writer.write(&Record::Surface { slot: 0, state: &state }).unwrap();
        file(&folder, name, writer.bytes())
    };
    let (gen9, gen11) = (trace("9", Some(Platform::Gen9)), trace("11", Some(Platform::Gen11)));
    let (late, volta) = (trace("late", None), trace("sm", Some(Platform::Pascal)));
    for (args, broken) in [
        (&[gen9.as_str()][..], true),
        (&[&gen11], false),
        (&[&late], false),
        (&[&volta], false),
        (&[&gen9, "--kind", "surface"], true),
        (&[&gen9, "--platform", "gen11"], false),
        (&[&late, "--platform", "gen9"], true),
    ] {
        for json in [&[][..], &["--json"]] {
            let said = texwire(&[&["trace", "dump", "--explain"], args, json].concat());
            assert_eq!(said.status, Some(0), "{said:?}");
            assert_eq!(said.out.contains("field-not-on-platform"), broken, "{args:?}: {said:?}");
        }
    }
    let said = texwire(&["trace", "dump", "--platform", "gen77", &gen9]);
    assert_eq!(said.status, Some(2), "{said:?}");
    let hex: String = fs::read(&gen9).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
    let explain =
        |platform: &[&str]| texwire(&[&["explain", "--wire", "trace", &hex], platform].concat()).out;
    assert!(
        explain(&[]).contains("field-not-on-platform")
            && !explain(&["--platform", "gen11"]).contains("field-not-on-platform")
    );
}
