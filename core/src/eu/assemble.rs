//! Parses a send from text in the syntax of the reference disassembler.
//!
//! ```text
//! [(W&~f0.1.any8h)] sends (8|M0) r6:f r1 r10 0x82 0x02420005 [{EOT}] [// comment]
//! ```
//! The position in an error is the column (from 0) of the part that was not understood.

use super::execution::{ExecutionControl, PredicateControl};
use super::form::{DescriptorSource, Form};
use super::names::function_name;
use super::operand::{Operand, RegisterFile, arch_from_name};
use super::send::{ADDRESS_REGISTER, EX_BSO_BIT, EX_BSO_LENGTH, SendInstruction, opcode};
use super::text::{LENGTH, OperandRole, THREAD, scoreboard_from_text};
use crate::enums::DataType;
use crate::error::{Error, Kind, Result, What};
use crate::platform::Platform;

/// The end of thread bit of an extended descriptor in text.
const EOT: u32 = 1 << 5;

/// The part of a line that has not been parsed, and the column where it begins.
struct Cursor<'a> {
    rest: &'a str,
    column: usize,
}

impl<'a> Cursor<'a> {
    fn skip_blanks(&mut self) {
        let trimmed = self.rest.trim_start();
        self.column = self.column.wrapping_add(self.rest.len().wrapping_sub(trimmed.len()));
        self.rest = trimmed;
    }

    /// Takes the characters up to the next blank; returns them and the column where they start.
    fn word(&mut self) -> (&'a str, usize) {
        self.skip_blanks();
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        let at = self.column;
        self.rest = rest;
        self.column = self.column.wrapping_add(end);
        (word, at)
    }

    /// Takes the text between brackets, if an opening bracket is next; returns it and the column where it starts.
    fn bracketed(&mut self, open: char, close: char) -> Result<Option<(&'a str, usize)>> {
        self.skip_blanks();
        let Some(inside) = self.rest.strip_prefix(open) else { return Ok(None) };
        let at = self.column.wrapping_add(1);
        let (content, rest) = inside.split_once(close).ok_or(unknown(What::Operands, at))?;
        self.column = at.wrapping_add(content.len()).wrapping_add(1);
        self.rest = rest;
        Ok(Some((content, at)))
    }
}

const fn unknown(what: What, column: usize) -> Error {
    Error::new(Kind::Unknown, what).at(column)
}

/// Parses a send of `platform` from `line`.
///
/// # Errors
/// `Unknown` with the part that was not understood, at its column; those of [`SendInstruction::encode`] when a value does not fit.
pub fn parse(platform: Platform, line: &str) -> Result<SendInstruction> {
    let line = cut(line, "//").map_or(line, |(code, _)| code);
    let mut cursor = Cursor { rest: line.trim_end(), column: 0 };
    let mut execution = ExecutionControl::default();
    if let Some((text, at)) = cursor.bracketed('(', ')')? {
        predicate(&mut execution, text).ok_or(unknown(What::PredicateControl, at))?;
    }
    let (word, at) = cursor.word();
    let mut send = mnemonic(platform, word).ok_or(unknown(What::Mnemonic, at))?;
    let (text, at) = cursor.bracketed('(', ')')?.ok_or(unknown(What::ExecSize, cursor.column))?;
    channels(&mut execution, text).ok_or(unknown(What::ExecSize, at))?;
    send.execution = execution;
    let length = operands(&mut send, &mut cursor)?;
    descriptors(&mut send, &mut cursor, length.map_or(0, |(length, _)| length))?;
    if let Some((text, at)) = cursor.bracketed('{', '}')? {
        options(&mut send, text, at)?;
    }
    cursor.skip_blanks();
    if !cursor.rest.is_empty() {
        return Err(unknown(What::Operands, cursor.column));
    }
    if let (Some((length, at)), DescriptorSource::Register(_)) = (length, send.extended) {
        if send.ex_bso() {
            send.rest = send.rest.put(EX_BSO_LENGTH.0, EX_BSO_LENGTH.1, length);
        } else if length != 0 {
            // The register has the length, and the instruction no room for it.
            return Err(unknown(What::MessageLength, at));
        }
    }
    // Refuses values that the form cannot hold.
    send.encode()?;
    Ok(send)
}

/// Parses mask control and predicate: `W`, `f0.1`, `~f1.0.any4h`, `W&f0.0`.
fn predicate(execution: &mut ExecutionControl, text: &str) -> Option<()> {
    let mut rest = text;
    if let Some(after) = rest.strip_prefix('W') {
        execution.no_mask = true;
        if after.is_empty() {
            return Some(());
        }
        rest = after.strip_prefix('&')?;
    }
    if let Some(after) = rest.strip_prefix('~') {
        execution.inverse = true;
        rest = after;
    }
    let mut parts = rest.strip_prefix('f')?.splitn(3, '.');
    let mut bit = || parts.next().and_then(|part| part.parse::<u8>().ok()).filter(|&bit| bit < 2);
    execution.flag = (bit()?, bit()?);
    execution.predicate = match parts.next() {
        None => PredicateControl::FLAG,
        Some("") => return None,
        Some(name) => PredicateControl::from_name(name)?,
    };
    Some(())
}

fn mnemonic(platform: Platform, word: &str) -> Option<SendInstruction> {
    let (name, function) = word.split_once('.').map_or((word, None), |(name, after)| (name, Some(after)));
    let (opcode, conditional) = match name {
        "send" => (opcode::SEND, false),
        "sendc" => (opcode::SENDC, true),
        "sends" => (opcode::SENDS, false),
        "sendsc" => (opcode::SENDSC, true),
        _ => return None,
    };
    // Refuses platforms without sends of these forms: NVIDIA, Xe-HPC, Xe2.
    let form = SendInstruction::form_of(platform, opcode as u8)?;
    let mut send = SendInstruction::new(platform, form);
    send.conditional = conditional;
    match (form, function) {
        (Form::Unified, Some(function)) => {
            send.sfid = (0..16).find(|&sfid| function_name(platform, sfid) == function && function != "?")?;
        }
        (Form::Plain | Form::Split, None) => {}
        (Form::Unified, None) | (Form::Plain | Form::Split, Some(_)) => return None,
    }
    Some(send)
}

/// Parses execution size and channel offset: `8|M16`.
fn channels(execution: &mut ExecutionControl, text: &str) -> Option<()> {
    let (size, offset) = cut(text, "|M")?;
    execution.size = size.trim().parse().ok().filter(|size: &u8| size.is_power_of_two() && *size <= 32)?;
    execution.offset =
        offset.trim().parse().ok().filter(|offset: &u8| offset.is_multiple_of(4) && *offset < 32)?;
    Some(())
}

/// Parses the operands. Returns the length of the second block and its column, if the operand has it.
fn operands(send: &mut SendInstruction, cursor: &mut Cursor<'_>) -> Result<Option<(u32, usize)>> {
    let (word, at) = cursor.word();
    (send.dst, send.dst_type) = typed(send, OperandRole::Destination, word, at)?;
    let (word, at) = cursor.word();
    (send.src0, send.src0_type) = typed(send, OperandRole::Source, word, at)?;
    if send.form == Form::Plain {
        return Ok(None);
    }
    let (word, at) = cursor.word();
    let (register, length) = match word.split_once(':') {
        Some((register, length)) => (register, Some(length)),
        None => (word, None),
    };
    send.src1 = register_operand(send.platform, register).ok_or(unknown(What::Register, at))?;
    let Some(length) = length else { return Ok(None) };
    let length = length.parse::<u32>().ok().filter(|&length| length < 32 && send.form == Form::Unified);
    Ok(Some((length.ok_or(unknown(What::MessageLength, at))?, at)))
}

/// Parses an operand and its type, `ud` if there is none: `r20:w`, `null`, `r118:ud`, `r[a0.1,-32]<4>:f`.
fn typed(
    send: &mut SendInstruction,
    role: OperandRole,
    word: &str,
    at: usize,
) -> Result<(Operand, DataType)> {
    let (register, data_type) = match word.split_once(':') {
        Some((register, name)) => (register, data_type(name).ok_or(unknown(What::DataType, at))?),
        None => (word, DataType::Ud),
    };
    let operand = match register.strip_prefix("r[") {
        Some(inside) if send.form != Form::Unified => indirect(send, role, inside),
        _ => register_operand(send.platform, register),
    };
    Ok((operand.ok_or(unknown(What::Register, at))?, data_type))
}

/// Parses an indirect operand after its `r[`: `a0.1,-32]<4>`. The register number in the result holds offset bits 8:5; the other bits of
/// the offset and the stride go to `send.rest`.
fn indirect(send: &mut SendInstruction, role: OperandRole, text: &str) -> Option<Operand> {
    let (address, stride) = cut(text, "]")?;
    let (subregister, offset) = cut(address, ",").unwrap_or((address, "0"));
    let subregister: u8 = subregister.strip_prefix("a0.")?.parse().ok().filter(|sub| *sub < 16)?;
    let offset: i16 = offset.parse().ok().filter(|offset| (-512..512).contains(offset))?;
    let bits = u32::from(offset as u16);
    let (low, sign) = role.offset_bits(send.form);
    // The offsets of sources and of split sends are multiples of 16: their low bits are not encoded.
    let dropped = 5_u32.saturating_sub(u32::from(low.1));
    if bits & (1_u32 << dropped).wrapping_sub(1) != 0 {
        return None;
    }
    send.rest = send.rest.put(low.0, low.1, (bits & 31) >> dropped).put(sign, 1, bits >> 9 & 1);
    let code = match stride {
        "" => 1,
        "<0>" => 0,
        "<2>" => 2,
        "<4>" => 3,
        _ => return None,
    };
    if matches!(role, OperandRole::Destination) && send.form == Form::Plain {
        send.rest = send.rest.put(61, 2, code);
    } else if !stride.is_empty() {
        return None;
    }
    Some(Operand {
        file: RegisterFile::Grf,
        indirect: true,
        number: subregister << 4 | (bits >> 5 & 15) as u8,
    })
}

fn data_type(name: &str) -> Option<DataType> {
    DataType::ALL.iter().copied().find(|t| t.name().strip_prefix(':') == Some(name))
}

/// Parses a general or architecture register.
fn register_operand(platform: Platform, text: &str) -> Option<Operand> {
    let digits = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    let (name, number) = text.split_at_checked(digits)?;
    let number = if number.is_empty() { None } else { Some(number.parse::<u8>().ok()?) };
    match (name, number) {
        ("r", Some(number)) => Some(Operand::grf(number)),
        (name, number) => Some(Operand {
            file: RegisterFile::Arf,
            indirect: false,
            number: arch_from_name(platform, name, number)?,
        }),
    }
}

/// Parses both descriptors; `length` is that of the second block, if its operand has one, else 0.
fn descriptors(send: &mut SendInstruction, cursor: &mut Cursor<'_>, length: u32) -> Result<()> {
    let (word, at) = cursor.word();
    let given = source(word).ok_or(unknown(What::ExtendedDescriptor, at))?;
    send.extended = given;
    if let DescriptorSource::Immediate(value) = given {
        match send.form {
            Form::Unified if length != 0 && value & LENGTH != 0 => {
                return Err(unknown(What::ExtendedDescriptor, at));
            }
            Form::Unified => send.extended = DescriptorSource::Immediate(value | length << 6),
            _ => {
                send.sfid = (value & 15) as u8;
                send.eot = value & EOT != 0;
                send.extended = DescriptorSource::Immediate(value & !(15 | EOT));
            }
        }
    } else if send.form == Form::Split {
        // The shared function is in the register.
        send.sfid = 0;
    } else if send.form == Form::Plain {
        return Err(unknown(What::ExtendedDescriptor, at));
    }
    let (word, at) = cursor.word();
    send.descriptor = source(word).ok_or(unknown(What::MessageDescriptor, at))?;
    match send.descriptor {
        DescriptorSource::Register(0) if send.form == Form::Plain => send.rest.hi |= ADDRESS_REGISTER,
        // A message descriptor in a register is always in a0.0.
        DescriptorSource::Register(sub) if sub != 0 => return Err(unknown(What::MessageDescriptor, at)),
        _ => {}
    }
    Ok(())
}

/// Parses a descriptor: a number such as `0x02420005`, or `a0.2`.
fn source(text: &str) -> Option<DescriptorSource> {
    if let Some(sub) = text.strip_prefix("a0.") {
        return sub.parse().ok().filter(|&sub: &u8| sub < 8).map(DescriptorSource::Register);
    }
    let value = match text.strip_prefix("0x") {
        Some(digits) if !digits.starts_with('+') => u32::from_str_radix(digits, 16),
        _ => text.parse(),
    };
    value.ok().map(DescriptorSource::Immediate)
}

fn options(send: &mut SendInstruction, text: &str, at: usize) -> Result<()> {
    let unified = send.form == Form::Unified;
    let mut column = at;
    let mut scoreboard = None;
    for part in text.split(',') {
        let error = unknown(What::Option, column);
        let name = part.trim();
        match name {
            "EOT" => send.eot = true,
            "Breakpoint" => send.breakpoint = true,
            "NoSrcDepSet" if !unified => send.no_src_dep_set = true,
            "Atomic" if unified => send.thread |= 1,
            "Serialize" if unified => send.thread |= 2,
            // Only Xe-HPG has it, for an extended descriptor in a register.
            "ExBSO" if send.platform == Platform::XeHpg && send.extended.immediate().is_none() => {
                send.rest = send.rest.put(EX_BSO_BIT, 1, 1);
            }
            _ if unified && name.contains(['@', '$']) => {
                // A distance and the token after it (`@1,$2`) are one scoreboard code: parse both together.
                let start = column.wrapping_sub(at);
                let both = text.get(start..).map(str::trim_start).and_then(|from| {
                    let end = from.match_indices(',').nth(1).map_or(from.len(), |(end, _)| end);
                    scoreboard_from_text(send.platform, from.get(..end)?.trim_end())
                });
                let one = || scoreboard_from_text(send.platform, name);
                scoreboard = match scoreboard {
                    None => Some(both.or_else(one).ok_or(error)?),
                    // The token of a scoreboard code that was parsed together with its distance.
                    Some(code) if code >= 0x80 && name.starts_with('$') => Some(code),
                    Some(_) => return Err(error),
                };
            }
            _ if !unified => {
                let thread = THREAD.iter().skip(1).position(|&t| t == name).ok_or(error)?;
                let code = thread as u8 + 1;
                let here = send.platform == Platform::Gen9;
                // Only Gen9 has Switch (code 2), only Gen11 has NoPreempt (code 3).
                if code == if here { 3 } else { 2 } {
                    return Err(Error::new(Kind::NotOnPlatform, What::ThreadControl).at(column));
                }
                send.thread = code;
            }
            _ => return Err(error),
        }
        column = column.wrapping_add(part.len()).wrapping_add(1);
    }
    send.scoreboard = scoreboard.unwrap_or(0);
    Ok(())
}

/// Splits `text` at the first `mark`, as `str::split_once` does, which would link the library's panics. Searches for the first byte of
/// `mark`: comparing all of it at every position took a fifth of the time of fuzz target `decode_gen`.
fn cut<'t>(text: &'t str, mark: &str) -> Option<(&'t str, &'t str)> {
    let first = mark.as_bytes().first()?;
    let split = |at: usize| Some((text.get(..at)?, text.get(at..)?.strip_prefix(mark)?));
    let mut found = text.bytes().enumerate().filter(|(_, byte)| byte == first);
    found.find_map(|(at, _)| split(at))
}
