//! Properties: any bytes, as those of a wire.

use super::{gen_native, trace, txq, visa};
use crate::wires::Wire;

/// Compares what the core makes of any bytes with an independent second reading: the emulator's, or for traces the
/// same stream in other chunks.
///
/// # Panics
/// When they differ, or when the wire has no second reading here.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generators::kinds::{Kind, kinds};
    use crate::wires::{Options, Output, WIRES};

    /// The core and the second reading agree on generated inputs, and most of these decode to something.
    #[test]
    fn generated_inputs_decode_as_the_oracle_says() {
        for wire in WIRES {
            let generators: Vec<&Kind> = kinds().filter(|kind| kind.wire == Some(wire.name())).collect();
            assert!(!generators.is_empty(), "{} has no generator", wire.name());
            for kind in generators {
                let mut found = 0;
                for number in 0..40 {
                    let bytes = kind.make(19, number);
                    compare_with_oracle(wire, &bytes);
                    let mut text = Vec::new();
                    let mut out = Output::new(
                        "made",
                        wire.name(),
                        Options { all: true, json: true, ..Options::default() },
                        &mut text,
                    );
                    wire.decode(&bytes, &mut out);
                    found += usize::from(!text.is_empty());
                }
                assert!(found >= 25, "{}: {found} of 40 decode to something", kind.name);
            }
        }
    }

    /// A generator of a wire names one that there is.
    #[test]
    fn generators_name_wires() {
        for kind in kinds() {
            assert!(kind.wire.is_none_or(|name| crate::wires::find(name).is_some()), "{}", kind.name);
        }
    }
}
