//! The `texwire` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    texwire_harness::cli::main()
}
