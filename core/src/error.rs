//! One error type for the whole crate: the kind of error, the thing it is about, its position and the value found.
//!
//! An [`Error`] is `Copy` and 16 bytes. The texts are in tables that only `Display` refers
//! to, so firmware that never prints an error does not carry them.

use core::fmt;

/// Why something was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Kind {
    /// The input ends before the thing does; `value` is the number of bytes it needs.
    Truncated,
    /// A number that the format's tables do not define.
    Unknown,
    /// A number or bit that the format reserves.
    Reserved,
    /// A field whose value contradicts the rest.
    Invalid,
    /// Legal, but on another platform only.
    NotOnPlatform,
    /// Legal, but not done by this crate (or left out by a cargo feature).
    Unsupported,
    /// An access to memory that is not there; `value` is the address.
    Fault,
    /// A caller's buffer or table is too small; `value` is what it needs: entries of [`What::Slot`], [`What::ReplayRegions`] and
    /// [`What::Taps`], else bytes.
    Capacity,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Truncated,
        Self::Unknown,
        Self::Reserved,
        Self::Invalid,
        Self::NotOnPlatform,
        Self::Unsupported,
        Self::Fault,
        Self::Capacity,
    ];

    /// Returns the position in [`ALL`](Self::ALL).
    pub const fn code(self) -> u8 {
        self as u8
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::Unknown => "unknown",
            Self::Reserved => "reserved",
            Self::Invalid => "invalid",
            Self::NotOnPlatform => "not on this platform:",
            Self::Unsupported => "not supported:",
            Self::Fault => "memory fault:",
            Self::Capacity => "buffer too small:",
        }
    }
}

macro_rules! whats {
    ($($(#[doc = $doc:literal])* $name:ident: $text:literal, $expected:literal;)*) => {
        /// The thing that an error is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[non_exhaustive]
        pub enum What {
            $(#[doc = $text] $(#[doc = $doc])* $name,)*
        }

        impl What {
            const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns a number for the thing, for interfaces that have no names. It can change from one version of this crate to the next.
            pub const fn code(self) -> u16 {
                self as u16
            }
            /// Returns the thing with this [`code`](Self::code); `None` if there is none.
            pub fn from_code(code: u16) -> Option<Self> {
                Self::ALL.get(usize::from(code)).copied()
            }
            /// Returns the thing's name as it is written in a sentence.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
            /// Returns what would have been accepted; empty where the name tells enough.
            pub const fn expected(self) -> &'static str {
                match self { $(Self::$name => $expected,)* }
            }
        }
    };
}

whats! {
    // -- shared ------------------------------------------------------------
    Input: "input", "";
    Instruction: "instruction", "";
    Opcode: "opcode", "";
    Register: "register number", "";
    // -- message -----------------------------------------------------------
    Operation: "operation", "";
    ExecSize: "execution size", "1, 2, 4, 8, 16 or 32";
    ChannelMask: "channel mask", "at least one of R, G, B, A";
    ParameterCount: "parameter count", "";
    Payload: "payload", "";
    Writeback: "writeback", "";
    // -- visa --------------------------------------------------------------
    Cisa: "CISA container", "the bytes CISA, then a version from 3.0";
    KernelCount: "kernel or function entry", "";
    KernelBody: "kernel body", "";
    StringTable: "string table", "";
    SymbolTable: "symbol table", "";
    CodeRange: "code range", "inside the kernel body";
    SubOperation: "sub-operation", "";
    ExecMask: "execution mask", "";
    Predicate: "predicate", "a declared predicate, control none, any or all";
    VectorOperand: "vector operand class", "0 to 3, 5 or 6";
    Variable: "variable", "a declared or predefined variable";
    SamplerIndex: "sampler", "a declared sampler or 31";
    SurfaceIndex: "surface", "a predefined or declared surface";
    GatherChannel: "gather4 channel", "0 to 3";
    ElementType: "element type", "";
    Registers: "register contents", "";
    // -- eu ----------------------------------------------------------------
    Compaction: "compacted form", "none for this opcode";
    ThreadControl: "thread control", "";
    PredicateControl: "predicate control", "0..=13";
    RegisterFile: "register file", "";
    ArchRegister: "architecture register", "";
    DataType: "data type", "";
    DescriptorFile: "descriptor register file", "immediate or a0";
    Region: "region", "strides and a width of the PRM's tables";
    SharedFunction: "shared function", "the sampler, 2";
    MessageDescriptor: "message descriptor", "";
    ExtendedDescriptor: "extended message descriptor", "";
    SimdMode: "SIMD mode", "1, 2, 5 or 6";
    MessageType: "message type", "";
    MessageLength: "message length", "";
    ResponseLength: "response length", "";
    BindingTableIndex: "binding table index", "0..=239 or 252";
    SamplerPointer: "sampler state pointer", "a multiple of 16 at or after the base";
    FieldValue: "field value", "";
    Scoreboard: "software scoreboard", "";
    AccessMode: "access mode", "align1 for indirect sources";
    Operands: "operands", "(size|Moffset) dst src0 [src1] exdesc desc [{options}]";
    Option: "option", "";
    // -- txq ---------------------------------------------------------------
    CodeSection: "code section", "groups of 32 bytes";
    Query: "TXQ query", "";
    QueryResult: "TXQ query", "a query whose answer is documented";
    ConstantBank: "constant bank", "";
    TextureClass: "texture class", "0x9097, 0xa097, 0xb097, 0xb197 or 0xc097";
    TextureHeader: "texture header", "";
    HeaderVersion: "texture header version", "";
    HeaderField: "pool entry field", "";
    TextureType: "texture type", "0 to 8";
    MultiSampleCount: "multisample mode", "";
    SamplePosition: "sample position", "of modes 0 to 6: those of VC, CENTER and REGULAR modes are not published";
    TxqMnemonic: "mnemonic", "TXQ";
    TxqSuffix: "TXQ suffix", ".B, .NODEP, .T or .P in this order";
    TxqPredicate: "predicate", "P0 to P6 or PT";
    TxqRegister: "register", "R0 to R254 or RZ";
    TxqComma: "separator", "a comma";
    TxqImmediate: "immediate", "index (13 bits), mask (4 bits), or tid (8), smp (5), mask";
    TxqAnnotation: "annotation", "&req (6 bits), &rd, &wr (3 bits), ? (7 bits)";
    TxqEnd: "end of the instruction", ";";
    // -- state, memory -----------------------------------------------------
    SurfaceType: "surface type", "";
    TileMode: "tile mode", "linear for buffers, Y-major for ASTC, W-major to Gen11 for elements of one byte";
    Pitch: "pitch", "1 to 262144 bytes, QPitch at most 131068 rows, tiled resources whole tiles";
    TiledResource: "tiled resource mode", "none, or 1 or 2 of a Y-major surface that can have it";
    SurfaceOffset: "surface offset", "0 but for one level, slice and sample of a tiled 2D surface, X in 16 texels of 8 bits, 8 of 16";
    LineStride: "vertical line stride", "0 but for one level and sample of a 2D surface of texels";
    MipTail: "mip tail start", "0 to 15, a level after which the tile has a slot for each";
    Alignment: "level alignment", "4, 8 or 16 elements";
    TexelRegion: "region of texels", "whole blocks inside a level, a slice and a sample that there are";
    RowPitch: "row pitch", "at least the bytes of a row";
    Texels: "rows of texels", "";
    Width: "surface width", "1 to 16384 texels, 3D: 2048";
    Height: "surface height", "1 to 16384 texels, 3D: 2048, 1D and buffers: 1";
    Depth: "surface depth", "1 to 2048 slices, cubes: 340, buffers: 1";
    Elements: "number of elements", "1 to 2^27, raw and structured buffers: 2^31";
    QPitch: "QPitch", "a multiple of 4, at most 131068 rows";
    ViewExtent: "render target view extent", "1 to 2048 slices";
    MinArrayElement: "minimum array element", "0 to 2047";
    SurfaceMinLod: "surface min LOD", "0 to 15";
    XOffset: "X offset", "a multiple of 4, at most 508";
    YOffset: "Y offset", "a multiple of 4, at most 28";
    AuxPitch: "auxiliary surface pitch", "1 to 512 tiles";
    AuxQPitch: "auxiliary surface QPitch", "a multiple of 4, at most 131068 rows";
    QuiltSize: "quilt size", "1 to 32 quilts";
    BaseAddress: "surface base address", "a multiple of 4096 (Ys: 65536), of the element when linear";
    BindingEntry: "binding table entry", "";
    SurfaceState: "surface state", "";
    SamplerState: "sampler state", "";
    BorderColor: "border colour", "";
    // -- format, sample ----------------------------------------------------
    Format: "surface format", "";
    Texel: "texel", "";
    Samples: "number of samples", "1, 2, 4, 8 or 16, as the surface type and the operation allow";
    MipCount: "number of levels", "1 to 16, none below one texel, 1 when multisampled";
    CubeSize: "height of a cube", "its width";
    AuxMode: "auxiliary surface mode", "none, or CCS_D of a surface with a plane for each sample: the codes of CCS and HiZ are not published";
    ChannelSelect: "shader channel select", "zero, one or a channel";
    Filter: "texture filter", "nearest, linear or anisotropic";
    BaseMipLevel: "base mip level", "0";
    MemoryCompression: "memory compression", "none: its codes are not published";
    Quilt: "quilt", "1 x 1: the seams of others are not published";
    ChromaKey: "chroma key", "none that replaces texels or fills a kill mask: how channels are compared is not published";
    FilterWeightReturn: "filter weight return", "none: what is returned is not published";
    ForcedGather4: "forced gather4", "0: what it forces is not published";
    MipFilter: "mip filter", "none, nearest or linear";
    // -- trace -------------------------------------------------------------
    Frame: "trace frame", "";
    Record: "trace record", "";
    Slot: "slot", "";
    ReplayMemory: "replay memory", "";
    ReplayRegions: "replay memory regions", "";
    // -- text --------------------------------------------------------------
    Mnemonic: "mnemonic", "";
    ChannelLetters: "channel letters", "a subset of RGBA in that order";
    OperandText: "operand", "";
    Number: "number", "";
    TextEnd: "end of the text", "";
    Punctuation: "punctuation", "";
    // -- observer ----------------------------------------------------------
    Lane: "lane", "below the execution size";
    Taps: "texels of a lane", "";
}

/// An error: kind, thing, position and value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Error {
    value: u64,
    at: u32,
    bit: u8,
    kind: Kind,
    what: What,
}

const NO_BIT: u8 = u8::MAX;
const NOWHERE: u32 = u32::MAX;
const _: () = assert!(size_of::<Error>() <= 16);

impl Error {
    /// Returns an error without a position or value; chain [`at`](Self::at), [`bit`](Self::bit), [`value`](Self::value).
    pub const fn new(kind: Kind, what: What) -> Self {
        Self { value: 0, at: NOWHERE, bit: NO_BIT, kind, what }
    }

    /// Returns the error for input that ends too early: `needed` bytes are expected from byte `at` on.
    pub const fn truncated(what: What, at: usize, needed: usize) -> Self {
        Self::new(Kind::Truncated, what).at(at).value(needed as u64)
    }

    /// Sets the byte offset (saturating at 4 GiB).
    #[must_use]
    pub const fn at(mut self, byte: usize) -> Self {
        self.at = if byte < NOWHERE as usize { byte as u32 } else { NOWHERE - 1 };
        self
    }

    /// Adds `base` to the byte offset (0 if there is none), so that an error in a part of the input has its position in the whole input.
    #[must_use]
    pub const fn offset_by(self, base: usize) -> Self {
        if self.at == NOWHERE { self.at(base) } else { self.at(base.saturating_add(self.at as usize)) }
    }

    /// Sets the lowest bit of the field, counted from the byte offset.
    #[must_use]
    pub const fn bit(mut self, bit: u8) -> Self {
        self.bit = bit;
        self
    }

    /// Sets the value found (or needed, see [`Kind`]).
    #[must_use]
    pub const fn value(mut self, value: u64) -> Self {
        self.value = value;
        self
    }

    /// Returns the kind of error: why the thing was refused.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the thing that was refused.
    pub const fn what(&self) -> What {
        self.what
    }

    /// Returns the byte offset in the input, if the error has a position.
    pub const fn offset(&self) -> Option<usize> {
        if self.at == NOWHERE { None } else { Some(self.at as usize) }
    }

    /// Returns the bit offset from [`offset`](Self::offset), if the error is about a field.
    pub const fn bit_offset(&self) -> Option<u8> {
        if self.bit == NO_BIT { None } else { Some(self.bit) }
    }

    /// Returns what would have been accepted, with the reason if the value is refused because no source describes it; empty where the name
    /// tells enough.
    pub const fn expected(&self) -> &'static str {
        // Found by the value and not stored in the error, so that firmware that never prints an error does not carry these texts.
        match (self.kind, self.what, self.value) {
            // R1_UNORM, MONO8.
            (Kind::Unsupported, What::Format, 0x181 | 0x18e) => {
                "whole bytes: where a texel of 1 bit lies is not published"
            }
            // RAW.
            (Kind::Unsupported, What::Format, 0x1ff) => "one with texels",
            (Kind::Unsupported, What::SimdMode, 3) => {
                "1, 2, 5 or 6: what media messages return is not published"
            }
            (_, what, _) => what.expected(),
        }
    }

    /// Returns what the value of a [`Kind::Capacity`] counts: tables of fixed length are full of entries, not of bytes.
    const fn unit(&self) -> &'static str {
        match self.what {
            What::Slot => "slots",
            What::ReplayRegions => "regions",
            What::Taps => "texels",
            _ => "bytes",
        }
    }

    /// Returns the value found (what is needed for [`Truncated`](Kind::Truncated) and [`Capacity`](Kind::Capacity), the address for
    /// `Fault`).
    pub const fn found(&self) -> u64 {
        self.value
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.text(), self.what.text())?;
        match self.kind {
            Kind::Truncated => write!(f, ", {} bytes needed", self.value)?,
            Kind::Capacity => write!(f, ", {} {} needed", self.value, self.unit())?,
            Kind::Fault => write!(f, " address {:#x}", self.value)?,
            _ => write!(f, " {:#x}", self.value)?,
        }
        if let Some(at) = self.offset() {
            write!(f, " at byte {at:#x}")?;
        }
        if let Some(bit) = self.bit_offset() {
            write!(f, " bit {bit}")?;
        }
        if !self.expected().is_empty() {
            write!(f, " (expected {})", self.expected())?;
        }
        Ok(())
    }
}

impl core::error::Error for Error {}

/// Prints what `Display` prints, without the accepted values, and with the names of [`Kind`] and [`What`], which the host at the debug
/// probe has and flash does not.
#[cfg(feature = "defmt")]
impl defmt::Format for Error {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "{} {}", self.kind, self.what);
        match self.kind {
            Kind::Truncated => defmt::write!(f, ", {=u64} bytes needed", self.value),
            // Without the unit, which would be a text in flash.
            Kind::Capacity => defmt::write!(f, ", {=u64} needed", self.value),
            Kind::Fault => defmt::write!(f, " address {=u64:#x}", self.value),
            _ => defmt::write!(f, " {=u64:#x}", self.value),
        }
        if let Some(at) = self.offset() {
            defmt::write!(f, " at byte {=usize:#x}", at);
        }
        if let Some(bit) = self.bit_offset() {
            defmt::write!(f, " bit {=u8}", bit);
        }
    }
}

/// A result with the crate's [`Error`].
pub type Result<T> = core::result::Result<T, Error>;
