//! Replays what comes over the serial port: damage is counted, what is whole is executed.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use texwire_firmware::machine::cmsdk_uart::Uart;
use texwire_firmware::player;

#[entry]
fn main() -> ! {
    // SAFETY: once, on the mps2 machine that this program is for.
    let mut uart = unsafe { Uart::new() };
    player::replay(|buffer| uart.read(buffer))
}
