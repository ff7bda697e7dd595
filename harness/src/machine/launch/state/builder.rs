//! Builds the heaps, memory and cross-thread data of a launch from its arguments.

use super::{LaunchState, Output, PRINTF_BYTES, parameter, put};
use crate::containers::device_binary::{DataParameter, DeviceBinary, ImageType, Kernel, Pointer};
use crate::image_argument;
use crate::machine::error::{Error, Result};
use crate::machine::image::BoundSurface;
use crate::machine::launch::arguments::{Argument, ImageValue};
use crate::machine::launch::range::NdRange;
use crate::machine::memory::{AllocationUse, LaunchMemory};
use std::collections::BTreeMap;
use texwire::Platform;
use texwire::enums::SurfaceFormat;
use texwire::memory::Layout;
use texwire::state::{BorderColor, SamplerState, SurfaceState, SurfaceType};

/// Most bytes of cross-thread data, which must fit the registers.
const MAX_CROSS_THREAD: usize = 3072;
/// Most bytes of a thread's scratch memory: the most that a compiler can ask for.
const MAX_SCRATCH: u32 = 2 << 20;
/// Most bytes of private memory for all threads of a launch.
const MAX_PRIVATE: u64 = 1 << 31;
/// Most bytes of a group's local memory.
const MAX_LOCAL: u32 = 64 << 10;
/// The surface offset of a pointer that has no surface state.
const NO_SURFACE: u32 = u32::MAX;

/// Builds the state of a launch, with private memory for `slots` threads.
///
/// # Errors
/// Arguments that are missing or of another kind than the kernel takes; sizes that no device supports.
pub(in crate::machine::launch) fn build(
    binary: &DeviceBinary<'_>,
    kernel: &Kernel,
    range: &NdRange,
    local: [u32; 3],
    groups: [u32; 3],
    arguments: &[Argument],
    slots: usize,
) -> Result<LaunchState> {
    let dispatch = &kernel.dispatch;
    let limit = |what: &str, value: u64, most: u64| {
        if value > most {
            return Err(Error::new(what, format!("{value} bytes (expected at most {most})")));
        }
        Ok(())
    };
    limit("cross-thread data", dispatch.constant_bytes.into(), MAX_CROSS_THREAD as u64)?;
    limit("scratch memory", dispatch.scratch_bytes.into(), MAX_SCRATCH.into())?;
    limit("local memory", dispatch.local_bytes.into(), MAX_LOCAL.into())?;
    let platform = binary.platform().unwrap_or(Platform::Gen11);
    let mut builder = LaunchBuilder {
        platform,
        kernel,
        memory: LaunchMemory::default(),
        surface_heap: binary.heap(&kernel.surface).to_vec(),
        dynamic_heap: binary.heap(&kernel.dynamic).to_vec(),
        cross_thread: vec![0; dispatch.constant_bytes as usize],
        outputs: Vec::new(),
        images: Vec::new(),
        local_bytes: dispatch.local_bytes,
    };
    builder.dimensions(range, local, groups);
    builder.pointers(arguments)?;
    builder.images(arguments)?;
    builder.scalars(arguments)?;
    builder.samplers(arguments)?;
    builder.program_memory(binary)?;
    let simd = u64::from(kernel.simd.unwrap_or(8));
    if let Some(private) = &dispatch.private
        && private.per_item > 0
    {
        let bytes = u64::from(private.per_item) * simd * slots as u64;
        limit("private memory", bytes, MAX_PRIVATE)?;
        let address = builder.memory.allocate_zeros(bytes);
        builder.point(private, address, bytes as usize)?;
    }
    let printf = match &dispatch.printf {
        Some(pointer) => {
            let buffer = builder.memory.allocate_zeros(PRINTF_BYTES as u64);
            // The first dword counts the bytes in use, its own 4 included.
            builder.memory.store(buffer, 4, 4)?;
            Some(builder.point(pointer, buffer, PRINTF_BYTES)?)
        }
        None => None,
    };
    limit("local memory", builder.local_bytes.into(), MAX_LOCAL.into())?;
    builder.finish(slots, printf)
}

/// The state of a launch while it is being built.
struct LaunchBuilder<'a> {
    platform: Platform,
    kernel: &'a Kernel,
    memory: LaunchMemory,
    surface_heap: Vec<u8>,
    dynamic_heap: Vec<u8>,
    cross_thread: Vec<u8>,
    outputs: Vec<Output>,
    images: Vec<(u64, usize)>,
    local_bytes: u32,
}

fn argument(arguments: &[Argument], index: u32) -> Result<&Argument> {
    arguments.get(index as usize).ok_or_else(|| {
        Error::new(format!("argument {index}"), format!("missing ({} given)", arguments.len()))
    })
}

impl LaunchBuilder<'_> {
    fn parameters(&self, kind: u32) -> Vec<DataParameter> {
        self.kernel.dispatch.parameters.iter().filter(|p| p.kind == kind).copied().collect()
    }

    fn dimensions(&mut self, range: &NdRange, local: [u32; 3], groups: [u32; 3]) {
        let values = [
            (parameter::GLOBAL_SIZE, range.global),
            (parameter::GLOBAL_OFFSET, range.offset),
            (parameter::GROUP_COUNT, groups),
            (parameter::LOCAL_SIZE, local),
            (parameter::ENQUEUED_LOCAL_SIZE, local),
        ];
        for (kind, sizes) in values {
            for p in self.parameters(kind) {
                let value = sizes.get(p.source as usize / 4).copied().unwrap_or(1);
                put(&mut self.cross_thread, p.offset, p.size, u64::from(value));
            }
        }
        let values = [
            (parameter::DIMENSIONS, range.dimensions),
            (parameter::SIMD_SIZE, self.kernel.simd.unwrap_or(8)),
            (parameter::PRINTF_SIZE, PRINTF_BYTES as u32),
        ];
        self.put_values(&values, |_| true);
    }

    /// Writes values to the data parameters of their kinds for which `wanted` holds.
    fn put_values(&mut self, values: &[(u32, u32)], wanted: impl Fn(&DataParameter) -> bool) {
        for &(kind, value) in values {
            for p in self.parameters(kind).into_iter().filter(&wanted) {
                put(&mut self.cross_thread, p.offset, p.size, u64::from(value));
            }
        }
    }

    /// Returns the surface state at byte `offset` of the surface state heap.
    fn surface_template(&self, offset: u32) -> Result<SurfaceState> {
        let at = offset as usize;
        let bytes = self.surface_heap.get(at..).and_then(|bytes| bytes.first_chunk::<64>());
        bytes.map(SurfaceState::from_bytes).ok_or_else(|| {
            let why = format!("offset {offset:#x} of a heap of {:#x} bytes", self.surface_heap.len());
            Error::new("surface state outside its heap", why)
        })
    }

    fn set_surface(&mut self, offset: u32, state: &SurfaceState) {
        let heap = self.surface_heap.get_mut(offset as usize..);
        if let Some(target) = heap.and_then(|bytes| bytes.first_chunk_mut()) {
            *target = state.to_bytes();
        }
    }

    /// Makes the surface state at `offset` a raw buffer of `bytes` bytes at `address`.
    fn set_buffer(&mut self, offset: u32, address: u64, bytes: usize) -> Result<()> {
        if offset == NO_SURFACE {
            return Ok(());
        }
        let mut state = self.surface_template(offset)?;
        state.set_surface_type(SurfaceType::Buffer).set_format(SurfaceFormat::RAW);
        let elements = u32::try_from(bytes.next_multiple_of(4)).unwrap_or(u32::MAX);
        let refused = |why: texwire::Error| Error::new("buffer of a launch", why.to_string());
        state.set_pitch(1).map_err(refused)?;
        state.set_buffer_elements(elements.max(4)).map_err(refused)?.set_base_address(address);
        self.set_surface(offset, &state);
        Ok(())
    }

    fn set_null(&mut self, offset: u32) -> Result<()> {
        if offset == NO_SURFACE {
            return Ok(());
        }
        let mut state = self.surface_template(offset)?;
        state.set_surface_type(SurfaceType::Null);
        self.set_surface(offset, &state);
        Ok(())
    }

    /// Allocates memory with contents `bytes`, and sets a pointer and its surface state to it. Returns the address.
    fn block(&mut self, pointer: &Pointer, bytes: Vec<u8>) -> Result<u64> {
        let length = bytes.len();
        let address = self.memory.allocate(bytes, AllocationUse::Shared);
        self.point(pointer, address, length)
    }

    /// Sets a pointer and its surface state to `length` bytes of allocated memory at `address`. Returns the address.
    fn point(&mut self, pointer: &Pointer, address: u64, length: usize) -> Result<u64> {
        put(&mut self.cross_thread, pointer.data_offset, pointer.data_size, address);
        self.set_buffer(pointer.surface_offset, address, length)?;
        Ok(address)
    }

    fn pointers(&mut self, arguments: &[Argument]) -> Result<()> {
        let kernel = self.kernel;
        // The addresses of buffers by argument: several pointers may be for one.
        let mut addresses = BTreeMap::new();
        for pointer in &kernel.dispatch.pointers {
            match argument(arguments, pointer.argument)? {
                Argument::Buffer(contents) => {
                    let (index, bytes) = (pointer.argument, contents.len());
                    let address = *addresses.entry(index).or_insert_with(|| {
                        let address = self.memory.allocate(contents.clone(), AllocationUse::Shared);
                        self.outputs.push(Output::Buffer { argument: index, address, bytes });
                        address
                    });
                    self.point(pointer, address, bytes)?;
                }
                Argument::Null => self.set_null(pointer.surface_offset)?,
                other => return Err(mismatch(pointer.argument, other, "a buffer")),
            }
        }
        Ok(())
    }

    fn images(&mut self, arguments: &[Argument]) -> Result<()> {
        let kernel = self.kernel;
        for image in &kernel.images {
            let value = match argument(arguments, image.argument)? {
                Argument::Image(value) => value,
                other => return Err(mismatch(image.argument, other, "an image")),
            };
            let template = self.surface_template(image.surface_offset)?;
            let refused = |why: String| Error::new(format!("argument {}", image.argument), why);
            let bound = image_argument::bind(template, image.kind, &value.picture, self.memory.next())
                .map_err(|why| refused(why.to_string()))?;
            let info = texwire::format::info(value.picture.format)
                .ok_or_else(|| refused("a format without a description".to_owned()))?;
            let layout = Layout::new(&bound.state, info.element(), self.platform)
                .map_err(|why| refused(why.to_string()))?;
            let use_ = if image.writeable { AllocationUse::Shared } else { AllocationUse::Constant };
            self.images.push((bound.memory.address, bound.memory.bytes.len()));
            self.memory.allocate(bound.memory.bytes, use_);
            self.set_surface(image.surface_offset, &bound.state);
            self.outputs.push(Output::Image {
                argument: image.argument,
                layout: Box::new(layout),
                size: [
                    value.picture.width.div_ceil(u32::from(info.block_width)),
                    value.picture.height.div_ceil(u32::from(info.block_height)),
                    value.picture.slices.max(1),
                ],
                bytes: usize::from(info.bytes),
            });
            self.image_values(image.argument, value, image.kind);
        }
        Ok(())
    }

    /// Sets the properties of image argument `index` that the kernel queries: size, channel order, data type, samples, mip levels.
    fn image_values(&mut self, index: u32, value: &ImageValue, kind: ImageType) {
        let picture = &value.picture;
        let volume = kind.name() == "3d";
        let array = matches!(kind.name(), "1d_array" | "2d_array" | "2d_array_depth" | "cube_array");
        let values = [
            (parameter::IMAGE_WIDTH, picture.width),
            (parameter::IMAGE_HEIGHT, picture.height),
            (parameter::IMAGE_DEPTH, if volume { picture.slices } else { 0 }),
            (parameter::IMAGE_ARRAY_SIZE, if array { picture.slices } else { 0 }),
            (parameter::IMAGE_DATA_TYPE, value.data_type),
            (parameter::IMAGE_ORDER, value.order),
            (parameter::IMAGE_SAMPLES, if kind.is_multisampled() { picture.slices } else { 0 }),
            (parameter::IMAGE_LEVELS, picture.levels.len() as u32),
        ];
        self.put_values(&values, |p| p.argument == index);
    }

    fn scalars(&mut self, arguments: &[Argument]) -> Result<()> {
        for p in self.parameters(parameter::ARGUMENT) {
            match argument(arguments, p.argument)? {
                Argument::Scalar(bytes) => {
                    let end = p.source.saturating_add(p.size) as usize;
                    // Values of one and two bytes are parameters of a dword, vectors of three components those of four.
                    if end * 3 / 4 > bytes.len().next_multiple_of(4) {
                        let why = format!("{} of the {end} bytes that the kernel reads", bytes.len());
                        return Err(Error::new(format!("argument {}", p.argument), why));
                    }
                    let from = bytes.get(p.source as usize..).unwrap_or_default();
                    let size = (p.size as usize).min(from.len());
                    let at = p.offset as usize;
                    if let Some(target) = self.cross_thread.get_mut(at..at.saturating_add(size)) {
                        target.copy_from_slice(&from[..size]);
                    }
                }
                other => return Err(mismatch(p.argument, other, "a value")),
            }
        }
        for p in self.parameters(parameter::LOCAL_POINTER) {
            match argument(arguments, p.argument)? {
                Argument::Local(bytes) => {
                    let alignment = p.source.clamp(1, 4096);
                    let at = self.local_bytes.next_multiple_of(alignment);
                    put(&mut self.cross_thread, p.offset, p.size, u64::from(at));
                    self.local_bytes = at.saturating_add((*bytes).min(MAX_LOCAL + 1));
                }
                other => return Err(mismatch(p.argument, other, "local memory")),
            }
        }
        Ok(())
    }

    fn samplers(&mut self, arguments: &[Argument]) -> Result<()> {
        let kernel = self.kernel;
        for sampler in &kernel.sampler_arguments {
            let value = match argument(arguments, sampler.argument)? {
                Argument::Sampler(value) => *value,
                other => return Err(mismatch(sampler.argument, other, "a sampler")),
            };
            let at = sampler.sampler_offset as usize;
            let length = self.dynamic_heap.len();
            let bytes = self.dynamic_heap.get_mut(at..);
            let bytes = bytes.and_then(|bytes| bytes.first_chunk_mut::<16>()).ok_or_else(|| {
                Error::new("sampler state outside its heap", format!("offset {at:#x} of {length:#x} bytes"))
            })?;
            *bytes = value.fill(SamplerState::from_bytes(bytes)).to_bytes();
            let values = [
                (parameter::SAMPLER_ADDRESS, value.addressing_code()),
                (parameter::SAMPLER_NORMALIZED, value.normalized_code()),
                (parameter::SAMPLER_SNAP, value.snap_code()),
            ];
            self.put_values(&values, |p| p.argument == sampler.argument);
        }
        Ok(())
    }

    /// Allocates the program's constants and global variables.
    fn program_memory(&mut self, binary: &DeviceBinary<'_>) -> Result<()> {
        let dispatch = &self.kernel.dispatch;
        for (pointer, blocks) in
            [(dispatch.constants, &binary.constants), (dispatch.globals, &binary.globals)]
        {
            let Some(pointer) = pointer else { continue };
            let block = blocks.get(pointer.argument as usize).or(blocks.first());
            let bytes = block.map_or(&[][..], |range| binary.heap(range));
            self.block(&pointer, bytes.to_vec())?;
        }
        Ok(())
    }

    fn finish(mut self, slots: usize, printf: Option<u64>) -> Result<LaunchState> {
        let table = self.kernel.binding_table;
        let mut surfaces = Vec::new();
        if let Some(table) = table {
            for index in 0..table.count.min(240) {
                let at = (table.offset as usize).saturating_add(index as usize * 4);
                let entry =
                    self.surface_heap.get(at..).and_then(|bytes| bytes.first_chunk()).ok_or_else(|| {
                        let why = format!("entry {index} at {at:#x} of {:#x} bytes", self.surface_heap.len());
                        Error::new("binding table outside its heap", why)
                    })?;
                let state = self.surface_template(u32::from_le_bytes(*entry) & !63);
                let surface = state.and_then(|state| BoundSurface::new(&state, self.platform));
                // A surface state that no argument filled is an error only if the kernel accesses it.
                surfaces.push(surface.unwrap_or_else(BoundSurface::Refused));
            }
        }
        let (dynamic_heap, sampler_states, border) = self.dynamic_state();
        let surface_heap =
            self.memory.allocate(std::mem::take(&mut self.surface_heap), AllocationUse::Constant);
        let dynamic_heap = self.memory.allocate(dynamic_heap, AllocationUse::Constant);
        Ok(LaunchState {
            memory: self.memory,
            surfaces,
            surface_heap,
            dynamic_heap,
            binding_table: table.map_or(0, |table| table.offset),
            local_bytes: self.local_bytes as usize,
            scratch_bytes: self.kernel.dispatch.scratch_bytes as usize,
            slots,
            cross_thread: self.cross_thread,
            outputs: self.outputs,
            printf,
            sampler_states,
            images: self.images,
            border,
        })
    }
}

/// Alignment of border colours, in bytes.
const BORDER_ALIGNMENT: usize = 64;

impl LaunchBuilder<'_> {
    /// Returns the dynamic state heap for the threads, its sampler states, and the border colour with its offset.
    ///
    /// The sampler table comes first, so that sampler indices in a trace count from the address in the headers; the border colour follows.
    fn dynamic_state(&self) -> (Vec<u8>, Vec<[u32; 4]>, Option<(u32, [u32; 4])>) {
        let Some(table) = self.kernel.sampler_states else { return (Vec::new(), Vec::new(), None) };
        let from = self.dynamic_heap.get(table.offset as usize..).unwrap_or_default();
        let chunks = from.as_chunks::<16>().0.iter().take(table.count as usize);
        let mut states: Vec<SamplerState> = chunks.map(SamplerState::from_bytes).collect();
        let border_at = (states.len() * SamplerState::BYTES).next_multiple_of(BORDER_ALIGNMENT);
        let colour =
            self.dynamic_heap.get(table.border_offset as usize..).and_then(|bytes| bytes.first_chunk::<16>());
        let colour = colour.map_or(BorderColor::default(), BorderColor::from_bytes);
        let mut heap = Vec::new();
        for state in &mut states {
            state.set_border_offset(border_at as u32);
            heap.extend(state.to_bytes());
        }
        heap.resize(border_at, 0);
        heap.extend(colour.to_bytes());
        let states = states.iter().map(|state| state.dwords).collect();
        (heap, states, Some((border_at as u32, colour.dwords)))
    }
}

fn mismatch(index: u32, argument: &Argument, expected: &str) -> Error {
    let found = match argument {
        Argument::Scalar(_) => "a value",
        Argument::Buffer(_) => "a buffer",
        Argument::Local(_) => "local memory",
        Argument::Image(_) => "an image",
        Argument::Sampler(_) => "a sampler",
        Argument::Null => "null",
    };
    Error::new(format!("argument {index}"), format!("{found} (the kernel takes {expected})"))
}
