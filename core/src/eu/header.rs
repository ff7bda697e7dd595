//! The message header: one register before the parameters.
//!
//! | M0.2 | field |
//! |---|---|
//! | 3:0, 7:4, 11:8 | R, V, U offset, signed |
//! | 15:12 | channel write mask, inverted: bit 12 red .. 15 alpha, 1 = not returned |
//! | 17:16 | gather4 source channel |
//! | 22 | SIMD4x2 for SIMD mode 0 |
//! | 23 | return the pixel null mask |
//!
//! M0.3 is the sampler state pointer: bits 31:5 are an offset from the dynamic state base; bit 0
//! marks a bindless handle. The other dwords are ignored.

use crate::bits::sign_extend;
use crate::message::Channels;

/// The dwords of a sampler message header that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MessageHeader {
    /// M0.2.
    pub control: u32,
    /// M0.3: the sampler state pointer.
    pub pointer: u32,
}

impl MessageHeader {
    /// Bytes from one group of 16 samplers to the next in the sampler state table: 16 samplers of 16 bytes.
    pub const STEP: u32 = 256;

    /// Reads the header from a register (at least 16 bytes; missing dwords read as 0).
    pub fn from_register(register: &[u8]) -> Self {
        let dword = |at: usize| {
            register.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_le_bytes(*bytes))
        };
        Self { control: dword(8), pointer: dword(12) }
    }

    /// Returns the immediate texel offsets in U, V, R order.
    pub const fn offsets(self) -> [i8; 3] {
        [
            sign_extend(self.control >> 8 & 15, 4) as i8,
            sign_extend(self.control >> 4 & 15, 4) as i8,
            sign_extend(self.control & 15, 4) as i8,
        ]
    }

    /// Returns the channels that are written back.
    pub const fn channels(self) -> Channels {
        Channels::new(!(self.control >> 12) as u8)
    }

    /// Returns the source channel of gather4 and gather4_po: 0 red .. 3 alpha.
    pub const fn gather(self) -> u8 {
        (self.control >> 16 & 3) as u8
    }

    /// Returns true if SIMD mode 0 means SIMD4x2.
    pub const fn simd4x2(self) -> bool {
        self.control >> 22 & 1 == 1
    }

    /// Returns true if the pixel null mask is written back.
    pub const fn null_mask(self) -> bool {
        self.control >> 23 & 1 == 1
    }

    /// Returns true if the pointer is a bindless sampler handle.
    pub const fn bindless(self) -> bool {
        self.pointer & 1 == 1
    }

    /// Returns the offset of the sampler state table from the dynamic state base, in bytes.
    pub const fn table(self) -> u32 {
        self.pointer & !31
    }

    /// Returns M0.2 with these fields, as a compiler writes it.
    pub const fn control_of(offsets: [i8; 3], channels: Channels, gather: u8, null_mask: bool) -> u32 {
        let [u, v, r] = offsets;
        (u as u32 & 15) << 8
            | (v as u32 & 15) << 4
            | (r as u32 & 15)
            | (!channels.mask() as u32 & 15) << 12
            | (gather as u32 & 3) << 16
            | (null_mask as u32) << 23
    }
}
