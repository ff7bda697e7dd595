//! Address modes: texel coordinates outside of a mip level are folded into it.

use super::random::Random;
use crate::sample::lanes::{LANES, Lanes};
use crate::sample::place::axis::{
    AxisRule, AxisSize, AxisTaps, NEEDS_GENERAL, Subtexel, place_exact, resolve,
};
use crate::sample::rounding::rounding;
use crate::sample::stages::Stages;
use crate::state::AddressMode as A;

const MODES: [A; 8] =
    [A::Wrap, A::Mirror, A::Clamp, A::Cube, A::ClampBorder, A::MirrorOnce, A::HalfBorder, A::Mirror101];

/// A case, in the order of [`MODES`], is the texels that coordinates -6 to 9 become in a mip level of four texels, and whether
/// coordinates outside of the level read the border.
#[test]
fn every_mode_folds_texels_into_a_level() {
    let cases: [([u32; 16], bool); 8] = [
        ([2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1], false), // WRAP
        ([2, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0, 1], false), // MIRROR
        ([0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3], false), // CLAMP
        ([0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3], false), // CUBE
        ([0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3], true),  // CLAMP_BORDER
        ([3, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3], false), // MIRROR_ONCE
        ([0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3], true),  // HALF_BORDER
        ([0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1, 2, 3], false), // MIRROR_101
    ];
    for (mode, (texels, has_border)) in MODES.into_iter().zip(cases) {
        let found = core::array::from_fn(|at| resolve(mode, at as i32 - 6, 4));
        let expected = core::array::from_fn(|at| (texels[at], has_border && !(6..10).contains(&at)));
        assert_eq!(expected, found as [(u32, bool); 16], "{mode:?}");
    }
}

/// Places all lanes along an axis of `size` texels with the baseline kernel for the rule's class of address modes, or with
/// [`place_exact`] where there is none. Returns the taps and the flags that the kernel returned.
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

/// The kernels of address modes, which compute in floats, find the same texels as [`place_exact`], which computes in integers.
#[test]
fn stages_fold_as_integers_do() {
    let mut random = Random(9);
    for _ in 0..4000 {
        let mode = random.pick(&MODES);
        let rule = AxisRule::new(mode, random.below(4) != 0);
        let size = random.pick(&[1, 2, 3, 4, 7, 8, 64, 500]);
        let subtexel =
            Subtexel::new(random.below(2) == 0, random.pick(&[None, None, Some(false), Some(true)]));
        let scale = if rule.normalized { 1.0 } else { size as f32 };
        let at = [(); LANES].map(|()| match random.below(9) {
            // Next to the edge of the surface.
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
        assert_eq!(
            (outside(found), found & NEEDS_GENERAL),
            (outside(any), 0),
            "{rule:?} {subtexel:?} {texels} {at:?}"
        );
    }
}

/// Infinite coordinates read the texel at the limit to which they are clamped. NaN is 0, or outside with CLAMP_BORDER (U04).
#[test]
fn coordinates_that_are_no_numbers_have_a_texel() {
    let held = |mode: A, at: f32| {
        let (mut taps, size) = (AxisTaps::NONE, AxisSize { texels: [4.0; LANES], inverse: [0.25; LANES] });
        let rule = AxisRule::new(mode, true);
        let subtexel = Subtexel::new(false, None);
        place_exact(&rule, &subtexel, &[at; LANES], &[rounding(0); LANES], &size, &mut taps);
        (taps.texel[0][0], taps.outside[0] & 1)
    };
    assert_eq!(
        [f32::NEG_INFINITY, f32::INFINITY, f32::NAN].map(|at| held(A::Clamp, at)),
        [(0, 0), (3, 0), (0, 0)]
    );
    assert_eq!(
        [f32::NEG_INFINITY, f32::INFINITY, f32::NAN].map(|at| held(A::ClampBorder, at)),
        [(0, 1), (3, 1), (0, 1)]
    );
}
