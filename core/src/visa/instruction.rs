//! Walks an instruction stream: one instruction after another, each with its exact length.

use super::opcodes::{self, Sizes};
use super::{Media, SamplerInstruction, Version};
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
    /// Walks `code`, whose first byte is at `offset` of the file (offsets are reported, nothing else).
    pub const fn new(code: &'a [u8], offset: usize, version: Version) -> Self {
        Self { rest: code, offset, version, sizes: Sizes::new(version) }
    }

    /// The next instruction; `Ok(None)` at the end. After an error the walk is over: without the length of
    /// an instruction there is no way to find the next one (go on with the next kernel or function).
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
                return Err(error.based(offset));
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

/// One instruction: its bytes, where they are, and the version that says what they mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct VisaInstruction<'a> {
    bytes: &'a [u8],
    offset: usize,
    version: Version,
}

impl<'a> VisaInstruction<'a> {
    /// The instruction at the start of `bytes`; what follows is ignored.
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

    /// The opcode's name (`3d_sample`, `mov`, `lsc_load`, ...): what kind of instruction it is.
    /// Sampler instructions have more to say, see [`SamplerInstruction`].
    pub fn mnemonic(&self) -> &'static str {
        opcodes::mnemonic(self.opcode(), self.bytes.get(1).copied().unwrap_or(0)).unwrap_or_default()
    }

    /// The sampler instruction (opcodes 0x6d to 0x70); `None` for the others.
    ///
    /// # Errors
    /// As [`SamplerInstruction::decode`], with offsets in the file.
    #[inline]
    pub fn sampler(&self) -> Result<Option<SamplerInstruction<'a>>> {
        match self.opcode() {
            0x6d..=0x70 => SamplerInstruction::decode(self.bytes, self.version)
                .map(Some)
                .map_err(|e| e.based(self.offset)),
            _ => Ok(None),
        }
    }

    /// The media sampler instruction (opcodes 0x40 to 0x44 and 0x4d); `None` for the others.
    ///
    /// # Errors
    /// As [`Media::decode`], with offsets in the file.
    pub fn media(&self) -> Result<Option<Media<'a>>> {
        match self.opcode() {
            0x40..=0x44 | 0x4d => {
                Media::decode(self.bytes, self.version).map(Some).map_err(|e| e.based(self.offset))
            }
            _ => Ok(None),
        }
    }
}
