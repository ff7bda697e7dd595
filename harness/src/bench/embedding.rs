//! Costs for embedders: messages through a device, uploads and downloads.
//!
//! `prepared_message` and `device_message` execute the same SIMD16 messages (`sample_lz`, bilinear RGBA8 in Y-major tiles); the second one
//! finds the states in heaps for each message. An item is a message. `upload_*` and `download_*` copy a surface of 4096 x 4096 texels in
//! Y-major tiles; an item is a texel.

use super::random::Random;
use super::workload::{Amount, Workload};
use texwire::Platform;
use texwire::device::{Device, Heaps};
use texwire::enums::SurfaceFormat;
use texwire::memory::{LinearMemory, LinearMemoryMut};
use texwire::message::{Binding, Message, Op, Payload};
use texwire::sample::{Prepared, Sampler, Scratch, Texture};
use texwire::state::{BindingTableEntry, Filter, SamplerState, SurfaceState, TileMode};
use texwire::transfer::{Region, SurfaceDescription};

/// Makes a workload.
pub type Make = fn() -> Result<Workload, String>;

/// The workloads by name.
pub const WORKLOADS: [(&str, Make); 6] = [
    ("prepared_message", || messages("prepared_message", false)),
    ("device_message", || messages("device_message", true)),
    ("upload_rgba8", || transfer("upload_rgba8", SurfaceFormat::R8G8B8A8_UNORM, true)),
    ("download_rgba8", || transfer("download_rgba8", SurfaceFormat::R8G8B8A8_UNORM, false)),
    ("upload_bc7", || transfer("upload_bc7", SurfaceFormat::BC7_UNORM, true)),
    ("download_bc7", || transfer("download_bc7", SurfaceFormat::BC7_UNORM, false)),
];

const PLATFORM: Platform = Platform::Gen11;
/// Messages of one run.
const MESSAGES: usize = 4096;
/// Lanes of a message.
const SIMD: usize = 16;
/// Width and height of the sampled surface in texels.
const SIDE: u32 = 256;
/// The addresses of the binding table, the surface state, the sampler state and the texels.
const STATES: [usize; 4] = [0, 0x40, 0x80, 0x1000];

/// Returns the memory with the states of a surface and a sampler and with the texels, and the heaps.
fn heaps() -> Result<(Vec<u8>, Heaps), String> {
    let [table, surface_at, sampler_at, texels] = STATES;
    let description = SurfaceDescription::texture_2d(SurfaceFormat::R8G8B8A8_UNORM, SIDE, SIDE)
        .with_tile_mode(TileMode::YMajor)
        .with_base_address(texels as u64);
    let surface = SurfaceState::new(&description, PLATFORM).map_err(|why| why.to_string())?;
    let size = surface.required_size(PLATFORM).map_err(|why| why.to_string())? as usize;
    let mut sampler = SamplerState::default();
    sampler.set_mag_filter(Filter::Linear).set_min_filter(Filter::Linear);
    let mut random = Random::new();
    let mut bytes: Vec<u8> = (0..texels + size).map(|_| random.next() as u8).collect();
    let entry = BindingTableEntry { dwords: [surface_at as u32] };
    bytes[table..table + 4].copy_from_slice(&entry.dwords[0].to_le_bytes());
    bytes[surface_at..surface_at + 64].copy_from_slice(&surface.to_bytes());
    bytes[sampler_at..sampler_at + 16].copy_from_slice(&sampler.to_bytes());
    let heaps = Heaps { sampler_table: sampler_at as u32, ..Heaps::default() };
    Ok((bytes, heaps))
}

fn messages(name: &str, by_device: bool) -> Result<Workload, String> {
    let (bytes, heaps) = heaps()?;
    let message = Message {
        simd: SIMD as u8,
        lanes: 0xffff,
        params: 2,
        surface: Binding::Index(0),
        sampler: Binding::Index(0),
        ..Message::new(Op::SampleLz)
    };
    let mut random = Random::new();
    let lanes = MESSAGES * 2 * SIMD;
    let input: Vec<u8> =
        (0..lanes).flat_map(|_| (random.next() as u16 as f32 / 65536.0).to_le_bytes()).collect();
    let say = |why: texwire::Error| why.to_string();
    let mut device = Device::<16, 16>::new(PLATFORM, heaps);
    device.executor.set_stages(crate::simd::best());
    let whole = LinearMemory { base: 0, bytes: &bytes };
    let surface = heaps.surface(Binding::Index(0), &whole).map_err(say)?;
    let (state, border) = heaps.sampler(Binding::Index(0), heaps.sampler_table, &whole).map_err(say)?;
    let texture = Texture::bind(&surface, PLATFORM).map_err(say)?;
    let sampler = Sampler::bind(&state, &border.dwords).map_err(say)?;
    let prepared = Prepared::with_stages(&texture, &sampler, &message, crate::simd::best()).map_err(say)?;
    let mut scratch = Box::new(Scratch::new());
    let mut out = vec![0; message.response().len.into()];
    let mut pass = move || {
        let memory = LinearMemory { base: 0, bytes: &bytes };
        for lanes in input.chunks_exact(2 * SIMD * 4) {
            let payload = Payload::split([lanes, &[]], SIMD * 4, 2)?;
            if by_device {
                device.execute(&message, &payload, &memory, &mut out)?;
            } else {
                prepared.execute(&mut scratch, message.lanes, &payload, &memory, &mut out)?;
            }
            std::hint::black_box(&out);
        }
        Ok::<_, texwire::Error>(())
    };
    pass().map_err(say)?;
    Ok(Workload {
        name: name.to_owned(),
        pattern: None,
        run: Box::new(move || {
            // The first run had no error, and nothing has changed since.
            let _ = std::hint::black_box(pass());
            Amount::Bytes { bytes: (MESSAGES * 2 * SIMD * 4) as u64, items: MESSAGES as u64 }
        }),
    })
}

fn transfer(name: &str, format: SurfaceFormat, upload: bool) -> Result<Workload, String> {
    const TEXELS: u32 = 4096;
    let description = SurfaceDescription::texture_2d(format, TEXELS, TEXELS).with_tile_mode(TileMode::YMajor);
    let say = |why: texwire::Error| why.to_string();
    let surface = SurfaceState::new(&description, PLATFORM).map_err(say)?;
    let layout = surface.layout(PLATFORM).map_err(say)?;
    let region = Region::level(&layout, 0, 0);
    let (row, count) = region.rows(&layout).map_err(say)?;
    let mut memory = vec![1_u8; surface.required_size(PLATFORM).map_err(say)? as usize];
    let mut rows = vec![2_u8; row * count];
    let mut pass = move || {
        if upload {
            let mut memory = LinearMemoryMut { base: 0, bytes: &mut memory };
            layout.upload(&region, &rows, row, &mut memory)
        } else {
            layout.download(&region, &LinearMemory { base: 0, bytes: &memory }, &mut rows, row)
        }
    };
    pass().map_err(say)?;
    let bytes = (row * count) as u64;
    Ok(Workload {
        name: name.to_owned(),
        pattern: None,
        run: Box::new(move || {
            // The first run had no error, and nothing has changed since.
            let _ = std::hint::black_box(pass());
            Amount::Bytes { bytes, items: u64::from(TEXELS * TEXELS) }
        }),
    })
}
