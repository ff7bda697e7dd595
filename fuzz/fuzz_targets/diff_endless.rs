#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    texwire_harness::properties::execute::core_equals_emulator_on_endless_memory(data)
});
