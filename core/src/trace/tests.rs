use super::*;
use crate::Platform;
use std::vec::Vec;

fn wire(records: &[Record<'_>]) -> Vec<u8> {
    let mut buffer = std::vec![0; records.len() * encoded_len(MAX_FRAME)];
    let mut writer = Writer::new(&mut buffer);
    for record in records {
        writer.write(record).unwrap();
    }
    writer.bytes().to_vec()
}

fn texts(stream: &[u8], chunk: usize) -> (Vec<std::string::String>, Counts) {
    let mut decoder = Decoder::<MAX_FRAME>::new();
    let mut events = Vec::new();
    for mut part in stream.chunks(chunk) {
        while let Some(event) = decoder.feed(&mut part) {
            events.push(match event {
                Event::Frame { frame, .. } => std::format!("{:?}", frame.record()),
                dropped => std::format!("{dropped:?}"),
            });
        }
    }
    events.extend(decoder.finish().map(|event| std::format!("{event:?}")));
    (events, decoder.counts())
}

#[test]
fn known_frame() {
    // zlib's crc32 of 31 00 00 00 68 69 is 0xe7ae4df8.
    let expected = [0x02, 0x31, 0x01, 0x01, 0x07, b'h', b'i', 0xf8, 0x4d, 0xae, 0xe7, 0x00];
    assert_eq!(wire(&[Record::Text("hi")]), expected);
}

#[test]
fn longest_frame() {
    let bytes = [0x55; MAX_FRAME];
    let fits = MAX_FRAME - OVERHEAD - 8;
    let record = Record::Memory { address: u64::MAX, bytes: &bytes[..fits] };
    let stream = wire(&[record]);
    let (events, counts) = texts(&stream, 7);
    assert_eq!((events.len(), counts.frames), (1, 1));
    let mut buffer = [0; 4096];
    let mut writer = Writer::new(&mut buffer);
    let long = Record::Memory { address: 0, bytes: &bytes[..fits + 1] };
    assert_eq!(writer.write(&long).unwrap_err().kind(), crate::Kind::Invalid);
    assert!(writer.bytes().is_empty() && writer.sequence() == 0);
}

#[test]
fn groups_of_every_length() {
    for len in 0..600 {
        let bytes: Vec<u8> = (0..len).map(|i| if i % 257 == 256 { 0 } else { 1 + (i % 255) as u8 }).collect();
        let record = Record::Constant { offset: 0x0101_0101, bytes: &bytes };
        let mut decoder = Decoder::<MAX_FRAME>::new();
        let stream = wire(&[record]);
        let mut rest = stream.as_slice();
        let Some(Event::Frame { frame, .. }) = decoder.feed(&mut rest) else { panic!("{len}") };
        assert_eq!(frame.record(), Ok(Some(record)));
    }
}

/// A buffer of [`encoded_len`] bytes is enough for frames without a zero after their head, which are the longest ones, and at most one
/// byte of it is left.
#[test]
fn frames_are_as_long_as_said() {
    let bytes = [0x55; MAX_FRAME - OVERHEAD];
    for payload in 4..=bytes.len() {
        let record = Record::Constant { offset: 0x0101_0101, bytes: &bytes[..payload - 4] };
        let mut buffer = std::vec![0; encoded_len(payload)];
        let mut writer = Writer::resume(&mut buffer, 0x0101);
        writer.write(&record).unwrap();
        let left = encoded_len(payload) - writer.bytes().len();
        assert!(left <= 1, "{payload}: {left}");
    }
}

#[test]
fn damage_costs_one_frame() {
    let records =
        [Record::Header(StreamHeader::new(Platform::Gen11, true, false)), Record::Lost(3), Record::Text("a")];
    let good = wire(&records);
    let first = good.iter().position(|&byte| byte == 0).unwrap();
    let mut bad = good.clone();
    bad[first + 3] ^= 0x40;
    let (events, counts) = texts(&bad, 1);
    assert_eq!(events.len(), 3);
    assert!(events[1].starts_with("Dropped"));
    assert_eq!((counts.frames, counts.damaged, counts.lost), (2, 1, 1));
    assert_eq!(counts.bytes, counts.good_bytes + counts.dropped_bytes + counts.idle_bytes);
}

#[test]
fn idle_oversized_unfinished() {
    let mut stream = std::vec![0, 0];
    stream.extend([7; 100]);
    stream.push(0);
    let tail = wire(&[Record::Lost(1)]);
    stream.extend(&tail);
    stream.extend(&tail[..3]);
    let mut decoder = Decoder::<32>::new();
    let mut rest = stream.as_slice();
    let dropped = Event::Dropped { fault: FrameFault::Oversized, at: 2, bytes: 101 };
    assert_eq!(decoder.feed(&mut rest), Some(dropped));
    assert!(matches!(decoder.feed(&mut rest), Some(Event::Frame { at: 103, .. })));
    assert_eq!(decoder.feed(&mut rest), None);
    assert_eq!(decoder.pending(), 3);
    assert!(matches!(decoder.finish(), Some(Event::Dropped { fault: FrameFault::Unfinished, bytes: 3, .. })));
    assert_eq!(decoder.counts().idle_bytes, 2);
}

#[test]
fn gaps_and_unknown_kinds() {
    let mut buffer = [0; 256];
    let mut writer = Writer::resume(&mut buffer, 0xffff);
    writer.write(&Record::Lost(0)).unwrap();
    writer.skip();
    writer.skip();
    writer.write(&Record::Lost(0)).unwrap();
    let unknown = Frame { kind: RecordKind(0x77), flags: 9, sequence: writer.sequence(), payload: &[1, 2] };
    let mut stream = writer.bytes().to_vec();
    let mut out = [0; 64];
    let len = unknown.encode(&mut out).unwrap();
    stream.extend(&out[..len]);
    let (events, counts) = texts(&stream, 3);
    assert_eq!(events[2], "Ok(None)");
    assert_eq!((counts.lost, counts.unknown, counts.damaged), (2, 1, 0));
}

#[test]
fn malformed_payloads() {
    let kinds = [
        (RecordKind::HEADER, 0, &b"TXWS\x01\x00\x0b\x00"[..], crate::Kind::Invalid),
        (RecordKind::SURFACE, 0, &[0; 65], crate::Kind::Truncated),
        (RecordKind::LOST, 0, &[0; 5], crate::Kind::Invalid),
        (RecordKind::LOST, 2, &[0; 4], crate::Kind::Reserved),
        (RecordKind::TEXT, 0, &[0xff], crate::Kind::Invalid),
        (RecordKind::GEN, 0, &[0; 37], crate::Kind::Invalid),
        (RecordKind::VISA, 0, &[1; 24], crate::Kind::Reserved),
        (RecordKind::PALETTE, 0, &[2, 0], crate::Kind::Invalid),
        (RecordKind::PALETTE, 0, &[1, 0, 9], crate::Kind::Invalid),
        (RecordKind::PALETTE, 0, &[1, 255, 0, 0, 0, 0, 1, 1, 1, 1], crate::Kind::Invalid),
    ];
    for (kind, flags, payload, why) in kinds {
        assert_eq!(Record::parse(kind, flags, payload).map_err(|e| e.kind()), Err(why), "{kind:?}");
    }
}

/// Copies and late frames do not count as a gap of up to 65,535 lost frames; a late frame no longer counts as lost.
#[test]
fn copies_and_late_frames() {
    let frame = |number: u16| {
        let mut buffer = [0; 64];
        let mut writer = Writer::resume(&mut buffer, number);
        writer.write(&Record::Lost(number.into())).unwrap();
        writer.bytes().to_vec()
    };
    let mut decoder = Decoder::<64>::new();
    let mut orders = Vec::new();
    // The sequence numbers wrap around: 65535, 0, 1 ...
    for number in [65_533, 65_534, 65_534, 0, 65_535, 65_535, 1, 6, 4, 2, 100, 99, 30] {
        let bytes = frame(number);
        let mut rest = bytes.as_slice();
        let Some(Event::Frame { order, lost, .. }) = decoder.feed(&mut rest) else { panic!("{number}") };
        orders.push((order, lost));
    }
    use FrameOrder::{Late, Next, Repeated};
    assert_eq!(
        orders,
        [
            (Next, 0),
            (Next, 0),
            (Repeated, 0),
            (Next, 1),
            (Late, 0),
            (Repeated, 0),
            (Next, 0),
            (Next, 4),
            (Late, 0),
            (Late, 0),
            (Next, 93),
            (Late, 0),
            // Too far back to be late: a jump.
            (Next, 65_465),
        ]
    );
    let counts = decoder.counts();
    assert_eq!((counts.repeated, counts.late, counts.frames), (2, 4, 13));
    assert_eq!(counts.lost, 1 + 4 + 93 + 65_465 - 4);
}

/// The header flag for an end record (bit 2) does not change the other flags, and an end record is a known kind (older readers skip it).
#[test]
fn end_records() {
    let header = StreamHeader::new(crate::Platform::Gen11, true, false);
    assert!(!header.has_end() && header.with_end().has_end() && header.with_end().writebacks());
    let mut buffer = [0; 64];
    let mut writer = Writer::new(&mut buffer);
    writer.write(&Record::End { frames: 1 << 40 }).unwrap();
    let (events, counts) = texts(writer.bytes(), 64);
    assert_eq!((events[0].as_str(), counts.unknown), ("Ok(Some(End { frames: 1099511627776 }))", 0));
}
