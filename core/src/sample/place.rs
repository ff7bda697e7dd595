//! Addressing: from texture coordinates to texels, and from texels to elements of the surface.

pub(super) mod address;
pub(super) mod axis;
pub(super) mod cube;
pub(super) mod footprint;
pub(super) mod level_lanes;
pub(super) mod plane;
pub(super) mod seam;
