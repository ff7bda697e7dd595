//! Typed surface messages: read, write and atomics of texels.

use super::atomic::AtomicOperation;
use super::port::Port;
use super::scattered::lanes;
use crate::machine::error::{Error, Result};
use crate::machine::lanes::bits;

/// The kind of access to the texels.
#[derive(Clone, Copy, Debug)]
enum Access {
    Read,
    Write,
    Atomic(AtomicOperation),
}

/// A typed message, which has eight lanes.
#[derive(Clone, Copy, Debug)]
pub struct TypedMessage {
    /// Binding table index.
    surface: u8,
    /// Mask of the channels that are moved; bit 0 is red.
    channels: u32,
    access: Access,
    /// The message is for lanes 8 to 15 of the instruction, else for lanes 0 to 7.
    high: bool,
}

/// Lanes of a typed message.
const LANES: usize = 8;

impl TypedMessage {
    /// Creates a read or write.
    pub fn access(surface: u8, channels: u32, write: bool, high: bool) -> Self {
        Self { surface, channels, access: if write { Access::Write } else { Access::Read }, high }
    }

    /// Creates an atomic operation on the first channel.
    pub fn atomic(surface: u8, operation: AtomicOperation, high: bool) -> Self {
        Self { surface, channels: 1, access: Access::Atomic(operation), high }
    }

    /// Executes the message. Texels outside the image read as 0, and writes to them vanish.
    pub fn execute(&self, port: &mut Port<'_, '_>) -> Result<()> {
        let image = match port.environment.image(self.surface)? {
            Some(image) => image,
            None => return Ok(()),
        };
        let texels = port.payload.all().len().saturating_sub(port.header) / 32;
        let data = match self.access {
            Access::Write => self.channels.count_ones() as usize,
            Access::Read => 0,
            Access::Atomic(operation) => operation.operand_count(),
        };
        let parameters = texels.saturating_sub(data);
        if self.high {
            port.lanes >>= LANES;
        }
        for lane in lanes(port, LANES) {
            let parameter = |index: usize| port.payload.dword(port.header + (index * LANES + lane) * 4);
            let coordinate = |index: usize| if index < parameters { parameter(index) } else { 0 };
            let at = [coordinate(0), coordinate(1), coordinate(2)];
            let lod = coordinate(3);
            let address = if lod == 0 { image.texel(at) } else { None };
            let error = |error: Error| error.lane(lane);
            match self.access {
                Access::Read => {
                    let texel = match address {
                        Some(address) => image.read(port.environment.memory, address).map_err(error)?,
                        None => [0; 4],
                    };
                    for (slot, channel) in bits(self.channels).enumerate() {
                        port.respond((slot * LANES + lane) * 4, texel[channel]);
                    }
                }
                Access::Write => {
                    let Some(address) = address else { continue };
                    let mut texel = [0; 4];
                    for (slot, channel) in bits(self.channels).enumerate() {
                        texel[channel] = parameter(parameters + slot);
                    }
                    image.write(port.environment.memory, address, texel).map_err(error)?;
                }
                Access::Atomic(operation) => {
                    let Some(address) = address else {
                        port.respond(lane * 4, 0);
                        continue;
                    };
                    let (a, b) = (parameter(parameters), parameter(parameters + 1));
                    let apply = |old| operation.apply(old, a.into(), b.into(), false);
                    let old = port.environment.memory.update(address, 4, apply).map_err(error)?;
                    port.respond(lane * 4, old as u32);
                }
            }
        }
        Ok(())
    }

    /// Returns true if the outcome may depend on the order in which groups run: for every atomic.
    pub fn order_matters(&self) -> bool {
        matches!(self.access, Access::Atomic(_))
    }
}
