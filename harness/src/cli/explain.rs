//! `texwire explain`

use super::Done;
use crate::wires::{self, Wire};

/// Shows every field of an instruction: bits, raw value, meaning, broken rules.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Dialect of the bytes
    #[arg(long, value_enum, default_value = "gen11")]
    wire: Wire,
    /// Platform: gen9, gen11, xe-lp, xe-hpg, xe-hpc, maxwell, pascal
    #[arg(long)]
    platform: Option<String>,
    /// The bytes in memory order, in hex; blanks are ignored
    #[arg(required = true)]
    hex: Vec<String>,
}

pub(super) fn run(args: &Args) -> Done {
    let platform = super::platform(args.platform.as_deref(), args.wire)?;
    let bytes = crate::hex::decode(&args.hex.concat())?;
    let text = match args.wire {
        Wire::Visa => wires::visa::explain(&bytes, platform)?,
        Wire::Gen11 | Wire::Gen9 | Wire::Gen12 => wires::gen_native::explain(&bytes, platform)?,
        Wire::Maxwell => wires::maxwell::explain(&bytes, platform)?,
        Wire::Trace => wires::trace::explain(&bytes, platform)?,
    };
    print!("{text}");
    Ok(true)
}
