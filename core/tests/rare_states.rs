//! Kill mask, sample_min and sample_max, quilts, and surfaces of tiled resources through the whole path.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use texwire::device::StateExecutor;
use texwire::enums::SurfaceFormat;
use texwire::eu::{DescriptorSource, Form, Operand, Runtime, SendInstruction};
use texwire::memory::{Access, Element, Memory};
use texwire::message::{Channels, Message, Op, Payload};
use texwire::sample::{Precision, Sampler, Texture};
use texwire::state::{
    AuxMode, BorderColor, ChannelSelect, ChromaKeyMode, Filter, ReductionType, SamplerState, SurfaceState,
    SurfaceType, TileMode, TiledResource,
};
use texwire::{Kind, Platform, What};

/// Memory in which every byte depends on its address.
struct Everywhere;

impl Memory for Everywhere {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        for (at, byte) in (0..).zip(out) {
            *byte = (address.wrapping_add(at).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8;
        }
        Access::Mapped
    }
}

fn surface(kind: SurfaceType, depth: u32) -> SurfaceState {
    let mut state = SurfaceState::default();
    state.set_surface_type(kind).set_format(SurfaceFormat::R8G8B8A8_UNORM).set_tile_mode(TileMode::YMajor);
    state
        .set_width(40)
        .unwrap()
        .set_height(24)
        .unwrap()
        .set_depth(depth)
        .unwrap()
        .set_mip_count(1)
        .unwrap()
        .set_halign(4)
        .set_valign(4);
    state.set_mip_tail_start(15).unwrap().set_base_address(0x10_0000);
    use ChannelSelect::{Alpha, Blue, Green, Red};
    state.set_channel_select([Red, Green, Blue, Alpha]);
    state.fit(Element::texel(4), Platform::Gen11).unwrap();
    state
}

fn linear() -> SamplerState {
    let mut state = SamplerState::default();
    state.set_mag_filter(Filter::Linear).set_min_filter(Filter::Linear).set_max_lod(14 << 8);
    state
}

fn lanes(values: [f32; 8]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn run(state: &SurfaceState, sampler: &SamplerState, message: &Message) -> Result<Vec<u8>, texwire::Error> {
    let texture = Texture::bind(state, Platform::Gen11)?;
    let sampler = Sampler::bind(sampler, &[0; 4])?;
    let u = lanes([0.1, 0.13, 0.2, 0.9, 0.5, 0.51, 0.7, 0.33]);
    let mut payload = Payload::new();
    for _ in 0..message.params {
        payload.push(&u).unwrap();
    }
    let mut out = vec![0x5a; message.response().len.into()];
    texture.execute(message, &payload, &sampler, &Everywhere, &mut out)?;
    Ok(out)
}

#[test]
fn the_kill_mask_follows_the_channels() {
    let state = surface(SurfaceType::D2, 1);
    let plain = Message { params: 2, ..Message::new(Op::SampleKillpix) };
    let masked = Message { kill_mask: true, null_mask: true, ..plain };
    assert_eq!((masked.response().null_mask, masked.response().kill_mask), (Some(128), Some(160)));
    let (fetched, both) = (run(&state, &linear(), &plain).unwrap(), run(&state, &linear(), &masked).unwrap());
    assert_eq!((fetched.len(), both.len(), &both[..128]), (128, 192, &fetched[..]));
    assert_eq!((&both[128..132], &both[160..164]), (&[0xff; 4][..], &[0xff; 4][..]));
    assert_eq!(&both[164..], [0x5a; 28]);
    // The chroma key itself is not in the sampler state, so a kill mask, and the mode that replaces texels, are refused.
    let mut keyed = linear();
    keyed.set_chroma_key(true);
    assert_eq!(run(&state, &keyed, &plain).unwrap(), fetched);
    let why = run(&state, &keyed, &masked).unwrap_err();
    assert_eq!((why.kind(), why.what(), why.offset()), (Kind::Unsupported, What::ChromaKey, Some(4)));
    keyed.set_chroma_key_mode(ChromaKeyMode::ReplaceBlack);
    assert_eq!(run(&state, &keyed, &plain).unwrap_err().what(), What::ChromaKey);
}

/// A response with one register more than the channels has a kill mask; a shorter one has none.
#[test]
fn the_response_length_says_whether_there_is_a_kill_mask() {
    let registers = [0; 64];
    for (mode, rlen, mlen, mask) in
        [(1, 4, 2, false), (1, 5, 2, true), (1, 3, 2, false), (2, 8, 2, false), (2, 9, 2, true)]
    {
        let mut send = SendInstruction::new(Platform::Gen11, Form::Plain);
        send.dst = Operand::grf(20);
        send.src0 = Operand::grf(10);
        send.descriptor = DescriptorSource::Immediate(mlen << 25 | rlen << 20 | mode << 17 | 0x0c << 12);
        let runtime = Runtime { payload: [&registers, &[]], dispatch: u32::MAX, ..Runtime::default() };
        let (message, _) = send.lower(&runtime).unwrap();
        assert_eq!((message.op, message.kill_mask), (Op::SampleKillpix, mask), "{mode} {rlen}");
        assert_eq!(u32::from(message.response().registers(32)), rlen);
        assert_eq!(message.channels, Channels::new(if rlen == 3 { 7 } else { 15 }));
    }
    // Other operations have no kill mask.
    let mut send = SendInstruction::new(Platform::Gen11, Form::Plain);
    send.descriptor = DescriptorSource::Immediate(2 << 25 | 5 << 20 | 1 << 17);
    let runtime = Runtime { payload: [&registers, &[]], dispatch: u32::MAX, ..Runtime::default() };
    assert_eq!(send.lower(&runtime).unwrap_err().what(), What::ResponseLength);
}

#[test]
fn sample_min_and_max_are_reductions() {
    let state = surface(SurfaceType::D2, 1);
    for (op, reduction) in [(Op::SampleMin, ReductionType::Minimum), (Op::SampleMax, ReductionType::Maximum)]
    {
        let message = Message { params: 2, ..Message::new(op) };
        let mut reduced = linear();
        reduced.set_reduction(Some(reduction));
        let want = run(&state, &reduced, &Message { params: 2, ..Message::new(Op::Sample) }).unwrap();
        assert_eq!(run(&state, &linear(), &message).unwrap(), want);
        assert_ne!(run(&state, &linear(), &Message { params: 2, ..Message::new(Op::Sample) }).unwrap(), want);
        for kind in [SurfaceType::D1, SurfaceType::D3, SurfaceType::Cube] {
            let mut other = surface(SurfaceType::D2, 1);
            other.set_surface_type(kind).set_height(40).unwrap();
            let why = run(&other, &linear(), &message).unwrap_err();
            assert_eq!((why.kind(), why.what()), (Kind::Invalid, What::SurfaceType), "{kind:?}");
        }
    }
}

/// The size of a quilt can be queried, but its texels cannot be read.
#[test]
fn quilts_are_measured_and_not_read() {
    let mut state = surface(SurfaceType::D2, 1);
    state.set_quilt_width(2).unwrap().set_quilt_height(3).unwrap();
    let sizes = run(&state, &linear(), &Message { params: 0, ..Message::new(Op::Resinfo) }).unwrap();
    assert_eq!((sizes[0], sizes[32]), (80, 72));
    let why = run(&state, &linear(), &Message { params: 2, ..Message::new(Op::Sample) }).unwrap_err();
    assert_eq!((why.kind(), why.what(), why.found()), (Kind::Unsupported, What::Quilt, 2 << 5 | 1));
}

/// Auxiliary surfaces that the driver has resolved can be ignored; a multisample control surface cannot.
#[test]
fn resolved_auxiliary_surfaces_are_ignored_on_request() {
    let plain = surface(SurfaceType::D2, 1);
    let message = Message { params: 2, ..Message::new(Op::Sample) };
    let want = run(&plain, &linear(), &message).unwrap();
    for mode in [AuxMode::CcsD, AuxMode::Append, AuxMode::Hiz, AuxMode::CcsE] {
        let mut state = plain;
        state.set_aux_mode(mode).set_aux_pitch(3).unwrap().set_aux_base_address(0x90_0000);
        let why = run(&state, &linear(), &message).unwrap_err();
        assert_eq!(
            (why.kind(), why.what(), why.found()),
            (Kind::Unsupported, What::AuxMode, mode.code().into())
        );
        assert_eq!(run(&state.without_resolved_aux(), &linear(), &message).unwrap(), want);
        let mut executor = StateExecutor::<1, 1>::new(Platform::Gen11);
        let (u, mut out) = (lanes([0.1, 0.13, 0.2, 0.9, 0.5, 0.51, 0.7, 0.33]), vec![0; 128]);
        let mut payload = Payload::new();
        payload.push(&u).unwrap();
        payload.push(&u).unwrap();
        let sampler = (linear(), BorderColor::default());
        let mut execute = |executor: &mut StateExecutor<'_, 1, 1>| {
            executor.execute(&state, Some(&sampler), &message, &payload, &Everywhere, &mut out).map(drop)
        };
        assert_eq!(execute(&mut executor).unwrap_err().what(), What::AuxMode);
        executor.set_aux_resolved(true);
        execute(&mut executor).unwrap();
        executor.set_aux_resolved(false);
        assert_eq!(execute(&mut executor).unwrap_err().what(), What::AuxMode);
        executor.set_aux_resolved(true);
        execute(&mut executor).unwrap();
        assert_eq!(out, want);
        // A footprint, too, is that of the surface without it.
        let footprint = |surface| {
            executor.footprint::<16, _>(surface, Some(&sampler), &message, &payload, 0, &Everywhere)
        };
        assert_eq!(footprint(&state), footprint(&plain));
        assert_eq!(footprint(&state).unwrap().taps.len(), 4);
    }
    let mut samples = plain;
    samples.set_samples(4).unwrap().set_aux_mode(AuxMode::CcsD);
    assert_eq!(samples.without_resolved_aux(), samples);
    samples.set_aux_mode(AuxMode::CcsE);
    assert_eq!(samples.without_resolved_aux().aux_mode(), AuxMode::None);
}

/// Prepared messages are reused, but not with the old value of an option that changed after they were prepared.
#[test]
fn options_hold_for_messages_that_are_prepared() {
    let flat = surface(SurfaceType::D2, 1);
    let mut row = flat;
    row.set_surface_type(SurfaceType::D1).set_height(1).unwrap().set_tiled_resource(TiledResource::Yf);
    row.fit(Element::texel(4), Platform::Gen9).unwrap();
    let mut indices = flat;
    indices.set_format(SurfaceFormat::P8_UNORM_PALETTE1);
    let sample = Message { params: 2, ..Message::new(Op::Sample) };
    let lod = Message { cps: true, ..Message { params: 2, ..Message::new(Op::Lod) } };
    type Change = fn(&mut StateExecutor<'static, 2, 2>);
    const GREY: &[u32] = &[0xff40_4040; 256];
    const WHITE: &[u32] = &[0xffff_ffff; 256];
    // A surface, a message, and two settings of an option that give different results.
    let cases: [(_, _, [Change; 2]); 4] = [
        (
            flat,
            sample,
            [|to| to.set_precision(Precision::Float), |to: &mut _| to.set_precision(Precision::Fixed8)],
        ),
        (flat, lod, [|to| to.set_coarse_lod(0.0), |to| to.set_coarse_lod(2.5)]),
        (row, sample, [|to| to.set_platform(Platform::Gen9), |to| to.set_platform(Platform::Gen11)]),
        (indices, sample, [|to| to.set_palettes([&[], GREY]), |to| to.set_palettes([&[], WHITE])]),
    ];
    let values = lanes([0.1, 0.13, 0.2, 0.9, 0.5, 0.51, 0.7, 0.33]);
    let mut payload = Payload::new();
    payload.push(&values).unwrap();
    payload.push(&values).unwrap();
    let sampler = (linear(), BorderColor::default());
    for (number, (state, message, changes)) in cases.iter().enumerate() {
        let run = |executor: &mut StateExecutor<'static, 2, 2>, change: &Change| {
            change(executor);
            let mut out = vec![0; 128];
            executor
                .execute(state, Some(&sampler), message, &payload, &Everywhere, &mut out)
                .map(|_| out)
                .map_err(|why| why.what())
        };
        let [first, second] =
            changes.each_ref().map(|change| run(&mut StateExecutor::new(Platform::Gen9), change));
        assert_ne!(first, second, "option {number} changes nothing");
        let mut executor = StateExecutor::new(Platform::Gen9);
        let [before, after] = changes;
        // The second execution with the first value reuses the prepared message.
        for (change, want) in [(before, &first), (before, &first), (after, &second), (before, &first)] {
            assert_eq!(&run(&mut executor, change), want, "option {number}");
        }
    }
}

/// Errors about what no source describes give that reason.
#[test]
fn refusals_give_their_reason() {
    let mut state = surface(SurfaceType::D2, 1);
    let reason = |state: &SurfaceState| Texture::bind(state, Platform::Gen11).unwrap_err().to_string();
    for (format, text) in [
        (
            SurfaceFormat::R1_UNORM,
            "not supported: surface format 0x181 at byte 0x0 bit 18 (expected whole bytes: where a texel of 1 bit lies is not published)",
        ),
        (
            SurfaceFormat::MONO8,
            "not supported: surface format 0x18e at byte 0x0 bit 18 (expected whole bytes: where a texel of 1 bit lies is not published)",
        ),
        (
            SurfaceFormat::RAW,
            "not supported: surface format 0x1ff at byte 0x0 bit 18 (expected one with texels)",
        ),
    ] {
        state.set_format(format);
        assert_eq!(reason(&state), text);
    }
    let mut send = SendInstruction::new(Platform::Gen9, Form::Plain);
    send.descriptor = DescriptorSource::Immediate(2 << 25 | 4 << 20 | 3 << 17);
    let runtime = Runtime { payload: [&[0; 64], &[]], dispatch: u32::MAX, ..Runtime::default() };
    let why = send.lower(&runtime).unwrap_err();
    assert_eq!(
        why.to_string(),
        "not supported: SIMD mode 0x3 (expected 1, 2, 5 or 6: what media messages return is not published)"
    );
}

/// `ld` reads from each kind of tiled resource the texels at the addresses that the layout gives.
#[test]
fn loads_of_tiled_resources() {
    use TiledResource::{None, Yf, Ys};
    for (kind, mode, depth, levels, tail) in [
        (SurfaceType::D2, None, 3, 3, 15),
        (SurfaceType::D2, Yf, 3, 3, 15),
        (SurfaceType::D2, Ys, 3, 4, 0),
        (SurfaceType::D3, Yf, 20, 3, 15),
        (SurfaceType::D3, Ys, 9, 4, 2),
    ] {
        let mut state = surface(kind, depth);
        state.set_array(kind == SurfaceType::D2).set_tiled_resource(mode).set_mip_count(levels).unwrap();
        state.set_mip_tail_start(tail).unwrap().set_format(SurfaceFormat::R8G8B8A8_UINT);
        state.fit(Element::texel(4), Platform::Gen11).unwrap();
        let texture = Texture::bind(&state, Platform::Gen11).unwrap();
        let layout = texwire::memory::Layout::new(&state, Element::texel(4), Platform::Gen11).unwrap();
        let (x, y, z) = ([0, 3, 9, 4, 1, 5, 8, 2], [0, 1, 5, 2, 3, 4, 0, 2], [0, 1, 1, 0, 1, 0, 1, 0]);
        for level in 0..levels {
            let words = |values: [u32; 8]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
            let (u, v, lod, r) = (words(x), words(y), words([level; 8]), words(z));
            let mut payload = Payload::new();
            for lanes in [&u, &v, &lod, &r] {
                payload.push(lanes).unwrap();
            }
            let mut out = [0; 128];
            texture
                .execute(&Message::new(Op::Ld), &payload, &Sampler::none(), &Everywhere, &mut out)
                .unwrap();
            for lane in 0..8 {
                let size = layout.level(level);
                let inside = x[lane] < size.width && y[lane] < size.height && z[lane] < size.depth;
                let mut texel = [0; 4];
                if inside {
                    Everywhere.read(layout.address(level, z[lane], x[lane], y[lane]), &mut texel);
                }
                let got = [0, 32, 64, 96].map(|channel| out[channel + lane * 4]);
                assert!(!inside || got == texel, "{kind:?} {mode:?} level {level} lane {lane}");
            }
        }
    }
}
