//! Errors of assembler and decoder with their positions; operands and names in text.

use crate::{Table, V4, bytes, refused};
use texwire::visa::{
    Anonymous, MAX_SAMPLER_BYTES, RawOperand, SamplerInstruction, Symbols, Variable, VectorKind,
    VectorOperand, Version, assemble, region, region_code,
};
use texwire::{Kind, What};

#[test]
fn the_assembler_says_where() {
    let start = "sample_3d.R (M1, 16) 0x0:uw S0 T6 V0040.0 ";
    let tail = |text: &str| format!("{start}{text}");
    let offsets = |text: &str| format!("sample_3d.R (M1, 16) {text} S0 T6 V0040.0 V0032.0");
    let at = start.len();
    let cases: &[(String, Kind, What, usize, u64)] = &[
        ("sample_5d.R (M1, 16)".into(), Kind::Unknown, What::Mnemonic, 0, 0),
        ("(P1) va.erode (M1, 16)".into(), Kind::Unknown, What::Mnemonic, 5, 0),
        ("(P0) sample_3d.R".into(), Kind::Unknown, What::Predicate, 1, 0),
        ("(!P4096) sample_3d.R".into(), Kind::Unknown, What::Predicate, 2, 4096),
        ("(P1.some) sample_3d.R".into(), Kind::Unknown, What::Predicate, 1, 0),
        ("(P1 sample_3d.R".into(), Kind::Invalid, What::Punctuation, 4, b')'.into()),
        ("(P1) resinfo.R (M1, 8) T6 V0038.0 V0041.0".into(), Kind::Invalid, What::Predicate, 0, 1),
        ("sample_3d (M1, 16)".into(), Kind::Invalid, What::ChannelLetters, 9, 0),
        ("sample_3d.GR (M1, 16)".into(), Kind::Invalid, What::ChannelLetters, 10, 0),
        ("sample_3d.cps.RR (M1, 16)".into(), Kind::Invalid, What::ChannelLetters, 14, 0),
        ("sample_3d.divS.cps.R (M1, 16)".into(), Kind::Invalid, What::Mnemonic, 15, 0),
        ("sample_3d.R.cps (M1, 16)".into(), Kind::Invalid, What::Mnemonic, 12, 0),
        ("load_3d.cps.R (M1, 16)".into(), Kind::Invalid, What::ChannelLetters, 8, 0),
        ("sample4.RG (M1, 16)".into(), Kind::Invalid, What::ChannelLetters, 8, 0),
        ("sample_3d.R M1, 16)".into(), Kind::Invalid, What::Punctuation, 12, b'('.into()),
        ("sample_3d.R (M9, 16)".into(), Kind::Invalid, What::ExecMask, 13, 0),
        ("sample_3d.R (M0, 16)".into(), Kind::Invalid, What::ExecMask, 13, 0),
        ("sample_3d.R (M1_NO, 16)".into(), Kind::Invalid, What::ExecMask, 13, 0),
        ("sample_3d.R (M1; 16)".into(), Kind::Invalid, What::Punctuation, 15, b','.into()),
        ("sample_3d.R (M1, 12)".into(), Kind::Invalid, What::ExecSize, 17, 12),
        ("sample_3d.R (M1, 64)".into(), Kind::Invalid, What::ExecSize, 17, 64),
        ("sample_3d.R (M1, 16".into(), Kind::Invalid, What::Punctuation, 19, b')'.into()),
        (offsets("0:zz"), Kind::Unknown, What::ElementType, 23, 0),
        (offsets("0"), Kind::Invalid, What::Number, 21, 0),
        (offsets("0x1_0000_0000:ud"), Kind::Invalid, What::Number, 21, 0),
        (offsets("0x100000000:ud"), Kind::Invalid, What::Number, 21, 0),
        (offsets("0x10000:uw"), Kind::Invalid, What::Number, 21, 0),
        (offsets("-65536:uw"), Kind::Invalid, What::Number, 21, 0),
        (offsets("084641:uw"), Kind::Invalid, What::Number, 21, 0),
        (offsets("0x+1:ud"), Kind::Invalid, What::Number, 21, 0),
        (offsets("P4096"), Kind::Invalid, What::OperandText, 21, 0),
        (offsets("(abc)P1"), Kind::Invalid, What::OperandText, 22, 0),
        (offsets("r[B0(0),0]<1>:uw"), Kind::Unknown, What::Variable, 23, 0),
        (offsets("r[A70000(0),0]<1>:uw"), Kind::Unknown, What::Variable, 23, 0),
        (offsets("r[A0(256),0]<1>:uw"), Kind::Invalid, What::Number, 26, 256),
        (offsets("r[A0(0),32768]<1>:uw"), Kind::Invalid, What::Number, 29, 0),
        (offsets("r[A0(0),0]<1>:zz"), Kind::Unknown, What::ElementType, 35, 0),
        (offsets("V0038(0,0)<3;1,0>"), Kind::Invalid, What::OperandText, 31, 0),
        (offsets("V0038(0,0)<64;1,0>"), Kind::Invalid, What::OperandText, 31, 0),
        (offsets("Q1"), Kind::Invalid, What::OperandText, 21, 0),
        (offsets("P65536"), Kind::Invalid, What::OperandText, 21, 0),
        (offsets("Q0(0)"), Kind::Invalid, What::OperandText, 21, 0),
        (offsets("T0(0)<1>"), Kind::Invalid, What::OperandText, 21, 0),
        ("sample_3d.R (M1, 16) 0x0:uw T0 T6".into(), Kind::Unknown, What::SamplerIndex, 28, 0),
        ("sample_3d.R (M1, 16) 0x0:uw S256 T6".into(), Kind::Unknown, What::SamplerIndex, 28, 0),
        ("sample_3d.R (M1, 16) 0x0:uw S0 S6".into(), Kind::Unknown, What::SurfaceIndex, 31, 0),
        ("sample_3d.R (M1, 16) 0x0:uw S0 T5".into(), Kind::Unknown, What::SurfaceIndex, 31, 0),
        ("sample_3d.R (M1, 16) 0x0:uw S0 T256".into(), Kind::Unknown, What::SurfaceIndex, 31, 0),
        (tail(""), Kind::Invalid, What::ParameterCount, at, 0),
        (tail("V0032"), Kind::Invalid, What::OperandText, at, 0),
        (tail("V0032."), Kind::Invalid, What::Number, at + 6, 0),
        (tail("V0032.65536"), Kind::Invalid, What::Number, at + 6, 65536),
        (tail("V0031.0"), Kind::Unknown, What::Variable, at, 0),
        (tail("%null.1"), Kind::Invalid, What::Number, at + 6, 1),
        (tail(&"V0032.0 ".repeat(16)), Kind::Invalid, What::ParameterCount, at + 15 * 8, 16),
        ("resinfo (16) T6 V0038.0 V0041.0 x".into(), Kind::Invalid, What::TextEnd, 32, 0),
        ("avs.R S0 T6 1:f".into(), Kind::Invalid, What::OperandText, 15, 0),
        ("sample (8) S0 T6".into(), Kind::Invalid, What::ChannelLetters, 0, 0),
        ("sample.R.R (8) S0 T6".into(), Kind::Unknown, What::Mnemonic, 0, 0),
        ("sample.R (4) S0 T6".into(), Kind::Invalid, What::ExecSize, 10, 0),
        ("sample.R (32) S0 T6".into(), Kind::Invalid, What::ExecSize, 10, 32),
        ("sample_unorm.R.32-full S0 T6".into(), Kind::Invalid, What::Mnemonic, 0, 0),
    ];
    for (text, kind, what, place, value) in cases {
        let why = refused(text, V4);
        assert_eq!(
            (why.kind(), why.what(), why.offset(), why.found()),
            (*kind, *what, Some(*place), *value),
            "{text}"
        );
    }
}

#[test]
fn the_assembler_refuses_what_older_versions_cannot_encode() {
    for (text, version, what, place) in [
        ("sample4_po_l.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Version::new(3, 6), What::Operation, 0),
        ("sample_3d.R (M2_NM, 8) 0x0:uw S0 T6 V0040.0 V0032.0", Version::new(3, 0), What::ExecMask, 13),
        ("sample_3d.R (M1, 8) P1 S0 T6 V0040.0 V0032.0", Version::new(3, 3), What::VectorOperand, 20),
        ("sample_3d.R (M1, 8) 0x10000:ud S0 T6 V0040.0 V0032.0", Version::new(3, 3), What::VectorOperand, 20),
        ("sample_3d.R (M1, 8) 0x0:uw S0 T6 V0040.0 V65536.0", Version::new(3, 3), What::Variable, 41),
    ] {
        let why = refused(text, version);
        assert_eq!(
            (why.kind(), why.what(), why.offset()),
            (Kind::NotOnPlatform, what, Some(place)),
            "{text}"
        );
    }
    assert!(bytes("sample_3d.R (M1_NM, 8) 0x0:uw S0 T6 V0040.0 V0032.0", Version::new(3, 0)).len() > 8);
}

#[test]
fn the_assembler_refuses_a_short_buffer() {
    let line = "sample_3d.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0 // a comment";
    let len = bytes(line, V4).len();
    let why = assemble(line, &Anonymous, V4, &mut vec![0; len - 1]).unwrap_err();
    assert_eq!((why.kind(), why.what()), (Kind::Capacity, What::Instruction));
}

/// Every class of vector operand; text and bytes are worked out by hand.
#[test]
fn vector_operands() {
    let cases: &[(&str, &[u8])] = &[
        ("0x11:uw", &[5, 2, 0x11, 0, 0, 0]),
        ("0xffff:w", &[5, 3, 0xff, 0xff, 0, 0]),
        ("0x123456789a:uq", &[5, 11, 0x9a, 0x78, 0x56, 0x34, 0x12, 0, 0, 0]),
        ("V0038(1,2)<8;4,2>", &[0, 38, 0, 0, 0, 1, 2, 0x45, 3]),
        ("(abs)V0038(0,0)<0;1,0>", &[0x08, 38, 0, 0, 0, 0, 0, 0x21, 1]),
        ("(-)V0038(0,3)<2>", &[0x10, 38, 0, 0, 0, 0, 3, 0, 3]),
        ("(-abs)A5(3)<4>", &[0x19, 5, 0, 3, 4]),
        ("(sat)P7", &[0x22, 7, 0]),
        ("(~)r[A2(1),-16]<16;8,1>:uw", &[0x2b, 2, 0, 1, 0xf0, 0xff, 2, 0x56, 2]),
        ("T6(2)", &[6, 0, 6, 0, 2]),
        ("S9(0)", &[6, 1, 9, 0, 0]),
        ("(abs)T6(2)", &[0x0e, 0, 6, 0, 2]),
    ];
    for (text, expected) in cases {
        let line = format!("sample_3d.R (M1, 8)  {text} S0 T6 V0040.0 V0032.0");
        let whole = bytes(&line, V4);
        // The operand is at byte 7, after opcode, operation, execution, predicate and channels.
        assert_eq!(whole[7..7 + expected.len()], **expected, "{text}");
        let sampler = SamplerInstruction::decode(&whole, V4).unwrap();
        assert_eq!(sampler.display(&Anonymous).to_string(), line);
        let vector = sampler.aoffimmi.unwrap();
        assert_eq!(vector.display(&Anonymous).to_string(), *text);
        assert_eq!(vector.modifier(), expected[0] >> 3);
        let mut again = [0; MAX_SAMPLER_BYTES];
        let len = sampler.encode(&mut again).unwrap();
        assert_eq!(again[..len], whole);
    }
    // Negative numbers are stored in two's complement, with the width of their type.
    for (text, expected) in [
        ("-1:ub", &[5, 4, 0xff, 0, 0, 0][..]),
        ("-2:uw", &[5, 2, 0xfe, 0xff, 0, 0]),
        ("-1:hf", &[5, 14, 0xff, 0xff, 0, 0]),
        ("-1:d", &[5, 1, 0xff, 0xff, 0xff, 0xff]),
        ("-1:q", &[5, 13, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        ("4660:uw", &[5, 2, 0x34, 0x12, 0, 0]),
    ] {
        let whole = bytes(&format!("sample_3d.R (M1, 8) {text} S0 T6 V0040.0 V0032.0"), V4);
        assert_eq!(whole[7..7 + expected.len()], *expected, "{text}");
    }
    for class in [4, 7] {
        let mut whole = bytes("sample_3d.R (M1, 8) 0x0:uw S0 T6 V0040.0 V0032.0", V4);
        whole[7] = class;
        let why = SamplerInstruction::decode(&whole, V4).unwrap_err();
        let found = (why.kind(), why.what(), why.offset(), why.found());
        assert_eq!(found, (Kind::Reserved, What::VectorOperand, Some(7), class.into()));
    }
}

#[test]
fn regions() {
    let strides = [None, Some(0), Some(1), Some(2), Some(4), Some(8), Some(16), Some(32)];
    for (code, stride) in strides.into_iter().enumerate() {
        let code = code as u16;
        assert_eq!(region(code | 2 << 4 | 1 << 8), [stride, Some(1), Some(0)]);
        assert_eq!(region_code([Some(1), stride, Some(2)]), Some(2 | code << 4 | 3 << 8));
    }
    assert_eq!(region(0xf98), [None, None, None]);
    assert_eq!(region_code([Some(3), None, None]), None);
    assert_eq!(region_code([None, None, Some(64)]), None);
}

#[test]
fn decoding_says_where() {
    let good = bytes("(P1) sample_3d.R (M1, 8) 0x0:uw S0 T6 V0040.0 V0032.0 V0033.0", V4);
    let spoiled = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        let why = SamplerInstruction::decode(&bytes, V4).unwrap_err();
        (why.kind(), why.what(), why.offset(), why.found())
    };
    assert_eq!(spoiled(0, 0x6c), (Kind::Unknown, What::Opcode, Some(0), 0x6c));
    assert_eq!(spoiled(3, 0x06), (Kind::Invalid, What::ExecSize, Some(3), 6));
    // A predicate control with index 0, which no predicate has.
    let mut nameless = good.clone();
    nameless[4..6].copy_from_slice(&[0, 0x20]);
    let why = SamplerInstruction::decode(&nameless, V4).unwrap_err();
    assert_eq!((why.what(), why.offset(), why.found()), (What::Predicate, Some(4), 0x2000));
    assert_eq!(spoiled(5, 0x60), (Kind::Invalid, What::Predicate, Some(4), 0x6001));
    assert_eq!(spoiled(6, 0xf0), (Kind::Invalid, What::ChannelMask, Some(6), 0xf0));
    let count = good.len() - 13;
    assert_eq!(spoiled(count, 0), (Kind::Invalid, What::ParameterCount, Some(count), 0));
    assert_eq!(spoiled(count, 16), (Kind::Invalid, What::ParameterCount, Some(count), 16));
    assert_eq!(spoiled(count + 7, 21), (Kind::Reserved, What::Variable, Some(count + 7), 21));
    assert_eq!(spoiled(count + 1, 31), (Kind::Reserved, What::Variable, Some(count + 1), 31));
    assert_eq!(spoiled(count - 6, 30), (Kind::Reserved, What::Variable, Some(count - 6), 30));
    for len in 0..good.len() {
        assert_eq!(SamplerInstruction::decode(&good[..len], V4).unwrap_err().kind(), Kind::Truncated);
    }
    let mut old = bytes("sample_3d.R (M1, 8) 0x0:uw S0 T6 V0040.0 V0032.0", Version::new(3, 0));
    old[2] = 0xa3;
    let why = SamplerInstruction::decode(&old, Version::new(3, 0)).unwrap_err();
    assert_eq!(
        (why.kind(), why.what(), why.bit_offset(), why.found()),
        (Kind::Reserved, What::ExecMask, Some(4), 10)
    );
    // Fields that were changed to values that the version cannot encode.
    let bytes = bytes("sample_3d.R (M1, 8) 0x0:uw S0 T6 V0040.0 V0032.0", Version::new(3, 3));
    let mut sampler = SamplerInstruction::decode(&bytes, Version::new(3, 3)).unwrap();
    assert!(!sampler.params.is_empty());
    assert_eq!((sampler.params.size_hint(), sampler.params.count()), ((1, Some(1)), 1));
    sampler.aoffimmi = Some(VectorOperand { tag: 2, kind: VectorKind::Predicate { index: 1 } });
    let why = sampler.encode(&mut [0; MAX_SAMPLER_BYTES]).unwrap_err();
    assert_eq!((why.kind(), why.what(), why.offset()), (Kind::Invalid, What::VectorOperand, Some(6)));
    let mut immediate = |value| {
        sampler.aoffimmi = Some(VectorOperand { tag: 5, kind: VectorKind::Immediate { kind: 2, value } });
        sampler.encode(&mut [0; MAX_SAMPLER_BYTES]).map_err(|why| why.what())
    };
    assert_eq!((immediate(0xffff), immediate(0x1_0000)), (Ok(bytes.len()), Err(What::VectorOperand)));
}

/// Names that are not UTF-8 print with replacement characters; variables without a name print as their number.
#[test]
fn names_in_text() {
    struct Names;
    impl Symbols for Names {
        fn variable(&self, index: u32) -> Option<Variable<'_>> {
            let name: &[u8] = match index {
                32 => b"a\xffb\xc3",
                33 => "größe".as_bytes(),
                _ => return None,
            };
            Some(Variable { name, kind: None, elements: 0, alias: None })
        }
        fn find(&self, name: &[u8]) -> Option<u32> {
            (name == b"a").then_some(31)
        }
        fn has_predicate(&self, _: u16) -> bool {
            false
        }
        fn has_sampler(&self, _: u8) -> bool {
            false
        }
        fn has_surface(&self, _: u8) -> bool {
            false
        }
    }
    let text = |index, offset| RawOperand { index, offset }.display(&Names).to_string();
    assert_eq!(text(32, 1), "a\u{fffd}b\u{fffd}.1");
    assert_eq!((text(33, 12), text(34, 65535)), ("größe.12".into(), "V0034.65535".into()));
    assert_eq!((text(0, 7), text(7, 7), text(25, 0)), ("%null.0".into(), "%r0.7".into(), "V0025.0".into()));
    let refused = |text: &str| {
        let why = assemble(text, &Names, V4, &mut [0; MAX_SAMPLER_BYTES]).unwrap_err();
        (why.kind(), why.what())
    };
    assert_eq!(refused("(P1) sample_3d.R"), (Kind::Unknown, What::Predicate));
    assert_eq!(refused("sample_3d.R (M1, 8) 0x0:uw S0"), (Kind::Unknown, What::SamplerIndex));
    assert_eq!(refused("load_3d.R (M1, 8) 0x0:uw T6"), (Kind::Unknown, What::SurfaceIndex));
    assert_eq!(refused("load_3d.R (M1, 8) 0x0:uw T1 a.0"), (Kind::Unknown, What::Variable));
}

/// `Anonymous` declares every variable, without name and type.
#[test]
fn anonymous_variables() {
    let variable = Anonymous.variable(7).unwrap();
    assert!(variable.name.is_empty() && variable.kind.is_none() && variable.alias.is_none());
}

/// A variable's name may begin like an indirect operand, with `r`.
#[test]
fn names_and_indirect_operands() {
    let mut out = [0; MAX_SAMPLER_BYTES];
    let line = "sample_3d.R (M1, 8) radius(1,2)<0;1,0> S0 T6 V0040.0 V0032.0";
    let len = assemble(line, &Table, V4, &mut out).unwrap();
    assert_eq!(out[7..16], [0, 38, 0, 0, 0, 1, 2, 0x21, 1]);
    let offsets = SamplerInstruction::decode(&out[..len], V4).unwrap().aoffimmi.map(|vector| vector.kind);
    assert_eq!(offsets, Some(VectorKind::General { index: 38, row: 1, column: 2, region: 0x121 }));
}

#[test]
fn offsets_of_immediates() {
    let offsets = |text: &str| {
        let bytes = bytes(&format!("sample_3d.R (M1, 8) {text} S0 T6 V0040.0 V0032.0"), V4);
        SamplerInstruction::decode(&bytes, V4).unwrap().offsets().map(|found| (found.uvr, found.high_sampler))
    };
    assert_eq!(offsets("0x7fff:uw"), Some(([-1, -1, -1], false)));
    assert_eq!(offsets("0x8127:uw"), Some(([1, 2, 7], true)));
    assert_eq!(offsets("V0038(0,0)<0;1,0>"), None);
}
