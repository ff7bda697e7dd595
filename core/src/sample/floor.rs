//! Rounding of coordinates.

/// The largest integer not above `x`, for |x| up to 2^23.
#[inline(always)]
pub(super) fn whole_floor(x: f32) -> f32 {
    const WHOLE: f32 = 8_388_608.0;
    let magnitude = (x.abs() + WHOLE) - WHOLE;
    let nearest = f32::from_bits(magnitude.to_bits() | x.to_bits() & 0x8000_0000);
    if nearest > x { nearest - 1.0 } else { nearest }
}
