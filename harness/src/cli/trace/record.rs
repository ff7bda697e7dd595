//! `texwire trace record` and `cover`: the commands that write traces.

use super::coverage;
use crate::check::cases;
use crate::cli::inputs::{self, CommandResult};
use crate::console::{complain, say_of};
use crate::engine::{Engine, Job, Precision};
use crate::generators::covering_trace;
use crate::output::OutputFile;
use crate::trace_file::{RecordingEngine, TraceWriter};
use serde_json::Value;
use std::io::Write;
use std::path::Path;

pub(super) fn record(jobs: &Path, out: &Path, engine: &dyn Engine, precision: Precision) -> CommandResult {
    let lines = inputs::lines(jobs)?;
    let recorder = RecordingEngine::new(engine, OutputFile::create(out, &[jobs])?);
    let mut failed = 0;
    for line in lines {
        let (place, line) = line?;
        let value: Value = serde_json::from_str(&line).map_err(|why| format!("bad job at {place}: {why}"))?;
        let done = if cases::sampling::claims(&value) {
            cases::sampling::run(&recorder, &value, precision).map(drop)
        } else {
            let job: Job =
                serde_json::from_value(value).map_err(|why| format!("bad job at {place}: {why}"))?;
            recorder.execute(&job).and_then(|outcome| {
                outcome.map(drop).ok_or_else(|| format!("{} does not do such a job", engine.name()))
            })
        };
        if let Err(why) = done {
            failed += 1;
            complain!("job at {place}: {why}");
        }
    }
    let trace = recorder.into_trace();
    let messages = trace.messages();
    if messages + failed == 0 {
        return Err(format!("nothing recorded: no jobs at {}", inputs::name(jobs)).into());
    }
    trace.finish()?.commit()?;
    say_of(out, &format!("{messages} messages in {}", out.display()));
    Ok(failed == 0)
}

/// Writes the trace of `trace cover`. Returns whether it covers every required feature.
pub(super) fn cover(out: &Path, seed: u64, jobs: u64) -> CommandResult {
    let mut file = OutputFile::create(out, &[])?;
    let mut writer = TraceWriter::new(Vec::new());
    covering_trace::write(&mut writer, seed, jobs)?;
    let messages = writer.messages();
    let trace = writer.finish()?;
    file.write_all(&trace)?;
    file.commit()?;
    say_of(out, &format!("{messages} messages in {}", out.display()));
    let (coverage, whole) = coverage::follow(&trace, out);
    Ok(coverage::complete(&coverage, out) && whole)
}
