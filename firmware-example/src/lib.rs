//! What the example programs share: the machine, the stack's gauge, the replay and what it costs.
#![no_std]

pub mod cost;
pub mod machine;
pub mod player;
pub mod stack;

pub use machine::exit;

/// texwire has no reachable panic; what panics is this example.
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    let line = info.location().map_or(0, core::panic::Location::line);
    defmt::error!("panic at line {=u32}", line);
    exit(false)
}
