//! `texwire footprint`: what lanes read, as text, JSON and picture.

use crate::command::{corpus, texwire};
use serde_json::Value;

fn json(args: &[&str]) -> Vec<Value> {
    let said = texwire(&[&["footprint", "--json"], args].concat());
    assert_eq!((said.status, said.err.as_str()), (Some(0), ""), "{args:?}");
    said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A quarter between the centres of texels 1 and 2 of a row of four: 3/4 and 1/4.
#[test]
fn weights_and_addresses_of_a_bilinear_sample() {
    let lanes = json(&["--state", "size=4x4,format=R32_FLOAT", "--lane", "0.4375,0.375"]);
    let texels = lanes[0]["texels"].as_array().unwrap();
    let found: Vec<_> = texels
        .iter()
        .filter(|texel| texel["weight"] != 0.0)
        .map(|texel| {
            let address = texel["reads"][0]["address"].as_u64().unwrap();
            (
                texel["x"].as_u64().unwrap(),
                texel["y"].as_u64().unwrap(),
                texel["weight"].as_f64().unwrap(),
                address,
            )
        })
        .collect();
    let base = found[0].3;
    assert_eq!(found, [(1, 1, 0.75, base), (2, 1, 0.25, base + 4)]);
    assert_eq!(texels.len(), 4, "texels of weight 0 are read, too");
}

/// Both levels of a trilinear sample, by 8-bit fractions and by floats.
#[test]
fn levels_in_both_precisions() {
    let state = "op=sample_l,mip=linear,size=16x16";
    let lanes = json(&["--state", state, "--precision", "both", "--lane", "lod=1.3,u=0.5,v=0.5"]);
    assert_eq!(lanes.len(), 2);
    for (lane, fraction) in lanes.iter().zip([0.3, 77.0 / 256.0]) {
        assert_eq!(lane["lod"]["levels"], serde_json::json!([1, 2]));
        assert!((lane["lod"]["fraction"].as_f64().unwrap() - fraction).abs() < 1e-6, "{lane}");
        let texels = lane["texels"].as_array().unwrap();
        let coarse = texels.iter().filter(|texel| texel["level"] == 2);
        let weight: f64 = coarse.map(|texel| texel["weight"].as_f64().unwrap()).sum();
        assert!((weight - fraction).abs() < 1e-6, "{lane}");
    }
}

/// R8G8B8A8_UNORM, 8 x 8.
const SURFACE: &str = "0x331d4000 0 0x00070007 0x1f 0 0 0 0x09770000 0x1000 0 0 0 0 0 0 0";

/// Dwords instead of keys: R8G8B8A8_UNORM, 8 x 8, linear, nearest; a gather of four texels in the order of channels.
#[test]
fn states_as_dwords() {
    let said = texwire(&[
        "footprint",
        "--surface",
        SURFACE,
        "--sampler",
        "0 0 0 0x92",
        "--op",
        "gather4",
        "--lane",
        "0.5,0.5",
    ]);
    assert_eq!((said.status, said.err.as_str()), (Some(0), ""));
    let rows: Vec<_> =
        said.out.lines().skip(2).map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
    // Upper left, upper right, lower left, lower right: A, B, R, G.
    let found: Vec<_> = rows.iter().map(|row| (row[2], row[3], row[4], row[7])).collect();
    let expected = [
        ("3", "3", "0x106c", "A"),
        ("4", "3", "0x1070", "B"),
        ("3", "4", "0x108c", "R"),
        ("4", "4", "0x1090", "G"),
    ];
    assert_eq!(found, expected, "{}", said.out);
}

#[test]
fn footprints_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("footprint.png");
    let out_text = out.to_str().unwrap();
    let picture = corpus("images/chelsea.png");
    let lanes = ["0.5,0.5", "0.51,0.5", "0.5,0.502", "0.51,0.502"].map(|lane| ["--lane", lane]).concat();
    let states = ["footprint", "--image", &picture, "--state", "op=sample,mip=linear,aniso=8,tile=y"];
    let said = texwire(&[&states[..], &lanes, &["-o", out_text]].concat());
    assert_eq!((said.status, said.err.as_str()), (Some(0), ""));
    assert!(said.out.contains("anisotropic samples"), "{}", said.out);
    let drawn = image::open(&out).unwrap().into_rgb8();
    // The outline of the first lane is there.
    assert!(drawn.pixels().filter(|pixel| pixel.0 == [230, 40, 40]).count() > 100);
}

/// What a picture has no room for is said: lanes far from the others, and weights of many lanes.
#[test]
fn what_is_not_drawn_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("footprint.png");
    let picture = corpus("images/chelsea.png");
    let draw = |lanes: &[&str]| {
        let lanes = lanes.iter().flat_map(|lane| ["--lane", *lane]);
        let args = ["footprint", "--image", &picture, "--state", "op=sample_lz", "-o", out.to_str().unwrap()];
        let said = texwire(&args.into_iter().chain(lanes).collect::<Vec<_>>());
        assert_eq!(said.status, Some(0), "{}", said.err);
        let black = image::open(&out).unwrap().into_rgb8().pixels().filter(|pixel| pixel.0 == [0; 3]).count();
        (said.err, black)
    };
    let (said, caption) = draw(&["0.1,0.5", "0.11,0.5"]);
    assert_eq!(said, "");
    let (said, _) = draw(&["0.1,0.5", "0.9,0.5", "0.11,0.5"]);
    let why = "warning: lane 1 reads texels too far from the others' for ";
    assert!(said.starts_with(why) && said.lines().count() == 1, "{said}");
    // Five lanes on the same texels: two weights, and in black how many more.
    let (said, black) = draw(&["0.1,0.5"; 5]);
    assert_eq!(said, "");
    assert!(black > caption, "{black} black pixels, {caption} of the caption");
}

#[test]
fn errors_say_what_and_where() {
    for (args, why) in [
        (&["--lane", "0.5,x"][..], "error: no number at --lane 0: x"),
        (&["--lane", "w=1"], "error: no parameter at --lane 0: w=1 (sample_lz has u,v,r,ai)"),
        (&["--op", "sampel", "--lane", "0"], "error: unknown operation at --op: sampel"),
        (
            &["--platform", "xe2", "--surface", SURFACE, "--op", "ld", "--lane", "0"],
            "error: unknown platform at --platform: xe2 (expected gen9, gen11, xe-lp, xe-hpg)",
        ),
        (
            &["--platform", "maxwell", "--surface", SURFACE, "--op", "ld", "--lane", "0"],
            "error: unknown platform at --platform: maxwell (expected ",
        ),
        (&["--surface", "1 2", "--op", "ld", "--lane", "0"], "error: no 16 dwords at --surface: 1 2"),
        (
            &["--state", "kind=3d,op=sample_min", "--lane", "0,0"],
            "error: message at --lane: invalid surface type",
        ),
    ] {
        let said = texwire(&[&["footprint"], args].concat());
        assert_eq!(said.status, Some(2), "{args:?}");
        assert!(said.err.starts_with(why), "{}", said.err);
    }
}
