//! A cache of decoded blocks.

use super::Texel;

/// Decoded blocks by address, direct-mapped, owned by the caller: `264 * N` bytes.
///
/// The address must be that of a block of one surface; [`clear`](Self::clear) when the memory or
/// the format changes.
#[derive(Clone, Debug)]
pub struct BlockCache<const N: usize> {
    entries: [Entry; N],
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The block's address; odd (which no block's is) = empty.
    address: u64,
    texels: [Texel; 16],
}

const EMPTY: Entry = Entry { address: u64::MAX, texels: [[0; 4]; 16] };

impl<const N: usize> Default for BlockCache<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> BlockCache<N> {
    /// An empty cache of `N` blocks.
    pub const fn new() -> Self {
        Self { entries: [EMPTY; N] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries = [EMPTY; N];
    }

    /// The texels of the block of `bytes` bytes at `address`, by `decode` if they are not here.
    /// `None` when `N` is 0.
    #[inline]
    pub fn get(
        &mut self,
        address: u64,
        bytes: u8,
        decode: impl FnOnce() -> [Texel; 16],
    ) -> Option<&[Texel; 16]> {
        let number = if bytes == 8 { address >> 3 } else { address >> 4 };
        let slot = (number as usize).checked_rem(N)?;
        let entry = self.entries.get_mut(slot)?;
        if entry.address != address {
            *entry = Entry { address, texels: decode() };
        }
        Some(&entry.texels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_once_and_replaces() {
        let mut cache = BlockCache::<2>::new();
        let mut decoded = 0;
        for (address, fresh) in
            [(0x100, true), (0x100, false), (0x110, true), (0x120, true), (0x100, true), (0x110, false)]
        {
            let before = decoded;
            let texels = cache.get(address, 16, || {
                decoded += 1;
                [[address as u32; 4]; 16]
            });
            assert_eq!(texels, Some(&[[address as u32; 4]; 16]));
            assert_eq!(decoded != before, fresh, "{address:#x}");
        }
        cache.clear();
        assert_eq!(cache.get(0x110, 16, || [[7; 4]; 16]), Some(&[[7; 4]; 16]));
        assert_eq!(BlockCache::<0>::new().get(0, 8, || [[0; 4]; 16]), None);
    }
}
