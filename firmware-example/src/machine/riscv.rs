//! QEMU's RISC-V machine `virt`: the log goes out of its UART, a test device ends the program.

use riscv::register::minstret;

/// A 16550; QEMU's does not need to be set up, and takes bytes as fast as they come.
const UART: *mut u8 = 0x1000_0000 as *mut u8;
/// The test device: a write ends QEMU.
const TEST: *mut u32 = 0x10_0000 as *mut u32;
const PASS: u32 = 0x5555;
const FAIL: u32 = 1 << 16 | 0x3333;

unsafe extern "C" {
    static mut _stack_start: u32;
    static mut __ebss: u32;
}

/// Ends the program with exit status 0 or 1 of the emulator.
pub fn exit(good: bool) -> ! {
    defmt::flush();
    loop {
        // SAFETY: the device is at that address.
        unsafe { TEST.write_volatile(if good { PASS } else { FAIL }) };
    }
}

/// The start-up code has painted the stack.
pub const PAINTED: bool = false;

/// The lowest and the highest address of the stack: all that the program's data leave free, 64 KiB at most.
pub fn bounds() -> (*mut u32, *mut u32) {
    const MOST: usize = 64 << 10;
    let (data, top) = (&raw mut __ebss, &raw mut _stack_start);
    (data.max(top.wrapping_byte_sub(MOST)), top)
}

/// The stack pointer.
#[inline(always)]
pub fn pointer() -> *mut u32 {
    let at: usize;
    // SAFETY: reads a register.
    unsafe { core::arch::asm!("mv {}, sp", out(reg) at, options(nomem, nostack, preserves_flags)) };
    at as *mut u32
}

/// The counter of instructions.
#[derive(Debug, Default)]
pub struct Clock(usize);

impl Clock {
    /// What the clock counts, in QEMU with `-icount`.
    pub const UNIT: &str = "instructions";

    /// The clock, running.
    pub fn new() -> Self {
        Self(0)
    }

    /// Starts a measurement.
    #[inline(always)]
    pub fn start(&mut self) {
        self.0 = minstret::read();
    }

    /// [`UNIT`](Self::UNIT)s since the start.
    #[inline(always)]
    pub fn read(&mut self) -> u32 {
        minstret::read().wrapping_sub(self.0) as u32
    }
}

/// The log, as defmt frames.
#[defmt::global_logger]
struct Logger;

static mut ENCODER: defmt::Encoder = defmt::Encoder::new();

fn send(bytes: &[u8]) {
    for byte in bytes {
        // SAFETY: the device is at that address.
        unsafe { UART.write_volatile(*byte) };
    }
}

fn encoder() -> &'static mut defmt::Encoder {
    // SAFETY: one hart and no interrupts: there is one user at a time.
    unsafe { &mut *&raw mut ENCODER }
}

// SAFETY: one hart and no interrupts: nothing comes between `acquire` and `release`.
unsafe impl defmt::Logger for Logger {
    fn acquire() {
        encoder().start_frame(send);
    }

    unsafe fn flush() {}

    unsafe fn release() {
        encoder().end_frame(send);
    }

    unsafe fn write(bytes: &[u8]) {
        encoder().write(bytes, send);
    }
}
