//! The surface of a state with its texels and memory, and the sampler.

use super::random::Random;
use super::state::{McsKind, SamplingState, SurfaceKind};
use texwire::Platform;
use texwire::format::{FormatInfo, Numeric, info};
use texwire::memory::{Access, LinearMemory, Memory, PageTable};
use texwire::message::LodSource;
use texwire::state::{
    AddressMode, AuxMode, Filter, LodPreclamp, MipFilter, SamplerState, SurfaceState, SurfaceType,
};
use texwire::transfer::SurfaceDescription;

/// The platform of all states.
const PLATFORM: Platform = Platform::Gen11;

/// The address of the surface's first byte.
const BASE: u64 = 0x1_0000;

/// The size of a page in bytes.
const PAGE: usize = 4096;

/// The largest surface in bytes that is measured.
const LARGEST: u64 = 1 << 30;

/// Returns width, height and depth (array slices or cubes) of a state's surface.
pub(super) fn extent(state: &SamplingState) -> Result<[u32; 3], String> {
    let SurfaceKind { surface, array } = state.kind;
    let [width, height, depth] = match (surface, &state.size[..]) {
        (SurfaceType::D1, []) => [512, 1, 1],
        (SurfaceType::D2, []) => [512, 512, 1],
        (SurfaceType::D3, []) => [64; 3],
        (SurfaceType::Cube, []) => [256, 256, 1],
        (SurfaceType::Buffer, []) => [1 << 16, 1, 1],
        (SurfaceType::D1 | SurfaceType::Buffer, [width]) => [*width, 1, 1],
        (SurfaceType::D2 | SurfaceType::Cube, [side]) => [*side, *side, 1],
        (SurfaceType::D2, [width, height]) => [*width, *height, 1],
        (SurfaceType::Cube, [width, height]) if width == height => [*width, *height, 1],
        (SurfaceType::D3, [side]) => [*side; 3],
        (SurfaceType::D3, [width, height, depth]) => [*width, *height, *depth],
        (_, sides) => {
            return Err(format!("size at --state: {} numbers are not a size of this kind", sides.len()));
        }
    };
    let largest = match surface {
        SurfaceType::Buffer => 1 << 27,
        SurfaceType::D3 => 2048,
        _ => 16384,
    };
    if [width, height, depth].into_iter().any(|side| side > largest) {
        return Err(format!("size at --state: {width}x{height}x{depth} (at most {largest} for this kind)"));
    }
    match state.layers {
        Some(_) if !array => Err("layers at --state: only arrays have layers".to_owned()),
        Some(layers) => Ok([width, height, layers]),
        None if array => Ok([width, height, if surface == SurfaceType::Cube { 2 } else { 4 }]),
        None => Ok([width, height, depth]),
    }
}

/// Returns the surface state, and the size of its memory in bytes.
pub(super) fn surface(
    state: &SamplingState,
    [width, height, depth]: [u32; 3],
) -> Result<(SurfaceState, usize), String> {
    shape(state)?;
    let levels =
        state.mip != MipFilter::None || state.op.flags().lod == LodSource::Integer && state.samples == 1;
    let buffer = state.kind.surface == SurfaceType::Buffer;
    let description = SurfaceDescription {
        surface_type: state.kind.surface,
        format: state.format,
        width,
        height,
        depth,
        levels: if levels && !buffer { width.max(height).ilog2() + 1 } else { 1 },
        samples: if buffer { 1 } else { state.samples },
        tile_mode: state.tile.0,
        tiled_resource: state.tile.1,
        base_address: BASE,
    };
    let why = |why| format!("surface at --state: {why}");
    let mut surface = SurfaceState::new(&description, PLATFORM).map_err(why)?;
    surface.set_array(state.kind.array).set_channel_select(state.swizzle);
    let bytes = surface.required_size(PLATFORM).map_err(why)?;
    if bytes > LARGEST {
        return Err(format!("size at --state: the surface takes {bytes} bytes (at most {LARGEST})"));
    }
    if state.control() != McsKind::Off && surface.samples() > 1 {
        let control = add_control(&mut surface, bytes).map_err(why)?;
        return Ok((surface, control as usize));
    }
    Ok((surface, bytes as usize))
}

/// Appends a multisample control surface to a surface of `bytes` bytes; returns the size of both in bytes.
fn add_control(surface: &mut SurfaceState, bytes: u64) -> texwire::Result<u64> {
    let element = match surface.samples() {
        0..=4 => 1,
        5..=8 => 4,
        _ => 8,
    };
    // The tiles are Y-major: 128 bytes wide, 32 rows high.
    let (pitch, qpitch) = ((surface.width() * element).div_ceil(128), surface.height().next_multiple_of(32));
    let base = (BASE + bytes).next_multiple_of(PAGE as u64);
    let slices = u64::from(if surface.is_array() { surface.depth() } else { 1 });
    surface
        .set_aux_mode(AuxMode::CcsD)
        .set_aux_base_address(base)
        .set_aux_pitch(pitch)?
        .set_aux_qpitch(qpitch)?;
    Ok(base - BASE + u64::from(pitch * 128) * u64::from(qpitch) * slices)
}

fn shape(state: &SamplingState) -> Result<&'static FormatInfo, String> {
    info(state.format).filter(|shape| shape.bytes > 0).ok_or_else(|| {
        "format at --state: it has no elements of one size (planar, raw or unknown), so that nothing is measured".to_owned()
    })
}

/// Returns random elements. Floats are in 0.5..1, since denormals, infinities and NaN can take more time.
pub(super) fn texels(state: &SamplingState, len: usize, random: &mut Random) -> Result<Vec<u8>, String> {
    let shape = shape(state)?;
    if let Some(name) = texwire::format::name(state.format).filter(|name| name.starts_with("ASTC")) {
        return Ok(crate::generators::blocks::astc(|| random.wide(), len, name, true));
    }
    let mut bytes: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
    let floats = shape.fields().iter().filter(|field| field.numeric == Numeric::Float && field.width > 0);
    for field in floats {
        // The biased exponent and the number of mantissa bits, by the width of the field; the sign stays 0.
        let (exponent, mantissa) = match field.width {
            10 | 11 | 16 => (14, if field.width == 16 { 10 } else { field.width - 5 }),
            32 => (126, 23),
            _ => (1022, 52),
        };
        for element in bytes.chunks_exact_mut(shape.bytes.into()) {
            let value = exponent << mantissa | random.wide() & ((1 << mantissa) - 1);
            put_bits(element, field.shift.into(), field.width.into(), value);
        }
    }
    Ok(bytes)
}

/// Writes `width` (at most 64) bits of an element, starting at bit `shift`.
fn put_bits(element: &mut [u8], shift: usize, width: usize, value: u64) {
    let window = &mut element[shift / 8..(shift + width).div_ceil(8)];
    let mut word = [0; 16];
    word[..window.len()].copy_from_slice(window);
    let mask = (u128::MAX >> (128 - width)) << (shift % 8);
    let word = u128::from_le_bytes(word) & !mask | u128::from(value) << (shift % 8) & mask;
    window.copy_from_slice(&word.to_le_bytes()[..window.len()]);
}

/// Returns the sampler state.
pub(super) fn sampler(state: &SamplingState) -> SamplerState {
    let [mag, min] = if state.aniso > 1 { [Filter::Anisotropic; 2] } else { state.filters };
    let seamless = state.modes.iter().all(|mode| matches!(mode, AddressMode::Wrap | AddressMode::Cube));
    let mut sampler = SamplerState::default();
    sampler
        .set_mag_filter(mag)
        .set_min_filter(min)
        .set_mip_filter(state.mip)
        .set_max_lod(14 << 8)
        .set_lod_preclamp(LodPreclamp::Ogl)
        .set_shadow_function(state.compare)
        .set_cube_control_override(seamless)
        .set_non_normalized(!state.normalized)
        .set_rounding(state.rounding)
        .set_address_modes(state.modes);
    if state.aniso > 1 {
        sampler.set_max_anisotropy(state.aniso);
    }
    sampler
}

/// Returns memory in which the whole surface is one slice.
pub(super) fn slice(bytes: &[u8]) -> LinearMemory<'_> {
    LinearMemory { base: BASE, bytes }
}

/// Memory that can be read texel by texel; it offers no slices above 16 bytes.
pub(super) struct UnslicedMemory<'a>(pub(super) LinearMemory<'a>);

impl Memory for UnslicedMemory<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        self.0.read(address, out)
    }

    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        if len <= 16 { self.0.slice(address, len) } else { None }
    }
}

/// Memory as a simulator has it: pages of 4 KiB in random order, with their page table.
pub(super) struct Pages {
    bytes: Vec<u8>,
    /// The frame number of every page.
    frames: Vec<u32>,
    /// True: the page table is offered. False: only the single pages.
    table: bool,
}

impl Pages {
    /// Splits `bytes` into pages and shuffles them.
    pub(super) fn new(bytes: &[u8], table: bool, random: &mut Random) -> Self {
        let count = bytes.len().div_ceil(PAGE);
        let mut frames: Vec<u32> = (0..count as u32).collect();
        for last in (1..count).rev() {
            frames.swap(last, random.next() as usize % (last + 1));
        }
        let mut shuffled = vec![0; count * PAGE];
        for (page, frame) in bytes.chunks(PAGE).zip(&frames) {
            shuffled[*frame as usize * PAGE..][..page.len()].copy_from_slice(page);
        }
        Self { bytes: shuffled, frames, table }
    }

    /// Returns the bytes of a page.
    fn page(&self, number: usize) -> Option<&[u8]> {
        let start = *self.frames.get(number)? as usize * PAGE;
        self.bytes.get(start..start + PAGE)
    }

    /// Returns the bytes from `address` to the end of its page.
    fn rest_of_page(&self, address: u64) -> Option<&[u8]> {
        let offset = usize::try_from(address.checked_sub(BASE)?).ok()?;
        self.page(offset / PAGE)?.get(offset % PAGE..)
    }
}

impl Memory for Pages {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let mut done = 0;
        while let Some(rest) = out.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let Some(page) = self.rest_of_page(address + done as u64) else { return Access::Fault };
            let len = page.len().min(rest.len());
            rest[..len].copy_from_slice(&page[..len]);
            done += len;
        }
        Access::Mapped
    }

    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        self.rest_of_page(address)?.get(..len)
    }

    fn contiguous(&self, address: u64) -> Option<(u64, &[u8])> {
        let offset = address.checked_sub(BASE)?;
        let number = usize::try_from(offset).ok()? / PAGE;
        Some((BASE + (number * PAGE) as u64, self.page(number)?))
    }

    fn page_table(&self, _: u64, _: usize) -> Option<PageTable<'_>> {
        let log2_page = PAGE.trailing_zeros();
        self.table.then_some(PageTable { base: BASE, log2_page, frames: &self.frames, bytes: &self.bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_hold_what_the_slice_holds() {
        let mut random = Random::new();
        let bytes: Vec<u8> = (0..3 * PAGE + 100).map(|_| random.next() as u8).collect();
        let pages = Pages::new(&bytes, true, &mut random);
        for (address, len) in [(0, 16), (PAGE - 8, 16), (PAGE - 1, 2 * PAGE), (3 * PAGE, 100)] {
            let mut out = vec![0; len];
            assert_eq!(pages.read(BASE + address as u64, &mut out), Access::Mapped);
            assert_eq!(out, bytes[address..address + len]);
            let inside = address / PAGE == (address + len - 1) / PAGE;
            assert_eq!(pages.slice(BASE + address as u64, len).is_some(), inside, "{address} {len}");
        }
        assert_eq!(pages.read(BASE - 1, &mut [0]), Access::Fault);
        assert_eq!(pages.read(BASE + 4 * PAGE as u64, &mut [0]), Access::Fault);
    }

    #[test]
    fn float_fields_are_between_a_half_and_one() {
        use texwire::enums::SurfaceFormat as F;
        for format in [F::R11G11B10_FLOAT, F::R16G16_FLOAT, F::R32G32B32A32_FLOAT, F::R64G64_FLOAT] {
            let state = SamplingState { format, ..SamplingState::default() };
            let bytes = texels(&state, 320, &mut Random::new()).unwrap();
            let codec = texwire::format::FormatDecoder::new(format).unwrap();
            for element in bytes.chunks_exact(codec.info().bytes.into()) {
                let texel = codec.decode(element, 0, 0).map(f32::from_bits);
                for (channel, value) in texel.into_iter().enumerate() {
                    let stored = codec.info().channels >> channel & 1 == 1;
                    assert!(!stored || (0.5..=1.0).contains(&value), "{format:?} {texel:?}");
                }
            }
        }
    }
}
