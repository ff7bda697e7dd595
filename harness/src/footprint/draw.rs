//! Draws footprints as a picture: the texels of each mip level that lanes read, with lanes and weights.

use super::LaneFootprint;
use crate::containers::picture::Picture;
use image::{Rgba, RgbaImage};
use std::collections::{BTreeMap, BTreeSet};
use texwire::device::Tap;

/// Width and height of a texel, in pixels.
const CELL: u32 = 44;
/// Texels shown around a footprint, on each side.
const MARGIN: u32 = 2;
/// The most texels of a footprint that a panel shows along an axis, without the margin.
const MOST: u32 = 40;
/// Height of a line of text, and distance between panels, in pixels.
const LINE: u32 = 12;
const GAP: u32 = 8;
/// Width of a lane's name in the legend, in pixels.
const LEGEND: u32 = 9 * 8;
/// Colours of the lanes' outlines, in turn.
const COLOURS: [[u8; 3]; 8] = [
    [230, 40, 40],
    [40, 90, 230],
    [20, 150, 60],
    [200, 60, 200],
    [230, 130, 0],
    [0, 160, 170],
    [120, 80, 40],
    [90, 90, 90],
];

/// The most weights written into a texel.
const WEIGHTS: usize = 3;

/// A row of panels: its name, and the lane numbers with their footprints.
pub type PanelRow<'a> = (&'a str, &'a [(usize, LaneFootprint)]);

/// A picture of footprints.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// R8G8B8A8.
    pub image: RgbaImage,
    /// The lanes that read texels outside the drawn windows (too far from the first ones), in ascending order.
    pub cut: Vec<usize>,
}

/// Draws the texels of each row's footprints: a panel for each level and slice, each texel outlined in the colours of the
/// lanes that read it, with their weights (`+2`: two more); numbers at the edges are texel columns and rows. Texels have the
/// colours of `picture` if it is R8G8B8A8_UNORM, else a checkerboard's.
pub fn draw(rows: &[PanelRow<'_>], picture: Option<&Picture>) -> Drawing {
    let mut windows = BTreeMap::<(u32, u32), Window>::new();
    let taps = || {
        let lanes = rows.iter().flat_map(|(_, lanes)| *lanes);
        lanes.flat_map(|(number, lane)| lane.taps.iter().map(move |tap| (*number, tap)))
    };
    for (_, tap) in taps() {
        let window = windows.entry((tap.level, tap.slice)).or_insert(Window::at(tap));
        window.include(tap);
    }
    let numbers: Vec<usize> =
        rows.first().map_or_else(Vec::new, |(_, lanes)| lanes.iter().map(|(number, _)| *number).collect());
    let mut canvas = Canvas::new(&windows, rows.len() as u32, numbers.len() as u32);
    let mut y = GAP;
    for (name, lanes) in rows {
        let mut x = GAP;
        for ((level, slice), window) in &windows {
            let caption = format!("level {level} slice {slice} {name}");
            canvas.panel([x, y], (*level, *slice), window, lanes, picture);
            canvas.text(x, y, &caption, [0; 3]);
            x += window.width() + GAP;
        }
        y += canvas.row;
    }
    canvas.legend(y, &numbers);
    let shown = |tap: &Tap| windows.get(&(tap.level, tap.slice)).is_some_and(|window| window.shows(tap));
    let cut: BTreeSet<usize> = taps().filter(|(_, tap)| !shown(tap)).map(|(number, _)| number).collect();
    Drawing { image: canvas.image, cut: cut.into_iter().collect() }
}

/// The texels of a level that a panel shows.
#[derive(Clone, Copy, Debug)]
struct Window {
    first: [u32; 2],
    last: [u32; 2],
}

impl Window {
    const fn at(tap: &Tap) -> Self {
        Self { first: [tap.x, tap.y], last: [tap.x, tap.y] }
    }

    fn include(&mut self, tap: &Tap) {
        for (axis, at) in [tap.x, tap.y].into_iter().enumerate() {
            let first = self.first[axis].min(at);
            let last = self.last[axis].max(at);
            // Texels that would make the window larger than `MOST` are not shown.
            if last - first < MOST {
                (self.first[axis], self.last[axis]) = (first, last);
            }
        }
    }

    /// Returns the first texel that is shown along an axis, and how many are shown.
    const fn shown(&self, axis: usize) -> (u32, u32) {
        let first = self.first[axis].saturating_sub(MARGIN);
        (first, self.last[axis] + MARGIN + 1 - first)
    }

    /// Returns whether the window shows the texel of a tap.
    fn shows(&self, tap: &Tap) -> bool {
        [tap.x, tap.y].into_iter().enumerate().all(|(axis, at)| {
            let (first, count) = self.shown(axis);
            (first..first + count).contains(&at)
        })
    }

    /// Returns the width of the panel in pixels, with the row numbers on the left.
    fn width(&self) -> u32 {
        // A caption has 32 letters at most.
        (4 * 8 + self.shown(0).1 * CELL).max(32 * 8)
    }

    const fn height(&self) -> u32 {
        3 * LINE + self.shown(1).1 * CELL
    }
}

struct Canvas {
    image: RgbaImage,
    /// Height of a row of panels, in pixels.
    row: u32,
}

impl Canvas {
    fn new(windows: &BTreeMap<(u32, u32), Window>, rows: u32, lanes: u32) -> Self {
        let width = windows.values().map(|window| window.width() + GAP).sum::<u32>() + GAP;
        let row = windows.values().map(Window::height).max().unwrap_or(LINE) + GAP;
        let width = width.max(24 * 8);
        let legend = lanes.div_ceil(Self::legend_columns(width)) * LINE;
        let image = RgbaImage::from_pixel(width, rows * row + legend + LINE + GAP, Rgba([255; 4]));
        Self { image, row }
    }

    fn panel(
        &mut self,
        [left, top]: [u32; 2],
        (level, slice): (u32, u32),
        window: &Window,
        lanes: &[(usize, LaneFootprint)],
        picture: Option<&Picture>,
    ) {
        let ((first_x, columns), (first_y, rows)) = (window.shown(0), window.shown(1));
        let (left, top) = (left + 4 * 8, top + 2 * LINE);
        let size = size(picture, level);
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            let (x, y) = (first_x + column, first_y + row);
            let inside = size.is_none_or(|[width, height]| x < width && y < height);
            if inside {
                let colour = colour(picture, level, slice, [x, y]);
                self.fill([left + column * CELL, top + row * CELL], [CELL - 1, CELL - 1], colour);
            }
        }
        for column in 0..columns {
            self.text(left + column * CELL + 4, top - LINE, &(first_x + column).to_string(), [110; 3]);
        }
        for row in 0..rows {
            self.text(left - 4 * 8, top + row * CELL + 18, &(first_y + row).to_string(), [110; 3]);
        }
        // If several lanes read a texel, their outlines are nested and their weights are stacked on top of the outlines.
        let mut texels = BTreeMap::<[u32; 2], Vec<(usize, &Tap)>>::new();
        for (number, lane) in lanes {
            let of = lane.taps.iter().filter(|tap| (tap.level, tap.slice) == (level, slice));
            for tap in of.filter(|tap| window.shows(tap)) {
                texels.entry([tap.x, tap.y]).or_default().push((*number, tap));
            }
        }
        for ([x, y], taps) in texels {
            let at = [left + (x - first_x) * CELL, top + (y - first_y) * CELL];
            let mut readers: Vec<usize> = taps.iter().map(|(number, _)| *number).collect();
            readers.dedup();
            for (inset, number) in readers.into_iter().take(7).enumerate() {
                self.outline(at, inset as u32 * 2, of_lane(number));
            }
            self.weights(at, &taps);
        }
    }

    /// Writes the weights that lanes give to a texel; if they are more than [`WEIGHTS`], a count replaces the last ones.
    fn weights(&mut self, [x, y]: [u32; 2], taps: &[(usize, &Tap)]) {
        let named = if taps.len() > WEIGHTS { WEIGHTS - 1 } else { taps.len() };
        let mut line = y + 5;
        for (number, tap) in &taps[..named] {
            self.text(x + 5, line, &weight(tap), of_lane(*number));
            line += LINE;
        }
        if named < taps.len() {
            self.text(x + 5, line, &format!("+{}", taps.len() - named), [0; 3]);
        }
    }

    /// Returns how many lanes fit in a line of the legend.
    fn legend_columns(width: u32) -> u32 {
        ((width - GAP) / LEGEND).max(1)
    }

    /// Draws the legend: the names of the lanes in their colours.
    fn legend(&mut self, y: u32, lanes: &[usize]) {
        let columns = Self::legend_columns(self.image.width());
        for (index, lane) in (0..).zip(lanes) {
            let (column, line) = (index % columns, index / columns);
            self.text(GAP + column * LEGEND, y + line * LINE, &format!("lane {lane}"), of_lane(*lane));
        }
    }

    /// Draws a square outline two pixels wide, `inset` pixels inside the texel.
    fn outline(&mut self, [x, y]: [u32; 2], inset: u32, [r, g, b]: [u8; 3]) {
        let end = CELL - 2 - inset;
        for a in inset..=end {
            for b2 in [inset, inset + 1, end - 1, end] {
                self.put(x + a, y + b2, Rgba([r, g, b, 255]));
                self.put(x + b2, y + a, Rgba([r, g, b, 255]));
            }
        }
    }

    fn fill(&mut self, [x, y]: [u32; 2], [width, height]: [u32; 2], colour: Rgba<u8>) {
        for (dy, dx) in (0..height).flat_map(|dy| (0..width).map(move |dx| (dy, dx))) {
            self.put(x + dx, y + dy, colour);
        }
    }

    /// Draws text in letters of 8x8 pixels on white.
    fn text(&mut self, x: u32, y: u32, text: &str, [r, g, b]: [u8; 3]) {
        for (index, letter) in (0..).zip(text.chars()) {
            let Some(rows) = font8x8::UnicodeFonts::get(&font8x8::BASIC_FONTS, letter) else { continue };
            for (dy, row) in (0..).zip(rows) {
                for dx in 0..8 {
                    let colour = if row >> dx & 1 == 1 { [r, g, b, 255] } else { [255; 4] };
                    self.put(x + index * 8 + dx, y + dy, Rgba(colour));
                }
            }
        }
    }

    fn put(&mut self, x: u32, y: u32, colour: Rgba<u8>) {
        if x < self.image.width() && y < self.image.height() {
            self.image.put_pixel(x, y, colour);
        }
    }
}

const fn of_lane(number: usize) -> [u8; 3] {
    COLOURS[number % COLOURS.len()]
}

/// Returns a weight in at most four letters, or for channels G, B and A of gather4 the channel's letter and the weight.
fn weight(tap: &Tap) -> String {
    if tap.channel != 0 {
        return format!("{} {:.0}", ['R', 'G', 'B', 'A'][usize::from(tap.channel & 3)], tap.weight);
    }
    let text = format!("{:.3}", tap.weight);
    text.strip_prefix('0').unwrap_or(&text).chars().take(4).collect()
}

/// Returns the width and height of a mip level of the picture in texels; `None` without a picture.
fn size(picture: Option<&Picture>, level: u32) -> Option<[u32; 2]> {
    let picture = picture?;
    Some([picture.width, picture.height].map(|size| (size >> level).max(1)))
}

fn colour(picture: Option<&Picture>, level: u32, slice: u32, [x, y]: [u32; 2]) -> Rgba<u8> {
    let of_picture = || {
        let ([width, height], picture) = (size(picture, level)?, picture?);
        if picture.format != texwire::enums::SurfaceFormat::R8G8B8A8_UNORM {
            return None;
        }
        let at = ((slice as usize * height as usize + y as usize) * width as usize + x as usize) * 4;
        let texel = picture.levels.get(level as usize)?.get(at..at + 4)?;
        Some(Rgba([texel[0], texel[1], texel[2], 255]))
    };
    let light = if (x + y).is_multiple_of(2) { 236 } else { 216 };
    of_picture().unwrap_or(Rgba([light, light, light, 255]))
}
