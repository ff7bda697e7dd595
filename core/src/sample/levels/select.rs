//! From LODs to mip levels: clamps, the magnification decision and the mip filter.
//!
//! The clamps follow the sequence of the Intel PRM with D3D/OpenGL semantics.
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use crate::sample::bind::sampler::{Mip, Precision, Sampler};
use crate::sample::lanes::{ALL, BITS, LANES, Lanes, MULTI_LANE, ones};
use crate::sample::rounding::{clamp, integer, near_floor};
use crate::sample::unspecified;

/// Constants that turn LODs into mip levels; the same for every lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelRule {
    mip: Mip,
    bias: f32,
    min: f32,
    max: f32,
    resource_min: f32,
    /// The number of the view's last mip level.
    last: f32,
    preclamp: bool,
    magnify_by_mip_filter: bool,
    pub(crate) fixed: bool,
    /// Fractions below this become 0, fractions above 1 minus this become 1 (U10).
    zone: f32,
    /// The clamps combined, for messages without minimum LODs in the payload. One-lane targets do not have them.
    usual: [UsualClamps; MULTI_LANE],
}

/// The clamps of a sampler and a surface combined into one: a chain of clamps equals one clamp, whose bounds are the results of the chain
/// for the least and the greatest number.
#[derive(Clone, Copy, Debug)]
struct UsualClamps {
    /// Bounds of LODs.
    range: [f32; 2],
    /// The LOD of lanes that do not use the mip filter.
    least: f32,
    /// Lanes whose LOD, before it is rounded, is at most this are magnified; NaN: none are.
    magnified: f32,
}

impl LevelRule {
    /// `nearest`: gather4, which reads the nearest mip level whatever the mip filter is. `levels`: mip levels of the view.
    #[inline(never)]
    pub(crate) fn new(sampler: &Sampler, mip: Mip, nearest: bool, levels: u32, resource_min: f32) -> Self {
        const UNKNOWN: UsualClamps = UsualClamps { range: [0.0; 2], least: 0.0, magnified: 0.0 };
        let mut rule = Self {
            mip: if nearest { Mip::Nearest } else { mip },
            bias: sampler.lod_bias,
            min: sampler.min_lod,
            max: sampler.max_lod,
            resource_min,
            last: levels.saturating_sub(1) as f32,
            preclamp: sampler.preclamp,
            magnify_by_mip_filter: nearest || sampler.magnify_by_mip_filter,
            fixed: sampler.precision == Precision::Fixed8,
            zone: unspecified::trilinear_zone(sampler.trilinear_quality),
            usual: [UNKNOWN; MULTI_LANE],
        };
        rule.usual = [rule.usual_clamps(); MULTI_LANE];
        rule
    }

    /// See [`UsualClamps`].
    fn usual_clamps(&self) -> UsualClamps {
        let ends @ [low, high] =
            [f32::NEG_INFINITY, f32::INFINITY].map(|lod| self.clamped(lod, self.resource_min));
        let zero = if self.fixed { unspecified::MOST_ROUNDED_TO_0 } else { 0.0 };
        let magnified = match (self.preclamp, low <= 0.0, high <= 0.0) {
            (false, ..) | (true, true, false) => zero,
            (true, false, _) => f32::NAN,
            (true, true, true) => f32::INFINITY,
        };
        let range = ends.map(|lod| clamp(lod, 0.0, self.last));
        UsualClamps { range, least: self.least(self.resource_min), magnified }
    }

    /// Returns the LOD clamped between those of the sampler, then raised to at least `floor`.
    #[inline(always)]
    fn clamped(&self, lod: f32, floor: f32) -> f32 {
        let low = if lod >= self.min { lod } else { self.min };
        let held = if low > self.max { self.max } else { low };
        if held < floor { floor } else { held }
    }

    /// Returns the LOD of lanes that do not use the mip filter, before it is rounded down (U11).
    #[inline(always)]
    fn least(&self, floor: f32) -> f32 {
        clamp(if self.min >= floor { self.min } else { floor }, 0.0, self.last)
    }
}

/// The mip levels that LODs select, counted from the view's first.
#[cfg_attr(target_pointer_width = "64", repr(align(64)))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Levels {
    /// Not 0: the lane is magnified, the magnification filter applies.
    pub(crate) magnified: Lanes<u32>,
    /// The only or the finer mip level, and the coarser one.
    pub(crate) finer: Lanes<u32>,
    pub(crate) coarser: Lanes<u32>,
    /// Weight of the coarser level; 0: only the finer level is read; 1: only the coarser.
    pub(crate) fraction: Lanes<f32>,
    /// The mask of lanes that read the finer level, and of those that read the coarser one.
    pub(crate) lanes: [u32; 2],
    /// The LOD with every bias, and the LOD after all clamps; both are filled in only by kernels that are `FULL` (see [`select`]).
    pub(crate) lod: Lanes<f32>,
    pub(crate) clamped: Lanes<f32>,
}

impl Levels {
    /// All lanes read mip level 0, magnified.
    pub(crate) const BASE: Self = Self {
        magnified: [1; LANES],
        finer: [0; LANES],
        coarser: [0; LANES],
        fraction: [0.0; LANES],
        lanes: [ALL, 0],
        lod: [0.0; LANES],
        clamped: [0.0; LANES],
    };

    /// Returns the results of the LOD operation: the LOD after all clamps in red, before them in green.
    #[cfg_attr(target_pointer_width = "64", inline(always))]
    pub(crate) fn results(&self) -> [Lanes<u32>; 4] {
        let bits = |lanes: &Lanes<f32>| lanes.map(f32::to_bits);
        [bits(&self.clamped), bits(&self.lod), [0; LANES], [0; LANES]]
    }
}

/// Selects mip levels from the LODs (`lambda`, with the message's bias) and the message's minimum LODs.
pub(crate) type SelectKernel = fn(&LevelRule, lambda: &Lanes<f32>, minimum: &Lanes<f32>, &mut Levels);

/// See [`SelectKernel`]: the clamps, the magnification decision and the mip filter. `FULL`: lanes may have minimum LODs, and the LODs are
/// filled in. `LANES_OF_LEVELS`: [`Levels::lanes`] is filled in. `FIXED`: LODs have 8-bit fractions (`FULL`: if the rule says so).
#[inline(always)]
pub(crate) fn select<const FIXED: bool, const FULL: bool, const LANES_OF_LEVELS: bool>(
    rule: &LevelRule,
    lambda: &Lanes<f32>,
    minimum: &Lanes<f32>,
    out: &mut Levels,
) {
    // A local copy: no store in the loop can alias it.
    let rule = *rule;
    let (mut read_finer, mut read_coarser) = (0, 0);
    for i in 0..LANES {
        let lod = lambda[i] + rule.bias;
        // A NaN LOD is the minimum LOD (U06).
        let lod = if lod.is_nan() { rule.min } else { lod };
        let lod = if FIXED && FULL && rule.fixed { unspecified::fixed8(lod, true) } else { lod };
        let (within, least, magnified) = match rule.usual.first() {
            Some(UsualClamps { range: [low, high], least, magnified }) if !FULL => {
                let within = clamp(lod, *low, *high);
                // The bounds are multiples of 1/256, so to clamp and then round gives the same as to round and then clamp.
                let within = if FIXED { unspecified::small_fixed8(within) } else { within };
                (within, *least, lod <= *magnified)
            }
            _ => {
                let floor = if minimum[i] > rule.resource_min { minimum[i] } else { rule.resource_min };
                let clamped = rule.clamped(lod, floor);
                let deciding = if rule.preclamp { clamped } else { lod };
                (clamp(clamped, 0.0, rule.last), rule.least(floor), deciding <= 0.0)
            }
        };

        // Magnified lanes, and lanes without a mip filter, read the floor of the minimum LOD as the hardware does (U11), unless LOD
        // Clamp Magnification Mode leaves magnification to the mip filter.
        let by_mip = rule.mip != Mip::None && (!magnified || rule.magnify_by_mip_filter);
        let rounding = if rule.mip == Mip::Nearest { 0.5 } else { 0.0 };
        let level = near_floor(if by_mip { within + rounding } else { least });
        let fraction = within - level;
        let fraction = if fraction < rule.zone { 0.0 } else { fraction };
        let fraction = if fraction > 1.0 - rule.zone { 1.0 } else { fraction };
        let next = if level < rule.last { level + 1.0 } else { rule.last };
        let level = if level < rule.last { level } else { rule.last };

        out.magnified[i] = u32::from(magnified);
        out.finer[i] = integer(level);
        out.coarser[i] = integer(next);
        let fraction = if by_mip && rule.mip == Mip::Linear { fraction } else { 0.0 };
        out.fraction[i] = fraction;
        if LANES_OF_LEVELS {
            read_finer |= ones(fraction < 1.0) & BITS[i];
            read_coarser |= ones(fraction > 0.0) & BITS[i];
        }
        if FULL {
            out.lod[i] = lod;
            out.clamped[i] = within;
        }
    }
    if LANES_OF_LEVELS {
        out.lanes = [read_finer, read_coarser];
    }
}
