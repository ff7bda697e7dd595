//! Untyped and scattered messages, which have an address for each lane.

use super::port::{AddressSpace, Port};
use crate::machine::error::Result;
use crate::machine::lanes::bits;

/// Untyped read or write: up to four dwords of each lane.
#[derive(Clone, Copy, Debug)]
pub struct UntypedMessage {
    /// The memory that is accessed.
    pub space: AddressSpace,
    /// It is a write, else a read.
    pub write: bool,
    /// Mask of the dwords that are moved; bit 0 is the one at the lane's address.
    pub channels: u32,
    /// Lanes of the message.
    pub lanes: usize,
}

/// Scattered read or write: one or more elements of 1 to 8 bytes of each lane.
#[derive(Clone, Copy, Debug)]
pub struct ScatteredMessage {
    /// The memory that is accessed.
    pub space: AddressSpace,
    /// It is a write, else a read.
    pub write: bool,
    /// Bytes of an element: 1, 2, 4 or 8.
    pub element: usize,
    /// Number of elements of each lane, consecutive in memory.
    pub elements: usize,
    /// Lanes of the message.
    pub lanes: usize,
}

/// Returns the byte address of a lane, from the payload.
#[inline]
pub(super) fn address(port: &Port<'_, '_>, space: AddressSpace, lane: usize) -> u64 {
    let size = space.address_bytes();
    let at = port.header + lane * size;
    if size == 8 {
        return port.payload.qword(at);
    }
    advance(space, u64::from(port.payload.dword(at)), port.flat_base(space))
}

/// Returns the active lanes of a message with `count` lanes.
pub(super) fn lanes(port: &Port<'_, '_>, count: usize) -> impl Iterator<Item = usize> + use<> {
    bits(port.lanes & texwire::bits::mask(count as u32) as u32)
}

/// Adds bytes to an address; 32-bit addresses wrap.
#[inline]
pub(super) fn advance(space: AddressSpace, address: u64, bytes: u64) -> u64 {
    match space {
        AddressSpace::Flat64 => address.wrapping_add(bytes),
        AddressSpace::Surface(_) | AddressSpace::Local | AddressSpace::Flat32 => {
            u64::from((address as u32).wrapping_add(bytes as u32))
        }
    }
}

impl UntypedMessage {
    /// Executes the message.
    pub fn execute(&self, port: &mut Port<'_, '_>) -> Result<()> {
        let data = port.header + self.lanes * self.space.address_bytes();
        for lane in lanes(port, self.lanes) {
            port.lane = Some(lane);
            // The low two bits of an address are ignored.
            let address = address(port, self.space, lane) & !3;
            for (slot, channel) in bits(self.channels).enumerate() {
                let at = advance(self.space, address, channel as u64 * 4);
                let register = (slot * self.lanes + lane) * 4;
                if self.write {
                    let value = u64::from(port.payload.dword(data + register));
                    port.store(self.space, at, 4, value).map_err(|error| error.lane(lane))?;
                } else {
                    let value = port.load(self.space, at, 4).map_err(|error| error.lane(lane))?;
                    port.respond(register, value as u32);
                }
            }
        }
        Ok(())
    }
}

impl ScatteredMessage {
    /// Executes the message. In the registers a byte or word takes a whole dword.
    pub fn execute(&self, port: &mut Port<'_, '_>) -> Result<()> {
        let data = port.header + self.lanes * self.space.address_bytes();
        let slot = self.element.max(4);
        for lane in lanes(port, self.lanes) {
            port.lane = Some(lane);
            let address = address(port, self.space, lane);
            for element in 0..self.elements {
                let at = advance(self.space, address, (element * self.element) as u64);
                let register = (element * self.lanes + lane) * slot;
                if self.write {
                    let value = match slot {
                        8 => port.payload.qword(data + register),
                        _ => u64::from(port.payload.dword(data + register)),
                    };
                    port.store(self.space, at, self.element, value).map_err(|error| error.lane(lane))?;
                } else {
                    let value = port.load(self.space, at, self.element).map_err(|error| error.lane(lane))?;
                    port.respond(register, value as u32);
                    if slot == 8 {
                        port.respond(register + 4, (value >> 32) as u32);
                    }
                }
            }
        }
        Ok(())
    }
}
