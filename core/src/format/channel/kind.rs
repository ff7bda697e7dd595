//! The kinds of channels: one for each loop that decodes bit fields.

/// How a channel is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) enum ChannelKind {
    /// Unsigned normalized, 1 to 23 bits.
    Unorm,
    /// Signed normalized, 2 to 16 bits.
    Snorm,
    /// `Unorm` and `Snorm` whose means are made of decoded values (see [`refine`](super::refine)): 24 bits, texels of blocks.
    UnormUnrefined,
    SnormUnrefined,
    /// Unsigned normalized, 32 bits.
    Unorm32,
    /// Signed normalized, 32 bits.
    Snorm32,
    /// Floats of 16, 11 and 10 bits.
    SmallFloat,
    /// Floats of 64 bits.
    Double,
    /// 32 bits as they are: floats, integers, raw bits.
    Word,
    /// Unsigned integers of less than 32 bits.
    Uint,
    /// Signed integers of less than 32 bits.
    Sint,
    /// The value of an unsigned integer as a float.
    Uscaled,
    /// The value of a signed integer as a float; signed 16.16 fixed point, with a scale.
    Sscaled,
    /// sRGB code of 8 bits.
    Srgb8,
    /// sRGB code of 4 to 6 bits.
    SrgbNarrow,
    /// sRGB code of 10 bits.
    Srgb10,
    /// 9 bits of mantissa with the exponent in the word's top 5 bits.
    SharedExponent,
    /// BC1 to BC3: a colour between two 5:6:5 endpoints, whose weights in sixths are in the next word.
    BcColour,
    /// The same with the sRGB curve.
    BcColourSrgb,
    /// BC1: alpha, 0 for the fourth selector of blocks of three colours, else 1.
    Bc1Alpha,
    /// BC3 to BC5: a value between two 8-bit endpoints; the selector is in the next word.
    BcRamp,
    /// Fields that are too rare for a loop of their own: UNORM of 25 to 31 bits, SNORM of 17 to 31 bits, sRGB codes of other widths; on
    /// small targets also the kinds that have a loop elsewhere.
    Rare,
    /// The channel is not stored: a constant.
    Constant,
}

impl ChannelKind {
    /// Returns true if values of the kind can be NaN.
    pub(crate) const fn has_nan(self) -> bool {
        match self {
            Self::SmallFloat | Self::Double | Self::Word | Self::Rare | Self::Constant => true,
            Self::Unorm | Self::Snorm | Self::UnormUnrefined | Self::SnormUnrefined => false,
            Self::Unorm32 | Self::Snorm32 | Self::Uint | Self::Sint | Self::Uscaled | Self::Sscaled => false,
            Self::Srgb8 | Self::SrgbNarrow | Self::Srgb10 | Self::SharedExponent => false,
            Self::BcColour | Self::BcColourSrgb | Self::Bc1Alpha | Self::BcRamp => false,
        }
    }
}

/// Number of [`ChannelKind`]s.
pub(crate) const KINDS: usize = ChannelKind::Constant as usize + 1;
