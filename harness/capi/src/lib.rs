//! The C interface of texwire. The header is `include/texwire.h`, made of this source.
//!
//! * Functions that can fail return a [`Status`] and fill a [`texwire_error`] if they are given one.
//! * Every pointer is checked for null and alignment, every length for what is written; what cannot be checked (that
//!   memory of the given length is there) is the caller's promise.
//! * The library keeps no state of its own (but which vector instructions the processor has) and allocates nothing: objects live
//!   in the caller's storage. An object may be
//!   used by one thread at a time, different objects by different threads at once.
//! * No panic and no unwinding crosses the boundary; callbacks must not throw or jump out of it.
#![cfg_attr(not(feature = "std"), no_std)]
#![allow(non_camel_case_types, reason = "the names are those of C")]

pub mod device;
pub mod error;
mod failure;
#[cfg(feature = "std")]
#[allow(clippy::multiple_unsafe_ops_per_block, reason = "a test of the interface")]
pub mod hostile;
pub mod memory;
pub mod nv;
pub mod observe;
mod pointers;
pub mod prepared;
mod simd;
pub mod state;
pub mod trace;
pub mod transfer;
pub mod wires;

use failure::{Failure, Outcome};
use texwire::Platform;

pub use error::{Status, texwire_error};

/// The version of the functions and structures in this header: another number, another layout or meaning.
pub const TEXWIRE_ABI_VERSION: u32 = 2;

/// Gen9 (Skylake).
pub const TEXWIRE_GEN9: u32 = 0;
/// Gen11 (Ice Lake).
pub const TEXWIRE_GEN11: u32 = 1;
/// Gen12 Xe-LP (Tiger Lake).
pub const TEXWIRE_XE_LP: u32 = 2;
/// Gen12.7 Xe-HPG (DG2).
pub const TEXWIRE_XE_HPG: u32 = 3;
/// Xe-HPC (Ponte Vecchio), vISA only.
pub const TEXWIRE_XE_HPC: u32 = 4;
/// NVIDIA Maxwell.
pub const TEXWIRE_MAXWELL: u32 = 5;
/// NVIDIA Pascal.
pub const TEXWIRE_PASCAL: u32 = 6;

/// The `TEXWIRE_ABI_VERSION` of the library: compare it with the header's.
#[unsafe(no_mangle)]
pub extern "C" fn texwire_abi_version() -> u32 {
    TEXWIRE_ABI_VERSION
}

/// The platforms by their numbers in the header. Positions in [`Platform::ALL`] are no such numbers: they change when a platform is added.
/// Xe2 has no number: no function of this interface decodes anything of it.
const PLATFORMS: [(u32, Platform); 7] = [
    (TEXWIRE_GEN9, Platform::Gen9),
    (TEXWIRE_GEN11, Platform::Gen11),
    (TEXWIRE_XE_LP, Platform::XeLp),
    (TEXWIRE_XE_HPG, Platform::XeHpg),
    (TEXWIRE_XE_HPC, Platform::XeHpc),
    (TEXWIRE_MAXWELL, Platform::Maxwell),
    (TEXWIRE_PASCAL, Platform::Pascal),
];

/// Returns the platform of a number of the header.
fn platform(number: u32, argument: u32) -> Outcome<Platform> {
    let found = PLATFORMS.iter().find(|(code, _)| *code == number);
    found.map(|(_, platform)| *platform).ok_or(Failure::Argument(argument))
}

#[cfg(not(feature = "std"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // The core refers to no panic; this is here for the compiler.
    loop {
        core::hint::spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_platforms_that_the_header_says() {
        let expected = [
            Platform::Gen9,
            Platform::Gen11,
            Platform::XeLp,
            Platform::XeHpg,
            Platform::XeHpc,
            Platform::Maxwell,
            Platform::Pascal,
        ];
        for (number, expected) in (0..).zip(expected) {
            assert_eq!(platform(number, 0).ok(), Some(expected), "{number}");
        }
        for number in [7, 8, u32::MAX] {
            assert!(matches!(platform(number, 3), Err(Failure::Argument(3))), "{number}");
        }
    }
}
