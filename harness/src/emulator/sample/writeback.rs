//! Writes results to the destination registers (sampling page, section 14; gen-message page, section 8).

use crate::engine::{Job, Outcome};

/// What a lane returns, and how far another engine's result may be off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExactLane {
    /// The 32-bit patterns of R, G, B, A.
    pub bits: [u32; 4],
    /// How far a correct f32 result may be from `bits`, absolute, for each channel: a large red must not hide a wrong green. 0 for results
    /// that are not floats.
    pub tolerance: [f64; 4],
    /// How far a result may be off in addition, because of the precision of values, of coordinates and of the LOD (see
    /// [`Slack`](super::nudge::Slack)).
    pub slack: [f64; 3],
    /// No bound holds: the LOD is too ill-conditioned in f32, or one of several anisotropic taps may fall on other texels
    /// (a single tap is moved as a whole, see [`Nudge`](super::nudge::Nudge)).
    pub unconditioned: bool,
    /// `bits` converted to the width of the return.
    pub returned: [u32; 4],
    /// The lane read a null page, and nothing that faulted.
    pub null: bool,
    /// The lane read an unmapped address.
    pub fault: bool,
}

/// Returns the f32 pattern of a number; every NaN is 0x7fc00000.
pub fn float_bits(x: f64) -> u32 {
    if x.is_nan() { 0x7fc0_0000 } else { (x as f32).to_bits() }
}

/// Returns the pattern of the nearest half float, ties to even.
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
            // 1024 of the steps are the implicit leading one; rounding up to 2048 carries into the exponent.
            ((exponent + 14) << 10) + steps
        }
    };
    sign | magnitude as u16
}

/// Returns the destination registers: whole registers per channel, then the null mask, then the kill mask, which is all ones
/// because nothing is killed without a chroma key (U29). `gather`: all four channels are returned. Lanes that are `None` are
/// inactive and not written.
pub(super) fn write(job: &Job, gather: bool, lanes: &[Option<ExactLane>]) -> Outcome {
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
