//! The caller's memory as the sampler accesses it, and the addresses of a surface's elements.

mod addressing;
mod fit;
mod layout;
mod order;
mod samples;
mod tail;
#[cfg(test)]
mod tests;
mod tiled;
mod tiling;

#[cfg(target_arch = "x86_64")]
pub(crate) use addressing::SpreadTable;
pub(crate) use addressing::{BitSpread, LevelAddressing, SpreadStep};

pub use crate::format::Element;
pub use layout::{Layout, Level, MAX_LEVELS};
pub(crate) use order::deposit;
pub(crate) use samples::SampleAddressing;
pub use tiling::Plane;

/// The result of a read or a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Access {
    /// The bytes are in the buffer.
    Mapped,
    /// The page is a null page: the channels that the format stores read 0, an alpha that it does not store reads 1 (U19), and the pixel
    /// null mask reports it.
    NullPage,
    /// Nothing is mapped at the address.
    Fault,
}

/// The caller's memory: plain bytes, or a simulator's page tables.
pub trait Memory {
    /// Reads `out.len()` bytes at `address`. `out` is unspecified unless the result is
    /// [`Access::Mapped`].
    ///
    /// Blocks, and texels whose bytes are a power of two, are aligned to their size if the surface and its pitch are. Other texels of
    /// linear surfaces (3, 6, 12, 24 bytes) can lie across two pages. If one page is a null page and the other faults, the result is
    /// [`Access::Fault`].
    fn read(&self, address: u64, out: &mut [u8]) -> Access;

    /// Returns `len` bytes at `address`, if all of them are mapped and contiguous in the caller's memory.
    ///
    /// Called once per message for the whole surface: if this returns it, texels are read from it without further calls.
    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        let _ = (address, len);
        None
    }

    /// Returns the page table of `len` bytes at `address`, for memory that keeps all its frames in one slice.
    ///
    /// Called once per message if [`slice`](Self::slice) does not return the whole surface: the texels of all lanes are then located
    /// by the table at once. This is the fastest way for memory in pages.
    fn page_table(&self, address: u64, len: usize) -> Option<PageTable<'_>> {
        let _ = (address, len);
        None
    }

    /// Returns the range of bytes that is contiguous around the byte at `address`, for example its page: the address of the range's
    /// first byte, and the bytes.
    ///
    /// Called if neither [`slice`](Self::slice) has the whole surface nor [`page_table`](Self::page_table) all texels of a
    /// message, and again when a texel is outside the last range. Texels that lie across two ranges, and texels for which the
    /// result is `None`, are read by [`read`](Self::read), which also tells a null page from a fault.
    fn contiguous(&self, address: u64) -> Option<(u64, &[u8])> {
        let _ = address;
        None
    }
}

impl<M: Memory + ?Sized> Memory for &M {
    #[inline]
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        (**self).read(address, out)
    }
    #[inline]
    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        (**self).slice(address, len)
    }
    #[inline]
    fn page_table(&self, address: u64, len: usize) -> Option<PageTable<'_>> {
        (**self).page_table(address, len)
    }
    #[inline]
    fn contiguous(&self, address: u64) -> Option<(u64, &[u8])> {
        (**self).contiguous(address)
    }
}

/// A page table of one level: the frame of each page of a range of addresses, with all frames in one slice.
#[derive(Clone, Copy, Debug)]
pub struct PageTable<'a> {
    /// The address of the first page. Further pages follow without gaps.
    pub base: u64,
    /// log2 of the size in bytes of a page and of a frame, 12 for 4 KiB.
    pub log2_page: u32,
    /// The number of each page's frame. A number past the last frame, such as `u32::MAX`, means that the page is not mapped or is a
    /// null page; [`Memory::read`] says which. The same holds for pages past the end of the table.
    pub frames: &'a [u32],
    /// All frames, one after the other. A part of a frame at the end is not used.
    pub bytes: &'a [u8],
}

/// Memory that can be written.
pub trait MemoryMut: Memory {
    /// Writes `bytes` at `address`. Writes to a null page are discarded; nothing is written if the result is
    /// [`Access::Fault`].
    fn write(&mut self, address: u64, bytes: &[u8]) -> Access;

    /// Returns `len` bytes at `address`, if all of them are mapped and contiguous. Uploads call it for a tile or a row,
    /// and use [`write`](Self::write) if the result is `None`.
    fn slice_mut(&mut self, address: u64, len: usize) -> Option<&mut [u8]> {
        let _ = (address, len);
        None
    }
}

/// A range of bytes at an address, as memory.
#[derive(Clone, Copy, Debug)]
pub struct LinearMemory<'a> {
    /// The address of the first byte.
    pub base: u64,
    /// The bytes.
    pub bytes: &'a [u8],
}

impl<'a> LinearMemory<'a> {
    fn range(&self, address: u64, len: usize) -> Option<&'a [u8]> {
        let start = usize::try_from(address.checked_sub(self.base)?).ok()?;
        self.bytes.get(start..start.checked_add(len)?)
    }
}

/// A range of bytes at an address, as memory that can be written.
#[derive(Debug)]
pub struct LinearMemoryMut<'a> {
    /// The address of the first byte.
    pub base: u64,
    /// The bytes.
    pub bytes: &'a mut [u8],
}

impl Memory for LinearMemoryMut<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        LinearMemory { base: self.base, bytes: self.bytes }.read(address, out)
    }

    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        LinearMemory { base: self.base, bytes: self.bytes }.range(address, len)
    }
}

impl MemoryMut for LinearMemoryMut<'_> {
    fn write(&mut self, address: u64, bytes: &[u8]) -> Access {
        match self.slice_mut(address, bytes.len()) {
            Some(target) => {
                target.copy_from_slice(bytes);
                Access::Mapped
            }
            None => Access::Fault,
        }
    }

    fn slice_mut(&mut self, address: u64, len: usize) -> Option<&mut [u8]> {
        let start = usize::try_from(address.checked_sub(self.base)?).ok()?;
        self.bytes.get_mut(start..start.checked_add(len)?)
    }
}

impl Memory for LinearMemory<'_> {
    #[inline]
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        match self.range(address, out.len()) {
            Some(bytes) => {
                out.copy_from_slice(bytes);
                Access::Mapped
            }
            None => Access::Fault,
        }
    }

    #[inline]
    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        self.range(address, len)
    }

    #[inline]
    fn contiguous(&self, _: u64) -> Option<(u64, &[u8])> {
        Some((self.base, self.bytes))
    }
}
