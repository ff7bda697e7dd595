//! Operands, ready to execute: every lane's offset in the register array, worked out once.

use super::error::{Fault, Result};
use super::registers::{GENERAL, REGISTER, Registers, at};
use texwire::enums::{DataType, RegFile};
use texwire::eu::{DestinationOperand, Location, RegisterRegion, SourceOperand};

/// Most lanes of an instruction.
pub const LANES: usize = 32;

/// Where the lanes of an operand are.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// In the register array, at `offsets`.
    Bytes,
    /// In the general registers, relative to address registers.
    Indirect {
        /// First word of a0.
        address: u8,
        /// Bytes added.
        offset: i16,
        /// Elements that share an address; 0 = all do.
        row: u8,
    },
    /// In one general register: the first address register chooses it, each lane's own the byte in it (`movi`).
    Indexed {
        /// First word of a0.
        address: u8,
        /// Bytes added.
        offset: i16,
    },
    /// In the accumulator, from this lane.
    Accumulator(u8),
    /// In the instruction: the bits of eight lanes, repeated.
    Immediate([u64; 8]),
    /// Nowhere: reads 0, writes vanish.
    Null,
}

/// How the lanes of a region lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One element for all lanes.
    Scalar,
    /// One element after another.
    Consecutive,
    /// Anything else.
    Scattered,
}

/// A source.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it is.
    pub place: Place,
    /// The type of an element; packed immediates are unpacked to it.
    pub kind: DataType,
    /// For [`Place::Bytes`] each lane's offset in the register array; otherwise each lane's distance in bytes from the
    /// address (of its row), or in lanes from the first of the accumulator.
    pub offsets: [u16; LANES],
    /// How the lanes lie.
    pub pattern: Pattern,
    /// Absolute value.
    pub absolute: bool,
    /// Negation, after that; the complement for bitwise operations.
    pub negate: bool,
}

/// A destination.
#[derive(Clone, Debug)]
pub struct Destination {
    /// Where it is; never an immediate.
    pub place: Place,
    /// The type of an element.
    pub kind: DataType,
    /// As in [`Source::offsets`].
    pub offsets: [u16; LANES],
    /// How the lanes lie.
    pub pattern: Pattern,
    /// Lanes that are written: align16 writes some of each four.
    pub lanes: u32,
}

/// Bytes of an element.
pub fn size_of(kind: DataType) -> usize {
    match kind {
        // The accumulator has lanes of 64 bits here.
        DataType::Nf => 8,
        kind => kind.bits() as usize / 8,
    }
}

/// The type of an operand, unless it is the native float of Gen11: 66 bits, of which only `madm` and the macros of `math` know.
fn executed(kind: DataType) -> Result<DataType> {
    if kind == DataType::Nf {
        return Err(Fault::new("unsupported instruction", "an operand of type nf (66 bits)"));
    }
    Ok(kind)
}

/// A register of either file: bytes of the array, lanes of the accumulator, or nothing.
fn register(file: RegFile, number: u8, byte: u8, kind: DataType) -> Result<(Place, usize)> {
    let byte = usize::from(byte);
    let unknown = || Fault::new("unknown register", format!("architecture register {number:#04x}"));
    if file == RegFile::GRF {
        let base = usize::from(number) * REGISTER + byte;
        if base >= GENERAL {
            return Err(Fault::new(
                "unknown register",
                format!("r{number} (a thread has r0 to r{})", GENERAL / REGISTER - 1),
            ));
        }
        return Ok((Place::Bytes, base));
    }
    let low = number & 15;
    let base = match number >> 4 {
        0 => return Ok((Place::Null, 0)),
        1 => at::ADDRESS,
        2 if low < 10 => {
            // Sixteen lanes from there exist.
            let first = (usize::from(low) * 8 + byte / size_of(kind)).min(80);
            return Ok((Place::Accumulator(first as u8), 0));
        }
        3 if low < 2 => at::FLAGS + usize::from(low) * 4,
        4 => at::CHANNELS,
        7 => at::STATE,
        8 => at::CONTROL,
        9 => at::NOTIFICATION,
        10 => at::POINTER,
        12 => at::TIME,
        _ => return Err(unknown()),
    };
    Ok((Place::Bytes, base + byte))
}

/// The end of what operands of a file may reach.
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

/// Turns the lanes' elements into offsets, and checks that the lanes of the instruction are inside the file.
fn offsets(
    place: &Place,
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
        let value = match place {
            Place::Bytes => {
                let value = base + element * bytes;
                if lane < size && value + bytes > end {
                    return Err(Fault::new(
                        "region outside the register file",
                        format!("byte {value:#x} of {end:#x}"),
                    )
                    .lane(lane));
                }
                // Dot products read all of four; past the end those that the instruction does not have are never used.
                value.min(end - bytes)
            }
            Place::Indirect { .. } | Place::Indexed { .. } => element * bytes,
            Place::Accumulator(_) => element,
            Place::Immediate(_) | Place::Null => 0,
        };
        *offset = value as u16;
    }
    Ok(offsets)
}

/// The lanes of a packed immediate, and the type of an element.
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

/// The bits of the float that a restricted 8-bit float is: sign, 3 bits of exponent (bias 3), 4 bits of fraction.
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
        let (place, base) = match operand.location {
            Location::Immediate(value) => {
                let (unpacked, lanes) = unpack(kind, value);
                kind = unpacked;
                (Place::Immediate(lanes), 0)
            }
            Location::Indirect { address, offset, per_row } => {
                let row = if per_row { width } else { 0 };
                if per_row {
                    // Inside a row only: the row's address is its own.
                    elements = std::array::from_fn(|lane| {
                        (lane % usize::from(width.max(1))) as u32 * u32::from(horizontal)
                    });
                }
                (Place::Indirect { address, offset, row }, 0)
            }
            Location::Direct { register: number, byte } => register(operand.file, number, byte, kind)?,
        };
        let offsets = offsets(&place, base, bytes, limit(operand.file), &elements, size)?;
        let pattern = match &place {
            Place::Immediate(lanes) if lanes.iter().all(|lane| *lane == lanes[0]) => Pattern::Scalar,
            Place::Immediate(_) | Place::Indirect { .. } => Pattern::Scattered,
            _ => pattern(&elements[..size]),
        };
        Ok(Self { place, kind, offsets, pattern, absolute: operand.absolute, negate: operand.negate })
    }

    /// Makes each lane's address register choose its element in the register of the first (`movi`).
    ///
    /// # Errors
    /// It is not behind an address register.
    pub fn index(&mut self) -> Result<()> {
        let Place::Indirect { address, offset, .. } = self.place else {
            return Err(Fault::new("invalid operand", "movi without an address register"));
        };
        self.place = Place::Indexed { address, offset };
        Ok(())
    }

    /// Takes the elements of a packed integer immediate at the distance of the destination's lanes.
    ///
    /// The immediate becomes eight words, and a lane reads the word at its own place in the destination: of dwords every second one.
    /// The compiler relies on it: it adds 0, 4, 8, 12 to the address of a uniform vector store as `add (4) r:ud r:uw 0xc080400:uv`, and
    /// as `0xc840:uv` where the destination has words.
    pub fn spread(&mut self, stride_bytes: usize) {
        if let Place::Immediate(words) = &mut self.place {
            let (step, all) = ((stride_bytes / 2).max(1), *words);
            *words = std::array::from_fn(|lane| all[lane * step % all.len()]);
        }
    }

    /// The bits of `lane`, without modifiers.
    #[inline]
    pub fn bits(&self, registers: &Registers, lane: usize) -> Result<u64> {
        let offset = usize::from(self.offsets[lane]);
        match &self.place {
            Place::Bytes => Ok(read(registers, offset, self.kind)),
            Place::Immediate(lanes) => Ok(lanes[lane % 8]),
            Place::Accumulator(first) => {
                let value =
                    registers.accumulator[(usize::from(*first) + offset) % registers.accumulator.len()];
                Ok(value & texwire::bits::mask(size_of(self.kind) as u32 * 8))
            }
            Place::Null => Ok(0),
            Place::Indirect { address, offset: added, row } => {
                let at = indirect(registers, *address, *added, *row, lane, offset, self.kind)?;
                Ok(read(registers, at, self.kind))
            }
            Place::Indexed { address, offset: added } => {
                // The low five bits of an address count bytes in a register.
                let byte = |index| i32::from(registers.address(index)) + i32::from(*added);
                let own = byte(usize::from(*address) + lane) & (REGISTER as i32 - 1);
                let base = (byte(usize::from(*address)) & !(REGISTER as i32 - 1)) + own;
                let at = usize::try_from(base).ok().filter(|at| at + size_of(self.kind) <= GENERAL);
                at.map(|at| read(registers, at, self.kind)).ok_or_else(|| outside(base, *address, lane))
            }
        }
    }
}

/// The byte of a lane behind an address register.
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
fn outside(byte: i32, index: u8, lane: usize) -> Fault {
    let why = format!("byte {byte:#x} by a0.{index} (expected below {GENERAL:#x})");
    Fault::new("address register outside the general registers", why).lane(lane)
}

/// Reads an element.
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
        let (place, base) = match operand.location {
            Location::Direct { register: number, byte } => register(operand.file, number, byte, kind)?,
            Location::Indirect { address, offset, .. } => (Place::Indirect { address, offset, row: 0 }, 0),
            Location::Immediate(_) => {
                return Err(Fault::new("invalid destination", "an immediate (expected a register)"));
            }
        };
        let offsets = offsets(&place, base, size_of(kind), limit(operand.file), &elements, size)?;
        let pattern = match place {
            Place::Bytes => pattern(&elements[..size]),
            _ => Pattern::Scattered,
        };
        let lanes = u32::from(operand.channels & 15) * 0x1111_1111;
        Ok(Self { place, kind, offsets, pattern, lanes })
    }

    /// A destination that nothing is written to.
    pub fn null(kind: DataType) -> Self {
        Self { place: Place::Null, kind, offsets: [0; LANES], pattern: Pattern::Scattered, lanes: u32::MAX }
    }

    /// Writes the bits of `lane`; `wide` is what the accumulator keeps.
    #[inline]
    pub fn write(&self, registers: &mut Registers, lane: usize, bits: u64, wide: u64) -> Result<()> {
        let offset = usize::from(self.offsets[lane]);
        match &self.place {
            Place::Bytes => write(registers, offset, self.kind, bits),
            Place::Accumulator(first) => {
                let length = registers.accumulator.len();
                registers.accumulator[(usize::from(*first) + offset) % length] = wide;
            }
            Place::Indirect { address, offset: added, row } => {
                let at = indirect(registers, *address, *added, *row, lane, offset, self.kind)?;
                write(registers, at, self.kind, bits);
            }
            Place::Null | Place::Immediate(_) | Place::Indexed { .. } => {}
        }
        Ok(())
    }
}

/// Writes an element.
#[inline]
fn write(registers: &mut Registers, offset: usize, kind: DataType, bits: u64) {
    let size = size_of(kind);
    registers.bytes[offset..offset + size].copy_from_slice(&bits.to_le_bytes()[..size]);
}
