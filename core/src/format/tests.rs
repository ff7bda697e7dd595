use super::*;
use crate::enums::Enumeration;
use crate::error::{Kind as Why, What};
use std::string::String;
use std::vec::Vec;

mod by_hand;

fn codec(format: SurfaceFormat) -> FormatDecoder<'static> {
    FormatDecoder::new(format).unwrap()
}

fn floats(texel: Texel) -> [f32; 4] {
    texel.map(f32::from_bits)
}

/// Every defined code of the enumeration, with its name.
fn defined() -> Vec<(SurfaceFormat, &'static str)> {
    let rows = SurfaceFormat::TABLE.rows.iter().filter(|row| !row.is_reserved());
    rows.map(|row| (SurfaceFormat(row.first), row.name)).collect()
}

#[test]
fn every_defined_code_has_a_row_in_order() {
    let codes: Vec<u16> = table::FORMATS.iter().map(|f| f.code.0).collect();
    assert!(codes.is_sorted_by(|a, b| a < b));
    for (format, name) in defined() {
        assert_eq!(info(format).map(|f| f.code), Some(format), "{name}");
    }
    // FXT1 is reserved in the enumeration and has a row.
    assert_eq!(codes.len(), defined().len() + 1);
    assert_eq!(info(SurfaceFormat(0x0ff)), None);
}

/// The name states the layout: components with widths from bit 0 up, each run followed by its
/// numeric kind. An independent reading of the names must give the table's fields.
#[test]
fn names_state_the_layout() {
    let numeric = |word: &str| {
        Some(match word {
            "UNORM" => Numeric::Unorm,
            "SNORM" => Numeric::Snorm,
            "UINT" => Numeric::Uint,
            "SINT" => Numeric::Sint,
            "USCALED" => Numeric::Uscaled,
            "SSCALED" => Numeric::Sscaled,
            "SFIXED" => Numeric::Sfixed,
            "FLOAT" => Numeric::Float,
            _ => return None,
        })
    };
    let mut seen = 0;
    for (format, name) in defined() {
        let row = info(format).unwrap();
        if row.is_block()
            || row.codec == Codec::Yuv
            || row.codec == Codec::SharedExponent
            || row.fields.iter().all(|f| f.width == 0)
            || name.ends_with("PASSTHRU")
        {
            continue;
        }
        let mut want = [None; 4];
        let (mut shift, mut run) = (0u32, Vec::new());
        for word in name.split('_') {
            if let Some(kind) = numeric(word) {
                run.drain(..).for_each(|i: usize| {
                    want[i].as_mut().map(|w: &mut (u32, u32, Option<Numeric>)| w.2 = Some(kind)).unwrap()
                });
            } else if word == "TYPELESS" {
                run.clear();
            } else if word == "SRGB" {
                want.iter_mut().take(3).flatten().for_each(|w| w.2 = Some(Numeric::Srgb));
            } else if !word.starts_with("PALETTE") {
                let mut letters = word.chars().peekable();
                while let Some(letter) = letters.next() {
                    let mut digits = String::new();
                    while let Some(d) = letters.next_if(char::is_ascii_digit) {
                        digits.push(d);
                    }
                    let width = digits.parse().unwrap();
                    let channels: &[usize] = match letter {
                        'R' => &[0],
                        'G' | 'Y' => &[1],
                        'B' => &[2],
                        'A' => &[3],
                        'L' => &[0, 1, 2],
                        'I' | 'P' => &[0, 1, 2, 3],
                        _ => &[],
                    };
                    for &i in channels {
                        if letter != 'P' || want[i].is_none() {
                            want[i] = Some((shift, width, None));
                            run.push(i);
                        }
                    }
                    shift += width;
                }
            }
        }
        for (i, (field, want)) in row.fields.iter().zip(want).enumerate() {
            let got = (field.width != 0)
                .then(|| (u32::from(field.shift), u32::from(field.width), Some(field.numeric)));
            assert_eq!(got, want, "{name} channel {i}");
            assert_eq!(row.channels >> i & 1 == 1, want.is_some(), "{name} channel {i}");
        }
        assert_eq!(u32::from(row.bytes) * 8, shift.max(8), "{name}");
        seen += 1;
    }
    assert!(seen > 160, "{seen}");
}

#[test]
fn refusals() {
    let refusal = |code| FormatDecoder::new(SurfaceFormat(code)).map(|_| ()).unwrap_err();
    for (code, kind) in [
        (0x0ff, Why::Unknown),
        (0x181, Why::Unsupported), // R1_UNORM
        (0x18e, Why::Unsupported), // MONO8
        (0x1ff, Why::Unsupported), // RAW
        (0x1a5, Why::Unsupported), // PLANAR_420_8, a texel is in two planes
        (0x14b, Why::Unsupported), // P8 without a palette
        (0x1bc, Why::Unsupported), // eight dwords
        (0x203, Why::Unknown),     // no ASTC footprint
        (0x300, Why::Unknown),
    ] {
        let error = refusal(code);
        assert_eq!((error.kind(), error.what(), error.found()), (kind, What::Format, code.into()));
    }
    // Formats behind cargo features, which may be off.
    for (code, there) in [(0x240, cfg!(feature = "astc")), (0x192, cfg!(feature = "bc"))] {
        let codec = FormatDecoder::new(SurfaceFormat(code)).map(|codec| codec.info().code.0);
        assert_eq!(codec.map_err(|error| error.kind()), if there { Ok(code) } else { Err(Why::Unsupported) });
    }
    // A format that cannot be sampled still has an element size: eight texels of a bit.
    let info = info(SurfaceFormat::R1_UNORM).unwrap();
    assert_eq!((info.block_width, info.block_height, info.bytes), (8, 1, 1));
}

#[test]
fn single_texels_equal_whole_elements() {
    let mut noise = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        noise = noise.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (noise >> 32) as u32
    };
    let mut seen = 0;
    let palette: Vec<u32> = (0..256).map(|_| next()).collect();
    let kept = single_texels::Palette { entries: &palette, planes: None };
    let select: [single_texels::SelectTexelKernel; single_texels::HALVES] = [
        single_texels::select::<0>,
        single_texels::select::<1>,
        single_texels::select::<2>,
        single_texels::select::<3>,
        single_texels::select::<4>,
        single_texels::select::<5>,
        single_texels::select::<6>,
        single_texels::select::<7>,
    ];
    for f in table::FORMATS.iter().filter(|f| f.codec.available()) {
        let Some(halves) = single_texels::halves(f) else { continue };
        seen += 1;
        let codec = match f.codec {
            Codec::Palette => FormatDecoder::with_palette(f.code, &palette).unwrap(),
            _ => codec(f.code),
        };
        for round in 0..64 {
            let mut words = [0; 4].map(|_| next());
            if round % 4 == 0 {
                // Equal endpoints: BC1 blocks with them have three colours.
                words = words.map(|word| word << 16 | word & 0xffff);
            }
            let element: Vec<u8> =
                words.iter().flat_map(|word| word.to_le_bytes()).take(f.bytes.into()).collect();
            for (x, y) in
                (0..f.block_height).flat_map(|y| (0..f.block_width).map(move |x| (x.into(), y.into())))
            {
                let mut texel = words;
                for (half, [low, high]) in halves.iter().zip(texel.as_chunks_mut().0) {
                    if let Some(half) = half {
                        let high = core::slice::from_mut(high);
                        select[half.kind()](*half, &kept, &[x | y << 4], &[*low], high);
                    }
                }
                let channels = [0, 1, 2, 3].map(|channel| {
                    let decode = single_texels::channel(f, channel);
                    let word = usize::from(decode.word & 3);
                    decode.read(texel[word], texel[(word + 1) & 3])
                });
                assert_eq!(
                    channels,
                    codec.decode(&element, x, y),
                    "{:?} {words:x?} at {x}, {y}",
                    f.code.name()
                );
            }
        }
    }
    assert_eq!(seen > 0, channel::ALL_CHANNEL_KINDS);
}

#[test]
fn border_is_cut_to_the_format() {
    // Specification section 0, point 3.
    let colour = [0.25f32, 0.5, 0.75, 0.375].map(f32::to_bits);
    let border = |f: SurfaceFormat| floats(info(f).unwrap().border(colour));
    assert_eq!(border(SurfaceFormat::R8_UNORM), [0.25, 0.0, 0.0, 1.0]);
    assert_eq!(border(SurfaceFormat::B5G6R5_UNORM), [0.25, 0.5, 0.75, 1.0]);
    assert_eq!(border(SurfaceFormat::R8G8B8A8_UNORM), [0.25, 0.5, 0.75, 0.375]);
    assert_eq!(border(SurfaceFormat::L8_UNORM), [0.25, 0.25, 0.25, 1.0]);
    assert_eq!(border(SurfaceFormat::L8A8_UNORM), [0.25, 0.25, 0.25, 0.375]);
    assert_eq!(border(SurfaceFormat::I8_UNORM), [0.25; 4]);
    assert_eq!(border(SurfaceFormat::A8_UNORM), [0.0, 0.0, 0.0, 0.375]);
    assert_eq!(border(SurfaceFormat::P8_UNORM_PALETTE0), [0.25, 0.5, 0.75, 0.375]);
    assert_eq!(border(SurfaceFormat::BC5_UNORM), [0.25, 0.5, 0.0, 1.0]);
    assert_eq!(border(SurfaceFormat::YCRCB_NORMAL), [0.25, 0.5, 0.75, 1.0]);
    assert_eq!(info(SurfaceFormat::R16G16_SINT).unwrap().border([3, 7, 11, 13]), [3, 7, 0, 1]);
}

#[test]
fn every_srgb_format_has_a_linear_one() {
    let mut seen = 0;
    for (format, name) in defined() {
        let row = info(format).unwrap();
        let plain =
            name.replace("_UNORM_SRGB", "_UNORM").replace("_RGB_SRGB", "_RGB").replace("_SRGB8", "_RGB8");
        let plain = plain.replace("RGB8_A8", "RGBA8");
        assert_eq!(row.srgb, plain != name, "{name}");
        assert_eq!(linear(row).code.name(), Some(plain.as_str()));
        seen += u32::from(row.srgb);
    }
    assert_eq!(seen, 21);
}
