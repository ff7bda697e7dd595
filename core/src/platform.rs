//! The hardware generations whose messages are decoded.

/// A GPU generation. It selects tables, encodings and rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Platform {
    /// Intel Gen9 (Skylake).
    Gen9,
    /// Intel Gen11 (Ice Lake).
    Gen11,
    /// Intel Gen12 Xe-LP (Tiger Lake).
    XeLp,
    /// Intel Gen12.7 Xe-HPG (DG2).
    XeHpg,
    /// Intel Xe-HPC (Ponte Vecchio): 64-byte registers; vISA is decoded, native code is not.
    XeHpc,
    /// Intel Xe2 (Lunar Lake, Battlemage): message descriptors are decoded and named, nothing is executed.
    Xe2,
    /// NVIDIA Maxwell (SM 5.x).
    Maxwell,
    /// NVIDIA Pascal (SM 6.x).
    Pascal,
}

impl Platform {
    /// Every platform, oldest first, Intel before NVIDIA.
    pub const ALL: [Self; 8] = [
        Self::Gen9,
        Self::Gen11,
        Self::XeLp,
        Self::XeHpg,
        Self::XeHpc,
        Self::Xe2,
        Self::Maxwell,
        Self::Pascal,
    ];

    /// Returns the name that the command line and `Display` use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gen9 => "gen9",
            Self::Gen11 => "gen11",
            Self::XeLp => "xe-lp",
            Self::XeHpg => "xe-hpg",
            Self::XeHpc => "xe-hpc",
            Self::Xe2 => "xe2",
            Self::Maxwell => "maxwell",
            Self::Pascal => "pascal",
        }
    }

    /// Returns the bytes of one general register (GRF for Intel, R register for NVIDIA).
    pub const fn register_bytes(self) -> usize {
        match self {
            Self::XeHpc | Self::Xe2 => 64,
            Self::Maxwell | Self::Pascal => 4,
            _ => 32,
        }
    }

    /// Returns the platform with this byte in a trace header (9, 11, 12 = Gen; 50..=53, 60..=62 = SM); `None` if it is not known. All Gen12
    /// platforms share 12, which gives [`XeLp`](Self::XeLp).
    pub const fn from_trace_code(code: u8) -> Option<Self> {
        match code {
            9 => Some(Self::Gen9),
            11 => Some(Self::Gen11),
            12 => Some(Self::XeLp),
            50..=53 => Some(Self::Maxwell),
            60..=62 => Some(Self::Pascal),
            _ => None,
        }
    }

    /// Returns the platform byte of a trace header.
    pub const fn trace_code(self) -> u8 {
        match self {
            Self::Gen9 => 9,
            Self::Gen11 => 11,
            Self::XeLp | Self::XeHpg | Self::XeHpc | Self::Xe2 => 12,
            Self::Maxwell => 50,
            Self::Pascal => 60,
        }
    }
}

impl core::fmt::Display for Platform {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}
