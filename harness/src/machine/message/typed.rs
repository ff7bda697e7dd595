//! Typed surface messages: read, write and atomics of texels.

use super::atomic::AtomicOperation;
use super::port::Port;
use super::scattered::lanes;
use crate::machine::error::{Error, Result};
use crate::machine::lanes::bits;
use crate::machine::registers::REGISTER;

/// The kind of access to the texels.
#[derive(Clone, Copy, Debug)]
pub enum TypedAccess {
    /// Read.
    Read,
    /// Write.
    Write,
    /// Atomic operation on the first channel.
    Atomic(AtomicOperation),
}

/// A typed message, which has eight lanes.
#[derive(Clone, Copy, Debug)]
pub struct TypedMessage {
    /// Binding table index.
    pub surface: u8,
    /// Mask of the channels that are moved; bit 0 is red.
    pub channels: u32,
    /// The kind of access.
    pub access: TypedAccess,
    /// The message is for lanes 8 to 15 of the instruction, else for lanes 0 to 7.
    pub high: bool,
}

/// Lanes of a typed message.
const LANES: usize = 8;

impl TypedMessage {
    /// Executes the message. Texels outside the image, and those of a null surface, read as 0; writes to them vanish.
    pub fn execute(&self, port: &mut Port<'_, '_>) -> Result<()> {
        let image = port.environment.image(self.surface)?;
        let registers = port.payload.all().len().saturating_sub(port.header) / REGISTER;
        let data = match self.access {
            TypedAccess::Write => self.channels.count_ones() as usize,
            TypedAccess::Read => 0,
            TypedAccess::Atomic(operation) => operation.operand_count(),
        };
        let parameters = registers.saturating_sub(data);
        if self.high {
            port.lanes >>= LANES;
        }
        for lane in lanes(port, LANES) {
            let parameter = |index: usize| port.payload.dword(port.header + (index * LANES + lane) * 4);
            let coordinate = |index: usize| if index < parameters { parameter(index) } else { 0 };
            let at = [coordinate(0), coordinate(1), coordinate(2)];
            let lod = coordinate(3);
            let texel = image.filter(|_| lod == 0).and_then(|image| Some((image, image.texel(at)?)));
            let error = |error: Error| error.lane(lane);
            match self.access {
                TypedAccess::Read => {
                    let values = match texel {
                        Some((image, address)) => {
                            image.read(port.environment.memory, address).map_err(error)?
                        }
                        None => [0; 4],
                    };
                    for (slot, channel) in bits(self.channels).enumerate() {
                        port.respond((slot * LANES + lane) * 4, values[channel]);
                    }
                }
                TypedAccess::Write => {
                    let Some((image, address)) = texel else { continue };
                    let mut values = [0; 4];
                    for (slot, channel) in bits(self.channels).enumerate() {
                        values[channel] = parameter(parameters + slot);
                    }
                    image.write(port.environment.memory, address, values).map_err(error)?;
                }
                TypedAccess::Atomic(operation) => {
                    let Some((_, address)) = texel else {
                        port.respond(lane * 4, 0);
                        continue;
                    };
                    let (a, b) = (parameter(parameters), parameter(parameters + 1));
                    let apply = |old| operation.apply(old, a.into(), b.into(), false);
                    let old = port.environment.memory.update(address, 4, apply).map_err(error)?;
                    port.respond(lane * 4, operation.returned(old, apply(old)) as u32);
                }
            }
        }
        Ok(())
    }

    /// Returns true if the outcome may depend on the order in which groups run: for every atomic.
    pub fn order_matters(&self) -> bool {
        matches!(self.access, TypedAccess::Atomic(_))
    }
}
