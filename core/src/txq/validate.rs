//! Rules that a decoded TXQ instruction may break.

use super::instruction::{RZ, Txq};
use crate::Platform;
use crate::rules::Violations;

rules! {
    /// The rules of a TXQ.
    pub enum TxqRule {
        PlatformHasNoTxq = "platform-has-no-txq", "this encoding belongs to SM 5.0 to 6.2 (Maxwell, Pascal)";
        RdAlignment = "rd-alignment", "Rd is aligned to the number of components written, 3 counting as 4 (manual, restriction 1)";
        RdRange = "rd-range", "the components written end at R254";
        RaIsRz = "ra-is-rz", "Ra is not RZ when the query reads a register (manual, restriction 2)";
        RaAlignment = "ra-alignment", "Ra is aligned to the number of registers read (manual, restriction 3)";
        RaRange = "ra-range", "the registers read end at R254";
        EmptyMask = "empty-write-mask", "the write mask has at least one component";
        IgnoredBits = "ignored-bits", "bits without a meaning are 0";
        Phase = "phase", "the phase is none, .T or .P";
        Scoreboard = "scoreboard", "&rd and &wr name scoreboards 0 to 5, or 7 for none";
        QueryUndocumented = "query-undocumented", "the manual supports the three header queries only";
    }
}

impl Txq {
    /// Returns the rules that this instruction breaks on `platform`.
    pub fn validate(self, platform: Platform) -> Violations<TxqRule> {
        let (rd, ra) = (u16::from(self.rd()), u16::from(self.ra()));
        let written = self.destinations() as u16;
        let read = u16::from(self.sources());
        let no_source = self.ra() == RZ;
        let control = self.control();
        let end = u16::from(RZ);
        let mut broken = Violations::NONE;
        broken.add(TxqRule::PlatformHasNoTxq, !matches!(platform, Platform::Maxwell | Platform::Pascal));
        broken.add(TxqRule::RdAlignment, misaligned(rd, written));
        broken.add(TxqRule::RdRange, written > 0 && rd + written > end);
        broken.add(TxqRule::RaIsRz, no_source && read > 0);
        broken.add(TxqRule::RaAlignment, !no_source && misaligned(ra, read));
        broken.add(TxqRule::RaRange, !no_source && read > 0 && ra + read > end);
        broken.add(TxqRule::EmptyMask, self.mask().mask() == 0);
        broken.add(TxqRule::IgnoredBits, self.ignored_bits() != 0);
        broken.add(TxqRule::Phase, control.phase() == super::Phase::Invalid3);
        broken.add(TxqRule::Scoreboard, control.wr() == 6 || control.rd() == 6);
        broken.add(TxqRule::QueryUndocumented, self.query().op().is_none());
        broken
    }
}

/// Returns whether `register` is no multiple of `count` rounded up to a power of two.
const fn misaligned(register: u16, count: u16) -> bool {
    register & count.next_power_of_two().wrapping_sub(1) != 0
}
