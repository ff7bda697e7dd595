//! The surface that a RENDER_SURFACE_STATE describes: sizes, view, placement of mip levels and slices, tilings
//! (gen-state page, sections 2 and 5; astc-and-tiles page, sections 4, 6 and 7), in plain arithmetic.

use super::formats::{Codec, Format};
use super::state::surface as field;
use super::tiles::Tile;

/// Surface Type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SurfaceType {
    D1,
    D2,
    D3,
    Cube,
    Buffer,
    Strbuf,
    Null,
}

/// A decoded surface.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Surface Type.
    pub kind: SurfaceType,
    /// Surface Array.
    pub array: bool,
    /// `None` for NULL surfaces.
    pub format: Option<Format>,
    /// Width and height of mip level 0 in memory, in texels (1D: height 1); depth of a 3D surface, else number of layers (of cubes).
    /// Of a BUFFER or STRBUF without meaning: see `elements`.
    pub size: [u64; 3],
    /// Number of texels that a BUFFER or STRBUF has.
    pub elements: u64,
    pitch: u64,
    qpitch: u64,
    align: (u64, u64),
    tile: u64,
    /// The tile of a tiled resource, and the first level in memory that is in its mip tail (`u64::MAX`: no tail).
    standard: Option<(Tile, u64)>,
    origin: (u64, u64),
    /// The first line in memory and the step from line to line: those of a field of an interlaced picture; else (0, 1).
    lines: (u64, u64),
    /// Number of samples of a texel.
    pub samples: u64,
    interleaved: bool,
    min_element: u64,
    /// Number of mip levels of the view.
    pub levels: u64,
    /// The mip level in memory that is the view's level 0.
    pub base_level: u64,
    /// Resource Min LOD.
    pub resource_min_lod: f64,
    /// Shader channel selects of R, G, B, A.
    pub select: [u64; 4],
    base_address: u64,
    /// Quilt width and height.
    pub quilt: (u64, u64),
    /// Palette index of the sample positions.
    pub position_palette: u64,
    /// Origin of the chroma plane in luma texels and rows.
    chroma: (u64, u64),
    separate_chroma: bool,
    /// The multisample control surface.
    pub mcs: Option<Mcs>,
}

/// A multisample control surface: an element for each texel.
#[derive(Clone, Debug)]
pub struct Mcs {
    address: u64,
    pitch: u64,
    qpitch: u64,
    /// Bytes of an element.
    bytes: u64,
    /// Bits of the field that names the plane of one sample.
    pub bits: u32,
    /// The clear colour, unless `clear_address` is given.
    pub clear: [u32; 4],
    /// Address of the clear colour, if it is in memory.
    pub clear_address: Option<u64>,
}

impl Mcs {
    /// Decodes the control surface of a state; `None`: its auxiliary surface is not one. The number of samples decides the size of an
    /// element and its fields (U25).
    fn of(state: &[u32; 16]) -> Option<Self> {
        let get = |name| field(state, name);
        let (bytes, bits) = [(0, 0), (1, 1), (1, 2), (4, 4), (8, 4), (0, 0), (0, 0), (0, 0)]
            [get("Number of Multisamples") as usize];
        let planes = get("Surface Type") == 1 && get("Multisampled Surface Storage Format") == 0;
        let in_memory = get("Clear Value Address Enable") == 1;
        (get("Auxiliary Surface Mode") == 1 && planes && bytes > 0).then(|| Mcs {
            address: get("Auxiliary Surface Base Address") << 12,
            pitch: (get("Auxiliary Surface Pitch") + 1) * 128,
            qpitch: get("Auxiliary Surface QPitch") * 4,
            bytes,
            bits,
            clear: ["Red", "Green", "Blue", "Alpha"]
                .map(|c| field(state, &format!("{c} Clear Color")) as u32),
            clear_address: in_memory.then(|| get("Clear Value Address") << 6),
        })
    }

    /// Returns the addresses of the bytes of the element of texel (x, y). The control surface is Y-major.
    pub fn element(&self, slice: u64, x: u64, y: u64) -> Vec<u64> {
        let offset = |byte| y_major(self.pitch, x * self.bytes + byte, slice * self.qpitch + y);
        (0..self.bytes).map(|byte| self.address.wrapping_add(offset(byte))).collect()
    }
}

impl Surface {
    /// Decodes and checks the state of a surface for a platform (9, 11, 12).
    ///
    /// # Errors
    /// What [`super`] lists as refused, in words.
    pub fn of(state: &[u32; 16], platform: u8) -> Result<Self, String> {
        let get = |name| field(state, name);
        let kind = match get("Surface Type") {
            0 => SurfaceType::D1,
            1 => SurfaceType::D2,
            2 => SurfaceType::D3,
            3 => SurfaceType::Cube,
            4 => SurfaceType::Buffer,
            5 => SurfaceType::Strbuf,
            7 => SurfaceType::Null,
            _ => return Err("reserved surface type 6".into()),
        };
        let elements = (get("Width") % 128 | get("Height") << 7 | (get("Depth") % 1024) << 21) + 1;
        let select =
            ["Red", "Green", "Blue", "Alpha"].map(|c| field(state, &format!("Shader Channel Select {c}")));
        let align = |name| [0, 4, 8, 16][get(name) as usize];
        let buffer = matches!(kind, SurfaceType::Buffer | SurfaceType::Strbuf);
        let mut surface = Surface {
            kind,
            array: get("Surface Array") == 1,
            format: if kind == SurfaceType::Null { None } else { Some(Format::of(get("Surface Format"))?) },
            size: [
                get("Width") + 1,
                if kind == SurfaceType::D1 { 1 } else { get("Height") + 1 },
                get("Depth") + 1,
            ],
            elements,
            pitch: get("Surface Pitch") + 1,
            qpitch: get("Surface QPitch") * 4,
            align: (align("Surface Horizontal Alignment"), align("Surface Vertical Alignment")),
            tile: get("Tile Mode"),
            standard: None,
            origin: (get("X Offset") * 4, get("Y Offset") * 4),
            lines: match get("Vertical Line Stride") {
                0 => (0, 1),
                _ => (get("Vertical Line Stride Offset"), 2),
            },
            samples: 1 << get("Number of Multisamples"),
            interleaved: get("Multisampled Surface Storage Format") == 1,
            min_element: get("Minimum Array Element"),
            levels: if buffer { 1 } else { get("MIP Count / LOD") + 1 },
            base_level: get("Surface Min LOD"),
            resource_min_lod: get("Resource Min LOD") as f64 / 256.0,
            select,
            base_address: get("Surface Base Address"),
            quilt: (get("Quilt Width") + 1, get("Quilt Height") + 1),
            position_palette: get("Multisample Position Palette Index"),
            chroma: (get("X Offset for U or UV Plane"), get("Y Offset for U or UV Plane")),
            separate_chroma: get("Separate UV Plane Enable") == 1,
            mcs: Mcs::of(state),
        };
        surface.judge(state)?;
        if kind != SurfaceType::Null && get("Tiled Resource Mode") != 0 {
            surface.standard = Some(surface.tiled_resource(state, platform)?);
        }
        Ok(surface)
    }

    fn judge(&self, state: &[u32; 16]) -> Result<(), String> {
        let Some(format) = &self.format else { return Ok(()) };
        let planar = matches!(format.codec, Codec::Planar(_));
        let multisampled = self.samples > 1;
        let buffer = matches!(self.kind, SurfaceType::Buffer | SurfaceType::Strbuf);
        let leveled = self.base_level + self.levels > 1;
        // Mip levels of tiled resources are aligned to tiles: the alignment fields are ignored.
        let aligned = field(state, "Tiled Resource Mode") == 0;
        let rules = [
            (self.select.iter().any(|s| [2, 3].contains(s)), "reserved shader channel select"),
            (field(state, "Number of Multisamples") > 4, "reserved number of multisamples"),
            (!buffer && self.base_level + self.levels > 15, "a surface has at most 15 levels"),
            (
                self.kind == SurfaceType::Cube && self.size[0] != self.size[1],
                "the faces of a cube are square",
            ),
            (planar && self.tile == 1, "planar formats are not W-major"),
            (
                planar && self.tile != 0 && (self.origin.0 + self.chroma.0) % 2 == 1,
                "a pair of a tiled chroma plane starts at an even column",
            ),
            (planar && self.separate_chroma, "separate U and V planes are not supported"),
            (!buffer && self.tile == 1 && format.bytes != 1, "W-major elements are one byte"),
            (
                !planar && self.mcs.is_none() && field(state, "Auxiliary Surface Mode") != 0,
                "no auxiliary surface but the control surface of planes of samples is supported",
            ),
            (
                !buffer
                    && !self.linear_1d()
                    && aligned
                    && leveled
                    && (self.align.0 == 0 || self.align.1 == 0),
                "reserved surface alignment",
            ),
            (!buffer && field(state, "Base Mip Level") != 0, "a base mip level is not supported"),
            (
                field(state, "Memory Compression Enable") != 0,
                "the codes of memory compression are not published",
            ),
            (
                self.origin != (0, 0)
                    && !(self.one_picture()
                        && self.tile != 0
                        && !self.array
                        && steps(self.origin.0, format.bytes)),
                "X and Y offset are for one slice of one level in tiles, in steps",
            ),
            (
                self.lines.1 == 2 && !(self.one_picture() && format.block.1 == 1 && !planar),
                "a line stride is for one level of texels",
            ),
            (
                (self.origin != (0, 0) || self.lines.1 == 2) && field(state, "Tiled Resource Mode") != 0,
                "tiled resources have no offsets and no line stride",
            ),
            (
                !planar
                    && (self.origin != (0, 0) || self.lines.1 == 2)
                    && field(state, "Auxiliary Surface Mode") != 0,
                "offsets and line strides are for surfaces without an auxiliary one",
            ),
            (
                planar && (self.kind != SurfaceType::D2 || self.layers() > 1 || leveled || multisampled),
                "planar formats are 2D without levels, layers and samples",
            ),
            (
                !buffer && multisampled && (self.kind != SurfaceType::D2 || leveled),
                "multisampled surfaces are 2D without levels",
            ),
        ];
        match rules.iter().find(|(broken, _)| *broken) {
            Some((_, why)) => Err((*why).to_owned()),
            None => Ok(()),
        }
    }

    /// Returns the tile of a tiled resource and the first level of its mip tail (`u64::MAX`: no tail), or why the surface cannot be one
    /// (astc-and-tiles page, section 4.1).
    fn tiled_resource(&self, state: &[u32; 16], platform: u8) -> Result<(Tile, u64), String> {
        let format = self.format.as_ref().ok_or("no format")?;
        let (mode, later) = (field(state, "Tiled Resource Mode"), platform > 9);
        let planes = self.samples > 1 && !self.interleaved;
        let dimensions = match self.kind {
            SurfaceType::D1 => 1,
            SurfaceType::D3 => 3,
            _ => 2,
        };
        let samples = if planes { self.samples } else { 1 };
        let tile = Tile::new(mode == 2, dimensions, format.bytes as u64, samples, later);
        let tile = tile.ok_or("tiled resources have elements of 8 to 128 bits")?;
        let start = field(state, "Mip Tail Start LOD");
        let last = self.base_level + self.levels - 1;
        let tail = start < 15 && last >= start;
        let rules = [
            (mode == 3, "reserved tiled resource mode"),
            (self.tile != 3, "tiled resources are Y-major"),
            (
                matches!(self.kind, SurfaceType::Buffer | SurfaceType::Strbuf),
                "buffers are no tiled resources",
            ),
            (self.kind == SurfaceType::D1 && later, "there are no 1D tiled resources from Gen11 on"),
            (planes && mode == 1 && !later, "Gen9 has no Yf with planes of samples"),
            (!self.base_address.is_multiple_of(tile.bytes()), "a tiled resource starts with a tile"),
            (!self.pitch.is_multiple_of(tile.width()), "the pitch of a tiled resource is in tiles"),
            (!self.qpitch.is_multiple_of(tile.rows()), "QPitch of a tiled resource is in tiles"),
            (tail && self.samples > 1, "multisampled surfaces have no mip tail"),
            (tail && matches!(format.codec, Codec::Planar(_)), "planar surfaces have no mip tail"),
            (tail && tile.slot(last - start).is_none(), "the mip tail has more levels than slots"),
        ];
        match rules.iter().find(|(broken, _)| *broken) {
            Some((_, why)) => Err((*why).to_owned()),
            None => Ok((tile, if tail { start } else { u64::MAX })),
        }
    }

    /// Returns true for 2D surfaces with one mip level and one sample.
    fn one_picture(&self) -> bool {
        self.kind == SurfaceType::D2 && self.base_level + self.levels == 1 && self.samples == 1
    }

    /// Returns true if texels are raw integers, which are never filtered.
    pub fn is_integer(&self) -> bool {
        self.format.as_ref().is_some_and(|format| format.integer)
    }

    fn linear_1d(&self) -> bool {
        self.kind == SurfaceType::D1 && self.tile == 0
    }

    /// Returns the number of array layers (of cubes) that a message can name.
    pub fn layers(&self) -> u64 {
        if self.array && self.kind != SurfaceType::D3 { self.size[2] } else { 1 }
    }

    /// Returns width, height and depth of mip level `lod` of the view, in texels; only 3D surfaces have a depth other than 1.
    pub fn level(&self, lod: u64) -> [u64; 3] {
        let physical = self.base_level + lod;
        let depth = if self.kind == SurfaceType::D3 { self.size[2] } else { 1 };
        [self.size[0], self.size[1], depth].map(|size| minify(size, physical))
    }

    /// Returns the addresses of the bytes of the element that holds texel (x, y), and the texel's column and row in the element.
    ///
    /// `lod` is the mip level of the view. `slice` is the layer, `layer * 6 + face`, z, or `layer * samples + sample`, counted from
    /// the view's first one.
    pub fn element(&self, lod: u64, slice: u64, x: u64, y: u64) -> (Vec<u64>, usize, usize) {
        let format = self.format.as_ref().expect("a format");
        let (bw, bh) = (format.block.0 as u64, format.block.1 as u64);
        let inside = ((x % bw) as usize, (y % bh) as usize);
        let bytes = format.bytes as u64;
        // Minimum Array Element is added to the layer (face), and a layer of an MSS surface has a slice for each sample.
        let each = if self.interleaved { 1 } else { self.samples };
        let slice = if self.kind == SurfaceType::D3 { slice } else { slice + self.min_element * each };
        let (column, row, deep) = self.place(self.base_level + lod, slice, (bw, bh));
        let (first, step) = self.lines;
        let at = |byte| self.address((column + x / bw) * bytes + byte, row + first + y / bh * step, deep);
        ((0..bytes).map(at).collect(), inside.0, inside.1)
    }

    /// Returns the addresses of Y, Cb and Cr of texel (x, y) of a planar surface: a full-size luma plane, then a chroma plane of half size
    /// with pairs (Cb, Cr) (U28). `bytes`: bytes of one of the three.
    pub fn planes(&self, slice: u64, x: u64, y: u64, bytes: u64) -> [Vec<u64>; 3] {
        let (column, row, _) = self.place(0, slice + self.min_element, (1, 1));
        let at =
            |column: u64, row: u64| (0..bytes).map(|b| self.address(column * bytes + b, row, 0)).collect();
        let (ux, uy) = self.chroma;
        let pair = |k| at(column + ux + x / 2 * 2 + k, row + uy + y / 2);
        [at(column + x, row + y), pair(0), pair(1)]
    }

    /// Returns x, y and slice at which sample `sample` of texel (x, y) of `layer` is stored (gen-state page, section 5.4).
    pub fn sample(&self, layer: u64, sample: u64, x: u64, y: u64) -> (u64, u64, u64) {
        if !self.interleaved {
            return (x, y, layer * self.samples + sample);
        }
        let bit = |v: u64, n: u64| v / 2u64.pow(n as u32) % 2;
        let (s, columns, rows) = (sample, [1, 2, 2, 4, 4], [1, 1, 2, 2, 4]);
        let log = self.samples.ilog2() as usize;
        // A group of 2x2 texels is stored as (2 * columns) x (2 * rows) elements: bits of the sample index choose a 2x2 block of them.
        let sx = bit(s, 0) * 2 + if columns[log] == 4 { bit(s, 2) * 4 } else { 0 };
        let sy = bit(s, 1) * 2 + if rows[log] == 4 { bit(s, 3) * 4 } else { 0 };
        let grow = |v: u64, by: u64, s: u64| if by == 1 { v } else { v / 2 * 2 * by + s + v % 2 };
        (grow(x, columns[log], sx), grow(y, rows[log], sy), layer)
    }

    /// Returns the addresses of the MCS value of texel (x, y) of `layer`, counted from the view's first one; `None`: no control surface.
    pub fn control(&self, layer: u64, x: u64, y: u64) -> Option<Vec<u64>> {
        Some(self.mcs.as_ref()?.element(layer + self.min_element, x, y))
    }

    /// Returns column and row, in elements, at which a slice of a mip level in memory begins, and the slice's depth in its tiles (0 but for
    /// tiled resources). `(bw, bh)`: texels of an element.
    fn place(&self, level: u64, slice: u64, (bw, bh): (u64, u64)) -> (u64, u64, u64) {
        let [w, h, _] = self.size;
        if let Some((tile, start)) = &self.standard {
            return self.place_in_tiles(tile, *start, level, slice, (bw, bh));
        }
        if self.linear_1d() {
            // gen-state page, section 5.3: levels side by side, 64-element aligned.
            let before = |k| align(minify(w, k).div_ceil(bw), 64);
            return ((0..level).map(before).sum::<u64>() + slice * self.qpitch, 0, 0);
        }
        // gen-state page, section 5.2, in texels.
        let (ha, va) = (self.align.0 * bw, self.align.1 * bh);
        let x = if level >= 2 { align(minify(w, 1), ha) } else { 0 };
        let y = match level {
            0 => 0,
            _ => align(h, va) + (2..level).map(|k| align(minify(h, k), va)).sum::<u64>(),
        };
        (self.origin.0 + x / bw, self.origin.1 + y / bh + slice * self.qpitch, 0)
    }

    /// Does what [`place`](Self::place) does for a tiled resource whose mip tail begins at level `start` (astc-and-tiles page, 4.3).
    fn place_in_tiles(
        &self,
        tile: &Tile,
        start: u64,
        level: u64,
        slice: u64,
        (bw, bh): (u64, u64),
    ) -> (u64, u64, u64) {
        let [w, h, _] = self.size;
        let first = level.min(start);
        let wide = |k| align(minify(w, k), tile.columns() * bw) / bw;
        let high = |k| align(minify(h, k), tile.rows() * bh) / bh;
        let x = if first < 2 { 0 } else { wide(1) };
        let y: u64 = (0..first).filter(|k| *k != 1).map(high).sum();
        let slot = if level >= start { tile.slot(level - start).expect("a slot") } else { (0, 0, 0) };
        // A tile of a 3D or a multisampled surface holds several slices.
        let z = slice + slot.2;
        let row = self.origin.1 + y + slot.1 + z / tile.depth() * self.qpitch;
        (self.origin.0 + x + slot.0, row, z % tile.depth())
    }

    /// Returns the address of byte `xb` of row `y` (gen-state page, section 5.1), in slice `deep` of a tile that has several.
    fn address(&self, xb: u64, y: u64, deep: u64) -> u64 {
        let p = self.pitch;
        if let Some((tile, _)) = &self.standard {
            let number = y / tile.rows() * (p / tile.width()) + xb / tile.width();
            let inside = tile.offset(xb % tile.width(), y % tile.rows(), deep);
            return self.base_address.wrapping_add(number * tile.bytes() + inside);
        }
        let offset = match self.tile {
            _ if self.linear_1d() => xb,
            0 => y * p + xb,
            2 => y / 8 * 8 * p + xb / 512 * 4096 + y % 8 * 512 + xb % 512,
            3 => y_major(p, xb, y),
            // W-major: 64 x 64 bytes in a tile that is stored as 32 rows of 128.
            _ => {
                let bit = |v: u64, n: u32| v / 2u64.pow(n) % 2;
                let (tx, ty) = (xb % 64, y % 64);
                let inside = tx / 8 * 512
                    + ty / 8 * 64
                    + bit(ty, 2) * 32
                    + bit(tx, 2) * 16
                    + bit(ty, 1) * 8
                    + bit(tx, 1) * 4
                    + bit(ty, 0) * 2
                    + bit(tx, 0);
                y / 64 * 32 * p + xb / 64 * 4096 + inside
            }
        };
        self.base_address.wrapping_add(offset)
    }

    /// Returns the addresses of the bytes of the element that holds texel `index` of a BUFFER or STRBUF, and the
    /// texel's column in it.
    pub fn buffer_element(&self, index: u64) -> (Vec<u64>, usize) {
        let format = self.format.as_ref().expect("a format");
        let width = format.block.0 as u64;
        let start = index / width * self.pitch;
        let addresses = (0..format.bytes as u64).map(|b| self.base_address.wrapping_add(start + b)).collect();
        (addresses, (index % width) as usize)
    }
}

/// Returns the offset of byte `xb` of row `y` in Y-major tiles (gen-state page, section 5.1).
fn y_major(pitch: u64, xb: u64, y: u64) -> u64 {
    y / 32 * 32 * pitch + xb / 128 * 4096 + xb % 128 / 16 * 512 + y % 32 * 16 + xb % 16
}

/// Returns true if elements of `bytes` bytes can have X Offset `x`: a multiple of 16 for 1 byte, of 8 for 2, of 4 for other powers of
/// two (astc-and-tiles page, section 7).
fn steps(x: u64, bytes: usize) -> bool {
    match bytes {
        1 => x.is_multiple_of(16),
        2 => x.is_multiple_of(8),
        bytes => bytes.is_power_of_two() && x.is_multiple_of(4),
    }
}

fn minify(size: u64, level: u64) -> u64 {
    (size >> level).max(1)
}

fn align(x: u64, to: u64) -> u64 {
    if to == 0 { x } else { x.div_ceil(to) * to }
}
