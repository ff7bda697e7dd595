//! Reading of texels from the caller's store of decoded blocks.

use crate::format::BlockStore;
use crate::sample::fetch::frames::SurfaceBytes;
use crate::sample::lanes::LANES;
use crate::sample::plan::Plan;
use crate::sample::scratch::PassScratch;

impl Plan<'_> {
    /// Reads the words of the first `texels` texels of all lanes from the store of decoded blocks; `None` if a block is not in it. Also
    /// `None` if the memory hands out neither the surface nor a page table: every block is then read from it again, as it may be gone.
    #[inline(never)]
    pub(crate) fn read_blocks(
        &self,
        store: Option<&BlockStore<'_>>,
        bytes: &SurfaceBytes<'_>,
        texels: usize,
        scratch: &mut PassScratch,
    ) -> Option<()> {
        let store = store.filter(|_| !matches!(bytes, SurfaceBytes::Unknown))?;
        let layout = store.layout()?;
        let PassScratch { index, inside, located, .. } = &mut *scratch;
        let [width, _] = self.block?;
        let (index, inside) = (index.get(..texels)?, inside.get(..texels)?);
        (self.stages.stored.first()?)(&layout, width, index, inside, located.first_mut()?);
        match layout.step {
            1 => copy_stored::<1>(store.words(), texels, scratch),
            2 => copy_stored::<2>(store.words(), texels, scratch),
            _ => copy_stored::<4>(store.words(), texels, scratch),
        }
    }
}

/// Copies the words of texels, `STEP` for each, from their located places in the store; `None` if a slot does not hold the block.
#[inline(always)]
fn copy_stored<const STEP: usize>(
    stored: &[u32],
    texels: usize,
    PassScratch { index, located, words, .. }: &mut PassScratch,
) -> Option<()> {
    let [tags, places] = located.first()?;
    let [first, second, third, fourth] = words;
    let targets = first.iter_mut().zip(second).zip(third).zip(fourth);
    let sources = index.as_flattened().iter().zip(tags.as_flattened()).zip(places.as_flattened());
    let mut others = 0;
    for (((((first, second), third), fourth), ((number, tag), place)), _) in
        targets.zip(sources).zip(0..texels.wrapping_mul(LANES))
    {
        others |= stored.get(*tag as usize)? ^ number.wrapping_add(1);
        let texel: &[u32; STEP] = stored.get(*place as usize..)?.first_chunk()?;
        let word = |number: usize| texel.get(number).copied().unwrap_or(0);
        *first = word(0);
        if STEP > 1 {
            *second = word(1);
        }
        if STEP > 2 {
            (*third, *fourth) = (word(2), word(3));
        }
    }
    (others == 0).then_some(())
}
