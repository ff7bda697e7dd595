//! Failures as the Rust code passes them on; what C sees of them is `texwire_error`.

use texwire::error::{Error, Kind, What};

/// Why a function of this crate failed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Failure {
    /// The core refused.
    Core(Error),
    /// An argument is wrong: its number, from 0.
    Argument(u32),
}

pub(crate) type Outcome<T> = Result<T, Failure>;

impl Failure {
    /// An array is too short for so many texels of a lane.
    pub(crate) fn taps(needed: usize) -> Self {
        Self::Core(Error::new(Kind::Capacity, What::Taps).value(needed as u64))
    }

    /// Returns the failure with these bytes as what a buffer that was too small needs; other failures as they are.
    pub(crate) fn needing(self, bytes: usize) -> Self {
        match self {
            Self::Core(error) if error.kind() == Kind::Capacity => Self::Core(error.value(bytes as u64)),
            other => other,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Core(error)
    }
}
