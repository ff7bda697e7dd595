//! How much stack was used: it is painted, and what is no longer paint was used.

use crate::machine::{bounds, pointer};
use core::sync::atomic::{AtomicUsize, Ordering};

/// What `cortex-m-rt` paints the stack with at reset.
const PAINT: u32 = 0xcccc_cccc;

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

/// Paints from `from` up to a little below `to`.
fn paint(from: *mut u32, to: *mut u32) {
    /// What the frames of the caller and of this loop may use below the pointer that was read.
    const OWN: usize = 64;
    let mut at = from;
    // SAFETY: between the end of the stack area and the stack pointer; nothing lives there.
    unsafe {
        while at < to.wrapping_byte_sub(OWN) {
            at.write_volatile(PAINT);
            at = at.add(1);
        }
    }
}

/// Bytes of stack used since it was painted.
pub fn used() -> usize {
    depth(bounds().0).max(DEEPEST.load(Ordering::Relaxed))
}

/// Paints what is free, on machines whose start-up code does not.
#[inline(never)]
pub fn paint_all() {
    paint(bounds().0, pointer());
}

/// Runs `work` and says how many bytes of stack it took, up to `most`.
#[inline(never)]
pub fn measure<T>(most: usize, work: impl FnOnce() -> T) -> (T, usize) {
    let (bottom, _) = bounds();
    let top = pointer();
    let floor = top.wrapping_byte_sub(most).max(bottom);
    DEEPEST.store(DEEPEST.load(Ordering::Relaxed).max(depth(floor)), Ordering::Relaxed);
    paint(floor, top);
    let result = work();
    let below = bounds().1 as usize - top as usize;
    (result, depth(floor).saturating_sub(below))
}
