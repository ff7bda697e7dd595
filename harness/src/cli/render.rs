//! `texwire render`

use super::inputs::{self, CommandResult, LimitArgs};
use crate::console::say;
use crate::containers::device_binary::ImageType;
use crate::containers::limits::PictureLimits;
use crate::containers::picture::{parse_picture, shrink};
use crate::image_argument::{self, BoundPicture};
use crate::output;
use crate::run::grid::Grid;
use crate::run::paint::{Camera, Painting, contact_sheet};
use clap::ValueEnum;
use image::RgbaImage;
use std::io::Write;
use std::path::{Path, PathBuf};
use texwire::sample::Precision;
use texwire::state::{AddressMode, Filter, MipFilter, SamplerState, SurfaceState};

/// Draws what one sampler setting does: address mode, filter, LOD, border.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    /// Address mode of U, V and R
    #[arg(long, value_enum, default_value = "wrap")]
    address: AddressName,
    /// Magnification and minification filter
    #[arg(long, value_enum, default_value = "linear")]
    filter: FilterName,
    /// Mip filter
    #[arg(long, value_enum, default_value = "none")]
    mip: MipName,
    /// Largest ratio of the anisotropic filter: 2, 4, .. 16 [default: 16]
    #[arg(long, value_parser = anisotropy)]
    anisotropy: Option<u32>,
    /// LOD bias of the sampler, -16 to 15.99
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true, value_parser = bias)]
    bias: f32,
    /// Explicit LOD: at the left edge, and at the right (default: from the derivatives)
    #[arg(long, num_args = 1..=2, value_names = ["LEFT", "RIGHT"], allow_negative_numbers = true,
        value_parser = inputs::finite)]
    lod: Option<Vec<f32>>,
    /// Border colour: red, green, blue, alpha [default: 0.9 0.3 0.1 1]
    #[arg(long, num_args = 4, value_names = ["R", "G", "B", "A"], allow_negative_numbers = true,
        value_parser = inputs::finite)]
    border: Option<Vec<f32>>,
    /// Filter weights with 8-bit fractions, as hardware has them
    #[arg(long)]
    fixed8: bool,
    /// How the texture is placed
    #[arg(long, value_enum, default_value = "flat")]
    view: Camera,
    /// The picture, PNG or JPEG (default: the bundled one)
    #[arg(long)]
    image: Option<PathBuf>,
    #[command(flatten)]
    limit: LimitArgs,
    /// Halves the picture this many times
    #[arg(long, default_value_t = 0)]
    shrink: u32,
    /// Width and height of the result [default: 384 256]
    #[arg(long, num_args = 2, value_names = ["WIDTH", "HEIGHT"], value_parser = clap::value_parser!(u32).range(1..=16384))]
    size: Option<Vec<u32>>,
    /// Draws a sheet of all modes instead
    #[arg(long)]
    sheet: bool,
    /// The PNG to write
    #[arg(short, long)]
    out: PathBuf,
}

fn bias(text: &str) -> Result<f32, String> {
    let bias = inputs::finite(text)?;
    if (-16.0..16.0).contains(&bias) { Ok(bias) } else { Err("a bias is -16 to 15.99".to_owned()) }
}

fn anisotropy(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(ratio @ (2 | 4 | 6 | 8 | 10 | 12 | 14 | 16)) => Ok(ratio),
        _ => Err("a ratio is 2, 4, 6, .. 16".to_owned()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AddressName {
    Wrap,
    Mirror,
    Clamp,
    Cube,
    Border,
    MirrorOnce,
    HalfBorder,
    Mirror101,
}

impl AddressName {
    const fn mode(self) -> AddressMode {
        match self {
            Self::Wrap => AddressMode::Wrap,
            Self::Mirror => AddressMode::Mirror,
            Self::Clamp => AddressMode::Clamp,
            Self::Cube => AddressMode::Cube,
            Self::Border => AddressMode::ClampBorder,
            Self::MirrorOnce => AddressMode::MirrorOnce,
            Self::HalfBorder => AddressMode::HalfBorder,
            Self::Mirror101 => AddressMode::Mirror101,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FilterName {
    Nearest,
    Linear,
    Anisotropic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MipName {
    None,
    Nearest,
    Linear,
}

/// The default border colour.
const BORDER: [f32; 4] = [0.9, 0.3, 0.1, 1.0];
/// The default width and height.
const SIZE: [u32; 2] = [384, 256];
const PICTURE: &[u8] = include_bytes!("../../corpus/images/chelsea.png");

pub(super) fn run(args: &Args) -> CommandResult {
    let picture = match &args.image {
        Some(path) => parse_picture(&inputs::read(path)?, args.limit.limits())
            .map_err(|why| format!("picture at {}: {why}", path.display()))?,
        None => parse_picture(PICTURE, PictureLimits::default())?,
    };
    let picture = shrink(&picture, args.shrink);
    for note in without_effect(args) {
        let _ = writeln!(std::io::stderr(), "note: {note}");
    }
    let image = if args.sheet { sheet(args, &picture)? } else { draw(args, &picture)? };
    let inputs: Vec<&Path> = args.image.iter().map(PathBuf::as_path).collect();
    output::write_picture(&args.out, &inputs, &image)?;
    say!("{}: {}x{}", args.out.display(), image.width(), image.height());
    Ok(true)
}

/// Returns a note for each given option that has no effect on the picture, with the reason.
fn without_effect(args: &Args) -> Vec<&'static str> {
    let mut notes = Vec::new();
    let mut note = |given: bool, text| notes.extend(given.then_some(text));
    if args.sheet {
        note(args.lod.is_some(), "--lod has no effect with --sheet, which has its own");
        note(args.anisotropy.is_some(), "--anisotropy has no effect with --sheet, which has its own");
        note(args.size.is_some(), "--size has no effect with --sheet, which has its own");
        return notes;
    }
    let bordered = matches!(args.address, AddressName::Border | AddressName::HalfBorder);
    note(
        args.border.is_some() && !bordered,
        "--border has no effect without --address border or half-border",
    );
    let anisotropic = args.filter == FilterName::Anisotropic;
    note(
        args.anisotropy.is_some() && !anisotropic,
        "--anisotropy has no effect without --filter anisotropic",
    );
    let explicit = args.lod.is_some();
    note(anisotropic && explicit, "--filter anisotropic is linear with --lod: the LOD has no direction");
    let levels = args.mip == MipName::None;
    note(explicit && levels, "--lod chooses the filter only: without --mip every texel is of level 0");
    note(
        args.bias != 0.0 && levels,
        "--bias chooses the filter only: without --mip every texel is of level 0",
    );
    let cube = args.address == AddressName::Cube;
    note(cube && args.view != Camera::Panorama, "--address cube has no effect without --view panorama");
    notes
}

/// Draws the picture of one setting.
fn draw(args: &Args, picture: &RgbaImage) -> Result<RgbaImage, Box<dyn std::error::Error>> {
    let [width, height] = args.size.as_deref().and_then(|size| size.try_into().ok()).unwrap_or(SIZE);
    let border = args.border.as_deref().and_then(|border| border.try_into().ok()).unwrap_or(BORDER);
    Painting {
        texture: &texture(args, picture)?,
        sampler: sampler(args),
        border,
        view: args.view,
        lod: args.lod.as_ref().map(|lod| [lod[0], *lod.last().unwrap_or(&lod[0])]),
        precision: if args.fixed8 { Precision::Fixed8 } else { Precision::Float },
        grid: Grid { width, height, simd: 16 },
    }
    .paint()
}

fn texture(args: &Args, picture: &RgbaImage) -> Result<BoundPicture, Box<dyn std::error::Error>> {
    let name = if args.view == Camera::Panorama { "cube" } else { "2d" };
    let kind = ImageType::from_name(name).ok_or("an unknown image type")?;
    let contents =
        image_argument::contents(kind, std::slice::from_ref(picture)).ok_or("no picture for this type")?;
    image_argument::bind(SurfaceState { dwords: [0; 16] }, kind, &contents, 0x1000)
}

fn sampler(args: &Args) -> SamplerState {
    let filter = match args.filter {
        FilterName::Nearest => Filter::Nearest,
        FilterName::Linear => Filter::Linear,
        FilterName::Anisotropic => Filter::Anisotropic,
    };
    let mip = match args.mip {
        MipName::None => MipFilter::None,
        MipName::Nearest => MipFilter::Nearest,
        MipName::Linear => MipFilter::Linear,
    };
    let mut state = SamplerState { dwords: [0; 4] };
    state.set_mag_filter(filter).set_min_filter(filter).set_mip_filter(mip);
    state
        .set_max_anisotropy(args.anisotropy.unwrap_or(16))
        .set_rounding(!matches!(args.filter, FilterName::Nearest));
    state
        .set_lod_bias((args.bias.clamp(-16.0, 15.99) * 256.0).round() as i32)
        .set_min_lod(0)
        .set_max_lod(14 << 8);
    state.set_address_modes([args.address.mode(); 3]);
    state
}

/// Draws a sheet with one picture for each mode.
fn sheet(args: &Args, picture: &RgbaImage) -> Result<RgbaImage, Box<dyn std::error::Error>> {
    // The picture is shrunk already.
    let base = Args { size: Some(vec![192, 128]), shrink: 0, lod: None, anisotropy: None, ..args.clone() };
    let mut tiles: Vec<(String, Args)> = Vec::new();
    let mut add = |caption: &str, change: &dyn Fn(&mut Args)| {
        let mut args = base.clone();
        change(&mut args);
        tiles.push((caption.to_owned(), args));
    };
    for address in AddressName::value_variants() {
        let name = address.to_possible_value().map_or_else(String::new, |v| v.get_name().to_owned());
        if !matches!(address, AddressName::Cube) {
            add(&format!("address {name}"), &|a| a.address = *address);
        }
    }
    add("lod 0 .. 7", &|a| (a.lod, a.mip) = (Some(vec![0.0, 7.0]), MipName::Linear));
    let close = |a: &mut Args, filter| (a.view, a.filter) = (Camera::Close, filter);
    add("close nearest", &|a| close(a, FilterName::Nearest));
    add("close linear", &|a| close(a, FilterName::Linear));
    add("cube per face", &|a| (a.view, a.shrink, a.address) = (Camera::Panorama, 5, AddressName::Clamp));
    add("cube seamless", &|a| (a.view, a.shrink, a.address) = (Camera::Panorama, 5, AddressName::Cube));
    let floor = |a: &mut Args, filter, mip| (a.view, a.filter, a.mip) = (Camera::Floor, filter, mip);
    add("floor, no mips", &|a| floor(a, FilterName::Linear, MipName::None));
    add("floor, mip nearest", &|a| floor(a, FilterName::Linear, MipName::Nearest));
    add("floor, trilinear", &|a| floor(a, FilterName::Linear, MipName::Linear));
    add("floor, bias +2", &|a| {
        floor(a, FilterName::Linear, MipName::Linear);
        a.bias = 2.0;
    });
    add("floor, aniso 4", &|a| {
        floor(a, FilterName::Anisotropic, MipName::Linear);
        a.anisotropy = Some(4);
    });
    add("floor, aniso 16", &|a| floor(a, FilterName::Anisotropic, MipName::Linear));
    let drawn: Result<Vec<_>, _> = tiles
        .iter()
        .map(|(caption, args)| {
            draw(args, &shrink(picture, args.shrink)).map(|image| (caption.clone(), image))
        })
        .collect();
    Ok(contact_sheet(&drawn?, 4))
}
