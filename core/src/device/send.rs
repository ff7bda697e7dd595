//! Executing native sends on a thread's registers.

use super::lowered_send::{LoweredSend, SendKey};
use super::lru_cache::LruCache;
use super::registers::LONGEST;
use super::thread::Thread;
use super::{Completion, Device};
use crate::bits::copy_front;
use crate::error::Result;
use crate::eu::SendInstruction;
use crate::memory::Memory;
use crate::message::{Message, Payload};
use crate::sample::Outcome;

impl<const TEXTURES: usize, const SAMPLERS: usize> Device<'_, TEXTURES, SAMPLERS> {
    /// Executes a sampler message: takes its payload from the thread's registers and writes its result there.
    /// Inactive lanes and channels that are not returned keep what the destination held. Payload and destination may overlap.
    ///
    /// The last `TEXTURES` different sends are cached as lowered.
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
        let Self { heaps, executor, sends } = self;
        let lowered = match sends.expected(|kept| kept.is(send, thread)) {
            Some(lowered) => lowered,
            None => find(sends, send, thread)?,
        };
        let (flag, other_flag) = thread.flag(send);
        let lanes = send.lanes(thread.dispatch, flag, other_flag) & lowered.message.all_lanes();
        let table = if lowered.header { 0 } else { heaps.sampler_table };
        let mut execute = |payload: [&[u8]; 2], out: &mut [u8]| {
            let payload = Payload::split(payload, lowered.stride, lowered.message.params.into())?;
            executor.execute_in(heaps, &lowered.message, lanes, table, &payload, memory, out)
        };
        let outcome = match lowered.blocks.split(thread.registers) {
            Some((payload, out)) => execute(payload, out),
            None => execute_into_copy(lowered, thread.registers, execute),
        }?;
        Ok(Completion { message: Message { lanes, ..lowered.message }, outcome })
    }
}

/// Returns a lowered send from the cache, or lowers it now.
// inline(never): keeps this frame off the stack of expected sends.
#[inline(never)]
fn find<'s, const SENDS: usize>(
    sends: &'s mut LruCache<SendKey, LoweredSend, SENDS>,
    send: &SendInstruction,
    thread: &Thread<'_>,
) -> Result<&'s LoweredSend> {
    let lower = || {
        let key = SendKey::new(send, thread);
        let lowered = LoweredSend::new(&key, thread.registers)?;
        Ok((key, lowered))
    };
    sends.get(|kept| kept.is(send, thread), lower)
}

/// Executes a send without a destination, or one whose destination overlaps its payload: into a copy of the destination, which is
/// written to the registers when all of it is known.
// inline(never): only these sends need room for a result on the stack.
#[inline(never)]
fn execute_into_copy(
    LoweredSend { blocks, .. }: &LoweredSend,
    registers: &mut [u8],
    mut execute: impl FnMut([&[u8]; 2], &mut [u8]) -> Result<Outcome>,
) -> Result<Outcome> {
    let mut result = [0; LONGEST];
    copy_front(&mut result, registers.get(blocks.destination.clone()).unwrap_or_default());
    let outcome = execute(blocks.payload(registers), &mut result)?;
    copy_front(registers.get_mut(blocks.destination.clone()).unwrap_or_default(), &result);
    Ok(outcome)
}
