//! Tests of the rules of states, and of reading and writing their fields.

use super::*;
use crate::enums::SurfaceFormat;
use crate::rules::Rule;
use crate::state::{BorderColor, ReductionType};
use std::vec::Vec;

fn surface() -> SurfaceState {
    let mut state = SurfaceState::default();
    state
        .set_surface_type(SurfaceType::D2)
        .set_array(true)
        .set_format(SurfaceFormat::R8G8B8A8_UNORM)
        .set_halign(4)
        .set_valign(4)
        .set_tile_mode(TileMode::YMajor)
        .set_width(100)
        .unwrap()
        .set_height(60)
        .unwrap()
        .set_depth(3)
        .unwrap()
        .set_pitch(512)
        .unwrap()
        .set_qpitch(96)
        .unwrap()
        .set_mip_count(7)
        .unwrap()
        .set_base_address(0x1234_5000);
    state
}

fn names<R: Rule>(broken: Violations<R>) -> Vec<&'static str> {
    broken.map(R::name).collect()
}

/// Each change to a legal surface breaks exactly the rule that is named beside it.
#[test]
fn surface_rules() {
    type Change = fn(&mut SurfaceState) -> &mut SurfaceState;
    let changes: &[(&str, Change)] = &[
        ("reserved-bits", |s| {
            s.dwords[5] |= 1 << 12;
            s
        }),
        ("surface-type-reserved", |s| s.set_surface_type(SurfaceType::Reserved)),
        ("format-undefined", |s| s.set_format(SurfaceFormat(0x1f0))),
        ("channel-select-reserved", |s| s.set_select_red(ChannelSelect::Reserved(2))),
        ("alignment-reserved", |s| s.set_halign(0)),
        ("tiled-resource-reserved", |s| s.set_tiled_resource(TiledResource::Reserved(3))),
        ("aux-mode-reserved", |s| s.set_aux_mode(AuxMode::Reserved(4))),
        ("null-tiling", |s| s.set_surface_type(SurfaceType::Null).set_tile_mode(TileMode::XMajor)),
        ("array-flag", |s| s.set_surface_type(SurfaceType::D3)),
        ("w-major", |s| s.set_tile_mode(TileMode::WMajor)),
        ("tiled-base", |s| s.set_base_address(0x1800)),
        ("linear-base", |s| s.set_tile_mode(TileMode::Linear).set_base_address(2)),
        ("linear-offset", |s| s.set_tile_mode(TileMode::Linear).set_x_offset(4).unwrap()),
        ("tiled-pitch", |s| s.set_pitch(500).unwrap()),
        ("pitch-width", |s| s.set_pitch(384).unwrap()),
        ("qpitch-height", |s| s.set_qpitch(56).unwrap()),
        ("levels", |s| s.set_mip_count(8).unwrap()),
        ("view", |s| s.set_min_array_element(2046).unwrap()),
        ("cube-square", |s| s.set_surface_type(SurfaceType::Cube).set_cube_faces(63)),
        ("cube-faces", |s| {
            s.set_surface_type(SurfaceType::Cube).set_height(100).unwrap().set_qpitch(100).unwrap()
        }),
        ("block-type", |s| s.set_surface_type(SurfaceType::D1).set_format(SurfaceFormat::BC1_UNORM)),
        ("block-multisample", |s| {
            s.set_format(SurfaceFormat::BC1_UNORM).set_samples(4).unwrap().set_mip_count(1).unwrap()
        }),
        ("sample-count", |s| s.set_log2_samples(5).unwrap().set_mip_count(1).unwrap()),
        ("multisample-type", |s| {
            s.set_samples(2).unwrap().set_mip_count(1).unwrap().set_surface_type(SurfaceType::D1)
        }),
        ("multisample-levels", |s| s.set_samples(8).unwrap()),
        ("astc-tiling", |s| s.set_format(SurfaceFormat(0x240)).set_tile_mode(TileMode::XMajor)),
    ];
    assert_eq!(names(surface().validate(Platform::Gen11)), [""; 0]);
    for (name, change) in changes {
        let mut state = surface();
        assert_eq!(names(change(&mut state).validate(Platform::Gen11)), [*name]);
    }
    let mut state = surface();
    let mut linear = surface();
    linear.set_tile_mode(TileMode::Linear);
    assert_eq!(names(linear.validate(Platform::Gen11)), [""; 0]);
    assert_eq!(names(linear.set_valign(0).validate(Platform::Gen11)), ["alignment-reserved"]);
    assert_eq!(
        names(linear.set_valign(4).set_pitch(399).unwrap().validate(Platform::Gen11)),
        ["pitch-width"]
    );
    // A linear 1D surface needs no alignment, a tiled one does; the number of its mip levels is limited by its width.
    let mut row = surface();
    row.set_surface_type(SurfaceType::D1).set_halign(0);
    assert_eq!(names(row.validate(Platform::Gen11)), ["alignment-reserved"]);
    assert_eq!(names(row.set_tile_mode(TileMode::Linear).validate(Platform::Gen11)), [""; 0]);
    assert_eq!(names(row.set_width(63).unwrap().validate(Platform::Gen11)), ["levels"]);
    assert_eq!(names(surface().set_min_array_element(2045).unwrap().validate(Platform::Gen11)), [""; 0]);
    // The widest surface has fifteen mip levels and not one more.
    let mut wide = surface();
    wide.set_width(16384).unwrap().set_pitch(65536).unwrap().set_mip_count(15).unwrap();
    assert_eq!(names(wide.validate(Platform::Gen11)), [""; 0]);
    assert_eq!(names(wide.set_surface_min_lod(1).unwrap().validate(Platform::Gen11)), ["levels"]);
    // A surface of one slice needs no QPitch. The samples of a multisampled surface are slices, unless they are interleaved.
    let mut slices = surface();
    slices.set_array(false).set_depth(1).unwrap().set_mip_count(1).unwrap().set_qpitch(56).unwrap();
    assert_eq!(names(slices.validate(Platform::Gen11)), [""; 0]);
    let mut second = slices;
    assert_eq!(names(second.set_min_array_element(1).unwrap().validate(Platform::Gen11)), ["qpitch-height"]);
    for samples in [2, 4] {
        slices.set_samples(samples).unwrap().set_interleaved_samples(false);
        assert_eq!(names(slices.validate(Platform::Gen11)), ["qpitch-height"]);
        assert_eq!(names(slices.set_interleaved_samples(true).validate(Platform::Gen11)), [""; 0]);
    }
    // W-major is for elements of one byte, until Gen11.
    let mut stencil = surface();
    stencil.set_tile_mode(TileMode::WMajor).set_format(SurfaceFormat::R8_UINT);
    assert_eq!(names(stencil.validate(Platform::Gen11)), [""; 0]);
    assert_eq!(names(stencil.validate(Platform::XeLp)), ["w-major"]);
    assert_eq!(names(state.set_unorm_path(true).validate(Platform::Gen9)), ["field-not-on-platform"]);
    assert_eq!(names(state.validate(Platform::Gen11)), [""; 0]);
}

#[test]
fn tiled_resource_rules() {
    type Change = fn(&mut SurfaceState) -> &mut SurfaceState;
    let mut resource = surface();
    resource.set_tiled_resource(TiledResource::Yf).set_mip_tail_start(15).unwrap().set_halign(0);
    let changes: &[(&[&str], Change)] = &[
        (&[], |s| s),
        (&[], |s| s.set_mip_tail_start(3).unwrap()),
        (&["mip-tail"], |s| s.set_mip_tail_start(1).unwrap()),
        (&["mip-tail"], |s| {
            s.set_samples(4).unwrap().set_mip_count(1).unwrap().set_mip_tail_start(0).unwrap()
        }),
        (&["tiled-resource", "linear-base"], |s| s.set_tile_mode(TileMode::Linear).set_base_address(0x1001)),
        (&["tiled-resource"], |s| s.set_format(SurfaceFormat::R8G8B8_UNORM)),
        (&["tiled-resource"], |s| s.set_surface_type(SurfaceType::D1)),
        (&["tiled-resource-place"], |s| s.set_tiled_resource(TiledResource::Ys).set_base_address(0x3000)),
        (&["tiled-resource-place"], |s| s.set_qpitch(100).unwrap()),
    ];
    for (want, change) in changes {
        let mut state = resource;
        assert_eq!(names(change(&mut state).validate(Platform::Gen11)), *want, "{state:?}");
    }
    // The size of an element decides what fits: level 2 is 25 texels of 4 bytes wide, its slot half of a tile that is 32 texels wide.
    assert_eq!(names(resource.set_mip_tail_start(2).unwrap().validate(Platform::Gen11)), ["mip-tail"]);
    let mut array = resource;
    array.set_samples(4).unwrap().set_mip_count(1).unwrap().set_mip_tail_start(15).unwrap();
    assert_eq!(names(array.validate(Platform::Gen11)), [""; 0]);
    assert_eq!(names(array.validate(Platform::Gen9)), ["tiled-resource"]);
}

#[test]
fn buffer_rules() {
    let mut state = SurfaceState::default();
    state.set_surface_type(SurfaceType::Buffer).set_format(SurfaceFormat::R32G32_FLOAT);
    state.set_buffer_elements(1 << 27).unwrap().set_pitch(8).unwrap().set_base_address(64);
    assert_eq!(names(state.validate(Platform::Gen9)), [""; 0]);
    let check = |change: fn(&mut SurfaceState) -> &mut SurfaceState| {
        let mut state = state;
        names(change(&mut state).validate(Platform::Gen9))
    };
    assert_eq!(check(|s| s.set_tile_mode(TileMode::XMajor)), ["buffer-linear"]);
    assert_eq!(check(|s| s.set_buffer_elements((1 << 27) + 1).unwrap()), ["buffer-size"]);
    assert_eq!(check(|s| s.set_base_address(4)), ["buffer-alignment"]);
    assert_eq!(check(|s| s.set_format(SurfaceFormat::BC3_UNORM).set_pitch(16).unwrap()), ["block-type"]);
    state.set_buffer_elements(0x7654_3211).unwrap();
    assert_eq!(state.buffer_elements(), 0x7654_3211);
}

#[test]
fn sampler_rules() {
    type Change = fn(&mut SamplerState) -> &mut SamplerState;
    let mut sampler = SamplerState::default();
    sampler.set_min_filter(Filter::Linear).set_max_lod(14 << 8);
    let changes: &[(&[&str], Change)] = &[
        (&[], |s| s),
        (&["reserved-bits"], |s| {
            s.dwords[3] |= 1 << 31;
            s
        }),
        (&["field-not-on-platform"], |s| s.set_force_gather4(true)),
        (&["filter-reserved"], |s| s.set_mag_filter(Filter::Reserved(5))),
        (&["mip-filter-reserved"], |s| s.set_mip_filter(MipFilter::Reserved(2))),
        (&["lod-preclamp-reserved"], |s| s.set_lod_preclamp(LodPreclamp::Reserved(1))),
        (&["lod-range"], |s| s.set_min_lod(0xe01)),
        (&["non-normalized-address", "non-normalized-lod"], |s| s.set_non_normalized(true)),
        (&["non-normalized-filter", "non-normalized-mip"], |s| {
            s.set_non_normalized(true).set_max_lod(0).set_address_modes([AddressMode::Clamp; 3]);
            s.set_mip_filter(MipFilter::Nearest).set_min_filter(Filter::Anisotropic)
        }),
    ];
    for (want, change) in changes {
        let mut state = sampler;
        assert_eq!(names(change(&mut state).validate(Platform::Gen9)), *want);
    }
}

#[test]
fn pair_rules() {
    let (surface, mut sampler) = (surface(), SamplerState::default());
    assert_eq!(names(sampler.validate_with(&surface)), [""; 0]);
    let mut cube = surface;
    cube.set_surface_type(SurfaceType::Cube);
    assert_eq!(names(sampler.validate_with(&cube)), ["cube-address"]);
    assert_eq!(names(sampler.set_cube_control_override(true).validate_with(&cube)), [""; 0]);
    sampler.set_address_modes([AddressMode::Cube, AddressMode::Mirror101, AddressMode::Wrap]);
    assert_eq!(names(sampler.validate_with(&surface)), ["cube-mode"]);
    let mut volume = surface;
    volume.set_surface_type(SurfaceType::D3);
    assert_eq!(names(sampler.validate_with(&volume)), ["cube-mode", "mirror-101"]);
    let mut integer = surface;
    integer.set_format(SurfaceFormat::R16_UINT);
    let mut linear = SamplerState::default();
    linear.set_mag_filter(Filter::Linear).set_mip_filter(MipFilter::Linear);
    assert_eq!(names(linear.validate_with(&integer)), ["format-filter", "format-mip"]);
    assert_eq!(names(linear.set_mag_filter(Filter::Mono).validate_with(&surface)), ["mono-format"]);
    linear.set_mag_filter(Filter::Nearest).set_non_normalized(true);
    let mut row = surface;
    row.set_surface_type(SurfaceType::D1);
    assert_eq!(names(linear.validate_with(&row)), ["non-normalized-surface", "non-normalized-levels"]);
    let mut level = surface;
    level.set_mip_count(1).unwrap();
    assert_eq!(names(linear.validate_with(&level)), [""; 0]);
    assert_eq!(names(linear.validate_with(level.set_surface_min_lod(1).unwrap())), ["non-normalized-levels"]);
}

/// A field that was written reads back, and writing it changes no other bits.
#[test]
fn fields_are_written_where_they_are_read() {
    for field in SurfaceState::FIELDS {
        for start in [[0u32; 16], [u32::MAX; 16]] {
            let mut dwords = start;
            let value = 0x5aa5_c33c_9669_f00f & crate::bits::mask(field.width());
            field.put(&mut dwords, value);
            assert_eq!(field.get(&dwords), value, "{}", field.name);
            field.put(&mut dwords, field.get(&start));
            assert_eq!(dwords, start, "{}", field.name);
        }
    }
}

#[test]
fn values_are_read_as_written() {
    let mut state = surface();
    state.set_halign(16).set_valign(8).set_samples(16).unwrap().set_aux_base_address(0xffff_ffff_f000);
    state
        .set_clear_address(0x1234_5678_9ac0)
        .set_cube_faces(0x2a)
        .set_quilt_width(7)
        .unwrap()
        .set_quilt_height(3)
        .unwrap();
    assert_eq!((state.halign(), state.valign(), state.samples()), (16, 8, 16));
    assert_eq!((state.aux_base_address(), state.clear_address()), (0xffff_ffff_f000, 0x1234_5678_9ac0));
    assert_eq!((state.cube_faces(), state.quilt()), (0x2a, (7, 3)));
    assert_eq!(SurfaceState::from_bytes(&state.to_bytes()), state);
    let mut sampler = SamplerState::default();
    sampler.set_lod_bias(-4096).set_max_anisotropy(10).set_border_offset(0x12_3440);
    for (ratio, written) in [(0, 2), (1, 2), (3, 2), (16, 16), (17, 16), (u32::MAX, 16)] {
        assert_eq!(SamplerState::default().set_max_anisotropy(ratio).max_anisotropy(), written);
    }
    sampler.set_reduction(Some(ReductionType::Maximum)).set_rounding(true);
    assert_eq!((sampler.lod_bias(), sampler.max_anisotropy()), (-4096, 10));
    assert_eq!((sampler.border_offset(), sampler.reduction()), (0x12_3440, Some(ReductionType::Maximum)));
    assert_eq!((sampler.mag_rounding(), sampler.min_rounding()), ([true; 3], [true; 3]));
    assert_eq!(sampler.set_reduction(None).reduction(), None);
    assert_eq!(BorderColor::from_floats([0.0, 0.5, 1.0, -2.0]).floats(), [0.0, 0.5, 1.0, -2.0]);
}
