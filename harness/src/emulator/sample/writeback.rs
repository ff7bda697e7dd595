//! Results as destination registers hold them.

use crate::engine::{Job, Outcome};

/// What a lane returns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lane {
    /// R, G, B, A patterns, 32 bits.
    pub bits: [u32; 4],
    /// How far a correct f32 result may be from `bits`, absolute; 0 for what is no float.
    pub tolerance: f64,
    /// How far it may be off besides, for the value's precision, the coordinate's and the LOD's (see [`Slack`](super::nudge::Slack)).
    pub slack: [f64; 3],
    /// No bound says anything: the LOD is that ill-conditioned in f32, or one of several taps may fall on other texels
    /// (a single one is moved as a whole, see [`Nudge`](super::nudge::Nudge)).
    pub unconditioned: bool,
    /// The same, rounded to the width of the return.
    pub returned: [u32; 4],
    /// A null page was read.
    pub null: bool,
    /// Something unmapped was read.
    pub fault: bool,
}

/// The f32 pattern; every NaN is 0x7fc00000.
pub fn float_bits(x: f64) -> u32 {
    if x.is_nan() { 0x7fc0_0000 } else { (x as f32).to_bits() }
}

/// The nearest half float, ties to even.
pub fn half(x: f64) -> u16 {
    let sign = if x.is_sign_negative() && !x.is_nan() { 0x8000 } else { 0 };
    let x = x.abs();
    let magnitude = match x {
        _ if x.is_nan() => 0x7e00,
        _ if x >= 65520.0 => 0x7c00,
        _ if x == 0.0 => 0,
        _ => {
            let exponent = (x.log2().floor() as i32).clamp(-14, 15);
            let steps = (x / 2f64.powi(exponent - 10)).round_ties_even() as i32;
            // 1024 steps are the implicit one; an overflow of the steps carries into the exponent.
            ((exponent + 14) << 10) + steps
        }
    };
    sign | magnitude as u16
}

/// The destination registers: whole registers per channel, then the null mask, then the kill mask: without a
/// chroma key nothing is killed.
pub(super) fn write(job: &Job, gather: bool, lanes: &[Option<Lane>]) -> Outcome {
    let width = if job.half_return { 2 } else { 4 };
    let stride = (lanes.len() * width).div_ceil(32) * 32;
    let channels: Vec<usize> = (0..4).filter(|c| gather || job.channels >> c & 1 == 1).collect();
    let masks = usize::from(job.null_mask) + usize::from(job.kill_mask);
    let mut writeback = vec![0; stride * channels.len() + masks * 32];
    let mut faults = 0;
    let mut mask = u32::MAX;
    for (index, lane) in lanes.iter().enumerate() {
        let Some(lane) = lane else { continue };
        for (position, &channel) in channels.iter().enumerate() {
            let at = position * stride + index * width;
            writeback[at..at + width].copy_from_slice(&lane.returned[channel].to_le_bytes()[..width]);
        }
        faults |= u32::from(lane.fault) << index;
        mask &= !(u32::from(lane.null) << index);
    }
    if job.null_mask {
        let at = stride * channels.len();
        writeback[at..at + 4].copy_from_slice(&mask.to_le_bytes());
    }
    if job.kill_mask {
        let at = writeback.len() - 32;
        writeback[at..at + 4].fill(0xff);
    }
    Outcome { writeback, faults }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::numbers::small_float;

    #[test]
    fn halves() {
        for (x, bits) in [
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (65504.0, 0x7bff),
            (65520.0, 0x7c00),
            (6e-8, 1),
            (0.0, 0),
            (2047.0, 0x67ff),
            (2049.0, 0x6800),
            (2051.0, 0x6802),
        ] {
            assert_eq!(half(x), bits, "{x}");
        }
        assert_eq!(half(f64::NAN), 0x7e00);
        for bits in 0..0x7c00u16 {
            assert_eq!(half(small_float(u64::from(bits), 10)), bits);
        }
    }
}
