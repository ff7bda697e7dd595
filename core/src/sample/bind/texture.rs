//! Binding of surfaces: a surface state is decoded once into a [`Texture`].
//!
//! States that cannot be sampled are refused here, with the name and position of the field at fault.

use super::mcs::Mcs;
use super::refuse::refuse;
use crate::Platform;
use crate::enums::SurfaceFormat;
use crate::error::{Error, Kind, Result, What};
use crate::format::{self, FormatDecoder, FormatInfo, Planar, Texel, TexelKind};
use crate::memory::{Layout, Plane};
use crate::state::{ChannelSelect, SurfaceState, SurfaceType, TileMode};

/// The dimensionality of a surface: the surface type, with structured buffers (STRBUF) as buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) enum Dim {
    D1,
    D2,
    D3,
    Cube,
    Buffer,
    Null,
}

/// The source of a result channel, as the channel select gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) enum ChannelSource {
    /// A constant.
    Constant(u32),
    /// A channel of the texel, 0 red .. 3 alpha.
    Channel(u8),
}

/// The memory and formats that texels are made from.
#[derive(Clone, Debug)]
pub(crate) enum TexelSource<'p> {
    /// One surface, whose elements all have one format.
    Plain { codec: FormatDecoder<'p>, layout: Layout },
    /// A luma plane, and a chroma plane of half its width and height.
    Planar { luma: TexelPlane<'static>, chroma: TexelPlane<'static> },
    /// No memory: a null surface.
    None,
}

/// The decoder of a plane's elements, and where they are in memory.
pub(crate) type TexelPlane<'p> = (FormatDecoder<'p>, Plane);

/// A decoded surface state, ready to sample.
#[derive(Clone, Debug)]
pub struct Texture<'p> {
    pub(crate) dim: Dim,
    pub(crate) array: bool,
    /// Size in texels of mip level 0 of the surface in memory, not of the view (buffers: elements).
    pub(crate) size: [u32; 3],
    /// Layers of the view: array slices or cubes; 1 without Surface Array.
    pub(crate) layers: u32,
    pub(crate) first_slice: u32,
    /// First mip level of the view, counted from mip level 0 in memory, and number of mip levels of the view.
    pub(crate) base: u32,
    pub(crate) levels: u32,
    pub(crate) resource_min: f32,
    pub(crate) samples: u32,
    pub(crate) palette_index: u32,
    pub(crate) quilt: [u32; 2],
    pub(crate) select: [ChannelSource; 4],
    pub(crate) source: TexelSource<'p>,
    pub(crate) info: Option<&'static FormatInfo>,
    /// The multisample control surface (MCS) of this surface.
    pub(crate) mcs: Option<Mcs>,
    /// This texture is itself a control surface: see [`of_controls`](Self::of_controls).
    pub(crate) is_control: bool,
}

impl Texture<'static> {
    /// Decodes a surface state.
    ///
    /// # Errors
    /// `Unknown` or `Unsupported` format (also palette formats, see [`with_palette`](Texture::with_palette)),
    /// `Reserved` surface type, alignment or channel select, `Unsupported` auxiliary surface (except the multisample
    /// control surface of a surface that stores each sample in a plane of its own), `Invalid` combination of samples, mip
    /// levels and type, `Invalid` cube that is not square, `Unsupported` memory compression or base mip level; for tiled
    /// resources, offsets and line strides see [`Layout::new`].
    /// The error's offset and bit are those of the field in RENDER_SURFACE_STATE.
    pub fn bind(state: &SurfaceState, platform: Platform) -> Result<Self> {
        Texture::with(state, platform, FormatDecoder::new)
    }
}

impl<'p> Texture<'p> {
    /// Decodes a surface state whose format may refer to a palette (ARGB entries, see [`FormatDecoder::with_palette`]).
    ///
    /// # Errors
    /// As [`bind`](Texture::bind).
    pub fn with_palette(state: &SurfaceState, platform: Platform, palette: &'p [u32]) -> Result<Self> {
        Self::with(state, platform, |format| FormatDecoder::with_palette(format, palette))
    }

    // inline(never): this frame must not be part of the caller's, which stays on the stack while messages run.
    #[inline(never)]
    fn with(
        state: &SurfaceState,
        platform: Platform,
        codec: impl FnOnce(SurfaceFormat) -> Result<FormatDecoder<'p>>,
    ) -> Result<Self> {
        let dim = match state.surface_type() {
            SurfaceType::D1 => Dim::D1,
            SurfaceType::D2 => Dim::D2,
            SurfaceType::D3 => Dim::D3,
            SurfaceType::Cube => Dim::Cube,
            SurfaceType::Buffer | SurfaceType::Strbuf => Dim::Buffer,
            SurfaceType::Null => Dim::Null,
            SurfaceType::Reserved => return Err(refuse(Kind::Reserved, What::SurfaceType, 0, 29, 6_u32)),
        };
        let size = match dim {
            Dim::Buffer => [state.buffer_elements(), 1, 1],
            Dim::D1 => [state.width(), 1, 1],
            Dim::D3 => [state.width(), state.height(), state.depth()],
            _ => [state.width(), state.height(), 1],
        };
        let array = state.is_array() && matches!(dim, Dim::D1 | Dim::D2 | Dim::Cube);
        let mut texture = Self {
            dim,
            array,
            size,
            layers: if array { state.depth() } else { 1 },
            first_slice: if dim == Dim::D3 { 0 } else { state.min_array_element() },
            base: state.surface_min_lod(),
            levels: if dim == Dim::Buffer { 1 } else { state.mip_count() },
            resource_min: state.resource_min_lod() as f32 / 256.0,
            samples: state.samples(),
            palette_index: state.palette_index(),
            quilt: [state.quilt_width(), state.quilt_height()],
            select: [ChannelSource::Constant(0); 4],
            source: TexelSource::None,
            info: None,
            mcs: None,
            is_control: false,
        };
        if dim != Dim::Null {
            texture.check(state)?;
            texture.read_with(state, platform, codec)?;
            texture.selects(state)?;
        }
        Ok(texture)
    }

    /// Refuses fields and combinations of fields that cannot be sampled.
    fn check(&self, state: &SurfaceState) -> Result<()> {
        if state.memory_compression() {
            return Err(refuse(Kind::Unsupported, What::MemoryCompression, 7, 30, 1_u32));
        }
        if state.base_mip_level() != 0 && self.dim != Dim::Buffer {
            return Err(refuse(Kind::Unsupported, What::BaseMipLevel, 1, 19, state.base_mip_level()));
        }
        if state.log2_samples() > 4 {
            return Err(refuse(Kind::Reserved, What::Samples, 4, 3, state.log2_samples()));
        }
        if self.samples > 1 && self.dim != Dim::Buffer {
            if self.dim != Dim::D2 {
                return Err(refuse(Kind::Invalid, What::Samples, 4, 3, state.log2_samples()));
            }
            if self.levels > 1 || self.base > 0 {
                return Err(refuse(Kind::Invalid, What::MipCount, 5, 0, state.mip_count()));
            }
        }
        let last = self.base.saturating_add(self.levels);
        if last > crate::memory::MAX_LEVELS as u32 && self.dim != Dim::Buffer {
            return Err(refuse(Kind::Invalid, What::MipCount, 5, 0, last));
        }
        if self.dim == Dim::Cube && state.width() != state.height() {
            return Err(refuse(Kind::Invalid, What::CubeSize, 2, 16, state.height()));
        }
        Ok(())
    }

    fn read_with(
        &mut self,
        state: &SurfaceState,
        platform: Platform,
        codec: impl FnOnce(SurfaceFormat) -> Result<FormatDecoder<'p>>,
    ) -> Result<()> {
        let place = |e: Error| e.at(0).bit(18);
        if let Some(planes) = Planar::of(state.format()) {
            return self.planar(state, platform, planes).map_err(place);
        }
        self.mcs = Mcs::of(state, self.dim == Dim::D2)?;
        let codec = codec(state.format()).map_err(place)?;
        let info = codec.info();
        self.info = Some(info);
        let layout = Layout::new(state, info.element(), platform)?;
        self.source = TexelSource::Plain { codec, layout };
        Ok(())
    }

    /// Sets up the planes of a planar YUV surface. The chroma plane, of pairs (Cb, Cr), starts at a column and a row of the same
    /// surface (U28).
    fn planar(&mut self, state: &SurfaceState, platform: Platform, planes: Planar) -> Result<()> {
        let (luma, chroma) = (FormatDecoder::new(planes.luma)?, FormatDecoder::new(planes.chroma)?);
        let plain = self.dim == Dim::D2 && self.layers == 1 && self.levels == 1 && self.base == 0;
        if !plain || self.samples > 1 || state.separate_uv() || state.tile_mode() == TileMode::WMajor {
            return Err(Error::new(Kind::Unsupported, What::Format).value(state.format().0.into()));
        }
        let layout = Layout::new(state, luma.info().element(), platform)?;
        let plane = layout.plane(0, self.first_slice);
        // The column counts luma elements; a chroma pair is as wide in memory as two of them.
        let column = state.u_plane_x_offset();
        let pairs = plane
            .pairs(column, state.u_plane_y_offset())
            .ok_or(Error::new(Kind::Unsupported, What::Format).value(column.into()))?;
        self.info = Some(format::info(state.format()).unwrap_or(luma.info()));
        self.source = TexelSource::Planar { luma: (luma, plane), chroma: (chroma, pairs) };
        Ok(())
    }

    /// Returns what the channels of texels are: floats or integers.
    #[inline]
    pub(crate) fn kind(&self) -> TexelKind {
        self.info.map_or(TexelKind::Raw, |info| info.kind)
    }

    /// Returns true if texels are integers (or raw bits), which are not filtered.
    #[inline]
    pub(crate) fn is_integer(&self) -> bool {
        self.kind() != TexelKind::Float
    }

    /// Returns the texel of a read out of range.
    pub(crate) fn outside(&self) -> Texel {
        self.info.map_or([0; 4], |info| info.border([0; 4]))
    }

    fn selects(&mut self, state: &SurfaceState) -> Result<()> {
        let one = if self.is_integer() { 1 } else { 1.0_f32.to_bits() };
        let codes = state.channel_select();
        for ((out, code), bit) in self.select.iter_mut().zip(codes).zip([25, 22, 19, 16]) {
            *out = match code {
                ChannelSelect::Zero => ChannelSource::Constant(0),
                ChannelSelect::One => ChannelSource::Constant(one),
                ChannelSelect::Red => ChannelSource::Channel(0),
                ChannelSelect::Green => ChannelSource::Channel(1),
                ChannelSelect::Blue => ChannelSource::Channel(2),
                ChannelSelect::Alpha => ChannelSource::Channel(3),
                ChannelSelect::Reserved(code) => {
                    return Err(refuse(Kind::Reserved, What::ChannelSelect, 7, bit, code));
                }
            };
        }
        Ok(())
    }

    /// Returns the size in texels of mip level `level` of the view; 1 along axes that the surface does not have.
    #[inline]
    pub(crate) fn level_size(&self, level: u32) -> [u32; 3] {
        let shift = self.base.saturating_add(level).min(31);
        match self.dim {
            Dim::Buffer | Dim::Null => self.size,
            Dim::D1 | Dim::D2 | Dim::D3 | Dim::Cube => self.size.map(|texels| (texels >> shift).max(1)),
        }
    }

    /// Returns the description of the surface's format; `None` for a null surface.
    pub const fn format(&self) -> Option<&'static FormatInfo> {
        self.info
    }

    /// Returns the number of coordinates of a sample, without the array index; a cube's three are a direction.
    pub(crate) const fn axes(&self) -> usize {
        match self.dim {
            Dim::D1 | Dim::Buffer | Dim::Null => 1,
            Dim::D2 => 2,
            Dim::D3 | Dim::Cube => 3,
        }
    }

    /// Returns the number of axes along which texels are addressed: as [`axes`](Self::axes), but 2 for a cube, on its faces.
    pub(crate) const fn texel_axes(&self) -> usize {
        match self.dim {
            Dim::Cube => 2,
            _ => self.axes(),
        }
    }

    /// Returns true if the lanes of a message can read different slices (array layers, faces, samples; not those of a volume).
    pub(crate) const fn has_slices(&self) -> bool {
        self.array && self.layers > 1 || matches!(self.dim, Dim::Cube) || self.samples > 1
    }

    /// Returns the factors from derivatives of coordinates to texels of the view's mip level 0: its size, or 1 if coordinates are in
    /// texels; 0 for axes that the LOD does not depend on.
    pub(crate) fn derivative_size(&self, normalized: bool) -> [f32; 3] {
        let mut size = [0.0; 3];
        for (out, texels) in size.iter_mut().zip(self.level_size(0)).take(self.texel_axes()) {
            *out = if normalized { texels as i32 as f32 } else { 1.0 };
        }
        size
    }

    /// Returns the decoder of elements, on request the one without the sRGB curve; `None` for planar and null surfaces.
    pub(crate) fn codec(&self, without_srgb: bool) -> Option<FormatDecoder<'p>> {
        match &self.source {
            TexelSource::Plain { codec, .. } => {
                Some(if without_srgb { codec.without_srgb() } else { *codec })
            }
            TexelSource::Planar { .. } | TexelSource::None => None,
        }
    }

    /// Returns the number of bytes from the start of the surface to the end of what the view can read; 0 for planar and null surfaces.
    #[inline(never)]
    pub(crate) fn span(&self) -> u64 {
        let TexelSource::Plain { layout, .. } = &self.source else { return 0 };
        let element = layout.element();
        let blocks = |texels: u32, block: u8| texels.div_ceil(u32::from(block).max(1));
        let faces = if self.dim == Dim::Cube { 6 } else { 1 };
        let planes = if layout.interleaves_samples() { 1 } else { self.samples };
        let mut end = 0;
        for level in 0..self.levels.min(crate::memory::MAX_LEVELS as u32) {
            let [width, height, depth] = self.level_size(level);
            let slices = match self.dim {
                Dim::D3 => depth,
                _ => {
                    self.first_slice.saturating_add(self.layers.saturating_mul(faces)).saturating_mul(planes)
                }
            };
            let (width, height) = layout.with_samples(width, height);
            let plane = layout.plane(self.base.saturating_add(level), slices.saturating_sub(1));
            let span = plane.span(blocks(width, element.block_width), blocks(height, element.block_height));
            let start = plane.base.wrapping_sub(layout.surface().base);
            end = end.max(start.saturating_add(span));
        }
        end
    }
}
