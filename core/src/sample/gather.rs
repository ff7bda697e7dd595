//! gather4: the four texels of the bilinear footprint, unfiltered.
//!
//! R lower left (x0, y1), G lower right (x1, y1), B upper right (x1, y0), A upper left (x0, y0).

use super::filter::{Probe, Reader};
use crate::format::Texel;
use crate::memory::Memory;

impl<M: Memory + ?Sized> Reader<'_, '_, M> {
    /// The four texels' channel `component` (after the channel select), or their comparisons.
    pub(super) fn gather(&mut self, probe: &Probe, level: u32, component: u8) -> Texel {
        let place = self.place(probe, level, true, true);
        let [z, _] = place.z.index;
        let four = self.four(&place, z);
        let texture = self.plan.texture;
        let select = texture.select.get(usize::from(component & 3)).copied();
        let [a, b, r, g] = four.map(|texel| {
            if self.plan.compare {
                let [red, ..] = self.compared(texel, probe.reference);
                return red;
            }
            select.map_or(0, |select| texture.one_selected(select, texel))
        });
        [r, g, b, a]
    }
}
