//! BC6H: 4x4 blocks of half-float RGB, two endpoints in one or two regions, 14 modes.
//!
//! Source: the BC6H format page of Direct3D 11 (mode table, transform, unquantisation).

use super::block::Block;
use super::bptc::{Partition, interpolate, weight};
use super::half;
use super::texel::ONE;
use super::{Codec, FormatInfo, Texel, head};
use crate::bits::{get128, sign_extend};

/// A run of bits of a block that belong to one endpoint component: the field (bits 11:8), the lowest bit of the field
/// that the run holds (bits 7:4), and the length of the run (bits 3:0).
type FieldRun = u16;

// Fields: component R, G, B by endpoint W, X (first region), Y, Z (second region).
const RW: u16 = 0;
const RX: u16 = 1;
const RY: u16 = 2;
const RZ: u16 = 3;
const GW: u16 = 4;
const GX: u16 = 5;
const GY: u16 = 6;
const GZ: u16 = 7;
const BW: u16 = 8;
const BX: u16 = 9;
const BY: u16 = 10;
const BZ: u16 = 11;

const fn run(field: u16, low: u16, length: u16) -> FieldRun {
    field << 8 | low << 4 | length
}

/// The runs of endpoint bits in the order of the block, after the mode bits, by mode (1 to 14 of the page).
#[rustfmt::skip]
static RUNS: [&[FieldRun]; 14] = [
    &[run(GY, 4, 1), run(BY, 4, 1), run(BZ, 4, 1), run(RW, 0, 10), run(GW, 0, 10), run(BW, 0, 10), run(RX, 0, 5), run(GZ, 4, 1), run(GY, 0, 4), run(GX, 0, 5), run(BZ, 0, 1), run(GZ, 0, 4), run(BX, 0, 5), run(BZ, 1, 1), run(BY, 0, 4), run(RY, 0, 5), run(BZ, 2, 1), run(RZ, 0, 5), run(BZ, 3, 1)],
    &[run(GY, 5, 1), run(GZ, 4, 1), run(GZ, 5, 1), run(RW, 0, 7), run(BZ, 0, 1), run(BZ, 1, 1), run(BY, 4, 1), run(GW, 0, 7), run(BY, 5, 1), run(BZ, 2, 1), run(GY, 4, 1), run(BW, 0, 7), run(BZ, 3, 1), run(BZ, 5, 1), run(BZ, 4, 1), run(RX, 0, 6), run(GY, 0, 4), run(GX, 0, 6), run(GZ, 0, 4), run(BX, 0, 6), run(BY, 0, 4), run(RY, 0, 6), run(RZ, 0, 6)],
    &[run(RW, 0, 10), run(GW, 0, 10), run(BW, 0, 10), run(RX, 0, 5), run(RW, 10, 1), run(GY, 0, 4), run(GX, 0, 4), run(GW, 10, 1), run(BZ, 0, 1), run(GZ, 0, 4), run(BX, 0, 4), run(BW, 10, 1), run(BZ, 1, 1), run(BY, 0, 4), run(RY, 0, 5), run(BZ, 2, 1), run(RZ, 0, 5), run(BZ, 3, 1)],
    &[run(RW, 0, 10), run(GW, 0, 10), run(BW, 0, 10), run(RX, 0, 4), run(RW, 10, 1), run(GZ, 4, 1), run(GY, 0, 4), run(GX, 0, 5), run(GW, 10, 1), run(GZ, 0, 4), run(BX, 0, 4), run(BW, 10, 1), run(BZ, 1, 1), run(BY, 0, 4), run(RY, 0, 4), run(BZ, 0, 1), run(BZ, 2, 1), run(RZ, 0, 4), run(GY, 4, 1), run(BZ, 3, 1)],
    &[run(RW, 0, 10), run(GW, 0, 10), run(BW, 0, 10), run(RX, 0, 4), run(RW, 10, 1), run(BY, 4, 1), run(GY, 0, 4), run(GX, 0, 4), run(GW, 10, 1), run(BZ, 0, 1), run(GZ, 0, 4), run(BX, 0, 5), run(BW, 10, 1), run(BY, 0, 4), run(RY, 0, 4), run(BZ, 1, 1), run(BZ, 2, 1), run(RZ, 0, 4), run(BZ, 4, 1), run(BZ, 3, 1)],
    &[run(RW, 0, 9), run(BY, 4, 1), run(GW, 0, 9), run(GY, 4, 1), run(BW, 0, 9), run(BZ, 4, 1), run(RX, 0, 5), run(GZ, 4, 1), run(GY, 0, 4), run(GX, 0, 5), run(BZ, 0, 1), run(GZ, 0, 4), run(BX, 0, 5), run(BZ, 1, 1), run(BY, 0, 4), run(RY, 0, 5), run(BZ, 2, 1), run(RZ, 0, 5), run(BZ, 3, 1)],
    &[run(RW, 0, 8), run(GZ, 4, 1), run(BY, 4, 1), run(GW, 0, 8), run(BZ, 2, 1), run(GY, 4, 1), run(BW, 0, 8), run(BZ, 3, 1), run(BZ, 4, 1), run(RX, 0, 6), run(GY, 0, 4), run(GX, 0, 5), run(BZ, 0, 1), run(GZ, 0, 4), run(BX, 0, 5), run(BZ, 1, 1), run(BY, 0, 4), run(RY, 0, 6), run(RZ, 0, 6)],
    &[run(RW, 0, 8), run(BZ, 0, 1), run(BY, 4, 1), run(GW, 0, 8), run(GY, 5, 1), run(GY, 4, 1), run(BW, 0, 8), run(GZ, 5, 1), run(BZ, 4, 1), run(RX, 0, 5), run(GZ, 4, 1), run(GY, 0, 4), run(GX, 0, 6), run(GZ, 0, 4), run(BX, 0, 5), run(BZ, 1, 1), run(BY, 0, 4), run(RY, 0, 5), run(BZ, 2, 1), run(RZ, 0, 5), run(BZ, 3, 1)],
    &[run(RW, 0, 8), run(BZ, 1, 1), run(BY, 4, 1), run(GW, 0, 8), run(BY, 5, 1), run(GY, 4, 1), run(BW, 0, 8), run(BZ, 5, 1), run(BZ, 4, 1), run(RX, 0, 5), run(GZ, 4, 1), run(GY, 0, 4), run(GX, 0, 5), run(BZ, 0, 1), run(GZ, 0, 4), run(BX, 0, 6), run(BY, 0, 4), run(RY, 0, 5), run(BZ, 2, 1), run(RZ, 0, 5), run(BZ, 3, 1)],
    &[run(RW, 0, 6), run(GZ, 4, 1), run(BZ, 0, 1), run(BZ, 1, 1), run(BY, 4, 1), run(GW, 0, 6), run(GY, 5, 1), run(BY, 5, 1), run(BZ, 2, 1), run(GY, 4, 1), run(BW, 0, 6), run(GZ, 5, 1), run(BZ, 3, 1), run(BZ, 5, 1), run(BZ, 4, 1), run(RX, 0, 6), run(GY, 0, 4), run(GX, 0, 6), run(GZ, 0, 4), run(BX, 0, 6), run(BY, 0, 4), run(RY, 0, 6), run(RZ, 0, 6)],
    &[run(RW, 0, 10), run(GW, 0, 10), run(BW, 0, 10), run(RX, 0, 10), run(GX, 0, 10), run(BX, 0, 10)],
    &[run(RW, 0, 10), run(GW, 0, 10), run(BW, 0, 10), run(RX, 0, 9), run(RW, 10, 1), run(GX, 0, 9), run(GW, 10, 1), run(BX, 0, 9), run(BW, 10, 1)],
    &[run(RW, 0, 10), run(GW, 0, 10), run(BW, 0, 10), run(RX, 0, 8), run(RW, 11, 1), run(RW, 10, 1), run(GX, 0, 8), run(GW, 11, 1), run(GW, 10, 1), run(BX, 0, 8), run(BW, 11, 1), run(BW, 10, 1)],
    &[run(RW, 0, 10), run(GW, 0, 10), run(BW, 0, 10), run(RX, 0, 4), run(RW, 15, 1), run(RW, 14, 1), run(RW, 13, 1), run(RW, 12, 1), run(RW, 11, 1), run(RW, 10, 1), run(GX, 0, 4), run(GW, 15, 1), run(GW, 14, 1), run(GW, 13, 1), run(GW, 12, 1), run(GW, 11, 1), run(GW, 10, 1), run(BX, 0, 4), run(BW, 15, 1), run(BW, 14, 1), run(BW, 13, 1), run(BW, 12, 1), run(BW, 11, 1), run(BW, 10, 1)],
];

/// Bits per component of the base endpoint, then bits of R, G and B of the endpoints after it, by mode.
static PRECISION: [[u8; 4]; 14] = [
    [10, 5, 5, 5],
    [7, 6, 6, 6],
    [11, 5, 4, 4],
    [11, 4, 5, 4],
    [11, 4, 4, 5],
    [9, 5, 5, 5],
    [8, 6, 5, 5],
    [8, 5, 6, 5],
    [8, 5, 5, 6],
    [6, 6, 6, 6],
    [10, 10, 10, 10],
    [11, 9, 9, 9],
    [12, 8, 8, 8],
    [16, 4, 4, 4],
];

/// The modes that store the endpoints after the base as values; all other modes store differences to the base.
const ABSOLUTE: [usize; 2] = [9, 10];
/// The first mode with one region; the modes before it have two.
const ONE_REGION: usize = 10;

/// A block with its endpoints ready to interpolate.
pub(super) struct Bc6h {
    bits: u128,
    /// R, G, B by endpoint; `None` if the mode is reserved.
    endpoints: Option<[[i32; 4]; 3]>,
    partition: Partition,
    start: u32,
    index_bits: u32,
    signed: bool,
}

/// Returns the mode, counted from 0; `None` if it is reserved. The first two modes have two mode bits, the rest five.
const fn mode(bits: u128) -> Option<usize> {
    let five = (bits & 31) as usize;
    match five & 3 {
        2 => Some(2 + (five >> 2)),
        3 if five < 16 => Some(ONE_REGION + (five >> 2)),
        3 => None,
        short => Some(short),
    }
}

impl Bc6h {
    pub(super) fn new(info: &FormatInfo, element: &[u8]) -> Self {
        let bits = u128::from_le_bytes(head(element));
        let signed = info.codec == Codec::Bc6hSigned;
        let mode = mode(bits);
        let one_region = mode.is_some_and(|m| m >= ONE_REGION);
        let (partition, start, index_bits) = if one_region {
            (Partition::new(1, 0), 65, 4)
        } else {
            (Partition::new(2, get128(bits, 77, 5) as u32), 82, 3)
        };
        let mut block = Self { bits, endpoints: None, partition, start, index_bits, signed };
        if let Some(mode) = mode {
            unpack(bits, mode, signed, block.endpoints.insert([[0; 4]; 3]));
        }
        block
    }
}

/// Unpacks the endpoints of a mode that is not reserved: R, G, B by endpoint.
// In place and not inlined: both save stack.
#[inline(never)]
fn unpack(bits: u128, mode: usize, signed: bool, endpoints: &mut [[i32; 4]; 3]) {
    let (Some(runs), Some(precision)) = (RUNS.get(mode), PRECISION.get(mode)) else { return };
    // Endpoint bits end before bit 82. Fields are [channel][endpoint]; twelve of the sixteen are used.
    let mut rest = bits >> if mode < 2 { 2 } else { 5 };
    let mut fields = [0_u32; 16];
    for &run in *runs {
        let length = run & 15;
        if let Some(field) = fields.get_mut(usize::from(run >> 8 & 15)) {
            *field |= (rest as u32 & ((1 << length) - 1)) << (run >> 4 & 15);
        }
        rest >>= length;
    }
    let [base, deltas @ ..] = precision.map(u32::from);
    let absolute = ABSOLUTE.contains(&mode);
    let (channels, _) = fields.as_chunks::<4>();
    for ((out, raw), delta) in endpoints.iter_mut().zip(channels).zip(deltas) {
        let [first, ..] = *raw;
        // Differences are added to the base endpoint, modulo its width; endpoints that are values stay as they are.
        let (start, width) = if absolute { (0, 31) } else { (first, delta) };
        *out = raw.map(|raw| raw as i32);
        for (end, raw) in out.iter_mut().zip(raw).skip(1) {
            *end = ((sign_extend(*raw, width) as u32).wrapping_add(start) & ((1 << base) - 1)) as i32;
        }
        for end in out {
            *end = if signed {
                unquantise_signed(sign_extend(*end as u32, base), base)
            } else {
                unquantise(*end, base)
            };
        }
    }
}

/// Expands an unsigned endpoint of `bits` bits to 16: 0 and the largest value stay the ends of the range.
const fn unquantise(v: i32, bits: u32) -> i32 {
    if bits >= 15 || v == 0 {
        v
    } else if v == (1 << bits) - 1 {
        0xffff
    } else {
        ((v << 16) + 0x8000) >> bits
    }
}

/// Expands a signed endpoint of `bits` bits to 15 bits and a sign.
const fn unquantise_signed(v: i32, bits: u32) -> i32 {
    if bits >= 16 || v == 0 {
        return v;
    }
    let magnitude = v.abs();
    let magnitude =
        if magnitude >= (1 << (bits - 1)) - 1 { 0x7fff } else { ((magnitude << 15) + 0x4000) >> (bits - 1) };
    if v < 0 { -magnitude } else { magnitude }
}

/// Converts an interpolated value to the bits of a half: the largest value becomes the largest finite half. Without branches that
/// depend on the value, so that compilers vectorise it.
#[inline(always)]
const fn finish(value: i32, signed: bool) -> u16 {
    if signed {
        let sign = value >> 31;
        let magnitude = (value ^ sign) - sign;
        (((magnitude << 5) - magnitude) >> 5 | sign & 0x8000) as u16
    } else {
        (((value << 5) - value) >> 6) as u16
    }
}

impl Bc6h {
    #[inline]
    fn blend(&self, endpoints: &[[i32; 4]; 3], i: u32, weight: i32) -> Texel {
        let second = self.partition.subset(i) != 0;
        let [r, g, b] = endpoints.map(|[w, x, y, z]| {
            let (from, to) = if second { (y, z) } else { (w, x) };
            half::to_f32(finish(interpolate(from, to, weight), self.signed)).to_bits()
        });
        [r, g, b, ONE]
    }
}

impl Block for Bc6h {
    fn texel(&self, i: u32) -> Texel {
        let Some(endpoints) = &self.endpoints else { return [0, 0, 0, ONE] };
        let index = self.partition.index(self.bits, self.start, self.index_bits, i);
        self.blend(endpoints, i, weight(index, self.index_bits))
    }

    fn texels(&self, out: &mut [Texel; 16]) {
        let [r, g, b] = self.planes().map(|plane| {
            let mut floats = [0; 16];
            for (float, half) in floats.iter_mut().zip(plane) {
                *float = half::to_f32(half).to_bits();
            }
            floats
        });
        for (((texel, r), g), b) in out.iter_mut().zip(r).zip(g).zip(b) {
            *texel = [r, g, b, ONE];
        }
    }
}

impl Bc6h {
    /// Decodes all texels, in raster order, to halves: R in bits 15:0, G, B, and A = 1 in bits 63:48.
    pub(super) fn halves(&self) -> [u64; 16] {
        let [r, g, b] = self.planes();
        let mut texels = [0; 16];
        for (((texel, r), g), b) in texels.iter_mut().zip(r).zip(g).zip(b) {
            *texel = u64::from(u32::from(r) | u32::from(g) << 16) | u64::from(b) << 32 | ALPHA;
        }
        texels
    }

    /// Decodes all texels to halves, one array for each of R, G and B; 0 for reserved modes.
    fn planes(&self) -> [[u16; 16]; 3] {
        let mut planes = [[0; 16]; 3];
        if let Some(endpoints) = &self.endpoints {
            let weights = self.partition.weights(get128(self.bits, self.start, 64), self.index_bits);
            let subsets = self.partition.subsets();
            for (plane, ends) in planes.iter_mut().zip(endpoints) {
                if self.signed {
                    blend_all::<true>(*ends, &subsets, &weights, plane);
                } else {
                    blend_all::<false>(*ends, &subsets, &weights, plane);
                }
            }
        }
        planes
    }
}

/// A = 1 as a half in bits 63:48.
const ALPHA: u64 = 0x3c00 << 48;

/// Interpolates a channel of all texels, to halves.
#[inline(never)]
fn blend_all<const SIGNED: bool>(
    ends: [i32; 4],
    subsets: &[u8; 16],
    weights: &[u16; 16],
    plane: &mut [u16; 16],
) {
    // Moves unsigned endpoints to the range of i16, so that a product is 16 bits by 16.
    let bias = if SIGNED { 0 } else { 0x8000 };
    let [w, x, y, z] = ends.map(|end| end.wrapping_sub(bias) as i16);
    let (from_change, to_change) = (w ^ y, x ^ z);
    for ((half, subset), weight) in plane.iter_mut().zip(subsets).zip(weights) {
        let (second, weight) = (i16::from(*subset).wrapping_neg(), *weight as i16);
        let (from, to) = (w ^ from_change & second, x ^ to_change & second);
        let sum = i32::from(from) * i32::from(64 - weight) + i32::from(to) * i32::from(weight);
        *half = finish(((sum + 32) >> 6) + bias, SIGNED);
    }
}

#[cfg(test)]
mod tests {
    use crate::enums::SurfaceFormat as F;
    use crate::format::FormatDecoder;

    fn texel(format: F, block: u128, at: [u32; 2]) -> [f32; 4] {
        let [x, y] = at;
        FormatDecoder::new(format).unwrap().decode(&block.to_le_bytes(), x, y).map(f32::from_bits)
    }

    /// The mode whose endpoints are two colours of 10 bits: `[red, green, blue]` of the first one; the second one is black.
    fn two_colours([r, g, b]: [u128; 3]) -> u128 {
        3 | r << 5 | g << 15 | b << 25
    }

    #[test]
    fn unsigned_by_hand() {
        // 1023 is the end of the range, 0xffff: of that 31/64 is the largest half. 512 becomes 32,800, of which 31/64 is 0x3e0f.
        let block = two_colours([1023, 512, 0]) | 15 << 68;
        assert_eq!(texel(F::BC6H_UF16, block, [0, 0]), [65504.0, 1.0 + 527.0 / 1024.0, 0.0, 1.0]);
        // Texel (1, 0) has index 15: the second colour.
        assert_eq!(texel(F::BC6H_UF16, block, [1, 0]), [0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn signed_by_hand() {
        // -512 and 511 are the ends, 31/32 of 0x7fff the largest half; 256 becomes 16,416, of which 31/32 is 0x3e1f.
        let block = two_colours([0x200, 511, 256]);
        assert_eq!(texel(F::BC6H_SF16, block, [0, 0]), [-65504.0, 65504.0, 1.0 + 543.0 / 1024.0, 1.0]);
        let block = two_colours([0x300, 0, 0]);
        assert_eq!(texel(F::BC6H_SF16, block, [0, 0]), [-1.0 - 543.0 / 1024.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn reserved_modes_are_black() {
        for mode in [19, 23, 27, 31] {
            assert_eq!(texel(F::BC6H_UF16, u128::MAX << 5 | mode, [3, 3]), [0.0, 0.0, 0.0, 1.0]);
        }
    }
}
