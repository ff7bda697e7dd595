//! Text forms, rules, lowering and execution, with values worked out by hand. The tests against the ground truth and the
//! oracle are in the harness.

use super::{
    FlatPools, FullText, Group, Guard, Phase, Query, SchedulingControl, Section, Sources, Txq, TxqRule,
};
use crate::message::{Binding, Channels, Op};
use crate::state::nv::{
    Class, Handle, Limits, NvEnumeration, NvField, NvLayout, SamplerEntry, TextureHeader,
};
use crate::{Kind, Platform, What};
use std::string::ToString;
use std::vec::Vec;

fn parse(text: &str) -> Txq {
    Txq::parse(text).unwrap_or_else(|why| panic!("{text}: {why}"))
}

#[test]
fn the_manuals_forms_and_the_disassemblers_are_one() {
    let same = [
        "TXQ R0, R6, TEX_HEADER_DIMENSION, 0, 0xf;",
        "TXQ R0, R6, #TEX_HEADER_DIMENSION, #0 ;",
        "txq r0,r6,tex_header_dimension,0x0,#15",
        "  TXQ  R0, R6, TEX_HEADER_DIMENSION, 0, 0, 0xf; ",
        "@PT TXQ R0, R6, TEX_HEADER_DIMENSION, 0x0, 0xf ;",
    ];
    for text in same {
        assert_eq!(parse(text).word(), 0xdf48_0007_8047_0600, "{text}");
        assert_eq!(parse(text).control(), SchedulingControl::NEUTRAL);
    }
    let split = parse("TXQ R24, R5, 2, #0x53, #1, #0x1;");
    assert_eq!((split.index(), split.query().number(), split.mask().mask()), (0x153, 2, 1));
    let numbered = parse("@!P5 TXQ.NODEP R48, RZ, 17, 0x1604, 0x0;");
    assert_eq!(numbered.to_string(), "@!P5 TXQ.NODEP R48, RZ, 17, 0x1604, 0x0;");
    assert_eq!(parse("TXQ.B R4, R6, TEX_HEADER_DIMENSION, 0x53, 0xf;").word(), 0xdf50_0007_8047_0604);
}

#[test]
fn annotations_are_the_control_field() {
    let full = parse("TXQ.T R24, R5, TEX_HEADER_DIMENSION, 0x53, 0x1 &req={0,3} &rd=7 &wr5 ?0x51;");
    let control = full.control();
    assert_eq!((control.wait(), control.rd(), control.wr()), (0b1001, 7, 5));
    assert_eq!((control.stall(), control.yield_bit(), control.phase()), (1, true, Phase::T));
    assert_eq!(control.raw() >> 19, 2);
    assert_eq!(parse(&FullText(full).to_string()), full);
    let written = parse("TXQ R0, R1, 1, 0 &req_0x3f &wr_0 ?sched=4;").control();
    assert_eq!((written.wait(), written.wr(), written.rd(), written.stall()), (0x3f, 0, 7, 4));
}

#[test]
fn text_errors_name_column_and_thing() {
    let cases = [
        ("TEX R0, R1, 1, 0", 0, What::TxqMnemonic),
        ("@P7 TXQ R0, R1, 1, 0", 1, What::TxqPredicate),
        ("TXQ.BAD R0, R1, 1, 0", 3, What::TxqSuffix),
        ("TXQ.NODEP.B R0, R1, 1, 0", 9, What::TxqSuffix),
        ("TXQ R255, R1, 1, 0", 4, What::TxqRegister),
        ("TXQ R0 R1, 1, 0", 7, What::TxqComma),
        ("TXQ R0, R1, TEX_HEADER, 0", 12, What::Query),
        ("TXQ R0, R1, 32, 0", 12, What::Query),
        ("TXQ R0, R1, 1;", 13, What::TxqImmediate),
        ("TXQ R0, R1, 1, 0x2000", 15, What::TxqImmediate),
        ("TXQ R0, R1, 1, 0, 16", 18, What::TxqImmediate),
        ("TXQ R0, R1, 1, 256, 0, 1", 15, What::TxqImmediate),
        ("TXQ R0, R1, 1, 0, 32, 1", 18, What::TxqImmediate),
        ("TXQ R0, R1, 1, 0 &wr8", 17, What::TxqAnnotation),
        ("TXQ R0, R1, 1, 0 &req={6}", 23, What::TxqAnnotation),
        ("TXQ R0, R1, 1, 0; x", 18, What::TxqEnd),
    ];
    for (text, column, what) in cases {
        let why = Txq::parse(text).expect_err(text);
        assert_eq!((why.kind(), why.what(), why.offset()), (Kind::Invalid, what, Some(column)), "{text}");
    }
}

#[test]
fn rules_by_name() {
    let broken = |text: &str| parse(text).validate(Platform::Maxwell).collect::<Vec<_>>();
    assert_eq!(broken("TXQ.B R4, R6, TEX_HEADER_DIMENSION, 0x0, 0x7;"), []);
    assert_eq!(broken("TXQ R2, R5, TEX_HEADER_DIMENSION, 0x0, 0x7;"), [TxqRule::RdAlignment]);
    assert_eq!(broken("TXQ RZ, RZ, TEX_HEADER_TEXTURE_TYPE, 0x0, 0x7;"), []);
    assert_eq!(broken("TXQ R0, RZ, TEX_HEADER_DIMENSION, 0x0, 0x7;"), [TxqRule::RaIsRz]);
    assert_eq!(broken("TXQ.B R0, R5, TEX_HEADER_DIMENSION, 0x0, 0x1;"), [TxqRule::RaAlignment]);
    assert_eq!(broken("TXQ.B R248, R252, TEX_HEADER_DIMENSION, 0x0, 0xf;"), []);
    assert_eq!(
        broken("TXQ.B R252, R254, TEX_HEADER_DIMENSION, 0x0, 0xf;"),
        [TxqRule::RdRange, TxqRule::RaRange]
    );
    assert_eq!(
        broken("TXQ R0, R1, TEX_SAMPLER_LOD, 0x0, 0x0;"),
        [TxqRule::EmptyMask, TxqRule::QueryUndocumented]
    );
    let odd = "TXQ.INVALIDPHASE3 R0, R1, TEX_HEADER_DIMENSION, 0x0, 0x1 &rd6;";
    assert_eq!(broken(odd), [TxqRule::Phase, TxqRule::Scoreboard]);
    let stray = Txq::decode(0xdf48_0007_8047_0604 | 1 << 50, SchedulingControl::NEUTRAL).unwrap().unwrap();
    assert!(stray.validate(Platform::Pascal).eq([TxqRule::IgnoredBits]));
    for bit in [20, 21, 28, 29, 30, 35, 50] {
        let stray =
            Txq::decode(0xdf48_0007_8047_0604 | 1 << bit, SchedulingControl::NEUTRAL).unwrap().unwrap();
        assert!(stray.validate(Platform::Maxwell).eq([TxqRule::IgnoredBits]), "bit {bit}");
    }
    assert!(stray.validate(Platform::Gen11).contains(TxqRule::PlatformHasNoTxq));
}

#[test]
fn undefined_queries_fail_their_own_slot() {
    let txq = 0xdf48_0007_8047_0604;
    let undefined = txq & !(0x3f << 22);
    let group = Group { control: 0, words: [txq, undefined, txq] };
    let bytes = group.to_bytes();
    let mut section = Section::new(&bytes);
    let mut found = Vec::new();
    while let Ok(Some(slot)) = section.next_txq() {
        found.push((
            slot.offset,
            slot.txq().map(|txq| txq.is_some()).map_err(|why| (why.what(), why.offset())),
        ));
    }
    assert_eq!(found, [(8, Ok(true)), (16, Err((What::Query, Some(16)))), (24, Ok(true))]);
}

#[test]
fn lowering() {
    let handle = Handle::join(5, 7);
    let txq = parse("TXQ R4, R6, TEX_HEADER_DIMENSION, 0x1, 0xa;");
    let message = txq.message(0xf0, Some(handle)).unwrap();
    assert_eq!((message.op, message.simd, message.lanes), (Op::TxqDimension, 32, 0xf0));
    assert_eq!((message.surface, message.sampler), (Binding::Index(5), Binding::Index(7)));
    assert_eq!(usize::from(message.response().len), txq.destinations() * 128);
    assert!(!message.non_uniform);
    // Without a common handle, each lane has one of its own.
    let bindless = parse("TXQ.B R4, R6, TEX_HEADER_DIMENSION, 0x0, 0xf;");
    let message = bindless.message(1, None).unwrap();
    assert!(message.non_uniform);
    assert_eq!((message.surface, message.sampler), (Binding::Unresolved, Binding::Unresolved));
    assert!(!bindless.message(1, Some(handle)).unwrap().non_uniform);
    assert!(!txq.message(1, None).unwrap().non_uniform);
    let why = parse("TXQ R4, R6, TEX_SAMPLER_FILTER, 0x1, 0xa;").message(1, None).unwrap_err();
    assert_eq!((why.kind(), why.what()), (Kind::Unsupported, What::QueryResult));
}

#[test]
fn execution_compacts_and_leaves_the_rest() {
    let mut header = TextureHeader::from_dwords(Class::Maxwell2, [0; 8]);
    header.set_layout(NvLayout::Blocklinear).unwrap();
    let two_d_array = NvEnumeration::TextureType.value("TWO_D_ARRAY").unwrap();
    let fields = [
        (NvField::TextureType, two_d_array),
        (NvField::WidthMinusOne, 639),
        (NvField::HeightMinusOne, 479),
        (NvField::DepthMinusOne, 5),
        (NvField::ResViewMaxMipLevel, 3),
    ];
    for (field, value) in fields {
        header.set(field, value).unwrap();
    }
    let headers = header.to_bytes();
    let limits = Limits { max_header: 1, ..Limits::default() };
    let constants = Handle::join(0, 9).raw().to_le_bytes();
    let pools = FlatPools { class: Class::Maxwell2, headers: &headers, constants: &constants, limits };
    let txq = parse("TXQ R4, R6, TEX_HEADER_DIMENSION, 0x0, 0xa;");
    let mut registers = [0xee; 256];
    // Lanes 1 and 3 with LOD 1 and 9.
    let sources = [1_u32.to_le_bytes(), 9_u32.to_le_bytes()];
    let outcome = txq.execute(0b1010, Sources::Packed(sources.as_flattened()), &pools, &mut registers);
    assert_eq!(outcome, Ok(super::TxqOutcome::default()));
    let lane = |register: usize, lane: usize| {
        u32::from_le_bytes(registers[register * 128 + lane * 4..][..4].try_into().unwrap())
    };
    let untouched = 0xeeee_eeee;
    assert_eq!((lane(0, 0), lane(0, 1), lane(0, 2), lane(0, 3)), (untouched, 240, untouched, 0));
    assert_eq!((lane(1, 1), lane(1, 3)), (4, 4));
    // Header 1 is within the limit but not in the pool, header 2 is past the limit.
    let bindless = parse("TXQ.B R4, R6, TEX_HEADER_TEXTURE_TYPE, 0x0, 0x4;");
    let sources = [1_u32.to_le_bytes(), 2_u32.to_le_bytes(), 0_u32.to_le_bytes()];
    let outcome =
        bindless.execute(0b111, Sources::Packed(sources.as_flattened()), &pools, &mut registers).unwrap();
    assert_eq!((outcome.failed, outcome.invalid), (1, 2));
    assert_eq!(outcome.first_error.map(|(lane, why)| (lane, why.kind())), Some((0, Kind::Fault)));
    let small = bindless.execute(1, Sources::Packed(&[0; 4]), &pools, &mut registers[..127]);
    assert_eq!(small.unwrap_err().kind(), Kind::Capacity);
    let filter = parse("TXQ R0, RZ, TEX_SAMPLER_FILTER, 0x0, 0xf;");
    let why = filter.execute(1, Sources::Packed(&[]), &pools, &mut registers).unwrap_err();
    assert_eq!(why.kind(), Kind::Unsupported);
}

#[test]
fn guards_choose_lanes() {
    let predicates = [0b1100, 0, 0, 0, 0, 0, 0xff];
    let lanes = |predicate, negate| Guard { predicate, negate }.lanes(0b1010, &predicates);
    assert_eq!(
        [lanes(0, false), lanes(0, true), lanes(7, false), lanes(7, true)],
        [0b1000, 0b0010, 0b1010, 0]
    );
}

#[test]
fn older_headers() {
    let mut header = TextureHeader::from_dwords(Class::Kepler, [0; 8]);
    header.set_layout(NvLayout::V2).unwrap();
    for (field, value) in
        [(NvField::Width, 100), (NvField::HeightMsb, 1), (NvField::Depth, 3), (NvField::DepthMsb, 2)]
    {
        header.set(field, value).unwrap();
    }
    let size = header.size().unwrap();
    assert_eq!((size.width, size.height, size.depth), (100, 65536, 3));
    header.extended = true;
    assert_eq!(header.size().unwrap().depth, 8195);
    assert_eq!(header.set_layout(NvLayout::Pitch).unwrap_err().kind(), Kind::NotOnPlatform);
    assert_eq!(header.set(NvField::Depth, 1 << 12).unwrap_err().what(), What::HeaderField);
    header.class = Class::Maxwell1;
    header.legacy = true;
    assert_eq!(header.layout(), Ok(NvLayout::V2));
    let mut sampler = SamplerEntry::from_bytes(Class::Fermi, &[0; 32]);
    sampler.set(NvField::MipLodBias, 0x1fff).unwrap();
    assert_eq!(sampler.dwords[1], 0x1fff << 12);
    assert_eq!(sampler.get(NvField::ReductionFilter).unwrap_err().kind(), Kind::NotOnPlatform);
}

#[test]
fn query_names() {
    for raw in 0..=255 {
        let Some(query) = Query::from_raw(raw) else { continue };
        assert_eq!(query.name().and_then(Query::from_name), query.name().map(|_| query));
        assert_eq!(query.takes_argument(), raw % 2 == 1);
        assert_eq!(Query::from_number(query.number()), Some(query));
    }
    assert_eq!((0..64).filter_map(Query::from_raw).count(), 32);
    assert_eq!(Channels::RGBA.count(), 4);
}

#[test]
fn the_longest_text_is_whole() {
    for longest in [
        "@!PT TXQ.B.NODEP.INVALIDPHASE3 R254, R254, TEX_SAMPLER_BORDER_COLOR, 0x0, 0xf;",
        "@!P6 TXQ.NODEP.INVALIDPHASE3 R254, R254, TEX_SAMPLER_BORDER_COLOR, 0x1fff, 0xf;",
    ] {
        assert_eq!(parse(longest).to_string(), longest);
    }
}
