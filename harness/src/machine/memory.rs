//! The memory of a launch: allocations at 64-bit addresses.
//!
//! Work groups run on several cores, so allocations that kernels can write are atomic dwords. Allocations that they cannot write
//! (images that are only read) are plain bytes, which the sampler reads as a slice.

use super::error::{Error, Result};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use texwire::memory::{Access, Memory};

/// The contents of an allocation, with zeros up to whole pages.
#[derive(Debug)]
enum Backing {
    Shared(Vec<AtomicU32>),
    Constant(Vec<u8>),
}

/// An allocation.
#[derive(Debug)]
pub struct Allocation {
    /// Address of the first byte.
    pub base: u64,
    /// Bytes, a multiple of [`PAGE`].
    pub size: u64,
    backing: Backing,
}

/// What a kernel may do with an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllocationUse {
    /// Read and write.
    Shared,
    /// Only read.
    Constant,
}

/// All allocations of a launch, in the order of their addresses.
#[derive(Debug, Default)]
pub struct LaunchMemory {
    allocations: Vec<Allocation>,
}

/// The first address of an allocation. Addresses below 4 GiB are for scratch memory, whose addresses have 32 bits.
const FIRST: u64 = 1 << 32;
/// Alignment of an allocation's address, in bytes.
const ALIGNMENT: u64 = 1 << 16;
/// Fewest unmapped bytes between two allocations.
const GAP: u64 = 1 << 16;
/// Bytes of a page. Allocations have whole pages: an access past the end of the contents, but inside the last page, is no fault.
pub const PAGE: u64 = 4096;

impl LaunchMemory {
    /// Returns the address that the next [`allocate`](Self::allocate) will return.
    pub fn next(&self) -> u64 {
        self.allocations
            .last()
            .map_or(FIRST, |last| (last.base + last.size + GAP).next_multiple_of(ALIGNMENT))
    }

    /// Adds an allocation with contents `bytes`, filled up to whole pages with zeros. Returns its address.
    pub fn allocate(&mut self, mut bytes: Vec<u8>, use_: AllocationUse) -> u64 {
        let base = self.next();
        let size = (bytes.len() as u64).next_multiple_of(PAGE).max(PAGE);
        bytes.resize(size as usize, 0);
        let dword = |bytes: &[u8; 4]| AtomicU32::new(u32::from_le_bytes(*bytes));
        let backing = match use_ {
            AllocationUse::Shared => Backing::Shared(bytes.as_chunks().0.iter().map(dword).collect()),
            AllocationUse::Constant => Backing::Constant(bytes),
        };
        self.allocations.push(Allocation { base, size, backing });
        base
    }

    /// Adds a writable allocation of zeros, in whole pages; only the parts that are written take memory. Returns its address.
    pub fn allocate_zeros(&mut self, bytes: u64) -> u64 {
        let base = self.next();
        let size = bytes.next_multiple_of(PAGE).max(PAGE);
        let words = bytemuck::zeroed_slice_box(size as usize / 4).into_vec();
        self.allocations.push(Allocation { base, size, backing: Backing::Shared(words) });
        base
    }

    /// Returns a copy of `length` bytes at `address`; `None` if no allocation holds them all.
    pub fn copy_out(&self, address: u64, length: usize) -> Option<Vec<u8>> {
        let (allocation, offset) = self.find(address, length as u64)?;
        let mut out = vec![0; length];
        allocation.read(offset, &mut out);
        Some(out)
    }

    #[inline]
    fn find(&self, address: u64, length: u64) -> Option<(&Allocation, usize)> {
        let index = self.allocations.partition_point(|allocation| allocation.base <= address);
        let allocation = self.allocations.get(index.checked_sub(1)?)?;
        let offset = address - allocation.base;
        (offset.checked_add(length)? <= allocation.size).then_some((allocation, offset as usize))
    }

    /// Reads up to 8 bytes, as a little-endian number.
    ///
    /// # Errors
    /// No allocation holds them.
    #[inline]
    pub fn load(&self, address: u64, bytes: usize) -> Result<u64> {
        let (allocation, offset) =
            self.find(address, bytes as u64).ok_or_else(|| outside("read", address, bytes))?;
        Ok(allocation.load(offset, bytes))
    }

    /// Writes the low `bytes` bytes of `value`, at most 8.
    ///
    /// # Errors
    /// No writable allocation holds them.
    #[inline]
    pub fn store(&self, address: u64, bytes: usize, value: u64) -> Result<()> {
        let (allocation, offset) =
            self.find(address, bytes as u64).ok_or_else(|| outside("write", address, bytes))?;
        allocation
            .store(offset, bytes, value)
            .ok_or_else(|| outside("write to read-only memory", address, bytes))
    }

    /// Replaces the value of 4 or 8 bytes by `new` of it. Returns the old value.
    ///
    /// # Errors
    /// As [`store`](Self::store).
    pub fn update(&self, address: u64, bytes: usize, new: impl Fn(u64) -> u64) -> Result<u64> {
        let (allocation, offset) =
            self.find(address, bytes as u64).ok_or_else(|| outside("atomic", address, bytes))?;
        let error = || outside("atomic on read-only memory", address, bytes);
        if let (Backing::Shared(words), 4, true) = (&allocation.backing, bytes, offset.is_multiple_of(4)) {
            let word = words.get(offset / 4).ok_or_else(error)?;
            let old = word.fetch_update(Relaxed, Relaxed, |old| Some(new(u64::from(old)) as u32));
            return Ok(u64::from(old.unwrap_or_else(|old| old)));
        }
        // Two dwords are not updated atomically, which is why launches with 64-bit atomics run on one core.
        let old = allocation.load(offset, bytes);
        allocation.store(offset, bytes, new(old)).ok_or_else(error)?;
        Ok(old)
    }
}

#[cold]
fn outside(what: &str, address: u64, bytes: usize) -> Error {
    Error::new("memory fault", format!("{what} of {bytes} bytes at {address:#x}, outside every allocation"))
}

impl Allocation {
    #[inline]
    fn load(&self, offset: usize, bytes: usize) -> u64 {
        match &self.backing {
            Backing::Shared(words) if bytes == 4 && offset.is_multiple_of(4) => {
                words.get(offset / 4).map_or(0, |word| u64::from(word.load(Relaxed)))
            }
            Backing::Shared(_) | Backing::Constant(_) => {
                let mut out = [0; 8];
                self.read(offset, &mut out[..bytes.min(8)]);
                u64::from_le_bytes(out)
            }
        }
    }

    fn read(&self, offset: usize, out: &mut [u8]) {
        match &self.backing {
            Backing::Constant(bytes) => {
                if let Some(bytes) = bytes.get(offset..offset + out.len()) {
                    out.copy_from_slice(bytes);
                }
            }
            Backing::Shared(words) => {
                for (at, byte) in (offset..).zip(out) {
                    let word = words.get(at / 4).map_or(0, |word| word.load(Relaxed));
                    *byte = word.to_le_bytes()[at % 4];
                }
            }
        }
    }

    /// Writes the low `bytes` bytes of `value`; `None` if the allocation is read-only.
    #[inline]
    fn store(&self, offset: usize, bytes: usize, value: u64) -> Option<()> {
        let Backing::Shared(words) = &self.backing else { return None };
        if bytes == 4 && offset.is_multiple_of(4) {
            words.get(offset / 4)?.store(value as u32, Relaxed);
            return Some(());
        }
        let mut left = bytes.min(8);
        let (mut at, mut value) = (offset, value);
        while left > 0 {
            let shift = at % 4;
            let count = left.min(4 - shift);
            let mask = (texwire::bits::mask(count as u32 * 8) as u32) << (shift * 8);
            let bits = ((value as u32) << (shift * 8)) & mask;
            let word = words.get(at / 4)?;
            // Other groups may write the other bytes of the dword at the same time.
            let _ = word.fetch_update(Relaxed, Relaxed, |old| Some(old & !mask | bits));
            value = value.checked_shr(count as u32 * 8).unwrap_or(0);
            at += count;
            left -= count;
        }
        Some(())
    }
}

impl Memory for LaunchMemory {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let Some((allocation, offset)) = self.find(address, out.len() as u64) else { return Access::Fault };
        allocation.read(offset, out);
        Access::Mapped
    }

    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        let (allocation, offset) = self.find(address, len as u64)?;
        match &allocation.backing {
            Backing::Constant(bytes) => bytes.get(offset..offset + len),
            Backing::Shared(_) => None,
        }
    }
}

/// Returns `bytes` bytes (at most 8) at `at` as a little-endian number; 0 if they are not all inside.
#[inline]
pub fn read_little(memory: &[u8], at: usize, bytes: usize) -> u64 {
    let mut out = [0; 8];
    if let Some(found) = memory.get(at..at + bytes) {
        out[..bytes].copy_from_slice(found);
    }
    u64::from_le_bytes(out)
}
