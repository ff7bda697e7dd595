//! Properties of the device, of uploads and downloads, and of the C interface.

use crate::generators::gen_native;
use arbitrary::{Result, Unstructured};
use texwire::Platform;
use texwire::device::{Device, Heaps, Thread};
use texwire::eu::payload::build;
use texwire::eu::{ExecutionControl, SendInstruction};
use texwire::format;
use texwire::memory::{Access, LinearMemory, LinearMemoryMut, Memory};
use texwire::message::Payload;
use texwire::state::{SurfaceState, SurfaceType, TileMode, TiledResource};
use texwire::transfer::{Region, SurfaceDescription};

/// The size of the heap in bytes, and the address of its first byte.
const HEAP: usize = 1 << 14;
const BASE: u64 = 0x4_0000;

/// A heap with pages that are mapped, null or missing.
struct PagedHeap {
    bytes: Vec<u8>,
    pages: [Access; HEAP / 4096],
    /// Hands out slices of mapped pages.
    has_slices: bool,
}

impl Memory for PagedHeap {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let memory = LinearMemory { base: BASE, bytes: &self.bytes };
        match memory.read(address, out) {
            Access::Mapped => self.pages[((address - BASE) / 4096) as usize],
            access => access,
        }
    }

    fn slice(&self, address: u64, size: usize) -> Option<&[u8]> {
        let at = usize::try_from(address.checked_sub(BASE)?).ok()?;
        let bytes = self.bytes.get(at..at.checked_add(size)?)?;
        let pages = self.pages.get(at / 4096..(at + size).div_ceil(4096))?;
        (self.has_slices && pages.iter().all(|page| *page == Access::Mapped)).then_some(bytes)
    }
}

/// Generates descriptions of surfaces, some of which are impossible.
fn description(u: &mut Unstructured<'_>) -> Result<SurfaceDescription> {
    let formats: Vec<_> =
        (0..0x400).map(texwire::enums::SurfaceFormat).filter(|code| format::info(*code).is_some()).collect();
    let kind = *u.choose(&[
        SurfaceType::D1,
        SurfaceType::D2,
        SurfaceType::D2,
        SurfaceType::D3,
        SurfaceType::Cube,
        SurfaceType::Buffer,
    ])?;
    let width = u.int_in_range(1..=70)?;
    let flat = matches!(kind, SurfaceType::D1 | SurfaceType::Buffer);
    Ok(SurfaceDescription {
        surface_type: kind,
        format: *u.choose(&formats)?,
        width,
        height: if flat {
            1
        } else if kind == SurfaceType::Cube {
            width
        } else {
            u.int_in_range(1..=70)?
        },
        depth: if kind == SurfaceType::Buffer { 1 } else { u.int_in_range(1..=5)? },
        levels: u.int_in_range(1..=4)?,
        samples: if u.ratio(1, 4)? { 4 } else { 1 },
        tile_mode: *u.choose(&[TileMode::Linear, TileMode::XMajor, TileMode::YMajor, TileMode::WMajor])?,
        tiled_resource: *u.choose(&[
            TiledResource::None,
            TiledResource::None,
            TiledResource::Yf,
            TiledResource::Ys,
        ])?,
        base_address: BASE + if u.ratio(1, 16)? { u.arbitrary::<u16>()?.into() } else { 0 },
    })
}

/// Generates a send: one that a compiler could emit, or random bits. `None`: the bits are not a send, or the message cannot be encoded.
fn send(
    u: &mut Unstructured<'_>,
    platform: Platform,
    registers: &mut [u8],
) -> Result<Option<SendInstruction>> {
    if u.ratio(1, 8)? {
        return Ok(SendInstruction::decode(platform, gen_native::word(u, platform)?).ok().flatten());
    }
    let mut sent = gen_native::sent(u)?;
    // Mostly entries that the tables have.
    if u.ratio(7, 8)? {
        sent.message.surface = texwire::message::Binding::Index(u.int_in_range(0..=7)?);
        sent.message.sampler = texwire::message::Binding::Index(u.int_in_range(0..=7)?);
    }
    let mut payload = Payload::new();
    let lanes = usize::from(sent.message.simd) * sent.message.param_width.bytes();
    for param in sent.params.chunks(lanes.max(1)) {
        if payload.push(param).is_err() {
            return Ok(None);
        }
    }
    let (first, dst) = (u.int_in_range(0..=120u8)?, u.int_in_range(0..=127u8)?);
    let Some(place) = registers.get_mut(usize::from(first) * 32..) else { return Ok(None) };
    let Ok(wire) = build(&sent.message, &payload, 0, place) else { return Ok(None) };
    let execution = ExecutionControl { size: sent.message.simd, ..ExecutionControl::default() };
    Ok(Some(wire.send(platform, execution, Some(dst), first, None)))
}

/// Fuzz target `device_heaps`: a device executes or refuses any send for any heaps, registers and memory; the states that it caches do not
/// change results; a send that fails writes nothing.
pub fn heaps(data: &[u8]) {
    let _ = try_heaps(&mut Unstructured::new(data));
}

const PAGES: [Access; 4] = [Access::Mapped, Access::Mapped, Access::NullPage, Access::Fault];

/// Changes a binding table entry, a state, a page or a table's address, as a driver does between two messages.
fn change(u: &mut Unstructured<'_>, heap: &mut PagedHeap, heaps: &mut Heaps) -> Result<()> {
    let mut copy = |at: usize, size: usize, u: &mut Unstructured<'_>| -> Result<()> {
        let (from, to) = (u.int_in_range(0..=7)? * size + at, u.int_in_range(0..=7)? * size + at);
        heap.bytes.copy_within(from..from + size, to);
        Ok(())
    };
    match u.int_in_range(0..=5)? {
        0 => copy(0, 4, u)?,
        1 => copy(0x400, 64, u)?,
        2 => copy(0xc00, 16, u)?,
        3 => heap.bytes[u.int_in_range(0..=0xfff)?] = u.arbitrary()?,
        4 => *u.choose_iter(&mut heap.pages)? = *u.choose(&PAGES)?,
        _ => {
            heaps.binding_table = u.int_in_range(0..=3)? * 4;
            heaps.sampler_table = 0xc00 + u.int_in_range(0..=3)? * 16;
        }
    }
    Ok(())
}

/// Generates a heap: binding table at 0, surface states from 0x400, sampler states from 0xc00, texels from 0x1000.
fn paged_heap(u: &mut Unstructured<'_>, platform: Platform) -> Result<PagedHeap> {
    let pages = [Access::Mapped; HEAP / 4096];
    let mut heap = PagedHeap { bytes: vec![0; HEAP], pages, has_slices: u.arbitrary()? };
    for index in 0..8usize {
        heap.bytes[index * 4..][..4].copy_from_slice(&(0x400 + index as u32 * 64).to_le_bytes());
        let mut made = description(u)?;
        made.base_address = BASE + 0x1000;
        let state = match SurfaceState::new(&made, platform) {
            Ok(state) if u.ratio(7, 8)? => state.to_bytes(),
            _ => u.arbitrary()?,
        };
        heap.bytes[0x400 + index * 64..][..64].copy_from_slice(&state);
        let mut sampler: [u8; 16] = u.arbitrary()?;
        if u.ratio(3, 4)? {
            // Puts the border colour among the states.
            (sampler[9], sampler[10]) = (sampler[9] & 0x0f, 0);
        }
        heap.bytes[0xc00 + index * 16..][..16].copy_from_slice(&sampler);
    }
    for page in &mut heap.pages[1..] {
        *page = *u.choose(&PAGES)?;
    }
    Ok(heap)
}

/// Generates the addresses of heaps and tables: mostly those of [`paged_heap`].
fn heap_addresses(u: &mut Unstructured<'_>) -> Result<Heaps> {
    Ok(Heaps {
        surface_state: BASE,
        dynamic_state: BASE,
        bindless_surface_state: BASE,
        bindless_sampler_state: BASE,
        binding_table: if u.ratio(1, 16)? { u.arbitrary()? } else { 0 },
        sampler_table: if u.ratio(1, 16)? { u.arbitrary()? } else { 0xc00 },
    })
}

/// Generates the next send of a thread: one of `sends` again, with the registers as they are or another payload byte, or a new one,
/// which is added to `sends`. `None` as of [`send`].
fn next_send(
    u: &mut Unstructured<'_>,
    platform: Platform,
    sends: &mut Vec<SendInstruction>,
    registers: &mut [u8],
) -> Result<Option<SendInstruction>> {
    if !sends.is_empty() && u.ratio(1, 2)? {
        let again = *u.choose(sends)?;
        if u.ratio(1, 2)? {
            let at = usize::from(again.src0.number) * 32 + u.int_in_range(0..=31usize)?;
            registers.get_mut(at).map_or(Ok(()), |byte| u.arbitrary().map(|any| *byte = any))?;
        }
        return Ok(Some(again));
    }
    let new = send(u, platform, registers)?;
    sends.extend(new);
    Ok(new)
}

fn try_heaps(u: &mut Unstructured<'_>) -> Result<()> {
    let platform = *u.choose(&[Platform::Gen9, Platform::Gen11, Platform::XeLp, Platform::XeHpg])?;
    let mut heap = paged_heap(u, platform)?;
    let mut heaps = heap_addresses(u)?;
    let mut kept = Device::<2, 2>::new(platform, heaps);
    let mut file = vec![0xa5; if u.ratio(1, 16)? { 1000 } else { 4096 }];
    let mut sends: Vec<SendInstruction> = Vec::new();
    for _ in 0..8 {
        let Some(send) = next_send(u, platform, &mut sends, &mut file)? else { continue };
        if u.ratio(1, 32)? {
            file.truncate(1000);
        }
        if u.ratio(1, 3)? {
            change(u, &mut heap, &mut heaps)?;
            kept.heaps = heaps;
        }
        let address = [0, 0, u.arbitrary()?, 0, 0, 0, 0, u.arbitrary()?];
        let (dispatch, flags) = (u.arbitrary()?, u.arbitrary()?);
        let run = |device: &mut Device<'_, 2, 2>, file: &[u8]| {
            let mut registers = file.to_vec();
            let mut thread = Thread { registers: &mut registers, dispatch, flags, address };
            let done = device.send(&send, &mut thread, &heap);
            assert!(done.is_ok() || registers == file, "an error wrote registers: {send}");
            (done, registers)
        };
        let (done, registers) = run(&mut kept, &file);
        let fresh = run(&mut Device::new(platform, heaps), &file);
        assert_eq!((&done, &registers), (&fresh.0, &fresh.1), "a kept state changed the result: {send}");
        file = registers;
    }
    Ok(())
}

/// Fuzz target `transfer`: a description is refused or gives a legal state; a download returns what was uploaded, nothing else changes, and
/// uploading what was downloaded changes nothing.
pub fn transfer(data: &[u8]) {
    let _ = try_transfer(&mut Unstructured::new(data));
}

fn try_transfer(u: &mut Unstructured<'_>) -> Result<()> {
    let platform = *u.choose(&[Platform::Gen9, Platform::Gen11])?;
    let made = description(u)?;
    let Ok(state) = SurfaceState::new(&made, platform) else { return Ok(()) };
    let broken = state.validate(platform);
    assert!(broken.is_empty(), "{made:?}: {broken:?}");
    let layout = state.layout(platform).expect("a layout");
    let size = state.required_size(platform).expect("a size") as usize;
    if size > 1 << 22 {
        return Ok(());
    }
    let level = u.int_in_range(0..=layout.levels() - 1)?;
    let slice = u.int_in_range(0..=layout.level(level).depth - 1)?;
    let mut region = Region::level(&layout, level, slice);
    region.sample = u.int_in_range(0..=layout.samples() - 1)?;
    let (bw, bh) = (u32::from(layout.element().block_width), u32::from(layout.element().block_height));
    (region.x, region.y) =
        (u.int_in_range(0..=region.width - 1)? / bw * bw, u.int_in_range(0..=region.height - 1)? / bh * bh);
    (region.width, region.height) = (region.width - region.x, region.height - region.y);
    let (row, count) = region.rows(&layout).expect("rows");
    let pitch = row + usize::from(u.arbitrary::<u8>()?);
    let seed: u8 = u.arbitrary()?;
    let rows: Vec<u8> = (0..pitch * count).map(|at| (at as u8).wrapping_mul(37) ^ seed).collect();
    let before: Vec<u8> = (0..size).map(|at| (at >> 3) as u8).collect();
    let mut bytes = before.clone();
    let base = state.base_address();
    layout
        .upload(&region, &rows, pitch, &mut LinearMemoryMut { base, bytes: &mut bytes })
        .expect("an upload");
    let mut back = rows.clone();
    for row_bytes in back.chunks_mut(pitch) {
        row_bytes[..row].fill(0);
    }
    layout.download(&region, &LinearMemory { base, bytes: &bytes }, &mut back, pitch).expect("a download");
    assert!(back == rows, "{made:?} {region:?}");
    let changed = before.iter().zip(&bytes).filter(|(before, after)| before != after).count();
    assert!(changed <= row * count, "{made:?} {region:?}: {changed} bytes changed");
    // An element is where the layout says.
    let (x, y) = (
        u.int_in_range(region.x..=region.x + region.width - 1)?,
        u.int_in_range(region.y..=region.y + region.height - 1)?,
    );
    let (ex, ey, plane) = layout.sample(x / bw, y / bh, region.slice, region.sample);
    let mut element = vec![0; layout.element().bytes.into()];
    let memory = LinearMemory { base, bytes: &bytes };
    assert_eq!(layout.plane(level, plane).read(&memory, ex, ey, &mut element), Access::Mapped);
    let at = ((y - region.y) / bh) as usize * pitch + ((x - region.x) / bw) as usize * element.len();
    assert_eq!(element, rows[at..at + element.len()], "{made:?} {region:?} ({x}, {y})");
    let again = bytes.clone();
    layout
        .upload(&region, &back, pitch, &mut LinearMemoryMut { base, bytes: &mut bytes })
        .expect("an upload");
    assert!(again == bytes, "{made:?} {region:?}");
    Ok(())
}

/// Fuzz target `capi_hostile`: the C interface returns errors for arguments that are null, misaligned, too short or invalid.
pub fn capi_hostile(data: &[u8]) {
    texwire_capi::hostile::hostile(data);
}

/// Returns the first choices of an input, in words.
pub(super) fn words(data: &[u8]) -> String {
    format!("{:?}\n", description(&mut Unstructured::new(data)))
}
