//! Checks that the streams of a trace are complete to their ends, which frame numbers alone do not show.

use texwire::trace::{Event, FrameOrder, Record, RecordKind};

/// Follows the streams of a trace and checks that each has the end record that it announces, with the right count of frames.
#[derive(Clone, Copy, Debug, Default)]
pub struct Integrity {
    stream: Option<Stream>,
    /// Frames that the sender itself reported as dropped.
    pub dropped_by_sender: u64,
    /// Streams that are not complete: an announced end record is missing, or it counts other frames than came.
    pub broken: u64,
}

/// The stream that is read at present.
#[derive(Clone, Copy, Debug, Default)]
struct Stream {
    /// Its first frame was a header with number 0: all frames can be counted.
    from_start: bool,
    /// A header said that an end record comes.
    announces_end: bool,
    ended: bool,
    /// Frames so far, including the lost ones.
    frames: u64,
}

impl Integrity {
    /// Follows an event of the decoder. Returns what is wrong with the stream at this event or before it; `None`: nothing.
    pub fn event(&mut self, event: &Event<'_>) -> Option<String> {
        let Event::Frame { frame, lost, order, .. } = event else { return None };
        if *order == FrameOrder::Repeated {
            return Some(format!("frame #{} comes again", frame.sequence));
        }
        let starts = frame.kind == RecordKind::HEADER && frame.sequence == 0;
        let before = if starts { self.finish() } else { None };
        let record = frame.record().ok().flatten();
        let stream = self.stream.get_or_insert(Stream { from_start: starts, ..Stream::default() });
        let mut wrong = before;
        match record {
            Some(Record::Header(header)) => stream.announces_end |= header.has_end(),
            Some(Record::Lost(count)) => self.dropped_by_sender += u64::from(count),
            Some(Record::End { frames }) => {
                let counted = stream.frames + u64::from(*lost);
                if stream.from_start && counted != frames {
                    self.broken += 1;
                    wrong = Some(format!("{counted} frames before the end record, {frames} were sent"));
                }
                stream.ended = true;
            }
            _ if stream.ended => wrong = Some(format!("frame #{} after the end record", frame.sequence)),
            _ => {}
        }
        if *order == FrameOrder::Late {
            wrong = Some(format!("frame #{} comes late", frame.sequence));
        } else {
            stream.frames += 1 + u64::from(*lost);
        }
        wrong.or_else(|| (*lost > 0).then(|| format!("{lost} frames lost before frame #{}", frame.sequence)))
    }

    /// Ends the present stream. Returns what is missing at its end; `None`: nothing.
    pub fn finish(&mut self) -> Option<String> {
        let stream = self.stream.take()?;
        if stream.announces_end && !stream.ended {
            self.broken += 1;
            return Some("the stream has no end record: its last frames are missing".to_owned());
        }
        None
    }
}
