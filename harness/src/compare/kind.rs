//! In what an engine and the emulator disagree.

use serde::{Deserialize, Serialize};

/// In what two engines disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The engine broke: it died, answered nonsense or not in time.
    Broken,
    /// The engine executes what the emulator refuses.
    Accepts,
    /// The engine refuses what the emulator executes.
    Refuses,
    /// The writeback has another size.
    Size,
    /// Faults or null bits outside of the active lanes.
    OutsideLanes,
    /// A lane faults, or it does not.
    Fault,
    /// A lane's bit of the null mask.
    NullMask,
    /// The values of a lane.
    Values,
    /// The values of a lane are right at another LOD: where it comes from derivatives, these are what differs.
    Lod,
    /// Bytes of no active lane are written.
    Untouched,
}

impl Kind {
    /// What differs, in words.
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
