//! Texels of one mip level: address, memory, decoding, border, filter footprint (sampling page, sections 4, 6 and 13).

use super::axis::{Axis, AxisTexel, CLAMP, CUBE};
use super::bound::BoundJob;
use super::cube::{Projection, direction, neighbour};
use super::nudge::{Nudge, Way, corner_bound, texel_bound};
use super::sampler::Filter;
use crate::emulator::formats::Codec;
use crate::emulator::memory::{LaneMemory, TexelUse};
use crate::emulator::numbers::{Texel, little};
use crate::emulator::surface::SurfaceType;
use crate::engine::Precision;

/// The position at which a lane, or one tap of it, samples.
#[derive(Clone, Copy, Debug)]
pub struct TapPosition {
    /// u, v, r; 0 along axes that the surface does not have.
    pub at: [f64; 3],
    /// Array layer; of cube arrays the cube.
    pub layer: u64,
    /// Texel offsets.
    pub offset: [i64; 3],
    /// Magnitudes of the derivative along which anisotropic taps were moved to `at`: they enlarge the rounding bound.
    pub spread: [f64; 3],
    /// Number of taps of the anisotropic footprint.
    pub taps: u32,
    /// The reference that texels are compared with.
    pub reference: f64,
}

/// A mip level and how it is filtered.
#[derive(Clone, Copy, Debug)]
pub struct LevelUse {
    /// Mip level of the view.
    pub level: u64,
    /// 0 for the first level of a mip pair, 1 for the second.
    pub slot: usize,
    /// The footprint is that of LINEAR, else of NEAREST.
    pub linear: bool,
    /// Address rounding enables of U, V, R.
    pub rounding: [bool; 3],
}

impl BoundJob<'_> {
    /// Reads and decodes a texel of the surface, without the sRGB curve if `skip_srgb`. On a null page or unmapped it is 0 in the
    /// components that the format has (U19).
    pub fn texel(
        &self,
        memory: &LaneMemory<'_>,
        level: u64,
        slice: u64,
        x: u64,
        y: u64,
        skip_srgb: bool,
    ) -> Texel {
        let format = self.surface.format.as_ref().expect("a format");
        if let Codec::Planar(bytes) = format.codec {
            let planes = self.surface.planes(slice, x, y, bytes as u64);
            let read = planes.map(|plane| memory.read(&plane).map(|bytes| little(&bytes)));
            return match read {
                [Some(y), Some(cb), Some(cr)] => format.planar([y, cb, cr], bytes),
                _ => format.with_defaults([0.0; 4]),
            };
        }
        let (addresses, bx, by) = self.surface.element(level, slice, x, y);
        match memory.read(&addresses) {
            Some(bytes) => format.decode(&bytes, bx, by, &self.job.palette, skip_srgb),
            None => format.with_defaults([0.0; 4]),
        }
    }

    /// Reads a texel and records it with its weight. `position`: slice, column, row; `None`: the border colour.
    pub(super) fn recorded(
        &self,
        memory: &LaneMemory<'_>,
        level: u64,
        position: Option<(u64, u64, u64)>,
        weight: f64,
    ) -> Texel {
        let value = position.map_or(self.border, |(slice, x, y)| {
            self.texel(memory, level, slice, x, y, self.sampler.skip_srgb)
        });
        memory.note(|| {
            let (slice, x, y) = position.unwrap_or_default();
            let address = position.map(|_| self.surface.element(level, slice, x, y).0[0]);
            TexelUse { level, slice, x, y, address, value, weight }
        });
        value
    }

    /// Returns the texels that the filter reads in a mip level, with their weights: x fastest, then y, then z (gather4 puts
    /// them in the order of section 8).
    pub fn footprint(
        &self,
        memory: &LaneMemory<'_>,
        position: &TapPosition,
        what: LevelUse,
        nudge: &Nudge,
    ) -> Vec<(Texel, f64)> {
        match self.surface.kind {
            SurfaceType::Cube => self.cube_footprint(memory, position, what, nudge),
            _ => self.plain_footprint(memory, position, what, nudge),
        }
    }

    /// Returns axis `a` of the mip level; `linear`: with two texels.
    fn axis(&self, position: &TapPosition, what: LevelUse, nudge: &Nudge, a: usize, linear: bool) -> Axis {
        let size = self.surface.level(what.level)[a];
        let normalized = !self.sampler.non_normalized;
        let scale = if normalized { size as f64 } else { 1.0 };
        Axis {
            size: size as i64,
            mode: self.sampler.modes[a],
            linear,
            offset: position.offset[a],
            fixed: (self.precision == Precision::Fixed8).then_some(what.rounding[a]),
            normalized,
            way: nudge.texel[what.slot][a],
            bound: texel_bound((position.at[a].abs() + position.spread[a]) * scale),
            slack: self.slack.texel,
        }
    }

    fn plain_footprint(
        &self,
        memory: &LaneMemory<'_>,
        position: &TapPosition,
        what: LevelUse,
        nudge: &Nudge,
    ) -> Vec<(Texel, f64)> {
        let axes = self.axes();
        // gather4 takes one slice of a 3D surface (U17).
        let flat = |a: usize| self.gathers() && a == 2;
        let on_axis: [Vec<AxisTexel>; 3] = std::array::from_fn(|a| {
            if a >= axes {
                return vec![(Some(0), 1.0)];
            }
            let axis = self.axis(position, what, nudge, a, what.linear && !flat(a));
            memory.slope.set(memory.slope.get() + axis.slope(position.at[a], position.taps > 1));
            if position.taps > 1 && axis.texels_uncertain(position.at[a]) {
                memory.unconditioned.set(true);
            }
            axis.texels(position.at[a])
        });
        let mut texels = Vec::new();
        for &(z, wz) in &on_axis[2] {
            for &(y, wy) in &on_axis[1] {
                for &(x, wx) in &on_axis[0] {
                    let slice = |z| if axes == 3 { z as u64 } else { position.layer };
                    let inside = x.zip(y).zip(z).map(|((x, y), z)| (slice(z), x as u64, y as u64));
                    let weight = wx * wy * wz;
                    texels.push((self.recorded(memory, what.level, inside, weight), weight));
                }
            }
        }
        texels
    }

    fn cube_footprint(
        &self,
        memory: &LaneMemory<'_>,
        position: &TapPosition,
        what: LevelUse,
        nudge: &Nudge,
    ) -> Vec<(Texel, f64)> {
        let projection = Projection::of(direction(position.at));
        let seamless = self.sampler.cube_override || self.sampler.modes[0] == CUBE;
        let (st, rounded) = (projection.coordinates(), projection.rounded_coordinates());
        let n = self.surface.level(what.level)[0] as i64;
        let splits: [(i64, f64); 2] = std::array::from_fn(|a| {
            let axis = self.axis(position, what, nudge, a, what.linear);
            // The projection's division and halving are rounded, too: their error scales with the size of a face.
            let bound = texel_bound(4.0 * n as f64);
            let axis = Axis { mode: CLAMP, offset: 0, normalized: true, bound, size: n, ..axis };
            memory.slope.set(memory.slope.get() + axis.slope(st[a], false));
            axis.split(if axis.way == Way::Rounded { rounded[a] } else { st[a] })
        });
        let read = |(face, i, j): (u64, i64, i64), weight: f64| {
            let inside = (position.layer * 6 + face, i as u64, j as u64);
            self.recorded(memory, what.level, Some(inside), weight)
        };
        let [(i0, a), (j0, b)] = splits;
        let hold = |k: i64| k.clamp(0, n - 1);
        if !what.linear {
            return vec![(read((projection.face, hold(i0), hold(j0)), 1.0), 1.0)];
        }
        let corners = [(i0, j0), (i0 + 1, j0), (i0, j0 + 1), (i0 + 1, j0 + 1)];
        let outside = |k: i64| k < 0 || k >= n;
        let places = corners.map(|(i, j)| {
            if !seamless {
                return Some((projection.face, hold(i), hold(j)));
            }
            if outside(i) && outside(j) {
                return None;
            }
            Some(neighbour(projection.face, i, j, n))
        });
        let weights = [(1.0 - a) * (1.0 - b), a * (1.0 - b), (1.0 - a) * b, a * b];
        let texels = [0, 1, 2, 3].map(|k| places[k].map(|place| read(place, weights[k])));
        let others: Vec<Texel> = texels.iter().copied().flatten().collect();
        let corner = || self.corner(&others, position.reference, nudge.corner);
        texels.into_iter().map(|texel| texel.unwrap_or_else(corner)).zip(weights).collect()
    }

    /// Returns the missing corner texel of a cube (section 6), its red component moved by `way` before it is compared.
    fn corner(&self, others: &[Texel], reference: f64, way: Way) -> Texel {
        let mean = self.average(others);
        let largest = others.iter().fold(0.0_f64, |most, texel| most.max(texel[0].abs()));
        let bound = corner_bound(largest) + self.slack.value;
        let red = match way {
            Way::Exact => return mean,
            Way::Rounded if (mean[0] - reference).abs() <= bound => reference,
            Way::Rounded => mean[0],
            Way::Up | Way::Down => mean[0] + way.sign() * bound,
        };
        [red, mean[1], mean[2], mean[3]]
    }

    /// Returns the mean of the three texels at a cube's corner, of integers rounded toward zero (U22).
    fn average(&self, others: &[Texel]) -> Texel {
        let format = self.surface.format.as_ref().expect("a format");
        std::array::from_fn(|c| {
            let values = others.iter().map(|t| t[c]);
            if !format.integer {
                return values.sum::<f64>() / 3.0;
            }
            let number = |v: f64| if format.signed { i64::from(v as u32 as i32) } else { v as i64 };
            let sum: i64 = values.map(number).sum();
            f64::from((sum / 3) as u32)
        })
    }

    /// Returns the filter in use when magnified or minified: the sampler's, or what it is reduced to on this surface (section 4, U14).
    pub fn filter(&self, mag: bool) -> Filter {
        match self.sampler.filter[usize::from(!mag)] {
            _ if self.surface.is_integer() => Filter::Nearest,
            Filter::Anisotropic if !self.anisotropic() || !self.derivatives() => Filter::Linear,
            filter => filter,
        }
    }

    /// Returns true if an ANISOTROPIC filter may be anisotropic on this surface: 1D or 2D, with normalized coordinates, and no integer
    /// format (section 4, U14).
    pub(super) fn anisotropic(&self) -> bool {
        matches!(self.surface.kind, SurfaceType::D1 | SurfaceType::D2)
            && !self.sampler.non_normalized
            && !self.surface.is_integer()
    }
}
