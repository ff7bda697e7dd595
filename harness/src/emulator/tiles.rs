//! The standard tiles Yf (4 KiB) and Ys (64 KiB) of tiled resources, letter by letter (astc-and-tiles page, sections 4.1, 4.2 and 4.4).

/// The letters of an offset in a 2D tile, bit 15 first, by the bits of an element: 8, 16, 32, 64, 128.
const FLAT: [&str; 5] = [
    "XYXY XYXY YYYY XXXX",
    "XYXY XYXY XYYY XXXX",
    "XYXY XYXY XYYY XXXX",
    "XYXY XYXY XXYY XXXX",
    "XYXY XYXY XXYY XXXX",
];
/// The same for 3D.
const VOLUME: [&str; 5] = [
    "XYZX YZYZ ZZYY XXXX",
    "XYZX YZYZ ZZYY XXXX",
    "XYZX YZXY ZZYY XXXX",
    "XYZX YZXX ZZYY XXXX",
    "XYZX YZXX ZZYY XXXX",
];
/// The same for 1D (Gen9), of elements of any size.
const ROW: &str = "XXXX XXXX XXXX XXXX";

/// Byte offsets of the slots of the mip tail in a 1D tile (Ys; the tail of Yf begins with the fifth slot).
const ROW_TAIL: &str = "32768 16384 8192 4096 2048 1024 768 512 448 384 320 256 192 128 64 0";
/// The same for 2D: Gen9, then Gen11.
const FLAT_TAIL: [&str; 2] = [
    "32768 16384 8192 4096 2048 1536 1280 1024 768 512 256 192 128 64 0",
    "32768 16384 8192 4096 2048 1536 1280 1024 768 512 256 0 64 128 192",
];
/// The same for 3D: Gen9, then Gen11, each by the bits of an element.
const VOLUME_TAIL: [[&str; 5]; 2] = [
    [
        "32768 16384 8192 4096 2048 1024 768 512 448 384 320 256 192 128 64 0",
        "32768 16384 8192 4096 2048 1024 768 512 448 384 320 256 192 128 64 0",
        "32768 16384 8192 4096 2048 1024 768 256 704 640 576 512 192 128 64 0",
        "32768 16384 8192 4096 2048 1024 768 512 448 384 320 256 192 128 64 0",
        "32768 16384 8192 4096 2048 1024 768 512 448 384 320 256 192 128 64 0",
    ],
    [
        "32768 16384 8192 4096 2048 1032 1536 1024 520 8 512 260 256 4 0",
        "32768 16384 8192 4096 2048 1032 1536 1024 520 8 512 260 256 4 0",
        "32768 16384 8192 4096 2048 1536 1280 1024 768 512 256 136 128 8 0",
        "32768 16384 8192 4096 2048 1536 1056 1024 544 512 32 384 128 256 0",
        "32768 16384 8192 4096 2048 1536 1056 1024 544 512 32 384 128 256 0",
    ],
];

/// A tile: which coordinate gives each bit of an offset, and where the levels of a mip tail are.
#[derive(Clone, Debug)]
pub struct Tile {
    /// `X` byte column, `Y` row, `Z` slice, `S` sample; the letter of bit 0 first.
    letters: Vec<char>,
    element: u64,
    tail: Vec<u64>,
}

impl Tile {
    /// Makes the tile of Yf (`large` false) or Ys for elements of `element` bytes, on surfaces of 1 to 3 `dimensions` whose tiles
    /// hold `samples` samples; `None` unless elements have 1, 2, 4, 8 or 16 bytes. `later`: a platform after Gen9.
    pub fn new(large: bool, dimensions: u32, element: u64, samples: u64, later: bool) -> Option<Self> {
        let size = [1, 2, 4, 8, 16].iter().position(|bytes| *bytes == element)?;
        let (letters, tail) = match dimensions {
            1 => (ROW, ROW_TAIL),
            2 => (FLAT[size], FLAT_TAIL[usize::from(later)]),
            _ => (VOLUME[size], VOLUME_TAIL[usize::from(later)][size]),
        };
        let mut letters: Vec<char> = letters.chars().filter(|c| *c != ' ').collect();
        if !large {
            letters.drain(..4);
        }
        for letter in letters.iter_mut().take(samples.ilog2() as usize) {
            *letter = 'S';
        }
        letters.reverse();
        let slots = tail.split(' ').map(|slot| slot.parse().expect("a number"));
        let tail = slots.skip(if large { 0 } else { 4 }).collect();
        Some(Self { letters, element, tail })
    }

    /// Returns the bytes of the tile.
    pub fn bytes(&self) -> u64 {
        1 << self.letters.len()
    }

    /// Returns the extent of the tile along the coordinates `letter`: byte columns, rows, slices or samples.
    fn reach(&self, letter: &[char]) -> u64 {
        1 << self.letters.iter().filter(|c| letter.contains(c)).count()
    }

    /// Returns the width in bytes.
    pub fn width(&self) -> u64 {
        self.reach(&['X'])
    }

    /// Returns the width in elements.
    pub fn columns(&self) -> u64 {
        self.width() / self.element
    }

    /// Returns the height in elements.
    pub fn rows(&self) -> u64 {
        self.reach(&['Y'])
    }

    /// Returns the number of slices of a 3D surface, or of samples, in the tile.
    pub fn depth(&self) -> u64 {
        self.reach(&['Z', 'S'])
    }

    /// Returns the offset in the tile of a byte column, row, and slice or sample (section 4.2).
    pub fn offset(&self, x: u64, y: u64, z: u64) -> u64 {
        let mut left = [x, y, z];
        let mut offset = 0;
        for (bit, letter) in self.letters.iter().enumerate() {
            let which = match letter {
                'X' => 0,
                'Y' => 1,
                _ => 2,
            };
            offset += (left[which] % 2) << bit;
            left[which] /= 2;
        }
        offset
    }

    /// Returns column (of elements), row and slice of the slot of level number `level` of the mip tail; `None` past the last slot
    /// (section 4.4).
    pub fn slot(&self, level: u64) -> Option<(u64, u64, u64)> {
        let mut offset = *self.tail.get(level as usize)?;
        let (mut at, mut weight) = ([0, 0, 0], [1, 1, 1]);
        for letter in &self.letters {
            let which = "XYZ".find(*letter).unwrap_or(2);
            at[which] += offset % 2 * weight[which];
            weight[which] *= 2;
            offset /= 2;
        }
        Some((at[0] / self.element, at[1], at[2]))
    }
}
