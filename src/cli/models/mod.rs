//! `models`: the tables and the algorithms.

mod arguments;
mod list;
mod show;
mod spelled;
mod summary;
mod unknown;

pub(super) use arguments::Args;

use super::Status;
use crate::cli::error::Error;
use arguments::ModelsCommand;
use list::list;
use show::{list_algorithms, show};
use std::io::Write;

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    match &args.command {
        Some(ModelsCommand::Show { name }) => show(name, json, out)?,
        None if args.algorithms => list_algorithms(json, out)?,
        Some(ModelsCommand::List { what }) => list(args, what, json, out)?,
        None => list(args, &args.what, json, out)?,
    }
    Ok(Status::Yes)
}
