//! Writes traces. Jobs become messages; state that the trace has set already is not written again.

use super::gen_native::JobSend;
use super::memory::Ranges;
use super::visa::JobInstruction;
use crate::engine::{Engine, Job, Outcome, Precision};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use texwire::state::{BorderColor, SamplerState, SurfaceState};
use texwire::trace::{GenRecord, MAX_FRAME, OVERHEAD, Record, RecordKind, StreamHeader, Writer, encoded_len};
use texwire::{Platform, format};

/// The most bytes of contents in one memory record: the frame also has the address and its own overhead.
const MEMORY_CHUNK: usize = MAX_FRAME - OVERHEAD - 8;
/// The number of entries of a palette.
const PALETTE_ENTRIES: usize = 256;
/// The number of surface slots, and of sampler slots, that jobs use in turn.
const JOB_SLOTS: usize = 16;

/// Writes a trace. State that is set already is not written again.
#[derive(Debug)]
pub struct TraceWriter<W> {
    out: W,
    frame: Vec<u8>,
    sequence: u16,
    known: StreamState,
    /// Frames of the stream so far.
    frames: u64,
    /// The stream has a header, which says that an end record comes.
    has_header: bool,
    messages: usize,
    next_slot: [u16; 2],
}

/// The state that a reader of the stream has so far.
#[derive(Debug, Default)]
struct StreamState {
    header: Option<StreamHeader>,
    surfaces: BTreeMap<u16, [u8; 64]>,
    samplers: BTreeMap<u16, [u8; 16]>,
    borders: BTreeMap<u32, [u8; 16]>,
    palettes: BTreeMap<u8, Vec<u32>>,
    /// The LOD of a coarse pixel, as the bits of an f32.
    coarse: u32,
    /// Contents by address, as written last.
    memory: BTreeMap<u64, Vec<u8>>,
    nulls: Ranges,
    /// All addresses with contents or null pages, forgotten contents included: a reader still has those.
    mapped: Ranges,
}

impl StreamState {
    /// Forgets all contents that overlap `range`, and the null pages in it.
    fn forget(&mut self, range: &Range<u64>) {
        self.nulls.cut(range);
        let before = self.memory.range(..range.start).next_back();
        let before = before.filter(|(at, known)| at.saturating_add(known.len() as u64) > range.start);
        let inside = self.memory.range(range.clone());
        let overlapping: Vec<u64> = before.into_iter().chain(inside).map(|(&at, _)| at).collect();
        overlapping.iter().for_each(|at| drop(self.memory.remove(at)));
    }

    /// Returns whether there are contents or null pages at addresses where `job` has neither.
    fn has_more_memory(&self, job: &Job) -> bool {
        let mut rest = self.mapped.clone();
        let range = |start: u64, length: u64| start..start.saturating_add(length);
        job.memory.iter().for_each(|region| rest.cut(&range(region.address, region.bytes.len() as u64)));
        job.null_pages.iter().for_each(|(at, length)| rest.cut(&range(*at, *length)));
        !rest.is_empty()
    }
}

impl<W: Write> TraceWriter<W> {
    /// Starts a stream in `out`.
    pub fn new(out: W) -> Self {
        Self {
            out,
            frame: vec![0; encoded_len(MAX_FRAME)],
            sequence: 0,
            known: StreamState::default(),
            frames: 0,
            has_header: false,
            messages: 0,
            next_slot: [0; 2],
        }
    }

    /// Ends the stream. The next header starts a new one: readers forget all state, numbers begin at 0.
    ///
    /// # Errors
    /// The output's.
    pub fn restart(&mut self) -> io::Result<()> {
        if self.has_header {
            self.put(&Record::End { frames: self.frames })?;
        }
        (self.sequence, self.frames, self.has_header) = (0, 0, false);
        self.known = StreamState::default();
        Ok(())
    }

    /// Returns the number of messages written so far.
    pub const fn messages(&self) -> usize {
        self.messages
    }

    /// Writes any record as it is, except that a header says that the stream ends with an end record, which
    /// [`finish`](Self::finish) and [`restart`](Self::restart) write.
    ///
    /// # Errors
    /// The output's, or a record that does not fit a frame.
    pub fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        match record {
            Record::Header(header) => {
                if self.sequence == 0 && self.frames > 0 {
                    // A header with number 0 would start a new stream: an empty text takes this number.
                    self.put(&Record::Text(""))?;
                }
                self.has_header = true;
                self.put(&Record::Header(header.with_end()))
            }
            record => self.put(record),
        }
    }

    fn put(&mut self, record: &Record<'_>) -> io::Result<()> {
        let mut writer = Writer::resume(&mut self.frame, self.sequence);
        writer.write(record).map_err(|why| io::Error::other(why.to_string()))?;
        self.sequence = writer.sequence();
        self.frames += 1;
        self.messages += usize::from(record.kind().is_message());
        self.out.write_all(writer.bytes())
    }

    /// Sets the platform and the precision of the messages that follow.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn header(&mut self, platform: Platform, precision: Precision) -> io::Result<()> {
        let header = StreamHeader::new(platform, true, precision == Precision::Fixed8);
        if self.known.header.replace(header) == Some(header) {
            return Ok(());
        }
        self.record(&Record::Header(header))
    }

    /// Sets surface `slot` to a RENDER_SURFACE_STATE.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn surface(&mut self, slot: u16, state: &[u8; 64]) -> io::Result<()> {
        if self.known.surfaces.insert(slot, *state) == Some(*state) {
            return Ok(());
        }
        self.record(&Record::Surface { slot, state })
    }

    /// Sets sampler `slot` to a SAMPLER_STATE.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn sampler(&mut self, slot: u16, state: &[u8; 16]) -> io::Result<()> {
        if self.known.samplers.insert(slot, *state) == Some(*state) {
            return Ok(());
        }
        self.record(&Record::Sampler { slot, state })
    }

    /// Sets the border colour at `offset`.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn border(&mut self, offset: u32, color: &[u8; 16]) -> io::Result<()> {
        if self.known.borders.insert(offset, *color) == Some(*color) {
            return Ok(());
        }
        self.record(&Record::Border { offset, color })
    }

    /// Sets the memory at `address` to `bytes`, in as many frames as needed.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn memory(&mut self, address: u64, bytes: &[u8]) -> io::Result<()> {
        let range = address..address.saturating_add(bytes.len() as u64);
        let hidden = self.known.nulls.overlap(&range);
        if !hidden && self.known.memory.get(&address).is_some_and(|known| known == bytes) {
            return Ok(());
        }
        self.known.forget(&range);
        self.known.mapped.insert(range);
        for (index, chunk) in bytes.chunks(MEMORY_CHUNK).enumerate() {
            let address = address.wrapping_add((index * MEMORY_CHUNK) as u64);
            self.record(&Record::Memory { address, bytes: chunk })?;
        }
        self.known.memory.insert(address, bytes.to_vec());
        Ok(())
    }

    /// Makes `length` bytes at `address` null pages.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn unmap(&mut self, address: u64, length: u64) -> io::Result<()> {
        let range = address..address.saturating_add(length);
        self.known.nulls.insert(range.clone());
        self.known.mapped.insert(range);
        self.record(&Record::Unmap { address, length })
    }

    /// Sets entries of palette 0 or 1 from number 0 on.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn palette(&mut self, palette: u8, entries: &[u32]) -> io::Result<()> {
        let entries = &entries[..entries.len().min(PALETTE_ENTRIES)];
        if self.known.palettes.insert(palette, entries.to_vec()).is_some_and(|known| known == entries) {
            return Ok(());
        }
        let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_le_bytes()).collect();
        self.record(&Record::Palette { palette, first: 0, entries: &bytes })
    }

    /// Sets what a coarse pixel adds to the LOD of messages with LOD compensation: the bits of an f32.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn coarse(&mut self, lod: u32) -> io::Result<()> {
        if std::mem::replace(&mut self.known.coarse, lod) == lod {
            return Ok(());
        }
        self.record(&Record::Coarse { lod })
    }

    /// Writes a Gen message with the registers it sends.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn message(&mut self, message: &GenRecord<'_>) -> io::Result<()> {
        self.record(&Record::Gen(*message))
    }

    /// Writes the destination registers of the last message; bytes that the sampler does not write are 0.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn writeback(&mut self, of: RecordKind, registers: &[u8]) -> io::Result<()> {
        self.record(&Record::Writeback { of, registers })
    }

    /// Writes a job as a Gen message, with its state and its result.
    ///
    /// If lanes of it fault and the stream has memory of earlier jobs, which these lanes would read in a replay, a new stream starts.
    ///
    /// # Errors
    /// As [`record`](Self::record), and a job that no Gen message can express (SIMD other than 8 and 16, an
    /// operation of vISA alone, more registers than a message has).
    pub fn job(&mut self, job: &Job, outcome: &Outcome) -> io::Result<()> {
        let send = JobSend::new(job).map_err(io::Error::other)?;
        self.drop_memory_for(job, outcome)?;
        let (surface, sampler) = self.job_state(job)?;
        let descriptor = send.descriptor | u32::from(surface) | u32::from(sampler) << 8;
        let instruction = send.instruction(descriptor).map_err(io::Error::other)?;
        self.message(&GenRecord {
            thread: self.messages as u32,
            dispatch: job.lanes,
            flags: 0,
            instruction: &instruction,
            descriptor,
            extended: send.extended,
            payload: &send.payload,
        })?;
        self.writeback(RecordKind::GEN, &outcome.writeback)
    }

    /// As [`job`](Self::job), with a vISA message.
    ///
    /// # Errors
    /// As [`record`](Self::record), and a job that no vISA instruction can express.
    pub fn visa_job(&mut self, job: &Job, outcome: &Outcome) -> io::Result<()> {
        // Checked before any record is written, so that a refused job leaves the trace unchanged.
        JobInstruction::new(job, 0, 0).map_err(io::Error::other)?;
        self.drop_memory_for(job, outcome)?;
        let (surface, sampler) = self.job_state(job)?;
        let instruction = JobInstruction::new(job, surface as u8, sampler as u8).map_err(io::Error::other)?;
        self.record(&Record::Visa(instruction.record(self.messages as u32)))?;
        self.writeback(RecordKind::VISA, &outcome.writeback)
    }

    /// Starts a new stream if the memory of earlier jobs would change the result of `job`: no record makes a mapped address fault again.
    /// Lanes without a fault read only what their own job has, so that other jobs share the stream.
    fn drop_memory_for(&mut self, job: &Job, outcome: &Outcome) -> io::Result<()> {
        if outcome.faults != 0 && self.known.has_more_memory(job) { self.restart() } else { Ok(()) }
    }

    /// Writes all state that a job refers to. Returns the slots of its surface and sampler.
    fn job_state(&mut self, job: &Job) -> io::Result<(u16, u16)> {
        let platform = Platform::from_trace_code(job.platform)
            .ok_or_else(|| io::Error::other(format!("unknown platform at job: {}", job.platform)))?;
        self.header(platform, job.precision)?;
        for region in &job.memory {
            self.memory(region.address, &region.bytes)?;
        }
        for &(address, length) in &job.null_pages {
            self.unmap(address, length)?;
        }
        let surface_state = SurfaceState { dwords: job.surface };
        let palette = format::info(surface_state.format()).and_then(|info| info.palette);
        if let Some(palette) = palette {
            // Entries that a job does not have are 0, whatever an earlier job had there.
            let mut entries = job.palette.clone();
            entries.resize(PALETTE_ENTRIES, 0);
            self.palette(palette, &entries)?;
        }
        if let Some(lod) = job.cps {
            self.coarse(lod)?;
        }
        let surface = surface_state.to_bytes();
        let surface_slot = slot_of(&self.known.surfaces, &surface, &mut self.next_slot[0]);
        self.surface(surface_slot, &surface)?;
        let sampler_state = SamplerState { dwords: job.sampler };
        let sampler = sampler_state.to_bytes();
        let sampler_slot = slot_of(&self.known.samplers, &sampler, &mut self.next_slot[1]);
        self.sampler(sampler_slot, &sampler)?;
        self.border(sampler_state.border_offset(), &BorderColor { dwords: job.border }.to_bytes())?;
        Ok((surface_slot, sampler_slot))
    }

    /// Ends the stream and returns the output.
    ///
    /// # Errors
    /// The output's.
    pub fn finish(mut self) -> io::Result<W> {
        self.restart()?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// An engine that writes every job it executes, with the result, to a trace.
pub struct RecordingEngine<'e, W> {
    engine: &'e dyn Engine,
    trace: RefCell<TraceWriter<W>>,
}

impl<W> std::fmt::Debug for RecordingEngine<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RecordingEngine").field("engine", &self.engine.name()).finish_non_exhaustive()
    }
}

impl<'e, W: Write> RecordingEngine<'e, W> {
    /// Creates a recorder of what `engine` executes, to a trace in `out`.
    pub fn new(engine: &'e dyn Engine, out: W) -> Self {
        Self { engine, trace: RefCell::new(TraceWriter::new(out)) }
    }

    /// Returns the trace, which the caller has to finish.
    pub fn into_trace(self) -> TraceWriter<W> {
        self.trace.into_inner()
    }
}

impl<W: Write> Engine for RecordingEngine<'_, W> {
    fn name(&self) -> &str {
        self.engine.name()
    }

    fn execute(&self, job: &Job) -> Result<Option<Outcome>, String> {
        let outcome = self.engine.execute(job)?;
        if let Some(outcome) = &outcome {
            self.trace.borrow_mut().job(job, outcome).map_err(|why| why.to_string())?;
        }
        Ok(outcome)
    }
}

/// Returns the slot that holds `state` already, or the next slot in turn.
fn slot_of<const B: usize>(slots: &BTreeMap<u16, [u8; B]>, state: &[u8; B], next: &mut u16) -> u16 {
    if let Some((&slot, _)) = slots.iter().find(|(_, known)| *known == state) {
        return slot;
    }
    let slot = *next;
    *next = (slot + 1) % JOB_SLOTS as u16;
    slot
}
