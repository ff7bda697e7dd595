//! Cube maps: from a direction to a face, and from a face across its edges to the neighbouring faces.
//!
//! Faces (slices of a cube): +X 0, -X 1, +Y 2, -Y 3, +Z 4, -Z 5. The major axis is the largest
//! component; ties go to Z, then Y, then X (Vulkan, cube map face selection).

use crate::sample::lanes::{LANES, LaneBytes, Lanes, ones};

/// Returns a component of a direction made finite: NaN becomes 0, an infinity the largest number with its sign (U05).
#[inline(always)]
pub(crate) fn finite(c: f32) -> f32 {
    const INFINITE: u32 = f32::INFINITY.to_bits();
    let bits = c.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    // The bit pattern before that of infinity is the largest finite number.
    let held = bits.wrapping_sub(u32::from(magnitude == INFINITE));
    f32::from_bits(held & !ones(magnitude > INFINITE))
}

/// Makes directions finite (U05).
pub(crate) type FiniteKernel = fn(&mut [Lanes<f32>; 3]);

/// See [`FiniteKernel`].
#[inline(always)]
pub(crate) fn make_finite(axes: &mut [Lanes<f32>; 3]) {
    for c in axes.as_flattened_mut() {
        *c = finite(*c);
    }
}

/// A face, and a vector in the frame of that face.
#[derive(Clone, Copy, Debug)]
struct OnFace {
    face: u32,
    /// sc, tc and the component along the major axis, which of a direction is positive on its face.
    frame: [f32; 3],
}

/// Returns the face that the direction (u, v, r) points to, and the vector (a, b, c) (the direction itself, or its derivative) in
/// the face's frame: sc, tc and the component along the major axis. Written with selections, not branches, so that loops over it
/// are vectorised.
#[cfg_attr(target_pointer_width = "64", inline(always))]
const fn on_face([u, v, r]: [f32; 3], [a, b, c]: [f32; 3]) -> OnFace {
    let [x, y, z] = [u.abs(), v.abs(), r.abs()];
    let along_z = z >= x && z >= y;
    let along_y = !along_z && y >= x;
    let major = [along_z, along_y];
    let negative = select(major, [r, v, u]) < 0.0;
    const SIGN: u32 = 1 << 31;
    let sign = if negative { SIGN } else { 0 };
    let sc = flip(if along_z || along_y { a } else { c }, select(major, [sign, 0, sign ^ SIGN]));
    let tc = if along_y { flip(c, sign) } else { -b };
    let ma = flip(select(major, [c, b, a]), sign);
    OnFace { face: select(major, [4, 2, 0]) | negative as u32, frame: [sc, tc, ma] }
}

/// Returns the value for the major axis: Z, Y or X.
#[inline(always)]
const fn select<T: Copy>([along_z, along_y]: [bool; 2], [z, y, x]: [T; 3]) -> T {
    if along_z {
        z
    } else if along_y {
        y
    } else {
        x
    }
}

/// Changes the sign of a number if the mask `sign` has the sign bit.
#[inline(always)]
const fn flip(value: f32, sign: u32) -> f32 {
    f32::from_bits(value.to_bits() ^ sign)
}

/// Returns the direction that is (sc, tc, component along the major axis) in the frame of `face`: the inverse of [`on_face`].
const fn unframe(face: u32, [sc, tc, ma]: [f32; 3]) -> [f32; 3] {
    match face {
        0 => [ma, -tc, -sc],
        1 => [-ma, -tc, sc],
        2 => [sc, ma, tc],
        3 => [sc, -ma, -tc],
        4 => [sc, -tc, ma],
        _ => [-sc, -tc, -ma],
    }
}

/// Replaces directions by coordinates on their faces, 0..=1, fills in the faces and adds them to `slices`, which hold the first slice of
/// each lane's layer. (Not inlined: its frame is then off the stack when texels are read, for which small targets have no room.)
#[inline(never)]
pub(crate) fn faces([s, t, r]: &mut [Lanes<f32>; 3], faces: &mut Lanes<u32>, slices: &mut Lanes<u32>) {
    for ((((s, t), r), face), slice) in s.iter_mut().zip(t).zip(r).zip(faces).zip(slices) {
        (*face, [*s, *t]) = project([*s, *t, *r]);
        *slice = slice.wrapping_add(*face);
    }
}

/// Fills in the faces of directions, the coordinates on them (as raw floats, like those of payloads) and the slices: `layers`, the first
/// slice of each lane's layer, plus the face.
pub(crate) type RawFaceKernel = fn(
    direction: [&Lanes<LaneBytes>; 3],
    layers: &Lanes<u32>,
    plane: &mut [Lanes<LaneBytes>; 2],
    faces: &mut Lanes<u32>,
    slices: &mut Lanes<u32>,
);

/// See [`RawFaceKernel`].
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
pub(crate) fn raw_faces(
    [x, y, z]: [&Lanes<LaneBytes>; 3],
    layers: &Lanes<u32>,
    [s, t]: &mut [Lanes<LaneBytes>; 2],
    faces: &mut Lanes<u32>,
    slices: &mut Lanes<u32>,
) {
    let float = f32::from_le_bytes;
    for i in 0..LANES {
        let (face, [on_s, on_t]) = project([float(x[i]), float(y[i]), float(z[i])]);
        (s[i], t[i]) = (on_s.to_le_bytes(), on_t.to_le_bytes());
        faces[i] = face;
        slices[i] = layers[i].wrapping_add(face);
    }
}

/// Returns the face that a direction points to and the coordinates on it, 0..=1. The zero direction is the centre of +Z (U05).
#[inline(always)]
fn project(direction: [f32; 3]) -> (u32, [f32; 2]) {
    let direction = direction.map(finite);
    let OnFace { face, frame: [sc, tc, ma] } = on_face(direction, direction);
    let coordinate = |c: f32| if ma == 0.0 { 0.5 } else { (c / ma + 1.0) / 2.0 };
    (face, [coordinate(sc), coordinate(tc)])
}

/// Returns the derivative of the coordinates on the face that `direction` points to, from the derivative of the direction.
#[inline(always)]
pub(crate) fn gradient(direction: [f32; 3], derivative: [f32; 3]) -> [f32; 2] {
    let direction = direction.map(finite);
    let [sc, tc, ma] = on_face(direction, direction).frame;
    let [dsc, dtc, dma] = on_face(direction, derivative.map(finite)).frame;
    // (dsc * ma - sc * dma) / (2 * ma^2), without the squares that could overflow.
    let half = 2.0 * ma;
    [(dsc - sc / ma * dma) / half, (dtc - tc / ma * dma) / half]
}

/// The neighbour across each edge of each face, indexed by `4 * face + edge`: left 0, right 1, top 2, bottom 3 (see [`over_edge`]).
///
/// Bits 2:0 are the neighbouring face, bits 4:3 describe the column there and bits 6:5 the row. Of each pair, the low bit says that
/// the coordinate runs along the edge (else it is 0), the high bit that it is counted from the other end.
#[allow(clippy::indexing_slicing, reason = "evaluated at compile time")]
pub(crate) const EDGES: [u32; 32] = {
    let mut edges = [0; 32];
    let mut number = 0;
    while number < 24 {
        edges[number] = edge(number as u32 / 4, number as u32 % 4);
        number += 1;
    }
    edges
};

/// Computes an entry of [`EDGES`], from two texels across the edge of a face of 4 x 4 texels.
const fn edge(face: u32, edge: u32) -> u32 {
    const N: i32 = 4;
    let [near, far] = [across(face, outside(edge, 1, N), N), across(face, outside(edge, 2, N), N)];
    near.0 | coordinate_bits(near.1[0], far.1[0]) << 3 | coordinate_bits(near.1[1], far.1[1]) << 5
}

/// Returns the two bits of [`EDGES`] for a coordinate, from its values in the texels across positions 1 and 2 of the edge.
const fn coordinate_bits(first: i32, second: i32) -> u32 {
    if first == second { ((first != 0) as u32) << 1 } else { 1 | ((first != 1) as u32) << 1 }
}

/// Returns face, column and row of the texel across an edge, at position `along` the edge. `entry`: the edge's entry in [`EDGES`];
/// `last`: the number of the last texel along each axis.
#[inline(always)]
pub(crate) fn over_edge(entry: u32, along: u32, last: u32) -> [u32; 3] {
    let coordinate = |bits: u32| {
        let along = along & ones(bits & 1 != 0);
        let counted_back = ones(bits & 2 != 0);
        along & !counted_back | last.wrapping_sub(along) & counted_back
    };
    [entry & 7, coordinate(entry >> 3), coordinate(entry >> 5)]
}

/// Returns column and row of the texel at position `along` an edge, one texel outside a face of `n` x `n` texels.
const fn outside(edge: u32, along: i32, n: i32) -> [i32; 2] {
    match edge {
        0 => [-1, along],
        1 => [n, along],
        2 => [along, -1],
        _ => [along, n],
    }
}

/// Returns face, column and row of a texel across an edge: `x` or `y` (not both) is one texel outside a face of `n` x `n` texels.
///
/// The texel's centre, as a direction in units of half a texel, is put into the frame of the
/// face that it points to. All numbers are whole, so that there is no rounding error.
const fn across(face: u32, [x, y]: [i32; 2], n: i32) -> (u32, [i32; 2]) {
    let centre = unframe(face, [(2 * x + 1 - n) as f32, (2 * y + 1 - n) as f32, n as f32]);
    let OnFace { face: next, frame: [sc, tc, _] } = on_face(centre, centre);
    (next, [held(sc as i32, n), held(tc as i32, n)])
}

/// Returns the texel of a face of `n` texels that contains `s`, in half texels from the face's centre, or the nearest texel.
const fn held(s: i32, n: i32) -> i32 {
    let texel = (s + n - 1) >> 1;
    if texel < 0 {
        0
    } else if texel >= n {
        n - 1
    } else {
        texel
    }
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
    fn unframe_is_the_inverse_of_on_face() {
        for face in 0..6 {
            let direction = unframe(face, [3.0, -5.0, 7.0]);
            let found = on_face(direction, direction);
            assert_eq!((found.face, found.frame), (face, [3.0, -5.0, 7.0]));
        }
    }

    /// Crossing an edge and coming back gives the texel one started from.
    #[test]
    fn edges_are_symmetric() {
        for n in [1, 2, 5, 8] {
            for face in 0..6 {
                for k in 0..n {
                    for (x, y, bx, by) in [(-1, k, 0, k), (n, k, n - 1, k), (k, -1, k, 0), (k, n, k, n - 1)] {
                        let (f2, [x2, y2]) = across(face, [x, y], n);
                        assert_ne!(f2, face);
                        assert!((0..n).contains(&x2) && (0..n).contains(&y2));
                        let back = [(-1, y2), (n, y2), (x2, -1), (x2, n)];
                        let edge = [x2 == 0, x2 == n - 1, y2 == 0, y2 == n - 1];
                        let found = back
                            .iter()
                            .zip(edge)
                            .filter(|(_, on)| *on)
                            .any(|(&(x3, y3), _)| across(f2, [x3, y3], n) == (face, [bx, by]));
                        assert!(found, "{n} {face} {x} {y} -> {f2} {x2} {y2}");
                    }
                }
            }
        }
    }

    /// The table agrees with the geometry for faces of any size.
    #[test]
    fn edges_are_those_of_the_directions() {
        let left_to_bottom = [0, 1, 2, 3].map(|edge| outside(edge, 3, 8));
        assert_eq!(left_to_bottom, [[-1, 3], [8, 3], [3, -1], [3, 8]]);
        for n in [1, 2, 3, 4, 7, 512, 16384] {
            for (face, edge) in (0..6).flat_map(|face| (0..4).map(move |edge| (face, edge))) {
                for along in [0, 1, n / 2, n - 1].into_iter().filter(|along| *along < n) {
                    let (next, [x, y]) = across(face, outside(edge, along, n), n);
                    let entry = EDGES[(4 * face + edge) as usize];
                    let found = over_edge(entry, along as u32, n as u32 - 1);
                    assert_eq!(found, [next, x as u32, y as u32], "{n} {face} {edge} {along}");
                }
            }
        }
    }

    #[test]
    fn projection_has_the_table_signs() {
        for direction in [[3, -5, 7], [3, 5, -7], [-9, 5, 7], [9, -5, 7], [1, 8, 7], [1, -8, 7]] {
            let direction = direction.map(|c| c as f32);
            let OnFace { face, frame } = on_face(direction, direction);
            assert_eq!(unframe(face, frame), direction, "{direction:?}");
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
