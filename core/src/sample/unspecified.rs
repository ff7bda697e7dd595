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
//! * **Trilinear quality** ([`trilinear_zone`]): below FULL, a fraction within 1/16 (HIGH), 1/8 (MED) or 1/4 (LOW)
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
//! * **MCS** ([`mcs_plane`], [`mcs_is_clear`], [`identity_mcs`]): a surface without a control surface answers `ld_mcs`
//!   with the identity, and sample s is in the plane that nibble s of a message's MCS value names. With one, `ld_mcs`
//!   answers its element as it is (Mesa compares that with the clear value), and sample s is in the plane that field s
//!   names, of 1, 2, 4, 4 bits for 2, 4, 8, 16 samples; ones in all fields are the clear colour (Mesa,
//!   `blorp_nir_mcs_is_clear_color`). That colour is used as a border colour is; at the Clear Value Address it is four
//!   dwords.
//! * **BUFFER, STRBUF**: a load takes U alone.
//! * **Planar formats**: one plane of pairs, 2D without levels, layers and samples, not W-major. The chroma plane's
//!   column and row count luma texels and rows of the surface, in the surface's tiling, wherever they are in a tile; an odd
//!   column of a tiled surface is refused. X and Y Offset move both planes, once.

use crate::bits::sign_extend;

/// Texel coordinates are held inside +-this.
pub(super) const COORDINATE_LIMIT: f32 = 16_777_216.0;

/// U and V offset of a packed parameter.
pub(super) const fn packed_offsets(word: u32) -> [i32; 3] {
    [sign_extend(word, 6), sign_extend(word >> 6, 6), 0]
}

/// A parameter without the offsets that it shares.
pub(super) const fn packed_lod(word: u32) -> u32 {
    word & !0xfff
}

/// `x` on the grid of 1/256: the nearest (half up), else the one below.
#[inline(always)]
pub(super) fn fixed8(x: f32, round: bool) -> f32 {
    let scaled = x * 256.0;
    // From 2^23 on there is nothing below the grid (and adding 1/2 would round by itself).
    let below = super::axis::whole_floor(if round { scaled + 0.5 } else { scaled });
    if scaled.abs() < 8_388_608.0 { below / 256.0 } else { x }
}

/// Fractions between two levels that are nearer than this to one of them use it alone, by trilinear quality (0 FULL ..
/// 3 LOW).
pub(super) const fn trilinear_zone(quality: u8) -> f32 {
    match quality {
        0 => 0.0,
        1 => 0.0625,
        2 => 0.125,
        _ => 0.25,
    }
}

/// MCS value (low and high dword) in which every sample of so many is in its own plane, a nibble each.
pub(super) const fn identity_mcs(samples: u32) -> [u32; 2] {
    let all = 0xfedc_ba98_7654_3210_u64;
    let value = if samples < 16 { all & !(u64::MAX << (samples * 4)) } else { all };
    [value as u32, (value >> 32) as u32]
}

/// Bits of a sample in the MCS element of a texel with so many samples.
const fn mcs_bits(samples: u32) -> u32 {
    match samples {
        0..=2 => 1,
        3..=4 => 2,
        _ => 4,
    }
}

/// The plane that holds `sample` of `samples`, by the MCS value (low and high dword).
pub(super) const fn mcs_plane(mcs: [u32; 2], sample: u32, samples: u32) -> u32 {
    let word = mcs[0] as u64 | (mcs[1] as u64) << 32;
    let bits = mcs_bits(samples);
    if sample < 16 { (word >> (sample * bits)) as u32 & ((1 << bits) - 1) } else { u32::MAX }
}

/// The texel has the clear colour: every field of its MCS value is all ones.
pub(super) const fn mcs_is_clear(mcs: [u32; 2], samples: u32) -> bool {
    let word = mcs[0] as u64 | (mcs[1] as u64) << 32;
    let unused = match samples * mcs_bits(samples) {
        bits @ 0..64 => u64::MAX << bits,
        _ => 0,
    };
    word | unused == u64::MAX
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
            assert_eq!(mcs_plane(identity_mcs(16), s, 16), s);
        }
        assert_eq!(identity_mcs(16), [0x7654_3210, 0xfedc_ba98]);
        assert_eq!(identity_mcs(4), [0x3210, 0]);
        assert_eq!(mcs_plane([0x0000_0010, 0], 1, 8), 1);
        assert_eq!(mcs_plane([0, 0], 99, 16), u32::MAX);
    }

    /// 0xe4 is 3, 2, 1, 0 in fields of two bits; 2 is 1, 0 in fields of one.
    #[test]
    fn control_surfaces_have_fields_of_their_own() {
        assert_eq!([0, 1, 2, 3].map(|s| mcs_plane([0xe4, 0], s, 4)), [0, 1, 2, 3]);
        assert_eq!([0, 1].map(|s| mcs_plane([2, 0], s, 2)), [0, 1]);
        for (samples, clear) in [(2, [3, 0]), (4, [0xff, 0]), (8, [u32::MAX, 0]), (16, [u32::MAX; 2])] {
            assert!(mcs_is_clear(clear, samples) && !mcs_is_clear([clear[0] - 1, clear[1]], samples));
        }
        assert!(!mcs_is_clear([u32::MAX, 0], 16));
    }
}
