//! Where blocks are that are decoded already.
#![allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#![allow(clippy::indexing_slicing, reason = "arrays indexed below their lengths: no check remains")]

use crate::format::StoreLayout;
use crate::sample::fetch::frames::Located;
use crate::sample::lanes::{LANES, Lanes, ones};
use crate::sample::place::address::BlockSize;

/// Finds where a store has blocks and their texels: the place of each block's tag (past every end if it has no slot), and that of the
/// texel.
pub(crate) type StoredKernel =
    fn(&StoreLayout, BlockSize, index: &[Lanes<u32>], inside: &[Lanes<u32>], places: &mut Located);

/// See [`StoredKernel`].
#[inline(always)]
pub(crate) fn locate(
    layout: &StoreLayout,
    width: BlockSize,
    index: &[Lanes<u32>],
    inside: &[Lanes<u32>],
    [tags, texels]: &mut Located,
) {
    let StoreLayout { stride, slots, mask, step } = *layout;
    for (((number, inside), tag), texel) in index.iter().zip(inside).zip(tags).zip(texels) {
        for i in 0..LANES {
            let slot = number[i] & mask;
            let at = slot.wrapping_mul(stride);
            // The last number has the tag of a slot that is empty.
            tag[i] = at | ones(slot >= slots) | ones(number[i] == u32::MAX);
            texel[i] = at.wrapping_add(1).wrapping_add(width.texel(inside[i]).wrapping_mul(step));
        }
    }
}
