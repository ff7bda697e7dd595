//! Hot paths against the general path, bit for bit.

use super::super::tests::random::Random;
use super::super::{Sampler, Texture};
use crate::Platform;
use crate::enums::SurfaceFormat;
use crate::memory::{Access, LinearMemory, Memory};
use crate::message::{Message, Op, Payload};
use crate::state::{AddressMode, ChannelSelect, CompareFunction, Filter, MipFilter, SamplerState};
use crate::state::{SurfaceState, SurfaceType};
use std::vec::Vec;

/// Memory that never hands out a slice: the general path.
struct Slow<'a>(LinearMemory<'a>);

impl Memory for Slow<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        self.0.read(address, out)
    }
}

/// Memory that counts how often it is asked for texels, as the general path does.
struct Counting<'a>(LinearMemory<'a>, std::cell::Cell<u32>);

impl Memory for Counting<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        self.1.set(self.1.get() + 1);
        self.0.read(address, out)
    }
    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        self.1.set(self.1.get() + u32::from(len <= 32));
        self.0.slice(address, len)
    }
}

impl Random {
    fn coordinate(&mut self) -> f32 {
        match self.below(24) {
            0 => self.pick(&[
                f32::NAN,
                f32::INFINITY,
                f32::NEG_INFINITY,
                -0.0,
                1.0,
                1e9,
                -1e30,
                0.5,
                f32::MIN_POSITIVE,
            ]),
            1..4 => self.below(33) as f32 / 16.0 - 0.5,
            _ => self.below(1 << 20) as f32 / (1 << 19) as f32 - 0.5,
        }
    }
}

const FORMATS: [SurfaceFormat; 14] = [
    SurfaceFormat::R8G8B8A8_UNORM,
    SurfaceFormat::B8G8R8A8_UNORM,
    SurfaceFormat::R8G8B8A8_UNORM_SRGB,
    SurfaceFormat::B8G8R8A8_UNORM_SRGB,
    SurfaceFormat::R16G16B16A16_FLOAT,
    SurfaceFormat::R8_UNORM,
    SurfaceFormat::R16_UNORM,
    SurfaceFormat::R24_UNORM_X8_TYPELESS,
    SurfaceFormat::R32_FLOAT,
    SurfaceFormat::R32G32B32A32_FLOAT,
    SurfaceFormat::R32_FLOAT_X8X24_TYPELESS,
    SurfaceFormat::R16G16B16X16_FLOAT,
    SurfaceFormat::BC1_UNORM,
    SurfaceFormat::BC4_UNORM,
];

const OPS: [Op; 10] = [
    Op::Sample,
    Op::SampleB,
    Op::SampleL,
    Op::SampleLz,
    Op::SampleC,
    Op::SampleLC,
    Op::SampleCLz,
    Op::Ld,
    Op::LdLz,
    Op::Gather4,
];

fn surface(random: &mut Random, format: SurfaceFormat) -> SurfaceState {
    let mut state = SurfaceState::default();
    let kind = random.pick(&[SurfaceType::D2, SurfaceType::D2, SurfaceType::D3, SurfaceType::Cube]);
    let size = random.pick(&[1, 2, 8, 16, 16, 13]);
    let height = if kind == SurfaceType::Cube { size } else { random.pick(&[4, 8, 16, 7]) };
    let array = kind != SurfaceType::D3 && random.below(3) == 0;
    let base = random.below(3) as u32;
    state
        .set_surface_type(kind)
        .set_format(format)
        .set_width(size)
        .set_height(height)
        .set_depth(if array || kind == SurfaceType::D3 { 1 + random.below(4) as u32 } else { 1 })
        .set_array(array)
        .set_halign(4)
        .set_valign(4)
        .set_pitch(64 * 16)
        .set_qpitch(48)
        .set_mip_count(1 + random.below(3) as u32)
        .set_surface_min_lod(base)
        .set_min_array_element(if kind == SurfaceType::D3 { 0 } else { random.below(2) as u32 })
        .set_resource_min_lod(random.pick(&[0, 0, 128, 300]))
        .set_base_address(0x1000);
    use ChannelSelect::{Alpha, Blue, Green, One, Red, Zero};
    state.set_channel_select(random.pick(&[
        [Red, Green, Blue, Alpha],
        [Red, Green, Blue, Alpha],
        [Blue, One, Red, Zero],
    ]));
    state
}

fn sampler(random: &mut Random) -> SamplerState {
    let mut state = SamplerState::default();
    let filter = random.pick(&[Filter::Nearest, Filter::Linear, Filter::Linear]);
    let mode =
        random.pick(&[AddressMode::Wrap, AddressMode::Clamp, AddressMode::Mirror, AddressMode::ClampBorder]);
    let other = random.pick(&[AddressMode::Wrap, AddressMode::Clamp]);
    state
        .set_mag_filter(filter)
        .set_min_filter(filter)
        .set_mip_filter(random.pick(&[MipFilter::None, MipFilter::Nearest, MipFilter::Linear]))
        .set_lod_bias(random.pick(&[0, 0, 77, -200]))
        .set_min_lod(random.pick(&[0, 0, 100, 300]))
        .set_max_lod(random.pick(&[0xe00, 0xe00, 256]))
        .set_lod_preclamp(random.pick(&[crate::state::LodPreclamp::Ogl, crate::state::LodPreclamp::None]))
        .set_lod_clamp_mag_mip_filter(random.below(2) == 0)
        .set_cube_control_override(random.below(4) != 0)
        .set_shadow_function(random.pick(&[
            CompareFunction::Less,
            CompareFunction::GreaterEqual,
            CompareFunction::NotEqual,
            CompareFunction::Always,
        ]))
        .set_address_modes([mode, other, random.pick(&[mode, other])]);
    state
}

#[test]
fn hot_paths_equal_the_general_path() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut bytes = std::vec![0_u8; 1 << 20];
    for byte in &mut bytes {
        *byte = random.next() as u8;
    }
    let linear = LinearMemory { base: 0x1000, bytes: &bytes };
    let counting = Counting(linear, std::cell::Cell::new(0));
    let mut cases = [0_u32; OPS.len()];
    for case in 0..6000 {
        let index = case % OPS.len();
        let op = OPS[index];
        let format = random.pick(&FORMATS);
        let state = surface(&mut random, format);
        let Ok(texture) = Texture::bind(&state, Platform::Gen11) else { continue };
        let sampler = Sampler::bind(&sampler(&mut random), &[0x3f00_0000; 4]).unwrap();
        let mut message = Message::new(op);
        message.simd = random.pick(&[8, 16, 32]);
        message.lanes = random.pick(&[u32::MAX, u32::MAX, 0x5a5a_33ff]) & message.all_lanes();
        message.channels = crate::message::Channels::new(random.pick(&[15, 15, 9, 2]));
        message.gather = random.below(4) as u8;
        message.offsets = random.pick(&[[0, 0, 0], [0, 0, 0], [-8, 7, 3]]);
        let params: Vec<Vec<u8>> = message
            .present()
            .iter()
            .map(|param| {
                let integer = matches!(op, Op::Ld | Op::LdLz);
                let lanes = (0..message.simd).flat_map(|_| {
                    let bits = match param {
                        crate::message::Param::Mlod => 0,
                        _ if integer => (random.below(20) as u32).wrapping_sub(2),
                        _ => random.coordinate().to_bits(),
                    };
                    bits.to_le_bytes()
                });
                lanes.collect()
            })
            .collect();
        message.params -= u8::from(matches!(op, Op::Sample | Op::SampleB | Op::SampleC));
        let mut payload = Payload::new();
        for lanes in params.iter().take(message.params.into()) {
            payload.push(lanes).unwrap();
        }
        let mut hot = std::vec![0xcc; message.response().len.into()];
        let mut general = hot.clone();
        counting.1.set(0);
        let mut cache = crate::format::BlockCache::<8>::new();
        let a = texture.execute_cached(&message, &payload, &sampler, &counting, &mut cache, &mut hot);
        let b = texture.execute(&message, &payload, &sampler, &Slow(linear), &mut general);
        assert_eq!(a, b, "{op:?} {state:?}");
        cases[index] += u32::from(counting.1.get() == 0);
        if hot != general {
            let at = hot.iter().zip(&general).position(|(a, b)| a != b).unwrap() & !3;
            panic!(
                "{op:?} {format:?} {:?} {}x{} levels {} at byte {at}: {:02x?} general {:02x?} {sampler:?} {message:?}",
                state.surface_type(),
                state.width(),
                state.height(),
                state.mip_count(),
                &hot[at..at + 4],
                &general[at..at + 4],
            );
        }
    }
    // Every operation must have had its share of hot paths.
    for (op, cases) in OPS.iter().zip(cases) {
        assert!(cases > 30, "{op:?}: {cases}");
    }
}

/// What each hot path is for, at coordinates that no lane finds odd.
#[test]
fn usual_messages_take_hot_paths() {
    use SurfaceType::{Cube, D2, D3};
    let bytes = std::vec![0_u8; 1 << 20];
    let memory = Counting(LinearMemory { base: 0x1000, bytes: &bytes }, std::cell::Cell::new(0));
    let all = [(D2, Op::SampleLz), (D2, Op::Sample), (D2, Op::SampleL), (D2, Op::SampleB)];
    let plain = [(D3, Op::SampleLz), (Cube, Op::SampleLz), (D2, Op::Gather4), (D2, Op::Ld), (D2, Op::LdLz)];
    let compared = [(D2, Op::SampleC), (D2, Op::SampleCLz), (D2, Op::SampleLC)];
    let depth = [SurfaceFormat::R16_UNORM, SurfaceFormat::R24_UNORM_X8_TYPELESS, SurfaceFormat::R32_FLOAT];
    for format in FORMATS {
        let block = matches!(format, SurfaceFormat::BC1_UNORM | SurfaceFormat::BC4_UNORM);
        let general = matches!(
            format,
            SurfaceFormat::R32_FLOAT_X8X24_TYPELESS
                | SurfaceFormat::R16G16B16X16_FLOAT
                | SurfaceFormat::B8G8R8A8_UNORM_SRGB
        );
        let plain = plain.into_iter().filter(|_| !block);
        let compared = compared.into_iter().filter(|_| depth.contains(&format));
        for (kind, op) in all.into_iter().chain(plain).chain(compared).filter(|_| !general) {
            for filter in [Filter::Nearest, Filter::Linear] {
                let points = kind != Cube && !op.flags().compare;
                if filter == Filter::Nearest && !points {
                    continue;
                }
                let asked = asked(&memory, format, kind, op, filter);
                assert_eq!(asked, 0, "{format:?} {kind:?} {op:?} {filter:?}");
            }
        }
    }
}

/// How often a message asks for texels.
fn asked(memory: &Counting<'_>, format: SurfaceFormat, kind: SurfaceType, op: Op, filter: Filter) -> u32 {
    use ChannelSelect::{Alpha, Blue, Green, Red};
    let mut surface = SurfaceState::default();
    surface
        .set_surface_type(kind)
        .set_format(format)
        .set_width(16)
        .set_height(16)
        .set_depth(if kind == SurfaceType::D3 { 4 } else { 1 })
        .set_halign(4)
        .set_valign(4)
        .set_pitch(64 * 16)
        .set_qpitch(48)
        .set_mip_count(2)
        .set_channel_select([Red, Green, Blue, Alpha])
        .set_base_address(0x1000);
    let mut sampler = SamplerState::default();
    sampler
        .set_mag_filter(filter)
        .set_min_filter(filter)
        .set_max_lod(0xe00)
        .set_cube_control_override(true)
        .set_address_modes([AddressMode::Wrap; 3]);
    let texture = Texture::bind(&surface, Platform::Gen11).unwrap();
    let sampler = Sampler::bind(&sampler, &[0; 4]).unwrap();
    let mut message = Message::new(op);
    message.params -= u8::from(matches!(op, Op::Sample | Op::SampleB | Op::SampleC));
    let load = matches!(op, Op::Ld | Op::LdLz);
    // In the middle of a cube's face.
    let lanes = [0.4_f32, 0.3, 0.9].map(|c| (if load { 1 } else { c.to_bits() }).to_le_bytes().repeat(8));
    let mut payload = Payload::new();
    for lanes in lanes.iter().cycle().take(message.params.into()) {
        payload.push(lanes).unwrap();
    }
    let mut out = std::vec![0; message.response().len.into()];
    let mut cache = crate::format::BlockCache::<8>::new();
    memory.1.set(0);
    texture.execute_cached(&message, &payload, &sampler, memory, &mut cache, &mut out).unwrap();
    memory.1.get()
}
