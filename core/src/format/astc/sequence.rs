//! Integer sequences: values of a range that need not be a power of two, packed without a gap.
//!
//! A value is `digit << bits | low bits`. The digits of five values with a trit (3 levels) share 8
//! bits, those of three values with a quint (5 levels) share 7.

use crate::bits::mask;

/// The digit that a value has above its low bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Digit {
    None,
    Trit,
    Quint,
}

/// How a value of a sequence is stored.
#[derive(Clone, Copy)]
pub(super) struct QuantRange {
    pub(super) digit: Digit,
    /// Number of low bits.
    pub(super) bits: u32,
}

const fn range(digit: Digit, bits: u32) -> QuantRange {
    QuantRange { digit, bits }
}

/// Every range, levels ascending: 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128,
/// 160, 192, 256. Weights use the first twelve, colours all but the first four.
static RANGES: [QuantRange; 21] = [
    range(Digit::None, 1),
    range(Digit::Trit, 0),
    range(Digit::None, 2),
    range(Digit::Quint, 0),
    range(Digit::Trit, 1),
    range(Digit::None, 3),
    range(Digit::Quint, 1),
    range(Digit::Trit, 2),
    range(Digit::None, 4),
    range(Digit::Quint, 2),
    range(Digit::Trit, 3),
    range(Digit::None, 5),
    range(Digit::Quint, 3),
    range(Digit::Trit, 4),
    range(Digit::None, 6),
    range(Digit::Quint, 4),
    range(Digit::Trit, 5),
    range(Digit::None, 7),
    range(Digit::Quint, 5),
    range(Digit::Trit, 6),
    range(Digit::None, 8),
];

/// Returns the ranges that colours may have.
pub(super) const fn colour_ranges() -> &'static [QuantRange] {
    match RANGES.as_slice() {
        [_, _, _, _, colours @ ..] => colours,
        none => none,
    }
}

impl QuantRange {
    /// Returns the range at a position among all ranges; the last one if the position is past the end.
    pub(super) fn number(index: usize) -> Self {
        RANGES.get(index).copied().unwrap_or(range(Digit::None, 8))
    }

    /// Returns the size in bits of a sequence of `count` values.
    pub(super) const fn size(self, count: u32) -> u32 {
        let digits = match self.digit {
            Digit::None => 0,
            Digit::Trit => (8 * count).div_ceil(5),
            Digit::Quint => (7 * count).div_ceil(3),
        };
        count * self.bits + digits
    }

    /// Returns the size of a group in bits, and the number of its values. Values without digits are grouped by four, so that
    /// a group fits a word.
    const fn group(self) -> (u32, usize) {
        match self.digit {
            Digit::None => (4 * self.bits, 4),
            Digit::Trit => (5 * self.bits + 8, 5),
            Digit::Quint => (3 * self.bits + 7, 3),
        }
    }
}

/// The five trits that 8 bits encode, two bits each.
static TRITS: [u16; 256] = {
    let mut table = [0; 256];
    let mut rest: &mut [u16] = &mut table;
    let mut packed = 0;
    while let Some((first, tail)) = rest.split_first_mut() {
        *first = trits(packed);
        packed += 1;
        rest = tail;
    }
    table
};

/// Decodes the trits of `t`, lowest first, two bits each.
const fn trits(t: u16) -> u16 {
    let (c, t3, t4) = if t >> 2 & 7 == 7 {
        ((t >> 5) << 2 | t & 3, 2, 2)
    } else if t >> 5 & 3 == 3 {
        (t & 31, t >> 7, 2)
    } else {
        (t & 31, t >> 5 & 3, t >> 7)
    };
    // In a pair of bits the high one clears the low one: 3 is not a trit.
    let (t0, t1, t2) = if c & 3 == 3 {
        (c >> 2 & 3 & !(c >> 3 & 1), c >> 4, 2)
    } else if c >> 2 & 3 == 3 {
        (c & 3, 2, 2)
    } else {
        (c & 3 & !(c >> 1 & 1), c >> 2 & 3, c >> 4)
    };
    t0 | t1 << 2 | t2 << 4 | t3 << 6 | t4 << 8
}

/// The three quints that 7 bits encode, three bits each.
static QUINTS: [u16; 128] = {
    let mut table = [0; 128];
    let mut rest: &mut [u16] = &mut table;
    let mut packed = 0;
    while let Some((first, tail)) = rest.split_first_mut() {
        *first = quints(packed);
        packed += 1;
        rest = tail;
    }
    table
};

/// Decodes the quints of `q`, lowest first, three bits each.
const fn quints(q: u16) -> u16 {
    let (c, q2) = if q >> 1 & 3 != 3 {
        (q & 31, q >> 5)
    } else if q >> 5 == 0 {
        let q2 = if q & 1 == 1 { 4 } else { q >> 3 & 3 };
        return 4 | 4 << 3 | q2 << 6;
    } else {
        (q & 0x18 | (!q >> 5 & 3) << 1 | q & 1, 4)
    };
    let (q0, q1) = if c & 7 == 5 { (c >> 3, 4) } else { (c & 7, c >> 3) };
    q0 | q1 << 3 | q2 << 6
}

/// The position of the digits' bits in a group, between the low bits of its values: the number of digit bits below the
/// low bits of value 0, 1, ..
const TRIT_BITS: [u32; 5] = [0, 2, 4, 5, 7];
const QUINT_BITS: [u32; 3] = [0, 3, 5];

/// A sequence, lowest bit first; bits past its end are 0.
#[derive(Clone, Copy)]
pub(super) struct Sequence {
    stream: u128,
    pub(super) range: QuantRange,
}

impl Sequence {
    /// Returns the sequence of `count` values that begins with the lowest bit of `stream`.
    #[cfg_attr(target_pointer_width = "32", inline(never))]
    pub(super) const fn new(stream: u128, range: QuantRange, count: u32) -> Self {
        let unused = 128u32.saturating_sub(range.size(count));
        let stream = if unused >= 128 { 0 } else { stream << unused >> unused };
        Self { stream, range }
    }

    /// Returns value `index`.
    pub(super) fn value(&self, index: u32) -> u8 {
        let n = self.range.bits;
        let low =
            |word: u64, inside: u32, below: u32| (word >> (inside * n + below)) as u8 & ((1 << n) - 1) as u8;
        // All divisors are constants: no division is left.
        match self.range.digit {
            Digit::None => (self.word(index * n) & mask(n)) as u8,
            Digit::Trit => {
                let (group, inside) = (index / 5, index % 5);
                let word = self.word(group * (5 * n + 8));
                let below = TRIT_BITS.get(inside as usize).copied().unwrap_or(0);
                ((trits_of(word, n) >> (2 * inside)) as u8 & 3) << n | low(word, inside, below)
            }
            Digit::Quint => {
                let (group, inside) = (index / 3, index % 3);
                let word = self.word(group * (3 * n + 7));
                let below = QUINT_BITS.get(inside as usize).copied().unwrap_or(0);
                ((quints_of(word, n) >> (3 * inside)) as u8 & 7) << n | low(word, inside, below)
            }
        }
    }

    /// Reads the first `out.len()` values.
    pub(super) fn values(&self, out: &mut [u8]) {
        let (size, each) = self.range.group();
        let mut at = 0;
        for group in out.chunks_mut(each) {
            self.group(at, group);
            at += size;
        }
    }

    /// Reads the values from `first` on.
    pub(super) fn values_from(&self, first: u32, out: &mut [u8; 8]) {
        for (out, index) in out.iter_mut().zip(first..) {
            *out = self.value(index);
        }
    }

    /// Returns 64 bits of the sequence from bit `at` on.
    #[inline]
    const fn word(&self, at: u32) -> u64 {
        if at < 128 { (self.stream >> at) as u64 } else { 0 }
    }

    /// Reads the values of the group at bit `at`.
    #[inline(always)]
    fn group(&self, at: u32, out: &mut [u8]) {
        let word = self.word(at);
        let n = self.range.bits;
        let ones = (1_u32 << n) as u8;
        let ones = ones.wrapping_sub(1);
        match self.range.digit {
            Digit::None => {
                for (out, i) in out.iter_mut().zip(0..4) {
                    *out = (word >> (i * n)) as u8 & ones;
                }
            }
            Digit::Trit => {
                let mut digits = trits_of(word, n);
                for (out, (i, below)) in out.iter_mut().zip((0..).zip(TRIT_BITS)) {
                    *out = (digits as u8 & 3) << n | (word >> (i * n + below)) as u8 & ones;
                    digits >>= 2;
                }
            }
            Digit::Quint => {
                let mut digits = quints_of(word, n);
                for (out, (i, below)) in out.iter_mut().zip((0..).zip(QUINT_BITS)) {
                    *out = (digits as u8 & 7) << n | (word >> (i * n + below)) as u8 & ones;
                    digits >>= 3;
                }
            }
        }
    }
}

/// Returns the trits of a group with `n` low bits a value: their 8 bits lie between the low bits.
#[inline(always)]
fn trits_of(word: u64, n: u32) -> u16 {
    let packed = word >> n & 0x03
        | word >> (2 * n) & 0x0c
        | word >> (3 * n) & 0x10
        | word >> (4 * n) & 0x60
        | word >> (5 * n) & 0x80;
    TRITS.get(packed as usize).copied().unwrap_or(0)
}

/// Returns the quints of a group with `n` low bits a value: their 7 bits lie between the low bits.
#[inline(always)]
fn quints_of(word: u64, n: u32) -> u16 {
    let packed = word >> n & 0x07 | word >> (2 * n) & 0x18 | word >> (3 * n) & 0x60;
    QUINTS.get(packed as usize).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the CRC-32 of the digits of every packed value, read as numbers of `base`, to compare with the specification's tables.
    fn checksum(table: &[u16], base: u32, width: u32, count: u32) -> u32 {
        let crc = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);
        let mut digest = crc.digest();
        for digits in table {
            let digit = |i: u32| u32::from(*digits) >> (width * i) & mask(width) as u32;
            let number = (0..count).rev().fold(0, |number, i| number * base + digit(i));
            digest.update(&[number as u8]);
        }
        digest.finalize()
    }

    #[test]
    fn digits_of_the_format() {
        assert_eq!(checksum(&TRITS, 3, 2, 5), 0xa8d1_3398);
        assert_eq!(checksum(&QUINTS, 5, 3, 3), 0xf930_3e61);
    }

    #[test]
    fn values_alone_are_values_in_a_row() {
        let stream = 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978;
        for index in 0..RANGES.len() {
            let range = QuantRange::number(index);
            let count = (1..64).rev().find(|count| range.size(*count) <= 96).unwrap_or(1);
            let sequence = Sequence::new(stream, range, count);
            let mut values = [0; 64];
            sequence.values(&mut values[..count as usize]);
            let levels = match range.digit {
                Digit::None => 1 << range.bits,
                Digit::Trit => 3 << range.bits,
                Digit::Quint => 5 << range.bits,
            };
            for (i, value) in (0..count).zip(values) {
                assert_eq!(value, sequence.value(i), "range {index}, value {i}");
                assert!(u32::from(value) < levels);
            }
        }
    }
}
