//! Memory with contents at (nearly) every address, and jobs that need it.

use super::surface::{PERIOD, Random};
use super::{extreme, flipped, job, large};
use crate::emulator::state::{sampler, surface as field};
use crate::engine::{Byte, ByteMemory, Job};
use crate::job_memory::read_bytes;
use texwire::memory::{Access, Memory, PageTable};

/// Changes a job of [`super::job`]; `None`: the change does not apply to this job.
pub type Change = fn(&mut Job, &mut Random) -> Option<()>;

/// Returns the changed job of a seed and its memory; `None`: the change does not apply, or the job has no memory.
pub fn seeded(seed: u64, change: Change) -> Option<(Job, Endless)> {
    changed(job::seeded(seed).ok()?, seed, change)
}

/// As [`seeded`], from any bytes: one selects the kind of change, eight are the seed of its random numbers, the rest is for
/// [`job::of_bytes`].
pub fn of_bytes(data: &[u8]) -> Option<(Job, Endless)> {
    const CHANGES: [Change; 3] = [large::change, extreme::change, flipped::change];
    let ([kind, seed @ ..], data) = data.split_first_chunk::<9>()?;
    let change = CHANGES[usize::from(*kind) % CHANGES.len()];
    changed(job::of_bytes(data).ok()?, u64::from_le_bytes(*seed), change)
}

fn changed(mut job: Job, seed: u64, change: Change) -> Option<(Job, Endless)> {
    let random = &mut Random(!seed);
    change(&mut job, random)?;
    let memory = Endless::of(&mut job, random)?;
    Some((job, memory))
}

/// Memory that repeats the bytes of a small surface at all addresses. A variant for each way in which the core can get bytes: by reads
/// only, as the contiguous bytes around an address, as a slice from an address on, or by a page table. Among bytes that are only read,
/// every 16th page of 4 KiB is a null page and as many fault, in a quarter of the jobs (never with the anisotropic filter).
#[derive(Clone, Debug)]
pub struct Endless {
    bytes: Vec<u8>,
    shown: MemoryOffer,
    /// The seed that selects the null pages and the faulting pages; `None`: there are none.
    holes: Option<u64>,
}

/// What the methods of [`Memory`] offer besides reads.
#[derive(Clone, Debug)]
enum MemoryOffer {
    /// Nothing: bytes are only read.
    Nothing,
    /// The contiguous bytes around any address.
    Runs,
    /// A slice from an address on.
    Slice { base: u64, bytes: Vec<u8> },
    /// A page table from an address on. Most of its pages have one of a few frames; bytes of the other pages are only read.
    Table { base: u64, log2_page: u32, numbers: Vec<u32>, frames: Vec<u8> },
}

/// The largest number of pages in a table.
const PAGES: u64 = 1 << 17;
const FRAMES: u64 = 4;
/// The largest slice in bytes.
const SLICE: u64 = 1 << 20;

impl Endless {
    /// Takes the bytes of a job's memory, and removes all memory from the job; `None`: the job has no memory.
    fn of(job: &mut Job, random: &mut Random) -> Option<Self> {
        let mut bytes = job.memory.first()?.bytes.clone();
        // Keep whole elements of every size.
        bytes.truncate(bytes.len().min(PERIOD) / 48 * 48);
        job.memory.clear();
        job.null_pages.clear();
        let base = field(&job.surface, "Surface Base Address");
        let mut filters = ["Mag Mode Filter", "Min Mode Filter"].into_iter();
        // It is not known exactly which texels a lane with a long footprint reads, so that its null pages and faults cannot be compared.
        let may_miss = filters.all(|filter| sampler(&job.sampler, filter) != 2);
        (!bytes.is_empty()).then(|| Self::new(bytes, base, may_miss, random))
    }

    fn new(bytes: Vec<u8>, base: u64, may_miss: bool, random: &mut Random) -> Self {
        let shown = match random.next() % 4 {
            0 => MemoryOffer::Nothing,
            1 => MemoryOffer::Runs,
            2 => {
                let from = (base % bytes.len() as u64) as usize;
                MemoryOffer::Slice { base, bytes: repeated(&bytes, from, (random.next() % SLICE) as usize) }
            }
            _ => {
                let log2_page = 12 + (random.next() % 5) as u32;
                let number = |random: &mut Random| match random.next() % 16 {
                    0 => u32::MAX,
                    any => (any % FRAMES) as u32,
                };
                let numbers: [u32; 251] = std::array::from_fn(|_| number(random));
                let numbers = repeated(&numbers, 0, 1 + (random.next() % PAGES) as usize);
                let frames = repeated(&bytes, 0, (FRAMES << log2_page) as usize);
                MemoryOffer::Table { base, log2_page, numbers, frames }
            }
        };
        let holes = Some(random.next()).filter(|seed| may_miss && seed % 4 == 0);
        Self { bytes, shown, holes }
    }

    fn place(&self, address: u64) -> usize {
        (address % self.bytes.len() as u64) as usize
    }

    /// Returns the byte at an address from the page table; `None`: there is no table, or the page has no frame.
    fn framed(&self, address: u64) -> Option<u8> {
        let MemoryOffer::Table { base, log2_page, numbers, frames } = &self.shown else { return None };
        let at = address.wrapping_sub(*base);
        let number = numbers.get((at >> log2_page) as usize)?;
        frames.chunks(1 << log2_page).nth(*number as usize)?.get((at % (1 << log2_page)) as usize).copied()
    }

    /// Returns the contents of an address that is only read.
    fn only_read(&self, address: u64) -> Byte {
        let page = |seed: u64| ((address >> 12) ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
        match self.holes.map(page) {
            Some(0) => Byte::Null,
            Some(1) => Byte::Fault,
            _ => Byte::Mapped(self.bytes[self.place(address)]),
        }
    }
}

/// Returns `count` numbers: `numbers` repeated, beginning at index `from`.
fn repeated<T: Copy>(numbers: &[T], from: usize, count: usize) -> Vec<T> {
    let mut all = numbers.repeat((from + count).div_ceil(numbers.len()));
    all.truncate(from + count);
    all.split_off(from)
}

impl ByteMemory for Endless {
    fn byte(&self, address: u64) -> Byte {
        match self.shown {
            MemoryOffer::Nothing | MemoryOffer::Table { .. } => {
                self.framed(address).map_or_else(|| self.only_read(address), Byte::Mapped)
            }
            MemoryOffer::Runs | MemoryOffer::Slice { .. } => Byte::Mapped(self.bytes[self.place(address)]),
        }
    }
}

impl Memory for Endless {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        read_bytes(|address| self.byte(address), address, out)
    }

    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        let MemoryOffer::Slice { base, bytes } = &self.shown else { return None };
        bytes.get(usize::try_from(address.checked_sub(*base)?).ok()?..)?.get(..len)
    }

    fn contiguous(&self, address: u64) -> Option<(u64, &[u8])> {
        let around = || (address - self.place(address) as u64, &self.bytes[..]);
        matches!(self.shown, MemoryOffer::Runs).then(around)
    }

    fn page_table(&self, _: u64, _: usize) -> Option<PageTable<'_>> {
        match &self.shown {
            MemoryOffer::Table { base, log2_page, numbers, frames } => {
                Some(PageTable { base: *base, log2_page: *log2_page, frames: numbers, bytes: frames })
            }
            MemoryOffer::Nothing | MemoryOffer::Runs | MemoryOffer::Slice { .. } => None,
        }
    }
}
