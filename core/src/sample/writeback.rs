//! Writeback: stores results in destination registers, by channel select, width and execution mask.
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use super::bind::texture::ChannelSource;
use super::lanes::{ALL, BITS, ChannelLanes, HALF, LANES, Lanes, ones};
use crate::format::half;
use crate::message::Response;

/// The texels of gather4's footprint in the order of the result's channels: R lower left (x0, y1), G lower right (x1, y1),
/// B upper right (x1, y0), A upper left (x0, y0).
pub(super) const GATHERED: [u8; 4] = [2, 3, 1, 0];

/// The faults and null pages that a message met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Outcome {
    /// Mask of the lanes that read unmapped memory: their results are 0.
    pub faults: u32,
    /// The lowest lane with a fault, and the address of the first element that it could not read, whichever byte of that is not mapped.
    pub first_fault: Option<(u8, u64)>,
    /// Mask of the lanes that read a null page.
    pub null_lanes: u32,
}

impl Outcome {
    /// Writes the masks that the response has. The pixel null mask: 1 for every lane (active, inactive or past the execution
    /// size) that read no null page. The kill mask: all ones, as no chroma key is bound.
    pub(super) fn masks(&self, response: &Response, out: &mut [u8]) {
        for (at, mask) in [(response.null_mask, !self.null_lanes), (response.kill_mask, u32::MAX)] {
            let Some(at) = at else { continue };
            if let Some(target) = out.get_mut(usize::from(at)..).and_then(<[u8]>::first_chunk_mut) {
                *target = mask.to_le_bytes();
            }
        }
    }

    /// Records the fault of a lane at an address; `first_fault` keeps the first fault of the lowest lane.
    pub(super) fn fault(&mut self, lane: usize, address: u64) {
        self.faults |= 1 << (lane & 31);
        if self.first_fault.is_none_or(|(first, _)| lane < usize::from(first)) {
            self.first_fault = Some((lane as u8, address));
        }
    }
}

/// Mask of the lanes of the first half of a pass.
pub(super) const FIRST: u32 = (1 << HALF) - 1;

/// Returns the float's bits, for a NaN those of the canonical NaN, which is the same on every target.
#[inline(always)]
const fn canonical(bits: u32) -> u32 {
    if bits & 0x7fff_ffff > 0x7f80_0000 { 0x7fc0_0000 } else { bits }
}

/// Writes the results of a pass as 32 or 16 bits for each lane. `on_and_failed`: the execution mask, and the mask of lanes that faulted,
/// whose results are 0. `at`: the byte offset in `out` of the pass's first lane in the first channel. It wraps around below 0: for a
/// message in the second half of a pass, that lane is before the start of `out`.
pub(super) type WriteKernel =
    fn(&WriteRule, &ChannelLanes, on_and_failed: [u32; 2], at: usize, out: &mut [u8]);

/// Writes the results of two messages of half a pass each, with all lanes active, from the two halves of one pass.
pub(super) type WriteTwoKernel = fn(&WriteRule, &ChannelLanes, first: &mut [u8], second: &mut [u8]);

/// The kernels that write results of one type (float or integer) and width.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WriteKernels {
    /// For any execution mask.
    pub(super) some: WriteKernel,
    /// For passes with all lanes active and without faults: the usual case.
    pub(super) whole: WriteKernel,
    pub(super) two: WriteTwoKernel,
}

/// Converts a result to the bits that registers hold, in `N` bytes: of floats (`FLOAT`) NaN becomes canonical, and those of two bytes are
/// rounded to half precision; integers stay as they are.
#[inline(always)]
fn convert<const FLOAT: bool, const N: usize>(value: u32) -> u32 {
    match (FLOAT, N) {
        (true, 2) => {
            let value = f32::from_bits(value);
            // Every NaN becomes the canonical half NaN.
            (if value.is_nan() { 0x7e00 } else { half::nearest(value) }).into()
        }
        (true, _) => canonical(value),
        (false, _) => value,
    }
}

/// Writes the results, of any type and width, of a single active lane: targets with one lane have this in place of kernels.
#[cfg_attr(target_pointer_width = "32", inline(never))]
fn one(rule: &WriteRule, values: &ChannelLanes, failed: bool, mut at: usize, out: &mut [u8]) {
    for [value, ..] in rule.results(values) {
        let value = if failed { 0 } else { *value };
        let value = if rule.float { canonical(value) } else { value };
        let target = out.get_mut(at..).unwrap_or_default();
        at = at.wrapping_add(rule.stride.into());
        if !rule.half {
            if let Some(target) = target.first_chunk_mut() {
                *target = value.to_le_bytes();
            }
        } else if let Some(target) = target.first_chunk_mut() {
            let half = if rule.float { half::from_f32(f32::from_bits(value)) } else { value as u16 };
            *target = half.to_le_bytes();
        }
    }
}

/// See [`WriteKernel`].
#[inline(always)]
pub(super) fn write<const FLOAT: bool, const N: usize, const WHOLE: bool>(
    rule: &WriteRule,
    values: &ChannelLanes,
    lanes: [u32; 2],
    at: usize,
    out: &mut [u8],
) {
    const SECOND: u32 = ALL & !FIRST;
    const LAST: usize = LANES / HALF - 1;
    let ([on, failed], second) = (lanes, at.wrapping_add(HALF * N));
    // SIMD8 messages have half the lanes of a pass, and a channel of the response may have room for no more.
    if WHOLE {
        write_part::<FLOAT, N, LANES, 0, true>(rule, values, lanes, at, out);
    } else if LANES > 8 && on == FIRST && failed == 0 {
        write_part::<FLOAT, N, HALF, 0, true>(rule, values, lanes, at, out);
    } else if LANES > 8 && on == SECOND && failed == 0 {
        write_part::<FLOAT, N, HALF, LAST, true>(rule, values, lanes, second, out);
    } else if LANES > 8 && on & SECOND == 0 {
        write_part::<FLOAT, N, HALF, 0, false>(rule, values, lanes, at, out);
    } else if LANES > 8 && on & FIRST == 0 {
        write_part::<FLOAT, N, HALF, LAST, false>(rule, values, lanes, second, out);
    } else {
        write_part::<FLOAT, N, LANES, 0, false>(rule, values, lanes, at, out);
    }
}

/// See [`WriteTwoKernel`].
#[inline(always)]
pub(super) fn write_two<const FLOAT: bool, const N: usize>(
    rule: &WriteRule,
    values: &ChannelLanes,
    first: &mut [u8],
    second: &mut [u8],
) {
    let [first, second] = [first, second].map(|out| out.as_chunks_mut::<N>().0.as_chunks_mut::<HALF>().0);
    let (mut at, step) = (0, usize::from(rule.stride) / (HALF * N));
    for lanes in rule.results(values) {
        let (Some(first), Some(second)) = (first.get_mut(at), second.get_mut(at)) else { return };
        at = at.wrapping_add(step);
        let new = convert_row::<FLOAT, N>(lanes);
        for i in 0..HALF {
            first[i] = bytes(new[i]);
        }
        for i in 0..HALF {
            second[i] = bytes(new[LANES - HALF + i]);
        }
    }
}

/// Converts one channel of a pass to the bits that registers hold. The lanes are copied first, so that all are read before anything is
/// written. All lanes of the pass are converted, because compilers do not vectorise a shorter loop.
#[inline(always)]
fn convert_row<const FLOAT: bool, const N: usize>(lanes: &Lanes<u32>) -> Lanes<u32> {
    let (lanes, mut new) = (*lanes, [0; LANES]);
    for i in 0..LANES {
        new[i] = convert::<FLOAT, N>(lanes[i]);
    }
    new
}

/// Writes the lanes of part `PART` of a pass; a part is `W` lanes, the whole pass or a half. `ALL_ON`: all lanes of the part are active,
/// and none failed; else the masks say which.
#[inline(always)]
fn write_part<const FLOAT: bool, const N: usize, const W: usize, const PART: usize, const ALL_ON: bool>(
    rule: &WriteRule,
    values: &ChannelLanes,
    [on, failed]: [u32; 2],
    at: usize,
    out: &mut [u8],
) {
    const { assert!((PART + 1) * W <= LANES) };
    let flags = |mask: u32| BITS.map(|bit| ones(mask & bit != 0));
    let (on, done) = (flags(on), flags(on & !failed));
    // A channel takes whole registers: a multiple of the bytes of `W` lanes.
    let parts = out.as_chunks_mut::<N>().0.as_chunks_mut::<W>().0;
    let (mut at, step) = (at / (W * N), usize::from(rule.stride) / (W * N));
    for lanes in rule.results(values) {
        // This early exit keeps compilers from vectorising over several rows, which would gather their lanes.
        let Some(target) = parts.get_mut(at) else { return };
        at = at.wrapping_add(step);
        let mut new = convert_row::<FLOAT, N>(lanes);
        if !ALL_ON {
            let mut old = [0; LANES];
            for i in 0..W {
                old[PART * W + i] = word(target[i]);
            }
            // Lanes that are on and failed become 0.
            for i in 0..LANES {
                new[i] = new[i] & done[i] | old[i] & !on[i];
            }
        }
        for i in 0..W {
            target[i] = bytes(new[PART * W + i]);
        }
    }
}

/// Returns the low `N` bytes of a word.
#[inline(always)]
fn bytes<const N: usize>(word: u32) -> [u8; N] {
    const { assert!(N <= 4) };
    let mut bytes = [0; N];
    bytes.copy_from_slice(&word.to_le_bytes()[..N]);
    bytes
}

/// Returns the word with these low bytes, and zeros above.
#[inline(always)]
fn word<const N: usize>(bytes: [u8; N]) -> u32 {
    const { assert!(N <= 4) };
    let mut all = [0; 4];
    all[..N].copy_from_slice(&bytes);
    u32::from_le_bytes(all)
}

/// The sources of the rows of a result. A row is a channel that is written. A source of 0 to 3 is that channel of the texels; from 4 up
/// it is the constant of channel `source - 4` of the result.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResultRows {
    sources: [u8; 4],
    count: u8,
}

impl ResultRows {
    /// Makes the rows of the channels in a mask (bit 0 red), each of which has a source in `select`.
    pub(super) fn new(channels: u8, select: &[ChannelSource; 4]) -> Self {
        let mut rows = Self { sources: [0; 4], count: 0 };
        let written = select.iter().enumerate().filter(|(channel, _)| channels >> channel & 1 != 0);
        for (row, (channel, select)) in rows.sources.iter_mut().zip(written) {
            *row = match select {
                ChannelSource::Channel(source) => source & 3,
                ChannelSource::Constant(_) => channel as u8 | 4,
            };
            rows.count = rows.count.wrapping_add(1);
        }
        rows
    }

    #[inline(always)]
    fn sources(&self) -> &[u8] {
        self.sources.get(..self.count.into()).unwrap_or(&self.sources)
    }
}

/// How the results of a message are written; the same for every lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct WriteRule {
    /// The channels that are written, with their sources.
    pub(super) rows: ResultRows,
    /// The constants of channels whose source is one, in every lane.
    pub(super) constants: ChannelLanes,
    /// Results are floats: NaN becomes canonical, and 16-bit results are rounded to half precision.
    pub(super) float: bool,
    /// Results have 16 bits.
    pub(super) half: bool,
    /// Bytes from one channel to the next.
    pub(super) stride: u16,
    pub(super) kernel: Option<WriteKernels>,
}

impl WriteRule {
    /// Iterates over the lanes of each row, before their conversion.
    #[inline(always)]
    pub(super) fn results<'a>(&'a self, values: &'a ChannelLanes) -> impl Iterator<Item = &'a Lanes<u32>> {
        self.rows.sources().iter().map(move |row| {
            let all = if row & 4 == 0 { values } else { &self.constants };
            &all[usize::from(row & 3)]
        })
    }

    /// Returns the mask of the texels' channels that results come from.
    pub(super) fn sources(&self) -> u8 {
        self.rows.sources().iter().filter(|source| **source < 4).fold(0, |mask, source| mask | 1 << source)
    }

    /// Writes the results of a pass that begins with lane `first` of the message (it wraps, see [`WriteKernel`]). `lanes`: the execution
    /// mask, and the mask of lanes that failed, whose results are 0.
    #[cfg_attr(target_pointer_width = "64", inline(always))]
    #[cfg_attr(target_pointer_width = "32", inline)]
    pub(super) fn write(&self, values: &ChannelLanes, first: usize, lanes: [u32; 2], out: &mut [u8]) {
        let at = first.wrapping_mul(if self.half { 2 } else { 4 });
        match self.kernel {
            Some(WriteKernels { some, whole, .. }) if LANES > 1 => {
                let kernel = if lanes == [ALL, 0] { whole } else { some };
                kernel(self, values, lanes, at, out);
            }
            _ => {
                let [_, failed] = lanes;
                one(self, values, failed != 0, at, out);
            }
        }
    }

    /// Writes the results of two messages of half a pass each; `on` is the execution mask of both.
    #[inline(always)]
    pub(super) fn write_two(&self, values: &ChannelLanes, on: u32, first: &mut [u8], second: &mut [u8]) {
        match self.kernel {
            Some(WriteKernels { two, .. }) if LANES > 8 && on == FIRST => two(self, values, first, second),
            _ => {
                self.write(values, 0, [on, 0], first);
                self.write(values, 0_usize.wrapping_sub(HALF), [on << HALF, 0], second);
            }
        }
    }
}
