//! Shows the message of a job: its states, lanes, results and footprint.

use super::pictures::{self, png};
use super::{MessageCard, MessageVerdict, Page, StateCard, Table};
use crate::core_engine::{Call, message};
use crate::engine::Job;
use crate::explain::{Explained, StateKind, state};
use crate::footprint::{LaneFootprint, draw, is_integer, parameter_name, to_text};
use texwire::format::{TexelKind, half, info};
use texwire::memory::Memory;
use texwire::message::{Message, Op, Width};
use texwire::state::SurfaceState;
use texwire::{Platform, message::Param};

/// The most pixels of a drawn footprint.
const MOST_PIXELS: u32 = 1 << 21;
/// The most lines of a footprint's text.
const MOST_LINES: usize = 600;

/// Results to show side by side: the name of each engine, and the destination registers.
pub(super) type Results<'a> = Vec<(&'a str, &'a [u8])>;

/// What a message's card shows in addition to its job.
pub(super) struct CardText {
    pub(super) number: u64,
    pub(super) title: String,
    pub(super) text: String,
    pub(super) verdict: MessageVerdict,
    pub(super) notes: Vec<String>,
}

fn fields(explained: &Explained) -> Table {
    let row = |line: &crate::explain::FieldLine| {
        let cells = [&line.bits, &line.name, &line.value, &line.meaning].map(Clone::clone);
        (!line.breaks.is_empty(), cells.to_vec())
    };
    Table {
        heading: ["bits", "field", "value", "meaning"].map(str::to_owned).to_vec(),
        rows: explained.fields.iter().map(row).collect(),
    }
}

fn card(explained: &Explained) -> StateCard {
    let rules = explained.broken.iter().map(|rule| format!("breaks {}: {}", rule.rule, rule.text));
    StateCard {
        summary: explained.summary.clone(),
        notes: rules.chain(explained.notes.iter().cloned()).collect(),
        fields: fields(explained),
        ..StateCard::default()
    }
}

/// Returns the name of the surface's format.
pub(super) fn format_of(job: &Job) -> String {
    let state = SurfaceState { dwords: job.surface };
    texwire::format::name(state.format()).unwrap_or("unknown format").to_owned()
}

/// Adds a job's message to the page.
pub(super) fn show(page: &mut Page, about: CardText, job: &Job, memory: &dyn Memory, results: &Results<'_>) {
    let platform = Platform::from_trace_code(job.platform).unwrap_or(Platform::Gen11);
    let surface = SurfaceState { dwords: job.surface };
    let mut states = vec![page.state(&job.surface, true, || {
        let mut card = card(&state(StateKind::Surface, &job.surface, platform));
        let (images, notes) = pictures::surface(&surface, platform, &job.palette, memory);
        card.images = images;
        card.notes.extend(notes);
        card
    })];
    let uses_sampler = Op::from_name(&job.op).is_some_and(|op| op.flags().sampler);
    if uses_sampler {
        let key: Vec<u32> = job.sampler.iter().chain(&job.border).copied().collect();
        states.push(page.state(&key, false, || {
            let mut card = card(&state(StateKind::Sampler, &job.sampler, platform));
            card.notes
                .push(format!("border colour: {}", state(StateKind::Border, &job.border, platform).summary));
            card
        }));
    }
    let message = message(job).ok();
    let lanes = message.map_or_else(Table::default, |message| lane_table(job, &message, results));
    let (footprint, texels) = match message.map(|_| footprints(job, memory)) {
        Some(Ok(lanes)) => drawn(&lanes, message.is_some_and(|message| message.op.flags().gather)),
        Some(Err(why)) => (None, vec![format!("no footprint: {why}")]),
        None => (None, Vec::new()),
    };
    let CardText { number, title, text, verdict, notes } = about;
    page.show(MessageCard {
        number,
        title,
        operation: job.op.clone(),
        format: format_of(job),
        verdict,
        text,
        notes,
        states,
        lanes,
        footprint,
        texels,
    });
}

fn drawn(lanes: &[(usize, LaneFootprint)], gathers: bool) -> (Option<super::Figure>, Vec<String>) {
    let mut lines: Vec<String> =
        lanes.iter().flat_map(|(lane, footprint)| to_text(*lane, footprint, gathers)).collect();
    if lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES;
        lines.truncate(MOST_LINES);
        lines.push(format!("({more} more lines)"));
    }
    if lanes.iter().all(|(_, footprint)| footprint.taps.is_empty()) {
        return (None, lines);
    }
    let draw::Drawing { image, cut } = draw::draw(&[("", lanes)], None);
    let fits = image.width().checked_mul(image.height()).is_some_and(|pixels| pixels <= MOST_PIXELS);
    let mut caption = "texels that lanes read, with weights".to_owned();
    if !cut.is_empty() {
        let lanes: Vec<String> = cut.iter().map(usize::to_string).collect();
        caption +=
            &format!("; texels too far from these are in the text only, of lanes {}", lanes.join(", "));
    }
    (fits.then(|| png(&caption, &image)).flatten(), lines)
}

/// Returns the footprints of the active lanes.
fn footprints(job: &Job, memory: &dyn Memory) -> Result<Vec<(usize, LaneFootprint)>, String> {
    let call = Call::of(job)?;
    let payload = call.payload()?;
    let executor = call.executor::<1, 1>(job);
    let sampler = (call.sampler, call.border);
    let on = (0..u32::from(job.simd)).filter(|lane| job.lanes >> lane & 1 == 1);
    on.map(|lane| {
        let footprint =
            executor.footprint(&call.surface, Some(&sampler), &call.message, &payload, lane, memory);
        footprint.map(|footprint| (lane as usize, footprint)).map_err(|why| why.to_string())
    })
    .collect()
}

/// How a parameter or result is written.
#[derive(Clone, Copy)]
enum Number {
    Float,
    Unsigned,
    Signed,
}

fn number_of(job: &Job, op: Op) -> Number {
    let kind = info(SurfaceState { dwords: job.surface }.format()).map(|info| info.kind);
    match (op, kind) {
        (Op::Resinfo | Op::Sampleinfo | Op::LdMcs, _) => Number::Unsigned,
        (Op::Lod, _) => Number::Float,
        (_, Some(TexelKind::Uint | TexelKind::Raw)) => Number::Unsigned,
        (_, Some(TexelKind::Sint)) => Number::Signed,
        (_, Some(TexelKind::Float) | None) => Number::Float,
    }
}

fn written(bits: u32, width: Width, number: Number) -> String {
    match (number, width) {
        (Number::Float, Width::Full) => float(f32::from_bits(bits)),
        (Number::Float, Width::Half) => float(half::to_f32(bits as u16)),
        (Number::Unsigned, _) => bits.to_string(),
        (Number::Signed, Width::Full) => (bits as i32).to_string(),
        (Number::Signed, Width::Half) => (bits as u16 as i16).to_string(),
    }
}

/// Returns a float as text, in exponent notation if the plain text has more than 11 letters.
fn float(value: f32) -> String {
    let plain = value.to_string();
    if plain.len() <= 11 { plain } else { format!("{value:e}") }
}

/// Returns a table with a row for each active lane: its parameters, and the results of each engine. Rows with different results are
/// marked.
fn lane_table(job: &Job, message: &Message, results: &Results<'_>) -> Table {
    let params: Vec<Param> = message.present().to_vec();
    let response = message.response();
    let number = number_of(job, message.op);
    let letters: Vec<char> = if message.op.flags().gather {
        vec!['X', 'Y', 'Z', 'W']
    } else {
        "RGBA".chars().enumerate().filter(|(c, _)| job.channels >> c & 1 == 1).map(|(_, c)| c).collect()
    };
    let mut heading = vec!["lane".to_owned()];
    heading.extend(params.iter().map(|param| parameter_name(*param)));
    for (name, _) in results {
        heading.extend(
            letters.iter().map(|letter| {
                if results.len() > 1 { format!("{letter} ({name})") } else { letter.to_string() }
            }),
        );
    }
    let value = |registers: &[u8], channel: usize, lane: usize| -> Option<u32> {
        let at = channel * usize::from(response.stride) + lane * response.width.bytes();
        let bytes = registers.get(at..at + response.width.bytes())?;
        Some(bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte)))
    };
    let on = (0..usize::from(job.simd)).filter(|lane| job.lanes >> lane & 1 == 1);
    let rows = on.map(|lane| {
        let mut row = vec![lane.to_string()];
        for (index, param) in params.iter().enumerate() {
            let bits = job.params.get(index).and_then(|lanes| lanes.get(lane)).copied().unwrap_or(0);
            let number = if is_integer(message, *param) { Number::Signed } else { Number::Float };
            row.push(written(bits, message.param_width, number));
        }
        let mut all = Vec::new();
        for (_, registers) in results {
            let values: Vec<Option<u32>> =
                (0..letters.len()).map(|channel| value(registers, channel, lane)).collect();
            row.extend(
                values
                    .iter()
                    .map(|bits| bits.map_or("-".to_owned(), |bits| written(bits, response.width, number))),
            );
            all.push(values);
        }
        (all.windows(2).any(|pair| pair[0] != pair[1]), row)
    });
    Table { rows: rows.collect(), heading }
}
