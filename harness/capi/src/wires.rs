//! Decoding: the sampler instructions of the three wires, as text, message and rules.

use crate::device::texwire_message;
use crate::error::{Text, names, report, texwire_error};
use crate::failure::Failure;
use crate::{Status, platform, pointers};
use core::ffi::{c_char, c_void};
use core::fmt::{self, Write};
use texwire::eu::{Descriptor, Runtime, SendInstruction, Stream, assemble};
use texwire::rules::{Rule, Violations};
use texwire::txq::Section;
use texwire::visa::Module;
use texwire::{Error, Platform};

/// A CISA file.
pub const TEXWIRE_WIRE_VISA: u32 = 0;
/// A stream of Gen native instructions.
pub const TEXWIRE_WIRE_GEN: u32 = 1;
/// An NVIDIA code section.
pub const TEXWIRE_WIRE_TXQ: u32 = 2;

/// A sampler instruction, or a place that does not decode.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct texwire_instruction {
    /// Byte offset in the input.
    pub offset: usize,
    /// The text of the reference tool, closed with a NUL; cut at 255 bytes. It lives until the callback returns. An error's text
    /// when `status` is not `TEXWIRE_STATUS_OK`.
    pub text: *const c_char,
    /// The names of the rules that it breaks, with commas between; as `text`.
    pub rules: *const c_char,
    /// `TEXWIRE_STATUS_OK`, or why the place does not decode.
    pub status: Status,
}

/// Text in a buffer of its own.
fn buffered(buffer: &mut [u8; 256], write: impl FnOnce(&mut Text<'_>) -> fmt::Result) -> *const c_char {
    let mut text = Text::new(buffer);
    // A buffer takes all text.
    let _ = write(&mut text);
    text.close();
    buffer.as_ptr().cast()
}

/// Called for each instruction; a result other than 0 stops.
type Each = unsafe extern "C" fn(user: *mut c_void, instruction: *const texwire_instruction) -> i32;

/// The caller's callback, until it says stop.
struct Sink {
    each: Each,
    user: *mut c_void,
    stopped: bool,
}

impl Sink {
    fn tell<R: Rule>(&mut self, offset: usize, text: &dyn fmt::Display, broken: Violations<R>) {
        let (mut line, mut rules) = ([0; 256], [0; 256]);
        let text = buffered(&mut line, |out| write!(out, "{text}"));
        let rules = buffered(&mut rules, |out| names(broken, out));
        self.call(&texwire_instruction { offset, text, rules, status: Status::Ok });
    }

    fn fail(&mut self, offset: usize, error: Error) {
        let mut line = [0; 256];
        let failure = texwire_error::from(Failure::from(error));
        let text = buffered(&mut line, |out| write!(out, "{failure}"));
        let offset = error.offset().unwrap_or(offset);
        let rules = c"".as_ptr();
        self.call(&texwire_instruction { offset, text, rules, status: Status::of(error.kind()) });
    }

    fn call(&mut self, instruction: &texwire_instruction) {
        // SAFETY: the callback and `user` belong together; the instruction and its texts live during the call.
        self.stopped |= unsafe { (self.each)(self.user, instruction) } != 0;
    }
}

/// Calls `each` with every sampler instruction of `bytes`, in order, and with every place that does not decode. `each` returns 0 to go on;
/// another number ends the walk, which is no failure. `wire` is `TEXWIRE_WIRE_VISA`, `TEXWIRE_WIRE_GEN` or `TEXWIRE_WIRE_TXQ`.
///
/// # Safety
/// `bytes` has `size` bytes; `each` may be called with `user`; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_decode(
    wire: u32,
    platform_number: u32,
    bytes: *const u8,
    size: usize,
    each: Option<unsafe extern "C" fn(user: *mut c_void, instruction: *const texwire_instruction) -> i32>,
    user: *mut c_void,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        let platform = platform(platform_number, 1)?;
        // SAFETY: the caller's promise.
        let bytes = unsafe { pointers::slice(bytes, size, 2) }?;
        let mut sink = Sink { each: each.ok_or(Failure::Argument(4))?, user, stopped: false };
        match wire {
            TEXWIRE_WIRE_VISA => visa(&Module::parse(bytes)?, platform, &mut sink),
            TEXWIRE_WIRE_GEN => native(bytes, platform, &mut sink),
            TEXWIRE_WIRE_TXQ => txq(bytes, platform, &mut sink),
            _ => return Err(Failure::Argument(0)),
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

fn visa(module: &Module<'_>, platform: Platform, sink: &mut Sink) {
    for routine in module.routines() {
        if sink.stopped {
            return;
        }
        let routine = match routine {
            Ok(routine) => routine,
            Err(error) => {
                sink.fail(0, error);
                continue;
            }
        };
        let mut walk = routine.instructions();
        while !sink.stopped {
            let instruction = match walk.next() {
                Ok(Some(instruction)) => instruction,
                Ok(None) => break,
                Err(error) => {
                    sink.fail(walk.offset(), error);
                    break;
                }
            };
            match instruction.sampler() {
                Ok(Some(sampler)) => {
                    sink.tell(
                        instruction.offset(),
                        &sampler.display(&routine),
                        sampler.validate(platform, &routine),
                    );
                }
                Ok(None) => {}
                Err(error) => sink.fail(instruction.offset(), error),
            }
        }
    }
}

fn native(bytes: &[u8], platform: Platform, sink: &mut Sink) {
    let mut stream = Stream::new(platform, bytes);
    while !sink.stopped {
        let instruction = match stream.next() {
            Ok(Some(instruction)) => instruction,
            Ok(None) => break,
            Err(error) => return sink.fail(stream.offset(), error),
        };
        match instruction.send() {
            Ok(Some(send)) if send.is_sampler() != Some(false) => {
                sink.tell(instruction.offset(), &send, send.validate());
            }
            Ok(_) => {}
            Err(error) => sink.fail(instruction.offset(), error),
        }
    }
}

fn txq(bytes: &[u8], platform: Platform, sink: &mut Sink) {
    let mut section = Section::new(bytes);
    while !sink.stopped {
        let slot = match section.next_txq() {
            Ok(Some(slot)) => slot,
            Ok(None) => break,
            Err(error) => return sink.fail(0, error),
        };
        match slot.txq() {
            Ok(Some(txq)) => sink.tell(slot.offset, &txq, txq.validate(platform)),
            Ok(None) => {}
            Err(error) => sink.fail(slot.offset, error),
        }
    }
}

/// Assembles the reference disassembler's text of a native send into 16 bytes.
///
/// # Safety
/// `line` has `length` bytes, `instruction` 16 that may be written; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_gen_assemble(
    platform_number: u32,
    line: *const c_char,
    length: usize,
    instruction: *mut u8,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        let platform = platform(platform_number, 0)?;
        // SAFETY: the caller's promise.
        let line = unsafe { pointers::slice(line.cast::<u8>(), length, 1) }?;
        let line = core::str::from_utf8(line).map_err(|_| Failure::Argument(1))?;
        // SAFETY: the caller's promise.
        let out = unsafe { pointers::slice_mut(instruction, 16, 3) }?;
        out.copy_from_slice(&assemble::parse(platform, line)?.encode()?.to_bytes());
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// The message of a native send of 16 bytes with its descriptors' values (of which the instruction may hold both) and its header
/// (32 bytes; null: zeros). Every lane of the execution size is on.
///
/// # Safety
/// `instruction` has 16 bytes; `header` is null or has 32; `message` points to a message; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_gen_message(
    platform_number: u32,
    instruction: *const u8,
    descriptor: u32,
    extended: u32,
    header: *const u8,
    message: *mut texwire_message,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        let platform = platform(platform_number, 0)?;
        // SAFETY: the caller's promise.
        let code = unsafe { pointers::slice(instruction, 16, 1) }?;
        let send = SendInstruction::from_bytes(platform, code.first_chunk().ok_or(Failure::Argument(1))?)?;
        let mut registers = [0; 47 * 32];
        let size = if header.is_null() { 0 } else { 32 };
        // SAFETY: the caller's promise.
        let given = unsafe { pointers::slice(header, size, 4) }?;
        for (to, from) in registers.iter_mut().zip(given) {
            *to = *from;
        }
        let first = Descriptor(send.descriptor.resolve(descriptor)).mlen();
        let (first, second) = registers.split_at(usize::from(first) * 32);
        let runtime = Runtime {
            descriptor,
            extended,
            payload: [first, second],
            dispatch: u32::MAX,
            ..Runtime::default()
        };
        let (lowered, _) = send.lower(&runtime)?;
        // SAFETY: the caller's promise.
        *unsafe { pointers::exclusive(message, 5) }? = texwire_message::new(&lowered);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TEXWIRE_GEN11;
    use core::ptr;

    /// Counts its calls at `user`, and stops.
    unsafe extern "C" fn stop(user: *mut c_void, _: *const texwire_instruction) -> i32 {
        // SAFETY: the test gives a counter.
        *unsafe { &mut *user.cast::<u32>() } += 1;
        1
    }

    #[test]
    fn nothing_is_told_after_a_stop() {
        // Two kernels whose bodies are not in the file.
        let kernel = [&[1, 0, b'k'][..], &[0xff; 12], &[0; 5]].concat();
        let bytes = [&b"CISA\x04\x01\x02\x00"[..], &kernel, &kernel, &[0; 4]].concat();
        let mut calls = 0_u32;
        // SAFETY: all pointers are of values that live; the error is null.
        let status = unsafe {
            texwire_decode(
                TEXWIRE_WIRE_VISA,
                TEXWIRE_GEN11,
                bytes.as_ptr(),
                bytes.len(),
                Some(stop),
                (&raw mut calls).cast(),
                ptr::null_mut(),
            )
        };
        assert_eq!((status, calls), (Status::Ok, 1));
    }
}
