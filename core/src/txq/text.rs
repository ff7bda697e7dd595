//! Text: the disassembler's one canonical form, and the manual's form with the control field.

use super::instruction::{Guard, RZ, Txq};
use core::fmt;

struct Register(u8);

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            RZ => f.write_str("RZ"),
            number => write!(f, "R{number}"),
        }
    }
}

impl fmt::Display for Guard {
    /// `@P0 `, `@!PT `, or nothing where it is always true.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALWAYS {
            return Ok(());
        }
        let not = if self.negate { "!" } else { "" };
        match self.predicate {
            7 => write!(f, "@{not}PT "),
            number => write!(f, "@{not}P{number} "),
        }
    }
}

fn instruction(txq: Txq, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(
        f,
        "{}TXQ{}{}{} {}, {}, {}, {:#x}, {:#x}",
        txq.guard(),
        if txq.bindless() { ".B" } else { "" },
        if txq.nodep() { ".NODEP" } else { "" },
        txq.control().phase().suffix(),
        Register(txq.rd()),
        Register(txq.ra()),
        txq.query(),
        txq.index(),
        txq.mask().mask(),
    )
}

impl fmt::Display for Txq {
    /// `TXQ.T R24, R5, TEX_HEADER_DIMENSION, 0x53, 0x1;`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        instruction(*self, f)?;
        f.write_str(";")
    }
}

/// The text with the control field as the manual's annotations; comes back whole from [`Txq::parse`].
///
/// `TXQ.T R24, R5, TEX_HEADER_DIMENSION, 0x53, 0x1 &req_3 &rd7 &wr5 ?0x11;`
#[derive(Clone, Copy, Debug)]
pub struct FullText(pub Txq);

impl fmt::Display for FullText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        instruction(self.0, f)?;
        let control = self.0.control();
        let (wait, rd, wr, schedule) = (control.wait(), control.rd(), control.wr(), control.schedule());
        write!(f, " &req_{wait} &rd{rd} &wr{wr} ?{schedule:#x};")
    }
}
