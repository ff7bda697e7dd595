//! Writes records, one frame each, into a caller's buffer.

use super::frame::Cobs;
use super::record::Record;
use crate::error::Result;

/// Appends frames to a buffer and numbers them.
///
/// Firmware empties the buffer when it likes ([`clear`](Self::clear)); the sequence numbers continue.
#[derive(Debug)]
pub struct Writer<'a> {
    buffer: &'a mut [u8],
    len: usize,
    sequence: u16,
}

impl<'a> Writer<'a> {
    /// Starts a stream at sequence number 0.
    pub const fn new(buffer: &'a mut [u8]) -> Self {
        Self::resume(buffer, 0)
    }

    /// Continues a stream whose next frame has number `sequence`.
    pub const fn resume(buffer: &'a mut [u8], sequence: u16) -> Self {
        Self { buffer, len: 0, sequence }
    }

    /// Appends a record. On an error nothing is appended and no number is used.
    ///
    /// # Errors
    /// `Capacity Frame` when the rest of the buffer is too short, `Invalid Frame` when the record
    /// does not fit a frame of [`MAX_FRAME`](super::MAX_FRAME) bytes.
    pub fn write(&mut self, record: &Record<'_>) -> Result<()> {
        let mut cobs = Cobs::new(self.buffer.get_mut(self.len..).unwrap_or_default());
        cobs.head(record.kind(), record.flags(), self.sequence);
        record.parts(&mut |bytes| cobs.put(bytes));
        let taken = cobs.finish()?;
        self.len = self.len.saturating_add(taken);
        self.sequence = self.sequence.wrapping_add(1);
        Ok(())
    }

    /// Counts a frame that the sender drops, so that the reader sees the gap.
    pub const fn skip(&mut self) {
        self.sequence = self.sequence.wrapping_add(1);
    }

    /// Returns the bytes of the frames written since the last [`clear`](Self::clear).
    pub fn bytes(&self) -> &[u8] {
        self.buffer.get(..self.len).unwrap_or_default()
    }

    /// Empties the buffer: the caller has sent its bytes.
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// Returns the number of the next frame.
    pub const fn sequence(&self) -> u16 {
        self.sequence
    }
}
