//! Sampling workloads: whole messages, from parameter bytes to register bytes.
//!
//! SIMD16 messages of 32-bit parameters over a 512 x 512 surface (3D: 64^3, cube: 256, all with
//! their mip levels), WRAP. `coherent`: pixels of a picture in 2x2 subspans, a texel a pixel;
//! `random`: every lane anywhere. Block formats have a cache of 256 decoded blocks, kept from message to
//! message.

use super::{Amount, Workload};
use texwire::Platform;
use texwire::enums::SurfaceFormat;
use texwire::format::{BlockCache, info};
use texwire::memory::LinearMemory;
use texwire::message::{Message, Op, Param, Payload};
use texwire::sample::{Sampler, Texture};
use texwire::state::{
    AddressMode, CompareFunction, Filter, LodPreclamp, MipFilter, SamplerState, SurfaceState, SurfaceType,
};

const MESSAGES: usize = 4096;
const LANES: usize = 16;
const BASE: u64 = 0x1_0000;

/// A workload's recipe.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// The workload's name.
    pub name: &'static str,
    op: Op,
    format: SurfaceFormat,
    kind: SurfaceType,
    filter: Filter,
    mip: MipFilter,
}

const fn recipe(name: &'static str, op: Op, format: SurfaceFormat) -> Recipe {
    Recipe { name, op, format, kind: SurfaceType::D2, filter: Filter::Linear, mip: MipFilter::None }
}

/// The workloads.
pub const RECIPES: &[Recipe] = &[
    recipe("bilinear_rgba8", Op::SampleLz, SurfaceFormat::R8G8B8A8_UNORM),
    Recipe {
        filter: Filter::Nearest,
        ..recipe("nearest_rgba8", Op::SampleLz, SurfaceFormat::R8G8B8A8_UNORM)
    },
    Recipe {
        mip: MipFilter::Linear,
        ..recipe("trilinear_srgb8", Op::SampleL, SurfaceFormat::R8G8B8A8_UNORM_SRGB)
    },
    Recipe { mip: MipFilter::Linear, ..recipe("implicit_rgba8", Op::Sample, SurfaceFormat::R8G8B8A8_UNORM) },
    recipe("bilinear_rgba16f", Op::SampleLz, SurfaceFormat::R16G16B16A16_FLOAT),
    recipe("bilinear_r32f", Op::SampleLz, SurfaceFormat::R32_FLOAT),
    recipe("pcf_d32", Op::SampleCLz, SurfaceFormat::R32_FLOAT),
    Recipe { kind: SurfaceType::D3, ..recipe("trilinear_3d", Op::SampleLz, SurfaceFormat::R8G8B8A8_UNORM) },
    Recipe {
        kind: SurfaceType::Cube,
        ..recipe("cube_rgba16f", Op::SampleLz, SurfaceFormat::R16G16B16A16_FLOAT)
    },
    recipe("bilinear_bc1", Op::SampleLz, SurfaceFormat::BC1_UNORM),
    recipe("bilinear_bc7", Op::SampleLz, SurfaceFormat::BC7_UNORM),
    recipe("gather4_r8", Op::Gather4, SurfaceFormat::R8_UNORM),
    recipe("fetch_rgba8", Op::Ld, SurfaceFormat::R8G8B8A8_UNORM),
];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 24
    }

    fn unit(&mut self) -> f32 {
        (self.next() & 0xff_ffff) as f32 / 16_777_216.0
    }
}

/// The surface and its bytes.
fn surface(recipe: &Recipe, random: &mut Random) -> (SurfaceState, Vec<u8>) {
    let size = match recipe.kind {
        SurfaceType::D3 => 64,
        SurfaceType::Cube => 256,
        _ => 512,
    };
    let shape = info(recipe.format).expect("a known format");
    let block = u32::from(shape.block_width);
    // The levels after the first lie beside each other below it.
    let rows = size + size / 2 + 64;
    let pitch = size / block * u32::from(shape.bytes);
    let mut state = SurfaceState::default();
    state
        .set_surface_type(recipe.kind)
        .set_format(recipe.format)
        .set_width(size)
        .set_height(size)
        .set_depth(if recipe.kind == SurfaceType::D3 { size } else { 1 })
        .set_halign(4)
        .set_valign(4)
        .set_pitch(pitch)
        .set_qpitch(rows / block)
        .set_mip_count(size.ilog2() + 1)
        .set_base_address(BASE);
    use texwire::state::ChannelSelect::{Alpha, Blue, Green, Red};
    state.set_channel_select([Red, Green, Blue, Alpha]);
    let slices = match recipe.kind {
        SurfaceType::D3 => size,
        SurfaceType::Cube => 6,
        _ => 1,
    };
    let len = (pitch * (rows / block) * slices) as usize;
    let float16 = recipe.format == SurfaceFormat::R16G16B16A16_FLOAT;
    let float32 = recipe.format == SurfaceFormat::R32_FLOAT;
    let bytes = if float32 {
        (0..len / 4).flat_map(|_| random.unit().to_le_bytes()).collect()
    } else if float16 {
        // Halves in 0.5..1: no denormals, infinities, NaN.
        (0..len / 2).flat_map(|_| (0x3800 | random.next() as u16 & 0x3ff).to_le_bytes()).collect()
    } else {
        (0..len).map(|_| random.next() as u8).collect()
    };
    (state, bytes)
}

fn sampler(recipe: &Recipe) -> SamplerState {
    let mut state = SamplerState::default();
    state
        .set_mag_filter(recipe.filter)
        .set_min_filter(recipe.filter)
        .set_mip_filter(recipe.mip)
        .set_max_lod(0xe00)
        .set_lod_preclamp(LodPreclamp::Ogl)
        .set_shadow_function(CompareFunction::Less)
        .set_cube_control_override(true)
        .set_address_modes([AddressMode::Wrap; 3]);
    state
}

/// The parameter bytes of all messages, one message after another.
fn parameters(recipe: &Recipe, params: &[Param], pattern: &str, random: &mut Random, size: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    for message in 0..MESSAGES {
        // 8 x 2 pixels: four subspans side by side.
        let (x0, y0) = (message * 8 % size as usize, message * 8 / size as usize * 2);
        let lod =
            if pattern == "random" { random.unit() * 8.0 } else { message as f32 / MESSAGES as f32 * 3.0 };
        let turned: Vec<f32> = (0..3).map(|_| random.unit()).collect();
        for param in params {
            for lane in 0..LANES {
                let quad = lane / 4;
                let (x, y) = (x0 + quad * 2 + lane % 2, y0 + lane / 2 % 2);
                let coherent = |at: usize| (at as f32 + 0.37) / size as f32;
                let integer = recipe.op == Op::Ld;
                let value = match (param, pattern) {
                    (Param::Lod, _) if integer => 0.0,
                    (Param::Lod, "random") => random.unit() * 8.0,
                    (Param::Lod, _) => lod,
                    (Param::Ref, _) => random.unit(),
                    // Random subspans, small steps inside (a LOD that a picture could have).
                    (Param::U, "random") if recipe.op == Op::Sample => {
                        turned[0] + quad as f32 * 0.21 + (lane % 2) as f32 * 1.7 / size as f32
                    }
                    (Param::V, "random") if recipe.op == Op::Sample => {
                        turned[1] + quad as f32 * 0.13 + (lane / 2 % 2) as f32 * 1.7 / size as f32
                    }
                    (_, "random") if recipe.kind == SurfaceType::Cube => random.unit() * 2.0 - 1.0,
                    (_, "random") => random.unit(),
                    (Param::U, _) if recipe.kind == SurfaceType::Cube => coherent(x) * 2.0 - 1.0,
                    (Param::V, _) if recipe.kind == SurfaceType::Cube => coherent(y) * 2.0 - 1.0,
                    (Param::R, _) if recipe.kind == SurfaceType::Cube => 1.0,
                    (Param::U, _) => coherent(x),
                    (Param::V, _) => coherent(y),
                    _ => 0.3,
                };
                if integer && *param != Param::Lod {
                    bytes.extend(((value * size as f32) as i32).to_le_bytes());
                } else if integer {
                    bytes.extend(0_i32.to_le_bytes());
                } else {
                    bytes.extend(value.to_le_bytes());
                }
            }
        }
    }
    bytes
}

/// How many parameters a compiler sends.
fn count(recipe: &Recipe) -> u8 {
    let space = if recipe.kind == SurfaceType::D2 { 2 } else { 3 };
    match recipe.op {
        Op::SampleL | Op::SampleCLz | Op::Ld => space + 1,
        _ => space,
    }
}

/// Makes a workload; `pattern` is `coherent` or `random`. `general`: memory hands out no slices, which
/// keeps every message on the general path.
pub fn workload(recipe: &Recipe, pattern: &'static str, general: bool) -> Workload {
    let mut random = Random(0x0123_4567_89ab_cdef);
    let (state, bytes) = surface(recipe, &mut random);
    let mut message = Message::new(recipe.op);
    message.simd = LANES as u8;
    message.lanes = message.all_lanes();
    message.params = count(recipe);
    let input = parameters(recipe, message.present(), pattern, &mut random, state.width());
    let sampler = Sampler::bind(&sampler(recipe), &[0; 4]).expect("a legal sampler");
    let stride = LANES * 4;
    let size = stride * usize::from(message.params);
    let mut cache = Box::new(BlockCache::<256>::new());
    let mut registers = vec![0_u8; message.response().len.into()];
    let run = move || {
        let texture = Texture::bind(&state, Platform::Gen11).expect("a legal surface");
        let memory = LinearMemory { base: BASE, bytes: &bytes };
        for block in input.chunks_exact(size) {
            let payload =
                Payload::split([block, &[]], stride, message.params.into()).expect("whole registers");
            let outcome = if general {
                texture.execute(&message, &payload, &sampler, &ByReads(memory), &mut registers)
            } else {
                texture.execute_cached(&message, &payload, &sampler, &memory, &mut cache, &mut registers)
            };
            debug_assert_eq!(outcome.map(|outcome| outcome.faults), Ok(0));
            std::hint::black_box(&registers);
        }
        Amount::Samples((MESSAGES * LANES) as u64)
    };
    Workload { name: recipe.name.to_owned(), pattern: Some(pattern), run: Box::new(run) }
}

/// Memory that is plain for a texel, but hands out no surfaces.
struct ByReads<'a>(LinearMemory<'a>);

impl texwire::memory::Memory for ByReads<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> texwire::memory::Access {
        self.0.read(address, out)
    }

    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        if len <= 16 { self.0.slice(address, len) } else { None }
    }
}
