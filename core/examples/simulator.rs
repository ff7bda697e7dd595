//! A tiny model of an execution unit: one thread with its own register file, memory in pages, and the sampler of
//! this crate behind its `send` instructions.
//!
//! Run it with `cargo run -p texwire --example simulator`.
#![allow(
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::std_instead_of_core,
    reason = "a model may panic on its own mistakes"
)]

use std::collections::HashMap;
use texwire::enums::SurfaceFormat;
use texwire::eu::{Runtime, Send, Stream};
use texwire::memory::{Access, Memory};
use texwire::message::Binding;
use texwire::sample::{Sampler, Texture};
use texwire::state::{AddressMode, ChannelSelect, Filter, SamplerState, SurfaceState, SurfaceType};
use texwire::{Error, Platform};

const PLATFORM: Platform = Platform::Gen11;
const PAGE: u64 = 4096;
const GRF: usize = 32;

/// Pages by number; `None` is a null page.
#[derive(Default)]
struct Pages(HashMap<u64, Option<Vec<u8>>>);

impl Memory for Pages {
    /// A texel never straddles a page here: surfaces are page-aligned and texels are 4 bytes.
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let offset = (address % PAGE) as usize;
        match self.0.get(&(address / PAGE)) {
            Some(Some(page)) => match page.get(offset..offset + out.len()) {
                Some(bytes) => {
                    out.copy_from_slice(bytes);
                    Access::Mapped
                }
                None => Access::Fault,
            },
            Some(None) => Access::NullPage,
            None => Access::Fault,
        }
    }
}

/// What the simulated device has bound.
struct Device<'p> {
    textures: Vec<Texture<'p>>,
    samplers: Vec<Sampler>,
    memory: Pages,
}

/// A thread: 128 registers.
struct Thread {
    registers: Vec<u8>,
    dispatch: u32,
}

impl Thread {
    fn set(&mut self, register: usize, lanes: impl Iterator<Item = f32>) {
        for (place, value) in self.registers[register * GRF..].chunks_exact_mut(4).zip(lanes) {
            place.copy_from_slice(&value.to_le_bytes());
        }
    }

    fn get(&self, register: usize, lane: usize) -> f32 {
        let at = register * GRF + lane * 4;
        f32::from_le_bytes(self.registers[at..at + 4].try_into().expect("four bytes"))
    }

    /// The message leaves the register file, and its result returns to it.
    fn send(&mut self, device: &Device<'_>, send: &Send) -> Result<(), Error> {
        let block = |register: u8| &self.registers[usize::from(register) * GRF..];
        let runtime = Runtime {
            payload: [block(send.src0.number), block(send.src1.number)],
            dispatch: self.dispatch,
            ..Runtime::default()
        };
        let (message, payload) = send.lower(&runtime)?;
        let (Binding::Index(surface), Binding::Index(sampler)) = (message.surface, message.sampler) else {
            return Ok(()); // bindless: this device has none
        };
        let mut result = [0; 9 * GRF];
        let destination = usize::from(send.dst.number) * GRF;
        let length = usize::from(message.response().len);
        // Lanes that are off keep what the destination held.
        result[..length].copy_from_slice(&self.registers[destination..destination + length]);
        let texture = &device.textures[surface as usize];
        let outcome = texture.execute(
            &message,
            &payload,
            &device.samplers[sampler as usize],
            &device.memory,
            &mut result,
        )?;
        self.registers[destination..destination + length].copy_from_slice(&result[..length]);
        println!("{}: lanes {:#06x}, faults {:#06x}", message.op.name(), message.lanes, outcome.faults);
        Ok(())
    }
}

fn device() -> Result<Device<'static>, Error> {
    // 32x128 texels in four pages: two of a gradient, a null page, and one that is not there.
    let mut surface = SurfaceState { dwords: [0; 16] };
    surface.set_surface_type(SurfaceType::D2).set_format(SurfaceFormat::R8G8B8A8_UNORM);
    surface
        .set_width(32)
        .set_height(128)
        .set_depth(1)
        .set_pitch(128)
        .set_mip_count(1)
        .set_halign(4)
        .set_valign(4);
    surface.set_channel_select([
        ChannelSelect::Red,
        ChannelSelect::Green,
        ChannelSelect::Blue,
        ChannelSelect::Alpha,
    ]);
    surface.set_base_address(0x10_0000);
    let mut sampler = SamplerState { dwords: [0; 4] };
    sampler
        .set_mag_filter(Filter::Linear)
        .set_min_filter(Filter::Linear)
        .set_address_modes([AddressMode::Clamp; 3]);
    let mut memory = Pages::default();
    let page =
        |number: u8| (0..1024u32).flat_map(move |i| [(i % 32 * 8) as u8, number * 64, 0, 255]).collect();
    memory.0.insert(0x100, Some(page(0)));
    memory.0.insert(0x101, Some(page(1)));
    memory.0.insert(0x102, None);
    Ok(Device {
        textures: vec![Texture::bind(&surface, PLATFORM)?],
        samplers: vec![Sampler::bind(&sampler, &[0; 4])?],
        memory,
    })
}

fn main() -> Result<(), Error> {
    // sends (16|M0) r20:w r16 r18: simd16 sample with LOD 0; U in r16 and r17, V in r18 and r19.
    let kernel = [0x33, 0, 0x80, 2, 0x78, 0x20, 0x81, 2, 2, 2, 0, 0, 0, 0x80, 0x85, 4];
    let device = device()?;
    let mut thread = Thread { registers: vec![0; 128 * GRF], dispatch: 0xffff };
    thread.set(16, (0..16).map(|lane| lane as f32 / 15.0));
    thread.set(18, (0..16).map(|lane| lane as f32 / 15.0));
    let mut stream = Stream::new(PLATFORM, &kernel);
    while let Some(instruction) = stream.next()? {
        if let Some(send) = instruction.send()? {
            thread.send(&device, &send)?;
        }
    }
    for lane in 0..16 {
        println!("lane {lane:2}: red {:.3} green {:.3}", thread.get(20, lane), thread.get(22, lane));
    }
    Ok(())
}
