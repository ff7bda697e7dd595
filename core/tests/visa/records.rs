//! Texel offsets from registers, trace records, media instructions.

use crate::{Table, V4, bytes};
use texwire::message::{Op, Width};
use texwire::trace::{Record, VisaRecord};
use texwire::visa::{
    Anonymous, MAX_SAMPLER_BYTES, MediaInstruction, RawOperand, Registers, Runtime, SamplerInstruction, Type,
    Version, VisaInstruction, VisaRule,
};
use texwire::{Kind, Platform as Gpu, What};

/// Registers in which every variable but 99 has the bytes 0 to 255, and address variable 1 points at byte 100.
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
        let sampler = SamplerInstruction::decode(&bytes, V4).unwrap();
        let lowered = sampler.lower_registers(Gpu::Gen11, 0xff, &Table, &thread);
        lowered.map(|(message, _)| message.offsets).map_err(|why| (why.kind(), why.what()))
    };
    // Offsets are signed nibbles: 11..8 U, 7..4 V, 3..0 R.
    assert_eq!(lowered("0x7f1:uw"), Ok([7, -1, 1]));
    // Row 1 of 32 bytes, element 2 of doublewords: bytes 40 and 41, 0x2928.
    assert_eq!(lowered("V0038(1,2)<0;1,0>"), Ok([-7, 2, -8]));
    // A variable of bytes: only the byte 0x21 is read.
    assert_eq!(lowered("V0036(1,1)<0;1,0>"), Ok([0, 2, 1]));
    // Bytes 103 and 104 (100 + element 1 + 2 bytes), 0x6867.
    assert_eq!(lowered("r[A1(1),2]<0;1,0>:uw"), Ok([-8, 6, 7]));
    assert_eq!(lowered("r[A2(1),2]<0;1,0>:uw"), Err((Kind::Invalid, What::Registers)));
    assert_eq!(lowered("V0099(0,0)<0;1,0>"), Err((Kind::Invalid, What::Registers)));
    assert_eq!(lowered("A0(0)<1>"), Err((Kind::Unsupported, What::VectorOperand)));
    let line = |params: &str| {
        let bytes = bytes(&format!("sample_3d.R (M1, 8) 0x0:uw S0 T6 V0040.0 {params}"), V4);
        let lowered = SamplerInstruction::decode(&bytes, V4).unwrap();
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
        let sampler = SamplerInstruction::decode(&bytes, V4).unwrap();
        sampler.destination(&sampler.lower(&Runtime::new(Gpu::Gen11)).unwrap())
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

/// gather4 has a channel number where other operations have a channel mask.
#[test]
fn gathers_name_a_channel() {
    for (number, letter) in (0..).zip(["R", "G", "B", "A"]) {
        let bytes = bytes(&format!("sample4.{letter} (M1, 8) 0x0:uw S0 T6 V0040.0 V0032.0 V0033.0"), V4);
        let message =
            SamplerInstruction::decode(&bytes, V4).unwrap().lower(&Runtime::new(Gpu::Gen11)).unwrap();
        assert_eq!((message.op, message.gather), (Op::Gather4, number));
    }
}

/// The length of a sampler instruction is the number of bytes that were assembled, in every version.
#[test]
fn lengths_by_version() {
    for version in [Version::new(3, 0), Version::new(3, 3), Version::new(3, 4), Version::new(3, 6), V4] {
        let line = "(P1) sample_3d.R (M1, 8) 0x0:uw S0 T6 V0040.0 V0032.0 V0033.0";
        let bytes = bytes(line, version);
        let more = [&bytes[..], &[0x7f; 9]].concat();
        assert_eq!(VisaInstruction::first(&more, version).unwrap().bytes(), bytes, "{version:?}");
    }
}

/// The width of the parameters is a flag of the record's frame.
#[test]
fn records_of_halves_say_so() {
    for half in [false, true] {
        let record = Record::Visa(VisaRecord { half, ..record(&[1, 2], &[3, 4]) });
        assert_eq!(record.flags(), u8::from(half));
    }
}

/// Media `sample` and `load`, which have mode, sampler (only `sample`), surface, U, V, R and destination.
#[test]
fn media_records() {
    let coordinates: Vec<u8> = (0..96).collect();
    let sample = bytes("sample.RB (8) S3 T7 V0032.0 V0033.0 V0034.0 V0040.0", V4);
    assert_eq!(sample[..4], [0x40, 5, 3, 7]);
    let (message, payload) = record(&sample, &coordinates).lower(Gpu::Gen9).unwrap();
    assert_eq!((message.op, message.simd, message.lanes, message.params), (Op::Sample, 8, 0xcd, 3));
    assert_eq!(
        (message.channels.mask(), payload.slot(1), payload.slot(2)),
        (5, &coordinates[32..64], &coordinates[64..])
    );
    let load = bytes("load.G (16) T7 V0032.0 V0033.0 V0034.0 V0040.0", V4);
    assert_eq!(load[..3], [0x42, 0x12, 7]);
    let twice = coordinates.repeat(2);
    let (message, payload) = record(&load, &twice).lower(Gpu::Gen9).unwrap();
    assert_eq!(
        (message.op, message.simd, message.lanes, payload.slot(2)),
        (Op::LdLz, 16, 0xabcd, &twice[128..])
    );
    let why = record(&load, &twice[1..]).lower(Gpu::Gen9).unwrap_err();
    assert_eq!((why.kind(), why.what()), (Kind::Truncated, What::Payload));
    let error = |instruction: &[u8]| {
        let why = record(instruction, &twice).lower(Gpu::Gen9).unwrap_err();
        (why.kind(), why.what(), why.found())
    };
    let spoiled = |mode| [&[0x40, mode], &sample[2..]].concat();
    assert_eq!(error(&spoiled(0x10)), (Kind::Invalid, What::ChannelMask, 0));
    assert_eq!(error(&spoiled(0x21)), (Kind::Invalid, What::ExecSize, 2));
    let unorm = bytes("sample_unorm.R.8-full S3 T7 0x0:f 0x0:f 0x0:f 0x0:f V0040.0", V4);
    assert_eq!(unorm[..4], [0x41, 0x21, 3, 7]);
    assert_eq!(error(&unorm), (Kind::Unsupported, What::Opcode, 0x41));
    // `add` is neither a sampler nor a media instruction.
    let add = [1, 0, 0, 0, 5, 1, 0, 0, 0, 0, 5, 1, 0, 0, 0, 0, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(error(&add), (Kind::Unsupported, What::Opcode, 1));
    let typed = VisaRecord { dst_type: Type::Df.code(), ..record(&sample, &coordinates) };
    let why = typed.lower(Gpu::Gen9).unwrap_err();
    assert_eq!(
        (why.kind(), why.what(), why.found()),
        (Kind::Invalid, What::ElementType, Type::Df.code().into())
    );
    let why = record(&sample, &coordinates).lower(Gpu::Maxwell).unwrap_err();
    assert_eq!((why.kind(), why.what()), (Kind::NotOnPlatform, What::Instruction));
}

#[test]
fn media_fields_and_rules() {
    use VisaRule::*;
    let cases: &[(&str, &[VisaRule])] = &[
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
        let media = MediaInstruction::decode(&whole, V4).unwrap();
        assert_eq!(media.validate(Gpu::Gen9, &Table).collect::<Vec<_>>(), *rules, "{text}");
        assert_eq!(media.display(&Anonymous).to_string(), *text);
        assert_eq!(media.bytes(), whole);
        assert_eq!(media.raw("dst"), Some(RawOperand { index: 40, offset: 0 }));
        assert_eq!((media.raw("surface"), media.byte("dst")), (None, None));
        let mut again = [0; MAX_SAMPLER_BYTES];
        let len = media.encode(&mut again).unwrap();
        assert_eq!(again[..len], whole);
        assert!(media.validate(Gpu::Pascal, &Table).contains(Platform));
    }
    let spoiled = |text: &str, at: usize, value: u8| {
        let mut whole = bytes(text, V4);
        whole[at] = value;
        MediaInstruction::decode(&whole, V4).unwrap().validate(Gpu::Gen9, &Table).collect::<Vec<_>>()
    };
    let (sample, unorm) = (cases[0].0, cases[5].0);
    assert_eq!(spoiled(sample, 1, 0x10), [MediaMode]);
    assert_eq!(spoiled(sample, 1, 0x21), [MediaMode]);
    assert_eq!(spoiled(unorm, 1, 0x10), [MediaMode]);
    let why = MediaInstruction::decode(&[0x44, 8, 0], V4).unwrap_err();
    assert_eq!(
        (why.kind(), why.what(), why.offset(), why.found()),
        (Kind::Unknown, What::SubOperation, Some(1), 8)
    );
    let why = MediaInstruction::decode(&[0x45, 8, 0], V4).unwrap_err();
    assert_eq!(
        (why.kind(), why.what(), why.offset(), why.found()),
        (Kind::Unknown, What::Opcode, Some(0), 0x45)
    );
    let instruction = VisaInstruction::first(&bytes(sample, V4), V4).map(|found| found.opcode());
    assert_eq!(instruction, Ok(0x40));
}

/// Control and execution mode of avs have two bits.
#[test]
fn avs_control() {
    let avs = |control: u8, mode: u8| {
        let text = format!(
            "avs.R S0 T6 0x0:f 0x0:f 0x0:f 0x0:f 0x0:f 0x0:ud 0x0:ud {control} 0x0:f {mode} 0x0:ud V0040.0"
        );
        let whole = bytes(&text, V4);
        let media = MediaInstruction::decode(&whole, V4).unwrap();
        assert_eq!(media.display(&Anonymous).to_string(), text);
        media.validate(Gpu::Gen9, &Table).collect::<Vec<_>>()
    };
    assert_eq!(avs(3, 3), []);
    assert_eq!(avs(4, 3), [VisaRule::MediaControl]);
    assert_eq!(avs(0, 4), [VisaRule::MediaControl]);
}
