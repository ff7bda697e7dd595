//! One instruction of the stream, of any opcode.

use super::fields::Word;
use super::{Opcode, SendInstruction};
use crate::error::{Error, Kind, Result, What};
use crate::platform::Platform;

/// An instruction: its bits, its offset in the stream and its platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Instruction {
    word: Word,
    offset: usize,
    platform: Platform,
}

impl Instruction {
    #[inline]
    pub(super) const fn new(platform: Platform, word: Word, offset: usize) -> Self {
        Self { word, offset, platform }
    }

    /// Returns the offset in bytes from the start of the stream.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the bits; a compacted instruction has only the lower half.
    pub const fn word(&self) -> Word {
        self.word
    }

    /// Returns the platform that the instruction was decoded for.
    pub const fn platform(&self) -> Platform {
        self.platform
    }

    /// Returns true if the instruction has the 8-byte form.
    pub const fn is_compacted(&self) -> bool {
        self.word.lo >> 29 & 1 == 1
    }

    /// Returns the length in bytes, 8 or 16.
    pub const fn len(&self) -> usize {
        if self.is_compacted() { 8 } else { 16 }
    }

    /// Returns false: every instruction has bytes.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Returns the opcode, 7 bits.
    pub const fn opcode(&self) -> u8 {
        (self.word.lo & 0x7f) as u8
    }

    /// Returns what the opcode means on the instruction's platform.
    ///
    /// # Errors
    /// `Unknown Opcode` when the opcode is not defined.
    pub fn operation(&self) -> Result<Opcode> {
        let error = Error::new(Kind::Unknown, What::Opcode).at(self.offset).value(u64::from(self.opcode()));
        Opcode::new(self.platform, self.opcode()).ok_or(error)
    }

    /// Decodes the send; `Ok(None)` if the instruction is not a send.
    ///
    /// # Errors
    /// As [`SendInstruction::decode`], with this instruction's offset.
    #[inline(always)]
    pub fn send(&self) -> Result<Option<SendInstruction>> {
        SendInstruction::decode_inline(self.platform, self.word).map_err(|error| error.offset_by(self.offset))
    }
}
