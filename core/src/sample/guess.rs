//! What no published source decides, in one place: each rule is a named constant or function.
//!
//! A second implementation that wants the same results follows these sentences.
//!
//! * **Packed offsets** ([`packed_offsets`], [`packed_lod`]): Mesa (`intel_nir_lower_texture.c`, Xe2) puts
//!   the U offset in bits 5:0 and the V offset in bits 11:6, each a signed 6-bit number; a combined LOD
//!   or bias is the parameter with these bits cleared, a float of the parameter's width. `OffUv` and
//!   `OffUvR` hold the same 12 bits; everything above them is ignored.
//! * **Programmable offsets replace** the immediate ones. Separate ones use their low 6 bits, signed.
//! * **16-bit parameters**: coordinates, levels and offsets that are integers are sign-extended; sample
//!   index, MCS words and resinfo's LOD are zero-extended.
//! * **Special coordinates**: a NaN texel coordinate is 0, except under CLAMP_BORDER, where it is outside;
//!   a coordinate beyond +-2^24 texels is held there and is the centre of a texel: LINEAR takes no half off
//!   (nor can f32). In a cube's direction NaN is 0 and an infinity is
//!   the largest number; no direction at all is the centre of +Z. A NaN LOD is the minimum LOD, a NaN
//!   array index is 0.
//! * **Subspans** with lanes past the message's width (SIMD1, SIMD2) read 0 there.
//! * **`Precision::Fixed8`** ([`fixed8`]): the texel coordinate is cut to 1/256 texel before it is split, half
//!   up when the axis' rounding enable for the chosen filter is set, else downward; LOD plus biases is
//!   rounded half up to 1/256 before the clamps. gather4 uses the magnification's enables.
//! * **Trilinear quality** ([`trilinear`]): below FULL, a fraction within 1/16 (HIGH), 1/8 (MED) or 1/4 (LOW)
//!   of a whole level uses that level alone; others are unchanged.
//! * **No mip filter, or magnified**: the level is floor(max(Min LOD, Resource Min LOD, message's minimum)),
//!   unless LOD Clamp Magnification Mode leaves magnification to the mip filter.
//! * **LOD PreClamp** codes 1 and 3 are NONE.
//! * **CPS**: the caller's term is added to the LOD of messages with the CPS flag.
//! * **Anisotropic** is LINEAR on 3D and CUBE, with non-normalized coordinates and for a LOD without
//!   derivatives. Legacy and EWA are the same.
//! * **MIN/MAX** reduce over every texel with a weight, of all taps and both levels; NaN is passed over.
//!   Comparisons are not reduced.
//! * **HALF_BORDER**: NEAREST holds the index in the level, then adds the offset.
//! * **gather4 on 3D**: one slice, chosen as NEAREST does.
//! * **Border colour mode** DX9 means the same as DX10/OGL.
//! * **Null page**: the texel has 0 in every component of the format and defaults elsewhere, as a
//!   load out of range.
//! * **Fault**: the whole lane reads 0 and keeps its bit of the pixel null mask.
//! * **Comparison result**: (value, 0, 0, 1), then the channel select; gather4 comparisons skip the select.
//! * **Corner of a cube** under comparison: the average of the three texels is compared. Of integers: their
//!   sum over 3, toward zero.
//! * **Cube address modes**: seamless when the override is set or TCX is CUBE; else every mode is a clamp
//!   to the face. CUBE on another surface is CLAMP. Non-normalized coordinates mean nothing to a cube.
//! * **MCS** ([`mcs_plane`]): sample s is in the plane that nibble s names; a surface without a control
//!   surface answers `ld_mcs` with the identity.
//! * **BUFFER, STRBUF**: a load takes U alone.
//! * **Planar formats**: one plane of pairs, 2D without levels, layers and samples, not W-major. The chroma plane's
//!   column and row count luma texels and rows of the surface, in the surface's tiling, wherever they are in a tile; an odd
//!   column of a tiled surface is refused. X and Y Offset move both planes, once.

use crate::bits::sign_extend;

/// Texel coordinates are held inside +-this.
pub(super) const COORDINATE_LIMIT: f32 = 16_777_216.0;

/// MCS value in which every sample is in its own plane.
pub(super) const IDENTITY_MCS: [u32; 2] = [0x7654_3210, 0xfedc_ba98];

/// U and V offset of a packed parameter.
pub(super) const fn packed_offsets(word: u32) -> [i32; 3] {
    [sign_extend(word, 6), sign_extend(word >> 6, 6), 0]
}

/// A parameter without the offsets that it shares.
pub(super) const fn packed_lod(word: u32) -> u32 {
    word & !0xfff
}

/// `x` on the grid of 1/256: the nearest (half up), else the one below.
pub(super) fn fixed8(x: f32, round: bool) -> f32 {
    let scaled = x * 256.0;
    // From 2^23 on there is nothing below the grid (and adding 1/2 would round by itself).
    if scaled.abs() < 8_388_608.0 {
        let (_, whole) = super::address::floor(if round { scaled + 0.5 } else { scaled });
        whole / 256.0
    } else {
        x
    }
}

/// The fraction between two levels that a trilinear quality (0 FULL .. 3 LOW) makes of `fraction`.
pub(super) fn trilinear(quality: u8, fraction: f32) -> f32 {
    let zone = match quality {
        0 => return fraction,
        1 => 0.0625,
        2 => 0.125,
        _ => 0.25,
    };
    if fraction < zone {
        0.0
    } else if fraction > 1.0 - zone {
        1.0
    } else {
        fraction
    }
}

/// The plane that holds `sample`, by the MCS value (low and high dword).
pub(super) const fn mcs_plane(mcs: [u32; 2], sample: u32) -> u32 {
    let word = mcs[0] as u64 | (mcs[1] as u64) << 32;
    if sample < 16 { (word >> (sample * 4)) as u32 & 15 } else { u32::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_offsets_are_six_bits_signed() {
        assert_eq!(packed_offsets(0x3f << 6 | 0x1f), [31, -1, 0]);
        assert_eq!(packed_offsets(0xffff_f000 | 0x20), [-32, 0, 0]);
        assert_eq!(f32::from_bits(packed_lod(2.5f32.to_bits() | 0xabc)), 2.5);
    }

    #[test]
    fn planes_are_nibbles() {
        for s in 0..16 {
            assert_eq!(mcs_plane(IDENTITY_MCS, s), s);
        }
        assert_eq!(mcs_plane([0x0000_0010, 0], 1), 1);
        assert_eq!(mcs_plane([0, 0], 99), u32::MAX);
    }
}
