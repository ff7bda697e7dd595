//! Paints what a sampler setting does: every pixel is a lane of a `sample` message.

use super::grid::Grid;
use crate::image_argument::BoundPicture;
use font8x8::UnicodeFonts;
use image::{Rgba, RgbaImage};
use texwire::Platform;
use texwire::memory::LinearMemory;
use texwire::message::{Message, Op, Param, Payload};
use texwire::sample;
use texwire::state::SamplerState;

type Error = Box<dyn std::error::Error>;

/// How the texture is placed in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Camera {
    /// Facing the viewer, three times as wide and high as the texture: shows the address mode.
    Flat,
    /// A few texels in close-up: shows the magnification filter.
    Close,
    /// A floor that goes to the horizon: shows the LOD, the mip filter and anisotropy.
    Floor,
    /// All directions around a cube: longitude across, latitude down.
    Panorama,
}

/// What to paint.
#[derive(Clone, Copy, Debug)]
pub struct Painting<'a> {
    /// The texture.
    pub texture: &'a BoundPicture,
    /// The sampler.
    pub sampler: SamplerState,
    /// The border colour, four 32-bit floats.
    pub border: [f32; 4],
    /// How the texture is placed.
    pub view: Camera,
    /// `Some`: explicit LOD at the left and the right edge; `None`: the LOD of the derivatives.
    pub lod: Option<[f32; 2]>,
    /// Filter arithmetic.
    pub precision: sample::Precision,
    /// The pixels of the picture.
    pub grid: Grid,
}

impl Painting<'_> {
    /// Executes the messages and returns the picture.
    ///
    /// # Errors
    /// The states do not bind.
    pub fn paint(&self) -> Result<RgbaImage, Error> {
        let texture = sample::Texture::bind(&self.texture.state, Platform::Gen11)?;
        let sampler = sample::Sampler::bind(&self.sampler, &self.border.map(f32::to_bits))?;
        let sampler = sampler.with_precision(self.precision);
        let memory = LinearMemory { base: self.texture.memory.address, bytes: &self.texture.memory.bytes };
        let mut message = Message::new(if self.lod.is_some() { Op::SampleL } else { Op::Sample });
        message.simd = self.grid.simd as u8;
        message.params = message.params.min(4);
        let mut picture = RgbaImage::new(self.grid.width, self.grid.height);
        let mut writeback = vec![0; usize::from(message.response().len)];
        for origin in self.grid.origins() {
            message.lanes = self.grid.lanes(origin);
            let lanes: Vec<Vec<u8>> = message.present().iter().map(|&p| self.lanes(p, origin)).collect();
            let mut payload = Payload::new();
            for lane in &lanes {
                payload.push(lane)?;
            }
            texture.execute(&message, &payload, &sampler, &memory, &mut writeback)?;
            for lane in (0..self.grid.simd).filter(|lane| message.lanes >> lane & 1 == 1) {
                let (x, y) = Grid::pixel(origin, lane);
                let colour = |channel: u32| {
                    let at = channel as usize * usize::from(message.response().stride) + lane as usize * 4;
                    let bytes = writeback.get(at..at + 4).map_or([0; 4], |b| [b[0], b[1], b[2], b[3]]);
                    (f32::from_le_bytes(bytes).clamp(0.0, 1.0) * 255.0).round() as u8
                };
                picture.put_pixel(x, y, Rgba([colour(0), colour(1), colour(2), 255]));
            }
        }
        Ok(picture)
    }

    fn lanes(&self, param: Param, origin: (u32, u32)) -> Vec<u8> {
        let value = |lane| {
            let (x, y) = Grid::pixel(origin, lane);
            let at = [(x as f32 + 0.5) / self.grid.width as f32, (y as f32 + 0.5) / self.grid.height as f32];
            self.value(param, at)
        };
        (0..self.grid.simd).flat_map(|lane| value(lane).to_le_bytes()).collect()
    }

    fn value(&self, param: Param, at: [f32; 2]) -> f32 {
        let [u, v, r] = self.coordinates(at);
        match param {
            Param::U => u,
            Param::V => v,
            Param::R => r,
            Param::Lod => self.lod.map_or(0.0, |[left, right]| left + (right - left) * at[0]),
            _ => 0.0,
        }
    }

    /// Returns the texture coordinates at a position in the picture, 0..1 from the upper left corner.
    fn coordinates(&self, [x, y]: [f32; 2]) -> [f32; 3] {
        match self.view {
            Camera::Flat => [x * 3.0 - 1.0, y * 3.0 - 1.0, 0.0],
            Camera::Close => [0.42 + x * 0.035, 0.30 + y * 0.052, 0.0],
            Camera::Floor => {
                let depth = 1.0 / (y + 0.04);
                [(x - 0.5) * depth * 1.2 + 0.5, 1.0 - depth * 0.9, 0.0]
            }
            Camera::Panorama => {
                let (longitude, latitude) =
                    ((x - 0.5) * std::f32::consts::TAU, (0.5 - y) * std::f32::consts::PI);
                [longitude.sin() * latitude.cos(), latitude.sin(), longitude.cos() * latitude.cos()]
            }
        }
    }
}

/// Draws pictures side by side, each with a line of text below; alpha is ignored, so that transparent pictures can be seen.
pub fn contact_sheet(pictures: &[(String, RgbaImage)], columns: u32) -> RgbaImage {
    const CAPTION: u32 = 14;
    const GAP: u32 = 6;
    let (width, height) = pictures.first().map_or((1, 1), |(_, picture)| picture.dimensions());
    let rows = (pictures.len() as u32).div_ceil(columns);
    let size = (columns * (width + GAP) + GAP, rows * (height + CAPTION + GAP) + GAP);
    let mut sheet = RgbaImage::from_pixel(size.0, size.1, Rgba([255; 4]));
    for (index, (caption, picture)) in pictures.iter().enumerate() {
        let x = GAP + index as u32 % columns * (width + GAP);
        let y = GAP + index as u32 / columns * (height + CAPTION + GAP);
        for (dx, dy, pixel) in picture.enumerate_pixels() {
            let [red, green, blue, _] = pixel.0;
            if x + dx < sheet.width() && y + dy < sheet.height() {
                sheet.put_pixel(x + dx, y + dy, Rgba([red, green, blue, 255]));
            }
        }
        write(&mut sheet, x, y + height + 3, caption);
    }
    sheet
}

/// Writes text in letters of 8x8 pixels.
fn write(picture: &mut RgbaImage, x: u32, y: u32, text: &str) {
    for (index, letter) in text.chars().enumerate() {
        let Some(rows) = font8x8::BASIC_FONTS.get(letter) else { continue };
        for (dy, row) in rows.iter().enumerate() {
            for dx in (0..8).filter(|dx| row >> dx & 1 == 1) {
                let (px, py) = (x + index as u32 * 8 + dx, y + dy as u32);
                if px < picture.width() && py < picture.height() {
                    picture.put_pixel(px, py, Rgba([40, 40, 40, 255]));
                }
            }
        }
    }
}
