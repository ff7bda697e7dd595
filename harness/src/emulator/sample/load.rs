//! `ld`, `ld_lz`, `ld2dms*`, `ld2dss`, `ld_mcs` and the queries (sampling page, section 9).

use super::bound::BoundJob;
use super::ops::OpWork;
use crate::emulator::memory::{LaneMemory, TexelUse};
use crate::emulator::numbers::{Texel, little};
use crate::emulator::surface::SurfaceType;

/// Returns a coordinate from 0 to less than `limit`; `None`: it is out of range.
fn within(coordinate: i64, limit: u64) -> Option<u64> {
    u64::try_from(coordinate).ok().filter(|coordinate| *coordinate < limit)
}

impl BoundJob<'_> {
    /// Returns a texel, or a sample of one, at integer coordinates. Out of range it is 0 in the components that the format has.
    pub fn load(&self, memory: &LaneMemory<'_>, lane: usize) -> Texel {
        let format = self.surface.format.as_ref().expect("a format");
        let outside = format.with_defaults([0.0; 4]);
        let int = |name: &str| self.integer(lane, name);
        if matches!(self.surface.kind, SurfaceType::Buffer | SurfaceType::Strbuf) {
            let index = within(int("u"), self.surface.elements).filter(|_| int("lod") == 0);
            let Some(index) = index else { return outside };
            let (addresses, column) = self.surface.buffer_element(index);
            let bytes = memory.read(&addresses);
            let value = bytes.map_or(outside, |b| format.decode(&b, column, 0, &self.job.palette, false));
            let address = addresses.first().copied();
            memory.note(|| TexelUse { level: 0, slice: 0, x: index, y: 0, address, value, weight: 1.0 });
            return value;
        }
        let Some((mut x, mut y, mut slice, level)) = self.in_range(lane) else { return outside };
        if self.op.work == OpWork::LoadSample {
            // The sample index is unsigned (U03).
            let (sample, samples) = (u64::from(self.raw(lane, "si")), self.surface.samples);
            if sample >= samples {
                return outside;
            }
            let mut plane = sample;
            if self.op.name != "ld2dss" {
                let mcs = self.mcs(lane);
                // Without a control surface the field of a sample is a nibble (U24).
                let bits = self.surface.mcs.as_ref().map_or(4, |control| control.bits);
                let field = |s: u64| mcs >> (s * u64::from(bits)) & ((1 << bits) - 1);
                if self.surface.mcs.is_some() && (0..samples).all(|s| field(s) == (1 << bits) - 1) {
                    return self.clear(memory);
                }
                plane = field(sample);
            }
            if plane >= samples {
                return outside;
            }
            (x, y, slice) = self.surface.sample(slice, plane, x, y);
        }
        self.recorded(memory, level, Some((slice, x, y)), 1.0)
    }

    /// Returns x, y, slice and mip level of a load; `None`: one is out of range.
    pub fn in_range(&self, lane: usize) -> Option<(u64, u64, u64, u64)> {
        let level = within(self.integer(lane, "lod"), self.surface.levels)?;
        let size = self.surface.level(level);
        let coordinate = |a: usize, name: &str| self.integer(lane, name) + i64::from(self.job.offsets[a]);
        let layer = |name: &str| if self.surface.array { self.integer(lane, name) } else { 0 };
        let layers = self.surface.layers();
        let (x, y, z, limit) = match self.surface.kind {
            SurfaceType::D1 => (coordinate(0, "u"), 0, layer("v"), layers),
            SurfaceType::D3 => (coordinate(0, "u"), coordinate(1, "v"), coordinate(2, "r"), size[2]),
            _ => (coordinate(0, "u"), coordinate(1, "v"), layer("r"), layers),
        };
        Some((within(x, size[0])?, within(y, size[1])?, within(z, limit)?, level))
    }

    /// Returns the MCS value that the message carries.
    fn mcs(&self, lane: usize) -> u64 {
        let word = |name: &str| self.raw(lane, name);
        if self.job.half_params && self.op.name == "ld2dms_w" {
            (0..4).rev().fold(0u64, |v, k| v << 16 | u64::from(word(&format!("mcs{k}"))))
        } else {
            u64::from(word("mcs1")) << 32 | u64::from(word("mcs0"))
        }
    }

    /// Returns the clear colour as a texel of the surface's format (U26).
    pub fn clear(&self, memory: &LaneMemory<'_>) -> Texel {
        let format = self.surface.format.as_ref().expect("a format");
        let control = self.surface.mcs.as_ref().expect("a control surface");
        let Some(address) = control.clear_address else { return format.border(control.clear) };
        let addresses: Vec<u64> = (0..16).map(|byte| address + byte).collect();
        let Some(bytes) = memory.read(&addresses) else { return format.with_defaults([0.0; 4]) };
        format.border([0, 4, 8, 12].map(|at| little(&bytes[at..at + 4]) as u32))
    }

    /// Returns the MCS value of a texel, as channels: what the control surface holds (U25), or the identity (U24).
    pub fn load_mcs(&self, memory: &LaneMemory<'_>, lane: usize) -> [u32; 4] {
        let Some((x, y, layer, _)) = self.in_range(lane) else { return [0; 4] };
        let mcs = match self.surface.control(layer, x, y) {
            Some(addresses) => memory.read(&addresses).map_or(0, |bytes| little(&bytes)),
            None => (0..self.surface.samples).fold(0, |v, s| v | s << (4 * s)),
        };
        if self.job.half_return {
            [0, 16, 32, 48].map(|shift| (mcs >> shift) as u32 & 0xffff)
        } else {
            [mcs as u32, (mcs >> 32) as u32, 0, 0]
        }
    }

    /// Returns the sizes of a mip level and the number of levels (the table of the vendor's page, corrected by section 9).
    pub fn resinfo(&self, lane: usize) -> [u32; 4] {
        let surface = &self.surface;
        let lod = u64::from(self.raw(lane, "lod"));
        let levels = surface.levels as u32;
        if lod >= surface.levels {
            return [0, 0, 0, levels];
        }
        if matches!(surface.kind, SurfaceType::Buffer | SurfaceType::Strbuf) {
            return [surface.elements as u32, 0, 0, levels];
        }
        let [w, h, d] = surface.level(lod);
        let layers = if surface.array { surface.size[2] } else { 0 };
        let (quilt_w, quilt_h) = surface.quilt;
        let (r, g, b) = match surface.kind {
            SurfaceType::D1 => (w, layers, 0),
            SurfaceType::D3 => (w, h, d),
            SurfaceType::Cube => (w, h, layers),
            _ => (w * quilt_w, h * quilt_h, layers),
        };
        [r as u32, g as u32, b as u32, levels]
    }

    /// Returns the number of samples in R and the index of their position palette in A.
    pub fn sampleinfo(&self) -> [u32; 4] {
        [self.surface.samples as u32, 0, 0, self.surface.position_palette as u32]
    }
}
