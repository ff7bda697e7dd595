//! Intel OpenCL device binaries: what `ocloc compile` writes.
//!
//! An ELF64 file whose section of type `0xFF000005` holds the program:
//!
//! ```text
//! u32 magic "CTNI", version, device, pointer bytes, kernels, stepping, patch list bytes; patch list
//! kernel: u32 checksum; u64 hash; u32 name, patch list, kernel heap, general, dynamic, surface heap bytes,
//!         u32 kernel heap bytes without padding; name, the four heaps, patch list
//! patch item: u32 token, u32 size (whole item); payload
//! ```
//! Source: Intel graphics compiler, release igc-1.0.12504.6, `patch_list.h` and `patch_shared.h`.
//!
//! No count in the file is trusted. A damaged file gives the kernels before the damage and [`DeviceBinary::damage`].

mod dispatch;

pub use dispatch::{DataParameter, Dispatch, Pointer, ThreadPayload};

use object::Endianness;
use object::elf::FileHeader64;
use object::read::elf::{FileHeader, SectionHeader};
use std::fmt;
use std::ops::Range;
use texwire::Platform;

const SECTION_TYPE_PROGRAM: u32 = 0xFF00_0005;
const MAGIC: &[u8; 4] = b"CTNI";

/// A defect of a file, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Byte offset in the file.
    pub offset: usize,
    /// A sentence.
    pub why: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "device binary at {:#x}: {}", self.offset, self.why)
    }
}

impl std::error::Error for Damage {}

/// The type of an image argument (patch token 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageType(pub u32);

impl ImageType {
    const NAMES: [&'static str; 13] = [
        "unknown",
        "buffer",
        "1d",
        "1d_array",
        "2d",
        "2d_array",
        "3d",
        "cube",
        "cube_array",
        "2d_depth",
        "2d_array_depth",
        "2d_msaa",
        "2d_msaa_depth",
    ];

    /// Returns the type with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        (0..).zip(Self::NAMES).find(|(_, known)| *known == name).map(|(code, _)| Self(code))
    }

    /// Returns whether texels have several samples.
    pub fn is_multisampled(self) -> bool {
        self.name().contains("msaa")
    }

    /// Returns the name of the type: `2d`, `2d_array`, `3d`, ...; `unknown` for codes that are not defined.
    pub fn name(self) -> &'static str {
        usize::try_from(self.0).ok().and_then(|index| Self::NAMES.get(index)).copied().unwrap_or("unknown")
    }
}

/// An image argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageArgument {
    /// Index of the kernel argument.
    pub argument: u32,
    /// Dimensionality.
    pub kind: ImageType,
    /// Offset of its RENDER_SURFACE_STATE in the surface state heap.
    pub surface_offset: u32,
    /// The kernel writes to it.
    pub writeable: bool,
}

/// A sampler argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplerArgument {
    /// Index of the kernel argument.
    pub argument: u32,
    /// The compiler's type code.
    pub kind: u32,
    /// Offset of its SAMPLER_STATE in the dynamic state heap.
    pub sampler_offset: u32,
}

/// The table of SAMPLER_STATEs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplerStates {
    /// Offset in the dynamic state heap.
    pub offset: u32,
    /// Number of states, 16 bytes each.
    pub count: u32,
    /// Offset of the border colour in the dynamic state heap.
    pub border_offset: u32,
}

/// The binding table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BindingTable {
    /// Offset in the surface state heap.
    pub offset: u32,
    /// Number of entries, 4 bytes each.
    pub count: u32,
    /// Offset of the surface states in the surface state heap.
    pub surface_offset: u32,
}

/// A kernel argument's description (patch token 26).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentInfo {
    /// Index of the kernel argument.
    pub argument: u32,
    /// Address space qualifier.
    pub address: String,
    /// Access qualifier.
    pub access: String,
    /// Name in the source.
    pub name: String,
    /// Type name, without its size.
    pub kind: String,
}

/// One kernel. Heaps are ranges of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Instructions, without the padding.
    pub heap: Range<usize>,
    /// Bytes of the instruction heap with its padding.
    pub padded: usize,
    /// General state heap.
    pub general: Range<usize>,
    /// Dynamic state heap: samplers and border colours.
    pub dynamic: Range<usize>,
    /// Surface state heap: surface states and binding table.
    pub surface: Range<usize>,
    /// Image arguments, in the file's order.
    pub images: Vec<ImageArgument>,
    /// Sampler arguments, in the file's order.
    pub sampler_arguments: Vec<SamplerArgument>,
    /// The sampler state table, if the kernel has one.
    pub sampler_states: Option<SamplerStates>,
    /// The binding table, if the kernel has one.
    pub binding_table: Option<BindingTable>,
    /// Descriptions of the arguments.
    pub arguments: Vec<ArgumentInfo>,
    /// Largest SIMD size (8, 16 or 32), if the file states it.
    pub simd: Option<u32>,
    /// What a dispatcher needs in addition.
    pub dispatch: Dispatch,
}

/// A device binary.
#[derive(Clone, Debug)]
pub struct DeviceBinary<'a> {
    bytes: &'a [u8],
    /// Format version (1081).
    pub version: u32,
    /// Device family code (12 Skylake, 15 and 16 Ice Lake).
    pub device: u32,
    /// Bytes of a pointer.
    pub pointer_bytes: u32,
    /// Device stepping.
    pub stepping: u32,
    /// The kernels before the damage, if any.
    pub kernels: Vec<Kernel>,
    /// Constants of the program (patch token 42), in order.
    pub constants: Vec<Range<usize>>,
    /// Global variables of the program (patch token 41), in order.
    pub globals: Vec<Range<usize>>,
    /// The defect at which parsing stopped.
    pub damage: Option<Damage>,
}

/// Returns whether `bytes` look like a device binary: an ELF file with a program section, or a bare program.
pub fn is_device_binary(bytes: &[u8]) -> bool {
    program(bytes).is_ok()
}

/// Returns the program's range in the file.
fn program(bytes: &[u8]) -> Result<Range<usize>, Damage> {
    if bytes.starts_with(MAGIC) {
        return Ok(0..bytes.len());
    }
    let no_elf = |why| Damage { offset: 0, why: format!("no ELF file: {why}") };
    let header = FileHeader64::<Endianness>::parse(bytes).map_err(no_elf)?;
    let endian = header.endian().map_err(no_elf)?;
    let sections = header.sections(endian, bytes).map_err(no_elf)?;
    let program =
        sections.iter().find(|section| section.sh_type(endian) == SECTION_TYPE_PROGRAM).ok_or_else(|| {
            let why = format!("an ELF file without a section of type {SECTION_TYPE_PROGRAM:#x}");
            Damage { offset: 0, why }
        })?;
    let (offset, size) = program.file_range(endian).unwrap_or_default();
    let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    let end = start.saturating_add(usize::try_from(size).unwrap_or(usize::MAX)).min(bytes.len());
    Ok(start..end)
}

/// A cursor in a part of the file; its errors name what is truncated.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, what: &str, count: usize) -> Result<Range<usize>, Damage> {
        let range = self.at..self.at.saturating_add(count);
        if range.end > self.end {
            let left = self.end - self.at;
            return Err(Damage {
                offset: self.at,
                why: format!("truncated {what}: {count} bytes needed, {left} left"),
            });
        }
        self.at = range.end;
        Ok(range)
    }

    fn u32(&mut self, what: &str) -> Result<u32, Damage> {
        let range = self.take(what, 4)?;
        Ok(word(&self.bytes[range], 0))
    }

    fn size(&mut self, what: &str) -> Result<usize, Damage> {
        self.u32(what).map(|size| size as usize)
    }
}

/// Returns dword `index` of `bytes`; 0 past the end (patch items of older compilers are shorter).
fn word(bytes: &[u8], index: usize) -> u32 {
    bytes.get(index * 4..index * 4 + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

impl<'a> DeviceBinary<'a> {
    /// Reads the container.
    ///
    /// # Errors
    /// The file is not a device binary, or ends inside the program header.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Damage> {
        let range = program(bytes)?;
        let mut cursor = Cursor { bytes, at: range.start, end: range.end };
        let magic = cursor.take("program header", 4)?;
        if &bytes[magic.clone()] != MAGIC {
            return Err(Damage { offset: magic.start, why: "the program does not begin with CTNI".into() });
        }
        let mut binary = Self {
            bytes,
            version: cursor.u32("version")?,
            device: cursor.u32("device")?,
            pointer_bytes: cursor.u32("pointer size")?,
            stepping: 0,
            kernels: Vec::new(),
            constants: Vec::new(),
            globals: Vec::new(),
            damage: None,
        };
        let count = cursor.u32("kernel count")?;
        binary.stepping = cursor.u32("stepping")?;
        let patch_bytes = cursor.size("program patch list size")?;
        let read = cursor.take("program patch list", patch_bytes).and_then(|patches| {
            program_patches(&mut binary, Cursor { bytes, at: patches.start, end: patches.end })?;
            for _ in 0..count {
                let kernel = kernel(&mut cursor)?;
                binary.kernels.push(kernel);
            }
            Ok(())
        });
        binary.damage = read.err();
        Ok(binary)
    }

    /// Returns the platform of the device family code; `None` for families that this project does not support.
    pub fn platform(&self) -> Option<Platform> {
        match self.device {
            12 => Some(Platform::Gen9),
            15 | 16 => Some(Platform::Gen11),
            17 | 18 => Some(Platform::XeLp),
            0xC07 => Some(Platform::XeHpg),
            _ => None,
        }
    }

    /// Returns the bytes of a heap.
    pub fn heap(&self, range: &Range<usize>) -> &'a [u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }
}

/// Reads the program's constants and variables: their bytes follow the patch item and are not part of its size.
fn program_patches(binary: &mut DeviceBinary<'_>, mut cursor: Cursor<'_>) -> Result<(), Damage> {
    while cursor.at < cursor.end {
        let (token, payload) = patch_item(&mut cursor)?;
        let w = |index| word(&cursor.bytes[payload.clone()], index) as usize;
        match token {
            41 => {
                let bytes = w(2);
                binary.globals.push(cursor.take("program variables", bytes)?);
            }
            42 => {
                let bytes = w(1);
                binary.constants.push(cursor.take("program constants", bytes)?);
            }
            _ => {}
        }
    }
    Ok(())
}

fn kernel(cursor: &mut Cursor<'_>) -> Result<Kernel, Damage> {
    cursor.take("kernel checksum and hash", 12)?;
    let name_bytes = cursor.size("kernel name size")?;
    let patch_bytes = cursor.size("kernel patch list size")?;
    let padded = cursor.size("kernel heap size")?;
    let general = cursor.size("general state heap size")?;
    let dynamic = cursor.size("dynamic state heap size")?;
    let surface = cursor.size("surface state heap size")?;
    let unpadded_at = cursor.at;
    let unpadded = cursor.size("unpadded kernel heap size")?;
    if unpadded > padded {
        let why = format!("{unpadded} bytes of instructions in a kernel heap of {padded}");
        return Err(Damage { offset: unpadded_at, why });
    }
    let name = cursor.take("kernel name", name_bytes)?;
    let heap = cursor.take("kernel heap", padded)?;
    let mut kernel = Kernel {
        name: text(&cursor.bytes[name]),
        heap: heap.start..heap.start + unpadded,
        padded,
        general: cursor.take("general state heap", general)?,
        dynamic: cursor.take("dynamic state heap", dynamic)?,
        surface: cursor.take("surface state heap", surface)?,
        ..Kernel::default()
    };
    let patches = cursor.take("kernel patch list", patch_bytes)?;
    let mut patches = Cursor { bytes: cursor.bytes, at: patches.start, end: patches.end };
    while patches.at < patches.end {
        let (token, payload) = patch_item(&mut patches)?;
        patch(&mut kernel, token, &cursor.bytes[payload]);
    }
    Ok(kernel)
}

/// Reads the next patch item. Returns its token and the range of its payload.
fn patch_item(cursor: &mut Cursor<'_>) -> Result<(u32, Range<usize>), Damage> {
    let start = cursor.at;
    let token = cursor.u32("patch token")?;
    let size = cursor.size("patch item size")?;
    let Some(payload) = size.checked_sub(8) else {
        let why = format!("patch item of {size} bytes (expected at least 8)");
        return Err(Damage { offset: start, why });
    };
    Ok((token, cursor.take("patch item", payload)?))
}

/// Takes over the values of a patch item; tokens that are not used here are ignored.
fn patch(kernel: &mut Kernel, token: u32, payload: &[u8]) {
    let w = |index| word(payload, index);
    match token {
        5 => kernel.sampler_states = Some(SamplerStates { offset: w(0), count: w(1), border_offset: w(2) }),
        8 => kernel.binding_table = Some(BindingTable { offset: w(0), count: w(1), surface_offset: w(2) }),
        12 => kernel.images.push(ImageArgument {
            argument: w(0),
            kind: ImageType(w(1)),
            surface_offset: w(2),
            writeable: w(5) != 0,
        }),
        16 => kernel.sampler_arguments.push(SamplerArgument {
            argument: w(0),
            kind: w(1),
            sampler_offset: w(2),
        }),
        // Some compilers write two more words before the SIMD size.
        23 => kernel.simd = [w(3), w(5)].into_iter().find(|simd| matches!(simd, 8 | 16 | 32)),
        26 => kernel.arguments.push(argument_info(payload)),
        _ => {}
    }
    kernel.dispatch.patch(token, payload);
}

fn argument_info(payload: &[u8]) -> ArgumentInfo {
    let mut at = 6 * 4;
    let mut strings = (1..=5).map(|index| {
        let end = at + word(payload, index) as usize;
        let string = text(payload.get(at..end).unwrap_or_default());
        at = end;
        string
    });
    let mut next = || strings.next().unwrap_or_default();
    let (address, access, name, kind) = (next(), next(), next(), next());
    // `image2d_t;8`: the type and its size.
    let kind = kind.split(';').next().unwrap_or_default().to_owned();
    ArgumentInfo { argument: word(payload, 0), address, access, name, kind }
}

fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}
