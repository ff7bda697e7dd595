//! `texwire serve`

use super::engines::Choice;
use super::inputs::CommandResult;
use crate::console::Stdout;
use crate::external;

/// Answers jobs: one JSON object a line on stdin, one line of JSON each on stdout.
///
/// An answer is `{"writeback": [bytes], "faults": mask}`, `{"error": "why"}` for a job that is not legal, or `null` for
/// one that the engine does not do. This is the protocol of `--engine external:COMMAND` and `fuzz-diff --against COMMAND`:
/// a model of your own that speaks it takes part in every comparison.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Which engine answers: core, emulator, vulkan (or vulkan:INDEX, vulkan:NAME), or external:COMMAND
    #[arg(long, default_value = "core")]
    engine: Choice,
    /// Frames of many jobs instead of lines: how texwire talks with the process of a Vulkan device
    #[arg(long, hide = true)]
    framed: bool,
}

pub(super) fn run(args: &Args) -> CommandResult {
    if args.framed {
        return framed(&args.engine);
    }
    let engine = args.engine.engine()?;
    // Failures of standard output end the command by themselves.
    external::serve(engine.as_ref(), std::io::stdin().lock(), Stdout)
        .map_err(|why| format!("cannot read standard input: {why}"))?;
    engine.finish()?;
    Ok(true)
}

#[cfg(feature = "vulkan")]
fn framed(engine: &Choice) -> CommandResult {
    let Choice::Vulkan(device) = engine else {
        return Err("bad usage at --framed: it is for --engine vulkan".into());
    };
    let options = crate::vulkan::DeviceOptions::of_environment();
    crate::vulkan::serve(device, options, &mut std::io::stdin().lock(), &mut Stdout)?;
    Ok(true)
}

#[cfg(not(feature = "vulkan"))]
fn framed(_: &Choice) -> CommandResult {
    Err("bad usage at --framed: texwire was built without feature vulkan".into())
}
