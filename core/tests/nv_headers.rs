//! NVIDIA headers and sampler entries: the field tables, the direct accessors and the selectors agree.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

use std::collections::BTreeMap;
use texwire::state::nv::{
    Class, FieldInfo, Handle, Limits, NvEnumeration, NvField, NvLayout, SamplerEntry, Size, TextureHeader,
    TextureType,
};
use texwire::{Kind, What};

/// Returns every table of fields: those of the layouts that each class has.
fn tables() -> impl Iterator<Item = (Class, NvLayout, &'static [FieldInfo])> {
    let pairs = Class::ALL.into_iter().flat_map(|class| NvLayout::ALL.map(|layout| (class, layout)));
    pairs.filter_map(|(class, layout)| Some((class, layout, layout.fields(class)?)))
}

/// Returns pseudorandom dwords.
fn noise(seed: u32) -> [u32; 8] {
    let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
    core::array::from_fn(|_| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    })
}

#[test]
fn classes_by_number() {
    for (class, code) in Class::ALL.into_iter().zip([0x9097, 0xa097, 0xb097, 0xb197, 0xc097]) {
        assert_eq!((class.code(), Class::from_code(code)), (code, Ok(class)));
    }
    let why = Class::from_code(0xc197).unwrap_err();
    assert_eq!((why.kind(), why.what(), why.found()), (Kind::Unknown, What::TextureClass, 0xc197));
}

#[test]
fn every_class_has_the_layouts_of_its_generation() {
    let mut found: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    tables().for_each(|(class, layout, _)| found.entry(class.code()).or_default().push(layout.name()));
    let older = ["v1", "v2", "sampler"];
    let selected =
        ["one_d_buffer", "pitch_color_key", "pitch", "blocklinear", "blocklinear_color_key", "sampler"];
    let both = [&["v1", "v2", "v3"][..], &selected].concat();
    assert_eq!(found[&0x9097], older);
    assert_eq!(found[&0xa097], older);
    assert_eq!(found[&0xb097], both);
    assert_eq!(found[&0xb197], both);
    assert_eq!(found[&0xc097], selected);
}

/// Every bit of a header belongs to one field; no bit of a sampler entry belongs to two.
#[test]
fn fields_cover_the_entry_once() {
    for (class, layout, fields) in tables() {
        let mut covered = [0_u32; 8];
        let mut end = 0;
        for info in fields {
            let (lsb, width) = (u32::from(info.lsb), u32::from(info.width));
            assert!(lsb >= end && lsb % 32 + width <= 32, "{class:?} {layout:?} {info:?}");
            end = lsb + width;
            covered[lsb as usize / 32] |= u32::MAX >> (32 - width) << (lsb % 32);
        }
        if layout != NvLayout::Sampler {
            assert_eq!(covered, [u32::MAX; 8], "{class:?} {layout:?}");
        }
    }
}

#[test]
fn fields_read_what_was_written_and_touch_no_other() {
    for (class, layout, fields) in tables() {
        for info in fields {
            let before = noise(u32::from(info.lsb) + 1);
            let largest = u32::MAX >> (32 - info.width);
            let value = 0x5a5a_5a5a & largest;
            let mut after = before;
            info.write(&mut after, value).unwrap();
            assert_eq!(info.read(&after), value, "{class:?} {layout:?} {info:?}");
            for other in fields.iter().filter(|other| other.lsb != info.lsb) {
                assert_eq!(other.read(&after), other.read(&before), "{info:?} changed {other:?}");
            }
            info.write(&mut after, largest).unwrap();
            assert_eq!(info.read(&after), largest);
            if info.width < 32 {
                let why = info.write(&mut after, largest + 1).unwrap_err();
                assert_eq!((why.kind(), why.what()), (Kind::Invalid, What::HeaderField));
                let place = (why.offset(), why.bit_offset(), why.found());
                let at = usize::from(info.lsb / 32) * 4;
                assert_eq!(place, (Some(at), Some(info.lsb % 32), u64::from(largest) + 1));
            }
        }
    }
}

#[test]
fn names_of_values_go_both_ways() {
    let mut named = 0;
    for (_, _, fields) in tables() {
        for info in fields {
            let Some(names) = info.enumeration else {
                assert_eq!(info.value_name(0), None);
                continue;
            };
            for &(value, name) in names.values() {
                assert!(u32::from(value) <= u32::MAX >> (32 - info.width), "{info:?} {name}");
                assert_eq!(info.value_name(value.into()), Some(name));
                assert_eq!(names.value(name), Some(value.into()));
                named += 1;
            }
            assert_eq!((info.value_name(256), names.value("")), (None, None));
        }
    }
    assert!(named > 1000);
    for (names, value, name) in [
        (NvEnumeration::ComponentSizes, 29, "R8"),
        (NvEnumeration::ComponentSizes2, 11, "ETC2_RGBA"),
        (NvEnumeration::Components, 84, "SIZES_ASTC_2D_12X10"),
        (NvEnumeration::TextureType, 5, "TWO_D_ARRAY"),
        (NvEnumeration::MultiSampleCount, 11, "MODE_4X2_VC_24"),
        (NvEnumeration::Address, 7, "MIRROR_ONCE_CLAMP_OGL"),
        (NvEnumeration::ReductionFilter, 2, "RED_MAXIMUM"),
    ] {
        assert_eq!(names.name(value), Some(name));
    }
}

#[test]
fn fields_have_the_class_headers_names() {
    let names: Vec<_> = NvField::ALL.map(NvField::name).into_iter().collect();
    let mut unique = names.clone();
    unique.dedup();
    assert_eq!(unique.len(), NvField::ALL.len());
    for (field, name) in [
        (NvField::AddressBits31to0, "ADDRESS_BITS31TO0"),
        (NvField::SRGBConversion, "S_R_G_B_CONVERSION"),
        (NvField::MinLodClampBehaviorForNearestMip, "MIN_LOD_CLAMP_BEHAVIOR_FOR_NEAREST_MIP"),
        (NvField::ZSource, "Z_SOURCE"),
    ] {
        assert_eq!(field.name(), name);
    }
}

/// Returns a header with these dwords and the selector of `layout`.
fn header(class: Class, legacy: bool, layout: NvLayout, dwords: [u32; 8]) -> TextureHeader {
    let mut header = TextureHeader::from_dwords(class, dwords);
    header.legacy = legacy;
    header.set_layout(layout).unwrap();
    header
}

#[test]
fn selectors_choose_the_layout() {
    let older = [(NvLayout::V1, 0), (NvLayout::V2, 1 << 31)];
    let selected = [
        (NvLayout::OneDBuffer, 0),
        (NvLayout::PitchColorKey, 1),
        (NvLayout::Pitch, 2),
        (NvLayout::Blocklinear, 3),
        (NvLayout::BlocklinearColorKey, 4),
    ];
    for class in Class::ALL {
        for legacy in [false, true] {
            let maxwell = matches!(class, Class::Maxwell1 | Class::Maxwell2);
            let is_older = matches!(class, Class::Fermi | Class::Kepler) || maxwell && legacy;
            for dwords in [[0; 8], [u32::MAX; 8]] {
                let empty = TextureHeader { legacy, ..TextureHeader::from_dwords(class, dwords) };
                for (layout, bits) in older {
                    let mut changed = empty;
                    let set = changed.set_layout(layout);
                    assert_eq!(set.is_ok(), is_older, "{class:?} {layout:?}");
                    let expected = if is_older { dwords[4] & !(1 << 31) | bits } else { dwords[4] };
                    assert_eq!(changed.dwords[4], expected);
                }
                for (layout, code) in selected {
                    let mut changed = empty;
                    let set = changed.set_layout(layout);
                    assert_eq!(set.is_err(), is_older, "{class:?} {layout:?}");
                    let expected = if is_older { dwords[2] } else { dwords[2] & !(7 << 21) | code << 21 };
                    assert_eq!(changed.dwords[2], expected);
                    assert!(is_older || changed.layout() == Ok(layout) && changed.fields().is_ok());
                }
                for layout in [NvLayout::V3, NvLayout::Sampler] {
                    let why = empty.clone().set_layout(layout).unwrap_err();
                    assert_eq!((why.kind(), why.what()), (Kind::NotOnPlatform, What::HeaderVersion));
                }
            }
        }
    }
    for code in 5..8 {
        let header = TextureHeader::from_dwords(Class::Pascal, [0, 0, code << 21, 0, 0, 0, 0, 0]);
        let why = header.layout().unwrap_err();
        let what = (why.kind(), why.what(), why.offset(), why.bit_offset(), why.found());
        assert_eq!(what, (Kind::Reserved, What::HeaderVersion, Some(8), Some(21), code.into()));
        assert_eq!(header.get(NvField::TextureType), Err(why));
        assert_eq!(
            (header.size(), header.view_levels().err(), header.multi_sample_mode()),
            (Err(why), Some(why), Err(why))
        );
    }
}

/// Returns the field's value; 0 if the layout does not have the field.
fn field(header: &TextureHeader, field: NvField) -> u32 {
    header.get(field).unwrap_or(0)
}

/// The direct accessors return what the fields of the tables give.
#[test]
fn accessors_read_the_fields_of_the_tables() {
    for (class, layout, _) in
        tables().filter(|(_, layout, _)| !matches!(layout, NvLayout::Sampler | NvLayout::V3))
    {
        let older = matches!(layout, NvLayout::V1 | NvLayout::V2);
        for seed in 1..200 {
            let mut header = header(class, older, layout, noise(seed));
            header.extended = seed % 2 == 0;
            let f = |name| field(&header, name);
            let size = if older {
                let extra = if header.extended { f(NvField::DepthMsb) << 12 } else { 0 };
                Size {
                    width: f(NvField::Width),
                    height: f(NvField::Height) | f(NvField::HeightMsb) << 16,
                    depth: f(NvField::Depth) | extra,
                }
            } else if layout == NvLayout::OneDBuffer {
                let width = f(NvField::WidthMinusOneBits31to16) << 16 | f(NvField::WidthMinusOneBits15to0);
                Size { width: width.wrapping_add(1), height: 1, depth: 1 }
            } else {
                Size {
                    width: f(NvField::WidthMinusOne) + 1,
                    height: (f(NvField::HeightMinusOne) | f(NvField::HeightMinusOneBit16) << 16) + 1,
                    depth: (f(NvField::DepthMinusOne) | f(NvField::DepthMinusOneBit14) << 14) + 1,
                }
            };
            assert_eq!(header.size(), Ok(size), "{class:?} {layout:?} {seed}");
            let kind = f(NvField::TextureType);
            let expected = TextureType::ALL.get(kind as usize).copied();
            assert_eq!(header.texture_type().ok(), expected);
            if expected.is_none() {
                let why = header.texture_type().unwrap_err();
                let place = if older { (8, 14) } else { (16, 23) };
                assert_eq!((why.kind(), why.found()), (Kind::Reserved, kind.into()));
                assert_eq!((why.offset(), why.bit_offset()), (Some(place.0), Some(place.1)));
            }
            let view = header.view_levels().unwrap();
            let (first, last) = (f(NvField::ResViewMinMipLevel), f(NvField::ResViewMaxMipLevel));
            let has_view = header.get(NvField::ResViewMinMipLevel).is_ok();
            if has_view {
                assert_eq!((view.first, view.count), (first, (last + 1).saturating_sub(first)));
            } else {
                assert_eq!(
                    (view.first, view.count),
                    (0, f(NvField::MaxMipLevel) + 1),
                    "{class:?} {layout:?}"
                );
            }
            assert_eq!(u32::from(header.multi_sample_mode().unwrap()), f(NvField::MultiSampleCount));
            assert_eq!(TextureHeader::from_bytes(class, &header.to_bytes()).dwords, header.dwords);
        }
    }
}

/// The width of a buffer of 2^32 elements wraps to 0; the sizes of Pascal's largest block-linear texture do not wrap.
#[test]
fn sizes_at_their_ends() {
    let buffer = header(Class::Pascal, false, NvLayout::OneDBuffer, [u32::MAX; 8]);
    assert_eq!(buffer.size().unwrap().width, 0);
    let linear = header(Class::Pascal, false, NvLayout::Blocklinear, [u32::MAX; 8]).size().unwrap();
    assert_eq!((linear.width, linear.height, linear.depth), (1 << 17, 1 << 17, 1 << 15));
    let linear = header(Class::Maxwell2, false, NvLayout::Blocklinear, [u32::MAX; 8]).size().unwrap();
    assert_eq!((linear.width, linear.height, linear.depth), (1 << 16, 1 << 16, 1 << 14));
}

#[test]
fn sampler_entries() {
    for class in Class::ALL {
        let mut entry = SamplerEntry::from_bytes(class, &[0; 32]);
        for info in entry.fields() {
            let largest = u32::MAX >> (32 - info.width);
            entry.set(info.field, largest).unwrap();
            assert_eq!(entry.get(info.field), Ok(largest), "{class:?} {info:?}");
        }
        assert_eq!(SamplerEntry::from_bytes(class, &entry.to_bytes()), entry);
        let why = entry.get(NvField::TextureType).unwrap_err();
        assert_eq!((why.kind(), why.what()), (Kind::NotOnPlatform, What::HeaderField));
    }
    let mut entry = SamplerEntry::from_bytes(Class::Maxwell2, &[0; 32]);
    entry.set(NvField::MaxLodClamp, 0xabc).unwrap();
    assert_eq!(entry.to_bytes()[8..12], [0, 0xc0, 0xab, 0]);
}

#[test]
fn handles_and_limits() {
    let handle = Handle::join(0x1_2345, 0x678);
    assert_eq!((handle.raw(), handle.header(), handle.sampler()), (0x6781_2345, 0x1_2345, 0x678));
    assert_eq!(Handle::join(0xfff0_0001, 2), Handle::new(0x0020_0001));
    let limits = Limits { max_header: 0x1_2345, max_sampler: 0x678, via_header: false };
    assert!(limits.header_valid(handle) && limits.sampler_valid(handle));
    let tight = Limits { max_header: 0x1_2344, max_sampler: 0x677, ..limits };
    assert!(!tight.header_valid(handle) && !tight.sampler_valid(handle));
    let via = Limits { via_header: true, ..limits };
    assert_eq!((via.sampler(handle), via.sampler_valid(handle)), (0x1_2345, false));
    assert!(Limits::default().sampler_valid(Handle::new(u32::MAX)));
}
