//! The texture header: type, format, size, levels and address of a texture.

use super::find;
use super::layout::{Class, FieldInfo, NvLayout, read, write};
use super::names::NvField;
use crate::error::{Error, Kind, Result, What};
use crate::state::field::{bytes, dwords};

/// The kinds of texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TextureType {
    /// ONE_D.
    D1,
    /// TWO_D.
    D2,
    /// THREE_D.
    D3,
    /// CUBEMAP.
    Cube,
    /// ONE_D_ARRAY.
    Array1D,
    /// TWO_D_ARRAY.
    Array2D,
    /// ONE_D_BUFFER.
    Buffer1D,
    /// TWO_D_NO_MIPMAP.
    NoMipmap2D,
    /// CUBEMAP_ARRAY.
    CubeArray,
}

impl TextureType {
    /// Every kind, indexed by the value of TEXTURE_TYPE.
    pub const ALL: [Self; 9] = [
        Self::D1,
        Self::D2,
        Self::D3,
        Self::Cube,
        Self::Array1D,
        Self::Array2D,
        Self::Buffer1D,
        Self::NoMipmap2D,
        Self::CubeArray,
    ];
}

/// Sizes of level 0, in pixels; `depth` is the length of arrays (cubes, not faces).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Size {
    /// Width; a buffer of 2^32 elements wraps to 0.
    pub width: u32,
    /// Height; 1 where the layout has none.
    pub height: u32,
    /// Depth or length; 1 where the layout has none.
    pub depth: u32,
}

/// The levels that a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ViewLevels {
    /// The level of the texture that is LOD 0 of the view.
    pub first: u32,
    /// The number of levels; 0 in a null header.
    pub count: u32,
}

/// A texture header pool entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TextureHeader {
    /// The class that defines its fields.
    pub class: Class,
    /// SET_SELECT_MAXWELL_TEXTURE_HEADERS is off: B097 and B197 use the older layouts too.
    pub legacy: bool,
    /// Extended dimensions are enabled: DEPTH_MSB of the older version 2 header is part of the depth.
    pub extended: bool,
    /// The entry.
    pub dwords: [u32; 8],
}

impl TextureHeader {
    /// Bytes of an entry.
    pub const BYTES: usize = 32;

    /// Reads an entry, with the class's own layouts and without extended dimensions.
    pub fn from_bytes(class: Class, entry: &[u8; Self::BYTES]) -> Self {
        Self::from_dwords(class, dwords(entry))
    }

    /// Does what [`from_bytes`](Self::from_bytes) does, from dwords.
    pub const fn from_dwords(class: Class, dwords: [u32; 8]) -> Self {
        Self { class, legacy: false, extended: false, dwords }
    }

    /// Writes the entry.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        bytes(&self.dwords)
    }

    const fn bits(&self, lsb: u8, width: u8) -> u32 {
        read(&self.dwords, lsb, width)
    }

    const fn older(&self) -> bool {
        match self.class {
            Class::Fermi | Class::Kepler => true,
            Class::Maxwell1 | Class::Maxwell2 => self.legacy,
            Class::Pascal => false,
        }
    }

    /// Returns the layout that the header's selector names. The selector does not distinguish V3 from V2 and gives V2:
    /// [`NvLayout::fields`] has the fields of V3.
    ///
    /// # Errors
    /// `Reserved HeaderVersion`: 5, 6 or 7.
    pub const fn layout(&self) -> Result<NvLayout> {
        if self.older() {
            return Ok(if self.bits(159, 1) == 1 { NvLayout::V2 } else { NvLayout::V1 });
        }
        Ok(match self.bits(85, 3) {
            0 => NvLayout::OneDBuffer,
            1 => NvLayout::PitchColorKey,
            2 => NvLayout::Pitch,
            3 => NvLayout::Blocklinear,
            4 => NvLayout::BlocklinearColorKey,
            reserved => {
                let error = Error::new(Kind::Reserved, What::HeaderVersion);
                return Err(error.at(8).bit(21).value(reserved as u64));
            }
        })
    }

    /// Sets the selector to a layout, and changes nothing else.
    ///
    /// # Errors
    /// `NotOnPlatform HeaderVersion`: the class (or its mode) has no such header.
    pub fn set_layout(&mut self, layout: NvLayout) -> Result<()> {
        let (lsb, width, value) = match (self.older(), layout) {
            (true, NvLayout::V1) => (159, 1, 0),
            (true, NvLayout::V2) => (159, 1, 1),
            (false, NvLayout::OneDBuffer) => (85, 3, 0),
            (false, NvLayout::PitchColorKey) => (85, 3, 1),
            (false, NvLayout::Pitch) => (85, 3, 2),
            (false, NvLayout::Blocklinear) => (85, 3, 3),
            (false, NvLayout::BlocklinearColorKey) => (85, 3, 4),
            _ => return Err(Error::new(Kind::NotOnPlatform, What::HeaderVersion).value(layout as u64)),
        };
        write(&mut self.dwords, lsb, width, value);
        Ok(())
    }

    /// Returns the fields of the header's layout, by position.
    ///
    /// # Errors
    /// As [`layout`](Self::layout).
    pub fn fields(&self) -> Result<&'static [FieldInfo]> {
        Ok(self.layout()?.fields(self.class).unwrap_or_default())
    }

    /// Returns a field's raw value.
    ///
    /// # Errors
    /// As [`layout`](Self::layout); `NotOnPlatform HeaderField`: the layout does not have it.
    pub fn get(&self, field: NvField) -> Result<u32> {
        Ok(find(self.layout()?, self.class, field)?.read(&self.dwords))
    }

    /// Sets a field. Setting a selector changes the layout.
    ///
    /// # Errors
    /// As [`get`](Self::get); `Invalid HeaderField` when `value` has too many bits.
    pub fn set(&mut self, field: NvField, value: u32) -> Result<()> {
        find(self.layout()?, self.class, field)?.write(&mut self.dwords, value)
    }

    /// Returns TEXTURE_TYPE.
    ///
    /// # Errors
    /// As [`layout`](Self::layout); `Reserved TextureType`: 9 to 15.
    pub fn texture_type(&self) -> Result<TextureType> {
        self.layout()?;
        let (lsb, at, bit) = if self.older() { (78, 8, 14) } else { (151, 16, 23) };
        let raw = self.bits(lsb, 4);
        let reserved = Error::new(Kind::Reserved, What::TextureType).at(at).bit(bit).value(u64::from(raw));
        TextureType::ALL.get(raw as usize).copied().ok_or(reserved)
    }

    /// Returns the sizes of level 0.
    ///
    /// # Errors
    /// As [`layout`](Self::layout).
    pub fn size(&self) -> Result<Size> {
        let layout = self.layout()?;
        if matches!(layout, NvLayout::V1 | NvLayout::V2) {
            return Ok(self.older_size(layout));
        }
        if matches!(layout, NvLayout::OneDBuffer) {
            let width = self.bits(96, 16) << 16 | self.bits(128, 16);
            return Ok(Size { width: width.wrapping_add(1), height: 1, depth: 1 });
        }
        let (mut width, mut height, mut depth) = (self.bits(128, 16), self.bits(160, 16), self.bits(176, 14));
        if matches!(self.class, Class::Pascal) {
            width |= self.bits(144, 1) << 16;
            height |= self.bits(146, 1) << 16;
            // Pitch headers have a bit of the pitch there.
            if matches!(layout, NvLayout::Blocklinear | NvLayout::BlocklinearColorKey) {
                depth |= self.bits(145, 1) << 14;
            }
        }
        Ok(Size { width: width + 1, height: height + 1, depth: depth + 1 })
    }

    /// Returns the sizes of level 0 in an older header, which stores them without subtracting 1.
    const fn older_size(&self, layout: NvLayout) -> Size {
        let (width, mut height, mut depth) = (self.bits(128, 30), self.bits(160, 16), self.bits(176, 12));
        if matches!(layout, NvLayout::V2) {
            height |= self.bits(232, 1) << 16;
            if self.extended && !matches!(self.class, Class::Fermi) {
                depth |= self.bits(252, 3) << 12;
            }
        }
        Size { width, height, depth }
    }

    /// Returns the levels of the view. Layouts without RES_VIEW fields show every level (guess).
    ///
    /// # Errors
    /// As [`layout`](Self::layout).
    pub fn view_levels(&self) -> Result<ViewLevels> {
        let whole = |lsb| ViewLevels { first: 0, count: self.bits(lsb, 4) + 1 };
        Ok(match self.layout()? {
            NvLayout::V2 | NvLayout::V3 | NvLayout::Pitch | NvLayout::Blocklinear => {
                let (first, last) = (self.bits(224, 4), self.bits(228, 4));
                ViewLevels { first, count: (last + 1).saturating_sub(first) }
            }
            NvLayout::V1 => whole(188),
            NvLayout::PitchColorKey | NvLayout::BlocklinearColorKey => whole(124),
            NvLayout::OneDBuffer | NvLayout::Sampler => ViewLevels { first: 0, count: 1 },
        })
    }

    /// Returns MULTI_SAMPLE_COUNT; 0 (MODE_1X1) if the layout does not have it.
    ///
    /// # Errors
    /// As [`layout`](Self::layout).
    pub fn multi_sample_mode(&self) -> Result<u8> {
        Ok(match self.layout()? {
            NvLayout::V2 => self.bits(236, 4) as u8,
            NvLayout::Pitch | NvLayout::Blocklinear => self.bits(232, 4) as u8,
            _ => 0,
        })
    }
}
