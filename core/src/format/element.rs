//! Elements: the smallest pieces that a surface stores.

/// The smallest piece that a surface of a format stores: a texel, or a block of texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Element {
    /// Width in texels.
    pub block_width: u8,
    /// Height in texels.
    pub block_height: u8,
    /// Size in bytes.
    pub bytes: u8,
}

impl Element {
    /// An element of one texel.
    pub const fn texel(bytes: u8) -> Self {
        Self { block_width: 1, block_height: 1, bytes }
    }
}
