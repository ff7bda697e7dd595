//! Encoding: writes instructions as bytes, the inverse of decoding.

use super::Version;
use crate::error::{Error, Kind, Result, What};

/// Bytes of the longest instruction of the sampler family (offsets as a 64-bit immediate and 15 parameters), rounded
/// up. A buffer of this size is always enough for [`SamplerInstruction::encode`](super::SamplerInstruction::encode).
pub const MAX_SAMPLER_BYTES: usize = 128;

/// A writer into a caller's buffer, which never writes past the end.
#[derive(Debug)]
pub(super) struct ByteWriter<'a> {
    buffer: &'a mut [u8],
    length: usize,
}

impl<'a> ByteWriter<'a> {
    pub(super) const fn new(buffer: &'a mut [u8]) -> Self {
        Self { buffer, length: 0 }
    }

    pub(super) const fn len(&self) -> usize {
        self.length
    }

    #[inline]
    pub(super) fn put(&mut self, bytes: &[u8]) -> Result<()> {
        let end = self.length.saturating_add(bytes.len());
        let room = Error::new(Kind::Capacity, What::Instruction).value(end as u64);
        let place = self.buffer.get_mut(self.length..end).ok_or(room)?;
        // Not `copy_from_slice`: it would link the panic for slices of different lengths.
        place.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
        self.length = end;
        Ok(())
    }

    /// Writes an index of a variable or string: four bytes, before 3.4 two, which is an error for an index that does not fit.
    pub(super) fn index(&mut self, index: u32, version: Version) -> Result<()> {
        if version.index_bytes() == 4 {
            return self.put(&index.to_le_bytes());
        }
        let error = Error::new(Kind::Invalid, What::Variable).at(self.length).value(index.into());
        self.put(&u16::try_from(index).map_err(|_| error)?.to_le_bytes())
    }

    /// Replaces the byte at `at`, which was written before.
    pub(super) fn patch(&mut self, at: usize, byte: u8) {
        if let Some(place) = self.buffer.get_mut(at) {
            *place = byte;
        }
    }
}
