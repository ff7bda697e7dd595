//! What engines with a [`Slack`], such as Vulkan devices, may do differently: lanes whose result is undefined, and how far results may
//! be off.

use super::bound::BoundJob;
use super::cube::{self, Projection};
use super::lod::PixelFootprint;
use super::nudge::{Nudge, Slack};
use super::ops::{LodSource, OpWork};
use super::sampler::{Mip, Reduction};
use crate::emulator::memory::{LaneMemory, TexelUse};
use crate::emulator::surface::SurfaceType;
use crate::engine::Precision;

impl BoundJob<'_> {
    /// The same job, for comparison with an engine that may be off by `slack` and has a precision of its own: the oracle's is Float.
    #[must_use]
    pub fn with_slack(self, slack: Slack) -> Self {
        Self { slack, precision: Precision::Float, ..self }
    }

    /// Returns how far the compared engine may be off in addition to f32 rounding; `None`: not at all.
    pub fn slack(&self) -> Option<Slack> {
        (self.slack != Slack::default()).then_some(self.slack)
    }

    /// Returns true if all float parameters and biases of a lane are finite, and no cube direction is zero. If derivatives come from
    /// the subspan, the parameters of its four lanes count.
    pub fn is_finite(&self, lane: usize) -> bool {
        let subspan = lane / 4 * 4..lane / 4 * 4 + 4;
        let lanes = if self.op.lod == LodSource::Quad { subspan } else { lane..lane + 1 };
        let integers = ["offu", "offv", "offuv", "offuvr"];
        let floats = || self.names.iter().filter(|name| !integers.contains(*name));
        // The projection of a direction of length 0 divides by 0.
        let nowhere =
            |lane: usize| self.surface.kind == SurfaceType::Cube && self.coordinates(lane) == [0.0; 3];
        let finite = |lane: usize| floats().all(|name| self.float(lane, name).is_finite()) && !nowhere(lane);
        self.biases(lane).iter().all(|bias| bias.is_finite()) && lanes.into_iter().all(finite)
    }

    /// Returns true if a coordinate of the lane is a denormal f32.
    pub fn is_denormal(&self, lane: usize) -> bool {
        let least = f64::from(f32::MIN_POSITIVE);
        self.coordinates(lane).iter().any(|c| *c != 0.0 && c.abs() < least)
    }

    /// Returns true if a texel coordinate (except on cubes), an array index or a LOD parameter of the lane is far outside every surface:
    /// its magnitude is more than 65,536.
    pub fn is_far(&self, lane: usize) -> bool {
        let size = self.surface.level(0);
        let scale = |a: usize| if self.sampler.non_normalized { 1.0 } else { size[a] as f64 };
        let at = self.coordinates(lane);
        let far = |value: f64| value.abs() > 65536.0;
        self.surface.kind != SurfaceType::Cube && (0..3).any(|a| far(at[a] * scale(a)))
            || self.surface.array && far(self.array_index(lane))
            || ["lod", "bias", "mlod"].iter().any(|name| self.has(name) && far(self.float(lane, name)))
    }

    /// Returns the range of LODs of a subspan on a cube for devices that take differences of the coordinates on the face as
    /// derivatives. These coordinates are rounded, so that small differences may be off by any factor. `None`: not a cube,
    /// or derivatives that are not those of the subspan.
    fn projected_range(&self, lane: usize) -> Option<[f64; 2]> {
        if self.op.lod != LodSource::Quad || self.surface.kind != SurfaceType::Cube {
            return None;
        }
        let first = lane / 4 * 4;
        let size = self.surface.level(0)[0] as f64;
        let st = [0, 1, 2, 3]
            .map(|k| Projection::of(cube::direction(self.coordinates(first + k))).coordinates())
            .map(|st| st.map(|c| c * size));
        let apart = |a: usize, b: usize| [0, 1].map(|axis| (st[a][axis] - st[b][axis]).abs());
        let all = [(1, 0), (3, 2), (2, 0), (3, 1)].map(|(a, b)| apart(a, b));
        let rounding = size * 2f64.powi(-21);
        let largest = |of: fn([f64; 2]) -> f64| all.into_iter().map(of).fold(0.0, f64::max);
        // Derivatives come from one row and one column: at the lower end, the smaller of the two rows and the smaller of the columns.
        let lower =
            |pairs: [[f64; 2]; 2]| pairs.map(|d| d[0].max(d[1])).into_iter().fold(f64::INFINITY, f64::min);
        let low = lower([all[0], all[1]]).max(lower([all[2], all[3]])) - rounding;
        let high = largest(|d| d[0] + d[1]) * 2f64.sqrt() + rounding;
        Some([low.max(0.0).log2(), high.log2()])
    }

    /// Returns true if derivatives come from a lane's subspan and its directions hit several faces of a cube.
    pub fn on_several_faces(&self, lane: usize) -> bool {
        let face = |l: usize| Projection::of(cube::direction(self.coordinates(l))).face;
        let first = lane / 4 * 4;
        let differentiated = self.op.lod == LodSource::Quad && self.surface.kind == SurfaceType::Cube;
        differentiated && (1..4).any(|k| face(first + k) != face(first))
    }

    /// Returns true if the result is the MIN or MAX of texels.
    pub fn reduces(&self) -> bool {
        self.op.work == OpWork::Sample && self.sampler.reduction != Reduction::Standard && !self.op.compares()
    }

    /// Looks at the texels in and next to a lane's footprint, in its mip levels and the neighbouring ones. Returns whether all are
    /// finite, and the largest finite magnitude. A device that clamps coordinates before it splits them into texel and weight, or
    /// that filters two mip levels whatever the LOD, multiplies these texels by 0, or adds and subtracts them.
    pub fn neighbour_texels(&self, lane: usize) -> (bool, f64) {
        let mut all = (true, 0.0);
        if !matches!(self.op.work, OpWork::Sample | OpWork::Gather) {
            return all;
        }
        let lod = self.selection(lane, &self.lambda(lane, &Nudge::default()), &Nudge::default()).unclamped;
        // LODs past the mip levels select the first or the last one.
        let lod = lod.clamp(0.0, self.surface.levels as f64);
        // The LODs that devices derive on a cube may be any number of mip levels apart: all levels are looked at.
        let all_levels = self.surface.kind == SurfaceType::Cube && self.derivatives();
        let levels = if all_levels { self.surface.levels } else { 0 };
        let lods = [lod + 1.0, lod - 1.0].into_iter().chain((0..levels).map(|level| level as f64));
        let nearby =
            [None].into_iter().chain(lods.map(Some)).map(|lod_is| Nudge { lod_is, ..Nudge::default() });
        let memory = LaneMemory::new(self.contents);
        let uses = nearby.flat_map(|nudge| self.traced(lane, &nudge).1);
        for (level, slice, x, y) in uses.filter(|one| one.address.is_some()).flat_map(|one| self.around(&one))
        {
            for value in self.texel(&memory, level, slice, x, y, self.sampler.skip_srgb) {
                // The value that a device has: it computes in f32 at most.
                let value = f64::from(value as f32);
                all.0 &= value.is_finite();
                all.1 = if value.is_finite() { value.abs().max(all.1) } else { all.1 };
            }
        }
        all
    }

    /// Returns level, slice, column and row of a texel and of those around it, also across the edges of the mip level; for a texel at the
    /// edge of a cube face, the edges of all faces of the cube too.
    fn around(&self, one: &TexelUse) -> Vec<(u64, u64, u64, u64)> {
        let [w, h, d] = self.surface.level(one.level);
        let of = |at: u64, size: u64| [(at + size - 1) % size, at.saturating_sub(1), at, (at + 1) % size];
        let slices = match self.surface.kind {
            SurfaceType::D3 => of(one.slice, d).to_vec(),
            _ => vec![one.slice],
        };
        let inside = slices.into_iter().flat_map(|slice| {
            of(one.y, h).into_iter().flat_map(move |y| of(one.x, w).map(|x| (one.level, slice, x, y)))
        });
        let mut all: Vec<_> = inside.collect();
        let last = w - 1;
        if self.surface.kind == SurfaceType::Cube && [one.x, one.y].iter().any(|at| *at == 0 || *at == last) {
            let first = one.slice / 6 * 6;
            all.extend((first..first + 6).flat_map(|slice| {
                (0..w).flat_map(move |k| {
                    [(k, 0), (k, last), (0, k), (last, k)].map(|(x, y)| (one.level, slice, x, y))
                })
            }));
        }
        all
    }

    /// Returns true if MIN or MAX may be taken over two mip levels.
    pub fn reduces_levels(&self) -> bool {
        self.reduces() && self.sampler.mip == Mip::Linear && self.surface.levels > 1
    }

    /// Returns the range of LODs, biases added and slack included, of devices that make their own scale factor of a lane's derivatives:
    /// of any row and column of the subspan, between the largest component and sqrt(2) times the sum. `None`: no derivatives.
    pub fn lod_range(&self, lane: usize) -> Option<[f64; 2]> {
        let none = Nudge::default();
        let first = lane / 4 * 4;
        let of = |at: [f64; 3], d: [[f64; 3]; 2]| PixelFootprint::of(self, at, d, &none).range;
        let ranges: Vec<[f64; 2]> = match self.op.lod {
            LodSource::Base | LodSource::Zero | LodSource::Explicit => return None,
            LodSource::Gradients => vec![self.lambda(lane, &none).range],
            LodSource::Quad => {
                let c = [0, 1, 2, 3].map(|k| self.differentiated(first + k));
                let minus = |a: usize, b: usize| std::array::from_fn(|axis| c[a][axis] - c[b][axis]);
                let pairs = [(1, 0), (3, 2)].into_iter().flat_map(|x| [(x, (2, 0)), (x, (3, 1))]);
                let all = pairs.flat_map(|(x, y)| {
                    [0, lane - first].map(|at| of(c[at], [minus(x.0, x.1), minus(y.0, y.1)]))
                });
                all.collect()
            }
        };
        let ranges = ranges.into_iter().chain(self.projected_range(lane)).collect::<Vec<_>>();
        let bias: f64 = self.biases(lane).iter().sum();
        // On a cube a device may take the derivatives at the direction of a lane or between those of two lanes: one level of margin.
        let cube = if self.surface.kind == SurfaceType::Cube { 1.0 } else { 0.0 };
        let low = ranges.iter().map(|range| range[0]).fold(f64::INFINITY, f64::min);
        let high = ranges.iter().map(|range| range[1]).fold(f64::NEG_INFINITY, f64::max);
        Some([low + bias - self.slack.lod - cube, high + bias + self.slack.lod + cube])
    }
}
