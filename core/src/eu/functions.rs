//! Names of the messages of shared functions other than the sampler, by the descriptor's type field.
//!
//! Sources: the names that Intel's assembler and compiler print (IGC `visa`, `iga`), Mesa's `brw_eu_defines.h` for the URB and the
//! render cache. Codes that are not listed have no known name.

use super::Descriptor;

/// The messages of a shared function: lowest bit and width of the type field, and the names by code.
struct MessageNames {
    function: u8,
    at: u32,
    width: u32,
    names: &'static [(u8, &'static str)],
}

/// The shared function of data cache data port 0. Its scratch messages have bit [`SCRATCH`] set, and the bit [`SCRATCH_WRITE`] in place
/// of the type field.
const DATA_CACHE_0: u8 = 10;
const SCRATCH: u32 = 1 << 18;
const SCRATCH_WRITE: u32 = 1 << 17;

static MESSAGES: [MessageNames; 5] = [
    MessageNames {
        function: 3,
        at: 0,
        width: 3,
        names: &[(0, "end of thread"), (1, "signal event"), (3, "unmonitor event"), (4, "barrier")],
    },
    MessageNames {
        function: 5,
        at: 14,
        width: 4,
        names: &[(12, "render target write"), (13, "render target read")],
    },
    MessageNames {
        function: 6,
        at: 0,
        width: 4,
        names: &[
            (0, "write hword"),
            (1, "write oword"),
            (2, "read hword"),
            (3, "read oword"),
            (4, "atomic mov"),
            (5, "atomic inc"),
            (6, "atomic add"),
            (7, "simd8 write"),
            (8, "simd8 read"),
        ],
    },
    MessageNames {
        function: DATA_CACHE_0,
        at: 14,
        width: 4,
        names: &[
            (0, "oword block read"),
            (1, "unaligned oword block read"),
            (2, "oword dual block read"),
            (3, "dword scattered read"),
            (4, "byte scattered read"),
            (5, "qword gather"),
            (7, "memory fence"),
            (8, "oword block write"),
            (9, "hword aligned block write"),
            (10, "oword dual block write"),
            (11, "dword scattered write"),
            (12, "byte scattered write"),
            (13, "qword scatter"),
        ],
    },
    MessageNames {
        function: 12,
        at: 14,
        width: 5,
        names: &[
            (0, "transpose read"),
            (1, "untyped surface read"),
            (2, "untyped atomic operation"),
            (3, "untyped atomic operation simd4x2"),
            (4, "media block read"),
            (5, "typed surface read"),
            (6, "typed atomic operation"),
            (7, "typed atomic operation simd4x2"),
            (8, "untyped atomic float add"),
            (9, "untyped surface write"),
            (10, "media block write"),
            (11, "atomic counter operation"),
            (12, "atomic counter operation simd4x2"),
            (13, "typed surface write"),
            (16, "a64 gathering read"),
            (17, "a64 untyped surface read"),
            (18, "a64 untyped atomic operation"),
            (19, "a64 untyped atomic operation simd4x2"),
            (20, "a64 block read"),
            (21, "a64 block write"),
        ],
    },
];

/// Returns the name of the message to shared function `function` that `descriptor` encodes; `None` if it has no known name.
pub(super) fn message_name(function: u8, descriptor: Descriptor) -> Option<&'static str> {
    if function == DATA_CACHE_0 && descriptor.0 & SCRATCH != 0 {
        let write = descriptor.0 & SCRATCH_WRITE != 0;
        return Some(if write { "hword scratch block write" } else { "hword scratch block read" });
    }
    let messages = MESSAGES.iter().find(|messages| messages.function == function)?;
    let code = crate::bits::get(descriptor.0.into(), messages.at, messages.width) as u8;
    messages.names.iter().find(|(known, _)| *known == code).map(|(_, name)| *name)
}
