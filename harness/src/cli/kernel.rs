//! `texwire kernel`

use super::inputs::{self, CommandResult};
use crate::console::{caution, say};
use crate::containers::device_binary::{DeviceBinary, Kernel};
use crate::engine::Precision;
use crate::machine::case::{LaunchCase, contents};
use crate::machine::launch::{
    self, Argument, ImageValue, LaunchOptions, LaunchOutcome, NdRange, SamplerFilter, SamplerStateDump,
    SamplerValue, SamplerWrap, image_format,
};
use crate::machine::{self, SamplerRecord, watch};
use crate::output::{self, OutputFile, write_picture};
use crate::run::kernel_run;
use crate::textures::{self, Picture, PictureLimits};
use crate::trace_file::TraceWriter;
use image::RgbaImage;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Runs a whole kernel of a device binary, without a GPU.
///
/// FILE is what Intel's offline compiler wrote for Gen9 or Gen11. With --case, the launch is a JSON file and the outputs go to another;
/// otherwise --global and one --arg for each kernel argument in order describe it, and -o names a folder: images become PNG files,
/// buffers binary files, sampler messages a trace (trace.twt) with the real headers and registers.
///
/// Reads outside a bound buffer or local memory give 0 and writes there are dropped, as the hardware does; a warning counts them, and
/// --strict makes the first one an error. Pointers that no buffer holds are errors always. An error comes after everything that was
/// printed, traced and counted before it.
///
/// Arguments: char:5 uchar:5 short:5 ushort:5 int:5 uint:5 long:5 ulong:5 float:0.5 half:0.5 double:0.5 (vectors: float:1,2,3,4), hex:00112233, buffer:BYTES (zeros), buffer:BYTES,seed=N
/// (random), buffer:@FILE, local:BYTES, image:PICTURE (PNG, JPEG, DDS, KTX2), image:WIDTHxHEIGHT (RGBA8, black), sampler:MODE,FILTER, sampler:MODE,FILTER,texels, null.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Device binary (`ocloc compile`), Gen9 or Gen11
    file: PathBuf,
    /// Name of the kernel (default: the first)
    #[arg(long)]
    name: Option<String>,
    /// A launch in JSON: kernel, NDRange, arguments
    #[arg(long, conflicts_with_all = ["global", "local", "args"])]
    case: Option<PathBuf>,
    /// Work items: X or X,Y or X,Y,Z
    #[arg(long, value_parser = sizes)]
    global: Option<Sizes>,
    /// Work items of a group: X or X,Y or X,Y,Z
    #[arg(long, value_parser = sizes)]
    local: Option<Sizes>,
    /// Value of the next argument
    #[arg(long = "arg", value_name = "VALUE")]
    args: Vec<String>,
    /// Folder for the outputs; with --case, the JSON file
    #[arg(short, long, default_value = "out")]
    out: PathBuf,
    /// Filter arithmetic: float weights, or 8-bit fractions as hardware has
    #[arg(long, value_enum, default_value = "float")]
    precision: Precision,
    /// Instructions that a thread may execute
    #[arg(long, default_value_t = launch::MAX_INSTRUCTIONS)]
    max_instructions: u64,
    /// Writes a page with the sampler messages, their surfaces and samplers to this HTML file
    #[arg(long, value_name = "HTML", conflicts_with = "no_trace")]
    report: Option<PathBuf>,
    /// Writes no trace of the sampler messages
    #[arg(long, conflicts_with = "trace")]
    no_trace: bool,
    /// Trace of the sampler messages (default: trace.twt in the folder of the outputs; with --case, none)
    #[arg(long, value_name = "TRACE")]
    trace: Option<PathBuf>,
    /// Fails at the first access outside a bound buffer or local memory
    #[arg(long)]
    strict: bool,
    /// Counts instructions and messages
    #[arg(long)]
    profile: bool,
    /// Prints the first N instructions of each group with their results
    #[arg(long, default_value_t = 0, value_name = "N")]
    trace_instructions: u64,
    /// Prints all registers that are not 0 when a thread reaches this offset (0x1a0, or decimal)
    #[arg(long = "break", value_name = "OFFSET", value_parser = offset)]
    stop_at: Option<u32>,
}

impl Args {
    /// Returns the files that the command reads, which no output may overwrite.
    fn inputs(&self) -> Vec<&Path> {
        std::iter::once(&self.file).chain(&self.case).map(PathBuf::as_path).collect()
    }

    /// Returns the path of the trace of sampler messages; `None`: no trace is written.
    fn trace(&self) -> Option<PathBuf> {
        let default = (self.case.is_none() && !self.no_trace).then(|| self.out.join("trace.twt"));
        self.trace.clone().or(default)
    }
}

#[derive(Clone, Copy, Debug)]
struct Sizes {
    count: u32,
    each: [u32; 3],
}

fn sizes(text: &str) -> Result<Sizes, String> {
    let mut each = [1; 3];
    let mut count = 0;
    for part in text.split(',') {
        let slot = each.get_mut(count).ok_or("more than three dimensions")?;
        *slot = part.trim().parse().map_err(|why: std::num::ParseIntError| why.to_string())?;
        count += 1;
    }
    Ok(Sizes { count: count as u32, each })
}

/// Parses an offset: `0x1a0` or `416`.
fn offset(text: &str) -> Result<u32, String> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    }
    .map_err(|why| why.to_string())
}

pub(super) fn run(args: &Args) -> CommandResult {
    let bytes = inputs::read(&args.file)?;
    let binary = DeviceBinary::parse(&bytes).map_err(|why| format!("{}: {why}", args.file.display()))?;
    match &args.case {
        Some(path) => case(args, &binary, path),
        None => by_hand(args, &binary),
    }
}

fn options(args: &Args, record: bool) -> LaunchOptions {
    let watched = args.trace_instructions > 0 || args.stop_at.is_some();
    LaunchOptions {
        precision: args.precision.into(),
        max_instructions: args.max_instructions,
        strict: args.strict,
        record,
        watch: watch::WatchOptions {
            profile: args.profile,
            trace: args.trace_instructions,
            stop_at: args.stop_at,
        },
        sequential: watched,
    }
}

/// Runs the launch that a JSON case describes, and writes its outputs as hex in JSON.
fn case(args: &Args, binary: &DeviceBinary<'_>, path: &Path) -> CommandResult {
    let case = LaunchCase::parse(&inputs::read(path)?)
        .map_err(|why| format!("case at {}: {why}", path.display()))?;
    let kernel = find(args, binary, Some(args.name.as_deref().unwrap_or(&case.kernel)))?;
    let arguments = case.arguments().map_err(|why| format!("case at {}: {why}", path.display()))?;
    let (outcome, trace) = watched(args, binary, kernel, &case.range(), &arguments, &|_, _| {})?;
    show_profile(args, &outcome);
    let outputs: serde_json::Map<String, serde_json::Value> = outcome
        .outputs
        .iter()
        .map(|(index, bytes)| (index.to_string(), json!(crate::hex::encode(bytes))))
        .collect();
    output::write(&args.out, &args.inputs(), json!({ "outputs": outputs }).to_string().as_bytes())?;
    report(args, trace)
}

/// Runs the launch that the command line describes, and writes each output to a file.
fn by_hand(args: &Args, binary: &DeviceBinary<'_>) -> CommandResult {
    let kernel = find(args, binary, args.name.as_deref())?;
    let global = args.global.ok_or("bad usage at --global: missing (or --case)")?;
    let range = NdRange {
        dimensions: global.count,
        global: global.each,
        local: args.local.map(|local| local.each),
        offset: [0; 3],
    };
    let mut arguments = Vec::new();
    for (index, text) in args.args.iter().enumerate() {
        arguments.push(argument(text).map_err(|why| format!("argument {index} at --arg {text}: {why}"))?);
    }
    // Kernels that were compiled without names of arguments do not tell how many there are.
    let count = kernel.arguments.len();
    if count != 0 && arguments.len() > count {
        caution!("--arg {} is ignored: {} takes {count} arguments", args.args[count], kernel.name);
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} groups")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(0).with_style(style);
    let progress = |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    };
    let start = std::time::Instant::now();
    inputs::folder(&args.out)?;
    let (outcome, trace) = watched(args, binary, kernel, &range, &arguments, &progress)?;
    bar.finish_and_clear();
    say!(
        "{}: {} groups, SIMD{}, {} instructions in {:.3} s",
        kernel.name,
        outcome.groups,
        outcome.simd,
        outcome.instructions,
        start.elapsed().as_secs_f64()
    );
    show_profile(args, &outcome);
    for (index, bytes) in &outcome.outputs {
        save(args, *index, bytes, arguments.get(*index as usize))?;
    }
    report(args, trace)
}

/// The error of `--report` without recorded messages.
const NO_MESSAGES: &str =
    "nothing to show at --report: no sampler messages were recorded (with --case, --trace records them)";

/// Writes the page of `--report` from the trace of messages: after the outputs, so that an error loses none of them.
fn report(args: &Args, trace: Option<PathBuf>) -> CommandResult {
    if let Some(report) = &args.report {
        super::report::of_trace(report, &args.inputs(), &trace.ok_or(NO_MESSAGES)?)?;
    }
    Ok(true)
}

/// Runs the kernel. Returns its outcome and the path of the trace of messages, if there are any. The kernel's printed text, the instruction
/// trace and the trace of messages are written even if it ends with an error.
fn watched(
    args: &Args,
    binary: &DeviceBinary<'_>,
    kernel: &Kernel,
    range: &NdRange,
    arguments: &[Argument],
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<(LaunchOutcome, Option<PathBuf>), Box<dyn std::error::Error>> {
    let path = args.trace();
    if let Some(report) = &args.report {
        match &path {
            Some(path) => super::report::check_of_trace(report, path)?,
            None => super::report::check(report)?,
        }
    }
    let options = options(args, path.is_some());
    let mut trace = path.map(|path| MessageTrace::new(args, binary, path));
    let mut sink = |state: &SamplerStateDump, records: Vec<SamplerRecord>| {
        let Some(trace) = &mut trace else { return Ok(()) };
        trace
            .add(state, &records)
            .map_err(|why| machine::Error::new("cannot write the trace", why.to_string()))
    };
    let mut outcome = LaunchOutcome::default();
    let ended =
        launch::launch_into(binary, kernel, range, arguments, &options, progress, &mut sink, &mut outcome);
    show_text(&outcome);
    let recorded = trace.map(MessageTrace::finish).transpose()?.flatten();
    if !outcome.out_of_bounds.is_empty() {
        caution!("{}", outcome.out_of_bounds);
    }
    if ended.is_err() {
        show_profile(args, &outcome);
    }
    ended?;
    Ok((outcome, recorded))
}

/// The trace of a launch's sampler messages, written while it runs. The file is created at the first message.
struct MessageTrace<'a> {
    args: &'a Args,
    platform: Option<texwire::Platform>,
    path: PathBuf,
    writer: Option<TraceWriter<OutputFile>>,
}

impl<'a> MessageTrace<'a> {
    fn new(args: &'a Args, binary: &DeviceBinary<'_>, path: PathBuf) -> Self {
        Self { args, platform: binary.platform(), path, writer: None }
    }

    fn add(&mut self, state: &SamplerStateDump, records: &[SamplerRecord]) -> std::io::Result<()> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            None => {
                let mut writer = TraceWriter::new(OutputFile::create(&self.path, &self.args.inputs())?);
                let platform = self.platform.ok_or_else(|| std::io::Error::other("an unknown platform"))?;
                writer.header(platform, self.args.precision)?;
                kernel_run::write_state(&mut writer, state)?;
                self.writer.insert(writer)
            }
        };
        kernel_run::write_messages(writer, records)
    }

    /// Completes the file. Returns its path; `None` if there were no messages.
    fn finish(self) -> std::io::Result<Option<PathBuf>> {
        let Some(writer) = self.writer else { return Ok(None) };
        let messages = writer.messages();
        writer.finish()?.commit()?;
        say!("{messages} sampler messages in {}", self.path.display());
        Ok(Some(self.path))
    }
}

/// Prints the instruction trace and the text that the kernel printed.
fn show_text(outcome: &LaunchOutcome) {
    for text in [&outcome.text, &outcome.printed] {
        if !text.is_empty() {
            say!("{}", text.trim_end_matches('\n'));
        }
    }
}

fn show_profile(args: &Args, outcome: &LaunchOutcome) {
    if !args.profile {
        return;
    }
    let profile = &outcome.profile;
    say!("{} instructions, {} lane-instructions", profile.total(), profile.lanes);
    let mut by_count: Vec<(u64, &str)> =
        profile.instructions.iter().map(|(name, count)| (*count, *name)).collect();
    by_count.extend(profile.messages.iter().map(|(name, count)| (*count, name.as_str())));
    by_count.sort_by(|a, b| b.cmp(a));
    for (count, name) in by_count {
        say!("{count:>12}  {name}");
    }
}

/// Writes an output to a file: images in R8G8B8A8_UNORM as PNG, all other outputs as raw bytes.
fn save(args: &Args, index: u32, bytes: &[u8], argument: Option<&Argument>) -> std::io::Result<()> {
    let shown = match argument {
        Some(Argument::Image(image))
            if image.picture.format == texwire::enums::SurfaceFormat::R8G8B8A8_UNORM =>
        {
            let height = image.picture.height * image.picture.slices.max(1);
            RgbaImage::from_raw(image.picture.width, height, bytes.to_vec())
        }
        _ => None,
    };
    match shown {
        Some(picture) => write_picture(&args.out.join(format!("arg{index}.png")), &args.inputs(), &picture),
        None => output::write(&args.out.join(format!("arg{index}.bin")), &args.inputs(), bytes),
    }
}

/// Returns the kernel of that name, or the first kernel if no name is given.
fn find<'a>(args: &Args, binary: &'a DeviceBinary<'_>, name: Option<&str>) -> Result<&'a Kernel, String> {
    let found = match name {
        Some(name) => binary.kernels.iter().find(|kernel| kernel.name == name),
        None => binary.kernels.first(),
    };
    found.ok_or_else(|| {
        // A truncated file has only the kernels before its end: the damage is the likelier cause.
        if let Some(damage) = &binary.damage {
            return format!("{}: {damage}", args.file.display());
        }
        let names: Vec<&str> = binary.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
        match name {
            Some(name) => format!("unknown kernel at --name: {name} (the binary has {})", names.join(", ")),
            None => format!("{}: device binary without a kernel", args.file.display()),
        }
    })
}

/// The largest buffer, in bytes, of the command line.
const MAX_BUFFER: usize = 1 << 31;

/// Parses the value of an `--arg`.
fn argument(text: &str) -> Result<Argument, Box<dyn std::error::Error>> {
    if text == "null" {
        return Ok(Argument::Null);
    }
    let (kind, value) = text.split_once(':').ok_or("expected KIND:VALUE")?;
    let numbers =
        |encode: &dyn Fn(&str) -> Result<Vec<u8>, String>| -> Result<Argument, Box<dyn std::error::Error>> {
            let mut bytes = Vec::new();
            for part in value.split(',') {
                bytes.extend(encode(part.trim())?);
            }
            // A vector of three components has the size of one of four.
            if value.split(',').count() == 3 {
                bytes.resize(bytes.len() / 3 * 4, 0);
            }
            Ok(Argument::Scalar(bytes))
        };
    let whole = |part: &str, bytes: usize| {
        let number: i128 = part.parse().map_err(|why: std::num::ParseIntError| why.to_string())?;
        match (-1 << (bytes * 8 - 1)..1 << (bytes * 8)).contains(&number) {
            true => Ok(number.to_le_bytes()[..bytes].to_vec()),
            false => Err(format!("{number} has more than {} bits", bytes * 8)),
        }
    };
    let real = |part: &str| part.parse::<f64>().map_err(|why| why.to_string());
    match kind {
        "char" | "uchar" => numbers(&|part| whole(part, 1)),
        "short" | "ushort" => numbers(&|part| whole(part, 2)),
        "int" | "uint" => numbers(&|part| whole(part, 4)),
        "long" | "ulong" => numbers(&|part| whole(part, 8)),
        "float" => numbers(&|part| Ok((real(part)? as f32).to_le_bytes().to_vec())),
        "double" => numbers(&|part| Ok(real(part)?.to_le_bytes().to_vec())),
        "half" => {
            numbers(&|part| Ok(texwire::format::half::from_f32(real(part)? as f32).to_le_bytes().to_vec()))
        }
        "hex" => Ok(Argument::Scalar(crate::hex::decode(value)?)),
        "local" => Ok(Argument::Local(value.parse()?)),
        "buffer" => match value.strip_prefix('@') {
            Some(path) => Ok(Argument::Buffer(inputs::read(Path::new(path))?)),
            None => buffer(value),
        },
        "image" => image(value),
        "sampler" => sampler(value),
        other => Err(format!("unknown kind {other}").into()),
    }
}

/// Parses `BYTES` to a buffer of zeros, or `BYTES,seed=N` to one of the same random bytes that a JSON case has for the seed.
fn buffer(value: &str) -> Result<Argument, Box<dyn std::error::Error>> {
    let (size, seed) = match value.split_once(",seed=") {
        Some((size, seed)) => (size, Some(seed.parse::<u32>()?)),
        None => (value, None),
    };
    let size: usize = size.parse()?;
    if size > MAX_BUFFER {
        return Err(format!("{size} bytes (expected at most {MAX_BUFFER})").into());
    }
    let Some(seed) = seed else { return Ok(Argument::Buffer(vec![0; size])) };
    if seed == 0 {
        return Err("seed 0 (expected 1 or more)".into());
    }
    let rule = json!({ "rand": {
        "seed": seed, "type": "u32", "count": size.div_ceil(4), "lo": 0, "hi": u32::MAX
    } });
    let mut bytes = contents(Some(&serde_json::from_value(rule)?), size.next_multiple_of(4))?;
    bytes.truncate(size);
    Ok(Argument::Buffer(bytes))
}

fn image(value: &str) -> Result<Argument, Box<dyn std::error::Error>> {
    let picture = match value.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?))) {
        Some((width, height)) if !Path::new(value).exists() => {
            if width == 0 || height == 0 || width > 16384 || height > 16384 {
                return Err("a size outside 1..=16384".into());
            }
            Picture {
                format: texwire::enums::SurfaceFormat::R8G8B8A8_UNORM,
                width,
                height,
                slices: 1,
                volume: false,
                levels: vec![vec![0; width as usize * height as usize * 4]],
            }
        }
        _ => textures::read(&inputs::read(Path::new(value))?, PictureLimits::default())?,
    };
    let (_, order, data_type) = image_format("RGBA", "UNORM_INT8").ok_or("no such format")?;
    Ok(Argument::Image(Box::new(ImageValue { picture, order, data_type })))
}

fn sampler(value: &str) -> Result<Argument, Box<dyn std::error::Error>> {
    let mut parts = value.split(',');
    let mode = parts.next().unwrap_or_default();
    let wrap = SamplerWrap::NAMES.iter().find(|(name, _)| *name == mode);
    let (_, wrap) = wrap.ok_or_else(|| {
        let names: Vec<&str> = SamplerWrap::NAMES.iter().map(|(name, _)| *name).collect();
        format!("unknown address mode {mode} (expected {})", names.join(", "))
    })?;
    let filter = match parts.next().unwrap_or("nearest") {
        "nearest" => SamplerFilter::Nearest,
        "linear" => SamplerFilter::Linear,
        other => return Err(format!("unknown filter {other} (expected nearest or linear)").into()),
    };
    let normalized = match (parts.next(), parts.next()) {
        (None, _) => true,
        (Some("texels"), None) => false,
        (Some("texels"), Some(other)) | (Some(other), _) => {
            return Err(format!("unknown option {other} (expected texels)").into());
        }
    };
    Ok(Argument::Sampler(SamplerValue { normalized, wrap: *wrap, filter }))
}
