//! Bytes aligned to cache lines, as the registers of devices and the memory of drivers are.

/// The size of a cache line in bytes.
const LINE: usize = 64;

/// Bytes that begin at a multiple of [`LINE`].
#[derive(Debug)]
pub(super) struct AlignedBytes {
    room: Vec<u8>,
    /// The index in `room` at which the bytes begin.
    first: usize,
    len: usize,
}

impl AlignedBytes {
    /// Returns `len` zero bytes.
    pub(super) fn zeros(len: usize) -> Self {
        let room = vec![0; len + LINE];
        let first = room.as_ptr().align_offset(LINE);
        Self { room, first, len }
    }

    /// Returns a copy of `bytes`.
    pub(super) fn copy(bytes: &[u8]) -> Self {
        let mut copy = Self::zeros(bytes.len());
        copy.bytes_mut().copy_from_slice(bytes);
        copy
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.room[self.first..][..self.len]
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.room[self.first..][..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_begin_at_lines_of_the_cache() {
        for len in [0, 1, 63, 64, 5000] {
            let bytes: Vec<u8> = (0..len).map(|at| at as u8).collect();
            let mut aligned = AlignedBytes::copy(&bytes);
            assert_eq!(aligned.bytes(), bytes);
            assert!((aligned.bytes().as_ptr() as usize).is_multiple_of(LINE));
            aligned.bytes_mut().fill(1);
            assert_eq!(aligned.bytes(), vec![1; len]);
        }
    }
}
