//! `completions`: scripts that complete command lines.

use super::{Cli, Status};
use crate::error::Error;
use clap::CommandFactory;
use std::io::Write;

/// Print a script that completes command lines in a shell
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<Status, Error> {
    // Not to `out` itself: what makes the script panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "mmasmt", &mut script);
    out.write_all(&script)?;
    Ok(Status::Yes)
}
