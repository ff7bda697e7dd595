//! Sampling: whole messages, from parameter bytes to register bytes.
//!
//! The named workloads are SIMD16 messages with 32-bit parameters on a 512 x 512 surface (3D: 64^3, cube: 256), address mode WRAP. Block
//! formats have a cache of 256 decoded blocks, which is kept from message to message.

use super::aligned::AlignedBytes;
use super::parameters;
use super::random::Random;
use super::scene::{self, Pages, UnslicedMemory};
use super::state::{CoordinateOrder, MemoryKind, SamplingState, SimdChoice};
use super::workload::{Amount, Workload};
use crate::generators::surface::PALETTE;
use crate::simd;
use texwire::Platform;
use texwire::error::Result as Executed;
use texwire::format::{BlockStore, FormatDecoder};
use texwire::memory::Memory;
use texwire::message::{Channels, Message, Payload, Width};
use texwire::sample::{Outcome, Prepared, Sampler, Scratch, Stages, Texture};

/// The names of the workloads, and their states.
pub const WORKLOADS: [(&str, &str); 13] = [
    ("bilinear_rgba8", ""),
    ("nearest_rgba8", "filter=nearest"),
    ("trilinear_srgb8", "op=sample_l,mip=linear,format=R8G8B8A8_UNORM_SRGB"),
    ("implicit_rgba8", "op=sample,mip=linear"),
    ("bilinear_rgba16f", "format=R16G16B16A16_FLOAT"),
    ("bilinear_r32f", "format=R32_FLOAT"),
    ("pcf_d32", "op=sample_c_lz,format=R32_FLOAT"),
    ("trilinear_3d", "kind=3d"),
    ("cube_rgba16f", "kind=cube,format=R16G16B16A16_FLOAT"),
    ("bilinear_bc1", "format=BC1_UNORM"),
    ("bilinear_bc7", "format=BC7_UNORM"),
    ("gather4_r8", "op=gather4,format=R8_UNORM"),
    ("fetch_rgba8", "op=ld"),
];

/// Messages of a run of a named workload.
const MESSAGES: usize = 4096;

/// Returns a named workload. `reads`: memory offers no slices above 16 bytes, and decoded blocks are not cached.
///
/// # Errors
/// The name is not that of a workload.
pub fn workload(name: &'static str, pattern: CoordinateOrder, reads: bool) -> Result<Workload, String> {
    let (_, text) = WORKLOADS.iter().find(|(known, _)| *known == name).ok_or("not a workload")?;
    let mut state: SamplingState = text.parse()?;
    state.pattern = pattern;
    state.messages = MESSAGES;
    if reads {
        (state.memory, state.cache) = (MemoryKind::Reads, 0);
    }
    Ok(prepare(&state, name)?.0)
}

/// The result of executing every message of a state once.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunResult {
    /// Lanes that faulted in any message.
    pub faults: u32,
}

/// Makes the workload of a state and runs it once.
///
/// # Errors
/// The state cannot be bound or executed, or its keys are incompatible.
pub fn prepare(state: &SamplingState, name: &str) -> Result<(Workload, RunResult), String> {
    let stages = choose_level(state.simd_level)?;
    let mut random = Random::new();
    let extent = scene::extent(state)?;
    let (surface, len) = scene::surface(state, extent)?;
    let bytes = scene::texels(state, len, &mut random)?;
    let refused = |what: &str, why: texwire::Error| format!("{what} at --state: {why}");
    let texture =
        Texture::with_palette(&surface, Platform::Gen11, &PALETTE).map_err(|why| refused("surface", why))?;
    let sampler = Sampler::bind(&scene::sampler(state), &[0; 4])
        .map_err(|why| refused("sampler", why))?
        .with_precision(state.precision)
        .with_cps_lod(state.cps.unwrap_or(0.0));
    let message = message(state);
    let mut run = MessageBatch {
        input: if message.params == 0 {
            AlignedBytes::zeros(state.messages)
        } else {
            AlignedBytes::copy(&parameters::bytes(state, &message, extent, &mut random))
        },
        batch: state.batch,
        registers: AlignedBytes::zeros(state.batch * usize::from(message.response().len)),
        store: store(state, len),
        prepared: Prepared::with_stages(&texture, &sampler, &message, stages)
            .map_err(|why| refused("message", why))?,
        scratch: Box::default(),
        message,
    };
    let mut pass: Box<dyn FnMut() -> Executed<u32>> = match state.memory {
        MemoryKind::Slice => Box::new(move || run.all(&scene::slice(&bytes))),
        MemoryKind::Reads => Box::new(move || run.all(&UnslicedMemory(scene::slice(&bytes)))),
        kind @ (MemoryKind::Paged | MemoryKind::Contiguous) => {
            let pages = Pages::new(&bytes, kind == MemoryKind::Paged, &mut random);
            Box::new(move || run.all(&pages))
        }
    };
    let faults = pass().map_err(|why| refused("message", why))?;
    let samples = (state.messages * usize::from(state.simd)) as u64;
    let workload = Workload {
        name: name.to_owned(),
        pattern: Some(match state.pattern {
            CoordinateOrder::Coherent => "coherent",
            CoordinateOrder::Random => "random",
        }),
        run: Box::new(move || {
            // The first run had no error, and nothing has changed since.
            let _ = std::hint::black_box(pass());
            Amount::Samples(samples)
        }),
    };
    Ok((workload, RunResult { faults }))
}

/// Returns the stages for an instruction set. This is the only place that selects one for measurements.
fn choose_level(level: SimdChoice) -> Result<&'static Stages, String> {
    let level = match level {
        SimdChoice::Auto => return Ok(simd::best()),
        SimdChoice::Baseline => simd::SimdLevel::Baseline,
        SimdChoice::Avx2 => simd::SimdLevel::Avx2,
        SimdChoice::Avx512 => simd::SimdLevel::Avx512,
    };
    let missing = || format!("simd_level at --state: this processor does not have {}", level.name());
    simd::stages(level).ok_or_else(missing)
}

fn message(state: &SamplingState) -> Message {
    let mut message = Message::new(state.op);
    message.simd = state.simd;
    message.lanes = state.lanes.unwrap_or(u32::MAX) & message.all_lanes();
    message.param_width = if state.half_params { Width::Half } else { Width::Full };
    message.params = parameters::count(state, message.param_width);
    message.return_width = if state.half_return { Width::Half } else { Width::Full };
    message.channels = Channels::new(state.mask);
    message.gather = state.channel;
    message.cps = state.cps.is_some();
    if state.op.flags().offsets {
        message.offsets = [state.offset; 3];
    }
    message
}

/// Returns a cache for decoded blocks, if the format has blocks and the state asks for a cache. It has room for `state.cache` blocks, at
/// most (`usize::MAX`) for those of the whole surface.
fn store(state: &SamplingState, len: usize) -> Option<BlockStore<'static>> {
    let codec =
        FormatDecoder::new(state.format).ok().filter(|codec| codec.info().is_block() && state.cache > 0)?;
    let blocks = len / usize::from(codec.info().bytes);
    let room = vec![0; blocks.min(state.cache) * BlockStore::words_of(codec.info())];
    // The memory is leaked: the workload uses it as long as the program measures.
    Some(BlockStore::new(room.leak(), codec, u32::try_from(blocks).unwrap_or(u32::MAX)))
}

/// Messages of one shape, and everything that their execution needs.
struct MessageBatch {
    prepared: Prepared<'static>,
    scratch: Box<Scratch>,
    message: Message,
    store: Option<BlockStore<'static>>,
    /// The parameters of all messages.
    input: AlignedBytes,
    /// The number of messages in one call, and the memory for their results.
    batch: usize,
    registers: AlignedBytes,
}

impl MessageBatch {
    /// Executes every message; returns the lanes that faulted in any of them.
    fn all<M: Memory>(&mut self, memory: &M) -> Executed<u32> {
        let Self { prepared, scratch, message, store, input, batch, registers } = self;
        let (input, registers) = (input.bytes(), registers.bytes_mut());
        let stride = usize::from(message.simd) * message.param_width.bytes();
        let params = usize::from(message.params);
        // Messages without parameters get one byte each, which they do not read.
        let len = (stride * params).max(1);
        let mut faults = 0;
        for blocks in input.chunks(len * *batch) {
            let (lanes, mut payloads) = (message.lanes, blocks.chunks(len).map(|block| [block, &[]]));
            let store = store.as_mut().filter(|_| prepared.reads_blocks());
            let done = |outcome: Outcome| faults |= outcome.faults;
            if let Some(store) = store {
                prepared
                    .execute_batch_with_blocks(scratch, store, lanes, payloads, memory, registers, done)?;
            } else if *batch == 1 {
                let block = payloads.next().unwrap_or_default();
                let payload = Payload::split(block, stride, params)?;
                faults |= prepared.execute(scratch, lanes, &payload, memory, registers)?.faults;
            } else {
                prepared.execute_batch(scratch, lanes, payloads, memory, registers, done)?;
            }
            std::hint::black_box(&registers);
        }
        Ok(faults)
    }
}

#[cfg(test)]
mod tests {
    use super::super::states::CASES;
    use super::*;

    /// Every case runs and reads only mapped memory.
    #[test]
    fn all_cases_and_workloads_run() {
        let named = CASES.iter().chain(&WORKLOADS);
        for (name, text) in named {
            let text = format!("{text},messages=8");
            let (mut workload, answer) = prepare(&text.parse().unwrap(), name).unwrap();
            assert_eq!(answer.faults, 0, "{name}");
            let Amount::Samples(samples) = (workload.run)() else { panic!("{name}: not samples") };
            assert!([64, 128, 256].contains(&samples), "{name}");
        }
    }

    /// Every operation runs on some kind of surface.
    #[test]
    fn all_operations_run() {
        use texwire::message::Op;
        for op in Op::ALL {
            let compare = if op.flags().compare { ",format=R32_FLOAT" } else { "" };
            let samples = if op.name().starts_with("ld2d") { ",samples=4" } else { "" };
            let text = format!("op={}{compare}{samples},messages=4,size=32", op.name());
            let result = prepare(&text.parse().unwrap(), op.name());
            let unsupported = matches!(op, Op::TxqDimension | Op::TxqTextureType | Op::TxqSamplerPos);
            assert_eq!(result.is_err(), unsupported, "{text}: {:?}", result.err());
        }
    }

    /// Every format, tiling, kind and pattern runs without a fault.
    #[test]
    fn formats_kinds_and_tilings_run() {
        use texwire::enums::{Enumeration, SurfaceFormat};
        use texwire::format::FormatDecoder;
        let run = |text: &str| {
            let (_, answer) =
                prepare(&text.parse().unwrap(), "").unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!(answer.faults, 0, "{text}");
        };
        let mut formats = 0;
        for row in SurfaceFormat::TABLE.rows.iter().filter(|row| !row.is_reserved()) {
            let codec = FormatDecoder::with_palette(SurfaceFormat(row.first), &PALETTE);
            if codec.is_ok_and(|codec| codec.info().bytes > 0) {
                run(&format!("op=ld_lz,messages=1,size=36,format={}", row.name));
                formats += 1;
            }
        }
        assert!(formats > 200, "{formats}");
        for kind in ["1d", "2d", "3d", "cube", "1d_array", "2d_array", "cube_array"] {
            for tile in ["linear", "x", "y", "w"] {
                for rest in
                    ["pattern=coherent", "pattern=random,memory=paged", "op=sample,mip=linear,pattern=random"]
                {
                    run(&format!("kind={kind},tile={tile},{rest},format=R8_UNORM,size=20,messages=8"));
                }
            }
        }
        run("kind=buffer,op=ld,format=R32G32_FLOAT");
        run("kind=2d,size=640x360,messages=8");
        run("kind=3d,size=64x32x8,messages=8");
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        for (text, start) in [
            ("kind=1d,size=4x4", "size at --state: 2 numbers"),
            ("size=20000", "size at --state: 20000x20000x1 (at most 16384"),
            ("size=16384,format=R32G32B32A32_FLOAT", "size at --state: the surface takes"),
            ("layers=4", "layers at --state: only arrays"),
            ("tile=w", "surface at --state: "),
            ("format=PLANAR_420_8", "format at --state: "),
            ("op=sample_c,format=R32_UINT", "message at --state: "),
            ("op=ld,kind=cube", "message at --state: "),
        ] {
            let why = prepare(&text.parse().unwrap(), "").unwrap_err();
            assert!(why.starts_with(start), "{text}: {why}");
        }
    }
}
