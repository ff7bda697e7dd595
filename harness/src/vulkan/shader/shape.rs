//! The shape of a shader: the message that its lanes execute.

/// Coordinates of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Dim {
    /// One.
    D1,
    /// Two.
    D2,
    /// Three.
    D3,
    /// A direction.
    Cube,
}

/// What texels are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Floats.
    Float,
    /// Unsigned integers.
    Uint,
    /// Signed integers.
    Sint,
}

/// What a lane does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Work {
    /// Samples, LOD of the quad.
    Implicit,
    /// The same with a bias.
    Bias,
    /// Asks for the LOD of the quad, holds it between two others, and samples there: with or without a bias.
    Held(bool),
    /// Samples at a LOD.
    Lod,
    /// Samples with gradients.
    Grad,
    /// The four texels of a footprint; a component.
    Gather(u8),
    /// A texel, or a sample of one.
    Fetch,
    /// Sizes of a level, and the number of levels or samples.
    Size,
    /// The LOD of the quad.
    QueryLod,
}

/// A shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    /// Coordinates.
    pub(crate) dim: Dim,
    /// Has layers.
    pub(crate) arrayed: bool,
    /// Has samples.
    pub(crate) multisampled: bool,
    /// Texels.
    pub(crate) kind: Kind,
    /// Work.
    pub(crate) work: Work,
    /// Compares with a reference.
    pub(crate) compare: bool,
    /// Constant texel offsets.
    pub(crate) offset: [i8; 3],
    /// A gather with offsets of each lane.
    pub(crate) lane_offsets: bool,
    /// Axes of [`Work::Held`] whose coordinates are held to 0..=1, after the LOD was asked for.
    pub(crate) hold: [bool; 3],
    /// Drawn though it needs no quads.
    pub(crate) drawn: bool,
}

impl Shape {
    /// Coordinates without the layer.
    pub(crate) fn axes(&self) -> usize {
        match self.dim {
            Dim::D1 => 1,
            Dim::D2 => 2,
            Dim::D3 | Dim::Cube => 3,
        }
    }

    /// Runs in a fragment shader.
    pub(crate) fn fragment(&self) -> bool {
        self.drawn || self.derives()
    }

    /// Needs quads.
    pub(crate) fn derives(&self) -> bool {
        matches!(self.work, Work::Implicit | Work::Bias | Work::Held(_) | Work::QueryLod)
    }

    /// The payload has a layer.
    pub(crate) fn layer(&self) -> bool {
        self.arrayed && !matches!(self.work, Work::QueryLod | Work::Size)
    }

    /// Words of a lane's payload.
    pub(crate) fn words(&self) -> usize {
        let coordinates = if self.work == Work::Size { 0 } else { self.axes() };
        let level = matches!(self.work, Work::Bias | Work::Lod | Work::Fetch | Work::Size);
        let gradients = if self.work == Work::Grad { 2 * self.axes() } else { 0 };
        let offsets = if self.lane_offsets { 2 } else { 0 };
        let held = match self.work {
            Work::Held(bias) => 3 + usize::from(bias),
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
/// Bytes of the push constants: first payload word, first result word, lanes, quads of a row; of an upload see [`upload`](super::upload::upload).
pub(crate) const PUSH: u32 = 20;
