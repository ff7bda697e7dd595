//! Tests of what words, headers and text cannot encode, and of fields whose positions depend on the form.

use super::super::fields::Word;
use super::super::payload::{self, MAX_BYTES};
use super::super::*;
use super::parse;
use crate::error::{Kind, What};
use crate::message::{Binding, Channels, Message, Op, Payload, Width};
use crate::platform::Platform;
use std::format;
use std::string::ToString;

#[test]
fn descriptors_in_text() {
    // Numbers are hexadecimal or decimal.
    assert_eq!(parse("send (8|M0) r20 r10 2 37880067"), parse("send (8|M0) r20 r10 0x2 0x02420103"));
    let error = |platform, text| {
        let why = assemble::parse(platform, text).unwrap_err();
        (why.what(), why.offset())
    };
    // A plain send cannot have its extended descriptor in a register. The length of the second block is on its operand or in the extended
    // descriptor, not in both.
    let plain = "send (8|M0) r20 r10 a0.2 0x02420103";
    assert_eq!(error(Platform::Gen11, plain), (What::ExtendedDescriptor, Some(20)));
    let both = "send.smpl (8|M0) r20 r10 r40:2 0x80 0x02420103";
    assert_eq!(error(Platform::XeHpg, both), (What::ExtendedDescriptor, Some(31)));
    let long = "send.smpl (8|M0) r20 r10 r40:32 0x0 0x02420103";
    assert_eq!(error(Platform::XeHpg, long), (What::MessageLength, Some(25)));
    assert_eq!(error(Platform::Gen11, "send (8|M0) r20 r10 a0.8 0x1"), (What::ExtendedDescriptor, Some(20)));
    assert_eq!(error(Platform::Gen11, "send (8|M0) r20 r10 0x+2 0x1"), (What::ExtendedDescriptor, Some(20)));
    let options = |options: &str| {
        let text = format!("send.smpl (8|M0) r20 r10 null 0x0 0x02420103 {{{options}}}");
        assemble::parse(Platform::XeLp, &text)
            .map(|send| send.scoreboard)
            .map_err(|why| (why.what(), why.offset()))
    };
    assert_eq!((options("$1"), options("@3"), options("$5.src")), (Ok(0x41), Ok(3), Ok(0x35)));
    assert_eq!(options("@1,$2"), Ok(0x92));
    assert_eq!(options("$1,$2"), Err((What::Option, Some(49))));
    assert_eq!(options("EOT,Nothing"), Err((What::Option, Some(50))));
    assert_eq!(options("$16"), Err((What::Option, Some(46))));
}

#[test]
fn what_a_word_cannot_hold() {
    let good = parse("send (8|M0) r20 r10 0x2 0x02420103");
    let error = |send: SendInstruction| {
        let why = send.encode().unwrap_err();
        (why.kind(), why.what(), why.found())
    };
    let with = |size, offset| SendInstruction {
        execution: ExecutionControl { size, offset, ..good.execution },
        ..good
    };
    assert_eq!(error(with(7, 0)), (Kind::Unknown, What::ExecSize, 7));
    assert_eq!(error(with(64, 0)), (Kind::Unknown, What::ExecSize, 64));
    assert_eq!(error(with(8, 2)), (Kind::Unknown, What::FieldValue, 2));
    let unified = assemble::parse(Platform::XeLp, "send.smpl (8|M0) r20 r10 null 0x0 0x02420103").unwrap();
    let typed = SendInstruction { dst_type: DataType::Vf, ..good };
    assert_eq!((error(typed).0, error(typed).1), (Kind::NotOnPlatform, What::DataType));
    assert!(unified.encode().is_ok());
}

#[test]
fn messages_that_the_wire_does_not_have() {
    let mut registers = [0; MAX_BYTES];
    let mut build = |message: &Message, room: usize| {
        let built = payload::build(message, &Payload::new(), 0, &mut registers[..room]);
        built.map(|encoded| encoded.descriptor.0).map_err(|why| (why.kind(), why.what(), why.found()))
    };
    let plain = Message { simd: 8, params: 2, ..Message::new(Op::Sample) };
    let rgba = 4 << 20 | 1 << 17;
    assert_eq!(build(&plain, MAX_BYTES), Ok(rgba | 2 << 25));
    assert_eq!(build(&plain, 63), Err((Kind::Capacity, What::Payload, 64)));
    assert_eq!(build(&plain, 64), Ok(rgba | 2 << 25));
    // A message without parameters still has one register.
    assert_eq!(build(&Message { params: 0, ..plain }, 32), Ok(rgba | 1 << 25));
    let error = |what, found| Err((Kind::Invalid, what, found));
    assert_eq!(build(&Message { params: 6, ..plain }, MAX_BYTES), error(What::ParameterCount, 6));
    assert_eq!(build(&Message { simd: 32, ..plain }, MAX_BYTES), error(What::SimdMode, 32));
    for op in [Op::SampleD, Op::SampleDC, Op::SampleKillpix] {
        assert_eq!(build(&Message { op, simd: 16, ..plain }, MAX_BYTES), error(What::SimdMode, 16));
        assert!(build(&Message { op, ..plain }, MAX_BYTES).is_ok());
    }
    let surface = |surface| Message { surface, ..plain };
    assert_eq!(build(&surface(Binding::Index(239)), MAX_BYTES), Ok(239 | rgba | 2 << 25));
    assert_eq!(build(&surface(Binding::Index(240)), MAX_BYTES), error(What::BindingTableIndex, 240));
    assert_eq!(build(&surface(Binding::Unresolved), MAX_BYTES), error(What::BindingTableIndex, 0));
    assert_eq!(build(&surface(Binding::Bindless(0x1234_5678)), MAX_BYTES), Ok(252 | rgba | 2 << 25));
    // An unresolved sampler is encoded as the first of the thread's table, which needs no header.
    let unresolved = Message { sampler: Binding::Unresolved, ..plain };
    assert_eq!(build(&unresolved, MAX_BYTES), Ok(rgba | 2 << 25));
    let query = Message { op: Op::TxqDimension, ..plain };
    assert_eq!(build(&query, MAX_BYTES).unwrap_err().1, What::Operation);
}

/// Tests each reason for a header alone, and the contents of the header.
#[test]
fn headers_say_what_descriptors_cannot() {
    let plain = Message { simd: 8, params: 1, ..Message::new(Op::Sample) };
    let header = |message: Message| {
        let mut registers = [0; MAX_BYTES];
        let encoded = payload::build(&message, &Payload::new(), 0x41f, &mut registers).unwrap();
        let header = encoded.descriptor.header().then(|| MessageHeader::from_register(&registers));
        assert_eq!(usize::from(encoded.registers), 1 + usize::from(header.is_some()));
        (encoded.descriptor.sampler(), header.map(|header| (header.control, header.pointer)))
    };
    let channels = |mask| Message { channels: Channels::new(mask), ..plain };
    for mask in [0b0001, 0b0011, 0b0111, 0b1111] {
        assert_eq!(header(channels(mask)), (0, None));
    }
    assert_eq!(header(channels(0b0101)), (0, Some((0xa000, 0x400))));
    assert_eq!(header(Message { offsets: [1, -1, -8], ..plain }), (0, Some((0x1f8, 0x400))));
    assert_eq!(header(Message { null_mask: true, ..plain }), (0, Some((1 << 23, 0x400))));
    let gather = Message { op: Op::Gather4, channels: Channels::new(2), ..plain };
    assert_eq!(header(gather), (0, None), "gathers return all channels");
    assert_eq!(header(Message { gather: 3, ..gather }), (0, Some((3 << 16, 0x400))));
    let sampler = |sampler| header(Message { sampler, ..plain });
    assert_eq!(sampler(Binding::Index(15)), (15, None));
    assert_eq!(sampler(Binding::Index(35)), (3, Some((0, 0x600))));
    assert_eq!(sampler(Binding::Bindless(0x1_2340)), (0, Some((0, 0x1_2341))));
    let read = |control| MessageHeader { control, pointer: 0 };
    assert!(read(1 << 22).simd4x2() && !read(!(1 << 22)).simd4x2() && !read(0).simd4x2());
    let why = SendInstruction::from_bytes(Platform::Gen11, &[0x41; 16]).unwrap_err();
    assert_eq!((why.kind(), why.what(), why.found()), (Kind::Unknown, What::Opcode, 0x41));
    assert!(read(1 << 23).null_mask() && !read(1 << 22).null_mask());
}

/// A header may be alone in the first block; if the first block is empty, it begins the second.
#[test]
fn blocks_of_a_split_message() {
    let registers: [u8; 96] = core::array::from_fn(|i| if i < 32 { 0 } else { i as u8 });
    let lower = |text: &str, payload| {
        let runtime = Runtime { payload, dispatch: 0xff, ..Runtime::default() };
        parse(text).lower(&runtime).map(|(message, params)| (message.params, params.slot(0), params.slot(1)))
    };
    let (header, params) = registers.split_at(32);
    let (first, second) = params.split_at(32);
    assert_eq!(lower("sends (8|M0) r20:w r10 r30 0x82 0x024A0103", [header, params]), Ok((2, first, second)));
    assert_eq!(
        lower("sends (8|M0) r20:w r10 r30 0xC2 0x000A0103", [&[], &registers]).map(|found| found.0),
        Ok(2)
    );
    let why = lower("sends (8|M0) r20:w r10 r30 0x82 0x024A0103", [header, first]).unwrap_err();
    assert_eq!((why.kind(), why.what(), why.found()), (Kind::Truncated, What::Payload, 96));
    // A parameter of two registers that begins in one block and ends in the other.
    let wide = [0; 128];
    let why = lower("sends (16|M0) r20:w r10 r30 0xC2 0x02840103", [&wide[..32], &wide[..96]]).unwrap_err();
    assert_eq!((why.kind(), why.what(), why.found()), (Kind::Unsupported, What::Payload, 32));
}

#[test]
fn small_accessors() {
    let word = parse("send (8|M0) r20 r10 0x2 0x02420103").encode().unwrap().to_bytes();
    let twice = [word, word].concat();
    let mut stream = Stream::new(Platform::Gen11, &twice);
    let first = stream.next().unwrap().unwrap();
    assert!((stream.offset(), first.len(), first.is_empty(), first.is_compacted()) == (16, 16, false, false));
    assert!(stream.next().unwrap().is_some() && stream.next().unwrap().is_none());
    assert_eq!(stream.offset(), 32);
    // sampleinfo has no parameters, but its message has a register.
    let info = |descriptor: &str| parse(&format!("send (8|M0) r20 r10 0x2 {descriptor}")).validate();
    assert!(info("0x0242B103").is_empty());
    assert!(info("0x0442B103").contains(GenRule::ParameterCount));
}

/// Indirect operands: a subregister of `a0` and a signed 10-bit offset, the positions of whose bits depend on the form.
#[test]
fn indirect_operands_in_text() {
    let word = |text: &str, clear: u64, lo: u64| {
        let word = parse(text).encode().unwrap();
        let word = Word { lo: word.lo & !clear | lo, ..word };
        let text = SendInstruction::decode(Platform::Gen11, word).unwrap().unwrap().to_string();
        text.split(" //").next().unwrap().to_string()
    };
    // Register number 0x2f is a0.2 and bits 8:5 of the offset all set.
    let plain = |bits: u64| word("send (8|M0) r47 r10 0x2 0x02420103", 3 << 61, 1 << 63 | bits);
    assert_eq!(plain(0), "send (8|M0) r[a0.2,480]<0> r10 0x2 0x02420103");
    assert_eq!(plain(1 << 47 | 0x11 << 48 | 2 << 61), "send (8|M0) r[a0.2,-15]<2> r10 0x2 0x02420103");
    assert_eq!(plain(0x1f << 48 | 3 << 61), "send (8|M0) r[a0.2,511]<4> r10 0x2 0x02420103");
    let source = |bits: u64| {
        let word = parse("send (8|M0) r20 r47 0x2 0x02420103").encode().unwrap();
        let word = Word { hi: word.hi | 1 << 15 | bits, ..word };
        let text = SendInstruction::decode(Platform::Gen11, word).unwrap().unwrap().to_string();
        text.split(" //").next().unwrap().to_string()
    };
    assert_eq!(source(0), "send (8|M0) r20 r[a0.2,480] 0x2 0x02420103");
    assert_eq!(source(1 << 4), "send (8|M0) r20 r[a0.2,496] 0x2 0x02420103");
    assert_eq!(source(1 << 31), "send (8|M0) r20 r[a0.2,-32] 0x2 0x02420103");
    let split = |bits: u64| word("sends (8|M0) r47:w r10 r30 0x42 0x02420103", 0, 1 << 63 | bits);
    assert_eq!(split(0), "sends (8|M0) r[a0.2,480]:w r10 r30 0x42 0x02420103");
    assert_eq!(split(1 << 52), "sends (8|M0) r[a0.2,496]:w r10 r30 0x42 0x02420103");
    assert_eq!(split(1 << 62), "sends (8|M0) r[a0.2,-32]:w r10 r30 0x42 0x02420103");
}

/// Text with indirect operands parses to bits that print as the same text; operands that the form cannot hold are refused at their column.
#[test]
fn indirect_operands_are_read() {
    for text in [
        "send (8|M0) r[a0.2,480]<0> r10 0x2 0x02420103",
        "send (8|M0) r[a0.2,-15]<2>:f r[a0.15,-512] 0x2 0x02420103",
        "send (8|M0) r[a0.0,511]<4> r10 0x2 0x02420103",
        "send (8|M0) r[a0.3] r[a0.1,16]:w 0x2 0x02420103",
        "sends (8|M0) r[a0.2,496]:w r[a0.1,-32] r30 0x42 0x02420103",
    ] {
        let send = parse(text);
        assert!(send.dst.indirect);
        let decoded = SendInstruction::decode(Platform::Gen11, send.encode().unwrap()).unwrap().unwrap();
        assert_eq!(decoded.to_string().split(" //").next(), Some(text));
        assert_eq!(decoded, send);
    }
    for (text, column) in [
        ("send (8|M0) r[a0.16] r10 0x2 0x02420103", 12),
        ("send (8|M0) r[a0.1,512] r10 0x2 0x02420103", 12),
        ("send (8|M0) r[a0.1]<3> r10 0x2 0x02420103", 12),
        ("send (8|M0) r20 r[a0.1,8] 0x2 0x02420103", 16),
        ("send (8|M0) r20 r[a0.1]<2> 0x2 0x02420103", 16),
        ("sends (8|M0) r[a0.1,8]:w r10 r30 0x42 0x02420103", 13),
        ("send (8|M0) r20 r[a1.1] 0x2 0x02420103", 16),
    ] {
        let why = assemble::parse(Platform::Gen11, text).unwrap_err();
        assert_eq!(
            (why.kind(), why.what(), why.offset()),
            (Kind::Unknown, What::Register, Some(column)),
            "{text}"
        );
    }
}

#[test]
fn registers_of_the_platforms() {
    let exists = |platform, text: &str| {
        let text = format!("sends (8|M0) {text} r10 r30 0x42 0x02420103");
        let unified = text.replace("sends", "send.smpl").replace("0x42", "0x40");
        let old = matches!(platform, Platform::Gen9 | Platform::Gen11);
        assemble::parse(platform, if old { &text } else { &unified }).is_ok()
    };
    use Platform::{Gen9, Gen11, XeHpg, XeLp};
    let platforms = [Gen9, Gen11, XeLp, XeHpg];
    for (register, expected) in [
        ("null", [true; 4]),
        ("sp", [true, true, true, false]),
        ("acc1", [true; 4]),
        ("acc2", [false, false, true, true]),
        ("mme7", [true; 4]),
        ("mme8", [false; 4]),
        ("fc4", [true, true, false, false]),
        ("fc3", [true; 4]),
        ("cr1", [false; 4]),
        ("null0", [false; 4]),
        ("sr", [false; 4]),
    ] {
        assert_eq!(platforms.map(|platform| exists(platform, register)), expected, "{register}");
    }
}

#[test]
fn common_flags() {
    let common = |platform, lo| Instruction::new(platform, Word { lo, hi: 0 }, 0).common().unwrap();
    // mov (8|M0): access mode, accumulator write, breakpoint.
    let mov = 0x01 | 3 << 21;
    let flags = |platform, lo| {
        let found = common(platform, lo);
        (found.align16, found.accumulator_write, found.breakpoint)
    };
    assert_eq!(flags(Platform::Gen9, mov | 1 << 8), (true, false, false));
    assert_eq!(flags(Platform::Gen11, mov | 1 << 8), (false, false, false));
    assert_eq!(flags(Platform::Gen9, mov | 1 << 28), (false, true, false));
    assert_eq!(flags(Platform::Gen11, mov | 1 << 30), (false, false, true));
    // Compacted: bit 7 is the breakpoint, 23 the accumulator write, 27:24 the condition.
    let compacted = 0x01 | 1 << 29;
    assert_eq!(flags(Platform::Gen11, compacted), (false, false, false));
    assert_eq!(flags(Platform::Gen11, compacted | 1 << 7), (false, false, true));
    assert_eq!(flags(Platform::Gen11, compacted | 1 << 23), (false, true, false));
    let condition = |lo| common(Platform::Gen11, lo).condition.map(|found| found.0);
    assert_eq!([condition(compacted | 5 << 24), condition(compacted)], [Some(5), Some(0)]);
}

#[test]
fn descriptor_bit_31() {
    let broken = |descriptor: &str| {
        let text = format!("send.smpl (8|M0) r20 r10 null 0x0 {descriptor}");
        assemble::parse(Platform::XeLp, &text).unwrap().validate().contains(GenRule::DescriptorBit31)
    };
    assert!(broken("0x82420103") && !broken("0x02420103"));
    // If the descriptor is in a0, the number of the address register is where an immediate descriptor has bits.
    assert!(parse("send (8|M0) r20 r10 0x2 a0.0").validate().is_empty());
}

/// Each option of Gen9 and Gen11 sets its bits, and is printed again after decoding.
#[test]
fn options_are_bits() {
    let plain = |platform, options: &str| {
        let text = format!("send (8|M0) r20 r10 0x2 0x02420103{options}");
        let send = assemble::parse(platform, &text).unwrap();
        let word = send.encode().unwrap();
        assert_eq!(SendInstruction::decode(platform, word), Ok(Some(send)));
        assert!(send.to_string().starts_with(&text), "{text} comes back as {send}");
        word
    };
    let none = plain(Platform::Gen9, "");
    for (platform, options, lo) in [
        (Platform::Gen9, " {Atomic}", 1 << 14),
        (Platform::Gen9, " {Switch}", 2 << 14),
        (Platform::Gen11, " {NoPreempt}", 3 << 14),
        (Platform::Gen11, " {Breakpoint}", 1 << 30),
        (Platform::Gen9, " {NoSrcDepSet}", 1 << 28),
        (Platform::Gen9, " {Atomic,Breakpoint,NoSrcDepSet}", 1 << 14 | 1 << 28 | 1 << 30),
    ] {
        let word = plain(platform, options);
        assert_eq!((word.lo, word.hi), (none.lo | lo, none.hi), "{options}");
    }
}

/// Channel offsets are multiples of 4 below 32.
#[test]
fn channel_offsets_end_before_32() {
    let offset = |offset: u8| {
        assemble::parse(Platform::Gen11, &format!("send (4|M{offset}) r20 r10 0x2 0x02420103"))
            .map(|send| send.execution.offset)
            .map_err(|why| (why.what(), why.offset()))
    };
    assert_eq!((offset(0), offset(28)), (Ok(0), Ok(28)));
    assert_eq!([offset(2), offset(32), offset(36)], [Err((What::ExecSize, Some(6))); 3]);
}

/// The mode for a number of lanes and a parameter width has this shape.
#[test]
fn modes_of_messages() {
    for (lanes, width) in [(8, Width::Full), (16, Width::Full), (8, Width::Half), (16, Width::Half)] {
        let mode = SimdMode::of(lanes, width).unwrap();
        assert_eq!(mode.shape(Platform::Gen11), Some((lanes, width)));
    }
    assert_eq!((SimdMode::of(32, Width::Full), SimdMode::of(4, Width::Half)), (None, None));
}

/// A value that a field cannot hold is reported at the field's last piece.
#[test]
fn fields_that_are_too_small() {
    let bit = |platform, text: &str| {
        let why = assemble::parse(platform, text).unwrap_err();
        assert_eq!((why.kind(), why.what()), (Kind::Invalid, What::FieldValue), "{text}");
        (why.bit_offset(), why.found())
    };
    let gen11 = |text| bit(Platform::Gen11, text);
    assert_eq!(gen11("send (8|M0) r20 r10 0x42 0x1"), (Some(91), 0x40));
    assert_eq!(gen11("sends (8|M0) r20 r10 r30 0x402 0x1"), (Some(80), 0x400));
    assert_eq!(gen11("send (8|M0) r20 r10 0x2 0x80000000"), (Some(96), 0x8000_0000));
}

/// Three sources, compacted: bits 9:8 choose execution size, channel offset and NoMask.
#[test]
fn compacted_of_three_sources() {
    let mad = |lo: u64| {
        let word = Word { lo: 0x5b | 1 << 29 | lo, hi: 0 };
        let found = Instruction::new(Platform::Gen9, word, 0).common().unwrap();
        assert_eq!((found.operation.name(), found.align16), ("mad", true));
        let float = Some(OperandKind { file: crate::enums::RegFile::GRF, data_type: Some(DataType::F) });
        assert_eq!([found.dst, found.src0, found.src1, found.src2], [float; 4]);
        (found.execution.size, found.execution.offset, found.execution.no_mask, found.saturate)
    };
    assert_eq!(mad(0), (8, 0, true, false));
    assert_eq!(mad(1 << 8), (8, 0, false, false));
    assert_eq!(mad(2 << 8 | 1 << 31), (16, 0, false, true));
    assert_eq!(mad(3 << 8), (16, 16, false, false));
}

/// A response has four channels of two registers, and the pixel null mask only if there is a header, which can request it.
#[test]
fn response_lengths_with_null_mask() {
    let fits = |descriptor: &str| {
        !parse(&format!("send (16|M0) r20 r10 0x2 {descriptor}")).validate().contains(GenRule::ResponseLength)
    };
    assert!(fits("0x068C0103") && fits("0x069C0103") && fits("0x067C0103"));
    assert!(!fits("0x06AC0103") && !fits("0x06BC0103"));
    assert!(fits("0x04840103") && !fits("0x04940103") && !fits("0x04740103"));
    // A gather4 returns four channels or nothing.
    assert!(fits("0x04848103") && fits("0x04008103") && !fits("0x04648103"));
}

/// Scoreboard codes of each platform; only Xe-HPG has codes for distance 0 of a pipe (0x08 is distance 8 on Xe-LP).
#[test]
fn scoreboard_codes() {
    let decodes = |platform, code: u64| {
        let word =
            assemble::parse(platform, "send.smpl (8|M0) r20 r10 null 0x0 0x02420103").unwrap().encode();
        let word = word.unwrap();
        SendInstruction::decode(platform, Word { lo: word.lo | code << 8, ..word }).map(|send| send.is_some())
    };
    for code in [0x08, 0x10, 0x18, 0x50] {
        assert_eq!(decodes(Platform::XeHpg, code), Ok(true), "{code:#x}");
        let why = decodes(Platform::XeLp, code);
        assert_eq!(
            why.map_err(|why| why.what()),
            if code == 0x08 { Ok(true) } else { Err(What::Scoreboard) }
        );
    }
    assert_eq!(
        (decodes(Platform::XeLp, 0x11).is_ok(), decodes(Platform::XeHpg, 0x11).is_ok()),
        (false, true)
    );
    assert_eq!((decodes(Platform::XeLp, 0x80).is_ok(), decodes(Platform::XeHpg, 0xff).is_ok()), (true, true));
}

/// The register of an extended descriptor has 4 bits for the length of the second block on Gen9 and Gen11, and 5 on Gen12.
#[test]
fn length_of_a_block_in_a_register() {
    let second_block = |platform, text| assemble::parse(platform, text).unwrap().second_block(u32::MAX);
    assert_eq!(second_block(Platform::Gen9, "sends (8|M0) r20 r10 r30 a0.2 a0.0"), 15);
    assert_eq!(second_block(Platform::Gen11, "sends (8|M0) r20 r10 r30 a0.2 a0.0"), 15);
    assert_eq!(second_block(Platform::XeLp, "send.smpl (8|M0) r20 r10 r30 a0.2 a0.0"), 31);
    assert_eq!(second_block(Platform::Gen11, "sends (8|M0) r20 r10 null a0.2 a0.0"), 0);
    assert_eq!(second_block(Platform::Gen11, "sends (8|M0) r20 r10 r30 0x82 a0.0"), 2);
    assert_eq!(second_block(Platform::Gen11, "send (8|M0) r20 r10 0x2 a0.0"), 0);
}

/// With ExBSO the length of the second block is in the instruction although the extended descriptor is in a register.
#[test]
fn length_of_a_block_beside_a_register() {
    let send = assemble::parse(Platform::XeHpg, "send.smpl (8|M0) r20 r10 r30 a0.2 a0.0").unwrap();
    assert_eq!((send.xlen(), send.ex_bso()), (None, false));
    let word = send.encode().unwrap();
    let set = Word { lo: word.lo | 1 << 39, hi: word.hi | 3 << 35 };
    let send = SendInstruction::decode(Platform::XeHpg, set).unwrap().unwrap();
    assert_eq!((send.xlen(), send.ex_bso()), (Some(3), true));
    let text = "send.smpl (8|M0) r20 r10 r30:3 a0.2 a0.0 {ExBSO}";
    assert!(send.to_string().starts_with(text), "{send}");
    assert_eq!(assemble::parse(Platform::XeHpg, text), Ok(send));
    // Without ExBSO the length is in the register; only Xe-HPG has ExBSO, and only beside a register.
    let error = |platform, text| assemble::parse(platform, text).map_err(|why| (why.what(), why.offset()));
    let plain = "send.smpl (8|M0) r20 r10 r30:3 a0.2 a0.0";
    assert_eq!(error(Platform::XeHpg, plain), Err((What::MessageLength, Some(25))));
    assert_eq!(error(Platform::XeLp, text), Err((What::Option, Some(42))));
    let immediate = "send.smpl (8|M0) r20 r10 r30:3 0x0 a0.0 {ExBSO}";
    assert_eq!(error(Platform::XeHpg, immediate), Err((What::Option, Some(41))));
}
