//! The filters of the hot paths, eight lanes at a time, in the order of operations of the general path.

use super::super::address::{Wrap, floor};
use super::levels::Grid;
use super::simd::{F8, I8, Lanes, U8};
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
    fn resolve(self, spot: &Spot, step: i32, size: U8) -> U8 {
        let index = spot.index.map(|i| i.wrapping_add(step));
        match self {
            Self::Repeat => index.zip(size, |i, n| i as u32 & n.wrapping_sub(1)),
            Self::Mirror => index.zip(size, |i, n| {
                let mask = n.wrapping_sub(1);
                // The bit above the mask says that the period is a mirrored one.
                let flip = if i as u32 & n != 0 { mask } else { 0 };
                (i as u32 & mask) ^ flip
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

/// Where a coordinate falls on an axis: the texel (integer and float) and how far into it.
#[derive(Clone, Copy)]
struct Spot {
    index: I8,
    whole: F8,
    rest: F8,
}

impl Spot {
    /// `shift`: from a coordinate to the texel's corner that counts. Coordinates are near ([`Where::far`]).
    #[inline(always)]
    fn new(coordinate: F8, shift: f32, offset: i32, size: U8) -> Self {
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
    pub(super) index: [U8; 2],
    pub(super) weight: [F8; 2],
}

#[inline(always)]
pub(super) fn pair(mode: Mode, coordinate: F8, offset: i32, size: U8) -> Pair {
    let spot = Spot::new(coordinate, 0.5, offset, size);
    Pair {
        index: [mode.resolve(&spot, 0, size), mode.resolve(&spot, 1, size)],
        weight: [spot.rest.map(|a| 1.0 - a), spot.rest],
    }
}

#[inline(always)]
pub(super) fn nearest(mode: Mode, coordinate: F8, offset: i32, size: U8) -> U8 {
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
    fn row(&self, offset: U8, y: U8) -> U8 {
        // Baseline vectors multiply 15 bits by 15 bits. Rows are fewer than 2^14.
        let (low, high) = (self.pitch & 0x7fff, self.pitch >> 15 & 0x7fff);
        offset.zip(y, |offset, y| {
            let y = y & 0x7fff;
            offset.wrapping_add(y.wrapping_mul(low)).wrapping_add(y.wrapping_mul(high) << 15)
        })
    }

    #[inline(always)]
    pub(super) fn slices(&self, offset: U8, slice: U8) -> U8 {
        let stride = self.slice;
        offset.zip(slice, |offset, slice| offset.wrapping_add(slice.wrapping_mul(stride)))
    }

    #[inline(always)]
    fn fetch<F: Format>(&self, row: U8, x: U8) -> Lanes<F::Raw> {
        let at = row.zip(x, u32::wrapping_add);
        F::read(self.data, at)
    }

    /// One texel.
    #[inline(always)]
    pub(super) fn texel<F: Format>(&self, offset: U8, x: U8, y: U8) -> Lanes<F::Raw> {
        self.fetch::<F>(self.row(offset, y), x)
    }

    /// The four texels of a footprint: (x0, y0), (x1, y0), (x0, y1), (x1, y1).
    #[inline(always)]
    pub(super) fn four<F: Format>(&self, offset: U8, x: &Pair, y: &Pair) -> [Lanes<F::Raw>; 4] {
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
pub(super) fn weights(x: &Pair, y: &Pair) -> [F8; 4] {
    let [x0, x1] = x.weight;
    let [y0, y1] = y.weight;
    [x0 * y0, x1 * y0, x0 * y1, x1 * y1]
}

/// The sum of weighted texels, red to alpha.
pub(super) struct Sum([F8; 4]);

impl Sum {
    /// Starts with one texel.
    #[inline(always)]
    pub(super) fn start<F: Format>(raw: Lanes<F::Raw>, weight: F8) -> Self {
        let [r, g, b, a] = F::decode(raw);
        Self([r * weight, g * weight, b * weight, a * weight])
    }

    #[inline(always)]
    pub(super) fn add<F: Format>(&mut self, raw: Lanes<F::Raw>, weight: F8) {
        let [r, g, b, a] = F::decode(raw);
        let [red, green, blue, alpha] = self.0;
        let more = |channel: u32, sum: F8, texel: F8| {
            if F::CHANNELS >> channel & 1 == 1 { sum + texel * weight } else { sum }
        };
        self.0 = [more(0, red, r), more(1, green, g), more(2, blue, b), more(3, alpha, a)];
    }

    /// The sum, with the defaults of channels that the format does not have.
    #[inline(always)]
    pub(super) fn done<F: Format>(self) -> [F8; 4] {
        let [r, g, b, a] = self.0;
        let or = |channel: u32, value: F8, default: f32| {
            if F::CHANNELS >> channel & 1 == 1 { value } else { Lanes::splat(default) }
        };
        [or(0, r, 0.0), or(1, g, 0.0), or(2, b, 0.0), or(3, a, 1.0)]
    }
}

/// The coordinates and addressing of eight lanes.
#[derive(Clone, Copy)]
pub(super) struct Where {
    pub(super) coordinate: [F8; 3],
    pub(super) modes: [Mode; 3],
    pub(super) offsets: [i32; 3],
    /// Slice of the layer.
    pub(super) slice: U8,
    /// Column and row of a load.
    pub(super) texel: [U8; 2],
    /// Reference and Shadow Function of a comparison.
    pub(super) reference: F8,
    pub(super) function: u8,
    /// The surface is 3D.
    pub(super) volume: bool,
    /// Source channel of a gather.
    pub(super) channel: usize,
}

impl Default for Where {
    #[inline(always)]
    fn default() -> Self {
        Self {
            coordinate: [Lanes([0.0; 8]); 3],
            modes: [Mode::Clamp; 3],
            offsets: [0; 3],
            slice: Lanes([0; 8]),
            texel: [Lanes([0; 8]); 2],
            reference: Lanes([0.0; 8]),
            function: 0,
            volume: false,
            channel: 0,
        }
    }
}

impl Where {
    /// A lane's coordinate is too far away for [`F8::floor`] on a level of this size, or NaN.
    #[inline(always)]
    pub(super) fn far(&self, size: [u32; 3]) -> bool {
        let [u, v, r] = self.coordinate;
        let [w, h, d] = size.map(|n| n as i32 as f32);
        let near = |c: F8, n: f32| c.map(|c| u32::from((c * n).abs() <= F8::NEAR));
        let near_uv = near(u, w).zip(near(v, h), |a, b| a & b);
        let near = if self.volume { near_uv.zip(near(r, d), |a, b| a & b) } else { near_uv };
        near.iter().fold(1, |all, near| all & near) == 0
    }
}

/// Compiles `f` for the usual address modes by themselves: what is chosen inside the lanes' arithmetic
/// keeps it from becoming vectors.
#[inline(always)]
fn by_modes<R>(at: &Where, f: impl Fn([Mode; 3]) -> R) -> R {
    match at.modes {
        [Mode::Repeat, Mode::Repeat, Mode::Repeat] => f([Mode::Repeat; 3]),
        [Mode::Clamp, Mode::Clamp, Mode::Clamp] => f([Mode::Clamp; 3]),
        modes => f(modes),
    }
}

/// The footprint of LINEAR in x and y.
#[inline(always)]
fn footprint(grid: &Grid, at: &Where, [mu, mv, _]: [Mode; 3]) -> (Pair, Pair) {
    let [u, v, _] = at.coordinate;
    let [ou, ov, _] = at.offsets;
    (pair(mu, u, ou, grid.width), pair(mv, v, ov, grid.height))
}

/// LINEAR on 2D.
pub(super) fn bilinear<F: Format>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, out: &mut [F8; 4]) {
    *out = by_modes(
        at,
        #[inline(always)]
        |modes| {
            let (x, y) = footprint(grid, at, modes);
            let offset = bytes.slices(grid.offset, at.slice);
            let [a, b, c, d] = bytes.four::<F>(offset, &x, &y);
            let [wa, wb, wc, wd] = weights(&x, &y);
            let mut sum = Sum::start::<F>(a, wa);
            sum.add::<F>(b, wb);
            sum.add::<F>(c, wc);
            sum.add::<F>(d, wd);
            sum.done::<F>()
        },
    );
}

/// LINEAR on 3D.
pub(super) fn trilinear<F: Format>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, out: &mut [F8; 4]) {
    *out = by_modes(
        at,
        #[inline(always)]
        |modes| {
            let (x, y) = footprint(grid, at, modes);
            let [_, _, r] = at.coordinate;
            let [_, _, mr] = modes;
            let [_, _, or] = at.offsets;
            let z = pair(mr, r, or, grid.depth);
            let [a4, b4, c4, d4] = weights(&x, &y);
            let [z0, z1] = z.index;
            let [w0, w1] = z.weight;
            let [a, b, c, d] = bytes.four::<F>(bytes.slices(grid.offset, z0), &x, &y);
            let (wa, wb, wc, wd) = (a4 * w0, b4 * w0, c4 * w0, d4 * w0);
            let mut sum = Sum::start::<F>(a, wa);
            sum.add::<F>(b, wb);
            sum.add::<F>(c, wc);
            sum.add::<F>(d, wd);
            let [a, b, c, d] = bytes.four::<F>(bytes.slices(grid.offset, z1), &x, &y);
            let (wa, wb, wc, wd) = (a4 * w1, b4 * w1, c4 * w1, d4 * w1);
            sum.add::<F>(a, wa);
            sum.add::<F>(b, wb);
            sum.add::<F>(c, wc);
            sum.add::<F>(d, wd);
            sum.done::<F>()
        },
    );
}

/// NEAREST on 2D and 3D.
pub(super) fn point<F: Format>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, out: &mut [F8; 4]) {
    *out = by_modes(
        at,
        #[inline(always)]
        |modes| {
            let [u, v, r] = at.coordinate;
            let [mu, mv, mr] = modes;
            let [ou, ov, or] = at.offsets;
            let (x, y) = (nearest(mu, u, ou, grid.width), nearest(mv, v, ov, grid.height));
            let slice = if at.volume { nearest(mr, r, or, grid.depth) } else { at.slice };
            F::decode(bytes.texel::<F>(bytes.slices(grid.offset, slice), x, y))
        },
    );
}

/// One texel by its position.
pub(super) fn texel<F: Format>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, out: &mut [F8; 4]) {
    let [x, y] = at.texel;
    *out = F::decode(bytes.texel::<F>(bytes.slices(grid.offset, at.slice), x, y));
}

/// The comparison of one texel of every lane; as [`shadow`](super::super::compare::shadow).
#[inline(always)]
fn shadow(function: u8, texel: F8, reference: F8) -> F8 {
    // Ordered comparisons as masks of "less", "equal", "greater": bits 0, 1, 2; unordered is bit 3.
    let holds: u32 = match function & 7 {
        0 => 0b1111,
        1 => 0,
        2 => 0b0001,
        3 => 0b0010,
        4 => 0b0011,
        5 => 0b0100,
        6 => 0b1101,
        _ => 0b0110,
    };
    texel.zip(reference, |t, r| {
        let relation = u32::from(t < r) | u32::from(t == r) << 1 | u32::from(t > r) << 2;
        let relation = if relation == 0 { 8 } else { relation };
        if relation & holds != 0 { 0.0 } else { 1.0 }
    })
}

/// LINEAR of comparisons on 2D.
pub(super) fn closer<F: Format>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, out: &mut [F8; 4]) {
    *out = by_modes(
        at,
        #[inline(always)]
        |modes| {
            let (x, y) = footprint(grid, at, modes);
            let offset = bytes.slices(grid.offset, at.slice);
            let compare = |raw| {
                let [red, ..] = F::decode(raw);
                shadow(at.function, red, at.reference)
            };
            let [a, b, c, d] = bytes.four::<F>(offset, &x, &y);
            let (a, b, c, d) = (compare(a), compare(b), compare(c), compare(d));
            let [wa, wb, wc, wd] = weights(&x, &y);
            [a * wa + b * wb + c * wc + d * wd, F8::splat(0.0), F8::splat(0.0), F8::splat(1.0)]
        },
    );
}

/// gather4 of one channel on 2D: as the general path's order R, G, B, A.
pub(super) fn gather<F: Format>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, out: &mut [F8; 4]) {
    *out = by_modes(
        at,
        #[inline(always)]
        |modes| {
            let (x, y) = footprint(grid, at, modes);
            let offset = bytes.slices(grid.offset, at.slice);
            let [x0y0, x1y0, x0y1, x1y1] = bytes.four::<F>(offset, &x, &y);
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
        },
    );
}

/// Interpolation between two levels; a fraction of 0 is the first alone.
#[inline(always)]
pub(super) fn mix(values: &mut [F8; 4], coarse: &[F8; 4], fraction: F8) {
    let rest = fraction.map(|f| 1.0 - f);
    for (value, coarse) in values.iter_mut().zip(coarse) {
        let mixed = *value * rest + *coarse * fraction;
        let pair = value.zip(mixed, |value, mixed| (value, mixed));
        *value = pair.zip(fraction, |(value, mixed), f| if f == 0.0 { value } else { mixed });
    }
}

/// Lanes whose bilinear footprint leaves the level, bit per lane.
#[inline(always)]
pub(super) fn edge(at: &Where, size: U8) -> u32 {
    let [s, t, _] = at.coordinate;
    let outside = |c: F8| {
        c.zip(size, |c, n| {
            let (i, _) = floor(c * n as i32 as f32 - 0.5);
            u32::from(i < 0) | u32::from(i >= (n as i32).wrapping_sub(1))
        })
    };
    let lanes = outside(s).zip(outside(t), |a, b| a | b);
    lanes.iter().zip(0..).fold(0, |bits, (lane, index)| bits | lane << index)
}
