//! The stream decoder: takes chunks of bytes, returns frames and counts damage.

use super::frame::Frame;
use super::record::RecordKind;
use heapless::Vec;

/// Why the bytes between two delimiters are not a good frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FrameFault {
    /// COBS or CRC is wrong, or the frame is shorter than a frame can be.
    Damaged,
    /// The frame is longer than this decoder's capacity.
    Oversized,
    /// The stream ended inside the frame.
    Unfinished,
}

impl core::fmt::Display for FrameFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Damaged => "a damaged frame",
            Self::Oversized => "a frame larger than the decoder's buffer",
            Self::Unfinished => "the stream ends inside a frame",
        })
    }
}

/// The position of a frame relative to those that came before it, by its sequence number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FrameOrder {
    /// It was sent after all frames that came before it.
    #[default]
    Next,
    /// It is a copy of a frame that was delivered already.
    Repeated,
    /// It comes after a frame that was sent later.
    Late,
}

/// What the decoder found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Event<'a> {
    /// A good frame.
    Frame {
        /// The frame; its payload lies in the decoder's buffer.
        frame: Frame<'a>,
        /// Byte offset of the frame's first byte in the stream.
        at: u64,
        /// Number of frames missing before this one, by sequence number.
        lost: u16,
        /// The frame's position by sequence number. Copies and late frames are recognised among the last 64 frames.
        order: FrameOrder,
    },
    /// Bytes that are not a good frame.
    Dropped {
        /// Why they are not.
        fault: FrameFault,
        /// Byte offset of the first byte in the stream.
        at: u64,
        /// Number of bytes, with the delimiter.
        bytes: u64,
    },
}

/// Counts of a stream's bytes and frames. Every byte is accounted for: `bytes == good_bytes + dropped_bytes + idle_bytes +`
/// [`Decoder::pending`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Counts {
    /// Bytes that were fed.
    pub bytes: u64,
    /// Bytes of good frames, delimiters included.
    pub good_bytes: u64,
    /// Bytes of damaged, oversized and unfinished frames, delimiters included.
    pub dropped_bytes: u64,
    /// Delimiters of frames without a byte: the stream is idle.
    pub idle_bytes: u64,
    /// Good frames.
    pub frames: u32,
    /// Frames with wrong COBS or CRC, or cut off by the end of the stream.
    pub damaged: u32,
    /// Frames longer than the decoder's capacity.
    pub oversized: u32,
    /// Frames missing by sequence number (damaged and oversized frames are among them).
    pub lost: u32,
    /// Good frames that had been delivered before ([`FrameOrder::Repeated`]).
    pub repeated: u32,
    /// Good frames that came after one that was sent later ([`FrameOrder::Late`]); they do not count as lost.
    pub late: u32,
    /// Good frames of a kind that version 1 does not know.
    pub unknown: u32,
}

/// Decodes a stream that comes in chunks, with frames of up to `N` bytes before COBS ([`MAX_FRAME`](super::MAX_FRAME) admits every legal
/// frame).
#[derive(Clone, Debug)]
pub struct Decoder<const N: usize> {
    frame: Vec<u8, N>,
    counts: Counts,
    /// Bytes since the last delimiter.
    pending: u64,
    /// Bytes of the current COBS group that have not arrived yet.
    group: u8,
    /// A zero follows the current group, unless the frame ends with it.
    zero: bool,
    oversized: bool,
    /// `frame` was handed out; the next call empties it.
    delivered: bool,
    sequence: SequenceTracker,
}

/// Follows the sequence numbers of a stream.
#[derive(Clone, Copy, Debug)]
struct SequenceTracker {
    /// The next sequence number; `None` before the first frame.
    next: Option<u16>,
    /// Which of the 64 frames before `next` have arrived: bit 0 is the one directly before it.
    seen: u64,
    /// The last frame was the header of a new stream.
    started: bool,
}

impl SequenceTracker {
    const fn new() -> Self {
        Self { next: None, seen: 0, started: false }
    }

    /// Returns the order of a frame and the number of frames missing before it.
    fn classify(&mut self, kind: RecordKind, number: u16) -> (FrameOrder, u16) {
        // A header with number 0 starts a stream anew.
        let starts = kind == RecordKind::HEADER && number == 0;
        let Some(next) = self.next.filter(|_| !starts || self.started) else {
            *self = Self { next: Some(number.wrapping_add(1)), seen: 1, started: starts };
            return (FrameOrder::Next, 0);
        };
        // A number further back than the window is not a copy but a jump: many frames are missing, or the sender began anew.
        let back = next.wrapping_sub(1).wrapping_sub(number);
        if let Some(bit) = 1u64.checked_shl(back.into()) {
            let order = if self.seen & bit == 0 { FrameOrder::Late } else { FrameOrder::Repeated };
            self.seen |= bit;
            return (order, 0);
        }
        let lost = number.wrapping_sub(next);
        self.seen = self.seen.checked_shl(u32::from(lost).saturating_add(1)).unwrap_or(0) | 1;
        (self.next, self.started) = (Some(number.wrapping_add(1)), false);
        (FrameOrder::Next, lost)
    }
}

impl<const N: usize> Default for Decoder<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Decoder<N> {
    /// Returns a decoder for a stream from its start or from anywhere in it.
    pub const fn new() -> Self {
        Self {
            frame: Vec::new(),
            counts: Counts {
                bytes: 0,
                good_bytes: 0,
                dropped_bytes: 0,
                idle_bytes: 0,
                frames: 0,
                damaged: 0,
                oversized: 0,
                lost: 0,
                repeated: 0,
                late: 0,
                unknown: 0,
            },
            pending: 0,
            group: 0,
            zero: false,
            oversized: false,
            delivered: false,
            sequence: SequenceTracker::new(),
        }
    }

    /// Takes bytes from the front of `chunk` up to the next event, which it returns. `None`: `chunk` is empty now.
    pub fn feed(&mut self, chunk: &mut &[u8]) -> Option<Event<'_>> {
        if self.delivered {
            self.restart();
        }
        while !chunk.is_empty() {
            self.take_group(chunk);
            let Some((&byte, rest)) = chunk.split_first() else { break };
            *chunk = rest;
            self.count(1);
            if byte != 0 {
                self.start_group(byte);
            } else if self.pending == 1 {
                self.counts.idle_bytes = self.counts.idle_bytes.wrapping_add(1);
                self.pending = 0;
            } else {
                return Some(self.close());
            }
        }
        None
    }

    /// Ends the stream: counts and reports the bytes of a frame that has not ended.
    pub fn finish(&mut self) -> Option<Event<'_>> {
        if self.delivered {
            self.restart();
        }
        (self.pending > 0).then(|| self.drop_frame(FrameFault::Unfinished))
    }

    /// Returns the counts so far.
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns how many bytes have arrived of a frame that has not ended yet.
    pub const fn pending(&self) -> u64 {
        if self.delivered { 0 } else { self.pending }
    }

    /// Moves the bytes of the current group from `chunk` to the frame, up to a zero, which is never part of a group.
    fn take_group(&mut self, chunk: &mut &[u8]) {
        let run = chunk.get(..usize::from(self.group)).unwrap_or(chunk);
        let len = run.iter().position(|&byte| byte == 0).unwrap_or(run.len());
        let Some((bytes, rest)) = chunk.split_at_checked(len) else { return };
        self.store(bytes);
        *chunk = rest;
        self.group = self.group.wrapping_sub(len as u8);
        self.count(len as u64);
    }

    /// Starts a group with its code byte: the distance to the next code.
    fn start_group(&mut self, code: u8) {
        // The previous group is complete: a delimiter inside of it would have ended the frame in `close`.
        if self.zero {
            self.store(&[0]);
        }
        self.group = code.wrapping_sub(1);
        self.zero = code != u8::MAX;
    }

    fn store(&mut self, bytes: &[u8]) {
        self.oversized |= self.frame.extend_from_slice(bytes).is_err();
    }

    fn count(&mut self, bytes: u64) {
        self.counts.bytes = self.counts.bytes.wrapping_add(bytes);
        self.pending = self.pending.wrapping_add(bytes);
    }

    /// Ends a frame at its delimiter: checks and counts it. The frame's state is cleared by the next call, because the event borrows the
    /// payload.
    fn close(&mut self) -> Event<'_> {
        if self.oversized {
            return self.drop_frame(FrameFault::Oversized);
        }
        if self.group > 0 || !Frame::is_good(&self.frame) {
            return self.drop_frame(FrameFault::Damaged);
        }
        let at = self.start();
        self.delivered = true;
        let frame = Frame::split(&self.frame);
        let (order, lost) = self.sequence.classify(frame.kind, frame.sequence);
        let counts = &mut self.counts;
        match order {
            FrameOrder::Next => {}
            FrameOrder::Repeated => counts.repeated = counts.repeated.wrapping_add(1),
            FrameOrder::Late => {
                counts.late = counts.late.wrapping_add(1);
                counts.lost = counts.lost.saturating_sub(1);
            }
        }
        counts.good_bytes = counts.good_bytes.wrapping_add(self.pending);
        counts.frames = counts.frames.wrapping_add(1);
        counts.lost = counts.lost.wrapping_add(lost.into());
        counts.unknown = counts.unknown.wrapping_add((!frame.kind.is_known()).into());
        Event::Frame { frame, at, lost, order }
    }

    fn drop_frame(&mut self, fault: FrameFault) -> Event<'_> {
        let (at, bytes) = (self.start(), self.pending);
        let counts = &mut self.counts;
        counts.dropped_bytes = counts.dropped_bytes.wrapping_add(bytes);
        match fault {
            FrameFault::Oversized => counts.oversized = counts.oversized.wrapping_add(1),
            FrameFault::Damaged | FrameFault::Unfinished => counts.damaged = counts.damaged.wrapping_add(1),
        }
        self.restart();
        Event::Dropped { fault, at, bytes }
    }

    fn start(&self) -> u64 {
        self.counts.bytes.wrapping_sub(self.pending)
    }

    fn restart(&mut self) {
        self.frame.clear();
        self.pending = 0;
        self.group = 0;
        self.zero = false;
        self.oversized = false;
        self.delivered = false;
    }
}
