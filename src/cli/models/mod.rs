//! `models`: the tables and the algorithms.

mod algorithms;
mod arguments;
mod list;
mod listed;
mod open;
mod show;
mod shown;
mod spelled;
mod summary;
mod unit;
mod unknown;
mod variant;

pub(super) use algorithms::AlgorithmsAnswer;
pub(super) use arguments::Args;
pub(super) use listed::ModelsAnswer;
pub(super) use shown::ShowAnswer;
pub(super) use unit::UnitAnswer;
pub(super) use variant::VariantAnswer;

use super::Status;
use crate::cli::error::Error;
use algorithms::list_algorithms;
use arguments::ModelsCommand;
use list::list;
use show::show;
use std::io::Write;
use unit::show_unit;
use variant::show_variant;

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    match &args.command {
        Some(ModelsCommand::Show { name, unit: false }) => show(name, json, out)?,
        Some(ModelsCommand::Show { name, unit: true }) => show_unit(name, json, out)?,
        Some(ModelsCommand::Variant(args)) => show_variant(args, json, out)?,
        None if args.algorithms => list_algorithms(None, json, out)?,
        Some(ModelsCommand::List { what, all }) => {
            list(args, what, args.all || *all, json, out)?;
        }
        None => list(args, &args.what, args.all, json, out)?,
    }
    Ok(Status::Yes)
}
