//! The execution paths and kernels that messages take: any other path would give the same results, but more slowly.

use super::direct::{HandedOut, PALETTE, Pages, Reads, lane_bytes, lane_params, param_count, state};
use super::random::Random;
use super::*;
use crate::format::BlockStore;
#[cfg(feature = "bc")]
use crate::format::FormatDecoder;
use crate::message::Param;
use crate::sample::direct::call::DirectCall;
use crate::sample::lanes::LANES;
use crate::sample::place::address::Pattern;
use crate::sample::place::axis::{AxisRule, WrapClass};
use crate::sample::{Prepared, Scratch};
#[cfg(feature = "bc")]
use core::array;
use core::cell::RefCell;

/// Executes a message on the direct path and returns its result; `None` if the message or this payload needs the general path.
pub(super) fn execute_direct(
    prepared: &Prepared<'_>,
    scratch: &mut Scratch,
    payload: &Payload<'_>,
    memory: &dyn Memory,
    blocks: Option<&BlockStore<'_>>,
) -> Option<Vec<u8>> {
    let Scratch { scratches, widened } = scratch;
    let wide = prepared.widened(payload, widened);
    let source = prepared.source(prepared.plan.bytes(memory), memory, blocks);
    let mut out = vec![0; prepared.response().len.into()];
    let direct = prepared.direct.first()?.as_ref()?;
    let call = DirectCall { plan: &prepared.plan, source: &source };
    direct.execute(call, scratches, u32::MAX, wide.as_ref().unwrap_or(payload), &mut out)?;
    Some(out)
}

const OPS: &[Op] = &[
    Op::SampleB,
    Op::SampleL,
    Op::SampleD,
    Op::SampleLz,
    Op::SampleCLz,
    Op::SampleMin,
    Op::Gather4,
    Op::Gather4C,
    Op::Gather4Po,
    Op::Gather4I,
    Op::Gather4LC,
    Op::Gather4PoL,
    Op::Gather4PoB,
    Op::Gather4PoIC,
    Op::Lod,
    Op::Ld,
    Op::LdLz,
];

fn sampler_state(random: &mut Random) -> SamplerState {
    let modes = [AddressMode::Wrap, AddressMode::ClampBorder, AddressMode::Cube];
    let mut state = linear();
    state
        .set_address_modes([random.pick(&modes); 3])
        .set_lod_bias(random.pick(&[0, 128]))
        .set_mip_filter(random.pick(&[MipFilter::None, MipFilter::Nearest, MipFilter::Linear]));
    if random.below(4) == 0 {
        state
            .set_mag_filter(Filter::Anisotropic)
            .set_min_filter(Filter::Anisotropic)
            .set_max_anisotropy_code(random.pick(&[1, 7]));
    }
    if random.below(4) == 0 {
        state.set_mag_filter(random.pick(&[Filter::Nearest, Filter::Linear]));
    }
    state
}

fn message(random: &mut Random, op: Op) -> Message {
    let width = random.pick(&[Width::Full, Width::Full, Width::Half]);
    let count = param_count(op, width).min(10);
    Message {
        simd: random.pick(&[4, 8, 16, 32]),
        params: count as u8,
        param_width: width,
        cps: random.below(4) == 0,
        ..Message::new(op)
    }
}

/// Returns random parameters that no lane needs the general path for, one after the other. All lanes of a load read one mip level.
fn parameters(random: &mut Random, message: &Message) -> Vec<u8> {
    let width = message.param_width;
    let loads = matches!(message.op, Op::Ld | Op::LdLz);
    let level = random.below(3) as u32;
    let lane = |param| match (loads, param) {
        (true, Param::Lod) => level.to_le_bytes()[..width.bytes()].to_vec(),
        (true, _) => lane_bytes(random, Param::U, true, width),
        (false, _) => {
            // Some LODs of a message are negative and select the magnification filter.
            let from = if matches!(param, Param::Lod | Param::LodOffUv) { 0.5 } else { 0.0 };
            let word = (random.below(64) as f32 / 64.0 - from).to_le_bytes();
            let half = crate::format::half::from_f32(f32::from_le_bytes(word)).to_le_bytes();
            if width == Width::Half { half.to_vec() } else { word.to_vec() }
        }
    };
    lane_params(message).flat_map(lane).collect()
}

/// Messages with these states take the direct path. A change that sends them down the general path would make them slower and would not
/// be noticed otherwise.
#[test]
fn most_states_go_the_direct_way() {
    if LANES < 16 {
        return;
    }
    let mut random = Random(5);
    let bytes: Vec<u8> = (0..1 << 17).map(|_| random.below(256) as u8 & 0x3f).collect();
    let whole = LinearMemory { base: BASE, bytes: &bytes };
    let frames: Vec<u32> = (0..512).collect();
    let (slice, table) = (HandedOut(whole, None), HandedOut(whole, Some(&frames)));
    let (pages, reads) = (Pages(whole, None), Reads(whole, RefCell::default()));
    let mut scratch = Scratch::new();
    for _ in 0..2000 {
        let op = random.pick(OPS);
        let state = state(&mut random);
        let texture = Texture::with_palette(&state, Platform::Gen11, PALETTE).unwrap();
        let sampler_state = sampler_state(&mut random);
        let message = message(&mut random, op);
        // Integer texels across the edges of cubes need the general path.
        if state.format() == SurfaceFormat::R32_UINT && state.surface_type() == SurfaceType::Cube {
            continue;
        }
        let stages = vectors::any(&mut random);
        let sampler = bind(&sampler_state);
        let Ok(prepared) = Prepared::with_stages(&texture, &sampler, &message, stages) else { continue };
        let stride = message.param_width.bytes() * usize::from(message.simd);
        let block = parameters(&mut random, &message);
        let payload = Payload::split([&block, &[]], stride, message.params.into()).unwrap();
        for memory in [&slice as &dyn Memory, &table, &pages, &reads] {
            let done = execute_direct(&prepared, &mut scratch, &payload, memory, None);
            assert!(done.is_some(), "{message:?} {texture:?} {sampler_state:?}");
        }
    }
}

/// Which channels are decoded, and whether their means are refined: more of either would give the same results, but more slowly.
#[test]
fn no_channel_is_decoded_in_vain() {
    use crate::format::channel::refine::Refinement;
    use ChannelSelect::{Alpha, Blue, Green, One, Red, Zero};
    let plan = |op, select, mask| {
        let mut state = surface(SurfaceType::D2, SurfaceFormat::R8G8B8A8_UNORM, [8, 8, 1]);
        state.set_channel_select(select);
        let texture = Texture::bind(&state, Platform::Gen11).unwrap();
        let message = Message { params: 3, simd: 16, channels: Channels::new(mask), ..Message::new(op) };
        let prepared = Prepared::new(&texture, &bind(&linear()), &message).unwrap();
        (
            prepared.plan.needed,
            prepared.plan.decoders.refinements.map(|refinement| refinement != Refinement::NONE),
        )
    };
    let plain = [Red, Green, Blue, Alpha];
    assert_eq!(plan(Op::SampleLz, plain, 0b1111), (0b1111, [true; 4]));
    assert_eq!(plan(Op::SampleLz, [Blue, Zero, One, Red], 0b1111).0, 0b101);
    assert_eq!(plan(Op::SampleLz, plain, 0b1010).0, 0b1010);
    assert_eq!(plan(Op::Gather4, plain, 0b1111), (0b1, [true; 4]));
    assert_eq!(plan(Op::Gather4, [Blue, Green, Red, Alpha], 0b1111).0, 0b100);
    assert_eq!(plan(Op::Gather4, [One, Green, Red, Alpha], 0b1111).0, 0);
    // The means of comparisons are means of their answers, 0 and 1, which are not refined.
    assert_eq!(plan(Op::SampleCLz, plain, 0b1111), (0b1, [false; 4]));
}

/// Formats whose texels are decoded, compared and filtered by one kernel. Without it the results would be the same, but slower.
#[test]
fn one_kernel_decodes_and_filters() {
    use SurfaceFormat as F;
    if LANES < 16 {
        return;
    }
    let prepare = |format, op| {
        let texture = Texture::bind(&surface(SurfaceType::D2, format, [8, 8, 1]), Platform::Gen11).unwrap();
        let message = Message { params: 3, simd: 16, ..Message::new(op) };
        Prepared::new(&texture, &bind(&linear()), &message).unwrap()
    };
    let at_once = |format, op| prepare(format, op).direct.first().unwrap().unwrap().decodes_at_once();
    // Alpha of sRGB formats has another channel kind than the colours; with 8-bit channels one kernel does both kinds.
    let kinds = [(F::R8G8B8A8_UNORM, true), (F::R8G8B8A8_UNORM_SRGB, true), (F::B4G4R4A4_UNORM_SRGB, false)];
    for (format, is_one) in kinds {
        assert_eq!(prepare(format, Op::SampleLz).plan.decoders.only_mean(2).is_some(), is_one, "{format:?}");
    }
    let formats = [F::R8G8B8A8_UNORM, F::R8G8_SNORM, F::R16G16B16A16_FLOAT, F::R32G32B32A32_FLOAT];
    let others = [F::R8G8B8A8_UNORM_SRGB, F::B5G6R5_UNORM, F::R9G9B9E5_SHAREDEXP, F::R16G16_SSCALED];
    for format in formats.into_iter().chain(others) {
        assert!(at_once(format, Op::SampleLz) && !at_once(format, Op::SampleMin), "{format:?}");
    }
    for format in [F::R32_FLOAT, F::R16_UNORM, F::R24_UNORM_X8_TYPELESS] {
        assert!(at_once(format, Op::SampleCLz) && at_once(format, Op::Gather4C), "{format:?}");
    }
}

/// Results that cannot be NaN are written unchanged; in all other results every NaN becomes the canonical one.
#[test]
fn nan_results_are_canonical() {
    let bytes = 0xffa1_2345_u32.to_le_bytes().repeat(1024);
    for op in [Op::Ld, Op::SampleLz] {
        for (format, red) in [(R32, 0x7fc0_0000), (SurfaceFormat::R32_UINT, 0xffa1_2345)] {
            let state = surface(SurfaceType::D2, format, [4, 4, 1]);
            assert_eq!(run(&state, &bind(&linear()), &bytes, op, &[0; 3])[0], red, "{op:?} {format:?}");
        }
    }
    // A NaN in the border colour becomes canonical too.
    let mut state = linear();
    state.set_address_modes([AddressMode::ClampBorder; 3]);
    let sampler = Sampler::bind(&state, &[0xffa1_2345; 4]).unwrap();
    let byte = surface(SurfaceType::D2, SurfaceFormat::R8_UNORM, [4, 4, 1]);
    assert_eq!(run(&byte, &sampler, &bytes, Op::SampleLz, &f(&[9.0, 9.0]))[0], 0x7fc0_0000);
}

/// A message does not look up slices where there is only one, and does not decode channels that it does not return.
#[test]
fn unneeded_slices_and_channels_are_skipped() {
    let mut state = surface(SurfaceType::D2, SurfaceFormat::R8G8B8A8_UNORM, [4, 4, 1]);
    state.set_array(true);
    let sliced = |state: &SurfaceState| Texture::bind(state, Platform::Gen11).unwrap().has_slices();
    assert!(!sliced(&state) && sliced(state.set_depth(2).unwrap()));
    let texture = Texture::bind(&state, Platform::Gen11).unwrap();
    for channels in [Channels::new(1), Channels::new(6)] {
        let message = Message { params: 3, channels, ..Message::new(Op::SampleLz) };
        let prepared = Prepared::new(&texture, &bind(&linear()), &message).unwrap();
        assert_eq!(prepared.plan.needed, channels.mask());
    }
}

/// Loads return the words of elements of all sizes, whole ones and those that are read in thirds.
#[test]
fn elements_are_whole() {
    use SurfaceFormat as F;
    let bytes: Vec<u8> = (0..4096_u32).map(|at| (at * 7 + at / 256 + 1) as u8).collect();
    for (format, size, channels) in [
        (F::R8_UINT, 1, 1),
        (F::R16_UINT, 2, 1),
        (F::R32_UINT, 4, 1),
        (F::R8G8B8_UINT, 1, 3),
        (F::R16G16B16_UINT, 2, 3),
        (F::R32G32_UINT, 4, 2),
        (F::R32G32B32_UINT, 4, 3),
        (F::R32G32B32A32_UINT, 4, 4),
    ] {
        let mut state = surface(SurfaceType::D2, format, [4, 4, 1]);
        state.set_pitch(192).unwrap();
        let found = run(&state, &Sampler::none(), &bytes, Op::LdLz, &[3, 2]);
        let texel = 2 * 192 + 3 * size * channels;
        for (channel, found) in found.into_iter().enumerate().take(channels) {
            let mut word = [0; 4];
            word[..size].copy_from_slice(&bytes[texel + channel * size..][..size]);
            assert_eq!(found, u32::from_le_bytes(word), "{format:?} {channel}");
        }
    }
}

/// If magnified and minified lanes of one message have different filters, each lane has the result of a message in which all lanes use
/// that filter. Both kinds of message take the direct path.
#[test]
fn lanes_of_two_filters_go_the_direct_way() {
    if LANES < 16 {
        return;
    }
    let mut random = Random(6);
    let bytes: Vec<u8> = (0..1 << 12).map(|_| random.below(256) as u8 & 0x3f).collect();
    let memory = LinearMemory { base: BASE, bytes: &bytes };
    let mut state = surface(SurfaceType::D2, R32, [8, 8, 1]);
    state.set_mip_count(3).unwrap();
    let texture = Texture::bind(&state, Platform::Gen11).unwrap();
    let message = Message { params: 3, simd: 16, ..Message::new(Op::SampleL) };
    let filters = [Filter::Nearest, Filter::Linear, Filter::Anisotropic];
    for mag in filters {
        for min in filters {
            let mut sampler = linear();
            sampler.set_mag_filter(mag).set_min_filter(min).set_mip_filter(MipFilter::Linear);
            let prepared = Prepared::new(&texture, &bind(&sampler), &message).unwrap();
            let red = |lod: &dyn Fn(u32) -> f32| -> Vec<[u8; 4]> {
                let at = (0..32).map(|number| (number * 7 % 32) as f32 / 32.0);
                let block: Vec<u8> = (0..16).map(lod).chain(at).flat_map(f32::to_le_bytes).collect();
                let payload = Payload::split([&block, &[]], 64, 3).unwrap();
                let out = execute_direct(&prepared, &mut Scratch::new(), &payload, &memory, None).unwrap();
                out.as_chunks().0[..16].to_vec()
            };
            let magnified = red(&|_| -1.0);
            let minified = red(&|lane| 0.25 + lane as f32 / 16.0);
            let mixed = red(&|lane| if lane % 3 == 0 { -1.0 } else { 0.25 + lane as f32 / 16.0 });
            for lane in 0..16 {
                let of_one = if lane % 3 == 0 { magnified[lane] } else { minified[lane] };
                assert_eq!(mixed[lane], of_one, "{mag:?} {min:?} {lane}");
            }
        }
    }
}

/// With two filters that differ in the rounding of coordinates alone, magnified lanes round as the magnification filter says.
#[test]
fn coordinates_of_magnified_lanes_round_by_bits_of_their_own() {
    let bytes = ramp(|x, _, _| x as f32);
    let state = surface(SurfaceType::D1, R32, [4, 1, 1]);
    let red = |rounding: [bool; 2], lod: f32| {
        let mut sampler = bind(&linear()).with_precision(Precision::Fixed8);
        sampler.rounding = rounding.map(|rounds| [rounds; 3]);
        let u = (1.5 + 1.75 / 256.0) / 4.0;
        f32::from_bits(run(&state, &sampler, &bytes, Op::SampleL, &f(&[lod, u]))[0])
    };
    let (down, nearest) = (1.0 + 1.0 / 256.0, 1.0 + 2.0 / 256.0);
    for rounding in [[false, true], [true, false], [true, true]] {
        let expected = rounding.map(|rounds| if rounds { nearest } else { down });
        assert_eq!([-1.0, 1.0].map(|lod| red(rounding, lod)), expected, "{rounding:?}");
    }
}

/// Each class of address modes has its own kernels.
#[test]
fn address_modes_have_classes() {
    if LANES == 1 {
        return;
    }
    use AddressMode as A;
    let folds = |mode| [512, 500].map(|size| AxisRule::new(mode, true).fold(size));
    assert_eq!(folds(A::Wrap), [WrapClass::RepeatPower, WrapClass::Repeat]);
    assert_eq!(folds(A::Mirror), [WrapClass::MirrorPower, WrapClass::Inside]);
    assert_eq!([A::Clamp, A::Cube].map(folds), [[WrapClass::Clamp; 2]; 2]);
    assert_eq!([A::ClampBorder, A::HalfBorder].map(folds), [[WrapClass::Border; 2]; 2]);
    assert_eq!([A::MirrorOnce, A::Mirror101].map(folds), [[WrapClass::Inside; 2]; 2]);
    // The classes that a message uses along U and V: if one axis has a border, the kernels of both axes must say whether texels are
    // outside.
    let texture = Texture::bind(&surface(SurfaceType::D2, R32, [16, 12, 1]), Platform::Gen11).unwrap();
    let of_message = |modes| {
        let mut sampler = linear();
        sampler.set_address_modes(modes);
        let message = Message { params: 2, ..Message::new(Op::SampleLz) };
        let prepared = Prepared::new(&texture, &bind(&sampler), &message).unwrap();
        [0, 1].map(|axis| prepared.plan.fold(&texture, axis))
    };
    assert_eq!(of_message([A::Wrap; 3]), [WrapClass::RepeatPower, WrapClass::Repeat]);
    assert_eq!(of_message([A::Clamp, A::Mirror, A::Clamp]), [WrapClass::Clamp, WrapClass::Inside]);
    assert_eq!(of_message([A::Wrap, A::ClampBorder, A::Wrap]), [WrapClass::ByData, WrapClass::Border]);
}

/// Each class of tile modes and of elements has its own kernels.
#[test]
fn tile_modes_have_classes() {
    if LANES == 1 {
        return;
    }
    let pattern = |format, tile_mode, pitch| {
        let mut state = surface(SurfaceType::D2, format, [8, 8, 1]);
        state.set_tile_mode(tile_mode).set_pitch(pitch).unwrap();
        let texture = Texture::bind(&state, Platform::Gen11).unwrap();
        let message = Message { params: 3, ..Message::new(Op::SampleLz) };
        let prepared = Prepared::new(&texture, &bind(&linear()), &message).unwrap();
        prepared.plan.elements.unwrap().pattern()
    };
    use TileMode::{Linear, WMajor, XMajor, YMajor};
    let byte = SurfaceFormat::R8_UNORM;
    assert_eq!(pattern(byte, Linear, 64), Pattern::Linear);
    assert_eq!(pattern(byte, XMajor, 512), Pattern::OneStep);
    assert_eq!(pattern(byte, YMajor, 128), Pattern::OneStep);
    assert_eq!(pattern(byte, WMajor, 128), Pattern::General);
    assert_eq!(pattern(SurfaceFormat::R8G8B8_UNORM, Linear, 64), Pattern::Thirds);
}

/// If all blocks that a message reads are in the store, a stage finds them for all lanes at once; they are neither decoded again nor
/// looked up one by one.
#[test]
#[cfg(feature = "bc")]
fn kept_blocks_are_found_by_a_stage() {
    if LANES < 16 {
        return;
    }
    let bytes: Vec<u8> = (0..1 << 12).map(|at: u32| (at.wrapping_mul(0x9e37_79b1) >> 24) as u8).collect();
    let memory = LinearMemory { base: BASE, bytes: &bytes };
    let prepare = |format| {
        let texture = Texture::bind(&surface(SurfaceType::D2, format, [8, 8, 1]), Platform::Gen11).unwrap();
        let message = Message { params: 2, simd: 16, ..Message::new(Op::SampleLz) };
        Prepared::new(&texture, &bind(&linear()), &message).unwrap()
    };
    for format in [R32, SurfaceFormat::BC1_UNORM] {
        let prepared = prepare(format);
        assert!(!prepared.reads_blocks() && prepared.direct(false).is_some(), "{format:?}");
    }
    let prepared = prepare(SurfaceFormat::BC7_UNORM);
    assert!(prepared.reads_blocks() && prepared.direct(true).is_some() && prepared.direct(false).is_none());
    let codec = FormatDecoder::new(SurfaceFormat::BC7_UNORM).unwrap();
    let mut words = vec![0; 8 * BlockStore::words_of(codec.info())];
    let mut store = BlockStore::new(&mut words, codec, 8);
    let block: Vec<u8> = (0..32_u32).flat_map(|lane| (lane as f32 / 32.0).to_le_bytes()).collect();
    let payload = Payload::split([&block, &[]], 64, 2).unwrap();
    let run = |scratch: &mut Scratch, blocks: Option<&BlockStore<'_>>| {
        execute_direct(&prepared, scratch, &payload, &memory, blocks)
    };
    let (mut scratch, mut out) = (Scratch::new(), [0; 256]);
    assert!(run(&mut scratch, None).is_none() && run(&mut scratch, Some(&store)).is_none());
    prepared.execute_with_blocks(&mut scratch, &mut store, u32::MAX, &payload, &memory, &mut out).unwrap();
    assert_eq!(run(&mut scratch, Some(&store)), Some(out.to_vec()));
}

/// Blocks that no lane reads need not be in the store: those of lanes out of range, of texels that the border replaces, and of inactive
/// lanes.
#[cfg(feature = "bc")]
#[test]
fn what_no_lane_reads_need_not_be_kept() {
    if LANES < 16 {
        return;
    }
    let bytes: Vec<u8> = (0..1 << 12).map(|at: u32| (at.wrapping_mul(0x9e37_79b1) >> 24) as u8).collect();
    let memory = LinearMemory { base: BASE, bytes: &bytes };
    let texture =
        Texture::bind(&surface(SurfaceType::D2, SurfaceFormat::BC7_UNORM, [32, 8, 1]), Platform::Gen11)
            .unwrap();
    let mut bordered = linear();
    bordered.set_address_modes([AddressMode::ClampBorder; 3]);
    let codec = FormatDecoder::new(SurfaceFormat::BC7_UNORM).unwrap();
    let (on, off) = (0x7fff, 0x8000);
    // The last lane, which is inactive where `on` are all active lanes, names the first block, as lanes out of range do.
    let loads = |lane: usize| if lane == 15 { 0 } else { lane as u32 + 4 }.to_le_bytes();
    let far = |lane: usize| if lane.is_multiple_of(2) { 1 << 20 } else { lane as u32 + 4 }.to_le_bytes();
    let samples = |lane: usize| if lane == 15 { 0.1 } else { 0.5 + lane as f32 / 50.0 }.to_le_bytes();
    let outside =
        |lane: usize| if lane.is_multiple_of(2) { -3.0 } else { 0.5 + lane as f32 / 50.0 }.to_le_bytes();
    let cases = [
        (Op::Ld, 4, on, array::from_fn(loads)),
        (Op::Ld, 4, on | off, array::from_fn(far)),
        (Op::SampleLz, 2, on, array::from_fn(samples)),
        (Op::SampleLz, 2, on | off, array::from_fn(outside)),
    ];
    for (number, (op, params, lanes, at)) in cases.into_iter().enumerate() {
        let message = Message { params, simd: 16, ..Message::new(op) };
        let prepared = Prepared::new(&texture, &bind(&bordered), &message).unwrap();
        let mut words = vec![0; 16 * BlockStore::words_of(codec.info())];
        let mut store = BlockStore::new(&mut words, codec, 16);
        let at: [[u8; 4]; 16] = at;
        let block: Vec<u8> = at.into_iter().flatten().chain(vec![0; 256]).collect();
        let payload = Payload::split([&block, &[]], 64, params.into()).unwrap();
        let (mut scratch, mut out) = (Scratch::new(), [0; 256]);
        prepared.execute_with_blocks(&mut scratch, &mut store, lanes, &payload, &memory, &mut out).unwrap();
        let mut execute_direct = |store: &BlockStore<'_>| {
            let (bytes, direct) = (prepared.plan.bytes(&memory), prepared.direct.first().unwrap().as_ref());
            let source = prepared.source(bytes, &memory, Some(store));
            let call = DirectCall { plan: &prepared.plan, source: &source };
            let scratches = &mut scratch.scratches;
            let mut out = [0; 256];
            direct.unwrap().execute(call, scratches, lanes, &payload, &mut out).map(|()| out)
        };
        assert_eq!(execute_direct(&store), Some(out), "case {number}");
        // A block that a lane reads must be in the store.
        store.clear();
        assert!(execute_direct(&store).is_none(), "case {number}");
    }
}

/// A message with parameters in the second block of its payload, as a split send has them, stays on the direct path.
#[test]
fn parameters_may_lie_in_two_blocks() {
    if LANES < 16 {
        return;
    }
    let bytes: Vec<u8> = (0..1 << 12_u32).map(|at| at as u8 & 0x3f).collect();
    let memory = LinearMemory { base: BASE, bytes: &bytes };
    let texture = Texture::bind(&surface(SurfaceType::D2, R32, [8, 8, 1]), Platform::Gen11).unwrap();
    for simd in [16, 32] {
        let message = Message { params: 2, simd, ..Message::new(Op::SampleLz) };
        let prepared = Prepared::new(&texture, &bind(&linear()), &message).unwrap();
        let stride = usize::from(simd) * 4;
        let block: Vec<u8> =
            (0..2 * u32::from(simd)).flat_map(|lane| (lane as f32 / 64.0).to_le_bytes()).collect();
        let [one, two] = [[&block[..], &[]], [&block[..stride], &block[stride..]]].map(|blocks| {
            let payload = Payload::split(blocks, stride, 2).unwrap();
            execute_direct(&prepared, &mut Scratch::new(), &payload, &memory, None)
        });
        assert!(one.is_some() && one == two, "SIMD{simd}");
    }
}

/// All six payloads of a batch are executed together, at every SIMD and parameter width.
#[test]
fn payloads_of_a_batch_go_side_by_side() {
    if LANES < 16 {
        return;
    }
    let bytes = vec![0x3f; 1 << 12];
    let memory = LinearMemory { base: BASE, bytes: &bytes };
    let texture = Texture::bind(&surface(SurfaceType::D2, R32, [8, 8, 1]), Platform::Gen11).unwrap();
    let shapes = [8, 16, 32].into_iter().flat_map(|simd| [(simd, Width::Full), (simd, Width::Half)]);
    for (simd, param_width) in shapes {
        let message = Message { params: 2, simd, param_width, ..Message::new(Op::SampleLz) };
        let prepared = Prepared::new(&texture, &bind(&linear()), &message).unwrap();
        let block = vec![0; 2 * usize::from(simd) * param_width.bytes()];
        let source = prepared.source(prepared.plan.bytes(&memory), &memory, None);
        let mut out = vec![0; 6 * usize::from(message.response().len)];
        let (direct, lanes) = (prepared.direct.first().unwrap().as_ref().unwrap(), message.all_lanes());
        let payloads = [[&block[..], &[]]; 6];
        // Two payloads of half a pass each are joined into one pass.
        let widen = prepared.widen.first().unwrap().as_ref();
        assert_eq!(widen.is_some_and(|widen| widen.joins_halves), simd == 8, "SIMD{simd} {param_width:?}");
        let call = DirectCall { plan: &prepared.plan, source: &source };
        let executed = direct.execute_several(call, widen, &mut Scratch::new(), lanes, &payloads, &mut out);
        assert_eq!(executed, 6, "SIMD{simd} {param_width:?}");
    }
}
