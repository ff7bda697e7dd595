//! How much stack was used: the start-up code paints it, and what is no longer paint was used.

/// What `cortex-m-rt` paints the stack with at reset.
const PAINT: u32 = 0xcccc_cccc;

unsafe extern "C" {
    static mut _stack_end: u32;
    static mut _stack_start: u32;
}

/// The lowest and the highest address of the stack.
fn bounds() -> (*mut u32, *mut u32) {
    (&raw mut _stack_end, &raw mut _stack_start)
}

fn pointer() -> *mut u32 {
    cortex_m::register::msp::read() as *mut u32
}

/// Bytes of stack used since reset, or since the last [`measure`], whichever is deeper.
pub fn used() -> usize {
    let (mut at, top) = bounds();
    // SAFETY: the linker script's stack area is RAM; words below the stack pointer are nobody's.
    unsafe {
        while at < top && at.read_volatile() == PAINT {
            at = at.add(1);
        }
        top.byte_offset_from(at) as usize
    }
}

/// Runs `work` and says how many bytes of stack it took, up to `most`.
#[inline(never)]
pub fn measure<T>(most: usize, work: impl FnOnce() -> T) -> (T, usize) {
    /// What this function's own frame and the paint loop may use below the pointer read here.
    const OWN: usize = 64;
    let (bottom, _) = bounds();
    let top = pointer();
    let floor = top.wrapping_byte_sub(most).max(bottom);
    let mut at = floor;
    // SAFETY: between the end of the stack area and the stack pointer; nothing lives there.
    unsafe {
        while at < top.wrapping_byte_sub(OWN) {
            at.write_volatile(PAINT);
            at = at.add(1);
        }
    }
    let result = work();
    let mut at = floor;
    // SAFETY: as above, reading only.
    let used = unsafe {
        while at < top && at.read_volatile() == PAINT {
            at = at.add(1);
        }
        top.byte_offset_from(at) as usize
    };
    (result, used)
}
