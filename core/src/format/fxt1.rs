//! FXT1: 8x4 blocks of 16 bytes, in four modes.
//!
//! Source: GL_3DFX_texture_compression_FXT1. The texels of the left 4x4 half come first, then those of the right
//! one; a texel has an index of 2 or 3 bits from bit 0 upward. Bits 127:125 are the mode. Colours have
//! 5 bits a channel, blue lowest.

use super::convert::unorm8;
use super::{Texel, head};
use crate::bits::get128;

/// R, G, B, A of 8 bits.
type Rgba8 = [u32; 4];

const TRANSPARENT: Rgba8 = [0; 4];

struct Fxt1(u128);

/// Widens `v` from 5 or 6 bits to 8; `largest` is 31 or 63.
// Inlined, so that divisors are constants.
#[inline(always)]
const fn widen(v: u32, largest: u32) -> u32 {
    (255 * v + largest / 2) / largest
}

/// Returns step `k` of `n` from `a` to `b`, rounded.
fn mix(k: u32, n: u32, a: Rgba8, b: Rgba8) -> Rgba8 {
    let mut mixed = [0; 4];
    for ((out, a), b) in mixed.iter_mut().zip(a).zip(b) {
        *out = ((n - k) * a + k * b + n / 2) / n;
    }
    mixed
}

impl Fxt1 {
    fn field(&self, at: u32, width: u32) -> u32 {
        get128(self.0, at, width) as u32
    }

    fn opaque(&self, at: u32) -> Rgba8 {
        let [r, g, b] = [10, 5, 0].map(|place| widen(self.field(at + place, 5), 31));
        [r, g, b, 255]
    }

    fn with_alpha(&self, at: u32, alpha_at: u32) -> Rgba8 {
        let [r, g, b, _] = self.opaque(at);
        [r, g, b, widen(self.field(alpha_at, 5), 31)]
    }

    /// Mode HI: seven colours between two endpoints, and a transparent one.
    fn high(&self, texel: u32) -> Rgba8 {
        match self.field(3 * texel, 3) {
            7 => TRANSPARENT,
            k => mix(k, 6, self.opaque(96), self.opaque(111)),
        }
    }

    /// Modes CHROMA and ALPHA. CHROMA has four colours. ALPHA has three colours with alpha and a transparent one, or, if bit 124
    /// is set, four colours between two endpoints with alpha for each half.
    fn listed(&self, texel: u32, index: u32) -> Rgba8 {
        let chroma = self.field(125, 3) == 2;
        let line = self.field(124, 1) == 1;
        match (chroma, line, index) {
            (true, _, _) => self.opaque(64 + 15 * index),
            (false, false, 3) => TRANSPARENT,
            (false, false, _) => self.with_alpha(64 + 15 * index, 109 + 5 * index),
            (false, true, _) => {
                let half = texel / 16;
                mix(index, 3, self.with_alpha(64 + 30 * half, 109 + 10 * half), self.with_alpha(79, 114))
            }
        }
    }

    /// Mode MIXED: four colours between two endpoints with 6 bits of green for each half; if bit 124 is set, three colours and
    /// a transparent one.
    fn mixed(&self, texel: u32, index: u32) -> Rgba8 {
        let half = texel / 16;
        let (at, low) = (64 + 30 * half, self.field(125 + half, 1));
        let green = |at: u32, low: u32| widen(self.field(at + 5, 5) << 1 | low, 63);
        let [mut first, mut second] = [at, at + 15].map(|at| self.opaque(at));
        let [_, g, ..] = &mut second;
        *g = green(at + 15, low);
        if self.field(124, 1) == 0 {
            let [_, g, ..] = &mut first;
            *g = green(at, low ^ self.field(1 + 32 * half, 1));
            return mix(index, 3, first, second);
        }
        match index {
            0 => first,
            1 => {
                let [r, g, b, _] = first;
                let [r1, g1, b1, _] = second;
                [(r + r1) / 2, (g + g1) / 2, (b + b1) / 2, 255]
            }
            2 => second,
            _ => TRANSPARENT,
        }
    }
}

/// Decodes texel (`x`, `y`) of a block.
pub(super) fn texel(element: &[u8], x: u32, y: u32) -> Texel {
    let block = Fxt1(u128::from_le_bytes(head(element)));
    let texel = 16 * (x / 4) + 4 * y + x % 4;
    let index = block.field(2 * texel, 2);
    let colour = match block.field(125, 3) {
        0 | 1 => block.high(texel),
        2 | 3 => block.listed(texel, index),
        _ => block.mixed(texel, index),
    };
    colour.map(|c| unorm8(c as u8).to_bits())
}

#[cfg(test)]
mod tests {
    /// Modes CHROMA, HI and MIXED. In MIXED the lowest of the 6 bits of green is one of the mode's bits.
    #[test]
    fn by_hand() {
        let texel = |bits: u128, x, y| super::texel(&bits.to_le_bytes(), x, y).map(f32::from_bits);
        let eight = |v: u32| v as f32 / 255.0;
        // Chroma: colour 1 at bit 79 is pure red; texel (1, 0) has index 1, at bit 2.
        let chroma = 2_u128 << 125 | 0x1f_u128 << 89 | 1 << 2;
        assert_eq!(texel(chroma, 1, 0), [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(texel(chroma, 0, 0), [0.0, 0.0, 0.0, 1.0]);
        // High: index 7 is transparent; 3 of 6 between black at 96 and white at 111.
        let high = 0x7fff_u128 << 111 | 7 | 3 << 3;
        assert_eq!(texel(high, 0, 0), [0.0; 4]);
        assert_eq!(texel(high, 1, 0), [eight(128), eight(128), eight(128), 1.0]);
        // The right half begins with texel 16.
        assert_eq!(texel(2_u128 << 125 | 0x1f_u128 << 64, 4, 0), [0.0, 0.0, 1.0, 1.0]);
        // Mixed with transparency: the mean of green 63 (6 bits) and 0.
        let mixed = 4_u128 << 125 | 1 << 124 | 0x1f_u128 << 84 | 1 << 125 | 1;
        assert_eq!(texel(mixed, 0, 0), [0.0, eight(127), 0.0, 1.0]);
        assert_eq!(texel(mixed | 3, 0, 0), [0.0; 4]);
        // Without: the left half from red to green, the right one from blue to white. The lowest bit of green is bit 125 or 126 for
        // the second colour of a half; the upper bit of the half's first index inverts it for the first colour.
        let mixed = 4_u128 << 125 | 0x7fff_u128 << 109 | 0x1f_u128 << 94 | 0x1f_u128 << 84 | 0x1f_u128 << 74;
        let left = mixed | 1 << 125 | 3;
        assert_eq!(texel(left, 0, 0), [0.0, 1.0, 0.0, 1.0]);
        assert_eq!(texel(left, 1, 0), [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(texel(mixed | 3, 1, 0), [1.0, eight(4), 0.0, 1.0]);
        let right = mixed | 3 << 34;
        assert_eq!(texel(right, 4, 0), [0.0, 0.0, 1.0, 1.0]);
        assert_eq!(texel(right, 5, 0), [1.0, eight(251), 1.0, 1.0]);
        assert_eq!(texel(right | 1 << 126, 4, 0), [0.0, eight(4), 1.0, 1.0]);
    }
}
