//! A part of a trace that several threads execute: what changes the memory first, then messages on that memory.

use std::ops::Range;
use texwire::trace::{Event, Fault, Frame, Order, RecordKind};

/// Bytes of payload after which a segment is handed over.
const FULL: usize = 1 << 20;
/// Events after which it is: frames without a payload count as well.
const MOST_EVENTS: usize = 1 << 15;

/// A frame whose payload lies in the segment.
#[derive(Clone, Debug)]
struct OwnedFrame {
    kind: RecordKind,
    flags: u8,
    sequence: u16,
    lost: u16,
    order: Order,
    at: u64,
    payload: Range<usize>,
}

/// An event without a borrowed payload.
#[derive(Clone, Debug)]
enum Owned {
    Frame(OwnedFrame),
    Dropped {
        fault: Fault,
        at: u64,
        bytes: u64,
    },
    /// Something is wrong with the stream here: see [`super::Integrity`].
    Wrong {
        at: u64,
        what: String,
    },
}

/// What a segment holds at a place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'a> {
    /// What the decoder found.
    Event(Event<'a>),
    /// Something is wrong with the stream at this offset.
    Wrong(u64, &'a str),
}

/// Frames that set memory, then others, messages among them.
#[derive(Debug, Default)]
pub struct Segment {
    payloads: Vec<u8>,
    memory: Vec<OwnedFrame>,
    items: Vec<Owned>,
    /// Positions of the messages in `items`.
    messages: Vec<usize>,
}

/// The frame changes what messages read, or begins a stream, which forgets all of it.
fn sets_memory(frame: &Frame<'_>) -> bool {
    matches!(frame.kind, RecordKind::MEMORY | RecordKind::UNMAP | RecordKind::CONSTANT)
        || starts_stream(frame)
}

/// The frame is the header of a new stream.
pub(super) fn starts_stream(frame: &Frame<'_>) -> bool {
    frame.kind == RecordKind::HEADER && frame.sequence == 0
}

impl Segment {
    /// Whether `event` belongs to the next segment: this one is full, or its messages have to be executed before the memory
    /// changes.
    pub fn ends_before(&self, event: &Event<'_>) -> bool {
        let changes = matches!(event, Event::Frame { frame, .. } if sets_memory(frame));
        changes && !self.messages.is_empty()
            || self.payloads.len() >= FULL
            || self.memory.len() + self.items.len() >= MOST_EVENTS
    }

    /// Bytes that it takes, about.
    pub fn bytes(&self) -> usize {
        self.payloads.len() + (self.memory.len() + self.items.len()) * size_of::<Owned>()
    }

    /// Nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.memory.is_empty() && self.items.is_empty()
    }

    /// Adds an event.
    pub fn push(&mut self, event: &Event<'_>) {
        match *event {
            Event::Dropped { fault, at, bytes } => self.items.push(Owned::Dropped { fault, at, bytes }),
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
                self.items.push(Owned::Frame(owned));
            }
        }
    }

    /// Notes that something is wrong with the stream at an offset.
    pub fn push_wrong(&mut self, at: u64, what: String) {
        self.items.push(Owned::Wrong { at, what });
    }

    /// The frames that set memory, in order.
    pub(super) fn memory(&self) -> impl Iterator<Item = Event<'_>> {
        self.memory.iter().map(|frame| self.frame(frame))
    }

    /// Everything, in order.
    pub(super) fn items(&self) -> impl Iterator<Item = Item<'_>> {
        self.items.iter().map(|item| match item {
            Owned::Frame(frame) => Item::Event(self.frame(frame)),
            Owned::Dropped { fault, at, bytes } => {
                Item::Event(Event::Dropped { fault: *fault, at: *at, bytes: *bytes })
            }
            Owned::Wrong { at, what } => Item::Wrong(*at, what),
        })
    }

    fn frame(&self, owned: &OwnedFrame) -> Event<'_> {
        let OwnedFrame { kind, flags, sequence, lost, order, at, .. } = *owned;
        let payload = self.payloads.get(owned.payload.clone()).unwrap_or_default();
        Event::Frame { frame: Frame { kind, flags, sequence, payload }, at, lost, order }
    }

    /// Splits the items into `parts` runs with about as many messages each; all but the first begin with a message.
    pub(super) fn split(&self, parts: usize) -> Vec<Range<usize>> {
        let mut cuts = vec![0];
        cuts.extend((1..parts).filter_map(|part| self.messages.get(part * self.messages.len() / parts)));
        cuts.push(self.items.len());
        cuts.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    /// Messages in it.
    pub(super) fn messages(&self) -> usize {
        self.messages.len()
    }
}
