//! Unit tests of the parts; the harness compares the whole with ground truth.

mod edges;

use super::fields::Word;
use super::payload::{self, MAX_BYTES, halves};
use super::*;
use crate::enums::RegFile;
use crate::error::{Kind, What};
use crate::message::{Binding, Channels, Message, Op, Payload};
use crate::platform::Platform;
use crate::rules::Rule as _;
use std::format;
use std::string::ToString;

fn parse(text: &str) -> SendInstruction {
    assemble::parse(Platform::Gen11, text).unwrap()
}

/// The predicates of groups are compared with a computation bit by bit.
#[test]
fn predicates_of_groups() {
    let sizes = [(4, 2), (6, 4), (8, 8), (10, 16), (12, 32)];
    for flag in [0u32, 1, 0x8000_0000, 0x0f0f_00ff, 0xdead_beef, u32::MAX] {
        for (code, size) in sizes {
            let bit = |n: u32| flag >> n & 1 == 1;
            let group = |n: u32| n / size * size..n / size * size + size;
            let any = (0..32).filter(|&n| group(n).any(bit)).fold(0, |mask, n| mask | 1 << n);
            let all = (0..32).filter(|&n| group(n).all(bit)).fold(0, |mask, n| mask | 1 << n);
            assert_eq!(PredicateControl::new(code).unwrap().apply(flag, 0), any);
            assert_eq!(PredicateControl::new(code + 1).unwrap().apply(flag, 0), all);
        }
    }
    assert_eq!(PredicateControl::from_name("anyv").unwrap().apply(0b0011, 0b0101), 0b0111);
    assert_eq!(PredicateControl::from_name("allv").unwrap().apply(0b0011, 0b0101), 0b0001);
    assert_eq!(PredicateControl::new(14), None);
}

#[test]
fn lanes_are_dispatch_and_predicate() {
    let send = parse("(~f0.1) send (8|M8) r20:w r10 0x2 0x02420103");
    assert_eq!(send.execution.lanes(0x0000_ff00, 0x0000_f000, 0), 0x0f);
    let send = parse("(W&f1.0) send (16|M16) r20:w r10 0x2 0x04840103");
    assert_eq!(send.execution.lanes(0, 0x8001_ffff, 0), 0x8001);
    assert_eq!(parse("(W) send (1|M0) r20 r10 0x2 0x02420103").execution.lanes(0, 0, 0), 1);
}

/// Align16: flag x is 1 and flag w is 0 in channels 0 to 3; x is 0 and w is 1 in channels 4 to 7.
#[test]
fn align16_replicates_the_flag_of_a_component() {
    let mut word = assemble::parse(Platform::Gen9, "(f0.0.anyv) send (8|M0) r20 r10 0x2 0x02420103");
    let mut word = word.as_mut().unwrap().encode().unwrap();
    let lanes = |word| {
        let send = SendInstruction::decode(Platform::Gen9, word).unwrap().unwrap();
        let registers = [0; 32];
        let runtime = Runtime {
            payload: [&registers, &[]],
            dispatch: 0xff,
            flag: 0x81,
            other_flag: 0x70,
            ..Runtime::default()
        };
        send.lower(&runtime).unwrap().0.lanes
    };
    assert_eq!(lanes(word), 0xf1);
    word.lo |= 1 << 8;
    assert_eq!(lanes(word), 0x0f);
    word.lo |= 7 << 16;
    word.lo &= !(2 << 16);
    assert_eq!(lanes(word), 0xf0);
}

/// Xe-HPG: modes 0 and 4 have 8 and 16 lanes of 32 bits.
#[test]
fn integer_return_modes_have_lanes() {
    let registers = [0; 64];
    for (text, lanes) in [
        ("send.smpl (8|M0) r20 r10 null 0x0 0x02400103", 8),
        ("send.smpl (16|M0) r20 r10 null 0x0 0x24800103", 16),
    ] {
        let send = |platform| assemble::parse(platform, text).unwrap();
        let runtime = Runtime { payload: [&registers, &[]], dispatch: u32::MAX, ..Runtime::default() };
        let (message, _) = send(Platform::XeHpg).lower(&runtime).unwrap();
        assert_eq!((message.simd, message.params, message.channels.count()), (lanes, 1, 4));
        assert_eq!(send(Platform::XeLp).lower(&runtime).unwrap_err().what(), What::SimdMode);
    }
}

/// A SIMD8 gather4 with header: green, offsets 1, -8, 7, null mask, sampler 17 of a table at 0x400.
fn gather() -> (SendInstruction, [u8; 96]) {
    let mut registers = [0; 96];
    registers[8..12].copy_from_slice(&0x0081_0187_u32.to_le_bytes());
    registers[12..16].copy_from_slice(&0x0000_0500_u32.to_le_bytes());
    registers[32] = 0xaa;
    registers[64] = 0xbb;
    (parse("sends (8|M0) r20:w r10 r30 0x82 0x025A8105"), registers)
}

#[test]
fn lowers_header_and_split() {
    let (send, registers) = gather();
    let (first, second) = registers.split_at(32);
    for payload in [[first, second], [&registers[..], &[]]] {
        let runtime = Runtime { payload, dispatch: 0x3c, sampler_table: 0x400, ..Runtime::default() };
        let (message, params) = send.lower(&runtime).unwrap();
        assert_eq!((message.op, message.simd, message.lanes), (Op::Gather4, 8, 0x3c));
        assert_eq!((message.gather, message.offsets, message.null_mask), (1, [1, -8, 7], true));
        assert_eq!((message.surface, message.sampler), (Binding::Index(5), Binding::Index(17)));
        assert_eq!((message.params, message.channels), (2, Channels::RGBA));
        assert_eq!((params.slot(0)[0], params.slot(1)[0], params.len()), (0xaa, 0xbb, 2));
    }
}

#[test]
fn lengths_that_do_not_fit_are_named() {
    let registers = [0; MAX_BYTES];
    let error = |text: &str, bytes: usize| {
        let runtime = Runtime { payload: [&registers[..bytes], &[]], dispatch: 1, ..Runtime::default() };
        let why = parse(text).lower(&runtime).unwrap_err();
        (why.kind(), why.what())
    };
    let all = MAX_BYTES;
    for (text, bytes, kind, what) in [
        ("send (8|M0) r20 r10 0x3 0x02420103", all, Kind::Invalid, What::SharedFunction),
        ("send (8|M0) r20 r10 0x2 0x02460103", all, Kind::Unsupported, What::SimdMode),
        ("send (8|M0) r20 r10 0x2 0x02400103", all, Kind::Unsupported, What::SimdMode),
        ("send (8|M0) r20 r10 0x2 0x0242D103", all, Kind::Unknown, What::MessageType),
        ("send (8|M0) r20 r10 0x2 0x02520103", all, Kind::Invalid, What::ResponseLength),
        ("send (16|M0) r20 r10 0x2 0x04740103", all, Kind::Invalid, What::ResponseLength),
        ("send (16|M0) r20 r10 0x2 0x06840103", all, Kind::Invalid, What::MessageLength),
        ("send (8|M0) r20 r10 0x2 0x0C420103", all, Kind::Invalid, What::MessageLength),
        ("send (8|M0) r20 r10 0x2 0x00420103", all, Kind::Invalid, What::MessageLength),
        ("send (8|M0) r20 r10 0x2 0x08420103", 96, Kind::Truncated, What::Payload),
        ("send (8|M0) r20 r10 0x2 0x024201FD", all, Kind::Invalid, What::BindingTableIndex),
    ] {
        assert_eq!(error(text, bytes), (kind, what), "{text}");
    }
    // A parameter of two registers that straddles the blocks.
    let send = parse("sends (16|M0) r20:w r10 r30 0x42 0x02840103");
    let runtime = Runtime { payload: [&registers[..32], &registers[..32]], ..Runtime::default() };
    let why = send.lower(&runtime).unwrap_err();
    assert_eq!((why.kind(), why.what()), (Kind::Unsupported, What::Payload));
}

#[test]
fn a_response_of_nothing_has_no_channels() {
    let send = parse("send (8|M0) null r10 0x2 0x02020103");
    let runtime = Runtime { payload: [&[0; 32], &[]], dispatch: 0xff, ..Runtime::default() };
    let (message, _) = send.lower(&runtime).unwrap();
    assert_eq!(message.response().len, 0);
}

#[test]
fn builds_what_compilers_write() {
    let mut message = Message::new(Op::SampleB);
    message.simd = 16;
    message.params = 3;
    message.surface = Binding::Index(5);
    message.sampler = Binding::Index(17);
    message.channels = Channels::new(0b1010);
    let mut registers = [0; MAX_BYTES];
    let encoded = payload::build(&message, &Payload::new(), 0, &mut registers).unwrap();
    // header, three parameters of two registers; two channels of two registers.
    assert_eq!(encoded.registers, 7);
    assert_eq!(encoded.descriptor.0, 5 | 1 << 8 | 1 << 12 | 2 << 17 | 1 << 19 | 4 << 20 | 7 << 25);
    assert_eq!(encoded.second_block(), 6);
    let header = MessageHeader::from_register(&registers);
    assert_eq!((header.channels().mask(), header.table()), (0b1010, 256));
    let send = encoded.send(
        Platform::Gen9,
        ExecutionControl { size: 16, ..ExecutionControl::default() },
        Some(20),
        10,
        Some(30),
    );
    assert_eq!(
        send.to_string(),
        "sends (16|M0) r20:ud r10 r30 0x182 0x024C1105 // wr:1h+6, rd:4; sampler; simd16 sample+LOD bias using sampler index 1"
    );
}

/// Without a header the first parameter is the first block.
#[test]
fn second_blocks_without_header() {
    for (simd, registers, second) in [(8, 3, 2), (16, 6, 4)] {
        let message = Message { simd, params: 3, ..Message::new(Op::SampleB) };
        let encoded = payload::build(&message, &Payload::new(), 0, &mut [0; MAX_BYTES]).unwrap();
        assert_eq!((encoded.registers, encoded.second_block()), (registers, second));
    }
}

#[test]
fn long_messages_are_halved() {
    let mut message = Message::new(Op::SampleB);
    (message.simd, message.lanes, message.params) = (16, 0xa5f0, 6);
    let lanes: std::vec::Vec<u8> = (0..64).collect();
    let mut params = Payload::new();
    for _ in 0..6 {
        params.push(&lanes).unwrap();
    }
    let why = payload::build(&message, &params, 0, &mut [0; MAX_BYTES]).unwrap_err();
    assert_eq!((why.kind(), why.what(), why.found()), (Kind::Invalid, What::MessageLength, 12));
    let [(low, first), (high, second)] = halves(&message, &params).unwrap();
    assert_eq!((low.simd, low.lanes, high.lanes), (8, 0xf0, 0xa5));
    assert_eq!((first.slot(5), second.slot(5)), (&lanes[..32], &lanes[32..]));
    assert!(payload::build(&high, &second, 0, &mut [0; MAX_BYTES]).is_ok());
    assert!(halves(&low, &first).is_none());
}

/// Each text breaks the rule beside it and no other, except that `ChannelRange` implies `ChannelAlignment` here.
#[test]
fn rules() {
    for (text, rule) in [
        ("send (8|M0) r126 r10 0x2 0x02420103", GenRule::RegisterRange),
        ("send (8|M0) acc0 r10 0x2 0x02420103", GenRule::ArchDestination),
        ("send (8|M4) r20 r10 0x2 0x02420103", GenRule::ChannelAlignment),
        ("send (16|M24) r20 r10 0x2 0x04840103", GenRule::ChannelRange),
        ("send (8|M0) r20 r10 0x22 0x02420103 {EOT}", GenRule::EndOfThread),
        ("sends (8|M0) r20:w r10 null 0x42 0x02420103", GenRule::SecondBlock),
        ("sends (8|M0) r20:w r10 r30 0x2 0x02420103", GenRule::SecondBlock),
        ("send (8|M0) r20 r10 0x2 0x0C420103", GenRule::ParameterCount),
        ("send (8|M0) r20 r10 0x2 0x02620103", GenRule::ResponseLength),
        ("send (8|M0) null r10 0x2 0x02420103", GenRule::NullResponse),
        ("send (8|M0) r20 r10 0x2 0x02400103", GenRule::SimdMode),
        ("send (8|M0) r20 r10 0x2 0x0242D103", GenRule::MessageType),
        ("send (16|M0) r20 r10 0x2 0x04844103", GenRule::Simd8Only),
        ("send (16|M0) r20 r10 0x2 0x02420103", GenRule::ExecutionSize),
        ("send (8|M0) r20 r10 0x2 0x024201F0", GenRule::BindingTable),
        ("sends (8|M0) r20:w r10 null 0x2 0x024201FC", GenRule::BindlessHandle),
        ("send (8|M0) r20 r10 0x80000002 0x02427103", GenRule::CpsOperation),
    ] {
        let broken: std::vec::Vec<_> = parse(text).validate().collect();
        let aligned = rule != GenRule::ChannelRange;
        assert!(broken.contains(&rule) && (broken.len() == 1 || !aligned), "{text}: {broken:?}");
    }
    let gen9 = |text| assemble::parse(Platform::Gen9, text).unwrap().validate();
    assert!(gen9("send (8|M0) r20 r10 0x2 0x22420103").contains(GenRule::HalfParameters));
    assert!(gen9("send (8|M0) r20 r10 0x80000002 0x02420103").contains(GenRule::CpsPlatform));
    // Two rules that are not broken: a null destination without a response, and LOD compensation of an operation that has it.
    assert!(!parse("send (8|M0) null r10 0x2 0x02020103").validate().contains(GenRule::NullResponse));
    let compensated = |descriptor: &str| {
        let text = format!("send (8|M0) r20 r10 0x80000002 {descriptor}");
        !parse(&text).validate().contains(GenRule::CpsOperation)
    };
    assert!(compensated("0x02420103") && !compensated("0x02020103"));
    let mut damaged = parse("send (8|M0) r20 r10 0x2 0x02420103");
    assert!(damaged.validate().is_empty());
    damaged.rest.lo |= 1 << 8;
    assert!(damaged.validate().contains(GenRule::AccessMode));
    damaged.rest.lo |= 1 << 9;
    assert!(damaged.validate().contains(GenRule::ReservedBits));
    // The register number of a descriptor in a0 is not reserved; a bit beside it is.
    let mut register = parse("send (8|M0) r20 r10 0x2 a0.0");
    assert!(register.rest.hi == 0x10 << 37 && register.validate().is_empty());
    register.rest.hi |= 1;
    assert!(register.validate().contains(GenRule::ReservedBits));
    assert!(GenRule::ALL.iter().all(|rule| !rule.name().is_empty()));
}

#[test]
fn text_that_is_not_understood_says_where() {
    for (text, what, column) in [
        ("", What::Mnemonic, 0),
        ("sent (8|M0) r20 r10 0x2 0x1", What::Mnemonic, 0),
        ("(f2.0) send (8|M0) r20 r10 0x2 0x1", What::PredicateControl, 1),
        ("send (7|M0) r20 r10 0x2 0x1", What::ExecSize, 6),
        ("send (8|M0) x20 r10 0x2 0x1", What::Register, 12),
        ("send (8|M0) r20:zz r10 0x2 0x1", What::DataType, 12),
        ("send (8|M0) r20 r10 0x2 a0.2", What::MessageDescriptor, 24),
        ("send (8|M0) r20 r10 0x2 0x1 {Nothing}", What::Option, 29),
        ("send (8|M0) r20 r10 0x2 0x1 more", What::Operands, 28),
    ] {
        let why = assemble::parse(Platform::Gen11, text).unwrap_err();
        assert_eq!((why.what(), why.offset()), (what, Some(column)), "{text}");
    }
    // Descriptor bits that the form does not have.
    for text in [
        "send (8|M0) r20 r10 0x42 0x1",
        "sends (8|M0) r20 r10 r30 0x402 0x1",
        "send (8|M0) r20 r10 0x2 0x80000000",
    ] {
        let why = assemble::parse(Platform::Gen11, text).unwrap_err();
        assert_eq!((why.kind(), why.what()), (Kind::Invalid, What::FieldValue), "{text}");
    }
    let why = assemble::parse(Platform::Gen9, "send (8|M0) r20 r10 0x2 0x1 {NoPreempt}").unwrap_err();
    assert_eq!((why.kind(), why.what()), (Kind::NotOnPlatform, What::ThreadControl));
}

#[test]
fn gen12_text() {
    for (platform, text) in [
        (Platform::XeLp, "(W&f0.1) send.smpl (16|M16) r20 r10 null 0x0 0x02420103"),
        (Platform::XeLp, "sendc.smpl (8|M0) r20 r10 r30 0x80 0x02420103 {EOT,$3}"),
        (Platform::XeLp, "send.smpl (8|M0) r20 r10 r40 0x1A00880 0xA2420103 {@1,$2}"),
        (Platform::XeHpg, "send.smpl (8|M0) r20 r10 r40:2 0x1A00800 0xA2420103 {$2.dst}"),
        (Platform::XeHpg, "send.smpl (8|M0) r20 r10 r30 a0.2 a0.0 {Atomic,I@3}"),
    ] {
        let send = assemble::parse(platform, text).unwrap();
        assert!(send.to_string().starts_with(&format!("{text} //")), "{text} comes back as {send}");
        assert_eq!(SendInstruction::decode(platform, send.encode().unwrap()), Ok(Some(send)));
    }
    assert!(assemble::parse(Platform::Maxwell, "send (8|M0) r20 r10 0x2 0x1").is_err());
    // Mnemonics have the shared function only since Gen12.
    assert!(assemble::parse(Platform::Gen11, "send.sampler (8|M0) r20 r10 0x2 0x02420103").is_err());
    // The shared function is in the mnemonic, and the comment does not repeat it.
    let send = assemble::parse(Platform::XeLp, "send.smpl (8|M0) r20 r10 null 0x0 0x02420103").unwrap();
    assert_eq!(
        send.to_string().split_once(" // ").unwrap().1,
        "wr:1+0, rd:4; simd8 sample using sampler index 1"
    );
}

#[test]
fn streams_end_where_their_bytes_do() {
    let word = parse("send (8|M0) r20 r10 0x2 0x02420103").encode().unwrap().to_bytes();
    let mut stream = Stream::new(Platform::Gen11, &word[..12]);
    let why = stream.next().unwrap_err();
    assert_eq!((why.kind(), why.offset(), why.found()), (Kind::Truncated, Some(0), 16));
    assert_eq!(stream.next(), Ok(None));
    // The same word with the compaction bit set is 8 bytes long and does not decode as a send.
    let mut compacted = word;
    compacted[3] |= 0x20;
    let mut stream = Stream::new(Platform::Gen11, &compacted);
    let first = stream.next().unwrap().unwrap();
    assert_eq!(first.len(), 8);
    assert_eq!(first.send().unwrap_err().what(), What::Compaction);
}

#[test]
fn common_fields_of_full_and_compacted() {
    // mov (8|M8) (sat)r32.0<1>:f r32.0<0;1,0>:f, compacted.
    let lo = 0x01 | 27 << 8 | 8 << 13 | 1 << 29 | 0x20 << 40 | 0x20 << 48;
    let compacted = Instruction::new(Platform::Gen11, Word { lo, hi: 0 }, 0).common().unwrap();
    assert_eq!(
        (compacted.operation.name(), compacted.execution.size, compacted.execution.offset),
        ("mov", 8, 8)
    );
    assert!(compacted.saturate && compacted.dst.unwrap().data_type == Some(DataType::F));
    // cmpn (8|M0) (ne)f0.0 r20.0<1>:w r10.0<0;1,0>:ud 0x2420103:ud
    let hi = 0x0242_0103_0600_0140;
    let word = Word { lo: 0x2280_0268_0260_0011, hi };
    let full = Instruction::new(Platform::Gen11, word, 0).common().unwrap();
    assert_eq!((full.operation.name(), full.condition.unwrap().0), ("cmpn", 2));
    assert_eq!(
        full.src1.unwrap(),
        OperandKind { file: crate::enums::RegFile::IMM, data_type: Some(DataType::Ud) }
    );
    let undefined = Instruction::new(Platform::Gen11, Word { lo: 0x35, hi: 0 }, 48).common().unwrap_err();
    assert_eq!((undefined.what(), undefined.offset()), (What::Opcode, Some(48)));
}

/// Sizes of 1 to 32 channels, flags f0.0 to f1.1.
#[test]
fn common_sizes_and_flags() {
    let mov = |bits: u64| Instruction::new(Platform::Gen11, Word { lo: 1 | bits, hi: 0 }, 0).common();
    for code in 0..8 {
        let size = mov(code << 21).map(|mov| mov.execution.size);
        let size = size.map_err(|why| (why.what(), why.found(), why.bit_offset()));
        assert_eq!(size, if code < 6 { Ok(1 << code) } else { Err((What::ExecSize, code, Some(21))) });
    }
    let flags = [0, 1, 2, 3].map(|flag| mov(flag << 32).unwrap().execution.flag);
    assert_eq!(flags, [(0, 0), (0, 1), (1, 0), (1, 1)]);
    assert_eq!([0, 1].map(|inverse| mov(inverse << 20).unwrap().execution.inverse), [false, true]);
}

fn common(platform: Platform, bytes: [u8; 16]) -> CommonFields {
    let word = u128::from_le_bytes(bytes);
    Instruction::new(platform, Word { lo: word as u64, hi: (word >> 64) as u64 }, 0).common().unwrap()
}

fn kinds(common: &CommonFields) -> [Option<(RegFile, Option<DataType>)>; 4] {
    [common.dst, common.src0, common.src1, common.src2]
        .map(|kind| kind.map(|kind| (kind.file, kind.data_type)))
}

/// Intel's assembler prints the words as csel (8|M8) (ne)f1.0 r32.0<1>:ud r0.0<0;2>:ud r0.16<4;1>:ub (abs)r16.8<1>:ub, and with
/// r0.4<4;1>:ud as second source.
#[test]
fn three_sources_of_gen11() {
    let word = [0x12, 0x10, 0x71, 0x02, 0x02, 0x02, 0, 0x20, 0xc0, 0, 0x80, 0x06, 0x01, 0x90, 0x10, 0x04];
    let csel = common(Platform::Gen11, word);
    let grf = |data_type| Some((RegFile::GRF, Some(data_type)));
    assert_eq!((csel.operation.name(), csel.execution.size, csel.execution.offset), ("csel", 8, 8));
    assert_eq!(kinds(&csel), [DataType::Ud, DataType::Ud, DataType::Ub, DataType::Ub].map(grf));
    let word = [0x12, 0x10, 0x71, 0x02, 0x02, 0x02, 0, 0x20, 0xe0, 0, 0, 0x06, 0x01, 0xb0, 0x10, 0x04];
    let csel = common(Platform::Gen11, word);
    assert_eq!(kinds(&csel), [DataType::Ud, DataType::Ud, DataType::Ud, DataType::Ub].map(grf));
}

/// With native precision (nf) the file bit means the accumulator, with other types an immediate.
#[test]
fn native_sources_of_gen11() {
    let src0 = |file: u128, code: u128| {
        let mad = 0x5b | 3 << 21 | 1 << 35 | file << 43 | code << 64;
        kinds(&common(Platform::Gen11, u128::to_le_bytes(mad)))[1].unwrap()
    };
    assert_eq!(src0(1, 3), (RegFile::ARF, Some(DataType::Nf)));
    assert_eq!(src0(0, 3), (RegFile::GRF, Some(DataType::Nf)));
    assert_eq!(src0(1, 0), (RegFile::IMM, Some(DataType::Hf)));
}

/// mad (8|M0) r0.0:f with sources :f, and jmpi, by hand from the table of positions.
#[test]
fn three_sources_of_gen9_and_jumps() {
    let mut mad = [0; 16];
    (mad[0], mad[1], mad[2]) = (0x5b, 0x01, 0x60);
    let mad = common(Platform::Gen9, mad);
    assert!(mad.align16);
    assert_eq!(kinds(&mad), [Some((RegFile::GRF, Some(DataType::F))); 4]);
    // jmpi: destination and first source ip (bits 36:35 and 42:41 are 0), an immediate d (bits 90:89 are 3, 94:91 are 1).
    let mut jmpi = [0; 16];
    (jmpi[0], jmpi[11]) = (0x20, 0x0e);
    let jmpi = common(Platform::Gen11, jmpi);
    assert_eq!(jmpi.operation.name(), "jmpi");
    let [dst, src0, src1, src2] = kinds(&jmpi);
    let ip = Some((RegFile::ARF, Some(DataType::Ud)));
    assert_eq!((dst, src0, src2), (ip, ip, None));
    assert_eq!(src1, Some((RegFile::IMM, Some(DataType::D))));
}

/// Gen12 by hand from the table of positions: (W) mov (16|M16) (sat)r1:f 1:hf, and mad (8|M0) r1:f acc:f r2:f 2:hf.
#[test]
fn common_fields_of_gen12() {
    let mov = 0x61_u128
        | 0x90 << 8
        | 4 << 16
        | 2 << 20
        | 1 << 31
        | 1 << 34
        | 10 << 36
        | 9 << 40
        | 1 << 46
        | 1 << 50;
    let mov = common(Platform::XeLp, mov.to_le_bytes());
    assert_eq!((mov.operation.name(), mov.scoreboard, mov.saturate), ("mov", 0x90, true));
    assert_eq!((mov.execution.size, mov.execution.offset, mov.execution.no_mask), (16, 16, true));
    let [dst, src0, ..] = kinds(&mov);
    assert_eq!(dst, Some((RegFile::GRF, Some(DataType::F))));
    assert_eq!(src0, Some((RegFile::IMM, Some(DataType::Hf))));
    let types = 2 << 36 | 1 << 39 | 2 << 40 | 2 << 88 | 1 << 80;
    let mad = 0x5b_u128 | 3 << 16 | types | 1 << 47 | 1 << 50 | 1 << 98;
    let mad = common(Platform::XeHpg, mad.to_le_bytes());
    let f = |file| Some((file, Some(DataType::F)));
    let immediate = Some((RegFile::IMM, Some(DataType::Hf)));
    assert_eq!(kinds(&mad), [f(RegFile::GRF), f(RegFile::ARF), f(RegFile::GRF), immediate]);
}

/// The comments agree with those that Intel's assembler prints for the same words (it adds more, such as sizes of blocks).
#[test]
fn messages_of_other_functions_have_names() {
    for (text, name) in [
        ("send (8|M0) r20:w r10 0x3 0x02420103", "gateway; unmonitor event"),
        ("(~f1.0) sendc (8|M8) null r7 0x3 0x0410B001", "gateway; signal event"),
        ("(~f1.0) sendc (8|M8) null r7 0xA 0x0410B001", "hdc.dc0; oword dual block read"),
        ("sends (8|M0) r20:f r10 r30 0xCA 0x02424005", "hdc.dc0; hword aligned block write"),
        ("sends (16|M0) r60:w r9 null 0xA 0x0484A0EF", "hdc.dc0; hword scratch block read"),
        ("send (8|M0) r20:w r10 0xA 0x02420103", "hdc.dc0; oword block write"),
        ("send (8|M0) r20:w r10 0x7 0x02420103", "spawner"),
    ] {
        let line = parse(text).to_string();
        assert!(line.ends_with(name), "{line}");
    }
}

/// Errors point at the bits of the form that was decoded: the execution size is at 21 on Gen11, at 16 on Gen12.
#[test]
fn errors_point_at_the_bits_of_their_form() {
    let text = "send.smpl (8|M0) r20 r10 null 0x0 0x02420103";
    let word = assemble::parse(Platform::XeLp, text).unwrap().encode().unwrap();
    let bit = |word| SendInstruction::decode(Platform::XeLp, word).unwrap_err().bit_offset();
    assert_eq!(bit(fields::Word { lo: word.lo | 7 << 16, ..word }), Some(16), "execution size");
    assert_eq!(bit(fields::Word { lo: word.lo | 15 << 24, ..word }), Some(24), "predicate control");
    let text = "send (8|M0) r20 r10 0x2 0x02420103";
    let word = assemble::parse(Platform::Gen11, text).unwrap().encode().unwrap();
    let bit = SendInstruction::decode(Platform::Gen11, fields::Word { lo: word.lo | 7 << 21, ..word });
    assert_eq!(bit.unwrap_err().bit_offset(), Some(21), "execution size");
}
