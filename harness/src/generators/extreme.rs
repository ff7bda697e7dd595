//! Changes jobs to values that [`super::job`] seldom or never generates, on surfaces of the same size: linear surfaces that begin at any
//! byte and have any pitch; any LOD bias and clamps; any border; any number in a quarter of the parameters. Each of these changes is made
//! in half of the jobs.
//!
//! Limits: finite floats are below 2^121, since the sum of an anisotropic footprint's texels may exceed the range of f32. For the same
//! reason linear surfaces with anisotropic samplers keep their base address and pitch.

use super::surface::Random;
use crate::emulator::formats::Format;
use crate::emulator::sample::ops::Op;
use crate::emulator::state::{sampler, set_sampler, set_surface, surface as field};
use crate::engine::Job;

const SPECIAL: [f32; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MIN_POSITIVE,
    1e-40,
    -1e-45,
    1e-8,
    65520.0,
    3e9,
    -1e36,
];

/// Makes each of these changes to a job with a probability of one half.
pub fn change(job: &mut Job, random: &mut Random) -> Option<()> {
    let [starts, levels, border, numbers] = [0, 1, 2, 3].map(|bit| random.next() >> bit & 1 == 1);
    if starts {
        start_anywhere(job, random);
    }
    if levels {
        set_levels(job, random);
    }
    if border {
        job.border = std::array::from_fn(|_| number(random));
    }
    if numbers {
        set_parameters(job, random)?;
    }
    Some(())
}

/// Lets a linear surface begin at any byte, with a pitch of its width and up to 39 bytes more.
fn start_anywhere(job: &mut Job, random: &mut Random) {
    let get = |name| field(&job.surface, name);
    let Ok(format) = Format::of(get("Surface Format")) else { return };
    let mut filters = ["Mag Mode Filter", "Min Mode Filter"].into_iter();
    let anisotropic = filters.any(|filter| sampler(&job.sampler, filter) == 2);
    if anisotropic || get("Tile Mode") != 0 || get("Tiled Resource Mode") != 0 {
        return;
    }
    let address = get("Surface Base Address") + random.next() % 64;
    let is_buffer = get("Surface Type") >= 4;
    let least = (get("Width") + 1).div_ceil(format.block.0 as u64) * format.bytes as u64;
    set_surface(&mut job.surface, "Surface Base Address", address);
    if !is_buffer {
        set_surface(&mut job.surface, "Surface Pitch", least + random.next() % 40 - 1);
    }
}

/// Sets any LOD bias and clamps.
fn set_levels(job: &mut Job, random: &mut Random) {
    for (name, bits) in [("Texture LOD Bias", 13), ("Min LOD", 12), ("Max LOD", 12)] {
        if random.next().is_multiple_of(2) {
            set_sampler(&mut job.sampler, name, random.next() % (1 << bits));
        }
    }
    if random.next().is_multiple_of(4) {
        set_surface(&mut job.surface, "Resource Min LOD", random.next() % (1 << 12));
    }
}

/// Returns the bits of a float.
fn number(random: &mut Random) -> u32 {
    let any = random.next();
    match any % 3 {
        // With one bit of the exponent cleared, finite values are below 2^121.
        0 => (any >> 32) as u32 & 0xfbff_ffff,
        1 => SPECIAL[(any >> 8) as usize % SPECIAL.len()].to_bits(),
        _ => (((any >> 8) % 1024) as f32 / 256.0 - 1.0).to_bits(),
    }
}

/// Sets a quarter of the lanes to any number, in all parameters but offsets.
fn set_parameters(job: &mut Job, random: &mut Random) -> Option<()> {
    let op = Op::find(&job.op, job.half_params)?;
    let named = op.params.split_whitespace().zip(&mut job.params);
    for lane in named.filter(|(name, _)| !name.starts_with("off")).flat_map(|(_, lanes)| lanes) {
        if random.next().is_multiple_of(4) {
            *lane = if job.half_params { random.next() as u32 & 0xffff } else { number(random) };
        }
    }
    Some(())
}
