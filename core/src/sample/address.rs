//! Address modes: from a texture coordinate to texel indices and weights along one axis.
//!
//! `spec`: Texture Coordinate Mode (Ice Lake PRM volume 2b), Vulkan and D3D texel addressing.

use super::guess::{COORDINATE_LIMIT, fixed8};
use super::lanes::{ALL, LANES, Lanes, any, map, mask, zip};

/// An address mode, in the numbering of Texture Coordinate Mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) enum Wrap {
    Repeat,
    Mirror,
    Clamp,
    Cube,
    Border,
    MirrorOnce,
    HalfBorder,
    Mirror101,
}

impl Wrap {
    pub(super) const fn from_code(code: u32) -> Self {
        match code & 7 {
            0 => Self::Repeat,
            1 => Self::Mirror,
            2 => Self::Clamp,
            3 => Self::Cube,
            4 => Self::Border,
            5 => Self::MirrorOnce,
            6 => Self::HalfBorder,
            _ => Self::Mirror101,
        }
    }
}

/// The index of a texel that is outside: the border value stands for it.
pub(super) const BORDER: i32 = i32::MIN;

/// The largest integer not above `x`, as both types. `x` is within +-2^31.
#[inline(always)]
pub(super) fn floor(x: f32) -> (i32, f32) {
    let near = x as i32;
    let value = near as f32;
    let above = value > x;
    (near.wrapping_sub(i32::from(above)), value - f32::from(u8::from(above)))
}

/// [`floor`] of each lane. `near`: all are within +-[`NEAR`], where additions do what a conversion to integers
/// has to check.
#[inline(always)]
fn floors(x: Lanes<f32>, near: bool) -> (Lanes<i32>, Lanes<f32>) {
    if !near {
        return (map(x, |x| floor(x).0), map(x, |x| floor(x).1));
    }
    // The nearest integer is in the low bits of the sum.
    let sum = map(x, |x| x + MAGIC);
    let nearest = map(sum, |sum| sum - MAGIC);
    let index = map(sum, |sum| sum.to_bits().wrapping_sub(MAGIC.to_bits()) as i32);
    let above = zip(nearest, x, |nearest, x| nearest > x);
    (
        zip(index, above, |index, above| index.wrapping_sub(i32::from(above))),
        zip(nearest, above, |nearest, above| nearest - if above { 1.0 } else { 0.0 }),
    )
}

/// 1.5 * 2^23: sums with numbers up to [`NEAR`] (and a bit more) are whole.
const MAGIC: f32 = 12_582_912.0;
const NEAR: f32 = 2_097_152.0;

/// The texel that index `i` means in a level of `size` texels, or [`BORDER`].
#[inline(never)]
pub(super) fn resolve(mode: Wrap, i: i32, size: i32) -> i32 {
    let n = size.clamp(1, 1 << 28);
    let last = n.wrapping_sub(1);
    match mode {
        // Mostly one period away: no division.
        Wrap::Repeat if -n <= i && i < 0 => i.wrapping_add(n),
        Wrap::Repeat if n <= i && i < n.wrapping_mul(2) => i.wrapping_sub(n),
        Wrap::Repeat => i.rem_euclid(n),
        Wrap::Mirror => {
            let k = i.rem_euclid(n.wrapping_mul(2));
            if k < n { k } else { n.wrapping_mul(2).wrapping_sub(1).wrapping_sub(k) }
        }
        Wrap::Clamp | Wrap::Cube => i.clamp(0, last),
        Wrap::Border | Wrap::HalfBorder => {
            if 0 <= i && i < n {
                i
            } else {
                BORDER
            }
        }
        Wrap::MirrorOnce => {
            let j = if i < 0 { !i } else { i };
            j.min(last)
        }
        Wrap::Mirror101 => {
            let period = n.wrapping_mul(2).wrapping_sub(2).max(1);
            let k = i.rem_euclid(period);
            if k < n { k } else { period.wrapping_sub(k) }
        }
    }
}

/// How one axis is addressed; the same for every lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    pub(super) mode: Wrap,
    /// Coordinates are in units of the level's size.
    pub(super) normalized: bool,
    /// `Some`: cut to 1/256 texel, rounding (magnification, minification).
    fixed: Option<[bool; 2]>,
    /// Coordinates within the limit stay as they are.
    plain: bool,
}

impl Rule {
    pub(super) fn new(mode: Wrap, normalized: bool, fixed: Option<[bool; 2]>) -> Self {
        Self { mode, normalized, fixed, plain: fixed.is_none() && mode != Wrap::HalfBorder }
    }

    /// The texels of NEAREST or LINEAR at coordinates on levels of `size` texels, not yet addressed. `mag`: lanes
    /// that are magnified.
    // Apart: for every axis of a surface.
    #[inline(never)]
    pub(super) fn place(
        &self,
        coordinate: &Lanes<f32>,
        offset: &Lanes<i32>,
        size: &Lanes<i32>,
        mag: u32,
        linear: bool,
    ) -> Axis {
        let (texels, near) = self.texels(*coordinate, *size, mag);
        if linear { Axis::pair(texels, *offset, near) } else { self.nearest(texels, *offset, *size, near) }
    }

    /// Addresses texels that are outside of their levels.
    #[inline]
    pub(super) fn address(&self, axis: &mut Axis, size: &Lanes<i32>) {
        // Every mode leaves what is inside as it is.
        if !axis.is_inside(size) {
            self.resolve(axis, size);
        }
    }

    /// Coordinates in texels of their levels, made finite, and whether all of them are within +-[`NEAR`].
    #[inline(always)]
    fn texels(&self, coordinate: Lanes<f32>, size: Lanes<i32>, mag: u32) -> (Lanes<f32>, bool) {
        let scaled = if self.normalized { zip(coordinate, size, |c, n| c * n as f32) } else { coordinate };
        let within = |limit: f32| self.plain && mask(scaled, |c| c.abs() <= limit) == ALL;
        // One lane has the conversion.
        if LANES > 1 && within(NEAR) {
            return (scaled, true);
        }
        if LANES == 1 && within(COORDINATE_LIMIT) {
            return (scaled, false);
        }
        (self.all_held(scaled, size, mag), false)
    }

    #[inline(never)]
    fn all_held(&self, mut scaled: Lanes<f32>, size: Lanes<i32>, mag: u32) -> Lanes<f32> {
        for (lane, (c, n)) in scaled.iter_mut().zip(size).enumerate() {
            *c = self.held(*c, n as f32, mag >> lane & 1 != 0);
        }
        scaled
    }

    #[inline(never)]
    fn held(&self, scaled: f32, n: f32, mag: bool) -> f32 {
        let finite = if scaled.is_nan() {
            if self.mode == Wrap::Border { -COORDINATE_LIMIT } else { 0.0 }
        } else {
            clamp(scaled, -COORDINATE_LIMIT, COORDINATE_LIMIT)
        };
        let held = if self.mode == Wrap::HalfBorder { clamp(finite, 0.0, n) } else { finite };
        match self.fixed {
            Some([magnify, minify]) => fixed8(held, if mag { magnify } else { minify }),
            None => held,
        }
    }

    #[inline(always)]
    fn nearest(&self, texels: Lanes<f32>, offset: Lanes<i32>, size: Lanes<i32>, near: bool) -> Axis {
        let (mut index, _) = floors(texels, near);
        if self.mode == Wrap::HalfBorder {
            index = zip(index, size, |i, n| i.min(n.wrapping_sub(1)));
        }
        // Far from overflow: coordinates are held.
        index = zip(index, offset, i32::wrapping_add);
        let [tap, none] = Axis::NONE.both;
        Axis { both: [Tap { index, ..tap }, Tap { index, ..none }], ..Axis::NONE }
    }

    #[inline(never)]
    fn resolve(&self, axis: &mut Axis, size: &Lanes<i32>) {
        for tap in &mut axis.both {
            tap.index = zip(tap.index, *size, |i, n| resolve(self.mode, i, n));
        }
        let [first, second] = axis.both;
        let right = zip(first.index, second.index, |first, second| first.wrapping_add(1) == second);
        axis.beside = mask(right, |right| right) == ALL;
    }
}

/// `x` held in `low..=high`; NaN stays.
#[inline(always)]
pub(super) fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// A texel of footprints along one axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tap {
    /// Its index, or [`BORDER`].
    pub(super) index: Lanes<i32>,
    pub(super) weight: Lanes<f32>,
}

/// The texels of footprints along one axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) both: [Tap; 2],
    /// How many of them count, 1 or 2.
    count: usize,
    /// The second texels are right of the first ones.
    pub(super) beside: bool,
}

impl Axis {
    /// An axis that the surface does not have.
    pub(super) const NONE: Self = Self { count: 1, ..Self::TWICE };

    /// The same with a second texel of no weight.
    pub(super) const TWICE: Self = Self {
        both: [
            Tap { index: [0; LANES], weight: [1.0; LANES] },
            Tap { index: [0; LANES], weight: [0.0; LANES] },
        ],
        count: 2,
        beside: false,
    };

    /// The two texels of LINEAR, not yet addressed.
    #[inline(always)]
    fn pair(texels: Lanes<f32>, offset: Lanes<i32>, near: bool) -> Self {
        let x = map(texels, |x| x - 0.5);
        let (index, whole) = floors(x, near);
        let fraction = zip(x, whole, |x, whole| x - whole);
        // Far from overflow: coordinates are held.
        let first = zip(index, offset, i32::wrapping_add);
        let second = map(first, |i| i.wrapping_add(1));
        Self {
            both: [
                Tap { index: first, weight: map(fraction, |a| 1.0 - a) },
                Tap { index: second, weight: fraction },
            ],
            count: 2,
            beside: true,
        }
    }

    /// No lane has a texel outside.
    #[inline(always)]
    fn is_inside(&self, size: &Lanes<i32>) -> bool {
        any(self.signs(size)) >= 0
    }

    /// The lanes with a texel outside.
    #[inline]
    pub(super) fn outside(&self, size: &Lanes<i32>) -> u32 {
        mask(self.signs(size), |sign| sign < 0)
    }

    /// Negative for lanes with a texel outside.
    #[inline(always)]
    fn signs(&self, size: &Lanes<i32>) -> Lanes<i32> {
        let [first, second] = self.both;
        let past = zip(*size, second.index, |n, i| n.wrapping_sub(1).wrapping_sub(i));
        zip(past, first.index, |past, i| past | i)
    }

    /// The texels that count, one after the other.
    #[inline(always)]
    pub(super) fn taps(&self) -> &[Tap] {
        self.both.get(..self.count).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(mode: Wrap, n: i32) -> std::vec::Vec<i32> {
        (-6..=9).map(|i| resolve(mode, i, n)).collect()
    }

    #[test]
    fn modes_follow_the_table() {
        const B: i32 = BORDER;
        assert_eq!(row(Wrap::Repeat, 4), [2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1]);
        assert_eq!(row(Wrap::Mirror, 4), [2, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0, 1]);
        assert_eq!(row(Wrap::Clamp, 4), [0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3]);
        assert_eq!(row(Wrap::Border, 4), [B, B, B, B, B, B, 0, 1, 2, 3, B, B, B, B, B, B]);
        assert_eq!(row(Wrap::MirrorOnce, 4), [3, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3]);
        assert_eq!(row(Wrap::Mirror101, 4), [0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1, 2, 3]);
        assert_eq!(row(Wrap::Mirror101, 1), [0; 16]);
    }

    #[test]
    fn extremes_stay_inside() {
        for mode in (0..8).map(Wrap::from_code) {
            for n in [1, 2, 3, 16384] {
                for i in [i32::MIN, i32::MIN + 1, -1, 0, i32::MAX] {
                    let index = resolve(mode, i, n);
                    assert!(index == BORDER || (0..n).contains(&index), "{mode:?} {n} {i}");
                }
            }
        }
    }

    #[test]
    fn special_coordinates_follow_the_rule() {
        let rule = |mode| Rule::new(mode, true, None);
        let at = |mode, u| {
            let mut axis = rule(mode).place(&[u; LANES], &[0; LANES], &[8; LANES], 0, false);
            rule(mode).address(&mut axis, &[8; LANES]);
            axis.both[0].index[LANES - 1]
        };
        assert_eq!(at(Wrap::Repeat, f32::NAN), 0);
        assert_eq!(at(Wrap::Border, f32::NAN), BORDER);
        assert_eq!(at(Wrap::Clamp, f32::INFINITY), 7);
        assert_eq!(at(Wrap::Clamp, f32::NEG_INFINITY), 0);
        assert_eq!(at(Wrap::MirrorOnce, f32::NEG_INFINITY), 7);
        assert_eq!(at(Wrap::HalfBorder, f32::INFINITY), 7);
    }

    #[test]
    fn floor_agrees_with_libm() {
        for x in [-2.5, -2.0, -0.5, -0.0, 0.0, 0.5, 1.0, 1e9, -1e9, 8_388_609.0] {
            let (i, f) = floor(x);
            assert_eq!(f, libm::floorf(x));
            assert_eq!(i as f32, f);
        }
    }

    #[test]
    fn fixed8_rounds_half_up_or_down() {
        assert_eq!(fixed8(0.5 / 256.0, true), 1.0 / 256.0);
        assert_eq!(fixed8(0.5 / 256.0, false), 0.0);
        assert_eq!(fixed8(-0.5 / 256.0, true), 0.0);
        assert_eq!(fixed8(-0.5 / 256.0, false), -1.0 / 256.0);
        assert_eq!(fixed8(1e30, true), 1e30);
        // f32 has half steps of the grid up to 2^15.
        let half_step = 1.0 / 512.0;
        assert_eq!(fixed8(20_000.0 + half_step, true), 20_000.0 + 2.0 * half_step);
        assert_eq!(fixed8(20_000.0 + half_step, false), 20_000.0);
        assert_eq!(fixed8(-20_000.0 - half_step, true), -20_000.0);
        assert_eq!(fixed8(32_768.0 - half_step, true), 32_768.0);
    }
}
