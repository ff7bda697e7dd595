//! Register operands and their types.

use crate::error::{Error, Kind, Result, What};
use crate::platform::Platform;

/// A register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum File {
    /// Architecture registers; number 0 is null.
    Arf,
    /// General registers.
    #[default]
    Grf,
}

/// A whole register, or one that an address register points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Operand {
    /// The file.
    pub file: File,
    /// The register is `r[a0.n, offset]`; then [`number`](Self::number) is part of that.
    pub indirect: bool,
    /// Register number, 0..=255 (a thread has 128 general registers).
    pub number: u8,
}

impl Operand {
    /// The null register.
    pub const NULL: Self = Self { file: File::Arf, indirect: false, number: 0 };

    /// General register `number`.
    pub const fn grf(number: u8) -> Self {
        Self { file: File::Grf, indirect: false, number }
    }

    /// The null register: nothing is read or written.
    pub const fn is_null(&self) -> bool {
        matches!(self.file, File::Arf) && !self.indirect && self.number == 0
    }
}

/// An architecture register class: number bits 7:4 select it, 3:0 the register.
struct Arch {
    name: &'static str,
    /// How many there are.
    count: u8,
    /// The register number is printed.
    numbered: bool,
}

const fn arch(name: &'static str, count: u8, numbered: bool) -> Arch {
    Arch { name, count, numbered }
}

/// Indexed by number bits 7:4 (14 is not defined).
static ARCH: [Arch; 16] = [
    arch("null", 1, false),
    arch("a", 1, true),
    arch("acc", 10, true),
    arch("f", 2, true),
    arch("ce", 1, false),
    arch("msg", 8, true),
    arch("sp", 1, false),
    arch("sr", 2, true),
    arch("cr", 1, true),
    arch("n", 1, true),
    arch("ip", 1, false),
    arch("tdr", 1, true),
    arch("tm", 1, true),
    arch("fc", 5, true),
    arch("?", 0, true),
    arch("dbg", 1, true),
];

/// acc2 .. acc9 are the math extension registers mme0 .. mme7.
const FIRST_MME: u8 = 2;

/// Refuses architecture registers that do not exist.
pub(super) fn check_arch(number: u8, bit: u8) -> Result<()> {
    let count = ARCH.get(usize::from(number >> 4)).map_or(0, |class| class.count);
    if number & 15 < count {
        return Ok(());
    }
    Err(Error::new(Kind::Unknown, What::ArchRegister).bit(bit).value(u64::from(number)))
}

/// The name of an architecture register, and its number when that is printed.
pub(super) fn arch_name(number: u8) -> (&'static str, Option<u8>) {
    let sub = number & 15;
    match ARCH.get(usize::from(number >> 4)) {
        Some(class) if class.name == "acc" && sub >= FIRST_MME => ("mme", Some(sub.wrapping_sub(FIRST_MME))),
        Some(class) => (class.name, class.numbered.then_some(sub)),
        None => ("?", None),
    }
}

/// The architecture register that [`arch_name`] calls so.
pub(super) fn arch_from_name(name: &str, sub: Option<u8>) -> Option<u8> {
    if name == "mme" {
        return arch_from_name("acc", sub.map(|n| n.saturating_add(FIRST_MME)));
    }
    let class = ARCH.iter().position(|class| class.name == name)?;
    let entry = ARCH.get(class)?;
    (sub.is_some() == entry.numbered && sub.unwrap_or(0) < entry.count)
        .then_some((class as u8) << 4 | sub.unwrap_or(0))
}

/// An element type of a register operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DataType {
    /// Unsigned 32-bit integer.
    #[default]
    Ud,
    /// Signed 32-bit integer.
    D,
    /// Unsigned 16-bit integer.
    Uw,
    /// Signed 16-bit integer.
    W,
    /// Unsigned 8-bit integer.
    Ub,
    /// Signed 8-bit integer.
    B,
    /// Unsigned 64-bit integer.
    Uq,
    /// Signed 64-bit integer.
    Q,
    /// 16-bit float.
    Hf,
    /// 32-bit float.
    F,
    /// 64-bit float.
    Df,
    /// 66-bit float of the accumulator, Gen11.
    Nf,
}

use DataType::*;

/// Codes of register types, Gen9 and Gen10.
static GEN9_TYPES: [DataType; 11] = [Ud, D, Uw, W, Ub, B, Df, F, Uq, Q, Hf];
/// Codes of register types, Gen11.
static GEN11_TYPES: [DataType; 12] = [Ud, D, Uw, W, Ub, B, Uq, Q, Hf, F, Df, Nf];

impl DataType {
    /// The type with code `code` on `platform`.
    ///
    /// # Errors
    /// `Unknown DataType`.
    #[inline]
    pub fn from_code(platform: Platform, code: u32) -> Result<Self> {
        let table = types(platform);
        table
            .get(code as usize)
            .copied()
            .ok_or(Error::new(Kind::Unknown, What::DataType).value(u64::from(code)))
    }

    /// The code on `platform`.
    ///
    /// # Errors
    /// `NotOnPlatform DataType`.
    pub fn code(self, platform: Platform) -> Result<u32> {
        let position = types(platform).iter().position(|&t| t == self);
        position
            .map(|code| code as u32)
            .ok_or(Error::new(Kind::NotOnPlatform, What::DataType).value(self as u64))
    }

    /// The name after the colon.
    pub const fn name(self) -> &'static str {
        match self {
            Ud => "ud",
            D => "d",
            Uw => "uw",
            W => "w",
            Ub => "ub",
            B => "b",
            Uq => "uq",
            Q => "q",
            Hf => "hf",
            F => "f",
            Df => "df",
            Nf => "nf",
        }
    }

    /// The type with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        GEN11_TYPES.iter().copied().find(|t| t.name() == name)
    }
}

#[inline]
fn types(platform: Platform) -> &'static [DataType] {
    if platform == Platform::Gen9 { &GEN9_TYPES } else { &GEN11_TYPES }
}
