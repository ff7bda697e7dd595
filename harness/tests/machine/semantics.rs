//! The public suite of single instructions (`corpus/semantics`): the machine gives every result, in both of its ways of execution.

use serde_json::Value;
use texwire::Platform;
use texwire_harness::generators::machine::end;
use texwire_harness::machine::registers::{Registers, at};
use texwire_harness::machine::{Program, snippet};

const SUITE: &str = include_str!("../../corpus/semantics/eu.json");
const LANES: usize = 8;

fn size(kind: &Value) -> usize {
    match kind.as_str().unwrap() {
        "ub" | "b" => 1,
        "uw" | "w" => 2,
        _ => 4,
    }
}

fn set(registers: &mut Registers, register: usize, size: usize, lanes: &Value) {
    for (lane, value) in lanes.as_array().unwrap().iter().enumerate() {
        let at = register * 32 + lane * size;
        registers.bytes[at..at + size].copy_from_slice(&value.as_u64().unwrap().to_le_bytes()[..size]);
    }
}

fn get(registers: &Registers, lane: usize, size: usize) -> u64 {
    let mut bytes = [0; 8];
    let at = 40 * 32 + lane * size;
    bytes[..size].copy_from_slice(&registers.bytes[at..at + size]);
    u64::from_le_bytes(bytes)
}

fn check(case: &Value, got: &Registers) {
    let size = size(&case["dst"]["type"]);
    for (lane, want) in case["dst"]["lanes"].as_array().unwrap().iter().enumerate() {
        let bits = get(got, lane, size);
        match want.as_u64() {
            Some(want) => assert_eq!(bits, want, "lane {lane} of {case}"),
            None => assert!(f32::from_bits(bits as u32).is_nan(), "lane {lane} of {case}"),
        }
    }
    assert_eq!(u64::from(got.flag(0)), case["flag_out"].as_u64().unwrap(), "flag of {case}");
    if let Some(carries) = case.get("accumulator") {
        for (lane, carry) in carries.as_array().unwrap().iter().enumerate() {
            assert_eq!(got.accumulator[lane], carry.as_u64().unwrap(), "carry {lane} of {case}");
        }
    }
}

#[test]
fn every_case_has_its_result() {
    let suite: Value = serde_json::from_str(SUITE).unwrap();
    let cases = suite["cases"].as_array().unwrap();
    assert!(cases.len() >= 600, "{} cases", cases.len());
    assert_eq!(suite["lanes"], LANES);
    for case in cases {
        for (name, platform) in [("gen9", Platform::Gen9), ("gen11", Platform::Gen11)] {
            let mut code = texwire_harness::hex::decode(case["word"][name].as_str().unwrap()).unwrap();
            // The words are those of the instruction that they are said to be.
            let first = texwire::eu::Stream::new(platform, &code).next().unwrap().unwrap();
            assert_eq!(first.operation().ok().map(|operation| operation.name()), case["op"].as_str());
            code.extend(end(platform));
            let mut registers = Registers::default();
            registers.set_dword(at::CONTROL, 0x4c0);
            registers.set_flag(0, case["flag_in"].as_u64().unwrap() as u32);
            for (register, source) in [10, 20].into_iter().zip(case["src"].as_array().unwrap()) {
                set(&mut registers, register, size(&source["type"]), &source["lanes"]);
            }
            set(&mut registers, 40, size(&case["dst"]["type"]), &case["dst"]["lanes_before"]);
            let program = Program::new(platform, &code);
            check(case, &snippet::execute(&program, registers.clone(), 0xff, 10).unwrap());
            check(case, &snippet::execute(&program.general(), registers, 0xff, 10).unwrap());
        }
    }
}
