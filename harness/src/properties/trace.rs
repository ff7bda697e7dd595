//! Properties of trace streams.

use crate::compare::words;
use crate::core_engine::CoreEngine;
use crate::engine::Engine;
use crate::generators::{job, plain, trace as generators};
use crate::trace_file::TraceWriter;
use arbitrary::Unstructured;
use texwire::trace::replay::{MAX_WRITEBACK, Replay, Step};
use texwire::trace::{
    Counts, Decoder, Event, FrameFault, FrameOrder, MAX_FRAME, Record, Writer, encoded_len,
};

/// An event with its own copy of the data.
#[derive(Debug, PartialEq)]
enum OwnedEvent {
    Frame { at: u64, lost: u16, order: FrameOrder, kind: u8, flags: u8, sequence: u16, payload: Vec<u8> },
    Dropped { fault: FrameFault, at: u64, bytes: u64 },
}

impl From<Event<'_>> for OwnedEvent {
    fn from(event: Event<'_>) -> Self {
        match event {
            Event::Frame { frame, at, lost, order } => Self::Frame {
                at,
                lost,
                order,
                kind: frame.kind.0,
                flags: frame.flags,
                sequence: frame.sequence,
                payload: frame.payload.to_vec(),
            },
            Event::Dropped { fault, at, bytes } => Self::Dropped { fault, at, bytes },
        }
    }
}

/// Fuzz target `trace_stream`: a stream gives the same events however it is split into chunks; every byte of it is accounted for; a record
/// encodes to the bytes that it was parsed from; damage costs one frame; any stream is replayed within the given memory; recorded jobs
/// replay to their results.
pub fn stream(data: &[u8]) {
    chunks_do_not_matter(data);
    replay(data, REPLAY_MEMORY);
    let _ = structured(data);
    let _ = recorded(data);
}

/// Checks that a stream gives the same events however it is split into chunks, and that its records encode to the bytes they came from.
pub(crate) fn chunks_do_not_matter(data: &[u8]) {
    let whole = read::<MAX_FRAME>(data, &[]);
    assert_eq!(whole, read::<MAX_FRAME>(data, data), "chunks matter");
    assert_eq!(read::<40>(data, &[]), read::<40>(data, data), "chunks matter to a small decoder");
    records_encode(&whole.0);
}

/// The number of messages that a replay executed, and of results that were equal and different.
#[derive(Debug, Default, PartialEq)]
struct ReplayCounts {
    executed: usize,
    equal: usize,
    other: usize,
}

/// The bytes of memory in which any stream is replayed.
const REPLAY_MEMORY: usize = 8192;

/// Replays a stream within `room` bytes of memory, and then clears the replay.
fn replay(stream: &[u8], room: usize) -> ReplayCounts {
    let mut memory = vec![0; room];
    let mut replay = Box::new(Replay::<8, 8>::new(&mut memory));
    let mut decoder = Decoder::<MAX_FRAME>::new();
    let mut said = ReplayCounts::default();
    let mut rest = stream;
    while let Some(event) = decoder.feed(&mut rest) {
        match replay.event(&event) {
            Ok(Step::Executed(executed)) => {
                assert!(executed.writeback.len() <= MAX_WRITEBACK);
                said.executed += 1;
            }
            Ok(Step::Compared(compared)) if compared.is_equal() => said.equal += 1,
            Ok(Step::Compared(compared)) => {
                assert!(compared.difference().is_some_and(|at| at <= MAX_WRITEBACK));
                said.other += 1;
            }
            Ok(_) => {}
            Err(why) => assert!(!why.to_string().is_empty()),
        }
        assert!(replay.memory_used() <= room);
    }
    replay.clear();
    assert_eq!((replay.memory_used(), replay.header()), (0, None));
    said
}

/// Checks that a job, recorded with the core's result, replays to that result, and that the damaged stream can still be replayed.
pub fn recorded(data: &[u8]) -> arbitrary::Result<()> {
    let u = &mut Unstructured::new(data);
    // Jobs of any operation, format and surface are refused if they are undefined, or if no message says them.
    let is_plain = u.ratio(3, 4)?;
    let job = if is_plain { plain::job(u)? } else { job::job(u)? };
    let outcome = match CoreEngine.execute(&job) {
        Ok(outcome) => outcome.expect("every job is done"),
        Err(why) => return if is_plain { panic!("a legal job: {why}") } else { Ok(()) },
    };
    let mut trace = TraceWriter::new(Vec::new());
    let written = if u.arbitrary()? { trace.visa_job(&job, &outcome) } else { trace.job(&job, &outcome) };
    match written {
        Ok(()) => {}
        Err(why) if is_plain => panic!("a message says every plain job: {why}"),
        Err(_) => return Ok(()),
    }
    let mut stream = trace.finish().expect("a vector takes everything");
    let room = if is_plain { REPLAY_MEMORY } else { 2 * stream.len() + REPLAY_MEMORY };
    let replayed = replay(&stream, room);
    assert_eq!(replayed, ReplayCounts { executed: 1, equal: 1, other: 0 }, "{}", words(&job));
    let at = u.choose_index(stream.len())?;
    stream[at] ^= u.arbitrary::<u8>()?;
    replay(&stream, room);
    Ok(())
}

/// Decodes `stream` in chunks whose lengths come from `cuts` (in one chunk if `cuts` is empty).
fn read<const N: usize>(stream: &[u8], cuts: &[u8]) -> (Vec<OwnedEvent>, Counts) {
    let mut decoder = Decoder::<N>::new();
    let mut events = Vec::new();
    let mut rest = stream;
    let mut cuts = cuts.iter().rev().cycle();
    while !rest.is_empty() {
        let len = cuts.next().map_or(rest.len(), |&cut| usize::from(cut % 37).min(rest.len()).max(1));
        let (mut chunk, tail) = rest.split_at(len);
        rest = tail;
        while let Some(event) = decoder.feed(&mut chunk) {
            events.push(event.into());
        }
        accounted(&decoder);
    }
    events.extend(decoder.finish().map(OwnedEvent::from));
    accounted(&decoder);
    let counts = decoder.counts();
    assert_eq!(decoder.pending(), 0);
    assert_eq!(counts.bytes, stream.len() as u64);
    let frames = events.iter().filter(|event| matches!(event, OwnedEvent::Frame { .. })).count();
    assert_eq!(frames, counts.frames as usize);
    assert_eq!(events.len() - frames, (counts.damaged + counts.oversized) as usize);
    (events, counts)
}

fn accounted<const N: usize>(decoder: &Decoder<N>) {
    let counts = decoder.counts();
    let sum = counts.good_bytes + counts.dropped_bytes + counts.idle_bytes + decoder.pending();
    assert_eq!(counts.bytes, sum, "{counts:?}");
}

/// Checks that records which parse encode to the same payload and flags.
fn records_encode(events: &[OwnedEvent]) {
    for event in events {
        let OwnedEvent::Frame { kind, flags, sequence, payload, .. } = event else { continue };
        let kind = texwire::trace::RecordKind(*kind);
        let Ok(Some(record)) = Record::parse(kind, *flags, payload) else { continue };
        let mut buffer = vec![0; encoded_len(payload.len())];
        let mut writer = Writer::resume(&mut buffer, *sequence);
        writer.write(&record).expect("it came from a frame");
        let mut decoder = Decoder::<MAX_FRAME>::new();
        let Some(Event::Frame { frame, .. }) = decoder.feed(&mut writer.bytes()) else {
            panic!("{record:?} does not decode")
        };
        assert_eq!((frame.kind, frame.flags, frame.payload), (kind, *flags, payload.as_slice()));
    }
}

/// Generates a stream, decodes it, damages one frame, and checks that only that frame is missing.
fn structured(data: &[u8]) -> arbitrary::Result<()> {
    let u = &mut Unstructured::new(data);
    let mut frames = generators::frames(u)?;
    let good = frames.concat();
    let (before, counts) = read::<MAX_FRAME>(&good, &[]);
    assert_eq!((before.len(), counts.frames as usize), (frames.len(), frames.len()), "{counts:?}");
    assert_eq!((counts.lost, counts.dropped_bytes), (0, 0));
    records_encode(&before);
    if let Ok(received) = generators::received(u) {
        let whole = read::<MAX_FRAME>(&received.bytes, &[]);
        assert_eq!(whole, read::<MAX_FRAME>(&received.bytes, data), "chunks matter to damage");
        records_encode(&whole.0);
    }

    if frames.is_empty() {
        return Ok(());
    }
    let victim = u.choose_index(frames.len())?;
    let original = frames[victim].clone();
    generators::damage(u, &mut frames[victim])?;
    if frames[victim] == original {
        return Ok(());
    }
    let (after, counts) = read::<MAX_FRAME>(&frames.concat(), &[]);
    let survivors: Vec<_> = after.iter().filter_map(payload).collect();
    let mut expected: Vec<_> = before.iter().filter_map(payload).collect();
    // COBS has several spellings of the same frame (a closing empty group, an idle zero): then nothing was damaged.
    if survivors == expected {
        return Ok(());
    }
    expected.remove(victim);
    assert_eq!(survivors, expected, "frame {victim} of {}: {counts:?}", frames.len());
    // The gap is noticed if good frames are on both sides, unless a header restarts the sequence numbers.
    let inside = victim > 0 && victim + 1 < frames.len();
    let restarts = after.iter().any(|event| matches!(event, OwnedEvent::Frame { kind: 1, sequence: 0, .. }));
    if !restarts {
        assert_eq!(counts.lost, u32::from(inside), "{counts:?}");
    }
    Ok(())
}

fn payload(event: &OwnedEvent) -> Option<(u8, u16, &[u8])> {
    match event {
        OwnedEvent::Frame { kind, sequence, payload, .. } => Some((*kind, *sequence, payload)),
        OwnedEvent::Dropped { .. } => None,
    }
}
