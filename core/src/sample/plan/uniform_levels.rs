//! The mip levels that a message reads: found in advance if they are the same for every payload, else selected by its lanes.

use super::{Plan, UniformLevels, Work};
use crate::message::LodSource;
use crate::sample::bind::texture::Texture;
use crate::sample::lanes::{ALL, LANES, Lanes, mask};
use crate::sample::levels::level::{LevelEntry, spread};
use crate::sample::levels::select::Levels;
use crate::sample::place::level_lanes::LevelLanes;

impl Plan<'_> {
    /// Selects mip levels by the lanes' LODs (with the message's bias) and the message's minimum LODs.
    #[inline(always)]
    pub(crate) fn select_levels(&self, lambda: &Lanes<f32>, minimum: &Lanes<f32>, levels: &mut Levels) {
        let [kernel, ..] = self.stages.select;
        kernel(&self.level_rule, lambda, minimum, levels);
    }

    /// [`select_levels`](Self::select_levels) for messages without minimum LODs; the LODs in `levels` are not always filled in.
    #[inline(always)]
    pub(crate) fn select_usual_levels(&self, lambda: &Lanes<f32>, levels: &mut Levels) {
        let number = if LANES == 1 { 0 } else { usize::from(self.level_rule.fixed).wrapping_add(1) };
        if let Some(kernel) = self.stages.select.get(number) {
            kernel(&self.level_rule, lambda, &[0.0; LANES], levels);
        }
    }

    /// Returns the mip levels of a message that samples and has no LOD of its own; `None` for other messages.
    #[cfg_attr(target_pointer_width = "32", inline(always))]
    pub(crate) fn select_uniform_levels(&self) -> Option<Levels> {
        if matches!(self.work, Work::Zero | Work::Query | Work::Load) {
            return None;
        }
        match self.flags.lod {
            LodSource::Base => Some(Levels::BASE),
            LodSource::Zero => {
                let lambda = if self.message.cps { self.cps_lod } else { 0.0 };
                let mut levels = Levels::BASE;
                self.select_levels(&[lambda; LANES], &[0.0; LANES], &mut levels);
                Some(levels)
            }
            LodSource::Quad
            | LodSource::QuadBias
            | LodSource::Explicit
            | LodSource::Gradients
            | LodSource::Integer
            | LodSource::None => None,
        }
    }

    /// Finds in advance the mip levels of a message that samples and has no LOD of its own.
    #[inline(never)]
    pub(crate) fn find_uniform_levels(&mut self, texture: &Texture<'_>) {
        let Some(levels) = self.select_uniform_levels() else { return };
        let mut level = [LevelLanes::NONE; 2];
        let [finer, coarser] = &mut level;
        let axes = texture.texel_axes();
        self.fill_level(texture, &levels.finer, axes, finer);
        self.fill_level(texture, &levels.coarser, axes, coarser);
        let magnified = if self.two_filters { mask(&levels.magnified) } else { ALL };
        self.uniform_levels =
            Some(UniformLevels { lanes: levels.lanes, magnified, fraction: levels.fraction, level });
    }

    /// Fills in each lane's mip level, with the sizes of its first `axes` axes. `numbers`: mip levels of the view; `texture`: the one that
    /// the plan was made from.
    pub(crate) fn fill_level(
        &self,
        texture: &Texture<'_>,
        numbers: &Lanes<u32>,
        axes: usize,
        out: &mut LevelLanes,
    ) {
        match self.stages.level {
            Some(kernel) => kernel(&self.table, numbers, axes, out),
            None => {
                let [number, ..] = *numbers;
                spread(&LevelEntry::new(texture, self.first_layer, number), axes, out);
            }
        }
    }

    /// Returns the index into `filters`, if all lanes of every payload sample one and the same mip level with this filter. (Without a LOD
    /// of its own a message has no derivatives, so that it is not anisotropic.)
    pub(crate) fn only_filter(&self) -> Option<u8> {
        match self.uniform_levels.as_ref()? {
            UniformLevels { lanes: [_, 0], magnified: ALL, .. } => Some(0),
            UniformLevels { lanes: [_, 0], magnified: 0, .. } => Some(1),
            UniformLevels { .. } => None,
        }
    }

    /// Returns the constants of the mip level that all lanes of every payload read. (Loads look up theirs in the level table.)
    #[inline(always)]
    pub(crate) fn only_level(&self) -> &LevelLanes {
        self.level(0, &[LevelLanes::NONE; 2])
    }

    /// Returns the constants of the finer (`level` 0) or the coarser mip level: the uniform ones, if there are any, or the chosen ones.
    #[inline(always)]
    pub(crate) fn level<'l>(&'l self, level: usize, chosen: &'l [LevelLanes; 2]) -> &'l LevelLanes {
        let [finer, coarser] = self.uniform_levels.as_ref().map_or(chosen, |uniform| &uniform.level);
        if level == 0 { finer } else { coarser }
    }
}
