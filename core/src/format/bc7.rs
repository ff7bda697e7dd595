//! BC7: 4x4 blocks of 8-bit RGBA, up to three subsets with two endpoints each, 8 modes.
//!
//! Source: the BC7 format page of Direct3D 11. A block is, from bit 0: mode (n zeros and a one),
//! partition, rotation, index selection, all R of the endpoints, G, B, A, p-bits, indices,
//! second indices.

use super::Texel;
use super::block::{Block, Eight};
use super::bptc::{Partition, interpolate, weight};
use crate::bits::get128;

/// The layout of a mode; all but `subsets` in bits.
#[derive(Clone, Copy)]
struct Mode {
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

const fn mode([subsets, partition, rotation, selection, colour, alpha, p, index, second]: [u8; 9]) -> Mode {
    Mode { subsets, partition, rotation, selection, colour, alpha, p, index, second }
}

static MODES: [Mode; 8] = [
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
    /// `None` = the reserved mode.
    mode: Option<Mode>,
    partition: Partition,
    rotation: u32,
    selection: u32,
    /// The bits where endpoints, p-bits and indices start.
    endpoints_at: u32,
    p_at: u32,
    indices_at: u32,
    output: Eight,
}

impl Bc7 {
    pub(super) fn new(block: [u8; 16], output: Eight) -> Self {
        let bits = u128::from_le_bytes(block);
        let number = bits.trailing_zeros();
        let mode = MODES.get(number as usize).copied();
        let Mode { subsets, partition, rotation, selection, colour, alpha, p, .. } = mode.unwrap_or(MODES[0]);
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
        Self { bits, mode, partition, rotation, selection, endpoints_at, p_at, indices_at, output }
    }

    /// The two endpoints of a subset, R, G, B, A.
    fn endpoints(&self, mode: &Mode, subset: u32) -> [[i32; 4]; 2] {
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

    /// The place and width of colour's indices, and of alpha's.
    fn indices(&self, mode: &Mode) -> [(u32, u32); 2] {
        let (bits, second) = (u32::from(mode.index), u32::from(mode.second));
        let first = (self.indices_at, bits);
        // There is one subset where there are second indices: 16 of the first less one bit.
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

/// An endpoint's component, with its p-bit as the lowest, widened to 8 bits by repeating its high bits.
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

    fn texels(&self) -> [Texel; 16] {
        let Some(mode) = &self.mode else { return [[0; 4]; 16] };
        let mut subsets = [[[0; 4]; 2]; 3];
        for (i, subset) in (0..mode.subsets).zip(&mut subsets) {
            *subset = self.endpoints(mode, i.into());
        }
        let [colour, alpha] = self.indices(mode);
        let colours = self.partition.weights(self.bits, colour.0, colour.1);
        let alphas =
            if alpha == colour { colours } else { self.partition.weights(self.bits, alpha.0, alpha.1) };
        let mut texels = [[0; 4]; 16];
        for (i, (out, (colour, alpha))) in (0..).zip(texels.iter_mut().zip(colours.into_iter().zip(alphas))) {
            let subset = subsets.get(self.partition.subset(i) as usize);
            *out = subset.map(|endpoints| self.blend(endpoints, colour, alpha)).unwrap_or_default();
        }
        texels
    }
}
