//! Register operands of sends, and the architecture registers with their names.

use crate::platform::Platform;

/// A register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum RegisterFile {
    /// Architecture registers; number 0 is null.
    Arf,
    /// General registers.
    #[default]
    Grf,
}

/// A whole register, or one that an address register points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Operand {
    /// The file.
    pub file: RegisterFile,
    /// The register is `r[a0.n, offset]`; then [`number`](Self::number) holds n (bits 7:4) and bits 8:5 of the offset (bits 3:0).
    pub indirect: bool,
    /// Register number, 0..=255 (a thread has 128 general registers).
    pub number: u8,
}

impl Operand {
    /// The null register.
    pub const NULL: Self = Self { file: RegisterFile::Arf, indirect: false, number: 0 };

    /// Returns general register `number`.
    pub const fn grf(number: u8) -> Self {
        Self { file: RegisterFile::Grf, indirect: false, number }
    }

    /// Returns true for the null register: nothing is read or written.
    pub const fn is_null(&self) -> bool {
        matches!(self.file, RegisterFile::Arf) && !self.indirect && self.number == 0
    }
}

/// Prints `r18`, `null`, `arf 0x40`, or `r[a0]` with the bits of the number.
#[cfg(feature = "defmt")]
impl defmt::Format for Operand {
    fn format(&self, f: defmt::Formatter<'_>) {
        match (self.file, self.indirect) {
            _ if self.is_null() => defmt::write!(f, "null"),
            (RegisterFile::Grf, false) => defmt::write!(f, "r{=u8}", self.number),
            (RegisterFile::Arf, false) => defmt::write!(f, "arf {=u8:#x}", self.number),
            (_, true) => defmt::write!(f, "r[a0] {=u8:#x}", self.number),
        }
    }
}

/// A class of architecture registers: bits 7:4 of a register number select the class, bits 3:0 the register.
struct Arch {
    name: &'static str,
    /// The number of registers: on Gen9 and Gen11, Xe-LP, Xe-HPG.
    count: [u8; 3],
    /// The register number is printed after the name.
    numbered: bool,
}

const fn arch(name: &'static str, count: u8, numbered: bool) -> Arch {
    Arch { name, count: [count; 3], numbered }
}

/// The classes, indexed by bits 7:4 of the register number (14 is not defined).
static ARCH: [Arch; 16] = [
    arch("null", 1, false),
    arch("a", 1, true),
    Arch { name: "acc", count: [10, 16, 16], numbered: true },
    arch("f", 2, true),
    arch("ce", 1, false),
    arch("msg", 8, true),
    Arch { name: "sp", count: [1, 1, 0], numbered: false },
    arch("sr", 2, true),
    arch("cr", 1, true),
    arch("n", 1, true),
    arch("ip", 1, false),
    arch("tdr", 1, true),
    arch("tm", 1, true),
    Arch { name: "fc", count: [5, 4, 4], numbered: true },
    arch("?", 0, true),
    arch("dbg", 1, true),
];

/// Returns the number of the accumulator that is mme0: the accumulators from there on are the math extension registers.
const fn first_mme(platform: Platform) -> u8 {
    match platform {
        Platform::Gen9 | Platform::Gen11 => 2,
        _ => 8,
    }
}

impl Arch {
    fn of(number: u8) -> Option<&'static Self> {
        ARCH.get(usize::from(number >> 4))
    }

    const fn count(&self, platform: Platform) -> u8 {
        let [old, xe_lp, xe_hpg] = self.count;
        match platform {
            Platform::Gen9 | Platform::Gen11 => old,
            Platform::XeLp => xe_lp,
            _ => xe_hpg,
        }
    }
}

/// Returns true if the architecture register exists.
#[inline(always)]
pub(super) fn arch_exists(platform: Platform, number: u8) -> bool {
    Arch::of(number).is_some_and(|class| number & 15 < class.count(platform))
}

/// Returns the name of an architecture register, and its number in the class if that is printed.
pub(super) fn arch_name(platform: Platform, number: u8) -> (&'static str, Option<u8>) {
    let sub = number & 15;
    let mme = first_mme(platform);
    match Arch::of(number) {
        Some(class) if class.name == "acc" && sub >= mme => ("mme", Some(sub.wrapping_sub(mme))),
        Some(class) => (class.name, class.numbered.then_some(sub)),
        None => ("?", None),
    }
}

/// Returns the number of the architecture register to which [`arch_name`] gives this name and number; `None` if there is none.
pub(super) fn arch_from_name(platform: Platform, name: &str, sub: Option<u8>) -> Option<u8> {
    let (name, sub) = match name {
        "mme" => ("acc", Some(sub?.saturating_add(first_mme(platform)))),
        // Math extension registers are never called acc.
        "acc" if sub? >= first_mme(platform) => return None,
        name => (name, sub),
    };
    let class = ARCH.iter().position(|class| class.name == name)?;
    let entry = ARCH.get(class)?;
    let number = sub.unwrap_or(0);
    (sub.is_some() == entry.numbered && number < entry.count(platform)).then_some((class as u8) << 4 | number)
}
