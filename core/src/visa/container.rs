//! The CISA container, read lazily: nothing is copied, counts are checked, every loop is bounded by the file's length.
//!
//! ```text
//! header    "CISA", major, minor (u8), kernel count (u16)
//! kernel    name length (u8, from 3.7 u16), name, body offset, body size, offset of its inputs (u32 each),
//!           variable and function relocations (u16 count, 4 bytes each), Gen binaries (u8 count, {u8 platform, u32 offset, u32 size})
//! then      file scope variables (u16, always 0), function count (u16)
//! function  linkage (u8), name length, name, offset, size, relocations as above
//!
//! body      index = u16, from 3.4 u32; every table begins with its count
//!   index   strings, each ended by 0
//!   index   the name's string (no count)
//!   index   variables  { index name, u8 type 3..0 alignment 7..4, u16 elements, index alias, u16 alias offset, u8 scope, attributes }
//!   u16     addresses  { index name, u16 elements, attributes }
//!   u16     predicates { the same }
//!   u16     labels     { index name, u8 kind, attributes }
//!   u8      samplers   { index name, u16 elements, attributes }
//!   u8      surfaces   { the same }
//!   u8      vme        { the same }
//!   u8/u32  inputs     { u8 class 2..0 implicit kind 7..3, index, i16 offset, u16 size }   kernels; u32 from 3.5
//!   u32     code size, u32 entry (from the body's start)
//!           functions: u8 input size, u8 return size
//!   u16     attributes
//! attribute index name, u8 size, size bytes        attributes (of a record) = u8 count, attribute...
//! ```

use super::operand::FIRST_VARIABLE;
use super::tables::{Attributes, Inputs, RecordTable, Symbol};
use super::{Instructions, Version};
use crate::bits::Reader;
use crate::error::{Error, Kind, Result, What};

/// A CISA file.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Module<'a> {
    bytes: &'a [u8],
    version: Version,
    kernels: u16,
}

impl<'a> Module<'a> {
    /// Reads the header; each routine is read when [`routines`](Self::routines) reaches it.
    ///
    /// # Errors
    /// `Truncated Cisa`, `Unknown Cisa` (no CISA magic), `Unsupported Cisa` (a version before 3.0).
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let magic = reader.u32(What::Cisa)?;
        if magic != u32::from_le_bytes(*b"CISA") {
            return Err(Error::new(Kind::Unknown, What::Cisa).at(0).value(magic.into()));
        }
        let [major, minor] = reader.array(What::Cisa)?;
        if major < 3 {
            return Err(Error::new(Kind::Unsupported, What::Cisa).at(4).value(major.into()));
        }
        let kernels = reader.u16(What::Cisa)?;
        Ok(Self { bytes, version: Version::new(major, minor), kernels })
    }

    /// The version.
    pub const fn version(&self) -> Version {
        self.version
    }

    /// Returns an iterator over the kernels and then the functions, in the order of the header.
    ///
    /// A routine with a damaged body gives an error, and the iteration continues with the next routine; a damaged
    /// header gives an error and ends the iteration.
    pub fn routines(&self) -> Routines<'a> {
        Routines { module: *self, reader: Reader::at(self.bytes, 8), kernels: self.kernels, functions: None }
    }

    /// Returns an iterator over the kernels only.
    pub fn kernels(&self) -> impl Iterator<Item = Result<Routine<'a>>> + use<'a> {
        self.routines().take(self.kernels.into())
    }
}

/// The kind of a routine: a kernel, which has inputs, or a function, which has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum RoutineKind {
    /// An entry point.
    Kernel,
    /// Called by kernels.
    Function,
}

/// A Gen binary in the file: machine code for one platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GenBinary {
    /// Platform number (5 Sky Lake, 10 Ice Lake, 12 Tiger Lake, 13 DG2, 14 Ponte Vecchio).
    pub platform: u8,
    /// Offset from the start of the file, in bytes.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
}

/// The entry of a routine in the header.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RoutineEntry<'a> {
    /// Kernel or function.
    pub kind: RoutineKind,
    /// The name, without terminator.
    pub name: &'a [u8],
    /// Offset of the body in the file.
    pub offset: u32,
    /// Size of the body, in bytes.
    pub size: u32,
    /// Offset of the input table in the file; 0 for functions.
    pub input_offset: u32,
    binaries: &'a [u8],
}

impl<'a> RoutineEntry<'a> {
    /// Returns an iterator over the Gen binaries of a kernel; functions have none.
    pub fn gen_binaries(&self) -> impl Iterator<Item = GenBinary> + use<'a> {
        let (records, _) = self.binaries.as_chunks::<9>();
        records.iter().map(|&[platform, a, b, c, d, e, f, g, h]| GenBinary {
            platform,
            offset: u32::from_le_bytes([a, b, c, d]),
            size: u32::from_le_bytes([e, f, g, h]),
        })
    }

    fn read(reader: &mut Reader<'a>, kind: RoutineKind, version: Version) -> Result<Self> {
        let what = What::KernelCount;
        if kind == RoutineKind::Function {
            reader.u8(what)?;
        }
        let length = if version.at_least(3, 7) { reader.u16(what)? } else { reader.u8(what)?.into() };
        let name = reader.bytes(length.into(), what)?;
        let offset = reader.u32(what)?;
        let size = reader.u32(what)?;
        let kernel = kind == RoutineKind::Kernel;
        let input_offset = if kernel { reader.u32(what)? } else { 0 };
        for _ in 0..2 {
            let relocations = usize::from(reader.u16(what)?);
            reader.bytes(relocations.wrapping_mul(4), what)?;
        }
        let count = if kernel { usize::from(reader.u8(what)?) } else { 0 };
        let binaries = reader.bytes(count.wrapping_mul(9), what)?;
        Ok(Self { kind, name, offset, size, input_offset, binaries })
    }
}

/// An iterator over the routines of a module.
#[derive(Clone, Copy, Debug)]
pub struct Routines<'a> {
    module: Module<'a>,
    reader: Reader<'a>,
    kernels: u16,
    /// Number of functions that are not read yet; `None` until their count was read.
    functions: Option<u16>,
}

impl<'a> Routines<'a> {
    fn entry(&mut self) -> Result<Option<RoutineEntry<'a>>> {
        let version = self.module.version;
        if let Some(left) = self.kernels.checked_sub(1) {
            self.kernels = left;
            return RoutineEntry::read(&mut self.reader, RoutineKind::Kernel, version).map(Some);
        }
        let left = match self.functions {
            Some(left) => left,
            None => {
                let scope = self.reader.u16(What::KernelCount)?;
                if scope != 0 {
                    let at = self.reader.offset().wrapping_sub(2);
                    return Err(Error::new(Kind::Unsupported, What::SymbolTable).at(at).value(scope.into()));
                }
                self.reader.u16(What::KernelCount)?
            }
        };
        self.functions = Some(left.saturating_sub(1));
        if left == 0 {
            return Ok(None);
        }
        RoutineEntry::read(&mut self.reader, RoutineKind::Function, version).map(Some)
    }
}

impl<'a> Iterator for Routines<'a> {
    type Item = Result<Routine<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.entry() {
            Ok(entry) => entry.map(|entry| Routine::read(self.module, entry)),
            Err(error) => {
                self.kernels = 0;
                self.functions = Some(0);
                Some(Err(error))
            }
        }
    }
}

/// A kernel or function with its tables and code.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Routine<'a> {
    /// The header's entry.
    pub entry: RoutineEntry<'a>,
    /// The version of the file.
    pub version: Version,
    /// Variables; entry k has index 32 + k.
    pub variables: RecordTable<'a>,
    /// Address variables; entry k has index k.
    pub addresses: RecordTable<'a>,
    /// Predicates; entry k has index k + 1.
    pub predicates: RecordTable<'a>,
    /// Labels; entry k has index k.
    pub labels: RecordTable<'a>,
    /// Samplers; entry k has index k.
    pub samplers: RecordTable<'a>,
    /// Surfaces; entry k has index 6 + k.
    pub surfaces: RecordTable<'a>,
    /// Inputs of a kernel.
    pub inputs: Inputs<'a>,
    /// Attributes of the routine.
    pub attributes: Attributes<'a>,
    /// Input and return size of a function, in registers; `None` for kernels.
    pub sizes: Option<[u8; 2]>,
    /// Offset of the code from the body's start.
    pub entry_offset: u32,
    strings: &'a [u8],
    string_count: u32,
    code: &'a [u8],
    code_offset: usize,
}

impl<'a> Routine<'a> {
    fn read(module: Module<'a>, entry: RoutineEntry<'a>) -> Result<Self> {
        let start = entry.offset as usize;
        let end = start.saturating_add(entry.size as usize);
        if start > module.bytes.len() {
            return Err(Error::truncated(What::KernelBody, start, entry.size as usize));
        }
        // A body size past the end of the file is no error in itself: the first part that is missing is.
        let body = module.bytes.get(..end.min(module.bytes.len())).unwrap_or_default();
        let reader = &mut Reader::at(body, start);
        let version = module.version;

        let string_count = version.read_index(reader, What::StringTable)?;
        let strings = strings(reader, string_count)?;
        version.read_index(reader, What::KernelBody)?;
        let what = What::SymbolTable;
        let count = version.read_index(reader, what)?;
        let variables = RecordTable::read(reader, count, version.index_bytes() + 6, version)?;
        let count = reader.u16(what)?.into();
        let addresses = RecordTable::read(reader, count, 2, version)?;
        let count = reader.u16(what)?.into();
        let predicates = RecordTable::read(reader, count, 2, version)?;
        let count = reader.u16(what)?.into();
        let labels = RecordTable::read(reader, count, 1, version)?;
        let count = reader.u8(what)?.into();
        let samplers = RecordTable::read(reader, count, 2, version)?;
        let count = reader.u8(what)?.into();
        let surfaces = RecordTable::read(reader, count, 2, version)?;
        let count = reader.u8(what)?.into();
        RecordTable::read(reader, count, 2, version)?;
        let inputs = match entry.kind {
            RoutineKind::Kernel => Inputs::read(reader, version)?,
            RoutineKind::Function => Inputs::none(version),
        };
        let size = reader.u32(What::KernelBody)?;
        let entry_offset = reader.u32(What::KernelBody)?;
        let sizes = match entry.kind {
            RoutineKind::Kernel => None,
            RoutineKind::Function => Some(reader.array(What::KernelBody)?),
        };
        let count = reader.u16(what)?;
        let attributes = Attributes::read(reader, count, version)?;

        let code_offset = start.saturating_add(entry_offset as usize);
        let code_end = code_offset.saturating_add(size as usize);
        let missing = Error::truncated(What::CodeRange, code_offset, size as usize);
        let code = body.get(code_offset..code_end).ok_or(missing)?;
        Ok(Self {
            entry,
            version,
            variables,
            addresses,
            predicates,
            labels,
            samplers,
            surfaces,
            inputs,
            attributes,
            sizes,
            entry_offset,
            strings,
            string_count,
            code,
            code_offset,
        })
    }

    /// Returns a walk over the instructions.
    pub const fn instructions(&self) -> Instructions<'a> {
        Instructions::new(self.code, self.code_offset, self.version)
    }

    /// The code's bytes.
    pub const fn code(&self) -> &'a [u8] {
        self.code
    }

    /// Offset of the code in the file.
    pub const fn code_offset(&self) -> usize {
        self.code_offset
    }

    /// The number of strings.
    pub const fn string_count(&self) -> u32 {
        self.string_count
    }

    /// The strings in order, without terminators.
    pub fn strings(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.strings.split_inclusive(|&byte| byte == 0).map(|s| s.strip_suffix(&[0]).unwrap_or(s))
    }

    /// Returns the string that starts at byte `position` of the string table, without terminator; empty past the end.
    pub(super) fn string_at(&self, position: usize) -> &'a [u8] {
        self.strings.get(position..).and_then(|rest| rest.split(|&byte| byte == 0).next()).unwrap_or_default()
    }

    /// Returns the record of the variable with index `index`: entry `index` - 32 of the variable table.
    pub(super) fn variable_record(&self, index: u32) -> Option<Symbol<'a>> {
        self.variables.iter().nth(index.checked_sub(FIRST_VARIABLE)? as usize)
    }
}

/// Skips `count` strings, each ended by 0, and returns their bytes.
fn strings<'a>(reader: &mut Reader<'a>, count: u32) -> Result<&'a [u8]> {
    let start = reader.offset();
    let all = reader.rest();
    let missing = Error::truncated(What::StringTable, start, count as usize);
    let mut length = 0usize;
    let mut rest = all;
    for _ in 0..count {
        let end = rest.iter().position(|&byte| byte == 0).ok_or(missing)?;
        length = length.wrapping_add(end).wrapping_add(1);
        rest = rest.get(end.wrapping_add(1)..).ok_or(missing)?;
    }
    reader.bytes(length, What::StringTable)
}
