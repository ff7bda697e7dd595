//! Decodes the Gen messages of a trace and logs what they say: no execution, 16 KiB of RAM are plenty.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use defmt::{Display2Format, error, info, warn};
use texwire::eu;
use texwire::trace::{Decoder, Event, MAX_FRAME, Record, StreamHeader};
use texwire_firmware::{exit, stack};

/// Bytes that are fed at once.
const CHUNK: usize = 17;

static TRACE: &[u8] = include_bytes!("../../demo.twt");

#[entry]
fn main() -> ! {
    static mut DECODER: Decoder<MAX_FRAME> = Decoder::new();
    let decoder = DECODER;
    let mut header = None;
    let (mut messages, mut failed) = (0_u32, 0_u32);
    let mut handle = |event: &Event<'_>| match decode(event, &mut header) {
        None => {}
        Some(true) => messages += 1,
        Some(false) => failed += 1,
    };
    // A short trace: the log of a slow machine is slow.
    for mut chunk in TRACE.chunks(CHUNK) {
        while let Some(event) = decoder.feed(&mut chunk) {
            handle(&event);
        }
    }
    if let Some(event) = decoder.finish() {
        handle(&event);
    }
    let counts = decoder.counts();
    info!(
        "stream: {=u64} bytes, {=u32} frames, {=u32} damaged, {=u32} lost, {=u64} bytes dropped",
        counts.bytes, counts.frames, counts.damaged, counts.lost, counts.dropped_bytes
    );
    info!("stack: {=usize} bytes in all; heap 0", stack::used());
    info!("summary: {=u32} messages, {=u32} failed", messages, failed);
    exit(messages > 0 && failed == 0)
}

/// Logs a message; `None` when it is none.
fn decode(event: &Event<'_>, header: &mut Option<StreamHeader>) -> Option<bool> {
    let Event::Frame { frame, at, .. } = event else {
        warn!("dropped: {}", event);
        return None;
    };
    let decoded = frame.record().and_then(|record| match record {
        Some(Record::Header(found)) => {
            *header = Some(found);
            Ok(None)
        }
        Some(Record::Gen(record)) => {
            let platform = header.and_then(|header| header.platform()).unwrap_or(texwire::Platform::Gen11);
            eu::SendInstruction::from_bytes(platform, record.instruction).map(Some)
        }
        _ => Ok(None),
    });
    match decoded {
        Ok(None) => None,
        Ok(Some(send)) => {
            info!("message {=u64} {}", *at, Display2Format(&send));
            Some(true)
        }
        Err(why) => {
            error!("error {=u64} {}", *at, Display2Format(&why));
            Some(false)
        }
    }
}
