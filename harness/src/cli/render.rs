//! `texwire render`

use super::Done;

/// Draws a picture of one sampler setting.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(args: &Args) -> Done {
    let _ = args;
    Err("not built yet".into())
}
