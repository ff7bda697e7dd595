//! The properties, each in one place for the tests (bolero), the fuzz targets and the replay of regressions. It panics if it does not hold.

pub mod device;
pub mod device_binary;
pub mod execute;
pub mod format;
pub mod gen_native;
pub mod machine;
pub mod observe;
pub mod state;
pub mod trace;
pub mod txq;
pub mod visa;
pub mod wires;
mod words;

/// A fuzz target. `fuzz/fuzz_targets` has a file of the same name, which calls the property.
#[derive(Clone, Copy, Debug)]
pub struct FuzzTarget {
    /// The name of the fuzz binary, of its corpus, its dictionary and its regressions.
    pub name: &'static str,
    /// The path of the property below this module.
    pub path: &'static str,
    /// The property.
    pub property: fn(&[u8]),
    /// Returns what the property makes of an input, in words.
    pub words: fn(&[u8]) -> String,
}

impl FuzzTarget {
    /// The target with this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }
}

macro_rules! targets {
    ($($name:ident $module:ident::$property:ident $words:expr;)*) => {
        /// All fuzz targets.
        pub const TARGETS: &[FuzzTarget] = &[$(FuzzTarget {
            name: stringify!($name),
            path: concat!(stringify!($module), "::", stringify!($property)),
            property: $module::$property,
            words: $words,
        }),*];
    };
}

targets! {
    asm_text visa::asm_text words::visa_instructions;
    capi_hostile device::capi_hostile device::words;
    decode_format format::decode format::words;
    decode_gen gen_native::decode words::gen_input;
    decode_txq txq::decode words::txq_section;
    decode_visa visa::decode words::visa_instructions;
    device_binary device_binary::device_binary words::binary;
    device_heaps device::heaps device::words;
    diff_endless execute::core_equals_emulator_on_endless_memory execute::endless_input;
    diff_execute execute::core_equals_emulator execute::input;
    display_total visa::display_total words::shown_to;
    execute_txq txq::execute words::txq_warp;
    footprint observe::footprint execute::input;
    machine_launch machine::hostile words::binary;
    machine_program machine::program words::gen_stream;
    parse_state state::parse words::states;
    roundtrip_gen gen_native::roundtrip words::gen_word;
    roundtrip_txq txq::roundtrip words::txq_fields;
    roundtrip_visa visa::roundtrip words::visa_instructions;
    trace_stream trace::stream words::stream;
    transfer device::transfer device::words;
    walk_cisa visa::walk words::walked;
}
