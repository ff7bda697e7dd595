//! `texwire enum`

use super::Done;

/// Looks up the PRM's enumerations.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(args: &Args) -> Done {
    let _ = args;
    Err("not built yet".into())
}
