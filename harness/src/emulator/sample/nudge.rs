//! How far an f32 implementation may be from the exact numbers at a decision.
//!
//! A texel index, a level, the end of a magnified region are decisions: at their boundary a
//! rounding of f32 decides differently than exact arithmetic, and both are right. A [`Nudge`] moves the
//! quantities that decide by the rounding bound of f32 (never more), so that
//! a comparison can ask: is this result the exact one for coordinates within rounding distance?

/// Which way a quantity is moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// The exact value.
    #[default]
    Exact,
    /// Up by its bound.
    Up,
    /// Down by its bound.
    Down,
    /// As f32 arithmetic computes it; with a [`Slack`], on the centre of a texel that is within it (its neighbour has no weight then).
    /// An LOD: on a level that is within its bound (no other one is read then).
    Rounded,
}

impl Way {
    /// -1, 0 or 1.
    pub fn sign(self) -> f64 {
        match self {
            Way::Up => 1.0,
            Way::Down => -1.0,
            Way::Exact | Way::Rounded => 0.0,
        }
    }
}

/// Moves of every quantity that decides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Nudge {
    /// Texel coordinate per axis, for the first and the second level of a mip pair.
    pub texel: [[Way; 3]; 2],
    /// LOD before its clamps.
    pub lod: Way,
    /// LOD where f32 leaves its range (squares beyond 2^127 or below 2^-126): used instead.
    pub lod_is: Option<f64>,
    /// Ratio of the derivatives' lengths.
    pub ratio: Way,
    /// Take the other axis as the major one.
    pub swap: bool,
    /// Missing corner of a cube in a comparison: up, down, or (`Rounded`) onto the reference, when that is within the bound.
    /// It is the one texel that is computed; all others are exact, and so is comparing them.
    pub corner: Way,
    /// Reference of a comparison, by its slack.
    pub reference: Way,
}

/// How far the one that is compared may be off beyond the rounding of f32: what the documents of its kind allow. Nothing for the core.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slack {
    /// A texel coordinate, in texels.
    pub texel: f64,
    /// A LOD, in levels.
    pub lod: f64,
    /// A texel after conversion and filter.
    pub value: f64,
    /// The same, as a part of the largest texel.
    pub relative: f64,
    /// A reference of a comparison.
    pub reference: f64,
}

/// Bound of a texel coordinate: product and half-texel subtraction, two roundings each of 2^-24 relative, doubled.
/// `reach` is the largest intermediate value (texels).
pub fn texel_bound(reach: f64) -> f64 {
    (reach.abs() + 1.0) * 2f64.powi(-22)
}

/// Bound of the mean of three texels, the largest of magnitude `largest`: two sums and a division, each rounded by 2^-24 relative
/// (of a denormal quotient half of the smallest one); 0 where the mean is not finite.
pub fn corner_bound(largest: f64) -> f64 {
    if largest.is_finite() { largest * 2f64.powi(-22) + 2f64.powi(-150) } else { 0.0 }
}

/// Bound of a LOD from an exact `rho` (or parameter) with relative error `relative`: see [`super::lod`].
pub fn lod_bound(lambda: f64, relative: f64) -> f64 {
    if lambda.is_nan() {
        0.0
    } else if relative >= 1.0 {
        f64::INFINITY
    } else {
        -(1.0 - relative).log2() + (lambda.abs() + 1.0) * 2f64.powi(-21)
    }
}
