//! `ld`, `ld_lz`, `ld2dms*`, `ld2dss`, `ld_mcs` and the queries (specification section 9).

use super::Bound;
use super::ops::Work;
use crate::emulator::formats::Texel;
use crate::emulator::memory::Memory;
use crate::emulator::surface::Type;

impl Bound<'_> {
    /// A texel at integer coordinates; `None` out of range.
    pub fn load(&self, memory: &Memory<'_>, lane: usize) -> Texel {
        let format = self.surface.format.as_ref().expect("a format");
        let outside = format.with_defaults([0.0; 4]);
        let int = |name: &str| self.integer(lane, name);
        if matches!(self.surface.kind, Type::Buffer | Type::Strbuf) {
            let index = int("u");
            if index < 0 || index as u64 >= self.surface.elements || int("lod") != 0 {
                return outside;
            }
            let (addresses, x) = self.surface.buffer_element(index as u64);
            let bytes = memory.read(&addresses);
            return bytes.map_or(outside, |b| format.decode(&b, x, 0, &self.job.palette, false));
        }
        let Some((x, y, z, level)) = self.in_range(lane) else { return outside };
        if self.op.work == Work::Load {
            return self.texel(memory, level, z, x, y, false);
        }
        let sample = int("si");
        let plane = if self.op.name == "ld2dss" { sample } else { self.mcs_plane(lane, sample) };
        let samples = self.surface.samples as i64;
        if !(0..samples).contains(&sample) || !(0..samples).contains(&plane) {
            return outside;
        }
        let (x, y, slice) = self.surface.sample(z, plane as u64, x, y);
        self.texel(memory, level, slice, x, y, false)
    }

    /// x, y, slice, level when all are in range.
    fn in_range(&self, lane: usize) -> Option<(u64, u64, u64, u64)> {
        let level = self.integer(lane, "lod");
        if level < 0 || level as u64 >= self.surface.levels {
            return None;
        }
        let size = self.surface.level(level as u64);
        let coordinate = |a: usize, name: &str| self.integer(lane, name) + i64::from(self.job.offsets[a]);
        let layer = |name: &str| if self.surface.array { self.integer(lane, name) } else { 0 };
        let layers = self.surface.layers();
        let (x, y, z, limit) = match self.surface.kind {
            Type::D1 => (coordinate(0, "u"), 0, layer("v"), layers),
            Type::D3 => (coordinate(0, "u"), coordinate(1, "v"), coordinate(2, "r"), size[2]),
            _ => (coordinate(0, "u"), coordinate(1, "v"), layer("r"), layers),
        };
        let inside = |v: i64, n: u64| v >= 0 && (v as u64) < n;
        let all = inside(x, size[0]) && inside(y, size[1]) && inside(z, limit);
        all.then_some((x as u64, y as u64, z as u64, level as u64))
    }

    fn mcs_plane(&self, lane: usize, sample: i64) -> i64 {
        if !(0..16).contains(&sample) {
            return -1;
        }
        let word = |name: &str| self.raw(lane, name);
        let mcs = if self.job.half_params && self.op.name == "ld2dms_w" {
            (0..4).rev().fold(0u64, |v, k| v << 16 | u64::from(word(&format!("mcs{k}"))))
        } else {
            u64::from(word("mcs1")) << 32 | u64::from(word("mcs0"))
        };
        (mcs >> (4 * sample) & 15) as i64
    }

    /// The identity MCS value.
    pub fn load_mcs(&self, lane: usize) -> [u32; 4] {
        if self.in_range(lane).is_none() {
            return [0; 4];
        }
        let identity = (0..self.surface.samples).fold(0u64, |v, s| v | s << (4 * s));
        if self.job.half_return {
            [0, 16, 32, 48].map(|shift| (identity >> shift) as u32 & 0xffff)
        } else {
            [identity as u32, (identity >> 32) as u32, 0, 0]
        }
    }

    /// Sizes of a level (seed table, with the page's corrections).
    pub fn resinfo(&self, lane: usize) -> [u32; 4] {
        let surface = &self.surface;
        let lod = u64::from(self.raw(lane, "lod"));
        let levels = surface.levels as u32;
        if lod >= surface.levels {
            return [0, 0, 0, levels];
        }
        if matches!(surface.kind, Type::Buffer | Type::Strbuf) {
            return [surface.elements as u32, 0, 0, levels];
        }
        let [w, h, d] = surface.level(lod);
        let layers = if surface.array { surface.size[2] } else { 0 };
        let (quilt_w, quilt_h) = surface.quilt;
        let (r, g, b) = match surface.kind {
            Type::D1 => (w, layers, 0),
            Type::D3 => (w, h, d),
            Type::Cube => (w, h, layers),
            _ => (w * quilt_w, h * quilt_h, layers),
        };
        [r as u32, g as u32, b as u32, levels]
    }

    /// Samples and their position palette.
    pub fn sampleinfo(&self) -> [u32; 4] {
        [self.surface.samples as u32, 0, 0, self.surface.position_palette as u32]
    }
}
