//! Sampler messages, executed by the core's device on the thread's registers.

use super::port::Port;
use crate::machine::error::{Error, Result};
use crate::machine::registers::{GENERAL, at};
use crate::machine::sampler_record::SamplerRecord;
use texwire::device::Thread as Registers;
use texwire::eu::SendInstruction;

/// Executes the message, and records it if the thread records.
///
/// # Errors
/// The core refuses the message or its state; a lane reads texels outside every allocation; the thread has no sampler.
pub(super) fn execute(
    send: &SendInstruction,
    port: &mut Port<'_, '_>,
    descriptor: u32,
    extended: u32,
) -> Result<()> {
    let registers = &mut port.thread.registers;
    let (register, subregister) = send.execution.flag;
    let flags = [registers.flag(0), registers.flag(1)];
    let address = std::array::from_fn(|index| registers.dword(at::ADDRESS + index * 4));
    let dispatch = port.thread.flow.active;
    let mut view = Registers { registers: &mut registers.bytes[..GENERAL], dispatch, flags, address };
    let environment = port.environment;
    let setup = environment.sampler.ok_or_else(|| Error::new("sampler message refused", "no sampler"))?;
    let device = port.thread.device.get_or_insert_with(|| setup.device());
    let completion = device
        .send(send, &mut view, port.environment.memory)
        .map_err(|why| Error::new("sampler message refused", why.to_string()))?;
    if let Some((lane, address)) = completion.outcome.first_fault {
        let why = format!("texel at {address:#x}, outside every allocation");
        return Err(Error::new("memory fault", why).lane(usize::from(lane)));
    }
    if port.thread.record {
        let length = usize::from(completion.message.response().len);
        let written = port.thread.registers.bytes[..GENERAL].get(port.dst..port.dst + length);
        let mut result = written.unwrap_or_default().to_vec();
        clear_untouched(&completion.message, &mut result);
        let record = SamplerRecord {
            offset: port.thread.offset,
            thread: port.thread.number,
            dispatch,
            flag: flags[usize::from(register & 1)] >> (16 * u32::from(subregister & 1)),
            descriptors: [descriptor, send.extended_descriptor().unwrap_or(extended)],
            instruction: send.encode().map(|word| word.to_bytes()).unwrap_or_default(),
            payload: port.payload.all().to_vec(),
            result: if port.writes { result } else { Vec::new() },
            message: completion.message,
        };
        port.thread.records.push(record);
    }
    Ok(())
}

/// Zeroes the bytes of the response that the sampler did not write: those of inactive lanes, and those of no lane.
fn clear_untouched(message: &texwire::Message, result: &mut [u8]) {
    let response = message.response();
    let width = message.return_width.bytes();
    let stride = usize::from(response.stride).max(1);
    let mask_at = response.null_mask.map(usize::from);
    for (at, byte) in result.iter_mut().enumerate() {
        // The pixel null mask is one dword for all lanes.
        let in_mask = mask_at.is_some_and(|mask| at >= mask && at < mask + 4);
        let beyond = mask_at.is_some_and(|mask| at >= mask + 4);
        let lane = at % stride / width;
        let on = lane < 32 && message.lanes >> lane & 1 == 1;
        if !in_mask && (beyond || !on) {
            *byte = 0;
        }
    }
}
