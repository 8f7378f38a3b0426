//! Parses the arguments of the command line. Errors about very long arguments are shortened.

use super::groups::grouped;
use super::machines::with_runner;
use super::modes::CommandLine;
use super::{Cli, Status, report};
use clap::error::{ContextValue, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches};
use mmasmt_numbers::base::excerpt::excerpt;
use std::ffi::OsString;

/// Parses the arguments of the program. If an argument is wrong, or help is asked for, the program
/// ends.
pub fn parse() -> Cli {
    let command = || grouped(Cli::command());
    clap_complete::CompleteEnv::with_factory(command).complete();
    let cli = parsed(command(), std::env::args_os());
    cli.unwrap_or_else(|error| {
        let mut arguments = std::env::args_os().take_while(|argument| argument != "--");
        let json = arguments.any(|argument| argument == "--json");
        if error.kind() == ErrorKind::InvalidUtf8 {
            report(json, &not_text(std::env::args_os().skip(1)));
            std::process::exit(Status::Error as i32);
        }
        let error = shortened(error);
        if error.use_stderr() && json {
            let text = error.render().to_string();
            let text = text.strip_prefix("error: ").unwrap_or(&text);
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            report(true, &lines.collect::<Vec<_>>().join("; "));
            std::process::exit(Status::Error as i32);
        }
        error.exit()
    })
}

fn parsed(
    mut command: Command,
    arguments: impl IntoIterator<Item = impl Into<OsString>>,
) -> Result<Cli, clap::Error> {
    command.build();
    let written: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let arguments = with_runner(&command, written.clone());
    let matches = command.try_get_matches_from_mut(&arguments)?;
    let mut cli = Cli::from_arg_matches(&matches)?;
    cli.given = CommandLine::of(&command, &matches, &written);
    Ok(cli)
}

/// The error message for an argument that is not UTF-8. It names the argument, which clap's own
/// message does not.
fn not_text(arguments: impl Iterator<Item = OsString>) -> String {
    let mut found = (1..).zip(arguments);
    let others = found.find(|(_, argument)| argument.to_str().is_none());
    let found = others.map_or(String::new(), |(number, argument)| {
        let shown = excerpt(&argument.to_string_lossy());
        format!(", found argument {number}, `{shown}`")
    });
    format!("expected arguments in UTF-8, but for paths{found}")
}

/// Why arguments give no command: they are wrong, or ask for help or the version.
#[derive(Clone, Debug)]
pub struct NoCommand {
    /// The text for the person who asked.
    pub text: String,
    /// Whether the arguments are wrong.
    pub is_error: bool,
}

/// Parses arguments that come from another program; they do not begin with a program's name.
///
/// # Errors
/// If the arguments are wrong, or ask for help or the version.
pub fn parse_from(arguments: &[String]) -> Result<Cli, NoCommand> {
    let name = std::iter::once("mmasmt");
    let arguments = name.chain(arguments.iter().map(String::as_str));
    let cli = parsed(grouped(Cli::command()), arguments);
    cli.map_err(|error| {
        let error = shortened(error);
        NoCommand {
            text: error.render().to_string(),
            is_error: error.use_stderr(),
        }
    })
}

/// clap may suggest a correction under an error (a tip); a tip of more bytes than this is not
/// shown.
const LONGEST: usize = 300;

/// The same error, but the long arguments that its text repeats are cut.
fn shortened(mut error: clap::Error) -> clap::Error {
    let context = error.context().filter_map(|(kind, value)| match value {
        ContextValue::String(text) => Some((kind, ContextValue::String(excerpt(text)))),
        // Tips repeat the argument, so an error about a very long argument gets no tip.
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
