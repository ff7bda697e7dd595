//! Runs whole kernels on pictures: arguments are chosen by their descriptions in the binary, sampler messages are compared with the
//! oracle.

use crate::compare::{Counts, Verdict, compare_lanes};
use crate::containers::device_binary::{ArgumentInfo, DeviceBinary, ImageType, Kernel};
use crate::containers::picture::Picture;
use crate::emulator::sample::BoundJob;
use crate::job_memory::JobMemory;
use crate::machine::launch::{
    Argument, ImageValue, LaunchOptions, LaunchOutcome, NdRange, SamplerFilter, SamplerStateDump,
    SamplerValue, SamplerWrap, launch,
};
use crate::machine::{Action, Program, SamplerRecord};
use crate::trace_file::TraceWriter;
use image::RgbaImage;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use texwire::enums::SurfaceFormat;
use texwire::state::{BorderColor, SamplerState, SurfaceState};
use texwire::trace::{GenRecord, RecordKind};
use texwire::{Message, Platform};

type Error = Box<dyn std::error::Error>;

/// The most instructions that a thread may execute: the arguments are invented, so that a loop may never end.
const MOST: u64 = 2_000_000;

fn options() -> LaunchOptions {
    LaunchOptions { record: true, max_instructions: MOST, ..LaunchOptions::default() }
}

/// The results of a kernel.
#[derive(Debug)]
pub struct KernelRun {
    /// The launches, with outputs and messages: a first one, and further ones with other samplers while there are messages that no work
    /// item has reached.
    pub outcomes: Vec<LaunchOutcome>,
    /// Pictures that the first launch wrote, by argument.
    pub pictures: Vec<(u32, RgbaImage)>,
    /// Sampler messages by offset of their instruction: the message, and how it agrees with the oracle.
    pub messages: BTreeMap<u32, (Message, MessageAgreement)>,
    /// Offsets of sampler messages that no work item reached.
    pub unreached: BTreeSet<u32>,
}

/// How the messages of an instruction agree with the oracle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageAgreement {
    /// Messages that the instruction sent.
    pub messages: u64,
    /// Lanes compared.
    pub lanes: u64,
    /// Lanes that agree, by the rule of [`crate::compare`].
    pub agreeing: u64,
    /// Of these: lanes that agree only when coordinates or LOD are moved within their rounding bound.
    pub boundary: u64,
    /// Of these: lanes that are not compared, because no rounding bound describes them.
    pub unbounded: u64,
}

impl MessageAgreement {
    fn add(&mut self, other: Self) {
        self.messages += other.messages;
        self.lanes += other.lanes;
        self.agreeing += other.agreeing;
        self.boundary += other.boundary;
        self.unbounded += other.unbounded;
    }

    /// Returns whether every lane agrees.
    pub const fn is_full(&self) -> bool {
        self.lanes == self.agreeing
    }
}

/// Bytes for each pixel of a buffer argument: a float4.
const BUFFER_BYTES: usize = 16;
/// Bytes of a local memory argument.
const LOCAL_BYTES: u32 = 4096;

/// OpenCL's numbers of channel orders and data types: RGBA and 8-bit unorm, depth and float.
const RGBA: u32 = 0x10b5;
const UNORM_INT8: u32 = 0x10d2;
const DEPTH_ORDER: u32 = 0x10bd;
const FLOAT: u32 = 0x10de;

/// Runs a kernel with a work item for each pixel of a picture of `size`. `contents` returns the picture for an image argument.
///
/// # Errors
/// There is no value for an argument, or the machine stopped with an error.
pub fn run(
    binary: &DeviceBinary<'_>,
    kernel: &Kernel,
    size: (u32, u32),
    contents: &dyn Fn(ImageType) -> Result<Picture, String>,
) -> Result<KernelRun, Error> {
    let platform = binary.platform().ok_or("an unknown platform")?;
    let mut unreached = sampler_messages(platform, binary.heap(&kernel.heap));
    let mut messages = BTreeMap::new();
    let mut outcomes: Vec<LaunchOutcome> = Vec::new();
    let range = range(binary, kernel, size, &arguments(kernel, size, contents, SAMPLERS[0])?)?;
    for sampler in &SAMPLERS {
        // With another sampler, a work item may take another branch.
        if !outcomes.is_empty() && (unreached.is_empty() || kernel.sampler_arguments.is_empty()) {
            break;
        }
        let arguments = arguments(kernel, size, contents, *sampler)?;
        let outcome = launch(binary, kernel, &range, &arguments, &options(), &|_, _| {})?;
        for (offset, (message, agreement)) in judge(platform, &outcome)? {
            let (_, known) = messages.entry(offset).or_insert((message, MessageAgreement::default()));
            known.add(agreement);
            unreached.remove(&offset);
        }
        outcomes.push(outcome);
    }
    let outcome = outcomes.first().ok_or("no launch")?;
    let mut pictures = Vec::new();
    for image in kernel.images.iter().filter(|image| image.writeable) {
        let Some((_, bytes)) = outcome.outputs.iter().find(|(index, _)| *index == image.argument) else {
            continue;
        };
        let height = if image.kind.name().starts_with("1d") { 1 } else { size.1 };
        let texels = size.0 as usize * height as usize * 4;
        let texels = bytes.get(..texels).map(<[u8]>::to_vec);
        if let Some(picture) = texels.and_then(|texels| RgbaImage::from_raw(size.0, height, texels)) {
            pictures.push((image.argument, picture));
        }
    }
    Ok(KernelRun { outcomes, pictures, messages, unreached })
}

/// The values of sampler arguments, tried one after another while there are messages that no work item has reached.
const SAMPLERS: [SamplerValue; 4] = [
    SamplerValue { normalized: true, wrap: SamplerWrap::Repeat, filter: SamplerFilter::Linear },
    SamplerValue { normalized: false, wrap: SamplerWrap::Clamp, filter: SamplerFilter::Nearest },
    SamplerValue { normalized: true, wrap: SamplerWrap::Clamp, filter: SamplerFilter::Nearest },
    SamplerValue { normalized: false, wrap: SamplerWrap::ClampToEdge, filter: SamplerFilter::Linear },
];

/// Work items along the third dimension of a launch: pictures made for arrays and volumes have at least as many layers or slices.
const DEPTH: u32 = 3;

/// The most work items along a row of a launch that finds out which dimensions a kernel uses.
const PROBE: u32 = 64;

/// Returns a launch with a work item for each pixel, in the dimensions that the kernel uses: those in which work items at another
/// offset write other outputs or send other messages.
///
/// # Errors
/// The machine stopped with an error.
fn range(
    binary: &DeviceBinary<'_>,
    kernel: &Kernel,
    (width, height): (u32, u32),
    arguments: &[Argument],
) -> Result<NdRange, Error> {
    let required = kernel.dispatch.required_group.map(|size| size.max(1));
    // Returns the outputs and messages of some work items of a row, at an offset.
    let probe = |offset| {
        let global = [PROBE.min(width).next_multiple_of(required[0]), required[1], required[2]];
        let range = NdRange { dimensions: 3, global, local: None, offset };
        let outcome = launch(binary, kernel, &range, arguments, &options(), &|_, _| {})?;
        let payloads: Vec<_> =
            outcome.records.into_iter().map(|record| (record.offset, record.payload)).collect();
        Ok::<_, Error>((outcome.outputs, payloads))
    };
    let here = probe([0; 3])?;
    let written = kernel.images.iter().any(|image| image.writeable && !image.kind.name().starts_with("1d"));
    let rows = written || required[1] > 1 || probe([0, required[1], 0])? != here;
    let layers = required[2] > 1 || probe([0, 0, required[2]])? != here;
    let global = [width, if rows { height } else { 1 }, if layers { DEPTH } else { 1 }];
    let dimensions = if layers { 3 } else { 1 + u32::from(rows) };
    // A kernel that requires a group size gets whole groups.
    let global = std::array::from_fn(|d| global[d].next_multiple_of(required[d]));
    Ok(NdRange { dimensions, global, local: None, offset: [0; 3] })
}

/// Returns the offsets of the sampler messages in a kernel's code.
fn sampler_messages(platform: Platform, code: &[u8]) -> BTreeSet<u32> {
    let program = Program::new(platform, code);
    let is_sampler = |action: &Action| match action {
        Action::Send(message) => message.send.is_sampler() != Some(false),
        Action::Alu(_) | Action::Jump(_) | Action::Wait | Action::Nop | Action::Broken(_) => false,
    };
    let all = program.instructions.iter().filter(|instruction| is_sampler(&instruction.action));
    all.map(|instruction| instruction.offset).collect()
}

/// Returns a value for every argument.
fn arguments(
    kernel: &Kernel,
    size: (u32, u32),
    contents: &dyn Fn(ImageType) -> Result<Picture, String>,
    sampler: SamplerValue,
) -> Result<Vec<Argument>, Error> {
    let count = kernel.arguments.iter().map(|info| info.argument + 1).max().unwrap_or(0);
    if count == 0 && !(kernel.images.is_empty() && kernel.dispatch.pointers.is_empty()) {
        return Err("the binary does not describe its arguments".into());
    }
    let mut values = Vec::new();
    for index in 0..count {
        let info = kernel.arguments.iter().find(|info| info.argument == index);
        let info = info.ok_or_else(|| format!("argument {index} is not described"))?;
        values.push(value(kernel, info, size, contents, sampler)?);
    }
    Ok(values)
}

fn value(
    kernel: &Kernel,
    info: &ArgumentInfo,
    size: (u32, u32),
    contents: &dyn Fn(ImageType) -> Result<Picture, String>,
    sampler: SamplerValue,
) -> Result<Argument, Error> {
    let index = info.argument;
    if let Some(image) = kernel.images.iter().find(|image| image.argument == index) {
        let depth = image.kind.name().contains("depth");
        let picture = if image.writeable {
            blank(image.kind, size).ok_or_else(|| format!("no output image of type {}", image.kind.name()))?
        } else {
            contents(image.kind)?
        };
        let (order, data_type) = if depth { (DEPTH_ORDER, FLOAT) } else { (RGBA, UNORM_INT8) };
        return Ok(Argument::Image(Box::new(ImageValue { picture, order, data_type })));
    }
    if kernel.sampler_arguments.iter().any(|argument| argument.argument == index) {
        return Ok(Argument::Sampler(sampler));
    }
    if kernel.dispatch.pointers.iter().any(|pointer| pointer.argument == index) {
        return Ok(Argument::Buffer(buffer(info, size.0 as usize * size.1 as usize * BUFFER_BYTES)));
    }
    if info.kind.ends_with('*') {
        return Ok(Argument::Local(LOCAL_BYTES));
    }
    Ok(Argument::Scalar(scalar(info, size)))
}

/// Returns a buffer's contents: floats from 0 up to 1 or integers from 0 to 7, repeated, so that branches on them go both ways.
fn buffer(info: &ArgumentInfo, bytes: usize) -> Vec<u8> {
    let kind = info.kind.trim_end_matches('*').trim_end_matches(|c: char| c.is_ascii_digit());
    let size = scalar_bytes(kind);
    let value = |index: usize| {
        let fraction = (index % 256) as f32 / 256.0;
        float_bits(kind, fraction).unwrap_or(index as u64 % 8)
    };
    (0..bytes / size).flat_map(|index| value(index).to_le_bytes().into_iter().take(size)).collect()
}

/// Returns the bits of a number in a scalar type by its name; `None` if that is a type of integers.
fn float_bits(kind: &str, number: f32) -> Option<u64> {
    match kind {
        "float" => Some(number.to_bits().into()),
        "half" => Some(texwire::format::half::from_f32(number).into()),
        "double" => Some(f64::from(number).to_bits()),
        _ => None,
    }
}

/// Returns the bytes of a scalar type by its name.
fn scalar_bytes(kind: &str) -> usize {
    match kind {
        "char" | "uchar" => 1,
        "short" | "ushort" | "half" => 2,
        "long" | "ulong" | "double" => 8,
        _ => 4,
    }
}

/// Layers and slices of an image that a kernel writes.
const OUTPUT_SLICES: u32 = 4;

/// Returns an empty image for a kernel to write; `None` for types that have no such image.
fn blank(kind: ImageType, (width, height): (u32, u32)) -> Option<Picture> {
    let (height, slices, volume) = match kind.name() {
        "1d" => (1, 1, false),
        "2d" => (height, 1, false),
        "1d_array" => (1, OUTPUT_SLICES, false),
        "2d_array" => (height, OUTPUT_SLICES, false),
        "3d" => (height, OUTPUT_SLICES, true),
        _ => return None,
    };
    let texels = vec![0; width as usize * height as usize * slices as usize * 4];
    let format = SurfaceFormat::R8G8B8A8_UNORM;
    Some(Picture { format, width, height, slices, volume, levels: vec![texels] })
}

/// Returns the value of a scalar argument by its type and name: floats are the size of a pixel, integers a size or 1, unless the name
/// says more.
fn scalar(info: &ArgumentInfo, (width, height): (u32, u32)) -> Vec<u8> {
    let steps = [1.0 / width as f32, 1.0 / height as f32];
    let name = info.name.to_lowercase();
    let digits = info.kind.trim_start_matches(|c: char| !c.is_ascii_digit());
    let count = digits.parse::<usize>().unwrap_or(1).max(1);
    // A vector of three components has the size of one of four.
    let count = if count == 3 { 4 } else { count };
    // The derivatives are three pixels long, so that mip levels above 0 are used.
    let float = |component: usize| match name.as_str() {
        "lod" => 1.5,
        "layer" => 1.0,
        "depth" => 0.5,
        "dx" => [3.0 * steps[0], 0.0][component % 2],
        "dy" => [0.0, 3.0 * steps[1]][component % 2],
        _ => steps[component % 2],
    };
    let integer: u64 = match name.as_str() {
        "w" | "width" | "n" | "pitch" | "stride" => u64::from(width),
        "h" | "height" => u64::from(height),
        _ => 1,
    };
    let kind = info.kind.trim_end_matches(|c: char| c.is_ascii_digit());
    let value = |component| float_bits(kind, float(component)).unwrap_or(integer);
    let bytes = scalar_bytes(kind);
    (0..count).flat_map(|component| value(component).to_le_bytes().into_iter().take(bytes)).collect()
}

/// Compares every recorded message with the oracle. Returns the agreement by offset of the instruction.
fn judge(
    platform: Platform,
    outcome: &LaunchOutcome,
) -> Result<BTreeMap<u32, (Message, MessageAgreement)>, Error> {
    let mut by_offset: BTreeMap<u32, (Message, MessageAgreement)> = BTreeMap::new();
    let state = &outcome.sampler_state;
    let contents = JobMemory { mapped: &state.memory, null: &[] };
    for record in &outcome.records {
        let gen_record = gen_record(record);
        let (message, payload) = gen_record.lower(platform)?;
        let surface = find(&state.surfaces, message.surface)?;
        let sampler =
            if message.op.flags().sampler { find(&state.samplers, message.sampler)? } else { [0; 4] };
        let job = crate::engine::Job {
            platform: platform.trace_code(),
            surface,
            sampler,
            border: state.borders.first().map_or([0; 4], |(_, colour)| *colour),
            ..crate::core_engine::job(&message, &payload)
        };
        let (_, agreement) = by_offset.entry(record.offset).or_insert((message, MessageAgreement::default()));
        agreement.messages += 1;
        if record.result.is_empty() {
            continue;
        }
        let oracle = BoundJob::on(&job, &contents)?.ok_or("the oracle does not do this message")?;
        let got = crate::engine::Outcome { writeback: record.result.clone(), faults: 0 };
        let mut counts = Counts::default();
        compare_lanes(&job, &oracle, &got, &mut counts, |_, verdict, _, _| {
            agreement.lanes += 1;
            agreement.agreeing += u64::from(verdict != Verdict::Different);
        })
        .map_err(|(_, why)| why)?;
        agreement.boundary += counts.nudged;
        agreement.unbounded += counts.unconditioned;
    }
    Ok(by_offset)
}

fn find<const N: usize>(
    slots: &[(u16, [u32; N])],
    binding: texwire::message::Binding,
) -> Result<[u32; N], Error> {
    let texwire::message::Binding::Index(index) = binding else { return Err("a bindless state".into()) };
    let found = slots.iter().find(|(slot, _)| u32::from(*slot) == index);
    found.map(|(_, state)| *state).ok_or_else(|| format!("no state in slot {index}").into())
}

/// Returns a message as the record of a trace.
pub fn gen_record(record: &SamplerRecord) -> GenRecord<'_> {
    GenRecord {
        thread: record.thread,
        dispatch: record.dispatch,
        flags: record.flag,
        instruction: &record.instruction,
        descriptor: record.descriptors[0],
        extended: record.descriptors[1],
        payload: &record.payload,
    }
}

/// Writes the state and every `step`-th message of a launch into a trace.
///
/// # Errors
/// The output's.
pub fn write_trace<W: Write>(
    trace: &mut TraceWriter<W>,
    outcome: &LaunchOutcome,
    step: usize,
) -> io::Result<()> {
    write_state(trace, &outcome.sampler_state)?;
    write_messages(trace, outcome.records.iter().step_by(step.max(1)))
}

/// Writes messages and their results into a trace.
///
/// # Errors
/// The output's.
pub fn write_messages<'r, W: Write>(
    trace: &mut TraceWriter<W>,
    records: impl IntoIterator<Item = &'r SamplerRecord>,
) -> io::Result<()> {
    for record in records {
        trace.message(&gen_record(record))?;
        trace.writeback(RecordKind::GEN, &record.result)?;
    }
    Ok(())
}

/// Writes the state that a launch's messages refer to into a trace.
///
/// # Errors
/// The output's.
pub fn write_state<W: Write>(trace: &mut TraceWriter<W>, state: &SamplerStateDump) -> io::Result<()> {
    for region in &state.memory {
        trace.memory(region.address, &region.bytes)?;
    }
    for (slot, dwords) in &state.surfaces {
        trace.surface(*slot, &SurfaceState { dwords: *dwords }.to_bytes())?;
    }
    for (offset, dwords) in &state.borders {
        trace.border(*offset, &BorderColor { dwords: *dwords }.to_bytes())?;
    }
    for (slot, dwords) in &state.samplers {
        trace.sampler(*slot, &SamplerState { dwords: *dwords }.to_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_have_the_values_of_their_types() {
        let of = |kind: &str, name: &str| {
            let info = ArgumentInfo {
                argument: 0,
                address: String::new(),
                access: String::new(),
                name: name.to_owned(),
                kind: kind.to_owned(),
            };
            scalar(&info, (4, 8))
        };
        assert_eq!(of("float2", "step"), [0.25_f32.to_le_bytes(), 0.125_f32.to_le_bytes()].concat());
        assert_eq!(of("double", "lod"), 1.5_f64.to_le_bytes());
        assert_eq!(of("half", "lod"), 0x3e00_u16.to_le_bytes());
        assert_eq!(of("int3", "h"), [8, 0, 0, 0].repeat(4));
        assert_eq!(of("ulong", "flags"), 1_u64.to_le_bytes());
    }
}
