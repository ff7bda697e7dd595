//! Selects the decoder of a 4x4 block.

#[cfg(any(feature = "bc", feature = "etc"))]
use super::Codec;
use super::FormatInfo;
use super::block::Block;
#[cfg(feature = "bc")]
use super::{bc, bc6h, bc7};
#[cfg(feature = "etc")]
use super::{eac, etc};

/// Makes a block and hands it to `f`. Not inlined, so that each family has a stack frame of its own: blocks are large.
#[inline(never)]
fn with_own_frame<B: Block, R>(make: impl FnOnce() -> B, f: impl FnOnce(&dyn Block) -> R) -> R {
    f(&make())
}

/// Reads the header of a 4x4 block, hands the block to `f` and returns the result of `f`; `None` if the format has no
/// decoder of 4x4 blocks in this build. Bytes that `element` lacks read as 0.
#[inline]
pub(super) fn with<R>(info: &FormatInfo, element: &[u8], f: impl FnOnce(&dyn Block) -> R) -> Option<R> {
    Some(match info.codec {
        #[cfg(feature = "bc")]
        Codec::Bc1 | Codec::Bc1Opaque | Codec::Bc2 | Codec::Bc3 => {
            with_own_frame(|| bc::Bc1To3::new(info, element), f)
        }
        #[cfg(feature = "bc")]
        Codec::Bc4Unorm | Codec::Bc4Snorm | Codec::Bc5Unorm | Codec::Bc5Snorm => {
            with_own_frame(|| bc::Bc4To5::new(info, element), f)
        }
        #[cfg(feature = "bc")]
        Codec::Bc6hUnsigned | Codec::Bc6hSigned => with_own_frame(|| bc6h::Bc6h::new(info, element), f),
        #[cfg(feature = "bc")]
        Codec::Bc7 => with_own_frame(|| bc7::Bc7::new(info, element), f),
        #[cfg(feature = "etc")]
        Codec::Etc1 | Codec::Etc2 | Codec::Etc2Punchthrough | Codec::Etc2Eac => {
            with_own_frame(|| etc::Etc::new(info, element), f)
        }
        #[cfg(feature = "etc")]
        Codec::EacUnorm | Codec::EacSnorm | Codec::EacRgUnorm | Codec::EacRgSnorm => {
            with_own_frame(|| eac::Eac11::new(info, element), f)
        }
        _ => return None,
    })
}
