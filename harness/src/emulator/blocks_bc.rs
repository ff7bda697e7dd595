//! Decodes BC1 to BC7 blocks (sampling page, section 13; D3D11 block compression formats).
//!
//! A block is a little-endian number; texel (x, y) has index 4y + x.

use super::numbers::{Texel, small_float};

/// Decodes texel (x, y) of a block of the format `name`.
pub fn decode(name: &str, block: &[u8], x: usize, y: usize) -> Texel {
    let word = |at: usize| u64::from_le_bytes(block[at..at + 8].try_into().expect("8 bytes"));
    let texel = 4 * y + x;
    let whole = || BitReader { value: u128::from_le_bytes(block.try_into().expect("16 bytes")), at: 0 };
    match &name[..3] {
        "BC1" => color(word(0), texel, false),
        "DXT" => {
            let [r, g, b, _] = color(word(0), texel, false);
            [r, g, b, 1.0]
        }
        "BC2" => {
            let [r, g, b, _] = color(word(8), texel, true);
            [r, g, b, (word(0) >> (4 * texel) & 15) as f64 / 15.0]
        }
        "BC3" => {
            let [r, g, b, _] = color(word(8), texel, true);
            [r, g, b, ramp(word(0), texel, false)]
        }
        "BC4" => [ramp(word(0), texel, name.ends_with("SNORM")), 0.0, 0.0, 0.0],
        "BC5" => {
            let signed = name.ends_with("SNORM");
            [ramp(word(0), texel, signed), ramp(word(8), texel, signed), 0.0, 0.0]
        }
        "BC6" => bc6h(whole(), texel, name.ends_with("SF16")),
        _ => bc7(whole(), texel),
    }
}

/// Decodes the colour part of BC1 to BC3. `four`: always four colours, as in BC2 and BC3.
fn color(v: u64, texel: usize, four: bool) -> Texel {
    let (c0, c1) = (v & 0xffff, v >> 16 & 0xffff);
    let rgb = |c: u64| [c >> 11, c >> 5 & 63, c & 31].map(|c| c as f64);
    let (a, b) = (rgb(c0), rgb(c1));
    // Integers up to the last division: the result is rounded once.
    let mix = |wa: f64, wb: f64| {
        let part = |i: usize, max: f64| (wa * a[i] + wb * b[i]) / ((wa + wb) * max);
        [part(0, 31.0), part(1, 63.0), part(2, 31.0), 1.0]
    };
    match (v >> (32 + 2 * texel) & 3, four || c0 > c1) {
        (0, _) => mix(1.0, 0.0),
        (1, _) => mix(0.0, 1.0),
        (2, true) => mix(2.0, 1.0),
        (3, true) => mix(1.0, 2.0),
        (2, false) => mix(1.0, 1.0),
        _ => [0.0; 4],
    }
}

/// Decodes BC3 alpha, BC4, or one half of BC5.
fn ramp(v: u64, texel: usize, signed: bool) -> f64 {
    let raw = |shift: u32| (v >> shift) as u8;
    // Integers up to the last division: -28 * 3 + 42 * 2 is 0, which -28/127 * 3 + 42/127 * 2 is not.
    let value = |byte: u8| if signed { f64::from(byte as i8).max(-127.0) } else { f64::from(byte) };
    let max = if signed { 127.0 } else { 255.0 };
    let greater = if signed { raw(0) as i8 > raw(8) as i8 } else { raw(0) > raw(8) };
    let (a, b) = (value(raw(0)), value(raw(8)));
    let steps = if greater { 7 } else { 5 };
    match v >> (16 + 3 * texel) & 7 {
        0 => a / max,
        1 => b / max,
        6 if !greater => {
            if signed {
                -1.0
            } else {
                0.0
            }
        }
        7 if !greater => 1.0,
        k => {
            let t = (k - 1) as f64;
            let n = f64::from(steps);
            ((n - t) * a + t * b) / (n * max)
        }
    }
}

/// A reader of bits from bit 0 upward.
struct BitReader {
    value: u128,
    at: u32,
}

impl BitReader {
    fn take(&mut self, count: u32) -> u32 {
        let value = (self.value >> self.at & ((1 << count) - 1)) as u32;
        self.at += count;
        value
    }
}

/// Partitions into two subsets: bit t is the subset of texel t.
#[rustfmt::skip]
const TWO: [u16; 64] = [
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000,
    0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c,
    0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660,
    0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
];
/// Partitions into three subsets: bits 2t+1:2t are the subset of texel t.
#[rustfmt::skip]
const THREE: [u32; 64] = [
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
    0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
    0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
    0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
    0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
    0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
    0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
    0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
];
/// Anchor texel of the second of two subsets.
#[rustfmt::skip]
const ANCHOR_TWO: [usize; 64] = [
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8, 8, 2, 2,
    15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6, 6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15, 15, 2, 2, 15,
];
/// Anchor texels of the second and third of three subsets.
#[rustfmt::skip]
const ANCHOR_THREE: [[usize; 64]; 2] = [
    [3, 3, 15, 15, 8, 3, 15, 15, 8, 8, 6, 6, 6, 5, 3, 3, 3, 3, 8, 15, 3, 3, 6, 10, 5, 8, 8, 6, 8, 5, 15, 15,
     8, 15, 3, 5, 6, 10, 8, 15, 15, 3, 15, 5, 15, 15, 15, 15, 3, 15, 5, 5, 5, 8, 5, 10, 5, 10, 8, 13, 15, 12, 3, 3],
    [15, 8, 8, 3, 15, 15, 3, 8, 15, 15, 15, 15, 15, 15, 15, 8, 15, 8, 15, 3, 15, 8, 15, 8, 3, 15, 6, 10, 15, 15, 10, 8,
     15, 3, 15, 10, 10, 8, 9, 10, 6, 15, 8, 15, 3, 6, 6, 8, 15, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3, 15, 15, 8],
];

/// Returns the interpolation weight of an index of `bits` bits, in 64ths.
fn weight(index: u32, bits: u32) -> i32 {
    let table: &[i32] = match bits {
        2 => &[0, 21, 43, 64],
        3 => &[0, 9, 18, 27, 37, 46, 55, 64],
        _ => &[0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64],
    };
    table[index as usize]
}

fn subset(subsets: u32, partition: usize, texel: usize) -> usize {
    match subsets {
        1 => 0,
        2 => usize::from(TWO[partition] >> texel & 1),
        _ => (THREE[partition] >> (2 * texel) & 3) as usize,
    }
}

/// Returns true if `texel` is the anchor of its subset: its index has one bit less.
fn anchor(subsets: u32, partition: usize, texel: usize) -> bool {
    texel == 0
        || subsets == 2 && ANCHOR_TWO[partition] == texel
        || subsets == 3 && ANCHOR_THREE.iter().any(|table| table[partition] == texel)
}

/// Returns the index of `texel` from the index array at the reader's position, and moves the reader past the array.
fn index(reader: &mut BitReader, bits: u32, subsets: u32, partition: usize, texel: usize) -> u32 {
    let all: Vec<u32> =
        (0..16).map(|t| reader.take(bits - u32::from(anchor(subsets, partition, t)))).collect();
    all[texel]
}

/// BC7 modes: subsets, partition bits, rotation bits, index selection bits, colour bits, alpha bits, P bits per
/// endpoint, P bits per subset, index bits, second index bits.
const BC7: [[u32; 10]; 8] = [
    [3, 4, 0, 0, 4, 0, 1, 0, 3, 0],
    [2, 6, 0, 0, 6, 0, 0, 1, 3, 0],
    [3, 6, 0, 0, 5, 0, 0, 0, 2, 0],
    [2, 6, 0, 0, 7, 0, 1, 0, 2, 0],
    [1, 0, 2, 1, 5, 6, 0, 0, 2, 3],
    [1, 0, 2, 0, 7, 8, 0, 0, 2, 2],
    [1, 0, 0, 0, 7, 7, 1, 0, 4, 0],
    [2, 6, 0, 0, 5, 5, 1, 0, 2, 0],
];

fn bc7(mut reader: BitReader, texel: usize) -> Texel {
    let mode = reader.value.trailing_zeros();
    if mode > 7 {
        return [0.0; 4];
    }
    reader.at = mode + 1;
    let [subsets, partition, rotation, select, color, alpha, p_end, p_set, bits, bits2] = BC7[mode as usize];
    let partition = reader.take(partition) as usize;
    let rotation = reader.take(rotation);
    let select = reader.take(select);
    let ends = subsets as usize * 2;
    // end[endpoint][component]; a component without bits is 255.
    let mut end = vec![[255u32; 4]; ends];
    for component in 0..4 {
        let width = if component == 3 { alpha } else { color };
        if width > 0 {
            end.iter_mut().for_each(|e| e[component] = reader.take(width));
        }
    }
    let p: Vec<u32> = match (p_end, p_set) {
        (1, _) => (0..ends).map(|_| reader.take(1)).collect(),
        (_, 1) => (0..subsets).map(|_| reader.take(1)).flat_map(|p| [p, p]).collect(),
        _ => Vec::new(),
    };
    for (e, components) in end.iter_mut().enumerate() {
        for (component, v) in components.iter_mut().enumerate() {
            let mut width = if component == 3 { alpha } else { color };
            if width > 0 {
                if let Some(p) = p.get(e) {
                    *v = *v << 1 | p;
                    width += 1;
                }
                *v = *v << (8 - width) | *v >> (2 * width - 8);
            }
        }
    }
    let first = weight(index(&mut reader, bits, subsets, partition, texel), bits);
    let second = if bits2 > 0 { weight(index(&mut reader, bits2, 1, 0, texel), bits2) } else { first };
    let (w_color, w_alpha) = if select == 1 { (second, first) } else { (first, second) };
    let set = subset(subsets, partition, texel);
    let mut out: [i32; 4] = std::array::from_fn(|c| {
        let w = if c == 3 { w_alpha } else { w_color };
        let (a, b) = (end[2 * set][c] as i32, end[2 * set + 1][c] as i32);
        ((64 - w) * a + w * b + 32) >> 6
    });
    if rotation > 0 {
        out.swap(3, rotation as usize - 1);
    }
    out.map(|c| f64::from(c) / 255.0)
}

/// A BC6H mode: its number, bits of the first endpoint, bits of the other ones (R, G, B), whether these are deltas
/// (`transformed`), and where each header bit goes: the endpoints w, x, y, z are the digits 0..3; `g2[3:0]` takes bits from 0 up,
/// `r0[10:11]` from 11 down.
struct Bc6hMode {
    number: u32,
    bits: u32,
    deltas: [u32; 3],
    transformed: bool,
    layout: &'static str,
}

#[rustfmt::skip]
const BC6H: [Bc6hMode; 14] = [
    Bc6hMode { number: 0, bits: 10, deltas: [5, 5, 5], transformed: true, layout: "g2[4] b2[4] b3[4] r0[9:0] g0[9:0] b0[9:0] r1[4:0] g3[4] g2[3:0] g1[4:0] b3[0] g3[3:0] b1[4:0] b3[1] b2[3:0] r2[4:0] b3[2] r3[4:0] b3[3]" },
    Bc6hMode { number: 1, bits: 7, deltas: [6, 6, 6], transformed: true, layout: "g2[5] g3[4] g3[5] r0[6:0] b3[0] b3[1] b2[4] g0[6:0] b2[5] b3[2] g2[4] b0[6:0] b3[3] b3[5] b3[4] r1[5:0] g2[3:0] g1[5:0] g3[3:0] b1[5:0] b2[3:0] r2[5:0] r3[5:0]" },
    Bc6hMode { number: 2, bits: 11, deltas: [5, 4, 4], transformed: true, layout: "r0[9:0] g0[9:0] b0[9:0] r1[4:0] r0[10] g2[3:0] g1[3:0] g0[10] b3[0] g3[3:0] b1[3:0] b0[10] b3[1] b2[3:0] r2[4:0] b3[2] r3[4:0] b3[3]" },
    Bc6hMode { number: 6, bits: 11, deltas: [4, 5, 4], transformed: true, layout: "r0[9:0] g0[9:0] b0[9:0] r1[3:0] r0[10] g3[4] g2[3:0] g1[4:0] g0[10] g3[3:0] b1[3:0] b0[10] b3[1] b2[3:0] r2[3:0] b3[0] b3[2] r3[3:0] g2[4] b3[3]" },
    Bc6hMode { number: 10, bits: 11, deltas: [4, 4, 5], transformed: true, layout: "r0[9:0] g0[9:0] b0[9:0] r1[3:0] r0[10] b2[4] g2[3:0] g1[3:0] g0[10] b3[0] g3[3:0] b1[4:0] b0[10] b2[3:0] r2[3:0] b3[1] b3[2] r3[3:0] b3[4] b3[3]" },
    Bc6hMode { number: 14, bits: 9, deltas: [5, 5, 5], transformed: true, layout: "r0[8:0] b2[4] g0[8:0] g2[4] b0[8:0] b3[4] r1[4:0] g3[4] g2[3:0] g1[4:0] b3[0] g3[3:0] b1[4:0] b3[1] b2[3:0] r2[4:0] b3[2] r3[4:0] b3[3]" },
    Bc6hMode { number: 18, bits: 8, deltas: [6, 5, 5], transformed: true, layout: "r0[7:0] g3[4] b2[4] g0[7:0] b3[2] g2[4] b0[7:0] b3[3] b3[4] r1[5:0] g2[3:0] g1[4:0] b3[0] g3[3:0] b1[4:0] b3[1] b2[3:0] r2[5:0] r3[5:0]" },
    Bc6hMode { number: 22, bits: 8, deltas: [5, 6, 5], transformed: true, layout: "r0[7:0] b3[0] b2[4] g0[7:0] g2[5] g2[4] b0[7:0] g3[5] b3[4] r1[4:0] g3[4] g2[3:0] g1[5:0] g3[3:0] b1[4:0] b3[1] b2[3:0] r2[4:0] b3[2] r3[4:0] b3[3]" },
    Bc6hMode { number: 26, bits: 8, deltas: [5, 5, 6], transformed: true, layout: "r0[7:0] b3[1] b2[4] g0[7:0] b2[5] g2[4] b0[7:0] b3[5] b3[4] r1[4:0] g3[4] g2[3:0] g1[4:0] b3[0] g3[3:0] b1[5:0] b2[3:0] r2[4:0] b3[2] r3[4:0] b3[3]" },
    Bc6hMode { number: 30, bits: 6, deltas: [6, 6, 6], transformed: false, layout: "r0[5:0] g3[4] b3[0] b3[1] b2[4] g0[5:0] g2[5] b2[5] b3[2] g2[4] b0[5:0] g3[5] b3[3] b3[5] b3[4] r1[5:0] g2[3:0] g1[5:0] g3[3:0] b1[5:0] b2[3:0] r2[5:0] r3[5:0]" },
    Bc6hMode { number: 3, bits: 10, deltas: [10, 10, 10], transformed: false, layout: "r0[9:0] g0[9:0] b0[9:0] r1[9:0] g1[9:0] b1[9:0]" },
    Bc6hMode { number: 7, bits: 11, deltas: [9, 9, 9], transformed: true, layout: "r0[9:0] g0[9:0] b0[9:0] r1[8:0] r0[10] g1[8:0] g0[10] b1[8:0] b0[10]" },
    Bc6hMode { number: 11, bits: 12, deltas: [8, 8, 8], transformed: true, layout: "r0[9:0] g0[9:0] b0[9:0] r1[7:0] r0[10:11] g1[7:0] g0[10:11] b1[7:0] b0[10:11]" },
    Bc6hMode { number: 15, bits: 16, deltas: [4, 4, 4], transformed: true, layout: "r0[9:0] g0[9:0] b0[9:0] r1[3:0] r0[10:15] g1[3:0] g0[10:15] b1[3:0] b0[10:15]" },
];

fn sign_extend(v: i32, bits: u32) -> i32 {
    if v >> (bits - 1) & 1 == 1 { v - (1 << bits) } else { v }
}

fn bc6h(mut reader: BitReader, texel: usize, signed: bool) -> Texel {
    let mut number = reader.take(2);
    if number > 1 {
        number |= reader.take(3) << 2;
    }
    let Some(mode) = BC6H.iter().find(|mode| mode.number == number) else {
        return [0.0, 0.0, 0.0, 1.0];
    };
    // end[endpoint][component]
    let mut end = [[0i32; 3]; 4];
    for item in mode.layout.split(' ') {
        let (name, range) = item.trim_end_matches(']').split_once('[').expect("name[range]");
        let component = "rgb".find(&name[..1]).expect("component");
        let endpoint: usize = name[1..].parse().expect("endpoint");
        let (hi, lo) = range.split_once(':').unwrap_or((range, range));
        let (hi, lo): (u32, u32) = (hi.parse().expect("bit"), lo.parse().expect("bit"));
        let places: Vec<u32> = if hi >= lo { (lo..=hi).collect() } else { (hi..=lo).rev().collect() };
        for place in places {
            end[endpoint][component] |= (reader.take(1) << place) as i32;
        }
    }
    let two = reader.at == 77;
    let partition = if two { reader.take(5) as usize } else { 0 };
    let subsets = 1 + u32::from(two);
    for component in 0..3 {
        let (bits, delta) = (mode.bits, mode.deltas[component]);
        if signed {
            end[0][component] = sign_extend(end[0][component], bits);
        }
        for endpoint in 1..4 {
            let v = &mut end[endpoint][component];
            if mode.transformed || signed {
                *v = sign_extend(*v, delta);
            }
            if mode.transformed {
                let sum = (end[0][component] + end[endpoint][component]) & ((1 << bits) - 1);
                end[endpoint][component] = if signed { sign_extend(sum, bits) } else { sum };
            }
        }
    }
    let bits = if two { 3 } else { 4 };
    let w = weight(index(&mut reader, bits, subsets, partition, texel), bits);
    let set = subset(subsets, partition, texel);
    let half = |component: usize| {
        let [a, b] = [0, 1].map(|e| unquantize(end[2 * set + e][component], mode.bits, signed));
        let v = ((64 - w) * a + w * b + 32) >> 6;
        match signed {
            false => small_float((v * 31 >> 6) as u64, 10),
            true if v < 0 => -small_float((-v * 31 >> 5) as u64, 10),
            true => small_float((v * 31 >> 5) as u64, 10),
        }
    };
    [half(0), half(1), half(2), 1.0]
}

fn unquantize(v: i32, bits: u32, signed: bool) -> i32 {
    if signed {
        let magnitude = v.abs();
        let wide = match magnitude {
            _ if bits >= 16 => return v,
            0 => 0,
            m if m >= (1 << (bits - 1)) - 1 => 0x7fff,
            m => ((m << 15) + 0x4000) >> (bits - 1),
        };
        if v < 0 { -wide } else { wide }
    } else {
        match v {
            _ if bits >= 15 => v,
            0 => 0,
            v if v == (1 << bits) - 1 => 0xffff,
            v => ((v << 16) + 0x8000) >> bits,
        }
    }
}
