//! `texwire completions` and `texwire man`: shell completions and manual pages, generated from the declarations of the commands.

use super::inputs::{self, CommandResult};
use crate::console::{Stdout, say};
use crate::output;
use clap::Command;
use std::io::Write;
use std::path::PathBuf;

/// Prints completions for a shell (bash: `source <(texwire completions bash)`).
#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

/// Prints the manual page, or writes the pages of all commands to a folder.
#[derive(Debug, clap::Args)]
pub(super) struct ManArgs {
    /// Folder for texwire.1 and a page for each command and subcommand
    #[arg(short, long)]
    out: Option<PathBuf>,
}

/// Prints the completions of a shell; `command` is the whole of texwire.
pub(super) fn completions(args: &CompletionsArgs, mut command: Command) -> CommandResult {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "texwire", &mut text);
    Stdout.write_all(&text)?;
    Ok(true)
}

/// Prints or writes manual pages; `command` is the whole of texwire.
pub(super) fn man(args: &ManArgs, command: Command) -> CommandResult {
    // `help` has no page: it prints what the pages say.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.out else {
        Stdout.write_all(&page(&command)?)?;
        return Ok(true);
    };
    inputs::folder(folder)?;
    let mut commands = Vec::new();
    collect(&command, &mut commands);
    for command in &commands {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        output::write(&folder.join(format!("{name}.1")), &[], &page(command)?)?;
    }
    say!("{}: texwire.1 and pages of {} commands", folder.display(), commands.len() - 1);
    Ok(true)
}

/// Adds a command and its subcommands, theirs included.
fn collect<'a>(command: &'a Command, all: &mut Vec<&'a Command>) {
    all.push(command);
    command.get_subcommands().for_each(|sub| collect(sub, all));
}

fn page(command: &Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let source = concat!("texwire ", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(command.clone()).source(source).render(&mut page)?;
    Ok(page)
}
