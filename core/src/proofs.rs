//! Proofs for the Kani model checker: `cargo kani -p texwire` (after `cargo install --locked kani-verifier && cargo kani setup`,
//! which downloads a compiler).
//!
//! Each proof holds for all values of its inputs within the stated bound. Without Kani the same functions are tests on random
//! values.

use crate::eu::SendInstruction;
use crate::eu::descriptor::Descriptor;
use crate::eu::fields::Word;
use crate::memory::Plane;
use crate::platform::Platform;
use crate::state::TileMode;
use crate::trace::{Decoder, Event, Frame, RecordKind, encoded_len};

/// Replaces Kani's `any` in ordinary tests by a random generator with a fixed seed: each test runs its proof on many values.
#[cfg(not(kani))]
mod kani {
    use core::cell::Cell;

    std::thread_local! {
        static STATE: Cell<u64> = const { Cell::new(0x9e37_79b9_7f4a_7c15) };
    }

    pub(super) trait Arbitrary {
        fn of(bits: u64) -> Self;
    }

    macro_rules! arbitrary {
        ($($ty:ty)*) => { $(impl Arbitrary for $ty { fn of(bits: u64) -> Self { bits as $ty } })* };
    }
    arbitrary! { u8 u16 u32 u64 }

    pub(super) fn any<T: Arbitrary>() -> T {
        STATE.with(|state| {
            let mut bits = state.get();
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            state.set(bits);
            T::of(bits >> 3)
        })
    }
}

/// Declares proofs, and for each of them a test that runs it on random values.
macro_rules! proofs {
    ($($(#[$doc:meta])* $name:ident, unwind $unwind:literal, $body:block)*) => {
        $(
            $(#[$doc])*
            #[cfg_attr(kani, kani::proof, kani::unwind($unwind))]
            fn $name() $body
        )*

        #[cfg(not(kani))]
        mod random {
            $(
                #[test]
                fn $name() {
                    (0..20_000).for_each(|_| super::$name());
                }
            )*
        }
    };
}

fn platform() -> Platform {
    match kani::any::<u8>() & 3 {
        0 => Platform::Gen9,
        1 => Platform::Gen11,
        2 => Platform::XeLp,
        _ => Platform::XeHpg,
    }
}

proofs! {
    /// The fields of a descriptor hold each of its bits 30:0 once; `type_of` an operation returns the message type that it was decoded
    /// from.
    descriptor_round_trip, unwind 40, {
        let bits: u32 = kani::any();
        let descriptor = Descriptor(bits);
        let mode = u32::from(descriptor.simd_mode().0);
        let rebuilt = u32::from(descriptor.bti())
            | u32::from(descriptor.sampler()) << 8
            | u32::from(descriptor.message_type()) << 12
            | (mode & 3) << 17
            | u32::from(descriptor.header()) << 19
            | u32::from(descriptor.rlen()) << 20
            | u32::from(descriptor.mlen()) << 25
            | mode >> 2 << 29
            | u32::from(descriptor.ret16()) << 30;
        assert_eq!(rebuilt, bits & 0x7fff_ffff);
        if let Some(op) = descriptor.op() {
            assert_eq!(crate::eu::descriptor::type_of(op), Some(descriptor.message_type()));
        }
    }

    /// Every word decodes without a panic; a send that was decoded encodes to the same word.
    instruction_decode, unwind 40, {
        let mut lo: u64 = kani::any();
        // Half of the words get the opcode of a send.
        if kani::any::<u8>() & 1 == 1 {
            lo = (lo & !0x7f) | (0x31 + u64::from(kani::any::<u8>() & 3));
        }
        let word = Word { lo, hi: kani::any() };
        if let Ok(Some(send)) = SendInstruction::decode(platform(), word) {
            assert_eq!(send.encode(), Ok(word));
        }
    }

    /// A frame with up to 6 bytes of payload decodes to the frame that was encoded, and with one byte changed never to a different frame.
    frame_round_trip, unwind 40, {
        const MOST: usize = 6;
        let payload: [u8; MOST] = core::array::from_fn(|_| kani::any::<u8>() & kani::any::<u8>());
        let length = usize::from(kani::any::<u8>()) % (MOST + 1);
        let Some(payload) = payload.get(..length) else { return };
        let frame = Frame { kind: RecordKind(kani::any()), flags: kani::any(), sequence: kani::any(), payload };
        let mut bytes = [0; encoded_len(MOST)];
        let written = frame.encode(&mut bytes);
        let Some(encoded) = written.ok().and_then(|length| bytes.get(..length)) else {
            panic!("a frame fits");
        };
        let mut decoder = Decoder::<32>::new();
        let mut rest = encoded;
        match decoder.feed(&mut rest) {
            Some(Event::Frame { frame: found, .. }) => assert_eq!(found, frame),
            other => panic!("{other:?}"),
        }
        let at = usize::from(kani::any::<u8>()) % encoded.len();
        let change = kani::any::<u8>() | 1;
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= change;
        }
        let mut decoder = Decoder::<32>::new();
        let mut rest = &bytes[..];
        while let Some(event) = decoder.feed(&mut rest) {
            if let Event::Frame { frame: found, .. } = event {
                // A CRC of 32 bits detects every burst of errors of up to 32 bits.
                assert_eq!(found, frame, "a damaged frame is taken");
            }
        }
    }

    /// Two bytes of a tile never have the same offset, and every offset is inside the tile.
    tiling_is_a_bijection, unwind 40, {
        let (tiling, width, rows) = match kani::any::<u8>() % 3 {
            0 => (TileMode::XMajor, 512, 8),
            1 => (TileMode::YMajor, 128, 32),
            _ => (TileMode::WMajor, 64, 64),
        };
        let plane = Plane::surface(0, 512, 1, tiling);
        let [a, b] = [0; 2].map(|_: u32| (kani::any::<u32>() % width, kani::any::<u32>() % rows));
        let [first, second] = [a, b].map(|(x, y)| plane.offset(x, y));
        assert!(first < 4096 && second < 4096);
        assert_eq!(first == second, a == b, "{a:?} and {b:?} of {tiling:?}");
    }
}
