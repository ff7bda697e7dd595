//! Errors that name a field of a state structure.

use crate::error::{Error, Kind, What};

/// Returns the error for a field of a state structure, with the field's dword, lowest bit and raw value.
pub(crate) fn refuse(kind: Kind, what: What, dword: usize, bit: u8, value: impl Into<u64>) -> Error {
    Error::new(kind, what).at(dword * 4).bit(bit).value(value.into())
}
