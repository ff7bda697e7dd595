//! `texwire layout`

use super::Done;
use crate::wires::layout::{describe, state};
use serde_json::{Value, json};
use std::path::PathBuf;
use texwire::Platform;
use texwire::rules::Rule;

/// Prints what surface states decode to and where their sub-images are.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A JSON file whose `cases` have a `state` each: the 16 dwords, as hex.
    file: PathBuf,
}

pub(super) fn run(args: &Args) -> Done {
    let file: Value = serde_json::from_slice(&super::read(&args.file)?)
        .map_err(|why| format!("no JSON at {}: {why}", args.file.display()))?;
    let cases = file["cases"].as_array().ok_or_else(|| format!("no `cases` at {}", args.file.display()))?;
    let platform =
        Platform::ALL.into_iter().find(|known| file["platform"] == known.name()).unwrap_or(Platform::Gen11);
    let mut complete = true;
    let mut out = Vec::with_capacity(cases.len());
    for (index, case) in cases.iter().enumerate() {
        let state =
            state(case).map_err(|why| format!("state at case {index} of {}: {why}", args.file.display()))?;
        let mut description = describe(&state).unwrap_or_else(|why| {
            complete = false;
            json!({ "error": why, "state": case["state"] })
        });
        description["violations"] = state.validate(platform).map(Rule::name).collect();
        out.push(description);
    }
    println!("{}", json!({ "platform": file["platform"], "cases": out }));
    Ok(complete)
}
