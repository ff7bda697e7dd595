//! The properties of the fuzz targets on random inputs, and that the generators reach what the properties are for.

mod device;
mod device_binary;
mod endless;
mod execute;
mod format;
mod gen_native;
mod machine;
mod observe;
mod state;
mod trace;
mod txq;
mod visa;
mod wires;

use std::ops::Range;

/// The property holds of so many random inputs.
fn holds(property: fn(&[u8]), iterations: usize) {
    bolero::check!().with_type::<Vec<u8>>().with_iterations(iterations).for_each(|data| property(data));
}

/// The same of inputs with lengths in this range.
fn holds_of_lengths(lengths: Range<usize>, property: fn(&[u8]), iterations: usize) {
    let bytes = bolero::produce::<Vec<u8>>().with().len(lengths);
    bolero::check!().with_generator(bytes).with_iterations(iterations).for_each(|data| property(data));
}
