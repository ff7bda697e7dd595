//! Formats that the PRM's table of SURFACE_FORMAT lacks: ASTC, whose codes have bit 9 set, and FXT1, whose
//! code the PRM calls reserved.
//!
//! Source: Mesa's isl (`isl.h`, `isl_format.c`). LDR blocks can be sampled from Gen9 on, HDR blocks from Gen11 on
//! and on Gen9 LP; Gen12.5 dropped ASTC and FXT1.

use crate::enums::{Enumeration, SurfaceFormat};

/// What the sampler decodes ASTC blocks to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum AstcResult {
    /// LDR blocks, to 8 bits a channel, with red, green and blue through the sRGB curve (`U8SRGB`).
    LdrSrgb,
    /// LDR blocks, to halves (`LDR .. FLT16`).
    LdrFloat,
    /// LDR and HDR blocks, to halves (`HDR .. FLT16`).
    HdrFloat,
}

impl AstcResult {
    const ALL: [Self; 3] = [Self::LdrSrgb, Self::LdrFloat, Self::HdrFloat];

    /// Returns the SURFACE_FORMAT code of a footprint, which must be one of [`ASTC_FOOTPRINTS`].
    pub(super) const fn code(self, width: u8, height: u8) -> u16 {
        self.base() | side(width) << 3 | side(height)
    }

    const fn base(self) -> u16 {
        match self {
            Self::LdrSrgb => 0x200,
            Self::LdrFloat => 0x240,
            Self::HdrFloat => 0x340,
        }
    }
}

/// The footprints of ASTC blocks: texels in x and y.
pub const ASTC_FOOTPRINTS: [(u8, u8); 14] = [
    (4, 4),
    (5, 4),
    (5, 5),
    (6, 5),
    (6, 6),
    (8, 5),
    (8, 6),
    (8, 8),
    (10, 5),
    (10, 6),
    (10, 8),
    (10, 10),
    (12, 10),
    (12, 12),
];

/// The format names of one `AstcResult`, in the order of `ASTC_FOOTPRINTS`.
macro_rules! names {
    ($head:literal, $tail:literal) => {
        names!($head, $tail, "4X4" "5X4" "5X5" "6X5" "6X6" "8X5" "8X6" "8X8" "10X5" "10X6" "10X8" "10X10" "12X10" "12X12")
    };
    ($head:literal, $tail:literal, $($size:literal)*) => {
        [$(concat!($head, $size, $tail)),*]
    };
}

static ASTC_NAMES: [[&str; 14]; 3] =
    [names!("ASTC_LDR_2D_", "_U8SRGB"), names!("ASTC_LDR_2D_", "_FLT16"), names!("ASTC_HDR_2D_", "_FLT16")];

/// Returns the three bits of a format code that encode the width or height of a footprint.
const fn side(texels: u8) -> u16 {
    match texels {
        4 => 0,
        5 => 1,
        6 => 2,
        8 => 4,
        10 => 6,
        _ => 7,
    }
}

impl SurfaceFormat {
    /// `FXT1`, blocks of 8x4 texels; reserved in the PRM's table.
    pub const FXT1: Self = Self(0x192);

    /// Returns the ASTC format of a footprint; `None` if no ASTC format has that footprint.
    pub fn astc(result: AstcResult, width: u8, height: u8) -> Option<Self> {
        let known = ASTC_FOOTPRINTS.contains(&(width, height));
        known.then(|| Self(result.code(width, height)))
    }

    /// Returns what the format decodes ASTC blocks to, and the index of its footprint in
    /// [`ASTC_FOOTPRINTS`]; `None` if it is not an ASTC format.
    pub fn as_astc(self) -> Option<(AstcResult, usize)> {
        let result = AstcResult::ALL.into_iter().find(|result| self.0 & !0x3f == result.base())?;
        let sides = (self.0 >> 3 & 7, self.0 & 7);
        let same = |(width, height): &(u8, u8)| (side(*width), side(*height)) == sides;
        Some((result, ASTC_FOOTPRINTS.iter().position(same)?))
    }
}

/// Returns the name of a format: the PRM's, or Mesa's where the PRM has none.
pub fn name(format: SurfaceFormat) -> Option<&'static str> {
    if format == SurfaceFormat::FXT1 {
        return Some("FXT1");
    }
    match format.as_astc() {
        Some((result, footprint)) => ASTC_NAMES.get(result as usize)?.get(footprint).copied(),
        None => format.name(),
    }
}

/// Returns the format with a name, see [`name`].
pub fn from_name(name: &str) -> Option<SurfaceFormat> {
    let also = not_in_prm().find(|(_, other)| *other == name);
    also.map(|(format, _)| format).or_else(|| SurfaceFormat::from_name(name))
}

/// Returns the formats that the PRM's table lacks, with their names, codes ascending.
pub fn not_in_prm() -> impl Iterator<Item = (SurfaceFormat, &'static str)> {
    let astc = AstcResult::ALL.into_iter().flat_map(|result| {
        let codes = ASTC_FOOTPRINTS.into_iter().filter_map(move |(w, h)| SurfaceFormat::astc(result, w, h));
        codes.filter_map(|format| Some((format, name(format)?)))
    });
    core::iter::once((SurfaceFormat::FXT1, "FXT1")).chain(astc)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        let mut codes = std::vec::Vec::new();
        for (format, text) in not_in_prm() {
            assert_eq!((name(format), from_name(text)), (Some(text), Some(format)));
            codes.push(format.0);
        }
        assert_eq!(codes.len(), 43);
        assert!(codes.is_sorted_by(|a, b| a < b));
        // Mesa's isl.h.
        assert_eq!(from_name("ASTC_LDR_2D_4X4_U8SRGB"), Some(SurfaceFormat(0x200)));
        assert_eq!(from_name("ASTC_LDR_2D_8X6_FLT16"), Some(SurfaceFormat(0x262)));
        assert_eq!(from_name("ASTC_HDR_2D_12X12_FLT16"), Some(SurfaceFormat(0x37f)));
        assert_eq!(name(SurfaceFormat(0x192)), Some("FXT1"));
        assert_eq!(name(SurfaceFormat::BC7_UNORM), Some("BC7_UNORM"));
        for code in [0x203, 0x201, 0x280, 0x300, 0x380, 0x3ff] {
            assert_eq!(name(SurfaceFormat(code)), None, "{code:#x}");
        }
    }
}
