//! From byte offsets in a kernel's instruction heap to instruction numbers and back, for jump targets.

/// Used in place of an instruction number where no instruction begins.
pub const NOWHERE: u32 = u32::MAX;

/// The numbers of a kernel's instructions by byte offset, and the byte offsets by number.
#[derive(Clone, Debug)]
pub struct InstructionIndex {
    /// The number of the instruction that begins at each multiple of 8 bytes; [`NOWHERE`] where none begins.
    numbers: Vec<u32>,
    /// Byte offset of each instruction.
    offsets: Vec<u32>,
}

impl InstructionIndex {
    /// Creates the index of a heap of `bytes` bytes. Its instructions begin at `offsets`, which are multiples of 8 inside the heap.
    pub fn new(bytes: usize, offsets: Vec<u32>) -> Self {
        let mut numbers = vec![NOWHERE; bytes / 8 + 1];
        for (number, offset) in offsets.iter().enumerate() {
            numbers[*offset as usize / 8] = number as u32;
        }
        Self { numbers, offsets }
    }

    /// Returns the number of the instruction that begins at byte `offset`; `None` if none does.
    pub fn at(&self, offset: i64) -> Option<u32> {
        let slot = usize::try_from(offset).ok().filter(|offset| offset.is_multiple_of(8))? / 8;
        self.numbers.get(slot).copied().filter(|number| *number != NOWHERE)
    }

    /// Returns the byte offset of instruction `number`; `None` if there are not so many.
    pub fn offset(&self, number: u32) -> Option<u32> {
        self.offsets.get(number as usize).copied()
    }
}
