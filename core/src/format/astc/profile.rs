//! The decoder profile of a format: what its blocks are decoded to.

use crate::format::block::ColourSpace;
use crate::format::{Codec, FormatInfo};

/// The decoder profile of a format: what its blocks are decoded to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Profile {
    /// Bytes, with or without the sRGB curve; HDR is an error.
    Srgb(ColourSpace),
    /// Halves; HDR is an error.
    Ldr,
    /// Halves.
    Hdr,
}

impl Profile {
    pub(super) const fn of(info: &FormatInfo) -> Self {
        match info.codec() {
            Codec::AstcHdr => Self::Hdr,
            Codec::AstcSrgb => Self::Srgb(ColourSpace::of(info)),
            _ => Self::Ldr,
        }
    }
}
