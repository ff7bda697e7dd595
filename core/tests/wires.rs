//! TXQ text and traces: cases that the unit tests of the wires do not cover.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

use texwire::state::nv::{Class, NvField, NvLayout, TextureHeader};
use texwire::trace::{
    Counts, Decoder, Event, Frame, FrameFault, KINDS, MAX_FRAME, OVERHEAD, Record, RecordKind, Writer,
    encoded_len,
};
use texwire::txq::{
    Guard, Phase, Query, STANDARD_16, SchedulingControl, Txq, TxqFields, sample_positions, samples,
};
use texwire::{Error, Kind, Op, What};

#[test]
fn guards_and_queries_print() {
    let guard = |predicate, negate| Guard { predicate, negate }.to_string();
    assert_eq!(
        [guard(7, false), guard(7, true), guard(0, false), guard(6, true)],
        ["", "@!PT", "@P0", "@!P6"]
    );
    assert_eq!(Query::DIMENSION.to_string(), "TEX_HEADER_DIMENSION");
    assert_eq!(format!("{:?}", Query::SAMPLER_LOD), "TEX_SAMPLER_LOD");
    let nameless = Query::from_raw(0x3e).unwrap();
    assert_eq!((nameless.to_string(), nameless.number(), nameless.name()), ("31".into(), 31, None));
    assert_eq!(
        (Query::from_raw(0x40), Query::from_raw(0), Query::from_raw(4), Query::from_raw(3)),
        (None, None, None, None)
    );
    assert_eq!(
        (Query::from_name("tex_sampler_wrap"), Query::from_name("TEX")),
        (Some(Query::SAMPLER_WRAP), None)
    );
    assert_eq!(Query::SAMPLER_POS.op(), Some(Op::TxqSamplerPos));
    assert_eq!((Query::TEXTURE_TYPE.op(), Query::SAMPLER_FILTER.op()), (Some(Op::TxqTextureType), None));
}

/// Every part of the control field, with all other bits 0 and with all other bits 1.
#[test]
fn control_fields() {
    assert_eq!(SchedulingControl::default().raw(), 0x7e0);
    assert_eq!(SchedulingControl::new(u32::MAX).raw(), 0x1f_ffff);
    let all = SchedulingControl::new(u32::MAX);
    assert_eq!(
        (all.stall(), all.wr(), all.rd(), all.wait(), all.reuse(), all.schedule()),
        (15, 7, 7, 63, 15, 127)
    );
    assert_eq!((all.phase(), all.yield_bit(), all.opens_pair()), (Phase::Invalid3, true, false));
    let none = SchedulingControl::new(0);
    assert_eq!(none.with_wr(9).raw(), 1 << 5);
    assert_eq!(none.with_rd(9).raw(), 1 << 8);
    assert_eq!(none.with_wait(0x41).raw(), 1 << 11);
    assert_eq!(none.with_phase(Phase::P).raw(), 1 << 18);
    assert_eq!(none.with_schedule(0b110_0001).raw(), 1 | 3 << 19);
    assert_eq!(all.with_wr(0).raw(), 0x1f_ffff & !(7 << 5));
    assert_eq!(all.with_schedule(0).raw(), 0x1f_ffff & !(31 | 3 << 19));
    assert!(SchedulingControl::new(0x10).opens_pair() && !SchedulingControl::new(0).opens_pair());
    for slot in 0..3 {
        let word = all.into_word(0, slot);
        assert_eq!(word, 0x1f_ffff << (21 * slot));
        assert_eq!(
            (SchedulingControl::of_word(word, slot), SchedulingControl::of_word(!word, slot)),
            (all, none)
        );
        assert_eq!(none.into_word(u64::MAX, slot), !word);
    }
    assert_eq!([Phase::None, Phase::T, Phase::P].map(Phase::suffix), ["", ".T", ".P"]);
}

/// Every field of the word is at the position that the table in `instruction.rs` gives.
#[test]
fn fields_of_the_word() {
    let txq = Txq::parse("@!P5 TXQ.NODEP R24, R17, TEX_HEADER_SAMPLER_POS, 0x1234, 0x9;").unwrap();
    let fields: TxqFields = txq.fields();
    assert_eq!(
        (fields.rd, fields.ra, fields.query, fields.index, fields.nodep),
        (24, 17, Query::SAMPLER_POS, 0x1234, true)
    );
    assert_eq!(
        (fields.guard, fields.mask.mask(), fields.bindless, fields.unused),
        (Guard { predicate: 5, negate: true }, 9, false, 0)
    );
    let word =
        0x1be9_u64 << 51 | 1 << 49 | 0x1234 << 36 | 9 << 31 | 5 << 22 | 1 << 19 | 5 << 16 | 17 << 8 | 24;
    assert_eq!(txq.word(), word);
    assert_eq!((txq.sources(), txq.destinations()), (1, 2));
    let bindless = Txq::parse("TXQ.B R24, R18, TEX_HEADER_SAMPLER_POS, 0x0, 0x9;").unwrap();
    assert_eq!((bindless.sources(), bindless.index(), bindless.word() >> 51), (2, 0, 0x1bea));
    // The index is used by TXQ and ignored by TXQ.B, which has its handle in a register.
    let ignored = |txq: Txq| {
        Txq::decode(txq.word() | 0x1fff << 36, SchedulingControl::NEUTRAL).unwrap().unwrap().ignored_bits()
    };
    assert_eq!((ignored(txq), ignored(bindless)), (0, 0x1fff << 36));
}

/// Sample positions are 4.12 numbers from the centre: (1, 7) sixteenths from the corner are (-7, -1).
#[test]
fn sample_counts_and_positions() {
    let counts: Vec<_> = (0..17).map(|mode| samples(mode).ok()).collect();
    let expected = [1, 2, 4, 8, 8, 2, 16, 0, 4, 4, 8, 8, 2, 4, 8, 16, 0];
    assert_eq!(counts, expected.map(|count| (count > 0).then_some(count)));
    let why = samples(7).unwrap_err();
    assert_eq!((why.kind(), why.what(), why.found()), (Kind::Reserved, What::MultiSampleCount, 7));
    assert_eq!(sample_positions(6), Ok(&STANDARD_16[..]));
    assert_eq!(sample_positions(1), Ok(&[(4, 4), (12, 12)][..]));
    assert_eq!(sample_positions(8).map(<[_]>::len).unwrap_or(0), 0);
    // As many positions as samples, none of them twice.
    for mode in [0, 1, 2, 3, 4, 5, 6] {
        let mut positions = sample_positions(mode).unwrap().to_vec();
        assert_eq!(positions.len(), samples(mode).unwrap() as usize);
        assert!(positions.iter().all(|&(x, y)| x < 16 && y < 16), "sixteenths of a pixel: {positions:?}");
        positions.sort();
        positions.dedup();
        assert_eq!(positions.len(), samples(mode).unwrap() as usize);
    }
    let mut header = TextureHeader::from_dwords(Class::Pascal, [0; 8]);
    header.set_layout(NvLayout::Blocklinear).unwrap();
    header.set(NvField::MultiSampleCount, 3).unwrap();
    assert_eq!(header.query_sampler_pos(0), Ok([0xff00_f900, 0, 0, 0]));
    assert_eq!(header.query_sampler_pos(7), Ok([0x0100_0500, 0, 0, 0]));
    assert_eq!(header.query_texture_type(), Ok([0, 0, 8, 0]));
    let why = header.query_sampler_pos(8).unwrap_err();
    assert_eq!((why.kind(), why.what(), why.found()), (Kind::Unsupported, What::SamplePosition, 8));
    // Modes past the last one of the class are errors.
    for (class, last) in [(Class::Maxwell1, 15), (Class::Maxwell2, 11), (Class::Pascal, 11)] {
        header.class = class;
        for mode in 0..16 {
            header.set(NvField::MultiSampleCount, mode).unwrap();
            let legal = mode <= last && mode != 7;
            assert_eq!(header.query_texture_type().is_ok(), legal, "{class:?} {mode}");
        }
    }
}

/// The answers for each type of texture, of size 40 x 20 x 12, with a view of levels 1 to 3.
#[test]
fn dimensions_by_type() {
    let mut header = TextureHeader::from_dwords(Class::Maxwell2, [0; 8]);
    header.set_layout(NvLayout::Blocklinear).unwrap();
    for (field, value) in [
        (NvField::WidthMinusOne, 39),
        (NvField::HeightMinusOne, 19),
        (NvField::DepthMinusOne, 11),
        (NvField::ResViewMinMipLevel, 1),
        (NvField::ResViewMaxMipLevel, 3),
    ] {
        header.set(field, value).unwrap();
    }
    let mut answers = |kind, lod, samples| {
        header.set(NvField::TextureType, kind).unwrap();
        header.set(NvField::MultiSampleCount, samples).unwrap();
        header.query_dimension(lod).unwrap()
    };
    assert_eq!(answers(0, 0, 0), [20, 0, 0, 3]);
    assert_eq!(answers(1, 0, 0), [20, 10, 0, 3]);
    assert_eq!(answers(1, 1, 2), [10, 5, 1, 3]);
    assert_eq!(answers(2, 2, 0), [5, 2, 1, 3]);
    assert_eq!(answers(3, 1, 0), [10, 5, 0, 3]);
    assert_eq!(answers(4, 0, 0), [20, 12, 0, 3]);
    assert_eq!(answers(5, 2, 0), [5, 2, 12, 3]);
    assert_eq!(answers(6, 0, 0), [20, 0, 0, 1]);
    assert_eq!(answers(7, 0, 0), [20, 10, 0, 1]);
    assert_eq!(answers(7, 0, 2), [20, 10, 12, 1]);
    assert_eq!(answers(8, 2, 0), [5, 2, 12, 3]);
    assert_eq!(answers(5, 3, 0), [0, 0, 0, 3]);
    assert_eq!(answers(7, 1, 0), [0, 0, 0, 1]);
}

#[test]
fn kinds_have_names() {
    let codes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x20, 0x30, 0x31, 0x32, 0x33];
    for code in 0..=255 {
        let known = codes.contains(&code);
        assert_eq!(
            (RecordKind(code).is_known(), KINDS.contains(&RecordKind(code))),
            (known, known),
            "{code:#x}"
        );
        assert_eq!(RecordKind(code).is_message(), matches!(code, 0x10..=0x12));
    }
    assert_eq!((RecordKind::TEX_SAMPLER.name(), RecordKind(0).name()), (Some("tex sampler"), None));
}

/// A record fits a buffer of exactly its length; with a smaller one nothing is written or counted.
#[test]
fn writers_want_room() {
    let record = Record::Text("twelve bytes");
    let mut room = [0xaa; 64];
    let mut writer = Writer::new(&mut room);
    writer.write(&record).unwrap();
    // Head, text and CRC, the COBS code byte before them, and the delimiter; the zero bytes of sequence number 0 cost nothing.
    assert_eq!((writer.bytes().len(), encoded_len(12)), (OVERHEAD + 12 + 2, OVERHEAD + 12 + 2));
    let first = writer.bytes().to_vec();
    writer.clear();
    assert_eq!((writer.bytes(), writer.sequence()), (&[][..], 1));
    writer.write(&record).unwrap();
    assert_ne!(writer.bytes(), first, "numbers go on");
    for len in 0..first.len() {
        let mut writer = Writer::new(&mut room[..len]);
        let why = writer.write(&record).unwrap_err();
        assert_eq!((why.kind(), why.what(), why.found()), (Kind::Capacity, What::Frame, first.len() as u64));
        assert_eq!((writer.sequence(), writer.bytes().len()), (0, 0));
    }
    assert!(Writer::new(&mut room[..first.len()]).write(&record).is_ok());
    // A COBS code byte is added for every 254 bytes.
    assert_eq!((encoded_len(0), encoded_len(245), encoded_len(246), encoded_len(500)), (10, 255, 257, 512));
}

/// The decoder counts every byte exactly once, however the stream is split into chunks.
#[test]
fn decoders_account_for_every_byte() {
    let mut room = [0; 512];
    let mut writer = Writer::new(&mut room);
    for record in [Record::Text("a"), Record::Lost(1), Record::Mark { time: 1, ticks_per_us: 0 }] {
        writer.write(&record).unwrap();
    }
    let good = writer.bytes().to_vec();
    let mut stream = good.clone();
    stream.extend([0, 0, 5, 5, 0, 1, 0]);
    stream.extend(&good);
    stream.extend(&good[..5]);
    let mut seen = Vec::new();
    for chunk in [1, 2, 3, 7, stream.len()] {
        let mut decoder = Decoder::<MAX_FRAME>::default();
        let mut events = 0;
        for mut part in stream.chunks(chunk) {
            while let Some(event) = decoder.feed(&mut part) {
                events += 1;
                if let Event::Dropped { fault, .. } = event {
                    assert_eq!(fault, FrameFault::Damaged);
                }
                // Bytes of an event that was returned are not pending any more.
                assert_eq!(decoder.pending(), 0);
            }
        }
        let pending = decoder.pending();
        let counts = decoder.counts();
        assert_eq!(counts.bytes, counts.good_bytes + counts.dropped_bytes + counts.idle_bytes + pending);
        assert_eq!((counts.frames, counts.damaged, counts.idle_bytes, pending), (6, 2, 2, 5));
        assert_eq!((counts.good_bytes, counts.dropped_bytes), (2 * good.len() as u64, 5));
        let last = decoder.finish();
        assert!(matches!(last, Some(Event::Dropped { fault: FrameFault::Unfinished, bytes: 5, .. })));
        assert_eq!(decoder.finish(), None);
        seen.push((events, decoder.counts()));
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(Decoder::<8>::new().counts(), Counts::default());
    // The same frames came twice: their sequence numbers repeat, and none is missing.
    assert_eq!(seen[0].1.lost, 0);
}

/// Payloads that are too long, too short or incomplete, for each kind of record.
#[test]
fn payloads_are_checked() {
    let payload = [0; 80];
    let parse =
        |kind, flags, len: usize| Record::parse(kind, flags, &payload[..len]).map(|found| found.is_some());
    let error = |kind, flags, len| {
        parse(kind, flags, len).map_err(|why: Error| (why.kind(), why.offset(), why.found()))
    };
    for (kind, len) in [
        (RecordKind::SURFACE, 66),
        (RecordKind::SAMPLER, 18),
        (RecordKind::BORDER, 20),
        (RecordKind::TEX_HEADER, 38),
        (RecordKind::TEX_SAMPLER, 36),
        (RecordKind::UNMAP, 16),
        (RecordKind::COARSE, 4),
        (RecordKind::MARK, 12),
        (RecordKind::LOST, 4),
    ] {
        assert_eq!(error(kind, 0, len), Ok(true), "{kind:?}");
        assert_eq!(error(kind, 0, len + 1), Err((Kind::Invalid, Some(len), len as u64 + 1)), "{kind:?}");
        assert_eq!(error(kind, 0, len - 1).unwrap_err().0, Kind::Truncated, "{kind:?}");
        assert_eq!(error(kind, 4, len), Err((Kind::Reserved, None, 4)), "{kind:?}");
    }
    assert_eq!(error(RecordKind::TXQ, 0, 24), Ok(true));
    assert_eq!(error(RecordKind::TXQ, 0, 26), Err((Kind::Invalid, Some(20), 6)));
    assert_eq!(error(RecordKind::GEN, 0, 36), Ok(true));
    assert_eq!(error(RecordKind::GEN, 0, 68), Ok(true));
    assert_eq!(error(RecordKind::GEN, 0, 69), Err((Kind::Invalid, Some(36), 33)));
    assert_eq!(error(RecordKind(0x40), 0xff, 3), Ok(false));
    let broken = Record::parse(RecordKind::TEXT, 0, b"ab\xff").unwrap_err();
    assert_eq!((broken.kind(), broken.offset()), (Kind::Invalid, Some(2)));
    // The three bytes of padding after an instruction of two bytes must be 0.
    let mut visa = [0; 24];
    (visa[16], visa[17], visa[18]) = (4, 1, 2);
    assert!(Record::parse(RecordKind::VISA, 0, &visa).is_ok());
    for at in [15, 21, 22, 23] {
        let mut spoiled = visa;
        spoiled[at] = 1;
        let why = Record::parse(RecordKind::VISA, 0, &spoiled).unwrap_err();
        assert_eq!((why.kind(), why.offset()), (Kind::Reserved, Some(at)));
    }
    let frame = Frame { kind: RecordKind::LOST, flags: 0, sequence: 7, payload: &[1, 0, 0, 0] };
    assert_eq!(frame.record(), Ok(Some(Record::Lost(1))));
}
