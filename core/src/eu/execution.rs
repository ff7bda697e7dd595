//! Which channels execute: execution size, channel offset, mask control and predication.

use crate::bits::mask;

/// How the bits of a flag register become a predicate: a code of PRM table PredCtrl, Align1 (0..=13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PredicateControl(u8);

static NAMES: [&str; 14] = [
    "", "", "anyv", "allv", "any2h", "all2h", "any4h", "all4h", "any8h", "all8h", "any16h", "all16h",
    "any32h", "all32h",
];

impl PredicateControl {
    /// Not predicated.
    pub const NONE: Self = Self(0);
    /// Each channel is predicated by its own flag bit.
    pub const FLAG: Self = Self(1);

    /// Returns the control with `code`; `None` for 14 and above, which are illegal.
    #[inline]
    pub const fn new(code: u8) -> Option<Self> {
        if code < 14 { Some(Self(code)) } else { None }
    }

    /// Returns the code.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Returns the name that follows the flag register in text; empty for [`NONE`](Self::NONE) and [`FLAG`](Self::FLAG).
    pub fn name(self) -> &'static str {
        NAMES.get(usize::from(self.0)).copied().unwrap_or_default()
    }

    /// Returns the control with this [`name`](Self::name), [`FLAG`](Self::FLAG) if it is empty.
    pub fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().skip(1).position(|&n| n == name).map(|at| Self(at as u8 + 1))
    }

    /// Returns the predicate of every channel in Gen9's access mode align16. Controls 2 to 5 replicate the flag of the first to the fourth
    /// channel of each group of four; 6 and 7 are any4h and all4h as in align1; higher ones do not exist. (PRM table PredCtrl)
    pub const fn apply_align16(self, flag: u32) -> u32 {
        match self.0 {
            code @ 2..=5 => (flag >> (code - 2) & 0x1111_1111) * 15,
            _ => self.apply(flag, 0),
        }
    }

    /// Returns the predicate of every channel. `flag` has bit n for channel n; `other` is the same
    /// subregister of the other flag register, which only `anyv` and `allv` use.
    pub const fn apply(self, flag: u32, other: u32) -> u32 {
        match self.0 {
            0 => u32::MAX,
            1 => flag,
            2 => flag | other,
            3 => flag & other,
            code => group(flag, 1 << (code / 2 - 1), code % 2 == 1),
        }
    }
}

/// Returns `flag` with each group of `size` bits set to all ones if any (`all`: every) bit of the group is set, else to zeros.
const fn group(flag: u32, size: u32, all: bool) -> u32 {
    let ones = mask(size) as u32;
    let mut result = 0;
    let mut at = 0;
    while at < 32 {
        let bits = flag >> at & ones;
        if if all { bits == ones } else { bits != 0 } {
            result |= ones << at;
        }
        at += size;
    }
    result
}

/// The execution control of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ExecutionControl {
    /// Execution size: 1, 2, 4, 8, 16 or 32 channels.
    pub size: u8,
    /// Channel offset, the first channel: 0, 4, .. 28.
    pub offset: u8,
    /// NoMask (`W`): the dispatch mask is ignored, the predicate is not.
    pub no_mask: bool,
    /// Predicate control.
    pub predicate: PredicateControl,
    /// The predicate is inverted, after its control is applied.
    pub inverse: bool,
    /// Flag register (0, 1) and subregister (0, 1); kept as encoded if the instruction is not predicated.
    pub flag: (u8, u8),
}

impl Default for ExecutionControl {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl ExecutionControl {
    /// Eight channels from the first one on, not predicated.
    pub(super) const DEFAULT: Self = Self {
        size: 8,
        offset: 0,
        no_mask: false,
        predicate: PredicateControl::NONE,
        inverse: false,
        flag: (0, 0),
    };

    /// Returns the execution mask: the channels that execute; bit 0 is the instruction's first channel.
    ///
    /// `dispatch`, `flag` and `other` have bit n for channel n of the thread. `flag` is the content of
    /// the flag subregister that the instruction names, `other` that of the same subregister of the
    /// other flag register.
    pub const fn lanes(&self, dispatch: u32, flag: u32, other: u32) -> u32 {
        self.enabled(dispatch, self.predicate.apply(flag, other))
    }

    /// Does what [`lanes`](Self::lanes) does, for an instruction in Gen9's access mode align16.
    pub const fn lanes_align16(&self, dispatch: u32, flag: u32) -> u32 {
        self.enabled(dispatch, self.predicate.apply_align16(flag))
    }

    const fn enabled(&self, dispatch: u32, predicate: u32) -> u32 {
        let enabled = if self.no_mask { u32::MAX } else { dispatch };
        let inverse = self.inverse && self.predicate.0 != 0;
        let channels = enabled & if inverse { !predicate } else { predicate };
        channels.wrapping_shr(self.offset as u32) & mask(self.size as u32) as u32
    }
}
