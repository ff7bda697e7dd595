//! Plans the image of a surface: its levels, slices and samples, copied from the job's memory at the addresses that the emulator computes.

use crate::emulator::formats::{Codec, Format};
use crate::emulator::memory::LaneMemory;
use crate::emulator::sample::BoundJob;
use crate::emulator::state;
use crate::emulator::surface::{Surface, SurfaceType};
use crate::engine::{Byte, ByteMemory, Job};
use crate::vulkan::shader::UPLOAD_GROUP;
use ash::vk;

/// The most texels of an image.
pub(in crate::vulkan) const MOST_TEXELS: u64 = 1 << 22;
// One dispatch writes all samples of an image, and devices need not take more than 65,535 workgroups.
const _: () = assert!(MOST_TEXELS.div_ceil(UPLOAD_GROUP as u64) <= 65_535);
/// The most layers before the view that an image includes; with more, the image begins at the view.
const MOST_BEFORE: u64 = 16;
/// Copies start at a multiple of this many bytes, which is a multiple of every element size and of 4.
const STEP: usize = 48;

/// An image and a view of it.
#[derive(Clone, Debug)]
pub(in crate::vulkan) struct ImagePlan {
    pub(in crate::vulkan) kind: vk::ImageType,
    pub(in crate::vulkan) view: vk::ImageViewType,
    pub(in crate::vulkan) format: vk::Format,
    pub(in crate::vulkan) aspect: vk::ImageAspectFlags,
    pub(in crate::vulkan) size: [u32; 3],
    pub(in crate::vulkan) levels: u32,
    pub(in crate::vulkan) layers: u32,
    pub(in crate::vulkan) samples: u32,
    pub(in crate::vulkan) cube: bool,
    pub(in crate::vulkan) mapping: [vk::ComponentSwizzle; 4],
    pub(in crate::vulkan) first_level: u32,
    pub(in crate::vulkan) view_levels: u32,
    pub(in crate::vulkan) first_layer: u32,
    pub(in crate::vulkan) view_layers: u32,
    /// The number of layers that each copy fills.
    pub(in crate::vulkan) copy_layers: u32,
    /// The copies: one for each level of the view, with all its layers.
    pub(in crate::vulkan) copies: Vec<LevelCopy>,
    /// The bytes that are copied.
    pub(in crate::vulkan) bytes: Vec<u8>,
}

/// The copy of a level: its first byte in [`ImagePlan::bytes`], the level of the image, and its size in texels.
#[derive(Clone, Copy, Debug)]
pub(in crate::vulkan) struct LevelCopy {
    pub(in crate::vulkan) start: u64,
    pub(in crate::vulkan) level: u32,
    pub(in crate::vulkan) size: [u32; 3],
}

/// How texels are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::vulkan) enum TexelLayout {
    /// The surface's elements, unchanged.
    Elements,
    /// Decoded texels: four floats or integers.
    Widened,
    /// Decoded texels, each channel in layers of its own.
    Planes,
    /// The decoded red channel as a float.
    Depth,
    /// The first two or four bytes of the elements: depth of 16 or 24 bits.
    Bits(usize),
}

impl TexelLayout {
    /// Returns the bytes of a stored element.
    fn bytes(self, format: &Format) -> usize {
        match self {
            Self::Elements => format.bytes,
            Self::Widened => 16,
            Self::Depth | Self::Planes => 4,
            Self::Bits(bytes) => bytes,
        }
    }

    /// Returns the width and height of a stored element, in texels.
    fn block(self, format: &Format) -> (u64, u64) {
        match self {
            Self::Elements => (format.block.0 as u64, format.block.1 as u64),
            Self::Widened | Self::Planes | Self::Depth | Self::Bits(_) => (1, 1),
        }
    }
}

impl ImagePlan {
    /// Gives each of the four channels layers of its own.
    pub(super) fn separate(&mut self) {
        self.first_layer = 0;
        self.copy_layers = 4 * self.view_layers;
        self.layers = self.copy_layers;
    }

    /// Returns whether every texel, stored as a float, is a depth of 0 to 1.
    pub(super) fn depths_in_range(&self) -> bool {
        let depths = self.bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        depths.into_iter().all(|depth| (0.0..=1.0).contains(&depth))
    }
}

/// Returns the plan of a surface's image, without format and texels. `gathered`: a 1D surface becomes a 2D image of a single row, as
/// Vulkan gathers from 2D images only.
pub(super) fn geometry(surface: &Surface, job: &Job, gathered: bool) -> Result<ImagePlan, &'static str> {
    let layers = surface.layers();
    let each = if surface.kind == SurfaceType::Cube { 6 } else { 1 };
    let before = state::surface(&job.surface, "Minimum Array Element");
    let before = if surface.kind == SurfaceType::D3 || surface.samples > 1 || before > MOST_BEFORE {
        0
    } else {
        before
    };
    let (kind, view) = match (surface.kind, surface.array) {
        (SurfaceType::D1, false) if gathered => (vk::ImageType::TYPE_2D, vk::ImageViewType::TYPE_2D),
        (SurfaceType::D1, true) if gathered => (vk::ImageType::TYPE_2D, vk::ImageViewType::TYPE_2D_ARRAY),
        (SurfaceType::D1, false) => (vk::ImageType::TYPE_1D, vk::ImageViewType::TYPE_1D),
        (SurfaceType::D1, true) => (vk::ImageType::TYPE_1D, vk::ImageViewType::TYPE_1D_ARRAY),
        (SurfaceType::D2, false) => (vk::ImageType::TYPE_2D, vk::ImageViewType::TYPE_2D),
        (SurfaceType::D2, true) => (vk::ImageType::TYPE_2D, vk::ImageViewType::TYPE_2D_ARRAY),
        (SurfaceType::D3, _) => (vk::ImageType::TYPE_3D, vk::ImageViewType::TYPE_3D),
        (SurfaceType::Cube, false) => (vk::ImageType::TYPE_2D, vk::ImageViewType::CUBE),
        (SurfaceType::Cube, true) => (vk::ImageType::TYPE_2D, vk::ImageViewType::CUBE_ARRAY),
        (SurfaceType::Buffer | SurfaceType::Strbuf, _) => return Err("surface type BUFFER or STRBUF"),
        (SurfaceType::Null, _) => return Err("surface type NULL"),
    };
    let [w, h, d] = surface.size;
    let depth = if surface.kind == SurfaceType::D3 { d } else { 1 };
    let levels = surface.base_level + surface.levels;
    let longest = w.max(h).max(depth);
    if levels > u64::from(longest.ilog2()) + 1 {
        return Err("more levels than a mip chain has");
    }
    if w * h * depth * layers * each * surface.samples > MOST_TEXELS {
        return Err("an image of more than 4 million texels");
    }
    Ok(ImagePlan {
        kind,
        view,
        format: vk::Format::UNDEFINED,
        aspect: vk::ImageAspectFlags::COLOR,
        size: [w, h, depth].map(|s| s as u32),
        levels: levels as u32,
        layers: (before + layers * each) as u32,
        samples: surface.samples as u32,
        cube: surface.kind == SurfaceType::Cube,
        mapping: [vk::ComponentSwizzle::IDENTITY; 4],
        first_level: surface.base_level as u32,
        view_levels: surface.levels as u32,
        first_layer: before as u32,
        view_layers: (layers * each) as u32,
        copy_layers: (layers * each) as u32,
        copies: Vec::new(),
        bytes: Vec::new(),
    })
}

/// Fills in the texels of the view. `nulls`: texels on null pages may be stored as zeros.
pub(super) fn fill(
    plan: &mut ImagePlan,
    bound: &BoundJob<'_>,
    job: &Job,
    layout: TexelLayout,
    skip_srgb: bool,
    nulls: bool,
) -> Result<(), &'static str> {
    let surface = &bound.surface;
    let Some(format) = &surface.format else { return Err("surface type NULL") };
    let (bw, bh) = layout.block(format);
    let planes = Default::default();
    let mut reader = TexelReader { job, bound, format, layout, skip_srgb, nulls, planes };
    let deep = surface.kind == SurfaceType::D3;
    for level in 0..surface.levels {
        let [w, h, d] = surface.level(level);
        let start = plan.bytes.len().next_multiple_of(STEP);
        plan.bytes.resize(start, 0);
        let slices = if deep { d } else { u64::from(plan.view_layers) };
        plan.bytes.reserve((w.div_ceil(bw) * h.div_ceil(bh) * slices) as usize * layout.bytes(format));
        for slice in 0..slices {
            for y in (0..h).step_by(bh as usize) {
                for x in (0..w).step_by(bw as usize) {
                    reader.element(level, slice, x, y, &mut plan.bytes)?;
                }
            }
        }
        for plane in &mut reader.planes {
            plan.bytes.append(plane);
        }
        let size = [w, h, if deep { d } else { 1 }].map(|s| s as u32);
        plan.copies.push(LevelCopy {
            start: start as u64,
            level: surface.base_level as u32 + level as u32,
            size,
        });
    }
    Ok(())
}

/// Decodes the samples of a multisampled surface, in the order of the shader that writes them: columns, rows, samples, layers.
pub(super) fn fill_samples(
    plan: &mut ImagePlan,
    bound: &BoundJob<'_>,
    job: &Job,
    nulls: bool,
) -> Result<(), &'static str> {
    let surface = &bound.surface;
    let Some(format) = &surface.format else { return Err("surface type NULL") };
    let layout = TexelLayout::Widened;
    let mut reader =
        TexelReader { job, bound, format, layout, skip_srgb: false, nulls, planes: Default::default() };
    let [w, h, _] = surface.level(0);
    for layer in 0..u64::from(plan.view_layers) {
        for sample in 0..surface.samples {
            for y in 0..h {
                for x in 0..w {
                    let (x, y, slice) = surface.sample(layer, sample, x, y);
                    reader.element(0, slice, x, y, &mut plan.bytes)?;
                }
            }
        }
    }
    Ok(())
}

const UNMAPPED: &str = "memory that is not mapped";
pub(super) const NULL: &str = "null pages";

struct TexelReader<'a> {
    job: &'a Job,
    bound: &'a BoundJob<'a>,
    format: &'a Format,
    layout: TexelLayout,
    skip_srgb: bool,
    nulls: bool,
    /// The green, blue and alpha channels of the present level, if it is stored by channels.
    planes: [Vec<u8>; 3],
}

impl TexelReader<'_> {
    fn element(
        &mut self,
        level: u64,
        slice: u64,
        x: u64,
        y: u64,
        out: &mut Vec<u8>,
    ) -> Result<(), &'static str> {
        let decoded = matches!(self.layout, TexelLayout::Widened | TexelLayout::Planes | TexelLayout::Depth);
        if !decoded {
            return self.copy(level, slice, x, y, out);
        }
        let memory = LaneMemory::new(self.job);
        let texel = self.bound.texel(&memory, level, slice, x, y, self.skip_srgb);
        if memory.fault.get() {
            return Err(UNMAPPED);
        }
        if memory.null.get() && !self.nulls {
            return Err(NULL);
        }
        let count = if self.layout == TexelLayout::Depth { 1 } else { 4 };
        for (channel, value) in texel[..count].iter().enumerate() {
            let bits = if self.format.integer { *value as u32 } else { (*value as f32).to_bits() };
            match channel.checked_sub(1).filter(|_| self.layout == TexelLayout::Planes) {
                None => out.extend(bits.to_le_bytes()),
                Some(plane) => self.planes[plane].extend(bits.to_le_bytes()),
            }
        }
        Ok(())
    }

    fn copy(&self, level: u64, slice: u64, x: u64, y: u64, out: &mut Vec<u8>) -> Result<(), &'static str> {
        let (addresses, ..) = self.bound.surface.element(level, slice, x, y);
        let start = out.len();
        let bytes = match self.layout {
            TexelLayout::Bits(bytes) => bytes,
            TexelLayout::Elements | TexelLayout::Widened | TexelLayout::Planes | TexelLayout::Depth => {
                addresses.len()
            }
        };
        let mut null = false;
        for &address in &addresses {
            match self.job.byte(address) {
                Byte::Mapped(byte) => out.push(byte),
                Byte::Null => null = true,
                Byte::Fault => return Err(UNMAPPED),
            }
        }
        if null {
            // Zero bytes decode to a texel of zeros in formats with separate components only.
            if !self.nulls || !matches!(self.format.codec, Codec::Components(_)) {
                return Err(NULL);
            }
            out.truncate(start);
            out.resize(start + bytes, 0);
        }
        out.truncate(start + bytes);
        Ok(())
    }
}
