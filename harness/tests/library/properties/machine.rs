use super::holds_of_lengths;
use texwire_harness::properties::machine;

#[test]
fn machine_program() {
    holds_of_lengths(16..1024, machine::program, 3000);
}

#[test]
fn machine_launch() {
    holds_of_lengths(0..2048, machine::hostile, 500);
}
