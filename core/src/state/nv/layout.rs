//! Classes, layouts and fields of texture headers and sampler entries.

use super::names::{NvEnumeration, NvField};
use crate::error::{Error, Kind, Result, What};

/// A hardware class that defines texture headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Class {
    /// 9097: Fermi, SM 2.x.
    Fermi = 0x9097,
    /// A097: Kepler, SM 3.x.
    Kepler = 0xa097,
    /// B097: Maxwell, SM 5.0.
    Maxwell1 = 0xb097,
    /// B197: Maxwell, SM 5.2 and 5.3.
    Maxwell2 = 0xb197,
    /// C097: Pascal, SM 6.x.
    Pascal = 0xc097,
}

impl Class {
    /// Every class, oldest first.
    pub const ALL: [Self; 5] = [Self::Fermi, Self::Kepler, Self::Maxwell1, Self::Maxwell2, Self::Pascal];

    /// The class number.
    pub const fn code(self) -> u16 {
        self as u16
    }

    /// Returns the class with this number.
    ///
    /// # Errors
    /// `Unknown TextureClass`.
    pub fn from_code(code: u16) -> Result<Self> {
        let unknown = Error::new(Kind::Unknown, What::TextureClass).value(u64::from(code));
        Self::ALL.into_iter().find(|class| class.code() == code).ok_or(unknown)
    }
}

/// A layout of a header or sampler entry: its fields and their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum NvLayout {
    /// The older header, version 1.
    V1,
    /// The older header, version 2.
    V2,
    /// The older header, version 2 with extended component sizes (Maxwell).
    V3,
    /// A header of a buffer.
    OneDBuffer,
    /// A header of a pitch-linear texture with a colour key.
    PitchColorKey,
    /// A header of a pitch-linear texture.
    Pitch,
    /// A header of a block-linear texture.
    Blocklinear,
    /// A header of a block-linear texture with a colour key.
    BlocklinearColorKey,
    /// A sampler entry.
    Sampler,
}

impl NvLayout {
    /// Every layout.
    pub const ALL: [Self; 9] = [
        Self::V1,
        Self::V2,
        Self::V3,
        Self::OneDBuffer,
        Self::PitchColorKey,
        Self::Pitch,
        Self::Blocklinear,
        Self::BlocklinearColorKey,
        Self::Sampler,
    ];

    /// The name, as the class headers' documentation has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V2 => "v2",
            Self::V3 => "v3",
            Self::OneDBuffer => "one_d_buffer",
            Self::PitchColorKey => "pitch_color_key",
            Self::Pitch => "pitch",
            Self::Blocklinear => "blocklinear",
            Self::BlocklinearColorKey => "blocklinear_color_key",
            Self::Sampler => "sampler",
        }
    }
}

/// A field of an entry: its position and the names of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FieldInfo {
    /// The field.
    pub field: NvField,
    /// Its lowest bit in the entry, 0..=255.
    pub lsb: u8,
    /// Its width in bits, 1..=32; it lies inside one dword.
    pub width: u8,
    /// The names of its values, if it has any.
    pub enumeration: Option<NvEnumeration>,
}

impl FieldInfo {
    /// Reads the field.
    pub fn read(&self, dwords: &[u32; 8]) -> u32 {
        read(dwords, self.lsb, self.width)
    }

    /// Writes the field.
    ///
    /// # Errors
    /// `Invalid HeaderField` when `value` has more bits.
    pub fn write(&self, dwords: &mut [u32; 8], value: u32) -> Result<()> {
        if u64::from(value) > crate::bits::mask(u32::from(self.width)) {
            let at = usize::from(self.lsb / 32).wrapping_mul(4);
            return Err(Error::new(Kind::Invalid, What::HeaderField)
                .at(at)
                .bit(self.lsb % 32)
                .value(u64::from(value)));
        }
        write(dwords, self.lsb, self.width, value);
        Ok(())
    }

    /// Returns the name of `value`, if the class header names it.
    pub fn value_name(&self, value: u32) -> Option<&'static str> {
        self.enumeration?.name(value)
    }
}

impl NvEnumeration {
    /// Returns the name of `value`, if there is one.
    pub fn name(self, value: u32) -> Option<&'static str> {
        self.values().iter().find(|(known, _)| u32::from(*known) == value).map(|(_, name)| *name)
    }

    /// Returns the value with this name, if there is one.
    pub fn value(self, name: &str) -> Option<u32> {
        self.values().iter().find(|(_, known)| *known == name).map(|(value, _)| u32::from(*value))
    }
}

/// Returns bits `lsb .. lsb + width` of an entry, which are inside one dword.
pub(super) const fn read(dwords: &[u32; 8], lsb: u8, width: u8) -> u32 {
    let [a, b, c, d, e, f, g, h] = *dwords;
    let dword = match lsb / 32 {
        0 => a,
        1 => b,
        2 => c,
        3 => d,
        4 => e,
        5 => f,
        6 => g,
        _ => h,
    };
    crate::bits::get(dword as u64, lsb as u32 % 32, width as u32) as u32
}

/// Replaces bits `lsb .. lsb + width` of an entry, which are inside one dword.
pub(super) fn write(dwords: &mut [u32; 8], lsb: u8, width: u8, value: u32) {
    if let Some(dword) = dwords.get_mut(usize::from(lsb / 32)) {
        let lo = u32::from(lsb % 32);
        *dword = crate::bits::put(u64::from(*dword), lo, u32::from(width), u64::from(value)) as u32;
    }
}
