//! What a group of jobs becomes in Vulkan, and why it becomes nothing.

use super::image::ImagePlan;
use super::order::Order;
use super::sampler::{Border, SamplerPlan};
use crate::emulator::sample::ops::{Op, Work as OpWork};
use crate::emulator::sample::sampler::Sampler;
use crate::emulator::surface::Surface;
use crate::engine::Precision;
use crate::vulkan::shader::{Shape, Work};

/// What a group becomes.
#[derive(Debug)]
pub(in crate::vulkan) struct Plan {
    pub(in crate::vulkan) shape: Shape,
    pub(in crate::vulkan) image: ImagePlan,
    pub(in crate::vulkan) sampler: SamplerPlan,
    /// The first level of each view; lanes name theirs.
    pub(in crate::vulkan) views: Vec<View>,
    /// Each channel is an image of one component, with a border colour and a view of its own.
    pub(in crate::vulkan) planes: Option<[Border; 4]>,
    /// The texels are not the surface's own bits.
    pub(in crate::vulkan) widened: bool,
    /// What a lane out of range returns.
    pub(in crate::vulkan) outside: [u32; 4],
    pub(super) op: Op,
    pub(super) order: Order,
    pub(super) surface: Surface,
    pub(super) sampler_state: Sampler,
    /// Axes whose coordinates are held inside the image.
    pub(super) hold: [bool; 3],
    /// Axes whose coordinates are folded, with the texels of the level.
    pub(super) fold: [Option<u64>; 3],
    /// Axes with a border.
    pub(super) bordered: [bool; 3],
    /// Least and largest LOD of [`Work::Held`].
    pub(super) lod_range: [f32; 2],
    /// The LOD is the least one of the message, in whole levels.
    pub(super) whole_levels: bool,
    /// The LOD before its clamps, whatever the message says.
    pub(super) lod_is: Option<f64>,
    /// Coordinates are in texels: the size of the level.
    pub(super) texels: Option<[u64; 3]>,
    /// References are held to 0..=1.
    pub(super) unorm: bool,
    pub(super) integer: bool,
    pub(super) robust: bool,
    pub(super) precision: Precision,
    pub(super) offsets: [i8; 3],
}

/// Levels of a view, counted from the image's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::vulkan) struct View {
    pub(in crate::vulkan) first: u32,
    pub(in crate::vulkan) count: u32,
    /// Its first layer, counted from the surface's view.
    pub(in crate::vulkan) layer: u32,
}

impl View {
    pub(super) fn levels(first: u32, count: u32) -> Self {
        Self { first, count, layer: 0 }
    }
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::vulkan) enum Stop {
    /// Vulkan, or this device, cannot express it.
    Declined(&'static str),
    /// It is not legal.
    Refused(String),
}

impl From<&'static str> for Stop {
    fn from(reason: &'static str) -> Self {
        Self::Declined(reason)
    }
}

impl Plan {
    /// Shader channel selects.
    pub(in crate::vulkan) fn select(&self) -> [u64; 4] {
        self.surface.select
    }

    /// Where the samples of a texel are, as `sampleinfo` says it; `None`: not asked for.
    pub(in crate::vulkan) fn positions(&self) -> Option<u32> {
        (self.op.work == OpWork::Sampleinfo).then_some(self.surface.position_palette as u32)
    }

    /// Results are integers: those of sizes, and of integer formats.
    pub(in crate::vulkan) fn returns_integers(&self) -> bool {
        self.shape.work == Work::Size || self.integer && self.shape.work != Work::QueryLod
    }
}
