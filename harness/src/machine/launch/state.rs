//! The memory, state heaps and cross-thread data of a launch.

pub(super) mod builder;

use crate::containers::device_binary::Dispatch;
use crate::engine::Region;
use crate::machine::image::BoundSurface;
use crate::machine::memory::LaunchMemory;
use crate::machine::thread::SamplerSetup;
use texwire::Platform;
use texwire::device::Heaps;
use texwire::memory::Layout;
use texwire::sample::Precision;

/// The memory of a launch, and where its states are in it.
#[derive(Debug)]
pub struct LaunchState {
    /// All allocations.
    pub memory: LaunchMemory,
    /// The binding table, decoded.
    pub surfaces: Vec<BoundSurface>,
    /// Address of the surface state heap.
    pub surface_heap: u64,
    /// Address of the dynamic state heap.
    pub dynamic_heap: u64,
    /// Offset of the binding table in the surface state heap.
    pub binding_table: u32,
    /// Bytes of a group's local memory.
    pub local_bytes: usize,
    /// Bytes of a thread's scratch memory.
    pub scratch_bytes: usize,
    /// Number of thread slots for which there is private memory.
    pub slots: usize,
    cross_thread: Vec<u8>,
    outputs: Vec<Output>,
    printf: Option<u64>,
    sampler_states: Vec<[u32; 4]>,
    images: Vec<(u64, usize)>,
    border: Option<(u32, [u32; 4])>,
}

/// The surfaces and samplers of a launch, for traces.
#[derive(Clone, Debug, Default)]
pub struct SamplerStateDump {
    /// Binding table index and surface state.
    pub surfaces: Vec<(u16, [u32; 16])>,
    /// Sampler index and sampler state.
    pub samplers: Vec<(u16, [u32; 4])>,
    /// Offset and border colour.
    pub borders: Vec<(u32, [u32; 4])>,
    /// Each image's memory, before the launch.
    pub memory: Vec<Region>,
}

/// Where the contents of a buffer or image argument are in memory.
#[derive(Debug)]
enum Output {
    Buffer {
        argument: u32,
        address: u64,
        bytes: usize,
    },
    /// The layout of level 0, its size in elements, and the bytes of an element.
    Image {
        argument: u32,
        layout: Box<Layout>,
        size: [u32; 3],
        bytes: usize,
    },
}

/// Bytes of the printf buffer.
const PRINTF_BYTES: usize = 4 << 20;

/// Types of data parameters, the values in the cross-thread data (patch token 17).
mod parameter {
    pub(super) const ARGUMENT: u32 = 1;
    pub(super) const LOCAL_SIZE: u32 = 2;
    pub(super) const GLOBAL_SIZE: u32 = 3;
    pub(super) const GROUP_COUNT: u32 = 4;
    pub(super) const DIMENSIONS: u32 = 5;
    pub(super) const LOCAL_POINTER: u32 = 8;
    pub(super) const IMAGE_WIDTH: u32 = 9;
    pub(super) const IMAGE_HEIGHT: u32 = 10;
    pub(super) const IMAGE_DEPTH: u32 = 11;
    pub(super) const IMAGE_DATA_TYPE: u32 = 12;
    pub(super) const IMAGE_ORDER: u32 = 13;
    pub(super) const SAMPLER_ADDRESS: u32 = 14;
    pub(super) const SAMPLER_NORMALIZED: u32 = 15;
    pub(super) const GLOBAL_OFFSET: u32 = 16;
    pub(super) const IMAGE_ARRAY_SIZE: u32 = 18;
    pub(super) const PRINTF_SIZE: u32 = 19;
    pub(super) const IMAGE_SAMPLES: u32 = 20;
    pub(super) const SAMPLER_SNAP: u32 = 21;
    pub(super) const IMAGE_LEVELS: u32 = 27;
    pub(super) const ENQUEUED_LOCAL_SIZE: u32 = 28;
    pub(super) const SIMD_SIZE: u32 = 34;
}

impl LaunchState {
    /// Returns the cross-thread data of a group of `size` work items.
    pub fn cross_thread_data(&self, dispatch: &Dispatch, size: [u32; 3]) -> Vec<u8> {
        let mut data = self.cross_thread.clone();
        for p in dispatch.parameters.iter().filter(|p| p.kind == parameter::LOCAL_SIZE) {
            let value = size.get(p.source as usize / 4).copied().unwrap_or(1);
            put(&mut data, p.offset, p.size, u64::from(value));
        }
        data
    }

    /// Returns the setup of a sampler that finds its states in the heaps of this launch.
    pub fn sampler_setup(&self, platform: Platform, precision: Precision) -> SamplerSetup {
        let heaps = Heaps {
            surface_state: self.surface_heap,
            dynamic_state: self.dynamic_heap,
            bindless_surface_state: self.surface_heap,
            bindless_sampler_state: self.dynamic_heap,
            binding_table: self.binding_table,
            // The sampler states are the first part of their heap.
            sampler_table: 0,
        };
        SamplerSetup { platform, heaps, precision }
    }

    /// Returns argument index and contents of every buffer and image, of images level 0.
    pub fn outputs(&self) -> Vec<(u32, Vec<u8>)> {
        let contents = |output: &Output| match output {
            Output::Buffer { argument, address, bytes } => {
                (*argument, self.memory.copy_out(*address, *bytes).unwrap_or_default())
            }
            Output::Image { argument, layout, size, bytes } => {
                let [width, height, slices] = *size;
                let mut out = Vec::new();
                for (z, y) in (0..slices).flat_map(|z| (0..height).map(move |y| (z, y))) {
                    // The elements of a row are consecutive: all layouts of a launch are linear.
                    let row = self.memory.copy_out(layout.address(0, z, 0, y), width as usize * bytes);
                    out.extend(row.unwrap_or_else(|| vec![0; width as usize * bytes]));
                }
                (*argument, out)
            }
        };
        self.outputs.iter().map(contents).collect()
    }

    /// Returns the text that the kernel printed.
    pub fn printed(&self, dispatch: &Dispatch) -> String {
        let Some(address) = self.printf else { return String::new() };
        let used = self.memory.load(address, 4).unwrap_or(0) as usize;
        let bytes = self.memory.copy_out(address, used.min(PRINTF_BYTES)).unwrap_or_default();
        super::super::printf::text(&bytes, &dispatch.strings)
    }

    /// Returns the states and the image memory that sampler messages refer to.
    pub fn dump(&self) -> SamplerStateDump {
        let mut dump = SamplerStateDump::default();
        let heap = self.surface_heap;
        let table = heap + u64::from(self.binding_table);
        for index in 0..self.surfaces.len() as u16 {
            if !matches!(self.surfaces[usize::from(index)], BoundSurface::Image(_)) {
                continue;
            }
            let entry = self.memory.load(table + u64::from(index) * 4, 4).unwrap_or(0);
            let dword = |at: usize| self.memory.load(heap + entry + at as u64 * 4, 4).unwrap_or(0) as u32;
            dump.surfaces.push((index, std::array::from_fn(dword)));
        }
        dump.samplers = (0..).zip(self.sampler_states.iter().copied()).collect();
        dump.borders = self.border.into_iter().collect();
        for &(address, length) in &self.images {
            let bytes = self.memory.copy_out(address, length).unwrap_or_default();
            dump.memory.push(Region { address, bytes });
        }
        dump
    }
}

/// Writes the low `size` bytes (at most 8) of a value at byte `offset` of `data`; nothing if they do not fit.
fn put(data: &mut [u8], offset: u32, size: u32, value: u64) {
    let at = offset as usize;
    let size = (size as usize).min(8);
    if let Some(target) = data.get_mut(at..at.saturating_add(size)) {
        target.copy_from_slice(&value.to_le_bytes()[..size]);
    }
}
