//! The filters of the hot paths, eight lanes at a time, in the order of operations of the general path.

use super::super::address::Wrap;
use super::super::guess::COORDINATE_LIMIT;
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

    #[inline(always)]
    fn resolve(self, index: I8, size: U8) -> U8 {
        match self {
            Self::Repeat => index.zip(size, |i, n| i as u32 & n.wrapping_sub(1)),
            Self::Mirror => index.zip(size, |i, n| {
                let mask = n.wrapping_sub(1);
                // The bit above the mask says that the period is a mirrored one.
                let flip = if i as u32 & n != 0 { mask } else { 0 };
                (i as u32 & mask) ^ flip
            }),
            Self::Clamp => {
                index.zip(size, |i, n| i.clamp(0, 0x4000_0000).min(n.wrapping_sub(1) as i32) as u32)
            }
        }
    }
}

/// A coordinate in texels, made finite.
#[inline(always)]
fn texels(coordinate: F8, size: U8) -> F8 {
    coordinate.zip(size, |c, n| {
        let x = c * n as i32 as f32;
        let x = if x.is_nan() { 0.0 } else { x };
        let x = if x < -COORDINATE_LIMIT { -COORDINATE_LIMIT } else { x };
        if x > COORDINATE_LIMIT { COORDINATE_LIMIT } else { x }
    })
}

/// The two texels of LINEAR along an axis.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) index: [U8; 2],
    pub(super) weight: [F8; 2],
}

#[inline(always)]
pub(super) fn pair(mode: Mode, coordinate: F8, offset: i32, size: U8) -> Pair {
    let x = texels(coordinate, size).map(|x| x - 0.5);
    let (i, whole) = x.floor();
    let a = x - whole;
    let i = i.map(|i| i.wrapping_add(offset));
    let next = i.map(|i| i.wrapping_add(1));
    Pair { index: [mode.resolve(i, size), mode.resolve(next, size)], weight: [a.map(|a| 1.0 - a), a] }
}

#[inline(always)]
pub(super) fn nearest(mode: Mode, coordinate: F8, offset: i32, size: U8) -> U8 {
    let (i, _) = texels(coordinate, size).floor();
    mode.resolve(i.map(|i| i.wrapping_add(offset)), size)
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
        let pitch = self.pitch;
        offset.zip(y, |offset, y| offset.wrapping_add(y.wrapping_mul(pitch)))
    }

    #[inline(always)]
    pub(super) fn slices(&self, offset: U8, slice: U8) -> U8 {
        let stride = self.slice;
        offset.zip(slice, |offset, slice| offset.wrapping_add(slice.wrapping_mul(stride)))
    }

    #[inline(always)]
    fn fetch<F: Format>(&self, row: U8, x: U8) -> Lanes<F::Raw> {
        let at = row.zip(x, u32::wrapping_add);
        at.map(|at| F::read(self.data, at))
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
        Self(F::decode(raw).map(|c| c * weight))
    }

    #[inline(always)]
    pub(super) fn add<F: Format>(&mut self, raw: Lanes<F::Raw>, weight: F8) {
        for ((channel, sum), texel) in (0..).zip(&mut self.0).zip(F::decode(raw)) {
            if F::CHANNELS >> channel & 1 == 1 {
                *sum = *sum + texel * weight;
            }
        }
    }

    /// The sum, with the defaults of channels that the format does not have.
    #[inline(always)]
    pub(super) fn done<F: Format>(self) -> [F8; 4] {
        let mut values = self.0;
        for ((channel, value), default) in (0..).zip(&mut values).zip([0.0, 0.0, 0.0, 1.0]) {
            if F::CHANNELS >> channel & 1 == 0 {
                *value = Lanes::splat(default);
            }
        }
        values
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

/// The footprint of LINEAR in x and y.
#[inline(always)]
fn footprint(grid: &Grid, at: &Where) -> (Pair, Pair) {
    let [u, v, _] = at.coordinate;
    let [mu, mv, _] = at.modes;
    let [ou, ov, _] = at.offsets;
    (pair(mu, u, ou, grid.width), pair(mv, v, ov, grid.height))
}

/// LINEAR on 2D.
pub(super) fn bilinear<F: Format>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, out: &mut [F8; 4]) {
    let (x, y) = footprint(grid, at);
    let offset = bytes.slices(grid.offset, at.slice);
    let [a, b, c, d] = bytes.four::<F>(offset, &x, &y);
    let [wa, wb, wc, wd] = weights(&x, &y);
    let mut sum = Sum::start::<F>(a, wa);
    sum.add::<F>(b, wb);
    sum.add::<F>(c, wc);
    sum.add::<F>(d, wd);
    *out = sum.done::<F>();
}

/// LINEAR on 3D.
pub(super) fn trilinear<F: Format>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, out: &mut [F8; 4]) {
    let (x, y) = footprint(grid, at);
    let [_, _, r] = at.coordinate;
    let [_, _, mr] = at.modes;
    let [_, _, or] = at.offsets;
    let z = pair(mr, r, or, grid.depth);
    let weights = weights(&x, &y);
    let [z0, z1] = z.index;
    let [w0, w1] = z.weight;
    let [a, b, c, d] = bytes.four::<F>(bytes.slices(grid.offset, z0), &x, &y);
    let [wa, wb, wc, wd] = weights.map(|w| w * w0);
    let mut sum = Sum::start::<F>(a, wa);
    sum.add::<F>(b, wb);
    sum.add::<F>(c, wc);
    sum.add::<F>(d, wd);
    let [a, b, c, d] = bytes.four::<F>(bytes.slices(grid.offset, z1), &x, &y);
    let [wa, wb, wc, wd] = weights.map(|w| w * w1);
    sum.add::<F>(a, wa);
    sum.add::<F>(b, wb);
    sum.add::<F>(c, wc);
    sum.add::<F>(d, wd);
    *out = sum.done::<F>();
}

/// NEAREST on 2D and 3D.
pub(super) fn point<F: Format>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, out: &mut [F8; 4]) {
    let [u, v, r] = at.coordinate;
    let [mu, mv, mr] = at.modes;
    let [ou, ov, or] = at.offsets;
    let (x, y) = (nearest(mu, u, ou, grid.width), nearest(mv, v, ov, grid.height));
    let slice = if at.volume { nearest(mr, r, or, grid.depth) } else { at.slice };
    *out = F::decode(bytes.texel::<F>(bytes.slices(grid.offset, slice), x, y));
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
    let (x, y) = footprint(grid, at);
    let offset = bytes.slices(grid.offset, at.slice);
    let [a, b, c, d] = bytes.four::<F>(offset, &x, &y).map(|raw| {
        let [red, ..] = F::decode(raw);
        shadow(at.function, red, at.reference)
    });
    let [wa, wb, wc, wd] = weights(&x, &y);
    *out = [a * wa + b * wb + c * wc + d * wd, F8::splat(0.0), F8::splat(0.0), F8::splat(1.0)];
}

/// gather4 of one channel on 2D: as the general path's order R, G, B, A.
pub(super) fn gather<F: Format>(bytes: &Bytes<'_>, grid: &Grid, at: &Where, out: &mut [F8; 4]) {
    let (x, y) = footprint(grid, at);
    let offset = bytes.slices(grid.offset, at.slice);
    let channel = at.channel;
    let [a, b, r, g] = bytes
        .four::<F>(offset, &x, &y)
        .map(|raw| F::decode(raw).get(channel).copied().unwrap_or(Lanes::splat(0.0)));
    *out = [r, g, b, a];
}
