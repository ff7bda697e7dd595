//! The serial port of the mps2 machines (CMSDK APB UART 0), polled.

const BASE: usize = 0x4000_4000;
const DATA: *mut u32 = BASE as *mut u32;
const STATE: *mut u32 = (BASE + 4) as *mut u32;
const CTRL: *mut u32 = (BASE + 8) as *mut u32;
const BAUDDIV: *mut u32 = (BASE + 0x10) as *mut u32;

const RECEIVED: u32 = 1 << 1;
const RECEIVE_ENABLE: u32 = 1 << 1;

/// Polls without a byte after which the sender is taken to be done.
const IDLE: u32 = 100_000_000;

/// The port, receiving.
#[derive(Debug)]
pub struct Uart(());

impl Uart {
    /// Turns the receiver on.
    ///
    /// # Safety
    /// Only on a machine with that port at that address, and once.
    #[must_use]
    pub unsafe fn new() -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            BAUDDIV.write_volatile(16);
            CTRL.write_volatile(RECEIVE_ENABLE);
        }
        Self(())
    }

    /// Fills `buffer` as far as bytes come; how many, 0 when the line stays idle.
    pub fn read(&mut self, buffer: &mut [u8]) -> usize {
        let mut len = 0;
        let mut idle = 0;
        while len < buffer.len() && idle < IDLE {
            // SAFETY: `new`'s promise.
            let byte = unsafe { (STATE.read_volatile() & RECEIVED != 0).then(|| DATA.read_volatile() as u8) };
            match byte {
                Some(byte) => {
                    buffer[len] = byte;
                    len += 1;
                    idle = 0;
                }
                None if len > 0 && idle > 1000 => break,
                None => idle += 1,
            }
        }
        len
    }
}
