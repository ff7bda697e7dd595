//! Tables that BC6H and BC7 share: partitions, interpolation weights, and the bit positions of indices.

/// The partitions into two subsets: the subset of each texel, one bit a texel from texel 0 up. BC6H uses the first 32.
pub(super) static TWO: [u16; 64] = [
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8,
    0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110,
    0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696,
    0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720,
    0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
];

/// The partitions into three subsets: the subset of each texel, two bits a texel.
pub(super) static THREE: [u32; 64] = [
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
    0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
    0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
    0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
    0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
    0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
    0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
    0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
];

/// The anchor of the second of two subsets, by partition: the texel whose index lacks its high bit. (The anchor of the
/// first subset is texel 0.)
pub(super) static ANCHOR_OF_TWO: [u8; 64] = [
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8,
    8, 2, 2, 15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6, 6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15,
    15, 2, 2, 15,
];

/// The anchors of the second (low nibble) and third (high nibble) of three subsets, by partition.
pub(super) static ANCHORS_OF_THREE: [u8; 64] = [
    0xf3, 0x83, 0x8f, 0x3f, 0xf8, 0xf3, 0x3f, 0x8f, 0xf8, 0xf8, 0xf6, 0xf6, 0xf6, 0xf5, 0xf3, 0x83, 0xf3,
    0x83, 0xf8, 0x3f, 0xf3, 0x83, 0xf6, 0x8a, 0x35, 0xf8, 0x68, 0xa6, 0xf8, 0xf5, 0xaf, 0x8f, 0xf8, 0x3f,
    0xf3, 0xa5, 0xa6, 0x8a, 0x98, 0xaf, 0x6f, 0xf3, 0x8f, 0xf5, 0x3f, 0x6f, 0x6f, 0x8f, 0xf3, 0x3f, 0xf5,
    0xf5, 0xf5, 0xf8, 0xf5, 0xfa, 0xf5, 0xfa, 0xf8, 0xfd, 0x3f, 0xfc, 0xf3, 0x83,
];

static WEIGHTS2: [u8; 4] = [0, 21, 43, 64];
static WEIGHTS3: [u8; 8] = [0, 9, 18, 27, 37, 46, 55, 64];
static WEIGHTS4: [u8; 16] = [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64];

/// Returns the interpolation weight, in 64ths, of an index of 2, 3 or 4 bits.
#[inline]
pub(super) fn weight(index: u32, bits: u32) -> i32 {
    let weights: &[u8] = match bits {
        2 => &WEIGHTS2,
        3 => &WEIGHTS3,
        _ => &WEIGHTS4,
    };
    weights.get(index as usize).copied().unwrap_or_default().into()
}

/// Interpolates from `a` (weight 0) to `b` (weight 64), rounded.
#[inline]
pub(super) const fn interpolate(a: i32, b: i32, weight: i32) -> i32 {
    (a * (64 - weight) + b * weight + 32) >> 6
}

/// How a block is divided into subsets: the subset of each texel, and the anchors, whose indices are a bit shorter.
#[derive(Clone, Copy)]
pub(super) struct Partition {
    subsets: u32,
    /// Bits per texel in `subsets`: 0, 1 or 2.
    bits: u8,
    anchors: [u8; 2],
}

impl Partition {
    /// Returns partition `number` (below 64) of those into `subsets` (1 to 3) subsets.
    #[inline]
    pub(super) fn new(subsets: u32, number: u32) -> Self {
        let at = number as usize;
        match subsets {
            2 => {
                let anchor = ANCHOR_OF_TWO.get(at).copied().unwrap_or_default();
                Self {
                    subsets: TWO.get(at).copied().unwrap_or_default().into(),
                    bits: 1,
                    anchors: [anchor, 16],
                }
            }
            3 => {
                let anchors = ANCHORS_OF_THREE.get(at).copied().unwrap_or_default();
                let subsets = THREE.get(at).copied().unwrap_or_default();
                Self { subsets, bits: 2, anchors: [anchors & 15, anchors >> 4] }
            }
            _ => Self { subsets: 0, bits: 0, anchors: [16, 16] },
        }
    }

    /// Returns the subset of a texel (below 16).
    #[inline]
    pub(super) const fn subset(&self, texel: u32) -> u32 {
        self.subsets >> (texel * self.bits as u32) & ((1 << self.bits) - 1)
    }

    /// Reads the index of a texel (below 16) from the run of `bits`-bit indices that starts at bit `start`.
    #[inline]
    pub(super) fn index(&self, block: u128, start: u32, bits: u32, texel: u32) -> u32 {
        // The indices of texel 0 and of the other anchors are one bit shorter, so the indices after them start a bit lower.
        let [a, b] = self.anchors.map(u32::from);
        let before = u32::from(texel > 0) + u32::from(texel > a) + u32::from(texel > b);
        let short = u32::from(texel == 0 || texel == a || texel == b);
        crate::bits::get128(block, (start + bits * texel).wrapping_sub(before), bits - short) as u32
    }

    /// Returns the weights, in 64ths, of all texels, from the run of `bits`-bit indices at the low end of `run`.
    #[inline(always)]
    pub(super) fn weights(&self, run: u64, bits: u32) -> [u16; 16] {
        // Inserts a 0 for the missing high bit of an anchor's index, so that every texel has `bits` bits.
        let [a, b] = self.anchors.map(u32::from);
        let widen = |run: u64, texel: u32| {
            let top = bits.wrapping_mul(texel).wrapping_add(bits).wrapping_sub(1);
            run.wrapping_add(run & u64::MAX.checked_shl(top).unwrap_or(0))
        };
        let indices = spread16(widen(widen(widen(run, 0), a.min(b)), a.max(b)), bits);
        // The values of the weight tables, by arithmetic that compilers vectorise.
        let (factor, rounding) = match bits {
            2 => (172, 0),
            3 => (73, 4),
            _ => (34, 4),
        };
        let mut weights = [0; 16];
        for (weight, index) in weights.iter_mut().zip(indices) {
            *weight = (u16::from(index).wrapping_mul(factor)).wrapping_add(rounding) >> 3;
        }
        weights
    }

    /// Returns the subset of every texel.
    #[inline(always)]
    pub(super) fn subsets(&self) -> [u8; 16] {
        if self.bits == 0 { [0; 16] } else { spread16(self.subsets.into(), self.bits.into()) }
    }
}

/// Spreads eight packed numbers of `bits` (1 to 4) bits each to the eight bytes of a word.
#[inline(always)]
const fn spread8(x: u64, bits: u32) -> u64 {
    let bits = bits & 7;
    let (one, two, four) = ((1 << bits) - 1, (1 << (2 * bits)) - 1, (1 << (4 * bits)) - 1);
    let x = x & (four | four << (4 * bits));
    let x = (x | x << (32 - 4 * bits)) & (four | four << 32);
    let x = (x | x << (16 - 2 * bits)) & (two * 0x0001_0001_0001_0001);
    (x | x << (8 - bits)) & (one * 0x0101_0101_0101_0101)
}

/// Unpacks sixteen numbers of `bits` (1 to 4) bits each.
#[inline(always)]
fn spread16(x: u64, bits: u32) -> [u8; 16] {
    let [low, high] = [x, x >> ((8 * bits) & 63)].map(|x| u128::from(spread8(x, bits)));
    (low | high << 64).to_le_bytes()
}

/// Spreads four packed numbers of `bits` (1 to 8) bits each to the four 16-bit parts of a word.
#[inline(always)]
pub(super) const fn spread4(x: u64, bits: u32) -> u64 {
    let bits = bits & 15;
    let (one, two) = ((1 << bits) - 1, (1 << (2 * bits)) - 1);
    let x = x & (two | two << (2 * bits));
    let x = (x | x << (32 - 2 * bits)) & (two | two << 32);
    (x | x << (16 - bits)) & (one * 0x0001_0001_0001_0001)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weights computed for all texels at once equal those of single texels, for every partition.
    #[test]
    fn weights_in_one_pass() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        for (subsets, count) in [(1, 1), (2, 64), (3, 64)] {
            for number in 0..count {
                let partition = Partition::new(subsets, number);
                for bits in 2..5 {
                    random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    let (weights, subsets) = (partition.weights(random, bits), partition.subsets());
                    for (texel, (weight_, subset)) in (0..).zip(weights.into_iter().zip(subsets)) {
                        let index = partition.index(random.into(), 0, bits, texel);
                        assert_eq!(i32::from(weight_), weight(index, bits), "{number} {bits} {texel}");
                        assert_eq!(u32::from(subset), partition.subset(texel));
                    }
                }
            }
        }
    }
}
