//! vISA: every rule broken once, what the assembler refuses and where, media instructions, operands.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

use texwire::message::{Op, Width};
use texwire::trace::{Record, VisaRecord};
use texwire::visa::{
    Anonymous, Instruction, MAX_SAMPLER_BYTES, Media, Raw, Registers, Rule, Run, Sampler, Symbols, Type,
    Variable, Vector, VectorKind, Version, assemble, lower_record, region, region_code,
};
use texwire::{Error, Kind, Platform as Gpu, What};

const V4: Version = Version::V4_1;

fn bytes(text: &str, version: Version) -> Vec<u8> {
    let mut out = [0; MAX_SAMPLER_BYTES];
    let len = assemble(text, &Anonymous, version, &mut out).unwrap_or_else(|why| panic!("{text}: {why}"));
    out[..len].to_vec()
}

fn refused(text: &str, version: Version) -> Error {
    match assemble(text, &Anonymous, version, &mut [0; MAX_SAMPLER_BYTES]) {
        Err(why) => why,
        Ok(_) => panic!("{text} is taken"),
    }
}

/// Declarations: type, number of elements, alias.
struct Table;

impl Symbols for Table {
    fn variable(&self, index: u32) -> Option<Variable<'_>> {
        let (kind, elements, alias) = match index {
            32..=34 => (Type::F, 16, None),
            35 => (Type::Hf, 32, None),
            36 => (Type::Ub, 64, None),
            37 => (Type::F, 8, None),
            38 => (Type::Ud, 16, None),
            40 => (Type::F, 64, None),
            41 => (Type::Ud, 64, None),
            42 => (Type::F, 16, Some((43, 0))),
            43 => (Type::F, 16, Some((42, 0))),
            44 => (Type::F, 16, Some((32, 4))),
            45 => (Type::F, 16, Some((99, 0))),
            46 => (Type::F, 16, Some((7, 32))),
            47 => (Type::Q, 64, None),
            48 => (Type::F, 1, None),
            _ => return None,
        };
        Some(Variable { name: b"x", kind: Some(kind), elements, alias })
    }
    fn find(&self, name: &[u8]) -> Option<u32> {
        if name == b"radius" { Some(38) } else { Anonymous.find(name) }
    }
    fn has_predicate(&self, index: u16) -> bool {
        index == 1
    }
    fn has_sampler(&self, index: u8) -> bool {
        index < 2 || index == 31
    }
    fn has_surface(&self, index: u8) -> bool {
        index < 8
    }
}

fn broken(bytes: &[u8], version: Version, platform: Gpu) -> Vec<Rule> {
    Sampler::decode(bytes, version).unwrap().validate(platform, &Table).collect()
}

/// One instruction for each rule, and beside it what is just legal.
#[test]
fn every_rule_of_sampler_instructions() {
    use Gpu::{Gen9, Gen11, XeHpc, XeHpg};
    use Rule::*;
    let cases: &[(&str, Gpu, &[Rule])] = &[
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0 V0033.0", Gen11, &[]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S31 T7 V0040.0 V0032.0 V0033.0", Gen9, &[]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gpu::Maxwell, &[Platform]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gpu::Pascal, &[Platform]),
        ("sample_3d.RGBA (M5, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[]),
        ("sample_3d.RGBA (M3, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[ExecPair]),
        ("sample_3d.RGBA (M3, 8) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[]),
        ("sample_3d.RGBA (M2, 8) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[ExecPair]),
        ("sample_3d.RGBA (M2, 4) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[ExecSize]),
        ("sample_3d.RG (M1, 32) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[ExecSize]),
        ("sample_3d.RG (M3, 32) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[ExecPair, ExecSize]),
        ("sample4.R (M1, 32) 0x0:uw S0 T6 %null.0 V0032.0", Gen11, &[]),
        ("sample4.R (M1, 4) 0x0:uw S0 T6 %null.0 V0032.0", Gen11, &[ExecSize]),
        ("sample_3d.cps.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[]),
        ("sample_3d.cps.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen9, &[CpsPlatform]),
        ("sample_l.cps.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[CpsOperation]),
        ("sample_3d.cps.RGBA (M1, 4) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[ExecSize, CpsExecSize]),
        ("sample_3d.cps.RGBA (M1, 16) 0x0:uw S0 T6 %null.0 V0032.0", Gen11, &[CpsDestination]),
        ("lod.RG (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[]),
        ("lod.RGB (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[LodChannels]),
        ("lod.GA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[LodChannels]),
        ("lod.RG (M1, 16) 0x1:uw S0 T6 V0040.0 V0032.0", Gen11, &[AoffimmiUseless]),
        ("sample_3d.RGBA (M1, 16) 0x8fff:uw S0 T6 V0040.0 V0032.0", Gen11, &[]),
        ("sample_3d.RGBA (M1, 16) 0x1000:uw S0 T6 V0040.0 V0032.0", Gen11, &[AoffimmiReserved]),
        ("sample_3d.RGBA (M1, 16) 0x0:f S0 T6 V0040.0 V0032.0", Gen11, &[AoffimmiType]),
        ("sample_3d.RGBA (M1, 16) 0x10000:ud S0 T6 V0040.0 V0032.0", Gen11, &[AoffimmiType]),
        ("sample_3d.RGBA (M1, 16) P1 S0 T6 V0040.0 V0032.0", Gen11, &[AoffimmiType]),
        ("sample_3d.RGBA (M1, 16) V0038(0,0)<0;1,0> S0 T6 V0040.0 V0032.0", Gen11, &[]),
        ("sample_3d.RGBA (M1, 16) V0099(0,0)<0;1,0> S0 T6 V0040.0 V0032.0", Gen11, &[UndeclaredVariable]),
        ("sample4_po.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[]),
        ("sample4_po.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", XeHpg, &[PoPlatform]),
        ("sample4_po_c.R (M1, 8) 0x0:uw S0 T6 V0040.0 V0032.0", XeHpc, &[PoPlatform]),
        ("sample4_po.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0 V0033.0 V0038.0", Gen11, &[]),
        ("sample4_po.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0 V0033.0 V0034.0", Gen11, &[ParameterType]),
        ("sample4_i.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[LaterOperation]),
        ("sample4_l_c.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[LaterOperation]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S2 T6 V0040.0 V0032.0", Gen11, &[UndeclaredSampler]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T8 V0040.0 V0032.0", Gen11, &[UndeclaredSurface]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 %slm V0040.0 V0032.0", Gen11, &[SlmSurface]),
        ("(P1) sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[]),
        ("(P2) sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[UndeclaredPredicate]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0036.0", Gen11, &[ParameterType]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0038.0", Gen11, &[ParameterType]),
        ("load_3d.RGBA (M1, 16) 0x0:uw T6 V0040.0 V0038.0 V0038.0", Gen11, &[]),
        ("load_3d.RGBA (M1, 16) 0x0:uw T6 V0040.0 V0032.0", Gen11, &[ParameterType]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0035.0 V0035.32", Gen11, &[]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0035.0", Gen9, &[HalfPlatform]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0 V0035.0", Gen11, &[MixedWidths]),
        ("lod.RG (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0 V0032.0 V0032.0 V0032.0", Gen11, &[]),
        (
            "lod.RG (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0 V0032.0 V0032.0 V0032.0 V0032.0",
            Gen11,
            &[TooManyParameters],
        ),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0099.0", Gen11, &[UndeclaredVariable]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.32", Gen11, &[]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.64", Gen11, &[RawRange]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.4", Gen11, &[RawAlignment]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0048.0", Gen11, &[]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0044.0", Gen11, &[RawAlignment]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0044.28", Gen11, &[]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0042.0", Gen11, &[AliasChain]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0045.0", Gen11, &[UndeclaredVariable]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0046.0", Gen11, &[]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0046.0", XeHpc, &[RawAlignment]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 %r0.0 V0032.0", Gen11, &[DestinationReadOnly]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0047.0 V0032.0", Gen11, &[DestinationType]),
        ("sample_3d.R (M1, 8) 0x0:uw S0 T6 V0037.0 V0032.0", Gen11, &[]),
        ("sample_3d.RG (M1, 8) 0x0:uw S0 T6 V0037.0 V0032.0", Gen11, &[DestinationSize]),
        ("sample_3d.pixel_null_mask.R (M1, 8) 0x0:uw S0 T6 V0037.0 V0032.0", Gen11, &[DestinationSize]),
        ("sample_3d.R (M1, 8) 0x0:uw S0 T6 V0037.0 V0032.0", XeHpc, &[DestinationSize]),
        ("resinfo.RGBA (M1, 16) T6 V0038.0 V0041.0", Gen11, &[]),
        ("resinfo.RGBA (M1, 16) T6 V0032.0 V0041.0", Gen11, &[LodType]),
        ("resinfo.RGBA (M1, 16) T6 V0038.0 V0040.0", Gen11, &[DestinationType]),
    ];
    for (text, platform, rules) in cases {
        assert_eq!(broken(&bytes(text, V4), V4, *platform), *rules, "{text} on {platform}");
    }
}

/// Bits that text does not carry.
#[test]
fn rules_of_stray_bits() {
    let with = |text: &str, version, at: usize, bits: u8| {
        let mut bytes = bytes(text, version);
        bytes[at] |= bits;
        broken(&bytes, version, Gpu::Gen11)
    };
    let sample = "sample_3d.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0";
    let load = "load_3d.R (M1, 16) 0x0:uw T6 V0040.0 V0038.0";
    assert_eq!(with(sample, V4, 2, 0x08), [Rule::OpReserved]);
    assert_eq!(with(sample, V4, 2, 0x80), [Rule::OpReserved]);
    assert_eq!(with(load, V4, 2, 0x02), [Rule::FlagElsewhere]);
    assert_eq!(with(load, V4, 2, 0x04), [Rule::FlagElsewhere]);
    assert_eq!(
        with("(P1) sample_3d.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", V4, 5, 0x10),
        [Rule::PredReserved]
    );
    assert_eq!(with(sample, V4, 6, 0x10), [Rule::ChannelsReserved]);
    let old = Version::new(3, 6);
    assert_eq!(with(load, old, 1, 0x40), [Rule::FlagElsewhere]);
    assert_eq!(with(load, old, 1, 0x80), [Rule::FlagElsewhere]);
    assert_eq!(with(load, old, 1, 0x20), []);
}

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
    // What older versions cannot say.
    for (text, version, what, place) in [
        ("sample4_po_l.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Version::new(3, 6), What::Operation, 0),
        ("sample_3d.R (M2_NM, 8) 0x0:uw S0 T6 V0040.0 V0032.0", Version::new(3, 0), What::ExecMask, 13),
        ("sample_3d.R (M1, 8) P1 S0 T6 V0040.0 V0032.0", Version::new(3, 3), What::VectorOperand, 20),
        ("sample_3d.R (M1, 8) 0x10000:ud S0 T6 V0040.0 V0032.0", Version::new(3, 3), What::VectorOperand, 20),
    ] {
        let why = refused(text, version);
        assert_eq!(
            (why.kind(), why.what(), why.offset()),
            (Kind::NotOnPlatform, what, Some(place)),
            "{text}"
        );
    }
    assert!(bytes("sample_3d.R (M1_NM, 8) 0x0:uw S0 T6 V0040.0 V0032.0", Version::new(3, 0)).len() > 8);
    let line = tail("V0032.0 // a comment");
    let len = bytes(&line, V4).len();
    let why = assemble(&line, &Anonymous, V4, &mut vec![0; len - 1]).unwrap_err();
    assert_eq!((why.kind(), why.what()), (Kind::Capacity, What::Instruction));
}

/// Every class of vector operand, with text and bytes worked out by hand.
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
        // Opcode, operation, execution, predicate, channels before it; sampler and surface follow.
        assert_eq!(whole[7..7 + expected.len()], **expected, "{text}");
        let sampler = Sampler::decode(&whole, V4).unwrap();
        assert_eq!(sampler.display(&Anonymous).to_string(), line);
        let vector = sampler.aoffimmi.unwrap();
        assert_eq!(vector.display(&Anonymous).to_string(), *text);
        assert_eq!(vector.modifier(), expected[0] >> 3);
        let mut again = [0; MAX_SAMPLER_BYTES];
        let len = sampler.encode(&mut again).unwrap();
        assert_eq!(again[..len], whole);
    }
    // Negative numbers are stored as their type has them.
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
        let why = Sampler::decode(&whole, V4).unwrap_err();
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
        let why = Sampler::decode(&bytes, V4).unwrap_err();
        (why.kind(), why.what(), why.offset(), why.found())
    };
    assert_eq!(spoiled(0, 0x6c), (Kind::Unknown, What::Opcode, Some(0), 0x6c));
    assert_eq!(spoiled(3, 0x06), (Kind::Invalid, What::ExecSize, Some(3), 6));
    // Predicate 0 with a control: there is no predicate 0.
    let mut nameless = good.clone();
    nameless[4..6].copy_from_slice(&[0, 0x20]);
    let why = Sampler::decode(&nameless, V4).unwrap_err();
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
        assert_eq!(Sampler::decode(&good[..len], V4).unwrap_err().kind(), Kind::Truncated);
    }
    let mut old = bytes("sample_3d.R (M1, 8) 0x0:uw S0 T6 V0040.0 V0032.0", Version::new(3, 0));
    old[2] = 0xa3;
    let why = Sampler::decode(&old, Version::new(3, 0)).unwrap_err();
    assert_eq!(
        (why.kind(), why.what(), why.bit_offset(), why.found()),
        (Kind::Reserved, What::ExecMask, Some(4), 10)
    );
    // Fields that were changed to what the version has no room for.
    let bytes = bytes("sample_3d.R (M1, 8) 0x0:uw S0 T6 V0040.0 V0032.0", Version::new(3, 3));
    let mut sampler = Sampler::decode(&bytes, Version::new(3, 3)).unwrap();
    assert!(!sampler.params.is_empty());
    assert_eq!((sampler.params.size_hint(), sampler.params.count()), ((1, Some(1)), 1));
    sampler.aoffimmi = Some(Vector { tag: 2, kind: VectorKind::Predicate { index: 1 } });
    let why = sampler.encode(&mut [0; MAX_SAMPLER_BYTES]).unwrap_err();
    assert_eq!((why.kind(), why.what(), why.offset()), (Kind::Invalid, What::VectorOperand, Some(6)));
    let mut immediate = |value| {
        sampler.aoffimmi = Some(Vector { tag: 5, kind: VectorKind::Immediate { kind: 2, value } });
        sampler.encode(&mut [0; MAX_SAMPLER_BYTES]).map_err(|why| why.what())
    };
    assert_eq!((immediate(0xffff), immediate(0x1_0000)), (Ok(bytes.len()), Err(What::VectorOperand)));
}

/// One variable: bytes 0 to 255; address 1 points at its byte 100.
struct Thread([u8; 256]);

impl Registers for Thread {
    fn bytes(&self, variable: u32, offset: usize, len: usize) -> Option<&[u8]> {
        if variable == 99 { None } else { self.0.get(offset..)?.get(..len) }
    }
    fn predicate(&self, _: u16) -> u32 {
        0
    }
    fn indirect(&self, address: u16, element: u8, offset: i16, len: usize) -> Option<&[u8]> {
        let start = 100 + usize::from(element) + usize::try_from(offset).ok()?;
        if address == 1 { self.0.get(start..)?.get(..len) } else { None }
    }
}

#[test]
fn offsets_from_registers() {
    let thread = Thread(core::array::from_fn(|i| i as u8));
    let lowered = |offsets: &str| {
        let bytes = bytes(&format!("sample_3d.R (M1, 8) {offsets} S0 T6 V0040.0 V0032.0"), V4);
        let sampler = Sampler::decode(&bytes, V4).unwrap();
        let lowered = sampler.lower_registers(Gpu::Gen11, 0xff, &Table, &thread);
        lowered.map(|(message, _)| message.offsets).map_err(|why| (why.kind(), why.what()))
    };
    // Offsets are signed nibbles: 11..8 U, 7..4 V, 3..0 R.
    assert_eq!(lowered("0x7f1:uw"), Ok([7, -1, 1]));
    // Row 1 of 32 bytes, element 2 of doublewords: bytes 40 and 41, 0x2928.
    assert_eq!(lowered("V0038(1,2)<0;1,0>"), Ok([-7, 2, -8]));
    // A byte has no second one: 0x21.
    assert_eq!(lowered("V0036(1,1)<0;1,0>"), Ok([0, 2, 1]));
    // 100 + 1 + 2: 0x6867.
    assert_eq!(lowered("r[A1(1),2]<0;1,0>:uw"), Ok([-8, 6, 7]));
    assert_eq!(lowered("r[A2(1),2]<0;1,0>:uw"), Err((Kind::Invalid, What::Registers)));
    assert_eq!(lowered("V0099(0,0)<0;1,0>"), Err((Kind::Invalid, What::Registers)));
    assert_eq!(lowered("A0(0)<1>"), Err((Kind::Unsupported, What::VectorOperand)));
    let line = |params: &str| {
        let bytes = bytes(&format!("sample_3d.R (M1, 8) 0x0:uw S0 T6 V0040.0 {params}"), V4);
        let lowered = Sampler::decode(&bytes, V4).unwrap();
        let lowered = lowered.lower_registers(Gpu::Gen11, 0xff, &Table, &thread);
        lowered
            .map(|(message, payload)| (message.param_width, payload.slot(1).len()))
            .map_err(|why| (why.kind(), why.what(), why.found()))
    };
    assert_eq!(line("V0032.0 V0033.0"), Ok((Width::Full, 32)));
    assert_eq!(line("V0035.0 V0035.32"), Ok((Width::Half, 16)));
    assert_eq!(line("%null.0 V0035.32"), Ok((Width::Half, 16)));
    assert_eq!(line("V0032.0 V0035.32"), Err((Kind::Invalid, What::ElementType, 35)));
    assert_eq!(line("V0036.0"), Err((Kind::Invalid, What::ElementType, Type::Ub.code().into())));
    assert_eq!(line("V0032.0 V0099.0"), Err((Kind::Invalid, What::Registers, 99)));
    let destination = |text: &str| {
        let bytes = bytes(text, V4);
        let sampler = Sampler::decode(&bytes, V4).unwrap();
        sampler.destination(&sampler.lower(&Run::new(Gpu::Gen11)).unwrap())
    };
    assert_eq!(destination("sample_3d.RB (M1, 16) 0x0:uw S0 T6 V0040.32 V0032.0"), Some((40, 32, 128)));
    assert_eq!(destination("sample_3d.RB (M1, 16) 0x0:uw S0 T6 %null.0 V0032.0"), None);
}

fn record<'a>(instruction: &'a [u8], params: &'a [u8]) -> VisaRecord<'a> {
    VisaRecord {
        thread: 0,
        dispatch: 0xabcd,
        predicate: 0,
        aoffimmi: 0,
        dst_type: Type::F.code(),
        version: [4, 1],
        instruction,
        half: false,
        params,
    }
}

/// gather4 has a channel where others have a mask.
#[test]
fn gathers_name_a_channel() {
    for (number, letter) in (0..).zip(["R", "G", "B", "A"]) {
        let bytes = bytes(&format!("sample4.{letter} (M1, 8) 0x0:uw S0 T6 V0040.0 V0032.0 V0033.0"), V4);
        let message = Sampler::decode(&bytes, V4).unwrap().lower(&Run::new(Gpu::Gen11)).unwrap();
        assert_eq!((message.op, message.gather), (Op::Gather4, number));
    }
}

/// Sampler instructions of every version are as long as they were written.
#[test]
fn lengths_by_version() {
    for version in [Version::new(3, 0), Version::new(3, 3), Version::new(3, 4), Version::new(3, 6), V4] {
        let line = "(P1) sample_3d.R (M1, 8) 0x0:uw S0 T6 V0040.0 V0032.0 V0033.0";
        let bytes = bytes(line, version);
        let more = [&bytes[..], &[0x7f; 9]].concat();
        assert_eq!(Instruction::first(&more, version).unwrap().bytes(), bytes, "{version:?}");
    }
}

/// The width of parameters is a flag of the frame.
#[test]
fn records_of_halves_say_so() {
    for half in [false, true] {
        let record = Record::Visa(VisaRecord { half, ..record(&[1, 2], &[3, 4]) });
        assert_eq!(record.flags(), u8::from(half));
    }
}

/// sample: mode, sampler, surface, U, V, R, destination.
#[test]
fn media_records() {
    let coordinates: Vec<u8> = (0..96).collect();
    let sample = bytes("sample.RB (8) S3 T7 V0032.0 V0033.0 V0034.0 V0040.0", V4);
    assert_eq!(sample[..4], [0x40, 5, 3, 7]);
    let (message, payload) = lower_record(&record(&sample, &coordinates), Gpu::Gen9).unwrap();
    assert_eq!((message.op, message.simd, message.lanes, message.params), (Op::Sample, 8, 0xcd, 3));
    assert_eq!(
        (message.channels.mask(), payload.slot(1), payload.slot(2)),
        (5, &coordinates[32..64], &coordinates[64..])
    );
    let load = bytes("load.G (16) T7 V0032.0 V0033.0 V0034.0 V0040.0", V4);
    assert_eq!(load[..3], [0x42, 0x12, 7]);
    let twice = coordinates.repeat(2);
    let (message, payload) = lower_record(&record(&load, &twice), Gpu::Gen9).unwrap();
    assert_eq!(
        (message.op, message.simd, message.lanes, payload.slot(2)),
        (Op::LdLz, 16, 0xabcd, &twice[128..])
    );
    let why = lower_record(&record(&load, &twice[1..]), Gpu::Gen9).unwrap_err();
    assert_eq!((why.kind(), why.what()), (Kind::Truncated, What::Payload));
    let error = |instruction: &[u8]| {
        let why = lower_record(&record(instruction, &twice), Gpu::Gen9).unwrap_err();
        (why.kind(), why.what(), why.found())
    };
    let spoiled = |mode| [&[0x40, mode], &sample[2..]].concat();
    assert_eq!(error(&spoiled(0x10)), (Kind::Invalid, What::ChannelMask, 0));
    assert_eq!(error(&spoiled(0x21)), (Kind::Invalid, What::ExecSize, 2));
    let unorm = bytes("sample_unorm.R.8-full S3 T7 0x0:f 0x0:f 0x0:f 0x0:f V0040.0", V4);
    assert_eq!(unorm[..4], [0x41, 0x21, 3, 7]);
    assert_eq!(error(&unorm), (Kind::Unsupported, What::Opcode, 0x41));
    // Neither a sampler instruction nor one of the media family: `add`.
    let add = [1, 0, 0, 0, 5, 1, 0, 0, 0, 0, 5, 1, 0, 0, 0, 0, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(error(&add), (Kind::Unsupported, What::Opcode, 1));
    let typed = VisaRecord { dst_type: Type::Df.code(), ..record(&sample, &coordinates) };
    let why = lower_record(&typed, Gpu::Gen9).unwrap_err();
    assert_eq!(
        (why.kind(), why.what(), why.found()),
        (Kind::Invalid, What::ElementType, Type::Df.code().into())
    );
    let why = lower_record(&record(&sample, &coordinates), Gpu::Maxwell).unwrap_err();
    assert_eq!((why.kind(), why.what()), (Kind::NotOnPlatform, What::Instruction));
}

#[test]
fn media_fields_and_rules() {
    use Rule::*;
    let cases: &[(&str, &[Rule])] = &[
        ("sample.RGBA (16) S1 T7 V0032.0 V0033.0 V0034.0 V0040.0", &[]),
        ("sample.RGBA (16) S2 T7 V0032.0 V0033.0 V0034.0 V0040.0", &[UndeclaredSampler]),
        ("sample.RGBA (16) S1 T9 V0032.0 V0033.0 V0034.0 V0040.0", &[UndeclaredSurface]),
        ("load.RGBA (16) %slm V0032.0 V0033.0 V0034.0 V0040.0", &[MediaSurface]),
        ("load.RGBA (8) T6 V0032.4 V0033.0 V0034.0 V0040.0", &[RawAlignment]),
        ("sample_unorm.R.16-downsampled S0 T6 0x0:f V0038(0,0)<0;1,0> 0x0:f 0x0:f V0040.0", &[]),
        ("sample_unorm.R.16-full S0 T6 P1 0x0:f 0x0:f 0x0:f V0040.0", &[MediaOperand]),
        ("va.erode S0 T6 0x0:f 0x0:f 1 V0040.0", &[]),
    ];
    for (text, rules) in cases {
        let whole = bytes(text, V4);
        let media = Media::decode(&whole, V4).unwrap();
        assert_eq!(media.validate(Gpu::Gen9, &Table).collect::<Vec<_>>(), *rules, "{text}");
        assert_eq!(media.display(&Anonymous).to_string(), *text);
        assert_eq!(media.bytes(), whole);
        assert_eq!(media.raw("dst"), Some(Raw { index: 40, offset: 0 }));
        assert_eq!((media.raw("surface"), media.byte("dst")), (None, None));
        let mut again = [0; MAX_SAMPLER_BYTES];
        let len = media.encode(&mut again).unwrap();
        assert_eq!(again[..len], whole);
        assert!(media.validate(Gpu::Pascal, &Table).contains(Platform));
    }
    let spoiled = |text: &str, at: usize, value: u8| {
        let mut whole = bytes(text, V4);
        whole[at] = value;
        Media::decode(&whole, V4).unwrap().validate(Gpu::Gen9, &Table).collect::<Vec<_>>()
    };
    let (sample, unorm) = (cases[0].0, cases[5].0);
    assert_eq!(spoiled(sample, 1, 0x10), [MediaMode]);
    assert_eq!(spoiled(sample, 1, 0x21), [MediaMode]);
    assert_eq!(spoiled(unorm, 1, 0x10), [MediaMode]);
    let why = Media::decode(&[0x44, 8, 0], V4).unwrap_err();
    assert_eq!(
        (why.kind(), why.what(), why.offset(), why.found()),
        (Kind::Unknown, What::SubOperation, Some(1), 8)
    );
    let why = Media::decode(&[0x45, 8, 0], V4).unwrap_err();
    assert_eq!(
        (why.kind(), why.what(), why.offset(), why.found()),
        (Kind::Unknown, What::Opcode, Some(0), 0x45)
    );
    let instruction = Instruction::first(&bytes(sample, V4), V4).map(|found| found.opcode());
    assert_eq!(instruction, Ok(0x40));
}

/// avs: control and execution mode are two bits.
#[test]
fn avs_control() {
    let avs = |control: u8, mode: u8| {
        let text = format!(
            "avs.R S0 T6 0x0:f 0x0:f 0x0:f 0x0:f 0x0:f 0x0:ud 0x0:ud {control} 0x0:f {mode} 0x0:ud V0040.0"
        );
        let whole = bytes(&text, V4);
        let media = Media::decode(&whole, V4).unwrap();
        assert_eq!(media.display(&Anonymous).to_string(), text);
        media.validate(Gpu::Gen9, &Table).collect::<Vec<_>>()
    };
    assert_eq!(avs(3, 3), []);
    assert_eq!(avs(4, 3), [Rule::MediaControl]);
    assert_eq!(avs(0, 4), [Rule::MediaControl]);
}

/// Names that are no UTF-8 print with replacement characters; variables without names by number.
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
    let text = |index, offset| Raw { index, offset }.display(&Names).to_string();
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

/// Without names every variable is there, of no known type.
#[test]
fn anonymous_variables() {
    let variable = Anonymous.variable(7).unwrap();
    assert!(variable.name.is_empty() && variable.kind.is_none() && variable.alias.is_none());
}

/// A name may begin like an indirect operand.
#[test]
fn names_and_indirect_operands() {
    let mut out = [0; MAX_SAMPLER_BYTES];
    let line = "sample_3d.R (M1, 8) radius(1,2)<0;1,0> S0 T6 V0040.0 V0032.0";
    let len = assemble(line, &Table, V4, &mut out).unwrap();
    assert_eq!(out[7..16], [0, 38, 0, 0, 0, 1, 2, 0x21, 1]);
    let offsets = Sampler::decode(&out[..len], V4).unwrap().aoffimmi.map(|vector| vector.kind);
    assert_eq!(offsets, Some(VectorKind::General { index: 38, row: 1, column: 2, region: 0x121 }));
}

#[test]
fn offsets_of_immediates() {
    let offsets = |text: &str| {
        let bytes = bytes(&format!("sample_3d.R (M1, 8) {text} S0 T6 V0040.0 V0032.0"), V4);
        Sampler::decode(&bytes, V4).unwrap().offsets().map(|found| (found.uvr, found.high_sampler))
    };
    assert_eq!(offsets("0x7fff:uw"), Some(([-1, -1, -1], false)));
    assert_eq!(offsets("0x8127:uw"), Some(([1, 2, 7], true)));
    assert_eq!(offsets("V0038(0,0)<0;1,0>"), None);
}
