//! `texwire layout`

use super::inputs::{self, CommandResult};
use crate::console::say;
use crate::json::layouts::{describe, offsets_of_points, state};
use serde_json::{Value, json};
use std::path::PathBuf;
use texwire::Platform;
use texwire::rules::Rule;

/// Prints what surface states decode to and where their sub-images are.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A JSON file whose `cases` have a `state` each: the 16 dwords, as hex; `platform` is theirs (without it, gen11). Or JSON lines (`.jsonl`), a surface
    /// each with `platform`, `state` and `points` [level, layer or z, sample, x, y] in elements: for each
    /// surface a line `{"bytes": [offset of every point]}`.
    file: PathBuf,
}

pub(super) fn run(args: &Args) -> CommandResult {
    if args.file.extension().is_some_and(|extension| extension == "jsonl") {
        return points(args);
    }
    let file: Value = serde_json::from_slice(&inputs::read(&args.file)?)
        .map_err(|why| format!("no JSON at {}: {why}", args.file.display()))?;
    let cases = file["cases"].as_array().ok_or_else(|| format!("no `cases` at {}", args.file.display()))?;
    if cases.is_empty() {
        return Err(nothing(args).into());
    }
    let platform =
        platform(&file).map_err(|why| format!("unknown platform at {}: {why}", args.file.display()))?;
    let mut complete = true;
    let mut out = Vec::with_capacity(cases.len());
    for (index, case) in cases.iter().enumerate() {
        let state =
            state(case).map_err(|why| format!("state at case {index} of {}: {why}", args.file.display()))?;
        let mut description = describe(&state, platform).unwrap_or_else(|why| {
            complete = false;
            json!({ "error": why, "state": case["state"] })
        });
        description["violations"] = state.validate(platform).map(Rule::name).collect();
        out.push(description);
    }
    say!("{}", json!({ "platform": file["platform"], "cases": out }));
    Ok(complete)
}

fn nothing(args: &Args) -> String {
    format!("nothing to lay out at {}: it has no surfaces", args.file.display())
}

/// Returns the platform that a file or a line names; Gen11 if it names none.
fn platform(value: &Value) -> Result<Platform, String> {
    match &value["platform"] {
        Value::Null => Ok(Platform::Gen11),
        name => Platform::ALL
            .into_iter()
            .find(|known| name == known.name())
            .ok_or_else(|| format!("{name} is no known platform")),
    }
}

/// Prints one line for each line of the file: the byte offsets of a surface's points, or the error.
fn points(args: &Args) -> CommandResult {
    let mut lines = inputs::lines(&args.file)?.peekable();
    if lines.peek().is_none() {
        return Err(nothing(args).into());
    }
    let mut complete = true;
    for line in lines {
        let (place, line) = line?;
        let surface: Value =
            serde_json::from_str(&line).map_err(|why| format!("no JSON at {place}: {why}"))?;
        let offsets = platform(&surface).and_then(|platform| offsets_of_points(&surface, platform));
        let answer = match offsets {
            Ok(bytes) => json!({ "bytes": bytes }),
            Err(why) => {
                complete = false;
                json!({ "error": why })
            }
        };
        say!("{answer}");
    }
    Ok(complete)
}
