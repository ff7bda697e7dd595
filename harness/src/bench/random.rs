//! Random numbers that are the same in every run.

/// xorshift64*.
#[derive(Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new() -> Self {
        Self(0x0123_4567_89ab_cdef)
    }

    /// Starts another sequence for every seed.
    pub(super) const fn seeded(seed: u64) -> Self {
        // The state must not be 0, which xorshift never leaves.
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns 40 random bits.
    pub(super) const fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 24
    }

    /// Returns one of the values; there must be at least one.
    pub(super) const fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[(self.next() % values.len() as u64) as usize]
    }

    /// Returns 64 random bits.
    pub(super) const fn wide(&mut self) -> u64 {
        self.next() << 32 ^ self.next()
    }

    /// Returns a number in 0..1.
    pub(super) const fn unit(&mut self) -> f32 {
        (self.next() & 0xff_ffff) as f32 / 16_777_216.0
    }
}
