//! Plans levels, LODs and filters.

use super::levels;
use super::types::{Plan, ViewPlan};
use crate::emulator::sample::BoundJob;
use crate::emulator::sample::lod::{coarser_weight, select};
use crate::emulator::sample::ops::{LodSource, OpWork};
use crate::emulator::sample::sampler::{Filter, Mip};
use crate::vulkan::info::DeviceInfo;
use crate::vulkan::shader::ImageOp;
use ash::vk;

impl Plan {
    /// Plans levels, LOD clamps and filters.
    pub(super) fn plan_levels(
        &mut self,
        bound: &BoundJob<'_>,
        device: &DeviceInfo,
    ) -> Result<(), &'static str> {
        let (op, surface, state) = (bound.op, &bound.surface, &bound.sampler);
        let base = self.image.first_level;
        // The bounds of the clamped LOD.
        let least = state.min_lod.min(state.max_lod).max(surface.resource_min_lod);
        let most = state.max_lod.max(surface.resource_min_lod);
        if op.work == OpWork::Gather {
            // Vulkan's gather has no LOD operand: each level gets a view.
            let level = |lod: f64| ((lod + 0.5).floor().clamp(0.0, (surface.levels - 1) as f64)) as u32;
            self.views = match op.lod {
                LodSource::Base => vec![ViewPlan::levels(base, 1)],
                _ if level(least) == level(most) => vec![ViewPlan::levels(base + level(least), 1)],
                LodSource::Explicit => {
                    (0..surface.levels as u32).map(|l| ViewPlan::levels(base + l, 1)).collect()
                }
                LodSource::Quad | LodSource::Zero | LodSource::Gradients => {
                    return Err("gather4 of a level by its derivatives");
                }
            };
            return Ok(());
        }
        let filters = [bound.filter(true), bound.filter(false)];
        let levels = if op.work == OpWork::Lod {
            // Nothing is filtered; the LOD that is queried is that of the minifying filter.
            levels::LevelPlan {
                first: 0,
                count: surface.levels,
                min_lod: least,
                max_lod: most,
                mag: filters[1],
                min: filters[1],
                mip_linear: true,
            }
        } else {
            let mut levels = match self.constant_lod(bound) {
                Some(levels) => levels,
                None => self.lane_levels(bound)?,
            };
            if levels.mip_linear && levels.min_lod < levels.max_lod && levels.count > 1 && state.quality != 0
            {
                return Err("trilinear quality");
            }
            if levels.mip_linear && levels.min_lod == levels.max_lod {
                let only = levels.min_lod.floor() + coarser_weight(state, levels.min_lod);
                (levels.min_lod, levels.max_lod) = (only, only);
            }
            levels
        };
        self.views = vec![ViewPlan::levels(base + levels.first as u32, levels.count as u32)];
        self.sampler.filters(&levels, state.max_aniso, device)
    }

    /// Plans to sample at a LOD that the shader queries and clamps, so that it is not below the message's minimum LOD. `why` names the
    /// reason for this, and is the error if it is impossible.
    pub(super) fn hold_lod(
        &mut self,
        bound: &BoundJob<'_>,
        why: &'static str,
        device: &DeviceInfo,
    ) -> Result<(), &'static str> {
        let (surface, state) = (&bound.surface, &bound.sampler);
        let filters = [bound.filter(true), bound.filter(false)];
        let least = state.min_lod.min(state.max_lod).max(surface.resource_min_lod);
        let most = state.max_lod.max(surface.resource_min_lod);
        let same = filters[0] == filters[1];
        if filters.contains(&Filter::Anisotropic) {
            return Err(why);
        }
        let mip_linear = state.mip == Mip::Linear && !self.integer;
        if mip_linear && surface.levels > 1 && state.quality != 0 {
            return Err("trilinear quality");
        }
        match state.mip {
            Mip::None if same => {
                self.whole_levels = true;
                self.key.op = ImageOp::Lod;
                self.lod_range = [state.min_lod.max(surface.resource_min_lod) as f32; 2];
            }
            Mip::Nearest | Mip::Linear
                if bound.op.lod == LodSource::Quad
                    && state.min_lod <= state.max_lod
                    && (state.preclamp || same && state.mag_mipfilter) =>
            {
                self.key.op = ImageOp::Held(self.key.op == ImageOp::Bias);
                self.lod_range = [least as f32, most as f32];
            }
            Mip::None | Mip::Nearest | Mip::Linear => return Err(why),
        }
        let all = levels::LevelPlan {
            first: 0,
            count: surface.levels,
            min_lod: 0.0,
            max_lod: f64::from(vk::LOD_CLAMP_NONE),
            mag: filters[0],
            min: filters[1],
            mip_linear,
        };
        if self.texels.is_some() && surface.levels > 1 {
            return Err("coordinates in texels of several levels");
        }
        self.views = vec![ViewPlan::levels(self.image.first_level, surface.levels as u32)];
        self.sampler.filters(&all, state.max_aniso, device)
    }

    /// Returns the levels of a message whose LOD is the same in all lanes, if it is [`Plan::lod_is`] or [`levels::levels`] cannot express
    /// it; else `None`.
    fn constant_lod(&self, bound: &BoundJob<'_>) -> Option<levels::LevelPlan> {
        let (surface, state) = (&bound.surface, &bound.sampler);
        let lod = match self.lod_is {
            Some(lod) => lod,
            None if bound.op.lod == LodSource::Zero => f64::from(self.sampler.bias),
            None => return None,
        };
        if self.lod_is.is_none() && self.lane_levels(bound).is_ok() {
            return None;
        }
        let chosen = select(surface, state, self.precision, lod, f64::NEG_INFINITY, 0.0);
        let (first, weight) = match chosen.levels[..] {
            [(first, _), (_, weight)] => (first, weight),
            [(first, _), ..] => (first, 0.0),
            [] => return None,
        };
        let (at, filter) = (first as f64 + weight, bound.filter(chosen.mag));
        Some(levels::LevelPlan {
            first: 0,
            count: surface.levels,
            min_lod: at,
            max_lod: at,
            mag: filter,
            min: filter,
            mip_linear: weight > 0.0,
        })
    }

    /// Returns the levels of a message whose lanes have LODs of their own.
    fn lane_levels(&self, bound: &BoundJob<'_>) -> Result<levels::LevelPlan, &'static str> {
        let (surface, filters) = (&bound.surface, [bound.filter(true), bound.filter(false)]);
        levels::levels(&bound.sampler, surface.resource_min_lod, surface.levels, filters, self.integer)
    }
}
