//! Makes the surface state that a driver would set from a description, or says which value does not fit.

use crate::Platform;
use crate::enums::SurfaceFormat;
use crate::error::{Error, Kind, Result, What};
use crate::format::{self, FormatInfo};
use crate::memory::Layout;
use crate::state::{SurfaceState, SurfaceType, TileMode, TiledResource};

/// Describes a surface: type, format, sizes, tiling and address. [`SurfaceState::new`] makes its state, with the smallest pitches that
/// hold it.
///
/// ```
/// use texwire::{Platform, enums::SurfaceFormat, state::{SurfaceState, TileMode}, transfer::SurfaceDescription};
///
/// const BRICKS: SurfaceDescription = SurfaceDescription::texture_2d(SurfaceFormat::BC1_UNORM, 256, 128)
///     .with_levels(9)
///     .with_tile_mode(TileMode::YMajor)
///     .with_base_address(0x10_0000);
/// let state = SurfaceState::new(&BRICKS, Platform::Gen11)?;
/// assert_eq!((state.pitch(), state.required_size(Platform::Gen11)?), (512, 0x7000));
/// # Ok::<(), texwire::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SurfaceDescription {
    /// The surface type: 1D, 2D, 3D, CUBE or BUFFER.
    pub surface_type: SurfaceType,
    /// The format of the elements.
    pub format: SurfaceFormat,
    /// Width in texels; for buffers, the number of elements.
    pub width: u32,
    /// Height in texels; 1 for 1D and buffers.
    pub height: u32,
    /// Depth in texels for 3D, array layers for 1D and 2D, cubes for CUBE; 1 for buffers.
    pub depth: u32,
    /// Number of mip levels, each half as large as the one before.
    pub levels: u32,
    /// Samples per texel: 1, 2, 4, 8 or 16, each with slices of its own.
    pub samples: u32,
    /// The tile mode: the order of elements in memory.
    pub tile_mode: TileMode,
    /// Standard tiles (Yf or Ys) of a Y-major surface; `None`: the tiles of the tile mode.
    pub tiled_resource: TiledResource,
    /// The address of the first byte.
    pub base_address: u64,
}

impl SurfaceDescription {
    const fn linear(
        surface_type: SurfaceType,
        format: SurfaceFormat,
        [width, height, depth]: [u32; 3],
    ) -> Self {
        Self {
            surface_type,
            format,
            width,
            height,
            depth,
            levels: 1,
            samples: 1,
            tile_mode: TileMode::Linear,
            tiled_resource: TiledResource::None,
            base_address: 0,
        }
    }

    /// Describes a linear 1D surface of `width` texels.
    pub const fn texture_1d(format: SurfaceFormat, width: u32) -> Self {
        Self::linear(SurfaceType::D1, format, [width, 1, 1])
    }

    /// Describes a linear 2D surface of `width` x `height` texels.
    pub const fn texture_2d(format: SurfaceFormat, width: u32, height: u32) -> Self {
        Self::linear(SurfaceType::D2, format, [width, height, 1])
    }

    /// Describes a linear 3D surface of `width` x `height` x `depth` texels.
    pub const fn texture_3d(format: SurfaceFormat, width: u32, height: u32, depth: u32) -> Self {
        Self::linear(SurfaceType::D3, format, [width, height, depth])
    }

    /// Describes a linear cube; its faces are squares of `edge` x `edge` texels: +X, -X, +Y, -Y, +Z, -Z.
    pub const fn cube(format: SurfaceFormat, edge: u32) -> Self {
        Self::linear(SurfaceType::Cube, format, [edge, edge, 1])
    }

    /// Describes a linear buffer of `elements` elements, which are read by index.
    pub const fn buffer(format: SurfaceFormat, elements: u32) -> Self {
        Self::linear(SurfaceType::Buffer, format, [elements, 1, 1])
    }

    /// Returns the description with `layers` array layers (for CUBE: cubes).
    #[must_use]
    pub const fn with_layers(mut self, layers: u32) -> Self {
        self.depth = layers;
        self
    }

    /// Returns the description with `levels` mip levels.
    #[must_use]
    pub const fn with_levels(mut self, levels: u32) -> Self {
        self.levels = levels;
        self
    }

    /// Returns the description with `samples` samples per texel.
    #[must_use]
    pub const fn with_samples(mut self, samples: u32) -> Self {
        self.samples = samples;
        self
    }

    /// Returns the description with tile mode `tile_mode`.
    #[must_use]
    pub const fn with_tile_mode(mut self, tile_mode: TileMode) -> Self {
        self.tile_mode = tile_mode;
        self
    }

    /// Returns the description with standard tiles `tiles` (Yf, Ys), without a mip tail.
    #[must_use]
    pub const fn with_tiled_resource(mut self, tiles: TiledResource) -> Self {
        self.tile_mode = TileMode::YMajor;
        self.tiled_resource = tiles;
        self
    }

    /// Returns the description with base address `address`.
    #[must_use]
    pub const fn with_base_address(mut self, address: u64) -> Self {
        self.base_address = address;
        self
    }

    /// Returns an error if the hardware does not support the description.
    fn check(&self, info: &FormatInfo, platform: Platform) -> Result<()> {
        let refuse = |what, dword: usize, bit, value: u32| {
            Err(Error::new(Kind::Invalid, what).at(dword * 4).bit(bit).value(value.into()))
        };
        let kind = self.surface_type;
        let [width, height, depth] = match kind {
            SurfaceType::D1 => [16384, 1, 2048],
            SurfaceType::D2 => [16384, 16384, 2048],
            SurfaceType::D3 => [2048, 2048, 2048],
            SurfaceType::Cube => [16384, 16384, 340],
            SurfaceType::Buffer => [1 << 27, 1, 1],
            SurfaceType::Strbuf | SurfaceType::Null | SurfaceType::Reserved => {
                return refuse(What::SurfaceType, 0, 29, kind.code().into());
            }
        };
        let within = |value: u32, most: u32| (1..=most).contains(&value);
        match (within(self.width, width), within(self.height, height), within(self.depth, depth)) {
            (false, _, _) if kind == SurfaceType::Buffer => return refuse(What::Elements, 2, 0, self.width),
            (false, _, _) => return refuse(What::Width, 2, 0, self.width),
            (_, false, _) => return refuse(What::Height, 2, 16, self.height),
            (_, _, false) => return refuse(What::Depth, 3, 21, self.depth),
            (true, true, true) => {}
        }
        if kind == SurfaceType::Cube && self.width != self.height {
            return refuse(What::CubeSize, 2, 16, self.height);
        }
        if info.is_block() && matches!(kind, SurfaceType::D1 | SurfaceType::Buffer) {
            return refuse(What::Format, 0, 18, info.code.0.into());
        }
        let largest = match kind {
            SurfaceType::Buffer => 1,
            SurfaceType::D3 => self.width.max(self.height).max(self.depth),
            _ => self.width.max(self.height),
        };
        if !within(self.levels, u32::BITS - largest.leading_zeros()) {
            return refuse(What::MipCount, 5, 0, self.levels);
        }
        let single = self.levels > 1 || info.is_block() || kind != SurfaceType::D2;
        if !matches!(self.samples, 1 | 2 | 4 | 8 | 16) || self.samples > 1 && single {
            return refuse(What::Samples, 4, 3, self.samples);
        }
        // Formats whose code has bit 9 set are ASTC.
        let astc = info.code.0 & 0x200 != 0;
        let tiles = match self.tile_mode {
            TileMode::Linear => !astc,
            TileMode::XMajor => kind != SurfaceType::Buffer && !astc,
            TileMode::YMajor => kind != SurfaceType::Buffer,
            TileMode::WMajor => {
                kind != SurfaceType::Buffer && info.bytes == 1 && !astc && platform <= Platform::Gen11
            }
        };
        if !tiles {
            return refuse(What::TileMode, 0, 12, self.tile_mode.code().into());
        }
        // A linear element of three components is aligned to one component.
        let unit = if self.tile_mode == TileMode::Linear { 1 << info.bytes.trailing_zeros() } else { 4096 };
        if !self.base_address.is_multiple_of(unit) {
            return Err(Error::new(Kind::Invalid, What::BaseAddress).at(32).bit(0).value(self.base_address));
        }
        Ok(())
    }
}

impl SurfaceState {
    /// Makes the state of a described surface: identity channel select, all faces of a cube, mip levels aligned to 4 elements, the
    /// smallest pitch and QPitch that hold the surface.
    ///
    /// [`validate`](Self::validate) finds no broken rule in a state that is made this way.
    ///
    /// # Errors
    /// `Unknown` or `Unsupported` format; `Invalid` surface type, width, height, depth, cube size, number of levels or samples, tile
    /// mode, base address or pitch. Offset and bit are those of the field.
    pub fn new(description: &SurfaceDescription, platform: Platform) -> Result<Self> {
        let info = info(description.format)?;
        description.check(info, platform)?;
        let size = [description.width, description.height, description.depth];
        let mut state = match description.surface_type {
            SurfaceType::Buffer => {
                Self::plain_buffer(description.format, description.width, info.bytes.into())?
            }
            kind => Self::plain(kind, description.format, size)?,
        };
        state.set_base_address(description.base_address);
        if description.surface_type != SurfaceType::Buffer {
            state.set_tile_mode(description.tile_mode).set_tiled_resource(description.tiled_resource);
            state.set_mip_count(description.levels)?.set_samples(description.samples)?;
            state.fit(info.element(), platform)?;
        }
        Ok(state)
    }

    /// Returns the layout of the surface: where its elements are in memory.
    ///
    /// # Errors
    /// `Unknown` or `Unsupported` format; as [`Layout::new`].
    pub fn layout(&self, platform: Platform) -> Result<Layout> {
        Layout::new(self, info(self.format())?.element(), platform)
    }

    /// Returns the number of bytes from the base address to the end of the last element (tiled: the end of its tile) of any mip level,
    /// slice and sample, for whatever pitches the state has.
    ///
    /// # Errors
    /// As [`layout`](Self::layout).
    pub fn required_size(&self, platform: Platform) -> Result<u64> {
        let layout = self.layout(platform)?;
        let slices = layout.slices();
        let mut end = 0;
        for number in 0..layout.levels() {
            let level = layout.level(number);
            let last = match self.surface_type() {
                SurfaceType::D3 => level.depth,
                _ => slices,
            };
            let plane = layout.plane(number, last.saturating_sub(1));
            let (columns, rows) = layout.extent(number);
            let from = plane.base.wrapping_sub(self.base_address());
            end = end.max(from.wrapping_add(plane.span(columns, rows)));
        }
        Ok(end)
    }
}

/// Returns the description of a format; an error if the format is unknown or its elements have no size.
fn info(format: SurfaceFormat) -> Result<&'static FormatInfo> {
    let refused = |kind| Error::new(kind, What::Format).at(0).bit(18).value(format.0.into());
    let info = format::info(format).ok_or(refused(Kind::Unknown))?;
    if info.bytes == 0 { Err(refused(Kind::Unsupported)) } else { Ok(info) }
}
