//! Cube maps: from a direction to a face, and across its edges.
//!
//! Faces (slices of a cube): +X 0, -X 1, +Y 2, -Y 3, +Z 4, -Z 5. The major axis is the largest
//! component; ties go to Z, then Y, then X (Vulkan, cube map face selection).

/// A component of a direction made finite.
#[inline]
pub(super) fn finite(c: f32) -> f32 {
    if c.is_nan() { 0.0 } else { super::address::clamp(c, -f32::MAX, f32::MAX) }
}

/// The face that the direction `u, v, r` points to.
#[inline]
pub(super) fn face([u, v, r]: [f32; 3]) -> u32 {
    let [x, y, z] = [u.abs(), v.abs(), r.abs()];
    let (axis, negative) = if z >= x && z >= y {
        (4, r < 0.0)
    } else if y >= x {
        (2, v < 0.0)
    } else {
        (0, u < 0.0)
    };
    axis | u32::from(negative)
}

/// A direction (or its derivative) in a face's frame: sc, tc and the major component, positive
/// on the face. It is linear, so it serves derivatives as well.
#[inline]
pub(super) fn frame<T: Copy + core::ops::Neg<Output = T>>(face: u32, [u, v, r]: [T; 3]) -> [T; 3] {
    match face {
        0 => [-r, -v, u],
        1 => [r, -v, -u],
        2 => [u, r, v],
        3 => [u, -r, -v],
        4 => [u, -v, r],
        _ => [-u, -v, -r],
    }
}

/// The inverse of [`frame`].
#[inline]
fn unframe(face: u32, [sc, tc, ma]: [i32; 3]) -> [i32; 3] {
    match face {
        0 => [ma, -tc, -sc],
        1 => [-ma, -tc, sc],
        2 => [sc, ma, tc],
        3 => [sc, -ma, -tc],
        4 => [sc, -tc, ma],
        _ => [-sc, -tc, -ma],
    }
}

/// The face and the coordinates on it, 0..=1.
#[inline]
pub(super) fn project(direction: [f32; 3]) -> (u32, [f32; 3]) {
    let face = face(direction);
    let [sc, tc, ma] = frame(face, direction);
    if ma == 0.0 {
        return (face, [0.5, 0.5, 0.0]);
    }
    (face, [(sc / ma + 1.0) / 2.0, (tc / ma + 1.0) / 2.0, 0.0])
}

/// The derivative of the coordinates on the face, from the direction's derivative.
#[inline]
pub(super) fn gradient(direction: [f32; 3], derivative: [f32; 3]) -> [f32; 3] {
    let face = face(direction);
    let [sc, tc, ma] = frame(face, direction);
    let [dsc, dtc, dma] = frame(face, derivative);
    // (dsc * ma - sc * dma) / (2 * ma^2), without the squares that could overflow.
    let half = 2.0 * ma;
    [(dsc - sc / ma * dma) / half, (dtc - tc / ma * dma) / half, 0.0]
}

/// The texel across an edge: `x` or `y` (not both) is one texel outside a face of `n` texels.
///
/// The texel's centre, as a direction in units of half a texel, is put into the frame of the
/// face that it points to; integers, so that no rounding can miss.
pub(super) fn across(face: u32, x: i32, y: i32, n: i32) -> (u32, i32, i32) {
    let centre = |i: i32| i.max(-1).min(n).wrapping_mul(2).wrapping_add(1).wrapping_sub(n);
    let [u, v, r] = unframe(face, [centre(x), centre(y), n]);
    let [a, b, c] = [u.wrapping_abs(), v.wrapping_abs(), r.wrapping_abs()];
    let next = if c >= a && c >= b {
        4 | u32::from(r < 0)
    } else if b >= a {
        2 | u32::from(v < 0)
    } else {
        u32::from(u < 0)
    };
    let [sc, tc, _] = frame(next, [u, v, r]);
    let index = |s: i32| (s.wrapping_add(n).wrapping_sub(1) >> 1).clamp(0, n.wrapping_sub(1).max(0));
    (next, index(sc), index(tc))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_and_ties() {
        assert_eq!(face([1.0, 0.2, -0.3]), 0);
        assert_eq!(face([-1.0, 0.2, -0.3]), 1);
        assert_eq!(face([0.1, 1.0, -0.3]), 2);
        assert_eq!(face([0.1, -1.0, -0.3]), 3);
        assert_eq!(face([1.0, 1.0, 1.0]), 4);
        assert_eq!(face([-1.0, 1.0, 0.5]), 2);
        assert_eq!(face([1.0, -0.2, -1.0]), 5);
        assert_eq!(face([0.0, 0.0, 0.0]), 4);
    }

    #[test]
    fn frame_and_unframe_are_inverse() {
        for face in 0..6 {
            assert_eq!(frame(face, unframe(face, [3, -5, 7])), [3, -5, 7]);
        }
    }

    /// Crossing an edge and coming back gives the texel one started from.
    #[test]
    fn edges_are_symmetric() {
        for n in [1, 2, 5, 8] {
            for face in 0..6 {
                for k in 0..n {
                    for (x, y, bx, by) in [(-1, k, 0, k), (n, k, n - 1, k), (k, -1, k, 0), (k, n, k, n - 1)] {
                        let (f2, x2, y2) = across(face, x, y, n);
                        assert_ne!(f2, face);
                        assert!((0..n).contains(&x2) && (0..n).contains(&y2));
                        let back = [(-1, y2), (n, y2), (x2, -1), (x2, n)];
                        let edge = [x2 == 0, x2 == n - 1, y2 == 0, y2 == n - 1];
                        let found = back
                            .iter()
                            .zip(edge)
                            .filter(|(_, on)| *on)
                            .any(|(&(x3, y3), _)| across(f2, x3, y3, n) == (face, bx, by));
                        assert!(found, "{n} {face} {x} {y} -> {f2} {x2} {y2}");
                    }
                }
            }
        }
    }

    #[test]
    fn projection_has_the_table_signs() {
        // +Y: sc = u, tc = r.
        let (face, [s, t, _]) = project([0.5, 2.0, -1.0]);
        assert_eq!((face, s, t), (2, 0.625, 0.25));
        let (face, [s, t, _]) = project([-2.0, 1.0, 0.5]);
        assert_eq!((face, s, t), (1, 0.625, 0.25));
    }

    #[test]
    fn gradient_matches_a_difference() {
        let d = [0.9_f32, 0.3, -0.2];
        let e = [0.001_f32, -0.002, 0.003];
        let g = gradient(d, e);
        let (_, a) = project(d);
        let (_, b) = project([d[0] + e[0], d[1] + e[1], d[2] + e[2]]);
        assert!((g[0] - (b[0] - a[0])).abs() < 1e-5 && (g[1] - (b[1] - a[1])).abs() < 1e-5);
    }
}
