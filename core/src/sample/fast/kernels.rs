//! The filters of the hot paths, a group of lanes at a time, in the order of operations of the general path.

use super::levels::Grid;
use super::places::{
    self, Coordinate, Footprint, Mode, Place, Where, apart, pair, plane, rows, step, weights,
};
use super::simd::{F4, I4, Lanes, U4};
use super::texels::Format;

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

/// What is made of the texels around a coordinate.
pub(super) trait Filter {
    /// All three coordinates are of space.
    const VOLUME: bool = false;

    /// It compares with a reference.
    const REFERENCE: bool = false;

    type Footprint: Copy;

    /// A footprint to write to.
    const NOWHERE: Self::Footprint;

    /// Finds the texels of a group, and what is [odd](places::Place) about them.
    fn place(at: &Where, grid: &Grid, coordinate: [F4; 3], modes: [Mode; 3]) -> (Self::Footprint, I4);

    /// A group's samples; `None` when a texel is not in `data`. `BESIDE`: texels are read two by two.
    fn sample<F: Format, const BESIDE: bool>(
        data: &[u8],
        footprint: &Self::Footprint,
        at: &Where,
    ) -> Option<[F4; 4]>;
}

/// [`Filter::place`] for address modes; the usual ones are compiled by themselves.
pub(super) fn place<K: Filter>(modes: [Mode; 3]) -> Place<K::Footprint> {
    #[inline(always)]
    fn of<K: Filter>(
        at: &Where,
        grid: &Grid,
        [u, v, r]: Coordinate<'_>,
        modes: [Mode; 3],
        out: &mut K::Footprint,
        odd: &mut I4,
    ) {
        let this;
        (*out, this) = K::place(at, grid, [F4::read(u), F4::read(v), F4::read(r)], modes);
        *odd = odd.or(this);
    }
    match modes {
        [Mode::Repeat, Mode::Repeat, Mode::Repeat] => {
            |at, grid, u, v, r, out, odd| of::<K>(at, grid, [u, v, r], [Mode::Repeat; 3], out, odd)
        }
        [Mode::Clamp, Mode::Clamp, Mode::Clamp] => {
            |at, grid, u, v, r, out, odd| of::<K>(at, grid, [u, v, r], [Mode::Clamp; 3], out, odd)
        }
        _ => |at, grid, u, v, r, out, odd| of::<K>(at, grid, [u, v, r], at.modes, out, odd),
    }
}

/// Reads four texels: two rows of two.
#[inline(always)]
fn read_four<F: Format, const BESIDE: bool>(
    data: &[u8],
    rows: [U4; 2],
    step: U4,
) -> Option<[Lanes<F::Raw>; 4]> {
    let [top, bottom] = rows;
    if BESIDE {
        let [a, b] = F::read_two(data, top)?;
        let [c, d] = F::read_two(data, bottom)?;
        return Some([a, b, c, d]);
    }
    let second = |first: U4| F::read(data, first.zip(step, u32::wrapping_add));
    Some([F::read(data, top)?, second(top)?, F::read(data, bottom)?, second(bottom)?])
}

macro_rules! bilinear_footprint {
    () => {
        type Footprint = Footprint<2, 2>;
        const NOWHERE: Footprint<2, 2> = Footprint::NOWHERE;

        #[inline(always)]
        fn place(at: &Where, grid: &Grid, coordinate: [F4; 3], modes: [Mode; 3]) -> (Footprint<2, 2>, I4) {
            let (x, y) = plane(at, grid, coordinate, modes);
            let step = step(&x);
            let odd = apart(step).or(x.far.or(y.far));
            (Footprint { rows: rows(at, at.start(grid), &x, &y), step, rest: [x.rest, y.rest] }, odd)
        }
    };
}

/// LINEAR on 2D.
pub(super) struct Bilinear;

impl Filter for Bilinear {
    bilinear_footprint!();

    #[inline(always)]
    fn sample<F: Format, const BESIDE: bool>(
        data: &[u8],
        footprint: &Footprint<2, 2>,
        _: &Where,
    ) -> Option<[F4; 4]> {
        let [a, b, c, d] = read_four::<F, BESIDE>(data, footprint.rows, footprint.step)?;
        let [x, y] = footprint.rest;
        let [wa, wb, wc, wd] = weights(x, y);
        let mut sum = Sum::start::<F>(a, wa);
        sum.add::<F>(b, wb);
        sum.add::<F>(c, wc);
        sum.add::<F>(d, wd);
        Some(sum.done::<F>())
    }
}

/// LINEAR on 3D.
pub(super) struct Volume;

impl Filter for Volume {
    const VOLUME: bool = true;
    type Footprint = Footprint<4, 3>;
    const NOWHERE: Footprint<4, 3> = Footprint::NOWHERE;

    #[inline(always)]
    fn place(at: &Where, grid: &Grid, coordinate: [F4; 3], modes: [Mode; 3]) -> (Footprint<4, 3>, I4) {
        let (x, y) = plane(at, grid, coordinate, modes);
        let ([_, _, r], [_, _, mr], [_, _, or], [_, _, depth]) = (coordinate, modes, at.offsets, &grid.sides);
        let z = pair(mr, r, or, depth);
        let slice = |z: U4| rows(at, at.slices(z).zip(at.start(grid), u32::wrapping_add), &x, &y);
        let [near, far] = z.index;
        let ([a, b], [c, d]) = (slice(near), slice(far));
        let step = step(&x);
        let odd = apart(step).or(x.far.or(y.far).or(z.far));
        (Footprint { rows: [a, b, c, d], step, rest: [x.rest, y.rest, z.rest] }, odd)
    }

    #[inline(always)]
    fn sample<F: Format, const BESIDE: bool>(
        data: &[u8],
        footprint: &Footprint<4, 3>,
        _: &Where,
    ) -> Option<[F4; 4]> {
        let ([near0, near1, far0, far1], step) = (footprint.rows, footprint.step);
        let [x, y, z] = footprint.rest;
        let [a, b, c, d] = weights(x, y);
        let slice = |z: F4| [a * z, b * z, c * z, d * z];
        let ([wa, wb, wc, wd], far) = (slice(F4::ONE - z), slice(z));
        let [a, b, c, d] = read_four::<F, BESIDE>(data, [near0, near1], step)?;
        let mut sum = Sum::start::<F>(a, wa);
        sum.add::<F>(b, wb);
        sum.add::<F>(c, wc);
        sum.add::<F>(d, wd);
        let [wa, wb, wc, wd] = far;
        let [a, b, c, d] = read_four::<F, BESIDE>(data, [far0, far1], step)?;
        sum.add::<F>(a, wa);
        sum.add::<F>(b, wb);
        sum.add::<F>(c, wc);
        sum.add::<F>(d, wd);
        Some(sum.done::<F>())
    }
}

/// NEAREST on 2D or 3D.
pub(super) struct Point<const VOLUME: bool>;

impl<const VOLUME: bool> Filter for Point<VOLUME> {
    const VOLUME: bool = VOLUME;
    type Footprint = U4;
    const NOWHERE: U4 = Lanes::splat(0);

    #[inline(always)]
    fn place(at: &Where, grid: &Grid, coordinate: [F4; 3], modes: [Mode; 3]) -> (U4, I4) {
        places::point::<VOLUME>(at, grid, coordinate, modes)
    }

    #[inline(always)]
    fn sample<F: Format, const BESIDE: bool>(data: &[u8], footprint: &U4, _: &Where) -> Option<[F4; 4]> {
        Some(F::decode(F::read(data, *footprint)?))
    }
}

/// LINEAR of comparisons on 2D.
pub(super) struct Closer;

impl Filter for Closer {
    const REFERENCE: bool = true;
    bilinear_footprint!();

    #[inline(always)]
    fn sample<F: Format, const BESIDE: bool>(
        data: &[u8],
        footprint: &Footprint<2, 2>,
        at: &Where,
    ) -> Option<[F4; 4]> {
        let red = |raw| {
            let [red, ..] = F::decode(raw);
            red
        };
        let texels = read_four::<F, BESIDE>(data, footprint.rows, footprint.step)?.map(red);
        let [a, b, c, d] = shadow(at.function, texels, at.reference);
        let [x, y] = footprint.rest;
        let [wa, wb, wc, wd] = weights(x, y);
        Some([a * wa + b * wb + c * wc + d * wd, F4::ZERO, F4::ZERO, F4::ONE])
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
    bilinear_footprint!();

    #[inline(always)]
    fn sample<F: Format, const BESIDE: bool>(
        data: &[u8],
        footprint: &Footprint<2, 2>,
        at: &Where,
    ) -> Option<[F4; 4]> {
        let [x0y0, x1y0, x0y1, x1y1] = read_four::<F, BESIDE>(data, footprint.rows, footprint.step)?;
        let channel = |raw| {
            let [r, g, b, a] = F::decode(raw);
            match at.channel {
                0 => r,
                1 => g,
                2 => b,
                _ => a,
            }
        };
        Some([channel(x0y1), channel(x1y1), channel(x1y0), channel(x0y0)])
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
