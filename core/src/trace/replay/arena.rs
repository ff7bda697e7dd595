//! Replay memory of a fixed size, filled by the memory records so far.

use super::TraceMemory;
use crate::bits::copy_front;
use crate::error::{Error, Kind, Result, What};
use crate::memory::{Access, Memory};
use core::ops::Range;
use heapless::Vec;

/// A run of addresses; `end` is exclusive (saturating at the top of the address space).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct AddressRange {
    start: u64,
    end: u64,
}

impl AddressRange {
    const fn new(start: u64, len: u64) -> Self {
        Self { start, end: start.saturating_add(len) }
    }

    fn overlaps(&self, other: &Self) -> bool {
        // An empty range overlaps none.
        self.start.max(other.start) < self.end.min(other.end)
    }

    /// Returns the parts of this range before and after another one, without empty ones.
    fn without(&self, other: &Self) -> impl Iterator<Item = Self> + use<> {
        let parts = if self.overlaps(other) {
            [Self { end: other.start, ..*self }, Self { start: other.end, ..*self }]
        } else {
            [*self, Self { start: 0, end: 0 }]
        };
        parts.into_iter().filter(|part| part.start < part.end)
    }
}

/// A run of addresses whose bytes begin at offset `at` of the arena's buffer.
#[derive(Clone, Copy, Debug)]
struct MemoryRegion {
    range: AddressRange,
    at: usize,
}

/// A caller's buffer, used from the front.
#[derive(Debug)]
struct Store<'m> {
    bytes: &'m mut [u8],
    used: usize,
}

/// One address space: runs of addresses that do not overlap.
#[derive(Debug)]
struct MemoryRegions<const N: usize>(Vec<MemoryRegion, N>);

impl<const N: usize> MemoryRegions<N> {
    /// Returns where the bytes from `address` to the end of its region are in the arena.
    fn find(&self, address: u64) -> Option<Range<usize>> {
        let region =
            self.0.iter().find(|region| region.range.start <= address && address < region.range.end)?;
        let before = usize::try_from(address.checked_sub(region.range.start)?).ok()?;
        Some(region.at.checked_add(before)?..region.arena_end()?)
    }

    fn write(&mut self, store: &mut Store<'_>, address: u64, bytes: &[u8]) -> Result<()> {
        let mut rest = bytes;
        let mut address = address;
        // Every iteration stores at least one byte: in an existing region, or in a new one up to the next region.
        while !rest.is_empty() {
            let stored = match self.find(address).and_then(|place| store.bytes.get_mut(place)) {
                Some(held) => {
                    copy_front(held, rest);
                    held.len().min(rest.len())
                }
                None => self.append(store, address, self.gap(address, rest))?,
            };
            rest = rest.get(stored..).unwrap_or_default();
            address = address.wrapping_add(stored as u64);
        }
        Ok(())
    }

    /// Returns the front of `bytes` that lies before the next region, if it is stored from `address` on.
    fn gap<'b>(&self, address: u64, bytes: &'b [u8]) -> &'b [u8] {
        let next = self.0.iter().map(|region| region.range.start).filter(|&start| start > address).min();
        let room = next.map_or(u64::MAX, |next| next.wrapping_sub(address));
        usize::try_from(room).ok().and_then(|room| bytes.get(..room)).unwrap_or(bytes)
    }

    fn append(&mut self, store: &mut Store<'_>, address: u64, bytes: &[u8]) -> Result<usize> {
        let at = store.used;
        let end = at.saturating_add(bytes.len());
        let short = Error::new(Kind::Capacity, What::ReplayMemory).value(end as u64);
        let to = store.bytes.get_mut(at..end).ok_or(short)?;
        let range = AddressRange::new(address, bytes.len() as u64);
        match self.0.last_mut() {
            Some(last) if last.range.end == address && last.arena_end() == Some(at) => {
                last.range.end = range.end
            }
            _ => self.0.push(MemoryRegion { range, at }).map_err(|_| full(N))?,
        }
        to.copy_from_slice(bytes);
        store.used = end;
        Ok(bytes.len())
    }

    fn slice<'s>(&self, store: &'s Store<'_>, address: u64, len: usize) -> Option<&'s [u8]> {
        store.bytes.get(self.find(address)?)?.get(..len)
    }

    /// Reads across neighbouring regions; `None` if a byte is in no region.
    fn read(&self, store: &Store<'_>, address: u64, out: &mut [u8]) -> Option<()> {
        let mut address = address;
        let mut out = out;
        // Every iteration copies at least one byte.
        while !out.is_empty() {
            let held = store.bytes.get(self.find(address)?)?;
            let (head, tail) = out.split_at_mut_checked(held.len().min(out.len()))?;
            copy_front(head, held);
            address = address.wrapping_add(head.len() as u64);
            out = tail;
        }
        Some(())
    }
}

/// Memory and the constant bank in a caller's buffer: at most `REGIONS` separate runs of addresses
/// each, and as many null ranges.
#[derive(Debug)]
pub struct Arena<'m, const REGIONS: usize> {
    store: Store<'m>,
    memory: MemoryRegions<REGIONS>,
    constants: MemoryRegions<REGIONS>,
    nulls: Vec<AddressRange, REGIONS>,
}

impl<'m, const REGIONS: usize> Arena<'m, REGIONS> {
    /// Returns an arena in which nothing is mapped; contents are stored in `bytes`.
    pub const fn new(bytes: &'m mut [u8]) -> Self {
        Self {
            store: Store { bytes, used: 0 },
            memory: MemoryRegions(Vec::new()),
            constants: MemoryRegions(Vec::new()),
            nulls: Vec::new(),
        }
    }

    /// Removes `range` from the null ranges and leaves room for `more` new ones. On an error nothing is removed.
    fn cut_nulls(&mut self, range: AddressRange, more: usize) -> Result<()> {
        let left =
            self.nulls.iter().fold(more, |left, null| left.saturating_add(null.without(&range).count()));
        if left > REGIONS {
            return Err(full(REGIONS));
        }
        let mut index = 0;
        while let Some(&null) = self.nulls.get(index) {
            if !null.overlaps(&range) {
                index = index.wrapping_add(1);
                continue;
            }
            self.nulls.swap_remove(index);
            for part in null.without(&range) {
                // The remaining parts lie outside of `range`, so the loop passes over them.
                self.nulls.push(part).map_err(|_| full(REGIONS))?;
            }
        }
        Ok(())
    }

    fn is_null(&self, address: u64, len: usize) -> bool {
        let range = AddressRange::new(address, len as u64);
        self.nulls.iter().any(|null| null.overlaps(&range))
    }

    /// Returns the result of a read that touches null pages: a fault if any other of its bytes is not there.
    #[cold]
    #[inline(never)]
    fn partly_null(&self, address: u64, len: usize) -> Access {
        let mut bytes = (0..len as u64).map(|at| address.wrapping_add(at));
        let is_known = |at| self.is_null(at, 1) || self.memory.read(&self.store, at, &mut [0]).is_some();
        if bytes.all(is_known) { Access::NullPage } else { Access::Fault }
    }
}

impl<const REGIONS: usize> TraceMemory for Arena<'_, REGIONS> {
    fn clear(&mut self) {
        self.store.used = 0;
        self.memory.0.clear();
        self.constants.0.clear();
        self.nulls.clear();
    }

    fn used(&self) -> usize {
        self.store.used
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        let past = Error::new(Kind::Invalid, What::Record).value(address);
        address.checked_add(bytes.len() as u64).ok_or(past)?;
        self.cut_nulls(AddressRange::new(address, bytes.len() as u64), 0)?;
        self.memory.write(&mut self.store, address, bytes)
    }

    fn write_constants(&mut self, offset: u32, bytes: &[u8]) -> Result<()> {
        self.constants.write(&mut self.store, offset.into(), bytes)
    }

    fn constant(&self, offset: u32) -> Option<u32> {
        let mut word = [0; 4];
        self.constants.read(&self.store, offset.into(), &mut word)?;
        Some(u32::from_le_bytes(word))
    }

    fn unmap(&mut self, address: u64, len: u64) -> Result<()> {
        let range = AddressRange::new(address, len);
        if range.start == range.end {
            return Ok(());
        }
        self.cut_nulls(range, 1)?;
        self.nulls.push(range).map_err(|_| full(REGIONS))
    }
}

fn full(regions: usize) -> Error {
    Error::new(Kind::Capacity, What::ReplayRegions).value(regions as u64 + 1)
}

impl MemoryRegion {
    /// Returns the offset in the arena of the byte after this region.
    fn arena_end(&self) -> Option<usize> {
        self.at.checked_add(usize::try_from(self.range.end.checked_sub(self.range.start)?).ok()?)
    }
}

impl<const REGIONS: usize> Memory for Arena<'_, REGIONS> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        if self.is_null(address, out.len()) {
            return self.partly_null(address, out.len());
        }
        match self.memory.read(&self.store, address, out) {
            Some(()) => Access::Mapped,
            None => Access::Fault,
        }
    }

    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        if self.is_null(address, len) {
            return None;
        }
        self.memory.slice(&self.store, address, len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_contents_win_and_nulls_are_cut() {
        let mut bytes = [0; 64];
        let mut arena = Arena::<4>::new(&mut bytes);
        arena.write(100, &[1; 8]).unwrap();
        arena.write(108, &[2; 4]).unwrap();
        arena.write(120, &[3; 4]).unwrap();
        // Fills the gap, overlaps both sides.
        arena.write(110, &[4; 12]).unwrap();
        let mut out = [0; 24];
        assert_eq!(arena.read(100, &mut out), Access::Mapped);
        assert_eq!(out, [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3, 3]);
        assert_eq!(arena.slice(101, 4), Some(&[1; 4][..]));
        assert_eq!(arena.slice(110, 12), None);
        assert_eq!(arena.slice(120, 4), Some(&[4, 4, 3, 3][..]));
        assert_eq!(arena.slice(120, 5), None);
        assert_eq!(arena.read(123, &mut out[..2]), Access::Fault);
        arena.unmap(96, 16).unwrap();
        assert_eq!(arena.read(111, &mut out[..2]), Access::NullPage);
        arena.write(104, &[9; 2]).unwrap();
        assert_eq!(arena.read(104, &mut out[..2]), Access::Mapped);
        assert_eq!(out[..2], [9; 2]);
        assert_eq!(arena.read(103, &mut out[..1]), Access::NullPage);
        assert_eq!(arena.read(106, &mut out[..1]), Access::NullPage);
    }

    #[test]
    fn full() {
        let mut bytes = [0; 8];
        let mut arena = Arena::<2>::new(&mut bytes);
        assert!(arena.write(0, &[1; 6]).is_ok());
        assert_eq!(arena.write(6, &[1; 3]).map_err(|e| e.found()), Err(9));
        assert!(arena.write(100, &[1]).is_ok());
        assert_eq!(arena.write(200, &[1]).map_err(|e| (e.what(), e.found())), Err((What::ReplayRegions, 3)));
        arena.clear();
        assert_eq!(arena.read(0, &mut [0]), Access::Fault);
    }

    #[test]
    fn null_ranges_stay_if_there_is_no_room() {
        let mut bytes = [0; 8];
        let mut arena = Arena::<1>::new(&mut bytes);
        arena.unmap(100, 20).unwrap();
        // Neither are the two ends of it taken for two ranges, nor is it dropped for one that has no room.
        assert_eq!(arena.write(104, &[1; 4]).map_err(|e| e.what()), Err(What::ReplayRegions));
        assert_eq!(arena.unmap(110, 20).map_err(|e| e.what()), Err(What::ReplayRegions));
        for address in [100, 104, 110, 119] {
            assert_eq!(arena.read(address, &mut [0]), Access::NullPage, "{address}");
        }
        // The same range again, and its last bytes: no more room is needed.
        arena.unmap(100, 20).unwrap();
        arena.write(112, &[1; 8]).unwrap();
        assert_eq!(arena.read(112, &mut [0]), Access::Mapped);
        assert_eq!(arena.read(111, &mut [0]), Access::NullPage);
    }

    /// Contents that continue the last region, both in addresses and in the arena, become part of it.
    #[test]
    fn neighbours_share_a_region() {
        let mut bytes = [0; 8];
        let mut arena = Arena::<1>::new(&mut bytes);
        for (address, value) in [(100, 1), (102, 2), (104, 3)] {
            arena.write(address, &[value; 2]).unwrap();
        }
        assert_eq!(arena.slice(100, 6), Some(&[1, 1, 2, 2, 3, 3][..]));
        assert_eq!(arena.write(107, &[4]).map_err(|e| e.what()), Err(What::ReplayRegions));
    }

    #[test]
    fn top_of_the_address_space() {
        let mut bytes = [0; 8];
        let mut arena = Arena::<2>::new(&mut bytes);
        arena.unmap(u64::MAX - 3, 100).unwrap();
        assert_eq!(arena.read(u64::MAX - 2, &mut [0; 2]), Access::NullPage);
        assert_eq!(arena.write(u64::MAX - 1, &[1; 4]).map_err(|e| e.kind()), Err(Kind::Invalid));
        assert!(arena.write(u64::MAX - 4, &[1; 4]).is_ok());
        assert_eq!(arena.read(u64::MAX - 2, &mut [0; 2]), Access::Mapped);
    }
}
