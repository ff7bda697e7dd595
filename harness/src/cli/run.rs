//! `texwire run`

use super::Done;

/// Finds the sampler messages of a real kernel and executes them on a picture.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(args: &Args) -> Done {
    let _ = args;
    Err("not built yet".into())
}
