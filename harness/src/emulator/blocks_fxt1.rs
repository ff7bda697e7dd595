//! Decodes FXT1 blocks, 8 x 4 texels in 128 bits (astc-and-tiles page, section 2; GL_3DFX_texture_compression_FXT1).

use super::numbers::Texel;

/// Decodes texel (x, y) of a block.
pub fn decode(block: &[u8], x: usize, y: usize) -> Texel {
    let bits = |low: usize, count: usize| {
        (low..low + count).rev().fold(0u32, |v, k| v * 2 + u32::from(block[k / 8] >> (k % 8) & 1))
    };
    let (right, t) = (x / 4, x / 4 * 16 + y * 4 + x % 4);
    let rgb = |p: usize| [bits(p + 10, 5), bits(p + 5, 5), bits(p, 5)].map(|v| (255 * v + 15) / 31);
    let wide = |v: u32| (255 * v + 31) / 63;
    let alpha = |p: usize| (255 * bits(p, 5) + 15) / 31;
    let with = |[r, g, b]: [u32; 3], a: u32| [r, g, b, a];
    let lerp = |n: u32, k: u32, a: [u32; 4], b: [u32; 4]| -> [u32; 4] {
        std::array::from_fn(|c| ((n - k) * a[c] + k * b[c] + n / 2) / n)
    };
    let (high, low) = (bits(3 * t, 3), bits(2 * t, 2));
    let colour = match (bits(125, 3), bits(124, 1)) {
        (0 | 1, _) if high == 7 => [0; 4],
        (0 | 1, _) => lerp(6, high, with(rgb(96), 255), with(rgb(111), 255)),
        (2, _) => with(rgb(64 + 15 * low as usize), 255),
        (3, 0) if low == 3 => [0; 4],
        (3, 0) => with(rgb(64 + 15 * low as usize), alpha(109 + 5 * low as usize)),
        (3, _) => {
            let own = with(rgb(64 + 30 * right), alpha(109 + 10 * right));
            lerp(3, low, own, with(rgb(79), alpha(114)))
        }
        (_, punch) => {
            let p = 64 + 30 * right;
            let (mut c0, mut c1) = (rgb(p), rgb(p + 15));
            let g = bits(125 + right, 1);
            c1[1] = wide(bits(p + 20, 5) * 2 + g);
            if punch == 0 {
                c0[1] = wide(bits(p + 5, 5) * 2 + (g ^ bits(1 + 32 * right, 1)));
                lerp(3, low, with(c0, 255), with(c1, 255))
            } else {
                match low {
                    0 => with(c0, 255),
                    1 => with([0, 1, 2].map(|c| (c0[c] + c1[c]) / 2), 255),
                    2 => with(c1, 255),
                    _ => [0; 4],
                }
            }
        }
    };
    colour.map(|v| f64::from(v) / 255.0)
}
