//! From LODs to mip levels, and the weight of the coarser of two.

use super::random::Random;
use super::*;
use crate::sample::bind::sampler::Mip;
use crate::sample::lanes::LANES;
use crate::sample::levels::select::{LevelRule, Levels, select};
use crate::state::TrilinearQuality;

/// Samples two mip levels, the finer all 0 and the coarser all 1; returns the weight of the coarser one.
fn weight(quality: TrilinearQuality, precision: Precision, lod: f32) -> f32 {
    // Mip level 1 begins in row 4.
    let bytes = ramp(|_, y, _| if y < 4 { 0.0 } else { 1.0 });
    let mut texture = surface(SurfaceType::D2, R32, [4, 4, 1]);
    texture.set_mip_count(2).unwrap();
    let mut state = linear();
    state.set_mip_filter(MipFilter::Linear).set_trilinear_quality(quality);
    let sampler = bind(&state).with_precision(precision);
    f32::from_bits(run(&texture, &sampler, &bytes, Op::SampleL, &f(&[lod, 0.5, 0.5]))[0])
}

/// U10: closer than 1/16, 1/8 or 1/4 to a whole mip level, that level is used alone; further away the weight is the fraction of the LOD.
#[test]
fn a_worse_quality_has_wider_zones_of_one_level() {
    use TrilinearQuality::{Full, High, Low, Medium};
    let fractions = [1, 3, 5, 7, 9, 15, 17, 24, 28].map(|n| n as f32 / 32.0);
    let weights = |quality| fractions.map(|lod| weight(quality, Precision::Float, lod) * 32.0);
    assert_eq!(weights(Full), [1.0, 3.0, 5.0, 7.0, 9.0, 15.0, 17.0, 24.0, 28.0]);
    assert_eq!(weights(High), [0.0, 3.0, 5.0, 7.0, 9.0, 15.0, 17.0, 24.0, 28.0]);
    assert_eq!(weights(Medium)[..8], [0.0, 0.0, 5.0, 7.0, 9.0, 15.0, 17.0, 24.0]);
    assert_eq!(weights(Low)[..7], [0.0, 0.0, 0.0, 0.0, 9.0, 15.0, 17.0]);
    // Close to the coarser mip level.
    let near = |quality, lod| weight(quality, Precision::Float, lod);
    assert_eq!((near(Full, 0.96875), near(High, 0.96875)), (0.96875, 1.0));
    assert_eq!((near(High, 0.90625), near(Medium, 0.90625)), (0.90625, 1.0));
    assert_eq!((near(Medium, 0.8125), near(Low, 0.8125)), (0.8125, 1.0));
    // At exactly the width of a zone both mip levels count.
    for (quality, zone) in [(High, 0.0625), (Medium, 0.125), (Low, 0.25)] {
        assert_eq!([zone, 1.0 - zone].map(|lod| near(quality, lod)), [zone, 1.0 - zone], "{quality:?}");
    }
}

/// U09: the LOD is rounded half up to 1/256.
#[test]
fn eight_bits_round_the_lod() {
    let weight = |lod| weight(TrilinearQuality::Full, Precision::Fixed8, lod) * 256.0;
    let lods = [76.0, 76.25, 76.5, 76.75, 77.0, 77.5].map(|n: f32| weight(n / 256.0));
    assert_eq!(lods, [76.0, 76.0, 77.0, 77.0, 77.0, 78.0]);
}

/// U09: the LOD is rounded before the clamps, so that a minimum LOD in the payload applies as it is.
#[test]
fn eight_bits_do_not_round_the_minimum_lod() {
    let bytes = ramp(|_, _, eighth| if eighth == 0 { 0.0 } else { 1.0 });
    let mut texture = surface(SurfaceType::D2, R32, [8, 8, 1]);
    texture.set_mip_count(3).unwrap();
    let mut state = linear();
    state.set_mip_filter(MipFilter::Linear);
    let sampler = bind(&state).with_precision(Precision::Fixed8);
    let mut params = f(&[0.0; 11]);
    // The gradient is a little more than a texel along x, as magnified lanes would not read two mip levels.
    params[1] = (1.01_f32 / 8.0).to_bits();
    for minimum in [76.0, 76.25, 76.5, 76.75].map(|n: f32| n / 256.0) {
        params[10] = minimum.to_bits();
        let weight = f32::from_bits(run(&texture, &sampler, &bytes, Op::SampleD, &params)[0]);
        assert_eq!(weight, minimum);
    }
}

/// The largest of the minimum LODs of the sampler, the surface and the message applies.
#[test]
fn minimum_lods_hold_each_other() {
    let bytes = ramp(|_, _, eighth| if eighth == 0 { 0.0 } else { 1.0 });
    let lod = |sampler_min: u32, surface_min: u32, message_min: f32| {
        let mut texture = surface(SurfaceType::D2, R32, [8, 8, 1]);
        texture.set_mip_count(3).unwrap().set_resource_min_lod(surface_min);
        let mut state = linear();
        state.set_mip_filter(MipFilter::Linear).set_min_lod(sampler_min);
        // The gradient is a little more than a texel along x, as magnified lanes would not read two mip levels.
        let mut params = f(&[0.0; 10]);
        params[1] = (1.01_f32 / 8.0).to_bits();
        params.push(message_min.to_bits());
        f32::from_bits(run(&texture, &bind(&state), &bytes, Op::SampleD, &params)[0])
    };
    // Mip level 0 holds 0 and mip level 1 holds 1, so the result is the LOD.
    assert!(lod(0, 0, 0.0) < 0.02);
    assert_eq!([lod(64, 0, 0.0), lod(0, 64, 0.0), lod(0, 0, 0.25)], [0.25; 3]);
    assert_eq!([lod(64, 128, 0.125), lod(128, 64, 0.25), lod(32, 64, 0.75)], [0.5, 0.5, 0.75]);
}

/// Without a mip filter, lanes read mip level floor(largest minimum LOD), whatever their own LOD is (U11).
#[test]
fn minimum_lods_choose_the_level_without_a_mip_filter() {
    let bytes = ramp(|_, _, eighth| if eighth == 0 { 0.0 } else { 1.0 });
    let level = |sampler_min: u32, surface_min: u32| {
        let mut texture = surface(SurfaceType::D2, R32, [8, 8, 1]);
        texture.set_mip_count(3).unwrap().set_resource_min_lod(surface_min);
        let mut state = linear();
        state.set_mip_filter(MipFilter::None).set_min_lod(sampler_min);
        f32::from_bits(run(&texture, &bind(&state), &bytes, Op::SampleL, &f(&[0.0; 4]))[0])
    };
    assert_eq!([level(0, 0), level(255, 0), level(0, 255)], [0.0; 3]);
    assert_eq!([level(256, 0), level(0, 256), level(256, 255)], [1.0; 3]);
    // Lanes with a gradient of three texels (LOD above 1) and a minimum LOD in the message.
    let minified = |message_min: f32| {
        let mut texture = surface(SurfaceType::D2, R32, [8, 8, 1]);
        texture.set_mip_count(3).unwrap();
        let mut state = linear();
        state.set_mip_filter(MipFilter::None);
        let mut params = f(&[0.0; 10]);
        params[1] = (3.0_f32 / 8.0).to_bits();
        params.push(message_min.to_bits());
        f32::from_bits(run(&texture, &bind(&state), &bytes, Op::SampleD, &params)[0])
    };
    assert_eq!([0.0, 0.75, 1.0].map(minified), [0.0, 0.0, 1.0]);
}

/// U01: the bias of `gather4_po_b` is its first parameter with the offsets in the low bits cleared.
#[test]
fn packed_biases_choose_the_level_of_a_gather() {
    // Mip level 1 begins in row 8.
    let bytes = ramp(|_, y, eighth| if eighth == 0 { y as f32 } else { 100.0 });
    let mut texture = surface(SurfaceType::D2, R32, [8, 8, 1]);
    texture.set_mip_count(3).unwrap();
    let mut state = linear();
    state.set_mip_filter(MipFilter::Nearest);
    // A gradient of 1.5 texels selects mip level 1 (NEAREST); with a bias of -0.5 it selects mip level 0.
    let lanes =
        |of: &dyn Fn(u32) -> u32| -> Vec<u8> { (0..16).flat_map(|lane| of(lane).to_le_bytes()).collect() };
    let pixel = |number: u32| (0.2 + 1.5 / 8.0 * number as f32).to_bits();
    let gathered = |bias: f32| {
        let message = Message { params: 3, simd: 16, lanes: 0xffff, ..Message::new(Op::Gather4PoB) };
        let params = [
            lanes(&|_| bias.to_bits() | 1 << 6),
            lanes(&|lane| pixel(lane & 1)),
            lanes(&|lane| pixel(lane >> 1 & 1)),
        ];
        let (mut payload, mut out) = (Payload::new(), [0; 256]);
        params.iter().for_each(|lanes| payload.push(lanes).unwrap());
        let texture = Texture::bind(&texture, Platform::Gen11).unwrap();
        let memory = LinearMemory { base: BASE, bytes: &bytes };
        texture.execute(&message, &payload, &bind(&state), &memory, &mut out).unwrap();
        f32::from_le_bytes(*out.first_chunk().unwrap())
    };
    // Red of gather4 is the lower left texel of the footprint, here one row further down because of the offset.
    assert_eq!([gathered(-0.5), gathered(-8.0), gathered(0.5)], [3.0, 3.0, 100.0]);
}

/// The kernels for lanes without a minimum LOD of their own use one clamp in place of several and round after it: they select the same
/// mip levels as the full rule.
#[test]
fn usual_clamps_select_the_same_levels() {
    // One-lane targets have the full rule alone.
    if LANES == 1 {
        return;
    }
    let mut random = Random(21);
    // LODs at and next to every value at which rounding, a clamp or the choice between the two filters changes.
    let ends = [0.0, 0.5 / 256.0, -0.5 / 256.0, 1.5 / 256.0, 0.5, 1.0, 1.25, 2.0, 3.0, 15.0];
    let lods: Vec<f32> = ends.iter().flat_map(|end: &f32| [*end, end.next_up(), end.next_down()]).collect();
    let others = [f32::next_down, f32::next_up].map(|next| next(next(0.5 / 256.0)));
    let lods = [&lods, &others[..], &[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]].concat();
    for _ in 0..20_000 {
        let mut sampler = bind(&linear());
        sampler.precision = random.pick(&[Precision::Float, Precision::Fixed8]);
        sampler.lod_bias = random.pick(&[0.0, 0.25, -1.5]);
        sampler.min_lod = random.pick(&[0.0, 1.0 / 256.0, 0.5, 1.25, 14.0]);
        sampler.max_lod = random.pick(&[0.0, 0.5, 2.0, 14.0]);
        sampler.preclamp = random.below(2) == 0;
        sampler.magnify_by_mip_filter = random.below(2) == 0;
        sampler.trilinear_quality = random.below(4) as u8;
        let mip = random.pick(&[Mip::None, Mip::Nearest, Mip::Linear]);
        let least = random.pick(&[0.0, 0.5, 1.25]);
        let rule = LevelRule::new(&sampler, mip, random.below(4) == 0, 1 + random.below(4) as u32, least);
        let lambda = [0.0; LANES].map(|_| random.pick(&lods) - random.pick(&[0.0, sampler.lod_bias]));
        let (mut whole, mut short) = (Levels::BASE, Levels::BASE);
        select::<true, true, true>(&rule, &lambda, &[0.0; LANES], &mut whole);
        match sampler.precision {
            Precision::Float => select::<false, false, true>(&rule, &lambda, &[0.0; LANES], &mut short),
            Precision::Fixed8 => select::<true, false, true>(&rule, &lambda, &[0.0; LANES], &mut short),
        }
        (short.lod, short.clamped) = (whole.lod, whole.clamped);
        assert_eq!(std::format!("{short:?}"), std::format!("{whole:?}"), "{rule:?} {lambda:?}");
    }
}
