//! Depth comparison, in the hardware's sense.
//!
//! The sampler returns **0.0 when (texel OP ref) is true, 1.0 otherwise** (Mesa `genX_state.c`): a texel
//! that "passes" shadows the pixel. An API's comparison, which gives 1 when (ref OP texel) is
//! true, maps to the field so:
//!
//! | API | NEVER | LESS | EQUAL | LEQUAL | GREATER | NOTEQUAL | GEQUAL | ALWAYS |
//! |---|---|---|---|---|---|---|---|---|
//! | Shadow Function | ALWAYS 0 | LEQUAL 4 | NOTEQUAL 6 | LESS 2 | GEQUAL 7 | EQUAL 3 | GREATER 5 | NEVER 1 |
//!
//! The texel is red before the channel select. Ordered comparisons with NaN are false.

/// What the sampler returns for one texel. `function` is the Shadow Function field.
#[inline]
pub(super) fn shadow(function: u8, texel: f32, reference: f32) -> f32 {
    let holds = match function & 7 {
        0 => true,
        1 => false,
        2 => texel < reference,
        3 => texel == reference,
        4 => texel <= reference,
        5 => texel > reference,
        6 => texel != reference,
        _ => texel >= reference,
    };
    if holds { 0.0 } else { 1.0 }
}

/// The reference value as the comparison uses it: UNORM surfaces hold it in 0..=1.
#[inline]
pub(super) fn reference(value: f32, unorm: bool) -> f32 {
    if unorm { super::address::clamp(value, 0.0, 1.0) } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_api_mapping_holds() {
        type Op = fn(f32, f32) -> bool;
        let table: [(u8, Op); 8] = [
            (0, |_, _| false),
            (4, |r, t| r < t),
            (6, |r, t| r == t),
            (2, |r, t| r <= t),
            (7, |r, t| r > t),
            (3, |r, t| r != t),
            (5, |r, t| r >= t),
            (1, |_, _| true),
        ];
        for (field, api) in table {
            for r in [0.25, 0.5, 0.75] {
                for t in [0.25, 0.5, 0.75] {
                    assert_eq!(shadow(field, t, r), f32::from(u8::from(api(r, t))), "{field} {r} {t}");
                }
            }
        }
    }

    #[test]
    fn unordered_comparisons_are_false() {
        assert_eq!([2, 3, 4, 5, 7].map(|f| shadow(f, f32::NAN, 0.5)), [1.0; 5]);
        assert_eq!(shadow(6, f32::NAN, 0.5), 0.0);
        assert!(reference(f32::NAN, true).is_nan());
        assert_eq!([reference(2.0, true), reference(-1.0, true), reference(2.0, false)], [1.0, 0.0, 2.0]);
    }
}
