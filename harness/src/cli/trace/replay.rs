//! `texwire trace replay` and `verify`: what becomes of the messages of a trace.

use super::{Args, Command, Done, EngineName, Input, live};
use crate::console::say;
use crate::engine::{Job, Outcome};
use crate::hex;
use crate::trace_file::State;
use crate::wires::trace as dump;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use texwire::trace::replay::{Replay, Step};
use texwire::trace::{Event, Record};

/// What became of the messages of a trace.
#[derive(Debug, Default)]
struct Tally {
    executed: usize,
    equal: usize,
    different: usize,
    missing: usize,
    failed: usize,
    unmatched: usize,
}

/// Replays a file on the core, message by message, and on the oracle.
pub(in crate::cli) fn rerun(path: &Path) -> Done {
    let input = || Input { from: path.display().to_string(), json: false, baud: None };
    let core = super::run(&Args { command: Command::Replay { input: input() } })?;
    say!("against the oracle:");
    let (engine, tolerance) = (EngineName::Emulator, crate::run::execute::TOLERANCE);
    let oracle = super::run(&Args {
        command: Command::Verify { input: input(), engine, tolerance, allow_loss: true },
    })?;
    Ok(core && oracle)
}

/// Host capacities: slots and separate memory regions; the memory itself grows with the input.
type HostReplay<'m> = Replay<'m, 1024, 1024>;
/// Bytes of memory contents that a replay can hold.
const MEMORY: usize = 256 << 20;

/// Replays; `other` may execute the job of a Gen message in the core's place.
pub(super) fn replay(
    input: &Input,
    verbose: bool,
    other: impl Fn(&Job) -> Option<Result<Option<Outcome>, String>>,
    tolerance: f32,
    allow_loss: bool,
) -> Done {
    // Untouched pages of a zeroed allocation cost nothing.
    let mut memory = vec![0; MEMORY];
    let mut core: Box<HostReplay<'_>> = Box::new(Replay::new(&mut memory));
    let mut state = State::default();
    let mut foreign = Ok(None);
    let mut half = false;
    let mut tally = Tally::default();
    let mut stdout = live::output(&input.from);
    let counts = live::events(input, |event| {
        if let Some(record) = state.event(event)
            && record.kind().is_message()
        {
            foreign = foreign_result(&state, &record, &other);
        }
        let step = core.event(event);
        let result = judge(&step, &foreign, tolerance, &mut half, &mut tally);
        let (at, dropped) = match event {
            Event::Frame { at, .. } => (*at, None),
            Event::Dropped { at, bytes, .. } => (*at, Some(*bytes)),
        };
        let result = dropped.map_or(result, |bytes| Some((true, json!({"dropped": bytes}))));
        if let Some((bad, mut value)) = result
            && (bad || verbose)
        {
            if input.json {
                value["off"] = json!(at);
                let _ = writeln!(stdout, "{value}");
            } else {
                let _ = writeln!(stdout, "{at:08x}  {}", words(&value));
            }
        }
    })?;
    let Tally { executed, equal, different, missing, failed, unmatched } = tally;
    if input.json {
        let mut total = dump::counts_object(&counts);
        total["tally"] = json!({
            "executed": executed, "equal": equal, "different": different, "missing": missing,
            "failed": failed, "unmatched": unmatched,
        });
        writeln!(stdout, "{total}")?;
    } else {
        writeln!(stdout, "{}", dump::summary(&counts))?;
        writeln!(
            stdout,
            "{executed} messages executed, {missing} skipped for missing state, {failed} failed; \
             writebacks: {equal} equal, {different} different, {unmatched} without a message"
        )?;
    }
    stdout.flush()?;
    let whole = counts.dropped_bytes == 0 && counts.lost == 0;
    let messages = different == 0 && (allow_loss || missing == 0 && failed == 0 && unmatched == 0);
    Ok(messages && (allow_loss || whole))
}

/// What another engine writes back for a message; `None` when the core's result counts.
fn foreign_result(
    state: &State,
    record: &Record<'_>,
    other: impl Fn(&Job) -> Option<Result<Option<Outcome>, String>>,
) -> Result<Option<Vec<u8>>, String> {
    let Some(job) = state.job(record)? else { return Ok(None) };
    match other(&job) {
        None => Ok(None),
        Some(outcome) => outcome?.map(|o| Some(o.writeback)).ok_or("the engine does not do that".into()),
    }
}

/// What a step is worth: whether it is bad, and its record. Counts it.
fn judge(
    step: &texwire::error::Result<Step<'_>>,
    foreign: &Result<Option<Vec<u8>>, String>,
    tolerance: f32,
    half: &mut bool,
    tally: &mut Tally,
) -> Option<(bool, Value)> {
    match step {
        Err(why) => {
            tally.failed += 1;
            Some((true, json!({"error": why.to_string()})))
        }
        Ok(Step::Executed(executed)) => {
            tally.executed += 1;
            *half = executed.message.return_width == texwire::message::Width::Half;
            Some((
                false,
                json!({
                    "kind": executed.kind.name(), "thread": executed.thread,
                    "op": executed.message.op.name(), "simd": executed.message.simd,
                    "lanes": format!("{:#x}", executed.message.lanes),
                    "faults": format!("{:#x}", executed.faults),
                    "out": hex::encode(executed.writeback),
                }),
            ))
        }
        Ok(Step::Missing { table, slot }) => {
            tally.missing += 1;
            Some((true, json!({"missing": format!("{table:?}").to_lowercase(), "slot": slot})))
        }
        Ok(Step::Compared(comparison)) => {
            let executed = match foreign {
                Ok(bytes) => bytes.as_deref().unwrap_or(comparison.executed),
                Err(why) => {
                    tally.failed += 1;
                    return Some((true, json!({"error": why})));
                }
            };
            let equal = close(comparison.recorded, executed, tolerance, *half);
            if equal {
                tally.equal += 1;
                return Some((false, json!({"writeback": "equal"})));
            }
            tally.different += 1;
            let at = comparison.recorded.iter().zip(executed).position(|(a, b)| a != b);
            Some((
                true,
                json!({
                    "writeback": "different", "byte": at,
                    "recorded": hex::encode(comparison.recorded), "executed": hex::encode(executed),
                }),
            ))
        }
        Ok(Step::Unmatched(kind)) => {
            tally.unmatched += 1;
            Some((true, json!({"writeback": "without a message", "of": kind.name()})))
        }
        Ok(Step::Lost(count)) => Some((true, json!({"lost by the sender": count}))),
        Ok(_) => None,
    }
}

/// Equal, or (with a tolerance) close element by element.
fn close(recorded: &[u8], executed: &[u8], tolerance: f32, half: bool) -> bool {
    if recorded == executed {
        return true;
    }
    if tolerance == 0.0 || recorded.len() != executed.len() {
        return false;
    }
    let step = if half { 2 } else { 4 };
    recorded.chunks(step).zip(executed.chunks(step)).all(|(a, b)| {
        let (a, b) = (float(a), float(b));
        a.to_bits() == b.to_bits() || (a - b).abs() <= tolerance * a.abs().max(1.0)
    })
}

fn float(bytes: &[u8]) -> f32 {
    match *bytes {
        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]),
        [a, b] => texwire::format::half::to_f32(u16::from_le_bytes([a, b])),
        _ => f32::NAN,
    }
}

fn words(value: &Value) -> String {
    let fields = value.as_object().into_iter().flatten();
    let words = fields.map(|(key, value)| match value {
        Value::String(text) => format!("{key} {text}"),
        value => format!("{key} {value}"),
    });
    words.collect::<Vec<_>>().join(", ")
}
