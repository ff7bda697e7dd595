use super::*;
use crate::enums::SurfaceFormat;
use crate::error::What;
use crate::eu::payload::build;
use crate::eu::{ExecutionControl, PredicateControl, SendInstruction};
use crate::memory::{Access, LinearMemory};
use crate::message::{Binding, Channels, Op};
use crate::state::{AddressMode, BorderColor, SamplerState, SurfaceState, SurfaceType};
use std::vec::Vec;

const BASE: u64 = 0x10_0000;
const GRF: usize = 32;

/// Heaps and a texture: surface states at 0x100 (8x1 texels of red 0, 1, .. 7) and 0x140, binding table of both at
/// 0x40; samplers from 0x400 on, border colours at 0x800, texels at 0x1000.
struct World {
    bytes: Vec<u8>,
    heaps: Heaps,
}

impl World {
    fn new() -> Self {
        let mut bytes = std::vec![0; 0x2000];
        let mut surface = SurfaceState::plain(SurfaceType::D2, SurfaceFormat::R32_FLOAT, [8, 1, 1]).unwrap();
        surface.set_pitch(32).unwrap().set_base_address(BASE + 0x1000);
        bytes[0x100..0x140].copy_from_slice(&surface.to_bytes());
        bytes[0x140..0x180].copy_from_slice(&surface.set_base_address(BASE + 0x1020).to_bytes());
        bytes[0x40..0x44].copy_from_slice(&0x100u32.to_le_bytes());
        bytes[0x44..0x48].copy_from_slice(&0x140u32.to_le_bytes());
        for texel in 0..16u8 {
            let at = 0x1000 + 4 * usize::from(texel);
            bytes[at..at + 4].copy_from_slice(&f32::from(texel).to_le_bytes());
        }
        let mut clamp = SamplerState::default();
        clamp.set_address_modes([AddressMode::Clamp; 3]);
        let mut border = clamp;
        border.set_address_modes([AddressMode::ClampBorder; 3]).set_border_offset(0x400);
        for (index, sampler) in [(0, &clamp), (17, &border)] {
            let at = 0x400 + 16 * index;
            bytes[at..at + 16].copy_from_slice(&sampler.to_bytes());
        }
        bytes[0x800..0x810].copy_from_slice(&BorderColor::from_floats([99.0; 4]).to_bytes());
        let heaps = Heaps {
            surface_state: BASE,
            dynamic_state: BASE + 0x400,
            bindless_surface_state: BASE,
            bindless_sampler_state: BASE + 0x400,
            binding_table: 0x40,
            sampler_table: 0,
        };
        Self { bytes, heaps }
    }

    fn memory(&self) -> LinearMemory<'_> {
        LinearMemory { base: BASE, bytes: &self.bytes }
    }

    fn device(&self) -> Device<'static, 2, 2> {
        Device::new(Platform::Gen11, self.heaps)
    }
}

fn sample() -> Message {
    Message { params: 2, channels: Channels::new(1), ..Message::new(Op::SampleLz) }
}

/// Returns a send, a register file of 32 registers of 0xee with the message's payload from r8 on, and the address register. Lanes sample
/// texels 0, 1, .. 7, moved by `u` (1 is the width), which can be past the edge.
fn sent(message: &Message, dst: Option<u8>, u: f32) -> (SendInstruction, Vec<u8>, [u32; 8]) {
    let mut registers = std::vec![0xee; 32 * GRF];
    let lanes: Vec<u8> =
        (0..8u8).flat_map(|lane| ((f32::from(lane) + 0.5) / 8.0 + u).to_le_bytes()).collect();
    let mut payload = Payload::new();
    payload.push(&lanes).unwrap();
    payload.push(&[0; GRF]).unwrap();
    let wire = build(message, &payload, 0, &mut registers[8 * GRF..]).unwrap();
    let execution = ExecutionControl { size: 8, ..ExecutionControl::default() };
    let send = wire.send(Platform::Gen11, execution, dst, 8, None);
    (send, registers, [0, 0, wire.extended(0), 0, 0, 0, 0, 0])
}

fn floats(registers: &[u8], number: usize) -> [f32; 8] {
    let (words, _) = registers[number * GRF..(number + 1) * GRF].as_chunks();
    core::array::from_fn(|lane| f32::from_le_bytes(words[lane]))
}

const HELD: f32 = f32::from_bits(0xeeee_eeee);

fn run(world: &World, message: &Message, dst: u8, u: f32) -> Result<[f32; 8]> {
    let (send, mut registers, address) = sent(message, Some(dst), u);
    let before = registers.clone();
    let mut thread = Thread { registers: &mut registers, dispatch: 0x7f, flags: [0; 2], address };
    let done = world.device().send(&send, &mut thread, &world.memory());
    assert!(done.is_ok() || registers == before, "a send that failed wrote registers");
    done.map(|_| floats(&registers, dst.into()))
}

#[test]
fn results_are_merged_under_the_mask() {
    let world = World::new();
    let texels = [0., 1., 2., 3., 4., 5., 6., HELD];
    assert_eq!(run(&world, &sample(), 20, 0.0), Ok(texels));
    // The destination is the last register of the file.
    assert_eq!(run(&world, &sample(), 31, 0.0), Ok(texels));
    // The second surface; the destination is in front of the payload.
    let second = Message { surface: Binding::Index(1), ..sample() };
    assert_eq!(run(&world, &second, 4, 0.0), Ok([8., 9., 10., 11., 12., 13., 14., HELD]));
    let bindless = Message { surface: Binding::Bindless(5 << 12), ..second };
    assert_eq!(run(&world, &bindless, 4, 0.0), run(&world, &second, 4, 0.0));
}

/// The destination is the payload: an inactive lane keeps its coordinate.
#[test]
fn destination_and_payload_overlap() {
    let world = World::new();
    let result = run(&world, &sample(), 8, 0.0);
    assert_eq!(result, Ok([0., 1., 2., 3., 4., 5., 6., 7.5 / 8.0]));
}

/// Sampler 17, which has a border, needs a header that moves the table; as a bindless sampler, it needs a header with the handle.
#[test]
fn headers_choose_samplers() {
    let world = World::new();
    let far = Message { sampler: Binding::Index(17), ..sample() };
    let want = [4., 5., 6., 7., 99., 99., 99., HELD];
    assert_eq!(run(&world, &far, 20, 0.5), Ok(want));
    // The sampler is 16 bytes past a multiple of 32, which handles are: the base is moved.
    let mut moved = World::new();
    moved.heaps.bindless_sampler_state += 16;
    let bindless = Message { sampler: Binding::Bindless(0x100), ..sample() };
    assert_eq!(run(&moved, &bindless, 20, 0.5), Ok(want));
    // A message's header names its table from dynamic state base; the device's pointer does not move that.
    moved.heaps.sampler_table = 0x100;
    assert_eq!(run(&moved, &far, 20, 0.5), Ok(want));
    let near = Message { sampler: Binding::Index(1), ..sample() };
    assert_eq!(run(&moved, &near, 20, 0.5), Ok(want));
}

#[test]
fn predicates_and_dropped_results() {
    let world = World::new();
    let (mut send, mut registers, address) = sent(&sample(), Some(20), 0.0);
    send.execution.predicate = PredicateControl::FLAG;
    send.execution.flag = (1, 1);
    let before = registers.clone();
    let mut device = world.device();
    let mut thread =
        Thread { registers: &mut registers, dispatch: 0xff, flags: [0xffff_ffff, 0x0005_fffa], address };
    let done = device.send(&send, &mut thread, &world.memory()).unwrap();
    assert_eq!(done.message.lanes, 5);
    send.execution.flag = (0, 0);
    thread.flags = [0xffff_0004, 0xffff_ffff];
    let done = device.send(&send, &mut thread, &world.memory()).unwrap();
    assert_eq!(done.message.lanes, 4);
    assert_eq!(floats(&registers, 20), [0., HELD, 2., HELD, HELD, HELD, HELD, HELD]);
    let nothing = Message { channels: Channels::new(0), null_mask: false, ..sample() };
    let (send, mut registers, address) = sent(&nothing, None, 0.0);
    let mut thread = Thread { registers: &mut registers, dispatch: 0xff, flags: [0; 2], address };
    device.send(&send, &mut thread, &world.memory()).unwrap();
    assert!(before[20 * GRF..] == registers[20 * GRF..]);
    assert_eq!(device.executor.cached(), (2, 1), "two messages, one sampler");
    device.invalidate();
    assert_eq!(device.executor.cached(), (0, 0));
}

/// A send is lowered once, and again when its header, its descriptor or the size of the register file differs.
#[test]
fn sends_are_kept_lowered_by_what_they_were_lowered_from() {
    let world = World::new();
    let mut device = world.device();
    let far = Message { sampler: Binding::Index(17), ..sample() };
    let (send, mut registers, address) = sent(&far, Some(20), 0.5);
    let run = |device: &mut Device<'_, 2, 2>, registers: &mut [u8], address, dispatch| {
        let mut thread = Thread { registers, dispatch, flags: [0; 2], address };
        device.send(&send, &mut thread, &world.memory()).map(|done| done.message.lanes)
    };
    for dispatch in [0x7f, 0x0f] {
        registers[20 * GRF..].fill(0xee);
        assert_eq!(run(&mut device, &mut registers, address, dispatch), Ok(dispatch));
        let off = if dispatch == 0x7f { 99. } else { HELD };
        assert_eq!(floats(&registers, 20), [4., 5., 6., 7., off, off, off, HELD]);
    }
    // The header's table is that of sampler 0 now, which clamps.
    registers[8 * GRF + 12..][..4].fill(0);
    assert_eq!(run(&mut device, &mut registers, address, 0x7f), Ok(0x7f));
    assert_ne!(floats(&registers, 20)[4..7], [99.; 3]);
    // A shorter register file, without the destination.
    let missing = run(&mut device, &mut registers[..20 * GRF], address, 0x7f).unwrap_err();
    assert_eq!((missing.what(), missing.offset()), (What::Registers, Some(20 * GRF)));
    assert_eq!(run(&mut device, &mut registers, address, 0x7f), Ok(0x7f));
}

/// Memory that only reads: it hands out no slices.
struct ReadOnly<'m>(LinearMemory<'m>);

impl Memory for ReadOnly<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        self.0.read(address, out)
    }
}

/// A kept message is not executed with states that have changed in memory since it was prepared.
#[test]
fn changed_states_are_read_again() {
    let bordered = Message { sampler: Binding::Index(17), ..sample() };
    type Change<'a> = &'a dyn Fn(&mut World);
    let changes: [(&Message, Change<'_>); 7] = [
        (&sample(), &|world| world.bytes[0x40] = 0x40),
        (&sample(), &|world| world.bytes[0x100 + 32] = 0x20),
        (&sample(), &|world| world.bytes[0x100 + 8] = 3),
        (&sample(), &|world| world.bytes[0x400 + 12] = 0),
        (&bordered, &|world| world.bytes[0x800 + 2] = 0),
        (&sample(), &|world| world.heaps.binding_table = 0x44),
        (&bordered, &|world| world.heaps.dynamic_state += 16),
    ];
    for (number, (message, change)) in changes.iter().enumerate() {
        for has_slices in [true, false] {
            let mut world = World::new();
            let mut device = world.device();
            let send = |device: &mut Device<'_, 2, 2>, world: &World| {
                let (send, mut registers, address) = sent(message, Some(20), 0.5);
                let mut thread = Thread { registers: &mut registers, dispatch: 0xff, flags: [0; 2], address };
                device.heaps = world.heaps;
                if has_slices {
                    device.send(&send, &mut thread, &world.memory())?;
                } else {
                    device.send(&send, &mut thread, &ReadOnly(world.memory()))?;
                }
                Ok::<_, crate::error::Error>(floats(&registers, 20))
            };
            let before = send(&mut device, &world);
            assert_eq!(send(&mut device, &world), before);
            change(&mut world);
            let after = send(&mut device, &world);
            assert_ne!(after, before, "change {number}, slices {has_slices}");
            assert_eq!(after, send(&mut world.device(), &world), "change {number}, slices {has_slices}");
        }
    }
}

/// An error names what was missing, and nothing is written.
#[test]
fn missing_things_are_named() {
    let world = World::new();
    let missing = |world: &World, message: &Message, dst| run(world, message, dst, 0.0).unwrap_err();
    assert_eq!(missing(&world, &sample(), 32).what(), What::Registers);
    let mut far = World::new();
    far.heaps.binding_table = 0x4000;
    assert_eq!(missing(&far, &sample(), 20).what(), What::BindingEntry);
    let bindless = Message { surface: Binding::Bindless(0x80 << 12), ..sample() };
    assert_eq!(missing(&world, &bindless, 20).what(), What::SurfaceState);
    let mut far = World::new();
    far.heaps.sampler_table = 0x8000;
    let error = missing(&far, &sample(), 20);
    assert_eq!((error.what(), error.found()), (What::SamplerState, BASE + 0x8400));
    let mut far = World::new();
    far.bytes[0x400 + 17 * 16 + 10] = 0xff;
    let bordered = Message { sampler: Binding::Index(17), ..sample() };
    assert_eq!(missing(&far, &bordered, 20).what(), What::BorderColor);
    // A message that uses no sampler does not look for one.
    far.heaps.dynamic_state = 0;
    assert!(run(&far, &Message { op: Op::LdLz, ..sample() }, 20, 0.0).is_ok());
}

/// Variables of 256 bytes each.
struct Variables(Vec<[u8; 256]>);

impl crate::visa::Registers for Variables {
    fn bytes(&self, variable: u32, offset: usize, len: usize) -> Option<&[u8]> {
        self.0.get(variable as usize)?.get(offset..offset + len)
    }
    fn predicate(&self, _: u16) -> u32 {
        u32::MAX
    }
}

impl VisaThread for Variables {
    fn bytes_mut(&mut self, variable: u32, offset: usize, len: usize) -> Option<&mut [u8]> {
        self.0.get_mut(variable as usize)?.get_mut(offset..offset + len)
    }
    fn surface(&self, index: u32) -> Binding {
        Binding::Index(index - 6)
    }
}

#[test]
fn visa_instructions_on_variables() {
    let world = World::new();
    let mut variables = Variables(std::vec![[0xee; 256]; 40]);
    for lane in 0..8 {
        let u = (f32::from(lane as u8) + 0.5) / 8.0;
        variables.0[33][lane * 4..][..4].copy_from_slice(&u.to_le_bytes());
        variables.0[34][lane * 4..][..4].fill(0);
    }
    let version = crate::visa::Version::V4_1;
    let text = "sample_lz.R (M1, 8) 0x0:uw S0 T7 V0032.0 V0033.0 V0034.0";
    let mut code = [0; crate::visa::MAX_SAMPLER_BYTES];
    let length = crate::visa::assemble(text, &crate::visa::Anonymous, version, &mut code).unwrap();
    let instruction = crate::visa::SamplerInstruction::decode(&code[..length], version).unwrap();
    let done = world
        .device()
        .visa(&instruction, &crate::visa::Anonymous, 0x0f, &mut variables, &world.memory())
        .unwrap();
    assert_eq!((done.message.lanes, done.message.surface), (0x0f, Binding::Index(1)));
    assert_eq!(floats(&variables.0[32], 0), [8., 9., 10., 11., HELD, HELD, HELD, HELD]);
}

/// A TXQ.B of the sample count for lanes with handles in R2: the header of entry 3 is in memory.
#[test]
fn queries_on_a_warp() {
    use crate::state::nv::{Class, Limits, NvField, NvLayout, TextureHeader};
    use crate::txq::{Guard, Query, RZ, SchedulingControl, TxqFields};
    let mut header = TextureHeader::from_dwords(Class::Maxwell2, [0; 8]);
    header.set_layout(NvLayout::Pitch).unwrap();
    header.set(NvField::TextureType, 1).unwrap();
    let mut bytes = std::vec![0; 0x400];
    bytes[0x160..0x180].copy_from_slice(&header.to_bytes());
    let memory = LinearMemory { base: 0, bytes: &bytes };
    let pools = Pools {
        class: Class::Maxwell2,
        headers: 0x100,
        samplers: 0x200,
        constants: 0x300,
        limits: Limits::default(),
    };
    let fields = TxqFields {
        bindless: true,
        guard: Guard { predicate: 0, negate: true },
        rd: 4,
        ra: 2,
        query: Query::TEXTURE_TYPE,
        index: 0,
        mask: Channels::new(0b1001),
        nodep: false,
        unused: 0,
    };
    let run = |fields: TxqFields, registers: &mut [u8]| {
        let mut warp = Warp { registers, active: 0x7, predicates: [4, 0, 0, 0, 0, 0, 0] };
        pools.txq(fields.encode(SchedulingControl::new(0)), &mut warp, &memory)
    };
    let mut registers = std::vec![0xee; 8 * 128];
    for (lane, handle) in [(0, 3u32), (1, 0x7_ffff), (2, 3)] {
        registers[2 * 128 + lane * 4..][..4].copy_from_slice(&handle.to_le_bytes());
    }
    let outcome = run(fields, &mut registers).unwrap();
    let first = outcome.first_error.map(|(lane, error)| (lane, error.what(), error.found()));
    assert_eq!((outcome.failed, first), (2, Some((1, What::TextureHeader, 0x100 + 0x7_ffff * 32))));
    let want = header.query_texture_type().unwrap();
    assert_eq!(registers[4 * 128..][..4], want[0].to_le_bytes());
    assert_eq!(registers[5 * 128..][..4], want[3].to_le_bytes());
    assert_eq!(registers[4 * 128 + 4..][..8], [0, 0, 0, 0, 0xee, 0xee, 0xee, 0xee]);
    let missing = run(TxqFields { rd: 7, ..fields }, &mut registers).unwrap_err();
    assert_eq!((missing.what(), missing.offset()), (What::Registers, Some(7 * 128)));
    let missing = run(TxqFields { bindless: false, index: 0x40, ..fields }, &mut registers).unwrap_err();
    assert_eq!((missing.what(), missing.found()), (What::ConstantBank, 0x300 + 0x40 * 4));
    assert!(run(TxqFields { rd: RZ, ..fields }, &mut registers).is_ok());
    // The only source may be the last register; the mip level of a size query is in the one after the handle.
    assert!(run(TxqFields { ra: 7, ..fields }, &mut registers).is_ok());
    let size = TxqFields { ra: 7, query: Query::DIMENSION, ..fields };
    let missing = run(size, &mut registers).unwrap_err();
    assert_eq!((missing.what(), missing.offset()), (What::Registers, Some(8 * 128)));
    assert!(pools.sampler(crate::state::nv::Handle::join(3, 2), &memory).is_ok());
    assert!(pools.header(0x100, &memory).is_err());
}

/// The README and EMBEDDING.md say how much room a device takes.
#[test]
#[cfg(all(target_pointer_width = "64", not(any(texwire_lanes = "1", texwire_lanes = "4"))))]
fn documents_have_the_size_of_a_device() {
    let kib = size_of::<Device<'_, 16, 16>>().div_ceil(1024);
    let text = std::format!("takes {kib} KiB on a host");
    for document in [include_str!("../../../README.md"), include_str!("../../EMBEDDING.md")] {
        assert!(document.contains(&text), "{text}");
    }
}

/// Infinite derivatives of a message on a 2D surface do not reach the next message, on a 1D surface.
#[test]
fn messages_leave_nothing_to_the_next_one() {
    use crate::transfer::SurfaceDescription;
    let platform = Platform::Gen11;
    let flat =
        SurfaceState::new(&SurfaceDescription::texture_2d(SurfaceFormat::R32_FLOAT, 8, 8), platform).unwrap();
    let row =
        SurfaceState::new(&SurfaceDescription::texture_1d(SurfaceFormat::R32_FLOAT, 8), platform).unwrap();
    let sampler = (SamplerState::default(), BorderColor::default());
    let memory = LinearMemory { base: 0, bytes: &[0; 4096] };
    let lanes: Vec<u8> = (0..16u8)
        .flat_map(|at| if at < 8 { f32::from(at) * 0.5 } else { f32::from(at % 2) / 0.0 }.to_le_bytes())
        .collect();
    let payload = Payload::split([&lanes, &[]], 32, 2).unwrap();
    let lod = Message { params: 1, ..Message::new(Op::Lod) };
    let run = |executor: &mut StateExecutor<'_, 2, 2>, surface, message: &Message| {
        let mut out = [0; 128];
        executor.execute(surface, Some(&sampler), message, &payload, &memory, &mut out).unwrap();
        out
    };
    let mut used = StateExecutor::new(platform);
    run(&mut used, &flat, &Message { params: 2, ..Message::new(Op::Sample) });
    assert_eq!(run(&mut used, &row, &lod), run(&mut StateExecutor::new(platform), &row, &lod));
}

/// A message without derivatives is not anisotropic: it does not take the number of samples of an earlier message.
#[test]
fn samples_of_an_earlier_message_are_forgotten() {
    use crate::state::Filter;
    use crate::transfer::SurfaceDescription;
    let platform = Platform::Gen11;
    let format = SurfaceFormat::R32_FLOAT;
    let surface = SurfaceState::new(&SurfaceDescription::texture_2d(format, 8, 8), platform).unwrap();
    let mut sampler = SamplerState::default();
    sampler.set_min_filter(Filter::Anisotropic).set_mag_filter(Filter::Anisotropic).set_max_anisotropy(16);
    let states = (sampler, BorderColor::default());
    let bytes: Vec<u8> = (0..4096).map(|at| if at % 4 == 3 { 0x40 } else { (at * 7 % 113) as u8 }).collect();
    let memory = LinearMemory { base: 0, bytes: &bytes };
    let lanes: Vec<u8> = (0..24u8)
        .flat_map(|at| (f32::from(at * 5 % 8) * [0.3, 0.01, 0.0][usize::from(at / 8)]).to_le_bytes())
        .collect();
    let payload = Payload::split([&lanes, &[]], 32, 3).unwrap();
    let run = |executor: &mut StateExecutor<'_, 2, 2>, op| {
        let mut out = [0; 128];
        let message = Message { params: 3, ..Message::new(op) };
        executor.execute(&surface, Some(&states), &message, &payload, &memory, &mut out).unwrap();
        out
    };
    let mut used = StateExecutor::new(platform);
    run(&mut used, Op::Sample);
    assert_eq!(run(&mut used, Op::SampleL), run(&mut StateExecutor::new(platform), Op::SampleL));
}
