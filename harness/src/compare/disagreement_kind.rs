//! Kinds of disagreement.

use serde::{Deserialize, Serialize};

/// What an engine and the emulator disagree about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DisagreementKind {
    /// The engine broke: it died, gave an invalid answer or did not answer in time.
    Broken,
    /// The engine executes a job that the emulator refuses.
    Accepts,
    /// The engine refuses a job that the emulator executes.
    Refuses,
    /// The writeback does not have the expected size.
    Size,
    /// A fault or a cleared null mask bit is reported for a lane that is not active, or the kill mask is not all ones.
    OutsideLanes,
    /// A lane faults on one side only.
    Fault,
    /// The lane's bit of the null mask differs.
    NullMask,
    /// The lane's values differ.
    Values,
    /// The lane's values are right for another LOD. For a LOD that comes from derivatives, this means that the derivatives differ.
    Lod,
    /// Bytes of the writeback that belong to no active lane were written.
    Untouched,
}

impl DisagreementKind {
    /// Returns the difference in words.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Broken => "the model is broken",
            Self::Accepts => "only the emulator refuses the job",
            Self::Refuses => "only the emulator executes the job",
            Self::Size => "the writeback has another size",
            Self::OutsideLanes => "faults or null bits outside of the active lanes",
            Self::Fault => "memory faults differ",
            Self::NullMask => "the null mask differs",
            Self::Values => "values differ",
            Self::Lod => "values are those of another LOD",
            Self::Untouched => "bytes of no active lane are written",
        }
    }
}
