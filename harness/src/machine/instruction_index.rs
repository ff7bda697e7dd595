//! Which instruction begins at which byte of a kernel's heap: what jumps need of a program.

/// No instruction begins here.
pub const NOWHERE: u32 = u32::MAX;

/// The instructions of a kernel by their byte offsets.
#[derive(Clone, Debug)]
pub struct InstructionIndex {
    /// Number of the instruction at each multiple of 8 bytes; [`NOWHERE`] inside one.
    numbers: Vec<u32>,
    /// Byte offset of each instruction.
    offsets: Vec<u32>,
}

impl InstructionIndex {
    /// The index of a heap of `bytes` bytes whose instructions begin at `offsets`, multiples of 8 inside the heap.
    pub fn new(bytes: usize, offsets: Vec<u32>) -> Self {
        let mut numbers = vec![NOWHERE; bytes / 8 + 1];
        for (number, offset) in offsets.iter().enumerate() {
            numbers[*offset as usize / 8] = number as u32;
        }
        Self { numbers, offsets }
    }

    /// The number of the instruction at byte `offset`.
    pub fn at(&self, offset: i64) -> Option<u32> {
        let slot = usize::try_from(offset).ok().filter(|offset| offset.is_multiple_of(8))? / 8;
        self.numbers.get(slot).copied().filter(|number| *number != NOWHERE)
    }

    /// The byte offset of instruction `number`.
    pub fn offset(&self, number: u32) -> Option<u32> {
        self.offsets.get(number as usize).copied()
    }
}
