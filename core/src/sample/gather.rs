//! gather4: the four texels of the bilinear footprint, unfiltered.

use super::lanes::Channels;
use super::plan::{Plan, Work};
use super::scratch::Room;
use super::texture::Select;

impl Plan<'_> {
    /// The results before the channel select: of gather4 the texels of the component that it names, where they were decoded.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "below 4")]
    pub(super) fn results<'s>(&self, scratch: &'s Room) -> &'s Channels {
        let Room { values: [result, ..], texels, .. } = scratch;
        match self.gathered {
            Select::Channel(component) if self.work == Work::Gather => {
                texels[usize::from(component & 3)].first_chunk().unwrap_or(result)
            }
            Select::Channel(_) | Select::Constant(_) => result,
        }
    }
}
