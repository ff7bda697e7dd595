//! From byte offsets in a kernel's instruction heap to instruction numbers and back, for jump targets.

/// Used in place of an instruction number where no instruction begins.
pub const NOWHERE: u32 = u32::MAX;

/// The byte offsets of a kernel's instructions, by number.
#[derive(Clone, Debug)]
pub struct InstructionIndex {
    offsets: Vec<u32>,
}

impl InstructionIndex {
    /// Creates the index of instructions that begin at `offsets`, which ascend.
    pub fn new(offsets: Vec<u32>) -> Self {
        Self { offsets }
    }

    /// Returns the number of the instruction that begins at byte `offset`; `None` if none does.
    pub fn at(&self, offset: i64) -> Option<u32> {
        let offset = u32::try_from(offset).ok()?;
        self.offsets.binary_search(&offset).ok().map(|number| number as u32)
    }

    /// Returns the byte offset of instruction `number`; `None` if there are not so many.
    pub fn offset(&self, number: u32) -> Option<u32> {
        self.offsets.get(number as usize).copied()
    }
}
