//! `texwire trace join`

use crate::cli::inputs::{self, CommandResult};
use crate::console::{complain, say_of};
use crate::output::OutputFile;
use std::io::Write;
use std::path::{Path, PathBuf};
use texwire::trace::{Decoder, Event, Frame, FrameOrder, MAX_FRAME, Record, RecordKind, Writer, encoded_len};

/// The joined trace, frame by frame.
struct Joined {
    out: OutputFile,
    buffer: Vec<u8>,
    /// The number of the next frame.
    next: u16,
    frames: u64,
}

impl Joined {
    /// Appends a frame of an input unchanged but for its number, which is `number` in this stream.
    fn frame(&mut self, frame: &Frame<'_>, number: u16) -> Result<(), Box<dyn std::error::Error>> {
        let len = Frame { sequence: number, ..*frame }.encode(&mut self.buffer)?;
        self.out.write_all(&self.buffer[..len])?;
        self.next = number.wrapping_add(1);
        self.frames += 1;
        Ok(())
    }

    /// Writes a [`Record::Lost`] for a missing frame that no gap in the frame numbers shows.
    fn lost(&mut self) -> Result<(), Box<dyn std::error::Error>> {
        let mut writer = Writer::resume(&mut self.buffer, self.next);
        writer.write(&Record::Lost(1))?;
        self.next = writer.sequence();
        self.out.write_all(writer.bytes())?;
        Ok(())
    }
}

/// Puts the good frames of all inputs one after the other.
///
/// The differences between frame numbers are kept, so that a reader of the joined trace sees which frames are missing. A header with
/// number 0 starts a stream, in the joined trace as well; an input that begins inside a stream continues the numbers of the input before.
pub(super) fn join(traces: &[PathBuf], out: &Path) -> CommandResult {
    let inputs: Vec<&Path> = traces.iter().map(PathBuf::as_path).collect();
    let file = OutputFile::create(out, &inputs)?;
    let mut joined = Joined { out: file, buffer: vec![0; encoded_len(MAX_FRAME)], next: 0, frames: 0 };
    let mut whole = true;
    for path in traces {
        whole &= append(path, &mut joined)?;
    }
    let frames = joined.frames;
    if frames == 0 {
        return Err(format!("nothing to join at {}: no frame", traces[0].display()).into());
    }
    joined.out.commit()?;
    say_of(out, &format!("{frames} frames of {} traces", traces.len()));
    Ok(whole)
}

/// Appends an input. Returns whether no bytes of it were dropped and no frame is missing or out of order.
fn append(path: &Path, joined: &mut Joined) -> CommandResult {
    let bytes = inputs::read(path)?;
    let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
    let mut rest = bytes.as_slice();
    // Added to the frame numbers of this input to get those of the joined trace.
    let mut offset = None;
    let mut whole = true;
    // Bytes were dropped, and no frame has followed whose number shows how many frames are missing.
    let mut unseen = false;
    let name = path.display();
    loop {
        let event = match decoder.feed(&mut rest) {
            Some(event) => event,
            None => match decoder.finish() {
                Some(event) => event,
                None => break,
            },
        };
        match event {
            Event::Dropped { fault, at, bytes } => {
                complain!("{bytes} bytes dropped at {name} byte {at:#x}: {fault}");
                (whole, unseen) = (false, true);
            }
            Event::Frame { frame, at, lost, order } => {
                let starts =
                    frame.kind == RecordKind::HEADER && frame.sequence == 0 && order == FrameOrder::Next;
                if starts && std::mem::take(&mut unseen) {
                    joined.lost()?;
                }
                unseen = false;
                if lost > 0 {
                    complain!("{lost} frames missing at {name} byte {at:#x}");
                }
                if order != FrameOrder::Next {
                    complain!("frame #{} out of order at {name} byte {at:#x}", frame.sequence);
                }
                whole &= lost == 0 && order == FrameOrder::Next;
                if starts {
                    offset = Some(0);
                }
                let offset = *offset.get_or_insert(joined.next.wrapping_sub(frame.sequence));
                let next = joined.next;
                joined.frame(&frame, frame.sequence.wrapping_add(offset))?;
                if order != FrameOrder::Next {
                    joined.next = next;
                }
            }
        }
    }
    if unseen {
        joined.lost()?;
    }
    Ok(whole)
}
