//! The command line's arguments, and what is wrong with one, however long it is.

use super::Cli;
use crate::excerpt::excerpt;
use clap::Parser;
use clap::error::ContextValue;

/// The arguments of the program; one that is wrong, and a request for help, end it.
pub fn parse() -> Cli {
    Cli::try_parse().unwrap_or_else(|error| shortened(error).exit())
}

/// The same error; arguments that it repeats are cut.
fn shortened(mut error: clap::Error) -> clap::Error {
    let context = error.context().filter_map(|(kind, value)| match value {
        ContextValue::String(text) => Some((kind, excerpt(text))),
        _ => None,
    });
    for (kind, text) in context.collect::<Vec<_>>() {
        error.insert(kind, ContextValue::String(text));
    }
    error
}
