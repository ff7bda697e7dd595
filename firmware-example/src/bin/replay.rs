//! Replays a trace: every message is decoded and executed, every recorded writeback compared.
//!
//! Static memory only. The log ends with a summary; the exit status says whether all was equal.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use defmt::{Display2Format, error, info, warn};
use texwire::eu;
use texwire::trace::replay::{Replay, Step};
use texwire::trace::{Decoder, Event, MAX_FRAME, Record};
use texwire_firmware::{exit, stack};

/// Surfaces, samplers, borders; runs of addresses.
type Player = Replay<'static, 32, 64>;

/// Bytes of the trace's memory records.
const MEMORY: usize = 2 << 20;
/// Bytes that are fed at once.
const CHUNK: usize = 61;
/// The most stack that a message may take before the gauge saturates.
const MOST_STACK: usize = 16 << 10;

#[derive(Default)]
struct Tally {
    messages: u32,
    equal: u32,
    different: u32,
    missing: u32,
    failed: u32,
    /// Deepest stack of a message.
    stack: usize,
}

#[entry]
fn main() -> ! {
    static mut CONTENTS: [u8; MEMORY] = [0; MEMORY];
    static mut PLAYER: Option<Player> = None;
    static mut DECODER: Decoder<MAX_FRAME> = Decoder::new();
    let player = PLAYER.insert(Player::new(CONTENTS));
    let decoder = DECODER;
    let mut tally = Tally::default();

    info!("texwire replay: {=usize} bytes of static memory for the trace's contents", MEMORY);
    let mut source = source();
    let mut buffer = [0; CHUNK];
    while let Some(mut chunk) = source(&mut buffer) {
        while let Some(event) = decoder.feed(&mut chunk) {
            handle(&event, player, &mut tally);
        }
    }
    if let Some(event) = decoder.finish() {
        handle(&event, player, &mut tally);
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
    let Tally { messages, equal, different, missing, failed, stack } = tally;
    info!(
        "stack: {=usize} bytes at most by a message, {=usize} in all; memory used {=usize}; heap 0",
        stack,
        stack::used(),
        player.memory_used()
    );
    info!(
        "summary: {=u32} messages, {=u32} equal, {=u32} different, {=u32} missing, {=u32} failed",
        messages, equal, different, missing, failed
    );
    exit(messages > 0 && different == 0 && missing == 0 && failed == 0)
}

/// Where the trace comes from: chunks until there are no more.
#[cfg(not(feature = "uart"))]
fn source() -> impl for<'b> FnMut(&'b mut [u8; CHUNK]) -> Option<&'b [u8]> {
    static TRACE: &[u8] = include_bytes!("../../trace.twt");
    let mut chunks = TRACE.chunks(CHUNK);
    move |buffer| {
        let chunk = chunks.next()?;
        let buffer = &mut buffer[..chunk.len()];
        buffer.copy_from_slice(chunk);
        Some(buffer)
    }
}

/// Where the trace comes from: the serial port, until it stays idle.
#[cfg(feature = "uart")]
fn source() -> impl for<'b> FnMut(&'b mut [u8; CHUNK]) -> Option<&'b [u8]> {
    // SAFETY: once, on the mps2 machine that this feature is for.
    let mut uart = unsafe { texwire_firmware::uart::Uart::new() };
    move |buffer| {
        let bytes = uart.read(buffer);
        (!bytes.is_empty()).then_some(bytes)
    }
}

fn handle(event: &Event<'_>, player: &mut Player, tally: &mut Tally) {
    let at = match event {
        Event::Dropped { fault, at, bytes } => {
            warn!("dropped {=u64} bytes at {=u64}: {}", *bytes, *at, fault);
            *at
        }
        Event::Frame { frame, at, lost } => {
            if *lost > 0 {
                warn!("lost {=u16} frames before {=u64}", *lost, *at);
            }
            if let Ok(Some(Record::Gen(record))) = frame.record()
                && let Some(platform) = player.header().and_then(|header| header.platform())
                && let Ok(send) = eu::Send::from_bytes(platform, record.instruction)
            {
                info!("message {=u64} {}", *at, Display2Format(&send));
            }
            *at
        }
    };
    let (step, depth) = stack::measure(MOST_STACK, || player.event(event));
    match step {
        Err(why) => {
            tally.failed += 1;
            error!("error {=u64} {}", at, Display2Format(&why));
        }
        Ok(Step::Executed(executed)) => {
            tally.messages += 1;
            tally.stack = tally.stack.max(depth);
            info!("result {=u64} faults {=u32:x} out {=[u8]:02x}", at, executed.faults, executed.writeback);
        }
        Ok(Step::Missing { table, slot }) => {
            tally.missing += 1;
            error!("missing {=u64} {} {=u32}", at, table, slot);
        }
        Ok(Step::Compared(comparison)) => match comparison.difference() {
            None => tally.equal += 1,
            Some(byte) => {
                tally.different += 1;
                error!("different {=u64} byte {=usize}: recorded {=[u8]:02x}", at, byte, comparison.recorded);
            }
        },
        Ok(Step::Unmatched(_)) => warn!("writeback {=u64} without its message", at),
        Ok(Step::Lost(count)) => warn!("sender lost {=u32} frames at {=u64}", count, at),
        Ok(_) => {}
    }
}
