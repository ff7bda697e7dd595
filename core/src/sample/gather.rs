//! gather4: the four texels of the bilinear footprint, unfiltered.
//!
//! R lower left (x0, y1), G lower right (x1, y1), B upper right (x1, y0), A upper left (x0, y0).

use super::bind::Select;
use super::filter::{Probe, Sum};
use super::lanes::Texels;
use super::lod::Level;
use super::reader::Reader;
use crate::memory::Memory;

impl<M: Memory + ?Sized> Reader<'_, '_, M> {
    /// The four texels' channel that the message names (after the channel select), or their comparisons.
    pub(super) fn gather(&mut self, probe: &Probe, level: &Level, on: u32, out: &mut Texels) {
        let plan = self.plan;
        let component = usize::from(plan.message.gather & 3);
        let named = plan.texture.select.get(component).copied();
        let select = if plan.flags.compare { None } else { named };
        let mut four = Sum::corners(select.unwrap_or(Select::Channel(0)), out);
        self.level(probe, on, level, true, &mut four);
        let [a, b, r, g] = *out;
        *out = [r, g, b, a];
    }
}
