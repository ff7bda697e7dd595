//! `texwire trace`

use super::Done;

/// Records, dumps, replays and verifies traces.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(args: &Args) -> Done {
    let _ = args;
    Err("not built yet".into())
}
