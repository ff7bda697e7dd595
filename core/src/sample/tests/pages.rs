//! A surface in pages gives the same results as in one piece, wherever pages begin and end.

use super::direct::Reads;
use super::paths::execute_direct;
use super::random::Random;
use super::*;
use crate::memory::{LinearMemoryMut, PageTable};
use crate::sample::lanes::LANES;
use crate::sample::{Prepared, Scratch};
use crate::transfer::Region;
use core::cell::{Cell, RefCell};

/// Memory in pages of `size` bytes. `contiguous` does not hand out every third page, and with `holes` reads of those pages fault.
#[derive(Clone, Copy)]
struct Pages<'a> {
    memory: LinearMemory<'a>,
    size: usize,
    holes: bool,
    /// `contiguous` hands out the other pages.
    contiguous: bool,
}

impl<'a> Pages<'a> {
    const fn new(memory: LinearMemory<'a>, size: usize) -> Self {
        Self { memory, size, holes: false, contiguous: true }
    }

    const fn number(&self, address: u64) -> usize {
        (address - self.memory.base) as usize / self.size
    }
}

impl Memory for Pages<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let last = address + out.len() as u64 - 1;
        match (self.number(address)..=self.number(last)).find(|number| self.holes && number % 3 == 2) {
            Some(_) => Access::Fault,
            None => self.memory.read(address, out),
        }
    }

    fn contiguous(&self, address: u64) -> Option<(u64, &[u8])> {
        let Self { memory, size, .. } = *self;
        let number = self.number(address);
        let page = memory.bytes.chunks(size).nth(number)?;
        (self.contiguous && number % 3 != 2).then_some((memory.base + (number * size) as u64, page))
    }
}

/// Memory in shuffled frames with a page table. Every fifth page has no frame: with `holes` half of those are null pages and half fault;
/// without, they are read.
struct Frames {
    base: u64,
    log2_page: u32,
    numbers: Vec<u32>,
    bytes: Vec<u8>,
    /// All bytes in the order of addresses: what `read` copies from, also for pages without a frame.
    apart: Vec<u8>,
    holes: bool,
    table: bool,
}

impl Frames {
    /// Memory in which every fifth page has no frame. With `holes` those pages are null pages or fault; else they are read.
    fn new(memory: LinearMemory<'_>, log2_page: u32, holes: bool) -> Self {
        let mut all = Self { holes, ..Self::all(memory, log2_page) };
        for (page, number) in all.numbers.iter_mut().enumerate().filter(|(page, _)| page % 5 == 4) {
            *number = [9999, u32::MAX][page & 1];
        }
        all
    }

    /// Memory in which every page has a frame.
    fn all(memory: LinearMemory<'_>, log2_page: u32) -> Self {
        let pages: Vec<&[u8]> = memory.bytes.chunks(1 << log2_page).collect();
        // A permutation of the pages: their number is a power of two, with which 7 has no common factor.
        let number = |page: usize| (page * 7 + 3) % pages.len();
        let mut bytes = vec![0xee; memory.bytes.len()];
        for (page, from) in pages.iter().enumerate() {
            bytes[number(page) << log2_page..][..from.len()].copy_from_slice(from);
        }
        let numbers = (0..pages.len()).map(|page| number(page) as u32).collect();
        let apart = memory.bytes.to_vec();
        Self { base: memory.base, log2_page, numbers, bytes, apart, holes: false, table: true }
    }
}

impl Memory for Frames {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let mut pages = (address..address + out.len() as u64).map(|at| (at - self.base) >> self.log2_page);
        match pages.find(|page| self.holes && page % 5 == 4) {
            Some(page) if page & 1 == 0 => Access::NullPage,
            Some(_) => Access::Fault,
            None => LinearMemory { base: self.base, bytes: &self.apart }.read(address, out),
        }
    }

    fn page_table(&self, address: u64, len: usize) -> Option<PageTable<'_>> {
        assert!(address >= self.base && address + len as u64 <= self.base + self.bytes.len() as u64);
        let Self { base, log2_page, .. } = *self;
        self.table.then_some(PageTable { base, log2_page, frames: &self.numbers, bytes: &self.bytes })
    }
}

#[test]
fn pages_are_the_surface() {
    use SurfaceFormat as F;
    let mut random = Random(3);
    let mut whole_messages = 0;
    let bytes: Vec<u8> = (0..1 << 15).map(|_| random.below(256) as u8 & 0x3f).collect();
    // The surface begins inside of this memory, 1024 bytes after its start.
    let whole = LinearMemory { base: BASE - 1024, bytes: &bytes };
    let formats = [
        (F::R8_UNORM, TileMode::Linear),
        (F::R16_UNORM, TileMode::Linear),
        (F::R8G8B8_UNORM, TileMode::Linear),
        (F::R8G8B8_UNORM, TileMode::XMajor),
        (F::R8G8B8A8_UNORM, TileMode::Linear),
        (F::R16G16B16_UNORM, TileMode::YMajor),
        (F::R16G16B16A16_UNORM, TileMode::Linear),
        (F::R32G32B32_FLOAT, TileMode::Linear),
        (F::R32G32B32_FLOAT, TileMode::YMajor),
        (F::R32G32B32A32_FLOAT, TileMode::Linear),
    ];
    for (format, tile) in formats {
        let mut holes = 0;
        for (op, size) in [Op::SampleLz, Op::Gather4, Op::SampleMin]
            .iter()
            .flat_map(|op| [64, 100, 256, 1536, 4096].map(|size| (*op, size)))
        {
            let mut state = surface(SurfaceType::D2, format, [16, 16, 1]);
            state.set_tile_mode(tile);
            if tile != TileMode::Linear {
                state.set_pitch(512).unwrap();
            }
            let texture = Texture::bind(&state, Platform::Gen11).unwrap();
            let mut sampler = linear();
            sampler.set_address_modes([random.pick(&[AddressMode::Wrap, AddressMode::ClampBorder]); 3]);
            let sampler = bind(&sampler);
            let params: Vec<Vec<u8>> = (0..2)
                .map(|_| {
                    (0..16).flat_map(|_| (random.below(80) as f32 / 32.0 - 0.75).to_le_bytes()).collect()
                })
                .collect();
            let message = Message { lanes: 0xdfff, params: 2, simd: 16, ..Message::new(op) };
            let mut payload = Payload::new();
            params.iter().for_each(|lanes| payload.push(lanes).unwrap());
            let (mut one, mut other) = ([0; 256], [0; 256]);
            let expected = texture.execute(&message, &payload, &sampler, &whole, &mut one).unwrap();
            let pages = Pages::new(whole, size);
            let found = texture.execute(&message, &payload, &sampler, &pages, &mut other).unwrap();
            assert_eq!((one, expected), (other, found), "{format:?} {op:?} pages of {size}");
            assert_eq!(found.faults, 0, "{format:?}");
            // With holes, handing out the other pages changes no result.
            let [handed_out, read] = [true, false].map(|contiguous| {
                let (pages, mut out) = (Pages { holes: true, contiguous, ..pages }, [0; 256]);
                (texture.execute(&message, &payload, &sampler, &pages, &mut out).unwrap(), out)
            });
            assert_eq!(handed_out, read, "{format:?} {op:?} pages of {size} with holes");
            if !size.is_power_of_two() {
                continue;
            }
            let log2_page = size.trailing_zeros();
            let frames = Frames::new(whole, log2_page, false);
            other = [0; 256];
            let found = texture.execute(&message, &payload, &sampler, &frames, &mut other).unwrap();
            assert_eq!((one, expected), (other, found), "{format:?} {op:?} frames of {size}");
            // With holes, the page table gives the same results as reads.
            let mut frames = Frames { holes: true, ..frames };
            let [with, without] = [true, false].map(|table| {
                frames.table = table;
                let mut out = [0; 256];
                (texture.execute(&message, &payload, &sampler, &frames, &mut out).unwrap(), out)
            });
            assert_eq!(with, without, "{format:?} {op:?} frames of {size} with holes");
            holes += u32::from(with.0.faults | with.0.null_lanes != 0);
            whole_messages += u32::from(with.0.faults | with.0.null_lanes == 0);
        }
        assert!(holes > 0, "{format:?} {tile:?}");
    }
    assert!(whole_messages > 10, "{whole_messages}");
}

/// Footprints of three-component elements, whose rows lie in one run of a tile or in two, have the same results in every kind of memory.
/// Runs may begin anywhere in pages.
#[test]
fn footprints_in_two_runs_are_those_of_every_memory() {
    use SurfaceFormat as F;
    let mut random = Random(31);
    let bytes: Vec<u8> = (0..1 << 15).map(|_| random.below(256) as u8).collect();
    let formats = [F::R8G8B8_UNORM, F::R16G16B16_UNORM, F::R32G32B32_FLOAT];
    let cases = formats.into_iter().flat_map(|format| [1024, 1020, 1012].map(|before| (format, before)));
    for (stages, (format, before)) in
        vectors::all().iter().flat_map(|stages| cases.clone().map(move |case| (stages, case)))
    {
        for tile in [TileMode::XMajor, TileMode::YMajor] {
            let whole = LinearMemory { base: BASE - before, bytes: &bytes };
            let mut state = surface(SurfaceType::D2, format, [64, 16, 1]);
            state.set_tile_mode(tile).set_pitch(1024).unwrap();
            let texture = Texture::bind(&state, Platform::Gen11).unwrap();
            for op in [Op::SampleLz, Op::Gather4] {
                let message = Message { params: 2, simd: 16, lanes: 0xffff, ..Message::new(op) };
                let sampler = bind(&linear());
                let prepared = Prepared::with_stages(&texture, &sampler, &message, stages).unwrap();
                let params: [Vec<u8>; 2] = core::array::from_fn(|_| {
                    (0..16).flat_map(|_| (random.below(900) as f32 / 1024.0 + 0.05).to_le_bytes()).collect()
                });
                let mut payload = Payload::new();
                params.iter().for_each(|lanes| payload.push(lanes).unwrap());
                let mut want = [0; 256];
                let reads = Reads(whole, RefCell::default());
                texture.execute(&message, &payload, &sampler, &reads, &mut want).unwrap();
                let frames = Frames::all(whole, 6);
                for memory in [&whole as &dyn Memory, &frames, &Pages::new(whole, 1024)] {
                    let mut out = [0; 256];
                    prepared.execute(&mut Scratch::new(), u32::MAX, &payload, memory, &mut out).unwrap();
                    assert_eq!(out, want, "{format:?} {tile:?} {op:?} {before}");
                }
            }
        }
    }
}

/// If the lanes of a message are on one page or two, `contiguous` is called once for each page.
#[test]
fn pages_are_asked_for_once() {
    struct Counted<'a>(Pages<'a>, Cell<u32>);
    impl Memory for Counted<'_> {
        fn read(&self, address: u64, out: &mut [u8]) -> Access {
            self.0.read(address, out)
        }
        fn contiguous(&self, address: u64) -> Option<(u64, &[u8])> {
            self.1.set(self.1.get() + 1);
            self.0.contiguous(address)
        }
    }
    if LANES < 16 {
        return;
    }
    let bytes = vec![0x3f; 1 << 10];
    // Pages of four rows each.
    let pages = Pages::new(LinearMemory { base: BASE, bytes: &bytes }, 256);
    let memory = Counted(pages, Cell::new(0));
    let texture = Texture::bind(&surface(SurfaceType::D2, R32, [8, 8, 1]), Platform::Gen11).unwrap();
    let asked = |op, rows: [u32; 2]| {
        let message = Message { params: 2, simd: 16, ..Message::new(op) };
        let prepared = Prepared::new(&texture, &bind(&linear()), &message).unwrap();
        let place = |lane: u32, axis: usize| {
            let texel = [lane % 4, rows[lane as usize / 8]][axis];
            if op == Op::LdLz { texel } else { (texel as f32 / 8.0 + 0.1).to_bits() }
        };
        let lanes = [0, 1].map(|axis| (0..16).flat_map(|lane| place(lane, axis).to_le_bytes()).collect());
        let [u, v]: [Vec<u8>; 2] = lanes;
        let payload = Payload::split([&u, &v], 64, 2).unwrap();
        memory.1.set(0);
        assert!(execute_direct(&prepared, &mut Scratch::new(), &payload, &memory, None).is_some());
        memory.1.get()
    };
    assert_eq!([[0, 1], [0, 3], [0, 4]].map(|rows| asked(Op::LdLz, rows)), [1, 1, 2]);
    assert_eq!([[0, 1], [2, 3], [1, 6]].map(|rows| asked(Op::SampleLz, rows)), [1, 2, 2]);
}

/// Elements of three components are read from the addresses that `Plane` gives, in every tile mode and kind of memory, also with a pitch
/// that is not a whole number of tiles.
#[test]
fn three_component_elements_load_in_every_tiling() {
    use SurfaceFormat as F;
    let mut random = Random(8);
    let bytes: Vec<u8> = (0..1 << 16).map(|_| random.below(256) as u8).collect();
    let whole = LinearMemory { base: BASE, bytes: &bytes };
    let message = Message { params: 2, simd: 16, lanes: 0xffff, ..Message::new(Op::LdLz) };
    for (format, unit) in [(F::R8G8B8_UINT, 1), (F::R16G16B16_UINT, 2), (F::R32G32B32_UINT, 4)] {
        let tiles = [TileMode::Linear, TileMode::XMajor, TileMode::YMajor];
        for (tile, pitch) in tiles.into_iter().flat_map(|tile| [(tile, 1536), (tile, 1524)]) {
            let mut state = surface(SurfaceType::D2, format, [100, 11, 1]);
            state.set_tile_mode(tile).set_pitch(pitch).unwrap();
            let texture = Texture::bind(&state, Platform::Gen11).unwrap();
            let plane = *state.layout(Platform::Gen11).unwrap().surface();
            let (frames, pages) = (Frames::new(whole, 10, false), Pages::new(whole, 1000));
            for memory in [&whole as &dyn Memory, &frames, &pages] {
                for (x, y) in (0..11).flat_map(|y| (0..96).step_by(16).map(move |x| (x, y))) {
                    let lanes = |of: &dyn Fn(u32) -> u32| -> Vec<u8> {
                        (0..16).flat_map(|lane| of(lane).to_le_bytes()).collect()
                    };
                    let (u, v) = (lanes(&|lane| x + lane), lanes(&|_| y));
                    let mut payload = Payload::new();
                    payload.push(&u).unwrap();
                    payload.push(&v).unwrap();
                    let mut out = [0; 256];
                    texture.execute(&message, &payload, &Sampler::none(), memory, &mut out).unwrap();
                    for (lane, channel) in (0..16).flat_map(|lane| [0, 1, 2].map(|channel| (lane, channel))) {
                        let mut element = [0; 12];
                        plane.read(&whole, x + lane, y, &mut element[..3 * unit]);
                        let mut want = [0; 4];
                        want[..unit].copy_from_slice(&element[channel * unit..][..unit]);
                        let found = &out[channel * 64 + lane as usize * 4..][..4];
                        assert_eq!(found, want, "{format:?} {tile:?} {pitch} ({x}, {y}) lane {lane}");
                    }
                }
            }
        }
    }
}

/// Elements of three or four 64-bit floats, which tiles split into thirds or halves, load the values that were uploaded, in every kind of
/// memory.
#[test]
fn doubles_in_tiles_are_whole() {
    for (format, channels) in
        [(SurfaceFormat::R64G64B64_FLOAT, 3_u32), (SurfaceFormat::R64G64B64A64_FLOAT, 4)]
    {
        let values: Vec<f64> = (0..channels * 16 * 8).map(|at| f64::from(at) * 0.25 - 40.0).collect();
        let rows: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        // A pitch of 528 bytes is a multiple of half a 32-byte element, but not of the whole element.
        let tiles = [TileMode::Linear, TileMode::Linear, TileMode::XMajor, TileMode::YMajor];
        for (tile, pitch) in tiles.into_iter().zip([528, 512, 512, 512]) {
            let mut state = surface(SurfaceType::D2, format, [16, 8, 1]);
            state.set_tile_mode(tile).set_pitch(pitch).unwrap();
            let (layout, mut bytes) = (state.layout(Platform::Gen11).unwrap(), vec![0; 1 << 14]);
            let mut memory = LinearMemoryMut { base: BASE, bytes: &mut bytes };
            layout
                .upload(&Region::level(&layout, 0, 0), &rows, 16 * channels as usize * 8, &mut memory)
                .unwrap();
            let whole = LinearMemory { base: BASE, bytes: &bytes };
            let (frames, pages) = (Frames::new(whole, 10, false), Pages::new(whole, 1000));
            for (x, y) in (0..16).flat_map(|x| (0..8).map(move |y| (x, y))) {
                let at = ((y * 16 + x) * channels) as usize;
                let mut want = [1_f32.to_bits(); 4];
                for (want, value) in want.iter_mut().zip(&values[at..at + channels as usize]) {
                    *want = (*value as f32).to_bits();
                }
                for memory in [&whole as &dyn Memory, &frames, &pages] {
                    let message = Message { params: 2, ..Message::new(Op::LdLz) };
                    let found = run_from(&state, &Sampler::none(), memory, &message, &[x, y]);
                    assert_eq!(found, want, "{format:?} {tile:?} {pitch} ({x}, {y})");
                }
            }
        }
    }
}

/// Footprints across the edges of a cube in tiles have the same texels with three-component elements, which tiles split, as with
/// four-component elements, which are whole.
#[test]
fn cubes_in_thirds_cross_their_edges() {
    let mut random = Random(4);
    let [three, four] = [SurfaceFormat::R32G32B32_FLOAT, SurfaceFormat::R32G32B32A32_FLOAT].map(|format| {
        let mut state = surface(SurfaceType::Cube, format, [4, 4, 1]);
        state.set_tile_mode(TileMode::YMajor).set_pitch(128).unwrap();
        state.set_cube_faces(0x3f);
        state
    });
    let texel = |slice: u32, at: usize, channel: usize| (slice * 100 + at as u32 * 4) as f32 + channel as f32;
    let upload = |state: &SurfaceState, channels: usize| {
        let (layout, mut bytes) = (state.layout(Platform::Gen11).unwrap(), vec![0; 1 << 15]);
        for slice in 0..6 {
            let texels = (0..16).flat_map(|at| (0..channels).map(move |channel| (at, channel)));
            let rows: Vec<u8> =
                texels.flat_map(|(at, channel)| texel(slice, at, channel).to_le_bytes()).collect();
            let region = Region::level(&layout, 0, slice);
            let (row, _) = region.rows(&layout).unwrap();
            let mut memory = LinearMemoryMut { base: BASE, bytes: &mut bytes };
            layout.upload(&region, &rows, row, &mut memory).unwrap();
        }
        bytes
    };
    let (of_three, of_four) = (upload(&three, 3), upload(&four, 4));
    let mut sampler = linear();
    sampler.set_address_modes([AddressMode::Cube; 3]);
    let sampler = bind(&sampler);
    for _ in 0..200 {
        let at: [u32; 3] = core::array::from_fn(|_| (random.below(2001) as f32 / 1000.0 - 1.0).to_bits());
        let found = run(&three, &sampler, &of_three, Op::SampleLz, &at);
        let want = run(&four, &sampler, &of_four, Op::SampleLz, &at);
        assert_eq!(found[..3], want[..3], "{at:x?}");
    }
}

#[test]
fn tables_that_do_not_fit_are_not_used() {
    let bytes: Vec<u8> = (0..1 << 12).map(|at| at as u8 & 0x3f).collect();
    let whole = LinearMemory { base: BASE, bytes: &bytes };
    let texture = Texture::bind(&surface(SurfaceType::D2, R32, [16, 16, 1]), Platform::Gen11).unwrap();
    let message = Message { params: 0, simd: 16, ..Message::new(Op::LdLz) };
    let run = |memory: &dyn Memory| {
        let mut out = [0; 256];
        (texture.execute(&message, &Payload::new(), &Sampler::none(), memory, &mut out).unwrap(), out)
    };
    struct TableMemory<'a>(LinearMemory<'a>, PageTable<'a>);
    impl Memory for TableMemory<'_> {
        fn read(&self, address: u64, out: &mut [u8]) -> Access {
            self.0.read(address, out)
        }
        fn page_table(&self, _: u64, _: usize) -> Option<PageTable<'_>> {
            Some(self.1)
        }
    }
    let fits = PageTable { base: BASE, log2_page: 12, frames: &[0], bytes: &bytes };
    for table in [
        fits,
        PageTable { frames: &[], ..fits },
        PageTable { bytes: &[], ..fits },
        PageTable { bytes: &bytes[..3], ..fits },
        PageTable { base: BASE + 4, ..fits },
        PageTable { base: BASE - 2, ..fits },
        PageTable { base: 0, ..fits },
        PageTable { log2_page: 0, ..fits },
        PageTable { log2_page: 1, ..fits },
        PageTable { log2_page: 33, ..fits },
        PageTable { log2_page: 34, ..fits },
        PageTable { log2_page: 64, ..fits },
        PageTable { log2_page: u32::MAX, ..fits },
        PageTable { frames: &[u32::MAX], log2_page: 33, ..fits },
    ] {
        assert_eq!(run(&TableMemory(whole, table)), run(&whole), "{} {}", table.base, table.log2_page);
    }
}

/// Memory behind a page table of any shape: addresses without a frame fault. With `handed_out` the table is handed out.
struct Table<'a> {
    table: PageTable<'a>,
    handed_out: bool,
}

impl Memory for Table<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let PageTable { base, log2_page, frames, bytes } = self.table;
        for (at, out) in (address..).zip(out) {
            let Some(inside) = at.checked_sub(base) else { return Access::Fault };
            let frame =
                frames.get((inside >> log2_page) as usize).map_or(usize::MAX, |frame| *frame as usize);
            let start = frame.saturating_mul(1 << log2_page);
            let page = bytes.get(start..).and_then(|bytes| bytes.get(..1 << log2_page));
            let Some(page) = page else { return Access::Fault };
            *out = page[(inside & ((1 << log2_page) - 1)) as usize];
        }
        Access::Mapped
    }

    fn page_table(&self, _: u64, _: usize) -> Option<PageTable<'_>> {
        self.handed_out.then_some(self.table)
    }
}

#[test]
fn any_table_is_what_reads_find() {
    use SurfaceFormat as F;
    let mut random = Random(12);
    let bytes: Vec<u8> = (0..1 << 13).map(|_| random.below(256) as u8 & 0x3f).collect();
    let formats = [F::R8_UNORM, F::R16G16B16_UNORM, R32, F::R32G32B32_FLOAT, F::R32G32B32A32_FLOAT];
    let (mut whole, mut partly) = (0, 0);
    for round in 0..1500 {
        let log2_page = random.below(13) as u32;
        let len = random.below(bytes.len() as u64 + 1) as usize;
        let frame_count = (len >> log2_page) as u64;
        // The table begins `before` bytes before the surface, which begins anywhere in a page; half of the tables have all pages of the
        // surface.
        let before = random.below(4) * (1 << log2_page) + random.below(1 << log2_page) / 48 * 48;
        let complete = random.below(2) == 0 && frame_count > 0;
        let pages =
            if complete { ((before + 4096) >> log2_page) + 1 } else { random.below(4096 >> log2_page) };
        let frames: Vec<u32> = (0..pages)
            .map(|_| match random.below(40) {
                0 if !complete => u32::MAX,
                _ => random.below(frame_count + u64::from(!complete)) as u32,
            })
            .collect();
        let table = PageTable { base: BASE - before, log2_page, frames: &frames, bytes: &bytes[..len] };
        let state = surface(SurfaceType::D2, random.pick(&formats), [4, 16, 1]);
        let texture = Texture::bind(&state, Platform::Gen11).unwrap();
        let message = Message {
            params: 2,
            simd: 16,
            lanes: 0xffff,
            ..Message::new(random.pick(&[Op::SampleLz, Op::LdLz]))
        };
        let params: Vec<Vec<u8>> = [4, 16]
            .map(|size| {
                let lane = |at: u64| {
                    if message.op == Op::LdLz { at as u32 } else { (at as f32 / size as f32).to_bits() }
                };
                (0..16).flat_map(|_| lane(random.below(size)).to_le_bytes()).collect()
            })
            .into();
        let mut payload = Payload::new();
        params.iter().for_each(|lanes| payload.push(lanes).unwrap());
        let [with, without] = [true, false].map(|handed_out| {
            let mut out = [0; 256];
            let memory = Table { table, handed_out };
            (texture.execute(&message, &payload, &bind(&linear()), &memory, &mut out).unwrap(), out)
        });
        assert_eq!(with, without, "{round}: {:?} pages of 2^{log2_page}, {before} before", state.format());
        if with.0.faults == 0 { whole += 1 } else { partly += 1 }
    }
    assert!(whole > 200 && partly > 200, "{whole} {partly}");
}
