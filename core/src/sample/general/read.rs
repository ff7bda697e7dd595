//! Reading on the general path: from elements of the surface to words and decoded texels.

use super::texels::{Fetched, GeneralPath};
use crate::format::{Planar, Texel, channel};
use crate::memory::{Access, Plane};
use crate::sample::bind::texture::{TexelPlane, TexelSource};
use crate::sample::fetch::{LANE_WORDS, MOST_BYTES, MemoryWindow, element_words, put_words, words_of};
use crate::sample::lanes::{LANES, lane, numbers, set};
use crate::sample::place::address::BlockSize;
use crate::sample::plan::elements::Elements;
use crate::sample::plan::{Decode, Work};
use crate::sample::scratch::{PassScratch, is_outside};

/// Whether this build has block-compressed formats.
const BLOCKS: bool = cfg!(any(feature = "astc", feature = "bc", feature = "etc"));

impl<'a> GeneralPath<'a, '_, '_> {
    /// Reads the first `texels` texels of the footprints of the lanes in `on`. Inactive lanes are left unspecified. Returns whether the
    /// scratch now has words or decoded texels.
    #[inline]
    pub(crate) fn read(&mut self, texels: usize, on: u32) -> Fetched {
        let p = self.plan;
        self.scratch.null = [0; _];
        // Small targets have one way to read: from the bytes that are contiguous around a texel.
        if LANES > 1
            && let Some(elements) = &p.elements
        {
            if p.decode == Decode::Blocks
                && p.read_blocks(self.blocks.as_deref(), &self.bytes, texels, self.scratch).is_some()
            {
                return Fetched::Words;
            }
            if elements.read(&self.bytes, texels, self.scratch).is_some() {
                return self.unpack(texels, on);
            }
        }
        self.read_one_by_one(texels, on)
    }

    /// Reads texels one after the other: from memory that does not hand out all of them at once, and of surfaces whose elements are not
    /// at multiples of their size.
    #[inline(never)]
    fn read_one_by_one(&mut self, texels: usize, on: u32) -> Fetched {
        let mut found = Fetched::Texels;
        match &self.plan.elements {
            Some(elements) => {
                self.read_pages(elements, texels, on);
                found = self.unpack(texels, on);
            }
            None => self.read_cells(texels, on),
        }
        if self.scratch.null != [0; _] {
            if found == Fetched::Words {
                self.plan.decode_words(texels, self.scratch);
            }
            self.clear_null(texels);
            return Fetched::Texels;
        }
        found
    }

    /// Turns the words of elements into words of texels, or into decoded texels if the format needs its codec. Returns which.
    fn unpack(&mut self, texels: usize, on: u32) -> Fetched {
        match self.plan.decode {
            Decode::Channels => {}
            Decode::SingleTexels if channel::ALL_CHANNEL_KINDS => {
                self.plan.select_block_texels(None, texels, self.scratch)
            }
            Decode::SingleTexels => {}
            Decode::Blocks if BLOCKS && self.has_slots(texels) => self.store_blocks(texels, on),
            Decode::Blocks | Decode::Codec | Decode::Planar => {
                self.decode_each(texels, on);
                return Fetched::Texels;
            }
        }
        Fetched::Words
    }

    /// Returns true if the caller keeps decoded blocks and has a slot for every block that lanes read.
    fn has_slots(&self, texels: usize) -> bool {
        let Some(store) = self.blocks.as_deref() else { return false };
        self.scratch.index.iter().take(texels).flatten().all(|number| store.has_slot(*number))
    }

    /// Replaces the words of blocks by those of the texels that lanes read, from the caller's store of decoded blocks.
    #[inline(never)]
    fn store_blocks(&mut self, texels: usize, on: u32) {
        let [width, _] = self.plan.block.unwrap_or([BlockSize::new(1); 2]);
        for at in numbers(on) {
            for tap in 0..texels {
                // The border replaces the texel, or its memory was not there: then its words are zeros, which are no block to keep.
                let is_null = self.scratch.null.get(tap).is_some_and(|lanes| lanes >> at & 1 != 0);
                if is_null || self.is_outside(tap, at) {
                    continue;
                }
                let Some(store) = self.blocks.as_deref_mut() else { return };
                let PassScratch { index, inside, words, .. } = &mut *self.scratch;
                let (Some(index), Some(inside)) = (index.get(tap), inside.get(tap)) else { return };
                let step = store.texel().words();
                let bytes = element_words(words, tap, at).map(u32::to_le_bytes);
                let block = store.block(lane(index, at), bytes.as_flattened());
                let texel = (width.texel(lane(inside, at)) as usize).wrapping_mul(step);
                put_words(words, tap, at, block.iter().skip(texel).take(step).copied());
            }
        }
    }

    /// Decodes elements one after the other with the codec, for formats without channels in bit fields.
    #[inline(never)]
    fn decode_each(&mut self, texels: usize, on: u32) {
        let Some(codec) = self.plan.codec else { return };
        for lane in numbers(on) {
            for tap in 0..texels {
                let words = element_words(&self.scratch.words, tap, lane);
                let bytes = words.map(u32::to_le_bytes);
                let inside = self.inside(tap, lane);
                let texel = codec.decode(bytes.as_flattened(), inside & 15, inside >> 4);
                self.put(tap, lane, texel);
            }
        }
    }

    /// Returns the position of a texel in its block: the column in bits 3:0, the row from bit 4 up.
    fn inside(&self, tap: usize, at: usize) -> u32 {
        self.scratch.inside.get(tap).map_or(0, |lanes| lane(lanes, at))
    }

    fn put(&mut self, tap: usize, at: usize, texel: Texel) {
        for (channel, value) in self.scratch.texels.iter_mut().zip(texel) {
            if let Some(lanes) = channel.get_mut(tap) {
                set(lanes, at, value);
            }
        }
    }

    /// Returns true if the border replaces the texel, or a load is out of range.
    fn is_outside(&self, tap: usize, at: usize) -> bool {
        self.plan.border.is_some() && is_outside(&self.scratch.taps, self.border_axes(), tap, at)
    }

    /// Returns the number of axes along which texels can be outside. Loads mark lanes out of range along x alone.
    fn border_axes(&self) -> usize {
        if self.plan.work == Work::Load { 1 } else { self.texture.texel_axes() }
    }

    /// Reads elements of a surface that the memory does not hand out as a whole. Those that the border replaces are not read: their words
    /// are 0.
    #[inline(never)]
    fn read_pages(&mut self, elements: &Elements, texels: usize, on: u32) {
        let mut window = MemoryWindow::NONE;
        // A single lane needs no masks of lanes.
        if LANES == 1 {
            for tap in 0..texels {
                let outside = self.is_outside(tap, 0);
                let words =
                    if outside { [0; LANE_WORDS] } else { self.page_element(elements, &mut window, tap, 0) };
                put_words(&mut self.scratch.words, tap, 0, words);
            }
            return;
        }
        let axes = self.plan.border.map(|_| self.border_axes());
        let mut left = self.scratch.reading_lanes(axes, texels, on);
        elements.fetch_pages(self.memory, &mut left, self.scratch);
        for (tap, lanes) in left.iter().enumerate().filter(|(_, lanes)| **lanes != 0) {
            for at in numbers(*lanes) {
                let words = if elements.is_split() {
                    self.element_of_parts(elements, tap, at)
                } else {
                    self.page_element(elements, &mut window, tap, at)
                };
                put_words(&mut self.scratch.words, tap, at, words);
            }
        }
    }

    /// Reads an element whose parts are not contiguous, and returns its words; zeros if a part is on a null page or faults. Nothing is read
    /// after a part that faults.
    #[inline(never)]
    fn element_of_parts(&mut self, elements: &Elements, tap: usize, at: usize) -> [u32; LANE_WORDS] {
        let first = self.scratch.index.get(tap).map_or(0, |lanes| lane(lanes, at));
        let unit = elements.unit();
        let (mut element, mut worst) = ([0; MOST_BYTES], Access::Mapped);
        let targets = element.chunks_exact_mut(unit.max(1));
        for (index, bytes) in elements.parts(first).zip(targets) {
            match self.memory.read(elements.address(index), bytes) {
                Access::Mapped => {}
                Access::NullPage => worst = Access::NullPage,
                Access::Fault => {
                    worst = Access::Fault;
                    break;
                }
            }
        }
        self.note(worst, elements.address(first), tap, at);
        if worst == Access::Mapped { words_of(element, elements.bytes()) } else { [0; LANE_WORDS] }
    }

    /// Reads an element and returns its words; zeros on a null page or a fault. `window`: the bytes that were contiguous around the last
    /// element, which are replaced by those around this one if it is not among them.
    #[inline(always)]
    fn page_element(
        &mut self,
        elements: &Elements,
        window: &mut MemoryWindow<'a>,
        tap: usize,
        at: usize,
    ) -> [u32; LANE_WORDS] {
        let size = elements.bytes();
        let index = self.scratch.index.get(tap).map_or(0, |lanes| lane(lanes, at));
        let address = elements.address(index);
        let mut element = [0; MOST_BYTES];
        match (window.bytes(self.memory, address, size), element.get_mut(..size)) {
            (Some(found), Some(element)) => element.copy_from_slice(found),
            _ => return self.copy_element(address, size, tap, at),
        }
        words_of(element, size)
    }

    /// Reads an element that the memory copies, and returns its words; zeros on a null page or a fault.
    #[inline(never)]
    fn copy_element(&mut self, address: u64, size: usize, tap: usize, lane: usize) -> [u32; LANE_WORDS] {
        let mut element = [0; MOST_BYTES];
        let bytes = element.get_mut(..size).unwrap_or_default();
        let access = self.memory.read(address, bytes);
        self.note(access, address, tap, lane);
        if access == Access::Mapped { words_of(element, size) } else { [0; LANE_WORDS] }
    }

    /// Records a null page or a fault that a read of a lane's texel met: in the outcome, and for the texel.
    fn note(&mut self, access: Access, address: u64, tap: usize, lane: usize) {
        match access {
            Access::Mapped => return,
            Access::NullPage => self.outcome.null_lanes |= 1 << (self.first.wrapping_add(lane) & 31),
            Access::Fault => self.outcome.fault(self.first.wrapping_add(lane), address),
        }
        if let Some(lanes) = self.scratch.null.get_mut(tap) {
            *lanes |= 1 << lane;
        }
    }

    /// Copies an element of a plane to `out` for a lane. Returns false on a null page or a fault, which are recorded; `out` is 0 then.
    #[inline(never)]
    pub(crate) fn copy(
        &mut self,
        plane: &Plane,
        [x, y]: [u32; 2],
        tap: usize,
        lane: usize,
        out: &mut [u8],
    ) -> bool {
        let access = plane.read(&self.memory, x, y, out);
        self.note(access, plane.address(x, y), tap, lane);
        access == Access::Mapped
    }

    /// Replaces the texels whose reads met a null page or a fault by that of a load out of range (U19).
    #[inline(never)]
    fn clear_null(&mut self, texels: usize) {
        let outside = self.texture.outside();
        for tap in 0..texels {
            let lanes = self.scratch.null.get(tap).copied().unwrap_or(0);
            for at in numbers(lanes) {
                self.put(tap, at, outside);
            }
        }
    }

    /// Copies and decodes elements one after the other, by the columns, rows and slices that are in place of words.
    #[inline(never)]
    fn read_cells(&mut self, texels: usize, on: u32) {
        for at in numbers(on) {
            for tap in 0..texels {
                if !self.is_outside(tap, at) {
                    let [column, row, slice, _] = element_words(&self.scratch.words, tap, at);
                    let texel = self.cell([column, row, slice], tap, at);
                    self.put(tap, at, texel);
                }
            }
        }
    }

    fn cell(&mut self, [column, row, slice]: [u32; 3], tap: usize, lane: usize) -> Texel {
        match &self.texture.source {
            TexelSource::Plain { layout, codec } => {
                let (x, y) = layout.surface().origin();
                let plane = (self.plan.codec.unwrap_or(*codec), layout.slice(slice));
                self.texel(&plane, [column.wrapping_sub(x), row.wrapping_sub(y)], tap, lane)
            }
            TexelSource::Planar { luma, chroma } => {
                let luma = self.texel(luma, [column, row], tap, lane);
                Planar::combine(luma, self.texel(chroma, [column >> 1, row >> 1], tap, lane))
            }
            TexelSource::None => [0; 4],
        }
    }

    /// Copies an element of a plane, and decodes the texel in it that a lane reads.
    #[cfg_attr(target_pointer_width = "32", inline(never))]
    fn texel(&mut self, (codec, plane): &TexelPlane<'_>, cell: [u32; 2], tap: usize, lane: usize) -> Texel {
        let mut bytes = [0_u8; 32];
        let bytes = bytes.get_mut(..usize::from(codec.info().bytes)).unwrap_or_default();
        self.copy(plane, cell, tap, lane, bytes);
        let inside = self.inside(tap, lane);
        codec.decode(bytes, inside & 15, inside >> 4)
    }
}
