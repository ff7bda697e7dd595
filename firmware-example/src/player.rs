//! Replays a trace: every message is decoded and executed, every recorded writeback compared.
//!
//! Static memory only. The log ends with a summary; the exit status says whether all was equal.

use crate::cost::Costs;
use crate::machine::{Clock, PAINTED};
use crate::{exit, stack};
use core::sync::atomic::{AtomicBool, Ordering};
use defmt::{Display2Format, error, info, warn};
use texwire::trace::replay::{Arena, Replay, Step};
use texwire::trace::{Decoder, Event, Frame, MAX_FRAME, Record};
use texwire::visa::Anonymous;
use texwire::{eu, txq};

/// Surfaces, samplers, borders; runs of addresses. No message is kept: that takes stack.
type Player = Replay<'static, 32, 256, Arena<'static, 256>, 0>;

/// Bytes that are fed at once: the decoder does not mind where the cuts are.
const CHUNK: usize = 61;
/// Bytes of the trace's memory records.
const MEMORY: usize = 2 << 20;
/// The most stack that a message may take before the gauge saturates.
const MOST_STACK: usize = 16 << 10;
/// The text record that ends a stream that has no other end.
const END: &str = "end";

#[derive(Default)]
struct Tally {
    messages: u32,
    equal: u32,
    different: u32,
    missing: u32,
    failed: u32,
    /// Most memory of the trace's contents at one time.
    memory: usize,
    /// Deepest stack of a message, and where that is.
    stack: (usize, u64),
    ended: bool,
}

/// What a replay works with: the big parts are static.
struct Bench {
    player: &'static mut Player,
    costs: &'static mut Costs,
    clock: Clock,
    tally: Tally,
}

static mut CONTENTS: [u8; MEMORY] = [0; MEMORY];
// SAFETY: nothing else names CONTENTS.
static mut PLAYER: Player = Player::new(unsafe { &mut *&raw mut CONTENTS });
static mut COSTS: Costs = Costs::new();
static mut DECODER: Decoder<MAX_FRAME> = Decoder::new();

/// Replays what `source` puts into its buffer (how many bytes; 0 = no more), and ends the program. Only once.
pub fn replay(mut source: impl FnMut(&mut [u8; CHUNK]) -> usize) -> ! {
    if !PAINTED {
        stack::paint_all();
    }
    static TAKEN: AtomicBool = AtomicBool::new(false);
    assert!(!TAKEN.load(Ordering::Relaxed), "once");
    TAKEN.store(true, Ordering::Relaxed);
    // SAFETY: this function runs once, and nothing else names these.
    let (player, costs, decoder) =
        unsafe { (&mut *&raw mut PLAYER, &mut *&raw mut COSTS, &mut *&raw mut DECODER) };
    let fixed = MEMORY + size_of_val(player) + size_of_val(costs) + size_of_val(decoder);
    let mut bench = Bench { player, costs, clock: Clock::new(), tally: Tally::default() };

    info!("texwire replay: {=usize} bytes of static memory", fixed);
    let mut buffer = [0; CHUNK];
    while !bench.tally.ended {
        let len = source(&mut buffer);
        if len == 0 {
            break;
        }
        let mut chunk = &buffer[..len];
        while let Some(event) = decoder.feed(&mut chunk) {
            bench.handle(&event);
        }
    }
    if let Some(event) = decoder.finish() {
        bench.handle(&event);
    }

    let counts = decoder.counts();
    info!(
        "stream: {=u64} bytes, {=u32} frames, {=u32} damaged, {=u32} oversized, {=u32} lost, {=u32} unknown, {=u64} bytes dropped",
        counts.bytes,
        counts.frames,
        counts.damaged,
        counts.oversized,
        counts.lost,
        counts.unknown,
        counts.dropped_bytes
    );
    let mut counted = 0;
    for row in bench.costs.summaries() {
        counted += row.count;
        info!(
            "cost: {=str}: {=usize} messages, {=u32} to {=u32} {=str}, median {=u32}",
            row.name,
            row.count,
            row.least,
            row.most,
            Clock::UNIT,
            row.median
        );
    }
    let Tally { messages, equal, different, missing, failed, stack, memory, .. } = bench.tally;
    if counted < messages as usize {
        warn!("cost: of the first {=usize} messages only", counted);
    }
    info!(
        "stack: {=usize} bytes at most by a message (at {=u64}), {=usize} in all; memory used {=usize}; heap 0",
        stack.0,
        stack.1,
        stack::used(),
        memory
    );
    info!(
        "summary: {=u32} messages, {=u32} equal, {=u32} different, {=u32} missing, {=u32} failed",
        messages, equal, different, missing, failed
    );
    exit(messages > 0 && different == 0 && missing == 0 && failed == 0)
}

impl Bench {
    fn handle(&mut self, event: &Event<'_>) {
        let at = match event {
            Event::Dropped { fault, at, bytes } => {
                warn!("dropped {=u64} bytes at {=u64}: {}", *bytes, *at, fault);
                *at
            }
            Event::Frame { frame, at, lost, .. } => {
                if *lost > 0 {
                    warn!("lost {=u16} frames before {=u64}", *lost, *at);
                }
                self.announce(frame, *at);
                *at
            }
        };
        let Self { player, costs, clock, tally } = self;
        let ((step, cost), depth) = stack::measure(MOST_STACK, || {
            clock.start();
            let step = player.event(event);
            (step, clock.read())
        });
        if depth > tally.stack.0 {
            tally.stack = (depth, at);
        }
        match step {
            Err(why) => {
                tally.failed += 1;
                error!("error {=u64} {}", at, Display2Format(&why));
            }
            Ok(Step::Executed(executed)) => {
                tally.messages += 1;
                costs.add(executed.message.op, cost);
                info!(
                    "result {=u64} faults {=u32:x} out {=[u8]:02x}",
                    at, executed.faults, executed.writeback
                );
            }
            Ok(Step::Missing { table, slot }) => {
                tally.missing += 1;
                error!("missing {=u64} {} {=u32}", at, table, slot);
            }
            Ok(Step::Compared(comparison)) => match comparison.difference() {
                None => tally.equal += 1,
                Some(byte) => {
                    tally.different += 1;
                    error!(
                        "different {=u64} byte {=usize}: recorded {=[u8]:02x}",
                        at, byte, comparison.recorded
                    );
                }
            },
            Ok(Step::Unmatched(_)) => warn!("writeback {=u64} without its message", at),
            Ok(Step::Lost(count)) => warn!("sender lost {=u32} frames at {=u64}", count, at),
            Ok(_) => {}
        }
        tally.memory = tally.memory.max(player.memory_used());
    }

    /// Logs a message as its wire's tools print it.
    fn announce(&mut self, frame: &Frame<'_>, at: u64) {
        let Ok(Some(record)) = frame.record() else { return };
        match record {
            Record::Gen(record) => {
                if let Some(platform) = self.player.header().and_then(|header| header.platform())
                    && let Ok(send) = eu::SendInstruction::from_bytes(platform, record.instruction)
                {
                    info!("message {=u64} {}", at, Display2Format(&send));
                }
            }
            Record::Visa(record) => {
                if let Ok(sampler) = record.sampler() {
                    info!("message {=u64} {}", at, Display2Format(&sampler.display(&Anonymous)));
                }
            }
            Record::Txq(record) => {
                if let Ok(Some(query)) =
                    txq::Txq::decode(record.word, txq::SchedulingControl::new(record.control))
                {
                    info!("message {=u64} {}", at, Display2Format(&query));
                }
            }
            Record::Text(END) => self.tally.ended = true,
            _ => {}
        }
    }
}
