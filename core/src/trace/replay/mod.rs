//! Replays a trace: keeps the state that records set, executes the messages, compares writebacks.
//!
//! ```text
//!   Decoder ── Event ──▶ Replay::event ── Step ──▶ log, table, exit code
//! ```
//! All tables have a fixed size; memory contents go to a caller's buffer, or to memory that a host supplies. A record that does not fit
//! is an error, and a message that needs it is reported as missing state or as a memory fault. The last messages stay prepared, each with
//! its states, so that the messages of a loop are prepared once.

mod arena;

use super::messages::{GenRecord, TxqRecord, VisaRecord};
use super::record::{PALETTE_ENTRIES, Record, RecordKind, StreamHeader, VERSION};
use super::stream::{Event, FrameOrder};
use crate::device::StateExecutor;
use crate::error::{self, Error, Result, What};
use crate::format;
use crate::memory::Memory;
use crate::message::{Binding, MAX_RESPONSE, Message, Payload};
use crate::platform::Platform;
use crate::sample::{Precision, Stages};
use crate::state::nv::{Class, TextureHeader};
use crate::state::{BorderColor, SamplerState, SurfaceState};
use crate::txq;
pub use arena::Arena;
use core::marker::PhantomData;
use heapless::{LinearMap, Vec};

/// Bytes of the longest writeback.
pub const MAX_WRITEBACK: usize = MAX_RESPONSE;

/// Bytes of an R register for all lanes of a warp.
const TXQ_REGISTER: usize = 128;

/// A palette: its entries up to the last one that was set.
type Palette = Vec<u32, PALETTE_ENTRIES>;

/// A table of a replay, as [`Step::Missing`] names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum StateTable {
    /// Surface records.
    Surface,
    /// Sampler records.
    Sampler,
    /// Tex header records.
    TexHeader,
    /// The header record: the platform is not known.
    Header,
}

/// The result of an executed message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Executed<'a> {
    /// The kind of the message's record, which tells its wire format.
    pub kind: RecordKind,
    /// The thread or warp that sent the message.
    pub thread: u32,
    /// The message.
    pub message: Message,
    /// The destination registers; bytes that the sampler leaves untouched are 0.
    pub writeback: &'a [u8],
    /// A mask of the lanes with a memory fault or, for TXQ, without an answer.
    pub faults: u32,
}

/// A recorded writeback and the one that the replay computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Comparison<'a> {
    /// The kind of the message's record.
    pub kind: RecordKind,
    /// The bytes of the record.
    pub recorded: &'a [u8],
    /// The bytes that the replay computed.
    pub executed: &'a [u8],
}

impl Comparison<'_> {
    /// Returns true if both are equal, bit for bit.
    pub fn is_equal(&self) -> bool {
        self.recorded == self.executed
    }

    /// Returns the index of the first byte that differs; `None` if both are equal.
    pub fn difference(&self) -> Option<usize> {
        let bytes = self.recorded.iter().zip(self.executed);
        let first = bytes.enumerate().find(|(_, (recorded, executed))| recorded != executed);
        let shorter = self.recorded.len().min(self.executed.len());
        first.map(|(at, _)| at).or((self.recorded.len() != self.executed.len()).then_some(shorter))
    }
}

/// What the replay did with a record or event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Step<'a> {
    /// State was set.
    State,
    /// There was nothing to do: a mark, a text, an end record, a copy, dropped bytes, or a kind that is not known.
    Note,
    /// The sender dropped so many frames.
    Lost(u32),
    /// A message was executed.
    Executed(Executed<'a>),
    /// A message was skipped: it refers to a slot that was never set.
    Missing {
        /// Which table.
        table: StateTable,
        /// Which slot.
        slot: u32,
    },
    /// A writeback was compared with the last message's result.
    Compared(Comparison<'a>),
    /// A writeback that does not follow a message of its kind: the message was lost, skipped or failed.
    Unmatched(RecordKind),
}

/// Storage for the memory contents and the constant bank that records set.
///
/// [`Arena`] has a fixed size; a host may supply memory of its own that grows ([`Replay::with_memory`]).
pub trait TraceMemory: Memory {
    /// Stores `bytes` at `address`; null pages there become mapped.
    ///
    /// # Errors
    /// `Invalid Record` when the bytes go past the end of the address space, `Capacity` when there is no room.
    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<()>;

    /// Makes `length` bytes at `address` null pages.
    ///
    /// # Errors
    /// `Capacity` when there is no room.
    fn unmap(&mut self, address: u64, length: u64) -> Result<()>;

    /// Stores `bytes` at `offset` of the constant bank.
    ///
    /// # Errors
    /// `Capacity` when there is no room.
    fn write_constants(&mut self, offset: u32, bytes: &[u8]) -> Result<()>;

    /// Returns the word at `offset` of the constant bank, if it was set.
    fn constant(&self, offset: u32) -> Option<u32>;

    /// Removes all contents, constants and null pages.
    fn clear(&mut self);

    /// Returns how many bytes of contents are held.
    fn used(&self) -> usize;
}

/// The state of a replay: up to `SLOTS` each of surfaces, samplers, border colours and texture headers; memory in an [`Arena`] of
/// `REGIONS` runs of addresses, or memory `M` of the caller; the last `CACHED` messages stay prepared (0: none, which takes the least
/// stack, see [`StateExecutor`]).
#[derive(Debug)]
pub struct Replay<
    'm,
    const SLOTS: usize,
    const REGIONS: usize,
    M = Arena<'m, REGIONS>,
    const CACHED: usize = 8,
> {
    header: Option<StreamHeader>,
    surfaces: LinearMap<u32, SurfaceState, SLOTS>,
    samplers: LinearMap<u32, SamplerState, SLOTS>,
    borders: LinearMap<u32, BorderColor, SLOTS>,
    headers: LinearMap<u32, TextureHeader, SLOTS>,
    palettes: [Palette; 2],
    executor: StateExecutor<'static, CACHED, CACHED>,
    memory: M,
    writeback: [u8; MAX_WRITEBACK],
    last: Option<Last>,
    /// The arena borrows the caller's buffer for `'m`; other memory need not.
    buffer: PhantomData<&'m mut [u8]>,
}

/// The last executed message, which a writeback record may follow.
#[derive(Clone, Copy, Debug)]
struct Last {
    kind: RecordKind,
    len: usize,
}

/// Why a message was not executed.
#[derive(Clone, Copy)]
enum Stop {
    Missing(StateTable, u32),
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// A message whose result is in the writeback buffer.
struct Ran {
    message: Message,
    len: usize,
    faults: u32,
}

impl<'m, const SLOTS: usize, const REGIONS: usize, const CACHED: usize>
    Replay<'m, SLOTS, REGIONS, Arena<'m, REGIONS>, CACHED>
{
    /// Returns a replay with nothing set; memory contents and the constant bank are stored in the buffer `memory`.
    pub const fn new(memory: &'m mut [u8]) -> Self {
        Self::with_memory(Arena::new(memory))
    }
}

impl<const SLOTS: usize, const REGIONS: usize, M: TraceMemory, const CACHED: usize>
    Replay<'_, SLOTS, REGIONS, M, CACHED>
{
    /// Returns a replay with nothing set; memory contents and the constant bank are stored in `memory`.
    pub const fn with_memory(memory: M) -> Self {
        Self {
            header: None,
            surfaces: LinearMap::new(),
            samplers: LinearMap::new(),
            borders: LinearMap::new(),
            headers: LinearMap::new(),
            palettes: [const { Vec::new() }; 2],
            // The header record sets the platform before anything is executed.
            executor: StateExecutor::new(Platform::Gen11),
            memory,
            writeback: [0; MAX_WRITEBACK],
            last: None,
            buffer: PhantomData,
        }
    }

    /// Sets the stages that messages run with: those of the processor's vector level. They do not change results.
    pub fn set_stages(&mut self, stages: &'static Stages) {
        self.executor.set_stages(stages);
    }

    /// Returns the last header record.
    pub const fn header(&self) -> Option<StreamHeader> {
        self.header
    }

    /// Returns how many bytes of the memory buffer are in use.
    pub fn memory_used(&self) -> usize {
        self.memory.used()
    }

    /// Returns the memory, to inspect or replace it between records.
    pub const fn memory_mut(&mut self) -> &mut M {
        &mut self.memory
    }

    /// Handles an event of a [`Decoder`](super::Decoder). After lost or dropped frames a writeback is not compared: its message may be
    /// among them.
    ///
    /// # Errors
    /// As [`Frame::record`](super::Frame::record) and [`record`](Self::record).
    pub fn event<'a>(&'a mut self, event: &Event<'a>) -> Result<Step<'a>> {
        match event {
            Event::Dropped { .. } => {
                self.last = None;
                Ok(Step::Note)
            }
            // The frame that this one copies was handled already.
            Event::Frame { order: FrameOrder::Repeated, .. } => Ok(Step::Note),
            Event::Frame { frame, lost, order, .. } => {
                if *lost > 0 || *order == FrameOrder::Late {
                    self.last = None;
                }
                // Senders repeat the header for readers that join late; a header with number 0 starts a new stream.
                if frame.kind == RecordKind::HEADER && frame.sequence == 0 {
                    self.clear();
                }
                match frame.record()? {
                    Some(record) => self.record(&record),
                    None => Ok(Step::Note),
                }
            }
        }
    }

    /// Handles a record: sets state, executes a message or compares a writeback.
    ///
    /// # Errors
    /// `Unsupported Record` for a header of another version; `Capacity` when a table or the memory is full; for a message, the errors of
    /// decoding its wire format and those of its states (see [`StateExecutor::execute`]).
    pub fn record<'a>(&'a mut self, record: &Record<'a>) -> Result<Step<'a>> {
        match *record {
            Record::Header(header) => self.start(header)?,
            Record::Surface { slot, state } => {
                set(&mut self.surfaces, slot.into(), SurfaceState::from_bytes(state))?;
            }
            Record::Sampler { slot, state } => {
                set(&mut self.samplers, slot.into(), SamplerState::from_bytes(state))?;
            }
            Record::Border { offset, color } => {
                set(&mut self.borders, offset, BorderColor::from_bytes(color))?;
            }
            Record::TexHeader { index, header, class } => {
                let header = TextureHeader::from_bytes(Class::from_code(class)?, header);
                set(&mut self.headers, index, header)?;
            }
            Record::Memory { address, bytes } => self.memory.write(address, bytes)?,
            Record::Unmap { address, length } => self.memory.unmap(address, length)?,
            Record::Constant { offset, bytes } => self.memory.write_constants(offset, bytes)?,
            Record::Palette { palette, first, entries } => self.set_palette(palette, first, entries),
            Record::Coarse { lod } => self.executor.set_coarse_lod(f32::from_bits(lod)),
            Record::Lost(count) => {
                self.last = None;
                return Ok(Step::Lost(count));
            }
            Record::Visa(visa) => {
                return self.message(RecordKind::VISA, visa.thread, |replay| replay.visa(&visa));
            }
            Record::Gen(send) => {
                return self.message(RecordKind::GEN, send.thread, |replay| replay.send(&send));
            }
            Record::Txq(query) => {
                return self.message(RecordKind::TXQ, query.warp, |replay| replay.txq(&query));
            }
            Record::Writeback { of, registers } => return Ok(self.compare(of, registers)),
            // No query that has an answer reads the sampler pool.
            Record::TexSampler { .. } => {}
            Record::Mark { .. } | Record::Text(_) | Record::End { .. } => return Ok(Step::Note),
        }
        Ok(Step::State)
    }

    /// Clears all state, as at the start of a stream.
    pub fn clear(&mut self) {
        self.header = None;
        self.surfaces.clear();
        self.samplers.clear();
        self.borders.clear();
        self.headers.clear();
        self.palettes.iter_mut().for_each(Vec::clear);
        self.executor.set_coarse_lod(0.0);
        self.memory.clear();
        self.last = None;
    }

    fn start(&mut self, header: StreamHeader) -> Result<()> {
        if header.version != VERSION {
            let version = u64::from(header.version);
            return Err(Error::new(error::Kind::Unsupported, What::Record).at(4).value(version));
        }
        self.header = Some(header);
        if let Some(platform) = header.platform() {
            self.executor.set_platform(platform);
        }
        self.executor.set_precision(if header.fixed8() { Precision::Fixed8 } else { Precision::Float });
        Ok(())
    }

    fn set_palette(&mut self, number: u8, first: u8, entries: &[u8]) {
        let Some(palette) = self.palettes.get_mut(usize::from(number)) else { return };
        for (at, entry) in (usize::from(first)..PALETTE_ENTRIES).zip(entries.as_chunks().0) {
            while palette.len() <= at && palette.push(0).is_ok() {}
            if let Some(place) = palette.get_mut(at) {
                *place = u32::from_le_bytes(*entry);
            }
        }
    }

    fn compare<'a>(&'a mut self, of: RecordKind, recorded: &'a [u8]) -> Step<'a> {
        match self.last.take() {
            Some(Last { kind, len }) if kind == of => {
                let executed = self.writeback.get(..len).unwrap_or_default();
                Step::Compared(Comparison { kind, recorded, executed })
            }
            _ => Step::Unmatched(of),
        }
    }

    fn message(
        &mut self,
        kind: RecordKind,
        thread: u32,
        run: impl FnOnce(&mut Self) -> core::result::Result<Ran, Stop>,
    ) -> Result<Step<'_>> {
        self.last = None;
        self.writeback = [0; MAX_WRITEBACK];
        match run(self) {
            Err(Stop::Error(error)) => Err(error),
            Err(Stop::Missing(table, slot)) => Ok(Step::Missing { table, slot }),
            Ok(Ran { message, len, faults }) => {
                self.last = Some(Last { kind, len });
                let writeback = self.writeback.get(..len).unwrap_or_default();
                Ok(Step::Executed(Executed { kind, thread, message, writeback, faults }))
            }
        }
    }

    fn platform(&self) -> core::result::Result<Platform, Stop> {
        self.header.and_then(|header| header.platform()).ok_or(Stop::Missing(StateTable::Header, 0))
    }

    // inline(never): each wire format has a stack frame of its own. Inlined, a message would take the stack of all three.
    #[inline(never)]
    fn send(&mut self, record: &GenRecord<'_>) -> core::result::Result<Ran, Stop> {
        let platform = self.platform()?;
        let lowered = record.lower(platform);
        let (message, payload) = lowered.as_ref().map_err(|why| *why)?;
        self.execute(message, payload)
    }

    #[inline(never)]
    fn visa(&mut self, record: &VisaRecord<'_>) -> core::result::Result<Ran, Stop> {
        let platform = self.platform()?;
        let lowered = record.lower(platform);
        let (message, payload) = lowered.as_ref().map_err(|why| *why)?;
        self.execute(message, payload)
    }

    /// Executes a message of either Intel wire format on the sampler.
    fn execute(&mut self, message: &Message, payload: &Payload<'_>) -> core::result::Result<Ran, Stop> {
        let surface = slot(&self.surfaces, message.surface, StateTable::Surface)?;
        let Self { samplers, borders, executor, memory, writeback, palettes, .. } = self;
        let sampler = sampler(samplers, borders, message)?;
        // Records may change a palette, so a prepared message that is kept cannot borrow it.
        let outcome = if CACHED == 0
            || format::info(surface.format()).is_some_and(|info| info.palette.is_some())
        {
            let palettes = palettes.each_ref().map(Vec::as_slice);
            executor.execute_with_palettes(palettes, surface, sampler, message, payload, memory, writeback)?
        } else {
            let sampler = sampler.map(|(state, border)| (*state, *border));
            executor.execute(surface, sampler.as_ref(), message, payload, memory, writeback)?
        };
        // Without channels and masks nothing is written back, even if a gather4 response has channels.
        let dropped = message.channels.mask() == 0 && !message.null_mask && !message.kill_mask;
        let len = if dropped { 0 } else { usize::from(message.response().len) };
        Ok(Ran { message: *message, len, faults: outcome.faults })
    }

    #[inline(never)]
    fn txq(&mut self, record: &TxqRecord<'_>) -> core::result::Result<Ran, Stop> {
        let unknown = Error::new(error::Kind::Unknown, What::Opcode).value(record.word);
        let query =
            txq::Txq::decode(record.word, txq::SchedulingControl::new(record.control))?.ok_or(unknown)?;
        let message = query.message(record.active, None)?;
        let sources = txq::Sources::Packed(record.sources);
        let pools = ReplayPools { headers: &self.headers, memory: &self.memory };
        let outcome = query.execute(record.active, sources, &pools, &mut self.writeback)?;
        // The destination RZ receives nothing, whatever the mask says.
        let len = query.destinations().wrapping_mul(TXQ_REGISTER);
        Ok(Ran { message, len, faults: outcome.failed })
    }
}

/// Sets a slot, replacing what it held.
fn set<T, const N: usize>(slots: &mut LinearMap<u32, T, N>, slot: u32, value: T) -> Result<()> {
    let full = Error::new(error::Kind::Capacity, What::Slot).value(N as u64 + 1);
    slots.insert(slot, value).map(drop).map_err(|_| full)
}

fn slot<T, const N: usize>(
    slots: &LinearMap<u32, T, N>,
    binding: Binding,
    table: StateTable,
) -> core::result::Result<&T, Stop> {
    let slot = match binding {
        Binding::Index(index) | Binding::Bindless(index) => index,
        Binding::Unresolved => return Err(Error::new(error::Kind::Unsupported, What::Slot).into()),
    };
    slots.get(&slot).ok_or(Stop::Missing(table, slot))
}

/// Returns the sampler state of a message with its border colour; `None` if the message uses no sampler.
fn sampler<'s, const N: usize>(
    samplers: &'s LinearMap<u32, SamplerState, N>,
    borders: &'s LinearMap<u32, BorderColor, N>,
    message: &Message,
) -> core::result::Result<Option<(&'s SamplerState, &'s BorderColor)>, Stop> {
    // A border colour that was never set is transparent black: most samplers do not use it.
    static UNSET: BorderColor = BorderColor { dwords: [0; _] };
    if !message.op.flags().sampler {
        return Ok(None);
    }
    let state = slot(samplers, message.sampler, StateTable::Sampler)?;
    Ok(Some((state, borders.get(&state.border_offset()).unwrap_or(&UNSET))))
}

/// The header pool and the constant bank, for TXQ queries.
struct ReplayPools<'r, const SLOTS: usize, M> {
    headers: &'r LinearMap<u32, TextureHeader, SLOTS>,
    memory: &'r M,
}

impl<const SLOTS: usize, M: TraceMemory> txq::DescriptorPools for ReplayPools<'_, SLOTS, M> {
    fn header(&self, index: u32) -> Option<TextureHeader> {
        self.headers.get(&index).copied()
    }

    fn constant(&self, byte_offset: u32) -> Option<u32> {
        self.memory.constant(byte_offset)
    }
}
