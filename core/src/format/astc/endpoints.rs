//! LDR endpoint modes, which turn colour values into two RGBA colours of 8 bits.

use super::hdr::{self, Endpoints};

/// Returns the endpoints that an endpoint mode makes of the first values of `v`.
pub(super) fn endpoints(mode: u8, v: [u8; 8]) -> Endpoints {
    match mode {
        2 | 3 | 7 | 11 | 14 | 15 => hdr::endpoints(mode, v),
        _ => ldr(mode, v),
    }
}

#[cfg_attr(target_pointer_width = "32", inline(never))]
fn ldr(mode: u8, v: [u8; 8]) -> Endpoints {
    let v = v.map(i32::from);
    let [v0, v1, v2, v3, v4, v5, v6, v7] = v;
    let colours = match mode {
        0 => [[v0, v0, v0, 255], [v1, v1, v1, 255]],
        1 => {
            let low = v0 >> 2 | v1 & 0xc0;
            let high = (low + (v1 & 63)).min(255);
            [[low, low, low, 255], [high, high, high, 255]]
        }
        4 => [[v0, v0, v0, v2], [v1, v1, v1, v3]],
        5 => {
            let ((l0, dl), (a0, da)) = (offset(v0, v1), offset(v2, v3));
            [[l0, l0, l0, a0], clamp([l0 + dl, l0 + dl, l0 + dl, a0 + da])]
        }
        6 | 10 => {
            let (a0, a1) = if mode == 6 { (255, 255) } else { (v4, v5) };
            [[(v0 * v3) >> 8, (v1 * v3) >> 8, (v2 * v3) >> 8, a0], [v0, v1, v2, a1]]
        }
        8 | 12 => {
            let (a0, a1) = if mode == 8 { (255, 255) } else { (v6, v7) };
            let (from, to) = ([v0, v2, v4, a0], [v1, v3, v5, a1]);
            if v1 + v3 + v5 >= v0 + v2 + v4 { [from, to] } else { [contract(to), contract(from)] }
        }
        // 9 and 13.
        _ => {
            let ((r, dr), (g, dg), (b, db)) = (offset(v0, v1), offset(v2, v3), offset(v4, v5));
            let (a, da) = if mode == 9 { (255, 0) } else { offset(v6, v7) };
            let (from, to) = ([r, g, b, a], [r + dr, g + dg, b + db, a + da]);
            let ordered = dr + dg + db >= 0;
            (if ordered { [from, to] } else { [contract(to), contract(from)] }).map(clamp)
        }
    };
    Endpoints { colours, hdr_rgb: false, hdr_alpha: false }
}

/// Splits two values into a base of 8 bits, whose top bit is that of the second value, and a signed offset of 6 bits.
const fn offset(base: i32, second: i32) -> (i32, i32) {
    (base >> 1 | second & 0x80, crate::bits::sign_extend(second as u32 >> 1, 6))
}

/// Moves red and green half way to blue.
const fn contract([r, g, b, a]: [i32; 4]) -> [i32; 4] {
    [(r + b) >> 1, (g + b) >> 1, b, a]
}

fn clamp(colour: [i32; 4]) -> [i32; 4] {
    colour.map(|c| c.clamp(0, 255))
}
