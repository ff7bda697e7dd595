//! Coverage of a trace: the operations, formats and states that its messages use, each with a count.

use super::{Integrity, TraceState};
use crate::core_engine::execute_on;
use crate::engine::{Job, Precision};
use std::collections::{BTreeMap, BTreeSet};
use texwire::enums::SurfaceFormat;
use texwire::eu;
use texwire::format::{self, Codec, FormatDecoder, Numeric, Planar};
use texwire::memory::{Access, Memory};
use texwire::message::{LodSource, Op};
use texwire::state::{AuxMode, Filter, SamplerState, SurfaceState, SurfaceType, TiledResource};
use texwire::trace::{Decoder, Event, MAX_FRAME, Record, RecordKind};
use texwire::txq::{Query, SchedulingControl, Txq};
use texwire::visa::Operation;

/// A feature that a message uses: an axis (`gen op`, `format`, `tiling`, ...) and a value on it.
pub type Feature = (&'static str, String);

/// The number of messages that use each feature, by axis and value.
#[derive(Clone, Debug, Default)]
pub struct Coverage(pub BTreeMap<&'static str, BTreeMap<String, usize>>);

impl Coverage {
    /// Returns the coverage of the messages of a stream that can be followed. `wrong` gets the byte offset and the reason in words of
    /// everything else: damage, missing frames, messages that do not lower or refer to state that was not set.
    pub fn of(stream: &[u8], mut wrong: impl FnMut(u64, String)) -> Self {
        let mut coverage = Self::default();
        let mut state = TraceState::default();
        let mut integrity = Integrity::default();
        let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
        let mut rest = stream;
        while let Some(event) = decoder.feed(&mut rest) {
            let at = match event {
                Event::Dropped { fault, at, bytes } => {
                    wrong(at, format!("{bytes} bytes dropped: {fault}"));
                    continue;
                }
                Event::Frame { frame, at, .. } => {
                    if let Err(why) = frame.record() {
                        wrong(at, why.to_string());
                    }
                    at
                }
            };
            if let Some(what) = integrity.event(&event) {
                wrong(at, what);
            }
            let Some(record) = state.event(&event) else { continue };
            if record.kind().is_message() {
                match of_message(&state, &record) {
                    Ok(found) => coverage.add(&found),
                    Err(why) => wrong(at, why),
                }
            }
        }
        if let Some(Event::Dropped { fault, at, bytes }) = decoder.finish() {
            wrong(at, format!("{bytes} bytes dropped: {fault}"));
        }
        if let Some(what) = integrity.finish() {
            wrong(stream.len() as u64, what);
        }
        coverage
    }

    /// Counts the features of a message.
    pub fn add(&mut self, features: &[Feature]) {
        for (axis, value) in features {
            *self.0.entry(axis).or_default().entry(value.clone()).or_default() += 1;
        }
    }

    /// Returns whether any message uses the feature.
    pub fn has(&self, (axis, value): &Feature) -> bool {
        self.0.get(axis).is_some_and(|values| values.contains_key(value))
    }

    /// Returns the features of [`required`] that no message uses.
    pub fn missing(&self) -> Vec<Feature> {
        required().into_iter().filter(|feature| !self.has(feature)).collect()
    }

    /// Returns one line of text for each axis: how many values it has, and which, with their counts.
    pub fn lines(&self) -> Vec<String> {
        self.0
            .iter()
            .map(|(axis, values)| {
                let list: Vec<_> = values.iter().map(|(value, count)| format!("{value} {count}")).collect();
                format!("{axis} ({}): {}", values.len(), list.join(", "))
            })
            .collect()
    }
}

/// Returns the features that a trace has to use to show that two builds of the core agree: every operation of every
/// wire that is executed, every format that is sampled, every family of formats with every operation
/// that takes it, every tiling, and some rare parts of messages and states.
pub fn required() -> Vec<Feature> {
    let native = Op::ALL.iter().filter(|op| eu::descriptor::type_of(**op).is_some());
    let native = native.map(|op| ("gen op", op.name().to_owned()));
    let visa = Operation::all().iter().map(|row| ("visa op", row.op.name().to_owned()));
    let txq = [Query::DIMENSION, Query::TEXTURE_TYPE, Query::SAMPLER_POS];
    let txq = txq.iter().filter_map(|query| query.op()).map(|op| ("txq op", op.name().to_owned()));
    let formats: Vec<SurfaceFormat> = codes().filter(|code| is_sampled(*code)).collect();
    let named = formats.iter().map(|code| ("format", format_name(*code)));
    let families: BTreeSet<_> = formats.iter().filter_map(|code| family(*code)).collect();
    let families = families.into_iter().map(|family| ("family", family.to_owned()));
    let tilings = TILINGS.iter().map(|name| ("tiling", (*name).to_owned()));
    let rare = RARE.iter().map(|name| ("message", (*name).to_owned()));
    native
        .chain(visa)
        .chain(txq)
        .chain(named)
        .chain(families)
        .chain(pairs())
        .chain(tilings)
        .chain(rare)
        .collect()
}

/// The tilings that [`required`] lists.
const TILINGS: [&str; 6] = ["Linear", "XMajor", "YMajor", "WMajor", "Yf", "Ys"];

/// Parts of messages and states that few jobs have; [`required`] lists them.
const RARE: [&str; 7] = [
    "pixel null mask",
    "kill mask",
    "null pages",
    "a level in a mip tail",
    "every second line",
    "a surface inside of a tile",
    "a control surface",
];

/// Families that are not required with operations that compare: raw bits and integers are refused, and the values of the scaled
/// and fixed-point families are too large to be near a reference value.
const NOT_COMPARED: [&str; 6] = ["raw", "sint", "uint", "sfixed", "sscaled", "uscaled"];

/// Returns the required pairs of an operation that reads texels and a family of formats.
pub fn pairs() -> impl Iterator<Item = Feature> {
    // These operations read no texels.
    let none = [Op::Lod, Op::LdMcs];
    let ops = Op::ALL.iter().filter(move |op| op.flags().lod != LodSource::None && !none.contains(op));
    let families: BTreeSet<_> = codes().filter_map(family).collect();
    ops.flat_map(move |op| {
        let compares = op.flags().compare;
        let families = families.clone().into_iter().filter(move |f| !(compares && NOT_COMPARED.contains(f)));
        families.map(|family| ("op x family", format!("{} {family}", op.name())))
    })
}

/// Returns every code that the format field can have.
pub fn codes() -> impl Iterator<Item = SurfaceFormat> {
    (0..1024).map(SurfaceFormat)
}

fn is_sampled(code: SurfaceFormat) -> bool {
    FormatDecoder::with_palette(code, &[]).is_ok() || Planar::of(code).is_some()
}

fn format_name(code: SurfaceFormat) -> String {
    format::name(code).map_or_else(|| format!("{:#x}", code.0), str::to_owned)
}

/// Returns the family of a format, which says how its texels are decoded. `None`: it has no codec.
pub fn family(code: SurfaceFormat) -> Option<&'static str> {
    if Planar::of(code).is_some() {
        return Some("planar YUV");
    }
    let info = format::info(code)?;
    let name = format::name(code).unwrap_or_default();
    let digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let one_of_all = ["L", "I", "A"].iter().any(|letter| name.strip_prefix(letter).is_some_and(digit));
    Some(match info.codec() {
        Codec::Palette => "palette",
        Codec::Yuv => "packed YUV",
        Codec::SharedExponent => "shared exponent",
        Codec::Bc1 | Codec::Bc1Opaque => "BC1",
        Codec::Bc2 => "BC2",
        Codec::Bc3 => "BC3",
        Codec::Bc4Unorm | Codec::Bc4Snorm => "BC4",
        Codec::Bc5Unorm | Codec::Bc5Snorm => "BC5",
        Codec::Bc6hUnsigned | Codec::Bc6hSigned => "BC6H",
        Codec::Bc7 => "BC7",
        Codec::Fxt1 => "FXT1",
        Codec::Etc1 => "ETC1",
        Codec::Etc2 | Codec::Etc2Punchthrough | Codec::Etc2Eac => "ETC2",
        Codec::EacUnorm | Codec::EacSnorm | Codec::EacRgUnorm | Codec::EacRgSnorm => "EAC",
        Codec::AstcSrgb => "ASTC sRGB",
        Codec::AstcLdr => "ASTC LDR",
        Codec::AstcHdr => "ASTC HDR",
        Codec::Unsampled => return None,
        _ if one_of_all => "luminance, intensity, alpha",
        _ if name.contains("TYPELESS") => "depth and stencil",
        _ => {
            let field = info.fields().iter().find(|field| field.width > 0)?;
            match field.numeric {
                Numeric::Unorm => "unorm",
                Numeric::Snorm => "snorm",
                Numeric::Srgb => "sRGB",
                Numeric::Uint => "uint",
                Numeric::Sint => "sint",
                Numeric::Uscaled => "uscaled",
                Numeric::Sscaled => "sscaled",
                Numeric::Sfixed => "sfixed",
                Numeric::Float if field.width == 64 => "64-bit float",
                Numeric::Float if field.width < 16 => "small float",
                Numeric::Float => "float",
                Numeric::Raw => "raw",
            }
        }
    })
}

/// Returns the features that a message of a trace uses.
///
/// # Errors
/// In words: it does not lower, or refers to state that was not set.
pub fn of_message(state: &TraceState, record: &Record<'_>) -> Result<Vec<Feature>, String> {
    if let Record::Txq(query) = record {
        let txq =
            Txq::decode(query.word, SchedulingControl::new(query.control)).map_err(|why| why.to_string())?;
        let op = txq.and_then(|txq| txq.query().op()).ok_or("a query without an answer")?;
        return Ok(vec![("txq op", op.name().to_owned())]);
    }
    let job = state.job(record)?.ok_or("no message")?;
    let axis = if record.kind() == RecordKind::VISA { "visa op" } else { "gen op" };
    let mut found = of_job(&job, state.memory(), state.memory().has_null_pages());
    found.push((axis, job.op.clone()));
    Ok(found)
}

/// Returns whether the result depends on the contents of memory, so that the message decodes texels.
fn reads(job: &Job, memory: &impl Memory) -> bool {
    execute_on(job, memory) != execute_on(job, &InvertedMemory(memory))
}

/// The same memory with other contents: some bits of each byte are inverted.
struct InvertedMemory<'a, M>(&'a M);

impl<M: Memory> Memory for InvertedMemory<'_, M> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let access = self.0.read(address, out);
        out.iter_mut().for_each(|byte| *byte ^= 0x5a);
        access
    }
}

/// Returns the features that a job on `memory` uses on any wire. Format and family count only if the result depends on the texels.
pub fn of_job(job: &Job, memory: &impl Memory, has_null_pages: bool) -> Vec<Feature> {
    let surface = SurfaceState { dwords: job.surface };
    let mut found = vec![
        ("lanes", format!("SIMD{}", job.simd)),
        ("precision", if job.precision == Precision::Fixed8 { "fixed8" } else { "float" }.to_owned()),
        ("surface", surface_name(&surface)),
        ("tiling", tiling_name(&surface)),
    ];
    if reads(job, memory) {
        found.push(("format", format_name(surface.format())));
        if let Some(family) = family(surface.format()) {
            found.push(("family", family.to_owned()));
            found.push(("op x family", format!("{} {family}", job.op)));
        }
    }
    for (is, name) in [
        (job.half_params, "16-bit parameters"),
        (job.half_return, "16-bit results"),
        (job.null_mask, "pixel null mask"),
        (job.kill_mask, "kill mask"),
        (has_null_pages, "null pages"),
        (job.offsets != [0; 3], "texel offsets"),
        (surface.mip_count() > 1, "several levels"),
        (surface.surface_min_lod() > 0, "a view past level 0"),
        (surface.min_array_element() > 0, "a view past slice 0"),
        (has_tail(&surface), "a level in a mip tail"),
        (surface.line_stride() != 0, "every second line"),
        (surface.x_offset() != 0 || surface.y_offset() != 0, "a surface inside of a tile"),
        (surface.aux_mode() == AuxMode::CcsD, "a control surface"),
    ] {
        if is {
            found.push(("message", name.to_owned()));
        }
    }
    if Op::from_name(&job.op).is_some_and(|op| op.flags().sampler) {
        of_sampler(job, &surface, &mut found);
    }
    found
}

/// Returns whether the view has a level that is in the mip tail of a tiled resource.
fn has_tail(surface: &SurfaceState) -> bool {
    let last = surface.surface_min_lod() + surface.mip_count() - 1;
    let start = surface.mip_tail_start();
    surface.tiled_resource() != TiledResource::None && start < 15 && last >= start
}

/// Returns the name of the tiling: the tiled resource mode if there is one, else the tile mode.
pub fn tiling_name(surface: &SurfaceState) -> String {
    match surface.tiled_resource() {
        TiledResource::None => format!("{:?}", surface.tile_mode()),
        mode => format!("{mode:?}"),
    }
}

fn surface_name(surface: &SurfaceState) -> String {
    let array = if surface.is_array() { " array" } else { "" };
    let samples = if surface.samples() > 1 { format!(" {}x", surface.samples()) } else { String::new() };
    format!("{:?}{array}{samples}", surface.surface_type())
}

fn of_sampler(job: &Job, surface: &SurfaceState, found: &mut Vec<Feature>) {
    let sampler = SamplerState { dwords: job.sampler };
    let axes = match surface.surface_type() {
        SurfaceType::D1 => 1,
        SurfaceType::D2 => 2,
        SurfaceType::D3 => 3,
        _ => 0,
    };
    for (axis, mode) in
        ["address u", "address v", "address r"].into_iter().zip(sampler.address_modes()).take(axes)
    {
        found.push((axis, format!("{mode:?}")));
    }
    let filter = format!("{:?} {:?}", surface.surface_type(), sampler.mag_filter());
    found.push(("filter x surface", filter));
    found.push(("mag filter", format!("{:?}", sampler.mag_filter())));
    found.push(("min filter", format!("{:?}", sampler.min_filter())));
    found.push(("mip filter", format!("{:?}", sampler.mip_filter())));
    if [sampler.mag_filter(), sampler.min_filter()].contains(&Filter::Anisotropic) {
        found.push(("anisotropy", format!("{} {:?}", sampler.max_anisotropy(), sampler.aniso_algorithm())));
    }
    if let Some(reduction) = sampler.reduction() {
        found.push(("reduction", format!("{reduction:?}")));
    }
    if Op::from_name(&job.op).is_some_and(|op| op.flags().compare) {
        found.push(("shadow function", format!("{:?}", sampler.shadow_function())));
    }
    found.push(("border mode", format!("{:?}", sampler.border_mode())));
}
