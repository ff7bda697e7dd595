//! The assembler: reads the disassembler's form and the manual's two forms.
//!
//! ```text
//! {@{!}Pg} TXQ{.B}{.NODEP}{.phase} Rd, Ra, #query, #index {, #mask}        {&req} {&rd} {&wr} {?sched} {;}
//! {@{!}Pg} TXQ{.B}{.NODEP}{.phase} Rd, Ra, #query, #tid, #smp, #mask       {&req} {&rd} {&wr} {?sched} {;}
//! ```
//! * The `#` may be left out; numbers are decimal or 0x hex; letters of either case.
//! * One immediate: index, the mask is 0xf. Two: index, mask. Three: tid, smp, mask; index = smp << 8 | tid.
//! * query: a name, or the number of a query (as the disassembler prints queries without a name).
//! * TXQ.B ignores its index: the text must have one, but the field is 0, as compilers leave it.
//! * `&req_M`, `&req=M` (M: mask of six scoreboards), `&req={0,5}`, `&rdN`, `&rd=N`, `&wrN`, `&wr=N`,
//!   `?N`, `?sched=N` (N as [`SchedulingControl::schedule`]). Other fields are as in [`SchedulingControl::NEUTRAL`].

use super::control::{Phase, SchedulingControl};
use super::instruction::{Guard, RZ, Txq, TxqFields};
use super::query::Query;
use crate::error::{Error, Kind, Result, What};
use crate::message::Channels;

impl Txq {
    /// Parses one instruction.
    ///
    /// # Errors
    /// `Invalid` with the thing that was expected, and the column as offset.
    pub fn parse(text: &str) -> Result<Self> {
        Parser { text: text.as_bytes(), at: 0 }.instruction()
    }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Parser<'a> {
    fn instruction(&mut self) -> Result<Txq> {
        let guard = self.guard()?;
        self.blanks();
        if !self.suffix(b"TXQ") {
            return Err(self.error(What::TxqMnemonic));
        }
        let bindless = self.suffix(b".B");
        let nodep = self.suffix(b".NODEP");
        let phase = [Phase::T, Phase::P, Phase::Invalid3]
            .into_iter()
            .find(|phase| self.suffix(phase.suffix().as_bytes()))
            .unwrap_or_default();
        if self.peek().is_some_and(|next| !next.is_ascii_whitespace()) {
            return Err(self.error(What::TxqSuffix));
        }
        let rd = self.register()?;
        self.comma()?;
        let ra = self.register()?;
        self.comma()?;
        let query = self.query()?;
        let (index, mask) = self.immediates()?;
        let control = self.annotations(SchedulingControl::NEUTRAL.with_phase(phase))?;
        self.end()?;
        let index = if bindless { 0 } else { index };
        let mask = Channels::new(mask);
        Ok(TxqFields { bindless, guard, rd, ra, query, index, mask, nodep, unused: 0 }.encode(control))
    }

    fn guard(&mut self) -> Result<Guard> {
        if !self.symbol(b'@') {
            return Ok(Guard::ALWAYS);
        }
        let negate = self.symbol(b'!');
        let expected = self.error(What::TxqPredicate);
        let predicate = match self.token() {
            [b'P' | b'p', b'T' | b't'] => 7,
            [b'P' | b'p', digit @ b'0'..=b'6'] => digit.wrapping_sub(b'0'),
            _ => return Err(expected),
        };
        Ok(Guard { predicate, negate })
    }

    fn register(&mut self) -> Result<u8> {
        self.blanks();
        let expected = self.error(What::TxqRegister);
        match self.token() {
            [b'R' | b'r', b'Z' | b'z'] => Ok(RZ),
            [b'R' | b'r', digits @ ..] => match radix(digits, 10) {
                Some(number @ 0..=254) => Ok(number as u8),
                _ => Err(expected),
            },
            _ => Err(expected),
        }
    }

    fn query(&mut self) -> Result<Query> {
        self.symbol(b'#');
        self.blanks();
        let expected = self.error(What::Query);
        let token = self.token();
        let numbered = number(token).and_then(|number| Query::from_number(u8::try_from(number).ok()?));
        let named = core::str::from_utf8(token).ok().and_then(Query::from_name);
        named.or(numbered).ok_or(expected)
    }

    /// Takes one to three immediates; returns the index and the mask.
    fn immediates(&mut self) -> Result<(u16, u8)> {
        let mut found = [(0, self.error(What::TxqImmediate)); 3];
        let mut count = 0_usize;
        while let Some(slot) = found.get_mut(count).filter(|_| self.symbol(b',')) {
            *slot = self.immediate()?;
            count = count.wrapping_add(1);
        }
        let [first, second, third] = found;
        let limit =
            |(value, error): (u32, Error), max: u32| if value <= max { Ok(value) } else { Err(error) };
        match count {
            0 => Err(first.1),
            1 => Ok((limit(first, 0x1fff)? as u16, 15)),
            2 => Ok((limit(first, 0x1fff)? as u16, limit(second, 15)? as u8)),
            _ => {
                let index = limit(second, 31)? << 8 | limit(first, 255)?;
                Ok((index as u16, limit(third, 15)? as u8))
            }
        }
    }

    /// Takes a number; returns it with the error, at its position, for the case that it is too large.
    fn immediate(&mut self) -> Result<(u32, Error)> {
        self.symbol(b'#');
        self.blanks();
        let expected = self.error(What::TxqImmediate);
        let value = number(self.token()).ok_or(expected)?;
        Ok((value, expected.value(u64::from(value))))
    }

    fn annotations(&mut self, mut control: SchedulingControl) -> Result<SchedulingControl> {
        loop {
            self.blanks();
            let expected = self.error(What::TxqAnnotation);
            let annotation = [
                (
                    &b"&req"[..],
                    63,
                    SchedulingControl::with_wait as fn(SchedulingControl, u8) -> SchedulingControl,
                ),
                (b"&rd", 7, SchedulingControl::with_rd),
                (b"&wr", 7, SchedulingControl::with_wr),
                (b"?sched", 127, SchedulingControl::with_schedule),
                (b"?", 127, SchedulingControl::with_schedule),
            ];
            let Some((name, max, with)) = annotation.into_iter().find(|(name, ..)| self.suffix(name)) else {
                return Ok(control);
            };
            let _ = self.suffix(b"=") || self.suffix(b"_");
            let value =
                if name == b"&req" && self.symbol(b'{') { Some(self.set()?) } else { number(self.token()) };
            match value {
                Some(value) if value <= max => control = with(control, value as u8),
                _ => return Err(expected),
            }
        }
    }

    /// Takes the rest of a set of scoreboards, as `0,3}`; returns its mask.
    fn set(&mut self) -> Result<u32> {
        let mut mask = 0_u32;
        while !self.symbol(b'}') {
            let expected = self.error(What::TxqAnnotation);
            match number(self.token()) {
                Some(bit @ 0..=5) => mask |= 1 << bit,
                _ => return Err(expected),
            }
            self.symbol(b',');
            self.blanks();
        }
        Ok(mask)
    }

    fn end(&mut self) -> Result<()> {
        self.symbol(b';');
        self.blanks();
        if self.peek().is_some() { Err(self.error(What::TxqEnd)) } else { Ok(()) }
    }

    fn comma(&mut self) -> Result<()> {
        if self.symbol(b',') { Ok(()) } else { Err(self.error(What::TxqComma)) }
    }

    /// Takes `suffix` if it is next; returns whether it was. After one with a dot the word must end: `.B` does not match in `.BAD`.
    fn suffix(&mut self, suffix: &[u8]) -> bool {
        let found = self.rest().split_at_checked(suffix.len()).is_some_and(|(head, rest)| {
            let ends = !suffix.starts_with(b".") || rest.first().is_none_or(|&next| !is_word(next));
            ends && head.eq_ignore_ascii_case(suffix)
        });
        if found {
            self.at = self.at.wrapping_add(suffix.len());
        }
        found
    }

    /// Takes `symbol`, after white space, if it is next; returns whether it was.
    fn symbol(&mut self, symbol: u8) -> bool {
        self.blanks();
        self.suffix(&[symbol])
    }

    /// Takes letters, digits and underscores.
    fn token(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
        self.at = self.at.wrapping_add(length);
        rest.get(..length).unwrap_or_default()
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at = self.at.wrapping_add(1);
        }
    }

    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn error(&self, what: What) -> Error {
        Error::new(Kind::Invalid, what).at(self.at).value(u64::from(self.peek().unwrap_or_default()))
    }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn number(token: &[u8]) -> Option<u32> {
    match token {
        [b'0', b'x' | b'X', digits @ ..] => radix(digits, 16),
        digits => radix(digits, 10),
    }
}

fn radix(digits: &[u8], radix: u32) -> Option<u32> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u32, |value, &digit| {
        value.checked_mul(radix)?.checked_add(char::from(digit).to_digit(radix)?)
    })
}
