#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| texwire_harness::properties::visa::decode(data));
