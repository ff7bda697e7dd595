//! Generates `core/src/visa/opcodes_table.rs` from `data/visa-opcodes.json` and checks that the stored file is
//! what the generator makes, and that lengths are the emulator's. `TEXWIRE_REGENERATE=1 cargo test --test
//! visa_opcodes` rewrites it.
//!
//! The byte code of the layouts is described in `core/src/visa/opcodes.rs`.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use texwire::visa::{Instructions, Version};
use texwire_harness::emulator;
use texwire_harness::generators::surface::Random;

const RAW: u8 = 0x40;
const VEC: u8 = 0x50;
const KEY8: u8 = 0x60;
const KEY16: u8 = 0x61;
const REPEAT_RAW: u8 = 0x62;
const REPEAT_U16: u8 = 0x63;
const SAMPLER_OP: u8 = 0x64;
const AOFF: u8 = 0x65;
const INDEX: u8 = 0x66;
const FFID: u8 = 0x67;
const WAIT: u8 = 0x68;
const EQUALS: u8 = 0x69;
const SELECT: u8 = 0x6a;
const BEFORE: u8 = 0x6b;
const IF_BIT: u8 = 0x70;

/// Layouts as byte code, shared where one ends like another.
#[derive(Default)]
struct Programs {
    code: Vec<u8>,
}

impl Programs {
    /// Half the position of `program`, which is appended unless it is there already. Positions are even.
    fn place(&mut self, program: &[u8]) -> u8 {
        let found = (0..self.code.len()).step_by(2).find(|&at| self.code[at..].starts_with(program));
        let at = found.unwrap_or_else(|| {
            self.code.resize(self.code.len().next_multiple_of(2), 0);
            self.code.extend_from_slice(program);
            self.code.len() - program.len()
        });
        u8::try_from(at / 2).expect("the byte code fits one byte of position")
    }
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// One layout as byte code.
fn compile(layout: &[Value], programs: &mut Programs) -> Vec<u8> {
    let keys = keys(layout);
    // One entry per step; only one-byte steps merge with the next item of their kind.
    let mut steps: Vec<Vec<u8>> = Vec::new();
    for item in layout {
        if let Some(text) = item.as_str() {
            let (kind, name) = text.split_once(' ').unwrap();
            push(&mut steps, kind, keys.contains(&name));
        } else if let Some(cases) = item.get("cases") {
            steps.push(select(cases, programs));
        } else if item.get("repeat").is_some() {
            let text = items(&item["items"])[0].as_str().unwrap();
            steps.push(vec![if text.starts_with("raw") { REPEAT_RAW } else { REPEAT_U16 }]);
        } else if item.get("when").is_some() {
            let mut step = match item.get("mask") {
                Some(mask) => vec![IF_BIT + u8::try_from(mask.as_u64().unwrap().trailing_zeros()).unwrap()],
                None => vec![EQUALS, u8::try_from(item["equals"].as_u64().unwrap()).unwrap()],
            };
            let inner = compile(items(&item["items"]), programs);
            assert_eq!(inner.len(), 2, "one conditional item");
            step.push(inner[0]);
            steps.push(step);
        } else {
            panic!("unknown item {item}");
        }
    }
    steps.push(vec![0]);
    steps.concat()
}

/// The names that a later item refers to.
fn keys(layout: &[Value]) -> Vec<&str> {
    let key = |item: &'_ Value| {
        ["select", "repeat", "when"]
            .iter()
            .find_map(|k| item.get(*k))
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let used: Vec<String> = layout.iter().filter_map(key).collect();
    layout
        .iter()
        .filter_map(Value::as_str)
        .filter_map(|text| text.split_once(' '))
        .map(|(_, name)| name)
        .filter(|name| used.iter().any(|u| u == name))
        .collect()
}

fn push(steps: &mut Vec<Vec<u8>>, kind: &str, is_key: bool) {
    let code = match kind {
        "ub" if is_key => KEY8,
        "uw" if is_key => KEY16,
        "ub" | "exec" => 1,
        "uw" | "pred" => 2,
        "ud" | "sd" => 4,
        "raw" => RAW + 1,
        "vec" => VEC + 1,
        "samplerop" => SAMPLER_OP,
        "aoff" => AOFF,
        "varidx" | "strid" => INDEX,
        "ffid" => FFID,
        "waitmask" => WAIT,
        _ => panic!("unknown kind {kind}"),
    };
    // Fixed bytes, raw and vector operands in a row are one step.
    if let Some([last]) = steps.last_mut().map(Vec::as_mut_slice) {
        let same = *last >> 4 == code >> 4 || (*last < RAW && code < RAW);
        if same && code < KEY8 {
            return *last += code & 15;
        }
    }
    steps.push(vec![code]);
}

/// `SELECT first count position...`: a layout for every value of the key, 0 where there is none.
fn select(cases: &Value, programs: &mut Programs) -> Vec<u8> {
    let mut positions = BTreeMap::new();
    for (key, case) in cases.as_object().unwrap() {
        let program = compile(items(&case["items"]), programs);
        positions.insert(key.parse::<u8>().unwrap(), programs.place(&program));
    }
    let (first, last) = (*positions.keys().next().unwrap(), *positions.keys().last().unwrap());
    let all = (first..=last).map(|key| positions.get(&key).copied().unwrap_or(0));
    [SELECT, first, last - first + 1].into_iter().chain(all).collect()
}

fn generate(table: &Value) -> String {
    let mut programs = Programs { code: vec![0; 4] };
    let mut starts = Vec::new();
    let (mut names, mut subnames) = (String::new(), String::new());
    // The typed messages had another layout before 3.2 (spec of the CISA versions, "other versions").
    let typed: Vec<Value> = ["ub", "exec", "ub", "raw", "raw", "raw", "raw"]
        .iter()
        .map(|kind| format!("{kind} _").into())
        .collect();
    let typed_program = compile(&typed, &mut programs);
    let typed_before = programs.place(&typed_program);
    for opcode in items(&table["opcodes"]) {
        let name = opcode["mnemonic"].as_str().unwrap();
        writeln!(names, "{name}").unwrap();
        if opcode["layout"].is_null() {
            starts.push(0);
            continue;
        }
        let layout = items(&opcode["layout"]);
        let mut program = compile(layout, &mut programs);
        if matches!(name, "gather4_typed" | "scatter4_typed") {
            program.splice(0..0, [BEFORE, 2, typed_before]);
        }
        // Position 0 means "reserved", so an empty layout is an end mark of its own.
        starts.push(if program == [0] { 1 } else { programs.place(&program) });
        for case in layout.iter().filter_map(|item| item.get("cases")) {
            for (key, case) in case.as_object().unwrap() {
                writeln!(
                    subnames,
                    "{:02x}{:02x} {}",
                    starts.len() - 1,
                    key.parse::<u8>().unwrap(),
                    case["mnemonic"].as_str().unwrap()
                )
                .unwrap();
            }
        }
    }
    let mut out = String::from(
        "//! Generated from `harness/data/visa-opcodes.json` by `harness/tests/visa_opcodes.rs`: do not edit.\n\n",
    );
    writeln!(out, "/// Half the position of an opcode's layout in [`PROGRAM`]; 0 = reserved.").unwrap();
    bytes(&mut out, "START", &starts);
    writeln!(out, "/// The layouts, each ended by 0.").unwrap();
    bytes(&mut out, "PROGRAM", &programs.code);
    writeln!(out, "/// The mnemonics, a line for every opcode.").unwrap();
    writeln!(out, "pub(super) static MNEMONICS: &str = {names:?};\n").unwrap();
    writeln!(out, "/// The mnemonics of sub-operations: opcode and sub-operation in hex, name.").unwrap();
    writeln!(out, "pub(super) static SUB_MNEMONICS: &str = {subnames:?};").unwrap();
    out
}

fn bytes(out: &mut String, name: &str, data: &[u8]) {
    writeln!(out, "#[rustfmt::skip]\npub(super) static {name}: [u8; {}] = [", data.len()).unwrap();
    for row in data.chunks(16) {
        let row: Vec<String> = row.iter().map(|byte| format!("{byte:#04x}")).collect();
        writeln!(out, "    {},", row.join(", ")).unwrap();
    }
    out.push_str("];\n\n");
}

#[test]
fn opcode_table_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(root.join("data/visa-opcodes.json")).unwrap();
    let generated = generate(&serde_json::from_str(&table).unwrap());
    let path = root.join("../core/src/visa/opcodes_table.rs");
    if std::env::var_os("TEXWIRE_REGENERATE").is_some() {
        std::fs::write(&path, &generated).unwrap();
    }
    assert!(std::fs::read_to_string(&path).unwrap() == generated, "run with TEXWIRE_REGENERATE=1");
}

/// Layouts that depend on the version, of every opcode: versions that no compiler at hand writes are among them.
#[test]
fn every_opcode_of_every_version_is_as_long_as_the_emulator_says() {
    let versions = [(3, 0), (3, 1), (3, 2), (3, 3), (3, 4), (3, 5), (3, 6), (3, 7), (4, 0), (4, 1), (4, 2)];
    let mut random = Random(1);
    let mut random = || random.next() as u8;
    for (major, minor) in versions {
        let mut known = 0;
        for opcode in 0..=u8::MAX {
            for _ in 0..24 {
                // Small bytes are operands and counts that there are.
                let mut bytes = [0; 192].map(|_: u8| if random() < 160 { random() % 8 } else { random() });
                bytes[0] = opcode;
                let expected = emulator::visa::decode(&bytes, (major, minor)).map(|inst| inst.length);
                let mut walk = Instructions::new(&bytes, 0, Version::new(major, minor));
                let found = walk.next().map(|inst| inst.map(|inst| inst.bytes().len()));
                match (found, expected) {
                    (Ok(Some(found)), Ok(expected)) => {
                        assert_eq!(found, expected, "opcode {opcode:#x} of {major}.{minor}: {bytes:02x?}");
                        known += 1;
                    }
                    (Err(_), Err(_)) => {}
                    (found, expected) => {
                        panic!("opcode {opcode:#x} of {major}.{minor}: {found:?}, {expected:?}: {bytes:02x?}")
                    }
                }
            }
        }
        assert!(known > 1000, "{known} instructions of {major}.{minor}");
    }
}
