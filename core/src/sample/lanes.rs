//! A few lanes at a time: arrays with one value for each lane, which compilers turn into vectors.

use crate::format::Texel;

/// Lanes that are done together: a subspan, or one where there are no vectors and little stack.
pub(super) const LANES: usize = if size_of::<usize>() < 8 { 1 } else { 4 };

/// A bit for each of them.
pub(super) const ALL: u32 = (1 << LANES) - 1;

/// One value for each lane.
pub(super) type Lanes<T> = [T; LANES];

/// Texels of the lanes: channel by channel.
pub(super) type Texels = [Lanes<u32>; 4];

// Loops, not `array::map`: they stay loops where code is to be small.

#[inline(always)]
pub(super) fn map<A: Copy, B: Copy + Default>(a: Lanes<A>, f: impl Fn(A) -> B) -> Lanes<B> {
    let mut out = [B::default(); LANES];
    for (out, a) in out.iter_mut().zip(a) {
        *out = f(a);
    }
    out
}

#[inline(always)]
pub(super) fn zip<A: Copy, B: Copy, C: Copy + Default>(
    a: Lanes<A>,
    b: Lanes<B>,
    f: impl Fn(A, B) -> C,
) -> Lanes<C> {
    let mut out = [C::default(); LANES];
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = f(a, b);
    }
    out
}

/// `f` of each lane; of one when they are all the same, as they mostly are.
#[inline(always)]
pub(super) fn once<A: Copy + PartialEq, B: Copy>(a: Lanes<A>, f: impl Fn(A) -> B) -> Lanes<B> {
    let [first, ..] = a;
    let mut out = [f(first); LANES];
    if a.iter().any(|a| *a != first) {
        for (out, a) in out.iter_mut().zip(a).skip(1) {
            *out = f(a);
        }
    }
    out
}

/// A bit for each lane where `test` holds.
#[inline(always)]
pub(super) fn mask<A: Copy>(a: Lanes<A>, test: impl Fn(A) -> bool) -> u32 {
    let mut mask = 0;
    for (lane, a) in a.into_iter().enumerate() {
        mask |= u32::from(test(a)) << lane;
    }
    mask
}

/// The bits that some lane has.
#[inline(always)]
pub(super) fn any(a: Lanes<i32>) -> i32 {
    a.into_iter().fold(0, |any, a| any | a)
}

/// The numbers of the lanes whose bits are set.
#[inline]
pub(super) fn numbers(mask: u32) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 != 0)
}

/// The value of a lane.
#[inline(always)]
pub(super) fn lane<T: Copy + Default>(a: &Lanes<T>, lane: usize) -> T {
    a.get(lane).copied().unwrap_or_default()
}

/// Puts the texel of a lane.
#[inline]
pub(super) fn put(texels: &mut Texels, lane: usize, texel: Texel) {
    for (channel, value) in texels.iter_mut().zip(texel) {
        if let Some(out) = channel.get_mut(lane) {
            *out = value;
        }
    }
}

/// Puts the same texel into lanes.
#[inline(never)]
pub(super) fn put_all(texels: &mut Texels, mask: u32, texel: Texel) {
    for lane in numbers(mask) {
        put(texels, lane, texel);
    }
}

/// The texel of a lane.
#[inline]
pub(super) fn take(texels: &Texels, at: usize) -> Texel {
    let [r, g, b, a] = texels;
    [lane(r, at), lane(g, at), lane(b, at), lane(a, at)]
}
