//! Frames: COBS, CRC-32 and the four-byte head.
//!
//! ```text
//! byte  0      1      2..4      4..          len-4..
//!       kind   flags  sequence  payload      CRC-32/ISO-HDLC of everything before
//! ```
//! COBS (consistent overhead byte stuffing, Cheshire and Baker 1999) replaces each zero by the
//! distance to the next one, so that a zero byte on the wire is always the end of a frame.

use super::record::{Record, RecordKind};
use crate::error::{self, Error, Result, What};

/// Bytes of a frame before COBS: head, payload and CRC.
pub const MAX_FRAME: usize = 2048;
/// Bytes of a frame that are not payload: head and CRC.
pub const OVERHEAD: usize = HEAD + CRC_BYTES;

pub(super) const HEAD: usize = 4;
pub(super) const CRC_BYTES: usize = 4;
/// Bytes of the longest COBS group with its code.
const GROUP: usize = 255;

static CRC: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);

/// A frame whose CRC is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Frame<'a> {
    /// The kind of the payload.
    pub kind: RecordKind,
    /// Bit 0 of a visa message: 16-bit parameters. Other bits are 0 in version 1.
    pub flags: u8,
    /// The frame's number in its stream, modulo 65536.
    pub sequence: u16,
    /// The record's bytes.
    pub payload: &'a [u8],
}

/// Returns the most bytes that a frame with `payload` bytes takes on the wire, delimiter included.
pub const fn encoded_len(payload: usize) -> usize {
    let len = payload.saturating_add(OVERHEAD);
    len.saturating_add(len / (GROUP - 1)).saturating_add(2)
}

impl<'a> Frame<'a> {
    /// Returns true if `bytes` (after COBS decoding) hold at least a head and end in the CRC of all bytes before it.
    pub(super) fn is_good(bytes: &[u8]) -> bool {
        bytes
            .split_last_chunk::<CRC_BYTES>()
            .is_some_and(|(body, crc)| body.len() >= HEAD && CRC.checksum(body) == u32::from_le_bytes(*crc))
    }

    /// Splits `bytes` that [are good](Self::is_good) into the parts of a frame.
    pub(super) fn split(bytes: &'a [u8]) -> Self {
        let (body, _) = bytes.split_last_chunk::<CRC_BYTES>().unwrap_or((&[], &[0; CRC_BYTES]));
        let (&[kind, flags, s0, s1], payload) = body.split_first_chunk().unwrap_or((&[0; HEAD], &[]));
        Self { kind: RecordKind(kind), flags, sequence: u16::from_le_bytes([s0, s1]), payload }
    }

    /// Parses the record; `None` for a kind that version 1 does not know.
    ///
    /// # Errors
    /// As [`Record::parse`].
    pub fn record(&self) -> Result<Option<Record<'a>>> {
        Record::parse(self.kind, self.flags, self.payload)
    }

    /// Writes the frame to the start of `out`, delimiter included, and returns how many bytes it took.
    ///
    /// # Errors
    /// `Invalid Frame` when it is longer than [`MAX_FRAME`], `Capacity Frame` when `out` is too short.
    pub fn encode(&self, out: &mut [u8]) -> Result<usize> {
        let mut cobs = Cobs::new(out);
        cobs.head(self.kind, self.flags, self.sequence);
        cobs.put(self.payload);
        cobs.finish()
    }
}

/// Writes one frame: encodes COBS and computes the CRC as bytes arrive.
pub(super) struct Cobs<'a> {
    out: &'a mut [u8],
    /// Position in `out` of the current group's code.
    code_at: usize,
    /// Position in `out` of the next byte.
    at: usize,
    /// Bytes so far, before COBS.
    len: usize,
    digest: crc::Digest<'static, u32>,
}

impl<'a> Cobs<'a> {
    pub(super) fn new(out: &'a mut [u8]) -> Self {
        Self { out, code_at: 0, at: 1, len: 0, digest: CRC.digest() }
    }

    pub(super) fn head(&mut self, kind: RecordKind, flags: u8, sequence: u16) {
        self.put(&[kind.0, flags]);
        self.put(&sequence.to_le_bytes());
    }

    /// Appends `bytes` of the body.
    pub(super) fn put(&mut self, bytes: &[u8]) {
        self.digest.update(bytes);
        self.stuff(bytes);
    }

    fn stuff(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == 0 {
                self.close_group();
            } else {
                self.store(self.at, byte);
                self.at = self.at.saturating_add(1);
                if self.group_len() == GROUP {
                    self.close_group();
                }
            }
        }
        self.len = self.len.saturating_add(bytes.len());
    }

    /// Returns how many bytes the current group has, its code included.
    fn group_len(&self) -> usize {
        self.at.wrapping_sub(self.code_at)
    }

    fn close_group(&mut self) {
        self.store(self.code_at, self.group_len() as u8);
        self.code_at = self.at;
        self.at = self.at.saturating_add(1);
    }

    /// Stores a byte. Bytes past the end of the buffer are counted but not stored; `finish` reports them.
    fn store(&mut self, at: usize, byte: u8) {
        if let Some(slot) = self.out.get_mut(at) {
            *slot = byte;
        }
    }

    /// Appends the CRC and the delimiter.
    pub(super) fn finish(mut self) -> Result<usize> {
        let crc = self.digest.clone().finalize();
        self.stuff(&crc.to_le_bytes());
        if self.len > MAX_FRAME {
            return Err(Error::new(error::Kind::Invalid, What::Frame).value(self.len as u64));
        }
        self.close_group();
        let end = self.code_at;
        match self.out.get_mut(end) {
            Some(delimiter) => {
                *delimiter = 0;
                Ok(end.saturating_add(1))
            }
            None => Err(Error::new(error::Kind::Capacity, What::Frame).value(end.saturating_add(1) as u64)),
        }
    }
}
