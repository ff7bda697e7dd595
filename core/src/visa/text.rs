//! Text of sampler instructions, character for character that of the reference tool.
//!
//! ```text
//! [(PRED) ]NAME.FLAGSCHANNELS (MASK, SIZE) OPERANDS
//! PRED      ["!"] "P" index [".any" | ".all"]
//! FLAGS     ["pixel_null_mask."] ["cps."] ["divS."]
//! OPERANDS  0x6d "  AOFF Sk SURF DST PARAM..."   0x6e "  AOFF SURF DST PARAM..."   0x6f " AOFF Sk SURF DST PARAM..."
//!           0x70 "  SURF [LOD] DST"
//! ```
//! The tool drops the flags of 3.x files and never prints `divS`; this text has them. The gather4 operations that
//! the tool does not know are spelled as in later sources. The text of 0x43, 0x44 and 0x4d is this crate's own: the
//! fields in order.

use super::media::{MediaInstruction, MediaValue};
use super::operand::{FIRST_VARIABLE, MAX_PREDICATE, RawOperand, Type, VectorKind, VectorOperand, region};
use super::sampler::{PredicateCombine, SamplerInstruction, SamplerOpcode};
use super::symbols::{PREDEFINED_SURFACES, PREDEFINED_VARIABLES, Symbols};
use core::fmt::{self, Write};

/// An instruction or operand together with the symbols that it refers to; prints as the reference tool does.
#[derive(Clone, Copy, Debug)]
pub struct Display<'s, T, S> {
    subject: T,
    symbols: &'s S,
}

impl SamplerInstruction<'_> {
    /// The text, with names from `symbols`.
    pub const fn display<'s, S: Symbols>(&self, symbols: &'s S) -> Display<'s, Self, S> {
        Display { subject: *self, symbols }
    }
}

impl MediaInstruction<'_> {
    /// The text, with names from `symbols`.
    pub const fn display<'s, S: Symbols>(&self, symbols: &'s S) -> Display<'s, Self, S> {
        Display { subject: *self, symbols }
    }
}

impl VectorOperand {
    /// The text, with names from `symbols`.
    pub const fn display<'s, S: Symbols>(&self, symbols: &'s S) -> Display<'s, Self, S> {
        Display { subject: *self, symbols }
    }
}

impl RawOperand {
    /// The text, with names from `symbols`.
    pub const fn display<'s, S: Symbols>(&self, symbols: &'s S) -> Display<'s, Self, S> {
        Display { subject: *self, symbols }
    }
}

impl<S: Symbols> fmt::Display for Display<'_, SamplerInstruction<'_>, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_sampler(&self.subject, self.symbols, f)
    }
}

impl<S: Symbols> fmt::Display for Display<'_, MediaInstruction<'_>, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        media(&self.subject, self.symbols, f)
    }
}

impl<S: Symbols> fmt::Display for Display<'_, VectorOperand, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        vector(&self.subject, self.symbols, f)
    }
}

impl<S: Symbols> fmt::Display for Display<'_, RawOperand, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        raw(self.subject, self.symbols, f)
    }
}

/// Writes the text of `sampler` to any writer. Faster than `Display`, since it bypasses the formatting machinery.
///
/// # Errors
/// As the writer.
#[inline]
pub fn write_sampler<S: Symbols, W: Write>(
    sampler: &SamplerInstruction<'_>,
    symbols: &S,
    out: &mut W,
) -> fmt::Result {
    if let Some(predicate) = sampler.predicate() {
        out.write_str(if predicate.inverse { "(!P" } else { "(P" })?;
        decimal(predicate.index.into(), out)?;
        out.write_str(match predicate.control {
            PredicateCombine::None => ") ",
            PredicateCombine::Any => ".any) ",
            PredicateCombine::All => ".all) ",
        })?;
    }
    out.write_str(sampler.operation().name)?;
    out.write_str(".")?;
    if sampler.null_mask() {
        out.write_str("pixel_null_mask.")?;
    }
    if sampler.cps() {
        out.write_str("cps.")?;
    }
    if sampler.non_uniform() {
        out.write_str("divS.")?;
    }
    out.write_str(match sampler.opcode {
        SamplerOpcode::Gather4 => LETTERS.get(usize::from(sampler.channels & 3)).copied().unwrap_or_default(),
        _ => channels(sampler.channels),
    })?;
    out.write_str(" (")?;
    out.write_str(sampler.exec_mask().name())?;
    out.write_str(match sampler.exec_size() {
        1 => ", 1)",
        2 => ", 2)",
        4 => ", 4)",
        8 => ", 8)",
        16 => ", 16)",
        _ => ", 32)",
    })?;
    if sampler.opcode != SamplerOpcode::Gather4 {
        out.write_str(" ")?;
    }
    if let Some(offsets) = &sampler.aoffimmi {
        out.write_str(" ")?;
        vector(offsets, symbols, out)?;
    }
    if sampler.opcode.has_sampler() {
        out.write_str(" S")?;
        decimal(sampler.sampler.into(), out)?;
    }
    out.write_str(" ")?;
    surface(sampler.surface, out)?;
    if let Some(lod) = sampler.lod {
        out.write_str(" ")?;
        raw(lod, symbols, out)?;
    }
    out.write_str(" ")?;
    raw(sampler.dst, symbols, out)?;
    for param in sampler.params {
        out.write_str(" ")?;
        raw(param, symbols, out)?;
    }
    Ok(())
}

const LETTERS: [&str; 4] = ["R", "G", "B", "A"];

/// Returns the letters of a channel mask.
pub(super) fn channels(mask: u8) -> &'static str {
    const NAMES: [&str; 16] =
        ["", "R", "G", "RG", "B", "RB", "GB", "RGB", "A", "RA", "GA", "RGA", "BA", "RBA", "GBA", "RGBA"];
    NAMES.get(usize::from(mask & 15)).copied().unwrap_or_default()
}

/// Names of the formats of sample_unorm, by code.
pub(super) const UNORM_FORMATS: [&str; 4] = ["16-full", "16-downsampled", "8-full", "8-downsampled"];

fn media<S: Symbols, W: Write>(media: &MediaInstruction<'_>, symbols: &S, out: &mut W) -> fmt::Result {
    out.write_str(media.name())?;
    let mode = media.byte("mode").or(media.byte("channels")).unwrap_or(0);
    let in_mnemonic = matches!(media.opcode, 0x40..=0x43);
    if in_mnemonic {
        out.write_str(".")?;
        out.write_str(channels(mode))?;
    }
    match media.opcode {
        // SIMD mode, two bits; 2 and 3 have no meaning, and the text of 1.
        0x40 | 0x42 => out.write_str(if mode >> 4 & 3 == 0 { " (8)" } else { " (16)" })?,
        0x41 => {
            out.write_str(".")?;
            out.write_str(UNORM_FORMATS.get(usize::from(mode >> 4 & 3)).copied().unwrap_or_default())?;
        }
        _ => {}
    }
    for field in media.fields().skip(usize::from(in_mnemonic)) {
        out.write_str(" ")?;
        match (field.value, field.name) {
            (MediaValue::Raw(operand), _) => raw(operand, symbols, out)?,
            (MediaValue::Vector(operand), _) => vector(&operand, symbols, out)?,
            (MediaValue::Byte(index), "surface" | "dst_surface") => surface(index, out)?,
            (MediaValue::Byte(index), "sampler") => {
                out.write_str("S")?;
                decimal(index.into(), out)?;
            }
            (MediaValue::Byte(value), _) => decimal(value.into(), out)?,
        }
    }
    Ok(())
}

fn surface<W: Write>(index: u8, out: &mut W) -> fmt::Result {
    match PREDEFINED_SURFACES.get(usize::from(index)) {
        Some(name) => out.write_str(name),
        None => {
            out.write_str("T")?;
            decimal(index.into(), out)
        }
    }
}

#[inline]
fn raw<S: Symbols, W: Write>(operand: RawOperand, symbols: &S, out: &mut W) -> fmt::Result {
    variable(operand.index, symbols, out)?;
    out.write_str(".")?;
    decimal(if operand.is_null() { 0 } else { operand.offset.into() }, out)
}

#[inline]
fn variable<S: Symbols, W: Write>(index: u32, symbols: &S, out: &mut W) -> fmt::Result {
    if index < FIRST_VARIABLE {
        return match PREDEFINED_VARIABLES.get(index as usize) {
            Some(name) => out.write_str(name),
            None => unnamed(index, out),
        };
    }
    match symbols.variable(index) {
        Some(found) if !found.name.is_empty() => name(found.name, out),
        _ => unnamed(index, out),
    }
}

fn unnamed<W: Write>(index: u32, out: &mut W) -> fmt::Result {
    write!(out, "V{index:04}")
}

/// Writes a name; bytes that are not UTF-8 become replacement characters.
#[inline]
fn name<W: Write>(name: &[u8], out: &mut W) -> fmt::Result {
    match core::str::from_utf8(name) {
        Ok(name) => out.write_str(name),
        Err(_) => name.utf8_chunks().try_for_each(|chunk| {
            out.write_str(chunk.valid())?;
            if chunk.invalid().is_empty() { Ok(()) } else { out.write_char(char::REPLACEMENT_CHARACTER) }
        }),
    }
}

const MODIFIERS: [&str; 8] = ["", "(abs)", "(-)", "(-abs)", "(sat)", "(~)", "", ""];

fn vector<S: Symbols, W: Write>(operand: &VectorOperand, symbols: &S, out: &mut W) -> fmt::Result {
    if !matches!(operand.kind, VectorKind::Immediate { .. }) {
        out.write_str(MODIFIERS.get(usize::from(operand.modifier())).copied().unwrap_or_default())?;
    }
    match operand.kind {
        VectorKind::Immediate { kind, value } => {
            // A word is stored in four bytes; the upper two do not belong to it.
            hex(if Type::from_code(kind) == Type::Uw { value & 0xffff } else { value }, out)?;
            out.write_str(":")?;
            out.write_str(Type::from_code(kind).name())
        }
        VectorKind::General { index, row, column, region } => {
            variable(index, symbols, out)?;
            write!(out, "({row},{column})")?;
            region_text(region, out)
        }
        VectorKind::Address { index, offset, width } => write!(out, "A{index}({offset})<{width}>"),
        VectorKind::Predicate { index } => write!(out, "P{}", index & MAX_PREDICATE),
        VectorKind::Indirect { index, offset, bytes, kind, region } => {
            write!(out, "r[A{index}({offset}),{bytes}]")?;
            region_text(region, out)?;
            out.write_str(":")?;
            out.write_str(Type::from_code(kind).name())
        }
        VectorKind::State { class: 0, index, offset } => write!(out, "T{index}({offset})"),
        VectorKind::State { index, offset, .. } => write!(out, "S{index}({offset})"),
    }
}

fn region_text<W: Write>(code: u16, out: &mut W) -> fmt::Result {
    let [vertical, width, horizontal] = region(code);
    out.write_str("<")?;
    if let (Some(vertical), Some(width)) = (vertical, width) {
        write!(out, "{vertical};{width},")?;
    }
    write!(out, "{}>", horizontal.unwrap_or(0))
}

#[inline]
fn decimal<W: Write>(value: u32, out: &mut W) -> fmt::Result {
    if let Some(digit) = DIGITS.get(value as usize..(value as usize).saturating_add(1)) {
        return out.write_str(digit);
    }
    let mut buffer = [0u8; 10];
    let (mut at, mut rest) = (buffer.len(), value);
    while rest != 0 {
        at = at.wrapping_sub(1);
        if let Some(place) = buffer.get_mut(at) {
            *place = b'0' + (rest % 10) as u8;
        }
        rest /= 10;
    }
    out.write_str(core::str::from_utf8(buffer.get(at..).unwrap_or_default()).unwrap_or_default())
}

const DIGITS: &str = "0123456789";

#[inline]
fn hex<W: Write>(value: u64, out: &mut W) -> fmt::Result {
    if value == 0 {
        return out.write_str("0x0");
    }
    let mut buffer = *b"0x0000000000000000";
    let (mut at, mut rest) = (buffer.len(), value);
    while rest != 0 {
        at = at.wrapping_sub(1);
        if let Some(place) = buffer.get_mut(at) {
            *place = b"0123456789abcdef".get((rest & 15) as usize).copied().unwrap_or(b'0');
        }
        rest >>= 4;
    }
    out.write_str("0x")?;
    out.write_str(core::str::from_utf8(buffer.get(at..).unwrap_or_default()).unwrap_or_default())
}
