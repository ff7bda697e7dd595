//! Lanes of an instruction, as bits of masks.

/// Which lanes of an instruction do what.
#[derive(Clone, Copy, Debug)]
pub struct Lanes {
    /// Lanes that execute.
    pub execute: u32,
    /// Lanes that are on, whatever the predicate.
    pub on: u32,
    /// Lanes whose predicate holds.
    pub predicate: u32,
    /// The first flag bit: of the flag subregister, and the instruction's first channel.
    pub flag_bit: u32,
    /// Flag register.
    pub flag: u8,
    /// It is predicated.
    pub predicated: bool,
}

/// The numbers of the bits that are set.
#[inline]
pub fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        mask &= mask.checked_sub(1)?;
        Some(lane as usize)
    })
}
