//! Rounding and bounds of coordinates, without branches.

/// 1.5 * 2^23. Added to a number below 2^22 in magnitude, it rounds the number to the nearest integer (ties to even),
/// which is then in the low bits of the sum.
pub(super) const MAGIC: f32 = 12_582_912.0;

/// Mask of the bits of a sum with [`MAGIC`] that hold the integer.
pub(super) const LOW: u32 = 0x3f_ffff;

/// Returns the sum of [`MAGIC`] and a texel offset: added to a coordinate, it rounds to a whole texel and applies the offset.
pub(super) const fn rounding(offset: i32) -> f32 {
    f32::from_bits(MAGIC.to_bits().wrapping_add_signed(offset))
}

/// Returns the largest integer not above `x`, for |x| below 2^22.
#[inline(always)]
pub(super) fn near_floor(x: f32) -> f32 {
    let nearest = (x + MAGIC) - MAGIC;
    if nearest > x { nearest - 1.0 } else { nearest }
}

/// Converts a whole number from 0 to 2^22 - 1 to an integer.
#[inline(always)]
pub(super) fn integer(whole: f32) -> u32 {
    (whole + MAGIC).to_bits() & LOW
}

/// Returns the largest integer not above `x`, as an integer and as a float. `x` is within +-2^31.
#[cfg_attr(target_pointer_width = "64", inline(always))]
#[cfg_attr(not(target_pointer_width = "64"), inline(never))]
pub(super) fn floor(x: f32) -> (i32, f32) {
    let near = x as i32;
    let value = near as f32;
    let above = value > x;
    (near.wrapping_sub(i32::from(above)), value - f32::from(u8::from(above)))
}

/// Returns `x` clamped to `low..=high`; NaN stays NaN.
#[inline(always)]
pub(super) fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// Returns the larger number; `b` if either is NaN.
#[inline(always)]
pub(super) fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Returns the smaller number; `b` if either is NaN.
#[inline(always)]
pub(super) fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// Returns the largest integer not above `x`, for |x| up to 2^23.
#[inline(always)]
pub(super) fn whole_floor(x: f32) -> f32 {
    const WHOLE: f32 = 8_388_608.0;
    let magnitude = (x.abs() + WHOLE) - WHOLE;
    let nearest = f32::from_bits(magnitude.to_bits() | x.to_bits() & 0x8000_0000);
    if nearest > x { nearest - 1.0 } else { nearest }
}
