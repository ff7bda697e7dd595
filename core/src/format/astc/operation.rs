//! What a format makes of its blocks.

use crate::format::block::Eight;
use crate::format::{FormatInfo, Path};

/// What a format makes of its blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    /// Bytes; HDR is an error.
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
