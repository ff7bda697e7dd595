//! Textures in and out.

use crate::error::{report, texwire_error};
use crate::failure::Outcome;
use crate::memory::{CallerMemory, texwire_memory};
use crate::state::surface;
use crate::{Status, platform, pointers};
use texwire::memory::Layout;
use texwire::transfer::Region;

/// A rectangle of texels of one level, slice and sample.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct texwire_region {
    /// The level, counted from the start of memory.
    pub level: u32,
    /// Array layer, `layer * 6 + face`, or z.
    pub slice: u32,
    /// The sample.
    pub sample: u32,
    /// First column in texels, a multiple of the format's block width.
    pub x: u32,
    /// First row in texels, a multiple of the format's block height.
    pub y: u32,
    /// Width in texels; 0: to the level's edge.
    pub width: u32,
    /// Height in texels; 0: to the level's edge.
    pub height: u32,
}

/// The layout of a surface state and the region in it.
///
/// # Safety
/// `dwords` is null or points to 16 dwords, `from` is null or points to a region.
unsafe fn place(dwords: *const u32, number: u32, from: *const texwire_region) -> Outcome<(Layout, Region)> {
    // SAFETY: the caller's promise.
    let state = unsafe { surface(dwords, 0) }?;
    let layout = state.layout(platform(number, 1)?)?;
    // SAFETY: the caller's promise.
    let from = unsafe { pointers::reference(from, 2) }?;
    let level = layout.level(from.level);
    let side =
        |given: u32, first: u32, size: u32| if given == 0 { size.saturating_sub(first) } else { given };
    let region = Region {
        level: from.level,
        slice: from.slice,
        sample: from.sample,
        x: from.x,
        y: from.y,
        width: side(from.width, from.x, level.width),
        height: side(from.height, from.y, level.height),
    };
    Ok((layout, region))
}

/// The bytes of a row of a region's elements (texels or blocks), and how many rows there are.
///
/// # Safety
/// `surface_dwords` points to 16 dwords, `region` to a region, `row_bytes` and `rows` to numbers; `error` is null or points to an
/// error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_region_rows(
    surface_dwords: *const u32,
    platform_number: u32,
    region: *const texwire_region,
    row_bytes: *mut usize,
    rows: *mut usize,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let (layout, region) = unsafe { place(surface_dwords, platform_number, region) }?;
        let (bytes, count) = region.rows(&layout)?;
        // SAFETY: the caller's promise.
        *unsafe { pointers::exclusive(row_bytes, 3) }? = bytes;
        // SAFETY: the caller's promise.
        *unsafe { pointers::exclusive(rows, 4) }? = count;
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Writes rows of texels, `row_pitch` bytes apart, to a surface's memory.
///
/// # Safety
/// `surface_dwords` points to 16 dwords, `region` to a region, `rows` to `size` bytes, `memory` to memory that may be written and is
/// not `rows`; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_upload(
    surface_dwords: *const u32,
    platform_number: u32,
    region: *const texwire_region,
    rows: *const u8,
    size: usize,
    row_pitch: usize,
    memory: *const texwire_memory,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let (layout, region) = unsafe { place(surface_dwords, platform_number, region) }?;
        // SAFETY: the caller's promise.
        let rows = unsafe { pointers::slice(rows, size, 3) }?;
        // SAFETY: the caller's promise.
        let mut memory = unsafe { CallerMemory::new(memory, 6) }?;
        Ok(layout.upload(&region, rows, row_pitch, &mut memory)?)
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Reads rows of texels out of a surface's memory: the inverse of `texwire_upload`.
///
/// # Safety
/// `surface_dwords` points to 16 dwords, `region` to a region, `rows` to `size` bytes that may be written and are not `memory`; `error`
/// is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_download(
    surface_dwords: *const u32,
    platform_number: u32,
    region: *const texwire_region,
    memory: *const texwire_memory,
    rows: *mut u8,
    size: usize,
    row_pitch: usize,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let (layout, region) = unsafe { place(surface_dwords, platform_number, region) }?;
        // SAFETY: the caller's promise.
        let memory = unsafe { CallerMemory::new(memory, 3) }?;
        // SAFETY: the caller's promise.
        let rows = unsafe { pointers::slice_mut(rows, size, 4) }?;
        Ok(layout.download(&region, &memory, rows, row_pitch)?)
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}
