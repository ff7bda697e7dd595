//! Changes jobs to surfaces of any size, up to the largest that a state can describe, which would not fit into memory.
//!
//! A quarter of the sizes is at most 3 below the largest, a quarter is a power of two or next to one. Pitches are those of the width plus
//! up to three tiles; QPitch and Minimum Array Element have any value, the base address is any multiple of 64 KiB. A third of the surfaces
//! with one sample have up to 15 levels.

use super::surface::Random;
use crate::emulator::formats::Format;
use crate::emulator::sample::ops::{Op, OpWork};
use crate::emulator::state::{set_surface, surface as field};
use crate::emulator::tiles::Tile;
use crate::engine::Job;

/// Gives a job's surface another size; `None`: it is a null surface.
pub fn change(job: &mut Job, random: &mut Random) -> Option<()> {
    let size = match field(&job.surface, "Surface Type") {
        0..=3 => enlarge(&mut job.surface, random, job.platform > 9)?,
        4 | 5 => enlarge_buffer(&mut job.surface, random)?,
        _ => return None,
    };
    aim(job, random, size)
}

/// Chooses a number from 1 to `most`.
fn up_to(random: &mut Random, most: u64) -> u64 {
    let any = random.next();
    let number = match any % 4 {
        0 => most - (any >> 8) % 4.min(most),
        1 => (1 << ((any >> 8) % u64::from(most.ilog2() + 1))) - 1 + (any >> 16) % 3,
        _ => 1 + (any >> 8) % most,
    };
    number.clamp(1, most)
}

/// Chooses any multiple of 64 KiB.
fn address(random: &mut Random) -> u64 {
    random.next() >> 20 << 16
}

/// Gives a buffer another size, stride and address. Returns the number of elements; the second and third number have no meaning.
fn enlarge_buffer(state: &mut [u32; 16], random: &mut Random) -> Option<[u64; 3]> {
    let format = Format::of(field(state, "Surface Format")).ok()?;
    let last = up_to(random, 1 << 31) - 1;
    for (name, value) in [
        ("Width", last % (1 << 7)),
        ("Height", last >> 7 & ((1 << 14) - 1)),
        ("Depth", last >> 21),
        ("Surface Pitch", format.bytes as u64 * up_to(random, 4) - 1),
        ("Surface Base Address", address(random)),
    ] {
        set_surface(state, name, value);
    }
    Some([last + 1, 1, 1])
}

/// Gives a surface that is not a buffer another size, pitch, address and number of levels. Returns its width, height and depth. `later`:
/// Gen11 or later.
fn enlarge(state: &mut [u32; 16], random: &mut Random, later: bool) -> Option<[u64; 3]> {
    let get = |name| field(state, name);
    let format = Format::of(get("Surface Format")).ok()?;
    let (kind, resource) = (get("Surface Type"), get("Tiled Resource Mode"));
    let (element, block) = (format.bytes as u64, format.block.0 as u64);
    let samples = 1 << get("Number of Multisamples");
    let interleaved = get("Multisampled Surface Storage Format") == 1 && samples > 1;
    // The width of a tile in bytes, and its rows; the rows of linear surfaces consist of whole elements.
    let (tile_width, tile_rows) = if resource == 0 {
        [(element, 4), (128, 64), (512, 8), (128, 32)][get("Tile Mode") as usize]
    } else {
        let dimensions = [1, 2, 3, 2][kind as usize];
        let tile =
            Tile::new(resource == 2, dimensions, element, if interleaved { 1 } else { samples }, later)?;
        (tile.width(), tile.rows().max(4))
    };
    // The field of the pitch has 18 bits.
    let (grow, longest) = (if interleaved { 4 } else { 1 }, 1 << 18);
    let most = if kind == 2 { 1 << 11 } else { 1 << 14 };
    let width = up_to(random, most).min(longest / (element * grow) * block);
    let height = match kind {
        0 => 1,
        3 => width,
        _ => up_to(random, most),
    };
    let least = (width.div_ceil(block) * grow * element).next_multiple_of(tile_width);
    let pitch = least + (up_to(random, 4) - 1) * tile_width;
    let levels = if samples == 1 && random.next().is_multiple_of(3) {
        up_to(random, 15)
    } else {
        get("MIP Count / LOD") + 1
    };
    let depth = up_to(random, 1 << 11);
    let qpitch = (up_to(random, 1 << 17) / tile_rows).max(1) * tile_rows;
    for (name, value) in [
        ("Width", width - 1),
        ("Height", height - 1),
        ("Depth", depth - 1),
        ("Surface Pitch", if pitch > longest { least - 1 } else { pitch - 1 }),
        ("Surface QPitch", qpitch / 4),
        ("Minimum Array Element", up_to(random, 1 << 11) - 1),
        ("MIP Count / LOD", levels - 1),
        ("Surface Base Address", address(random)),
    ] {
        set_surface(state, name, value);
    }
    Some([width, height, depth])
}

/// Sets array indices, and the coordinates of loads, to any place on the surface or one past its end.
fn aim(job: &mut Job, random: &mut Random, size: [u64; 3]) -> Option<()> {
    let op = Op::find(&job.op, job.half_params)?;
    let layer = ["v", "r", "", "ai", "", ""][field(&job.surface, "Surface Type") as usize];
    let loads = matches!(op.work, OpWork::Load | OpWork::LoadSample | OpWork::LoadMcs);
    for (name, lanes) in op.params.split_whitespace().zip(&mut job.params) {
        let axis = ["u", "v", "r"].iter().position(|axis| *axis == name);
        let most = if name == layer { size[2] } else { axis.map_or(0, |axis| size[axis]) };
        for lane in lanes {
            let at = (random.next() % (most + 1)) as u32;
            match axis {
                Some(_) if loads => *lane = at,
                _ if name == layer && !job.half_params => *lane = (at as f32).to_bits(),
                _ => {}
            }
        }
    }
    Some(())
}
