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

/// A component of a format's name.
#[derive(Clone, Copy)]
pub(super) enum Component {
    R,
    G,
    B,
    A,
    /// Luminance: R, G and B.
    L,
    /// Intensity: all four.
    I,
    /// Palette index: R, G, B, and A unless there is an `A` of its own.
    P,
    /// Padding.
    X,
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
}

/// Returns the bit layout of components that are given in the order of the format's name: from bit 0 upward.
pub(super) const fn layout(components: &[(Component, u8)]) -> BitLayout {
    const NONE: BitSpan = (0, 0);
    let mut s = BitLayout { r: NONE, g: NONE, b: NONE, a: NONE };
    let (mut rest, mut shift) = (components, 0);
    while let [(component, width), tail @ ..] = rest {
        let span = (shift, *width);
        match component {
            Component::R => s.r = span,
            Component::G => s.g = span,
            Component::B => s.b = span,
            Component::A => s.a = span,
            Component::L => (s.r, s.g, s.b) = (span, span, span),
            Component::I => (s.r, s.g, s.b, s.a) = (span, span, span, span),
            Component::P => {
                (s.r, s.g, s.b) = (span, span, span);
                if s.a.1 == 0 {
                    s.a = span;
                }
            }
            Component::X => {}
        }
        // A last component that ends at bit 256 wraps the shift to 0, where no further field starts.
        shift = shift.wrapping_add(*width);
        rest = tail;
    }
    s
}
