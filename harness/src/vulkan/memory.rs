//! Buffers that the host can access, and memory for images.

use super::device::{Gpu, Owned};
use ash::vk;
use std::rc::Rc;

/// Returns a function that makes an error message of the API's answer to the call `what`.
pub(super) fn failed(what: &'static str) -> impl Fn(vk::Result) -> String {
    move |why| format!("the device failed: {what}: {why}")
}

/// A buffer that is mapped in host memory.
pub(super) struct MappedBuffer {
    buffer: Owned<vk::Buffer>,
    _memory: Owned<vk::DeviceMemory>,
    start: *mut u8,
    size: usize,
}

impl MappedBuffer {
    /// Creates a buffer of `size` bytes.
    ///
    /// # Errors
    /// The device has no host-visible memory left.
    pub(super) fn new(gpu: &Rc<Gpu>, size: usize, usage: vk::BufferUsageFlags) -> Result<Self, String> {
        let info = vk::BufferCreateInfo::default().size(size as u64).usage(usage);
        // SAFETY: the device is open; handles are owned as soon as they are made, and the memory is as large as the buffer needs.
        unsafe {
            let device = &gpu.device;
            let buffer = device.create_buffer(&info, None).map_err(failed("vkCreateBuffer"))?;
            let buffer = Owned::new(gpu, buffer, |device, buffer| device.destroy_buffer(buffer, None));
            let needs = device.get_buffer_memory_requirements(buffer.get());
            let visible = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
            let cached = visible | vk::MemoryPropertyFlags::HOST_CACHED;
            let kind = gpu
                .memory_type(needs.memory_type_bits, cached)
                .or_else(|| gpu.memory_type(needs.memory_type_bits, visible));
            let memory =
                allocate(gpu, needs.size, kind.ok_or("the device failed: no memory that the host sees")?)?;
            device.bind_buffer_memory(buffer.get(), memory.get(), 0).map_err(failed("vkBindBufferMemory"))?;
            let start = device.map_memory(memory.get(), 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty());
            let start = start.map_err(failed("vkMapMemory"))?.cast();
            Ok(Self { buffer, _memory: memory, start, size })
        }
    }

    /// The handle.
    pub(super) fn get(&self) -> vk::Buffer {
        self.buffer.get()
    }

    /// Returns the size in bytes.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Returns the contents. The device must not be writing them.
    pub(super) fn bytes(&self) -> &[u8] {
        // SAFETY: the mapping has `size` bytes and lives as long as the memory; batches are waited for before they are read.
        unsafe { std::slice::from_raw_parts(self.start, self.size) }
    }

    /// Returns the contents, to be written. The device must not be using them.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `bytes`; nobody else has the mapping.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.size) }
    }
}

fn allocate(gpu: &Rc<Gpu>, size: u64, kind: u32) -> Result<Owned<vk::DeviceMemory>, String> {
    let info = vk::MemoryAllocateInfo::default().allocation_size(size).memory_type_index(kind);
    // SAFETY: the type is one of the device's.
    let memory = unsafe { gpu.device.allocate_memory(&info, None) }.map_err(failed("vkAllocateMemory"))?;
    Ok(Owned::new(gpu, memory, |device, memory| unsafe { device.free_memory(memory, None) }))
}

/// Bytes of a block of image memory.
const BLOCK: u64 = 32 << 20;

/// The memory for the images of a batch: blocks that are filled from their starts, and reused by the next batch.
pub(super) struct ImageHeap {
    gpu: Rc<Gpu>,
    blocks: Vec<HeapBlock>,
}

struct HeapBlock {
    kind: u32,
    size: u64,
    used: u64,
    memory: Owned<vk::DeviceMemory>,
}

impl ImageHeap {
    pub(super) fn new(gpu: &Rc<Gpu>) -> Self {
        Self { gpu: Rc::clone(gpu), blocks: Vec::new() }
    }

    /// Returns memory and offset for an image.
    ///
    /// # Errors
    /// The device has no memory left.
    pub(super) fn take(&mut self, needs: vk::MemoryRequirements) -> Result<(vk::DeviceMemory, u64), String> {
        let bits = needs.memory_type_bits;
        let kind = self.gpu.memory_type(bits, vk::MemoryPropertyFlags::DEVICE_LOCAL);
        let kind = kind.or_else(|| self.gpu.memory_type(bits, vk::MemoryPropertyFlags::empty()));
        let kind = kind.ok_or("the device failed: no memory for images")?;
        let start = |block: &HeapBlock| block.used.next_multiple_of(needs.alignment.max(1));
        let fits = |block: &&mut HeapBlock| block.kind == kind && start(block) + needs.size <= block.size;
        if let Some(block) = self.blocks.iter_mut().find(fits) {
            let at = start(block);
            block.used = at + needs.size;
            return Ok((block.memory.get(), at));
        }
        let size = needs.size.max(BLOCK);
        let memory = allocate(&self.gpu, size, kind)?;
        let handle = memory.get();
        self.blocks.push(HeapBlock { kind, size, used: needs.size, memory });
        Ok((handle, 0))
    }

    /// Makes all blocks free for the next batch; the images of the last batch must have been destroyed.
    pub(super) fn clear(&mut self) {
        for block in &mut self.blocks {
            block.used = 0;
        }
    }
}
