//! The PRM's rules for surface and sampler states, which a state may break although every field can be read.
//!
//! Rules about a sampler and a surface together are [`PairRule`]s.

use crate::Platform;
use crate::error::What;
use crate::format::{self, TexelKind};
use crate::memory::Layout;
use crate::rules::Violations;
use crate::state::{
    AddressMode, AuxMode, ChannelSelect, FieldMasks, Filter, LodPreclamp, MipFilter, SamplerState,
    SurfaceState, SurfaceType, TileMode, TiledResource,
};

rules! {
    /// The rules of a RENDER_SURFACE_STATE.
    pub enum SurfaceRule {
        ReservedBits = "reserved-bits", "Bits outside of all fields are 0 (Gen9, Gen11).";
        NotOnPlatform = "field-not-on-platform", "Fields that came with Gen11 are 0 on Gen9.";
        Type = "surface-type-reserved", "Surface type 6 is reserved.";
        Format = "format-undefined", "The format is in the SURFACE_FORMAT table.";
        ChannelSelect = "channel-select-reserved", "Channel selects 2 and 3 are reserved.";
        Alignment = "alignment-reserved", "Alignment codes are 1, 2 or 3 (not for buffers, linear 1D and tiled resources).";
        TiledResource = "tiled-resource-reserved", "Tiled resource mode 3 is reserved.";
        TiledResourceKind = "tiled-resource", "A tiled resource is Y-major, 2D, CUBE, 3D or (Gen9) 1D, and has elements of 1, 2, 4, 8 or 16 bytes; Gen9 has no multisampled Yf.";
        TiledResourcePlace = "tiled-resource-place", "A tiled resource has base address, pitch and QPitch in whole tiles.";
        MipTail = "mip-tail", "The levels of a mip tail fit their slots, and each has one; multisampled and planar surfaces have none.";
        AuxMode = "aux-mode-reserved", "Auxiliary surface modes 4, 6 and 7 are reserved.";
        NullTiling = "null-tiling", "A NULL surface is Y-major.";
        BufferLinear = "buffer-linear", "Buffers are linear.";
        BufferSize = "buffer-size", "A typed buffer has at most 2^27 elements.";
        BufferAlignment = "buffer-alignment", "A buffer's base address and pitch are multiples of its element.";
        ArrayFlag = "array-flag", "3D surfaces and buffers are no arrays.";
        WMajor = "w-major", "W-major is for 8-bit formats, until Gen11.";
        TiledBase = "tiled-base", "Tiled surfaces start at a multiple of 4 KiB.";
        LinearBase = "linear-base", "Linear surfaces start at a multiple of their element.";
        LinearOffset = "linear-offset", "X and Y offset are for tiled surfaces.";
        TiledPitch = "tiled-pitch", "The pitch of a tiled surface is a multiple of the tile's width.";
        PitchWidth = "pitch-width", "The pitch holds a row of level 0.";
        QPitchHeight = "qpitch-height", "QPitch holds the rows of level 0 when there is more than one slice.";
        Levels = "levels", "The last level is at most 14 and not past the level of one texel.";
        View = "view", "The view ends within 2048 slices.";
        CubeSquare = "cube-square", "Cubes are as wide as high.";
        CubeFaces = "cube-faces", "A cube has at least one face.";
        BlockType = "block-type", "Block-compressed formats are not for 1D surfaces and buffers.";
        BlockMultisample = "block-multisample", "Block-compressed formats have one sample.";
        SampleCount = "sample-count", "There are 1, 2, 4, 8 or 16 samples.";
        MultisampleType = "multisample-type", "Multisampled surfaces are 2D.";
        MultisampleLevels = "multisample-levels", "Multisampled surfaces have one level, no min LOD and no resource min LOD.";
        AstcTiling = "astc-tiling", "ASTC surfaces are Y-major.";
    }
}

rules! {
    /// The rules of a SAMPLER_STATE.
    pub enum SamplerRule {
        ReservedBits = "reserved-bits", "Bits outside of all fields are 0 (Gen9, Gen11).";
        NotOnPlatform = "field-not-on-platform", "Fields that came with Gen11 are 0 on Gen9.";
        Filter = "filter-reserved", "Filters are nearest, linear, anisotropic or mono.";
        MipFilter = "mip-filter-reserved", "Mip filter 2 is reserved.";
        Preclamp = "lod-preclamp-reserved", "LOD preclamp modes 1 and 3 are reserved.";
        LodRange = "lod-range", "Min and max LOD are at most 14.0.";
        NonNormalizedAddress = "non-normalized-address", "Non-normalized: addresses clamp, to the edge, the border or half of it.";
        NonNormalizedFilter = "non-normalized-filter", "Non-normalized: the filters are nearest or linear.";
        NonNormalizedMip = "non-normalized-mip", "Non-normalized: the mip filter is none.";
        NonNormalizedLod = "non-normalized-lod", "Non-normalized: min LOD, max LOD and bias are 0.";
    }
}

rules! {
    /// The rules of a sampler and a surface together.
    pub enum PairRule {
        NonNormalizedSurface = "non-normalized-surface", "Non-normalized: the surface is 2D or 3D.";
        NonNormalizedLevels = "non-normalized-levels", "Non-normalized: the surface has one level and no min LOD.";
        CubeAddress = "cube-address", "Cubes: the three address modes are the same, CUBE or CLAMP.";
        CubeMode = "cube-mode", "Address mode CUBE is for cubes.";
        Mirror101 = "mirror-101", "Address mode MIRROR_101 is for 2D surfaces.";
        FormatFilter = "format-filter", "Integer and raw formats are not filtered: nearest only.";
        FormatMip = "format-mip", "Integer and raw formats have no linear mip filter.";
        MonoFormat = "mono-format", "The mono filter is for MONO8.";
    }
}

impl SurfaceState {
    /// Returns the rules that this state breaks on `platform`.
    pub fn validate(&self, platform: Platform) -> Violations<SurfaceRule> {
        use SurfaceRule as R;
        let mut broken = Violations::NONE;
        let (reserved, later) = strays::<16>(Self::FIELD_MASKS, &self.dwords, platform);
        broken.add(R::ReservedBits, reserved);
        broken.add(R::NotOnPlatform, later);
        let kind = self.surface_type();
        broken.add(R::Type, kind == SurfaceType::Reserved);
        broken.add(R::NullTiling, kind == SurfaceType::Null && self.tile_mode() != TileMode::YMajor);
        let select = |select| matches!(select, ChannelSelect::Reserved(_));
        broken.add(R::ChannelSelect, self.channel_select().into_iter().any(select));
        if matches!(kind, SurfaceType::Reserved | SurfaceType::Null) {
            return broken;
        }
        broken.add(R::Format, format::info(self.format()).is_none() && self.format().as_astc().is_none());
        broken.add(R::ArrayFlag, self.is_array() && (self.is_buffer() || kind == SurfaceType::D3));
        if self.is_buffer() {
            self.judge_buffer(&mut broken);
        } else {
            self.judge_codes(&mut broken);
            self.judge_place(platform, &mut broken);
            self.judge_tiled_resource(platform, &mut broken);
            self.judge_levels(&mut broken);
        }
        broken
    }

    fn is_astc(&self) -> bool {
        self.format().0 & 0x200 != 0
    }

    fn judge_buffer(&self, broken: &mut Violations<SurfaceRule>) {
        use SurfaceRule as R;
        let typed = self.surface_type() == SurfaceType::Buffer;
        broken.add(R::BufferLinear, self.tile_mode() != TileMode::Linear);
        let Some(info) = format::info(self.format()) else { return };
        let bytes = u32::from(info.bytes);
        broken.add(R::BlockType, info.is_block());
        broken.add(R::BufferSize, typed && bytes > 0 && self.buffer_elements().wrapping_sub(1) >> 27 != 0);
        // The largest power of two that divides the element: an element of three components is aligned only to one component.
        let unit = 1u32.wrapping_shl(bytes.trailing_zeros());
        let off = |value: u64| value & u64::from(unit.wrapping_sub(1)) != 0;
        let misplaced = off(self.base_address()) || off(self.pitch().into());
        broken.add(R::BufferAlignment, typed && bytes > 0 && misplaced);
    }

    /// Checks for reserved codes, and for fields that exclude each other.
    fn judge_codes(&self, broken: &mut Violations<SurfaceRule>) {
        use SurfaceRule as R;
        let linear = self.tile_mode() == TileMode::Linear;
        let in_row = linear && self.surface_type() == SurfaceType::D1;
        let by_tile = self.tiled_resource() != TiledResource::None;
        broken.add(R::Alignment, !in_row && !by_tile && (self.halign() == 0 || self.valign() == 0));
        broken.add(R::TiledResource, matches!(self.tiled_resource(), TiledResource::Reserved(_)));
        let planar = format::Planar::of(self.format()).is_some();
        broken.add(R::AuxMode, !planar && matches!(self.aux_mode(), AuxMode::Reserved(_)));
        broken.add(R::AstcTiling, self.is_astc() && self.tile_mode() != TileMode::YMajor);
        broken.add(R::LinearOffset, linear && (self.x_offset() != 0 || self.y_offset() != 0));
    }

    /// Checks the base address, pitch and QPitch, and which tile modes, surface types and sample counts the format allows.
    fn judge_place(&self, platform: Platform, broken: &mut Violations<SurfaceRule>) {
        use SurfaceRule as R;
        let (tile, kind) = (self.tile_mode(), self.surface_type());
        let base = self.base_address();
        broken.add(R::TiledBase, tile != TileMode::Linear && base & 0xfff != 0);
        let width = if tile == TileMode::XMajor { 512 } else { 128 };
        // The tiles of tiled resources have other widths, which the rule tiled-resource-place checks.
        let plain = tile != TileMode::Linear && self.tiled_resource() == TiledResource::None;
        broken.add(R::TiledPitch, plain && !self.pitch().is_multiple_of(width));
        let Some(info) = format::info(self.format()) else { return };
        let (bytes, block) = (u32::from(info.bytes), u32::from(info.block_width.max(1)));
        broken.add(R::WMajor, tile == TileMode::WMajor && (bytes != 1 || platform > Platform::Gen11));
        broken.add(R::BlockType, info.is_block() && kind == SurfaceType::D1);
        broken.add(R::BlockMultisample, info.is_block() && self.samples() > 1);
        if bytes == 0 {
            return;
        }
        let unit = 1u64.wrapping_shl(bytes.trailing_zeros());
        broken.add(R::LinearBase, tile == TileMode::Linear && base & unit.wrapping_sub(1) != 0);
        if kind == SurfaceType::D1 && tile == TileMode::Linear {
            return;
        }
        // W-major: the pitch in the state is that of two interleaved rows, so each element of a row takes two bytes of it.
        let bytes = if tile == TileMode::WMajor { 2 } else { bytes };
        broken.add(R::PitchWidth, self.pitch() < self.width().div_ceil(block).wrapping_mul(bytes));
        let rows = if kind == SurfaceType::D1 { 1 } else { self.height() };
        let rows = rows.div_ceil(u32::from(info.block_height.max(1)));
        let many = self.depth() > 1
            || self.min_array_element() > 0
            || kind == SurfaceType::Cube
            || self.samples() > 1;
        broken.add(R::QPitchHeight, many && !self.interleaved_samples() && self.qpitch() < rows);
    }

    /// Checks a tiled resource: reports the errors of [`Layout::new`] as rules, and checks that the levels of the mip tail fit their slots.
    fn judge_tiled_resource(&self, platform: Platform, broken: &mut Violations<SurfaceRule>) {
        use SurfaceRule as R;
        let Some(info) = format::info(self.format()) else { return };
        if matches!(self.tiled_resource(), TiledResource::None | TiledResource::Reserved(_)) {
            return;
        }
        match Layout::new(self, info.element(), platform) {
            Ok(layout) => broken.add(R::MipTail, !layout.tail_fits()),
            Err(why) => {
                broken.add(R::TiledResourceKind, why.what() == What::TiledResource);
                broken.add(R::TiledResourcePlace, matches!(why.what(), What::BaseAddress | What::Pitch));
                broken.add(R::MipTail, why.what() == What::MipTail);
            }
        }
    }

    /// Checks sizes, mip levels, the view and the number of samples.
    fn judge_levels(&self, broken: &mut Violations<SurfaceRule>) {
        use SurfaceRule as R;
        let kind = self.surface_type();
        let last = self.surface_min_lod().wrapping_add(self.mip_count()).wrapping_sub(1);
        let largest = match kind {
            SurfaceType::D1 => self.width(),
            SurfaceType::D3 => self.width().max(self.height()).max(self.depth()),
            _ => self.width().max(self.height()),
        };
        broken.add(R::Levels, last > 14 || largest.wrapping_shr(last) == 0);
        let slices = self.min_array_element().wrapping_add(self.depth());
        broken.add(R::View, kind != SurfaceType::Cube && slices > 2048);
        broken.add(R::CubeSquare, kind == SurfaceType::Cube && self.width() != self.height());
        broken.add(R::CubeFaces, kind == SurfaceType::Cube && self.cube_faces() == 0);
        broken.add(R::SampleCount, self.log2_samples() > 4);
        if self.samples() > 1 {
            broken.add(R::MultisampleType, kind != SurfaceType::D2);
            broken.add(R::MultisampleLevels, last > 0 || self.resource_min_lod() > 0);
        }
    }
}

impl SamplerState {
    /// Returns the rules that this state breaks on `platform`.
    pub fn validate(&self, platform: Platform) -> Violations<SamplerRule> {
        use SamplerRule as R;
        let mut broken = Violations::NONE;
        let (reserved, later) = strays::<4>(Self::FIELD_MASKS, &self.dwords, platform);
        broken.add(R::ReservedBits, reserved);
        broken.add(R::NotOnPlatform, later);
        let filters = [self.min_filter(), self.mag_filter()];
        broken.add(R::Filter, filters.iter().any(|filter| matches!(filter, Filter::Reserved(_))));
        broken.add(R::MipFilter, matches!(self.mip_filter(), MipFilter::Reserved(_)));
        broken.add(R::Preclamp, matches!(self.lod_preclamp(), LodPreclamp::Reserved(_)));
        broken.add(R::LodRange, self.min_lod() > 14 << 8 || self.max_lod() > 14 << 8);
        if self.non_normalized() {
            use AddressMode::{Clamp, ClampBorder, HalfBorder};
            let clamps = |mode| matches!(mode, Clamp | ClampBorder | HalfBorder);
            broken.add(R::NonNormalizedAddress, !self.address_modes().into_iter().all(clamps));
            let plain = |filter: &Filter| matches!(filter, Filter::Nearest | Filter::Linear);
            broken.add(R::NonNormalizedFilter, !filters.iter().all(plain));
            broken.add(R::NonNormalizedMip, self.mip_filter() != MipFilter::None);
            let lod = self.min_lod() != 0 || self.max_lod() != 0 || self.lod_bias() != 0;
            broken.add(R::NonNormalizedLod, lod);
        }
        broken
    }

    /// Returns the rules that this sampler breaks together with `surface`.
    pub fn validate_with(&self, surface: &SurfaceState) -> Violations<PairRule> {
        use PairRule as R;
        let mut broken = Violations::NONE;
        let kind = surface.surface_type();
        if self.non_normalized() {
            broken.add(R::NonNormalizedSurface, !matches!(kind, SurfaceType::D2 | SurfaceType::D3));
            let levels = surface.mip_count() > 1 || surface.surface_min_lod() > 0;
            broken.add(R::NonNormalizedLevels, levels);
        }
        let modes = self.address_modes();
        let cube = kind == SurfaceType::Cube;
        let seamless = matches!(modes, [AddressMode::Cube, AddressMode::Cube, AddressMode::Cube]);
        let clamped = matches!(modes, [AddressMode::Clamp, AddressMode::Clamp, AddressMode::Clamp]);
        broken.add(R::CubeAddress, cube && !self.cube_control_override() && !seamless && !clamped);
        broken.add(R::CubeMode, !cube && modes.contains(&AddressMode::Cube));
        broken.add(R::Mirror101, kind != SurfaceType::D2 && modes.contains(&AddressMode::Mirror101));
        let filters = [self.min_filter(), self.mag_filter()];
        let unfiltered = format::info(surface.format()).is_some_and(|info| info.kind != TexelKind::Float);
        broken.add(R::FormatFilter, unfiltered && filters.iter().any(|filter| *filter != Filter::Nearest));
        broken.add(R::FormatMip, unfiltered && self.mip_filter() == MipFilter::Linear);
        let mono = surface.format() == crate::enums::SurfaceFormat::MONO8;
        broken.add(R::MonoFormat, !mono && filters.contains(&Filter::Mono));
        broken
    }
}

/// Returns two flags: whether bits are set that no field covers, and whether bits are set that only fields of later platforms cover.
/// Both are false after Gen11: those platforms have fields that are not in the tables.
fn strays<const N: usize>(masks: &FieldMasks<N>, dwords: &[u32; N], platform: Platform) -> (bool, bool) {
    let outside = |mask: &[u32; N]| dwords.iter().zip(mask).any(|(dword, mask)| dword & mask != 0);
    let (all, gen9) = masks;
    match platform {
        Platform::Gen9 => (outside(&all.map(|mask| !mask)), later(dwords, all, gen9)),
        Platform::Gen11 => (outside(&all.map(|mask| !mask)), false),
        _ => (false, false),
    }
}

fn later<const N: usize>(dwords: &[u32; N], all: &[u32; N], gen9: &[u32; N]) -> bool {
    dwords.iter().zip(all).zip(gen9).any(|((dword, all), gen9)| dword & all & !gen9 != 0)
}

#[cfg(test)]
mod tests;
