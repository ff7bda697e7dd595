//! gather4: the four texels of the bilinear footprint, unfiltered.
//!
//! R lower left (x0, y1), G lower right (x1, y1), B upper right (x1, y0), A upper left (x0, y0).

use super::lanes::LANES;
use super::scratch::{RESULT, Scratch};
use super::texels::Reader;
use super::texture::Select;

impl Reader<'_, '_, '_> {
    /// The component that the message names (after the channel select) of each texel, or its comparison.
    pub(super) fn gather(&mut self, on: u32) {
        let [pass, _] = &self.plan.passes;
        self.footprint(pass, 0, on);
        let Scratch { values, texels, .. } = &mut *self.scratch;
        let result = &mut values[RESULT];
        match self.plan.gathered {
            Select::Constant(value) => *result = [[value; LANES]; 4],
            Select::Channel(c) => {
                let Some([upper_left, upper_right, lower_left, lower_right, ..]) = texels.get(usize::from(c))
                else {
                    return;
                };
                *result = [*lower_left, *lower_right, *upper_right, *upper_left];
            }
        }
    }
}
