//! From coordinates to texels and weights, whatever the format is.
//!
//! Each of these is compiled by itself and leaves its result in memory: arithmetic that meets what is done
//! lane by lane (reading texels) does not become vectors.

use super::super::address::Wrap;
use super::levels::Grid;
use super::simd::{F4, I4, Lanes, U4};

/// An address mode that needs no texel of the border and no division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// WRAP, sizes are powers of two.
    Repeat,
    /// MIRROR, sizes are powers of two.
    Mirror,
    Clamp,
}

impl Mode {
    pub(super) fn of(wrap: Wrap, powers: bool) -> Option<Self> {
        match wrap {
            Wrap::Repeat if powers => Some(Self::Repeat),
            Wrap::Mirror if powers => Some(Self::Mirror),
            Wrap::Clamp | Wrap::Cube => Some(Self::Clamp),
            _ => None,
        }
    }

    /// The texel that spot number `step` (0 or 1) means.
    #[inline(always)]
    fn resolve(self, spot: &Spot, step: i32, size: U4) -> U4 {
        let index = spot.index.map(|i| i.wrapping_add(step));
        match self {
            Self::Repeat => index.zip(size, |i, n| i as u32 & mask(n)),
            Self::Mirror => index.zip(size, |i, n| {
                // The bit above the mask says that the period is a mirrored one.
                let flip = if i as u32 & n != 0 { mask(n) } else { 0 };
                (i as u32 & mask(n)) ^ flip
            }),
            // In floats: baseline vectors have no minimum of integers.
            Self::Clamp => spot
                .whole
                .zip(size, |x, n| {
                    let last = n as i32 as f32 - 1.0;
                    let x = x + step as f32;
                    let x = if x > 0.0 { x } else { 0.0 };
                    if x < last { x } else { last }
                })
                .integer(),
        }
    }
}

/// The bits of an index into `n` texels, a power of two up to 2^14.
#[inline(always)]
fn mask(n: u32) -> u32 {
    n.wrapping_sub(1) & 0x7fff
}

/// Where a coordinate falls on an axis: the texel (integer, modulo 2^22, and float) and how far into it.
#[derive(Clone, Copy)]
struct Spot {
    index: I4,
    whole: F4,
    rest: F4,
}

impl Spot {
    /// `shift`: from a coordinate to the texel's corner that counts. Coordinates are near.
    #[inline(always)]
    fn new(coordinate: F4, shift: f32, offset: i32, size: U4) -> Self {
        let x = coordinate.zip(size, |c, n| c * n as i32 as f32 - shift);
        let (index, whole) = x.floor();
        Self {
            index: index.map(|i| i.wrapping_add(offset)),
            whole: whole.map(|w| w + offset as f32),
            rest: x - whole,
        }
    }
}

/// The two texels of LINEAR along an axis.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) index: [U4; 2],
    pub(super) weight: [F4; 2],
}

#[inline(always)]
pub(super) fn pair(mode: Mode, coordinate: F4, offset: i32, size: U4) -> Pair {
    let spot = Spot::new(coordinate, 0.5, offset, size);
    Pair {
        index: [mode.resolve(&spot, 0, size), mode.resolve(&spot, 1, size)],
        weight: [F4::ONE - spot.rest, spot.rest],
    }
}

#[inline(always)]
pub(super) fn nearest(mode: Mode, coordinate: F4, offset: i32, size: U4) -> U4 {
    mode.resolve(&Spot::new(coordinate, 0.0, offset, size), 0, size)
}

/// Bytes of the surface; pitch and slice stride in elements.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a> {
    pub(super) data: &'a [u8],
    pub(super) pitch: u32,
    pub(super) slice: u32,
}

impl Bytes<'_> {
    #[inline(always)]
    pub(super) fn row(&self, offset: U4, y: U4) -> U4 {
        // Both are below 2^15, and the compiler must see it: baseline vectors multiply no wider integers.
        let pitch = self.pitch & 0x7fff;
        offset.zip(y, |offset, y| offset.wrapping_add((y & 0x7fff).wrapping_mul(pitch)))
    }

    /// The place of slice `slice` of the level at `offset`.
    #[inline(always)]
    pub(super) fn slices(&self, offset: U4, slice: U4) -> U4 {
        let stride = self.slice;
        offset.zip(slice, |offset, slice| offset.wrapping_add(slice.wrapping_mul(stride)))
    }
}

/// The weights of a footprint, in the order of [`linear`].
#[inline(always)]
pub(super) fn weights(x: &Pair, y: &Pair) -> [F4; 4] {
    let [x0, x1] = x.weight;
    let [y0, y1] = y.weight;
    [x0 * y0, x1 * y0, x0 * y1, x1 * y1]
}

/// The coordinates and addressing of a group.
#[derive(Clone, Copy)]
pub(super) struct Where {
    pub(super) coordinate: [F4; 3],
    pub(super) offsets: [i32; 3],
    /// Elements from a level's start to the layer.
    pub(super) layer: U4,
    /// Reference and Shadow Function of a comparison.
    pub(super) reference: F4,
    pub(super) function: u8,
    /// Source channel of a gather.
    pub(super) channel: u8,
}

impl Where {
    /// Where the layer's slice of the level begins.
    #[inline(always)]
    pub(super) fn start(&self, grid: &Grid) -> U4 {
        grid.offset.zip(self.layer, u32::wrapping_add)
    }
}

/// The texels of a group by number, and their weights.
#[derive(Clone, Copy)]
pub(super) struct Footprint<const TEXELS: usize> {
    pub(super) texels: [U4; TEXELS],
    pub(super) weights: [F4; TEXELS],
    /// In every lane, each second texel is beside the one before it.
    pub(super) beside: bool,
}

impl<const TEXELS: usize> Footprint<TEXELS> {
    pub(super) const NOWHERE: Self =
        Self { texels: [Lanes::splat(0); TEXELS], weights: [F4::ZERO; TEXELS], beside: false };
}

/// Finds a footprint.
pub(super) type Place<P> = fn(&Bytes<'_>, &Grid, &Where, [Mode; 3], &mut P);

/// The texel of NEAREST, on 2D or 3D.
#[inline(always)]
pub(super) fn point<const VOLUME: bool>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, modes: [Mode; 3]) -> U4 {
    let [u, v, r] = at.coordinate;
    let [mu, mv, mr] = modes;
    let [ou, ov, or] = at.offsets;
    let (x, y) = (nearest(mu, u, ou, grid.width), nearest(mv, v, ov, grid.height));
    let mut start = at.start(grid);
    if VOLUME {
        start = bytes.slices(start, nearest(mr, r, or, grid.depth));
    }
    bytes.row(start, y).zip(x, u32::wrapping_add)
}

/// The footprint of LINEAR in x and y.
#[inline(always)]
pub(super) fn plane(grid: &Grid, at: &Where, [mu, mv, _]: [Mode; 3]) -> (Pair, Pair) {
    let [u, v, _] = at.coordinate;
    let [ou, ov, _] = at.offsets;
    (pair(mu, u, ou, grid.width), pair(mv, v, ov, grid.height))
}

/// The four texels of a footprint: (x0, y0), (x1, y0), (x0, y1), (x1, y1).
#[inline(always)]
pub(super) fn four(bytes: &Bytes<'_>, start: U4, x: &Pair, y: &Pair) -> [U4; 4] {
    let [x0, x1] = x.index;
    let [top, bottom] = y.index.map(|y| bytes.row(start, y));
    let at = |row: U4, x: U4| row.zip(x, u32::wrapping_add);
    [at(top, x0), at(top, x1), at(bottom, x0), at(bottom, x1)]
}

/// The second column is beside the first in every lane.
#[inline(always)]
pub(super) fn beside(x: &Pair) -> bool {
    let [x0, x1] = x.index;
    x0.zip(x1, |x0, x1| x1 == x0.wrapping_add(1)).all(|beside| beside)
}
