//! The effect of each field of RENDER_SURFACE_STATE and SAMPLER_STATE on execution: `STATE.md` has a row for every field,
//! and changing the field in states where it could matter has the effect that the row says.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test")]

use std::collections::BTreeMap;
use texwire::enums::SurfaceFormat;
use texwire::memory::{Access, Element, Memory};
use texwire::message::{Message, Op, Payload};
use texwire::sample::{Precision, Sampler, Texture};
use texwire::state::{
    AddressMode, AuxMode, CompareFunction, Field, Filter, MipFilter, ReductionType, SamplerState,
    SurfaceState, SurfaceType, TileMode, TiledResource,
};
use texwire::{Platform, format};

/// Memory in which every byte depends on its address.
struct Everywhere;

impl Memory for Everywhere {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        for (at, byte) in (0..).zip(out) {
            let mixed = (address.wrapping_add(at)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            *byte = (mixed >> 57) as u8 | 0x40;
        }
        Access::Mapped
    }
}

/// A surface and a sampler state, a message and its parameters.
#[derive(Clone)]
struct Scene {
    name: &'static str,
    surface: SurfaceState,
    sampler: SamplerState,
    op: Op,
    params: Vec<Vec<u32>>,
    precision: Precision,
}

impl Scene {
    fn run(&self, surface: &SurfaceState, sampler: &SamplerState) -> Result<Vec<u8>, String> {
        let say = |why: texwire::Error| why.to_string();
        let texture = Texture::bind(surface, Platform::Gen11).map_err(say)?;
        let border = [0.25f32, 0.5, 0.75, 0.125].map(f32::to_bits);
        let sampler = Sampler::bind(sampler, &border).map_err(say)?.with_precision(self.precision);
        let message = Message { params: self.params.len() as u8, ..Message::new(self.op) };
        let lanes: Vec<Vec<u8>> = self
            .params
            .iter()
            .map(|lanes| lanes.iter().flat_map(|lane| lane.to_le_bytes()).collect())
            .collect();
        let mut payload = Payload::new();
        for lanes in &lanes {
            payload.push(lanes).unwrap();
        }
        let mut out = vec![0; message.response().len.into()];
        texture.execute(&message, &payload, &sampler, &Everywhere, &mut out).map_err(say)?;
        Ok(out)
    }
}

fn floats(values: [f32; 8]) -> Vec<u32> {
    values.map(f32::to_bits).into()
}

const U: [f32; 8] = [0.013, 0.31, 0.527, 0.987, -0.26, 1.37, 0.74, 0.101];
const V: [f32; 8] = [0.77, 0.999, 0.043, 0.42, 0.613, -0.381, 1.22, 0.291];
const R: [f32; 8] = [0.0, 1.0, 2.0, 1.0, 0.0, 3.0, 2.0, 1.0];
const LOD: [f32; 8] = [-0.6, 0.04, 0.5, 1.1, 1.97, 2.4, -0.2, 0.23];

/// The channel selects of dword 7 that change nothing.
const SELECT_RGBA: u32 = 4 << 25 | 5 << 22 | 6 << 19 | 7 << 16;

fn surface(
    kind: SurfaceType,
    format: SurfaceFormat,
    [width, height, depth]: [u32; 3],
    levels: u32,
) -> SurfaceState {
    let mut state = SurfaceState::default();
    let array = !matches!(kind, SurfaceType::D3 | SurfaceType::Buffer);
    state.set_surface_type(kind).set_format(format).set_array(array).set_tile_mode(TileMode::YMajor);
    state
        .set_width(width)
        .unwrap()
        .set_height(height)
        .unwrap()
        .set_depth(depth)
        .unwrap()
        .set_mip_count(levels)
        .unwrap();
    state
        .set_halign(4)
        .set_valign(4)
        .set_mip_tail_start(15)
        .unwrap()
        .set_cube_faces(0x3f)
        .set_base_address(0x40_0000);
    state.dwords[7] |= SELECT_RGBA;
    fit(&mut state);
    state
}

fn buffer() -> SurfaceState {
    let mut state = SurfaceState::default();
    state
        .set_surface_type(SurfaceType::Buffer)
        .set_format(SurfaceFormat::R8G8B8A8_UNORM)
        .set_buffer_elements(100)
        .unwrap();
    state.set_pitch(4).unwrap().set_mip_count(1).unwrap().set_base_address(0x40_0000);
    state.dwords[7] |= SELECT_RGBA;
    state
}

fn fit(state: &mut SurfaceState) {
    let element = format::info(state.format()).map_or(Element::texel(1), |info| info.element());
    state.fit(element, Platform::Gen11).unwrap();
}

fn linear() -> SamplerState {
    let mut state = SamplerState::default();
    state.set_mag_filter(Filter::Linear).set_min_filter(Filter::Linear).set_mip_filter(MipFilter::Linear);
    state.set_max_lod(14 << 8);
    state
}

fn scene(
    name: &'static str,
    surface: SurfaceState,
    sampler: SamplerState,
    op: Op,
    params: Vec<Vec<u32>>,
) -> Scene {
    Scene { name, surface, sampler, op, params, precision: Precision::Float }
}

fn filtered() -> Vec<Scene> {
    use SurfaceFormat as F;
    let at = |r: [f32; 8]| vec![floats(LOD), floats(U), floats(V), floats(r)];
    let array = surface(SurfaceType::D2, F::R8G8B8A8_UNORM, [68, 44, 4], 4);
    let volume = surface(SurfaceType::D3, F::R8G8B8A8_UNORM, [30, 44, 9], 4);
    let mut tail = surface(SurfaceType::D2, F::R8G8B8A8_UNORM, [200, 100, 4], 6);
    tail.set_tiled_resource(TiledResource::Yf).set_mip_tail_start(4).unwrap();
    fit(&mut tail);
    let mut field = surface(SurfaceType::D2, F::R8G8B8A8_UNORM, [60, 44, 1], 1);
    field.set_line_stride(1).set_array(false);
    let mut clamped = linear();
    clamped.set_mag_filter(Filter::Nearest).set_min_lod(1 << 8);
    let mut between = linear();
    between.set_min_lod(1 << 7);
    let mut near = linear();
    near.set_address_modes([AddressMode::Clamp; 3]);
    let mut reduced = linear();
    reduced.set_reduction(Some(ReductionType::Minimum));
    let mut keyed = linear();
    keyed.set_chroma_key(true);
    let mut black = linear();
    black.dwords[1] |= 1 << 4;
    let cut = |scene: Scene| Scene { precision: Precision::Fixed8, ..scene };
    let mut volume_at = at(R);
    volume_at[0] = floats([-0.6, 0.5, -0.5, 1.1, -0.2, 0.8, -0.7, -0.1]);
    volume_at[3] = floats([0.1, 0.33, 0.52, 0.9, -0.2, 1.3, 0.71, 0.05]);
    vec![
        scene("array", array, linear(), Op::SampleL, at(R)),
        scene("magnified apart", array, clamped, Op::SampleL, at(R)),
        scene("magnified between levels", array, between, Op::SampleL, at(R)),
        scene("reduced", array, reduced, Op::SampleL, at(R)),
        scene("killing key", array, keyed, Op::SampleL, at(R)),
        scene("black key", array, black, Op::SampleL, at(R)),
        scene("volume", volume, linear(), Op::SampleL, volume_at.clone()),
        cut(scene("volume, 8-bit fractions", volume, linear(), Op::SampleL, volume_at)),
        scene("tail", tail, near, Op::SampleL, at(R)),
        scene("field", field, near, Op::SampleL, at(R)),
        scene(
            "srgb",
            surface(SurfaceType::D2, F::R8G8B8A8_UNORM_SRGB, [60, 44, 4], 3),
            linear(),
            Op::SampleL,
            at(R),
        ),
        scene(
            "cube",
            surface(SurfaceType::Cube, F::R8G8B8A8_UNORM, [32, 32, 2], 3),
            near,
            Op::SampleL,
            at(R),
        ),
        scene(
            "row",
            {
                let mut row = surface(SurfaceType::D1, F::R8_UNORM, [100, 1, 4], 3);
                row.set_tile_mode(TileMode::Linear);
                fit(&mut row);
                row
            },
            linear(),
            Op::SampleL,
            at(R),
        ),
    ]
}

/// A texel column, row and layer for each lane.
const X: [u32; 8] = [0, 5, 9, 13, 7, 2, 11, 3];
const Y: [u32; 8] = [1, 8, 30, 2, 17, 6, 4, 12];
const LAYERS: [u32; 8] = [0, 1, 2, 1, 0, 2, 1, 0];

/// Returns scenes of multisampled surfaces.
fn multisampled() -> Vec<Scene> {
    let (x, y, layers) = (X.to_vec(), Y.to_vec(), LAYERS.to_vec());
    let mut sampled = surface(SurfaceType::D2, SurfaceFormat::R8G8B8A8_UNORM, [60, 44, 3], 1);
    sampled.set_samples(4).unwrap();
    fit(&mut sampled);
    let mut controlled = sampled;
    controlled
        .set_aux_mode(AuxMode::CcsD)
        .set_aux_pitch(3)
        .unwrap()
        .set_aux_qpitch(64)
        .unwrap()
        .set_aux_base_address(0x90_0000);
    let mut clear_in_memory = controlled;
    clear_in_memory.set_clear_address_enable(true).set_clear_address(0xa0_0000);
    // An MCS value of all ones selects the clear colour.
    let clear = vec![vec![0, 1, 2, 3, 0, 1, 2, 3], vec![0xff; 8], x.clone(), y.clone(), layers.clone()];
    let samples = vec![vec![0, 1, 2, 3, 3, 2, 1, 0], x.clone(), y.clone(), layers.clone()];
    vec![
        scene("samples", sampled, linear(), Op::Ld2dss, samples),
        scene("control surface", controlled, linear(), Op::LdMcs, vec![x, y, layers]),
        scene("clear colour", controlled, linear(), Op::Ld2dms, clear.clone()),
        scene("clear colour in memory", clear_in_memory, linear(), Op::Ld2dms, clear),
        scene("sample count", sampled, linear(), Op::Sampleinfo, vec![]),
    ]
}

fn planar() -> SurfaceState {
    let mut state = SurfaceState::default();
    state
        .set_surface_type(SurfaceType::D2)
        .set_format(SurfaceFormat::PLANAR_420_8)
        .set_width(60)
        .unwrap()
        .set_height(44)
        .unwrap()
        .set_depth(1)
        .unwrap();
    state
        .set_mip_count(1)
        .unwrap()
        .set_halign(4)
        .set_valign(4)
        .set_pitch(128)
        .unwrap()
        .set_base_address(0x40_0000);
    state.set_tile_mode(TileMode::Linear).set_u_plane_y_offset(64);
    state.dwords[7] |= SELECT_RGBA;
    state
}

/// Returns scenes of loads, queries, comparisons and the other ways to sample.
fn other_operations() -> Vec<Scene> {
    let (x, y, layers, zero) = (X.to_vec(), Y.to_vec(), LAYERS.to_vec(), vec![0; 8]);
    let mut shadow = linear();
    shadow.set_shadow_function(CompareFunction::LessEqual);
    let mut anisotropic = linear();
    anisotropic.set_mag_filter(Filter::Anisotropic).set_min_filter(Filter::Anisotropic).set_max_anisotropy(4);
    let array = surface(SurfaceType::D2, SurfaceFormat::R8G8B8A8_UNORM, [60, 44, 4], 4);
    let depth = surface(SurfaceType::D2, SurfaceFormat::R8_UNORM, [60, 44, 1], 3);
    let (u, v, r) = (floats(U), floats(V), floats(R));
    let at = vec![u.clone(), v.clone(), r.clone()];
    let reference = vec![floats([0.5; 8]), u.clone(), v.clone(), r.clone()];
    let each = |derivative: f32| floats([derivative; 8]);
    let gradients = vec![u.clone(), each(0.13), each(0.0), v.clone(), each(0.01), each(0.04), r];
    vec![
        scene("planar", planar(), linear(), Op::SampleLz, vec![u, v]),
        scene("levels", array, linear(), Op::Resinfo, vec![vec![0, 1, 2, 3, 4, 0, 1, 2]]),
        scene("loads", array, linear(), Op::Ld, vec![x.clone(), y, zero.clone(), layers]),
        scene("buffer", buffer(), linear(), Op::Ld, vec![x, zero.clone(), zero]),
        scene("shadow", depth, shadow, Op::SampleC, reference),
        scene("anisotropic", array, anisotropic, Op::SampleD, gradients),
        scene("implicit", array, linear(), Op::Sample, at.clone()),
        scene("gather", array, linear(), Op::Gather4, at.clone()),
        scene("lod", array, linear(), Op::Lod, at),
    ]
}

/// Returns whether a field has its own meaning in a scene; elsewhere another field has its bits.
fn has_meaning(field: &str, scene: &Scene) -> bool {
    let planar = scene.name == "planar";
    let control = ["control surface", "clear colour", "clear colour in memory"].contains(&scene.name);
    match field {
        "Clear Color Conversion Enable" | "Clear Value Address" => scene.name == "clear colour in memory",
        "Red Clear Color" | "Green Clear Color" | "Blue Clear Color" | "Alpha Clear Color" => {
            scene.name == "clear colour"
        }
        "Auxiliary Surface Base Address" => control,
        "Auxiliary Surface Mode" | "Auxiliary Surface Pitch" | "Auxiliary Surface QPitch" => !planar,
        "Auxiliary Table Index for Media Compressed Surface" => !control && !planar,
        name if name.contains(" Plane") => planar,
        _ => true,
    }
}

/// The values that are tried for a field in place of its own: all values of a narrow field, else each bit flipped, and 0.
fn values(field: &Field, own: u64) -> Vec<u64> {
    let width = field.width();
    let values: Vec<u64> = if width <= 4 {
        (0..1 << width).collect()
    } else {
        (0..width).map(|bit| own ^ 1 << bit).chain([0]).collect()
    };
    values.into_iter().filter(|value| *value != own).collect()
}

/// The effect of changing a field.
#[derive(Default)]
struct Seen {
    /// The last scene whose result changed.
    changed: Option<&'static str>,
    /// The scenes that failed, with their errors.
    errors: Vec<(&'static str, String)>,
}

fn flip_all(structure: &str) -> BTreeMap<&'static str, Seen> {
    let mut all = BTreeMap::new();
    let scenes: Vec<Scene> = [filtered(), multisampled(), other_operations()].concat();
    for scene in &scenes {
        let own =
            scene.run(&scene.surface, &scene.sampler).unwrap_or_else(|why| panic!("{}: {why}", scene.name));
        let of_surface = structure == "RENDER_SURFACE_STATE";
        let fields = if of_surface { SurfaceState::FIELDS } else { SamplerState::FIELDS };
        for field in fields {
            let seen: &mut Seen = all.entry(field.name).or_default();
            if !has_meaning(field.name, scene) {
                continue;
            }
            let dwords: &[u32] = if of_surface { &scene.surface.dwords } else { &scene.sampler.dwords };
            for value in values(field, field.get(dwords)) {
                let (mut surface, mut sampler) = (scene.surface, scene.sampler);
                let dwords: &mut [u32] = if of_surface { &mut surface.dwords } else { &mut sampler.dwords };
                field.put(dwords, value);
                match scene.run(&surface, &sampler) {
                    Ok(result) if result != own => seen.changed = Some(scene.name),
                    Ok(_) => {}
                    Err(why) => seen.errors.push((scene.name, why)),
                }
            }
        }
    }
    all
}

/// Returns the rows of a table of `STATE.md`: field, effect, note.
fn rows(structure: &str) -> Vec<(&'static str, &'static str, &'static str)> {
    let text = include_str!("../STATE.md");
    let section = text.split("\n## ").find(|section| section.starts_with(structure)).unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| field"));
    rows.map(|row| {
        let mut cells =
            row.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_end_matches('|').trim());
        (cells.next().unwrap(), cells.next().unwrap(), cells.next().unwrap_or_default())
    })
    .collect()
}

fn compare(structure: &str, fields: &[Field]) {
    let rows = rows(structure);
    let names: Vec<_> = fields.iter().map(|field| field.name).collect();
    let listed: Vec<_> = rows.iter().map(|(name, ..)| *name).collect();
    assert_eq!(listed, names, "rows of {structure} in STATE.md");
    let seen = flip_all(structure);
    let mut wrong = Vec::new();
    for (name, effect, note) in rows {
        let Seen { changed, errors } = &seen[name];
        let first = errors.first();
        let fits = match effect {
            "honoured" => changed.is_some() || !errors.is_empty() && note.contains("only"),
            "irrelevant" => changed.is_none() && errors.is_empty(),
            "refused" => {
                let text = note.split(" (").next().unwrap();
                changed.is_none() && !errors.is_empty() && errors.iter().all(|(_, why)| why.starts_with(text))
            }
            other => panic!("{name}: unknown effect {other}"),
        };
        if !fits {
            wrong.push(format!(
                "{name} is not {effect}: changed in {changed:?}, {} errors, first {first:?}",
                errors.len()
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn surface_fields() {
    compare("RENDER_SURFACE_STATE", SurfaceState::FIELDS);
}

#[test]
fn sampler_fields() {
    compare("SAMPLER_STATE", SamplerState::FIELDS);
}
