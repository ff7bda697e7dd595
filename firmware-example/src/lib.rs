//! What the example programs share: the log's transport, the end of the program, the stack's gauge.
#![no_std]

pub mod stack;
pub mod uart;

use cortex_m as _;
#[cfg(feature = "rtt")]
use defmt_rtt as _;
#[cfg(not(feature = "rtt"))]
use defmt_semihosting as _;

use cortex_m_semihosting::debug;

/// Ends the program: exit status 0 or 1 of the emulator, a breakpoint on a board.
pub fn exit(good: bool) -> ! {
    // The log must be out before the emulator ends.
    defmt::flush();
    loop {
        debug::exit(if good { debug::EXIT_SUCCESS } else { debug::EXIT_FAILURE });
    }
}

/// texwire has no reachable panic; what panics is this example.
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    let line = info.location().map_or(0, core::panic::Location::line);
    defmt::error!("panic at line {=u32}", line);
    exit(false)
}
