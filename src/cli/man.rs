//! `man`: manual pages of the program and of each command (feature `man`).

use super::Status;
use crate::cli::error::Error;
use std::path::PathBuf;

/// Write manual pages to a folder
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder, which must be there
    folder: PathBuf,
}

pub(super) fn run(args: &Args, command: clap::Command) -> Result<Status, Error> {
    let written = clap_mangen::generate_to(command, &args.folder);
    written.map_err(Error::file(&args.folder))?;
    Ok(Status::Yes)
}
