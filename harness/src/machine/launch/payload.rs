//! The registers with which a thread starts.
//!
//! | registers | content |
//! |---|---|
//! | r0 | header: dwords 1, 6, 7 group id; 3 sampler table; 4 binding table; 5 scratch base and thread slot |
//! | from r1 | local ids X, Y, Z, a word for each lane: one register for each dimension, with SIMD32 two |
//! | after the local ids | cross-thread data |

use super::range::NdRange;
use crate::containers::device_binary::{Kernel, ThreadPayload};
use crate::machine::error::{Error, Result};
use crate::machine::registers::{GENERAL, REGISTER, Registers};

/// The size of a group: the local size, or less at the end of a range that is no multiple of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupSize {
    /// Work items in each dimension.
    pub size: [u32; 3],
}

/// Returns the size of group `id`.
pub fn group_size(global: [u32; 3], local: [u32; 3], id: [u32; 3]) -> GroupSize {
    GroupSize { size: std::array::from_fn(|d| local[d].min(global[d] - id[d] * local[d])) }
}

impl GroupSize {
    /// Returns the number of work items.
    pub fn items(&self) -> u32 {
        self.size.iter().product()
    }

    /// Returns the number of threads, each of `simd` lanes.
    pub fn threads(&self, simd: u32) -> u32 {
        self.items().div_ceil(simd)
    }

    /// Returns the dispatch mask of a thread: the lanes that have a work item.
    pub fn dispatch_mask(&self, thread: u32, simd: u32) -> u32 {
        let items = (self.items() - thread * simd).min(simd);
        texwire::bits::mask(items) as u32
    }

    /// Returns the local id of work item `item`; items are numbered x fastest.
    fn local_id(&self, item: u32) -> [u32; 3] {
        let [x, y, _] = self.size;
        [item % x, item / x % y, item / x / y]
    }
}

/// Returns the local size: that of the range, else the one that the kernel requires, else one that the machine chooses. A size of 0
/// and a local size that is not the required one are errors.
pub fn local_size(range: &NdRange, kernel: &Kernel) -> Result<[u32; 3]> {
    if range.global.contains(&0) {
        return Err(Error::new("global size", format!("{:?} (expected at least 1)", range.global)));
    }
    let required = kernel.dispatch.required_group;
    let demanded = required.iter().all(|&size| size != 0).then_some(required);
    match (range.local, demanded) {
        (Some(local), Some(required)) if local != required => {
            Err(Error::new("local size", format!("{local:?} (the kernel requires {required:?})")))
        }
        (Some(local), _) if local.contains(&0) => {
            Err(Error::new("local size", format!("{local:?} (expected at least 1)")))
        }
        (Some(local), _) => Ok(local),
        (None, Some(required)) => Ok(required),
        (None, None) => Ok(chosen_size(range.global)),
    }
}

/// Most work items of a group whose size the machine chooses.
const CHOSEN_ITEMS: u32 = 256;

/// Returns the largest divisors of the global size, chosen x first, whose product is at most [`CHOSEN_ITEMS`].
fn chosen_size(global: [u32; 3]) -> [u32; 3] {
    let mut left = CHOSEN_ITEMS;
    global.map(|size| {
        let divisor = (1..=left.min(size)).rev().find(|divisor| size.is_multiple_of(*divisor)).unwrap_or(1);
        left /= divisor;
        divisor
    })
}

/// Writes the header to r0, which is 0: the offset of the sampler table stays so. `scratch_base` is a multiple of 1024, and `slot`, the
/// thread's slot of private memory, is below 1024.
pub fn fill(
    registers: &mut Registers,
    [x, y, z]: [u32; 3],
    binding_table: u32,
    scratch_base: u32,
    slot: u32,
) {
    for (index, value) in [(1, x), (4, binding_table), (5, scratch_base | slot), (6, y), (7, z)] {
        registers.set_dword(index * 4, value);
    }
}

/// Writes the local ids of a thread's lanes from r1 on, and the cross-thread data `data` after them.
pub fn fill_ids(
    registers: &mut Registers,
    payload: &ThreadPayload,
    group: &GroupSize,
    thread: u32,
    simd: u32,
    data: &[u8],
) {
    let mut next = REGISTER;
    let size = if simd == 32 { 2 * REGISTER } else { REGISTER };
    for dimension in 0..3 {
        if !payload.local_ids[dimension] {
            continue;
        }
        for lane in 0..simd {
            // Lanes without a work item get ids too; the dispatch mask disables them.
            let id = group.local_id(thread * simd + lane)[dimension] as u16;
            let at = next + lane as usize * 2;
            registers.bytes[at..at + 2].copy_from_slice(&id.to_le_bytes());
        }
        next += size;
    }
    if next == REGISTER && payload.unused_register {
        next += REGISTER;
    }
    let end = (next + data.len()).min(GENERAL);
    registers.bytes[next..end].copy_from_slice(&data[..end - next]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partial_groups_have_fewer_items() {
        let group = group_size([50, 7, 1], [32, 4, 1], [1, 1, 0]);
        assert_eq!((group.size, group.items(), group.threads(16)), ([18, 3, 1], 54, 4));
        assert_eq!((group.dispatch_mask(0, 16), group.dispatch_mask(3, 16)), (0xffff, 0x3f));
        assert_eq!(group.local_id(20), [2, 1, 0]);
    }

    #[test]
    fn chosen_sizes_divide() {
        assert_eq!(chosen_size([1024, 1024, 1]), [256, 1, 1]);
        assert_eq!(chosen_size([50, 6, 3]), [50, 3, 1]);
        assert_eq!(chosen_size([257, 2, 1]), [1, 2, 1]);
    }
}
