//! The sampler's message descriptor on Xe2: message types have six bits, several have other codes, SIMD modes have twice
//! the lanes (registers have 64 bytes). Decoded and named, not executed: the layouts of the packed
//! parameters are not published.
//!
//! The fields are those of [`Descriptor`], and bit 31 is the sixth bit of the message type. Source: Mesa's tables of Xe2
//! (`brw_eu_defines.h` and the printer of its Gen library).

use super::Descriptor;
use crate::bits;
use crate::message::Width;

/// A sampler message descriptor of Xe2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Xe2Descriptor(pub u32);

/// Code and name of each message type; codes that are not listed are reserved.
static TYPES: [(u8, &str); 45] = [
    (0, "sample"),
    (1, "sample_b"),
    (2, "sample_l"),
    (3, "sample_c"),
    (4, "sample_d"),
    (5, "sample_b_c"),
    (6, "sample_l_c"),
    (7, "ld"),
    (8, "gather4"),
    (9, "lod"),
    (10, "resinfo"),
    (11, "sampleinfo"),
    (13, "gather4_l"),
    (14, "gather4_b"),
    (15, "gather4_i"),
    (16, "gather4_c"),
    (18, "sample_mlod"),
    (19, "sample_c_mlod"),
    (20, "sample_d_c"),
    (21, "gather4_i_c"),
    (23, "gather4_l_c"),
    (24, "sample_lz"),
    (25, "sample_c_lz"),
    (26, "ld_lz"),
    (28, "ld2dms_w"),
    (29, "ld_mcs"),
    (30, "ld2dms"),
    (31, "ld2dss"),
    (32, "sample_po"),
    (33, "sample_po_b"),
    (34, "sample_po_l"),
    (35, "sample_po_c"),
    (36, "sample_po_d"),
    // Named for the generation after: Xe3.
    (37, "sample_po_b_c"),
    (38, "sample_po_l_c"),
    (40, "gather4_po"),
    (45, "gather4_po_l"),
    (46, "gather4_po_b"),
    (47, "gather4_po_i"),
    (48, "gather4_po_c"),
    (52, "sample_po_d_c"),
    (53, "gather4_po_i_c"),
    (55, "gather4_po_l_c"),
    (56, "sample_po_lz"),
    (57, "sample_po_c_lz"),
];

impl Xe2Descriptor {
    /// Returns the descriptor for its fields that every platform has: binding table and sampler index, lengths, header, return format.
    pub const fn common(self) -> Descriptor {
        Descriptor(self.0)
    }

    /// Returns the message type, 0..=63.
    pub const fn message_type(self) -> u8 {
        (bits::get(self.0 as u64, 31, 1) << 5 | bits::get(self.0 as u64, 12, 5)) as u8
    }

    /// Returns the name of the message type; `None` for reserved types.
    pub fn type_symbol(self) -> Option<&'static str> {
        let code = self.message_type();
        TYPES.iter().find(|(known, _)| *known == code).map(|(_, name)| *name)
    }

    /// Returns lanes and parameter width; `None` for the modes without a published meaning.
    pub const fn shape(self) -> Option<(u8, Width)> {
        match self.common().simd_mode().0 {
            1 => Some((16, Width::Full)),
            2 => Some((32, Width::Full)),
            5 => Some((16, Width::Half)),
            6 => Some((32, Width::Half)),
            _ => None,
        }
    }

    /// Returns the name of the SIMD mode; `None` as in [`shape`](Self::shape).
    pub const fn mode_symbol(self) -> Option<&'static str> {
        match self.shape() {
            Some((16, Width::Full)) => Some("simd16"),
            Some((_, Width::Full)) => Some("simd32"),
            Some((16, Width::Half)) => Some("simd16h"),
            Some((_, Width::Half)) => Some("simd32h"),
            None => None,
        }
    }

    /// Returns the descriptor with another message type.
    #[must_use]
    pub const fn with_message_type(self, code: u8) -> Self {
        let low = bits::put(self.0 as u64, 12, 5, code as u64);
        Self(bits::put(low, 31, 1, (code >> 5) as u64) as u32)
    }

    /// Returns the code of the message type with this name.
    pub fn code_of(name: &str) -> Option<u8> {
        TYPES.iter().find(|(_, known)| *known == name).map(|(code, _)| *code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each code is read back from the two pieces of the field; each code has one name, and each name one code.
    #[test]
    fn types_have_six_bits() {
        let mut named = 0;
        for code in 0..64 {
            let descriptor = Xe2Descriptor(0x4e0f_ff07).with_message_type(code);
            assert_eq!(descriptor.message_type(), code);
            assert_eq!(descriptor.common().rlen(), Descriptor(0x4e0f_ff07).rlen());
            if let Some(name) = descriptor.type_symbol() {
                assert_eq!(Xe2Descriptor::code_of(name), Some(code));
                named += 1;
            }
        }
        assert_eq!(named, TYPES.len());
        // Type 18, which is gather4_po_c before Xe2.
        assert_eq!(Xe2Descriptor(0x0001_2000).type_symbol(), Some("sample_mlod"));
        assert_eq!(Xe2Descriptor(0x8000_8000).type_symbol(), Some("gather4_po"));
        assert_eq!(Xe2Descriptor(0x0002_0000).shape(), Some((16, Width::Full)));
        assert_eq!(Xe2Descriptor(0x2004_0000).mode_symbol(), Some("simd32h"));
        assert_eq!(Xe2Descriptor(0).mode_symbol(), None);
    }
}
