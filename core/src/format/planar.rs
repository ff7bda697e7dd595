//! Planar YUV formats, which have two planes.

use super::texel::{ONE, Texel};
use crate::enums::SurfaceFormat;

/// The planes of a planar YUV format: a full-size luma plane and a chroma plane of half the width
/// and height with Cb and Cr interleaved. A sampler decodes both as ordinary formats and combines the texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Planar {
    /// Format of the luma plane.
    pub luma: SurfaceFormat,
    /// Format of the chroma plane (Cb, Cr).
    pub chroma: SurfaceFormat,
}

impl Planar {
    /// Returns the planes of `format`, if it is planar.
    pub const fn of(format: SurfaceFormat) -> Option<Self> {
        match format {
            SurfaceFormat::PLANAR_420_8 => {
                Some(Self { luma: SurfaceFormat::R8_UNORM, chroma: SurfaceFormat::R8G8_UNORM })
            }
            SurfaceFormat::PLANAR_420_16 => {
                Some(Self { luma: SurfaceFormat::R16_UNORM, chroma: SurfaceFormat::R16G16_UNORM })
            }
            _ => None,
        }
    }

    /// Combines a texel of each plane to one: R = Cr, G = Y, B = Cb, A = 1.
    #[inline]
    pub const fn combine(luma: Texel, chroma: Texel) -> Texel {
        let ([y, ..], [cb, cr, ..]) = (luma, chroma);
        [cr, y, cb, ONE]
    }
}
