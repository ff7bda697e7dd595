//! How far an f32 implementation may be from the exact numbers at a decision.
//!
//! Which texel, which mip level, magnified or minified: these are decisions. At their boundary f32 rounding may decide
//! differently from exact arithmetic, and both are right. A [`Nudge`] moves the quantities that decide by the rounding bound
//! of f32 (never more, except by the [`Slack`] of an engine that has one), so that a comparison can ask whether a result is the
//! exact one for coordinates within rounding distance.

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
    /// A texel coordinate: as f32 arithmetic computes it; with a [`Slack`], moved onto the centre of a texel within bound and slack
    /// (the neighbouring texel then has no weight). A LOD: moved onto a mip level within its bound (no other level is then read).
    Rounded,
}

impl Way {
    /// Returns 1 for up, -1 for down, else 0.
    pub fn sign(self) -> f64 {
        match self {
            Way::Up => 1.0,
            Way::Down => -1.0,
            Way::Exact | Way::Rounded => 0.0,
        }
    }
}

/// How each quantity that decides is moved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Nudge {
    /// Texel coordinate per axis, for the first and the second level of a mip pair.
    pub texel: [[Way; 3]; 2],
    /// LOD before its clamps.
    pub lod: Way,
    /// Replaces the LOD before its clamps: where f32 leaves its range (squares beyond 2^127 or below 2^-126), and to try the LODs
    /// that a device may derive.
    pub lod_is: Option<f64>,
    /// Ratio of the derivatives' lengths.
    pub ratio: Way,
    /// Takes the other derivative as the major one, if both are equally long within rounding.
    pub swap: bool,
    /// Missing corner texel of a cube in a comparison: up, down, or (`Rounded`) onto the reference, if that is within the bound.
    /// Only this texel is computed; all other texels are exact, and so are their comparisons.
    pub corner: Way,
    /// Reference of a comparison, moved by its slack.
    pub reference: Way,
}

/// How far the engine that is compared may be off beyond f32 rounding, as the documents of its kind allow. All 0 for the core.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slack {
    /// A texel coordinate, in texels.
    pub texel: f64,
    /// A LOD, in mip levels.
    pub lod: f64,
    /// A value after format conversion and filter.
    pub value: f64,
    /// A value after format conversion and filter, as a fraction of the largest texel.
    pub relative: f64,
    /// The reference of a comparison.
    pub reference: f64,
}

/// Returns the rounding bound of a texel coordinate: product and half-texel subtraction, two roundings each of 2^-24 relative, doubled.
/// `reach` is the largest intermediate value (texels).
pub fn texel_bound(reach: f64) -> f64 {
    (reach.abs() + 1.0) * 2f64.powi(-22)
}

/// Returns the rounding bound of the mean of three texels, the largest of magnitude `largest`: two sums and a division, each rounded
/// by 2^-24 relative (a denormal quotient by half of the smallest denormal); 0 if the mean is not finite.
pub fn corner_bound(largest: f64) -> f64 {
    if largest.is_finite() { largest * 2f64.powi(-22) + 2f64.powi(-150) } else { 0.0 }
}

/// Returns the rounding bound of a LOD `lambda`, the logarithm of a scale factor with relative error `relative` (0 for a LOD
/// parameter): see [`super::lod`]. 0 if `lambda` is NaN, infinite if `relative` is 1 or more.
pub fn lod_bound(lambda: f64, relative: f64) -> f64 {
    if lambda.is_nan() {
        0.0
    } else if relative >= 1.0 {
        f64::INFINITY
    } else {
        -(1.0 - relative).log2() + (lambda.abs() + 1.0) * 2f64.powi(-21)
    }
}
