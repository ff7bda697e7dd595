//! Sampler messages that are kept for a trace.

/// A sampler message as it ran.
#[derive(Clone, Debug)]
pub struct SamplerRecord {
    /// Byte offset of the send in the kernel's heap.
    pub offset: u32,
    /// The thread: group number times threads of a group, plus the thread's number.
    pub thread: u32,
    /// Channels that are alive and at the instruction.
    pub dispatch: u32,
    /// The flag subregister of the predicate.
    pub flag: u32,
    /// The instruction.
    pub instruction: [u8; 16],
    /// Descriptor and extended descriptor, as resolved.
    pub descriptors: [u32; 2],
    /// The payload registers, both blocks.
    pub payload: Vec<u8>,
    /// The destination registers after it; bytes that the sampler did not write are 0.
    pub result: Vec<u8>,
    /// The message.
    pub message: texwire::Message,
}
