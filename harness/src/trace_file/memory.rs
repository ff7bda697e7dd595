//! The memory of a trace on a host: it grows with its contents, which may come in any order of addresses.
//!
//! The contents are stored in pieces that do not overlap. A write overwrites the existing pieces and fills the gaps between them
//! with new ones; adjacent pieces are joined before messages are executed ([`MemoryMap::join_pieces`]), smaller ones into the
//! largest, so that each byte is moved a logarithmic number of times.

use crate::engine::{Byte, ByteMemory};
use crate::job_memory::read_bytes;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use texwire::error::{Error, Kind, What};
use texwire::memory::{Access, Memory};
use texwire::trace::replay::TraceMemory;

/// Memory contents, null pages and the constant bank.
#[derive(Clone, Debug, Default)]
pub struct MemoryMap {
    memory: Pieces,
    constants: Pieces,
    nulls: Ranges,
}

impl MemoryMap {
    /// Joins adjacent pieces, so that a level that was written in parts can be read as one slice.
    pub fn join_pieces(&mut self) {
        self.memory.join();
    }

    /// Returns whether there is any null page.
    pub fn has_null_pages(&self) -> bool {
        !self.nulls.is_empty()
    }

    /// Returns the number of pieces that hold the contents.
    pub fn pieces(&self) -> usize {
        self.memory.map.len()
    }
}

impl Memory for MemoryMap {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        if self.nulls.overlap(&range(address, out.len() as u64)) {
            return read_bytes(|address| self.byte(address), address, out);
        }
        match self.memory.read(address, out) {
            Some(()) => Access::Mapped,
            None => Access::Fault,
        }
    }

    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        if self.nulls.overlap(&range(address, len as u64)) {
            return None;
        }
        self.memory.at(address)?.get(..len)
    }
}

impl ByteMemory for MemoryMap {
    fn byte(&self, address: u64) -> Byte {
        if self.nulls.overlap(&range(address, 1)) {
            return Byte::Null;
        }
        self.memory.at(address).and_then(<[u8]>::first).map_or(Byte::Fault, |byte| Byte::Mapped(*byte))
    }
}

impl TraceMemory for MemoryMap {
    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Error> {
        let past = Error::new(Kind::Invalid, What::Record).value(address);
        let end = address.checked_add(bytes.len() as u64).ok_or(past)?;
        self.nulls.cut(&(address..end));
        self.memory.write(address, bytes);
        Ok(())
    }

    fn unmap(&mut self, address: u64, length: u64) -> Result<(), Error> {
        self.nulls.insert(range(address, length));
        Ok(())
    }

    fn write_constants(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Error> {
        self.constants.write(offset.into(), bytes);
        Ok(())
    }

    fn constant(&self, offset: u32) -> Option<u32> {
        let mut word = [0; 4];
        self.constants.read(offset.into(), &mut word)?;
        Some(u32::from_le_bytes(word))
    }

    fn clear(&mut self) {
        *self = Self::default();
    }

    fn used(&self) -> usize {
        self.memory.used + self.constants.used
    }
}

fn range(start: u64, length: u64) -> Range<u64> {
    start..start.saturating_add(length)
}

/// Ranges of addresses that do not overlap: the end of each by its start.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn overlap(&self, range: &Range<u64>) -> bool {
        let before = self.0.range(..=range.start).next_back();
        before.is_some_and(|(_, end)| *end > range.start && !range.is_empty())
            || self.0.range(range.clone()).next().is_some()
    }

    pub(super) fn insert(&mut self, range: Range<u64>) {
        self.cut(&range);
        if !range.is_empty() {
            self.0.insert(range.start, range.end);
        }
    }

    /// Removes the addresses of `range`.
    pub(super) fn cut(&mut self, range: &Range<u64>) {
        if range.is_empty() {
            return;
        }
        let before = self.0.range(..range.start).next_back().map(|(start, end)| (*start, *end));
        if let Some((start, end)) = before.filter(|(_, end)| *end > range.start) {
            self.0.insert(start, range.start);
            if end > range.end {
                self.0.insert(range.end, end);
            }
        }
        while let Some((&start, &end)) = self.0.range(range.clone()).next() {
            self.0.remove(&start);
            if end > range.end {
                self.0.insert(range.end, end);
            }
        }
    }
}

/// Contents with room to grow at both ends.
#[derive(Clone, Debug)]
struct Piece {
    buffer: Vec<u8>,
    /// The index of the contents' first byte in the buffer.
    head: usize,
}

impl Piece {
    fn new(bytes: &[u8]) -> Self {
        Self { buffer: bytes.to_vec(), head: 0 }
    }

    fn bytes(&self) -> &[u8] {
        &self.buffer[self.head..]
    }

    fn len(&self) -> usize {
        self.buffer.len() - self.head
    }

    fn prepend(&mut self, bytes: &[u8]) {
        if self.head < bytes.len() {
            // Doubles the size, so that contents that grow downwards are not copied at each write.
            let head = self.len() + bytes.len();
            let mut buffer = vec![0; head + self.len()];
            buffer[head..].copy_from_slice(self.bytes());
            *self = Self { buffer, head };
        }
        self.head -= bytes.len();
        self.buffer[self.head..self.head + bytes.len()].copy_from_slice(bytes);
    }
}

#[derive(Clone, Debug, Default)]
struct Pieces {
    /// The pieces by their first address; they do not overlap.
    map: BTreeMap<u64, Piece>,
    /// The addresses at which one piece ends and the next one begins.
    seams: BTreeSet<u64>,
    used: usize,
}

impl Pieces {
    /// Returns the contents from `address` to the end of its piece.
    fn at(&self, address: u64) -> Option<&[u8]> {
        let (start, piece) = self.map.range(..=address).next_back()?;
        piece.bytes().get(usize::try_from(address - start).ok()?..).filter(|rest| !rest.is_empty())
    }

    /// Reads across pieces; `None` if any byte has no contents.
    fn read(&self, address: u64, out: &mut [u8]) -> Option<()> {
        let (mut address, mut out) = (address, out);
        while !out.is_empty() {
            let from = self.at(address)?;
            let (to, rest) = out.split_at_mut(from.len().min(out.len()));
            to.copy_from_slice(&from[..to.len()]);
            address = address.checked_add(to.len() as u64)?;
            out = rest;
        }
        Some(())
    }

    fn write(&mut self, address: u64, bytes: &[u8]) {
        let (mut address, mut rest) = (address, bytes);
        while !rest.is_empty() {
            let len = self.write_some(address, rest);
            address += len as u64;
            rest = &rest[len..];
        }
    }

    /// Writes up to the end of the piece at `address`, or, where there is none, up to the next piece. Returns how many bytes it wrote.
    fn write_some(&mut self, address: u64, bytes: &[u8]) -> usize {
        let next = self.map.range(address..).next().map(|(start, _)| *start);
        let before = self.map.range_mut(..=address).next_back();
        let before = before.map(|(start, piece)| ((address - start) as usize, piece));
        if let Some((at, piece)) = before.filter(|(at, piece)| *at <= piece.len()) {
            if at < piece.len() {
                let len = bytes.len().min(piece.len() - at);
                let at = piece.head + at;
                piece.buffer[at..at + len].copy_from_slice(&bytes[..len]);
                return len;
            }
            let len = room(address, next, bytes);
            piece.buffer.extend_from_slice(&bytes[..len]);
            self.note(len, address + len as u64, next);
            return len;
        }
        let len = room(address, next, bytes);
        self.map.insert(address, Piece::new(&bytes[..len]));
        self.note(len, address + len as u64, next);
        len
    }

    fn note(&mut self, len: usize, end: u64, next: Option<u64>) {
        self.used += len;
        if next == Some(end) {
            self.seams.insert(end);
        }
    }

    /// Joins every run of adjacent pieces into the largest piece of the run.
    fn join(&mut self) {
        while let Some(seam) = self.seams.pop_first() {
            let Some((&start, _)) = self.map.range(..seam).next_back() else { continue };
            let mut run = Vec::new();
            let mut end = start;
            while let Some(piece) = self.map.remove(&end) {
                self.seams.remove(&end);
                end += piece.len() as u64;
                run.push(piece);
            }
            let largest = (0..run.len()).max_by_key(|&index| run[index].len()).unwrap_or(0);
            let after = run.split_off((largest + 1).min(run.len()));
            let Some(mut joined) = run.pop() else { continue };
            for piece in run.iter().rev() {
                joined.prepend(piece.bytes());
            }
            for piece in after {
                joined.buffer.extend_from_slice(piece.bytes());
            }
            self.map.insert(start, joined);
        }
    }
}

/// Returns how many of `bytes` fit before the next piece.
fn room(address: u64, next: Option<u64>, bytes: &[u8]) -> usize {
    next.map_or(bytes.len(), |next| usize::try_from(next - address).unwrap_or(usize::MAX).min(bytes.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generators::surface::Random;
    use std::time::Instant;
    use texwire::trace::replay::Arena;

    #[test]
    fn memory_joins_and_nulls_are_cut() {
        let mut map = MemoryMap::default();
        map.write(100, &[1; 4]).unwrap();
        map.write(108, &[2; 4]).unwrap();
        map.write(102, &[3; 6]).unwrap();
        map.join_pieces();
        assert_eq!(map.slice(100, 12), Some(&[1, 1, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2][..]));
        map.write(90, &[4; 11]).unwrap();
        map.join_pieces();
        assert_eq!((map.pieces(), map.used()), (1, 22));
        assert_eq!(map.slice(90, 22).unwrap()[9..13], [4, 4, 1, 3]);
        map.unmap(0, 200).unwrap();
        map.write(50, &[5; 10]).unwrap();
        assert_eq!(map.nulls.0, BTreeMap::from([(0, 50), (60, 200)]));
        assert_eq!(map.byte(55), Byte::Mapped(5));
        assert_eq!(map.byte(60), Byte::Null);
        assert_eq!(map.byte(200), Byte::Fault);
        assert_eq!(map.write(u64::MAX - 1, &[1; 4]).map_err(|why| why.kind()), Err(Kind::Invalid));
    }

    /// After any writes, reads give the same as those of the core's memory of a fixed size ([`Arena`]).
    #[test]
    fn answers_as_the_arena_does() {
        let mut random = Random(7);
        let mut buffer = vec![0; 1 << 16];
        for _ in 0..50 {
            let mut arena = Arena::<256>::new(&mut buffer);
            let mut map = MemoryMap::default();
            for step in 0..100u64 {
                let (address, length) = (random.next() % 500, random.next() % 40);
                if random.next().is_multiple_of(4) {
                    assert_eq!(map.unmap(address, length), arena.unmap(address, length));
                } else {
                    let bytes: Vec<u8> = (0..length).map(|i| (i + step) as u8).collect();
                    assert_eq!(map.write(address, &bytes), arena.write(address, &bytes));
                }
                if random.next().is_multiple_of(3) {
                    map.join_pieces();
                }
                let (at, len) = (random.next() % 550, 1 + random.next() as usize % 20);
                let (mut ours, mut theirs) = (vec![0; len], vec![0; len]);
                let access = map.read(at, &mut ours);
                assert_eq!(access, arena.read(at, &mut theirs), "{at} {len}");
                if access == Access::Mapped {
                    assert_eq!(ours, theirs);
                }
                // A read with both a fault and a null page is a fault.
                let bytes: Vec<Byte> = (0..len as u64).map(|byte| map.byte(at + byte)).collect();
                let whole = match &bytes {
                    _ if bytes.contains(&Byte::Fault) => Access::Fault,
                    _ if bytes.contains(&Byte::Null) => Access::NullPage,
                    _ => Access::Mapped,
                };
                assert_eq!(access, whole, "{at} {len}");
            }
        }
    }

    /// 16 MB in 2 KB records: upwards, downwards and scattered, joined after each record as if a message followed it.
    #[test]
    fn any_order_takes_linear_time() {
        const RECORD: usize = 2000;
        let orders: [fn(u64) -> u64; 3] = [|n| n, |n| 8191 - n, |n| n * 5003 % 8192];
        for order in orders {
            let start = Instant::now();
            let mut map = MemoryMap::default();
            for number in (0..8192).map(order) {
                map.write(number * RECORD as u64, &[number as u8; RECORD]).unwrap();
                map.join_pieces();
            }
            assert_eq!((map.pieces(), map.used()), (1, 8192 * RECORD));
            assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
        }
    }
}
