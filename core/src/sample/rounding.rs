//! Rounding and bounds of coordinates, without branches.

/// 1.5 * 2^23: the sum with a number below 2^22 in magnitude is an integer, the nearest (ties to even), and its low
/// bits hold it.
pub(super) const MAGIC: f32 = 12_582_912.0;

/// The bits of a sum with [`MAGIC`] that are those of a whole number.
pub(super) const LOW: u32 = 0x3f_ffff;

/// What is added to a coordinate to round it to a whole texel and to move it by a texel offset: [`MAGIC`] and the offset.
pub(super) const fn rounding(offset: i32) -> f32 {
    f32::from_bits(MAGIC.to_bits().wrapping_add_signed(offset))
}

/// The largest integer not above `x`, for |x| below 2^22.
#[inline(always)]
pub(super) fn near_floor(x: f32) -> f32 {
    let nearest = (x + MAGIC) - MAGIC;
    if nearest > x { nearest - 1.0 } else { nearest }
}

/// A whole number from 0 to 2^22 as an integer.
#[inline(always)]
pub(super) fn integer(whole: f32) -> u32 {
    (whole + MAGIC).to_bits() & LOW
}

/// The largest integer not above `x`, as both types. `x` is within +-2^31.
#[cfg_attr(target_pointer_width = "64", inline(always))]
#[cfg_attr(not(target_pointer_width = "64"), inline(never))]
pub(super) fn floor(x: f32) -> (i32, f32) {
    let near = x as i32;
    let value = near as f32;
    let above = value > x;
    (near.wrapping_sub(i32::from(above)), value - f32::from(u8::from(above)))
}

/// `x` held in `low..=high`; NaN stays.
#[inline(always)]
pub(super) fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// The larger one; `b` if one is NaN.
#[inline(always)]
pub(super) fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The smaller one; `b` if one is NaN.
#[inline(always)]
pub(super) fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The largest integer not above `x`, for |x| up to 2^23.
#[inline(always)]
pub(super) fn whole_floor(x: f32) -> f32 {
    const WHOLE: f32 = 8_388_608.0;
    let magnitude = (x.abs() + WHOLE) - WHOLE;
    let nearest = f32::from_bits(magnitude.to_bits() | x.to_bits() & 0x8000_0000);
    if nearest > x { nearest - 1.0 } else { nearest }
}
