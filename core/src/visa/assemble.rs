//! The assembler: translates the text form of [`text`](super::text) to bytes.
//!
//! It accepts the reference tool's lines and the spelling of the documents: any case of mnemonics, flags and
//! channel letters, `(16)` for `(M1, 16)`, `RESINFO (16) ...` without channels (RGBA), `LOD` and `SAMPLE+KILLPIX` (which the
//! tool prints but does not read), the later operations of gather4, a comment after `//`. As in the tool, flags must be in
//! a fixed order, each at most once, and channels in the order RGBA.
//!
//! It is stricter than the tool: it refuses an offset of 65536 (which the tool wraps to 0), a surface in the place of a
//! sampler or a sampler in the place of a surface, no parameters, and more than 15 (gather4: 7).

mod operand;

use super::Version;
use super::encode::ByteWriter;
use super::media::MediaInstruction;
use super::opcodes::cut;
use super::operand::{MAX_PREDICATE, VectorKind};
use super::operation::Operation;
use super::symbols::{PREDEFINED_SURFACES, Symbols};
use super::text::UNORM_FORMATS;
use crate::error::{Error, Kind, Result, What};

/// Writes the bytes of the instruction in `text`, of the sampler or the media family, to `out` and returns their number.
///
/// `symbols` resolves names, except for predefined ones.
///
/// # Errors
/// The error's offset is a byte offset in `text`. `Unknown Mnemonic`, `Variable`, `SamplerIndex`, `SurfaceIndex`, `Predicate`,
/// `ElementType`; `Invalid Mnemonic` (flags that are not in order or come twice, a format that `sample_unorm` does not have), `Predicate`
/// (of INFO, which takes none), `ChannelLetters`, `ExecSize`, `ExecMask`, `Number`, `Punctuation` (the value is the character that was
/// expected), `TextEnd`, `ParameterCount`, `OperandText`; `NotOnPlatform` for what `version` cannot encode (a `Variable` of more than
/// 16 bits before 3.4); `Capacity` when `out` is too small ([`MAX_SAMPLER_BYTES`](super::MAX_SAMPLER_BYTES) is always enough).
pub fn assemble(text: &str, symbols: &impl Symbols, version: Version, out: &mut [u8]) -> Result<usize> {
    let mut parser = Parser { text: text.as_bytes(), at: 0, symbols, version };
    let out = &mut ByteWriter::new(out);
    parser.blanks();
    let pred = parser.predicate()?;
    let (start, head) = parser.word();
    let mut parts = head.split(|&byte| byte == b'.');
    let name = parts.next().unwrap_or_default();
    match Operation::named(name) {
        Some(operation) => parser.sampler(operation, pred, start, parts, out)?,
        None => parser.media(pred, start, head, out)?,
    }
    parser.end()?;
    Ok(out.len())
}

struct Parser<'t, 's, S> {
    text: &'t [u8],
    at: usize,
    symbols: &'s S,
    version: Version,
}

impl<'t, S: Symbols> Parser<'t, '_, S> {
    fn error(&self, kind: Kind, what: What) -> Error {
        Error::new(kind, what).at(self.at)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at = self.at.wrapping_add(1);
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at = self.at.wrapping_add(usize::from(found));
        found
    }

    fn expect(&mut self, byte: u8) -> Result<()> {
        self.blanks();
        if self.take(byte) {
            Ok(())
        } else {
            Err(self.error(Kind::Invalid, What::Punctuation).value(byte.into()))
        }
    }

    /// Takes the bytes that `is` accepts; returns their start and the bytes.
    fn run(&mut self, is: impl Fn(u8) -> bool) -> (usize, &'t [u8]) {
        let start = self.at;
        while self.peek().is_some_and(&is) {
            self.at = self.at.wrapping_add(1);
        }
        (start, self.text.get(start..self.at).unwrap_or_default())
    }

    /// Takes a mnemonic with its suffixes; returns its start and its bytes.
    fn word(&mut self) -> (usize, &'t [u8]) {
        self.blanks();
        self.run(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-'))
    }

    fn number(&mut self) -> Result<u32> {
        self.blanks();
        let (start, digits) = self.run(|byte| byte.is_ascii_digit());
        parse(digits).ok_or(Error::new(Kind::Invalid, What::Number).at(start))
    }

    /// Takes a number, which must fit `T`.
    fn fitting<T: TryFrom<u32>>(&mut self) -> Result<T> {
        self.blanks();
        let at = self.at;
        let number = self.number()?;
        T::try_from(number).map_err(|_| Error::new(Kind::Invalid, What::Number).at(at).value(number.into()))
    }

    fn end(&mut self) -> Result<()> {
        self.blanks();
        let rest = self.text.get(self.at..).unwrap_or_default();
        if rest.is_empty() || rest.starts_with(b"//") {
            Ok(())
        } else {
            Err(self.error(Kind::Invalid, What::TextEnd))
        }
    }

    /// Takes a predicate, as `(P1)` or `(!P1.any)`; returns the predicate field, 0 without a predicate.
    fn predicate(&mut self) -> Result<u16> {
        if !self.take(b'(') {
            return Ok(0);
        }
        self.blanks();
        let inverse = self.take(b'!');
        let start = self.at;
        let error = Error::new(Kind::Unknown, What::Predicate).at(start);
        let (_, word) = self.run(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
        let mut parts = word.splitn(2, |&byte| byte == b'.');
        let index = parts.next().and_then(|name| name.strip_prefix(b"P")).and_then(parse).ok_or(error)?;
        let control = match parts.next() {
            None => 0,
            Some(b"any") => 1,
            Some(b"all") => 2,
            Some(_) => return Err(error),
        };
        let index = u16::try_from(index).map_err(|_| error)?;
        if index == 0 || index > MAX_PREDICATE || !self.symbols.has_predicate(index) {
            return Err(error.value(index.into()));
        }
        self.expect(b')')?;
        self.blanks();
        Ok(index | control << 13 | u16::from(inverse) << 15)
    }

    fn sampler<'p>(
        &mut self,
        operation: &Operation,
        pred: u16,
        start: usize,
        suffixes: impl Iterator<Item = &'p [u8]>,
        out: &mut ByteWriter<'_>,
    ) -> Result<()> {
        let opcode = operation.opcode;
        let info = opcode == 0x70;
        if info && pred != 0 {
            return Err(Error::new(Kind::Invalid, What::Predicate).at(0).value(pred.into()));
        }
        let (flags, channels) = suffixes_of(opcode, operation.name.len().wrapping_add(start), suffixes)?;
        out.put(&[opcode])?;
        let number = u16::from(operation.number);
        if info {
            out.put(&[operation.number])?;
        } else if self.version.major >= 4 {
            out.put(&(number | flags << 8).to_le_bytes())?;
        } else if number < 32 {
            out.put(&[(number | flags << 5) as u8])?;
        } else {
            return Err(Error::new(Kind::NotOnPlatform, What::Operation).at(start).value(number.into()));
        }
        let exec = self.exec()?;
        out.put(&[exec])?;
        if !info {
            out.put(&pred.to_le_bytes())?;
        }
        out.put(&[channels])?;
        if !info {
            self.offsets(out)?;
        }
        if matches!(opcode, 0x6d | 0x6f) {
            self.sampler_index(out)?;
        }
        self.surface(out)?;
        if operation.number == 10 {
            self.raw()?.encode(out, self.version)?;
        }
        self.raw()?.encode(out, self.version)?;
        if info { Ok(()) } else { self.params(if opcode == 0x6f { 7 } else { 15 }, out) }
    }

    fn params(&mut self, most: u8, out: &mut ByteWriter<'_>) -> Result<()> {
        let count_at = out.len();
        out.put(&[0])?;
        let mut count = 0u8;
        loop {
            self.blanks();
            if matches!(self.peek(), None | Some(b'/')) {
                break;
            }
            if count == most {
                return Err(self.error(Kind::Invalid, What::ParameterCount).value(u64::from(most) + 1));
            }
            self.raw()?.encode(out, self.version)?;
            count = count.wrapping_add(1);
        }
        if count == 0 {
            return Err(self.error(Kind::Invalid, What::ParameterCount).value(0));
        }
        out.patch(count_at, count);
        Ok(())
    }

    /// Takes `(M1, 16)` or `(16)`; returns the execution byte.
    fn exec(&mut self) -> Result<u8> {
        self.expect(b'(')?;
        self.blanks();
        let mut nibble = 0;
        if matches!(self.peek(), Some(b'M' | b'm')) {
            let (at, name) = self.run(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            nibble = mask(name).ok_or(Error::new(Kind::Invalid, What::ExecMask).at(at))?;
            // In 3.0, M1_NM is the only mask that ignores the dispatch mask.
            if !self.version.at_least(3, 1) && nibble > 8 {
                return Err(Error::new(Kind::NotOnPlatform, What::ExecMask).at(at).value(nibble.into()));
            }
            self.expect(b',')?;
        }
        Ok(nibble << 4 | self.exec_size(32)?)
    }

    /// Takes an execution size of at most `most` and the closing parenthesis; returns the size's log2.
    fn exec_size(&mut self, most: u32) -> Result<u8> {
        self.blanks();
        let at = self.at;
        let size = self.number()?;
        if !size.is_power_of_two() || size > most {
            return Err(Error::new(Kind::Invalid, What::ExecSize).at(at).value(size.into()));
        }
        self.expect(b')')?;
        Ok(size.trailing_zeros() as u8)
    }

    fn offsets(&mut self, out: &mut ByteWriter<'_>) -> Result<()> {
        self.blanks();
        let at = self.at;
        let vector = self.vector()?;
        if self.version.at_least(3, 4) {
            return vector.encode(out, self.version);
        }
        match vector.kind {
            VectorKind::Immediate { value, .. } if value <= 0xffff => out.put(&(value as u16).to_le_bytes()),
            _ => Err(Error::new(Kind::NotOnPlatform, What::VectorOperand).at(at)),
        }
    }

    fn sampler_index(&mut self, out: &mut ByteWriter<'_>) -> Result<()> {
        let (start, name) = self.name();
        let error = Error::new(Kind::Unknown, What::SamplerIndex).at(start);
        let index = name.strip_prefix(b"S").and_then(parse).ok_or(error)?;
        let index = u8::try_from(index).ok().filter(|&index| self.symbols.has_sampler(index));
        out.put(&[index.ok_or(error)?])
    }

    fn surface(&mut self, out: &mut ByteWriter<'_>) -> Result<()> {
        let (start, name) = self.name();
        let error = Error::new(Kind::Unknown, What::SurfaceIndex).at(start);
        let predefined = PREDEFINED_SURFACES.iter().position(|surface| surface.as_bytes() == name);
        let index = match predefined {
            Some(index) => index as u8,
            None => {
                let index = name.strip_prefix(b"T").and_then(parse).ok_or(error)?;
                let index = u8::try_from(index).map_err(|_| error)?;
                Some(index).filter(|&index| index >= 6 && self.symbols.has_surface(index)).ok_or(error)?
            }
        };
        out.put(&[index])
    }

    /// Assembles an instruction of the media family; `head` is the whole mnemonic with its suffixes.
    fn media(&mut self, pred: u16, start: usize, head: &[u8], out: &mut ByteWriter<'_>) -> Result<()> {
        let unknown = Error::new(Kind::Unknown, What::Mnemonic).at(start);
        if pred != 0 {
            return Err(unknown);
        }
        let mut parts = head.split(|&byte| byte == b'.');
        let name = parts.next().unwrap_or_default();
        let is = |known: &str| [name, head].iter().any(|text| known.as_bytes().eq_ignore_ascii_case(text));
        let (opcode, sub, fields) = MediaInstruction::layout(is).ok_or(unknown)?;
        out.put(&[opcode])?;
        if let Some(sub) = sub {
            out.put(&[sub])?;
        }
        let mut fields = fields;
        if matches!(opcode, 0x40..=0x43) {
            let letters = Error::new(Kind::Invalid, What::ChannelLetters).at(start);
            let mask = parts.next().and_then(channel_mask).ok_or(letters)?;
            let high = match opcode {
                0x40 | 0x42 => self.media_size()?,
                0x41 => {
                    let format = parts.next().unwrap_or_default();
                    let found = UNORM_FORMATS.iter().position(|name| name.as_bytes() == format);
                    found.ok_or(Error::new(Kind::Invalid, What::Mnemonic).at(start))? as u8
                }
                _ => 0,
            };
            if parts.next().is_some() {
                return Err(unknown);
            }
            out.put(&[mask | high << 4])?;
            fields = cut(fields, b' ').1;
        }
        while !fields.is_empty() {
            let (field, rest) = cut(fields, b' ');
            fields = rest;
            match cut(field, b':') {
                ("r", _) => self.raw()?.encode(out, self.version)?,
                ("v", _) => self.vector()?.encode(out, self.version)?,
                (_, "surface" | "dst_surface") => self.surface(out)?,
                (_, "sampler") => self.sampler_index(out)?,
                _ => {
                    let byte = self.fitting()?;
                    out.put(&[byte])?;
                }
            }
        }
        Ok(())
    }

    /// Takes `(8)` or `(16)`; returns the mode bits of the SIMD size.
    fn media_size(&mut self) -> Result<u8> {
        self.expect(b'(')?;
        let at = self.at;
        self.exec_size(16)?.checked_sub(3).ok_or(Error::new(Kind::Invalid, What::ExecSize).at(at))
    }
}

/// Returns the flag bits and the channels byte of the suffixes `.FLAGS.CHANNELS`, which start at `at` of the text.
fn suffixes_of<'p>(opcode: u8, at: usize, suffixes: impl Iterator<Item = &'p [u8]>) -> Result<(u16, u8)> {
    const FLAGS: [&str; 3] = ["pixel_null_mask", "cps", "divS"];
    let known = match opcode {
        0x6d => 3,
        0x70 => 0,
        _ => 1,
    };
    let (mut flags, mut at, mut channels) = (0u16, at, None);
    for suffix in suffixes {
        at = at.wrapping_add(1);
        let flag = FLAGS.iter().take(known).position(|name| name.as_bytes().eq_ignore_ascii_case(suffix));
        match flag {
            // Flags are in order, each once, before the channels.
            Some(bit) if channels.is_none() && flags >> bit == 0 => flags |= 1 << bit,
            None if channels.is_none() => {
                let error = Error::new(Kind::Invalid, What::ChannelLetters).at(at);
                let mask = channel_mask(suffix).ok_or(error)?;
                let one = opcode != 0x6f || mask.is_power_of_two();
                channels = Some(if one { mask } else { return Err(error) });
            }
            _ => return Err(Error::new(Kind::Invalid, What::Mnemonic).at(at)),
        }
        at = at.wrapping_add(suffix.len());
    }
    let channels = match (channels, opcode) {
        (Some(mask), 0x6f) => mask.trailing_zeros() as u8,
        (Some(mask), _) => mask,
        (None, 0x70) => 15,
        (None, _) => return Err(Error::new(Kind::Invalid, What::ChannelLetters).at(at)),
    };
    Ok((flags, channels))
}

/// Returns the mask of channel letters, which must be in the order RGBA; `None` for empty and any other text.
fn channel_mask(letters: &[u8]) -> Option<u8> {
    let mut mask = 0u8;
    for letter in letters {
        let bit = b"RGBA".iter().position(|name| name.eq_ignore_ascii_case(letter))?;
        if mask >> bit != 0 {
            return None;
        }
        mask |= 1 << bit;
    }
    (mask != 0).then_some(mask)
}

/// Returns `M1` .. `M8`, `M1_NM` .. `M8_NM` as the upper four bits of an execution byte.
fn mask(name: &[u8]) -> Option<u8> {
    let (&[_, digit], rest) = name.split_first_chunk()?;
    let quarter = digit.checked_sub(b'1').filter(|&quarter| quarter < 8)?;
    match rest {
        [] => Some(quarter),
        _ if rest.eq_ignore_ascii_case(b"_NM") => Some(quarter | 8),
        _ => None,
    }
}

/// Parses decimal digits, at least one.
fn parse(digits: &[u8]) -> Option<u32> {
    let plain = digits.first()?.is_ascii_digit();
    core::str::from_utf8(digits).ok()?.parse().ok().filter(|_| plain)
}
