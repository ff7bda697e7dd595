//! Random jobs on surfaces of any size, up to the largest that a state can describe. No memory has room for these: every address
//! holds something. It is only read, or handed out around an address, or there is a table of pages.
//!
//! The jobs are those of [`super::job`], without null pages and faults. A quarter of the sizes is within 3 of the largest, a
//! quarter a power of two or beside one. Pitches are those of the width and up to three tiles more, QPitch and Minimum Array
//! Element anything, the address any multiple of 64 KiB. A third of surfaces with one sample have up to 15 levels.

use super::job::seeded;
use super::surface::{PERIOD, Random};
use crate::emulator::formats::Format;
use crate::emulator::sample::ops::{Op, Work};
use crate::emulator::state::{set_surface, surface as field};
use crate::emulator::tiles::Tile;
use crate::engine::{Byte, Contents, Job};
use texwire::memory::{Access, Memory, PageTable};

/// The bytes of a small surface over and over.
#[derive(Clone, Debug)]
pub struct Endless {
    bytes: Vec<u8>,
    shown: Shown,
}

/// What it says of itself.
#[derive(Clone, Debug)]
enum Shown {
    /// It is only read.
    Nothing,
    /// What is around an address.
    Runs,
    /// A table of pages from an address on, most of which have one of a few frames; others are read.
    Table { base: u64, log2_page: u32, numbers: Vec<u32>, frames: Vec<u8> },
}

/// The most pages of a table.
const PAGES: u64 = 1 << 17;
const FRAMES: u64 = 4;

impl Endless {
    fn new(bytes: Vec<u8>, base: u64, random: &mut Random) -> Self {
        let shown = match random.next() % 3 {
            0 => Shown::Nothing,
            1 => Shown::Runs,
            _ => {
                let log2_page = 12 + (random.next() % 5) as u32;
                let number = |random: &mut Random| match random.next() % 16 {
                    0 => u32::MAX,
                    any => (any % FRAMES) as u32,
                };
                let numbers = (0..1 + random.next() % PAGES).map(|_| number(random)).collect();
                let frames = bytes.iter().copied().cycle().take((FRAMES << log2_page) as usize).collect();
                Shown::Table { base, log2_page, numbers, frames }
            }
        };
        Self { bytes, shown }
    }

    fn place(&self, address: u64) -> usize {
        (address % self.bytes.len() as u64) as usize
    }

    fn at(&self, address: u64) -> u8 {
        if let Shown::Table { base, log2_page, numbers, frames } = &self.shown
            && let Some(number) = numbers.get((address.wrapping_sub(*base) >> log2_page) as usize)
            && let Some(frame) = frames.chunks(1 << log2_page).nth(*number as usize)
        {
            return frame[(address.wrapping_sub(*base) % (1 << log2_page)) as usize];
        }
        self.bytes[self.place(address)]
    }
}

impl Contents for Endless {
    fn byte(&self, address: u64) -> Byte {
        Byte::Mapped(self.at(address))
    }
}

impl Memory for Endless {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        out.iter_mut().zip(0..).for_each(|(byte, number)| *byte = self.at(address.wrapping_add(number)));
        Access::Mapped
    }

    fn contiguous(&self, address: u64) -> Option<(u64, &[u8])> {
        let around = || (address - self.place(address) as u64, &self.bytes[..]);
        matches!(self.shown, Shown::Runs).then(around)
    }

    fn page_table(&self, _: u64, _: usize) -> Option<PageTable<'_>> {
        match &self.shown {
            Shown::Table { base, log2_page, numbers, frames } => {
                Some(PageTable { base: *base, log2_page: *log2_page, frames: numbers, bytes: frames })
            }
            Shown::Nothing | Shown::Runs => None,
        }
    }
}

/// The job of a seed and its memory; `None`: the seed's has none, or its surface is a null one.
pub fn job(seed: u64) -> Option<(Job, Endless)> {
    let mut job = seeded(seed).ok()?;
    let mut bytes = job.memory.first()?.bytes.clone();
    // Whole elements of every size.
    bytes.truncate(bytes.len().min(PERIOD) / 48 * 48);
    if bytes.is_empty() {
        return None;
    }
    let random = &mut Random(!seed);
    let size = match field(&job.surface, "Surface Type") {
        0..=3 => enlarge(&mut job.surface, random, job.platform > 9)?,
        4 | 5 => enlarge_buffer(&mut job.surface, random)?,
        _ => return None,
    };
    aim(&mut job, random, size)?;
    job.memory.clear();
    job.null_pages.clear();
    let memory = Endless::new(bytes, field(&job.surface, "Surface Base Address"), random);
    Some((job, memory))
}

/// A number from 1 to `most`.
fn up_to(random: &mut Random, most: u64) -> u64 {
    let any = random.next();
    let number = match any % 4 {
        0 => most - (any >> 8) % 4.min(most),
        1 => (1 << ((any >> 8) % u64::from(most.ilog2() + 1))) - 1 + (any >> 16) % 3,
        _ => 1 + (any >> 8) % most,
    };
    number.clamp(1, most)
}

/// Any multiple of 64 KiB.
fn address(random: &mut Random) -> u64 {
    random.next() >> 20 << 16
}

/// Gives a buffer another size, stride and address; returns the size, whose second and third number mean nothing.
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

/// Gives any other surface another size, pitch, address and number of levels; returns the size. `later`: Gen11 or later.
fn enlarge(state: &mut [u32; 16], random: &mut Random, later: bool) -> Option<[u64; 3]> {
    let get = |name| field(state, name);
    let format = Format::of(get("Surface Format")).ok()?;
    let (kind, resource) = (get("Surface Type"), get("Tiled Resource Mode"));
    let (element, block) = (format.bytes as u64, format.block.0 as u64);
    let samples = 1 << get("Number of Multisamples");
    let interleaved = get("Multisampled Surface Storage Format") == 1 && samples > 1;
    // Bytes and rows of a tile; linear surfaces have rows of whole elements.
    let (tile_width, tile_rows) = if resource == 0 {
        [(element, 4), (128, 64), (512, 8), (128, 32)][get("Tile Mode") as usize]
    } else {
        let dimensions = [1, 2, 3, 2][kind as usize];
        let tile =
            Tile::new(resource == 2, dimensions, element, if interleaved { 1 } else { samples }, later)?;
        (tile.width(), tile.rows().max(4))
    };
    // The pitch has 18 bits.
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

/// Lets array indices, and the coordinates of loads, be anywhere on a surface or one past its end.
fn aim(job: &mut Job, random: &mut Random, size: [u64; 3]) -> Option<()> {
    let op = Op::find(&job.op, job.half_params)?;
    let layer = ["v", "r", "", "ai", "", ""][field(&job.surface, "Surface Type") as usize];
    let loads = matches!(op.work, Work::Load | Work::LoadSample | Work::LoadMcs);
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
