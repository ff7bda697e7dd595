//! Surfaces with several samples a texel.

/// Where the samples of texels are: see [`Layout::sample`](super::Layout::sample).
#[derive(Clone, Copy, Debug)]
pub(crate) struct SamplePlaces {
    pub(super) interleaved: bool,
    pub(super) log2_samples: u8,
    /// Columns and rows that a texel takes.
    pub(super) per_texel: (u32, u32),
}

impl SamplePlaces {
    /// Element column and row, and slice.
    #[inline(always)]
    pub(crate) fn place(self, x: u32, y: u32, layer: u32, sample: u32) -> (u32, u32, u32) {
        let sample = sample & (1_u32.wrapping_shl(self.log2_samples.into()) - 1);
        if !self.interleaved {
            return (x, y, layer.wrapping_shl(self.log2_samples.into()) | sample);
        }
        let (columns, rows) = self.per_texel;
        // Sample bits 0 and 2 are the columns', bits 1 and 3 the rows'.
        let in_x = sample >> 1 & 2 | sample & 1;
        let in_y = sample >> 2 & 2 | sample >> 1 & 1;
        let spread = |at: u32, by: u32, sample: u32| (at & !1).wrapping_mul(by) | sample << 1 | at & 1;
        (spread(x, columns, in_x), spread(y, rows, in_y), layer)
    }
}
