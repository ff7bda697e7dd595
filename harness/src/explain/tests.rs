use super::rows::Row;
use super::*;
use texwire::Platform;
use texwire::rules::Rule;
use texwire::state::nv::{Class, NvLayout};
use texwire::state::{
    BindingTableEntry, BorderColor, Field, InterfaceDescriptor, SamplerRule, SamplerState, SurfaceRule,
    SurfaceState,
};

/// Every field of every structure of the core has a unit and a meaning, every rule its fields.
#[test]
fn tables_are_complete() {
    let complete = |table: &[Field], rows: &[Row]| {
        let names: Vec<&str> = table.iter().map(|field| field.name).collect();
        assert_eq!(names, rows.iter().map(|row| row.0).collect::<Vec<_>>());
    };
    complete(SurfaceState::FIELDS, surface::ROWS);
    complete(SamplerState::FIELDS, sampler::ROWS);
    complete(BorderColor::FIELDS, structure::BORDER);
    complete(BindingTableEntry::FIELDS, structure::BINDING);
    complete(InterfaceDescriptor::FIELDS, structure::INTERFACE);
    rules::<SurfaceRule>(surface::RULES, SurfaceState::FIELDS);
    rules::<SamplerRule>(sampler::RULES, SamplerState::FIELDS);
    for class in Class::ALL {
        for layout in NvLayout::ALL {
            for info in layout.fields(class).unwrap_or_default() {
                assert!(nv::is_known(info.field.name()), "{} of {layout:?} {class:?}", info.field.name());
            }
        }
    }
}

fn rules<R: Rule>(table: &[(&str, &[&str])], fields: &[Field]) {
    let names: Vec<&str> = R::ALL.iter().map(|rule| rule.name()).collect();
    assert_eq!(names, table.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for name in table.iter().flat_map(|(_, names)| *names) {
        assert!(*name == "(no field)" || fields.iter().any(|field| field.name == *name), "no field {name}");
    }
}

fn value<'a>(explained: &'a Explained, name: &str) -> &'a str {
    &explained.fields.iter().find(|line| line.name == name).expect(name).value
}

/// A surface of the ground truth: 3D, R24_UNORM_X8_TYPELESS, 16 x 48 x 7, X-major.
#[test]
fn surface_in_words() {
    let dwords = dwords::parse(
        "4365e03f 8600000c 002f000f 00c001ff 00000300 00000f00 0 09770000 037c0000 00000001 0 0 0 0 0 0",
    )
    .unwrap();
    assert_eq!(dwords.len(), 16);
    let explained = state(StateKind::Surface, &dwords, Platform::Gen11);
    assert_eq!(
        explained.summary,
        "3D R24_UNORM_X8_TYPELESS, 16 x 48 x 7, 1 level, XMAJOR, pitch 512 bytes, at 0x1037c0000"
    );
    for (name, want) in [
        ("Surface Type", "3D"),
        ("Surface Format", "R24_UNORM_X8_TYPELESS"),
        ("Width", "16 texels"),
        ("Height", "48 texels"),
        ("Depth", "7 slices"),
        ("Surface Pitch", "512 bytes"),
        ("Surface QPitch", "48 rows"),
        ("Surface Horizontal Alignment", "16 elements"),
        ("MIP Count / LOD", "1 level"),
        ("MOCS", "6"),
        ("Surface Base Address", "0x1037c0000"),
        ("Shader Channel Select Green", "GREEN"),
        ("Y Offset for V Plane", "-"),
    ] {
        assert_eq!(value(&explained, name), want, "{name}");
    }
    assert_eq!(explained.broken, []);
}

#[test]
fn broken_rules_name_their_fields() {
    let mut state = SurfaceState::default();
    state.set_surface_type(texwire::state::SurfaceType::D2).set_tile_mode(texwire::state::TileMode::YMajor);
    state
        .set_width(100)
        .unwrap()
        .set_height(60)
        .unwrap()
        .set_depth(1)
        .unwrap()
        .set_pitch(500)
        .unwrap()
        .set_mip_count(1)
        .unwrap()
        .set_halign(4)
        .set_valign(4);
    state.dwords[5] |= 1 << 12;
    let explained = super::state(StateKind::Surface, &state.dwords, Platform::Gen11);
    let broken: Vec<&str> = explained.broken.iter().map(|rule| rule.rule.as_str()).collect();
    assert_eq!(broken, ["reserved-bits", "tiled-pitch", "pitch-width"]);
    let pitch = explained.fields.iter().find(|line| line.name == "Surface Pitch").unwrap();
    assert_eq!(pitch.breaks, ["tiled-pitch", "pitch-width"]);
    let text = explained.to_string();
    assert!(text.contains("Here: Tile Mode YMAJOR, Surface Pitch 500 bytes."), "{text}");
    assert!(text.contains("! dw5 12"), "{text}");
    assert_eq!(
        serde_json::from_value::<Explained>(serde_json::to_value(&explained).unwrap()).unwrap(),
        explained
    );
}

#[test]
fn descriptors_in_words() {
    let of = |desc, extended| descriptor::descriptor(desc, extended, Platform::Gen11);
    let explained = of(0x0242_0001, None);
    assert_eq!(
        explained.summary,
        "sample simd8, surface 1, sampler 0, 1 register sent, 4 registers returned"
    );
    assert_eq!(explained.broken, []);
    assert_eq!(explained.notes[0], "the payload is u (1 register a parameter)");
    // The second payload block of `sends`, and rules that descriptors break.
    let split = of(0x0484_7001, Some(0x42));
    assert_eq!(value(&split, "extended message length"), "1 register");
    let rules =
        |explained: &Explained| explained.broken.iter().map(|rule| rule.rule.clone()).collect::<Vec<_>>();
    assert_eq!(rules(&of(0x0242_00f5, None)), ["binding-table"]);
    assert_eq!(rules(&of(0x0242_0001, Some(0xa))), ["shared-function"]);
    assert_eq!(rules(&of(0x8242_0001, None)), ["descriptor-bit-31"]);
    assert_eq!(rules(&of(0x0242_00fc, None)), [""; 0]);
    assert_eq!(rules(&of(0x0242_00fc, Some(0x2))), ["bindless-handle"]);
    assert_eq!(value(&of(0x0242_00fc, Some(0x0123_4002)), "surface handle"), "0x01234000");
    // Coarse pixel shading of a load, with a second block and without.
    assert_eq!(rules(&of(0x0242_7001, Some(0x842))), ["cps-operation"]);
    assert_eq!(rules(&of(0x0242_7001, Some(0x802))), ["cps-operation"]);
    // 15 registers: a sampler message has at most 11.
    assert!(rules(&of(0x1e42_0001, Some(0x2))).contains(&"message-limit".to_owned()));
}

#[test]
fn names_of_codes() {
    for (variant, name) in [
        ("D2", "2D"),
        ("ClampBorder", "CLAMP_BORDER"),
        ("YMajor", "YMAJOR"),
        ("Mirror101", "MIRROR_101"),
        ("Dx10", "DX10"),
        ("CcsD", "CCS_D"),
    ] {
        assert_eq!(shouted(variant), name);
    }
}
