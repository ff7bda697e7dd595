#![no_main]
libfuzzer_sys::fuzz_target!(init: texwire_harness::cli::instead_of_fuzzing(), |data: &[u8]| texwire_harness::properties::visa::display_total(data));
