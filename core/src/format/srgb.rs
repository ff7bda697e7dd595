//! The sRGB curve (IEC 61966-2-1): exact to f32 rounding and the same on every target.
//!
//! `c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055)^2.4`. The power is `(x * x^(-1/5))^3`; the inverse of the
//! fifth root comes from Newton's iteration in f64, which the compiler runs for the tables. There are no divisions, for which
//! small targets would link an f64 division. The tests compare every code of every width.

/// The curve in f64, for `0 <= c <= 1`.
const fn curve(c: f64) -> f64 {
    if c <= 0.04045 {
        return c * (1.0 / 12.92);
    }
    let x = (c + 0.055) * (1.0 / 1.055);
    // From 1 the iteration rises towards the root (at most 1.62) and doubles its digits each
    // time in the end: 3e-4 after five steps, exhausted after eight.
    let (mut root, mut step) = (1.0, 0);
    while step < 8 {
        let square = root * root;
        root += root * (1.0 - x * (square * square * root)) * 0.2;
        step += 1;
    }
    let part = x * root;
    part * part * part
}

/// Returns the linear values of `v / max`, v = 0, 1, ..
pub(super) const fn table<const N: usize>(max: f64) -> [f32; N] {
    let mut table = [0.0; N];
    let mut rest: &mut [f32] = &mut table;
    let mut v = 0.0;
    while let Some((first, tail)) = rest.split_first_mut() {
        *first = curve(v / max) as f32;
        v += 1.0;
        rest = tail;
    }
    table
}

static TABLE: [f32; 256] = table(255.0);

/// Returns the linear value of an 8-bit sRGB code.
#[inline(always)]
#[must_use]
pub fn decode8(v: u8) -> f32 {
    TABLE.get(usize::from(v)).copied().unwrap_or(1.0)
}

/// Returns the linear values of all codes of 4, 5 or 6 bits, in four vectors; with 4 and 5 bits, entries past the last code
/// are unspecified.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn narrow_table(width: u32) -> &'static [[f32; 16]; 4] {
    const ONES: &[[f32; 16]; 4] = &[[1.0; 16]; 4];
    codes_from(width).as_chunks().0.first_chunk().unwrap_or(ONES)
}

/// Returns the linear value of an sRGB code of 4, 5, 6 or 10 bits.
#[inline(always)]
pub(super) fn narrow(v: u32, width: u32) -> f32 {
    const ONES: &[f32; 1024] = &[1.0; 1024];
    // The slice has one length for all widths: loops then look the table up once and compute only the index into it.
    let codes = codes_from(width).first_chunk().unwrap_or(ONES);
    codes.get(v as usize % codes.len()).copied().unwrap_or(1.0)
}

/// Returns [`NARROW`] from the first code of 4, 5, 6 or 10 bits on.
#[inline(always)]
fn codes_from(width: u32) -> &'static [f32] {
    NARROW.get(1_usize.wrapping_shl(width)..).unwrap_or_default()
}

/// Returns the linear value of an sRGB code of 4, 5, 6, 8 or 10 bits.
#[inline]
pub(super) fn decode(v: u32, width: u32) -> f32 {
    if TABLES && matches!(width, 4..=6 | 10) {
        return narrow(v, width);
    }
    let inverse = match width {
        4 => 1.0 / 15.0,
        5 => 1.0 / 31.0,
        6 => 1.0 / 63.0,
        8 => return decode8(v as u8),
        _ => 1.0 / 1023.0,
    };
    curve(f64::from(v) * inverse) as f32
}

/// Whether codes of the rare widths, 4, 5, 6 and 10 bits, are looked up, as hosts do; small targets compute them.
const TABLES: bool = size_of::<usize>() >= 8;

/// The linear values of codes of 4, 5, 6 and 10 bits: those of `width` bits begin at index 2^width.
static NARROW: [f32; 2048] = {
    let mut all = [1.0; 2048];
    let codes: &mut [f32] = &mut all;
    codes.split_at_mut(16).1.split_at_mut(16).0.copy_from_slice(&table::<16>(15.0));
    codes.split_at_mut(32).1.split_at_mut(32).0.copy_from_slice(&table::<32>(31.0));
    codes.split_at_mut(64).1.split_at_mut(64).0.copy_from_slice(&table::<64>(63.0));
    codes.split_at_mut(1024).1.copy_from_slice(&table::<1024>(1023.0));
    all
};

// Every colour that the interpolation of BC1 to BC3 can give is a multiple of 1/186 (5 bits) or 1/378 (6 bits), so two tables
// hold them all.

/// The largest weighted sum, in sixths, of two codes of 5 bits, and of 6 bits.
#[cfg(feature = "bc")]
pub(super) const MOST_OF_FIVE: u16 = 31 * 6;
#[cfg(feature = "bc")]
pub(super) const MOST_OF_SIX: u16 = 63 * 6;

/// The linear values by the weighted sum, in sixths, of two codes of 5 bits, and of 6 bits.
#[cfg(feature = "bc")]
pub(super) static OF_FIVE: [f32; 187] = table(MOST_OF_FIVE as f64);
#[cfg(feature = "bc")]
pub(super) static OF_SIX: [f32; 379] = table(MOST_OF_SIX as f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_power_function() {
        for width in [4, 5, 6, 8, 10] {
            let max = (1u32 << width) - 1;
            for v in 0..=max {
                let c = f64::from(v) / f64::from(max);
                let want = if c <= 0.04045 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) };
                assert_eq!(decode(v, width).to_bits(), (want as f32).to_bits(), "{v} of {width} bits");
            }
        }
        assert_eq!((decode8(0), decode8(255)), (0.0, 1.0));
    }
}
