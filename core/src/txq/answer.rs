//! Results of the three header queries: four 32-bit components, R, G, B, A.
//!
//! The sizes that each texture type returns are those of the manual's table. The level rule (a
//! view's LOD counts from RES_VIEW_MIN_MIP_LEVEL) and the sample positions follow from how open
//! drivers use the query. Guesses are marked as such; each is one function or constant here.

use crate::error::{Error, Kind, Result, What};
use crate::state::nv::{Class, TextureHeader, TextureType};

/// Sample positions in sixteenths of a pixel from its upper left corner.
type Positions = &'static [(u8, u8)];

const CENTRE: Positions = &[(8, 8)];
const GRID_2X1: Positions = &[(4, 4), (12, 12)];
const GRID_2X1_D3D: Positions = &[(12, 12), (4, 4)];
const GRID_2X2: Positions = &[(6, 2), (14, 6), (2, 10), (10, 14)];
const GRID_4X2: Positions = &[(1, 7), (5, 3), (3, 13), (7, 11), (9, 5), (15, 1), (11, 15), (13, 9)];
const GRID_4X2_D3D: Positions = &[(9, 5), (7, 11), (13, 9), (5, 3), (3, 13), (1, 7), (11, 15), (15, 1)];

/// The standard 16-sample pattern: a guess for MODE_4X4, whose hardware table is not known.
pub const STANDARD_16: [(u8, u8); 16] = [
    (9, 9),
    (7, 5),
    (5, 10),
    (12, 7),
    (3, 6),
    (10, 13),
    (13, 11),
    (11, 3),
    (6, 14),
    (8, 1),
    (4, 2),
    (2, 12),
    (0, 8),
    (15, 4),
    (14, 15),
    (1, 0),
];

/// The number of stored samples and their positions (empty: not documented) of each MULTI_SAMPLE_COUNT mode;
/// `None`: the mode is not defined.
///
/// The counts of the modes from 8 on (coverage samples, centred, regular) are guesses: the size of the grid in their names.
/// No source has the positions of their samples: the class headers have only the names, and open drivers use none of
/// these modes. Queries of these positions are therefore refused.
const MODES: [Option<(u8, Positions)>; 16] = [
    Some((1, CENTRE)),
    Some((2, GRID_2X1)),
    Some((4, GRID_2X2)),
    Some((8, GRID_4X2)),
    Some((8, GRID_4X2_D3D)),
    Some((2, GRID_2X1_D3D)),
    Some((16, &STANDARD_16)),
    None,
    Some((4, &[])),
    Some((4, &[])),
    Some((8, &[])),
    Some((8, &[])),
    Some((2, &[])),
    Some((4, &[])),
    Some((8, &[])),
    Some((16, &[])),
];

fn mode(mode: u8) -> Result<(u8, Positions)> {
    let undefined = Error::new(Kind::Reserved, What::MultiSampleCount).value(u64::from(mode));
    MODES.get(usize::from(mode)).copied().flatten().ok_or(undefined)
}

/// Returns the number of samples that a MULTI_SAMPLE_COUNT mode stores.
///
/// # Errors
/// `Reserved MultiSampleCount`.
pub fn samples(count_mode: u8) -> Result<u32> {
    mode(count_mode).map(|(count, _)| u32::from(count))
}

/// Returns the sample positions of a MULTI_SAMPLE_COUNT mode, (x, y) in sixteenths of a pixel from its upper
/// left corner, by sample index; empty if they are not documented.
///
/// # Errors
/// `Reserved MultiSampleCount`.
pub fn sample_positions(count_mode: u8) -> Result<&'static [(u8, u8)]> {
    mode(count_mode).map(|(_, positions)| positions)
}

/// Packs a sample position in sixteenths of a pixel as two signed 4.12 numbers relative to the pixel centre, x in the
/// low half.
fn pack(x: u8, y: u8) -> u32 {
    let half = |sixteenths: u8| u32::from(sixteenths).wrapping_sub(8).wrapping_shl(8) & 0xffff;
    half(y) << 16 | half(x)
}

/// Returns `size` at mip level `level`: halved for each level, but at least 1.
fn mip(size: u32, level: u32) -> u32 {
    size.checked_shr(level).unwrap_or_default().max(1)
}

/// The last MULTI_SAMPLE_COUNT mode that a class defines.
const fn last_mode(class: Class) -> u8 {
    match class {
        Class::Kepler => 14,
        Class::Maxwell1 => 15,
        Class::Fermi | Class::Maxwell2 | Class::Pascal => 11,
    }
}

impl TextureHeader {
    /// Returns the header's MULTI_SAMPLE_COUNT; an error if its class does not define the mode.
    fn defined_mode(&self) -> Result<u8> {
        let mode = self.multi_sample_mode()?;
        if mode > last_mode(self.class) {
            return Err(Error::new(Kind::Reserved, What::MultiSampleCount).value(u64::from(mode)));
        }
        Ok(mode)
    }

    /// Answers TEX_HEADER_DIMENSION: the sizes of level `lod` of the view, and its number of levels in A.
    ///
    /// Sizes wrap at 32 bits. The sizes of a level that the view does not have are 0, 0, 0 (guess: the rule of
    /// Direct3D's resinfo, to which the manual maps the query), with the number of levels as usual.
    ///
    /// # Errors
    /// `Reserved HeaderVersion` or `TextureType`: the header has a reserved value.
    pub fn query_dimension(&self, lod: u32) -> Result<[u32; 4]> {
        use TextureType::*;
        let kind = self.texture_type()?;
        let view = self.view_levels()?;
        let levels = if matches!(kind, Buffer1D | NoMipmap2D) { 1 } else { view.count };
        if lod >= levels {
            return Ok([0, 0, 0, levels]);
        }
        let level = view.first.wrapping_add(lod);
        let size = self.size()?;
        let (width, height, depth) = (mip(size.width, level), mip(size.height, level), size.depth);
        let multisampled = self.multi_sample_mode()? != 0;
        let [g, b] = match kind {
            D1 | Buffer1D => [0, 0],
            D2 => [height, u32::from(multisampled)],
            D3 => [height, mip(depth, level)],
            Cube => [height, 0],
            Array1D => [depth, 0],
            Array2D | CubeArray => [height, depth],
            NoMipmap2D => [height, if multisampled { depth } else { 0 }],
        };
        Ok([width, g, b, levels])
    }

    /// Answers TEX_HEADER_TEXTURE_TYPE: the number of samples in B, 1 if the header has no field for it (guess).
    ///
    /// # Errors
    /// `Reserved HeaderVersion` or `MultiSampleCount`.
    pub fn query_texture_type(&self) -> Result<[u32; 4]> {
        Ok([0, 0, samples(self.defined_mode()?)?, 0])
    }

    /// Answers TEX_HEADER_SAMPLER_POS: the position of sample `index` from the pixel centre, two signed 4.12
    /// numbers, x in the low half of R.
    ///
    /// # Errors
    /// `Reserved HeaderVersion` or `MultiSampleCount`; `Unsupported SamplePosition`: not documented for
    /// this mode or for an index that the mode does not have.
    pub fn query_sampler_pos(&self, index: u32) -> Result<[u32; 4]> {
        let positions = sample_positions(self.defined_mode()?)?;
        let undocumented = Error::new(Kind::Unsupported, What::SamplePosition).value(u64::from(index));
        let &(x, y) = positions.get(index as usize).ok_or(undocumented)?;
        Ok([pack(x, y), 0, 0, 0])
    }
}
