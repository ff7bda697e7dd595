//! Functions of all lanes: from arrays of lanes to arrays or to masks with a bit for each lane.

use crate::machine::alu::operation::Condition;
use crate::machine::registers::Registers;

/// Returns a dword, sign- or zero-extended to 64 bits.
#[inline]
pub(super) fn extend(value: u32, signed: bool) -> u64 {
    if signed { i64::from(value as i32) as u64 } else { u64::from(value) }
}

/// Returns all 64 bits of the accumulator + (the product of `a` and the upper word of `b`, shifted left by 16), for each lane.
pub(super) fn mach<const N: usize>(
    registers: &Registers,
    a: [u32; N],
    b: [u32; N],
    signed: [bool; 2],
) -> [u64; N] {
    std::array::from_fn(|lane| {
        let upper = if signed[1] { (b[lane] as i32 >> 16) as u32 } else { b[lane] >> 16 };
        let product = extend(a[lane], signed[0]).wrapping_mul(extend(upper, signed[1]));
        registers.accumulator[lane].wrapping_add(product << 16)
    })
}

#[inline]
pub(super) fn zip<const N: usize>(a: [u32; N], b: [u32; N], f: impl Fn(u32, u32) -> u32) -> [u32; N] {
    let mut out = [0; N];
    for lane in 0..N {
        out[lane] = f(a[lane], b[lane]);
    }
    out
}

#[inline]
pub(super) fn zip3<const N: usize>(
    a: [u32; N],
    b: [u32; N],
    c: [u32; N],
    f: impl Fn(u32, u32, u32) -> u32,
) -> [u32; N] {
    let mut out = [0; N];
    for lane in 0..N {
        out[lane] = f(a[lane], b[lane], c[lane]);
    }
    out
}

#[inline]
pub(super) fn zip_floats<const N: usize>(a: [u32; N], b: [u32; N], f: impl Fn(f32, f32) -> f32) -> [u32; N] {
    zip(a, b, |a, b| f(f32::from_bits(a), f32::from_bits(b)).to_bits())
}

#[inline]
pub(super) fn floats<const N: usize>(a: [u32; N]) -> [f32; N] {
    a.map(f32::from_bits)
}

/// Returns the mask of the lanes in which `f` holds.
#[inline]
pub(super) fn mask_of<T: Copy, const N: usize>(a: [T; N], b: [T; N], f: impl Fn(T, T) -> bool) -> u32 {
    let mut mask = 0;
    for lane in 0..N {
        mask |= u32::from(f(a[lane], b[lane])) << lane;
    }
    mask
}

#[inline]
pub(super) fn nans<const N: usize>(a: [f32; N]) -> u32 {
    mask_of(a, a, |a, b| a != b)
}

/// Returns the mask of the lanes in which a comparison holds; 0 for the conditions that compare nothing, overflow and unordered.
#[inline]
fn compare<T: Copy + PartialOrd, const N: usize>(condition: Condition, a: [T; N], b: [T; N]) -> u32 {
    match condition {
        Condition::Equal => mask_of(a, b, |a, b| a == b),
        Condition::NotEqual => mask_of(a, b, |a, b| a != b),
        Condition::Greater => mask_of(a, b, |a, b| a > b),
        Condition::GreaterEqual => mask_of(a, b, |a, b| a >= b),
        Condition::Less => mask_of(a, b, |a, b| a < b),
        Condition::LessEqual => mask_of(a, b, |a, b| a <= b),
        Condition::Overflow | Condition::Unordered => 0,
    }
}

/// Does what [`compare`] does, for signed or unsigned dwords.
#[inline]
pub(super) fn compare_dwords<const N: usize>(
    condition: Condition,
    signed: bool,
    a: [u32; N],
    b: [u32; N],
) -> u32 {
    if signed {
        compare(condition, a.map(|a| a as i32), b.map(|b| b as i32))
    } else {
        compare(condition, a, b)
    }
}

/// Does what [`compare`] does, for floats, and handles the condition "unordered": one of the two values is NaN.
#[inline]
pub(super) fn compare_floats<const N: usize>(condition: Condition, a: [f32; N], b: [f32; N]) -> u32 {
    if condition == Condition::Unordered { nans(a) | nans(b) } else { compare(condition, a, b) }
}

/// Returns all ones in the lanes of a mask, 0 in other lanes.
#[inline]
pub(super) fn spread<const N: usize>(mask: u32) -> [u32; N] {
    std::array::from_fn(|lane| 0u32.wrapping_sub(mask >> lane & 1))
}

/// Returns `a` in the lanes of a mask, `b` in other lanes.
#[inline]
pub(super) fn blend<const N: usize>(mask: u32, a: [u32; N], b: [u32; N]) -> [u32; N] {
    let mask: [u32; N] = spread(mask);
    std::array::from_fn(|lane| a[lane] & mask[lane] | b[lane] & !mask[lane])
}

/// Returns the bits of `a * b + c`, rounded once. The product is exact in a double, and the sum is rounded to odd, so that rounding it
/// again to a float gives the correct result.
#[inline]
pub(super) fn fused(a: u32, b: u32, c: u32) -> u32 {
    let product = f64::from(f32::from_bits(a)) * f64::from(f32::from_bits(b));
    let c = f64::from(f32::from_bits(c));
    let sum = product + c;
    let from_c = sum - product;
    let rest = (product - (sum - from_c)) + (c - from_c);
    let bits = sum.to_bits();
    // An error that is not finite comes from infinities or NaNs: there is nothing to correct.
    let inexact = rest != 0.0 && rest.is_finite() && bits & 1 == 0;
    let step = if (rest > 0.0) == (sum > 0.0) { 1 } else { u64::MAX };
    let odd = if inexact { bits.wrapping_add(step) } else { bits };
    (f64::from_bits(odd) as f32).to_bits()
}
