//! Executes a job lane by lane (sampling page, section 0).

pub mod axis;
mod bound;
pub mod cube;
mod freedom;
mod load;
pub mod lod;
pub mod nudge;
pub mod ops;
mod params;
pub mod sampler;
mod texels;
mod writeback;

use super::formats::Format;
use super::memory::{LaneMemory, TexelUse};
use super::numbers::Texel;
use super::surface::SurfaceType;
use crate::engine::{ByteMemory, Job, Outcome};
pub use bound::BoundJob;
use lod::{PixelFootprint, Selection};
use nudge::{Nudge, Way};
use ops::{LodSource, OpWork};
pub use params::layer_of;
use sampler::{Filter, Mip, Reduction};
use texels::{LevelUse, TapPosition};
pub use writeback::{ExactLane, float_bits, half};

impl BoundJob<'_> {
    /// Returns how far the slack lets a result be off whose texels are at most `largest`; a comparison whose texels are all 0 is exact.
    fn value_slack(&self, largest: f64) -> f64 {
        if largest == 0.0 && self.op.compares() {
            0.0
        } else {
            self.slack.value + self.slack.relative * largest
        }
    }

    /// Returns the coordinates of a lane whose differences are a subspan's derivatives: on a cube the direction.
    fn differentiated(&self, lane: usize) -> [f64; 3] {
        let at = self.coordinates(lane);
        if self.surface.kind == SurfaceType::Cube { cube::direction(at) } else { at }
    }

    /// Returns lambda before the biases, with the anisotropic footprint (section 2).
    pub fn lambda(&self, lane: usize, nudge: &Nudge) -> PixelFootprint {
        let at = self.coordinates(lane);
        match self.op.lod {
            LodSource::Base | LodSource::Zero => PixelFootprint::given(0.0),
            LodSource::Explicit => PixelFootprint::given(self.level_param(lane, "lod")),
            LodSource::Gradients => {
                let gradient =
                    |along: &str| ["u", "v", "r"].map(|axis| self.float(lane, &format!("d{axis}d{along}")));
                PixelFootprint::of(self, at, [gradient("x"), gradient("y")], nudge)
            }
            LodSource::Quad => {
                // Section 1: lane 1 minus lane 0, and lane 2 minus lane 0, of the subspan.
                let first = lane / 4 * 4;
                let c = [0, 1, 2].map(|k| self.differentiated(first + k));
                let d = [1, 2].map(|k| std::array::from_fn(|a| c[k][a] - c[0][a]));
                PixelFootprint::of(self, c[0], d, nudge)
            }
        }
    }

    /// Returns the terms that are added to lambda: the message's bias, the sampler's bias, the coarse-pixel term.
    fn biases(&self, lane: usize) -> [f64; 3] {
        let coarse = self.job.cps.map_or(0.0, |bits| f64::from(f32::from_bits(bits)));
        [self.level_param(lane, "bias"), self.sampler.bias, coarse]
    }

    /// Returns the LOD after biases and clamps, and the mip levels that it selects (section 2).
    pub fn selection(&self, lane: usize, footprint: &PixelFootprint, nudge: &Nudge) -> Selection {
        let biases = self.biases(lane);
        let rounding = biases.map(f64::abs).iter().sum::<f64>() * 2f64.powi(-22);
        let bound = footprint.bound + rounding + self.slack.lod;
        let exact = footprint.lambda + biases.iter().sum::<f64>();
        // The bound may be infinite, and infinity times the sign 0 is NaN: an exact LOD adds nothing.
        let moved = match nudge.lod {
            Way::Up => exact + bound,
            Way::Down => exact - bound,
            Way::Rounded if (exact - exact.round()).abs() <= bound => exact.round(),
            Way::Exact | Way::Rounded => exact,
        };
        let lod = nudge.lod_is.unwrap_or(moved);
        let mlod = self.has("mlod").then(|| self.float(lane, "mlod"));
        let message = mlod.filter(|mlod| !mlod.is_nan()).unwrap_or(f64::NEG_INFINITY);
        let after = nudge.lod.sign() * self.slack.lod;
        lod::select(&self.surface, &self.sampler, self.precision, lod, message, after)
    }

    /// Notes whether the lane's LOD has no useful bound in f32.
    fn condition(&self, memory: &LaneMemory<'_>, footprint: &PixelFootprint) {
        memory.unconditioned.set(footprint.wild || footprint.bound > 1e-3);
    }

    /// Returns a lane's result, with the quantities that decide moved by `nudge`.
    pub fn lane(&self, lane: usize, nudge: &Nudge) -> ExactLane {
        self.lane_of(&LaneMemory::new(self.contents), lane, nudge)
    }

    /// Returns a lane's result and the texels that it reads.
    pub fn traced(&self, lane: usize, nudge: &Nudge) -> (ExactLane, Vec<TexelUse>) {
        let memory = LaneMemory::new(self.contents);
        memory.uses.replace(Some(Vec::new()));
        let result = self.lane_of(&memory, lane, nudge);
        (result, memory.uses.take().unwrap_or_default())
    }

    fn lane_of(&self, memory: &LaneMemory<'_>, lane: usize, nudge: &Nudge) -> ExactLane {
        let nothing =
            self.surface.kind == SurfaceType::Null || self.op.uses_sampler() && self.sampler.disable;
        let mut bits = match self.op.work {
            _ if nothing => [0; 4],
            OpWork::Resinfo => self.resinfo(lane),
            OpWork::Sampleinfo => self.sampleinfo(),
            OpWork::LoadMcs => self.load_mcs(memory, lane),
            OpWork::Load | OpWork::LoadSample => {
                let texel = self.load(memory, lane);
                memory
                    .tolerance
                    .set(self.tolerances(texel.map(|c| bound(magnitude(c), self.decoding(), 0.0))));
                memory.slack.set([self.value_slack(largest(&[(texel, 1.0)])), 0.0, 0.0]);
                self.channels(texel)
            }
            OpWork::Lod => {
                let footprint = self.lambda(lane, nudge);
                self.condition(memory, &footprint);
                let selection = self.selection(lane, &footprint, nudge);
                let rounded = self.biases(lane).map(f64::abs).iter().sum::<f64>() + selection.unclamped.abs();
                memory.tolerance.set([footprint.bound + rounded * ULP; 4]);
                memory.slack.set([0.0, 0.0, self.slack.lod]);
                let last = (self.surface.levels - 1) as f64;
                [selection.clamped.clamp(0.0, last), selection.unclamped, 0.0, 0.0].map(float_bits)
            }
            OpWork::Gather => self.gather(memory, lane, nudge),
            OpWork::Sample => self.channels(self.sample(memory, lane, nudge)),
        };
        let fault = memory.fault.get();
        if fault {
            bits = [0; 4];
        }
        let raw = self.returns_integers();
        let returned = if !self.job.half_return {
            bits
        } else if raw {
            bits.map(|b| b & 0xffff)
        } else {
            bits.map(|b| u32::from(half(f64::from(f32::from_bits(b)))))
        };
        ExactLane {
            bits,
            tolerance: if raw { [0.0; 4] } else { memory.tolerance.get() },
            slack: if raw { [0.0; 3] } else { memory.slack.get() },
            unconditioned: memory.unconditioned.get(),
            returned,
            null: memory.null.get() && !fault,
            fault,
        }
    }

    /// Returns a texel as the filter takes it: unchanged, or the result of comparing it with the lane's reference.
    pub fn counted(&self, texel: Texel, lane: usize) -> Texel {
        let mut texels = [(texel, 1.0)];
        self.compare(&mut texels, lane, &Nudge::default());
        texels[0].0
    }

    /// Returns the component of a texel that gather4 returns (section 8).
    pub fn gathered(&self, texel: Texel) -> f64 {
        if self.op.compares() {
            return texel[0];
        }
        selected(texel, self.surface.select[usize::from(self.job.gather % 4)])
    }

    /// Applies the shader channel select and converts to 32-bit patterns (sections 0 and 14).
    pub fn channels(&self, texel: Texel) -> [u32; 4] {
        self.surface.select.map(|select| self.bits(selected(texel, select)))
    }

    /// Returns how far each returned channel may be off, if the components of the texels may be off so far: nothing is computed from two
    /// components, and constants are exact.
    pub fn tolerances(&self, components: Texel) -> [f64; 4] {
        self.surface.select.map(|select| if select < 4 { 0.0 } else { selected(components, select) })
    }

    /// Returns the largest number of roundings with which a texel is decoded.
    fn decoding(&self) -> f64 {
        let decoded = self.surface.format.as_ref().map_or(0.0, Format::roundings);
        // The mean of three texels, at the corner of a cube: two sums and a division.
        if self.surface.kind == SurfaceType::Cube { decoded + 3.0 } else { decoded }
    }

    /// Returns how far the returned component of a texel of gather4 may be off if its components are so large: it is decoded.
    /// Results of comparisons and constants are exact.
    fn gather_tolerance(&self, largest: Texel) -> f64 {
        let decoded = self.tolerances(largest.map(|most| bound(most, self.decoding(), 0.0)));
        if self.op.compares() { 0.0 } else { decoded[usize::from(self.job.gather % 4)] }
    }

    /// Returns the 32-bit pattern of a component.
    fn bits(&self, value: f64) -> u32 {
        if self.surface.is_integer() { value as u32 } else { float_bits(value) }
    }

    fn position(&self, lane: usize) -> TapPosition {
        TapPosition {
            at: self.coordinates(lane),
            layer: self.layer(lane),
            offset: self.offsets(lane),
            spread: [0.0; 3],
            taps: 1,
            reference: self.reference(lane),
        }
    }

    /// If the operation compares, replaces each texel by the result of comparing its red component with the lane's reference (section 5).
    fn compare(&self, texels: &mut [(Texel, f64)], lane: usize, nudge: &Nudge) {
        if !self.op.compares() {
            return;
        }
        let reference = self.reference(lane) + nudge.reference.sign() * self.slack.reference;
        for (texel, _) in texels {
            *texel = [self.sampler.shadow(texel[0], reference); 4];
        }
    }

    /// Executes gather4: returns the selected component of four texels (section 8).
    fn gather(&self, memory: &LaneMemory<'_>, lane: usize, nudge: &Nudge) -> [u32; 4] {
        let level = if self.op.lod == LodSource::Base {
            0
        } else {
            let footprint = self.lambda(lane, nudge);
            self.condition(memory, &footprint);
            let clamped = self.selection(lane, &footprint, nudge).clamped;
            ((clamped + 0.5).floor()).clamp(0.0, (self.surface.levels - 1) as f64) as u64
        };
        let what = LevelUse { level, slot: 0, linear: true, rounding: self.sampler.rounding[0] };
        let mut texels = self.footprint(memory, &self.position(lane), what, nudge);
        self.compare(&mut texels, lane, nudge);
        memory.slack.set([self.value_slack(largest(&texels)), 0.0, 0.0]);
        // A 1D footprint has one row of two texels.
        let at = |k: usize| texels[if texels.len() == 2 { k % 2 } else { k }].0;
        // The result order: lower left, lower right, upper right, upper left.
        const ORDER: [usize; 4] = [2, 3, 1, 0];
        // The missing texel at the corner of a cube is the mean of the others, which may cancel.
        let each = (self.surface.kind == SurfaceType::Cube).then(|| largest_each(&texels));
        memory.tolerance.set(ORDER.map(|k| self.gather_tolerance(each.unwrap_or(at(k).map(magnitude)))));
        ORDER.map(|k| self.bits(self.gathered(at(k))))
    }

    /// Filters texels in one or two mip levels (sections 2, 4, 5 and 11).
    fn sample(&self, memory: &LaneMemory<'_>, lane: usize, nudge: &Nudge) -> Texel {
        let footprint = self.lambda(lane, nudge);
        self.condition(memory, &footprint);
        let selection = self.selection(lane, &footprint, nudge);
        let filter = self.filter(selection.mag);
        let position = self.position(lane);
        let taps = if filter == Filter::Anisotropic { footprint.taps } else { 1 };
        let mut all = Vec::new();
        // How far the filter weights may be off in f32.
        let mut slope = if selection.levels.len() == 2 { footprint.bound + ULP * 64.0 } else { 0.0 };
        for (slot, &(level, weight)) in selection.levels.iter().enumerate() {
            let linear = filter != Filter::Nearest;
            let rounding = self.sampler.rounding[usize::from(!selection.mag)];
            let what = LevelUse { level, slot, linear, rounding };
            for tap in 1..=taps {
                let along = f64::from(tap) / f64::from(taps + 1) - 0.5;
                let at = std::array::from_fn(|a| {
                    position.at[a] + if taps == 1 { 0.0 } else { footprint.major[a] * along }
                });
                let spread = if taps == 1 { [0.0; 3] } else { footprint.major.map(f64::abs) };
                memory.slope.set(0.0);
                let position = TapPosition { at, spread, taps, ..position };
                memory.share.set(weight / f64::from(taps));
                let texels = self.footprint(memory, &position, what, nudge);
                slope += memory.slope.get() * weight / f64::from(taps);
                all.extend(texels.into_iter().map(|(t, w)| (t, w * weight / f64::from(taps))));
            }
        }
        self.compare(&mut all, lane, nudge);
        if self.surface.is_integer() {
            return all[0].0;
        }
        let reduction = if self.op.compares() { Reduction::Standard } else { self.sampler.reduction };
        // A minimum or maximum is one of the texels: their weights do not matter, except where one is the mean at the corner of a cube.
        let picks = reduction != Reduction::Standard && self.surface.kind != SurfaceType::Cube;
        // With more texels than one, weights, products and sums round too: at most 64.
        let (roundings, slope) = if picks || all.len() == 1 { (self.decoding(), 0.0) } else { (64.0, slope) };
        let most = largest(&all);
        memory.tolerance.set(self.tolerances(largest_each(&all).map(|most| bound(most, roundings, slope))));
        let (mips, linear) = (selection.levels.len() == 2, filter != Filter::Nearest);
        // With mip LINEAR a device may mix two mip levels, each rounded by its own filter, even past the last level.
        let mixed = if self.sampler.mip == Mip::Linear { 5.0 / 3.0 } else { 1.0 };
        memory.slack.set([
            self.value_slack(most) * mixed,
            if linear { spread(&all) * self.slack.texel * self.axes() as f64 } else { 0.0 },
            if mips { spread(&all) * self.slack.lod } else { 0.0 },
        ]);
        let standard = |c: usize| all.iter().map(|(t, w)| t[c] * w).sum::<f64>();
        let extreme = |c: usize, pick: fn(f64, f64) -> f64| {
            all.iter().filter(|(_, w)| *w != 0.0).map(|(t, _)| t[c]).fold(f64::NAN, pick)
        };
        let value: Texel = std::array::from_fn(|c| match reduction {
            Reduction::Standard => standard(c),
            Reduction::Minimum => extreme(c, f64::min),
            Reduction::Maximum => extreme(c, f64::max),
        });
        // The result of a comparison is that of a one-channel surface (section 5).
        if self.op.compares() { [value[0], 0.0, 0.0, 1.0] } else { value }
    }
}

/// Returns the component of a texel, or the constant, that a shader channel select stands for.
fn selected(texel: Texel, select: u64) -> f64 {
    match select {
        0 => 0.0,
        1 => 1.0,
        component => texel[component as usize - 4],
    }
}

/// Returns the largest difference of two texels in one component, of finite values: how far a result moves if the weights change by 1.
fn spread(texels: &[(Texel, f64)]) -> f64 {
    let of = |c: usize| {
        let values = || texels.iter().map(|(t, _)| t[c]).filter(|value| value.is_finite());
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    };
    (0..4).map(of).filter(|spread| spread.is_finite()).fold(0.0, f64::max)
}

/// The relative error of one rounding to f32: 2^-24.
const ULP: f64 = 1.0 / 16_777_216.0;

/// Returns how far an f32 result may be off after `roundings` roundings, each of 2^-24 of the largest texel or, for denormals,
/// half of the smallest one, and with filter weights that are off by `slope`.
fn bound(largest: f64, roundings: f64, slope: f64) -> f64 {
    let denormals = if largest == 0.0 { 0.0 } else { roundings * 2f64.powi(-150) };
    largest * (roundings * ULP + 2.0 * slope) + denormals
}

/// Returns the magnitude of a finite number, otherwise 0.
fn magnitude(x: f64) -> f64 {
    if x.is_finite() { x.abs() } else { 0.0 }
}

/// Returns the largest magnitude of each component, of finite values.
fn largest_each(texels: &[(Texel, f64)]) -> Texel {
    std::array::from_fn(|c| texels.iter().map(|(t, _)| magnitude(t[c])).fold(0.0, f64::max))
}

/// Returns the largest magnitude of a finite component.
fn largest(texels: &[(Texel, f64)]) -> f64 {
    largest_each(texels).into_iter().fold(0.0, f64::max)
}

/// Executes a job.
///
/// # Errors
/// What [`crate::emulator`] lists as refused.
pub fn execute(job: &Job) -> Result<Option<Outcome>, String> {
    execute_on(job, job)
}

/// Executes a job with `contents` as memory instead of its own.
///
/// # Errors
/// As [`execute`].
pub fn execute_on(job: &Job, contents: &dyn ByteMemory) -> Result<Option<Outcome>, String> {
    let Some(bound) = BoundJob::on(job, contents)? else { return Ok(None) };
    let lanes: Vec<Option<ExactLane>> = (0..usize::from(job.simd))
        .map(|lane| (job.lanes >> lane & 1 == 1).then(|| bound.lane(lane, &Nudge::default())))
        .collect();
    Ok(Some(writeback::write(job, bound.op.work == OpWork::Gather, &lanes)))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::emulator::formats::code;
    use crate::emulator::state::set_surface;
    use crate::engine::Region;

    const BASE: u64 = 0x1000;

    /// Returns a SIMD1 job whose surface has these fields, with 4 KiB of memory.
    pub(crate) fn job(op: &str, format: &str, fields: &[(&str, u64)]) -> Job {
        let mut job = Job { simd: 1, lanes: 1, ..Job::new(op) };
        let all = [("Surface Format", code(format).unwrap()), ("Surface Base Address", BASE)];
        for (name, value) in all.iter().chain(fields) {
            set_surface(&mut job.surface, name, *value);
        }
        job.memory = vec![Region { address: BASE, bytes: vec![0; 4096] }].into();
        job
    }

    fn floats(values: &[f32]) -> Vec<u32> {
        values.iter().map(|value| value.to_bits()).collect()
    }

    /// The lane to the right reads 0 although the job has a value for it (U07): d/dx is -1/2, four of eight texels.
    #[test]
    fn lanes_past_the_width_read_0() {
        let mut job = job("LOD", "R8_UNORM", &[("Width", 7)]);
        job.params = vec![floats(&[0.5, 100.0, 100.0, 100.0])];
        let lane = BoundJob::of(&job).unwrap().unwrap().lane(0, &Nudge::default());
        assert_eq!(f32::from_bits(lane.bits[1]), 2.0);
    }

    /// A texel of a planar surface is reported with the address of its luma, which has two bytes here.
    #[test]
    fn planar_texels_are_where_their_luma_is() {
        let size = [("Surface Type", 1), ("Width", 3), ("Height", 3), ("Surface Pitch", 63)];
        let mut job = job("sample_lz", "PLANAR_420_16", &size);
        job.params = vec![floats(&[2.5 / 4.0]), floats(&[1.5 / 4.0])];
        let (_, texels) = BoundJob::of(&job).unwrap().unwrap().traced(0, &Nudge::default());
        assert_eq!(texels.iter().map(|texel| texel.address).collect::<Vec<_>>(), [Some(BASE + 64 + 2 * 2)]);
    }

    /// Red is 1 and 1/256 in two texels of a row. gather4 returns each with the roundings of its own value, and a texel of floats without any.
    #[test]
    fn a_decoded_texel_has_its_own_tolerance() {
        let size = [("Surface Type", 1), ("Width", 1), ("Height", 1), ("Surface Pitch", 63)];
        let tolerances = |op, format, texels: &[u8]| {
            let mut job = job(op, format, &size);
            set_surface(&mut job.surface, "Shader Channel Select Red", 4);
            job.memory = vec![Region { address: BASE, bytes: [texels, &[0; 124]].concat() }].into();
            job.params = vec![floats(&[0.5]), floats(&[0.5])];
            BoundJob::of(&job).unwrap().unwrap().lane(0, &Nudge::default()).tolerance
        };
        let bytes = |values: [f32; 2]| values.map(f32::to_le_bytes).concat();
        assert_eq!(tolerances("gather4", "R32_FLOAT", &bytes([1.0, 1.0 / 256.0])), [0.0; 4]);
        let [.., right, left] = tolerances("gather4", "R16_UNORM", &[255, 255, 255, 0]);
        assert!(left > 200.0 * right && right > 0.0 && left < 3.0 * ULP, "{left} and {right}");
    }

    /// The texels that loads read are reported, also those of buffers.
    #[test]
    fn loads_from_buffers_are_reported() {
        let mut job = job("ld", "R8G8_UNORM", &[("Surface Type", 4), ("Width", 7), ("Surface Pitch", 3)]);
        job.params = vec![vec![5]];
        let (_, texels) = BoundJob::of(&job).unwrap().unwrap().traced(0, &Nudge::default());
        let places = texels.iter().map(|texel| (texel.x, texel.address));
        assert_eq!(places.collect::<Vec<_>>(), [(5, Some(BASE + 5 * 4))]);
    }
}
