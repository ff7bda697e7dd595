//! What a program that decodes and executes takes: state and a Gen message in, registers out; no
//! trace, no text, no log.
#![no_std]
#![no_main]

use cortex_m as _;
use cortex_m_rt::entry;
use texwire::memory::LinearMemory;
use texwire::sample::{Sampler, Texture};
use texwire::state::{SamplerState, SurfaceState};
use texwire::{Platform, eu};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// The byte of a device register that the probe pretends to read and write.
fn port() -> *mut u8 {
    0x4000_4000 as *mut u8
}

/// What a host would have put in memory.
struct Input {
    surface: [u8; 64],
    sampler: [u8; 16],
    border: [u32; 4],
    instruction: [u8; 16],
    payload: [u8; 11 * 32],
    texels: [u8; 16384],
}

#[entry]
fn main() -> ! {
    static mut INPUT: Input = Input {
        surface: [0; 64],
        sampler: [0; 16],
        border: [0; 4],
        instruction: [0; 16],
        payload: [0; 11 * 32],
        texels: [0; 16384],
    };
    static mut REGISTERS: [u8; 288] = [0; 288];
    loop {
        let parts: [&mut [u8]; 5] = [
            &mut INPUT.surface,
            &mut INPUT.sampler,
            &mut INPUT.instruction,
            &mut INPUT.payload,
            &mut INPUT.texels,
        ];
        for byte in parts.into_iter().flatten() {
            // SAFETY: a probe of size: it is linked, not run.
            *byte = unsafe { port().read_volatile() };
        }
        if run(INPUT, REGISTERS).is_ok() {
            for byte in REGISTERS.iter() {
                // SAFETY: as above.
                unsafe { port().write_volatile(*byte) };
            }
        }
    }
}

fn run(input: &Input, registers: &mut [u8]) -> texwire::error::Result<()> {
    let send = eu::SendInstruction::from_bytes(Platform::Gen11, &input.instruction)?;
    let runtime =
        eu::Runtime { payload: [&input.payload, &[]], dispatch: u32::MAX, ..eu::Runtime::default() };
    let (message, payload) = send.lower(&runtime)?;
    let texture = Texture::bind(&SurfaceState::from_bytes(&input.surface), Platform::Gen11)?;
    let sampler = Sampler::bind(&SamplerState::from_bytes(&input.sampler), &input.border)?;
    let memory = LinearMemory { base: 0, bytes: &input.texels };
    texture.execute(&message, &payload, &sampler, &memory, registers)?;
    Ok(())
}
