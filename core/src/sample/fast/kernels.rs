//! The filters of the hot paths, a group of lanes at a time, in the order of operations of the general path.

use super::super::address::Wrap;
use super::levels::Grid;
use super::simd::{F4, I4, Lanes, U4};
use super::texels::Format;

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
    /// `shift`: from a coordinate to the texel's corner that counts. Coordinates are near ([`Where::far`]).
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
    fn row(&self, offset: U4, y: U4) -> U4 {
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

    #[inline(always)]
    fn fetch<F: Format>(&self, row: U4, x: U4) -> Lanes<F::Raw> {
        let at = row.zip(x, u32::wrapping_add);
        F::read(self.data, at)
    }

    /// One texel.
    #[inline(always)]
    pub(super) fn texel<F: Format>(&self, offset: U4, x: U4, y: U4) -> Lanes<F::Raw> {
        self.fetch::<F>(self.row(offset, y), x)
    }

    /// The four texels of a footprint: (x0, y0), (x1, y0), (x0, y1), (x1, y1).
    #[inline(always)]
    pub(super) fn four<F: Format>(&self, offset: U4, x: &Pair, y: &Pair) -> [Lanes<F::Raw>; 4] {
        let [x0, x1] = x.index;
        let [y0, y1] = y.index;
        let (top, bottom) = (self.row(offset, y0), self.row(offset, y1));
        [
            self.fetch::<F>(top, x0),
            self.fetch::<F>(top, x1),
            self.fetch::<F>(bottom, x0),
            self.fetch::<F>(bottom, x1),
        ]
    }
}

/// The weights of a footprint, in the order of [`Bytes::four`].
#[inline(always)]
pub(super) fn weights(x: &Pair, y: &Pair) -> [F4; 4] {
    let [x0, x1] = x.weight;
    let [y0, y1] = y.weight;
    [x0 * y0, x1 * y0, x0 * y1, x1 * y1]
}

/// The sum of weighted texels, red to alpha.
pub(super) struct Sum([F4; 4]);

impl Sum {
    /// Starts with one texel.
    #[inline(always)]
    pub(super) fn start<F: Format>(raw: Lanes<F::Raw>, weight: F4) -> Self {
        let [r, g, b, a] = F::decode(raw);
        Self([r * weight, g * weight, b * weight, a * weight])
    }

    #[inline(always)]
    pub(super) fn add<F: Format>(&mut self, raw: Lanes<F::Raw>, weight: F4) {
        let [r, g, b, a] = F::decode(raw);
        let [red, green, blue, alpha] = self.0;
        let more = |channel: u32, sum: F4, texel: F4| {
            if F::CHANNELS >> channel & 1 == 1 { sum + texel * weight } else { sum }
        };
        self.0 = [more(0, red, r), more(1, green, g), more(2, blue, b), more(3, alpha, a)];
    }

    /// The sum, with the defaults of channels that the format does not have.
    #[inline(always)]
    pub(super) fn done<F: Format>(self) -> [F4; 4] {
        let [r, g, b, a] = self.0;
        let or = |channel: u32, value: F4, default: f32| {
            if F::CHANNELS >> channel & 1 == 1 { value } else { Lanes::splat(default) }
        };
        [or(0, r, 0.0), or(1, g, 0.0), or(2, b, 0.0), or(3, a, 1.0)]
    }
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

/// What is made of the texels around a coordinate.
pub(super) trait Filter {
    /// All three coordinates are of space.
    const VOLUME: bool = false;

    fn sample<F: Format>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, modes: [Mode; 3]) -> [F4; 4];
}

/// The footprint of LINEAR in x and y.
#[inline(always)]
pub(super) fn footprint(grid: &Grid, at: &Where, [mu, mv, _]: [Mode; 3]) -> (Pair, Pair) {
    let [u, v, _] = at.coordinate;
    let [ou, ov, _] = at.offsets;
    (pair(mu, u, ou, grid.width), pair(mv, v, ov, grid.height))
}

/// LINEAR on 2D.
pub(super) struct Bilinear;

impl Filter for Bilinear {
    #[inline(always)]
    fn sample<F: Format>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, modes: [Mode; 3]) -> [F4; 4] {
        let (x, y) = footprint(grid, at, modes);
        let [a, b, c, d] = bytes.four::<F>(at.start(grid), &x, &y);
        let [wa, wb, wc, wd] = weights(&x, &y);
        let mut sum = Sum::start::<F>(a, wa);
        sum.add::<F>(b, wb);
        sum.add::<F>(c, wc);
        sum.add::<F>(d, wd);
        sum.done::<F>()
    }
}

/// LINEAR on 3D.
pub(super) struct Volume;

impl Filter for Volume {
    const VOLUME: bool = true;

    #[inline(always)]
    fn sample<F: Format>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, modes: [Mode; 3]) -> [F4; 4] {
        let (x, y) = footprint(grid, at, modes);
        let [_, _, r] = at.coordinate;
        let [_, _, mr] = modes;
        let [_, _, or] = at.offsets;
        let z = pair(mr, r, or, grid.depth);
        let [a4, b4, c4, d4] = weights(&x, &y);
        let [z0, z1] = z.index;
        let [w0, w1] = z.weight;
        let [a, b, c, d] = bytes.four::<F>(bytes.slices(at.start(grid), z0), &x, &y);
        let mut sum = Sum::start::<F>(a, a4 * w0);
        sum.add::<F>(b, b4 * w0);
        sum.add::<F>(c, c4 * w0);
        sum.add::<F>(d, d4 * w0);
        let [a, b, c, d] = bytes.four::<F>(bytes.slices(at.start(grid), z1), &x, &y);
        sum.add::<F>(a, a4 * w1);
        sum.add::<F>(b, b4 * w1);
        sum.add::<F>(c, c4 * w1);
        sum.add::<F>(d, d4 * w1);
        sum.done::<F>()
    }
}
/// NEAREST on 2D or 3D.
pub(super) struct Point<const VOLUME: bool>;

impl<const VOLUME: bool> Filter for Point<VOLUME> {
    const VOLUME: bool = VOLUME;

    #[inline(always)]
    fn sample<F: Format>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, modes: [Mode; 3]) -> [F4; 4] {
        let [u, v, r] = at.coordinate;
        let [mu, mv, mr] = modes;
        let [ou, ov, or] = at.offsets;
        let (x, y) = (nearest(mu, u, ou, grid.width), nearest(mv, v, ov, grid.height));
        let mut start = at.start(grid);
        if VOLUME {
            start = bytes.slices(start, nearest(mr, r, or, grid.depth));
        }
        F::decode(bytes.texel::<F>(start, x, y))
    }
}

/// LINEAR of comparisons on 2D.
pub(super) struct Closer;

impl Filter for Closer {
    #[inline(always)]
    fn sample<F: Format>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, modes: [Mode; 3]) -> [F4; 4] {
        let (x, y) = footprint(grid, at, modes);
        let red = |raw| {
            let [red, ..] = F::decode(raw);
            red
        };
        let texels = bytes.four::<F>(at.start(grid), &x, &y).map(red);
        let [a, b, c, d] = shadow(at.function, texels, at.reference);
        let [wa, wb, wc, wd] = weights(&x, &y);
        [a * wa + b * wb + c * wc + d * wd, F4::ZERO, F4::ZERO, F4::ONE]
    }
}

/// The comparison of texels; as [`shadow`](super::super::compare::shadow).
#[inline(always)]
fn shadow(function: u8, texels: [F4; 4], reference: F4) -> [F4; 4] {
    #[inline(always)]
    fn each(texels: [F4; 4], reference: F4, holds: impl Fn(f32, f32) -> bool) -> [F4; 4] {
        let [a, b, c, d] = texels;
        let one = |texel: F4| texel.zip(reference, |t, r| if holds(t, r) { 0.0 } else { 1.0 });
        [one(a), one(b), one(c), one(d)]
    }
    match function & 7 {
        0 => [F4::ZERO; 4],
        1 => [F4::ONE; 4],
        2 => each(texels, reference, |t, r| t < r),
        3 => each(texels, reference, |t, r| t == r),
        4 => each(texels, reference, |t, r| t <= r),
        5 => each(texels, reference, |t, r| t > r),
        6 => each(texels, reference, |t, r| t != r),
        _ => each(texels, reference, |t, r| t >= r),
    }
}

/// gather4 of one channel on 2D: as the general path's order R, G, B, A.
pub(super) struct Gather;

impl Filter for Gather {
    #[inline(always)]
    fn sample<F: Format>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, modes: [Mode; 3]) -> [F4; 4] {
        let (x, y) = footprint(grid, at, modes);
        let [x0y0, x1y0, x0y1, x1y1] = bytes.four::<F>(at.start(grid), &x, &y);
        let channel = |raw| {
            let [r, g, b, a] = F::decode(raw);
            match at.channel {
                0 => r,
                1 => g,
                2 => b,
                _ => a,
            }
        };
        [channel(x0y1), channel(x1y1), channel(x1y0), channel(x0y0)]
    }
}

/// Interpolation between two levels; a fraction of 0 is the first alone.
#[inline(always)]
pub(super) fn mix(values: &mut [F4; 4], coarse: &[F4; 4], fraction: F4) {
    let rest = F4::ONE - fraction;
    for (value, coarse) in values.iter_mut().zip(coarse) {
        let mixed = *value * rest + *coarse * fraction;
        let pair = value.zip(mixed, |value, mixed| (value, mixed));
        *value = pair.zip(fraction, |(value, mixed), f| if f == 0.0 { value } else { mixed });
    }
}

/// Lanes whose bilinear footprint leaves the level, bit per lane.
#[inline(always)]
pub(super) fn edge(at: &Where, grid: &Grid) -> u32 {
    let [s, t, _] = at.coordinate;
    let outside = |c: F4| {
        c.zip(grid.width, |c, n| {
            let (x, n) = (c * n as i32 as f32 - 0.5, n as i32 as f32);
            u32::from(x < 0.0) | u32::from(x >= n - 1.0)
        })
    };
    let Lanes([a, b, c, d]) = outside(s).zip(outside(t), |a, b| a | b);
    a | b << 1 | c << 2 | d << 3
}
