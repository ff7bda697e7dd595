//! The wire of traces: records as text and as JSON.

use super::output::{DecodeOptions, DecodeOutput};
use super::wire::{ExplainedSink, Wire};
use crate::explain::{self, Explained, FieldLine};
use crate::hex;
use serde_json::{Map, Value, json};
use std::error::Error;
use texwire::Platform;
use texwire::trace::{Counts, Decoder, Event, Frame, FrameOrder, MAX_FRAME, Record};

/// Traces of texwire.
#[derive(Debug)]
pub struct Trace;

/// Traces of texwire.
pub const TRACE: Trace = Trace;

impl Wire for Trace {
    fn name(&self) -> &'static str {
        "trace"
    }

    fn about(&self) -> &'static str {
        "texwire trace"
    }

    fn platforms(&self) -> &'static [Platform] {
        use Platform::{Gen9, Gen11, Maxwell, Pascal, XeHpc, XeHpg, XeLp};
        &[Gen11, Gen9, XeLp, XeHpg, XeHpc, Maxwell, Pascal]
    }

    fn is_native(&self) -> bool {
        false
    }

    fn recognises(&self, bytes: &[u8]) -> bool {
        has_frame(bytes)
    }

    fn decode(&self, bytes: &[u8], out: &mut DecodeOutput<'_>) {
        decode(bytes, out);
    }

    fn explain(
        &self,
        bytes: &[u8],
        platform: Option<Platform>,
        sink: &mut ExplainedSink<'_>,
    ) -> Result<(), Box<dyn Error>> {
        explain(bytes, platform, sink)
    }

    fn assemble(&self, _: &str, _: Platform) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
        Err("traces have no text form to assemble".into())
    }
}

/// How many bytes at the start of a file are searched for a valid frame, by which a trace is recognised.
const TRACE_PROBE: usize = 8192;

/// Returns whether a valid frame is near the start.
pub(crate) fn has_frame(bytes: &[u8]) -> bool {
    let mut head = &bytes[..bytes.len().min(TRACE_PROBE)];
    let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
    while let Some(event) = decoder.feed(&mut head) {
        if matches!(event, Event::Frame { .. }) {
            return true;
        }
    }
    false
}

/// Decodes `bytes` into `out`.
pub fn decode(bytes: &[u8], out: &mut DecodeOutput<'_>) {
    let mut reader = Box::new(Decoder::<MAX_FRAME>::new());
    let mut rest = bytes;
    while let Some(event) = reader.feed(&mut rest) {
        emit(&event, out);
    }
    if let Some(event) = reader.finish() {
        emit(&event, out);
    }
    out.heading(&summary(&reader.counts()));
}

/// Notes the platform of a header: the state records after it are for this platform.
pub fn follow(event: &Event<'_>, out: &mut DecodeOutput<'_>) {
    if let Event::Frame { frame, .. } = event
        && let Ok(Some(Record::Header(header))) = frame.record()
    {
        out.header = intel(header.platform());
    }
}

/// Returns the platform if its states are Intel's. `None` for NVIDIA's, whose state records have their class with them.
fn intel(platform: Option<Platform>) -> Option<Platform> {
    platform.filter(|platform| !matches!(platform, Platform::Maxwell | Platform::Pascal))
}

/// The platform if there is neither an option nor a header, as in a trace that was joined late.
const PLATFORM: Platform = Platform::Gen11;

/// Prints one event: a frame's record, or an error with the bytes that were dropped.
pub fn emit(event: &Event<'_>, out: &mut DecodeOutput<'_>) {
    follow(event, out);
    match *event {
        Event::Dropped { fault, at, bytes } => {
            out.error(usize::try_from(at).unwrap_or(usize::MAX), &format!("{bytes} bytes dropped: {fault}"));
        }
        Event::Frame { frame, at, lost, order } => {
            if lost > 0 {
                out.heading(&format!("{at:08x}         {lost} frames lost"));
            }
            match order {
                FrameOrder::Next => {}
                FrameOrder::Repeated => {
                    out.heading(&format!("{at:08x}         a copy of frame #{}", frame.sequence))
                }
                FrameOrder::Late => {
                    out.heading(&format!("{at:08x}         frame #{} comes late", frame.sequence))
                }
            }
            match frame.record() {
                Ok(record) => {
                    let platform = out.options.platform.or(out.header).unwrap_or(PLATFORM);
                    let options = DecodeOptions { platform: Some(platform), ..out.options };
                    out.emit(
                        || {
                            format!(
                                "{at:08x}  #{:<5} {}",
                                frame.sequence,
                                line(&frame, record.as_ref(), options)
                            )
                        },
                        || object(&frame, record.as_ref(), at, lost, options),
                    );
                }
                Err(why) => out.error(
                    usize::try_from(at).unwrap_or(usize::MAX),
                    &format!("frame #{}: {why}", frame.sequence),
                ),
            }
        }
    }
}

/// Returns the counts of a whole stream as one line of text.
pub fn summary(counts: &Counts) -> String {
    let Counts { bytes, dropped_bytes, idle_bytes, frames, damaged, oversized, lost, unknown, .. } = counts;
    let order = match (counts.repeated, counts.late) {
        (0, 0) => String::new(),
        (repeated, late) => format!(", {repeated} repeated, {late} late"),
    };
    format!(
        "{bytes} bytes: {frames} frames ({unknown} of unknown kinds), {lost} lost{order}; \
         {damaged} damaged, {oversized} oversized, {dropped_bytes} bytes dropped, {idle_bytes} idle"
    )
}

/// Returns the counts of a whole stream as a JSON record.
pub fn counts_object(counts: &Counts) -> Value {
    let Counts {
        bytes,
        good_bytes,
        dropped_bytes,
        idle_bytes,
        frames,
        damaged,
        oversized,
        lost,
        repeated,
        late,
        unknown,
    } = counts;
    json!({"counts": {
        "bytes": bytes, "good_bytes": good_bytes, "dropped_bytes": dropped_bytes, "idle_bytes": idle_bytes,
        "frames": frames, "damaged": damaged, "oversized": oversized, "lost": lost, "repeated": repeated, "late": late,
        "unknown": unknown,
    }})
}

/// Returns the name of a frame's kind, or its number if it has no name.
pub fn kind_name(frame: &Frame<'_>) -> String {
    frame.kind.name().map_or_else(|| format!("unknown {:#04x}", frame.kind.0), str::to_owned)
}

fn line(frame: &Frame<'_>, record: Option<&Record<'_>>, options: DecodeOptions) -> String {
    let explained =
        record.and_then(|record| explain::record::record(record, options.platform.unwrap_or(PLATFORM)));
    let fields: Vec<String> = fields(frame, record)
        .into_iter()
        .map(|(key, value)| match (&value, &explained) {
            // The state in words instead of its bytes.
            (_, Some(explained)) if STATE_KEYS.contains(&key) && !options.full => explained.summary.clone(),
            (Value::String(text), _) if !options.full => format!("{key} {}", shortened(text)),
            (Value::String(text), _) => format!("{key} {text}"),
            (value, _) => format!("{key} {value}"),
        })
        .collect();
    let text = format!("{:<11} {}", kind_name(frame), fields.join(", "));
    match explained {
        Some(explained) if options.explain => {
            let lines: Vec<String> =
                explained.to_string().lines().map(|line| format!("    {line}")).collect();
            format!("{text}\n{}", lines.join("\n"))
        }
        _ => text,
    }
}

/// The keys of record fields that hold the bytes of a state structure.
const STATE_KEYS: &[&str] = &["state", "color", "header", "sampler"];

/// Shortens hex of more than 32 bytes to its first 16 bytes and their number; returns other text as it is.
fn shortened(text: &str) -> String {
    let hex = text.len() > 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
    match text.get(..32).filter(|_| hex) {
        Some(first) => format!("{first}... ({} bytes)", text.len() / 2),
        None => text.to_owned(),
    }
}

fn object(
    frame: &Frame<'_>,
    record: Option<&Record<'_>>,
    at: u64,
    lost: u16,
    options: DecodeOptions,
) -> Value {
    let mut object = Map::new();
    object.insert("off".into(), json!(at));
    object.insert("sequence".into(), json!(frame.sequence));
    object.insert("kind".into(), json!(kind_name(frame)));
    if lost > 0 {
        object.insert("lost".into(), json!(lost));
    }
    object.extend(fields(frame, record).into_iter().map(|(key, value)| (key.to_owned(), value)));
    if options.explain {
        let platform = options.platform.unwrap_or(PLATFORM);
        let explained = record.and_then(|record| explain::record::record(record, platform));
        object.extend(explained.map(|explained| ("explained".to_owned(), json!(explained))));
    }
    Value::Object(object)
}

/// Returns a record's fields in the order of the wire; byte strings are hex, masks and addresses are text.
fn fields(frame: &Frame<'_>, record: Option<&Record<'_>>) -> Vec<(&'static str, Value)> {
    let bulk = |bytes: &[u8]| json!(hex::encode(bytes));
    let mask = |mask: u32| json!(format!("{mask:#x}"));
    match record {
        None => vec![("flags", json!(frame.flags)), ("payload", bulk(frame.payload))],
        Some(Record::Header(header)) => {
            let platform = header.platform().map_or_else(|| header.platform.to_string(), |p| p.to_string());
            let precision = if header.fixed8() { "fixed8" } else { "float" };
            vec![
                ("version", json!(header.version)),
                ("platform", json!(platform)),
                ("writebacks", json!(header.writebacks())),
                ("end record", json!(header.has_end())),
                ("precision", json!(precision)),
            ]
        }
        Some(Record::Surface { slot, state }) => vec![("slot", json!(slot)), ("state", bulk(*state))],
        Some(Record::Sampler { slot, state }) => vec![("slot", json!(slot)), ("state", bulk(*state))],
        Some(Record::Border { offset, color }) => vec![("offset", json!(offset)), ("color", bulk(*color))],
        Some(Record::TexHeader { index, header, class }) => vec![
            ("index", json!(index)),
            ("header", bulk(*header)),
            ("class", json!(format!("{class:#06x}"))),
        ],
        Some(Record::TexSampler { index, sampler }) => {
            vec![("index", json!(index)), ("sampler", bulk(*sampler))]
        }
        Some(Record::Memory { address, bytes }) => {
            vec![("address", json!(format!("{address:#x}"))), ("bytes", bulk(bytes))]
        }
        Some(Record::Unmap { address, length }) => {
            vec![("address", json!(format!("{address:#x}"))), ("length", json!(length))]
        }
        Some(Record::Constant { offset, bytes }) => vec![("offset", json!(offset)), ("bytes", bulk(bytes))],
        Some(Record::Palette { palette, first, entries }) => {
            vec![("palette", json!(palette)), ("first", json!(first)), ("entries", bulk(entries))]
        }
        Some(Record::Coarse { lod }) => vec![("lod", json!(f32::from_bits(*lod)))],
        Some(Record::Visa(visa)) => vec![
            ("thread", json!(visa.thread)),
            ("dispatch", mask(visa.dispatch)),
            ("predicate", mask(visa.predicate)),
            ("aoffimmi", json!(visa.aoffimmi)),
            ("dst_type", json!(visa.dst_type)),
            ("version", json!(format!("{}.{}", visa.version[0], visa.version[1]))),
            ("instruction", bulk(visa.instruction)),
            ("half", json!(visa.half)),
            ("params", bulk(visa.params)),
        ],
        Some(Record::Gen(gen_)) => vec![
            ("thread", json!(gen_.thread)),
            ("dispatch", mask(gen_.dispatch)),
            ("flags", mask(gen_.flags)),
            ("instruction", bulk(gen_.instruction)),
            ("desc", mask(gen_.descriptor)),
            ("exdesc", mask(gen_.extended)),
            ("payload", bulk(gen_.payload)),
        ],
        Some(Record::Txq(txq)) => vec![
            ("warp", json!(txq.warp)),
            ("active", mask(txq.active)),
            ("word", json!(format!("{:#018x}", txq.word))),
            ("control", mask(txq.control)),
            ("sources", bulk(txq.sources)),
        ],
        Some(Record::Writeback { of, registers }) => {
            vec![("of", json!(of.name().unwrap_or("unknown"))), ("registers", bulk(registers))]
        }
        Some(Record::Mark { time, ticks_per_us }) => {
            vec![("time", json!(time)), ("ticks_per_us", json!(ticks_per_us))]
        }
        Some(Record::Text(text)) => vec![("text", json!(text))],
        Some(Record::Lost(count)) => vec![("count", json!(count))],
        Some(Record::End { frames }) => vec![("frames", json!(frames))],
        // A kind of record that only a newer core has, not yet in this table.
        Some(_) => vec![("payload", bulk(frame.payload))],
    }
}

/// Explains every field of the frames in `bytes`, and every state structure in them by the rules of `platform` or of the trace's own.
///
/// # Errors
/// Says where `bytes` do not decode, or what `sink` says.
pub fn explain(
    bytes: &[u8],
    platform: Option<Platform>,
    sink: &mut ExplainedSink<'_>,
) -> Result<(), Box<dyn Error>> {
    let mut header = None;
    let mut reader = Box::new(Decoder::<MAX_FRAME>::new());
    let mut rest = bytes;
    while let Some(event) = reader.feed(&mut rest) {
        let Event::Frame { frame, at, .. } = event else {
            return Err(format!("bad frame at {:#x}: damaged", bytes.len() - rest.len()).into());
        };
        let record = frame.record().map_err(|why| format!("bad record at {at:#x}: {why}"))?;
        let mut explained = Explained::new("frame", kind_name(&frame));
        let line = |name: &str, raw: u64, value: &str| FieldLine::new("", name, raw, value, "");
        explained.fields.push(line("kind", frame.kind.0.into(), &kind_name(&frame)));
        explained.fields.push(line("flags", frame.flags.into(), ""));
        explained.fields.push(line("sequence", frame.sequence.into(), &frame.sequence.to_string()));
        for (key, value) in fields(&frame, record.as_ref()) {
            let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            explained.fields.push(line(key, value.as_u64().unwrap_or(0), &shown));
        }
        sink(explained)?;
        if let Some(Record::Header(found)) = &record {
            header = intel(found.platform());
        }
        let platform = platform.or(header).unwrap_or(PLATFORM);
        let state = record.as_ref().and_then(|record| explain::record::record(record, platform));
        state.into_iter().try_for_each(&mut *sink)?;
    }
    match reader.finish() {
        None => Ok(()),
        Some(_) => Err(format!("bad frame at {:#x}: no delimiter (00) ends it", bytes.len()).into()),
    }
}
