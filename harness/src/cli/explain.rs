//! `texwire explain`

use super::inputs::{self, CommandResult};
use crate::console::{say, say_styled};
use crate::explain::{Explained, StateKind, descriptor, dwords, state, texture_header, texture_sampler};
use crate::wires::gen_native::GEN11;
use crate::wires::{self, ExplainedSink, Wire};
use texwire::Platform;
use texwire::state::nv::Class;

/// Shows every field of an instruction, a message descriptor or a state structure: bits, raw value, meaning, broken rules.
///
/// A single dword (`texwire explain 0x02420001`) is a message descriptor; other input is an instruction, unless --state
/// says what it is. Dwords are read in any usual spelling: with 0x or without, commas, `dw3: 0x...`, addresses in front
/// of lines, or bytes in memory order. Several structures in a row are explained one after another.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Dialect of an instruction [default: gen11]
    #[arg(long, value_parser = inputs::wire(), conflicts_with_all = ["state", "desc"])]
    wire: Option<&'static dyn Wire>,
    /// Platform: gen9, gen11, xe-lp, xe-hpg, xe-hpc, xe2 (descriptors), maxwell, pascal
    #[arg(long)]
    platform: Option<String>,
    /// What the input is, if it is a state structure
    #[arg(long, value_enum, conflicts_with = "desc")]
    state: Option<StateKind>,
    /// A sampler message descriptor
    #[arg(long, value_name = "DWORD", value_parser = dword, conflicts_with = "inputs")]
    desc: Option<u32>,
    /// The extended message descriptor that belongs to it
    #[arg(long, value_name = "DWORD", value_parser = dword, conflicts_with = "state")]
    exdesc: Option<u32>,
    /// Class of NVIDIA's structures: 9097, a097, b097, b197, c097 [default: b197]
    #[arg(long, value_parser = class)]
    class: Option<Class>,
    /// The input is bytes in memory order, also where its spelling looks like dwords
    #[arg(long)]
    bytes: bool,
    /// One JSON object for each explained structure or instruction
    #[arg(long)]
    json: bool,
    /// The bytes of an instruction in memory order, or dwords, in hex; a file of them; - for standard input
    #[arg(required_unless_present = "desc", value_name = "HEX|FILE|-")]
    inputs: Vec<String>,
}

fn dword(text: &str) -> Result<u32, String> {
    match dwords::parse(text)?.as_slice() {
        [dword] => Ok(*dword),
        more => Err(format!("{} dwords, expected one", more.len())),
    }
}

fn class(text: &str) -> Result<Class, String> {
    let digits = text.trim_start_matches("0x");
    let code = u16::from_str_radix(digits, 16).ok();
    code.and_then(|code| Class::from_code(code).ok())
        .ok_or_else(|| format!("`{text}` is no class (expected 9097, a097, b097, b197 or c097)"))
}

/// The input: text (of the command line or of a text file), or the bytes of a binary file.
enum Input {
    Text(String),
    Bytes(Vec<u8>),
}

pub(super) fn run(args: &Args) -> CommandResult {
    explain(args, &mut |explained| {
        match args.json {
            true => say!("{}", serde_json::to_string(&explained)?),
            false => say_styled(&format!("{explained:#}")),
        }
        Ok(())
    })?;
    Ok(true)
}

fn explain(args: &Args, sink: &mut ExplainedSink<'_>) -> Result<(), Box<dyn std::error::Error>> {
    let named = named_platform(args)?;
    let platform = named.unwrap_or(Platform::Gen11);
    if args.class.is_some() && !matches!(args.state, Some(StateKind::NvHeader | StateKind::NvSampler)) {
        return Err("unexpected --class at the input: it belongs to --state nv-header and nv-sampler".into());
    }
    if let Some(desc) = args.desc {
        return sink(one_descriptor(desc, args, platform)?);
    }
    let input = input(&args.inputs)?;
    if let Some(kind) = args.state {
        require_more_than_descriptors(platform)?;
        return states(kind, &words(&input, args)?, args, platform, sink);
    }
    if args.wire.is_none()
        && !args.bytes
        && let Input::Text(_) = &input
        && let Ok([desc]) = words(&input, args).as_deref()
    {
        return sink(one_descriptor(*desc, args, platform)?);
    }
    if args.exdesc.is_some() {
        return Err("unexpected --exdesc at the input: it belongs to a descriptor (--desc)".into());
    }
    let wire = wire(args, named)?;
    let bytes = match &input {
        Input::Bytes(bytes) => bytes.clone(),
        Input::Text(text) => crate::hex::decode(text).map_err(|why| instruction_hint(&why, &input, args))?,
    };
    if bytes.is_empty() {
        return Err("nothing to explain at the input: it is empty".into());
    }
    wire.explain(&bytes, named, sink)
}

/// Returns the platform of `--platform`. If there is a `--wire`, it has to have that platform.
fn named_platform(args: &Args) -> Result<Option<Platform>, String> {
    let Some(name) = args.platform.as_deref() else { return Ok(None) };
    if let Some(wire) = args.wire {
        return inputs::platform(Some(name), wire).map(Some);
    }
    inputs::platform_among(&Platform::ALL, name).map(Some)
}

/// Returns the wire of an instruction: without `--wire`, the native one of the platform.
fn wire(args: &Args, platform: Option<Platform>) -> Result<&'static dyn Wire, String> {
    match (args.wire, platform) {
        (Some(wire), _) => Ok(wire),
        (None, None) => Ok(&GEN11),
        (None, Some(platform)) => {
            require_more_than_descriptors(platform)?;
            wires::native(platform).ok_or_else(|| {
                format!("bad platform at --platform: {platform} has no native dialect here (--wire visa is its vISA)")
            })
        }
    }
}

/// Refuses a platform of which nothing but message descriptors is published.
fn require_more_than_descriptors(platform: Platform) -> Result<(), String> {
    match platform {
        Platform::Xe2 => {
            Err("bad platform at --platform: of xe2 only message descriptors are explained".into())
        }
        _ => Ok(()),
    }
}

/// Appends a hint to the error `why`: as many dwords as a state structure has are explained only with its --state.
fn instruction_hint(why: &str, input: &Input, args: &Args) -> String {
    let hint = match words(input, args).map(|words| words.len()) {
        Ok(16) => "; 16 dwords may be a --state surface",
        Ok(8) => "; 8 dwords may be a --state nv-header or nv-sampler",
        Ok(4) => "; 4 dwords may be a --state sampler or border",
        _ => "",
    };
    format!("{why}{hint}")
}

fn one_descriptor(desc: u32, args: &Args, platform: Platform) -> Result<Explained, String> {
    if matches!(platform, Platform::Maxwell | Platform::Pascal) {
        return Err(format!("bad platform at --platform: {platform} has no message descriptors"));
    }
    Ok(descriptor::descriptor(desc, args.exdesc, platform))
}

/// Explains the dwords as one or more structures of a kind, numbered if there are several.
fn states(
    kind: StateKind,
    dwords: &[u32],
    args: &Args,
    platform: Platform,
    sink: &mut ExplainedSink<'_>,
) -> Result<(), Box<dyn std::error::Error>> {
    let (size, class) = (kind.dwords(), args.class.unwrap_or(Class::Maxwell2));
    if dwords.is_empty() || !dwords.len().is_multiple_of(size) {
        let count = if dwords.len() == 1 { "1 dword".to_owned() } else { format!("{} dwords", dwords.len()) };
        return Err(format!("{count} at the input: a {} has {size}", kind.name()).into());
    }
    for (index, structure) in dwords.chunks_exact(size).enumerate() {
        let mut explained = match kind {
            StateKind::NvHeader => texture_header(class, structure),
            StateKind::NvSampler => texture_sampler(class, structure),
            StateKind::Surface
            | StateKind::Sampler
            | StateKind::Border
            | StateKind::BindingTable
            | StateKind::InterfaceDescriptor => state(kind, structure, platform),
        };
        if dwords.len() > size {
            explained.what = format!("{} {index}", explained.what);
        }
        sink(explained)?;
    }
    Ok(())
}

fn words(input: &Input, args: &Args) -> Result<Vec<u32>, String> {
    match input {
        Input::Bytes(bytes) => dwords::from_bytes(bytes),
        Input::Text(text) if args.bytes => dwords::from_bytes(&crate::hex::decode(text)?),
        Input::Text(text) => dwords::parse(text),
    }
}

/// Returns the input: standard input if the only word is `-`, the file that the only word names, else the words themselves.
fn input(words: &[String]) -> Result<Input, Box<dyn std::error::Error>> {
    let named = match words {
        [only] => inputs::read_named(only)?,
        _ => None,
    };
    let Some((_, bytes)) = named else { return Ok(Input::Text(words.join(" "))) };
    match String::from_utf8(bytes) {
        Ok(text) if !text.chars().any(|c| c.is_control() && !c.is_whitespace()) => Ok(Input::Text(text)),
        Ok(text) => Ok(Input::Bytes(text.into_bytes())),
        Err(bytes) => Ok(Input::Bytes(bytes.into_bytes())),
    }
}
