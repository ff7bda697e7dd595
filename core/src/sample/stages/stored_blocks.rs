//! Finding decoded blocks in a block store.
#![allow(clippy::indexing_slicing, reason = "arrays indexed below their lengths: no check remains")]

use crate::format::StoreLayout;
use crate::sample::fetch::frames::Located;
use crate::sample::lanes::{LANES, Lanes, ones};
use crate::sample::place::address::BlockSize;

/// Finds blocks by number (`index`) and texels by position in their block (`inside`) in a block store. Fills in the places in the store's
/// words of the block's tag (past every end if the block has no slot) and of the texel.
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
            // Block `u32::MAX` is never stored: its tag, the number plus one, is that of an empty slot.
            tag[i] = at | ones(slot >= slots) | ones(number[i] == u32::MAX);
            texel[i] = at.wrapping_add(1).wrapping_add(width.texel(inside[i]).wrapping_mul(step));
        }
    }
}
