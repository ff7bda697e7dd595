//! Pseudo-random numbers, the same in every run.

pub(in crate::sample) struct Random(pub(in crate::sample) u64);

impl Random {
    pub(in crate::sample) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    pub(in crate::sample) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub(in crate::sample) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}
