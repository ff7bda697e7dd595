//! NVIDIA cubin: an ELF file of CUDA code with a section `.text.<kernel>` for each kernel.

use object::elf::{ELFCLASS64, ELFMAG, FileHeader64};
use object::read::elf::{FileHeader, SectionHeader};
use object::{Endianness, SectionIndex};
use std::error::Error;
use std::ops::RangeInclusive;

/// e_machine of CUDA code.
pub const EM_CUDA: u16 = 190;

/// The SM numbers whose code is groups of one control word and three 64-bit instructions.
const SM: RangeInclusive<u32> = 50..=62;

/// The code of a kernel.
#[derive(Clone, Debug)]
pub struct KernelCode<'a> {
    /// The kernel's name.
    pub kernel: String,
    /// Byte offset of the code in the file.
    pub offset: u64,
    /// The code.
    pub bytes: &'a [u8],
}

/// Returns whether `bytes` begin like a cubin: 64-bit ELF, machine CUDA.
pub fn is_cubin(bytes: &[u8]) -> bool {
    bytes.starts_with(&ELFMAG)
        && bytes.get(4) == Some(&ELFCLASS64)
        && bytes.get(18..20) == Some(&EM_CUDA.to_le_bytes())
}

/// Returns the code of each kernel of a cubin, in the order of its sections.
///
/// # Errors
/// The ELF is damaged, or its code is not for SM 5.0 to 6.2.
pub fn code_sections(bytes: &[u8]) -> Result<Vec<KernelCode<'_>>, Box<dyn Error>> {
    let header = FileHeader64::<Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    let sm = header.e_flags(endian) & 0xff;
    if !SM.contains(&sm) {
        let range = format!("SM {} to {}", SM.start(), SM.end());
        return Err(
            format!("cubin at e_flags: SM {sm} has another instruction format (expected {range})").into()
        );
    }
    let sections = header.sections(endian, bytes)?;
    let mut found = Vec::new();
    for (index, section) in sections.enumerate() {
        let name = String::from_utf8_lossy(sections.section_name(endian, section)?).into_owned();
        if let (Some(kernel), true) = (name.strip_prefix(".text."), index != SectionIndex(0)) {
            let code = section.data(endian, bytes)?;
            found.push(KernelCode {
                kernel: kernel.to_owned(),
                offset: section.sh_offset(endian),
                bytes: code,
            });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wires::{DecodeOptions, DecodeOutput, maxwell};
    use object::write::{Object, StandardSegment};
    use object::{Architecture, BinaryFormat, SectionKind};
    use std::path::Path;

    /// Builds a cubin of code sections: an ELF file with the machine number of CUDA and this SM.
    fn build(sm: u8, kernels: &[(&str, &[u8])]) -> Vec<u8> {
        let mut elf = Object::new(BinaryFormat::Elf, Architecture::X86_64, object::Endianness::Little);
        for (kernel, code) in kernels {
            let segment = elf.segment_name(StandardSegment::Text).to_vec();
            let name = format!(".text.{kernel}").into_bytes();
            let section = elf.add_section(segment, name, SectionKind::Text);
            elf.append_section_data(section, code, 32);
        }
        let mut bytes = elf.write().unwrap();
        bytes[18..20].copy_from_slice(&EM_CUDA.to_le_bytes());
        bytes[48..52].copy_from_slice(&u32::from(sm).to_le_bytes());
        bytes
    }

    fn truth() -> (std::path::PathBuf, serde_json::Value) {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/txq");
        let text = std::fs::read_to_string(corpus.join("sections.json")).unwrap();
        (corpus, serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn kernels_decode_as_their_sections_do() {
        let (corpus, truth) = truth();
        let sections = truth["sections"].as_array().unwrap();
        let code: Vec<(&str, Vec<u8>)> = sections
            .iter()
            .map(|s| {
                let bytes = std::fs::read(corpus.join(s["bin"].as_str().unwrap())).unwrap();
                (s["id"].as_str().unwrap(), bytes)
            })
            .collect();
        let kernels: Vec<(&str, &[u8])> =
            code.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
        let file = build(52, &kernels);
        assert!(is_cubin(&file));
        let mut stdout = Vec::new();
        let options = DecodeOptions { json: true, all: false, ..DecodeOptions::default() };
        let mut out = DecodeOutput::new("built.cubin", "maxwell", options, &mut stdout);
        maxwell::decode(&file, &mut out);
        assert_eq!(out.errors, 0);
        let found: Vec<(String, u64, String)> = String::from_utf8(stdout)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
            .map(|r| (string(&r["kernel"]), r["off"].as_u64().unwrap(), string(&r["text"])))
            .collect();
        let expected: Vec<_> = sections
            .iter()
            .flat_map(|s| s["txq"].as_array().unwrap().iter().map(|t| (string(&s["id"]), t)))
            .map(|(id, t)| (id, t["off"].as_u64().unwrap(), string(&t["text"])))
            .collect();
        assert!(expected.len() > 100);
        assert_eq!(found, expected);
    }

    fn string(value: &serde_json::Value) -> String {
        value.as_str().unwrap().to_owned()
    }

    #[test]
    fn other_files_are_refused() {
        let volta = build(70, &[("k", &[0; 32])]);
        assert!(is_cubin(&volta));
        let why = code_sections(&volta).unwrap_err().to_string();
        assert!(why.contains("SM 70"), "{why}");
        let mut host = build(50, &[]);
        host[18] = 62;
        assert!(!is_cubin(&host));
        let cubin = build(50, &[("k", &[0; 64])]);
        for length in 0..cubin.len() {
            let _ = code_sections(&cubin[..length]);
        }
    }
}
