//! Maps the pixels of a picture to lanes of messages.
//!
//! The subspans of a message are side by side: SIMD8 covers 4x2 pixels, SIMD16 8x2. The lanes of a subspan are its upper
//! left, upper right, lower left and lower right pixel.

/// A grid of pixels, executed `simd` lanes at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Lanes of a message: 8, 16 or 32.
    pub simd: u32,
}

impl Grid {
    /// Returns the upper left pixel of each message, row by row.
    pub fn origins(self) -> impl Iterator<Item = (u32, u32)> {
        let step = self.simd / 2;
        let rows = (0..self.height).step_by(2);
        rows.flat_map(move |y| (0..self.width).step_by(step as usize).map(move |x| (x, y)))
    }

    /// Returns the pixel of a lane.
    pub fn pixel(origin: (u32, u32), lane: u32) -> (u32, u32) {
        (origin.0 + lane / 4 * 2 + lane % 2, origin.1 + lane / 2 % 2)
    }

    /// Returns the mask of the lanes whose pixels are inside the grid.
    pub fn lanes(self, origin: (u32, u32)) -> u32 {
        let inside = |lane: &u32| {
            let (x, y) = Self::pixel(origin, *lane);
            x < self.width && y < self.height
        };
        (0..self.simd).filter(inside).map(|lane| 1 << lane).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_once() {
        for (width, height, simd) in [(451, 300, 8), (7, 5, 16), (1, 1, 32)] {
            let grid = Grid { width, height, simd };
            let mut seen = vec![0; (width * height) as usize];
            for origin in grid.origins() {
                let lanes = grid.lanes(origin);
                for lane in (0..simd).filter(|lane| lanes >> lane & 1 == 1) {
                    let (x, y) = Grid::pixel(origin, lane);
                    seen[(y * width + x) as usize] += 1;
                }
            }
            assert!(seen.iter().all(|&n| n == 1));
        }
    }
}
