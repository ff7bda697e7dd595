//! Operands of the assembler: names, registers with regions, immediates.

use super::super::operand::{
    FIRST_VARIABLE, MAX_PREDICATE, RawOperand, Type, VectorKind, VectorOperand, region_code,
};
use super::super::symbols::{PREDEFINED_VARIABLES, Symbols};
use super::{Parser, parse};
use crate::error::{Error, Kind, Result, What};

impl<'t, S: Symbols> Parser<'t, '_, S> {
    /// Takes a name, everything up to the next white space; returns its start and its bytes.
    pub(super) fn name(&mut self) -> (usize, &'t [u8]) {
        self.blanks();
        self.run(|byte| !byte.is_ascii_whitespace())
    }

    fn variable(&self, name: &[u8], at: usize) -> Result<u32> {
        let predefined = PREDEFINED_VARIABLES.iter().position(|variable| variable.as_bytes() == name);
        let index = match predefined {
            Some(index) => index as u32,
            None => {
                let found = self.symbols.find(name).filter(|&index| index >= FIRST_VARIABLE);
                found.ok_or(Error::new(Kind::Unknown, What::Variable).at(at))?
            }
        };
        if self.version.index_bytes() == 2 && index > u16::MAX.into() {
            return Err(Error::new(Kind::NotOnPlatform, What::Variable).at(at).value(index.into()));
        }
        Ok(index)
    }

    /// Takes a raw operand, `NAME.OFFSET`.
    pub(super) fn raw(&mut self) -> Result<RawOperand> {
        let (start, word) = self.name();
        let error = Error::new(Kind::Invalid, What::OperandText).at(start);
        let dot = word.iter().rposition(|&byte| byte == b'.').ok_or(error)?;
        let (name, offset) = word.split_at_checked(dot).ok_or(error)?;
        let offset_at = start.wrapping_add(dot).wrapping_add(1);
        let number = Error::new(Kind::Invalid, What::Number).at(offset_at);
        let offset = offset.strip_prefix(b".").and_then(parse).ok_or(number)?;
        let offset = u16::try_from(offset).map_err(|_| number.value(offset.into()))?;
        let index = self.variable(name, start)?;
        if index == 0 && offset != 0 {
            return Err(number.value(offset.into()));
        }
        Ok(RawOperand { index, offset })
    }

    pub(super) fn vector(&mut self) -> Result<VectorOperand> {
        self.blanks();
        let modifier = self.modifier()?;
        match self.peek() {
            Some(b'0'..=b'9' | b'-') if modifier == 0 => self.immediate(),
            Some(b'r') if self.text.get(self.at..).is_some_and(|rest| rest.starts_with(b"r[")) => {
                self.indirect(modifier)
            }
            _ => self.named(modifier),
        }
    }

    /// Takes a modifier, `(abs)`, `(-)`, `(-abs)`, `(sat)` or `(~)`; returns its tag bits, 0 without a modifier.
    fn modifier(&mut self) -> Result<u8> {
        if !self.take(b'(') {
            return Ok(0);
        }
        let (at, word) = self.run(|byte| byte != b')' && !byte.is_ascii_whitespace());
        let code = match word {
            b"abs" => 1,
            b"-" => 2,
            b"-abs" => 3,
            b"sat" => 4,
            b"~" => 5,
            _ => return Err(Error::new(Kind::Invalid, What::OperandText).at(at)),
        };
        self.expect(b')')?;
        Ok(code << 3)
    }

    /// Takes an immediate, as `0x11:uw` or `-1:w`.
    fn immediate(&mut self) -> Result<VectorOperand> {
        let (start, word) = self.name();
        let error = Error::new(Kind::Invalid, What::Number).at(start);
        let colon = word.iter().position(|&byte| byte == b':').ok_or(error)?;
        let (number, kind) = word.split_at_checked(colon).ok_or(error)?;
        let kind_at = start.wrapping_add(colon).wrapping_add(1);
        let kind = kind.strip_prefix(b":").and_then(Type::from_name);
        let kind = kind.ok_or(Error::new(Kind::Unknown, What::ElementType).at(kind_at))?;
        let value = immediate_value(number, kind).ok_or(error)?;
        Ok(VectorOperand { tag: 5, kind: VectorKind::Immediate { kind: kind.code(), value } })
    }

    /// Takes an indirect operand, as `r[A0(0),16]<0;1,0>:uw`.
    fn indirect(&mut self, tag: u8) -> Result<VectorOperand> {
        self.at = self.at.wrapping_add(2);
        self.blanks();
        let start = self.at;
        let (_, name) = self.run(|byte| byte.is_ascii_alphanumeric());
        let error = Error::new(Kind::Unknown, What::Variable).at(start);
        let index = name.strip_prefix(b"A").and_then(parse).ok_or(error)?;
        let index = u16::try_from(index).map_err(|_| error)?;
        self.expect(b'(')?;
        let offset = self.fitting()?;
        self.expect(b')')?;
        self.expect(b',')?;
        self.blanks();
        let at = self.at;
        let negative = self.take(b'-');
        let number = i64::from(self.number()?);
        let bytes = i16::try_from(if negative { number.wrapping_neg() } else { number });
        let bytes = bytes.map_err(|_| Error::new(Kind::Invalid, What::Number).at(at))?;
        self.expect(b']')?;
        let region = self.region()?;
        self.expect(b':')?;
        let (at, name) = self.run(|byte| byte.is_ascii_alphanumeric());
        let kind = Type::from_name(name).ok_or(Error::new(Kind::Unknown, What::ElementType).at(at))?.code();
        Ok(VectorOperand { tag: tag | 3, kind: VectorKind::Indirect { index, offset, bytes, kind, region } })
    }

    /// Takes an operand that begins with a name: `V38(0,0)<0;1,0>`, `A0(0)<1>`, `T6(0)`, `S0(0)` or `P1`.
    fn named(&mut self, tag: u8) -> Result<VectorOperand> {
        let (start, name) = self.run(|byte| !byte.is_ascii_whitespace() && byte != b'(');
        let error = Error::new(Kind::Invalid, What::OperandText).at(start);
        let numbered = |letter: u8| {
            let digits = name.split_first().filter(|(first, _)| **first == letter).map(|(_, rest)| rest);
            digits.and_then(parse).and_then(|index| u16::try_from(index).ok()).ok_or(error)
        };
        if self.peek() != Some(b'(') {
            // The stored bits above the index do not belong to it, and text does not have them.
            let index = Some(numbered(b'P')?).filter(|index| *index <= MAX_PREDICATE).ok_or(error)?;
            return Ok(VectorOperand { tag: tag | 2, kind: VectorKind::Predicate { index } });
        }
        self.expect(b'(')?;
        let row = self.fitting()?;
        self.blanks();
        if self.take(b',') {
            let column = self.fitting()?;
            self.expect(b')')?;
            let index = self.variable(name, start)?;
            let region = self.region()?;
            return Ok(VectorOperand { tag, kind: VectorKind::General { index, row, column, region } });
        }
        self.expect(b')')?;
        if self.peek() == Some(b'<') {
            self.expect(b'<')?;
            let width = self.fitting()?;
            self.expect(b'>')?;
            let kind = VectorKind::Address { index: numbered(b'A')?, offset: row, width };
            return Ok(VectorOperand { tag: tag | 1, kind });
        }
        let (class, index) = match numbered(b'T') {
            Ok(index) => (0, index),
            Err(_) => (1, numbered(b'S')?),
        };
        Ok(VectorOperand { tag: tag | 6, kind: VectorKind::State { class, index, offset: row } })
    }

    /// Takes a region, `<v;w,h>` or `<h>`; returns its code.
    fn region(&mut self) -> Result<u16> {
        self.blanks();
        let at = self.at;
        self.expect(b'<')?;
        let first = self.fitting()?;
        self.blanks();
        let strides = if self.take(b';') {
            let width = self.fitting()?;
            self.expect(b',')?;
            [Some(first), Some(width), Some(self.fitting()?)]
        } else {
            [None, None, Some(first)]
        };
        self.expect(b'>')?;
        region_code(strides).ok_or(Error::new(Kind::Invalid, What::OperandText).at(at))
    }
}

/// Returns the stored value of a number in the text. A negative one becomes two's complement: of 8 bits for ub, of 16 for uw,
/// hf and bf, else of all stored bytes.
fn immediate_value(number: &[u8], kind: Type) -> Option<u64> {
    let (negative, number) = match number.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, number),
    };
    let number = core::str::from_utf8(number).ok().filter(|n| n.starts_with(|c: char| c.is_ascii_digit()))?;
    let value = match number.strip_prefix("0x").or_else(|| number.strip_prefix("0X")) {
        Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16).ok()?,
        Some(_) => return None,
        None => number.parse().ok()?,
    };
    let stored = match kind {
        // Stored in four bytes, of which the type uses two: a number that needs more is not a word.
        Type::Uw => 0xffff,
        _ if kind.is_wide() => u64::MAX,
        _ => u32::MAX.into(),
    };
    if value > stored {
        return None;
    }
    if !negative {
        return Some(value);
    }
    let narrow = match kind {
        Type::Ub => 0xff,
        Type::Hf | Type::Bf => 0xffff,
        _ => stored,
    };
    Some(value.wrapping_neg() & narrow)
}
