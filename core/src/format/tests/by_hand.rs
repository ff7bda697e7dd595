//! Formats that no ground truth covers, worked out by hand from their names and the definitions of
//! the numeric kinds (UNORM v/(2^n-1), SNORM max(v/(2^(n-1)-1), -1), SFIXED signed 16.16; sRGB by the
//! formula of IEC 61966-2-1 with 40-digit decimals).

use super::*;
use crate::enums::SurfaceFormat as F;

/// Returns the bytes of an element of a format, from little-endian dwords.
fn element(format: F, dwords: &[u32]) -> Vec<u8> {
    let mut bytes: Vec<u8> = dwords.iter().flat_map(|d| d.to_le_bytes()).collect();
    bytes.truncate(info(format).unwrap().bytes.into());
    bytes
}

const P: f32 = 1.0 / 65536.0;
/// 2^-32 and 2^-31: the smallest UNORM32 and SNORM32 as f32.
const TINY: f32 = P * P;
const TINY_S: f32 = 2.0 * TINY;
const ONE32: u32 = 0x3f80_0000;

#[test]
fn wide() {
    let unorm = [0, u32::MAX, 0x8000_0000, 1];
    let snorm = [0x8000_0000, 0x7fff_ffff, 0x4000_0000, u32::MAX];
    let scaled = [u32::MAX, 1, 0x8000_0000, 0x0100_0001];
    let fixed = [0x0001_8000, 0xffff_8000, 0x8000_0000, 1];
    let (un, sn) = ([0.0, 1.0, 0.5, TINY], [-1.0, 1.0, 0.5, -TINY_S]);
    let us = [4_294_967_296.0, 1.0, 2_147_483_648.0, 16_777_216.0];
    let ss = [-1.0, 1.0, -2_147_483_648.0, 16_777_216.0];
    let sx = [1.5, -0.5, -32768.0, P];
    for (formats, dwords, all) in [
        ([F::R32_UNORM, F::R32G32_UNORM, F::R32G32B32_UNORM, F::R32G32B32A32_UNORM], unorm, un),
        ([F::R32_SNORM, F::R32G32_SNORM, F::R32G32B32_SNORM, F::R32G32B32A32_SNORM], snorm, sn),
        ([F::R32_USCALED, F::R32G32_USCALED, F::R32G32B32_USCALED, F::R32G32B32A32_USCALED], scaled, us),
        ([F::R32_SSCALED, F::R32G32_SSCALED, F::R32G32B32_SSCALED, F::R32G32B32A32_SSCALED], scaled, ss),
        ([F::R32_SFIXED, F::R32G32_SFIXED, F::R32G32B32_SFIXED, F::R32G32B32A32_SFIXED], fixed, sx),
    ] {
        for (format, stored) in formats.into_iter().zip(1..) {
            let mut want = [0.0, 0.0, 0.0, 1.0];
            want[..stored].copy_from_slice(&all[..stored]);
            assert_eq!(floats(codec(format).decode(&element(format, &dwords), 0, 0)), want, "{format:?}");
        }
    }
}

#[test]
fn doubles_round_to_f32() {
    // 1.5, -0.1, 2^-1074 (0 in f32), 1e300 (infinite in f32).
    let values = [1.5, -0.1, f64::from_bits(1), 1e300];
    let dwords: Vec<u32> =
        values.iter().flat_map(|v| [v.to_bits() as u32, (v.to_bits() >> 32) as u32]).collect();
    let all = [1.5, -0.1f32, 0.0, f32::INFINITY];
    let formats = [F::R64_FLOAT, F::R64G64_FLOAT, F::R64G64B64_FLOAT, F::R64G64B64A64_FLOAT];
    for (format, stored) in formats.into_iter().zip(1..) {
        let mut want = [0.0, 0.0, 0.0, 1.0];
        want[..stored].copy_from_slice(&all[..stored]);
        assert_eq!(floats(codec(format).decode(&element(format, &dwords), 0, 0)), want, "{format:?}");
    }
}

#[test]
fn integers() {
    for (format, dwords, want) in [
        (F::R64_PASSTHRU, &[1, 2][..], [1, 2, 0, 1]),
        (F::R64G64_PASSTHRU, &[1, 2, 3, 4], [1, 2, 3, 4]),
        (F::X32_TYPELESS_G8X24_UINT, &[u32::MAX, 0xffff_ffab], [0, 0xab, 0, 1]),
        (F::X24_TYPELESS_G8_UINT, &[0xabff_ffff], [0, 0xab, 0, 1]),
        (F::R16G16B16_UINT, &[0x8000_0001, 0xffff], [1, 0x8000, 0xffff, 1]),
        (F::R16G16B16_SINT, &[0x8000_0001, 0xffff], [1, 0xffff_8000, u32::MAX, 1]),
        (F::R8G8B8_UINT, &[0x80ff01], [1, 0xff, 0x80, 1]),
        (F::R8G8B8_SINT, &[0x80ff01], [1, u32::MAX, 0xffff_ff80, 1]),
        // R = 1, G = -1, B = -512, A = -2.
        (
            F::R10G10B10A2_SINT,
            &[1 | 0x3ff << 10 | 0x200 << 20 | 2 << 30],
            [1, u32::MAX, 0xffff_fe00, 0xffff_fffe],
        ),
        (
            F::B10G10R10A2_SINT,
            &[1 | 0x3ff << 10 | 0x200 << 20 | 2 << 30],
            [0xffff_fe00, u32::MAX, 1, 0xffff_fffe],
        ),
    ] {
        assert_eq!(codec(format).decode(&element(format, dwords), 0, 0), want, "{format:?}");
    }
}

#[test]
fn odd_layouts() {
    let junk = u32::MAX;
    // X = 0x11, B = 0xff, G = 0x81 (-127), R = 0x7f from bit 0 up, and so on.
    for (format, dwords, want) in [
        (F::R32_FLOAT_X8X24_TYPELESS, &[ONE32, junk][..], [1.0, 0.0, 0.0, 1.0]),
        (F::A32X32_FLOAT, &[0x3f00_0000, junk], [0.0, 0.0, 0.0, 0.5]),
        (F::L32X32_FLOAT, &[0x3f00_0000, junk], [0.5, 0.5, 0.5, 1.0]),
        (F::I32X32_FLOAT, &[0x3f00_0000, junk], [0.5; 4]),
        (F::L32_UNORM, &[0x8000_0000], [0.5, 0.5, 0.5, 1.0]),
        (F::A32_UNORM, &[u32::MAX], [0.0, 0.0, 0.0, 1.0]),
        (F::L24X8_UNORM, &[0x7fff_ffff], [1.0, 1.0, 1.0, 1.0]),
        (F::I24X8_UNORM, &[0xff00_0000], [0.0; 4]),
        (F::A24X8_UNORM, &[0x00ff_ffff], [0.0, 0.0, 0.0, 1.0]),
        (F::R10G10B10_SNORM_A2_UNORM, &[0x1ff | 0x201 << 10 | 0x200 << 20 | 3 << 30], [1.0, -1.0, -1.0, 1.0]),
        (F::R10G10B10X2_USCALED, &[1 | 0x3ff << 10 | 3 << 30], [1.0, 1023.0, 0.0, 1.0]),
        (F::X8B8_UNORM_G8R8_SNORM, &[0x7f81_ff11], [1.0, -1.0, 1.0, 1.0]),
        (F::A8X8_UNORM_G8R8_SNORM, &[0x7f80_22ff], [1.0, -1.0, 0.0, 1.0]),
        (F::A8X8_UNORM_G8R8_SNORM, &[0x7f80_2200], [1.0, -1.0, 0.0, 0.0]),
        (F::B8X8_UNORM_G8R8_SNORM, &[0x8100_22ff], [-1.0, 0.0, 1.0, 1.0]),
        (F::R5G5_SNORM_B6_UNORM, &[15 | 16 << 5 | 63 << 10], [1.0, -1.0, 1.0, 1.0]),
        (F::R5G5_SNORM_B6_UNORM, &[17 | 21 << 10], [-1.0, 0.0, 21.0 / 63.0, 1.0]),
        (F::Y8_UNORM, &[0xff], [0.0, 1.0, 0.0, 1.0]),
        // Signed values stay signed when they become floats.
        (F::R10G10B10A2_SSCALED, &[0x1ff | 0x3ff << 10 | 0x200 << 20 | 2 << 30], [511.0, -1.0, -512.0, -2.0]),
        (F::B10G10R10A2_SSCALED, &[0x1ff | 0x3ff << 10 | 0x200 << 20 | 3 << 30], [-512.0, -1.0, 511.0, -1.0]),
    ] {
        assert_eq!(floats(codec(format).decode(&element(format, dwords), 0, 0)), want, "{format:?}");
    }
}

#[test]
fn srgb_of_other_widths() {
    let (c16_31, c32_63, c8_15, c128, c512) =
        (0.229_274_77, 0.221_460_71, 0.246_201_32, 0.215_860_5, 0.214_493_81);
    for (format, dwords, want) in [
        (F::B5G6R5_UNORM_SRGB, [16 | 32 << 5 | 31 << 11], [1.0, c32_63, c16_31, 1.0]),
        (F::B5G5R5A1_UNORM_SRGB, [16 << 10], [c16_31, 0.0, 0.0, 0.0]),
        (F::B5G5R5X1_UNORM_SRGB, [16 << 5], [0.0, c16_31, 0.0, 1.0]),
        (F::B4G4R4A4_UNORM_SRGB, [8 | 15 << 4 | 8 << 12], [0.0, 1.0, c8_15, 8.0 / 15.0]),
        (F::L8A8_UNORM_SRGB, [0x80 | 0x80 << 8], [c128, c128, c128, 128.0 / 255.0]),
        (
            F::R10G10B10A2_UNORM_SRGB,
            [512 | 1023 << 10 | 1 << 20 | 2 << 30],
            [c512, 1.0, 7.565_922e-5, 2.0 / 3.0],
        ),
        (
            F::B10G10R10A2_UNORM_SRGB,
            [512 | 1023 << 10 | 1 << 20 | 1 << 30],
            [7.565_922e-5, 1.0, c512, 1.0 / 3.0],
        ),
    ] {
        assert_eq!(floats(codec(format).decode(&element(format, &dwords), 0, 0)), want, "{format:?}");
    }
}

#[test]
fn palettes() {
    // Entry i: alpha 255 - i, red i, green 2 i, blue 255.
    let palette: Vec<u32> =
        (0..=255).map(|i| (255 - i) << 24 | i << 16 | ((2 * i) & 255) << 8 | 255).collect();
    let unorm = |v: u32| v as f32 / 255.0;
    let entry = |i: u32| [unorm(i), unorm(2 * i), 1.0];
    for (format, texel, x, index, alpha) in [
        (F::P8_UNORM_PALETTE0, 0x21, 0, 0x21, unorm(255 - 0x21)),
        (F::P8_UNORM_PALETTE1, 0x43, 0, 0x43, unorm(255 - 0x43)),
        // The component named first has the low bits; alpha of 4 bits is divided by 15.
        (F::P4A4_UNORM_PALETTE0, 0xc5, 0, 5, 12.0 / 15.0),
        (F::P4A4_UNORM_PALETTE1, 0x0f, 0, 15, 0.0),
        (F::A4P4_UNORM_PALETTE0, 0xc5, 0, 12, 5.0 / 15.0),
        (F::A4P4_UNORM_PALETTE1, 0xf0, 0, 15, 0.0),
        (F::P8A8_UNORM_PALETTE0, 0xff21, 0, 0x21, 1.0),
        (F::P8A8_UNORM_PALETTE1, 0x0021, 0, 0x21, 0.0),
        (F::A8P8_UNORM_PALETTE0, 0x21ff, 0, 0x21, 1.0),
        (F::A8P8_UNORM_PALETTE1, 0x2100, 0, 0x21, 0.0),
        // Four texels a byte, the first in the low bits.
        (F::P2_UNORM_PALETTE0, 0b11_01_10_00, 1, 2, unorm(253)),
        (F::P2_UNORM_PALETTE1, 0b11_01_10_00, 3, 3, unorm(252)),
    ] {
        let codec = FormatDecoder::with_palette(format, &palette).unwrap();
        let [r, g, b] = entry(index);
        assert_eq!(floats(codec.decode(&element(format, &[texel]), x, 0)), [r, g, b, alpha], "{format:?}");
    }
    let short = FormatDecoder::with_palette(F::P8_UNORM_PALETTE0, &palette[..1]).unwrap();
    assert_eq!(short.decode(&[1], 0, 0), [0; 4]);
}

#[test]
fn packed_yuv() {
    // Bytes 0, 51, 102, 153 are 0, 1/5, 2/5, 3/5; R = Cr, G = Y, B = Cb.
    let bytes = [0, 51, 102, 153];
    for (format, [first, second]) in [
        (F::YCRCB_NORMAL, [[0.6, 0.0, 0.2], [0.6, 0.4, 0.2]]),
        (F::YCRCB_SWAPUV, [[0.2, 0.0, 0.6], [0.2, 0.4, 0.6]]),
        (F::YCRCB_SWAPY, [[0.4, 0.2, 0.0], [0.4, 0.6, 0.0]]),
        (F::YCRCB_SWAPUVY, [[0.0, 0.2, 0.4], [0.0, 0.6, 0.4]]),
    ] {
        for (x, [r, g, b]) in [(0, first), (1, second)] {
            assert_eq!(floats(codec(format).decode(&bytes, x, 0)), [r, g, b, 1.0], "{format:?} texel {x}");
        }
    }
}

#[test]
fn planes() {
    for (format, y, cbcr) in
        [(F::PLANAR_420_8, &[255][..], &[51, 102][..]), (F::PLANAR_420_16, &[255, 255], &[51, 51, 102, 102])]
    {
        let planes = Planar::of(format).unwrap();
        let (luma, chroma) = (codec(planes.luma).decode(y, 0, 0), codec(planes.chroma).decode(cbcr, 0, 0));
        assert_eq!(floats(Planar::combine(luma, chroma)), [0.4, 1.0, 0.2, 1.0], "{format:?}");
        assert_eq!(info(format).unwrap().bytes, 0);
    }
    assert_eq!(Planar::of(F::R8_UNORM), None);
}

#[cfg(feature = "bc")]
#[test]
fn srgb_blocks() {
    // Endpoints white and black; selectors of texels 0..3: first, second, 2/3, 1/3 of white.
    let bc1 = 0x0000_00e4_0000_ffffu64.to_le_bytes();
    let (two, one) = (0.401_977_78, 0.090_841_71);
    let texel = |format, block: &[u8], x| floats(codec(format).decode(block, x, 0));
    for format in [F::BC1_UNORM_SRGB, F::DXT1_RGB_SRGB] {
        assert_eq!(texel(format, &bc1, 0), [1.0; 4]);
        assert_eq!(texel(format, &bc1, 2), [two, two, two, 1.0]);
        assert_eq!(texel(format, &bc1, 3), [one, one, one, 1.0]);
    }
    // Alpha is linear: explicit 4 bits, and interpolated half-way steps of 255..0.
    let explicit = [&[0x80, 0, 0, 0, 0, 0, 0, 0][..], &bc1].concat();
    assert_eq!(texel(F::BC2_UNORM_SRGB, &explicit, 1), [0.0, 0.0, 0.0, 8.0 / 15.0]);
    let interpolated = [&[255, 0, 0b10_000, 0, 0, 0, 0, 0][..], &bc1].concat();
    assert_eq!(texel(F::BC3_UNORM_SRGB, &interpolated, 1), [0.0, 0.0, 0.0, 6.0 / 7.0]);
    // BC7 mode 6: all R, G, B endpoints 64, p-bits 0 (so 128), alpha 64: every texel 128.
    let mut mode6 = 1u128 << 6;
    for component in 0..8 {
        mode6 |= 64 << (7 + 7 * component);
    }
    let c = 0.215_860_5;
    assert_eq!(texel(F::BC7_UNORM_SRGB, &mode6.to_le_bytes(), 3), [c, c, c, 128.0 / 255.0]);
}

#[cfg(feature = "etc")]
#[test]
fn srgb_etc_blocks() {
    // Differential, both halves R = G = B = 16 (expanded 132), table 0; selector 0: +2 -> 134.
    let block = [16 << 3, 16 << 3, 16 << 3, 2, 0, 0, 0, 0];
    let (linear, want) = (134.0 / 255.0, 0.238_397_57);
    let texel = |format, block: &[u8]| floats(codec(format).decode(block, 0, 0));
    assert_eq!(texel(F::ETC2_RGB8, &block), [linear, linear, linear, 1.0]);
    assert_eq!(texel(F::ETC2_SRGB8, &block), [want, want, want, 1.0]);
    assert_eq!(texel(F::ETC2_SRGB8_PTA, &block), [want, want, want, 1.0]);
    // Alpha: base 100, multiplier 1, table 0, index 0: 100 - 3, linear.
    let eac = [&[100, 0x10, 0, 0, 0, 0, 0, 0][..], &block].concat();
    assert_eq!(texel(F::ETC2_EAC_SRGB8_A8, &eac), [want, want, want, 97.0 / 255.0]);
}

/// An illegal ETC1 block: red 31 + 1 wraps to 0 where ETC2 would change the mode.
#[cfg(feature = "etc")]
#[test]
fn etc1_wraps() {
    let block = [31 << 3 | 1, 0, 0, 2, 0, 0, 0, 0];
    // Columns 2 and 3 have the second base colour; table 0, selector 0: +2.
    let right = floats(codec(F::ETC1_RGB8).decode(&block, 2, 0));
    assert_eq!(right, [2.0 / 255.0, 2.0 / 255.0, 2.0 / 255.0, 1.0]);
    assert_ne!(floats(codec(F::ETC2_RGB8).decode(&block, 2, 0)), right);
}

/// EAC indices have three bits for each texel, by columns; that of the first texel is in bits 47:45.
#[cfg(feature = "etc")]
#[test]
fn eac_texels_have_their_own_bits() {
    let colour = [0; 8];
    for own in 0..16_u32 {
        // Base 100, multiplier 1, table 13: index 7 is 9 more, index 0 is 1 less.
        let word = 100 << 56 | 0x1d << 48 | 7_u64 << (45 - own * 3);
        let block = [&word.to_be_bytes()[..], &colour].concat();
        for texel in 0..16 {
            let [.., alpha] = floats(codec(F::ETC2_EAC_RGBA8).decode(&block, texel / 4, texel % 4));
            assert_eq!(alpha, if texel == own { 109.0 } else { 99.0 } / 255.0, "{texel} of {own}");
        }
    }
}
