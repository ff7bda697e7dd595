//! Bytes that begin where a line of the processor's cache does, as the registers of devices and the memory of drivers do.

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// Bytes from a multiple of [`LINE`] on.
#[derive(Debug)]
pub(super) struct Aligned {
    room: Vec<u8>,
    /// Where they begin in the room.
    first: usize,
    len: usize,
}

impl Aligned {
    /// So many zeros.
    pub(super) fn zeros(len: usize) -> Self {
        let room = vec![0; len + LINE];
        let first = room.as_ptr().align_offset(LINE);
        Self { room, first, len }
    }

    /// A copy.
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
            let mut aligned = Aligned::copy(&bytes);
            assert_eq!(aligned.bytes(), bytes);
            assert!((aligned.bytes().as_ptr() as usize).is_multiple_of(LINE));
            aligned.bytes_mut().fill(1);
            assert_eq!(aligned.bytes(), vec![1; len]);
        }
    }
}
