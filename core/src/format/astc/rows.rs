//! The table of ASTC formats: a row for every footprint and kind of result.

use crate::enums::SurfaceFormat;
use crate::format::names::{ASTC_FOOTPRINTS, AstcResult};
use crate::format::table::block;
use crate::format::{Codec, FormatInfo};

/// The rows by result, then by footprint; the last ones are the sRGB formats without their curve.
static ROWS: [[FormatInfo; 14]; 4] = [
    rows(AstcResult::LdrSrgb, true),
    rows(AstcResult::LdrFloat, false),
    rows(AstcResult::HdrFloat, false),
    rows(AstcResult::LdrSrgb, false),
];

const fn rows(result: AstcResult, srgb: bool) -> [FormatInfo; 14] {
    let codec = match result {
        AstcResult::LdrSrgb => Codec::AstcSrgb,
        AstcResult::LdrFloat => Codec::AstcLdr,
        AstcResult::HdrFloat => Codec::AstcHdr,
    };
    let mut rows = [block(SurfaceFormat(0), 16, codec, 0b1111); 14];
    let (mut row, mut size): (&mut [FormatInfo], &[(u8, u8)]) = (&mut rows, &ASTC_FOOTPRINTS);
    while let (Some((info, tail)), Some(((width, height), after))) =
        (row.split_first_mut(), size.split_first())
    {
        info.code = SurfaceFormat(result.code(*width, *height));
        (info.block_width, info.block_height) = (*width, *height);
        info.srgb = srgb;
        info.unorm = !matches!(result, AstcResult::HdrFloat);
        (row, size) = (tail, after);
    }
    rows
}

/// Returns the row of an ASTC format.
pub(in crate::format) fn row(format: SurfaceFormat) -> Option<&'static FormatInfo> {
    let (result, footprint) = format.as_astc()?;
    ROWS.get(result as usize)?.get(footprint)
}

/// Returns the row of an sRGB format without its curve: the bytes are read as UNORM. (The PRM says that the curve is
/// skipped, not that the blocks are decoded to halves instead.)
pub(in crate::format) fn without_srgb(info: &'static FormatInfo) -> &'static FormatInfo {
    let [.., last] = &ROWS;
    match info.code.as_astc() {
        Some((AstcResult::LdrSrgb, footprint)) => last.get(footprint).unwrap_or(info),
        _ => info,
    }
}
