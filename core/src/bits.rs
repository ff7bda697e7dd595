//! Bit fields of little-endian words, and a bounds-checked byte reader.

use crate::error::{Error, Result, What};

/// Returns bits `lo .. lo + width` of `word`. A width of 0 gives 0; bits past the top read as 0.
#[inline]
pub const fn get(word: u64, lo: u32, width: u32) -> u64 {
    if lo >= 64 { 0 } else { (word >> lo) & mask(width) }
}

/// Returns `word` with bits `lo .. lo + width` replaced by the low bits of `value`.
#[inline]
#[must_use]
pub const fn put(word: u64, lo: u32, width: u32, value: u64) -> u64 {
    if lo >= 64 { word } else { word & !(mask(width) << lo) | (value & mask(width)) << lo }
}

/// The same as [`get`] for 128-bit words.
#[inline]
pub const fn get128(word: u128, lo: u32, width: u32) -> u64 {
    if lo >= 128 { 0 } else { (word >> lo) as u64 & mask(width) }
}

/// The same as [`put`] for 128-bit words.
#[inline]
#[must_use]
pub const fn put128(word: u128, lo: u32, width: u32, value: u64) -> u128 {
    if lo >= 128 {
        return word;
    }
    let m = mask(width) as u128;
    word & !(m << lo) | (value as u128 & m) << lo
}

/// Returns a mask of the low `width` bits.
#[inline]
pub const fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// Returns the low `width` bits of `value` as a two's complement number; all 32 bits if `width` is 0 or more than 32.
#[inline]
pub const fn sign_extend(value: u32, width: u32) -> i32 {
    if width == 0 || width > 32 {
        return value as i32;
    }
    let shift = 32 - width;
    ((value << shift) as i32) >> shift
}

/// Copies the front of `from` to the front of `to`: as much as both have.
#[inline(always)]
pub(crate) fn copy_front<T: Copy>(to: &mut [T], from: &[T]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}

/// A bounds-checked cursor over bytes that reads little-endian numbers and knows its offset.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    /// Returns a reader at the first byte; offsets in errors count from there.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, offset: 0 }
    }

    /// Returns a reader at byte `offset` of `bytes`, or at the end if `offset` is past it.
    pub fn at(bytes: &'a [u8], offset: usize) -> Self {
        let offset = offset.min(bytes.len());
        Self { rest: bytes.get(offset..).unwrap_or_default(), offset }
    }

    /// Returns the offset of the next byte from the start of the input.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the bytes that have not been read.
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Reads `n` bytes.
    ///
    /// # Errors
    /// [`Kind::Truncated`](crate::Kind::Truncated) with `what`, this offset and `n`.
    #[inline]
    pub fn bytes(&mut self, n: usize, what: What) -> Result<&'a [u8]> {
        match self.rest.split_at_checked(n) {
            Some((head, tail)) => {
                self.rest = tail;
                self.offset = self.offset.wrapping_add(n);
                Ok(head)
            }
            None => Err(Error::truncated(what, self.offset, n)),
        }
    }

    /// Reads an array of `N` bytes.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    #[inline]
    pub fn array<const N: usize>(&mut self, what: What) -> Result<[u8; N]> {
        match self.rest.split_first_chunk::<N>() {
            Some((head, tail)) => {
                self.rest = tail;
                self.offset = self.offset.wrapping_add(N);
                Ok(*head)
            }
            None => Err(Error::truncated(what, self.offset, N)),
        }
    }

    /// Reads a byte.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    #[inline]
    pub fn u8(&mut self, what: What) -> Result<u8> {
        self.array::<1>(what).map(|[b]| b)
    }

    /// Reads a little-endian u16.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    #[inline]
    pub fn u16(&mut self, what: What) -> Result<u16> {
        self.array(what).map(u16::from_le_bytes)
    }

    /// Reads a little-endian u32.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    #[inline]
    pub fn u32(&mut self, what: What) -> Result<u32> {
        self.array(what).map(u32::from_le_bytes)
    }

    /// Reads a little-endian u64.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    #[inline]
    pub fn u64(&mut self, what: What) -> Result<u64> {
        self.array(what).map(u64::from_le_bytes)
    }
}
