//! Makes the payload of a lane: the message's parameters as the shader reads them.

use super::types::Plan;
use crate::emulator::sample::lod::select;
use crate::emulator::sample::ops::OpWork;
use crate::emulator::surface::SurfaceType;
use crate::vulkan::shader::{Dim, ImageOp};

/// A normalized coordinate so far outside the image that all texels of its footprint are border texels.
const FAR_OUTSIDE: f32 = -100.0;

/// What a lane needs in addition to its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::vulkan) struct LaneView {
    /// The index of the view that it samples, in [`Plan::views`].
    pub(in crate::vulkan) view: usize,
    /// The lane is out of range: its result is [`Plan::outside`].
    pub(in crate::vulkan) outside: bool,
}

impl Plan {
    /// Appends a lane's payload.
    pub(in crate::vulkan) fn payload(
        &self,
        params: &[Vec<u32>],
        lane: usize,
        out: &mut Vec<u32>,
    ) -> LaneView {
        let start = out.len();
        let placed = match self.key.op {
            ImageOp::Size => {
                let level = u64::from(self.order.raw(params, lane, "lod"));
                let outside = level >= self.surface.levels;
                out.push(if outside { 0 } else { level as u32 });
                LaneView { view: 0, outside }
            }
            ImageOp::Fetch => self.fetch(params, lane, out),
            ImageOp::Implicit
            | ImageOp::Bias
            | ImageOp::Held(_)
            | ImageOp::Lod
            | ImageOp::Grad
            | ImageOp::Gather(_)
            | ImageOp::QueryLod => self.sampled(params, lane, out),
        };
        debug_assert_eq!(out.len() - start, self.key.words());
        placed
    }

    fn fetch(&self, params: &[Vec<u32>], lane: usize, out: &mut Vec<u32>) -> LaneView {
        let int = |name: &str| self.order.integer(params, lane, name);
        let size_of = |level: i64| self.surface.level(level.clamp(0, self.surface.levels as i64 - 1) as u64);
        let level = if self.order.names.contains(&"lod") { int("lod") } else { 0 };
        let size = size_of(level);
        let coordinate = |a: usize| int(["u", "v", "r"][a]) + i64::from(self.offsets[a]);
        let axes = self.key.axes();
        let mut at: Vec<(i64, u64)> = (0..axes).map(|a| (coordinate(a), size[a])).collect();
        if self.key.arrayed {
            let name = if self.surface.kind == SurfaceType::D1 { "v" } else { "r" };
            at.push((int(name), self.surface.layers()));
        }
        let within = |&(value, count): &(i64, u64)| value >= 0 && (value as u64) < count;
        let mut outside = level < 0 || level as u64 >= self.surface.levels;
        let mut last = level;
        if self.op.work == OpWork::LoadSample {
            let plane = if self.op.name == "ld2dss" { int("si") } else { self.plane(params, lane) };
            let samples = self.surface.samples as i64;
            outside |= !(0..samples).contains(&int("si")) || !(0..samples).contains(&plane);
            last = if self.key.multisampled { plane } else { level };
        }
        // With robust access, the device executes lanes whose coordinates are out of range as well, but never those whose level is.
        let fits = at.iter().all(|(value, _)| i32::try_from(*value).is_ok());
        outside |= !(at.iter().all(within) || self.robust && fits);
        for (value, _) in at {
            out.push(if outside { 0 } else { value as i32 as u32 });
        }
        out.push(if outside { 0 } else { last as u32 });
        LaneView { view: 0, outside }
    }

    /// Returns the plane of a lane's sample: its nibble of the message's MCS value (there is no control surface). -1: out of range.
    fn plane(&self, params: &[Vec<u32>], lane: usize) -> i64 {
        let word = |name: &str| u64::from(self.order.raw(params, lane, name));
        let sample = self.order.integer(params, lane, "si");
        if !(0..16).contains(&sample) {
            return -1;
        }
        let mcs = if self.order.names.contains(&"mcs2") {
            (0..4).rev().fold(0, |v, k| v << 16 | word(["mcs0", "mcs1", "mcs2", "mcs3"][k]))
        } else {
            word("mcs1") << 32 | word("mcs0")
        };
        (mcs >> (4 * sample) & 15) as i64
    }

    fn sampled(&self, params: &[Vec<u32>], lane: usize, out: &mut Vec<u32>) -> LaneView {
        let names = ["u", "v", "r"];
        let float = |name: &str| self.order.float(params, lane, name);
        let own = match self.surface.kind {
            SurfaceType::D1 => 1,
            SurfaceType::D2 => 2,
            _ => 3,
        };
        for axis in 0..self.key.axes() {
            // The second axis of a 1D surface that is sampled as a 2D image: the middle of its only row.
            let value = if axis < own { self.coordinate(float(names[axis]), axis) } else { 0.5 };
            out.push(value.to_bits());
        }
        if self.key.layer() {
            let index = float(match self.surface.kind {
                SurfaceType::D1 => "v",
                SurfaceType::D2 => "r",
                _ => "ai",
            });
            out.push(if index.is_nan() { 0 } else { index.to_bits() });
        }
        if self.key.compare {
            let reference = float("ref");
            let held = if self.unorm && !reference.is_nan() { reference.clamp(0.0, 1.0) } else { reference };
            out.push(held.to_bits());
        }
        let mut view = 0;
        match self.key.op {
            ImageOp::Bias => out.push(self.order.level(params, lane, "bias").to_bits()),
            ImageOp::Held(bias) => {
                if bias {
                    out.push(self.order.level(params, lane, "bias").to_bits());
                }
                let least = self.least_lod(params, lane);
                out.extend([self.lod_range[1], least, self.sampler.bias].map(f32::to_bits));
            }
            ImageOp::Lod => out.push(self.explicit_lod(params, lane).to_bits()),
            ImageOp::Grad => {
                for along in ["x", "y"] {
                    for (axis, name) in names[..own].iter().enumerate() {
                        let value = float(&format!("d{name}d{along}"));
                        out.push(self.scaled(value, axis).to_bits());
                    }
                }
            }
            ImageOp::Gather(_) => {
                view = self.gather_view(params, lane);
                if self.key.lane_offsets {
                    let [u, v] = self.order.gather_offsets(params, lane, self.offsets);
                    out.extend([u as u32, if own == 1 { 0 } else { v as u32 }]);
                }
            }
            ImageOp::Implicit | ImageOp::QueryLod | ImageOp::Fetch | ImageOp::Size => {}
        }
        LaneView { view, outside: false }
    }

    /// Returns the minimum LOD of a lane: the larger of the state's and the message's.
    fn least_lod(&self, params: &[Vec<u32>], lane: usize) -> f32 {
        let message = if self.order.carried(params, "mlod") {
            self.order.float(params, lane, "mlod")
        } else {
            f32::NAN
        };
        // `max` ignores NaN.
        self.lod_range[0].max(message)
    }

    /// Returns a coordinate or gradient in normalized units.
    fn scaled(&self, value: f32, axis: usize) -> f32 {
        match self.texels {
            Some(size) => value / size[axis] as f32,
            None => value,
        }
    }

    /// Returns a coordinate as the device gets it: NaN is replaced as in the emulator, unless the shader takes derivatives of it.
    fn coordinate(&self, value: f32, axis: usize) -> f32 {
        let value = self.scaled(value, axis);
        if self.key.derives() {
            return value;
        }
        let value = match value {
            v if !v.is_nan() => v,
            _ if self.bordered[axis] && self.key.dim != Dim::Cube => return FAR_OUTSIDE,
            _ => 0.0,
        };
        match self.fold[axis] {
            Some(size) => folded(value, size, self.offsets[axis]),
            None if self.hold[axis] => value.clamp(0.0, 1.0),
            None => value,
        }
    }

    /// Returns the LOD operand, to which the device adds the sampler's bias.
    fn explicit_lod(&self, params: &[Vec<u32>], lane: usize) -> f32 {
        if self.whole_levels {
            // Without a mip filter the level is that of the minimum LOD, for any derivatives.
            return self.least_lod(params, lane).floor().min(1024.0) - self.sampler.bias;
        }
        let lod =
            if self.order.starting("lod").is_some() { self.order.level(params, lane, "lod") } else { 0.0 };
        if lod.is_nan() {
            (self.sampler_state.min_lod - f64::from(self.sampler.bias)) as f32
        } else {
            lod.clamp(-1024.0, 1024.0)
        }
    }

    /// Returns the view of the level that a gather with a LOD reads: the one nearest to the clamped LOD.
    fn gather_view(&self, params: &[Vec<u32>], lane: usize) -> usize {
        if self.views.len() == 1 {
            return 0;
        }
        let lod = f64::from(self.order.level(params, lane, "lod")) + f64::from(self.sampler.bias);
        let clamped =
            select(&self.surface, &self.sampler_state, self.precision, lod, f64::NEG_INFINITY, 0.0).clamped;
        (clamped + 0.5).floor().clamp(0.0, (self.views.len() - 1) as f64) as usize
    }
}

/// The limit of texel coordinates: they are clamped to +- this, as in the emulator.
const LIMIT: f64 = 16_777_216.0;

/// Returns the coordinate that MIRROR_101 folds this one to, between the centres of the first and the last of `size` texels.
fn folded(value: f32, size: u64, offset: i8) -> f32 {
    let n = size as f64;
    let t = (f64::from(value) * n).clamp(-LIMIT, LIMIT);
    // A clamped coordinate counts as the centre of a texel.
    let centre = if t.abs() == LIMIT { 0.0 } else { 0.5 };
    let from_first = t - centre + f64::from(offset);
    let period = 2.0 * n - 2.0;
    let place = if size == 1 { 0.0 } else { from_first.rem_euclid(period) };
    let inside = if place > n - 1.0 { period - place } else { place };
    ((inside + 0.5) / n) as f32
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn coordinates_are_folded_at_the_centres() {
        let texel = |u: f32, offset| (folded(u, 4, offset) * 4.0).floor();
        let row: Vec<f32> = (-5..9).map(|i| texel((i as f32 + 0.5) / 4.0, 0)).collect();
        assert_eq!(row, [1.0, 2.0, 3.0, 2.0, 1.0, 0.0, 1.0, 2.0, 3.0, 2.0, 1.0, 0.0, 1.0, 2.0]);
        assert_eq!(texel(0.125, -3), 3.0);
        assert_eq!(folded(7.3, 1, 2), 0.5);
        assert_eq!(folded(0.2, 4, 0), 0.2);
    }
}
