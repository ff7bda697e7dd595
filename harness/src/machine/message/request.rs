//! Decodes message descriptors.

use super::atomic::{AtomicMessage, AtomicOperation};
use super::block::{BlockMessage, BlockUnit, MediaMessage, ScratchMessage};
use super::port::AddressSpace;
use super::scattered::{ScatteredMessage, UntypedMessage};
use super::typed::{TypedAccess, TypedMessage};
use crate::machine::error::{Error, Result};

/// A decoded message, by shared function and message type.
#[derive(Clone, Debug)]
pub enum Request {
    /// A sampler message.
    Sampler,
    /// End of the thread.
    End,
    /// The thread signals that it has arrived at the barrier.
    Barrier,
    /// A memory fence, which has no effect here.
    Nothing,
    /// Untyped read or write: up to four dwords of each lane.
    Untyped(UntypedMessage),
    /// Scattered read or write: bytes, dwords or qwords of each lane.
    Scattered(ScatteredMessage),
    /// Untyped atomic operation of each lane.
    Atomic(AtomicMessage),
    /// Block read or write: consecutive bytes at one address.
    Block(BlockMessage),
    /// Read or write of the thread's scratch memory.
    Scratch(ScratchMessage),
    /// Media block read or write: a rectangle of a surface.
    Media(MediaMessage),
    /// Typed read, write or atomic: a texel of each lane.
    Typed(TypedMessage),
}

/// Codes of the shared functions.
mod function {
    pub(super) const SAMPLER: u8 = 2;
    pub(super) const GATEWAY: u8 = 3;
    pub(super) const SPAWNER: u8 = 7;
    pub(super) const CONSTANT_CACHE: u8 = 9;
    pub(super) const DATA_CACHE_0: u8 = 10;
    pub(super) const DATA_CACHE_1: u8 = 12;
}

impl Request {
    /// Decodes a `descriptor` that is sent to shared function `function`.
    ///
    /// # Errors
    /// The machine does not execute the message.
    pub fn new(function: u8, descriptor: u32) -> Result<Self> {
        let d = DescriptorBits(descriptor);
        let unsupported = || {
            let why = format!("shared function {function}, descriptor {descriptor:#010x}");
            Error::new("unsupported message", why)
        };
        match function {
            function::SAMPLER => Ok(Self::Sampler),
            function::SPAWNER => Ok(Self::End),
            function::GATEWAY if d.get(0, 3) == 4 => Ok(Self::Barrier),
            function::CONSTANT_CACHE | function::DATA_CACHE_0 => {
                Self::data_cache_0(d).ok_or_else(unsupported)
            }
            function::DATA_CACHE_1 => Self::data_cache_1(d).ok_or_else(unsupported),
            _ => Err(unsupported()),
        }
    }

    fn data_cache_0(d: DescriptorBits) -> Option<Self> {
        let space = AddressSpace::new(d.0, false);
        if d.get(18, 1) == 1 {
            return Some(Self::Scratch(ScratchMessage {
                write: d.get(17, 1) == 1,
                registers: 1 << d.get(12, 2),
                offset: d.get(0, 12) as usize * 32,
            }));
        }
        let scattered = |write, element, elements| {
            let lanes = if d.get(8, 1) == 1 { 16 } else { 8 };
            Some(Self::Scattered(ScatteredMessage { space, write, element, elements, lanes }))
        };
        match d.get(14, 4) {
            code @ (0 | 1 | 8) => {
                let (bytes, high) = oword_block(d.get(8, 3))?;
                let unit = if code == 1 { BlockUnit::Byte } else { BlockUnit::Oword };
                Some(Self::Block(BlockMessage { space, write: code == 8, bytes, high, unit }))
            }
            code @ (3 | 11) => scattered(code == 11, 4, 1 << d.get(10, 2)),
            code @ (4 | 12) => scattered(code == 12, small_element(d.get(10, 2))?, 1),
            code @ (5 | 13) => scattered(code == 13, 8, 1 << d.get(10, 2)),
            7 => Some(Self::Nothing),
            _ => None,
        }
    }

    fn data_cache_1(d: DescriptorBits) -> Option<Self> {
        let code = d.get(14, 5);
        let a64 = code >= 0x10 && code != 0x1b;
        let space = AddressSpace::new(d.0, a64);
        match code {
            1 | 9 | 0x11 | 0x19 => {
                let lanes = match d.get(12, 2) {
                    1 => 16,
                    2 => 8,
                    _ => return None,
                };
                let channels = !d.get(8, 4) & 15;
                Some(Self::Untyped(UntypedMessage { space, write: code & 8 != 0, channels, lanes }))
            }
            2 | 0x12 | 0x1b | 0x1d => {
                let float = code >= 0x1b;
                let operation = AtomicOperation::new(d.get(8, 4), float)?;
                let wide = a64 && !float && d.get(12, 1) == 1 || operation == AtomicOperation::CompareWide;
                let lanes = if a64 || d.get(12, 1) == 1 { 8 } else { 16 };
                Some(Self::Atomic(AtomicMessage {
                    space,
                    operation,
                    wide,
                    lanes,
                    returns: d.get(13, 1) == 1,
                }))
            }
            4 | 10 => Some(Self::Media(MediaMessage { surface: d.get(0, 8) as u8, write: code == 10 })),
            5 | 6 | 13 => {
                let channels = !d.get(8, 4) & 15;
                let (access, channels, high) = match code {
                    5 => (TypedAccess::Read, channels, d.get(12, 2) == 2),
                    // The slot group of an atomic has one bit: the other one asks for the old value.
                    6 => {
                        (TypedAccess::Atomic(AtomicOperation::new(d.get(8, 4), false)?), 1, d.get(12, 1) == 1)
                    }
                    _ => (TypedAccess::Write, channels, d.get(12, 2) == 2),
                };
                Some(Self::Typed(TypedMessage { surface: d.get(0, 8) as u8, channels, access, high }))
            }
            0x10 | 0x1a => {
                let lanes = if d.get(12, 1) == 1 { 16 } else { 8 };
                let count = d.get(10, 2);
                let (element, elements) = match d.get(8, 2) {
                    0 => (small_element(count)?, 1),
                    1 => (4, 1 << count),
                    2 => (8, 1 << count),
                    _ => return None,
                };
                Some(Self::Scattered(ScatteredMessage {
                    space,
                    write: code == 0x1a,
                    element,
                    elements,
                    lanes,
                }))
            }
            0x14 | 0x15 => {
                let size = d.get(8, 3);
                let (bytes, high) = match (d.get(11, 2), size) {
                    (3, 0..=4) => (32 << size, false),
                    (3, _) => return None,
                    _ => oword_block(size)?,
                };
                Some(Self::Block(BlockMessage {
                    space,
                    write: code == 0x15,
                    bytes,
                    high,
                    unit: BlockUnit::Byte,
                }))
            }
            _ => None,
        }
    }
}

/// Returns the bytes of an element of a byte scattered message by its code; `None` for the reserved one.
fn small_element(code: u32) -> Option<usize> {
    (code < 3).then_some(1 << code)
}

/// Returns the bytes of an OWord block message, and whether they are in the upper half of the register, by the code of its size.
fn oword_block(size: u32) -> Option<(usize, bool)> {
    match size {
        0 | 1 => Some((16, size == 1)),
        2..=4 => Some((8 << size, false)),
        _ => None,
    }
}

/// A descriptor, for reading bit fields.
#[derive(Clone, Copy)]
struct DescriptorBits(u32);

impl DescriptorBits {
    fn get(self, at: u32, width: u32) -> u32 {
        texwire::bits::get(u64::from(self.0), at, width) as u32
    }
}
