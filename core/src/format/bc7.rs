//! BC7: 4x4 blocks of 8-bit RGBA, up to three subsets with two endpoints each, 8 modes.
//!
//! Source: the BC7 format page of Direct3D 11. A block is, from bit 0: mode (n zeros and a one),
//! partition, rotation, index selection, all R of the endpoints, G, B, A, p-bits, indices,
//! second indices.

use super::block::{Block, ColourSpace};
use super::bptc::{Partition, interpolate, spread4, weight};
use super::{FormatInfo, Texel, head};
use crate::bits::get128;

/// The layout of a mode: the number of subsets, and the widths of the fields in bits.
#[derive(Clone, Copy)]
struct ModeLayout {
    subsets: u8,
    partition: u8,
    rotation: u8,
    selection: u8,
    colour: u8,
    alpha: u8,
    /// p-bits per subset: 0, 1 (shared by its endpoints) or 2.
    p: u8,
    index: u8,
    second: u8,
}

const fn mode(
    [subsets, partition, rotation, selection, colour, alpha, p, index, second]: [u8; 9],
) -> ModeLayout {
    ModeLayout { subsets, partition, rotation, selection, colour, alpha, p, index, second }
}

static MODES: [ModeLayout; 8] = [
    mode([3, 4, 0, 0, 4, 0, 2, 3, 0]),
    mode([2, 6, 0, 0, 6, 0, 1, 3, 0]),
    mode([3, 6, 0, 0, 5, 0, 0, 2, 0]),
    mode([2, 6, 0, 0, 7, 0, 2, 2, 0]),
    mode([1, 0, 2, 1, 5, 6, 0, 2, 3]),
    mode([1, 0, 2, 0, 7, 8, 0, 2, 2]),
    mode([1, 0, 0, 0, 7, 7, 2, 4, 0]),
    mode([2, 6, 0, 0, 5, 5, 2, 2, 0]),
];

/// A block whose header is read.
pub(super) struct Bc7 {
    bits: u128,
    /// `None` if the mode is reserved.
    mode: Option<ModeLayout>,
    partition: Partition,
    rotation: u32,
    selection: u32,
    /// The bits where endpoints, p-bits and indices start.
    endpoints_at: u32,
    p_at: u32,
    indices_at: u32,
    output: ColourSpace,
}

impl Bc7 {
    pub(super) fn new(info: &FormatInfo, element: &[u8]) -> Self {
        let bits = u128::from_le_bytes(head(element));
        let number = bits.trailing_zeros();
        let mode = MODES.get(number as usize).copied();
        let ModeLayout { subsets, partition, rotation, selection, colour, alpha, p, .. } =
            mode.unwrap_or(MODES[0]);
        let mut at = number.min(7) + 1;
        let mut take = |width: u8| {
            let value = get128(bits, at, width.into()) as u32;
            at += u32::from(width);
            value
        };
        let partition = Partition::new(subsets.into(), take(partition));
        let (rotation, selection) = (take(rotation), take(selection));
        let endpoints_at = at;
        let p_at = endpoints_at + u32::from(subsets) * 2 * (3 * u32::from(colour) + u32::from(alpha));
        let indices_at = p_at + u32::from(subsets) * u32::from(p);
        let output = ColourSpace::of(info);
        Self { bits, mode, partition, rotation, selection, endpoints_at, p_at, indices_at, output }
    }

    /// Returns the two endpoints of a subset, R, G, B, A.
    fn endpoints(&self, mode: &ModeLayout, subset: u32) -> [[i32; 4]; 2] {
        let count = 2 * u32::from(mode.subsets);
        [0, 1].map(|which| {
            let endpoint = 2 * subset + which;
            let p = match mode.p {
                0 => None,
                1 => Some(get128(self.bits, self.p_at + subset, 1) as u32),
                _ => Some(get128(self.bits, self.p_at + endpoint, 1) as u32),
            };
            [0, 1, 2, 3].map(|component| {
                let width = u32::from(if component == 3 { mode.alpha } else { mode.colour });
                if width == 0 {
                    return 255;
                }
                let at = self.endpoints_at + component * count * u32::from(mode.colour) + endpoint * width;
                expand(get128(self.bits, at, width) as u32, width, p)
            })
        })
    }

    /// Returns the first bit and the width of the colour indices, and those of the alpha indices.
    fn indices(&self, mode: &ModeLayout) -> [(u32, u32); 2] {
        let (bits, second) = (u32::from(mode.index), u32::from(mode.second));
        let first = (self.indices_at, bits);
        // Modes with second indices have one subset, and so one anchor: the first indices take one bit less than 16 widths.
        let second = if second == 0 { first } else { (self.indices_at + 16 * bits - 1, second) };
        if self.selection == 0 { [first, second] } else { [second, first] }
    }

    #[inline]
    fn blend(&self, [from, to]: &[[i32; 4]; 2], colour: i32, alpha: i32) -> Texel {
        let [r0, g0, b0, a0] = *from;
        let [r1, g1, b1, a1] = *to;
        let [r, g, b] = [(r0, r1), (g0, g1), (b0, b1)].map(|(a, b)| interpolate(a, b, colour) as u8);
        let a = interpolate(a0, a1, alpha) as u8;
        self.output.texel(match self.rotation {
            0 => [r, g, b, a],
            1 => [a, g, b, r],
            2 => [r, a, b, g],
            _ => [r, g, a, b],
        })
    }
}

/// Widens an endpoint's component to 8 bits: its p-bit becomes the lowest bit, then the high bits are repeated.
const fn expand(v: u32, width: u32, p: Option<u32>) -> i32 {
    let (v, width) = match p {
        Some(p) => (v << 1 | p, width + 1),
        None => (v, width),
    };
    let high = v << 8u32.saturating_sub(width);
    (high | high >> width) as i32
}

impl Block for Bc7 {
    fn texel(&self, i: u32) -> Texel {
        let Some(mode) = &self.mode else { return [0; 4] };
        let [colour, alpha] =
            self.indices(mode).map(|(at, bits)| weight(self.partition.index(self.bits, at, bits, i), bits));
        self.blend(&self.endpoints(mode, self.partition.subset(i)), colour, alpha)
    }

    fn texels(&self, out: &mut [Texel; 16]) {
        self.output.texels(&self.bytes(), out);
    }
}

/// A 1 in each 16 bits.
const EACH: u64 = 0x0001_0001_0001_0001;

/// The endpoints of a channel, `[from, to]` by subset; there are at most three subsets, the last entry is not used.
type Ends = [[u16; 2]; 4];

impl Bc7 {
    /// Decodes all texels, in raster order: R in bits 7:0, G, B, and A in bits 31:24. 0 for the reserved mode.
    pub(super) fn bytes(&self) -> [u32; 16] {
        let Some(mode) = &self.mode else { return [0; 16] };
        let [colour, alpha] = self.indices(mode);
        let weights = |(at, bits): (u32, u32)| self.partition.weights(get128(self.bits, at, 64), bits);
        let colours = weights(colour);
        let alphas = if colour == alpha { colours } else { weights(alpha) };
        let mut texels = blend(&self.all_endpoints(mode), &self.partition.subsets(), &colours, &alphas);
        if self.rotation != 0 {
            // Swaps alpha with a colour.
            let at = 8 * (self.rotation - 1);
            for texel in &mut texels {
                let difference = (*texel >> 24 ^ *texel >> at) & 0xff;
                *texel ^= difference << 24 | difference << at;
            }
        }
        texels
    }

    /// Returns the endpoints of all subsets, by channel R, G, B, A.
    #[inline(always)]
    fn all_endpoints(&self, mode: &ModeLayout) -> [Ends; 4] {
        let count = 2 * u32::from(mode.subsets);
        let p = get128(self.bits, self.p_at, 6);
        // One p-bit for each endpoint. Modes with shared p-bits have two subsets; each p-bit is repeated for both endpoints.
        let (p, p_width) = match mode.p {
            0 => (0, 0),
            1 => ((3 * (p & 1)) | (6 * (p & 2)), 1),
            _ => (p, 1),
        };
        let p = [p, p >> 4].map(|p| spread4(p, 1));
        let mut at = self.endpoints_at;
        let mut all = [[[255; 2]; 4]; 4];
        for (ends, width) in all.iter_mut().zip([mode.colour, mode.colour, mode.colour, mode.alpha]) {
            let width = u32::from(width);
            if width == 0 {
                continue;
            }
            let run = get128(self.bits, at, 64);
            at += count * width;
            // Widened to 8 bits by repeating the high bits, four endpoints at once.
            let total = width + p_width;
            let mut wide = [run, run >> (4 * width)].map(|run| spread4(run, width));
            for (wide, p) in wide.iter_mut().zip(p) {
                let high = (*wide << p_width | p) << (8 - total);
                *wide = high | high >> total & (0xff * EACH);
            }
            for (ends, pair) in ends.iter_mut().zip(wide.into_iter().flat_map(|four| [four, four >> 32])) {
                *ends = [pair as u16, (pair >> 16) as u16];
            }
        }
        all
    }
}

/// Interpolates all texels.
#[inline(never)]
fn blend([r, g, b, a]: &[Ends; 4], subsets: &[u8; 16], colours: &[u16; 16], alphas: &[u16; 16]) -> [u32; 16] {
    // (from * 64 + 32, to - from) of the first subset, and the XOR masks that turn it into that of the second and the third.
    let table = |[first, second, third, _]: &Ends| {
        let both = |[from, to]: &[u16; 2]| [(from << 6).wrapping_add(32), to.wrapping_sub(*from)];
        let [first, second, third] = [first, second, third].map(both);
        let changes = |other: [u16; 2]| [first[0] ^ other[0], first[1] ^ other[1]];
        [first, changes(second), changes(third)]
    };
    let [r, g, b, a] = [table(r), table(g), table(b), table(a)];
    let mut texels = [0; 16];
    // One loop with a large body: that is what compilers vectorise.
    for (((texel, subset), colour), alpha) in texels.iter_mut().zip(subsets).zip(colours).zip(alphas) {
        let subset = u16::from(*subset);
        let (second, third) = ((subset & 1).wrapping_neg(), (subset >> 1).wrapping_neg());
        let mix = |table: &[[u16; 2]; 3], weight: u16| {
            let [first, changes, more] = table;
            let [start, step] = [
                first[0] ^ changes[0] & second ^ more[0] & third,
                first[1] ^ changes[1] & second ^ more[1] & third,
            ];
            start.wrapping_add(step.wrapping_mul(weight)) >> 6 & 0xff
        };
        let (rg, ba) = (mix(&r, *colour) | mix(&g, *colour) << 8, mix(&b, *colour) | mix(&a, *alpha) << 8);
        *texel = u32::from(rg) | u32::from(ba) << 16;
    }
    texels
}
