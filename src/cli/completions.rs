//! `completions`: scripts that complete command lines.

use super::Status;
use crate::cli::error::Error;
use std::io::Write;

/// Print a script that completes command lines in a shell
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

/// Writes the script for `command`.
pub(super) fn run(
    args: &Args,
    command: &mut clap::Command,
    out: &mut impl Write,
) -> Result<Status, Error> {
    // Not to `out` itself: what makes the script panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "mmasmt", &mut script);
    out.write_all(&script)?;
    Ok(Status::Yes)
}
