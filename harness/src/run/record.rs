//! Writes executed messages to a trace.

use super::execute::{Executed, Setup};
use crate::trace_file::TraceWriter;
use std::io::{Result, Write};
use texwire::trace::{GenRecord, Record, RecordKind};

/// Writes a message's surface, sampler and border, in the slots that it names, and the texture's memory.
///
/// # Errors
/// The output's.
pub fn state<W: Write>(trace: &mut TraceWriter<W>, setup: &Setup<'_>) -> Result<()> {
    let shot = setup.shot;
    trace.record(&Record::Text(&format!("{} {:#x}", shot.kernel, shot.offset)))?;
    trace.memory(setup.texture.memory.address, &setup.texture.memory.bytes)?;
    trace.surface(u16::from(shot.descriptor.bti()), &setup.texture.state.to_bytes())?;
    let mut border = [0; 16];
    for (bytes, dword) in border.chunks_exact_mut(4).zip(shot.border) {
        bytes.copy_from_slice(&dword.to_le_bytes());
    }
    trace.border(shot.sampler.border_offset(), &border)?;
    trace.sampler(u16::from(shot.descriptor.sampler()), &shot.sampler.to_bytes())
}

/// Writes a message and its result.
///
/// # Errors
/// The output's.
pub fn message<W: Write>(trace: &mut TraceWriter<W>, setup: &Setup<'_>, executed: &Executed) -> Result<()> {
    let shot = setup.shot;
    trace.message(&GenRecord {
        thread: trace.messages() as u32,
        dispatch: executed.dispatch,
        flags: u32::MAX,
        instruction: &shot.bytes,
        descriptor: shot.descriptor.0,
        extended: shot.send.extended_descriptor().unwrap_or(0),
        payload: &executed.registers,
    })?;
    trace.writeback(RecordKind::GEN, &executed.writeback)
}
