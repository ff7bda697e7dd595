//! The sampler instructions, field by field. Decoding keeps every bit.
//!
//! ```text
//!            0x6d 3d_sample  0x6e 3d_load  0x6f 3d_gather4  0x70 3d_info
//! operation  u16 (3.x: u8)   the same      the same         u8
//! exec       u8              u8            u8               u8
//! pred       u16             u16           u16              -
//! channels   mask            mask          channel number   mask
//! aoffimmi   vector (before 3.4: u16)      the same         -
//! sampler    u8              -             u8               -
//! surface    u8              u8            u8               u8
//! lod        -               -             -                raw, operation 10 only
//! dst        raw             raw           raw              raw
//! count      u8              u8            u8               -
//! params     raw x count     raw x count   raw x count      -
//!
//! operation  4.x: 7..0 operation, 8 pixel null mask, 9 CPS, 10 non-uniform sampler, 15..11 unused
//!            3.x: 4..0 operation, 5 pixel null mask, 6 CPS, 7 non-uniform sampler
//!            (CPS and non-uniform: 0x6d only, elsewhere unused)
//! exec       3..0 size: 0..5 = 1, 2, 4, 8, 16, 32; 7..4 mask: M1..M8, M1_NM..M8_NM (Mk starts at lane 4(k-1))
//! pred       0 = none; 11..0 index, 12 unused, 14..13 control (0 none, 1 any, 2 all), 15 inverse
//! channels   3..0 R, G, B, A; 7..4 unused
//! aoffimmi   3..0 R, 7..4 V, 11..8 U, signed texels; 14..12 unused; 15 the sampler index may be 16 or more
//! ```

use super::encode::ByteWriter;
use super::operand::{MAX_PREDICATE, RawOperand, VectorKind, VectorOperand};
use super::{Operation, Version};
use crate::bits::{Reader, sign_extend};
use crate::error::{Error, Kind, Result, What};
use crate::message::{Channels, Op};

/// The opcodes of the sampler instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum SamplerOpcode {
    /// 3d_sample, 0x6d.
    Sample = 0x6d,
    /// 3d_load, 0x6e.
    Load = 0x6e,
    /// 3d_gather4, 0x6f.
    Gather4 = 0x6f,
    /// 3d_info, 0x70.
    Info = 0x70,
}

impl SamplerOpcode {
    const fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            0x6d => Some(Self::Sample),
            0x6e => Some(Self::Load),
            0x6f => Some(Self::Gather4),
            0x70 => Some(Self::Info),
            _ => None,
        }
    }

    /// Returns whether the instruction has a sampler field.
    pub const fn has_sampler(self) -> bool {
        matches!(self, Self::Sample | Self::Gather4)
    }

    /// Returns the largest number of parameters that the instruction can have.
    pub const fn max_params(self) -> u8 {
        match self {
            Self::Sample | Self::Load => 15,
            Self::Gather4 => 7,
            Self::Info => 0,
        }
    }
}

/// The lanes of the thread that an instruction covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ExecMask {
    /// k of Mk, 1 to 8: lane 0 of the instruction is lane 4(k-1) of the thread.
    pub quarter: u8,
    /// `_NM`: the dispatch mask is ignored.
    pub no_mask: bool,
}

impl ExecMask {
    /// The name: M1..M8, M1_NM..M8_NM.
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 16] = [
            "M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M1_NM", "M2_NM", "M3_NM", "M4_NM", "M5_NM",
            "M6_NM", "M7_NM", "M8_NM",
        ];
        let index = usize::from(self.quarter.wrapping_sub(1)) | usize::from(self.no_mask) << 3;
        NAMES.get(index).copied().unwrap_or("M?")
    }

    /// The lane of the thread that is lane 0 of the instruction.
    pub const fn first_lane(self) -> u32 {
        4 * (self.quarter.wrapping_sub(1) & 7) as u32
    }

    /// Decodes the upper four bits of an execution byte, which 3.0 numbers differently; `None` if they are reserved.
    fn decode(nibble: u8, version: Version) -> Option<Self> {
        match nibble {
            8 | 9 if !version.at_least(3, 1) => Some(Self { quarter: 1, no_mask: nibble == 8 }),
            10.. if !version.at_least(3, 1) => None,
            _ => Some(Self { quarter: (nibble & 7) + 1, no_mask: nibble >= 8 }),
        }
    }
}

/// How a predicate's lanes are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum PredicateCombine {
    /// Each lane has its own bit.
    None,
    /// All lanes if one is set.
    Any,
    /// All lanes if all are set.
    All,
}

impl PredicateCombine {
    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Any => "any",
            Self::All => "all",
        }
    }
}

/// A predicate reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Predicate {
    /// 1 and up: entry `index` - 1 of the predicate table.
    pub index: u16,
    /// How the lanes are combined.
    pub control: PredicateCombine,
    /// The result is inverted after combining.
    pub inverse: bool,
}

/// Texel offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TexelOffsets {
    /// Offsets in U, V, R order; -8 to 7.
    pub uvr: [i8; 3],
    /// Bit 15: the sampler index may be 16 or more (the sampler state pointer is advanced).
    pub high_sampler: bool,
}

impl TexelOffsets {
    /// Decodes the 16-bit value of a texel offsets operand.
    pub const fn from_bits(value: u16) -> Self {
        Self {
            uvr: [sign_nibble(value >> 8), sign_nibble(value >> 4), sign_nibble(value)],
            high_sampler: value >> 15 == 1,
        }
    }
}

const fn sign_nibble(value: u16) -> i8 {
    sign_extend((value & 15) as u32, 4) as i8
}

/// The parameters: an iterator that decodes them one by one from the instruction's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Params<'a> {
    bytes: &'a [u8],
    version: Version,
}

impl Params<'_> {
    /// The number of parameters that remain.
    pub const fn len(&self) -> usize {
        if self.version.index_bytes() == 4 { self.bytes.len() / 6 } else { self.bytes.len() / 4 }
    }

    /// Returns whether none remain (info instructions have none).
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

impl Iterator for Params<'_> {
    type Item = RawOperand;

    #[inline]
    fn next(&mut self) -> Option<RawOperand> {
        let mut reader = Reader::new(self.bytes);
        let raw = RawOperand::read(&mut reader, self.version).ok()?;
        self.bytes = reader.rest();
        Some(raw)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }
}

impl ExactSizeIterator for Params<'_> {}

/// A sampler instruction. The fields hold the encoded fields as they are stored; the methods interpret them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SamplerInstruction<'a> {
    /// The version of the encoding.
    pub version: Version,
    /// The opcode.
    pub opcode: SamplerOpcode,
    /// The operation field as stored, flags included.
    pub op_field: u16,
    /// The execution byte as stored.
    pub exec: u8,
    /// The predicate field as stored; 0 for info.
    pub pred: u16,
    /// The channels byte as stored: mask, or channel number for gather4.
    pub channels: u8,
    /// Sampler index; 31 is the bindless sampler. 0 where the instruction has none.
    pub sampler: u8,
    /// Surface index: 0 to 5 predefined, from 6 on the container's table.
    pub surface: u8,
    /// Texel offsets; `None` for info. Before 3.4 always an immediate word.
    pub aoffimmi: Option<VectorOperand>,
    /// The LOD of resinfo; `None` for other operations.
    pub lod: Option<RawOperand>,
    /// Destination.
    pub dst: RawOperand,
    /// Parameters.
    pub params: Params<'a>,
    operation: &'static Operation,
}

impl<'a> SamplerInstruction<'a> {
    /// Decodes the instruction at the start of `bytes`; bytes after it are ignored.
    ///
    /// # Errors
    /// Offsets count from the opcode. `Truncated`; `Unknown Operation`; `Invalid Operation` (of another opcode);
    /// `Invalid ExecSize`, `ChannelMask`, `GatherChannel`, `Predicate`, `ParameterCount`;
    /// `Reserved ExecMask`, `Variable`, `VectorOperand`. See the [module](super) for why these are refused.
    #[inline]
    pub fn decode(bytes: &'a [u8], version: Version) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let what = What::Instruction;
        let byte = reader.u8(what)?;
        let unknown = Error::new(Kind::Unknown, What::Opcode).at(0).value(byte.into());
        let opcode = SamplerOpcode::from_byte(byte).ok_or(unknown)?;
        let wide = version.major >= 4 && opcode != SamplerOpcode::Info;
        let op_field = if wide { reader.u16(what)? } else { reader.u8(what)?.into() };
        let operation = operation(op_field, opcode, version)?;

        let at = reader.offset();
        let exec = reader.u8(what)?;
        if exec & 15 > 5 {
            return Err(Error::new(Kind::Invalid, What::ExecSize).at(at).value((exec & 15).into()));
        }
        if ExecMask::decode(exec >> 4, version).is_none() {
            return Err(Error::new(Kind::Reserved, What::ExecMask).at(at).bit(4).value((exec >> 4).into()));
        }
        let info = opcode == SamplerOpcode::Info;
        let at = reader.offset();
        let pred = if info { 0 } else { reader.u16(what)? };
        if pred != 0 && (pred & MAX_PREDICATE == 0 || pred >> 13 & 3 == 3) {
            return Err(Error::new(Kind::Invalid, What::Predicate).at(at).value(pred.into()));
        }
        let at = reader.offset();
        let channels = reader.u8(what)?;
        check_channels(opcode, channels, at)?;
        let aoffimmi = if info {
            None
        } else if version.at_least(3, 4) {
            Some(offsets(&mut reader, version)?)
        } else {
            Some(VectorOperand::uw(reader.u16(what)?))
        };
        let sampler = if opcode.has_sampler() { reader.u8(what)? } else { 0 };
        let surface = reader.u8(what)?;
        let lod =
            if operation.op == Op::Resinfo { Some(RawOperand::decode(&mut reader, version)?) } else { None };
        let dst = RawOperand::decode(&mut reader, version)?;
        let params = if info { &[] } else { params(&mut reader, opcode, version)? };
        let params = Params { bytes: params, version };
        Ok(Self {
            version,
            opcode,
            op_field,
            exec,
            pred,
            channels,
            sampler,
            surface,
            aoffimmi,
            lod,
            dst,
            params,
            operation,
        })
    }

    /// Writes the instruction's bytes to `out` and returns their number. The exact inverse of [`decode`](Self::decode).
    ///
    /// # Errors
    /// `Capacity Instruction` when `out` is too small ([`MAX_SAMPLER_BYTES`](super::MAX_SAMPLER_BYTES) is always enough);
    /// `Invalid` where a field was changed to a value that this version cannot encode.
    pub fn encode(&self, out: &mut [u8]) -> Result<usize> {
        let mut out = ByteWriter::new(out);
        let version = self.version;
        out.put(&[self.opcode as u8])?;
        let [low, high] = self.op_field.to_le_bytes();
        if version.major >= 4 && self.opcode != SamplerOpcode::Info {
            out.put(&[low, high])?;
        } else if high == 0 {
            out.put(&[low])?;
        } else {
            return Err(Error::new(Kind::Invalid, What::Operation).at(1).value(self.op_field.into()));
        }
        out.put(&[self.exec])?;
        if self.opcode != SamplerOpcode::Info {
            out.put(&self.pred.to_le_bytes())?;
        }
        out.put(&[self.channels])?;
        if let Some(vector) = &self.aoffimmi {
            match vector.kind {
                _ if version.at_least(3, 4) => vector.encode(&mut out, version)?,
                VectorKind::Immediate { value, .. } if value <= 0xffff => {
                    out.put(&(value as u16).to_le_bytes())?
                }
                _ => {
                    return Err(Error::new(Kind::Invalid, What::VectorOperand)
                        .at(out.len())
                        .value(vector.tag.into()));
                }
            }
        }
        if self.opcode.has_sampler() {
            out.put(&[self.sampler])?;
        }
        out.put(&[self.surface])?;
        if let Some(lod) = self.lod {
            lod.encode(&mut out, version)?;
        }
        self.dst.encode(&mut out, version)?;
        if self.opcode != SamplerOpcode::Info {
            out.put(&[self.params.len() as u8])?;
            for param in self.params {
                param.encode(&mut out, version)?;
            }
        }
        Ok(out.len())
    }

    /// The operation.
    pub const fn operation(&self) -> &'static Operation {
        self.operation
    }

    const fn flag(&self, bit: u32) -> bool {
        let shift = if self.version.major >= 4 { 8 } else { 5 };
        !matches!(self.opcode, SamplerOpcode::Info) && self.op_field >> (shift + bit) & 1 == 1
    }

    /// Returns whether the response has a pixel null mask after the channels.
    pub const fn null_mask(&self) -> bool {
        self.flag(0)
    }

    /// Returns whether the LOD is compensated for coarse pixel shading (3d_sample only; elsewhere the bit is unused).
    pub const fn cps(&self) -> bool {
        self.flag(1) && matches!(self.opcode, SamplerOpcode::Sample)
    }

    /// Returns whether the sampler may differ per thread, `.divS` (3d_sample only; elsewhere the bit is unused).
    pub const fn non_uniform(&self) -> bool {
        self.flag(2) && matches!(self.opcode, SamplerOpcode::Sample)
    }

    /// Returns the number of lanes: 1, 2, 4, 8, 16 or 32.
    pub const fn exec_size(&self) -> u8 {
        1 << (self.exec & 7)
    }

    /// Returns the lanes of the thread that the instruction covers.
    pub fn exec_mask(&self) -> ExecMask {
        ExecMask::decode(self.exec >> 4, self.version).unwrap_or(ExecMask { quarter: 1, no_mask: false })
    }

    /// The predicate, if there is one.
    pub const fn predicate(&self) -> Option<Predicate> {
        if self.pred == 0 {
            return None;
        }
        let control = match self.pred >> 13 & 3 {
            1 => PredicateCombine::Any,
            2 => PredicateCombine::All,
            _ => PredicateCombine::None,
        };
        Some(Predicate { index: self.pred & MAX_PREDICATE, control, inverse: self.pred >> 15 == 1 })
    }

    /// The channels that are written; all four for gather4.
    pub const fn channel_mask(&self) -> Channels {
        match self.opcode {
            SamplerOpcode::Gather4 => Channels::RGBA,
            _ => Channels::new(self.channels),
        }
    }

    /// Returns the texel offsets if they are an immediate (0 for info); `None` if they are known only at run time.
    pub const fn offsets(&self) -> Option<TexelOffsets> {
        match self.aoffimmi {
            None => Some(TexelOffsets::from_bits(0)),
            Some(VectorOperand { kind: VectorKind::Immediate { value, .. }, .. }) => {
                Some(TexelOffsets::from_bits(value as u16))
            }
            Some(_) => None,
        }
    }
}

/// Returns the operation of an operation field; an error if it is unknown or belongs to another opcode.
#[inline]
fn operation(field: u16, opcode: SamplerOpcode, version: Version) -> Result<&'static Operation> {
    let number = match (opcode, version.major >= 4) {
        (SamplerOpcode::Info, _) | (_, true) => field as u8,
        _ => field as u8 & 31,
    };
    let error = |kind| Error::new(kind, What::Operation).at(1).value(number.into());
    let operation = Operation::of(number).ok_or(error(Kind::Unknown))?;
    if operation.opcode == opcode as u8 { Ok(operation) } else { Err(error(Kind::Invalid)) }
}

#[inline]
fn check_channels(opcode: SamplerOpcode, channels: u8, at: usize) -> Result<()> {
    let what = match opcode {
        SamplerOpcode::Gather4 if channels > 3 => What::GatherChannel,
        SamplerOpcode::Sample | SamplerOpcode::Load | SamplerOpcode::Info if channels & 15 == 0 => {
            What::ChannelMask
        }
        _ => return Ok(()),
    };
    Err(Error::new(Kind::Invalid, what).at(at).value(channels.into()))
}

/// Reads the texel offsets. An immediate word, which they nearly always are, is decoded here for speed.
#[inline]
fn offsets(reader: &mut Reader<'_>, version: Version) -> Result<VectorOperand> {
    if let Some(&[5, 2, a, b, c, d]) = reader.rest().first_chunk() {
        reader.bytes(6, What::Instruction)?;
        let value = u32::from_le_bytes([a, b, c, d]).into();
        return Ok(VectorOperand { tag: 5, kind: VectorKind::Immediate { kind: 2, value } });
    }
    VectorOperand::decode(reader, version)
}

/// Reads the parameters and returns their bytes, after a check of their number and of each variable index.
#[inline]
fn params<'a>(reader: &mut Reader<'a>, opcode: SamplerOpcode, version: Version) -> Result<&'a [u8]> {
    let at = reader.offset();
    let count = reader.u8(What::Instruction)?;
    if count == 0 || count > opcode.max_params() {
        return Err(Error::new(Kind::Invalid, What::ParameterCount).at(at).value(count.into()));
    }
    let mut each = *reader;
    let length = usize::from(count).wrapping_mul(version.index_bytes() + 2);
    let bytes = reader.bytes(length, What::Instruction)?;
    for _ in 0..count {
        RawOperand::decode(&mut each, version)?;
    }
    Ok(bytes)
}
