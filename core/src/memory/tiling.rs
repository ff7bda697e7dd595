//! Tilings: the order of elements in memory.
//!
//! A tile is 4 KiB (Ys: 64 KiB); tiles are in rows; the size of a row of tiles is `pitch` times its physical rows.
//!
//! | tiling | width (bytes) | rows | inside: address bits 11:0 |
//! |---|---|---|---|
//! | X-major | 512 | 8 | y2:0, x8:0 |
//! | Y-major | 128 | 32 | x6:4, y4:0, x3:0 |
//! | W-major | 64 | 64 (stored as 32 of 128) | x5:3, y5:3, y2, x2, y1, x1, y0, x0 |
//! | Yf, Ys | by element size, dimension and samples | | [`order`](super::order) |
//!
//! Elements of 3, 6, 12 and 24 bytes are three components, each of a power of two of bytes; in X- and
//! Y-major surfaces an element can cross the edge of a tile or of a column in a tile, a component cannot.
//! An element of 32 bytes takes two columns.

use super::order::{TileOrder, deposit};
use super::{Access, Memory};
use crate::state::TileMode;

/// The elements of one slice of one mip level: a rectangle of elements in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Plane {
    /// The address that offsets count from. Linear: element (0, 0); else the first tile of
    /// the row of tiles that the plane starts in.
    pub base: u64,
    /// Bytes from row to row. Linear 1D surfaces have the bytes of an element here (their QPitch counts elements), buffers 0.
    pub pitch: u32,
    /// Bytes from element to element in a row.
    pub bytes: u32,
    /// Bytes of an element: the same as `bytes`, except for buffers.
    pub(super) size: u32,
    /// The plane's first element, counted from `base`; (0, 0) when linear.
    origin: (u32, u32),
    order: TileOrder,
    /// The bits of offsets in tiles that come from the slice or the sample number.
    pub(crate) slice_bits: u16,
}

impl Plane {
    /// Returns the plane whose element (0, 0) is element (x, y) of this plane.
    pub(super) fn inner(self, x: u32, y: u64) -> Self {
        if self.order.is_linear() {
            let skip = y.wrapping_mul(self.pitch.into());
            let skip = skip.wrapping_add(u64::from(x).wrapping_mul(self.bytes.into()));
            return Self { base: self.base.wrapping_add(skip), ..self };
        }
        let y = y.wrapping_add(self.origin.1.into());
        let rows = self.order.rows & 31;
        let skip = (y >> rows).wrapping_mul(self.tile_row());
        let origin = (x.wrapping_add(self.origin.0), (y & ((1 << rows) - 1)) as u32);
        Self { base: self.base.wrapping_add(skip), origin, ..self }
    }

    /// Returns the same plane in slice `slice` of its tiles (3D and multisampled tiled resources).
    pub(super) fn in_slice(self, slice: u32) -> Self {
        Self { slice_bits: deposit(slice, self.order.z) as u16, ..self }
    }

    /// Returns the rows with even numbers, or those with odd numbers if `odd`, as a plane of their own.
    pub(super) fn every_second_row(self, odd: bool) -> Self {
        let (order, apart) = self.order.every_second_row();
        let (pitch, apart) = if self.order.is_linear() {
            (self.pitch.wrapping_mul(2), self.pitch)
        } else {
            (self.pitch, apart)
        };
        let skip = if odd { u64::from(apart) } else { 0 };
        Self { base: self.base.wrapping_add(skip), pitch, order, ..self }
    }

    /// Returns the plane of elements twice as wide that begins at element (x, y) of this plane. `None` if that is in the
    /// middle of a wide element: in an odd column of a tiled surface.
    pub(crate) fn pairs(self, x: u32, y: u32) -> Option<Self> {
        let from = self.inner(x, y.into());
        let (column, row) = from.origin;
        let origin = (column >> 1, row);
        let wide =
            Self { bytes: from.bytes.wrapping_mul(2), size: from.size.wrapping_mul(2), origin, ..from };
        (column & 1 == 0).then_some(wide)
    }

    /// Returns column and row of the plane's element (0, 0), counted from `base`; (0, 0) when linear.
    pub(crate) const fn origin(&self) -> (u32, u32) {
        self.origin
    }

    /// Returns the plane of a whole surface that starts at `base`.
    pub const fn surface(base: u64, pitch: u32, bytes: u32, tiling: TileMode) -> Self {
        Self::with_order(base, pitch, bytes, TileOrder::of(tiling))
    }

    /// Returns the plane of a whole surface with tiles of an order.
    pub(super) const fn with_order(base: u64, pitch: u32, bytes: u32, order: TileOrder) -> Self {
        Self { base, pitch, bytes, size: bytes, origin: (0, 0), order, slice_bits: 0 }
    }

    /// Returns the order of bytes in its tiles.
    pub(crate) const fn order(&self) -> &TileOrder {
        &self.order
    }

    /// Returns the bytes of a row of tiles.
    #[inline]
    pub(crate) const fn tile_row(&self) -> u64 {
        (self.pitch as u64).wrapping_shl(self.order.pitches as u32)
    }

    /// Returns the bytes from [`base`](Self::base) to element (x, y) of the plane. Linear: `y * pitch +
    /// x * bytes`.
    #[inline]
    pub fn offset(&self, x: u32, y: u32) -> u64 {
        self.byte_offset(x, y, 0)
    }

    /// Returns the address of element (x, y) of the plane.
    #[inline]
    pub fn address(&self, x: u32, y: u32) -> u64 {
        self.byte_address(x, y, 0)
    }

    /// Returns the address of byte `byte` of element (x, y) of the plane.
    #[inline]
    pub(crate) fn byte_address(&self, x: u32, y: u32, byte: u32) -> u64 {
        self.base.wrapping_add(self.byte_offset(x, y, byte))
    }

    /// Returns the bytes from [`base`](Self::base) to byte `byte` of element (x, y).
    #[inline]
    fn byte_offset(&self, x: u32, y: u32, byte: u32) -> u64 {
        let (tile, inside) = self.place(x, y, byte);
        tile.wrapping_add(inside.into())
    }

    /// Returns the bytes from [`base`](Self::base) to the tile (linear: the element) that holds byte `byte` of element (x, y), and the
    /// bytes from there to that byte.
    #[inline]
    fn place(&self, x: u32, y: u32, byte: u32) -> (u64, u32) {
        if self.order.is_linear() {
            let (row, column) = (u64::from(y) * u64::from(self.pitch), u64::from(x) * u64::from(self.bytes));
            return (row.wrapping_add(column), byte);
        }
        self.in_tile(x, y, byte)
    }

    /// [`place`](Self::place) for a tiled plane.
    // inline(never): callers then inline only the linear case.
    #[inline(never)]
    fn in_tile(&self, x: u32, y: u32, byte: u32) -> (u64, u32) {
        let x = x.wrapping_add(self.origin.0).wrapping_mul(self.bytes).wrapping_add(byte);
        let y = y.wrapping_add(self.origin.1);
        let order = &self.order;
        let inside = deposit(x, order.x) | deposit(y, order.y) | u32::from(self.slice_bits);
        let row = u64::from(y.wrapping_shr(order.rows.into())).wrapping_mul(self.tile_row());
        let column = u64::from(x.wrapping_shr(order.columns.into())).wrapping_shl(order.log2());
        (row.wrapping_add(column), inside)
    }

    /// Returns the bytes from [`base`](Self::base) to the end of the last of `width` times `height`
    /// elements: the length to call [`Memory::slice`] with.
    pub fn span(&self, width: u32, height: u32) -> u64 {
        let (Some(x), Some(y)) = (width.checked_sub(1), height.checked_sub(1)) else { return 0 };
        let (tile, inside) = self.place(x, y, self.size.saturating_sub(1));
        if self.order.is_linear() {
            return tile.wrapping_add(inside.into()).wrapping_add(1);
        }
        // An earlier element may be nearer to the end of the last tile. (If the pitch is not a multiple of a
        // tile's width, tiles overlap: the last tile still ends last.)
        tile.wrapping_add(1_u64.wrapping_shl(self.order.log2()))
    }

    /// Whether every element is contiguous in memory. Tiled elements of three components are not, nor are
    /// those that are wider than a column of a Y-major tile, 16 bytes.
    #[inline]
    pub const fn is_contiguous(&self) -> bool {
        self.order.is_linear() || self.bytes == self.piece()
    }

    /// Returns the number of bytes of an element that are always contiguous in a tile.
    pub(crate) const fn piece(&self) -> u32 {
        let (element, columns) = (self.bytes.trailing_zeros(), self.order.x.trailing_ones());
        1_u32.wrapping_shl(if element < columns { element } else { columns })
    }

    /// Reads `out.len()` bytes of element (x, y), at most its size. `out` is zero unless the
    /// result is [`Access::Mapped`].
    #[inline]
    pub fn read<M: Memory + ?Sized>(&self, memory: &M, x: u32, y: u32, out: &mut [u8]) -> Access {
        let access = if self.is_contiguous() {
            memory.read(self.address(x, y), out)
        } else {
            self.read_pieces(memory, x, y, out)
        };
        if access != Access::Mapped {
            out.fill(0);
        }
        access
    }

    fn read_pieces<M: Memory + ?Sized>(&self, memory: &M, x: u32, y: u32, out: &mut [u8]) -> Access {
        let size = self.piece();
        let mut worst = Access::Mapped;
        for (index, part) in (0u32..).zip(out.chunks_mut(size as usize)) {
            match memory.read(self.byte_address(x, y, index.wrapping_mul(size)), part) {
                Access::Mapped => {}
                Access::NullPage => worst = Access::NullPage,
                Access::Fault => return Access::Fault,
            }
        }
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::LinearMemory;

    fn plane(tiling: TileMode, pitch: u32, bytes: u32) -> Plane {
        Plane::surface(0x1_0000, pitch, bytes, tiling)
    }

    /// The corners of tiles, and one step to every side of them.
    #[test]
    fn offsets() {
        let cases = [
            (TileMode::Linear, 1000, 4, 3, 2, 2012),
            (TileMode::XMajor, 1024, 4, 127, 7, 0xffc),
            (TileMode::XMajor, 1024, 4, 128, 0, 0x1000),
            (TileMode::XMajor, 1024, 4, 0, 8, 0x2000),
            (TileMode::YMajor, 256, 4, 3, 31, 0x1fc),
            (TileMode::YMajor, 256, 4, 4, 0, 0x200),
            (TileMode::YMajor, 256, 4, 32, 0, 0x1000),
            (TileMode::YMajor, 256, 4, 0, 32, 0x2000),
            (TileMode::WMajor, 256, 1, 1, 0, 1),
            (TileMode::WMajor, 256, 1, 0, 1, 2),
            (TileMode::WMajor, 256, 1, 4, 4, 0x30),
            (TileMode::WMajor, 256, 1, 0, 8, 0x40),
            (TileMode::WMajor, 256, 1, 8, 0, 0x200),
            (TileMode::WMajor, 256, 1, 63, 63, 0xfff),
            (TileMode::WMajor, 256, 1, 64, 0, 0x1000),
            (TileMode::WMajor, 256, 1, 0, 64, 0x2000),
        ];
        for (tiling, pitch, bytes, x, y, offset) in cases {
            assert_eq!(plane(tiling, pitch, bytes).offset(x, y), offset, "{tiling:?} ({x}, {y})");
        }
    }

    /// The elements of a tile take every byte of it exactly once.
    #[test]
    fn tiles_are_permutations() {
        for (tiling, width, rows) in
            [(TileMode::XMajor, 512, 8), (TileMode::YMajor, 128, 32), (TileMode::WMajor, 64, 64)]
        {
            let mut seen = [false; 4096];
            for (x, y) in (0..rows).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let offset = plane(tiling, 512, 1).offset(x, y) as usize;
                assert!(!core::mem::replace(&mut seen[offset], true), "{tiling:?} {offset}");
            }
        }
    }

    /// A pair has the address of its first element, in any tile; no pair starts in the middle of another.
    #[test]
    fn pairs_are_two_elements() {
        for tiling in [TileMode::Linear, TileMode::XMajor, TileMode::YMajor] {
            let plane = plane(tiling, 1024, 1);
            for (x, y) in [(0, 0), (6, 3), (130, 37), (514, 70)] {
                let pairs = plane.pairs(x, y).unwrap();
                for (i, j) in [(0, 0), (5, 1), (64, 9), (100, 40)] {
                    assert_eq!(
                        pairs.address(i, j),
                        plane.address(x + 2 * i, y + j),
                        "{tiling:?} {x} {y} {i} {j}"
                    );
                }
            }
        }
        assert!(plane(TileMode::YMajor, 1024, 1).pairs(3, 0).is_none());
        assert_eq!(plane(TileMode::Linear, 1024, 1).pairs(0, 0).unwrap().span(4, 1), 8);
        assert_eq!(plane(TileMode::Linear, 1024, 1).pairs(3, 1).unwrap().address(0, 0), 0x1_0403);
    }

    /// A 12-byte element lies across two 16-byte columns of a Y-major tile.
    #[test]
    fn components_are_gathered() {
        let mut bytes = std::vec![0u8; 0x1000];
        bytes[12..16].copy_from_slice(&[1, 2, 3, 4]);
        bytes[512..520].copy_from_slice(&[5, 6, 7, 8, 9, 10, 11, 12]);
        let memory = LinearMemory { base: 0x1_0000, bytes: &bytes };
        let mut out = [0; 12];
        assert_eq!(plane(TileMode::YMajor, 128, 12).read(&memory, 1, 0, &mut out), Access::Mapped);
        assert_eq!(out, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
        assert_eq!(plane(TileMode::YMajor, 128, 12).read(&memory, 1, 40, &mut out), Access::Fault);
        assert_eq!(out, [0; 12]);
    }
}
