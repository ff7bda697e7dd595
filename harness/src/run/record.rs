//! What was executed, as a trace.

use super::execute::{Executed, Setup};
use texwire::Platform;
use texwire::trace::{GenRecord, Header, MAX_FRAME, Record, Writer, encoded_len};

type Error = texwire::Error;

/// Bytes of memory in one frame.
const MEMORY_CHUNK: usize = 1024;

/// A trace that grows in memory.
#[derive(Debug)]
pub struct Recorder {
    bytes: Vec<u8>,
    sequence: u16,
}

impl Recorder {
    /// A trace with its header: writebacks are recorded, filter weights are floats.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn new(platform: Platform) -> Result<Self, Error> {
        let mut recorder = Self { bytes: Vec::new(), sequence: 0 };
        recorder.write(&Record::Header(Header::new(platform, true, false)))?;
        Ok(recorder)
    }

    /// Appends a record.
    ///
    /// # Errors
    /// The record does not fit a frame.
    pub fn write(&mut self, record: &Record<'_>) -> Result<(), Error> {
        let mut buffer = [0; encoded_len(MAX_FRAME)];
        let mut writer = Writer::resume(&mut buffer, self.sequence);
        writer.write(record)?;
        self.sequence = writer.sequence();
        self.bytes.extend_from_slice(writer.bytes());
        Ok(())
    }

    /// The texture's memory: contents from here on.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn memory(&mut self, address: u64, bytes: &[u8]) -> Result<(), Error> {
        for (index, chunk) in bytes.chunks(MEMORY_CHUNK).enumerate() {
            self.write(&Record::Memory { address: address + (index * MEMORY_CHUNK) as u64, bytes: chunk })?;
        }
        Ok(())
    }

    /// A message's name, surface, sampler and border, in the slots that the message names.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn state(&mut self, setup: &Setup<'_>) -> Result<(), Error> {
        let shot = setup.shot;
        self.write(&Record::Text(&format!("{} {:#x} {:?}", shot.kernel, shot.offset, setup.scene.size)))?;
        let slot = u16::from(shot.descriptor.bti());
        self.write(&Record::Surface { slot, state: &setup.texture.state.to_bytes() })?;
        let mut border = [0; 16];
        for (bytes, dword) in border.chunks_exact_mut(4).zip(shot.border) {
            bytes.copy_from_slice(&dword.to_le_bytes());
        }
        self.write(&Record::Border { offset: shot.sampler.border_offset(), color: &border })?;
        let slot = u16::from(shot.descriptor.sampler());
        self.write(&Record::Sampler { slot, state: &shot.sampler.to_bytes() })
    }

    /// A message and its result.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn message(&mut self, setup: &Setup<'_>, thread: u32, executed: &Executed) -> Result<(), Error> {
        let shot = setup.shot;
        self.write(&Record::Gen(GenRecord {
            thread,
            dispatch: executed.dispatch,
            flags: u32::MAX,
            instruction: &shot.bytes,
            descriptor: shot.descriptor.0,
            extended: shot.send.extended_descriptor().unwrap_or(0),
            payload: &executed.registers,
        }))?;
        self.write(&Record::Writeback { of: texwire::trace::Kind::GEN, registers: &executed.writeback })
    }

    /// The stream.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
