//! Tiled resources: standard tiles of 4 KiB (Yf) and 64 KiB (Ys), and the conditions that a surface must meet.

use super::order::{TileOrder, TileShape};
use super::tail::{self, TailSlots};
use crate::Platform;
use crate::error::{Error, Kind, Result, What};
use crate::format::Element;
use crate::format::Planar;
use crate::state::{SurfaceState, SurfaceType, TileMode, TiledResource};

/// The tile and the mip tail of a tiled resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) struct Tiled {
    pub(super) order: TileOrder,
    log2_bytes: u8,
    /// The first mip level of the mip tail; past the last mip level if there is no tail.
    tail_start: u8,
    /// The slot of that mip level.
    first_slot: u8,
    slots: &'static TailSlots,
}

/// Mip Tail Start LOD of surfaces without a tail.
pub(super) const NO_TAIL: u32 = 15;

impl Tiled {
    /// Returns the tiled resource of a state; `None` if it has no tiled resource mode.
    ///
    /// # Errors
    /// See [`Layout::new`](super::Layout::new).
    pub(super) fn of(state: &SurfaceState, element: Element, platform: Platform) -> Result<Option<Self>> {
        let mode = state.tiled_resource();
        let refuse = |kind, what| Error::new(kind, what).at(20).bit(18).value(u64::from(mode.code()));
        let log2_tile = match mode {
            TiledResource::None => return Ok(None),
            TiledResource::Yf => 12,
            TiledResource::Ys => 16,
            TiledResource::Reserved(_) => return Err(refuse(Kind::Reserved, What::TiledResource)),
        };
        let kind = state.surface_type();
        let samples = state.log2_samples();
        let whole = element.bytes.is_power_of_two() && element.bytes <= 16;
        if state.tile_mode() != TileMode::YMajor || state.is_buffer() || !whole {
            return Err(refuse(Kind::Invalid, What::TiledResource));
        }
        let planes = !state.interleaved_samples() && kind == SurfaceType::D2;
        let (dimensions, shape) = match kind {
            SurfaceType::D1 if platform > Platform::Gen9 => {
                return Err(refuse(Kind::NotOnPlatform, What::TiledResource));
            }
            SurfaceType::D1 => (1, TileShape::Row),
            SurfaceType::D3 => (3, TileShape::Box),
            // The vendor's two libraries disagree about layers and samples in tiles of 4 KiB on Gen9.
            _ if planes && samples > 0 && log2_tile == 12 && platform == Platform::Gen9 => {
                return Err(refuse(Kind::NotOnPlatform, What::TiledResource));
            }
            _ => (2, TileShape::Rectangle { log2_samples: if planes { samples.min(4) as u8 } else { 0 } }),
        };
        let log2_bytes = element.bytes.trailing_zeros() as u8;
        let tiled = Self {
            order: TileOrder::standard(log2_tile, log2_bytes, shape),
            log2_bytes,
            tail_start: state.mip_tail_start().min(NO_TAIL) as u8,
            first_slot: if log2_tile == 12 { 4 } else { 0 },
            slots: tail::slots(platform, dimensions, log2_bytes),
        };
        tiled.check_place(state)?;
        tiled.check_tail(state)?;
        Ok(Some(tiled))
    }

    /// Checks that base address, pitch and QPitch are of whole tiles.
    fn check_place(&self, state: &SurfaceState) -> Result<()> {
        let places = [
            (What::BaseAddress, 32, state.base_address(), self.order.log2()),
            (What::Pitch, 12, state.pitch().into(), self.order.columns.into()),
            (What::Pitch, 4, state.qpitch().into(), self.order.rows.into()),
        ];
        for (what, at, value, log2) in places {
            if value & (1_u64.wrapping_shl(log2)).wrapping_sub(1) != 0 {
                return Err(Error::new(Kind::Invalid, what).at(at).bit(0).value(value));
            }
        }
        Ok(())
    }

    /// Checks that every mip level of the mip tail has a slot.
    fn check_tail(&self, state: &SurfaceState) -> Result<()> {
        let last = state.surface_min_lod().wrapping_add(state.mip_count()).wrapping_sub(1);
        let start = u32::from(self.tail_start);
        if start == NO_TAIL || last < start {
            return Ok(());
        }
        let refuse = |kind| Err(Error::new(kind, What::MipTail).at(20).bit(8).value(start.into()));
        if state.samples() > 1 || Planar::of(state.format()).is_some() {
            return refuse(Kind::Invalid);
        }
        let slot = last.wrapping_sub(start).wrapping_add(self.first_slot.into());
        match self.slots.get(slot as usize) {
            Some(&offset) if offset != tail::NONE => Ok(()),
            _ => refuse(Kind::Reserved),
        }
    }

    /// Returns the columns and rows of elements in a tile.
    pub(super) fn extent(&self) -> (u32, u32) {
        let columns = 1_u32.wrapping_shl(self.order.columns.saturating_sub(self.log2_bytes).into());
        (columns, 1_u32.wrapping_shl(self.order.rows.into()))
    }

    /// Whether mip level `level` is in the mip tail.
    pub(super) fn has_tail_level(&self, level: u32) -> bool {
        let start = u32::from(self.tail_start);
        start != NO_TAIL && level >= start
    }

    /// Returns the mip level at whose position `level` is stored (the first one of the mip tail, or `level` itself), and the offset of
    /// `level` from there: column, row and slice of its slot.
    pub(super) fn slot(&self, level: u32) -> (u32, [u32; 3]) {
        let start = u32::from(self.tail_start);
        if !self.has_tail_level(level) {
            return (level, [0; 3]);
        }
        let slot = level.wrapping_sub(start).wrapping_add(self.first_slot.into());
        let offset = self.slots.get(slot as usize).copied().unwrap_or(0);
        let [x, y, z] = self.order.position(offset.into());
        (start, [x.wrapping_shr(self.log2_bytes.into()), y, z])
    }
}
