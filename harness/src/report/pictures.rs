//! Draws surfaces: every level and slice, scaled down.

use super::Figure;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{Rgba, RgbaImage};
use texwire::Platform;
use texwire::format::{FormatDecoder, Texel, TexelKind};
use texwire::memory::{Layout, Memory};
use texwire::state::{SurfaceState, SurfaceType};
use texwire::transfer::Region;

/// The largest width and height of a picture, in pixels.
const SIDE: u32 = 160;
/// The most levels, and slices of a level, that are shown.
const LEVELS: u32 = 12;
const SLICES: u32 = 8;
/// The most bytes of a slice that is read for a picture.
const MOST_BYTES: usize = 64 << 20;

/// Encodes a picture as a PNG file.
pub(super) fn png(caption: &str, picture: &RgbaImage) -> Option<Figure> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    // The drawings have flat colours: without row filters they take half the bytes and 60 % of the time.
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::NoFilter);
    picture.write_with_encoder(encoder).ok()?;
    Some(Figure {
        caption: caption.to_owned(),
        size: [picture.width(), picture.height()],
        png: bytes.into_inner(),
    })
}

/// Returns pictures of the levels and slices of a surface, and notes on what is not shown.
pub(super) fn surface(
    state: &SurfaceState,
    platform: Platform,
    palette: &[u32],
    memory: &dyn Memory,
) -> (Vec<Figure>, Vec<String>) {
    if matches!(state.surface_type(), SurfaceType::Buffer | SurfaceType::Strbuf | SurfaceType::Null) {
        return (Vec::new(), Vec::new());
    }
    let layout = match state.layout(platform) {
        Ok(layout) => layout,
        Err(why) => return (Vec::new(), vec![format!("no pictures: {why}")]),
    };
    let codec = match FormatDecoder::with_palette(state.format(), palette) {
        Ok(codec) => codec.without_srgb(),
        Err(why) => return (Vec::new(), vec![format!("no pictures: {why}")]),
    };
    let (mut images, mut notes) = (Vec::new(), Vec::new());
    for level in 0..layout.levels().min(LEVELS) {
        let slices = layout.level(level).depth;
        for slice in 0..slices.min(SLICES) {
            match part(&layout, &codec, level, slice, memory) {
                Ok(picture) => {
                    let size = layout.level(level);
                    let caption = format!("level {level} slice {slice}, {}x{}", size.width, size.height);
                    images.extend(png(&caption, &picture));
                }
                Err(why) => notes.push(format!("no picture of level {level} slice {slice}: {why}")),
            }
        }
        if slices > SLICES {
            notes.push(format!("slices {SLICES} to {} of level {level} are not shown", slices - 1));
        }
    }
    if layout.levels() > LEVELS {
        notes.push(format!("levels {LEVELS} to {} are not shown", layout.levels() - 1));
    }
    if layout.samples() > 1 {
        notes.push(format!("sample 0 of {}", layout.samples()));
    }
    (images, notes)
}

/// Returns the picture of a slice of a level.
fn part(
    layout: &Layout,
    codec: &FormatDecoder<'_>,
    level: u32,
    slice: u32,
    memory: &dyn Memory,
) -> Result<RgbaImage, String> {
    let say = |why: texwire::Error| why.to_string();
    let region = Region::level(layout, level, slice);
    let (row, rows) = region.rows(layout).map_err(say)?;
    let bytes = row.checked_mul(rows).filter(|bytes| *bytes <= MOST_BYTES);
    let mut elements = vec![0; bytes.ok_or("it is too large")?];
    layout.download(&region, memory, &mut elements, row).map_err(say)?;
    let info = codec.info();
    let (block_width, block_height) = (u32::from(info.block_width), u32::from(info.block_height));
    let texel = |x: u32, y: u32| {
        let at = (y / block_height) as usize * row + (x / block_width) as usize * usize::from(info.bytes);
        let element = elements.get(at..at + usize::from(info.bytes)).unwrap_or_default();
        codec.decode(element, x % block_width, y % block_height)
    };
    let (width, height) = (region.width, region.height);
    let shown = [width.min(SIDE), height.min(SIDE)];
    // A larger slice is scaled down with its proportions kept.
    let scale = f64::from(width.max(height)) / f64::from(SIDE);
    let [columns, lines] = if scale > 1.0 {
        [width, height].map(|side| ((f64::from(side) / scale).round() as u32).max(1))
    } else {
        shown
    };
    let texels: Vec<Texel> = (0..lines)
        .flat_map(|y| (0..columns).map(move |x| (x, y)))
        .map(|(x, y)| {
            let at = |i: u32, of: u32, side: u32| {
                ((u64::from(i) * 2 + 1) * u64::from(side) / (u64::from(of) * 2)) as u32
            };
            texel(at(x, columns, width), at(y, lines, height))
        })
        .collect();
    let largest = largest(&texels, info.kind);
    let mut picture = RgbaImage::new(columns, lines);
    for (pixel, texel) in picture.pixels_mut().zip(&texels) {
        *pixel = colour(texel, info.channels, info.kind, largest);
    }
    Ok(picture)
}

/// Returns the value that is drawn as white: the largest finite value of any channel, at least 1.
fn largest(texels: &[Texel], kind: TexelKind) -> f64 {
    let values = texels.iter().flatten().map(|bits| value(*bits, kind)).filter(|v| v.is_finite());
    values.fold(1.0, f64::max)
}

fn value(bits: u32, kind: TexelKind) -> f64 {
    match kind {
        TexelKind::Float => f64::from(f32::from_bits(bits)),
        TexelKind::Sint => f64::from(bits as i32),
        TexelKind::Uint | TexelKind::Raw => f64::from(bits),
    }
}

/// Returns a texel as an opaque colour; a single red or alpha channel as grey.
fn colour(texel: &Texel, channels: u8, kind: TexelKind, largest: f64) -> Rgba<u8> {
    let byte = |channel: usize| {
        let value = value(texel[channel], kind);
        if value.is_nan() { 0 } else { (value / largest * 255.0).round().clamp(0.0, 255.0) as u8 }
    };
    match channels & 15 {
        0b0001 => Rgba([byte(0), byte(0), byte(0), 255]),
        0b1000 => Rgba([byte(3), byte(3), byte(3), 255]),
        _ => Rgba([byte(0), byte(1), byte(2), 255]),
    }
}
