//! `texwire footprint`

use super::inputs::{self, CommandResult, LimitArgs};
use crate::bench::describe::DescribedMessage;
use crate::bench::state::operation;
use crate::console::{caution, say};
use crate::footprint::draw::{Drawing, PanelRow, draw};
use crate::footprint::{FootprintInput, LaneFootprint, is_integer, parameter_name, to_json, to_text};
use crate::output;
use crate::textures::{self, Picture};
use clap::ValueEnum;
use serde_json::json;
use std::path::{Path, PathBuf};
use texwire::Platform;
use texwire::message::{Message, Op};
use texwire::sample::Precision;
use texwire::state::{BorderColor, SamplerState, SurfaceState};

/// Shows what each lane of a message reads: LOD, levels, texels, addresses, weights.
///
/// The states are those of --state (keys as `texwire bench --state help` prints them, on Gen11), or dwords. Each --lane has the
/// operation's parameters in payload order (u,v,..) or by name (u=0.5,v=0.25,lod=1); an implicit LOD needs the four lanes of a
/// subspan.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// States and operation: KEY=VALUE,..
    #[arg(long, default_value = "", value_name = "KEY=VALUE,..", conflicts_with_all = ["surface", "sampler"])]
    state: String,
    /// RENDER_SURFACE_STATE, 16 dwords as hex, separated by spaces or commas
    #[arg(long, value_name = "DWORDS", requires = "op")]
    surface: Option<String>,
    /// SAMPLER_STATE, 4 dwords
    #[arg(long, value_name = "DWORDS", requires = "surface")]
    sampler: Option<String>,
    /// A picture as texture: PNG, JPEG (R8G8B8A8_UNORM with all levels), DDS or KTX2 in 2D
    #[arg(long, conflicts_with = "surface")]
    image: Option<PathBuf>,
    #[command(flatten)]
    limit: LimitArgs,
    /// Operation (sample, sample_l, gather4, ld ..) instead of the state's
    #[arg(long)]
    op: Option<String>,
    /// Parameters of a lane; once for each lane, at most 32
    #[arg(long = "lane", value_name = "PARAMETERS", required = true, allow_hyphen_values = true)]
    lanes: Vec<String>,
    /// Platform of the dwords: gen9, gen11, xe-lp, xe-hpg
    #[arg(long, default_value = "gen11", requires = "surface")]
    platform: String,
    /// Arithmetic of LOD and weights
    #[arg(long, value_enum)]
    precision: Option<Arithmetic>,
    /// A line of JSON for each lane
    #[arg(long)]
    json: bool,
    /// Draws the footprints as PNG
    #[arg(short, long)]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Arithmetic {
    Float,
    Fixed8,
    Both,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let picture = match &args.image {
        Some(path) => {
            let picture = textures::read(&inputs::read(path)?, args.limit.limits());
            Some(picture.map_err(|why| format!("picture at {}: {why}", path.display()))?)
        }
        None => None,
    };
    let (input, usual) = input(args, picture.as_ref())?;
    let precisions = match args.precision {
        None => vec![usual],
        Some(Arithmetic::Float) => vec![Precision::Float],
        Some(Arithmetic::Fixed8) => vec![Precision::Fixed8],
        Some(Arithmetic::Both) => vec![Precision::Float, Precision::Fixed8],
    };
    let observed: Vec<(&str, Vec<LaneFootprint>)> = precisions
        .into_iter()
        .map(|precision| {
            let lanes = input.observe(precision).map_err(|why| format!("message at --lane: {why}"))?;
            Ok((name(precision), lanes))
        })
        .collect::<Result<_, String>>()?;
    print(args, &input, &observed);
    if let Some(out) = &args.out {
        let numbered: Vec<(&str, Vec<(usize, LaneFootprint)>)> = observed
            .iter()
            .map(|(name, lanes)| (*name, lanes.iter().cloned().enumerate().collect()))
            .collect();
        let rows: Vec<PanelRow<'_>> = numbered.iter().map(|(name, lanes)| (*name, &lanes[..])).collect();
        let inputs: Vec<&Path> = args.image.iter().map(PathBuf::as_path).collect();
        let Drawing { image, cut } = draw(&rows, picture.as_ref());
        output::write_picture(out, &inputs, &image)?;
        for lane in cut {
            caution!("lane {lane} reads texels too far from the others' for {}", out.display());
        }
    }
    Ok(true)
}

const fn name(precision: Precision) -> &'static str {
    match precision {
        Precision::Float => "float",
        Precision::Fixed8 => "fixed8",
    }
}

fn print(args: &Args, input: &FootprintInput, observed: &[(&str, Vec<LaneFootprint>)]) {
    for (precision, lanes) in observed {
        if !args.json && observed.len() > 1 {
            say!("{precision}:");
        }
        for (number, lane) in lanes.iter().enumerate() {
            if args.json {
                let mut line = json!({ "precision": precision });
                if let (Some(line), Some(lane)) =
                    (line.as_object_mut(), to_json(number, lane).as_object_mut())
                {
                    line.append(lane);
                }
                say!("{line}");
            } else {
                for line in to_text(number, lane, input.message.op.flags().gather) {
                    say!("{line}");
                }
            }
        }
    }
}

/// Returns the states and the message with its lanes, and the precision of the described state (float if the states are dwords).
fn input(
    args: &Args,
    picture: Option<&Picture>,
) -> Result<(FootprintInput, Precision), Box<dyn std::error::Error>> {
    let op = args
        .op
        .as_deref()
        .map(|name| operation(name).ok_or_else(|| format!("unknown operation at --op: {name}")))
        .transpose()?;
    if args.lanes.len() > 32 {
        return Err(format!("{} lanes at --lane: a message has at most 32", args.lanes.len()).into());
    }
    let input = match &args.surface {
        Some(surface) => of_dwords(args, surface, op)?,
        None => {
            let described = DescribedMessage::new(&args.state)?;
            let (surface, memory) = match picture {
                None => (described.surface.0, None),
                Some(picture) => {
                    let (mode, address) =
                        (described.surface.0.tile_mode(), described.surface.0.base_address());
                    let made = textures::upload(picture, mode, address, Platform::Gen11)
                        .map_err(|why| format!("picture at --image: {why}"))?;
                    (made.state, Some(made.memory))
                }
            };
            let input = FootprintInput {
                platform: Platform::Gen11,
                surface,
                sampler: (described.sampler, BorderColor::default()),
                message: Message { op: op.unwrap_or(described.message.op), ..described.message },
                lanes: Vec::new(),
                memory,
            };
            return Ok((with_lanes(input, args)?, described.precision));
        }
    };
    Ok((with_lanes(input, args)?, Precision::Float))
}

fn of_dwords(
    args: &Args,
    surface: &str,
    op: Option<Op>,
) -> Result<FootprintInput, Box<dyn std::error::Error>> {
    let sampler = args.sampler.as_deref().map_or(Ok([0; 4]), |text| dwords(text, "--sampler"))?;
    Ok(FootprintInput {
        platform: inputs::platform_among(&PLATFORMS, &args.platform)?,
        surface: SurfaceState { dwords: dwords(surface, "--surface")? },
        sampler: (SamplerState { dwords: sampler }, BorderColor::default()),
        message: Message::new(op.ok_or("no operation at --op")?),
        lanes: Vec::new(),
        memory: None,
    })
}

/// The platforms whose native sampler messages are executed: a footprint for another one would be a guess.
const PLATFORMS: [Platform; 4] = [Platform::Gen9, Platform::Gen11, Platform::XeLp, Platform::XeHpg];

fn dwords<const N: usize>(text: &str, option: &str) -> Result<[u32; N], String> {
    let words = text.split([' ', ',', '\n']).filter(|word| !word.is_empty());
    let words: Option<Vec<u32>> =
        words.map(|word| u32::from_str_radix(word.strip_prefix("0x").unwrap_or(word), 16).ok()).collect();
    words
        .and_then(|words| words.try_into().ok())
        .ok_or_else(|| format!("no {N} dwords at {option}: {text} (expected {N} numbers as hex)"))
}

fn with_lanes(input: FootprintInput, args: &Args) -> Result<FootprintInput, String> {
    let lanes: Result<Vec<_>, _> =
        args.lanes.iter().enumerate().map(|(number, text)| lane(&input.message, number, text)).collect();
    Ok(FootprintInput { lanes: lanes?, ..input })
}

/// Parses the value of a `--lane`. Returns the parameters in payload order, up to the last one that is given.
fn lane(message: &Message, number: usize, text: &str) -> Result<Vec<u32>, String> {
    let names = message.op.params(message.param_width);
    let mut values = vec![0; names.len()];
    let list = || names.iter().map(|name| parameter_name(*name)).collect::<Vec<_>>().join(",");
    let mut most = 0;
    for (position, part) in text.split(',').map(str::trim).enumerate() {
        let (position, value) = match part.split_once('=') {
            Some((name, value)) => (names.iter().position(|param| parameter_name(*param) == name), value),
            None => (Some(position), part),
        };
        let place = position.and_then(|position| names.get(position).zip(values.get_mut(position)));
        let (param, place) = place.ok_or_else(|| {
            format!("no parameter at --lane {number}: {part} ({} has {})", message.op.name(), list())
        })?;
        *place = bits(value, is_integer(message, *param))
            .ok_or_else(|| format!("no number at --lane {number}: {part}"))?;
        most = most.max(position.unwrap_or(0) + 1);
    }
    // The message has only the parameters up to the last one that is given.
    values.truncate(most);
    Ok(values)
}

/// Parses a number into the bits of a parameter; hex digits after `0x` are the bits themselves.
fn bits(text: &str, integer: bool) -> Option<u32> {
    if let Some(hex) = text.strip_prefix("0x") {
        return u32::from_str_radix(hex, 16).ok();
    }
    if integer {
        return text.parse::<i64>().ok().filter(|n| (-(1 << 31)..1 << 32).contains(n)).map(|n| n as u32);
    }
    text.parse::<f32>().ok().map(f32::to_bits)
}
