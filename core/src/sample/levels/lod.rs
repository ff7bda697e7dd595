//! Level of detail: from derivatives to LODs.
//!
//! The scale factor is the longer of the two derivative vectors in texels (Vulkan, scale factor;
//! D3D11 functional specification), exact.
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use super::log2::{log2, log2_of_normal};
use crate::sample::lanes::{LANES, LaneBytes, Lanes, mask, ones};
use crate::sample::place::cube;

/// Derivatives of the coordinates, d/dx and d/dy, each along U, V and R.
pub(crate) type Derivatives = [[Lanes<f32>; 3]; 2];

/// Constants that turn derivatives into LODs and anisotropic footprints; the same for every lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DerivativeRule {
    /// Texels of the view's mip level 0 along U, V and R; 0 for an axis that does not take part; 1 if coordinates are in texels.
    pub(crate) size: [f32; 3],
    /// The largest anisotropy; 1 is isotropic.
    pub(crate) max_ratio: f32,
    /// The minification filter is anisotropic: its samples along the longer derivative lower the LOD.
    pub(crate) reduce: bool,
}

/// The LOD and the anisotropic footprint of each lane.
#[cfg_attr(target_pointer_width = "64", repr(align(64)))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct PixelFootprints {
    /// The LOD: log2 of the scale factor. [`DeriveKernel`] leaves it before any bias.
    pub(crate) lambda: Lanes<f32>,
    /// Number of anisotropic samples, at least 1.
    pub(crate) samples: Lanes<u32>,
    /// The longer derivative, in units of the coordinates.
    pub(crate) major: [Lanes<f32>; 3],
}

impl PixelFootprints {
    /// Returns the mask of lanes whose footprint has sample `number` (counted from 1).
    pub(crate) fn lanes_with(&self, number: u32) -> u32 {
        mask(&self.samples.map(|samples| u32::from(samples >= number)))
    }
}

/// 2^86: the square of the least float, scaled by it, is still a normal number.
const LONGER: f32 = 77_371_252_455_336_267_181_195_264.0;
/// 2^-66: the sum of the squares of three of the greatest float, scaled by it, is still finite.
const SHORTER: f32 = 1.0 / 73_786_976_294_838_206_464.0;

/// Returns the squared lengths, in texels, of the longer and the shorter derivative; whether d/dx is the longer one; and log2 of the
/// factor by which both derivatives were scaled before they were squared. A derivative with a NaN counts as the longer one.
#[cfg_attr(target_pointer_width = "64", inline(always))]
fn squares(rule: &DerivativeRule, [x, y]: [[f32; 3]; 2]) -> (f32, f32, bool, f32) {
    let [w, h, d] = rule.size;
    // An axis that does not take part may hold any value, infinities too.
    let in_texels = |of: f32, size: f32| if size == 0.0 { 0.0 } else { of * size };
    let [[xu, xv, xr], [yu, yv, yr]] =
        [x, y].map(|[u, v, r]| [in_texels(u, w), in_texels(v, h), in_texels(r, d)]);
    let mut largest = 0.0;
    for c in [xu, xv, xr, yu, yv, yr] {
        largest = if c.abs() > largest { c.abs() } else { largest };
    }
    // Scaling by a power of two keeps the squares inside the range of f32.
    let (scale, log2) = if largest < 1e-15 { (LONGER, 86.0) } else { (1.0, 0.0) };
    let (scale, log2) = if largest > 1e18 { (SHORTER, -66.0) } else { (scale, log2) };
    let square = |u: f32, v: f32, r: f32| {
        let (u, v, r) = (u * scale, v * scale, r * scale);
        u * u + v * v + r * r
    };
    let (x2, y2) = (square(xu, xv, xr), square(yu, yv, yr));
    let first = x2 >= y2 || x2.is_nan();
    (if first { x2 } else { y2 }, if first { y2 } else { x2 }, first, log2)
}

/// Returns the LOD of a lane's derivatives d/dx and d/dy.
#[inline(always)]
fn lod(rule: &DerivativeRule, derivatives: [[f32; 3]; 2]) -> f32 {
    let (long, _, _, scale) = squares(rule, derivatives);
    // log2(sqrt(x)) = log2(x) / 2; `scale` is log2 of a scale that is a power of two.
    0.5 * log2(long) - scale
}

/// The smallest and the largest sum of the squares of both derivatives, in texels, for which [`squares`] certainly does not scale,
/// whichever component is the largest. NaN is not between these bounds.
const USUAL: [f32; 2] = [1e-29, 9e35];

/// Fills in the LODs of derivatives and, if `max_ratio` is above 1, the anisotropic footprints.
pub(crate) type DeriveKernel = fn(&DerivativeRule, &Derivatives, &mut PixelFootprints);

/// See [`DeriveKernel`].
#[inline(always)]
pub(crate) fn derive(rule: &DerivativeRule, d: &Derivatives, out: &mut PixelFootprints) {
    let [x, y] = d;
    let [.., depth] = rule.size;
    let is_done = LANES > 1
        && if depth == 0.0 {
            usual_lods::<2>(rule, [x, y], &mut out.lambda)
        } else {
            usual_lods::<3>(rule, [x, y], &mut out.lambda)
        };
    if !is_done {
        for i in 0..LANES {
            let at = |axes: &[Lanes<f32>; 3]| [axes[0][i], axes[1][i], axes[2][i]];
            out.lambda[i] = lod(rule, [at(x), at(y)]);
        }
    }
    if rule.max_ratio > 1.0 {
        anisotropy(rule, d, out);
    }
}

/// Fills in the LODs of derivatives along the first `AXES` axes without scaling and special cases, and returns true, if the sums of
/// squares of all lanes are within [`USUAL`]. Otherwise returns false and leaves `out` unchanged.
#[inline(always)]
fn usual_lods<const AXES: usize>(
    rule: &DerivativeRule,
    [x, y]: [&[Lanes<f32>; 3]; 2],
    out: &mut Lanes<f32>,
) -> bool {
    let ([least, most], mut long) = (USUAL, [0.0; LANES]);
    let (x2, y2) = (squared::<AXES>(rule.size, x), squared::<AXES>(rule.size, y));
    let mut usual = u32::MAX;
    for i in 0..LANES {
        let sum = x2[i] + y2[i];
        usual &= ones(sum >= least) & ones(sum <= most);
        long[i] = if x2[i] >= y2[i] { x2[i] } else { y2[i] };
    }
    if usual != 0 {
        for i in 0..LANES {
            out[i] = 0.5 * log2_of_normal(long[i]);
        }
    }
    usual != 0
}

/// Returns the squared lengths, in texels, of the lanes' derivatives along the first `AXES` axes.
#[inline(always)]
fn squared<const AXES: usize>([w, h, d]: [f32; 3], [u, v, r]: &[Lanes<f32>; 3]) -> Lanes<f32> {
    let mut squares = [0.0; LANES];
    for i in 0..LANES {
        let (u, v) = (u[i] * w, v[i] * h);
        squares[i] = u * u + v * v;
        if AXES > 2 {
            let r = r[i] * d;
            squares[i] += r * r;
        }
    }
    squares
}

/// Fills in the LODs of lanes with coordinates U and V: each subspan's from the differences of the coordinates of its lanes, plus each
/// lane's bias, if there are biases.
pub(crate) type SubspanKernel =
    fn(&DerivativeRule, [&Lanes<LaneBytes>; 2], bias: Option<&Lanes<LaneBytes>>, out: &mut Lanes<f32>);

/// See [`SubspanKernel`]. The operations are those of [`derive()`] on the right and the lower neighbour minus the first lane, once
/// for the four lanes of a subspan.
#[inline(always)]
pub(crate) fn subspans(
    rule: &DerivativeRule,
    [u, v]: [&Lanes<LaneBytes>; 2],
    bias: Option<&Lanes<LaneBytes>>,
    out: &mut Lanes<f32>,
) {
    const SUBSPANS: usize = LANES.div_ceil(4);
    let rule = &of_planes(rule);
    let ((u, _), (v, _)) = (u.as_chunks::<4>(), v.as_chunks::<4>());
    let mut lambda = [0.0; SUBSPANS];
    let subspans = lambda.iter_mut().zip(u).zip(v);
    for ((lambda, u), v) in subspans {
        let difference =
            |lanes: &[LaneBytes; 4], to: usize| f32::from_le_bytes(lanes[to]) - f32::from_le_bytes(lanes[0]);
        let along = |to: usize| [difference(u, to), difference(v, to), 0.0];
        *lambda = lod(rule, [along(1), along(2)]);
    }
    for (out, lambda) in out.as_chunks_mut::<4>().0.iter_mut().zip(lambda) {
        *out = [lambda; 4];
    }
    if let Some(bias) = bias {
        for i in 0..LANES {
            out[i] += f32::from_le_bytes(bias[i]);
        }
    }
}

/// Fills in the LODs of lanes with coordinates U and V from the derivatives of both: d/dx, then d/dy.
pub(crate) type GradientKernel = fn(&DerivativeRule, [[&Lanes<LaneBytes>; 2]; 2], out: &mut Lanes<f32>);

/// See [`GradientKernel`]. The operations are those of [`derive()`].
#[inline(always)]
pub(crate) fn gradients(rule: &DerivativeRule, [x, y]: [[&Lanes<LaneBytes>; 2]; 2], out: &mut Lanes<f32>) {
    // Local copies: no store in the loop can alias them.
    let mut d: Derivatives = [[[0.0; LANES]; 3]; 2];
    for i in 0..LANES {
        (d[0][0][i], d[0][1][i]) = (f32::from_le_bytes(x[0][i]), f32::from_le_bytes(x[1][i]));
        (d[1][0][i], d[1][1][i]) = (f32::from_le_bytes(y[0][i]), f32::from_le_bytes(y[1][i]));
    }
    let ([x, y], rule) = (&d, &of_planes(rule));
    if usual_lods::<2>(rule, [x, y], out) {
        return;
    }
    for i in 0..LANES {
        out[i] = lod(rule, [[x[0][i], x[1][i], 0.0], [y[0][i], y[1][i], 0.0]]);
    }
}

/// Returns the rule with 0 as third size, so that compilers see that there is no third axis.
#[inline(always)]
const fn of_planes(rule: &DerivativeRule) -> DerivativeRule {
    let [width, height, _] = rule.size;
    DerivativeRule { size: [width, height, 0.0], ..*rule }
}

/// Fills in the derivatives of one coordinate in each subspan (right and lower neighbour minus the first lane) and the coordinate of the
/// first lane, the same for all four lanes.
pub(crate) type DifferenceKernel =
    fn(&Lanes<f32>, dx: &mut Lanes<f32>, dy: &mut Lanes<f32>, first: &mut Lanes<f32>);

/// See [`DifferenceKernel`].
#[inline(always)]
pub(crate) fn differences(at: &Lanes<f32>, dx: &mut Lanes<f32>, dy: &mut Lanes<f32>, first: &mut Lanes<f32>) {
    let ((at, _), (first, _)) = (at.as_chunks::<4>(), first.as_chunks_mut());
    let targets = dx.as_chunks_mut().0.iter_mut().zip(dy.as_chunks_mut().0).zip(first);
    for (((dx, dy), first), [own, right, below, _]) in targets.zip(at) {
        (*dx, *dy, *first) = ([right - own; 4], [below - own; 4], [*own; 4]);
    }
}

/// Fills in the number of samples and the derivative along which they lie, and lowers the LODs if the rule says so.
#[cfg_attr(target_pointer_width = "64", inline(always))]
#[cfg_attr(target_pointer_width = "32", inline(never))]
fn anisotropy(rule: &DerivativeRule, [x, y]: &Derivatives, out: &mut PixelFootprints) {
    let most = rule.max_ratio * rule.max_ratio;
    let reduce = ones(rule.reduce);
    let mut squared = [1.0; LANES];
    for i in 0..LANES {
        let at = |axes: &[Lanes<f32>; 3]| [axes[0][i], axes[1][i], axes[2][i]];
        let (long, short, first, _) = squares(rule, [at(x), at(y)]);
        let ratio = long / short;
        // The ratio of a footprint without size is NaN: no anisotropy.
        let ratio = if ratio >= 1.0 { ratio } else { 1.0 };
        squared[i] = if ratio < most { ratio } else { most };
        let along_x = ones(first);
        for axis in 0..3 {
            let longer = x[axis][i].to_bits() & along_x | y[axis][i].to_bits() & !along_x;
            out.major[axis][i] = f32::from_bits(longer);
        }
    }
    for i in 0..LANES {
        out.samples[i] = samples(squared[i]);
        let less = 0.5 * log2(squared[i]);
        out.lambda[i] -= f32::from_bits(less.to_bits() & reduce);
    }
}

/// Returns the smallest whole number that is not below the ratio whose square is given: 1 to 16.
#[inline(always)]
fn samples(squared: f32) -> u32 {
    const SQUARES: [f32; 15] =
        [1.0, 4.0, 9.0, 16.0, 25.0, 36.0, 49.0, 64.0, 81.0, 100.0, 121.0, 144.0, 169.0, 196.0, 225.0];
    let mut samples: u32 = 1;
    for below in SQUARES {
        samples = samples.wrapping_add(u32::from(squared > below));
    }
    samples
}

/// Projects the derivatives of directions onto the cube faces that the directions point to.
pub(crate) type ProjectKernel = fn(direction: &[Lanes<f32>; 3], &mut Derivatives);

/// See [`ProjectKernel`].
#[inline(always)]
pub(crate) fn project(direction: &[Lanes<f32>; 3], d: &mut Derivatives) {
    for d in d {
        for i in 0..LANES {
            let at = |axes: &[Lanes<f32>; 3]| [axes[0][i], axes[1][i], axes[2][i]];
            let [s, t] = cube::gradient(at(direction), at(d));
            (d[0][i], d[1][i], d[2][i]) = (s, t, 0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::tests::random::Random;

    #[test]
    fn samples_are_the_least_number_that_covers_the_ratio() {
        for ratio in 1..=15_u16 {
            let squared = f32::from(ratio * ratio);
            assert_eq!(samples(squared), ratio.into());
            assert_eq!(samples(squared.next_up()), u32::from(ratio) + 1);
        }
        assert_eq!(samples(256.0), 16);
    }

    #[test]
    fn derivatives_of_directions_are_those_on_faces() {
        let (direction, along) = ([0.9, 0.3, -0.2], [[0.25, -0.5, 0.125], [-1.0, 0.5, 0.25]]);
        let lanes = |of: [f32; 3]| of.map(|value| [value; LANES]);
        let mut derivatives = along.map(lanes);
        project(&lanes(direction), &mut derivatives);
        for (derivative, along) in derivatives.iter().zip(along) {
            let [u, v, _] = derivative.map(|axis| axis[LANES - 1]);
            assert_eq!([u, v], crate::sample::place::cube::gradient(direction, along));
        }
    }

    #[test]
    fn the_ratio_is_held_and_lowers_the_lod() {
        let rule = |max_ratio, reduce| DerivativeRule { size: [256.0, 256.0, 0.0], max_ratio, reduce };
        // d/dx is 2 texels long, d/dy 16; and a footprint without size.
        let footprint = [
            [[2.0 / 256.0; LANES], [0.0; LANES], [9.0; LANES]],
            [[0.0; LANES], [1.0 / 16.0; LANES], [9.0; LANES]],
        ];
        let nothing = [[[0.0; LANES]; 3]; 2];
        let found = |rule: DerivativeRule, d: &Derivatives| {
            let lanes = [0.0; LANES];
            let mut out = PixelFootprints { lambda: lanes, samples: [0; LANES], major: [lanes; 3] };
            derive(&rule, d, &mut out);
            (out.samples[0], out.lambda[0], out.major.map(|axis| axis[0]))
        };
        assert_eq!(found(rule(4.0, true), &footprint), (4, 2.0, [0.0, 1.0 / 16.0, 9.0]));
        assert_eq!(found(rule(16.0, true), &footprint), (8, 1.0, [0.0, 1.0 / 16.0, 9.0]));
        assert_eq!(found(rule(16.0, false), &footprint), (8, 4.0, [0.0, 1.0 / 16.0, 9.0]));
        // d/dx is (2, 4, 8) texels, the square root of 84 long; d/dy is 0.
        let volume = DerivativeRule { size: [2.0, 4.0, 8.0], max_ratio: 1.0, reduce: false };
        let along_all = [[[1.0; LANES]; 3], [[0.0; LANES]; 3]];
        let (_, lambda, _) = found(volume, &along_all);
        assert_eq!(lambda, libm::log2f(84.0) / 2.0);
        // Derivatives so short or long that they are scaled before they are squared.
        for exponent in [-149, -128, -80, -60, 70, 100] {
            for axis in 0..3 {
                let mut along = [[[0.0; LANES]; 3]; 2];
                along[0][axis] = [libm::exp2f(exponent as f32); LANES];
                let cube = DerivativeRule { size: [2.0; 3], max_ratio: 1.0, reduce: false };
                assert_eq!(found(cube, &along).1, (exponent + 1) as f32, "{axis}");
            }
            // Axes that the surface does not have do not count.
            let along_all = [[[libm::exp2f(exponent as f32); LANES]; 3], [[0.0; LANES]; 3]];
            let line = DerivativeRule { size: [2.0, 0.0, 0.0], max_ratio: 1.0, reduce: false };
            assert_eq!(found(line, &along_all).1, (exponent + 1) as f32);
        }
        // The longest derivatives that there are: the root of 3 times the largest float, and the root of 2 times.
        let [longest, shorter] =
            [[[f32::MAX; LANES]; 3], [[f32::MAX; LANES], [f32::MAX; LANES], [0.0; LANES]]];
        let cube = DerivativeRule { size: [1.0; 3], max_ratio: 16.0, reduce: false };
        let (samples, lambda, _) = found(cube, &[shorter, longest]);
        assert_eq!((samples, lambda), (2, 128.0 + libm::log2f(3.0) / 2.0));
        let (samples, lambda, _) = found(rule(16.0, true), &nothing);
        assert_eq!((samples, lambda), (1, f32::NEG_INFINITY));
    }

    /// As a LOD that is NaN it becomes the minimum LOD (U06), whichever derivative the NaN is in.
    #[test]
    fn a_nan_in_a_derivative_makes_the_lod_nan() {
        let rule = DerivativeRule { size: [16.0, 16.0, 0.0], max_ratio: 4.0, reduce: true };
        for (along, axis) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let mut d = [[[0.25; LANES]; 3]; 2];
            d[along][axis] = [f32::NAN; LANES];
            let lanes = [0.0; LANES];
            let mut out = PixelFootprints { lambda: lanes, samples: [0; LANES], major: [lanes; 3] };
            derive(&rule, &d, &mut out);
            assert!(out.lambda.iter().all(|lambda| lambda.is_nan()), "{along} {axis}: {:?}", out.lambda);
            assert_eq!(out.samples, [1; LANES]);
        }
    }

    /// Derivatives within [`USUAL`] and any others: of any size, subnormal, infinite, NaN, near the bounds where squares need a scale.
    #[test]
    fn lods_of_usual_numbers_are_those_of_any() {
        let plane = DerivativeRule { size: [512.0, 96.0, 0.0], max_ratio: 1.0, reduce: false };
        let volume = DerivativeRule { size: [512.0, 96.0, 20.0], ..plane };
        let mut random = Random(9);
        let special =
            [0.0, -0.0, 1e-15, 3e-15, 9e17, 1e18, 1e-45, 1e-38, 1e20, f32::MAX, f32::INFINITY, f32::NAN];
        for round in 0..3000 {
            let size = random.below(160) as f32 - 90.0;
            let mut value = || match round % 3 {
                0 => libm::exp2f(size + random.below(3) as f32) * (1.0 + random.below(1000) as f32 / 1000.0),
                1 => f32::from_bits(random.next() as u32),
                _ => random.pick(&special),
            };
            let [one, other] = [0, 1].map(|_| [0, 1].map(|_| [value(), value(), value()]));
            // Lanes with two different sets of derivatives in one pass.
            let of_lane = |lane: usize| if lane % 5 == 3 { other } else { one };
            let d: Derivatives = [0, 1]
                .map(|along| [0, 1, 2].map(|axis| core::array::from_fn(|lane| of_lane(lane)[along][axis])));
            let check = |found: &Lanes<f32>, rule: &DerivativeRule| {
                for (lane, found) in found.iter().enumerate() {
                    let wanted = lod(rule, of_lane(lane));
                    let same = found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan();
                    assert!(same, "{found} {wanted}: {one:?} {other:?}");
                }
            };
            let lanes = [0.0; LANES];
            for rule in [&plane, &volume] {
                let mut out = PixelFootprints { lambda: lanes, samples: [0; LANES], major: [lanes; 3] };
                derive(rule, &d, &mut out);
                check(&out.lambda, rule);
            }
            let raw = d.map(|axes| axes.map(|lanes| lanes.map(f32::to_le_bytes)));
            let mut found = lanes;
            gradients(&plane, raw.each_ref().map(|[u, v, _]| [u, v]), &mut found);
            check(&found, &plane);
        }
    }
}
