//! Cortex-M: semihosting or RTT, SysTick, the stack of `cortex-m-rt`.

#[cfg(feature = "rtt")]
use defmt_rtt as _;
#[cfg(not(feature = "rtt"))]
use defmt_semihosting as _;

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_semihosting::debug;

unsafe extern "C" {
    static mut _stack_end: u32;
    static mut _stack_start: u32;
}

/// Ends the program: exit status 0 or 1 of the emulator, a breakpoint on a board.
pub fn exit(good: bool) -> ! {
    // The log must be out before the emulator ends.
    defmt::flush();
    loop {
        debug::exit(if good { debug::EXIT_SUCCESS } else { debug::EXIT_FAILURE });
    }
}

/// The start-up code has painted the stack.
pub const PAINTED: bool = true;

/// The lowest and the highest address of the stack.
pub fn bounds() -> (*mut u32, *mut u32) {
    (&raw mut _stack_end, &raw mut _stack_start)
}

/// The stack pointer.
#[inline(always)]
pub fn pointer() -> *mut u32 {
    cortex_m::register::msp::read() as *mut u32
}

/// SysTick at the processor's clock: 24 bits, enough for half a second at 25 MHz.
pub struct Clock(SYST);

impl core::fmt::Debug for Clock {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Clock")
    }
}

impl Clock {
    const RELOAD: u32 = 0x00ff_ffff;

    /// What the clock counts: cycles on a board; QEMU's `mps2` boards count 25 MHz, and with `-icount shift=6`
    /// an instruction takes 64 ns, so that eight ticks are five instructions.
    pub const UNIT: &str = if cfg!(feature = "rtt") { "cycles" } else { "instructions" };
    const UNITS: u64 = if cfg!(feature = "rtt") { 8 } else { 5 };

    /// The clock, running.
    ///
    /// # Panics
    /// The second time.
    pub fn new() -> Self {
        let mut timer = cortex_m::Peripherals::take().expect("taken once").SYST;
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(Self::RELOAD);
        timer.enable_counter();
        Self(timer)
    }

    /// Starts a measurement.
    #[inline(always)]
    pub fn start(&mut self) {
        self.0.clear_current();
    }

    /// [`UNIT`](Self::UNIT)s since the start; `u32::MAX` when the timer ran out.
    #[inline(always)]
    pub fn read(&mut self) -> u32 {
        let now = SYST::get_current();
        if self.0.has_wrapped() {
            return u32::MAX;
        }
        // The counter goes down from the reload value, where the first tick after the start sets it.
        (u64::from(Self::RELOAD - now) * Self::UNITS / 8) as u32
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new()
    }
}
