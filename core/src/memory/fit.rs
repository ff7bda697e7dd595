//! Makes new surfaces, and chooses their pitches as a driver would.

use super::layout::Layout;
use crate::Platform;
use crate::error::Result;
use crate::format::Element;
use crate::state::{ChannelSelect, SurfaceState, SurfaceType, TileMode, TiledResource};

impl SurfaceState {
    /// Returns the state of a linear surface with one mip level: channels as the format has them, all
    /// faces of a cube, mip levels aligned to 4 elements. `size` is width, height and depth (the number of slices
    /// of an array, or of cubes); sizes that the type does not have are 1.
    pub(crate) fn plain(
        kind: SurfaceType,
        format: crate::enums::SurfaceFormat,
        [width, height, depth]: [u32; 3],
    ) -> Result<Self> {
        use ChannelSelect::{Alpha, Blue, Green, Red};
        let mut state = Self::default();
        let array = matches!(kind, SurfaceType::D1 | SurfaceType::D2 | SurfaceType::Cube);
        state.set_surface_type(kind).set_format(format).set_array(array);
        state.set_width(width)?.set_height(height)?.set_depth(depth)?;
        state.set_halign(4).set_valign(4).set_mip_tail_start(15)?.set_cube_faces(0x3f);
        state.set_channel_select([Red, Green, Blue, Alpha]);
        Ok(state)
    }

    /// Returns the state of a buffer of `elements` elements, `stride` bytes from one to the next.
    pub(crate) fn plain_buffer(
        format: crate::enums::SurfaceFormat,
        elements: u32,
        stride: u32,
    ) -> Result<Self> {
        let mut state = Self::plain(SurfaceType::Buffer, format, [1; 3])?;
        state.set_buffer_elements(elements)?.set_pitch(stride)?;
        Ok(state)
    }

    /// Sets pitch and QPitch to the least values that hold every mip level of every slice (in whole tiles; the stride of
    /// a buffer is not changed), and returns the bytes of memory that the surface takes. Set sizes, format, tile
    /// mode, tiled resource mode and mip tail, mip levels, alignments and samples before.
    ///
    /// # Errors
    /// Those of [`Layout::new`]; `Invalid` pitch when it does not fit its field.
    pub fn fit(&mut self, element: Element, platform: Platform) -> Result<u64> {
        if self.tiled_resource() != TiledResource::None {
            // Any pitches of whole tiles serve until the layout is known.
            self.set_pitch(1 << 18)?.set_qpitch(0)?;
        }
        let layout = Layout::new(self, element, platform)?;
        let bytes = u32::from(element.bytes);
        if self.is_buffer() {
            let last = u64::from(self.buffer_elements().wrapping_sub(1));
            return Ok(last.wrapping_mul(self.pitch().into()).wrapping_add(bytes.into()));
        }
        let (width, height) = layout.slice_extent(self.halign(), self.valign());
        if self.surface_type() == SurfaceType::D1 && self.tile_mode() == TileMode::Linear {
            let width = width.next_multiple_of(4);
            self.set_pitch(1)?.set_qpitch(width)?;
            let elements = u64::from(layout.slices()).wrapping_mul(width.into());
            return Ok(elements.wrapping_mul(bytes.into()));
        }
        let order = layout.order();
        // A field of an interlaced picture takes every second row of the memory.
        let lines = if self.line_stride() != 0 { 2 } else { 1 };
        // Of a tile: the bytes that it adds to the pitch, its rows of memory, and the rows of elements that it holds.
        let (tile, rows, held) = match self.tile_mode() {
            TileMode::Linear => (bytes, u64::from(lines), 1),
            TileMode::XMajor | TileMode::YMajor | TileMode::WMajor => {
                (1_u32 << order.pitch_width(), 1_u64 << order.pitches, 1_u32 << order.rows)
            }
        };
        let row = if self.tile_mode() == TileMode::WMajor {
            width.wrapping_mul(2)
        } else {
            width.wrapping_mul(bytes)
        };
        let whole = self.surface_type() == SurfaceType::D3 || self.tiled_resource() != TiledResource::None;
        // QPitch is a multiple of 4.
        let qpitch = if whole { height.next_multiple_of(held.max(1)) } else { height }.next_multiple_of(4);
        self.set_pitch(row.next_multiple_of(tile.max(1)))?.set_qpitch(qpitch.wrapping_mul(lines))?;
        // The last slice of a surface with one mip level is not padded.
        let last = if layout.levels() > 1 { height } else { layout.slice_extent(0, 0).1 };
        let rows_of_elements = u64::from(layout.tile_slices())
            .wrapping_sub(1)
            .wrapping_mul(qpitch.into())
            .wrapping_add(last.into());
        let tiles = rows_of_elements.div_ceil(held.into());
        Ok(tiles.wrapping_mul(rows).wrapping_mul(self.pitch().into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enums::SurfaceFormat;

    /// States that are made here break no rule.
    #[test]
    fn made_surfaces_are_legal() {
        let format = SurfaceFormat::R16G16B16A16_FLOAT;
        for (kind, size) in [
            (SurfaceType::D1, [100, 1, 4]),
            (SurfaceType::D2, [100, 30, 4]),
            (SurfaceType::D3, [9, 30, 40]),
            (SurfaceType::Cube, [64, 64, 2]),
        ] {
            for tiling in [TileMode::Linear, TileMode::XMajor, TileMode::YMajor] {
                let mut state = SurfaceState::plain(kind, format, size).unwrap();
                state.set_tile_mode(tiling).set_mip_count(5).unwrap().set_base_address(0x4000);
                assert!(state.fit(Element::texel(8), Platform::Gen9).is_ok_and(|bytes| bytes >= 8 * 100 * 4));
                let broken = state.validate(Platform::Gen9);
                assert!(broken.is_empty(), "{broken:?} {state:?}");
            }
        }
        let mut buffer = SurfaceState::plain_buffer(SurfaceFormat::R32_FLOAT, 1000, 12).unwrap();
        assert_eq!(buffer.fit(Element::texel(4), Platform::Gen9), Ok(999 * 12 + 4));
        assert!(buffer.validate(Platform::Gen11).is_empty());
        assert!(
            SurfaceState::plain(SurfaceType::D2, format, [16384, 1, 1])
                .unwrap()
                .fit(Element::texel(32), Platform::Gen9)
                .is_err()
        );
        // The longest row that there is.
        let mut longest = SurfaceState::plain(SurfaceType::D2, format, [16384, 1, 1]).unwrap();
        assert_eq!(longest.fit(Element::texel(16), Platform::Gen9).map(|_| longest.pitch()), Ok(1 << 18));
    }
}
