//! The `texwire` command as `cargo fuzz build` makes it beside the targets: it writes their seeds and dictionaries, and nothing else is
//! built for that. No target links it: libFuzzer would scan the counters of the whole command after each execution.
#![no_main]
libfuzzer_sys::fuzz_target!(init: command(), |_data: &[u8]| ());

fn command() {
    std::process::exit(texwire_harness::cli::status().into())
}
