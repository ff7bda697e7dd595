//! The surfaces of the binding table, as data port messages access them.

use super::error::{Error, Result};
use super::memory::LaunchMemory;
use texwire::Platform;
use texwire::format::{self, FormatDecoder, FormatInfo, Numeric, half};
use texwire::memory::Layout;
use texwire::state::{SurfaceState, SurfaceType};

/// A buffer surface without a format (untyped).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Address of the first byte.
    pub base: u64,
    /// Bytes, a multiple of 4.
    pub bytes: u64,
}

impl Buffer {
    /// Returns the address of `bytes` bytes at `offset`; `None` if they are not all inside the buffer.
    #[inline]
    pub fn at(&self, offset: u64, bytes: usize) -> Option<u64> {
        (offset.checked_add(bytes as u64)? <= self.bytes).then(|| self.base.wrapping_add(offset))
    }
}

/// An image with one mip level, or a typed buffer.
#[derive(Clone, Debug)]
pub struct Image {
    /// Its format.
    pub info: &'static FormatInfo,
    /// Texels of a row.
    pub width: u32,
    /// Rows; 1 for a 1D image.
    pub height: u32,
    /// Array layers or z slices.
    pub slices: u32,
    /// A 1D image: the array layer is the second coordinate, not the third.
    one_dimensional: bool,
    layout: Layout,
    codec: FormatDecoder<'static>,
}

/// The surface of a binding table entry.
#[derive(Clone, Debug)]
pub enum BoundSurface {
    /// Untyped bytes.
    Buffer(Buffer),
    /// Texels.
    Image(Box<Image>),
    /// A null surface: reads give 0, writes vanish.
    Null,
    /// A surface state that cannot be used: an access gives this error.
    Refused(Error),
}

impl BoundSurface {
    /// Returns the surface that a surface state describes.
    ///
    /// # Errors
    /// A format or layout that the core does not read.
    pub fn new(state: &SurfaceState, platform: Platform) -> Result<Self> {
        if state.surface_type() == SurfaceType::Null {
            return Ok(Self::Null);
        }
        let info = format::info(state.format());
        if state.is_buffer() && info.is_none_or(|info| info.bytes == 0) {
            let bytes = u64::from(state.buffer_elements()) * u64::from(state.pitch());
            return Ok(Self::Buffer(Buffer { base: state.base_address(), bytes: bytes.next_multiple_of(4) }));
        }
        let refused = |why: texwire::Error| Error::new("surface refused", why.to_string());
        let codec = FormatDecoder::new(state.format()).map_err(refused)?;
        let info = info.ok_or_else(|| Error::new("surface refused", "unknown format"))?;
        let layout = Layout::new(state, info.element(), platform).map_err(refused)?;
        let one_dimensional = state.surface_type() == SurfaceType::D1;
        let (width, height, slices) = if state.is_buffer() {
            (state.buffer_elements(), 1, 1)
        } else {
            (state.width(), if one_dimensional { 1 } else { state.height() }, state.depth())
        };
        Ok(Self::Image(Box::new(Image { info, width, height, slices, one_dimensional, layout, codec })))
    }
}

impl Image {
    /// Returns the address of the element in column `x` and row `y` of slice `slice`.
    pub fn address(&self, slice: u32, x: u32, y: u32) -> u64 {
        self.layout.address(0, slice, x, y)
    }

    /// Returns the address of the texel at integer coordinates U, V, R; `None` if it is outside the image.
    pub fn texel(&self, [u, v, r]: [u32; 3]) -> Option<u64> {
        let (y, slice) = if self.one_dimensional { (0, v) } else { (v, r) };
        let inside = u < self.width && y < self.height && slice < self.slices;
        inside.then(|| self.address(slice, u, y))
    }

    /// Returns the texel at `address` as a typed read does: floats as their bits, or integers for integer formats.
    pub fn read(&self, memory: &LaunchMemory, address: u64) -> Result<[u32; 4]> {
        let mut bytes = [0; 16];
        let size = usize::from(self.info.bytes).min(16);
        for (offset, chunk) in bytes[..size].chunks_mut(4).enumerate() {
            let value = memory.load(address + offset as u64 * 4, chunk.len())?;
            chunk.copy_from_slice(&value.to_le_bytes()[..chunk.len()]);
        }
        Ok(self.codec.decode(&bytes[..size], 0, 0))
    }

    /// Converts a texel of floats (as their bits) or integers to the format, and writes it at `address`.
    pub fn write(&self, memory: &LaunchMemory, address: u64, texel: [u32; 4]) -> Result<()> {
        let mut element = [0u32; 4];
        for (field, value) in self.info.fields().iter().zip(texel) {
            if field.width == 0 {
                continue;
            }
            let bits = encode(field.numeric, u32::from(field.width), value);
            let at = usize::from(field.shift);
            element[at / 32 % 4] |= bits << (at % 32);
        }
        let size = usize::from(self.info.bytes).min(16);
        for (word, offset) in element.into_iter().zip((0..size).step_by(4)) {
            memory.store(address + offset as u64, (size - offset).min(4), u64::from(word))?;
        }
        Ok(())
    }
}

/// Returns the `width` bits of a channel with this value: converted as for a render target, clamped and rounded to nearest even.
fn encode(numeric: Numeric, width: u32, value: u32) -> u32 {
    let mask = texwire::bits::mask(width) as u32;
    let float = f64::from(f32::from_bits(value));
    // NaN becomes 0.
    let clamped = |low, high| if float.is_nan() { 0.0 } else { float.clamp(low, high) };
    let scaled = |low, high, scale: f64| (clamped(low, high) * scale).round_ties_even();
    let highest = f64::from(mask);
    let signed = f64::from(mask >> 1);
    match numeric {
        Numeric::Unorm => scaled(0.0, 1.0, highest) as u32,
        Numeric::Srgb => {
            let linear = clamped(0.0, 1.0);
            let curved = if linear <= 0.003_130_8 {
                linear * 12.92
            } else {
                1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055
            };
            (curved * highest).round_ties_even() as u32
        }
        Numeric::Snorm => scaled(-1.0, 1.0, signed) as i32 as u32 & mask,
        Numeric::Uint => value.min(mask),
        Numeric::Sint => {
            let high = (mask >> 1) as i32;
            (value as i32).clamp(-high - 1, high) as u32 & mask
        }
        Numeric::Uscaled => scaled(0.0, highest, 1.0) as u32,
        Numeric::Sscaled => scaled(-signed - 1.0, signed, 1.0) as i32 as u32 & mask,
        Numeric::Sfixed => (float * 65536.0) as i32 as u32,
        Numeric::Float if width == 16 => u32::from(half::from_f32(f32::from_bits(value))),
        Numeric::Float if width < 16 => small_float(f32::from_bits(value), width),
        Numeric::Float | Numeric::Raw => value & mask,
    }
}

/// Returns an unsigned float of `width` bits with 5 bits of exponent: a half float without its sign and its lowest bits.
fn small_float(value: f32, width: u32) -> u32 {
    if value.is_nan() {
        return texwire::bits::mask(width) as u32;
    }
    let half = half::from_f32(value.max(0.0));
    u32::from(half) >> (15 - width)
}
