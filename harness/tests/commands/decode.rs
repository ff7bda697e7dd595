//! What `decode`, `explain` and `fuzz-input` show of doubtful bits: the same in text and JSON, and nothing that is not there.

use crate::command::{corpus, file, texwire};
use serde_json::Value;
use std::fs;
use tempfile::tempdir;

fn both(args: &[&str]) -> (String, Value) {
    let text = texwire(&[&["decode"], args].concat());
    let json = texwire(&[&["decode", "--json"], args].concat());
    (text.out, serde_json::from_str(json.out.lines().next().unwrap()).unwrap())
}

/// An immediate of 16 bits has the low half of its dword; the rest breaks a rule and is not printed.
#[test]
fn words_have_16_bits() {
    let folder = tempdir().unwrap();
    let lod = |value: u32| {
        let mut bytes = vec![0x6d, 9, 0, 3, 0, 0, 3, 5, 2];
        bytes.extend_from_slice(&value.to_le_bytes());
        bytes.extend_from_slice(&[0, 6, 40, 0, 0, 0, 0, 0, 1, 41, 0, 0, 0, 0, 0]);
        file(&folder, "lod", &bytes)
    };
    let (text, record) = both(&["--wire", "visa", &lod(0xffff_0123)]);
    assert!(text.contains("  0x123:uw S0 "), "{text}");
    assert_eq!(
        (record["text"].as_str().unwrap(), &record["aoffimmi"]["type"]),
        (text.trim().split_once("  ").unwrap().1, &"uw".into())
    );
    assert!(record["violations"].as_array().unwrap().contains(&"aoffimmi-type".into()), "{record}");
    let (same, record) = both(&["--wire", "visa", &lod(0x123)]);
    assert_eq!(same, text);
    assert!(!record["violations"].to_string().contains("aoffimmi-type"), "{record}");
}

/// The predicate of a send in align16 mode is the same in text and JSON, on every platform and with every control.
#[test]
fn predicates_are_the_same_in_text_and_json() {
    let folder = tempdir().unwrap();
    for wire in ["gen9", "gen11"] {
        for align16 in [0, 1] {
            // Gen9 defines eight controls of align16.
            for control in 0..if (wire, align16) == ("gen9", 1) { 8 } else { 14 } {
                let mut send = [0x33, align16, 0x80, 2, 0x78, 0x20, 0x81, 2, 2, 2, 0, 0, 0, 0x80, 0x85, 4];
                send[2] |= control;
                let (text, record) = both(&["--wire", wire, &file(&folder, "send", send)]);
                let shown = text.split("  ").nth(1).unwrap();
                match record["pred"].as_object() {
                    None => assert!(shown.starts_with("sends "), "{wire} {control}: {text}{record}"),
                    Some(pred) => {
                        let (flag, name) = (
                            pred["flag"].as_str().unwrap(),
                            pred["ctrl"].as_str().filter(|name| !name.is_empty()),
                        );
                        let dot = name.map_or(String::new(), |name| format!(".{name}"));
                        let want = format!("({flag}{dot}) sends ");
                        assert!(shown.starts_with(&want), "{wire} {control}: {text}{record}");
                    }
                }
                assert!(
                    record["iga_text"].as_str().is_some_and(|iga| shown.starts_with(iga)),
                    "{text}{record}"
                );
            }
        }
    }
}

/// A dialect is not read as another platform's; every native dialect is there.
#[test]
fn dialects_have_their_platforms() {
    for (wire, platform) in [("gen11", "xe-hpg"), ("gen9", "gen11"), ("maxwell", "gen9"), ("visa", "maxwell")]
    {
        let said =
            texwire(&["explain", "--wire", wire, "--platform", platform, "33008002782081020202000000808504"]);
        assert_eq!(said.status, Some(2), "{said:?}");
        let want =
            format!("error: unknown platform at --platform: {platform} does not go with {wire} (expected ");
        assert!(said.err.starts_with(&want), "{said:?}");
    }
    let folder = tempdir().unwrap();
    // A sync.nop and a send of Gen12 to the sampler.
    let send = [0x31, 0, 4, 0, 0, 0, 0x0c, 0x10, 0x24, 0x10, 0x00, 0x20, 0x14, 0x10, 0x01, 0x04];
    for (wire, name) in [("gen12", "gen12"), ("xe-hpg", "xe-hpg")] {
        let said = texwire(&["decode", "--all", "--json", "--wire", wire, &file(&folder, "send", send)]);
        let record: Value = serde_json::from_str(said.out.lines().next().unwrap()).unwrap();
        assert_eq!(record["wire"], name, "{said:?}");
    }
}

/// An error of a Gen12 word is at the bits that Gen12 has the field at.
#[test]
fn errors_of_gen12_are_at_its_bits() {
    let folder = tempdir().unwrap();
    // The architecture register of the destination: bits 63:56 of Gen12's send, 60:53 of Gen11's.
    let mut word = [0u8; 16];
    word[0] = 0x31;
    word[7] = 0xff;
    let said = texwire(&["decode", "--all", "--wire", "gen12", &file(&folder, "word", word)]);
    assert_eq!(said.status, Some(1), "{said:?}");
    assert!(said.err.contains("architecture register 0xff at byte 0x0 bit 56"), "{said:?}");
}

/// The same words for states in `fuzz-input` as in `explain`.
#[test]
fn fuzz_inputs_are_explained() {
    let folder = tempdir().unwrap();
    let bytes = fs::read(corpus("demo/demo.icllp.bin")).unwrap();
    let said = texwire(&["fuzz-input", "diff_execute", &file(&folder, "input", &bytes[..2000])]);
    assert_eq!(said.status, Some(0), "{said:?}");
    let titles = ["message: ", "RENDER_SURFACE_STATE: ", "SAMPLER_STATE: ", "SAMPLER_BORDER_COLOR_STATE: "];
    for title in titles {
        assert!(said.out.lines().any(|line| line.starts_with(title)), "{title}: {said:?}");
    }
    assert!(said.out.contains("TCX Address Control Mode"), "{said:?}");
}
