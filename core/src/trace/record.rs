//! Records: the payloads of frames, by kind.
//!
//! | kind | record | payload |
//! |---|---|---|
//! | 0x01 | header | `TXWR`, u16 version, u8 platform, u8 flags (bit 0 writebacks recorded, bit 1 fixed8, bit 2 an end record follows) |
//! | 0x02 | surface | u16 slot, 64 bytes RENDER_SURFACE_STATE |
//! | 0x03 | sampler | u16 slot, 16 bytes SAMPLER_STATE |
//! | 0x04 | border | u32 offset, 16 bytes border colour |
//! | 0x05 | tex header | u32 index, 32 bytes, u16 class |
//! | 0x06 | tex sampler | u32 index, 32 bytes |
//! | 0x07 | memory | u64 address, contents |
//! | 0x08 | unmap | u64 address, u64 length |
//! | 0x09 | constant | u32 offset, contents |
//! | 0x0a | palette | u8 palette (0 or 1), u8 first entry, entries of 4 bytes: alpha 31:24, red, green, blue 7:0 |
//! | 0x0b | coarse | f32 that messages with LOD compensation add to the LOD (coarse pixel shading) |
//! | 0x10 | visa | [`VisaRecord`] |
//! | 0x11 | gen | [`GenRecord`] |
//! | 0x12 | txq | [`TxqRecord`] |
//! | 0x20 | writeback | u8 kind of the message, registers |
//! | 0x30 | mark | u64 ticks, u32 ticks per microsecond |
//! | 0x31 | text | UTF-8 |
//! | 0x32 | lost | u32 frames that the sender dropped |
//! | 0x33 | end | u64 frames of the stream before this one: the last frame of a stream |

use super::bytes::{chunk, pair, rest};
use super::messages::{GenRecord, HALF, TxqRecord, VisaRecord};
use crate::Platform;
use crate::bits::Reader;
use crate::error::{Error, Kind as Why, Result, What};

/// The version of the format that this crate writes and reads.
pub const VERSION: u16 = 1;

const MAGIC: [u8; 4] = *b"TXWR";
/// Entries of a palette.
pub(super) const PALETTE_ENTRIES: usize = 256;

/// The kind of a frame's payload: a number, which version 1 may or may not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RecordKind(pub u8);

macro_rules! kinds {
    ($($name:ident = $code:literal, $text:literal;)*) => {
        impl RecordKind {
            $(#[doc = concat!("`", $text, "`")] pub const $name: Self = Self($code);)*

            /// Returns the name; `None` when version 1 does not know the number.
            pub const fn name(self) -> Option<&'static str> {
                match self { $(Self::$name => Some($text),)* _ => None }
            }
        }
        /// Every kind of version 1.
        pub const KINDS: &[RecordKind] = &[$(RecordKind::$name,)*];
    };
}

kinds! {
    HEADER = 0x01, "header";
    SURFACE = 0x02, "surface";
    SAMPLER = 0x03, "sampler";
    BORDER = 0x04, "border";
    TEX_HEADER = 0x05, "tex header";
    TEX_SAMPLER = 0x06, "tex sampler";
    MEMORY = 0x07, "memory";
    UNMAP = 0x08, "unmap";
    CONSTANT = 0x09, "constant";
    PALETTE = 0x0a, "palette";
    COARSE = 0x0b, "coarse";
    VISA = 0x10, "visa";
    GEN = 0x11, "gen";
    TXQ = 0x12, "txq";
    WRITEBACK = 0x20, "writeback";
    MARK = 0x30, "mark";
    TEXT = 0x31, "text";
    LOST = 0x32, "lost";
    END = 0x33, "end";
}

impl RecordKind {
    /// Returns true if version 1 defines the kind.
    pub const fn is_known(self) -> bool {
        self.name().is_some()
    }

    /// Returns true if the record is a sampler message.
    pub const fn is_message(self) -> bool {
        matches!(self, Self::VISA | Self::GEN | Self::TXQ)
    }
}

/// The header record: the start of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StreamHeader {
    /// Version of the format: [`VERSION`].
    pub version: u16,
    /// 9, 11, 12 = Gen; 50..=62 = SM; see [`Platform::from_trace_code`].
    pub platform: u8,
    /// Bit 0: writebacks are recorded; bit 1: 8-bit filter fractions; bit 2: the stream ends with an end record.
    pub flags: u8,
}

impl StreamHeader {
    /// Returns a header of version [`VERSION`].
    pub const fn new(platform: Platform, writebacks: bool, fixed8: bool) -> Self {
        let flags = writebacks as u8 | (fixed8 as u8) << 1;
        Self { version: VERSION, platform: platform.trace_code(), flags }
    }

    /// Returns the header for a stream that ends with an end record: if such a stream has none, its last frames are missing.
    #[must_use]
    pub const fn with_end(self) -> Self {
        Self { flags: self.flags | 4, ..self }
    }

    /// Returns true if the stream ends with an end record.
    pub const fn has_end(&self) -> bool {
        self.flags & 4 != 0
    }

    /// Returns the platform, if it is known.
    pub const fn platform(&self) -> Option<Platform> {
        Platform::from_trace_code(self.platform)
    }

    /// Returns true if writebacks are recorded.
    pub const fn writebacks(&self) -> bool {
        self.flags & 1 != 0
    }

    /// Returns true if the results were computed with 8-bit filter fractions.
    pub const fn fixed8(&self) -> bool {
        self.flags & 2 != 0
    }
}

/// A record of version 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Record<'a> {
    /// Start of a stream.
    Header(StreamHeader),
    /// A surface's state.
    Surface {
        /// Binding table index.
        slot: u16,
        /// RENDER_SURFACE_STATE.
        state: &'a [u8; 64],
    },
    /// A sampler's state.
    Sampler {
        /// Sampler index.
        slot: u16,
        /// SAMPLER_STATE.
        state: &'a [u8; 16],
    },
    /// A border colour.
    Border {
        /// Offset as in the SAMPLER_STATE.
        offset: u32,
        /// SAMPLER_BORDER_COLOR_STATE.
        color: &'a [u8; 16],
    },
    /// An NVIDIA texture header.
    TexHeader {
        /// Index in the header pool.
        index: u32,
        /// The header.
        header: &'a [u8; 32],
        /// The 3D class whose header layout it is.
        class: u16,
    },
    /// An NVIDIA sampler.
    TexSampler {
        /// Index in the sampler pool.
        index: u32,
        /// The sampler.
        sampler: &'a [u8; 32],
    },
    /// Memory contents that apply from here on.
    Memory {
        /// Address of the first byte.
        address: u64,
        /// Contents.
        bytes: &'a [u8],
    },
    /// A range of addresses that consists of null pages from here on.
    Unmap {
        /// Address of the first byte.
        address: u64,
        /// Number of bytes.
        length: u64,
    },
    /// Contents of the constant bank that TXQ handles come from.
    Constant {
        /// Byte offset in the bank.
        offset: u32,
        /// Contents.
        bytes: &'a [u8],
    },
    /// Entries of a palette that P* formats refer to.
    Palette {
        /// The palette: 0 or 1.
        palette: u8,
        /// Number of the first entry.
        first: u8,
        /// Entries of 4 bytes, up to number 255.
        entries: &'a [u8],
    },
    /// The term of coarse pixels that is added to the LOD of messages with LOD compensation, from here on; 0 before.
    Coarse {
        /// The bits of a 32-bit float.
        lod: u32,
    },
    /// A vISA message.
    Visa(VisaRecord<'a>),
    /// A Gen message.
    Gen(GenRecord<'a>),
    /// A TXQ message.
    Txq(TxqRecord<'a>),
    /// The result of the last message.
    Writeback {
        /// Kind of that message.
        of: RecordKind,
        /// Destination registers; bytes that the sampler leaves untouched are 0.
        registers: &'a [u8],
    },
    /// A time stamp.
    Mark {
        /// Time in ticks.
        time: u64,
        /// Ticks per microsecond, 0 = unknown.
        ticks_per_us: u32,
    },
    /// A note.
    Text(&'a str),
    /// The number of frames that the sender dropped.
    Lost(u32),
    /// The end of a stream.
    End {
        /// Frames that were sent before this one, counted from the header with sequence number 0.
        frames: u64,
    },
}

impl<'a> Record<'a> {
    /// Parses a payload; `None` for a kind that version 1 does not know.
    ///
    /// Offsets in errors count from the payload's start.
    ///
    /// # Errors
    /// `Truncated Record` when the payload is too short. `Invalid Record` when it is too long, has a wrong magic number, incomplete
    /// registers, incomplete or too many palette entries, or text that is not UTF-8. `Reserved Record` when a byte or frame flag that
    /// must be 0 is not.
    pub fn parse(kind: RecordKind, flags: u8, payload: &'a [u8]) -> Result<Option<Self>> {
        let r = &mut Reader::new(payload);
        const W: What = What::Record;
        let record = match kind {
            RecordKind::HEADER => header(r)?,
            RecordKind::SURFACE => Self::Surface { slot: r.u16(W)?, state: chunk(r)? },
            RecordKind::SAMPLER => Self::Sampler { slot: r.u16(W)?, state: chunk(r)? },
            RecordKind::BORDER => Self::Border { offset: r.u32(W)?, color: chunk(r)? },
            RecordKind::TEX_HEADER => {
                Self::TexHeader { index: r.u32(W)?, header: chunk(r)?, class: r.u16(W)? }
            }
            RecordKind::TEX_SAMPLER => Self::TexSampler { index: r.u32(W)?, sampler: chunk(r)? },
            RecordKind::MEMORY => Self::Memory { address: r.u64(W)?, bytes: rest(r)? },
            RecordKind::UNMAP => Self::Unmap { address: r.u64(W)?, length: r.u64(W)? },
            RecordKind::CONSTANT => Self::Constant { offset: r.u32(W)?, bytes: rest(r)? },
            RecordKind::PALETTE => palette(r)?,
            RecordKind::COARSE => Self::Coarse { lod: r.u32(W)? },
            RecordKind::VISA => Self::Visa(VisaRecord::read(r, flags)?),
            RecordKind::GEN => Self::Gen(GenRecord::read(r)?),
            RecordKind::TXQ => Self::Txq(TxqRecord::read(r)?),
            RecordKind::WRITEBACK => Self::Writeback { of: RecordKind(r.u8(W)?), registers: rest(r)? },
            RecordKind::MARK => Self::Mark { time: r.u64(W)?, ticks_per_us: r.u32(W)? },
            RecordKind::TEXT => Self::Text(text(r)?),
            RecordKind::LOST => Self::Lost(r.u32(W)?),
            RecordKind::END => Self::End { frames: r.u64(W)? },
            _ => return Ok(None),
        };
        if !r.rest().is_empty() {
            return Err(Error::new(Why::Invalid, W).at(r.offset()).value(payload.len() as u64));
        }
        if flags != record.flags() {
            return Err(Error::new(Why::Reserved, W).value(flags.into()));
        }
        Ok(Some(record))
    }

    /// Returns the frame's kind.
    pub const fn kind(&self) -> RecordKind {
        match self {
            Self::Header(_) => RecordKind::HEADER,
            Self::Surface { .. } => RecordKind::SURFACE,
            Self::Sampler { .. } => RecordKind::SAMPLER,
            Self::Border { .. } => RecordKind::BORDER,
            Self::TexHeader { .. } => RecordKind::TEX_HEADER,
            Self::TexSampler { .. } => RecordKind::TEX_SAMPLER,
            Self::Memory { .. } => RecordKind::MEMORY,
            Self::Unmap { .. } => RecordKind::UNMAP,
            Self::Constant { .. } => RecordKind::CONSTANT,
            Self::Palette { .. } => RecordKind::PALETTE,
            Self::Coarse { .. } => RecordKind::COARSE,
            Self::Visa(_) => RecordKind::VISA,
            Self::Gen(_) => RecordKind::GEN,
            Self::Txq(_) => RecordKind::TXQ,
            Self::Writeback { .. } => RecordKind::WRITEBACK,
            Self::Mark { .. } => RecordKind::MARK,
            Self::Text(_) => RecordKind::TEXT,
            Self::Lost(_) => RecordKind::LOST,
            Self::End { .. } => RecordKind::END,
        }
    }

    /// Returns the frame's flags.
    pub const fn flags(&self) -> u8 {
        match self {
            Self::Visa(VisaRecord { half: true, .. }) => HALF,
            _ => 0,
        }
    }

    /// Hands the payload to `put`, piece by piece.
    pub(super) fn parts(&self, put: &mut dyn FnMut(&[u8])) {
        match *self {
            Self::Header(StreamHeader { version, platform, flags }) => {
                put(&MAGIC);
                put(&version.to_le_bytes());
                put(&[platform, flags]);
            }
            Self::Surface { slot, state } => pair(put, &slot.to_le_bytes(), state),
            Self::Sampler { slot, state } => pair(put, &slot.to_le_bytes(), state),
            Self::Border { offset, color } => pair(put, &offset.to_le_bytes(), color),
            Self::TexHeader { index, header, class } => {
                pair(put, &index.to_le_bytes(), header);
                put(&class.to_le_bytes());
            }
            Self::TexSampler { index, sampler } => pair(put, &index.to_le_bytes(), sampler),
            Self::Memory { address, bytes } => pair(put, &address.to_le_bytes(), bytes),
            Self::Unmap { address, length } => pair(put, &address.to_le_bytes(), &length.to_le_bytes()),
            Self::Constant { offset, bytes } => pair(put, &offset.to_le_bytes(), bytes),
            Self::Palette { palette, first, entries } => pair(put, &[palette, first], entries),
            Self::Coarse { lod } => put(&lod.to_le_bytes()),
            Self::Visa(ref record) => record.parts(put),
            Self::Gen(ref record) => record.parts(put),
            Self::Txq(ref record) => record.parts(put),
            Self::Writeback { of, registers } => pair(put, &[of.0], registers),
            Self::Mark { time, ticks_per_us } => pair(put, &time.to_le_bytes(), &ticks_per_us.to_le_bytes()),
            Self::Text(text) => put(text.as_bytes()),
            Self::Lost(count) => put(&count.to_le_bytes()),
            Self::End { frames } => put(&frames.to_le_bytes()),
        }
    }
}

fn header<'a>(r: &mut Reader<'_>) -> Result<Record<'a>> {
    let magic: [u8; 4] = r.array(What::Record)?;
    if magic != MAGIC {
        return Err(Error::new(Why::Invalid, What::Record).at(0).value(u32::from_le_bytes(magic).into()));
    }
    let version = r.u16(What::Record)?;
    let [platform, flags] = r.array(What::Record)?;
    Ok(Record::Header(StreamHeader { version, platform, flags }))
}

fn palette<'a>(r: &mut Reader<'a>) -> Result<Record<'a>> {
    let [palette, first] = r.array(What::Record)?;
    let (at, entries) = (r.offset(), rest(r)?);
    let invalid = Error::new(Why::Invalid, What::Record);
    if palette > 1 {
        return Err(invalid.at(0).value(palette.into()));
    }
    if entries.len() % 4 != 0 || usize::from(first).saturating_add(entries.len() / 4) > PALETTE_ENTRIES {
        return Err(invalid.at(at).value(entries.len() as u64));
    }
    Ok(Record::Palette { palette, first, entries })
}

fn text<'a>(r: &mut Reader<'a>) -> Result<&'a str> {
    core::str::from_utf8(rest(r)?).map_err(|why| Error::new(Why::Invalid, What::Record).at(why.valid_up_to()))
}
