//! Setters of sizes and positions refuse what the field cannot hold; the error has the field's name, position and limit.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use texwire::state::SurfaceState;
use texwire::{Kind, Result, What};

type Set = fn(&mut SurfaceState, u32) -> Result<&mut SurfaceState>;
type Get = fn(&SurfaceState) -> u32;

/// Setter, getter, the PRM's name of the field, the error's `What`, then smallest value, largest value and step.
const SETTERS: &[(Set, Get, &str, What, [u32; 3])] = &[
    (SurfaceState::set_width, SurfaceState::width, "Width", What::Width, [1, 16384, 1]),
    (SurfaceState::set_height, SurfaceState::height, "Height", What::Height, [1, 16384, 1]),
    (SurfaceState::set_depth, SurfaceState::depth, "Depth", What::Depth, [1, 2048, 1]),
    (SurfaceState::set_pitch, SurfaceState::pitch, "Surface Pitch", What::Pitch, [1, 1 << 18, 1]),
    (SurfaceState::set_qpitch, SurfaceState::qpitch, "Surface QPitch", What::QPitch, [0, 131_068, 4]),
    (
        SurfaceState::set_view_extent,
        SurfaceState::view_extent,
        "Render Target View Extent",
        What::ViewExtent,
        [1, 2048, 1],
    ),
    (
        SurfaceState::set_min_array_element,
        SurfaceState::min_array_element,
        "Minimum Array Element",
        What::MinArrayElement,
        [0, 2047, 1],
    ),
    (SurfaceState::set_mip_count, SurfaceState::mip_count, "MIP Count / LOD", What::MipCount, [1, 16, 1]),
    (
        SurfaceState::set_surface_min_lod,
        SurfaceState::surface_min_lod,
        "Surface Min LOD",
        What::SurfaceMinLod,
        [0, 15, 1],
    ),
    (
        SurfaceState::set_mip_tail_start,
        SurfaceState::mip_tail_start,
        "Mip Tail Start LOD",
        What::MipTail,
        [0, 15, 1],
    ),
    (
        SurfaceState::set_log2_samples,
        SurfaceState::log2_samples,
        "Number of Multisamples",
        What::Samples,
        [0, 7, 1],
    ),
    (SurfaceState::set_x_offset, SurfaceState::x_offset, "X Offset", What::XOffset, [0, 508, 4]),
    (SurfaceState::set_y_offset, SurfaceState::y_offset, "Y Offset", What::YOffset, [0, 28, 4]),
    (
        SurfaceState::set_aux_pitch,
        SurfaceState::aux_pitch,
        "Auxiliary Surface Pitch",
        What::AuxPitch,
        [1, 512, 1],
    ),
    (
        SurfaceState::set_aux_qpitch,
        SurfaceState::aux_qpitch,
        "Auxiliary Surface QPitch",
        What::AuxQPitch,
        [0, 131_068, 4],
    ),
    (SurfaceState::set_quilt_width, SurfaceState::quilt_width, "Quilt Width", What::QuiltSize, [1, 32, 1]),
    (SurfaceState::set_quilt_height, SurfaceState::quilt_height, "Quilt Height", What::QuiltSize, [1, 32, 1]),
];

#[test]
fn sizes_that_do_not_fit_are_refused() {
    for &(set, get, name, what, [least, most, step]) in SETTERS {
        let field = SurfaceState::FIELDS.iter().find(|field| field.name == name).unwrap();
        let mut state = SurfaceState { dwords: [0x5a5a_5a5a; 16] };
        for value in [least, least + step, most - step, most] {
            assert!(set(&mut state, value).is_ok(), "{name} {value}");
            assert_eq!(get(&state), value, "{name}");
        }
        let before = state;
        let between = if step > 1 { least + 1 } else { most + 1 };
        for value in [least.wrapping_sub(step), between, most + step, most * 2 + step, u32::MAX] {
            let error = set(&mut state, value).unwrap_err();
            assert_eq!((error.kind(), error.what(), error.found()), (Kind::Invalid, what, value.into()));
            assert_eq!(
                (error.offset(), error.bit_offset()),
                (Some(usize::from(field.dword) * 4), Some(field.lo)),
                "{name}"
            );
            let text = error.to_string();
            let limit = if what == What::Samples { "16".to_owned() } else { most.to_string() };
            assert!(text.contains(what.text()) && text.contains(&limit), "{text}: {limit}");
            assert_eq!(state, before, "{name} {value}: changed");
        }
    }
}

/// `set_samples` and `set_buffer_elements` refuse values, too; a width of 20000 is not stored as 3616, its low bits.
#[test]
fn samples_and_buffers_are_refused_too() {
    let mut state = SurfaceState::default();
    for samples in [0, 3, 256, u32::MAX] {
        assert_eq!(state.set_samples(samples).unwrap_err().what(), What::Samples);
    }
    for elements in [0, (1 << 31) + 1, u32::MAX] {
        assert_eq!(state.set_buffer_elements(elements).unwrap_err().what(), What::Elements);
    }
    assert_eq!(state, SurfaceState::default());
    assert_eq!(state.set_samples(16).unwrap().samples(), 16);
    assert_eq!(state.set_buffer_elements(1 << 31).unwrap().buffer_elements(), 1 << 31);
    let text = state.set_width(20_000).unwrap_err().to_string();
    assert_eq!(text, "invalid surface width 0x4e20 at byte 0x8 bit 0 (expected 1 to 16384 texels, 3D: 2048)");
}
