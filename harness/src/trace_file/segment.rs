//! A part of a trace that several threads execute: frames that change the memory, then messages that read this memory.

use std::ops::Range;
use texwire::trace::{Event, Frame, FrameFault, FrameOrder, RecordKind};

/// Payload bytes at which a segment is full.
const FULL: usize = 1 << 20;
/// Events at which a segment is full: payload bytes alone would not bound frames without a payload.
const MOST_EVENTS: usize = 1 << 15;

/// A frame whose payload is a range of the segment's payload bytes.
#[derive(Clone, Debug)]
struct OwnedFrame {
    kind: RecordKind,
    flags: u8,
    sequence: u16,
    lost: u16,
    order: FrameOrder,
    at: u64,
    payload: Range<usize>,
}

/// An event without a borrowed payload.
#[derive(Clone, Debug)]
enum OwnedEvent {
    Frame(OwnedFrame),
    Dropped {
        fault: FrameFault,
        at: u64,
        bytes: u64,
    },
    /// Something is wrong with the stream here: see [`super::Integrity`].
    Wrong {
        at: u64,
        what: String,
    },
}

/// An item of a segment, in the order of the stream.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'a> {
    /// An event of the decoder.
    Event(Event<'a>),
    /// Something is wrong with the stream at this offset.
    Wrong(u64, &'a str),
}

/// Consecutive events of a trace, in which no frame sets memory after the first message.
#[derive(Debug, Default)]
pub struct Segment {
    payloads: Vec<u8>,
    memory: Vec<OwnedFrame>,
    items: Vec<OwnedEvent>,
    /// Positions of the messages in `items`.
    messages: Vec<usize>,
}

/// Returns whether the frame changes memory that messages read, or begins a stream, which clears the memory.
fn sets_memory(frame: &Frame<'_>) -> bool {
    matches!(frame.kind, RecordKind::MEMORY | RecordKind::UNMAP | RecordKind::CONSTANT)
        || starts_stream(frame)
}

/// Returns whether the frame is the header of a new stream.
pub(super) fn starts_stream(frame: &Frame<'_>) -> bool {
    frame.kind == RecordKind::HEADER && frame.sequence == 0
}

impl Segment {
    /// Returns whether `event` belongs to the next segment: this one is full, or `event` changes the memory that its messages read.
    pub fn ends_before(&self, event: &Event<'_>) -> bool {
        let changes = matches!(event, Event::Frame { frame, .. } if sets_memory(frame));
        changes && !self.messages.is_empty()
            || self.payloads.len() >= FULL
            || self.memory.len() + self.items.len() >= MOST_EVENTS
    }

    /// Returns its approximate size in bytes.
    pub fn bytes(&self) -> usize {
        self.payloads.len() + (self.memory.len() + self.items.len()) * size_of::<OwnedEvent>()
    }

    /// Returns whether it has no events.
    pub fn is_empty(&self) -> bool {
        self.memory.is_empty() && self.items.is_empty()
    }

    /// Adds an event.
    pub fn push(&mut self, event: &Event<'_>) {
        match *event {
            Event::Dropped { fault, at, bytes } => self.items.push(OwnedEvent::Dropped { fault, at, bytes }),
            Event::Frame { frame, at, lost, order } => {
                let start = self.payloads.len();
                self.payloads.extend_from_slice(frame.payload);
                let Frame { kind, flags, sequence, .. } = frame;
                let payload = start..self.payloads.len();
                let owned = OwnedFrame { kind, flags, sequence, lost, order, at, payload };
                if sets_memory(&frame) {
                    self.memory.push(owned.clone());
                }
                if kind.is_message() {
                    self.messages.push(self.items.len());
                }
                self.items.push(OwnedEvent::Frame(owned));
            }
        }
    }

    /// Notes that something is wrong with the stream at an offset.
    pub fn push_wrong(&mut self, at: u64, what: String) {
        self.items.push(OwnedEvent::Wrong { at, what });
    }

    /// Returns the frames that set memory, in order.
    pub(super) fn memory(&self) -> impl Iterator<Item = Event<'_>> {
        self.memory.iter().map(|frame| self.frame(frame))
    }

    /// Returns all items in order, including the frames that set memory.
    pub(super) fn items(&self) -> impl Iterator<Item = Item<'_>> {
        self.items.iter().map(|item| match item {
            OwnedEvent::Frame(frame) => Item::Event(self.frame(frame)),
            OwnedEvent::Dropped { fault, at, bytes } => {
                Item::Event(Event::Dropped { fault: *fault, at: *at, bytes: *bytes })
            }
            OwnedEvent::Wrong { at, what } => Item::Wrong(*at, what),
        })
    }

    fn frame(&self, owned: &OwnedFrame) -> Event<'_> {
        let OwnedFrame { kind, flags, sequence, lost, order, at, .. } = *owned;
        let payload = self.payloads.get(owned.payload.clone()).unwrap_or_default();
        Event::Frame { frame: Frame { kind, flags, sequence, payload }, at, lost, order }
    }

    /// Splits the items into at most `parts` ranges with about equally many messages; all ranges but the first begin with a message.
    pub(super) fn split(&self, parts: usize) -> Vec<Range<usize>> {
        let mut cuts = vec![0];
        cuts.extend((1..parts).filter_map(|part| self.messages.get(part * self.messages.len() / parts)));
        cuts.push(self.items.len());
        cuts.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    /// Returns the number of its messages.
    pub(super) fn messages(&self) -> usize {
        self.messages.len()
    }
}
