//! Walks an instruction stream: one instruction after another, each with its exact length.

use super::opcodes::{self, Sizes};
use super::{MediaInstruction, SamplerInstruction, Version};
use crate::error::Result;

/// A walk over a stream of instructions. See [`next`](Self::next).
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Instructions<'a> {
    rest: &'a [u8],
    offset: usize,
    version: Version,
    sizes: Sizes,
}

impl<'a> Instructions<'a> {
    /// Starts a walk over `code`, whose first byte is at `offset` of the file. Only reported offsets depend on `offset`.
    pub const fn new(code: &'a [u8], offset: usize, version: Version) -> Self {
        Self { rest: code, offset, version, sizes: Sizes::new(version) }
    }

    /// Returns the next instruction; `Ok(None)` at the end. An error ends the walk: without the length of an
    /// instruction the next one cannot be found (continue with the next kernel or function).
    ///
    /// # Errors
    /// `Reserved`/`Unknown Opcode`, `Unknown SubOperation`, `Reserved VectorOperand`, `Truncated Instruction`,
    /// with the offset in the file.
    #[inline]
    #[allow(clippy::should_implement_trait, reason = "a lending-free walker that can fail")]
    pub fn next(&mut self) -> Result<Option<VisaInstruction<'a>>> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let offset = self.offset;
        let length = match opcodes::length(self.rest, self.sizes) {
            Ok(length) => length,
            Err(error) => {
                self.rest = &[];
                return Err(error.offset_by(offset));
            }
        };
        let (bytes, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, &[]));
        self.rest = rest;
        self.offset = offset.wrapping_add(length);
        Ok(Some(VisaInstruction { bytes, offset, version: self.version }))
    }

    /// Offset of the next instruction in the file.
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

/// An instruction: its bytes, their offset in the file, and the CISA version that defines their encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct VisaInstruction<'a> {
    bytes: &'a [u8],
    offset: usize,
    version: Version,
}

impl<'a> VisaInstruction<'a> {
    /// Returns the instruction at the start of `bytes`; bytes after it are ignored.
    ///
    /// # Errors
    /// As [`Instructions::next`], and `Truncated Instruction` for no bytes at all.
    pub fn first(bytes: &'a [u8], version: Version) -> Result<Self> {
        let length = opcodes::length(bytes, Sizes::new(version))?;
        Ok(Self { bytes: bytes.get(..length).unwrap_or(bytes), offset: 0, version })
    }

    /// The bytes, opcode first.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Offset of the opcode in the file.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The version of the stream.
    pub const fn version(&self) -> Version {
        self.version
    }

    /// The opcode byte.
    pub fn opcode(&self) -> u8 {
        self.bytes.first().copied().unwrap_or(0)
    }

    /// Returns the name of the opcode or, if it has sub-operations, of the sub-operation (`3d_sample`, `mov`,
    /// `lsc_load`, ...). For sampler instructions, [`SamplerInstruction::operation`] is more specific.
    pub fn mnemonic(&self) -> &'static str {
        opcodes::mnemonic(self.opcode(), self.bytes.get(1).copied().unwrap_or(0)).unwrap_or_default()
    }

    /// Decodes a sampler instruction (opcodes 0x6d to 0x70); `Ok(None)` for other opcodes.
    ///
    /// # Errors
    /// As [`SamplerInstruction::decode`], with offsets in the file.
    #[inline]
    pub fn sampler(&self) -> Result<Option<SamplerInstruction<'a>>> {
        match self.opcode() {
            0x6d..=0x70 => SamplerInstruction::decode(self.bytes, self.version)
                .map(Some)
                .map_err(|e| e.offset_by(self.offset)),
            _ => Ok(None),
        }
    }

    /// Decodes a media sampler instruction (opcodes 0x40 to 0x44 and 0x4d); `Ok(None)` for other opcodes.
    ///
    /// # Errors
    /// As [`MediaInstruction::decode`], with offsets in the file.
    pub fn media(&self) -> Result<Option<MediaInstruction<'a>>> {
        match self.opcode() {
            0x40..=0x44 | 0x4d => MediaInstruction::decode(self.bytes, self.version)
                .map(Some)
                .map_err(|e| e.offset_by(self.offset)),
            _ => Ok(None),
        }
    }
}
