use super::Region;
use crate::Platform;
use crate::enums::SurfaceFormat;
use crate::error::{Kind, What};
use crate::memory::{Access, Element, Layout, LinearMemory, LinearMemoryMut, Memory, MemoryMut};
use crate::state::{SurfaceState, SurfaceType, TileMode, TiledResource};
use std::collections::BTreeMap;
use std::vec;
use std::vec::Vec;

const BASE: u64 = 0x1_0000;

/// Memory in pages of 4 KiB that supports `read` and `write` alone; an empty page is a null page.
#[derive(Default)]
struct Pages(BTreeMap<u64, Vec<u8>>);

impl Memory for Pages {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let (page, offset) = (address / 4096, (address % 4096) as usize);
        match self.0.get(&page) {
            Some(page) if page.is_empty() => Access::NullPage,
            Some(page) => {
                out.copy_from_slice(&page[offset..offset + out.len()]);
                Access::Mapped
            }
            None => Access::Fault,
        }
    }
}

impl MemoryMut for Pages {
    fn write(&mut self, address: u64, bytes: &[u8]) -> Access {
        let (page, offset) = (address / 4096, (address % 4096) as usize);
        match self.0.get_mut(&page) {
            Some(page) if page.is_empty() => Access::NullPage,
            Some(page) => {
                page[offset..offset + bytes.len()].copy_from_slice(bytes);
                Access::Mapped
            }
            None => Access::Fault,
        }
    }
}

fn surface(kind: SurfaceType, tiling: TileMode, size: [u32; 3], element: Element) -> (Layout, usize) {
    let mut state = SurfaceState::plain(kind, SurfaceFormat::R8_UINT, size).unwrap();
    state.set_tile_mode(tiling).set_base_address(BASE);
    if kind != SurfaceType::Buffer {
        state.set_mip_count(size[0].max(size[1]).ilog2() + 1).unwrap();
    }
    let bytes = state.fit(element, Platform::Gen11).unwrap();
    (Layout::new(&state, element, Platform::Gen11).unwrap(), bytes as usize)
}

fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..length).map(|_| next()).collect()
}

/// An upload puts every element of every mip level and slice where `Plane` says and changes nothing else; a download gives what was
/// uploaded. Both hold for memory in one piece and in pages.
#[test]
fn uploads_are_where_elements_are() {
    let block = Element { block_width: 4, block_height: 4, bytes: 8 };
    let cases = [
        (SurfaceType::D2, [37, 29, 3], Element::texel(4)),
        (SurfaceType::D2, [70, 140, 1], Element::texel(12)),
        (SurfaceType::D2, [50, 70, 2], block),
        (SurfaceType::D2, [19, 33, 1], Element::texel(32)),
        (SurfaceType::D2, [90, 100, 2], Element::texel(1)),
        (SurfaceType::D3, [20, 10, 9], Element::texel(2)),
        (SurfaceType::D1, [300, 1, 2], Element::texel(3)),
        (SurfaceType::Cube, [16, 16, 2], Element::texel(16)),
    ];
    for tiling in [TileMode::Linear, TileMode::XMajor, TileMode::YMajor, TileMode::WMajor] {
        for (kind, size, element) in cases {
            if tiling == TileMode::WMajor && element.bytes != 1 {
                continue;
            }
            let (layout, length) = surface(kind, tiling, size, element);
            for level in 0..layout.levels() {
                for slice in 0..layout.level(level).depth {
                    round_trip(&layout, length, &Region::level(&layout, level, slice));
                }
            }
            let (bw, bh) = (u32::from(element.block_width), u32::from(element.block_height));
            let height = if kind == SurfaceType::D1 { 1 } else { 2 * bh };
            let y = if kind == SurfaceType::D1 { 0 } else { bh };
            let part = Region { x: 2 * bw, y, width: bw, height, ..Region::default() };
            round_trip(&layout, length, &part);
        }
    }
}

/// The same for standard tiles, which have another order for every element size and hold several slices or samples.
#[test]
fn standard_tiles_too() {
    use super::SurfaceDescription as Description;
    for tiles in [TiledResource::Yf, TiledResource::Ys] {
        for description in [
            Description::texture_2d(SurfaceFormat::R8_UINT, 300, 200).with_levels(3).with_layers(2),
            Description::texture_2d(SurfaceFormat::R32G32B32A32_FLOAT, 100, 70),
            Description::texture_2d(SurfaceFormat::R16_UINT, 100, 70).with_samples(4),
            Description::texture_3d(SurfaceFormat::R32_FLOAT, 40, 50, 20).with_levels(2),
        ] {
            let description = description.with_tiled_resource(tiles).with_base_address(BASE);
            let state = SurfaceState::new(&description, Platform::Gen11).unwrap();
            let layout = state.layout(Platform::Gen11).unwrap();
            let length = state.required_size(Platform::Gen11).unwrap() as usize;
            for level in 0..layout.levels() {
                let depth = layout.level(level).depth;
                for slice in [0, depth / 2, depth - 1] {
                    round_trip(
                        &layout,
                        length,
                        &Region { sample: layout.samples() - 1, ..Region::level(&layout, level, slice) },
                    );
                }
            }
        }
    }
}

fn round_trip(layout: &Layout, length: usize, region: &Region) {
    let element = layout.element();
    let bytes = usize::from(element.bytes);
    let (row_bytes, count) = region.rows(layout).unwrap();
    let pitch = row_bytes + 5;
    let rows = noise(pitch * count);
    let mut memory = noise(length);
    let mut expected = memory.clone();
    let (_, _, slice) = layout.sample(0, 0, region.slice, region.sample);
    let plane = layout.plane(region.level, slice);
    let (first_x, first_y) =
        (region.x / u32::from(element.block_width), region.y / u32::from(element.block_height));
    for (y, row) in rows.chunks(pitch).enumerate() {
        for (x, texel) in row[..row_bytes].chunks(bytes).enumerate() {
            put_element(&plane, first_x + x as u32, first_y + y as u32, texel, &mut expected);
        }
    }
    let mut target = LinearMemoryMut { base: BASE, bytes: &mut memory };
    layout.upload(region, &rows, pitch, &mut target).unwrap();
    assert!(memory == expected, "{region:?} of {layout:?}");
    let mut pages = Pages::default();
    let whole = LinearMemory { base: BASE, bytes: &memory };
    for page in BASE / 4096..(BASE + length as u64).div_ceil(4096) {
        pages.0.insert(page, vec![0; 4096]);
    }
    let mut back = rows.clone();
    for (row, source) in back.chunks_mut(pitch).zip(rows.chunks(pitch)) {
        row[..row_bytes].fill(0xaa);
        row[row_bytes..].copy_from_slice(&source[row_bytes..]);
    }
    layout.download(region, &whole, &mut back, pitch).unwrap();
    assert!(back == rows, "{region:?} of {layout:?}");
    layout.upload(region, &rows, pitch, &mut pages).unwrap();
    let mut back = vec![0; rows.len()];
    layout.download(region, &pages, &mut back, pitch).unwrap();
    for (row, want) in back.chunks(pitch).zip(rows.chunks(pitch)) {
        assert!(row[..row_bytes] == want[..row_bytes], "{region:?} of {layout:?}");
    }
}

/// Writes an element to the addresses that `Plane::read` reads: in tiles an element of three components is not contiguous.
fn put_element(plane: &crate::memory::Plane, x: u32, y: u32, texel: &[u8], memory: &mut [u8]) {
    struct Asked<'a>(&'a core::cell::RefCell<Vec<(u64, usize)>>);
    impl Memory for Asked<'_> {
        fn read(&self, address: u64, out: &mut [u8]) -> Access {
            self.0.borrow_mut().push((address, out.len()));
            Access::Mapped
        }
    }
    let reads = core::cell::RefCell::new(Vec::new());
    plane.read(&Asked(&reads), x, y, &mut vec![0; texel.len()]);
    let mut rest = texel;
    for (address, length) in reads.into_inner() {
        let (part, after) = rest.split_at(length);
        let at = (address - BASE) as usize;
        memory[at..at + length].copy_from_slice(part);
        rest = after;
    }
    assert!(rest.is_empty());
}

#[test]
fn samples_and_gaps() {
    let mut state = SurfaceState::plain(SurfaceType::D2, SurfaceFormat::R32_FLOAT, [9, 7, 2]).unwrap();
    state.set_samples(4).unwrap().set_tile_mode(TileMode::YMajor).set_base_address(BASE);
    for interleaved in [false, true] {
        state.set_interleaved_samples(interleaved);
        let length = state.fit(Element::texel(4), Platform::Gen11).unwrap() as usize;
        let layout = Layout::new(&state, Element::texel(4), Platform::Gen11).unwrap();
        let mut memory = vec![0; length];
        let mut rows = noise(9 * 7 * 4);
        for (slice, sample) in [(0, 0), (0, 3), (1, 2)] {
            let region = Region { sample, ..Region::level(&layout, 0, slice) };
            rows[0] = (slice * 4 + sample) as u8;
            layout
                .upload(&region, &rows, 36, &mut LinearMemoryMut { base: BASE, bytes: &mut memory })
                .unwrap();
            for (x, y) in [(0, 0), (8, 6), (3, 5)] {
                let (ex, ey, plane) = layout.sample(x, y, slice, sample);
                let at = (layout.plane(0, plane).address(ex, ey) - BASE) as usize;
                let from = (y * 36 + x * 4) as usize;
                assert_eq!(
                    memory[at..at + 4],
                    rows[from..from + 4],
                    "{interleaved} {slice} {sample} {x} {y}"
                );
            }
        }
    }
    // Elements of 4 bytes, 12 bytes apart: the gaps are not changed.
    let mut buffer = SurfaceState::plain_buffer(SurfaceFormat::R32_FLOAT, 5, 12).unwrap();
    buffer.set_base_address(BASE);
    let layout = Layout::new(&buffer, Element::texel(4), Platform::Gen11).unwrap();
    let mut memory = vec![7; 60];
    let region = Region { x: 1, width: 3, height: 1, ..Region::default() };
    let rows: Vec<u8> = (0..12).collect();
    layout.upload(&region, &rows, 12, &mut LinearMemoryMut { base: BASE, bytes: &mut memory }).unwrap();
    assert_eq!(memory[12..18], [0, 1, 2, 3, 7, 7]);
    assert_eq!(memory[36..42], [8, 9, 10, 11, 7, 7]);
    assert_eq!(memory.iter().filter(|&&byte| byte == 7).count(), 60 - 12 + 1);
}

/// An element that lies in pieces does so with interleaved samples, too.
#[test]
fn interleaved_elements_in_pieces() {
    let mut state = SurfaceState::plain(SurfaceType::D2, SurfaceFormat::R32G32B32_FLOAT, [9, 7, 1]).unwrap();
    state.set_samples(4).unwrap().set_interleaved_samples(true).set_base_address(BASE);
    for tiling in [TileMode::Linear, TileMode::XMajor, TileMode::YMajor] {
        let length = state.set_tile_mode(tiling).fit(Element::texel(12), Platform::Gen11).unwrap() as usize;
        let layout = Layout::new(&state, Element::texel(12), Platform::Gen11).unwrap();
        let (mut memory, rows) = (vec![0; length], noise(9 * 7 * 12));
        let region = Region { sample: 3, ..Region::level(&layout, 0, 0) };
        let mut target = LinearMemoryMut { base: BASE, bytes: &mut memory };
        layout.upload(&region, &rows, 9 * 12, &mut target).unwrap();
        for (texel, at) in rows.chunks(12).zip(0..) {
            let (x, y, slice) = layout.sample(at % 9, at / 9, 0, 3);
            let mut found = [0; 12];
            layout.plane(0, slice).read(&target, x, y, &mut found);
            assert_eq!(found, texel, "{tiling:?} {at}");
        }
        let mut back = vec![0; rows.len()];
        layout.download(&region, &target, &mut back, 9 * 12).unwrap();
        assert!(back == rows, "{tiling:?}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let (layout, length) = surface(
        SurfaceType::D2,
        TileMode::YMajor,
        [64, 64, 2],
        Element { block_width: 4, block_height: 4, bytes: 8 },
    );
    let mut bytes = vec![0; length];
    let whole = Region::level(&layout, 0, 0);
    let mut check = |region: Region, pitch: usize, rows: usize| {
        let mut memory = LinearMemoryMut { base: BASE, bytes: &mut bytes };
        layout
            .upload(&region, &vec![1; rows], pitch, &mut memory)
            .map_err(|e| (e.kind(), e.what(), e.found()))
    };
    assert_eq!(check(whole, 128, 16 * 128), Ok(()));
    let invalid = |value| Err((Kind::Invalid, What::TexelRegion, value));
    assert_eq!(check(Region { level: 7, ..whole }, 128, 2048), invalid(7));
    assert_eq!(check(Region { slice: 2, ..whole }, 128, 2048), invalid(2));
    assert_eq!(check(Region { sample: 1, ..whole }, 128, 2048), invalid(1));
    assert_eq!(check(Region { x: 4, ..whole }, 128, 2048), invalid(68));
    assert_eq!(check(Region { x: 2, width: 4, ..whole }, 128, 2048), invalid(2));
    assert_eq!(check(Region { y: 60, height: 3, ..whole }, 128, 2048), invalid(63));
    assert_eq!(check(Region { x: u32::MAX, ..whole }, 128, 2048), invalid(u64::from(u32::MAX)));
    assert_eq!(check(whole, 127, 2048), Err((Kind::Invalid, What::RowPitch, 127)));
    assert_eq!(check(whole, 128, 2047), Err((Kind::Truncated, What::Texels, 2048)));
    assert_eq!(check(Region { width: 0, height: 0, ..whole }, 0, 0), Ok(()));
    // A fault reports its address; a null page reads 0 and ignores writes.
    let mut pages = Pages::default();
    let rows = vec![9; 2048];
    let fault = layout.upload(&whole, &rows, 128, &mut pages).unwrap_err();
    assert_eq!((fault.kind(), fault.what(), fault.found()), (Kind::Fault, What::Texel, BASE));
    pages.0.insert(BASE / 4096, Vec::new());
    layout.upload(&whole, &rows, 128, &mut pages).unwrap();
    let mut back = rows.clone();
    layout.download(&whole, &pages, &mut back, 128).unwrap();
    assert!(back.iter().all(|&byte| byte == 0));
}

/// A description gives a legal state or an error. The required size of a state holds all mip levels and slices and is no larger than that
/// (tiled: than whole tiles).
#[test]
fn descriptions_are_fitted_or_refused() {
    use super::SurfaceDescription as Description;
    use Platform::Gen11;
    let rgba8 = SurfaceFormat::R8G8B8A8_UNORM;
    for description in [
        Description::texture_1d(rgba8, 100).with_levels(7).with_layers(3),
        Description::texture_2d(rgba8, 16384, 16384),
        Description::texture_2d(SurfaceFormat::BC1_UNORM, 37, 29).with_levels(6).with_layers(2),
        Description::texture_2d(rgba8, 37, 29).with_samples(16).with_layers(128),
        Description::texture_3d(SurfaceFormat::R32G32B32_FLOAT, 33, 17, 9).with_levels(6),
        Description::cube(rgba8, 64).with_levels(7).with_layers(340),
        Description::buffer(SurfaceFormat::R32_FLOAT, 1 << 27),
    ] {
        for tile_mode in [TileMode::Linear, TileMode::XMajor, TileMode::YMajor] {
            let description = description.with_tile_mode(tile_mode).with_base_address(0x7000);
            let state = match SurfaceState::new(&description, Gen11) {
                Ok(state) => state,
                Err(error) => {
                    let buffer = description.surface_type == SurfaceType::Buffer;
                    assert!(buffer && error.what() == What::TileMode, "{description:?}: {error}");
                    continue;
                }
            };
            let broken = state.validate(Gen11);
            assert!(broken.is_empty(), "{description:?}: {broken:?}");
            let (layout, size) = (state.layout(Gen11).unwrap(), state.required_size(Gen11).unwrap());
            let mut end = 0;
            for level in 0..layout.levels() {
                let (columns, rows) = layout.extent(level);
                for slice in 0..if description.surface_type == SurfaceType::D3 {
                    layout.level(level).depth
                } else {
                    layout.slices()
                } {
                    let last = layout.plane(level, slice).address(columns - 1, rows - 1);
                    end = end.max(last + u64::from(layout.element().bytes) - 0x7000);
                }
            }
            let slack = if tile_mode == TileMode::Linear { 0 } else { 4095 };
            assert!(end <= size && size <= end + slack, "{description:?}: {end} {size}");
        }
    }
    let refused = |description: Description| SurfaceState::new(&description, Gen11).unwrap_err().what();
    let plain = Description::texture_2d(rgba8, 64, 64);
    let doubles = Description::texture_2d(SurfaceFormat::R64G64B64A64_FLOAT, 4, 4);
    assert!(SurfaceState::new(&doubles.with_base_address(32), Gen11).unwrap().validate(Gen11).is_empty());
    for (description, what) in [
        (Description::texture_2d(rgba8, 20000, 4), What::Width),
        (Description::texture_2d(rgba8, 4, 0), What::Height),
        (Description::texture_3d(rgba8, 4, 4, 2049), What::Depth),
        (Description::cube(rgba8, 4).with_layers(341), What::Depth),
        (Description { height: 32, ..Description::cube(rgba8, 64) }, What::CubeSize),
        (plain.with_levels(8), What::MipCount),
        (plain.with_levels(0), What::MipCount),
        (plain.with_samples(3), What::Samples),
        (plain.with_samples(4).with_levels(2), What::Samples),
        (plain.with_tile_mode(TileMode::WMajor), What::TileMode),
        (plain.with_base_address(2), What::BaseAddress),
        (doubles.with_base_address(16), What::BaseAddress),
        (plain.with_tile_mode(TileMode::XMajor).with_base_address(0x800), What::BaseAddress),
        (Description::texture_1d(SurfaceFormat::BC1_UNORM, 64), What::Format),
        (Description::texture_2d(SurfaceFormat(0x1f0), 64, 64), What::Format),
        (Description::texture_2d(SurfaceFormat::PLANAR_420_8, 64, 64), What::Format),
        (Description::texture_2d(SurfaceFormat::R64G64B64A64_FLOAT, 16384, 1), What::Pitch),
        (Description { surface_type: SurfaceType::Null, ..plain }, What::SurfaceType),
    ] {
        assert_eq!(refused(description), what, "{description:?}");
    }
}

/// The error of a tile mode says which one the surface can have: a buffer linear, W-major for elements of one byte.
#[test]
fn refused_tile_modes_say_which_are_accepted() {
    use super::SurfaceDescription as Description;
    let buffer = Description::buffer(SurfaceFormat::R32_FLOAT, 64).with_tile_mode(TileMode::YMajor);
    let wide = Description::texture_2d(SurfaceFormat::R32_FLOAT, 64, 64).with_tile_mode(TileMode::WMajor);
    refuses_tile_mode(buffer, "linear for buffers");
    refuses_tile_mode(wide, "W-major to Gen11 for elements of one byte");
}

/// ASTC is Y-major.
#[cfg(feature = "astc")]
#[test]
fn astc_is_refused_in_other_tile_modes_than_y_major() {
    use super::SurfaceDescription as Description;
    let astc = Description::texture_2d(SurfaceFormat(0x240), 64, 64);
    refuses_tile_mode(astc, "Y-major for ASTC");
    refuses_tile_mode(astc.with_tile_mode(TileMode::XMajor), "Y-major for ASTC");
    assert!(SurfaceState::new(&astc.with_tile_mode(TileMode::YMajor), Platform::Gen11).is_ok());
}

/// Asserts that the tile mode of a surface is refused, and that the error says what it could be.
fn refuses_tile_mode(description: super::SurfaceDescription, accepted: &str) {
    let error = SurfaceState::new(&description, Platform::Gen11).unwrap_err();
    assert_eq!((error.kind(), error.what()), (Kind::Invalid, What::TileMode));
    assert!(error.expected().contains(accepted), "{description:?}: {}", error.expected());
}
