//! Pictures bound to the image arguments of a kernel: the surface state, and memory in the layout that the state describes.

use crate::containers::device_binary::ImageType;
use crate::containers::limits::PictureLimits;
use crate::containers::picture::Picture;
use crate::engine::Region;
use image::RgbaImage;
use texwire::format;
use texwire::memory::Layout;
use texwire::state::{ChannelSelect, SurfaceState, SurfaceType, TileMode};

/// A texture in memory.
#[derive(Clone, Debug)]
pub struct BoundPicture {
    /// Its surface state, with the memory's address.
    pub state: SurfaceState,
    /// Its memory.
    pub memory: Region,
}

/// How an image type of the compiler is represented: the kind of surface, and what it gets from pictures.
struct ImageTypeInfo {
    surface: SurfaceType,
    array: bool,
    /// Samples per texel; each sample has its own slice.
    samples: u32,
    contents: fn(&[RgbaImage]) -> Picture,
}

/// Samples per texel of multisampled images.
pub const SAMPLES: u32 = 4;

fn type_info(kind: ImageType) -> Option<ImageTypeInfo> {
    let flat = |p: &[RgbaImage]| Picture::flat(&p[0]);
    let layers = |p: &[RgbaImage]| Picture::layers(p, false);
    let volume = |p: &[RgbaImage]| Picture::layers(p, true);
    let line = |p: &[RgbaImage]| Picture::line(&p[0]);
    let depth = |p: &[RgbaImage]| Picture::depth(&p[0]);
    let cube = |p: &[RgbaImage]| Picture::cube(&p[0]);
    let planes = |p: &[RgbaImage]| Picture::samples(&Picture::layers(&p[..1], false), SAMPLES);
    let depth_planes = |p: &[RgbaImage]| Picture::samples(&Picture::depth(&p[0]), SAMPLES);
    let samples = if kind.is_multisampled() { SAMPLES } else { 1 };
    let (surface, array, contents): (_, _, fn(&[RgbaImage]) -> Picture) = match kind.name() {
        "1d" | "1d_array" => (SurfaceType::D1, kind.name() == "1d_array", line),
        "2d" => (SurfaceType::D2, false, flat),
        "2d_array" => (SurfaceType::D2, true, layers),
        "3d" => (SurfaceType::D3, false, volume),
        "cube" => (SurfaceType::Cube, false, cube),
        "2d_depth" | "2d_array_depth" => (SurfaceType::D2, kind.name() == "2d_array_depth", depth),
        "buffer" => (SurfaceType::Buffer, false, line),
        "2d_msaa" => (SurfaceType::D2, false, planes),
        "2d_msaa_depth" => (SurfaceType::D2, false, depth_planes),
        _ => return None,
    };
    Some(ImageTypeInfo { surface, array, samples, contents })
}

/// Returns the texture contents that an image argument of this type gets from pictures; `None` for unknown types.
pub fn contents(kind: ImageType, pictures: &[RgbaImage]) -> Option<Picture> {
    type_info(kind).map(|info| (info.contents)(pictures))
}

/// Binds an image argument: fills the compiler's surface state template for `picture` at `address`, and lays out its texels.
///
/// # Errors
/// The type is unknown, or the layout cannot hold the picture.
pub fn bind(
    template: SurfaceState,
    kind: ImageType,
    picture: &Picture,
    address: u64,
) -> Result<BoundPicture, Box<dyn std::error::Error>> {
    let info = type_info(kind).ok_or_else(|| format!("no picture for an image of type {}", kind.name()))?;
    let state = describe(template, &info, picture, address)?;
    let memory = lay_out(&state, picture)?;
    Ok(BoundPicture { state, memory })
}

/// Returns the surface state of a linear texture that holds `picture`.
fn describe(
    template: SurfaceState,
    &ImageTypeInfo { surface, array, samples, .. }: &ImageTypeInfo,
    picture: &Picture,
    address: u64,
) -> Result<SurfaceState, Box<dyn std::error::Error>> {
    if samples > 1 && (picture.slices != samples || picture.levels.len() > 1) {
        let (slices, levels) = (picture.slices, picture.levels.len());
        let why = format!(
            "{slices} slices and {levels} levels (expected {samples} slices, one for each sample, of one level)"
        );
        return Err(why.into());
    }
    let info = format::info(picture.format).ok_or("a format without a description")?;
    let mut state = template;
    state.set_surface_type(surface).set_array(array).set_format(picture.format);
    state
        .set_tile_mode(TileMode::Linear)
        .set_halign(4)
        .set_valign(4)
        .set_samples(samples)?
        .set_interleaved_samples(false);
    state.set_channel_select([
        ChannelSelect::Red,
        ChannelSelect::Green,
        ChannelSelect::Blue,
        ChannelSelect::Alpha,
    ]);
    state.set_base_address(address);
    if surface == SurfaceType::Buffer {
        fits("Width", picture.width, 1 << 27)?;
        state.set_buffer_elements(picture.width)?.set_pitch(u32::from(info.bytes))?;
        return Ok(state);
    }
    let cube = surface == SurfaceType::Cube;
    let depth = if cube { picture.slices / 6 } else { picture.slices / samples };
    PictureLimits::default().size([picture.width, picture.height, depth])?;
    state.set_width(picture.width)?.set_height(picture.height)?.set_depth(depth)?;
    state.set_cube_faces(if cube { 0x3f } else { 0 });
    let levels = u32::try_from(picture.levels.len())?;
    state.set_min_array_element(0)?.set_surface_min_lod(0)?.set_mip_count(levels)?;
    // Level 1 lies below level 0, all smaller levels beside and below level 1: without alignment, a slice needs one and a half times the
    // height of level 0.
    let blocks = |n: u32, block: u8| n.div_ceil(u32::from(block));
    let (columns, rows) =
        (blocks(picture.width, info.block_width), blocks(picture.height, info.block_height));
    let qpitch = if surface == SurfaceType::D1 {
        64 * 16 + 2 * columns.next_multiple_of(64)
    } else {
        2 * rows.next_multiple_of(4) + 4 * 16
    };
    fits("Surface QPitch", qpitch, 0x7fff * 4)?;
    state.set_qpitch(qpitch)?;
    // The pitch leaves room for level 2 to the right of level 1.
    let third = blocks(picture.width.div_ceil(4), info.block_width);
    let pitch = (columns.next_multiple_of(4) + third.next_multiple_of(4)) * u32::from(info.bytes);
    let pitch = pitch.next_multiple_of(64);
    fits("Surface Pitch", pitch, 1 << 18)?;
    state.set_pitch(pitch)?;
    Ok(state)
}

/// Returns an error if a value is larger than its field can hold.
fn fits(field: &str, value: u32, most: u32) -> Result<(), String> {
    let why = || {
        format!("picture too large: {value} does not fit field {field} of the surface state (at most {most})")
    };
    if value > most { Err(why()) } else { Ok(()) }
}

/// Writes every element of every level and slice to its address in the layout.
fn lay_out(state: &SurfaceState, picture: &Picture) -> Result<Region, Box<dyn std::error::Error>> {
    let info = format::info(picture.format).ok_or("a format without a description")?;
    let layout = Layout::new(state, info.element(), texwire::Platform::Gen11)?;
    let base = state.base_address();
    let mut memory = Vec::new();
    let bytes = usize::from(info.bytes);
    let levels = if state.is_buffer() { 1 } else { picture.levels.len() as u32 };
    for level in 0..levels {
        let [width, height, slices] = picture.size(level);
        let columns = width.div_ceil(u32::from(info.block_width));
        let rows = height.div_ceil(u32::from(info.block_height));
        let elements = picture.levels[level as usize].chunks_exact(bytes);
        let places =
            (0..slices).flat_map(|z| (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y, z))));
        for ((x, y, z), element) in places.zip(elements) {
            let at = usize::try_from(layout.address(level, z, x, y) - base)?;
            if memory.len() < at + bytes {
                memory.resize(at + bytes, 0);
            }
            memory[at..at + bytes].copy_from_slice(element);
        }
    }
    // Readers may read the last row up to its pitch, so the memory is padded.
    let padded = memory.len().next_multiple_of(64);
    memory.resize(padded, 0);
    Ok(Region { address: base, bytes: memory })
}
