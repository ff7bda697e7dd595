//! The parameters of a lane, by name (sampling page, sections 5, 7 and 8).

use super::bound::BoundJob;
use crate::emulator::numbers::float;
use crate::emulator::state::signed;
use crate::emulator::surface::SurfaceType;

/// Returns the array layer of an array index: rounded to nearest even and clamped to the layers (section 7); NaN is 0 (U06).
pub fn layer_of(index: f64, layers: u64) -> u64 {
    let index = if index.is_nan() { 0.0 } else { index.round_ties_even() };
    index.clamp(0.0, (layers - 1) as f64) as u64
}

impl BoundJob<'_> {
    /// Returns the bits of parameter `name` in `lane`; 0 if the message does not have the parameter or the lane (U07).
    pub fn raw(&self, lane: usize, name: &str) -> u32 {
        if lane >= self.job.simd.into() {
            return 0;
        }
        let index = self.names.iter().position(|p| *p == name);
        let bits = index.and_then(|i| self.job.params.get(i)?.get(lane)).copied().unwrap_or(0);
        if self.job.half_params { bits & 0xffff } else { bits }
    }

    /// Returns a float parameter.
    pub fn float(&self, lane: usize, name: &str) -> f64 {
        float(self.raw(lane, name), self.job.half_params)
    }

    /// Returns a signed integer parameter (U03).
    pub fn integer(&self, lane: usize, name: &str) -> i64 {
        signed(self.raw(lane, name).into(), if self.job.half_params { 16 } else { 32 })
    }

    /// Returns u, v, r; 0 for those that are not coordinates of this surface.
    pub(super) fn coordinates(&self, lane: usize) -> [f64; 3] {
        let axes = match self.surface.kind {
            SurfaceType::D1 => 1,
            SurfaceType::D2 => 2,
            _ => 3,
        };
        std::array::from_fn(|a| if a < axes { self.float(lane, ["u", "v", "r"][a]) } else { 0.0 })
    }

    /// Returns the array layer that the lane reads, of cube arrays the cube (section 7).
    pub(super) fn layer(&self, lane: usize) -> u64 {
        let index = if self.surface.array { self.array_index(lane) } else { 0.0 };
        layer_of(index, self.surface.layers())
    }

    /// Returns the array index of the lane, before it is rounded.
    pub(super) fn array_index(&self, lane: usize) -> f64 {
        let name = match self.surface.kind {
            SurfaceType::D1 => "v",
            SurfaceType::D2 => "r",
            _ => "ai",
        };
        self.float(lane, name)
    }

    /// Returns the programmable texel offsets or else the immediate ones (U01, U02); 0 on a cube.
    pub(super) fn offsets(&self, lane: usize) -> [i64; 3] {
        if self.surface.kind == SurfaceType::Cube {
            return [0; 3];
        }
        let six = |bits: u32| signed(u64::from(bits & 63), 6);
        for name in &self.names {
            let bits = self.raw(lane, name);
            if name.contains("offuv") {
                return [six(bits), six(bits >> 6), 0];
            }
            if *name == "offu" {
                return [six(bits), six(self.raw(lane, "offv")), 0];
            }
        }
        self.job.offsets.map(i64::from)
    }

    /// Returns the LOD or bias `name` of the message, which may share its parameter with offsets (U01); 0 if there is none.
    pub(super) fn level_param(&self, lane: usize, name: &str) -> f64 {
        match self.names.iter().find(|p| p.starts_with(name)) {
            Some(p) if p.ends_with("offuv") => float(self.raw(lane, p) & !0xfff, self.job.half_params),
            Some(p) => self.float(lane, p),
            None => 0.0,
        }
    }

    /// Returns the reference of a comparison, clamped to 0..=1 for UNORM formats (section 5).
    pub fn reference(&self, lane: usize) -> f64 {
        let value = self.float(lane, "ref");
        let unorm = self.surface.format.as_ref().is_some_and(|f| f.unorm);
        if unorm && !value.is_nan() { value.clamp(0.0, 1.0) } else { value }
    }

    /// Returns true if the message carries parameter `name`.
    pub(super) fn has(&self, name: &str) -> bool {
        let index = self.names.iter().position(|p| *p == name);
        index.is_some_and(|i| i < self.job.params.len())
    }
}
