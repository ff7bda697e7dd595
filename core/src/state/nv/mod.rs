//! NVIDIA texture headers, sampler entries, pools and handles: Fermi to Pascal.
//!
//! A header or sampler entry is 32 bytes; bit n of it is bit n % 32 of little-endian dword n / 32.
//! Its fields depend on the class and, for headers, on a selector field:
//!
//! | class | selector | layouts |
//! | --- | --- | --- |
//! | 9097 Fermi, A097 Kepler | bit 159 | 0 v1, 1 v2 |
//! | B097, B197 Maxwell, C097 Pascal | bits 87:85 | 0 one_d_buffer, 1 pitch_color_key, 2 pitch, 3 blocklinear, 4 blocklinear_color_key |
//! | B097, B197 switched to the older headers | bit 159 | v1, v2 (v3: v2 with other component sizes) |
//!
//! [`TextureHeader::get`] and [`SamplerEntry::get`] know every field, from tables generated from the
//! class headers that NVIDIA publishes (`cl{9097,a097,b097,b197,c097}tex.h`). The tables are only
//! linked where they are used: the fields that the queries need have direct accessors.

mod header;
mod layout;
#[rustfmt::skip]
mod names;
mod pool;
#[rustfmt::skip]
mod tables;

pub use header::{Size, TextureHeader, TextureType, ViewLevels};
pub use layout::{Class, FieldInfo, NvLayout};
pub use names::{NvEnumeration, NvField};
pub use pool::{Handle, Limits};

use super::field::{bytes, dwords};
use crate::error::{Error, Kind, Result, What};

impl NvLayout {
    /// Returns the fields of this layout in `class`, by position; `None` when the class does not have it.
    ///
    /// Together they cover each of bits 0..=255 of a header once; sampler entries have unnamed gaps.
    pub const fn fields(self, class: Class) -> Option<&'static [FieldInfo]> {
        tables::fields(class, self)
    }
}

fn find(layout: NvLayout, class: Class, field: NvField) -> Result<&'static FieldInfo> {
    let missing = Error::new(Kind::NotOnPlatform, What::HeaderField).value(field as u64);
    let fields = layout.fields(class).unwrap_or_default();
    fields.iter().find(|info| info.field == field).ok_or(missing)
}

/// A sampler pool entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SamplerEntry {
    /// The class that defines its fields.
    pub class: Class,
    /// The entry.
    pub dwords: [u32; 8],
}

impl SamplerEntry {
    /// Bytes of an entry.
    pub const BYTES: usize = 32;

    /// Reads an entry.
    pub fn from_bytes(class: Class, entry: &[u8; Self::BYTES]) -> Self {
        Self { class, dwords: dwords(entry) }
    }

    /// Writes the entry.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        bytes(&self.dwords)
    }

    /// The fields of the class, by position.
    pub fn fields(&self) -> &'static [FieldInfo] {
        NvLayout::Sampler.fields(self.class).unwrap_or_default()
    }

    /// Returns a field's raw value.
    ///
    /// # Errors
    /// `NotOnPlatform HeaderField`: the class does not have it.
    pub fn get(&self, field: NvField) -> Result<u32> {
        Ok(find(NvLayout::Sampler, self.class, field)?.read(&self.dwords))
    }

    /// Sets a field.
    ///
    /// # Errors
    /// `NotOnPlatform HeaderField`; `Invalid HeaderField` when `value` has too many bits.
    pub fn set(&mut self, field: NvField, value: u32) -> Result<()> {
        find(NvLayout::Sampler, self.class, field)?.write(&mut self.dwords, value)
    }
}
