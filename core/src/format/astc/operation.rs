//! What a format decodes its blocks to.

use crate::format::block::Eight;
use crate::format::{FormatInfo, Path};

/// The result to which a format decodes its blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    /// Bytes, with or without the sRGB curve; HDR is an error.
    Srgb(Eight),
    /// Halves; HDR is an error.
    Ldr,
    /// Halves.
    Hdr,
}

impl Operation {
    pub(super) const fn of(info: &FormatInfo) -> Self {
        match info.path() {
            Path::AstcHdr => Self::Hdr,
            Path::AstcSrgb => Self::Srgb(Eight::of(info)),
            _ => Self::Ldr,
        }
    }
}
