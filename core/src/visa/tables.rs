//! The tables of a routine's body: symbols, attributes, inputs. Records are decoded when they are accessed.

use super::Version;
use super::operand::Type;
use crate::bits::Reader;
use crate::error::{Result, What};

/// A table of records in a body. The length of a record depends on its attributes.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RecordTable<'a> {
    bytes: &'a [u8],
    count: u32,
    /// Bytes of a record between the name and the attributes.
    fixed: usize,
    version: Version,
}

/// A record of any of the symbol tables.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Symbol<'a> {
    /// Index of its name in the string table.
    pub name: u32,
    /// The bytes between name and attributes.
    pub fields: &'a [u8],
    /// Its attributes.
    pub attributes: Attributes<'a>,
    /// Offset of the record in the table's bytes.
    pub(super) position: usize,
}

impl<'a> RecordTable<'a> {
    pub(super) fn read(reader: &mut Reader<'a>, count: u32, fixed: usize, version: Version) -> Result<Self> {
        let start = *reader;
        for _ in 0..count {
            record(reader, fixed, version)?;
        }
        let length = reader.offset().wrapping_sub(start.offset());
        let bytes = start.rest().get(..length).unwrap_or_default();
        Ok(Self { bytes, count, fixed, version })
    }

    /// The number of records.
    pub const fn len(&self) -> u32 {
        self.count
    }

    /// Returns whether there are no records.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The records in order.
    pub fn iter(&self) -> impl Iterator<Item = Symbol<'a>> + use<'a> {
        let (mut reader, fixed, version) = (Reader::new(self.bytes), self.fixed, self.version);
        core::iter::from_fn(move || record(&mut reader, fixed, version).ok())
    }

    /// Returns the record that starts at byte `position` of the table; `None` if none fits there.
    pub(super) fn at(&self, position: usize) -> Option<Symbol<'a>> {
        record(&mut Reader::at(self.bytes, position), self.fixed, self.version).ok()
    }
}

fn record<'a>(reader: &mut Reader<'a>, fixed: usize, version: Version) -> Result<Symbol<'a>> {
    let what = What::SymbolTable;
    let position = reader.offset();
    let name = version.read_index(reader, what)?;
    let fields = reader.bytes(fixed, what)?;
    let count = reader.u8(what)?.into();
    let attributes = Attributes::read(reader, count, version)?;
    Ok(Symbol { name, fields, attributes, position })
}

/// An attribute: a name with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Attribute<'a> {
    /// Index of the name in the string table.
    pub name: u32,
    /// The value: an integer of 0, 1, 2 or 4 bytes, or text without terminator.
    pub value: &'a [u8],
}

/// Attributes of a record or of a body.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Attributes<'a> {
    bytes: &'a [u8],
    count: u16,
    version: Version,
}

impl<'a> Attributes<'a> {
    pub(super) fn read(reader: &mut Reader<'a>, count: u16, version: Version) -> Result<Self> {
        let start = *reader;
        for _ in 0..count {
            attribute(reader, version)?;
        }
        let length = reader.offset().wrapping_sub(start.offset());
        Ok(Self { bytes: start.rest().get(..length).unwrap_or_default(), count, version })
    }

    /// The number of entries.
    pub const fn len(&self) -> u16 {
        self.count
    }

    /// Returns whether there are no entries.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The attributes in order.
    pub fn iter(&self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        let (mut reader, version) = (Reader::new(self.bytes), self.version);
        core::iter::from_fn(move || attribute(&mut reader, version).ok())
    }
}

fn attribute<'a>(reader: &mut Reader<'a>, version: Version) -> Result<Attribute<'a>> {
    let what = What::SymbolTable;
    let name = version.read_index(reader, what)?;
    let size = reader.u8(what)?;
    Ok(Attribute { name, value: reader.bytes(size.into(), what)? })
}

/// An input of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Input {
    /// Bits 2..0 class (0 variable, 1 sampler, 2 surface), 7..3 implicit kind.
    pub kind: u8,
    /// Index of the variable, sampler or surface.
    pub index: u32,
    /// Offset in the payload, in bytes.
    pub offset: i16,
    /// Size in bytes.
    pub size: u16,
}

/// The inputs of a kernel.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Inputs<'a> {
    bytes: &'a [u8],
    count: u32,
    version: Version,
}

impl<'a> Inputs<'a> {
    pub(super) fn read(reader: &mut Reader<'a>, version: Version) -> Result<Self> {
        let what = What::SymbolTable;
        let count = if version.at_least(3, 5) { reader.u32(what)? } else { reader.u8(what)?.into() };
        let record = version.index_bytes().wrapping_add(5);
        let length = (count as usize).saturating_mul(record);
        Ok(Self { bytes: reader.bytes(length, what)?, count, version })
    }

    pub(super) const fn none(version: Version) -> Self {
        Self { bytes: &[], count: 0, version }
    }

    /// The number of entries.
    pub const fn len(&self) -> u32 {
        self.count
    }

    /// Returns whether there are no entries.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The inputs in order.
    pub fn iter(&self) -> impl Iterator<Item = Input> + use<'a> {
        let (mut reader, version) = (Reader::new(self.bytes), self.version);
        core::iter::from_fn(move || {
            let kind = reader.u8(What::SymbolTable).ok()?;
            let index = version.read_index(&mut reader, What::SymbolTable).ok()?;
            let [a, b, c, d] = reader.array(What::SymbolTable).ok()?;
            Some(Input { kind, index, offset: i16::from_le_bytes([a, b]), size: u16::from_le_bytes([c, d]) })
        })
    }
}

/// The fields of a variable's record.
#[derive(Clone, Copy, Debug)]
pub(super) struct VariableFields {
    pub(super) kind: Type,
    pub(super) elements: u16,
    pub(super) alias: u32,
    pub(super) alias_offset: u16,
}

impl VariableFields {
    pub(super) fn read(fields: &[u8], version: Version) -> Option<Self> {
        let mut reader = Reader::new(fields);
        let what = What::SymbolTable;
        let bits = reader.u8(what).ok()?;
        let elements = reader.u16(what).ok()?;
        let alias = version.read_index(&mut reader, what).ok()?;
        let alias_offset = reader.u16(what).ok()?;
        Some(Self { kind: Type::from_code(bits), elements, alias, alias_offset })
    }
}
