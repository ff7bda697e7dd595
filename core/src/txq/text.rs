//! TXQ as text: the disassembler's canonical form, and the manual's form with the control field.

use super::instruction::{Guard, RZ, Txq};
use core::fmt;

/// Longest text: `@!PT TXQ.B.NODEP.INVALIDPHASE3 R254, R254, TEX_SAMPLER_BORDER_COLOR, 0x1fff, 0xf;`
const CAPACITY: usize = 96;

/// A line of text that is under construction.
struct Line(heapless::String<CAPACITY>);

impl Line {
    fn of(txq: Txq) -> Self {
        let mut line = Self(heapless::String::new());
        line.guard(txq.guard());
        line.text("TXQ");
        line.text(if txq.bindless() { ".B" } else { "" });
        line.text(if txq.nodep() { ".NODEP" } else { "" });
        line.text(txq.control().phase().suffix());
        line.text(" ");
        line.register(txq.rd());
        line.text(", ");
        line.register(txq.ra());
        line.text(", ");
        match txq.query().name() {
            Some(name) => line.text(name),
            None => line.number::<10>(txq.query().number().into()),
        }
        line.text(", 0x");
        line.number::<16>(txq.index());
        line.text(", 0x");
        line.number::<16>(txq.mask().mask().into());
        line
    }

    fn text(&mut self, text: &str) {
        // `CAPACITY` holds the longest text, so nothing is ever refused (tested).
        let _ = self.0.push_str(text);
    }

    /// Appends a guard, as `@P0 ` or `@!PT `; nothing for one that is always true.
    fn guard(&mut self, guard: Guard) {
        if guard == Guard::ALWAYS {
            return;
        }
        self.text(if guard.negate { "@!P" } else { "@P" });
        match guard.predicate {
            7 => self.text("T"),
            number => self.number::<10>(number.into()),
        }
        self.text(" ");
    }

    fn register(&mut self, number: u8) {
        match number {
            RZ => self.text("RZ"),
            number => {
                self.text("R");
                self.number::<10>(number.into());
            }
        }
    }

    /// Appends a number without leading zeros, of at most five digits.
    fn number<const RADIX: u16>(&mut self, value: u16) {
        let mut digits = [0; 5];
        let mut rest = value;
        let mut first = digits.len();
        for (at, digit) in digits.iter_mut().enumerate().rev() {
            *digit = b"0123456789abcdef".get(usize::from(rest % RADIX)).copied().unwrap_or_default();
            rest /= RADIX;
            first = at;
            if rest == 0 {
                break;
            }
        }
        let digits = digits.get(first..).unwrap_or_default();
        self.text(core::str::from_utf8(digits).unwrap_or_default());
    }
}

impl fmt::Display for Guard {
    /// Prints as `@P0` or `@!PT`; nothing for a guard that is always true.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Line(heapless::String::new());
        line.guard(*self);
        f.write_str(line.0.trim_end())
    }
}

impl fmt::Display for Txq {
    /// `TXQ.T R24, R5, TEX_HEADER_DIMENSION, 0x53, 0x1;`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Line::of(*self);
        line.text(";");
        f.write_str(&line.0)
    }
}

/// A TXQ that prints with the control field as the manual's annotations; [`Txq::parse`] reads the whole control field back.
///
/// `TXQ.T R24, R5, TEX_HEADER_DIMENSION, 0x53, 0x1 &req_3 &rd7 &wr5 ?0x11;`
#[derive(Clone, Copy, Debug)]
pub struct FullText(pub Txq);

impl fmt::Display for FullText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Line::of(self.0).0)?;
        let control = self.0.control();
        let (wait, rd, wr, schedule) = (control.wait(), control.rd(), control.wr(), control.schedule());
        write!(f, " &req_{wait} &rd{rd} &wr{wr} ?{schedule:#x};")
    }
}
