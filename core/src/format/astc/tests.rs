//! Blocks, their texels and the scale of HDR.

use super::*;
use crate::enums::SurfaceFormat;
use crate::format::{ASTC_FOOTPRINTS, AstcResult, FormatDecoder};

fn codec(result: AstcResult, width: u8, height: u8) -> FormatDecoder<'static> {
    FormatDecoder::new(SurfaceFormat::astc(result, width, height).unwrap()).unwrap()
}

#[test]
fn void_extents() {
    // A void extent that reaches everywhere; R 0, G 0x8000, B 0xffff, A 0x4000.
    let mut block = [0xff; 16];
    block[..2].copy_from_slice(&[0xfc, 0xfd]);
    block[8..].copy_from_slice(&[0, 0, 0, 0x80, 0xff, 0xff, 0, 0x40]);
    let texel = |result| codec(result, 6, 6).decode(&block, 3, 4).map(f32::from_bits);
    assert_eq!(texel(AstcResult::LdrFloat), [0.0, 0.5, 1.0, 0.25]);
    let [r, g, b, a] = texel(AstcResult::LdrSrgb);
    assert_eq!([r, g, b, a], [0.0, crate::format::srgb8(128), 1.0, 64.0 / 255.0]);
    let plain = codec(AstcResult::LdrSrgb, 6, 6).without_srgb();
    assert_eq!(f32::from_bits(plain.decode(&block, 0, 0)[1]), 128.0 / 255.0);
    // Halves are for HDR formats; reserved bits must be ones.
    block[1] |= 2;
    for (result, want) in [(AstcResult::HdrFloat, 2.0), (AstcResult::LdrFloat, 1.0)] {
        assert_eq!(f32::from_bits(codec(result, 6, 6).decode(&block, 0, 0)[3]), want);
    }
    block[1] = 0xf9;
    assert_eq!(codec(AstcResult::HdrFloat, 6, 6).decode(&block, 0, 0), ERROR);
}

/// A grid as large as the block has a point for each texel.
#[test]
fn points_of_texels() {
    for size in [4, 5, 6, 8, 10, 12] {
        for at in 0..size {
            let GridPosition { point, fraction } = position(at, steps(size), size);
            assert_eq!((point, fraction), (at, 0), "{at} of {size}");
        }
    }
}

#[test]
fn halves_of_the_logarithmic_scale() {
    for c in 0..=0xffff_u32 {
        let (e, m) = (c >> 11, c & 0x7ff);
        let bent = if m < 512 {
            3 * m
        } else if m < 1536 {
            4 * m - 512
        } else {
            5 * m - 2048
        };
        let want = half::to_f32((e << 10 | bent >> 3).min(0x7bff) as u16);
        assert_eq!(logarithmic(c), want.to_bits(), "{c:#x}");
    }
}

/// 16 bits of UNORM are rounded toward zero to a half, and all ones become 1.
#[test]
fn halves_of_unorm() {
    for c in 0..=0xffff_u32 {
        let exact = f64::from(c) / 65536.0;
        let got = f32::from_bits(unorm(c));
        let half = half::from_f32(got);
        assert_eq!(half::to_f32(half), got, "{c:#x} is a half");
        if c == 0xffff {
            assert_eq!(got, 1.0);
        } else {
            assert!(f64::from(got) <= exact && exact < f64::from(half::to_f32(half + 1)), "{c:#x}");
        }
    }
}

#[test]
fn blocks_are_their_texels() {
    let mut noise = 1_u128;
    for (width, height) in ASTC_FOOTPRINTS {
        for result in [AstcResult::LdrSrgb, AstcResult::LdrFloat, AstcResult::HdrFloat] {
            let codec = codec(result, width, height);
            let mut legal = 0;
            for _ in 0..400 {
                noise = noise.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(1);
                let block = (noise ^ noise >> 64).to_le_bytes();
                let mut texels = [[0; 4]; 144];
                let count = codec.decode_block_into(&block, &mut texels);
                assert_eq!(count, usize::from(width) * usize::from(height));
                for (i, texel) in (0..).zip(&texels[..count]) {
                    let (x, y) = (i % u32::from(width), i / u32::from(width));
                    assert_eq!(
                        *texel,
                        codec.decode(&block, x, y),
                        "{result:?} {width}x{height} {block:x?} {i}"
                    );
                    assert_eq!(*texel, codec.decode(&block, x + u32::from(width), y), "repeats");
                }
                legal += usize::from(texels[0] != ERROR);
            }
            assert!(legal > 8, "{legal} of {width}x{height}");
        }
    }
}
