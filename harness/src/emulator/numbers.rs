//! Converts the bits of a format's component to a number (sampling page, section 13).

/// A decoded texel: R, G, B, A.
pub type Texel = [f64; 4];

/// The numeric type of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numeric {
    /// v / (2^n - 1).
    Unorm,
    /// max(v / (2^(n-1) - 1), -1).
    Snorm,
    /// Unsigned integer.
    Uint,
    /// Signed integer.
    Sint,
    /// Unsigned integer as a float.
    Uscaled,
    /// Signed integer as a float.
    Sscaled,
    /// IEEE float of 64, 32, 16 bits; unsigned small float of 11 or 10 bits.
    Float,
    /// Signed fixed point with 16 fraction bits.
    Sfixed,
    /// Raw dwords.
    Passthru,
    /// Bits without a value, which are not decoded.
    Typeless,
}

/// Returns up to eight bytes as a little-endian number.
pub fn little(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b))
}

/// Rounds to f32.
pub fn round32(x: f64) -> f64 {
    f64::from(x as f32)
}

/// Returns the largest unsigned number of `bits` bits.
pub fn ones(bits: usize) -> f64 {
    2f64.powi(bits as i32) - 1.0
}

/// Returns the value of a component whose `bits` bits are `v`: of a SINT the sign-extended 32-bit pattern, of PASSTHRU and
/// TYPELESS 0.
pub fn number(v: u64, bits: usize, kind: Numeric) -> f64 {
    let signed = || if v >> (bits - 1) & 1 == 1 { v as f64 - 2f64.powi(bits as i32) } else { v as f64 };
    match kind {
        Numeric::Unorm => quotient(v as f64, ones(bits)),
        Numeric::Snorm => quotient(signed(), ones(bits - 1)).max(-1.0),
        Numeric::Uint | Numeric::Uscaled => v as f64,
        Numeric::Sint => f64::from(signed() as i32 as u32),
        Numeric::Sscaled => signed(),
        Numeric::Sfixed => signed() / 65536.0,
        Numeric::Float => match bits {
            64 => f64::from_bits(v),
            16 | 32 => float(v as u32, bits == 16),
            _ => small_float(v, bits - 5),
        },
        Numeric::Passthru | Numeric::Typeless => 0.0,
    }
}

/// Returns n / d rounded to odd: if it is not exact, its last bit is 1. When the result is then rounded to f32, it is the f32
/// nearest to the exact quotient; a quotient rounded to nearest twice need not be (32-bit UNORM 0xffffff7f).
fn quotient(n: f64, d: f64) -> f64 {
    let q = n / d;
    let rest = (-q).mul_add(d, n);
    if rest == 0.0 || q.to_bits() & 1 == 1 {
        return q;
    }
    let larger = (rest > 0.0) == (q > 0.0);
    f64::from_bits(if larger { q.to_bits() + 1 } else { q.to_bits() - 1 })
}

/// Returns the value of a float of 32 bits, or of the half float in bits 15:0 (`half`).
pub fn float(bits: u32, half: bool) -> f64 {
    if !half {
        return f64::from(f32::from_bits(bits));
    }
    let magnitude = small_float(u64::from(bits & 0x7fff), 10);
    if bits >> 15 & 1 == 1 { -magnitude } else { magnitude }
}

/// Returns the value of an unsigned float with a 5-bit exponent (bias 15) above `mantissa` bits.
pub fn small_float(v: u64, mantissa: usize) -> f64 {
    let scale = 2f64.powi(mantissa as i32);
    let (exponent, fraction) = ((v >> mantissa) as i32, (v % (1 << mantissa)) as f64 / scale);
    match exponent {
        0 => fraction * 2f64.powi(-14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction) * 2f64.powi(exponent - 15),
    }
}

/// Returns the linear value of the sRGB-encoded value `c` (the sRGB curve).
pub fn srgb(c: f64) -> f64 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}
