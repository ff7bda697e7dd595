//! Which of up to four partitions a texel belongs to: the largest of four linear functions of its
//! position, modulo 64, whose coefficients are a hash of the block's seed.

/// The low six bits of each byte.
const SIX: u32 = 0x3f3f_3f3f;

/// The functions of a block, one in each byte, that of the first partition in the lowest.
#[derive(Clone, Copy)]
pub(super) struct Partitions {
    start: u32,
    x: u32,
    y: u32,
}

/// Returns the hash of a seed.
const fn hash(mut p: u32) -> u32 {
    p ^= p >> 15;
    p = p.wrapping_sub(p << 17);
    p = p.wrapping_add(p << 7);
    p = p.wrapping_add(p << 4);
    p ^= p >> 5;
    p = p.wrapping_add(p << 16);
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    p ^ p >> 17
}

impl Partitions {
    /// All texels in the first partition.
    pub(super) const ONE: Self = Self { start: 0, x: 0, y: 0 };

    /// Returns the functions of `count` (2 to 4) partitions for blocks of `texels` texels.
    #[cfg_attr(target_pointer_width = "32", inline(never))]
    pub(super) const fn new(seed: u32, count: u32, texels: u32) -> Self {
        let seed = seed + 1024 * (count - 1);
        let h = hash(seed);
        let a = 5 - (seed >> 1 & 1);
        let b = if count == 3 { 6 } else { 5 };
        // Shifts of the coefficients of x (nibbles 0, 2, ..) and of y.
        let (shift_x, shift_y) = if seed & 1 == 1 { (a, b) } else { (b, a) };
        let (mut x, mut y, mut k) = (0, 0, 0);
        while k < count {
            let (of_x, of_y) = (h >> (8 * k) & 15, h >> (8 * k + 4) & 15);
            x |= ((of_x * of_x) >> shift_x) << (8 * k);
            y |= ((of_y * of_y) >> shift_y) << (8 * k);
            k += 1;
        }
        // Functions of partitions that do not exist are 0 everywhere, and of equal functions the first wins.
        let used = u32::MAX >> (32 - 8 * count);
        let start = (h >> 14 & 63 | (h >> 10 & 63) << 8 | (h >> 6 & 63) << 16 | (h >> 2 & 63) << 24) & used;
        // Small blocks spread the pattern: coordinates count twice. (28 * 11 would carry, 14 * 2 * 5 does not.)
        let scale = if texels < 31 { 2 } else { 1 };
        Self { start, x: x * scale, y: y * scale }
    }

    /// Returns the values of the functions at (0, `y`).
    #[inline]
    pub(super) const fn row(&self, y: u32) -> u32 {
        // A coefficient is at most 14 and a coordinate 11, or 28 and 5: bytes do not carry.
        (self.start + ((self.y * y) & SIX)) & SIX
    }

    /// Returns the values of the functions one texel to the right.
    #[inline]
    pub(super) const fn right(&self, functions: u32) -> u32 {
        (functions + self.x) & SIX
    }

    /// Returns the partition of texel (`x`, `y`).
    pub(super) const fn at(&self, x: u32, y: u32) -> u32 {
        largest((self.row(y) + ((self.x * x) & SIX)) & SIX)
    }
}

/// Returns the number of the largest byte; of equal ones, that of the first.
#[inline]
pub(super) const fn largest(functions: u32) -> u32 {
    // Each value has its byte's number, inverted, below it: so the maximum of equal values has the lowest number.
    let (a, b) = (functions << 2 & 0xfc | 3, functions >> 6 & 0xfc | 2);
    let (c, d) = (functions >> 14 & 0xfc | 1, functions >> 22 & 0xfc);
    let ab = if a > b { a } else { b };
    let cd = if c > d { c } else { d };
    3 - (if ab > cd { ab } else { cd } & 3)
}

/// [`largest`] of the lowest two bytes.
#[inline]
pub(super) const fn larger(functions: u32) -> u32 {
    ((functions >> 8 & 63) > (functions & 63)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_the_format() {
        assert_eq!((hash(1024), hash(2053)), (0xbd3d_4343, 0x4f6a_6589));
    }

    #[test]
    fn stepping_right_is_the_position() {
        for (count, texels, width) in [(2, 16, 4), (3, 30, 6), (4, 144, 12), (4, 36, 6)] {
            for seed in (0..1024).step_by(7) {
                let partitions = Partitions::new(seed, count, texels);
                for y in 0..texels / width {
                    let mut functions = partitions.row(y);
                    for x in 0..width {
                        assert_eq!(largest(functions), partitions.at(x, y));
                        assert!(count > 2 || larger(functions) == partitions.at(x, y));
                        assert!(partitions.at(x, y) < count);
                        functions = partitions.right(functions);
                    }
                }
            }
        }
    }
}
