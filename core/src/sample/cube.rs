//! Cube maps: from a direction to a face, and across its edges.
//!
//! Faces (slices of a cube): +X 0, -X 1, +Y 2, -Y 3, +Z 4, -Z 5. The major axis is the largest
//! component; ties go to Z, then Y, then X (Vulkan, cube map face selection).

use super::lanes::{LANES, Lanes, RawFloat, ones};

/// A component of a direction made finite (U05).
#[inline(always)]
pub(super) fn finite(c: f32) -> f32 {
    const INFINITE: u32 = f32::INFINITY.to_bits();
    let bits = c.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    // The bits below those of infinity are the largest number's.
    let held = bits.wrapping_sub(u32::from(magnitude == INFINITE));
    f32::from_bits(held & !ones(magnitude > INFINITE))
}

/// A direction in the frame of the face that it points to.
#[derive(Clone, Copy, Debug)]
struct OnFace {
    face: u32,
    /// sc, tc and the major component, which is positive on the face.
    frame: [f32; 3],
}

/// The face that `direction` points to, and `vector` (the direction itself, or its derivative) in the face's frame:
/// sc, tc and the component along the major axis. Selections, no branches: loops over it become vectors.
#[cfg_attr(target_pointer_width = "64", inline(always))]
fn on_face([u, v, r]: [f32; 3], [a, b, c]: [f32; 3]) -> OnFace {
    let [x, y, z] = [u.abs(), v.abs(), r.abs()];
    let along_z = z >= x && z >= y;
    let along_y = !along_z && y >= x;
    let major = if along_z {
        r
    } else if along_y {
        v
    } else {
        u
    };
    let negative = major < 0.0;
    let signed = |value: f32| if negative { -value } else { value };
    let ma = signed(if along_z {
        c
    } else if along_y {
        b
    } else {
        a
    });
    let sc = if along_z {
        signed(a)
    } else if along_y {
        a
    } else {
        signed(-c)
    };
    let tc = if along_z || !along_y { -b } else { signed(c) };
    let axis = if along_z {
        4
    } else if along_y {
        2
    } else {
        0
    };
    OnFace { face: axis | u32::from(negative), frame: [sc, tc, ma] }
}

/// A direction on the face `face`: sc, tc and the major component.
fn frame(face: u32, [u, v, r]: [i32; 3]) -> [i32; 3] {
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

/// Fills in the faces of directions and the coordinates on them, 0..=1.
pub(super) type FaceKernel =
    fn(direction: &mut [Lanes<f32>; 3], faces: &mut Lanes<u32>, slices: &mut Lanes<u32>, array: bool);

/// See [`FaceKernel`]: directions become coordinates on faces; faces are slices, of an array from the layer's on.
#[inline(always)]
pub(super) fn faces(
    [s, t, r]: &mut [Lanes<f32>; 3],
    faces: &mut Lanes<u32>,
    slices: &mut Lanes<u32>,
    array: bool,
) {
    let layer = ones(array);
    for ((((s, t), r), face), slice) in s.iter_mut().zip(t).zip(r).zip(faces).zip(slices) {
        let (number, on_face) = project([*s, *t, *r]);
        [*s, *t] = on_face;
        *face = number;
        *slice = (*slice & layer).wrapping_add(number);
    }
}

/// Fills in the faces of directions, and the coordinates on them as a payload would have them. Slices go on from the layers'.
pub(super) type RawFaceKernel = fn(
    direction: &[Lanes<f32>; 3],
    plane: &mut [Lanes<RawFloat>; 2],
    faces: &mut Lanes<u32>,
    slices: &mut Lanes<u32>,
);

/// See [`RawFaceKernel`].
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
pub(super) fn raw_faces(
    [x, y, z]: &[Lanes<f32>; 3],
    [s, t]: &mut [Lanes<RawFloat>; 2],
    faces: &mut Lanes<u32>,
    slices: &mut Lanes<u32>,
) {
    for i in 0..LANES {
        let (face, [on_s, on_t]) = project([x[i], y[i], z[i]]);
        (s[i], t[i]) = (on_s.to_le_bytes(), on_t.to_le_bytes());
        faces[i] = face;
        slices[i] = slices[i].wrapping_add(face);
    }
}

/// The face and the coordinates on it, 0..=1. No direction at all is the centre of +Z.
#[inline(always)]
fn project(direction: [f32; 3]) -> (u32, [f32; 2]) {
    let direction = direction.map(finite);
    let OnFace { face, frame: [sc, tc, ma] } = on_face(direction, direction);
    let coordinate = |c: f32| if ma == 0.0 { 0.5 } else { (c / ma + 1.0) / 2.0 };
    (face, [coordinate(sc), coordinate(tc)])
}

/// The derivative of the coordinates on the face, from the direction's derivative.
#[inline(always)]
pub(super) fn gradient(direction: [f32; 3], derivative: [f32; 3]) -> [f32; 2] {
    let direction = direction.map(finite);
    let [sc, tc, ma] = on_face(direction, direction).frame;
    let [dsc, dtc, dma] = on_face(direction, derivative.map(finite)).frame;
    // (dsc * ma - sc * dma) / (2 * ma^2), without the squares that could overflow.
    let half = 2.0 * ma;
    [(dsc - sc / ma * dma) / half, (dtc - tc / ma * dma) / half]
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

    fn face_of(direction: [f32; 3]) -> u32 {
        on_face(direction, direction).face
    }

    #[test]
    fn faces_and_ties() {
        assert_eq!(face_of([1.0, 0.2, -0.3]), 0);
        assert_eq!(face_of([-1.0, 0.2, -0.3]), 1);
        assert_eq!(face_of([0.1, 1.0, -0.3]), 2);
        assert_eq!(face_of([0.1, -1.0, -0.3]), 3);
        assert_eq!(face_of([1.0, 1.0, 1.0]), 4);
        assert_eq!(face_of([-1.0, 1.0, 0.5]), 2);
        assert_eq!(face_of([1.0, -0.2, -1.0]), 5);
        assert_eq!(face_of([0.0, 0.0, 0.0]), 4);
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
        for direction in [[3, -5, 7], [3, 5, -7], [-9, 5, 7], [9, -5, 7], [1, 8, 7], [1, -8, 7]] {
            let OnFace { face, frame: got } = {
                let floats = direction.map(|c| c as f32);
                on_face(floats, floats)
            };
            assert_eq!(got, frame(face, direction).map(|c| c as f32), "{direction:?}");
        }
        // +Y: sc = u, tc = r.
        let (face, [s, t]) = project([0.5, 2.0, -1.0]);
        assert_eq!((face, s, t), (2, 0.625, 0.25));
        let (face, [s, t]) = project([-2.0, 1.0, 0.5]);
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
