//! Sampler messages recorded for a trace.

/// A sampler message as it was executed, with its payload and result.
#[derive(Clone, Debug)]
pub struct SamplerRecord {
    /// Byte offset of the send in the kernel's instruction heap.
    pub offset: u32,
    /// The thread's number in the launch: group number x threads of a full group + the thread's number in its group.
    pub thread: u32,
    /// Mask of the channels that are active at the send.
    pub dispatch: u32,
    /// The predicate's flag register, shifted so that bit 0 is bit 0 of its subregister.
    pub flag: u32,
    /// The 16 bytes of the send.
    pub instruction: [u8; 16],
    /// Descriptor and extended descriptor; those in a register with the register's value.
    pub descriptors: [u32; 2],
    /// The payload registers: the first block, then the second one.
    pub payload: Vec<u8>,
    /// The destination registers after the message; bytes that the sampler did not write are 0.
    pub result: Vec<u8>,
    /// The decoded message.
    pub message: texwire::Message,
}
