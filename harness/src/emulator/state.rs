//! RENDER_SURFACE_STATE and SAMPLER_STATE as a table of fields: name, dword, high bit, low bit.
//!
//! Source: the Gen11 state description (Ice Lake; gen-state page, sections 2 and 3); Gen9 has its fields in the same places. Bits
//! above 31 continue in the next dword.

/// A field, and where its bits are.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name in the state description.
    pub name: &'static str,
    /// Dword of the structure.
    pub dword: usize,
    /// Highest bit, counted from the dword's bit 0.
    pub hi: usize,
    /// Lowest bit.
    pub lo: usize,
}

const fn f(name: &'static str, dword: usize, hi: usize, lo: usize) -> Field {
    Field { name, dword, hi, lo }
}

/// The fields of RENDER_SURFACE_STATE.
#[rustfmt::skip]
pub const SURFACE: &[Field] = &[
    f("Cube Face Enable - Positive Z", 0, 0, 0),
    f("Cube Face Enable - Negative Z", 0, 1, 1),
    f("Cube Face Enable - Positive Y", 0, 2, 2),
    f("Cube Face Enable - Negative Y", 0, 3, 3),
    f("Cube Face Enable - Positive X", 0, 4, 4),
    f("Cube Face Enable - Negative X", 0, 5, 5),
    f("Media Boundary Pixel Mode", 0, 7, 6),
    f("Render Cache Read Write Mode", 0, 8, 8),
    f("Sampler L2 Bypass Mode Disable", 0, 9, 9),
    f("Vertical Line Stride Offset", 0, 10, 10),
    f("Vertical Line Stride", 0, 11, 11),
    f("Tile Mode", 0, 13, 12),
    f("Surface Horizontal Alignment", 0, 15, 14),
    f("Surface Vertical Alignment", 0, 17, 16),
    f("Surface Format", 0, 27, 18),
    f("Surface Array", 0, 28, 28),
    f("Surface Type", 0, 31, 29),
    f("Surface QPitch", 1, 14, 0),
    f("Base Mip Level", 1, 23, 19),
    f("MOCS", 1, 30, 24),
    f("Enable Unorm Path In Color Pipe", 1, 31, 31),
    f("Width", 2, 13, 0),
    f("Height", 2, 29, 16),
    f("Surface Pitch", 3, 17, 0),
    f("Tile Address Mapping Mode", 3, 20, 20),
    f("Depth", 3, 31, 21),
    f("Multisample Position Palette Index", 4, 2, 0),
    f("Number of Multisamples", 4, 5, 3),
    f("Multisampled Surface Storage Format", 4, 6, 6),
    f("Render Target View Extent", 4, 17, 7),
    f("Minimum Array Element", 4, 28, 18),
    f("Render Target And Sample Unorm Rotation", 4, 30, 29),
    f("MIP Count / LOD", 5, 3, 0),
    f("Surface Min LOD", 5, 7, 4),
    f("Mip Tail Start LOD", 5, 11, 8),
    f("Coherency Type", 5, 14, 14),
    f("Tiled Resource Mode", 5, 19, 18),
    f("EWA Disable For Cube", 5, 20, 20),
    f("Y Offset", 5, 23, 21),
    f("X Offset", 5, 31, 25),
    f("Auxiliary Surface Mode", 6, 2, 0),
    f("Y Offset for U or UV Plane", 6, 13, 0),
    f("Auxiliary Surface Pitch", 6, 11, 3),
    f("X Offset for U or UV Plane", 6, 29, 16),
    f("Auxiliary Surface QPitch", 6, 30, 16),
    f("Separate UV Plane Enable", 6, 31, 31),
    f("Resource Min LOD", 7, 11, 0),
    f("Shader Channel Select Alpha", 7, 18, 16),
    f("Shader Channel Select Blue", 7, 21, 19),
    f("Shader Channel Select Green", 7, 24, 22),
    f("Shader Channel Select Red", 7, 27, 25),
    f("Memory Compression Enable", 7, 30, 30),
    f("Memory Compression Mode", 7, 31, 31),
    f("Surface Base Address", 8, 63, 0),
    f("Quilt Width", 10, 4, 0),
    f("Quilt Height", 10, 9, 5),
    f("Clear Value Address Enable", 10, 10, 10),
    f("Auxiliary Surface Base Address", 10, 63, 12),
    f("Auxiliary Table Index for Media Compressed Surface", 10, 31, 21),
    f("Y Offset for V Plane", 11, 13, 0),
    f("X Offset for V Plane", 11, 29, 16),
    f("Red Clear Color", 12, 31, 0),
    f("Clear Color Conversion Enable", 12, 5, 5),
    f("Clear Value Address", 12, 47, 6),
    f("Green Clear Color", 13, 31, 0),
    f("Blue Clear Color", 14, 31, 0),
    f("Alpha Clear Color", 15, 31, 0),
];

/// The fields of SAMPLER_STATE.
#[rustfmt::skip]
pub const SAMPLER: &[Field] = &[
    f("Anisotropic Algorithm", 0, 0, 0),
    f("Texture LOD Bias", 0, 13, 1),
    f("Min Mode Filter", 0, 16, 14),
    f("Mag Mode Filter", 0, 19, 17),
    f("Mip Mode Filter", 0, 21, 20),
    f("Coarse LOD Quality Mode", 0, 26, 22),
    f("LOD PreClamp Mode", 0, 28, 27),
    f("Texture Border Color Mode", 0, 29, 29),
    f("CPS LOD Compensation Enable", 0, 30, 30),
    f("Sampler Disable", 0, 31, 31),
    f("Cube Surface Control Mode", 1, 0, 0),
    f("Shadow Function", 1, 3, 1),
    f("ChromaKey Mode", 1, 4, 4),
    f("ChromaKey Index", 1, 6, 5),
    f("ChromaKey Enable", 1, 7, 7),
    f("Max LOD", 1, 19, 8),
    f("Min LOD", 1, 31, 20),
    f("LOD Clamp Magnification Mode", 2, 0, 0),
    f("SRGB DECODE", 2, 1, 1),
    f("Return Filter Weight for Null Texels", 2, 2, 2),
    f("Return Filter Weight for Border Texels", 2, 3, 3),
    f("Force gather4 Behavior", 2, 5, 5),
    f("Border Color Pointer", 2, 23, 6),
    f("TCZ Address Control Mode", 3, 2, 0),
    f("TCY Address Control Mode", 3, 5, 3),
    f("TCX Address Control Mode", 3, 8, 6),
    f("Reduction Type Enable", 3, 9, 9),
    f("Non-normalized Coordinate Enable", 3, 10, 10),
    f("Trilinear Filter Quality", 3, 12, 11),
    f("R Address Min Filter Rounding Enable", 3, 13, 13),
    f("R Address Mag Filter Rounding Enable", 3, 14, 14),
    f("V Address Min Filter Rounding Enable", 3, 15, 15),
    f("V Address Mag Filter Rounding Enable", 3, 16, 16),
    f("U Address Min Filter Rounding Enable", 3, 17, 17),
    f("U Address Mag Filter Rounding Enable", 3, 18, 18),
    f("Maximum Anisotropy", 3, 21, 19),
    f("Reduction Type", 3, 23, 22),
    f("Allow Low Quality LOD Calculation", 3, 24, 24),
];

fn find(table: &[Field], name: &str) -> Field {
    *table.iter().find(|field| field.name == name).unwrap_or_else(|| panic!("no state field `{name}`"))
}

/// Returns the value of field `name`.
///
/// # Panics
/// The table has no such field.
pub fn get(table: &[Field], dwords: &[u32], name: &str) -> u64 {
    let Field { dword, hi, lo, .. } = find(table, name);
    let mut value = 0;
    for bit in (lo..=hi).rev() {
        value = value * 2 + u64::from(dwords[dword + bit / 32] >> (bit % 32) & 1);
    }
    value
}

/// Sets field `name` to the low bits of `value`.
///
/// # Panics
/// The table has no such field.
pub fn set(table: &[Field], dwords: &mut [u32], name: &str, value: u64) {
    let Field { dword, hi, lo, .. } = find(table, name);
    for (position, bit) in (lo..=hi).enumerate() {
        let mask = 1 << (bit % 32);
        let one = value >> position & 1 == 1;
        let target = &mut dwords[dword + bit / 32];
        *target = if one { *target | mask } else { *target & !mask };
    }
}

/// [`get`] from a RENDER_SURFACE_STATE.
pub fn surface(dwords: &[u32; 16], name: &str) -> u64 {
    get(SURFACE, dwords, name)
}

/// [`get`] from a SAMPLER_STATE.
pub fn sampler(dwords: &[u32; 4], name: &str) -> u64 {
    get(SAMPLER, dwords, name)
}

/// [`set`] in a RENDER_SURFACE_STATE.
pub fn set_surface(dwords: &mut [u32; 16], name: &str, value: u64) {
    set(SURFACE, dwords, name, value);
}

/// [`set`] in a SAMPLER_STATE.
pub fn set_sampler(dwords: &mut [u32; 4], name: &str, value: u64) {
    set(SAMPLER, dwords, name, value);
}

/// Returns the `bits`-bit two's complement number in the low bits of `value`.
pub fn signed(value: u64, bits: u32) -> i64 {
    let half = 1i64 << (bits - 1);
    let value = value as i64 % (half * 2);
    if value >= half { value - half * 2 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_then_get_touches_nothing_else() {
        for table in [SURFACE, SAMPLER] {
            for field in table {
                let mut dwords = [0u32; 16];
                let width = field.hi - field.lo + 1;
                let ones = if width == 64 { u64::MAX } else { (1 << width) - 1 };
                set(table, &mut dwords, field.name, u64::MAX);
                assert_eq!(get(table, &dwords, field.name), ones, "{}", field.name);
                assert_eq!(dwords.iter().map(|d| d.count_ones() as usize).sum::<usize>(), width);
            }
        }
    }
}
