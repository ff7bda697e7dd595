//! Memory as the sampler sees it, and where the elements of a surface are.

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
pub(crate) use samples::SamplePlaces;
pub use tiling::Plane;
pub(crate) use tiling::TileBits;

/// What a read found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Access {
    /// The bytes are in the buffer.
    Mapped,
    /// The page is a null page: the texel reads 0 and the pixel null mask tells.
    NullPage,
    /// There is nothing at the address.
    Fault,
}

/// The caller's memory: plain bytes, or a simulator's page tables.
pub trait Memory {
    /// Reads `out.len()` bytes at `address`. `out` is unspecified unless the answer is
    /// [`Access::Mapped`].
    ///
    /// Blocks, and texels of a power of two of bytes, are aligned to their size if the surface and its pitch are. Other texels of linear
    /// surfaces (3, 6, 12, 24 bytes) can lie across two pages: a fault of one of them is more than a null page.
    fn read(&self, address: u64, out: &mut [u8]) -> Access;

    /// `len` bytes at `address`, if all of them are mapped and contiguous in the caller's memory.
    ///
    /// Asked once a message for the whole surface: if it is there, texels are read from it without asking again.
    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        let _ = (address, len);
        None
    }

    /// Where the pages of `len` bytes at `address` are, for memory that keeps all its frames in one slice.
    ///
    /// Asked once a message when [`slice`](Self::slice) does not have the whole surface: texels are found by the table, all lanes
    /// at once. This is the fastest way for memory in pages.
    fn page_table(&self, address: u64, len: usize) -> Option<PageTable<'_>> {
        let _ = (address, len);
        None
    }

    /// What is contiguous around the byte at `address`: a page, say. The address of its first byte, and the bytes.
    ///
    /// Asked when neither [`slice`](Self::slice) has the whole surface nor [`page_table`](Self::page_table) all texels of a
    /// message, and again when a texel is not in the bytes of the last answer. Texels that lie across two answers, and those
    /// where the answer is `None`, are read by [`read`](Self::read), which also says why there is nothing.
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

/// A page table of one step: where each page of a range of addresses is among frames that lie in one slice.
#[derive(Clone, Copy, Debug)]
pub struct PageTable<'a> {
    /// The address of the first page. Pages lie one after the other from here on.
    pub base: u64,
    /// log2 of the bytes of a page and of a frame, 12 for 4 KiB.
    pub log2_page: u32,
    /// The number of each page's frame. A number past the last frame, such as `u32::MAX`: the page is not there, or a null page, and
    /// [`Memory::read`] says which. So are pages past the end.
    pub frames: &'a [u32],
    /// All frames, one after the other. What is left at the end is not one.
    pub bytes: &'a [u8],
}

/// Memory that can be written.
pub trait MemoryMut: Memory {
    /// Writes `bytes` at `address`. Writes to a null page vanish; nothing is written where there is
    /// [`Access::Fault`].
    fn write(&mut self, address: u64, bytes: &[u8]) -> Access;

    /// `len` bytes at `address`, if all of them are mapped and contiguous. Uploads ask for a tile or a row;
    /// `None` sends them to [`write`](Self::write).
    fn slice_mut(&mut self, address: u64, len: usize) -> Option<&mut [u8]> {
        let _ = (address, len);
        None
    }
}

/// Bytes at an address.
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

/// Bytes at an address that can be written.
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
