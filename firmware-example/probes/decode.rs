//! What a program that only decodes takes: trace frames in, descriptors out, no text, no log.
#![no_std]
#![no_main]

use cortex_m as _;
use cortex_m_rt::entry;
use texwire::Platform;
use texwire::trace::{Decoder, Event, Record};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// The byte of a device register that the probe pretends to read and write.
fn port() -> *mut u8 {
    0x4000_4000 as *mut u8
}

#[entry]
fn main() -> ! {
    static mut DECODER: Decoder<1024> = Decoder::new();
    loop {
        // SAFETY: a probe of size: it is linked, not run.
        let byte = unsafe { port().read_volatile() };
        let mut chunk = &[byte][..];
        if let Some(Event::Frame { frame, .. }) = DECODER.feed(&mut chunk)
            && let Ok(Some(Record::Gen(record))) = frame.record()
            && let Ok((message, payload)) = record.lower(Platform::Gen11)
        {
            let sum = message.op as u8 ^ message.lanes as u8 ^ payload.len() as u8 ^ message.channels.mask();
            // SAFETY: as above.
            unsafe { port().write_volatile(sum) };
        }
    }
}
