//! The sampler messages of a device binary, each with its image argument and its sampler state.

use crate::containers::device_binary::{DeviceBinary, ImageArgument, Kernel};
use texwire::Platform;
use texwire::eu::{Descriptor, Instruction, SendInstruction, Stream};
use texwire::state::{SamplerState, SurfaceState};

/// A sampler message of a kernel and the state that it names.
#[derive(Clone, Debug)]
pub struct PlannedMessage {
    /// The kernel's name.
    pub kernel: String,
    /// Byte offset in the kernel heap.
    pub offset: usize,
    /// The instruction.
    pub send: SendInstruction,
    /// Its 16 bytes.
    pub bytes: [u8; 16],
    /// Its descriptor (an immediate).
    pub descriptor: Descriptor,
    /// The image argument behind the binding table entry.
    pub image: ImageArgument,
    /// The compiler's template of the surface state.
    pub template: SurfaceState,
    /// The sampler state; zeros for messages without a sampler.
    pub sampler: SamplerState,
    /// The border colour.
    pub border: [u32; 4],
}

/// A part of a kernel that cannot be executed as a message alone: its place, and the reason.
#[derive(Clone, Debug)]
pub struct Skip {
    /// The kernel's name.
    pub kernel: String,
    /// Byte offset in the kernel heap.
    pub offset: usize,
    /// A sentence.
    pub why: String,
}

/// Returns every sampler message of every kernel, in the file's order: those that can be executed, and those that cannot.
pub fn plan(binary: &DeviceBinary<'_>, platform: Platform) -> (Vec<PlannedMessage>, Vec<Skip>) {
    let (mut messages, mut skips) = (Vec::new(), Vec::new());
    for kernel in &binary.kernels {
        let skip = |offset, why| Skip { kernel: kernel.name.clone(), offset, why };
        let mut stream = Stream::new(platform, binary.heap(&kernel.heap));
        loop {
            let instruction = match stream.next() {
                Ok(Some(instruction)) => instruction,
                Ok(None) => break,
                Err(error) => {
                    skips.push(skip(stream.offset(), error.to_string()));
                    break;
                }
            };
            let offset = instruction.offset();
            match instruction.send() {
                Ok(Some(send)) if send.is_sampler() != Some(false) => {
                    match planned_message(binary, kernel, &instruction, send) {
                        Ok(planned) => messages.push(planned),
                        Err(why) => skips.push(skip(offset, why)),
                    }
                }
                Ok(_) => {}
                Err(error) => skips.push(skip(offset, error.to_string())),
            }
        }
    }
    (messages, skips)
}

fn planned_message(
    binary: &DeviceBinary<'_>,
    kernel: &Kernel,
    instruction: &Instruction,
    send: SendInstruction,
) -> Result<PlannedMessage, String> {
    let descriptor =
        send.sampler_descriptor().ok_or("the descriptor is in a register: known at run time only")?;
    if descriptor.header() {
        return Err(
            "its header comes from instructions before it, which are not executed: sampler index, channel \
                    mask and offsets are not known"
                .into(),
        );
    }
    let surfaces = binary.heap(&kernel.surface);
    let table = kernel.binding_table.ok_or("the kernel has no binding table")?;
    let index = u32::from(descriptor.bti());
    if index >= table.count {
        return Err(format!("binding table index {index} of a table of {}", table.count));
    }
    let entry = dwords::<1>(surfaces, table.offset as usize + 4 * index as usize)?[0];
    let image = kernel.images.iter().find(|image| image.surface_offset == entry);
    let image = *image.ok_or_else(|| format!("binding table entry {index} is no image argument"))?;
    let template = SurfaceState { dwords: dwords(surfaces, entry as usize)? };
    let mut planned = PlannedMessage {
        kernel: kernel.name.clone(),
        offset: instruction.offset(),
        bytes: instruction.word().to_bytes(),
        send,
        descriptor,
        image,
        template,
        sampler: SamplerState { dwords: [0; 4] },
        border: [0; 4],
    };
    if descriptor.op().is_some_and(|op| op.flags().sampler) {
        let states = kernel.sampler_states.ok_or("the kernel has no sampler states")?;
        let dynamic = binary.heap(&kernel.dynamic);
        let index = usize::from(descriptor.sampler());
        planned.sampler = SamplerState { dwords: dwords(dynamic, states.offset as usize + 16 * index)? };
        planned.border = dwords(dynamic, planned.sampler.border_offset() as usize)?;
    }
    Ok(planned)
}

/// Returns the dwords at a byte offset of a heap.
fn dwords<const N: usize>(heap: &[u8], at: usize) -> Result<[u32; N], String> {
    let bytes = heap
        .get(at..at + 4 * N)
        .ok_or_else(|| format!("state at {at:#x} outside its heap of {:#x} bytes", heap.len()))?;
    let words = bytes.as_chunks().0;
    Ok(std::array::from_fn(|index| u32::from_le_bytes(words[index])))
}
