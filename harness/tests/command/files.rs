//! Files that tests give to commands.

use super::{corpus, texwire};
use std::fs;

/// Random numbers, the same on every machine (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

pub(crate) fn read(name: &'static str) -> Vec<u8> {
    fs::read(corpus(name)).unwrap()
}

/// The first bytes of a file of lines, whole lines.
pub(crate) fn lines(name: &'static str, most: usize) -> Vec<u8> {
    let mut bytes = read(name);
    let end = bytes.iter().take(most).rposition(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
    bytes.truncate(end);
    bytes
}

pub(crate) fn dds() -> Vec<u8> {
    let mut file = b"DDS ".to_vec();
    let mut header = [0u32; 31];
    (header[0], header[1], header[2], header[3], header[6]) = (124, 0x2_1007, 8, 8, 1);
    (header[18], header[19], header[20], header[26]) = (32, 4, u32::from_le_bytes(*b"DX10"), 0x1000);
    file.extend(header.iter().chain(&[28u32, 3, 0, 1, 0]).flat_map(|dword| dword.to_le_bytes()));
    file.resize(file.len() + 256, 7);
    file
}

/// A picture of one level, R8G8B8A8_UNORM.
pub(crate) fn ktx2() -> Vec<u8> {
    let mut file = vec![0xab, b'K', b'T', b'X', b' ', b'2', b'0', 0xbb, b'\r', b'\n', 0x1a, b'\n'];
    // Format, type size, width, height, depth, layers, faces, levels, supercompression; descriptors at 104; texels at 112.
    for dword in [37, 1, 8, 8, 0, 0, 1, 1, 0, 104, 4, 0, 0] {
        file.extend_from_slice(&u32::to_le_bytes(dword));
    }
    file.resize(80, 0);
    for number in [112u64, 256, 256] {
        file.extend_from_slice(&number.to_le_bytes());
    }
    file.resize(112 + 256, 9);
    file
}

pub(crate) fn jpeg() -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_fn(24, 16, |x, y| image::Rgb([x as u8 * 10, y as u8 * 15, 90]));
    picture.write_to(&mut file, image::ImageFormat::Jpeg).unwrap();
    file.into_inner()
}

/// What a command prints.
pub(crate) fn printed(line: &str) -> Vec<u8> {
    texwire(&line.split(' ').collect::<Vec<_>>()).out.into_bytes()
}

/// One control word and three instructions, one of them TXQ.
pub(crate) const TXQ: [u64; 4] = [0x001f_8000_fc00_07e0, 0xdf48_0078_0047_8004, 0, 0];

/// An ELF file of one code section, as NVIDIA's assembler writes it.
pub(crate) fn cubin(code: &[u64]) -> Vec<u8> {
    let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0x33, 7];
    file.resize(16, 0);
    let names = b"\0.shstrtab\0.text.kernel\0";
    let (code_at, code_bytes) = (64, 8 * code.len());
    let names_at = code_at + code_bytes;
    let sections = names_at + names.len().next_multiple_of(8);
    for half in [2u16, 190] {
        file.extend_from_slice(&half.to_le_bytes());
    }
    file.extend_from_slice(&1u32.to_le_bytes());
    for offset in [0, 0, sections as u64] {
        file.extend_from_slice(&offset.to_le_bytes());
    }
    file.extend_from_slice(&0x0032_0532_u32.to_le_bytes());
    for half in [64u16, 0, 0, 64, 3, 1] {
        file.extend_from_slice(&half.to_le_bytes());
    }
    file.extend(code.iter().flat_map(|word| word.to_le_bytes()));
    file.extend_from_slice(names);
    file.resize(sections, 0);
    for [name, kind, at, size] in [[0, 0, 0, 0], [1, 3, names_at, names.len()], [11, 1, code_at, code_bytes]]
        .map(|section| section.map(|n| n as u64))
    {
        file.extend_from_slice(&(name as u32).to_le_bytes());
        file.extend_from_slice(&(kind as u32).to_le_bytes());
        for field in [6, 0, at, size, 0, 32, 0] {
            file.extend_from_slice(&u64::to_le_bytes(field));
        }
    }
    file
}

pub(crate) fn jobs() -> Vec<u8> {
    let job = |seed: &str| texwire(&["fuzz-diff", "--plain", "--job", seed]).out;
    let jobs: String = ["1", "2", "3"].map(job).concat();
    jobs.lines()
        .filter(|line| line.starts_with("{\"op\""))
        .flat_map(|line| [line, "\n"])
        .collect::<String>()
        .into_bytes()
}

/// A device binary (without ELF around it) of Gen11 kernels without arguments, SIMD8, of the same code.
pub(crate) fn device_binary(kernels: usize, code: &[u8]) -> Vec<u8> {
    let mut file = b"CTNI".to_vec();
    let put =
        |file: &mut Vec<u8>, words: &[u32]| file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    // Version, device (Gen11), bytes of a pointer, kernels, stepping, no patches.
    put(&mut file, &[1055, 15, 8, kernels as u32, 0, 0]);
    // Token 23, execution environment: 11 words, the fourth is the SIMD width.
    let environment = [23, 8 + 44, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0];
    for number in 0..kernels {
        let name = format!("k{number:06}\0");
        put(&mut file, &[0; 3]);
        let sizes = [name.len(), 4 * environment.len(), code.len(), 0, 0, 0, code.len()];
        put(&mut file, &sizes.map(|size| size as u32));
        file.extend_from_slice(name.as_bytes());
        file.extend_from_slice(code);
        put(&mut file, &environment);
    }
    file
}
