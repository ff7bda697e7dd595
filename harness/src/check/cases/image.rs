//! Makes surfaces from packed levels: the state, and memory with every element at the address that the state gives it.

use crate::containers::limits::PictureLimits;
use crate::emulator::formats::{self, Format};
use crate::emulator::state::set_surface;
use crate::emulator::surface::{Surface, SurfaceType};
use crate::engine::Region;

/// The type, format, size and tiling of a surface.
#[derive(Clone, Debug)]
pub struct SurfaceSpec<'a> {
    /// 1D, 2D, 3D, CUBE with or without `_ARRAY`.
    pub kind: &'a str,
    /// SURFACE_FORMAT name.
    pub format: &'a str,
    /// Width of level 0, in texels.
    pub width: u64,
    /// Height of level 0, in texels; 1 for 1D.
    pub height: u64,
    /// Slices of level 0 of a 3D surface, else 1.
    pub depth: u64,
    /// Array layers, 6 per cube.
    pub layers: u64,
    /// Levels in memory.
    pub mips: u64,
    /// Tile Mode code.
    pub tile: u64,
}

/// Base address of every image.
pub const BASE: u64 = 0x1_0000;

impl SurfaceSpec<'_> {
    /// Returns the state, with a view of all levels and layers.
    ///
    /// # Errors
    /// The kind or format is unknown, or a field of the state does not hold a size.
    pub fn state(&self) -> Result<[u32; 16], String> {
        let code = formats::code(self.format).ok_or_else(|| format!("unknown format {}", self.format))?;
        let format = Format::of(code)?;
        let base = self.kind.split('_').next().unwrap_or_default();
        let kind = ["1D", "2D", "3D", "CUBE"]
            .iter()
            .position(|k| *k == base)
            .ok_or_else(|| format!("unknown surface type {}", self.kind))? as u64;
        let depth = match kind {
            2 => self.depth,
            3 => self.layers.div_ceil(6),
            _ => self.layers,
        };
        let field = |size: u64| u32::try_from(size).unwrap_or(u32::MAX);
        let limits = PictureLimits::default();
        limits.size([self.width, self.height, depth].map(field))?;
        limits.levels(field(self.mips))?;
        let (bw, bh) = (format.block.0 as u64, format.block.1 as u64);
        let up = |x: u64, to: u64| x.div_ceil(to) * to;
        let level = |size: u64, l: u64| (size >> l).max(1);
        // Sizes in elements, aligned to 4: level 1 is below level 0, all further levels are in a column to the right of level 1.
        let columns = |l| up(level(self.width, l).div_ceil(bw), 4);
        let rows = |l| up(level(self.height, l).div_ceil(bh), 4);
        let widest = columns(0).max(columns(1) + columns(2));
        let column: u64 = (2..self.mips.max(2)).map(rows).sum();
        let tallest = if self.mips > 1 { rows(0) + rows(1).max(column) } else { rows(0) };
        let one_row: u64 = (0..self.mips).map(|l| up(level(self.width, l).div_ceil(bw), 64)).sum();
        let (tile_width, tile_height) = [(1, 1), (128, 64), (512, 8), (128, 32)][self.tile as usize % 4];
        let pitch = up(widest * format.bytes as u64, tile_width);
        let qpitch = if kind == 0 && self.tile == 0 { one_row } else { up(tallest, tile_height.max(4)) };
        let mut state = [0; 16];
        for (name, value) in [
            ("Surface Type", kind),
            ("Surface Array", u64::from(self.kind.ends_with("_ARRAY"))),
            ("Surface Format", code),
            ("Surface Horizontal Alignment", 1),
            ("Surface Vertical Alignment", 1),
            ("Tile Mode", self.tile),
            ("Surface QPitch", qpitch / 4),
            ("Width", self.width - 1),
            ("Height", self.height - 1),
            ("Depth", depth - 1),
            ("Surface Pitch", pitch - 1),
            ("MIP Count / LOD", self.mips - 1),
            ("Mip Tail Start LOD", 15),
            ("Surface Base Address", BASE),
            ("Shader Channel Select Red", 4),
            ("Shader Channel Select Green", 5),
            ("Shader Channel Select Blue", 6),
            ("Shader Channel Select Alpha", 7),
        ] {
            set_surface(&mut state, name, value);
        }
        for face in ["Positive", "Negative"] {
            for axis in ["X", "Y", "Z"] {
                set_surface(&mut state, &format!("Cube Face Enable - {face} {axis}"), 1);
            }
        }
        Ok(state)
    }

    /// Returns memory that holds `levels`, each of which is packed layer by layer (z by z), row by row of elements.
    ///
    /// # Errors
    /// The state is refused, or a level is too short.
    pub fn memory(&self, state: &[u32; 16], levels: &[Vec<u8>]) -> Result<Region, String> {
        let surface = Surface::of(state, 11)?;
        let format = surface.format.as_ref().ok_or("no format")?;
        let (bw, bh) = (format.block.0 as u64, format.block.1 as u64);
        let mut bytes = Vec::new();
        for (level, data) in (0..).zip(levels) {
            let [w, h, d] = surface.level(level);
            let slices = if surface.kind == SurfaceType::D3 { d } else { self.layers };
            let mut source = data.chunks(format.bytes);
            for slice in 0..slices {
                for y in 0..h.div_ceil(bh) {
                    for x in 0..w.div_ceil(bw) {
                        let element = source.next().ok_or_else(|| format!("level {level} is too short"))?;
                        let (addresses, ..) = surface.element(level, slice, x * bw, y * bh);
                        for (address, byte) in addresses.iter().zip(element) {
                            let at = (address - BASE) as usize;
                            if bytes.len() <= at {
                                bytes.resize(at + 1, 0);
                            }
                            bytes[at] = *byte;
                        }
                    }
                }
            }
        }
        Ok(Region { address: BASE, bytes })
    }
}
