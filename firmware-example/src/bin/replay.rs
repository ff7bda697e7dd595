//! Replays the trace that is in the program.
#![no_std]
#![no_main]

use texwire_firmware::player;

static TRACE: &[u8] = include_bytes!("../../trace.twt");

#[cfg_attr(target_arch = "arm", cortex_m_rt::entry)]
#[cfg_attr(target_arch = "riscv32", riscv_rt::entry)]
fn main() -> ! {
    let mut rest = TRACE;
    player::replay(|buffer| {
        let (chunk, tail) = rest.split_at(rest.len().min(buffer.len()));
        buffer[..chunk.len()].copy_from_slice(chunk);
        rest = tail;
        chunk.len()
    })
}
