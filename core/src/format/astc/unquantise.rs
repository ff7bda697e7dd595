//! Unquantisation: values of a sequence become weights (0..64) and colours (0..255).

use super::sequence::{Digit, QuantRange};

/// The weights of the first twelve ranges, by value.
static WEIGHTS: [[u8; 32]; 12] = {
    use Digit::{None, Quint, Trit};
    [
        weights(None, 1, [0; 2]),
        [0, 32, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        weights(None, 2, [0; 2]),
        [0, 16, 32, 48, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        weights(Trit, 1, [50, 0]),
        weights(None, 3, [0; 2]),
        weights(Quint, 1, [28, 0]),
        weights(Trit, 2, [23, 0x45]),
        weights(None, 4, [0; 2]),
        weights(Quint, 2, [13, 0x42]),
        weights(Trit, 3, [11, 0x21]),
        weights(None, 5, [0; 2]),
    ]
};

/// Returns the weights of a range, by value. With a digit a weight is `(digit * step + high bits * spread)`, inverted if
/// the lowest bit is set; without a digit the value's bits are repeated.
const fn weights(digit: Digit, bits: u32, [step, spread]: [u32; 2]) -> [u8; 32] {
    let mut table = [0; 32];
    let mut rest: &mut [u8] = &mut table;
    let mut value = 0u32;
    while let Some((first, tail)) = rest.split_first_mut() {
        let (high, low) = (value >> bits, value & ((1 << bits) - 1));
        let six = match digit {
            Digit::None => repeat(low, bits, 6),
            Digit::Trit | Digit::Quint => {
                let inverted = if low & 1 == 1 { 127 } else { 0 };
                let u = (high * step + (low >> 1) * spread) ^ inverted;
                inverted & 0x20 | u >> 2 & 0x3f
            }
        };
        *first = (six + (six > 32) as u32) as u8;
        value += 1;
        rest = tail;
    }
    table
}

/// Repeats a value of `bits` bits from the top down to fill `width` bits.
const fn repeat(value: u32, bits: u32, width: u32) -> u32 {
    let mut filled = value << (width - bits);
    let mut step = bits;
    while step < width {
        filled |= filled >> step;
        step *= 2;
    }
    filled
}

/// Returns the weights of the range at a position among all ranges, by value.
pub(super) fn weight_table(range: usize) -> &'static [u8; 32] {
    let [first, ..] = &WEIGHTS;
    WEIGHTS.get(range).unwrap_or(first)
}

/// The step of the digit, and the factor and the right shift of the bits above the lowest.
type UnquantiseRow = (u32, u32, u32);

static TRIT_COLOURS: [UnquantiseRow; 6] =
    [(204, 0, 0), (93, 0x116, 0), (44, 0x85, 0), (22, 0x41, 0), (11, 0x81, 2), (5, 0x101, 4)];
static QUINT_COLOURS: [UnquantiseRow; 5] =
    [(113, 0, 0), (54, 0x10c, 0), (26, 0x105, 1), (13, 0x81, 1), (6, 0x101, 3)];

/// Replaces values of a range by their colours.
pub(super) fn colours(range: QuantRange, values: &mut [u8]) {
    let table: &[UnquantiseRow] = match range.digit {
        Digit::None => {
            for value in values {
                *value = repeat((*value).into(), range.bits, 8) as u8;
            }
            return;
        }
        Digit::Trit => &TRIT_COLOURS,
        Digit::Quint => &QUINT_COLOURS,
    };
    let row = (range.bits as usize).wrapping_sub(1);
    let Some((step, factor, down)) = table.get(row) else { return };
    for value in values {
        let v = u32::from(*value);
        let (digit, low) = (v >> range.bits, v & ((1 << range.bits) - 1));
        let inverted = 0u32.wrapping_sub(low & 1) & 0x1ff;
        let u = (digit * step + (((low >> 1) * factor) >> down)) ^ inverted;
        *value = (inverted & 0x80 | u >> 2 & 0x7f) as u8;
    }
}
