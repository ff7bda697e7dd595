//! Writes executed messages to a trace.

use super::execute::{Executed, Setup};
use crate::trace_file::TraceWriter;
use std::io::{Result, Write};
use texwire::state::BorderColor;
use texwire::trace::{GenRecord, Record, RecordKind};

/// Writes a message's surface, sampler and border, in the slots that it names, and the texture's memory.
///
/// # Errors
/// The output's.
pub fn state<W: Write>(trace: &mut TraceWriter<W>, setup: &Setup<'_>) -> Result<()> {
    let planned = setup.planned;
    trace.record(&Record::Text(&format!("{} {:#x}", planned.kernel, planned.offset)))?;
    trace.memory(setup.texture.memory.address, &setup.texture.memory.bytes)?;
    trace.surface(u16::from(planned.descriptor.bti()), &setup.texture.state.to_bytes())?;
    trace.border(planned.sampler.border_offset(), &BorderColor { dwords: planned.border }.to_bytes())?;
    trace.sampler(u16::from(planned.descriptor.sampler()), &planned.sampler.to_bytes())
}

/// Writes a message and its result.
///
/// # Errors
/// The output's.
pub fn message<W: Write>(trace: &mut TraceWriter<W>, setup: &Setup<'_>, executed: &Executed) -> Result<()> {
    let planned = setup.planned;
    trace.message(&GenRecord {
        thread: trace.messages() as u32,
        dispatch: executed.dispatch,
        flags: u32::MAX,
        instruction: &planned.bytes,
        descriptor: planned.descriptor.0,
        extended: planned.send.extended_descriptor().unwrap_or(0),
        payload: &executed.registers,
    })?;
    trace.writeback(RecordKind::GEN, &executed.writeback)
}
