//! The lanes of an instruction as bit masks.

/// Execution mask and predicate of an instruction. Bit 0 of each mask is the instruction's first channel.
#[derive(Clone, Copy, Debug)]
pub struct Lanes {
    /// Lanes that execute: [`on`](Self::on), and their predicate holds.
    pub execute: u32,
    /// Lanes that are active (all lanes with NoMask), whatever their predicate; inside the execution size.
    pub on: u32,
    /// Lanes whose predicate holds; all ones without a predicate. Bits beyond the execution size mean nothing.
    pub predicate: u32,
    /// The bit of lane 0 in the 32-bit flag register: 16 x the flag subregister + the instruction's first channel.
    pub flag_bit: u32,
    /// The flag register: 0 or 1.
    pub flag: u8,
    /// The instruction has a predicate.
    pub predicated: bool,
}

/// Returns the numbers of the set bits of `mask`, lowest first.
#[inline]
pub fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        mask &= mask.checked_sub(1)?;
        Some(lane as usize)
    })
}
