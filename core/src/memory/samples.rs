//! The positions of samples in multisampled surfaces.

/// The constants from which the position of a sample is computed: see [`Layout::sample`](super::Layout::sample).
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleAddressing {
    pub(super) interleaved: bool,
    pub(super) log2_samples: u8,
    /// Columns and rows of samples in a texel.
    pub(super) per_texel: (u32, u32),
}

impl SampleAddressing {
    /// Returns the element column and row of a sample, and its slice.
    #[inline(always)]
    pub(crate) fn place(self, x: u32, y: u32, layer: u32, sample: u32) -> (u32, u32, u32) {
        let sample = sample & (1_u32.wrapping_shl(self.log2_samples.into()) - 1);
        if !self.interleaved {
            return (x, y, layer.wrapping_shl(self.log2_samples.into()) | sample);
        }
        let (columns, rows) = self.per_texel;
        // Bits 0 and 2 of the sample number select the column, bits 1 and 3 the row.
        let in_x = sample >> 1 & 2 | sample & 1;
        let in_y = sample >> 2 & 2 | sample >> 1 & 1;
        let spread = |at: u32, by: u32, sample: u32| (at & !1).wrapping_mul(by) | sample << 1 | at & 1;
        (spread(x, columns, in_x), spread(y, rows, in_y), layer)
    }
}
