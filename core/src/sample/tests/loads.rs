//! Loads, loads of single samples, and size queries.

use super::*;
use crate::state::TiledResource;

#[test]
fn loads_out_of_range_give_defaults() {
    let bytes = ramp(|x, y, _| (x + 10 * y + 1) as f32);
    let d2 = surface(SurfaceType::D2, R32, [4, 4, 1]);
    let none = Sampler::none();
    let one = 1.0_f32.to_bits();
    assert_eq!(run(&d2, &none, &bytes, Op::Ld, &[3, 2, 0])[0], 24.0_f32.to_bits());
    for bad in [[4, 0, 0], [0, 4, 0], [0, 0, 1], [u32::MAX, 0, 0], [0, 0x8000_0000, 0], [0, 0, u32::MAX]] {
        assert_eq!(run(&d2, &none, &bytes, Op::Ld, &bad), [0, 0, 0, one], "{bad:?}");
    }
    // An offset moves a coordinate into range or out of it; it cannot wrap around.
    let mut message = Message::new(Op::Ld);
    message.params = 3;
    message.offsets = [-1, 0, 0];
    assert_eq!(run_message(&d2, &none, &bytes, &message, &[4, 0, 0])[0], 4.0_f32.to_bits());
    assert_eq!(run_message(&d2, &none, &bytes, &message, &[0x8000_0000, 0, 0])[0], 0);
}

#[test]
fn samples_of_a_texel() {
    let bytes = ramp(|x, _, z| (x + 100 * z) as f32);
    let mut state = surface(SurfaceType::D2, R32, [4, 4, 1]);
    state.set_samples(4).unwrap();
    let none = Sampler::none();
    let red = |op, params: &[u32]| f32::from_bits(run(&state, &none, &bytes, op, params)[0]);
    assert_eq!(red(Op::Ld2dss, &[2, 1, 0]), 201.0);
    assert_eq!(red(Op::Ld2dms, &[2, 0x3210, 1, 0]), 201.0);
    assert_eq!(red(Op::Ld2dms, &[2, 0x3010, 1, 0]), 1.0);
    assert_eq!(red(Op::Ld2dmsW, &[3, 0x1210, 0, 1, 0]), 101.0);
    assert_eq!(red(Op::Ld2dss, &[4, 1, 0]), 0.0);
    assert_eq!(red(Op::Ld2dms, &[4, 0x3210, 1, 0]), 0.0);
    // A texel out of range has no sample, whatever the MCS value says.
    assert_eq!(red(Op::Ld2dms, &[2, 0x3210, 4, 0]), 0.0);
    // Array slice 1: its samples are planes 4 to 7.
    let mut array = state;
    array.set_array(true).set_depth(1).unwrap().set_min_array_element(1).unwrap();
    let slice =
        |sample: u32| f32::from_bits(run(&array, &none, &bytes, Op::Ld2dms, &[sample, 0x3210, 1, 0])[0]);
    assert_eq!([0, 3].map(slice), [401.0, 701.0]);
    assert_eq!(run(&state, &none, &bytes, Op::LdMcs, &[1, 1]), [0x3210, 0, 0, 0]);
    assert_eq!(run(&state, &none, &bytes, Op::LdMcs, &[4, 1]), [0; 4]);
    state.set_palette_index(5);
    assert_eq!(run(&state, &none, &bytes, Op::Sampleinfo, &[]), [4, 0, 0, 5]);
}

/// Any one lane may load from another mip level than the rest (surfaces with one sample can have several): if the surface has one mip
/// level, that lane reads defaults; if it has two, its own texel.
#[test]
fn samples_of_lanes_with_different_levels() {
    use crate::message::Param;
    let bytes = ramp(|x, y, _| (x + 10 * y) as f32);
    let memory = LinearMemory { base: BASE, bytes: &bytes };
    let params = Op::Ld2dms.params(Width::Full);
    let count = params.iter().position(|param| *param == Param::Lod).unwrap() + 1;
    let message = Message { simd: 16, lanes: u32::MAX, params: count as u8, ..Message::new(Op::Ld2dms) };
    for (levels, other) in (1..3).flat_map(|levels| (0..16).map(move |other| (levels, other))) {
        let mut state = surface(SurfaceType::D2, R32, [4, 4, 1]);
        state.set_mip_count(levels).unwrap();
        let texture = Texture::bind(&state, Platform::Gen11).unwrap();
        let lane = |param: Param, lane: u32| match param {
            Param::U => 1,
            Param::Lod => u32::from(lane == other),
            _ => 0,
        };
        let lanes = params[..count].iter().flat_map(|param| (0..16).map(|number| lane(*param, number)));
        let block: Vec<u8> = lanes.flat_map(u32::to_le_bytes).collect();
        let payload = Payload::split([&block, &[]], 64, count).unwrap();
        let prepared = Prepared::new(&texture, &Sampler::none(), &message).unwrap();
        let mut out = [0; 4 * 64];
        prepared.execute(&mut Scratch::new(), message.lanes, &payload, &memory, &mut out).unwrap();
        for (lane, red) in (0..).zip(out[..64].as_chunks().0) {
            // Mip level 1 begins in row 4.
            let expected = if lane != other { 1.0 } else { [0.0, 41.0][levels as usize - 1] };
            assert_eq!(f32::from_le_bytes(*red), expected, "lane {lane} of {levels} levels");
        }
    }
}

#[test]
fn sizes() {
    let none = Sampler::none();
    let info = |state: &SurfaceState, lod| run(state, &none, &[], Op::Resinfo, &[lod]);
    let mut state = surface(SurfaceType::D2, R32, [32, 16, 3]);
    state.set_mip_count(2).unwrap().set_surface_min_lod(2).unwrap();
    assert_eq!(info(&state, 0), [8, 4, 0, 2]);
    state.set_array(true).set_quilt_width(3).unwrap();
    assert_eq!(info(&state, 1), [12, 2, 3, 2]);
    assert_eq!(info(&state, 2), [0, 0, 0, 2]);
    let mut buffer = surface(SurfaceType::Buffer, R32, [1, 1, 1]);
    buffer.set_buffer_elements(100_000).unwrap().set_pitch(4).unwrap();
    assert_eq!(info(&buffer, 0), [100_000, 0, 0, 1]);
    let null = surface(SurfaceType::Null, R32, [8, 8, 1]);
    assert_eq!(info(&null, 0), [0; 4]);
    let code = |state| Texture::bind(state, Platform::Gen11).unwrap().format().map(|info| info.code);
    assert_eq!((code(&null), code(&buffer)), (None, Some(R32)));
    assert_eq!(run(&null, &bind(&linear()), &[], Op::Sample, &f(&[0.5, 0.5])), [0; 4]);
}

/// Lanes query the sizes of different mip levels; every fourth lane names a level that does not exist.
#[test]
fn sizes_of_several_levels() {
    let mut state = surface(SurfaceType::D2, R32, [32, 16, 1]);
    state.set_mip_count(3).unwrap();
    let texture = Texture::bind(&state, Platform::Gen11).unwrap();
    let message = Message { params: 1, ..Message::new(Op::Resinfo) };
    let levels: Vec<u8> = (0..message.simd).flat_map(|lane| u32::from(lane % 4).to_le_bytes()).collect();
    let payload = Payload::split([&levels, &[]], levels.len(), 1).unwrap();
    let mut out = vec![0; message.response().len.into()];
    let memory = LinearMemory { base: BASE, bytes: &[] };
    texture.execute(&message, &payload, &Sampler::none(), &memory, &mut out).unwrap();
    for lane in 0..usize::from(message.simd) {
        let word = |channel: usize| {
            let at = channel * usize::from(message.response().stride) + lane * 4;
            u32::from_le_bytes(out[at..][..4].try_into().unwrap())
        };
        let size = [[32, 16], [16, 8], [8, 4], [0, 0]][lane % 4];
        assert_eq!([0, 1, 2, 3].map(word), [size[0], size[1], 0, 3], "lane {lane}");
    }
}

/// A payload holds 16-bit parameters of the first lanes alone: the missing lanes read 0, in every pass.
#[test]
fn lanes_that_a_payload_does_not_have_are_zero() {
    let bytes = ramp(|x, _, _| x as f32 + 1.0);
    let texture = Texture::bind(&surface(SurfaceType::D2, R32, [4, 4, 1]), Platform::Gen11).unwrap();
    let memory = LinearMemory { base: BASE, bytes: &bytes };
    let message =
        Message { simd: 32, lanes: u32::MAX, params: 3, param_width: Width::Half, ..Message::new(Op::Ld) };
    for there in [0, 3, 16, 19] {
        let mut payload = Payload::new();
        let columns = [2, 0].repeat(there);
        message.op.params(Width::Half)[..3].iter().for_each(|param| {
            let is_column = *param == crate::message::Param::U;
            payload.push(if is_column { &columns } else { &[] }).unwrap();
        });
        let mut out = [0; 4 * 32 * 4];
        let prepared = Prepared::new(&texture, &Sampler::none(), &message).unwrap();
        prepared.execute(&mut Scratch::new(), message.lanes, &payload, &memory, &mut out).unwrap();
        for (lane, red) in out[..32 * 4].as_chunks().0.iter().enumerate() {
            assert_eq!(
                f32::from_le_bytes(*red),
                if lane < there { 3.0 } else { 1.0 },
                "lane {lane} of {there}"
            );
        }
    }
}

/// Infinities and the largest finite number are returned unchanged and every NaN becomes the canonical one, with all lanes active and
/// with one.
#[test]
fn results_that_are_not_finite() {
    let words =
        [f32::INFINITY.to_bits(), f32::NEG_INFINITY.to_bits(), f32::MAX.to_bits(), 0x7f80_0001, 0xffff_ffff];
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let state = surface(SurfaceType::D1, R32, [5, 1, 1]);
    for lanes in [u32::MAX, 1] {
        for (at, word) in (0..).zip(words) {
            let message = Message { params: 3, lanes, ..Message::new(Op::Ld) };
            let [red, ..] = run_message(&state, &Sampler::none(), &bytes, &message, &[at, 0, 0]);
            let expected = if f32::from_bits(word).is_nan() { 0x7fc0_0000 } else { word };
            assert_eq!(red, expected, "{word:#x}, lanes {lanes:#x}");
        }
    }
}

#[test]
fn buffers_load_by_element() {
    let bytes: Vec<u8> = (0..64_u32).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let mut buffer = surface(SurfaceType::Buffer, R32, [1, 1, 1]);
    buffer.set_buffer_elements(8).unwrap().set_pitch(12).unwrap();
    let none = Sampler::none();
    assert_eq!(run(&buffer, &none, &bytes, Op::Ld, &[5])[0], 15.0_f32.to_bits());
    assert_eq!(run(&buffer, &none, &bytes, Op::Ld, &[8])[0], 0);
    // V is not a coordinate of a buffer or a 1D surface, so its value and its offset do not matter.
    let message = Message { params: 2, offsets: [0, 7, 0], ..Message::new(Op::Ld) };
    let far = i32::MAX as u32;
    assert_eq!(run_message(&buffer, &none, &bytes, &message, &[5, far])[0], 15.0_f32.to_bits());
    let row = surface(SurfaceType::D1, R32, [8, 1, 1]);
    assert_eq!(run_message(&row, &none, &bytes, &message, &[5, far])[0], 5.0_f32.to_bits());
    let plane = surface(SurfaceType::D2, R32, [8, 1, 1]);
    assert_eq!(run_message(&plane, &none, &bytes, &message, &[5, far])[0], 0);
}

/// Texels of 4:2:2 formats and of ASTC blocks share elements; buffers have many more texels than other surfaces have columns.
#[test]
fn large_buffers_of_elements_with_several_texels() {
    let bytes: Vec<u8> = (0..1_u32 << 17).map(|at| (at.wrapping_mul(0x9e37_79b9) >> 24) as u8).collect();
    let none = Sampler::none();
    let mut buffer = surface(SurfaceType::Buffer, SurfaceFormat::YCRCB_NORMAL, [1, 1, 1]);
    buffer.set_buffer_elements(1 << 16).unwrap().set_pitch(4).unwrap();
    for x in [0, 1, 16_383, 16_384, 16_387, 32_767, 32_768, 65_535_u32] {
        let green = f32::from_bits(run(&buffer, &none, &bytes, Op::Ld, &[x])[1]);
        assert_eq!(green, f32::from(bytes[2 * x as usize]) / 255.0, "{x}");
    }
    if let Some(format) = crate::format::from_name("ASTC_LDR_2D_10X5_FLT16")
        && let Ok(codec) = crate::format::FormatDecoder::new(format)
    {
        let mut buffer = surface(SurfaceType::Buffer, format, [1, 1, 1]);
        buffer.set_buffer_elements(1 << 16).unwrap().set_pitch(16).unwrap();
        for x in [0, 9, 16_383, 16_390, 32_769, 57_029, 65_535_u32] {
            let block = &bytes[16 * (x as usize / 10)..][..16];
            assert_eq!(run(&buffer, &none, &bytes, Op::Ld, &[x]), codec.decode(block, x % 10, 0), "{x}");
        }
    }
}

/// Memory without end in which every byte is a hash of its address.
struct Endless;

impl Endless {
    const fn byte(address: u64) -> u8 {
        (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
    }
}

impl Memory for Endless {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        out.iter_mut().zip(address..).for_each(|(byte, at)| *byte = Self::byte(at));
        Access::Mapped
    }
}

/// Surfaces of 2^31 elements or more have too many for an index: elements are read by column and row, for every kind of element and tile
/// mode.
#[test]
fn surfaces_of_any_number_of_elements_are_read() {
    use SurfaceFormat as F;
    use SurfaceType::{D2, D3};
    use TileMode::{Linear, XMajor, YMajor};
    let surfaces = [
        (D2, Linear, F::R8_UNORM),
        (D2, Linear, F::R8G8B8_UNORM),
        (D2, YMajor, F::R9G9B9E5_SHAREDEXP),
        (D2, XMajor, F::YCRCB_NORMAL),
        (D2, YMajor, F::R32G32B32A32_UINT),
        (D3, Linear, F::R8G8B8A8_UNORM),
        (D3, YMajor, F::R16_UNORM),
    ];
    let mut nearest = SamplerState::default();
    nearest.set_address_modes([AddressMode::Clamp; 3]);
    for (kind, tile, format) in surfaces {
        let codec = crate::format::FormatDecoder::new(format).unwrap();
        let (width, size) = (u32::from(codec.info().block_width), u32::from(codec.info().bytes));
        let size_of_slice = if kind == D3 { 1 << 11 } else { 1 << 14 };
        let mut state = surface(kind, format, [size_of_slice, size_of_slice, 1 << 11]);
        state.set_array(kind == D2).set_tile_mode(tile).set_base_address(0x1_0000_0000);
        state.set_pitch(size * size_of_slice).unwrap().set_qpitch(1 << 14).unwrap();
        if kind == D2 {
            state.set_min_array_element(5).unwrap();
        } else if tile == YMajor {
            // Ys tiles of a volume hold several slices.
            state.set_tiled_resource(TiledResource::Ys);
        }
        let layout = crate::memory::Layout::new(&state, codec.info().element(), Platform::Gen11).unwrap();
        let last = size_of_slice - 1;
        for [x, y, slice] in [[0, 0, 0], [5, 7, 7], [last, last, 128], [last, 0, 2047], [1, last, 2047]] {
            let first = layout.address(0, slice + state.min_array_element(), x / width, y);
            let element: Vec<u8> = (first..).take(size as usize).map(Endless::byte).collect();
            let expected = codec.decode(&element, x % width, 0);
            let [u, v, w] = [x, y, slice].map(|at| (at as f32 + 0.5) / size_of_slice as f32);
            let r = if kind == D3 { w } else { slice as f32 };
            for simd in [8, 16] {
                let message = Message { params: 4, simd, ..Message::new(Op::Ld) };
                let loaded = run_from(&state, &Sampler::none(), &Endless, &message, &[x, y, 0, slice]);
                assert_eq!(loaded, expected, "ld of {kind:?} {tile:?} {format:?} {x} {y} {slice}");
                let message = Message { params: 3, simd, ..Message::new(Op::SampleLz) };
                let params = [u, v, r].map(f32::to_bits);
                let sampled = run_from(&state, &bind(&nearest), &Endless, &message, &params);
                assert_eq!(sampled, expected, "sample of {kind:?} {tile:?} {format:?} {x} {y} {slice}");
            }
        }
    }
}

/// The slices of samples can begin more than 2^32 rows after the surface. With a pitch of a few bytes (tiles overlap then) all elements
/// have indices below 2^31 nevertheless.
#[test]
fn surfaces_of_any_number_of_rows_are_read() {
    let codec = crate::format::FormatDecoder::new(SurfaceFormat::R32G32B32A32_UINT).unwrap();
    for (tile, qpitch) in
        [(TileMode::XMajor, 0x1_fffc), (TileMode::YMajor, 0x1_fffc), (TileMode::YMajor, 0x1_0000)]
    {
        let mut state = surface(SurfaceType::D2, codec.info().code, [4, 4, 1 << 11]);
        state.set_array(true).set_min_array_element(2047).unwrap().set_samples(16).unwrap();
        state.set_tile_mode(tile).set_pitch(2).unwrap().set_qpitch(qpitch).unwrap();
        let layout = crate::memory::Layout::new(&state, codec.info().element(), Platform::Gen11).unwrap();
        for [sample, slice] in [[0, 0], [3, 2], [15, 1100], [15, 2047]] {
            let first = layout.address(0, (2047 + slice) * 16 + sample, 1, 3);
            let element: Vec<u8> = (first..).take(16).map(Endless::byte).collect();
            let message = Message { params: 4, simd: 16, ..Message::new(Op::Ld2dss) };
            let loaded = run_from(&state, &Sampler::none(), &Endless, &message, &[sample, 1, 3, slice]);
            assert_eq!(loaded, codec.decode(&element, 0, 0), "{tile:?} {qpitch} {sample} {slice}");
        }
    }
}
