//! The key of a shader: everything about the message of its lanes that the shader's code depends on.

/// The coordinates of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Dim {
    /// One coordinate.
    D1,
    /// Two coordinates.
    D2,
    /// Three coordinates.
    D3,
    /// A direction.
    Cube,
}

/// The type of texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TexelType {
    /// Floats.
    Float,
    /// Unsigned integers.
    Uint,
    /// Signed integers.
    Sint,
}

/// The image operation of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ImageOp {
    /// Samples at the LOD of the quad.
    Implicit,
    /// Samples at the LOD of the quad plus a bias.
    Bias,
    /// Queries the LOD of the quad, adds a bias (if true), clamps the LOD between two others, and samples at it.
    Held(bool),
    /// Samples at an explicit LOD.
    Lod,
    /// Samples with gradients.
    Grad,
    /// Gathers one component (the number) of the four texels of a footprint.
    Gather(u8),
    /// Fetches a texel, or a sample of one.
    Fetch,
    /// Queries the size of a level, and the number of levels or samples.
    Size,
    /// Queries the LOD of the quad.
    QueryLod,
}

/// The key of a shader: lanes with equal keys run the same code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ShaderKey {
    /// The coordinates of the image.
    pub(crate) dim: Dim,
    /// The image has layers.
    pub(crate) arrayed: bool,
    /// The image has samples.
    pub(crate) multisampled: bool,
    /// The type of texels.
    pub(crate) kind: TexelType,
    /// The image operation of a lane.
    pub(crate) op: ImageOp,
    /// Compares with a reference.
    pub(crate) compare: bool,
    /// Constant texel offsets.
    pub(crate) offset: [i8; 3],
    /// A gather with offsets of each lane.
    pub(crate) lane_offsets: bool,
    /// Axes of [`ImageOp::Held`] whose coordinates are clamped to 0..=1; the LOD is that of the unclamped coordinates.
    pub(crate) hold: [bool; 3],
    /// True if lanes are drawn although they need no derivatives.
    pub(crate) drawn: bool,
}

impl ShaderKey {
    /// Returns the number of coordinates, without the layer.
    pub(crate) fn axes(&self) -> usize {
        match self.dim {
            Dim::D1 => 1,
            Dim::D2 => 2,
            Dim::D3 | Dim::Cube => 3,
        }
    }

    /// Returns whether it is a fragment shader.
    pub(crate) fn fragment(&self) -> bool {
        self.drawn || self.derives()
    }

    /// Returns whether it takes derivatives, which need quads.
    pub(crate) fn derives(&self) -> bool {
        matches!(self.op, ImageOp::Implicit | ImageOp::Bias | ImageOp::Held(_) | ImageOp::QueryLod)
    }

    /// Returns whether the payload has a layer.
    pub(crate) fn layer(&self) -> bool {
        self.arrayed && !matches!(self.op, ImageOp::QueryLod | ImageOp::Size)
    }

    /// Returns the number of words of a lane's payload.
    pub(crate) fn words(&self) -> usize {
        let coordinates = if self.op == ImageOp::Size { 0 } else { self.axes() };
        let level = matches!(self.op, ImageOp::Bias | ImageOp::Lod | ImageOp::Fetch | ImageOp::Size);
        let gradients = if self.op == ImageOp::Grad { 2 * self.axes() } else { 0 };
        let offsets = if self.lane_offsets { 2 } else { 0 };
        let held = match self.op {
            ImageOp::Held(bias) => 3 + usize::from(bias),
            _ => 0,
        };
        coordinates
            + usize::from(self.layer())
            + usize::from(self.compare)
            + usize::from(level)
            + gradients
            + offsets
            + held
    }
}

/// Words of a lane's results.
pub(crate) const RESULT: usize = 4;
/// Threads of a workgroup.
pub(crate) const GROUP: u32 = 64;
/// Bytes of the push constants: first payload word, first result word, lanes, quads of a row; for those of an upload see
/// [`upload`](super::upload::upload).
pub(crate) const PUSH: u32 = 20;
