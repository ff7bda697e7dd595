//! Binding refuses states that the sampler does not support and names their field; and a few whole messages.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

use texwire::enums::SurfaceFormat;
use texwire::memory::{Access, Element, Layout, LinearMemory, Memory};
use texwire::message::{Param, Payload, Width};
use texwire::sample::{Sampler, Texture};
use texwire::state::{
    AddressMode, AuxMode, ChannelSelect, CompareFunction, Filter, MipFilter, ReductionType, SamplerState,
    SurfaceState, SurfaceType, TileMode, TiledResource, TrilinearQuality,
};
use texwire::{Error, Kind, Message, Op, Platform, What};

/// 8x8 floats, rows 64 bytes apart, QPitch 8 rows.
fn surface(kind: SurfaceType) -> SurfaceState {
    let mut state = SurfaceState { dwords: [0; 16] };
    state.set_surface_type(kind).set_format(SurfaceFormat::R32_FLOAT);
    state
        .set_width(8)
        .unwrap()
        .set_height(8)
        .unwrap()
        .set_depth(1)
        .unwrap()
        .set_pitch(64)
        .unwrap()
        .set_qpitch(8)
        .unwrap();
    state.set_mip_count(1).unwrap().set_halign(4).set_valign(4);
    use ChannelSelect::{Alpha, Blue, Green, Red};
    state.set_channel_select([Red, Green, Blue, Alpha]);
    state
}

fn linear() -> SamplerState {
    let mut state = SamplerState { dwords: [0; 4] };
    state.set_mag_filter(Filter::Linear).set_min_filter(Filter::Linear).set_max_lod(0xe00);
    state.set_address_modes([AddressMode::Clamp; 3]);
    state
}

type Found = (Kind, What, Option<usize>, Option<u8>, u64);

fn found(why: Error) -> Found {
    (why.kind(), why.what(), why.offset(), why.bit_offset(), why.found())
}

/// Each change alone makes the state one that is refused. A case is the surface type, the change, and the kind and subject of the error,
/// the byte offset of the field's dword, its first bit in the dword, and the value found.
#[test]
fn surfaces_that_are_refused() {
    type Change = fn(&mut SurfaceState) -> &mut SurfaceState;
    use SurfaceType::{Cube, D2, D3};
    let cases: &[(SurfaceType, Change, Kind, What, usize, u8, u64)] = &[
        (SurfaceType::Reserved, |s| s, Kind::Reserved, What::SurfaceType, 0, 29, 6),
        (D2, |s| bits(s, 4, 5 << 3), Kind::Reserved, What::Samples, 16, 3, 5),
        (D2, |s| bits(s, 4, 7 << 3), Kind::Reserved, What::Samples, 16, 3, 7),
        (D3, |s| s.set_samples(4).unwrap(), Kind::Invalid, What::Samples, 16, 3, 2),
        (
            D2,
            |s| s.set_samples(4).unwrap().set_mip_count(2).unwrap(),
            Kind::Invalid,
            What::MipCount,
            20,
            0,
            2,
        ),
        (
            D2,
            |s| s.set_samples(4).unwrap().set_surface_min_lod(1).unwrap(),
            Kind::Invalid,
            What::MipCount,
            20,
            0,
            1,
        ),
        (
            D2,
            |s| s.set_surface_min_lod(10).unwrap().set_mip_count(6).unwrap(),
            Kind::Invalid,
            What::MipCount,
            20,
            0,
            16,
        ),
        (Cube, |s| s.set_height(4).unwrap(), Kind::Invalid, What::CubeSize, 8, 16, 4),
        (D2, |s| s.set_aux_mode(AuxMode::CcsE), Kind::Unsupported, What::AuxMode, 24, 0, 5),
        (D2, |s| s.set_format(SurfaceFormat(0x1f0)), Kind::Unknown, What::Format, 0, 18, 0x1f0),
        (D2, |s| s.set_format(SurfaceFormat::RAW), Kind::Unsupported, What::Format, 0, 18, 0x1ff),
        (D2, |s| s.set_mip_count(2).unwrap().set_halign(0), Kind::Reserved, What::Alignment, 0, 14, 0),
        (D2, |s| s.set_mip_count(2).unwrap().set_valign(0), Kind::Reserved, What::Alignment, 0, 16, 0),
        (
            D2,
            |s| s.set_select_green(ChannelSelect::Reserved(3)),
            Kind::Reserved,
            What::ChannelSelect,
            28,
            22,
            3,
        ),
    ];
    for (index, (kind, change, why, what, at, bit, value)) in cases.iter().enumerate() {
        let mut state = surface(*kind);
        change(&mut state);
        let refused = Texture::bind(&state, Platform::Gen11).map(|_| ()).map_err(found);
        assert_eq!(refused, Err((*why, *what, Some(*at), Some(*bit), *value)), "case {index}");
    }
    // States next to these limits that are legal.
    for (kind, change) in [
        (D2, (|s| s.set_samples(16).unwrap()) as Change),
        (D2, |s| s.set_surface_min_lod(10).unwrap().set_mip_count(5).unwrap()),
        (Cube, |s| s.set_height(8).unwrap()),
        (D3, |s| s.set_depth(8).unwrap()),
    ] {
        let mut state = surface(kind);
        change(&mut state);
        assert!(Texture::bind(&state, Platform::Gen11).is_ok());
    }
    let mut tiled = surface(D2);
    tiled.set_tile_mode(TileMode::YMajor).set_tiled_resource(TiledResource::Yf);
    let why = Texture::bind(&tiled, Platform::Gen11).map(|_| ()).unwrap_err();
    assert_eq!((why.kind(), why.what()), (Kind::Invalid, What::Pitch));
}

fn bits(state: &mut SurfaceState, dword: usize, bits: u32) -> &mut SurfaceState {
    state.dwords[dword] |= bits;
    state
}

/// Executes a message with the same parameters in every lane; returns red of lane 0.
fn red(state: &SurfaceState, sampler: &Sampler, message: &Message, params: &[f32]) -> Result<f32, Error> {
    let bytes: Vec<u8> = (0..256_u16)
        .flat_map(|at| f32::from(at / 16 % 8).to_le_bytes())
        .chain((0..512_u32).flat_map(|_| 50.0_f32.to_le_bytes()))
        .collect();
    let lanes: Vec<_> = params.iter().map(|param| param.to_le_bytes().repeat(8)).collect();
    let mut payload = Payload::new();
    lanes.iter().for_each(|lanes| payload.push(lanes).unwrap());
    let texture = Texture::bind(state, Platform::Gen11)?;
    let memory = LinearMemory { base: 0, bytes: &bytes };
    let mut out = [0; 128];
    texture.execute(message, &payload, sampler, &memory, &mut out)?;
    Ok(f32::from_le_bytes(out[..4].try_into().unwrap()))
}

fn message(op: Op, params: u8) -> Message {
    Message { simd: 8, lanes: 1, params, ..Message::new(op) }
}

/// The coarse-pixel term is added to the LOD of messages with the CPS flag, and of no other.
#[test]
fn coarse_pixels_are_compensated() {
    let mut state = surface(SurfaceType::D2);
    state.set_mip_count(2).unwrap();
    let sampler =
        |lod| Sampler::bind(linear().set_mip_filter(MipFilter::Linear), &[0; 4]).unwrap().with_cps_lod(lod);
    let ask = Message { cps: true, ..message(Op::SampleL, 3) };
    let at = [0.0, 0.5, 0.5];
    let level0 = red(&state, &sampler(0.0), &ask, &at).unwrap();
    let level1 = red(&state, &sampler(1.0), &ask, &at).unwrap();
    // The means of rows 3 and 4 of mip level 0 (eight rows) and of rows 1 and 2 of mip level 1 (four rows).
    assert_eq!((level0, level1), (3.5, 1.5));
    assert_eq!(red(&state, &sampler(0.25), &ask, &at).unwrap(), level0 * 0.75 + level1 * 0.25);
    assert_eq!(red(&state, &sampler(1.0), &message(Op::SampleL, 3), &at).unwrap(), level0);
}

#[test]
fn messages_that_a_surface_does_not_take() {
    let sampler = Sampler::bind(&linear(), &[0; 4]).unwrap();
    let refused = |state: &SurfaceState, op, params: &[f32]| {
        red(state, &sampler, &message(op, params.len() as u8), params)
            .map_err(|why| (why.what(), why.found(), why.offset().zip(why.bit_offset())))
    };
    let (samples, surface_type) = ((What::Samples, 2, Some((16, 3))), Some((0, 29)));
    let mut four = surface(SurfaceType::D2);
    four.set_samples(4).unwrap();
    assert_eq!(refused(&four, Op::Sample, &[0.5, 0.5]), Err(samples));
    assert_eq!(refused(&four, Op::Ld, &[0.0]), Err(samples));
    assert!(refused(&four, Op::Ld2dss, &[0.0]).is_ok() && refused(&four, Op::Resinfo, &[0.0]).is_ok());
    let cube = surface(SurfaceType::Cube);
    assert!(refused(&cube, Op::Sample, &[1.0, 0.0, 0.0]).is_ok());
    assert_eq!(refused(&cube, Op::Ld, &[0.0]), Err((What::SurfaceType, 3, surface_type)));
    let volume = surface(SurfaceType::D3);
    assert_eq!(refused(&volume, Op::Ld2dss, &[0.0]), Err((What::SurfaceType, 2, surface_type)));
    let mut buffer = surface(SurfaceType::Buffer);
    buffer.set_buffer_elements(8).unwrap().set_pitch(4).unwrap();
    assert!(refused(&buffer, Op::Ld, &[0.0]).is_ok() && refused(&buffer, Op::Resinfo, &[0.0]).is_ok());
    for op in [Op::Sample, Op::LdMcs, Op::Ld2dss, Op::Lod] {
        assert_eq!(refused(&buffer, op, &[0.0]), Err((What::SurfaceType, 4, surface_type)), "{op:?}");
    }
    let mut integer = surface(SurfaceType::D2);
    integer.set_format(SurfaceFormat::R32_UINT);
    assert_eq!(
        refused(&integer, Op::SampleC, &[0.5]),
        Err((What::Format, u64::from(SurfaceFormat::R32_UINT.0), Some((0, 18))))
    );
    // A short result buffer, and a lane count that no message has.
    let texture = Texture::bind(&surface(SurfaceType::D2), Platform::Gen11).unwrap();
    assert_eq!(texture.format().map(|info| info.code), Some(SurfaceFormat::R32_FLOAT));
    let memory = LinearMemory { base: 0, bytes: &[0; 512] };
    let plain = message(Op::Sample, 0);
    let why = texture.execute(&plain, &Payload::new(), &sampler, &memory, &mut [0; 127]).unwrap_err();
    assert_eq!((why.kind(), why.what(), why.found()), (Kind::Capacity, What::Writeback, 128));
    let wide = Message { simd: 33, ..plain };
    let why = texture.execute(&wide, &Payload::new(), &sampler, &memory, &mut [0; 1024]).unwrap_err();
    assert_eq!((why.what(), why.found()), (What::ExecSize, 33));
    assert!(texture.execute(&plain, &Payload::new(), &Sampler::default(), &memory, &mut [0; 128]).is_ok());
}

#[test]
fn clear_colours_are_kept() {
    let mut state = surface(SurfaceType::D2);
    state.set_clear_red(1).set_clear_green(2).set_clear_blue(3).set_clear_alpha(u32::MAX);
    assert_eq!(state.clear_color(), [1, 2, 3, u32::MAX]);
    assert_eq!(state.dwords[12..], [1, 2, 3, u32::MAX]);
    state.set_quilt_width(3).unwrap().set_quilt_height(5).unwrap();
    assert_eq!(state.quilt(), (3, 5));
    for (count, elements) in
        [(1, [1, 1, 1]), (128, [128, 1, 1]), (129, [1, 2, 1]), (1 << 31, [128, 16384, 1024])]
    {
        state.set_buffer_elements(count).unwrap();
        assert_eq!([state.width(), state.height(), state.depth()], elements, "{count}");
        assert_eq!(state.buffer_elements(), count);
    }
    for elements in [4, 8, 16] {
        assert_eq!(
            (state.set_halign(elements).halign(), state.set_valign(elements).valign()),
            (elements, elements)
        );
    }
    assert_eq!(state.set_halign(5).halign(), 0);
}

/// ld2dms_w with 16-bit parameters: the MCS value is four words, two to a dword.
#[test]
fn control_values_of_words() {
    let mut state = surface(SurfaceType::D2);
    state.set_samples(16).unwrap().set_qpitch(8).unwrap();
    // Sample plane n holds n in every texel.
    let bytes: Vec<u8> = (0..16 * 128_u32).flat_map(|at| ((at / 128) as f32).to_le_bytes()).collect();
    let texture = Texture::bind(&state, Platform::Gen11).unwrap();
    let memory = LinearMemory { base: 0, bytes: &bytes };
    let plane = |sample: u16, control: [u16; 4]| {
        let op = Op::Ld2dmsW;
        let list = op.params(Width::Half);
        let lanes: Vec<_> = list
            .iter()
            .map(|param| match param {
                Param::Si => sample,
                Param::Mcs0 => control[0],
                Param::Mcs1 => control[1],
                Param::Mcs2 => control[2],
                Param::Mcs3 => control[3],
                _ => 0,
            })
            .map(|value| value.to_le_bytes().repeat(8))
            .collect();
        let mut payload = Payload::new();
        lanes.iter().for_each(|lanes| payload.push(lanes).unwrap());
        let message = Message { param_width: Width::Half, ..message(op, list.len() as u8) };
        let mut out = [0; 128];
        texture.execute(&message, &payload, &Sampler::none(), &memory, &mut out).unwrap();
        f32::from_le_bytes(out[..4].try_into().unwrap())
    };
    let control = [0x3210, 0x8765, 0xcba9, 0x4fed];
    let expected = [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 4];
    for (sample, expected) in (0..16).zip(expected) {
        assert_eq!(plane(sample, control), expected as f32, "sample {sample}");
    }
}

/// A texel of three words in a Y-major tile lies in two columns of 16 bytes, one of which is a null page or faults.
#[test]
fn texels_in_pieces() {
    /// Memory in which every 16 bytes hold their number, and those of number `hole` answer `access`.
    struct Holed {
        hole: u64,
        access: Access,
    }
    impl Memory for Holed {
        fn read(&self, address: u64, out: &mut [u8]) -> Access {
            out.fill((address >> 4) as u8);
            if address >> 4 == self.hole { self.access } else { Access::Mapped }
        }
        fn slice(&self, _: u64, _: usize) -> Option<&[u8]> {
            None
        }
    }
    let mut state = surface(SurfaceType::D2);
    state.set_format(SurfaceFormat::R32G32B32_UINT).set_tile_mode(TileMode::YMajor).set_pitch(128).unwrap();
    let texture = Texture::bind(&state, Platform::Gen11).unwrap();
    // Texel 1 is bytes 12 to 23 of its row: 4 in the first column, 8 in the second, 512 bytes on.
    let one = 1_u32.to_le_bytes().repeat(8);
    let mut payload = Payload::new();
    payload.push(&one).unwrap();
    let load = |hole, access| {
        let mut out = [0xaa; 160];
        let message = Message { null_mask: true, ..message(Op::LdLz, 1) };
        let memory = Holed { hole, access };
        let outcome = texture.execute(&message, &payload, &Sampler::none(), &memory, &mut out).unwrap();
        let channels = [0, 32, 64].map(|at| u32::from_le_bytes(out[at..at + 4].try_into().unwrap()));
        (channels, outcome.faults, out[128] & 1)
    };
    let whole = [0, 0x2020_2020, 0x2020_2020];
    assert_eq!(load(99, Access::Fault), (whole, 0, 1));
    assert_eq!(load(0, Access::NullPage), ([0; 3], 0, 0));
    assert_eq!(load(0x20, Access::NullPage), ([0; 3], 0, 0));
    assert_eq!(load(0x20, Access::Fault).1, 1);
}

/// Executes a message of `simd` lanes with the same parameters in every lane on a surface whose texels all hold `value`; returns red of
/// every lane.
fn same(value: f32, sampler: &Sampler, op: Op, simd: u8, params: &[f32]) -> Vec<u32> {
    let bytes = value.to_le_bytes().repeat(512);
    let lanes: Vec<_> = params.iter().map(|param| param.to_le_bytes().repeat(simd.into())).collect();
    let mut payload = Payload::new();
    lanes.iter().for_each(|lanes| payload.push(lanes).unwrap());
    let texture = Texture::bind(&surface(SurfaceType::D2), Platform::Gen11).unwrap();
    let message = Message { simd, lanes: (1 << simd) - 1, params: params.len() as u8, ..Message::new(op) };
    let memory = LinearMemory { base: 0, bytes: &bytes };
    let mut out = [0; 256];
    texture.execute(&message, &payload, sampler, &memory, &mut out).unwrap();
    out.chunks(4).take(simd.into()).map(|lane| u32::from_le_bytes(lane.try_into().unwrap())).collect()
}

/// The eight comparison functions with the four relations of texel and reference: the result is 0 where the comparison holds.
#[test]
fn comparisons() {
    use CompareFunction::{Always, Equal, Greater, GreaterEqual, Less, LessEqual, Never, NotEqual};
    // The texel, 1/2, is greater than 1/4, equal to 1/2, less than 3/4, and unordered with NaN.
    for (function, holds) in [
        (Always, [true; 4]),
        (Never, [false; 4]),
        (Less, [false, false, true, false]),
        (Equal, [false, true, false, false]),
        (LessEqual, [false, true, true, false]),
        (Greater, [true, false, false, false]),
        (NotEqual, [true, false, true, true]),
        (GreaterEqual, [true, true, false, false]),
    ] {
        let sampler = Sampler::bind(linear().set_shadow_function(function), &[0; 4]).unwrap();
        for (reference, holds) in [0.25, 0.5, 0.75, f32::NAN].into_iter().zip(holds) {
            let expected = if holds { 0.0_f32 } else { 1.0 };
            for simd in [8, 16, 4] {
                let lanes = same(0.5, &sampler, Op::SampleCLz, simd, &[reference, 0.5, 0.5]);
                assert!(
                    lanes.iter().all(|&lane| lane == expected.to_bits()),
                    "{function:?} {reference} {simd}"
                );
            }
        }
    }
}

/// Coordinates far outside of the surface, in all lanes, have the same result in SIMD4 and SIMD16 messages.
#[test]
fn far_coordinates_in_all_lanes() {
    use AddressMode::{Clamp, ClampBorder, Mirror, Wrap};
    let far = [0.25, 1e6 + 0.25, -1e7, 3e9, -3e9, 1e20, -1e20, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    for mode in [Clamp, ClampBorder, Mirror, Wrap] {
        let border = 9.0_f32.to_bits();
        let sampler = Sampler::bind(linear().set_address_modes([mode; 3]), &[border; 4]).unwrap();
        for coordinate in far {
            let few = same(3.0, &sampler, Op::SampleLz, 4, &[coordinate, 0.5]);
            let many = same(3.0, &sampler, Op::SampleLz, 16, &[coordinate, 0.5]);
            assert_eq!(
                (few[..4] == many[..4], few[..4] == many[12..]),
                (true, true),
                "{mode:?} {coordinate}"
            );
            // The surface holds one value, so that only the border can differ: it is read for all coordinates outside of 0 to 1 and for
            // NaN.
            let outside = mode == ClampBorder && !(-0.1..=1.1).contains(&coordinate);
            assert_eq!(f32::from_bits(few[0]), if outside { 9.0 } else { 3.0 }, "{mode:?} {coordinate}");
        }
    }
}

/// The weighted sum of negative zeros is -0.0: sums do not start from +0.0, which would make it +0.0.
#[test]
fn negative_zeros_stay_negative() {
    let sampler = Sampler::bind(&linear(), &[0; 4]).unwrap();
    for simd in [4, 8] {
        let lanes = same(-0.0, &sampler, Op::SampleLz, simd, &[0.3, 0.7]);
        assert!(lanes.iter().all(|&lane| lane == (-0.0_f32).to_bits()), "{simd}");
    }
}

/// Parameters that a payload holds past the message's parameter count read 0.
#[test]
fn parameters_past_the_count_are_zero() {
    let state = surface(SurfaceType::D2);
    let sampler = Sampler::bind(&linear(), &[0; 4]).unwrap();
    for simd in [4, 8] {
        let at = |params| {
            red(&state, &sampler, &Message { simd, ..message(Op::SampleL, params) }, &[0.0, 0.5, 0.5])
                .unwrap()
        };
        // The parameters are LOD, U and V: with V the result is the mean of rows 3 and 4, without it row 0.
        assert_eq!((at(3), at(2), at(1)), (3.5, 0.0, 0.0));
    }
}

/// Gradients whose squares overflow or underflow f32 have a finite LOD all the same.
#[test]
fn levels_of_huge_and_tiny_steps() {
    let texture = Texture::bind(&surface(SurfaceType::D2), Platform::Gen11).unwrap();
    let sampler = Sampler::bind(&linear(), &[0; 4]).unwrap();
    let lods = |step: f32| {
        let u: Vec<u8> = [0.0, step].repeat(4).iter().flat_map(|u| u.to_le_bytes()).collect();
        let mut payload = Payload::new();
        payload.push(&u).unwrap();
        let mut out = [0; 128];
        let memory = LinearMemory { base: 0, bytes: &[] };
        texture.execute(&message(Op::Lod, 1), &payload, &sampler, &memory, &mut out).unwrap();
        [0, 32].map(|at| f32::from_le_bytes(out[at..at + 4].try_into().unwrap()))
    };
    // The surface is eight texels wide (log2: 3) and has one mip level.
    for power in [0, 40, 59, 64, 100, 120, -40, -64, -100] {
        assert_eq!(lods(2.0_f32.powi(power)), [0.0, power as f32 + 3.0], "{power}");
    }
}

/// Nothing is written if the result buffer is too short for the whole result.
#[test]
fn short_results_are_refused_untouched() {
    let bytes = 3.0_f32.to_le_bytes().repeat(512);
    let texture = Texture::bind(&surface(SurfaceType::D2), Platform::Gen11).unwrap();
    let sampler = Sampler::bind(&linear(), &[0; 4]).unwrap();
    let memory = LinearMemory { base: 0, bytes: &bytes };
    let halves = 0.5_f32.to_le_bytes().repeat(16);
    let payload = Payload::split([&halves, &[]], 32, 2).unwrap();
    for lanes in [0xff, 0x0f] {
        let mut out = [0xcc; 128];
        let message = Message { lanes, ..message(Op::SampleLz, 2) };
        let why = texture.execute(&message, &payload, &sampler, &memory, &mut out[..124]).unwrap_err();
        assert_eq!((why.kind(), why.what(), why.found()), (Kind::Capacity, What::Writeback, 128));
        assert_eq!(out, [0xcc; 128]);
    }
}

/// The height of a 1D surface is 1, whatever its state says.
#[test]
fn rows_have_no_height() {
    let mut state = surface(SurfaceType::D1);
    state.set_mip_count(2).unwrap();
    let element = Element { block_width: 1, block_height: 1, bytes: 4 };
    let layout = Layout::new(&state, element, Platform::Gen11).unwrap();
    assert_eq!([0, 1].map(|level| (layout.level(level).width, layout.level(level).height)), [(8, 1), (4, 1)]);
}

/// A buffer has one mip level, whatever its state says.
#[test]
fn buffers_have_no_levels() {
    let mut buffer = surface(SurfaceType::Buffer);
    buffer.set_buffer_elements(96).unwrap().set_pitch(4).unwrap().set_surface_min_lod(2).unwrap();
    let texture = Texture::bind(&buffer, Platform::Gen11).unwrap();
    let mut out = [0; 128];
    let memory = LinearMemory { base: 0, bytes: &[] };
    texture.execute(&message(Op::Resinfo, 0), &Payload::new(), &Sampler::none(), &memory, &mut out).unwrap();
    let word = |at: usize| u32::from_le_bytes(out[at..at + 4].try_into().unwrap());
    assert_eq!([0, 32, 64, 96].map(word), [96, 0, 0, 1]);
    let element = Element { block_width: 1, block_height: 1, bytes: 4 };
    assert_eq!(Layout::new(&buffer, element, Platform::Gen11).unwrap().levels(), 1);
}

/// Lanes past a message's SIMD width have coordinates of 0, whatever the payload holds there (U07).
#[test]
fn lanes_past_the_width_are_zero() {
    let texture = Texture::bind(&surface(SurfaceType::D2), Platform::Gen11).unwrap();
    let sampler = Sampler::bind(&linear(), &[0; 4]).unwrap();
    let lod = |simd: u8, rest: f32| {
        let u: Vec<u8> = [1.0, 1.0, rest, rest].iter().flat_map(|u| u.to_le_bytes()).collect();
        let mut payload = Payload::new();
        payload.push(&u).unwrap();
        let mut out = [0; 128];
        let message = Message { simd, ..message(Op::Lod, 1) };
        let memory = LinearMemory { base: 0, bytes: &[] };
        texture.execute(&message, &payload, &sampler, &memory, &mut out).unwrap();
        f32::from_le_bytes(out[32..36].try_into().unwrap())
    };
    // Two lanes: from 1 to 0 in y are eight texels, LOD 3.
    assert_eq!((lod(2, 0.0), lod(2, 5.0), lod(4, 5.0)), (3.0, 3.0, 5.0));
}

/// A LOD fraction that the trilinear quality rounds to 1 leaves the finer mip level out, also of a MAXIMUM reduction.
#[test]
fn levels_without_weight_do_not_count() {
    let mut state = surface(SurfaceType::D2);
    state.set_mip_count(2).unwrap();
    let mut greatest = linear();
    greatest.set_mip_filter(MipFilter::Linear).set_trilinear_quality(TrilinearQuality::Low);
    greatest.set_reduction(Some(ReductionType::Maximum));
    let sampler = Sampler::bind(&greatest, &[0; 4]).unwrap();
    let texture = Texture::bind(&state, Platform::Gen11).unwrap();
    let bytes: Vec<u8> = (0..256_u16).flat_map(|at| f32::from(at / 16 % 8).to_le_bytes()).collect();
    let memory = LinearMemory { base: 0, bytes: &bytes };
    let half = 0.5_f32.to_le_bytes().repeat(8);
    // All other lanes have the LOD of the first lane, or another one.
    for others in [0.9_f32, 0.5] {
        let lods: Vec<u8> =
            (0..8).flat_map(|lane| if lane == 0 { 0.9 } else { others }.to_le_bytes()).collect();
        let mut payload = Payload::new();
        [&lods, &half, &half].into_iter().for_each(|lanes| payload.push(lanes).unwrap());
        let mut out = [0; 128];
        texture.execute(&message(Op::SampleL, 3), &payload, &sampler, &memory, &mut out).unwrap();
        // Rows 1 and 2 of level 1; rows 3 and 4 of level 0 do not count.
        assert_eq!(f32::from_le_bytes(out[..4].try_into().unwrap()), 2.0, "{others}");
    }
}

/// The second parameter of a 1D array is its layer: it does not change the LOD, even if it is infinite.
#[test]
fn layers_of_rows_have_no_derivatives() {
    let mut state = surface(SurfaceType::D1);
    state.set_array(true).set_depth(4).unwrap();
    let texture = Texture::bind(&state, Platform::Gen11).unwrap();
    let sampler = Sampler::bind(&linear(), &[0; 4]).unwrap();
    let lod = |layer: f32| {
        let steps =
            |lane: [f32; 4]| -> Vec<u8> { lane.repeat(2).iter().flat_map(|v| v.to_le_bytes()).collect() };
        let (u, v) = (steps([0.0, 0.5, 0.0, 0.5]), steps([0.0, 0.0, layer, layer]));
        let mut payload = Payload::new();
        payload.push(&u).unwrap();
        payload.push(&v).unwrap();
        let mut out = [0; 128];
        let memory = LinearMemory { base: 0, bytes: &[] };
        texture.execute(&message(Op::Lod, 2), &payload, &sampler, &memory, &mut out).unwrap();
        f32::from_le_bytes(out[32..36].try_into().unwrap())
    };
    assert_eq!([0.0, 3.0, f32::INFINITY].map(lod), [2.0; 3]);
}
