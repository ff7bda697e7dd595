//! The encodings of sends, and the sources of their descriptors: immediates or a0.

use super::fields::{PLAIN, SPLIT, SendFields, UNIFIED};

/// The encodings of a send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Form {
    /// `send` of Gen9 and Gen11: one payload block.
    #[default]
    Plain,
    /// `sends` of Gen9 and Gen11: two payload blocks.
    Split,
    /// `send` of Gen12: two payload blocks, the shared function in the mnemonic.
    Unified,
}

impl Form {
    /// Returns the bit positions of the form's fields.
    pub const fn fields(self) -> &'static SendFields {
        match self {
            Self::Plain => &PLAIN,
            Self::Split => &SPLIT,
            Self::Unified => &UNIFIED,
        }
    }
}

/// The source of a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DescriptorSource {
    /// An immediate in the instruction.
    Immediate(u32),
    /// This subregister of address register a0, counted in dwords.
    Register(u8),
}

impl DescriptorSource {
    /// Returns the value if it is an immediate.
    pub const fn immediate(self) -> Option<u32> {
        match self {
            Self::Immediate(value) => Some(value),
            Self::Register(_) => None,
        }
    }

    /// Returns the immediate value, or `runtime` if the descriptor is in a register.
    pub const fn resolve(self, runtime: u32) -> u32 {
        match self {
            Self::Immediate(value) => value,
            Self::Register(_) => runtime,
        }
    }
}

/// Prints the value or the address register: `0x02420001`, `a0.2`.
#[cfg(feature = "defmt")]
impl defmt::Format for DescriptorSource {
    fn format(&self, f: defmt::Formatter<'_>) {
        match self {
            Self::Immediate(value) => defmt::write!(f, "{=u32:#010x}", *value),
            Self::Register(sub) => defmt::write!(f, "a0.{=u8}", *sub),
        }
    }
}
