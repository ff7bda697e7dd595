//! The unit of memory of a format.

/// The unit of memory of a format: a texel, or a block of texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Element {
    /// Texels in x.
    pub block_width: u8,
    /// Texels in y.
    pub block_height: u8,
    /// Bytes.
    pub bytes: u8,
}

impl Element {
    /// An element of one texel.
    pub const fn texel(bytes: u8) -> Self {
        Self { block_width: 1, block_height: 1, bytes }
    }
}
