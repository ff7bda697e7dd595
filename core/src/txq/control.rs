//! The 21-bit control field of an instruction slot.
//!
//! | bits | field |
//! | --- | --- |
//! | 3:0 | stall cycles |
//! | 4 | yield hint |
//! | 7:5 | scoreboard set until results are written, 7 = none |
//! | 10:8 | scoreboard set until sources are read, 7 = none |
//! | 16:11 | mask of the scoreboards to wait for |
//! | 20:17 | operand reuse; texture instructions: 18:17 = phase |
//!
//! Stall 0 with the yield bit set marks the first instruction of a dual-issued pair.

use crate::bits;

const WIDTH: u32 = 21;

/// A control field, every bit kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SchedulingControl(u32);

impl SchedulingControl {
    /// No stall, no barriers, no reuse: the field of an instruction that waits for nothing.
    pub const NEUTRAL: Self = Self(0x7e0);

    /// Returns the control field with the low 21 bits of `raw`.
    pub const fn new(raw: u32) -> Self {
        Self(raw & 0x1f_ffff)
    }

    /// Returns the control field of slot `slot` (0..=2) in a control word.
    pub const fn of_word(word: u64, slot: u32) -> Self {
        Self(bits::get(word, slot.saturating_mul(WIDTH), WIDTH) as u32)
    }

    /// Returns the control word `word` with slot `slot` (0..=2) replaced by this field.
    #[must_use]
    pub const fn into_word(self, word: u64, slot: u32) -> u64 {
        bits::put(word, slot.saturating_mul(WIDTH), WIDTH, self.0 as u64)
    }

    /// The 21 bits.
    pub const fn raw(self) -> u32 {
        self.0
    }

    const fn get(self, lo: u32, width: u32) -> u8 {
        bits::get(self.0 as u64, lo, width) as u8
    }

    const fn with(self, lo: u32, width: u32, value: u8) -> Self {
        Self(bits::put(self.0 as u64, lo, width, value as u64) as u32)
    }

    /// Cycles until the next instruction issues, 0..=15.
    pub const fn stall(self) -> u8 {
        self.get(0, 4)
    }

    /// The yield bit.
    pub const fn yield_bit(self) -> bool {
        self.get(4, 1) == 1
    }

    /// The scoreboard that is set until the results are written: 0..=5, 7 = none.
    pub const fn wr(self) -> u8 {
        self.get(5, 3)
    }

    /// The scoreboard that is set until the sources are read: 0..=5, 7 = none.
    pub const fn rd(self) -> u8 {
        self.get(8, 3)
    }

    /// Mask of the scoreboards that the instruction waits for, a bit per scoreboard.
    pub const fn wait(self) -> u8 {
        self.get(11, 6)
    }

    /// The reuse bits: bit 0 first source, 1 second, 2 third. The low two are the texture phase.
    pub const fn reuse(self) -> u8 {
        self.get(17, 4)
    }

    /// The texture phase.
    pub const fn phase(self) -> Phase {
        match self.get(17, 2) {
            0 => Phase::None,
            1 => Phase::T,
            2 => Phase::P,
            _ => Phase::Invalid3,
        }
    }

    /// Returns whether the slot opens a dual-issued pair: the next slot issues in the same cycle.
    pub const fn opens_pair(self) -> bool {
        self.get(0, 5) == 0x10
    }

    /// Returns the field with [`wr`](Self::wr) set to the low three bits of `wr`.
    #[must_use]
    pub const fn with_wr(self, wr: u8) -> Self {
        self.with(5, 3, wr)
    }

    /// Returns the field with [`rd`](Self::rd) set to the low three bits of `rd`.
    #[must_use]
    pub const fn with_rd(self, rd: u8) -> Self {
        self.with(8, 3, rd)
    }

    /// Returns the field with [`wait`](Self::wait) set to the low six bits of `wait`.
    #[must_use]
    pub const fn with_wait(self, wait: u8) -> Self {
        self.with(11, 6, wait)
    }

    /// Returns the field with this phase.
    #[must_use]
    pub const fn with_phase(self, phase: Phase) -> Self {
        self.with(17, 2, phase as u8)
    }

    /// Returns the bits that no named annotation of the text has: stall in bits 3:0, yield in 4, field bits 20:19 in 6:5.
    pub const fn schedule(self) -> u8 {
        self.get(0, 5) | self.get(19, 2) << 5
    }

    /// Returns the field with [`schedule`](Self::schedule) set to the low seven bits of `schedule`.
    #[must_use]
    pub const fn with_schedule(self, schedule: u8) -> Self {
        self.with(0, 5, schedule).with(19, 2, schedule >> 5)
    }
}

impl Default for SchedulingControl {
    fn default() -> Self {
        Self::NEUTRAL
    }
}

/// The effect of a texture instruction on the warp's texture hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Phase {
    /// Nothing.
    #[default]
    None = 0,
    /// `.T`: increments the texture component afterwards.
    T = 1,
    /// `.P`: increments the phase component afterwards and clears the texture component.
    P = 2,
    /// The fourth code, which the disassembler prints as invalid.
    Invalid3 = 3,
}

impl Phase {
    /// The suffix of the mnemonic.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::None => "",
            Self::T => ".T",
            Self::P => ".P",
            Self::Invalid3 => ".INVALIDPHASE3",
        }
    }
}
