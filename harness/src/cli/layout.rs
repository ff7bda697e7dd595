//! `texwire layout`

use super::Done;

/// Prints what surface states decode to and where their sub-images are.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(args: &Args) -> Done {
    let _ = args;
    Err("not built yet".into())
}
