//! What a Gen native decoder is asked to do in bulk, for measuring: each returns what it counted,
//! so that nothing is optimised away.

use std::fmt::Write;
use texwire::Platform;
use texwire::eu::{Runtime, Stream};

/// Walks a stream: the number of instructions, and the sum of their opcodes.
pub fn walk(platform: Platform, bytes: &[u8]) -> (usize, u64) {
    let (mut count, mut opcodes) = (0, 0);
    let mut stream = Stream::new(platform, bytes);
    while let Ok(Some(instruction)) = stream.next() {
        count += 1;
        opcodes += u64::from(instruction.opcode());
    }
    (count, opcodes)
}

/// Decodes every send of a stream completely: how many there are, and a sum over their fields.
pub fn decode(platform: Platform, bytes: &[u8]) -> (usize, u64) {
    let (mut count, mut sum) = (0, 0);
    let mut stream = Stream::new(platform, bytes);
    while let Ok(Some(instruction)) = stream.next() {
        let Ok(Some(send)) = instruction.send() else { continue };
        count += 1;
        let send = std::hint::black_box(send);
        let descriptor = send.sampler_descriptor().unwrap_or_default();
        sum += u64::from(descriptor.0) + u64::from(send.dst.number);
    }
    (count, sum)
}

/// Prints every send of a stream with its comment, a line each: how many there are.
///
/// # Errors
/// Only those of `out`.
pub fn text<W: Write>(platform: Platform, bytes: &[u8], out: &mut W) -> Result<usize, std::fmt::Error> {
    let mut count = 0;
    let mut stream = Stream::new(platform, bytes);
    while let Ok(Some(instruction)) = stream.next() {
        let Ok(Some(send)) = instruction.send() else { continue };
        send.write_line(out)?;
        out.write_char('\n')?;
        count += 1;
    }
    Ok(count)
}

/// Lowers every sampler send whose descriptor is in the instruction, with all lanes on and the
/// payload registers at `registers` (at least 30 registers of 32 bytes): how many there are.
pub fn lower(platform: Platform, bytes: &[u8], registers: &[u8]) -> usize {
    let runtime = Runtime { payload: [registers, &[]], dispatch: u32::MAX, ..Runtime::default() };
    let mut count = 0;
    let mut stream = Stream::new(platform, bytes);
    while let Ok(Some(instruction)) = stream.next() {
        let Ok(Some(send)) = instruction.send() else { continue };
        count += usize::from(send.lower(&runtime).is_ok());
    }
    count
}
