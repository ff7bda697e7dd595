//! Prepared messages that read samples or MCS values give the results and outcomes of [`Texture::execute`].

use super::direct::{HandedOut, Pages, Reads};
use super::paths::execute_direct;
use super::random::Random;
use super::*;
use crate::message::Param;
use crate::sample::lanes::LANES;
use core::cell::RefCell;

/// Bytes that the surface takes; the control surface follows them.
const SURFACE: u64 = 0x8000;

/// Returns a random surface with 1 to 16 samples, which may have a control surface.
fn state(random: &mut Random) -> SurfaceState {
    let format = random.pick(&[R32, SurfaceFormat::R8G8B8A8_UNORM, SurfaceFormat::R16G16_UINT]);
    let mut state = surface(SurfaceType::D2, format, [4, 5, 1]);
    state.set_samples(random.pick(&[1, 2, 4, 8, 16])).unwrap();
    if random.below(2) == 0 {
        state.set_array(true).set_depth(2).unwrap().set_min_array_element(random.below(2) as u32).unwrap();
    }
    if random.below(2) == 0 {
        state.set_tile_mode(TileMode::YMajor).set_pitch(128).unwrap().set_qpitch(32).unwrap();
    }
    if random.below(4) == 0 {
        state.set_interleaved_samples(true);
    } else if state.samples() > 1 && random.below(3) != 0 {
        state.set_aux_mode(AuxMode::CcsD).set_aux_base_address(BASE + SURFACE);
        state.set_aux_pitch(1).unwrap().set_aux_qpitch(8).unwrap();
        state.set_clear_red(0x3f12_3456).set_clear_blue(0x0bad_cafe).set_clear_alpha(0x3e45_6789);
        if random.below(4) == 0 {
            state.set_clear_address_enable(true).set_clear_address(BASE + 0x40);
        }
    }
    state
}

/// Returns a random value of a parameter; some coordinates, layers and sample indices are out of range.
fn value(random: &mut Random, param: Param, level: u32) -> u32 {
    match param {
        Param::Lod => level,
        Param::R => random.pick(&[0, 0, 1, 2]),
        Param::Mcs0 | Param::Mcs1 | Param::Mcs2 | Param::Mcs3 => {
            random.pick(&[0x7654_3210, 0x1b, 2, 9, 0xff])
        }
        Param::Si => random.pick(&[0, 0, 1, 1, 3, 7, 16]),
        _ => random.pick(&[0, 1, 2, 3, 3, 4, u32::MAX]),
    }
}

#[test]
fn samples_are_those_of_messages_that_are_executed_once() {
    let mut random = Random(23);
    let bytes: Vec<u8> = (0..SURFACE + 0x2000)
        .map(|at| {
            if at < SURFACE { random.below(256) as u8 & 0x3f } else { random.pick(&[0xff, 0xff, 0xe4, 0x10]) }
        })
        .collect();
    let whole = LinearMemory { base: BASE, bytes: &bytes };
    let frames: Vec<u32> =
        (0..bytes.len() as u32 / 256).map(|page| if page % 5 == 3 { u32::MAX } else { page }).collect();
    let (pages, table, reads) =
        (Pages(whole, None), Pages(whole, Some(&frames)), Reads(whole, RefCell::default()));
    let (mut scratch, mut direct, mut results) = (Scratch::filled(0x7fc1_2345), 0, vec![]);
    let slice = HandedOut(whole, None);
    for _ in 0..2000 {
        let op = random.pick(&[Op::Ld2dms, Op::Ld2dmsW, Op::Ld2dss, Op::LdMcs]);
        let texture = Texture::bind(&state(&mut random), Platform::Gen11).unwrap();
        let width = random.pick(&[Width::Full, Width::Full, Width::Half]);
        let message = Message {
            simd: random.pick(&[8, 16, 16, 32]),
            params: op.params(width).len() as u8,
            param_width: width,
            return_width: random.pick(&[Width::Full, Width::Full, Width::Half]),
            ..Message::new(op)
        };
        let level = random.pick(&[0, 0, 0, 1]);
        let lanes = op.params(width).iter().flat_map(|&param| {
            (0..message.simd)
                .flat_map(|_| value(&mut random, param, level).to_le_bytes()[..width.bytes()].to_vec())
                .collect::<Vec<u8>>()
        });
        let block: Vec<u8> = lanes.collect();
        let stride = width.bytes() * usize::from(message.simd);
        let payload = Payload::split([&block, &[]], stride, message.params.into()).unwrap();
        let stages = vectors::any(&mut random);
        let prepared = Prepared::with_stages(&texture, &Sampler::none(), &message, stages).unwrap();
        for memory in [&whole as &dyn Memory, &pages, &table, &reads] {
            let mut one = vec![0xee; message.response().len.into()];
            let mut other = one.clone();
            let expected = texture.execute(&message, &payload, &Sampler::none(), memory, &mut one).unwrap();
            let found = prepared.execute(&mut scratch, message.lanes, &payload, memory, &mut other).unwrap();
            assert_eq!((&one, expected), (&other, found), "{message:?} {texture:?}");
            results.push(one);
        }
        // Memory that is handed out is not read texel by texel (`HandedOut` would panic).
        let fits = texture.span() <= bytes.len() as u64;
        let memory: &dyn Memory = if fits { &slice } else { &whole };
        direct += u32::from(execute_direct(&prepared, &mut scratch, &payload, memory, None).is_some());
    }
    results.sort_unstable();
    results.dedup();
    assert!(results.len() > 1000, "{}", results.len());
    // Messages with a clear colour in memory, and MCS values of surfaces without a control surface, do not take the direct path.
    assert!(LANES < 16 || direct > 1500, "{direct}");
}

/// Rows of 16 interleaved samples are four times as long as rows of texels: samples are read from the right blocks to the end of long
/// rows.
#[test]
#[cfg(feature = "astc")]
fn samples_of_blocks_are_in_their_blocks_to_the_end_of_long_rows() {
    let format = crate::format::from_name("ASTC_LDR_2D_10X5_FLT16").unwrap();
    let mut state = surface(SurfaceType::D2, format, [1 << 14, 8, 1]);
    state.set_samples(16).unwrap().set_interleaved_samples(true).set_pitch(1 << 17).unwrap();
    let bytes = vec![0; 1 << 20];
    let reads = Reads(LinearMemory { base: BASE, bytes: &bytes }, RefCell::default());
    let message = Message { params: 3, ..Message::new(Op::Ld2dss) };
    // A pair of texel columns takes eight columns: sample bit 0 moves by 2 columns, sample bit 2 by 4 (in rows: bits 1 and 3).
    for (x, y, sample) in [(0, 0, 0), (12_585, 4, 1), (12_000, 1, 4), (16_383, 7, 5), (16_382, 6, 10)] {
        let long = |at: u32, bits: u32| at / 2 * 8 + (bits & 1) * 2 + (bits >> 1) * 4 + at % 2;
        let (column, row) =
            (long(x, sample & 1 | sample >> 1 & 2), long(y, sample >> 1 & 1 | sample >> 2 & 2));
        run_from(&state, &Sampler::none(), &reads, &message, &[sample, x, y]);
        let element = BASE + (u64::from(row / 5) << 17) + u64::from(column / 10 * 16);
        assert_eq!(reads.take(), [element], "{x} {y} {sample}");
    }
}
