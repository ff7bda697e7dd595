//! Properties of state structures and surface layouts.

use crate::emulator;
use crate::generators::placed;
use arbitrary::Unstructured;
use texwire::enums::{Enumeration, TABLES};
use texwire::format;
use texwire::memory::{Access, Element, Layout, MAX_LEVELS, Memory, Plane};
use texwire::rules::{Rule, Violations};
use texwire::state::{
    BindingTableEntry, BorderColor, Field, InterfaceDescriptor, SamplerState, SurfaceState, SurfaceType,
};
use texwire::{Kind, Platform, What};

/// Fuzz target `parse_state`: any bytes are states that are written back bit for bit; every field reads and writes only its own bits;
/// validation and layout are total; planes end where they say; every texel is where the emulator's address code places it.
pub fn parse(data: &[u8]) {
    let data = &mut Unstructured::new(data);
    let surface = SurfaceState::from_bytes(&data.arbitrary().unwrap_or([0; 64]));
    let sampler = SamplerState::from_bytes(&data.arbitrary().unwrap_or([0; 16]));
    structures(&surface, &sampler, &data.arbitrary().unwrap_or([0; 32]));
    for platform in Platform::ALL {
        listed(surface.validate(platform));
        listed(sampler.validate(platform));
    }
    listed(sampler.validate_with(&surface));
    laid_out(&surface, data);
    let platform = if data.arbitrary().unwrap_or(false) { Platform::Gen9 } else { Platform::Gen11 };
    if let Ok(surface) = placed::surface(data, platform) {
        laid_out(&surface, data);
        placed_alike(&surface, platform, data);
        fitted(surface, platform, data);
    }
    enumerations(data.arbitrary().unwrap_or(0));
}

fn structures(surface: &SurfaceState, sampler: &SamplerState, bytes: &[u8; 32]) {
    assert_eq!(SurfaceState::from_bytes(&surface.to_bytes()), *surface);
    assert_eq!(surface.rewritten(), *surface);
    fields(SurfaceState::FIELDS, &surface.dwords, &sampler.dwords);
    assert_eq!(SamplerState::from_bytes(&sampler.to_bytes()), *sampler);
    assert_eq!(sampler.rewritten(), *sampler);
    fields(SamplerState::FIELDS, &sampler.dwords, &surface.dwords);
    let mut copy = *surface;
    copy.set_channel_select(surface.channel_select()).set_cube_faces(surface.cube_faces());
    copy.set_buffer_elements(surface.buffer_elements()).expect("as it was");
    assert_eq!(copy.buffer_elements(), surface.buffer_elements());
    assert_eq!(copy.channel_select(), surface.channel_select());
    let mut copy = *sampler;
    copy.set_address_modes(sampler.address_modes()).set_max_anisotropy(sampler.max_anisotropy());
    assert_eq!(copy, *sampler);
    let descriptor = InterfaceDescriptor::from_bytes(bytes);
    assert_eq!((descriptor.to_bytes(), descriptor.rewritten()), (*bytes, descriptor));
    let border = BorderColor { dwords: sampler.dwords };
    assert_eq!(border.floats().map(f32::to_bits), border.rewritten().dwords);
    let entry = BindingTableEntry { dwords: [surface.dwords[0]] };
    assert_eq!(entry.surface_offset() | entry.low_bits(), entry.dwords[0]);
}

/// Checks that a field keeps the value as far as it fits and leaves all other bits unchanged.
fn fields(fields: &[Field], dwords: &[u32], values: &[u32]) {
    // Each iteration restores the original dwords.
    let mut written = dwords.to_vec();
    for (field, value) in fields.iter().zip(values.iter().cycle()) {
        let value = u64::from(*value) << 17 | u64::from(*value);
        field.put(&mut written, value);
        let mask = if field.width() >= 64 { u64::MAX } else { (1 << field.width()) - 1 };
        assert_eq!(field.get(&written), value & mask, "{}", field.name);
        field.put(&mut written, field.get(dwords));
        assert_eq!(written, dwords, "{}", field.name);
    }
}

/// Checks that violations are listed in order, each once, and that `contains` agrees.
fn listed<R: Rule + PartialEq + std::fmt::Debug>(broken: Violations<R>) {
    let rules: Vec<R> = broken.collect();
    let contained: Vec<R> = R::ALL.iter().copied().filter(|rule| broken.contains(*rule)).collect();
    assert_eq!(rules, contained);
    assert_eq!(rules.is_empty(), broken.is_empty());
}

/// Checks that a layout is total: levels, planes and addresses for any number; and that the elements of a plane end within its span.
fn laid_out(surface: &SurfaceState, data: &mut Unstructured<'_>) {
    let element = format::info(surface.format()).map_or(Element::texel(1), format::FormatInfo::element);
    let platform = if data.arbitrary().unwrap_or(false) { Platform::Gen9 } else { Platform::Gen11 };
    let mut fitted = *surface;
    let fit = fitted.fit(element, platform);
    assert!(fit.is_err() || Layout::new(&fitted, element, platform).is_ok());
    let layout = match Layout::new(surface, element, platform) {
        Ok(layout) => layout,
        Err(why) => {
            assert!(
                matches!(
                    why.kind(),
                    Kind::Reserved | Kind::Unsupported | Kind::Invalid | Kind::NotOnPlatform
                ),
                "{why}"
            );
            return;
        }
    };
    assert!((1..=MAX_LEVELS as u32).contains(&layout.levels()));
    for number in 0..MAX_LEVELS as u32 + 2 {
        let level = layout.level(number);
        assert!(level.width >= 1 && level.height >= 1);
        let slice = data.arbitrary().unwrap_or(0);
        let plane = layout.plane(number, slice);
        let columns = level.width.div_ceil(element.block_width.into());
        let rows = level.height.div_ceil(element.block_height.into());
        let mut inside = |size: u32| data.int_in_range(0..=size - 1).unwrap_or(0);
        let (x, y) = (inside(columns), inside(rows));
        let end = plane.offset(x, y) + u64::from(element.bytes);
        assert!(end <= plane.span(columns, rows), "{plane:?} {level:?} ({x}, {y})");
        assert_eq!(plane.address(x, y), layout.address(number, slice, x, y));
        let _ = plane.address(u32::MAX, u32::MAX);
        let _ = layout.sample(x, y, slice, number);
    }
}

/// Chooses a number below `limit`; half of them are a multiple of a power of two or one less: at the edges of tiles and of columns in them,
/// where addresses go wrong.
fn below(data: &mut Unstructured<'_>, limit: u32) -> arbitrary::Result<u32> {
    let any = data.int_in_range(0..=limit - 1)?;
    let choice: u8 = data.arbitrary()?;
    let multiple = any >> (choice >> 4) << (choice >> 4);
    Ok(match choice & 3 {
        0 => multiple,
        1 => multiple.saturating_sub(1),
        _ => any,
    })
}

/// Checks that each byte of a texel is where the emulator's address code places it.
fn placed_alike(surface: &SurfaceState, platform: Platform, data: &mut Unstructured<'_>) {
    // The emulator refuses formats that cannot be sampled. These are laid out like all others.
    let Ok(oracle) = emulator::surface::Surface::of(&surface.dwords, platform.trace_code()) else { return };
    let info = format::info(surface.format()).expect("a format with elements");
    let layout = Layout::new(surface, info.element(), platform).expect("a layout");
    let mut below = |limit: u32| below(data, limit).unwrap_or(0);
    for _ in 0..8 {
        if surface.is_buffer() {
            let index = below(surface.buffer_elements());
            let block_width = info.element().block_width;
            compare(
                layout.plane(0, 0),
                (index, 0),
                &oracle.buffer_element(u64::from(index) * u64::from(block_width)).0,
            );
            continue;
        }
        let lod = below(surface.mip_count());
        let level = layout.level(surface.surface_min_lod() + lod);
        let (x, y) = (below(level.width), below(level.height));
        let volume = surface.surface_type() == SurfaceType::D3;
        let first = if volume { 0 } else { surface.min_array_element() };
        let slice = below(level.depth - first);
        let sample = below(layout.samples());
        let (ox, oy, oslice) = match layout.samples() {
            1 => (x.into(), y.into(), slice.into()),
            _ => oracle.sample(slice.into(), sample.into(), x.into(), y.into()),
        };
        let (addresses, inside_x, inside_y) = oracle.element(lod.into(), oslice, ox, oy);
        let (ex, ey, eslice) = layout.sample(x, y, first + slice, sample);
        let (width, height) = (u32::from(info.block_width), u32::from(info.block_height));
        assert_eq!((inside_x, inside_y), ((ex % width) as usize, (ey % height) as usize));
        let plane = layout.plane(surface.surface_min_lod() + lod, eslice);
        compare(plane, (ex / width, ey / height), &addresses);
    }
}

/// Checks that a fitted surface breaks no rule of pitches, and that its elements are within the memory it asks for.
fn fitted(mut surface: SurfaceState, platform: Platform, data: &mut Unstructured<'_>) {
    surface.set_x_offset(0).and_then(|surface| surface.set_y_offset(0)).expect("0 fits");
    let element = format::info(surface.format()).expect("a format with elements").element();
    let size = match surface.fit(element, platform) {
        Ok(size) => size,
        Err(why) => return assert_eq!(why.what(), What::Pitch, "{surface:?}"),
    };
    let layout = Layout::new(&surface, element, platform).expect("a layout");
    let end = surface.base_address() + size;
    for number in 0..layout.levels() {
        let level = layout.level(number);
        let (samples_x, samples_y, _) = match surface.interleaved_samples() {
            true => layout.sample(level.width - 1, level.height - 1, 0, layout.samples() - 1),
            false => (level.width - 1, level.height - 1, 0),
        };
        let (last_x, last_y) =
            (samples_x / u32::from(element.block_width), samples_y / u32::from(element.block_height));
        let volume = surface.surface_type() == SurfaceType::D3;
        let last_slice = if volume { level.depth } else { layout.slices() } - 1;
        let slice = data.int_in_range(0..=last_slice).unwrap_or(0);
        for (x, y, slice) in
            [(last_x, last_y, last_slice), (data.int_in_range(0..=last_x).unwrap_or(0), last_y, slice)]
        {
            let plane = layout.plane(number, slice);
            let address = plane.address(x, y);
            // The components of a tiled element of three components can be far apart, but they are in the same row of tiles.
            let bytes = if plane.is_contiguous() { u64::from(element.bytes) } else { 1 };
            assert!(
                surface.base_address() <= address && address + bytes <= end,
                "{surface:?} {level:?} ({x}, {y})"
            );
        }
    }
}

fn compare(plane: Plane, (x, y): (u32, u32), addresses: &[u64]) {
    assert_eq!(Some(&plane.address(x, y)), addresses.first(), "{plane:?} ({x}, {y})");
    let mut bytes = vec![0; addresses.len()];
    assert_eq!(plane.read(&HashedMemory, x, y, &mut bytes), Access::Mapped);
    let marks: Vec<u8> = addresses.iter().map(|address| mark(*address)).collect();
    assert_eq!(bytes, marks, "{plane:?} ({x}, {y})");
}

/// Memory in which every byte is a hash of its address.
struct HashedMemory;

impl Memory for HashedMemory {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        for (at, byte) in (0..).zip(out) {
            *byte = mark(address.wrapping_add(at));
        }
        Access::Mapped
    }
}

fn mark(address: u64) -> u8 {
    (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}

/// Checks that look-ups by value and by name agree, for any value.
fn enumerations(value: u16) {
    for table in TABLES {
        for row in table.rows_of(value).filter(|row| !row.is_reserved()) {
            let by_name = table.by_name(row.ident);
            assert_eq!(by_name, Some(row), "{}", table.name);
        }
    }
    let format = texwire::enums::SurfaceFormat(value);
    if let Some(name) = format.name() {
        assert_eq!(texwire::enums::SurfaceFormat::from_name(name), Some(format));
    }
}
