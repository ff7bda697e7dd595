//! How much stack was used: the start-up code paints it, and what is no longer paint was used.

use core::sync::atomic::{AtomicUsize, Ordering};

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

/// The deepest that [`measure`] found before it painted over it.
static DEEPEST: AtomicUsize = AtomicUsize::new(0);

/// Bytes from the top of the stack to the first word above `from` that is no longer paint.
fn depth(from: *mut u32) -> usize {
    let (_, top) = bounds();
    let mut at = from;
    // SAFETY: the linker script's stack area is RAM; words below the stack pointer are nobody's.
    unsafe {
        while at < top && at.read_volatile() == PAINT {
            at = at.add(1);
        }
        top.byte_offset_from(at) as usize
    }
}

/// Bytes of stack used since reset.
pub fn used() -> usize {
    depth(bounds().0).max(DEEPEST.load(Ordering::Relaxed))
}

/// Runs `work` and says how many bytes of stack it took, up to `most`.
#[inline(never)]
pub fn measure<T>(most: usize, work: impl FnOnce() -> T) -> (T, usize) {
    /// What this function's own frame and the paint loop may use below the pointer read here.
    const OWN: usize = 64;
    let (bottom, _) = bounds();
    let top = pointer();
    let floor = top.wrapping_byte_sub(most).max(bottom);
    DEEPEST.store(DEEPEST.load(Ordering::Relaxed).max(depth(floor)), Ordering::Relaxed);
    let mut at = floor;
    // SAFETY: between the end of the stack area and the stack pointer; nothing lives there.
    unsafe {
        while at < top.wrapping_byte_sub(OWN) {
            at.write_volatile(PAINT);
            at = at.add(1);
        }
    }
    let result = work();
    let below = bounds().1 as usize - top as usize;
    (result, depth(floor).saturating_sub(below))
}
