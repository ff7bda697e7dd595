//! Proofs about encodings: message descriptors, TXQ words and control fields, headers of vISA instructions.

use crate::emulator::descriptor::Descriptor as Oracle;
use crate::emulator::txq as oracle;
use crate::properties::visa::same_as_oracle;
use texwire::Platform;
use texwire::eu::Descriptor;
use texwire::message::Width;
use texwire::txq::{SchedulingControl, Txq};
use texwire::visa::Version;

fn differ(what: &str, core: impl std::fmt::Debug, emulator: impl std::fmt::Debug) -> String {
    format!("{what}: the core has {core:x?}, the emulator {emulator:x?}")
}

/// Compares every field of a descriptor.
pub(super) fn descriptors(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    for input in inputs {
        let bits = input as u32;
        let core = Descriptor(bits);
        let got = Oracle {
            surface: core.bti().into(),
            sampler: core.sampler().into(),
            kind: core.message_type().into(),
            mode: core.simd_mode().0.into(),
            header: core.header(),
            response: core.rlen().into(),
            length: core.mlen().into(),
            half: core.ret16(),
        };
        let want = Oracle::of(bits);
        if got != want {
            return Err(differ(&format!("{bits:#010x}"), got, want));
        }
    }
    Ok(())
}

const PLATFORMS: [Platform; 5] =
    [Platform::Gen9, Platform::Gen11, Platform::XeLp, Platform::XeHpg, Platform::XeHpc];

/// The number of inputs of [`modes`]: bits 4:0 are the message type, 7:5 the SIMD mode, above them is the platform.
pub(super) const MODES: u64 = PLATFORMS.len() as u64 * 256;

pub(super) fn modes(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    for input in inputs {
        let (kind, mode) = (input as u32 & 31, input as u32 >> 5 & 7);
        let platform = PLATFORMS[(input >> 8) as usize];
        let bits = kind << 12 | (mode & 3) << 17 | (mode >> 2) << 29;
        let (core, want) = (Descriptor(bits), Oracle::of(bits));
        let bits_of = |width| if width == Width::Half { 16 } else { 32 };
        let shape = core.simd_mode().shape(platform);
        let got = (core.type_symbol(), shape.map(|(lanes, width)| (u32::from(lanes), bits_of(width))));
        let want = (want.symbol(), want.lanes(platform.name()));
        // A type that is executed has a name, and no type of SIMD mode 3 (a media message) is executed.
        if got != want || core.op().is_some() && (got.0.is_none() || mode == 3) {
            return Err(differ(&format!("{bits:#010x} of {}", platform.name()), got, want));
        }
    }
    Ok(())
}

/// The number of inputs of [`control`]: bits 20:0 are the field, bit 21 is the value of all other bits, above it is the slot.
pub(super) const CONTROL: u64 = 3 << 22;

pub(super) fn control(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    for input in inputs {
        let (field, ones, slot) = (input & 0x1f_ffff, input >> 21 & 1 == 1, (input >> 22) as u32);
        let around = if ones { u64::MAX } else { 0 };
        let word = around & !(0x1f_ffff << (slot * 21)) | field << (slot * 21);
        let core = SchedulingControl::of_word(word, slot);
        let got = [core.stall(), u8::from(core.yield_bit()), core.wr(), core.rd(), core.wait(), core.reuse()];
        let (got, want) = (got.map(u64::from), oracle::control(word, slot));
        if got != want {
            return Err(differ(&format!("{word:#018x} slot {slot}"), got, want));
        }
        // Writing is the inverse of reading, changing one part leaves the others unchanged, and each bit belongs to exactly one part.
        let parts = core.with_wr(core.wr()).with_rd(core.rd()).with_wait(core.wait());
        let rebuilt = parts.with_phase(core.phase()).with_schedule(core.schedule());
        if core.into_word(around, slot) != word || rebuilt != core || u64::from(core.raw()) != field {
            return Err(differ(&format!("{word:#018x} slot {slot}, written back"), rebuilt.raw(), field));
        }
    }
    Ok(())
}

/// The number of inputs of [`words`]: 2^21 of opcode, query and phase; 2^17 of guard, mask, destination; 2^17 of source, index, flags.
pub(super) const WORDS: u64 = (1 << 21) + (1 << 18);

/// Returns a TXQ word and the phase of its control field.
fn word(input: u64) -> (u64, u64) {
    let txq = |bindless: u64| (0b1_1011_1110_1001 + bindless) << 51;
    match input.checked_sub(1 << 21) {
        None => ((input & 0x1fff) << 51 | (input >> 13 & 63) << 22 | 15 << 31 | 7 << 16 | 0x604, input >> 19),
        Some(input) if input < 1 << 17 => (
            txq(input >> 16) | (input & 255) | (input >> 8 & 15) << 31 | (input >> 12 & 15) << 16 | 1 << 22,
            0,
        ),
        Some(input) => {
            let (source, index, rest) = (input & 255, input >> 8 & 63, input >> 14 & 7);
            // The low three and the high three bits of the index.
            let index = (index & 7) | (index >> 3) << 10;
            (
                txq(rest & 1)
                    | source << 8
                    | index << 36
                    | (rest >> 1 & 1) << 49
                    | 7 << 16
                    | (1 + (rest >> 2)) << 22,
                0,
            )
        }
    }
}

pub(super) fn words(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    for input in inputs {
        let (word, phase) = word(input);
        let control = SchedulingControl::new((phase << 17) as u32);
        let core = Txq::decode(word, control);
        let core = core.map(|txq| txq.map(|txq| (txq.to_string(), usize::from(txq.sources()))));
        let want = oracle::decode(word, control.raw()).map(|txq| txq.map(|txq| (txq.text(), txq.sources())));
        if core.as_ref().ok() != want.as_ref().ok() {
            return Err(differ(&format!("{word:#018x}, phase {phase}"), core, want));
        }
    }
    Ok(())
}

const VERSIONS: [Version; 6] = [
    Version::new(3, 0),
    Version::new(3, 2),
    Version::new(3, 4),
    Version::new(3, 6),
    Version::new(4, 0),
    Version::new(4, 1),
];

/// The number of header bytes that are varied: the first ones after the opcode.
const HEADER: usize = 6;
/// The number of pairs of these bytes.
const PAIRS: u64 = (HEADER * (HEADER - 1) / 2) as u64;
/// The number of inputs for each version: every opcode with every next byte; then the opcodes of sampler instructions, with every value of
/// each pair of bytes.
const OF_VERSION: u64 = (1 + 4 * PAIRS) << 16;

pub(super) const HEADERS: u64 = VERSIONS.len() as u64 * OF_VERSION;

/// Returns a well-formed sampler instruction: a common operation of its opcode, on every lane, with four parameters.
fn plain(opcode: u8, version: Version) -> Vec<u8> {
    let info = opcode == 0x70;
    let operation: u8 = match opcode {
        0x6d => 0,
        0x6e => 7,
        0x6f => 8,
        _ => 11,
    };
    let mut bytes = vec![opcode, operation];
    if version.major >= 4 && !info {
        bytes.push(0);
    }
    bytes.push(4);
    if !info {
        bytes.extend([0, 0]);
    }
    bytes.push(if opcode == 0x6f { 0 } else { 15 });
    if !info && version.at_least(3, 4) {
        // An immediate vector operand of type uw.
        bytes.extend([5, 2, 0, 0, 0, 0]);
    } else if !info {
        bytes.extend([0, 0]);
    }
    if matches!(opcode, 0x6d | 0x6f) {
        bytes.push(1);
    }
    // Surface T6, destination V32, four parameters.
    bytes.push(6);
    bytes.extend(&32_u32.to_le_bytes()[..version.index_bytes()]);
    bytes.extend([0, 0, 4]);
    bytes.resize(128, 0);
    bytes
}

pub(super) fn headers(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    for input in inputs {
        let version = VERSIONS[(input / OF_VERSION) as usize];
        let (part, values) = ((input % OF_VERSION) >> 16, [input as u8, (input >> 8) as u8]);
        let bytes = match part.checked_sub(1) {
            None => {
                let mut bytes = vec![0; 128];
                bytes[..2].copy_from_slice(&values);
                bytes
            }
            Some(part) => {
                let mut bytes = plain(0x6d + (part / PAIRS) as u8, version);
                let pairs =
                    (1..HEADER).flat_map(|first| (first + 1..=HEADER).map(move |second| (first, second)));
                let Some((first, second)) = pairs.into_iter().nth((part % PAIRS) as usize) else { continue };
                (bytes[first], bytes[second]) = (values[0], values[1]);
                bytes
            }
        };
        same_as_oracle(&bytes, version)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use texwire::visa::VisaInstruction;

    /// The instructions whose header bytes are varied are well-formed.
    #[test]
    fn plain_instructions_decode() {
        for version in VERSIONS {
            for opcode in 0x6d..=0x70 {
                let bytes = plain(opcode, version);
                let sampler = VisaInstruction::first(&bytes, version).and_then(|inst| inst.sampler());
                assert!(matches!(sampler, Ok(Some(_))), "{opcode:#x} {version}: {sampler:?}");
            }
        }
    }
}
