//! Decodes ETC1, ETC2 and EAC blocks (sampling page, section 13; Khronos Data Format Specification).
//!
//! A block is a 64-bit big-endian number; texel (x, y) has index 4x + y (column-major).

use super::numbers::Texel;

/// The small and the large modifier of each table of ETC1 and ETC2.
const MODIFIERS: [[i32; 2]; 8] =
    [[2, 8], [5, 17], [9, 29], [13, 42], [18, 60], [24, 80], [33, 106], [47, 183]];
/// The distances of the paint colours of the T and H modes.
const DISTANCES: [i32; 8] = [3, 6, 11, 16, 23, 32, 41, 64];
/// The modifiers of EAC, by table and index.
#[rustfmt::skip]
const EAC: [[i32; 8]; 16] = [
    [-3, -6, -9, -15, 2, 5, 8, 14], [-3, -7, -10, -13, 2, 6, 9, 12],
    [-2, -5, -8, -13, 1, 4, 7, 12], [-2, -4, -6, -13, 1, 3, 5, 12],
    [-3, -6, -8, -12, 2, 5, 7, 11], [-3, -7, -9, -11, 2, 6, 8, 10],
    [-4, -7, -8, -11, 3, 6, 7, 10], [-3, -5, -8, -11, 2, 4, 7, 10],
    [-2, -6, -8, -10, 1, 5, 7, 9], [-2, -5, -8, -10, 1, 4, 7, 9],
    [-2, -4, -8, -10, 1, 3, 7, 9], [-2, -5, -7, -10, 1, 4, 6, 9],
    [-3, -4, -7, -10, 2, 3, 6, 9], [-1, -2, -3, -10, 0, 1, 2, 9],
    [-4, -6, -8, -9, 3, 5, 7, 8], [-3, -5, -7, -9, 2, 4, 6, 8],
];

/// Decodes texel (x, y) of a block of the format `name`.
pub fn decode(name: &str, block: &[u8], x: usize, y: usize) -> Texel {
    let word = |at: usize| u64::from_be_bytes(block[at..at + 8].try_into().expect("8 bytes"));
    let eac = |at| {
        let signed = name.contains("SIGNED");
        eac11(word(at), x, y, signed)
    };
    match name {
        "EAC_R11" | "EAC_SIGNED_R11" => [eac(0), 0.0, 0.0, 0.0],
        "EAC_RG11" | "EAC_SIGNED_RG11" => [eac(0), eac(8), 0.0, 0.0],
        "ETC2_EAC_RGBA8" | "ETC2_EAC_SRGB8_A8" => {
            let [r, g, b, _] = color(word(8), x, y, false, false);
            [r, g, b, eac8(word(0), x, y)]
        }
        _ => color(word(0), x, y, name.contains("PTA"), name == "ETC1_RGB8"),
    }
}

/// Returns bits hi:lo of a block.
fn bits(v: u64, hi: u32, lo: u32) -> i32 {
    (v >> lo & ((1 << (hi - lo + 1)) - 1)) as i32
}

/// Returns a field of `width` bits as a two's complement number.
fn signed(v: i32, width: u32) -> i32 {
    if v >> (width - 1) & 1 == 1 { v - (1 << width) } else { v }
}

/// Expands a component of `width` bits to eight by repeating its top bits.
fn expand(v: i32, width: u32) -> i32 {
    match width {
        4 => v << 4 | v,
        5 => v << 3 | v >> 2,
        6 => v << 2 | v >> 4,
        _ => v << 1 | v >> 6,
    }
}

fn opaque(rgb: [i32; 3]) -> Texel {
    let [r, g, b] = rgb.map(|c| f64::from(c.clamp(0, 255)) / 255.0);
    [r, g, b, 1.0]
}

fn color(v: u64, x: usize, y: usize, pta: bool, etc1: bool) -> Texel {
    let index = (4 * x + y) as u32;
    let selector = bits(v, index + 16, index + 16) << 1 | bits(v, index, index);
    // The differential bit; in punch-through alpha (PTA) formats it means "opaque", and there is no individual mode.
    let flag = bits(v, 33, 33) == 1;
    let (differential, transparent) = (flag || pta, pta && !flag);
    let hole = transparent && selector == 2;
    let base5 = [bits(v, 63, 59), bits(v, 55, 51), bits(v, 47, 43)];
    let delta = [bits(v, 58, 56), bits(v, 50, 48), bits(v, 42, 40)].map(|d| signed(d, 3));
    let sum: Vec<i32> = (0..3).map(|c| base5[c] + delta[c]).collect();
    if differential && !etc1 {
        let outside = |c: usize| !(0..=31).contains(&sum[c]);
        if outside(0) || outside(1) {
            let paint = if outside(0) { t_mode(v) } else { h_mode(v) };
            return if hole { [0.0; 4] } else { opaque(paint[selector as usize]) };
        }
        if outside(2) {
            return planar(v, x as i32, y as i32);
        }
    }
    if hole {
        return [0.0; 4];
    }
    let flip = bits(v, 32, 32) == 1;
    let second = if flip { y >= 2 } else { x >= 2 };
    let base: Vec<i32> = (0..3)
        .map(|c| match (differential, second) {
            (true, false) => expand(base5[c], 5),
            (true, true) => expand(sum[c] & 31, 5),
            (false, first) => {
                let top = 63 - 8 * c as u32 - if first { 4 } else { 0 };
                expand(bits(v, top, top - 3), 4)
            }
        })
        .collect();
    let table = if second { bits(v, 36, 34) } else { bits(v, 39, 37) } as usize;
    let [small, large] = MODIFIERS[table];
    let modifier = match selector {
        0 if transparent => 0,
        0 => small,
        1 => large,
        2 => -small,
        _ => -large,
    };
    opaque([base[0] + modifier, base[1] + modifier, base[2] + modifier])
}

fn plus(color: [i32; 3], d: i32) -> [i32; 3] {
    color.map(|c| (c + d).clamp(0, 255))
}

/// Returns the four paint colours of the T mode.
fn t_mode(v: u64) -> [[i32; 3]; 4] {
    let r1 = bits(v, 60, 59) << 2 | bits(v, 57, 56);
    let one = [r1, bits(v, 55, 52), bits(v, 51, 48)].map(|c| expand(c, 4));
    let two = [bits(v, 47, 44), bits(v, 43, 40), bits(v, 39, 36)].map(|c| expand(c, 4));
    let d = DISTANCES[(bits(v, 35, 34) << 1 | bits(v, 32, 32)) as usize];
    [one, plus(two, d), two, plus(two, -d)]
}

/// Returns the four paint colours of the H mode.
fn h_mode(v: u64) -> [[i32; 3]; 4] {
    let g1 = bits(v, 58, 56) << 1 | bits(v, 52, 52);
    let b1 = bits(v, 51, 51) << 3 | bits(v, 49, 47);
    let one = [bits(v, 62, 59), g1, b1];
    let two = [bits(v, 46, 43), bits(v, 42, 39), bits(v, 38, 35)];
    let number = |c: [i32; 3]| c[0] << 8 | c[1] << 4 | c[2];
    let order = i32::from(number(one) >= number(two));
    let d = DISTANCES[(bits(v, 34, 34) << 2 | bits(v, 32, 32) << 1 | order) as usize];
    let (one, two) = (one.map(|c| expand(c, 4)), two.map(|c| expand(c, 4)));
    [plus(one, d), plus(one, -d), plus(two, d), plus(two, -d)]
}

fn planar(v: u64, x: i32, y: i32) -> Texel {
    let o = [
        expand(bits(v, 62, 57), 6),
        expand(bits(v, 56, 56) << 6 | bits(v, 54, 49), 7),
        expand(bits(v, 48, 48) << 5 | bits(v, 44, 43) << 3 | bits(v, 41, 39), 6),
    ];
    let h = [
        expand(bits(v, 38, 34) << 1 | bits(v, 32, 32), 6),
        expand(bits(v, 31, 25), 7),
        expand(bits(v, 24, 19), 6),
    ];
    let down = [expand(bits(v, 18, 13), 6), expand(bits(v, 12, 6), 7), expand(bits(v, 5, 0), 6)];
    opaque(std::array::from_fn(|c| (x * (h[c] - o[c]) + y * (down[c] - o[c]) + 4 * o[c] + 2) >> 2))
}

/// Returns base, multiplier and modifier of a texel of an EAC block.
fn eac(v: u64, x: usize, y: usize) -> (i32, i32, i32) {
    let low = 45 - 3 * (4 * x + y) as u32;
    let modifier = EAC[bits(v, 51, 48) as usize][bits(v, low + 2, low) as usize];
    (bits(v, 63, 56), bits(v, 55, 52), modifier)
}

fn eac8(v: u64, x: usize, y: usize) -> f64 {
    let (base, multiplier, modifier) = eac(v, x, y);
    f64::from((base + modifier * multiplier).clamp(0, 255)) / 255.0
}

fn eac11(v: u64, x: usize, y: usize, is_signed: bool) -> f64 {
    let (base, multiplier, modifier) = eac(v, x, y);
    let change = modifier * if multiplier == 0 { 1 } else { multiplier * 8 };
    if is_signed {
        let base = signed(base, 8).max(-127);
        f64::from((base * 8 + change).clamp(-1023, 1023)) / 1023.0
    } else {
        f64::from((base * 8 + 4 + change).clamp(0, 2047)) / 2047.0
    }
}
