//! A batch gives what its messages give one after the other, together or not.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic: that is how it fails")]

mod common;

use common::message;
use core::mem::MaybeUninit;
use core::ptr;
use texwire::Platform;
use texwire::enums::SurfaceFormat;
use texwire::message::Op;
use texwire::state::{AddressMode, Filter, SamplerState, SurfaceState};
use texwire::transfer::SurfaceDescription;
use texwire_capi::device::{texwire_message, texwire_outcome};
use texwire_capi::error::texwire_error;
use texwire_capi::memory::texwire_memory;
use texwire_capi::prepared::{
    texwire_batch, texwire_prepared, texwire_prepared_execute, texwire_prepared_execute_many,
    texwire_prepared_init, texwire_prepared_result_size, texwire_prepared_size,
};
use texwire_capi::{Status, TEXWIRE_GEN11};

/// Messages of a batch.
const COUNT: usize = 21;
/// Parameters: U, V and the array index.
const PARAMS: usize = 3;

/// A prepared message and the memory that it reads.
struct Sampler {
    /// Aligned storage.
    _storage: Vec<u64>,
    place: *mut texwire_prepared,
    texels: Vec<u8>,
}

/// Where payloads and results lie.
#[derive(Clone, Copy)]
struct Strides {
    param: usize,
    message: usize,
    result: usize,
}

/// How many messages were executed and whether all were, their results with what lies between them, and what became of each.
type Ran = (usize, bool, Vec<u8>, Vec<[u64; 4]>);

fn facts(outcome: texwire_outcome) -> [u64; 4] {
    [outcome.fault_address, outcome.lanes.into(), outcome.faults.into(), outcome.null_lanes.into()]
}

impl Sampler {
    fn new(simd: u32) -> Self {
        let description = SurfaceDescription::texture_2d(SurfaceFormat::R8G8B8A8_UNORM, 16, 16);
        let surface = SurfaceState::new(&description, Platform::Gen11).expect("a state");
        let mut sampler = SamplerState::default();
        sampler.set_mag_filter(Filter::Linear).set_address_modes([AddressMode::Wrap; 3]);
        let message = texwire_message { simd, params: PARAMS as u32, ..message(Op::SampleLz) };
        let mut storage = vec![0_u64; texwire_prepared_size().div_ceil(8) + 1];
        let mut place = ptr::null_mut();
        // SAFETY: all pointers are of values that live, null where that is allowed.
        let status = unsafe {
            texwire_prepared_init(
                storage.as_mut_ptr().cast(),
                storage.len() * 8,
                TEXWIRE_GEN11,
                &raw const message,
                surface.dwords.as_ptr(),
                sampler.dwords.as_ptr(),
                ptr::null(),
                0,
                0.0,
                &raw mut place,
                ptr::null_mut(),
            )
        };
        assert_eq!(status, Status::Ok);
        // A half of the surface is not there.
        let texels = (0..16 * 64 / 2).map(|n| (n * 37 + n / 7) as u8).collect();
        Self { _storage: storage, place, texels }
    }

    fn result(&self) -> usize {
        // SAFETY: the place is that of a prepared message.
        unsafe { texwire_prepared_result_size(self.place) }
    }

    /// One after the other.
    fn singly(&mut self, lanes: Option<&[u32]>, params: &[u8], strides: Strides, room: usize) -> Ran {
        let memory = texwire_memory::of_bytes(0, &mut self.texels);
        let (mut results, mut outcomes) = (vec![0xee_u8; room], Vec::new());
        for number in 0..COUNT {
            let Some(from) = params.get(number * strides.message..) else { break };
            let Some(to) = results.get_mut(number * strides.result..) else { break };
            let lanes = lanes.map_or(u32::MAX, |lanes| lanes[number]);
            let mut outcome = MaybeUninit::<texwire_outcome>::uninit();
            // SAFETY: all pointers are of values that live, null where that is allowed.
            let status = unsafe {
                texwire_prepared_execute(
                    self.place,
                    lanes,
                    from.as_ptr(),
                    from.len(),
                    strides.param,
                    &raw const memory,
                    to.as_mut_ptr(),
                    to.len(),
                    outcome.as_mut_ptr(),
                    ptr::null_mut(),
                )
            };
            if status != Status::Ok {
                break;
            }
            // SAFETY: a message that was executed has an outcome.
            outcomes.push(facts(unsafe { outcome.assume_init() }));
        }
        (outcomes.len(), outcomes.len() == COUNT, results, outcomes)
    }

    /// All at once.
    fn together(&mut self, lanes: Option<&[u32]>, params: &[u8], strides: Strides, room: usize) -> Ran {
        let memory = texwire_memory::of_bytes(0, &mut self.texels);
        let mut results = vec![0xee_u8; room];
        let unknown = texwire_outcome { fault_address: 9, lanes: 9, faults: 9, null_lanes: 9, fault_lane: 9 };
        let (mut outcomes, mut done) = ([unknown; COUNT], usize::MAX);
        let batch = texwire_batch {
            count: COUNT,
            lanes: lanes.map_or(ptr::null(), <[u32]>::as_ptr),
            params: params.as_ptr(),
            params_size: params.len(),
            param_stride: strides.param,
            message_stride: strides.message,
            results: results.as_mut_ptr(),
            results_size: room,
            result_stride: strides.result,
            outcomes: outcomes.as_mut_ptr(),
        };
        let mut error = texwire_error { value: 0, status: 0, what: 0, offset: 0, bit: 0 };
        // SAFETY: all pointers are of values that live.
        let status = unsafe {
            texwire_prepared_execute_many(
                self.place,
                &raw const batch,
                &raw const memory,
                &raw mut done,
                &raw mut error,
            )
        };
        let needed = (COUNT - 1) * strides.result + self.result();
        assert_eq!(status == Status::Capacity, status != Status::Ok && room < needed);
        assert!(status != Status::Capacity || error.value == needed as u64, "{}", error.value);
        (done, status == Status::Ok, results, outcomes.into_iter().take(done).map(facts).collect())
    }
}

#[test]
fn a_batch_is_its_messages() {
    for simd in [8, 16] {
        let mut sampler = Sampler::new(simd);
        let param = simd as usize * 4;
        let packed = Strides { param, message: PARAMS * param, result: sampler.result() };
        let loose = Strides { result: packed.result + 20, ..packed };
        let wide = Strides { param: param + 32, message: PARAMS * (param + 32), ..packed };
        let overlapping = Strides { message: param, ..packed };
        // A mask for several messages in a row, none, and all.
        let masks: Vec<u32> =
            (0..COUNT as u32).map(|n| [u32::MAX, 0x5a5a, 0, 0xffff][n as usize / 3 % 4]).collect();
        for strides in [packed, loose, wide, overlapping] {
            let size = COUNT * strides.message.max(strides.param * PARAMS);
            let params: Vec<u8> =
                (0..size / 4).flat_map(|n| (n as f32 * 0.173 % 1.0).to_le_bytes()).collect();
            let room = COUNT * strides.result;
            // Whole, and with too little of either for all.
            for (size, room) in [(size, room), (size * 2 / 3, room), (size, room / 2), (3, room), (size, 3)] {
                for lanes in [None, Some(&masks[..])] {
                    let want = sampler.singly(lanes, &params[..size], strides, room);
                    let found = sampler.together(lanes, &params[..size], strides, room);
                    let all = u64::from(u32::MAX >> (32 - simd));
                    for (number, [_, told, ..]) in found.3.iter().enumerate() {
                        assert_eq!(*told, lanes.map_or(all, |lanes| u64::from(lanes[number]) & all));
                    }
                    assert_eq!(found, want);
                }
            }
        }
    }
}
