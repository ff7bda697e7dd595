//! What the wires of the command line print.

use serde_json::Value;
use texwire::visa::Module;
use texwire_harness::wires::visa::{VISA, assemble, decode};
use texwire_harness::wires::{DecodeOptions, DecodeOutput, Wire};

fn records(bytes: &[u8]) -> (Vec<Value>, usize) {
    let mut text = Vec::new();
    let mut out = DecodeOutput::new(
        "file",
        VISA.name(),
        DecodeOptions { json: true, all: false, ..DecodeOptions::default() },
        &mut text,
    );
    decode(bytes, &mut out);
    let errors = out.errors;
    (
        text.split(|b| *b == b'\n')
            .filter(|l| !l.is_empty())
            .map(|l| serde_json::from_slice(l).unwrap())
            .collect(),
        errors,
    )
}

/// A kernel whose code is damaged costs what follows in it; the other kernels are decoded as ever.
#[test]
fn damage_ends_at_the_kernel() {
    let mut bytes = include_bytes!("../../corpus/visa/multi_kernel.icllp.isa").to_vec();
    let (whole, errors) = records(&bytes);
    assert_eq!(errors, 0);
    let module = Module::parse(&bytes).unwrap();
    let first = module.kernels().next().unwrap().unwrap();
    let at = first.code_offset();
    bytes[at] = 0xff;
    let (rest, errors) = records(&bytes);
    assert_eq!((errors, rest[0]["offset"].as_u64()), (1, Some(at as u64)));
    let others: Vec<_> = whole.into_iter().filter(|record| record["kernel"] != 0).collect();
    assert!(!others.is_empty());
    assert_eq!(rest[1..], others);
}

/// Compilers of late 2022 wrote `mov` without operands: the walk ends in an error, not in nonsense for ever.
#[test]
fn truncated_streams_are_reported() {
    let mut out = Vec::new();
    let mut output = DecodeOutput::new("file", VISA.name(), DecodeOptions::default(), &mut out);
    decode(&[0x29, 0x04, 0x00, 0x00, 0x34, 0x6d, 0x18, 0x00, 0x04, 0x00], &mut output);
    assert_eq!(output.errors, 1);
}

#[test]
fn errors_of_the_assembler_point_at_the_column() {
    let error = |text: &str| assemble(text, texwire::Platform::Gen11).unwrap_err().to_string();
    assert!(
        error("sample_3d.AR (M1, 16) 0x0:uw S0 T6 V0032.0 V0038.0").starts_with("column 11: channel letters")
    );
    assert!(
        error("sample_3d.RGBA (M9, 8) 0x0:uw S0 T6 V0032.0 V0038.0").starts_with("column 17: execution mask")
    );
    assert!(error("sample_3d.RGBA (M1, 8) 0x0:uw S0 T5 V0032.0 V0038.0").starts_with("column 34: surface"));
    assert!(error("sample_3d.RGBA (M1, 8) 0x0:uw S0 T6 V0032 V0038.0").starts_with("column 37: operand"));
    assert!(error("sample_9d.RGBA (M1, 8)").starts_with("column 1: mnemonic"));
}
