//! Four lanes, a subspan, as arrays that the compiler turns into vectors.
//!
//! Four 32-bit lanes are a register of every target with vectors (SSE2, NEON, Helium); twice as many do
//! not leave enough registers for a footprint.

use core::ops::{Add, Mul, Sub};

/// Lanes of a group.
pub(super) const LANES: usize = 4;

/// Bytes of a group's lanes.
pub(super) const BYTES: usize = LANES * 4;

/// A bit for every lane of a group.
pub(super) const ALL: u32 = (1 << LANES) - 1;

/// The lanes of a group, where vector instructions can take them from memory.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(super) struct Lanes<T>(pub(super) [T; LANES]);

pub(super) type F4 = Lanes<f32>;
pub(super) type I4 = Lanes<i32>;
pub(super) type U4 = Lanes<u32>;

impl<T: Copy> Lanes<T> {
    #[inline(always)]
    pub(super) const fn splat(value: T) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    pub(super) fn map<O: Copy>(self, f: impl Fn(T) -> O) -> Lanes<O> {
        // `array::map` is a loop that is not always unrolled.
        let [a, b, c, d] = self.0;
        Lanes([f(a), f(b), f(c), f(d)])
    }

    #[inline(always)]
    pub(super) fn zip<B: Copy, O: Copy>(self, other: Lanes<B>, f: impl Fn(T, B) -> O) -> Lanes<O> {
        let [a0, a1, a2, a3] = self.0;
        let [b0, b1, b2, b3] = other.0;
        Lanes([f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3)])
    }

    /// `test` holds for every lane.
    #[inline(always)]
    pub(super) fn all(self, test: impl Fn(T) -> bool) -> bool {
        let [a, b, c, d] = self.0;
        test(a) & test(b) & test(c) & test(d)
    }
}

impl I4 {
    pub(super) const ZERO: Self = Self::splat(0);

    #[inline(always)]
    pub(super) fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// No lane is negative.
    #[inline(always)]
    pub(super) fn positive(self) -> bool {
        self.all(|lane| lane >= 0)
    }
}

impl U4 {
    /// Little-endian dwords of a parameter; 0 past its end.
    #[inline(always)]
    pub(super) fn load(groups: &[[u8; BYTES]], group: usize) -> Self {
        groups.get(group).map_or(Self::splat(0), Self::read)
    }

    /// Little-endian dwords.
    #[inline(always)]
    pub(super) fn read(group: &[u8; BYTES]) -> Self {
        let mut lanes = [0; LANES];
        for (lane, bytes) in lanes.iter_mut().zip(group.as_chunks::<4>().0) {
            *lane = u32::from_le_bytes(*bytes);
        }
        Self(lanes)
    }

    /// Little-endian dwords.
    #[inline(always)]
    pub(super) fn write(self, target: &mut [u8; BYTES]) {
        for (target, lane) in target.as_chunks_mut::<4>().0.iter_mut().zip(self.0) {
            *target = lane.to_le_bytes();
        }
    }

    /// Where all bits are set `a`, where none is `b`.
    #[inline(always)]
    pub(super) fn select(self, a: F4, b: F4) -> F4 {
        let a = self.zip(a, |mask, a| mask & a.to_bits());
        self.zip(b, |mask, b| !mask & b.to_bits()).zip(a, |b, a| f32::from_bits(a | b))
    }

    #[inline(always)]
    pub(super) fn bytes(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        self.write(&mut bytes);
        bytes
    }
}

impl F4 {
    pub(super) const ZERO: Self = Self::splat(0.0);
    pub(super) const ONE: Self = Self::splat(1.0);

    #[inline(always)]
    pub(super) fn load(groups: &[[u8; BYTES]], group: usize) -> Self {
        U4::load(groups, group).map(f32::from_bits)
    }

    /// Little-endian floats.
    #[inline(always)]
    pub(super) fn read(group: &[u8; BYTES]) -> Self {
        U4::read(group).map(f32::from_bits)
    }

    #[inline(always)]
    pub(super) fn bytes(self) -> [u8; BYTES] {
        self.map(f32::to_bits).bytes()
    }

    /// As [`address::floor`](super::super::address::floor), for values within +-[`Self::NEAR`]. Of the
    /// integers the low 22 bits count; whatever is above them differs.
    #[inline(always)]
    pub(super) fn floor(self) -> (I4, F4) {
        // Adding 1.5 * 2^23 leaves the nearest integer in the low bits of the sum.
        let sum = self.map(|x| x + MAGIC);
        let near = sum.map(|x| x - MAGIC);
        // All ones where the nearest is above.
        let above = near.zip(self, |near, x| if near > x { -1 } else { 0 });
        let one = near.zip(self, |near, x| if near > x { 1.0 } else { 0.0 });
        (sum.map(|x| x.to_bits() as i32).zip(above, i32::wrapping_add), near - one)
    }

    /// How far [`floor`](Self::floor) and [`integer`](Self::integer) reach.
    pub(super) const NEAR: f32 = 2_097_152.0;

    /// Whole values from 0 to 2^15 - 1 as integers.
    #[inline(always)]
    pub(super) fn integer(self) -> U4 {
        self.map(|x| (x + MAGIC).to_bits() & 0x7fff)
    }
}

const MAGIC: f32 = 12_582_912.0;

macro_rules! operator {
    ($trait:ident $name:ident) => {
        impl $trait for F4 {
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
