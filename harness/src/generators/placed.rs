//! Surface states with a defined layout: every shape, tiling, format and view.

use arbitrary::{Result, Unstructured};
use std::sync::OnceLock;
use texwire::Platform;
use texwire::enums::{Enumeration, SurfaceFormat};
use texwire::format;
use texwire::memory::{Element, Layout};
use texwire::state::{SurfaceState, SurfaceType, TileMode, TiledResource};

/// The reason why no setter can fail here.
const FITS: &str = "the field holds every value that is chosen";

/// Returns every format that has a name.
pub fn named_formats() -> Vec<SurfaceFormat> {
    let rows = SurfaceFormat::TABLE.rows.iter().filter(|row| !row.is_reserved());
    rows.map(|row| SurfaceFormat(row.first)).chain(format::not_in_prm().map(|(format, _)| format)).collect()
}

/// Returns every format that has elements.
pub fn formats() -> &'static [SurfaceFormat] {
    static FORMATS: OnceLock<Vec<SurfaceFormat>> = OnceLock::new();
    FORMATS.get_or_init(|| {
        let mut formats = named_formats();
        formats.retain(|format| format::info(*format).is_some_and(|info| info.bytes > 0));
        formats
    })
}

/// Generates a state. Sizes are mostly small and sometimes large; pitches are as wide as the rows or wider.
pub fn surface(data: &mut Unstructured<'_>, platform: Platform) -> Result<SurfaceState> {
    use SurfaceType::{Buffer, Cube, D1, D2, D3};
    let kind = *data.choose(&[D1, D2, D2, D3, Cube, Buffer])?;
    let tiling = *data.choose(&[TileMode::Linear, TileMode::XMajor, TileMode::YMajor, TileMode::WMajor])?;
    let mut state = SurfaceState::default();
    state.set_surface_type(kind).set_array(!matches!(kind, D3 | Buffer)).set_cube_faces(0x3f);
    state.set_base_address(u64::from(data.arbitrary::<u32>()?) << 12).set_mocs(data.arbitrary()?);
    let format = match tiling {
        TileMode::WMajor => SurfaceFormat::R8_UINT,
        _ => *data.choose(formats())?,
    };
    let info = format::info(format).expect("a format with elements");
    state.set_format(format);
    if kind == Buffer {
        let stride = u32::from(info.bytes) * data.int_in_range(1..=3)?;
        state
            .set_buffer_elements(data.int_in_range(1..=1 << 27)?)
            .expect(FITS)
            .set_pitch(stride)
            .expect(FITS);
        return Ok(state);
    }
    state.set_tile_mode(tiling);
    let (width, height) = (size(data)?, if kind == D1 { 1 } else { size(data)? });
    state.set_width(width).expect(FITS).set_height(if kind == Cube { width } else { height }).expect(FITS);
    state
        .set_depth(data.int_in_range(1..=9)?)
        .expect(FITS)
        .set_min_array_element(data.int_in_range(0..=5)?)
        .expect(FITS);
    state.set_halign(*data.choose(&[4, 8, 16])?).set_valign(*data.choose(&[4, 8, 16])?);
    let last = width.max(height).ilog2();
    let first = data.int_in_range(0..=last)?;
    state
        .set_surface_min_lod(first)
        .expect(FITS)
        .set_mip_count(data.int_in_range(1..=last - first + 1)?)
        .expect(FITS);
    if kind == D2 && !info.is_block() && data.ratio(1, 4)? {
        state
            .set_samples(*data.choose(&[2, 4, 8, 16])?)
            .expect(FITS)
            .set_interleaved_samples(data.arbitrary()?);
        state.set_surface_min_lod(0).expect(FITS).set_mip_count(1).expect(FITS);
    }
    place(data, &mut state, u32::from(info.bytes))?;
    if tiling == TileMode::YMajor && data.ratio(2, 3)? {
        let mut resource = state;
        if tiled_resource(data, &mut resource, info.element(), platform)? {
            return Ok(resource);
        }
    }
    Ok(state)
}

/// Makes a Y-major surface a tiled resource; returns false if that is not possible.
fn tiled_resource(
    data: &mut Unstructured<'_>,
    state: &mut SurfaceState,
    element: Element,
    platform: Platform,
) -> Result<bool> {
    let mode = *data.choose(&[TiledResource::Yf, TiledResource::Ys])?;
    let base = state.base_address() << 4;
    state.set_tiled_resource(mode).set_base_address(base).set_mip_tail_start(15).expect(FITS);
    state
        .set_x_offset(0)
        .expect(FITS)
        .set_y_offset(0)
        .expect(FITS)
        .set_line_stride(0)
        .set_pitch(1 << 18)
        .expect(FITS)
        .set_qpitch(0)
        .expect(FITS);
    let Ok(layout) = Layout::new(state, element, platform) else { return Ok(false) };
    let Some([columns, rows, depth, _]) = layout.tile_extent() else { return Ok(false) };
    let width = state.width().next_multiple_of(columns) * u32::from(element.bytes) * 2;
    state
        .set_pitch(width.min(1 << 18))
        .expect(FITS)
        .set_qpitch(data.int_in_range(0..=0x1_0000 / rows.max(4))? * rows.max(4))
        .expect(FITS);
    // The mip tail starts at the first level that fits into a slot, as drivers choose it.
    let (columns, rows) = match (state.surface_type(), mode) {
        (SurfaceType::D3, TiledResource::Yf) => (columns, rows / 2),
        _ => (columns / 2, rows),
    };
    let fits = |number: u32| {
        let level = layout.level(number);
        let elements = |texels: u32, block: u8| texels.div_ceil(block.into());
        let deep = state.surface_type() != SurfaceType::D3 || level.depth <= depth;
        elements(level.width, element.block_width) <= columns
            && elements(level.height, element.block_height) <= rows
            && deep
    };
    let first = (0..layout.levels()).find(|number| fits(*number));
    if let (Some(first), true) = (first, state.samples() == 1 && data.ratio(7, 8)?) {
        state.set_mip_tail_start(first).expect(FITS);
        if Layout::new(state, element, platform).is_err() {
            state.set_mip_tail_start(15).expect(FITS);
        }
    }
    Ok(true)
}

/// Chooses pitch, QPitch and offsets: whole tiles, and a pitch of at least the rows of level 0.
fn place(data: &mut Unstructured<'_>, state: &mut SurfaceState, bytes: u32) -> Result<()> {
    let tile = match state.tile_mode() {
        TileMode::Linear => bytes,
        TileMode::XMajor => 512,
        TileMode::YMajor | TileMode::WMajor => 128,
    };
    let row = state.width() * bytes * 4;
    let pitch = (row.div_ceil(tile) + data.int_in_range(0..=3)?) * tile;
    state.set_pitch(pitch.min((1 << 18) / tile * tile)).expect(FITS);
    state.set_qpitch(data.int_in_range(0..=0x7fff)? * 4).expect(FITS);
    let single = state.mip_count() == 1 && state.surface_min_lod() == 0 && state.samples() == 1;
    if state.surface_type() != SurfaceType::D2 || !single {
        return Ok(());
    }
    let block = format::info(state.format()).is_some_and(|info| info.is_block());
    if !block && data.ratio(1, 4)? {
        state.set_line_stride(1).set_line_stride_offset(data.int_in_range(0..=1)?);
    }
    if state.tile_mode() != TileMode::Linear && bytes.is_power_of_two() && data.ratio(1, 2)? {
        let step = if bytes < 4 { 16 } else { 4 };
        state
            .set_x_offset(data.int_in_range(0..=3)? * step)
            .expect(FITS)
            .set_y_offset(data.int_in_range(0..=1)? * 4)
            .expect(FITS);
        state.set_array(false).set_depth(1).expect(FITS).set_min_array_element(0).expect(FITS);
    }
    Ok(())
}

fn size(data: &mut Unstructured<'_>) -> Result<u32> {
    let most = *data.choose(&[1, 8, 40, 300, 300, 16384])?;
    data.int_in_range(1..=most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_that_the_prm_lacks_have_elements_too() {
        for (format, name) in format::not_in_prm() {
            assert!(formats().contains(&format), "{name}");
        }
    }
}
