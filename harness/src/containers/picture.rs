//! The contents of textures: a format, a size, and the elements of every level and slice, made from picture files.

use super::limits::PictureLimits;
use image::codecs::jpeg::JpegDecoder;
use image::codecs::png::PngDecoder;
use image::imageops::{self, FilterType};
use image::{DynamicImage, ImageDecoder, RgbaImage};
use std::io::Cursor;
use texwire::enums::SurfaceFormat;

/// A texture's contents, tightly packed, level by level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Format of the elements.
    pub format: SurfaceFormat,
    /// Width of level 0, in texels.
    pub width: u32,
    /// Height of level 0, in texels.
    pub height: u32,
    /// Array layers, or z slices of level 0.
    pub slices: u32,
    /// The slices are those of a volume: each level has half as many as the one before.
    pub volume: bool,
    /// For each level, the elements of its slices, row by row, one slice after another.
    pub levels: Vec<Vec<u8>>,
}

/// Parses a PNG or JPEG (recognised by its first bytes) as RGBA, 8 bits a channel.
///
/// # Errors
/// The bytes are neither, or the picture is larger than `limits`.
pub fn parse_picture(bytes: &[u8], limits: PictureLimits) -> Result<RgbaImage, Box<dyn std::error::Error>> {
    match bytes {
        [0xff, 0xd8, 0xff, ..] => parse_with(JpegDecoder::new(Cursor::new(bytes))?, limits),
        _ => parse_png(bytes, limits),
    }
}

/// Parses a PNG as RGBA, 8 bits a channel.
///
/// # Errors
/// The bytes are not a PNG, or the picture is larger than `limits`.
pub fn parse_png(bytes: &[u8], limits: PictureLimits) -> Result<RgbaImage, Box<dyn std::error::Error>> {
    parse_with(PngDecoder::new(Cursor::new(bytes))?, limits)
}

/// Decodes a picture after checking its size.
fn parse_with(
    decoder: impl ImageDecoder,
    limits: PictureLimits,
) -> Result<RgbaImage, Box<dyn std::error::Error>> {
    let (width, height) = decoder.dimensions();
    limits.size([width, height, 1])?;
    // The larger of the pixels as the file has them and as RGBA of 8 bits a channel.
    let pixels = u64::from(width) * u64::from(height);
    limits.decoded(Some(decoder.total_bytes().max(pixels * 4)))?;
    Ok(DynamicImage::from_decoder(decoder)?.into_rgba8())
}

/// Returns `picture` halved `times` times.
pub fn shrink(picture: &RgbaImage, times: u32) -> RgbaImage {
    let size = |n: u32| n.checked_shr(times).unwrap_or(0).max(1);
    imageops::resize(picture, size(picture.width()), size(picture.height()), FilterType::Triangle)
}

/// Returns the picture in other colours: its colour channels are rotated `turns` times.
fn tinted(picture: &RgbaImage, turns: usize) -> RgbaImage {
    let mut picture = picture.clone();
    for pixel in picture.pixels_mut() {
        pixel.0[..3].rotate_left(turns % 3);
    }
    picture
}

/// How many layers or slices a texture has if there are fewer pictures.
const MIN_SLICES: usize = 3;

impl Picture {
    /// Makes a mipmapped 2D texture.
    pub fn flat(picture: &RgbaImage) -> Self {
        Self::stack(std::slice::from_ref(picture), false)
    }

    /// Makes a mipmapped array (or volume) of the pictures, scaled to the size of the first one; if they are
    /// too few, they are repeated in other colours.
    pub fn layers(pictures: &[RgbaImage], volume: bool) -> Self {
        let Some(first) = pictures.first() else { return Self::flat(&RgbaImage::new(1, 1)) };
        let count = pictures.len().max(MIN_SLICES);
        let slices: Vec<_> = (0..count)
            .map(|index| {
                let source = &pictures[index % pictures.len()];
                let source = imageops::resize(source, first.width(), first.height(), FilterType::Triangle);
                tinted(&source, index / pictures.len())
            })
            .collect();
        Self::stack(&slices, volume)
    }

    /// Makes a cube whose faces are the picture's middle square in different colours; every other face is rotated by 180 degrees.
    pub fn cube(picture: &RgbaImage) -> Self {
        let side = picture.width().min(picture.height());
        let (x, y) = ((picture.width() - side) / 2, (picture.height() - side) / 2);
        let square = imageops::crop_imm(picture, x, y, side, side).to_image();
        let turned = |index: usize| {
            if index.is_multiple_of(2) { square.clone() } else { imageops::rotate180(&square) }
        };
        let faces: Vec<_> = (0..6).map(|index| tinted(&turned(index), index / 2)).collect();
        Self::stack(&faces, false)
    }

    /// Makes a 1D texture: the picture's middle row.
    pub fn line(picture: &RgbaImage) -> Self {
        let row = imageops::crop_imm(picture, 0, picture.height() / 2, picture.width(), 1).to_image();
        Self::flat(&row)
    }

    /// Makes a depth texture: the picture's luminance as 32-bit floats.
    pub fn depth(picture: &RgbaImage) -> Self {
        let luma = imageops::grayscale(picture);
        let texels = luma.pixels().flat_map(|p| (f32::from(p.0[0]) / 255.0).to_le_bytes()).collect();
        Self {
            format: SurfaceFormat::R32_FLOAT,
            width: luma.width(),
            height: luma.height(),
            slices: 1,
            volume: false,
            levels: vec![texels],
        }
    }

    /// Makes the planes of `count` samples: the slices of level 0, repeated as often as needed.
    pub fn samples(picture: &Self, count: u32) -> Self {
        let level = picture.levels.first().map_or(&[][..], Vec::as_slice);
        let slice = level.len() / picture.slices.max(1) as usize;
        let planes = level.chunks_exact(slice.max(1)).cycle().take(count as usize);
        Self { slices: count, volume: false, levels: vec![planes.flatten().copied().collect()], ..*picture }
    }

    fn stack(slices: &[RgbaImage], volume: bool) -> Self {
        let (width, height) = slices[0].dimensions();
        let mut depth = slices.len() as u32;
        let mut current = slices.to_vec();
        let mut levels = vec![packed(&current)];
        let (mut w, mut h) = (width, height);
        while w > 1 || h > 1 {
            (w, h) = ((w / 2).max(1), (h / 2).max(1));
            if volume {
                depth = (depth / 2).max(1);
                current = current.chunks(2).take(depth as usize).map(mean).collect();
            }
            current =
                current.iter().map(|slice| imageops::resize(slice, w, h, FilterType::Triangle)).collect();
            levels.push(packed(&current));
        }
        let slices = slices.len() as u32;
        Self { format: SurfaceFormat::R8G8B8A8_UNORM, width, height, slices, volume, levels }
    }

    /// Returns the width and height of `level` in texels, and the number of its slices.
    pub fn size(&self, level: u32) -> [u32; 3] {
        let minify = |n: u32| n.checked_shr(level).unwrap_or(0).max(1);
        [minify(self.width), minify(self.height), if self.volume { minify(self.slices) } else { self.slices }]
    }
}

/// Returns the mean of one or two slices of the same size.
fn mean(slices: &[RgbaImage]) -> RgbaImage {
    let mut mean = slices[0].clone();
    if let [_, second] = slices {
        for (a, b) in mean.iter_mut().zip(second.iter()) {
            *a = u16::midpoint(u16::from(*a), u16::from(*b)) as u8;
        }
    }
    mean
}

fn packed(slices: &[RgbaImage]) -> Vec<u8> {
    slices.iter().flat_map(|slice| slice.as_raw().iter().copied()).collect()
}

impl Picture {
    /// Returns the bytes of one slice of `level`: whole blocks, tightly packed.
    ///
    /// # Errors
    /// The format has no elements of one size.
    pub fn slice_bytes(&self, level: u32) -> Result<usize, String> {
        let [columns, rows, bytes] = self.elements(level)?;
        Ok(columns * rows * bytes)
    }

    /// Returns the bytes of all levels and slices; `None` if the number overflows.
    ///
    /// # Errors
    /// The format has no elements of one size.
    pub fn bytes(&self) -> Result<Option<u64>, String> {
        let mut sum = Some(0u64);
        for level in 0..self.levels.len() as u32 {
            let bytes = self.elements(level)?.into_iter().try_fold(1u64, |n, m| n.checked_mul(m as u64));
            let bytes = bytes.and_then(|bytes| bytes.checked_mul(self.size(level)[2].into()));
            sum = sum.zip(bytes).and_then(|(sum, bytes)| sum.checked_add(bytes));
        }
        Ok(sum)
    }

    /// Returns the elements (texels or blocks) of a row, the rows of elements, and the bytes of an element.
    fn elements(&self, level: u32) -> Result<[usize; 3], String> {
        let unsized_format = || format!("format {:?} has no element size", self.format);
        let info =
            texwire::format::info(self.format).filter(|info| info.bytes > 0).ok_or_else(unsized_format)?;
        let [width, height, _] = self.size(level);
        let columns = width.div_ceil(u32::from(info.block_width)) as usize;
        let rows = height.div_ceil(u32::from(info.block_height)) as usize;
        Ok([columns, rows, usize::from(info.bytes)])
    }
}
