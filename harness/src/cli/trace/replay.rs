//! `texwire trace replay` and `verify`: execute the messages of a trace and compare their writebacks with the recorded ones.

use super::live::{self, Arrival, Input};
use crate::cli::inputs::CommandResult;
use crate::hex;
use crate::trace_file::executor::{Executor, FrameFinding, MessageCounts, Reference};
use crate::trace_file::{Integrity, Segment};
use crate::wires::trace as dump;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use texwire::trace::Event;

/// The most batches of segments that wait to be executed.
const WAITING: usize = 4;
/// A batch is handed over when it has this many segments, or [`BATCH_BYTES`] bytes: waking the executing thread for each segment of
/// a few messages would cost more than executing the messages.
const BATCH: usize = 256;
const BATCH_BYTES: usize = 1 << 20;

/// Replays a trace and compares the recorded writebacks with `reference`. `verbose`: executed messages are printed as well.
pub(super) fn replay(input: &Input, verbose: bool, reference: Reference, allow_loss: bool) -> CommandResult {
    let (send, receive) = sync_channel(WAITING);
    let json = input.json;
    let mut stdout = live::output(&input.from);
    let executor = Executor::new(reference, verbose);
    // This thread decodes frames, the other one executes and prints.
    let (end, integrity, messages) = std::thread::scope(|scope| {
        let executing = scope.spawn(move || execute(executor, &receive, json, stdout.as_mut()));
        let (end, integrity) = read(input, send);
        let messages = executing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok::<_, Box<dyn std::error::Error>>((end?, integrity, messages))
    })?;
    let mut stdout = live::output(&input.from);
    summarize(json, &end.counts, &integrity, &messages, stdout.as_mut())?;
    stdout.flush()?;
    if let Some(why) = end.broken {
        return Err(why.into());
    }
    let counts = &end.counts;
    let whole = counts.dropped_bytes == 0
        && counts.lost == 0
        && counts.repeated == 0
        && counts.late == 0
        && integrity.broken == 0
        && integrity.dropped_by_sender == 0;
    let done = messages.missing == 0 && messages.failed == 0 && messages.unmatched == 0;
    let well = messages.different == 0 && (allow_loss || whole && done);
    let nothing = if verbose { messages.executed == 0 } else { messages.equal + messages.different == 0 };
    if well && nothing && !end.interrupted {
        let what = if verbose { "message that was executed" } else { "writeback that was compared" };
        return Err(format!("nothing done at {}: the trace has no {what}", input.name()).into());
    }
    Ok(well)
}

/// Decodes the stream into segments and sends them in batches; a live stream's are sent whenever no more bytes are there.
fn read(input: &Input, send: SyncSender<Vec<Segment>>) -> (Result<live::End, String>, Integrity) {
    let mut integrity = Integrity::default();
    let mut segment = Segment::default();
    let live = !live::is_file(&input.from);
    let (mut batch, mut bytes) = (Vec::new(), 0);
    let mut hand_over = |segment: &mut Segment, now: bool| {
        if !segment.is_empty() {
            bytes += segment.bytes();
            batch.push(std::mem::take(segment));
        }
        if !batch.is_empty() && (now || batch.len() >= BATCH || bytes >= BATCH_BYTES) {
            bytes = 0;
            // This fails only if the executing thread has ended early, by a panic or an error: `replay` reports that.
            let _ = send.send(std::mem::take(&mut batch));
        }
    };
    let end = live::events(input, |arrival| match arrival {
        Arrival::Pause if live => hand_over(&mut segment, true),
        Arrival::Pause => {}
        Arrival::Event(event) => {
            if segment.ends_before(&event) {
                hand_over(&mut segment, false);
            }
            if let Some(what) = integrity.event(&event) {
                let (Event::Frame { at, .. } | Event::Dropped { at, .. }) = event;
                segment.push_wrong(at, what);
            }
            segment.push(&event);
        }
    });
    if let Ok(end) = &end
        && !end.interrupted
        && let Some(what) = integrity.finish()
    {
        segment.push_wrong(end.counts.bytes, what);
    }
    hand_over(&mut segment, true);
    (end, integrity)
}

/// Executes segments as they arrive and prints the findings.
fn execute(
    mut executor: Executor,
    segments: &Receiver<Vec<Segment>>,
    json: bool,
    stdout: &mut dyn Write,
) -> std::io::Result<MessageCounts> {
    for segment in segments.iter().flatten() {
        for (at, finding) in executor.run(&segment) {
            let mut value = describe(&finding);
            if json {
                value["off"] = json!(at);
                writeln!(stdout, "{value}")?;
            } else {
                writeln!(stdout, "{at:08x}  {}", words(&value))?;
            }
        }
    }
    stdout.flush()?;
    Ok(executor.counts)
}

fn summarize(
    json: bool,
    counts: &texwire::trace::Counts,
    integrity: &Integrity,
    messages: &MessageCounts,
    stdout: &mut dyn Write,
) -> std::io::Result<()> {
    let MessageCounts { executed, equal, different, missing, failed, unmatched, boundary, unbounded } =
        messages;
    let Integrity { dropped_by_sender, broken, .. } = integrity;
    if json {
        let mut total = dump::counts_object(counts);
        total["tally"] = json!({
            "executed": executed, "equal": equal, "different": different, "missing": missing,
            "failed": failed, "unmatched": unmatched, "boundary_lanes": boundary, "unbounded_lanes": unbounded,
            "lost_by_sender": dropped_by_sender, "broken_streams": broken,
        });
        return writeln!(stdout, "{total}");
    }
    writeln!(stdout, "{}", dump::summary(counts))?;
    for (count, what) in [
        (dropped_by_sender, "frames dropped by the sender"),
        (broken, "streams that are not whole"),
        (boundary, "lanes equal at a decision boundary (coordinates within the rounding bound)"),
        (unbounded, "lanes set aside: no rounding bound describes them"),
    ] {
        if *count > 0 {
            writeln!(stdout, "{count} {what}")?;
        }
    }
    writeln!(
        stdout,
        "{executed} messages executed, {missing} skipped for missing state, {failed} failed; \
         writebacks: {equal} equal, {different} different, {unmatched} without a message"
    )
}

/// Returns a finding as a JSON record.
fn describe(finding: &FrameFinding) -> Value {
    match finding {
        FrameFinding::Dropped(fault, bytes) => json!({"dropped": bytes, "why": fault.to_string()}),
        FrameFinding::Wrong(what) => json!({"stream": what}),
        FrameFinding::LostBySender(count) => json!({"lost by the sender": count}),
        FrameFinding::Error(why) => json!({"error": why}),
        FrameFinding::Missing(table, slot) => {
            json!({"missing": format!("{table:?}").to_lowercase(), "slot": slot})
        }
        FrameFinding::Executed { kind, thread, message, faults, writeback } => json!({
            "kind": kind.name(), "thread": thread,
            "op": message.op.name(), "simd": message.simd,
            "lanes": format!("{:#x}", message.lanes),
            "faults": format!("{faults:#x}"),
            "out": hex::encode(writeback),
        }),
        FrameFinding::Equal => json!({"writeback": "equal"}),
        FrameFinding::Different { recorded, executed, why } => {
            let at = recorded.iter().zip(executed).position(|(a, b)| a != b);
            let mut value = json!({
                "writeback": "different", "byte": at,
                "recorded": hex::encode(recorded), "executed": hex::encode(executed),
            });
            if let Some(why) = why {
                value["why"] = json!(why);
            }
            value
        }
        FrameFinding::Unmatched(kind) => json!({"writeback": "without a message", "of": kind.name()}),
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
