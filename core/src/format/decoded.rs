//! Decoding of whole blocks to words, and a store of decoded blocks in memory that the caller owns.

#[cfg(feature = "etc")]
use super::etc;
use super::{Codec, FormatDecoder, FormatInfo};
#[cfg(feature = "bc")]
use super::{bc6h, bc7};
#[cfg(any(feature = "bc", feature = "etc"))]
use crate::bits::copy_front;
use crate::enums::SurfaceFormat;

/// How a texel of a decoded block is stored: in the fewest words that hold it without loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DecodedTexel {
    /// One word, R8G8B8A8_UNORM (formats with the sRGB curve: R8G8B8A8_UNORM_SRGB): BC7, ETC1, ETC2.
    Rgba8,
    /// Two words, R16G16B16A16_FLOAT: BC6H.
    Rgba16Float,
    /// Four words, a [`Texel`](super::Texel): all other formats.
    Channels,
}

impl DecodedTexel {
    /// Returns the number of words of a texel.
    pub const fn words(self) -> usize {
        match self {
            Self::Rgba8 => 1,
            Self::Rgba16Float => 2,
            Self::Channels => 4,
        }
    }
}

impl FormatInfo {
    /// Returns how texels of decoded blocks are stored.
    pub const fn decoded_texel(&self) -> DecodedTexel {
        match self.codec() {
            Codec::Bc7 | Codec::Etc1 | Codec::Etc2 | Codec::Etc2Punchthrough | Codec::Etc2Eac => {
                DecodedTexel::Rgba8
            }
            Codec::Bc6hUnsigned | Codec::Bc6hSigned => DecodedTexel::Rgba16Float,
            _ => DecodedTexel::Channels,
        }
    }

    /// Returns the format that [stored texels](Self::decoded_texel) have.
    pub(crate) const fn decoded_format(&self) -> SurfaceFormat {
        match self.decoded_texel() {
            DecodedTexel::Rgba8 if self.srgb => SurfaceFormat::R8G8B8A8_UNORM_SRGB,
            DecodedTexel::Rgba8 => SurfaceFormat::R8G8B8A8_UNORM,
            DecodedTexel::Rgba16Float => SurfaceFormat::R16G16B16A16_FLOAT,
            DecodedTexel::Channels => SurfaceFormat::R32G32B32A32_FLOAT,
        }
    }

    /// Returns the number of words of a decoded block.
    pub const fn block_words(&self) -> usize {
        self.block_texels() * self.decoded_texel().words()
    }
}

impl FormatDecoder<'_> {
    /// Decodes a block to words, texels in raster order, each as [`FormatInfo::decoded_texel`] says. Bytes that
    /// `block` lacks read as 0; words past the end of `out` are dropped.
    pub fn decode_words(&self, block: &[u8], out: &mut [u32]) {
        match self.info().codec() {
            #[cfg(feature = "bc")]
            Codec::Bc7 => copy_front(out, &bc7::Bc7::new(self.info(), block).bytes()),
            #[cfg(feature = "bc")]
            Codec::Bc6hUnsigned | Codec::Bc6hSigned => {
                let halves = bc6h::Bc6h::new(self.info(), block).halves();
                copy_front(out, halves.map(|texel| [texel as u32, (texel >> 32) as u32]).as_flattened());
            }
            #[cfg(feature = "etc")]
            Codec::Etc1 | Codec::Etc2 | Codec::Etc2Punchthrough | Codec::Etc2Eac => {
                copy_front(out, &etc::Etc::new(self.info(), block).bytes());
            }
            _ => {
                let (texels, _) = out.as_chunks_mut::<4>();
                self.decode_block_into(block, texels);
            }
        }
    }
}

/// A cache of decoded blocks of one surface, in words that the caller lends: as many blocks as fit, up to all of them.
///
/// The number of a block is its offset in memory from the surface's first byte, counted in blocks, whatever the
/// tile mode. If there is room for every block of the surface, block `n` has slot `n` and is never evicted;
/// else the number of slots is the largest power of two that fits, and block `n` has slot `n` modulo that. The store
/// belongs to one format and the memory of one surface: call [`clear`](Self::clear) when the memory changes.
///
/// In loops over lanes, [`find`](Self::find) all blocks of a message; if the store holds all of them, gather from
/// [`words`](Self::words) at `found + texel * DecodedTexel::words`. Else call [`block`](Self::block) for one lane after
/// the other, since a new block may evict one that an earlier lane found.
///
/// ```
/// # #[cfg(feature = "bc")] {
/// use texwire::enums::SurfaceFormat;
/// use texwire::format::{BlockStore, FormatDecoder};
///
/// let codec = FormatDecoder::new(SurfaceFormat::BC7_UNORM)?;
/// let mut room = vec![0; 64 * BlockStore::words_of(codec.info())];
/// let mut store = BlockStore::new(&mut room, codec, 64);
/// assert_eq!(store.find(5), None);
/// assert_eq!(store.block(5, &[0; 16]).len(), 16);
/// assert!(store.find(5).is_some());
/// # }
/// # Ok::<(), texwire::Error>(())
/// ```
#[derive(Debug)]
pub struct BlockStore<'a> {
    /// The slots, each of which is a tag and the words of a block.
    words: &'a mut [u32],
    codec: FormatDecoder<'a>,
    /// Words of a slot.
    stride: usize,
    slots: u32,
    mask: u32,
}

/// Where a [`BlockStore`] holds its blocks, as constants for kernels: block `number` has slot `number & mask`, if that is below
/// `slots`. A slot is a tag (the block's number plus one), then the words of its texels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoreLayout {
    /// Words of a slot.
    pub(crate) stride: u32,
    pub(crate) slots: u32,
    pub(crate) mask: u32,
    /// Words of a texel.
    pub(crate) step: u32,
}

/// The tag of a slot without a block; a slot with a block has the block's number plus one as its tag.
const EMPTY: u32 = 0;

impl<'a> BlockStore<'a> {
    /// Returns the number of words that a store needs for each block of a format.
    pub const fn words_of(format: &FormatInfo) -> usize {
        1 + format.block_words()
    }

    /// Makes an empty store. `blocks` is the number of blocks of the surface (`u32::MAX` if that is not known). A store with
    /// room for less than one block holds none.
    pub fn new(words: &'a mut [u32], codec: FormatDecoder<'a>, blocks: u32) -> Self {
        let stride = Self::words_of(codec.info());
        let room = u32::try_from(words.len().checked_div(stride).unwrap_or(0)).unwrap_or(u32::MAX);
        let (slots, mask) = match room.checked_ilog2() {
            _ if room >= blocks => (blocks, u32::MAX),
            Some(log2) => (1 << log2, (1 << log2) - 1),
            None => (0, 0),
        };
        let mut store = Self { words, codec, stride, slots, mask };
        store.clear();
        store
    }

    /// Returns how many blocks the store can hold.
    pub const fn slots(&self) -> u32 {
        self.slots
    }

    /// Returns how texels are stored.
    pub const fn texel(&self) -> DecodedTexel {
        self.codec.info().decoded_texel()
    }

    /// Returns all words of the store: decoded blocks, and a tag before each.
    pub const fn words(&self) -> &[u32] {
        self.words
    }

    /// Returns where the store holds its blocks; `None` if it is too large for 32-bit indices of words.
    pub(crate) fn layout(&self) -> Option<StoreLayout> {
        u32::try_from(self.words.len()).ok()?;
        let Self { slots, mask, .. } = *self;
        Some(StoreLayout { stride: self.stride as u32, slots, mask, step: self.texel().words() as u32 })
    }

    /// Returns whether the texels of stored blocks are those that `decoder` decodes. Texels of one or two words are stored without the sRGB
    /// curve, [channels](DecodedTexel::Channels) after it.
    pub(crate) fn serves(&self, decoder: &FormatDecoder<'_>) -> bool {
        self.texel() != DecodedTexel::Channels || self.codec.info().srgb == decoder.info().srgb
    }

    /// Removes all blocks.
    pub fn clear(&mut self) {
        for slot in self.words.chunks_mut(self.stride.max(1)) {
            if let Some(tag) = slot.first_mut() {
                *tag = EMPTY;
            }
        }
    }

    /// Returns the index in [`words`](Self::words) of the tag of a block's slot, if it has a slot.
    #[inline(always)]
    const fn slot(&self, number: u32) -> Option<usize> {
        let slot = number & self.mask;
        if slot < self.slots { Some((slot as usize).wrapping_mul(self.stride)) } else { None }
    }

    /// Returns the index in [`words`](Self::words) where the texels of block `number` begin; `None` if the store does not hold it.
    #[inline(always)]
    pub fn find(&self, number: u32) -> Option<usize> {
        let at = self.slot(number)?;
        let tag = self.words.get(at).copied().unwrap_or(EMPTY);
        (tag != EMPTY && tag == number.wrapping_add(1)).then(|| at.wrapping_add(1))
    }

    /// Whether there is a slot for block `number`.
    #[inline]
    pub const fn has_slot(&self, number: u32) -> bool {
        self.slot(number).is_some()
    }

    /// Returns the words of block `number`, which is decoded from `bytes` if the store does not hold it. They are empty if the
    /// block has no slot (the store has none, or the number is past the surface's last block): decode it elsewhere then.
    pub fn block(&mut self, number: u32, bytes: &[u8]) -> &[u32] {
        let Some(at) = self.slot(number) else { return &[] };
        let slot = self.words.get_mut(at..at.wrapping_add(self.stride)).unwrap_or_default();
        let Some((tag, words)) = slot.split_first_mut() else { return &[] };
        let wanted = number.wrapping_add(1);
        if *tag != wanted || *tag == EMPTY {
            *tag = wanted;
            self.codec.decode_words(bytes, words);
        }
        words
    }
}

#[cfg(all(test, feature = "bc", feature = "etc"))]
mod tests {
    use super::super::Texel;
    use super::*;
    use crate::enums::{Enumeration, SurfaceFormat};
    use std::vec;
    use std::vec::Vec;

    /// The words of decoded blocks hold the same texels as [`FormatDecoder::decode_block_into`] returns, for every block format.
    #[test]
    fn words_are_the_texels() {
        let mut random = 1_u64;
        for row in SurfaceFormat::TABLE.rows.iter().filter(|row| !row.is_reserved()) {
            let Ok(codec) = FormatDecoder::new(SurfaceFormat(row.first)) else { continue };
            let info = codec.info();
            if !info.is_block() {
                continue;
            }
            for _ in 0..200 {
                let block: [u8; 16] = core::array::from_fn(|_| {
                    random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                    (random >> 56) as u8
                });
                let mut texels = vec![[0; 4]; info.block_texels()];
                assert_eq!(codec.decode_block_into(&block, &mut texels), texels.len());
                let mut words = vec![0; info.block_words()];
                codec.decode_words(&block, &mut words);
                let step = info.decoded_texel().words();
                let decoded: Vec<Texel> = words.chunks_exact(step).map(|word| texel(info, word)).collect();
                assert_eq!(decoded, texels, "{} {block:x?}", row.name);
            }
        }
    }

    fn texel(info: &FormatInfo, words: &[u32]) -> Texel {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        FormatDecoder::new(info.decoded_format()).unwrap().decode(&bytes, 0, 0)
    }

    #[test]
    fn blocks_stay_until_another_takes_their_slot() {
        let codec = FormatDecoder::new(SurfaceFormat::BC7_UNORM).unwrap();
        let size = BlockStore::words_of(codec.info());
        assert_eq!(size, 17);
        let block = |number: u32| (u128::from(number) << 100 | 1 << 6).to_le_bytes();
        // Room for 5 of 8 blocks: 4 slots. Room for all 8: a slot each.
        for (room, slots) in
            [(5 * size, 4), (8 * size, 8), (8 * size - 1, 4), (9 * size, 8), (size - 1, 0), (0, 0)]
        {
            let mut words = vec![u32::MAX; room];
            let mut store = BlockStore::new(&mut words, codec, 8);
            assert_eq!(store.slots(), slots);
            for number in [0, 1, 5, 1, 7, 3, 0, 8, u32::MAX] {
                let mut expected = vec![0; 16];
                codec.decode_words(&block(number), &mut expected);
                let stored = store.block(number, &block(number)).to_vec();
                let has_slot = slots > 0 && (slots < 8 || number < 8);
                assert_eq!(stored, if has_slot { expected } else { vec![] }, "{room} {number}");
                let found = store.find(number);
                assert_eq!(found.is_some(), has_slot && number != u32::MAX, "{room} {number}");
                if let Some(at) = found {
                    assert_eq!(store.words()[at..at + 16], stored);
                    // The store holds the block: its bytes are not read again.
                    assert_eq!(store.block(number, &[]), stored);
                }
            }
            assert_eq!(store.find(5).is_some(), slots == 8);
            store.clear();
            assert!((0..8).all(|number| store.find(number).is_none()));
        }
    }
}
