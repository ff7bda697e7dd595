//! Cube maps (specification section 6).

/// Largest finite f32.
const LARGEST: f64 = f32::MAX as f64;

/// A direction on a face: the face, its axes' values and their places in the direction.
#[derive(Clone, Copy, Debug)]
pub struct Projection {
    /// +X 0, -X 1, +Y 2, -Y 3, +Z 4, -Z 5.
    pub face: u64,
    /// The component and sign that sc, tc and |ma| come from.
    from: [(usize, f64); 3],
    /// sc, tc, |ma|.
    value: [f64; 3],
}

/// A direction without NaN and infinities.
pub fn direction(d: [f64; 3]) -> [f64; 3] {
    d.map(|c| if c.is_nan() { 0.0 } else { c.clamp(-LARGEST, LARGEST) })
}

impl Projection {
    /// Ties go to Z, then Y, then X.
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
        // The table: sc, tc.
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

    /// s and t, 0 to 1; the centre for the zero direction.
    pub fn coordinates(&self) -> [f64; 2] {
        let [sc, tc, ma] = self.value;
        [sc, tc].map(|c| if ma == 0.0 { 0.5 } else { (c / ma + 1.0) / 2.0 })
    }

    /// The same as f32 arithmetic computes it.
    pub fn rounded_coordinates(&self) -> [f64; 2] {
        let [sc, tc, ma] = self.value.map(|c| c as f32);
        [sc, tc].map(|c| if ma == 0.0 { 0.5 } else { f64::from((c / ma + 1.0) / 2.0) })
    }

    /// d(s, t) for a change of the direction, and the sum of the magnitudes that were subtracted.
    pub fn derivative(&self, change: [f64; 3]) -> ([f64; 2], [f64; 2]) {
        let [dsc, dtc, dma] = self.from.map(|(c, sign)| sign * change[c]);
        let [sc, tc, ma] = self.value;
        let below = 2.0 * ma * ma;
        let of = |c: f64, dc: f64| (dc * ma - c * dma) / below;
        let reach = |c: f64, dc: f64| ((dc * ma).abs() + (c * dma).abs()) / below;
        ([of(sc, dsc), of(tc, dtc)], [reach(sc, dsc), reach(tc, dtc)])
    }
}

/// The texel across an edge: (face, i, j) with one coordinate outside, through its centre, projected again.
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
        // Left of +X's column 0 is +Z's last column.
        assert_eq!(neighbour(0, -1, 2, 4), (4, 3, 2));
        // There and back, over every edge.
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
