//! Writeback: from results to destination registers, by channel select, width and execution mask.
#![allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use super::lanes::{ALL, LANES, Lanes};
use super::scratch::Channels;
use super::texture::Select;
use crate::format::half;
use crate::message::{Response, Width};

/// What happened while a message ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Outcome {
    /// Lanes that read memory that is not there: their result is 0.
    pub faults: u32,
    /// The first such lane and the address.
    pub first_fault: Option<(u8, u64)>,
    /// Lanes that read a null page.
    pub null_lanes: u32,
}

impl Outcome {
    /// Writes the pixel null mask: a one for every lane (on, off or past the width) without a null page. And the
    /// kill mask: all ones, as no chroma key is bound.
    pub(super) fn masks(&self, response: &Response, out: &mut [u8]) {
        for (at, mask) in [(response.null_mask, !self.null_lanes), (response.kill_mask, u32::MAX)] {
            let Some(at) = at else { continue };
            if let Some(target) = out.get_mut(usize::from(at)..).and_then(<[u8]>::first_chunk_mut) {
                *target = mask.to_le_bytes();
            }
        }
    }

    /// Records a lane's fault; the first one of the first lane is kept.
    pub(super) fn fault(&mut self, lane: usize, address: u64) {
        self.faults |= 1 << (lane & 31);
        if self.first_fault.is_none_or(|(first, _)| lane < usize::from(first)) {
            self.first_fault = Some((lane as u8, address));
        }
    }
}

/// NaN as every target writes it.
#[inline(always)]
const fn canonical(bits: u32) -> u32 {
    if bits & 0x7fff_ffff > 0x7f80_0000 { 0x7fc0_0000 } else { bits }
}

/// Lanes of 32 bits as registers hold them; NaNs of floats are canonical.
pub(super) type WordsKernel = fn(&Lanes<u32>, &mut [[u8; 4]]);

/// Lanes of 16 bits as registers hold them: floats rounded to half precision.
pub(super) type HalvesKernel = fn(&Lanes<u32>, &mut Lanes<[u8; 2]>);

/// See [`WordsKernel`].
#[inline(always)]
pub(super) fn float_words(values: &Lanes<u32>, out: &mut [[u8; 4]]) {
    let Some(out) = out.first_chunk_mut::<LANES>() else { return };
    for i in 0..LANES {
        out[i] = canonical(values[i]).to_le_bytes();
    }
}

/// See [`HalvesKernel`].
#[inline(always)]
pub(super) fn float_halves(values: &Lanes<u32>, out: &mut Lanes<[u8; 2]>) {
    for i in 0..LANES {
        out[i] = half::from_f32(f32::from_bits(canonical(values[i]))).to_le_bytes();
    }
}

/// How results of a message are written; the same for every lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct WriteRule {
    /// Channels that are written.
    pub(super) channels: u8,
    /// What each of them is.
    pub(super) select: [Select; 4],
    /// The constants among them, in every lane.
    pub(super) constants: Channels,
    /// Results are floats: NaN becomes canonical, 16-bit results are converted.
    pub(super) float: bool,
    pub(super) words: WordsKernel,
    pub(super) halves: HalvesKernel,
}

impl WriteRule {
    /// The channels of texels that results come from.
    pub(super) fn sources(&self) -> u8 {
        let mut sources = 0;
        for (channel, select) in self.select.iter().enumerate() {
            if let Select::Channel(c) = select
                && self.channels >> channel & 1 != 0
            {
                sources |= 1 << c;
            }
        }
        sources
    }

    /// Writes the lanes from `first` on that are in `on`; those in `failed` are 0.
    #[inline]
    pub(super) fn write(
        &self,
        response: &Response,
        values: &Channels,
        first: usize,
        [on, failed]: [u32; 2],
        out: &mut [u8],
    ) {
        let mut at = first.wrapping_mul(response.width.bytes());
        let whole = on == ALL && failed == 0 && self.float && response.width == Width::Full;
        for (channel, constant) in self.constants.iter().enumerate() {
            if self.channels >> channel & 1 == 0 {
                continue;
            }
            let lanes = match self.select.get(channel) {
                Some(Select::Channel(c)) => values.get(usize::from(*c)).unwrap_or(constant),
                Some(Select::Constant(_)) | None => constant,
            };
            let target = out.get_mut(at..).unwrap_or_default();
            at = at.wrapping_add(response.stride.into());
            if whole && let Some(target) = target.first_chunk_mut::<{ LANES * 4 }>() {
                (self.words)(lanes, target.as_chunks_mut().0);
            } else {
                self.some_lanes(response.width, lanes, [on, failed], target);
            }
        }
    }

    /// Some of the lanes, or integers, or 16 bits.
    #[inline(never)]
    fn some_lanes(&self, width: Width, lanes: &Lanes<u32>, [on, failed]: [u32; 2], target: &mut [u8]) {
        let mut lanes = *lanes;
        if failed != 0 {
            for (lane, value) in lanes.iter_mut().enumerate() {
                *value = if failed >> lane & 1 != 0 { 0 } else { *value };
            }
        }
        match width {
            Width::Full => {
                if self.float {
                    lanes = lanes.map(canonical);
                }
                masked(on, target, |lane| lanes.get(lane).map_or([0; 4], |value| value.to_le_bytes()));
            }
            Width::Half => {
                let mut halves = [[0; 2]; LANES];
                if self.float {
                    (self.halves)(&lanes, &mut halves);
                } else {
                    halves = lanes.map(|value| (value as u16).to_le_bytes());
                }
                masked(on, target, |lane| halves.get(lane).copied().unwrap_or_default());
            }
        }
    }
}

/// Writes the lanes that are on.
#[inline(always)]
fn masked<const N: usize>(on: u32, target: &mut [u8], value: impl Fn(usize) -> [u8; N]) {
    let (elements, _) = target.as_chunks_mut::<N>();
    // Mostly all lanes of the message are on: the first ones.
    let first = if on & on.wrapping_add(1) == 0 { on.trailing_ones() as usize } else { 0 };
    for (lane, element) in elements.iter_mut().enumerate().take(first) {
        *element = value(lane);
    }
    if first == 0 {
        for (lane, element) in elements.iter_mut().enumerate().take(LANES) {
            if on >> lane & 1 != 0 {
                *element = value(lane);
            }
        }
    }
}
