//! The sampler's message descriptor.
//!
//! | bits | field |
//! |---|---|
//! | 7:0 | binding table index; 252 = bindless surface |
//! | 11:8 | sampler index |
//! | 16:12 | message type |
//! | 29, 18:17 | SIMD mode |
//! | 19 | header present |
//! | 24:20 | response length, registers |
//! | 28:25 | message length, registers (of the first block) |
//! | 30 | 16-bit return |

use crate::bits;
use crate::message::{Op, Width};
use crate::platform::Platform;

/// The binding table index of a bindless surface, whose handle is in the extended descriptor.
pub const BINDLESS: u8 = 252;

/// The bits of the extended descriptor that hold the handle of a bindless surface.
pub const HANDLE_MASK: u32 = 0xffff_f000;

/// The sampler's shared function identifier.
pub const SAMPLER: u8 = 2;

/// A sampler message descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Descriptor(pub u32);

impl Descriptor {
    const fn get(self, lo: u32, width: u32) -> u8 {
        bits::get(self.0 as u64, lo, width) as u8
    }

    /// Returns the binding table index.
    pub const fn bti(self) -> u8 {
        self.get(0, 8)
    }

    /// Returns the sampler index, 0..=15.
    pub const fn sampler(self) -> u8 {
        self.get(8, 4)
    }

    /// Returns the message type, 0..=31.
    pub const fn message_type(self) -> u8 {
        self.get(12, 5)
    }

    /// Returns the SIMD mode.
    pub const fn simd_mode(self) -> SimdMode {
        SimdMode(self.get(29, 1) << 2 | self.get(17, 2))
    }

    /// Returns true if the first register is a header.
    pub const fn header(self) -> bool {
        self.get(19, 1) == 1
    }

    /// Returns the response length in registers; 0 = no writeback.
    pub const fn rlen(self) -> u8 {
        self.get(20, 5)
    }

    /// Returns the message length in registers, of the first block.
    pub const fn mlen(self) -> u8 {
        self.get(25, 4)
    }

    /// Returns true if the result is 16 bits wide.
    pub const fn ret16(self) -> bool {
        self.get(30, 1) == 1
    }

    /// Returns the operation; `None` for reserved types and media messages.
    pub fn op(self) -> Option<Op> {
        self.message().and_then(|t| t.op)
    }

    /// Returns the type's name in a disassembly comment; `?` for reserved types.
    pub fn type_text(self) -> &'static str {
        self.message().map_or("?", |t| t.text)
    }

    /// Returns the type's symbol (`sample_l_c`); `None` for reserved types.
    pub fn type_symbol(self) -> Option<&'static str> {
        self.message().map(|t| t.symbol).filter(|symbol| !symbol.is_empty())
    }

    fn message(self) -> Option<&'static MessageType> {
        let code = usize::from(self.message_type());
        if self.simd_mode().is_media() {
            return MEDIA.iter().find(|(at, _)| usize::from(*at) == code).map(|(_, t)| t);
        }
        TYPES.get(code)
    }
}

/// The SIMD mode of a descriptor: bits 29 and 18:17.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SimdMode(pub u8);

/// A SIMD mode: name, symbol, and lanes with parameter width, or `None` if messages of the mode are not executed.
type SimdModeRow = (&'static str, &'static str, Option<(u8, Width)>);

const UNKNOWN: SimdModeRow = ("unknown simd mode", "???", None);

static MODES: [SimdModeRow; 8] = [
    UNKNOWN,
    ("simd8", "simd8", Some((8, Width::Full))),
    ("simd16", "simd16", Some((16, Width::Full))),
    ("simd32/64", "simd32", None),
    UNKNOWN,
    ("simd8 high", "simd8h", Some((8, Width::Half))),
    ("simd16 high", "simd16h", Some((16, Width::Half))),
    ("", "", None),
];

/// Modes 0 and 4 of Xe-HPG and Xe-HPC.
///
/// What they return is not published. Here they return what other modes return: integers for integer formats, floats for float formats.
static INTEGER_RETURN: [SimdModeRow; 2] = [
    ("simd8 with integer return", "simd8_iret", Some((8, Width::Full))),
    ("simd16 with integer return", "simd16_iret", Some((16, Width::Full))),
];

impl SimdMode {
    /// Returns the mode with this number of lanes and this parameter width; `None` if there is none.
    pub const fn of(lanes: u8, width: Width) -> Option<Self> {
        match (lanes, width) {
            (8, Width::Full) => Some(Self(1)),
            (16, Width::Full) => Some(Self(2)),
            (8, Width::Half) => Some(Self(5)),
            (16, Width::Half) => Some(Self(6)),
            _ => None,
        }
    }

    fn entry(self, platform: Platform) -> &'static SimdModeRow {
        match (platform, self.0) {
            (Platform::XeHpg | Platform::XeHpc, 0) => &INTEGER_RETURN[0],
            (Platform::XeHpg | Platform::XeHpc, 4) => &INTEGER_RETURN[1],
            (_, code) => MODES.get(usize::from(code)).unwrap_or(&UNKNOWN),
        }
    }

    /// Returns the name in a disassembly comment; empty for mode 7.
    pub fn text(self, platform: Platform) -> &'static str {
        self.entry(platform).0
    }

    /// Returns the symbol that precedes the type's symbol.
    pub fn symbol(self, platform: Platform) -> &'static str {
        self.entry(platform).1
    }

    /// Returns true if the reference disassembler accepts the mode as valid.
    pub const fn is_valid(self, platform: Platform) -> bool {
        match self.0 {
            0 | 4 => matches!(platform, Platform::XeHpg | Platform::XeHpc),
            code => code < 7,
        }
    }

    /// Returns true for SIMD32/64, the mode of media messages, which are decoded but not executed.
    pub const fn is_media(self) -> bool {
        self.0 == 3
    }

    /// Returns lanes and parameter width; `None` if messages of the mode are not executed on the platform.
    pub fn shape(self, platform: Platform) -> Option<(u8, Width)> {
        self.entry(platform).2
    }
}

/// A message type: symbol, name in disassembly comments, and operation (`None` for reserved types and media messages).
struct MessageType {
    symbol: &'static str,
    text: &'static str,
    op: Option<Op>,
}

const fn message(symbol: &'static str, text: &'static str, op: Op) -> MessageType {
    MessageType { symbol, text, op: Some(op) }
}
const fn media(symbol: &'static str, text: &'static str) -> MessageType {
    MessageType { symbol, text, op: None }
}
const RESERVED: MessageType = media("", "?");

/// The message types by code, for SIMD modes other than 3.
static TYPES: [MessageType; 32] = [
    message("sample", "sample", Op::Sample),
    message("sample_b", "sample+LOD bias", Op::SampleB),
    message("sample_l", "sample override LOD", Op::SampleL),
    message("sample_c", "sample compare", Op::SampleC),
    message("sample_d", "sample gradient", Op::SampleD),
    message("sample_b_c", "sample compare+LOD bias", Op::SampleBC),
    message("sample_l_c", "sample compare+override LOD", Op::SampleLC),
    message("sample_ld", "sample load", Op::Ld),
    message("sample_gather4", "sample gather4", Op::Gather4),
    message("sample_lod", "sample override lod", Op::Lod),
    message("sample_resinfo", "sample res info", Op::Resinfo),
    message("sample_info", "sample info", Op::Sampleinfo),
    message("sample_killpix", "sample+killpix", Op::SampleKillpix),
    RESERVED,
    RESERVED,
    RESERVED,
    message("sample_gather4_c", "sample gather4+compare", Op::Gather4C),
    message("sample_gather4_po", "sample gather4+pixel offset", Op::Gather4Po),
    message("sample_gather4_po_c", "sample gather4 pixel offset+compare", Op::Gather4PoC),
    RESERVED,
    message("sample_d_c", "sample derivatives+compare", Op::SampleDC),
    RESERVED,
    message("sample_min", "sample min", Op::SampleMin),
    message("sample_max", "sample max", Op::SampleMax),
    message("sample_lz", "sample with lod forced to 0", Op::SampleLz),
    message("sample_c_lz", "sample compare+with lod forced to 0", Op::SampleCLz),
    message("sample_ld_lz", "sample load with lod forced to 0", Op::LdLz),
    RESERVED,
    message("sample_ld2dms_w", "sample ld2 multi-sample wide", Op::Ld2dmsW),
    message("sample_ld_mcs", "sample load mcs auxiliary data", Op::LdMcs),
    message("sample_ld2dms", "sample load multi-sample", Op::Ld2dms),
    message("sample_ld2ds", "sample multi-sample without mcs", Op::Ld2dss),
];

/// The message types of SIMD32/64 (mode 3), with their codes.
static MEDIA: [(u8, MessageType); 7] = [
    (0x00, media("sample_unorm", "sample unorm")),
    (0x02, media("sample_unorm_killpix", "sample unorm+killpix")),
    (0x08, media("sample_deinterlace", "sample deinterlace")),
    (0x0a, media("sample_unorm_killpix_media", "sample unorm+killpix for media")),
    (0x0b, media("sample_8x8", "sample 8x8")),
    (0x0c, media("sample_unorm_media", "sample unorm for media")),
    (0x1f, media("sample_flush", "sampler cache flush")),
];

/// Returns the message type of an operation; `None` if no message type has it.
pub fn type_of(op: Op) -> Option<u8> {
    TYPES.iter().position(|t| t.op == Some(op)).map(|at| at as u8)
}
