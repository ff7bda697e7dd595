//! The endpoints of ASTC's colour endpoint modes (astc-and-tiles page, section 1.8; Khronos Data Format Specification, chapter ASTC).

/// Two endpoints, each R, G, B, A, and which channels are HDR.
pub(super) struct Endpoints {
    pub(super) first: [i64; 4],
    pub(super) second: [i64; 4],
    pub(super) hdr: [bool; 4],
}

/// Decodes the endpoints of colour endpoint mode `cem` from its unquantised values `v`.
pub(super) fn endpoints(cem: u64, v: &[i64]) -> Endpoints {
    let low = |first, second| Endpoints { first, second, hdr: [false; 4] };
    let high = |first: [i64; 3], second: [i64; 3], alpha: (i64, i64), hdr_alpha: bool| {
        let with = |[r, g, b]: [i64; 3], a: i64| [r, g, b, a];
        Endpoints {
            first: with(first, alpha.0),
            second: with(second, alpha.1),
            hdr: [true, true, true, hdr_alpha],
        }
    };
    let clamp = |colour: [i64; 4]| colour.map(|c| c.clamp(0, 255));
    let contract = |[r, g, b, a]: [i64; 4]| [(r + b) >> 1, (g + b) >> 1, b, a];
    const ONE: (i64, i64) = (0x780, 0x780);
    match cem {
        0 => low([v[0], v[0], v[0], 255], [v[1], v[1], v[1], 255]),
        1 => {
            let l0 = v[0] >> 2 | v[1] & 0xc0;
            let l1 = (l0 + (v[1] & 63)).min(255);
            low([l0, l0, l0, 255], [l1, l1, l1, 255])
        }
        2 => {
            let (y0, y1) = if v[1] >= v[0] { (v[0] * 16, v[1] * 16) } else { (v[1] * 16 + 8, v[0] * 16 - 8) };
            high([y0; 3], [y1; 3], ONE, true)
        }
        3 => {
            let (y0, d) = if v[0] & 0x80 != 0 {
                ((v[1] & 0xe0) << 4 | (v[0] & 127) << 2, (v[1] & 31) << 2)
            } else {
                ((v[1] & 0xf0) << 4 | (v[0] & 127) << 1, (v[1] & 15) << 1)
            };
            high([y0; 3], [(y0 + d).min(0xfff); 3], ONE, true)
        }
        4 => low([v[0], v[0], v[0], v[2]], [v[1], v[1], v[1], v[3]]),
        5 => {
            let ((dl, l), (da, a)) = (transfer(v[1], v[0]), transfer(v[3], v[2]));
            low([l, l, l, a], clamp([l + dl, l + dl, l + dl, a + da]))
        }
        6 | 10 => {
            let (a0, a1) = if cem == 10 { (v[4], v[5]) } else { (255, 255) };
            let scaled = |c: i64| c * v[3] >> 8;
            low([scaled(v[0]), scaled(v[1]), scaled(v[2]), a0], [v[0], v[1], v[2], a1])
        }
        7 => {
            let (first, second) = hdr_scale(v);
            high(first, second, ONE, true)
        }
        8 | 12 => {
            let (a0, a1) = if cem == 12 { (v[6], v[7]) } else { (255, 255) };
            let (e0, e1) = ([v[0], v[2], v[4], a0], [v[1], v[3], v[5], a1]);
            if v[1] + v[3] + v[5] >= v[0] + v[2] + v[4] {
                low(e0, e1)
            } else {
                low(contract(e1), contract(e0))
            }
        }
        9 | 13 => {
            let pairs = [0, 2, 4].map(|k| transfer(v[k + 1], v[k]));
            let (da, a) = if cem == 13 { transfer(v[7], v[6]) } else { (0, 255) };
            let base = [pairs[0].1, pairs[1].1, pairs[2].1, a];
            let sum = [pairs[0].0 + base[0], pairs[1].0 + base[1], pairs[2].0 + base[2], da + a];
            if pairs.iter().map(|(d, _)| d).sum::<i64>() >= 0 {
                low(clamp(base), clamp(sum))
            } else {
                low(clamp(contract(sum)), clamp(contract(base)))
            }
        }
        11 => {
            let (first, second) = hdr_rgb(v);
            high(first, second, ONE, true)
        }
        14 => {
            let (first, second) = hdr_rgb(v);
            high(first, second, (v[6], v[7]), false)
        }
        _ => {
            let (first, second) = hdr_rgb(v);
            high(first, second, hdr_alpha(v[6], v[7]), true)
        }
    }
}

/// Moves the top bit of offset `a` to base `b` (XFER of section 1.8): returns the signed 6-bit offset and the 8-bit base.
fn transfer(a: i64, b: i64) -> (i64, i64) {
    (signed((a >> 1) & 63, 6), (b >> 1) | (a & 0x80))
}

fn signed(v: i64, bits: u32) -> i64 {
    if v >= 1 << (bits - 1) { v - (1 << bits) } else { v }
}

/// Returns `base` with those bits of X0, X1, ... (in `x`) that the table gives to variable `name`. The table names a bit by its variable
/// and its number: `R9`, or `b0.6`.
fn with_extra(base: i64, name: &str, table: &str, x: &[i64]) -> i64 {
    table.split(' ').zip(x).fold(base, |value, (word, bit)| {
        let (owner, place) = word.split_once('.').unwrap_or_else(|| word.split_at(1));
        let place: u32 = place.parse().expect("the number of a bit");
        if owner == name { value | (bit & 1) << place } else { value }
    })
}

/// Puts the major component in its place: swaps R with G if `major` is 1, with B if it is 2.
fn swapped([r, g, b]: [i64; 3], major: i64) -> [i64; 3] {
    [[r, g, b], [g, r, b], [b, g, r]][major as usize]
}

/// Returns R, G, B of both endpoints of CEM 7 (HDR RGB scale).
fn hdr_scale(v: &[i64]) -> ([i64; 3], [i64; 3]) {
    let mv = (v[2] >> 7 & 1) << 3 | (v[1] >> 7 & 1) << 2 | v[0] >> 6 & 3;
    let (major, mode) = match mv {
        15 => (0, 5),
        12.. => (mv & 3, 4),
        _ => (mv >> 2, mv & 3),
    };
    let (table, shift) = [
        ("R9 R8 R7 R10 R6 S6 S5", 1),
        ("R8 G5 R7 B5 R6 R10 R9", 1),
        ("R9 R8 R7 R6 S7 S6 S5", 2),
        ("R8 G5 R7 B5 R6 S6 S5", 3),
        ("G6 G5 B6 B5 R6 R7 S5", 4),
        ("G6 G5 B6 B5 R6 S6 S5", 5),
    ][mode as usize];
    let x = [v[1] >> 6, v[1] >> 5, v[2] >> 6, v[2] >> 5, v[3] >> 7, v[3] >> 6, v[3] >> 5];
    let value = |base: i64, name: &str| with_extra(base, name, table, &x) << shift;
    let (r, mut g, mut b) = (value(v[0] & 63, "R"), value(v[1] & 31, "G"), value(v[2] & 31, "B"));
    let s = value(v[3] & 31, "S");
    if mode != 5 {
        (g, b) = (r - g, r - b);
    }
    let colour = swapped([r, g, b], major);
    let clamp = |c: i64| c.clamp(0, 0xfff);
    (colour.map(|c| clamp(c - s)), colour.map(clamp))
}

/// Returns R, G, B of both endpoints of CEM 11 (HDR RGB), also used by CEM 14 and 15.
fn hdr_rgb(v: &[i64]) -> ([i64; 3], [i64; 3]) {
    let major = (v[5] >> 7) * 2 + (v[4] >> 7);
    if major == 3 {
        return ([v[0] << 4, v[2] << 4, (v[4] & 127) << 5], [v[1] << 4, v[3] << 4, (v[5] & 127) << 5]);
    }
    let mode = (v[3] >> 7) * 4 + (v[2] >> 7) * 2 + (v[1] >> 7);
    let (table, d_bits, shift) = [
        ("b0.6 b1.6 d0.6 d1.6 d0.5 d1.5", 7, 3),
        ("b0.6 b1.6 b0.7 b1.7 d0.5 d1.5", 6, 3),
        ("a9 c6 d0.6 d1.6 d0.5 d1.5", 7, 2),
        ("b0.6 b1.6 a9 c6 d0.5 d1.5", 6, 2),
        ("b0.6 b1.6 b0.7 b1.7 a9 a10", 5, 1),
        ("a9 a10 c7 c6 d0.5 d1.5", 6, 1),
        ("b0.6 b1.6 a11 c6 a9 a10", 5, 0),
        ("a9 a10 a11 c6 d0.5 d1.5", 6, 0),
    ][mode as usize];
    let x = [v[2] >> 6, v[3] >> 6, v[4] >> 6, v[5] >> 6, v[4] >> 5, v[5] >> 5];
    let value = |base: i64, name: &str| with_extra(base, name, table, &x);
    let scale = 1 << shift;
    let a = value((v[1] >> 6 & 1) << 8 | v[0], "a") * scale;
    let (b0, b1) = (value(v[2] & 63, "b0") * scale, value(v[3] & 63, "b1") * scale);
    let c = value(v[1] & 63, "c") * scale;
    let d0 = signed(value(v[4] & 31, "d0"), d_bits) * scale;
    let d1 = signed(value(v[5] & 31, "d1"), d_bits) * scale;
    let clamp = |colour: [i64; 3]| swapped(colour.map(|c| c.clamp(0, 0xfff)), major);
    (clamp([a - c, a - b0 - c - d0, a - b1 - c - d1]), clamp([a, a - b0, a - b1]))
}

/// Returns the alphas of both endpoints of CEM 15.
fn hdr_alpha(v6: i64, v7: i64) -> (i64, i64) {
    let k = (v7 >> 7) * 2 + (v6 >> 7);
    let (a, d) = (v6 & 127, v7 & 127);
    if k == 3 {
        return (a << 5, d << 5);
    }
    let a = a | (d << (k + 1)) & 0x780;
    let d = signed(d & (63 >> k), 6 - k as u32);
    let (a, d) = (a << (4 - k), d * (1 << (4 - k)));
    (a, (a + d).clamp(0, 0xfff))
}
