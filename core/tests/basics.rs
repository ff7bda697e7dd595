//! The basic types that all modules use: bits, bytes, errors, platforms, rules, messages.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

use texwire::bits::{Reader, get, get128, mask, put, put128, sign_extend};
use texwire::enums::{DataType, Enumeration, QtrCtrl, SurfaceFormat};
use texwire::memory::{Access, LinearMemory, Memory};
use texwire::message::{Binding, Channels, MAX_PARAMS, Param, Payload, Width};
use texwire::rules::{Rule as _, Violations};
use texwire::txq::TxqRule;
use texwire::{Error, Kind, Message, Op, Platform, What};

#[test]
fn fields_of_words() {
    assert_eq!((mask(0), mask(1), mask(63), mask(64), mask(65)), (0, 1, u64::MAX >> 1, u64::MAX, u64::MAX));
    assert_eq!((get(0xfedc, 4, 8), get(0xfedc, 0, 0), get(u64::MAX, 60, 8), get(1, 64, 1)), (0xed, 0, 15, 0));
    assert_eq!((put(0xffff, 4, 8, 0x3a5), put(7, 64, 1, 1), put(0, 63, 4, 15)), (0xfa5f, 7, 1 << 63));
    let word = 0x0123_4567_89ab_cdef_0011_2233_4455_6677_u128;
    assert_eq!((get128(word, 60, 12), get128(word, 127, 9), get128(word, 128, 4)), (0xef0, 0, 0));
    assert_eq!(put128(word, 64, 8, 0x1ff), word | 0xff << 64);
    assert_eq!(put128(word, 60, 8, 0), word & !(0xff << 60));
    assert_eq!((put128(word, 128, 8, 1), put128(0, 127, 8, 0xff)), (word, 1 << 127));
    assert_eq!(
        (sign_extend(8, 4), sign_extend(7, 4), sign_extend(0xf7, 4), sign_extend(1, 1)),
        (-8, 7, 7, -1)
    );
    assert_eq!((sign_extend(u32::MAX, 32), sign_extend(u32::MAX, 0), sign_extend(5, 33)), (-1, -1, 5));
}

#[test]
fn readers_stop_at_the_end() {
    let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    let mut reader = Reader::at(&bytes, 1);
    assert_eq!((reader.u16(What::Texel), reader.u32(What::Texel)), (Ok(0x0302), Ok(0x0706_0504)));
    assert_eq!(reader.u64(What::Texel), Err(Error::truncated(What::Texel, 7, 8)));
    assert_eq!(reader.bytes(3, What::Slot), Err(Error::truncated(What::Slot, 7, 3)));
    assert_eq!((reader.offset(), reader.rest(), reader.u8(What::Slot)), (7, &[8, 9][..], Ok(8)));
    assert_eq!((reader.bytes(1, What::Slot), reader.u8(What::Slot).is_err()), (Ok(&[9][..]), true));
    assert_eq!(Reader::new(&bytes).u64(What::Slot), Ok(0x0807_0605_0403_0201));
    assert_eq!((Reader::at(&bytes, 99).offset(), Reader::at(&bytes, 9).rest().len()), (9, 0));
}

#[test]
fn errors_say_what_where_and_why() {
    let text = |error: Error| error.to_string();
    assert_eq!(text(Error::truncated(What::Texel, 0x1f, 4)), "truncated texel, 4 bytes needed at byte 0x1f");
    assert_eq!(
        text(Error::new(Kind::Fault, What::Texel).value(0x1000)),
        "memory fault: texel address 0x1000"
    );
    let small = Error::new(Kind::Capacity, What::Slot).value(9);
    assert_eq!(text(small), "buffer too small: slot, 9 slots needed");
    let small_in = |what| text(Error::new(Kind::Capacity, what).value(17));
    assert_eq!(small_in(What::Taps), "buffer too small: texels of a lane, 17 texels needed");
    assert_eq!(small_in(What::ReplayRegions), "buffer too small: replay memory regions, 17 regions needed");
    assert_eq!(small_in(What::Writeback), "buffer too small: writeback, 17 bytes needed");
    let field = Error::new(Kind::Unsupported, What::CubeSize).at(8).bit(13).value(0x20);
    assert_eq!(text(field), "not supported: height of a cube 0x20 at byte 0x8 bit 13 (expected its width)");
    assert_eq!((field.offset(), field.bit_offset(), field.found()), (Some(8), Some(13), 0x20));
    assert_eq!((small.offset(), small.bit_offset()), (None, None));
    assert_eq!((small.offset_by(5).offset(), field.offset_by(5).offset()), (Some(5), Some(13)));
    // The largest offset that an error can report differs from the mark for no offset.
    let far = Error::new(Kind::Invalid, What::Slot).at(usize::MAX);
    assert_eq!(
        (far.offset(), far.offset_by(1).offset()),
        (Some(u32::MAX as usize - 1), Some(u32::MAX as usize - 1))
    );
}

#[test]
fn platforms_by_name_and_code() {
    let names: Vec<_> = Platform::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["gen9", "gen11", "xe-lp", "xe-hpg", "xe-hpc", "xe2", "maxwell", "pascal"]);
    assert_eq!(Platform::ALL.map(Platform::register_bytes), [32, 32, 32, 32, 64, 64, 4, 4]);
    assert_eq!(Platform::ALL.map(Platform::trace_code), [9, 11, 12, 12, 12, 12, 50, 60]);
    let known: Vec<_> = (0..=255)
        .filter_map(|code| Platform::from_trace_code(code).map(|platform| (code, platform)))
        .collect();
    use Platform::{Gen9, Gen11, Maxwell, Pascal, XeLp};
    let expected = [
        (9, Gen9),
        (11, Gen11),
        (12, XeLp),
        (50, Maxwell),
        (51, Maxwell),
        (52, Maxwell),
        (53, Maxwell),
        (60, Pascal),
        (61, Pascal),
        (62, Pascal),
    ];
    assert_eq!(known, expected);
}

#[test]
fn sets_of_rules() {
    let mut found = Violations::<TxqRule>::NONE;
    assert!(found.is_empty() && found.next().is_none());
    found.add(TxqRule::RaIsRz, true);
    found.add(TxqRule::RdAlignment, false);
    found.add(TxqRule::Phase, true);
    assert!(found.contains(TxqRule::RaIsRz) && !found.contains(TxqRule::RdAlignment) && !found.is_empty());
    assert_eq!(format!("{found:?}"), format!("{:?}", found.map(TxqRule::name).collect::<Vec<_>>()));
    assert_eq!(found.count(), 2);
    for (index, rule) in TxqRule::ALL.iter().enumerate() {
        assert_eq!(rule.index() as usize, index);
        assert!(!rule.text().is_empty() && rule.name().bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
    }
}

#[test]
fn channels_are_letters() {
    assert_eq!(format!("{:?} {:?}", Channels::default(), Channels::new(0xf5)), "RGBA RB");
    let red_blue = Channels::new(0b0101);
    assert_eq!(
        (red_blue.count(), red_blue.contains(2), red_blue.contains(1), red_blue.contains(4)),
        (2, true, false, false)
    );
    assert_eq!(
        (Binding::default(), Width::default().bytes(), Width::Half.bytes()),
        (Binding::Index(0), 4, 2)
    );
}

#[test]
fn payloads_by_parameter() {
    let bytes: Vec<u8> = (0..96).collect();
    let payload = Payload::split([&bytes[..32], &bytes[32..]], 32, 3).unwrap();
    let mut message = Message::new(Op::SampleL);
    message.params = 3;
    assert!((payload.len(), payload.is_empty(), Payload::new().is_empty()) == (3, false, true));
    // sample_l: LOD, U, V, R, array index.
    assert_eq!(payload.param(&message, Param::V), Some(&bytes[64..96]));
    assert_eq!(payload.param(&message, Param::R), None);
    assert_eq!(payload.slot(3), []);
    let why = Payload::split([&bytes[..32], &bytes[32..]], 33, 1).unwrap_err();
    assert_eq!(
        (why.kind(), why.what(), why.offset(), why.found()),
        (Kind::Truncated, What::Payload, Some(0), 33)
    );
    let why = Payload::split([&bytes[..32], &bytes[..31]], 32, 2).unwrap_err();
    assert_eq!(why.offset(), Some(32));
    assert!(Payload::split([&bytes, &[]], 8, MAX_PARAMS).is_ok());
    let why = Payload::split([&bytes, &[]], 4, MAX_PARAMS + 1).unwrap_err();
    assert_eq!((why.kind(), why.found()), (Kind::Invalid, MAX_PARAMS as u64 + 1));
}

#[test]
fn responses_are_whole_registers() {
    let response = |simd, width, register, null_mask| {
        let mut message = Message::new(Op::Sample);
        (message.simd, message.return_width, message.register_bytes) = (simd, width, register);
        (message.channels, message.null_mask) = (Channels::new(0b0111), null_mask);
        let response = message.response();
        (response.stride, response.null_mask, response.len, response.registers(register))
    };
    assert_eq!(response(8, Width::Full, 32, false), (32, None, 96, 3));
    assert_eq!(response(8, Width::Half, 32, true), (32, Some(96), 128, 4));
    assert_eq!(response(16, Width::Full, 64, true), (64, Some(192), 256, 4));
    assert_eq!(response(8, Width::Full, 64, false), (64, None, 192, 3));
    // SIMD sizes that no message has are clamped to sizes that a message can have.
    assert_eq!(response(0, Width::Full, 32, false), (32, None, 96, 3));
    assert_eq!(response(33, Width::Full, 32, false), (128, None, 384, 12));
}

#[test]
fn enumerations() {
    assert_eq!(SurfaceFormat::R8G8B8A8_UNORM.name(), Some("R8G8B8A8_UNORM"));
    assert_eq!(SurfaceFormat::from_name("R8G8B8A8_UNORM").map(|format| format.raw()), Some(0x0c7));
    let unorm = SurfaceFormat::R8G8B8A8_UNORM;
    assert!(unorm.meaning().is_some_and(|text| !text.is_empty()) && !unorm.is_reserved());
    let undefined = SurfaceFormat::from_raw(0x1fe).unwrap();
    assert_eq!((undefined.name(), undefined.meaning(), undefined.is_reserved()), (None, None, true));
    assert_eq!((SurfaceFormat::from_raw(0x200), SurfaceFormat::from_name("")), (None, None));
}

/// A quarter has eight channels, half a quarter has four.
#[test]
fn quarters_of_a_thread() {
    let first = |quarter, channels, half| QtrCtrl::from_raw(quarter).unwrap().first_channel(channels, half);
    assert_eq!(
        [first(0, 8, false), first(1, 8, false), first(2, 16, false), first(3, 8, true)],
        [0, 8, 16, 24]
    );
    assert_eq!(
        [first(0, 4, true), first(3, 4, false), first(3, 4, true), first(1, 2, true)],
        [4, 24, 28, 12]
    );
    let named =
        |quarter, channels, half| QtrCtrl::from_raw(quarter).unwrap().in_exec_size(channels, half).is_some();
    assert!(named(0, 4, false) && named(0, 4, true) && named(1, 8, false) && named(2, 16, false));
    assert!(!named(0, 2, false) && !named(0, 8, true) && !named(0, 32, false));
}

#[test]
fn memory_behind_a_reference() {
    let memory = &&LinearMemory { base: 0x100, bytes: &[1, 2, 3, 4] };
    let mut out = [0; 2];
    assert_eq!((memory.read(0x102, &mut out), out), (Access::Mapped, [3, 4]));
    assert_eq!((memory.read(0x103, &mut out), memory.read(0xff, &mut out)), (Access::Fault, Access::Fault));
    assert_eq!((memory.slice(0x101, 3), memory.slice(0x101, 4)), (Some(&[2, 3, 4][..]), None));
}

#[test]
fn types_and_operations() {
    let bits = [DataType::Ub, DataType::Hf, DataType::F, DataType::Vf, DataType::Uq, DataType::Nf]
        .map(DataType::bits);
    assert_eq!(bits, [8, 16, 32, 32, 64, 66]);
    // The LOD comes from the quad's coordinates, with a bias or without.
    let quad = [Op::Sample, Op::SampleB, Op::SampleC, Op::Lod, Op::SampleKillpix];
    assert!(quad.into_iter().all(Op::needs_quad));
    let alone = [Op::SampleL, Op::SampleLz, Op::SampleD, Op::Ld, Op::Resinfo, Op::Gather4];
    assert!(!alone.into_iter().any(Op::needs_quad));
}

/// The sRGB code 188 of 255 is about half the light; without sRGB decoding it is the plain fraction.
#[test]
fn srgb_decoding_can_be_left_out() {
    let codec = texwire::format::FormatDecoder::new(SurfaceFormat::R8G8B8A8_UNORM_SRGB).unwrap();
    let red =
        |codec: texwire::format::FormatDecoder<'_>| f32::from_bits(codec.decode(&[188, 0, 0, 255], 0, 0)[0]);
    assert!((red(codec) - 0.5).abs() < 0.005);
    assert_eq!(red(codec.without_srgb()), 188.0 / 255.0);
}

/// Parameters can be appended to a payload that was split, and the present ones stay as they were.
#[test]
fn payloads_grow() {
    let (first, second, third) = ([1_u8; 64], [2_u8; 32], [3_u8; 8]);
    let mut payload = Payload::split([&first, &second], 32, 3).unwrap();
    payload.push(&third).unwrap();
    let slots: Vec<&[u8]> = (0..6).map(|index| payload.slot(index)).collect();
    assert_eq!(slots, [&first[..32], &first[32..], &second, &third, &[], &[]]);
    assert_eq!((payload.len(), Payload::default().is_empty()), (4, true));
    while payload.len() < MAX_PARAMS {
        payload.push(&third).unwrap();
    }
    let full = payload.push(&third).unwrap_err();
    assert_eq!((full.kind(), full.what(), payload.len()), (Kind::Invalid, What::ParameterCount, MAX_PARAMS));
    assert_eq!(full.found(), MAX_PARAMS as u64 + 1);
    assert_eq!(payload.slot(2), second);
}

/// Parameters far past the last one are empty, too, although the position of their bytes would wrap around.
#[test]
fn parameters_that_were_not_given_are_empty() {
    let payload = Payload::split([&[1; 64], &[]], 32, 2).unwrap();
    for index in [2, usize::MAX / 32 + 1, usize::MAX] {
        assert_eq!(payload.slot(index), [], "{index}");
    }
}

/// Operations that read no texels take no texel offsets.
#[test]
fn queries_take_no_offsets() {
    use texwire::message::LodSource;
    for op in Op::ALL.iter().map(|op| op.flags()).filter(|flags| flags.lod == LodSource::None) {
        assert!(!op.offsets && !op.sampler && !op.compare && !op.gather);
    }
    assert!(Op::Ld.flags().offsets && Op::Sample.flags().offsets && !Op::Lod.flags().offsets);
}

/// Broken rules are counted, listed in order, and printed one per line.
#[test]
fn violations_are_an_iterator_and_text() {
    use texwire::rules::Rule;
    use texwire::state::{Filter, MipFilter, SamplerRule, SamplerState};
    let mut state = SamplerState::default();
    assert_eq!(state.validate(Platform::Gen11).to_string(), "");
    state.set_mip_filter(MipFilter::Reserved(2)).set_mag_filter(Filter::Reserved(3));
    let mut broken = state.validate(Platform::Gen11);
    assert_eq!(broken.len(), 2);
    assert!(broken.contains(SamplerRule::Filter) && broken.contains(SamplerRule::MipFilter));
    let text = broken.to_string();
    assert_eq!(text.lines().count(), 2);
    assert_eq!(text.lines().nth(1), Some("mip-filter-reserved: Mip filter 2 is reserved."));
    assert_eq!(broken.next().map(Rule::name), Some("filter-reserved"));
    assert_eq!((broken.next(), broken.next(), broken.next()), (Some(SamplerRule::MipFilter), None, None));
    assert_eq!((Filter::Anisotropic.name(), Filter::Nearest.text()), ("Anisotropic", "The nearest texel."));
}
