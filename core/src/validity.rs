//! The PRM's rules that a state may break although every field can be read.
//!
//! Rules that speak of a sampler and a surface together are [`PairRule`]s.

use crate::Platform;
use crate::error::What;
use crate::format::{self, TexelKind};
use crate::memory::Layout;
use crate::rules::Violations;
use crate::state::{
    AddressMode, AuxMode, ChannelSelect, Covered, Filter, LodPreclamp, MipFilter, SamplerState, SurfaceState,
    SurfaceType, TileMode, TiledResource,
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
    /// The rules that this state breaks on `platform`.
    pub fn validate(&self, platform: Platform) -> Violations<SurfaceRule> {
        use SurfaceRule as R;
        let mut broken = Violations::NONE;
        let (reserved, later) = strays::<16>(Self::COVERED, &self.dwords, platform);
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
        // The unit is a component: elements of three are not aligned to all of it.
        let unit = 1u32.wrapping_shl(bytes.trailing_zeros());
        let off = |value: u64| value & u64::from(unit.wrapping_sub(1)) != 0;
        let misplaced = off(self.base_address()) || off(self.pitch().into());
        broken.add(R::BufferAlignment, typed && bytes > 0 && misplaced);
    }

    /// Codes that are reserved, and flags that exclude each other.
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

    /// Base address, pitches and format.
    fn judge_place(&self, platform: Platform, broken: &mut Violations<SurfaceRule>) {
        use SurfaceRule as R;
        let (tile, kind) = (self.tile_mode(), self.surface_type());
        let base = self.base_address();
        broken.add(R::TiledBase, tile != TileMode::Linear && base & 0xfff != 0);
        let width = if tile == TileMode::XMajor { 512 } else { 128 };
        // Standard tiles have widths of their own: the rule tiled-resource-place is about those.
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
        // W-major rows are half of what the state's pitch counts: two rows interleaved.
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

    /// What [`Layout::new`] says of a tiled resource, and that levels fit their slots.
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

    /// Sizes, levels, view, samples.
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
    /// The rules that this state breaks on `platform`.
    pub fn validate(&self, platform: Platform) -> Violations<SamplerRule> {
        use SamplerRule as R;
        let mut broken = Violations::NONE;
        let (reserved, later) = strays::<4>(Self::COVERED, &self.dwords, platform);
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

    /// The rules that this sampler breaks together with a surface.
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

/// Whether bits are set that no field covers, and that only later platforms' fields cover.
/// Platforms after Gen11 have fields that are not in the tables: nothing is said of them.
fn strays<const N: usize>(covered: &Covered<N>, dwords: &[u32; N], platform: Platform) -> (bool, bool) {
    let outside = |mask: &[u32; N]| dwords.iter().zip(mask).any(|(dword, mask)| dword & mask != 0);
    let (all, gen9) = covered;
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
mod tests {
    use super::*;
    use crate::enums::SurfaceFormat;
    use crate::rules::Rule;
    use crate::state::{BorderColor, ReductionType};
    use std::vec::Vec;

    fn surface() -> SurfaceState {
        let mut state = SurfaceState::default();
        state
            .set_surface_type(SurfaceType::D2)
            .set_array(true)
            .set_format(SurfaceFormat::R8G8B8A8_UNORM)
            .set_halign(4)
            .set_valign(4)
            .set_tile_mode(TileMode::YMajor)
            .set_width(100)
            .unwrap()
            .set_height(60)
            .unwrap()
            .set_depth(3)
            .unwrap()
            .set_pitch(512)
            .unwrap()
            .set_qpitch(96)
            .unwrap()
            .set_mip_count(7)
            .unwrap()
            .set_base_address(0x1234_5000);
        state
    }

    fn names<R: Rule>(broken: Violations<R>) -> Vec<&'static str> {
        broken.map(R::name).collect()
    }

    /// A change to a legal surface breaks exactly one rule.
    #[test]
    fn surface_rules() {
        type Change = fn(&mut SurfaceState) -> &mut SurfaceState;
        let changes: &[(&str, Change)] = &[
            ("reserved-bits", |s| {
                s.dwords[5] |= 1 << 12;
                s
            }),
            ("surface-type-reserved", |s| s.set_surface_type(SurfaceType::Reserved)),
            ("format-undefined", |s| s.set_format(SurfaceFormat(0x1f0))),
            ("channel-select-reserved", |s| s.set_select_red(ChannelSelect::Reserved(2))),
            ("alignment-reserved", |s| s.set_halign(0)),
            ("tiled-resource-reserved", |s| s.set_tiled_resource(TiledResource::Reserved(3))),
            ("aux-mode-reserved", |s| s.set_aux_mode(AuxMode::Reserved(4))),
            ("null-tiling", |s| s.set_surface_type(SurfaceType::Null).set_tile_mode(TileMode::XMajor)),
            ("array-flag", |s| s.set_surface_type(SurfaceType::D3)),
            ("w-major", |s| s.set_tile_mode(TileMode::WMajor)),
            ("tiled-base", |s| s.set_base_address(0x1800)),
            ("linear-base", |s| s.set_tile_mode(TileMode::Linear).set_base_address(2)),
            ("linear-offset", |s| s.set_tile_mode(TileMode::Linear).set_x_offset(4).unwrap()),
            ("tiled-pitch", |s| s.set_pitch(500).unwrap()),
            ("pitch-width", |s| s.set_pitch(384).unwrap()),
            ("qpitch-height", |s| s.set_qpitch(56).unwrap()),
            ("levels", |s| s.set_mip_count(8).unwrap()),
            ("view", |s| s.set_min_array_element(2046).unwrap()),
            ("cube-square", |s| s.set_surface_type(SurfaceType::Cube).set_cube_faces(63)),
            ("cube-faces", |s| {
                s.set_surface_type(SurfaceType::Cube).set_height(100).unwrap().set_qpitch(100).unwrap()
            }),
            ("block-type", |s| s.set_surface_type(SurfaceType::D1).set_format(SurfaceFormat::BC1_UNORM)),
            ("block-multisample", |s| {
                s.set_format(SurfaceFormat::BC1_UNORM).set_samples(4).unwrap().set_mip_count(1).unwrap()
            }),
            ("sample-count", |s| s.set_log2_samples(5).unwrap().set_mip_count(1).unwrap()),
            ("multisample-type", |s| {
                s.set_samples(2).unwrap().set_mip_count(1).unwrap().set_surface_type(SurfaceType::D1)
            }),
            ("multisample-levels", |s| s.set_samples(8).unwrap()),
            ("astc-tiling", |s| s.set_format(SurfaceFormat(0x240)).set_tile_mode(TileMode::XMajor)),
        ];
        assert_eq!(names(surface().validate(Platform::Gen11)), [""; 0]);
        for (name, change) in changes {
            let mut state = surface();
            assert_eq!(names(change(&mut state).validate(Platform::Gen11)), [*name]);
        }
        let mut state = surface();
        let mut linear = surface();
        linear.set_tile_mode(TileMode::Linear);
        assert_eq!(names(linear.validate(Platform::Gen11)), [""; 0]);
        assert_eq!(names(linear.set_valign(0).validate(Platform::Gen11)), ["alignment-reserved"]);
        assert_eq!(
            names(linear.set_valign(4).set_pitch(399).unwrap().validate(Platform::Gen11)),
            ["pitch-width"]
        );
        // A linear row has no alignment, a tiled one has; its levels are those of its width.
        let mut row = surface();
        row.set_surface_type(SurfaceType::D1).set_halign(0);
        assert_eq!(names(row.validate(Platform::Gen11)), ["alignment-reserved"]);
        assert_eq!(names(row.set_tile_mode(TileMode::Linear).validate(Platform::Gen11)), [""; 0]);
        assert_eq!(names(row.set_width(63).unwrap().validate(Platform::Gen11)), ["levels"]);
        assert_eq!(names(surface().set_min_array_element(2045).unwrap().validate(Platform::Gen11)), [""; 0]);
        // Fifteen levels of the widest surface, and not one more.
        let mut wide = surface();
        wide.set_width(16384).unwrap().set_pitch(65536).unwrap().set_mip_count(15).unwrap();
        assert_eq!(names(wide.validate(Platform::Gen11)), [""; 0]);
        assert_eq!(names(wide.set_surface_min_lod(1).unwrap().validate(Platform::Gen11)), ["levels"]);
        // One slice needs no distance to the next; the samples of one texel are slices, unless interleaved.
        let mut slices = surface();
        slices.set_array(false).set_depth(1).unwrap().set_mip_count(1).unwrap().set_qpitch(56).unwrap();
        assert_eq!(names(slices.validate(Platform::Gen11)), [""; 0]);
        let mut second = slices;
        assert_eq!(
            names(second.set_min_array_element(1).unwrap().validate(Platform::Gen11)),
            ["qpitch-height"]
        );
        for samples in [2, 4] {
            slices.set_samples(samples).unwrap().set_interleaved_samples(false);
            assert_eq!(names(slices.validate(Platform::Gen11)), ["qpitch-height"]);
            assert_eq!(names(slices.set_interleaved_samples(true).validate(Platform::Gen11)), [""; 0]);
        }
        // W-major is for bytes, until Gen11.
        let mut stencil = surface();
        stencil.set_tile_mode(TileMode::WMajor).set_format(SurfaceFormat::R8_UINT);
        assert_eq!(names(stencil.validate(Platform::Gen11)), [""; 0]);
        assert_eq!(names(stencil.validate(Platform::XeLp)), ["w-major"]);
        assert_eq!(names(state.set_unorm_path(true).validate(Platform::Gen9)), ["field-not-on-platform"]);
        assert_eq!(names(state.validate(Platform::Gen11)), [""; 0]);
    }

    #[test]
    fn tiled_resource_rules() {
        type Change = fn(&mut SurfaceState) -> &mut SurfaceState;
        let mut resource = surface();
        resource.set_tiled_resource(TiledResource::Yf).set_mip_tail_start(15).unwrap().set_halign(0);
        let changes: &[(&[&str], Change)] = &[
            (&[], |s| s),
            (&[], |s| s.set_mip_tail_start(3).unwrap()),
            (&["mip-tail"], |s| s.set_mip_tail_start(1).unwrap()),
            (&["mip-tail"], |s| {
                s.set_samples(4).unwrap().set_mip_count(1).unwrap().set_mip_tail_start(0).unwrap()
            }),
            (&["tiled-resource", "linear-base"], |s| {
                s.set_tile_mode(TileMode::Linear).set_base_address(0x1001)
            }),
            (&["tiled-resource"], |s| s.set_format(SurfaceFormat::R8G8B8_UNORM)),
            (&["tiled-resource"], |s| s.set_surface_type(SurfaceType::D1)),
            (&["tiled-resource-place"], |s| s.set_tiled_resource(TiledResource::Ys).set_base_address(0x3000)),
            (&["tiled-resource-place"], |s| s.set_qpitch(100).unwrap()),
        ];
        for (want, change) in changes {
            let mut state = resource;
            assert_eq!(names(change(&mut state).validate(Platform::Gen11)), *want, "{state:?}");
        }
        // What fits is decided by the element: 25 texels of 4 bytes do not go into half a tile of 32.
        assert_eq!(names(resource.set_mip_tail_start(2).unwrap().validate(Platform::Gen11)), ["mip-tail"]);
        let mut array = resource;
        array.set_samples(4).unwrap().set_mip_count(1).unwrap().set_mip_tail_start(15).unwrap();
        assert_eq!(names(array.validate(Platform::Gen11)), [""; 0]);
        assert_eq!(names(array.validate(Platform::Gen9)), ["tiled-resource"]);
    }

    #[test]
    fn buffer_rules() {
        let mut state = SurfaceState::default();
        state.set_surface_type(SurfaceType::Buffer).set_format(SurfaceFormat::R32G32_FLOAT);
        state.set_buffer_elements(1 << 27).unwrap().set_pitch(8).unwrap().set_base_address(64);
        assert_eq!(names(state.validate(Platform::Gen9)), [""; 0]);
        let check = |change: fn(&mut SurfaceState) -> &mut SurfaceState| {
            let mut state = state;
            names(change(&mut state).validate(Platform::Gen9))
        };
        assert_eq!(check(|s| s.set_tile_mode(TileMode::XMajor)), ["buffer-linear"]);
        assert_eq!(check(|s| s.set_buffer_elements((1 << 27) + 1).unwrap()), ["buffer-size"]);
        assert_eq!(check(|s| s.set_base_address(4)), ["buffer-alignment"]);
        assert_eq!(check(|s| s.set_format(SurfaceFormat::BC3_UNORM).set_pitch(16).unwrap()), ["block-type"]);
        state.set_buffer_elements(0x7654_3211).unwrap();
        assert_eq!(state.buffer_elements(), 0x7654_3211);
    }

    #[test]
    fn sampler_rules() {
        type Change = fn(&mut SamplerState) -> &mut SamplerState;
        let mut sampler = SamplerState::default();
        sampler.set_min_filter(Filter::Linear).set_max_lod(14 << 8);
        let changes: &[(&[&str], Change)] = &[
            (&[], |s| s),
            (&["reserved-bits"], |s| {
                s.dwords[3] |= 1 << 31;
                s
            }),
            (&["field-not-on-platform"], |s| s.set_force_gather4(true)),
            (&["filter-reserved"], |s| s.set_mag_filter(Filter::Reserved(5))),
            (&["mip-filter-reserved"], |s| s.set_mip_filter(MipFilter::Reserved(2))),
            (&["lod-preclamp-reserved"], |s| s.set_lod_preclamp(LodPreclamp::Reserved(1))),
            (&["lod-range"], |s| s.set_min_lod(0xe01)),
            (&["non-normalized-address", "non-normalized-lod"], |s| s.set_non_normalized(true)),
            (&["non-normalized-filter", "non-normalized-mip"], |s| {
                s.set_non_normalized(true).set_max_lod(0).set_address_modes([AddressMode::Clamp; 3]);
                s.set_mip_filter(MipFilter::Nearest).set_min_filter(Filter::Anisotropic)
            }),
        ];
        for (want, change) in changes {
            let mut state = sampler;
            assert_eq!(names(change(&mut state).validate(Platform::Gen9)), *want);
        }
    }

    #[test]
    fn pair_rules() {
        let (surface, mut sampler) = (surface(), SamplerState::default());
        assert_eq!(names(sampler.validate_with(&surface)), [""; 0]);
        let mut cube = surface;
        cube.set_surface_type(SurfaceType::Cube);
        assert_eq!(names(sampler.validate_with(&cube)), ["cube-address"]);
        assert_eq!(names(sampler.set_cube_control_override(true).validate_with(&cube)), [""; 0]);
        sampler.set_address_modes([AddressMode::Cube, AddressMode::Mirror101, AddressMode::Wrap]);
        assert_eq!(names(sampler.validate_with(&surface)), ["cube-mode"]);
        let mut volume = surface;
        volume.set_surface_type(SurfaceType::D3);
        assert_eq!(names(sampler.validate_with(&volume)), ["cube-mode", "mirror-101"]);
        let mut integer = surface;
        integer.set_format(SurfaceFormat::R16_UINT);
        let mut linear = SamplerState::default();
        linear.set_mag_filter(Filter::Linear).set_mip_filter(MipFilter::Linear);
        assert_eq!(names(linear.validate_with(&integer)), ["format-filter", "format-mip"]);
        assert_eq!(names(linear.set_mag_filter(Filter::Mono).validate_with(&surface)), ["mono-format"]);
        linear.set_mag_filter(Filter::Nearest).set_non_normalized(true);
        let mut row = surface;
        row.set_surface_type(SurfaceType::D1);
        assert_eq!(names(linear.validate_with(&row)), ["non-normalized-surface", "non-normalized-levels"]);
        let mut level = surface;
        level.set_mip_count(1).unwrap();
        assert_eq!(names(linear.validate_with(&level)), [""; 0]);
        assert_eq!(
            names(linear.validate_with(level.set_surface_min_lod(1).unwrap())),
            ["non-normalized-levels"]
        );
    }

    /// Writing a field changes its bits only, and is read back.
    #[test]
    fn fields_are_written_where_they_are_read() {
        for field in SurfaceState::FIELDS {
            for start in [[0u32; 16], [u32::MAX; 16]] {
                let mut dwords = start;
                let value = 0x5aa5_c33c_9669_f00f & crate::bits::mask(field.width());
                field.put(&mut dwords, value);
                assert_eq!(field.get(&dwords), value, "{}", field.name);
                field.put(&mut dwords, field.get(&start));
                assert_eq!(dwords, start, "{}", field.name);
            }
        }
    }

    #[test]
    fn values_are_read_as_written() {
        let mut state = surface();
        state.set_halign(16).set_valign(8).set_samples(16).unwrap().set_aux_base_address(0xffff_ffff_f000);
        state
            .set_clear_address(0x1234_5678_9ac0)
            .set_cube_faces(0x2a)
            .set_quilt_width(7)
            .unwrap()
            .set_quilt_height(3)
            .unwrap();
        assert_eq!((state.halign(), state.valign(), state.samples()), (16, 8, 16));
        assert_eq!((state.aux_base_address(), state.clear_address()), (0xffff_ffff_f000, 0x1234_5678_9ac0));
        assert_eq!((state.cube_faces(), state.quilt()), (0x2a, (7, 3)));
        assert_eq!(SurfaceState::from_bytes(&state.to_bytes()), state);
        let mut sampler = SamplerState::default();
        sampler.set_lod_bias(-4096).set_max_anisotropy(10).set_border_offset(0x12_3440);
        sampler.set_reduction(Some(ReductionType::Maximum)).set_rounding(true);
        assert_eq!((sampler.lod_bias(), sampler.max_anisotropy()), (-4096, 10));
        assert_eq!((sampler.border_offset(), sampler.reduction()), (0x12_3440, Some(ReductionType::Maximum)));
        assert_eq!((sampler.mag_rounding(), sampler.min_rounding()), ([true; 3], [true; 3]));
        assert_eq!(sampler.set_reduction(None).reduction(), None);
        assert_eq!(BorderColor::from_floats([0.0, 0.5, 1.0, -2.0]).floats(), [0.0, 0.5, 1.0, -2.0]);
    }
}
