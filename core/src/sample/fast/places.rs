//! From coordinates to texels and weights, whatever the format is.
//!
//! Each of these is compiled by itself and leaves its result in memory: arithmetic that meets what is done
//! lane by lane (reading texels) does not become vectors.

use super::super::address::Wrap;
use super::levels::{Grid, Side};
use super::registers::Group;
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
    /// `powers`: all sizes are powers of two.
    #[inline(always)]
    pub(super) fn of(wrap: Wrap, powers: bool) -> Option<Self> {
        // A table, by its looks.
        let mode = match wrap {
            Wrap::Repeat => Some(Self::Repeat),
            Wrap::Mirror => Some(Self::Mirror),
            Wrap::Clamp | Wrap::Cube => Some(Self::Clamp),
            _ => None,
        }?;
        (powers || mode == Self::Clamp).then_some(mode)
    }

    /// The texel that spot number `step` (0 or 1) means.
    #[inline(always)]
    fn resolve(self, spot: &Spot, step: i32, side: &Side) -> U4 {
        let index = spot.index.map(|i| i.wrapping_add(step) as u32);
        match self {
            Self::Repeat => index.zip(side.last, |i, last| i & last),
            Self::Mirror => index.zip(side.last, |i, last| {
                // The bit above the mask says that the period is a mirrored one.
                let flip = if i & last.wrapping_add(1) != 0 { last } else { 0 };
                (i & last) ^ flip
            }),
            // In floats: baseline vectors have no minimum of integers.
            Self::Clamp => spot
                .whole
                .zip(side.size, |x, n| {
                    let last = n - 1.0;
                    let x = x + step as f32;
                    let x = if x > 0.0 { x } else { 0.0 };
                    if x < last { x } else { last }
                })
                .integer(),
        }
    }
}

/// Where a coordinate falls on an axis: the texel (integer, modulo 2^22, and float) and how far into it.
#[derive(Clone, Copy)]
struct Spot {
    index: I4,
    whole: F4,
    rest: F4,
    /// Negative in lanes that are too far away, or NaN.
    far: I4,
}

impl Spot {
    /// `shift`: from a coordinate to the texel's corner that counts.
    #[inline(always)]
    fn new(coordinate: F4, shift: f32, offset: I4, side: &Side) -> Self {
        let x = coordinate.zip(side.size, |c, n| c * n - shift);
        let (index, whole) = x.floor();
        Self {
            index: index.zip(offset, i32::wrapping_add),
            whole: whole.zip(offset, |w, offset| w + offset as f32),
            rest: x - whole,
            far: x.map(|x| F4::NEAR.to_bits().wrapping_sub(x.abs().to_bits()) as i32),
        }
    }
}

/// The two texels of LINEAR along an axis, and how far it is from the first.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) index: [U4; 2],
    pub(super) rest: F4,
    /// Negative in lanes that are too far away, or NaN.
    pub(super) far: I4,
}

#[inline(always)]
pub(super) fn pair(mode: Mode, coordinate: F4, offset: I4, side: &Side) -> Pair {
    let spot = Spot::new(coordinate, 0.5, offset, side);
    Pair {
        index: [mode.resolve(&spot, 0, side), mode.resolve(&spot, 1, side)],
        rest: spot.rest,
        far: spot.far,
    }
}

/// The texel of NEAREST along an axis; negative lanes are too far away.
#[inline(always)]
pub(super) fn nearest(mode: Mode, coordinate: F4, offset: I4, side: &Side) -> (U4, I4) {
    let spot = Spot::new(coordinate, 0.0, offset, side);
    (mode.resolve(&spot, 0, side), spot.far)
}

/// The weights of (x0, y0), (x1, y0), (x0, y1), (x1, y1).
#[inline(always)]
pub(super) fn weights(x: F4, y: F4) -> [F4; 4] {
    let (x0, y0) = (F4::ONE - x, F4::ONE - y);
    [x0 * y0, x * y0, x0 * y, x * y]
}

/// What a message's groups have in common, and the layers of one.
#[derive(Clone, Copy)]
pub(super) struct Where {
    pub(super) modes: [Mode; 3],
    pub(super) offsets: [I4; 3],
    /// Elements from row to row.
    pub(super) pitch: U4,
    /// Elements from slice to slice.
    pub(super) slice: u32,
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

    #[inline(always)]
    pub(super) fn row(&self, offset: U4, y: U4) -> U4 {
        // Both are below 2^15, and the compiler must see it: baseline vectors multiply no wider integers.
        let row = y.zip(self.pitch, |y, pitch| (y & 0x7fff).wrapping_mul(pitch & 0x7fff));
        row.zip(offset, u32::wrapping_add)
    }

    /// Elements to slices.
    #[inline(always)]
    pub(super) fn slices(&self, slice: U4) -> U4 {
        slice.map(|slice| slice.wrapping_mul(self.slice))
    }
}

/// The texels of a group.
#[derive(Clone, Copy)]
pub(super) struct Footprint<const ROWS: usize, const AXES: usize> {
    /// The first texel of each row by number.
    pub(super) rows: [U4; ROWS],
    /// From there to the second one.
    pub(super) step: U4,
    /// How far it is from the first texel along each axis.
    pub(super) rest: [F4; AXES],
}

impl<const ROWS: usize, const AXES: usize> Footprint<ROWS, AXES> {
    pub(super) const NOWHERE: Self =
        Self { rows: [Lanes::splat(0); ROWS], step: Lanes::splat(1), rest: [F4::ZERO; AXES] };
}

/// U, V, R of a group; anything where it does not count.
pub(super) type Coordinate<'a> = [&'a Group; 3];

/// Finds the footprint of a group. What is or'ed to the last is negative in lanes that are too far away or
/// whose texels cannot be read two by two.
pub(super) type Place<P> = fn(&Where, &Grid, &Group, &Group, &Group, &mut P, &mut I4);

/// The texel of NEAREST, on 2D or 3D; negative lanes are too far away.
#[inline(always)]
pub(super) fn point<const VOLUME: bool>(
    at: &Where,
    grid: &Grid,
    [u, v, r]: [F4; 3],
    [mu, mv, mr]: [Mode; 3],
) -> (U4, I4) {
    let [ou, ov, or] = at.offsets;
    let [width, height, depth] = &grid.sides;
    let ((x, far_x), (y, far_y)) = (nearest(mu, u, ou, width), nearest(mv, v, ov, height));
    let mut far = far_x.or(far_y);
    let mut start = at.start(grid);
    if VOLUME {
        let (z, far_z) = nearest(mr, r, or, depth);
        start = at.slices(z).zip(start, u32::wrapping_add);
        far = far.or(far_z);
    }
    (at.row(start, y).zip(x, u32::wrapping_add), far)
}

/// The footprint of LINEAR in x and y.
#[inline(always)]
pub(super) fn plane(at: &Where, grid: &Grid, [u, v, _]: [F4; 3], [mu, mv, _]: [Mode; 3]) -> (Pair, Pair) {
    let [ou, ov, _] = at.offsets;
    let [width, height, _] = &grid.sides;
    (pair(mu, u, ou, width), pair(mv, v, ov, height))
}

/// The first texels of two rows.
#[inline(always)]
pub(super) fn rows(at: &Where, start: U4, x: &Pair, y: &Pair) -> [U4; 2] {
    let ([first, _], [top, bottom]) = (x.index, y.index);
    let start = start.zip(first, u32::wrapping_add);
    [at.row(start, top), at.row(start, bottom)]
}

/// From the first column to the second.
#[inline(always)]
pub(super) fn step(x: &Pair) -> U4 {
    let [x0, x1] = x.index;
    x1.zip(x0, u32::wrapping_sub)
}

/// Negative in lanes where the second column is not beside the first: it is never further away.
#[inline(always)]
pub(super) fn apart(step: U4) -> I4 {
    step.map(|step| step.wrapping_sub(1) as i32)
}
