//! The positions of the mip levels and slices of a surface.
//!
//! Mip level 1 is below mip level 0, mip level 2 right of mip level 1, all further ones below mip level 2; slices
//! (array layers, cube faces, z, samples) are QPitch rows apart. Linear 1D surfaces have
//! their mip levels side by side. (PRM, volume 5, memory data formats.) Tiled resources (Yf, Ys) align mip levels to
//! tiles, keep the small ones in a mip tail ([`tail`](super::tail)), and have several slices of a
//! 3D surface, or all samples of a texel, in a tile.

use super::addressing::LevelAddressing;
use super::order::TileOrder;
use super::samples::SampleAddressing;
use super::tiled::Tiled;
use super::tiling::Plane;
use crate::Platform;
use crate::error::{Error, Kind, Result, What};
use crate::format::{Element, Planar};
use crate::state::{SurfaceState, SurfaceType, TileMode, TiledResource};

/// The number of mip levels of the largest surface, 16384 texels wide.
pub const MAX_LEVELS: usize = 15;

/// The alignment of mip levels in linear 1D surfaces, in elements, whatever the state says.
const ALIGN_1D: u32 = 64;

/// A mip level of a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Level {
    /// Width in texels; for a buffer, the number of elements.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Depth of a 3D surface; else the number of slices (array layers, cube faces) up to the end of the view.
    pub depth: u32,
    /// Column of the mip level in elements.
    pub x: u32,
    /// Row of the mip level's slice 0 in elements.
    pub y: u32,
    /// First slice inside its tile: 0, except for 3D mip levels in a mip tail.
    pub z: u32,
}

/// The address of every element of a surface. Mip levels and slices count from the start of memory,
/// not of the view: add [`surface_min_lod`](SurfaceState::surface_min_lod) and
/// [`min_array_element`](SurfaceState::min_array_element) first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Layout {
    surface: Plane,
    tiling: TileMode,
    /// The tile and the mip tail of a tiled resource.
    tiled: Option<Tiled>,
    kind: DimLayout,
    element: Element,
    levels: u8,
    log2_samples: u8,
    interleaved: bool,
    width: u32,
    height: u32,
    depth: u32,
    qpitch: u32,
    /// The column of mip levels 2 and up (2D).
    column: u32,
    /// The row of every mip level (2D) or its column (1D).
    starts: [u32; MAX_LEVELS],
}

/// How mip levels and slices lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
enum DimLayout {
    Buffer,
    Linear1D,
    Stacked,
    Stacked3D,
}

impl Layout {
    /// Returns the layout that a surface state describes, for the elements of its format. A NULL
    /// surface has the layout of its sizes although nothing reads it.
    ///
    /// # Errors
    /// `Reserved` surface type or (when a mip level after the first depends on it) alignment, `Unsupported` format
    /// when `element` is empty, `Invalid` W-major tiling of elements that are not one byte. Of tiled resources:
    /// `Reserved` mode 3, or more mip levels in the mip tail than it has slots; `Invalid` mode of a surface that is
    /// not Y-major, is a buffer, or has elements other than 1, 2, 4, 8 or 16 bytes; `NotOnPlatform` 1D
    /// from Gen11 on, and Yf of several samples before Gen11; `Invalid` base address, pitch or QPitch that is not
    /// of whole tiles; `Invalid` mip tail of a multisampled or planar surface. `Invalid` X or Y Offset, unless the surface is
    /// tiled without a tiled resource mode, 2D with one mip level and one sample, no array, has no auxiliary surface and elements whose
    /// bytes are a power of two, and X Offset is a multiple of 16 texels of 8 bits, 8 of 16, or 4 of more. `Invalid` Vertical
    /// Line Stride, unless the surface is 2D with one mip level and one sample, has no tiled resource mode and no auxiliary
    /// surface, and its format has no blocks (more than one row high) or planes.
    pub fn new(state: &SurfaceState, element: Element, platform: Platform) -> Result<Self> {
        let kind = match state.surface_type() {
            SurfaceType::Reserved => {
                return Err(Error::new(Kind::Reserved, What::SurfaceType).at(0).bit(29).value(6));
            }
            SurfaceType::Buffer | SurfaceType::Strbuf => DimLayout::Buffer,
            SurfaceType::D1 if state.tile_mode() == TileMode::Linear => DimLayout::Linear1D,
            SurfaceType::D3 => DimLayout::Stacked3D,
            _ => DimLayout::Stacked,
        };
        if element.bytes == 0 || element.block_width == 0 || element.block_height == 0 {
            return Err(Error::new(Kind::Unsupported, What::Format)
                .at(0)
                .bit(18)
                .value(state.format().0.into()));
        }
        if state.tile_mode() == TileMode::WMajor && kind != DimLayout::Buffer && element.bytes != 1 {
            return Err(Error::new(Kind::Invalid, What::TileMode).at(0).bit(12).value(1));
        }
        let tiled = Tiled::of(state, element, platform)?;
        check_offsets(state, element)?;
        check_line_stride(state, element)?;
        let mut layout = Self::plain(state, kind, element, tiled);
        match kind {
            DimLayout::Buffer => {}
            DimLayout::Linear1D => layout.place_in_row(),
            DimLayout::Stacked | DimLayout::Stacked3D if layout.levels > 1 => {
                let alignment = layout.level_alignment(state)?;
                layout.place_stacked(alignment);
            }
            DimLayout::Stacked | DimLayout::Stacked3D => {}
        }
        Ok(layout)
    }

    /// Returns the layout of a 2D surface with one mip level in Y-major tiles that has no state of its own. `size` is width and height of
    /// a slice in texels and the number of slices, which are `qpitch` rows apart.
    pub(crate) const fn of_plane(surface: Plane, element: Element, size: [u32; 3], qpitch: u32) -> Self {
        let [width, height, depth] = size;
        Self {
            surface,
            tiling: TileMode::YMajor,
            tiled: None,
            kind: DimLayout::Stacked,
            element,
            levels: 1,
            log2_samples: 0,
            interleaved: false,
            width,
            height,
            depth,
            qpitch,
            column: 0,
            starts: [0; MAX_LEVELS],
        }
    }

    /// Returns the layout with its sizes, but with all mip levels at the start of the surface.
    fn plain(state: &SurfaceState, kind: DimLayout, element: Element, tiled: Option<Tiled>) -> Self {
        let bytes = u32::from(element.bytes);
        let (pitch, stride, tiling) = match kind {
            DimLayout::Buffer => (0, state.pitch(), TileMode::Linear),
            // QPitch of linear 1D surfaces counts elements.
            DimLayout::Linear1D => (bytes, bytes, TileMode::Linear),
            _ => (state.pitch(), bytes, state.tile_mode()),
        };
        let (width, height, depth) = match state.surface_type() {
            SurfaceType::Buffer | SurfaceType::Strbuf => (state.buffer_elements(), 1, 1),
            SurfaceType::D1 => (state.width(), 1, slices(state, 1)),
            SurfaceType::D3 => (state.width(), state.height(), state.depth()),
            SurfaceType::Cube => (state.width(), state.height(), slices(state, 6)),
            _ => (state.width(), state.height(), slices(state, 1)),
        };
        let levels = match kind {
            DimLayout::Buffer => 1,
            _ => state.surface_min_lod().wrapping_add(state.mip_count()).min(MAX_LEVELS as u32) as u8,
        };
        let order = tiled.map_or(TileOrder::of(tiling), |tiled| tiled.order);
        let mut surface = Plane::with_order(state.base_address(), pitch, stride, order);
        surface.size = bytes;
        let mut qpitch = state.qpitch();
        if state.line_stride() != 0 && kind == DimLayout::Stacked {
            // A field of an interlaced picture: rows count its lines, which are every second row of the memory.
            surface = surface.every_second_row(state.line_stride_offset() != 0);
            qpitch /= 2;
        }
        let surface = match kind {
            DimLayout::Stacked | DimLayout::Stacked3D => {
                let rows = if state.line_stride() != 0 { state.y_offset() / 2 } else { state.y_offset() };
                surface.inner(state.x_offset(), rows.into())
            }
            DimLayout::Buffer | DimLayout::Linear1D => surface,
        };
        Self {
            tiling,
            tiled,
            kind,
            levels,
            log2_samples: if let DimLayout::Buffer = kind { 0 } else { state.log2_samples() as u8 },
            interleaved: state.interleaved_samples(),
            ..Self::of_plane(surface, element, [width, height, depth], qpitch)
        }
    }

    fn place_in_row(&mut self) {
        let (width, block) = (self.width, u32::from(self.element.block_width));
        let mut x = 0u32;
        for (level, start) in (0..).zip(&mut self.starts) {
            *start = x;
            x = x.wrapping_add(align(minify(width, level), ALIGN_1D.wrapping_mul(block), block));
        }
    }

    /// Returns the alignment of mip levels in columns and rows of elements: the tile of a tiled resource, else the state's
    /// alignment.
    fn level_alignment(&self, state: &SurfaceState) -> Result<(u32, u32)> {
        if let Some(tiled) = &self.tiled {
            return Ok(tiled.extent());
        }
        let (halign, valign) = (state.halign(), state.valign());
        if halign == 0 || valign == 0 {
            let bit = if halign == 0 { 14 } else { 16 };
            return Err(Error::new(Kind::Reserved, What::Alignment).at(0).bit(bit));
        }
        Ok((halign, valign))
    }

    fn place_stacked(&mut self, (halign, valign): (u32, u32)) {
        let (width, height) = self.with_samples(self.width, self.height);
        let (bw, bh) = (u32::from(self.element.block_width), u32::from(self.element.block_height));
        let rows = |level| align(minify(height, level), valign.wrapping_mul(bh), bh);
        self.column = align(minify(width, 1), halign.wrapping_mul(bw), bw);
        let mut y = rows(0);
        for (level, start) in (0..).zip(&mut self.starts).skip(1) {
            *start = y;
            if level >= 2 {
                y = y.wrapping_add(rows(level));
            }
        }
    }

    /// Returns the number of mip levels in memory, up to the last of the view.
    pub const fn levels(&self) -> u32 {
        self.levels as u32
    }

    /// Returns the element of the format: a texel, or a block.
    pub const fn element(&self) -> Element {
        self.element
    }

    /// Returns the tile mode.
    pub const fn tiling(&self) -> TileMode {
        self.tiling
    }

    /// Returns the size of the tile of a tiled resource: columns and rows of elements, slices, samples. `None` if the
    /// surface has no tiled resource mode.
    pub fn tile_extent(&self) -> Option<[u32; 4]> {
        let tiled = self.tiled.as_ref()?;
        let ((columns, rows), slices) = (tiled.extent(), 1_u32.wrapping_shl(tiled.order.slices.into()));
        let (depth, samples) = if self.kind == DimLayout::Stacked3D { (slices, 1) } else { (1, slices) };
        Some([columns, rows, depth, samples])
    }

    /// Whether every element is contiguous in memory, see [`Plane::is_contiguous`].
    pub const fn is_contiguous(&self) -> bool {
        self.surface.is_contiguous()
    }

    /// Whether each mip level of the mip tail is inside its tile, without a part in another tile.
    pub(crate) fn tail_fits(&self) -> bool {
        let Some(([columns, rows, depth, _], tiled)) = self.tile_extent().zip(self.tiled.as_ref()) else {
            return true;
        };
        (0..self.levels()).all(|number| {
            let (_, [x, y, z]) = tiled.slot(number);
            let (width, height) = self.extent(number);
            let deep = if let DimLayout::Stacked3D = self.kind { self.level(number).depth } else { 1 };
            let inside = |at: u32, size: u32, tile: u32| at.wrapping_add(size) <= tile;
            !tiled.has_tail_level(number)
                || inside(x, width, columns) && inside(y, height, rows) && inside(z, deep, depth)
        })
    }

    /// Returns the plane that holds every mip level and slice: element (x, y) of slice s of a mip level is its element
    /// (`level.x + x`, `level.y + s * qpitch + y`); see [`slice`](Self::slice).
    pub(crate) const fn surface(&self) -> &Plane {
        &self.surface
    }

    /// Returns the distance from slice to slice in rows of elements (linear 1D: in elements).
    pub const fn qpitch(&self) -> u32 {
        self.qpitch
    }

    /// Whether the samples of a texel are elements of one slice (interleaved), and not in slices of their own.
    pub const fn interleaves_samples(&self) -> bool {
        self.interleaved
    }

    /// Returns the number of samples of a texel.
    pub const fn samples(&self) -> u32 {
        1 << self.log2_samples
    }

    /// Returns a mip level; the last one for numbers past it.
    pub fn level(&self, level: u32) -> Level {
        let level = level.min(self.levels().saturating_sub(1));
        // The mip levels of a mip tail are at the position of its first one, each in its slot.
        let (first, [left, top, z]) = match &self.tiled {
            Some(tiled) => tiled.slot(level),
            None => (level, [0; 3]),
        };
        let start = self.starts.get(first as usize).copied().unwrap_or(0);
        let (x, y) = match self.kind {
            DimLayout::Linear1D => (start, 0),
            _ if first >= 2 => (self.column, start),
            _ => (0, start),
        };
        let depth = if let DimLayout::Stacked3D = self.kind { minify(self.depth, level) } else { self.depth };
        let (width, height) = (minify(self.width, level), minify(self.height, level));
        Level { width, height, depth, x: x.wrapping_add(left), y: y.wrapping_add(top), z }
    }

    /// Returns the elements of a slice of a mip level. The slice is the array layer, `layer * 6 + face`,
    /// z, or (see [`sample`](Self::sample)) `layer * samples + sample`.
    pub fn plane(&self, level: u32, slice: u32) -> Plane {
        let at = self.level(level);
        self.slice(slice.wrapping_add(at.z)).inner(at.x, at.y.into())
    }

    /// Returns the plane of the surface from a slice on: mip levels have the same columns and rows in it as in the first slice.
    pub(crate) fn slice(&self, slice: u32) -> Plane {
        let tile = slice.wrapping_shr(self.order().slices.into());
        self.surface.inner(0, u64::from(tile).wrapping_mul(self.qpitch.into())).in_slice(slice)
    }

    /// Returns the columns and rows of elements of a slice of a mip level; interleaved samples count as elements.
    pub fn extent(&self, level: u32) -> (u32, u32) {
        let level = self.level(level);
        let (width, height) = self.with_samples(level.width, level.height);
        let (bw, bh) = (u32::from(self.element.block_width), u32::from(self.element.block_height));
        (width.div_ceil(bw.max(1)), height.div_ceil(bh.max(1)))
    }

    /// Returns the constants of a mip level's addresses. They count units: elements, or, with `parts` above 1, equal parts of
    /// elements. `None` if units are not contiguous in memory or a row is not a whole number of units: then only a [`Plane`] can
    /// read the elements.
    pub(crate) fn addressing(&self, level: u32, parts: u32) -> Option<LevelAddressing> {
        let at = self.level(level);
        let Plane { base, pitch, bytes, .. } = self.surface;
        let mut constants = LevelAddressing::new(base, self.order(), pitch, bytes.checked_div(parts)?)?;
        let (left, top) = self.surface.origin();
        constants.origin = [at.x.wrapping_add(left), at.y.wrapping_add(top), at.z];
        constants.qpitch = self.qpitch;
        (parts != 1 || self.surface.is_contiguous()).then_some(constants)
    }

    /// Returns the number of slices from the start of memory to the end of the view, slices of samples included.
    pub fn slices(&self) -> u32 {
        let each = if self.interleaved { 1 } else { self.samples() };
        self.depth.wrapping_mul(each)
    }

    /// Returns the order of bytes in tiles.
    pub(super) const fn order(&self) -> &TileOrder {
        self.surface.order()
    }

    /// Returns the number of QPitches from the start of memory to the end of the view: one a slice, or one for all slices that a tile
    /// holds.
    pub(super) fn tile_slices(&self) -> u32 {
        let each = 1_u32.wrapping_shl(self.order().slices.into());
        let tail = (0..self.levels())
            .map(|number| self.level(number))
            .map(|level| level.z.wrapping_add(level.depth));
        let deepest =
            if let DimLayout::Stacked3D = self.kind { tail.max().unwrap_or(1) } else { self.slices() };
        deepest.div_ceil(each.max(1))
    }

    /// Returns width and height in elements of the area that the mip levels of a slice cover. The width is not
    /// padded if there is one mip level only.
    pub(super) fn slice_extent(&self, halign: u32, valign: u32) -> (u32, u32) {
        let (bw, bh) = (u32::from(self.element.block_width), u32::from(self.element.block_height));
        let in_row = matches!(self.kind, DimLayout::Linear1D);
        let (halign, valign) = match &self.tiled {
            Some(tiled) => tiled.extent(),
            None if in_row => (ALIGN_1D, 1),
            None => (halign, valign),
        };
        // The mip levels of a mip tail share a tile: the start of that tile.
        let start = |at: u32, tile: u32| if self.tiled.is_some() { at & !tile.wrapping_sub(1) } else { at };
        let columns = if self.levels > 1 || in_row { halign.max(1) } else { 1 };
        let mut extent = (0, 0);
        for number in 0..self.levels() {
            let level = self.level(number);
            let (width, height) = self.with_samples(level.width, level.height);
            let width = align(width, columns.wrapping_mul(bw), bw);
            let height = align(height, valign.max(1).wrapping_mul(bh), bh);
            extent.0 = extent.0.max(start(level.x, halign).wrapping_add(width));
            extent.1 = extent.1.max(start(level.y, valign).wrapping_add(height));
        }
        extent
    }

    /// Returns the address of element (x, y) of a slice of a mip level.
    pub fn address(&self, level: u32, slice: u32, x: u32, y: u32) -> u64 {
        self.plane(level, slice).address(x, y)
    }

    /// Returns the position of sample `sample` of texel (x, y) of `layer`: element column and row, and slice.
    /// Either every sample has slices of its own, or the samples are interleaved in x and y, by blocks of
    /// 2x2 texels.
    pub fn sample(&self, x: u32, y: u32, layer: u32, sample: u32) -> (u32, u32, u32) {
        self.sample_addressing().place(x, y, layer, sample)
    }

    /// Returns the constants that [`sample`](Self::sample) needs.
    pub(crate) const fn sample_addressing(&self) -> SampleAddressing {
        let per_texel = self.samples_per_texel();
        SampleAddressing { interleaved: self.interleaved, log2_samples: self.log2_samples, per_texel }
    }

    /// Returns a size with its samples, if they are interleaved: each block of 2x2 texels grows by the samples of a texel.
    pub(crate) const fn with_samples(&self, width: u32, height: u32) -> (u32, u32) {
        if !self.interleaved || self.log2_samples == 0 {
            return (width, height);
        }
        let (columns, rows) = self.samples_per_texel();
        (width.next_multiple_of(2).wrapping_mul(columns), height.next_multiple_of(2).wrapping_mul(rows))
    }

    /// Returns the columns and rows of samples of a texel, if samples are interleaved; else 1 and 1.
    const fn samples_per_texel(&self) -> (u32, u32) {
        if self.interleaved {
            (1 << self.log2_samples.div_ceil(2), 1 << (self.log2_samples / 2))
        } else {
            (1, 1)
        }
    }
}

/// Checks X and Y Offset, which are for tiled surfaces with one slice and one mip level. (Mesa's isl; the unit of X is 16
/// bytes for the smallest elements.)
fn check_offsets(state: &SurfaceState, element: Element) -> Result<()> {
    let (x, y) = (state.x_offset(), state.y_offset());
    if x == 0 && y == 0 {
        return Ok(());
    }
    let flat = is_one_picture(state) && !state.is_array();
    let tiled = state.tile_mode() != TileMode::Linear && state.tiled_resource() == TiledResource::None;
    let bytes = u32::from(element.bytes);
    // 16 texels of a byte, 8 of two bytes, 4 of larger elements.
    let step = match bytes {
        1 => 16,
        2 => 8,
        _ => 4,
    };
    let whole = bytes.is_power_of_two() && x.is_multiple_of(step);
    if flat && tiled && whole && state.has_no_aux() {
        return Ok(());
    }
    let (bit, value) = if x != 0 { (25, x) } else { (21, y) };
    Err(Error::new(Kind::Invalid, What::SurfaceOffset).at(20).bit(bit).value(value.into()))
}

/// Whether the surface is 2D with one mip level of one sample.
#[inline(never)]
fn is_one_picture(state: &SurfaceState) -> bool {
    state.mip_count() == 1
        && state.surface_min_lod() == 0
        && state.samples() == 1
        && state.surface_type() == SurfaceType::D2
}

/// Checks Vertical Line Stride, which is for the fields of an interlaced picture.
fn check_line_stride(state: &SurfaceState, element: Element) -> Result<()> {
    let texels = element.block_height == 1 && Planar::of(state.format()).is_none();
    let plain = state.tiled_resource() == TiledResource::None && state.has_no_aux();
    if state.line_stride() == 0 || texels && plain && is_one_picture(state) {
        return Ok(());
    }
    Err(Error::new(Kind::Invalid, What::LineStride).at(0).bit(11).value(1))
}

/// Returns the number of slices from the start of memory to the end of the view, with `each` slices per unit of its depth.
fn slices(state: &SurfaceState, each: u32) -> u32 {
    state.min_array_element().wrapping_add(state.depth().wrapping_mul(each))
}

/// Returns a size at a mip level: halved `level` times, at least 1.
const fn minify(size: u32, level: u32) -> u32 {
    let size = size.wrapping_shr(level);
    if size == 0 { 1 } else { size }
}

/// Rounds `texels` up to a multiple of `to` texels and returns that in blocks of `block` texels.
const fn align(texels: u32, to: u32, block: u32) -> u32 {
    let to = if to == 0 { 1 } else { to };
    match texels.div_ceil(to).wrapping_mul(to).checked_div(block) {
        Some(blocks) => blocks,
        None => 0,
    }
}
