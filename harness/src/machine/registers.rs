//! The register file of a thread.
//!
//! General registers (GRF), address registers, flags and control registers share one array of bytes, so that an operand in any of them
//! is a byte offset. The accumulators are separate, with 64 bits a lane: enough for an exact product of two dwords.

pub mod at;

pub use at::{COUNT, GENERAL, REGISTER};

/// Bits of cr0.0.
pub mod control {
    /// Lowest of the two bits of the rounding mode: 0 nearest even, 1 up, 2 down, 3 towards zero.
    pub const ROUNDING_SHIFT: u32 = 4;
    /// Keeps denormal doubles.
    pub const DENORMAL_DOUBLE: u32 = 1 << 6;
    /// Keeps denormal floats.
    pub const DENORMAL_FLOAT: u32 = 1 << 7;
    /// Keeps denormal half floats.
    pub const DENORMAL_HALF: u32 = 1 << 10;
}

/// The registers of a thread.
#[derive(Clone, Debug)]
pub struct Registers {
    /// The general registers, then the architecture registers, at the byte offsets in [`at`].
    pub bytes: Box<[u8; at::END]>,
    /// acc0, acc1 and the accumulators after them, 8 elements each, one a lane: signed integers sign-extended, floats as their bits.
    pub accumulator: [u64; 96],
}

impl Default for Registers {
    fn default() -> Self {
        Self { bytes: Box::new([0; at::END]), accumulator: [0; 96] }
    }
}

impl Registers {
    /// Reads the dword at byte `offset` of the array.
    #[inline]
    pub fn dword(&self, offset: usize) -> u32 {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&self.bytes[offset..offset + 4]);
        u32::from_le_bytes(bytes)
    }

    /// Writes the dword at byte `offset` of the array.
    #[inline]
    pub fn set_dword(&mut self, offset: usize, value: u32) {
        self.bytes[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
    }

    /// Reads the word at byte `offset` of the array.
    #[inline]
    pub fn word(&self, offset: usize) -> u16 {
        u16::from_le_bytes([self.bytes[offset], self.bytes[offset + 1]])
    }

    /// Returns all 32 bits of flag register `number` (0 or 1).
    #[inline]
    pub fn flag(&self, number: u8) -> u32 {
        self.dword(at::FLAGS + usize::from(number & 1) * 4)
    }

    /// Sets all 32 bits of flag register `number`.
    #[inline]
    pub fn set_flag(&mut self, number: u8, value: u32) {
        self.set_dword(at::FLAGS + usize::from(number & 1) * 4, value);
    }

    /// Returns control register cr0.0.
    #[inline]
    pub fn control(&self) -> u32 {
        self.dword(at::CONTROL)
    }

    /// Returns word `index` (0..16) of address register a0.
    #[inline]
    pub fn address(&self, index: usize) -> u16 {
        self.word(at::ADDRESS + (index & 15) * 2)
    }
}
