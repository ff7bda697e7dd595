//! `texwire completions` and `texwire man`: shell completions and manual pages, generated from the declarations of the commands.

use super::inputs::{self, Done};
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
    /// Folder for texwire.1 and a page for each command
    #[arg(short, long)]
    out: Option<PathBuf>,
}

/// Prints the completions of a shell; `command` is the whole of texwire.
pub(super) fn completions(args: &CompletionsArgs, mut command: Command) -> Done {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "texwire", &mut text);
    Stdout.write_all(&text)?;
    Ok(true)
}

/// Prints or writes manual pages; `command` is the whole of texwire.
pub(super) fn man(args: &ManArgs, mut command: Command) -> Done {
    command.build();
    let page = |command: Command| -> std::io::Result<Vec<u8>> {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        Ok(page)
    };
    let Some(folder) = &args.out else {
        Stdout.write_all(&page(command)?)?;
        return Ok(true);
    };
    inputs::folder(folder)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let name = format!("texwire-{}", sub.get_name());
        // Leaked, because clap wants command names of static lifetime.
        let named = sub.clone().name(name.clone().leak() as &'static str);
        output::write(&folder.join(format!("{name}.1")), &[], &page(named)?)?;
    }
    let count = command.get_subcommands().count();
    output::write(&folder.join("texwire.1"), &[], &page(command)?)?;
    say!("{}: texwire.1 and pages of {count} commands", folder.display());
    Ok(true)
}
