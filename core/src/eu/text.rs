//! Text of a send, as Intel's disassembler prints it: the instruction, and the comment that
//! explains a sampler's descriptor.
//!
//! Every line is assembled in a small buffer and written at once, because this is the hot path of a
//! disassembler.

use super::descriptor::{Descriptor, SAMPLER};
use super::form::{DescriptorSource, Form};
use super::functions::message_name;
use super::names::{DISTANCE_AND_TOKEN, scoreboard_is_shown, scoreboards};
use super::operand::{Operand, RegisterFile, arch_name};
use super::send::SendInstruction;
use crate::bits::sign_extend;
use crate::enums::DataType;
use crate::platform::Platform;
use core::fmt;

pub use super::names::function_name;

/// Bytes of a line: the longest instruction text is about 120 characters, the longest comment about 110.
const CAPACITY: usize = 256;

/// A line under construction; text that does not fit is left out.
struct Line {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl Line {
    const fn new() -> Self {
        Self { bytes: [0; CAPACITY], len: 0 }
    }

    #[inline(always)]
    fn push(&mut self, text: &str) {
        let end = self.len.wrapping_add(text.len());
        if let Some(room) = self.bytes.get_mut(self.len..end) {
            room.copy_from_slice(text.as_bytes());
            self.len = end;
        }
    }

    #[inline(always)]
    fn byte(&mut self, byte: u8) {
        if let Some(room) = self.bytes.get_mut(self.len) {
            *room = byte;
            self.len = self.len.wrapping_add(1);
        }
    }

    /// Appends a decimal number below 1000.
    #[inline]
    fn decimal(&mut self, value: u16) {
        let digit = |n: u16| b'0'.wrapping_add((n % 10) as u8);
        if value >= 100 {
            self.byte(digit(value / 100));
        }
        if value >= 10 {
            self.byte(digit(value / 10));
        }
        self.byte(digit(value));
    }

    /// Appends `0x` and at least `digits` hexadecimal digits.
    #[inline]
    fn hex(&mut self, value: u32, digits: usize) {
        self.push("0x");
        let all = hex_digits(value);
        let needed = (35u32.wrapping_sub(value.leading_zeros()) / 4) as usize;
        for &digit in all.iter().skip(8usize.saturating_sub(needed.max(digits))) {
            self.byte(digit);
        }
    }

    /// Appends `0x` and eight hexadecimal digits.
    #[inline]
    fn hex8(&mut self, value: u32) {
        self.push("0x");
        let end = self.len.wrapping_add(8);
        if let Some(room) = self.bytes.get_mut(self.len..end) {
            room.copy_from_slice(&hex_digits(value));
            self.len = end;
        }
    }

    fn write<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        let bytes = self.bytes.get(..self.len).unwrap_or_default();
        out.write_str(core::str::from_utf8(bytes).unwrap_or_default())
    }
}

/// Returns the eight hexadecimal digits of a number, computed all at once: its nibbles are spread to bytes, which then become characters.
const fn hex_digits(value: u32) -> [u8; 8] {
    let x = value as u64;
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    let x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    let x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    let letters = (x.wrapping_add(0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
    const GAP: u64 = (b'A' - b'9' - 1) as u64;
    x.wrapping_add(0x3030_3030_3030_3030).wrapping_add(letters.wrapping_mul(GAP)).to_be_bytes()
}

/// Names of the thread control codes in options, Gen9 and Gen11.
pub(super) static THREAD: [&str; 4] = ["", "Atomic", "Switch", "NoPreempt"];

fn scoreboard(line: &mut Line, platform: Platform, code: u8) {
    if code >= DISTANCE_AND_TOKEN {
        line.push(if platform == Platform::XeLp { "@" } else { "A@" });
        line.decimal(u16::from(code >> 4 & 7));
        line.push(",$");
        line.decimal(u16::from(code & 15));
    }
    for &(first, last, before, mask, after) in scoreboards(platform) {
        if (first..=last).contains(&code) {
            line.push(before);
            line.decimal(u16::from(code & mask));
            line.push(after);
        }
    }
}

/// Returns the scoreboard code that is printed as `text`.
pub(super) fn scoreboard_from_text(platform: Platform, text: &str) -> Option<u8> {
    (1..=255u8).find(|&code| {
        let mut line = Line::new();
        scoreboard(&mut line, platform, code);
        line.len > 0 && line.bytes.get(..line.len) == Some(text.as_bytes())
    })
}

impl SendInstruction {
    /// Writes the instruction: `(W&f0.1) sends (8|M0) r6:f r1 r10 0x82 0x02420005 {EOT}`.
    ///
    /// # Errors
    /// Only those of `out`.
    pub fn write_text<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        let mut line = Line::new();
        self.text(&mut line);
        line.write(out)
    }

    /// Writes the instruction and its comment: `send (8|M0) ... // wr:1+0, ...`.
    ///
    /// # Errors
    /// Only those of `out`.
    pub fn write_line<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        let mut line = Line::new();
        self.text(&mut line);
        line.push(" // ");
        self.comment(&mut line);
        line.write(out)
    }

    fn text(&self, line: &mut Line) {
        self.predicate(line);
        line.push(self.mnemonic());
        if self.form == Form::Unified {
            line.byte(b'.');
            line.push(function_name(self.platform, self.sfid));
        }
        line.push(" (");
        line.decimal(u16::from(self.execution.size));
        line.push("|M");
        line.decimal(u16::from(self.execution.offset));
        line.push(") ");
        self.operands(line);
        self.descriptors(line);
        self.options(line);
    }

    fn predicate(&self, line: &mut Line) {
        let e = &self.execution;
        // The align16 controls that replicate a flag are not printed.
        let hidden = self.align16() && matches!(e.predicate.code(), 2..=5);
        let predicated = e.predicate.code() != 0 && !hidden;
        if !predicated && !e.no_mask {
            return;
        }
        line.byte(b'(');
        if e.no_mask {
            line.byte(b'W');
        }
        if predicated {
            if e.no_mask {
                line.byte(b'&');
            }
            if e.inverse {
                line.byte(b'~');
            }
            line.byte(b'f');
            line.decimal(u16::from(e.flag.0));
            line.byte(b'.');
            line.decimal(u16::from(e.flag.1));
            let name = e.predicate.name();
            if !name.is_empty() {
                line.byte(b'.');
                line.push(name);
            }
        }
        line.push(") ");
    }

    fn operands(&self, line: &mut Line) {
        self.operand(line, self.dst, OperandRole::Destination);
        // The default type, `ud`, is only printed for the destination of `sends`.
        if self.form == Form::Split || self.dst_type != DataType::Ud {
            data_type(line, self.dst_type);
        }
        line.byte(b' ');
        self.operand(line, self.src0, OperandRole::Source);
        if self.src0_type != DataType::Ud {
            data_type(line, self.src0_type);
        }
        line.byte(b' ');
        if self.form != Form::Plain {
            self.operand(line, self.src1, OperandRole::Source);
            if self.length_on_operand() {
                line.byte(b':');
                line.decimal(u16::from(self.xlen().unwrap_or(0)));
            }
            line.byte(b' ');
        }
    }

    fn operand(&self, line: &mut Line, operand: Operand, role: OperandRole) {
        if operand.indirect {
            return self.indirect(line, operand, role);
        }
        if operand.file == RegisterFile::Grf {
            line.byte(b'r');
            return line.decimal(u16::from(operand.number));
        }
        let (name, number) = arch_name(self.platform, operand.number);
        line.push(name);
        if let Some(number) = number {
            line.decimal(u16::from(number));
        }
    }

    /// Appends an indirect operand, `r[a0.1,-32]<4>`. Its offset is a signed 10-bit number of bytes; each form stores its bits elsewhere.
    fn indirect(&self, line: &mut Line, operand: Operand, role: OperandRole) {
        let number = u32::from(operand.number);
        // The upper four bits of the number are the subregister, the lower four are offset bits 8:5.
        let high = (number & 15) << 5;
        let ((at, width), sign) = role.offset_bits(self.form);
        let low = self.rest.get(at, width) << (5 - width);
        let sign = self.rest.get(sign, 1);
        line.push("r[a0.");
        line.decimal(u16::from(operand.number >> 4));
        let offset = sign_extend(sign << 9 | high | low, 10);
        if offset != 0 {
            line.byte(b',');
            if offset < 0 {
                line.byte(b'-');
            }
            line.decimal(offset.unsigned_abs() as u16);
        }
        line.byte(b']');
        if matches!(role, OperandRole::Destination) && self.form == Form::Plain {
            match self.rest.get(61, 2) {
                0 => line.push("<0>"),
                2 => line.push("<2>"),
                3 => line.push("<4>"),
                _ => {}
            }
        }
    }

    /// Returns true if text has the length of the second block on its operand (`r40:2`, on Xe-HPG) and not in the extended descriptor.
    pub(super) fn length_on_operand(&self) -> bool {
        self.platform == Platform::XeHpg
            && (matches!(self.extended, DescriptorSource::Immediate(_)) || self.ex_bso())
    }

    fn descriptors(&self, line: &mut Line) {
        match self.extended {
            DescriptorSource::Register(sub) => address(line, sub),
            DescriptorSource::Immediate(_) => {
                let shown = self.extended_descriptor().unwrap_or(0);
                line.hex(if self.length_on_operand() { shown & !LENGTH } else { shown }, 1);
            }
        }
        line.byte(b' ');
        match self.descriptor {
            DescriptorSource::Register(sub) => address(line, sub),
            DescriptorSource::Immediate(value) => line.hex8(value),
        }
    }

    /// Appends the options in alphabetical order, the scoreboard of Gen12 last.
    fn options(&self, line: &mut Line) {
        let plain = self.thread == 0 && self.scoreboard == 0 && !self.ex_bso();
        if plain && !self.breakpoint && !self.eot && !self.no_src_dep_set {
            return;
        }
        let unified = self.form == Form::Unified;
        let thread = |code: u8| !unified && self.thread == code;
        let options = [
            (thread(1) || unified && self.thread & 1 == 1, "Atomic"),
            (self.breakpoint, "Breakpoint"),
            (self.eot, "EOT"),
            (self.ex_bso(), "ExBSO"),
            (thread(3), "NoPreempt"),
            (self.no_src_dep_set, "NoSrcDepSet"),
            (unified && self.thread & 2 == 2, "Serialize"),
            (thread(2), "Switch"),
        ];
        let scoreboard_shown = scoreboard_is_shown(self.platform, self.scoreboard);
        if !scoreboard_shown && options.iter().all(|(on, _)| !on) {
            return;
        }
        line.push(" {");
        let mut first = true;
        for (_, name) in options.into_iter().filter(|(on, _)| *on) {
            if !first {
                line.byte(b',');
            }
            line.push(name);
            first = false;
        }
        if scoreboard_shown {
            if !first {
                line.byte(b',');
            }
            scoreboard(line, self.platform, self.scoreboard);
        }
        line.byte(b'}');
    }

    /// Writes the comment: `wr:1h+2, rd:4; sampler; simd8 sample using sampler index 0`. Messages
    /// of other shared functions are named as far as their type is known.
    ///
    /// # Errors
    /// Only those of `out`.
    pub fn write_comment<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        let mut line = Line::new();
        self.comment(&mut line);
        line.write(out)
    }

    fn comment(&self, line: &mut Line) {
        let function = self.shared_function();
        let descriptor = self.descriptor.immediate().map(Descriptor);
        line.push("wr:");
        match descriptor {
            Some(d) => {
                line.decimal(u16::from(d.mlen()));
                if d.header() && function.is_none_or(|f| f == SAMPLER) {
                    line.byte(b'h');
                }
            }
            None => line.push("a0.0[28:25]"),
        }
        line.byte(b'+');
        match (self.xlen(), self.extended) {
            (None, DescriptorSource::Register(sub)) => {
                address(line, sub);
                line.push("[10:6]");
            }
            (xlen, _) => line.decimal(u16::from(xlen.unwrap_or(0))),
        }
        line.push(", rd:");
        match descriptor {
            Some(d) => line.decimal(u16::from(d.rlen())),
            None => line.push("a0.0[24:20]"),
        }
        match (function, self.extended) {
            (Some(f), _) if self.form != Form::Unified => {
                line.push("; ");
                line.push(function_name(self.platform, f));
            }
            (None, DescriptorSource::Register(sub)) => {
                line.push("; sfid ");
                address(line, sub);
                line.push("[3:0]");
            }
            _ => {}
        }
        match (function, descriptor) {
            (Some(SAMPLER), Some(d)) => self.meaning(line, d),
            (None, Some(_)) => line.push("; ?"),
            (Some(function), Some(d)) => {
                if let Some(name) = message_name(function, d) {
                    line.push("; ");
                    line.push(name);
                }
            }
            _ => {}
        }
    }

    fn meaning(&self, line: &mut Line, descriptor: Descriptor) {
        line.push("; ");
        line.push(descriptor.simd_mode().text(self.platform));
        line.byte(b' ');
        if descriptor.ret16() {
            line.push("16b ");
        }
        line.push(descriptor.type_text());
        line.push(" using sampler index ");
        line.decimal(u16::from(descriptor.sampler()));
    }
}

/// The bits of an immediate extended descriptor that hold the length of the second block.
pub(super) const LENGTH: u32 = 31 << 6;

/// The operand of a send: its destination or a source.
#[derive(Clone, Copy)]
pub(super) enum OperandRole {
    Destination,
    Source,
}

impl OperandRole {
    /// Returns the position of the offset of an indirect operand: position and width of bits 4:0 (if fewer than 5, the upper ones of them),
    /// and the position of bit 9. Bits 8:5 are in the register number.
    pub(super) const fn offset_bits(self, form: Form) -> ((u8, u8), u8) {
        match (self, form) {
            (Self::Destination, Form::Split) => ((52, 1), 62),
            (Self::Destination, Form::Plain | Form::Unified) => ((48, 5), 47),
            (Self::Source, Form::Split) => ((68, 1), 78),
            (Self::Source, Form::Plain | Form::Unified) => ((68, 1), 95),
        }
    }
}

fn address(line: &mut Line, sub: u8) {
    line.push("a0.");
    line.decimal(u16::from(sub));
}

#[inline]
fn data_type(line: &mut Line, data_type: DataType) {
    line.push(data_type.name());
}

impl fmt::Display for SendInstruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_line(f)
    }
}
