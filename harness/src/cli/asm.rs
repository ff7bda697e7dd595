//! `texwire asm`

use super::inputs::{self, CommandResult};
use crate::console::say;
use crate::output;
use crate::wires::Wire;
use std::path::{Path, PathBuf};

/// Assembles sampler instructions.
///
/// The text may be what `decode` prints (offsets and headings are ignored) and, for Gen9 to Gen12, sends to the
/// sampler as Mesa's disassembler spells them.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Dialect of the text
    #[arg(long, value_parser = inputs::wire(), default_value = "visa")]
    wire: &'static dyn Wire,
    /// Platform: gen9, gen11, xe-lp, xe-hpg, xe-hpc, maxwell, pascal
    #[arg(long)]
    platform: Option<String>,
    /// Writes the bytes to a file instead of printing hex
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// The text, a file with a line per instruction, or - for standard input
    #[arg(allow_hyphen_values = true)]
    text: String,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let platform = inputs::platform(args.platform.as_deref(), args.wire)?;
    let source = match inputs::read_named(&args.text)? {
        Some((name, bytes)) => {
            String::from_utf8(bytes).map_err(|why| format!("cannot read {name}: {why}"))?
        }
        None => args.text.clone(),
    };
    let mut bytes = Vec::new();
    for encoded in args.wire.assemble(&source, platform)? {
        if args.out.is_none() {
            say!("{}", crate::hex::encode(&encoded));
        }
        bytes.extend(encoded);
    }
    if bytes.is_empty() {
        return Err("no instruction at the text: nothing to assemble".into());
    }
    if let Some(path) = &args.out {
        output::write(path, &[Path::new(&args.text)], &bytes)?;
    }
    Ok(true)
}
