//! Pointers of callers to references: null, misaligned and overlong ones are refused.

use crate::failure::{Failure, Outcome};
use core::ffi::c_void;
use core::slice;

/// What `pointer` points to.
///
/// # Safety
/// `pointer` is null, or misaligned, or points to a `T` that lives and is not written while the reference does.
pub(crate) unsafe fn reference<'a, T>(pointer: *const T, argument: u32) -> Outcome<&'a T> {
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(Failure::Argument(argument));
    }
    // SAFETY: not null and aligned; the rest is the caller's promise.
    Ok(unsafe { &*pointer })
}

/// What `pointer` points to, to be written.
///
/// # Safety
/// `pointer` is null, or misaligned, or points to a `T` that lives and is not used otherwise while the reference does.
pub(crate) unsafe fn exclusive<'a, T>(pointer: *mut T, argument: u32) -> Outcome<&'a mut T> {
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(Failure::Argument(argument));
    }
    // SAFETY: not null and aligned; the rest is the caller's promise.
    Ok(unsafe { &mut *pointer })
}

/// What `pointer` points to, to be written; nothing of a null pointer.
///
/// # Safety
/// As of [`exclusive`].
pub(crate) unsafe fn optional<'a, T>(pointer: *mut T, argument: u32) -> Outcome<Option<&'a mut T>> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    unsafe { exclusive(pointer, argument) }.map(Some)
}

/// A pointer and length that can be a slice.
fn fits<T>(pointer: *const T, length: usize) -> bool {
    let bytes = length.checked_mul(size_of::<T>());
    !pointer.is_null() && pointer.is_aligned() && bytes.is_some_and(|bytes| isize::try_from(bytes).is_ok())
}

/// `length` values from `pointer` on; none from a null pointer when `length` is 0.
///
/// # Safety
/// `pointer` is null, or misaligned, or points to `length` values that live and are not written while the slice does.
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, length: usize, argument: u32) -> Outcome<&'a [T]> {
    if length == 0 {
        return Ok(&[]);
    }
    if !fits(pointer, length) {
        return Err(Failure::Argument(argument));
    }
    // SAFETY: not null, aligned, at most isize::MAX bytes; the rest is the caller's promise.
    Ok(unsafe { slice::from_raw_parts(pointer, length) })
}

/// `length` values from `pointer` on, to be written.
///
/// # Safety
/// `pointer` is null, or misaligned, or points to `length` values that live and are not used otherwise while the slice
/// does.
pub(crate) unsafe fn slice_mut<'a, T>(pointer: *mut T, length: usize, argument: u32) -> Outcome<&'a mut [T]> {
    if length == 0 {
        return Ok(&mut []);
    }
    if !fits(pointer, length) {
        return Err(Failure::Argument(argument));
    }
    // SAFETY: not null, aligned, at most isize::MAX bytes; the rest is the caller's promise.
    Ok(unsafe { slice::from_raw_parts_mut(pointer, length) })
}

/// Alignment of storage for a `T`: what every allocator gives.
pub(crate) const fn room_align<T>() -> usize {
    if align_of::<T>() < 8 { align_of::<T>() } else { 8 }
}

/// Bytes of storage for a `T`, wherever it begins: a `T` of a larger alignment lies at the first such address in it.
pub(crate) const fn room_size<T>() -> usize {
    size_of::<T>() + align_of::<T>() - room_align::<T>()
}

/// The place of a `T` in the storage of a caller: arguments 0 and 1 of every `_init` function.
pub(crate) fn room<T>(storage: *mut c_void, size: usize) -> Outcome<*mut T> {
    if storage.is_null() || !storage.addr().is_multiple_of(room_align::<T>()) {
        return Err(Failure::Argument(0));
    }
    if size < room_size::<T>() {
        return Err(Failure::Argument(1));
    }
    let skipped = storage.addr().wrapping_neg() % align_of::<T>();
    Ok(storage.wrapping_byte_add(skipped).cast())
}
