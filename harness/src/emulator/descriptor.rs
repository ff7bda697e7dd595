//! Decodes the sampler's message descriptor by its bit table (gen-message page, sections 4 and 5).

/// The fields of a message descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    /// Binding table index.
    pub surface: u32,
    /// Sampler index.
    pub sampler: u32,
    /// Message type.
    pub kind: u32,
    /// SIMD mode: bit 29 above bits 18:17.
    pub mode: u32,
    /// The first register is a header.
    pub header: bool,
    /// Response length in registers.
    pub response: u32,
    /// Message length in registers.
    pub length: u32,
    /// The return format is 16 bits.
    pub half: bool,
}

/// Symbols of the message types in order of their codes, for SIMD modes other than 3; `-`: reserved.
const TYPES: &str = "sample sample_b sample_l sample_c sample_d sample_b_c sample_l_c sample_ld sample_gather4 sample_lod \
    sample_resinfo sample_info sample_killpix - - - sample_gather4_c sample_gather4_po sample_gather4_po_c - sample_d_c - \
    sample_min sample_max sample_lz sample_c_lz sample_ld_lz - sample_ld2dms_w sample_ld_mcs sample_ld2dms sample_ld2ds";

/// Codes and symbols of the message types of SIMD mode 3 (media messages).
const MEDIA: [(u32, &str); 7] = [
    (0x00, "sample_unorm"),
    (0x02, "sample_unorm_killpix"),
    (0x08, "sample_deinterlace"),
    (0x0a, "sample_unorm_killpix_media"),
    (0x0b, "sample_8x8"),
    (0x0c, "sample_unorm_media"),
    (0x1f, "sample_flush"),
];

impl Descriptor {
    /// Decodes a descriptor, each field from its most significant bit down.
    pub fn of(bits: u32) -> Self {
        let range = |high: u32, low: u32| {
            (low..=high).rev().fold(0, |value, n| value * 2 + u32::from(bits & 1 << n != 0))
        };
        Self {
            surface: range(7, 0),
            sampler: range(11, 8),
            kind: range(16, 12),
            mode: range(29, 29) * 4 + range(18, 17),
            header: range(19, 19) == 1,
            response: range(24, 20),
            length: range(28, 25),
            half: range(30, 30) == 1,
        }
    }

    /// Returns the symbol of the message type; `None`: the type is reserved.
    pub fn symbol(&self) -> Option<&'static str> {
        if self.mode == 3 {
            return MEDIA.iter().find(|(kind, _)| *kind == self.kind).map(|(_, symbol)| *symbol);
        }
        TYPES.split_whitespace().nth(self.kind as usize).filter(|symbol| *symbol != "-")
    }

    /// Returns the number of lanes and the bits of a parameter; `None`: messages of this SIMD mode are not executed.
    pub fn lanes(&self, platform: &str) -> Option<(u32, u32)> {
        match self.mode {
            1 => Some((8, 32)),
            2 => Some((16, 32)),
            5 => Some((8, 16)),
            6 => Some((16, 16)),
            // The modes "with integer return" of Xe-HPG (U34).
            0 if platform.starts_with("xe-hp") => Some((8, 32)),
            4 if platform.starts_with("xe-hp") => Some((16, 32)),
            _ => None,
        }
    }
}
