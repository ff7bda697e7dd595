//! How many bytes the registers of a thread have, and where the architecture registers begin in their array.

/// Bytes of a general register.
pub const REGISTER: usize = 32;
/// General registers of a thread.
pub const COUNT: usize = 128;
/// Bytes of the general registers.
pub const GENERAL: usize = REGISTER * COUNT;

/// Address register a0: 16 words.
pub const ADDRESS: usize = GENERAL;
/// Flags f0, f1: a dword each.
pub const FLAGS: usize = GENERAL + 32;
/// Control register cr0.
pub const CONTROL: usize = GENERAL + 64;
/// Notification counts n0.
pub const NOTIFICATION: usize = GENERAL + 96;
/// Instruction pointer: the byte offset of the instruction that runs.
pub const POINTER: usize = GENERAL + 128;
/// Time stamp: counts instructions.
pub const TIME: usize = GENERAL + 160;
/// State registers sr0, sr1 and what else reads as 0.
pub const STATE: usize = GENERAL + 192;
/// Channel enables: the channels that are alive.
pub const CHANNELS: usize = GENERAL + 224;
/// Reads of a whole region past the last register end here.
pub const END: usize = GENERAL + 256 + 256;
