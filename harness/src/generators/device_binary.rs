//! Device binaries: kernels of Gen instruction words with the heaps and patch items that describe them.
//!
//! Weights: 0 to 3 kernels; a bare program (without ELF around it) 1 in 8; an unknown device code 1 in 16; items that this project does not
//! know 1 in 3 items; short items (as of older compilers) 1 in 12.

use super::{gen_native, placed};
use arbitrary::{Result, Unstructured};
use object::write::elf::{FileHeader, SectionHeader, Writer};
use texwire::Platform;

const SECTION_TYPE_PROGRAM: u32 = 0xFF00_0005;
/// Device codes and their platforms.
const DEVICES: [(u32, Platform); 5] = [
    (12, Platform::Gen9),
    (15, Platform::Gen11),
    (16, Platform::Gen11),
    (18, Platform::XeLp),
    (0xC07, Platform::XeHpg),
];

/// The contents of a generated kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelFacts {
    /// Its name.
    pub name: String,
    /// The instructions, without padding.
    pub code: Vec<u8>,
    /// General, dynamic and surface state heaps.
    pub heaps: [Vec<u8>; 3],
    /// The number of sampler states, if there is an item for them.
    pub samplers: Option<u32>,
    /// The number of binding table entries, if there is an item for them.
    pub bindings: Option<u32>,
    /// Image arguments: argument index and type code.
    pub images: Vec<(u32, u32)>,
}

/// A device binary and its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedBinary {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its device code.
    pub device: u32,
    /// Its kernels.
    pub kernels: Vec<KernelFacts>,
}

/// Generates a well-formed file.
///
/// # Errors
/// The bytes are used up.
pub fn device_binary(u: &mut Unstructured<'_>) -> Result<GeneratedBinary> {
    let (known, platform) = *u.choose(&DEVICES)?;
    let device = if u.ratio(1, 16)? { u.arbitrary()? } else { known };
    let bare = u.ratio(1, 8)?;
    let mut kernels = Vec::new();
    let mut bodies = Vec::new();
    for number in 0..u.int_in_range(0..=3usize)? {
        let (facts, body) = kernel(u, platform, number)?;
        kernels.push(facts);
        bodies.extend(body);
    }
    let mut patches = Vec::new();
    for _ in 0..u.int_in_range(0..=2)? {
        // Unknown tokens without further data: variables and constants (tokens 41 and 42) are followed by bytes.
        let payload = noise(u, 24)?;
        dwords(&mut patches, &[u.int_in_range(50..=90)?, payload.len() as u32 + 8]);
        patches.extend(payload);
    }
    let mut program = b"CTNI".to_vec();
    let count = kernels.len() as u32;
    dwords(&mut program, &[u.int_in_range(1000..=1100)?, device, 8, count, u.int_in_range(0..=9)?]);
    dwords(&mut program, &[patches.len() as u32]);
    program.extend(patches);
    program.extend(bodies);
    let bytes = if bare { program } else { elf(&program).ok_or(arbitrary::Error::IncorrectFormat)? };
    Ok(GeneratedBinary { bytes, device, kernels })
}

fn dwords(out: &mut Vec<u8>, values: &[u32]) {
    values.iter().for_each(|value| out.extend(value.to_le_bytes()));
}

fn noise(u: &mut Unstructured<'_>, most: usize) -> Result<Vec<u8>> {
    let len = u.int_in_range(0..=most)?.min(u.len());
    Ok(u.bytes(len)?.to_vec())
}

fn kernel(u: &mut Unstructured<'_>, platform: Platform, number: usize) -> Result<(KernelFacts, Vec<u8>)> {
    let mut code = Vec::new();
    for _ in 0..u.int_in_range(0..=6)? {
        code.extend(gen_native::word(u, platform)?.to_bytes());
    }
    let padding = u.int_in_range(0..=4usize)? * 16;
    let mut facts = KernelFacts {
        name: format!("kernel{number}"),
        code,
        heaps: [noise(u, 16)?, Vec::new(), Vec::new()],
        samplers: None,
        bindings: None,
        images: Vec::new(),
    };
    let patches = patch_list(u, &mut facts)?;
    // The name ends with a zero byte and is padded to whole dwords.
    let mut name = facts.name.clone().into_bytes();
    name.resize((name.len() + 1).next_multiple_of(4), 0);
    let mut out = Vec::new();
    dwords(&mut out, &[u.arbitrary()?, u.arbitrary()?, u.arbitrary()?]);
    let [general, dynamic, surface] = &facts.heaps;
    let padded = facts.code.len() + padding;
    for size in [name.len(), patches.len(), padded, general.len(), dynamic.len(), surface.len()] {
        dwords(&mut out, &[size as u32]);
    }
    dwords(&mut out, &[facts.code.len() as u32]);
    out.extend(name);
    out.extend(&facts.code);
    out.resize(out.len() + padding, 0);
    facts.heaps.iter().for_each(|heap| out.extend(heap));
    out.extend(patches);
    Ok((facts, out))
}

/// Generates the patch items, and the states that they point to.
fn patch_list(u: &mut Unstructured<'_>, facts: &mut KernelFacts) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut item = |token: u32, payload: &[u8]| {
        dwords(&mut out, &[token, payload.len() as u32 + 8]);
        out.extend(payload);
    };
    let words = |values: &[u32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    if u.arbitrary()? {
        let count = u.int_in_range(0..=16u32)?;
        // The border colour, then the sampler states.
        facts.heaps[1] = vec![0; 64];
        for _ in 0..count {
            facts.heaps[1].extend(u.arbitrary::<[u8; 16]>()?);
        }
        facts.samplers = Some(count);
        item(5, &words(&[64, count, 0]));
    }
    let images = u.int_in_range(0..=3u32)?;
    for argument in 0..images {
        let kind = u.int_in_range(0..=14)?;
        facts.images.push((argument, kind));
        facts.heaps[2].extend(placed::surface(u, texwire::Platform::Gen11)?.to_bytes());
        item(12, &words(&[argument, kind, argument * 64, u.int_in_range(0..=4)?, 0, u.int_in_range(0..=1)?]));
    }
    if images > 0 || u.arbitrary()? {
        for image in 0..images {
            facts.heaps[2].extend((image * 64).to_le_bytes());
        }
        facts.bindings = Some(images);
        item(8, &words(&[images * 64, images, 0]));
    }
    for _ in 0..u.int_in_range(0..=4)? {
        match u.int_in_range(0..=11u8)? {
            0..=3 => item(u.int_in_range(40..=90)?, &noise(u, 40)?),
            4 => item(*u.choose(&[12, 16, 23, 26])?, &[]),
            5 | 6 => item(16, &words(&[u.int_in_range(0..=9)?, 1, 64])),
            7 | 8 => item(23, &words(&[0, 0, 0, 0, 0, *u.choose(&[8, 16, 32, 0, 7])?])),
            _ => {
                let strings = *b"__global\0none\0picture\0image2d_t;8\0const\0";
                let mut payload = words(&[u.int_in_range(0..=9)?, 9, 5, 8, 12, 6]);
                payload.extend(strings);
                item(26, &payload);
            }
        }
    }
    // Short image items are not in `facts.images`. They come last, so that a reader's list begins with the entries of `facts`.
    Ok(out)
}

/// Returns the program as a section of an ELF64 file, as the compiler writes it.
fn elf(program: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(object::Endianness::Little, true, &mut bytes);
    let name = writer.add_section_name(b"Intel(R) OpenCL Device Binary");
    writer.reserve_null_section_index();
    let _ = writer.reserve_section_index();
    writer.reserve_shstrtab_section_index();
    writer.reserve_file_header();
    let offset = writer.reserve(program.len(), 8);
    writer.reserve_shstrtab();
    writer.reserve_section_headers();
    writer
        .write_file_header(&FileHeader {
            os_abi: 0,
            abi_version: 0,
            e_type: 0xFF00_0004_u32 as u16,
            e_machine: 0,
            e_entry: 0,
            e_flags: 0,
        })
        .ok()?;
    writer.write_align(8);
    writer.write(program);
    writer.write_shstrtab();
    writer.write_null_section_header();
    writer.write_section_header(&SectionHeader {
        name: Some(name),
        sh_type: SECTION_TYPE_PROGRAM,
        sh_flags: 0,
        sh_addr: 0,
        sh_offset: offset as u64,
        sh_size: program.len() as u64,
        sh_link: 0,
        sh_info: 0,
        sh_addralign: 1,
        sh_entsize: 0,
    });
    writer.write_shstrtab_section_header();
    Some(bytes)
}
