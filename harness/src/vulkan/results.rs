//! Converts the result words of lanes to destination registers.

use super::plan::Plan;
use super::shader::{ImageOp, RESULT};
use crate::emulator::sample::half;
use crate::engine::{Job, Outcome};

/// The pattern of every NaN in a result, as in every engine.
const NAN: u32 = 0x7fc0_0000;

impl Plan {
    /// Returns the R, G, B, A patterns, 32 bits each, of a lane's words.
    fn channels(&self, words: [u32; RESULT]) -> [u32; 4] {
        if let Some(positions) = self.positions() {
            return [words[3], 0, 0, positions];
        }
        if self.key.multisampled && self.key.op == ImageOp::Size {
            // The shader returns the number of samples in the last word; the message returns the number of levels, which is 1.
            return [words[0], words[1], words[2], 1];
        }
        let one = 1.0f32.to_bits();
        let compared = self.key.compare && !matches!(self.key.op, ImageOp::Gather(_));
        if compared || self.planes.is_some() {
            // The channel select is still to be applied to a comparison, (result, 0, 0, 1), and to channels that were sampled one by one.
            let texel = if compared { [words[0], 0, 0, one] } else { words };
            return self.select().map(|select| match select {
                0 => 0,
                1 => one,
                k => texel[(k as usize).clamp(4, 7) - 4],
            });
        }
        words
    }

    /// Returns the outcome of a job that has these `lanes` and shares everything with `job` but lanes and parameters. `lane` returns the
    /// words of a lane; `None` if it is out of range.
    pub(super) fn outcome(
        &self,
        job: &Job,
        lanes: u32,
        lane: impl Fn(usize) -> Option<[u32; RESULT]>,
    ) -> Outcome {
        let width = if job.half_return { 2 } else { 4 };
        let stride = (usize::from(job.simd) * width).next_multiple_of(32);
        let gathers = matches!(self.key.op, ImageOp::Gather(_));
        let channels: Vec<usize> = (0..4).filter(|c| gathers || job.channels >> c & 1 == 1).collect();
        let mut writeback = vec![0; job.writeback_bytes()];
        for index in (0..usize::from(job.simd)).filter(|lane| lanes >> lane & 1 == 1) {
            let bits = lane(index)
                .map_or(self.outside, |words| self.channels(words))
                .map(|bits| self.returned(bits, job));
            for (position, &channel) in channels.iter().enumerate() {
                let at = position * stride + index * width;
                writeback[at..at + width].copy_from_slice(&bits[channel].to_le_bytes()[..width]);
            }
        }
        // No lane saw a null page, and none is killed.
        let mut at = stride * channels.len();
        for _ in 0..usize::from(job.null_mask) + usize::from(job.kill_mask) {
            writeback[at..at + 4].fill(0xff);
            at += 32;
        }
        Outcome { writeback, faults: 0 }
    }

    /// Converts a pattern to the width of the results.
    fn returned(&self, bits: u32, job: &Job) -> u32 {
        if self.returns_integers() {
            return if job.half_return { bits & 0xffff } else { bits };
        }
        let value = f32::from_bits(bits);
        let bits = if value.is_nan() { NAN } else { bits };
        if job.half_return { u32::from(half(f64::from(value))) } else { bits }
    }
}
