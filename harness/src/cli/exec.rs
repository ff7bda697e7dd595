//! `texwire exec`

use super::Done;

/// Runs cases on the core or the emulator.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(args: &Args) -> Done {
    let _ = args;
    Err("not built yet".into())
}
