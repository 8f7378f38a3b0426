//! `completions`: shell scripts that complete command lines.

use super::Status;
use crate::cli::error::Error;
use clap_complete::env::Shells;
use std::io::Write;

/// Print a script that completes command lines in a shell, models, properties and keys among them
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

/// Writes the script that completes the command lines of `command`.
pub(super) fn run(
    args: &Args,
    command: &mut clap::Command,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    // Not written directly to `out`: the generator panics if it cannot write.
    let mut script = Vec::new();
    let shell = args.shell.to_string();
    match Shells::builtins().completer(&shell) {
        Some(shell) => {
            shell.write_registration("COMPLETE", "mmasmt", "mmasmt", "mmasmt", &mut script)?
        }
        None => clap_complete::generate(args.shell, command, "mmasmt", &mut script),
    }
    out.write_all(&script)?;
    Ok(Status::Yes)
}
