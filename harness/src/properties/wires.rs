//! Properties of any bytes, read as a wire.

use super::{gen_native, trace, txq, visa};
use crate::wires::Wire;

/// Compares what the core makes of any bytes with a second, independent reading: the emulator's, or for traces that in other chunks.
///
/// # Panics
/// They differ, or the wire has no second reading here.
pub fn compare_with_oracle(wire: &dyn Wire, bytes: &[u8]) {
    match wire.name() {
        "visa" => visa::compare_with_oracle(bytes),
        "gen9" | "gen11" | "gen12" | "xe-hpg" => {
            wire.platforms().iter().for_each(|platform| gen_native::walk(bytes, *platform));
        }
        "maxwell" => txq::walk(bytes),
        "trace" => trace::chunks_do_not_matter(bytes),
        name => panic!("no second reading of wire {name}"),
    }
}
