//! Memory that holds something at every address.

use super::surface::{PERIOD, Random};
use crate::emulator::state::surface as field;
use crate::engine::{Byte, Contents, Job};
use texwire::memory::{Access, Memory, PageTable};

/// The bytes of a small surface over and over. They are only read, or handed out around an address, or there is a table of pages.
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
    /// With the bytes of a job's memory, which it has no more then; `None`: it has none.
    pub(super) fn of(job: &mut Job, random: &mut Random) -> Option<Self> {
        let mut bytes = job.memory.first()?.bytes.clone();
        // Whole elements of every size.
        bytes.truncate(bytes.len().min(PERIOD) / 48 * 48);
        job.memory.clear();
        job.null_pages.clear();
        let base = field(&job.surface, "Surface Base Address");
        (!bytes.is_empty()).then(|| Self::new(bytes, base, random))
    }

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
