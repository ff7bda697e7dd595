//! Jobs of the simple subset that a new model implements first: a 2D surface of one level in linear memory, R8G8B8A8_UNORM, `sample` or
//! `sample_lz`, 32-bit parameters and results, float arithmetic.
//!
//! Weights: `sample_lz` 3 in 4; nearest 3 in 4, otherwise linear; per axis WRAP or CLAMP 3 in 4, otherwise any other mode of 2D surfaces; a
//! lane mask with inactive lanes 1 in 2; all channels 3 in 4; memory that ends early (lanes fault) 1 in 16; coordinates that are not finite
//! or very large 1 in 32.

use super::random::random;
use crate::emulator::state::{set_sampler, set_surface};
use crate::engine::{Job, Region};
use arbitrary::{Result, Unstructured};

const BASE: u64 = 0x10_0000;
const R8G8B8A8_UNORM: u64 = 0xc7;

/// Generates a job of the subset.
///
/// # Errors
/// The bytes are used up.
pub fn job(u: &mut Unstructured<'_>) -> Result<Job> {
    let mut job = Job::new(if u.ratio(3, 4)? { "sample_lz" } else { "sample" });
    let (width, height) = (u.int_in_range(1..=40u64)?, u.int_in_range(1..=40u64)?);
    let pitch = (width + u.int_in_range(0..=4)?) * 4;
    let base = BASE + u.int_in_range(0..=64u64)? * 16;
    for (name, value) in [
        ("Surface Type", 1),
        ("Surface Format", R8G8B8A8_UNORM),
        ("Width", width - 1),
        ("Height", height - 1),
        ("Surface Pitch", pitch - 1),
        ("Surface Horizontal Alignment", 1),
        ("Surface Vertical Alignment", 1),
        ("Surface Base Address", base),
        ("Shader Channel Select Red", 4),
        ("Shader Channel Select Green", 5),
        ("Shader Channel Select Blue", 6),
        ("Shader Channel Select Alpha", 7),
    ] {
        set_surface(&mut job.surface, name, value);
    }
    let filter = u64::from(!u.ratio(3, 4)?);
    for (name, value) in [
        ("Mag Mode Filter", filter),
        ("Min Mode Filter", filter),
        ("Max LOD", 0xe00),
        ("TCX Address Control Mode", mode(u)?),
        ("TCY Address Control Mode", mode(u)?),
    ] {
        set_sampler(&mut job.sampler, name, value);
    }
    job.simd = *u.choose(&[8, 16])?;
    job.lanes = (1 << job.simd) - 1;
    if u.arbitrary()? {
        job.lanes &= u.arbitrary::<u32>()?;
    }
    job.channels = if u.ratio(3, 4)? { 15 } else { u.int_in_range(1..=15)? };
    let simd = job.simd;
    let mut lanes = || (0..simd).map(|_| coordinate(u)).collect::<Result<Vec<u32>>>();
    job.params = vec![lanes()?, lanes()?];
    let mut size = (pitch * height) as usize;
    if u.ratio(1, 16)? {
        size = u.int_in_range(0..=size)?;
    }
    job.memory = vec![Region { address: base, bytes: random(u.arbitrary()?, size) }].into();
    job.border = [0.0f32, 0.5, 1.0, -2.0].map(f32::to_bits);
    Ok(job)
}

/// Chooses an address mode; every mode but CUBE is possible.
fn mode(u: &mut Unstructured<'_>) -> Result<u64> {
    Ok(if u.ratio(3, 4)? { *u.choose(&[0, 2])? } else { *u.choose(&[1, 4, 5, 6, 7])? })
}

fn coordinate(u: &mut Unstructured<'_>) -> Result<u32> {
    let value = match u.int_in_range(0..=31u8)? {
        0 => *u.choose(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30])?,
        1..=4 => *u.choose(&[0.0, 1.0, -1.0, 0.5, -0.0, 2.0])?,
        _ => (u.int_in_range(0..=0xff_ffffu32)? as f32 / 16_777_216.0) * 4.0 - 1.5,
    };
    Ok(value.to_bits())
}
