//! Properties of formats.

use crate::emulator::formats::Format;
use crate::generators::placed::named_formats;
use arbitrary::{Result, Unstructured};
use texwire::enums::SurfaceFormat;
use texwire::format::{FormatDecoder, FormatInfo, Texel, TexelKind, half, info};

/// An element of a format, and the position of a texel in it.
#[derive(Debug)]
struct Case<'a> {
    format: SurfaceFormat,
    palette: Vec<u32>,
    x: u32,
    y: u32,
    element: &'a [u8],
}

fn case<'a>(mut u: Unstructured<'a>) -> Result<Case<'a>> {
    // Mostly codes of existing formats; others must be refused.
    let format = if u.ratio(15, 16)? { *u.choose(&named_formats())? } else { SurfaceFormat(u.arbitrary()?) };
    let palette = if u.ratio(1, 4)? { u.arbitrary()? } else { Vec::new() };
    let (x, y) =
        if u.ratio(7, 8)? { (u.int_in_range(0..=11)?, u.int_in_range(0..=11)?) } else { u.arbitrary()? };
    Ok(Case { format, palette, x, y, element: u.take_rest() })
}

/// Returns the case of an input, in words.
pub(super) fn words(data: &[u8]) -> String {
    case(Unstructured::new(data)).map_or_else(|_| String::new(), |case| format!("{case:x?}\n"))
}

/// Fuzz target `decode_format`: any code, bytes and position decode without a panic, and the same every time; a texel is the same when
/// decoded alone, with its block and by the emulator; absent channels have their defaults, and present ones are in the range of their kind.
pub fn decode(data: &[u8]) {
    let Ok(Case { format, palette, x, y, element }) = case(Unstructured::new(data)) else { return };
    let Ok(codec) = FormatDecoder::with_palette(format, &palette) else {
        assert!(FormatDecoder::new(format).is_err(), "{format:?}");
        return;
    };
    let info = codec.info();
    assert_eq!(FormatDecoder::new(format).is_ok(), info.palette.is_none(), "{format:?}");
    let texel = codec.decode(element, x, y);
    assert_eq!(texel, codec.decode(element, x, y), "{format:?} is not deterministic");
    let (w, h) = (u32::from(info.block_width), u32::from(info.block_height));
    assert_eq!(texel, codec.decode(element, x % w, y % h), "{format:?}: the place wraps at the block");
    let mut exact = element.to_vec();
    exact.resize(info.bytes.into(), 0);
    assert_eq!(texel, codec.decode(&exact, x, y), "{format:?}: missing bytes are 0, more do not matter");
    in_range(info, texel);
    blocks(&codec, element);
    halves(element);
    for (codec, skip_srgb) in [(codec, false), (codec.without_srgb(), true)] {
        let texel = codec.decode(&exact, x % w, y % h);
        oracle(format, &exact, (x % w, y % h), &palette, skip_srgb, texel);
    }
}

/// Checks that the emulator's texel, computed in f64 and rounded once, has the same bits.
fn oracle(
    format: SurfaceFormat,
    element: &[u8],
    (x, y): (u32, u32),
    palette: &[u32],
    skip_srgb: bool,
    texel: Texel,
) {
    let oracle = Format::of(format.0.into()).expect("the emulator decodes what the core decodes");
    let mut palette = palette.to_vec();
    palette.resize(256, 0);
    let want = oracle.decode(element, x as usize, y as usize, &palette, skip_srgb);
    for (i, (got, want)) in texel.into_iter().zip(want).enumerate() {
        let same = if info(format).is_some_and(|info| info.kind == TexelKind::Float) {
            let got = f32::from_bits(got);
            got.is_nan() && want.is_nan() || got.to_bits() == (want as f32).to_bits()
        } else {
            got == want as i64 as u32
        };
        assert!(same, "{format:?} channel {i}: {got:#x}, the emulator has {want}, element {element:x?}");
    }
}

fn in_range(info: &FormatInfo, texel: Texel) {
    for (i, (value, default)) in texel.into_iter().zip(info.defaults()).enumerate() {
        let width = u32::from(info.fields()[i].width);
        if info.channels >> i & 1 == 0 {
            assert_eq!(value, default, "{info:?} channel {i}");
        } else if info.kind == TexelKind::Uint {
            assert_eq!(value, value & texwire::bits::mask(width) as u32, "{info:?} channel {i}");
        } else if info.kind == TexelKind::Sint {
            assert_eq!(value as i32, texwire::bits::sign_extend(value, width), "{info:?} channel {i}");
        } else if info.unorm {
            assert!((0.0..=1.0).contains(&f32::from_bits(value)), "{info:?} channel {i}: {value:#x}");
        }
    }
}

fn blocks(codec: &FormatDecoder<'_>, element: &[u8]) {
    const UNTOUCHED: Texel = [0xdead_beef; 4];
    let info = codec.info();
    let mut all = [UNTOUCHED; 150];
    let count = codec.decode_block_into(element, &mut all);
    let (texels, rest) = all.split_at(count);
    assert_eq!(count, if info.is_block() { info.block_texels() } else { 0 }, "{info:?}");
    assert!(rest.iter().all(|texel| *texel == UNTOUCHED), "{info:?} wrote past its block");
    let width = u32::from(info.block_width);
    for (i, texel) in (0u32..).zip(texels) {
        assert_eq!(*texel, codec.decode(element, i % width, i / width), "{info:?} texel {i}");
        in_range(info, *texel);
    }
    // Without room for a whole block, decoding fills the room there is.
    let mut part = [UNTOUCHED; 7];
    let some = codec.decode_block_into(element, &mut part);
    assert_eq!(part[..some], texels[..count.min(7)], "{info:?}");
    let Some(texels) = codec.decode_block(element) else {
        assert_ne!(count, 16, "{info:?}");
        return;
    };
    assert_eq!(texels[..], all[..count], "{info:?}");
}

fn halves(element: &[u8]) {
    for &pair in element.as_chunks::<2>().0 {
        let (half, value) = (u16::from_le_bytes(pair), half::to_f32(u16::from_le_bytes(pair)));
        if value.is_nan() {
            assert!(half::to_f32(half::from_f32(value)).is_nan(), "{half:#06x}");
        } else {
            assert_eq!(half::from_f32(value), half);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the H mode of ETC2 the order of the two colours selects the distance. Equal colours count as descending.
    #[test]
    fn equal_colours_of_an_h_block() {
        // Differential (bit 33); green is 0 and its difference -4 (bit 50); both colours are black. The distance is 6 then, else 3.
        let block = (1_u64 << 33 | 1 << 50).to_be_bytes();
        let texel = FormatDecoder::new(SurfaceFormat::ETC2_RGB8).unwrap().decode(&block, 0, 0);
        assert_eq!(texel.map(f32::from_bits), [6.0 / 255.0, 6.0 / 255.0, 6.0 / 255.0, 1.0]);
        oracle(SurfaceFormat::ETC2_RGB8, &block, (0, 0), &[], false, texel);
    }

    /// Every row has the element, channels and border that the emulator takes from the format's name. (Planar formats have no element.)
    #[test]
    fn rows_are_those_of_the_names() {
        let colour = [0.25_f32, 0.5, 0.75, 0.375].map(f32::to_bits);
        for format in named_formats() {
            let row = info(format).unwrap_or_else(|| panic!("{format:?}"));
            let Ok(oracle) = Format::of(format.0.into()) else {
                assert!(FormatDecoder::with_palette(format, &[]).is_err(), "{format:?}");
                continue;
            };
            let channels = [0, 1, 2, 3].map(|channel| row.channels >> channel & 1 == 1);
            assert_eq!(
                (channels, row.unorm, row.srgb),
                (oracle.present, oracle.unorm, oracle.srgb),
                "{row:?}"
            );
            let integer = row.kind != TexelKind::Float;
            let kinds = (integer, row.kind == TexelKind::Sint, row.palette.is_some());
            assert_eq!(kinds, (oracle.integer, oracle.signed, oracle.palette()), "{row:?}");
            assert_eq!((row.block_width.into(), row.block_height.into()), oracle.block, "{row:?}");
            assert!(row.bytes == 0 || usize::from(row.bytes) == oracle.bytes, "{row:?}");
            let border = oracle.border(colour).map(|v| if integer { v as u32 } else { (v as f32).to_bits() });
            assert_eq!(border, row.border(colour), "{row:?}");
        }
    }

    /// Decodes every format that has a row in the table, so that none depends on the generator's choices.
    #[test]
    fn every_format_is_reached() {
        for format in named_formats() {
            let info = info(format).unwrap_or_else(|| panic!("{format:?}"));
            if let Ok(codec) = FormatDecoder::with_palette(format, &[0x8040_20ff; 256]) {
                for byte in [0x00, 0x7f, 0x80, 0xa5, 0xff] {
                    let element = vec![byte; info.bytes.into()];
                    let place = (1 % u32::from(info.block_width), 2 % u32::from(info.block_height));
                    let texel = codec.decode(&element, place.0, place.1);
                    in_range(info, texel);
                    oracle(format, &element, place, &[0x8040_20ff; 256], false, texel);
                    blocks(&codec, &element);
                }
            }
        }
    }
}
