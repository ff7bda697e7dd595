//! What `Prepared::texel`, `Prepared::lod` and `Texture::read_texel` report to observers.

use super::direct::Reads;
use super::*;
use crate::message::Param;
use crate::sample::{LoadedTexel, Prepared, Scratch};
use core::cell::RefCell;

/// `Prepared::texel` names the texel and sample that a lane loads, or says that the texel or the sample is out of range.
#[test]
fn loads_name_their_texels() {
    let mut state = surface(SurfaceType::D2, R32, [4, 4, 1]);
    state.set_samples(4).unwrap();
    let texture = Texture::bind(&state, Platform::Gen11).unwrap();
    for width in [Width::Full, Width::Half] {
        let message = Message { params: 3, param_width: width, simd: 16, ..Message::new(Op::Ld2dss) };
        let prepared = Prepared::new(&texture, &Sampler::none(), &message).unwrap();
        // Lane n loads sample n mod 8 in row 2 and column n mod 4 (from lane 8 on: column n).
        let lanes = [|n| n % 8, |n| if n < 8 { n % 4 } else { n }, |_| 2_u32].map(|value: fn(u32) -> u32| {
            (0..16).flat_map(|n| value(n).to_le_bytes()[..width.bytes()].to_vec()).collect::<Vec<u8>>()
        });
        let block = lanes.concat();
        let payload = Payload::split([&block, &[]], 16 * width.bytes(), 3).unwrap();
        let texel = |lane| prepared.texel(&mut Scratch::new(), &payload, lane);
        let at = |x, sample| Some(LoadedTexel::At { level: 0, slice: 0, x, y: 2, sample });
        assert_eq!([0, 1, 3].map(texel), [at(0, 0), at(1, 1), at(3, 3)]);
        // The surface has neither columns 8 and 9 nor samples past the fourth.
        assert_eq!([8, 9, 4, 5, 7].map(texel), [Some(LoadedTexel::OutOfRange); 5]);
        assert_eq!(texel(16), None);
    }
}

/// `Prepared::texel` names the texels of every lane of a message of two passes.
#[test]
fn lanes_of_every_pass_name_their_texels() {
    let texture = Texture::bind(&surface(SurfaceType::D2, R32, [32, 4, 1]), Platform::Gen11).unwrap();
    let message = Message { params: 2, simd: 32, ..Message::new(Op::LdLz) };
    let prepared = Prepared::new(&texture, &Sampler::none(), &message).unwrap();
    let block: Vec<u8> = (0..32_u32).chain([3; 32]).flat_map(u32::to_le_bytes).collect();
    let payload = Payload::split([&block, &[]], 128, 2).unwrap();
    for x in 0..32 {
        let expected = LoadedTexel::At { level: 0, slice: 0, x, y: 3, sample: 0 };
        assert_eq!(prepared.texel(&mut Scratch::new(), &payload, x), Some(expected));
    }
}

/// The slice that `Prepared::texel` names is the depth in a volume; in an array it is the layer, counted from the start of memory.
#[test]
fn loads_name_their_slices() {
    let volume = surface(SurfaceType::D3, R32, [4, 4, 4]);
    let mut array = surface(SurfaceType::D2, R32, [4, 4, 4]);
    array.set_array(true).set_min_array_element(3).unwrap();
    for (state, first) in [(volume, 0), (array, 3)] {
        let texture = Texture::bind(&state, Platform::Gen11).unwrap();
        let message = Message { params: 4, simd: 8, ..Message::new(Op::Ld) };
        let prepared = Prepared::new(&texture, &Sampler::none(), &message).unwrap();
        // Lane n: column 1, row 2, depth or layer n.
        let lanes = message.op.params(Width::Full)[..4].iter().flat_map(|param| match param {
            Param::U => [1; 8],
            Param::V => [2; 8],
            Param::R => core::array::from_fn(|lane| lane as u32),
            _ => [0; 8],
        });
        let block: Vec<u8> = lanes.flat_map(u32::to_le_bytes).collect();
        let payload = Payload::split([&block, &[]], 32, 4).unwrap();
        let texel = |lane| prepared.texel(&mut Scratch::new(), &payload, lane);
        for number in 0..4 {
            let expected = LoadedTexel::At { level: 0, slice: first + number, x: 1, y: 2, sample: 0 };
            assert_eq!(texel(number), Some(expected), "{first}");
        }
        assert_eq!(texel(4), Some(LoadedTexel::OutOfRange), "{first}");
    }
}

/// `Texture::read_texel` reads the same addresses as a load of the texel: for planar formats both luma and chroma.
#[test]
fn texels_are_made_of_what_loads_read() {
    let bytes = vec![0; 4096];
    let reads = Reads(LinearMemory { base: BASE, bytes: &bytes }, RefCell::default());
    for format in [SurfaceFormat::PLANAR_420_8, R32] {
        let mut state = surface(SurfaceType::D2, format, [8, 4, 1]);
        state.set_tile_mode(TileMode::YMajor).set_pitch(128).unwrap();
        if format != R32 {
            state.set_u_plane_x_offset(2).set_u_plane_y_offset(5);
        }
        let texture = Texture::bind(&state, Platform::Gen11).unwrap();
        let message = Message { params: 2, lanes: 1, ..Message::new(Op::LdLz) };
        for [x, y] in [[0, 0], [5, 3], [6, 1]] {
            let params = [x, y].map(|value: u32| value.to_le_bytes().repeat(8));
            let payload = Payload::split([&params[0], &params[1]], 32, 2).unwrap();
            texture.execute(&message, &payload, &Sampler::none(), &reads, &mut [0; 128]).unwrap();
            let loaded = reads.take();
            texture.read_texel(&reads, [0, 0, x, y]);
            assert_eq!((reads.take(), loaded.is_empty()), (loaded, false), "{format:?} {x} {y}");
        }
    }
}

/// `Prepared::lod` returns a LOD for lanes of filtering messages; lanes past the message's width and lanes of loads have none.
#[test]
fn lanes_of_filters_have_a_lod() {
    let texture = Texture::bind(&surface(SurfaceType::D2, R32, [4, 4, 1]), Platform::Gen11).unwrap();
    let block = [0; 3 * 64];
    let lod = |op, lane| {
        let message = Message { params: 3, simd: 16, ..Message::new(op) };
        let payload = Payload::split([&block, &[]], 64, 3).unwrap();
        let prepared = Prepared::new(&texture, &bind(&linear()), &message).unwrap();
        prepared.lod(&mut Scratch::new(), &payload, lane).is_some()
    };
    assert_eq!([0, 15, 16, 40].map(|lane| lod(Op::SampleL, lane)), [true, true, false, false]);
    assert_eq!([0, 15, 16].map(|lane| lod(Op::Ld, lane)), [false; 3]);
}
