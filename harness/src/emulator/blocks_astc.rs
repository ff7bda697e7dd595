//! Decodes ASTC blocks step by step on lists of bits (astc-and-tiles page, section 1; Khronos Data Format Specification, chapter ASTC).
//!
//! A block is 128 bits, bit k in byte k / 8. Fields are read from the bottom, weights from the top.

mod endpoints;

use super::numbers::{Texel, float};
use endpoints::endpoints;

/// The colour of illegal blocks (a guess, see the core's `format::astc`; section 1.11).
const ERROR: Texel = [1.0, 0.0, 1.0, 1.0];

/// The operation mode of a format: what its texels are (section 1.1).
#[derive(Clone, Copy, PartialEq)]
enum OperationMode {
    /// 8-bit channels.
    Srgb,
    /// Half floats; HDR endpoints are illegal.
    Ldr,
    /// Half floats.
    Hdr,
}

/// Returns width and height of a format's blocks in texels, by its name: 10 and 8 for `ASTC_LDR_2D_10X8_FLT16`.
pub fn footprint(name: &str) -> (usize, usize) {
    let size = name.split('_').nth(3).and_then(|size| size.split_once('X')).expect("a footprint");
    (size.0.parse().expect("a width"), size.1.parse().expect("a height"))
}

/// Decodes texel (x, y) of a block of the format `name`. sRGB formats give their bytes / 255: the caller applies the curve.
pub fn decode(name: &str, block: &[u8], x: usize, y: usize) -> Texel {
    let operation = match name {
        _ if name.ends_with("SRGB") => OperationMode::Srgb,
        _ if name.contains("HDR") => OperationMode::Hdr,
        _ => OperationMode::Ldr,
    };
    let bits: Vec<u64> = (0..128).map(|k| u64::from(block[k / 8] >> (k % 8) & 1)).collect();
    let texel = if number(&bits[..9]) == 0x1fc {
        void_extent(&bits, operation)
    } else {
        weighted(&bits, footprint(name), (x, y), operation)
    };
    texel.unwrap_or(ERROR)
}

/// Returns true if all blocks of one partition with the block mode in the 11 low bits of `mode` are legal in a format with this
/// [`footprint`], whatever their other bits are (HDR endpoints in a format without HDR excepted).
pub fn legal((w, h): (usize, usize), mode: u16) -> bool {
    let bits: [u64; 11] = std::array::from_fn(|k| u64::from(mode >> k & 1));
    BlockMode::of(&bits).is_some_and(|mode| {
        let points = mode.width * mode.height * if mode.dual { 2 } else { 1 };
        let weights = length(mode.range, points);
        // One partition has at most 8 colour values, which need 21 bits: those that 88 bits of weights leave at least.
        mode.width <= w && mode.height <= h && points <= 64 && (24..=88).contains(&weights)
    })
}

/// Returns the number that a list of bits is, lowest bit first.
fn number(bits: &[u64]) -> u64 {
    bits.iter().rev().fold(0, |n, bit| n * 2 + bit)
}

/// Decodes a void-extent block, which has one colour (section 1.9); `None`: it is illegal.
fn void_extent(bits: &[u64], operation: OperationMode) -> Option<Texel> {
    let hdr = bits[9] == 1;
    let range = |at: usize| number(&bits[at..at + 13]);
    let (s, t) = ((range(12), range(25)), (range(38), range(51)));
    let everywhere = [s.0, s.1, t.0, t.1] == [0x1fff; 4];
    if number(&bits[10..12]) != 3
        || !everywhere && (s.0 >= s.1 || t.0 >= t.1)
        || hdr && operation != OperationMode::Hdr
    {
        return None;
    }
    Some(std::array::from_fn(|c| {
        let value = number(&bits[64 + 16 * c..80 + 16 * c]);
        if hdr { float(value as u32, true) } else { ldr(value, operation) }
    }))
}

/// Converts a 16-bit LDR channel: to its high byte, or to C / 65536 as a half float rounded toward zero (65535 is 1) (section 1.10).
fn ldr(c: u64, operation: OperationMode) -> f64 {
    if operation == OperationMode::Srgb {
        return (c / 256) as f64 / 255.0;
    }
    if c == 65535 {
        return 1.0;
    }
    // The largest half that is not above it: a half has 11 significant bits and no bit below 2^-24.
    let value = c as f64 / 65536.0;
    let mut step = 2f64.powi(-24);
    while (value / step).floor() >= 2048.0 {
        step *= 2.0;
    }
    (value / step).floor() * step
}

/// Converts a 16-bit HDR channel: an exponent, and a mantissa that is piecewise linear (section 1.10).
fn hdr(c: u64) -> f64 {
    let (e, m) = (c / 2048, c % 2048);
    let bent = match m {
        0..512 => 3 * m,
        512..1536 => 4 * m - 512,
        _ => 5 * m - 2048,
    };
    float((e * 1024 + bent / 8).min(0x7bff) as u32, true)
}

/// The weight grid and weight range of a block mode (section 1.3); `dual`: with two planes of weights.
struct BlockMode {
    width: usize,
    height: usize,
    dual: bool,
    range: (u32, u32, u32),
}

/// Weight ranges (trits, quints, bits) by the P and r - 2 of section 1.3.
const WEIGHT_RANGES: [[(u32, u32, u32); 6]; 2] = [
    [(0, 0, 1), (1, 0, 0), (0, 0, 2), (0, 1, 0), (1, 0, 1), (0, 0, 3)],
    [(0, 1, 1), (1, 0, 2), (0, 0, 4), (0, 1, 2), (1, 0, 3), (0, 0, 5)],
];

impl BlockMode {
    /// Decodes the block mode in bits `m`; `None`: reserved, or a void extent.
    fn of(m: &[u64]) -> Option<Self> {
        let (a, b) = (number(&m[5..7]), number(&m[7..9]));
        let low = number(&m[0..2]);
        let r = 2 * if low != 0 { low } else { number(&m[2..4]) } + m[4];
        let (mut dual, mut high) = (m[10] == 1, m[9]);
        let (width, height) = match (low, number(&m[2..4]), b, a) {
            (1.., 0, ..) => (b + 4, a + 2),
            (1.., 1, ..) => (b + 8, a + 2),
            (1.., 2, ..) => (a + 2, b + 8),
            (1.., _, 0 | 1, _) => (a + 2, b + 6),
            (1.., ..) => (b, a + 2),
            (0, 0, ..) => return None,
            (0, _, 0, _) => (12, a + 2),
            (0, _, 1, _) => (a + 2, 12),
            (0, _, 2, _) => {
                (dual, high) = (false, 0);
                (a + 6, number(&m[9..11]) + 6)
            }
            (0, _, _, 0) => (6, 10),
            (0, _, _, 1) => (10, 6),
            _ => return None,
        };
        let range = WEIGHT_RANGES[high as usize][r as usize - 2];
        Some(BlockMode { width: width as usize, height: height as usize, dual, range })
    }
}

/// Returns the number of bits of a sequence of `count` values (section 1.4).
fn length((trits, quints, bits): (u32, u32, u32), count: usize) -> usize {
    count * bits as usize
        + if trits == 1 { (8 * count).div_ceil(5) } else { 0 }
        + if quints == 1 { (7 * count).div_ceil(3) } else { 0 }
}

/// Decodes the values of an integer sequence: (trit or quint, low bits) each (section 1.4).
fn sequence(stream: &[u64], range: (u32, u32, u32), count: usize) -> Vec<(u64, u64)> {
    let mut stream = stream[..length(range, count)].iter().copied().chain(std::iter::repeat(0));
    let mut take = |n: u32| number(&stream.by_ref().take(n as usize).collect::<Vec<_>>());
    let mut values = Vec::new();
    while values.len() < count {
        match range {
            (1, _, n) => {
                let (mut low, mut packed, mut at) = ([0; 5], 0, 0);
                for (low, bits) in low.iter_mut().zip([2, 2, 1, 2, 1]) {
                    *low = take(n);
                    packed += take(bits) << at;
                    at += bits;
                }
                values.extend(trits(packed).into_iter().zip(low));
            }
            (_, 1, n) => {
                let (mut low, mut packed, mut at) = ([0; 3], 0, 0);
                for (low, bits) in low.iter_mut().zip([3, 2, 2]) {
                    *low = take(n);
                    packed += take(bits) << at;
                    at += bits;
                }
                values.extend(quints(packed).into_iter().zip(low));
            }
            (_, _, n) => values.push((0, take(n))),
        }
    }
    values.truncate(count);
    values
}

/// Unpacks the five trits of T, bit by bit (section 1.4).
fn trits(t: u64) -> [u64; 5] {
    let bit = |v: u64, k: u64| v >> k & 1;
    let field = |v: u64, high: u64, low: u64| v >> low & ((1 << (high - low + 1)) - 1);
    let (c, t3, t4) = if field(t, 4, 2) == 7 {
        (field(t, 7, 5) * 4 + field(t, 1, 0), 2, 2)
    } else if field(t, 6, 5) == 3 {
        (field(t, 4, 0), bit(t, 7), 2)
    } else {
        (field(t, 4, 0), field(t, 6, 5), bit(t, 7))
    };
    let and_not = |a: u64, b: u64| a * (1 - b);
    let [t0, t1, t2] = if field(c, 1, 0) == 3 {
        [bit(c, 3) * 2 + and_not(bit(c, 2), bit(c, 3)), bit(c, 4), 2]
    } else if field(c, 3, 2) == 3 {
        [field(c, 1, 0), 2, 2]
    } else {
        [bit(c, 1) * 2 + and_not(bit(c, 0), bit(c, 1)), field(c, 3, 2), bit(c, 4)]
    };
    [t0, t1, t2, t3, t4]
}

/// Unpacks the three quints of Q (section 1.4).
fn quints(q: u64) -> [u64; 3] {
    let bit = |k: u64| q >> k & 1;
    let field = |v: u64, high: u64, low: u64| v >> low & ((1 << (high - low + 1)) - 1);
    let (c, q2) = match (field(q, 2, 1), field(q, 6, 5)) {
        (3, 0) => {
            let not0 = 1 - bit(0);
            return [4, 4, bit(0) * 4 + bit(4) * not0 * 2 + bit(3) * not0];
        }
        (3, high) => (field(q, 4, 3) * 8 + (3 - high) * 2 + bit(0), 4),
        (_, high) => (field(q, 4, 0), high),
    };
    if field(c, 2, 0) == 5 { [field(c, 4, 3), 4, q2] } else { [field(c, 2, 0), field(c, 4, 3), q2] }
}

/// The ranges of colour values, by number of levels descending: 256, 192, 160, ... (section 1.5).
const COLOUR_RANGES: [(u32, u32, u32); 17] = [
    (0, 0, 8),
    (1, 0, 6),
    (0, 1, 5),
    (0, 0, 7),
    (1, 0, 5),
    (0, 1, 4),
    (0, 0, 6),
    (1, 0, 4),
    (0, 1, 3),
    (0, 0, 5),
    (1, 0, 3),
    (0, 1, 2),
    (0, 0, 4),
    (1, 0, 2),
    (0, 1, 1),
    (0, 0, 3),
    (1, 0, 1),
];

/// Repeats the `n` bits of `m`, from the top bit, until they fill `width` bits.
fn replicate(m: u64, n: u32, width: u32) -> u64 {
    (0..width).fold(0, |out, k| out * 2 + (m >> (n - 1 - k % n) & 1))
}

/// Returns the B of a range (section 1.5): letters in `text` are bits of `m`, `a` the lowest; `0` is zero.
fn pattern(text: &str, m: u64) -> u64 {
    text.bytes().fold(0, |out, letter| out * 2 + if letter == b'0' { 0 } else { m >> (letter - b'a') & 1 })
}

/// Unquantises a colour value to 0..=255 (section 1.5).
fn colour((d, m): (u64, u64), range: (u32, u32, u32)) -> u64 {
    let (b, c) = match range {
        (0, 0, n) => return replicate(m, n, 8),
        (1, _, 1) => ("000000000", 204),
        (1, _, 2) => ("b000b0bb0", 93),
        (1, _, 3) => ("cb000cbcb", 44),
        (1, _, 4) => ("dcb000dcb", 22),
        (1, _, 5) => ("edcb000ed", 11),
        (1, _, _) => ("fedcb000f", 5),
        (_, _, 1) => ("000000000", 113),
        (_, _, 2) => ("b0000bb00", 54),
        (_, _, 3) => ("cb0000cbc", 26),
        (_, _, 4) => ("dcb0000dc", 13),
        (_, _, _) => ("edcb0000e", 6),
    };
    let a = if m % 2 == 1 { 511 } else { 0 };
    let u = (d * c + pattern(b, m)) ^ a;
    (a & 0x80) | (u >> 2)
}

/// Unquantises a weight to 0..=64 (section 1.6).
fn weight((d, m): (u64, u64), range: (u32, u32, u32)) -> u64 {
    let scaled = |b: &str, c: u64| {
        let a = if m % 2 == 1 { 127 } else { 0 };
        let u = (d * c + pattern(b, m)) ^ a;
        (a & 0x20) | (u >> 2)
    };
    let v = match range {
        (0, 0, n) => replicate(m, n, 6),
        (1, _, 0) => [0, 32, 63][d as usize],
        (_, 1, 0) => [0, 16, 32, 47, 63][d as usize],
        (1, _, 1) => scaled("0000000", 50),
        (1, _, 2) => scaled("b000b0b", 23),
        (1, _, _) => scaled("cb000cb", 11),
        (_, _, 1) => scaled("0000000", 28),
        (_, _, _) => scaled("b0000b0", 13),
    };
    if v > 32 { v + 1 } else { v }
}

/// Decodes texel (x, y) of a block with endpoints and weights (sections 1.2 to 1.10); `None`: it has the error colour (section 1.11).
fn weighted(
    bits: &[u64],
    (w, h): (usize, usize),
    (x, y): (usize, usize),
    operation: OperationMode,
) -> Option<Texel> {
    let mode = BlockMode::of(&bits[..11])?;
    let planes = if mode.dual { 2 } else { 1 };
    let points = mode.width * mode.height * planes;
    if mode.width > w || mode.height > h || points > 64 {
        return None;
    }
    let weight_bits = length(mode.range, points);
    let n = number(&bits[11..13]) as usize + 1;
    if weight_bits < 24 || weight_bits > 96 || mode.dual && n == 4 {
        return None;
    }
    // From the top down: weights, high bits of the endpoint modes, component selector.
    let reversed: Vec<u64> = bits.iter().rev().copied().collect();
    let weights: Vec<u64> =
        sequence(&reversed, mode.range, points).into_iter().map(|v| weight(v, mode.range)).collect();
    let mut top = 128 - weight_bits;
    let start = if n == 1 { 17 } else { 29 };
    let cem: Vec<u64> = if n == 1 {
        vec![number(&bits[13..17])]
    } else if number(&bits[23..25]) == 0 {
        vec![number(&bits[25..29]); n]
    } else {
        let selector = number(&bits[23..25]);
        top -= 3 * n - 4;
        let all: Vec<u64> = bits[25..29].iter().chain(&bits[top..top + 3 * n - 4]).copied().collect();
        (0..n).map(|i| 4 * (selector - 1 + all[i]) + number(&all[n + 2 * i..n + 2 * i + 2])).collect()
    };
    if mode.dual {
        top -= 2;
    }
    let selector = mode.dual.then(|| number(&bits[top..top + 2]) as usize);
    let values = |cem: u64| 2 * (cem as usize / 4 + 1);
    let count: usize = cem.iter().map(|cem| values(*cem)).sum();
    let room = top.checked_sub(start)?;
    if count > 18 || room < (13 * count).div_ceil(5) {
        return None;
    }
    let range = *COLOUR_RANGES.iter().find(|range| length(**range, count) <= room)?;
    let all: Vec<i64> =
        sequence(&bits[start..], range, count).into_iter().map(|v| colour(v, range) as i64).collect();

    let p = if n == 1 { 0 } else { partition(number(&bits[13..23]), n, (w, h), (x as u64, y as u64)) };
    let first: usize = cem[..p].iter().map(|cem| values(*cem)).sum();
    let ends = endpoints(cem[p], &all[first..first + values(cem[p])]);
    if (ends.hdr[0] || ends.hdr[3]) && operation != OperationMode::Hdr {
        return None;
    }
    Some(std::array::from_fn(|c| {
        let plane = usize::from(selector == Some(c));
        let plane: Vec<u64> = weights.iter().copied().skip(plane).step_by(planes).collect();
        let i = infill(&plane, (mode.width, mode.height), (w, h), (x, y));
        let wide = |v: i64| match operation {
            _ if ends.hdr[c] => v as u64 * 16,
            OperationMode::Srgb => v as u64 * 256 + 128,
            _ => v as u64 * 257,
        };
        let mixed = (wide(ends.first[c]) * (64 - i) + wide(ends.second[c]) * i + 32) / 64;
        if ends.hdr[c] { hdr(mixed) } else { ldr(mixed, operation) }
    }))
}

/// Returns the weight of texel (x, y), 0..=64, interpolated in a plane of `gw` x `gh` weights (section 1.6).
fn infill(plane: &[u64], (gw, gh): (usize, usize), (w, h): (usize, usize), (x, y): (usize, usize)) -> u64 {
    let place = |at: usize, size: usize, points: usize| {
        let d = (1024 + size / 2) / (size - 1);
        let g = (d * at * (points - 1) + 32) / 64;
        (g / 16, g as u64 % 16)
    };
    let ((jx, fx), (jy, fy)) = (place(x, w, gw), place(y, h, gh));
    let point = |dx: usize, dy: usize| plane.get(jx + dx + (jy + dy) * gw).copied().unwrap_or(0);
    let w11 = (fx * fy + 8) / 16;
    let (w10, w01) = (fy - w11, fx - w11);
    let w00 = 16 + w11 - fx - fy;
    (point(0, 0) * w00 + point(1, 0) * w01 + point(0, 1) * w10 + point(1, 1) * w11 + 8) / 16
}

/// Returns the partition of texel (x, y), of `n` (section 1.7).
fn partition(seed: u64, n: usize, (w, h): (usize, usize), (x, y): (u64, u64)) -> usize {
    let (x, y) = if w * h < 31 { (2 * x, 2 * y) } else { (x, y) };
    let s = seed + 1024 * (n as u64 - 1);
    let r = hash(s as u32);
    let (a, b) = (if s & 2 == 2 { 4 } else { 5 }, if n == 3 { 6 } else { 5 });
    let q = |k: u32| {
        let nibble = u64::from(r >> (4 * k) & 15);
        let even = k.is_multiple_of(2);
        nibble * nibble >> if even == (s % 2 == 1) { a } else { b }
    };
    let function = |k: usize| {
        if k >= n {
            return 0;
        }
        let shift = [14, 10, 6, 2][k];
        (q(2 * k as u32) * x + q(2 * k as u32 + 1) * y + u64::from(r >> shift)) % 64
    };
    let values = [0, 1, 2, 3].map(function);
    let most = values.into_iter().max().expect("four values");
    values.into_iter().position(|v| v == most).expect("it is one of them")
}

fn hash(mut p: u32) -> u32 {
    p ^= p >> 15;
    p = p.wrapping_sub(p << 17);
    p = p.wrapping_add(p << 7);
    p = p.wrapping_add(p << 4);
    p ^= p >> 5;
    p = p.wrapping_add(p << 16);
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    p ^= p >> 17;
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checks that the astc-and-tiles page gives for its tables (sections 1.4 and 1.7).
    #[test]
    fn digits_of_the_specification() {
        assert_eq!(trits(0x9b), [2, 1, 2, 0, 1]);
        assert_eq!(quints(0x6d), [1, 4, 3]);
        assert_eq!((hash(1024), hash(2053)), (0xbd3d_4343, 0x4f6a_6589));
        let crc = |bytes: Vec<u8>| {
            !bytes.iter().fold(u32::MAX, |crc, byte| {
                (0..8).fold(
                    crc ^ u32::from(*byte),
                    |c, _| if c & 1 == 1 { c >> 1 ^ 0xedb8_8320 } else { c >> 1 },
                )
            })
        };
        let digits = |base: u64, list: &[u64]| list.iter().rev().fold(0, |n, d| n * base + d) as u8;
        assert_eq!(crc((0..256).map(|t| digits(3, &trits(t))).collect()), 0xa8d1_3398);
        assert_eq!(crc((0..128).map(|q| digits(5, &quints(q))).collect()), 0xf930_3e61);
    }

    #[test]
    fn legal_modes_make_legal_blocks() {
        for (w, h) in [(4, 4), (5, 4), (8, 6), (12, 12)] {
            let name = format!("ASTC_HDR_2D_{w}X{h}_FLT16");
            let modes: Vec<u16> = (0..2048).filter(|mode| legal((w, h), *mode)).collect();
            assert!(modes.len() > 60, "{name}: {}", modes.len());
            for mode in modes {
                for cem in 0..16u16 {
                    let mut block = [0x5a; 16];
                    let head = mode | cem << 13;
                    block[..2].copy_from_slice(&head.to_le_bytes());
                    block[2] = block[2] & 0xfe | (cem >> 3) as u8;
                    assert_ne!(decode(&name, &block, 1, 1), ERROR, "{name} mode {mode:#x} CEM {cem}");
                }
            }
        }
    }

    #[test]
    fn a_void_extent_is_its_colour() {
        let mut block = [0xff; 16];
        (block[0], block[1]) = (0xfc, 0xfd);
        block[8..].copy_from_slice(&[0, 0, 0, 0x80, 0xff, 0xff, 0, 0x40]);
        assert_eq!(decode("ASTC_LDR_2D_6X6_FLT16", &block, 3, 3), [0.0, 0.5, 1.0, 0.25]);
        let bytes = decode("ASTC_LDR_2D_6X6_U8SRGB", &block, 0, 0);
        assert_eq!(bytes, [0.0, 128.0 / 255.0, 1.0, 64.0 / 255.0]);
        // The HDR flag, in a format without HDR.
        block[1] |= 2;
        assert_eq!(decode("ASTC_LDR_2D_6X6_FLT16", &block, 0, 0), ERROR);
        assert_eq!(decode("ASTC_HDR_2D_6X6_FLT16", &block, 0, 0)[3], 2.0);
    }
}
