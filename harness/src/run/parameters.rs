//! The parameters of the lanes: coordinates, LODs and gradients over a grid of pixels.

use super::grid::Grid;
use texwire::format::half;
use texwire::message::{Message, Param, Width};

/// The view of a texture over a grid, and the values of the other parameters.
///
/// Normalized coordinates begin at `start` and extend over `span`: those outside 0..1 show the address mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridParameters {
    /// Normalized coordinate of the left and upper edge.
    pub start: [f32; 2],
    /// Normalized extent of the grid.
    pub span: [f32; 2],
    /// LOD at the left and at the right edge (explicit LOD, bias).
    pub lod: [f32; 2],
    /// Reference value of comparisons.
    pub reference: f32,
    /// Width and height of level 0 in texels, and its number of slices.
    pub size: [u32; 3],
    /// The third coordinate is normalized (a volume), not an array index.
    pub volume: bool,
    /// Coordinates are texels, not normalized (`Non-normalized coordinates` of the sampler).
    pub texels: bool,
}

impl GridParameters {
    /// Returns the bits of `param` at a pixel of the grid.
    pub fn value(&self, message: &Message, param: Param, grid: Grid, pixel: (u32, u32)) -> u32 {
        let at = [(pixel.0 as f32 + 0.5) / grid.width as f32, (pixel.1 as f32 + 0.5) / grid.height as f32];
        if !message.op.flags().sampler {
            return self.integer(param, at) as u32;
        }
        let float = self.float(param, at);
        match message.param_width {
            Width::Full => float.to_bits(),
            Width::Half => u32::from(half::from_f32(float)),
        }
    }

    /// Returns a parameter of an operation with a sampler; `at` is the position in the grid, 0 to 1 along each axis.
    fn float(&self, param: Param, at: [f32; 2]) -> f32 {
        let scale = |axis: usize| if self.texels { self.size[axis] as f32 } else { 1.0 };
        let coordinate = |axis: usize| (self.start[axis] + self.span[axis] * at[axis]) * scale(axis);
        // Footprints grow towards the lower edge: 1/2 to 8 texels wide, twice as high.
        let footprint = |axis: usize| 0.5 * (at[1] * 4.0).exp2() / self.size[axis] as f32;
        match param {
            Param::U => coordinate(0),
            Param::V => coordinate(1),
            // A volume is cut diagonally, its first slice at the left edge; an array shows one layer per band of columns.
            Param::R if self.volume => at[0],
            Param::R | Param::Ai => (at[0] * self.size[2] as f32).floor(),
            Param::Lod | Param::Bias => self.lod[0] + (self.lod[1] - self.lod[0]) * at[0],
            Param::Ref => self.reference,
            Param::DuDx => footprint(0),
            Param::DvDy => 2.0 * footprint(1),
            _ => 0.0,
        }
    }

    /// Returns a parameter of a load: integer texel coordinates in level 0.
    fn integer(&self, param: Param, at: [f32; 2]) -> i32 {
        let texel = |axis: usize| (at[axis] * self.size[axis] as f32) as i32;
        match param {
            Param::U => texel(0),
            Param::V => texel(1),
            Param::R => (at[0] * self.size[2] as f32) as i32,
            _ => 0,
        }
    }
}
