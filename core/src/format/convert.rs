//! Conversion of integers to f32, each result rounded once, the same bits on every target.
//!
//! `v / (2^n - 1)` is a division for odd widths. For 8 and 16 bits it is split:
//! `1 / (2^n - 1) = c + d` where `v * c` is exact and `d` is so small that rounding `v * d` cannot
//! reach a tie of the sum; the tests compare every input with the division.

use crate::bits;

/// `v / 255`, correctly rounded. Needs no division; compilers vectorise it.
#[inline(always)]
#[must_use]
pub const fn unorm8(v: u8) -> f32 {
    let v = v as i32 as f32;
    v * (257.0 / 65536.0) + v * (1.0 / (255.0 * 65536.0))
}

/// `v / 65535`, correctly rounded.
#[inline(always)]
#[must_use]
pub const fn unorm16(v: u16) -> f32 {
    let v = v as i32 as f32;
    v * (1.0 / 65536.0) + v * (1.0 / (65535.0 * 65536.0))
}

/// `v / (2^24 - 1)`, correctly rounded; `v` below 2^24.
#[inline(always)]
#[must_use]
pub const fn unorm24(v: u32) -> f32 {
    v as i32 as f32 / 16_777_215.0
}

/// `max(v / 127, -1)`, correctly rounded.
#[inline(always)]
#[must_use]
pub const fn snorm8(v: i8) -> f32 {
    let v = v as i32 as f32;
    (v * (129.0 / 16384.0) + v * (1.0 / (127.0 * 16384.0))).max(-1.0)
}

/// `max(v / 32767, -1)`, correctly rounded.
#[inline(always)]
#[must_use]
pub const fn snorm16(v: i16) -> f32 {
    let v = v as i32 as f32;
    (v * (1.0 / 32768.0) + v * (1.0 / (32767.0 * 32768.0))).max(-1.0)
}

/// `v / (2^width - 1)`, correctly rounded, for 1 to 32 bits.
#[inline]
#[must_use]
pub const fn unorm(v: u32, width: u32) -> f32 {
    if width > 24 {
        return unorm32(v);
    }
    v as f32 / bits::mask(width) as f32
}

/// 2^-32.
pub(crate) const UNORM32: f32 = 1.0 / 4_294_967_296.0;
/// 2^-31.
pub(crate) const SNORM32: f32 = 1.0 / 2_147_483_648.0;

/// `v / (2^32 - 1)`, correctly rounded.
const fn unorm32(v: u32) -> f32 {
    wide(v, UNORM32) * UNORM32
}

/// Returns 2^b v / (2^b - 1), correctly rounded: v plus an excess of nearly v 2^-b. `scale` is 2^-b, b is 31 or 32.
///
/// If `v` has up to 24 bits, the result is `v`: the excess is too small to round up. If `v` has more, the excess only decides
/// ties, upwards. The sum with the low part is rounded to 2^-8 at the coarsest, so any excess serves that is less than 1 and,
/// so rounded, at least 2^-8: here 31/32 of v 2^-b, computed from the high half alone.
#[inline(always)]
pub(crate) const fn wide(v: u32, scale: f32) -> f32 {
    let (high, low) = ((v >> 16) as i32 as f32, (v & 0xffff) as i32 as f32);
    high * 65536.0 + (low + high * (scale * 63488.0))
}

/// `max(v / (2^(width-1) - 1), -1)`, correctly rounded, for 2 to 32 bits. `v` is sign-extended.
#[inline]
#[must_use]
pub const fn snorm(v: i32, width: u32) -> f32 {
    if width > 24 {
        return snorm32(v);
    }
    (v as f32 / bits::mask(width.saturating_sub(1)) as f32).max(-1.0)
}

/// `max(v / (2^31 - 1), -1)`, correctly rounded.
const fn snorm32(v: i32) -> f32 {
    wide_signed(v) * SNORM32
}

/// [`wide`] of 31 bits and a sign; -2^31 counts as -(2^31 - 1).
#[inline(always)]
pub(crate) const fn wide_signed(v: i32) -> f32 {
    let size = v.unsigned_abs();
    let size = if size > 0x7fff_ffff { 0x7fff_ffff } else { size };
    let value = wide(size, SNORM32);
    if v < 0 { -value } else { value }
}

/// Rounds a double to the nearest f32 (ties to even). NaNs become the canonical NaN because targets convert them differently.
#[inline(always)]
pub(crate) fn double(bits: u64) -> f32 {
    let value = f64::from_bits(bits);
    if value.is_nan() { f32::from_bits(0x7fc0_0000) } else { value as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_equal_divisions() {
        for v in 0..=u16::MAX {
            assert_eq!(unorm16(v).to_bits(), (f32::from(v) / 65535.0).to_bits(), "{v}");
            let s = v as i16;
            assert_eq!(snorm16(s).to_bits(), (f32::from(s) / 32767.0).max(-1.0).to_bits(), "{s}");
        }
        for v in 0..=u8::MAX {
            assert_eq!(unorm8(v).to_bits(), (f32::from(v) / 255.0).to_bits(), "{v}");
            let s = v as i8;
            assert_eq!(snorm8(s).to_bits(), (f32::from(s) / 127.0).max(-1.0).to_bits(), "{s}");
        }
    }

    #[test]
    fn wide_values_round_once() {
        // f64 has 29 bits more than f32, and no quotient is so near to a tie that rounding twice matters.
        let mut v = 0x9e37_79b9u32;
        let corners =
            [0, 1, 0x80, 0xff_ffff, 0x100_0001, 0x100_0003, 0x8000_0080, 0x8000_0180, 0x7fff_ffff, u32::MAX];
        for i in 0..20_000 {
            v = v.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
            let v = corners.get(i).copied().unwrap_or(v >> (i % 32));
            assert_eq!(unorm(v, 32), (f64::from(v) / 4_294_967_295.0) as f32, "{v:#x}");
            let s = v as i32;
            assert_eq!(snorm(s, 32), (f64::from(s) / 2_147_483_647.0).max(-1.0) as f32, "{v:#x}");
        }
    }

    #[test]
    fn signed_clamp() {
        assert_eq!((snorm8(-128), snorm8(-127), snorm8(127)), (-1.0, -1.0, 1.0));
        assert_eq!((snorm16(i16::MIN), snorm16(i16::MAX)), (-1.0, 1.0));
        assert_eq!((snorm(-2, 2), snorm(-1, 2), snorm(1, 2)), (-1.0, -1.0, 1.0));
        assert_eq!(snorm(i32::MIN, 32), -1.0);
    }

    #[test]
    fn doubles() {
        assert_eq!(double(1.1f64.to_bits()), 1.1f32);
        assert_eq!(double(1e300f64.to_bits()), f32::INFINITY);
        assert_eq!(double(0xfff8_0000_dead_beef).to_bits(), 0x7fc0_0000);
    }
}
