//! Eight lanes as arrays that the compiler turns into vectors.

use core::ops::{Add, Mul, Sub};

/// Eight lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes<T>(pub(super) [T; 8]);

pub(super) type F8 = Lanes<f32>;
pub(super) type I8 = Lanes<i32>;
pub(super) type U8 = Lanes<u32>;

impl<T: Copy> Lanes<T> {
    #[inline(always)]
    pub(super) fn splat(value: T) -> Self {
        Self([value; 8])
    }

    #[inline(always)]
    pub(super) fn map<O: Copy>(self, f: impl Fn(T) -> O) -> Lanes<O> {
        // `array::map` is a loop that is not always unrolled.
        let [a, b, c, d, e, g, h, i] = self.0;
        Lanes([f(a), f(b), f(c), f(d), f(e), f(g), f(h), f(i)])
    }

    #[inline(always)]
    pub(super) fn zip<B: Copy, O: Copy>(self, other: Lanes<B>, f: impl Fn(T, B) -> O) -> Lanes<O> {
        let [a0, a1, a2, a3, a4, a5, a6, a7] = self.0;
        let [b0, b1, b2, b3, b4, b5, b6, b7] = other.0;
        Lanes([f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7)])
    }

    #[inline(always)]
    pub(super) fn iter(self) -> core::array::IntoIter<T, 8> {
        self.0.into_iter()
    }
}

impl Lanes<u32> {
    /// Eight little-endian dwords of a parameter; 0 past its end.
    #[inline(always)]
    pub(super) fn load(bytes: &[u8], group: usize) -> Self {
        let Some(chunk) = bytes.get(group.wrapping_mul(32)..).and_then(<[u8]>::first_chunk::<32>) else {
            return Self::splat(0);
        };
        let mut lanes = [0; 8];
        for (lane, bytes) in lanes.iter_mut().zip(chunk.as_chunks::<4>().0) {
            *lane = u32::from_le_bytes(*bytes);
        }
        Self(lanes)
    }
}

impl U8 {
    /// Eight little-endian dwords.
    #[inline(always)]
    pub(super) fn write(self, target: &mut [u8; 32]) {
        for (target, lane) in target.as_chunks_mut::<4>().0.iter_mut().zip(self.0) {
            *target = lane.to_le_bytes();
        }
    }
}

impl F8 {
    #[inline(always)]
    pub(super) fn load(bytes: &[u8], group: usize) -> Self {
        U8::load(bytes, group).map(f32::from_bits)
    }

    /// As [`address::floor`](super::super::address::floor), for values within +-[`Self::NEAR`].
    #[inline(always)]
    pub(super) fn floor(self) -> (I8, F8) {
        // Adding 1.5 * 2^23 leaves the nearest integer in the low bits of the sum.
        let sum = self.map(|x| x + MAGIC);
        let near = sum.map(|x| x - MAGIC);
        // All ones where the nearest is above.
        let above = near.zip(self, |near, x| if near > x { -1 } else { 0 });
        let index = sum.map(|x| (x.to_bits() as i32).wrapping_sub(MAGIC.to_bits() as i32));
        let one = near.zip(self, |near, x| if near > x { 1.0 } else { 0.0 });
        (index.zip(above, i32::wrapping_add), near - one)
    }

    /// How far [`floor`](Self::floor) and [`integer`](Self::integer) reach.
    pub(super) const NEAR: f32 = 2_097_152.0;

    /// Whole values as integers.
    #[inline(always)]
    pub(super) fn integer(self) -> U8 {
        self.map(|x| (x + MAGIC).to_bits().wrapping_sub(MAGIC.to_bits()))
    }
}

const MAGIC: f32 = 12_582_912.0;

macro_rules! operator {
    ($trait:ident $name:ident) => {
        impl $trait for F8 {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                self.zip(other, f32::$name)
            }
        }
    };
}
operator!(Add add);
operator!(Sub sub);
operator!(Mul mul);
