//! Random programs of an execution unit: valid instructions with jumps among them, and an end of thread.

use crate::machine::registers::{GENERAL, Registers, control};
use arbitrary::{Result, Unstructured};
use std::ops::RangeInclusive;
use std::sync::OnceLock;
use texwire::Platform;
use texwire::enums::DataType;

/// The fields of a native instruction with up to two sources: lowest bit and width.
mod field {
    pub(super) const OPCODE: (u32, u32) = (0, 7);
    pub(super) const QUARTER: (u32, u32) = (12, 2);
    pub(super) const PREDICATE: (u32, u32) = (16, 4);
    pub(super) const INVERSE: (u32, u32) = (20, 1);
    pub(super) const SIZE: (u32, u32) = (21, 3);
    pub(super) const CONDITION: (u32, u32) = (24, 4);
    pub(super) const SATURATE: (u32, u32) = (31, 1);
    pub(super) const ACCUMULATOR_WRITE: (u32, u32) = (28, 1);
    pub(super) const FLAG: (u32, u32) = (32, 2);
    pub(super) const NO_MASK: (u32, u32) = (34, 1);
    pub(super) const DST_FILE: (u32, u32) = (35, 2);
    pub(super) const DST_TYPE: (u32, u32) = (37, 4);
    pub(super) const DST_BYTE: (u32, u32) = (48, 5);
    pub(super) const DST_REGISTER: (u32, u32) = (53, 8);
    pub(super) const DST_STRIDE: (u32, u32) = (61, 2);
    pub(super) const SRC0_LOCATION: (u32, u32) = (64, 16);
    pub(super) const SRC0_OFFSET: (u32, u32) = (64, 9);
    pub(super) const SRC0_ADDRESS: (u32, u32) = (73, 4);
    pub(super) const SRC0_INDIRECT: (u32, u32) = (79, 1);
    pub(super) const JIP: (u32, u32) = (96, 32);
    pub(super) const UIP: (u32, u32) = (64, 32);
    pub(super) const IMMEDIATE: (u32, u32) = (96, 32);
}

/// The fields of a source operand.
struct SourceFields {
    file: (u32, u32),
    kind: (u32, u32),
    byte: (u32, u32),
    register: (u32, u32),
    modifiers: (u32, u32),
    region: (u32, u32),
}

const SOURCES: [SourceFields; 2] = [
    SourceFields {
        file: (41, 2),
        kind: (43, 4),
        byte: (64, 5),
        register: (69, 8),
        modifiers: (77, 2),
        region: (80, 9),
    },
    SourceFields {
        file: (89, 2),
        kind: (91, 4),
        byte: (96, 5),
        register: (101, 8),
        modifiers: (109, 2),
        region: (112, 9),
    },
];

/// The region fields (horizontal stride, width, vertical stride) of `<8;8,1>` and of `<0;1,0>`.
const CONSECUTIVE: u64 = 1 | 3 << 2 | 4 << 5;
const SCALAR: u64 = 0;
/// Other regions that compilers emit, and some that they do not: `<16;16,1>`, `<4;4,1>`, `<2;1,0>`, `<8;4,2>`, `<32;8,4>`, `<0;4,1>`.
const REGIONS: [u64; 6] =
    [1 | 4 << 2 | 5 << 5, 1 | 2 << 2 | 3 << 5, 2 << 5, 2 | 2 << 2 | 4 << 5, 3 | 3 << 2 | 6 << 5, 1 | 2 << 2];

/// The number of the first accumulator among the architecture registers.
const ACCUMULATOR: u64 = 0x20;
/// `mach`, which adds to the accumulator and mostly writes it.
const MACH: u64 = 0x49;
/// `mac`, which adds the accumulator.
const MAC: u64 = 0x48;

/// An instruction word whose fields are being set.
#[derive(Clone, Copy, Debug, Default)]
pub struct InstructionWord(pub u128);

impl InstructionWord {
    fn set(&mut self, (at, width): (u32, u32), value: u64) {
        self.0 = texwire::bits::put128(self.0, at, width, value);
    }
}

/// An instruction with one or two sources on whole registers.
#[derive(Clone, Copy, Debug)]
pub struct AluInstruction {
    /// Opcode.
    pub opcode: u64,
    /// Lanes: 1, 8 or 16.
    pub size: u64,
    /// Conditional modifier.
    pub condition: u64,
    /// Clamps the result.
    pub saturate: bool,
    /// Destination register and type.
    pub dst: (u64, DataType),
    /// The sources: register, type, absolute value, negated, one element for all lanes.
    pub src: [Option<(u64, DataType, bool, bool, bool)>; 2],
}

impl AluInstruction {
    /// Returns the instruction word on `platform`; `None` for a type that the platform does not have.
    pub fn word(&self, platform: Platform) -> Option<InstructionWord> {
        let code = |kind: DataType| kind.code(platform, false).map(u64::from);
        let mut word = InstructionWord::default();
        word.set(field::OPCODE, self.opcode);
        word.set(field::SIZE, u64::from(self.size.trailing_zeros()));
        word.set(field::CONDITION, self.condition);
        word.set(field::SATURATE, u64::from(self.saturate));
        word.set(field::DST_FILE, 1);
        word.set(field::DST_TYPE, code(self.dst.1)?);
        word.set(field::DST_REGISTER, self.dst.0);
        word.set(field::DST_STRIDE, 1);
        for (fields, source) in SOURCES.iter().zip(self.src) {
            let Some((register, kind, absolute, negate, scalar)) = source else { continue };
            word.set(fields.file, 1);
            word.set(fields.kind, code(kind)?);
            word.set(fields.register, register);
            word.set(fields.modifiers, u64::from(absolute) | u64::from(negate) << 1);
            word.set(fields.region, if scalar { SCALAR } else { CONSECUTIVE });
        }
        Some(word)
    }
}

/// Opcodes with one source (`ONE`) and with two (`TWO`).
const ONE: [u64; 12] = [0x01, 0x04, 0x17, 0x43, 0x44, 0x45, 0x46, 0x47, 0x4a, 0x4b, 0x4c, 0x4d];
const TWO: [u64; 19] = [
    0x02, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0c, 0x0e, 0x0f, 0x10, 0x11, 0x19, 0x40, 0x41, 0x42, MAC, MACH,
    0x4e, 0x4f,
];
/// Types of immediates; V and UV have an element for each of eight lanes, VF for each of four.
const INTEGER_IMMEDIATES: [DataType; 6] =
    [DataType::Ud, DataType::D, DataType::Uw, DataType::W, DataType::V, DataType::Uv];
const FLOAT_IMMEDIATES: [DataType; 2] = [DataType::F, DataType::Vf];
const FLOAT_ONLY: [u64; 5] = [0x43, 0x44, 0x45, 0x46, 0x47];
const INTEGERS: [DataType; 6] =
    [DataType::Ud, DataType::D, DataType::Uw, DataType::W, DataType::Ub, DataType::B];
/// Jumps with JIP and UIP.
const JUMPS: [u64; 6] = [0x22, 0x24, 0x25, 0x27, 0x28, 0x2e];

/// The bits of cr0.0 that keep denormals of all float types.
const KEEP_DENORMALS: u32 = control::DENORMAL_HALF | control::DENORMAL_FLOAT | control::DENORMAL_DOUBLE;

/// The registers at which float destinations begin; the longest reaches up to eight registers further.
const FLOATS: RangeInclusive<u64> = 0..=40;
/// The registers at which integer operands begin.
const INTEGER_REGISTERS: RangeInclusive<u64> = 50..=100;

/// The largest number of instructions in a program, without its end.
const MAX_WORDS: usize = 24;

/// The instruction that ends a thread.
pub const END: &str = "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}";

/// Returns the instruction word of [`END`], which is the same on Gen9 and Gen11.
pub fn end(platform: Platform) -> [u8; 16] {
    static WORD: OnceLock<[u8; 16]> = OnceLock::new();
    *WORD.get_or_init(|| {
        texwire::eu::assemble::parse(platform, END)
            .ok()
            .and_then(|send| send.encode().ok())
            .map_or([0; 16], |word| word.to_bytes())
    })
}

/// Generates a program.
///
/// Floats are written to `FLOATS` only, and integers read from `INTEGER_REGISTERS` only; the accumulator holds the one or the other
/// (`float_accumulator`). Which of two NaNs a float instruction returns is left open, and an integer instruction would make different
/// numbers of them.
pub fn program(u: &mut Unstructured<'_>, platform: Platform) -> Vec<u8> {
    let mut code = Vec::new();
    let count = u.int_in_range(1..=MAX_WORDS).unwrap_or(1);
    let float_accumulator = u.arbitrary().unwrap_or(false);
    for index in 0..count {
        let word = match u.int_in_range(0..=23u8).unwrap_or(0) {
            0..=3 => jump(u, index, count),
            4 if platform == Platform::Gen9 => rare(u, platform, float_accumulator),
            _ => arithmetic(u, platform, float_accumulator),
        };
        if let Ok(word) = word {
            code.extend(word.0.to_le_bytes());
        }
    }
    code.extend(end(platform));
    code
}

/// Chooses the content of control register cr0.0. Mostly denormals are kept and rounding is to nearest, as every compiled kernel has it: in
/// other modes no float instruction runs as a loop over all lanes.
pub fn control(u: &mut Unstructured<'_>) -> Result<u32> {
    const MODES: u32 = 3 << control::ROUNDING_SHIFT | KEEP_DENORMALS;
    if u.ratio(7, 8)? { Ok(KEEP_DENORMALS) } else { Ok(u.arbitrary::<u32>()? & MODES) }
}

fn arithmetic(
    u: &mut Unstructured<'_>,
    platform: Platform,
    float_accumulator: bool,
) -> Result<InstructionWord> {
    let float = u.arbitrary()?;
    let two = u.arbitrary()?;
    let opcode = if two { *u.choose(&TWO)? } else { *u.choose(&ONE)? };
    // Only Gen11 rotates: an opcode that does not exist would end the program.
    let rotates = matches!(opcode, 0x0e | 0x0f);
    let opcode = if rotates && platform == Platform::Gen9 { 0x09 } else { opcode };
    let bits_only = matches!(opcode, 0x04..=0x0f | 0x17 | 0x19 | 0x49..=0x4f);
    let float = float && !bits_only || FLOAT_ONLY.contains(&opcode);
    // Conversions: each operand has a type of its own.
    let mixed = !bits_only && u.ratio(1, 6)?;
    let mut kind = || {
        let float = if mixed { u.arbitrary()? } else { float };
        if float { Ok(DataType::F) } else { u.choose(&INTEGERS).copied() }
    };
    let kinds = [kind()?, kind()?, kind()?];
    let may_accumulate = kinds.iter().all(|kind| (*kind == DataType::F) == float_accumulator);
    // The multiplications that read the accumulator become the one that does not.
    let accumulates = matches!(opcode, MAC | MACH);
    let opcode = if accumulates && !may_accumulate { 0x41 } else { opcode };
    let size = *u.choose(&[1, 8, 16])?;
    let mut source = |kind| -> Result<_> {
        let register = u.int_in_range(if kind == DataType::F { 0..=100 } else { INTEGER_REGISTERS })?;
        Ok((register, kind, u.ratio(1, 8)?, u.ratio(1, 4)?, u.ratio(1, 4)?))
    };
    let src = [Some(source(kinds[0])?), if two { Some(source(kinds[1])?) } else { None }];
    let condition = *u.choose(&[0, 0, 0, 1, 2, 3, 4, 5, 6, 8, 9])?;
    let condition = match opcode {
        0x10 | 0x11 if condition == 0 => 1,
        _ => condition,
    };
    let instruction = AluInstruction {
        opcode,
        size,
        condition,
        saturate: u.ratio(1, 8)?,
        dst: (u.int_in_range(if kinds[2] == DataType::F { FLOATS } else { INTEGER_REGISTERS })?, kinds[2]),
        src,
    };
    let mut word = instruction.word(platform).ok_or(arbitrary::Error::IncorrectFormat)?;
    destination(u, &mut word, kinds[2], may_accumulate)?;
    let count = instruction.src.iter().flatten().count();
    for (index, (fields, kind)) in SOURCES.iter().zip(kinds).take(count).enumerate() {
        let may_be_immediate = index + 1 == count;
        if may_be_immediate && u.ratio(1, 4)? {
            immediate(u, &mut word, fields, (kind, platform))?;
        } else {
            source_place(u, &mut word, fields, (kind, may_accumulate))?;
        }
    }
    let most = if opcode == MACH { 2 } else { 12 };
    word.set(field::ACCUMULATOR_WRITE, u64::from(u.ratio(1, most)? && may_accumulate));
    word.set(field::QUARTER, if size == 8 { u.int_in_range(0..=1)? } else { 0 });
    word.set(field::FLAG, u.int_in_range(0..=3)?);
    word.set(field::NO_MASK, u64::from(u.ratio(1, 5)?));
    word.set(field::PREDICATE, u64::from(u.ratio(1, 5)?));
    word.set(field::INVERSE, u64::from(u.arbitrary::<bool>()?));
    Ok(word)
}

/// Moves the destination of an instruction: to the null register, for the flags alone, to an accumulator, or to elements that are not
/// consecutive or do not begin with a register.
fn destination(
    u: &mut Unstructured<'_>,
    word: &mut InstructionWord,
    kind: DataType,
    may_accumulate: bool,
) -> Result<()> {
    match u.int_in_range(0..=11u8)? {
        0 | 1 => {
            word.set(field::DST_FILE, 0);
            word.set(field::DST_REGISTER, 0);
        }
        2 if may_accumulate => {
            word.set(field::DST_FILE, 0);
            word.set(field::DST_REGISTER, ACCUMULATOR + u64::from(u.ratio(1, 4)?));
        }
        3 => word.set(field::DST_STRIDE, u.int_in_range(1..=3)?),
        4 => word.set(field::DST_BYTE, byte(u, kind)?),
        _ => {}
    }
    Ok(())
}

/// Moves a source of an instruction: to an accumulator, or to a region that is neither one element nor consecutive ones of whole
/// registers.
fn source_place(
    u: &mut Unstructured<'_>,
    word: &mut InstructionWord,
    fields: &SourceFields,
    (kind, may_accumulate): (DataType, bool),
) -> Result<()> {
    match u.int_in_range(0..=9u8)? {
        0 if may_accumulate => {
            word.set(fields.file, 0);
            word.set(fields.register, ACCUMULATOR + u64::from(u.ratio(1, 4)?));
        }
        1 => word.set(fields.region, *u.choose(&REGIONS)?),
        2 => word.set(fields.byte, byte(u, kind)?),
        _ => {}
    }
    Ok(())
}

/// Chooses the byte in a register at which an operand begins.
fn byte(u: &mut Unstructured<'_>, kind: DataType) -> Result<u64> {
    let size = u64::from(kind.bits() / 8);
    Ok(u.int_in_range(0..=32 / size - 1)? * size)
}

/// Makes the last source of an instruction an immediate of 32 bits: a float for a float, an integer for an integer.
fn immediate(
    u: &mut Unstructured<'_>,
    word: &mut InstructionWord,
    fields: &SourceFields,
    (kind, platform): (DataType, Platform),
) -> Result<()> {
    let kind = *u.choose(if kind == DataType::F { &FLOAT_IMMEDIATES } else { &INTEGER_IMMEDIATES[..] })?;
    let code = kind.code(platform, true).ok_or(arbitrary::Error::IncorrectFormat)?;
    let bits = match u.int_in_range(0..=2)? {
        0 => u.int_in_range(0..=40)?,
        1 => f32::to_bits(*u.choose(&[0.0, -0.0, 1.0, 0.5, -2.5, f32::NAN, f32::INFINITY, 1e-40, 3e9])?),
        _ => u.arbitrary::<u32>()?,
    };
    // Both halves of the dword have an immediate of 16 bits.
    let word_sized = matches!(kind, DataType::Uw | DataType::W);
    let bits = if word_sized { bits << 16 | bits & 0xffff } else { bits };
    word.set(fields.file, 3);
    word.set(fields.kind, code.into());
    word.set(fields.modifiers, 0);
    word.set(fields.region, SCALAR);
    word.set(field::IMMEDIATE, bits.into());
    Ok(())
}

/// Instructions that only Gen9 has and no compiled kernel uses: sums of absolute differences, planes, moves by address registers.
fn rare(u: &mut Unstructured<'_>, platform: Platform, float_accumulator: bool) -> Result<InstructionWord> {
    let opcodes: &[u64] = if float_accumulator { &[0x03, 0x50, 0x5a] } else { &[0x03, 0x50, 0x51, 0x5a] };
    let opcode = *u.choose(opcodes)?;
    let (source, dst) = match opcode {
        0x03 => (DataType::Ud, DataType::Ud),
        0x5a => (DataType::F, DataType::F),
        _ => (*u.choose(&[DataType::Ub, DataType::B])?, *u.choose(&[DataType::Uw, DataType::W])?),
    };
    let size = *u.choose(&[8, 16])?;
    // A move by address registers copies any register, the bits of floats among them.
    let (sources, destinations) = match opcode {
        0x03 | 0x5a => (0..=127, FLOATS),
        _ => (INTEGER_REGISTERS, INTEGER_REGISTERS),
    };
    let second = Some((u.int_in_range(sources.clone())?, source, false, false, false));
    let instruction = AluInstruction {
        opcode,
        size: if opcode == 0x03 { 8 } else { size },
        condition: 0,
        saturate: u.arbitrary()?,
        dst: (u.int_in_range(destinations)?, dst),
        src: [
            Some((u.int_in_range(sources)?, source, false, false, opcode == 0x5a)),
            second.filter(|_| opcode != 0x03),
        ],
    };
    let mut word = instruction.word(platform).ok_or(arbitrary::Error::IncorrectFormat)?;
    if opcode == 0x03 {
        // The source is addressed by one of the first address registers plus an offset.
        word.set(field::SRC0_LOCATION, 0);
        word.set(field::SRC0_INDIRECT, 1);
        word.set(field::SRC0_ADDRESS, u.int_in_range(0..=8)?);
        word.set(field::SRC0_OFFSET, u.int_in_range(0..=255)?);
    }
    Ok(word)
}

fn jump(u: &mut Unstructured<'_>, index: usize, count: usize) -> Result<InstructionWord> {
    let mut word = InstructionWord::default();
    word.set(field::OPCODE, *u.choose(&JUMPS)?);
    word.set(field::SIZE, 4);
    word.set(field::PREDICATE, u64::from(u.ratio(2, 3)?));
    word.set(field::INVERSE, u64::from(u.arbitrary::<bool>()?));
    word.set(field::FLAG, u.int_in_range(0..=3)?);
    let mut distance = || -> Result<u64> {
        // Mostly forward: the registers of a program that is stopped in an endless loop are not compared.
        let first = if u.ratio(3, 4)? { index + 1 } else { 0 };
        let to = u.int_in_range(first..=count)? as i64;
        Ok(((to - index as i64) * 16) as u32 as u64)
    };
    word.set(field::JIP, distance()?);
    word.set(field::UIP, distance()?);
    Ok(word)
}

/// Checks that general registers, flags and accumulators are equal but for the bits of NaNs.
///
/// # Panics
/// They differ.
pub fn assert_same(a: &Registers, b: &Registers) {
    let nan = |bits: u32| f32::from_bits(bits).is_nan();
    for at in (0..GENERAL).step_by(4) {
        let (x, y) = (a.dword(at), b.dword(at));
        assert!(x == y || nan(x) && nan(y), "r{}.{}: {x:#x} and {y:#x}", at / 32, at % 32 / 4);
    }
    for (element, (x, y)) in a.accumulator.into_iter().zip(b.accumulator).enumerate() {
        let nans = nan(x as u32) && nan(y as u32) && x >> 32 == y >> 32;
        assert!(x == y || nans, "accumulator element {element}: {x:#x} and {y:#x}");
    }
    assert_eq!([a.flag(0), a.flag(1)], [b.flag(0), b.flag(1)]);
}
