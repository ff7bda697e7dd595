//! Executes the messages of a trace on all processors and compares the recorded writebacks.
//!
//! All threads share one copy of the memory. Each thread follows the rest of the state (surfaces, samplers, borders, headers) by
//! itself and executes its share of a segment's messages, so that the results are the same as those of a single thread.

use super::segment::{Item, starts_stream};
use super::{MemoryMap, Segment, TraceState};
use crate::compare::{Counts, agree_on};
use crate::emulator::sample;
use crate::engine::{Job, Outcome};
use std::ops::Range;
use std::sync::Arc;
use std::thread;
use texwire::error::Result;
use texwire::memory::{Access, Memory};
use texwire::message::{Message, Width};
use texwire::trace::replay::{Comparison, Replay, StateTable, Step, TraceMemory};
use texwire::trace::{Event, FrameFault, FrameOrder, Record, RecordKind};

/// The number of slots for each of surfaces, samplers, borders and texture headers in a replay on a host.
const SLOTS: usize = 1024;
/// The most threads: a single thread reads the frames for all of them.
const MOST_THREADS: usize = 8;
/// A segment with fewer messages is executed by one thread: starting more costs more than it saves.
const FEW_MESSAGES: usize = 32;

/// The memory of the trace, shared by all threads. Writes do nothing here: `Executor::set_memory` applies memory records once.
#[derive(Clone, Debug, Default)]
struct Shared(Arc<MemoryMap>);

impl Memory for Shared {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        self.0.read(address, out)
    }

    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        self.0.slice(address, len)
    }
}

impl TraceMemory for Shared {
    fn write(&mut self, _: u64, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn unmap(&mut self, _: u64, _: u64) -> Result<()> {
        Ok(())
    }

    fn write_constants(&mut self, _: u32, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn constant(&self, offset: u32) -> Option<u32> {
        self.0.constant(offset)
    }

    fn clear(&mut self) {}

    fn used(&self) -> usize {
        self.0.used()
    }
}

/// What recorded writebacks are compared with.
#[derive(Clone, Copy, Debug)]
pub enum Reference {
    /// The core: bit for bit, or, if the value is above 0, with this tolerance.
    Core(f32),
    /// The emulator: by the rule of [`crate::compare`], or, if the value is above 0, with this tolerance.
    Emulator(f32),
}

/// What the executor reports for a frame.
#[derive(Clone, Debug)]
pub enum FrameFinding {
    /// Bytes that are not a valid frame: the fault, and how many bytes.
    Dropped(FrameFault, u64),
    /// Something is wrong with the stream: see [`Integrity`](super::Integrity).
    Wrong(String),
    /// The sender reported that it dropped this many frames.
    LostBySender(u32),
    /// A record that is refused, or a message that cannot be executed: the reason.
    Error(String),
    /// A message that refers to a slot that was never set.
    Missing(StateTable, u32),
    /// A message was executed.
    Executed {
        /// Its wire.
        kind: RecordKind,
        /// Thread or warp.
        thread: u32,
        /// The message.
        message: Message,
        /// Lanes with a memory fault.
        faults: u32,
        /// The destination registers.
        writeback: Vec<u8>,
    },
    /// The recorded writeback agrees with the reference.
    Equal,
    /// The recorded writeback differs from the reference.
    Different {
        /// The recorded registers.
        recorded: Vec<u8>,
        /// The registers of the reference.
        executed: Vec<u8>,
        /// How they differ, in words: only the comparison with the emulator gives this.
        why: Option<String>,
    },
    /// A writeback without a message before it.
    Unmatched(RecordKind),
}

impl FrameFinding {
    /// Returns whether something is wrong or was not executed.
    pub const fn is_bad(&self) -> bool {
        !matches!(self, Self::Executed { .. } | Self::Equal)
    }
}

/// Counts of what became of the messages of a trace.
#[derive(Clone, Copy, Debug, Default)]
pub struct MessageCounts {
    /// Messages executed.
    pub executed: u64,
    /// Writebacks that agree with the reference.
    pub equal: u64,
    /// Writebacks that differ.
    pub different: u64,
    /// Messages whose state was not set.
    pub missing: u64,
    /// Messages and records that are refused.
    pub failed: u64,
    /// Writebacks without a message.
    pub unmatched: u64,
    /// Lanes that are equal only when coordinates or LOD are moved within their rounding bound (emulator).
    pub boundary: u64,
    /// Lanes that are not compared, because no rounding bound describes them (emulator).
    pub unbounded: u64,
}

impl MessageCounts {
    fn add(&mut self, other: &Self) {
        self.executed += other.executed;
        self.equal += other.equal;
        self.different += other.different;
        self.missing += other.missing;
        self.failed += other.failed;
        self.unmatched += other.unmatched;
        self.boundary += other.boundary;
        self.unbounded += other.unbounded;
    }

    fn count(&mut self, finding: &FrameFinding) {
        let counter = match finding {
            FrameFinding::Executed { .. } => &mut self.executed,
            FrameFinding::Equal => &mut self.equal,
            FrameFinding::Different { .. } => &mut self.different,
            FrameFinding::Missing(..) => &mut self.missing,
            FrameFinding::Error(_) => &mut self.failed,
            FrameFinding::Unmatched(_) => &mut self.unmatched,
            FrameFinding::Dropped(..) | FrameFinding::Wrong(_) | FrameFinding::LostBySender(_) => return,
        };
        *counter += 1;
    }
}

/// Executes the segments of a trace, one after the other.
#[derive(Debug)]
pub struct Executor {
    memory: Arc<MemoryMap>,
    threads: Vec<Thread>,
    /// The index of the thread that executed the last message: the next writeback may belong to that message.
    first: usize,
    /// The counts of all segments so far.
    pub counts: MessageCounts,
}

/// The state of one thread.
#[derive(Debug)]
struct Thread {
    replay: Box<Replay<'static, SLOTS, 0, Shared>>,
    reference: Reference,
    /// All findings are returned, not only the bad ones.
    verbose: bool,
    /// The state from which jobs for the emulator are made; not followed if the core is the reference.
    state: TraceState,
    /// The last message.
    last: LastMessage,
    counts: MessageCounts,
}

#[derive(Debug)]
struct LastMessage {
    half: bool,
    faults: u32,
    /// The message as a job, if the emulator is the reference; `Ok(None)` for a message that no job can express (TXQ).
    job: std::result::Result<Option<Job>, String>,
}

impl Default for LastMessage {
    fn default() -> Self {
        Self { half: false, faults: 0, job: Ok(None) }
    }
}

impl Executor {
    /// Returns an executor on all processors, up to 8. `verbose`: executed messages and equal writebacks are findings as well.
    pub fn new(reference: Reference, verbose: bool) -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let replay = || {
            let mut replay = Box::new(Replay::with_memory(Shared::default()));
            replay.set_stages(crate::simd::best());
            replay
        };
        let thread = || Thread {
            replay: replay(),
            reference,
            verbose,
            state: TraceState::default(),
            last: LastMessage::default(),
            counts: MessageCounts::default(),
        };
        let threads = (0..threads).map(|_| thread()).collect();
        Self { memory: Arc::default(), threads, first: 0, counts: MessageCounts::default() }
    }

    /// Executes a segment. Returns the findings with their offsets in the stream.
    pub fn run(&mut self, segment: &Segment) -> Vec<(u64, FrameFinding)> {
        let mut findings = self.set_memory(segment);
        let count = self.threads.len();
        let parts = if segment.messages() < FEW_MESSAGES { 1 } else { count };
        let mut ranges = segment.split(parts);
        // Threads without messages to execute still follow the state.
        ranges.resize(count, 0..0);
        self.threads.rotate_left(self.first);
        let found = if parts == 1 {
            self.threads.iter_mut().zip(&ranges).map(|(thread, part)| thread.run(segment, part)).collect()
        } else {
            in_parallel(&mut self.threads, segment, &ranges)
        };
        self.first = parts - 1;
        findings.extend(found.into_iter().flatten());
        for thread in &mut self.threads {
            self.counts.add(&std::mem::take(&mut thread.counts));
        }
        findings
    }

    /// Applies the frames that set memory. Returns a finding for each that is refused.
    fn set_memory(&mut self, segment: &Segment) -> Vec<(u64, FrameFinding)> {
        let mut refused = Vec::new();
        if segment.memory().next().is_some() {
            for thread in &mut self.threads {
                *thread.replay.memory_mut() = Shared::default();
            }
            // No thread holds a reference to it now, so `make_mut` does not copy it.
            let memory = Arc::make_mut(&mut self.memory);
            for event in segment.memory() {
                if let (at, Err(why)) = set(memory, &event) {
                    let finding = FrameFinding::Error(why.to_string());
                    self.counts.count(&finding);
                    refused.push((at, finding));
                }
            }
            if segment.messages() > 0 {
                memory.join_pieces();
            }
        }
        for thread in &mut self.threads {
            *thread.replay.memory_mut() = Shared(self.memory.clone());
        }
        refused
    }
}

/// Lets every thread execute its part, all at once. Returns the findings in order.
fn in_parallel(
    threads: &mut [Thread],
    segment: &Segment,
    ranges: &[Range<usize>],
) -> Vec<Vec<(u64, FrameFinding)>> {
    thread::scope(|scope| {
        let started: Vec<_> = threads
            .iter_mut()
            .zip(ranges)
            .map(|(thread, part)| scope.spawn(move || thread.run(segment, part)))
            .collect();
        let ended = started.into_iter().map(|thread| thread.join());
        ended.map(|found| found.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

/// Applies a frame that sets memory. Returns its offset and the result. Records that do not parse are reported by the threads.
fn set(memory: &mut MemoryMap, event: &Event<'_>) -> (u64, Result<()>) {
    let Event::Frame { frame, at, order, .. } = event else { return (0, Ok(())) };
    if *order == FrameOrder::Repeated {
        return (*at, Ok(()));
    }
    if starts_stream(frame) {
        memory.clear();
    }
    let result = match frame.record() {
        Ok(Some(Record::Memory { address, bytes })) => memory.write(address, bytes),
        Ok(Some(Record::Unmap { address, length })) => memory.unmap(address, length),
        Ok(Some(Record::Constant { offset, bytes })) => memory.write_constants(offset, bytes),
        _ => Ok(()),
    };
    (*at, result)
}

impl Thread {
    /// Follows the state through the whole segment and executes the messages of `part`. Returns the findings of `part`.
    fn run(&mut self, segment: &Segment, part: &Range<usize>) -> Vec<(u64, FrameFinding)> {
        let mut findings = Vec::new();
        for (index, item) in segment.items().enumerate() {
            let mine = part.contains(&index);
            let (at, finding) = match item {
                Item::Wrong(at, what) => (at, mine.then(|| FrameFinding::Wrong(what.to_owned()))),
                Item::Event(event @ Event::Dropped { fault, at, bytes }) => {
                    let _ = self.replay.event(&event);
                    (at, mine.then_some(FrameFinding::Dropped(fault, bytes)))
                }
                Item::Event(event @ Event::Frame { frame, at, .. }) => {
                    if !mine && (frame.kind.is_message() || frame.kind == RecordKind::WRITEBACK) {
                        continue;
                    }
                    (at, self.frame(&event, frame.kind).filter(|_| mine))
                }
            };
            let Some(finding) = finding else { continue };
            self.counts.count(&finding);
            if finding.is_bad() || self.verbose {
                findings.push((at, finding));
            }
        }
        findings
    }

    fn frame(&mut self, event: &Event<'_>, kind: RecordKind) -> Option<FrameFinding> {
        // Memory records are left out: the shared memory has their contents already.
        if matches!(self.reference, Reference::Emulator(_))
            && !matches!(kind, RecordKind::MEMORY | RecordKind::UNMAP | RecordKind::CONSTANT)
            && let Some(record) = self.state.event(event)
            && kind.is_message()
        {
            self.last.job = self.state.job(&record);
        }
        let step = match self.replay.event(event) {
            Ok(step) => step,
            Err(why) => return Some(FrameFinding::Error(why.to_string())),
        };
        match step {
            Step::State | Step::Note => None,
            Step::Executed(executed) => {
                self.last.half = executed.message.return_width == Width::Half;
                self.last.faults = executed.faults;
                Some(FrameFinding::Executed {
                    kind: executed.kind,
                    thread: executed.thread,
                    message: executed.message,
                    faults: executed.faults,
                    writeback: if self.verbose { executed.writeback.to_vec() } else { Vec::new() },
                })
            }
            Step::Missing { table, slot } => Some(FrameFinding::Missing(table, slot)),
            Step::Unmatched(kind) => Some(FrameFinding::Unmatched(kind)),
            Step::Lost(count) => Some(FrameFinding::LostBySender(count)),
            Step::Compared(Comparison { recorded, executed, .. }) => match self.reference {
                Reference::Core(tolerance) if close(recorded, executed, tolerance, self.last.half) => {
                    Some(FrameFinding::Equal)
                }
                Reference::Core(_) => Some(different(recorded, executed, None)),
                Reference::Emulator(tolerance) => {
                    let (recorded, executed) = (recorded.to_vec(), executed.to_vec());
                    Some(self.ask_emulator(&recorded, &executed, tolerance))
                }
            },
            // A kind of step that only a newer core has.
            _ => None,
        }
    }

    /// Compares a recorded writeback with the emulator's result; `executed` is the core's.
    fn ask_emulator(&mut self, recorded: &[u8], executed: &[u8], tolerance: f32) -> FrameFinding {
        let half = self.last.half;
        let job = match std::mem::replace(&mut self.last.job, Ok(None)) {
            Ok(Some(job)) => job,
            // A query of NVIDIA's has only one right answer; the emulator does not execute it, so the core's answer is compared.
            Ok(None) if recorded == executed => return FrameFinding::Equal,
            Ok(None) => return different(recorded, executed, None),
            Err(why) => return FrameFinding::Error(why),
        };
        if recorded.is_empty() && executed.is_empty() {
            return FrameFinding::Equal;
        }
        let memory = &*self.replay.memory_mut().0;
        let outcome = Outcome { writeback: recorded.to_vec(), faults: self.last.faults };
        let mut counts = Counts::default();
        let agreed = agree_on(&job, memory, Ok(Some(outcome)), "the record", &mut counts);
        let Err(why) = agreed else {
            self.counts.boundary += counts.nudged;
            self.counts.unbounded += counts.unconditioned;
            return FrameFinding::Equal;
        };
        match sample::execute_on(&job, memory) {
            Ok(Some(ours)) if close(recorded, &ours.writeback, tolerance, half) => FrameFinding::Equal,
            Ok(Some(ours)) => different(recorded, &ours.writeback, Some(why)),
            Ok(None) => different(recorded, &[], Some(why)),
            Err(why) => FrameFinding::Error(why),
        }
    }
}

fn different(recorded: &[u8], executed: &[u8], why: Option<String>) -> FrameFinding {
    FrameFinding::Different { recorded: recorded.to_vec(), executed: executed.to_vec(), why }
}

/// Returns whether the results are equal or, with a tolerance, whether every element is within it: relative above 1, absolute below.
fn close(recorded: &[u8], executed: &[u8], tolerance: f32, half: bool) -> bool {
    if recorded == executed {
        return true;
    }
    if tolerance == 0.0 || recorded.len() != executed.len() {
        return false;
    }
    let step = if half { 2 } else { 4 };
    recorded.chunks(step).zip(executed.chunks(step)).all(|(a, b)| {
        let (a, b) = (float(a), float(b));
        // An infinite bound would let any number pass for an infinity.
        a.to_bits() == b.to_bits() || a.is_finite() && (a - b).abs() <= tolerance * a.abs().max(1.0)
    })
}

fn float(bytes: &[u8]) -> f32 {
    match *bytes {
        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]),
        [a, b] => texwire::format::half::to_f32(u16::from_le_bytes([a, b])),
        _ => f32::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_infinities_are_close_to_infinities() {
        let close = |a: f32, b: f32| close(&a.to_le_bytes(), &b.to_le_bytes(), 1e-3, false);
        assert!(close(f32::INFINITY, f32::INFINITY) && close(1.0, 1.0005));
        for other in [0.0, f32::MAX, f32::NEG_INFINITY] {
            assert!(!close(f32::INFINITY, other) && !close(other, f32::INFINITY), "{other}");
        }
    }
}
