//! SAMPLER_BORDER_COLOR_STATE, 4 dwords, 64-byte aligned.

use super::field::Raw;

state! {
    /// SAMPLER_BORDER_COLOR_STATE: float32 for float and normalized formats, 32-bit integers
    /// for integer formats. A surface's channel selects are not applied to it.
    BorderColor: 4 dwords;

    red / set_red: Raw<u32> => 0[31..=0], "Border Color 32bit Red" = "Red, as bits.";
    green / set_green: Raw<u32> => 1[31..=0], "Border Color 32bit Green" = "Green, as bits.";
    blue / set_blue: Raw<u32> => 2[31..=0], "Border Color 32bit Blue" = "Blue, as bits.";
    alpha / set_alpha: Raw<u32> => 3[31..=0], "Border Color 32bit Alpha" = "Alpha, as bits.";
}

impl BorderColor {
    /// Alignment of a border colour, in bytes.
    pub const ALIGN: u32 = 64;

    /// Returns the border colour of the floats R, G, B, A.
    pub fn from_floats(rgba: [f32; 4]) -> Self {
        Self { dwords: rgba.map(f32::to_bits) }
    }

    /// R, G, B, A as floats ("Border Color Float Red" and so on: the same dwords).
    pub fn floats(&self) -> [f32; 4] {
        self.dwords.map(f32::from_bits)
    }
}
