//! HDR endpoint modes, which turn colour values into two colours of 12 bits on a logarithmic scale.

use crate::bits::sign_extend;

/// The two endpoint colours of a partition.
#[derive(Clone, Copy)]
pub(super) struct Endpoints {
    /// R, G, B, A: 8 bits, or 12 bits of a logarithmic scale.
    pub(super) colours: [[i32; 4]; 2],
    /// R, G, B are logarithmic.
    pub(super) hdr_rgb: bool,
    /// A is logarithmic.
    pub(super) hdr_alpha: bool,
}

/// Alpha 1.0 on the logarithmic scale.
const ONE: i32 = 0x780;

/// Returns the endpoints of modes 2, 3, 7, 11, 14 and 15.
// Not inlined: most textures have no such block.
#[inline(never)]
pub(super) fn endpoints(mode: u8, values: [u8; 8]) -> Endpoints {
    let v = values.map(i32::from);
    let [_, _, _, _, _, _, v6, v7] = v;
    let (rgb, [a0, a1]) = match mode {
        2 => (luminance(v), [ONE; 2]),
        3 => (luminance_small(v), [ONE; 2]),
        7 => (scale(v), [ONE; 2]),
        14 => (rgb(v), [v6, v7]),
        15 => (rgb(v), alpha(v6, v7)),
        _ => (rgb(v), [ONE; 2]),
    };
    let [[r0, g0, b0], [r1, g1, b1]] = rgb;
    Endpoints { colours: [[r0, g0, b0, a0], [r1, g1, b1, a1]], hdr_rgb: true, hdr_alpha: mode != 14 }
}

fn clamp(c: i32) -> i32 {
    c.clamp(0, 0xfff)
}

/// Mode 2: two luminances of 8 bits each.
fn luminance([v0, v1, ..]: [i32; 8]) -> [[i32; 3]; 2] {
    let (y0, y1) = if v1 >= v0 { (v0 << 4, v1 << 4) } else { ((v1 << 4) + 8, (v0 << 4) - 8) };
    [[y0; 3], [y1; 3]]
}

/// Mode 3: a luminance and a small difference; one bit chooses how the two share the remaining bits.
fn luminance_small([v0, v1, ..]: [i32; 8]) -> [[i32; 3]; 2] {
    let (y0, d) = if v0 & 0x80 != 0 {
        ((v1 & 0xe0) << 4 | (v0 & 127) << 2, (v1 & 31) << 2)
    } else {
        ((v1 & 0xf0) << 4 | (v0 & 127) << 1, (v1 & 15) << 1)
    };
    [[y0; 3], [clamp(y0 + d); 3]]
}

/// Swaps the first channel, which is the largest one until then, with channel `major`.
fn swap([r, g, b]: [i32; 3], major: i32) -> [i32; 3] {
    match major {
        1 => [g, r, b],
        2 => [b, g, r],
        _ => [r, g, b],
    }
}

/// The destination of a spare bit: the index of a number, and a bit of it. The numbers are R, G, B, S in mode 7,
/// and a, b0, b1, c, d0, d1 in mode 11.
type SpareBit = (usize, u8);

const R: usize = 0;
const G: usize = 1;
const B: usize = 2;
const S: usize = 3;

/// Where the seven spare bits of mode 7 go, by its submode.
#[rustfmt::skip]
static SCALE_BITS: [[SpareBit; 7]; 6] = [
    [(R, 9), (R, 8), (R, 7), (R, 10), (R, 6), (S, 6), (S, 5)],
    [(R, 8), (G, 5), (R, 7), (B, 5), (R, 6), (R, 10), (R, 9)],
    [(R, 9), (R, 8), (R, 7), (R, 6), (S, 7), (S, 6), (S, 5)],
    [(R, 8), (G, 5), (R, 7), (B, 5), (R, 6), (S, 6), (S, 5)],
    [(G, 6), (G, 5), (B, 6), (B, 5), (R, 6), (R, 7), (S, 5)],
    [(G, 6), (G, 5), (B, 6), (B, 5), (R, 6), (S, 6), (S, 5)],
];
static SCALE_SHIFTS: [u8; 6] = [1, 1, 2, 3, 4, 5];

/// Puts each spare bit to its destination in `numbers`.
fn spread(numbers: &mut [i32], bits: &[i32], targets: &[SpareBit]) {
    for (bit, (number, shift)) in bits.iter().zip(targets) {
        if let Some(number) = numbers.get_mut(*number) {
            *number |= (bit & 1) << shift;
        }
    }
}

/// Mode 7: a colour, and by how much the other colour is less in every channel.
#[cfg_attr(target_pointer_width = "32", inline(never))]
fn scale([v0, v1, v2, v3, ..]: [i32; 8]) -> [[i32; 3]; 2] {
    let number = v2 >> 7 << 3 | v1 >> 7 << 2 | v0 >> 6;
    let (major, mode) = match number {
        0..12 => (number >> 2, number & 3),
        12..15 => (number & 3, 4),
        _ => (0, 5),
    };
    let mut numbers = [v0 & 63, v1 & 31, v2 & 31, v3 & 31];
    let spare = [v1 >> 6, v1 >> 5, v2 >> 6, v2 >> 5, v3 >> 7, v3 >> 6, v3 >> 5];
    let row = mode as usize;
    if let (Some(targets), Some(shift)) = (SCALE_BITS.get(row), SCALE_SHIFTS.get(row)) {
        spread(&mut numbers, &spare, targets);
        numbers.iter_mut().for_each(|n| *n <<= shift);
    }
    let [r, g, b, s] = numbers;
    let rgb = if mode == 5 { [r, g, b] } else { [r, r - g, r - b] };
    let rgb = swap(rgb, major);
    [rgb.map(|c| clamp(c - s)), rgb.map(clamp)]
}

const A: usize = 0;
const B0: usize = 1;
const B1: usize = 2;
const C: usize = 3;
const D0: usize = 4;
const D1: usize = 5;

/// Where the six spare bits of mode 11 go, by its submode; then the width of d0 and d1, and the shift of all numbers.
#[rustfmt::skip]
static RGB_BITS: [([SpareBit; 6], u8, u8); 8] = [
    ([(B0, 6), (B1, 6), (D0, 6), (D1, 6), (D0, 5), (D1, 5)], 7, 3),
    ([(B0, 6), (B1, 6), (B0, 7), (B1, 7), (D0, 5), (D1, 5)], 6, 3),
    ([(A, 9), (C, 6), (D0, 6), (D1, 6), (D0, 5), (D1, 5)], 7, 2),
    ([(B0, 6), (B1, 6), (A, 9), (C, 6), (D0, 5), (D1, 5)], 6, 2),
    ([(B0, 6), (B1, 6), (B0, 7), (B1, 7), (A, 9), (A, 10)], 5, 1),
    ([(A, 9), (A, 10), (C, 7), (C, 6), (D0, 5), (D1, 5)], 6, 1),
    ([(B0, 6), (B1, 6), (A, 11), (C, 6), (A, 9), (A, 10)], 5, 0),
    ([(A, 9), (A, 10), (A, 11), (C, 6), (D0, 5), (D1, 5)], 6, 0),
];

/// Mode 11 (and the colours of modes 14 and 15): the largest channel, and differences from it.
#[cfg_attr(target_pointer_width = "32", inline(never))]
fn rgb([v0, v1, v2, v3, v4, v5, ..]: [i32; 8]) -> [[i32; 3]; 2] {
    let major = v5 >> 7 << 1 | v4 >> 7;
    if major == 3 {
        return [[v0 << 4, v2 << 4, (v4 & 127) << 5], [v1 << 4, v3 << 4, (v5 & 127) << 5]];
    }
    let mode = v3 >> 7 << 2 | v2 >> 7 << 1 | v1 >> 7;
    let mut numbers = [(v1 & 0x40) << 2 | v0, v2 & 63, v3 & 63, v1 & 63, v4 & 31, v5 & 31];
    let spare = [v2 >> 6, v3 >> 6, v4 >> 6, v5 >> 6, v4 >> 5, v5 >> 5];
    if let Some((targets, width, shift)) = RGB_BITS.get(mode as usize) {
        spread(&mut numbers, &spare, targets);
        let [_, _, _, _, d0, d1] = &mut numbers;
        for d in [d0, d1] {
            *d = sign_extend(*d as u32, (*width).into());
        }
        numbers.iter_mut().for_each(|n| *n <<= shift);
    }
    let [a, b0, b1, c, d0, d1] = numbers;
    let from = [a - c, a - b0 - c - d0, a - b1 - c - d1];
    let to = [a, a - b0, a - b1];
    [from, to].map(|colour| swap(colour.map(clamp), major))
}

/// The two alphas of mode 15.
fn alpha(v6: i32, v7: i32) -> [i32; 2] {
    let mode = v7 >> 7 << 1 | v6 >> 7;
    let (a, d) = (v6 & 127, v7 & 127);
    if mode == 3 {
        return [a << 5, d << 5];
    }
    let a = a | d << (mode + 1) & 0x780;
    let d = sign_extend((d & 63 >> mode) as u32, (6 - mode) as u32);
    let shift = 4 - mode;
    [a << shift, clamp((a << shift) + (d << shift))]
}
