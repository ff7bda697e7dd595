//! Proofs about conversions of floats: results in registers, coordinates to texel indices, channels of 32 bits.

use super::surface::{LANES, SampledMessage, Setup};
use crate::emulator::numbers::{Numeric, float, number};
use crate::emulator::sample::axis::Axis;
use crate::emulator::sample::nudge::Way;
use crate::emulator::sample::{float_bits, half, layer_of};
use texwire::enums::SurfaceFormat;
use texwire::format;
use texwire::message::{Op, Width};
use texwire::state::{AddressMode, SamplerState};
use texwire::transfer::SurfaceDescription;

/// Takes up to `N` inputs; returns them and their number, or `None` at the end.
fn take<const N: usize>(inputs: &mut dyn Iterator<Item = u64>) -> Option<([u32; N], usize)> {
    let (mut values, mut len) = ([0; N], 0);
    while len < N
        && let Some(input) = inputs.next()
    {
        values[len] = input as u32;
        len += 1;
    }
    (len > 0).then_some((values, len))
}

/// Returns a message that loads 16 texels of four 32-bit channels with `ld_lz`.
fn wide(format: SurfaceFormat, return_width: Width) -> Result<SampledMessage, String> {
    let setup = Setup {
        return_width,
        ..Setup::new(Op::LdLz, SurfaceDescription::texture_2d(format, LANES as u32, 1))
    };
    let mut sampled = setup.bind()?;
    (0..LANES).for_each(|lane| sampled.set(0, lane, lane as u32));
    Ok(sampled)
}

/// The number of channels that a message of [`wide`] reads.
const WIDE: usize = LANES * 4;

/// Reads 64 channels at a time with `ld_lz` and calls `judge` with the bits of each channel and the results of all messages in `reads`.
fn channels<const N: usize>(
    inputs: &mut dyn Iterator<Item = u64>,
    mut reads: [SampledMessage; N],
    judge: impl Fn(u32, [u32; N]) -> Result<(), String>,
) -> Result<(), String> {
    while let Some((values, len)) = take::<WIDE>(inputs) {
        for sampled in &mut reads {
            let texels = sampled.memory[..WIDE * 4].as_chunks_mut().0;
            texels.iter_mut().zip(values).for_each(|(to, value)| *to = value.to_le_bytes());
            sampled.execute()?;
        }
        for (at, value) in values.into_iter().take(len).enumerate() {
            judge(value, reads.each_ref().map(|sampled| sampled.result(at % 4, at / 4)))?;
        }
    }
    Ok(())
}

/// Proves the conversion of floats to 32-bit results (with canonical NaN) and to 16-bit ones.
pub(super) fn writeback(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    let read = |width| wide(SurfaceFormat::R32G32B32A32_FLOAT, width);
    channels(inputs, [read(Width::Full)?, read(Width::Half)?], |value, [got, got_half]| {
        let float = f32::from_bits(value);
        let exact = f64::from(float);
        let (want, want_half) = (float_bits(exact), u32::from(half(exact)));
        // The scalar function keeps the sign of a NaN, writeback clears it.
        let scalar = u32::from(format::half::from_f32(float)) & if float.is_nan() { 0x7fff } else { 0xffff };
        if (got, got_half, scalar) == (want, want_half, want_half) {
            return Ok(());
        }
        Err(format!(
            "{value:#010x}: the core has {got:#010x}, {got_half:#06x} and (scalar) {scalar:#06x}, \
             the emulator {want:#010x} and {want_half:#06x}"
        ))
    })
}

/// Sends 16 inputs at a time as parameter `index` and compares each lane's result with `want`, the oracle's. `say` describes a difference,
/// given the input, the core's result and the oracle's.
fn parameters(
    inputs: &mut dyn Iterator<Item = u64>,
    sampled: &mut SampledMessage,
    index: usize,
    want: impl Fn(u32) -> u32,
    say: impl Fn(u32, u32, u32) -> String,
) -> Result<(), String> {
    while let Some((values, len)) = take::<LANES>(inputs) {
        values.into_iter().enumerate().for_each(|(lane, bits)| sampled.set(index, lane, bits));
        sampled.execute()?;
        for (lane, bits) in values.into_iter().take(len).enumerate() {
            let (got, want) = (sampled.result(0, lane), want(bits));
            if got != want {
                return Err(say(bits, got, want));
            }
        }
    }
    Ok(())
}

/// Returns a message that reads a row of `size` texels with NEAREST. A texel holds its number + 1; outside, 0 is read.
fn row(size: u32, mode: AddressMode, normalized: bool, param_width: Width) -> Result<SampledMessage, String> {
    let mut sampler = SamplerState::default();
    sampler.set_address_modes([mode; 3]).set_non_normalized(!normalized);
    let setup = Setup {
        sampler,
        param_width,
        channels: 1,
        ..Setup::new(Op::SampleLz, SurfaceDescription::texture_2d(SurfaceFormat::R32_UINT, size, 1))
    };
    let mut sampled = setup.bind()?;
    let texels = sampled.memory.as_chunks_mut().0;
    texels.iter_mut().zip(1..=size).for_each(|(to, number)| *to = number.to_le_bytes());
    Ok(sampled)
}

fn axis(size: u32, mode: AddressMode, normalized: bool) -> Axis {
    Axis {
        size: size.into(),
        mode: mode as u64,
        linear: false,
        offset: 0,
        fixed: None,
        normalized,
        way: Way::Rounded,
        bound: 0.0,
        slack: 0.0,
    }
}

/// Returns the texel that the oracle reads: its number + 1, or 0 for the border.
fn texel(axis: &Axis, u: f64) -> u32 {
    axis.nearest(u).map_or(0, |texel| texel as u32 + 1)
}

fn coordinates(
    inputs: &mut dyn Iterator<Item = u64>,
    size: u32,
    mode: AddressMode,
    normalized: bool,
) -> Result<(), String> {
    let axis = axis(size, mode, normalized);
    parameters(
        inputs,
        &mut row(size, mode, normalized, Width::Full)?,
        0,
        |bits| texel(&axis, f32::from_bits(bits).into()),
        |bits, got, want| {
            format!("U {bits:#010x}: texel {got} of the core, {want} of the emulator (from 1; 0 = border)")
        },
    )
}

pub(super) fn wrap(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    coordinates(inputs, 5, AddressMode::Wrap, true)
}

pub(super) fn clamp(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    coordinates(inputs, 1000, AddressMode::Clamp, false)
}

pub(super) fn border(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    coordinates(inputs, 8, AddressMode::ClampBorder, true)
}

const MODES: [AddressMode; 8] = [
    AddressMode::Wrap,
    AddressMode::Mirror,
    AddressMode::Clamp,
    AddressMode::Cube,
    AddressMode::ClampBorder,
    AddressMode::MirrorOnce,
    AddressMode::HalfBorder,
    AddressMode::Mirror101,
];
const SIZES: [u32; 6] = [1, 2, 5, 8, 640, 16384];

/// The number of inputs of [`half_coordinates`]: bits 15:0 are the half float, above them is the address mode, above that the size.
pub(super) const HALF_COORDINATES: u64 = (MODES.len() * SIZES.len()) as u64 * 0x1_0000;

pub(super) fn half_coordinates(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    let mut inputs = inputs.peekable();
    while let Some(shape) = inputs.peek().map(|input| (input >> 16) as usize) {
        let (mode, size) = (MODES[shape % MODES.len()], SIZES[shape / MODES.len()]);
        let axis = axis(size, mode, true);
        let mut of_shape = std::iter::from_fn(|| inputs.next_if(|input| (input >> 16) as usize == shape));
        parameters(
            &mut of_shape,
            &mut row(size, mode, true, Width::Half)?,
            0,
            |bits| texel(&axis, float(bits, true)),
            |bits, got, want| {
                let bits = bits as u16;
                format!(
                    "U {bits:#06x}, {mode:?}, {size} texels: texel {got} of the core, {want} of the emulator"
                )
            },
        )?;
    }
    Ok(())
}

pub(super) fn array_index(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    const SLICES: u32 = 7;
    let surface =
        SurfaceDescription { depth: SLICES, ..SurfaceDescription::texture_2d(SurfaceFormat::R32_UINT, 1, 1) };
    let setup = Setup { array: true, params: 3, channels: 1, ..Setup::new(Op::SampleLz, surface) };
    let mut sampled = setup.bind()?;
    // The distance between slices does not matter, as all memory of a slice holds the slice's number.
    let slice_bytes = sampled.slice_bytes;
    for (at, dword) in sampled.memory.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        *dword = ((at * 4 / slice_bytes) as u32).to_le_bytes();
    }
    parameters(
        inputs,
        &mut sampled,
        2,
        |bits| layer_of(f32::from_bits(bits).into(), SLICES.into()) as u32,
        |bits, got, want| format!("R {bits:#010x}: slice {got} of the core, {want} of the emulator"),
    )
}

fn converted(
    inputs: &mut dyn Iterator<Item = u64>,
    format: SurfaceFormat,
    kind: Numeric,
) -> Result<(), String> {
    channels(inputs, [wide(format, Width::Full)?], |value, [got]| {
        let want = float_bits(number(value.into(), 32, kind));
        if got == want {
            return Ok(());
        }
        Err(format!("{value:#010x}: the core has {got:#010x}, the emulator {want:#010x}"))
    })
}

pub(super) fn unorm32(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    converted(inputs, SurfaceFormat::R32G32B32A32_UNORM, Numeric::Unorm)
}

pub(super) fn snorm32(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    converted(inputs, SurfaceFormat::R32G32B32A32_SNORM, Numeric::Snorm)
}

pub(super) fn uscaled32(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    converted(inputs, SurfaceFormat::R32G32B32A32_USCALED, Numeric::Uscaled)
}

pub(super) fn sscaled32(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    converted(inputs, SurfaceFormat::R32G32B32A32_SSCALED, Numeric::Sscaled)
}

pub(super) fn sfixed32(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    converted(inputs, SurfaceFormat::R32G32B32A32_SFIXED, Numeric::Sfixed)
}
