//! Arguments out of the bytes of a fuzzer.

use crate::error::Status;
use core::ptr;

/// Numbers and pointers out of the fuzzer's bytes.
pub(super) struct Choices<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Choices<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns the next byte; 0 after the last one.
    pub(super) fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at = self.at.saturating_add(1);
        byte
    }

    /// Returns the next 32 bits.
    pub(super) fn word(&mut self) -> u32 {
        u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }

    /// Returns a pointer to what is there; now and then null or one byte off.
    pub(super) fn pointer<T>(&mut self, place: *mut T) -> *mut T {
        match self.byte() {
            0..=15 => ptr::null_mut(),
            16..=31 if align_of::<T>() > 1 => place.wrapping_byte_add(1),
            _ => place,
        }
    }

    /// Returns a length that is there; often less.
    pub(super) fn length(&mut self, there: usize) -> usize {
        match self.byte() {
            0..=63 => usize::from(self.byte()).min(there),
            _ => there,
        }
    }
}

/// Panics if a function took a null or misaligned pointer that it needs.
pub(super) fn refused<T>(pointer: *const T, status: Status) {
    let usable = !pointer.is_null() && pointer.is_aligned();
    assert!(usable || status != Status::Ok, "a null or misaligned argument was taken");
}
