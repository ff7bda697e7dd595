//! The functions of `math`, computed in doubles and rounded once. This is inside every published tolerance, and the same on every host.

use super::operation::Function;

/// Computes a function of one or two floats.
pub(super) fn function(function: Function, a: f64, b: f64) -> f64 {
    match function {
        Function::Inverse => 1.0 / a,
        Function::Log => libm::log2(a),
        Function::Exp => libm::exp2(a),
        Function::Sqrt | Function::SqrtMacro => libm::sqrt(a),
        Function::Rsqrt => 1.0 / libm::sqrt(a),
        Function::Sin => libm::sin(a),
        Function::Cos => libm::cos(a),
        Function::Divide | Function::DivideMacro => a / b,
        // The sign of the base is ignored: the hardware computes 2^(b log2 |a|).
        Function::Pow => libm::pow(a.abs(), b),
        Function::Quotient | Function::Remainder | Function::QuotientRemainder => a,
    }
}

/// Computes a step of the division or square root macro. Returns the result rounded to a double, and a number with the sign of its
/// error (exact minus rounded): 0 if it is exact.
pub(super) fn exact_step(function: Function, a: f64, b: f64) -> (f64, f64) {
    let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
    match function {
        Function::SqrtMacro => {
            let root = libm::sqrt(a);
            (root, finite(libm::fma(-root, root, a)))
        }
        _ => {
            let quotient = a / b;
            let lacking = libm::fma(-quotient, b, a);
            (quotient, finite(if b < 0.0 { -lacking } else { lacking }))
        }
    }
}

/// Returns the quotient (truncated) and the remainder (with the dividend's sign); for division by 0, all ones and the dividend.
pub(super) fn divide(a: i128, b: i128) -> (i128, i128) {
    if b == 0 { (-1, a) } else { (a / b, a % b) }
}
