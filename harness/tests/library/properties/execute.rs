//! Comparisons of core and emulator on random jobs, and at decisions where rounding matters.

use super::holds;
use texwire::Platform;
use texwire::enums::SurfaceFormat;
use texwire::state::{
    AddressMode, CompareFunction, Filter, MipFilter, ReductionType, SamplerState, SurfaceState,
};
use texwire::transfer::SurfaceDescription;
use texwire_harness::compare::{Counts, agree, agree_on, words};
use texwire_harness::core_engine::CoreEngine;
use texwire_harness::engine::{Engine, Job, Region};
use texwire_harness::generators;
use texwire_harness::properties::execute::{core_equals_emulator, levels_alike};

#[test]
fn bytes_as_jobs() {
    holds(core_equals_emulator, 100);
}

/// An input of few bytes, or of zeros, is as good a job as any.
#[test]
fn short_inputs_execute() {
    let mut counts = Counts::default();
    for length in 0..100 {
        let job = generators::job::of_bytes(&vec![length; usize::from(length % 9)]).unwrap();
        if let Err(why) = agree(&job, &CoreEngine, &mut counts) {
            panic!("{length}: {why}\n{}", words(&job));
        }
    }
    assert!(counts.executed >= 80, "{counts:?}");
}

#[test]
fn seeded_jobs() {
    let mut counts = Counts::default();
    for seed in 0..3000 {
        let job = generators::job::seeded(seed).unwrap();
        if let Err(why) = agree(&job, &CoreEngine, &mut counts) {
            panic!("seed {seed}: {why}\n{}", words(&job));
        }
        levels_alike(&job);
    }
    assert!(counts.lanes > 20_000, "{counts:?}");
    assert!(counts.refused * 4 < counts.executed, "{counts:?}");
}

/// A comparison on a cube of one texel a face; `texels` are faces +X, +Y and +Z, `direction` is where the lane looks.
fn comparison(texels: [u8; 3], direction: [f32; 3], reference: f32, function: CompareFunction) -> Job {
    const BASE: u64 = 0x1000;
    let cube = SurfaceDescription::cube(SurfaceFormat::R8_UNORM, 1).with_base_address(BASE);
    let surface = SurfaceState::new(&cube, Platform::Gen11).unwrap();
    let layout = surface.layout(Platform::Gen11).unwrap();
    let mut bytes = vec![0; surface.required_size(Platform::Gen11).unwrap() as usize];
    for (face, texel) in [0, 2, 4].into_iter().zip(texels) {
        bytes[(layout.address(0, face, 0, 0) - BASE) as usize] = texel;
    }
    let mut sampler = SamplerState::default();
    sampler
        .set_mag_filter(Filter::Linear)
        .set_min_filter(Filter::Linear)
        .set_address_modes([AddressMode::Cube; 3])
        .set_shadow_function(function);
    let [u, v, r] = direction;
    Job {
        lanes: 1,
        params: [reference, u, v, r].map(|value| vec![value.to_bits(); 8]).to_vec(),
        surface: surface.dwords,
        sampler: sampler.dwords,
        memory: vec![Region { address: BASE, bytes }].into(),
        ..Job::new("sample_c_lz")
    }
}

fn functions() -> [CompareFunction; 8] {
    use CompareFunction::{Always, Equal, Greater, GreaterEqual, Less, LessEqual, Never, NotEqual};
    [Always, Never, Less, Equal, LessEqual, Greater, NotEqual, GreaterEqual]
}

/// The mean of three texels at a cube's corner is rounded: whether it equals the reference may be decided either way. Further away
/// it is no matter of rounding.
#[test]
fn means_at_cube_corners_may_round_onto_the_reference() {
    let mut counts = Counts::default();
    let mut random = 1_u32;
    for _ in 0..200 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let texels = [24, 16, 8].map(|shift| (random >> shift) as u8);
        let mean = (texels.iter().map(|texel| f64::from(*texel)).sum::<f64>() / 3.0 / 255.0) as f32;
        for steps in -3..=3 {
            let reference = f32::from_bits(mean.to_bits().wrapping_add_signed(steps));
            for function in functions() {
                let job = comparison(texels, [1.0; 3], reference, function);
                if let Err(why) = agree(&job, &CoreEngine, &mut counts) {
                    panic!("{texels:?} {reference} {function:?}: {why}");
                }
            }
        }
        let job = |function| comparison(texels, [1.0; 3], mean + 1e-5, function);
        let answer = CoreEngine.execute(&job(CompareFunction::Equal));
        let wrong = agree_on(
            &job(CompareFunction::NotEqual),
            &job(CompareFunction::Always),
            answer,
            "core",
            &mut counts,
        );
        assert!(wrong.is_err(), "{texels:?}");
    }
    assert_eq!(counts.executed, 200 * (7 * 8 + 1));
    assert!(counts.nudged > 100, "{counts:?}");
    assert_eq!(counts.unconditioned, 0);
}

/// A texel that is the reference decides exactly: less is not less or equal.
#[test]
fn comparing_exact_texels_is_no_matter_of_rounding() {
    let mut counts = Counts::default();
    let mut told_apart = 0;
    for texel in [0, 1, 77, 85, 254, 255] {
        let job = |function| comparison([texel; 3], [1.0, 0.0, 0.0], f32::from(texel) / 255.0, function);
        for ours in functions() {
            let answer = || CoreEngine.execute(&job(ours));
            assert_eq!(agree_on(&job(ours), &job(ours), answer(), "core", &mut counts), Ok(()));
            for theirs in functions() {
                told_apart +=
                    u32::from(agree_on(&job(theirs), &job(theirs), answer(), "core", &mut counts).is_err());
            }
        }
    }
    assert_eq!((counts.refused, counts.nudged), (0, 0), "{counts:?}");
    // At equality four of the eight functions hold, four do not.
    assert_eq!(told_apart, 6 * 2 * 4 * 4);
}

/// An LOD just below a level may round onto it. With MAX the next finer level, which the exact LOD reads, is no part of the result
/// then, and neither is the next coarser one, which an LOD just above reads.
#[test]
fn lods_may_round_onto_a_level() {
    const BASE: u64 = 0x1000;
    let texture = SurfaceDescription::texture_2d(SurfaceFormat::R8_UNORM, 64, 64)
        .with_levels(7)
        .with_base_address(BASE);
    let surface = SurfaceState::new(&texture, Platform::Gen11).unwrap();
    let layout = surface.layout(Platform::Gen11).unwrap();
    let mut bytes = vec![0; surface.required_size(Platform::Gen11).unwrap() as usize];
    for (level, texel) in [(3, 200), (4, 10), (5, 100)] {
        let size = 64 >> level;
        for (x, y) in (0..size).flat_map(|y| (0..size).map(move |x| (x, y))) {
            bytes[(layout.address(level, 0, x, y) - BASE) as usize] = texel;
        }
    }
    let mut sampler = SamplerState::default();
    sampler
        .set_mag_filter(Filter::Linear)
        .set_min_filter(Filter::Linear)
        .set_mip_filter(MipFilter::Linear)
        .set_max_lod(0xe00)
        .set_lod_bias(3 << 8)
        .set_reduction(Some(ReductionType::Maximum));
    let job = |step: f32| {
        let u = |lane: usize| if lane & 1 == 1 { step } else { 0.0 };
        Job {
            params: vec![(0..8).map(|lane| f32::to_bits(u(lane))).collect(), vec![0.25_f32.to_bits(); 8]],
            surface: surface.dwords,
            sampler: sampler.dwords,
            memory: vec![Region { address: BASE, bytes: bytes.clone() }].into(),
            ..Job::new("sample")
        }
    };
    // Two texels: with the bias level 4, but for 1 part in 2 to the power of 24.
    let (two, less) = (1.0 / 32.0, (1.0_f32 / 32.0).next_down());
    let mut counts = Counts::default();
    for step in [two, less] {
        let answer = CoreEngine.execute(&job(step));
        assert_eq!(agree_on(&job(step), &job(step), answer, "core", &mut counts), Ok(()), "{step}");
    }
    assert!(counts.nudged > 0, "{counts:?}");
    // Half-way between levels there is nothing to round.
    let other = CoreEngine.execute(&job(two));
    assert!(agree_on(&job(two * 0.75), &job(two * 0.75), other, "core", &mut counts).is_err());
}
