//! The footprints of lanes, compared with executed results and recorded reads.

use super::*;
use crate::memory::{LinearMemory, LinearMemoryMut};
use crate::message::Param;
use crate::sample::Precision;
use crate::state::{AddressMode, Filter, MipFilter};
use crate::transfer::{Region, SurfaceDescription};
use std::vec;

/// For combinations of operations, shapes, tile modes, filters and precisions: the weighted texels give the executed result, and
/// exactly the footprint's elements are read from memory.
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
    let mut device = StateExecutor::<1, 1>::new(Platform::Gen11);
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

/// Returns the footprint of a lane on a surface with two mip levels; all lanes have the same parameters.
fn told(op: Op, params: &[f32], min_lod: u32) -> Footprint<16> {
    told_within(op, params, min_lod).unwrap()
}

/// [`told`], with room for `N` texels.
fn told_within<const N: usize>(op: Op, params: &[f32], min_lod: u32) -> Result<Footprint<N>> {
    let shape = SurfaceDescription::texture_2d(SurfaceFormat::R32_FLOAT, 8, 8).with_levels(2);
    let surface = SurfaceState::new(&shape, Platform::Gen11).unwrap();
    let mut sampler = SamplerState::default();
    sampler
        .set_min_lod(min_lod)
        .set_max_lod(14 << 8)
        .set_mag_filter(Filter::Linear)
        .set_address_modes([AddressMode::ClampBorder; 3]);
    let message = Message { params: params.len() as u8, ..Message::new(op) };
    let lanes: vec::Vec<u8> = params.iter().flat_map(|value| value.to_le_bytes().repeat(8)).collect();
    let payload = Payload::split([&lanes, &[]], 32, params.len()).unwrap();
    let device = StateExecutor::<1, 1>::new(Platform::Gen11);
    let states = (sampler, BorderColor::from_floats([1.0; 4]));
    let memory = LinearMemory { base: 0, bytes: &[0; 4096] };
    device.footprint(&surface, Some(&states), &message, &payload, 0, &memory)
}

#[test]
fn more_texels_than_there_is_room_for_are_an_error() {
    let error = told_within::<3>(Op::SampleL, &[0.0, 0.5, 0.5], 0).unwrap_err();
    assert_eq!((error.kind(), error.what(), error.found()), (Kind::Capacity, What::Taps, 4));
    assert!(told_within::<4>(Op::SampleL, &[0.0, 0.5, 0.5], 0).is_ok());
}

/// LODs up to 0 are magnified. Here the magnification filter has four texels, the minification filter one.
#[test]
fn magnified_says_which_filter_it_is() {
    for (lod, magnified, taps) in [(-0.5, true, 4), (0.0, true, 4), (0.5, false, 1)] {
        let told = told(Op::SampleL, &[lod, 0.5, 0.5], 0);
        assert_eq!((told.lod.unwrap().magnified, told.taps.len()), (magnified, taps), "{lod}");
    }
}

/// The LOD operation has an LOD, but reads no texel and no border.
#[test]
fn a_query_of_the_lod_has_no_texels() {
    let told = told(Op::Lod, &[0.25, 2.0], 1 << 8);
    assert_eq!(told.lod.map(|lod| lod.clamped), Some(1.0));
    assert_eq!((told.taps.len(), told.border), (0, [0.0; 4]));
}

/// The number of samples is that of the filter in use: four, if it is anisotropic, where one derivative is four times as long as
/// the other.
#[test]
fn samples_are_those_of_the_filter() {
    let shape = SurfaceDescription::texture_2d(SurfaceFormat::R32_FLOAT, 64, 64);
    let surface = SurfaceState::new(&shape, Platform::Gen11).unwrap();
    let memory = LinearMemory { base: 0, bytes: &[0; 64 * 64 * 4] };
    let params = Op::SampleD.params(Width::Full);
    for (filters, texels, samples) in [
        ([Filter::Linear, Filter::Anisotropic], 8.0, 4),
        ([Filter::Linear, Filter::Anisotropic], 0.5, 1),
        ([Filter::Anisotropic, Filter::Linear], 8.0, 1),
        ([Filter::Anisotropic, Filter::Linear], 0.5, 4),
    ] {
        let mut sampler = SamplerState::default();
        sampler.set_mag_filter(filters[0]).set_min_filter(filters[1]).set_max_anisotropy(16);
        let value = |param: &Param| match param {
            Param::DuDx => texels / 64.0,
            Param::DvDy => texels / 256.0,
            Param::U | Param::V => 0.5_f32,
            _ => 0.0,
        };
        let lanes: vec::Vec<u8> =
            params[..6].iter().flat_map(|param| value(param).to_le_bytes().repeat(8)).collect();
        let payload = Payload::split([&lanes, &[]], 32, 6).unwrap();
        let message = Message { params: 6, ..Message::new(Op::SampleD) };
        let states = (sampler, BorderColor::default());
        let footprint: Footprint<64> = StateExecutor::<1, 1>::new(Platform::Gen11)
            .footprint(&surface, Some(&states), &message, &payload, 0, &memory)
            .unwrap();
        assert_eq!(footprint.lod.unwrap().samples, samples, "{filters:?} {texels}");
    }
}

/// Memory of zeros: even dwords are on null pages, odd ones are mapped, and everything from an address on faults.
struct Nulls(u64);

impl Memory for Nulls {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        out.fill(0);
        match address {
            _ if address >= self.0 => Access::Fault,
            _ if address & 4 == 0 => Access::NullPage,
            _ => Access::Mapped,
        }
    }
}

/// All parts of a texel are reported once, in the order in which they are read, and none after one that faults, although execution
/// repeats reads.
#[test]
fn parts_that_are_not_there_are_told_once_and_in_order() {
    let shape = SurfaceDescription::texture_2d(SurfaceFormat::R32G32B32_FLOAT, 8, 8);
    let surface = SurfaceState::new(&shape.with_tile_mode(TileMode::YMajor), Platform::Gen11).unwrap();
    let mut sampler = SamplerState::default();
    sampler.set_min_filter(Filter::Linear).set_mag_filter(Filter::Linear);
    let states = (sampler, BorderColor::default());
    let mut device = StateExecutor::<1, 1>::new(Platform::Gen11);
    // Texel (1, 0) has its parts at 12, 512 and 516. It is the first one that is read of the footprint from (1, 0) to (2, 1).
    for (op, params, taps) in [(Op::LdLz, [1, 0], 1), (Op::SampleLz, [0.25_f32, 0.125].map(f32::to_bits), 4)]
    {
        for (fault, parts) in [(u64::MAX, &[12, 512, 516][..]), (516, &[12, 512, 516]), (512, &[12, 512])] {
            let lanes: vec::Vec<u8> = params.iter().flat_map(|value| value.to_le_bytes().repeat(8)).collect();
            let payload = Payload::split([&lanes, &[]], 32, 2).unwrap();
            let message = Message { params: 2, lanes: 1, ..Message::new(op) };
            let memory = Nulls(fault);
            let states = Some(&states).filter(|_| message.op.flags().sampler);
            let footprint: Footprint<16> =
                device.footprint(&surface, states, &message, &payload, 0, &memory).unwrap();
            let told: vec::Vec<&MemoryRead> = footprint.taps.iter().flat_map(Tap::reads).collect();
            let first: vec::Vec<u64> = told.iter().take(parts.len()).map(|read| read.address).collect();
            assert_eq!((footprint.taps.len(), &first[..]), (taps, parts), "{op:?}");
            let recorder = Recorder::<_, 64>::new(&memory);
            device.execute(&surface, states, &message, &payload, &recorder, &mut [0; 128]).unwrap();
            let (reads, _) = recorder.take();
            let mut saw: vec::Vec<&MemoryRead> = vec![];
            for read in &reads {
                if !saw.contains(&read) {
                    saw.push(read);
                }
            }
            assert_eq!(told, saw, "{op:?} {fault}");
        }
    }
}
