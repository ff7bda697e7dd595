//! Block messages: OWord blocks, scratch blocks, media blocks.

use super::port::{AddressSpace, Attempt, Port};
use super::scattered::advance;
use crate::machine::error::{Error, Result};
use crate::machine::memory::read_little;
use crate::machine::registers::GENERAL;

/// The unit of a block's address in the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockUnit {
    /// 16 bytes.
    Oword,
    /// Bytes, with the address aligned to 4.
    Byte,
}

/// An OWord or HWord block message: a read or write of consecutive bytes at one address.
#[derive(Clone, Copy, Debug)]
pub struct BlockMessage {
    /// The memory that is accessed.
    pub space: AddressSpace,
    /// It is a write, else a read.
    pub write: bool,
    /// Size of the block in bytes, 16 to 512.
    pub bytes: usize,
    /// The data, 16 bytes, are in the upper half of the register.
    pub high: bool,
    /// Unit of the address in the header.
    pub unit: BlockUnit,
}

impl BlockMessage {
    /// Moves the bytes. Dwords of lanes that are off are not moved (see [`Port::moves`]). An OWord that is not whole inside a bound
    /// surface is outside it.
    pub fn execute(&self, port: &mut Port<'_, '_>) -> Result<()> {
        let address = match self.space {
            AddressSpace::Flat64 => port.payload.qword(0),
            _ => u64::from(port.payload.dword(8)),
        };
        let address = match self.unit {
            BlockUnit::Oword => u64::from((address as u32).wrapping_mul(16)),
            BlockUnit::Byte => address & !3,
        };
        let address = advance(self.space, address, port.flat_base(self.space));
        let first = if self.high { 16 } else { 0 };
        for offset in (0..self.bytes).step_by(4) {
            if !port.moves(offset / 4) {
                continue;
            }
            let at = advance(self.space, address, offset as u64);
            let oword = advance(self.space, address, (offset & !15) as u64);
            let register = first + offset;
            if !port.binds(self.space, oword, 16)? {
                let attempt = if self.write { Attempt::Write } else { Attempt::Read };
                port.count_out_of_bounds(self.space, attempt, oword, 16)?;
                if !self.write {
                    port.respond(register, 0);
                }
            } else if self.write {
                let value = u64::from(port.payload.dword(port.header.max(32) + register));
                port.store(self.space, at, 4, value)?;
            } else {
                let value = port.load(self.space, at, 4)?;
                port.respond(register, value as u32);
            }
        }
        Ok(())
    }
}

/// A scratch block message: a read or write of registers in the thread's scratch memory.
#[derive(Clone, Copy, Debug)]
pub struct ScratchMessage {
    /// It is a write, else a read.
    pub write: bool,
    /// Number of registers, 1 to 8.
    pub registers: usize,
    /// Offset in the scratch memory, in bytes.
    pub offset: usize,
}

impl ScratchMessage {
    /// Moves the registers. Dwords of lanes that are off are not moved (see [`Port::moves`]).
    pub fn execute(&self, port: &mut Port<'_, '_>) -> Result<()> {
        let size = port.thread.scratch.len();
        let end = self.offset + self.registers * 32;
        if end > size {
            let why = format!("bytes {:#x} to {end:#x} of {size:#x}", self.offset);
            return Err(Error::new("scratch access outside the thread's memory", why));
        }
        for dword in 0..self.registers * 8 {
            if !port.moves(dword) {
                continue;
            }
            let at = self.offset + dword * 4;
            if self.write {
                let value = port.payload.dword(32 + dword * 4);
                port.thread.scratch[at..at + 4].copy_from_slice(&value.to_le_bytes());
            } else {
                let value = read_little(&port.thread.scratch, at, 4) as u32;
                port.respond(dword * 4, value);
            }
        }
        Ok(())
    }
}

/// A media block message: a read or write of a rectangle of an image.
#[derive(Clone, Copy, Debug)]
pub struct MediaMessage {
    /// Binding table index.
    pub surface: u8,
    /// It is a write, else a read.
    pub write: bool,
}

impl MediaMessage {
    /// Moves the rectangle. Outside the image reads give the nearest texel of its edge, and writes vanish.
    pub fn execute(&self, port: &mut Port<'_, '_>) -> Result<()> {
        let (x, y) = (port.payload.dword(0) as i32, port.payload.dword(4) as i32);
        let size = port.payload.dword(8);
        let (rows, columns) = ((size >> 16 & 63) as i32 + 1, (size & 63) as i32 + 1);
        // The distance of rows in the registers: the bytes of a row, rounded up to a power of two of at least 4.
        let stride = (columns as usize).next_power_of_two().max(4);
        let Some(image) = port.environment.image(self.surface)? else {
            // A null surface reads as 0.
            (0..rows as usize * stride).step_by(4).for_each(|offset| port.respond(offset, 0));
            return Ok(());
        };
        let texel = i64::from(image.info.bytes).max(1);
        let (width, height) = (i64::from(image.width) * texel, i64::from(image.height));
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            let register = row as usize * stride + column as usize;
            let (at_x, at_y) = (i64::from(x) + i64::from(column), i64::from(y) + i64::from(row));
            let inside = (0..width).contains(&at_x) && (0..height).contains(&at_y);
            if self.write {
                if inside {
                    let at = image.address(0, (at_x / texel) as u32, at_y as u32) + (at_x % texel) as u64;
                    let value = port.payload.all().get(32 + register).copied().unwrap_or(0);
                    port.environment.memory.store(at, 1, u64::from(value))?;
                }
                continue;
            }
            // Outside the image, the same byte of the texel at the edge.
            let byte = at_x.rem_euclid(texel);
            let (texel_x, at_y) =
                (at_x.div_euclid(texel).clamp(0, width / texel - 1), at_y.clamp(0, height - 1));
            let at = image.address(0, texel_x as u32, at_y as u32) + byte as u64;
            let value = port.environment.memory.load(at, 1)?;
            let at = port.dst + register;
            if port.writes && at < GENERAL {
                port.thread.registers.bytes[at] = value as u8;
            }
        }
        Ok(())
    }
}
