//! The caller's memory: a flat range, or callbacks.

use crate::failure::Outcome;
use crate::pointers;
use core::ffi::c_void;
use core::{ptr, slice};
use texwire::memory::{Access, LinearMemory, Memory, MemoryMut, PageTable};

/// The bytes are there.
pub const TEXWIRE_MAPPED: u32 = 0;
/// A null page: reads 0, writes vanish.
pub const TEXWIRE_NULL_PAGE: u32 = 1;
/// Nothing is there.
pub const TEXWIRE_FAULT: u32 = 2;

/// Memory as the sampler sees it. With `read` null it is the range of `size` bytes at `bytes`, whose first one has the
/// address `base`; else it is the callbacks, which get `user`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct texwire_memory {
    /// The address of the first byte of the range.
    pub base: u64,
    /// The range; written by uploads only.
    pub bytes: *mut u8,
    /// Bytes of the range.
    pub size: usize,
    /// The callbacks' first argument.
    pub user: *mut c_void,
    /// Reads `size` bytes at `address`: `TEXWIRE_MAPPED`, `TEXWIRE_NULL_PAGE` or `TEXWIRE_FAULT`. States (64 bytes), blocks, and
    /// texels of a power of two of bytes are aligned to their size if their heap or surface and its pitch are. Other texels of linear
    /// surfaces (3, 6, 12, 24 bytes) can lie across two pages.
    pub read:
        Option<unsafe extern "C" fn(user: *mut c_void, address: u64, bytes: *mut u8, size: usize) -> u32>,
    /// Writes; null: memory is read only.
    pub write:
        Option<unsafe extern "C" fn(user: *mut c_void, address: u64, bytes: *const u8, size: usize) -> u32>,
    /// The bytes at `address` if `size` of them are contiguous, else null; may be null. They must stay as they are until the
    /// function returns that was given the memory. Makes sampling faster.
    pub slice: Option<unsafe extern "C" fn(user: *mut c_void, address: u64, size: usize) -> *const u8>,
    /// Fills in where the pages of `size` bytes at `address` are and returns 1, or returns 0; may be null. What it points to must stay as it
    /// is until the function returns that was given the memory. The fastest way to sample memory in pages.
    pub page_table: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            address: u64,
            size: usize,
            table: *mut texwire_page_table,
        ) -> u32,
    >,
}

impl texwire_memory {
    /// Returns memory that is these bytes, the first of which has the address `base`. They must live while it is used.
    pub const fn of_bytes(base: u64, bytes: &mut [u8]) -> Self {
        Self {
            base,
            bytes: bytes.as_mut_ptr(),
            size: bytes.len(),
            user: ptr::null_mut(),
            read: None,
            write: None,
            slice: None,
            page_table: None,
        }
    }
}

/// A page table of one step: where each page of a range of addresses is among frames that lie in one piece.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct texwire_page_table {
    /// The address of the first page.
    pub base: u64,
    /// The frame of each page. A number past the last frame, such as `UINT32_MAX`: the page is not there or a null page,
    /// and `read` says which. So are pages past the end.
    pub frames: *const u32,
    /// Pages.
    pub pages: usize,
    /// All frames, one after the other.
    pub bytes: *const u8,
    /// Bytes of all frames.
    pub size: usize,
    /// log2 of the bytes of a page and of a frame, 12 for 4 KiB.
    pub log2_page: u32,
}

/// Memory whose range was checked.
#[derive(Debug)]
pub(crate) struct CallerMemory<'a> {
    memory: &'a texwire_memory,
}

impl<'a> CallerMemory<'a> {
    /// # Safety
    /// `memory` is null or points to a `texwire_memory` whose range or callbacks are as its documentation says while the
    /// result lives.
    pub(crate) unsafe fn new(memory: *const texwire_memory, argument: u32) -> Outcome<Self> {
        // SAFETY: the caller's promise.
        let memory = unsafe { pointers::reference(memory, argument) }?;
        if memory.read.is_none() {
            // SAFETY: the caller's promise; the slice is not used further than this check.
            unsafe { pointers::slice(memory.bytes.cast_const(), memory.size, argument) }?;
        }
        Ok(Self { memory })
    }

    fn flat(&self) -> LinearMemory<'_> {
        // SAFETY: the range was checked when this was made.
        let bytes = unsafe { pointers::slice(self.memory.bytes.cast_const(), self.memory.size, 0) };
        LinearMemory { base: self.memory.base, bytes: bytes.unwrap_or_default() }
    }
}

fn access(code: u32) -> Access {
    match code {
        TEXWIRE_MAPPED => Access::Mapped,
        TEXWIRE_NULL_PAGE => Access::NullPage,
        _ => Access::Fault,
    }
}

impl Memory for CallerMemory<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        match self.memory.read {
            None => self.flat().read(address, out),
            // SAFETY: the callback and `user` belong together, and `out` has the length given.
            Some(read) => access(unsafe { read(self.memory.user, address, out.as_mut_ptr(), out.len()) }),
        }
    }

    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        if self.memory.read.is_none() {
            let LinearMemory { base, bytes } = self.flat();
            let start = usize::try_from(address.checked_sub(base)?).ok()?;
            return bytes.get(start..start.checked_add(len)?);
        }
        let slice = self.memory.slice?;
        if len == 0 || isize::try_from(len).is_err() {
            return None;
        }
        // SAFETY: the callback and `user` belong together.
        let bytes = unsafe { slice(self.memory.user, address, len) };
        if bytes.is_null() {
            return None;
        }
        // SAFETY: not null; the callback promises `len` bytes that stay until the library returns.
        Some(unsafe { slice::from_raw_parts(bytes, len) })
    }

    fn page_table(&self, address: u64, len: usize) -> Option<PageTable<'_>> {
        let find = self.memory.page_table.filter(|_| self.memory.read.is_some())?;
        let mut table = texwire_page_table {
            base: 0,
            frames: ptr::null(),
            pages: 0,
            bytes: ptr::null(),
            size: 0,
            log2_page: 0,
        };
        // SAFETY: the callback and `user` belong together.
        if unsafe { find(self.memory.user, address, len, &raw mut table) } == 0 {
            return None;
        }
        // SAFETY: the callback promises what it points to, which stays until the library returns.
        let frames = unsafe { pointers::slice(table.frames, table.pages, 0) }.ok()?;
        // SAFETY: the same.
        let bytes = unsafe { pointers::slice(table.bytes, table.size, 0) }.ok()?;
        Some(PageTable { base: table.base, log2_page: table.log2_page, frames, bytes })
    }
}

impl MemoryMut for CallerMemory<'_> {
    fn write(&mut self, address: u64, bytes: &[u8]) -> Access {
        if self.memory.read.is_some() {
            let Some(write) = self.memory.write else { return Access::Fault };
            // SAFETY: the callback and `user` belong together, and `bytes` has the length given.
            return access(unsafe { write(self.memory.user, address, bytes.as_ptr(), bytes.len()) });
        }
        match self.slice_mut(address, bytes.len()) {
            Some(target) if target.len() == bytes.len() => {
                target.copy_from_slice(bytes);
                Access::Mapped
            }
            _ => Access::Fault,
        }
    }

    fn slice_mut(&mut self, address: u64, len: usize) -> Option<&mut [u8]> {
        if self.memory.read.is_some() {
            return None;
        }
        let start = usize::try_from(address.checked_sub(self.memory.base)?).ok()?;
        // SAFETY: the range was checked when this was made, and `self` is borrowed as long as the slice.
        let bytes = unsafe { pointers::slice_mut(self.memory.bytes, self.memory.size, 0) }.ok()?;
        bytes.get_mut(start..start.checked_add(len)?)
    }
}
