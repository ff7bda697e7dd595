//! Errors of state fields.

use crate::error::{Error, Kind, What};

/// The error of a field of a state structure: its dword, lowest bit and raw value.
pub(crate) fn refuse(kind: Kind, what: What, dword: usize, bit: u8, value: impl Into<u64>) -> Error {
    Error::new(kind, what).at(dword * 4).bit(bit).value(value.into())
}
