//! Functions of the enumerations whose meaning depends on another field.

use super::table::{Context, Enumeration, Row};
use super::{PredCtrl, QtrCtrl, TernaryAlign1DataType};
use crate::Platform;

impl PredCtrl {
    /// Returns the row that holds in access mode Align16 or Align1; `None` when the value is reserved there.
    pub fn in_access_mode(self, align16: bool) -> Option<&'static Row> {
        let context = if align16 { Context::Align16 } else { Context::Align1 };
        Self::TABLE.row_in(self.0.into(), context)
    }
}

impl QtrCtrl {
    /// Returns the row that holds for an execution size (channels) and NibCtrl; `None` when the PRM gives
    /// the value no meaning there: sizes other than 4, 8 and 16, odd values with size 16, and NibCtrl with
    /// sizes other than 4.
    pub fn in_exec_size(self, channels: u32, nib_ctrl: bool) -> Option<&'static Row> {
        let context = match (channels, nib_ctrl) {
            (4, false) => Context::Exec4Low,
            (4, true) => Context::Exec4High,
            (8, false) => Context::Exec8,
            (16, false) => Context::Exec16,
            _ => return None,
        };
        Self::TABLE.row_in(self.0.into(), context)
    }

    /// Returns the first channel of the thread that an instruction of `channels` channels covers.
    pub fn first_channel(self, channels: u32, nib_ctrl: bool) -> u32 {
        let quarter = u32::from(self.0 & 3) * 8;
        if channels <= 4 { quarter + u32::from(nib_ctrl) * 4 } else { quarter }
    }
}

impl TernaryAlign1DataType {
    /// Returns the type when the instruction computes floats (`float`) or integers; `None` when the code is reserved.
    pub const fn data_type(self, float: bool) -> Option<DataType> {
        use DataType::*;
        let types = if float {
            [Some(Hf), Some(F), Some(Df), Some(Nf), None, None]
        } else {
            [Some(Ud), Some(D), Some(Uw), Some(W), Some(Ub), Some(B)]
        };
        match self.0 {
            0 => types[0],
            1 => types[1],
            2 => types[2],
            3 => types[3],
            4 => types[4],
            5 => types[5],
            _ => None,
        }
    }

    /// Returns the row that holds when the instruction computes floats (`float`) or integers.
    pub fn in_execution_type(self, float: bool) -> Option<&'static Row> {
        Self::TABLE.row_in(self.0.into(), if float { Context::Float } else { Context::Integer })
    }
}

macro_rules! data_types {
    ($($variant:ident = $name:literal, $bits:literal, $doc:literal;)*) => {
        /// The numeric type of an operand, independent of the code that encodes it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub enum DataType { $(#[doc = $doc] $variant,)* }

        impl DataType {
            /// Every type.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The assembler's name, with its colon.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Bits of an element; for the packed vectors, all bits of the 32-bit immediate.
            pub const fn bits(self) -> u32 {
                match self { $(Self::$variant => $bits,)* }
            }
        }
    };
}

data_types! {
    Ud = ":ud", 32, "Unsigned 32-bit integer.";
    D = ":d", 32, "Signed 32-bit integer.";
    Uw = ":uw", 16, "Unsigned 16-bit integer.";
    W = ":w", 16, "Signed 16-bit integer.";
    Ub = ":ub", 8, "Unsigned 8-bit integer.";
    B = ":b", 8, "Signed 8-bit integer.";
    Uq = ":uq", 64, "Unsigned 64-bit integer.";
    Q = ":q", 64, "Signed 64-bit integer.";
    Hf = ":hf", 16, "Half-precision float.";
    F = ":f", 32, "Single-precision float.";
    Df = ":df", 64, "Double-precision float.";
    Nf = ":nf", 66, "Native-precision float.";
    Uv = ":uv", 32, "Eight packed unsigned 4-bit integers.";
    V = ":v", 32, "Eight packed signed 4-bit integers.";
    Vf = ":vf", 32, "Four packed 8-bit restricted floats.";
}

impl DataType {
    /// Returns the type of a 4-bit type code. The codes differ between Gen9, Gen11 and Gen12, and between
    /// immediates and registers. `None`: the code is reserved, or the platform does not use these codes.
    pub fn from_code(platform: Platform, immediate: bool, code: u8) -> Option<Self> {
        codes(platform, immediate)?.get(usize::from(code)).copied().flatten()
    }

    /// Returns the 4-bit code of the type, the inverse of [`from_code`](Self::from_code).
    pub fn code(self, platform: Platform, immediate: bool) -> Option<u8> {
        let codes = codes(platform, immediate)?;
        (0u8..).zip(codes).find(|(_, kind)| **kind == Some(self)).map(|(code, _)| code)
    }
}

type Codes = [Option<DataType>; 12];

fn codes(platform: Platform, immediate: bool) -> Option<&'static Codes> {
    match (platform, immediate) {
        (Platform::Gen9, false) => Some(&GEN9_REGISTER),
        (Platform::Gen9, true) => Some(&GEN9_IMMEDIATE),
        (Platform::Gen11, false) => Some(&GEN11_REGISTER),
        (Platform::Gen11, true) => Some(&GEN11_IMMEDIATE),
        (Platform::XeLp | Platform::XeHpg, false) => Some(&GEN12_REGISTER),
        (Platform::XeLp | Platform::XeHpg, true) => Some(&GEN12_IMMEDIATE),
        _ => None,
    }
}

macro_rules! codes {
    ($($name:ident: $($variant:ident)*;)*) => {$(
        const $name: Codes = {
            use DataType::*;
            [$(codes!(@ $variant),)*]
        };
    )*};
    (@ NONE) => { None };
    (@ $variant:ident) => { Some($variant) };
}

codes! {
    GEN9_REGISTER: Ud D Uw W Ub B Df F Uq Q Hf NONE;
    GEN9_IMMEDIATE: Ud D Uw W Uv Vf V F Uq Q Df Hf;
    GEN11_REGISTER: Ud D Uw W Ub B Uq Q Hf F Df Nf;
    GEN11_IMMEDIATE: Ud D Uw W Uv V Uq Q Hf F Df Vf;
    GEN12_REGISTER: Ub Uw Ud Uq B W D Q NONE Hf F Df;
    GEN12_IMMEDIATE: Uv Uw Ud Uq V W D Q Vf Hf F Df;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The type codes of Gen11 are those of the PRM's tables.
    #[cfg(feature = "enumerations")]
    #[test]
    fn gen11_types_are_the_prm_tables() {
        use crate::enums::{DstType, SrcImmType, SrcType};
        for code in 0..16u8 {
            let name = |immediate| DataType::from_code(Platform::Gen11, immediate, code).map(DataType::name);
            assert_eq!(name(false), SrcType(code).name());
            assert_eq!(name(false), DstType(code).name());
            assert_eq!(name(true), SrcImmType(code).name());
        }
    }

    #[test]
    fn type_codes_are_inverse() {
        for platform in [Platform::Gen9, Platform::Gen11, Platform::XeLp, Platform::XeHpg] {
            for (immediate, code) in (0..32u8).map(|n| (n & 1 == 1, n >> 1)) {
                if let Some(kind) = DataType::from_code(platform, immediate, code) {
                    assert_eq!(kind.code(platform, immediate), Some(code));
                }
            }
        }
    }

    #[test]
    fn context_selects_the_row() {
        assert_eq!(PredCtrl(2).in_access_mode(false).map(|row| row.ident), Some("ANYV"));
        assert_eq!(PredCtrl(2).in_access_mode(true).map(|row| row.ident), Some("REPLICATE_X"));
        assert_eq!(PredCtrl(8).in_access_mode(true), None);
        assert_eq!(PredCtrl(13).in_access_mode(false).map(|row| row.ident), Some("ALL32H"));
        assert_eq!(QtrCtrl(2).in_exec_size(8, false).map(|row| row.ident), Some("QUARTER_3"));
        assert_eq!(QtrCtrl(2).in_exec_size(16, false).map(|row| row.ident), Some("HALF_2"));
        assert_eq!(QtrCtrl(1).in_exec_size(16, false), None);
        assert_eq!(QtrCtrl(3).in_exec_size(4, true).map(|row| row.ident), Some("NIBBLE_8"));
        for code in 0..8 {
            for float in [false, true] {
                let kind = TernaryAlign1DataType(code);
                assert_eq!(
                    kind.data_type(float).map(DataType::name),
                    kind.in_execution_type(float).map(|row| row.name)
                );
            }
        }
    }
}
