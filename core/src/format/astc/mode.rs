//! The head of a block: weight grid, partitions, endpoint modes, and where the integer sequences are.

use super::partition::Partitions;
use super::profile::Profile;
use super::sequence::{QuantRange, Sequence};
use crate::bits::{get, get128};

/// The first range that colours may have, by its position among all ranges.
const FIRST_COLOUR_RANGE: usize = 4;
const COLOUR_RANGES: usize = 17;

/// The size in bits of 2, 4, .. 18 colour values in every colour range, largest range first.
static COLOUR_BITS: [[u8; COLOUR_RANGES]; 9] = {
    let mut table = [[0; COLOUR_RANGES]; 9];
    let (mut rows, mut pairs): (&mut [[u8; COLOUR_RANGES]], _) = (&mut table, 1);
    while let Some((row, tail)) = rows.split_first_mut() {
        let (mut sizes, mut ranges): (&mut [u8], &[QuantRange]) = (row, super::sequence::colour_ranges());
        while let (Some((size, next)), Some((range, before))) = (sizes.split_first_mut(), ranges.split_last())
        {
            *size = range.size(2 * pairs) as u8;
            (sizes, ranges) = (next, before);
        }
        pairs += 1;
        rows = tail;
    }
    table
};

/// The weight grid of a block mode.
#[derive(Clone, Copy)]
struct Grid {
    width: u32,
    height: u32,
    /// Position of the range among all ranges.
    range: usize,
    dual: bool,
}

impl Grid {
    /// Returns the grid of the mode in the low 11 bits; `None` for reserved modes and void extents.
    fn new(m: u32) -> Option<Self> {
        let (a, b) = (m >> 5 & 3, m >> 7 & 3);
        let (dual, precise) = (m >> 10 & 1, m >> 9 & 1);
        let high = m >> 4 & 1;
        let (range, width, height, flags) = if m & 3 != 0 {
            let (width, height) = match m >> 2 & 3 {
                0 => (b + 4, a + 2),
                1 => (b + 8, a + 2),
                2 => (a + 2, b + 8),
                _ if b < 2 => (a + 2, b + 6),
                _ => (b, a + 2),
            };
            ((m & 3) << 1 | high, width, height, (dual, precise))
        } else {
            let flags = (dual, precise);
            let (width, height, flags) = match b {
                0 => (12, a + 2, flags),
                1 => (a + 2, 12, flags),
                2 => (a + 6, (m >> 9 & 3) + 6, (0, 0)),
                _ if a == 0 => (6, 10, flags),
                _ if a == 1 => (10, 6, flags),
                _ => return None,
            };
            ((m >> 2 & 3) << 1 | high, width, height, flags)
        };
        // Ranges 0 and 1 are those of m[3:0] = 0: reserved.
        let range = range.checked_sub(2)? + 6 * flags.1;
        Some(Self { width, height, range: range as usize, dual: flags.0 == 1 })
    }
}

/// Reads a field whose first bit varies between blocks.
// A shift of 128 bits is much code and stack on small targets.
#[cfg_attr(target_pointer_width = "32", inline(never))]
fn field_of(bits: u128, at: u32, size: u32) -> u32 {
    get128(bits, at, size) as u32
}

/// The head of a block with weights and endpoints.
pub(super) struct BlockHeader {
    /// The weights; those of both planes alternate if there are two.
    pub(super) weights: Sequence,
    /// Position of the weights' range.
    pub(super) weight_range: usize,
    pub(super) colours: Sequence,
    pub(super) partitions: Partitions,
    /// Number of partitions.
    pub(super) count: u32,
    /// Endpoint mode of each partition.
    pub(super) modes: [u8; 4],
    /// Columns and rows of the weight grid.
    pub(super) grid: [u32; 2],
    /// The channel of the second plane of weights, if there is one.
    pub(super) second: Option<u8>,
    /// Number of colour values of all partitions.
    pub(super) values: u32,
}

/// Returns the number of colour values of an endpoint mode.
pub(super) const fn values_of(mode: u8) -> u32 {
    2 * (mode as u32 / 4 + 1)
}

impl BlockHeader {
    /// Reads the head of a block of `width` x `height` texels; `Err(illegal)` if it is illegal (or a void extent).
    pub(super) fn new<E: Copy>(bits: u128, [width, height]: [u32; 2], illegal: E) -> Result<Self, E> {
        let low = bits as u64;
        let field = |at: u32, size: u32| get(low, at, size) as u32;
        let grid = Grid::new(field(0, 11)).ok_or(illegal)?;
        let planes = u32::from(grid.dual) + 1;
        let weights = grid.width * grid.height * planes;
        let range = QuantRange::number(grid.range);
        let count = field(11, 2) + 1;
        let fits = grid.width <= width && grid.height <= height && weights <= 64;
        let size = range.size(weights);
        if !fits || !(24..=96).contains(&size) || grid.dual && count == 4 {
            return Err(illegal);
        }
        // Below the weights: the rest of the endpoint modes, then the channel of the second plane.
        let mut end = 128 - size;
        let mut modes = [0; 4];
        let (partitions, start) = if count == 1 {
            modes = [field(13, 4) as u8; 4];
            (Partitions::ONE, 17)
        } else {
            let (selector, low) = (field(23, 2), field(25, 4));
            if selector == 0 {
                modes = [low as u8; 4];
            } else {
                let more = 3 * count - 4;
                end -= more;
                let all = field_of(bits, end, more) << 4 | low;
                for (i, mode) in (0..count).zip(&mut modes) {
                    let class = selector - 1 + (all >> i & 1);
                    *mode = (4 * class + (all >> (count + 2 * i) & 3)) as u8;
                }
            }
            (Partitions::new(field(13, 10), count, width * height), 29)
        };
        let mut second = None;
        if grid.dual {
            end -= 2;
            second = Some(field_of(bits, end, 2) as u8);
        }
        let values = modes.iter().zip(0..count).map(|(mode, _)| values_of(*mode)).sum::<u32>();
        let room = end.checked_sub(start).ok_or(illegal)?;
        if values > 18 || room < (13 * values).div_ceil(5) {
            return Err(illegal);
        }
        let sizes = COLOUR_BITS.get((values as usize >> 1).wrapping_sub(1)).ok_or(illegal)?;
        let place = sizes.iter().position(|bits| u32::from(*bits) <= room).ok_or(illegal)?;
        let colours = QuantRange::number(FIRST_COLOUR_RANGE + COLOUR_RANGES - 1 - place);
        Ok(Self {
            weights: Sequence::new(bits.reverse_bits(), range, weights),
            weight_range: grid.range,
            colours: Sequence::new(bits >> start, colours, values),
            partitions,
            count,
            modes,
            grid: [grid.width, grid.height],
            second,
            values,
        })
    }

    /// Returns the mask of each channel's weight in a word of both planes.
    #[inline]
    pub(super) fn masks(&self) -> [u32; 4] {
        self.of_planes(0x7f, 0x7f_0000)
    }

    /// Returns the factor that makes a weight of the bits that [`masks`](Self::masks) selects, by channel.
    pub(super) fn scale(&self) -> [f32; 4] {
        self.of_planes(1.0, 1.0 / 65536.0)
    }

    #[inline(always)]
    fn of_planes<T: Copy>(&self, first: T, second: T) -> [T; 4] {
        [0, 1, 2, 3].map(|channel| if self.second == Some(channel) { second } else { first })
    }
}

/// A void extent: a block of one colour.
#[derive(Clone, Copy)]
pub(super) struct VoidExtent {
    /// R, G, B, A: 16-bit UNORM, or halves.
    pub(super) colour: [u16; 4],
    pub(super) half: bool,
}

impl VoidExtent {
    /// Whether a block is a void extent.
    pub(super) const fn is(bits: u128) -> bool {
        bits as u32 & 0x1ff == 0x1fc
    }

    /// Reads the colour; `None` if the block is illegal. The extent in which a legal block's colour is constant does not
    /// affect results.
    #[cfg_attr(target_pointer_width = "32", inline(never))]
    pub(super) fn new(bits: u128, profile: Profile) -> Option<Self> {
        let field = |at: u32, size: u32| get128(bits, at, size);
        let half = field(9, 1) == 1;
        let [s0, s1, t0, t1] = [12, 25, 38, 51].map(|at| field(at, 13));
        let nowhere = field(12, 52) == (1 << 52) - 1;
        let legal = field(10, 2) == 3
            && (nowhere || s0 < s1 && t0 < t1)
            && (!half || matches!(profile, Profile::Hdr));
        legal.then(|| Self { colour: [64, 80, 96, 112].map(|at| field(at, 16) as u16), half })
    }
}
