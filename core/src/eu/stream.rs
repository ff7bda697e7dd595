//! Decodes an instruction stream.

use super::Instruction;
use super::fields::Word;
use crate::error::{Error, Result, What};
use crate::platform::Platform;

/// Bit 29 of an instruction: it is compacted, 8 bytes long instead of 16.
const COMPACTED: u64 = 1 << 29;

/// The instructions of a stream of Gen native code, one after another.
///
/// The stream has no end marker: it ends with its bytes. Lengths come from the compaction bit
/// alone, so undefined opcodes (padding is opcode 0, `illegal`) are walked over as well.
#[derive(Clone, Copy, Debug)]
pub struct Stream<'a> {
    platform: Platform,
    rest: &'a [u8],
    offset: usize,
}

impl<'a> Stream<'a> {
    /// Returns a stream that starts at the first byte of `bytes`.
    pub const fn new(platform: Platform, bytes: &'a [u8]) -> Self {
        Self { platform, rest: bytes, offset: 0 }
    }

    /// Returns the offset of the next instruction from the start, in bytes.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the next instruction; `None` at the end, and always after an error.
    ///
    /// # Errors
    /// `Truncated Instruction` when the bytes end inside one.
    #[inline]
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<Instruction>> {
        let Some((head, tail)) = self.rest.split_first_chunk::<8>() else {
            return self.end(8);
        };
        let lo = u64::from_le_bytes(*head);
        let offset = self.offset;
        if lo & COMPACTED != 0 {
            self.rest = tail;
            self.offset = offset.wrapping_add(8);
            return Ok(Some(Instruction::new(self.platform, Word { lo, hi: 0 }, offset)));
        }
        let Some((head, tail)) = tail.split_first_chunk::<8>() else {
            return self.end(16);
        };
        let hi = u64::from_le_bytes(*head);
        self.rest = tail;
        self.offset = offset.wrapping_add(16);
        Ok(Some(Instruction::new(self.platform, Word { lo, hi }, offset)))
    }

    #[cold]
    fn end(&mut self, needed: usize) -> Result<Option<Instruction>> {
        let truncated = !self.rest.is_empty();
        self.rest = &[];
        if truncated { Err(Error::truncated(What::Instruction, self.offset, needed)) } else { Ok(None) }
    }
}
