//! The command line's arguments, and what is wrong with one, however long it is.

use super::Cli;
use crate::excerpt::excerpt;
use clap::Parser;
use clap::error::ContextValue;

/// The arguments of the program; one that is wrong, and a request for help, end it.
pub fn parse() -> Cli {
    Cli::try_parse().unwrap_or_else(|error| shortened(error).exit())
}

/// The most bytes of a tip that is shown.
const LONGEST: usize = 300;

/// The same error; arguments that it repeats are cut.
fn shortened(mut error: clap::Error) -> clap::Error {
    let context = error.context().filter_map(|(kind, value)| match value {
        ContextValue::String(text) => Some((kind, ContextValue::String(excerpt(text)))),
        // Tips repeat the argument; for one that is so long there is nothing to say.
        ContextValue::StyledStrs(tips)
            if tips.iter().any(|tip| tip.to_string().len() > LONGEST) =>
        {
            Some((kind, ContextValue::None))
        }
        _ => None,
    });
    for (kind, value) in context.collect::<Vec<_>>() {
        error.insert(kind, value);
    }
    error
}
