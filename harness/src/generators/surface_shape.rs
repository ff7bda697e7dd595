//! What a message needs of its surface, and random surface types, formats, sizes, levels, samples and tile modes for it.
//!
//! [`super::surface`] gives the weights.

use super::state::{percent, weighted};
use crate::emulator::formats::{Codec, Format, NAMES, code};
use arbitrary::{Result, Unstructured};

const EVERYDAY: &[&str] = &[
    "R8G8B8A8_UNORM",
    "R8G8B8A8_UNORM_SRGB",
    "B8G8R8A8_UNORM",
    "R16G16B16A16_FLOAT",
    "R32_FLOAT",
    "R32G32B32A32_FLOAT",
    "R8_UNORM",
    "R16_UNORM",
    "R24_UNORM_X8_TYPELESS",
    "R8G8B8A8_UINT",
    "R32_SINT",
    "R11G11B10_FLOAT",
    "BC1_UNORM",
    "BC3_UNORM_SRGB",
    "BC5_SNORM",
    "BC6H_UF16",
    "BC7_UNORM",
    "ETC2_RGB8",
    "R10G10B10A2_UNORM",
    "R32G32B32_FLOAT",
    "L8A8_UNORM",
    "ASTC_LDR_2D_4X4_U8SRGB",
    "ASTC_LDR_2D_6X6_FLT16",
    "ASTC_HDR_2D_8X5_FLT16",
];
const DEPTH: &[&str] =
    &["R32_FLOAT", "R16_UNORM", "R24_UNORM_X8_TYPELESS", "R32_FLOAT_X8X24_TYPELESS", "R8_UNORM", "R16_FLOAT"];

/// What a message needs of its surface.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceNeeds {
    /// The surface types with their weights.
    pub kinds: &'static [(u32, u64)],
    /// A format that supports comparison is likely.
    pub depth: bool,
    /// Several samples per texel are likely.
    pub samples: bool,
    /// No NaN, infinity, null page or fault: the taps of a long footprint cannot be moved one by one when results are compared, so that it
    /// is uncertain whether one of them is read.
    pub tame: bool,
}

fn extent(u: &mut Unstructured<'_>) -> Result<u64> {
    if percent(u, 60)? {
        Ok(*u.choose(&[1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33])?)
    } else {
        u.int_in_range(1..=40)
    }
}

fn format_code(u: &mut Unstructured<'_>, needs: SurfaceNeeds) -> Result<u64> {
    if needs.depth && percent(u, 75)? {
        return Ok(code(u.choose(DEPTH)?).unwrap_or(0));
    }
    Ok(match u.int_in_range(0..=99u32)? {
        0 => u.int_in_range(0..=1023)?,
        1..=40 => code(u.choose(EVERYDAY)?).unwrap_or(0),
        _ => u64::from(u.choose(NAMES)?.0),
    })
}

/// What most fields of a surface state follow from.
pub(super) struct SurfaceShape {
    /// The generation of the GPU: 9 or 11.
    pub(super) platform: u8,
    /// The code of Surface Type: 0 to 2 are 1D to 3D, 3 cubes, 4 and 5 buffers, 6 reserved, 7 null.
    pub(super) kind: u64,
    /// The code of Surface Format.
    pub(super) code: u64,
    /// The format; `None` if the code has no meaning.
    format: Option<Format>,
    /// The surface is a tiled resource.
    pub(super) resource: bool,
    /// Width, height and depth of level 0.
    pub(super) size: [u64; 3],
    /// log2 of the samples per texel.
    pub(super) samples: u64,
    /// The samples of a texel lie side by side, not in planes.
    pub(super) interleaved: bool,
    /// Levels of the surface.
    pub(super) mips: u64,
    /// The first level of the view.
    pub(super) base: u64,
    /// Levels of the view.
    pub(super) levels: u64,
    /// The code of Tile Mode.
    pub(super) tile: u64,
}

impl SurfaceShape {
    /// Chooses a shape for the message's needs.
    pub(super) fn of(u: &mut Unstructured<'_>, needs: SurfaceNeeds) -> Result<Self> {
        let kind = weighted(u, needs.kinds)?;
        let code = format_code(u, needs)?;
        let format = Format::of(code).ok();
        let sides = [extent(u)?, extent(u)?];
        let mut shape = Self {
            platform: if percent(u, 15)? { 9 } else { 11 },
            kind,
            code,
            format,
            resource: kind < 4 && percent(u, 12)?,
            size: [sides[0], if kind == 0 { 1 } else { sides[1] }, 1],
            samples: 0,
            interleaved: false,
            mips: 1,
            base: 0,
            levels: 1,
            tile: 0,
        };
        shape.size = shape.final_size(u, needs)?;
        shape.samples = shape.sample_count(u, needs)?;
        [shape.mips, shape.base, shape.levels] = shape.mip_levels(u)?;
        shape.tile = shape.tile_mode(u)?;
        shape.interleaved = shape.samples > 0 && percent(u, 40)?;
        Ok(shape)
    }

    /// Returns the size of level 0: larger than other surfaces for half of the tiled resources, square for cubes, with the depth.
    fn final_size(&self, u: &mut Unstructured<'_>, needs: SurfaceNeeds) -> Result<[u64; 3]> {
        let [mut width, mut height, _] = self.size;
        if self.resource && percent(u, 50)? {
            let most = match self.element() {
                _ if needs.samples => 40,
                0..=4 => 200,
                _ => 100,
            };
            width = u.int_in_range(1..=most)?;
            height = if self.kind == 0 { 1 } else { u.int_in_range(1..=most)? };
        }
        if self.kind == 3 {
            width = width.min(if self.resource { 90 } else { 20 });
            height = width;
        }
        let depth = match self.kind {
            2 => extent(u)?.min(12),
            _ => u.int_in_range(1..=if self.resource { 2 } else { 4 })?,
        };
        Ok([width, height, depth])
    }

    /// Chooses log2 of the samples per texel. Planar surfaces cannot have samples; a few have them, and must be refused.
    fn sample_count(&self, u: &mut Unstructured<'_>, needs: SurfaceNeeds) -> Result<u64> {
        if needs.samples && self.kind == 1 && (!self.is_planar() || percent(u, 10)?) {
            u.int_in_range(0..=4)
        } else {
            Ok(0)
        }
    }

    /// Chooses how many levels the surface has, the first level of the view, and how many levels the view has.
    fn mip_levels(&self, u: &mut Unstructured<'_>) -> Result<[u64; 3]> {
        let [width, height, depth] = self.size;
        let longest = width.max(height).max(if self.kind == 2 { depth } else { 1 });
        let full = u64::from(longest.ilog2()) + 1;
        let mips = match u.int_in_range(0..=99u32)? {
            _ if self.samples > 0 || self.is_planar() => 1,
            0..=39 => full,
            40..=74 => u.int_in_range(1..=full)?,
            _ => 1,
        };
        let base = if percent(u, 25)? { u.int_in_range(0..=mips - 1)? } else { 0 };
        let levels = if percent(u, 80)? { mips - base } else { u.int_in_range(1..=mips - base)? };
        Ok([mips, base, levels])
    }

    /// Chooses the code of Tile Mode: W-major for one-byte elements only, linear for buffers.
    fn tile_mode(&self, u: &mut Unstructured<'_>) -> Result<u64> {
        Ok(match weighted(u, &[(55, 0), (18, 2), (22, 3), (5, 1)])? {
            1 if self.element() != 1 => 3,
            _ if self.kind >= 4 => 0,
            tile => tile,
        })
    }

    /// Returns the number of bytes of an element.
    pub(super) fn element(&self) -> u64 {
        self.format.as_ref().map_or(4, |f| f.bytes as u64)
    }

    /// Returns columns and rows of texels in an element.
    pub(super) fn block(&self) -> (usize, usize) {
        self.format.as_ref().map_or((1, 1), |f| f.block)
    }

    /// Returns true for formats with a luma and a chroma plane.
    pub(super) fn is_planar(&self) -> bool {
        self.format.as_ref().is_some_and(|f| matches!(f.codec, Codec::Planar(_)))
    }

    /// Returns true for 2D surfaces with one mip level and one sample.
    pub(super) fn is_one_picture(&self) -> bool {
        self.kind == 1 && self.mips == 1 && self.samples == 0
    }

    /// Returns elements in a row and rows in a slice, enough for the mip chain beside and below level 0.
    pub(super) fn columns_and_rows(&self) -> (u64, u64) {
        let block = self.block();
        let grow = if self.interleaved { 4 } else { 1 };
        let padded =
            |texels: u64, block: usize| (texels.div_ceil(block as u64) + 16).next_multiple_of(16) * grow;
        (padded(self.size[0], block.0) * 2, padded(self.size[1], block.1) * 3)
    }

    /// Returns the pitch in bytes and QPitch in rows: whole tiles.
    pub(super) fn pitches(&self) -> (u64, u64) {
        let (tile_width, tile_height) = [(1, 4), (128, 64), (512, 8), (128, 32)][self.tile as usize];
        let (columns, rows) = self.columns_and_rows();
        let qpitch = if self.kind == 0 && self.tile == 0 {
            self.size[0].next_multiple_of(64) + 64 * self.mips
        } else {
            rows.next_multiple_of(tile_height)
        };
        ((columns * self.element()).next_multiple_of(tile_width), qpitch)
    }
}
