//! Random blocks of formats in which few random bits are legal.

use crate::emulator::blocks_astc::{footprint, legal};
use crate::emulator::formats::NAMES;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A block mode: a grid of 4 x 4 weights of two bits, which is legal in every footprint.
const PLAIN: u16 = 0x042;

/// For each footprint, whether each of the 11-bit modes is legal. A table, since a block tries up to 32 modes.
static LEGAL: LazyLock<BTreeMap<(usize, usize), Vec<bool>>> = LazyLock::new(|| {
    let names = NAMES.iter().map(|(_, name)| *name).filter(|name| name.starts_with("ASTC"));
    names.map(footprint).map(|size| (size, (0..0x800).map(|mode| legal(size, mode)).collect())).collect()
});

/// Returns `size` bytes of ASTC blocks of the format `name`. Few random bits are legal, so seven of eight blocks get a legal mode, and half
/// of these only one partition, in which nothing else is illegal; half of the others are void extents. With `all`, all blocks get a legal
/// mode; void extents, which may hold NaN, are excluded then.
pub fn astc(mut random: impl FnMut() -> u64, size: usize, name: &str, all: bool) -> Vec<u8> {
    let legal = &LEGAL[&footprint(name)];
    let mut bytes = Vec::with_capacity(size + 16);
    while bytes.len() < size {
        let mut block = [random(), random()];
        let choice = random();
        if all || choice & 7 != 0 {
            let mut modes = (0..32).map(|_| random() as u16 & 0x7ff);
            let mode = modes.find(|mode| legal[usize::from(*mode)]).unwrap_or(PLAIN);
            let replaced = if choice & 8 == 0 { 0x1fff } else { 0x7ff };
            block[0] = block[0] & !replaced | u64::from(mode);
        } else if choice & 8 == 0 {
            // Any extent, or (all ones) none. Bit 9 says whether the colour is HDR.
            let extent = if choice & 16 == 0 { u64::MAX << 12 } else { 0 };
            block[0] = (block[0] | extent) & !0x1ff | 0xdfc;
        }
        bytes.extend(block.into_iter().flat_map(u64::to_le_bytes));
    }
    bytes.truncate(size);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::blocks_astc::decode;
    use crate::generators::surface::Random;

    /// Blocks of random bits hardly ever are legal void extents.
    #[test]
    fn void_extents_are_generated() {
        let mut random = Random(1);
        let name = "ASTC_HDR_2D_6X6_FLT16";
        let bytes = astc(|| random.next(), 16 * 1000, name, false);
        let void = bytes.as_chunks::<16>().0.iter().filter(|block| block[0] == 0xfc && block[1] & 1 == 1);
        let legal = void.filter(|block| decode(name, &block[..], 0, 0) != [1.0, 0.0, 1.0, 1.0]);
        assert!(legal.count() > 20);
    }

    #[test]
    fn the_plain_mode_is_legal_everywhere() {
        for (_, name) in texwire::format::not_in_prm().filter(|(_, name)| name.starts_with("ASTC")) {
            assert!(legal(footprint(name), PLAIN), "{name}");
            assert!(footprint(name) >= (4, 4));
        }
    }
}
