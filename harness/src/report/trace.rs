//! The report of a trace: every message executed and compared with its recorded writeback.

use super::message::{CardText, format_of, show};
use super::{MessageCard, MessageVerdict, Page, Table};
use crate::core_engine::execute_on;
use crate::engine::{Job, Outcome};
use crate::trace_file::TraceState;
use crate::wires::gen_send::instruction_text;
use texwire::Platform;
use texwire::eu::SendInstruction;
use texwire::trace::{Decoder, Event, MAX_FRAME, Record};
use texwire::txq::{SchedulingControl, Txq};
use texwire::visa::Anonymous;

/// A message that waits for its writeback.
struct Pending {
    number: u64,
    at: u64,
    thread: u32,
    text: String,
    /// `Ok(None)`: a TXQ, which has no job.
    job: Result<Option<Job>, String>,
    executed: Option<Result<Outcome, String>>,
}

/// Executes the messages of a trace and returns the page that shows them.
///
/// # Errors
/// The trace has no message.
pub fn page(name: &str, stream: &[u8]) -> Result<Page, String> {
    let mut page = Page::new(&format!("Trace {name}"));
    let mut state = TraceState::default();
    let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
    let (mut rest, mut pending, mut numbers) = (stream, None, 0..);
    let mut texts = 0;
    while let Some(event) = decoder.feed(&mut rest) {
        let Event::Frame { at, .. } = event else { continue };
        let Some(record) = state.event(&event) else { continue };
        match &record {
            Record::Writeback { registers, .. } => {
                if let Some(pending) = pending.take() {
                    close(&mut page, &state, pending, Some(registers));
                }
            }
            Record::Gen(_) | Record::Visa(_) | Record::Txq(_) => {
                if let Some(pending) = pending.take() {
                    close(&mut page, &state, pending, None);
                }
                let number = numbers.next().unwrap_or(u64::MAX);
                pending = Some(open(&state, &record, number, at));
            }
            // A message is shown with the memory and states before it: records after it are for later messages.
            _ => {
                if let Some(pending) = pending.take() {
                    close(&mut page, &state, pending, None);
                }
                texts += u64::from(matches!(record, Record::Text(_)));
            }
        }
    }
    if let Some(pending) = pending.take() {
        close(&mut page, &state, pending, None);
    }
    // Bytes of a frame that the end of the stream cuts off are counted as dropped.
    let _ = decoder.finish();
    let counts = decoder.counts();
    page.summary.push(format!("{} bytes, {} frames, {texts} notes", stream.len(), counts.frames));
    if counts.dropped_bytes > 0 || counts.lost > 0 {
        page.summary.push(format!(
            "{} bytes are no good frame, {} frames are lost",
            counts.dropped_bytes, counts.lost
        ));
    }
    if page.messages() == 0 {
        return Err("the trace has no message".to_owned());
    }
    Ok(page)
}

fn open(state: &TraceState, record: &Record<'_>, number: u64, at: u64) -> Pending {
    let job = state.job(record);
    let platform =
        job.as_ref().ok().and_then(Option::as_ref).and_then(|job| Platform::from_trace_code(job.platform));
    let (thread, text) = match record {
        Record::Gen(message) => {
            let send = SendInstruction::from_bytes(platform.unwrap_or(Platform::Gen11), message.instruction);
            (message.thread, send.map_or_else(|why| why.to_string(), |send| instruction_text(&send)))
        }
        Record::Visa(message) => {
            let sampler = message.sampler();
            let text =
                sampler.map_or_else(|why| why.to_string(), |sampler| sampler.display(&Anonymous).to_string());
            (message.thread, text)
        }
        Record::Txq(query) => {
            let text = match Txq::decode(query.word, SchedulingControl::new(query.control)) {
                Ok(Some(txq)) => txq.to_string(),
                Ok(None) => "another instruction".to_owned(),
                Err(why) => why.to_string(),
            };
            (query.warp, text)
        }
        _ => (0, String::new()),
    };
    let executed = job.as_ref().ok().and_then(Option::as_ref).map(|job| execute_on(job, state.memory()));
    Pending { number, at, thread, text, job, executed }
}

/// Compares a message with its recorded writeback, if there is one, and adds it to the page if there is room.
fn close(page: &mut Page, state: &TraceState, pending: Pending, recorded: Option<&[u8]>) {
    let Pending { number, at, thread, text, job, executed } = pending;
    let (mut notes, mut results) = (Vec::new(), Vec::new());
    let verdict = match (&job, &executed, recorded) {
        (Ok(Some(_)), Some(Ok(outcome)), recorded) => {
            results.push(("core", &outcome.writeback[..]));
            if outcome.faults != 0 {
                notes.push(format!("lanes {:#x} read memory that is not there", outcome.faults));
            }
            match recorded {
                Some(recorded) if recorded == outcome.writeback => MessageVerdict::Equal,
                Some(recorded) => {
                    results.push(("recorded", recorded));
                    MessageVerdict::Differs
                }
                None => MessageVerdict::Unrecorded,
            }
        }
        (Ok(None), ..) => MessageVerdict::Unrecorded,
        (Err(why), ..) | (_, Some(Err(why)), _) => {
            notes.push(why.clone());
            MessageVerdict::Refused
        }
        (Ok(Some(_)), None, _) => MessageVerdict::Refused,
    };
    if !page.wants(verdict) {
        return;
    }
    let operation = match &job {
        Ok(Some(job)) => format!("{} SIMD{}", job.op, job.simd),
        _ => text.split_whitespace().next().unwrap_or("message").to_owned(),
    };
    let title = format!("{operation}, thread {thread}, offset {at:#x}");
    let Ok(Some(job)) = job else {
        return page.show(MessageCard {
            number,
            title,
            operation,
            format: "-".to_owned(),
            verdict,
            text,
            notes,
            states: Vec::new(),
            lanes: Table::default(),
            footprint: None,
            texels: Vec::new(),
        });
    };
    let title =
        format!("{} SIMD{} on {}, thread {thread}, offset {at:#x}", job.op, job.simd, format_of(&job));
    show(page, CardText { number, title, text, verdict, notes }, &job, state.memory(), &results);
}
