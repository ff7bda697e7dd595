//! Cube maps: projection onto faces, texels across edges (sampling page, section 6).

/// The largest finite f32.
const LARGEST: f64 = f32::MAX as f64;

/// A direction projected onto a cube face.
#[derive(Clone, Copy, Debug)]
pub struct Projection {
    /// The face: +X 0, -X 1, +Y 2, -Y 3, +Z 4, -Z 5.
    pub face: u64,
    /// Component of the direction (0 to 2) and sign of sc, tc and |ma|.
    from: [(usize, f64); 3],
    /// The values of sc, tc and |ma|.
    value: [f64; 3],
}

/// Replaces NaN components of a direction by 0 and infinite ones by the largest f32 of their sign (U05).
pub fn direction(d: [f64; 3]) -> [f64; 3] {
    d.map(|c| if c.is_nan() { 0.0 } else { c.clamp(-LARGEST, LARGEST) })
}

impl Projection {
    /// Projects a direction. Ties of the largest component go to Z, then Y, then X.
    pub fn of(d: [f64; 3]) -> Self {
        let [x, y, z] = d.map(f64::abs);
        let axis = if z >= x && z >= y {
            2
        } else if y >= x {
            1
        } else {
            0
        };
        let negative = d[axis] < 0.0;
        let sign = if negative { -1.0 } else { 1.0 };
        let face = 2 * axis as u64 + u64::from(negative);
        // The table of section 6: sc and tc, each a component of the direction and its sign.
        let (sc, tc) = match face {
            0 => ((2, -1.0), (1, -1.0)),
            1 => ((2, 1.0), (1, -1.0)),
            2 => ((0, 1.0), (2, 1.0)),
            3 => ((0, 1.0), (2, -1.0)),
            4 => ((0, 1.0), (1, -1.0)),
            _ => ((0, -1.0), (1, -1.0)),
        };
        let from = [sc, tc, (axis, sign)];
        Self { face, from, value: from.map(|(c, sign)| sign * d[c]) }
    }

    /// Returns s and t on the face, 0 to 1; the centre for the zero direction (U05).
    pub fn coordinates(&self) -> [f64; 2] {
        let [sc, tc, ma] = self.value;
        [sc, tc].map(|c| if ma == 0.0 { 0.5 } else { (c / ma + 1.0) / 2.0 })
    }

    /// Returns s and t as f32 arithmetic computes them.
    pub fn rounded_coordinates(&self) -> [f64; 2] {
        let [sc, tc, ma] = self.value.map(|c| c as f32);
        [sc, tc].map(|c| if ma == 0.0 { 0.5 } else { f64::from((c / ma + 1.0) / 2.0) })
    }

    /// Returns the derivative of (s, t) for a change of the direction (section 2), and for each the sum of the magnitudes that were
    /// subtracted to get it.
    pub fn derivative(&self, change: [f64; 3]) -> ([f64; 2], [f64; 2]) {
        let [dsc, dtc, dma] = self.from.map(|(c, sign)| sign * change[c]);
        let [sc, tc, ma] = self.value;
        let below = 2.0 * ma * ma;
        let of = |c: f64, dc: f64| (dc * ma - c * dma) / below;
        let reach = |c: f64, dc: f64| ((dc * ma).abs() + (c * dma).abs()) / below;
        ([of(sc, dsc), of(tc, dtc)], [reach(sc, dsc), reach(tc, dtc)])
    }
}

/// Returns the texel (face, i, j) that is across an edge from texel (i, j) of `face`, one of whose coordinates is outside 0..n: the
/// direction through its centre is projected again (section 6). A texel inside the face is returned unchanged.
pub fn neighbour(face: u64, i: i64, j: i64, n: i64) -> (u64, i64, i64) {
    let inside = |k: i64| 0 <= k && k < n;
    if inside(i) && inside(j) {
        return (face, i, j);
    }
    let centre = |k: i64| (k as f64 + 0.5) / n as f64 * 2.0 - 1.0;
    let (s, t) = (centre(i), centre(j));
    let d = match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    };
    let there = Projection::of(d);
    let [i, j] = there.coordinates().map(|c| ((c * n as f64).floor() as i64).clamp(0, n - 1));
    (there.face, i, j)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_and_edges() {
        for (d, face) in [([1.0, 1.0, 1.0], 4), ([-1.0, 1.0, 0.5], 2), ([1.0, -0.2, -1.0], 5), ([0.0; 3], 4)]
        {
            assert_eq!(Projection::of(d).face, face);
        }
        // The texel left of column 0 of +X is in the last column of +Z.
        assert_eq!(neighbour(0, -1, 2, 4), (4, 3, 2));
        // Across every edge is an edge of another face.
        for face in 0..6 {
            for k in 0..4 {
                for (i, j) in [(-1, k), (4, k), (k, -1), (k, 4)] {
                    let (other, a, b) = neighbour(face, i, j, 4);
                    assert_ne!(other, face);
                    let edge = |v: i64| v == 0 || v == 3;
                    assert!(edge(a) || edge(b), "{face} {i} {j} -> {other} {a} {b}");
                }
            }
        }
    }
}
