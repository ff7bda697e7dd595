//! The memory of a job as the core sees it: as regions, or in pages.

use crate::engine::{Byte, ByteMemory, Job, Region};
use texwire::memory::{Access, Memory, PageTable};

/// The memory of a job: mapped regions and null pages.
#[derive(Clone, Copy, Debug)]
pub struct JobMemory<'a> {
    /// Mapped regions. If several contain an address, the first one counts.
    pub mapped: &'a [Region],
    /// Null pages: address and length.
    pub null: &'a [(u64, u64)],
}

impl<'a> JobMemory<'a> {
    /// Returns the memory of a job.
    pub fn of(job: &'a Job) -> Self {
        Self { mapped: &job.memory, null: &job.null_pages }
    }
}

impl ByteMemory for JobMemory<'_> {
    fn byte(&self, address: u64) -> Byte {
        if self.null.iter().any(|&(start, len)| address.checked_sub(start).is_some_and(|at| at < len)) {
            return Byte::Null;
        }
        let value = self.mapped.iter().find_map(|region| {
            let at = usize::try_from(address.checked_sub(region.address)?).ok()?;
            region.bytes.get(at).copied()
        });
        value.map_or(Byte::Fault, Byte::Mapped)
    }
}

/// Returns the address and the length of a region.
fn range(region: &Region) -> (u64, u64) {
    (region.address, region.bytes.len() as u64)
}

/// Returns whether two ranges, each an address and a length, have bytes in common.
fn overlap((a, a_len): (u64, u64), (b, b_len): (u64, u64)) -> bool {
    a < b.saturating_add(b_len) && b < a.saturating_add(a_len)
}

impl Memory for JobMemory<'_> {
    /// Faults if any byte faults; otherwise reads a null page if any byte is on one.
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        if let Some(bytes) = self.slice(address, out.len()) {
            out.copy_from_slice(bytes);
            return Access::Mapped;
        }
        read_bytes(|address| self.byte(address), address, out)
    }

    fn contiguous(&self, address: u64) -> Option<(u64, &[u8])> {
        let first = self.mapped.iter().position(|region| overlap(range(region), (address, 1)))?;
        // The region counts only if no earlier region and no null page covers a part of it.
        let region = &self.mapped[first];
        let covers = |other| overlap(other, range(region));
        let covered =
            self.null.iter().copied().any(covers) || self.mapped[..first].iter().map(range).any(covers);
        (!covered).then_some((region.address, &region.bytes[..]))
    }

    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        let has_bytes = |other| overlap(other, (address, len as u64));
        if self.null.iter().copied().any(has_bytes) {
            return None;
        }
        // The first region with any of the bytes: a later one that has them all does not count there.
        let region = self.mapped.iter().find(|region| has_bytes(range(region)))?;
        let at = usize::try_from(address.checked_sub(region.address)?).ok()?;
        region.bytes.get(at..)?.get(..len)
    }
}

/// Reads byte by byte from `byte`. A byte that faults makes the whole read a fault, even if another byte is on a null page.
pub fn read_bytes(byte: impl Fn(u64) -> Byte, address: u64, out: &mut [u8]) -> Access {
    let mut access = Access::Mapped;
    for (to, at) in out.iter_mut().zip(0..) {
        match byte(address.wrapping_add(at)) {
            Byte::Mapped(value) => *to = value,
            Byte::Null => access = Access::NullPage,
            Byte::Fault => return Access::Fault,
        }
    }
    access
}

/// The largest number of pages in the table. Later pages are not in the table: they are read through [`Memory::read`].
const PAGES: u64 = 4096;

/// The memory of a job with a page table: every page that is mapped as a whole has a frame. All frames are in one slice, in shuffled order.
#[derive(Debug)]
pub struct Paged<'a> {
    memory: JobMemory<'a>,
    base: u64,
    log2_page: u32,
    numbers: Vec<u32>,
    frames: Vec<u8>,
}

impl<'a> Paged<'a> {
    /// Splits memory into pages of 2^`log2_page` bytes.
    pub fn new(memory: JobMemory<'a>, log2_page: u32) -> Self {
        let page = 1 << log2_page;
        let starts = memory.mapped.iter().map(|region| region.address);
        // The table begins with one page that is not mapped, since a surface need not begin where a table does.
        let base = (starts.min().unwrap_or(0) & !(page - 1)).saturating_sub(page);
        let ends = memory.mapped.iter().map(Region::end);
        let count = ends.max().unwrap_or(0).saturating_sub(base).div_ceil(page).min(PAGES);
        let mut numbers = vec![u32::MAX; count as usize];
        let mut frames = Vec::new();
        let mut frame = vec![0; page as usize];
        // A multiplication by an odd number modulo a power of two visits every page once.
        let order =
            (0..count.next_power_of_two()).map(|at| at.wrapping_mul(0x9e37_79b1) % count.next_power_of_two());
        for number in order.filter(|number| *number < count) {
            if memory.read(base + number * page, &mut frame) == Access::Mapped {
                numbers[number as usize] = (frames.len() as u64 / page) as u32;
                frames.extend_from_slice(&frame);
            }
        }
        Self { memory, base, log2_page, numbers, frames }
    }
}

impl Memory for Paged<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        self.memory.read(address, out)
    }

    fn page_table(&self, _: u64, _: usize) -> Option<PageTable<'_>> {
        let Self { base, log2_page, numbers, frames, .. } = self;
        Some(PageTable { base: *base, log2_page: *log2_page, frames: numbers, bytes: frames })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_region_counts() {
        let region = |address, bytes: &[u8]| Region { address, bytes: bytes.to_vec() };
        let mapped = [region(0x100, &[1; 8]), region(0x104, &[2; 16])];
        let memory = JobMemory { mapped: &mapped, null: &[] };
        let mut read = [0; 4];
        assert_eq!(memory.read(0x106, &mut read), Access::Mapped);
        assert_eq!(read, [1, 1, 2, 2]);
        assert_eq!((memory.slice(0x104, 4), memory.slice(0x108, 4)), (Some(&[1; 4][..]), Some(&[2; 4][..])));
    }

    #[test]
    fn pages_that_are_mapped_as_a_whole_are_frames() {
        let bytes: Vec<u8> = (0..100).collect();
        let mapped = [Region { address: 0x1008, bytes: bytes.clone() }];
        let regions = JobMemory { mapped: &mapped, null: &[(0x1030, 4)] };
        let memory = Paged::new(regions, 4);
        let table = memory.page_table(0, 0).unwrap();
        // In order: an unmapped page, one that begins before the region, mapped ones around one with a null page, the region's end.
        let there: Vec<bool> = table.frames.iter().map(|number| *number != u32::MAX).collect();
        assert_eq!(table.base, 0xff0);
        assert_eq!(there, [false, false, true, true, false, true, true, false]);
        for (number, page) in table.frames.iter().zip(0_usize..).filter(|(number, _)| **number != u32::MAX) {
            let (at, first) = (*number as usize * 16, page * 16 - 16 - 8);
            assert_eq!(table.bytes[at..at + 16], bytes[first..first + 16], "page {page}");
        }
        assert!(!table.frames.is_sorted(), "{:?}", table.frames);
    }
}
