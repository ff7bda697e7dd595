//! Values of elements: types, conversion, rounding, saturation.

use texwire::enums::DataType;
use texwire::format::half;

/// How a float result is rounded (cr0.0 bits 5:4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest, ties to even.
    #[default]
    Nearest,
    /// Towards positive infinity.
    Up,
    /// Towards negative infinity.
    Down,
    /// Towards zero.
    Zero,
}

impl Rounding {
    /// Returns the mode with the code in the low two bits of `code`.
    pub fn new(code: u32) -> Self {
        [Self::Nearest, Self::Up, Self::Down, Self::Zero][(code & 3) as usize]
    }
}

/// How floats are rounded, and which denormals become 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FloatMode {
    /// Rounding of results.
    pub rounding: Rounding,
    /// Whether denormals become 0, for half floats, floats and doubles.
    pub flush: [bool; 3],
}

/// The result of a lane before it is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Bits of the destination's type, stored as they are.
    Bits(u64),
    /// An exact integer.
    Int(i128),
    /// A float with the error of its rounding: the exact result is the sum of the two. The second is at most half a unit in the last place
    /// of the first; only its sign and whether it is 0 matter.
    Float(f64, f64),
}

/// Returns true if `kind` is a float type.
pub const fn is_float(kind: DataType) -> bool {
    matches!(kind, DataType::Hf | DataType::F | DataType::Df | DataType::Nf | DataType::Vf)
}

/// Returns true if `kind` is a signed integer type.
pub const fn is_signed(kind: DataType) -> bool {
    matches!(kind, DataType::D | DataType::W | DataType::B | DataType::Q | DataType::V)
}

/// Returns the value of `bits` of an integer type.
pub fn integer(kind: DataType, bits: u64) -> i128 {
    match kind {
        DataType::D => i128::from(bits as i32),
        DataType::W | DataType::V => i128::from(bits as i16),
        DataType::B => i128::from(bits as i8),
        DataType::Q => i128::from(bits as i64),
        DataType::Ud | DataType::Uw | DataType::Ub | DataType::Uq | DataType::Uv => i128::from(bits),
        DataType::Hf | DataType::F | DataType::Df | DataType::Nf | DataType::Vf => i128::from(bits),
    }
}

/// Returns the value of `bits` as a double: exact for float types.
pub fn float(kind: DataType, bits: u64) -> f64 {
    match kind {
        DataType::Hf => f64::from(half::to_f32(bits as u16)),
        DataType::F | DataType::Vf => f64::from(f32::from_bits(bits as u32)),
        DataType::Df | DataType::Nf => f64::from_bits(bits),
        DataType::Uq => bits as f64,
        // All other types fit an `i64`; converting an `i128` would be a function call.
        kind => integer(kind, bits) as i64 as f64,
    }
}

/// Returns the mask of the sign bit of a float type.
pub const fn sign_bit(kind: DataType) -> u64 {
    1 << (kind.bits() - 1)
}

/// Returns `bits` of a float type, or 0 with the same sign if it is a denormal that the mode does not keep.
pub fn flushed(kind: DataType, bits: u64, mode: FloatMode) -> u64 {
    let (flush, exponent) = match kind {
        DataType::Hf => (mode.flush[0], 0x7c00),
        DataType::F | DataType::Vf => (mode.flush[1], 0x7f80_0000),
        DataType::Df | DataType::Nf => (mode.flush[2], 0x7ff0_0000_0000_0000),
        _ => return bits,
    };
    if flush && bits & exponent == 0 { bits & sign_bit(kind) } else { bits }
}

/// Returns the lowest and the highest value of an integer type.
pub fn range(kind: DataType) -> (i128, i128) {
    let bits = kind.bits();
    if is_signed(kind) { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

impl Value {
    /// Returns the bits of the value converted to type `kind`, clamped if `saturate`.
    pub fn encode(self, kind: DataType, saturate: bool, mode: FloatMode) -> u64 {
        let mask = texwire::bits::mask(super::super::operand::size_of(kind) as u32 * 8);
        match self {
            Self::Bits(bits) => bits & mask,
            Self::Int(value) if is_float(kind) => {
                let (value, rest) = split_integer(value);
                Self::Float(value, rest).encode(kind, saturate, mode)
            }
            Self::Int(value) => {
                let (low, high) = range(kind);
                (if saturate { value.clamp(low, high) } else { value }) as u64 & mask
            }
            Self::Float(value, _) if !is_float(kind) => {
                // Truncates and saturates; NaN becomes 0.
                let (low, high) = range(kind);
                (value as i128).clamp(low, high) as u64 & mask
            }
            Self::Float(value, rest) => {
                let (value, rest) = if saturate { clamped(value, rest) } else { (value, rest) };
                flushed(kind, narrow(value, rest, kind, mode.rounding), mode)
            }
        }
    }

    /// Returns the 64 bits for the accumulator: integers in full, not truncated to type `kind`. `bits` is the encoded value.
    pub fn wide(self, kind: DataType, bits: u64) -> u64 {
        match self {
            Self::Int(value) if !is_float(kind) => value as u64,
            _ if is_signed(kind) => integer(kind, bits) as u64,
            _ => bits,
        }
    }
}

/// Clamps a float, with the error of its rounding, to 0..=1; NaN becomes 0.
fn clamped(value: f64, rest: f64) -> (f64, f64) {
    if value.is_nan() || value < 0.0 || value == 0.0 {
        (0.0, if value == 0.0 && rest > 0.0 { rest } else { 0.0 })
    } else if value > 1.0 || value == 1.0 && rest > 0.0 {
        (1.0, 0.0)
    } else {
        (value, rest)
    }
}

/// Returns the double nearest to an integer, and the difference of the integer from it.
fn split_integer(value: i128) -> (f64, f64) {
    let nearest = value as f64;
    (nearest, (value.wrapping_sub(nearest as i128)) as f64)
}

/// Rounds `value + rest` to odd: a result that is not exact gets its last bit set, so that rounding it again to a much narrower type
/// gives the correct result.
fn to_odd(value: f64, rest: f64) -> f64 {
    if rest == 0.0 || !rest.is_finite() || !value.is_finite() || value.to_bits() & 1 == 1 {
        return value;
    }
    if value == 0.0 {
        return f64::from_bits(1).copysign(rest);
    }
    // The last bit of `value` is 0: the neighbour towards the exact result has it set.
    if rest > 0.0 { value.next_up() } else { value.next_down() }
}

/// Rounds `value + rest` once to a float type, and returns its bits.
pub fn narrow(value: f64, rest: f64, kind: DataType, rounding: Rounding) -> u64 {
    match kind {
        DataType::Df | DataType::Nf => round_double(value, rest, rounding).to_bits(),
        DataType::Hf => u64::from(to_half(to_odd(value, rest), rounding)),
        _ => u64::from(to_single(to_odd(value, rest), rounding).to_bits()),
    }
}

fn round_double(value: f64, rest: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => value,
        Rounding::Up if rest > 0.0 => value.next_up(),
        Rounding::Down if rest < 0.0 => value.next_down(),
        Rounding::Zero if value > 0.0 && rest < 0.0 => value.next_down(),
        Rounding::Zero if value < 0.0 && rest > 0.0 => value.next_up(),
        _ => value,
    }
}

/// Rounds a double to a float.
pub fn to_single(value: f64, rounding: Rounding) -> f32 {
    let nearest = value as f32;
    let back = f64::from(nearest);
    if back == value || value.is_nan() {
        return nearest;
    }
    match rounding {
        Rounding::Up if back < value => nearest.next_up(),
        Rounding::Down if back > value => nearest.next_down(),
        Rounding::Zero if value > 0.0 && back > value => nearest.next_down(),
        Rounding::Zero if value < 0.0 && back < value => nearest.next_up(),
        _ => nearest,
    }
}

/// Rounds a double to a half float, and returns its bits.
pub fn to_half(value: f64, rounding: Rounding) -> u16 {
    // First rounded to odd to a float: the last bit is set if bits are lost, so that the second rounding is correct.
    let truncated = to_single(value, Rounding::Zero);
    let lost = f64::from(truncated) != value && !value.is_nan();
    let single = if lost { f32::from_bits(truncated.to_bits() | 1) } else { truncated };
    let nearest = half::from_f32(single);
    let back = f64::from(half::to_f32(nearest));
    if back == value || value.is_nan() {
        return nearest;
    }
    let towards_zero = |bits: u16| bits - 1;
    match rounding {
        // The next larger half float: the bits plus 1 for positive numbers, minus 1 for negative ones.
        Rounding::Up if back < value => {
            if nearest & 0x8000 == 0 {
                nearest + 1
            } else {
                towards_zero(nearest)
            }
        }
        Rounding::Down if back > value => match nearest {
            0 => 0x8001,
            bits if bits & 0x8000 == 0 => towards_zero(bits),
            bits => bits + 1,
        },
        Rounding::Zero if back.abs() > value.abs() => towards_zero(nearest),
        _ => nearest,
    }
}

/// Returns the sum of two floats rounded to nearest, and the error of the rounding (exact minus rounded): an infinity if finite numbers
/// have an infinite sum, 0 of other sums that are not finite.
pub fn exact_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let from_b = sum - a;
    with_error(sum, (a - (sum - from_b)) + (b - from_b), &[a, b])
}

/// Returns the product of two floats rounded to nearest, and the error of the rounding as in [`exact_sum`].
pub fn exact_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    with_error(product, libm::fma(a, b, -product), &[a, b])
}

/// Returns a result and its error `rest`, which is of use for finite results alone.
fn with_error(result: f64, rest: f64, operands: &[f64]) -> (f64, f64) {
    if result.is_infinite() && operands.iter().all(|operand| operand.is_finite()) {
        return (result, -result);
    }
    (result, if rest.is_finite() { rest } else { 0.0 })
}

/// Returns `a * b + c`, rounded once to nearest, and a number with the sign of the error (exact minus rounded): 0 if it is exact.
pub fn exact_fma(a: f64, b: f64, c: f64) -> (f64, f64) {
    let (product, low) = exact_product(a, b);
    if low == 0.0 {
        return exact_sum(product, c);
    }
    let result = libm::fma(a, b, c);
    let (sum, rest) = exact_sum(product, c);
    with_error(result, (sum - result) + (rest + low), &[a, b, c])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Doubles beyond the largest one are infinite or the largest one, by the rounding mode; infinite operands stay infinite.
    #[test]
    fn doubles_that_overflow_are_rounded() {
        let largest = f64::MAX;
        for (result, finite) in [
            (exact_sum(largest, largest), true),
            (exact_product(largest, 2.0), true),
            (exact_fma(largest, 2.0, 1.0), true),
            (exact_sum(f64::INFINITY, largest), false),
            (exact_product(f64::INFINITY, 2.0), false),
            (exact_fma(1.0, 2.0, f64::INFINITY), false),
        ] {
            for (sign, value, rest) in [(1.0, result.0, result.1), (-1.0, -result.0, -result.1)] {
                let held = if finite { largest } else { f64::INFINITY };
                let (up, down) = if sign > 0.0 { (f64::INFINITY, held) } else { (held, f64::INFINITY) };
                for (rounding, want) in [
                    (Rounding::Nearest, f64::INFINITY),
                    (Rounding::Zero, held),
                    (Rounding::Up, up),
                    (Rounding::Down, down),
                ] {
                    let got = f64::from_bits(narrow(value, rest, DataType::Df, rounding));
                    assert_eq!(got, sign * want, "{rounding:?} of {value}, {rest}");
                }
            }
        }
    }

    #[test]
    fn products_that_overflow_are_added_exactly() {
        assert_eq!(exact_fma(f64::MAX, 1.5, -f64::MAX), (f64::MAX / 2.0, 0.0));
    }
}
