//! Texels as bit patterns.

use crate::bits::copy_front;

/// R, G, B, A as bit patterns: f32 bits for [`TexelKind::Float`], integers otherwise. Components that
/// the format does not store have their defaults: 0, and 1 for alpha.
pub type Texel = [u32; 4];

/// The bits of 1 in [`TexelKind::Float`].
pub(super) const ONE: u32 = 1.0f32.to_bits();

/// The type of a texel's channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TexelKind {
    /// f32: unorm, snorm, scaled, fixed and float formats.
    Float,
    /// Unsigned integers.
    Uint,
    /// Signed integers.
    Sint,
    /// Raw bits without a numeric meaning.
    Raw,
}

/// Returns the first `N` bytes of an element; bytes that it lacks are 0.
#[inline(always)]
pub(crate) fn head<const N: usize>(element: &[u8]) -> [u8; N] {
    match element.first_chunk() {
        Some(bytes) => *bytes,
        None => {
            let mut bytes = [0; N];
            copy_front(&mut bytes, element);
            bytes
        }
    }
}
