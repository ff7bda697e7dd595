//! Selects the decoder of a 4x4 block.

use super::FormatInfo;
#[cfg(any(feature = "bc", feature = "etc"))]
use super::Path;
use super::block::{Block, Eight};
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
    let eight = Eight::of(info);
    Some(match info.path {
        #[cfg(feature = "bc")]
        Path::Bc1 | Path::Bc1Opaque | Path::Bc2 | Path::Bc3 => {
            with_own_frame(|| bc::Colour::new(info, element), f)
        }
        #[cfg(feature = "bc")]
        Path::Bc4Unorm | Path::Bc4Snorm | Path::Bc5Unorm | Path::Bc5Snorm => {
            with_own_frame(|| bc::Channels::new(info, element), f)
        }
        #[cfg(feature = "bc")]
        Path::Bc6hUnsigned => with_own_frame(|| bc6h::Bc6h::new(super::head(element), false), f),
        #[cfg(feature = "bc")]
        Path::Bc6hSigned => with_own_frame(|| bc6h::Bc6h::new(super::head(element), true), f),
        #[cfg(feature = "bc")]
        Path::Bc7 => with_own_frame(|| bc7::Bc7::new(super::head(element), eight), f),
        #[cfg(feature = "etc")]
        Path::Etc1 | Path::Etc2 | Path::Etc2Punchthrough | Path::Etc2Eac => {
            with_own_frame(|| etc::Etc::new(info, element, eight), f)
        }
        #[cfg(feature = "etc")]
        Path::EacUnorm | Path::EacSnorm | Path::EacRgUnorm | Path::EacRgSnorm => {
            with_own_frame(|| eac::Channels::new(info, element), f)
        }
        _ => {
            let _ = eight;
            return None;
        }
    })
}
