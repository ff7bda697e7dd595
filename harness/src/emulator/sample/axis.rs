//! One axis: from a coordinate to texel indices and weights (sampling page, sections 3 and 4).

use super::nudge::Way;

/// Texture Coordinate Mode CLAMP.
pub const CLAMP: u64 = 2;
/// CUBE.
pub const CUBE: u64 = 3;
/// CLAMP_BORDER.
pub const CLAMP_BORDER: u64 = 4;
/// HALF_BORDER.
pub const HALF_BORDER: u64 = 6;
/// MIRROR_101.
pub const MIRROR_101: u64 = 7;

/// Texel coordinates are clamped to +-this (U04).
const LIMIT: f64 = 16_777_216.0;

/// A texel of the footprint along one axis: its index (`None`: the border) and its weight.
pub type AxisTexel = (Option<i64>, f64);

/// One axis of a mip level, and how coordinates on it are addressed and filtered.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// Size of the mip level in texels.
    pub size: i64,
    /// Texture Coordinate Mode.
    pub mode: u64,
    /// LINEAR: two texels; otherwise NEAREST: one.
    pub linear: bool,
    /// Texel offset, added to the index before the address mode.
    pub offset: i64,
    /// `Some(rounding enable)` with Fixed8: U is rounded to 1/256 texel (U08); `None`: U is exact.
    pub fixed: Option<bool>,
    /// U = u * size, else U = u.
    pub normalized: bool,
    /// Which way U is moved within `bound` and `slack`.
    pub way: Way,
    /// Rounding bound of U in f32, in texels.
    pub bound: f64,
    /// How far U may be off in addition, in texels (see [`Slack`](super::nudge::Slack)).
    pub slack: f64,
}

impl Axis {
    /// Returns the texels of coordinate `u` with their weights, lower index first (section 4).
    pub fn texels(&self, u: f64) -> Vec<AxisTexel> {
        if !self.linear {
            return vec![(self.nearest(u), 1.0)];
        }
        let (index, weight) = self.split(u);
        vec![(self.texel(index), 1.0 - weight), (self.texel(index + 1), weight)]
    }

    /// Returns the index of the texel that NEAREST reads at coordinate `u`; `None`: the border.
    pub fn nearest(&self, u: f64) -> Option<i64> {
        let (index, _) = self.split(u);
        self.texel(index)
    }

    /// Applies the address mode to texel `index`; `None`: the border.
    fn texel(&self, index: i64) -> Option<i64> {
        address(index, self.size, self.mode)
    }

    /// Returns how far an f32 weight may be off: by the coordinate's bound. With Fixed8, each of several `taps` may round to another
    /// multiple of 1/256 when it is within its bound of one, and is then off by the bound and that step; a single tap is
    /// moved as a whole instead, by `way`. 0 for NEAREST and NaN.
    pub fn slope(&self, u: f64, taps: bool) -> f64 {
        if !self.linear || u.is_nan() {
            return 0.0;
        }
        if self.fixed.is_none() {
            return self.bound.min(1.0);
        }
        let at = |way| Self { way, ..*self }.split(u);
        let flips = taps && at(Way::Up) != at(Way::Down);
        if flips { (self.bound + 1.0 / 256.0).min(1.0) } else { 0.0 }
    }

    /// Returns true if the rounding bound leaves open which texels are read at coordinate `u`.
    pub fn texels_uncertain(&self, u: f64) -> bool {
        let lower = |way| Self { way, ..*self }.split(u).0;
        !u.is_nan() && lower(Way::Up) != lower(Way::Down)
    }

    /// Returns the lower texel index, with the offset but before the address mode, and the weight of the next texel (section 4).
    pub fn split(&self, u: f64) -> (i64, f64) {
        let n = self.size as f64;
        let rounded = self.way == Way::Rounded && self.slack == 0.0;
        let scale = if self.normalized { n } else { 1.0 };
        let mut t = if rounded { f64::from(u as f32 * scale as f32) } else { u * scale };
        // The bound may be infinite, and infinity times the sign 0 is NaN: an exact coordinate adds nothing.
        match self.way {
            Way::Up => t += self.bound + self.slack,
            Way::Down => t -= self.bound + self.slack,
            Way::Rounded if self.slack > 0.0 => {
                let centre = (t - 0.5).round() + 0.5;
                if (t - centre).abs() <= self.bound + self.slack {
                    t = centre;
                }
            }
            Way::Exact | Way::Rounded => {}
        }
        // NaN is 0, or under CLAMP_BORDER as far outside as a coordinate can be (U04).
        if u.is_nan() {
            t = if self.mode == CLAMP_BORDER { LIMIT } else { 0.0 };
        }
        t = t.clamp(-LIMIT, LIMIT);
        if self.mode == HALF_BORDER {
            t = t.clamp(0.0, n);
        }
        // A clamped coordinate is the centre of a texel (U04).
        let half_texel = if t.abs() == LIMIT { 0.0 } else { 0.5 };
        if let Some(round) = self.fixed {
            let half = if round { 0.5 } else { 0.0 };
            t = (t * 256.0 + half).floor() / 256.0;
        }
        if self.linear {
            let x = if rounded { f64::from(t as f32 - half_texel as f32) } else { t - half_texel };
            let weight = x - x.floor();
            let weight = if rounded { f64::from(weight as f32) } else { weight };
            (x.floor() as i64 + self.offset, weight)
        } else {
            let i = t.floor() as i64;
            // HALF_BORDER clamps coordinates to at most N, which is the last texel (U16).
            let i = if self.mode == HALF_BORDER { i.clamp(0, self.size - 1) } else { i };
            (i + self.offset, 0.0)
        }
    }
}

/// Applies address mode `mode` to texel index `i` in a mip level of `n` texels (the table of section 3); `None`: the border.
pub fn address(i: i64, n: i64, mode: u64) -> Option<i64> {
    let inside = if 0 <= i && i < n { Some(i) } else { None };
    match mode {
        0 => Some(i.rem_euclid(n)),
        1 => {
            let k = i.rem_euclid(2 * n);
            Some(if k < n { k } else { 2 * n - 1 - k })
        }
        CLAMP | CUBE => Some(i.clamp(0, n - 1)),
        CLAMP_BORDER | HALF_BORDER => inside,
        5 => Some(if i < 0 { -1 - i } else { i }.min(n - 1)),
        _ if n == 1 => Some(0),
        _ => {
            let k = i.rem_euclid(2 * n - 2);
            Some(if k < n { k } else { 2 * n - 2 - k })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_coordinates() {
        let axis = |mode| Axis {
            size: 8,
            mode,
            linear: true,
            offset: 0,
            fixed: None,
            normalized: true,
            way: Way::Exact,
            bound: 0.0,
            slack: 0.0,
        };
        assert_eq!(axis(0).split(f64::INFINITY), (16_777_216, 0.0));
        assert_eq!(axis(0).split(-1e30), (-16_777_216, 0.0));
        assert_eq!(axis(0).split(2.0), (15, 0.5));
        assert_eq!(axis(HALF_BORDER).split(f64::INFINITY), (7, 0.5));
        assert_eq!(axis(HALF_BORDER).split(-1e30), (-1, 0.5));
    }

    #[test]
    fn modes() {
        let row = |mode| (-5..9).map(|i| address(i, 4, mode).map_or(-1, |i| i)).collect::<Vec<_>>();
        assert_eq!(row(0), [3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0]);
        assert_eq!(row(1), [3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0]);
        assert_eq!(row(2), [0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3]);
        assert_eq!(row(4), [-1, -1, -1, -1, -1, 0, 1, 2, 3, -1, -1, -1, -1, -1]);
        assert_eq!(row(5), [3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3]);
        assert_eq!(row(7), [1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1, 2]);
    }
}
