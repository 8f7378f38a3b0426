//! What was written on the command line: the options of a command, and their values.

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use std::collections::BTreeMap;
use std::ffi::OsString;

/// The options and values that were written on the command line.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct CommandLine {
    pub(super) command: String,
    /// By the names of the fields of arguments: the long names, and the values.
    pub(super) all: BTreeMap<String, (Option<String>, Vec<String>)>,
    /// Options as they were written before, with what they are now.
    pub(super) former: Vec<[&'static str; 2]>,
}

/// Options as they were written before, with what they are now. They go with the next release.
const FORMER: [[&str; 2]; 6] = [
    ["assume", "--where"],
    ["timeout", "--time"],
    ["closed-loop", "needless beside a machine"],
    ["hidden", "the argument model:MODEL"],
    ["software", "the argument model:MODEL"],
    [
        "device",
        "the argument cpu:INSTRUCTION or gpu:NUMBER:INSTRUCTION",
    ],
];

impl CommandLine {
    /// What was given to the subcommand of `matches`.
    pub(in crate::cli) fn of(
        command: &Command,
        matches: &ArgMatches,
        written: &[OsString],
    ) -> CommandLine {
        let Some((name, own)) = matches.subcommand() else {
            return CommandLine::default();
        };
        let Some(command) = command.find_subcommand(name) else {
            return CommandLine::default();
        };
        let arguments = command.get_arguments();
        let given = arguments.filter_map(|argument| {
            let id = argument.get_id().as_str();
            (own.value_source(id) == Some(ValueSource::CommandLine)).then(|| {
                let raw = own.get_raw(id).into_iter().flatten();
                let values = raw.map(|value| value.to_string_lossy().into_owned());
                let long = argument.get_long().map(str::to_owned);
                (id.to_owned(), (long, values.collect()))
            })
        });
        let own = |name: &str| {
            let mut all = command.get_arguments();
            all.any(|argument| argument.get_long() == Some(name))
        };
        let is_written = |[former, _]: &[&str; 2]| {
            let words = written.iter().filter_map(|word| word.to_str());
            let mut words = words.take_while(|word| *word != "--");
            !own(former)
                && words.any(|word| {
                    let name = word
                        .strip_prefix("--")
                        .and_then(|name| name.split('=').next());
                    name == Some(former)
                })
        };
        CommandLine {
            command: name.to_owned(),
            all: given.collect(),
            former: FORMER.into_iter().filter(is_written).collect(),
        }
    }

    pub(super) fn has(&self, id: &str) -> bool {
        self.all.contains_key(id)
    }

    pub(super) fn any(&self, ids: &[&str]) -> bool {
        ids.iter().any(|id| self.has(id))
    }

    pub(super) fn values(&self, id: &str) -> &[String] {
        self.all.get(id).map_or(&[], |(_, values)| values)
    }

    pub(super) fn is(&self, id: &str, values: &[&str]) -> bool {
        self.values(id)
            .iter()
            .any(|value| values.contains(&value.as_str()))
    }
}
