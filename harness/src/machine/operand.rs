//! Operands prepared for execution: the byte offset of every lane in the register array, computed once per instruction.

use super::error::{Error, Result};
use super::registers::{GENERAL, REGISTER, Registers, at};
use texwire::enums::{DataType, RegFile};
use texwire::eu::{DestinationOperand, Location, RegisterRegion, SourceOperand};

/// Most lanes of an instruction.
pub const LANES: usize = 32;

/// The storage of an operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Storage {
    /// The register array, at the offsets of [`Source::offsets`]: general registers, and architecture registers other than accumulators.
    Bytes,
    /// General registers, addressed through a0.
    Indirect {
        /// The word of a0 with the address of lane 0.
        address: u8,
        /// Immediate offset in bytes, added to the address.
        offset: i16,
        /// Lanes in a row of a VxH region: row k has the address in word `address` + k of a0. 0: all lanes count from the first address.
        row: u8,
    },
    /// One general register, for `movi`: the address of lane 0 selects the register, the low bits of each lane's own address the byte in
    /// it.
    Indexed {
        /// The word of a0 with the address of lane 0; lane i has word `address` + i.
        address: u8,
        /// Immediate offset in bytes, added to each address.
        offset: i16,
    },
    /// The accumulator; the value is the element of lane 0.
    Accumulator(u8),
    /// An immediate: the bits of eight lanes, repeated for the lanes after them.
    Immediate([u64; 8]),
    /// The null register: reads give 0, writes vanish.
    Null,
}

/// How the elements of an operand's lanes lie in the registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One element for all lanes.
    Scalar,
    /// Consecutive elements, one for each lane.
    Consecutive,
    /// Any other arrangement.
    Scattered,
}

/// A source operand.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it is stored.
    pub storage: Storage,
    /// The type of an element; for packed immediates (V, UV, VF) the type that they are unpacked to.
    pub kind: DataType,
    /// For each lane: with [`Storage::Bytes`] the byte offset in the register array, with [`Storage::Indirect`] the distance in bytes from
    /// the address (of its row), with [`Storage::Accumulator`] the element, counted from that of lane 0. Otherwise not used.
    pub offsets: [u16; LANES],
    /// How the lanes' elements lie.
    pub pattern: Pattern,
    /// Source modifier: absolute value.
    pub absolute: bool,
    /// Source modifier: negation, after the absolute value; for bitwise operations the complement.
    pub negate: bool,
}

/// A destination operand.
#[derive(Clone, Debug)]
pub struct Destination {
    /// Where it is stored; never an immediate.
    pub storage: Storage,
    /// The type of an element.
    pub kind: DataType,
    /// As in [`Source::offsets`].
    pub offsets: [u16; LANES],
    /// How the lanes' elements lie.
    pub pattern: Pattern,
    /// Mask of the lanes that can be written: the channel enables of align16 select some of each group of four.
    pub lanes: u32,
}

/// Returns the bytes of an element.
pub fn size_of(kind: DataType) -> usize {
    kind.bits() as usize / 8
}

/// Returns the type of an operand. Type `nf`, the native float of Gen11, is refused: it has 66 bits, and only `madm` and the macros of
/// `math` use it.
fn executed(kind: DataType) -> Result<DataType> {
    if kind == DataType::Nf {
        return Err(Error::new("unsupported instruction", "an operand of type nf (66 bits)"));
    }
    Ok(kind)
}

/// Returns the storage of byte `byte` of a register, and its byte offset in the register array (0 for accumulators and null).
fn register(file: RegFile, number: u8, byte: u8, kind: DataType) -> Result<(Storage, usize)> {
    let byte = usize::from(byte);
    if file == RegFile::GRF {
        let base = usize::from(number) * REGISTER + byte;
        if base >= GENERAL {
            return Err(Error::new(
                "unknown register",
                format!("r{number} (a thread has r0 to r{})", GENERAL / REGISTER - 1),
            ));
        }
        return Ok((Storage::Bytes, base));
    }
    let low = number & 15;
    let base = match number >> 4 {
        0 => return Ok((Storage::Null, 0)),
        1 => at::ADDRESS,
        2 if low < 10 => {
            // At most 80: the sixteen elements from there on exist.
            let first = (usize::from(low) * 8 + byte / size_of(kind)).min(80);
            return Ok((Storage::Accumulator(first as u8), 0));
        }
        3 if low < 2 => at::FLAGS + usize::from(low) * 4,
        4 => at::CHANNELS,
        7 => at::STATE,
        8 => at::CONTROL,
        9 => at::NOTIFICATION,
        10 => at::POINTER,
        12 => at::TIME,
        _ => return Err(Error::new("unknown register", format!("architecture register {number:#04x}"))),
    };
    Ok((Storage::Bytes, base + byte))
}

/// Returns the byte offset in the register array at which operands of a register file must end.
fn limit(file: RegFile) -> usize {
    if file == RegFile::GRF { GENERAL } else { at::END - 256 }
}

fn pattern(elements: &[u32]) -> Pattern {
    let consecutive = elements.iter().enumerate().all(|(lane, &element)| element == lane as u32);
    match elements {
        [_] => Pattern::Scalar,
        [first, rest @ ..] if rest.iter().all(|element| element == first) => Pattern::Scalar,
        _ if consecutive => Pattern::Consecutive,
        _ => Pattern::Scattered,
    }
}

/// Returns the offsets of the lanes' elements (see [`Source::offsets`]), after checking that the `size` lanes of the instruction are
/// inside the register file, which ends at `end`.
fn offsets(
    storage: &Storage,
    base: usize,
    bytes: usize,
    end: usize,
    elements: &[u32; LANES],
    size: usize,
) -> Result<[u16; LANES]> {
    let mut offsets = [0; LANES];
    for (lane, (offset, element)) in
        offsets.iter_mut().zip(elements).enumerate().take(size.next_multiple_of(4))
    {
        let element = *element as usize;
        let value = match storage {
            Storage::Bytes => {
                let value = base + element * bytes;
                if lane < size && value + bytes > end {
                    return Err(Error::new(
                        "region outside the register file",
                        format!("byte {value:#x} of {end:#x}"),
                    )
                    .lane(lane));
                }
                // Dot products read whole groups of four lanes: lanes that the instruction does not have are kept inside the file.
                value.min(end - bytes)
            }
            Storage::Indirect { .. } | Storage::Indexed { .. } => element * bytes,
            Storage::Accumulator(_) => element,
            Storage::Immediate(_) | Storage::Null => 0,
        };
        *offset = value as u16;
    }
    Ok(offsets)
}

/// Returns the type of an element and the lanes of an immediate: packed ones (V, UV, VF) unpacked, others the same in every lane.
fn unpack(kind: DataType, value: u64) -> (DataType, [u64; 8]) {
    let nibble = |lane: usize| value >> (4 * lane) & 15;
    match kind {
        DataType::V => {
            (DataType::W, std::array::from_fn(|lane| u64::from(((nibble(lane) << 12) as i16 >> 12) as u16)))
        }
        DataType::Uv => (DataType::Uw, std::array::from_fn(nibble)),
        DataType::Vf => {
            (DataType::F, std::array::from_fn(|lane| restricted_float(value >> (8 * (lane % 4)) & 255)))
        }
        kind => (kind, [value; 8]),
    }
}

/// Returns the bits of the float with the value of a restricted 8-bit float: sign, 3 bits of exponent (bias 3), 4 bits of fraction.
fn restricted_float(bits: u64) -> u64 {
    let sign = (bits >> 7 & 1) << 31;
    if bits & 0x7f == 0 {
        return sign;
    }
    let exponent = (bits >> 4 & 7) + 127 - 3;
    sign | exponent << 23 | (bits & 15) << 19
}

impl Source {
    /// Prepares a source of an instruction of `size` lanes.
    pub fn new(operand: &SourceOperand, size: usize) -> Result<Self> {
        let mut kind = executed(operand.data_type)?;
        let bytes = size_of(kind);
        let RegisterRegion { width, horizontal, .. } = operand.region;
        let element = |lane: usize| {
            let lane = lane as u32;
            let swizzled = lane & !3 | u32::from(operand.swizzle >> (2 * (lane & 3)) & 3);
            operand.region.element(swizzled)
        };
        let mut elements: [u32; LANES] = std::array::from_fn(element);
        let (storage, base) = match operand.location {
            Location::Immediate(value) => {
                let (unpacked, lanes) = unpack(kind, value);
                kind = unpacked;
                (Storage::Immediate(lanes), 0)
            }
            Location::Indirect { address, offset, per_row } => {
                let row = if per_row { width } else { 0 };
                if per_row {
                    // Elements count from the beginning of their row, which has an address of its own.
                    elements = std::array::from_fn(|lane| {
                        (lane % usize::from(width.max(1))) as u32 * u32::from(horizontal)
                    });
                }
                (Storage::Indirect { address, offset, row }, 0)
            }
            Location::Direct { register: number, byte } => register(operand.file, number, byte, kind)?,
        };
        let offsets = offsets(&storage, base, bytes, limit(operand.file), &elements, size)?;
        let pattern = match &storage {
            Storage::Immediate(lanes) if lanes.iter().all(|lane| *lane == lanes[0]) => Pattern::Scalar,
            Storage::Immediate(_) | Storage::Indirect { .. } => Pattern::Scattered,
            _ => pattern(&elements[..size]),
        };
        Ok(Self { storage, kind, offsets, pattern, absolute: operand.absolute, negate: operand.negate })
    }

    /// Turns the source into one of `movi`: each lane's address selects an element of the register that the address of lane 0 selects.
    ///
    /// # Errors
    /// The source is not indirect.
    pub fn index(&mut self) -> Result<()> {
        let Storage::Indirect { address, offset, .. } = self.storage else {
            return Err(Error::new("invalid operand", "movi without an address register"));
        };
        self.storage = Storage::Indexed { address, offset };
        Ok(())
    }

    /// Spreads a packed integer immediate (V, UV) over the lanes by the destination's stride, in bytes.
    ///
    /// The immediate is eight words, and a lane reads the word at the offset that it has in the destination: with dwords every second word.
    /// The compiler relies on it: it adds 0, 4, 8, 12 to the address of a uniform vector store as `add (4) r:ud r:uw 0xc080400:uv`, and
    /// as `0xc840:uv` where the destination has words.
    pub fn spread(&mut self, stride_bytes: usize) {
        if let Storage::Immediate(words) = &mut self.storage {
            let (step, all) = ((stride_bytes / 2).max(1), *words);
            *words = std::array::from_fn(|lane| all[lane * step % all.len()]);
        }
    }

    /// Returns the bits of `lane`, before the source modifiers.
    #[inline]
    pub fn bits(&self, registers: &Registers, lane: usize) -> Result<u64> {
        let offset = usize::from(self.offsets[lane]);
        match &self.storage {
            Storage::Bytes => Ok(read(registers, offset, self.kind)),
            Storage::Immediate(lanes) => Ok(lanes[lane % 8]),
            Storage::Accumulator(first) => {
                let value =
                    registers.accumulator[(usize::from(*first) + offset) % registers.accumulator.len()];
                Ok(value & texwire::bits::mask(size_of(self.kind) as u32 * 8))
            }
            Storage::Null => Ok(0),
            Storage::Indirect { address, offset: added, row } => {
                let at = indirect(registers, *address, *added, *row, lane, offset, self.kind)?;
                Ok(read(registers, at, self.kind))
            }
            Storage::Indexed { address, offset: added } => {
                // The low five bits of an address are the byte in its register.
                let byte = |index| i32::from(registers.address(index)) + i32::from(*added);
                let own = byte(usize::from(*address) + lane) & (REGISTER as i32 - 1);
                let base = (byte(usize::from(*address)) & !(REGISTER as i32 - 1)) + own;
                let at = usize::try_from(base).ok().filter(|at| at + size_of(self.kind) <= GENERAL);
                at.map(|at| read(registers, at, self.kind)).ok_or_else(|| outside(base, *address, lane))
            }
        }
    }
}

/// Returns the byte offset in the general registers of a lane that is addressed through a0.
fn indirect(
    registers: &Registers,
    address: u8,
    added: i16,
    row: u8,
    lane: usize,
    offset: usize,
    kind: DataType,
) -> Result<usize> {
    let index = usize::from(address) + lane.checked_div(usize::from(row)).unwrap_or(0);
    let base = i32::from(registers.address(index)) + i32::from(added) + offset as i32;
    usize::try_from(base)
        .ok()
        .filter(|at| at + size_of(kind) <= GENERAL)
        .ok_or_else(|| outside(base, index as u8, lane))
}

#[cold]
fn outside(byte: i32, index: u8, lane: usize) -> Error {
    let why = format!("byte {byte:#x} by a0.{index} (expected below {GENERAL:#x})");
    Error::new("address register outside the general registers", why).lane(lane)
}

/// Reads the bits of the element at byte `offset` of the register array.
#[inline]
fn read(registers: &Registers, offset: usize, kind: DataType) -> u64 {
    let mut bytes = [0; 8];
    let size = size_of(kind);
    bytes[..size].copy_from_slice(&registers.bytes[offset..offset + size]);
    u64::from_le_bytes(bytes)
}

impl Destination {
    /// Prepares the destination of an instruction of `size` lanes.
    pub fn new(operand: &DestinationOperand, size: usize) -> Result<Self> {
        let kind = executed(operand.data_type)?;
        let elements: [u32; LANES] =
            std::array::from_fn(|lane| lane as u32 * u32::from(operand.stride.max(1)));
        let (storage, base) = match operand.location {
            Location::Direct { register: number, byte } => register(operand.file, number, byte, kind)?,
            Location::Indirect { address, offset, .. } => (Storage::Indirect { address, offset, row: 0 }, 0),
            Location::Immediate(_) => {
                return Err(Error::new("invalid destination", "an immediate (expected a register)"));
            }
        };
        let offsets = offsets(&storage, base, size_of(kind), limit(operand.file), &elements, size)?;
        let pattern = match storage {
            Storage::Bytes | Storage::Accumulator(_) => pattern(&elements[..size]),
            _ => Pattern::Scattered,
        };
        let lanes = u32::from(operand.channels & 15) * 0x1111_1111;
        Ok(Self { storage, kind, offsets, pattern, lanes })
    }

    /// Writes the bits of `lane`; an accumulator gets the 64 bits `wide` instead.
    #[inline]
    pub fn write(&self, registers: &mut Registers, lane: usize, bits: u64, wide: u64) -> Result<()> {
        let offset = usize::from(self.offsets[lane]);
        match &self.storage {
            Storage::Bytes => write(registers, offset, self.kind, bits),
            Storage::Accumulator(first) => {
                let length = registers.accumulator.len();
                registers.accumulator[(usize::from(*first) + offset) % length] = wide;
            }
            Storage::Indirect { address, offset: added, row } => {
                let at = indirect(registers, *address, *added, *row, lane, offset, self.kind)?;
                write(registers, at, self.kind, bits);
            }
            Storage::Null | Storage::Immediate(_) | Storage::Indexed { .. } => {}
        }
        Ok(())
    }
}

/// Writes the element at byte `offset` of the register array.
#[inline]
fn write(registers: &mut Registers, offset: usize, kind: DataType, bits: u64) {
    let size = size_of(kind);
    registers.bytes[offset..offset + size].copy_from_slice(&bits.to_le_bytes()[..size]);
}
