//! Lanes whose coordinates are out of range, or too far away for the vector kernels, along several axes at once.

use super::random::Random;
use super::*;
use crate::memory::Layout;
use crate::message::Param;
use crate::sample::{Prepared, Scratch};
use crate::state::TiledResource;
use crate::transfer::SurfaceDescription;

/// Executes a prepared SIMD16 message with parameters that differ from lane to lane; returns red of all lanes.
fn prepared(
    state: &SurfaceState,
    sampler: &Sampler,
    bytes: &[u8],
    op: Op,
    param: impl Fn(Param, usize) -> u32,
) -> [u32; 16] {
    let params = op.params(Width::Full);
    let message = Message { simd: 16, lanes: 0xffff, params: 4, ..Message::new(op) };
    let lanes: Vec<u8> =
        params[..4].iter().flat_map(|p| (0..16).flat_map(|lane| param(*p, lane).to_le_bytes())).collect();
    let payload = Payload::split([&lanes, &[]], 64, 4).unwrap();
    let texture = Texture::bind(state, Platform::Gen11).unwrap();
    let memory = LinearMemory { base: BASE, bytes };
    let mut out = [0; 256];
    let prepared = Prepared::new(&texture, sampler, &message).unwrap();
    prepared.execute(&mut Scratch::new(), 0xffff, &payload, &memory, &mut out).unwrap();
    core::array::from_fn(|lane| u32::from_le_bytes(*out[lane * 4..].first_chunk().unwrap()))
}

/// Loads the texel `at` (column, row, slice, mip level) in lane 0 by [`Texture::execute`], the general path; returns its red.
fn load(texture: &Texture<'_>, bytes: &[u8], at: [u32; 4]) -> u32 {
    let message = Message { lanes: 1, params: 4, ..Message::new(Op::Ld) };
    let lanes: Vec<u8> = message.op.params(Width::Full)[..4]
        .iter()
        .map(|param| match param {
            Param::U => at[0],
            Param::V => at[1],
            Param::R => at[2],
            _ => at[3],
        })
        .flat_map(|value| value.to_le_bytes().repeat(8))
        .collect();
    let payload = Payload::split([&lanes, &[]], 32, 4).unwrap();
    let mut out = [0; 128];
    let memory = LinearMemory { base: BASE, bytes };
    texture.execute(&message, &payload, &Sampler::none(), &memory, &mut out).unwrap();
    u32::from_le_bytes(*out.first_chunk().unwrap())
}

/// The address modes of axes that a surface does not have are ignored: a border mode there costs no time and changes no result.
#[test]
fn modes_of_axes_that_are_not_there_are_not_looked_at() {
    use AddressMode::{ClampBorder, Mirror, Wrap};
    let bytes = ramp(|x, y, z| (1 + x + 10 * y + 100 * z) as f32);
    for (kind, axes) in [(SurfaceType::D1, 1), (SurfaceType::D2, 2), (SurfaceType::D3, 3)] {
        let state = surface(kind, R32, [4, if axes > 1 { 4 } else { 1 }, if axes > 2 { 4 } else { 1 }]);
        let texture = Texture::bind(&state, Platform::Gen11).unwrap();
        let of_modes = |modes| {
            let mut sampler = linear();
            sampler.set_address_modes(modes);
            let (sampler, message) = (bind(&sampler), Message { params: 3, ..Message::new(Op::SampleLz) });
            let has_border = Prepared::new(&texture, &sampler, &message).unwrap().plan.border.is_some();
            let at = f(&[1.1, 0.3, -0.2]);
            (has_border, run_message(&state, &sampler, &bytes, &message, &at))
        };
        let plain = of_modes([Mirror, Wrap, Wrap]);
        for border in 0..3 {
            let mut modes = [Mirror, Wrap, Wrap];
            modes[border] = ClampBorder;
            assert_eq!(of_modes(modes) == plain, border >= axes, "{kind:?} {border}");
            assert_eq!(of_modes(modes).0, border < axes, "{kind:?} {border}");
        }
    }
}

/// A load that is out of range along any axes (the mip level counts as one of them) gives 0, both in one lane beside lanes that are in
/// range and in all lanes.
#[test]
fn loads_are_out_of_range_along_any_axes() {
    let bytes = ramp(|x, y, z| (1 + x + 10 * y + 100 * z) as f32);
    let volume = surface(SurfaceType::D3, R32, [4, 4, 4]);
    let mut array = surface(SurfaceType::D2, R32, [4, 4, 3]);
    array.set_array(true);
    let cases = [&volume, &array].into_iter().flat_map(|state| (0..16_u32).map(move |axes| (state, axes)));
    for (state, axes) in cases {
        for (lanes, inside, level) in
            [(0x0100_u32, 2, 1), (0x0100, 0, u32::MAX), (0xffff, 2, 1), (0xffff, 0, 1)]
        {
            let is_outside = |axis: u32, lane: usize| axes >> axis & 1 != 0 && lanes >> lane & 1 != 0;
            let red = prepared(state, &Sampler::none(), &bytes, Op::Ld, |param, lane| {
                let at = |axis| if is_outside(axis, lane) { 5 } else { inside };
                match param {
                    Param::U => at(0),
                    Param::V => at(1),
                    Param::R => at(2),
                    _ if is_outside(3, lane) => level,
                    _ => 0,
                }
            });
            let there = if inside == 0 { 1.0 } else { 223.0 };
            for (lane, red) in red.into_iter().enumerate() {
                let expected = if (0..4).any(|axis| is_outside(axis, lane)) { 0.0 } else { there };
                assert_eq!(f32::from_bits(red), expected, "{axes:04b} {lanes:x} {lane} {level:x}");
            }
        }
    }
}

/// A lane of a volume that is outside along any axes reads the border, beside lanes that are inside.
#[test]
fn volumes_have_a_border_along_any_axes() {
    let bytes = ramp(|x, y, z| (1 + x + 10 * y + 100 * z) as f32);
    let volume = surface(SurfaceType::D3, R32, [8, 8, 8]);
    let mut state = linear();
    state.set_address_modes([AddressMode::ClampBorder; 3]);
    for axes in 0..8_u32 {
        let red = prepared(&volume, &bind(&state), &bytes, Op::SampleL, |param, lane| {
            let at = |axis: u32| if lane == 9 && axes >> axis & 1 != 0 { -0.25_f32 } else { 0.4375 };
            match param {
                Param::U => at(0).to_bits(),
                Param::V => at(1).to_bits(),
                Param::R => at(2).to_bits(),
                _ => 0,
            }
        });
        // 334 is texel 3 along each axis; 9 is red of the border.
        let expected = |lane| if lane == 9 && axes != 0 { 9.0 } else { 334.0 };
        assert_eq!(red.map(f32::from_bits), core::array::from_fn(expected), "{axes:03b}");
    }
}

/// The mean of finite texels and an infinite border is infinite, also for formats whose means are refined. Where the border has weight
/// zero, the mean is the canonical NaN.
#[test]
fn infinite_borders_are_in_means() {
    use SurfaceFormat as F;
    let bytes = ramp(|x, _, _| x as f32);
    let mut state = linear();
    state.set_address_modes([AddressMode::ClampBorder; 3]);
    let infinity = f32::INFINITY.to_bits();
    let sampler = Sampler::bind(&state, &[infinity; 4]).unwrap();
    for format in [F::R32_FLOAT, F::R32_USCALED, F::R32_UNORM, F::R8G8B8A8_SNORM, F::R10G10B10A2_UNORM] {
        let d2 = surface(SurfaceType::D2, format, [4, 4, 1]);
        // Both edges; then the centre of the last texel, where the border is in the footprint with weight zero. At the centre of the
        // first texel (below) it is not in the footprint.
        let at = [(0.0, infinity), (1.0, infinity), (0.875, 0x7fc0_0000)];
        for (u, expected) in at {
            assert_eq!(
                run(&d2, &sampler, &bytes, Op::SampleLz, &f(&[u, 0.4]))[0],
                expected,
                "{format:?} {u}"
            );
        }
        let inside = run(&d2, &sampler, &bytes, Op::SampleLz, &f(&[0.125, 0.4]))[0];
        assert!(f32::from_bits(inside).is_finite(), "{format:?} {inside:#x}");
    }
}

/// A standard tile (Yf, Ys) of a volume holds several slices; those of a small mip level share one tile. A prepared load finds the slices
/// where the layout says, and so does [`Texture::execute`].
#[test]
fn loads_find_slices_inside_of_tiles() {
    let mut random = Random(3);
    let bytes: Vec<u8> = (0..1 << 20).map(|_| random.below(256) as u8 & 0x3f).collect();
    for tiles in [TiledResource::Yf, TiledResource::Ys] {
        let shape = SurfaceDescription::texture_3d(R32, 20, 20, 20).with_levels(5).with_tiled_resource(tiles);
        let volume = SurfaceState::new(&shape.with_base_address(0x1_0000), Platform::Gen11).unwrap();
        assert!(0x1_0000 - BASE + volume.required_size(Platform::Gen11).unwrap() <= bytes.len() as u64);
        let texture = Texture::bind(&volume, Platform::Gen11).unwrap();
        let layout =
            Layout::new(&volume, crate::format::info(R32).unwrap().element(), Platform::Gen11).unwrap();
        let level = [(); 16].map(|()| random.below(5) as u32);
        let [u, v, r] = [(); 3].map(|()| level.map(|level| random.below(20 >> level) as u32));
        let at = |param, lane: usize| match param {
            Param::U => u[lane],
            Param::V => v[lane],
            Param::R => r[lane],
            _ => level[lane],
        };
        let red = prepared(&volume, &Sampler::none(), &bytes, Op::Ld, at);
        let one = |lane: usize| load(&texture, &bytes, [u[lane], v[lane], r[lane], level[lane]]);
        assert_eq!(red, core::array::from_fn(one), "{tiles:?}");
        let there = |lane: usize| {
            let at = layout.address(level[lane], r[lane], u[lane], v[lane]) - BASE;
            u32::from_le_bytes(*bytes[at as usize..].first_chunk().unwrap())
        };
        assert_eq!(red, core::array::from_fn(there), "{tiles:?}");
    }
}

/// With WRAP, a lane of a 2D or 3D surface that is far away along any axes reads the same texels as the coordinate reduced by whole
/// periods.
#[test]
fn lanes_are_far_away_along_any_axes() {
    let mut random = Random(7);
    let bytes: Vec<u8> = (0..1 << 14).map(|_| random.below(256) as u8 & 0x3f).collect();
    let surfaces = [(SurfaceType::D2, [8, 8, 1], 4), (SurfaceType::D3, [8, 8, 8], 8)];
    let mut state = linear();
    state.set_address_modes([AddressMode::Wrap; 3]);
    let sampler = bind(&state);
    // A whole number of periods, small enough that f32 still represents the fractions that are added to it.
    const PERIODS: f32 = 524_288.0;
    for (kind, axes) in surfaces.iter().flat_map(|kind| (0..kind.2).map(move |axes: u32| (kind, axes))) {
        let red = |far: f32| {
            prepared(&surface(kind.0, R32, kind.1), &sampler, &bytes, Op::SampleL, |param, lane| {
                let far = |axis: u32| if lane == 9 && axes >> axis & 1 != 0 { far } else { 0.0 };
                let at = match param {
                    Param::U => 0.125 + far(0),
                    Param::V => 0.625 + far(1),
                    Param::R => 0.375 + far(2),
                    _ => 0.0,
                };
                at.to_bits()
            })
        };
        assert_eq!(red(PERIODS), red(0.0), "{:?} {axes:03b}", kind.0);
    }
}

/// 16-bit integer coordinates are signed: an offset moves -1 back into the surface.
#[test]
fn integers_of_16_bits_have_a_sign() {
    let bytes = ramp(|x, y, _| (1 + x + 10 * y) as f32);
    let texture = Texture::bind(&surface(SurfaceType::D2, R32, [4, 4, 1]), Platform::Gen11).unwrap();
    let message = Message { params: 2, param_width: Width::Half, offsets: [2, 1, 0], ..Message::new(Op::Ld) };
    let u: Vec<u8> = (0..8_i16).flat_map(|lane| (lane - 3).to_le_bytes()).collect();
    let other = 0_i16.to_le_bytes().repeat(8);
    let mut payload = Payload::new();
    for param in &message.op.params(Width::Half)[..2] {
        payload.push(if *param == Param::U { &u } else { &other }).unwrap();
    }
    let memory = LinearMemory { base: BASE, bytes: &bytes };
    let mut out = vec![0; message.response().len.into()];
    texture.execute(&message, &payload, &Sampler::none(), &memory, &mut out).unwrap();
    let red = [0, 1, 2, 3, 4, 5].map(|lane| f32::from_le_bytes(*out[lane * 4..].first_chunk().unwrap()));
    assert_eq!(red, [0.0, 11.0, 12.0, 13.0, 14.0, 0.0]);
}

/// With a pitch that is not a multiple of the element size, texels are found by column, row and slice and read one at a time.
#[test]
fn volumes_may_have_rows_of_any_length() {
    const PITCH: u32 = 66;
    let mut state = surface(SurfaceType::D3, R32, [4, 4, 4]);
    state.set_pitch(PITCH).unwrap();
    let mut bytes = vec![0; 4 * 8 * PITCH as usize];
    for at in 0..64 {
        let (x, y, z) = (at % 4, at / 4 % 4, at / 16);
        let value = (x + 10 * y + 100 * z) as f32;
        bytes[((8 * z + y) * PITCH + 4 * x) as usize..][..4].copy_from_slice(&value.to_le_bytes());
    }
    let sample = |at: [f32; 3]| {
        f32::from_bits(run(&state, &bind(&linear()), &bytes, Op::SampleLz, &at.map(f32::to_bits))[0])
    };
    assert_eq!([sample([0.5; 3]), sample([0.125, 0.375, 0.875])], [166.5, 310.0]);
    assert_eq!([sample([0.25, 0.375, 0.375]), sample([0.375, 0.5, 0.25])], [110.5, 66.0]);
}
