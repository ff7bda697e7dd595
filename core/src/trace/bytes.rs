//! Helpers that write and read parts of a record's bytes.

use crate::bits::Reader;
use crate::error::{Error, Result, What};

/// Hands `head` and then `tail` to `put`.
pub(super) fn pair(put: &mut dyn FnMut(&[u8]), head: &[u8], tail: &[u8]) {
    put(head);
    put(tail);
}

/// Reads the next `N` bytes.
pub(super) fn chunk<'a, const N: usize>(r: &mut Reader<'a>) -> Result<&'a [u8; N]> {
    let at = r.offset();
    r.bytes(N, What::Record)?.first_chunk().ok_or(Error::truncated(What::Record, at, N))
}

/// Reads all remaining bytes.
pub(super) fn rest<'a>(r: &mut Reader<'a>) -> Result<&'a [u8]> {
    r.bytes(r.rest().len(), What::Record)
}
