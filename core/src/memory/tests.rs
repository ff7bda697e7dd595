//! Tests of planes, mip levels and the constants of their addresses together.

use super::{Element, Layout};
use crate::Platform;
use crate::enums::SurfaceFormat;
use crate::error::{Kind, What};
use crate::state::{SurfaceState, SurfaceType, TileMode, TiledResource};
use std::vec::Vec;

/// Pseudorandom numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as u32) % limit
    }
}

fn resource(kind: SurfaceType, mode: TiledResource, size: [u32; 3]) -> SurfaceState {
    let mut state = SurfaceState::plain(kind, SurfaceFormat::R8G8B8A8_UNORM, size).unwrap();
    state.set_tile_mode(TileMode::YMajor).set_tiled_resource(mode);
    state
}

/// Every state that has an address for each coordinate: all tile modes, types and element sizes.
fn states() -> Vec<(SurfaceState, u8, Platform)> {
    use TileMode::{Linear, WMajor, XMajor, YMajor};
    let mut states = Vec::new();
    for platform in [Platform::Gen9, Platform::Gen11] {
        for bytes in [1, 2, 4, 8, 16] {
            for kind in [SurfaceType::D1, SurfaceType::D2, SurfaceType::D3, SurfaceType::Cube] {
                let size = [300, if kind == SurfaceType::Cube { 300 } else { 77 }, 5];
                for mode in [Linear, XMajor, YMajor, WMajor] {
                    let mut state = SurfaceState::plain(kind, SurfaceFormat::R8_UNORM, size).unwrap();
                    state.set_tile_mode(mode).set_mip_count(6).unwrap().set_base_address(0x7_0000);
                    states.push((state, bytes, platform));
                    if kind != SurfaceType::D2 {
                        continue;
                    }
                    state.set_mip_count(1).unwrap();
                    for (stride, odd) in [(1, 0), (1, 1)] {
                        state.set_line_stride(stride).set_line_stride_offset(odd);
                        states.push((state, bytes, platform));
                    }
                    if mode != Linear {
                        state
                            .set_array(false)
                            .set_depth(1)
                            .unwrap()
                            .set_x_offset(16)
                            .unwrap()
                            .set_y_offset(4)
                            .unwrap();
                        states.push((state, bytes, platform));
                    }
                }
                for (mode, tail) in
                    [TiledResource::Yf, TiledResource::Ys].into_iter().flat_map(|m| [(m, 15), (m, 4), (m, 9)])
                {
                    let mut state = resource(kind, mode, size);
                    state
                        .set_mip_count(9)
                        .unwrap()
                        .set_mip_tail_start(tail)
                        .unwrap()
                        .set_base_address(0x7_0000);
                    states.push((state, bytes, platform));
                }
            }
            for samples in [2, 4, 8, 16] {
                for (mode, interleaved) in [
                    (TiledResource::None, false),
                    (TiledResource::Yf, false),
                    (TiledResource::Ys, false),
                    (TiledResource::Ys, true),
                ] {
                    let mut state = resource(SurfaceType::D2, mode, [70, 40, 3]);
                    state.set_samples(samples).unwrap().set_interleaved_samples(interleaved);
                    states.push((state, bytes, platform));
                }
            }
        }
    }
    states
}

/// The constants of a mip level give the addresses that planes give, for every tile mode, and all elements are inside the
/// memory that `fit` asks for.
#[test]
fn constants_say_what_planes_do() {
    let mut numbers = Numbers(1);
    let mut compared = 0;
    for (mut state, bytes, platform) in states() {
        let element = Element::texel(bytes);
        let Ok(size) = state.fit(element, platform) else { continue };
        let layout = Layout::new(&state, element, platform).unwrap();
        let offset = u64::from(state.x_offset() + state.y_offset() * state.pitch()) * 64;
        let (start, end) = (state.base_address(), state.base_address() + size + offset);
        for number in 0..layout.levels() {
            let (level, constants) = (layout.level(number), layout.addressing(number, 1).unwrap());
            for _ in 0..20 {
                let (x, y) = (numbers.below(level.width), numbers.below(level.height));
                let (layer, sample) = (numbers.below(level.depth), numbers.below(layout.samples()));
                let (x, y, slice) = layout.sample(x, y, layer, sample);
                let address = layout.address(number, slice, x, y);
                let index = constants.index(x, y, slice);
                assert_eq!(constants.base + index * u64::from(bytes), address, "{state:?} {level:?}");
                assert!((start..end).contains(&address), "{state:?} {level:?} {address:x}");
                compared += 1;
            }
        }
    }
    assert!(compared > 20_000, "{compared}");
}

/// Small resources with every mip level: no two elements share a byte.
#[test]
fn elements_do_not_overlap() {
    for platform in [Platform::Gen9, Platform::Gen11] {
        for (kind, mode, size, levels, tail, bytes) in [
            (SurfaceType::D2, TiledResource::Yf, [64, 64, 2], 7, 1, 1),
            (SurfaceType::D2, TiledResource::Yf, [40, 24, 1], 6, 1, 4),
            (SurfaceType::D2, TiledResource::Ys, [64, 64, 1], 7, 1, 16),
            (SurfaceType::D3, TiledResource::Ys, [32, 16, 16], 6, 1, 8),
            (SurfaceType::D3, TiledResource::Yf, [8, 16, 8], 5, 1, 4),
            (SurfaceType::Cube, TiledResource::Ys, [128, 128, 1], 8, 1, 4),
            (SurfaceType::D1, TiledResource::Yf, [4000, 1, 2], 12, 3, 2),
        ] {
            let mut state = resource(kind, mode, size);
            let element = Element::texel(bytes);
            state.set_mip_count(levels).unwrap().set_mip_tail_start(tail).unwrap();
            if state.fit(element, platform).is_err() {
                assert_eq!((kind, platform), (SurfaceType::D1, Platform::Gen11));
                continue;
            }
            let layout = Layout::new(&state, element, platform).unwrap();
            let mut addresses = Vec::new();
            for number in 0..levels {
                let level = layout.level(number);
                for slice in 0..level.depth {
                    let plane = layout.plane(number, slice);
                    let rows = (0..level.height).flat_map(|y| (0..level.width).map(move |x| (x, y)));
                    addresses.extend(rows.map(|(x, y)| plane.address(x, y)));
                }
            }
            addresses.sort_unstable();
            let apart = addresses.windows(2).all(|pair| pair[1] - pair[0] >= u64::from(bytes));
            assert!(apart, "{platform} {kind:?} {mode:?} {bytes}");
        }
    }
}

/// The two fields of a picture are its even and its odd lines, in every tile mode.
#[test]
fn fields_are_every_second_line() {
    for mode in [TileMode::Linear, TileMode::XMajor, TileMode::YMajor, TileMode::WMajor] {
        let element = Element::texel(1);
        let mut whole = SurfaceState::plain(SurfaceType::D2, SurfaceFormat::R8_UNORM, [70, 100, 2]).unwrap();
        whole.set_tile_mode(mode);
        whole.fit(element, Platform::Gen9).unwrap();
        let picture = Layout::new(&whole, element, Platform::Gen9).unwrap();
        for odd in [0, 1] {
            let mut field = whole;
            field.set_height(50).unwrap().set_line_stride(1).set_line_stride_offset(odd);
            let field = Layout::new(&field, element, Platform::Gen9).unwrap();
            for (x, y, slice) in [(0, 0, 0), (69, 49, 0), (3, 17, 1), (64, 31, 1), (5, 32, 0)] {
                let want = picture.address(0, slice, x, y * 2 + odd);
                assert_eq!(field.address(0, slice, x, y), want, "{mode:?} {odd} ({x}, {y}, {slice})");
            }
        }
    }
}

/// X and Y offsets and line strides are accepted only for the surfaces that can have them.
#[test]
fn offsets_and_fields_have_rules() {
    type Change = fn(&mut SurfaceState) -> &mut SurfaceState;
    type Refusal = Option<(Kind, What)>;
    let mut plain =
        SurfaceState::plain(SurfaceType::D2, SurfaceFormat::R8G8B8A8_UNORM, [70, 100, 1]).unwrap();
    plain.set_tile_mode(TileMode::YMajor).set_array(false).set_pitch(512).unwrap().set_qpitch(128).unwrap();
    let offset = Some((Kind::Invalid, What::SurfaceOffset));
    let stride = Some((Kind::Invalid, What::LineStride));
    let cases: [(Change, u8, Refusal); 13] = [
        (|s| s.set_x_offset(4).unwrap().set_y_offset(12).unwrap(), 4, None),
        (|s| s.set_x_offset(4).unwrap(), 2, offset),
        (|s| s.set_x_offset(8).unwrap(), 1, offset),
        (|s| s.set_x_offset(16).unwrap(), 1, None),
        (|s| s.set_x_offset(8).unwrap(), 12, offset),
        (|s| s.set_y_offset(4).unwrap().set_array(true), 4, offset),
        (|s| s.set_y_offset(4).unwrap().set_mip_count(2).unwrap(), 4, offset),
        (|s| s.set_y_offset(4).unwrap().set_tile_mode(TileMode::Linear), 4, offset),
        (|s| s.set_line_stride(1).set_y_offset(4).unwrap(), 4, None),
        (|s| s.set_line_stride(1).set_mip_count(2).unwrap(), 4, stride),
        (|s| s.set_line_stride(1).set_samples(2).unwrap(), 4, stride),
        (|s| s.set_line_stride(1).set_surface_type(SurfaceType::D3), 4, stride),
        (|s| s.set_line_stride_offset(1).set_surface_type(SurfaceType::D3), 4, None),
    ];
    for (number, (change, bytes, want)) in cases.into_iter().enumerate() {
        let mut state = plain;
        change(&mut state);
        let got = Layout::new(&state, Element::texel(bytes), Platform::Gen11);
        assert_eq!(got.err().map(|why| (why.kind(), why.what())), want, "case {number}");
    }
}

/// Tiled resource modes are accepted only for surfaces that meet their conditions.
#[test]
fn tiled_resources_have_rules() {
    type Change = fn(&mut SurfaceState) -> &mut SurfaceState;
    let mut whole = resource(SurfaceType::D2, TiledResource::Ys, [300, 300, 4]);
    whole.set_mip_count(9).unwrap().set_mip_tail_start(3).unwrap().set_base_address(0x2_0000);
    whole.fit(Element::texel(4), Platform::Gen9).unwrap();
    let cases: [(Change, Option<(Kind, What)>); 12] = [
        (|s| s, None),
        (|s| s.set_tiled_resource(TiledResource::Reserved(3)), Some((Kind::Reserved, What::TiledResource))),
        (|s| s.set_tile_mode(TileMode::XMajor), Some((Kind::Invalid, What::TiledResource))),
        (|s| s.set_surface_type(SurfaceType::Buffer), Some((Kind::Invalid, What::TiledResource))),
        (|s| s.set_base_address(0x2_1000), Some((Kind::Invalid, What::BaseAddress))),
        (|s| s.set_tiled_resource(TiledResource::Yf).set_base_address(0x2_1000), None),
        (|s| s.set_pitch(1024 + 128).unwrap(), Some((Kind::Invalid, What::Pitch))),
        (|s| s.set_qpitch(s.qpitch() + 4).unwrap(), Some((Kind::Invalid, What::Pitch))),
        (|s| s.set_mip_tail_start(0).unwrap().set_mip_count(15).unwrap(), None),
        (
            |s| {
                s.set_tiled_resource(TiledResource::Yf)
                    .set_mip_tail_start(0)
                    .unwrap()
                    .set_mip_count(12)
                    .unwrap()
            },
            Some((Kind::Reserved, What::MipTail)),
        ),
        (
            |s| s.set_mip_count(1).unwrap().set_samples(4).unwrap().set_mip_tail_start(0).unwrap(),
            Some((Kind::Invalid, What::MipTail)),
        ),
        (
            |s| s.set_tiled_resource(TiledResource::Yf).set_mip_count(1).unwrap().set_samples(4).unwrap(),
            Some((Kind::NotOnPlatform, What::TiledResource)),
        ),
    ];
    for (number, (change, want)) in cases.into_iter().enumerate() {
        let mut state = whole;
        change(&mut state);
        let got = Layout::new(&state, Element::texel(4), Platform::Gen9);
        assert_eq!(got.err().map(|why| (why.kind(), why.what())), want, "case {number}");
    }
    for bytes in [3, 6, 12, 32] {
        let why = Layout::new(&whole, Element::texel(bytes), Platform::Gen9).unwrap_err();
        assert_eq!((why.kind(), why.what(), why.found()), (Kind::Invalid, What::TiledResource, 2));
    }
}
