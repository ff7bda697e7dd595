//! The footprints of lanes against executed results and reads.

use super::*;
use crate::memory::{LinearMemory, LinearMemoryMut};
use crate::sample::Precision;
use crate::state::{AddressMode, Filter, MipFilter};
use crate::transfer::{Region, SurfaceDescription};
use std::vec;

/// For operations, shapes, tile modes, filters and precisions: the weighted texels give the executed result, and memory saw
/// exactly the footprint's elements.
#[test]
fn weights_give_the_result_and_reads_are_the_footprint() {
    let format = SurfaceFormat::R32G32B32A32_FLOAT;
    let shapes = [
        SurfaceDescription::texture_2d(format, 37, 22).with_levels(5).with_layers(2),
        SurfaceDescription::texture_3d(format, 9, 12, 7).with_levels(3),
        SurfaceDescription::cube(format, 16).with_levels(4),
        SurfaceDescription::texture_1d(format, 50).with_levels(3),
    ];
    let mut compared = 0;
    for shape in shapes {
        for tile in [TileMode::Linear, TileMode::XMajor, TileMode::YMajor] {
            for (filter, mip, mode) in [
                (Filter::Nearest, MipFilter::Nearest, AddressMode::Wrap),
                (Filter::Linear, MipFilter::Linear, AddressMode::Mirror),
                (Filter::Anisotropic, MipFilter::Linear, AddressMode::Clamp),
                (Filter::Linear, MipFilter::None, AddressMode::ClampBorder),
            ] {
                for (op, params) in [(Op::SampleL, 4), (Op::Sample, 3), (Op::SampleD, 9), (Op::Gather4L, 4)] {
                    if op.flags().gather && shape.surface_type == SurfaceType::D3 {
                        continue;
                    }
                    for precision in [Precision::Float, Precision::Fixed8] {
                        compared +=
                            compare(shape.with_tile_mode(tile), (filter, mip, mode), (op, params), precision);
                    }
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

fn compare(
    shape: SurfaceDescription,
    (filter, mip, mode): (Filter, MipFilter, AddressMode),
    (op, params): (Op, u8),
    precision: Precision,
) -> u32 {
    let surface = SurfaceState::new(&shape.with_base_address(0x1000), Platform::Gen11).unwrap();
    let layout = surface.layout(Platform::Gen11).unwrap();
    let mut bytes = vec![0; surface.required_size(Platform::Gen11).unwrap() as usize];
    let value =
        |level: u32, slice: u32, x: u32, y: u32| (level * 7 + slice * 5 + x * 3 + y * 11) as f32 % 17.0 - 4.0;
    for level in 0..layout.levels() {
        for slice in 0..layout.level(level).depth {
            let region = Region::level(&layout, level, slice);
            let rows: vec::Vec<u8> = (0..region.height)
                .flat_map(|y| (0..region.width).map(move |x| (x, y)))
                .flat_map(|(x, y)| [value(level, slice, x, y); 4].map(f32::to_le_bytes).concat())
                .collect();
            let mut memory = LinearMemoryMut { base: 0x1000, bytes: &mut bytes };
            layout.upload(&region, &rows, region.width as usize * 16, &mut memory).unwrap();
        }
    }
    let mut sampler = SamplerState::default();
    sampler.set_min_filter(filter).set_mag_filter(filter).set_mip_filter(mip).set_max_lod(14 << 8);
    sampler.set_address_modes([mode; 3]).set_max_anisotropy(8);
    let border = BorderColor::from_floats([3.0; 4]);
    let message = Message { params, ..Message::new(op) };
    let lanes: vec::Vec<u8> = (0..u32::from(params) * 8)
        .flat_map(|at| ((at.wrapping_mul(2_654_435_761) >> 12) as f32 / 600_000.0 - 0.3).to_le_bytes())
        .collect();
    let payload = Payload::split([&lanes, &[]], 32, params.into()).unwrap();
    let mut device = Bound::<1, 1>::new(Platform::Gen11);
    device.set_precision(precision);
    let memory = LinearMemory { base: 0x1000, bytes: &bytes };
    for lane in 0..8 {
        let states = (sampler, border);
        let footprint: Footprint<300> =
            device.footprint(&surface, Some(&states), &message, &payload, lane, &memory).unwrap();
        let recorder = Recorder::<_, 600>::new(&memory);
        let mut out = [0; 128];
        let alone = Message { lanes: 1 << lane, ..message };
        device.execute(&surface, Some(&states), &alone, &payload, &recorder, &mut out).unwrap();
        let what = || {
            std::format!(
                "{op:?} {shape:?} {filter:?} {mip:?} {mode:?} {precision:?} lane {lane}: {footprint:?}"
            )
        };
        for channel in 0..if op.flags().gather { 4 } else { 1 } {
            let taps = footprint.taps.iter().filter(|tap| usize::from(tap.channel) == channel);
            let sum: f64 = taps
                .map(|tap| f64::from(tap.weight) * f64::from(value(tap.level, tap.slice, tap.x, tap.y)))
                .sum();
            let at = channel * 32 + lane as usize * 4;
            let got = f32::from_le_bytes(out[at..at + 4].try_into().unwrap());
            {
                let want = sum + 3.0 * f64::from(footprint.border[channel]);
                assert!((want - f64::from(got)).abs() < 1e-4, "{want} {got} {}", what());
            }
        }
        let (reads, lost) = recorder.take();
        assert_eq!(lost, 0);
        let mut seen: vec::Vec<u64> = reads.iter().map(|read| read.address).collect();
        let mut told: vec::Vec<u64> = footprint.taps.iter().flat_map(|tap| tap.address()).collect();
        seen.sort_unstable();
        seen.dedup();
        told.sort_unstable();
        told.dedup();
        assert_eq!(seen, told, "{}", what());
    }
    8
}
