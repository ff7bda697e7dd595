//! The plan of a group of jobs in Vulkan, and the reasons why there is none.

use super::image::ImagePlan;
use super::order::ParamOrder;
use super::sampler::{Border, SamplerPlan};
use crate::emulator::sample::ops::{Op, OpWork};
use crate::emulator::sample::sampler::Sampler;
use crate::emulator::surface::Surface;
use crate::engine::Precision;
use crate::vulkan::shader::{ImageOp, ShaderKey};

/// The plan of a group of jobs.
#[derive(Debug)]
pub(in crate::vulkan) struct Plan {
    pub(in crate::vulkan) key: ShaderKey,
    pub(in crate::vulkan) image: ImagePlan,
    pub(in crate::vulkan) sampler: SamplerPlan,
    /// The views of the image; each lane samples one of them.
    pub(in crate::vulkan) views: Vec<ViewPlan>,
    /// If each channel is stored in layers of its own, and sampled through a view of its own: the border colour of each.
    pub(in crate::vulkan) planes: Option<[Border; 4]>,
    /// The texels are decoded: they are not the surface's own bits.
    pub(in crate::vulkan) widened: bool,
    /// The result of a lane that is out of range.
    pub(in crate::vulkan) outside: [u32; 4],
    pub(super) op: Op,
    pub(super) order: ParamOrder,
    pub(super) surface: Surface,
    pub(super) sampler_state: Sampler,
    /// Axes whose coordinates are clamped to the image (HALF_BORDER).
    pub(super) hold: [bool; 3],
    /// Axes whose coordinates are folded (MIRROR_101), with the size of the level in texels.
    pub(super) fold: [Option<u64>; 3],
    /// Axes with a border.
    pub(super) bordered: [bool; 3],
    /// Least and largest LOD of [`ImageOp::Held`].
    pub(super) lod_range: [f32; 2],
    /// There is no mip filter and the message may have a minimum LOD: the level is the floor of the minimum LOD.
    pub(super) whole_levels: bool,
    /// If no parameter changes the LOD: its value before the clamps.
    pub(super) lod_is: Option<f64>,
    /// If coordinates are in texels: the size of the level, by which they are divided.
    pub(super) texels: Option<[u64; 3]>,
    /// References are clamped to 0..=1.
    pub(super) unorm: bool,
    pub(super) integer: bool,
    pub(super) robust: bool,
    pub(super) precision: Precision,
    pub(super) offsets: [i8; 3],
}

/// The levels of a view, counted from the image's level 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::vulkan) struct ViewPlan {
    pub(in crate::vulkan) first: u32,
    pub(in crate::vulkan) count: u32,
    /// Its first layer, counted from the surface's view.
    pub(in crate::vulkan) layer: u32,
}

impl ViewPlan {
    pub(super) fn levels(first: u32, count: u32) -> Self {
        Self { first, count, layer: 0 }
    }
}

/// The reason why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::vulkan) enum NoPlan {
    /// Vulkan, or this device, cannot express the job.
    Declined(&'static str),
    /// The job is not legal.
    Refused(String),
}

impl From<&'static str> for NoPlan {
    fn from(reason: &'static str) -> Self {
        Self::Declined(reason)
    }
}

impl Plan {
    /// Returns the shader channel selects.
    pub(in crate::vulkan) fn select(&self) -> [u64; 4] {
        self.surface.select
    }

    /// Returns the index of the sample positions that `sampleinfo` returns; `None` for other operations.
    pub(in crate::vulkan) fn positions(&self) -> Option<u32> {
        (self.op.work == OpWork::Sampleinfo).then_some(self.surface.position_palette as u32)
    }

    /// Returns whether the results are integers: sizes, and texels of integer formats.
    pub(in crate::vulkan) fn returns_integers(&self) -> bool {
        self.key.op == ImageOp::Size || self.integer && self.key.op != ImageOp::QueryLod
    }
}
