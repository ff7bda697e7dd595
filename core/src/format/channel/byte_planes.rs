//! Tables of words split by byte, for processors that look up many bytes at once.

/// A table of words as four planes: byte 0 of all words, then byte 1, and so on. A plane has `PARTS` parts of 64 bytes, each in a cache
/// line.
#[cfg_attr(target_pointer_width = "64", repr(align(64)))]
#[derive(Clone, Debug)]
pub(crate) struct BytePlanes<const PARTS: usize>(pub(super) [[[u32; 16]; PARTS]; 4]);

impl<const PARTS: usize> BytePlanes<PARTS> {
    const ZEROS: Self = Self([[[0; 16]; PARTS]; 4]);

    /// The planes of a table of floats, from its entry number `first` on; past its end they are 0.
    #[cfg(target_arch = "x86_64")]
    #[allow(clippy::indexing_slicing, reason = "evaluated at compile time")]
    pub(super) const fn of(table: &[f32], first: usize) -> Self {
        let mut planes = Self::ZEROS;
        let mut four = 0;
        while four < 16 * PARTS {
            let mut words = [0; 4];
            let mut number = 0;
            while number < 4 && first + 4 * four + number < table.len() {
                words[number] = table[first + 4 * four + number].to_bits();
                number += 1;
            }
            planes.put(four, words);
            four += 1;
        }
        planes
    }

    /// The planes of the entries of a palette; entries that it lacks are 0.
    #[inline(never)]
    pub(crate) fn of_palette(entries: &[u32]) -> Self {
        let mut planes = Self::ZEROS;
        let (fours, rest) = entries.as_chunks();
        let mut last = [0; 4];
        last.iter_mut().zip(rest).for_each(|(last, entry)| *last = *entry);
        for (number, words) in fours.iter().chain([&last]).enumerate().take(16 * PARTS) {
            planes.put(number, *words);
        }
        planes
    }

    /// Puts in four words, from word `4 * number` on.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "remainders of the lengths")]
    const fn put(&mut self, number: usize, [a, b, c, d]: [u32; 4]) {
        let [a, b, c, d] = [a.to_le_bytes(), b.to_le_bytes(), c.to_le_bytes(), d.to_le_bytes()];
        let mut plane = 0;
        while plane < 4 {
            let word = u32::from_le_bytes([a[plane], b[plane], c[plane], d[plane]]);
            self.0[plane][number / 16 % PARTS][number % 16] = word;
            plane += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_palette_are_in_their_planes() {
        let palette: [u32; 256] = core::array::from_fn(|entry| (entry as u32).wrapping_mul(0x9e37_79b9));
        for entries in [256, 255, 66, 64, 3, 0] {
            let BytePlanes(planes) = BytePlanes::<4>::of_palette(&palette[..entries]);
            for (entry, word) in palette.iter().enumerate() {
                let expected = if entry < entries { *word } else { 0 };
                let bytes =
                    planes.each_ref().map(|plane| plane.as_flattened()[entry / 4].to_le_bytes()[entry % 4]);
                assert_eq!(u32::from_le_bytes(bytes), expected, "{entry} of {entries}");
            }
        }
    }
}
