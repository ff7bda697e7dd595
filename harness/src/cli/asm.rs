//! `texwire asm`

use super::Done;
use crate::console::say;
use crate::output;
use crate::wires::{self, Wire};
use std::path::{Path, PathBuf};

/// Assembles sampler instructions.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Dialect of the text
    #[arg(long, value_enum, default_value = "visa")]
    wire: Wire,
    /// Platform: gen9, gen11, xe-lp, xe-hpg, xe-hpc, maxwell, pascal
    #[arg(long)]
    platform: Option<String>,
    /// Writes the bytes to a file instead of printing hex
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// The text, or a file with a line per instruction
    text: String,
}

pub(super) fn run(args: &Args) -> Done {
    let platform = super::platform(args.platform.as_deref(), args.wire)?;
    let source = match std::fs::read_to_string(&args.text) {
        Ok(text) => text,
        Err(_) => args.text.clone(),
    };
    let assemble = match args.wire {
        Wire::Visa => wires::visa::assemble,
        Wire::Gen11 | Wire::Gen9 | Wire::Gen12 | Wire::XeHpg => wires::gen_native::assemble,
        Wire::Maxwell => wires::maxwell::assemble,
        Wire::Trace => return Err("traces have no text form to assemble".into()),
    };
    let mut bytes = Vec::new();
    for (number, line) in source.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let encoded =
            assemble(line, platform).map_err(|why| format!("text at line {}: {why}", number + 1))?;
        if args.out.is_none() {
            say!("{}", crate::hex::encode(&encoded));
        }
        bytes.extend(encoded);
    }
    if let Some(path) = &args.out {
        output::write(path, &[Path::new(&args.text)], &bytes)?;
    }
    Ok(true)
}
