//! Behaviour of the sampler that no published document defines.
//!
//! Each item has an identifier, which code, emulator, tests and documents cite and which is never used for another
//! item. A second implementation that wants the same results must follow these descriptions.
//!
//! | id | what | texwire's choice | where |
//! |---|---|---|---|
//! | U01 | Packed offsets | The U offset is in bits 5:0 and the V offset in bits 11:6, each a signed 6-bit number; a combined LOD or bias is the parameter with these bits cleared, a float of the parameter's width. `OffUv` and `OffUvR` hold the same 12 bits; everything above them is ignored (Mesa, `intel_nir_lower_texture.c`, Xe2) | [`packed_offset`], [`packed_lod`] |
//! | U02 | Programmable offsets | They replace the immediate ones. Separate ones use their low 6 bits, signed | `execute` |
//! | U03 | 16-bit integer parameters | Coordinates, levels and offsets are sign-extended; sample index, MCS words and resinfo's LOD are zero-extended | `params` |
//! | U04 | NaN and far coordinates | A NaN texel coordinate is 0, except under CLAMP_BORDER, where it is outside, as far coordinates are; one beyond +-2^24 texels is clamped to that and is the centre of a texel: LINEAR does not subtract 1/2 | [`COORDINATE_LIMIT`], `axis` |
//! | U05 | Special directions of a cube | NaN is 0, an infinity is the largest f32; the zero direction is the centre of +Z | `cube` |
//! | U06 | NaN of other parameters | A NaN LOD, also one that is NaN because a derivative is, is the minimum LOD; a NaN array index is 0 | `lod`, `select`, `params` |
//! | U07 | Lanes past the width | Subspans of SIMD1 and SIMD2 messages read 0 in the lanes that the message does not have | `params` |
//! | U08 | 8-bit coordinates | `Precision::Fixed8`: the texel coordinate is rounded to 1/256 texel before it is split, half up when the axis' rounding enable for the chosen filter is set, else downward. gather4 uses the magnification's enables | [`fixed8`], `axis` |
//! | U09 | 8-bit LOD | `Precision::Fixed8`: LOD plus biases is rounded half up to 1/256, then clamped; a minimum LOD in the payload is not rounded | [`fixed8`], [`small_fixed8`], `select` |
//! | U10 | Trilinear quality | Below FULL, a fraction within 1/16 (HIGH), 1/8 (MED) or 1/4 (LOW) of a whole mip level uses that level alone; other fractions are unchanged | [`trilinear_zone`] |
//! | U11 | Mip level without mip filter, or magnified | floor(max(Min LOD, Resource Min LOD, the message's minimum)), unless LOD Clamp Magnification Mode leaves magnification to the mip filter | `select` |
//! | U12 | LOD PreClamp | Codes 1 and 3 are NONE | `sampler` |
//! | U13 | Coarse pixel shading | The caller's term is added to the LOD of messages with the CPS flag | `execute` |
//! | U14 | Anisotropic filter | It is LINEAR on 3D and CUBE, with non-normalized coordinates and for a LOD without derivatives. Legacy and EWA are the same | `plan` |
//! | U15 | MIN and MAX reduction | They reduce over every texel with a weight, of all anisotropic samples and both mip levels; NaN is skipped. Comparisons are not reduced | `filter` |
//! | U16 | HALF_BORDER | NEAREST clamps the index to the level, then adds the offset | `axis` |
//! | U17 | gather4 on 3D | It reads one slice, chosen as by NEAREST | `plan` |
//! | U18 | Border colour mode | DX9 means the same as DX10/OGL | no code reads the field |
//! | U19 | Null page | The texel has 0 in every component of the format and defaults in all others, as for a load out of range | `read` |
//! | U20 | Fault | All channels of the lane are 0; its bit of the pixel null mask stays 1 | `read`, `execute` |
//! | U21 | Comparison result | (value, 0, 0, 1), then the channel select; gather4 comparisons skip the select | `plan` |
//! | U22 | Corner of a cube | With a comparison, the average of the three other texels is compared. For integers it is their sum divided by 3, rounded toward zero | `seam` |
//! | U23 | Address modes of cubes | Seamless when the override is set or TCX is CUBE; else every mode is a clamp to the face. CUBE on another surface is CLAMP. The non-normalized enable has no effect on a cube | `sampler`, `texture` |
//! | U24 | MCS value without a control surface | `ld_mcs` returns the identity, and sample s is in the plane that nibble s of a message's MCS value names | [`identity_mcs`], [`mcs_plane`] |
//! | U25 | MCS value with a control surface | `ld_mcs` returns the element as it is; sample s is in the plane that field s names, of 1, 2, 4, 4 bits for 2, 4, 8, 16 samples; all ones in every field mean the clear colour (Mesa, `blorp_nir_mcs_is_clear_color`) | [`mcs_plane`], [`mcs_is_clear`] |
//! | U26 | Clear colour | It is converted to the format as a border colour is; at the Clear Value Address it is four dwords | `mcs` |
//! | U27 | BUFFER, STRBUF | A load uses U alone | `load` |
//! | U28 | Planar formats | One chroma plane of pairs (Cb, Cr); only 2D surfaces with one mip level, layer and sample, not W-major. Column and row of the chroma plane count luma texels and rows of the surface, in the surface's tiling; an odd column of a tiled surface is refused. X and Y Offset move both planes, once | `texture` |
//! | U29 | Kill mask | `sample+killpix` with one register more than its channels returns a dword of ones: the chroma key that would clear bits is not part of the sampler state. With a chroma key enabled the mask is refused; without the mask a key that kills lanes changes nothing; a key that replaces texels by black is refused | `permit`, `writeback`, `sampler` |
//! | U30 | sample_min, sample_max | `sample` with reduction MINIMUM or MAXIMUM, of 2D surfaces | `permit`, `plan` |
//! | U31 | State without effect | All faces of a cube are enabled; rotation is for render targets and media messages; both values of Tile Address Mapping Mode use Gen11's tables | no code reads the fields |
//! | U32 | Tiled resources in 1D (Gen9) | Levels are placed as in 2D, each of one row of tiles | `memory::tiled` |
//! | U33 | A mip level in the mip tail that is larger than its slot | It continues in the next tile | `memory::tiled` |
//! | U34 | SIMD modes with integer return (Xe-HPG) | They return what other modes do: an integer format's integers, a float format's floats | `eu::descriptor` |
//! | U35 | Refused, because no source that was found describes them | Reading of quilts other than 1 x 1, memory compression, a base mip level, returned filter weights, forced gather4, CCS and HiZ (unless the caller says that they are resolved), media messages (SIMD32/64), R1_UNORM and MONO8 (the order of bits in a byte and the alignment of rows), the positions of TXQ's VC, CENTER and REGULAR modes. RAW has no texels | `permit`, `texture`, `sampler`, `mcs`, `format`, `eu::lower`, `txq::answer` |

use crate::bits::sign_extend;
use crate::format::half;
use crate::message::{Op, Param, Width};

/// Texel coordinates are clamped to +-this (U04).
pub(super) const COORDINATE_LIMIT: f32 = 16_777_216.0;

/// Returns the offset along axis 0 (U) or 1 (V) of a packed parameter, in texels (U01).
#[inline(always)]
pub(super) const fn packed_offset(word: u32, axis: usize) -> i32 {
    sign_extend(if axis == 0 { word } else { word >> 6 }, 6)
}

/// Returns the parameters that hold the offsets of U and of V, each with the axis at which [`packed_offset`] finds the offset in it;
/// `None` if the message has no offsets in its payload (U01, U02).
pub(super) const fn offset_params(op: Op) -> Option<[(Param, u8); 2]> {
    let packed = match op {
        Op::Gather4Po | Op::Gather4PoC => return Some([(Param::OffU, 0), (Param::OffV, 0)]),
        Op::Gather4PoPacked | Op::Gather4PoI => Param::OffUv,
        Op::Gather4PoCPacked | Op::Gather4PoIC => Param::OffUvR,
        Op::Gather4PoL | Op::Gather4PoLC => Param::LodOffUv,
        Op::Gather4PoB => Param::BiasOffUv,
        _ => return None,
    };
    Some([(packed, 0), (packed, 1)])
}

/// Returns the float (LOD or bias) of a parameter of width `width`, without the offsets in its low 12 bits (U01).
#[inline(always)]
pub(super) fn packed_lod(word: u32, width: Width) -> f32 {
    let bits = word & !0xfff;
    match width {
        Width::Full => f32::from_bits(bits),
        Width::Half => half::to_f32(bits as u16),
    }
}

/// Rounds `x` to a multiple of 1/256: to the nearest (half up) if `round`, else downward (U08, U09).
#[cfg_attr(target_pointer_width = "64", inline(always))]
#[cfg_attr(not(target_pointer_width = "64"), inline(never))]
pub(super) fn fixed8(x: f32, round: bool) -> f32 {
    let scaled = x * 256.0;
    // From 2^23 on the scaled number has no fraction bits (and adding 1/2 would round by itself).
    let below = super::rounding::whole_floor(if round { scaled + 0.5 } else { scaled });
    if scaled.abs() < 8_388_608.0 { below / 256.0 } else { x }
}

/// [`fixed8`] to the nearest, of a number from 0 to 2^13, with fewer operations.
#[inline(always)]
pub(super) fn small_fixed8(x: f32) -> f32 {
    super::rounding::near_floor(x * 256.0 + 0.5) * (1.0 / 256.0)
}

/// The greatest number that [`fixed8`] rounds to 0 as the nearest: half of 1/256 is rounded up.
pub(super) const MOST_ROUNDED_TO_0: f32 = (0.5 - f32::EPSILON / 2.0) / 256.0;

/// Returns, by trilinear quality (0 FULL .. 3 LOW), the distance from a mip level within which an LOD reads that level
/// alone (U10).
pub(super) const fn trilinear_zone(quality: u8) -> f32 {
    match quality {
        0 => 0.0,
        1 => 0.0625,
        2 => 0.125,
        _ => 0.25,
    }
}

/// Returns the MCS value (low and high dword) in which each of `samples` samples is in its own plane, a nibble each (U24).
pub(super) const fn identity_mcs(samples: u32) -> [u32; 2] {
    let all = 0xfedc_ba98_7654_3210_u64;
    let value = if samples < 16 { all & !(u64::MAX << (samples * 4)) } else { all };
    [value as u32, (value >> 32) as u32]
}

/// Returns the bits of one sample's field in the MCS element of a texel with `samples` samples (U25).
#[inline(always)]
const fn mcs_bits(samples: u32) -> u32 {
    match samples {
        0..=2 => 1,
        3..=4 => 2,
        _ => 4,
    }
}

/// Returns the plane that holds `sample` of `samples`, by the MCS value (low and high dword); `u32::MAX` from sample 16 on (U24, U25).
#[inline(always)]
pub(super) const fn mcs_plane([low, high]: [u32; 2], sample: u32, samples: u32) -> u32 {
    let bits = mcs_bits(samples);
    let at = sample.wrapping_mul(bits);
    // No field straddles the two dwords.
    let word = if at & 32 == 0 { low } else { high };
    if sample < 16 { word >> (at & 31) & ((1 << bits) - 1) } else { u32::MAX }
}

/// Returns true if the texel has the clear colour: every field of its MCS value is all ones (U25).
#[inline(always)]
pub(super) const fn mcs_is_clear([low, high]: [u32; 2], samples: u32) -> bool {
    let [unused_low, unused_high] = match samples * mcs_bits(samples) {
        bits @ 0..32 => [u32::MAX << bits, u32::MAX],
        bits @ 32..64 => [0, u32::MAX << (bits - 32)],
        _ => [0; 2],
    };
    low | unused_low == u32::MAX && high | unused_high == u32::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Width;

    #[test]
    fn packed_offsets_are_six_bits_signed() {
        let both = |word| [packed_offset(word, 0), packed_offset(word, 1)];
        assert_eq!(both(0x3f << 6 | 0x1f), [31, -1]);
        assert_eq!(both(0xffff_f000 | 0x20), [-32, 0]);
        assert_eq!(packed_lod(2.5f32.to_bits() | 0xabc, Width::Full), 2.5);
        assert_eq!(packed_lod(0xffff_4abc, Width::Half), 2.0);
    }

    /// The parameter that holds the offsets is one that the operation has.
    #[test]
    fn offsets_are_in_parameters_of_the_operation() {
        for (op, param) in [
            (Op::Gather4PoPacked, Param::OffUv),
            (Op::Gather4PoI, Param::OffUv),
            (Op::Gather4PoCPacked, Param::OffUvR),
            (Op::Gather4PoIC, Param::OffUvR),
            (Op::Gather4PoL, Param::LodOffUv),
            (Op::Gather4PoLC, Param::LodOffUv),
            (Op::Gather4PoB, Param::BiasOffUv),
        ] {
            assert_eq!(offset_params(op), Some([(param, 0), (param, 1)]), "{op:?}");
            assert!(op.params(Width::Full).contains(&param), "{op:?}");
        }
        assert_eq!(offset_params(Op::Gather4PoC), Some([(Param::OffU, 0), (Param::OffV, 0)]));
        assert_eq!(offset_params(Op::Gather4), None);
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

    /// From the high bits down, 0xe4 is 3, 2, 1, 0 in fields of two bits, and 2 is 1, 0 in fields of one.
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
