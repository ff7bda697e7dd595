//! Sizes of the registers of a thread, and the byte offsets of the architecture registers in the register array.

/// Bytes of a general register.
pub const REGISTER: usize = 32;
/// Number of general registers of a thread.
pub const COUNT: usize = 128;
/// Bytes of all general registers.
pub const GENERAL: usize = REGISTER * COUNT;

/// Address register a0: 16 words.
pub const ADDRESS: usize = GENERAL;
/// Flags f0, f1: a dword each.
pub const FLAGS: usize = GENERAL + 32;
/// Control register cr0.
pub const CONTROL: usize = GENERAL + 64;
/// Notification counts n0.
pub const NOTIFICATION: usize = GENERAL + 96;
/// Instruction pointer ip: a byte offset in the kernel's instruction heap.
pub const POINTER: usize = GENERAL + 128;
/// Time stamp tm0: counts the instructions that the thread has executed.
pub const TIME: usize = GENERAL + 160;
/// State registers sr0 and sr1, which read as 0.
pub const STATE: usize = GENERAL + 192;
/// Channel enables ce0: the channels that are active at the instruction.
pub const CHANNELS: usize = GENERAL + 224;
/// The length of the array. 256 bytes follow the last register, so that reading a whole region past its end stays inside.
pub const END: usize = GENERAL + 256 + 256;
