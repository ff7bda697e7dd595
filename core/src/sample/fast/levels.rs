//! Levels of a group of lanes.

use super::super::bind::{Mip, Sampler};
use super::super::{address, lod};
use super::simd::{F4, Lanes, U4};
use crate::memory::{Layout, MAX_LEVELS};
use crate::state::TileMode;

/// A level of the view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Entry {
    /// Texels of each axis.
    pub(super) size: [f32; 3],
    /// Number of the last one: below 2^15.
    last: [u32; 3],
    /// Elements from the surface's start to the level's first slice.
    offset: u32,
}

/// A linear surface as one range of bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Flat {
    pub(super) start: u64,
    pub(super) len: u32,
    /// Elements from row to row.
    pub(super) pitch: u32,
    /// Elements from slice to slice.
    pub(super) slice: u32,
    pub(super) levels: [Entry; MAX_LEVELS],
    /// How far away coordinates may be for [`F4::floor`].
    pub(super) near: [f32; 3],
    /// Every size is a power of two.
    pub(super) powers: bool,
}

impl Flat {
    /// `sizes(level)` are those of the view's levels; `base` is the view's first level, `slices` the
    /// slices in memory. `None` when the surface is tiled, too large for 31-bit offsets, or has rows that
    /// are not whole elements or 2^15 of them and more.
    pub(crate) fn new(
        layout: &Layout,
        base: u32,
        levels: u32,
        slices: u32,
        sizes: impl Fn(u32) -> [u32; 3],
    ) -> Option<Self> {
        if layout.tiling() != TileMode::Linear {
            return None;
        }
        let first = layout.plane(0, 0);
        let slice = layout.plane(0, 1).base.wrapping_sub(first.base);
        let element = layout.element();
        let whole = |bytes: u64| {
            let size = u64::from(element.bytes).max(1);
            if bytes.is_multiple_of(size) { u32::try_from(bytes / size).ok() } else { None }
        };
        let pitch = whole(first.pitch.into())?;
        // Rows are multiplied by it as 15 bits by 15 bits: all that baseline vectors do at once.
        if pitch > 0x7fff {
            return None;
        }
        let mut flat = Self {
            start: first.base,
            len: 0,
            pitch,
            slice: whole(slice)?,
            levels: [Entry::default(); MAX_LEVELS],
            near: sizes(0).map(|n| F4::NEAR / n as f32),
            powers: true,
        };
        let (bw, bh) = (u32::from(element.block_width).max(1), u32::from(element.block_height).max(1));
        let mut end = 0_u64;
        for (level, entry) in (0..levels).zip(&mut flat.levels) {
            let plane = layout.plane(base.wrapping_add(level), 0);
            let size = sizes(level);
            let [width, height, _] = size;
            let offset = plane.base.wrapping_sub(first.base);
            let last = u64::from(slices.saturating_sub(1)).checked_mul(slice)?;
            let span = plane.span(width.div_ceil(bw), height.div_ceil(bh));
            end = end.max(offset.checked_add(last)?.checked_add(span)?);
            *entry = Entry {
                size: size.map(|n| n as f32),
                last: size.map(|n| n.wrapping_sub(1) & 0x7fff),
                offset: whole(offset)?,
            };
            flat.powers &= size.iter().all(|n| n.is_power_of_two());
        }
        if end > i32::MAX as u64 {
            return None;
        }
        flat.len = end as u32;
        Some(flat)
    }

    #[inline(always)]
    pub(super) fn entry(&self, level: u32) -> Entry {
        self.levels.get(level as usize).copied().unwrap_or_default()
    }
}

/// An axis of a level, for each lane of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// Texels.
    pub(super) size: F4,
    /// Number of the last texel: below 2^15.
    pub(super) last: U4,
}

/// A level for each lane of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub(super) sides: [Side; 3],
    pub(super) offset: U4,
}

impl Grid {
    #[inline(always)]
    pub(super) fn same(entry: Entry) -> Self {
        let side = |size: f32, last: u32| Side { size: Lanes::splat(size), last: Lanes::splat(last) };
        let ([w, h, d], [x, y, z]) = (entry.size, entry.last);
        Self { sides: [side(w, x), side(h, y), side(d, z)], offset: Lanes::splat(entry.offset) }
    }

    /// The levels' sizes and places.
    #[inline(always)]
    pub(super) fn of(flat: &Flat, levels: U4) -> Self {
        let [first, ..] = levels.0;
        if levels.all(|level| level == first) {
            return Self::same(flat.entry(first));
        }
        let entries = levels.map(|level| flat.entry(level));
        let side = |last: U4| Side { size: last.map(|last| last.wrapping_add(1) as i32 as f32), last };
        let last = entries.map(|e| e.last);
        let [x, y, z] = [last.map(|[x, _, _]| x), last.map(|[_, y, _]| y), last.map(|[_, _, z]| z)];
        Self { sides: [side(x), side(y), side(z)], offset: entries.map(|e| e.offset) }
    }
}

/// What a LOD in each lane chooses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) first: U4,
    /// The coarser level.
    pub(super) second: U4,
    /// Its weight; 0: it is not read.
    pub(super) fraction: F4,
}

impl Choice {
    pub(super) const NONE: Self =
        Self { first: Lanes::splat(0), second: Lanes::splat(0), fraction: F4::ZERO };

    /// As [`lod::select`], where magnification and minification filter are the same. `lambda` has the message's
    /// bias, not the sampler's.
    #[inline(never)]
    pub(super) fn choose(sampler: &Sampler, limits: lod::Limits, lambda: &F4, out: &mut Self) {
        let lod = lambda.map(|lambda| {
            let lod = lambda + sampler.lod_bias;
            if lod.is_nan() { sampler.min_lod } else { lod }
        });
        let last = limits.levels.saturating_sub(1);
        let floor =
            if limits.message_min > limits.resource_min { limits.message_min } else { limits.resource_min };
        let clamped = lod.map(|lod| {
            let low = if lod >= sampler.min_lod { lod } else { sampler.min_lod };
            let held = if low > sampler.max_lod { sampler.max_lod } else { low };
            if held < floor { floor } else { held }
        });
        let deciding = if sampler.preclamp { clamped } else { lod };
        let within = clamped.map(|lod| address::clamp(lod, 0.0, last as f32));
        let low = if sampler.min_lod >= floor { sampler.min_lod } else { floor };
        let none = address::clamp(low, 0.0, last as f32) as u32;
        let keep = sampler.magnify_by_mip_filter && sampler.mip != Mip::None;
        // Magnified lanes, where the mip filter has no say.
        let mag = deciding.map(|lod| if !keep && lod <= 0.0 { u32::MAX } else { 0 });
        let pick = |level: U4| level.zip(mag, |level, mag| level & 15 & !mag | none & mag);
        // There are fewer than 16 levels.
        let (first, fraction) = match sampler.mip {
            Mip::None => (Lanes::splat(none), F4::ZERO),
            Mip::Nearest => (pick(within.map(|x| x + 0.5).floor().0.map(|l| l as u32)), F4::ZERO),
            Mip::Linear => {
                let (level, whole) = within.floor();
                (pick(level.map(|l| l as u32)), mag.select(F4::ZERO, within - whole))
            }
        };
        // Signed: baseline vectors compare no others.
        let next = |level: u32| if (level as i32) < last as i32 { level.wrapping_add(1) } else { last };
        *out = Self { first, second: first.map(next), fraction };
    }
}

/// The levels that a group reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Levels4 {
    pub(super) first: Grid,
    /// The coarser level, where a lane reads one.
    pub(super) second: Option<Grid>,
    /// Weight of the coarser level.
    pub(super) fraction: F4,
}

impl Levels4 {
    /// The same level in every lane.
    #[inline(always)]
    pub(super) fn one(flat: &Flat, level: u32) -> Self {
        Self { first: Grid::same(flat.entry(level)), second: None, fraction: F4::ZERO }
    }

    /// Each lane its own.
    #[inline(always)]
    pub(super) fn select(flat: &Flat, choice: &Choice) -> Self {
        let alone = choice.fraction.all(|f| f == 0.0);
        let second = if alone { None } else { Some(Grid::of(flat, choice.second)) };
        Self { first: Grid::of(flat, choice.first), second, fraction: choice.fraction }
    }
}
