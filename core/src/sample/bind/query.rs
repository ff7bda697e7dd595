//! Queries: sizes, sample counts, and the LOD that a sample would use.
//!
//! | surface | R | G | B | A |
//! |---|---|---|---|---|
//! | 1D, 1D array | width | 0, layers | 0 | levels |
//! | 2D, 2D array | width * quilts | height * quilts | 0, layers | levels |
//! | 3D | width | height | depth | levels |
//! | CUBE, cube array | width | height | 0, cubes | levels |
//! | BUFFER | elements | 0 | 0 | levels |
//!
//! Two values: without and with Surface Array. A NULL surface never gets here: every message returns 0 for it.
//! Sizes are those of the view's mip level, at least 1; past the last mip level R, G and B are 0.
//! (vISA INFO, with the corrections of the Vulkan and D3D size queries.)

use super::texture::{Dim, Texture};
use crate::format::Texel;

impl Texture<'_> {
    /// Returns the result of `resinfo` for mip level `lod` of the view.
    pub(crate) fn resinfo(&self, lod: u32) -> Texel {
        if lod >= self.levels {
            return [0, 0, 0, self.levels];
        }
        let [w, h, d] = self.level_size(lod);
        let layers = if self.array { self.layers } else { 0 };
        let [quilts_x, quilts_y] = self.quilt;
        let [r, g, b] = match self.dim {
            Dim::D1 => [w, layers, 0],
            Dim::D2 => [w.wrapping_mul(quilts_x), h.wrapping_mul(quilts_y), layers],
            Dim::D3 => [w, h, d],
            Dim::Cube => [w, h, layers],
            Dim::Buffer | Dim::Null => [w, 0, 0],
        };
        [r, g, b, self.levels]
    }

    /// Returns the result of `sampleinfo`: the number of samples and the Multisample Position Palette Index.
    pub(crate) const fn sampleinfo(&self) -> Texel {
        [self.samples, 0, 0, self.palette_index]
    }
}
