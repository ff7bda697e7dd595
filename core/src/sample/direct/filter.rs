//! The filter within a mip level on the direct path: finding texels, reading them, and computing results from them.

use super::call::{DirectCall, FilterInput};
use super::kernels::DecodeAndFilter;
use super::place::TexelPlacement;
use crate::memory::Memory;
use crate::message::Param;
use crate::sample::bind::sampler::Filter;
use crate::sample::bind::texture::Texture;
use crate::sample::lanes::{ALL, ChannelLanes};
use crate::sample::levels::multisample::CLEAR_BIT;
use crate::sample::plan::elements::Elements;
use crate::sample::plan::{Decode, Plan, Work};
use crate::sample::scratch::{PassScratch, RESULT};

/// The kernels of a filter within a mip level.
#[derive(Clone, Copy, Debug)]
pub(super) struct LevelFilter {
    place: TexelPlacement,
    finish: DecodeAndFilter,
    /// Comparisons: the parameter number of the reference value.
    reference: Option<u8>,
    /// The index of the filter in [`Plan::filters`].
    filter: u8,
    /// log2 of the texels of a footprint.
    footprint: u8,
    /// The filter is anisotropic: footprints may have several samples.
    pub(super) is_anisotropic: bool,
}

impl LevelFilter {
    /// The kernels of filter `number` of [`Plan::filters`]. `None` if it needs the general path.
    pub(super) fn new(plan: &Plan<'_>, texture: &Texture<'_>, number: u8) -> Option<Self> {
        let filter = plan.filters.get(usize::from(number))?;
        // A reference value that the message does not have is 0: left to the general path.
        let reference = if plan.flags.compare { Some(plan.params.number(Param::Ref)?) } else { None };
        Some(Self {
            place: TexelPlacement::new(plan, texture, number)?,
            finish: DecodeAndFilter::new(plan, filter),
            reference,
            filter: number,
            footprint: filter.footprint,
            is_anisotropic: filter.kind == Filter::Anisotropic,
        })
    }

    #[cfg(test)]
    pub(super) fn decodes_at_once(&self) -> bool {
        !matches!(self.finish, DecodeAndFilter::Steps)
    }

    /// Filters `N` reads side by side; the results of each are in its scratch. Each stage runs for all reads before the next stage does: a
    /// stage waits for what the one before it has stored, and meanwhile those of another read execute. Where memory does not hand out
    /// all elements, only those of active lanes are read. `None` if a lane needs the general path.
    #[inline(always)]
    pub(super) fn run<const N: usize>(
        &self,
        call: DirectCall<'_>,
        reads: [FilterInput<'_>; N],
        mut scratches: [&mut PassScratch; N],
    ) -> Option<()> {
        let DirectCall { plan, source } = call;
        let mut replaced = [false; N];
        for ((&FilterInput { params, level, .. }, scratch), replaced) in
            reads.iter().zip(&mut scratches).zip(&mut replaced)
        {
            *replaced = self.place.place(plan, params, level, scratch)?;
        }
        let elements = plan.elements.as_ref()?;
        for ((scratch, &FilterInput { on, .. }), replaced) in scratches.iter_mut().zip(&reads).zip(replaced) {
            let texels = 1 << self.footprint;
            let covered = replaced && plan.border.is_some();
            if plan.decode == Decode::Blocks {
                if plan.read_blocks(source.blocks, &source.bytes, texels, scratch).is_none() {
                    self.read_needed_blocks(call, on, covered, scratch)?;
                }
                continue;
            }
            if elements.read(&source.bytes, texels, scratch).is_none() {
                self.read_pages(elements, source.memory, on, covered, scratch)?;
            }
            if plan.decode == Decode::SingleTexels {
                plan.select_block_texels(source.palette, texels, scratch);
            }
        }
        for ((&FilterInput { params, on, .. }, scratch), replaced) in
            reads.iter().zip(&mut scratches).zip(replaced)
        {
            let PassScratch { weights, words, reference, values: [result, ..], .. } = &mut **scratch;
            // The usual cases first: a jump through a table costs more than a stage's arguments.
            if let (DecodeAndFilter::One(kernel), false) = (self.finish, replaced) {
                kernel(plan.decoders.first_run(), words, weights, result);
                continue;
            }
            if let Some(number) = self.reference {
                (plan.stages.floats)(params.get(number)?, reference);
            }
            if let (DecodeAndFilter::Compared(kernel), false) = (self.finish, replaced) {
                kernel(plan.decoders.first_run(), words, weights, (&plan.shadow, reference), result);
            } else {
                self.finish(plan, on, replaced, scratch)?;
            }
        }
        Some(())
    }

    /// [`run`](Self::run) of one read, as a function that is not inlined into each of its callers.
    #[inline(never)]
    pub(super) fn run_one(
        &self,
        call: DirectCall<'_>,
        read: FilterInput<'_>,
        scratch: &mut PassScratch,
    ) -> Option<()> {
        self.run(call, [read], [scratch])
    }

    /// Returns the results in a scratch, before the channel select: decoded values, or the words of gather4 if these need no decoding.
    #[inline(always)]
    pub(super) fn results<'r>(&self, plan: &Plan<'_>, scratch: &'r PassScratch) -> &'r ChannelLanes {
        match self.finish {
            DecodeAndFilter::GatherWords => {
                plan.decoders.undecoded(&scratch.words).unwrap_or(&scratch.values[RESULT])
            }
            DecodeAndFilter::One(_)
            | DecodeAndFilter::Means
            | DecodeAndFilter::Compared(_)
            | DecodeAndFilter::Steps => &scratch.values[RESULT],
        }
    }

    /// Reads the elements of the lanes in `on` from memory that has the surface in pieces; `None` if some of them are not there.
    /// `covered`: the border replaces some texels; those are not read.
    #[inline(never)]
    fn read_pages(
        &self,
        elements: &Elements,
        memory: &dyn Memory,
        on: u32,
        covered: bool,
        scratch: &mut PassScratch,
    ) -> Option<()> {
        let axes = if covered { Some(self.place.axes()) } else { None };
        let mut left = scratch.reading_lanes(axes, 1 << self.footprint, on);
        elements.fetch_pages(memory, &mut left, scratch);
        // By rows, which is how kernels store them: a wider load would wait for the stores.
        left.as_chunks().0.iter().all(|row| *row == [0; 2]).then_some(())
    }

    /// Reads texels of blocks from the store, which need not have the blocks that no lane in `on` reads. `None` if it lacks a block that
    /// is read. `covered`: the border replaces some texels; those are not read.
    #[inline(never)]
    fn read_needed_blocks(
        &self,
        DirectCall { plan, source }: DirectCall<'_>,
        on: u32,
        covered: bool,
        scratch: &mut PassScratch,
    ) -> Option<()> {
        let texels = 1 << self.footprint;
        let axes = if covered { Some(self.place.axes()) } else { None };
        let reading = scratch.reading_lanes(axes, texels, on);
        let reading = reading.get(..texels).filter(|reading| reading.iter().any(|lanes| *lanes != ALL))?;
        // Texels that are not read get the block of one that is, so that the store has all of them if it has those that are read.
        let Some(tap) = reading.iter().position(|lanes| *lanes != 0) else { return Some(()) };
        let lane = reading.get(tap)?.trailing_zeros() as usize;
        let PassScratch { index, inside, .. } = &mut *scratch;
        for numbers in [index, inside] {
            let there = *numbers.get(tap)?.get(lane)?;
            for (numbers, reading) in numbers.iter_mut().zip(reading) {
                for (lane, number) in numbers.iter_mut().enumerate() {
                    *number = if reading >> lane & 1 != 0 { *number } else { there };
                }
            }
        }
        plan.read_blocks(source.blocks, &source.bytes, texels, scratch)
    }

    /// Computes results from words where that takes more than one kernel. `replaced`: some texels are replaced by the border, the clear
    /// colour, or the mean at a corner of a cube.
    #[inline(never)]
    fn finish(&self, plan: &Plan<'_>, on: u32, replaced: bool, scratch: &mut PassScratch) -> Option<()> {
        let one_texel = self.footprint == 0 && !plan.flags.compare;
        if replaced && !one_texel {
            return self.finish_in_steps(plan, on, true, scratch);
        }
        match self.finish {
            DecodeAndFilter::GatherWords => {}
            DecodeAndFilter::One(_) | DecodeAndFilter::Means => {
                let PassScratch { weights, words, values: [result, ..], .. } = scratch;
                plan.decoders.mean(words, weights, self.footprint.into(), result);
            }
            DecodeAndFilter::Compared(_) | DecodeAndFilter::Steps => {
                return self.finish_in_steps(plan, on, replaced, scratch);
            }
        }
        if replaced {
            plan.cover_results(plan.border.as_ref()?, self.place.axes(), 0, scratch);
            if let Some(colour) = self.place.clear_colour() {
                plan.cover_results(&colour, 1, CLEAR_BIT, scratch);
            }
        }
        Some(())
    }

    /// Decodes texels, replaces those outside (by the border) or at a corner of a cube (by the mean of the others), compares and filters.
    #[inline(never)]
    fn finish_in_steps(
        &self,
        plan: &Plan<'_>,
        on: u32,
        replaced: bool,
        scratch: &mut PassScratch,
    ) -> Option<()> {
        let texels = 1 << self.footprint;
        plan.decode_words(texels, scratch);
        let filter = plan.filters.get(usize::from(self.filter))?;
        let gathers = plan.work == Work::Gather;
        match plan.border.as_ref().filter(|_| replaced) {
            Some(border) => {
                if !gathers && plan.filter_covered(filter, *border, self.place.axes(), RESULT, scratch) {
                    return Some(());
                }
                plan.cover_border(border, self.place.axes(), texels, scratch);
            }
            None if replaced => plan.average_corners(scratch),
            None => {}
        }
        plan.compare_texels(texels, scratch);
        if gathers {
            scratch.values[RESULT] = *plan.results(scratch);
        } else {
            plan.filter_texels(filter, on, RESULT, scratch);
        }
        Some(())
    }
}
