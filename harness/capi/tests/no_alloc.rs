//! Nothing is allocated: not by devices that prepare or keep messages, nor by prepared messages, transfers and observers.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic: that is how it fails")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use texwire::Platform;
use texwire::device::{Footprint, StateExecutor};
use texwire::enums::SurfaceFormat;
use texwire::memory::{LinearMemory, LinearMemoryMut};
use texwire::message::{Message, Op, Payload};
use texwire::sample::{Prepared, Sampler, Scratch, Texture};
use texwire::state::{BorderColor, Filter, MipFilter, SamplerState, SurfaceState, TileMode};
use texwire::transfer::{Region, SurfaceDescription};

thread_local! {
    /// Allocations of this thread: those of the test's own runner do not count.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often `run` allocates.
fn allocations(run: impl FnOnce()) -> u64 {
    let before = COUNT.get();
    run();
    COUNT.get() - before
}

#[test]
fn nothing_is_allocated() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1_u8]))) > 0, "allocations are not counted");
    let platform = Platform::Gen11;
    let formats = [SurfaceFormat::R8G8B8A8_UNORM, SurfaceFormat::BC7_UNORM, SurfaceFormat::R32_FLOAT];
    let surfaces: Vec<SurfaceState> = formats
        .into_iter()
        .map(|format| {
            let made = SurfaceDescription::texture_2d(format, 64, 64);
            SurfaceState::new(&made.with_levels(4).with_tile_mode(TileMode::YMajor), platform)
                .expect("a state")
        })
        .collect();
    let mut bytes = vec![0x5a_u8; 1 << 16];
    let mut rows = vec![0_u8; 64 * 64 * 4];
    let mut sampler = SamplerState::default();
    sampler.set_mag_filter(Filter::Anisotropic).set_min_filter(Filter::Anisotropic).set_max_anisotropy(8);
    sampler.set_mip_filter(MipFilter::Linear).set_max_lod(14 << 8);
    let states = (sampler, BorderColor::default());
    let lanes: Vec<u8> = (0..48_u8).flat_map(|lane| (f32::from(lane) * 0.07).to_le_bytes()).collect();
    let message = Message { simd: 16, lanes: 0xffff, params: 3, ..Message::new(Op::Sample) };
    let payload = Payload::split([&lanes, &[]], 64, 3).expect("three parameters");
    let mut executor = Box::new(StateExecutor::<2, 2>::new(platform));
    let mut scratch = Box::new(Scratch::new());
    let mut out = [0; 256];
    let count = allocations(|| {
        for turn in 0..9 {
            let surface = &surfaces[turn % 3];
            let layout = surface.layout(platform).expect("a layout");
            let region = Region::level(&layout, 0, 0);
            let mut memory = LinearMemoryMut { base: 0, bytes: &mut bytes };
            let (row, _) = region.rows(&layout).expect("rows");
            layout.upload(&region, &rows, row, &mut memory).expect("an upload");
            let memory = LinearMemory { base: 0, bytes: &bytes };
            layout.download(&region, &memory, &mut rows, row).expect("a download");
            // Three surfaces in two places: some are prepared anew, some are kept.
            for _ in 0..2 {
                executor
                    .execute(surface, Some(&states), &message, &payload, &memory, &mut out)
                    .expect("an execution");
            }
            let texture = Texture::bind(surface, platform).expect("a texture");
            let sampler = Sampler::bind(&states.0, &[0; 4]).expect("a sampler");
            let prepared = Prepared::new(&texture, &sampler, &message).expect("a message");
            prepared.execute(&mut scratch, 0xffff, &payload, &memory, &mut out).expect("an execution");
            let footprint: Footprint<64> = executor
                .footprint(surface, Some(&states), &message, &payload, 5, &memory)
                .expect("a footprint");
            assert!(!footprint.taps.is_empty());
        }
    });
    assert_eq!(count, 0);
}
