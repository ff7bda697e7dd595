//! Whole messages on small surfaces, with results worked out by hand.

mod alone;
mod axes;
#[cfg(all(feature = "astc", feature = "bc"))]
mod blocks;
mod control_surface;
mod direct;
mod faults;
mod folds;
mod levels;
mod loads;
mod observe;
mod pages;
mod paths;
pub(super) mod random;
mod samples;
mod stages;
mod vectors;

use super::{Precision, Prepared, Sampler, Scratch, Texture};
use crate::Platform;
use crate::enums::SurfaceFormat;
use crate::error::{Kind, What};
use crate::format::half;
use crate::memory::{Access, LinearMemory, Memory};
use crate::message::{Channels, Message, Op, Payload, Width};
use crate::state::{
    AddressMode, AuxMode, ChannelSelect, CompareFunction, Filter, MipFilter, ReductionType, SamplerState,
    SurfaceState, SurfaceType, TileMode,
};
use std::vec;
use std::vec::Vec;

const BASE: u64 = 0x4000;

/// Returns the state of a linear surface with one mip level, pitch 64 bytes (16 texels of 4 bytes) and QPitch 8 rows.
fn surface(kind: SurfaceType, format: SurfaceFormat, [w, h, d]: [u32; 3]) -> SurfaceState {
    let mut state = SurfaceState::default();
    state
        .set_surface_type(kind)
        .set_format(format)
        .set_width(w)
        .unwrap()
        .set_height(h)
        .unwrap()
        .set_depth(d)
        .unwrap()
        .set_pitch(64)
        .unwrap()
        .set_qpitch(8)
        .unwrap()
        .set_halign(4)
        .set_valign(4)
        .set_base_address(BASE);
    use ChannelSelect::{Alpha, Blue, Green, Red};
    state.set_channel_select([Red, Green, Blue, Alpha]);
    state
}

/// Returns the memory of a [`surface`] whose texel (x, y) in slice `slice` holds `value(x, y, slice)`.
fn ramp(value: impl Fn(u32, u32, u32) -> f32) -> Vec<u8> {
    (0..64 * 16 * 16)
        .flat_map(|at| {
            let (x, y, slice) = (at % 16, at / 16 % 8, at / 128);
            value(x, y, slice).to_le_bytes()
        })
        .collect()
}

fn linear() -> SamplerState {
    let mut state = SamplerState::default();
    state
        .set_mag_filter(Filter::Linear)
        .set_min_filter(Filter::Linear)
        .set_max_lod(0xe00)
        .set_address_modes([AddressMode::Clamp; 3]);
    state
}

/// Executes a message with the same value of a parameter in every lane; returns red to alpha of lane 0.
fn run(state: &SurfaceState, sampler: &Sampler, bytes: &[u8], op: Op, params: &[u32]) -> [u32; 4] {
    let mut message = Message::new(op);
    message.params = params.len() as u8;
    run_message(state, sampler, bytes, &message, params)
}

fn run_message(
    state: &SurfaceState,
    sampler: &Sampler,
    bytes: &[u8],
    message: &Message,
    params: &[u32],
) -> [u32; 4] {
    run_from(state, sampler, &LinearMemory { base: BASE, bytes }, message, params)
}

fn run_from(
    state: &SurfaceState,
    sampler: &Sampler,
    memory: &dyn Memory,
    message: &Message,
    params: &[u32],
) -> [u32; 4] {
    let width = message.param_width.bytes();
    let lanes: Vec<Vec<u8>> =
        params.iter().map(|p| p.to_le_bytes()[..width].repeat(message.simd.into())).collect();
    let mut payload = Payload::new();
    lanes.iter().for_each(|lanes| payload.push(lanes).unwrap());
    let texture = Texture::bind(state, Platform::Gen11).unwrap();
    let response = message.response();
    let mut out = vec![0; response.len.into()];
    let outcome = texture.execute(message, &payload, sampler, memory, &mut out).unwrap();
    assert_eq!(outcome.faults, 0);
    // The prepared message gives the same result, whatever the scratch held before.
    let prepared = Prepared::new(&texture, sampler, message).unwrap();
    for word in [0, u32::MAX] {
        let (mut scratch, mut again) = (Scratch::filled(word), vec![0; out.len()]);
        let found = prepared.execute(&mut scratch, message.lanes, &payload, &memory, &mut again).unwrap();
        assert_eq!((found, &again), (outcome, &out), "{message:?}");
    }
    let word = |c: usize| out.get(c * usize::from(response.stride)..).and_then(<[u8]>::first_chunk);
    [0, 1, 2, 3].map(|c| word(c).map_or(0, |b| u32::from_le_bytes(*b)))
}

fn f(values: &[f32]) -> Vec<u32> {
    values.iter().map(|v| v.to_bits()).collect()
}

fn bind(state: &SamplerState) -> Sampler {
    Sampler::bind(state, &[9.0, 8.0, 7.0, 6.0].map(f32::to_bits)).unwrap()
}

const R32: SurfaceFormat = SurfaceFormat::R32_FLOAT;

#[test]
fn linear_weights_on_every_dimension() {
    let bytes = ramp(|x, y, z| (x + 10 * y + 100 * z) as f32);
    let sampler = bind(&linear());
    let one = 1.0_f32.to_bits();
    // Texel coordinate 1.25 -> texels 0 and 1 with weights 1/4 and 3/4.
    let u = 1.25 / 4.0;
    let d1 = surface(SurfaceType::D1, R32, [4, 1, 1]);
    assert_eq!(run(&d1, &sampler, &bytes, Op::SampleLz, &f(&[u])), [0.75_f32.to_bits(), 0, 0, one]);
    let d2 = surface(SurfaceType::D2, R32, [4, 4, 1]);
    assert_eq!(run(&d2, &sampler, &bytes, Op::SampleLz, &f(&[u, 2.0 / 4.0]))[0], 15.75_f32.to_bits());
    let d3 = surface(SurfaceType::D3, R32, [4, 4, 4]);
    let texel = run(&d3, &sampler, &bytes, Op::SampleLz, &f(&[u, 0.5, 0.5]));
    assert_eq!(texel[0], (0.75_f32 + 15.0 + 150.0).to_bits());
}

#[test]
fn arrays_round_the_layer_to_even() {
    let bytes = ramp(|_, _, z| z as f32);
    let mut state = surface(SurfaceType::D2, R32, [4, 4, 4]);
    state.set_array(true).set_min_array_element(1).unwrap();
    let sampler = bind(&linear());
    for (layer, slice) in [(-3.0, 1.0), (0.5, 1.0), (1.5, 3.0), (2.5, 3.0), (9.0, 4.0), (f32::NAN, 1.0_f32)] {
        let red = run(&state, &sampler, &bytes, Op::SampleLz, &f(&[0.5, 0.5, layer]))[0];
        assert_eq!(f32::from_bits(red), slice, "{layer}");
    }
}

#[test]
fn border_is_cut_to_the_format() {
    let bytes = ramp(|_, _, _| 1.0);
    let mut state = linear();
    state.set_address_modes([AddressMode::ClampBorder; 3]);
    let d2 = surface(SurfaceType::D2, R32, [4, 4, 1]);
    let texel = run(&d2, &bind(&state), &bytes, Op::SampleLz, &f(&[-5.0, 0.5]));
    assert_eq!(texel.map(f32::from_bits), [9.0, 0.0, 0.0, 1.0]);
    // At the edge of the surface the texel and the border have a weight of one half each.
    let texel = run(&d2, &bind(&state), &bytes, Op::SampleLz, &f(&[0.0, 0.5]));
    assert_eq!(f32::from_bits(texel[0]), 5.0);
}

#[test]
fn comparison_is_filtered_in_the_hardware_sense() {
    let bytes = ramp(|x, _, _| x as f32);
    let mut state = linear();
    state.set_shadow_function(CompareFunction::Less);
    let d2 = surface(SurfaceType::D2, R32, [4, 4, 1]);
    // Texels 1 (weight 3/4) and 2 (weight 1/4): only texel 1 is less than 1.5, and a comparison that holds gives 0.
    let texel = run(&d2, &bind(&state), &bytes, Op::SampleCLz, &f(&[1.5, 1.75 / 4.0, 0.5]));
    assert_eq!(texel.map(f32::from_bits), [0.25, 0.0, 0.0, 1.0]);
}

#[test]
fn reduction_takes_weighted_texels_alone() {
    let bytes = ramp(|x, y, _| if (x, y) == (2, 1) { f32::NAN } else { (x + 10 * y) as f32 });
    let d2 = surface(SurfaceType::D2, R32, [4, 4, 1]);
    let mut state = linear();
    state.set_reduction(Some(ReductionType::Maximum));
    let at = |u: f32, v: f32| f(&[u / 4.0, v / 4.0]);
    let red = |state: &SamplerState, u, v| {
        f32::from_bits(run(&d2, &bind(state), &bytes, Op::SampleLz, &at(u, v))[0])
    };
    assert_eq!(red(&state, 1.0, 1.0), 11.0);
    // NaN is skipped; a texel with weight zero does not count.
    assert_eq!(red(&state, 2.0, 2.0), 22.0);
    assert_eq!(red(&state, 0.5, 1.0), 10.0);
    state.set_reduction(Some(ReductionType::Minimum));
    assert_eq!(red(&state, 2.0, 2.0), 11.0);
    // The border colour (9) takes part as any texel does.
    state.set_address_modes([AddressMode::ClampBorder; 3]);
    assert_eq!(red(&state, 4.0, 3.5), 9.0);
    state.set_reduction(Some(ReductionType::Maximum));
    assert_eq!(red(&state, 4.0, 3.5), 33.0);
    state.set_reduction(None);
    assert_eq!(red(&state, 2.0, 2.0).to_bits(), 0x7fc0_0000);
}

#[test]
fn fixed_precision_cuts_the_coordinate() {
    let bytes = ramp(|x, _, _| x as f32);
    let d1 = surface(SurfaceType::D1, R32, [4, 1, 1]);
    let u = f(&[(1.5 + 1.75 / 256.0) / 4.0]);
    let mut state = linear();
    let red = |state: &SamplerState, precision| {
        f32::from_bits(run(&d1, &bind(state).with_precision(precision), &bytes, Op::SampleLz, &u)[0])
    };
    assert_eq!(red(&state, Precision::Fixed8), 1.0 + 1.0 / 256.0);
    state.set_rounding(true);
    assert_eq!(red(&state, Precision::Fixed8), 1.0 + 2.0 / 256.0);
    assert_eq!(red(&state, Precision::Float), 1.0 + 1.75 / 256.0);
}

#[test]
fn gather_order_and_programmable_offsets() {
    let bytes = ramp(|x, y, _| (x + 10 * y) as f32);
    let d2 = surface(SurfaceType::D2, R32, [8, 8, 1]);
    let sampler = bind(&linear());
    let at = [3.0_f32 / 8.0, 3.0 / 8.0].map(f32::to_bits);
    let floats = |texel: [u32; 4]| texel.map(f32::from_bits);
    let plain = run(&d2, &sampler, &bytes, Op::Gather4, &at);
    assert_eq!(floats(plain), [32.0, 33.0, 23.0, 22.0]);
    let [u, v] = at;
    let separate = run(&d2, &sampler, &bytes, Op::Gather4Po, &[u, v, 1, -2_i32 as u32]);
    assert_eq!(floats(separate), [13.0, 14.0, 4.0, 3.0]);
    let packed = 1 | 0x3e << 6;
    for (op, params) in [
        (Op::Gather4PoPacked, [u, v, 0, packed]),
        (Op::Gather4PoI, [u, v, 0, packed]),
        (Op::Gather4PoL, [packed, u, v, 0]),
        (Op::Gather4PoB, [packed, u, v, 0]),
    ] {
        assert_eq!(run(&d2, &sampler, &bytes, op, &params), separate, "{op:?}");
    }
}

/// A PLANAR_420_8 surface of 8 x 4 texels: luma is 16 y + x. The chroma plane begins at column 2 of row 5, and the bytes of its pair (i,
/// j) are 0x80 + 16 j + i and 0xc0 + 16 j + i.
#[test]
fn planar_chroma_starts_inside_a_tile() {
    let mut state = surface(SurfaceType::D2, SurfaceFormat::PLANAR_420_8, [8, 4, 1]);
    state
        .set_tile_mode(TileMode::YMajor)
        .set_pitch(128)
        .unwrap()
        .set_u_plane_x_offset(2)
        .set_u_plane_y_offset(5);
    let mut bytes = vec![0_u8; 4096];
    // Inside a 16-byte column of a Y-major tile, rows are 16 bytes apart.
    for (x, y) in (0..8_u8).flat_map(|x| (0..4_u8).map(move |y| (x, y))) {
        bytes[usize::from(y) * 16 + usize::from(x)] = 16 * y + x;
    }
    for (i, j) in (0..4_u8).flat_map(|i| (0..2_u8).map(move |j| (i, j))) {
        let at = (5 + usize::from(j)) * 16 + 2 + 2 * usize::from(i);
        bytes[at] = 0x80 + 16 * j + i;
        bytes[at + 1] = 0xc0 + 16 * j + i;
    }
    // R = Cr, G = Y, B = Cb.
    let texel = run(&state, &Sampler::none(), &bytes, Op::LdLz, &[5, 3]).map(f32::from_bits);
    assert_eq!(texel.map(|v| (v * 255.0 + 0.5) as u32), [0xd2, 0x35, 0x92, 255]);
    let outside = run(&state, &Sampler::none(), &bytes, Op::LdLz, &[8, 3]).map(f32::from_bits);
    assert_eq!(outside, [0.0, 0.0, 0.0, 1.0]);

    let refused = |state: &SurfaceState| Texture::bind(state, Platform::Gen11).unwrap_err().what();
    assert_eq!(refused(state.set_u_plane_x_offset(3)), What::Format);
    assert_eq!(refused(state.set_u_plane_x_offset(2).set_samples(4).unwrap()), What::Format);
    assert_eq!(refused(state.set_samples(1).unwrap().set_tile_mode(TileMode::WMajor)), What::Format);
    state.set_tile_mode(TileMode::YMajor);
    assert_eq!(refused(state.clone().set_mip_count(2).unwrap()), What::Format);
    assert_eq!(refused(state.clone().set_depth(2).unwrap().set_array(true)), What::Format);
    assert!(Texture::bind(&state, Platform::Gen11).is_ok());
}

#[test]
fn channel_select_also_changes_borders_and_gathers() {
    let bytes = ramp(|_, _, _| 3.0);
    let mut state = surface(SurfaceType::D2, R32, [4, 4, 1]);
    use ChannelSelect::{Green, One, Red, Zero};
    state.set_channel_select([One, Red, Zero, Green]);
    let texel = run(&state, &bind(&linear()), &bytes, Op::SampleLz, &f(&[0.5, 0.5]));
    assert_eq!(texel.map(f32::from_bits), [1.0, 3.0, 0.0, 0.0]);
    let texel = run(&state, &bind(&linear()), &bytes, Op::Gather4, &f(&[0.5, 0.5]));
    assert_eq!(texel.map(f32::from_bits), [1.0; 4]);
}

#[test]
fn levels_by_gradients_and_bias() {
    // Two mip levels: 8x8 texels of 1 and, below them in memory, 4x4 texels of 2.
    let bytes = ramp(|_, y, slice| if slice == 0 && y < 8 { 1.0 } else { 2.0 });
    let mut state = surface(SurfaceType::D2, R32, [8, 8, 1]);
    state.set_mip_count(2).unwrap();
    let mut sampler = linear();
    sampler.set_mip_filter(MipFilter::Linear);
    // A footprint of sqrt(2) texels: LOD 1/2.
    let d = core::f32::consts::SQRT_2 / 8.0;
    let red = |sampler: &SamplerState| {
        f32::from_bits(run(&state, &bind(sampler), &bytes, Op::SampleD, &f(&[0.5, d, 0.0, 0.5, 0.0, 0.0]))[0])
    };
    assert!((red(&sampler) - 1.5).abs() < 1e-6);
    sampler.set_lod_bias(64);
    assert!((red(&sampler) - 1.75).abs() < 1e-6);
    sampler.set_max_lod(64);
    assert_eq!(red(&sampler), 1.25);
    sampler.set_mip_filter(MipFilter::Nearest);
    assert_eq!(red(&sampler), 1.0);
}

#[test]
fn elements_of_32_bytes_and_nan_minimum() {
    let bytes: Vec<u8> = [1.5_f64, -2.0, 4.0, 8.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let state = surface(SurfaceType::D2, SurfaceFormat::R64G64B64A64_FLOAT, [1, 1, 1]);
    let texel = run(&state, &bind(&linear()), &bytes, Op::Sample, &f(&[0.5, 0.5, 0.0, 0.0, f32::NAN]));
    assert_eq!(texel.map(f32::from_bits), [1.5, -2.0, 4.0, 8.0]);
    let bytes = ramp(|_, y, slice| if slice == 0 && y < 8 { 1.0 } else { 2.0 });
    let mut state = surface(SurfaceType::D2, R32, [8, 8, 1]);
    state.set_mip_count(2).unwrap().set_resource_min_lod(256);
    let mut sampler = linear();
    sampler.set_mip_filter(MipFilter::Nearest);
    sampler.set_lod_preclamp(crate::state::LodPreclamp::Ogl);
    for (minimum, red) in [(f32::NAN, 2.0), (0.0, 2.0), (1.0, 2.0_f32)] {
        let texel = run(&state, &bind(&sampler), &bytes, Op::Sample, &f(&[0.5, 0.5, 0.0, 0.0, minimum]));
        assert_eq!(f32::from_bits(texel[0]), red);
    }
}

#[test]
fn lod_message_gives_clamped_and_unclamped() {
    let mut state = surface(SurfaceType::D2, R32, [8, 8, 1]);
    state.set_mip_count(2).unwrap();
    let mut sampler = linear();
    sampler.set_mip_filter(MipFilter::Linear).set_lod_bias(-128);
    let texture = Texture::bind(&state, Platform::Gen11).unwrap();
    // One subspan with steps of 4 texels in x: LOD 2.
    let lanes =
        |dx: f32| [0.0, dx, 0.0, dx, 0.0, dx, 0.0, dx].iter().flat_map(|v: &f32| v.to_le_bytes()).collect();
    let u: Vec<u8> = lanes(0.5);
    let v: Vec<u8> = lanes(0.0);
    let mut payload = Payload::new();
    payload.push(&u).unwrap();
    payload.push(&v).unwrap();
    let mut message = Message::new(Op::Lod);
    message.params = 2;
    message.channels = Channels::new(3);
    let mut out = [0; 64];
    let memory = LinearMemory { base: 0, bytes: &[] };
    texture.execute(&message, &payload, &bind(&sampler), &memory, &mut out).unwrap();
    let float = |at: usize| f32::from_le_bytes(*out.get(at..).unwrap().first_chunk().unwrap());
    assert_eq!([float(0), float(28), float(32), float(60)], [1.0, 1.0, 1.5, 1.5]);
    // The term of coarse pixels of 2x2 (1) is added to the LOD of messages with the CPS flag and of no other: 2 - 0.5 + 1.
    for (cps, unclamped) in [(true, 2.5), (false, 1.5)] {
        message.cps = cps;
        let coarse = bind(&sampler).with_cps_lod(1.0);
        texture.execute(&message, &payload, &coarse, &memory, &mut out).unwrap();
        assert_eq!(f32::from_le_bytes(*out[32..].first_chunk().unwrap()), unclamped);
        let prepared = Prepared::new(&texture, &coarse, &message).unwrap();
        prepared.execute(&mut Scratch::new(), u32::MAX, &payload, &memory, &mut out).unwrap();
        assert_eq!(f32::from_le_bytes(*out[32..].first_chunk().unwrap()), unclamped);
    }
}

#[test]
fn seamless_cube_corner_is_the_average_of_three() {
    // Faces hold 1, 2, 4, 8, 16, 32; the corner of +X, +Y, +Z averages 1, 4, 16.
    let bytes = ramp(|_, _, z| (1 << z.min(5)) as f32);
    let mut state = surface(SurfaceType::Cube, R32, [2, 2, 1]);
    state.set_cube_faces(0x3f);
    let mut sampler = linear();
    sampler.set_cube_control_override(true);
    let corner = f(&[0.99999, 0.99999, 1.0]);
    let red = f32::from_bits(run(&state, &bind(&sampler), &bytes, Op::SampleLz, &corner)[0]);
    assert!((red - 7.0).abs() < 1e-3, "{red}");
    // Without seamless filtering the footprint is clamped to face +Z.
    sampler.set_cube_control_override(false);
    assert_eq!(f32::from_bits(run(&state, &bind(&sampler), &bytes, Op::SampleLz, &corner)[0]), 16.0);
    // Integer texels are not filtered: gather4 returns the three texels and their mean.
    sampler.set_cube_control_override(true);
    for (format, sign, expected) in
        [(SurfaceFormat::R32_SINT, -1, [-16, -7, -4, -1]), (SurfaceFormat::R32_UINT, 1, [1, 4, 7, 16])]
    {
        let bytes = ramp(|_, _, z| f32::from_bits((sign << z.min(5)) as u32));
        state.set_format(format);
        let mut four = run(&state, &bind(&sampler), &bytes, Op::Gather4, &corner).map(|texel| texel as i32);
        four.sort();
        assert_eq!(four, expected);
    }
}

/// A footprint across an edge of the cube has texels of two faces; a footprint across a corner has the mean of its three texels in place
/// of the fourth. Both hold in every channel.
#[test]
fn seamless_cubes_filter_every_channel_over_edges_and_corners() {
    // Faces hold 1, 2, 4, 8, 16, 32, times 1, 3, 5, 7 by channel.
    let bytes = ramp(|x, _, z| (1 << z.min(5)) as f32 * (2 * (x % 4) + 1) as f32);
    let mut state = surface(SurfaceType::Cube, SurfaceFormat::R32G32B32A32_FLOAT, [2, 2, 1]);
    state.set_cube_faces(0x3f);
    let mut sampler = linear();
    sampler.set_cube_control_override(true);
    // Inside face +X, on its edges with +Z, +Y, -Z and -Y, near its corner with +Y and +Z.
    for (direction, red) in [
        ([1.0, 0.1, 0.1], 1.0),
        ([1.0, 0.1, 1.0], 8.5),
        ([1.0, 1.0, 0.1], 2.5),
        ([1.0, 0.1, -1.0], 16.5),
        ([1.0, -1.0, 0.1], 4.5),
        ([1.0, 0.99999, 0.99999], 7.0),
    ] {
        let got = run(&state, &bind(&sampler), &bytes, Op::SampleLz, &f(&direction)).map(f32::from_bits);
        for (got, factor) in got.into_iter().zip([1.0, 3.0, 5.0, 7.0]) {
            assert!((got - red * factor).abs() < 1e-2, "{direction:?}: {got} {}", red * factor);
        }
    }
}

/// A footprint across an edge takes the texel next to the edge from inside the block of the neighbouring face.
#[test]
#[cfg(feature = "bc")]
fn seamless_cubes_of_blocks_filter_over_edges() {
    // Each face is one BC4 block with the end points 1 and 0. Texels of column 3 of face +Z have index 0 (value 1), all other texels
    // index 1 (value 0).
    let zeros = 0o1111_1111_1111_1111_u64;
    let column_3 = 0o0111_0111_0111_0111_u64;
    let block = |numbers: u64| (numbers << 16 | 0x00ff).to_le_bytes();
    let mut bytes = vec![0; 512 * 6];
    for (face, slice) in bytes.chunks_mut(512).enumerate() {
        slice[..8].copy_from_slice(&block(if face == 4 { column_3 } else { zeros }));
    }
    let mut state = surface(SurfaceType::Cube, SurfaceFormat::BC4_UNORM, [4, 4, 1]);
    state.set_cube_faces(0x3f);
    let mut sampler = linear();
    sampler.set_cube_control_override(true);
    for (direction, red) in [([1.0, 0.1, 1.0], 0.5), ([0.1, 0.1, 1.0], 0.0), ([1.0, 0.1, -1.0], 0.0)] {
        let [got, ..] =
            run(&state, &bind(&sampler), &bytes, Op::SampleLz, &f(&direction)).map(f32::from_bits);
        assert!((got - red).abs() < 1e-2, "{direction:?}: {got}");
    }
}

#[test]
fn sixteen_bit_parameters_and_results() {
    let bytes = ramp(|x, _, _| x as f32 + 0.1);
    let d2 = surface(SurfaceType::D2, R32, [4, 4, 1]);
    let texture = Texture::bind(&d2, Platform::Gen11).unwrap();
    let mut message = Message::new(Op::SampleLz);
    message.params = 2;
    message.param_width = Width::Half;
    message.return_width = Width::Half;
    message.channels = Channels::new(9);
    let lane = half::from_f32(0.375).to_le_bytes().repeat(8);
    let mut payload = Payload::new();
    payload.push(&lane).unwrap();
    payload.push(&lane).unwrap();
    let mut out = [0xcc; 64];
    let memory = LinearMemory { base: BASE, bytes: &bytes };
    texture.execute(&message, &payload, &bind(&linear()), &memory, &mut out).unwrap();
    let word = |at: usize| u16::from_le_bytes([out[at], out[at + 1]]);
    assert_eq!([word(0), word(14)], [half::from_f32(1.1); 2]);
    assert_eq!([word(32), word(46)], [half::from_f32(1.0); 2]);
    assert_eq!(out[16..32], [0xcc; 16]);
}

#[test]
fn refusals_name_the_field() {
    let refused = |state: &SurfaceState| Texture::bind(state, Platform::Gen11).map(|_| ()).unwrap_err();
    let mut state = surface(SurfaceType::D2, R32, [4, 4, 1]);
    state.set_aux_mode(AuxMode::CcsE);
    assert_eq!(refused(&state).what(), What::AuxMode);
    let mut state = surface(SurfaceType::Cube, R32, [4, 8, 1]);
    assert_eq!((refused(&state).what(), refused(&state).offset()), (What::CubeSize, Some(8)));
    state.set_height(4).unwrap().set_select_red(ChannelSelect::Reserved(2));
    assert_eq!(refused(&state).what(), What::ChannelSelect);
    let state = surface(SurfaceType::D2, SurfaceFormat::RAW, [4, 4, 1]);
    assert_eq!((refused(&state).what(), refused(&state).bit_offset()), (What::Format, Some(18)));
    let mut state = surface(SurfaceType::D2, R32, [4, 4, 1]);
    state.set_mip_count(15).unwrap();
    assert!(Texture::bind(&state, Platform::Gen11).is_ok());
    state.set_surface_min_lod(1).unwrap();
    assert_eq!((refused(&state).what(), refused(&state).found()), (What::MipCount, 16));

    let mut sampler = linear();
    sampler.set_mag_filter(Filter::Mono);
    let error = Sampler::bind(&sampler, &[0; 4]).unwrap_err();
    assert_eq!((error.kind(), error.what()), (Kind::Unsupported, What::Filter));

    let uint = Texture::bind(&surface(SurfaceType::D2, SurfaceFormat::R32_UINT, [4, 4, 1]), Platform::Gen11)
        .unwrap();
    let memory = LinearMemory { base: 0, bytes: &[] };
    let try_op = |texture: &Texture<'_>, op, simd, out: &mut [u8]| {
        let message = Message { simd, ..Message::new(op) };
        texture.execute(&message, &Payload::new(), &Sampler::none(), &memory, out).unwrap_err()
    };
    let mut out = [0; 1024];
    assert_eq!(try_op(&uint, Op::SampleCLz, 8, &mut out).what(), What::Format);
    assert_eq!(try_op(&uint, Op::TxqDimension, 8, &mut out).kind(), Kind::Unsupported);
    assert_eq!(try_op(&uint, Op::Sample, 5, &mut out).what(), What::ExecSize);
    assert_eq!(try_op(&uint, Op::Sample, 8, &mut out[..127]).kind(), Kind::Capacity);
    let buffer = Texture::bind(&surface(SurfaceType::Buffer, R32, [4, 1, 1]), Platform::Gen11).unwrap();
    assert_eq!(try_op(&buffer, Op::SampleL, 8, &mut out).what(), What::SurfaceType);
}

/// The samples of an anisotropic footprint are averaged or reduced in every channel.
#[test]
fn anisotropic_samples_reduce_every_channel() {
    // A row of sixteen texels with four channels: texel x holds x, x + 1, x + 2 and x + 3.
    let bytes: Vec<u8> = (0..64 * 16).flat_map(|at| ((at % 64 / 4 + at % 4) as f32).to_le_bytes()).collect();
    let mut row = surface(SurfaceType::D2, SurfaceFormat::R32G32B32A32_FLOAT, [16, 1, 1]);
    row.set_pitch(256).unwrap();
    let mut state = linear();
    state.set_mag_filter(Filter::Anisotropic).set_min_filter(Filter::Anisotropic).set_max_anisotropy_code(1);
    // A footprint of four texels along U and one along V has four samples, at 4k/5 - 2 texels from its centre, which is 8.
    let params = f(&[0.5, 4.0 / 16.0, 0.0, 0.5, 0.0, 1.0]);
    let mut sample = |reduction| {
        state.set_reduction(reduction);
        run(&row, &bind(&state), &bytes, Op::SampleD, &params).map(f32::from_bits)
    };
    let each = |red: f32| [0.0, 1.0, 2.0, 3.0].map(|channel| red + channel);
    for (found, expected) in sample(None).into_iter().zip(each(7.5)) {
        assert!((found - expected).abs() < 1e-5, "{found} {expected}");
    }
    assert_eq!(sample(Some(ReductionType::Minimum)), each(6.0));
    assert_eq!(sample(Some(ReductionType::Maximum)), each(9.0));
}
