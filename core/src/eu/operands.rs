//! The operands of instructions other than sends: registers, regions, modifiers, immediates, and jump distances.
//!
//! Gen9 and Gen11, one or two sources:
//!
//! | field | destination | source 0 | source 1 |
//! |---|---|---|---|
//! | subregister (bytes), register | 52:48, 60:53 | 68:64, 76:69 | 100:96, 108:101 |
//! | indirect | 63 | 79 | 111 |
//! | indirect: a0 subregister, offset | 60:57, 47 and 56:48 | 76:73, 95 and 72:64 | 108:105, 121 and 104:96 |
//! | absolute, negate | | 77, 78 | 109, 110 |
//! | strides H, W, V | 62:61 | 81:80, 84:82, 88:85 | 113:112, 116:114, 120:117 |
//! | align16: channel enables, swizzle | 51:48 | 83:80 and 67:64 | 115:112 and 99:96 |
//!
//! An immediate of the last source is in 127:96, or in 127:64 if it has 64 bits. Three sources:
//!
//! | field | destination | source 0 | source 1 | source 2 |
//! |---|---|---|---|---|
//! | Gen11: subregister (destination 8 bytes), register | 55:54, 63:56 | 75:71, 83:76 | 96:92, 104:97 | 117:113, 125:118 |
//! | Gen11: V, H | , 49 | 68:67, 70:69 | 89:88, 91:90 | , 112:111 |
//! | Gen11: immediate | | 82:67 | | 124:109 |
//! | Gen9: subregister (dwords), register | 55:53, 63:56 | 75:73, 83:76 | 96:94, 104:97 | 117:115, 125:118 |
//! | Gen9: replicate, swizzle | enables 52:49 | 64, 72:65 | 85, 93:86 | 106, 114:107 |
//! | absolute, negate | | 37, 38 | 39, 40 | 41, 42 |
//!
//! Jumps: JIP 127:96, UIP 95:64, in bytes from the jump (`jmpi`: from the instruction after it).
//! Confirmed by comparing every operand with the text of Intel's disassembler over 23,000 instructions of each platform.

use super::common::OperandKind;
use super::fields::Word;
use super::send::illegal;
use super::{CommonFields, Encoding, Instruction};
use crate::bits::sign_extend;
use crate::enums::{DataType, RegFile};
use crate::error::{Error, Kind, Result, What};
use crate::platform::Platform;

/// A register region: the element that each lane of a source reads. Strides are in elements of the operand's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RegisterRegion {
    /// Vertical stride: from the first element of a row to the first of the next row.
    pub vertical: u8,
    /// Width: elements in a row, 1 to 16.
    pub width: u8,
    /// Horizontal stride: from an element to the next in its row.
    pub horizontal: u8,
}

impl RegisterRegion {
    /// The same element for all lanes.
    pub const SCALAR: Self = Self { vertical: 0, width: 1, horizontal: 0 };
    /// Consecutive elements, one for each lane.
    pub const CONSECUTIVE: Self = Self { vertical: 8, width: 8, horizontal: 1 };

    /// Returns the element that `lane` reads, counted from the first element of the region.
    #[inline]
    pub const fn element(self, lane: u32) -> u32 {
        let width = if self.width == 0 { 1 } else { self.width as u32 };
        (lane / width)
            .wrapping_mul(self.vertical as u32)
            .wrapping_add((lane % width).wrapping_mul(self.horizontal as u32))
    }
}

/// The location of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Location {
    /// In a register of the operand's file (architecture registers: bits 7:4 of the number are the class).
    Direct {
        /// Register number.
        register: u8,
        /// Byte in the register.
        byte: u8,
    },
    /// In the general register file at byte a0.`address` + `offset`.
    Indirect {
        /// First subregister (words) of a0.
        address: u8,
        /// Bytes, -512..=511.
        offset: i16,
        /// Each row of the region has an address of its own (VxH): row k is at a0.(`address` + k) + `offset`.
        per_row: bool,
    },
    /// In the instruction: the value, zero-extended from the type's bits.
    Immediate(u64),
}

/// The swizzle of align16 that keeps the order of the channels.
const IDENTITY_SWIZZLE: u8 = 0xe4;
/// All four channels of align16.
const ALL_CHANNELS: u8 = 15;

/// A source operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SourceOperand {
    /// The register file.
    pub file: RegFile,
    /// The type.
    pub data_type: DataType,
    /// The location.
    pub location: Location,
    /// The elements that the lanes read.
    pub region: RegisterRegion,
    /// Takes the absolute value, before [`negate`](Self::negate).
    pub absolute: bool,
    /// Negates the value; bitwise operations take the complement instead.
    pub negate: bool,
    /// Align16: two bits for each of four channels, the element that the channel reads. Math macros have their extension register in
    /// the low four bits. Otherwise 0xe4, the identity.
    pub swizzle: u8,
}

/// A destination operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DestinationOperand {
    /// The register file.
    pub file: RegFile,
    /// The type.
    pub data_type: DataType,
    /// The location; never an immediate.
    pub location: Location,
    /// Horizontal stride, in elements from a lane to the next: 1, 2 or 4 (the encoding has 0 too).
    pub stride: u8,
    /// Align16: mask of the channels of each group of four that are written, bit 0 the first. Math macros have their extension register
    /// here. Otherwise 15.
    pub channels: u8,
}

/// All operands of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Operands {
    /// The destination.
    pub dst: Option<DestinationOperand>,
    /// The sources.
    pub src: [Option<SourceOperand>; 3],
}

/// Distances of a jump in bytes, from the instruction itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Jump {
    /// Distance to the jump target (JIP); of `jmpi` counted from the next instruction.
    pub jip: i32,
    /// Distance to the second target (UIP); 0 if the instruction has none.
    pub uip: i32,
}

impl Instruction {
    /// Decodes the operands that the instruction reads and writes; empty for sends and for instructions without operands. `common` is the
    /// result of [`common`](Self::common).
    ///
    /// # Errors
    /// `NotOnPlatform Operands` on other platforms than Gen9 and Gen11; `Unknown DataType`, `Unknown RegisterFile`,
    /// `Unknown Region`; `Unknown AccessMode` of an indirect operand in align16; the errors of
    /// [`full_word`](Self::full_word).
    pub fn operands(&self, common: &CommonFields) -> Result<Operands> {
        let here = |error: Error| error.offset_by(self.offset());
        if !matches!(self.platform(), Platform::Gen9 | Platform::Gen11) {
            return Err(here(Error::new(Kind::NotOnPlatform, What::Operands)));
        }
        let word = self.full_word()?;
        let decoded = match common.operation.encoding() {
            Encoding::Bare | Encoding::Send => Ok(Operands::default()),
            Encoding::Ternary if self.platform() == Platform::Gen9 => gen9_ternary(word, common),
            Encoding::Ternary => gen11_ternary(word, common),
            Encoding::Branch => branch(word, common),
            Encoding::Basic | Encoding::Math => binary(word, common),
        };
        decoded.map_err(here)
    }

    /// Decodes the distances of a jump; `None` if they are in a register (`ret`, and `jmpi` or `call` with a register), or if the
    /// instruction is not a jump.
    ///
    /// # Errors
    /// As [`operands`](Self::operands).
    pub fn jump(&self, common: &CommonFields) -> Result<Option<Jump>> {
        if common.operation.encoding() != Encoding::Branch || common.operation.name() == "ret" {
            return Ok(None);
        }
        let word = self.full_word()?;
        let register = |kind: Option<OperandKind>| kind.is_some_and(|kind| kind.file == RegFile::GRF);
        let jip = word.get(96, 32) as i32;
        Ok(match common.operation.name() {
            "jmpi" if common.src1.is_none_or(|kind| kind.file != RegFile::IMM) => None,
            "call" | "calla" if register(common.src0) && word.get(89, 2) != u32::from(RegFile::IMM.0) => None,
            "jmpi" | "call" | "calla" | "endif" | "while" | "join" => Some(Jump { jip, uip: 0 }),
            _ => Some(Jump { jip, uip: word.get(64, 32) as i32 }),
        })
    }
}

fn kind(operand: Option<OperandKind>, bit: u8) -> Result<(RegFile, DataType)> {
    let operand = operand.ok_or(illegal(What::RegisterFile, 0, bit))?;
    if operand.file == RegFile(2) {
        return Err(illegal(What::RegisterFile, 2, bit));
    }
    let data_type = operand.data_type.ok_or(illegal(What::DataType, 0, bit))?;
    Ok((operand.file, data_type))
}

/// Horizontal strides by code.
const STRIDES: [u8; 4] = [0, 1, 2, 4];

fn stride(code: u32) -> u8 {
    STRIDES.get(code as usize).copied().unwrap_or(0)
}

fn bit(word: Word, at: u8) -> bool {
    word.get(at, 1) == 1
}

/// The bit positions of a source's fields: `base` is the first one (the subregister), from which most fields have a fixed distance;
/// `file` and `offset_sign` do not.
struct SourcePositions {
    file: u8,
    base: u8,
    offset_sign: u8,
}

const SOURCES: [SourcePositions; 2] = [
    SourcePositions { file: 41, base: 64, offset_sign: 95 },
    SourcePositions { file: 89, base: 96, offset_sign: 121 },
];

/// Decodes the operands of an instruction with one or two sources.
fn binary(word: Word, common: &CommonFields) -> Result<Operands> {
    let [first, second] = &SOURCES;
    let mut operands = Operands {
        dst: Some(destination(word, common)?),
        src: [Some(source(word, common, common.src0, first)?), None, None],
    };
    if common.sources() > 1 {
        operands.src[1] = Some(source(word, common, common.src1, second)?);
    }
    Ok(operands)
}

/// Decodes the register operands of a jump: the source of `ret` and, if it is a register, of `jmpi` and `call`; the destination of
/// `call`. All other jumps have only distances.
fn branch(word: Word, common: &CommonFields) -> Result<Operands> {
    let [first, second] = &SOURCES;
    let mut operands = Operands::default();
    match common.operation.name() {
        "jmpi" if common.src1.is_some_and(|kind| kind.file != RegFile::IMM) => {
            operands.src[0] = Some(source(word, common, common.src1, second)?);
        }
        "call" | "calla" => {
            operands.dst = Some(destination(word, common)?);
            if word.get(89, 2) != u32::from(RegFile::IMM.0) {
                operands.src[0] = Some(source(word, common, common.src0, first)?);
            }
        }
        "ret" => operands.src[0] = Some(source(word, common, common.src0, first)?),
        _ => {}
    }
    Ok(operands)
}

fn indirect(word: Word, subregister: u8, low: u8, sign: u8, per_row: bool) -> Location {
    let offset = sign_extend(word.get(sign, 1) << 9 | word.get(low, 9), 10) as i16;
    Location::Indirect { address: word.get(subregister, 4) as u8, offset, per_row }
}

fn destination(word: Word, common: &CommonFields) -> Result<DestinationOperand> {
    let (file, data_type) = kind(common.dst, 35)?;
    if file == RegFile::IMM {
        return Err(illegal(What::RegisterFile, 3, 35));
    }
    let mut channels = ALL_CHANNELS;
    let register = word.get(53, 8) as u8;
    let location = if bit(word, 63) {
        if common.align16 {
            return Err(illegal(What::AccessMode, 1, 8));
        }
        indirect(word, 57, 48, 47, false)
    } else if common.align16 {
        channels = word.get(48, 4) as u8;
        Location::Direct { register, byte: (word.get(52, 1) as u8) << 4 }
    } else {
        Location::Direct { register, byte: word.get(48, 5) as u8 }
    };
    let stride = if common.align16 { 1 } else { stride(word.get(61, 2)) };
    Ok(DestinationOperand { file, data_type, location, stride, channels })
}

/// Vertical stride code of VxH regions: each row has an address of its own.
const PER_ROW: u32 = 15;

fn source(
    word: Word,
    common: &CommonFields,
    operand: Option<OperandKind>,
    positions: &SourcePositions,
) -> Result<SourceOperand> {
    let (file, data_type) = kind(operand, positions.file)?;
    if file == RegFile::IMM {
        return Ok(immediate(data_type, binary_immediate(word, data_type)));
    }
    let at = |offset: u8| positions.base.wrapping_add(offset);
    let get = |offset: u8, width: u8| word.get(at(offset), width);
    let vertical = get(21, 4);
    let register = get(5, 8) as u8;
    let mut swizzle = IDENTITY_SWIZZLE;
    let is_indirect = get(15, 1) == 1;
    let location = match (is_indirect, common.align16) {
        (true, true) => return Err(illegal(What::AccessMode, 1, 8)),
        (true, false) => indirect(word, at(9), positions.base, positions.offset_sign, vertical == PER_ROW),
        (false, true) => {
            swizzle = (get(16, 4) << 4 | get(0, 4)) as u8;
            Location::Direct { register, byte: (get(4, 1) as u8) << 4 }
        }
        (false, false) => Location::Direct { register, byte: get(0, 5) as u8 },
    };
    let region = if common.align16 {
        if vertical == 0 {
            RegisterRegion { vertical: 0, width: 4, horizontal: 1 }
        } else {
            RegisterRegion::CONSECUTIVE
        }
    } else {
        RegisterRegion {
            vertical: match vertical {
                0 => 0,
                1..=6 => 1 << vertical.wrapping_sub(1),
                PER_ROW if is_indirect => 0,
                other => return Err(illegal(What::Region, other, at(21))),
            },
            width: match get(18, 3) {
                code @ 0..=4 => 1 << code,
                other => return Err(illegal(What::Region, other, at(18))),
            },
            horizontal: stride(get(16, 2)),
        }
    };
    let (absolute, negate) = (get(13, 1) == 1, get(14, 1) == 1);
    Ok(SourceOperand { file, data_type, location, region, absolute, negate, swizzle })
}

const fn immediate(data_type: DataType, value: u64) -> SourceOperand {
    SourceOperand {
        file: RegFile::IMM,
        data_type,
        location: Location::Immediate(value),
        region: RegisterRegion::SCALAR,
        absolute: false,
        negate: false,
        swizzle: IDENTITY_SWIZZLE,
    }
}

fn binary_immediate(word: Word, data_type: DataType) -> u64 {
    match data_type.bits() {
        64 => word.hi,
        bits => u64::from(word.get(96, 32)) & crate::bits::mask(bits),
    }
}

/// Decodes the operands of a Gen9 instruction with three sources (align16): sources are consecutive elements or a scalar.
fn gen9_ternary(word: Word, common: &CommonFields) -> Result<Operands> {
    let (file, data_type) = kind(common.dst, 46)?;
    let dst = DestinationOperand {
        file,
        data_type,
        location: Location::Direct { register: word.get(56, 8) as u8, byte: (word.get(53, 3) as u8) << 2 },
        stride: 1,
        channels: word.get(49, 4) as u8,
    };
    let source = |operand, modifiers: u8, base: u8| -> Result<Option<SourceOperand>> {
        let (file, data_type) = kind(operand, 43)?;
        let get = |offset: u8, width: u8| word.get(base.wrapping_add(offset), width);
        // Bit 20 from `base` on selects the half of the dword, for half floats.
        let byte = (get(9, 3) << 2 | get(20, 1) << 1) as u8;
        Ok(Some(SourceOperand {
            file,
            data_type,
            location: Location::Direct { register: get(12, 8) as u8, byte },
            region: if get(0, 1) == 1 { RegisterRegion::SCALAR } else { RegisterRegion::CONSECUTIVE },
            absolute: bit(word, modifiers),
            negate: bit(word, modifiers.wrapping_add(1)),
            swizzle: if get(0, 1) == 1 { IDENTITY_SWIZZLE } else { get(1, 8) as u8 },
        }))
    };
    let src = [source(common.src0, 37, 64)?, source(common.src1, 39, 85)?, source(common.src2, 41, 106)?];
    Ok(Operands { dst: Some(dst), src })
}

/// The bit positions of a source's fields in a Gen11 instruction with three sources.
struct TernaryPositions {
    modifiers: u8,
    vertical: Option<u8>,
    horizontal: u8,
    byte: u8,
    register: u8,
    immediate: u8,
}

const TERNARY: [TernaryPositions; 3] = [
    TernaryPositions {
        modifiers: 37,
        vertical: Some(67),
        horizontal: 69,
        byte: 71,
        register: 76,
        immediate: 67,
    },
    TernaryPositions {
        modifiers: 39,
        vertical: Some(88),
        horizontal: 90,
        byte: 92,
        register: 97,
        immediate: 0,
    },
    TernaryPositions {
        modifiers: 41,
        vertical: None,
        horizontal: 111,
        byte: 113,
        register: 118,
        immediate: 109,
    },
];

/// Decodes the operands of a Gen11 instruction with three sources (align1).
fn gen11_ternary(word: Word, common: &CommonFields) -> Result<Operands> {
    let (file, data_type) = kind(common.dst, 46)?;
    let dst = DestinationOperand {
        file,
        data_type,
        location: Location::Direct { register: word.get(56, 8) as u8, byte: (word.get(54, 2) as u8) << 3 },
        stride: if bit(word, 49) { 2 } else { 1 },
        channels: ALL_CHANNELS,
    };
    let mut src = [None; 3];
    for ((slot, positions), operand) in
        src.iter_mut().zip(&TERNARY).zip([common.src0, common.src1, common.src2])
    {
        *slot = Some(gen11_ternary_source(word, positions, operand)?);
    }
    Ok(Operands { dst: Some(dst), src })
}

fn gen11_ternary_source(
    word: Word,
    positions: &TernaryPositions,
    operand: Option<OperandKind>,
) -> Result<SourceOperand> {
    let (file, data_type) = kind(operand, positions.modifiers)?;
    let (absolute, negate) = (bit(word, positions.modifiers), bit(word, positions.modifiers.wrapping_add(1)));
    if file == RegFile::IMM {
        let value = u64::from(word.get(positions.immediate, 16));
        return Ok(SourceOperand { absolute, negate, ..immediate(data_type, value) });
    }
    let horizontal = stride(word.get(positions.horizontal, 2));
    // Vertical strides are 0, 2, 4, 8; the width is not encoded: it is the vertical stride divided by the horizontal stride.
    let vertical = positions.vertical.map(|at| match word.get(at, 2) {
        0 => 0,
        code => 1u8 << code,
    });
    let region = match (vertical, horizontal) {
        (Some(0), _) | (None, 0) => RegisterRegion::SCALAR,
        (Some(vertical), 0) => RegisterRegion { vertical, width: 1, horizontal: 0 },
        (Some(vertical), _) => {
            let width = vertical.checked_div(horizontal).unwrap_or(1).max(1);
            RegisterRegion { vertical, width, horizontal }
        }
        (None, _) => RegisterRegion { vertical: horizontal, width: 1, horizontal: 0 },
    };
    let location = Location::Direct {
        register: word.get(positions.register, 8) as u8,
        byte: word.get(positions.byte, 5) as u8,
    };
    Ok(SourceOperand { file, data_type, location, region, absolute, negate, swizzle: IDENTITY_SWIZZLE })
}
