//! How an element's bits become channels: fields, numeric kinds, and the bit layouts that formats share.

/// How a field's bits are read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Numeric {
    /// v / (2^n - 1).
    Unorm,
    /// max(v / (2^(n-1) - 1), -1).
    Snorm,
    /// As `Unorm`, then the sRGB curve.
    Srgb,
    /// Zero-extended integer.
    Uint,
    /// Sign-extended integer.
    Sint,
    /// An unsigned integer's value as a float.
    Uscaled,
    /// A signed integer's value as a float.
    Sscaled,
    /// Signed 16.16 fixed point: v / 65536.
    Sfixed,
    /// IEEE binary64, binary32 or binary16 by width; 11 and 10 bits are floats without a sign (exponent 5 bits, bias 15).
    Float,
    /// The bits, unchanged.
    Raw,
}

/// The bit field of one channel in an element. Bits count from bit 0 of the element's first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ChannelField {
    /// The lowest bit.
    pub shift: u8,
    /// Width in bits; 0 if the channel is not stored and reads as its default.
    pub width: u8,
    /// How the bits are read as a number.
    pub numeric: Numeric,
}

/// Lowest bit and width of a field in bits; width 0 if there is no field.
pub(super) type BitSpan = (u8, u8);

/// The bit fields of R, G, B and A, without their numeric kinds.
#[derive(Clone, Copy)]
pub(super) struct BitLayout {
    pub(super) r: BitSpan,
    pub(super) g: BitSpan,
    pub(super) b: BitSpan,
    pub(super) a: BitSpan,
    /// The width of all components together.
    pub(super) bits: u16,
}

/// Returns the bit layout of components as a format's name has them: letters with widths, from bit 0 upward. `L` (luminance) is R, G and
/// B, `I` (intensity) all four, and `P` (palette index) as well, but for A if there is an `A`; `Y` is G, and `X` is padding.
pub(super) const fn layout(components: &str) -> BitLayout {
    const NONE: BitSpan = (0, 0);
    let mut s = BitLayout { r: NONE, g: NONE, b: NONE, a: NONE, bits: 0 };
    let mut rest = components.as_bytes();
    while let [component, tail @ ..] = rest {
        rest = tail;
        let mut width = 0;
        while let [digit @ b'0'..=b'9', tail @ ..] = rest {
            width = 10 * width + (*digit - b'0');
            rest = tail;
        }
        let span = (s.bits as u8, width);
        match component {
            b'R' => s.r = span,
            b'G' | b'Y' => s.g = span,
            b'B' => s.b = span,
            b'A' => s.a = span,
            b'L' => (s.r, s.g, s.b) = (span, span, span),
            b'I' => (s.r, s.g, s.b, s.a) = (span, span, span, span),
            b'P' => {
                (s.r, s.g, s.b) = (span, span, span);
                if s.a.1 == 0 {
                    s.a = span;
                }
            }
            _ => {}
        }
        s.bits += width as u16;
    }
    s
}
