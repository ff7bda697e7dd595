//! Native sends on a thread's registers.

use super::registers::{Blocks, LONGEST};
use super::{Completion, Device};
use crate::error::Result;
use crate::eu::{Descriptor, DescriptorSource, Runtime, SendInstruction};
use crate::memory::Memory;

/// What a thread of an execution unit has: its registers and its masks.
#[derive(Debug)]
pub struct Thread<'r> {
    /// The general registers, 32 bytes each, from r0 on.
    pub registers: &'r mut [u8],
    /// Channels that are alive and at this instruction, bit n = channel n of the thread. A send that ignores it
    /// (`W`) does.
    pub dispatch: u32,
    /// Flag registers f0 and f1: subregister 0 is bits 15:0, subregister 1 bits 31:16.
    pub flags: [u32; 2],
    /// Address register a0 as dwords, a0.0 to a0.7 of type `ud`: descriptors that an instruction does not hold.
    pub address: [u32; 8],
}

impl Thread<'_> {
    /// The value of a descriptor.
    fn descriptor(&self, source: DescriptorSource) -> u32 {
        match source {
            DescriptorSource::Immediate(value) => value,
            DescriptorSource::Register(number) => self.address.get(usize::from(number)).copied().unwrap_or(0),
        }
    }

    /// The flag subregister that a send names, and the same one of the other register.
    fn flag(&self, send: &SendInstruction) -> (u32, u32) {
        let (register, subregister) = send.execution.flag;
        let [f0, f1] = self.flags.map(|flag| flag >> (16 * u32::from(subregister & 1)));
        if register & 1 == 0 { (f0, f1) } else { (f1, f0) }
    }
}

impl<const TEXTURES: usize, const SAMPLERS: usize> Device<'_, TEXTURES, SAMPLERS> {
    /// Executes a sampler message: takes its payload from the thread's registers and writes its result there.
    /// Lanes and channels that are off keep what the destination held. Payload and destination may overlap.
    ///
    /// # Errors
    /// No register is written then. As [`SendInstruction::lower`] and [`execute`](Self::execute); `Truncated Registers` (at the
    /// block's byte in the register file) when a block or the destination is not in the register file;
    /// `Unsupported RegisterFile` for operands that are indirect or not general registers.
    pub fn send<M: Memory + ?Sized>(
        &mut self,
        send: &SendInstruction,
        thread: &mut Thread<'_>,
        memory: &M,
    ) -> Result<Completion> {
        let (descriptor, extended) = (thread.descriptor(send.descriptor), thread.descriptor(send.extended));
        let blocks = Blocks::of(send, descriptor, extended, thread.registers.len())?;
        let (flag, other_flag) = thread.flag(send);
        let runtime = Runtime {
            descriptor,
            extended,
            payload: [&[]; 2],
            dispatch: thread.dispatch,
            flag,
            other_flag,
            // A header's pointer counts from dynamic state base: so do the lowered message's samplers.
            sampler_table: 0,
        };
        if blocks.destination.is_empty() {
            return self.drop_result(send, &runtime, &blocks, thread.registers, memory);
        }
        match blocks.split(thread.registers) {
            Some((payload, out)) => self.run(send, &Runtime { payload, ..runtime }, memory, out),
            None => self.overlapping(send, &runtime, &blocks, thread.registers, memory),
        }
    }

    /// Lowers and executes a send whose result goes to `out`.
    fn run<M: Memory + ?Sized>(
        &mut self,
        send: &SendInstruction,
        runtime: &Runtime<'_>,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Completion> {
        let (message, payload) = send.lower(runtime)?;
        let header = Descriptor(send.descriptor.resolve(runtime.descriptor)).header();
        let table = if header { 0 } else { self.heaps.sampler_table };
        let outcome = self.execute_at(&message, table, &payload, memory, out)?;
        Ok(Completion { message, outcome })
    }

    /// The message executes, its result goes nowhere.
    // Apart, as below: only these need room for a result on the stack.
    #[inline(never)]
    fn drop_result<M: Memory + ?Sized>(
        &mut self,
        send: &SendInstruction,
        runtime: &Runtime<'_>,
        blocks: &Blocks,
        registers: &[u8],
        memory: &M,
    ) -> Result<Completion> {
        let payload = blocks.payload.clone().map(|block| registers.get(block).unwrap_or_default());
        self.run(send, &Runtime { payload, ..*runtime }, memory, &mut [0; LONGEST])
    }

    /// The destination has registers of the payload: the result is put there when all of it is known.
    #[inline(never)]
    fn overlapping<M: Memory + ?Sized>(
        &mut self,
        send: &SendInstruction,
        runtime: &Runtime<'_>,
        blocks: &Blocks,
        registers: &mut [u8],
        memory: &M,
    ) -> Result<Completion> {
        let payload = blocks.payload.clone().map(|block| registers.get(block).unwrap_or_default());
        let mut result = [0; LONGEST];
        let held = registers.get(blocks.destination.clone()).unwrap_or_default();
        for (byte, held) in result.iter_mut().zip(held) {
            *byte = *held;
        }
        let completion = self.run(send, &Runtime { payload, ..*runtime }, memory, &mut result)?;
        let target = registers.get_mut(blocks.destination.clone()).unwrap_or_default();
        for (byte, new) in target.iter_mut().zip(result) {
            *byte = new;
        }
        Ok(completion)
    }
}
