//! EAC: one channel of a 4x4 block, 8 bits (ETC2's alpha) or 11 bits, unsigned or signed.
//!
//! Source: Khronos Data Format Specification, ETC2. 64 bits, big-endian here: base 63:56,
//! multiplier 55:52, table 51:48, then a 3-bit index per texel, by columns.

use super::block::Block;
use super::texel::ONE;
use super::{Codec, FormatInfo, Texel, head};

/// The magnitudes of the four negative modifiers, by table; the positive modifiers are one less.
const MODIFIERS: [[u8; 4]; 16] = [
    [3, 6, 9, 15],
    [3, 7, 10, 13],
    [2, 5, 8, 13],
    [2, 4, 6, 13],
    [3, 6, 8, 12],
    [3, 7, 9, 11],
    [4, 7, 8, 11],
    [3, 5, 8, 11],
    [2, 6, 8, 10],
    [2, 5, 8, 10],
    [2, 4, 8, 10],
    [2, 5, 7, 10],
    [3, 4, 7, 10],
    [1, 2, 3, 10],
    [4, 6, 8, 9],
    [3, 5, 7, 9],
];

/// [`MODIFIERS`] by the low two bits of an index: 4 bits for each table, table 0 lowest.
const SIZES: [u64; 4] = sizes();

#[allow(clippy::indexing_slicing, reason = "evaluated at compile time")]
const fn sizes() -> [u64; 4] {
    let mut sizes = [0; 4];
    let mut at = 0;
    while at < 64 {
        sizes[at % 4] |= (MODIFIERS[at / 4][at % 4] as u64) << (at / 4 * 4);
        at += 1;
    }
    sizes
}

/// One channel of a block: bits 63:32 and 31:0.
#[derive(Clone, Copy)]
pub(super) struct EacChannel {
    high: u32,
    low: u32,
}

impl EacChannel {
    pub(super) fn new(element: &[u8]) -> Self {
        let word = u64::from_le_bytes(head(element));
        Self::of_words(word as u32, (word >> 32) as u32)
    }

    /// Makes a channel from the block's two words, each read from memory as little-endian.
    #[inline(always)]
    pub(super) const fn of_words(first: u32, second: u32) -> Self {
        Self { high: first.swap_bytes(), low: second.swap_bytes() }
    }

    #[inline(always)]
    const fn base(self) -> i32 {
        (self.high >> 24) as i32
    }

    #[inline(always)]
    const fn multiplier(self) -> i32 {
        (self.high >> 20 & 15) as i32
    }

    /// Returns the 3-bit index of a texel.
    #[inline(always)]
    pub(super) const fn index(self, x: u32, y: u32) -> u32 {
        let at = 45_u32.wrapping_sub(x.wrapping_mul(12)).wrapping_sub(y.wrapping_mul(3));
        // The index lies in bits 31:0, or in bits 47:16.
        let bits = if at < 16 { self.low } else { self.high << 16 | self.low >> 16 };
        bits.wrapping_shr(if at < 16 { at } else { at.wrapping_sub(16) }) & 7
    }

    /// Returns the modifier of an index. (Compilers do not vectorise a look-up in a table of tables such as [`MODIFIERS`].)
    #[inline(always)]
    fn modifier(self, index: u32) -> i32 {
        let [a, b, c, d] = SIZES;
        let (even, odd) = if index & 2 != 0 { (c, d) } else { (a, b) };
        let sizes = if index & 1 != 0 { odd } else { even };
        let size = (sizes >> (self.high >> 14 & 60) & 15) as i32;
        if index < 4 { size.wrapping_neg() } else { size.wrapping_sub(1) }
    }

    /// Returns the values of all texels in raster order; `value` computes the value of an index.
    pub(super) fn all(self, value: impl Fn(u32) -> u32) -> [u32; 16] {
        let values = [0, 1, 2, 3, 4, 5, 6, 7].map(value);
        let mut all = [0; 16];
        for (out, i) in all.iter_mut().zip(0..) {
            *out = values.get(self.index(i & 3, i >> 2) as usize).copied().unwrap_or_default();
        }
        all
    }

    /// Returns the 8-bit value of an index.
    #[inline(always)]
    pub(super) fn eight(self, index: u32) -> u32 {
        let offset = self.modifier(index).wrapping_mul(self.multiplier());
        self.base().wrapping_add(offset).clamp(0, 255) as u32
    }

    /// Returns the 11-bit value of an index: 0 to 2047, or -1023 to 1023 if `signed`.
    #[inline(always)]
    pub(super) fn eleven(self, index: u32, signed: bool) -> i32 {
        let multiplier = self.multiplier();
        let step = if multiplier == 0 { 1 } else { multiplier.wrapping_mul(8) };
        let offset = self.modifier(index).wrapping_mul(step);
        let base = self.base();
        if signed {
            let base = i32::from(base as u8 as i8).max(-127);
            base.wrapping_mul(8).wrapping_add(offset).clamp(-1023, 1023)
        } else {
            base.wrapping_mul(8).wrapping_add(4).wrapping_add(offset).clamp(0, 2047)
        }
    }

    /// Returns the value of an index as the bits of an f32: UNORM (divided by 2047) or SNORM (divided by 1023).
    fn value(self, index: u32, signed: bool) -> u32 {
        let largest = if signed { 1023.0 } else { 2047.0 };
        (self.eleven(index, signed) as f32 / largest).to_bits()
    }
}

/// An EAC_R11 or EAC_RG11 block.
pub(super) struct Eac11 {
    r: EacChannel,
    g: Option<EacChannel>,
    signed: bool,
}

impl Eac11 {
    pub(super) fn new(info: &FormatInfo, element: &[u8]) -> Self {
        let signed = matches!(info.codec, Codec::EacSnorm | Codec::EacRgSnorm);
        let two = matches!(info.codec, Codec::EacRgUnorm | Codec::EacRgSnorm);
        let second = || EacChannel::new(element.get(8..).unwrap_or_default());
        Self { r: EacChannel::new(element), g: two.then(second), signed }
    }
}

impl Block for Eac11 {
    fn texel(&self, i: u32) -> Texel {
        let value = |channel: EacChannel| channel.value(channel.index(i & 3, i >> 2), self.signed);
        [value(self.r), self.g.map_or(0, value), 0, ONE]
    }

    fn texels(&self, out: &mut [Texel; 16]) {
        let values = |channel: EacChannel| channel.all(|index| channel.value(index, self.signed));
        let (r, g) = (values(self.r), self.g.map_or([0; 16], values));
        for ((texel, r), g) in out.iter_mut().zip(r).zip(g) {
            *texel = [r, g, 0, ONE];
        }
    }
}
