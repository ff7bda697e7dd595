//! A tiny model of an execution unit: a thread's registers, memory, and the device of this crate behind a `send`.
//! The texture is BC1 in Y-major tiles with seven levels, bindless.
//!
//! Run it with `cargo run -p texwire --features bc --example simulator`.
#![allow(
    clippy::indexing_slicing,
    clippy::std_instead_of_core,
    reason = "a model may panic on its own mistakes"
)]

use texwire::device::{Device, Heaps, Thread};
use texwire::memory::{LinearMemory, LinearMemoryMut, MemoryMut};
use texwire::state::{Filter, MipFilter, SamplerState, SurfaceState, TileMode};
use texwire::transfer::{Region, SurfaceDescription};
use texwire::{Error, Platform, enums::SurfaceFormat, eu::assemble};

const PLATFORM: Platform = Platform::Gen11;
const BASE: u64 = 0x10_0000;
const TEXTURE: SurfaceDescription = SurfaceDescription::texture_2d(SurfaceFormat::BC1_UNORM, 64, 64)
    .with_levels(7)
    .with_tile_mode(TileMode::YMajor)
    .with_base_address(BASE + 0x1000);

fn main() -> Result<(), Error> {
    // The bindless heap has the surface state at 0x40, the dynamic one the sampler state at 0x80.
    let surface = SurfaceState::new(&TEXTURE, PLATFORM)?;
    let mut sampler = SamplerState::default();
    sampler.set_mag_filter(Filter::Linear).set_min_filter(Filter::Linear).set_mip_filter(MipFilter::Linear);
    let mut bytes = vec![0; 0x1000 + surface.required_size(PLATFORM)? as usize];
    let mut memory = LinearMemoryMut { base: BASE, bytes: &mut bytes };
    memory.write(BASE + 0x40, &surface.to_bytes());
    memory.write(BASE + 0x80, &sampler.set_max_lod(6 << 8).to_bytes());

    // Blocks of one colour: red is the level, green the column.
    let layout = surface.layout(PLATFORM)?;
    for level in 0..layout.levels() {
        let region = Region::level(&layout, level, 0);
        let (row, rows) = region.rows(&layout)?;
        let colours = (0..row / 8 * rows).map(|at| (level as u16) << 13 | ((at % (row / 8)) as u16) << 7);
        let blocks: Vec<u8> =
            colours.flat_map(|colour| [colour.to_le_bytes(), [0; 2], [0; 2], [0; 2]].concat()).collect();
        layout.upload(&region, &blocks, row, &mut memory)?;
    }

    // A thread of 128 registers: LOD in r16, U in r17, V in r18; in a0.2 the surface's handle (bits 25:6 of its offset
    // in bits 31:12), the second block's length and the sampler's function identifier (SFID).
    let mut registers = vec![0; 128 * 32];
    for lane in 0..8 {
        for (register, value) in [(16, lane as f32 * 0.5), (17, lane as f32 / 8.0), (18, 0.3)] {
            registers[register * 32 + lane * 4..][..4].copy_from_slice(&value.to_le_bytes());
        }
    }
    let address = [0, 0, 0x40 << 6 | 2 << 6 | 2, 0, 0, 0, 0, 0];
    let mut thread = Thread { registers: &mut registers, dispatch: 0x7f, flags: [0; 2], address };

    let heaps =
        Heaps { bindless_surface_state: BASE, dynamic_state: BASE, sampler_table: 0x80, ..Heaps::default() };
    let mut device = Device::<16, 16>::new(PLATFORM, heaps);
    let send = assemble::parse(PLATFORM, "sends (8|M0) r20:f r16 r17 a0.2 0x24220FC")?;
    let done = device.send(&send, &mut thread, &LinearMemory { base: BASE, bytes: &bytes })?;
    println!(
        "{}: lanes {:#04x}, faults {:#x}",
        done.message.op.name(),
        done.message.lanes,
        done.outcome.faults
    );
    for lane in 0..8 {
        let [red, green] = [20, 21].map(|register| &registers[register * 32 + lane * 4..][..4]);
        println!("lane {lane}: red {red:02x?} green {green:02x?}");
    }
    Ok(())
}
