//! The operations of the sampler instructions, as one table.

use crate::message::Op;

/// Whether operation 15 is `gather4_b` and 14 `gather4_i`, or 14 `gather4_b` and 15 `gather4_i`.
///
/// The document `3D_SAMPLE4` has 14 = gather4_i, 15 = gather4_b; the compiler's later sources have 14 = b and
/// 15 = i. Both have 46 = po_b and 47 = po_i, so the document is assumed to be wrong. `true` follows the document.
pub const GATHER4_B_IS_15: bool = false;

const GATHER_B: u8 = if GATHER4_B_IS_15 { 15 } else { 14 };
const GATHER_I: u8 = if GATHER4_B_IS_15 { 14 } else { 15 };

/// A row of the table of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Operation {
    /// The number in the operation field.
    pub number: u8,
    /// The opcode that it belongs to.
    pub opcode: u8,
    /// The reference tool's name, lower case.
    pub name: &'static str,
    /// The wire-neutral operation.
    pub op: Op,
}

macro_rules! operations {
    ($($number:expr, $opcode:literal, $name:literal, $op:ident;)*) => {
        /// All operations.
        static TABLE: &[Operation] =
            &[$(Operation { number: $number, opcode: $opcode, name: $name, op: Op::$op },)*];
    };
}

operations! {
    0, 0x6d, "sample_3d", Sample;
    1, 0x6d, "sample_b", SampleB;
    2, 0x6d, "sample_l", SampleL;
    3, 0x6d, "sample_c", SampleC;
    4, 0x6d, "sample_d", SampleD;
    5, 0x6d, "sample_b_c", SampleBC;
    6, 0x6d, "sample_l_c", SampleLC;
    7, 0x6e, "load_3d", Ld;
    8, 0x6f, "sample4", Gather4;
    9, 0x6d, "lod", Lod;
    10, 0x70, "resinfo", Resinfo;
    11, 0x70, "sampleinfo", Sampleinfo;
    12, 0x6d, "sample+killpix", SampleKillpix;
    13, 0x6f, "sample4_l", Gather4L;
    GATHER_B, 0x6f, "sample4_b", Gather4B;
    GATHER_I, 0x6f, "sample4_i", Gather4I;
    16, 0x6f, "sample4_c", Gather4C;
    17, 0x6f, "sample4_po", Gather4Po;
    18, 0x6f, "sample4_po_c", Gather4PoC;
    20, 0x6d, "sample_d_c", SampleDC;
    21, 0x6f, "sample4_i_c", Gather4IC;
    23, 0x6f, "sample4_l_c", Gather4LC;
    24, 0x6d, "sample_lz", SampleLz;
    25, 0x6d, "sample_c_lz", SampleCLz;
    26, 0x6e, "load_lz", LdLz;
    28, 0x6e, "load_2dms_w", Ld2dmsW;
    29, 0x6e, "load_mcs", LdMcs;
    40, 0x6f, "sample4_po", Gather4PoPacked;
    45, 0x6f, "sample4_po_l", Gather4PoL;
    46, 0x6f, "sample4_po_b", Gather4PoB;
    47, 0x6f, "sample4_po_i", Gather4PoI;
    48, 0x6f, "sample4_po_c", Gather4PoCPacked;
    53, 0x6f, "sample4_po_i_c", Gather4PoIC;
    55, 0x6f, "sample4_po_l_c", Gather4PoLC;
}

/// For each operation number, the index of its row in [`TABLE`] plus 1; 0 = unknown.
static BY_NUMBER: [u8; 56] = {
    let mut rows = [0; 56];
    let mut row = 0;
    while row < TABLE.len() {
        // Evaluated by the compiler: a number out of range would be a compile error.
        #[allow(clippy::indexing_slicing, reason = "evaluated at compile time")]
        {
            rows[TABLE[row].number as usize] = row as u8 + 1;
        }
        row += 1;
    }
    rows
};

impl Operation {
    /// Every operation.
    pub const fn all() -> &'static [Self] {
        TABLE
    }

    /// Returns the operation with this number; `None` if it is unknown.
    #[inline]
    pub fn of(number: u8) -> Option<&'static Self> {
        let row = BY_NUMBER.get(usize::from(number)).copied()?;
        TABLE.get(usize::from(row).wrapping_sub(1))
    }

    /// Returns the operation called `name` in text, any case. Operations 40 and 48 share their names with 17 and
    /// 18, the older ones, which are returned.
    pub fn named(name: &[u8]) -> Option<&'static Self> {
        TABLE.iter().find(|row| row.name.as_bytes().eq_ignore_ascii_case(name))
    }
}
