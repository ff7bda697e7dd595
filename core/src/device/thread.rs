//! A thread of an execution unit, as a send sees it.

use crate::eu::{DescriptorSource, SendInstruction};

/// The registers and masks of a thread of an execution unit.
#[derive(Debug)]
pub struct Thread<'r> {
    /// The general registers, 32 bytes each, from r0 on.
    pub registers: &'r mut [u8],
    /// The dispatch mask: channels that are alive and at this instruction, bit n = channel n of the thread. Sends with NoMask
    /// (`W`) ignore it.
    pub dispatch: u32,
    /// Flag registers f0 and f1: subregister 0 is bits 15:0, subregister 1 bits 31:16.
    pub flags: [u32; 2],
    /// Address register a0 as dwords, a0.0 to a0.7 of type `ud`: descriptors that an instruction does not hold.
    pub address: [u32; 8],
}

impl Thread<'_> {
    /// Returns the values of a send's descriptor and extended descriptor.
    #[inline]
    pub(super) fn descriptors(&self, send: &SendInstruction) -> [u32; 2] {
        [send.descriptor, send.extended].map(|source| match source {
            DescriptorSource::Immediate(value) => value,
            DescriptorSource::Register(number) => self.address.get(usize::from(number)).copied().unwrap_or(0),
        })
    }

    /// Returns the flag subregister that a send names, and the same subregister of the other flag register.
    #[inline]
    pub(super) fn flag(&self, send: &SendInstruction) -> (u32, u32) {
        let (register, subregister) = send.execution.flag;
        let [f0, f1] = self.flags.map(|flag| flag >> (16 * u32::from(subregister & 1)));
        if register & 1 == 0 { (f0, f1) } else { (f1, f0) }
    }
}
