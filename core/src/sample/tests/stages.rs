//! Single stages, on lanes with different values.

use super::random::Random;
use super::{bind, f, linear, run, surface, vectors};
use crate::enums::SurfaceFormat as F;
use crate::format::half;
use crate::message::Op;
use crate::sample::bind::texture::ChannelSource;
use crate::sample::fetch::TEXELS;
use crate::sample::fetch::frames::{NEAR_PAGES, PageFrames};
use crate::sample::fetch::split_elements::PartRule;
use crate::sample::filter::{self, EXTREME_IDENTITY, ONES, Reduction};
use crate::sample::lanes::{ALL, LANES, Lanes, TAPS};
use crate::sample::place::address::{self, BlockSize};
use crate::sample::place::footprint;
use crate::sample::writeback::{ResultRows, WriteRule};
use crate::state::{SamplerState, SurfaceType};
use std::vec::Vec;

fn bits(value: f32) -> Lanes<u32> {
    [value.to_bits(); LANES]
}

#[test]
fn texels_are_split_into_blocks_for_both_slices() {
    let (mut x, mut y) = ([[5; LANES], [11; LANES]], [[7; LANES], [8; LANES]]);
    let mut inside = [[99; LANES]; TAPS];
    address::split([BlockSize::new(4), BlockSize::new(5)], &mut x, &mut y, &mut inside);
    assert_eq!((x, y), ([[1; LANES], [2; LANES]], [[1; LANES]; 2]));
    let texels = [0x21, 0x23, 0x31, 0x33].map(|texel| [texel; LANES]);
    assert_eq!((&inside[..4], &inside[4..]), (&texels[..], &texels[..]));
}

#[test]
fn extremes_know_signs_and_weights() {
    let texels = [-3.0, 2.0, -7.0, 5.0, -1.0, 4.0, 0.5, 1.0].map(bits);
    let extreme = |reduction, count: usize, weights, on| {
        let mut out = EXTREME_IDENTITY;
        filter::extreme(reduction, &texels[..count], &weights, on, &mut out);
        out.map(f32::from_bits)
    };
    for (count, least, most) in [(1, -3.0, -3.0), (2, -3.0, 2.0), (4, -7.0, 5.0), (8, -7.0, 5.0)] {
        assert_eq!(extreme(Reduction::Minimum, count, ONES, u32::MAX), [least; LANES], "{count}");
        assert_eq!(extreme(Reduction::Maximum, count, ONES, u32::MAX), [most; LANES], "{count}");
    }
    // Negative numbers alone remain when the texels without weight are left out.
    let mut weights = ONES;
    (weights[1], weights[3]) = ([0.0; LANES], [0.0; LANES]);
    assert_eq!(extreme(Reduction::Maximum, 4, weights, u32::MAX), [-3.0; LANES]);
    assert_eq!(extreme(Reduction::Minimum, 4, weights, u32::MAX), [-7.0; LANES]);
    if LANES > 1 {
        for (count, least) in [(1, -3.0), (2, -3.0), (4, -7.0)] {
            let [first, second, ..] = extreme(Reduction::Minimum, count, ONES, 2)[..] else { unreachable!() };
            assert!(first.is_nan() && second == least);
        }
    }
}

#[test]
fn a_level_without_weight_does_not_count() {
    let join = |reduction, fraction: f32, finer: f32, coarser: f32| {
        let mut out = bits(finer);
        filter::join_levels(reduction, &mut out, &bits(coarser), &[fraction; LANES]);
        f32::from_bits(out[0])
    };
    for reduction in [Reduction::Mean, Reduction::Minimum, Reduction::Maximum] {
        for other in [9.0, -9.0, f32::NAN, f32::INFINITY] {
            assert_eq!(join(reduction, 0.0, 2.0, other), 2.0, "{reduction:?}, {other}");
            assert_eq!(join(reduction, 1.0, other, 3.0), 3.0, "{reduction:?}, {other}");
        }
    }
    let joined = [Reduction::Mean, Reduction::Minimum, Reduction::Maximum];
    assert_eq!(joined.map(|reduction| join(reduction, 0.25, 2.0, 4.0)), [2.5, 2.0, 4.0]);
    assert_eq!(joined.map(|reduction| join(reduction, 0.25, 4.0, 2.0)), [3.5, 2.0, 4.0]);
    // MIN and MAX skip a NaN.
    assert_eq!(joined.map(|reduction| join(reduction, 0.5, f32::NAN, 2.0))[1..], [2.0, 2.0]);
    assert_eq!(joined.map(|reduction| join(reduction, 0.5, 2.0, f32::NAN))[1..], [2.0, 2.0]);
}

#[test]
fn the_reduction_so_far_counts_and_nan_does_not() {
    let reduce = |so_far: f32, texel: f32| {
        let mut out = bits(so_far);
        filter::extreme(Reduction::Minimum, &[bits(texel)], &ONES, 1, &mut out);
        f32::from_bits(out[0])
    };
    assert_eq!(
        [reduce(1.0, 2.0), reduce(2.0, 1.0), reduce(1.0, f32::NAN), reduce(f32::NAN, 2.0)],
        [1.0, 1.0, 1.0, 2.0]
    );
    // A call with several texels is a reduction of its own: the value that `out` held does not count.
    if LANES > 1 {
        let mut out = bits(-9.0);
        filter::extreme(Reduction::Minimum, &[bits(f32::NAN), bits(2.0)], &ONES, ALL, &mut out);
        assert_eq!(out, bits(2.0));
    }
    // Of two zeros the first is kept.
    assert!(reduce(0.0, -0.0).is_sign_positive() && reduce(-0.0, 0.0).is_sign_negative());
}

/// Sample k of n is at `k / (n + 1) - 1/2` of the longer derivative, counted from the centre.
#[test]
fn samples_lie_along_the_longer_derivative() {
    let sample_coords = |number, samples| {
        let mut out = [9.0; LANES];
        footprint::sample_coords(number, &[samples; LANES], &[-0.25; LANES], &[8.0; LANES], &mut out);
        out[0]
    };
    assert_eq!([1, 2, 3].map(|number| sample_coords(number, 3)), [-2.25, -0.25, 1.75]);
    assert_eq!(sample_coords(1, 1), -0.25);
}

#[test]
fn sums_and_means_are_of_the_lanes_that_have_the_sample() {
    let sum = |samples, channels| {
        let mut sum = [bits(3.0); 4];
        footprint::sum(2, &[samples; LANES], channels, &[bits(5.0); 4], &mut sum);
        for sum in &mut sum {
            footprint::divide(&[samples; LANES], sum);
        }
        sum.map(|lanes| f32::from_bits(lanes[0]))
    };
    assert_eq!(sum(1, 0b1111), [3.0; 4]);
    assert_eq!(sum(2, 0b1111), [4.0; 4]);
    // The sums of channels that are not needed stay as they are; the division by two samples halves them here.
    assert_eq!(sum(2, 0b1010), [1.5, 4.0, 1.5, 4.0]);
}

/// The mean of equal normalised texels is that texel, however weights are rounded: for fields in the low bits of their words and for
/// others.
#[test]
fn normalized_texels_that_are_equal_are_their_mean() {
    let formats = [F::R8G8B8A8_UNORM, F::R8G8B8A8_SNORM, F::B5G5R5A1_UNORM, F::R10G10B10A2_UNORM];
    for format in formats.into_iter().chain([F::R16G16B16A16_UNORM, F::R16G16B16A16_SNORM]) {
        for kind in [SurfaceType::D1, SurfaceType::D2, SurfaceType::D3] {
            let [height, depth] = [kind != SurfaceType::D1, kind == SurfaceType::D3];
            let size = |is: bool| if is { 4 } else { 1 };
            let state = surface(kind, format, [4, size(height), size(depth)]);
            for bytes in [[0x9d, 0xfe], [0x33, 0x47], [0xff, 0xff]] {
                let bytes = bytes.repeat(8192);
                let at = |sampler: &SamplerState, k: f32| {
                    let coordinates = f(&[k * 0.0713, k * 0.1131, k * 0.0517]);
                    run(&state, &bind(sampler), &bytes, Op::SampleLz, &coordinates)
                };
                let texel = at(&SamplerState::default(), 1.0);
                for k in 0..15_u8 {
                    assert_eq!(at(&linear(), f32::from(k)), texel, "{format:?} {kind:?} {k}");
                }
            }
        }
    }
}

/// Reading both texels of a footprint row at once, for elements of 3 and 6 bytes in tiles, gives the words that reading their parts one
/// by one gives, wherever runs end.
#[test]
fn rows_of_elements_in_two_runs_are_those_of_their_parts() {
    let mut random = Random(12);
    let bytes: Vec<u8> = (0..1 << 14).map(|_| random.below(256) as u8).collect();
    let zeros = [[0; LANES]; TAPS];
    let mut read = 0;
    for (stages, log2_unit) in vectors::all().iter().flat_map(|stages| [(stages, 0), (stages, 1)]) {
        let (Some(split), Some(find_parts)) = (stages.split_elements.get(log2_unit), stages.parts.first())
        else {
            return;
        };
        let Some((find, read_rows)) = split.rows else { continue };
        // Runs of 16 bytes, 512 bytes apart.
        let run = 16 >> log2_unit;
        let rule = PartRule { last: run - 1, jump: run * 31 };
        let place = |unit: u32| unit / run * run * 32 + unit % run;
        for count in [2, 4] {
            let columns: Lanes<u32> = core::array::from_fn(|_| random.below(160 / 6) as u32);
            let rows: Vec<Lanes<u32>> =
                (0..count).map(|tap| columns.map(|column| place(3 * (column + tap % 2)))).collect();
            let (mut parts, mut found) = ([zeros; 2], [zeros; 2]);
            let (mut want, mut words) = ([[0; TEXELS]; 4], [[0; TEXELS]; 4]);
            find_parts(&rule, &rows, &mut parts);
            (split.gather)(&bytes, [&rows, &parts[0][..rows.len()], &parts[1]], &mut want);
            assert!(find(&rule, 2, &rows, &mut found));
            let (here, next) = found[0][..rows.len()].split_at(rows.len() / 2);
            assert!(read_rows(&bytes, [here, next, &found[1]], &mut words));
            let texels = rows.len() * LANES;
            assert!((0..=log2_unit).all(|word| words[word][..texels] == want[word][..texels]));
            // The kernel reads sixteen bytes from where a row begins or continues: with one byte less it returns false.
            let end =
                (here.as_flattened().iter().chain(next.as_flattened()).max().unwrap() << log2_unit) + 16;
            assert!(read_rows(&bytes[..end as usize], [here, next, &found[1]], &mut words));
            assert!(!read_rows(&bytes[..end as usize - 1], [here, next, &found[1]], &mut words));
            // A second texel that is not next to the first of its row.
            let mut others = rows.clone();
            others[rows.len() - 1][LANES - 1] ^= 1;
            assert!(!find(&rule, 2, &others, &mut found));
            read += 1;
        }
    }
    assert_eq!(read, if LANES == 16 { 4 * (vectors::all().len() - 1) } else { 0 });
}

/// The kernel for pages that are close to each other finds the frames of the page table, whatever the table's length. For pages that are
/// not close or not there it returns false, and they are looked up one by one. All pages of short tables are close.
#[test]
fn frames_of_close_pages_are_those_of_the_table() {
    const LAST: u64 = 40;
    let mut random = Random(31);
    for stages in vectors::all() {
        let (Some([_, locate]), Some(near)) = (stages.locate.first(), stages.locate_near) else { continue };
        let (mut found_near, mut not_there) = (0, 0);
        for _ in 0..20_000 {
            let shift = random.below(5) as u32;
            let most = random.pick(&[LAST, LAST, LAST + 2]);
            let numbers: Vec<u32> = (0..random.below(LAST)).map(|_| random.below(most + 1) as u32).collect();
            let before = random.below(1 << shift) as u32;
            let frames = PageFrames { numbers: &numbers, bytes: &[], before, shift, last: LAST as u32 };
            let (first, pages, taps) = (random.below(LAST), 1 + random.below(12), random.pick(&[1, 2, 4, 8]));
            let unit = |_| (first << shift) as u32 + random.below(pages << shift) as u32;
            let units: Vec<u32> = (0..LANES * taps).map(unit).collect();
            let index = units.as_chunks().0;
            let [mut want, mut found] = [[[[0; LANES]; TAPS]; 2]; 2];
            let is_there = locate(&frames, index, &mut want);
            let is_near = near(&frames, index, &mut found);
            assert!(!is_near || is_there && found[1] == want[1], "{numbers:?} {before} {shift} {units:?}");
            assert!(numbers.len() > 2 * NEAR_PAGES as usize || is_near == is_there, "{numbers:?} {units:?}");
            (found_near, not_there) = (found_near + u32::from(is_near), not_there + u32::from(!is_there));
        }
        assert!(found_near > 2000 && not_there > 2000, "{found_near} {not_there}");
    }
}

/// 16-bit results are the nearest half floats at every vector level: of whole passes, of some lanes, and of two messages of half a pass
/// each.
#[test]
fn results_of_16_bits_are_the_nearest_halves() {
    let select = [
        ChannelSource::Channel(1),
        ChannelSource::Constant(0x3f80_0000),
        ChannelSource::Channel(3),
        ChannelSource::Channel(0),
    ];
    let rule = WriteRule {
        rows: ResultRows::new(15, &select),
        constants: [[0x3f80_0000; LANES]; 4],
        float: true,
        half: true,
        stride: 2 * LANES as u16,
        kernel: None,
    };
    // Every half float, the f32 values next to it, and those around the middle between it and the next half float.
    let near = |half| {
        let bits = half::to_f32(half).to_bits();
        [0, 1, u32::MAX, 0x0fff, 0x1000, 0x1001].map(|step| bits.wrapping_add(step))
    };
    let mut random = Random(47);
    let bits: Vec<u32> =
        (0..=u16::MAX).flat_map(near).chain((0..4096).map(|_| random.next() as u32)).collect();
    for stages in vectors::all() {
        let Some(kernels) = stages.write.get(2) else { continue };
        for values in bits.as_chunks().0.as_chunks::<4>().0 {
            let want = select.map(|select| match select {
                ChannelSource::Channel(c) => values[usize::from(c)],
                ChannelSource::Constant(value) => [value; LANES],
            });
            // Every NaN becomes the canonical one.
            let nearest = |bits: u32| match f32::from_bits(bits) {
                value if value.is_nan() => 0x7e00,
                value => half::from_f32(value),
            };
            let want: Vec<u8> =
                want.as_flattened().iter().flat_map(|bits| nearest(*bits).to_le_bytes()).collect();
            let mut out = [[7; 8 * LANES]; 2];
            let [on, failed] = [random.next() as u32 & ALL, random.next() as u32 & ALL];
            (kernels.some)(&rule, values, [on, failed], 0, &mut out[0]);
            for (at, (byte, want)) in out[0].iter().zip(&want).enumerate() {
                let [is_on, has_failed] = [on, failed].map(|mask| mask >> (at / 2 % LANES) & 1 != 0);
                assert_eq!(
                    *byte,
                    if !is_on {
                        7
                    } else if has_failed {
                        0
                    } else {
                        *want
                    },
                    "{values:x?}"
                );
            }
            (kernels.whole)(&rule, values, [ALL, 0], 0, &mut out[0]);
            assert_eq!(out[0][..], want, "{values:x?}");
            if LANES > 8 {
                let (first, second) = out[1].split_at_mut(4 * LANES);
                let rule = WriteRule { stride: LANES as u16, ..rule };
                (kernels.two)(&rule, values, first, second);
                for (row, want) in want.chunks(2 * LANES).enumerate() {
                    assert_eq!(first[row * LANES..][..LANES], want[..LANES], "{values:x?}");
                    assert_eq!(second[row * LANES..][..LANES], want[LANES..], "{values:x?}");
                }
            }
        }
    }
}
