//! Picture files (PNG, JPEG, DDS and KTX2) to surfaces and back.
//!
//! [`read`] makes a [`Picture`] from a file, whose type it finds by the first bytes: format, size and the elements of every level and
//! slice. [`upload`] writes it to a new surface of any tile mode and returns the surface state with its memory; [`download`] reads it back.
//!
//! ```
//! use texwire::Platform;
//! use texwire::state::TileMode;
//! use texwire_harness::textures::{self, PictureLimits, UploadedSurface};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let file = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/images/chelsea.png"))?;
//! // R8G8B8A8_UNORM with all levels.
//! let picture = textures::read(&file, PictureLimits::default())?;
//! let UploadedSurface { state, memory } = textures::upload(&picture, TileMode::YMajor, 0x1000, Platform::Gen11)?;
//! assert_eq!((state.width(), state.mip_count() as usize), (picture.width, picture.levels.len()));
//! assert_eq!(textures::download(&state, &memory, Platform::Gen11)?, picture);
//! # Ok(())
//! # }
//! ```

pub use crate::containers::limits::PictureLimits;
pub use crate::containers::picture::Picture;

use crate::containers::{picture, texture_file};
use texwire::Platform;
use texwire::memory::{Layout, LinearMemory, LinearMemoryMut};
use texwire::state::{SurfaceState, SurfaceType, TileMode, TiledResource};
use texwire::transfer::{Region, SurfaceDescription};

/// The reason why a file or surface is refused.
pub type Error = Box<dyn std::error::Error>;

/// A texture in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadedSurface {
    /// Its state, with the memory's address.
    pub state: SurfaceState,
    /// Its bytes, from the base address on.
    pub memory: Vec<u8>,
}

/// Reads a picture file. PNG and JPEG become R8G8B8A8_UNORM with all levels, made by halving; DDS and KTX2 keep the file's format and
/// levels.
///
/// # Errors
/// The bytes are not a file of these types, no SURFACE_FORMAT corresponds to the file's format, or the picture is larger than `limits`.
pub fn read(bytes: &[u8], limits: PictureLimits) -> Result<Picture, Error> {
    match bytes {
        [b'D', b'D', b'S', b' ', ..] => texture_file::parse_dds(bytes, limits),
        [0xab, b'K', b'T', b'X', ..] => texture_file::parse_ktx2(bytes, limits),
        _ => Ok(Picture::flat(&picture::parse_picture(bytes, limits)?)),
    }
}

/// Writes every level and slice of a picture to a new surface at `address`: 2D (an array if there are several slices), or 3D for a volume.
///
/// # Errors
/// The reason why no such surface exists.
pub fn upload(
    picture: &Picture,
    tile_mode: TileMode,
    address: u64,
    platform: Platform,
) -> Result<UploadedSurface, Error> {
    let description = SurfaceDescription {
        surface_type: if picture.volume { SurfaceType::D3 } else { SurfaceType::D2 },
        format: picture.format,
        width: picture.width,
        height: picture.height,
        depth: picture.slices,
        levels: picture.levels.len() as u32,
        samples: 1,
        tile_mode,
        tiled_resource: TiledResource::None,
        base_address: address,
    };
    let state = SurfaceState::new(&description, platform)?;
    let mut memory = vec![0; usize::try_from(state.required_size(platform)?)?];
    fill(&state, picture, &mut memory, platform)?;
    Ok(UploadedSurface { state, memory })
}

/// Writes every level and slice of a picture to the memory of a surface that has its format and sizes.
///
/// # Errors
/// Levels, slices or sizes differ, or the memory is too small.
pub fn fill(
    state: &SurfaceState,
    picture: &Picture,
    memory: &mut [u8],
    platform: Platform,
) -> Result<(), Error> {
    let layout = state.layout(platform)?;
    for region in regions(&layout) {
        let (row, rows) = region.rows(&layout)?;
        let level = picture.levels.get(region.level as usize).ok_or("the picture has fewer levels")?;
        let start = region.slice as usize * row * rows;
        let texels = level.get(start..start + row * rows).ok_or("the picture has fewer texels")?;
        let mut memory = LinearMemoryMut { base: state.base_address(), bytes: memory };
        layout.upload(&region, texels, row, &mut memory)?;
    }
    Ok(())
}

/// Reads every level and slice of a surface: the inverse of [`upload`].
///
/// # Errors
/// The state is not legal, or the memory is too small.
pub fn download(state: &SurfaceState, memory: &[u8], platform: Platform) -> Result<Picture, Error> {
    let layout = state.layout(platform)?;
    let mut levels = vec![Vec::new(); layout.levels() as usize];
    for region in regions(&layout) {
        let (row, rows) = region.rows(&layout)?;
        let mut texels = vec![0; row * rows];
        let memory = LinearMemory { base: state.base_address(), bytes: memory };
        layout.download(&region, &memory, &mut texels, row)?;
        levels[region.level as usize].extend(texels);
    }
    let base = layout.level(0);
    Ok(Picture {
        format: state.format(),
        width: base.width,
        height: base.height,
        slices: base.depth,
        volume: state.surface_type() == SurfaceType::D3,
        levels,
    })
}

/// Returns the region of every slice of every level.
fn regions(layout: &Layout) -> Vec<Region> {
    let levels = (0..layout.levels()).map(|level| (level, layout.level(level).depth));
    levels
        .flat_map(|(level, slices)| (0..slices).map(move |slice| Region::level(layout, level, slice)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use texwire::enums::SurfaceFormat;

    /// Volumes and arrays are the same after upload and download, in any tile mode.
    #[test]
    fn volumes_and_arrays() {
        for (volume, tile) in [(true, TileMode::YMajor), (false, TileMode::XMajor), (true, TileMode::Linear)]
        {
            let (slices, mut levels) = (4, Vec::new());
            for level in 0..3 {
                let depth = if volume { slices >> level } else { slices };
                levels.push(
                    (0..(24_u32 >> level) * (10 >> level) * depth.max(1) * 4).map(|at| at as u8).collect(),
                );
            }
            let format = SurfaceFormat::R8G8B8A8_UNORM;
            let picture = Picture { format, width: 24, height: 10, slices, volume, levels };
            let made = upload(&picture, tile, 0x1_0000, Platform::Gen9).unwrap();
            assert_eq!(download(&made.state, &made.memory, Platform::Gen9).unwrap(), picture);
        }
        assert!(read(b"no picture", PictureLimits::default()).is_err());
    }
}
