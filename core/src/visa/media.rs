//! The sampler instructions of the media pipeline: 0x40 to 0x44 and 0x4d.
//!
//! ```text
//! 0x40 sample        u8 mode (3..0 channel mask, 5..4: 0 SIMD8, 1 SIMD16), u8 sampler, u8 surface, raw u, v, r, dst
//! 0x42 load          the same without sampler
//! 0x41 sample_unorm  u8 channels (3..0 mask, 5..4 format: 16-full, 16-downsampled, 8-full, 8-downsampled),
//!                    u8 sampler, u8 surface, vector u, v, delta u, delta v, raw dst
//! 0x43 avs, 0x44 va (7 sub-operations), 0x4d va_skl_plus (17 sub-operations): see the field lists below
//! ```
//! Decoder, text and assembler interpret these lists: `b` is a byte, `v` a vector operand, `r` a raw operand.

use super::encode::ByteWriter;
use super::operand::{RawOperand, VectorOperand};
use super::{Version, opcodes};
use crate::bits::Reader;
use crate::error::{Error, Kind, Result, What};

/// Opcode, sub-operation (0xff: the opcode has none) and field list.
static LAYOUTS: &[(u8, u8, &str)] = &[
    (0x40, 0xff, "b:mode b:sampler b:surface r:u r:v r:r r:dst"),
    (0x41, 0xff, "b:channels b:sampler b:surface v:u v:v v:delta_u v:delta_v r:dst"),
    (0x42, 0xff, "b:mode b:surface r:u r:v r:r r:dst"),
    (
        0x43,
        0xff,
        "b:channels b:sampler b:surface v:u v:v v:delta_u v:delta_v v:u2d v:group_id v:vblock b:cntrl v:v2d b:exec_mode v:ief_bypass r:dst",
    ),
    (0x44, 1, "b:sampler b:surface v:u v:v b:properties r:dst"),
    (0x44, 2, "b:surface v:u v:v v:mmf_mode r:dst"),
    (0x44, 3, "b:sampler b:surface v:u v:v b:cntrl b:exec_mode v:mmf_mode r:dst"),
    (0x44, 4, "b:sampler b:surface v:u v:v b:exec_mode r:dst"),
    (0x44, 5, "b:sampler b:surface v:u v:v b:exec_mode r:dst"),
    (0x44, 6, "b:surface v:u v:v v:vsize v:hsize r:dst"),
    (0x44, 7, "b:surface v:u v:v v:vsize r:dst"),
    (0x4d, 8, "b:sampler b:surface v:u v:v b:mode r:dst"),
    (0x4d, 9, "b:sampler b:surface v:u v:v b:mode r:dst"),
    (0x4d, 10, "b:sampler b:surface v:u v:v b:mode r:offsets r:dst"),
    (0x4d, 11, "b:is8connect r:hmask v:vmask_left v:vmask_right v:loop_count r:dst"),
    (0x4d, 12, "b:surface v:u v:v b:mode r:dst"),
    (0x4d, 13, "b:surface v:u v:v v:disparity r:dst"),
    (0x4d, 15, "b:surface v:u v:v v:v_origin v:h_origin v:x_size v:y_size v:x_search v:y_search r:dst"),
    (0x4d, 16, "b:sampler b:surface v:u v:v b:properties b:dst_surface v:dst_x v:dst_y"),
    (0x4d, 17, "b:sampler b:surface v:u v:v b:pixel_size b:mmf_mode b:dst_surface v:dst_x v:dst_y"),
    (0x4d, 18, "b:sampler b:surface v:u v:v b:dst_surface v:dst_x v:dst_y"),
    (0x4d, 19, "b:sampler b:surface v:u v:v b:dst_surface v:dst_x v:dst_y"),
    (0x4d, 20, "b:surface v:u v:v v:disparity b:dst_surface v:dst_x v:dst_y"),
    (0x4d, 21, "b:surface v:u v:v b:mode b:dst_surface v:dst_x v:dst_y"),
    (0x4d, 22, "b:sampler b:surface v:u v:v b:pixel_size b:dst_surface v:dst_x v:dst_y"),
    (0x4d, 23, "b:sampler b:surface v:u v:v b:pixel_size b:dst_surface v:dst_x v:dst_y"),
    (0x4d, 24, "b:sampler b:surface v:u v:v b:pixel_size r:offsets b:dst_surface v:dst_x v:dst_y"),
];

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum MediaValue {
    /// A byte: an index, a mask, a mode.
    Byte(u8),
    /// A vector operand.
    Vector(VectorOperand),
    /// A raw operand.
    Raw(RawOperand),
}

/// A field of a media instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MediaField {
    /// Its name (`sampler`, `surface`, `u`, `dst`, ...).
    pub name: &'static str,
    /// Its value.
    pub value: MediaValue,
    /// Offset from the opcode, in bytes.
    pub offset: usize,
}

/// A media sampler instruction. Its fields are in the order of the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MediaInstruction<'a> {
    /// The version of the encoding.
    pub version: Version,
    /// 0x40 to 0x44 or 0x4d.
    pub opcode: u8,
    /// Sub-operation of 0x44 and 0x4d; `None` for other opcodes.
    pub sub: Option<u8>,
    fields: &'static str,
    bytes: &'a [u8],
}

impl<'a> MediaInstruction<'a> {
    /// Decodes the instruction at the start of `bytes`; bytes after it are ignored.
    ///
    /// # Errors
    /// Offsets count from the opcode. `Truncated`, `Unknown Opcode`, `Unknown SubOperation`; `Reserved Variable`,
    /// `VectorOperand`.
    pub fn decode(bytes: &'a [u8], version: Version) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let opcode = reader.u8(What::Instruction)?;
        let has_sub = matches!(opcode, 0x44 | 0x4d);
        let sub = if has_sub { Some(reader.u8(What::Instruction)?) } else { None };
        let what = if has_sub { What::SubOperation } else { What::Opcode };
        let unknown =
            Error::new(Kind::Unknown, what).at(usize::from(has_sub)).value(sub.unwrap_or(opcode).into());
        let row = LAYOUTS.iter().find(|row| (row.0, row.1) == (opcode, sub.unwrap_or(0xff)));
        let fields = row.ok_or(unknown)?.2;
        let mut walk = MediaFields { reader, version, names: fields };
        while walk.read()?.is_some() {}
        let length = walk.reader.offset();
        Ok(Self { version, opcode, sub, fields, bytes: bytes.get(..length).unwrap_or(bytes) })
    }

    /// Returns opcode, sub-operation and field list of the first instruction whose name `is` accepts.
    pub(super) fn layout(is: impl Fn(&str) -> bool) -> Option<(u8, Option<u8>, &'static str)> {
        let row = LAYOUTS.iter().find(|row| opcodes::mnemonic(row.0, row.1).is_some_and(&is))?;
        Some((row.0, matches!(row.0, 0x44 | 0x4d).then_some(row.1), row.2))
    }

    /// The name: `sample`, `va.erode`, ...
    pub fn name(&self) -> &'static str {
        opcodes::mnemonic(self.opcode, self.sub.unwrap_or(0)).unwrap_or_default()
    }

    /// The bytes.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The fields in order.
    pub fn fields(&self) -> MediaFields<'a> {
        MediaFields {
            reader: Reader::at(self.bytes, 1 + usize::from(self.sub.is_some())),
            version: self.version,
            names: self.fields,
        }
    }

    /// Returns the value of the field called `name`.
    pub fn field(&self, name: &str) -> Option<MediaValue> {
        self.fields().find(|field| field.name == name).map(|field| field.value)
    }

    /// Returns the value of the byte field called `name`; `None` if there is none.
    pub fn byte(&self, name: &str) -> Option<u8> {
        match self.field(name) {
            Some(MediaValue::Byte(byte)) => Some(byte),
            _ => None,
        }
    }

    /// Writes the instruction's bytes to `out`, field by field, and returns their number.
    ///
    /// # Errors
    /// `Capacity Instruction` when `out` is too small.
    pub fn encode(&self, out: &mut [u8]) -> Result<usize> {
        let mut out = ByteWriter::new(out);
        out.put(&[self.opcode])?;
        if let Some(sub) = self.sub {
            out.put(&[sub])?;
        }
        for field in self.fields() {
            match field.value {
                MediaValue::Byte(byte) => out.put(&[byte])?,
                MediaValue::Vector(vector) => vector.encode(&mut out, self.version)?,
                MediaValue::Raw(raw) => raw.encode(&mut out, self.version)?,
            }
        }
        Ok(out.len())
    }
}

/// An iterator over the fields of a media instruction.
#[derive(Clone, Copy, Debug)]
pub struct MediaFields<'a> {
    reader: Reader<'a>,
    version: Version,
    names: &'static str,
}

impl MediaFields<'_> {
    fn read(&mut self) -> Result<Option<MediaField>> {
        if self.names.is_empty() {
            return Ok(None);
        }
        let (field, rest) = opcodes::cut(self.names, b' ');
        self.names = rest;
        let offset = self.reader.offset();
        let (kind, name) = opcodes::cut(field, b':');
        let value = match kind {
            "r" => MediaValue::Raw(RawOperand::decode(&mut self.reader, self.version)?),
            "v" => MediaValue::Vector(VectorOperand::decode(&mut self.reader, self.version)?),
            _ => MediaValue::Byte(self.reader.u8(What::Instruction)?),
        };
        Ok(Some(MediaField { name, value, offset }))
    }
}

impl Iterator for MediaFields<'_> {
    type Item = MediaField;

    fn next(&mut self) -> Option<MediaField> {
        self.read().ok().flatten()
    }
}
