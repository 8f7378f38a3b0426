//! The groups of commands in the help of the program, and the groups of options in the help of
//! every command. Their order is the same everywhere.

use clap::{Arg, Command};
use terminal_size::{Width, terminal_size};

/// The title of each group of commands, and the commands in it.
const COMMANDS: [(&str, &[&str]); 5] = [
    (
        "Ask a model",
        &[
            "eval", "explain", "matmul", "plan", "models", "formats", "bench",
        ],
    ),
    (
        "Compare two",
        &["diff", "distinguish", "agree", "compare", "atlas"],
    ),
    (
        "Prove claims",
        &[
            "prove",
            "least",
            "worst",
            "tolerance",
            "mutants",
            "check-proof",
            "engines",
        ],
    ),
    (
        "Test a machine",
        &[
            "probe", "identify", "learn", "separate", "gen", "run", "check", "merge",
        ],
    ),
    ("Elsewhere", &["export", "completions", "help"]),
];

/// The most columns of the help, as for the help of commands.
const WIDEST: usize = 100;
/// The columns before the sentence about a command.
const INDENT: usize = 15;

/// The text in lines of at most `width` columns; a longer word stays whole.
fn lines(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

/// The help of the program: the commands in their groups, then the options.
fn template(command: &Command) -> String {
    let columns = terminal_size().map_or(WIDEST, |(Width(columns), _)| columns.into());
    let width = columns.min(WIDEST).saturating_sub(INDENT).max(1);
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (title, names) in COMMANDS {
        text.push_str(&format!("\n{title}:\n"));
        for name in names {
            let below = command.find_subcommand(name);
            let about = below.and_then(Command::get_about).map(ToString::to_string);
            let about = about.unwrap_or_else(|| "Print the help of a command".into());
            for (number, line) in lines(&about, width).into_iter().enumerate() {
                let name = if number == 0 { name } else { "" };
                text.push_str(&format!("  {name:<11}  {line}\n"));
            }
        }
    }
    text.push_str("\nOptions:\n{options}{after-help}");
    text
}

/// The title of each group, and the options in it. All other options are in the group [`QUESTION`].
const GROUPS: [(&str, &[&str]); 5] = [
    (
        "Inputs",
        &[
            "a", "b", "c", "e", "sa", "sb", "vectors", "results", "index", "recorded", "score",
            "model", "family", "from", "base", "scale_a", "scale_b", "matrices", "result",
        ],
    ),
    (
        "Limits and search",
        &[
            "seed",
            "timeout",
            "pair_timeout",
            "no_minimize",
            "minimize_budget",
            "samples",
            "seconds",
            "threads",
            "memory",
        ],
    ),
    (
        "Engines and machines",
        &[
            "engine",
            "solver_cmd",
            "solver_memory",
            "confirm",
            "confirm_timeout",
            "formats",
            "products",
            "runner",
            "alive",
            "runner_timeout",
            "capability",
        ],
    ),
    ("Shares of the work", &["shard", "resume"]),
    (
        "Output",
        &[
            "out",
            "csv",
            "svg",
            "html",
            "show",
            "error",
            "record",
            "format",
            "inputs",
            "inputs_only",
            "tree",
            "emit_ptx",
            "dump_cnf",
            "dump_smt",
            "plain",
            "proof",
            "proof_timeout",
            "json",
            "quiet",
            "help",
        ],
    ),
];

/// The title of the group of all options that are in none of [`GROUPS`].
const QUESTION: &str = "Question";

/// The position of the option's group among all groups, and the title of the group. Arguments that
/// are given by position come first, under no title; then the group [`QUESTION`].
fn group(arg: &Arg) -> (usize, &'static str) {
    let known = GROUPS.iter().enumerate();
    let mut known = known.filter(|(_, (_, names))| names.contains(&arg.get_id().as_str()));
    match known.next() {
        _ if arg.is_positional() => (0, ""),
        Some((at, (group, _))) => (at + 2, group),
        None => (1, QUESTION),
    }
}

/// The program, with its commands and their options put into their groups.
pub(super) fn grouped(command: Command) -> Command {
    let template = template(&command);
    with_groups_of_options(command).help_template(template)
}

/// The command, with its options and those of its subcommands put into their groups.
fn with_groups_of_options(command: Command) -> Command {
    // clap shows groups in the order of their first options.
    let mut args: Vec<Arg> = command.get_arguments().cloned().collect();
    args.sort_by_key(|arg| group(arg).0);
    let global: Vec<Arg> = args
        .iter()
        .filter(|arg| arg.is_global_set())
        .cloned()
        .collect();
    let mut args = args.into_iter();
    let command = command.mut_args(|arg| {
        let arg = args.next().unwrap_or(arg);
        match group(&arg) {
            (0, _) => arg,
            (_, group) => arg.help_heading(group),
        }
    });
    command.mut_subcommands(|below| with_groups_of_options(below.args(&global)))
}

#[cfg(test)]
mod tests {
    use super::{COMMANDS, GROUPS, QUESTION, grouped};
    use crate::cli::Cli;
    use clap::{Command, CommandFactory};

    fn each(command: &Command, check: &mut impl FnMut(&Command)) {
        check(command);
        for below in command.get_subcommands() {
            each(below, check);
        }
    }

    #[test]
    fn every_command_is_in_one_group() {
        let command = Cli::command();
        let mut own: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
        own.retain(|name| *name != "man");
        own.push("help");
        own.sort_unstable();
        let mut listed: Vec<_> = COMMANDS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        listed.sort_unstable();
        assert_eq!(listed, own);
    }

    #[test]
    fn every_help_has_its_groups_in_one_order() {
        let order: Vec<_> = std::iter::once(QUESTION)
            .chain(GROUPS.iter().map(|(group, _)| *group))
            .collect();
        let mut command = grouped(Cli::command());
        command.build();
        let (mut seen, mut mixed) = (Vec::new(), Vec::new());
        each(&command, &mut |command| {
            if command.get_name() == "help" {
                return;
            }
            let options = command.get_arguments().filter(|arg| {
                // clap adds this option to the program after all others.
                !arg.is_positional() && arg.get_id() != "version"
            });
            let ranks = options.map(|arg| {
                seen.push(arg.get_id().to_string());
                let heading = arg.get_help_heading();
                let rank = order.iter().position(|group| Some(*group) == heading);
                rank.unwrap_or_else(|| panic!("{} {:?}", command.get_name(), arg.get_id()))
            });
            // A heading appears where its first option is.
            let mut first = Vec::new();
            for rank in ranks {
                if !first.contains(&rank) {
                    first.push(rank);
                }
            }
            if !first.is_sorted() {
                mixed.push(format!("{}: {first:?}", command.get_name()));
            }
        });
        assert!(mixed.is_empty(), "{mixed:#?}");
        for name in GROUPS.iter().flat_map(|(_, names)| *names) {
            assert!(seen.iter().any(|known| known == name), "no option {name}");
        }
    }
}
