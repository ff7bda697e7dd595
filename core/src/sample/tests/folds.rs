//! Address modes: from texel coordinates outside of a level to those inside.

use super::random::Random;
use crate::sample::lanes::{LANES, Lanes};
use crate::sample::place::axis::{AxisRule, AxisSize, AxisTaps, FAR, Subtexel, Wrap, place_exact, resolve};
use crate::sample::rounding::rounding;
use crate::sample::stages::Stages;

/// Coordinates -6 to 9 in a level of four texels; the mode's code in SAMPLER_STATE, and whether the border is outside.
#[test]
fn every_mode_folds_texels_into_a_level() {
    let modes: [(u32, [u32; 16], bool); 8] = [
        (0, [2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1], false), // WRAP
        (1, [2, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0, 1], false), // MIRROR
        (2, [0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3], false), // CLAMP
        (3, [0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3], false), // CUBE
        (4, [0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3], true),  // CLAMP_BORDER
        (5, [3, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3], false), // MIRROR_ONCE
        (6, [0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3], true),  // HALF_BORDER
        (7, [0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1, 2, 3], false), // MIRROR_101
    ];
    for (code, texels, has_border) in modes {
        let found = core::array::from_fn(|at| resolve(Wrap::from_code(code), at as i32 - 6, 4));
        let expected = core::array::from_fn(|at| (texels[at], has_border && !(6..10).contains(&at)));
        assert_eq!(expected, found as [(u32, bool); 16], "mode {code}");
    }
}

/// A rule, its stage for a size of the surface, and how a coordinate is taken.
fn place(rule: &AxisRule, size: u32, subtexel: &Subtexel, at: &Lanes<f32>, offset: i32) -> (AxisTaps, u32) {
    let kernel = Stages::BASELINE
        .axis
        .get(rule.fold(size) as usize)
        .map(|kernels| kernels[usize::from(subtexel.linear)][usize::from(subtexel.fixed.is_some())]);
    let texels = size as f32;
    let size = AxisSize { texels: [texels; LANES], inverse: [rule.inverse(size); LANES] };
    let (mut taps, rounding) = (AxisTaps::NONE, &[rounding(offset); LANES]);
    let found = match kernel {
        Some(kernel) => kernel(rule, subtexel, &at.map(f32::to_le_bytes), rounding, &size, &mut taps),
        None => place_exact(rule, subtexel, at, rounding, &size, &mut taps),
    };
    (taps, found)
}

/// The stages of address modes, which compute in floats, find what integers do.
#[test]
fn stages_fold_as_integers_do() {
    let mut random = Random(9);
    for _ in 0..4000 {
        let mode = Wrap::from_code(random.below(8) as u32);
        let rule = AxisRule::new(mode, random.below(4) != 0);
        let size = random.pick(&[1, 2, 3, 4, 7, 8, 64, 500]);
        let subtexel =
            Subtexel::new(random.below(2) == 0, random.pick(&[None, None, Some(false), Some(true)]));
        let scale = if rule.normalized { 1.0 } else { size as f32 };
        let at = [(); LANES].map(|()| match random.below(9) {
            // Next to a texel.
            0 => random.pick(&[-1e-9, 1e-9, -0.0]),
            _ => (random.below(1 << 16) as f32 / 8192.0 - 4.0) * scale,
        });
        let offset = random.below(16) as i32 - 8;
        let (taps, found) = place(&rule, size, &subtexel, &at, offset);
        let texels = size as f32;
        let size = AxisSize { texels: [texels; LANES], inverse: [1.0 / texels; LANES] };
        let mut exact = AxisTaps::NONE;
        let any = place_exact(&rule, &subtexel, &at, &[rounding(offset); LANES], &size, &mut exact);
        let seen = |taps: &AxisTaps| {
            let [first, second] = taps.texel;
            let outside = taps.outside.map(|bits| if subtexel.linear { bits } else { bits & 1 });
            let of_two = subtexel.linear.then(|| (second, taps.fraction.map(f32::to_bits)));
            (first, of_two, mode.has_border().then_some(outside))
        };
        assert_eq!(seen(&taps), seen(&exact), "{rule:?} {subtexel:?} {texels} {at:?} {offset}");
        let outside = |bits: u32| mode.has_border() && bits & if subtexel.linear { 3 } else { 1 } != 0;
        assert_eq!((outside(found), found & FAR), (outside(any), 0), "{rule:?} {subtexel:?} {texels} {at:?}");
    }
}

/// What is no number, or further away than any texel, has the texel of the limit.
#[test]
fn coordinates_that_are_no_numbers_have_a_texel() {
    let held = |mode: u32, at: f32| {
        let (mut taps, size) = (AxisTaps::NONE, AxisSize { texels: [4.0; LANES], inverse: [0.25; LANES] });
        let rule = AxisRule::new(Wrap::from_code(mode), true);
        let subtexel = Subtexel::new(false, None);
        place_exact(&rule, &subtexel, &[at; LANES], &[rounding(0); LANES], &size, &mut taps);
        (taps.texel[0][0], taps.outside[0] & 1)
    };
    let (clamp, border) = (2, 4);
    assert_eq!(
        [f32::NEG_INFINITY, f32::INFINITY, f32::NAN].map(|at| held(clamp, at)),
        [(0, 0), (3, 0), (0, 0)]
    );
    assert_eq!(
        [f32::NEG_INFINITY, f32::INFINITY, f32::NAN].map(|at| held(border, at)),
        [(0, 1), (3, 1), (0, 1)]
    );
}
