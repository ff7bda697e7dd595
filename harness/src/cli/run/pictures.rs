//! The pictures that a run binds to image arguments.

use crate::cli::inputs;
use crate::containers::device_binary::ImageType;
use crate::containers::limits::PictureLimits;
use crate::containers::picture::{Picture, parse_picture};
use crate::containers::texture_file;
use crate::image_argument;
use image::RgbaImage;
use std::path::PathBuf;

/// The bundled picture.
const DEMO_PICTURE: &[u8] = include_bytes!("../../../corpus/images/chelsea.png");

/// The pictures and textures to bind to image arguments.
pub(super) struct Pictures {
    /// Pictures of pixels: any image type can be made of them.
    pub(super) pixels: Vec<RgbaImage>,
    /// Where `pixels` come from, for messages.
    pixel_names: Vec<String>,
    /// Textures in their own format, for the image arguments that fit, with the names of their files.
    textures: Vec<(Picture, String)>,
}

impl Pictures {
    /// Reads the picture files `images`, with the bundled picture if none of them has pixels, and halves pictures of pixels `shrink`
    /// times.
    pub(super) fn open(
        images: &[PathBuf],
        limits: PictureLimits,
        shrink: u32,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let mut pictures = Self { pixels: Vec::new(), pixel_names: Vec::new(), textures: Vec::new() };
        for path in images {
            let (bytes, name) = (inputs::read(path)?, path.display().to_string());
            let what = |why: Box<dyn std::error::Error>| format!("picture at {}: {why}", path.display());
            match bytes.as_slice() {
                [b'D', b'D', b'S', b' ', ..] => {
                    pictures.textures.push((texture_file::parse_dds(&bytes, limits).map_err(what)?, name));
                }
                [0xab, b'K', b'T', b'X', ..] => {
                    pictures.textures.push((texture_file::parse_ktx2(&bytes, limits).map_err(what)?, name));
                }
                _ => {
                    pictures.pixels.push(parse_picture(&bytes, limits).map_err(what)?);
                    pictures.pixel_names.push(name);
                }
            }
        }
        if pictures.pixels.is_empty() {
            pictures.pixels.push(parse_picture(DEMO_PICTURE, PictureLimits::default())?);
            let why = if images.is_empty() { "" } else { " (no --image fits this type)" };
            pictures.pixel_names.push(format!("the bundled picture{why}"));
        }
        for picture in &mut pictures.pixels {
            if shrink > 0 {
                *picture = crate::containers::picture::shrink(picture, shrink);
            }
        }
        Ok(pictures)
    }

    /// Returns the contents for an image argument and the name of their source: the first texture that fits the type, in its own
    /// format, else one made of the pictures of pixels.
    pub(super) fn contents(&self, kind: ImageType) -> Result<(Picture, String), String> {
        let fits = |picture: &Picture| match kind.name() {
            "2d" => !picture.volume && picture.slices == 1,
            "2d_array" => !picture.volume,
            "3d" => picture.volume,
            _ => false,
        };
        if let Some(texture) = self.textures.iter().find(|(picture, _)| fits(picture)) {
            return Ok(texture.clone());
        }
        let made = image_argument::contents(kind, &self.pixels)
            .ok_or_else(|| format!("no picture for an image of type {}", kind.name()))?;
        Ok((made, self.pixel_names.join(", ")))
    }
}
