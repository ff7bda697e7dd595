//! Traces on the host: writing them, and following their state so that another engine can replay them.

use crate::engine::{Engine, Job, Outcome, Precision, Region};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use texwire::Platform;
use texwire::eu::{self, SimdMode};
use texwire::message::{Binding, Channels, Message, Op, Payload, Width};
use texwire::trace::{GenRecord, Header, Kind, MAX_FRAME, OVERHEAD, Record, Writer, encoded_len};

/// Contents of one memory record at most: address and frame around it.
const MEMORY_CHUNK: usize = MAX_FRAME - OVERHEAD - 8;
/// Surface and sampler slots that jobs are spread over.
const JOB_SLOTS: usize = 16;
/// Bytes of a general register.
const GRF: usize = 32;

/// Writes a trace. State that is set already is not written again.
#[derive(Debug)]
pub struct TraceWriter<W> {
    out: W,
    frame: Vec<u8>,
    sequence: u16,
    header: Option<Header>,
    surfaces: BTreeMap<u16, [u8; 64]>,
    samplers: BTreeMap<u16, [u8; 16]>,
    borders: BTreeMap<u32, [u8; 16]>,
    /// Contents by address, as written last.
    memory: BTreeMap<u64, Vec<u8>>,
    nulls: Vec<(u64, u64)>,
    messages: usize,
    next_slot: [u16; 2],
}

impl<W: Write> TraceWriter<W> {
    /// Starts a stream in `out`.
    pub fn new(out: W) -> Self {
        Self {
            out,
            frame: vec![0; encoded_len(MAX_FRAME)],
            sequence: 0,
            header: None,
            surfaces: BTreeMap::new(),
            samplers: BTreeMap::new(),
            borders: BTreeMap::new(),
            memory: BTreeMap::new(),
            nulls: Vec::new(),
            messages: 0,
            next_slot: [0; 2],
        }
    }

    /// Messages written so far.
    pub const fn messages(&self) -> usize {
        self.messages
    }

    /// Writes any record as it is.
    ///
    /// # Errors
    /// The output's, or a record that does not fit a frame.
    pub fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        let mut writer = Writer::resume(&mut self.frame, self.sequence);
        writer.write(record).map_err(|why| io::Error::other(why.to_string()))?;
        self.sequence = writer.sequence();
        self.messages += usize::from(record.kind().is_message());
        self.out.write_all(writer.bytes())
    }

    /// What the messages from here on were executed on, and how.
    ///
    /// # Errors
    /// As [`record`](Self::record); so for all the others.
    pub fn header(&mut self, platform: Platform, precision: Precision) -> io::Result<()> {
        let header = Header::new(platform, true, precision == Precision::Fixed8);
        if self.header.replace(header) == Some(header) {
            return Ok(());
        }
        self.record(&Record::Header(header))
    }

    /// Sets surface `slot` to a RENDER_SURFACE_STATE.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn surface(&mut self, slot: u16, state: &[u8; 64]) -> io::Result<()> {
        if self.surfaces.insert(slot, *state) == Some(*state) {
            return Ok(());
        }
        self.record(&Record::Surface { slot, state })
    }

    /// Sets sampler `slot` to a SAMPLER_STATE.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn sampler(&mut self, slot: u16, state: &[u8; 16]) -> io::Result<()> {
        if self.samplers.insert(slot, *state) == Some(*state) {
            return Ok(());
        }
        self.record(&Record::Sampler { slot, state })
    }

    /// Sets the border colour at `offset`.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn border(&mut self, offset: u32, color: &[u8; 16]) -> io::Result<()> {
        if self.borders.insert(offset, *color) == Some(*color) {
            return Ok(());
        }
        self.record(&Record::Border { offset, color })
    }

    /// Puts `bytes` at `address`, in as many frames as it takes.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn memory(&mut self, address: u64, bytes: &[u8]) -> io::Result<()> {
        let end = address.saturating_add(bytes.len() as u64);
        let hidden =
            self.nulls.iter().any(|&(start, len)| start < end && address < start.saturating_add(len));
        if !hidden && self.memory.get(&address).is_some_and(|known| known == bytes) {
            return Ok(());
        }
        self.memory.retain(|&at, known| at >= end || at.saturating_add(known.len() as u64) <= address);
        for (index, chunk) in bytes.chunks(MEMORY_CHUNK).enumerate() {
            let address = address.wrapping_add((index * MEMORY_CHUNK) as u64);
            self.record(&Record::Memory { address, bytes: chunk })?;
        }
        self.memory.insert(address, bytes.to_vec());
        Ok(())
    }

    /// Makes `length` bytes at `address` null pages.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn unmap(&mut self, address: u64, length: u64) -> io::Result<()> {
        self.nulls.push((address, length));
        self.record(&Record::Unmap { address, length })
    }

    /// A Gen message with the registers it sends.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn message(&mut self, message: &GenRecord<'_>) -> io::Result<()> {
        self.record(&Record::Gen(*message))
    }

    /// The destination registers of the last message; bytes that the sampler leaves untouched are 0.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn writeback(&mut self, of: Kind, registers: &[u8]) -> io::Result<()> {
        self.record(&Record::Writeback { of, registers })
    }

    /// A job as a Gen message, with its state and what came out.
    ///
    /// # Errors
    /// As [`record`](Self::record), and a job that no Gen message says (SIMD other than 8 and 16, a
    /// palette, more registers than a message has).
    pub fn job(&mut self, job: &Job, outcome: &Outcome) -> io::Result<()> {
        let send = JobSend::new(job).map_err(io::Error::other)?;
        self.header(send.platform, job.precision)?;
        for region in &job.memory {
            self.memory(region.address, &region.bytes)?;
        }
        for &(address, length) in &job.null_pages {
            self.unmap(address, length)?;
        }
        let (surface, sampler) = (bytes(&job.surface), bytes(&job.sampler));
        let surface_slot = slot_of(&self.surfaces, &surface, &mut self.next_slot[0]);
        self.surface(surface_slot, &surface)?;
        let state = texwire::state::SamplerState { dwords: job.sampler };
        let sampler_slot = slot_of(&self.samplers, &sampler, &mut self.next_slot[1]);
        self.sampler(sampler_slot, &sampler)?;
        self.border(state.border_offset(), &bytes(&job.border))?;
        let descriptor = send.descriptor | u32::from(surface_slot) | u32::from(sampler_slot) << 8;
        let instruction = send.instruction(descriptor).map_err(io::Error::other)?;
        self.message(&GenRecord {
            thread: self.messages as u32,
            dispatch: job.lanes,
            flags: 0,
            instruction: &instruction,
            descriptor,
            extended: 2,
            payload: &send.payload,
        })?;
        self.writeback(Kind::GEN, &outcome.writeback)
    }

    /// Ends the stream.
    ///
    /// # Errors
    /// The output's.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// An engine that writes every job it executes, with the result, to a trace.
pub struct Recorder<'e, W> {
    engine: &'e dyn Engine,
    trace: RefCell<TraceWriter<W>>,
}

impl<W> std::fmt::Debug for Recorder<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder").field("engine", &self.engine.name()).finish_non_exhaustive()
    }
}

impl<'e, W: Write> Recorder<'e, W> {
    /// Records what `engine` does to `out`.
    pub fn new(engine: &'e dyn Engine, out: W) -> Self {
        Self { engine, trace: RefCell::new(TraceWriter::new(out)) }
    }

    /// The trace, to finish.
    pub fn into_trace(self) -> TraceWriter<W> {
        self.trace.into_inner()
    }
}

impl<W: Write> Engine for Recorder<'_, W> {
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

/// Dwords as bytes.
fn bytes<const D: usize, const B: usize>(dwords: &[u32; D]) -> [u8; B] {
    let mut bytes = [0; B];
    for (to, from) in bytes.chunks_exact_mut(4).zip(dwords) {
        to.copy_from_slice(&from.to_le_bytes());
    }
    bytes
}

/// The slot that holds `state`, or the next one in turn.
fn slot_of<const B: usize>(slots: &BTreeMap<u16, [u8; B]>, state: &[u8; B], next: &mut u16) -> u16 {
    if let Some((&slot, _)) = slots.iter().find(|(_, known)| *known == state) {
        return slot;
    }
    let slot = *next;
    *next = (slot + 1) % JOB_SLOTS as u16;
    slot
}

/// A job as the send that asks for it.
struct JobSend {
    platform: Platform,
    simd: u8,
    /// Without the slots.
    descriptor: u32,
    rlen: u16,
    payload: Vec<u8>,
}

impl JobSend {
    fn new(job: &Job) -> Result<Self, String> {
        let platform = Platform::from_trace_code(job.platform)
            .ok_or_else(|| format!("unknown platform at job: {}", job.platform))?;
        let op = Op::from_name(&job.op).ok_or_else(|| format!("unknown operation at job: {}", job.op))?;
        if !job.palette.is_empty() {
            return Err("unsupported palette at job: a trace has no record for it".into());
        }
        if job.cps.is_some() {
            return Err("unsupported coarse pixels at job: a trace has no record of their LOD".into());
        }
        let width = |half| if half { Width::Half } else { Width::Full };
        let mut message = Message::new(op);
        message.simd = job.simd;
        message.lanes = job.lanes;
        message.params = job.params.len() as u8;
        message.param_width = width(job.half_params);
        message.return_width = width(job.half_return);
        message.channels = if op.flags().gather { Channels::RGBA } else { Channels::new(job.channels) };
        message.null_mask = job.null_mask;
        let mode = SimdMode::of(job.simd, message.param_width)
            .ok_or_else(|| format!("unsupported SIMD size at job: {} (expected 8 or 16)", job.simd))?;
        let code = eu::descriptor::type_of(op)
            .ok_or_else(|| format!("unsupported operation at job: {op:?} is no Gen message"))?;
        let header = needs_header(job, &message);
        let mut payload = Vec::new();
        if header {
            let control = eu::Header::control_of(job.offsets, message.channels, job.gather, job.null_mask);
            payload.resize(GRF, 0);
            payload[8..12].copy_from_slice(&control.to_le_bytes());
        }
        for param in &job.params {
            push_param(&mut payload, param, message.param_width);
        }
        if job.params.is_empty() {
            // A message has a parameter's registers even when all of its parameters are left out (and 0).
            let bytes = usize::from(job.simd) * message.param_width.bytes();
            payload.resize(payload.len() + bytes.next_multiple_of(GRF), 0);
        }
        let (mlen, rlen) = (payload.len() / GRF, message.response().registers(GRF as u8));
        if mlen > 15 {
            return Err(format!("too long a message at job: {mlen} registers"));
        }
        let mode = u32::from(mode.0);
        let descriptor = u32::from(code) << 12
            | (mode & 3) << 17
            | u32::from(header) << 19
            | u32::from(rlen) << 20
            | (mlen as u32) << 25
            | (mode >> 2) << 29
            | u32::from(job.half_return) << 30;
        Ok(Self { platform, simd: job.simd, descriptor, rlen, payload })
    }

    fn instruction(&self, descriptor: u32) -> Result<[u8; 16], String> {
        let form = if self.platform == Platform::XeLp { eu::Form::Unified } else { eu::Form::Plain };
        let mut send = eu::Send::new(self.platform, form);
        send.execution.size = self.simd;
        send.src0 = eu::Operand::grf(2);
        if self.rlen > 0 {
            send.dst = eu::Operand::grf(16);
        }
        send.descriptor = eu::Source::Immediate(descriptor);
        Ok(send.encode().map_err(|why| why.to_string())?.to_bytes())
    }
}

fn needs_header(job: &Job, message: &Message) -> bool {
    let mask = message.channels.mask();
    let prefix = mask & mask.wrapping_add(1) == 0;
    let gather = message.op.flags().gather && job.gather != 0;
    job.offsets != [0; 3] || job.null_mask || gather || !prefix || mask == 0
}

/// Appends a parameter's lanes, padded to whole registers.
fn push_param(payload: &mut Vec<u8>, lanes: &[u32], width: Width) {
    for lane in lanes {
        payload.extend(&lane.to_le_bytes()[..width.bytes()]);
    }
    payload.resize(payload.len().next_multiple_of(GRF), 0);
}

/// The state of a trace up to here, as plain data: what [`Job`]s for any engine are made from.
#[derive(Clone, Debug, Default)]
pub struct State {
    header: Option<Header>,
    surfaces: BTreeMap<u32, [u8; 64]>,
    samplers: BTreeMap<u32, [u8; 16]>,
    borders: BTreeMap<u32, [u8; 16]>,
    memory: BTreeMap<u64, Vec<u8>>,
    nulls: Vec<(u64, u64)>,
}

impl State {
    /// Takes a record that sets state.
    pub fn record(&mut self, record: &Record<'_>) {
        match *record {
            Record::Header(header) => self.header = Some(header),
            Record::Surface { slot, state } => drop(self.surfaces.insert(slot.into(), *state)),
            Record::Sampler { slot, state } => drop(self.samplers.insert(slot.into(), *state)),
            Record::Border { offset, color } => drop(self.borders.insert(offset, *color)),
            Record::Memory { address, bytes } => self.write(address, bytes),
            Record::Unmap { address, length } => {
                self.cut_nulls(address, address.saturating_add(length));
                self.nulls.push((address, length));
            }
            _ => {}
        }
    }

    /// The contents of a region that is there are replaced, a neighbour grows, else it is a new one.
    fn write(&mut self, address: u64, bytes: &[u8]) {
        let end = address.saturating_add(bytes.len() as u64);
        self.cut_nulls(address, end);
        // Joins everything that touches the new bytes.
        let touching: Vec<u64> = self
            .memory
            .range(..=end)
            .filter(|(at, known)| at.saturating_add(known.len() as u64) >= address)
            .map(|(&at, _)| at)
            .collect();
        let start = touching.first().copied().unwrap_or(address).min(address);
        let mut joined = touching.first().and_then(|at| self.memory.remove(at)).unwrap_or_default();
        if start == address && touching.first() != Some(&address) {
            // The first region begins behind the new bytes.
            let behind = std::mem::take(&mut joined);
            if let Some(&at) = touching.first() {
                place(&mut joined, (at - start) as usize, &behind);
            }
        }
        for at in touching.iter().skip(1) {
            let part = self.memory.remove(at).unwrap_or_default();
            place(&mut joined, (at - start) as usize, &part);
        }
        place(&mut joined, (address - start) as usize, bytes);
        self.memory.insert(start, joined);
    }

    fn cut_nulls(&mut self, start: u64, end: u64) {
        let parts = self.nulls.iter().flat_map(|&(at, len)| {
            let stop = at.saturating_add(len);
            [(at, stop.min(start)), (at.max(end), stop)]
        });
        self.nulls = parts.filter(|(from, to)| from < to).map(|(from, to)| (from, to - from)).collect();
    }

    /// The job of a message, with all state it refers to; `None` for a record that is none, and for
    /// TXQ, which asks no sampler.
    ///
    /// # Errors
    /// In words: what is not set, or does not lower.
    pub fn job(&self, record: &Record<'_>) -> Result<Option<Job>, String> {
        if !matches!(record, Record::Gen(_) | Record::Visa(_)) {
            return Ok(None);
        }
        let header = self.header.ok_or("missing header record")?;
        let platform = header.platform().ok_or_else(|| format!("unknown platform {}", header.platform))?;
        let (message, payload) = match record {
            Record::Gen(message) => message.lower(platform),
            Record::Visa(message) => message.lower(platform),
            _ => return Ok(None),
        }
        .map_err(|why| why.to_string())?;
        self.message_job(&message, &payload, header).map(Some)
    }

    fn message_job(&self, message: &Message, payload: &Payload<'_>, header: Header) -> Result<Job, String> {
        let surface = self.surfaces.get(&slot(message.surface)?).ok_or("missing surface")?;
        let sampler = match message.op.flags().sampler {
            true => *self.samplers.get(&slot(message.sampler)?).ok_or("missing sampler")?,
            false => [0; 16],
        };
        let state = texwire::state::SamplerState::from_bytes(&sampler);
        let border = self.borders.get(&state.border_offset()).copied().unwrap_or_default();
        Ok(Job {
            platform: header.platform,
            surface: dwords(surface),
            sampler: dwords(&sampler),
            border: dwords(&border),
            memory: self
                .memory
                .iter()
                .map(|(&address, bytes)| Region { address, bytes: bytes.clone() })
                .collect(),
            null_pages: self.nulls.clone(),
            precision: if header.fixed8() { Precision::Fixed8 } else { Precision::Float },
            ..crate::core_engine::job(message, payload)
        })
    }
}

fn slot(binding: Binding) -> Result<u32, String> {
    match binding {
        Binding::Index(index) | Binding::Bindless(index) => Ok(index),
        Binding::Unresolved => Err("unresolved reference".into()),
    }
}

fn dwords<const D: usize>(bytes: &[u8]) -> [u32; D] {
    let mut dwords = [0; D];
    for (to, from) in dwords.iter_mut().zip(bytes.chunks_exact(4)) {
        *to = from.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
    }
    dwords
}

/// Puts `part` at `at` of `whole`, which grows as needed.
fn place(whole: &mut Vec<u8>, at: usize, part: &[u8]) {
    let end = at + part.len();
    if whole.len() < end {
        whole.resize(end, 0);
    }
    whole[at..end].copy_from_slice(part);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_joins_and_nulls_are_cut() {
        let mut state = State::default();
        state.write(100, &[1; 4]);
        state.write(108, &[2; 4]);
        state.write(102, &[3; 6]);
        assert_eq!(state.memory[&100], [1, 1, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2]);
        state.write(90, &[4; 11]);
        assert_eq!(state.memory.len(), 1);
        assert_eq!(state.memory[&90][9..13], [4, 4, 1, 3]);
        state.record(&Record::Unmap { address: 0, length: 200 });
        state.write(50, &[5; 10]);
        assert_eq!(state.nulls, [(0, 50), (60, 140)]);
    }

    fn surface(format: texwire::enums::SurfaceFormat, base: u64) -> [u32; 16] {
        use texwire::state::{ChannelSelect, SurfaceState, SurfaceType};
        let mut state = SurfaceState::default();
        state.set_surface_type(SurfaceType::D2).set_format(format);
        state.set_width(8).set_height(4).set_depth(1).set_pitch(32);
        state.set_halign(4).set_valign(4).set_base_address(base);
        state.set_channel_select([
            ChannelSelect::Red,
            ChannelSelect::Green,
            ChannelSelect::Blue,
            ChannelSelect::Alpha,
        ]);
        state.dwords
    }

    fn jobs() -> Vec<Job> {
        let texels = |seed: u8| (0..128u8).map(|i| i.wrapping_mul(37).wrapping_add(seed)).collect();
        let job = |op: &str, simd: u8, params: usize, seed: u8| Job {
            op: op.into(),
            simd,
            lanes: 0xa5ff,
            params: (0..params)
                .map(|p| (0..simd).map(|lane| (f32::from(lane) / 11.0 - 0.2 * p as f32).to_bits()).collect())
                .collect(),
            half_params: false,
            half_return: simd == 16,
            channels: 0b1011,
            gather: 2,
            offsets: [1, -2, 0],
            null_mask: seed == 9,
            platform: 11,
            surface: surface(texwire::enums::SurfaceFormat::R8G8B8A8_UNORM, 0x1_0000 * u64::from(seed)),
            sampler: [0; 4],
            border: [0x3f80_0000, 0, 0, 0x3f80_0000],
            palette: vec![],
            memory: vec![Region { address: 0x1_0000 * u64::from(seed), bytes: texels(seed) }],
            null_pages: if seed == 9 { vec![(0x9_0000, 16)] } else { vec![] },
            precision: if seed == 5 { Precision::Fixed8 } else { Precision::Float },
            cps: None,
        };
        vec![
            job("sample_lz", 8, 2, 1),
            job("sample", 16, 2, 2),
            job("gather4", 8, 2, 1),
            job("sample_l", 16, 3, 5),
            job("sample_lz", 8, 2, 9),
            job("resinfo", 8, 1, 2),
            job("sampleinfo", 8, 0, 2),
        ]
    }

    /// What is recorded replays equal, and the state of the trace gives the same jobs.
    #[test]
    fn jobs_replay() {
        use crate::engine::Engine;
        use texwire::trace::replay::{Replay, Step};
        use texwire::trace::{Decoder, Event};
        let jobs = jobs();
        let mut trace = TraceWriter::new(Vec::new());
        for job in &jobs {
            let outcome = crate::core_engine::CoreEngine.execute(job).unwrap().unwrap();
            trace.job(job, &outcome).unwrap();
        }
        let stream = trace.finish().unwrap();
        let mut memory = [0; 4096];
        let mut replay = Replay::<16, 16>::new(&mut memory);
        let mut state = State::default();
        let mut decoder = Decoder::<MAX_FRAME>::new();
        let (mut compared, mut seen) = (0, 0);
        for mut chunk in stream.chunks(13) {
            while let Some(event) = decoder.feed(&mut chunk) {
                let Event::Frame { frame, .. } = event else { panic!("{event:?}") };
                let record = frame.record().unwrap().unwrap();
                state.record(&record);
                if record.kind().is_message() {
                    let job = state.job(&record).unwrap().unwrap();
                    let mut original = jobs[seen].clone();
                    // A message carries a gather channel only when it gathers; a query has no sampler.
                    original.gather = if original.op == "gather4" { original.gather } else { 0 };
                    original.channels = if original.op == "gather4" { 15 } else { original.channels };
                    original.lanes &= (1u32 << original.simd) - 1;
                    let fields = |job: &Job| {
                        (
                            job.op.clone(),
                            job.params.clone(),
                            job.offsets,
                            job.gather,
                            job.channels,
                            job.lanes,
                            job.surface,
                        )
                    };
                    assert_eq!(fields(&job), fields(&original));
                    let executed = crate::core_engine::CoreEngine.execute(&job).unwrap().unwrap();
                    assert_eq!(
                        executed,
                        crate::core_engine::CoreEngine.execute(&jobs[seen]).unwrap().unwrap()
                    );
                    seen += 1;
                }
                match replay.record(&record).unwrap() {
                    Step::Compared(comparison) => {
                        assert_eq!(comparison.difference(), None, "{}", jobs[seen - 1].op);
                        compared += 1;
                    }
                    Step::Missing { table, slot } => panic!("{table:?} {slot}"),
                    _ => {}
                }
            }
        }
        assert_eq!((seen, compared), (jobs.len(), jobs.len()));
    }
}
