//! `texwire serve`

use super::Done;
use super::engines::Choice;
use crate::console::Stdout;
use crate::external;

/// Answers jobs: one JSON object a line on stdin, one line of JSON each on stdout.
///
/// An answer is `{"writeback": [bytes], "faults": mask}`, `{"error": "why"}` for a job that is not legal, or `null` for
/// one that the engine does not do. This is the protocol of `--engine external:COMMAND` and `fuzz-diff --against COMMAND`:
/// a model of your own that speaks it takes part in every comparison.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Which engine answers: core, emulator or external:COMMAND
    #[arg(long, default_value = "core")]
    engine: Choice,
}

pub(super) fn run(args: &Args) -> Done {
    let engine = args.engine.engine()?;
    external::serve(engine.as_ref(), std::io::stdin().lock(), Stdout)?;
    engine.finish()?;
    Ok(true)
}
